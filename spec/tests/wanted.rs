//! Every table, every invariant and every trap has a seeded fault, or stands here with the reason
//! why it has none.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a test says what went wrong by failing"
)]

use std::collections::BTreeSet;

use gatefold_spec::{Scope, Tables};

/// Invariants that no fault is seeded against, each with the reason or the fault that is wanted.
const INVARIANTS: &[(&str, &str)] = &[
    ("GATE-008", "wanted: args that keep the order of their keys"),
    (
        "GATE-014",
        "holds of the suite: every row is hit, and every cell of it flipped",
    ),
    ("GATE-020", "wanted: a block that leaves a cause"),
    (
        "GATE-023",
        "wanted: a round that is on record for denies alone",
    ),
    (
        "GATE-028",
        "follows from one rule at one place; its rows are those of `attested` and `resolve`",
    ),
    ("GATE-029", "wanted: an id that is in no book and counts"),
    (
        "GATE-033",
        "wanted: a resolver that is believed on what it shows",
    ),
    (
        "GATE-035",
        "wanted: an inherited round that is on record for denies alone",
    ),
    ("GATE-040", "wanted: a hook without an opinion that allows"),
    (
        "GATE-046",
        "holds because an unwired seat is never asked, which the seats table says",
    ),
    (
        "GATE-047",
        "STATION-013 holds the order; nothing can come between two stations of the list",
    ),
    (
        "GATE-048",
        "STATION-006 and REWRITE-004; wanted: a policy that is shown the model's args",
    ),
    ("GATE-050", "wanted: a hook's ask that counts as its allow"),
    (
        "GATE-055",
        "the card is written at one place, together with the deny",
    ),
    (
        "GATE-057",
        "wanted: mode accept_edits that takes an unplaced write",
    ),
    ("GATE-058", "the programs are an enum of two words"),
    (
        "GATE-060",
        "no text is read anywhere but where it is written down",
    ),
    (
        "GATE-067",
        "PROTECT-001; wanted: the laxer of two judges counts",
    ),
    (
        "GATE-068",
        "REWRITE-001; wanted: an approval that runs the model's args",
    ),
    ("GATE-071", "wanted: an ask at the exit that is a deny"),
    (
        "GATE-079",
        "wanted: an allow that nobody was asked about and that has a settlement",
    ),
    (
        "GATE-080",
        "the host hands receipts over as data, and the fold is the engine's",
    ),
    (
        "GATE-082",
        "a record is a function of what stands, and asks for nothing",
    ),
    (
        "GATE-084",
        "holds because wiring is read from the input at each question",
    ),
    (
        "GATE-085",
        "a call has the one card or the other; they never stand together",
    ),
];

#[test]
fn every_table_has_a_fault() {
    let tables = tables();
    let named = named(&tables);
    let without = tables.grids().iter().filter(|grid| {
        let mut rows = grid.rows().iter();
        !rows.any(|row| named.contains(&row.id))
    });
    let without: Vec<_> = without.map(|grid| &*grid.name).collect();
    assert_eq!(without, [""; 0], "tables without a fault");
}

#[test]
fn every_invariant_has_a_fault_or_a_reason() {
    let tables = tables();
    let named = named(&tables);
    // Of the types there is nothing to seed, and what must be seen to occur is not broken by faults.
    let breakable = tables
        .invariants("gate")
        .filter(|row| row.over != Scope::Types && !row.sometimes || row.id.get_ref() == "GATE-014");
    let ids = breakable.map(|row| row.id.get_ref());
    let without: Vec<_> = ids.filter(|id| !named.contains(*id)).collect();
    let listed: Vec<_> = INVARIANTS.iter().map(|(id, _)| *id).collect();
    assert_eq!(
        without, listed,
        "invariants without a fault, and those listed"
    );
}

#[test]
fn every_trap_has_a_fault() {
    let tables = tables();
    let faults = tables.faults("gate");
    let fallen: BTreeSet<_> = faults
        .flat_map(|row| &row.traps)
        .map(|id| id.get_ref().clone())
        .collect();
    let traps: BTreeSet<_> = tables
        .traps("gate")
        .map(|row| row.id.get_ref().clone())
        .collect();
    assert_eq!(
        traps, fallen,
        "the traps, and those that a fault falls into"
    );
}

#[test]
fn every_fault_is_listed_once_and_names_what_catches_it() {
    let tables = tables();
    let mut words = BTreeSet::new();
    for row in tables.faults("gate") {
        assert!(words.insert(&row.fault), "{} stands twice", row.fault);
        assert!(!row.caught_by.is_empty(), "{}", row.fault);
    }
}

fn named(tables: &Tables) -> BTreeSet<String> {
    let faults = tables.faults("gate");
    let ids = faults.flat_map(|row| &row.caught_by);
    ids.map(|id| id.get_ref().clone()).collect()
}

fn tables() -> Tables {
    Tables::shipped().unwrap_or_else(|error| panic!("{error}"))
}
