//! Every seat, unwired and in each way to fail. Source: G073, G074, G078, G126, G136.

use super::answers::*;
use super::case::*;
use gatefold::gate::*;

/// One seat's row of the table.
struct Row {
    seat: Seat,
    /// A case that gets to the seat if it is wired.
    case: Case,
    /// What it comes to, and what of it if the seat is wired and fails.
    unwired: String,
    threw: String,
    timed_out: String,
}

fn row(seat: Seat, case: Case, unwired: &str, failed: &str) -> Row {
    Row {
        seat,
        case,
        unwired: unwired.into(),
        threw: failed.into(),
        timed_out: failed.into(),
    }
}

/// Nobody states anything about the call, and a person who is asked says yes.
fn asks_a_person() -> Case {
    Case::new().resolves(Resolved::YES)
}

/// The policy allows, a stored rule too, and the mode is `bypass`: what is still asked of a person
/// bars everybody else.
fn widest() -> Case {
    let allow = RuleRuling::Allow { grant: None };
    asks_a_person()
        .policy(STATED)
        .rules(allow)
        .mode(Mode::Bypass)
}

/// An edit inside the roots under `accept_edits`, which an open ask would not stop.
fn edits_in_the_roots() -> Case {
    let facts = Facts {
        kind: ToolKind::Edit,
        edits_in_roots: true,
        ..Facts::UNKNOWN
    };
    let case = asks_a_person().policy(STATED).facts(facts);
    case.mode(Mode::AcceptEdits)
}

fn lets_unstated_run() -> Case {
    Case::new().with(|input| input.unstated(Unstated::Allow))
}

/// The engine fails closed for this seat.
fn engine(seat: Seat) -> String {
    format!("deny engine; told seat_failed {seat}, permission_denied engine")
}

/// The ask has these causes and is answered by a person.
fn person(causes: &str) -> String {
    format!("allow ask_resolution; asked by {causes}; settled yes person")
}

/// The unstated call's ask stays unanswered.
fn unanswered(why: &str, failed: &str) -> String {
    format!(
        "deny ask_resolution; asked by unstated; settled unanswered {why}; \
         told {failed}permission_denied ask_resolution"
    )
}

#[rustfmt::skip]
fn table() -> Vec<Row> {
    use Seat as S;
    let stated = "allow policy";
    let unstated = &person("unstated");
    let bypass = || asks_a_person().policy(STATED).mode(Mode::Bypass);
    let cannot = Answer::Present(Ok(Presented::Cannot));
    let told = |causes: &str, told: &str| person(causes) + "; told seat_failed " + told;
    let no_ruling = "deny classifier; asked by unstated; \
                     told seat_failed classify, permission_denied classifier";
    let unread = told("unestablishable, write_unresolved", "shell_read");
    let unshown = |seat| unanswered("unshown", &format!("seat_failed {seat}, "));
    vec![
        row(S::Hook, lets_unstated_run(), "allow default", &engine(S::Hook)),
        row(S::Describe, asks_a_person().says(cannot), unstated, &unshown(S::Describe)),
        row(S::Adjudicate, lets_unstated_run(), "allow default", &engine(S::Adjudicate)),
        row(S::Probe, widest(), stated, &told("probe_unanswered", "probe")),
        row(S::Egress, edits_in_the_roots(), stated, &told("outside", "egress")),
        row(S::ShellRead, widest(), stated, &unread),
        row(S::WriteJudge, widest(), stated, &told("write_unresolved", "write_judge")),
        row(S::Org, widest(), stated, &engine(S::Org)),
        row(S::Rules, bypass(), stated, &told("rules_unreadable", "rules, rules_unreadable")),
        row(S::Classify, asks_a_person().mode(Mode::Auto), unstated, no_ruling),
        row(S::Sandbox, asks_a_person().facts(SHELL), unstated, &told("unstated", "sandbox")),
        row(S::Present, asks_a_person().facts(SHOWS), unstated, &unshown(S::Present)),
        row(S::Park, asks_a_person(), unstated, &told("unstated", "park")),
        Row {
            seat: S::Resolve,
            case: Case::new(),
            unwired: unanswered("nobody", ""),
            threw: unanswered("failed", "seat_failed resolve, "),
            timed_out: unanswered("timeout", "seat_failed resolve, "),
        },
    ]
}

/// The case with this seat wired and failing.
fn failed(row: &Row, failure: SeatFailure) -> Case {
    let case = row.case.clone().says(Answer::failed(row.seat, failure));
    if row.seat == Seat::Hook {
        return case.guard("g");
    }
    case
}

#[test]
fn the_table_has_a_row_for_every_seat() {
    let seats: Vec<_> = table().iter().map(|row| row.seat).collect();
    assert_eq!(seats, Seat::ALL);
}

/// Source: G126, G136.
#[test]
fn an_unwired_seat_is_not_asked_and_its_station_does_the_rest() {
    for row in table() {
        let ended = row.case.run();
        assert!(!ended.seats().contains(&row.seat), "{}", row.seat);
        assert_eq!(account(&ended.finished()), row.unwired, "{}", row.seat);
    }
}

