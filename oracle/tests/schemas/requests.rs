//! The schema of a request and its reader refuse the same.

use crate::support::parse;
use crate::support::run;
use crate::support::schemas::{REQUEST, faults};
use crate::{dropped, places, replaced, widened};

const CALL: &str = r#""call":{"id":"c","tool":"Bash","args":{"command":"ls"}}"#;

/// Fields beside a call that both refuse.
const WRONG: &[&str] = &[
    r#""cmd":1"#,
    r#""resolver":null"#,
    r#""mode":"yolo""#,
    r#""mode":"Plan""#,
    r#""mode":{"plan":null}"#,
    r#""mode":["plan"]"#,
    r#""mode":null"#,
    r#""platform":"beos""#,
    r#""platform":null"#,
    r#""shell":7"#,
    r#""shell":null"#,
    r#""lock":"no""#,
    r#""lock":null"#,
    r#""interactive":1"#,
    r#""denials":-1"#,
    r#""denials":1.5"#,
    r#""denials":4294967296"#,
    r#""denials":"1""#,
    r#""denials":null"#,
    r#""cwd":7"#,
    r#""home":{}"#,
    r#""roots":"/""#,
    r#""roots":[1]"#,
    r#""roots":null"#,
    r#""agent":7"#,
    r#""ancestors":{}"#,
    r#""ancestors":[null]"#,
    r#""ancestors":[["main","plan",false]]"#,
    r#""ancestors":[{"agent":"main","mod":"plan"}]"#,
    r#""ancestors":[{"mode":"x"}]"#,
    r#""ancestors":[{"mode":null}]"#,
    r#""rules":{}"#,
    r#""rules":null"#,
    r#""rules":["Bash"]"#,
    r#""rules":[["deny","Bash","user"]]"#,
    r#""rules":[{"effect":"deny","rule":"Bash"}]"#,
    r#""rules":[{"effect":"deny","from":"user"}]"#,
    r#""rules":[{"rule":"Bash","from":"user"}]"#,
    r#""rules":[{"effect":"deny","rule":"Bash","from":"cli"}]"#,
    r#""rules":[{"effect":"warn","rule":"Bash","from":"user"}]"#,
    r#""rules":[{"effect":"deny","rule":["Bash"],"from":"user"}]"#,
    r#""rules":[{"effect":"deny","rule":"Bash","from":"user","why":""}]"#,
    r#""rules":[{"effect":"deny","rule":"","from":"user"}]"#,
    r#""rules":[{"effect":"ask","rule":"","from":"org"}]"#,
    r#""hooks":{}"#,
    r#""hooks":[{"answer":null}]"#,
    r#""hooks":[["h","guard",null]]"#,
    r#""hooks":[{"id":"h","kind":"watcher"}]"#,
    r#""hooks":[{"id":"h","kind":null}]"#,
    r#""hooks":[{"id":"h","timeout":1}]"#,
    r#""hooks":[{"id":""}]"#,
    r#""hooks":[{"id":"h"},{"id":"h"}]"#,
    r#""facts":[]"#,
    r#""facts":{"realpath":{}}"#,
    r#""facts":{"realpaths":[]}"#,
    r#""facts":{"realpaths":null}"#,
    r#""facts":{"realpaths":{"/a":1}}"#,
    r#""facts":{"folds_case":{"/a":"yes"}}"#,
    r#""facts":{"known_tools":"Bash"}"#,
    r#""facts":{"known_tools":[null]}"#,
    r#""resolve":"yes""#,
    r#""resolve":true"#,
    r#""resolve":5"#,
    r#""resolve":{}"#,
    r#""resolve":{"answer":"maybe"}"#,
    r#""resolve":{"answer":null}"#,
    r#""resolve":[{"answer":"yes"},{"answer":"y"}]"#,
    r#""resolve":[null]"#,
    r#""resolve":[["yes"]]"#,
    r#""resolve":[[{"answer":"yes"}]]"#,
    r#""resolve":{"answer":"yes","note":""}"#,
    r#""resolve":{"answer":"yes","why":"timeout"}"#,
    r#""resolve":[{"answer":"no","why":"timeout"}]"#,
    r#""resolve":{"answer":"no","edit":{}}"#,
    r#""resolve":{"answer":"unanswered","edit":{}}"#,
    r#""resolve":{"answer":"no","remember":{"scope":"s","rule":"r"}}"#,
    r#""resolve":{"answer":"unanswered","remember":{"scope":"s","rule":"r"}}"#,
    r#""resolve":{"answer":"unanswered","why":"unshown"}"#,
    r#""resolve":{"answer":"unanswered","why":"asleep"}"#,
    r#""resolve":{"answer":"yes","by":"engine"}"#,
    r#""resolve":{"answer":"yes","remember":{"scope":"s"}}"#,
    r#""resolve":{"answer":"yes","remember":["s","r"]}"#,
    r#""resolve":{"answer":"yes","remember":{"scope":"s","rule":"r","for":1}}"#,
];

