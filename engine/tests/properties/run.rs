//! Runs a pass against its host and keeps what was asked, answered and decided.

use std::fmt::Write as _;

use gatefold::gate::{
    Answer, Cause, Cell, Finished, GateResult, Pass, Question, RecordFields, Seat, Station, Step,
    Suspended, TicketBook, TraceStep, begin,
};

use crate::world::Stage;

/// What a property has against a run, in words.
pub(crate) type Verdict = Result<(), String>;

/// Says no with a message unless something holds.
macro_rules! ensure {
    ($holds:expr, $($said:tt)+) => {
        if !$holds {
            return Err(format!($($said)+));
        }
    };
}
pub(crate) use ensure;

/// One question with its answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Exchange {
    pub(crate) question: Question,
    pub(crate) answer: Answer,
}

/// How a pass came to its end.
#[derive(Debug)]
pub(crate) enum Ending {
    Finished(Box<Finished>),
    /// Its ask was taken away, and the conduct leaves it there.
    Parked,
}

/// A run of one pass.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) exchanges: Vec<Exchange>,
    pub(crate) ending: Ending,
    pub(crate) parks: usize,
    pub(crate) cancelled: bool,
}

/// How a property intervenes. Left out, everything is as the host answers it.
pub(crate) trait Conduct {
    /// Sees, and may exchange, the pass before each question.
    fn before(&mut self, pass: Pass) -> Result<Pass, String> {
        Ok(pass)
    }

    /// May change the answer to the question that is the `nth` of the pass, from 0.
    fn answer(&mut self, _nth: usize, _question: &Question, answer: Answer) -> Answer {
        answer
    }

    /// Goes on from a park, or leaves it.
    fn parked(&mut self, stage: &Stage<'_>, parked: Suspended) -> Result<Option<Step>, String> {
        resume(stage, parked).map(Some)
    }

    /// Ends the pass before this question.
    fn aborts(&self, _nth: usize) -> bool {
        false
    }
}

/// Nothing is changed.
pub(crate) struct AsAnswered;

impl Conduct for AsAnswered {}

/// A parked ask is an ask: the run ends there.
pub(crate) struct UntilParked;

impl Conduct for UntilParked {
    fn parked(&mut self, _: &Stage<'_>, _: Suspended) -> Result<Option<Step>, String> {
        Ok(None)
    }
}

/// One answer is replaced; a parked ask ends the run.
#[derive(Clone)]
pub(crate) struct Replaced {
    pub(crate) nth: usize,
    pub(crate) with: Answer,
}

impl Conduct for Replaced {
    fn answer(&mut self, nth: usize, _: &Question, answer: Answer) -> Answer {
        if nth == self.nth {
            self.with.clone()
        } else {
            answer
        }
    }

    fn parked(&mut self, _: &Stage<'_>, _: Suspended) -> Result<Option<Step>, String> {
        Ok(None)
    }
}

/// Goes on from a park as the world has it: resumed under the same input, or cancelled.
pub(crate) fn resume(stage: &Stage<'_>, suspended: Suspended) -> Result<Step, String> {
    let Suspended { ticket, parked } = suspended;
    let mut book = TicketBook::new();
    book.open(&ticket).map_err(|error| error.to_string())?;
    let step = if stage.world.resumed {
        parked.resume(&ticket, &mut book, &stage.input)
    } else {
        parked.cancel(&ticket, &mut book)
    };
    step.map_err(|misuse| format!("a fresh ticket was refused: {misuse}"))
}

/// Runs the pass of a stage. A defect or a misuse is a failure of whatever property runs it.
pub(crate) fn run(stage: &Stage<'_>, conduct: &mut impl Conduct) -> Result<Run, String> {
    go_on(stage, begin(stage.input.clone()), conduct)
}

/// Goes on from a step of such a pass.
pub(crate) fn go_on(
    stage: &Stage<'_>,
    mut step: Step,
    conduct: &mut impl Conduct,
) -> Result<Run, String> {
    let mut exchanges = Vec::new();
    let mut parks = 0;
    let mut cancelled = false;
    loop {
        let pass = match step {
            Step::Need(pass) => pass,
            Step::Defect(defect) => return Err(format!("a defect: {defect}")),
            Step::Done(result) => match *result {
                GateResult::Finished(finished) => {
                    let ending = Ending::Finished(Box::new(finished));
                    return Ok(Run {
                        exchanges,
                        ending,
                        parks,
                        cancelled,
                    });
                }
                GateResult::Suspended(suspended) => {
                    parks += 1;
                    let Some(next) = conduct.parked(stage, suspended)? else {
                        let ending = Ending::Parked;
                        return Ok(Run {
                            exchanges,
                            ending,
                            parks,
                            cancelled,
                        });
                    };
                    cancelled = !stage.world.resumed;
                    step = next;
                    continue;
                }
            },
        };
        let pass = conduct.before(pass)?;
        let nth = exchanges.len();
        if conduct.aborts(nth) {
            step = pass.abort();
            continue;
        }
        let question = pass.question().clone();
        let answer = conduct.answer(nth, &question, stage.answer(&question));
        step = pass
            .answer(answer.clone())
            .map_err(|misuse| format!("the host's answer is misuse: {misuse}"))?;
        exchanges.push(Exchange { question, answer });
    }
}

