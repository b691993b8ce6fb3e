//! The stations in their order: who is asked, when, and what a deny leaves unasked. Source: G096,
//! G097, G103, G106, G123.

use super::answers::*;
use super::case::*;
use gatefold::gate::*;

/// A case with what it says first; after that every seat but the classifier says what objects to
/// nothing, and a person says yes.
fn wired(case: Case) -> Case {
    case.guard("g")
        .hooks(&[("g", said(HookDecision::None))])
        .facts(Facts {
            shows_content: true,
            ..SHELL
        })
        .policy(UNSTATED)
        .says(probed(Reversibility::Reversible, false))
        .says(Answer::Egress(Ok(Egress::Inside)))
        .says(reads(ShellFinding::Clean))
        .says(Answer::WriteJudge(Ok(WriteProtection::None)))
        .org(OrgRuling::None)
        .rules(RuleRuling::None)
        .says(Answer::Sandbox(Ok(Sandbox::Not)))
        .says(Answer::Present(Ok(Presented::Shown(args(ASKED).digest()))))
        .says(Answer::Park(Ok(Parking::Declined)))
        .resolves(Resolved::YES)
}

/// The seats that judge a call, in order.
const JUDGES: [Seat; 9] = [
    Seat::Hook,
    Seat::Describe,
    Seat::Adjudicate,
    Seat::Probe,
    Seat::Egress,
    Seat::ShellRead,
    Seat::WriteJudge,
    Seat::Org,
    Seat::Rules,
];

fn after_the_judges(seats: &[Seat]) -> Vec<Seat> {
    [&JUDGES, seats].concat()
}

#[test]
fn a_full_pass_asks_every_seat_once_in_the_order_of_the_stations() {
    let ended = wired(Case::new()).run();
    let answerers = [Seat::Sandbox, Seat::Present, Seat::Park, Seat::Resolve];
    assert_eq!(ended.seats(), after_the_judges(&answerers));
    assert_eq!(
        account(&ended.finished()),
        "allow ask_resolution; asked by unstated; settled yes person"
    );
    // A classifier that does not clear the call bars the sandbox: no pass asks both.
    let auto = Case::new().mode(Mode::Auto);
    let ended = wired(auto.says(rules_that(ClassifierRuling::Ask))).run();
    let answerers = [Seat::Classify, Seat::Present, Seat::Park, Seat::Resolve];
    assert_eq!(ended.seats(), after_the_judges(&answerers));
}

/// In an edit round 12 is passed over, and nothing of 15 to 18 is asked.
#[test]
fn an_edit_round_asks_the_judges_and_nobody_who_could_clear_its_ask() {
    let shown = |text| Answer::Present(Ok(Presented::Shown(args(text).digest())));
    let case = Case::new().policy(UNSTATED).policy(PolicyRuling::Ask);
    let case = case
        .resolves(edits(OTHER))
        .says(shown(ASKED))
        .says(shown(OTHER));
    let shows_other = Answer::Present(Ok(Presented::Shown(args(OTHER).digest())));
    let ended = wired(case).says(shows_other).run();
    let first = [Seat::Sandbox, Seat::Present, Seat::Park, Seat::Resolve];
    let second = [Seat::Present, Seat::Park, Seat::Resolve];
    let seats = [after_the_judges(&first), after_the_judges(&second)].concat();
    assert_eq!(ended.seats(), seats);
    let rounds: Vec<_> = ended.finished().trace().unwrap().steps().to_vec();
    let edit_round = rounds.iter().filter(|step| step.round == 1);
    for step in edit_round {
        let skipped = [Station::Stamp, Station::Classify, Station::Sandbox];
        assert!(!skipped.contains(&step.station), "{}", step.station);
        assert_ne!(step.station, Station::Arbitrate);
    }
}

#[test]
fn the_stations_are_numbered_as_they_are_passed() {
    let numbers: Vec<_> = Station::ALL
        .iter()
        .map(|station| station.number())
        .collect();
    assert_eq!(numbers, (1..=23).collect::<Vec<u8>>());
    let finished = wired(Case::new()).finish();
    let steps = finished.trace().unwrap().steps();
    let mut passed: Vec<_> = steps.iter().map(|step| step.station).collect();
    passed.dedup();
    let all = Station::ALL.iter().copied();
    let all_but_edit: Vec<_> = all.filter(|station| *station != Station::Edit).collect();
    assert_eq!(passed, all_but_edit);
}

/// Source: G123, G134.
#[test]
fn the_stamp_is_a_mark_that_reads_the_causes_and_writes_nothing() {
    let finished = wired(Case::new()).finish();
    let steps = finished.trace().unwrap().steps();
    let stamps = || steps.iter().filter(|step| step.station == Station::Stamp);
    assert_eq!(stamps().count(), 1);
    for stamp in stamps() {
        assert_eq!(stamp.read, [Cell::Causes]);
        assert_eq!((stamp.asked, stamp.wrote.len()), (None, 0));
    }
}

