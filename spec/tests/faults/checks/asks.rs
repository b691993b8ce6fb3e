//! Asks: what objects, whose ask it is, who is offered what.

use gatefold::gate::*;

use super::Checks;
use crate::support::host::{Host, OTHER, STATED, causes, judged, probes, reads, said};

pub const CHECKS: Checks = &[
    ("GATE-017", the_origin_is_the_asks_own),
    ("GATE-034", a_resolver_does_not_say_who_asked),
    ("GATE-049", a_guards_ask_is_always_a_cause),
    ("GATE-058", only_cp_and_mv_are_blamed),
    ("GATE-059", later_objections_are_on_record),
    ("GATE-060", an_origin_is_never_read_from_a_text),
    ("GATE-061", a_probe_that_did_not_answer_is_a_persons),
    ("GATE-063", a_release_past_unread_lines_says_so),
    ("GATE-064", a_grant_is_offered_where_it_cures_alone),
    ("GATE-067", one_verdict_comes_of_one_judgement),
    ("GATE-068", a_redaction_survives_the_approval),
    ("GATE-071", no_ask_stands_at_the_exit),
];

fn outside() -> Answer {
    Answer::Egress(Ok(Egress::Outside(None)))
}

fn origin(host: Host) -> AskOrigin {
    let finished = host.resolves(Resolved::YES).finish();
    let of_outcome = finished.outcome().settled().unwrap().origin;
    let record = finished.record();
    let asked = record.fields().asked.as_ref().unwrap();
    assert_eq!(asked.origin, Some(of_outcome));
    of_outcome
}

fn the_origin_is_the_asks_own() {
    let asks = || Host::new().policy(PolicyRuling::Ask).says(outside());
    assert_eq!(origin(asks().org(OrgRuling::Ask)), AskOrigin::Org);
    assert_eq!(origin(asks()), AskOrigin::Policy);
}

fn a_resolver_does_not_say_who_asked() {
    let mut book = AttestationBook::new();
    let asked = crate::support::host::ASKED;
    let id = crate::support::host::settled_before(&mut book, "c1", asked, Resolved::YES);
    let attested = Answer::Resolve(Ok(Resolution {
        shown: Resolved::YES,
        attested: Some(id),
    }));
    let finished = Host::new()
        .with(|input| input.attestations(book))
        .rules(RuleRuling::Ask)
        .says(outside())
        .says(attested)
        .finish();
    let settled = finished.outcome().settled().unwrap();
    assert_eq!(settled.origin, AskOrigin::Rule);
}

fn a_guards_ask_is_always_a_cause() {
    let asks = || said(HookDecision::Ask, None);
    for host in [
        Host::new().policy(STATED).guard(asks()),
        Host::new().policy(PolicyRuling::Ask).guard(asks()),
    ] {
        assert!(causes(&host.finish()).contains(&Cause::Hook));
    }
    let quiet = || said(HookDecision::None, None);
    let both = |one, two| vec![("a".into(), one), ("b".into(), two)];
    let finished = Host::new()
        .policy(STATED)
        .with(|input| input.hook("a", HookKind::Guard).hook("b", HookKind::Guard))
        .receipts(both(asks(), said(HookDecision::None, Some(OTHER))))
        .receipts(both(quiet(), quiet()))
        .finish();
    assert!(causes(&finished).contains(&Cause::Hook));
}

fn only_cp_and_mv_are_blamed() {
    let programs = CopyProgram::ALL.iter().copied().map(Some);
    for unplaced_options in programs.chain([None]) {
        let finished = Host::new()
            .mode(Mode::DontAsk)
            .says(Answer::ShellRead(Ok(ShellRead {
                unplaced_options,
                ..reads(ShellFinding::Clean)
            })))
            .finish();
        let refused = finished.outcome().refused().unwrap();
        assert_eq!(refused.unplaced_options, unplaced_options);
        let reason = finished.reason().unwrap();
        for program in CopyProgram::ALL {
            let named = reason.contains(&format!("`{program}`"));
            assert_eq!(named, unplaced_options == Some(*program), "{reason}");
        }
    }
}

