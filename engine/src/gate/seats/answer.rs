//! Answers: what a host says, one variant a seat.

use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::Seat;
use super::ending::{Classification, Parking, Presented, Resolution, Sandbox};
use super::failure::{Reply, SeatFailure};
use super::findings::{Egress, Facts, Probe, ShellRead, WriteProtection};
use super::judgement::{Adjudication, Judgement, OrgRuling, RuleRuling};
use crate::gate::args::NewArgs;
use crate::gate::input::HookId;
use crate::gate::text::Text;
use crate::gate::words::words;

/// An answer to the open question. It must be of the question's seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// One receipt a hook.
    Hook(Reply<Vec<HookReceipt>>),
    /// What the call does.
    Describe(Reply<Facts>),
    /// The policy's verdict.
    Adjudicate(Reply<Adjudication>),
    /// Whether it can be undone.
    Probe(Reply<Probe>),
    /// Whether it leaves the allowed hosts.
    Egress(Reply<Egress>),
    /// What the command reads and writes.
    ShellRead(Reply<ShellRead>),
    /// Whether the target is protected.
    WriteJudge(Reply<WriteProtection>),
    /// The organisation's judgements.
    Org(Reply<Vec<Judgement<OrgRuling>>>),
    /// The persisted rules' judgements.
    Rules(Reply<Vec<Judgement<RuleRuling>>>),
    /// The classifier's ruling.
    Classify(Reply<Classification>),
    /// Whether the sandbox takes the call.
    Sandbox(Reply<Sandbox>),
    /// What was shown.
    Present(Reply<Presented>),
    /// Whether the ask was taken away.
    Park(Reply<Parking>),
    /// How the ask ended.
    Resolve(Reply<Resolution>),
}

impl Answer {
    /// The seat whose answer this is.
    pub const fn seat(&self) -> Seat {
        match self {
            Self::Hook(_) => Seat::Hook,
            Self::Describe(_) => Seat::Describe,
            Self::Adjudicate(_) => Seat::Adjudicate,
            Self::Probe(_) => Seat::Probe,
            Self::Egress(_) => Seat::Egress,
            Self::ShellRead(_) => Seat::ShellRead,
            Self::WriteJudge(_) => Seat::WriteJudge,
            Self::Org(_) => Seat::Org,
            Self::Rules(_) => Seat::Rules,
            Self::Classify(_) => Seat::Classify,
            Self::Sandbox(_) => Seat::Sandbox,
            Self::Present(_) => Seat::Present,
            Self::Park(_) => Seat::Park,
            Self::Resolve(_) => Seat::Resolve,
        }
    }

    /// This seat's answer when it failed.
    pub const fn failed(seat: Seat, failure: SeatFailure) -> Self {
        match seat {
            Seat::Hook => Self::Hook(Err(failure)),
            Seat::Describe => Self::Describe(Err(failure)),
            Seat::Adjudicate => Self::Adjudicate(Err(failure)),
            Seat::Probe => Self::Probe(Err(failure)),
            Seat::Egress => Self::Egress(Err(failure)),
            Seat::ShellRead => Self::ShellRead(Err(failure)),
            Seat::WriteJudge => Self::WriteJudge(Err(failure)),
            Seat::Org => Self::Org(Err(failure)),
            Seat::Rules => Self::Rules(Err(failure)),
            Seat::Classify => Self::Classify(Err(failure)),
            Seat::Sandbox => Self::Sandbox(Err(failure)),
            Seat::Present => Self::Present(Err(failure)),
            Seat::Park => Self::Park(Err(failure)),
            Seat::Resolve => Self::Resolve(Err(failure)),
        }
    }

    /// How the seat failed, if it did.
    pub fn failure(&self) -> Option<&SeatFailure> {
        match self {
            Self::Hook(reply) => reply.as_ref().err(),
            Self::Describe(reply) => reply.as_ref().err(),
            Self::Adjudicate(reply) => reply.as_ref().err(),
            Self::Probe(reply) => reply.as_ref().err(),
            Self::Egress(reply) => reply.as_ref().err(),
            Self::ShellRead(reply) => reply.as_ref().err(),
            Self::WriteJudge(reply) => reply.as_ref().err(),
            Self::Org(reply) => reply.as_ref().err(),
            Self::Rules(reply) => reply.as_ref().err(),
            Self::Classify(reply) => reply.as_ref().err(),
            Self::Sandbox(reply) => reply.as_ref().err(),
            Self::Present(reply) => reply.as_ref().err(),
            Self::Park(reply) => reply.as_ref().err(),
            Self::Resolve(reply) => reply.as_ref().err(),
        }
    }
}

/// What one hook has to say, or how it failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HookReceipt {
    /// The hook.
    pub hook: HookId,
    /// What came of asking it.
    pub outcome: HookOutcome,
}

/// What came of asking one hook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookOutcome {
    /// It answered.
    Answered(HookAnswer),
    /// Its answer could not be trusted to be its answer; the text says why. Source: G080.
    Malformed(Text),
    /// It crashed.
    Threw(Text),
    /// It did not answer in time.
    TimedOut,
}

/// A hook's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HookAnswer {
    /// Its decision.
    pub decision: HookDecision,
    /// Its reason, for the model or for whoever is asked.
    pub reason: Option<Text>,
    /// Args to run instead.
    pub rewrite: Option<NewArgs>,
    /// Context for the model. All contexts of a pass together stay within 64 KiB.
    pub context: Option<Arc<str>>,
}

impl HookAnswer {
    /// A decision and nothing else.
    pub const fn plain(decision: HookDecision) -> Self {
        Self {
            decision,
            reason: None,
            rewrite: None,
            context: None,
        }
    }
}

words! {
    /// A hook's decision.
    pub enum HookDecision {
        /// No opinion.
        None = "none",
        /// It may run, as far as this hook goes.
        Allow = "allow",
        /// Somebody must be asked.
        Ask = "ask",
        /// It must not run.
        Deny = "deny",
        /// It said something that no hook may say. Source: G075.
        OutOfContract = "out_of_contract",
    }
}
