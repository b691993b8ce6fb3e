//! A hook's rewrite, and the second screening of what it rewrote. Source: G101, G108, G109.

use super::answers::*;
use super::case::*;
use gatefold::gate::*;
use gatefold::limits::CONTEXT_BYTES_MAX;

const NONE: HookDecision = HookDecision::None;
const ALLOW: HookDecision = HookDecision::Allow;
const ASK: HookDecision = HookDecision::Ask;
const DENY: HookDecision = HookDecision::Deny;

/// A call that is an ask which nobody answers, with two guards of which one rewrites it, and what
/// the two say of what was rewritten.
fn rewritten(first: [HookOutcome; 2], second: [HookOutcome; 2]) -> Case {
    let case = Case::new().guard("a").guard("b");
    let [a, b] = first;
    let [a2, b2] = second;
    case.hooks(&[("a", a), ("b", b)])
        .hooks(&[("a", a2), ("b", b2)])
}

fn rewrite() -> HookOutcome {
    rewrites(NONE, OTHER)
}

fn adds(decision: HookDecision, context: &str, rewrite: Option<&str>) -> HookOutcome {
    let plain = HookAnswer::plain(decision);
    HookOutcome::Answered(HookAnswer {
        rewrite: rewrite.map(NewArgs::from),
        context: Some(context.into()),
        ..plain
    })
}

/// Source: G101, G103.
#[test]
fn a_rewrite_stands_before_everybody_who_is_asked_after_it() {
    let case = Case::new().guard("a").hooks(&[("a", rewrite())]);
    let case = case.facts(Facts::UNKNOWN).policy(UNSTATED);
    let ended = case.resolves(Resolved::YES).run();
    let asked: Vec<_> = ended
        .asked
        .iter()
        .map(|question| question.args().as_str())
        .collect();
    assert_eq!(asked, [ASKED, OTHER, OTHER, OTHER]);
    let finished = ended.finished();
    assert_eq!(finished.args_to_run(), Some(&args(OTHER)));
    let digests = finished.record().fields().digests.clone();
    assert_eq!(digests.asked, args(ASKED).digest());
    assert_eq!(digests.runs, Some(args(OTHER).digest()));
}

#[test]
fn the_guards_alone_are_asked_once_more_over_what_one_of_them_rewrote() {
    let case = Case::new().guard("a").observer("o").guard("b");
    let first = [("a", rewrite()), ("o", said(NONE)), ("b", said(NONE))];
    let silent = [("a", said(NONE)), ("b", said(NONE))];
    let case = case.hooks(&first).hooks(&silent);
    let ended = case.run();
    assert_eq!(ended.seats(), [Seat::Hook, Seat::Hook]);
    let Question::Hook(again) = &ended.asked[1] else {
        panic!("the seat is hook")
    };
    let ids: Vec<_> = again.hooks.iter().map(|hook| hook.id.as_str()).collect();
    assert_eq!(ids, ["a", "b"]);
    assert_eq!((again.again, again.round), (true, 0));
    assert_eq!(again.args, args(OTHER));
    // An observer is not asked, so its receipt is misuse.
    let pass = case.run_to(Seat::Hook);
    let second = need(pass.answer(receipts(&first)).unwrap());
    let misuse = second.answer(receipts(&first)).unwrap_err();
    assert_eq!(misuse.code(), "unknown_hook");
}

#[test]
fn a_lone_guard_is_not_asked_again_whatever_observes_it() {
    let case = Case::new().guard("a").observer("o").observer("p");
    let receipts = [("a", rewrite()), ("o", said(NONE)), ("p", said(NONE))];
    let ended = case.hooks(&receipts).run();
    assert_eq!(ended.seats(), [Seat::Hook]);
}

/// Source: G108.
#[test]
fn a_lone_guards_allow_clears_an_ask_over_its_own_rewrite() {
    for (decision, expected) in [
        (ALLOW, "allow hook; asked by unstated"),
        (NONE, "deny ask_resolution; asked by unstated"),
        (ASK, "deny ask_resolution; asked by hook"),
    ] {
        let case = Case::new().guard("a").observer("o");
        let finished = case
            .hooks(&[("a", rewrites(decision, OTHER)), ("o", said(NONE))])
            .finish();
        let account = account(&finished);
        assert!(account.starts_with(expected), "{decision}: {account}");
        let runs = expected.starts_with("allow").then(|| args(OTHER));
        assert_eq!(finished.args_to_run(), runs.as_ref(), "{decision}");
    }
}

