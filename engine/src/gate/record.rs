//! The record `gatefold/record/v1`: the one account of how a decision came about.
//!
//! Its keys stand in this order, each exactly when it applies. No args and no content stand in it,
//! only their digests. A deny or an allow is minted; an ask is what stands now.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::causes::{Asker, Cause};
use super::digest::Digest;
use super::ledger::LedgerEntry;
use super::mint::{ExitFacts, GateOutcome};
use super::seal::{self, SealError, SealKey, SealedKind};
use super::seats::Basis;
use super::settlement::{Grant, Settlement};
use super::state::State;
use super::station::Station;
use super::text::Text;
use super::ticket::{Bound, TicketId};
use super::words::{
    AllowedBy, AskOrigin, ClassifierCause, ClassifierRound, DeniedBy, Mode, ModeRefusal,
    ModeRelease, SettledAnswer, SettledBy, Unanswered, Verdict, is_unset,
};
use crate::faults::fault;

/// The record's own name.
pub const RECORD_SCHEMA: &str = "gatefold/record/v1";

const RECEIPT_SCHEMA: u32 = 1;

/// The call that was decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordCall {
    /// Its id.
    pub id: Arc<str>,
    /// The tool, as the model named it.
    pub tool: Arc<str>,
}

/// One of those who objected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordAsker {
    /// What was objected.
    pub cause: Cause,
    /// The station at which it was.
    pub station: Station,
    /// The edit round in which it was.
    pub round: u8,
    /// The rule behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub basis: Option<Basis>,
    /// The part of the call that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Text>,
}

/// Who objected to the call, cleared or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordAsked {
    /// Everyone who did, in order.
    pub askers: Vec<RecordAsker>,
    /// Who the ask is owed to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<AskOrigin>,
}

/// The ask that was settled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordSettled {
    /// Yes, no, or unanswered.
    pub answer: SettledAnswer,
    /// Who settled it.
    pub by: SettledBy,
    /// The yes came with edited args.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub edited: bool,
    /// Why it stayed unanswered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Unanswered>,
    /// The edit round in which it was settled.
    pub round: u8,
    /// The digest of the args that it was given for.
    #[serde(rename = "for")]
    pub given_for: Digest,
    /// Who the settled ask was owed to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<AskOrigin>,
    /// What is to be remembered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<Grant>,
}

/// The digests that the decision rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordDigests {
    /// Of the args as the model gave them.
    pub asked: Digest,
    /// Of the args that run; on an allow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<Digest>,
    /// Of the content that was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Digest>,
    /// Of the outside facts; the host can check them again before it runs the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<Digest>,
}

/// The host a decision was made for, and what it could not express of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordHost {
    /// The host's name.
    pub name: Text,
    /// What its wire form cannot say.
    pub lost: Text,
}

/// The fields of a record, in the order of its keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordFields {
    /// `gatefold/record/v1`.
    pub schema: Text,
    /// The call.
    pub call: RecordCall,
    /// The caller's permission mode.
    pub mode: Mode,
    /// Allow, ask or deny.
    pub verdict: Verdict,
    /// Who refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denied_by: Option<DeniedBy>,
    /// Who let it through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_by: Option<AllowedBy>,
    /// Who objected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<RecordAsked>,
    /// The ask that was settled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<RecordSettled>,
    /// The rule behind the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub basis: Option<Basis>,
    /// The mode's release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<ModeRelease>,
    /// The mode's refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<ModeRefusal>,
    /// The classifier round of this pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classifier: Option<ClassifierRound>,
    /// The classifier round of an ancestor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inherited_classifier: Option<ClassifierRound>,
    /// Why the refusing classifier round did not rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<ClassifierCause>,
    /// What the decision rests on.
    pub digests: RecordDigests,
    /// The digest of the policy in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<Digest>,
    /// The ticket of the last park.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ticket: Option<TicketId>,
    /// The host, and what it could not express.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<RecordHost>,
}

