//! Denies: that they are final, whose they are, and who is told.

use gatefold::gate::*;

use super::Checks;
use crate::support::host::{
    Host, OTHER, STATED, adjudicates, edits, judged, reads, said, settled, told,
};

pub const CHECKS: Checks = &[
    ("GATE-002", nobody_is_asked_after_a_deny),
    ("GATE-010", the_record_blames_whoever_denied),
    ("GATE-027", a_direct_deny_has_no_settled_ask),
    ("GATE-039", an_answer_out_of_contract_refuses),
    ("GATE-041", a_timeout_is_told_and_an_abort_is_not),
    ("GATE-042", the_mark_stands_once),
    ("GATE-043", a_malformed_receipt_fails_closed),
    ("GATE-052", a_failed_park_is_named),
    ("GATE-053", the_first_refusal_is_the_refusal),
    ("GATE-055", the_card_of_a_refusal_is_the_readers),
    ("GATE-056", the_card_of_an_ask_stands_on_its_refusal_alone),
    ("GATE-069", a_hook_that_failed_leads_to_the_engines_exit),
    ("GATE-070", a_hooks_own_deny_is_not_told),
    ("GATE-080", a_receipt_is_judged_here),
    ("GATE-081", the_hook_that_failed_is_named),
    ("GATE-085", the_card_of_a_refusal_wins),
];

fn out_of_root() -> Answer {
    Answer::ShellRead(Ok(reads(ShellFinding::OutOfRoot(Some(Card {
        finding: "outside".into(),
        text: "it reads elsewhere".into(),
    })))))
}

fn refuses() -> Answer {
    Answer::ShellRead(Ok(reads(ShellFinding::Refused(Card {
        finding: "secret".into(),
        text: "it reads a key".into(),
    }))))
}

/// Each seat that can deny, denying, before a host that would let the call through.
fn denied() -> Vec<(Host, DeniedBy)> {
    let willing = || {
        Host::new()
            .rules(RuleRuling::Allow { grant: None })
            .resolves(Resolved::YES)
    };
    vec![
        (
            willing().with(|input| input.lock(true)),
            DeniedBy::Compliance,
        ),
        (
            willing().guard(said(HookDecision::Deny, None)),
            DeniedBy::Hook,
        ),
        (willing().mode(Mode::Plan), DeniedBy::PlanMode),
        (willing().policy(PolicyRuling::Deny), DeniedBy::Policy),
        (willing().says(refuses()), DeniedBy::ShellRead),
        (willing().org(OrgRuling::Deny), DeniedBy::Org),
        (
            Host::new().resolves(Resolved::YES).rules(RuleRuling::Deny),
            DeniedBy::Rule,
        ),
        (
            Host::new().resolves(Resolved::YES).mode(Mode::DontAsk),
            DeniedBy::Mode,
        ),
    ]
}

fn nobody_is_asked_after_a_deny() {
    for (host, by) in denied() {
        let seen = host.run();
        assert!(!seen.asks(Seat::Resolve), "{by}");
        assert_eq!(seen.finished().args_to_run(), None, "{by}");
    }
}

fn the_record_blames_whoever_denied() {
    for (host, by) in denied() {
        let finished = host.finish();
        assert_eq!(finished.outcome().denied_by(), Some(by));
        assert_eq!(finished.record().fields().denied_by, Some(by));
    }
    let edited = Host::new().edited().policy(STATED).policy(STATED).finish();
    let by = edited.record().fields().allowed_by;
    assert_eq!(by, Some(AllowedBy::AskResolution));
}

fn a_direct_deny_has_no_settled_ask() {
    for (host, by) in denied() {
        assert_eq!(settled(&host.finish()), "none", "{by}");
    }
    // A yes of the policy's own is superseded by the ask that the mode refuses.
    let mut book = AttestationBook::new();
    let asked = crate::support::host::ASKED;
    let id = crate::support::host::settled_before(&mut book, "c1", asked, Resolved::YES);
    let finished = Host::new()
        .mode(Mode::DontAsk)
        .with(|input| input.attestations(book))
        .attests(STATED, Some(id))
        .says(Answer::Egress(Ok(Egress::Outside(None))))
        .finish();
    assert_eq!(settled(&finished), "none");
}

fn an_answer_out_of_contract_refuses() {
    let exits = |outcome| {
        let host = Host::new().policy(STATED).guard(outcome);
        host.finish().exit()
    };
    let denies = exits(said(HookDecision::Deny, None));
    assert_eq!(exits(said(HookDecision::OutOfContract, None)), denies);
    assert_eq!(exits(said(HookDecision::Allow, Some("[]"))), denies);
}

fn a_timeout_is_told_and_an_abort_is_not() {
    for (failure, is_told) in [(SeatFailure::TimedOut, true), (SeatFailure::Aborted, false)] {
        let finished = Host::new().says(Answer::Probe(Err(failure))).finish();
        assert_eq!(told(&finished, NoticeWord::SeatFailed), is_told);
    }
}

fn the_mark_stands_once() {
    let finished = Host::new()
        .with(|input| input.leg("[leg 7]"))
        .policy(PolicyRuling::Deny)
        .finish();
    let reason = finished.reason().unwrap();
    assert_eq!(reason.matches("[leg 7]").count(), 1, "{reason}");
}

