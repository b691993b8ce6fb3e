//! A host that answers a script, stop by stop, and the account of how its pass ended.

use std::fmt::Write;

use gatefold::gate::*;
use serde::Serialize;

use crate::folder::key;
use crate::scripts::Script;

/// A host in the middle of a script.
#[derive(Clone)]
pub struct Host {
    pub script: Script,
    /// How many answers of the script were given.
    pub answered: usize,
    pub book: TicketBook,
}

/// Where a pass can be saved, or its end.
pub enum Stop {
    Asked(Pass),
    Parked(Ticket, Parked),
    Ended(Finished),
}

impl Host {
    pub fn new(script: &Script) -> Self {
        Self {
            script: script.clone(),
            answered: 0,
            book: TicketBook::new(),
        }
    }

    pub fn begin(&mut self) -> Stop {
        let step = begin(self.script.input());
        self.stop(step)
    }

    /// One step on: answers the open question, or resumes the parked pass.
    pub fn go_on(&mut self, stop: Stop) -> Stop {
        let next = match stop {
            Stop::Asked(pass) => {
                let answer = self.script.answer(self.answered, pass.question());
                self.answered += 1;
                pass.answer(answer).unwrap()
            }
            Stop::Parked(ticket, parked) => {
                let now = self.script.input();
                parked.resume(&ticket, &mut self.book, &now).unwrap()
            }
            Stop::Ended(_) => panic!("an ended pass does not go on"),
        };
        self.stop(next)
    }

    /// Goes on to the end, whatever stops come between.
    pub fn finish(&mut self, mut stop: Stop) -> Finished {
        loop {
            stop = match stop {
                Stop::Ended(finished) => return finished,
                stop @ (Stop::Asked(_) | Stop::Parked(..)) => self.go_on(stop),
            }
        }
    }

    pub fn stop(&mut self, step: Step) -> Stop {
        match step {
            Step::Need(pass) => Stop::Asked(pass),
            Step::Done(result) => match *result {
                GateResult::Finished(finished) => Stop::Ended(finished),
                GateResult::Suspended(Suspended { ticket, parked }) => {
                    self.book.open(&ticket).unwrap();
                    Stop::Parked(ticket, parked)
                }
            },
            Step::Defect(defect) => panic!("{defect}"),
        }
    }

    /// Everything that a finished pass says, and the book, as text.
    pub fn account(&self, finished: &Finished) -> String {
        let mut text = String::from("finished\n");
        for (name, value) in [
            ("record", finished.record().to_json()),
            ("digest", finished.record().digest().to_string()),
            ("runs", json(&finished.args_to_run())),
            ("reason", json(&finished.reason())),
            ("context", json(&finished.context())),
            ("notices", json(&finished.notices())),
            ("details", json(&finished.details())),
            ("grant", json(&finished.grant())),
            ("trace", json(&finished.trace().expect("scripts trace"))),
            ("outcome", json(finished.outcome())),
            ("denied_at", json(&finished.denied_at())),
            ("book", self.book.save(&key()).unwrap().replace('\n', " ")),
            ("answered", self.answered.to_string()),
        ] {
            writeln!(text, "{name} {value}").unwrap();
        }
        text
    }
}

/// The account of the pass as it ends when nothing disturbs it.
pub fn undisturbed(script: &Script) -> String {
    let mut host = Host::new(script);
    let stop = host.begin();
    let finished = host.finish(stop);
    assert_eq!(
        host.answered,
        script.answers.len(),
        "{}: the script is longer than the pass",
        script.name
    );
    host.account(&finished)
}

pub fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap()
}
