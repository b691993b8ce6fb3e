//! Causes: why a call is an ask, who asked, and who may answer.
//!
//! One append-only list, filled from station 3 on, ask or not. Bars, origin and class set are pure
//! functions of it, so bars can only grow. Source: G124–G132, G134.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::seats::Basis;
use super::station::Station;
use super::text::Text;
use super::words::{AskOrigin, words};
use crate::faults::{fault, lifts_bar};

words! {
    /// What was objected to a call.
    pub enum Cause {
        /// Nobody stated anything about this call.
        Unstated = "unstated",
        /// It cannot be undone.
        Irreversible = "irreversible",
        /// It leaves the allowed hosts.
        Outside = "outside",
        /// The probe would not judge where it reads. It bars, and objects to nothing.
        BoundaryDeclined = "boundary_declined",
        /// The shell reader would not judge what it reads.
        ReadDeclined = "read_declined",
        /// The probe found that it reaches out of the roots.
        ProbeOutOfRoot = "probe_out_of_root",
        /// The shell reader found that it reads outside the roots.
        ReadOutOfRoot = "read_out_of_root",
        /// What it reads cannot be established.
        Unestablishable = "unestablishable",
        /// Its target is write-protected.
        WriteProtected = "write_protected",
        /// Whether its target is write-protected could not be worked out.
        WriteUnresolved = "write_unresolved",
        /// The probe was asked and did not answer.
        ProbeUnanswered = "probe_unanswered",
        /// The persisted rules could not be read.
        RulesUnreadable = "rules_unreadable",
        /// The policy asks.
        Policy = "policy",
        /// A guard hook asks.
        Hook = "hook",
        /// The organisation asks.
        Org = "org",
        /// A persisted rule asks.
        Rule = "rule",
        /// The approved call was edited and is not settled by its approval.
        Edit = "edit",
        /// The classifier asks, or did not rule, or may not clear the call.
        Classifier = "classifier",
        /// The classifier denied too often.
        DenialLimit = "denial_limit",
    }
}

words! {
    /// How far a cause bars automatic answerers.
    pub enum BarClass {
        /// Anybody may answer.
        Open = "open",
        /// What it reads was not judged.
        Unread = "unread",
        /// It cannot be undone.
        Undoable = "undoable",
        /// It reaches beyond the allowed hosts.
        Reach = "reach",
        /// A live decider or an explicit bypass may answer, nothing stored may.
        Mandated = "mandated",
        /// Only a person may answer.
        PersonOnly = "person_only",
    }
}

words! {
    /// Who can answer an ask without a person.
    pub enum Automatic {
        /// A stored allow rule.
        StoredRule = "stored_rule",
        /// A guard hook's allow.
        HookAllow = "hook_allow",
        /// The reader that knows the call only reads.
        ReadOnly = "read_only",
        /// The sandbox.
        Sandbox = "sandbox",
        /// Mode `accept_edits`.
        AcceptEdits = "accept_edits",
        /// The classifier.
        Classifier = "classifier",
        /// Mode `bypass`.
        Bypass = "bypass",
    }
}

impl Cause {
    /// Turns an allow into an ask, or keeps an ask standing; one that does not only bars.
    pub const fn objects(self) -> bool {
        !matches!(self, Self::BoundaryDeclined)
    }

    /// Who an ask of this cause is owed to. A classifier's objection keeps the ask's own origin.
    pub const fn origin(self) -> Option<AskOrigin> {
        match self {
            Self::Unstated => Some(AskOrigin::Unstated),
            Self::Irreversible | Self::ProbeOutOfRoot | Self::ProbeUnanswered => {
                Some(AskOrigin::Reversibility)
            }
            Self::Outside => Some(AskOrigin::Egress),
            Self::ReadDeclined | Self::ReadOutOfRoot | Self::Unestablishable => {
                Some(AskOrigin::ShellRead)
            }
            Self::WriteProtected | Self::WriteUnresolved => Some(AskOrigin::WriteProtection),
            Self::RulesUnreadable | Self::Rule => Some(AskOrigin::Rule),
            Self::Policy => Some(AskOrigin::Policy),
            Self::Hook => Some(AskOrigin::Hook),
            Self::Org => Some(AskOrigin::Org),
            Self::Edit => Some(AskOrigin::Edit),
            Self::DenialLimit => Some(AskOrigin::DenialLimit),
            Self::BoundaryDeclined | Self::Classifier => None,
        }
    }

