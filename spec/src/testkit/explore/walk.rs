//! The walk: breadth first over every answer to every question, each state once.
//!
//! A state is the digest of the pass together with what the monitor remembers.

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use gatefold::gate::{
    Finished, GateResult, Parked, Pass, Question, SealKey, Step, Suspended, TicketBook, begin,
};

use super::alphabet::{Letter, alphabet};
use super::checks::{Check, How, Traced};
use super::edge::{Edge, End, Leads, Stop};
use super::judge::{Bench, Judge};
use super::marks::Mark;
use super::monitor::{Ear, Key, Monitor};
use super::script::{ABORT, CANCEL, Led, Move, RESUME, replay};
use super::tally::Tally;
use super::world::World;

/// How a walk is done.
#[derive(Clone, Copy, Debug)]
pub struct Walk<'a> {
    /// The tables.
    pub judge: &'a Judge,
    /// What is checked.
    pub checks: &'a [Check],
    /// On how many threads each level is walked.
    pub threads: usize,
    /// One state in so many is saved and loaded.
    pub saved_in: u8,
    /// One state in so many is replayed from the beginning, and so are the ends of its answers,
    /// with a trace. Which states are chosen depends on their digests alone.
    pub replayed_in: u8,
}

/// A pass on the frontier, and how it was come by.
pub(super) struct Node {
    pub(super) pass: Pass,
    key: Key,
    monitor: Monitor,
    script: Vec<Move>,
}

impl Node {
    /// Whether it is one of the states that are looked at more closely: the first, and one in so
    /// many of the others, by a byte of their digests.
    fn is_one_in(&self, many: u8, byte: usize) -> bool {
        self.script.is_empty() || self.key.0[byte].is_multiple_of(many)
    }
}

const SHARDS: usize = 64;

/// The states that were seen, in shards so that walkers seldom wait for one another.
pub(super) struct Visited(Vec<Mutex<HashSet<Key>>>);

impl Visited {
    pub(super) fn new() -> Self {
        Self((0..SHARDS).map(|_| Mutex::new(HashSet::new())).collect())
    }

    fn is_new(&self, key: Key) -> bool {
        let shard = &self.0[usize::from(key.0[0]) % SHARDS];
        shard.lock().is_ok_and(|mut seen| seen.insert(key))
    }
}

/// Frontiers up to this size are walked on one thread.
const NARROW: usize = 256;

/// A frontier is walked in parts of this size, so that a long level is heard of.
const PART: usize = 8_192;

impl Walk<'_> {
    /// Walks one world to its end; `told` hears now and then how far it is.
    pub fn world(&self, world: &World, told: &dyn Fn(&Tally)) -> Tally {
        let visited = Visited::new();
        let mut next = Vec::new();
        let mut walker = Walker::new(self, world, &visited);
        walker.begin(&mut next);
        let mut tally = walker.done();
        while !next.is_empty() {
            let frontier = std::mem::take(&mut next);
            for part in frontier.chunks(PART) {
                for (seen, found) in self.level(world, &visited, part) {
                    tally.add(seen);
                    next.extend(found);
                }
                told(&tally);
            }
        }
        tally.put_in_words(|script| replay(world, false, script).1);
        tally
    }

    /// Walks a part of a frontier: of each thread what it saw and what it found.
    fn level(&self, world: &World, visited: &Visited, part: &[Node]) -> Vec<(Tally, Vec<Node>)> {
        let place = AtomicUsize::new(0);
        let walk = || {
            let mut walker = Walker::new(self, world, visited);
            let mut found = Vec::new();
            while let Some(node) = part.get(place.fetch_add(1, Ordering::Relaxed)) {
                walker.expand(node, &mut found);
            }
            (walker.done(), found)
        };
        let threads = if part.len() <= NARROW {
            1
        } else {
            self.threads
        };
        if threads <= 1 {
            vec![walk()]
        } else {
            on_threads(threads, &walk)
        }
    }
}

fn on_threads<T: Send>(threads: usize, work: &(impl Fn() -> T + Sync)) -> Vec<T> {
    thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let done = handles.into_iter().map(|handle| {
            handle
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        done.collect()
    })
}

/// Whoever walks: one on each thread.
pub(super) struct Walker<'a> {
    walk: &'a Walk<'a>,
    world: &'a World,
    visited: &'a Visited,
    bench: Bench<'a>,
    key: SealKey,
    tally: Tally,
}

/// How a step was come by.
struct Came<'a> {
    before: &'a Monitor,
    exchange: Option<(&'a Question, &'a gatefold::gate::Answer)>,
    monitor: Monitor,
    script: Vec<Move>,
    traced: bool,
}

impl<'a> Walker<'a> {
    pub(super) fn new(walk: &'a Walk<'a>, world: &'a World, visited: &'a Visited) -> Self {
        let key = SealKey::new(&[7; 32]).unwrap_or_else(|error| panic!("{error}"));
        let bench = Bench::new(walk.judge);
        Self {
            walk,
            world,
            visited,
            bench,
            key,
            tally: Tally::default(),
        }
    }

    pub(super) fn done(self) -> Tally {
        let mut tally = self.tally;
        tally.marks.add(self.bench.into_marks());
        tally
    }

