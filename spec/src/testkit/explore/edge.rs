//! What a check looks at: a state, one answer to it, and what came of it.

use gatefold::gate::{
    Answer, Cause, Finished, Pass, Question, RecordAsker, RecordFields, SeatFailure,
};

use super::judge::Bench;
use super::monitor::{Monitor, failure};
use super::world::World;

/// A pass with an open question.
#[derive(Debug)]
pub struct Stop<'a> {
    /// The world it is of.
    pub world: &'a World,
    /// The tables.
    pub bench: &'a Bench<'a>,
    /// What is remembered of it.
    pub monitor: &'a Monitor,
    /// The pass.
    pub pass: &'a Pass,
    /// Its record, of what stands now.
    pub fields: &'a RecordFields,
}

impl Stop<'_> {
    /// The open question.
    pub fn question(&self) -> &Question {
        self.pass.question()
    }

    /// What was objected so far, and what only bars.
    pub fn causes(&self) -> impl Iterator<Item = Cause> {
        causes(self.fields, self.monitor)
    }
}

/// One answer, and what came of it.
#[derive(Debug)]
pub struct Edge<'a> {
    /// The world it is of.
    pub world: &'a World,
    /// The tables.
    pub bench: &'a Bench<'a>,
    /// What was remembered before the answer.
    pub before: &'a Monitor,
    /// What is remembered after it.
    pub monitor: &'a Monitor,
    /// The question and its answer; nothing of a pass that was begun, aborted or cancelled.
    pub exchange: Option<(&'a Question, &'a Answer)>,
    /// Where it leads.
    pub leads: Leads<'a>,
}

/// Where an answer leads.
#[derive(Clone, Copy, Debug)]
pub enum Leads<'a> {
    /// To the next question, over a record of what stands.
    On(&'a Question, &'a RecordFields),
    /// To the end.
    End(&'a End<'a>),
    /// The ask was taken away.
    Away,
}

/// A finished pass, with what is read off it once.
#[derive(Debug)]
pub struct End<'a> {
    /// The result.
    pub finished: &'a Finished,
    /// Its record.
    pub fields: &'a RecordFields,
    /// What the model reads.
    pub reason: Option<String>,
}

impl<'a> Edge<'a> {
    /// The end, if it leads there.
    pub fn end(&self) -> Option<&'a End<'a>> {
        match self.leads {
            Leads::End(end) => Some(end),
            Leads::On(..) | Leads::Away => None,
        }
    }

    /// The next question, if it leads to one.
    pub fn next(&self) -> Option<&'a Question> {
        match self.leads {
            Leads::On(question, _) => Some(question),
            Leads::End(_) | Leads::Away => None,
        }
    }

    /// How the seat failed, if it did.
    pub fn failure(&self) -> Option<&'a SeatFailure> {
        failure(self.exchange?.1)
    }

    /// Everyone who objected so far, in order.
    pub fn askers(&self) -> &'a [RecordAsker] {
        match self.leads {
            Leads::On(_, fields) => askers(fields),
            Leads::End(end) => askers(end.fields),
            Leads::Away => &[],
        }
    }

    /// What was objected so far, and what only bars.
    pub fn causes(&self) -> impl Iterator<Item = Cause> {
        let bars = self.monitor.declined.then_some(Cause::BoundaryDeclined);
        self.askers().iter().map(|asker| asker.cause).chain(bars)
    }

    /// The words for a pass that runs, and is it by this resolver's very answer.
    pub fn runs(&self) -> bool {
        self.end()
            .is_some_and(|end| end.finished.args_to_run().is_some())
    }
}

/// Everyone who objected, in order.
pub(super) fn askers(fields: &RecordFields) -> &[RecordAsker] {
    fields.asked.as_ref().map_or(&[], |asked| &asked.askers)
}

fn causes(fields: &RecordFields, monitor: &Monitor) -> impl Iterator<Item = Cause> {
    let bars = monitor.declined.then_some(Cause::BoundaryDeclined);
    askers(fields).iter().map(|asker| asker.cause).chain(bars)
}