fn a_malformed_receipt_fails_closed() {
    let receipts = vec![
        ("guard".into(), said(HookDecision::Allow, None)),
        ("guard".into(), said(HookDecision::None, None)),
    ];
    let finished = Host::new()
        .policy(STATED)
        .with(|input| input.hook("guard", HookKind::Guard))
        .receipts(receipts)
        .finish();
    assert_eq!(finished.exit(), ExitKind::EngineFailClosed);
    assert_eq!(finished.outcome().denied_by(), Some(DeniedBy::Engine));
    assert!(told(&finished, NoticeWord::PermissionDenied));
}

fn a_failed_park_is_named() {
    let finished = Host::new()
        .says(Answer::Park(Err(SeatFailure::threw("the disk is full"))))
        .resolves(Resolved::NO)
        .finish();
    let reason = finished.reason().unwrap();
    assert!(reason.contains("the disk is full"), "{reason}");
}

fn the_first_refusal_is_the_refusal() {
    let finished = Host::new()
        .says(adjudicates(PolicyRuling::Deny, None))
        .org(OrgRuling::Deny)
        .rules(RuleRuling::Deny)
        .finish();
    assert_eq!(finished.outcome().denied_by(), Some(DeniedBy::Policy));
    let deny = |member| judged(Form::Current, member, OrgRuling::Deny);
    let both = Host::new()
        .ancestor(Some(Mode::Default))
        .says(Answer::Org(Ok(vec![deny(0), deny(1)])))
        .finish();
    assert_eq!(both.outcome().denied_by(), Some(DeniedBy::Org));
}

fn the_card_of_a_refusal_is_the_readers() {
    let refused = Host::new().says(refuses()).finish();
    let card = refused.details().unwrap();
    assert_eq!(card.text.as_str(), "it reads a key");
    for host in [
        Host::new().says(out_of_root()).org(OrgRuling::Deny),
        Host::new()
            .says(Answer::ShellRead(Ok(ShellRead::UNWIRED)))
            .policy(PolicyRuling::Deny),
    ] {
        assert!(host.finish().details().is_none());
    }
}

fn the_card_of_an_ask_stands_on_its_refusal_alone() {
    let asked = || Host::new().says(out_of_root());
    let refused = asked().resolves(Resolved::NO).finish();
    let card = refused.details().unwrap();
    assert_eq!(card.text.as_str(), "it reads elsewhere");
    for host in [
        asked().resolves(Resolved::YES),
        asked().mode(Mode::Bypass),
        asked()
            .says(Answer::ShellRead(Ok(ShellRead::UNWIRED)))
            .resolves(edits(OTHER)),
    ] {
        let finished = host.finish();
        assert!(finished.args_to_run().is_some());
        assert!(finished.details().is_none());
    }
}

fn a_hook_that_failed_leads_to_the_engines_exit() {
    for outcome in [HookOutcome::TimedOut, HookOutcome::Threw("gone".into())] {
        let finished = Host::new().policy(STATED).guard(outcome).finish();
        assert_eq!(finished.exit(), ExitKind::EngineFailClosed);
        assert!(told(&finished, NoticeWord::PermissionDenied));
        assert!(told(&finished, NoticeWord::HookFailed));
    }
}

fn a_hooks_own_deny_is_not_told() {
    let finished = Host::new().guard(said(HookDecision::Deny, None)).finish();
    assert_eq!(finished.exit(), ExitKind::HookDeny);
    assert!(!told(&finished, NoticeWord::PermissionDenied));
}

fn the_hook_that_failed_is_named() {
    let finished = Host::new()
        .policy(STATED)
        .guard(HookOutcome::Threw("the socket closed".into()))
        .finish();
    let reason = finished.reason().unwrap();
    assert!(reason.contains("guard"), "{reason}");
    assert!(reason.contains("the socket closed"), "{reason}");
}

/// Of a rewrite its text alone comes in: whether it is one, and whether it changes anything, is for
/// the engine to say.
fn a_receipt_is_judged_here() {
    for decision in [HookDecision::None, HookDecision::Allow, HookDecision::Ask] {
        for rewrite in ["[]", "{", r#"{"a":1,"a":2}"#] {
            let host = Host::new()
                .policy(STATED)
                .guard(said(decision, Some(rewrite)));
            let by = host.finish().outcome().denied_by();
            assert_eq!(by, Some(DeniedBy::Hook), "{decision} {rewrite}");
        }
    }
    let respelled = r#"{ "command" : "make \u0069nstall" }"#;
    let host = Host::new().guard(said(HookDecision::Allow, Some(respelled)));
    let by = host.finish().outcome().allowed_by();
    assert_eq!(by, Some(AllowedBy::Hook), "it rewrote nothing");
}

fn the_card_of_a_refusal_wins() {
    let finished = Host::new()
        .says(out_of_root())
        .says(refuses())
        .resolves(edits(OTHER))
        .finish();
    assert_eq!(finished.outcome().denied_by(), Some(DeniedBy::ShellRead));
    let card = finished.details().unwrap();
    assert_eq!(card.text.as_str(), "it reads a key");
}
