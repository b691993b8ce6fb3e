//! Folding the receipts of one screening. Source: G066–G080, G105–G110, G136–G139.

use super::case::*;
use gatefold::gate::*;
use gatefold::limits::TEXT_BYTES_MAX;

const NONE: HookDecision = HookDecision::None;
const ALLOW: HookDecision = HookDecision::Allow;
const ASK: HookDecision = HookDecision::Ask;
const DENY: HookDecision = HookDecision::Deny;
const OUT_OF_CONTRACT: HookDecision = HookDecision::OutOfContract;

/// A call that runs unless somebody objects, with two guards.
fn guards() -> Case {
    let input = Case::new().with(|input| input.unstated(Unstated::Allow));
    input.guard("a").guard("b")
}

/// A call that is an ask which nobody answers, with one guard.
fn guard() -> Case {
    Case::new().guard("a")
}

fn threw() -> HookOutcome {
    HookOutcome::Threw("boom".into())
}

fn malformed() -> HookOutcome {
    HookOutcome::Malformed("no receipt".into())
}

fn adds(context: &str) -> HookOutcome {
    let plain = HookAnswer::plain(NONE);
    HookOutcome::Answered(HookAnswer {
        context: Some(context.into()),
        ..plain
    })
}

fn because(decision: HookDecision, reason: &str) -> HookOutcome {
    let plain = HookAnswer::plain(decision);
    HookOutcome::Answered(HookAnswer {
        reason: Some(reason.into()),
        ..plain
    })
}

fn texts(finished: &Finished) -> Vec<&str> {
    let texts = finished.notices().iter();
    texts
        .filter_map(|notice| notice.text.as_ref().map(Text::as_str))
        .collect()
}

#[test]
fn an_observer_counts_for_nothing_whatever_it_says_or_however_it_fails() {
    let everything = HookOutcome::Answered(HookAnswer {
        decision: DENY,
        reason: Some("never".into()),
        rewrite: Some(OTHER.into()),
        context: Some("psst".into()),
    });
    let rows = [
        (said(NONE), "observer_answered", "none"),
        (said(ALLOW), "observer_answered", "allow"),
        (said(ASK), "observer_answered", "ask"),
        (said(DENY), "observer_answered", "deny"),
        (
            said(OUT_OF_CONTRACT),
            "observer_answered",
            "out_of_contract",
        ),
        (
            everything,
            "observer_answered",
            r#"deny: never; rewrite {"command":"make -n install"}; context psst"#,
        ),
        (
            rewrites(ASK, "not args"),
            "observer_answered",
            "ask; a rewrite that cannot be read: args are not json at line 1 column 2",
        ),
        (threw(), "hook_failed", "threw: boom"),
        (HookOutcome::TimedOut, "hook_failed", "timed out"),
        (malformed(), "hook_failed", "malformed: no receipt"),
    ];
    for (outcome, word, text) in rows {
        let case = guards().observer("o");
        let silent = [("a", said(NONE)), ("b", said(NONE))];
        let mut receipts = silent.to_vec();
        receipts.push(("o", outcome.clone()));
        let ended = case.hooks(&receipts).run();
        assert_eq!(ended.seats(), [Seat::Hook], "{outcome:?}");
        let finished = ended.finished();
        let expected = format!("allow default; told {word} o");
        assert_eq!(account(&finished), expected, "{outcome:?}");
        assert_eq!(texts(&finished), [text], "{outcome:?}");
        assert_eq!(finished.notices()[0].audience, Audience::Deployment);
        assert_eq!(finished.args_to_run(), Some(&args(ASKED)), "{outcome:?}");
        assert!(finished.context().is_empty(), "{outcome:?}");
    }
}

/// Source: G108.
#[test]
fn an_observers_allow_clears_no_ask() {
    let finished = Case::new()
        .observer("o")
        .hooks(&[("o", said(ALLOW))])
        .finish();
    let expected = "deny ask_resolution; asked by unstated; settled unanswered nobody; \
                    told observer_answered o, permission_denied ask_resolution";
    assert_eq!(account(&finished), expected);
}

