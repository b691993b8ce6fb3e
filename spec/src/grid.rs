//! The interpreter: a finite table of conditions, evaluated at a point.
//!
//! A point is one value of every input, by its place in the input's list. For every input and value
//! the grid keeps the set of rows that admit it; the rows a point hits are the intersection of one
//! such set an input. It knows nothing of what the words mean.

use crate::error::Place;
use crate::format::{HitPolicy, Kind};

/// One input or output and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Its name.
    pub name: String,
    /// What it is, in a sentence.
    pub is: String,
    /// Its values, in order.
    pub values: Vec<String>,
}

impl Axis {
    /// The place of a value in the list.
    pub fn place(&self, value: &str) -> Option<u8> {
        let place = self.values.iter().position(|known| known == value)?;
        u8::try_from(place).ok()
    }
}

/// The values of one input that a row admits: bit `n` is value `n`.
pub type Mask = u64;

/// One row, compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Permanent, never reused.
    pub id: String,
    /// What the row says.
    pub does: String,
    /// Why it is so.
    pub why: String,
    /// Where it comes from.
    pub source: Vec<String>,
    /// Where the row stands.
    pub at: Place,
    /// The values admitted, one mask an input.
    pub given: Vec<Mask>,
    /// The value that follows, one an output.
    pub want: Vec<u8>,
}

/// Points that cannot occur.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impossible {
    /// Permanent, never reused.
    pub id: String,
    /// Why they cannot occur.
    pub why: String,
    /// Where that comes from.
    pub source: Vec<String>,
    /// Where it stands.
    pub at: Place,
    /// The values concerned, one mask an input.
    pub given: Vec<Mask>,
}

/// A set of rows.
type Rows = Vec<u64>;

/// A decisions, transitions or seats table, ready to be evaluated.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Its name, with its machine's: `gate/mint`.
    pub name: String,
    /// What it decides.
    pub does: String,
    /// `decisions`, `transitions` or `seats`.
    pub kind: Kind,
    /// How many rows a point hits.
    pub hit: HitPolicy,
    /// The state a `transitions` table begins in, by its place.
    pub start: Option<u8>,
    /// The facts. Of a `transitions` table the first is the state.
    pub inputs: Vec<Axis>,
    /// What follows. Of a `transitions` table the first is the next state.
    pub outputs: Vec<Axis>,
    /// Points that cannot occur.
    pub impossible: Vec<Impossible>,
    rows: Vec<Row>,
    /// For every input and value, the rows that admit it.
    index: Vec<Vec<Rows>>,
}

/// What a grid says of a point.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'a> {
    grid: &'a Grid,
    /// The row that was hit.
    pub row: &'a Row,
}

impl<'a> Decision<'a> {
    /// The value of an output.
    ///
    /// # Panics
    /// If there is no output of that name: whoever asks knows the table.
    pub fn want(&self, output: &str) -> &'a str {
        let place = self
            .grid
            .outputs
            .iter()
            .position(|axis| axis.name == output);
        let place = place.unwrap_or_else(|| panic!("{} has no output {output}", self.grid.name));
        &self.grid.outputs[place].values[usize::from(self.row.want[place])]
    }

    /// Every output with its value.
    pub fn wants(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let (grid, row) = (self.grid, self.row);
        grid.outputs.iter().zip(&row.want).map(|(axis, value)| {
            let value: &str = &axis.values[usize::from(*value)];
            (axis.name.as_str(), value)
        })
    }
}

/// The parts of a grid before it is indexed.
pub(crate) struct Parts {
    pub(crate) name: String,
    pub(crate) does: String,
    pub(crate) kind: Kind,
    pub(crate) hit: HitPolicy,
    pub(crate) start: Option<u8>,
    pub(crate) inputs: Vec<Axis>,
    pub(crate) outputs: Vec<Axis>,
    pub(crate) impossible: Vec<Impossible>,
    pub(crate) rows: Vec<Row>,
}

impl Grid {
    pub(crate) fn new(parts: Parts) -> Self {
        let index = index(&parts.inputs, &parts.rows);
        Self {
            name: parts.name,
            does: parts.does,
            kind: parts.kind,
            hit: parts.hit,
            start: parts.start,
            inputs: parts.inputs,
            outputs: parts.outputs,
            impossible: parts.impossible,
            rows: parts.rows,
            index,
        }
    }

    /// The rows, in order.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The same grid with other rows; for whoever asks what would be if a row said something else.
    #[must_use]
    pub fn with_rows(&self, rows: Vec<Row>) -> Self {
        let index = index(&self.inputs, &rows);
        Self {
            rows,
            index,
            ..self.clone()
        }
    }

