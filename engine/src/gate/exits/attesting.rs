//! How a finished pass is attested to other passes. Source: G037–G038, G056–G059.

use alloc::sync::Arc;

use super::Finished;
use crate::faults::fault;
use crate::gate::attest::{AttestError, Attestation, AttestationBook, Attested, AttestedIds};
use crate::gate::digest::Digest;
use crate::gate::words::DeniedBy;

impl AttestationBook {
    /// Enters what a finished pass settled and which classifier round it ran, and strikes out what
    /// that pass itself looked up. Attest every pass that was given the book, a denied one too.
    ///
    /// # Errors
    /// [`AttestError::BookFull`] (`book_full`) past 32 768 entries; the book is unchanged.
    pub fn attest(&mut self, finished: &Finished) -> Result<AttestedIds, AttestError> {
        let call = finished.call();
        let entry = |asked: Digest, what: Attested| Attestation {
            call: Arc::clone(&call.id),
            tool: Arc::clone(&call.tool),
            asked,
            what,
        };
        let settled = finished.settled().zip(finished.outcome().settled());
        let settlement = settled
            .map(|(held, settled)| entry(held.given_for.digest(), Attested::Settlement(settled)));
        let round = round(finished).map(|round| entry(call.args.digest(), round));
        let [settlement, round] = self
            .0
            .turn_over(finished.looked_up(), [settlement, round])?;
        Ok(AttestedIds { settlement, round })
    }
}

/// The classifier round behind the pass, and why it did not rule if that is the refusal. A cause
/// belongs to the round that the refuser speaks of: the policy of an ancestor's, the classifier of
/// its own, which may have no name. A round is not lost on its way through several lanes otherwise.
/// Source: G056.
fn round(finished: &Finished) -> Option<Attested> {
    let outcome = finished.outcome();
    let cause = outcome.cause();
    let inherited = outcome.inherited_classifier();
    let refuser = outcome.denied_by().filter(|_| cause.is_some());
    let round = match (refuser, outcome.classifier()) {
        (Some(DeniedBy::Policy), _) | (None, None) => {
            inherited.filter(|_| !fault!(InheritedRoundEndsHere))
        }
        (Some(_) | None, own) => own,
    };
    let round = round.cloned();
    (round.is_some() || cause.is_some()).then_some(Attested::Round { round, cause })
}
