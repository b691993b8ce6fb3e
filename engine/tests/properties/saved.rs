//! What changes nothing: saving and loading, misuse, running again, the spelling of args, and the
//! order in which hooks finish.

use gatefold::gate::{
    Adjudication, Answer, Form, HookId, HookOutcome, HookReceipt, Judgement, OrgRuling, Pass,
    PolicyRuling, Question, Record, RuleRuling, SealKey, Seat, SeatFailure, Step, Suspended,
    Ticket, TicketBook,
};

use crate::run::{Account, AsAnswered, Conduct, Run, Verdict, ensure, run};
use crate::runner::{Met, check};
use crate::world::{Stage, World, worlds};

/// The key of every seal here.
pub(crate) fn seal_key() -> SealKey {
    SealKey::new(&[7; 32]).expect("the key is long enough")
}

/// GATE-006: a pass that is saved and loaded at every question, and parked passes, tickets and
/// books with it, is asked the same and ends in the same bytes.
#[test]
fn saving_and_loading_changes_nothing() {
    check("saving_and_loading_changes_nothing", worlds(), |world| {
        let stage = Stage::of(world);
        let plain = run(&stage, &mut AsAnswered)?;
        let saved = run(&stage, &mut Saved { key: seal_key() })?;
        same(&plain, &saved)?;
        let record = plain.finished().ok_or("the pass ended")?.record();
        let receipt = record
            .seal(&seal_key())
            .map_err(|error| error.to_string())?;
        let opened = Record::open(&receipt, &seal_key()).map_err(|error| error.to_string())?;
        ensure!(opened == record, "the receipt holds another record");
        Ok(())
    });
}

/// Carries the pass through bytes wherever it waits.
struct Saved {
    key: SealKey,
}

impl Conduct for Saved {
    fn before(&mut self, pass: Pass) -> Result<Pass, String> {
        let text = |error: gatefold::gate::SealError| error.to_string();
        let sealed = pass.save(&self.key).map_err(text)?;
        let loaded = Pass::load(&sealed, &self.key).map_err(text)?;
        ensure!(
            loaded.question() == pass.question(),
            "another question is open"
        );
        ensure!(loaded.digest() == pass.digest(), "another state");
        ensure!(loaded.pending() == pass.pending(), "another record stands");
        ensure!(loaded.reason() == pass.reason(), "another reason stands");
        ensure!(
            loaded.save(&self.key).map_err(text)? == sealed,
            "other bytes"
        );
        Ok(loaded)
    }

    fn parked(&mut self, stage: &Stage<'_>, suspended: Suspended) -> Result<Option<Step>, String> {
        let text = |error: gatefold::gate::SealError| error.to_string();
        let Suspended { ticket, parked } = suspended;
        let sealed = parked.save(&self.key).map_err(text)?;
        let loaded = gatefold::gate::Parked::load(&sealed, &self.key).map_err(text)?;
        ensure!(loaded.record() == parked.record(), "another record stands");
        let ticket_saved = ticket.save(&self.key).map_err(text)?;
        let ticket = Ticket::load(&ticket_saved, &self.key).map_err(text)?;
        let mut book = TicketBook::new();
        book.open(&ticket).map_err(|error| error.to_string())?;
        let mut book =
            TicketBook::load(&book.save(&self.key).map_err(text)?, &self.key).map_err(text)?;
        let step = if stage.world.resumed {
            loaded.resume(&ticket, &mut book, &stage.input)
        } else {
            loaded.cancel(&ticket, &mut book)
        };
        step.map(Some).map_err(|misuse| misuse.to_string())
    }
}

/// GATE-007: an answer of another seat, or about a hook, form or member that was not asked about,
/// is refused with its code and gives the pass back unchanged.
#[test]
fn misuse_changes_nothing() {
    let met = Met::default();
    check("misuse_changes_nothing", worlds(), |world| {
        let stage = Stage::of(world);
        let plain = run(&stage, &mut AsAnswered)?;
        let misused = run(
            &stage,
            &mut Misused {
                key: seal_key(),
                met: &met,
            },
        )?;
        same(&plain, &misused)
    });
    met.tell("answers misused");
}

/// Gives every wrong answer before each right one.
struct Misused<'a> {
    key: SealKey,
    met: &'a Met,
}

impl Conduct for Misused<'_> {
    fn before(&mut self, mut pass: Pass) -> Result<Pass, String> {
        let before = pass.save(&self.key).map_err(|error| error.to_string())?;
        for (wrong, code) in misuses(pass.question()) {
            let question = pass.question().clone();
            let told = format!("{wrong:?}");
            let Err(misuse) = pass.answer(wrong) else {
                return Err(format!("taken as an answer: {told}"));
            };
            self.met.once();
            ensure!(
                misuse.code() == code,
                "{} is not {code}: {told}",
                misuse.code()
            );
            pass = misuse.into_pass();
            ensure!(
                *pass.question() == question,
                "another question is open after {told}"
            );
        }
        let after = pass.save(&self.key).map_err(|error| error.to_string())?;
        ensure!(before == after, "the pass changed");
        Ok(pass)
    }
}

