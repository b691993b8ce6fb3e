//! Engine and interpreter say the same, at every point of every table.
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

mod support;

use support::engines::{DEVIATIONS, ENGINES};
use support::{Domain, grid, tables};

#[test]
fn every_table_and_the_engine_agree_at_every_point() {
    let tables = tables();
    let mut wrong = Vec::new();
    let mut deviating: Vec<String> = Vec::new();
    for (name, pinned, engine) in ENGINES {
        let grid = grid(&tables, name);
        let domain = Domain::of(grid, *engine);
        let covered = gatefold_spec::coverage(grid).unwrap_or_else(|flaw| panic!("{flaw}"));
        let (points, rows) = (domain.points.len(), grid.rows().len());
        let hit = covered.hits.iter().filter(|hits| **hits > 0).count();
        println!("{name}: {points} points checked, {hit} rows hit = {rows} rows");
        wrong.extend(domain.strange.iter().take(10).cloned());
        deviating.extend(domain.deviating().into_iter().map(String::from));
        wrong.extend(domain.without_deviations().differences(grid));
        if points != *pinned {
            wrong.push(format!("{name}: {points} points, and {pinned} are pinned"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let known: Vec<_> = DEVIATIONS.iter().map(|(row, _)| *row).collect();
    assert_eq!(
        deviating, known,
        "rows from which the engine deviates, and those listed"
    );
}

#[test]
fn every_table_is_compared_with_the_engine() {
    let tables = tables();
    let compared: Vec<_> = ENGINES.iter().map(|(name, ..)| *name).collect();
    let there: Vec<_> = tables.grids().iter().map(|grid| &*grid.name).collect();
    assert_eq!(there, compared);
}

#[test]
fn no_table_has_a_flaw() {
    assert_eq!(tables().flaws(), []);
}
