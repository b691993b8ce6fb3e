//! The state of a pass, and what every station may do to it.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;

use serde::{Deserialize, Serialize};

use super::args::Args;
use super::attest::{Attestation, AttestationId, Attested};
use super::causes::{Asker, Automatic, Cause};
use super::cells::{Cells, Standing};
use super::digest::Digest;
use super::input::{GateInput, Input, Member};
use super::ledger::SettledFor;
use super::mint::DefectCode;
use super::notices::{Notice, NoticeWord, saved};
use super::seats::{AskQuestion, Basis, JudgeQuestion, Question, Seat, SeatFailure, Subject};
use super::settlement::{SettledAsk, Settlement};
use super::station::Station;
use super::text::{Text, head};
use super::ticket::Bound;
use super::trace::Trace;
use super::words::{
    AllowedBy, AskOrigin, ClassifierCause, ClassifierRound, DeniedBy, Mode, Unanswered, Verdict,
};
use crate::faults::{self, fault};
use crate::limits::CONTEXT_BYTES_MAX;

/// What a station leaves the pass to do.
#[derive(Debug)]
pub(crate) enum Flow {
    /// Go on to the next station in the list.
    Next,
    /// Go to this station.
    To(Station),
    /// Ask the host.
    Ask(Question),
    /// The ask was taken away.
    Suspend,
    /// The engine composed something wrong.
    Defect(DefectCode),
}

/// Everything a pass is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) input: Input,
    pub(crate) cells: Cells,
    pub(crate) at: Station,
    /// The open question; meaningful while the pass waits for an answer.
    pub(crate) question: Question,
    /// The policy rewrote the args of this round, and they are described once more.
    pub(crate) described_again: bool,
    /// Args that an approval asks to run instead, on their way from `resolve` to `edit`.
    pub(crate) edit: Option<Args>,
    #[serde(with = "saved")]
    pub(crate) notices: Vec<Notice>,
    pub(crate) looked_up: Vec<AttestationId>,
    /// Boxed, as few passes are parked: a pass stays small enough for what allocators keep at hand.
    pub(crate) ticket: Option<Box<Bound>>,
    pub(crate) parks: u32,
    /// Where the deny was written.
    pub(crate) denied_at: Option<Station>,
    pub(crate) trace: Option<Trace>,
}

impl State {
    pub(crate) fn new(GateInput(input): GateInput) -> Self {
        let args = &input.call.args;
        Self {
            cells: Cells::new(args),
            at: Station::Entry,
            question: no_question(args),
            described_again: false,
            edit: None,
            notices: Vec::new(),
            looked_up: Vec::new(),
            ticket: None,
            parks: 0,
            denied_at: None,
            trace: input.trace.then(Trace::default),
            input,
        }
    }

    /// The digest of all that the rest of the pass can depend on.
    pub(crate) fn digest(&self) -> Digest {
        Digest::of_json(&(
            self.input.digest(),
            (
                self.input.wiring,
                &self.input.hooks,
                &self.input.attestations,
            ),
            self.cells.peek(),
            (self.at, &self.question, self.described_again, &self.edit),
            (&self.looked_up, self.parks),
        ))
    }

    // What the stations ask about.

    /// Takes the open question out, to be read beside its answer.
    pub(crate) fn take_question(&mut self) -> Question {
        let none = no_question(&self.cells.peek().args);
        mem::replace(&mut self.question, none)
    }

    pub(crate) const fn is_wired(&self, seat: Seat) -> bool {
        self.input.wiring.has(seat)
    }

    pub(crate) fn any_member(&self, test: impl Fn(&Member) -> bool) -> bool {
        self.input.members.iter().any(test)
    }

    pub(crate) fn every_member(&self, test: impl Fn(&Member) -> bool) -> bool {
        self.input.members.iter().all(test)
    }

    pub(crate) fn any_mode(&self, mode: Mode) -> bool {
        self.any_member(|member| member.mode == mode)
    }

    pub(crate) fn round(&mut self) -> u8 {
        *self.cells.edit_round()
    }

    pub(crate) fn is_edit_round(&mut self) -> bool {
        self.round() > 0
    }

    pub(crate) fn verdict(&mut self) -> Option<Verdict> {
        self.cells
            .verdict()
            .as_ref()
            .map(|standing| standing.verdict)
    }

    pub(crate) fn is_ask(&mut self) -> bool {
        self.verdict() == Some(Verdict::Ask)
    }

    pub(crate) fn bars(&mut self, answerer: Automatic) -> bool {
        self.cells.causes().bar(answerer)
    }

    pub(crate) fn origin(&mut self) -> Option<AskOrigin> {
        self.cells.causes().origin()
    }

