//! Any bytes as a host's event.

use arbitrary::Unstructured;
use gatefold_spec::testkit::fuzz::See;
use serde_json::{Value, json};

use crate::{event as generator, generated};

/// The policy of the host's vectors.
const POLICY: &[u8] = include_bytes!("../../oracle/tests/hook/policy.toml");
const DOCUMENTS: &[(&str, &[u8])] = &[("policy.toml", POLICY)];

/// Tools that mean the same to the host and to whoever reads a request.
const COMPARED: [&str; 4] = ["Bash", "Read", "Edit", "Write"];

/// The host's words for its modes, and the request's.
const MODES: [(&str, &str); 6] = [
    ("default", "default"),
    ("plan", "plan"),
    ("acceptEdits", "accept_edits"),
    ("auto", "auto"),
    ("dontAsk", "dont_ask"),
    ("bypassPermissions", "bypass"),
];

/// The event: the bytes themselves, or one from its parts.
pub(crate) fn event(data: &[u8]) -> Vec<u8> {
    generated(data).map_or_else(
        || data.to_vec(),
        |rest| generator::event(&mut Unstructured::new(rest)),
    )
}

/// Answers an event: always in the host's own form, and never looser than the same call is decided.
pub(crate) fn hook_wire(data: &[u8], see: See<'_>) {
    let event = event(data);
    let (line, failed) = gatefold_cli::hook_claude_code(&event, DOCUMENTS);
    let decision = held(&line);
    see(format_args!("decision {decision}"));
    if let Some(code) = failed {
        see(format_args!("{code}"));
        assert_eq!(decision, "deny", "a failure is a deny: {code}");
        let defect = ["panic", "no_word"].contains(&code);
        assert!(!defect, "{code}: {line}");
    }
    if decision != "allow" {
        return;
    }
    let Ok(event) = serde_json::from_slice::<Value>(&event) else {
        panic!("what is no JSON is allowed");
    };
    let tool = event["tool_name"].as_str().unwrap_or_default();
    if !COMPARED.contains(&tool) {
        return;
    }
    see(format_args!("compared {tool}"));
    let request = request(&event).to_string();
    let decided = gatefold_cli::decide(request.as_bytes(), DOCUMENTS);
    let printed = decided.unwrap_or_else(|error| panic!("allowed, and no request: {error:?}"));
    let printed: Value = serde_json::from_str(&printed).unwrap_or_default();
    assert_eq!(
        printed["verdict"], "allow",
        "allowed, and by a request not: {request}"
    );
}

/// One line in the host's own form; its decision.
fn held(line: &str) -> String {
    assert!(
        line.ends_with("}\n") && line.lines().count() == 1,
        "{line:?}"
    );
    let answer: Value =
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    let keys = |value: &Value| -> Vec<String> {
        value
            .as_object()
            .into_iter()
            .flatten()
            .map(|(key, _)| key.clone())
            .collect()
    };
    assert_eq!(keys(&answer), ["hookSpecificOutput"]);
    let output = &answer["hookSpecificOutput"];
    let mut found = keys(output);
    let decision = output["permissionDecision"].as_str().unwrap_or_default();
    assert!(["allow", "ask", "deny"].contains(&decision), "{line}");
    if decision == "allow" {
        found.retain(|key| key != "updatedInput");
    }
    found.sort();
    assert_eq!(
        found,
        [
            "hookEventName",
            "permissionDecision",
            "permissionDecisionReason"
        ],
        "{line}"
    );
    assert_eq!(output["hookEventName"], "PreToolUse");
    let reason = output["permissionDecisionReason"]
        .as_str()
        .unwrap_or_default();
    assert!(
        !reason.is_empty() && !reason.contains(char::is_control),
        "{line:?}"
    );
    decision.to_owned()
}

/// The same call as a request, of a caller who knows that every path leads where it says.
fn request(event: &Value) -> Value {
    let mode = event["permission_mode"].as_str();
    let mode = mode.and_then(|mode| MODES.iter().find(|(host, _)| *host == mode));
    let mode = mode.map_or("default", |(_, word)| word);
    let agent = event["agent_type"].as_str().unwrap_or("main");
    let ancestors = if event["agent_id"].is_string() {
        json!([{ "agent": "main", "mode": mode }])
    } else {
        json!([])
    };
    json!({
        "call": { "id": event["tool_use_id"], "tool": event["tool_name"], "args": event["tool_input"] },
        "cwd": event["cwd"],
        "home": std::env::var("HOME").ok(),
        "mode": mode,
        "agent": agent,
        "ancestors": ancestors,
        "interactive": true,
        "facts": { "realpaths": { "/": "/" }, "known_tools": null },
    })
}
