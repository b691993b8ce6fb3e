//! The request as it stands on the wire.
//!
//! What becomes args (`args`, `rewrite`, `edit`) is kept as the text that it is: nothing on its
//! way may respell a number or reorder a key. No value is read without knowing its type
//! beforehand, because what serde then sees of a number depends on features that another crate of
//! the same build may switch on.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use gatefold::gate::{Answerer, Grant, HookKind, Mode, SettledAnswer};
use gatefold::limits::{ANCESTORS_MAX, HOOKS_MAX, NAME_BYTES_MAX};
use gatefold_policy::{Effect, Layer, Platform, RULES_MAX};
use schemars::JsonSchema;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::words::{HookFailure, HookSays, NoAnswerWord, Word};
use crate::input::object::objects;
use crate::schema::request::{self as schema, Object, OneOrMany};

objects! {
    Request, CallRequest, McpRequest, AncestorRequest, RuleRequest, HookRequest, HookAnswerRequest,
    ResolveRequest, RememberRequest, FactsRequest,
}

/// One call to decide, with all that the decision rests on. Only `call` is required.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schemars(title = "gatefold/request")]
pub(crate) struct Request {
    /// The call that is to be decided.
    pub(super) call: CallRequest,
    /// The working directory, absolute. Left out, where a relative path leads is not known.
    #[serde(default)]
    pub(super) cwd: Option<String>,
    /// The home directory, absolute.
    #[serde(default)]
    pub(super) home: Option<String>,
    /// The folders that the work is in: absolute, or relative to `cwd`. What leads out of them is
    /// asked about. Left out or empty, they are those of the policy documents.
    #[serde(default)]
    pub(super) roots: Vec<String>,
    /// The system that the call runs on: how deny and ask compare a program's name. `darwin` is
    /// `macos`, `win32` is `windows`.
    #[serde(default = "linux")]
    pub(super) platform: Word<Platform>,
    /// The shell that runs lines. `bash`, `sh` and `zsh` are read; the lines of any other are not,
    /// and whoever holds a deny or an ask for it asks.
    #[serde(default = "bash")]
    pub(super) shell: String,
    /// The caller's permission mode. Left out, it is that of the policy documents, or else
    /// `default`.
    #[serde(default, deserialize_with = "named")]
    #[schemars(with = "Word<Mode>", skip_serializing_if = "Option::is_none")]
    pub(super) mode: Option<Word<Mode>>,
    /// Compliance lock: while it is true nothing runs.
    #[serde(default)]
    pub(super) lock: bool,
    /// Whether an ask without a resolver is printed as an ask; if not, it ends as a deny. Does not
    /// count beside `resolve`.
    #[serde(default = "yes")]
    pub(super) interactive: bool,
    /// How often the classifier has denied so far.
    #[serde(default)]
    #[schemars(range(max = u32::MAX))]
    pub(super) denials: u32,
    /// The caller's name, at most 1024 bytes.
    #[serde(default)]
    #[schemars(length(max = NAME_BYTES_MAX))]
    pub(super) agent: Option<String>,
    /// The agents above the caller, nearest first; at most 16.
    #[serde(default)]
    #[schemars(length(max = ANCESTORS_MAX))]
    pub(super) ancestors: Vec<AncestorRequest>,
    /// Rules to judge by, beside those of the policy documents; at most 100000 in all.
    #[serde(default)]
    #[schemars(length(max = RULES_MAX))]
    pub(super) rules: Vec<RuleRequest>,
    /// The `PreToolUse` hooks and what each came to; at most 32, no id twice.
    #[serde(default)]
    #[schemars(length(max = HOOKS_MAX), extend("uniqueItems" = true))]
    pub(super) hooks: Vec<HookRequest>,
    /// How a standing ask is answered: null if nobody does, one answer for every ask, or a list of
    /// them, one for each ask in order.
    // Kept as text: which of the three it is, only that tells.
    #[serde(default)]
    #[schemars(with = "Option<OneOrMany<ResolveRequest>>")]
    pub(super) resolve: Option<Box<RawValue>>,
    /// What only the host knows. Their digest stands in the record.
    #[serde(default)]
    pub(super) facts: Option<FactsRequest>,
}

