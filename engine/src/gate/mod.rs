//! One tool call, one pass, one outcome.
//!
//! A pass walks a fixed list of stations. A station may ask the host one question through a seat;
//! the answer writes cells of the pass; the next station reads them. The pass ends in an exit, and
//! only there is the outcome minted.
//!
//! # Contract
//!
//! * [`begin`] starts a pass and returns a [`Step`].
//! * [`Step::Need`] holds a [`Pass`] with exactly one open [`Question`]. Answer it; an answer that
//!   the pass cannot take is a [`Misuse`], which gives the pass back unchanged.
//! * [`Step::Done`] holds the result. There is no further step: the pass is gone.
//! * [`Step::Defect`] is the engine's own fault. No result exists; do not run the call.
//!
//! ```
//! use gatefold::gate::{Answer, Args, Call, GateInput, GateResult, Resolved, Seat, Step, begin};
//!
//! let args = Args::parse(r#"{"command":"git push"}"#)?;
//! let call = Call { id: "c1".into(), tool: "Bash".into(), args };
//! // 1. Begin. Nobody states anything about this call, so it is an ask.
//! let mut step = begin(GateInput::builder(call).wire(Seat::Resolve).build()?);
//! let result = loop {
//!     match step {
//!         // 2. Answer each question as it comes.
//!         Step::Need(pass) => {
//!             assert_eq!(pass.question().seat(), Seat::Resolve);
//!             step = pass.answer(Answer::Resolve(Ok(Resolved::NO.into())))?;
//!         }
//!         // 3. The result: only an allow has args to run.
//!         Step::Done(result) => break result,
//!         Step::Defect(defect) => return Err(defect.into()),
//!     }
//! };
//! let GateResult::Finished(finished) = *result else { panic!("nothing was parked") };
//! assert!(finished.args_to_run().is_none());
//! assert_eq!(
//!     finished.reason().unwrap(),
//!     "the person who was asked said no; asked because nothing says that it may run"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod args;
mod attest;
mod causes;
mod cells;
mod digest;
mod drive;
mod edit;
mod exits;
mod fold;
mod hooks;
mod input;
mod judgements;
mod lanes;
mod ledger;
mod mint;
mod misuse;
mod notices;
mod park;
mod pass;
mod record;
mod resume;
mod seal;
mod seats;
mod settlement;
mod state;
mod station;
mod text;
mod ticket;
mod trace;
pub(crate) mod words;

#[cfg(gatefold_faults)]
pub(crate) use attest::{Attestation, Attested};
#[cfg(gatefold_faults)]
pub(crate) use cells::HookStanding;
#[cfg(gatefold_faults)]
pub(crate) use state::State as FaultyState;
use state::{Flow, State};

pub use args::{Args, ArgsError, ArgsJson, NewArgs};
pub use attest::{AttestError, AttestationBook, AttestationId, AttestedIds};
pub use causes::{Asker, Automatic, BarClass, Cause, Causes};
pub use cells::{Cell, ShellReads};
pub use digest::{Digest, DigestError};
pub use drive::{DriveError, Seats, drive};
pub use exits::{ExitKind, Finished};
pub use input::{
    Call, GateInput, GateInputBuilder, Hook, HookId, HookKind, InputError, Member, OnNoRuling,
    Settings, Unstated,
};
pub use ledger::{AttestedReading, Ledger, LedgerEntry, SettledFor};
pub use mint::{Defect, DefectCode, ExitFacts, ExitVerdict, GateOutcome, defects, mint};
pub use misuse::MisuseKind;
pub use notices::{Audience, Notice, NoticeWord};
pub use park::{ParkMisuse, ParkMisuseKind, Parked, Suspended};
pub use pass::{GateResult, Misuse, Pass, Step, begin};
pub use record::{
    RECORD_SCHEMA, Record, RecordAsked, RecordAsker, RecordCall, RecordDigests, RecordFields,
    RecordHost, RecordSettled,
};
pub use seal::{SealError, SealKey, SealedKind};
pub use seats::{
    Adjudication, Answer, Answerer, AskQuestion, Basis, Card, Classification, ClassifierRuling,
    Egress, Facts, Form, HookAnswer, HookDecision, HookOutcome, HookQuestion, HookReceipt,
    JudgeQuestion, Judgement, NoAnswer, Offer, OrgRuling, ParkQuestion, ParkSite, Parking,
    PolicyRuling, Presented, Probe, Question, ReadOnly, Reply, Resolution, ResolveQuestion,
    Resolved, Reversibility, RuleRuling, Sandbox, Seat, SeatFailure, ShellFinding, ShellRead,
    Subject, ToolKind, Wiring, WriteProtection,
};
pub use settlement::{Grant, SettledAsk, Settlement};
pub use station::Station;
pub use text::Text;
pub use ticket::{BookError, Ticket, TicketBook, TicketId, TicketState};
pub use trace::{Trace, TraceStep, Written};
pub use words::{
    AllowedBy, AskOrigin, ClassifierCause, ClassifierRound, CopyProgram, DeniedBy, Mode,
    ModeRefusal, ModeRelease, RefusingMode, ReleasingMode, SettledAnswer, SettledBy, Unanswered,
    Verdict,
};

/// What a station does when the pass comes to it.
type Open = fn(&mut State) -> Flow;

/// A station, the seat it may ask, and what it does.
type Row = (Station, Option<Seat>, Open);

