//! Context for the model: append-only, from hooks and the sandbox, within its limit. Source: G105.

use super::answers::*;
use super::case::*;
use gatefold::gate::*;
use gatefold::limits::{CONTEXT_BYTES_MAX, TEXT_BYTES_MAX};

fn adds(context: &str) -> HookOutcome {
    let plain = HookAnswer::plain(HookDecision::None);
    HookOutcome::Answered(HookAnswer {
        context: Some(context.into()),
        ..plain
    })
}

fn shell() -> Case {
    Case::new().facts(SHELL)
}

fn admitted(note: Option<&str>) -> Answer {
    Answer::Sandbox(Ok(Sandbox::Admitted(note.map(Text::new))))
}

fn context(finished: &Finished) -> Vec<&str> {
    finished.context().iter().map(AsRef::as_ref).collect()
}

#[test]
fn the_context_of_every_round_stays_in_order() {
    let case = Case::new().guard("a").guard("b");
    let case = case.hooks(&[("a", adds("a0")), ("b", adds("b0"))]);
    let case = case.hooks(&[("a", adds("a1")), ("b", adds("b1"))]);
    let case = case.hooks(&[("a", adds("a2")), ("b", adds("b2"))]);
    let case = case.resolves(edits(OTHER)).resolves(edits(THIRD));
    let asks = [PolicyRuling::Ask, PolicyRuling::Ask, UNSTATED];
    let finished = asks.into_iter().fold(case, Case::policy).finish();
    assert_eq!(disposition(&finished), "allow ask_resolution");
    assert_eq!(finished.round(), 2);
    assert_eq!(context(&finished), ["a0", "b0", "a1", "b1", "a2", "b2"]);
}

#[test]
fn context_stays_on_a_deny_of_a_later_station() {
    let case = Case::new().guard("a").hooks(&[("a", adds("a0"))]);
    let finished = case.policy(PolicyRuling::Deny).finish();
    assert_eq!(
        account(&finished),
        "deny policy; told permission_denied policy"
    );
    assert_eq!(context(&finished), ["a0"]);
}

#[test]
fn empty_context_is_none() {
    let finished = Case::new().guard("a").hooks(&[("a", adds(""))]).finish();
    assert!(finished.context().is_empty());
}

#[test]
fn the_sandboxs_note_follows_the_hooks_context() {
    let case = shell().guard("a").hooks(&[("a", adds("a0"))]);
    let finished = case.says(admitted(Some("runs boxed"))).finish();
    assert_eq!(account(&finished), "allow sandbox; asked by unstated");
    assert_eq!(context(&finished), ["a0", "runs boxed"]);
}

#[test]
fn a_sandbox_that_says_nothing_or_does_not_take_the_call_adds_nothing() {
    for (answer, expected) in [
        (admitted(None), "allow sandbox"),
        (admitted(Some("")), "allow sandbox"),
        (Answer::Sandbox(Ok(Sandbox::Not)), "deny ask_resolution"),
    ] {
        let finished = shell().says(answer).finish();
        assert_eq!(disposition(&finished), expected);
        assert!(finished.context().is_empty());
    }
}

/// An admission that found no room is still an admission.
#[test]
fn the_sandboxs_note_is_cut_to_the_room_that_the_limit_leaves() {
    let rows = [
        (CONTEXT_BYTES_MAX - 10, "0123456789", "0123456789"),
        (CONTEXT_BYTES_MAX - 9, "0123456789", "012345678"),
        (CONTEXT_BYTES_MAX - 2, "aé", "a"),
        (CONTEXT_BYTES_MAX - 1, "é", ""),
        (CONTEXT_BYTES_MAX, "0123456789", ""),
    ];
    for (bytes, note, kept) in rows {
        let before = "x".repeat(bytes);
        let case = shell().guard("a").hooks(&[("a", adds(&before))]);
        let finished = case.says(admitted(Some(note))).finish();
        assert_eq!(disposition(&finished), "allow sandbox", "{bytes}");
        let mut expected = vec![before.as_str()];
        expected.extend(Some(kept).filter(|kept| !kept.is_empty()));
        assert_eq!(context(&finished), expected, "{bytes}");
    }
}

#[test]
fn an_over_long_note_is_clipped_with_a_mark() {
    let long = "x".repeat(TEXT_BYTES_MAX + 1);
    let finished = shell().says(admitted(Some(&long))).finish();
    let [note] = finished.context() else {
        panic!("one note")
    };
    assert_eq!(note.len(), TEXT_BYTES_MAX);
    assert!(note.ends_with(" …[clipped]"));
}

#[test]
fn the_limit_of_context_holds_over_edit_rounds() {
    let most = "x".repeat(CONTEXT_BYTES_MAX - 1);
    let case = Case::new().guard("a").hooks(&[("a", adds(&most))]);
    let case = case.resolves(edits(OTHER));
    let within = case.clone().hooks(&[("a", adds("y"))]).finish();
    assert_eq!(disposition(&within), "allow ask_resolution");
    assert_eq!(context(&within), [most.as_str(), "y"]);
    let past = case.hooks(&[("a", adds("yy"))]).finish();
    assert_eq!(
        account(&past),
        "deny engine; asked by unstated; settled yes person; \
         told hook_failed a, permission_denied engine"
    );
    assert_eq!(context(&past), [most.as_str()]);
}
