//! Stations 1 and 2: what a pass is given, once, and the compliance lock. Source: G081–G091, G102.

use super::answers::*;
use super::case::*;
use gatefold::gate::*;

/// A case with every seat wired and a guard.
fn everything_wired(case: Case) -> Case {
    let seats = Seat::ALL.iter().filter(|seat| **seat != Seat::Hook);
    let case = seats.fold(case, |case, seat| case.with(|input| input.wire(*seat)));
    case.guard("g").observer("o")
}

/// Source: G033, G034.
#[test]
fn the_compliance_lock_denies_before_any_face_is_asked() {
    for mode in Mode::ALL {
        let case = everything_wired(Case::new().mode(*mode));
        let ended = case.with(|input| input.lock(true).leg("[leg]")).run();
        assert_eq!(ended.seats(), [], "{mode}");
        let finished = ended.finished();
        let expected = "deny compliance; told permission_denied compliance";
        assert_eq!(account(&finished), expected, "{mode}");
        assert_eq!(finished.exit(), ExitKind::Deny, "{mode}");
        assert_eq!(finished.denied_at(), Some(Station::Lock), "{mode}");
        assert_eq!(
            finished.reason().unwrap(),
            "[leg] the compliance lock is set, and nothing runs under it"
        );
        let digests = finished.record().fields().digests.clone();
        assert_eq!(digests.asked, args(ASKED).digest());
        assert_eq!(digests.runs, None);
    }
}

#[test]
fn with_nothing_wired_a_pass_is_done_as_it_begins() {
    let rows = [
        (Unstated::Allow, "allow default"),
        (
            Unstated::Ask,
            "deny ask_resolution; asked by unstated; settled unanswered nobody; \
             told permission_denied ask_resolution",
        ),
    ];
    for (unstated, expected) in rows {
        let case = Case::new().with(|input| input.unstated(unstated));
        let ended = case.run();
        assert_eq!(ended.seats(), []);
        assert_eq!(account(&ended.finished()), expected);
    }
}

/// Source: G081, G102.
#[test]
fn the_first_request_is_over_the_models_args_and_a_record_stands_from_the_start() {
    let case = everything_wired(Case::new());
    let pass = need(case.begin());
    assert_eq!(pass.question().seat(), Seat::Hook);
    assert_eq!(pass.question().args(), &args(ASKED));
    let record = pass.pending();
    let fields = record.fields();
    assert_eq!(fields.verdict, Verdict::Ask);
    assert_eq!(fields.digests.asked, args(ASKED).digest());
    assert_eq!((fields.denied_by, fields.allowed_by), (None, None));
    assert_eq!((&fields.asked, &fields.settled), (&None, &None));
}

/// Source: G085–G091.
#[test]
fn what_was_read_at_entry_is_the_same_at_every_question() {
    let case = Case::new().guard("g").mode(Mode::Auto).ancestor(Mode::Auto);
    let case = case
        .hooks(&[("g", rewrites(HookDecision::None, OTHER))])
        .hooks(&[("g", said(HookDecision::None))])
        .policy(PolicyRuling::Ask)
        .policy(UNSTATED)
        .org(OrgRuling::None)
        .resolves(edits(THIRD));
    let input = case.input();
    let ended = case.watch(|pass, _| {
        assert_eq!(pass.call(), input.call(), "{}", pass.question().seat());
        pass
    });
    assert_eq!(ended.asked.last().map(Question::args), Some(&args(THIRD)));
    assert_eq!(ended.finished().call(), &call());
}

/// Source: G085.
#[test]
fn the_order_of_keys_and_the_spelling_of_the_call_do_not_matter() {
    let spelled = [
        r#"{"a":1,"b":"x"}"#,
        r#"{"b":"x","a":1}"#,
        " {\n \"b\" : \"\\u0078\", \"a\" : 1 } ",
    ];
    let record = |text: &str| {
        let call = Call {
            args: args(text),
            ..call()
        };
        let input = GateInput::builder(call).build().unwrap();
        let Step::Done(result) = begin(input) else {
            panic!("nothing is wired")
        };
        match *result {
            GateResult::Finished(finished) => finished.record().to_json(),
            GateResult::Suspended(_) => panic!("nothing parks"),
        }
    };
    let records = spelled.map(record);
    assert_eq!(records[0], records[1]);
    assert_eq!(records[0], records[2]);
}

