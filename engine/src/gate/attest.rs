//! Attestations: settlements and classifier rounds that the engine vouches for across passes.
//!
//! A policy check or an inherited lane may itself have settled an ask of this call. What the host
//! hands back is only an id, looked up in a book that nobody but the engine fills, so no field
//! that a host composes can stand for a settlement. Source: G037–G038, G045–G048, G056–G059.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::digest::Digest;
use super::seal::{self, SealError, SealKey, SealedKind};
use super::settlement::SettledAsk;
use super::words::{ClassifierCause, ClassifierRound};
use crate::faults::fault;
use crate::limits::BOOK_ENTRIES_MAX;

const SCHEMA: u32 = 1;

/// The id of an attestation: a digest of what it attests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AttestationId(Digest);

impl AttestationId {
    fn of(attestation: &Attestation) -> Self {
        Self(Digest::of_json(attestation))
    }
}

impl fmt::Display for AttestationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<Digest> for AttestationId {
    fn from(digest: Digest) -> Self {
        Self(digest)
    }
}

/// What was attested.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Attested {
    /// How an ask ended.
    Settlement(SettledAsk),
    /// A classifier round, and why it did not rule if it did not.
    Round {
        round: Option<ClassifierRound>,
        cause: Option<ClassifierCause>,
    },
}

/// One entry of the book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Attestation {
    pub(crate) call: Arc<str>,
    pub(crate) tool: Arc<str>,
    pub(crate) asked: Digest,
    pub(crate) what: Attested,
}

impl Attestation {
    /// Whether it speaks of this call and tool.
    pub(crate) fn is_of(&self, call: &str, tool: &str) -> bool {
        *self.call == *call && *self.tool == *tool
    }
}

/// The ids under which a finished pass can be shown to another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AttestedIds {
    /// Of the ask it settled.
    pub settlement: Option<AttestationId>,
    /// Of the classifier round it ran.
    pub round: Option<AttestationId>,
}

/// Attestations that have not been looked up yet. Only the engine fills it, and it comes back from
/// bytes only under a seal: nobody else can write one.
///
/// A pass is given a copy of it. What a pass looked up is struck out of the host's own book when
/// the host attests the ended pass, whatever its verdict, or strikes it out by hand; until then
/// another pass can be shown it too.
///
/// ```compile_fail,E0277
/// let forged: gatefold::gate::AttestationBook = serde_json::from_str("{}").unwrap();
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttestationBook(pub(crate) Entries);

/// What a book holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entries {
    sequence: u64,
    entries: BTreeMap<AttestationId, Attestation>,
}

impl AttestationBook {
    /// An empty book.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many attestations have not been looked up.
    pub fn len(&self) -> usize {
        self.0.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.entries.is_empty()
    }

    /// The book as sealed bytes.
    ///
    /// # Errors
    /// [`SealError`], if the book cannot be written.
    pub fn save(&self, key: &SealKey) -> Result<String, SealError> {
        seal::seal(SealedKind::AttestationBook, SCHEMA, &self.0, key)
    }

    /// A book from sealed bytes. A host refuses one whose [`sequence`](Self::sequence) is lower
    /// than the last it has seen.
    ///
    /// # Errors
    /// [`SealError`], if the bytes are not a book sealed under this key.
    pub fn load(sealed: &str, key: &SealKey) -> Result<Self, SealError> {
        seal::open(SealedKind::AttestationBook, SCHEMA, sealed, key).map(Self)
    }

    /// Strikes out what a pass looked up, for a pass that is attested no further: one that was
    /// parked, dropped, or ended in a defect. [`attest`](Self::attest) does it by itself.
    pub fn strike(&mut self, looked_up: &[AttestationId]) {
        self.0.strike(looked_up);
    }

    /// Grows by one with every entry and every strike.
    pub const fn sequence(&self) -> u64 {
        self.0.sequence
    }
}

impl Entries {
    /// Enters attestations and strikes out those that were looked up; the book is unchanged if
    /// they do not fit.
    pub(crate) fn turn_over(
        &mut self,
        looked_up: &[AttestationId],
        entries: [Option<Attestation>; 2],
    ) -> Result<[Option<AttestationId>; 2], AttestError> {
        let entries = entries.map(|entry| entry.map(|what| (AttestationId::of(&what), what)));
        let holds = |id: &AttestationId| self.entries.contains_key(id);
        let struck = looked_up.iter().filter(|id| holds(id)).count();
        let new = entries.iter().flatten();
        let new = new
            .filter(|(id, _)| !holds(id) || looked_up.contains(id))
            .count();
        if self
            .entries
            .len()
            .saturating_sub(struck)
            .saturating_add(new)
            > BOOK_ENTRIES_MAX
        {
            return Err(AttestError::BookFull);
        }
        self.strike(looked_up);
        Ok(entries.map(|entry| entry.map(|(id, what)| self.enter(id, what))))
    }

    /// The id is a digest of what is attested, so the same thing is never in the book twice.
    fn enter(&mut self, id: AttestationId, attestation: Attestation) -> AttestationId {
        if self.entries.insert(id, attestation).is_none() {
            self.sequence = self.sequence.saturating_add(1);
        }
        id
    }

    fn strike(&mut self, looked_up: &[AttestationId]) {
        for id in looked_up {
            if self.entries.remove(id).is_some() {
                self.sequence = self.sequence.saturating_add(1);
            }
        }
    }

    /// Takes an attestation out of the book: it is consumed by its first look-up, counted or not.
    pub(crate) fn look_up(&mut self, id: AttestationId) -> Option<Attestation> {
        if fault!(AttestationReused) {
            return self.entries.get(&id).cloned();
        }
        self.entries.remove(&id)
    }

    /// The same book without what was looked up.
    pub(crate) fn without(&self, looked_up: &[AttestationId]) -> Self {
        let mut left = self.clone();
        left.strike(looked_up);
        left
    }
}

/// An attestation that was not entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AttestError {
    /// Begin a new book; what the old one holds can no longer be shown.
    #[error("the attestation book is full")]
    BookFull,
}

impl AttestError {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::BookFull => "book_full",
        }
    }
}
