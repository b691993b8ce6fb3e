//! What is taken as a request: strictly one JSON object, and one sentence about anything else.

mod support;

use support::{decide, line, request, run, short};

const CALL: &str = r#""call":{"id":"c","tool":"Bash","args":{"command":"ls"}}"#;

/// Bad input: exit 2, nothing on standard output, one sentence that holds this.
fn refused(input: impl AsRef<[u8]>, told: &[&str]) {
    let shown = String::from_utf8_lossy(input.as_ref())
        .chars()
        .take(300)
        .collect::<String>();
    let run = run(&["decide", "--exit-code"], input);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (2, ""),
        "{shown}: {}",
        run.stderr
    );
    assert_eq!(run.stderr.lines().count(), 1, "{shown}: {}", run.stderr);
    assert!(
        run.stderr.len() < 5_000,
        "{shown}: {} bytes",
        run.stderr.len()
    );
    assert!(
        !run.stderr.trim_end().contains(char::is_control),
        "{:?}",
        run.stderr
    );
    for told in told {
        assert!(run.stderr.contains(told), "{shown}: {told}: {}", run.stderr);
    }
}

#[test]
fn only_the_call_is_required() {
    let decision = decide(format!("{{{CALL}}}"));
    assert_eq!(short(&decision), "ask unstated");
    assert_eq!(decision["record"]["mode"], "default");
    let full = r#""cwd":"/home/u/app","home":"/home/u","roots":["/home/u/app"],
        "platform":"linux","shell":"bash","mode":"default","lock":false,"interactive":true,
        "denials":0,"agent":null,"ancestors":[{"agent":"main","mode":"default","lock":false}],
        "rules":[{"effect":"allow","rule":"Bash(ls)","from":"user"}],
        "hooks":[{"id":"guard","kind":"guard","answer":{"decision":"none"}}],
        "resolve":null,"facts":{"realpaths":{},"known_tools":null}"#;
    let call = r#""call":{"id":"c1","tool":"Bash","args":{"command":"ls"},"mcp":null}"#;
    assert_eq!(
        short(&decide(format!("{{{call},{full}}}"))),
        "allow stored_rule"
    );
}

#[test]
fn what_is_no_json_object_is_refused_with_its_line_and_column() {
    for (input, told) in [
        ("", "empty"),
        (" \n\t", "empty"),
        ("\u{feff}{}", "byte order mark"),
        ("{", "line 1, column 1: the input ends inside an object"),
        ("nonsense", "line 1, column 2"),
        ("[]", "line 1, column"),
        ("7", "expected an object, found a number"),
        ("null", "line 1"),
        ("\"call\"", "line 1"),
        ("{\n  \"call\": {,}\n}", "line 2, column 12"),
        ("{'call':1}", "line 1, column 2"),
        ("// c\n{}", "line 1, column 1"),
        ("{}", "missing field `call`"),
    ] {
        refused(input, &[told]);
    }
    refused(
        format!("{{{CALL}}} x"),
        &["something stands after the value"],
    );
    refused(
        format!("{{{CALL}}}{{{CALL}}}"),
        &["something stands after the value"],
    );
    refused(
        format!("{{{CALL},}}"),
        &["a comma stands before the closing bracket"],
    );
    refused(b"{\n \"c\xff\":1}", &["not utf-8", "line 2, column 4"]);
    refused(b"\xff\xfe{\0}\0", &["not utf-8"]);
    decide(format!(" \r\n\t{{{CALL}}}\n\n"));
}