fn linux() -> Word<Platform> {
    Word(Platform::Linux)
}

fn bash() -> String {
    "bash".into()
}

/// A word that may be left out and is no null.
fn named<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Word<Mode>>, D::Error> {
    Word::deserialize(deserializer).map(Some)
}

fn yes() -> bool {
    true
}

/// A tool call as the model made it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub(super) struct CallRequest {
    /// The call's id, 1 to 1024 bytes. It stands in the record.
    #[schemars(length(min = 1, max = NAME_BYTES_MAX))]
    pub(super) id: String,
    /// The tool as the model names it, 1 to 1024 bytes.
    #[schemars(length(min = 1, max = NAME_BYTES_MAX))]
    pub(super) tool: String,
    /// The args: at most 1 MiB of text, nested at most 64 deep, no key twice in one object.
    #[schemars(with = "Object")]
    pub(super) args: Box<RawValue>,
    /// The MCP server and its tool, as the host knows them; for a tool of an MCP server.
    #[serde(default)]
    pub(super) mcp: Option<McpRequest>,
}

/// A tool of an MCP server.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub(super) struct McpRequest {
    /// The server, 1 to 1024 bytes.
    #[schemars(length(min = 1, max = NAME_BYTES_MAX))]
    pub(super) server: String,
    /// The server's tool, 1 to 1024 bytes.
    #[schemars(length(min = 1, max = NAME_BYTES_MAX))]
    pub(super) tool: String,
}

/// An agent above the caller.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub(super) struct AncestorRequest {
    /// Its name, at most 1024 bytes.
    #[serde(default)]
    #[schemars(length(max = NAME_BYTES_MAX))]
    pub(super) agent: Option<String>,
    /// Its permission mode. Left out, it is that of the policy documents, or else `default`.
    #[serde(default, deserialize_with = "named")]
    #[schemars(with = "Word<Mode>", skip_serializing_if = "Option::is_none")]
    pub(super) mode: Option<Word<Mode>>,
    /// Compliance lock: while it is true nothing runs.
    #[serde(default)]
    pub(super) lock: bool,
}

/// A rule and where it comes from.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schemars(transform = schema::rule)]
pub(super) struct RuleRequest {
    /// What becomes of the calls that it is about.
    pub(super) effect: Word<Effect>,
    /// `Tool`, `Bash(git status)`, `Bash(git log *)`, `Read(src/**)`, `mcp__server` or
    /// `mcp__server__tool`, at most 4096 bytes. A deny or an ask that is not understood is bad input; such an allow is left out,
    /// with a warning.
    pub(super) rule: String,
    /// Who says so. `managed` is `org`.
    pub(super) from: Word<Layer>,
}

/// A `PreToolUse` hook and what came of asking it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub(super) struct HookRequest {
    /// Its id, 1 to 1024 bytes, unique among the hooks.
    #[schemars(length(min = 1, max = NAME_BYTES_MAX))]
    pub(super) id: String,
    /// Whether its answer counts, or is a notice alone.
    #[serde(default = "guard")]
    pub(super) kind: Word<HookKind>,
    /// What it answered, or how it failed; none is a hook that crashed. Whatever else stands here is
    /// the hook's own fault: the request is read, and a guard's call denied.
    #[serde(default)]
    #[schemars(with = "Option<HookAnswerRequest>")]
    pub(super) answer: Option<Box<RawValue>>,
}

fn guard() -> Word<HookKind> {
    Word(HookKind::Guard)
}