/// Calls that both refuse.
const WRONG_CALLS: &[&str] = &[
    "null",
    "7",
    "[]",
    r#""Bash""#,
    r#"["c","Bash",{},null]"#,
    r#"{"tool":"Bash","args":{}}"#,
    r#"{"id":"c","args":{}}"#,
    r#"{"id":"c","tool":"Bash"}"#,
    r#"{"id":"","tool":"Bash","args":{}}"#,
    r#"{"id":"c","tool":"","args":{}}"#,
    r#"{"id":7,"tool":"Bash","args":{}}"#,
    r#"{"id":null,"tool":"Bash","args":{}}"#,
    r#"{"id":"c","tool":["Bash"],"args":{}}"#,
    r#"{"id":"c","tool":"Bash","args":null}"#,
    r#"{"id":"c","tool":"Bash","args":[]}"#,
    r#"{"id":"c","tool":"Bash","args":"{}"}"#,
    r#"{"id":"c","tool":"Bash","args":7}"#,
    r#"{"id":"c","tool":"Bash","args":{},"input":{}}"#,
    r#"{"id":"c","tool":"x","args":{},"mcp":["a","b"]}"#,
    r#"{"id":"c","tool":"x","args":{},"mcp":{"server":"a"}}"#,
    r#"{"id":"c","tool":"x","args":{},"mcp":{"server":"","tool":"b"}}"#,
    r#"{"id":"c","tool":"x","args":{},"mcp":{"server":"a","tool":""}}"#,
    r#"{"id":"c","tool":"x","args":{},"mcp":{"server":"a","tool":"b","x":1}}"#,
];

/// Fields beside a call that both take, unlikely as they look.
const RIGHT: &[&str] = &[
    r#""mode":"bypass","platform":"darwin","shell":"fish""#,
    r#""platform":"win32","shell":"""#,
    r#""agent":"","ancestors":[{},{"agent":null},{"agent":"","mode":"auto","lock":true}]"#,
    r#""cwd":null,"home":null,"roots":[],"agent":null,"resolve":null,"facts":null"#,
    r#""denials":4294967295"#,
    r#""facts":{}"#,
    r#""facts":{"known_tools":[],"realpaths":{"":""}}"#,
    r#""facts":{"folds_case":{"/a":true}}"#,
    r#""rules":[],"hooks":[],"ancestors":[]"#,
    r#""rules":[{"effect":"deny","rule":"X","from":"managed"},{"effect":"ask","rule":"X","from":"org"}]"#,
    r#""rules":[{"effect":"allow","rule":"","from":"user"}]"#,
    r#""hooks":[{"id":"h","answer":null},{"id":"i","kind":"observer"}]"#,
    r#""hooks":[{"id":"h","answer":{"decision":"none"}}]"#,
    r#""hooks":[{"id":"h","answer":{"decision":"ask","reason":"sure?","failed":null,"text":null}}]"#,
    r#""hooks":[{"id":"h","answer":{"decision":"allow","rewrite":{"a":1},"context":"c"}}]"#,
    r#""hooks":[{"id":"h","answer":{"failed":"threw","text":"boom","decision":null}}]"#,
    r#""hooks":[{"id":"h","answer":{"failed":"timed_out"}}]"#,
    r#""hooks":[{"id":"h","answer":{"failed":"aborted","text":"30 s"}}]"#,
    r#""resolve":[]"#,
    r#""resolve":{"answer":"yes","edit":null,"why":null,"by":null,"remember":null}"#,
    r#""resolve":{"answer":"yes","edit":{},"by":"delegate","remember":{"scope":"","rule":""}}"#,
    r#""resolve":{"answer":"no","edit":null,"why":null,"remember":null}"#,
    r#""resolve":{"answer":"unanswered","by":"delegate","why":"aborted"}"#,
    r#""resolve":[{"answer":"unanswered","why":"failed"},{"answer":"unanswered","why":"timeout"}]"#,
];

