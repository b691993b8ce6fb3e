//! Requests from their parts: every word there is, and some that there are not.

use arbitrary::Unstructured;
use gatefold_spec::testkit::fuzz::{coin, pick, up_to};
use serde_json::{Map, Value, json};

const TOOLS: &[&str] = &[
    "Bash",
    "Read",
    "Edit",
    "WebFetch",
    "Task",
    "Mystery",
    "mcp__a__b",
    "",
];
const LINES: &[&str] = &[
    "git status",
    "rm -rf x",
    "cat .env > y",
    "echo $x",
    "git push && ls",
    "'",
];
const MODES: &[&str] = &[
    "default",
    "plan",
    "accept_edits",
    "auto",
    "dont_ask",
    "bypass",
    "acceptEdits",
];
const RULES: &[&str] = &[
    "Bash",
    "Bash(git status)",
    "Bash(rm *)",
    "Read(src/**)",
    "Edit",
    "Mystery",
    "Task",
    "mcp__a__b",
    "Read(//**)",
    "Bash(rm",
];
const LAYERS: &[&str] = &[
    "org", "policy", "user", "project", "local", "session", "stored", "managed",
];
const ANSWERS: &[&str] = &[
    r#"{"decision":"none"}"#,
    r#"{"decision":"allow"}"#,
    r#"{"decision":"ask","reason":"sure?"}"#,
    r#"{"decision":"deny","reason":"no"}"#,
    r#"{"decision":"allow","rewrite":{"command":"git status"}}"#,
    r#"{"decision":"none","context":"note"}"#,
    r#"{"failed":"threw","text":"boom"}"#,
    r#"{"failed":"timed_out"}"#,
    r#"{"failed":"aborted"}"#,
    r#"{"decision":"maybe"}"#,
    "7",
    "null",
];
const RESOLVES: &[&str] = &[
    "null",
    r#"{"answer":"yes"}"#,
    r#"{"answer":"no"}"#,
    r#"{"answer":"unanswered","why":"timeout"}"#,
    r#"{"answer":"unanswered","why":"aborted"}"#,
    r#"{"answer":"yes","edit":{"command":"rm -rf x"}}"#,
    r#"{"answer":"yes","edit":7}"#,
    r#"{"answer":"yes","by":"delegate","remember":{"scope":"user","rule":"Bash"}}"#,
    r#"[{"answer":"yes","edit":{"command":"ls"}},{"answer":"yes","edit":{"command":"pwd"}},{"answer":"no"}]"#,
];

/// A request, one in many with a part that is wrong.
pub(crate) fn request(u: &mut Unstructured<'_>) -> Vec<u8> {
    let tool = pick(u, TOOLS);
    let args = match up_to(u, 3) {
        0 | 1 => json!({ "command": pick(u, LINES) }),
        2 => json!({ "file_path": pick(u, &["src/a", "/etc/passwd", "../x", ""]) }),
        _ => json!({ "url": "https://example.com/", "prompt": "x" }),
    };
    let mut fields = Map::new();
    let mut put = |key: &str, value: Value| drop(fields.insert(key.into(), value));
    put("call", json!({ "id": "c1", "tool": tool, "args": args }));
    put("mode", json!(pick(u, MODES)));
    if up_to(u, 15) == 15 {
        put("lock", json!(true));
    }
    put("interactive", json!(coin(u)));
    put("denials", json!(up_to(u, 4)));
    if coin(u) {
        put("cwd", json!("/srv/app"));
        put("roots", json!(["/srv/app"]));
        put(
            "facts",
            json!({ "realpaths": { "/": "/" }, "known_tools": null }),
        );
    }
    let rules = (0..up_to(u, 3)).map(|_| {
        json!({ "effect": pick(u, &["allow", "ask", "deny"]), "rule": pick(u, RULES), "from": pick(u, LAYERS) })
    });
    put("rules", rules.collect());
    let hooks = (0..up_to(u, 2)).map(|at| {
        let kind = pick(u, &["guard", "guard", "observer"]);
        json!({ "id": format!("h{at}"), "kind": kind, "answer": parsed(pick(u, ANSWERS)) })
    });
    put("hooks", hooks.collect());
    let ancestors = (0..up_to(u, 2)).map(|_| json!({ "mode": pick(u, MODES), "agent": "main" }));
    put("ancestors", ancestors.collect());
    put("resolve", parsed(pick(u, RESOLVES)));
    if up_to(u, 31) == 31 {
        put("surprise", json!(1));
    }
    Value::Object(fields).to_string().into_bytes()
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}
