//! What policy, organisation and rules answer.

use gatefold::gate::{
    Adjudication, AttestationId, Form, JudgeQuestion, Judgement, NewArgs, OrgRuling, PolicyRuling,
    RuleRuling, Text,
};

use super::super::world::{Attested, World, ruled};
use super::Named;

const STATED: PolicyRuling = PolicyRuling::Allow { stated: true };
const UNSTATED: PolicyRuling = PolicyRuling::Allow { stated: false };

pub(super) fn adjudicate(
    question: &JudgeQuestion,
    world: &World,
    full: bool,
) -> Named<Adjudication> {
    let every = |ruling| ruled(each(question, &ruling));
    let rewrite = Some(NewArgs::from(world.pool.policy.clone()));
    let mut all = vec![
        ("stated", every(STATED)),
        ("unstated", every(UNSTATED)),
        ("ask", every(PolicyRuling::Ask)),
        ("deny", every(PolicyRuling::Deny)),
        (
            "stated, rewrite",
            Adjudication {
                rewrite: rewrite.clone(),
                ..every(STATED)
            },
        ),
        (
            "ask, rewrite",
            Adjudication {
                rewrite,
                ..every(PolicyRuling::Ask)
            },
        ),
        (
            "allow, attested yes",
            attested(every(UNSTATED), world.attested.yes),
        ),
        (
            "allow, attested refusal",
            attested(every(STATED), world.attested.refusal),
        ),
        (
            "deny, attested yes",
            attested(every(PolicyRuling::Deny), world.attested.yes),
        ),
    ];
    if full {
        all.extend(rarer(question, world));
        let split = |name, ancestors| {
            let judgements = split_lineage(question, &STATED, &ancestors)?;
            Some((name, ruled(judgements)))
        };
        let deny = first_alone(question, PolicyRuling::Deny).map(ruled);
        all.extend(deny.map(|answer| ("denied, the rest not judged", answer)));
        all.extend(split("an ancestor asks", PolicyRuling::Ask));
        all.extend(split("an ancestor denies", PolicyRuling::Deny));
        all.extend(split("an ancestor did not state it", UNSTATED));
    }
    all
}

fn attested(answer: Adjudication, id: AttestationId) -> Adjudication {
    Adjudication {
        settlement: Some(id),
        ..answer
    }
}

fn rarer(question: &JudgeQuestion, world: &World) -> Named<Adjudication> {
    let every = |ruling| ruled(each(question, &ruling));
    let allow = || every(UNSTATED);
    let (ask, deny) = (|| every(PolicyRuling::Ask), || every(PolicyRuling::Deny));
    let rewrite = Some(NewArgs::from(world.pool.policy.clone()));
    let rewritten = || Adjudication {
        rewrite: rewrite.clone(),
        ..allow()
    };
    let round = |answer: Adjudication, id| Adjudication {
        round: Some(id),
        ..answer
    };
    let Attested {
        yes,
        yes_to_policy,
        yes_to_edit,
        refusal,
        ..
    } = world.attested;
    let Attested {
        round: named,
        unavailable,
        parse_error,
        ..
    } = world.attested;
    vec![
        ("unstated, rewrite", rewritten()),
        (
            "deny, rewrite",
            Adjudication {
                rewrite: rewrite.clone(),
                ..deny()
            },
        ),
        (
            "unreadable rewrite",
            Adjudication {
                rewrite: Some("7".into()),
                ..allow()
            },
        ),
        (
            "rewrite, attested yes to it",
            attested(rewritten(), yes_to_policy),
        ),
        (
            "rewrite, attested yes to another",
            attested(rewritten(), yes),
        ),
        (
            "allow, attested yes to another",
            attested(every(STATED), yes_to_policy),
        ),
        (
            "allow, attested yes to the edit",
            attested(allow(), yes_to_edit),
        ),
        ("ask, attested yes", attested(ask(), yes)),
        ("ask, attested refusal", attested(ask(), refusal)),
        ("deny, attested refusal", attested(deny(), refusal)),
        ("allow, attested round", round(allow(), named)),
        ("deny, attested unavailable", round(deny(), unavailable)),
        ("deny, attested parse error", round(deny(), parse_error)),
        (
            "deny, attested yes and unavailable",
            round(attested(deny(), yes), unavailable),
        ),
        (
            "deny, attested yes and parse error",
            round(attested(deny(), yes), parse_error),
        ),
        ("round as settlement", attested(every(STATED), named)),
        ("settlement as round", round(every(STATED), yes)),
        ("nothing judged", Adjudication::default()),
    ]
}

