//! Any world of the explorer: any seats at once, where exploration takes few of them.

use arbitrary::Unstructured;
use gatefold::gate::{Mode, OnNoRuling, Seat, Unstated};

use super::{coin, pick, up_to};
use crate::testkit::explore::{Breadth, Plan};

/// The most members of a lineage, guards, and edit rounds.
const MEMBERS_MAX: usize = 3;
const GUARDS_MAX: usize = 2;
const EDITS_MAX: usize = 2;

/// A lock ends a pass before anything is asked, so one plan in so many has one.
const LOCKED_IN: usize = 32;

/// What stands wired in at least one pass of two, so that asks are answered.
const SEATS: usize = 14;

/// The plan of a world.
pub(super) fn plan(u: &mut Unstructured<'_>) -> Plan {
    let members = 1 + up_to(u, MEMBERS_MAX - 1);
    let modes: Vec<Mode> = (0..members).map(|_| pick(u, Mode::ALL)).collect();
    let locked = up_to(u, LOCKED_IN * members - 1);
    let wired = wired(u);
    Plan {
        locked: locked.checked_sub((LOCKED_IN - 1) * members),
        modes,
        guards: up_to(u, GUARDS_MAX),
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
        breadth: if coin(u) {
            Breadth::Full
        } else {
            Breadth::Reduced
        },
    }
}

/// Every seat with even chances, as bits of one number.
fn wired(u: &mut Unstructured<'_>) -> Vec<Seat> {
    let bits = up_to(u, (1 << SEATS) - 1);
    let seats = Seat::ALL.iter().copied().enumerate();
    let wired = seats.filter(|(place, seat)| *seat != Seat::Hook && bits >> place & 1 == 1);
    wired.map(|(_, seat)| seat).collect()
}

/// The place of a letter among so many, or nothing for the task that is cancelled.
pub(super) fn turn(u: &mut Unstructured<'_>, letters: usize) -> Option<usize> {
    Some(up_to(u, letters)).filter(|place| *place < letters)
}
