//! The JSON Schemas of what is read and printed: they say what the program does, no more and no less.

mod policies;
mod records;
mod requests;
#[path = "../support/mod.rs"]
mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use support::schemas::{DECISION, RECORD, REQUEST, faults};
use support::{examples, files, parse, run};

const KINDS: [&str; 5] = ["request", "decision", "record", "policy", "lint"];

#[test]
fn the_committed_schemas_are_what_the_program_prints() {
    for kind in KINDS {
        let printed = schema(kind);
        if std::env::var_os("GATEFOLD_UPDATE_SCHEMAS").is_some() {
            fs::write(path(kind), &printed).expect("the schema can be written");
        }
        let committed = fs::read_to_string(path(kind)).unwrap_or_default();
        assert!(
            committed == printed,
            "schemas/{kind}.json is stale: run GATEFOLD_UPDATE_SCHEMAS=1 cargo test -p gatefold-cli \
             --test schemas"
        );
    }
}

#[test]
fn a_schema_is_one_as_its_draft_says() {
    for kind in KINDS {
        let text = schema(kind);
        assert!(
            text.starts_with("{\n  \"") && text.ends_with("}\n"),
            "{kind}"
        );
        let schema = parse(&text);
        let draft = "https://json-schema.org/draft/2020-12/schema";
        assert_eq!(schema["$schema"], draft, "{kind}");
        jsonschema::meta::validate(&schema).unwrap_or_else(|error| panic!("{kind}: {error}"));
        for key in ["$id", "title", "description"] {
            assert!(schema[key].is_string(), "{kind}: {key}");
        }
    }
}

#[test]
fn every_field_is_described_and_every_object_closed() {
    for kind in KINDS {
        let schema = parse(&schema(kind));
        let definitions = schema["$defs"].as_object().expect("definitions");
        for (name, object) in [(kind, &schema)].into_iter().chain(
            definitions
                .iter()
                .map(|(name, object)| (name.as_str(), object)),
        ) {
            assert!(object["description"].is_string(), "{kind}: {name}");
            let Some(fields) = object["properties"].as_object() else {
                let is_choice = object["anyOf"].is_array();
                assert!(is_choice || object["type"] == "string", "{kind}: {name}");
                continue;
            };
            let closed = object["additionalProperties"] == false;
            assert_eq!(closed, name != "Account", "{kind}: {name}");
            for (field, of) in fields {
                let described = of["description"].as_str().unwrap_or_default();
                assert!(described.ends_with(['.', '…']), "{kind}: {name}.{field}");
                assert!(!described.contains('\n'), "{kind}: {name}.{field}");
            }
        }
    }
}

#[test]
fn every_example_and_what_is_printed_for_it_fits() {
    let plain = examples()
        .into_iter()
        .map(|(name, request)| (name, request, &[][..]));
    let policy = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/gatefold.toml");
    let by_policy = ["--policy", policy];
    let calls = files("examples/calls").into_iter();
    let calls = calls.map(|(name, request)| (name, request, &by_policy[..]));
    for (name, request, options) in plain.chain(calls) {
        let args = [&["decide"], options].concat();
        let decision = parse(&run(&args, &request).stdout);
        assert_eq!(faults(&REQUEST, &parse(&request)), [""; 0], "{name}");
        assert_eq!(faults(&DECISION, &decision), [""; 0], "{name}");
        assert_eq!(faults(&RECORD, &decision["record"]), [""; 0], "{name}");
        let args = [&args[..], &["--explain", "--format", "json"]].concat();
        let explained = parse(&run(&args, &request).stdout);
        assert!(explained["explain"].is_object(), "{name}");
        assert_eq!(faults(&DECISION, &explained), [""; 0], "{name}");
    }
}

