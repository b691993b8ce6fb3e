//! Stations 6 and 7: the policy's verdict over the final args, and a hook's ask over that.
//! Source: G019, G036–G057, G103, G109, G133.

use alloc::format;

use crate::faults::{self, fault};
use crate::gate::args::{Args, NewArgs};
use crate::gate::attest::AttestationId;
use crate::gate::causes::Cause;
use crate::gate::cells::{Asking, HookStanding};
use crate::gate::digest::Digest;
use crate::gate::judgements::{Folded, fold};
use crate::gate::ledger::{AttestedReading, SettledFor};
use crate::gate::notices::NoticeWord;
use crate::gate::seats::{Adjudication, Basis, JudgeQuestion, Question, Reply, Seat, SeatFailure};
use crate::gate::settlement::{SettledAsk, Settlement};
use crate::gate::state::{Flow, State, Words};
use crate::gate::station::Station;
use crate::gate::text::Text;
use crate::gate::words::{AllowedBy, AskOrigin, ClassifierCause, DeniedBy, SettledBy, Verdict};

pub(in crate::gate) fn open(state: &mut State) -> Flow {
    if state.is_wired(Seat::Adjudicate) {
        let mut question = state.judge_question();
        if fault!(PolicySeesTheModelsArgs)
            && let Some(original) = question.original.take()
        {
            question.current = original;
        }
        return Flow::Ask(Question::Adjudicate(question));
    }
    if fault!(HookAllowsEarly) && matches!(state.cells.hook(), HookStanding::Allow(_)) {
        return state.allow(AllowedBy::Hook, None, None);
    }
    state.allow(AllowedBy::Default, None, None)
}

pub(in crate::gate) fn answered(
    state: &mut State,
    question: &JudgeQuestion,
    reply: Reply<Adjudication>,
) -> Flow {
    let answer = match reply {
        Ok(answer) => answer,
        Err(failure) => return threw(state, &failure),
    };
    let folded = fold(question, &answer.judgements);
    let proposed = answer.rewrite.as_ref();
    match folded {
        Folded::Deny { reason, basis } => {
            if proposed.is_some() {
                state.notice(NoticeWord::RewriteIgnored, Some(policy()), None);
            }
            deny(state, &question.current, &answer, reason, basis)
        }
        Folded::Missing | Folded::Nothing => {
            unusable(state, &answer, "a form or member was not judged")
        }
        Folded::Ask { reason, basis } => {
            accept(state, question, &answer, Accepted::Ask { reason, basis })
        }
        Folded::Allow { stated, basis, .. } => {
            accept(state, question, &answer, Accepted::Allow { stated, basis })
        }
    }
}

/// What the policy says, when it is no deny.
enum Accepted {
    Allow {
        stated: bool,
        basis: Option<Basis>,
    },
    Ask {
        reason: Option<Text>,
        basis: Option<Basis>,
    },
}

fn policy() -> alloc::sync::Arc<str> {
    Seat::Adjudicate.word().into()
}

/// An answer that cannot be used is that of a policy that threw. What it attests is used up by
/// being shown, and counts for nothing.
fn unusable(state: &mut State, answer: &Adjudication, why: &str) -> Flow {
    for id in answer.settlement.iter().chain(&answer.round) {
        if state.look_up(*id).is_some() {
            state.attestation_ignored(*id, "the answer that bore it cannot be used");
        }
    }
    threw(state, &SeatFailure::threw(why))
}

fn threw(state: &mut State, failure: &SeatFailure) -> Flow {
    state.seat_failed(Seat::Adjudicate, failure);
    let reason = format!("the policy gave no verdict: {failure}");
    state.deny(DeniedBy::Engine, Some(reason.into()), None)
}

/// The policy's own deny: its veto over an attested yes, or the attested refusal's.
fn deny(
    state: &mut State,
    current: &Args,
    answer: &Adjudication,
    reason: Option<Text>,
    basis: Option<Basis>,
) -> Flow {
    let attested = settlement(state, answer.settlement, current);
    let cause = inherited(state, answer.round);
    match read(state, Verdict::Deny, attested) {
        AttestedReading::Refused => ask_refused(state),
        AttestedReading::Nothing | AttestedReading::Veto | AttestedReading::Stands => {
            state.cells.set_cause(cause);
            state.deny(DeniedBy::Policy, reason, basis)
        }
    }
}

