//! The lineage: locks, plan mode, auto mode and the arbitration of the modes over ancestors.

use super::answers::*;
use super::case::*;
use gatefold::gate::*;

/// An edit inside the roots that is an ask; a classifier, if it is asked, allows; a person, if one
/// is asked, says no.
fn ask_of(caller: Mode, ancestors: &[Mode]) -> Case {
    let facts = Facts {
        kind: ToolKind::Edit,
        edits_in_roots: true,
        ..Facts::UNKNOWN
    };
    let case = Case::new().mode(caller).facts(facts);
    let case = case.says(rules_that(ClassifierRuling::Allow));
    let case = case.resolves(Resolved::NO);
    ancestors
        .iter()
        .fold(case, |case, mode| case.ancestor(*mode))
}

/// An agent with two ancestors of which one, by its place, is as given.
fn with_member_at(place: usize, odd: &Member) -> Case {
    (0..3).fold(Case::new(), |case, at| {
        let member = if at == place {
            odd.clone()
        } else {
            Member::default()
        };
        match at {
            0 => case.mode(member.mode).with(|input| input.lock(member.lock)),
            _ => case.with(|input| input.ancestor(member)),
        }
    })
}

#[test]
fn the_lock_of_any_member_denies() {
    for place in 0..3 {
        let locked = Member {
            lock: true,
            ..Member::default()
        };
        let finished = with_member_at(place, &locked).finish();
        let expected = "deny compliance; told permission_denied compliance";
        assert_eq!(account(&finished), expected, "{place}");
    }
}

#[test]
fn plan_mode_of_any_member_lets_nothing_run_that_is_not_known_to_read_only() {
    for place in 0..3 {
        for (read_only, denied) in [
            (ReadOnly::Yes, false),
            (ReadOnly::No, true),
            (ReadOnly::Unknown, true),
        ] {
            let facts = Facts {
                read_only,
                ..Facts::UNKNOWN
            };
            let case = with_member_at(place, &member(Mode::Plan)).facts(facts);
            let finished = case.policy(STATED).finish();
            let expected = if denied {
                "deny plan_mode; told permission_denied plan_mode"
            } else {
                "allow policy"
            };
            assert_eq!(account(&finished), expected, "{place} {read_only}");
        }
    }
}

/// Rows are the caller's mode, columns the ancestor's; both in the order of the word list.
#[test]
#[rustfmt::skip]
fn a_child_never_ends_wider_than_its_parent_in_any_pair_of_modes() {
    const ASK: &str = "deny ask_resolution";
    const PLAN: &str = "deny plan_mode";
    const DONT: &str = "deny mode";
    const MODE: &str = "allow mode";
    const AUTO: &str = "allow classifier";
    //               default plan  accept auto  dont_ask bypass
    let table = [
        /* default  */ [ASK, PLAN, ASK,  ASK,  DONT, ASK],
        /* plan     */ [PLAN, PLAN, PLAN, PLAN, PLAN, PLAN],
        /* accept   */ [ASK, PLAN, MODE, ASK,  DONT, MODE],
        /* auto     */ [ASK, PLAN, ASK,  AUTO, DONT, AUTO],
        /* dont_ask */ [DONT, PLAN, DONT, DONT, DONT, DONT],
        /* bypass   */ [ASK, PLAN, MODE, AUTO, DONT, MODE],
    ];
    for (caller, row) in Mode::ALL.iter().zip(table) {
        for (ancestor, expected) in Mode::ALL.iter().zip(row) {
            let ended = ask_of(*caller, &[*ancestor]).run();
            let modes = [*caller, *ancestor];
            let auto = modes.contains(&Mode::Auto) && expected != PLAN;
            assert_eq!(ended.seats().contains(&Seat::Classify), auto, "{modes:?}");
            assert_eq!(disposition(&ended.finished()), expected, "{modes:?}");
        }
    }
}

#[test]
fn the_farthest_ancestor_counts_as_the_nearest() {
    let rows = [
        (
            Mode::Bypass,
            Mode::Bypass,
            Mode::Default,
            "deny ask_resolution",
        ),
        (Mode::Bypass, Mode::Bypass, Mode::DontAsk, "deny mode"),
        (
            Mode::Auto,
            Mode::Bypass,
            Mode::AcceptEdits,
            "deny ask_resolution",
        ),
        (Mode::Auto, Mode::Bypass, Mode::Auto, "allow classifier"),
        (
            Mode::AcceptEdits,
            Mode::Bypass,
            Mode::AcceptEdits,
            "allow mode",
        ),
    ];
    for (caller, near, far, expected) in rows {
        for ancestors in [[near, far], [far, near]] {
            let finished = ask_of(caller, &ancestors).finish();
            assert_eq!(disposition(&finished), expected, "{caller} {ancestors:?}");
        }
    }
}

