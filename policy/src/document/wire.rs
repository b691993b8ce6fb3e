//! The document as it stands in a file. Its JSON Schema is made from these structs.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use toml::Spanned;

#[cfg(feature = "schema")]
use super::schema;

/// What a document calls itself.
pub(crate) const SCHEMA: &str = "gatefold/policy/v1";

/// A policy document: what an AI agent's tool calls may do.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(title = "gatefold/policy/v1"))]
#[serde(deny_unknown_fields)]
pub(crate) struct DocumentFile {
    /// `gatefold/policy/v1`.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("const" = SCHEMA)))]
    pub(crate) schema: Spanned<String>,
    /// The permission mode where the request names none. Of several documents the strictest counts.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "schema::Word", extend("enum" = schema::modes())))]
    pub(crate) mode: Option<Spanned<String>>,
    /// What becomes of a call about which no rule says anything. Default `ask`.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "schema::Word", extend("enum" = schema::unstated())))]
    pub(crate) unstated: Option<Spanned<String>>,
    /// Folders that the work is in, relative to the document's own: what leads out of them is asked
    /// about. The request's own count instead.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub(crate) roots: Vec<Spanned<String>>,
    /// What the organisation says: it denies and asks, and allows nothing.
    #[serde(default)]
    pub(crate) org: LayerFile,
    /// What the host's own policy says.
    #[serde(default)]
    pub(crate) policy: LayerFile,
    /// What people stored.
    #[serde(default)]
    pub(crate) rules: StoredFile,
    /// Tools that are not known by their name, each with what it does.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, ToolFile>"))]
    pub(crate) tools: BTreeMap<Spanned<String>, ToolFile>,
    /// Where fetch tools may go without being asked about.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "EgressFile"))]
    pub(crate) egress: Option<EgressFile>,
    /// Paths that are asked about before they are written, beside those that are built in.
    #[serde(default)]
    pub(crate) protected: ProtectedFile,
    /// Limits, which may only be lowered.
    #[serde(default)]
    pub(crate) limits: LimitsFile,
    /// Rules for single agents, beside those for all. A child is never wider than its parent.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, AgentFile>"))]
    pub(crate) agents: BTreeMap<Spanned<String>, AgentFile>,
    /// Calls, each with the verdict that this document alone gives: run whenever it is loaded.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<TestFile>"))]
    pub(crate) test: Vec<Spanned<TestFile>>,
}

/// Where fetch tools may go: a call that leads elsewhere is asked about. Where several documents
/// say so, each must name the host.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct EgressFile {
    /// The hosts: `example.com` is that host alone, `*.example.com` those below it.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub(crate) hosts: Vec<Spanned<String>>,
}

/// The layers of one agent.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct AgentFile {
    /// What the organisation says: it denies and asks, and allows nothing.
    pub(crate) org: LayerFile,
    /// What the host's own policy says.
    pub(crate) policy: LayerFile,
    /// What people stored.
    pub(crate) rules: StoredFile,
}

/// What people stored, by where they did.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct StoredFile {
    /// For all their work.
    pub(crate) user: LayerFile,
    /// What a repository brings.
    pub(crate) project: LayerFile,
    /// For one repository.
    pub(crate) local: LayerFile,
    /// For one session.
    pub(crate) session: LayerFile,
}

/// The rules of one layer. A deny beats an ask and an ask an allow, whatever their order.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LayerFile {
    /// Calls that may run.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<RuleFile>"))]
    pub(crate) allow: Vec<Spanned<RuleFile>>,
    /// Calls that a person is asked about.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<RuleFile>"))]
    pub(crate) ask: Vec<Spanned<RuleFile>>,
    /// Calls that do not run.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<RuleFile>"))]
    pub(crate) deny: Vec<Spanned<RuleFile>>,
}

/// A rule, alone or with the reason for it.
#[derive(Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(untagged))]
pub(crate) enum RuleFile {
    /// The rule alone: `Tool`, `Bash(git status)`, `Bash(git log *)`, `Bash(git * main)`,
    /// `Read(src/**)`, `WebFetch(domain:example.com)`, `mcp__server__tool`, `Tool(field:pattern)`.
    Alone(String),
    /// The rule and why.
    With(RuleWithWhy),
}

/// A rule and the reason for it.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct RuleWithWhy {
    /// The rule.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(crate) rule: Spanned<String>,
    /// Why: told to the model on a deny and to the person on an ask. At most 4 KiB; a longer one
    /// is clipped.
    #[serde(default)]
    pub(crate) why: Option<String>,
}

