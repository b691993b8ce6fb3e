//! Running the program and reading what it prints.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test binary uses its own part"
)]

pub mod hook;

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What one run of the program came to.
#[derive(Debug, PartialEq, Eq)]
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Runs the program under test.
pub fn run(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    run_at(Path::new(env!("CARGO_BIN_EXE_gatefold")), args, input)
}

/// Runs a program at this path, in the root of the repository.
pub fn run_at(program: &Path, args: &[&str], input: impl AsRef<[u8]>) -> Run {
    let mut child = Command::new(program)
        .args(args)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    let input = input.as_ref().to_owned();
    // A program that refuses early closes its input before all of it is written.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends");
    Run {
        code: output.status.code().expect("no signal ended it"),
        stdout: String::from_utf8(output.stdout).expect("its output is text"),
        stderr: String::from_utf8(output.stderr).expect("its errors are text"),
    }
}

/// The decision on a request, which must be one, without a warning.
pub fn decide(request: impl AsRef<[u8]>) -> Value {
    let run = run(&["decide", "--compact"], request);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    parse(&run.stdout)
}

pub fn parse(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

/// A decision in short: `allow stored_rule`, `deny hook`, `ask rule` (to whom the ask is owed).
pub fn short(decision: &Value) -> String {
    let verdict = decision["verdict"].as_str().expect("a verdict");
    let record = &decision["record"];
    assert_eq!(record["verdict"], decision["verdict"]);
    let by = match verdict {
        "allow" => &record["allowed_by"],
        "deny" => &record["denied_by"],
        _ => &record["asked"]["origin"],
    };
    format!("{verdict} {}", by.as_str().unwrap_or("nobody"))
}

/// The rule behind a decision, or nothing.
pub fn rule(decision: &Value) -> &str {
    decision["record"]["basis"]["rule"].as_str().unwrap_or("")
}

/// A request about a shell line with these further fields.
pub fn line(command: &str, fields: &str) -> String {
    let command = Value::from(command);
    request("Bash", &format!(r#"{{"command":{command}}}"#), fields)
}

/// A request about a tool with these further fields.
pub fn request(tool: &str, args: &str, fields: &str) -> String {
    let tool = Value::from(tool);
    let comma = if fields.is_empty() { "" } else { "," };
    format!(r#"{{"call":{{"id":"c1","tool":{tool},"args":{args}}}{comma}{fields}}}"#)
}

/// The field `rules` with one rule.
pub fn one_rule(effect: &str, rule: &str, from: &str) -> String {
    let rule = Value::from(rule);
    format!(r#""rules":[{{"effect":"{effect}","rule":{rule},"from":"{from}"}}]"#)
}

/// Every example call, by name.
pub fn examples() -> Vec<(String, String)> {
    files("examples/requests")
}

/// The JSON files of a folder of the repository, by name.
pub fn files(folder: &str) -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(folder);
    let mut examples: Vec<_> = fs::read_dir(&folder)
        .expect("the examples can be listed")
        .map(|entry| entry.expect("an entry can be read").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .map(|path| {
            let name = path
                .file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            (
                name,
                fs::read_to_string(&path).expect("an example can be read"),
            )
        })
        .collect();
    examples.sort();
    examples
}
