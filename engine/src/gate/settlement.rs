//! Settlements: how an ask ended, and by whom.

use serde::{Deserialize, Serialize};

use super::text::Text;
use super::words::{AskOrigin, SettledAnswer, SettledBy, Unanswered, is_unset};

/// What a person asked to be remembered with their yes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grant {
    /// How far it reaches, in the host's words: `session`, `project`, `user`.
    pub scope: Text,
    /// The rule to store.
    pub rule: Text,
}

/// How an ask ended. Source: G014, G015.
///
/// The fields can be combined wrongly on purpose: the mint is what refuses a wrong one, and it can
/// only be tested if a wrong one can be written down.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settlement {
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
    /// What is to be remembered with a yes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<Grant>,
}

impl Settlement {
    /// A plain yes.
    pub const fn yes(by: SettledBy) -> Self {
        Self {
            answer: SettledAnswer::Yes,
            by,
            edited: false,
            why: None,
            grant: None,
        }
    }

    /// A no.
    pub const fn no(by: SettledBy) -> Self {
        Self {
            answer: SettledAnswer::No,
            by,
            edited: false,
            why: None,
            grant: None,
        }
    }

    /// An ask that nobody answered; the engine settles it.
    pub const fn unanswered(why: Unanswered) -> Self {
        Self {
            answer: SettledAnswer::Unanswered,
            by: SettledBy::Engine,
            edited: false,
            why: Some(why),
            grant: None,
        }
    }

    /// `why` exactly when unanswered, and then by the engine; `edited` and `grant` only on a yes;
    /// the engine never says yes or no.
    pub const fn is_well_formed(&self) -> bool {
        let engine = matches!(self.by, SettledBy::Engine);
        match self.answer {
            SettledAnswer::Yes => !engine && self.why.is_none(),
            SettledAnswer::No => {
                !engine && self.why.is_none() && !self.edited && self.grant.is_none()
            }
            SettledAnswer::Unanswered => {
                engine && self.why.is_some() && !self.edited && self.grant.is_none()
            }
        }
    }

    /// A no, or no answer at all.
    pub const fn is_refusal(&self) -> bool {
        match self.answer {
            SettledAnswer::Yes => false,
            SettledAnswer::No | SettledAnswer::Unanswered => true,
        }
    }
}

/// A settlement with the origin of the ask that it settled. Both, or neither. Source: G014.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettledAsk {
    /// How the ask ended.
    pub settlement: Settlement,
    /// Who the ask was owed to.
    pub origin: AskOrigin,
}
