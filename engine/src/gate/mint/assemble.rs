//! From screened facts to the sum type.

use super::outcome::{Allow, Automatic, Deny, Direct, Disposition, Refusal, Veto, Yes};
use super::{DefectCode, ExitFacts, ExitVerdict, GateOutcome, contradicts_itself};
use crate::faults::fault;
use crate::gate::seats::Answerer;
use crate::gate::settlement::Settlement;
use crate::gate::words::{
    AllowedBy, AskOrigin, ClassifierCause, DeniedBy, ModeRefusal, ModeRelease, SettledAnswer,
    SettledBy,
};

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
                if facts.denied_by.is_some() && !fault!(MintTakesRefuserOnAllow) {
                    return Err(DefectCode::RefuserOnAllow);
                }
                if facts.cause.is_some() && !fault!(MintTakesCauseOnAllow) {
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
                if facts.released.is_some() && !fault!(MintTakesReleaseOnDeny) {
                    return Err(DefectCode::ReleaseWithoutMode);
                }
                let nobodys = fault!(NobodysDenyIsThePolicys).then_some(DeniedBy::Policy);
                let by = facts.denied_by.or(nobodys);
                let by = by.ok_or(DefectCode::RefusalWithoutRefuser)?;
                Disposition::Deny(Deny::assemble(by, settled, facts.cause, facts.refused)?)
            }
        };
        Ok(Self {
            disposition,
            classifier: facts.classifier,
            inherited_classifier: facts.inherited_classifier,
        })
    }
}

impl Settled {
    fn read(settlement: Option<Settlement>, origin: Option<AskOrigin>) -> Result<Self, DefectCode> {
        let (settlement, origin) = match (settlement, origin) {
            (None, None) => return Ok(Self::Nothing),
            (Some(_), None) => return Err(DefectCode::SettlementWithoutOrigin),
            (None, Some(_)) if fault!(MintTakesOriginAlone) => return Ok(Self::Nothing),
            (None, Some(_)) => return Err(DefectCode::OriginWithoutSettlement),
            (Some(settlement), Some(origin)) => (settlement, origin),
        };
        if contradicts_itself(&settlement) {
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
}

fn no_cause(cause: Option<ClassifierCause>) -> Result<(), DefectCode> {
    cause.map_or(Ok(()), |_| Err(DefectCode::CauseWithoutClassifierRefusal))
}

fn no_card(card: Option<ModeRefusal>) -> Result<(), DefectCode> {
    let card = card.filter(|_| !fault!(MintTakesCardOfAnother));
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

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;
    use crate::gate::mint::defects;
    use crate::gate::settlement::Settlement;
    use crate::gate::words::{RefusingMode, ReleasingMode, Unanswered};

    /// The sum type refuses by itself what the screen refuses: neither rests on the other.
    #[test]
    fn the_sum_type_has_a_place_for_exactly_what_the_screen_lets_by() {
        let (mut tuples, mut placed) = (0, 0);
        for facts in space() {
            let is_silent = defects(&facts).next().is_none();
            let assembled = GateOutcome::assemble(facts.clone());
            assert_eq!(assembled.is_ok(), is_silent, "{facts:?}: {assembled:?}");
            tuples += 1;
            placed += u32::from(assembled.is_ok());
        }
        assert_eq!((tuples, placed), (50_400, 38));
    }

    fn space() -> Vec<ExitFacts> {
        let yes = Settlement::yes(SettledBy::Person);
        let settlements = [
            None,
            Some(yes.clone()),
            Some(Settlement::no(SettledBy::Person)),
            Some(Settlement::unanswered(Unanswered::Timeout)),
            // The engine says no yes.
            Some(Settlement::yes(SettledBy::Engine)),
        ];
        let release = |mode| {
            Some(ModeRelease {
                mode,
                past_read_deny: false,
            })
        };
        let card = ModeRefusal {
            mode: RefusingMode::DontAsk,
            unplaced_options: None,
        };
        let mut space = vec![
            ExitFacts::of(ExitVerdict::Allow),
            ExitFacts::of(ExitVerdict::Deny),
        ];
        let refusers = or_none(DeniedBy::ALL);
        vary(&mut space, &refusers, |facts, by| facts.denied_by = by);
        let allowers = or_none(AllowedBy::ALL);
        vary(&mut space, &allowers, |facts, by| facts.allowed_by = by);
        let causes = or_none(ClassifierCause::ALL);
        vary(&mut space, &causes, |facts, cause| facts.cause = cause);
        vary(&mut space, &settlements, |facts, settlement| {
            facts.settlement = settlement;
        });
        let origins = [None, Some(AskOrigin::Org)];
        vary(&mut space, &origins, |facts, origin| facts.origin = origin);
        let releases = [
            None,
            release(ReleasingMode::AcceptEdits),
            release(ReleasingMode::Bypass),
        ];
        vary(&mut space, &releases, |facts, release| {
            facts.released = release;
        });
        vary(&mut space, &[None, Some(card)], |facts, card| {
            facts.refused = card;
        });
        space
    }

    fn or_none<T: Copy>(all: &[T]) -> Vec<Option<T>> {
        let mut or_none = vec![None];
        or_none.extend(all.iter().copied().map(Some));
        or_none
    }

    fn vary<T: Clone>(space: &mut Vec<ExitFacts>, values: &[T], set: impl Fn(&mut ExitFacts, T)) {
        *space = space
            .iter()
            .flat_map(|facts| values.iter().map(move |value| (facts, value)))
            .map(|(facts, value)| {
                let mut facts = facts.clone();
                set(&mut facts, value.clone());
                facts
            })
            .collect();
    }
}
