//! Who may answer an ask, and for what.

use gatefold::gate::*;

use super::Checks;
use crate::support::host::{
    Host, OTHER, STATED, THIRD, UNSTATED, adjudicates, args, causes, probes, reads, said,
    settled_before,
};

pub const CHECKS: Checks = &[
    ("GATE-004", nobody_who_is_barred_answers),
    ("GATE-005", what_runs_was_judged_and_approved),
    ("GATE-015", an_aborted_call_does_not_run),
    ("GATE-040", a_hook_without_an_opinion_leaves_none),
    ("GATE-050", only_a_plain_allow_of_a_hook_counts),
    ("GATE-051", a_hooks_allow_is_of_the_args_that_stand),
    ("GATE-057", an_unplaced_write_is_not_accepted),
    ("GATE-062", an_unjudged_boundary_bars_the_reader_alone),
    ("GATE-065", nothing_stored_answers_a_protected_write),
    ("GATE-066", a_person_alone_answers_an_unknown_target),
];

/// A host before which this answerer, and nobody else, would answer a standing ask.
fn answered_by(answerer: Automatic) -> Host {
    let host = Host::new();
    match answerer {
        Automatic::StoredRule => host.rules(RuleRuling::Allow { grant: None }),
        Automatic::HookAllow => host.guard(said(HookDecision::Allow, None)),
        Automatic::ReadOnly => host.facts(|facts| facts.read_only = ReadOnly::Yes),
        Automatic::Sandbox => host
            .facts(|facts| facts.kind = ToolKind::Shell)
            .says(Answer::Sandbox(Ok(Sandbox::Admitted(None)))),
        Automatic::AcceptEdits => host.mode(Mode::AcceptEdits).facts(|facts| {
            facts.kind = ToolKind::Edit;
            facts.edits_in_roots = true;
        }),
        Automatic::Classifier => host.mode(Mode::Auto).says(classifies()),
        Automatic::Bypass => host.mode(Mode::Bypass),
    }
}

fn classifies() -> Answer {
    Answer::Classify(Ok(Classification {
        ruling: ClassifierRuling::Allow,
        round: None,
        reason: None,
    }))
}

fn runs(host: &Host) -> bool {
    host.finish().args_to_run().is_some()
}

