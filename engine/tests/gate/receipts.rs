//! Receipts of one screening: whose they are, how often they came, and in what order. Source: G080,
//! G105.

use super::answers::*;
use super::case::*;
use gatefold::gate::*;
use gatefold::limits::CONTEXT_BYTES_MAX;

const NONE: HookDecision = HookDecision::None;
const ALLOW: HookDecision = HookDecision::Allow;
const ASK: HookDecision = HookDecision::Ask;
const DENY: HookDecision = HookDecision::Deny;

/// A call that runs unless somebody objects, with two guards.
fn guards() -> Case {
    let input = Case::new().with(|input| input.unstated(Unstated::Allow));
    input.guard("a").guard("b")
}

fn adds(context: &str) -> HookOutcome {
    with_context(NONE, context)
}

fn with_context(decision: HookDecision, context: &str) -> HookOutcome {
    let plain = HookAnswer::plain(decision);
    HookOutcome::Answered(HookAnswer {
        context: Some(context.into()),
        ..plain
    })
}

fn texts(finished: &Finished) -> Vec<&str> {
    let failures = finished.notices().iter();
    failures
        .filter(|notice| notice.notice == NoticeWord::HookFailed)
        .filter_map(|notice| notice.text.as_ref().map(Text::as_str))
        .collect()
}

#[test]
fn a_missing_receipt_is_that_hooks_throw() {
    let finished = guards().hooks(&[("a", said(NONE))]).finish();
    let expected = "deny engine; told hook_failed b, permission_denied engine";
    assert_eq!(account(&finished), expected);
    assert_eq!(texts(&finished), ["threw: there is no receipt of it"]);
    let finished = guards().hooks(&[]).finish();
    let expected = "deny engine; told hook_failed a, hook_failed b, permission_denied engine";
    assert_eq!(account(&finished), expected);
    let observer = guards().observer("o");
    let finished = observer
        .hooks(&[("a", said(NONE)), ("b", said(NONE))])
        .finish();
    assert_eq!(account(&finished), "allow default; told hook_failed o");
}

#[test]
fn a_receipt_of_a_hook_that_was_not_asked_is_misuse() {
    let of_three = ["a", "b", "c"].map(|hook| (hook, said(NONE)));
    let pass = guards().run_to(Seat::Hook);
    let misuse = pass.answer(receipts(&of_three)).unwrap_err();
    let hook = "c".into();
    assert_eq!(*misuse.kind(), MisuseKind::UnknownHook { hook });
    assert_eq!(misuse.to_string(), "hook `c` was not asked");
}

#[test]
fn the_same_receipt_twice_counts_once() {
    let receipts = [("a", adds("once")), ("b", said(NONE)), ("a", adds("once"))];
    let finished = guards().hooks(&receipts).finish();
    assert_eq!(account(&finished), "allow default");
    assert_eq!(finished.context(), ["once".into()]);
}

/// Source: G080.
#[test]
fn two_receipts_of_one_hook_that_differ_are_a_malformed_one() {
    let differ = [("a", said(ALLOW)), ("b", said(NONE)), ("a", said(NONE))];
    let finished = guards().hooks(&differ).finish();
    let expected = "deny engine; told hook_failed a, permission_denied engine";
    assert_eq!(account(&finished), expected);
    assert_eq!(texts(&finished), ["malformed: two receipts differ"]);
    // Even a deny among them is no deny of that hook's: nobody knows what it said.
    let differ = [("a", said(DENY)), ("b", said(NONE)), ("a", said(NONE))];
    let finished = guards().hooks(&differ).finish();
    assert_eq!(account(&finished), expected);
}

/// Source: G105.
#[test]
fn contexts_stand_in_declared_order_whatever_the_order_of_arrival() {
    let (a, b) = (("a", adds("of a")), ("b", adds("of b")));
    for receipts in [[a.clone(), b.clone()], [b, a]] {
        let finished = guards().hooks(&receipts).finish();
        assert_eq!(finished.context(), ["of a".into(), "of b".into()]);
    }
}

