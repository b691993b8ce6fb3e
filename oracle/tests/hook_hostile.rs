//! What nobody means well by: `gatefold hook claude-code` denies it, within bounds.

mod support;

use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};
use std::{env, fs};

use support::hook::{POLICY, bash, decision, example, finished, folder, hook, reason, with};
use support::parse;

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
            r#"ulimit -v 262144; exec "$0" hook claude-code --policy "$PWD/policy.toml""#,
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
                // Plan mode lets only what changes nothing run, as `git status` does.
                let in_plan = mutant["permission_mode"] == "plan";
                assert!(!in_plan || mutant["tool_name"] == "Bash", "{mutant}");
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
