//! Every table, every invariant and every trap has a seeded fault; an invariant that cannot have one
//! stands here with the reason.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a test says what went wrong by failing"
)]

use std::collections::BTreeSet;

use gatefold_spec::{Scope, Tables};

/// Invariants that no fault is seeded against, each with the reason.
const INVARIANTS: &[(&str, &str)] = &[(
    "GATE-014",
    "it holds of the suite and not of the engine; the tests of the exploration make it fail",
)];

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
