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

/// Notices as a saved pass keeps them: the args are written once, however many notices bear them.
pub(crate) mod saved {
    use alloc::vec::Vec;

    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Arc, Args, Notice, NoticeWord, Station, Text};

    #[derive(Serialize, Deserialize)]
    struct Saved {
        args: Vec<Args>,
        notices: Vec<Line>,
    }

    #[derive(Serialize, Deserialize)]
    struct Line {
        notice: NoticeWord,
        station: Station,
        round: u8,
        args: usize,
        about: Option<Arc<str>>,
        text: Option<Text>,
    }

    pub(crate) fn serialize<S: Serializer>(
        notices: &[Notice],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut args: Vec<Args> = Vec::new();
        let notices = notices.iter().map(|notice| Line {
            notice: notice.notice,
            station: notice.station,
            round: notice.round,
            args: place(&mut args, &notice.args),
            about: notice.about.clone(),
            text: notice.text.clone(),
        });
        let notices = notices.collect();
        Saved { args, notices }.serialize(serializer)
    }

    fn place(all: &mut Vec<Args>, args: &Args) -> usize {
        all.iter()
            .position(|known| known == args)
            .unwrap_or_else(|| {
                all.push(args.clone());
                all.len().saturating_sub(1)
            })
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Notice>, D::Error> {
        let Saved { args, notices } = Saved::deserialize(deserializer)?;
        let notice = |line: Line| {
            let args = args.get(line.args).cloned();
            Ok(Notice {
                notice: line.notice,
                audience: line.notice.audience(),
                station: line.station,
                round: line.round,
                args: args.ok_or_else(|| D::Error::custom("a notice without its args"))?,
                about: line.about,
                text: line.text,
            })
        };
        notices.into_iter().map(notice).collect()
    }
}
