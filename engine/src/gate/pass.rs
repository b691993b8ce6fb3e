//! The pass itself: how it begins, takes answers, goes from station to station, and ends.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use thiserror::Error;

use super::digest::Digest;
use super::exits::Finished;
use super::input::{Call, GateInput};
use super::mint::{Defect, DefectCode};
use super::misuse::{self, MisuseKind};
use super::park::{Parked, Suspended};
use super::record::Record;
use super::seal::{self, SealError, SealKey, SealedKind};
use super::seats::{Answer, Question};
use super::state::{Flow, State};
use super::station::Station;
use super::text::Text;
use super::words::DeniedBy;
use super::{Row, STATIONS, exits, read};
use crate::faults;

const SCHEMA: u32 = 1;

/// What a pass came to.
#[derive(Debug)]
#[must_use = "a result says whether the call may run"]
pub enum GateResult {
    /// It ended, and its outcome was minted.
    Finished(Finished),
    /// Its ask was taken away; no outcome exists yet.
    Suspended(Suspended),
}

/// Where a pass stands after it began or took an answer.
#[derive(Debug)]
#[must_use = "a step holds the pass or its result"]
pub enum Step {
    /// The pass needs an answer.
    Need(Pass),
    /// It ended or was parked.
    Done(Box<GateResult>),
    /// The engine composed something wrong. No result exists; do not run the call.
    Defect(Defect),
}

/// A pass with one open question.
///
/// There are four kinds of methods: [`question`](Self::question) and [`pending`](Self::pending)
/// look, [`answer`](Self::answer) goes on, [`abort`](Self::abort) ends,
/// [`save`](Self::save) and [`load`](Self::load) carry it to another process. A pass is one
/// allocation and is used up by going on: to answer it twice does not compile.
///
/// ```compile_fail,E0382
/// use gatefold::gate::{Answer, Pass, Resolved};
///
/// fn twice(pass: Pass) {
///     let answer = Answer::Resolve(Ok(Resolved::YES.into()));
///     let _ = pass.answer(answer.clone());
///     let _ = pass.answer(answer);
/// }
/// ```
#[must_use = "a pass goes on only when its question is answered"]
pub struct Pass(pub(super) Box<State>);

/// Names the call and the open seat; args are kept out of logs.
impl fmt::Debug for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pass")
            .field("call", &self.0.input.call.id)
            .field("asks", &self.0.question.seat())
            .finish_non_exhaustive()
    }
}

/// Begins a pass. With nothing wired it may be done at once.
///
/// ```
/// use gatefold::gate::{Args, Call, GateInput, GateResult, Step, Unstated, begin};
///
/// let call = Call { id: "c1".into(), tool: "Read".into(), args: Args::empty() };
/// let input = GateInput::builder(call).unstated(Unstated::Allow).build()?;
/// let Step::Done(result) = begin(input) else { panic!("nothing is wired") };
/// let GateResult::Finished(finished) = *result else { panic!("nothing was parked") };
/// assert!(finished.args_to_run().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn begin(input: GateInput) -> Step {
    let mut state = Box::new(State::new(faults::input(input)));
    match open(&mut state) {
        Some(flow) => run(state, flow),
        None => exit(state),
    }
}

impl Pass {
    /// The call, as the model made it.
    pub const fn call(&self) -> &Call {
        &self.0.input.call
    }

    /// The host's time at entry, in milliseconds, if it gave one.
    pub const fn time(&self) -> Option<u64> {
        self.0.input.time
    }

    /// The open question.
    pub const fn question(&self) -> &Question {
        &self.0.question
    }

    /// Answers the open question.
    ///
    /// # Errors
    /// [`Misuse`], with its code, if the answer is of another seat or speaks of a hook, form or
    /// member that was not asked about. [`Misuse::into_pass`] gives the pass back unchanged.
    pub fn answer(self, answer: Answer) -> Result<Step, Misuse> {
        if let Err(kind) = misuse::check(&self.0.question, &answer) {
            let pass = Self(faults::after_misuse(self.0));
            return Err(Misuse { kind, pass });
        }
        let Self(mut state) = self;
        let question = state.take_question();
        let answer = faults::answer(&question, answer);
        let flow = read(&mut state, &question, answer);
        Ok(run(state, flow))
    }

