//! Parking: an ask taken durably away, and answered later, in another process.
//!
//! A ticket is bound to the call, its args and everything the pass was begun with; the host's book
//! keeps its single use. One book, one settlement. Source: G088, G099, G111.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::digest::Digest;
use super::input::GateInput;
use super::lanes::resolve;
use super::ledger::SettledFor;
use super::record::Record;
use super::seal::{self, SealError, SealKey, SealedKind};
use super::seats::Seat;
use super::settlement::Settlement;
use super::state::State;
use super::station::Station;
use super::text::Text;
use super::words::{DeniedBy, Unanswered, words};
use super::{Pass, Step};
use crate::limits::BOOK_ENTRIES_MAX;

const SCHEMA: u32 = 1;

/// The id of a ticket: a digest of all that it is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TicketId(Digest);

impl fmt::Display for TicketId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a parked ask is answered under.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ticket {
    id: TicketId,
    call: Arc<str>,
    args: Digest,
    input: Digest,
    park: u32,
}

impl Ticket {
    fn new(state: &State, park: u32) -> Self {
        let call = Arc::clone(&state.input.call.id);
        let args = state.cells.peek().args.digest();
        let input = state.input.digest();
        let id = TicketId(Digest::of_json(&(&call, args, input, park)));
        Self {
            id,
            call,
            args,
            input,
            park,
        }
    }

    /// Its id.
    pub const fn id(&self) -> TicketId {
        self.id
    }

    /// The call it is about.
    pub fn call(&self) -> &str {
        &self.call
    }

    /// The digest of the args that wait for an answer.
    pub const fn args(&self) -> Digest {
        self.args
    }

    /// Which park of its pass it is, from 1.
    pub const fn park(&self) -> u32 {
        self.park
    }

    /// The ticket as sealed bytes.
    ///
    /// # Errors
    /// [`SealError`], if it cannot be written.
    pub fn save(&self, key: &SealKey) -> Result<String, SealError> {
        seal::seal(SealedKind::Ticket, SCHEMA, self, key)
    }

    /// A ticket from sealed bytes.
    ///
    /// # Errors
    /// [`SealError`], if the bytes are not a ticket sealed under this key.
    pub fn load(sealed: &str, key: &SealKey) -> Result<Self, SealError> {
        seal::open(SealedKind::Ticket, SCHEMA, sealed, key)
    }
}

words! {
    /// How a ticket stands in its book.
    pub enum TicketState {
        /// It can still be settled.
        Open = "open",
        /// It was settled, once and for all.
        Settled = "settled",
    }
}

/// The tickets of a host and their single use.
///
/// The host saves it by compare-and-swap on [`sequence`](Self::sequence), and refuses one whose
/// sequence is lower than the last it has seen. At most 65 536 tickets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TicketBook {
    sequence: u64,
    tickets: BTreeMap<TicketId, TicketState>,
}

impl TicketBook {
    /// An empty book.
    pub fn new() -> Self {
        Self::default()
    }

    /// Grows by one with every change.
    pub const fn sequence(&self) -> u64 {
        self.sequence
    }

    /// How a ticket stands, if it is in the book.
    pub fn state(&self, ticket: &Ticket) -> Option<TicketState> {
        self.tickets.get(&ticket.id).copied()
    }

    /// Enters a ticket that can be settled from now on. Opening an open one again changes nothing.
    ///
    /// # Errors
    /// [`BookError::Settled`] (`ticket_settled`), [`BookError::Full`] (`book_full`).
    pub fn open(&mut self, ticket: &Ticket) -> Result<(), BookError> {
        match self.state(ticket) {
            Some(TicketState::Open) => Ok(()),
            Some(TicketState::Settled) => Err(BookError::Settled),
            None if self.tickets.len() >= BOOK_ENTRIES_MAX => Err(BookError::Full),
            None => {
                self.write(ticket, TicketState::Open);
                Ok(())
            }
        }
    }

    fn write(&mut self, ticket: &Ticket, state: TicketState) {
        self.sequence = self.sequence.saturating_add(1);
        self.tickets.insert(ticket.id, state);
    }

    /// The book as sealed bytes.
    ///
    /// # Errors
    /// [`SealError`], if it cannot be written.
    pub fn save(&self, key: &SealKey) -> Result<String, SealError> {
        seal::seal(SealedKind::TicketBook, SCHEMA, self, key)
    }

    /// A book from sealed bytes.
    ///
    /// # Errors
    /// [`SealError`], if the bytes are not a book sealed under this key.
    pub fn load(sealed: &str, key: &SealKey) -> Result<Self, SealError> {
        seal::open(SealedKind::TicketBook, SCHEMA, sealed, key)
    }
}

/// A ticket that was not entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BookError {
    /// Nothing is left to do: the ask was answered or cancelled.
    #[error("the ticket was settled before")]
    Settled,
    /// Begin a new book once every open ticket of this one is settled.
    #[error("the ticket book is full")]
    Full,
}