/// A record. The engine composes it; reading one back screens it as the mint would.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "RecordFields", try_from = "RecordFields")]
pub struct Record(RecordFields);

impl Record {
    /// The record of what stands in a pass that has not ended.
    pub(super) fn pending(state: &State) -> Self {
        let causes = &state.cells.peek().causes;
        let unasked = fault!(OpenPassIsAnAllow) && causes.origin().is_none();
        let verdict = if unasked {
            Verdict::Allow
        } else {
            Verdict::Ask
        };
        let mut fields = Self::common(state, verdict);
        fields.basis = causes.leading().and_then(|asker| asker.basis.clone());
        Self(fields)
    }

    /// The record of a minted outcome.
    pub(super) fn finished(state: &State, outcome: &GateOutcome) -> Self {
        let allows = outcome.allowed_by().is_some();
        let mut fields = Self::common(
            state,
            if allows {
                Verdict::Allow
            } else {
                Verdict::Deny
            },
        );
        let values = state.cells.peek();
        fields.denied_by = outcome.denied_by();
        fields.allowed_by = outcome.allowed_by();
        fields.settled = values.ledger.settled().map(RecordSettled::of);
        fields.basis = values
            .verdict
            .as_ref()
            .and_then(|standing| standing.basis.clone());
        fields.released = outcome.released();
        fields.refused = outcome.refused();
        fields.cause = outcome.cause();
        fields.digests.runs = allows.then(|| {
            // The args that run are most often the ones asked for: their digest is at hand.
            if values.args == state.input.call.args || fault!(RecordRunsWhatWasAsked) {
                fields.digests.asked
            } else {
                values.args.digest()
            }
        });
        Self(fields)
    }

    fn common(state: &State, verdict: Verdict) -> RecordFields {
        let values = state.cells.peek();
        let askers: Vec<_> = values.causes.objections().map(RecordAsker::of).collect();
        let asked = (!askers.is_empty()).then(|| RecordAsked {
            askers,
            origin: values.causes.origin(),
        });
        RecordFields {
            schema: Text::new(RECORD_SCHEMA),
            call: RecordCall {
                id: Arc::clone(&state.input.call.id),
                tool: Arc::clone(&state.input.call.tool),
            },
            mode: state.input.caller(),
            verdict,
            denied_by: None,
            allowed_by: None,
            asked,
            settled: None,
            basis: None,
            released: None,
            refused: None,
            classifier: values.round.clone(),
            inherited_classifier: values.inherited_round.clone(),
            cause: None,
            digests: RecordDigests {
                asked: state.input.call.args.digest(),
                runs: None,
                shown: values.shown,
                facts: state.input.facts,
            },
            policy: state.input.policy,
            ticket: state.ticket.as_deref().map(Bound::id),
            host: None,
        }
    }

    /// The same record, for a host that cannot express all of the verdict.
    #[must_use]
    pub fn with_host(mut self, name: &str, lost: &str) -> Self {
        self.0.host = Some(RecordHost {
            name: name.into(),
            lost: lost.into(),
        });
        self
    }

    /// Its fields.
    pub const fn fields(&self) -> &RecordFields {
        &self.0
    }

    /// The record as bytes: one line of JSON, its keys in order.
    pub fn to_json(&self) -> String {
        // The fields are words, numbers and lists, which serialise always.
        serde_json::to_string(&self.0).unwrap_or_else(|error| error.to_string())
    }

    /// The digest of those bytes.
    pub fn digest(&self) -> Digest {
        Digest::of(self.to_json().as_bytes())
    }

    /// The record as a sealed receipt.
    ///
    /// # Errors
    /// [`SealError`], if it cannot be written.
    pub fn seal(&self, key: &SealKey) -> Result<String, SealError> {
        seal::seal(SealedKind::Receipt, RECEIPT_SCHEMA, self, key)
    }

    /// A record from a sealed receipt.
    ///
    /// # Errors
    /// [`SealError`], if the bytes are not a receipt sealed under this key.
    pub fn open(receipt: &str, key: &SealKey) -> Result<Self, SealError> {
        seal::open(SealedKind::Receipt, RECEIPT_SCHEMA, receipt, key)
    }
}

