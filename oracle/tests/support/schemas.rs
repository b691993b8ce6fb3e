//! Holding what is read and printed to the schemas that the program prints.

use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;

pub static REQUEST: LazyLock<Validator> = LazyLock::new(|| validator("request"));
pub static RECORD: LazyLock<Validator> = LazyLock::new(|| validator("record"));
pub static DECISION: LazyLock<Validator> = LazyLock::new(|| validator("decision"));
pub static POLICY: LazyLock<Validator> = LazyLock::new(|| validator("policy"));
pub static LINT: LazyLock<Validator> = LazyLock::new(|| validator("lint"));

fn validator(kind: &str) -> Validator {
    let schema = super::parse(&super::run(&["schema", kind], "").stdout);
    jsonschema::draft202012::new(&schema).unwrap_or_else(|error| panic!("{kind}: {error}"))
}

/// What the schema says against a value: places and sentences, or nothing.
pub fn faults(schema: &Validator, value: &Value) -> Vec<String> {
    let faults = schema.iter_errors(value);
    faults
        .map(|fault| format!("{}: {fault:.200}", fault.instance_path()))
        .collect()
}

/// A request that was decided fits its schema, and so does the decision.
pub fn hold(request: &[u8], decision: &Value) {
    assert_eq!(faults(&DECISION, decision), [""; 0], "{decision}");
    assert_eq!(faults(&RECORD, &decision["record"]), [""; 0], "{decision}");
    // What a hook said wrong may be half of a surrogate pair, which no value holds.
    let Ok(mut request) = serde_json::from_slice::<Value>(request) else {
        return;
    };
    if !REQUEST.is_valid(&request) {
        without_what_others_say(&mut request);
    }
    assert_eq!(faults(&REQUEST, &request), [""; 0], "{request:.2000}");
}

/// Takes away what is decided, and not refused, when something is wrong with it: what a hook said, and
/// the edit of whoever was asked.
fn without_what_others_say(request: &mut Value) {
    let hooks = request.get_mut("hooks").and_then(Value::as_array_mut);
    take(hooks.into_iter().flatten(), "answer");
    match request.get_mut("resolve") {
        Some(Value::Array(answers)) => take(answers, "edit"),
        answer => take(answer, "edit"),
    }
}

fn take<'a>(objects: impl IntoIterator<Item = &'a mut Value>, key: &str) {
    let objects = objects.into_iter().filter_map(Value::as_object_mut);
    objects.for_each(|object| drop(object.remove(key)));
}