#[test]
fn a_deny_stops_the_asking_at_its_station() {
    let case = Case::new;
    let refused = reads(ShellFinding::Refused(card("readonly_out_of_root")));
    let denies = [("g", said(HookDecision::Deny))];
    let block = rules_that(ClassifierRuling::Block);
    let cannot = Answer::Present(Ok(Presented::Cannot));
    let rows = [
        (
            case().hooks(&denies),
            Seat::Hook,
            "deny hook",
            Station::Hook,
        ),
        (
            case().mode(Mode::Plan),
            Seat::Describe,
            "deny plan_mode",
            Station::Plan,
        ),
        (
            case().policy(PolicyRuling::Deny),
            Seat::Adjudicate,
            "deny policy",
            Station::Adjudicate,
        ),
        (
            case().says(refused),
            Seat::ShellRead,
            "deny shell_read",
            Station::ShellRead,
        ),
        (
            case().org(OrgRuling::Deny),
            Seat::Org,
            "deny org",
            Station::Org,
        ),
        (
            case().rules(RuleRuling::Deny),
            Seat::Rules,
            "deny rule",
            Station::Rules,
        ),
        (
            case().mode(Mode::Auto).says(block),
            Seat::Classify,
            "deny classifier",
            Station::Classify,
        ),
        (
            case().mode(Mode::DontAsk),
            Seat::Sandbox,
            "deny mode",
            Station::Arbitrate,
        ),
        (
            case().says(cannot),
            Seat::Present,
            "deny ask_resolution",
            Station::Present,
        ),
        (
            case().resolves(Resolved::NO),
            Seat::Resolve,
            "deny ask_resolution",
            Station::Resolve,
        ),
    ];
    for (case, last, expected, station) in rows {
        let ended = wired(case).run();
        assert_eq!(ended.seats().last(), Some(&last), "{expected}");
        let finished = ended.finished();
        assert_eq!(disposition(&finished), expected);
        assert_eq!(finished.denied_at(), Some(station), "{expected}");
        assert_eq!(finished.args_to_run(), None, "{expected}");
    }
}

/// Everything that clears an ask leaves those who would be asked about it unasked.
#[test]
fn an_allow_stops_the_asking_once_the_rules_have_answered() {
    let case = Case::new;
    let admitted = Answer::Sandbox(Ok(Sandbox::Admitted(None)));
    let allow = RuleRuling::Allow { grant: None };
    let answers: [(Case, &[Seat], &str); 5] = [
        (case().policy(STATED), &[], "allow policy"),
        (case().rules(allow), &[], "allow stored_rule"),
        (case().says(admitted), &[Seat::Sandbox], "allow sandbox"),
        (case().mode(Mode::Bypass), &[Seat::Sandbox], "allow mode"),
        (
            case()
                .mode(Mode::Auto)
                .says(rules_that(ClassifierRuling::Allow)),
            &[Seat::Classify],
            "allow classifier",
        ),
    ];
    for (case, answerers, expected) in answers {
        let ended = wired(case).run();
        assert_eq!(ended.seats(), after_the_judges(answerers), "{expected}");
        assert_eq!(disposition(&ended.finished()), expected);
    }
}

/// Source: G103.
#[test]
fn a_policys_rewrite_is_described_again_and_judged_no_second_time() {
    use Seat::{Adjudicate, Describe, Hook, Org, Probe, Rules, ShellRead, WriteJudge};
    let case = Case::new().says(policy(STATED, Some(OTHER)));
    let ended = wired(case).run();
    assert_eq!(
        ended.seats(),
        [
            Hook,
            Describe,
            Adjudicate,
            Describe,
            Probe,
            Seat::Egress,
            ShellRead,
            WriteJudge,
            Org,
            Rules
        ]
    );
    let asked: Vec<_> = ended
        .asked
        .iter()
        .map(|question| question.args().as_str())
        .collect();
    assert_eq!(asked[..3], [ASKED; 3]);
    assert_eq!(asked[3..], [OTHER; 7]);
    assert_eq!(ended.finished().args_to_run(), Some(&args(OTHER)));
}

#[test]
fn plan_mode_stands_over_the_policys_rewrite_too() {
    let facts = |read_only| Facts {
        read_only,
        ..Facts::UNKNOWN
    };
    for ruling in [STATED, UNSTATED, PolicyRuling::Ask] {
        let case = Case::new().mode(Mode::Plan).facts(facts(ReadOnly::Yes));
        let case = case.facts(facts(ReadOnly::No));
        let ended = case.says(policy(ruling, Some(OTHER))).run();
        let seats = [Seat::Describe, Seat::Adjudicate, Seat::Describe];
        assert_eq!(ended.seats(), seats);
        assert_eq!(disposition(&ended.finished()), "deny plan_mode");
    }
}

