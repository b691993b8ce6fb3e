//! Every invariant of the gate with what checks it: a checker over a state, an answer, an end or a
//! trace, the walk itself, a mark that must be seen, or a test elsewhere, by its name.

mod answers;
mod decided;
mod ends;
mod list;
mod stops;
mod traces;

use gatefold::gate::{Finished, Trace};

use super::edge::{Edge, End, Stop};

pub use list::CHECKS;

/// What checks an invariant.
#[derive(Clone, Copy, Debug)]
pub enum How {
    /// Holds of every pass with an open question.
    Stop(fn(&Stop<'_>) -> bool),
    /// Holds of every answer and what comes of it.
    Answer(fn(&Edge<'_>) -> bool),
    /// Holds of every finished pass.
    End(fn(&Edge<'_>, &End<'_>) -> bool),
    /// Holds of every trace of those that are replayed.
    Trace(fn(&Traced<'_>) -> bool),
    /// The walk checks it as it goes.
    Walk,
    /// This must be seen somewhere.
    Sometimes(fn(&Edge<'_>) -> bool),
    /// The test of this name.
    Elsewhere(&'static str),
}

/// An invariant and what checks it. One invariant may have several.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// The invariant's id.
    pub id: &'static str,
    /// What checks it.
    pub how: How,
}

/// A finished pass that was replayed with its trace.
#[derive(Debug)]
pub struct Traced<'a> {
    /// The tables.
    pub bench: &'a super::judge::Bench<'a>,
    /// The result.
    pub finished: &'a Finished,
    /// Its trace.
    pub trace: &'a Trace,
}

/// The ids of what must be seen to occur.
pub fn sometimes() -> Vec<&'static str> {
    let all = CHECKS.iter();
    all.filter(|check| matches!(check.how, How::Sometimes(_)))
        .map(|check| check.id)
        .collect()
}