#[test]
fn the_builder_gives_what_it_was_given_and_defaults_for_the_rest() {
    let input = GateInput::builder(call()).build().unwrap();
    assert_eq!(input.call(), &call());
    assert_eq!(input.members(), [Member::default()]);
    assert_eq!(input.hooks(), []);
    assert_eq!(input.wiring(), Wiring::NONE);
    assert_eq!(input.settings(), Settings::default());
    assert_eq!(input.time(), None);
    let defaults = Settings {
        edit_cap: 3,
        denial_limit: 3,
        on_no_ruling: OnNoRuling::Deny,
    };
    assert_eq!(Settings::default(), defaults);

    let settings = Settings {
        edit_cap: 1,
        denial_limit: 2,
        on_no_ruling: OnNoRuling::Ask,
    };
    let input = GateInput::builder(call())
        .mode(Mode::Plan)
        .lock(true)
        .agent("child")
        .ancestor(member(Mode::Auto))
        .ancestor(member(Mode::Bypass))
        .wire(Seat::Org)
        .hook("b", HookKind::Guard)
        .hook("a", HookKind::Observer)
        .settings(settings)
        .time(7)
        .build()
        .unwrap();
    let caller = Member {
        agent: Some("child".into()),
        mode: Mode::Plan,
        lock: true,
    };
    let members = [caller, member(Mode::Auto), member(Mode::Bypass)];
    assert_eq!(input.members(), members);
    let hooks = [("b", HookKind::Guard), ("a", HookKind::Observer)];
    let hooks = hooks.map(|(id, kind)| Hook {
        id: id.into(),
        kind,
    });
    assert_eq!(input.hooks(), hooks);
    assert_eq!(input.settings(), settings);
    assert_eq!(input.time(), Some(7));
    let wired = Seat::ALL.iter().filter(|seat| input.wiring().has(**seat));
    assert_eq!(wired.collect::<Vec<_>>(), [&Seat::Hook, &Seat::Org]);
}

#[test]
fn declaring_a_hook_wires_the_hook_seat_and_wiring_a_seat_twice_is_wiring_it_once() {
    let once = GateInput::builder(call()).hook("g", HookKind::Guard);
    let twice = once.clone().wire(Seat::Hook).wire(Seat::Hook);
    assert_eq!(once.build(), twice.build());
}

/// A leg's mark, the digests and the host's time reach the record or the words, as they came.
#[test]
fn digests_of_policy_and_facts_stand_in_the_record_as_they_came() {
    let case = Case::new().with(|input| {
        let input = input
            .policy(Digest::of(b"policy"))
            .facts(Digest::of(b"facts"));
        input.unstated(Unstated::Allow)
    });
    let record = case.finish().record();
    assert_eq!(record.fields().policy, Some(Digest::of(b"policy")));
    assert_eq!(record.fields().digests.facts, Some(Digest::of(b"facts")));
}

#[test]
fn a_pass_tells_the_time_it_was_given_and_keeps_args_out_of_logs() {
    for time in [None, Some(0), Some(1), Some(7)] {
        let mut input = GateInput::builder(call()).wire(Seat::Rules);
        if let Some(time) = time {
            input = input.time(time);
        }
        let Step::Need(pass) = begin(input.build().unwrap()) else {
            panic!("the rules are asked");
        };
        assert_eq!(pass.time(), time);
        let shown = "Pass { call: \"c1\", asks: Rules, .. }";
        assert_eq!(format!("{pass:?}"), shown);
    }
}

#[test]
fn args_are_shown_as_they_are() {
    let args = args(ASKED);
    assert_eq!(args.to_string(), ASKED);
    assert_eq!(format!("{args:?}"), format!("Args({ASKED})"));
}
