//! Flips: what a table would be if one cell of one row said something else.
//!
//! A check that stays green when a cell is flipped does not check that cell.

use crate::grid::{Grid, Mask, Row, every};

/// One cell, flipped.
#[derive(Clone, Debug)]
pub struct Flip {
    /// The row.
    pub row: String,
    /// The cell and what became of it: `want.defect: none`, `given.verdict: dropped`.
    pub what: String,
    /// The table with the flip.
    pub grid: Grid,
}

/// Every flip of a table: each cell of `want` to each other value; each condition dropped, turned
/// into its opposite, and narrowed by each of its values.
pub fn flips(grid: &Grid) -> impl Iterator<Item = Flip> {
    (0..grid.rows().len()).flat_map(move |place| {
        let changed: Vec<_> = wants(grid, &grid.rows()[place])
            .chain(givens(grid, &grid.rows()[place]))
            .collect();
        changed.into_iter().map(move |(what, row)| {
            let mut rows = grid.rows().to_vec();
            let id = row.id.clone();
            rows[place] = row;
            Flip {
                row: id,
                what,
                grid: grid.with_rows(rows),
            }
        })
    })
}

fn wants(grid: &Grid, row: &Row) -> impl Iterator<Item = (String, Row)> {
    let outputs = grid.outputs.iter().enumerate();
    outputs.flat_map(move |(output, axis)| {
        let values = (0_u8..).zip(&axis.values);
        let others = values.filter(move |(value, _)| *value != row.want[output]);
        others.map(move |(value, word)| {
            let mut flipped = row.clone();
            flipped.want[output] = value;
            (format!("want.{}: {word}", axis.name), flipped)
        })
    })
}

fn givens(grid: &Grid, row: &Row) -> impl Iterator<Item = (String, Row)> {
    let inputs = grid.inputs.iter().enumerate();
    inputs.flat_map(move |(input, axis)| {
        let (mask, all) = (row.given[input], every(axis));
        let mut masks: Vec<(String, Mask)> = Vec::new();
        if mask != all {
            masks.push(("dropped".into(), all));
            masks.push(("turned round".into(), all & !mask));
            if mask.count_ones() > 1 {
                let admitted = axis.values.iter().enumerate();
                let admitted = admitted.filter(|(bit, _)| mask >> bit & 1 == 1);
                masks.extend(admitted.map(|(bit, word)| {
                    let narrower = mask & !(1 << bit);
                    (format!("without {word}"), narrower)
                }));
            }
        }
        masks.into_iter().map(move |(what, mask)| {
            let mut flipped = row.clone();
            flipped.given[input] = mask;
            (format!("given.{}: {what}", axis.name), flipped)
        })
    })
}
