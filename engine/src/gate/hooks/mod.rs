//! Station 3: `PreToolUse` hooks screen the args. Source: G066–G080, G105–G108, G136–G139.

mod screening;

use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::cells::HookStanding;
use super::input::{Hook, HookKind};
use super::seats::{Basis, HookQuestion, HookReceipt, Question, Reply, Seat};
use super::state::{Flow, State};
use super::text::Text;
use super::words::DeniedBy;
use crate::faults::fault;
use screening::{Screening, Told};

pub(super) fn open(state: &mut State) -> Flow {
    let edited = fault!(EditIsScreenedByAnybody) && state.is_edit_round();
    if !state.is_wired(Seat::Hook) && !edited {
        return Flow::Next;
    }
    let hooks = Arc::clone(&state.input.hooks);
    ask(state, hooks, false)
}

fn ask(state: &mut State, hooks: Arc<[Hook]>, again: bool) -> Flow {
    let args = state.cells.args().clone();
    let round = state.round();
    Flow::Ask(Question::Hook(HookQuestion {
        args,
        round,
        hooks,
        again,
    }))
}

pub(super) fn answered(
    state: &mut State,
    question: &HookQuestion,
    reply: Reply<Vec<HookReceipt>>,
) -> Flow {
    let receipts = match reply {
        Ok(receipts) => receipts,
        Err(failure) => {
            state.seat_failed(Seat::Hook, &failure);
            if question
                .hooks
                .iter()
                .all(|hook| hook.kind == HookKind::Observer)
            {
                return Flow::Next;
            }
            let reason = format!("the PreToolUse hooks gave no answer: {failure}");
            return state.deny(DeniedBy::Engine, Some(reason.into()), None);
        }
    };
    let declared = Arc::clone(&state.input.hooks);
    let screening = Screening::fold(&declared, question, &receipts, state.cells.context());
    for Told { notice, hook, text } in &screening.told {
        state.notice(*notice, Some(hook.shared()), text.clone());
    }
    conclude(state, question, screening)
}

/// The four endings of a screening, in their order.
fn conclude(state: &mut State, question: &HookQuestion, screening: Screening) -> Flow {
    if let Some((basis, reason)) = screening.denied {
        return state.deny(DeniedBy::Hook, Some(reason), Some(basis));
    }
    if let Some(reason) = screening.failed {
        return state.deny(DeniedBy::Engine, Some(reason), None);
    }
    if let Some((basis, reason)) = screening.conflict.filter(|_| !fault!(FirstRewriteWins)) {
        return state.deny(DeniedBy::Hook, Some(reason), Some(basis));
    }
    for context in screening.contexts {
        state.cells.append_context(context);
    }
    let mut asking = match state.cells.hook() {
        HookStanding::Ask(_) if fault!(FirstScreeningAskLost) => Vec::new(),
        HookStanding::Ask(asking) => asking.clone(),
        HookStanding::Nothing | HookStanding::Allow(_) => Vec::new(),
    };
    for guard in screening.asked {
        if !asking.iter().any(|known| known.basis == guard.basis) {
            asking.push(guard);
        }
    }
    let rewrite = screening.rewrite;
    let again =
        rewrite.is_some() && state.input.guards().count() > 1 && !fault!(AllowCoversOthersRewrite);
    let standing = match screening.allowed {
        _ if !asking.is_empty() => HookStanding::Ask(asking),
        // An allow of args that another guard rewrote says nothing of the rewritten ones.
        Some(basis) if !again => HookStanding::Allow(basis),
        Some(_) | None => HookStanding::Nothing,
    };
    state.cells.set_hook(standing);
    let Some(rewrite) = rewrite else {
        return Flow::Next;
    };
    state.cells.set_args(rewrite);
    if !again {
        return Flow::Next;
    }
    let guards = question
        .hooks
        .iter()
        .filter(|hook| hook.kind == HookKind::Guard);
    ask(state, guards.cloned().collect(), true)
}

/// The engine's own account of which hook said it.
fn basis(index: usize, hook: &Hook, list: &str) -> Basis {
    Basis {
        layer: Text::new("hook"),
        file: None,
        list: Text::new(list),
        index: u32::try_from(index).unwrap_or(u32::MAX),
        rule: Text::new(hook.id.as_str()),
        part: None,
    }
}
