//! What hooks answer: one letter a hook.

use std::sync::Arc;

use gatefold::gate::{
    Answer, Args, Hook, HookAnswer, HookDecision, HookKind, HookOutcome, HookQuestion, HookReceipt,
    NewArgs, Text,
};

use super::super::world::Pool;
use super::{Letter, Named, with_failures_of};

pub(super) fn hook(question: &HookQuestion, pool: &Pool, full: bool) -> Vec<Letter> {
    let (guard, observer) = (guard(pool, full), observer(pool));
    let mut all: Vec<(Vec<&'static str>, Vec<HookReceipt>)> = vec![(Vec::new(), Vec::new())];
    for hook in question.hooks.iter() {
        let outcomes = match hook.kind {
            HookKind::Guard => &guard,
            HookKind::Observer => &observer,
        };
        let longer = all.iter().flat_map(|(names, receipts)| {
            outcomes.iter().map(move |(name, outcome)| {
                let (mut names, mut receipts) = (names.clone(), receipts.clone());
                names.push(*name);
                receipts.push(HookReceipt {
                    hook: hook.id.clone(),
                    outcome: outcome.clone(),
                });
                (names, receipts)
            })
        });
        all = longer.collect();
    }
    if full {
        all.push((vec!["no receipt"], Vec::new()));
        let last = question.hooks.iter().next_back();
        let twice = last.into_iter().flat_map(|hook| {
            [HookDecision::Allow, HookDecision::None].map(|decision| HookReceipt {
                hook: hook.id.clone(),
                outcome: plain(decision),
            })
        });
        all.push((vec!["two receipts differ"], twice.collect()));
        let same = question.hooks.iter().flat_map(|hook| {
            let receipt = HookReceipt {
                hook: hook.id.clone(),
                outcome: plain(HookDecision::Ask),
            };
            [receipt.clone(), receipt]
        });
        all.push((vec!["each receipt twice"], same.collect()));
    }
    let answered = all
        .into_iter()
        .map(|(names, receipts)| (names, Ok(receipts)));
    with_failures_of(answered.collect(), Answer::Hook)
}

/// One guard and one observer: together they have every name.
pub(super) fn widest() -> Arc<[Hook]> {
    let hook = |id: &str, kind| Hook {
        id: id.into(),
        kind,
    };
    Arc::new([
        hook("observer", HookKind::Observer),
        hook("guard", HookKind::Guard),
    ])
}

const fn plain(decision: HookDecision) -> HookOutcome {
    HookOutcome::Answered(HookAnswer::plain(decision))
}

fn rewrite(decision: HookDecision, args: &Args) -> HookOutcome {
    HookOutcome::Answered(HookAnswer {
        rewrite: Some(args.clone().into()),
        ..HookAnswer::plain(decision)
    })
}

fn guard(pool: &Pool, full: bool) -> Named<HookOutcome> {
    let mut outcomes = vec![
        ("none", plain(HookDecision::None)),
        ("allow", plain(HookDecision::Allow)),
        ("ask", plain(HookDecision::Ask)),
        ("deny", plain(HookDecision::Deny)),
        ("rewrite", rewrite(HookDecision::None, &pool.hook)),
        ("rewrite, allow", rewrite(HookDecision::Allow, &pool.hook)),
        ("hook threw", HookOutcome::Threw(Text::new("crash"))),
    ];
    if full {
        let context = HookAnswer {
            context: Some("it is Monday".into()),
            ..HookAnswer::plain(HookDecision::None)
        };
        let unreadable = HookAnswer {
            rewrite: Some(NewArgs::from("[]")),
            ..HookAnswer::plain(HookDecision::Allow)
        };
        outcomes.extend([
            ("out of contract", plain(HookDecision::OutOfContract)),
            ("rewrite, ask", rewrite(HookDecision::Ask, &pool.hook)),
            ("rewrite, deny", rewrite(HookDecision::Deny, &pool.hook)),
            (
                "another rewrite",
                rewrite(HookDecision::None, &pool.second_hook),
            ),
            ("hook timed out", HookOutcome::TimedOut),
            (
                "malformed",
                HookOutcome::Malformed(Text::new("not its answer")),
            ),
            ("unreadable rewrite", HookOutcome::Answered(unreadable)),
            ("context", HookOutcome::Answered(context)),
        ]);
    }
    outcomes
}

/// An observer counts for nothing; three of its answers are enough to see it.
fn observer(pool: &Pool) -> Named<HookOutcome> {
    vec![
        ("observer silent", plain(HookDecision::None)),
        (
            "observer denies",
            rewrite(HookDecision::Deny, &pool.second_hook),
        ),
        ("observer threw", HookOutcome::Threw(Text::new("crash"))),
    ]
}