impl From<Record> for RecordFields {
    fn from(record: Record) -> Self {
        record.0
    }
}

impl TryFrom<RecordFields> for Record {
    type Error = String;

    fn try_from(fields: RecordFields) -> Result<Self, Self::Error> {
        if fields.schema.as_str() != RECORD_SCHEMA {
            return Err("this is no gatefold/record/v1".into());
        }
        let verdict = match fields.verdict {
            Verdict::Allow => super::mint::ExitVerdict::Allow,
            Verdict::Deny => super::mint::ExitVerdict::Deny,
            Verdict::Ask => {
                let decided = fields.denied_by.is_some()
                    || fields.allowed_by.is_some()
                    || fields.settled.is_some()
                    || fields.released.is_some()
                    || fields.refused.is_some()
                    || fields.cause.is_some()
                    || fields.digests.runs.is_some();
                if decided {
                    return Err("an ask's record says how it was decided".into());
                }
                fields.check()?;
                return Ok(Self(fields));
            }
        };
        if fields.digests.runs.is_some() != (fields.verdict == Verdict::Allow) {
            return Err("args run exactly on an allow".into());
        }
        let released = fields.released.map(|release| Mode::from(release.mode));
        if released.is_some_and(|mode| mode != fields.mode) {
            return Err("a release is of the caller's own mode".into());
        }
        fields.check()?;
        let settled = fields.settled.as_ref();
        let facts = ExitFacts {
            verdict,
            denied_by: fields.denied_by,
            allowed_by: fields.allowed_by,
            cause: fields.cause,
            settlement: settled.map(RecordSettled::settlement),
            origin: settled.and_then(|settled| settled.origin),
            released: fields.released,
            refused: fields.refused,
            classifier: None,
            inherited_classifier: None,
        };
        GateOutcome::try_from(facts)?;
        Ok(Self(fields))
    }
}

impl RecordFields {
    /// What the mint cannot see: who objected, and what a yes was given for.
    fn check(&self) -> Result<(), String> {
        let origin = self.asked.as_ref().and_then(|asked| asked.origin);
        let askers = self.asked.iter().flat_map(|asked| &asked.askers);
        if askers.filter_map(|asker| asker.cause.origin()).min() != origin {
            return Err("the origin is not the first in precedence among the askers".into());
        }
        let answers_an_ask = match self.allowed_by {
            None | Some(AllowedBy::Policy | AllowedBy::Default) => false,
            Some(
                AllowedBy::StoredRule
                | AllowedBy::Hook
                | AllowedBy::ReadOnly
                | AllowedBy::Classifier
                | AllowedBy::Sandbox
                | AllowedBy::Mode
                | AllowedBy::AskResolution,
            ) => true,
        };
        if answers_an_ask && self.asked.is_none() {
            return Err("an answerer of asks allowed what nobody asked about".into());
        }
        let given_for = self.settled.as_ref().map(|settled| settled.given_for);
        if self.verdict == Verdict::Allow && given_for.is_some() && given_for != self.digests.runs {
            return Err("a yes let other args run than it was given for".into());
        }
        Ok(())
    }
}

impl RecordAsker {
    fn of(asker: &Asker) -> Self {
        Self {
            cause: asker.cause,
            station: asker.station,
            round: asker.round,
            basis: asker.basis.clone(),
            part: asker.part.clone(),
        }
    }
}

impl RecordSettled {
    fn of(entry: &LedgerEntry) -> Self {
        let Settlement {
            answer,
            by,
            edited,
            why,
            grant,
        } = entry.settlement.clone();
        Self {
            answer,
            by,
            edited,
            why,
            round: entry.round,
            given_for: entry.given_for.digest(),
            origin: entry.origin,
            grant,
        }
    }

    fn settlement(&self) -> Settlement {
        Settlement {
            answer: self.answer,
            by: self.by,
            edited: self.edited,
            why: self.why,
            grant: self.grant.clone(),
        }
    }
}