impl Run {
    /// The result, if the pass has one.
    pub(crate) fn finished(&self) -> Option<&Finished> {
        match &self.ending {
            Ending::Finished(finished) => Some(finished),
            Ending::Parked => None,
        }
    }

    /// Whether the call runs.
    pub(crate) fn allows(&self) -> bool {
        self.finished()
            .is_some_and(|finished| finished.args_to_run().is_some())
    }

    /// Whether a yes is settled.
    pub(crate) fn has_yes(&self) -> bool {
        let settled = self
            .finished()
            .and_then(|finished| finished.outcome().settled());
        settled.is_some_and(|ask| !ask.settlement.is_refusal())
    }

    /// Whether a seat was asked.
    pub(crate) fn asked(&self, seat: Seat) -> bool {
        self.exchanges
            .iter()
            .any(|exchange| exchange.question.seat() == seat)
    }

    /// What was asked and answered, for whoever reads a failure.
    pub(crate) fn told(&self) -> String {
        let mut text = String::new();
        for (nth, Exchange { question, answer }) in self.exchanges.iter().enumerate() {
            let seat = question.seat();
            let _ = writeln!(text, "  {nth}. {seat} over {}: {answer:?}", question.args());
        }
        match self.finished() {
            Some(finished) => {
                let _ = writeln!(text, "  => {}", finished.record().to_json());
            }
            None => text.push_str("  => parked\n"),
        }
        text
    }
}

/// Everything that a run shows, as bytes.
#[derive(Debug, PartialEq)]
pub(crate) struct Account {
    pub(crate) questions: Vec<Question>,
    pub(crate) record: String,
    pub(crate) trace: String,
    pub(crate) reason: Option<String>,
    pub(crate) context: Vec<String>,
    pub(crate) notices: String,
    pub(crate) details: String,
    pub(crate) exit: String,
    pub(crate) runs: Option<String>,
}

impl Account {
    pub(crate) fn of(run: &Run) -> Option<Self> {
        let finished = run.finished()?;
        let json =
            |text: Result<String, _>| text.map_err(|error: serde_json::Error| error.to_string());
        Some(Self {
            questions: run
                .exchanges
                .iter()
                .map(|exchange| exchange.question.clone())
                .collect(),
            record: finished.record().to_json(),
            trace: json(serde_json::to_string(&finished.trace())).ok()?,
            reason: finished.reason(),
            context: finished.context().iter().map(ToString::to_string).collect(),
            notices: json(serde_json::to_string(finished.notices())).ok()?,
            details: format!("{:?}", finished.details()),
            exit: finished.exit().to_string(),
            runs: finished.args_to_run().map(ToString::to_string),
        })
    }
}

/// The fields of a finished pass's record.
pub(crate) fn fields(finished: &Finished) -> RecordFields {
    finished.record().fields().clone()
}

/// The trace, which every world keeps.
pub(crate) fn steps(finished: &Finished) -> &[TraceStep] {
    finished.trace().expect("every world keeps a trace").steps()
}

/// What a step wrote into a cell.
pub(crate) fn wrote(step: &TraceStep, cell: Cell) -> Option<&str> {
    let written = step.wrote.iter().find(|written| written.cell == cell)?;
    Some(&written.value)
}

/// The causes in a trace's words.
pub(crate) fn causes(value: &str) -> Vec<Cause> {
    let words = value.split(", ").filter(|word| !word.is_empty());
    words
        .map(|word| Cause::from_word(word).expect("a trace names causes"))
        .collect()
}

/// The station that asks a seat.
pub(crate) fn station_of(seat: Seat) -> Station {
    match seat {
        Seat::Hook => Station::Hook,
        Seat::Describe => Station::Describe,
        Seat::Adjudicate => Station::Adjudicate,
        Seat::Probe => Station::Reversibility,
        Seat::Egress => Station::Egress,
        Seat::ShellRead => Station::ShellRead,
        Seat::WriteJudge => Station::WriteProtection,
        Seat::Org => Station::Org,
        Seat::Rules => Station::Rules,
        Seat::Classify => Station::Classify,
        Seat::Sandbox => Station::Sandbox,
        Seat::Present => Station::Present,
        Seat::Park => Station::Park,
        Seat::Resolve => Station::Resolve,
    }
}
