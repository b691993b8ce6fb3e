//! The outcome of a pass: a sum type in which a wrong combination cannot be written.

use alloc::format;
use alloc::string::String;

use serde::{Deserialize, Serialize};

use super::{ExitFacts, ExitVerdict, mint};
use crate::faults::fault;
use crate::gate::seats::Answerer;
use crate::gate::settlement::{Grant, SettledAsk, Settlement};
use crate::gate::words::{
    AllowedBy, AskOrigin, ClassifierCause, ClassifierRound, DeniedBy, ModeRefusal, ModeRelease,
    SettledBy, Unanswered,
};

/// What a finished pass decided, which ask it settled, and who raised that ask.
///
/// The mint is the only way to one; reading one back goes through the mint as well.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "ExitFacts", try_from = "ExitFacts")]
pub struct GateOutcome {
    pub(super) disposition: Disposition,
    pub(super) classifier: Option<ClassifierRound>,
    pub(super) inherited_classifier: Option<ClassifierRound>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Disposition {
    Allow(Allow),
    Deny(Deny),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Allow {
    /// Nobody was asked.
    Automatic(Automatic),
    /// The permission mode released the ask.
    Released(ModeRelease),
    /// Whoever was asked said yes.
    Answered(Yes),
    /// The policy had the ask answered itself.
    Attested(Yes),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Automatic {
    Policy,
    StoredRule,
    Hook,
    ReadOnly,
    Classifier,
    Sandbox,
    Default,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Deny {
    /// A layer's own deny; nothing was settled.
    Direct(Direct),
    /// The policy's deny, perhaps over a yes, perhaps for want of an inherited ruling.
    Policy {
        yes: Option<Yes>,
        cause: Option<ClassifierCause>,
    },
    /// The classifier's deny.
    Classifier { cause: Option<ClassifierCause> },
    /// The permission mode's deny.
    Mode(ModeRefusal),
    /// A layer's veto over a yes.
    Veto { by: Veto, yes: Yes },
    /// The ask itself ended as a refusal.
    Ask { refusal: Refusal, origin: AskOrigin },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Direct {
    Compliance,
    PlanMode,
    Hook,
    Engine,
    Org,
    Rule,
    ShellRead,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Veto {
    PlanMode,
    Hook,
    Engine,
    Org,
    Rule,
    ShellRead,
    WriteProtection,
    EditCap,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Yes {
    pub(super) by: Answerer,
    pub(super) edited: bool,
    pub(super) grant: Option<Grant>,
    pub(super) origin: AskOrigin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Refusal {
    No(Answerer),
    Unanswered(Unanswered),
}

impl GateOutcome {
    /// Allow or deny.
    pub const fn verdict(&self) -> ExitVerdict {
        match self.disposition {
            Disposition::Allow(_) => ExitVerdict::Allow,
            Disposition::Deny(_) => ExitVerdict::Deny,
        }
    }

    /// Who refused, on a deny.
    pub const fn denied_by(&self) -> Option<DeniedBy> {
        match &self.disposition {
            Disposition::Allow(_) => None,
            Disposition::Deny(deny) => Some(deny.by()),
        }
    }

    /// Who let it through, on an allow.
    pub const fn allowed_by(&self) -> Option<AllowedBy> {
        match &self.disposition {
            Disposition::Allow(allow) => Some(allow.by()),
            Disposition::Deny(_) => None,
        }
    }

    /// The ask that was settled, a yes that was vetoed included.
    pub fn settled(&self) -> Option<SettledAsk> {
        match &self.disposition {
            Disposition::Allow(Allow::Answered(yes) | Allow::Attested(yes))
            | Disposition::Deny(Deny::Veto { yes, .. } | Deny::Policy { yes: Some(yes), .. }) => {
                Some(yes.settled())
            }
            Disposition::Deny(Deny::Ask { refusal, origin }) => Some(SettledAsk {
                settlement: refusal.settlement(),
                origin: *origin,
            }),
            Disposition::Allow(Allow::Automatic(_) | Allow::Released(_))
            | Disposition::Deny(
                Deny::Direct(_)
                | Deny::Policy { yes: None, .. }
                | Deny::Classifier { .. }
                | Deny::Mode(_),
            ) => None,
        }
    }

    /// Why the refusing classifier round did not rule.
    pub const fn cause(&self) -> Option<ClassifierCause> {
        match &self.disposition {
            Disposition::Deny(Deny::Policy { cause, .. } | Deny::Classifier { cause }) => *cause,
            Disposition::Allow(_)
            | Disposition::Deny(
                Deny::Direct(_) | Deny::Mode(_) | Deny::Veto { .. } | Deny::Ask { .. },
            ) => None,
        }
    }

    /// The permission mode's release.
    pub const fn released(&self) -> Option<ModeRelease> {
        match &self.disposition {
            Disposition::Allow(Allow::Released(release)) => Some(*release),
            Disposition::Allow(Allow::Automatic(_) | Allow::Answered(_) | Allow::Attested(_))
            | Disposition::Deny(_) => None,
        }
    }

    /// The permission mode's refusal.
    pub const fn refused(&self) -> Option<ModeRefusal> {
        match &self.disposition {
            Disposition::Deny(Deny::Mode(refusal)) => Some(*refusal),
            Disposition::Allow(_)
            | Disposition::Deny(
                Deny::Direct(_)
                | Deny::Policy { .. }
                | Deny::Classifier { .. }
                | Deny::Veto { .. }
                | Deny::Ask { .. },
            ) => None,
        }
    }

    /// The classifier round this pass ran; legal on every disposition. Source: G023.
    pub const fn classifier(&self) -> Option<&ClassifierRound> {
        self.classifier.as_ref()
    }

    /// The classifier round that an ancestor ran for this call.
    pub const fn inherited_classifier(&self) -> Option<&ClassifierRound> {
        self.inherited_classifier.as_ref()
    }
}

impl Allow {
    const fn by(&self) -> AllowedBy {
        match self {
            Self::Released(_) => AllowedBy::Mode,
            Self::Answered(_) => AllowedBy::AskResolution,
            Self::Attested(_) | Self::Automatic(Automatic::Policy) => AllowedBy::Policy,
            Self::Automatic(Automatic::StoredRule) => AllowedBy::StoredRule,
            Self::Automatic(Automatic::Hook) => AllowedBy::Hook,
            Self::Automatic(Automatic::ReadOnly) => AllowedBy::ReadOnly,
            Self::Automatic(Automatic::Classifier) => AllowedBy::Classifier,
            Self::Automatic(Automatic::Sandbox) => AllowedBy::Sandbox,
            Self::Automatic(Automatic::Default) => AllowedBy::Default,
        }
    }
}

impl Deny {
    const fn by(&self) -> DeniedBy {
        match self {
            Self::Policy { .. } => DeniedBy::Policy,
            Self::Classifier { .. } => DeniedBy::Classifier,
            Self::Mode(_) => DeniedBy::Mode,
            Self::Ask { .. } => DeniedBy::AskResolution,
            Self::Direct(Direct::Compliance) => DeniedBy::Compliance,
            Self::Direct(Direct::PlanMode)
            | Self::Veto {
                by: Veto::PlanMode, ..
            } => DeniedBy::PlanMode,
            Self::Direct(Direct::Hook) | Self::Veto { by: Veto::Hook, .. } => DeniedBy::Hook,
            Self::Direct(Direct::Engine)
            | Self::Veto {
                by: Veto::Engine, ..
            } => DeniedBy::Engine,
            Self::Direct(Direct::Org) | Self::Veto { by: Veto::Org, .. } => DeniedBy::Org,
            Self::Direct(Direct::Rule) | Self::Veto { by: Veto::Rule, .. } => DeniedBy::Rule,
            Self::Direct(Direct::ShellRead)
            | Self::Veto {
                by: Veto::ShellRead,
                ..
            } => DeniedBy::ShellRead,
            Self::Veto {
                by: Veto::WriteProtection,
                ..
            } => DeniedBy::WriteProtection,
            Self::Veto {
                by: Veto::EditCap, ..
            } => DeniedBy::EditCap,
        }
    }
}

impl Yes {
    fn settled(&self) -> SettledAsk {
        let mut settlement = Settlement::yes(self.by.into());
        settlement.edited = self.edited;
        settlement.grant.clone_from(&self.grant);
        SettledAsk {
            settlement,
            origin: self.origin,
        }
    }
}

impl Refusal {
    const fn settlement(self) -> Settlement {
        match self {
            Self::No(Answerer::Person) => Settlement::no(SettledBy::Person),
            Self::No(Answerer::Delegate) => Settlement::no(SettledBy::Delegate),
            Self::Unanswered(why) => Settlement::unanswered(why),
        }
    }
}

impl From<Answerer> for SettledBy {
    fn from(answerer: Answerer) -> Self {
        match answerer {
            Answerer::Person => Self::Person,
            Answerer::Delegate => Self::Delegate,
        }
    }
}

impl From<GateOutcome> for ExitFacts {
    fn from(outcome: GateOutcome) -> Self {
        let (settlement, origin) = outcome
            .settled()
            .map_or((None, None), |ask| (Some(ask.settlement), Some(ask.origin)));
        Self {
            verdict: outcome.verdict(),
            denied_by: outcome.denied_by(),
            allowed_by: outcome.allowed_by(),
            cause: outcome.cause(),
            settlement,
            origin,
            released: outcome.released(),
            refused: outcome.refused(),
            classifier: outcome.classifier,
            inherited_classifier: outcome.inherited_classifier,
        }
    }
}

impl TryFrom<ExitFacts> for GateOutcome {
    type Error = String;

    fn try_from(mut facts: ExitFacts) -> Result<Self, Self::Error> {
        if fault!(ReadBackUnscreened) && mint(facts.clone()).is_err() {
            (facts.settlement, facts.origin) = (None, None);
        }
        mint(facts).map_err(|code| format!("{code}: {}", code.sentence()))
    }
}
