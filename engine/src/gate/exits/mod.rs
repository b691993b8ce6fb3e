//! Station 23: the exits, where a pass turns into a result. Source: G008–G010, G136–G142.

mod attesting;
pub(super) mod refusal;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;

use super::args::Args;
use super::attest::AttestationId;
use super::causes::Causes;
use super::input::Call;
use super::ledger::LedgerEntry;
use super::mint::{DefectCode, ExitFacts, ExitVerdict, GateOutcome, mint};
use super::notices::{Notice, NoticeWord};
use super::record::Record;
use super::seats::Card;
use super::state::State;
use super::station::Station;
use super::text::Text;
use super::trace::Trace;
use super::words::{DeniedBy, Verdict, words};
use crate::faults::fault;

words! {
    /// By which exit a pass ended.
    pub enum ExitKind {
        /// Exit A: the engine failed closed in the first screening. The deny observer is told, or
        /// the only trace of a broken hook would be a tool that stops working.
        EngineFailClosed = "engine_fail_closed",
        /// Exit B: a hook's own deny in the first screening. The deny observer is not told: the
        /// hook knows what it did.
        HookDeny = "hook_deny",
        /// Exit C: every other deny. The deny observer is told.
        Deny = "deny",
        /// The call may run; nobody is told.
        Allow = "allow",
    }
}

/// A pass that ended. Its record and its digests are made when asked for.
#[derive(Debug)]
pub struct Finished {
    state: Box<State>,
    outcome: GateOutcome,
    exit: ExitKind,
}

impl Finished {
    /// Mints the outcome of a pass that stands at its exit.
    pub(super) fn mint(mut state: Box<State>) -> Result<Self, DefectCode> {
        let verdict = match state.verdict() {
            Some(Verdict::Allow) => ExitVerdict::Allow,
            Some(Verdict::Deny) => ExitVerdict::Deny,
            Some(Verdict::Ask) | None => return Err(DefectCode::AskAtExit),
        };
        let cells = &mut state.cells;
        let settled = cells.ledger().settled().cloned();
        let outcome = mint(ExitFacts {
            verdict,
            denied_by: *cells.denied_by(),
            allowed_by: *cells.allowed_by(),
            cause: *cells.cause(),
            origin: settled.as_ref().and_then(|entry| entry.origin),
            settlement: settled.map(|entry| entry.settlement),
            released: *cells.released(),
            refused: *cells.refused(),
            classifier: cells.round().clone(),
            inherited_classifier: cells.inherited_round().clone(),
        })?;
        let exit = exit_of(&state, &outcome);
        match exit {
            ExitKind::HookDeny if !fault!(HookDenyIsTold) => {}
            ExitKind::EngineFailClosed if fault!(FailClosedIsSilent) => {}
            ExitKind::Allow => {}
            ExitKind::HookDeny | ExitKind::EngineFailClosed | ExitKind::Deny => {
                let refuser = outcome.denied_by().map(|by| Arc::from(by.word()));
                let standing = state.cells.peek().verdict.as_ref();
                let text = standing.and_then(|standing| standing.reason.clone());
                state.notice(NoticeWord::PermissionDenied, refuser, text);
            }
        }
        state.note(None);
        Ok(Self {
            state,
            outcome,
            exit,
        })
    }

    /// The one record of what was decided. Every other account is a projection of it.
    pub const fn outcome(&self) -> &GateOutcome {
        &self.outcome
    }

    /// By which exit the pass ended.
    pub const fn exit(&self) -> ExitKind {
        self.exit
    }

    /// The record `gatefold/record/v1`.
    pub fn record(&self) -> Record {
        Record::finished(&self.state, &self.outcome)
    }

    /// The args to run: on an allow and never otherwise.
    pub const fn args_to_run(&self) -> Option<&Args> {
        match self.outcome.verdict() {
            ExitVerdict::Allow => Some(&self.state.cells.peek().args),
            ExitVerdict::Deny => None,
        }
    }

    /// What the model is told beside the result.
    pub const fn context(&self) -> &[Arc<str>] {
        self.state.cells.peek().context.as_slice()
    }

    /// Why the call does not run, in words for the model; on a deny.
    pub fn reason(&self) -> Option<String> {
        refusal::reason(&self.state, &self.outcome)
    }

    /// What the shell reader found, on a refusal that it is behind. The card of an outright
    /// refusal wins over that of an ask. Source: G114, G116, G117.
    pub fn details(&self) -> Option<&Card> {
        let values = self.state.cells.peek();
        let behind_ask = || match self.outcome.denied_by() {
            Some(DeniedBy::AskResolution) => values.ask_card.as_deref(),
            Some(_) | None => None,
        };
        if fault!(AskCardWins) {
            return values.ask_card.as_deref().or(values.deny_card.as_deref());
        }
        values.deny_card.as_deref().or_else(behind_ask)
    }

    /// What others are to be told now.
    pub fn notices(&self) -> &[Notice] {
        &self.state.notices
    }

    /// Each station passed, if the pass kept a trace.
    pub const fn trace(&self) -> Option<&Trace> {
        self.state.trace.as_ref()
    }

    /// Who objected and what bars automatic answerers, cleared or not, with the words of each.
    pub const fn causes(&self) -> &Causes {
        &self.state.cells.peek().causes
    }

    /// The stored grant that allowed the call.
    pub fn grant(&self) -> Option<&Text> {
        self.state.cells.peek().verdict.as_ref()?.grant.as_ref()
    }

    /// The call, as the model made it.
    pub const fn call(&self) -> &Call {
        &self.state.input.call
    }

    /// Where the deny was written.
    pub const fn denied_at(&self) -> Option<Station> {
        self.state.denied_at
    }

    /// The edit round in which the pass ended; 0 is the model's own call.
    pub const fn round(&self) -> u8 {
        self.state.cells.peek().edit_round
    }

    pub(super) const fn settled(&self) -> Option<&LedgerEntry> {
        self.state.cells.peek().ledger.settled()
    }

    /// The attestations that the pass looked up, counted or not.
    pub const fn looked_up(&self) -> &[AttestationId] {
        self.state.looked_up.as_slice()
    }
}

fn exit_of(state: &State, outcome: &GateOutcome) -> ExitKind {
    let first_screening =
        state.denied_at == Some(Station::Hook) && state.cells.peek().edit_round == 0;
    match (outcome.verdict(), outcome.denied_by()) {
        (ExitVerdict::Allow, _) => ExitKind::Allow,
        (ExitVerdict::Deny, Some(DeniedBy::Engine)) if first_screening => {
            ExitKind::EngineFailClosed
        }
        (ExitVerdict::Deny, Some(DeniedBy::Hook)) if first_screening => ExitKind::HookDeny,
        (ExitVerdict::Deny, Some(_) | None) => ExitKind::Deny,
    }
}
