//! Scripts: the moves that lead to a state, as places in its alphabets, and their replay.

use gatefold::gate::{Finished, GateResult, Pass, Step, Suspended, TicketBook, begin};

use super::alphabet::alphabet;
use super::world::World;

/// One move: the place of a letter in its alphabet, or one of these.
pub(super) type Move = u16;

/// `Pass::abort`.
pub(super) const ABORT: Move = Move::MAX;
/// `Parked::resume`.
pub(super) const RESUME: Move = Move::MAX - 1;
/// `Parked::cancel`.
pub(super) const CANCEL: Move = Move::MAX - 2;

/// What a script leads to.
#[derive(Debug)]
pub(super) enum Led {
    /// A question.
    Asks(Pass),
    /// The end.
    Ended(Box<Finished>),
    /// A parked pass.
    Away(Box<Suspended>),
    /// Nowhere: the script is not one of this world.
    Nowhere,
}

fn led(step: Step) -> Led {
    match step {
        Step::Need(pass) => Led::Asks(pass),
        Step::Defect(_) => Led::Nowhere,
        Step::Done(result) => match *result {
            GateResult::Finished(finished) => Led::Ended(Box::new(finished)),
            GateResult::Suspended(suspended) => Led::Away(Box::new(suspended)),
        },
    }
}

/// Plays a script from the beginning: what it leads to, and its moves in words.
pub(super) fn replay(world: &World, traced: bool, script: &[Move]) -> (Led, Vec<String>) {
    let input = if traced { &world.traced } else { &world.input };
    let mut names = Vec::new();
    let mut at = led(begin(input.clone()));
    for step in script {
        at = match at {
            Led::Asks(pass) if *step == ABORT => {
                names.push(format!("abort() at {}", pass.question().seat()));
                led(pass.abort())
            }
            Led::Asks(pass) => {
                let mut letters = alphabet(pass.question(), world);
                let place = usize::from(*step);
                if place >= letters.len() {
                    return (Led::Nowhere, names);
                }
                let letter = letters.swap_remove(place);
                names.push(format!("{}: {}", pass.question().seat(), letter.name()));
                pass.answer(letter.answer).map_or(Led::Nowhere, led)
            }
            Led::Away(suspended) => {
                names.push(
                    if *step == CANCEL {
                        "cancel()"
                    } else {
                        "resume()"
                    }
                    .into(),
                );
                let Suspended { ticket, parked } = *suspended;
                let mut book = TicketBook::new();
                let opened = book.open(&ticket).is_ok();
                let gone = match *step {
                    CANCEL => parked.cancel(&ticket, &mut book),
                    _ => parked.resume(&ticket, &mut book, input),
                };
                gone.ok().filter(|_| opened).map_or(Led::Nowhere, led)
            }
            Led::Ended(_) | Led::Nowhere => return (Led::Nowhere, names),
        };
    }
    (at, names)
}
