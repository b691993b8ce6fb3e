//! Folding judgements: deny and ask see every form and member, allow sees the current form.
//!
//! A layer judges each form of the args for each member of the lineage. The fold, in this order:
//! any deny; a missing judgement; any ask; an allow if it holds of the current form for every
//! member; otherwise none. Ties go to the caller before ancestors, and to the original before the
//! current form. Source: G036, G059, G103.

use alloc::format;

use super::seats::{Basis, Form, JudgeQuestion, Judgement, OrgRuling, PolicyRuling, RuleRuling};
use super::text::Text;
use crate::faults::fault;

/// A ruling as the fold sees it, whatever the layer.
pub(crate) enum Ruled<'a> {
    Nothing,
    Allow {
        stated: bool,
        grant: Option<&'a Text>,
    },
    Ask,
    Deny,
}

/// A ruling of some layer.
pub(crate) trait Ruling {
    /// What it says.
    fn ruled(&self) -> Ruled<'_>;
}

impl Ruling for PolicyRuling {
    fn ruled(&self) -> Ruled<'_> {
        match self {
            Self::Allow { stated } => Ruled::Allow {
                stated: *stated,
                grant: None,
            },
            Self::Ask => Ruled::Ask,
            Self::Deny => Ruled::Deny,
        }
    }
}

impl Ruling for OrgRuling {
    fn ruled(&self) -> Ruled<'_> {
        match self {
            Self::None => Ruled::Nothing,
            Self::Ask => Ruled::Ask,
            Self::Deny => Ruled::Deny,
        }
    }
}

impl Ruling for RuleRuling {
    fn ruled(&self) -> Ruled<'_> {
        match self {
            Self::None => Ruled::Nothing,
            Self::Allow { grant } => Ruled::Allow {
                stated: true,
                grant: grant.as_ref(),
            },
            Self::Ask => Ruled::Ask,
            Self::Deny => Ruled::Deny,
        }
    }
}

/// What a layer says, with who said it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Folded {
    Nothing,
    Allow {
        stated: bool,
        grant: Option<Text>,
        basis: Option<Basis>,
    },
    Ask {
        reason: Option<Text>,
        basis: Option<Basis>,
    },
    /// There is no judgement of some form for some member.
    Missing,
    Deny {
        reason: Option<Text>,
        basis: Option<Basis>,
    },
}

/// Folds one layer's judgements of one question.
pub(crate) fn fold<R: Ruling>(question: &JudgeQuestion, judgements: &[Judgement<R>]) -> Folded {
    if fault!(MissingHidesDeny) && is_any_missing(question, judgements) {
        return Folded::Missing;
    }
    let first = |wanted: fn(&Ruled<'_>) -> bool| {
        let said = judgements
            .iter()
            .filter(|judgement| wanted(&judgement.ruling.ruled()));
        said.min_by_key(|judgement| (judgement.member, judgement.form))
            .map(|judgement| (of_whom(question, judgement), judgement.basis.clone()))
    };
    if let Some((reason, basis)) = first(|ruled| matches!(ruled, Ruled::Deny)) {
        return Folded::Deny { reason, basis };
    }
    if is_any_missing(question, judgements) {
        return Folded::Missing;
    }
    if let Some((reason, basis)) = first(|ruled| matches!(ruled, Ruled::Ask)) {
        return Folded::Ask { reason, basis };
    }
    allow(judgements)
}

/// The reason of a judgement; one that is not of the caller says of whom it is.
fn of_whom<R>(question: &JudgeQuestion, judgement: &Judgement<R>) -> Option<Text> {
    if judgement.member == 0 {
        return judgement.reason.clone();
    }
    let member = question.members.get(usize::from(judgement.member));
    let name = member.and_then(|member| member.agent.as_deref());
    let whose = format!(
        "for ancestor {} ({})",
        judgement.member,
        name.unwrap_or("unnamed")
    );
    Some(match &judgement.reason {
        Some(said) => format!("{whose}: {said}").into(),
        None => whose.into(),
    })
}

fn is_any_missing<R>(question: &JudgeQuestion, judgements: &[Judgement<R>]) -> bool {
    let mut members = (0_u8..).zip(question.members.iter());
    members.any(|(member, _)| {
        question.forms().any(|(form, _)| {
            !judgements
                .iter()
                .any(|judgement| judgement.form == form && judgement.member == member)
        })
    })
}

fn allow<R: Ruling>(judgements: &[Judgement<R>]) -> Folded {
    let mut every_stated = true;
    let mut caller = None;
    for judgement in judgements
        .iter()
        .filter(|judgement| judgement.form == Form::Current)
    {
        match judgement.ruling.ruled() {
            Ruled::Allow { stated, grant } => {
                every_stated = every_stated && stated;
                if judgement.member == 0 && caller.is_none() {
                    caller = Some((grant.cloned(), judgement.basis.clone()));
                }
            }
            Ruled::Nothing | Ruled::Ask | Ruled::Deny => return Folded::Nothing,
        }
    }
    match caller {
        Some((grant, basis)) => Folded::Allow {
            stated: every_stated,
            grant,
            basis,
        },
        None => Folded::Nothing,
    }
}
