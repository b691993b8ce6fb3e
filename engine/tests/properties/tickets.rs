//! Parked passes and their tickets: one book, one settlement.

use gatefold::gate::{
    DeniedBy, GateResult, ParkMisuse, Parked, SealKey, Step, Suspended, Ticket, TicketBook,
    TicketState, Unanswered, Verdict as Word, begin,
};
use proptest::prelude::*;

use crate::run::{AsAnswered, Verdict, ensure, fields, go_on};
use crate::runner::{Met, check};
use crate::saved::seal_key;
use crate::world::{PARK, Stage, World, worlds};

/// Worlds whose park seat is wired, with what is tried on copies of a parked pass.
fn attempts() -> impl Strategy<Value = (World, Vec<bool>)> {
    let parking = worlds().prop_map(|world| World {
        wiring: world.wiring | PARK,
        ..world
    });
    (parking, proptest::collection::vec(any::<bool>(), 1..5))
}

/// GATE-001 for tickets: of any number of copies of a parked pass, resumed or cancelled in any
/// order with one book, exactly one goes on; the others, and a ticket that is foreign, stale or was
/// never opened, are refused, nothing runs and the book stays as it is.
#[test]
fn one_book_settles_a_ticket_once() {
    let met = Met::default();
    check(
        "one_book_settles_a_ticket_once",
        attempts(),
        |(world, attempts)| {
            let stage = Stage::of(world);
            let Some(suspended) = first_park(&stage)? else {
                return Ok(());
            };
            met.once();
            let Suspended { ticket, parked } = suspended;
            waits(&parked, &ticket)?;
            let sealed = parked
                .save(&seal_key())
                .map_err(|error| error.to_string())?;
            let mut book = TicketBook::new();
            refuses(&stage, &sealed, &ticket, &mut book, "ticket_not_opened")?;
            book.open(&ticket).map_err(|error| error.to_string())?;
            foreign_and_stale(world, &sealed, &ticket, &mut book)?;
            let mut went_on = None;
            for resumes in attempts {
                book = reread(&book)?;
                let before = book.clone();
                match attempt(&stage, copy(&sealed)?, &ticket, &mut book, *resumes) {
                    Ok(step) => {
                        ensure!(went_on.is_none(), "a second copy went on");
                        went_on = Some((step, *resumes));
                    }
                    Err(misuse) => {
                        ensure!(went_on.is_some(), "the first copy was refused: {misuse}");
                        ensure!(misuse.code() == "ticket_settled", "{}", misuse.code());
                        ensure!(book == before, "a refused attempt changed the book");
                    }
                }
            }
            ensure!(
                book.state(&ticket) == Some(TicketState::Settled),
                "the ticket is not settled"
            );
            ensure!(
                book.open(&ticket).is_err(),
                "a settled ticket was opened again"
            );
            let (step, resumed) = went_on.ok_or("no copy went on")?;
            ends(&stage, step, resumed, &sealed, &ticket, &book)
        },
    );
    met.tell("parked passes");
}

/// A parked pass has no outcome: its record is an ask's.
fn waits(parked: &Parked, ticket: &Ticket) -> Verdict {
    let record = parked.record();
    let fields = record.fields();
    ensure!(
        fields.verdict == Word::Ask,
        "a parked pass says {}",
        fields.verdict
    );
    ensure!(
        fields.denied_by.is_none() && fields.allowed_by.is_none(),
        "it was decided"
    );
    ensure!(fields.settled.is_none(), "it was settled");
    ensure!(
        fields.ticket == Some(ticket.id()),
        "its record names another ticket"
    );
    Ok(())
}

fn foreign_and_stale(
    world: &World,
    sealed: &str,
    ticket: &Ticket,
    book: &mut TicketBook,
) -> Verdict {
    let other = World {
        call: world.call + 1,
        ..world.clone()
    };
    let other = Stage::of(&other);
    if let Some(foreign) = first_park(&other)? {
        book.open(&foreign.ticket)
            .map_err(|error| error.to_string())?;
        refuses(&other, sealed, &foreign.ticket, book, "ticket_foreign")?;
    }
    let mut stale = vec![
        World {
            policy: 1,
            ..world.clone()
        },
        World {
            denials: world.denials + 1,
            ..world.clone()
        },
        World {
            leg: !world.leg,
            ..world.clone()
        },
    ];
    let mut locked = world.clone();
    locked.members.last_mut().expect("there is a caller").lock = true;
    stale.push(locked);
    for changed in &stale {
        refuses(&Stage::of(changed), sealed, ticket, book, "ticket_stale")?;
    }
    Ok(())
}

