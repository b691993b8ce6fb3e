//! `decide --policy`: documents as files.

mod support;

use std::fs;
use std::path::PathBuf;

use support::{line, parse, request, rule, run, short};

const HEAD: &str = "schema = 'gatefold/policy/v1'\n";

#[test]
fn a_document_that_is_not_sound_is_shown_with_its_place_and_nothing_is_decided() {
    let file = File::new(
        "unsound",
        &format!("{HEAD}[rules.user]\ndeny = ['Bash(rm']\nalow = []\n"),
    );
    let ran = file.decide(&line("git status", ""));
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    let path = file.path();
    let shown = format!(
        "error[unknown_key]: unknown key `alow`; there is one of `allow`, `ask`, `deny`; did you \
         mean `allow`?\n --> {path}:4:1\n  |\n4 | alow = []\n  | ^^^^\n\ngatefold: no policy is \
         loaded: {path}:4:1: error[unknown_key]: unknown key `alow`; there is one of `allow`, \
         `ask`, `deny`; did you mean `allow`? [unknown_key]\n"
    );
    assert_eq!(ran.stderr, shown);
}

#[test]
fn what_is_worth_a_second_look_goes_to_standard_error_beside_the_decision() {
    let file = File::new(
        "warned",
        &format!("{HEAD}[rules.user]\nallow = ['Bash(sudo *)']\n"),
    );
    let ran = file.decide(&line("sudo -l", ""));
    assert_eq!(ran.code, 0);
    assert_eq!(short(&parse(&ran.stdout)), "allow stored_rule");
    assert!(
        ran.stderr.starts_with("warning[runs_anything]: `sudo`"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("3 | allow = ['Bash(sudo *)']"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_document_that_cannot_be_read_is_bad_input() {
    for path in ["no/such/gatefold.toml", "examples"] {
        let ran = run(&["decide", "--policy", path], line("ls", ""));
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{path}");
        assert!(
            ran.stderr.ends_with("[unreadable_document]\n"),
            "{}",
            ran.stderr
        );
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    }
}

#[test]
fn the_request_beats_the_document_for_the_mode() {
    let file = File::new("mode", &format!("{HEAD}mode = 'bypass'\n"));
    for (fields, want) in [
        ("", "allow mode"),
        (r#""mode":"default""#, "ask unstated"),
        (r#""mode":"dont_ask""#, "deny mode"),
        // An ancestor that names no mode is in the document's too.
        (r#""agent":"a","ancestors":[{"agent":"b"}]"#, "allow mode"),
        (
            r#""agent":"a","ancestors":[{"agent":"b","mode":"default"}]"#,
            "ask unstated",
        ),
    ] {
        let ran = file.decide(&line("make", fields));
        assert_eq!(short(&parse(&ran.stdout)), want, "{fields}");
    }
}

#[test]
fn documents_and_the_rules_of_the_request_are_judged_together() {
    let allow = File::new(
        "allow",
        &format!("{HEAD}[policy]\nallow = ['Bash(git *)']\n"),
    );
    let deny = File::new(
        "deny",
        &format!("{HEAD}[org]\ndeny = ['Bash(git push *)']\n"),
    );
    let ask = r#""rules":[{"effect":"ask","rule":"Bash(git fetch *)","from":"local"}]"#;
    for (command, want, behind) in [
        ("git status", "allow policy", "Bash(git *)"),
        ("git push x", "deny org", "Bash(git push *)"),
        ("git fetch x", "ask rule", "Bash(git fetch *)"),
    ] {
        let both = [
            "decide",
            "--policy",
            &allow.path(),
            "--policy",
            &deny.path(),
        ];
        let said = parse(&run(&both, line(command, ask)).stdout);
        assert_eq!(
            (short(&said).as_str(), rule(&said)),
            (want, behind),
            "{command}"
        );
    }
}

#[test]
fn a_fetch_tool_that_is_sent_elsewhere_is_asked_about() {
    let text = format!("{HEAD}[egress]\nhosts = ['a.example']\n[policy]\nallow = ['WebFetch']\n");
    let file = File::new("egress", &text);
    for (url, want) in [
        ("https://a.example/x", "allow policy"),
        ("https://b.example/x", "ask egress"),
        ("a.example", "ask egress"),
    ] {
        let ran = file.decide(&request("WebFetch", &format!(r#"{{"url":"{url}"}}"#), ""));
        assert_eq!(short(&parse(&ran.stdout)), want, "{url}");
    }
}

#[test]
fn a_document_cannot_steer_a_terminal() {
    let text = format!("{HEAD}[rules.user]\ndeny = [\"Bash(\\u202erm\", \"\\u001b[31mBash\"]\n");
    let file = File::new("hostile", &text);
    let ran = file.decide(&line("ls", ""));
    assert_eq!(ran.code, 2);
    let steers = |char: char| matches!(char, '\u{1b}' | '\u{202e}');
    assert!(!ran.stderr.contains(steers), "{:?}", ran.stderr);
}

#[test]
fn the_largest_documents_are_loaded_and_their_problems_counted() {
    let rules = "'Bash(rm',".repeat(99_999);
    let file = File::new("many", &format!("{HEAD}[rules.user]\ndeny = [{rules}]\n"));
    let ran = file.decide(&line("ls", ""));
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("(99949 more are not shown)"));
    assert!(
        ran.stderr
            .ends_with("(and 99998 more errors) [rule_unbalanced]\n")
    );
    // One line of 16 MiB in all: each rule as long as a rule may be.
    let word = "w ".repeat(2040);
    let rules: Vec<_> = (0..4000)
        .map(|index| format!("'Bash({word}{index})'"))
        .collect();
    let rules = rules.join(",");
    let file = File::new("long", &format!("{HEAD}[rules.user]\ndeny = [{rules}]\n"));
    let ran = file.decide(&line("ls", ""));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

/// A document in a file of its own, gone with it.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let path = folder.join(format!("{name}-{}.toml", std::process::id()));
        fs::write(&path, text).expect("the document can be written");
        Self(path)
    }

    fn path(&self) -> String {
        self.0.display().to_string()
    }

    fn decide(&self, request: &str) -> support::Run {
        run(&["decide", "--policy", &self.path()], request)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