    pub(super) fn begin(&mut self, found: &mut Vec<Node>) {
        let came = Came {
            before: &Monitor::default(),
            exchange: None,
            monitor: Monitor::default(),
            script: Vec::new(),
            traced: true,
        };
        self.arrive(begin(self.world.input.clone()), came, found);
    }

    /// Gives every answer to the open question of a node, and aborts it.
    fn expand(&mut self, node: &Node, found: &mut Vec<Node>) {
        let question = node.pass.question();
        self.check_state(node);
        for (place, letter) in alphabet(question, self.world).into_iter().enumerate() {
            self.give(node, place, &letter, found);
        }
        self.abort(node, found);
    }

    /// Gives one answer to the open question of a node.
    pub(super) fn give(
        &mut self,
        node: &Node,
        place: usize,
        letter: &Letter,
        found: &mut Vec<Node>,
    ) {
        let question = node.pass.question();
        for name in &letter.names {
            self.bench.see(Mark::Letter(question.seat(), name));
        }
        let mut monitor = node.monitor.clone();
        let ear = Ear {
            world: self.world,
            bench: &self.bench,
        };
        monitor.hear(question, &letter.answer, &ear);
        let place = Move::try_from(place).unwrap_or(Move::MAX);
        let script = longer(&node.script, place);
        self.tally.edges += 1;
        match node.pass.fork().answer(letter.answer.clone()) {
            Ok(step) => {
                let came = Came {
                    before: &node.monitor,
                    exchange: Some((question, &letter.answer)),
                    monitor,
                    script,
                    traced: self.is_traced(node),
                };
                self.arrive(step, came, found);
            }
            Err(_) => self.violated("GATE-007", &script),
        }
    }

    /// Cancels the task of a node.
    pub(super) fn abort(&mut self, node: &Node, found: &mut Vec<Node>) {
        self.bench.see(Mark::Abort(node.pass.question().seat()));
        self.tally.edges += 1;
        let monitor = Monitor {
            aborted: true,
            ..node.monitor.clone()
        };
        let came = Came {
            before: &node.monitor,
            exchange: None,
            monitor,
            script: longer(&node.script, ABORT),
            traced: self.is_traced(node),
        };
        self.arrive(node.pass.fork().abort(), came, found);
    }

    fn is_traced(&self, node: &Node) -> bool {
        node.is_one_in(self.walk.replayed_in, 1)
    }

    /// Checks a state, closer if it is one of those.
    pub(super) fn check_state(&mut self, node: &Node) {
        self.tally.states += 1;
        let record = node.pass.pending();
        let stop = Stop {
            world: self.world,
            bench: &self.bench,
            monitor: &node.monitor,
            pass: &node.pass,
            fields: record.fields(),
        };
        let mut violated = Vec::new();
        for check in self.walk.checks {
            if let How::Stop(holds) = check.how
                && !holds(&stop)
            {
                violated.push(check.id);
            }
        }
        violated.extend(super::closer::misuse(&node.pass).err());
        if node.is_one_in(self.walk.saved_in, 0) {
            self.tally.saved += 1;
            violated.extend(super::closer::saved(&node.pass, &self.key).err());
        }
        if self.is_traced(node) {
            self.tally.replayed += 1;
            violated.extend(super::closer::delivered(&node.pass, self.world).err());
            let (led, _) = replay(self.world, false, &node.script);
            let same = matches!(&led, Led::Asks(pass) if pass.digest().as_bytes() == &node.key.0);
            if !same {
                violated.push("GATE-008");
            }
        }
        violated.extend(self.bench.take_lost());
        for id in violated {
            self.violated(id, &node.script);
        }
    }

    /// Checks where a step leads, and puts a new state on the frontier.
    fn arrive(&mut self, step: Step, mut came: Came<'_>, found: &mut Vec<Node>) {
        match step {
            Step::Need(pass) => {
                let further = came.monitor.advance(pass.question());
                let cap = self.world.input.settings().edit_cap;
                let record = pass.pending();
                self.check_edge(&came, Leads::On(pass.question(), record.fields()));
                // A pass that may not end is not followed, so that the walk ends.
                if !further || came.monitor.rank.0 > cap {
                    return self.violated("GATE-011", &came.script);
                }
                let key = came.monitor.key(pass.digest());
                if self.visited.is_new(key) {
                    let (monitor, script) = (came.monitor, came.script);
                    found.push(Node {
                        pass,
                        key,
                        monitor,
                        script,
                    });
                }
            }
            // A defect is the engine's own fault, whatever it is, and never a deny.
            Step::Defect(defect) => {
                let second = matches!(defect.code(), "second_refuser" | "second_allower");
                let id = if second { "GATE-053" } else { "GATE-026" };
                self.violated(id, &came.script);
            }
            Step::Done(result) => match *result {
                GateResult::Finished(finished) => self.finished(&finished, &came),
                GateResult::Suspended(suspended) => {
                    self.check_edge(&came, Leads::Away);
                    self.suspended(suspended, &came, found);
                }
            },
        }
    }