/// Resuming is refused with this code, gives the parked pass back, and leaves the book.
fn refuses(
    now: &Stage<'_>,
    sealed: &str,
    ticket: &Ticket,
    book: &mut TicketBook,
    code: &str,
) -> Verdict {
    let before = book.clone();
    let Err(misuse) = copy(sealed)?.resume(ticket, book, &now.input) else {
        return Err(format!("resumed in spite of {code}"));
    };
    ensure!(misuse.code() == code, "{} is not {code}", misuse.code());
    ensure!(*book == before, "the book changed at {code}");
    let kept = misuse
        .into_parked()
        .save(&seal_key())
        .map_err(|error| error.to_string())?;
    ensure!(kept == sealed, "the parked pass changed at {code}");
    Ok(())
}

/// The copy that went on ends in one outcome; a second park has a ticket of its own.
fn ends(
    stage: &Stage<'_>,
    step: Step,
    resumed: bool,
    sealed: &str,
    ticket: &Ticket,
    book: &TicketBook,
) -> Verdict {
    if !resumed {
        let Step::Done(result) = step else {
            return Err("a cancelled pass went on".into());
        };
        let GateResult::Finished(finished) = *result else {
            return Err("a cancelled pass was parked".into());
        };
        let record = fields(&finished);
        ensure!(
            record.denied_by == Some(DeniedBy::AskResolution),
            "{:?}",
            record.denied_by
        );
        let why = record.settled.and_then(|settled| settled.why);
        ensure!(why == Some(Unanswered::Aborted), "settled {why:?}");
        return Ok(());
    }
    let Step::Need(pass) = step else {
        return Err("a resumed pass asks its person".into());
    };
    let asked = pass.question().seat();
    ensure!(
        asked == gatefold::gate::Seat::Resolve,
        "a resumed pass asks {asked}"
    );
    match until_park(stage, Step::Need(pass))? {
        Some(Suspended {
            ticket: second,
            parked,
        }) => {
            ensure!(
                second.id() != ticket.id(),
                "a second park under the same ticket"
            );
            let mut book = book.clone();
            book.open(&second).map_err(|error| error.to_string())?;
            refuses(stage, sealed, &second, &mut book, "ticket_foreign")?;
            let again = parked
                .save(&seal_key())
                .map_err(|error| error.to_string())?;
            refuses(stage, &again, ticket, &mut book, "ticket_foreign")?;
            let step = parked.resume(&second, &mut book, &stage.input);
            let step = step.map_err(|misuse| misuse.to_string())?;
            let run = go_on(stage, step, &mut AsAnswered)?;
            ensure!(run.finished().is_some(), "a resumed pass did not end");
            Ok(())
        }
        None => Ok(()),
    }
}

/// A ticket is bound to the policy, the lineage and the settings, but not to the wiring, the time
/// or the book: a host that wires other seats now may still answer the ask.
#[test]
fn other_wiring_does_not_make_a_ticket_stale() {
    check(
        "other_wiring_does_not_make_a_ticket_stale",
        attempts(),
        |(world, _)| {
            let stage = Stage::of(world);
            let Some(Suspended { ticket, parked }) = first_park(&stage)? else {
                return Ok(());
            };
            let now = World {
                wiring: 0,
                priors: Vec::new(),
                ..world.clone()
            };
            let mut book = TicketBook::new();
            book.open(&ticket).map_err(|error| error.to_string())?;
            let step = parked.resume(&ticket, &mut book, &Stage::of(&now).input);
            step.map(|_| ()).map_err(|misuse| misuse.to_string())
        },
    );
}

fn attempt(
    stage: &Stage<'_>,
    parked: Parked,
    ticket: &Ticket,
    book: &mut TicketBook,
    resumes: bool,
) -> Result<Step, ParkMisuse> {
    if resumes {
        parked.resume(ticket, book, &stage.input)
    } else {
        parked.cancel(ticket, book)
    }
}

fn copy(sealed: &str) -> Result<Parked, String> {
    Parked::load(sealed, &seal_key()).map_err(|error| error.to_string())
}

fn reread(book: &TicketBook) -> Result<TicketBook, String> {
    let key: SealKey = seal_key();
    let sealed = book.save(&key).map_err(|error| error.to_string())?;
    TicketBook::load(&sealed, &key).map_err(|error| error.to_string())
}

fn first_park(stage: &Stage<'_>) -> Result<Option<Suspended>, String> {
    until_park(stage, begin(stage.input.clone()))
}

/// Answers from this step on until the ask is taken away, or the pass ends.
fn until_park(stage: &Stage<'_>, mut step: Step) -> Result<Option<Suspended>, String> {
    loop {
        match step {
            Step::Need(pass) => {
                let answer = stage.answer(pass.question());
                step = pass.answer(answer).map_err(|misuse| misuse.to_string())?;
            }
            Step::Defect(defect) => return Err(defect.to_string()),
            Step::Done(result) => {
                return Ok(match *result {
                    GateResult::Suspended(suspended) => Some(suspended),
                    GateResult::Finished(_) => None,
                });
            }
        }
    }
}
