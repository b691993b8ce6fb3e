//! Approvals that come with other args.

use gatefold::gate::*;

use super::Script;
use super::answers::*;

/// Parked where it first stands, edited; parked again about the edited call, edited again; and
/// parked a third time once a rewrite of the second edit was shown.
pub fn two_edits() -> Script {
    let input = wired().hook("lint", HookKind::Guard);
    let mut answers = vec![
        hooks(vec![receipt("lint", says(HookDecision::None))]),
        describe(ToolKind::Shell, false),
        policy(UNSTATED, None),
    ];
    answers.extend(no_tighten());
    answers.extend(no_layer());
    answers.extend([
        Answer::Sandbox(Ok(Sandbox::Not)),
        PARKED,
        edited(Answerer::Person, SECOND),
    ]);
    answers.extend(first_round());
    answers.extend(second_round());
    Script::new("two_edits", input, answers)
}

/// A guard asks about the edited call.
fn first_round() -> Vec<Answer> {
    let asks = HookAnswer {
        reason: Some("a dry run proves little".into()),
        context: Some("linted in round 1".into()),
        ..says(HookDecision::Ask)
    };
    let mut answers = vec![
        hooks(vec![receipt("lint", asks)]),
        describe(ToolKind::Shell, false),
        policy(STATED, None),
    ];
    answers.extend(no_tighten());
    answers.extend(no_layer());
    answers.extend([PARKED, edited(Answerer::Delegate, THIRD)]);
    answers
}

/// A guard and the policy both rewrite the edited call, so that it is shown and asked anew.
fn second_round() -> Vec<Answer> {
    let rewrites = HookAnswer {
        rewrite: Some(FOURTH.into()),
        ..says(HookDecision::Allow)
    };
    let mut answers = vec![
        hooks(vec![receipt("lint", rewrites)]),
        describe(ToolKind::Shell, false),
        policy(STATED, Some(FIFTH)),
        describe(ToolKind::Shell, true),
    ];
    answers.extend(no_tighten());
    answers.extend(no_layer());
    answers.extend([shown(FIFTH), PARKED, resolved(Resolved::YES)]);
    answers
}

/// The edited call's target is protected: the layer's veto, beside the yes.
pub fn veto_over_a_yes() -> Script {
    let input = wired().leg("[leg 1]").mode(Mode::AcceptEdits);
    let mut answers = vec![
        describe(ToolKind::Edit, true),
        policy(PolicyRuling::Ask, None),
    ];
    answers.extend(no_tighten());
    answers.extend(no_layer());
    answers.extend([
        shown(ASKED),
        Answer::Park(Ok(Parking::Failed("the disk is full".into()))),
        edited(Answerer::Person, SECOND),
        describe(ToolKind::Edit, false),
        policy(STATED, None),
        Answer::Probe(Err(SeatFailure::threw("the probe crashed"))),
        Answer::Egress(Err(SeatFailure::TimedOut)),
        Answer::ShellRead(Err(SeatFailure::TimedOut)),
        Answer::WriteJudge(Ok(WriteProtection::Matched)),
    ]);
    Script::new("veto_over_a_yes", input, answers)
}