pub(super) fn org(question: &JudgeQuestion, full: bool) -> Named<Vec<Judgement<OrgRuling>>> {
    let all = OrgRuling::ALL.iter();
    let mut all: Named<_> = all
        .map(|ruling| (ruling.word(), each(question, ruling)))
        .collect();
    if full {
        all.push(("nothing judged", Vec::new()));
        let forms = split_forms(question, &OrgRuling::Ask, &OrgRuling::None);
        all.extend(forms.map(|judgements| ("asks of the original", judgements)));
        let deny = first_alone(question, OrgRuling::Deny);
        all.extend(deny.map(|judgements| ("denied, the rest not judged", judgements)));
        let members = split_lineage(question, &OrgRuling::None, &OrgRuling::Deny);
        all.extend(members.map(|judgements| ("denies an ancestor", judgements)));
    }
    all
}

pub(super) fn rules(question: &JudgeQuestion, full: bool) -> Named<Vec<Judgement<RuleRuling>>> {
    let allow = RuleRuling::Allow {
        grant: Some(Text::new("g1")),
    };
    let mut all = vec![
        ("none", each(question, &RuleRuling::None)),
        ("allow", each(question, &allow)),
        ("ask", each(question, &RuleRuling::Ask)),
        ("deny", each(question, &RuleRuling::Deny)),
    ];
    if full {
        all.push(("nothing judged", Vec::new()));
        let split = [
            (
                "allows the caller alone",
                split_lineage(question, &allow, &RuleRuling::None),
            ),
            (
                "allows the original alone",
                split_forms(question, &allow, &RuleRuling::None),
            ),
            (
                "denies the original",
                split_forms(question, &RuleRuling::Deny, &allow),
            ),
        ];
        let deny = first_alone(question, RuleRuling::Deny);
        all.extend(deny.map(|judgements| ("denied, the rest not judged", judgements)));
        let split = split
            .into_iter()
            .filter_map(|(name, judgements)| Some((name, judgements?)));
        all.extend(split);
    }
    all
}

/// This of every form and member.
fn each<R: Clone>(question: &JudgeQuestion, ruling: &R) -> Vec<Judgement<R>> {
    question.judge(|_, _| (ruling.clone(), None, None))
}

/// This of the first form and member, and nothing of the others; nothing if there are none.
fn first_alone<R: Clone>(question: &JudgeQuestion, ruling: R) -> Option<Vec<Judgement<R>>> {
    let mut judgements = each(question, &ruling);
    let others = judgements.len() > 1;
    judgements.truncate(1);
    others.then_some(judgements)
}

/// One thing of the caller and another of every ancestor; nothing without ancestors.
fn split_lineage<R: Clone>(
    question: &JudgeQuestion,
    caller: &R,
    ancestors: &R,
) -> Option<Vec<Judgement<R>>> {
    let mut judgements = each(question, caller);
    let of_ancestors = judgements
        .iter_mut()
        .filter(|judgement| judgement.member > 0);
    let changed = of_ancestors
        .map(|judgement| judgement.ruling = ancestors.clone())
        .count();
    (changed > 0).then_some(judgements)
}

/// One thing of the original form and another of the current one; nothing with one form.
fn split_forms<R: Clone>(
    question: &JudgeQuestion,
    original: &R,
    current: &R,
) -> Option<Vec<Judgement<R>>> {
    let mut judgements = each(question, current);
    let of_original = judgements
        .iter_mut()
        .filter(|judgement| judgement.form == Form::Original);
    let changed = of_original
        .map(|judgement| judgement.ruling = original.clone())
        .count();
    (changed > 0).then_some(judgements)
}
