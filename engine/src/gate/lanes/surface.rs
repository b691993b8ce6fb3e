//! Stations 19 and 20: content is shown before it is approved, and an ask may be taken away.
//! Source: G050, G088, G101, G104, G111.

use alloc::format;

use crate::faults::fault;
use crate::gate::ledger::SettledFor;
use crate::gate::seats::{
    ParkQuestion, ParkSite, Parking, Presented, Question, Reply, Seat, Subject,
};
use crate::gate::settlement::Settlement;
use crate::gate::state::{Flow, State};
use crate::gate::words::{DeniedBy, Unanswered};

/// Station 19.
pub(in crate::gate) fn present(state: &mut State) -> Flow {
    let shows_content = state.cells.facts().is_some_and(|facts| facts.shows_content);
    if state.is_ask() && shows_content && state.is_wired(Seat::Present) {
        return Flow::Ask(Question::Present(state.subject()));
    }
    Flow::Next
}

/// Only the digest of exactly these args says that they were shown.
pub(in crate::gate) fn presented(
    state: &mut State,
    subject: &Subject,
    reply: Reply<Presented>,
) -> Flow {
    let presented = reply.unwrap_or_else(|failure| {
        state.seat_failed(Seat::Present, &failure);
        Presented::Cannot
    });
    match presented {
        Presented::Shown(digest) if digest == subject.args.digest() => {
            state.cells.set_shown(Some(digest));
            Flow::Next
        }
        Presented::Shown(_) | Presented::Cannot => {
            let origin = state.origin();
            let round = state.round();
            let given_for = SettledFor::Args(subject.args.clone());
            let unshown = Settlement::unanswered(Unanswered::Unshown);
            state
                .cells
                .ledger_mut()
                .set(unshown, origin, given_for, round);
            state.deny(DeniedBy::AskResolution, None, None)
        }
    }
}

/// Station 20: asked of every standing ask, whether or not anybody is there to answer it.
pub(in crate::gate) fn park(state: &mut State) -> Flow {
    if !state.is_ask() || !state.is_wired(Seat::Park) {
        return Flow::Next;
    }
    let site = if state.cells.shown().is_some() {
        ParkSite::Content
    } else if state.is_edit_round() && !fault!(EditParksAsStanding) {
        ParkSite::ReAsk
    } else {
        ParkSite::Standing
    };
    Flow::Ask(Question::Park(ParkQuestion {
        ask: state.ask_question(),
        site,
    }))
}

pub(in crate::gate) fn parked(state: &mut State, reply: Reply<Parking>) -> Flow {
    let failed = match reply {
        Ok(Parking::Parked) => {
            // What was tried before and failed is no longer so.
            state.cells.set_park_failed(None);
            return Flow::Suspend;
        }
        Ok(Parking::Declined) => return Flow::Next,
        Ok(Parking::Failed(text)) => text,
        Err(failure) => {
            state.seat_failed(Seat::Park, &failure);
            format!("{failure}").into()
        }
    };
    state
        .cells
        .set_park_failed(Some(failed).filter(|_| !fault!(ParkFailureForgotten)));
    Flow::Next
}
