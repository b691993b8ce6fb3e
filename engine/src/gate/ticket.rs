//! Tickets: what a parked ask is answered under, once.
//!
//! A ticket is bound to the call, its args and everything the pass was begun with; the host's book
//! keeps its single use. One book, one settlement. Source: G088.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::digest::Digest;
use super::seal::{self, SealError, SealKey, SealedKind};
use super::words::words;
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ticket(pub(crate) Bound);

/// What a ticket is bound to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bound {
    id: TicketId,
    call: Arc<str>,
    args: Digest,
    input: Digest,
    asked: Digest,
    park: u32,
}

impl Bound {
    pub(crate) const fn id(&self) -> TicketId {
        self.id
    }
}

impl Ticket {
    /// The ticket of a park of a pass: bound to the call, to the args that wait,
    /// to the input, and to what was asked of them.
    pub(crate) fn new(call: &Arc<str>, [args, input, asked]: [Digest; 3], park: u32) -> Self {
        let id = TicketId(Digest::of_json(&(call, args, input, asked, park)));
        let call = Arc::clone(call);
        Self(Bound {
            id,
            call,
            args,
            input,
            asked,
            park,
        })
    }

    /// Its id.
    pub const fn id(&self) -> TicketId {
        self.0.id
    }

    /// The call it is about.
    pub fn call(&self) -> &str {
        &self.0.call
    }

    /// The digest of the args that wait for an answer.
    pub const fn args(&self) -> Digest {
        self.0.args
    }

    /// The digest of the input that the pass was begun with.
    pub const fn input(&self) -> Digest {
        self.0.input
    }

    /// Which park of its pass it is, from 1.
    pub const fn park(&self) -> u32 {
        self.0.park
    }

    /// The ticket as sealed bytes.
    ///
    /// # Errors
    /// [`SealError`], if it cannot be written.
    pub fn save(&self, key: &SealKey) -> Result<String, SealError> {
        seal::seal(SealedKind::Ticket, SCHEMA, &self.0, key)
    }

    /// A ticket from sealed bytes.
    ///
    /// # Errors
    /// [`SealError`], if the bytes are not a ticket sealed under this key.
    pub fn load(sealed: &str, key: &SealKey) -> Result<Self, SealError> {
        seal::open(SealedKind::Ticket, SCHEMA, sealed, key).map(Self)
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
/// sequence is lower than the last it has seen. At most 32 768 tickets.
///
/// ```compile_fail,E0277
/// let forged: gatefold::gate::TicketBook = serde_json::from_str("{}").unwrap();
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TicketBook(Tickets);

/// What a book holds. It comes back from bytes only under a seal: nobody else can write one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tickets {
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
        self.0.sequence
    }

    /// How a ticket stands, if it is in the book.
    pub fn state(&self, ticket: &Ticket) -> Option<TicketState> {
        self.0.tickets.get(&ticket.0.id).copied()
    }

    /// Enters a ticket that can be settled from now on. Opening an open one again changes nothing.
    ///
    /// # Errors
    /// [`BookError::Settled`] (`ticket_settled`), [`BookError::Full`] (`book_full`).
    pub fn open(&mut self, ticket: &Ticket) -> Result<(), BookError> {
        match self.state(ticket) {
            Some(TicketState::Open) => Ok(()),
            Some(TicketState::Settled) => Err(BookError::Settled),
            None if self.0.tickets.len() >= BOOK_ENTRIES_MAX => Err(BookError::Full),
            None => {
                self.write(ticket, TicketState::Open);
                Ok(())
            }
        }
    }

    /// Settles a ticket, once and for all.
    pub(crate) fn settle(&mut self, ticket: &Ticket) {
        self.write(ticket, TicketState::Settled);
    }

    fn write(&mut self, ticket: &Ticket, state: TicketState) {
        self.0.sequence = self.0.sequence.saturating_add(1);
        self.0.tickets.insert(ticket.0.id, state);
    }

    /// The book as sealed bytes.
    ///
    /// # Errors
    /// [`SealError`], if it cannot be written.
    pub fn save(&self, key: &SealKey) -> Result<String, SealError> {
        seal::seal(SealedKind::TicketBook, SCHEMA, &self.0, key)
    }

    /// A book from sealed bytes.
    ///
    /// # Errors
    /// [`SealError`], if the bytes are not a book sealed under this key.
    pub fn load(sealed: &str, key: &SealKey) -> Result<Self, SealError> {
        seal::open(SealedKind::TicketBook, SCHEMA, sealed, key).map(Self)
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
