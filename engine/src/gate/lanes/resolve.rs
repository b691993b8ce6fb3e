//! Station 21: whoever can be asked is asked. Source: G041–G051.

use crate::faults::fault;
use crate::gate::args::{Args, NewArgs};
use crate::gate::ledger::SettledFor;
use crate::gate::seats::{
    NoAnswer, Question, Reply, Resolution, ResolveQuestion, Resolved, Seat, SeatFailure,
};
use crate::gate::settlement::Settlement;
use crate::gate::state::{Flow, State};
use crate::gate::station::Station;
use crate::gate::text::Text;
use crate::gate::words::{AllowedBy, AskOrigin, DeniedBy, SettledAnswer, Unanswered};

/// A resolver's answer as it is read: how it settles, the words with it, and args to run instead.
struct Shown {
    settlement: Settlement,
    reason: Option<Text>,
    edit: Option<Args>,
    /// There was an edit, and its text is not args.
    unusable: bool,
}

impl Shown {
    const fn unanswered(why: Unanswered) -> Self {
        Self {
            settlement: Settlement::unanswered(why),
            reason: None,
            edit: None,
            unusable: false,
        }
    }

    /// What a yes would run; nothing, if the edited args cannot be read.
    const fn would_run<'a>(&'a self, current: &'a Args) -> Option<&'a Args> {
        match &self.edit {
            _ if self.unusable => None,
            Some(edit) => Some(edit),
            None => Some(current),
        }
    }

    /// The attested settlement in place of the shown one, over the same args. Words that came with
    /// another ending say nothing about this one.
    fn outranked_by(mut self, attested: Settlement) -> Self {
        if self.settlement != attested {
            self.reason = None;
        }
        self.settlement = attested;
        match self.settlement.answer {
            SettledAnswer::Yes => self.settlement.edited = self.edit.is_some(),
            SettledAnswer::No | SettledAnswer::Unanswered => self.edit = None,
        }
        self
    }
}

pub(in crate::gate) fn open(state: &mut State) -> Flow {
    if !state.is_ask() || (fault!(AskReachesTheExit) && !state.is_wired(Seat::Resolve)) {
        return Flow::To(Station::Exit);
    }
    let unasked = fault!(EditedCallAsksNobody) && state.is_edit_round();
    if (state.is_wired(Seat::Resolve) && !unasked) || *state.cells.resumed() {
        return Flow::Ask(question(state));
    }
    let args = state.cells.args().clone();
    conclude(state, &args, Shown::unanswered(Unanswered::Nobody))
}

/// The question, also as a resumed pass asks it.
pub(in crate::gate) fn question(state: &mut State) -> Question {
    let ask = state.ask_question();
    let alone = ask
        .askers
        .iter()
        .all(|asker| asker.cause.origin() == Some(AskOrigin::ShellRead));
    Question::Resolve(ResolveQuestion {
        ask,
        offer: state
            .cells
            .offer()
            .clone()
            .filter(|_| alone || fault!(OfferRidesAlong)),
        shown: *state.cells.shown(),
        park_failed: state.cells.park_failed().clone(),
        resumed: *state.cells.resumed(),
    })
}

pub(in crate::gate) fn answered(
    state: &mut State,
    question: &ResolveQuestion,
    reply: Reply<Resolution>,
) -> Flow {
    let current = &question.ask.args;
    let resolution = match reply {
        Ok(resolution) => resolution,
        Err(failure) => {
            state.seat_failed(Seat::Resolve, &failure);
            let why = match failure {
                SeatFailure::Threw(_) => Unanswered::Failed,
                SeatFailure::TimedOut => Unanswered::Timeout,
                SeatFailure::Aborted => Unanswered::Aborted,
            };
            return conclude(state, current, Shown::unanswered(why));
        }
    };
    let shown = read(current, resolution.shown);
    let would_run = shown.would_run(current).cloned();
    let attested = resolution
        .attested
        .and_then(|id| state.attested_settlement(id, would_run.as_ref()))
        .filter(|_| !fault!(ShownOutranksAttested));
    match attested {
        Some((settled, given_for)) => settle(
            state,
            shown.outranked_by(settled.settlement),
            SettledFor::Digest(given_for),
        ),
        None => conclude(state, current, shown),
    }
}

/// What the resolver shows. Edited args that cannot be read are no answer.
fn read(current: &Args, resolved: Resolved) -> Shown {
    match resolved {
        Resolved::No { by, reason } => {
            let settlement = Settlement::no(by.into());
            Shown {
                settlement,
                reason,
                edit: None,
                unusable: false,
            }
        }
        Resolved::Unanswered(why) => Shown::unanswered(match why {
            NoAnswer::Timeout => Unanswered::Timeout,
            NoAnswer::Nobody => Unanswered::Nobody,
            NoAnswer::Failed => Unanswered::Failed,
        }),
        Resolved::Yes { by, edit, remember } => {
            let edit = match edit.as_ref().map(NewArgs::read).transpose() {
                Ok(edit) => edit.filter(|args| args != current),
                Err(error) => {
                    let reason = alloc::format!("the edited args cannot be used: {error}");
                    let mut shown = Shown::unanswered(Unanswered::Failed);
                    shown.reason = Some(reason.into());
                    shown.unusable = true;
                    return shown;
                }
            };
            let mut settlement = Settlement::yes(by.into());
            settlement.edited = edit.is_some();
            settlement.grant = remember;
            Shown {
                settlement,
                reason: None,
                edit,
                unusable: false,
            }
        }
    }
}

fn conclude(state: &mut State, current: &Args, shown: Shown) -> Flow {
    let given_for = SettledFor::Args(shown.edit.as_ref().unwrap_or(current).clone());
    settle(state, shown, given_for)
}

fn settle(state: &mut State, shown: Shown, given_for: SettledFor) -> Flow {
    let Shown {
        settlement,
        reason,
        edit,
        ..
    } = shown;
    let refused = settlement.is_refusal();
    let origin = state.origin();
    let round = state.round();
    state
        .cells
        .ledger_mut()
        .from_resolved(settlement, origin, given_for, round);
    if refused {
        return state.deny(DeniedBy::AskResolution, reason, None);
    }
    if edit.is_some() {
        state.edit = edit;
        return Flow::Next;
    }
    if fault!(ApprovalRunsTheModelsArgs) {
        let base = state.cells.base().clone();
        state.cells.set_args(base);
    }
    state.allow_and_exit(AllowedBy::AskResolution)
}
