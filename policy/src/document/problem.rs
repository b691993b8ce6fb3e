//! What is wrong with a document, or worth a second look, with its place.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::rules::RuleError;

/// How much a problem weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The document is not loaded.
    Error,
    /// The document is loaded; something in it does less, or more, than it seems to.
    Warning,
}

impl Severity {
    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

macro_rules! codes {
    ($($(#[$meta:meta])* $severity:ident $name:ident = $word:literal,)+) => {
        /// What is wrong, as a closed list. A rule that is not understood has its own codes.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$meta])* $name,)+
            /// A deny or ask is not understood; write what the sentence ends in.
            Rule(RuleError),
        }

        impl Code {
            /// Every code of a document, without those of a rule.
            pub const DOCUMENT: &'static [Self] = &[$(Self::$name,)+];

            /// The stable word.
            pub const fn word(&self) -> &'static str {
                match self {
                    $(Self::$name => $word,)+
                    Self::Rule(error) => error.code(),
                }
            }

            /// How much it weighs.
            pub const fn severity(&self) -> Severity {
                match self {
                    $(Self::$name => Severity::$severity,)+
                    Self::Rule(_) => Severity::Error,
                }
            }
        }
    };
}

codes! {
    /// The document has more than 16 MiB; split it.
    Error TooLarge = "document_too_large",
    /// The document is not UTF-8; write it as UTF-8.
    Error NotUtf8 = "not_utf8",
    /// It is not TOML; the sentence says what is expected.
    Error NotToml = "not_toml",
    /// A key is not one of the document's; write one that the sentence lists.
    Error UnknownKey = "unknown_key",
    /// A key that must be there is not; add it.
    Error MissingKey = "missing_key",
    /// A value is of another type than its key takes.
    Error WrongType = "wrong_type",
    /// The document names a schema that is not read here; write `gatefold/policy/v1`.
    Error WrongSchema = "wrong_schema",
    /// A word is not one of a closed list; write one of those.
    Error UnknownWord = "unknown_word",
    /// A name is empty or longer than 1 KiB.
    Error BadName = "bad_name",
    /// A host is not one; write `example.com` or `*.example.com`.
    Error BadHost = "bad_host",
    /// All documents together hold more than 100 000 rules.
    Error TooManyRules = "too_many_rules",
    /// A limit is higher than the built-in one; a document may only lower it.
    Error LimitRaised = "limit_raised",
    /// A tool that is known by its name is declared as something else.
    Error ToolRedefined = "tool_redefined",
    /// A mode is to be forbidden in which no more runs than in `default`; leave it out.
    Error ModeNotLooser = "mode_not_looser",
    /// A protected path can match nothing.
    Error BadPath = "bad_path",
    /// Two documents declare one tool in two ways.
    Error ToolTwice = "tool_twice",
    /// Documents name modes of which neither is the stricter; name one of them in all.
    Error ModesClash = "modes_clash",
    /// The document is not there; put it back, or name it no more.
    Error Absent = "document_absent",
    /// The document cannot be read; the sentence says why.
    Error Unreadable = "document_unreadable",
    /// A test's call cannot be read.
    Error BadTest = "bad_test",
    /// A test of the document has another outcome than it wants.
    Error TestFailed = "test_failed",
    /// An allow is not understood and counts for nothing.
    Warning AllowLeftOut = "allow_left_out",
    /// No host is known to have a tool of this name.
    Warning UnknownTool = "unknown_tool",
    /// Another rule decides every call that this one is about.
    Warning Shadowed = "shadowed",
    /// The rule covers less than it seems to.
    Warning SaysLess = "says_less",
    /// A star is a part of a word, and covers what goes on with that word too.
    Warning GluedStar = "glued_star",
    /// No call can be what the rule is about.
    Warning MatchesNothing = "matches_nothing",
    /// The rule allows a program that runs whatever it is given.
    Warning RunsAnything = "runs_anything",
    /// Documents differ in what holds for all; the stricter counts.
    Warning Differs = "documents_differ",
    /// It could let more run, and stands in a document that was found in a repository.
    Warning NotCounted = "not_counted",
}

/// One problem of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What it is.
    pub code: Code,
    /// Where it is.
    pub place: Place,
    /// What is wrong, and what to write instead: one sentence.
    pub sentence: String,
}

