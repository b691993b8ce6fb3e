//! Parked passes: an ask taken durably away. Source: G088, G099, G111.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;

use thiserror::Error;

use super::attest::AttestationId;
use super::causes::Causes;
use super::digest::Digest;
use super::exits::refusal;
use super::notices::Notice;
use super::record::Record;
use super::seal::{self, SealError, SealKey, SealedKind};
use super::state::State;
use super::ticket::{Bound, Ticket, TicketBook, TicketState};
use super::trace::Trace;
use super::words::words;

const SCHEMA: u32 = 1;

/// A parked pass and the ticket under which it goes on.
#[derive(Debug)]
pub struct Suspended {
    /// To be opened in the host's [`TicketBook`].
    pub ticket: Ticket,
    /// The parked pass.
    pub parked: Parked,
}

/// A pass whose ask was taken away. It cannot be answered; it is resumed or cancelled, once.
#[must_use = "a parked pass holds a call that waits for an answer"]
pub struct Parked(pub(super) Box<State>);

/// Names the call and the ticket; args are kept out of logs.
impl fmt::Debug for Parked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parked")
            .field("call", &self.0.input.call.id)
            .field("ticket", &self.0.ticket.as_deref().map(Bound::id))
            .finish_non_exhaustive()
    }
}

impl Parked {
    /// Parks a pass: a new ticket, and the end of any earlier one.
    pub(super) fn park(mut state: Box<State>) -> Suspended {
        state.parks = state.parks.saturating_add(1);
        let values = state.cells.peek();
        let bound = [
            values.args.digest(),
            state.input.digest(),
            Digest::of_json(&values.causes),
        ];
        let ticket = Ticket::new(&state.input.call.id, bound, state.parks);
        state.ticket = Some(Box::new(ticket.0.clone()));
        Suspended {
            ticket,
            parked: Self(state),
        }
    }

    /// What stands: verdict `ask`, never minted.
    pub fn record(&self) -> Record {
        Record::pending(&self.0)
    }

    /// What the model has been told so far beside the result.
    pub const fn context(&self) -> &[Arc<str>] {
        self.0.cells.peek().context.as_slice()
    }

    /// What others are to be told of the pass so far. They stand on the result of the resumed pass
    /// as well; a host that tells them now tells them once.
    pub fn notices(&self) -> &[Notice] {
        &self.0.notices
    }

    /// Each station passed so far, if the pass keeps a trace.
    pub const fn trace(&self) -> Option<&Trace> {
        self.0.trace.as_ref()
    }

    /// Who objects and what bars automatic answerers, with the words of each.
    pub const fn causes(&self) -> &Causes {
        &self.0.cells.peek().causes
    }

    /// The attestations that the pass has looked up so far, counted or not.
    pub const fn looked_up(&self) -> &[AttestationId] {
        self.0.looked_up.as_slice()
    }

    /// What is asked, in words for whoever answers.
    pub fn reason(&self) -> String {
        refusal::pending(&self.0)
    }

    pub(super) fn check(&self, ticket: &Ticket, book: &TicketBook) -> Result<(), ParkMisuseKind> {
        if self.0.ticket.as_deref() != Some(&ticket.0) {
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
    pub(super) kind: ParkMisuseKind,
    pub(super) parked: Parked,
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
