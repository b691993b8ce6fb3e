//! Station 22: an edited call goes through the gate once more. Source: G041–G043, G067, G112.

use super::args::Args;
use super::causes::Cause;
use super::state::{Flow, State, Words};
use super::station::Station;
use super::words::{AllowedBy, DeniedBy, Verdict};
use alloc::format;

use crate::faults::fault;

/// Begins a round over the edited args, or closes the round that has come back from the rules.
pub(super) fn open(state: &mut State) -> Flow {
    match state.edit.take() {
        Some(edited) => begin(state, &edited),
        None => close(state),
    }
}

fn begin(state: &mut State, edited: &Args) -> Flow {
    let cap = state.input.settings.edit_cap;
    if state.round() >= cap {
        let reason = format!("the call was edited more often than the cap of {cap} allows");
        return state.deny(DeniedBy::EditCap, Some(reason.into()), None);
    }
    state.cells.begin_edit_round(edited);
    Flow::To(Station::Hook)
}

/// The yes covers exactly the edited args: anything else, and anything that objects, is asked
/// anew. Otherwise the yes is what allows the call, whatever the policy wrote.
fn close(state: &mut State) -> Flow {
    let as_edited = state.cells.args().clone() == *state.cells.base();
    if (as_edited || fault!(RewriteOfEditRuns)) && state.verdict() == Some(Verdict::Allow) {
        if fault!(EditKeepsAllower) {
            return Flow::To(Station::Exit);
        }
        state.cells.set_allowed_by(None);
        return state.allow_and_exit(AllowedBy::AskResolution);
    }
    state.object(Cause::Edit, Words::default());
    state.supersede();
    Flow::To(Station::Present)
}