/// Makes the list of the stations, and tells each its number in it.
macro_rules! stations {
    ($($number:literal $station:ident $asks:tt $open:expr;)+ => $last:literal $exit:ident) => {
        /// The stations before the exit, in order.
        const STATIONS: &[Row] = &[$((Station::$station, stations!(@$asks), $open)),+];

        impl Station {
            /// The station's number in the list, from 1.
            pub const fn number(self) -> u8 {
                match self {
                    $(Self::$station => $number,)+
                    Self::$exit => $last,
                }
            }
        }
    };
    (@-) => { None };
    (@$seat:ident) => { Some(Seat::$seat) };
}

// Number, name, the seat it may ask, and what it does. A station that writes deny goes to the exit
// at once, and no later seat is asked.
stations! {
    // The input was captured by value, and nothing is read again.
     1 Entry            -           |_| Flow::Next;
     2 Lock             -           pass::lock;
    // The fold: what the call does, and what objects to it.
     3 Hook             Hook        hooks::open;
     4 Describe         Describe    fold::describe::open;
     5 Plan             -           fold::describe::plan;
     6 Adjudicate       Adjudicate  fold::adjudicate::open;
     7 Promote          -           fold::adjudicate::promote;
     8 Reversibility    Probe       fold::tightens::reversibility;
     9 Egress           Egress      fold::tightens::egress;
    10 ShellRead        ShellRead   fold::tightens::shell_read;
    11 WriteProtection  WriteJudge  fold::tightens::write_protection;
    12 Unstated         -           fold::tightens::unstated;
    // The lanes: who else objects, and who answers.
    13 Org              Org         lanes::layers::org;
    14 Rules            Rules       lanes::layers::rules;
    15 Stamp            -           lanes::layers::stamp;
    16 Classify         Classify    lanes::classify::classify;
    17 Sandbox          Sandbox     lanes::classify::sandbox;
    18 Arbitrate        -           lanes::mode::arbitrate;
    19 Present          Present     lanes::surface::present;
    20 Park             Park        lanes::surface::park;
    21 Resolve          Resolve     lanes::resolve::open;
    22 Edit             -           edit::open;
    // What stands is minted: `pass::exit`.
    => 23 Exit
}

/// Reads the answer to the open question at the station that asked it.
fn read(state: &mut State, question: &Question, answer: Answer) -> Flow {
    match (question, answer) {
        (_, answer) if is_aborted(&answer) => state.abort(),
        (Question::Hook(question), Answer::Hook(reply)) => hooks::answered(state, question, reply),
        (Question::Describe(_), Answer::Describe(reply)) => fold::describe::answered(state, reply),
        (Question::Adjudicate(question), Answer::Adjudicate(reply)) => {
            fold::adjudicate::answered(state, question, reply)
        }
        (Question::Probe(_), Answer::Probe(reply)) => fold::tightens::probed(state, reply),
        (Question::Egress(_), Answer::Egress(reply)) => fold::tightens::connected(state, reply),
        (Question::ShellRead(_), Answer::ShellRead(reply)) => {
            fold::tightens::shell_was_read(state, reply)
        }
        (Question::WriteJudge(_), Answer::WriteJudge(reply)) => {
            fold::tightens::write_judged(state, reply)
        }
        (Question::Org(question), Answer::Org(reply)) => {
            lanes::layers::org_judged(state, question, reply)
        }
        (Question::Rules(question), Answer::Rules(reply)) => {
            lanes::layers::rules_judged(state, question, reply)
        }
        (Question::Classify(_), Answer::Classify(reply)) => {
            lanes::classify::classified(state, reply)
        }
        (Question::Sandbox(_), Answer::Sandbox(reply)) => lanes::classify::sandboxed(state, reply),
        (Question::Present(subject), Answer::Present(reply)) => {
            lanes::surface::presented(state, subject, reply)
        }
        (Question::Park(_), Answer::Park(reply)) => lanes::surface::parked(state, reply),
        (Question::Resolve(question), Answer::Resolve(reply)) => {
            lanes::resolve::answered(state, question, reply)
        }
        // The seats were compared before anything was read.
        (question, _) => Flow::Ask(question.clone()),
    }
}

/// Aborted is one rule for every seat, and comes before every other reading of the answer.
fn is_aborted(answer: &Answer) -> bool {
    answer.failure() == Some(&SeatFailure::Aborted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_the_list_count_every_station_in_order() {
        let listed = STATIONS.iter().map(|(station, ..)| *station);
        let listed = listed.chain([Station::Exit]);
        assert!(listed.eq(Station::ALL.iter().copied()));
        let numbers = Station::ALL.iter().map(|station| station.number());
        assert!(numbers.eq(1..=23));
    }

    #[test]
    fn each_station_opens_its_own_row_and_goes_on_to_the_next() {
        let after = Station::ALL.iter().skip(1).chain([&Station::Exit]);
        for (station, next) in Station::ALL.iter().zip(after) {
            assert_eq!(pass::next(*station), *next, "{station}");
            let row = pass::row(*station).map(|(found, ..)| found);
            assert_eq!(row, Some(station).filter(|_| *station != Station::Exit));
        }
    }

    #[test]
    fn every_seat_is_asked_at_one_station() {
        let asked = STATIONS.iter().filter_map(|(_, asks, _)| *asks);
        assert!(asked.eq(Seat::ALL.iter().copied()));
    }
}
