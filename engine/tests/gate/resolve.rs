//! §6, station 21: whoever can be asked is asked. Source: G041–G051, G116.

use gatefold::gate::*;

use crate::case::*;
use crate::tell::{ends, runs, story, times};

/// How the resolver answers, and how the ask then ends.
#[test]
fn each_answer_settles_the_ask_as_its_row_says() {
    let delegate = Answerer::Delegate;
    let yes = |by, edit: Option<&str>| Resolved::Yes {
        by,
        edit: edit.map(NewArgs::from),
        remember: None,
    };
    let no = |by| Resolved::No { by, reason: None };
    let rows = [
        (
            yes(Answerer::Person, None),
            "allow ask_resolution; yes by person",
        ),
        (yes(delegate, None), "allow ask_resolution; yes by delegate"),
        (
            yes(Answerer::Person, Some(OTHER)),
            "allow ask_resolution; yes by person, edited",
        ),
        (
            yes(delegate, Some(OTHER)),
            "allow ask_resolution; yes by delegate, edited",
        ),
        (
            yes(Answerer::Person, Some(ASKED)),
            "allow ask_resolution; yes by person",
        ),
        (no(Answerer::Person), "deny ask_resolution; no by person"),
        (no(delegate), "deny ask_resolution; no by delegate"),
        (
            Resolved::Unanswered(NoAnswer::Timeout),
            "deny ask_resolution; unanswered: timeout",
        ),
        (
            Resolved::Unanswered(NoAnswer::Nobody),
            "deny ask_resolution; unanswered: nobody",
        ),
        (
            Resolved::Unanswered(NoAnswer::Failed),
            "deny ask_resolution; unanswered: failed",
        ),
    ];
    for (shown, expected) in rows {
        let ended = Case::new().resolves(shown.clone()).finish();
        assert_eq!(
            story(&ended),
            format!("{expected}, owed to unstated"),
            "{shown:?}"
        );
        assert_eq!(
            ended.denied_at().is_some(),
            expected.starts_with("deny"),
            "{shown:?}"
        );
    }
}

/// How the seat fails, and how the ask then ends.
#[test]
fn each_failure_leaves_the_ask_unanswered_and_all_but_an_abort_is_told() {
    let rows = [
        (Some(SeatFailure::threw("no window")), "failed", 1),
        (Some(SeatFailure::TimedOut), "timeout", 1),
        (Some(SeatFailure::Aborted), "aborted", 0),
        (None, "nobody", 0),
    ];
    for (failure, why, told) in rows {
        let case = match failure {
            Some(failure) => Case::new().says(Answer::Resolve(Err(failure))),
            None => Case::new(),
        };
        let ended = case.finish();
        let expected = format!("deny ask_resolution; unanswered: {why}, owed to unstated");
        assert_eq!(story(&ended), expected);
        assert_eq!(times(&ended, NoticeWord::SeatFailed), told, "{why}");
        assert_eq!(ended.denied_at(), Some(Station::Resolve), "{why}");
    }
}

#[test]
fn no_ask_no_question() {
    for case in [Case::new().policy(STATED), Case::new().mode(Mode::Bypass)] {
        let ended = case.resolves(Resolved::NO).run();
        assert!(!ended.seats().contains(&Seat::Resolve));
        assert_eq!(ended.finished().outcome().verdict(), ExitVerdict::Allow);
    }
}

/// A yes is a person's or a delegate's, and bars nobody: it answers every cause there is.
#[test]
fn a_person_is_never_barred() {
    let probe = Probe {
        finding: Reversibility::OutOfRoot,
        boundary_declined: true,
    };
    let case = Case::new()
        .mode(Mode::Auto)
        .with(|input| input.denials(9))
        .policy(PolicyRuling::Ask)
        .guard("g")
        .hooks(&[("g", said(HookDecision::Ask))])
        .says(Answer::Probe(Ok(probe)))
        .says(Answer::Egress(Err(SeatFailure::TimedOut)))
        .says(Answer::ShellRead(Err(SeatFailure::TimedOut)))
        .says(Answer::WriteJudge(Err(SeatFailure::TimedOut)))
        .org(OrgRuling::Ask)
        .says(Answer::Rules(Err(SeatFailure::TimedOut)))
        .resolves(Resolved::YES);
    assert_eq!(
        ends(&case),
        "allow ask_resolution; yes by person, owed to org"
    );
}