#[test]
fn an_unknown_key_a_wrong_type_or_an_unknown_word_is_refused_with_its_path() {
    for (fields, told) in [
        (r#""cmd":1"#, "unknown field `cmd`"),
        (r#""resolver":null"#, "unknown field `resolver`"),
        (r#""mode":"yolo""#, "at mode (line 1"),
        (r#""mode":{"plan":null}"#, "at mode"),
        (r#""mode":null"#, "at mode"),
        (r#""platform":"beos""#, "expected linux, macos or windows"),
        (r#""shell":7"#, "at shell"),
        (r#""lock":"no""#, "at lock"),
        (r#""interactive":1"#, "at interactive"),
        (r#""denials":-1"#, "at denials"),
        (r#""denials":1.5"#, "at denials"),
        (r#""denials":4294967296"#, "at denials"),
        (r#""cwd":7"#, "at cwd"),
        (r#""roots":"/""#, "at roots"),
        (r#""roots":[1]"#, "at roots[0]"),
        (
            r#""ancestors":[{"agent":"main","mod":"plan"}]"#,
            "at ancestors[0].mod",
        ),
        (r#""ancestors":[{"mode":"x"}]"#, "at ancestors[0].mode"),
        (r#""rules":{}"#, "at rules"),
        (
            r#""rules":[{"effect":"deny","rule":"Bash"}]"#,
            "missing field `from`",
        ),
        (
            r#""rules":[{"effect":"deny","rule":"Bash","from":"cli"}]"#,
            "at rules[0].from",
        ),
        (
            r#""rules":[{"effect":"warn","rule":"Bash","from":"user"}]"#,
            "at rules[0].effect",
        ),
        (
            r#""rules":[{"effect":"deny","rule":["Bash"],"from":"user"}]"#,
            "at rules[0].rule",
        ),
        (
            r#""rules":[{"effect":"deny","rule":"Bash","from":"user","why":""}]"#,
            "rules[0].why",
        ),
        (r#""hooks":[{"answer":null}]"#, "missing field `id`"),
        (
            r#""hooks":[{"id":"h","kind":"watcher"}]"#,
            "at hooks[0].kind",
        ),
        (r#""hooks":[{"id":"h","timeout":1}]"#, "at hooks[0].timeout"),
        (
            r#""hooks":[{"id":"h"},{"id":"h"}]"#,
            "at hooks[1].id: the hook `h` is declared twice",
        ),
        (r#""hooks":[{"id":"h"},{"id":""}]"#, "at hooks[1].id"),
        (r#""facts":{"realpath":{}}"#, "at facts.realpath"),
        (r#""facts":{"realpaths":[]}"#, "at facts.realpaths"),
        (r#""facts":{"realpaths":{"/a":1}}"#, "at facts.realpaths./a"),
        (
            r#""facts":{"realpaths":{"/a":"/b","\u002fa":"/c"}}"#,
            "duplicate field `/a`",
        ),
        (r#""facts":{"known_tools":"Bash"}"#, "at facts.known_tools"),
    ] {
        refused(format!("{{{CALL},{fields}}}"), &[told]);
    }
}

#[test]
fn a_resolver_that_says_two_things_or_none_is_refused_with_its_path() {
    for (fields, told) in [
        (r#""resolve":"yes""#, "at resolve"),
        (r#""resolve":true"#, "at resolve"),
        (r#""resolve":5"#, "at resolve"),
        (r#""resolve":{}"#, "missing field `answer`"),
        (r#""resolve":{"answer":"maybe"}"#, "at resolve.answer"),
        (
            r#""resolve":[{"answer":"yes"},{"answer":"y"}]"#,
            "at resolve[1].answer",
        ),
        (r#""resolve":[null]"#, "at resolve[0]"),
        (r#""resolve":{"answer":"yes","note":""}"#, "at resolve.note"),
        (
            r#""resolve":{"answer":"yes","why":"timeout"}"#,
            "at resolve.why",
        ),
        (
            r#""resolve":[{"answer":"no","why":"timeout"}]"#,
            "at resolve[0].why",
        ),
        (r#""resolve":{"answer":"no","edit":{}}"#, "at resolve.edit"),
        (
            r#""resolve":{"answer":"no","remember":{"scope":"s","rule":"r"}}"#,
            "resolve.remember",
        ),
        (
            r#""resolve":{"answer":"unanswered","edit":{}}"#,
            "at resolve.edit",
        ),
        (
            r#""resolve":{"answer":"unanswered","why":"unshown"}"#,
            "at resolve.why",
        ),
        (
            r#""resolve":{"answer":"yes","by":"engine"}"#,
            "at resolve.by",
        ),
        (
            r#""resolve":{"answer":"yes","remember":{"scope":"s"}}"#,
            "at resolve.remember",
        ),
    ] {
        refused(format!("{{{CALL},{fields}}}"), &[told]);
    }
}

#[test]
fn a_call_that_cannot_be_told_apart_from_another_is_refused() {
    for (call, told) in [
        (r#"{"tool":"Bash","args":{}}"#, "missing field `id`"),
        (r#"{"id":"c","args":{}}"#, "missing field `tool`"),
        (r#"{"id":"c","tool":"Bash"}"#, "missing field `args`"),
        (r#"{"id":"","tool":"Bash","args":{}}"#, "at call.id"),
        (r#"{"id":"c","tool":"","args":{}}"#, "at call.tool"),
        (r#"{"id":7,"tool":"Bash","args":{}}"#, "at call.id"),
        (r#"{"id":"c","tool":"Bash","args":null}"#, "at call.args"),
        (r#"{"id":"c","tool":"Bash","args":[]}"#, "at call.args"),
        (r#"{"id":"c","tool":"Bash","args":"{}"}"#, "at call.args"),
        (
            r#"{"id":"c","tool":"Bash","args":{"a":1,"a":2}}"#,
            "key \"a\" stands twice",
        ),
        (
            r#"{"id":"c","tool":"Bash","args":{"a":1,"\u0061":2}}"#,
            "key \"a\" stands twice",
        ),
        (
            r#"{"id":"c","tool":"Bash","args":{"b":{"a":1,"a":1}}}"#,
            "stands twice",
        ),
        (
            r#"{"id":"c","tool":"Bash","args":{"a":"\ud800"}}"#,
            "surrogate",
        ),
        (
            r#"{"id":"\ud800","tool":"Bash","args":{}}"#,
            "line 1, column",
        ),
        (
            r#"{"id":"c","id":"d","tool":"Bash","args":{}}"#,
            "duplicate field `id`",
        ),
        (
            r#"{"id":"c","tool":"Bash","args":{},"args":{}}"#,
            "duplicate field `args`",
        ),
        (
            r#"{"id":"c","tool":"Bash","args":{},"input":{}}"#,
            "unknown field `input`",
        ),
        (
            r#"{"id":"c","tool":"Bash","args":{},"mcp":{"server":"a"}}"#,
            "missing field `tool`",
        ),
        (
            r#"{"id":"c","tool":"x","args":{},"mcp":{"server":"","tool":"b"}}"#,
            "call.mcp.server",
        ),
    ] {
        refused(format!(r#"{{"call":{call}}}"#), &[told]);
    }
    refused(format!("{{{CALL},{CALL}}}"), &["duplicate field `call`"]);
    refused(
        format!(r#"{{{CALL},"mode":"plan","mode":"bypass"}}"#),
        &["duplicate field `mode`"],
    );
}

#[test]
fn what_is_over_a_limit_is_refused_and_what_is_at_it_is_not() {
    let args = |depth: usize| {
        let (open, close) = ("[".repeat(depth - 1), "]".repeat(depth - 1));
        request("Read", &format!(r#"{{"a":{open}{close}}}"#), "")
    };
    decide(args(64));
    refused(args(65), &["at call.args", "deeper than 64"]);
    refused(args(500_000), &["at call.args", "deeper than 64"]);
    refused(args(1_000_000), &["at call.args", "bytes"]);
    refused("[".repeat(1_000_000), &["line 1"]);
    refused(r#"{"a":"#.repeat(1_000_000), &["unknown field"]);
    refused(
        format!("{{{CALL},\"roots\":{}", "[".repeat(1_000_000)),
        &["at roots[0]"],
    );
    refused(
        format!("{{{CALL},\"resolve\":{}", "[".repeat(1_000_000)),
        &["line 1"],
    );

    let text = |bytes: usize| request("Read", &format!(r#"{{"a":"{}"}}"#, "x".repeat(bytes)), "");
    decide(text((1 << 20) - 8));
    refused(
        text((1 << 20) - 7),
        &["at call.args", "at most 1048576 bytes"],
    );
    refused(vec![b' '; (16 << 20) + 1], &["more than 16777216 bytes"]);
    refused(vec![b' '; 16 << 20], &["empty"]);

    let named = |bytes: usize| request(&"x".repeat(bytes), "{}", "");
    decide(named(1 << 10));
    refused(named((1 << 10) + 1), &["at call.tool"]);

    let hooks = |count: usize| {
        let hooks: Vec<_> = (0..count).map(|id| format!(r#"{{"id":"{id}"}}"#)).collect();
        line("ls", &format!(r#""hooks":[{}]"#, hooks.join(",")))
    };
    decide(hooks(32));
    refused(hooks(33), &["at hooks"]);
    let ancestors = |count: usize| {
        line(
            "ls",
            &format!(r#""ancestors":[{}]"#, vec!["{}"; count].join(",")),
        )
    };
    decide(ancestors(16));
    refused(ancestors(17), &["at ancestors"]);

    let rule = |bytes: usize| {
        let rule = "x".repeat(bytes);
        line(
            "ls",
            &format!(r#""rules":[{{"effect":"deny","rule":"{rule}","from":"user"}}]"#),
        )
    };
    decide(rule(4 << 10));
    refused(rule((4 << 10) + 1), &["at rules[0].rule", "more than 4096"]);
    let one = r#"{"effect":"deny","rule":"X","from":"user"}"#;
    let rules = |count: usize| {
        line(
            "ls",
            &format!(r#""rules":[{}]"#, vec![one; count].join(",")),
        )
    };
    decide(rules(100_000));
    refused(rules(100_001), &["at rules", "more than 100000"]);
}

#[test]
fn a_sentence_stays_one_line_whatever_the_input_puts_into_it() {
    refused(
        format!(r#"{{{CALL},"a\nb\u001b[31m\u202e":1}}"#),
        &["unknown field", "\\u{1b}"],
    );
    refused(
        format!(r#"{{{CALL},"{}":1}}"#, "k".repeat(100_000)),
        &["unknown field"],
    );
    let rules = r#""rules":[{"effect":"deny","rule":"Bash(a\nb)","from":"user"}]"#;
    refused(format!("{{{CALL},{rules}}}"), &["rules[0].rule", "\\n"]);
}

#[test]
fn numbers_keep_their_text_and_keys_are_put_in_order() {
    for number in [
        "12345678901234567890",
        "-0",
        "1.0",
        "1e400",
        "0.1000000000000000055511151231257827",
        "12345678901234567890123",
    ] {
        let args = format!(r#"{{ "n": {number}, "a": "\u00e9" }}"#);
        let run = run(
            &["decide", "--compact"],
            request("X", &args, r#""mode":"bypass""#),
        );
        let want = format!(r#","args":{{"a":"é","n":{number}}},"#);
        assert!(run.stdout.contains(&want), "{}", run.stdout);
    }
}

#[test]
fn the_order_of_keys_in_the_request_does_not_matter() {
    let args = r#"{"command":"ls","a":1}"#;
    let one = format!(r#"{{"call":{{"id":"c","tool":"Bash","args":{args}}},"mode":"bypass"}}"#);
    let other =
        r#"{"mode":"bypass","call":{"args":{"a":1,"command":"ls"},"tool":"Bash","id":"c"}}"#;
    assert_eq!(run(&["decide"], one), run(&["decide"], other));
}

#[test]
fn a_command_line_that_is_not_understood_decides_nothing() {
    for args in [
        &[][..],
        &["decided"],
        &["decide", "--yes"],
        &["decide", "file.json"],
    ] {
        let run = run(args, format!("{{{CALL}}}"));
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}");
        assert!(!run.stderr.is_empty(), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn output_that_cannot_be_written_is_not_a_decision() {
    use std::fs::File;
    use std::process::{Command, Stdio};

    let null = || File::open("/dev/null").expect("it opens for reading");
    let example = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../examples/requests/git-status-allowed.json"
    );
    let mut outputs = vec![null()];
    outputs.extend(File::options().write(true).open("/dev/full"));
    for output in outputs {
        let run = Command::new(env!("CARGO_BIN_EXE_gatefold"))
            .arg("decide")
            .stdin(File::open(example).expect("the example opens"))
            .stdout(Stdio::from(output))
            .output()
            .expect("the program ends");
        let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(74), "{stderr}");
        assert!(
            stderr.contains("standard output cannot be written"),
            "{stderr}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_closed_standard_stream_carries_no_decision() {
    use std::process::Command;

    let example = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../examples/requests/git-status-allowed.json"
    );
    let shell = |script: &str| {
        let run = Command::new("sh")
            .args(["-c", script, env!("CARGO_BIN_EXE_gatefold"), example])
            .output()
            .expect("a shell runs");
        let stdout = String::from_utf8_lossy(&run.stdout).into_owned();
        let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
        (run.status.code(), stdout, stderr)
    };
    for script in [
        r#""$0" decide < "$1" >&-"#,
        r#""$0" decide < "$1" > /dev/null"#,
        r#""$0" decide < "$1" >&- 2>&-"#,
    ] {
        let (code, stdout, stderr) = shell(script);
        assert_eq!(
            (code, stdout.as_str()),
            (Some(74), ""),
            "{script}: {stderr}"
        );
    }
    let (_, _, stderr) = shell(r#""$0" decide < "$1" >&-"#);
    assert!(stderr.contains("closed or /dev/null"), "{stderr}");
    // The exit code says the verdict, so nothing is lost.
    let (code, ..) = shell(r#""$0" decide --exit-code < "$1" > /dev/null"#);
    assert_eq!(code, Some(0));
    let (code, stdout, stderr) = shell(r#""$0" decide --exit-code <&-"#);
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
    assert!(stderr.contains("standard input is closed"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn input_that_cannot_be_read_is_not_a_request() {
    use std::fs::File;
    use std::process::Command;

    let run = Command::new(env!("CARGO_BIN_EXE_gatefold"))
        .arg("decide")
        .stdin(File::open(env!("CARGO_MANIFEST_DIR")).expect("a folder opens"))
        .output()
        .expect("the program ends");
    assert_eq!(
        (run.status.code(), run.stdout.as_slice()),
        (Some(74), &b""[..])
    );
}
