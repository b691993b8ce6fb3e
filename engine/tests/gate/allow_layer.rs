//! The allow layer of station 14: a stored rule, a hook's allow, the reader. Source: G108–G110,
//! G126, G127, G130.

use super::answers::*;
use super::case::*;
use gatefold::gate::*;

/// Everything that asks before station 14, by the class of its bar. The policy states the call, so
/// that nothing else asks.
fn asks() -> Vec<(&'static str, Case)> {
    let stated = || Case::new().policy(STATED);
    let reversible = Reversibility::Reversible;
    vec![
        ("open", Case::new()),
        ("unread", Case::new().says(probed(reversible, true))),
        ("unread", stated().says(reads(ShellFinding::Declined))),
        (
            "undoable",
            stated().says(probed(Reversibility::Irreversible, false)),
        ),
        (
            "reach",
            stated().says(Answer::Egress(Ok(Egress::Outside(None)))),
        ),
        (
            "mandated",
            stated().says(probed(Reversibility::OutOfRoot, false)),
        ),
        (
            "mandated",
            stated().says(reads(ShellFinding::OutOfRoot(None))),
        ),
        (
            "mandated",
            stated().says(reads(ShellFinding::Unestablishable(None))),
        ),
        (
            "mandated",
            stated().says(Answer::WriteJudge(Ok(WriteProtection::Matched))),
        ),
        (
            "person_only",
            stated().says(Answer::WriteJudge(Ok(WriteProtection::Unresolved))),
        ),
        (
            "person_only",
            stated().says(Answer::failed(Seat::Probe, SeatFailure::TimedOut)),
        ),
        ("person_only", Case::new().policy(PolicyRuling::Ask)),
        ("person_only", stated().org(OrgRuling::Ask)),
    ]
}

/// Adds what clears an ask.
type Clearing = fn(Case) -> Case;

fn stored(case: Case) -> Case {
    let grant = Some("g1".into());
    case.rules(RuleRuling::Allow { grant })
}

fn hook_allows(case: Case) -> Case {
    case.guard("g").hooks(&[("g", said(HookDecision::Allow))])
}

fn only_reads(case: Case) -> Case {
    let facts = Facts {
        read_only: ReadOnly::Yes,
        ..Facts::UNKNOWN
    };
    case.facts(facts)
}

/// Which of the three a class bars: stored rule, hook's allow, read-only reader.
fn cleared_by(class: &str) -> [bool; 3] {
    match class {
        "open" => [true, true, true],
        "unread" | "undoable" | "reach" => [true, true, false],
        "mandated" | "person_only" => [false, false, false],
        class => panic!("no class {class}"),
    }
}

/// Source: G126, G127, G130.
#[test]
fn each_of_the_three_clears_an_ask_unless_a_cause_bars_it() {
    let three: [(&str, Clearing); 3] = [
        ("allow stored_rule", stored),
        ("allow hook", hook_allows),
        ("allow read_only", only_reads),
    ];
    for (class, case) in asks() {
        for ((allow, with), cleared) in three.into_iter().zip(cleared_by(class)) {
            let finished = with(case.clone()).finish();
            let causes = causes(&finished.record());
            let expected = if cleared {
                allow
            } else {
                "deny ask_resolution"
            };
            assert_eq!(disposition(&finished), expected, "{class} {causes:?}");
            assert!(
                !causes.is_empty(),
                "{class}: the record still names the askers"
            );
        }
    }
}

#[test]
fn the_stored_rule_goes_before_the_hook_and_the_hook_before_the_reader() {
    let case = Case::new;
    let rows = [
        (only_reads(hook_allows(stored(case()))), "allow stored_rule"),
        (only_reads(hook_allows(case())), "allow hook"),
        (only_reads(case()), "allow read_only"),
        (only_reads(stored(case())), "allow stored_rule"),
        (hook_allows(stored(case())), "allow stored_rule"),
        (case(), "deny ask_resolution"),
    ];
    for (case, expected) in rows {
        assert_eq!(disposition(&case.finish()), expected);
    }
}

#[test]
fn a_stored_rule_that_says_nothing_leaves_the_ask_to_the_next() {
    let silent = Case::new().rules(RuleRuling::None);
    let finished = hook_allows(silent).finish();
    assert_eq!(account(&finished), "allow hook; asked by unstated");
}

/// Rules that cannot be read bar all three.
#[test]
fn unreadable_rules_bar_the_whole_layer() {
    let case = Case::new().says(Answer::failed(Seat::Rules, SeatFailure::TimedOut));
    let finished = only_reads(hook_allows(case)).finish();
    assert_eq!(
        account(&finished),
        "deny ask_resolution; asked by unstated, rules_unreadable; settled unanswered nobody; \
         told seat_failed rules, rules_unreadable, permission_denied ask_resolution"
    );
}

