//! Stations 4 and 5: what the call does, and whether plan mode lets it.

use crate::gate::seats::{Facts, Question, ReadOnly, Reply, Seat};
use crate::gate::state::{Flow, State};
use crate::gate::station::Station;
use crate::gate::text::Text;
use crate::gate::words::{DeniedBy, Mode};

pub(in crate::gate) fn open(state: &mut State) -> Flow {
    if state.is_wired(Seat::Describe) {
        return Flow::Ask(Question::Describe(state.subject()));
    }
    state.cells.set_facts(Some(Facts::UNKNOWN));
    Flow::Next
}

pub(in crate::gate) fn answered(state: &mut State, reply: Reply<Facts>) -> Flow {
    let facts = reply.unwrap_or_else(|failure| {
        state.seat_failed(Seat::Describe, &failure);
        Facts {
            shows_content: true,
            ..Facts::UNKNOWN
        }
    });
    state.cells.set_facts(Some(facts));
    Flow::Next
}

/// Plan mode, of the caller or of any ancestor, runs nothing that is not known to only read.
pub(in crate::gate) fn plan(state: &mut State) -> Flow {
    if state.any_mode(Mode::Plan) {
        let read_only = state
            .cells
            .facts()
            .map_or(ReadOnly::Unknown, |facts| facts.read_only);
        if read_only != ReadOnly::Yes {
            let reason = Text::new("plan mode runs only what is known to read and nothing else");
            return state.deny(DeniedBy::PlanMode, Some(reason), None);
        }
    }
    if state.described_again {
        state.described_again = false;
        return Flow::To(Station::Promote);
    }
    Flow::Next
}
