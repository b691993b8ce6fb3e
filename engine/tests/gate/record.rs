//! §11: the record `gatefold/record/v1`. Source: G002, G020–G024.

use std::fmt;

use gatefold::gate::*;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::case::*;
use crate::record_cases::{record, records};

/// The keys, in their order.
const KEYS: [&str; 18] = [
    "schema",
    "call",
    "mode",
    "verdict",
    "denied_by",
    "allowed_by",
    "asked",
    "settled",
    "basis",
    "released",
    "refused",
    "classifier",
    "inherited_classifier",
    "cause",
    "digests",
    "policy",
    "ticket",
    "host",
];

/// Each representative record, with the keys that it has beside those that every record has.
const PRESENT: [(&str, &[&str]); 19] = [
    ("allowed_as_nobody_stated", &["allowed_by"]),
    (
        "allowed_by_a_stored_rule",
        &["allowed_by", "asked", "basis"],
    ),
    (
        "allowed_by_the_classifier",
        &["allowed_by", "asked", "classifier"],
    ),
    ("answered_yes_to_keep", &["allowed_by", "asked", "settled"]),
    ("attested_yes", &["allowed_by", "settled"]),
    ("cancelled", &["denied_by", "asked", "settled", "ticket"]),
    (
        "classifier_did_not_rule",
        &["denied_by", "asked", "classifier", "cause"],
    ),
    ("denied_by_a_hook", &["denied_by", "basis", "policy"]),
    ("denied_under_lock", &["denied_by"]),
    ("edited", &["allowed_by", "asked", "settled"]),
    (
        "host_that_cannot_ask",
        &["denied_by", "asked", "settled", "host"],
    ),
    (
        "inherited_round",
        &["denied_by", "inherited_classifier", "cause"],
    ),
    ("nobody_to_ask", &["denied_by", "asked", "settled"]),
    ("parked", &["asked", "basis", "ticket"]),
    ("pending", &["asked", "basis"]),
    ("refused_by_mode", &["denied_by", "asked", "refused"]),
    ("released", &["allowed_by", "asked", "released"]),
    ("shown_and_refused", &["denied_by", "asked", "settled"]),
    ("vetoed_yes", &["denied_by", "asked", "settled", "basis"]),
];

