//! §6, station 22: an edited call goes through the gate once more. Source: G041–G043, G067, G095,
//! G112.

use gatefold::gate::*;

use crate::case::*;
use crate::prior::{attesting, classification, settled, settled_about};
use crate::tell::{adjudications, ends, resolutions, runs, story, times};

const YES: &str = "yes by person, edited, owed to unstated";

/// The first ask is answered with an edit.
fn edited() -> Case {
    Case::new().resolves(edits(OTHER))
}

#[test]
fn an_edit_past_the_cap_is_refused_and_the_yes_stays() {
    for cap in [0_u8, 1, 2, 3] {
        for given in 0..=4_u8 {
            let settings = Settings {
                edit_cap: cap,
                ..Settings::default()
            };
            // Each edit is asked about anew, because the policy asks about it.
            let mut case = Case::new()
                .with(|input| input.settings(settings))
                .policy(PolicyRuling::Ask);
            for edit in 0..given {
                case = case.resolves(edits(&format!(r#"{{"command":"make {edit}"}}"#)));
            }
            let ended = case.resolves(Resolved::NO).finish();
            let expected = match (given > cap, given) {
                (true, 1) => "deny edit_cap; yes by person, edited, owed to policy",
                (true, _) if cap == 0 => "deny edit_cap; yes by person, edited, owed to policy",
                (true, _) => "deny edit_cap; yes by person, edited, owed to edit",
                (false, 0) => "deny ask_resolution; no by person, owed to policy",
                (false, _) => "deny ask_resolution; no by person, owed to edit",
            };
            assert_eq!(story(&ended), expected, "cap {cap}, {given} edits");
            assert_eq!(ended.round(), given.min(cap), "cap {cap}, {given} edits");
        }
    }
}

/// 3–14 as a new call, and nothing of 15–18: neither classifier nor sandbox nor mode.
#[test]
fn the_edited_call_goes_through_hooks_fold_org_and_rules_and_no_automatic_answerer() {
    let shell = Facts {
        kind: ToolKind::Shell,
        ..Facts::UNKNOWN
    };
    let ended = Case::new()
        .mode(Mode::Auto)
        .guard("g")
        .hooks(&[("g", said(HookDecision::None))])
        .facts(shell)
        .policy(UNSTATED)
        .says(Answer::Probe(Ok(Probe::UNWIRED)))
        .says(Answer::Egress(Ok(Egress::Inside)))
        .says(Answer::ShellRead(Ok(ShellRead::UNWIRED)))
        .says(Answer::WriteJudge(Ok(WriteProtection::None)))
        .org(OrgRuling::None)
        .rules(RuleRuling::None)
        .says(Answer::Classify(Ok(classification(ClassifierRuling::Ask))))
        .says(Answer::Sandbox(Ok(Sandbox::Admitted(None))))
        .says(Answer::Park(Ok(Parking::Declined)))
        .resolves(edits(OTHER))
        .run();
    let seats = ended.seats();
    let first = seats
        .iter()
        .position(|seat| *seat == Seat::Resolve)
        .unwrap();
    assert_eq!(
        seats[first + 1..],
        [
            Seat::Hook,
            Seat::Describe,
            Seat::Adjudicate,
            Seat::Probe,
            Seat::Egress,
            Seat::ShellRead,
            Seat::WriteJudge,
            Seat::Org,
            Seat::Rules,
        ]
    );
    for question in &ended.asked[first + 1..] {
        assert_eq!(question.args().as_str(), OTHER, "{}", question.seat());
    }
    assert_eq!(
        story(&ended.finished()),
        format!("allow ask_resolution; {YES}")
    );
}

/// The yes states the call: what nobody stated is no objection to it.
#[test]
fn the_edited_call_is_not_unstated() {
    let ended = edited().policy(UNSTATED).finish();
    assert_eq!(story(&ended), format!("allow ask_resolution; {YES}"));
    assert_eq!(causes(&ended.record()), [Cause::Unstated]);
    let first = ended.record().fields().asked.clone().unwrap();
    assert_eq!(first.askers[0].round, 0);
}

/// An ask of an edit round is not cleared by anyone but a person.
#[test]
fn no_automatic_answerer_clears_an_ask_about_an_edited_call() {
    let reads_only = Facts {
        read_only: ReadOnly::Yes,
        kind: ToolKind::Shell,
        ..Facts::UNKNOWN
    };
    // The first ask is the policy's, which nobody but a person may answer; in the edit round the
    // one objection is of the most open kind that can arise there.
    let base = || {
        Case::new()
            .policy(PolicyRuling::Ask)
            .policy(STATED)
            .says(Answer::ShellRead(Ok(ShellRead::UNWIRED)))
            .says(Answer::ShellRead(Ok(ShellRead {
                finding: ShellFinding::Declined,
                ..ShellRead::UNWIRED
            })))
            .resolves(edits(OTHER))
            .resolves(Resolved::NO)
    };
    let allow = ("g", said(HookDecision::Allow));
    let rows = [
        (
            "stored rule",
            base().rules(RuleRuling::Allow { grant: None }),
        ),
        ("hook", base().guard("g").hooks(&[allow])),
        ("read only", base().facts(reads_only)),
        (
            "sandbox",
            base()
                .facts(reads_only)
                .says(Answer::Sandbox(Ok(Sandbox::Admitted(None)))),
        ),
        (
            "classifier",
            base()
                .mode(Mode::Auto)
                .says(Answer::Classify(Ok(classification(
                    ClassifierRuling::Allow,
                )))),
        ),
        ("bypass", base().mode(Mode::Bypass)),
    ];
    for (name, case) in rows {
        let ended = case.finish();
        assert_eq!(
            story(&ended),
            "deny ask_resolution; no by person, owed to edit",
            "{name}"
        );
        assert_eq!(
            causes(&ended.record()),
            [Cause::Policy, Cause::ReadDeclined, Cause::Edit],
            "{name}"
        );
    }
}

/// A protected target of an edited call is refused, by whichever judge found it.
#[test]
fn an_edit_onto_a_protected_target_is_refused() {
    let shell = |write_protection| {
        Answer::ShellRead(Ok(ShellRead {
            write_protection,
            ..ShellRead::UNWIRED
        }))
    };
    for found in [WriteProtection::Matched, WriteProtection::Unresolved] {
        let by_judge = edited()
            .says(Answer::WriteJudge(Ok(WriteProtection::None)))
            .says(Answer::WriteJudge(Ok(found)));
        let by_reader = edited()
            .says(shell(WriteProtection::None))
            .says(shell(found));
        for (name, case) in [("judge", by_judge), ("reader", by_reader)] {
            let ended = case.finish();
            assert_eq!(
                story(&ended),
                format!("deny write_protection; {YES}"),
                "{name}, {found}"
            );
            assert_eq!(ended.denied_at(), Some(Station::WriteProtection));
        }
    }
    let failed = edited()
        .says(Answer::WriteJudge(Ok(WriteProtection::None)))
        .says(Answer::WriteJudge(Err(SeatFailure::TimedOut)));
    assert_eq!(ends(&failed), format!("deny write_protection; {YES}"));
    // In the first round the same finding is an ask.
    let first = Case::new().says(Answer::WriteJudge(Ok(WriteProtection::Matched)));
    assert_eq!(
        ends(&first.resolves(Resolved::NO)),
        "deny ask_resolution; no by person, owed to write_protection"
    );
}

/// A deny in an edit round is that layer's veto: it refuses, and the yes stays. Source: G021, G040.
#[test]
fn a_deny_in_an_edit_round_is_a_veto_over_the_yes() {
    let guard = |second| {
        let none = said(HookDecision::None);
        edited()
            .guard("g")
            .hooks(&[("g", none)])
            .hooks(&[("g", second)])
    };
    let card = Card {
        finding: "key".into(),
        text: "it reads a key".into(),
    };
    let refuses = ShellRead {
        finding: ShellFinding::Refused(card),
        ..ShellRead::UNWIRED
    };
    let org = |second| edited().org(OrgRuling::None).says(second);
    let denies = Answer::Org(Ok(vec![judgement(OrgRuling::Deny)]));
    let rows = [
        ("hook", guard(said(HookDecision::Deny))),
        ("hook", guard(said(HookDecision::OutOfContract))),
        ("engine", guard(HookOutcome::TimedOut)),
        (
            "policy",
            edited().policy(UNSTATED).policy(PolicyRuling::Deny),
        ),
        (
            "engine",
            edited()
                .policy(UNSTATED)
                .says(Answer::Adjudicate(Err(SeatFailure::TimedOut))),
        ),
        (
            "shell_read",
            edited()
                .says(Answer::ShellRead(Ok(ShellRead::UNWIRED)))
                .says(Answer::ShellRead(Ok(refuses))),
        ),
        ("org", org(denies)),
        ("engine", org(Answer::Org(Err(SeatFailure::threw("x"))))),
        ("engine", org(Answer::Org(Err(SeatFailure::Aborted)))),
        (
            "rule",
            edited().rules(RuleRuling::None).rules(RuleRuling::Deny),
        ),
    ];
    for (by, case) in rows {
        let ended = case.finish();
        assert_eq!(story(&ended), format!("deny {by}; {YES}"));
        assert_eq!(ended.exit(), ExitKind::Deny, "{by}");
        assert_eq!(ended.round(), 1, "{by}");
    }
}

#[test]
fn plan_mode_vetoes_an_edit_that_does_more_than_read() {
    let facts = |read_only| Facts {
        read_only,
        ..Facts::UNKNOWN
    };
    let ended = Case::new()
        .mode(Mode::Plan)
        .facts(facts(ReadOnly::Yes))
        .facts(facts(ReadOnly::No))
        .policy(PolicyRuling::Ask)
        .resolves(edits(OTHER))
        .finish();
    assert_eq!(
        story(&ended),
        "deny plan_mode; yes by person, edited, owed to policy"
    );
}

/// An attested refusal is the ask's own ending, not a veto.
#[test]
fn an_attested_refusal_in_an_edit_round_is_no_veto() {
    let (book, id) = settled(&Case::new().resolves(Resolved::NO));
    let ended = edited()
        .with(|input| input.attestations(book))
        .policy(UNSTATED)
        .says(attesting(PolicyRuling::Deny, Some(id), None))
        .finish();
    assert_eq!(
        story(&ended),
        "deny ask_resolution; no by person, owed to unstated"
    );
}

/// Whatever 6 wrote, the yes is what allows the call.
#[test]
fn an_edited_call_that_passes_is_allowed_by_the_asks_answer() {
    for ruling in [STATED, UNSTATED] {
        let ended = edited().policy(UNSTATED).policy(ruling).finish();
        assert_eq!(
            story(&ended),
            format!("allow ask_resolution; {YES}"),
            "{ruling:?}"
        );
        assert_eq!(runs(&ended), Some(OTHER), "{ruling:?}");
    }
    let unwired = edited().finish();
    assert_eq!(story(&unwired), format!("allow ask_resolution; {YES}"));
}

/// … with the settlement that the ledger holds then. Source: G043.
#[test]
fn a_yes_attested_for_the_edited_args_renews_the_yes_to_them() {
    let delegate = Resolved::Yes {
        by: Answerer::Delegate,
        edit: None,
        remember: None,
    };
    let of = Call {
        args: args(OTHER),
        ..call()
    };
    let (book, id) = settled_about(of, delegate);
    let ended = edited()
        .with(|input| input.attestations(book))
        .policy(UNSTATED)
        .says(attesting(UNSTATED, Some(id), None))
        .finish();
    assert_eq!(
        story(&ended),
        "allow ask_resolution; yes by delegate, owed to unstated"
    );
    assert_eq!(ended.record().fields().settled.clone().unwrap().round, 1);
}

/// Each way in which an edited call comes back as an ask.
#[test]
fn an_objection_to_an_edited_call_is_asked_anew() {
    let asks = ("g", said(HookDecision::Ask));
    let none = ("g", said(HookDecision::None));
    let probe = |finding| {
        Answer::Probe(Ok(Probe {
            finding,
            boundary_declined: false,
        }))
    };
    let rows = [
        (
            Cause::Hook,
            edited().guard("g").hooks(&[none]).hooks(&[asks]),
        ),
        (
            Cause::Policy,
            edited().policy(UNSTATED).policy(PolicyRuling::Ask),
        ),
        (
            Cause::Irreversible,
            edited()
                .says(probe(Reversibility::Reversible))
                .says(probe(Reversibility::Irreversible)),
        ),
        (
            Cause::Outside,
            edited()
                .says(Answer::Egress(Ok(Egress::Inside)))
                .says(Answer::Egress(Ok(Egress::Outside(None)))),
        ),
        (
            Cause::Org,
            edited().org(OrgRuling::None).org(OrgRuling::Ask),
        ),
        (
            Cause::Rule,
            edited().rules(RuleRuling::None).rules(RuleRuling::Ask),
        ),
        (
            Cause::RulesUnreadable,
            edited()
                .rules(RuleRuling::None)
                .says(Answer::Rules(Err(SeatFailure::TimedOut))),
        ),
    ];
    for (cause, case) in rows {
        let ended = case.resolves(Resolved::NO).run();
        let resolved: Vec<_> = resolutions(&ended.asked).collect();
        assert_eq!(resolved.len(), 2, "{cause}");
        let again = resolved[1];
        assert_eq!(again.ask.origin, Some(AskOrigin::Edit), "{cause}");
        assert_eq!(
            (again.ask.round, again.ask.args.as_str()),
            (1, OTHER),
            "{cause}"
        );
        let ended = ended.finished();
        assert_eq!(
            story(&ended),
            "deny ask_resolution; no by person, owed to edit",
            "{cause}"
        );
        assert_eq!(
            causes(&ended.record()),
            [Cause::Unstated, cause, Cause::Edit]
        );
        assert_eq!(
            times(&ended, NoticeWord::SettlementSuperseded),
            1,
            "{cause}"
        );
    }
}

/// Whoever rewrites it, a rewrite of the edit is not what was approved.
#[test]
fn a_rewrite_of_the_edit_is_asked_anew_and_runs_only_as_it_was_asked() {
    let none = ("g", said(HookDecision::None));
    let rewrite = ("g", rewrites(HookDecision::Allow, THIRD));
    let by_hook = edited().guard("g").hooks(&[none]).hooks(&[rewrite]);
    let by_policy = edited().policy(UNSTATED).says(policy(STATED, Some(THIRD)));
    for (name, case) in [("hook", by_hook), ("policy", by_policy)] {
        let ended = case.clone().resolves(Resolved::YES).finish();
        assert_eq!(
            story(&ended),
            "allow ask_resolution; yes by person, owed to edit",
            "{name}"
        );
        assert_eq!(runs(&ended), Some(THIRD), "{name}");
        let settled = ended.record().fields().settled.clone().unwrap();
        assert_eq!(settled.given_for, args(THIRD).digest(), "{name}");
        let refused = case.resolves(Resolved::NO).finish();
        assert_eq!(
            story(&refused),
            "deny ask_resolution; no by person, owed to edit",
            "{name}"
        );
    }
}

#[test]
fn a_rewrite_to_the_edited_args_themselves_is_none() {
    let ended = edited()
        .policy(UNSTATED)
        .says(policy(STATED, Some(OTHER)))
        .finish();
    assert_eq!(story(&ended), format!("allow ask_resolution; {YES}"));
}

/// The forms of an edit round are the edited args and the current ones, never the model's.
#[test]
fn the_forms_judged_in_an_edit_round_are_the_edited_and_the_current_args() {
    let none = ("g", said(HookDecision::None));
    let rewrite = ("g", rewrites(HookDecision::None, THIRD));
    let ended = edited()
        .guard("g")
        .hooks(&[none])
        .hooks(&[rewrite])
        .policy(UNSTATED)
        .resolves(Resolved::NO)
        .run();
    let forms = adjudications(&ended.asked).map(|question| {
        let forms = question.forms();
        forms.map(|(form, args)| (form, args.as_str())).collect()
    });
    let forms: Vec<Vec<_>> = forms.collect();
    assert_eq!(
        forms,
        [
            vec![(Form::Current, ASKED)],
            vec![(Form::Original, OTHER), (Form::Current, THIRD)],
        ]
    );
}
