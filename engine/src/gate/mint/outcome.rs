//! The outcome of a pass: a sum type in which a wrong combination cannot be written.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use super::{DefectCode, ExitFacts, ExitVerdict, mint};
use crate::gate::seats::Answerer;
use crate::gate::settlement::{Grant, SettledAsk, Settlement};
use crate::gate::words::{
    AllowedBy, AskOrigin, ClassifierCause, ClassifierRound, DeniedBy, ModeRefusal, ModeRelease,
    SettledAnswer, SettledBy, Unanswered,
};

/// What a finished pass decided, which ask it settled, and who raised that ask.
///
/// The mint is the only way to one; reading one back goes through the mint as well.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "ExitFacts", try_from = "ExitFacts")]
pub struct GateOutcome {
    disposition: Disposition,
    classifier: Option<ClassifierRound>,
    inherited_classifier: Option<ClassifierRound>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Disposition {
    Allow(Allow),
    Deny(Deny),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Allow {
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
enum Automatic {
    Policy,
    StoredRule,
    Hook,
    ReadOnly,
    Classifier,
    Sandbox,
    Default,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Deny {
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
enum Direct {
    Compliance,
    PlanMode,
    Hook,
    Engine,
    Org,
    Rule,
    ShellRead,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Veto {
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
struct Yes {
    by: Answerer,
    edited: bool,
    grant: Option<Grant>,
    origin: AskOrigin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Refusal {
    No(Answerer),
    Unanswered(Unanswered),
}

/// The settled ask of the facts, read once.
enum Settled {
    Nothing,
    Yes(Yes),
    Refused { refusal: Refusal, origin: AskOrigin },
}

impl GateOutcome {
    /// Assembles the outcome of facts. Each arm that has no place in the sum type names the defect,
    /// so that the screen and the type agree on what is wrong, and a test can say so.
    pub(super) fn assemble(facts: ExitFacts) -> Result<Self, DefectCode> {
        let settled = Settled::read(facts.settlement, facts.origin)?;
        let disposition = match facts.verdict {
            ExitVerdict::Allow => {
                if facts.denied_by.is_some() {
                    return Err(DefectCode::RefuserOnAllow);
                }
                if facts.cause.is_some() {
                    return Err(DefectCode::CauseWithoutClassifierRefusal);
                }
                if facts.refused.is_some() {
                    return Err(DefectCode::RefusalCardWithoutMode);
                }
                let by = facts.allowed_by.ok_or(DefectCode::AllowWithoutAllower)?;
                Disposition::Allow(Allow::assemble(by, settled, facts.released)?)
            }
            ExitVerdict::Deny => {
                if facts.allowed_by.is_some() {
                    return Err(DefectCode::AllowerOnRefusal);
                }
                if facts.released.is_some() {
                    return Err(DefectCode::ReleaseWithoutMode);
                }
                let by = facts.denied_by.ok_or(DefectCode::RefusalWithoutRefuser)?;
                Disposition::Deny(Deny::assemble(by, settled, facts.cause, facts.refused)?)
            }
        };
        Ok(Self {
            disposition,
            classifier: facts.classifier,
            inherited_classifier: facts.inherited_classifier,
        })
    }

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

impl Settled {
    fn read(settlement: Option<Settlement>, origin: Option<AskOrigin>) -> Result<Self, DefectCode> {
        let (settlement, origin) = match (settlement, origin) {
            (None, None) => return Ok(Self::Nothing),
            (Some(_), None) => return Err(DefectCode::SettlementWithoutOrigin),
            (None, Some(_)) => return Err(DefectCode::OriginWithoutSettlement),
            (Some(settlement), Some(origin)) => (settlement, origin),
        };
        if !settlement.is_well_formed() {
            return Err(DefectCode::MalformedSettlement);
        }
        let by = match settlement.by {
            SettledBy::Person => Some(Answerer::Person),
            SettledBy::Delegate => Some(Answerer::Delegate),
            SettledBy::Engine => None,
        };
        match (settlement.answer, by, settlement.why) {
            (SettledAnswer::Yes, Some(by), _) => {
                let Settlement { edited, grant, .. } = settlement;
                Ok(Self::Yes(Yes {
                    by,
                    edited,
                    grant,
                    origin,
                }))
            }
            (SettledAnswer::No, Some(by), _) => Ok(Self::Refused {
                refusal: Refusal::No(by),
                origin,
            }),
            (SettledAnswer::Unanswered, _, Some(why)) => Ok(Self::Refused {
                refusal: Refusal::Unanswered(why),
                origin,
            }),
            (SettledAnswer::Yes | SettledAnswer::No | SettledAnswer::Unanswered, _, _) => {
                Err(DefectCode::MalformedSettlement)
            }
        }
    }
}

impl Allow {
    fn assemble(
        by: AllowedBy,
        settled: Settled,
        released: Option<ModeRelease>,
    ) -> Result<Self, DefectCode> {
        let automatic = match by {
            AllowedBy::Mode => {
                let release = released.ok_or(DefectCode::ModeWithoutRelease)?;
                return match settled {
                    Settled::Nothing => Ok(Self::Released(release)),
                    Settled::Yes(_) | Settled::Refused { .. } => {
                        Err(DefectCode::ReleaseBesideSettlement)
                    }
                };
            }
            AllowedBy::AskResolution => None,
            AllowedBy::Policy => Some(Automatic::Policy),
            AllowedBy::StoredRule => Some(Automatic::StoredRule),
            AllowedBy::Hook => Some(Automatic::Hook),
            AllowedBy::ReadOnly => Some(Automatic::ReadOnly),
            AllowedBy::Classifier => Some(Automatic::Classifier),
            AllowedBy::Sandbox => Some(Automatic::Sandbox),
            AllowedBy::Default => Some(Automatic::Default),
        };
        if released.is_some() {
            return Err(DefectCode::ReleaseWithoutMode);
        }
        match (automatic, settled) {
            (_, Settled::Refused { .. }) => Err(DefectCode::RefusalBesideOtherLayer),
            (None, Settled::Yes(yes)) => Ok(Self::Answered(yes)),
            (None, Settled::Nothing) => Err(DefectCode::AnsweredWithoutSettlement),
            (Some(by), Settled::Nothing) => Ok(Self::Automatic(by)),
            (Some(Automatic::Policy), Settled::Yes(yes)) => Ok(Self::Attested(yes)),
            (Some(_), Settled::Yes(_)) => Err(DefectCode::YesBesideAutomaticAllower),
        }
    }

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
    fn assemble(
        by: DeniedBy,
        settled: Settled,
        cause: Option<ClassifierCause>,
        refused: Option<ModeRefusal>,
    ) -> Result<Self, DefectCode> {
        let yes = match settled {
            Settled::Refused { refusal, origin } if by == DeniedBy::AskResolution => {
                no_cause(cause)?;
                no_card(refused)?;
                return Ok(Self::Ask { refusal, origin });
            }
            Settled::Refused { .. } => return Err(DefectCode::RefusalBesideOtherLayer),
            Settled::Yes(yes) => Some(yes),
            Settled::Nothing => None,
        };
        if by == DeniedBy::Mode {
            no_cause(cause)?;
            let card = refused.ok_or(DefectCode::ModeWithoutRefusalCard)?;
            return match yes {
                Some(_) => Err(DefectCode::YesBesideNonVetoLayer),
                None => Ok(Self::Mode(card)),
            };
        }
        no_card(refused)?;
        if by == DeniedBy::Policy {
            return Ok(Self::Policy { yes, cause });
        }
        if by == DeniedBy::Classifier {
            return match yes {
                Some(_) => Err(DefectCode::YesBesideNonVetoLayer),
                None => Ok(Self::Classifier { cause }),
            };
        }
        no_cause(cause)?;
        match yes {
            Some(yes) => Ok(Self::Veto { by: veto(by)?, yes }),
            None => Ok(Self::Direct(direct(by)?)),
        }
    }

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

fn no_cause(cause: Option<ClassifierCause>) -> Result<(), DefectCode> {
    cause.map_or(Ok(()), |_| Err(DefectCode::CauseWithoutClassifierRefusal))
}

fn no_card(card: Option<ModeRefusal>) -> Result<(), DefectCode> {
    card.map_or(Ok(()), |_| Err(DefectCode::RefusalCardWithoutMode))
}

const fn direct(by: DeniedBy) -> Result<Direct, DefectCode> {
    match by {
        DeniedBy::Compliance => Ok(Direct::Compliance),
        DeniedBy::PlanMode => Ok(Direct::PlanMode),
        DeniedBy::Hook => Ok(Direct::Hook),
        DeniedBy::Engine => Ok(Direct::Engine),
        DeniedBy::Org => Ok(Direct::Org),
        DeniedBy::Rule => Ok(Direct::Rule),
        DeniedBy::ShellRead => Ok(Direct::ShellRead),
        DeniedBy::WriteProtection | DeniedBy::EditCap => Err(DefectCode::EditRefuserWithoutYes),
        DeniedBy::AskResolution => Err(DefectCode::AskResolutionWithoutRefusal),
        DeniedBy::Policy | DeniedBy::Classifier => Err(DefectCode::RefusalWithoutRefuser),
        DeniedBy::Mode => Err(DefectCode::ModeWithoutRefusalCard),
    }
}

const fn veto(by: DeniedBy) -> Result<Veto, DefectCode> {
    match by {
        DeniedBy::PlanMode => Ok(Veto::PlanMode),
        DeniedBy::Hook => Ok(Veto::Hook),
        DeniedBy::Engine => Ok(Veto::Engine),
        DeniedBy::Org => Ok(Veto::Org),
        DeniedBy::Rule => Ok(Veto::Rule),
        DeniedBy::ShellRead => Ok(Veto::ShellRead),
        DeniedBy::WriteProtection => Ok(Veto::WriteProtection),
        DeniedBy::EditCap => Ok(Veto::EditCap),
        DeniedBy::AskResolution => Err(DefectCode::AskResolutionWithoutRefusal),
        DeniedBy::Compliance | DeniedBy::Policy | DeniedBy::Classifier | DeniedBy::Mode => {
            Err(DefectCode::YesBesideNonVetoLayer)
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

    fn try_from(facts: ExitFacts) -> Result<Self, Self::Error> {
        mint(facts).map_err(|code| code.sentence().into())
    }
}