#[test]
fn the_second_screening_denies_and_fails_as_the_first() {
    let threw = || HookOutcome::Threw("boom".into());
    let conflict = "the PreToolUse hook `b` rewrote args that were rewritten";
    let engine = "deny engine; told hook_failed b, permission_denied engine";
    let rows = [
        (
            said(DENY),
            "deny hook",
            "the PreToolUse hook `b` denied this call",
        ),
        (
            said(HookDecision::OutOfContract),
            "deny hook",
            "the PreToolUse hook `b` gave an out-of-contract answer: its decision is not one that a hook may make",
        ),
        (
            threw(),
            engine,
            "the PreToolUse hook `b` gave no usable answer: threw: boom",
        ),
        (
            HookOutcome::TimedOut,
            engine,
            "the PreToolUse hook `b` gave no usable answer: timed out",
        ),
        (rewrites(NONE, THIRD), "deny hook", conflict),
        (rewrites(ALLOW, THIRD), "deny hook", conflict),
        // Back to what the model asked is a further rewrite too.
        (rewrites(NONE, ASKED), "deny hook", conflict),
    ];
    for (outcome, expected, reason) in rows {
        let row = format!("{outcome:?}");
        let case = rewritten([rewrite(), said(NONE)], [said(ALLOW), outcome]);
        let ended = case.run();
        assert_eq!(ended.seats(), [Seat::Hook, Seat::Hook], "{row}");
        let finished = ended.finished();
        assert_eq!(account(&finished), expected, "{row}");
        assert_eq!(finished.reason().as_deref(), Some(reason), "{row}");
        let exit = match expected {
            "deny hook" => ExitKind::HookDeny,
            _ => ExitKind::EngineFailClosed,
        };
        assert_eq!(finished.exit(), exit, "{row}");
    }
}

#[test]
fn a_failure_of_the_second_screening_goes_before_its_further_rewrite() {
    let second = [rewrites(NONE, THIRD), HookOutcome::TimedOut];
    let finished = rewritten([rewrite(), said(NONE)], second).finish();
    assert_eq!(disposition(&finished), "deny engine");
}

#[test]
fn a_second_rewrite_to_what_already_stands_is_none() {
    let second = [rewrites(ALLOW, OTHER), said(NONE)];
    let ended = rewritten([rewrite(), said(NONE)], second).run();
    assert_eq!(ended.seats(), [Seat::Hook, Seat::Hook]);
    let finished = ended.finished();
    assert_eq!(account(&finished), "allow hook; asked by unstated");
    assert_eq!(finished.args_to_run(), Some(&args(OTHER)));
}

/// Hook A's allow does not cover hook B's rewrite. Source: G106, G109.
#[test]
fn an_ask_of_either_screening_counts_and_an_allow_only_of_the_second() {
    let allowed = "allow hook; asked by unstated";
    let unstated = "deny ask_resolution; asked by unstated; ";
    let asked = "deny ask_resolution; asked by hook; ";
    let rows = [
        (rewrites(NONE, OTHER), NONE, NONE, NONE, unstated),
        (rewrites(NONE, OTHER), ALLOW, NONE, NONE, unstated),
        (rewrites(ALLOW, OTHER), NONE, NONE, NONE, unstated),
        (rewrites(ALLOW, OTHER), ALLOW, NONE, NONE, unstated),
        (rewrites(NONE, OTHER), NONE, ALLOW, NONE, allowed),
        (rewrites(NONE, OTHER), NONE, NONE, ALLOW, allowed),
        (rewrites(ASK, OTHER), NONE, ALLOW, ALLOW, asked),
        (rewrites(NONE, OTHER), ASK, ALLOW, ALLOW, asked),
        (rewrites(NONE, OTHER), ALLOW, ASK, ALLOW, asked),
        (rewrites(NONE, OTHER), NONE, NONE, ASK, asked),
    ];
    for (a, b, a2, b2, expected) in rows {
        let row = format!("{a:?}, {b}, then {a2}, {b2}");
        let finished = rewritten([a, said(b)], [said(a2), said(b2)]).finish();
        let account = account(&finished);
        assert!(account.starts_with(expected), "{row}: {account}");
    }
}

#[test]
fn the_asks_of_both_screenings_stand_side_by_side_and_no_guard_twice() {
    let finished = rewritten([rewrite(), said(ASK)], [said(ASK), said(ASK)]).finish();
    let asked = finished.record().fields().asked.clone().unwrap();
    let rules: Vec<_> = asked
        .askers
        .iter()
        .map(|asker| asker.basis.clone().unwrap().rule)
        .collect();
    assert_eq!(rules, ["b".into(), "a".into()]);
}

/// Source: G105.
#[test]
fn contexts_of_both_screenings_stay() {
    let first = [adds(NONE, "a1", Some(OTHER)), adds(NONE, "b1", None)];
    let second = [adds(ALLOW, "a2", None), adds(NONE, "b2", None)];
    let finished = rewritten(first, second).finish();
    assert_eq!(account(&finished), "allow hook; asked by unstated");
    let context: Vec<_> = finished.context().iter().map(AsRef::as_ref).collect();
    assert_eq!(context, ["a1", "b1", "a2", "b2"]);
}

/// Source: G105.
#[test]
fn the_same_context_stands_once_whoever_adds_it_and_when() {
    let first = [adds(NONE, "same", Some(OTHER)), adds(NONE, "same", None)];
    let second = [adds(ALLOW, "same", None), adds(NONE, "", None)];
    let finished = rewritten(first, second).finish();
    let context: Vec<_> = finished.context().iter().map(AsRef::as_ref).collect();
    assert_eq!(context, ["same"]);
}