/// Source: G073, G074, G126, G136.
#[test]
fn a_seat_that_threw_or_timed_out_means_what_its_row_says() {
    for row in table() {
        let rows = [
            (SeatFailure::threw("boom"), &row.threw),
            (SeatFailure::TimedOut, &row.timed_out),
        ];
        for (failure, expected) in rows {
            let ended = failed(&row, failure.clone()).run();
            assert!(ended.seats().contains(&row.seat), "{}", row.seat);
            let account = account(&ended.finished());
            assert_eq!(&account, expected, "{} {failure}", row.seat);
        }
    }
}

/// Source: G078.
#[test]
fn every_seat_failure_is_a_notice_to_the_deployment() {
    for row in table() {
        for (failure, text) in [
            (SeatFailure::threw("boom"), "threw: boom"),
            (SeatFailure::TimedOut, "timed out"),
        ] {
            let finished = failed(&row, failure).finish();
            let notice = &finished.notices()[0];
            assert_eq!(notice.notice, NoticeWord::SeatFailed, "{}", row.seat);
            assert_eq!(notice.audience, Audience::Deployment, "{}", row.seat);
            assert_eq!(notice.about.as_deref(), Some(row.seat.word()));
            assert_eq!(notice.text.as_ref().map(Text::as_str), Some(text));
            assert_eq!(notice.args, args(ASKED), "{}", row.seat);
        }
    }
}

/// Source: G078.
#[test]
fn aborted_ends_the_pass_at_every_seat_tells_the_observer_and_is_no_failure() {
    for row in table() {
        let ended = failed(&row, SeatFailure::Aborted).run();
        assert_eq!(ended.seats().last(), Some(&row.seat));
        let finished = ended.finished();
        let ends = ended_by_abort(row.seat);
        assert_eq!(disposition(&finished), ends, "{}", row.seat);
        assert_eq!(notices(&finished), [NoticeWord::PermissionDenied]);
        let settled = finished.outcome().settled().map(|ask| ask.settlement);
        let aborted = Settlement::unanswered(Unanswered::Aborted);
        let expected = (ends == "deny ask_resolution").then_some(aborted);
        assert_eq!(settled, expected, "{}", row.seat);
    }
}

/// Stations 3 to 14 judge the call; from 16 on an ask stands.
fn ended_by_abort(seat: Seat) -> &'static str {
    match seat {
        Seat::Hook
        | Seat::Describe
        | Seat::Adjudicate
        | Seat::Probe
        | Seat::Egress
        | Seat::ShellRead
        | Seat::WriteJudge
        | Seat::Org
        | Seat::Rules => "deny engine",
        Seat::Classify | Seat::Sandbox | Seat::Present | Seat::Park | Seat::Resolve => {
            "deny ask_resolution"
        }
    }
}

#[test]
fn aborting_the_pass_is_the_same_as_an_aborted_answer_at_every_seat() {
    for row in table() {
        let case = failed(&row, SeatFailure::Aborted);
        let answered = case.finish();
        let Step::Done(result) = case.run_to(row.seat).abort() else {
            panic!("an abort ends the pass")
        };
        let GateResult::Finished(aborted) = *result else {
            panic!("an abort parks nothing")
        };
        assert_eq!(aborted.record().to_json(), answered.record().to_json());
        assert_eq!(aborted.notices(), answered.notices(), "{}", row.seat);
        assert_eq!(aborted.reason(), answered.reason(), "{}", row.seat);
        assert_eq!(aborted.exit(), answered.exit(), "{}", row.seat);
    }
}

/// Every seat that an edit round asks answers well at first and is aborted in the round.
#[test]
fn aborted_in_an_edit_round_leaves_the_yes_while_the_call_is_judged() {
    for (seat, calm) in calm() {
        let mut case = Case::new().resolves(edits(OTHER)).says(calm.clone());
        if seat == Seat::Hook {
            case = case.guard("g");
        }
        let finished = case
            .says(Answer::failed(seat, SeatFailure::Aborted))
            .finish();
        let account = account(&finished);
        assert!(account.starts_with("deny engine; asked by "), "{account}");
        let tail = "; settled yes person; told permission_denied engine";
        assert!(account.ends_with(tail), "{seat}: {account}");
        assert_eq!(finished.exit(), ExitKind::Deny, "{seat}");
        assert_eq!(finished.round(), 1, "{seat}");
    }
}

/// An answer of every seat of stations 3 to 14 that objects to nothing.
fn calm() -> Vec<(Seat, Answer)> {
    let hook = HookReceipt {
        hook: "g".into(),
        outcome: said(HookDecision::None),
    };
    let answers = vec![
        Answer::Hook(Ok(vec![hook])),
        Answer::Describe(Ok(Facts::UNKNOWN)),
        policy(UNSTATED, None),
        Answer::Probe(Ok(Probe::UNWIRED)),
        Answer::Egress(Ok(Egress::Inside)),
        Answer::ShellRead(Ok(ShellRead::UNWIRED)),
        Answer::WriteJudge(Ok(WriteProtection::None)),
        Answer::Org(Ok(vec![judgement(OrgRuling::None)])),
        Answer::Rules(Ok(vec![judgement(RuleRuling::None)])),
    ];
    answers
        .into_iter()
        .map(|answer| (answer.seat(), answer))
        .collect()
}

