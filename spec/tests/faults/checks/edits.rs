//! Edits: an approved edit is screened like the call it takes the place of.

use gatefold::gate::*;

use super::Checks;
use crate::support::host::{
    Host, OTHER, STATED, THIRD, adjudicates, args, edits, probes, reads, said, settled,
};

pub const CHECKS: Checks = &[
    ("GATE-011", every_pass_ends),
    ("GATE-022", a_yes_that_was_overridden_is_on_record),
    ("GATE-030", a_veto_keeps_the_yes),
    ("GATE-038", an_edit_is_screened_as_the_first_call_was),
    ("GATE-046", without_a_hook_an_edit_is_screened_by_none),
    ("GATE-047", nothing_stands_between_fold_and_organisation),
    ("GATE-048", the_policy_judges_the_args_after_the_screening),
    ("GATE-084", an_edited_call_is_asked_where_the_first_one_was),
    ("TRAP-007", a_rewrite_of_an_edit_is_asked_about),
    ("TRAP-008", rewritten_args_are_described_again),
];

fn every_pass_ends() {
    for cap in [0_u8, 1, 3] {
        let edit = |n: u8| edits(&format!(r#"{{"edit":{n}}}"#));
        let host = Host::new()
            .settings(|settings| settings.edit_cap = cap)
            .policy(PolicyRuling::Ask)
            .facts(|facts| facts.kind = ToolKind::Shell)
            .says(probes(Reversibility::Irreversible, false))
            .org(OrgRuling::Ask)
            .rules(RuleRuling::Ask);
        let host = (0..=cap + 1).fold(host, |host, n| host.resolves(edit(n)));
        let seen = host.run();
        let bound = 14 + 13 * usize::from(cap);
        assert!(seen.asked.len() <= bound, "{} questions", seen.asked.len());
        let by = seen.finished().outcome().denied_by();
        assert_eq!(by, Some(DeniedBy::EditCap), "past {cap} edits");
    }
}

/// A deny of the edited call, by each layer that can veto there.
fn vetoes() -> Vec<(Host, DeniedBy)> {
    let quiet = || said(HookDecision::None, None);
    let edited = || Host::new().edited();
    let refuses = ShellRead {
        finding: ShellFinding::Refused(Card {
            finding: "secret".into(),
            text: "it reads a key".into(),
        }),
        ..reads(ShellFinding::Clean)
    };
    let judges = |found| Answer::WriteJudge(Ok(found));
    let protected = edited()
        .says(judges(WriteProtection::None))
        .says(judges(WriteProtection::Matched));
    vec![
        (
            edited().guard_then(quiet(), said(HookDecision::Deny, None)),
            DeniedBy::Hook,
        ),
        (
            edited().guard_then(quiet(), HookOutcome::TimedOut),
            DeniedBy::Engine,
        ),
        (
            edited().policy(STATED).policy(PolicyRuling::Deny),
            DeniedBy::Policy,
        ),
        (
            edited()
                .says(Answer::ShellRead(Ok(ShellRead::UNWIRED)))
                .says(Answer::ShellRead(Ok(refuses))),
            DeniedBy::ShellRead,
        ),
        (protected, DeniedBy::WriteProtection),
        (
            edited().org(OrgRuling::None).org(OrgRuling::Deny),
            DeniedBy::Org,
        ),
        (
            edited().rules(RuleRuling::None).rules(RuleRuling::Deny),
            DeniedBy::Rule,
        ),
    ]
}

fn an_edit_is_screened_as_the_first_call_was() {
    for (host, by) in vetoes() {
        assert_eq!(host.finish().outcome().denied_by(), Some(by));
    }
}

fn a_veto_keeps_the_yes() {
    for (host, by) in vetoes() {
        assert_eq!(settled(&host.finish()), "yes", "{by}");
    }
    let mut book = AttestationBook::new();
    let asked = crate::support::host::ASKED;
    let id = crate::support::host::settled_before(&mut book, "c1", asked, Resolved::YES);
    let vetoed = Host::new()
        .with(|input| input.attestations(book))
        .attests(PolicyRuling::Deny, Some(id))
        .finish();
    assert_eq!(vetoed.outcome().denied_by(), Some(DeniedBy::Policy));
    assert_eq!(settled(&vetoed), "yes");
}

fn a_yes_that_was_overridden_is_on_record() {
    let asked_again = Host::new()
        .edited()
        .policy(STATED)
        .policy(PolicyRuling::Ask)
        .org(OrgRuling::None)
        .org(OrgRuling::Deny)
        .finish();
    assert_eq!(asked_again.outcome().denied_by(), Some(DeniedBy::Org));
    assert_eq!(settled(&asked_again), "yes");
}

fn without_a_hook_an_edit_is_screened_by_none() {
    let seen = Host::new().edited().run();
    assert!(!seen.asks(Seat::Hook));
    assert!(seen.finished().args_to_run().is_some());
}

fn nothing_stands_between_fold_and_organisation() {
    let host = Host::new()
        .policy(STATED)
        .says(Answer::WriteJudge(Ok(WriteProtection::None)))
        .org(OrgRuling::None)
        .rules(RuleRuling::None);
    let pass = host.run_to(|question| question.seat() == Seat::WriteJudge);
    let next = pass.answer(Answer::WriteJudge(Ok(WriteProtection::None)));
    match next.unwrap() {
        Step::Need(pass) => assert_eq!(pass.question().seat(), Seat::Org),
        step => panic!("{step:?}"),
    }
}

fn the_policy_judges_the_args_after_the_screening() {
    let seen = Host::new()
        .guard(said(HookDecision::None, Some(OTHER)))
        .policy(STATED)
        .run();
    let judged = seen.asked.iter().find_map(|question| match question {
        Question::Adjudicate(question) => Some(question.current.clone()),
        _ => None,
    });
    assert_eq!(judged, Some(args(OTHER)));
}

fn an_edited_call_is_asked_where_the_first_one_was() {
    let times = |host: Host| {
        let seats = host.run().asked;
        let resolves = seats.iter().filter(|asked| asked.seat() == Seat::Resolve);
        resolves.count()
    };
    let asks_again = Host::new().edited_and(Reversibility::Irreversible);
    assert_eq!(times(asks_again), 2);
}

fn a_rewrite_of_an_edit_is_asked_about() {
    let quiet = said(HookDecision::None, None);
    let by_hook = Host::new().guard_then(quiet, said(HookDecision::None, Some(THIRD)));
    let by_policy = Host::new()
        .policy(STATED)
        .says(adjudicates(STATED, Some(THIRD)));
    for host in [by_hook, by_policy] {
        let host = host
            .says(probes(Reversibility::Irreversible, false))
            .says(probes(Reversibility::Reversible, false))
            .resolves(edits(OTHER))
            .resolves(Resolved::NO);
        assert_eq!(host.finish().args_to_run(), None);
    }
}

fn rewritten_args_are_described_again() {
    let reads = |read_only| Facts {
        read_only,
        ..Facts::UNKNOWN
    };
    let finished = Host::new()
        .says(Answer::Describe(Ok(reads(ReadOnly::Yes))))
        .says(Answer::Describe(Ok(reads(ReadOnly::No))))
        .says(adjudicates(crate::support::host::UNSTATED, Some(OTHER)))
        .finish();
    assert_eq!(finished.args_to_run(), None);
}