impl<'de> Deserialize<'de> for RuleFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Rule;

        impl<'de> Visitor<'de> for Rule {
            type Value = RuleFile;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a rule in quotes or `{ rule, why }`")
            }

            fn visit_str<E: Error>(self, rule: &str) -> Result<RuleFile, E> {
                Ok(RuleFile::Alone(rule.into()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RuleFile, A::Error> {
                RuleWithWhy::deserialize(MapAccessDeserializer::new(map)).map(RuleFile::With)
            }
        }

        deserializer.deserialize_any(Rule)
    }
}

/// What a tool does, and where its args say on what.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ToolFile {
    /// What it does: a `read` tool changes nothing, a `shell` tool runs a command line.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = schema::kinds())))]
    pub(crate) kind: Spanned<String>,
    /// The arg that holds the command line of a `shell` tool (default `command`), the URL of a `fetch`
    /// tool (default `url`), or the path of a tool of kind `read` or `edit` (default: those that mostly
    /// hold one, `path` among them).
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub(crate) field: Option<Spanned<String>>,
}

/// Paths that are protected. What is built in cannot be taken away.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ProtectedFile {
    /// Paths, each with the reason for it.
    pub(crate) add: Vec<ProtectedPathFile>,
}

/// A path that is protected.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ProtectedPathFile {
    /// The path, as rules write it: `//abs`, `~/home`, `/from-the-document`, `relative`.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(crate) path: Spanned<String>,
    /// Why.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(crate) why: Spanned<String>,
}

/// Limits, which only tighten. One that is left out stays as built in; none can be raised.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LimitsFile {
    /// Args of a call, in bytes; at most 1048576.
    #[cfg_attr(feature = "schema", schemars(with = "schema::ArgsBytes"))]
    pub(crate) args_bytes: Option<Spanned<u64>>,
    /// A shell line, in bytes; at most 65536.
    #[cfg_attr(feature = "schema", schemars(with = "schema::LineBytes"))]
    pub(crate) line_bytes: Option<Spanned<u64>>,
    /// Edits of one call by the person who is asked; at most 3.
    #[cfg_attr(feature = "schema", schemars(with = "schema::EditCap"))]
    pub(crate) edit_cap: Option<Spanned<u64>>,
    /// Denials by a classifier after which a person is asked; at most 3.
    #[cfg_attr(feature = "schema", schemars(with = "schema::Denials"))]
    pub(crate) denials: Option<Spanned<u64>>,
    /// Modes that nobody switches on: a call in one of them is decided as in `default`, whoever
    /// names it. Of several documents each forbids its own.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<schema::LooserMode>"))]
    pub(crate) forbid_modes: Vec<Spanned<String>>,
}

/// A call and the verdict that this document alone gives for it.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct TestFile {
    /// The call: `Bash(git status)` with the command line of a shell tool, `Read(notes.md)` with the
    /// path of a tool that reads or edits, or `{ tool, args }`. It stands in the document's folder,
    /// where every path leads where it says.
    #[cfg_attr(feature = "schema", schemars(with = "CallFile"))]
    pub(crate) call: Spanned<CallFile>,
    /// The verdict: `allow`, `ask` or `deny`.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["allow", "ask", "deny"])))]
    pub(crate) want: Spanned<String>,
    /// The rule behind it, as written.
    #[serde(default)]
    pub(crate) rule: Option<String>,
    /// The permission mode. Default: that of the document.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "schema::Word", extend("enum" = schema::modes())))]
    pub(crate) mode: Option<Spanned<String>>,
    /// The agent that makes the call.
    #[serde(default)]
    pub(crate) agent: Option<String>,
}

/// A call of a test.
#[derive(Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(untagged))]
pub(crate) enum CallFile {
    /// `Tool`, or `Tool(line)` for a shell tool, `Tool(path)` for one that reads or edits.
    Short(String),
    /// The tool and its args.
    Full(FullCallFile),
}

/// A call with its args.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct FullCallFile {
    /// The tool.
    pub(crate) tool: String,
    /// The args; none are an empty object.
    #[serde(default)]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "BTreeMap<String, schema::Anything>")
    )]
    pub(crate) args: toml::Table,
}

impl<'de> Deserialize<'de> for CallFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Call;

        impl<'de> Visitor<'de> for Call {
            type Value = CallFile;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a call in quotes or `{ tool, args }`")
            }

            fn visit_str<E: Error>(self, call: &str) -> Result<CallFile, E> {
                Ok(CallFile::Short(call.into()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<CallFile, A::Error> {
                FullCallFile::deserialize(MapAccessDeserializer::new(map)).map(CallFile::Full)
            }
        }

        deserializer.deserialize_any(Call)
    }
}