/// Source: G108.
#[test]
fn an_allow_of_args_that_are_screened_again_is_never_written() {
    let first = [rewrite(), said(ALLOW)];
    let finished = rewritten(first, [said(NONE), said(NONE)]).finish();
    let steps = finished.trace().unwrap().steps().iter();
    let written = steps.flat_map(|step| &step.wrote);
    let hooks: Vec<_> = written
        .filter(|written| written.cell == Cell::Hook)
        .map(|written| written.value.as_str())
        .collect();
    assert_eq!(hooks, ["nothing", "nothing"]);
}

#[test]
fn the_limit_of_context_holds_over_both_screenings() {
    let most = "x".repeat(CONTEXT_BYTES_MAX - 1);
    for (second, expected) in [
        ("y", "allow hook; asked by unstated"),
        (
            "yy",
            "deny engine; told hook_failed b, permission_denied engine",
        ),
    ] {
        let first = [adds(NONE, &most, Some(OTHER)), said(NONE)];
        let second = [said(NONE), adds(ALLOW, second, None)];
        let finished = rewritten(first, second).finish();
        assert_eq!(account(&finished), expected);
    }
}

#[test]
fn a_rewrite_in_an_edit_round_is_screened_again_and_asked_about() {
    use Seat::{Hook, Resolve};
    let silent = [("a", said(NONE)), ("b", said(NONE))];
    let case = Case::new().guard("a").guard("b").hooks(&silent);
    let case = case.hooks(&[("a", rewrites(ALLOW, THIRD)), ("b", said(NONE))]);
    let case = case.hooks(&silent);
    let ended = case.resolves(edits(OTHER)).resolves(Resolved::YES).run();
    assert_eq!(ended.seats(), [Hook, Resolve, Hook, Hook, Resolve]);
    let finished = ended.finished();
    assert_eq!(
        account(&finished),
        "allow ask_resolution; asked by unstated, edit; settled yes person; \
         told settlement_superseded"
    );
    assert_eq!(finished.args_to_run(), Some(&args(THIRD)));
}

/// Source: G108.
#[test]
fn an_allow_beside_a_rewrite_that_is_none_covers_the_args() {
    for guards in [&["a"][..], &["a", "b"]] {
        let case = guards.iter().fold(Case::new(), |case, id| case.guard(id));
        let outcomes = [("a", rewrites(ALLOW, ASKED)), ("b", said(NONE))];
        let ended = case.hooks(&outcomes[..guards.len()]).run();
        assert_eq!(ended.seats(), [Seat::Hook]);
        let finished = ended.finished();
        assert_eq!(account(&finished), "allow hook; asked by unstated");
    }
}

/// Whichever screening it spoke in, and whoever observes beside it.
#[test]
fn a_guard_is_named_by_its_declared_place() {
    let case = || Case::new().observer("o").guard("a").guard("b");
    let first = |b| [("o", said(NONE)), ("a", rewrite()), ("b", said(b))];
    let second = |b| [("a", said(NONE)), ("b", said(b))];
    let asked_in_the_first = case().hooks(&first(ASK)).hooks(&second(NONE));
    let asked_in_the_second = case().hooks(&first(NONE)).hooks(&second(ASK));
    let denied_in_the_first = case().hooks(&first(DENY));
    let denied_in_the_second = case().hooks(&first(NONE)).hooks(&second(DENY));
    for case in [asked_in_the_first, asked_in_the_second] {
        let asked = case.finish().record().fields().asked.clone().unwrap();
        let basis = asked.askers[0].basis.clone().unwrap();
        assert_eq!((basis.rule, basis.index), ("b".into(), 2));
    }
    for case in [denied_in_the_first, denied_in_the_second] {
        let basis = case.finish().record().fields().basis.clone().unwrap();
        assert_eq!((basis.rule, basis.index), ("b".into(), 2));
    }
}

/// Source: G136.
#[test]
fn the_hook_seat_that_fails_in_the_second_screening_fails_closed_too() {
    let told = "seat_failed hook, permission_denied engine";
    let rows = [
        (SeatFailure::threw("boom"), told),
        (SeatFailure::TimedOut, told),
        (SeatFailure::Aborted, "permission_denied engine"),
    ];
    for (failure, told) in rows {
        let case = Case::new().observer("o").guard("a").guard("b");
        let first = [("o", said(NONE)), ("a", rewrite()), ("b", said(NONE))];
        let case = case.hooks(&first).says(Answer::Hook(Err(failure.clone())));
        let finished = case.finish();
        let expected = format!("deny engine; told observer_answered o, {told}");
        assert_eq!(account(&finished), expected, "{failure}");
        assert_eq!(finished.exit(), ExitKind::EngineFailClosed, "{failure}");
    }
}
