//! The trace of a pass: each station passed, what it asked, read and wrote.
//!
//! An account of a decision is printed from its trace, never recomputed.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::cells::{Cell, Cells};
use super::seats::Seat;
use super::station::Station;

/// What one station did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceStep {
    /// The station.
    pub station: Station,
    /// The edit round; 0 is the model's own call.
    pub round: u8,
    /// The seat it asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Seat>,
    /// The cells it read.
    pub read: Vec<Cell>,
    /// The cells it wrote, with the values they then had.
    pub wrote: Vec<Written>,
}

/// A cell that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    /// The cell.
    pub cell: Cell,
    /// Its value afterwards: words and digests, never the args themselves.
    pub value: String,
}

/// Every station of a pass, in the order in which they were passed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Trace(Vec<TraceStep>);

impl Trace {
    /// The steps.
    pub fn steps(&self) -> &[TraceStep] {
        &self.0
    }

    /// Notes what was touched since the last note.
    pub(crate) fn note(&mut self, station: Station, asked: Option<Seat>, cells: &mut Cells) {
        let touched = cells.take_touched();
        let values = cells.peek();
        self.0.push(TraceStep {
            station,
            round: values.edit_round,
            asked,
            read: touched.read.iter().collect(),
            wrote: touched
                .written
                .iter()
                .map(|cell| Written {
                    cell,
                    value: values.show(cell),
                })
                .collect(),
        });
    }
}