/// Equal once written canonically: other order, white space, escapes.
#[test]
fn an_edit_that_says_the_same_is_a_plain_yes() {
    let asked = Call {
        args: args(r#"{"a":1,"b":"é"}"#),
        ..call()
    };
    for edit in [
        r#"{"a":1,"b":"é"}"#,
        r#"{ "b" : "é", "a" : 1 }"#,
        r#"{"b":"\u00e9","a":1}"#,
    ] {
        let ended = Case::of(asked.clone()).resolves(edits(edit)).finish();
        assert_eq!(
            story(&ended),
            "allow ask_resolution; yes by person, owed to unstated",
            "{edit}"
        );
        assert_eq!(ended.round(), 0, "{edit}");
    }
    // A number keeps its text: `1.0` is another text, and so an edit.
    let ended = Case::of(asked)
        .resolves(edits(r#"{"a":1.0,"b":"é"}"#))
        .finish();
    assert_eq!(ended.round(), 1);
    assert_eq!(runs(&ended), Some(r#"{"a":1.0,"b":"é"}"#));
}

/// Edited args that are refused are no answer, whoever said yes.
#[test]
fn an_edit_that_is_no_args_leaves_the_ask_unanswered() {
    for edit in [
        "",
        "null",
        "[]",
        r#""ls""#,
        r#"{"a":1,"a":2}"#,
        r#"{"a":"\ud800"}"#,
        r#"{"a":1"#,
    ] {
        let ended = Case::new().resolves(edits(edit)).finish();
        let expected = "deny ask_resolution; unanswered: failed, owed to unstated";
        assert_eq!(story(&ended), expected, "{edit}");
        assert_eq!(ended.args_to_run(), None, "{edit}");
        let settled = ended.record().fields().settled.clone().unwrap();
        assert_eq!(settled.given_for, args(ASKED).digest(), "{edit}");
    }
}

/// What is to be remembered goes with the yes it came with, through an edit as well.
#[test]
fn what_a_yes_asks_to_remember_is_in_its_settlement() {
    let grant = Grant {
        scope: "project".into(),
        rule: "Bash(make:*)".into(),
    };
    for edit in [None, Some(OTHER)] {
        let shown = Resolved::Yes {
            by: Answerer::Person,
            edit: edit.map(NewArgs::from),
            remember: Some(grant.clone()),
        };
        let ended = Case::new().resolves(shown).finish();
        let settled = ended.outcome().settled().unwrap();
        assert_eq!(settled.settlement.grant, Some(grant.clone()), "{edit:?}");
    }
}

#[test]
fn a_no_gives_its_words_to_the_model() {
    let no = Resolved::No {
        by: Answerer::Person,
        reason: Some("use the Makefile".into()),
    };
    let reason = Case::new().resolves(no).finish().reason().unwrap();
    assert!(
        reason.starts_with("the person who was asked said no: use the Makefile;"),
        "{reason}"
    );
}

/// All that whoever answers needs stands in the question.
#[test]
fn the_question_says_what_is_asked_who_asks_and_how_it_stands() {
    let digest = args(OTHER).digest();
    let shows = Facts {
        shows_content: true,
        ..Facts::UNKNOWN
    };
    let mut worded = judgement(OrgRuling::Ask);
    worded.reason = Some("not on a Friday".into());
    let pass = Case::new()
        .facts(shows)
        .says(policy(UNSTATED, Some(OTHER)))
        .says(Answer::Org(Ok(vec![worded])))
        .says(Answer::Present(Ok(Presented::Shown(digest))))
        .says(Answer::Park(Ok(Parking::Failed("no room".into()))))
        .resolves(Resolved::NO)
        .run_to(Seat::Resolve);
    let asker = |cause, station, reason: Option<&str>| Asker {
        cause,
        station,
        round: 0,
        reason: reason.map(Text::from),
        basis: None,
        part: None,
    };
    let expected = ResolveQuestion {
        ask: AskQuestion {
            args: args(OTHER),
            round: 0,
            origin: Some(AskOrigin::Org),
            askers: vec![
                asker(Cause::Unstated, Station::Unstated, None),
                asker(Cause::Org, Station::Org, Some("not on a Friday")),
            ],
        },
        offer: None,
        shown: Some(digest),
        park_failed: Some("no room".into()),
        resumed: false,
    };
    assert_eq!(*pass.question(), Question::Resolve(expected));
}

/// What only bars is no asker. Source: G127.
#[test]
fn the_question_names_no_one_who_only_bars() {
    let probe = Probe {
        boundary_declined: true,
        ..Probe::UNWIRED
    };
    let pass = Case::new()
        .says(Answer::Probe(Ok(probe)))
        .resolves(Resolved::NO)
        .run_to(Seat::Resolve);
    let Question::Resolve(question) = pass.question() else {
        panic!("it was run to that seat")
    };
    let askers: Vec<_> = question
        .ask
        .askers
        .iter()
        .map(|asker| asker.cause)
        .collect();
    assert_eq!(askers, [Cause::Unstated]);
}

/// Nothing of the pass is loosened by asking: a yes to an ask runs the args that were asked about.
#[test]
fn a_yes_runs_the_args_as_they_stood_when_asked() {
    let rewrite = ("g", rewrites(HookDecision::Ask, OTHER));
    let ended = Case::new()
        .guard("g")
        .hooks(&[rewrite])
        .says(policy(PolicyRuling::Ask, Some(THIRD)))
        .resolves(Resolved::YES)
        .run();
    let asked = ended.asked.last().unwrap().args().clone();
    assert_eq!(asked.as_str(), THIRD);
    assert_eq!(runs(&ended.finished()), Some(THIRD));
}
