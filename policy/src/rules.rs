//! Rules: what a layer says of a tool, read strictly. A deny or an ask that cannot be understood
//! is an error; what becomes of an allow that cannot be is its reader's to say.

use std::sync::{Arc, LazyLock};

use gatefold::gate::{Text, ToolKind};

use super::given::ArgPattern;
use super::hosts::Domain;
use super::mcp::{self, McpPattern};
use super::path_rules::PathRule;
use super::paths::{Anchor, PathFault, PathPattern};
pub use super::rule_error::RuleError;
use super::shell::{Access, ShellPattern};
use super::tools::{Platform, Tools};

/// The words of effects and layers, which most records hold.
static WORDS: LazyLock<Vec<Text>> = LazyLock::new(|| {
    let effects = [Effect::Deny, Effect::Ask, Effect::Allow].map(Effect::word);
    let layers = Layer::SPELLINGS.iter().map(|(_, layer)| layer.word());
    effects.into_iter().chain(layers).map(Text::new).collect()
});

/// The word of an effect or a layer, as a text that is there already.
pub(crate) fn word_text(word: &str) -> Text {
    let mut words = WORDS.iter();
    let known = words.find(|known| known.as_str() == word);
    known.cloned().unwrap_or_else(|| Text::new(word))
}

/// A rule, in bytes (4 KiB): what a record holds of it as written.
pub(crate) const RULE_BYTES_MAX: usize = gatefold::limits::TEXT_BYTES_MAX;

/// What a rule says of the calls that it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// They do not run.
    Deny,
    /// A person is asked.
    Ask,
    /// They may run.
    Allow,
}

impl Effect {
    /// Every effect.
    pub const ALL: &'static [Self] = &[Self::Allow, Self::Ask, Self::Deny];

    /// The effect of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|effect| effect.word() == word)
    }

    /// Whether it only narrows what may run.
    pub const fn refuses(self) -> bool {
        match self {
            Self::Deny | Self::Ask => true,
            Self::Allow => false,
        }
    }

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Allow => "allow",
        }
    }
}

/// Where a rule comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// The organisation: it denies and asks, and allows nothing.
    Org,
    /// The host's own policy.
    Policy,
    /// What a person stored for all their work.
    User,
    /// What a repository brings.
    Project,
    /// What a person stored for this repository.
    Local,
    /// What holds for this session.
    Session,
    /// An approval that was remembered.
    Stored,
}

/// The seat that speaks for a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LayerSeat {
    Org,
    Adjudicate,
    Rules,
}

impl Layer {
    /// Every layer under every word that is read for it; `managed` is a synonym of `org`.
    pub const SPELLINGS: &'static [(&'static str, Self)] = &[
        ("managed", Self::Org),
        ("org", Self::Org),
        ("policy", Self::Policy),
        ("user", Self::User),
        ("project", Self::Project),
        ("local", Self::Local),
        ("session", Self::Session),
        ("stored", Self::Stored),
    ];

    /// The layer of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        let mut spellings = Self::SPELLINGS.iter();
        spellings.find_map(|(spelling, layer)| (*spelling == word).then_some(*layer))
    }

    /// The word in records.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Org => "org",
            Self::Policy => "policy",
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
            Self::Session => "session",
            Self::Stored => "stored",
        }
    }

    pub(crate) const fn seat(self) -> LayerSeat {
        match self {
            Self::Org => LayerSeat::Org,
            Self::Policy => LayerSeat::Adjudicate,
            Self::User | Self::Project | Self::Local | Self::Session | Self::Stored => {
                LayerSeat::Rules
            }
        }
    }
}

/// One rule of a layer.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    /// What it says.
    pub(crate) effect: Effect,
    /// Where it stands.
    pub(crate) place: RulePlace,
    /// As written.
    pub(crate) text: Text,
    /// The reason for it, in its author's words.
    pub(crate) why: Option<Text>,
    pub(crate) pattern: Pattern,
}

/// Where a rule stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RulePlace {
    /// Its layer.
    pub(crate) layer: Layer,
    /// Its document; none if it came with the call.
    pub(crate) file: Option<Arc<str>>,
    /// The only agent that it is about.
    pub(crate) agent: Option<Arc<str>>,
    /// Its place in its list, or among all rules that came with the call; from 0.
    pub(crate) index: u32,
}

/// What a rule's words are read against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dialect<'a> {
    pub(crate) platform: Platform,
    pub(crate) tools: &'a Tools,
}