/// Source: G106, G107.
#[test]
fn a_hooks_ask_is_promoted_over_any_verdict_of_the_policy() {
    let asks = || {
        Case::new()
            .guard("g")
            .hooks(&[("g", said(HookDecision::Ask))])
    };
    let rows: [(PolicyRuling, &[Cause]); 3] = [
        (STATED, &[Cause::Hook]),
        (UNSTATED, &[Cause::Hook]),
        (PolicyRuling::Ask, &[Cause::Policy, Cause::Hook]),
    ];
    for (ruling, expected) in rows {
        let finished = asks().policy(ruling).resolves(Resolved::YES).finish();
        assert_eq!(disposition(&finished), "allow ask_resolution", "{ruling:?}");
        let asked = finished.record().fields().asked.clone().unwrap();
        assert_eq!(causes(&finished.record()), expected, "{ruling:?}");
        let last = asked.askers.last().unwrap();
        assert_eq!(last.station, Station::Promote, "{ruling:?}");
        assert_eq!(last.basis.clone().unwrap().rule, "g".into(), "{ruling:?}");
        assert_eq!(asked.origin, Some(AskOrigin::Hook), "{ruling:?}");
    }
    let finished = asks().policy(PolicyRuling::Deny).finish();
    let expected = "deny policy; told permission_denied policy";
    assert_eq!(account(&finished), expected);
}

/// Source: G106.
#[test]
fn a_hooks_ask_outlives_the_policys_rewrite() {
    let case = Case::new()
        .guard("g")
        .hooks(&[("g", said(HookDecision::Ask))]);
    let finished = case.says(policy(STATED, Some(OTHER))).finish();
    assert_eq!(disposition(&finished), "deny ask_resolution");
    assert_eq!(causes(&finished.record()), [Cause::Hook]);
}

/// Nothing stands between the last tighten and the org consultation. Source: G096, G097.
#[test]
fn the_answer_that_completes_the_fold_returns_the_org_question() {
    let fold = [
        Answer::Describe(Ok(Facts::UNKNOWN)),
        policy(UNSTATED, None),
        probed(Reversibility::Irreversible, true),
        Answer::Egress(Ok(Egress::Outside(None))),
        reads(ShellFinding::Clean),
        Answer::WriteJudge(Ok(WriteProtection::Matched)),
    ];
    // Whichever seat of the fold is the last one wired, its own answer returns the question.
    for wired in 1..=fold.len() {
        let case = Case::new().org(OrgRuling::None);
        let case = fold[..wired].iter().cloned().fold(case, Case::says);
        let last = fold[wired - 1].clone();
        let seat = last.seat();
        let pass = case.run_to(seat);
        let next = need(pass.answer(last).unwrap());
        assert_eq!(next.question().seat(), Seat::Org, "{seat}");
    }
    let begun = need(Case::new().org(OrgRuling::None).begin());
    assert_eq!(begun.question().seat(), Seat::Org);
}

/// Source: G088.
#[test]
fn a_resumed_ask_is_put_to_whoever_can_be_asked_even_if_nobody_was_wired() {
    let case = Case::new().says(Answer::Park(Ok(Parking::Parked)));
    let Suspended { ticket, parked } = case.run().suspended();
    let mut book = TicketBook::new();
    book.open(&ticket).unwrap();
    let step = parked.resume(&ticket, &mut book, &case.input()).unwrap();
    let pass = need(step);
    let Question::Resolve(question) = pass.question() else {
        panic!("the seat is resolve")
    };
    assert!(question.resumed);
    assert_eq!(question.ask.origin, Some(AskOrigin::Unstated));
    let case = case.resolves(Resolved::YES);
    let finished = case.run_from(Step::Need(pass)).finished();
    assert_eq!(
        account(&finished),
        "allow ask_resolution; asked by unstated; settled yes person"
    );
}

#[test]
fn a_resumed_pass_asks_again_in_its_edit_round_even_if_nobody_was_wired() {
    let asks = || Case::new().policy(PolicyRuling::Ask);
    let parks = asks().says(Answer::Park(Ok(Parking::Parked)));
    let Suspended { ticket, parked } = parks.run().suspended();
    let mut book = TicketBook::new();
    book.open(&ticket).unwrap();
    let step = parked.resume(&ticket, &mut book, &parks.input()).unwrap();
    let case = asks().says(Answer::Park(Ok(Parking::Declined)));
    let case = case.resolves(edits(OTHER)).resolves(Resolved::YES);
    let ended = case.run_from(step);
    let seats = [Seat::Resolve, Seat::Adjudicate, Seat::Park, Seat::Resolve];
    assert_eq!(ended.seats(), seats);
    assert_eq!(
        account(&ended.finished()),
        "allow ask_resolution; asked by policy, policy, edit; settled yes person; \
         told settlement_superseded"
    );
}
