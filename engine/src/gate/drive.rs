//! The one loop, for hosts that can answer at once.

use alloc::boxed::Box;
use alloc::vec::Vec;

use thiserror::Error;

use super::mint::Defect;
use super::pass::{GateResult, Misuse, Step};
use super::seats::{
    Adjudication, Answer, AskQuestion, Classification, Egress, Facts, HookQuestion, HookReceipt,
    JudgeQuestion, Judgement, OrgRuling, ParkQuestion, Parking, Presented, Probe, Question, Reply,
    Resolution, ResolveQuestion, RuleRuling, Sandbox, SeatFailure, ShellRead, Subject,
    WriteProtection,
};

/// A host's answers, one typed method a seat.
///
/// Only wired seats are asked. A method that is left out answers that it threw, so a seat that was
/// wired and forgotten fails closed.
///
/// # Errors
/// Every method may fail as its seat can: [`SeatFailure`] says how, and [`Seat`](super::Seat) what
/// then holds.
#[allow(
    clippy::missing_errors_doc,
    reason = "one account for all methods stands above"
)]
pub trait Seats {
    /// Screen these args (`PreToolUse`): one receipt a hook.
    fn hook(&mut self, _: &HookQuestion) -> Reply<Vec<HookReceipt>> {
        Err(forgotten())
    }

    /// What does this call do?
    fn describe(&mut self, _: &Subject) -> Reply<Facts> {
        Err(forgotten())
    }

    /// What does the policy say?
    fn adjudicate(&mut self, _: &JudgeQuestion) -> Reply<Adjudication> {
        Err(forgotten())
    }

    /// Can it be undone, and where does it reach?
    fn probe(&mut self, _: &Subject) -> Reply<Probe> {
        Err(forgotten())
    }

    /// Does it leave the allowed hosts?
    fn egress(&mut self, _: &Subject) -> Reply<Egress> {
        Err(forgotten())
    }

    /// What does this command read and write?
    fn shell_read(&mut self, _: &Subject) -> Reply<ShellRead> {
        Err(forgotten())
    }

    /// Is the target write-protected?
    fn write_judge(&mut self, _: &Subject) -> Reply<WriteProtection> {
        Err(forgotten())
    }

    /// What does the organisation say?
    fn org(&mut self, _: &JudgeQuestion) -> Reply<Vec<Judgement<OrgRuling>>> {
        Err(forgotten())
    }

    /// What do the persisted rules say?
    fn rules(&mut self, _: &JudgeQuestion) -> Reply<Vec<Judgement<RuleRuling>>> {
        Err(forgotten())
    }

    /// What does the classifier say of this ask?
    fn classify(&mut self, _: &AskQuestion) -> Reply<Classification> {
        Err(forgotten())
    }

    /// Will the sandbox take this call?
    fn sandbox(&mut self, _: &Subject) -> Reply<Sandbox> {
        Err(forgotten())
    }

    /// Show exactly this content, and say what was shown.
    fn present(&mut self, _: &Subject) -> Reply<Presented> {
        Err(forgotten())
    }

    /// Will you take this ask durably away?
    fn park(&mut self, _: &ParkQuestion) -> Reply<Parking> {
        Err(forgotten())
    }

    /// Ask whoever can be asked.
    fn resolve(&mut self, _: &ResolveQuestion) -> Reply<Resolution> {
        Err(forgotten())
    }
}

/// The answer to a question, by the method of its seat.
fn answer(seats: &mut impl Seats, question: &Question) -> Answer {
    match question {
        Question::Hook(question) => Answer::Hook(seats.hook(question)),
        Question::Describe(subject) => Answer::Describe(seats.describe(subject)),
        Question::Adjudicate(question) => Answer::Adjudicate(seats.adjudicate(question)),
        Question::Probe(subject) => Answer::Probe(seats.probe(subject)),
        Question::Egress(subject) => Answer::Egress(seats.egress(subject)),
        Question::ShellRead(subject) => Answer::ShellRead(seats.shell_read(subject)),
        Question::WriteJudge(subject) => Answer::WriteJudge(seats.write_judge(subject)),
        Question::Org(question) => Answer::Org(seats.org(question)),
        Question::Rules(question) => Answer::Rules(seats.rules(question)),
        Question::Classify(question) => Answer::Classify(seats.classify(question)),
        Question::Sandbox(subject) => Answer::Sandbox(seats.sandbox(subject)),
        Question::Present(subject) => Answer::Present(seats.present(subject)),
        Question::Park(question) => Answer::Park(seats.park(question)),
        Question::Resolve(question) => Answer::Resolve(seats.resolve(question)),
    }
}

fn forgotten() -> SeatFailure {
    SeatFailure::threw("the seat is wired and nothing answers it")
}

/// Why a pass that was driven has no result.
#[derive(Debug, Error)]
pub enum DriveError {
    /// The host gave an answer that the pass cannot take; [`Misuse::into_pass`] gives it back.
    #[error(transparent)]
    Misuse(Box<Misuse>),
    /// The engine composed something wrong; do not run the call.
    #[error(transparent)]
    Defect(Defect),
}

impl DriveError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Misuse(misuse) => misuse.code(),
            Self::Defect(defect) => defect.code(),
        }
    }
}

/// Answers every question from `seats`, to the end of the pass or until it is parked.
///
/// # Errors
/// [`DriveError::Misuse`] with the code of the misuse; [`DriveError::Defect`] with the defect's.
pub fn drive(mut step: Step, seats: &mut impl Seats) -> Result<Box<GateResult>, DriveError> {
    loop {
        let pass = match step {
            Step::Done(result) => return Ok(result),
            Step::Defect(defect) => return Err(DriveError::Defect(defect)),
            Step::Need(pass) => pass,
        };
        let answer = answer(seats, pass.question());
        step = pass
            .answer(answer)
            .map_err(|misuse| DriveError::Misuse(Box::new(misuse)))?;
    }
}
