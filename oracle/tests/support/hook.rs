//! Running `gatefold hook claude-code` on events, and reading what it answers.

use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::{Run, parse};

pub const POLICY: &[&str] = &["policy.toml"];

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hook")
}

pub fn example_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/hooks/claude-code-pretooluse.json")
}

pub fn example() -> &'static str {
    include_str!("../../../examples/hooks/claude-code-pretooluse.json")
}

/// The example with this value at this place.
pub fn with(place: &str, value: Value) -> String {
    let mut event = parse(example());
    match event.pointer_mut(place) {
        Some(at) => *at = value,
        None => event[&place[1..]] = value,
    }
    event.to_string()
}

pub fn bash(command: &str) -> String {
    with("/tool_input", json!({ "command": command }))
}

pub fn start(args: &[&str], input: impl AsRef<[u8]>) -> Child {
    feed(spawn(args), input)
}

/// Starts the program; a policy is a file of the folder of the vectors, named by its whole path.
pub fn spawn(args: &[&str]) -> Child {
    let mut whole = Vec::new();
    for (index, arg) in args.iter().enumerate() {
        let is_policy = index > 0 && args[index - 1] == "--policy";
        whole.push(if is_policy {
            folder().join(arg)
        } else {
            PathBuf::from(arg)
        });
    }
    Command::new(env!("CARGO_BIN_EXE_gatefold"))
        .args(whole)
        .current_dir(folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

pub fn feed(mut child: Child, input: impl AsRef<[u8]>) -> Child {
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    match stdin.write_all(input.as_ref()) {
        // A command line that is not understood reads nothing.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        written => written.expect("its input is taken"),
    }
    child
}

pub fn finished(child: Child) -> Run {
    let output = child.wait_with_output().expect("the program ends");
    // Where the folder stands differs from machine to machine.
    let folder = format!("{}/", folder().display());
    let text = |bytes| {
        let text = String::from_utf8(bytes).expect("it is text");
        text.replace(&folder, "")
    };
    Run {
        code: output.status.code().expect("no signal ended it"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

pub fn hook(policies: &[&str], event: impl AsRef<[u8]>) -> Run {
    let mut args = vec!["hook", "claude-code"];
    args.extend(policies.iter().flat_map(|policy| ["--policy", policy]));
    finished(start(&args, event))
}

/// The decision, which must be one line of the host's own form.
pub fn decision(run: &Run) -> String {
    assert_eq!(run.code, 0, "{run:?}");
    assert!(
        run.stdout.ends_with("}\n") && run.stdout.lines().count() == 1,
        "{run:?}"
    );
    let answer = parse(&run.stdout);
    let output = &answer["hookSpecificOutput"];
    let keys = |value: &Value| {
        value
            .as_object()
            .map(|object| object.keys().cloned().collect::<Vec<_>>())
    };
    assert_eq!(keys(&answer), Some(vec!["hookSpecificOutput".into()]));
    let own = [
        "hookEventName",
        "permissionDecision",
        "permissionDecisionReason",
    ];
    assert_eq!(
        keys(output),
        Some(own.map(str::to_owned).to_vec()),
        "{run:?}"
    );
    assert_eq!(output["hookEventName"], "PreToolUse");
    assert!(!reason(run).is_empty());
    let decision = output["permissionDecision"].as_str().expect("a word");
    assert!(matches!(decision, "allow" | "ask" | "deny"), "{decision}");
    decision.to_owned()
}

pub fn reason(run: &Run) -> String {
    let reason = &parse(&run.stdout)["hookSpecificOutput"]["permissionDecisionReason"];
    reason.as_str().expect("a reason").to_owned()
}
