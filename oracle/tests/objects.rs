//! Where the wire has an object, nothing else is read as one.

mod support;

use std::collections::BTreeSet;
use std::path::Path;
use support::{decide, line, run, short};

/// Every struct of the wire: its name, a request that holds `@` in its place, the object, and the
/// same values as an array, which a derived reader takes for the object.
const OBJECTS: &[(&str, &str, &str, &str)] = &[
    (
        "Request",
        "@",
        r#"{"call":{"id":"c","tool":"Bash","args":{}}}"#,
        r#"[{"id":"c","tool":"Bash","args":{}},null,null,[],"linux","bash","bypass",false,true,0,
            null,[],[],[],null,null]"#,
    ),
    (
        "CallRequest",
        r#"{"call":@,"mode":"bypass"}"#,
        r#"{"id":"c","tool":"Bash","args":{}}"#,
        r#"["c","Bash",{},null]"#,
    ),
    (
        "McpRequest",
        r#"{"call":{"id":"c","tool":"x","args":{},"mcp":@}}"#,
        r#"{"server":"a","tool":"b"}"#,
        r#"["a","b"]"#,
    ),
    (
        "AncestorRequest",
        r#"{"call":{"id":"c","tool":"x","args":{}},"ancestors":[@]}"#,
        r#"{"agent":"main","mode":"bypass"}"#,
        r#"["main","bypass",false]"#,
    ),
    (
        "RuleRequest",
        r#"{"call":{"id":"c","tool":"x","args":{}},"rules":[@]}"#,
        r#"{"effect":"allow","rule":"x","from":"user"}"#,
        r#"["allow","x","user"]"#,
    ),
    (
        "HookRequest",
        r#"{"call":{"id":"c","tool":"x","args":{}},"hooks":[@]}"#,
        r#"{"id":"h","answer":{"decision":"none"}}"#,
        r#"["h","guard",{"decision":"allow"}]"#,
    ),
    (
        "ResolveRequest",
        r#"{"call":{"id":"c","tool":"x","args":{}},"resolve":[@]}"#,
        r#"{"answer":"yes"}"#,
        r#"["yes",null,null,null,null]"#,
    ),
    (
        "RememberRequest",
        r#"{"call":{"id":"c","tool":"x","args":{}},"resolve":{"answer":"yes","remember":@}}"#,
        r#"{"scope":"session","rule":"x"}"#,
        r#"["session","x"]"#,
    ),
    (
        "FactsRequest",
        r#"{"call":{"id":"c","tool":"x","args":{}},"facts":@}"#,
        r#"{"known_tools":["x"]}"#,
        r#"[["x"],{}]"#,
    ),
];

/// Read apart: what is wrong in it is the hook's fault, not the request's.
const OF_A_HOOK: &str = "HookAnswerRequest";

#[test]
fn no_array_is_read_as_an_object() {
    for (name, request, object, array) in OBJECTS {
        decide(request.replace('@', object));
        for other in [array, "[]", "true", "7", "\"x\""] {
            let run = run(&["decide"], request.replace('@', other));
            assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{name}: {other}");
            let told = match *name {
                // A lone answer may stand for a list of them.
                "ResolveRequest" => "at resolve[0]: expected an object, found",
                _ => "expected an object",
            };
            assert!(run.stderr.contains(told), "{name}: {}", run.stderr);
        }
    }
}

#[test]
fn a_hook_answer_that_is_an_array_is_out_of_contract() {
    for answer in [
        r#"["allow"]"#,
        r#"["allow",null,null,null,null,null]"#,
        "[]",
    ] {
        for mode in ["default", "bypass"] {
            let hook = format!(r#""mode":"{mode}","hooks":[{{"id":"h","answer":{answer}}}]"#);
            let decision = decide(line("ls", &hook));
            assert_eq!(short(&decision), "deny hook", "{answer}");
            assert_eq!(
                decision["reason"],
                "the PreToolUse hook `h` gave an out-of-contract answer: expected an object, \
                 found an array"
            );
        }
    }
}

/// A struct added later is in the table above, or this fails.
#[test]
fn every_struct_of_the_wire_is_walked() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/decide/request.rs");
    let source = std::fs::read_to_string(source).expect("the source can be read");
    let mut read = BTreeSet::new();
    for item in source.split("#[derive(").skip(1) {
        let (derived, rest) = item.split_once(")]").expect("a derive ends");
        if derived.contains("Deserialize") {
            assert!(
                rest.starts_with("\n#[serde(remote = \"Self\""),
                "{rest:.120}"
            );
            let name = rest.split("struct ").nth(1).expect("a struct");
            read.insert(name.split(' ').next().expect("a name"));
        }
    }
    let mut walked: BTreeSet<_> = OBJECTS.iter().map(|(name, ..)| *name).collect();
    walked.insert(OF_A_HOOK);
    assert_eq!(read, walked);
}