#[test]
fn a_decision_that_contradicts_itself_does_not_fit() {
    let fields = |name: &str| {
        let (_, request) = examples()
            .into_iter()
            .find(|(known, _)| known == name)
            .expect("an example");
        parse(&run(&["decide"], request).stdout)
    };
    let allow = fields("git-status-allowed");
    let deny = fields("hook-denies");
    let with = |decision: &Value, key: &str, value: Value| {
        let mut decision = decision.clone();
        decision[key] = value;
        decision
    };
    let without = |decision: &Value, key: &str| {
        let mut decision = decision.clone();
        decision.as_object_mut().expect("an object").remove(key);
        decision
    };
    for (what, decision) in [
        ("an allow without args", without(&allow, "args")),
        (
            "an allow with a reason",
            with(&allow, "reason", "no".into()),
        ),
        (
            "an allow with a deny's record",
            with(&allow, "record", deny["record"].clone()),
        ),
        ("a deny with args", with(&deny, "args", parse("{}"))),
        ("a deny without a reason", without(&deny, "reason")),
        (
            "a deny that calls itself an ask",
            with(&deny, "verdict", "ask".into()),
        ),
        ("args that are no object", with(&allow, "args", parse("[]"))),
        ("no record", without(&deny, "record")),
        ("an unknown field", with(&deny, "why", "no".into())),
        ("an empty list", with(&deny, "notices", parse("[]"))),
    ] {
        assert_ne!(faults(&DECISION, &decision), [""; 0], "{what}");
    }
}

#[test]
fn the_help_tells_what_each_schema_is_of() {
    let help = run(&["schema", "--help"], "").stdout;
    for kind in KINDS {
        assert!(help.contains(&format!("- {kind}:")), "{help}");
    }
}

#[test]
fn a_schema_that_nobody_knows_is_refused() {
    for args in [
        &["schema"][..],
        &["schema", "answer"],
        &["schema", "request", "record"],
    ] {
        let run = run(args, "");
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_schema_that_cannot_be_written_is_not_printed() {
    use fs::File;
    use std::process::Command;

    let full = File::options()
        .write(true)
        .open("/dev/full")
        .expect("it opens");
    let read_only = File::open("/dev/null").expect("it opens");
    for (output, code) in [(full, 74), (read_only, 74)] {
        let run = Command::new(env!("CARGO_BIN_EXE_gatefold"))
            .args(["schema", "record"])
            .stdout(output)
            .output()
            .expect("the program ends");
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(code), "{stderr}");
        assert!(
            stderr.contains("standard output cannot be written"),
            "{stderr}"
        );
    }
}

/// The committed copy of a schema.
fn path(kind: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas");
    folder.join(kind).with_extension("json")
}

fn schema(kind: &str) -> String {
    let ran = run(&["schema", kind], "");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{kind}");
    ran.stdout
}

/// Every place in a value, as a pointer, the whole first.
fn places(value: &Value) -> Vec<String> {
    let mut places = vec![String::new()];
    let mut next = 0;
    while let Some(place) = places.get(next).cloned() {
        next += 1;
        match value.pointer(&place).expect("a place") {
            Value::Object(object) => {
                places.extend(object.keys().map(|key| format!("{place}/{}", escaped(key))));
            }
            Value::Array(values) => {
                places.extend((0..values.len()).map(|index| format!("{place}/{index}")));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    places
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The value without the key at this place, if a key leads there.
fn dropped(value: &Value, place: &str) -> Option<Value> {
    let (parent, key) = place.rsplit_once('/')?;
    let mut value = value.clone();
    let key = key.replace("~1", "/").replace("~0", "~");
    value.pointer_mut(parent)?.as_object_mut()?.remove(&key)?;
    Some(value)
}

/// The value with a key that nobody knows in the object at this place, if there is one.
fn widened(value: &Value, place: &str) -> Option<Value> {
    let mut value = value.clone();
    let object = value.pointer_mut(place)?.as_object_mut()?;
    object.insert("nobody_knows".into(), true.into());
    Some(value)
}

/// The value with another at this place.
fn replaced(value: &Value, place: &str, other: Value) -> Value {
    let mut value = value.clone();
    *value.pointer_mut(place).expect("a place") = other;
    value
}
