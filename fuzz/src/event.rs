//! A host's events from their parts: every word there is, and some that there are not.

use arbitrary::Unstructured;
use gatefold_spec::testkit::fuzz::{coin, pick, up_to};
use serde_json::{Map, Value, json};

const TOOLS: &[&str] = &[
    "Bash",
    "Bash",
    "Read",
    "Edit",
    "Write",
    "Task",
    "Agent",
    "WebFetch",
    "TodoWrite",
    "Mystery",
    "mcp__github__get_issue",
    "mcp__github__delete_repository",
    "mcp__",
    "",
];
const LINES: &[&str] = &[
    "git status",
    "rm -rf x",
    "curl x",
    "git push",
    "npm test x",
    "git status && rm x",
    "cat x > y",
    "$x",
    "'",
];
const MODES: &[&str] = &[
    "default",
    "plan",
    "acceptEdits",
    "auto",
    "dontAsk",
    "bypassPermissions",
    "bypass",
];

/// An event, one in many with a part that is wrong.
pub(crate) fn event(u: &mut Unstructured<'_>) -> Vec<u8> {
    let mut fields = Map::new();
    let mut put = |key: &str, value: Value| drop(fields.insert(key.into(), value));
    put("session_id", json!("s"));
    put("transcript_path", json!("/home/u/t.jsonl"));
    put("cwd", json!(pick(u, &["/home/u/app", "/", "relative", ""])));
    let name = if up_to(u, 31) == 31 {
        "PostToolUse"
    } else {
        "PreToolUse"
    };
    put("hook_event_name", json!(name));
    put("tool_name", json!(pick(u, TOOLS)));
    let input = match up_to(u, 4) {
        0 | 1 => json!({ "command": pick(u, LINES) }),
        2 => {
            json!({ "file_path": pick(u, &["/home/u/app/a", "/etc/passwd", "a", ""]), "content": "" })
        }
        3 => json!({ "url": "https://example.com/" }),
        _ => pick(u, &["{}", "7", "[]", "null"])
            .parse()
            .unwrap_or_default(),
    };
    put("tool_input", input);
    put("tool_use_id", json!("t1"));
    if coin(u) {
        put("permission_mode", json!(pick(u, MODES)));
    }
    if coin(u) {
        put(
            "agent_type",
            json!(pick(u, &["reviewer", "formatter", "main", ""])),
        );
    }
    if coin(u) {
        put("agent_id", json!("a1"));
    }
    if up_to(u, 3) == 3 {
        put(
            "mcp_server",
            json!({ "name": pick(u, &["github", "plugin_Notion_notion", ""]) }),
        );
    }
    if up_to(u, 31) == 31 {
        put("surprise", json!(1));
    }
    Value::Object(fields).to_string().into_bytes()
}
