//! How a finished pass is attested to other passes. Source: G037–G038, G056–G059.

use alloc::sync::Arc;

use super::Finished;
use crate::gate::attest::{AttestError, Attestation, AttestationBook, Attested, AttestedIds};
use crate::gate::digest::Digest;

impl AttestationBook {
    /// Enters what a finished pass settled and which classifier round it ran, and strikes out what
    /// that pass itself looked up.
    ///
    /// # Errors
    /// [`AttestError::BookFull`] (`book_full`) past 65 536 entries; the book is unchanged.
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

/// The classifier round behind the pass, its own before an ancestor's, and why it did not rule if
/// that is the refusal: a round is not lost on its way through several lanes. Source: G056.
fn round(finished: &Finished) -> Option<Attested> {
    let outcome = finished.outcome();
    let round = outcome
        .classifier()
        .or(outcome.inherited_classifier())
        .cloned();
    let cause = outcome.cause();
    (round.is_some() || cause.is_some()).then_some(Attested::Round { round, cause })
}