fn later_objections_are_on_record() {
    let finished = Host::new()
        .policy(PolicyRuling::Ask)
        .says(probes(Reversibility::Irreversible, false))
        .says(outside())
        .says(Answer::ShellRead(Ok(reads(ShellFinding::Declined))))
        .says(Answer::WriteJudge(Ok(WriteProtection::Matched)))
        .org(OrgRuling::Ask)
        .rules(RuleRuling::Ask)
        .finish();
    assert_eq!(
        causes(&finished),
        [
            Cause::Policy,
            Cause::Irreversible,
            Cause::Outside,
            Cause::ReadDeclined,
            Cause::WriteProtected,
            Cause::Org,
            Cause::Rule,
        ]
    );
}

fn an_origin_is_never_read_from_a_text() {
    for text in ["safety", "org", "this edit is unstated", "hook"] {
        let says = Judgement {
            reason: Some(text.into()),
            ..judged(Form::Current, 0, PolicyRuling::Ask)
        };
        let host = Host::new().says(Answer::Adjudicate(Ok(Adjudication {
            judgements: vec![says],
            ..Adjudication::default()
        })));
        assert_eq!(origin(host), AskOrigin::Policy, "{text}");
    }
}

fn a_probe_that_did_not_answer_is_a_persons() {
    for failure in [SeatFailure::threw("gone"), SeatFailure::TimedOut] {
        let finished = Host::new()
            .mode(Mode::Bypass)
            .says(Answer::Probe(Err(failure)))
            .rules(RuleRuling::Allow { grant: None })
            .finish();
        assert_eq!(causes(&finished), [Cause::ProbeUnanswered]);
        assert_eq!(finished.args_to_run(), None);
    }
}

fn a_release_past_unread_lines_says_so() {
    for (finding, past) in [
        (ShellFinding::Clean, false),
        (ShellFinding::Declined, true),
        (ShellFinding::Unestablishable(None), true),
    ] {
        let finished = Host::new()
            .mode(Mode::Bypass)
            .says(Answer::ShellRead(Ok(reads(finding))))
            .finish();
        let released = finished.outcome().released().unwrap();
        assert_eq!(released.past_read_deny, past);
        let record = finished.record();
        assert_eq!(record.fields().released, Some(released));
    }
}

fn a_grant_is_offered_where_it_cures_alone() {
    let offers = || {
        Host::new()
            .policy(STATED)
            .says(Answer::ShellRead(Ok(ShellRead {
                offer: Some(Offer {
                    directory: "/data".into(),
                }),
                ..reads(ShellFinding::OutOfRoot(None))
            })))
    };
    let rides = |host: Host| {
        let asked = host.resolves(Resolved::YES).run().asked;
        asked.iter().any(|question| match question {
            Question::Resolve(question) => question.offer.is_some(),
            _ => false,
        })
    };
    assert!(rides(offers()));
    assert!(!rides(offers().org(OrgRuling::Ask)));
    assert!(!rides(offers().says(outside())));
}

fn one_verdict_comes_of_one_judgement() {
    for (shell, judge) in [
        (WriteProtection::Matched, WriteProtection::Unresolved),
        (WriteProtection::Unresolved, WriteProtection::Matched),
    ] {
        let finished = Host::new()
            .says(Answer::ShellRead(Ok(ShellRead {
                write_protection: shell,
                ..reads(ShellFinding::Clean)
            })))
            .says(Answer::WriteJudge(Ok(judge)))
            .finish();
        assert_eq!(causes(&finished), [Cause::WriteUnresolved]);
    }
}

fn a_redaction_survives_the_approval() {
    let finished = Host::new()
        .says(crate::support::host::adjudicates(
            PolicyRuling::Ask,
            Some(OTHER),
        ))
        .resolves(Resolved::YES)
        .finish();
    assert_eq!(finished.args_to_run().unwrap().as_str(), OTHER);
}

fn no_ask_stands_at_the_exit() {
    let [one, other] = crate::support::engines::seats::everywhere();
    for host in [one, other, Host::new(), Host::new().org(OrgRuling::Ask)] {
        let finished = host.finish();
        assert_ne!(finished.record().fields().verdict, Verdict::Ask);
        assert!(finished.outcome().settled().is_some());
    }
}
