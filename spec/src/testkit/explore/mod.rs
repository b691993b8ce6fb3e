//! Exploration of the whole pass.
//!
//! Breadth first over every answer of the abstract alphabets of all seats, failures included, each
//! state once, every invariant on every edge. What a table can judge, the tables judge, through the
//! interpreter. [`Bound`] says which worlds; [`explore`] walks them.

mod alphabet;
mod checks;
mod closer;
mod edge;
mod judge;
mod marks;
mod monitor;
mod path;
mod script;
mod slices;
mod tally;
mod walk;
mod world;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

pub use alphabet::{Breadth, Letter, alphabet, every_letter};
pub use checks::{CHECKS, Check, How, Traced, sometimes};
pub use edge::{Edge, End, Leads, Stop};
pub use judge::{Bench, Judge};
pub use marks::{Mark, Marks};
pub use monitor::Monitor;
pub use slices::{Bound, Slice, slices};
pub use tally::Tally;
pub use walk::Walk;
pub use world::{Attested, LEG, Plan, Pool, World};

/// What an exploration came to.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// Of each slice its worlds and its tally, without marks.
    pub slices: BTreeMap<&'static str, (usize, Tally)>,
    /// All together.
    pub all: Tally,
}

/// How far an exploration has come; told after each world, and now and then before.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// The world.
    pub world: &'a str,
    /// Whether it is done.
    pub done: bool,
    /// Its states so far.
    pub states: u64,
    /// Its edges so far.
    pub edges: u64,
    /// The time since the world was begun.
    pub took: Duration,
}

/// Walks every world of every slice. Narrow worlds are walked side by side, wide ones one after the
/// other, each on all threads.
pub fn explore(
    slices: &[Slice],
    walk: &Walk<'_>,
    told: &(dyn Fn(&Progress<'_>) + Sync),
) -> Explored {
    let mut explored = Explored::default();
    for slice in slices {
        let worlds = slice.worlds();
        let tallies = if slice.wide {
            worlds.iter().map(|world| one(world, walk, told)).collect()
        } else {
            side_by_side(&worlds, walk, told)
        };
        let (count, sum) = explored.slices.entry(slice.name).or_default();
        *count += worlds.len();
        for tally in tallies {
            sum.states += tally.states;
            sum.edges += tally.edges;
            explored.all.add(tally);
        }
    }
    explored
}

fn one(world: &World, walk: &Walk<'_>, told: &(dyn Fn(&Progress<'_>) + Sync)) -> Tally {
    let began = Instant::now();
    let progress = |tally: &Tally, done| {
        told(&Progress {
            world: &world.name,
            done,
            states: tally.states,
            edges: tally.edges,
            took: began.elapsed(),
        });
    };
    let tally = walk.world(world, &|tally| progress(tally, false));
    progress(&tally, true);
    tally
}

fn side_by_side(
    worlds: &[World],
    walk: &Walk<'_>,
    told: &(dyn Fn(&Progress<'_>) + Sync),
) -> Vec<Tally> {
    let place = AtomicUsize::new(0);
    let tallies = Mutex::new(Vec::new());
    let alone = Walk {
        threads: 1,
        ..*walk
    };
    thread::scope(|scope| {
        for _ in 0..walk.threads.max(1) {
            scope.spawn(|| {
                while let Some(world) = worlds.get(place.fetch_add(1, Ordering::Relaxed)) {
                    let tally = one(world, &alone, told);
                    if let Ok(mut tallies) = tallies.lock() {
                        tallies.push(tally);
                    }
                }
            });
        }
    });
    tallies.into_inner().unwrap_or_default()
}
