//! How a parked pass goes on: resumed at station 21, or cancelled; once, and in any process.

use super::input::GateInput;
use super::lanes::resolve;
use super::park::{ParkMisuse, ParkMisuseKind, Parked};
use super::pass::{Pass, Step, run};
use super::seats::Seat;
use super::station::Station;
use super::ticket::{Ticket, TicketBook};
use crate::faults::fault;

impl Parked {
    /// Goes on where the ask stands, in this or in another process. `now` is the input as it would
    /// be built now. Its attestations are the ones that count from here on, but for what this pass
    /// has looked up already; its seats are asked beside those that the pass was begun with.
    ///
    /// # Errors
    /// [`ParkMisuse`], which gives the parked pass back; nothing ran and the book is unchanged.
    pub fn resume(
        self,
        ticket: &Ticket,
        book: &mut TicketBook,
        now: &GateInput,
    ) -> Result<Step, ParkMisuse> {
        if let Err(kind) = self.check(ticket, book) {
            return Err(ParkMisuse { kind, parked: self });
        }
        if now.digest() != ticket.input() && !fault!(StaleGoesOn) {
            return Err(ParkMisuse {
                kind: ParkMisuseKind::Stale,
                parked: self,
            });
        }
        if !fault!(TicketStaysOpen) {
            book.settle(ticket);
        }
        let Self(mut state) = self;
        if !fault!(BookStaysAsBegun) {
            state.input.attestations = now.0.attestations.without(&state.looked_up);
        }
        if !fault!(WiringStaysAsBegun) {
            state.input.wiring = state.input.wiring.and(now.0.wiring);
        }
        state.cells.set_resumed(true);
        state.at = Station::Resolve;
        state.question = resolve::question(&mut state);
        state.note(Some(Seat::Resolve));
        Ok(Step::Need(Pass(state)))
    }

    /// Ends the ask unanswered, as if the task had been cancelled. A stale ticket can be cancelled.
    ///
    /// # Errors
    /// [`ParkMisuse`], which gives the parked pass back.
    pub fn cancel(self, ticket: &Ticket, book: &mut TicketBook) -> Result<Step, ParkMisuse> {
        if let Err(kind) = self.check(ticket, book) {
            return Err(ParkMisuse { kind, parked: self });
        }
        book.settle(ticket);
        let Self(mut state) = self;
        state.at = Station::Resolve;
        let flow = state.abort();
        Ok(run(state, flow))
    }
}