/// Source: G026.
#[test]
fn a_release_names_the_callers_mode() {
    for (caller, mode) in [
        (Mode::Bypass, ReleasingMode::Bypass),
        (Mode::AcceptEdits, ReleasingMode::AcceptEdits),
    ] {
        for ancestor in [Mode::Bypass, Mode::AcceptEdits] {
            let finished = ask_of(caller, &[ancestor]).finish();
            let past_read_deny = false;
            let release = ModeRelease {
                mode,
                past_read_deny,
            };
            assert_eq!(finished.outcome().released(), Some(release));
        }
    }
}

#[test]
fn an_ancestors_classifier_that_blocks_or_does_not_rule_counts() {
    let rows = [
        (ClassifierRuling::Block, None),
        (
            ClassifierRuling::Unavailable,
            Some(ClassifierCause::Unavailable),
        ),
        (
            ClassifierRuling::ParseError,
            Some(ClassifierCause::ParseError),
        ),
    ];
    for (ruling, cause) in rows {
        for caller in [Mode::Default, Mode::AcceptEdits, Mode::Bypass] {
            let case = Case::new().mode(caller).ancestor(Mode::Auto);
            let finished = case.says(rules_that(ruling)).finish();
            assert_eq!(
                account(&finished),
                "deny classifier; asked by unstated; told permission_denied classifier",
                "{caller} {ruling}"
            );
            assert_eq!(finished.outcome().cause(), cause, "{ruling}");
        }
    }
}

/// An ancestor's block is not answered by the sandbox either.
#[test]
fn a_classifier_that_may_not_clear_the_call_bars_everybody_but_a_person() {
    let case = Case::new().mode(Mode::Auto).ancestor(Mode::Default);
    let case = case
        .facts(SHELL)
        .says(Answer::Sandbox(Ok(Sandbox::Admitted(None))));
    let case = case.says(rules_that(ClassifierRuling::Allow));
    let ended = case.resolves(Resolved::YES).run();
    assert_eq!(
        ended.seats(),
        [Seat::Describe, Seat::Classify, Seat::Resolve]
    );
    let finished = ended.finished();
    assert_eq!(
        account(&finished),
        "allow ask_resolution; asked by unstated, classifier; settled yes person"
    );
    let origin = finished.record().fields().asked.clone().unwrap().origin;
    assert_eq!(origin, Some(AskOrigin::Unstated), "it keeps the ask's own");
}

#[test]
fn the_questions_name_the_caller_and_then_its_ancestors_nearest_first() {
    let named = |agent: &str, mode, lock| Member {
        agent: Some(agent.into()),
        mode,
        lock,
    };
    let case = Case::new().policy(STATED).mode(Mode::Bypass);
    let case = case.with(|input| {
        let input = input
            .agent("child")
            .ancestor(named("parent", Mode::Auto, false));
        input.ancestor(named("root", Mode::Default, false))
    });
    let pass = case.run_to(Seat::Adjudicate);
    let Question::Adjudicate(question) = pass.question() else {
        panic!("the seat is adjudicate")
    };
    let members = [
        named("child", Mode::Bypass, false),
        named("parent", Mode::Auto, false),
        named("root", Mode::Default, false),
    ];
    assert_eq!(*question.members, members);
}

#[test]
fn a_deny_or_ask_for_an_ancestor_counts_as_one_for_the_caller() {
    let silent = || judged(Form::Current, 0, OrgRuling::None);
    let case = || Case::new().policy(STATED).ancestor(Mode::Default);
    let rows = [
        (OrgRuling::Deny, "deny org; told permission_denied org"),
        (
            OrgRuling::Ask,
            "deny ask_resolution; asked by org; settled unanswered nobody; \
             told permission_denied ask_resolution",
        ),
        (OrgRuling::None, "allow policy"),
    ];
    for (ruling, expected) in rows {
        let judgements = vec![silent(), judged(Form::Current, 1, ruling)];
        let finished = case().says(Answer::Org(Ok(judgements))).finish();
        assert_eq!(account(&finished), expected);
    }
}
