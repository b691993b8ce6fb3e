//! The forms that an account is printed in, and what the input can do to them.

use serde_json::json;

use crate::support::{Run, line, one_rule, request, run};
use crate::{account, text, told};

#[test]
fn the_text_of_the_input_can_not_play_with_the_terminal() {
    let nasty = "\u{1b}[2J\u{1b}]0;x\u{7}\r\n   ALLOW\u{202e}evil\u{2069}\u{200b}\u{9b}31m`\"";
    let reason = json!({"decision": "ask", "reason": nasty}).to_string();
    let deny = json!({"decision": "deny", "reason": nasty}).to_string();
    let hook = |answer: &str| format!(r#""hooks":[{{"id":{},"answer":{answer}}}]"#, json!(nasty));
    let rewritten = json!({"decision": "none", "rewrite": {"command": nasty}}).to_string();
    let long = "\u{1b}[31m\n".repeat(20 << 10);
    assert!(long.len() >= 100 << 10);
    for request in [
        line(nasty, ""),
        line(nasty, &one_rule("deny", "Bash(rm *)", "user")),
        line("ls", &hook(&reason)),
        line("ls", &hook(&deny)),
        line("ls", &hook(&rewritten)),
        request(nasty, "{}", ""),
        request(nasty, "{}", r#""facts":{"known_tools":[]}"#),
        request(
            "x",
            "{}",
            &format!(r#""agent":{0},"ancestors":[{{"agent":{0}}}]"#, json!(nasty)),
        ),
        line(&long, ""),
        line(
            &format!("echo {}", "a".repeat(100 << 10)),
            r#""mode":"bypass""#,
        ),
    ] {
        for form in [
            &["decide", "--explain"][..],
            &["decide", "--format", "text"],
        ] {
            let said = told(form, &request);
            for char in said.chars().filter(|char| *char != '\n') {
                assert!(!char.is_control(), "{char:?} in {said}");
                assert!(
                    !"\u{202e}\u{2069}\u{200b}".contains(char),
                    "{char:?} in {said}"
                );
            }
            assert!(
                !said
                    .lines()
                    .any(|line| line.trim_start().starts_with("ALLOW\\u")),
                "{said}"
            );
            assert!(said.lines().all(|line| line.len() < 8 << 10), "{said}");
            assert!(said.len() < 32 << 10, "{} bytes", said.len());
        }
        let account = account(&request);
        assert!(account["summary"].as_str().expect("a summary").len() < 1 << 10);
        assert!(account.to_string().len() < 64 << 10);
    }
}

#[test]
fn the_agents_of_a_lineage_are_named() {
    for (fields, says) in [
        (r#""agent":"a""#, "The agent is `a`.\n"),
        (
            r#""agent":"a","ancestors":[{},{"agent":"main"}]"#,
            "The agent is `a`, below one without a name, below `main`.\n",
        ),
    ] {
        let said = text(&line("ls", fields));
        assert!(said.contains(says), "{said}");
    }
    assert!(!text(&line("ls", "")).contains("The agent"));
    let json = account(&line("ls", r#""agent":"a","ancestors":[{}]"#));
    assert_eq!(json["call"]["agents"], json!(["a", null]));
}

#[test]
fn a_cut_line_says_how_long_it_is() {
    let request = line(&format!("echo {}", "a".repeat(100 << 10)), "");
    let said = text(&request);
    let first = said.lines().next().expect("a line");
    assert!(first.starts_with("ASK Bash: echo aaaa"), "{first}");
    assert!(first.ends_with("aaa… (102405 bytes in all)"), "{first}");
}

#[test]
fn a_form_that_does_not_go_together_is_refused_and_prints_nothing() {
    let request = line("ls", "");
    for args in [
        &["decide", "--explain", "--compact"][..],
        &["decide", "--format", "text", "--compact"],
        &["decide", "--format", "text", "--explain", "--compact"],
        &["decide", "--format", "yaml"],
        &["decide", "--format"],
        &["decide", "--explain=yes"],
    ] {
        let Run {
            code,
            stdout,
            stderr,
        } = run(args, &request);
        assert_eq!((code, stdout.as_str()), (2, ""), "{args:?}");
        assert!(
            stderr.starts_with("error: ") && stderr.contains("try '--help'"),
            "{args:?}: {stderr}"
        );
    }
    let json = run(&["decide", "--format", "json"], &request);
    assert_eq!(json, run(&["decide"], &request));
    let text = run(&["decide", "--explain", "--format", "text"], &request);
    assert_eq!(text, run(&["decide", "--explain"], &request));
}

#[test]
fn every_form_keeps_the_exit_codes_and_prints_nothing_without_a_decision() {
    for form in [
        &["--explain"][..],
        &["--format", "text"],
        &["--explain", "--format", "json", "--compact"],
    ] {
        for (fields, code) in [
            (r#""mode":"bypass""#, 0),
            (r#""interactive":true"#, 10),
            (r#""interactive":false"#, 20),
        ] {
            let input = line("ls", fields);
            let plain = [&["decide"], form].concat();
            let telling = [&["decide", "--exit-code"], form].concat();
            assert_eq!(run(&plain, &input).code, 0, "{form:?}");
            let told = run(&telling, &input);
            assert_eq!((told.code, told.stderr.as_str()), (code, ""), "{form:?}");
            assert_eq!(told.stdout, run(&plain, &input).stdout);
        }
        for input in ["", "{}", r#"{"call":{"id":"c","tool":"Bash","args":[]}}"#] {
            let refused = run(&[&["decide"], form].concat(), input);
            assert_eq!(
                (refused.code, refused.stdout.as_str()),
                (2, ""),
                "{form:?}: {input}"
            );
        }
    }
}

#[test]
fn an_allow_that_is_left_out_is_warned_of_once() {
    let request = line("ls -l", &one_rule("allow", "Bash(ls $x)", "user"));
    let told = run(&["decide", "--explain"], &request);
    assert_eq!(told.code, 0);
    assert_eq!(told.stderr.lines().count(), 1, "{}", told.stderr);
    assert!(
        told.stdout.contains("The rule `Bash(ls -l)`"),
        "{}",
        told.stdout
    );
}
