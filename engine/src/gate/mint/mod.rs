//! The mint: the only way to an outcome. Source: G001–G034.
//!
//! [`ExitFacts`] is flat and may be wrong in any way; [`GateOutcome`] is a sum type in which the
//! wrong combinations cannot be written. [`mint`] screens the one in the order of the table and
//! assembles the other.

mod assemble;
mod outcome;
mod screen;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::settlement::Settlement;
use super::station::Station;
use super::words::{
    AllowedBy, AskOrigin, ClassifierCause, ClassifierRound, DeniedBy, ModeRefusal, ModeRelease,
    words,
};
use crate::faults::fault;

pub use outcome::GateOutcome;
pub use screen::defects;

words! {
    /// What a pass can end in.
    pub enum ExitVerdict {
        /// The call may run.
        Allow = "allow",
        /// The call does not run.
        Deny = "deny",
    }
}

/// What a pass hands the mint.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExitFacts {
    /// What stands at the exit.
    pub verdict: ExitVerdict,
    /// Who refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denied_by: Option<DeniedBy>,
    /// Who let it through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_by: Option<AllowedBy>,
    /// Why the refusing classifier round did not rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<ClassifierCause>,
    /// How the consumed ask ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settlement: Option<Settlement>,
    /// Who the consumed ask was owed to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<AskOrigin>,
    /// The permission mode released the ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<ModeRelease>,
    /// The permission mode refused the ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<ModeRefusal>,
    /// The classifier round this pass ran, on whatever disposition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classifier: Option<ClassifierRound>,
    /// The classifier round that an ancestor ran for this call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inherited_classifier: Option<ClassifierRound>,
}

impl ExitFacts {
    /// A verdict and nothing else.
    pub const fn of(verdict: ExitVerdict) -> Self {
        Self {
            verdict,
            denied_by: None,
            allowed_by: None,
            cause: None,
            settlement: None,
            origin: None,
            released: None,
            refused: None,
            classifier: None,
            inherited_classifier: None,
        }
    }

    /// An allow by this answerer.
    pub const fn allow(by: AllowedBy) -> Self {
        let mut facts = Self::of(ExitVerdict::Allow);
        facts.allowed_by = Some(by);
        facts
    }

    /// A deny by this layer.
    pub const fn deny(by: DeniedBy) -> Self {
        let mut facts = Self::of(ExitVerdict::Deny);
        facts.denied_by = Some(by);
        facts
    }

    /// The same facts with this settled ask.
    #[must_use]
    pub fn settled(mut self, settlement: Settlement, origin: AskOrigin) -> Self {
        self.settlement = Some(settlement);
        self.origin = Some(origin);
        self
    }
}

words! {
    /// What can be wrong with a composed exit. Each is the engine's own fault.
    pub enum DefectCode {
        /// The settlement contradicts itself.
        MalformedSettlement = "malformed_settlement",
        /// A settlement, and nobody the ask was owed to.
        SettlementWithoutOrigin = "settlement_without_origin",
        /// An origin, and no settlement.
        OriginWithoutSettlement = "origin_without_settlement",
        /// A deny that names no refuser.
        RefusalWithoutRefuser = "refusal_without_refuser",
        /// An allow that names a refuser.
        RefuserOnAllow = "refuser_on_allow",
        /// An allow that names no allower.
        AllowWithoutAllower = "allow_without_allower",
        /// A deny that names an allower.
        AllowerOnRefusal = "allower_on_refusal",
        /// `ask_resolution` refused, and no ask was settled as a refusal.
        AskResolutionWithoutRefusal = "ask_resolution_without_refusal",
        /// A settled refusal beside another refuser, or on an allow.
        RefusalBesideOtherLayer = "refusal_beside_other_layer",
        /// A settled yes beside a refuser that cannot veto.
        YesBesideNonVetoLayer = "yes_beside_non_veto_layer",
        /// A refuser of edited calls, and no settled yes.
        EditRefuserWithoutYes = "edit_refuser_without_yes",
        /// Allowed by the ask's answer, and no yes was settled.
        AnsweredWithoutSettlement = "answered_without_settlement",
        /// A settled yes on an allow by an answerer that needed none.
        YesBesideAutomaticAllower = "yes_beside_automatic_allower",
        /// A classifier cause beside a refuser that ran no classifier.
        CauseWithoutClassifierRefusal = "cause_without_classifier_refusal",
        /// A release, and the mode did not allow.
        ReleaseWithoutMode = "release_without_mode",
        /// The mode allowed, and there is no release.
        ModeWithoutRelease = "mode_without_release",
        /// The mode allowed what somebody had settled.
        ReleaseBesideSettlement = "release_beside_settlement",
        /// A mode's refusal card, and the mode did not refuse.
        RefusalCardWithoutMode = "refusal_card_without_mode",
        /// The mode refused, and there is no card.
        ModeWithoutRefusalCard = "mode_without_refusal_card",
        /// The pass came to its exit with an ask.
        AskAtExit = "ask_at_exit",
        /// A second station wrote a refuser.
        SecondRefuser = "second_refuser",
        /// A second station wrote an allower.
        SecondAllower = "second_allower",
    }
}

