//! §12: the exits, and who is told what. Source: G008–G010, G114–G117, G129, G136–G142.

use gatefold::gate::*;

use crate::case::*;
use crate::tell::{story, times};

/// Name, case, exit, and what the deny observer hears.
type Ending = (&'static str, Case, ExitKind, Option<&'static str>);

fn endings() -> Vec<Ending> {
    let mut endings = screened();
    endings.extend(later());
    endings
}

/// The endings of a screening, in the first round and in another.
fn screened() -> Vec<Ending> {
    let hook = |outcome| Case::new().guard("g").hooks(&[("g", outcome)]);
    let twice = |outcome| {
        let none = said(HookDecision::None);
        let first = Case::new().guard("g").hooks(&[("g", none)]);
        first.hooks(&[("g", outcome)]).resolves(edits(OTHER))
    };
    let seat = |failure| Case::new().guard("g").says(Answer::Hook(Err(failure)));
    let threw = || HookOutcome::Threw("exit 3".into());
    let a = ExitKind::EngineFailClosed;
    let b = ExitKind::HookDeny;
    let c = ExitKind::Deny;
    vec![
        ("a guard threw", hook(threw()), a, Some("engine")),
        (
            "a guard timed out",
            hook(HookOutcome::TimedOut),
            a,
            Some("engine"),
        ),
        (
            "a guard's receipt is malformed",
            hook(HookOutcome::Malformed("x".into())),
            a,
            Some("engine"),
        ),
        (
            "the hooks threw",
            seat(SeatFailure::threw("x")),
            a,
            Some("engine"),
        ),
        (
            "the hooks timed out",
            seat(SeatFailure::TimedOut),
            a,
            Some("engine"),
        ),
        (
            "aborted at the hooks",
            seat(SeatFailure::Aborted),
            a,
            Some("engine"),
        ),
        ("a guard denies", hook(said(HookDecision::Deny)), b, None),
        (
            "a guard is out of contract",
            hook(said(HookDecision::OutOfContract)),
            b,
            None,
        ),
        (
            "a guard threw, edit round",
            twice(threw()),
            c,
            Some("engine"),
        ),
        (
            "a guard denies, edit round",
            twice(said(HookDecision::Deny)),
            c,
            Some("hook"),
        ),
    ]
}

/// Every other ending.
fn later() -> Vec<Ending> {
    let c = ExitKind::Deny;
    vec![
        (
            "lock",
            Case::new().with(|input| input.lock(true)),
            c,
            Some("compliance"),
        ),
        ("plan", Case::new().mode(Mode::Plan), c, Some("plan_mode")),
        (
            "the policy denies",
            Case::new().policy(PolicyRuling::Deny),
            c,
            Some("policy"),
        ),
        (
            "the policy threw",
            Case::new().says(Answer::Adjudicate(Err(SeatFailure::TimedOut))),
            c,
            Some("engine"),
        ),
        (
            "aborted at the probe",
            Case::new().says(Answer::Probe(Err(SeatFailure::Aborted))),
            c,
            Some("engine"),
        ),
        ("org", Case::new().org(OrgRuling::Deny), c, Some("org")),
        ("rule", Case::new().rules(RuleRuling::Deny), c, Some("rule")),
        ("mode", Case::new().mode(Mode::DontAsk), c, Some("mode")),
        (
            "no",
            Case::new().resolves(Resolved::NO),
            c,
            Some("ask_resolution"),
        ),
        ("nobody", Case::new(), c, Some("ask_resolution")),
        (
            "aborted at the resolver",
            Case::new().says(Answer::Resolve(Err(SeatFailure::Aborted))),
            c,
            Some("ask_resolution"),
        ),
        ("stated", Case::new().policy(STATED), ExitKind::Allow, None),
        (
            "yes",
            Case::new().resolves(Resolved::YES),
            ExitKind::Allow,
            None,
        ),
        (
            "released",
            Case::new().mode(Mode::Bypass),
            ExitKind::Allow,
            None,
        ),
        (
            "edited",
            Case::new().resolves(edits(OTHER)),
            ExitKind::Allow,
            None,
        ),
    ]
}

/// Source: G136–G140.
#[test]
fn each_ending_goes_by_its_exit_and_tells_whom_that_exit_tells() {
    for (name, case, exit, heard) in endings() {
        let ended = case.finish();
        assert_eq!(ended.exit(), exit, "{name}");
        let denied = ended
            .notices()
            .iter()
            .filter(|notice| notice.notice == NoticeWord::PermissionDenied);
        let told: Vec<_> = denied
            .map(|notice| (notice.audience, notice.about.as_deref()))
            .collect();
        let expected: Vec<_> = heard
            .map(|by| (Audience::Observer, Some(by)))
            .into_iter()
            .collect();
        assert_eq!(told, expected, "{name}");
    }
}