#[test]
fn the_layer_stands_over_an_ask_and_leaves_an_allow_as_it_is() {
    let case = only_reads(hook_allows(stored(Case::new().policy(STATED))));
    let finished = case.finish();
    assert_eq!(account(&finished), "allow policy");
    assert_eq!(finished.grant(), None);
    let unstated = Case::new().with(|input| input.unstated(Unstated::Allow));
    assert_eq!(account(&stored(unstated).finish()), "allow default");
}

#[test]
fn each_allow_has_the_basis_of_whoever_gave_it() {
    let allow = RuleRuling::Allow {
        grant: Some("g1".into()),
    };
    let judgement = Judgement {
        basis: Some(basis("Bash(make:*)")),
        ..judgement(allow)
    };
    let case = Case::new().says(Answer::Rules(Ok(vec![judgement])));
    let finished = case.finish();
    assert_eq!(finished.grant(), Some(&"g1".into()));
    let rule = finished.record().fields().basis.clone().unwrap().rule;
    assert_eq!(rule, "Bash(make:*)".into());

    let finished = hook_allows(Case::new()).finish();
    assert_eq!(finished.grant(), None);
    let basis = finished.record().fields().basis.clone().unwrap();
    assert_eq!((basis.layer, basis.list), ("hook".into(), "allow".into()));
    assert_eq!(basis.rule, "g".into());

    let finished = only_reads(Case::new()).finish();
    assert_eq!(finished.record().fields().basis, None);
}

/// Source: G109.
#[test]
fn a_hooks_allow_is_dropped_when_the_policy_rewrote_what_it_allowed() {
    let unstated_rewrite = |rewrite| hook_allows(Case::new()).says(policy(UNSTATED, rewrite));
    let rows = [
        (None, "allow hook; asked by unstated"),
        (Some(ASKED), "allow hook; asked by unstated"),
        (
            Some(OTHER),
            "deny ask_resolution; asked by unstated; settled unanswered nobody; \
             told permission_denied ask_resolution",
        ),
    ];
    for (rewrite, expected) in rows {
        let finished = unstated_rewrite(rewrite).finish();
        assert_eq!(account(&finished), expected, "{rewrite:?}");
    }
    // What a stored rule says is of the rewritten args, and still clears the ask.
    let finished = stored(unstated_rewrite(Some(OTHER))).finish();
    assert_eq!(account(&finished), "allow stored_rule; asked by unstated");
    assert_eq!(finished.args_to_run(), Some(&args(OTHER)));
}

/// A policy cannot bring an allow back that its first rewrite dropped.
#[test]
fn a_hooks_allow_of_its_own_rewrite_is_dropped_when_the_policy_rewrites_it_back() {
    let case = Case::new().guard("g");
    let case = case.hooks(&[("g", rewrites(HookDecision::Allow, OTHER))]);
    let finished = case.says(policy(UNSTATED, Some(ASKED))).finish();
    assert_eq!(disposition(&finished), "deny ask_resolution");
}

/// The facts are those of what would run. Source: G104.
#[test]
fn the_reader_speaks_of_the_args_that_the_policy_rewrote() {
    let facts = |read_only| Facts {
        read_only,
        ..Facts::UNKNOWN
    };
    let rows = [
        (ReadOnly::Yes, ReadOnly::Yes, "allow read_only"),
        (ReadOnly::No, ReadOnly::Yes, "allow read_only"),
        (ReadOnly::Yes, ReadOnly::No, "deny ask_resolution"),
        (ReadOnly::Yes, ReadOnly::Unknown, "deny ask_resolution"),
    ];
    for (before, after, expected) in rows {
        let case = Case::new().facts(facts(before)).facts(facts(after));
        let finished = case.says(policy(UNSTATED, Some(OTHER))).finish();
        assert_eq!(disposition(&finished), expected, "{before} {after}");
    }
}

#[test]
fn the_layer_says_nothing_of_an_edited_call() {
    let case = only_reads(hook_allows(stored(
        Case::new().policy(PolicyRuling::Ask).policy(UNSTATED),
    )));
    let finished = case.resolves(edits(OTHER)).finish();
    assert_eq!(
        account(&finished),
        "allow ask_resolution; asked by policy; settled yes person"
    );
    let asks_again = only_reads(hook_allows(stored(Case::new().policy(PolicyRuling::Ask))));
    let case = asks_again.resolves(edits(OTHER)).resolves(Resolved::NO);
    let finished = case.finish();
    assert_eq!(
        account(&finished),
        "deny ask_resolution; asked by policy, policy, edit; settled no person; \
         told settlement_superseded, permission_denied ask_resolution"
    );
}
