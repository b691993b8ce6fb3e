//! `gatefold hook claude-code`: real events in, that host's own answer out, and nothing that the
//! host could take as consent.

mod support;

use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{env, fs};

use support::{Run, parse};

const POLICY: &[&str] = &["policy.toml"];

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
            "echo $(rm x)",
            &["cannot be established (`$`)", "`Bash(rm *)`", "policy.toml"],
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
fn what_is_over_a_limit_is_denied_and_what_is_at_it_is_not() {
    let text = |bytes: usize| with("/tool_input", json!({ "command": "x".repeat(bytes) }));
    let args = (1 << 20) - r#"{"command":""}"#.len();
    assert_eq!(decision(&hook(POLICY, text(args))), "ask");
    let run = hook(POLICY, text(args + 1));
    assert_eq!(decision(&run), "deny");
    assert!(reason(&run).contains("at most 1048576 bytes"), "{run:?}");
    let blanks = |bytes: usize| format!("{}{}", example(), " ".repeat(bytes - example().len()));
    assert_eq!(decision(&hook(POLICY, blanks(16 << 20))), "allow");
    assert_eq!(decision(&hook(POLICY, blanks((16 << 20) + 1))), "deny");
}

#[test]
fn deep_nesting_is_denied_wherever_it_stands() {
    let event = example();
    for (from, to) in [
        (r#"{"command""#, "["),
        (r#"{"level""#, "["),
        (r#""default""#, "["),
        (r#""PreToolUse""#, r#"{"a":"#),
        (r#"{"session_id""#, "["),
    ] {
        let deep = event.replacen(from, &to.repeat(1_000_000), 1);
        assert_ne!(deep, event);
        let run = hook(POLICY, deep);
        assert_eq!(decision(&run), "deny", "{from}");
        assert!(run.stdout.len() < 5_000);
    }
}

#[test]
fn bytes_that_are_no_text_are_denied() {
    let whole = example().as_bytes();
    for event in [
        b"\xff\xfe{\0}\0".to_vec(),
        [&whole[..20], b"\xff", &whole[20..]].concat(),
        [whole, b"\0"].concat(),
    ] {
        assert_eq!(decision(&hook(POLICY, event)), "deny");
    }
}

#[test]
fn a_hostile_policy_is_a_deny() {
    let policy = env::temp_dir().join(format!("gatefold-hostile-{}.toml", std::process::id()));
    for text in [
        "a = ".to_owned() + &"[".repeat(1_000_000),
        "a = ".to_owned() + &"{a=".repeat(1_000_000),
        "a".to_owned() + &".a".repeat(1_000_000) + " = 1",
        "[".to_owned() + &"a.".repeat(1_000_000) + "a]",
        "#".repeat((16 << 20) + 1),
        String::new(),
    ] {
        fs::write(&policy, &text).expect("it can be written");
        let run = hook(&[policy.to_str().expect("a path is text")], example());
        let head: String = text.chars().take(10).collect();
        assert_eq!(decision(&run), "deny", "{head}");
    }
    fs::remove_file(&policy).expect("it can be removed");
}

#[test]
fn no_reason_can_steer_a_terminal_or_fill_it() {
    let long = format!("\u{1b}]0;title\u{7}\u{202e}{}", "x".repeat(1 << 16));
    for event in [
        with("/permission_mode", json!(long)),
        with("/hook_event_name", json!(long)),
        with("/tool_name", json!(long)),
        with("/mcp_server", json!({ long.clone(): 1 })),
        bash(&format!("echo {long}")),
        example().replacen(
            "session_id",
            &long.replace('\u{1b}', "\\u001b").replace('\u{7}', ""),
            1,
        ),
    ] {
        let run = hook(POLICY, event);
        assert_ne!(decision(&run), "allow");
        let steers = |char: char| char.is_control() || matches!(char, '\u{202a}'..='\u{202e}');
        assert!(!reason(&run).contains(steers), "{run:?}");
        assert!(!run.stderr.trim_end().contains(steers), "{run:?}");
        assert!(run.stdout.len() < 8_000 && run.stderr.len() < 8_000);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_input_without_end_is_denied_within_bounds() {
    let mut child = Command::new("sh")
        .args([
            "-c",
            r#"ulimit -v 262144; exec "$0" hook claude-code --policy policy.toml"#,
        ])
        .arg(env!("CARGO_BIN_EXE_gatefold"))
        .current_dir(folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell runs");
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    let block = vec![b'x'; 1 << 20];
    // A host whose pipe breaks may take the hook for a failed one: all of it is read.
    let written = (0..100).try_for_each(|_| stdin.write_all(&block));
    drop(stdin);
    written.expect("all of the input is taken");
    let run = finished(child);
    assert_eq!(decision(&run), "deny");
    assert!(reason(&run).contains("more than 16777216 bytes"), "{run:?}");
}

#[test]
fn an_event_that_was_changed_is_allowed_only_if_it_means_the_same() {
    let below = with("/agent_type", json!("helper"));
    let mut below = parse(&below);
    below["agent_id"] = json!("a1");
    below["tool_name"] = json!("mcp__github__get_issue");
    below["mcp_server"] = json!({ "name": "github", "source": "user" });
    let below = below.to_string();
    assert_eq!(decision(&hook(POLICY, &below)), "allow");
    let mut runs = 0;
    for event in [example().to_owned(), below] {
        let whole = parse(&event);
        for mutant in mutants(&whole) {
            let run = hook(POLICY, mutant.to_string());
            runs += 1;
            if decision(&run) == "allow" {
                for kept in ["hook_event_name", "tool_name", "tool_use_id", "agent_id"] {
                    let same = mutant.get(kept) == whole.get(kept)
                        // An id of another text is another call of the same meaning.
                        || (kept.ends_with("_id") && mutant.get(kept).is_some_and(Value::is_string));
                    // Without its id the caller is the main agent by that name.
                    assert!(same || kept == "agent_id", "{kept}: {mutant}");
                }
                if mutant["tool_name"] == "Bash" {
                    assert_eq!(mutant["tool_input"]["command"], "git status", "{mutant}");
                }
                assert!(mutant["tool_input"].is_object(), "{mutant}");
                assert_ne!(mutant["permission_mode"], "plan");
            }
        }
    }
    assert!(runs > 200, "{runs} mutants");
}

#[test]
fn an_event_that_was_cut_is_denied_at_every_byte() {
    let event = example().trim_end();
    for end in 0..event.len() {
        let run = hook(POLICY, &event[..end]);
        assert_eq!(decision(&run), "deny", "{}", &event[..end]);
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
    use std::fs::File;

    let mut outputs = vec![File::open("/dev/null").expect("it opens for reading")];
    outputs.extend(File::options().write(true).open("/dev/null"));
    outputs.extend(File::options().write(true).open("/dev/full"));
    outputs.extend(File::open(folder().join("policy.toml")));
    for output in outputs {
        let run = Command::new(env!("CARGO_BIN_EXE_gatefold"))
            .args(["hook", "claude-code", "--policy", "policy.toml"])
            .current_dir(folder())
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
            .arg(example_path())
            .current_dir(folder())
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
        r#""$0" hook claude-code --policy policy.toml < "$1" >&-"#,
        r#""$0" hook claude-code --policy policy.toml < "$1" >&- 2>&-"#,
        r#""$0" hook claude-code --policy policy.toml <&- >&- 2>&-"#,
        r#""$0" hook claude-code --policy absent.toml < "$1" > /dev/null"#,
    ] {
        let run = shell(script);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{script}");
    }
    for script in [
        r#""$0" hook claude-code --policy policy.toml <&-"#,
        r#""$0" hook claude-code --policy policy.toml <&- 2>&-"#,
        r#""$0" hook claude-code --policy policy.toml < ."#,
        r#""$0" hook claude-code --policy /dev/full < "$1""#,
    ] {
        assert_eq!(decision(&shell(script)), "deny", "{script}");
    }
    let run = shell(r#""$0" hook claude-code --policy policy.toml < "$1" 2>&-"#);
    assert_eq!(decision(&run), "allow");
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

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hook")
}

fn example_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/hooks/claude-code-pretooluse.json")
}

fn example() -> &'static str {
    include_str!("../../examples/hooks/claude-code-pretooluse.json")
}

/// The example with this value at this place.
fn with(place: &str, value: Value) -> String {
    let mut event = parse(example());
    match event.pointer_mut(place) {
        Some(at) => *at = value,
        None => event[&place[1..]] = value,
    }
    event.to_string()
}

fn bash(command: &str) -> String {
    with("/tool_input", json!({ "command": command }))
}

fn start(args: &[&str], input: impl AsRef<[u8]>) -> Child {
    feed(spawn(args), input)
}

fn spawn(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_gatefold"))
        .args(args)
        .current_dir(folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn feed(mut child: Child, input: impl AsRef<[u8]>) -> Child {
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    match stdin.write_all(input.as_ref()) {
        // A command line that is not understood reads nothing.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        written => written.expect("its input is taken"),
    }
    child
}

fn finished(child: Child) -> Run {
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("it is text");
    Run {
        code: output.status.code().expect("no signal ended it"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

fn hook(policies: &[&str], event: impl AsRef<[u8]>) -> Run {
    let mut args = vec!["hook", "claude-code"];
    args.extend(policies.iter().flat_map(|policy| ["--policy", policy]));
    finished(start(&args, event))
}

/// The decision, which must be one line of the host's own form.
fn decision(run: &Run) -> String {
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

fn reason(run: &Run) -> String {
    let reason = &parse(&run.stdout)["hookSpecificOutput"]["permissionDecisionReason"];
    reason.as_str().expect("a reason").to_owned()
}

/// Each value taken away, and replaced by one of every type.
fn mutants(event: &Value) -> Vec<Value> {
    let mut mutants = Vec::new();
    for place in places(event, "") {
        let (parent, key) = place.rsplit_once('/').expect("a place has a parent");
        let mut without = event.clone();
        if let Some(Value::Object(object)) = without.pointer_mut(parent) {
            object.remove(key);
            mutants.push(without);
        }
        for other in [
            json!(null),
            json!(true),
            json!(7),
            json!("x"),
            json!(""),
            json!([]),
            json!({}),
            json!("plan"),
        ] {
            let mut replaced = event.clone();
            *replaced.pointer_mut(&place).expect("the place is there") = other;
            mutants.push(replaced);
        }
    }
    mutants
}

fn places(value: &Value, at: &str) -> Vec<String> {
    let Value::Object(object) = value else {
        return Vec::new();
    };
    let inner = object.iter().flat_map(|(key, value)| {
        let place = format!("{at}/{key}");
        let mut places = places(value, &place);
        places.push(place);
        places
    });
    inner.collect()
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
