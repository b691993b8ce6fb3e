//! Stations 8 to 12: the tightens, which make an allow an ask and never the reverse.
//! Source: G114–G132.

use alloc::boxed::Box;
use alloc::format;

use crate::faults::fault;
use crate::gate::causes::Cause;
use crate::gate::cells::{Shell, ShellReads};
use crate::gate::input::Unstated;
use crate::gate::seats::{
    Card, Egress, Probe, Question, Reply, Reversibility, Seat, ShellFinding, ShellRead,
    WriteProtection,
};
use crate::gate::state::{Flow, State, Words};
use crate::gate::text::Text;
use crate::gate::words::{AllowedBy, CopyProgram, DeniedBy, Verdict};

/// Station 8.
pub(in crate::gate) fn reversibility(state: &mut State) -> Flow {
    if state.is_wired(Seat::Probe) {
        return Flow::Ask(Question::Probe(state.subject()));
    }
    state.cells.set_probe(Some(Probe::UNWIRED));
    Flow::Next
}

pub(in crate::gate) fn probed(state: &mut State, reply: Reply<Probe>) -> Flow {
    let probe = match reply {
        Ok(probe) => probe,
        Err(failure) => {
            state.seat_failed(Seat::Probe, &failure);
            state.object(Cause::ProbeUnanswered, Words::default());
            return Flow::Next;
        }
    };
    state.cells.set_probe(Some(probe));
    match probe.finding {
        Reversibility::Reversible => {}
        Reversibility::Irreversible => state.object(Cause::Irreversible, Words::default()),
        Reversibility::OutOfRoot => state.object(Cause::ProbeOutOfRoot, Words::default()),
    }
    if probe.boundary_declined {
        state.object(Cause::BoundaryDeclined, Words::default());
    }
    Flow::Next
}

/// Station 9.
pub(in crate::gate) fn egress(state: &mut State) -> Flow {
    if state.is_wired(Seat::Egress) {
        return Flow::Ask(Question::Egress(state.subject()));
    }
    Flow::Next
}

pub(in crate::gate) fn connected(state: &mut State, reply: Reply<Egress>) -> Flow {
    let egress = reply.unwrap_or_else(|failure| {
        state.seat_failed(Seat::Egress, &failure);
        Egress::Outside(None)
    });
    match egress {
        Egress::Inside => {}
        Egress::Outside(host) => {
            state.object(
                Cause::Outside,
                Words {
                    part: host,
                    ..Words::default()
                },
            );
        }
    }
    Flow::Next
}

/// Station 10.
pub(in crate::gate) fn shell_read(state: &mut State) -> Flow {
    if state.is_wired(Seat::ShellRead) {
        return Flow::Ask(Question::ShellRead(state.subject()));
    }
    shell_found(state, ShellRead::UNWIRED)
}

pub(in crate::gate) fn shell_was_read(state: &mut State, reply: Reply<ShellRead>) -> Flow {
    let read = reply.unwrap_or_else(|failure| {
        state.seat_failed(Seat::ShellRead, &failure);
        ShellRead {
            finding: ShellFinding::Unestablishable(None),
            write_protection: WriteProtection::Unresolved,
            ..ShellRead::UNWIRED
        }
    });
    shell_found(state, read)
}

fn shell_found(state: &mut State, read: ShellRead) -> Flow {
    let (reads, cause, card) = match read.finding {
        ShellFinding::Refused(card) => {
            let reason = card.text.clone();
            state.cells.set_deny_card(Some(Box::new(card)));
            return state.deny(DeniedBy::ShellRead, Some(reason), None);
        }
        ShellFinding::Clean => (ShellReads::Clean, None, None),
        ShellFinding::Declined => (ShellReads::Declined, Some(Cause::ReadDeclined), None),
        ShellFinding::OutOfRoot(card) => {
            let card = card.unwrap_or_else(|| {
                bare_card(ShellReads::OutOfRoot, "the command reads outside the roots")
            });
            (
                ShellReads::OutOfRoot,
                Some(Cause::ReadOutOfRoot),
                Some(card),
            )
        }
        ShellFinding::Unestablishable(card) => {
            let card = card.unwrap_or_else(|| {
                bare_card(
                    ShellReads::Unestablishable,
                    "what the command reads cannot be established",
                )
            });
            (
                ShellReads::Unestablishable,
                Some(Cause::Unestablishable),
                Some(card),
            )
        }
    };
    let writes_placed = read.writes_placed;
    // A reason for not placing writes says nothing of writes that were placed.
    let blamed = fault!(UnplacedWriteBlamesCp).then_some(CopyProgram::Cp);
    let unplaced_options = read.unplaced_options.or(blamed).filter(|_| !writes_placed);
    state.cells.set_shell(Some(Shell {
        reads,
        writes_placed,
        unplaced_options,
    }));
    let stricter = (*state.cells.write_protection()).max(read.write_protection);
    state.cells.set_write_protection(stricter);
    state.cells.set_offer(read.offer);
    if let Some(cause) = cause {
        let reason = card.as_ref().map(|card| card.text.clone());
        state.object(
            cause,
            Words {
                reason,
                basis: None,
                part: read.part,
            },
        );
    }
    if fault!(FindingIsARefusals) {
        state.cells.set_deny_card(card.clone().map(Box::new));
    }
    state.cells.set_ask_card(card.map(Box::new));
    Flow::Next
}

fn bare_card(reads: ShellReads, text: &str) -> Card {
    Card {
        finding: Text::new(reads.word()),
        text: Text::new(text),
    }
}

/// Station 11.
pub(in crate::gate) fn write_protection(state: &mut State) -> Flow {
    if state.is_wired(Seat::WriteJudge) {
        return Flow::Ask(Question::WriteJudge(state.subject()));
    }
    protected(state, WriteProtection::None)
}

pub(in crate::gate) fn write_judged(state: &mut State, reply: Reply<WriteProtection>) -> Flow {
    let judged = reply.unwrap_or_else(|failure| {
        state.seat_failed(Seat::WriteJudge, &failure);
        WriteProtection::Unresolved
    });
    protected(state, judged)
}

/// The cause is added once, from the stricter of both judges, whichever of them is wired.
fn protected(state: &mut State, judged: WriteProtection) -> Flow {
    let found = *state.cells.write_protection();
    let stricter = if fault!(LaxerJudgeCounts) {
        found.min(judged)
    } else {
        found.max(judged)
    };
    state.cells.set_write_protection(stricter);
    let (cause, reason) = match stricter {
        WriteProtection::None => return Flow::Next,
        WriteProtection::Matched => (Cause::WriteProtected, "the target is write-protected"),
        WriteProtection::Unresolved => (
            Cause::WriteUnresolved,
            "whether the target is write-protected is not known",
        ),
    };
    state.object(cause, Words::because(reason));
    if state.is_edit_round() && !fault!(EditedTargetUnjudged) {
        let reason = format!("the call was edited, and {reason}");
        return state.deny(DeniedBy::WriteProtection, Some(reason.into()), None);
    }
    Flow::Next
}

/// Station 12: a call about which nobody stated anything. In an edit round the yes states it.
pub(in crate::gate) fn unstated(state: &mut State) -> Flow {
    if !state.is_edit_round()
        && state.input.unstated == Unstated::Ask
        && state.verdict() == Some(Verdict::Allow)
        && *state.cells.allowed_by() == Some(AllowedBy::Default)
    {
        state.object(Cause::Unstated, Words::default());
    }
    Flow::Next
}
