//! The ledger of a pass: which ask this pass consumed. Source: G035–G059.
//!
//! `none → settled`, the latest wins; four operations and nothing else. Every attestation is read
//! here under one rule, so no two sites can disagree about what an attested decision means.

use serde::{Deserialize, Serialize};

use super::args::Args;
use super::digest::Digest;
use super::settlement::{SettledAsk, Settlement};
use super::words::{AskOrigin, Verdict, words};
use crate::faults::fault;

/// What a settlement was given for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SettledFor {
    /// These args, settled in this pass.
    Args(Args),
    /// Args with this digest, attested from another pass.
    Digest(Digest),
}

impl SettledFor {
    /// The digest of the args.
    pub fn digest(&self) -> Digest {
        match self {
            Self::Args(args) => args.digest(),
            Self::Digest(digest) => *digest,
        }
    }
}

/// A settled ask as the ledger holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerEntry {
    /// How the ask ended.
    pub settlement: Settlement,
    /// Who the ask was owed to; absent only if the engine lost it, which the mint refuses.
    pub origin: Option<AskOrigin>,
    /// The edit round in which it was settled.
    pub round: u8,
    /// The args that the settlement was given for.
    pub given_for: SettledFor,
}

words! {
    /// What an attested decision means to the station that read it.
    pub enum AttestedReading {
        /// Nothing: the decision is an ask, and an ask writes nothing.
        Nothing = "nothing",
        /// A deny beside a yes: the layer's veto, and the yes stays.
        Veto = "veto",
        /// An allow beside a yes: settled, and the allow stands.
        Stands = "stands",
        /// A refusal: the call ends as the ask did, whatever else was decided.
        Refused = "refused",
    }
}

/// The settled ask of a pass, or none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ledger(Option<LedgerEntry>);

impl Ledger {
    /// The ask this pass consumed, if it consumed one.
    pub const fn settled(&self) -> Option<&LedgerEntry> {
        self.0.as_ref()
    }

    /// Reads a decision that carries an attested settlement which counts for this call. The origin
    /// is the one under which the attested ask stood. Source: G039, G040, G052–G054.
    pub fn from_decision(
        &mut self,
        verdict: Verdict,
        attested: &SettledAsk,
        given_for: Digest,
        round: u8,
    ) -> AttestedReading {
        let reading = match (verdict, attested.settlement.is_refusal()) {
            (Verdict::Ask, _) => return AttestedReading::Nothing,
            (Verdict::Allow, true) if fault!(AttestedRefusalRides) => {
                return AttestedReading::Nothing;
            }
            (Verdict::Deny, false) if fault!(VetoLosesYes) => return AttestedReading::Nothing,
            (Verdict::Allow | Verdict::Deny, true) => AttestedReading::Refused,
            (Verdict::Deny, false) => AttestedReading::Veto,
            (Verdict::Allow, false) => AttestedReading::Stands,
        };
        self.0 = Some(LedgerEntry {
            settlement: attested.settlement.clone(),
            origin: Some(attested.origin),
            round,
            given_for: SettledFor::Digest(given_for),
        });
        reading
    }

    /// Writes how the standing ask was resolved, under the standing ask's own origin.
    /// Source: G051.
    pub fn from_resolved(
        &mut self,
        settlement: Settlement,
        origin: Option<AskOrigin>,
        given_for: SettledFor,
        round: u8,
    ) {
        if fault!(FirstSettlementWins) && self.0.is_some() {
            return;
        }
        self.0 = Some(LedgerEntry {
            settlement,
            origin,
            round,
            given_for,
        });
    }

    /// Writes a settlement that the engine itself composed. Source: G050.
    pub fn set(
        &mut self,
        settlement: Settlement,
        origin: Option<AskOrigin>,
        given_for: SettledFor,
        round: u8,
    ) {
        self.0 = Some(LedgerEntry {
            settlement,
            origin,
            round,
            given_for,
        });
    }

    /// A surviving ask drops whatever an earlier decision settled; says whether there was any.
    /// Source: G044, G058.
    pub fn supersede(&mut self) -> bool {
        if fault!(SettlementSurvivesAsk) {
            return false;
        }
        self.0.take().is_some()
    }
}
