//! Any world of the explorer: any seats at once, where exploration takes few of them.

use arbitrary::Unstructured;
use gatefold::gate::{Mode, OnNoRuling, Seat, Unstated};

use super::{coin, pick, up_to};
use crate::testkit::explore::{Breadth, Plan};

/// The most members of a lineage, and edit rounds.
const MEMBERS_MAX: usize = 3;
const EDITS_MAX: usize = 2;

/// A lock ends a pass before anything is asked, so one plan in so many has one.
const LOCKED_IN: usize = 32;

/// Few seats.
const FEW: usize = 4;

/// How many ways there are for a seat to fail.
const FAILURES: usize = 3;

/// The first letters.
const FIRST: usize = 3;

/// The plan of a world.
pub(super) fn plan(u: &mut Unstructured<'_>) -> Plan {
    let members = 1 + up_to(u, MEMBERS_MAX - 1);
    let modes: Vec<Mode> = (0..members).map(|_| pick(u, Mode::ALL)).collect();
    let locked = up_to(u, LOCKED_IN * members - 1);
    let wired = wired(u);
    let breadth = if coin(u) {
        Breadth::Full
    } else {
        Breadth::Reduced
    };
    Plan {
        locked: locked.checked_sub((LOCKED_IN - 1) * members),
        modes,
        guards: up_to(u, guards_max(breadth)),
        observer: coin(u),
        wired,
        unstated: if coin(u) {
            Unstated::Allow
        } else {
            Unstated::Ask
        },
        denied_often: coin(u),
        on_no_ruling: if coin(u) {
            OnNoRuling::Ask
        } else {
            OnNoRuling::Deny
        },
        edit_cap: u8::try_from(up_to(u, EDITS_MAX)).unwrap_or_default(),
        breadth,
    }
}

/// Two guards have hundreds of answers in full breadth, all of which exploration tries.
const fn guards_max(breadth: Breadth) -> usize {
    match breadth {
        Breadth::Reduced => 2,
        Breadth::Full => 1,
    }
}

/// Any seats, with even chances each; or a few, so that a pass comes far.
fn wired(u: &mut Unstructured<'_>) -> Vec<Seat> {
    let seats = if up_to(u, 2) == 0 {
        let bits = up_to(u, (1 << Seat::ALL.len()) - 1);
        let seats = Seat::ALL.iter().copied().enumerate();
        let wired = seats.filter(|(place, _)| bits >> place & 1 == 1);
        wired.map(|(_, seat)| seat).collect()
    } else {
        let mut few: Vec<_> = (0..up_to(u, FEW)).map(|_| pick(u, Seat::ALL)).collect();
        few.sort_unstable();
        few.dedup();
        few
    };
    seats
        .into_iter()
        .filter(|seat| *seat != Seat::Hook)
        .collect()
}

/// How a pass is answered: of the first letters, which let most passes go on, more or fewer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mood(usize);

impl Mood {
    pub(super) fn of(u: &mut Unstructured<'_>) -> Self {
        Self(16 * up_to(u, 3))
    }

    /// The place of a letter among so many, or nothing for the task that is cancelled. The last
    /// letters are failures, and those end most passes: they are rarer than answers.
    pub(super) fn turn(self, u: &mut Unstructured<'_>, letters: usize) -> Option<usize> {
        let answers = letters.saturating_sub(FAILURES).max(1);
        match up_to(u, 63) {
            63 => None,
            56.. => Some(up_to(u, letters - 1)),
            roll if roll < self.0 => Some(up_to(u, answers.min(FIRST) - 1)),
            _ => Some(up_to(u, answers - 1)),
        }
    }
}
