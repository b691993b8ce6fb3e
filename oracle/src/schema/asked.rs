//! What stands beside what in an ask, and in how it was settled.

use gatefold::gate::{AskOrigin, SettledAnswer, SettledBy};
use schemars::Schema;
use serde_json::{Map, Value, json};

use super::conditions::{Fields, all_of, one_of, unless, when, when_else};
use crate::decide::{Objection, Vocabulary};

/// The origin is the first in precedence among those of the askers' causes.
pub(super) fn asked(schema: &mut Schema) {
    let owed = asks(&objections(|origin| origin.is_some()));
    let mut conditions = vec![when_else(
        owed,
        Fields::present(&["origin"]),
        Fields::absent(&["origin"]),
    )];
    for origin in AskOrigin::ALL {
        let own = objections(|of| of == Some(*origin));
        let earlier = objections(|of| of.is_some_and(|of| of < *origin));
        let mut first = contains(&own);
        if !earlier.is_empty() {
            first.insert("not".to_owned(), contains(&earlier).into());
        }
        conditions.push(when(
            Fields::is("origin", &[origin.word()]),
            Fields::with("askers", first),
        ));
    }
    all_of(schema, conditions);
}

/// One of the askers has one of these causes.
fn asks(causes: &[&str]) -> Fields {
    Fields::with("askers", contains(causes))
}

fn contains(causes: &[&str]) -> Map<String, Value> {
    Map::from_iter([("contains".to_owned(), Fields::is("cause", causes).into())])
}

/// The causes that object and are owed to such an origin.
fn objections(owed: impl Fn(Option<AskOrigin>) -> bool) -> Vec<&'static str> {
    let objections = Objection::spellings();
    let owed = objections.filter(|(_, objection)| owed(objection.0.origin()));
    owed.map(|(word, _)| word).collect()
}

/// The engine settles exactly what stayed unanswered, which has a reason; an edit and a grant belong
/// to a yes.
pub(super) fn settled(schema: &mut Schema) {
    let answer = |answer: SettledAnswer| Fields::is("answer", &[answer.word()]);
    let engine = one_of(&[SettledBy::Engine.word()]);
    let unanswered = Fields::with("by", engine.clone()).and_present(&["why"]);
    let answered = Fields::with("by", json!({ "not": engine })).and_absent(&["why"]);
    let conditions = vec![
        when_else(answer(SettledAnswer::Unanswered), unanswered, answered),
        unless(
            answer(SettledAnswer::Yes),
            Fields::absent(&["edited", "grant"]),
        ),
    ];
    all_of(schema, conditions);
}
