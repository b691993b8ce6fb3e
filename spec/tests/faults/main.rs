//! Seeded faults: wrong engines, each caught by the row or invariant that it names.
//!
//! A fault is seeded for the whole process, so one test goes through all of them.
#![cfg(gatefold_faults)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::wildcard_imports,
    clippy::wildcard_enum_match_arm,
    dead_code,
    missing_docs,
    unreachable_pub,
    reason = "a test says what went wrong by failing"
)]

mod checks;
mod explored;
#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeSet;
use std::panic;

use explored::Exploration;
use gatefold::faults::{Fault, seed};
use gatefold_spec::SeededFault;
use support::tables;
use toml::Spanned;

/// Set to see, for every fault, all that turned red.
const ALL: &str = "GATEFOLD_FAULTS_ALL";

#[test]
fn every_fault_turns_red_what_it_names() {
    let tables = tables();
    let rows: Vec<_> = tables.faults("gate").collect();
    let listed: Vec<_> = rows.iter().map(|row| &*row.fault).collect();
    let there: Vec<_> = Fault::ALL.iter().map(|fault| fault.word()).collect();
    let strange: Vec<_> = listed.iter().filter(|word| !there.contains(word)).collect();
    let mut wrong: Vec<_> = strange
        .iter()
        .map(|word| format!("{word}: the engine has no such fault"))
        .collect();

    // A fault is expected to make checks panic; what they say then is nobody's concern.
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let exploration = Exploration::new();
    let red = |fault| {
        seed(fault);
        (checks::red(&tables), exploration.violated())
    };
    let (sound, unviolated) = red(None);
    let seen = Fault::ALL
        .iter()
        .map(|fault| (fault.word(), red(Some(*fault))));
    let seen: Vec<_> = seen.collect();
    seed(None);
    panic::set_hook(hook);

    assert_eq!(sound, BTreeSet::new(), "red although nothing is seeded");
    assert_eq!(unviolated, BTreeSet::new(), "violated without a fault");
    let mut explored = 0;
    for (word, (red, violated)) in &seen {
        let row = rows.iter().find(|row| row.fault == *word);
        wrong.extend(judge(word, row.copied(), &(red | violated)));
        explored += usize::from(!violated.is_empty());
    }
    println!(
        "{} faults, {explored} of them seen by the exploration",
        seen.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Tells what caught a fault, and gives what should have and did not.
fn judge(word: &str, row: Option<&SeededFault>, red: &BTreeSet<String>) -> Vec<String> {
    let named = row.map_or(&[][..], |row| &row.caught_by);
    let named: Vec<_> = named.iter().map(Spanned::get_ref).collect();
    let caught: Vec<_> = named.iter().filter(|id| red.contains(**id)).collect();
    let missed: Vec<_> = named.iter().filter(|id| !red.contains(**id)).collect();
    let shown: Vec<_> = caught.iter().map(|id| id.as_str()).collect();
    println!("{word} → caught by {}", shown.join(", "));
    if std::env::var_os(ALL).is_some() {
        let all: Vec<_> = red.iter().map(String::as_str).collect();
        println!("    red: {}", all.join(" "));
    }
    let mut wrong: Vec<_> = missed
        .iter()
        .map(|id| format!("{word}: {id} stays green"))
        .collect();
    if row.is_none() {
        wrong.push(format!("{word}: no row of the table names it"));
    }
    if caught.is_empty() {
        wrong.push(format!("{word}: caught by nothing"));
    }
    wrong
}