impl BookError {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Settled => "ticket_settled",
            Self::Full => "book_full",
        }
    }
}

/// A pass whose ask was taken away. It cannot be answered; it is resumed or cancelled, once.
#[derive(Debug)]
#[must_use = "a parked pass holds a call that waits for an answer"]
pub struct Parked(Box<State>);

impl Parked {
    /// Parks a pass: a new ticket, and the end of any earlier one.
    pub(super) fn park(mut state: Box<State>) -> (Ticket, Self) {
        state.parks = state.parks.saturating_add(1);
        let ticket = Ticket::new(&state, state.parks);
        state.ticket = Some(ticket.clone());
        (ticket, Self(state))
    }

    /// What stands: verdict `ask`, never minted.
    pub fn record(&self) -> Record {
        Record::pending(&self.0)
    }

    /// What is asked, in words for whoever answers.
    pub fn reason(&self) -> String {
        super::exits::refusal::pending(&self.0)
    }

    /// Goes on where the ask stands, in this or in another process. `now` is the input as it would
    /// be built now; its attestations are the ones that count from here on, beside those that the
    /// pass was begun with and has not looked up.
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
        if now.digest() != ticket.input {
            return Err(ParkMisuse {
                kind: ParkMisuseKind::Stale,
                parked: self,
            });
        }
        book.write(ticket, TicketState::Settled);
        let Self(mut state) = self;
        state
            .input
            .attestations
            .join(&now.attestations, &state.looked_up);
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
        book.write(ticket, TicketState::Settled);
        let Self(mut state) = self;
        state.at = Station::Resolve;
        let flow = state.abort();
        Ok(super::pass::run(state, flow))
    }

    fn check(&self, ticket: &Ticket, book: &TicketBook) -> Result<(), ParkMisuseKind> {
        if self.0.ticket.as_ref() != Some(ticket) {
            return Err(ParkMisuseKind::Foreign);
        }
        match book.state(ticket) {
            Some(TicketState::Open) => Ok(()),
            Some(TicketState::Settled) => Err(ParkMisuseKind::Settled),
            None => Err(ParkMisuseKind::NotOpened),
        }
    }

    /// The parked pass as sealed bytes.
    ///
    /// # Errors
    /// [`SealError`], if it cannot be written.
    pub fn save(&self, key: &SealKey) -> Result<String, SealError> {
        seal::seal(SealedKind::Parked, SCHEMA, &self.0, key)
    }

    /// A parked pass from sealed bytes.
    ///
    /// # Errors
    /// [`SealError`], if the bytes are not a parked pass sealed under this key.
    pub fn load(sealed: &str, key: &SealKey) -> Result<Self, SealError> {
        seal::open(SealedKind::Parked, SCHEMA, sealed, key).map(Self)
    }
}

impl State {
    /// The task was cancelled: the engine fails closed while the call is judged; once an ask
    /// stands, that is how the ask ended.
    pub(super) fn abort(&mut self) -> super::state::Flow {
        if self.at.is_before_the_ask_stands() {
            let reason = Text::new("the task was cancelled while the call was judged");
            return self.deny(DeniedBy::Engine, Some(reason), None);
        }
        let aborted = Settlement::unanswered(Unanswered::Aborted);
        let given_for = SettledFor::Args(self.cells.args().clone());
        let origin = self.origin();
        let round = self.round();
        self.cells
            .ledger_mut()
            .from_resolved(aborted, origin, given_for, round);
        self.deny(DeniedBy::AskResolution, None, None)
    }
}

words! {
    /// Why a parked pass did not go on.
    pub enum ParkMisuseKind {
        /// The ticket is of another parked pass.
        Foreign = "ticket_foreign",
        /// The ticket was never opened in this book.
        NotOpened = "ticket_not_opened",
        /// The ticket was settled before.
        Settled = "ticket_settled",
        /// What the pass was begun with is no longer so: the policy, the mode, the lineage.
        Stale = "ticket_stale",
    }
}

impl ParkMisuseKind {
    const fn sentence(self) -> &'static str {
        match self {
            Self::Foreign => "the ticket is of another parked pass",
            Self::NotOpened => "the ticket was not opened in this book; open it first",
            Self::Settled => "the ticket was settled before; nothing is left to answer",
            Self::Stale => "the input has changed since the pass was parked; cancel it, begin anew",
        }
    }
}

/// A parked pass that did not go on. It is unchanged, and so is the book.
#[derive(Debug, Error)]
#[error("{}", kind.sentence())]
pub struct ParkMisuse {
    kind: ParkMisuseKind,
    parked: Parked,
}

impl ParkMisuse {
    /// Why.
    pub const fn kind(&self) -> ParkMisuseKind {
        self.kind
    }

    /// The stable code.
    pub const fn code(&self) -> &'static str {
        self.kind.word()
    }

    /// The parked pass, as it was.
    pub fn into_parked(self) -> Parked {
        self.parked
    }
}