/// What a hook printed: a decision, or how it failed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schemars(transform = schema::hook_answer)]
pub(super) struct HookAnswerRequest {
    /// What it decides; `none` is no opinion.
    #[serde(default)]
    #[schemars(with = "Option<Word<HookSays>>")]
    pub(super) decision: Option<String>,
    /// Why, for the model or for whoever is asked; clipped after 4096 bytes.
    #[serde(default)]
    pub(super) reason: Option<String>,
    /// Args to run instead; all of them, not a part.
    #[serde(default)]
    #[schemars(with = "Option<Object>")]
    pub(super) rewrite: Option<Box<RawValue>>,
    /// Context for the model. All contexts of a pass together stay within 64 KiB.
    #[serde(default)]
    pub(super) context: Option<String>,
    /// How it failed. Of a guard, `aborted` ends the pass.
    #[serde(default)]
    #[schemars(with = "Option<Word<HookFailure>>")]
    pub(super) failed: Option<String>,
    /// What is known of the failure; clipped after 4096 bytes.
    #[serde(default)]
    pub(super) text: Option<String>,
}

/// How a standing ask is answered.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schemars(transform = schema::resolve)]
pub(super) struct ResolveRequest {
    /// How the ask ends.
    pub(super) answer: Word<SettledAnswer>,
    /// Args to run instead, with a yes; all of them, not a part. What is no object is an ask that
    /// failed: the request is read, and the call denied.
    #[serde(default)]
    #[schemars(with = "Option<Object>")]
    pub(super) edit: Option<Box<RawValue>>,
    /// Why there is no answer, beside `unanswered`. Left out, it is `nobody`.
    #[serde(default)]
    pub(super) why: Option<Word<NoAnswerWord>>,
    /// Who answers. Left out, it is `person`.
    #[serde(default)]
    pub(super) by: Option<Word<Answerer>>,
    /// What is to be remembered, with a yes. It stands in the record; nothing is stored.
    #[serde(default)]
    pub(super) remember: Option<RememberRequest>,
}

/// What a person asks to be remembered with their yes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub(super) struct RememberRequest {
    /// How far it reaches, in the host's words: `session`, `project`, `user`; clipped after 4096
    /// bytes.
    pub(super) scope: String,
    /// The rule to store; clipped after 4096 bytes.
    pub(super) rule: String,
}

impl From<RememberRequest> for Grant {
    fn from(remember: RememberRequest) -> Self {
        Self {
            scope: remember.scope.into(),
            rule: remember.rule.into(),
        }
    }
}

/// What only the host's disk and tool list know.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub(super) struct FactsRequest {
    /// Every tool there is: a call of any other is denied. Null: not known.
    #[serde(default)]
    pub(super) known_tools: Option<Vec<String>>,
    /// For each path of the call the longest part of it that exists, and the real path of that, both
    /// absolute; no path twice. What follows is taken as it is typed. Of a path that no entry is
    /// about it is not known where it leads: no rule about paths allows it.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, String>")]
    pub(super) realpaths: ByPath<String>,
    /// Folders, and whether the volume there takes names that differ in case for the same; no folder
    /// twice. Not known, who denies or asks takes them for the same, and who allows does not.
    #[serde(default, skip_serializing_if = "ByPath::is_empty")]
    #[schemars(with = "BTreeMap<String, bool>")]
    pub(super) folds_case: ByPath<bool>,
}

/// What is known by path; a path that stands twice is refused.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(super) struct ByPath<T>(pub(super) BTreeMap<String, T>);

impl<T> ByPath<T> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> Default for ByPath<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ByPath<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Paths<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Paths<T> {
            type Value = ByPath<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of paths")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ByPath<T>, A::Error> {
                let mut paths = BTreeMap::new();
                while let Some((path, real)) = map.next_entry::<String, T>()? {
                    if paths.contains_key(&path) {
                        return Err(A::Error::custom(format_args!("duplicate field `{path}`")));
                    }
                    paths.insert(path, real);
                }
                Ok(ByPath(paths))
            }
        }

        deserializer.deserialize_map(Paths(PhantomData))
    }
}