/// Source: G075, G080, G136–G139.
#[test]
fn a_deny_goes_before_a_failure_and_a_failure_before_two_rewrites() {
    const A: &str = "deny engine";
    const B: &str = "deny hook";
    let other = || rewrites(NONE, OTHER);
    let third = || rewrites(NONE, THIRD);
    let rows: Vec<(HookOutcome, HookOutcome, &str, &str)> = vec![
        (said(DENY), said(NONE), B, ""),
        (said(NONE), said(DENY), B, ""),
        (said(ALLOW), said(DENY), B, ""),
        (said(ASK), said(DENY), B, ""),
        (said(DENY), threw(), B, "hook_failed b"),
        (threw(), said(DENY), B, "hook_failed a"),
        (HookOutcome::TimedOut, said(DENY), B, "hook_failed a"),
        (malformed(), said(DENY), B, "hook_failed a"),
        (said(OUT_OF_CONTRACT), said(NONE), B, ""),
        (threw(), said(OUT_OF_CONTRACT), B, "hook_failed a"),
        (said(OUT_OF_CONTRACT), said(ALLOW), B, ""),
        (threw(), said(NONE), A, "hook_failed a"),
        (said(NONE), HookOutcome::TimedOut, A, "hook_failed b"),
        (malformed(), said(ALLOW), A, "hook_failed a"),
        (said(ASK), threw(), A, "hook_failed b"),
        (other(), threw(), A, "hook_failed b"),
        (threw(), malformed(), A, "hook_failed a, hook_failed b"),
        (other(), third(), B, ""),
        (rewrites(ALLOW, OTHER), rewrites(ASK, THIRD), B, ""),
        (other(), rewrites(DENY, THIRD), B, "rewrite_ignored b"),
    ];
    for (a, b, expected, told) in rows {
        let row = format!("{a:?} and {b:?}");
        let ended = guards().hooks(&[("a", a), ("b", b)]).run();
        assert_eq!(ended.seats(), [Seat::Hook], "{row}");
        let finished = ended.finished();
        // Exit A tells the deny observer, and exit B does not.
        let (exit, denied) = match expected {
            A => (ExitKind::EngineFailClosed, "permission_denied engine"),
            _ => (ExitKind::HookDeny, ""),
        };
        let told: Vec<_> = [told, denied]
            .into_iter()
            .filter(|t| !t.is_empty())
            .collect();
        let told = match told.as_slice() {
            [] => String::new(),
            told => format!("; told {}", told.join(", ")),
        };
        assert_eq!(account(&finished), format!("{expected}{told}"), "{row}");
        assert_eq!(finished.exit(), exit, "{row}");
        assert_eq!(finished.denied_at(), Some(Station::Hook), "{row}");
        assert_eq!(finished.args_to_run(), None, "{row}");
    }
}

#[test]
fn two_different_rewrites_are_refused_by_both_names() {
    let differ = [("b", rewrites(NONE, THIRD)), ("a", rewrites(NONE, OTHER))];
    let finished = guards().hooks(&differ).finish();
    assert_eq!(
        finished.reason().unwrap(),
        "the PreToolUse hooks `a` and `b` rewrote the args differently"
    );
    let basis = finished.record().fields().basis.clone().unwrap();
    assert_eq!((basis.list.as_str(), basis.rule.as_str()), ("rewrite", "b"));
}

/// Source: G077, G079.
#[test]
fn the_model_reads_which_hook_it_was_under_the_legs_mark() {
    let marked = || guards().with(|input| input.leg("[leg]"));
    let rows = [
        (
            because(DENY, "no network"),
            "[leg] the PreToolUse hook `a` denied this call: no network",
        ),
        (said(DENY), "[leg] the PreToolUse hook `a` denied this call"),
        (
            because(OUT_OF_CONTRACT, "`maybe`"),
            "[leg] the PreToolUse hook `a` gave an out-of-contract answer: `maybe`",
        ),
        (
            threw(),
            "[leg] the PreToolUse hook `a` gave no usable answer: threw: boom",
        ),
        (
            malformed(),
            "[leg] the PreToolUse hook `a` gave no usable answer: malformed: no receipt",
        ),
    ];
    for (outcome, expected) in rows {
        let receipts = [("a", outcome), ("b", said(NONE))];
        let finished = marked().hooks(&receipts).finish();
        assert_eq!(finished.reason().unwrap(), expected);
    }
}

