//! One pass of any world, each answer any letter of its seat's alphabet, every invariant checked at
//! every step, and everything that a table can judge judged by it.

use std::sync::LazyLock;

use arbitrary::Unstructured;

use super::See;
use super::world::{self, Mood};
use crate::testkit::explore::{CHECKS, Judge, Walk};

static JUDGE: LazyLock<Judge> =
    LazyLock::new(|| Judge::shipped().unwrap_or_else(|error| panic!("{error}")));

/// Of how many states one is saved and loaded, and replayed from the beginning.
const CLOSER_IN: u8 = 8;

/// Walks one path through one world.
///
/// # Panics
/// If an invariant does not hold, or a table says otherwise; with the world and the path.
pub fn gate_pass(data: &[u8], see: See<'_>) {
    let u = &mut Unstructured::new(data);
    let world = world::plan(u).world("any");
    let mood = Mood::of(u);
    let walk = Walk {
        judge: &JUDGE,
        checks: CHECKS,
        threads: 1,
        saved_in: CLOSER_IN,
        replayed_in: CLOSER_IN,
    };
    let tally = walk.path(&world, &mut |letters| mood.turn(u, letters));
    for mark in tally.marks.seen() {
        see(format_args!("{mark}"));
    }
    let told = tally.told();
    assert!(told.is_empty(), "{}", told.join("\n"));
}
