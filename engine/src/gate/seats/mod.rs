//! Seats: where a pass asks its host, one question at a time.
//!
//! A seat is wired or not. An unwired seat is not asked, and its station goes on as on the answer
//! that [`Seat`] names for it. Questions and answers are closed enums with one variant a seat.

mod answer;
mod ending;
mod failure;
mod findings;
mod judgement;
mod question;

use serde::{Deserialize, Serialize};

use super::words::words;

pub use answer::{Answer, HookAnswer, HookDecision, HookOutcome, HookReceipt};
pub use ending::{
    Answerer, Classification, ClassifierRuling, NoAnswer, Parking, Presented, Resolution, Resolved,
    Sandbox,
};
pub use failure::{Reply, SeatFailure};
pub use findings::{
    Card, Egress, Facts, Offer, Probe, ReadOnly, Reversibility, ShellFinding, ShellRead, ToolKind,
    WriteProtection,
};
pub use judgement::{Adjudication, Basis, Form, Judgement, OrgRuling, PolicyRuling, RuleRuling};
pub use question::{
    AskQuestion, HookQuestion, JudgeQuestion, ParkQuestion, ParkSite, Question, ResolveQuestion,
    Subject,
};

words! {
    /// The fourteen seats of the gate.
    ///
    /// Each entry says what holds when the seat is not wired, and when it threw or timed out.
    /// `aborted` is the same everywhere: it ends the pass.
    pub enum Seat {
        /// Screen these args (`PreToolUse`). Unwired: no opinion. Failed: deny `engine`.
        Hook = "hook",
        /// What does this call do. Unwired: other, unknown. Failed: the same, and content is shown.
        Describe = "describe",
        /// The policy's verdict. Unwired: allow, not stated. Failed: deny `engine`.
        Adjudicate = "adjudicate",
        /// Can it be undone, where does it reach. Unwired: reversible. Failed: a person decides.
        Probe = "probe",
        /// Does it leave the allowed hosts. Unwired: inside. Failed: outside, host unknown.
        Egress = "egress",
        /// What does a command read and write. Unwired: clean, nothing placed. Failed:
        /// unestablishable, and write protection unresolved.
        ShellRead = "shell_read",
        /// Is the target protected. Unwired: none. Failed: unresolved.
        WriteJudge = "write_judge",
        /// The organisation's layer. Unwired: none. Failed: deny `engine`.
        Org = "org",
        /// Persisted rules. Unwired: none. Failed: none, and a person decides.
        Rules = "rules",
        /// Auto mode's classifier. Unwired: the ask stands. Failed: unavailable.
        Classify = "classify",
        /// Admit to the sandbox. Unwired or failed: not.
        Sandbox = "sandbox",
        /// Show this content. Unwired: goes on unshown. Failed: cannot.
        Present = "present",
        /// Take this ask durably away. Unwired: declined. Failed: failed.
        Park = "park",
        /// Ask whoever can be asked. Unwired: nobody. Failed: unanswered.
        Resolve = "resolve",
    }
}

/// Which seats a host has wired. The hook seat is wired exactly when a hook is declared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Wiring(u16);

impl Wiring {
    /// No seat at all.
    pub const NONE: Self = Self(0);

    /// The same wiring with this seat wired.
    #[must_use]
    pub const fn with(self, seat: Seat) -> Self {
        Self(self.0 | Self::bit(seat))
    }

    /// Whether this seat is wired.
    pub const fn has(self, seat: Seat) -> bool {
        self.0 & Self::bit(seat) != 0
    }

    /// Both wirings together. The hook seat stays as it is: its hooks are of the pass.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | (other.0 & !Self::bit(Seat::Hook)))
    }

    const fn bit(seat: Seat) -> u16 {
        match seat {
            Seat::Hook => 1,
            Seat::Describe => 1 << 1,
            Seat::Adjudicate => 1 << 2,
            Seat::Probe => 1 << 3,
            Seat::Egress => 1 << 4,
            Seat::ShellRead => 1 << 5,
            Seat::WriteJudge => 1 << 6,
            Seat::Org => 1 << 7,
            Seat::Rules => 1 << 8,
            Seat::Classify => 1 << 9,
            Seat::Sandbox => 1 << 10,
            Seat::Present => 1 << 11,
            Seat::Park => 1 << 12,
            Seat::Resolve => 1 << 13,
        }
    }
}