#[test]
fn a_rewrite_equal_to_the_args_is_none_however_it_is_spelled() {
    let spelled = r#" { "command" : "make \u0069nstall" } "#;
    for rewrite in [ASKED, spelled] {
        let same = [
            ("a", rewrites(NONE, rewrite)),
            ("b", rewrites(NONE, rewrite)),
        ];
        let ended = guards().hooks(&same).run();
        assert_eq!(ended.seats(), [Seat::Hook], "{rewrite}");
        assert_eq!(account(&ended.finished()), "allow default", "{rewrite}");
        // Beside a real rewrite it is no second one.
        let one = [("a", rewrites(NONE, rewrite)), ("b", rewrites(NONE, OTHER))];
        let again = [("a", said(NONE)), ("b", said(NONE))];
        let finished = guards().hooks(&one).hooks(&again).finish();
        assert_eq!(account(&finished), "allow default", "{rewrite}");
        assert_eq!(finished.args_to_run(), Some(&args(OTHER)), "{rewrite}");
    }
}

#[test]
fn two_equal_rewrites_are_one() {
    let spelled = r#"{"command": "make -n install"}"#;
    let equal = [("a", rewrites(NONE, OTHER)), ("b", rewrites(NONE, spelled))];
    let again = [("a", said(NONE)), ("b", said(NONE))];
    let ended = guards().hooks(&equal).hooks(&again).run();
    assert_eq!(ended.seats(), [Seat::Hook, Seat::Hook]);
    assert_eq!(ended.finished().args_to_run(), Some(&args(OTHER)));
}