#[test]
fn context_past_its_limit_is_that_hooks_malformed_receipt() {
    let most = "x".repeat(CONTEXT_BYTES_MAX);
    let within = [("a", adds(&most)), ("b", said(NONE))];
    let finished = guards().hooks(&within).finish();
    assert_eq!(account(&finished), "allow default");
    let past = format!("{most}x");
    let rows = [
        [("a", adds(&past)), ("b", said(NONE))],
        [("a", adds(&most)), ("b", adds("x"))],
    ];
    for (receipts, hook) in rows.into_iter().zip(["a", "b"]) {
        let finished = guards().hooks(&receipts).finish();
        let expected = format!("deny engine; told hook_failed {hook}, permission_denied engine");
        assert_eq!(account(&finished), expected);
    }
    let observed = guards().observer("o");
    let receipts = [("a", said(NONE)), ("b", said(NONE)), ("o", adds(&past))];
    let finished = observed.hooks(&receipts).finish();
    assert_eq!(
        account(&finished),
        "allow default; told observer_answered o"
    );
}

/// A receipt that breaks its limit says nothing, whatever else stands in it.
#[test]
fn a_deny_with_context_past_its_limit_fails_closed_as_any_malformed_receipt() {
    let past = "x".repeat(CONTEXT_BYTES_MAX + 1);
    let receipts = [("a", with_context(DENY, &past)), ("b", said(NONE))];
    let finished = guards().hooks(&receipts).finish();
    let expected = "deny engine; told hook_failed a, permission_denied engine";
    assert_eq!(account(&finished), expected);
    assert_eq!(finished.exit(), ExitKind::EngineFailClosed);
    // Beside another guard's own deny it is a notice.
    let receipts = [("a", with_context(ALLOW, &past)), ("b", said(DENY))];
    let finished = guards().hooks(&receipts).finish();
    assert_eq!(account(&finished), "deny hook; told hook_failed a");
}

/// Everything that a screening can come to.
fn screenings() -> Vec<[HookOutcome; 3]> {
    let threw = || HookOutcome::Threw("boom".into());
    let context = |decision, context| with_context(decision, context);
    vec![
        [said(NONE), said(ALLOW), said(NONE)],
        [said(ASK), said(ASK), said(ALLOW)],
        [said(DENY), said(DENY), threw()],
        [threw(), HookOutcome::TimedOut, said(ASK)],
        [rewrites(NONE, OTHER), rewrites(NONE, THIRD), said(NONE)],
        [rewrites(NONE, OTHER), said(ALLOW), rewrites(NONE, OTHER)],
        [context(NONE, "a"), context(ALLOW, "b"), context(ASK, "c")],
    ]
}

#[test]
fn neither_the_order_of_arrival_nor_a_second_delivery_changes_anything() {
    let orders = [
        vec![0, 1, 2, 3],
        vec![3, 2, 1, 0],
        vec![2, 0, 3, 1],
        vec![1, 3, 0, 2],
        vec![0, 0, 1, 2, 3, 3],
        vec![3, 1, 2, 0, 1, 2, 3, 0],
    ];
    for outcomes in screenings() {
        let [a, b, c] = outcomes.clone();
        let all = [("a", a), ("b", b), ("c", c), ("o", said(DENY))];
        let again = ["a", "b", "c"].map(|hook| (hook, said(NONE)));
        let run = |order: &[usize]| {
            let receipts: Vec<_> = order.iter().map(|at| all[*at].clone()).collect();
            let case = Case::new().guard("a").guard("b").guard("c").observer("o");
            case.hooks(&receipts).hooks(&again).finish()
        };
        let first = run(&orders[0]);
        for order in &orders[1..] {
            let row = format!("{outcomes:?} as {order:?}");
            let finished = run(order);
            let record = finished.record().to_json();
            assert_eq!(record, first.record().to_json(), "{row}");
            assert_eq!(finished.notices(), first.notices(), "{row}");
            assert_eq!(finished.context(), first.context(), "{row}");
            assert_eq!(finished.reason(), first.reason(), "{row}");
            assert_eq!(finished.trace(), first.trace(), "{row}");
        }
    }
}