/// `abort()` is the aborted answer, and tells the deny observer too.
#[test]
fn a_pass_that_is_aborted_tells_the_observer() {
    for (seat, by) in [
        (Seat::Probe, "deny engine"),
        (
            Seat::Resolve,
            "deny ask_resolution; unanswered: aborted, owed to unstated",
        ),
    ] {
        let case = Case::new()
            .says(Answer::Probe(Ok(Probe::UNWIRED)))
            .resolves(Resolved::YES);
        let Step::Done(result) = case.run_to(seat).abort() else {
            panic!("an abort ends the pass")
        };
        let GateResult::Finished(ended) = *result else {
            panic!("an abort parks nothing")
        };
        assert_eq!(story(&ended), by);
        assert_eq!(times(&ended, NoticeWord::PermissionDenied), 1);
        assert_eq!(times(&ended, NoticeWord::SeatFailed), 0);
    }
}

#[test]
fn args_to_run_exist_exactly_on_an_allow() {
    for (name, case, exit, _) in endings() {
        let ended = case.finish();
        let runs = ended.args_to_run().is_some();
        assert_eq!(runs, exit == ExitKind::Allow, "{name}");
        assert_eq!(ended.reason().is_some(), !runs, "{name}");
    }
}

/// Each notice carries the args as they stood when it arose. Source: G060–G065.
#[test]
fn notices_carry_the_args_of_their_own_moment() {
    let rewrite = ("g", rewrites(HookDecision::None, OTHER));
    let ended = Case::new()
        .says(Answer::Describe(Err(SeatFailure::TimedOut)))
        .guard("g")
        .observer("o")
        .hooks(&[rewrite, ("o", said(HookDecision::Deny))])
        .says(policy(PolicyRuling::Ask, Some(THIRD)))
        .finish();
    let told: Vec<_> = ended
        .notices()
        .iter()
        .map(|notice| {
            (
                notice.notice,
                notice.station,
                notice.round,
                notice.args.as_str(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (NoticeWord::ObserverAnswered, Station::Hook, 0, ASKED),
            (NoticeWord::SeatFailed, Station::Describe, 0, OTHER),
            (NoticeWord::SeatFailed, Station::Describe, 0, THIRD),
            (NoticeWord::PermissionDenied, Station::Exit, 0, THIRD),
        ]
    );
}

#[test]
fn each_notice_is_for_one_audience() {
    for word in NoticeWord::ALL {
        let expected = match word.word() {
            "permission_denied" => Audience::Observer,
            "seat_failed"
            | "hook_failed"
            | "observer_answered"
            | "attestation_ignored"
            | "settlement_superseded"
            | "rules_unreadable"
            | "rewrite_ignored" => Audience::Deployment,
            word => panic!("{word} is no notice of the list"),
        };
        assert_eq!(word.audience(), expected, "{word}");
    }
}

/// Source: G114.
#[test]
fn the_card_of_an_outright_refusal_goes_on_the_result() {
    let ended = Case::new()
        .says(reads(ShellFinding::Refused(card("key"))))
        .finish();
    assert_eq!(story(&ended), "deny shell_read");
    assert_eq!(ended.details(), Some(&card("key")));
}

/// The card of an ask goes on the result only when that ask ends in a refusal. Source: G116.
#[test]
fn the_card_of_an_ask_goes_on_a_refusal_of_it_and_on_nothing_else() {
    let asks = || Case::new().says(reads(ShellFinding::OutOfRoot(Some(card("far")))));
    let shown = Some(card("far"));
    let unshown = Facts {
        shows_content: true,
        ..Facts::UNKNOWN
    };
    let rows = [
        ("no", asks().resolves(Resolved::NO), shown.clone()),
        ("nobody", asks(), shown.clone()),
        (
            "timeout",
            asks().says(Answer::Resolve(Err(SeatFailure::TimedOut))),
            shown.clone(),
        ),
        (
            "aborted",
            asks().says(Answer::Resolve(Err(SeatFailure::Aborted))),
            shown.clone(),
        ),
        (
            "unshown",
            asks()
                .facts(unshown)
                .says(Answer::Present(Ok(Presented::Cannot))),
            shown,
        ),
        ("yes", asks().resolves(Resolved::YES), None),
        ("bypass", asks().mode(Mode::Bypass), None),
        ("org", asks().org(OrgRuling::Deny), None),
        ("clean", Case::new().says(reads(ShellFinding::Clean)), None),
    ];
    for (name, case, expected) in rows {
        assert_eq!(case.finish().details().cloned(), expected, "{name}");
    }
}

#[test]
fn an_ask_of_the_shell_reader_has_a_card_even_if_the_reader_gave_none() {
    for (finding, word) in [
        (ShellFinding::OutOfRoot(None), Some("out_of_root")),
        (ShellFinding::Unestablishable(None), Some("unestablishable")),
        (ShellFinding::Declined, None),
        (ShellFinding::Clean, None),
    ] {
        let ended = Case::new().says(reads(finding.clone())).finish();
        let found = ended.details().map(|card| card.finding.as_str());
        assert_eq!(found, word, "{finding:?}");
    }
}

/// The first ask left a card, and the edited call is refused outright. Source: G117.
#[test]
fn the_card_of_the_refusal_wins_over_the_card_of_the_ask() {
    let ended = Case::new()
        .says(reads(ShellFinding::OutOfRoot(Some(card("far")))))
        .says(reads(ShellFinding::Refused(card("key"))))
        .resolves(edits(OTHER))
        .finish();
    assert_eq!(
        story(&ended),
        "deny shell_read; yes by person, edited, owed to shell_read"
    );
    assert_eq!(ended.details(), Some(&card("key")));
}

/// A card speaks of the args it was found for: an edit drops it.
#[test]
fn the_card_of_the_first_ask_does_not_stand_on_a_refusal_of_the_edited_call() {
    let ended = Case::new()
        .says(reads(ShellFinding::OutOfRoot(Some(card("far")))))
        .says(reads(ShellFinding::Clean))
        .says(policy(UNSTATED, None))
        .says(policy(PolicyRuling::Ask, None))
        .resolves(edits(OTHER))
        .resolves(Resolved::NO)
        .finish();
    assert_eq!(
        story(&ended),
        "deny ask_resolution; no by person, owed to edit"
    );
    assert_eq!(ended.details(), None);
}

/// A grant of the directory would cure only the reader's finding. Source: G129.
#[test]
fn an_offer_rides_the_question_only_if_the_shell_reader_alone_objects() {
    let offer = Offer {
        directory: "/srv".into(),
    };
    let read = |finding, write_protection| {
        Answer::ShellRead(Ok(ShellRead {
            finding,
            offer: Some(offer.clone()),
            write_protection,
            ..ShellRead::UNWIRED
        }))
    };
    let far = || read(ShellFinding::OutOfRoot(None), WriteProtection::None);
    let probe = |finding, boundary_declined| {
        Answer::Probe(Ok(Probe {
            finding,
            boundary_declined,
        }))
    };
    let hook = ("g", said(HookDecision::Ask));
    let rows = [
        ("alone", Case::new().says(far()), true),
        (
            "alone, stated",
            Case::new().policy(STATED).says(far()),
            true,
        ),
        (
            "alone, beside what only bars",
            Case::new()
                .says(probe(Reversibility::Reversible, true))
                .says(far()),
            true,
        ),
        (
            "with the probe",
            Case::new()
                .says(probe(Reversibility::Irreversible, false))
                .says(far()),
            false,
        ),
        (
            "with egress",
            Case::new()
                .says(Answer::Egress(Ok(Egress::Outside(None))))
                .says(far()),
            false,
        ),
        (
            "with its own write protection",
            Case::new().says(read(
                ShellFinding::OutOfRoot(None),
                WriteProtection::Matched,
            )),
            false,
        ),
        (
            "with the write judge",
            Case::new()
                .says(far())
                .says(Answer::WriteJudge(Ok(WriteProtection::Matched))),
            false,
        ),
        (
            "with the policy",
            Case::new().policy(PolicyRuling::Ask).says(far()),
            false,
        ),
        (
            "with a hook",
            Case::new().guard("g").hooks(&[hook]).says(far()),
            false,
        ),
        (
            "with org",
            Case::new().says(far()).org(OrgRuling::Ask),
            false,
        ),
        (
            "with a rule",
            Case::new().says(far()).rules(RuleRuling::Ask),
            false,
        ),
        (
            "with nobody having stated it",
            Case::new().says(read(ShellFinding::Clean, WriteProtection::None)),
            false,
        ),
    ];
    for (name, case, rides) in rows {
        let pass = case.resolves(Resolved::NO).run_to(Seat::Resolve);
        let Question::Resolve(question) = pass.question() else {
            panic!("it was run to that seat")
        };
        assert_eq!(question.offer.is_some(), rides, "{name}");
    }
}

/// Source: G142.
#[test]
fn result_and_record_tell_the_same_of_every_ending() {
    for (name, case, ..) in endings() {
        let ended = case.finish();
        let record = ended.record();
        let outcome = ended.outcome();
        assert_eq!(record.fields().denied_by, outcome.denied_by(), "{name}");
        assert_eq!(record.fields().allowed_by, outcome.allowed_by(), "{name}");
        let runs = ended.args_to_run().map(Args::digest);
        assert_eq!(record.fields().digests.runs, runs, "{name}");
    }
}

fn reads(finding: ShellFinding) -> Answer {
    Answer::ShellRead(Ok(ShellRead {
        finding,
        ..ShellRead::UNWIRED
    }))
}

fn card(finding: &str) -> Card {
    Card {
        finding: finding.into(),
        text: "what the reader found".into(),
    }
}