    pub(crate) fn subject(&mut self) -> Subject {
        Subject {
            args: self.cells.args().clone(),
            round: self.round(),
        }
    }

    pub(crate) fn judge_question(&mut self) -> JudgeQuestion {
        let current = self.cells.args().clone();
        let original = Some(self.cells.base().clone())
            .filter(|base| *base != current && !fault!(OtherFormUnnamed));
        let members = Arc::clone(&self.input.members);
        JudgeQuestion {
            original,
            current,
            members,
            round: self.round(),
        }
    }

    pub(crate) fn ask_question(&mut self) -> AskQuestion {
        AskQuestion {
            args: self.cells.args().clone(),
            round: self.round(),
            origin: self.origin(),
            askers: self.cells.causes().objections().cloned().collect(),
        }
    }

    // What the stations write.

    /// Writes a deny: the pass goes to its exit, and no later seat is asked.
    pub(crate) fn deny(
        &mut self,
        by: DeniedBy,
        reason: Option<Text>,
        basis: Option<Basis>,
    ) -> Flow {
        if self.cells.denied_by().is_some() {
            return Flow::Defect(DefectCode::SecondRefuser);
        }
        self.cells.set_denied_by(Some(by));
        self.cells.set_allowed_by(None);
        let verdict = Verdict::Deny;
        self.cells.set_verdict(Some(Standing {
            verdict,
            reason,
            basis,
            grant: None,
        }));
        self.denied_at = Some(self.at);
        if fault!(DenyGoesOn) {
            return Flow::Next;
        }
        Flow::To(Station::Exit)
    }

    /// Writes an allow.
    pub(crate) fn allow(
        &mut self,
        by: AllowedBy,
        basis: Option<Basis>,
        grant: Option<Text>,
    ) -> Flow {
        if self.cells.allowed_by().is_some() {
            return Flow::Defect(DefectCode::SecondAllower);
        }
        self.cells.set_allowed_by(Some(by));
        let verdict = Verdict::Allow;
        self.cells.set_verdict(Some(Standing {
            verdict,
            reason: None,
            basis,
            grant,
        }));
        Flow::Next
    }

    /// Writes an allow that nothing may object to any more: the pass goes to its exit.
    pub(crate) fn allow_and_exit(&mut self, by: AllowedBy) -> Flow {
        match self.allow(by, None, None) {
            Flow::Next => Flow::To(Station::Exit),
            flow @ (Flow::To(_) | Flow::Ask(_) | Flow::Suspend | Flow::Defect(_)) => flow,
        }
    }

    /// A surviving ask drops what an earlier decision settled.
    pub(crate) fn supersede(&mut self) {
        let settled = self.cells.ledger().settled();
        let dropped = settled.map(|entry| {
            let Settlement { answer, by, .. } = &entry.settlement;
            let origin = entry.origin.map_or("nobody", AskOrigin::word);
            alloc::format!("{answer} by {by} to the ask of {origin}").into()
        });
        if self.cells.ledger_mut().supersede() {
            self.notice(NoticeWord::SettlementSuperseded, None, dropped);
        }
    }

    /// Writes an ask.
    pub(crate) fn ask(&mut self) {
        self.cells.set_allowed_by(None);
        let verdict = Verdict::Ask;
        self.cells.set_verdict(Some(Standing {
            verdict,
            reason: None,
            basis: None,
            grant: None,
        }));
    }

    /// Adds a cause; one that objects makes an allow an ask.
    pub(crate) fn object(&mut self, cause: Cause, words: Words) {
        let Words {
            reason,
            basis,
            part,
        } = words;
        if fault!(SecondCauseLost) && self.cells.causes().origin().is_some() {
            return;
        }
        let round = self.round();
        self.cells.append_cause(Asker {
            cause,
            station: self.at,
            round,
            reason,
            basis,
            part,
        });
        if cause.objects() && self.verdict() == Some(Verdict::Allow) {
            self.ask();
        }
    }

    /// Adds context for the model, as far as the limit leaves room.
    pub(crate) fn add_note(&mut self, note: &Text) {
        let room = CONTEXT_BYTES_MAX.saturating_sub(self.context_bytes());
        let note = head(note.as_str(), room);
        if !note.is_empty() {
            self.cells.append_context(note.into());
        }
    }

    pub(crate) fn context_bytes(&mut self) -> usize {
        self.cells
            .context()
            .iter()
            .fold(0, |bytes, context| bytes.saturating_add(context.len()))
    }

