//! A `PreToolUse` event as Claude Code writes it, read strictly: what is not known here could be
//! what the call depends on.
//!
//! Source: `code.claude.com/docs/en/hooks`, and the host's published types.

use gatefold::gate::Mode;
use serde::Deserialize;
use serde::de::Deserializer;
use serde_json::value::RawValue;

use crate::hook::capability::HookEvent;
use crate::hook::error::HookError;
use crate::input::object::objects;
use crate::input::{self, ReadError};

objects! { Wire, EffortWire, McpServerWire }

/// The event's fields. Those that decide nothing are read for their type alone.
#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct Wire {
    session_id: String,
    #[serde(default, deserialize_with = "given")]
    prompt_id: Option<String>,
    transcript_path: String,
    cwd: String,
    #[serde(default, deserialize_with = "given")]
    scratchpad_dir: Option<String>,
    #[serde(default, deserialize_with = "given")]
    permission_mode: Option<String>,
    #[serde(default, deserialize_with = "given")]
    effort: Option<EffortWire>,
    #[serde(default, deserialize_with = "given")]
    agent_id: Option<String>,
    #[serde(default, deserialize_with = "given")]
    agent_type: Option<String>,
    hook_event_name: String,
    tool_name: String,
    tool_input: Box<RawValue>,
    tool_use_id: String,
    #[serde(default, deserialize_with = "given")]
    mcp_server: Option<McpServerWire>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct EffortWire {
    level: String,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct McpServerWire {
    name: String,
    #[serde(default, deserialize_with = "given")]
    source: Option<String>,
}

/// A field that may be left out and is no null.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// What of an event decides.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) call_id: String,
    pub(super) tool: String,
    pub(super) args: Box<RawValue>,
    pub(super) cwd: String,
    /// None: that of the policy.
    pub(super) mode: Option<Mode>,
    pub(super) agent: Agent,
    /// The server of an MCP tool, as it calls itself.
    pub(super) mcp_server: Option<String>,
}

/// Who makes the call.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Agent {
    /// The session's main agent; named if the session was started as one.
    Main(Option<String>),
    /// An agent below it.
    Below(String),
}

/// The host's words for its permission modes.
const MODES: [(&str, Mode); 6] = [
    ("default", Mode::Default),
    ("plan", Mode::Plan),
    ("acceptEdits", Mode::AcceptEdits),
    ("auto", Mode::Auto),
    ("dontAsk", Mode::DontAsk),
    ("bypassPermissions", Mode::Bypass),
];

/// The event that a text holds.
pub(super) fn read(text: &str) -> Result<Event, HookError> {
    let wire: Wire = input::object(text)?;
    let name = HookEvent::ClaudeCodePreToolUse.word();
    if wire.hook_event_name != name {
        let what = format!(
            "`{}` is not judged here; configure this command under `{name}` alone",
            wire.hook_event_name
        );
        return Err(ReadError::at("hook_event_name", what).into());
    }
    let mode = wire.permission_mode.map(|word| mode(&word)).transpose()?;
    // An id without a name is an agent of which nobody knows what rules it has.
    let agent = match (wire.agent_id, wire.agent_type) {
        (_, Some(name)) if name.is_empty() => {
            return Err(ReadError::at("agent_type", "the name is empty").into());
        }
        (None, name) => Agent::Main(name),
        (Some(_), Some(name)) => Agent::Below(name),
        (Some(_), None) => {
            let what = "missing field `agent_type` beside `agent_id`: which agent's rules hold is not known";
            return Err(ReadError::at("agent_id", what).into());
        }
    };
    Ok(Event {
        call_id: wire.tool_use_id,
        tool: wire.tool_name,
        args: wire.tool_input,
        cwd: wire.cwd,
        mode,
        agent,
        mcp_server: wire.mcp_server.map(|server| server.name),
    })
}

fn mode(word: &str) -> Result<Mode, HookError> {
    let row = MODES.iter().find(|(of_host, _)| *of_host == word);
    row.map(|(_, mode)| *mode).ok_or_else(|| {
        let words: Vec<_> = MODES.iter().map(|(word, _)| *word).collect();
        let what = format!(
            "unknown word `{word}`, expected one of {}",
            words.join(", ")
        );
        ReadError::at("permission_mode", what).into()
    })
}