/// A record that is right, what of it is replaced by what, and how it is then refused.
const TAMPERED: [(&str, &str, &str, &str); 24] = [
    (
        "released",
        r#""mode":"bypass","verdict""#,
        r#""mode":"default","verdict""#,
        "a release is of the caller's own mode",
    ),
    (
        "nobody_to_ask",
        r#""origin":"unstated"},"settled""#,
        r#""origin":"edit"},"settled""#,
        "the origin is not the first in precedence",
    ),
    (
        "released",
        r#""verdict":"allow""#,
        r#""verdict":"deny""#,
        "args run exactly on an allow",
    ),
    (
        "released",
        r#""verdict":"allow""#,
        r#""verdict":"ask""#,
        "an ask's record says how it was decided",
    ),
    (
        "released",
        r#""allowed_by":"mode""#,
        r#""allowed_by":"stored_rule""#,
        "release_without_mode",
    ),
    (
        "released",
        r#","released":{"mode":"bypass","past_read_deny":true}"#,
        "",
        "mode_without_release",
    ),
    (
        "released",
        r#""allowed_by":"mode","#,
        "",
        "allow_without_allower",
    ),
    (
        "released",
        "record/v1",
        "record/v2",
        "this is no gatefold/record/v1",
    ),
    (
        "nobody_to_ask",
        r#""verdict":"deny""#,
        r#""verdict":"allow""#,
        "args run exactly on an allow",
    ),
    (
        "nobody_to_ask",
        r#""answer":"unanswered""#,
        r#""answer":"yes""#,
        "malformed_settlement",
    ),
    (
        "nobody_to_ask",
        r#""by":"engine""#,
        r#""by":"person""#,
        "malformed_settlement",
    ),
    (
        "nobody_to_ask",
        r#""why":"nobody","#,
        "",
        "malformed_settlement",
    ),
    (
        "nobody_to_ask",
        r#""by":"engine","why""#,
        r#""by":"engine","edited":true,"why""#,
        "malformed_settlement",
    ),
    (
        "nobody_to_ask",
        r#","origin":"unstated"},"digests"#,
        r#"},"digests"#,
        "settlement_without_origin",
    ),
    (
        "nobody_to_ask",
        r#""denied_by":"ask_resolution""#,
        r#""denied_by":"org""#,
        "refusal_beside_other_layer",
    ),
    (
        "refused_by_mode",
        r#","refused":{"mode":"dont_ask","unplaced_options":"cp"}"#,
        "",
        "mode_without_refusal_card",
    ),
    (
        "refused_by_mode",
        r#""denied_by":"mode""#,
        r#""denied_by":"org""#,
        "refusal_card_without_mode",
    ),
    (
        "vetoed_yes",
        r#""denied_by":"org""#,
        r#""denied_by":"classifier""#,
        "yes_beside_non_veto_layer",
    ),
    (
        "classifier_did_not_rule",
        r#""denied_by":"classifier""#,
        r#""denied_by":"org""#,
        "cause_without_classifier_refusal",
    ),
    (
        "answered_yes_to_keep",
        r#""allowed_by":"ask_resolution""#,
        r#""allowed_by":"sandbox""#,
        "yes_beside_automatic_allower",
    ),
    (
        "pending",
        r#""verdict":"ask""#,
        r#""verdict":"ask","denied_by":"org""#,
        "an ask's record says how it was decided",
    ),
    (
        "pending",
        r#""verdict":"ask""#,
        r#""verdict":"allow","allowed_by":"policy""#,
        "args run exactly on an allow",
    ),
    (
        "pending",
        r#""digests":{"#,
        r#""args":{"command":"x"},"digests":{"#,
        "unknown field `args`",
    ),
    (
        "pending",
        r#""verdict":"ask""#,
        r#""verdict":"maybe""#,
        "unknown variant `maybe`",
    ),
];

#[test]
fn each_key_stands_in_its_place_exactly_when_it_applies() {
    let always = ["schema", "call", "mode", "verdict", "digests"];
    let records = records();
    let names: Vec<_> = records.iter().map(|(name, _)| *name).collect();
    let listed: Vec<_> = PRESENT.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, listed);
    for ((name, record), (_, present)) in records.iter().zip(PRESENT) {
        let expected: Vec<_> = KEYS
            .into_iter()
            .filter(|key| always.contains(key) || present.contains(key))
            .collect();
        assert_eq!(keys(record), expected, "{name}");
    }
    for key in KEYS {
        let has = |(_, present): &(&str, &[&str])| present.contains(&key);
        assert!(
            always.contains(&key) || PRESENT.iter().any(has),
            "{key} never applies"
        );
    }
}

#[test]
fn records_look_like_this() {
    for (name, record) in records() {
        insta::assert_json_snapshot!(name, record);
    }
}

#[test]
fn a_record_comes_back_from_its_bytes_as_it_was() {
    for (name, record) in records() {
        let json = record.to_json();
        let read: Record = serde_json::from_str(&json).unwrap();
        assert_eq!(read, record, "{name}");
        assert_eq!(read.to_json(), json, "{name}");
        assert_eq!(serde_json::to_string(&record).unwrap(), json, "{name}");
        assert_eq!(record.digest(), Digest::of(json.as_bytes()), "{name}");
        assert!(!json.contains('\n'), "{name}");
    }
}

/// It is screened as the mint would screen it.
#[test]
fn a_tampered_record_is_refused() {
    for (name, from, to, expected) in TAMPERED {
        let json = record(name).to_json();
        // The last place is the record's own: askers have no such fields.
        let (head, tail) = json
            .rsplit_once(from)
            .unwrap_or_else(|| panic!("{name}: no {from}"));
        let error = serde_json::from_str::<Record>(&format!("{head}{to}{tail}")).unwrap_err();
        let error = error.to_string();
        assert!(error.contains(expected), "{name}, {from} → {to}: {error}");
    }
}

