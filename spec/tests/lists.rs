//! The tables that are lists: words, errors, limits, cells, invariants.
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

use std::collections::BTreeSet;

use gatefold::gate::*;
use support::engines::ENGINES;
use support::host::traced;
use support::{Domain, grid, tables};

#[test]
fn dump() {
    let mut touched = BTreeSet::new();
    let t = tables();
    for (name, _, engine) in ENGINES {
        let grid = grid(&t, name);
        for trace in traced(|| {
            Domain::of(grid, *engine);
        }) {
            for step in trace.steps() {
                for c in &step.read {
                    touched.insert((c.word(), "R", step.station));
                }
                for c in &step.wrote {
                    touched.insert((c.cell.word(), "W", step.station));
                }
            }
        }
    }
    for cell in Cell::ALL {
        for how in ["W", "R"] {
            let s: Vec<_> = touched
                .iter()
                .filter(|(c, h, _)| *c == cell.word() && *h == how)
                .map(|x| x.2.word())
                .collect();
            println!("{cell} {how} {s:?}");
        }
    }
}
