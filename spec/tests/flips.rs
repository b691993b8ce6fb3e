//! Can the comparison fail? Every cell of every row is flipped in memory, and each time the
//! comparison with the engine, or the table's own check, must turn red.
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

use gatefold_spec::{coverage, flips};
use support::engines::ENGINES;
use support::{Domain, grid, tables};

/// Flips that change nothing, each with the reason: row, cell, reason.
const IDLE: &[(&str, &str, &str)] = &[];

/// How many cells there are to flip.
const FLIPS: usize = 5_719;

#[test]
fn every_flipped_cell_is_noticed() {
    let tables = tables();
    let mut idle = Vec::new();
    let mut flipped = 0;
    for (name, _, engine) in ENGINES {
        let grid = grid(&tables, name);
        let domain = Domain::of(grid, *engine).without_deviations();
        let mut of_table = 0;
        for flip in flips(grid) {
            of_table += 1;
            if !domain.differs(&flip.grid) && coverage(&flip.grid).is_ok() {
                idle.push((flip.row, flip.what));
            }
        }
        println!("{name}: {of_table} cells flipped");
        flipped += of_table;
    }
    let listed: Vec<_> = IDLE
        .iter()
        .map(|(row, what, _)| ((*row).to_owned(), (*what).to_owned()))
        .collect();
    assert_eq!(idle, listed, "flips that nothing notices");
    assert_eq!(flipped, FLIPS);
}