/// Which calls a rule is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// Every call of this tool, the name compared raw.
    Tool(String),
    /// Lines of this shell tool.
    Shell { tool: String, words: ShellPattern },
    /// Tools of an MCP server.
    Mcp(McpPattern),
    /// Calls of this fetch tool whose URL, in this arg, has such a host.
    Host {
        tool: String,
        field: String,
        domain: Domain,
    },
    /// Calls of this tool with such an arg.
    ToolArg { tool: String, arg: ArgPattern },
    /// Calls of such tools of an MCP server with such an arg.
    McpArg { of: McpPattern, arg: ArgPattern },
    /// Files, by what a tool of this kind does to them.
    Path { tool: String, path: PathRule },
}

impl Rule {
    /// Reads a rule.
    ///
    /// # Errors
    /// [`RuleError`], if it is not understood; its sentence ends in what to write instead.
    pub(crate) fn parse(
        effect: Effect,
        place: RulePlace,
        text: &str,
        dialect: Dialect<'_>,
    ) -> Result<Self, RuleError> {
        if text.len() > RULE_BYTES_MAX {
            return Err(RuleError::TooLong { bytes: text.len() });
        }
        let pattern = Pattern::parse(text, effect, dialect)?;
        pattern.stands_at(effect, &place)?;
        match (place.layer.seat(), effect) {
            (LayerSeat::Org, Effect::Allow) => Err(RuleError::OrgAllow),
            (LayerSeat::Org | LayerSeat::Adjudicate | LayerSeat::Rules, _) => Ok(Self {
                effect,
                place,
                text: text.into(),
                why: None,
                pattern,
            }),
        }
    }
}

impl Pattern {
    fn parse(text: &str, effect: Effect, dialect: Dialect<'_>) -> Result<Self, RuleError> {
        let (name, specifier) = match text.split_once('(') {
            None => (text, None),
            Some((name, rest)) => match rest.strip_suffix(')') {
                Some(specifier) => (name, Some(specifier)),
                None => return Err(RuleError::unbalanced(name)),
            },
        };
        if name.contains(')') {
            return Err(RuleError::unbalanced(name));
        }
        if name.trim_ascii().is_empty() {
            return Err(RuleError::NoTool);
        }
        if let Some(part) = name.chars().find(|char| is_never_in_a_name(*char)) {
            let mut parts = name.split(is_never_in_a_name);
            let nearest = parts.find(|part| !part.is_empty()).unwrap_or("Bash");
            return Err(RuleError::CharInName {
                part: part.escape_default().to_string(),
                nearest: valid_name(nearest),
            });
        }
        if mcp::is_nearly(name) {
            let nearest = mcp::nearest(name);
            return Err(RuleError::NearlyMcp { nearest });
        }
        if let Some(rest) = name.strip_prefix(mcp::PREFIX) {
            let pattern = McpPattern::parse(rest, effect)?;
            return match specifier {
                None | Some("*") => Ok(Self::Mcp(pattern)),
                Some(specifier) => Ok(Self::McpArg {
                    of: pattern,
                    arg: ArgPattern::parse(name, specifier)?,
                }),
            };
        }
        if name.contains('*') {
            let nearest = name.split('*').find(|part| !part.is_empty());
            let nearest = valid_name(nearest.unwrap_or("Bash"));
            return Err(RuleError::StarInName { nearest });
        }
        // Who refuses `Read(*)` means everything there is, and who allows it the files beside.
        let is_path = dialect.tools.access(name).is_some();
        let Some(specifier) = specifier.filter(|text| is_path || !is_a_star(text)) else {
            return Ok(Self::Tool(name.into()));
        };
        Self::specified(name, specifier, effect, dialect)
    }

    /// A rule for this tool with a specifier, which means what the kind of the tool says.
    fn specified(
        name: &str,
        specifier: &str,
        effect: Effect,
        dialect: Dialect<'_>,
    ) -> Result<Self, RuleError> {
        let tool = name.to_owned();
        let Dialect { platform, tools } = dialect;
        if let Some(access) = tools.access(name) {
            return Self::path(name, specifier, access, effect, platform);
        }
        match tools.kind(name) {
            ToolKind::Shell => {
                let words = ShellPattern::parse(name, specifier, effect, platform)?;
                Ok(Self::Shell { tool, words })
            }
            ToolKind::Fetch => {
                let Some(field) = tools.url_field(name) else {
                    return Err(RuleError::no_specifier(name));
                };
                let domain = read_domain(name, specifier)?;
                let field = field.to_owned();
                Ok(Self::Host {
                    tool,
                    field,
                    domain,
                })
            }
            ToolKind::Mcp | ToolKind::Other => {
                let arg = ArgPattern::parse(name, specifier)?;
                Ok(Self::ToolArg { tool, arg })
            }
            ToolKind::Read | ToolKind::Edit => Err(RuleError::no_specifier(name)),
        }
    }
}

