//! The request as it stands on the wire.
//!
//! What becomes args (`args`, `rewrite`, `edit`) is kept as the text that it is: nothing on its
//! way may respell a number or reorder a key. No value is read without knowing its type
//! beforehand, because what serde then sees of a number depends on features that another crate of
//! the same build may switch on.

use std::collections::BTreeMap;
use std::fmt;

use gatefold::gate::{Answerer, Grant, HookKind, Mode, SettledAnswer};
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::words::{NoAnswerWord, Word};
use crate::input::object::objects;
use gatefold_policy::{Effect, Layer, Platform};

objects! {
    Request, CallRequest, McpRequest, AncestorRequest, RuleRequest, HookRequest, HookAnswerRequest,
    ResolveRequest, RememberRequest, FactsRequest,
}

/// One call to decide, with all that the decision rests on.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub(super) struct Request {
    pub(super) call: CallRequest,
    /// Read for its type alone, as `home` and `roots` are: paths are not judged yet.
    #[serde(default)]
    cwd: Option<String>,
    #[serde(default)]
    home: Option<String>,
    #[serde(default)]
    roots: Vec<String>,
    #[serde(default = "linux")]
    pub(super) platform: Word<Platform>,
    #[serde(default = "bash")]
    pub(super) shell: String,
    /// None: that of the policy documents.
    #[serde(default, deserialize_with = "named")]
    pub(super) mode: Option<Word<Mode>>,
    #[serde(default)]
    pub(super) lock: bool,
    #[serde(default = "yes")]
    pub(super) interactive: bool,
    #[serde(default)]
    pub(super) denials: u32,
    #[serde(default)]
    pub(super) agent: Option<String>,
    #[serde(default)]
    pub(super) ancestors: Vec<AncestorRequest>,
    #[serde(default)]
    pub(super) rules: Vec<RuleRequest>,
    #[serde(default)]
    pub(super) hooks: Vec<HookRequest>,
    /// Null, an answer, or a list of answers: which, only its text tells.
    #[serde(default)]
    pub(super) resolve: Option<Box<RawValue>>,
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

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub(super) struct CallRequest {
    pub(super) id: String,
    pub(super) tool: String,
    pub(super) args: Box<RawValue>,
    #[serde(default)]
    pub(super) mcp: Option<McpRequest>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub(super) struct McpRequest {
    pub(super) server: String,
    pub(super) tool: String,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub(super) struct AncestorRequest {
    #[serde(default)]
    pub(super) agent: Option<String>,
    #[serde(default, deserialize_with = "named")]
    pub(super) mode: Option<Word<Mode>>,
    #[serde(default)]
    pub(super) lock: bool,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub(super) struct RuleRequest {
    pub(super) effect: Word<Effect>,
    pub(super) rule: String,
    pub(super) from: Word<Layer>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub(super) struct HookRequest {
    pub(super) id: String,
    #[serde(default = "guard")]
    pub(super) kind: Word<HookKind>,
    /// Read apart: what is wrong inside is the hook's fault, not the request's.
    #[serde(default)]
    pub(super) answer: Option<Box<RawValue>>,
}

fn guard() -> Word<HookKind> {
    Word(HookKind::Guard)
}

/// What a hook printed.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub(super) struct HookAnswerRequest {
    #[serde(default)]
    pub(super) decision: Option<String>,
    #[serde(default)]
    pub(super) reason: Option<String>,
    #[serde(default)]
    pub(super) rewrite: Option<Box<RawValue>>,
    #[serde(default)]
    pub(super) context: Option<String>,
    #[serde(default)]
    pub(super) failed: Option<String>,
    #[serde(default)]
    pub(super) text: Option<String>,
}

/// How a standing ask is answered.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub(super) struct ResolveRequest {
    pub(super) answer: Word<SettledAnswer>,
    #[serde(default)]
    pub(super) edit: Option<Box<RawValue>>,
    #[serde(default)]
    pub(super) why: Option<Word<NoAnswerWord>>,
    #[serde(default)]
    pub(super) by: Option<Word<Answerer>>,
    #[serde(default)]
    pub(super) remember: Option<RememberRequest>,
}

/// What a person asks to be remembered with their yes.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub(super) struct RememberRequest {
    pub(super) scope: String,
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
#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub(super) struct FactsRequest {
    #[serde(default)]
    pub(super) known_tools: Option<Vec<String>>,
    #[serde(default)]
    pub(super) realpaths: Realpaths,
}

/// Paths and where they lead; a path that stands twice is refused.
#[derive(Debug, Default, Serialize)]
#[serde(transparent)]
pub(super) struct Realpaths(BTreeMap<String, String>);

impl<'de> Deserialize<'de> for Realpaths {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Paths;

        impl<'de> Visitor<'de> for Paths {
            type Value = Realpaths;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of paths")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Realpaths, A::Error> {
                let mut paths = BTreeMap::new();
                while let Some((path, real)) = map.next_entry::<String, String>()? {
                    if paths.contains_key(&path) {
                        return Err(A::Error::custom(format_args!("duplicate field `{path}`")));
                    }
                    paths.insert(path, real);
                }
                Ok(Realpaths(paths))
            }
        }

        deserializer.deserialize_map(Paths)
    }
}
