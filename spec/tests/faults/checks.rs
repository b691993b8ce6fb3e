//! What can turn red: every row of every table that the engine can be asked about, and the
//! invariants that no table holds.

mod answers;
mod asks;
mod denies;
mod edits;
mod laws;
mod minted;
mod records;
mod replays;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use gatefold_spec::{Grid, Tables};

use crate::support::engines::{ENGINES, Engine, deciders};
use crate::support::{At, grid};

/// Invariants, each with a check that panics when the engine breaks it.
pub type Checks = &'static [(&'static str, fn())];

/// Every check of an invariant.
pub const CHECKS: &[Checks] = &[
    answers::CHECKS,
    asks::CHECKS,
    denies::CHECKS,
    edits::CHECKS,
    laws::CHECKS,
    minted::CHECKS,
    records::CHECKS,
    replays::CHECKS,
];

/// The ids of all that is red now.
pub fn red(tables: &Tables) -> BTreeSet<String> {
    deciders::forget();
    let mut red = BTreeSet::new();
    for (name, _, engine) in ENGINES {
        red.extend(red_rows(grid(tables, name), *engine));
    }
    for (id, check) in CHECKS.iter().copied().flatten() {
        if catch_unwind(check).is_err() {
            red.insert((*id).to_owned());
        }
    }
    red
}

/// The rows of a table at some point of which the engine says something else, or nothing at all.
fn red_rows(grid: &Grid, engine: Engine) -> BTreeSet<String> {
    let mut red = BTreeSet::new();
    for point in grid.points() {
        let row = &grid.decide(&point).unwrap().row;
        if red.contains(&row.id) {
            continue;
        }
        let says = catch_unwind(AssertUnwindSafe(|| engine(&At::new(grid, &point))));
        let agrees = says.is_ok_and(|says| {
            grid.outputs.iter().zip(&row.want).all(|(axis, want)| {
                let said = says.iter().find(|(name, _)| *name == axis.name);
                said.and_then(|(_, value)| axis.place(value)) == Some(*want)
            })
        });
        if !agrees {
            red.insert(row.id.clone());
        }
    }
    red
}
