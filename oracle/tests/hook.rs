//! `gatefold hook claude-code`: real events in, that host's own answer out, and nothing that the
//! host could take as consent.

mod support;

use serde_json::{Map, Value};
use std::fs::File;
use std::process::{Command, Stdio};
use std::{env, fs};

use support::hook::{
    POLICY, bash, decision, example, example_path, feed, finished, folder, hook, reason, spawn,
    start, with,
};
use support::{Run, parse};

/// Rows of `hook/claude-code.jsonl`: what is wanted is written by hand; `stdout`, `stderr` and
/// `exit` are what the program said when `GATEFOLD_UPDATE_VECTORS` was last set.
#[cfg(unix)]
#[test]
fn every_vector_is_answered_to_the_byte() {
    let path = folder().join("claude-code.jsonl");
    let vectors = fs::read_to_string(&path).expect("the vectors can be read");
    let mut updated = String::new();
    let mut wrong = Vec::new();
    for vector in vectors.lines().map(parse) {
        let name = vector["name"].as_str().expect("a name");
        let policies: Vec<&str> = match vector["policy"].as_array() {
            Some(policies) => policies.iter().filter_map(Value::as_str).collect(),
            None => POLICY.to_vec(),
        };
        let run = hook(&policies, vector["event"].as_str().expect("an event"));
        assert_eq!(decision(&run), vector["want"], "{name}: {run:?}");
        let said = [
            ("stdout", Value::from(run.stdout.as_str())),
            ("stderr", Value::from(run.stderr.as_str())),
            ("exit", Value::from(run.code)),
        ];
        if said.iter().any(|(key, value)| vector[*key] != *value) {
            wrong.push(format!("{name}: {run:#?}"));
        }
        let mut row = Map::new();
        for key in ["name", "want", "policy", "event"] {
            row.extend(vector.get(key).map(|value| (key.to_owned(), value.clone())));
        }
        row.extend(said.map(|(key, value)| (key.to_owned(), value)));
        updated.push_str(&in_order(&row));
    }
    if env::var_os("GATEFOLD_UPDATE_VECTORS").is_some() {
        fs::write(&path, updated).expect("the vectors can be written");
    } else {
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

#[test]
fn the_example_event_is_allowed_by_the_example_of_the_help() {
    let run = hook(POLICY, example());
    assert_eq!(
        (decision(&run).as_str(), run.stderr.as_str()),
        ("allow", "")
    );
}

#[test]
fn what_the_readme_plugs_in_is_understood() {
    let readme = include_str!("../../README.md");
    let section = readme
        .split("## Plug it into a host in two")
        .nth(1)
        .expect("the section is there");
    let block = |language: &str| {
        let after = section.split(&format!("```{language}\n")).nth(1);
        after
            .and_then(|after| after.split("```").next())
            .expect("a block")
    };
    let settings = parse(block("json"));
    let command = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
        .as_str()
        .expect("a command");
    let help = finished(start(&["hook", "claude-code", "--help"], "")).stdout;
    assert!(help.contains(command), "{help}");
    let policy = env::temp_dir().join(format!("gatefold-readme-{}.toml", std::process::id()));
    fs::write(&policy, block("toml")).expect("it can be written");
    let args: Vec<_> = command
        .split(' ')
        .skip(1)
        .map(|arg| match arg.strip_prefix('/') {
            Some(_) => policy.to_str().expect("a path is text"),
            None => arg,
        })
        .collect();
    let run = finished(start(&args, example()));
    fs::remove_file(&policy).expect("it can be removed");
    assert_eq!(
        (decision(&run).as_str(), run.stderr.as_str()),
        ("allow", "")
    );
}

#[test]
fn a_reason_says_who_by_which_rule_of_which_file_why_and_what_to_do() {
    for (command, told) in [
        (
            "curl -O x",
            &[
                "organisation",
                "`Bash(curl *)`",
                "policy.toml",
                "through the mirror",
                "ask the person",
            ][..],
        ),
        (
            "rm x",
            &[
                "`Bash(rm *)`",
                "rules.user.deny[0] in policy.toml",
                "move it to the trash",
            ],
        ),
        (
            "git push",
            &[
                "`Bash(git push *)`",
                "org.ask[0] in policy.toml",
                "somebody should know",
            ],
        ),
        (
            "$x rm x",
            &[
                "cannot be established (`$x`)",
                "`Bash(rm *)`",
                "policy.toml",
            ],
        ),
        (
            "npm test a",
            &["`Bash(npm test *)`", "rules.user.allow[0] in policy.toml"],
        ),
    ] {
        let run = hook(POLICY, bash(command));
        for told in told {
            assert!(reason(&run).contains(told), "{command}: {told}: {run:?}");
        }
    }
}

#[test]
fn a_command_line_that_is_not_understood_blocks() {
    for args in [
        &["hook"][..],
        &["hook", "claude-code"],
        &["hook", "claude-code", "--policy"],
        &[
            "hook",
            "claude-code",
            "--policy",
            "policy.toml",
            "--compact",
        ],
        &["hook", "claude-code", "policy.toml"],
        &["hook", "claude", "--policy", "policy.toml"],
        &["hook", "--policy", "policy.toml"],
    ] {
        let run = finished(start(args, example()));
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}");
        assert!(!run.stderr.is_empty(), "{args:?}");
    }
}

/// The host runs its hooks where the agent stands.
#[test]
fn a_policy_that_is_looked_up_where_the_agent_stands_is_refused() {
    let run = Command::new(env!("CARGO_BIN_EXE_gatefold"))
        .args(["hook", "claude-code", "--policy", "policy.toml"])
        .current_dir(folder())
        .stdin(File::open(example_path()).expect("the example opens"))
        .output()
        .expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("it is text");
    let run = Run {
        code: run.status.code().expect("no signal ended it"),
        stdout: text(run.stdout),
        stderr: text(run.stderr),
    };
    assert_eq!(decision(&run), "deny");
    assert!(reason(&run).contains("its absolute path"), "{run:?}");
    assert!(run.stderr.ends_with("[relative_policy]\n"), "{run:?}");
}

#[test]
fn help_is_no_decision_for_a_host() {
    for args in [
        &["hook", "--help"][..],
        &["hook", "claude-code", "--help"],
        &["hook", "claude-code", "-h"],
        &["hook", "claude-code", "--policy", "policy.toml", "--help"],
        &["help", "hook", "claude-code"],
        &["--help", "hook"],
    ] {
        let run = finished(start(args, example()));
        assert_eq!(run.code, 2, "{args:?}");
        assert!(!run.stdout.is_empty(), "{args:?}");
        assert!(run.stderr.contains("help and no decision"), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_answer_that_cannot_be_written_blocks() {
    let mut outputs = vec![File::open("/dev/null").expect("it opens for reading")];
    outputs.extend(File::options().write(true).open("/dev/null"));
    outputs.extend(File::options().write(true).open("/dev/full"));
    outputs.extend(File::open(folder().join("policy.toml")));
    for output in outputs {
        let run = Command::new(env!("CARGO_BIN_EXE_gatefold"))
            .args(["hook", "claude-code", "--policy"])
            .arg(folder().join("policy.toml"))
            .stdin(File::open(example_path()).expect("the example opens"))
            .stdout(Stdio::from(output))
            .output()
            .expect("the program ends");
        let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("the call does not run"), "{stderr}");
    }
    // A reader that has gone before there is anything to read.
    let mut child = spawn(&["hook", "claude-code", "--policy", "policy.toml"]);
    drop(child.stdout.take());
    let run = finished(feed(child, example()));
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stderr.contains("the call does not run"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn a_closed_standard_stream_never_lets_a_call_run() {
    let shell = |script: &str| {
        let run = Command::new("sh")
            .args(["-c", script, env!("CARGO_BIN_EXE_gatefold")])
            .args([example_path(), folder()])
            .output()
            .expect("a shell runs");
        let text = |bytes| String::from_utf8(bytes).expect("it is text");
        Run {
            code: run.status.code().expect("no signal ended it"),
            stdout: text(run.stdout),
            stderr: text(run.stderr),
        }
    };
    for script in [
        r#""$0" hook claude-code --policy "$2/policy.toml" < "$1" >&-"#,
        r#""$0" hook claude-code --policy "$2/policy.toml" < "$1" >&- 2>&-"#,
        r#""$0" hook claude-code --policy "$2/policy.toml" <&- >&- 2>&-"#,
        r#""$0" hook claude-code --policy "$2/absent.toml" < "$1" > /dev/null"#,
    ] {
        let run = shell(script);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{script}");
    }
    for script in [
        r#""$0" hook claude-code --policy "$2/policy.toml" <&-"#,
        r#""$0" hook claude-code --policy "$2/policy.toml" <&- 2>&-"#,
        r#""$0" hook claude-code --policy "$2/policy.toml" < ."#,
        r#""$0" hook claude-code --policy /dev/full < "$1""#,
        // A pipe that nobody writes to would let the host's time run out.
        r#"p="$(mktemp -u)"; mkfifo "$p"; "$0" hook claude-code --policy "$p" < "$1"; rm "$p""#,
    ] {
        assert_eq!(decision(&shell(script)), "deny", "{script}");
    }
    let run = shell(r#""$0" hook claude-code --policy "$2/policy.toml" < "$1" 2>&-"#);
    assert_eq!(decision(&run), "allow");
}

#[test]
fn the_account_of_an_answer_goes_to_standard_error_and_changes_no_answer() {
    for (event, says) in [
        (example().to_owned(), "ALLOW Bash: git status"),
        (bash("rm x"), "What would cover it: no rule"),
        (
            bash("make"),
            "The rule `Bash(make)` in the list allow of layer user.",
        ),
        (
            with("/tool_name", Value::from("mcp__other__get_issue")),
            "The rule `mcp__other__get_issue` in the list allow of layer user.",
        ),
    ] {
        let plain = hook(POLICY, &event);
        let args = ["hook", "claude-code", "--policy", POLICY[0], "--explain"];
        let explained = finished(start(&args, &event));
        assert_eq!(explained.stdout, plain.stdout);
        assert!(
            explained.stderr.contains(says),
            "{says}: {}",
            explained.stderr
        );
        assert!(
            explained.stderr.contains("Stations passed"),
            "{}",
            explained.stderr
        );
    }
    let args = ["hook", "claude-code", "--policy", POLICY[0], "--explain"];
    let failed = finished(start(&args, "{}"));
    assert_eq!(decision(&failed), "deny");
}

#[test]
fn the_same_event_gives_the_same_bytes() {
    for event in [
        example().to_owned(),
        bash("git push"),
        bash("rm x"),
        String::new(),
    ] {
        assert_eq!(hook(POLICY, &event), hook(POLICY, &event));
    }
}

/// One row of the vectors, its keys in the order in which a person reads them.
fn in_order(row: &Map<String, Value>) -> String {
    let keys = [
        "name", "want", "policy", "event", "stdout", "stderr", "exit",
    ];
    let fields = keys
        .iter()
        .filter_map(|key| Some(format!("\"{key}\": {}", row.get(*key)?)));
    let row = fields.collect::<Vec<_>>().join(", ");
    // No editor shows these for what they are.
    format!("{{{row}}}\n")
        .replace('\u{202e}', "\\u202e")
        .replace('\u{feff}', "\\ufeff")
}