/// Where in a document something stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The document, by the name that its loader gave it.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters, from 1.
    pub column: usize,
    /// The bytes of the document.
    pub span: Range<usize>,
}

impl Problem {
    /// How much it weighs.
    pub const fn severity(&self) -> Severity {
        self.code.severity()
    }
}

impl Problem {
    /// A problem of a document as a whole.
    pub(crate) fn of_document(code: Code, name: &str, sentence: String) -> Self {
        *Located::new(name, "").problem(code, 0..0, sentence)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file, line, column, ..
        } = self;
        write!(f, "{file}:{line}:{column}")
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            code,
            place,
            sentence,
        } = self;
        let severity = self.severity().word();
        write!(f, "{place}: {severity}[{}]: {sentence}", code.word())
    }
}

/// A document's text, for finding places in it.
#[derive(Clone, Debug)]
pub(super) struct Located<'a> {
    pub(super) file: Arc<str>,
    pub(super) text: &'a str,
    /// Where each line begins.
    lines: Vec<usize>,
    /// How many characters stand before every so many bytes.
    chars: Vec<usize>,
}

/// Bytes between two counts of characters.
const STRIDE: usize = 4096;

impl<'a> Located<'a> {
    pub(super) fn new(file: &str, text: &'a str) -> Self {
        let after = text.match_indices('\n').map(|(at, _)| at.saturating_add(1));
        Self {
            file: file.into(),
            text,
            lines: std::iter::once(0).chain(after).collect(),
            chars: counts(text),
        }
    }

    /// How many characters stand before a byte.
    fn chars_before(&self, at: usize) -> usize {
        let stride = at.checked_div(STRIDE).unwrap_or_default();
        let counted = self.chars.get(stride).copied().unwrap_or_default();
        let rest = self.text.as_bytes().get(stride.saturating_mul(STRIDE)..at);
        counted.saturating_add(rest.map_or(0, begun))
    }

    pub(super) fn place(&self, span: Range<usize>) -> Place {
        let line = self.lines.partition_point(|begin| *begin <= span.start);
        let begin = self
            .lines
            .get(line.saturating_sub(1))
            .copied()
            .unwrap_or_default();
        let before = self
            .chars_before(span.start)
            .saturating_sub(self.chars_before(begin));
        Place {
            file: Arc::clone(&self.file),
            line,
            column: before.saturating_add(1),
            span,
        }
    }

    pub(super) fn problem(
        &self,
        code: Code,
        span: Range<usize>,
        sentence: impl Into<String>,
    ) -> Box<Problem> {
        Box::new(Problem {
            code,
            place: self.place(span),
            sentence: sentence.into(),
        })
    }
}

/// The characters before each stride of a text.
fn counts(text: &str) -> Vec<usize> {
    let mut sum = 0_usize;
    let mut counts = vec![0];
    for stride in text.as_bytes().chunks(STRIDE) {
        sum = sum.saturating_add(begun(stride));
        counts.push(sum);
    }
    counts
}

/// How many characters begin in these bytes.
fn begun(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

/// The nearest of some words to one that is none of them, if one is near.
pub(super) fn nearest<'a>(word: &str, among: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const FAR: usize = 3;
    const LONGEST: usize = 64;
    if word.len() > LONGEST {
        return None;
    }
    among
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(word.len()) < FAR)
        .map(|candidate| {
            let folded = candidate.eq_ignore_ascii_case(word);
            let far = if folded {
                0
            } else {
                strsim::levenshtein(word, candidate)
            };
            (far, candidate)
        })
        .filter(|(far, candidate)| *far < FAR && *far < candidate.len())
        .min_by_key(|(far, _)| *far)
        .map(|(_, candidate)| candidate)
}

/// ` (did you mean …?)`, or nothing.
pub(super) fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| {
        format!("; did you mean `{nearest}`?")
    })
}