    fn check_edge(&mut self, came: &Came<'_>, leads: Leads<'_>) {
        let edge = Edge {
            world: self.world,
            bench: &self.bench,
            before: came.before,
            monitor: &came.monitor,
            exchange: came.exchange,
            leads,
        };
        let mut violated = Vec::new();
        for check in self.walk.checks {
            let holds = match check.how {
                How::Answer(holds) => holds(&edge),
                How::End(holds) => edge.end().is_none_or(|end| holds(&edge, end)),
                How::Sometimes(occurs) => {
                    if occurs(&edge) {
                        self.bench.see(Mark::Sometimes(check.id));
                    }
                    true
                }
                How::Stop(_) | How::Trace(_) | How::Walk | How::Elsewhere(_) => true,
            };
            if !holds {
                violated.push(check.id);
            }
        }
        violated.extend(self.bench.take_lost());
        for id in violated {
            self.violated(id, &came.script);
        }
    }

    fn finished(&mut self, finished: &Finished, came: &Came<'_>) {
        let record = finished.record();
        let end = End {
            finished,
            fields: record.fields(),
            reason: finished.reason(),
        };
        self.check_edge(came, Leads::End(&end));
        self.bench.see(Mark::Exit(finished.exit()));
        self.bench.see(Mark::Round(finished.round()));
        for asker in super::edge::askers(record.fields()) {
            self.bench.see(Mark::Cause(asker.cause));
        }
        if came.monitor.declined {
            self.bench
                .see(Mark::Cause(gatefold::gate::Cause::BoundaryDeclined));
            self.bench
                .count_cause(gatefold::gate::Cause::BoundaryDeclined);
        }
        for notice in finished.notices() {
            self.bench.see(Mark::Notice(notice.notice));
        }
        if came.traced {
            self.traced(finished, came);
        }
    }

    /// Replays a finished pass with its trace: it ends alike, and the trace is checked.
    fn traced(&mut self, finished: &Finished, came: &Came<'_>) {
        let (Led::Ended(again), _) = replay(self.world, true, &came.script) else {
            return self.violated("GATE-008", &came.script);
        };
        self.tally.replayed += 1;
        let mut violated = Vec::new();
        if again.record() != finished.record() || again.reason() != finished.reason() {
            violated.push("GATE-008");
        }
        if let Some(trace) = again.trace() {
            let traced = Traced {
                bench: &self.bench,
                finished: &again,
                trace,
            };
            for check in self.walk.checks {
                if let How::Trace(holds) = check.how
                    && !holds(&traced)
                {
                    violated.push(check.id);
                }
            }
        }
        violated.extend(self.bench.take_lost());
        for id in violated {
            self.violated(id, &came.script);
        }
    }

    /// A parked pass goes on where it was: resumed once and never twice, cancelled, and not at all
    /// before its ticket is opened or once its input has changed.
    fn suspended(&mut self, suspended: Suspended, came: &Came<'_>, found: &mut Vec<Node>) {
        if let Some((Question::Park(question), _)) = came.exchange {
            self.bench.see(Mark::Park(question.site));
        }
        let Suspended { ticket, parked } = suspended;
        let Ok(sealed) = parked.save(&self.key) else {
            return self.violated("GATE-006", &came.script);
        };
        let mut book = TicketBook::new();
        let Some(parked) = super::closer::refused(self.world, parked, &ticket, &mut book) else {
            return self.violated("GATE-001", &came.script);
        };
        let copies = [
            Parked::load(&sealed, &self.key),
            Parked::load(&sealed, &self.key),
        ];
        let [Ok(second), Ok(cancelled)] = copies else {
            return self.violated("GATE-006", &came.script);
        };
        self.tally.edges += 2;
        let resumed = parked.resume(&ticket, &mut book, &self.world.input);
        let twice = second.resume(&ticket, &mut book, &self.world.input).is_ok();
        if twice || book.open(&ticket).is_ok() {
            self.violated("GATE-001", &came.script);
        }
        let go_on = |monitor, with| Came {
            before: &came.monitor,
            exchange: None,
            monitor,
            script: longer(&came.script, with),
            traced: came.traced,
        };
        let monitor = Monitor {
            resumed: true,
            ..came.monitor.clone()
        };
        match resumed {
            Ok(step) => self.arrive(step, go_on(monitor, RESUME), found),
            Err(_) => self.violated("GATE-001", &came.script),
        }
        let monitor = Monitor {
            aborted: true,
            ..came.monitor.clone()
        };
        let mut book = TicketBook::new();
        let opened = book.open(&ticket).is_ok();
        match cancelled.cancel(&ticket, &mut book) {
            Ok(step) if opened => self.arrive(step, go_on(monitor, CANCEL), found),
            Ok(_) | Err(_) => self.violated("GATE-001", &came.script),
        }
    }

    fn violated(&mut self, id: &'static str, script: &[Move]) {
        self.tally
            .violate((id, self.world.name.clone()), script.to_vec());
    }
}

fn longer(script: &[Move], by: Move) -> Vec<Move> {
    let mut longer = Vec::with_capacity(script.len() + 1);
    longer.extend_from_slice(script);
    longer.push(by);
    longer
}
