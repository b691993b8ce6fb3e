//! The schema of a record and its reader, which screens a record as the mint would, say the same.

use std::fs;
use std::path::Path;

use gatefold::gate::{
    AllowedBy, AskOrigin, Cause, ClassifierCause, DeniedBy, Record, ReleasingMode, SettledAnswer,
    SettledBy, Unanswered, Verdict,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::parse;
use crate::support::schemas::{RECORD, faults};
use crate::{dropped, places, replaced, widened};

const DIGEST: &str = "sha256:d22fa347f9bb77e0753363cb7fb08a414b874dbae88ccb14db892cc77dba5846";

/// A golden record, the place of what is put there, and what that is; both refuse it.
const WRONG: &[(&str, &str, &str)] = &[
    ("pending", "/asked/origin", r#""unstated""#),
    ("pending", "/schema", r#""gatefold/record/v2""#),
    ("pending", "/schema", "1"),
    ("pending", "/call/id", "7"),
    ("pending", "/mode", r#""yolo""#),
    ("pending", "/verdict", r#""maybe""#),
    ("pending", "/verdict", r#""allow""#),
    ("pending", "/verdict", r#""deny""#),
    ("nobody_to_ask", "/asked/origin", r#""org""#),
    ("pending", "/asked/origin", r#""nobody""#),
    ("pending", "/asked/askers", "{}"),
    ("pending", "/asked/askers/0/cause", r#""mood""#),
    ("pending", "/asked/askers/0/station", r#""kitchen""#),
    ("pending", "/asked/askers/0/round", "256"),
    ("pending", "/asked/askers/0/round", "-1"),
    ("pending", "/asked/askers/1/basis/index", "4294967296"),
    ("pending", "/basis/rule", "[]"),
    ("pending", "/digests", "[]"),
    ("pending", "/digests/asked", r#""d22f""#),
    (
        "pending",
        "/digests/asked",
        r#""sha256:D22FA347F9BB77E0753363CB7FB08A414B874DBAE88CCB14DB892CC77DBA5846""#,
    ),
    (
        "pending",
        "/digests/asked",
        r#""sha512:d22fa347f9bb77e0753363cb7fb08a414b874dbae88ccb14db892cc77dba5846""#,
    ),
    ("parked", "/ticket", r#""t1""#),
    ("denied_by_a_hook", "/denied_by", r#""nobody""#),
    ("denied_by_a_hook", "/denied_by", r#""mode""#),
    ("denied_by_a_hook", "/denied_by", r#""ask_resolution""#),
    ("denied_by_a_hook", "/denied_by", r#""edit_cap""#),
    ("denied_by_a_hook", "/verdict", r#""ask""#),
    ("denied_by_a_hook", "/policy", r#""v1""#),
    ("refused_by_mode", "/refused/mode", r#""bypass""#),
    ("refused_by_mode", "/refused/unplaced_options", r#""rm""#),
    ("refused_by_mode", "/denied_by", r#""org""#),
    ("released", "/mode", r#""default""#),
    ("released", "/released/mode", r#""accept_edits""#),
    ("released", "/released/mode", r#""dont_ask""#),
    ("released", "/allowed_by", r#""stored_rule""#),
    ("released", "/allowed_by", r#""nobody""#),
    ("edited", "/settled/answer", r#""no""#),
    ("edited", "/settled/by", r#""engine""#),
    ("edited", "/allowed_by", r#""classifier""#),
    ("edited", "/settled/for", r#""""#),
    ("nobody_to_ask", "/settled/by", r#""person""#),
    ("nobody_to_ask", "/settled/why", r#""asleep""#),
    ("nobody_to_ask", "/settled/answer", r#""yes""#),
    ("nobody_to_ask", "/denied_by", r#""org""#),
    ("vetoed_yes", "/denied_by", r#""classifier""#),
    ("vetoed_yes", "/denied_by", r#""compliance""#),
    ("classifier_did_not_rule", "/cause", r#""asleep""#),
    ("classifier_did_not_rule", "/denied_by", r#""org""#),
];

/// What no record says, though its reader takes it: what does not apply, as a null; another spelling;
/// and what no pass comes to.
const NEVER_WRITTEN: &[(&str, &str, &str)] = &[
    ("pending", "/call", r#"["c1","Bash"]"#),
    ("pending", "/mode", r#"{"plan":null}"#),
    ("edited", "/settled/edited", "false"),
    ("edited", "/settled/why", "null"),
    ("released", "/released/past_read_deny", "false"),
    ("pending", "/denied_by", "null"),
    ("pending", "/digests/runs", "null"),
    ("pending", "/call/id", r#""""#),
    ("denied_under_lock", "/asked", r#"{"askers":[]}"#),
    (
        "denied_under_lock",
        "/asked",
        r#"{"askers":[{"cause":"boundary_declined","station":"reversibility","round":0}]}"#,
    ),
];

#[test]
fn every_golden_record_fits() {
    let goldens = goldens();
    assert_eq!(goldens.len(), 19);
    for (name, record) in &goldens {
        assert_eq!(faults(&RECORD, record), [""; 0], "{name}");
        assert!(is_read(record), "{name}");
    }
}

#[test]
fn what_is_wrong_is_refused_by_the_schema_and_by_the_reader() {
    for (name, place, other) in WRONG {
        let record = replaced(&golden(name), place, parse(other));
        assert_eq!(judged(&record), [false, false], "{name}{place}: {other}");
    }
    for record in ["null", "7", "[]", "{}"] {
        assert_eq!(judged(&parse(record)), [false, false], "{record}");
    }
}

#[test]
fn what_no_record_says_is_refused_by_the_schema() {
    for (name, place, other) in NEVER_WRITTEN {
        let mut record = golden(name);
        let (parent, key) = place.rsplit_once('/').expect("a key");
        record.pointer_mut(parent).expect("a place")[key] = parse(other);
        assert_eq!(judged(&record), [false, true], "{name}{place}: {other}");
    }
}

#[test]
fn whatever_is_changed_in_a_golden_record_both_say_the_same_of_it() {
    let (mut mutants, mut refused) = (0, 0);
    for (name, golden) in goldens() {
        for place in places(&golden) {
            let mut others: Vec<_> = dropped(&golden, &place).into_iter().collect();
            if let Some(widened) = widened(&golden, &place) {
                assert_eq!(judged(&widened), [false, false], "{name}{place}");
                others.push(widened);
            }
            let values = [
                "null", "7", "-1", "1.5", r#""x""#, "[]", "{}", "[[]]", "[{}]",
            ];
            others.extend(values.map(|value| replaced(&golden, &place, parse(value))));
            for record in others {
                let schema = RECORD.is_valid(&record);
                assert_eq!(schema, is_written(&record), "{name}{place}: {record}");
                mutants += 1;
                refused += usize::from(!schema);
            }
        }
    }
    println!("{mutants} changed records, {refused} of them refused");
    assert!(refused > 2_000, "only {refused} of {mutants} were refused");
}

#[test]
fn every_key_that_always_stands_there_is_required() {
    let schema = parse(&crate::schema("record"));
    let mut dropped_keys = 0;
    for (name, golden) in goldens() {
        let required = schema["required"].as_array().expect("a list");
        for key in required.iter().filter_map(Value::as_str) {
            let record = dropped(&golden, &format!("/{key}")).expect("it stands there");
            assert_eq!(judged(&record), [false, false], "{name}: {key}");
            dropped_keys += 1;
        }
    }
    assert_eq!(dropped_keys, 19 * 5);
}

/// Who decided, and all that may stand beside them, in every combination.
#[test]
fn the_schema_takes_exactly_what_the_mint_does() {
    let settled = |answer: &str, by: &str| json!({ "answer": answer, "by": by, "round": 0, "for": DIGEST, "origin": "unstated" });
    let mut unanswered = settled("unanswered", "engine");
    unanswered["why"] = "nobody".into();
    let mut without_origin = settled("yes", "person");
    without_origin
        .as_object_mut()
        .expect("an object")
        .remove("origin");
    let settlements = [
        None,
        Some(settled("yes", "person")),
        Some(settled("no", "person")),
        Some(unanswered),
        Some(settled("yes", "engine")),
        Some(without_origin),
    ];
    let (mut tuples, mut taken) = (0, 0);
    for verdict in Verdict::ALL {
        let record = json!({
            "schema": "gatefold/record/v1", "call": { "id": "c1", "tool": "Bash" }, "mode": "bypass",
            "verdict": verdict,
            "asked": { "askers": [{ "cause": "unstated", "station": "unstated", "round": 0 }], "origin": "unstated" },
            "digests": if *verdict == Verdict::Allow { json!({ "asked": DIGEST, "runs": DIGEST }) } else { json!({ "asked": DIGEST }) },
        });
        let cards = maybe(ReleasingMode::ALL).map(|mode| mode.map(|mode| json!({ "mode": mode })));
        let cards: Vec<_> = cards.collect();
        for denied_by in maybe(DeniedBy::ALL) {
            for allowed_by in maybe(AllowedBy::ALL) {
                for cause in maybe(ClassifierCause::ALL) {
                    for (settled, released) in product(&settlements, &cards) {
                        for refused in [None, Some(json!({ "mode": "dont_ask" }))] {
                            let mut record = record.clone();
                            put(&mut record, "denied_by", denied_by.map(|by| json!(by)));
                            put(&mut record, "allowed_by", allowed_by.map(|by| json!(by)));
                            put(&mut record, "cause", cause.map(|cause| json!(cause)));
                            put(&mut record, "settled", settled.clone());
                            put(&mut record, "released", released.clone());
                            put(&mut record, "refused", refused);
                            let schema = RECORD.is_valid(&record);
                            assert_eq!(schema, is_read(&record), "{record}");
                            tuples += 1;
                            taken += usize::from(schema);
                        }
                    }
                }
            }
        }
    }
    println!("{tuples} combinations, {taken} of them taken");
    assert_eq!((tuples, taken), (3 * 14 * 10 * 3 * 6 * 3 * 2, 38));
}

#[test]
fn the_schema_takes_exactly_the_settlements_that_are_well_formed() {
    let grants = [None, Some(json!({ "scope": "session", "rule": "Bash" }))];
    let mut taken = 0;
    for answer in SettledAnswer::ALL {
        let by_whom = if *answer == SettledAnswer::Yes {
            "org"
        } else {
            "ask_resolution"
        };
        for by in SettledBy::ALL {
            for why in maybe(Unanswered::ALL) {
                for (edited, grant) in product(&[None, Some(json!(true))], &grants) {
                    let mut record = golden("nobody_to_ask");
                    record["denied_by"] = by_whom.into();
                    let mut settled = json!({ "answer": answer, "by": by, "round": 0, "for": DIGEST, "origin": "unstated" });
                    put(&mut settled, "why", why.map(|why| json!(why)));
                    put(&mut settled, "edited", edited.clone());
                    put(&mut settled, "grant", grant.clone());
                    record["settled"] = settled;
                    let [schema, reader] = judged(&record);
                    assert_eq!(schema, reader, "{record}");
                    taken += usize::from(schema);
                }
            }
        }
    }
    // Two can say yes in four ways, and no in one; five reasons leave an ask unanswered.
    assert_eq!(taken, 2 * 4 + 2 + 5);
}

#[test]
fn the_schema_takes_exactly_the_first_origin_in_precedence() {
    let objections: Vec<_> = Cause::ALL.iter().filter(|cause| cause.objects()).collect();
    let asker = |cause: &Cause| json!({ "cause": cause, "station": "unstated", "round": 0 });
    let mut taken = 0;
    for one in &objections {
        for other in &objections {
            for origin in maybe(AskOrigin::ALL) {
                let mut record = golden("nobody_to_ask");
                record["asked"] = json!({ "askers": [asker(one), asker(other)] });
                put(
                    &mut record["asked"],
                    "origin",
                    origin.map(|origin| json!(origin)),
                );
                let [schema, reader] = judged(&record);
                assert_eq!(schema, reader, "{record}");
                taken += usize::from(schema);
            }
        }
    }
    assert_eq!(
        taken,
        objections.len().pow(2),
        "each pair has one origin, or none"
    );
}

/// Whether the schema takes the record, and whether the engine does.
fn judged(record: &Value) -> [bool; 2] {
    [RECORD.is_valid(record), is_read(record)]
}

fn is_read(record: &Value) -> bool {
    Record::deserialize(record).is_ok()
}

/// Whether the engine reads the record and writes it so: its reader also takes arrays for objects and
/// nulls for what does not apply.
fn is_written(record: &Value) -> bool {
    Record::deserialize(record).is_ok_and(|read| parse(&read.to_json()) == *record)
}

fn put(object: &mut Value, key: &str, value: Option<Value>) {
    if let Some(value) = value {
        object[key] = value;
    }
}

fn maybe<T: Copy>(all: &[T]) -> impl Iterator<Item = Option<T>> {
    [None].into_iter().chain(all.iter().copied().map(Some))
}

fn product<'a, A, B>(ones: &'a [A], others: &'a [B]) -> impl Iterator<Item = (&'a A, &'a B)> {
    ones.iter()
        .flat_map(move |one| others.iter().map(move |other| (one, other)))
}

fn golden(name: &str) -> Value {
    let found = goldens().into_iter().find(|(known, _)| known == name);
    found
        .unwrap_or_else(|| panic!("no golden record is called {name}"))
        .1
}

/// The golden records of the engine, by name.
fn goldens() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/gate/snapshots");
    let mut goldens = Vec::new();
    for entry in fs::read_dir(folder).expect("the golden records can be listed") {
        let path = entry.expect("an entry can be read").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let name = name
            .strip_prefix("gate__record__")
            .and_then(|name| name.strip_suffix(".snap"));
        if let Some(name) = name {
            let text = fs::read_to_string(&path).expect("a golden record can be read");
            let record = text
                .splitn(3, "---\n")
                .nth(2)
                .expect("a record after the head");
            goldens.push((name.to_owned(), parse(record)));
        }
    }
    goldens.sort_by(|(one, _), (other, _)| one.cmp(other));
    goldens
}