    /// Ends the pass because the task was cancelled: deny.
    pub fn abort(self) -> Step {
        let Self(mut state) = self;
        let flow = state.abort();
        run(state, flow)
    }

    /// The record of what stands now: verdict `ask`, never minted.
    pub fn pending(&self) -> Record {
        Record::pending(&self.0)
    }

    /// What is asked, in words for whoever answers.
    pub fn reason(&self) -> String {
        exits::refusal::pending(&self.0)
    }

    #[doc(hidden)]
    /// A copy of the pass, for explorers and checkers. Each goes on by itself; of all the copies of
    /// a pass a host may act on one.
    pub fn fork(&self) -> Self {
        Self(self.0.clone())
    }

    /// The digest of all that the rest of the pass can depend on: not its notices, not its trace.
    /// Two passes with equal digests go on alike, so an explorer need follow only one of them.
    pub fn digest(&self) -> Digest {
        self.0.digest()
    }

    /// The pass as sealed bytes. A pass saved without a ticket is the host's to run once.
    ///
    /// # Errors
    /// [`SealError`], if it cannot be written.
    pub fn save(&self, key: &SealKey) -> Result<String, SealError> {
        seal::seal(SealedKind::Pass, SCHEMA, &self.0, key)
    }

    /// A pass from sealed bytes; it goes on as if it had never stopped.
    ///
    /// # Errors
    /// [`SealError`], if the bytes are not a pass sealed under this key.
    pub fn load(sealed: &str, key: &SealKey) -> Result<Self, SealError> {
        let state: Box<State> = seal::open(SealedKind::Pass, SCHEMA, sealed, key)?;
        Ok(Self(faults::after_load(state)))
    }
}

/// An answer that was not taken. Nothing was written; the pass waits for another answer.
#[derive(Debug, Error)]
#[error("{kind}")]
pub struct Misuse {
    kind: MisuseKind,
    pass: Pass,
}

impl Misuse {
    /// What was wrong.
    pub const fn kind(&self) -> &MisuseKind {
        &self.kind
    }

    /// The stable code.
    pub const fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// The pass, as it was.
    pub fn into_pass(self) -> Pass {
        self.pass
    }
}

/// Goes from station to station until a question is open or the pass is over.
pub(super) fn run(mut state: Box<State>, mut flow: Flow) -> Step {
    loop {
        let to = match flow {
            Flow::Ask(question) => {
                let seat = Some(question.seat());
                state.question = question;
                state.note(seat);
                return Step::Need(Pass(state));
            }
            Flow::Suspend => {
                state.note(None);
                return Step::Done(Box::new(GateResult::Suspended(Parked::park(state))));
            }
            Flow::Defect(code) => return defect(code, state.at),
            Flow::Next => next(state.at),
            Flow::To(station) => station,
        };
        state.note(None);
        state.at = to;
        match open(&mut state) {
            Some(then) => flow = then,
            None => return exit(state),
        }
    }
}

/// Does what the station does to which the pass has come; the exit does nothing more.
fn open(state: &mut State) -> Option<Flow> {
    let (.., open) = row(state.at)?;
    Some(open(state))
}

/// A station's row in the list; the exit has none.
pub(super) fn row(station: Station) -> Option<&'static Row> {
    let place = usize::from(station.number()).checked_sub(1)?;
    STATIONS.get(place)
}

/// The station after this one; the exit is the last. Numbers begin at 1, so the row of the next
/// one is the row at this one's number.
pub(super) fn next(station: Station) -> Station {
    if let Some(next) = faults::next(station) {
        return next;
    }
    let row = STATIONS.get(usize::from(station.number()));
    row.map_or(Station::Exit, |(station, ..)| *station)
}

fn exit(state: Box<State>) -> Step {
    match Finished::mint(state) {
        Ok(finished) => Step::Done(Box::new(GateResult::Finished(finished))),
        Err(code) => defect(code, Station::Exit),
    }
}

const fn defect(code: DefectCode, station: Station) -> Step {
    Step::Defect(Defect { code, station })
}

/// Station 2: the compliance lock of any member, before any face is asked.
pub(super) fn lock(state: &mut State) -> Flow {
    if state.any_member(|member| member.lock) {
        let reason = Text::new("the compliance lock is set, and nothing runs under it");
        return state.deny(DeniedBy::Compliance, Some(reason), None);
    }
    Flow::Next
}