/// Whether a specifier is stars and nothing else.
fn is_a_star(specifier: &str) -> bool {
    !specifier.is_empty() && specifier.bytes().all(|byte| byte == b'*')
}

/// Reads the specifier of a rule for a fetch tool.
fn read_domain(tool: &str, specifier: &str) -> Result<Domain, RuleError> {
    const DOMAIN: &str = "domain:";
    let host = specifier.strip_prefix(DOMAIN);
    if let Some(Ok(domain)) = host.map(Domain::parse) {
        return Ok(domain);
    }
    let said = host.unwrap_or(specifier);
    let nearest = match Domain::parse(said) {
        Ok(_) => Some(said.to_owned()),
        Err(nearest) => nearest,
    };
    let whole = || tool.to_owned();
    Err(RuleError::NoDomain {
        part: specifier.to_owned(),
        nearest: nearest.map_or_else(whole, |host| format!("{tool}({DOMAIN}{host})")),
    })
}

impl Pattern {
    /// The rule over paths for a tool that reads or edits files.
    fn path(
        tool: &str,
        specifier: &str,
        access: Access,
        effect: Effect,
        platform: Platform,
    ) -> Result<Self, RuleError> {
        // Who refuses `*` means everything there is.
        let text = if specifier == "*" && effect.refuses() {
            "//**"
        } else {
            specifier
        };
        let pattern = PathPattern::parse(text, effect.refuses(), platform).map_err(
            |PathFault { why, nearest }| RuleError::BadPath {
                part: specifier.into(),
                why,
                nearest: format!("{tool}({nearest})"),
            },
        )?;
        let path = PathRule { access, pattern };
        let tool = tool.into();
        Ok(Self::Path { tool, path })
    }

    /// Whether a rule may stand at its place: one that came with the call has no document to begin
    /// in, and what it allows would be a guess.
    fn stands_at(&self, effect: Effect, place: &RulePlace) -> Result<(), RuleError> {
        match self {
            Self::Path { tool, path }
                if !effect.refuses()
                    && place.file.is_none()
                    && path.pattern.anchor == Anchor::Document =>
            {
                let nearest = format!("{tool}(//…)");
                Err(RuleError::NoDocument { nearest })
            }
            Self::Tool(_)
            | Self::Shell { .. }
            | Self::Mcp(_)
            | Self::Path { .. }
            | Self::Host { .. }
            | Self::ToolArg { .. }
            | Self::McpArg { .. } => Ok(()),
        }
    }
}

