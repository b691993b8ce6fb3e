//! Notices: what others are to be told once the verdict exists.
//!
//! They are data on the result, emitted by the host afterwards, each with its own immutable args.
//! No observer can stall, alter or precede a verdict. Source: G060–G065, G092, G094.

use alloc::sync::Arc;

use serde::{Deserialize, Serialize};

use super::args::Args;
use super::station::Station;
use super::text::Text;
use super::words::words;

words! {
    /// What is told.
    pub enum NoticeWord {
        /// The call was denied; the deny observer is told on every exit but a hook's own deny.
        PermissionDenied = "permission_denied",
        /// A seat threw, timed out, or gave no usable answer.
        SeatFailed = "seat_failed",
        /// A hook threw, timed out, or gave a malformed receipt.
        HookFailed = "hook_failed",
        /// An observer hook answered; its answer counts for nothing.
        ObserverAnswered = "observer_answered",
        /// An attestation did not count for this call.
        AttestationIgnored = "attestation_ignored",
        /// A surviving ask dropped what had been settled before it.
        SettlementSuperseded = "settlement_superseded",
        /// The persisted rules could not be read.
        RulesUnreadable = "rules_unreadable",
        /// A rewrite stood beside a deny.
        RewriteIgnored = "rewrite_ignored",
    }
}

words! {
    /// Who is told.
    pub enum Audience {
        /// The deny observer.
        Observer = "observer",
        /// Whoever runs the deployment.
        Deployment = "deployment",
    }
}

impl NoticeWord {
    /// Who is told.
    pub const fn audience(self) -> Audience {
        match self {
            Self::PermissionDenied => Audience::Observer,
            Self::SeatFailed
            | Self::HookFailed
            | Self::ObserverAnswered
            | Self::AttestationIgnored
            | Self::SettlementSuperseded
            | Self::RulesUnreadable
            | Self::RewriteIgnored => Audience::Deployment,
        }
    }
}

/// One thing to tell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notice {
    /// What is told.
    pub notice: NoticeWord,
    /// Who is told.
    pub audience: Audience,
    /// The station at which it arose.
    pub station: Station,
    /// The edit round in which it arose.
    pub round: u8,
    /// The args as they stood then.
    pub args: Args,
    /// The seat, hook, refuser or attestation it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<Arc<str>>,
    /// More, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Text>,
}