impl DefectCode {
    /// The code in a sentence.
    const fn sentence(self) -> &'static str {
        match self {
            Self::MalformedSettlement => "the settlement contradicts itself",
            Self::SettlementWithoutOrigin => "a settlement stands without an origin",
            Self::OriginWithoutSettlement => "an origin stands without a settlement",
            Self::RefusalWithoutRefuser => "a deny names no refuser",
            Self::RefuserOnAllow => "an allow names a refuser",
            Self::AllowWithoutAllower => "an allow names no allower",
            Self::AllowerOnRefusal => "a deny names an allower",
            Self::AskResolutionWithoutRefusal => "ask_resolution refused without a settled refusal",
            Self::RefusalBesideOtherLayer => "a settled refusal stands beside another layer",
            Self::YesBesideNonVetoLayer => "a settled yes stands beside a layer that cannot veto",
            Self::EditRefuserWithoutYes => "a refuser of edited calls stands without a settled yes",
            Self::AnsweredWithoutSettlement => "ask_resolution allowed without a settled yes",
            Self::YesBesideAutomaticAllower => "a settled yes stands beside an automatic allower",
            Self::CauseWithoutClassifierRefusal => {
                "a classifier cause stands without a classifier's refusal"
            }
            Self::ReleaseWithoutMode => "a release stands without the mode's allow",
            Self::ModeWithoutRelease => "the mode's allow stands without a release",
            Self::ReleaseBesideSettlement => "a mode's release stands beside a settlement",
            Self::RefusalCardWithoutMode => "a mode's refusal card stands without its refusal",
            Self::ModeWithoutRefusalCard => "the mode's refusal stands without its card",
            Self::AskAtExit => "an ask stands at the exit",
            Self::SecondRefuser => "a second station wrote a refuser",
            Self::SecondAllower => "a second station wrote an allower",
        }
    }
}

/// The engine composed something wrong. No result exists, and none may be made up: this is never
/// a deny. Do not run the call. The pass is used up: a host that wants to report a defect with its
/// pass saves the pass before it answers. Source: G030, G113.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[error("engine defect {code} at station {station}: {}", code.sentence())]
pub struct Defect {
    /// What is wrong.
    pub code: DefectCode,
    /// The station at which it was seen.
    pub station: Station,
}

impl Defect {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        self.code.word()
    }
}

/// Screens the facts and assembles the outcome.
///
/// ```
/// use gatefold::gate::{AllowedBy, DefectCode, DeniedBy, ExitFacts, mint};
///
/// let outcome = mint(ExitFacts::allow(AllowedBy::StoredRule)).unwrap();
/// assert_eq!(outcome.allowed_by(), Some(AllowedBy::StoredRule));
///
/// let unsettled = mint(ExitFacts::deny(DeniedBy::AskResolution));
/// assert_eq!(unsettled, Err(DefectCode::AskResolutionWithoutRefusal));
/// ```
///
/// # Errors
/// The first [`DefectCode`] of the screen that the facts have.
pub fn mint(facts: ExitFacts) -> Result<GateOutcome, DefectCode> {
    let first = defects(&facts).next();
    match first {
        Some(_) if fault!(DefectIsADeny) => {
            GateOutcome::assemble(ExitFacts::deny(DeniedBy::Engine))
        }
        Some(code) => Err(code),
        None => GateOutcome::assemble(facts),
    }
}

fn contradicts_itself(settlement: &Settlement) -> bool {
    !settlement.is_well_formed() && !fault!(MintTakesContradictions)
}
