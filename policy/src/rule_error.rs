//! Why a rule is not understood.

use thiserror::Error;

use super::rules::{RULE_BYTES_MAX, is_never_in_a_name, valid_name};

/// Why a rule is not understood. Each sentence ends in what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RuleError {
    /// Begin the rule with the name of a tool.
    #[error("the rule names no tool; the nearest valid form is a tool's name, such as `Bash`")]
    NoTool,
    /// Close every parenthesis once, at the end of the rule.
    #[error("the rule's parentheses do not match; the nearest valid form is `{nearest}`")]
    Unbalanced {
        /// The nearest valid form.
        nearest: String,
    },
    /// Write one tool's name, nothing around it and nothing else in the rule.
    #[error("`{part}` stands in no tool's name; the nearest valid form is `{nearest}`")]
    CharInName {
        /// The character.
        part: String,
        /// The nearest valid form.
        nearest: String,
    },
    /// Write `mcp__` in small letters, with two low lines.
    #[error("a rule about mcp tools begins with `mcp__`; the nearest valid form is `{nearest}`")]
    NearlyMcp {
        /// The nearest valid form.
        nearest: String,
    },
    /// Write one rule for each tool.
    #[error("a tool's name holds no pattern; the nearest valid form is `{nearest}`")]
    StarInName {
        /// The nearest valid form.
        nearest: String,
    },
    /// Name a server.
    #[error("the rule names no mcp server; the nearest valid form is `{nearest}`")]
    NoServer {
        /// The nearest valid form.
        nearest: String,
    },
    /// Write a rule for the whole tool; one that reads, edits or searches takes no specifier as yet.
    #[error(
        "a specifier for this tool is not supported yet; the nearest valid form is `{nearest}`"
    )]
    NoSpecifier {
        /// The nearest valid form.
        nearest: String,
    },
    /// Write a path, or a pattern in the syntax of gitignore.
    #[error(
        "`{part}` can match nothing as it is meant: {why}; the nearest valid form is `{nearest}`"
    )]
    BadPath {
        /// The path.
        part: String,
        /// What is wrong with it.
        why: &'static str,
        /// The nearest valid form.
        nearest: String,
    },
    /// Write the path from the root, with two slashes.
    #[error(
        "a path with one slash begins in the folder of its document, and this rule stands in none; the nearest valid form is `{nearest}`"
    )]
    NoDocument {
        /// The nearest valid form.
        nearest: String,
    },
    /// Write words, in quotes where a character is not plain, then `:*` or ` *` if anything may
    /// follow.
    #[error(
        "`{part}` is not a plain word, and not one in quotes; the nearest valid form is `{nearest}`"
    )]
    NotPlainWords {
        /// The word.
        part: String,
        /// The nearest valid form.
        nearest: String,
    },
    /// Write `domain:` and a host.
    #[error("`{part}` names no host; the nearest valid form is `{nearest}`")]
    NoDomain {
        /// The specifier.
        part: String,
        /// The nearest valid form.
        nearest: String,
    },
    /// Write the name of an arg, a colon and its text.
    #[error(
        "`{part}` is not `field:pattern`, an arg and its text; the nearest valid form is `{nearest}`"
    )]
    NoField {
        /// The specifier.
        part: String,
        /// The nearest valid form.
        nearest: String,
    },
    /// Begin with the word that runs.
    #[error("`{part}` {why}; the nearest valid form is `{nearest}`")]
    NoProgram {
        /// The word.
        part: String,
        /// What it is instead.
        why: &'static str,
        /// The nearest valid form.
        nearest: String,
    },
    /// Name server and tool with `__` between them and nowhere else.
    #[error("the name splits into server and tool in more than one way, so it allows nothing")]
    AmbiguousAllow,
    /// Put it into `policy`, or leave it out.
    #[error("an organisation's layer only denies and asks, so it allows nothing")]
    OrgAllow,
    /// Write a shorter rule.
    #[error("the rule has {bytes} bytes, more than {RULE_BYTES_MAX}")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
}

impl RuleError {
    pub(crate) fn unbalanced(name: &str) -> Self {
        let mut parts = name.split(is_never_in_a_name);
        let nearest = parts.find(|part| !part.is_empty()).unwrap_or("Bash");
        Self::Unbalanced {
            nearest: valid_name(nearest),
        }
    }

    pub(crate) fn no_specifier(name: &str) -> Self {
        Self::NoSpecifier {
            nearest: name.into(),
        }
    }

    /// Every code.
    pub const CODES: [&'static str; 16] = [
        "rule_no_tool",
        "rule_unbalanced",
        "rule_char_in_name",
        "rule_nearly_mcp",
        "rule_star_in_name",
        "rule_no_server",
        "rule_bad_path",
        "rule_no_document",
        "rule_no_specifier",
        "rule_not_plain_words",
        "rule_no_program",
        "rule_no_domain",
        "rule_no_field",
        "rule_ambiguous_allow",
        "rule_org_allow",
        "rule_too_long",
    ];

    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoTool => "rule_no_tool",
            Self::Unbalanced { .. } => "rule_unbalanced",
            Self::CharInName { .. } => "rule_char_in_name",
            Self::NearlyMcp { .. } => "rule_nearly_mcp",
            Self::StarInName { .. } => "rule_star_in_name",
            Self::NoServer { .. } => "rule_no_server",
            Self::BadPath { .. } => "rule_bad_path",
            Self::NoDocument { .. } => "rule_no_document",
            Self::NoSpecifier { .. } => "rule_no_specifier",
            Self::NotPlainWords { .. } => "rule_not_plain_words",
            Self::NoProgram { .. } => "rule_no_program",
            Self::NoDomain { .. } => "rule_no_domain",
            Self::NoField { .. } => "rule_no_field",
            Self::AmbiguousAllow => "rule_ambiguous_allow",
            Self::OrgAllow => "rule_org_allow",
            Self::TooLong { .. } => "rule_too_long",
        }
    }
}