/// Source: G075.
#[test]
fn a_rewrite_that_is_no_args_is_out_of_contract() {
    let deep = format!(r#"{{"a":{}1{}}}"#, "[".repeat(64), "]".repeat(64));
    let rows = [
        ("", "not json"),
        ("{", "not json"),
        ("[1]", "not a json object"),
        (r#""text""#, "not a json object"),
        (r#"{"a":1,"\u0061":2}"#, "stands twice"),
        (r#"{"a":"\ud800"}"#, "surrogate"),
        (&deep, "nested deeper"),
    ];
    for (rewrite, why) in rows {
        for decision in [NONE, ALLOW, ASK, OUT_OF_CONTRACT] {
            let receipts = [("a", rewrites(decision, rewrite)), ("b", said(NONE))];
            let finished = guards().hooks(&receipts).finish();
            assert_eq!(account(&finished), "deny hook", "{rewrite} {decision}");
            let reason = finished.reason().unwrap();
            assert!(reason.contains("out-of-contract answer"), "{reason}");
            assert!(reason.contains(why), "{rewrite}: {reason}");
        }
    }
}

#[test]
fn a_rewrite_beside_a_hooks_own_deny_is_ignored_with_a_notice() {
    for rewrite in [OTHER, "not args"] {
        let finished = guard().hooks(&[("a", rewrites(DENY, rewrite))]).finish();
        assert_eq!(account(&finished), "deny hook; told rewrite_ignored a");
        assert!(finished.reason().unwrap().ends_with("denied this call"));
    }
}

/// Source: G076, G106, G108.
#[test]
fn ask_goes_before_allow_and_allow_before_no_opinion() {
    let rows = [
        (NONE, NONE, "deny ask_resolution; asked by unstated; "),
        (NONE, ALLOW, "allow hook; asked by unstated"),
        (ALLOW, ALLOW, "allow hook; asked by unstated"),
        (ASK, NONE, "deny ask_resolution; asked by hook; "),
        (ASK, ALLOW, "deny ask_resolution; asked by hook; "),
        (ALLOW, ASK, "deny ask_resolution; asked by hook; "),
        (ASK, ASK, "deny ask_resolution; asked by hook, hook; "),
    ];
    for (a, b, expected) in rows {
        let case = Case::new().guard("a").guard("b");
        let finished = case.hooks(&[("a", said(a)), ("b", said(b))]).finish();
        let account = account(&finished);
        assert!(account.starts_with(expected), "{a} {b}: {account}");
    }
}

/// Every guard that asks is an asker of its own, in declared order. Source: G106.
#[test]
fn every_guard_that_asks_is_named_in_declared_order() {
    let receipts = [("b", because(ASK, "of b")), ("a", because(ASK, "of a"))];
    let finished = guards().hooks(&receipts).finish();
    let asked = finished.record().fields().asked.clone().unwrap();
    let bases = asked
        .askers
        .iter()
        .map(|asker| asker.basis.clone().unwrap());
    let named: Vec<_> = bases
        .map(|basis| (basis.index, basis.list.to_string(), basis.rule.to_string()))
        .collect();
    let asks = |index, rule: &str| (index, "ask".into(), rule.into());
    assert_eq!(named, [asks(0, "a"), asks(1, "b")]);
    let reason = finished.reason().unwrap();
    assert!(reason.contains(r#"saying "of a""#), "{reason}");
    assert!(reason.contains(r#"saying "of b""#), "{reason}");
}

#[test]
fn a_screening_that_ends_the_pass_leaves_no_context() {
    for outcome in [said(DENY), threw()] {
        let finished = guards()
            .hooks(&[("a", adds("kept?")), ("b", outcome)])
            .finish();
        assert!(finished.context().is_empty());
    }
}

#[test]
fn an_over_long_reason_is_clipped_with_a_mark() {
    let long = "é".repeat(TEXT_BYTES_MAX);
    let finished = guard().hooks(&[("a", because(DENY, &long))]).finish();
    let reason = finished.reason().unwrap();
    assert!(reason.len() <= TEXT_BYTES_MAX, "{}", reason.len());
    assert!(reason.ends_with("é …[clipped]"));
    assert_eq!(account(&finished), "deny hook");
}

/// Source: G139.
#[test]
fn in_an_edit_round_both_exits_of_the_screening_are_the_common_one() {
    let rows = [
        (said(DENY), "deny hook", "told permission_denied hook"),
        (
            threw(),
            "deny engine",
            "told hook_failed a, permission_denied engine",
        ),
    ];
    for (outcome, expected, told) in rows {
        let case = guard().hooks(&[("a", said(NONE))]);
        let case = case.hooks(&[("a", outcome)]).resolves(edits(OTHER));
        let finished = case.finish();
        let expected = format!("{expected}; asked by unstated; settled yes person; {told}");
        assert_eq!(account(&finished), expected);
        assert_eq!(finished.exit(), ExitKind::Deny);
    }
}

/// Source: G067, G095.
#[test]
fn an_edit_is_screened_as_the_call_was_and_only_if_a_hook_is_wired() {
    let case = guard().observer("o").resolves(edits(OTHER));
    let silent = [("a", said(NONE)), ("o", said(NONE))];
    let ended = case.hooks(&silent).run();
    assert_eq!(ended.seats(), [Seat::Hook, Seat::Resolve, Seat::Hook]);
    let (Question::Hook(first), Question::Hook(second)) = (&ended.asked[0], &ended.asked[2]) else {
        panic!("the seats are hook")
    };
    assert_eq!((first.round, second.round), (0, 1));
    assert_eq!((first.again, second.again), (false, false));
    assert_eq!(first.hooks, second.hooks);
    assert_eq!(second.args, args(OTHER));
    let without = Case::new().resolves(edits(OTHER)).run();
    assert_eq!(without.seats(), [Seat::Resolve]);
    assert_eq!(without.finished().args_to_run(), Some(&args(OTHER)));
}