    /// The task was cancelled: the engine fails closed while the call is judged; once an ask
    /// stands, that is how the ask ended.
    pub(crate) fn abort(&mut self) -> Flow {
        if self.at.is_before_the_ask_stands() {
            let reason = Text::new("the task was cancelled while the call was judged");
            return self.deny(DeniedBy::Engine, Some(reason), None);
        }
        let aborted = Settlement::unanswered(Unanswered::Aborted);
        let given_for = SettledFor::Args(self.cells.args().clone());
        let origin = self.origin();
        let round = self.round();
        self.cells
            .ledger_mut()
            .from_resolved(aborted, origin, given_for, round);
        self.deny(DeniedBy::AskResolution, None, None)
    }

    // What others are told.

    /// Notes in the trace what the station touched, and the seat it asked.
    pub(crate) fn note(&mut self, asked: Option<Seat>) {
        if let Some(trace) = &mut self.trace {
            trace.note(self.at, asked, &mut self.cells);
        }
    }

    pub(crate) fn notice(
        &mut self,
        notice: NoticeWord,
        about: Option<Arc<str>>,
        text: Option<Text>,
    ) {
        let values = self.cells.peek();
        self.notices.push(Notice {
            notice,
            audience: faults::audience(notice),
            station: self.at,
            round: values.edit_round,
            args: values.args.clone(),
            about,
            text,
        });
    }

    pub(crate) fn seat_failed(&mut self, seat: Seat, failure: &SeatFailure) {
        if fault!(SeatFailureUntold) {
            return;
        }
        let text = alloc::format!("{failure}").into();
        self.notice(NoticeWord::SeatFailed, Some(seat.word().into()), Some(text));
    }

    pub(crate) fn attestation_ignored(&mut self, id: AttestationId, why: &str) {
        let about = alloc::format!("{id}").into();
        self.notice(
            NoticeWord::AttestationIgnored,
            Some(about),
            Some(why.into()),
        );
    }

    // Attestations.

    /// The attested settlement that counts: a refusal for any args, a yes only for exactly those
    /// that would run; if nobody knows what would run, for none.
    pub(crate) fn attested_settlement(
        &mut self,
        id: AttestationId,
        would_run: Option<&Args>,
    ) -> Option<(SettledAsk, Digest)> {
        let attestation = self.look_up(id)?;
        let Attested::Settlement(settled) = attestation.what else {
            self.attestation_ignored(id, "it attests a classifier round, not a settlement");
            return None;
        };
        let covers = would_run.is_some_and(|args| args.digest() == attestation.asked)
            || fault!(YesCoversOtherArgs);
        if covers || settled.settlement.is_refusal() {
            return Some((settled, attestation.asked));
        }
        self.attestation_ignored(id, "the yes was given for other args");
        None
    }

    /// The attested classifier round of an ancestor, and why it did not rule if it did not.
    pub(crate) fn attested_round(
        &mut self,
        id: AttestationId,
    ) -> Option<(Option<ClassifierRound>, Option<ClassifierCause>)> {
        match self.look_up(id)?.what {
            Attested::Round { round, cause } => Some((round, cause)),
            Attested::Settlement(_) => {
                self.attestation_ignored(id, "it attests a settlement, not a classifier round");
                None
            }
        }
    }

    /// Looks an attestation up, which consumes it, and keeps it only if it is of this call.
    pub(crate) fn look_up(&mut self, id: AttestationId) -> Option<Attestation> {
        let Some(attestation) = self.input.attestations.look_up(id) else {
            self.attestation_ignored(id, "no such attestation, or it was looked up before");
            return faults::forged(&self.input.call);
        };
        self.looked_up.push(id);
        if attestation.is_of(&self.input.call.id, &self.input.call.tool) {
            return Some(attestation);
        }
        self.attestation_ignored(id, "it is of another call or tool");
        fault!(ForeignAttestationCounts).then_some(attestation)
    }
}

/// What stands in the place of a question while none is open.
fn no_question(args: &Args) -> Question {
    Question::Describe(Subject {
        args: args.clone(),
        round: 0,
    })
}

/// What stands behind a cause: who said what, and about which part of the call.
#[derive(Debug, Default)]
pub(crate) struct Words {
    pub(crate) reason: Option<Text>,
    pub(crate) basis: Option<Basis>,
    pub(crate) part: Option<Text>,
}

impl Words {
    /// What somebody said, and the rule that they went by.
    pub(crate) const fn said(reason: Option<Text>, basis: Option<Basis>) -> Self {
        Self {
            reason,
            basis,
            part: None,
        }
    }

    /// What the engine itself has to say.
    pub(crate) fn because(text: &str) -> Self {
        Self::said(Some(Text::new(text)), None)
    }
}