/// Each alone: none of them may hide behind another.
#[test]
fn an_asks_record_with_any_word_of_a_decision_is_refused() {
    let digest = args(ASKED).digest();
    for decided in [
        r#""denied_by":"org","#.to_owned(),
        r#""allowed_by":"policy","#.to_owned(),
        format!(
            r#""settled":{{"answer":"no","by":"person","round":0,"for":"{digest}","origin":"org"}},"#
        ),
        r#""released":{"mode":"bypass"},"#.to_owned(),
        r#""refused":{"mode":"dont_ask"},"#.to_owned(),
        r#""cause":"unavailable","#.to_owned(),
    ] {
        let json = record("pending").to_json();
        let read = |json: &str| serde_json::from_str::<Record>(json);
        let with = json.replacen(r#""digests":"#, &format!(r#"{decided}"digests":"#), 1);
        let error = read(&with).unwrap_err().to_string();
        assert!(error.contains("how it was decided"), "{decided}: {error}");
        assert!(read(&json).is_ok());
    }
    let json = record("pending").to_json();
    let runs = format!(r#""digests":{{"runs":"{digest}","#);
    let error = serde_json::from_str::<Record>(&json.replacen(r#""digests":{"#, &runs, 1));
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("how it was decided")
    );
}

#[test]
fn no_args_no_content_and_no_reason_stand_in_a_record() {
    const SECRET: &str = "hunter2";
    let with = |command: &str| format!(r#"{{"command":"{command} {SECRET}"}}"#);
    let [asked, rewritten, edited] = ["a", "b", "c"].map(with);
    let call = Call {
        args: args(&asked),
        ..call()
    };
    let mut says = judgement(PolicyRuling::Ask);
    says.reason = Some(SECRET.into());
    let mut hook = HookAnswer::plain(HookDecision::Ask);
    hook.reason = Some(SECRET.into());
    hook.context = Some(SECRET.into());
    hook.rewrite = Some(rewritten.as_str().into());
    let base = Case::of(call)
        .guard("g")
        .hooks(&[("g", HookOutcome::Answered(hook))])
        .says(Answer::Adjudicate(Ok(Adjudication {
            judgements: vec![says],
            ..Adjudication::default()
        })))
        .says(Answer::Park(Ok(Parking::Failed(SECRET.into()))));
    let no = Resolved::No {
        by: Answerer::Person,
        reason: Some(SECRET.into()),
    };
    let yes = base.clone().resolves(Resolved::YES);
    let edits = base.clone().resolves(edits(&edited)).resolves(no.clone());
    let parked = base.clone().says(Answer::Park(Ok(Parking::Parked)));
    let mut records = vec![
        ("pending", yes.run_to(Seat::Adjudicate).pending()),
        ("asked", yes.run_to(Seat::Resolve).pending()),
    ];
    let no = base.resolves(no);
    for (name, case) in [("yes", yes), ("no", no), ("edited", edits)] {
        let ended = case.finish();
        if let Some(reason) = ended.reason() {
            assert!(reason.contains(SECRET), "{name}: {reason}");
        }
        records.push((name, ended.record()));
    }
    let failing_then_parked = parked
        .run_to(Seat::Park)
        .answer(Answer::Park(Ok(Parking::Parked)));
    let Step::Done(result) = failing_then_parked.unwrap() else {
        panic!("it is parked")
    };
    let GateResult::Suspended(suspended) = *result else {
        panic!("it is parked")
    };
    records.push(("parked", suspended.parked.record()));
    for (name, record) in records {
        let json = record.to_json();
        assert!(!json.contains(SECRET), "{name}: {json}");
    }
}

/// A record is not an outcome: it says more, and is read back through the same screen.
#[test]
fn an_asks_record_says_nothing_of_how_it_was_decided() {
    for name in ["pending", "parked"] {
        let record = record(name);
        let fields = record.fields();
        assert_eq!(fields.verdict, Verdict::Ask, "{name}");
        let decided = (fields.denied_by, fields.allowed_by, fields.settled.clone());
        assert_eq!(decided, (None, None, None), "{name}");
        assert_eq!(fields.digests.runs, None, "{name}");
    }
}

/// Every asker is named, cleared or not. Source: G002.
#[test]
fn a_cleared_objection_stays_in_the_record() {
    let ended = Case::new()
        .says(Answer::Egress(Ok(Egress::Outside(Some(
            "example.org".into(),
        )))))
        .rules(RuleRuling::Allow { grant: None })
        .finish();
    let asked = ended.record().fields().asked.clone().unwrap();
    assert_eq!(asked.origin, Some(AskOrigin::Egress));
    let [only] = asked.askers.as_slice() else {
        panic!("one asked")
    };
    assert_eq!(only.cause, Cause::Outside);
    assert_eq!(only.part, Some("example.org".into()));
}

#[test]
fn what_nobody_asked_about_has_no_askers() {
    let ended = Case::new().policy(STATED).finish();
    assert_eq!(ended.record().fields().asked, None);
}

/// What runs, what was asked and what a yes was for are told apart. Source: G101.
#[test]
fn the_digests_tell_what_was_asked_from_what_runs() {
    let of = |text: &str| args(text).digest();
    let edited = Case::new().resolves(edits(OTHER)).finish().record();
    assert_eq!(edited.fields().digests.asked, of(ASKED));
    assert_eq!(edited.fields().digests.runs, Some(of(OTHER)));
    assert_eq!(
        edited.fields().settled.clone().unwrap().given_for,
        of(OTHER)
    );

    let rewritten = Case::new()
        .says(policy(STATED, Some(THIRD)))
        .finish()
        .record();
    assert_eq!(rewritten.fields().digests.asked, of(ASKED));
    assert_eq!(rewritten.fields().digests.runs, Some(of(THIRD)));

    let refused = Case::new().resolves(Resolved::NO).finish().record();
    assert_eq!(refused.fields().digests.runs, None);
    let facts = Digest::of(b"facts");
    let with_facts = Case::new()
        .with(|input| input.facts(facts))
        .finish()
        .record();
    assert_eq!(with_facts.fields().digests.facts, Some(facts));
}

/// Timeout, abort, nobody and no are four different words.
#[test]
fn four_endings_have_four_words() {
    let rows = [
        (
            Case::new().says(Answer::Resolve(Err(SeatFailure::TimedOut))),
            "timeout",
        ),
        (
            Case::new().says(Answer::Resolve(Err(SeatFailure::Aborted))),
            "aborted",
        ),
        (Case::new(), "nobody"),
        (Case::new().resolves(Resolved::NO), "no"),
    ];
    for (case, word) in rows {
        let settled = case.finish().record().fields().settled.clone().unwrap();
        let found = settled.why.map_or(settled.answer.word(), Unanswered::word);
        assert_eq!(found, word);
    }
}

#[test]
fn a_host_that_loses_something_is_named_last() {
    let record = record("nobody_to_ask");
    let with_host = record.clone().with_host("claude-code", "ask");
    let host = RecordHost {
        name: "claude-code".into(),
        lost: "ask".into(),
    };
    assert_eq!(with_host.fields().host, Some(host));
    let (head, _) = with_host
        .to_json()
        .split_once(r#","host""#)
        .map(|(h, t)| (h.to_owned(), t.to_owned()))
        .unwrap();
    assert_eq!(format!("{head}}}"), record.to_json());
}

/// The keys of a record's bytes, in the order in which they stand there.
fn keys(record: &Record) -> Vec<String> {
    struct Keys;
    impl<'de> Visitor<'de> for Keys {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Vec<String>, M::Error> {
            let mut keys = Vec::new();
            while let Some((key, IgnoredAny)) = map.next_entry()? {
                keys.push(key);
            }
            Ok(keys)
        }
    }
    let json = record.to_json();
    serde_json::Deserializer::from_str(&json)
        .deserialize_map(Keys)
        .unwrap()
}
