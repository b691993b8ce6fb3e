//! The screen: every way in which composed facts can be wrong, in the order of the table.

use super::{DefectCode, ExitFacts, ExitVerdict, contradicts_itself};
use crate::faults::fault;
use crate::gate::settlement::Settlement;
use crate::gate::words::{AllowedBy, DeniedBy};

/// Whether facts have one defect.
type Test = fn(&ExitFacts) -> bool;

/// One row a defect. Source: G014, G016–G018, G025–G029; the rest is this project's own.
const SCREEN: [(DefectCode, Test); 19] = [
    (DefectCode::MalformedSettlement, |facts| {
        facts.settlement.as_ref().is_some_and(contradicts_itself)
    }),
    (DefectCode::SettlementWithoutOrigin, |facts| {
        facts.settlement.is_some() && facts.origin.is_none()
    }),
    (DefectCode::OriginWithoutSettlement, |facts| {
        facts.origin.is_some() && facts.settlement.is_none() && !fault!(MintTakesOriginAlone)
    }),
    (DefectCode::RefusalWithoutRefuser, |facts| {
        denies(facts) && facts.denied_by.is_none() && !fault!(NobodysDenyIsThePolicys)
    }),
    (DefectCode::RefuserOnAllow, |facts| {
        allows(facts) && facts.denied_by.is_some() && !fault!(MintTakesRefuserOnAllow)
    }),
    (DefectCode::AllowWithoutAllower, |facts| {
        allows(facts) && facts.allowed_by.is_none()
    }),
    (DefectCode::AllowerOnRefusal, |facts| {
        denies(facts) && facts.allowed_by.is_some()
    }),
    (DefectCode::AskResolutionWithoutRefusal, |facts| {
        refuser(facts, DeniedBy::AskResolution) && !has_refusal(facts)
    }),
    (DefectCode::RefusalBesideOtherLayer, |facts| {
        has_refusal(facts)
            && !refuser(facts, DeniedBy::AskResolution)
            && !fault!(MintTakesRefusalBesideLayer)
    }),
    (DefectCode::YesBesideNonVetoLayer, |facts| {
        has_yes(facts)
            && !fault!(MintTakesYesBesideNonVeto)
            && facts
                .denied_by
                .is_some_and(|by| !by.is_veto() && by != DeniedBy::AskResolution)
    }),
    (DefectCode::EditRefuserWithoutYes, |facts| {
        (refuser(facts, DeniedBy::WriteProtection) || refuser(facts, DeniedBy::EditCap))
            && !has_yes(facts)
    }),
    (DefectCode::AnsweredWithoutSettlement, |facts| {
        facts.allowed_by == Some(AllowedBy::AskResolution) && !has_yes(facts)
    }),
    (DefectCode::YesBesideAutomaticAllower, |facts| {
        allows(facts) && has_yes(facts) && facts.allowed_by.is_some_and(needs_no_yes)
    }),
    (DefectCode::CauseWithoutClassifierRefusal, |facts| {
        facts.cause.is_some()
            && !fault!(MintTakesCauseOnAllow)
            && !refuser(facts, DeniedBy::Classifier)
            && !refuser(facts, DeniedBy::Policy)
    }),
    (DefectCode::ReleaseWithoutMode, |facts| {
        facts.released.is_some()
            && !released_by_mode(facts)
            && !(denies(facts) && fault!(MintTakesReleaseOnDeny))
    }),
    (DefectCode::ModeWithoutRelease, |facts| {
        facts.released.is_none() && released_by_mode(facts)
    }),
    (DefectCode::ReleaseBesideSettlement, |facts| {
        facts.settlement.is_some() && released_by_mode(facts)
    }),
    (DefectCode::RefusalCardWithoutMode, |facts| {
        facts.refused.is_some()
            && !refuser(facts, DeniedBy::Mode)
            && !(denies(facts) && fault!(MintTakesCardOfAnother))
    }),
    (DefectCode::ModeWithoutRefusalCard, |facts| {
        facts.refused.is_none() && refuser(facts, DeniedBy::Mode)
    }),
];

/// Every defect of these facts, in the order of the screen.
pub fn defects(facts: &ExitFacts) -> impl Iterator<Item = DefectCode> {
    SCREEN
        .iter()
        .filter(move |(_, test)| test(facts))
        .map(|(code, _)| *code)
}

fn allows(facts: &ExitFacts) -> bool {
    facts.verdict == ExitVerdict::Allow
}

fn denies(facts: &ExitFacts) -> bool {
    facts.verdict == ExitVerdict::Deny
}

fn refuser(facts: &ExitFacts, layer: DeniedBy) -> bool {
    facts.denied_by == Some(layer)
}

fn released_by_mode(facts: &ExitFacts) -> bool {
    facts.allowed_by == Some(AllowedBy::Mode)
}

fn has_refusal(facts: &ExitFacts) -> bool {
    facts
        .settlement
        .as_ref()
        .is_some_and(Settlement::is_refusal)
}

fn has_yes(facts: &ExitFacts) -> bool {
    facts
        .settlement
        .as_ref()
        .is_some_and(|settlement| !settlement.is_refusal())
}

/// An allower beside which no yes can have been settled. The mode has a row of its own.
fn needs_no_yes(allower: AllowedBy) -> bool {
    match allower {
        AllowedBy::StoredRule
        | AllowedBy::Hook
        | AllowedBy::ReadOnly
        | AllowedBy::Classifier
        | AllowedBy::Sandbox
        | AllowedBy::Default => true,
        AllowedBy::Policy | AllowedBy::Mode | AllowedBy::AskResolution => false,
    }
}