/// What objects, and whom it bars, written out a second time: stored rule, hook, reader, sandbox,
/// edits, classifier, bypass.
fn objections(host: &Host) -> [(Host, &'static str); 6] {
    let judges = |found| Answer::WriteJudge(Ok(found));
    [
        (host.clone(), ""),
        (
            host.clone()
                .says(probes(Reversibility::Irreversible, false)),
            "RS",
        ),
        (
            host.clone().says(Answer::Egress(Ok(Egress::Outside(None)))),
            "RSE",
        ),
        (host.clone().says(judges(WriteProtection::Matched)), "GHRSE"),
        (
            host.clone().says(judges(WriteProtection::Unresolved)),
            "GHRSECB",
        ),
        (host.clone().org(OrgRuling::Ask), "GHRSECB"),
    ]
}

fn nobody_who_is_barred_answers() {
    for (answerer, letter) in Automatic::ALL.iter().zip("GHRSECB".chars()) {
        for (host, barred) in objections(&answered_by(*answerer)) {
            assert_eq!(runs(&host), !barred.contains(letter), "{answerer} {barred}");
        }
    }
    let left = answered_by(Automatic::Sandbox).mode(Mode::Auto);
    let left = left
        .settings(|settings| settings.on_no_ruling = OnNoRuling::Ask)
        .says(Answer::Classify(Ok(Classification {
            ruling: ClassifierRuling::Ask,
            round: None,
            reason: None,
        })));
    assert!(!runs(&left), "an ask that the classifier left");
}

fn what_runs_was_judged_and_approved() {
    let mut book = AttestationBook::new();
    let id = settled_before(&mut book, "c1", crate::support::host::ASKED, Resolved::YES);
    let Answer::Adjudicate(Ok(mut rewritten)) = adjudicates(UNSTATED, Some(OTHER)) else {
        panic!("the policy answers")
    };
    rewritten.settlement = Some(id);
    let attested = Host::new()
        .with(|input| input.attestations(book))
        .says(Answer::Adjudicate(Ok(rewritten)));
    let snapshot = Answer::Present(Ok(Presented::Shown(args(OTHER).digest())));
    let shown = Host::new()
        .facts(|facts| facts.shows_content = true)
        .says(snapshot)
        .resolves(Resolved::YES);
    for host in [attested, shown] {
        assert!(!runs(&host), "nobody approved what would run");
    }
    let by_policy = Host::new()
        .edited()
        .policy(STATED)
        .says(adjudicates(STATED, Some(THIRD)));
    let quiet = said(HookDecision::None, None);
    let by_hook = Host::new()
        .edited()
        .guard_then(quiet, said(HookDecision::None, Some(THIRD)));
    for host in [by_policy, by_hook, Host::new().edited()] {
        let finished = host.finish();
        let record = finished.record();
        let given_for = record.fields().settled.as_ref().unwrap().given_for;
        assert_eq!(finished.args_to_run().unwrap().digest(), given_for);
    }
}

fn an_aborted_call_does_not_run() {
    let allows = |host: Host| host.rules(RuleRuling::Allow { grant: None });
    let hosts = [
        answered_by(Automatic::Sandbox),
        answered_by(Automatic::Classifier),
        answered_by(Automatic::Bypass).rules(RuleRuling::None),
        allows(answered_by(Automatic::HookAllow)),
        allows(Host::new().policy(STATED).org(OrgRuling::None)),
        allows(Host::new().says(probes(Reversibility::Reversible, false))),
        Host::new().edited(),
    ];
    for host in hosts {
        for asked in host.run().asked {
            let pass = host.run_to(|question| *question == asked);
            let aborted = Answer::failed(asked.seat(), SeatFailure::Aborted);
            let finished = host.run_from(pass.answer(aborted).unwrap()).finished();
            assert_eq!(finished.args_to_run(), None, "{}", asked.seat());
        }
    }
}

fn a_hook_without_an_opinion_leaves_none() {
    let finished = Host::new().guard(said(HookDecision::None, None)).finish();
    assert_eq!(causes(&finished), []);
    assert_eq!(finished.args_to_run(), None);
}

fn only_a_plain_allow_of_a_hook_counts() {
    for decision in HookDecision::ALL {
        let host = Host::new().guard(said(*decision, None));
        assert_eq!(runs(&host), *decision == HookDecision::Allow, "{decision}");
    }
}

fn a_hooks_allow_is_of_the_args_that_stand() {
    let receipts = |one: HookOutcome, two: HookOutcome| vec![("a".into(), one), ("b".into(), two)];
    let allows = || said(HookDecision::Allow, None);
    let quiet = || said(HookDecision::None, None);
    let host = Host::new()
        .with(|input| input.hook("a", HookKind::Guard).hook("b", HookKind::Guard))
        .receipts(receipts(allows(), said(HookDecision::None, Some(OTHER))))
        .receipts(receipts(quiet(), quiet()));
    assert!(!runs(&host), "it was given for other args");
    let rewritten = Host::new()
        .guard(allows())
        .says(adjudicates(UNSTATED, Some(OTHER)));
    assert!(
        !runs(&rewritten),
        "the policy rewrote what it was given for"
    );
}

fn an_unplaced_write_is_not_accepted() {
    for placed in [true, false] {
        let host = Host::new()
            .mode(Mode::AcceptEdits)
            .facts(|facts| facts.file_command = true)
            .says(Answer::ShellRead(Ok(ShellRead {
                writes_placed: placed,
                ..reads(ShellFinding::Clean)
            })));
        assert_eq!(runs(&host), placed);
    }
}

fn an_unjudged_boundary_bars_the_reader_alone() {
    for answerer in Automatic::ALL {
        let host = answered_by(*answerer).says(probes(Reversibility::Reversible, true));
        assert_eq!(runs(&host), *answerer != Automatic::ReadOnly, "{answerer}");
    }
}

fn nothing_stored_answers_a_protected_write() {
    for answerer in [
        Automatic::StoredRule,
        Automatic::HookAllow,
        Automatic::ReadOnly,
        Automatic::AcceptEdits,
    ] {
        let host = answered_by(answerer).says(Answer::WriteJudge(Ok(WriteProtection::Matched)));
        assert!(!runs(&host), "{answerer}");
    }
}

fn a_person_alone_answers_an_unknown_target() {
    for answerer in Automatic::ALL {
        let unresolved = Answer::WriteJudge(Ok(WriteProtection::Unresolved));
        assert!(
            !runs(&answered_by(*answerer).says(unresolved)),
            "{answerer}"
        );
    }
}
