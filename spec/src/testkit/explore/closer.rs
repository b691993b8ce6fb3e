//! A closer look at one state: misuse, saving and loading, delivery in another order, and tickets
//! that must be refused.

use gatefold::gate::{
    Answer, Form, HookOutcome, HookReceipt, Judgement, OrgRuling, ParkMisuseKind, Parked, Pass,
    Question, RuleRuling, SealKey, Seat, SeatFailure, Step, Text, Ticket, TicketBook,
};

use super::alphabet::alphabet;
use super::world::{World, ruled};

/// An answer that the pass cannot take leaves it as it was.
pub(super) fn misuse(pass: &Pass) -> Result<(), &'static str> {
    let before = pass.digest();
    let wrong = [
        Some(of_another_seat(pass.question())),
        not_asked_about(pass.question()),
    ];
    for answer in wrong.into_iter().flatten() {
        let refused = pass.fork().answer(answer).err();
        let after = refused.map(|misuse| misuse.into_pass().digest());
        if after != Some(before) {
            return Err("GATE-007");
        }
    }
    Ok(())
}

fn of_another_seat(question: &Question) -> Answer {
    let place = Seat::ALL.iter().position(|seat| *seat == question.seat());
    let other = place.map_or(0, |place| (place + 1) % Seat::ALL.len());
    failed(Seat::ALL[other])
}

/// An answer about a hook or a member that was not asked about, of the seats that have such.
fn not_asked_about(question: &Question) -> Option<Answer> {
    let judged = |answer: fn(u8) -> Answer| Some(answer(u8::MAX));
    match question {
        Question::Hook(_) => {
            let outcome = HookOutcome::Threw(Text::new("crash"));
            Some(Answer::Hook(Ok(vec![HookReceipt {
                hook: "nobody's".into(),
                outcome,
            }])))
        }
        Question::Adjudicate(_) => judged(|member| {
            let ruling = gatefold::gate::PolicyRuling::Deny;
            Answer::Adjudicate(Ok(ruled(vec![judgement(member, ruling)])))
        }),
        Question::Org(_) => {
            judged(|member| Answer::Org(Ok(vec![judgement(member, OrgRuling::Deny)])))
        }
        Question::Rules(_) => {
            judged(|member| Answer::Rules(Ok(vec![judgement(member, RuleRuling::Deny)])))
        }
        Question::Describe(_)
        | Question::Probe(_)
        | Question::Egress(_)
        | Question::ShellRead(_)
        | Question::WriteJudge(_)
        | Question::Classify(_)
        | Question::Sandbox(_)
        | Question::Present(_)
        | Question::Park(_)
        | Question::Resolve(_) => None,
    }
}

const fn judgement<R>(member: u8, ruling: R) -> Judgement<R> {
    Judgement {
        form: Form::Current,
        member,
        ruling,
        reason: None,
        basis: None,
    }
}

fn failed(seat: Seat) -> Answer {
    let failure = SeatFailure::TimedOut;
    match seat {
        Seat::Hook => Answer::Hook(Err(failure)),
        Seat::Describe => Answer::Describe(Err(failure)),
        Seat::Adjudicate => Answer::Adjudicate(Err(failure)),
        Seat::Probe => Answer::Probe(Err(failure)),
        Seat::Egress => Answer::Egress(Err(failure)),
        Seat::ShellRead => Answer::ShellRead(Err(failure)),
        Seat::WriteJudge => Answer::WriteJudge(Err(failure)),
        Seat::Org => Answer::Org(Err(failure)),
        Seat::Rules => Answer::Rules(Err(failure)),
        Seat::Classify => Answer::Classify(Err(failure)),
        Seat::Sandbox => Answer::Sandbox(Err(failure)),
        Seat::Present => Answer::Present(Err(failure)),
        Seat::Park => Answer::Park(Err(failure)),
        Seat::Resolve => Answer::Resolve(Err(failure)),
    }
}

/// A pass that was saved and loaded is the pass that it was.
pub(super) fn saved(pass: &Pass, key: &SealKey) -> Result<(), &'static str> {
    let loaded = pass.save(key).and_then(|sealed| Pass::load(&sealed, key));
    match loaded {
        Ok(loaded) if loaded.digest() == pass.digest() => Ok(()),
        Ok(_) | Err(_) => Err("GATE-006"),
    }
}

/// Receipts that come in another order, and each twice, change nothing.
pub(super) fn delivered(pass: &Pass, world: &World) -> Result<(), &'static str> {
    if !matches!(pass.question(), Question::Hook(_)) {
        return Ok(());
    }
    for letter in alphabet(pass.question(), world) {
        let Answer::Hook(Ok(receipts)) = &letter.answer else {
            continue;
        };
        let back = receipts.iter().rev();
        let twice = Answer::Hook(Ok(back.chain(receipts).cloned().collect()));
        let steps = [letter.answer.clone(), twice].map(|answer| pass.fork().answer(answer));
        let [Ok(once), Ok(twice)] = steps else {
            return Err("GATE-012");
        };
        if account(&once) != account(&twice) {
            return Err("GATE-012");
        }
    }
    Ok(())
}

/// What tells two steps apart.
fn account(step: &Step) -> String {
    match step {
        Step::Need(pass) => pass.digest().to_string(),
        Step::Defect(defect) => defect.to_string(),
        Step::Done(result) => match &**result {
            gatefold::gate::GateResult::Finished(finished) => finished.record().to_json(),
            gatefold::gate::GateResult::Suspended(parked) => parked.ticket.id().to_string(),
        },
    }
}

/// A ticket that was not opened, and one whose input has changed, are refused, and both the parked
/// pass and the book are as they were. Gives the parked pass back with its ticket opened.
pub(super) fn refused(
    world: &World,
    parked: Parked,
    ticket: &Ticket,
    book: &mut TicketBook,
) -> Option<Parked> {
    let record = parked.record();
    let misuse = parked.resume(ticket, book, &world.input).err()?;
    let not_opened = misuse.kind() == ParkMisuseKind::NotOpened;
    book.open(ticket).ok()?;
    let before = book.clone();
    let misuse = misuse
        .into_parked()
        .resume(ticket, book, &world.stale)
        .err()?;
    let stale = misuse.kind() == ParkMisuseKind::Stale;
    let parked = misuse.into_parked();
    (not_opened && stale && *book == before && parked.record() == record).then_some(parked)
}