    /// How far it bars.
    pub const fn class(self) -> BarClass {
        match self {
            Self::Unstated => BarClass::Open,
            Self::Irreversible => BarClass::Undoable,
            Self::Outside => BarClass::Reach,
            Self::BoundaryDeclined | Self::ReadDeclined => BarClass::Unread,
            Self::ProbeOutOfRoot
            | Self::ReadOutOfRoot
            | Self::Unestablishable
            | Self::WriteProtected => BarClass::Mandated,
            Self::WriteUnresolved
            | Self::ProbeUnanswered
            | Self::RulesUnreadable
            | Self::Policy
            | Self::Hook
            | Self::Org
            | Self::Rule
            | Self::Edit
            | Self::Classifier
            | Self::DenialLimit => BarClass::PersonOnly,
        }
    }
}

impl BarClass {
    /// Whether an ask with a cause of this class is closed to that answerer.
    pub const fn bars(self, answerer: Automatic) -> bool {
        match answerer {
            Automatic::StoredRule | Automatic::HookAllow => match self {
                Self::Open | Self::Unread | Self::Undoable | Self::Reach => false,
                Self::Mandated | Self::PersonOnly => true,
            },
            Automatic::ReadOnly => match self {
                Self::Open => false,
                Self::Unread | Self::Undoable | Self::Reach | Self::Mandated | Self::PersonOnly => {
                    true
                }
            },
            Automatic::Sandbox => match self {
                Self::Open | Self::Unread => false,
                Self::Undoable | Self::Reach | Self::Mandated | Self::PersonOnly => true,
            },
            Automatic::AcceptEdits => match self {
                Self::Open | Self::Unread | Self::Undoable => false,
                Self::Reach | Self::Mandated | Self::PersonOnly => true,
            },
            Automatic::Classifier | Automatic::Bypass => match self {
                Self::Open | Self::Unread | Self::Undoable | Self::Reach | Self::Mandated => false,
                Self::PersonOnly => true,
            },
        }
    }
}

/// One cause, with where it was written and on whose word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asker {
    /// What was objected.
    pub cause: Cause,
    /// The station at which it was.
    pub station: Station,
    /// The edit round in which it was; 0 is the model's own call.
    pub round: u8,
    /// The words of whoever objected, for whoever answers; not part of the record.
    pub reason: Option<Text>,
    /// The rule behind it, as its layer named it.
    pub basis: Option<Basis>,
    /// The part of the call that it is about.
    pub part: Option<Text>,
}

/// Every cause of a pass, in the order in which they were written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Causes(Vec<Asker>);

impl Causes {
    /// Appends a cause; nothing takes one away.
    pub fn push(&mut self, asker: Asker) {
        self.0.push(asker);
    }

    /// Every entry.
    pub fn iter(&self) -> impl Iterator<Item = &Asker> {
        self.0.iter()
    }

    /// Those who objected; the others only bar.
    pub fn objections(&self) -> impl Iterator<Item = &Asker> {
        self.0.iter().filter(|asker| asker.cause.objects())
    }

    /// Who the ask is owed to: the first in precedence among the origins present. Source: G125.
    pub fn origin(&self) -> Option<AskOrigin> {
        let origins = self.0.iter().filter_map(|asker| asker.cause.origin());
        if fault!(OriginIsTheLast) {
            return origins.max();
        }
        origins.min()
    }

    /// Whether an ask with these causes is closed to that answerer.
    pub fn bar(&self, answerer: Automatic) -> bool {
        let mut classes = self.0.iter().map(|asker| asker.cause.class());
        classes.any(|class| class.bars(answerer) && !lifts_bar(class, answerer))
    }

    /// The entry that names the ask: the first one of the origin in force.
    pub(crate) fn leading(&self) -> Option<&Asker> {
        let origin = self.origin()?;
        self.0
            .iter()
            .find(|asker| asker.cause.origin() == Some(origin))
    }
}