fn misuses(question: &Question) -> Vec<(Answer, &'static str)> {
    let mut wrong = Vec::new();
    let others = Seat::ALL.iter().filter(|seat| **seat != question.seat());
    for (nth, seat) in others.enumerate() {
        let failures = [
            SeatFailure::Aborted,
            SeatFailure::TimedOut,
            SeatFailure::threw("it broke"),
        ];
        wrong.push((
            Answer::failed(*seat, failures[nth % failures.len()].clone()),
            "wrong_seat",
        ));
    }
    let others = crate::replies::well_formed(&other_question(question));
    wrong.extend(
        others
            .into_iter()
            .take(1)
            .map(|answer| (answer, "wrong_seat")),
    );
    match question {
        Question::Hook(_) => {
            let stranger = HookReceipt {
                hook: HookId::from("h9"),
                outcome: HookOutcome::TimedOut,
            };
            wrong.push((Answer::Hook(Ok(vec![stranger])), "unknown_hook"));
        }
        Question::Adjudicate(asked) => {
            for (form, member, code) in strangers(asked) {
                let judgements = vec![judgement(form, member, PolicyRuling::Deny)];
                let answer = Adjudication {
                    judgements,
                    ..Adjudication::default()
                };
                wrong.push((Answer::Adjudicate(Ok(answer)), code));
            }
        }
        Question::Org(asked) => {
            for (form, member, code) in strangers(asked) {
                let judgements = vec![judgement(form, member, OrgRuling::Deny)];
                wrong.push((Answer::Org(Ok(judgements)), code));
            }
        }
        Question::Rules(asked) => {
            for (form, member, code) in strangers(asked) {
                let judgements = vec![judgement(form, member, RuleRuling::Deny)];
                wrong.push((Answer::Rules(Ok(judgements)), code));
            }
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
        | Question::Resolve(_) => {}
    }
    wrong
}

/// A question of some other seat, to be answered in place of the open one.
fn other_question(question: &Question) -> Question {
    let subject = gatefold::gate::Subject {
        args: question.args().clone(),
        round: 0,
    };
    match question {
        Question::Egress(_) => Question::Probe(subject),
        _ => Question::Egress(subject),
    }
}

fn strangers(asked: &gatefold::gate::JudgeQuestion) -> Vec<(Form, u8, &'static str)> {
    let past = u8::try_from(asked.members.len()).expect("a lineage is short");
    let mut strangers = vec![(Form::Current, past, "unknown_member")];
    if asked.original.is_none() {
        strangers.push((Form::Original, 0, "unknown_form"));
    }
    strangers
}

fn judgement<R>(form: Form, member: u8, ruling: R) -> Judgement<R> {
    Judgement {
        form,
        member,
        ruling,
        reason: None,
        basis: None,
    }
}

/// GATE-008: the same input and answers give the same bytes, however the args are spelled: the
/// order of keys, white space and escapes do not matter.
#[test]
fn the_same_answers_give_the_same_bytes() {
    check("the_same_answers_give_the_same_bytes", worlds(), |world| {
        let plain = run(&Stage::of(world), &mut AsAnswered)?;
        let again = run(&Stage::of(&world.clone()), &mut AsAnswered)?;
        same(&plain, &again)?;
        let respelled = World {
            respelled: true,
            ..world.clone()
        };
        let respelled = run(&Stage::of(&respelled), &mut AsAnswered)?;
        same(&plain, &respelled)
    });
}

/// GATE-012: the order in which hooks finish, and a receipt that comes twice, change nothing.
#[test]
fn the_order_and_copies_of_receipts_change_nothing() {
    let met = Met::default();
    check(
        "the_order_and_copies_of_receipts_change_nothing",
        worlds(),
        |world| {
            let stage = Stage::of(world);
            let plain = run(&stage, &mut AsAnswered)?;
            if world.hooks.len() < 2 {
                return Ok(());
            }
            met.once();
            for turns in 0..world.hooks.len() {
                for backwards in [false, true] {
                    let shuffled = run(&stage, &mut Shuffled { turns, backwards })?;
                    same(&plain, &shuffled)?;
                }
            }
            Ok(())
        },
    );
    met.tell("worlds with several hooks");
}

/// Delivers receipts in another order, and one of them twice.
struct Shuffled {
    turns: usize,
    backwards: bool,
}

impl Conduct for Shuffled {
    fn answer(&mut self, _: usize, _: &Question, answer: Answer) -> Answer {
        let Answer::Hook(Ok(mut receipts)) = answer else {
            return answer;
        };
        let turns = self.turns.checked_rem(receipts.len()).unwrap_or(0);
        receipts.rotate_left(turns);
        if self.backwards {
            receipts.reverse();
        }
        let copy = receipts.first().cloned();
        receipts.extend(copy);
        Answer::Hook(Ok(receipts))
    }
}

fn same(one: &Run, other: &Run) -> Verdict {
    let (left, right) = (Account::of(one), Account::of(other));
    ensure!(left == right, "{left:#?}\nis not\n{right:#?}");
    Ok(())
}