/// Characters that no host puts into a tool's name: blanks, control characters, characters that
/// nobody sees, brackets, quotes, and what people list names with.
pub(crate) fn is_never_in_a_name(char: char) -> bool {
    let is_blank = matches!(
        char,
        ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    );
    let is_unseen = matches!(
        char,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    is_blank || char.is_control() || is_unseen || "()[]{}<>,;|\"'`".contains(char)
}

/// The nearest name to this one that a rule may be about.
pub(crate) fn valid_name(name: &str) -> String {
    if mcp::is_nearly(name) {
        return mcp::nearest(name);
    }
    match name.strip_prefix(mcp::PREFIX) {
        Some(rest) => McpPattern::nearest(rest),
        None => name
            .split('*')
            .find(|part| !part.is_empty())
            .unwrap_or("Bash")
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_that_is_not_understood_says_what_to_write_instead() {
        for (text, code, nearest) in [
            ("", "rule_no_tool", "`Bash`"),
            ("(x)", "rule_no_tool", "`Bash`"),
            ("Bash(rm", "rule_unbalanced", "`Bash`"),
            ("Bash)", "rule_unbalanced", "`Bash`"),
            ("Bash(rm) x", "rule_unbalanced", "`Bash`"),
            ("Bash ", "rule_char_in_name", "`Bash`"),
            ("Bash (rm)", "rule_char_in_name", "`Bash`"),
            ("Ba\u{7}sh", "rule_char_in_name", "`Ba`"),
            ("*", "rule_star_in_name", "`Bash`"),
            ("Web*", "rule_star_in_name", "`Web`"),
            ("mcp__", "rule_no_server", "`mcp__server`"),
            ("mcp__my_a__get*", "rule_star_in_name", "`mcp__my_a`"),
            ("mcp__a__b(x)", "rule_no_field", "`mcp__a__b`"),
            ("mcp__a__b(:x)", "rule_no_field", "`mcp__a__b`"),
            ("Task(Explore)", "rule_no_field", "`Task`"),
            ("Task( a:x)", "rule_no_field", "`Task`"),
            (
                "WebFetch(example.com)",
                "rule_no_domain",
                "`WebFetch(domain:example.com)`",
            ),
            (
                "WebFetch(https://example.com/a)",
                "rule_no_domain",
                "`WebFetch(domain:example.com)`",
            ),
            (
                "WebFetch(domain:https://example.com:80/a)",
                "rule_no_domain",
                "`WebFetch(domain:example.com)`",
            ),
            (
                "WebFetch(domain:*example.com)",
                "rule_no_domain",
                "`WebFetch(domain:*.example.com)`",
            ),
            ("WebFetch(domain:)", "rule_no_domain", "`WebFetch`"),
            ("WebFetch(domain:*)", "rule_no_domain", "`WebFetch`"),
            ("WebFetch()", "rule_no_domain", "`WebFetch`"),
            (
                "WebSearch(domain:example.com)",
                "rule_no_specifier",
                "`WebSearch`",
            ),
            ("Read()", "rule_bad_path", "`Read(./**)`"),
            ("Bash()", "rule_not_plain_words", "`Bash`"),
            ("Bash(echo $x)", "rule_not_plain_words", "`Bash(echo *)`"),
            ("Bash(echo 'x)", "rule_not_plain_words", "`Bash(echo *)`"),
            ("Edit,Write", "rule_char_in_name", "`Edit`"),
            ("Edit|Write", "rule_char_in_name", "`Edit`"),
            ("[Edit]", "rule_char_in_name", "`Edit`"),
            ("Web Fetch", "rule_char_in_name", "`Web`"),
            ("\u{200b}Edit", "rule_char_in_name", "`Edit`"),
            ("Edit\u{a0}", "rule_char_in_name", "`Edit`"),
            ("'Edit'", "rule_char_in_name", "`Edit`"),
            ("mcp__a b", "rule_char_in_name", "`mcp__a`"),
            ("MCP__ a", "rule_char_in_name", "`mcp__server`"),
            ("MCP__a", "rule_nearly_mcp", "`mcp__a`"),
            ("Mcp__a__b", "rule_nearly_mcp", "`mcp__a__b`"),
            ("mcp_a", "rule_nearly_mcp", "`mcp__a`"),
            ("mcp_", "rule_nearly_mcp", "`mcp__server`"),
            ("mcp", "rule_nearly_mcp", "`mcp__server`"),
            ("mcp:a/b", "rule_nearly_mcp", "`mcp__a`"),
            ("mcp-a", "rule_nearly_mcp", "`mcp__a`"),
            ("mcp*", "rule_nearly_mcp", "`mcp__server`"),
            ("mcp_a__*", "rule_nearly_mcp", "`mcp__a__*`"),
            ("mcp_a*", "rule_nearly_mcp", "`mcp__a`"),
            ("mcp_a(x)", "rule_nearly_mcp", "`mcp__a`"),
            ("Bash(FOO=1 rm *)", "rule_no_program", "`Bash(rm *)`"),
            ("Bash(FOO=1)", "rule_no_program", "`Bash`"),
            ("Bash(bin/)", "rule_no_program", "`Bash`"),
            (
                "Bash(regex: git push)",
                "rule_no_program",
                "`Bash(git push)`",
            ),
            ("Bash(rm:)", "rule_no_program", "`Bash`"),
        ] {
            for effect in [Effect::Deny, Effect::Ask, Effect::Allow] {
                let error = parse(text, effect).expect_err(text);
                assert_eq!(error.code(), code, "{text}");
                assert!(error.to_string().ends_with(nearest), "{text}: {error}");
                let nearest = nearest.trim_matches('`');
                let parsed = parse(nearest, effect);
                assert!(parsed.is_ok(), "{text}: {nearest}: {parsed:?}");
            }
        }
    }

    #[test]
    fn a_bare_star_is_the_whole_tool() {
        for text in ["Bash", "Bash(*)", "Bash(**)"] {
            let pattern = parse(text, Effect::Deny);
            assert_eq!(pattern, Ok(Pattern::Tool("Bash".into())), "{text}");
        }
    }

    fn parse(text: &str, effect: Effect) -> Result<Pattern, RuleError> {
        let tools = Tools::default();
        let dialect = Dialect {
            platform: Platform::Linux,
            tools: &tools,
        };
        Pattern::parse(text, effect, dialect)
    }
}
