//! Stations 16 and 17: auto mode's classifier and the sandbox. Source: G018–G024, G120–G121.

use crate::faults::fault;
use crate::gate::causes::{Automatic, Cause};
use crate::gate::input::OnNoRuling;
use crate::gate::seats::{
    Classification, ClassifierRuling, Question, Reply, Sandbox, Seat, ToolKind,
};
use crate::gate::state::{Flow, State, Words};
use crate::gate::text::Text;
use crate::gate::words::{AllowedBy, ClassifierCause, DeniedBy, Mode};
use crate::limits::NAME_BYTES_MAX;

/// Station 16: asked if any member of the lineage is in auto mode.
pub(in crate::gate) fn classify(state: &mut State) -> Flow {
    if !state.is_ask() || !state.any_mode(Mode::Auto) || state.bars(Automatic::Classifier) {
        return Flow::Next;
    }
    if state.input.denials >= state.input.settings.denial_limit {
        let reason = Text::new("the classifier denied as often as the limit allows");
        state.object(Cause::DenialLimit, Words::said(Some(reason), None));
        return Flow::Next;
    }
    if state.is_wired(Seat::Classify) {
        return Flow::Ask(Question::Classify(state.ask_question()));
    }
    Flow::Next
}

pub(in crate::gate) fn classified(state: &mut State, reply: Reply<Classification>) -> Flow {
    let Classification {
        ruling,
        round,
        reason,
    } = reply.unwrap_or_else(|failure| {
        state.seat_failed(Seat::Classify, &failure);
        Classification {
            ruling: ClassifierRuling::Unavailable,
            round: None,
            reason: None,
        }
    });
    // An empty name, or one too long to be a name, is vouched for by nobody.
    let round = round.filter(|round| is_name(&round.asked) && is_name(&round.answered));
    let untold = fault!(RoundForDeniesAlone) && ruling == ClassifierRuling::Allow;
    if round.is_some() && !untold {
        state.cells.set_round(round);
    }
    match ruling {
        ClassifierRuling::Allow => {
            // A child never ends wider than its parent: an ancestor whose own mode would ask is
            // not answered for by the child's classifier.
            let clears = |mode| matches!(mode, Mode::Auto | Mode::Bypass);
            if state.every_member(|member| clears(member.mode)) {
                return state.allow(AllowedBy::Classifier, None, None);
            }
            objection(
                state,
                Some(Text::new(
                    "an ancestor is in no mode that a classifier serves",
                )),
            )
        }
        ClassifierRuling::Block => {
            if fault!(BlockLeavesACause) {
                state.cells.set_cause(Some(ClassifierCause::Unavailable));
            }
            state.deny(DeniedBy::Classifier, reason, None)
        }
        ClassifierRuling::Ask if fault!(ClassifierAskLeavesNoCause) => Flow::Next,
        ClassifierRuling::Ask => objection(state, reason),
        ClassifierRuling::Unavailable => no_ruling(state, ClassifierCause::Unavailable, reason),
        ClassifierRuling::ParseError => no_ruling(state, ClassifierCause::ParseError, reason),
    }
}

fn is_name(name: &str) -> bool {
    (1..=NAME_BYTES_MAX).contains(&name.len())
}

fn objection(state: &mut State, reason: Option<Text>) -> Flow {
    state.object(Cause::Classifier, Words::said(reason, None));
    Flow::Next
}

fn no_ruling(state: &mut State, cause: ClassifierCause, reason: Option<Text>) -> Flow {
    match state.input.settings.on_no_ruling {
        OnNoRuling::Ask => objection(state, reason),
        OnNoRuling::Deny => {
            state.cells.set_cause(Some(cause));
            state.deny(DeniedBy::Classifier, reason, None)
        }
    }
}

/// Station 17: a shell call that nothing bars from the sandbox.
pub(in crate::gate) fn sandbox(state: &mut State) -> Flow {
    let is_shell = state
        .cells
        .facts()
        .is_some_and(|facts| facts.kind == ToolKind::Shell);
    if is_shell
        && state.is_ask()
        && state.is_wired(Seat::Sandbox)
        && !state.bars(Automatic::Sandbox)
    {
        return Flow::Ask(Question::Sandbox(state.subject()));
    }
    Flow::Next
}

pub(in crate::gate) fn sandboxed(state: &mut State, reply: Reply<Sandbox>) -> Flow {
    let admission = reply.unwrap_or_else(|failure| {
        state.seat_failed(Seat::Sandbox, &failure);
        Sandbox::Not
    });
    match admission {
        Sandbox::Not => Flow::Next,
        Sandbox::Admitted(note) => {
            if let Some(note) = note {
                state.add_note(&note);
            }
            state.allow(AllowedBy::Sandbox, None, None)
        }
    }
}
