//! What the exploration of the whole pass sees of a fault: every invariant on every answer, judged
//! by the tables, within a bound that is small enough to be walked once for each fault.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use gatefold_spec::testkit::explore::{Bound, CHECKS, Judge, Slice, Walk, explore, slices};

/// The smallest slices: hooks, the layers that judge, whoever clears an ask, edits.
const SLICES: &[&str] = &["one guard", "layers", "clearers", "rounds"];

/// The small bound, and the tables that judge it.
pub struct Exploration {
    judge: Judge,
    slices: Vec<Slice>,
    threads: usize,
}

impl Exploration {
    pub fn new() -> Self {
        let mut slices = slices(Bound::Reduced);
        slices.retain(|slice| SLICES.contains(&slice.name));
        assert_eq!(slices.len(), SLICES.len(), "a slice has another name");
        Self {
            judge: Judge::shipped().unwrap(),
            slices,
            threads: thread::available_parallelism().unwrap().get(),
        }
    }

    /// The invariants that are violated now, and the tables without a row for what occurred.
    pub fn violated(&self) -> BTreeSet<String> {
        let walk = Walk {
            judge: &self.judge,
            checks: CHECKS,
            threads: self.threads,
            saved_in: 16,
            replayed_in: 16,
        };
        let mut violated = BTreeSet::new();
        for slice in &self.slices {
            // A wrong engine may not get as far as a world, whose attestations it makes itself.
            let explored = catch_unwind(AssertUnwindSafe(|| {
                explore(std::slice::from_ref(slice), &walk, &|_| {})
            }));
            let violations = explored.map(|explored| explored.all.violations);
            let ids = violations.unwrap_or_default().into_keys().map(|(id, _)| id);
            violated.extend(ids.map(str::to_owned));
        }
        violated
    }
}
