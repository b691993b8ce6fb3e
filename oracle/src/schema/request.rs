//! What the schema of a request says beside the types of its fields.

use std::borrow::Cow;
use std::marker::PhantomData;

use gatefold::gate::SettledAnswer;
use gatefold::limits::TEXT_BYTES_MAX;
use gatefold_policy::Effect;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::json;

use super::conditions::{Fields, all_of, unless, when, when_else};

/// Any object.
pub(crate) struct Object;

impl JsonSchema for Object {
    fn schema_name() -> Cow<'static, str> {
        "Object".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object" })
    }
}

/// A value, or a list of them.
pub(crate) struct OneOrMany<T>(PhantomData<T>);

impl<T: JsonSchema> JsonSchema for OneOrMany<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("OneOrMany{}", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<T>();
        json_schema!({ "anyOf": [one, { "type": "array", "items": one }] })
    }
}

/// A deny or an ask must be understood; an allow need not be.
pub(crate) fn rule(schema: &mut Schema) {
    let effects = Effect::ALL.iter().copied();
    let refusing: Vec<_> = effects
        .filter(|effect| effect.refuses())
        .map(Effect::word)
        .collect();
    let text = json!({ "minLength": 1, "maxLength": TEXT_BYTES_MAX });
    let understood = when(Fields::is("effect", &refusing), Fields::with("rule", text));
    all_of(schema, vec![understood]);
}

/// A hook decides or failed, and says nothing that belongs to the other.
pub(crate) fn hook_answer(schema: &mut Schema) {
    let word = json!({ "type": "string" });
    let failed = Fields::with("failed", word.clone());
    let decides = Fields::with("decision", word).and_null(&["text"]);
    let beside_failed = Fields::null(&["decision", "reason", "rewrite", "context"]);
    all_of(schema, vec![when_else(failed, beside_failed, decides)]);
}

/// An answer says only what belongs to it.
pub(crate) fn resolve(schema: &mut Schema) {
    let answer = |answer: SettledAnswer| Fields::is("answer", &[answer.word()]);
    let of_a_yes = Fields::null(&["edit", "remember"]);
    let of_no_answer = Fields::null(&["why"]);
    let conditions = vec![
        unless(answer(SettledAnswer::Yes), of_a_yes),
        unless(answer(SettledAnswer::Unanswered), of_no_answer),
    ];
    all_of(schema, conditions);
}