/// The policy's ask or allow, over the args with its rewrite applied.
fn accept(
    state: &mut State,
    question: &JudgeQuestion,
    answer: &Adjudication,
    accepted: Accepted,
) -> Flow {
    let rewrite = match answer.rewrite.as_ref().map(NewArgs::read).transpose() {
        Ok(rewrite) => rewrite.filter(|args| *args != question.current),
        Err(error) => {
            return unusable(state, answer, &format!("its rewrite: {error}"));
        }
    };
    let would_run = rewrite.as_ref().unwrap_or(&question.current);
    let attested = settlement(state, answer.settlement, would_run);
    if !fault!(InheritedRoundForDeniesAlone) {
        inherited(state, answer.round);
    }
    if let Some(args) = &rewrite {
        state.cells.set_args(args.clone());
        if matches!(state.cells.hook(), HookStanding::Allow(_)) {
            state.cells.set_hook(HookStanding::Nothing);
        }
    }
    let flow = match accepted {
        Accepted::Allow { stated, basis } => allow(state, attested, stated, basis),
        Accepted::Ask { reason, basis } => ask(state, attested.map(|(id, ..)| id), reason, basis),
    };
    match flow {
        Flow::Next if rewrite.is_some() && !fault!(FactsOfOldArgs) => {
            state.described_again = true;
            Flow::To(Station::Describe)
        }
        Flow::Next | Flow::To(_) | Flow::Ask(_) | Flow::Suspend | Flow::Defect(_) => flow,
    }
}

/// A stated or attested allow is the policy's own; any other is what holds by default.
fn allow(state: &mut State, attested: Counted, stated: bool, basis: Option<Basis>) -> Flow {
    if stated && fault!(StatedIsSettled) {
        let yes = Settlement::yes(SettledBy::Person);
        let given_for = SettledFor::Args(state.cells.args().clone());
        let origin = Some(AskOrigin::Policy);
        state.cells.ledger_mut().set(yes, origin, given_for, 0);
    }
    let by = match read(state, Verdict::Allow, attested) {
        AttestedReading::Refused => return ask_refused(state),
        AttestedReading::Stands => AllowedBy::Policy,
        AttestedReading::Nothing | AttestedReading::Veto if stated => AllowedBy::Policy,
        AttestedReading::Nothing | AttestedReading::Veto => AllowedBy::Default,
    };
    state.allow(by, basis, None)
}

/// An ask settles nothing, whatever is attested beside it.
fn ask(
    state: &mut State,
    attested: Option<AttestationId>,
    reason: Option<Text>,
    basis: Option<Basis>,
) -> Flow {
    if let Some(id) = attested {
        state.attestation_ignored(id, "the policy asks, and an ask settles nothing");
    }
    if fault!(PolicyAskDropsYes) && state.is_edit_round() {
        state.supersede();
    }
    state.ask();
    let cause = faults::cause(Cause::Policy, reason.as_ref());
    state.object(cause, Words::said(reason, basis));
    Flow::Next
}

/// An attested settlement that counts, with the id it was shown under.
type Counted = Option<(AttestationId, SettledAsk, Digest)>;

fn settlement(state: &mut State, id: Option<AttestationId>, would_run: &Args) -> Counted {
    let id = id?;
    let (settled, given_for) = state.attested_settlement(id, Some(would_run))?;
    Some((id, settled, given_for))
}

/// Keeps an ancestor's classifier round; its cause is for a deny by the policy alone.
fn inherited(state: &mut State, id: Option<AttestationId>) -> Option<ClassifierCause> {
    let (round, cause) = state.attested_round(id?)?;
    if round.is_some() {
        state.cells.set_inherited_round(round);
    }
    cause
}

fn read(state: &mut State, verdict: Verdict, attested: Counted) -> AttestedReading {
    let round = state.round();
    if fault!(EditRoundReadsNothing) && round > 0 {
        return AttestedReading::Nothing;
    }
    attested.map_or(AttestedReading::Nothing, |(_, settled, given_for)| {
        state
            .cells
            .ledger_mut()
            .from_decision(verdict, &settled, given_for, round)
    })
}

fn ask_refused(state: &mut State) -> Flow {
    let reason = Text::new("the policy had raised the ask itself");
    state.deny(DeniedBy::AskResolution, Some(reason), None)
}

/// Station 7: each guard's ask is a cause of the call's own ask.
pub(in crate::gate) fn promote(state: &mut State) -> Flow {
    let asking = match state.cells.hook() {
        HookStanding::Ask(asking) => asking.clone(),
        HookStanding::Nothing | HookStanding::Allow(_) => return Flow::Next,
    };
    for Asking { basis, reason } in asking {
        state.object(Cause::Hook, Words::said(reason, Some(basis)));
    }
    Flow::Next
}