/// What a hook or an editor may say wrong: it is decided, and so the reader takes it; the schema tells
/// whoever writes a request that it will count as wrong.
const OUT_OF_CONTRACT: &[(&str, &str)] = &[
    ("hook", "{}"),
    ("hook", "[]"),
    ("hook", r#"["allow"]"#),
    ("hook", r#""allow""#),
    ("hook", r#"{"decision":"approve"}"#),
    ("hook", r#"{"decision":"out_of_contract"}"#),
    ("hook", r#"{"decision":7}"#),
    ("hook", r#"{"decision":null}"#),
    ("hook", r#"{"decision":"allow","extra":1}"#),
    ("hook", r#"{"decision":"allow","reason":[]}"#),
    ("hook", r#"{"decision":"allow","text":"x"}"#),
    ("hook", r#"{"decision":"allow","failed":"threw"}"#),
    ("hook", r#"{"failed":"threw","reason":"x"}"#),
    ("hook", r#"{"failed":"threw","context":"x"}"#),
    ("hook", r#"{"failed":"threw","rewrite":{}}"#),
    ("hook", r#"{"failed":"exploded"}"#),
    ("hook", r#"{"decision":"allow","rewrite":[]}"#),
    ("hook", r#"{"decision":"allow","rewrite":"ls"}"#),
    ("ask_resolution", "[]"),
    ("ask_resolution", r#""git push""#),
    ("ask_resolution", "7"),
];

/// A request with every field.
const FULL: &str = r#"{
    "call": { "id": "c1", "tool": "mcp__a__b", "args": {}, "mcp": { "server": "a", "tool": "b" } },
    "cwd": "/home/u/app", "home": "/home/u", "roots": ["/home/u/app"],
    "platform": "linux", "shell": "bash", "mode": "default", "lock": false, "interactive": true,
    "denials": 1, "agent": "child",
    "ancestors": [ { "agent": "main", "mode": "bypass", "lock": false } ],
    "rules": [ { "effect": "ask", "rule": "mcp__a", "from": "org" },
               { "effect": "allow", "rule": "mcp__a", "from": "user" } ],
    "hooks": [ { "id": "h", "kind": "guard", "answer": { "decision": "none" } },
               { "id": "i", "kind": "observer", "answer": { "failed": "threw", "text": "boom" } } ],
    "resolve": [ { "answer": "yes", "edit": {}, "by": "person",
                   "remember": { "scope": "session", "rule": "mcp__a" } },
                 { "answer": "unanswered", "why": "timeout", "by": "delegate" } ],
    "facts": { "known_tools": ["mcp__a__b"], "realpaths": { "/a": "/b" } } }"#;

#[test]
fn what_is_wrong_is_refused_by_the_schema_and_by_the_reader() {
    let calls = WRONG_CALLS
        .iter()
        .map(|call| format!(r#"{{"call":{call}}}"#));
    let fields = WRONG.iter().map(|fields| format!("{{{CALL},{fields}}}"));
    let whole = ["null", "7", "[]", r#""call""#, "{}", r#"{"mode":"plan"}"#].map(String::from);
    for request in calls.chain(fields).chain(whole) {
        assert_eq!(judged(&request), [false, false], "{request}");
    }
}

#[test]
fn what_is_over_a_limit_is_refused_by_the_schema_and_by_the_reader() {
    let named = |name: usize| {
        let name = "x".repeat(name);
        [
            format!(r#"{{"call":{{"id":"{name}","tool":"T","args":{{}}}}}}"#),
            format!(r#"{{"call":{{"id":"c","tool":"{name}","args":{{}}}}}}"#),
            format!(
                r#"{{"call":{{"id":"c","tool":"x","args":{{}},"mcp":{{"server":"{name}","tool":"b"}}}}}}"#
            ),
            format!(r#"{{{CALL},"agent":"{name}"}}"#),
            format!(r#"{{{CALL},"ancestors":[{{"agent":"{name}"}}]}}"#),
            format!(r#"{{{CALL},"hooks":[{{"id":"{name}"}}]}}"#),
        ]
    };
    let rule = |bytes: usize| {
        let rule = "x".repeat(bytes);
        format!(r#"{{{CALL},"rules":[{{"effect":"deny","rule":"{rule}","from":"user"}}]}}"#)
    };
    let list =
        |field: &str, items: Vec<String>| format!(r#"{{{CALL},"{field}":[{}]}}"#, items.join(","));
    let hooks = |count: usize| {
        list(
            "hooks",
            (0..count).map(|id| format!(r#"{{"id":"{id}"}}"#)).collect(),
        )
    };
    let ancestors = |count: usize| list("ancestors", vec!["{}".into(); count]);
    let one = r#"{"effect":"deny","rule":"X","from":"user"}"#;
    let rules = |count: usize| list("rules", vec![one.into(); count]);
    let at =
        named(1 << 10)
            .into_iter()
            .chain([rule(4 << 10), hooks(32), ancestors(16), rules(100_000)]);
    let over = named((1 << 10) + 1).into_iter().chain([
        rule((4 << 10) + 1),
        hooks(33),
        ancestors(17),
        rules(100_001),
    ]);
    for request in at {
        assert_eq!(judged(&request), [true, true], "{request:.300}");
    }
    for request in over {
        assert_eq!(judged(&request), [false, false], "{request:.300}");
    }
}

#[test]
fn what_looks_unlikely_and_is_right_is_taken_by_both() {
    for fields in RIGHT {
        assert_eq!(
            judged(&format!("{{{CALL},{fields}}}")),
            [true, true],
            "{fields}"
        );
    }
}

#[test]
fn what_is_out_of_contract_is_told_by_the_schema_and_decided_by_the_reader() {
    for (by, said) in OUT_OF_CONTRACT {
        let fields = match *by {
            "hook" => format!(r#""hooks":[{{"id":"h","answer":{said}}}]"#),
            _ => format!(r#""resolve":{{"answer":"yes","edit":{said}}}"#),
        };
        let request = format!("{{{CALL},{fields}}}");
        assert_eq!(judged(&request), [false, true], "{request}");
        let decision = parse(&run(&["decide"], &request).stdout);
        assert_eq!(decision["record"]["denied_by"], *by, "{request}");
    }
}

#[test]
fn whatever_is_changed_in_a_full_request_both_say_the_same_of_it() {
    let full = parse(FULL);
    assert_eq!(judged(FULL), [true, true]);
    let mut refused = 0;
    let mut mutants = 0;
    for place in places(&full) {
        // What is out of contract is decided and not refused.
        if place.contains("/answer") && place.starts_with("/hooks") || place.ends_with("/edit") {
            continue;
        }
        let mut others: Vec<_> = dropped(&full, &place).into_iter().collect();
        // Args may hold any key, and so may the paths.
        if !place.ends_with("/args") && !place.ends_with("/realpaths") {
            others.extend(widened(&full, &place));
        }
        let values = [
            "null", "true", "7", "-1", "1.5", r#""x""#, r#""""#, "[]", "{}", "[[]]", "[{}]",
        ];
        others.extend(values.map(|value| replaced(&full, &place, parse(value))));
        for request in others {
            let [schema, reader] = judged(&request.to_string());
            assert_eq!(schema, reader, "{place}: {request}");
            refused += usize::from(!reader);
            mutants += 1;
        }
    }
    println!("{mutants} changed requests, {refused} of them refused");
    assert!(refused > 300, "only {refused} of {mutants} were refused");
}

/// Whether the schema takes the request, and whether the reader does.
fn judged(request: &str) -> [bool; 2] {
    let run = run(&["decide", "--compact"], request);
    assert!([0, 2].contains(&run.code), "{request:.300}: {}", run.stderr);
    let faults = faults(&REQUEST, &parse(request));
    [faults.is_empty(), run.code == 0]
}
