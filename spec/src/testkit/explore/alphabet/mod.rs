//! The abstract alphabets: for each question, the answers that any table tells apart.

mod endings;
mod findings;
mod hooks;
mod judges;

use std::collections::BTreeSet;
use std::sync::Arc;

use gatefold::gate::{
    Answer, Args, AskQuestion, HookQuestion, JudgeQuestion, Member, ParkQuestion, ParkSite,
    Question, Reply, ResolveQuestion, Seat, SeatFailure, Subject,
};

use super::world::World;

pub(super) use findings::REFUSED;

/// How many of a seat's answers are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breadth {
    /// One answer of each kind that changes what comes next.
    Reduced,
    /// Every answer that any table tells apart.
    Full,
}

/// An answer, with the names under which scripts and marks know it: one, or one a hook.
#[derive(Clone, Debug)]
pub struct Letter {
    /// Its names.
    pub names: Vec<&'static str>,
    /// The answer.
    pub answer: Answer,
}

impl Letter {
    /// All its names.
    pub fn name(&self) -> String {
        self.names.join(" | ")
    }
}

/// Named values of one seat.
type Named<T> = Vec<(&'static str, T)>;

/// Every answer to try to this question, always in the same order.
pub fn alphabet(question: &Question, world: &World) -> Vec<Letter> {
    letters(question, world, world.breadth == Breadth::Full)
}

fn letters(question: &Question, world: &World, full: bool) -> Vec<Letter> {
    match question {
        Question::Hook(question) => hooks::hook(question, &world.pool, full),
        Question::Describe(_) => with_failures(findings::describe(full), Answer::Describe),
        Question::Adjudicate(question) => with_failures(
            judges::adjudicate(question, world, full),
            Answer::Adjudicate,
        ),
        Question::Probe(_) => with_failures(findings::probe(full), Answer::Probe),
        Question::Egress(_) => with_failures(findings::egress(), Answer::Egress),
        Question::ShellRead(_) => with_failures(findings::shell_read(full), Answer::ShellRead),
        Question::WriteJudge(_) => with_failures(findings::write_judge(), Answer::WriteJudge),
        Question::Org(question) => with_failures(judges::org(question, full), Answer::Org),
        Question::Rules(question) => with_failures(judges::rules(question, full), Answer::Rules),
        Question::Classify(_) => with_failures(endings::classify(full), Answer::Classify),
        Question::Sandbox(_) => with_failures(endings::sandbox(full), Answer::Sandbox),
        Question::Present(subject) => {
            with_failures(endings::present(&subject.args), Answer::Present)
        }
        Question::Park(_) => with_failures(endings::park(), Answer::Park),
        Question::Resolve(question) => with_failures(
            endings::resolve(&question.ask.args, world, full),
            Answer::Resolve,
        ),
    }
}

/// Every seat with every name of its full alphabet, for whoever counts that each was tried.
pub fn every_letter(world: &World) -> BTreeSet<(Seat, &'static str)> {
    let widest = Seat::ALL.iter().map(|seat| widest(*seat, world));
    let letters = widest.flat_map(|question| {
        let seat = question.seat();
        let names = letters(&question, world, true)
            .into_iter()
            .flat_map(|letter| letter.names);
        names.map(move |name| (seat, name)).collect::<Vec<_>>()
    });
    letters.collect()
}

/// A question of this seat that leaves no letter out: two members, two forms, two guards.
fn widest(seat: Seat, world: &World) -> Question {
    let args: &Args = &world.pool.asked;
    let subject = || Subject {
        args: args.clone(),
        round: 0,
    };
    let judge = || JudgeQuestion {
        original: Some(world.pool.hook.clone()),
        current: args.clone(),
        members: Arc::new([Member::default(), Member::default()]),
        round: 0,
    };
    let ask = || AskQuestion {
        args: args.clone(),
        round: 0,
        origin: None,
        askers: Vec::new(),
    };
    match seat {
        Seat::Hook => Question::Hook(HookQuestion {
            args: args.clone(),
            round: 0,
            hooks: hooks::widest(),
            again: false,
        }),
        Seat::Describe => Question::Describe(subject()),
        Seat::Adjudicate => Question::Adjudicate(judge()),
        Seat::Probe => Question::Probe(subject()),
        Seat::Egress => Question::Egress(subject()),
        Seat::ShellRead => Question::ShellRead(subject()),
        Seat::WriteJudge => Question::WriteJudge(subject()),
        Seat::Org => Question::Org(judge()),
        Seat::Rules => Question::Rules(judge()),
        Seat::Classify => Question::Classify(ask()),
        Seat::Sandbox => Question::Sandbox(subject()),
        Seat::Present => Question::Present(subject()),
        Seat::Park => Question::Park(ParkQuestion {
            ask: ask(),
            site: ParkSite::Standing,
        }),
        Seat::Resolve => Question::Resolve(ResolveQuestion {
            ask: ask(),
            offer: None,
            shown: None,
            park_failed: None,
            resumed: false,
        }),
    }
}

/// Every way in which a seat fails.
pub(super) fn failures() -> [(&'static str, SeatFailure); 3] {
    [
        ("threw", SeatFailure::threw("crash")),
        ("timed_out", SeatFailure::TimedOut),
        ("aborted", SeatFailure::Aborted),
    ]
}

fn with_failures<T>(answers: Named<T>, answer: impl Fn(Reply<T>) -> Answer) -> Vec<Letter> {
    let answered = answers
        .into_iter()
        .map(|(name, value)| (vec![name], Ok(value)));
    with_failures_of(answered.collect(), answer)
}

fn with_failures_of<T>(
    answers: Vec<(Vec<&'static str>, Reply<T>)>,
    answer: impl Fn(Reply<T>) -> Answer,
) -> Vec<Letter> {
    let failed = failures().map(|(name, failure)| (vec![name], Err(failure)));
    let all = answers.into_iter().chain(failed);
    all.map(|(names, reply)| Letter {
        names,
        answer: answer(reply),
    })
    .collect()
}
