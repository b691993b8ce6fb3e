//! Stations 13 to 15: the organisation, the persisted rules, and the allow layer over an ask that
//! survives them. Source: G044, G096–G097, G110, G123, G126–G131.

use alloc::format;
use alloc::vec::Vec;

use crate::faults::fault;
use crate::gate::causes::{Automatic, Cause};
use crate::gate::cells::HookStanding;
use crate::gate::judgements::{Folded, fold};
use crate::gate::notices::NoticeWord;
use crate::gate::seats::{
    Basis, JudgeQuestion, Judgement, OrgRuling, Question, ReadOnly, Reply, RuleRuling, Seat,
    SeatFailure,
};
use crate::gate::state::{Flow, State, Words};
use crate::gate::station::Station;
use crate::gate::text::Text;
use crate::gate::words::{AllowedBy, DeniedBy};

/// A stored allow that holds for the current args of every member.
type Stored = Option<(Option<Text>, Option<Basis>)>;

/// Station 13.
pub(in crate::gate) fn org(state: &mut State) -> Flow {
    if state.is_wired(Seat::Org) {
        return Flow::Ask(Question::Org(state.judge_question()));
    }
    Flow::Next
}

pub(in crate::gate) fn org_judged(
    state: &mut State,
    question: &JudgeQuestion,
    reply: Reply<Vec<Judgement<OrgRuling>>>,
) -> Flow {
    match reply.map(|judgements| fold(question, &judgements)) {
        Ok(Folded::Deny { reason, basis }) => {
            if fault!(OrgDeniesAtRules) {
                state.at = Station::Rules;
            }
            state.deny(DeniedBy::Org, reason, basis)
        }
        Ok(Folded::Ask { reason, basis }) => {
            state.object(Cause::Org, Words::said(reason, basis));
            Flow::Next
        }
        Ok(Folded::Nothing | Folded::Allow { .. }) => Flow::Next,
        Ok(Folded::Missing) => org_threw(state, &not_judged()),
        Err(failure) => org_threw(state, &failure),
    }
}

fn not_judged() -> SeatFailure {
    SeatFailure::threw("a form or member was not judged")
}

fn org_threw(state: &mut State, failure: &SeatFailure) -> Flow {
    state.seat_failed(Seat::Org, failure);
    let reason = format!("the organisation's layer gave no answer: {failure}");
    state.deny(DeniedBy::Engine, Some(reason.into()), None)
}

/// Station 14.
pub(in crate::gate) fn rules(state: &mut State) -> Flow {
    if state.is_wired(Seat::Rules) {
        return Flow::Ask(Question::Rules(state.judge_question()));
    }
    after_rules(state, None)
}

pub(in crate::gate) fn rules_judged(
    state: &mut State,
    question: &JudgeQuestion,
    reply: Reply<Vec<Judgement<RuleRuling>>>,
) -> Flow {
    match reply.map(|judgements| fold(question, &judgements)) {
        Ok(Folded::Deny { reason, basis }) => {
            let by = if fault!(RuleDenyBlamesOrg) {
                DeniedBy::Org
            } else {
                DeniedBy::Rule
            };
            return state.deny(by, reason, basis);
        }
        Ok(Folded::Ask { reason, basis }) => {
            state.object(Cause::Rule, Words::said(reason, basis));
        }
        Ok(Folded::Allow { grant, basis, .. }) => return after_rules(state, Some((grant, basis))),
        Ok(Folded::Nothing) => {}
        Ok(Folded::Missing) => rules_threw(state, &not_judged()),
        Err(failure) => rules_threw(state, &failure),
    }
    after_rules(state, None)
}

fn rules_threw(state: &mut State, failure: &SeatFailure) {
    state.seat_failed(Seat::Rules, failure);
    let text: Text = format!("{failure}").into();
    state.notice(NoticeWord::RulesUnreadable, None, Some(text.clone()));
    state.object(Cause::RulesUnreadable, Words::said(Some(text), None));
}

/// An edited call goes back to station 22. Otherwise a surviving ask supersedes whatever was
/// settled before it, and the allow layer may clear it.
fn after_rules(state: &mut State, stored: Stored) -> Flow {
    if state.is_edit_round() {
        return Flow::To(Station::Edit);
    }
    if !state.is_ask() {
        return Flow::Next;
    }
    state.supersede();
    allow_layer(state, stored)
}

/// Stored rule, then the hook's allow, then the reader that knows the call only reads.
fn allow_layer(state: &mut State, stored: Stored) -> Flow {
    if let Some((grant, basis)) = stored
        && !(fault!(HookBeforeStoredRule) && matches!(state.cells.hook(), HookStanding::Allow(_)))
        && !state.bars(Automatic::StoredRule)
    {
        return state.allow(AllowedBy::StoredRule, basis, grant);
    }
    if let HookStanding::Allow(basis) = state.cells.hook() {
        let basis = Some(basis.clone());
        if !state.bars(Automatic::HookAllow) {
            return state.allow(AllowedBy::Hook, basis, None);
        }
    }
    let only_reads = state
        .cells
        .facts()
        .is_some_and(|facts| facts.read_only == ReadOnly::Yes);
    if only_reads && !state.bars(Automatic::ReadOnly) {
        return state.allow(AllowedBy::ReadOnly, None, None);
    }
    Flow::Next
}

/// Station 15: a mark in the trace. From here on origin and bars are read off the causes.
pub(in crate::gate) const fn stamp(state: &mut State) -> Flow {
    let _ = state.cells.causes();
    Flow::Next
}