    /// The place of the first row that admits the point.
    pub fn hit(&self, point: &[u8]) -> Option<usize> {
        self.hits(point).next()
    }

    /// The places of all rows that admit the point, in order.
    pub fn hits(&self, point: &[u8]) -> impl Iterator<Item = usize> {
        let blocks = self.rows.len().div_ceil(64);
        (0..blocks).flat_map(move |block| {
            let mut rows = self
                .index
                .iter()
                .zip(point)
                .fold(u64::MAX, |rows, (values, value)| {
                    rows & values[usize::from(*value)][block]
                });
            std::iter::from_fn(move || {
                let lowest = rows.trailing_zeros();
                rows &= rows.wrapping_sub(1);
                usize::try_from(lowest).ok().filter(|bit| *bit < 64)
            })
            .map(move |bit| block * 64 + bit)
        })
    }

    /// What the grid says of a point; nothing if no row admits it.
    pub fn decide(&self, point: &[u8]) -> Option<Decision<'_>> {
        let row = &self.rows[self.hit(point)?];
        Some(Decision { grid: self, row })
    }

    /// What the grid says of these named values.
    ///
    /// # Panics
    /// If an input is left out or a name or value is unknown: whoever asks knows the table.
    pub fn look(&self, values: &[(&str, &str)]) -> Decision<'_> {
        let point = self.point(values);
        self.decide(&point)
            .unwrap_or_else(|| panic!("{}: no row admits {}", self.name, self.show(&point)))
    }

    /// The point of these named values.
    ///
    /// # Panics
    /// As [`look`](Self::look) does.
    pub fn point(&self, values: &[(&str, &str)]) -> Vec<u8> {
        let unknown = |what: &str| panic!("{}: no {what} in {values:?}", self.name);
        let of = |axis: &Axis| {
            let value = values.iter().find(|(name, _)| *name == axis.name);
            let place = value.and_then(|(_, value)| axis.place(value));
            place.unwrap_or_else(|| unknown(&axis.name))
        };
        self.inputs.iter().map(of).collect()
    }

    /// The value of an input at a point.
    ///
    /// # Panics
    /// If there is no such input: whoever asks knows the table.
    pub fn value(&self, point: &[u8], input: &str) -> &str {
        let place = self.inputs.iter().position(|axis| axis.name == input);
        let place = place.unwrap_or_else(|| panic!("{} has no input {input}", self.name));
        &self.inputs[place].values[usize::from(point[place])]
    }

    /// Whether a point cannot occur.
    pub fn is_impossible(&self, point: &[u8]) -> bool {
        self.impossible
            .iter()
            .any(|impossible| admits(&impossible.given, point))
    }

    /// Every point that can occur, the last input changing fastest.
    pub fn points(&self) -> impl Iterator<Item = Vec<u8>> {
        let widths: Vec<_> = self.inputs.iter().map(|axis| axis.values.len()).collect();
        let all = widths.iter().product::<usize>();
        (0..all)
            .map(move |number| {
                let mut rest = number;
                let mut point = vec![0; widths.len()];
                for (value, width) in point.iter_mut().zip(&widths).rev() {
                    *value = u8::try_from(rest % width).unwrap_or(u8::MAX);
                    rest /= width;
                }
                point
            })
            .filter(|point| !self.is_impossible(point))
    }

    /// A point in words.
    pub fn show(&self, point: &[u8]) -> String {
        let named = self.inputs.iter().zip(point).map(|(axis, value)| {
            let value = &axis.values[usize::from(*value)];
            format!("{} = {value}", axis.name)
        });
        named.collect::<Vec<_>>().join(", ")
    }
}

/// Whether masks admit a point.
pub(crate) fn admits(given: &[Mask], point: &[u8]) -> bool {
    given
        .iter()
        .zip(point)
        .all(|(mask, value)| mask >> value & 1 == 1)
}

/// The mask that admits every value of an axis.
pub(crate) fn every(axis: &Axis) -> Mask {
    (0..axis.values.len()).fold(0, |mask, bit| mask | 1 << bit)
}

fn index(inputs: &[Axis], rows: &[Row]) -> Vec<Vec<Rows>> {
    let blocks = rows.len().div_ceil(64);
    let admitting = |input: usize, value: usize| {
        let mut set = vec![0; blocks];
        for (place, row) in rows.iter().enumerate() {
            if row.given[input] >> value & 1 == 1 {
                set[place / 64] |= 1 << (place % 64);
            }
        }
        set
    };
    let of = |(input, axis): (usize, &Axis)| {
        let values = 0..axis.values.len();
        values.map(|value| admitting(input, value)).collect()
    };
    inputs.iter().enumerate().map(of).collect()
}