#[test]
fn aborted_at_the_ask_of_an_edit_round_replaces_the_yes() {
    let asks_of_the_edit = |case: Case| {
        case.policy(UNSTATED)
            .policy(PolicyRuling::Ask)
            .resolves(edits(OTHER))
    };
    let aborted = |seat| Answer::failed(seat, SeatFailure::Aborted);
    let digest = args(ASKED).digest();
    let rows = [
        asks_of_the_edit(Case::new()).says(aborted(Seat::Resolve)),
        asks_of_the_edit(Case::new())
            .says(Answer::Park(Ok(Parking::Declined)))
            .says(aborted(Seat::Park)),
        asks_of_the_edit(Case::new().facts(SHOWS))
            .says(Answer::Present(Ok(Presented::Shown(digest))))
            .says(aborted(Seat::Present)),
    ];
    for case in rows {
        let ended = case.run();
        let seat = *ended.seats().last().unwrap();
        assert_eq!(
            account(&ended.finished()),
            "deny ask_resolution; asked by unstated, policy, edit; settled unanswered aborted; \
             told settlement_superseded, permission_denied ask_resolution",
            "{seat}"
        );
    }
}

/// Source: G136.
#[test]
fn a_failed_hook_seat_is_only_a_notice_if_every_hook_observes() {
    for failure in [SeatFailure::threw("boom"), SeatFailure::TimedOut] {
        let case = lets_unstated_run().observer("a").observer("b");
        let finished = case.says(Answer::failed(Seat::Hook, failure)).finish();
        assert_eq!(account(&finished), "allow default; told seat_failed hook");
    }
}

#[test]
fn an_aborted_hook_seat_ends_the_pass_even_if_every_hook_observes() {
    let case = lets_unstated_run().observer("a");
    let finished = case
        .says(Answer::failed(Seat::Hook, SeatFailure::Aborted))
        .finish();
    assert_eq!(
        account(&finished),
        "deny engine; told permission_denied engine"
    );
}

#[test]
fn a_call_that_nobody_could_describe_is_not_known_to_read_only() {
    let plan = lets_unstated_run().mode(Mode::Plan);
    let unwired = account(&plan.finish());
    assert_eq!(unwired, "deny plan_mode; told permission_denied plan_mode");
    let failed = plan.says(Answer::failed(Seat::Describe, SeatFailure::TimedOut));
    assert_eq!(
        account(&failed.finish()),
        "deny plan_mode; told seat_failed describe, permission_denied plan_mode"
    );
}

/// Source: G128.
#[test]
fn a_shell_reader_that_failed_is_no_looser_than_one_that_could_not_tell() {
    let reader = |reply| widest().mode(Mode::Auto).says(Answer::ShellRead(reply));
    let honest = ShellRead {
        finding: ShellFinding::Unestablishable(None),
        write_protection: WriteProtection::Unresolved,
        ..ShellRead::UNWIRED
    };
    let allow = rules_that(ClassifierRuling::Allow);
    let honest = reader(Ok(honest)).says(allow.clone()).run();
    let failed = reader(Err(SeatFailure::TimedOut)).says(allow).run();
    assert_eq!(honest.seats(), failed.seats());
    assert!(!failed.seats().contains(&Seat::Classify));
    assert_eq!(
        causes(&failed.finished().record()),
        causes(&honest.finished().record())
    );
}

#[test]
fn a_failed_egress_seat_reaches_out_to_a_host_that_nobody_knows() {
    let case = edits_in_the_roots().says(Answer::failed(Seat::Egress, SeatFailure::TimedOut));
    let finished = case.finish();
    let asked = finished.record().fields().asked.clone().unwrap();
    assert_eq!(asked.origin, Some(AskOrigin::Egress));
    assert_eq!(asked.askers[0].part, None);
}

/// Source: G018, G120.
#[test]
fn a_classifier_that_threw_is_unavailable_in_the_record() {
    let case = asks_a_person().mode(Mode::Auto);
    let finished = case
        .says(Answer::failed(Seat::Classify, SeatFailure::threw("boom")))
        .finish();
    assert_eq!(
        finished.outcome().cause(),
        Some(ClassifierCause::Unavailable)
    );
    assert_eq!(finished.outcome().classifier(), None);
}

/// Source: G111.
#[test]
fn a_park_that_threw_is_told_to_whoever_is_asked_next() {
    let case = asks_a_person().says(Answer::failed(Seat::Park, SeatFailure::threw("disk full")));
    let pass = case.run_to(Seat::Resolve);
    let Question::Resolve(question) = pass.question() else {
        panic!("the seat is resolve")
    };
    let failed = question.park_failed.as_ref().map(Text::as_str);
    assert_eq!(failed, Some("threw: disk full"));
}
