//! What must hold of a table by itself: every point hits a row, none hits two that must not, and no
//! row is there in vain.

use thiserror::Error;

use crate::format::HitPolicy;
use crate::grid::Grid;

/// What is wrong with a table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Flaw {
    /// Add a row for the point, or say why it is impossible.
    #[error("{table}: no row admits {witness}")]
    Gap {
        /// The table.
        table: String,
        /// A point that hits nothing, in words.
        witness: String,
    },
    /// Narrow one of the rows.
    #[error("{table}: {first} and {second} both admit {witness}")]
    Overlap {
        /// The table.
        table: String,
        /// One row.
        first: String,
        /// The other.
        second: String,
        /// A point that hits both, in words.
        witness: String,
    },
    /// Take the row out, or put it before the one that hides it.
    #[error("{table}: no point that can occur comes to {row}")]
    Unreachable {
        /// The table.
        table: String,
        /// The row.
        row: String,
    },
    /// Take it out, or give it conditions that hold of some point.
    #[error("{table}: {row} excludes nothing that another does not")]
    IdleExclusion {
        /// The table.
        table: String,
        /// The exclusion.
        row: String,
    },
    /// Lead some transition to the state, or take the state out.
    #[error("{table}: state `{state}` is never reached")]
    UnreachedState {
        /// The table.
        table: String,
        /// The state.
        state: String,
    },
}

impl Flaw {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Gap { .. } => "gap",
            Self::Overlap { .. } => "overlap",
            Self::Unreachable { .. } => "unreachable",
            Self::IdleExclusion { .. } => "idle_exclusion",
            Self::UnreachedState { .. } => "unreached_state",
        }
    }
}

/// What a table covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Points that can occur.
    pub points: usize,
    /// How many of them came to each row.
    pub hits: Vec<usize>,
}

/// Checks a table over its whole domain.
///
/// # Errors
/// The first [`Flaw`], with its code: `gap`, `overlap`, `unreachable`, `idle_exclusion`,
/// `unreached_state`.
pub fn check(grid: &Grid) -> Result<Coverage, Flaw> {
    let covered = coverage(grid)?;
    exclusions(grid)?;
    states(grid)?;
    Ok(covered)
}

/// Checks only that every point hits a row, none hits two that must not, and no row is idle.
///
/// # Errors
/// The first [`Flaw`], with its code: `gap`, `overlap`, `unreachable`.
pub fn coverage(grid: &Grid) -> Result<Coverage, Flaw> {
    let table = || grid.name.clone();
    let mut coverage = Coverage {
        points: 0,
        hits: vec![0; grid.rows().len()],
    };
    for point in grid.points() {
        coverage.points += 1;
        let mut hits = grid.hits(&point);
        let Some(first) = hits.next() else {
            let witness = grid.show(&point);
            return Err(Flaw::Gap {
                table: table(),
                witness,
            });
        };
        coverage.hits[first] += 1;
        if grid.hit == HitPolicy::Unique
            && let Some(second) = hits.next()
        {
            return Err(Flaw::Overlap {
                table: table(),
                first: grid.rows()[first].id.clone(),
                second: grid.rows()[second].id.clone(),
                witness: grid.show(&point),
            });
        }
    }
    if let Some(row) = coverage.hits.iter().position(|hits| *hits == 0) {
        let row = grid.rows()[row].id.clone();
        return Err(Flaw::Unreachable {
            table: table(),
            row,
        });
    }
    Ok(coverage)
}

/// Every exclusion excludes something that no other does.
fn exclusions(grid: &Grid) -> Result<(), Flaw> {
    for left_out in 0..grid.impossible.len() {
        let mut without = grid.clone();
        let row = without.impossible.remove(left_out).id;
        if without.points().count() == grid.points().count() {
            return Err(Flaw::IdleExclusion {
                table: grid.name.clone(),
                row,
            });
        }
    }
    Ok(())
}

/// Every state of a machine is reached from its start.
fn states(grid: &Grid) -> Result<(), Flaw> {
    let Some(start) = grid.start else {
        return Ok(());
    };
    let mut reached = vec![start];
    let mut looked = 0;
    while let Some(state) = reached.get(looked).copied() {
        looked += 1;
        for point in grid.points().filter(|point| point[0] == state) {
            let next = grid.hit(&point).map(|row| grid.rows()[row].want[0]);
            reached.extend(next.filter(|next| !reached.contains(next)));
        }
    }
    let states = grid.inputs.first().map_or(&[][..], |axis| &axis.values);
    let missed = (0_u8..).zip(states).find(|(n, _)| !reached.contains(n));
    missed.map_or(Ok(()), |(_, state)| {
        Err(Flaw::UnreachedState {
            table: grid.name.clone(),
            state: state.clone(),
        })
    })
}
