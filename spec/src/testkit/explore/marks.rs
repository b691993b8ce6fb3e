//! Marks: what must be seen to occur, so that no check holds because nothing ever happened.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use gatefold::gate::{Cause, ExitKind, NoticeWord, ParkSite, Seat, Unanswered};

use super::alphabet::every_letter;
use super::judge::{Judge, TABLES};
use super::world::World;

/// Something that was seen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// This seat gave this answer.
    Letter(Seat, &'static str),
    /// The task was cancelled while this seat was asked.
    Abort(Seat),
    /// A pass ended in facts that the mint accepts, and this is why the ask was not answered.
    Outcome(Box<[u8]>, Option<Unanswered>),
    /// A pass ended by this exit.
    Exit(ExitKind),
    /// A pass ended in this edit round.
    Round(u8),
    /// This was objected.
    Cause(Cause),
    /// This was told.
    Notice(NoticeWord),
    /// An ask was parked here.
    Park(ParkSite),
    /// What an invariant says must occur did.
    Sometimes(&'static str),
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Letter(seat, letter) => write!(f, "{seat} answers: {letter}"),
            Self::Abort(seat) => write!(f, "abort() at {seat}"),
            Self::Outcome(point, why) => {
                write!(f, "outcome {point:?} {}", why.map_or("", Unanswered::word))
            }
            Self::Exit(exit) => write!(f, "exit {exit}"),
            Self::Round(round) => write!(f, "round {round}"),
            Self::Cause(cause) => write!(f, "cause {cause}"),
            Self::Notice(notice) => write!(f, "notice {notice}"),
            Self::Park(site) => write!(f, "parked at {site}"),
            Self::Sometimes(id) => write!(f, "{id}"),
        }
    }
}

/// How often each mark was seen, and each row of each evaluated table hit.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    seen: HashMap<Mark, u64>,
    rows: Vec<Vec<u64>>,
}

impl Marks {
    /// Counts a mark.
    pub fn see(&mut self, mark: Mark) {
        *self.seen.entry(mark).or_default() += 1;
    }

    /// Counts a hit of a row, by the places of its table and of the row.
    pub fn hit(&mut self, table: usize, row: usize) {
        if self.rows.len() <= table {
            self.rows.resize(table + 1, Vec::new());
        }
        let rows = &mut self.rows[table];
        if rows.len() <= row {
            rows.resize(row + 1, 0);
        }
        rows[row] += 1;
    }

    /// Adds what another walker saw.
    pub fn add(&mut self, other: Self) {
        for (mark, times) in other.seen {
            *self.seen.entry(mark).or_default() += times;
        }
        for (table, rows) in other.rows.into_iter().enumerate() {
            for (row, hits) in rows.into_iter().enumerate() {
                if hits > 0 {
                    self.hit(table, row);
                    self.rows[table][row] += hits - 1;
                }
            }
        }
    }

    /// What was seen.
    pub fn seen(&self) -> impl Iterator<Item = &Mark> {
        self.seen.keys()
    }

    /// How often a mark was seen.
    pub fn times(&self, mark: &Mark) -> u64 {
        self.seen.get(mark).copied().unwrap_or_default()
    }

    /// How often a row was hit.
    pub fn hits(&self, table: usize, row: usize) -> u64 {
        let rows = self.rows.get(table);
        rows.and_then(|rows| rows.get(row))
            .copied()
            .unwrap_or_default()
    }

    /// Everything that must occur somewhere in an exploration with edit rounds up to `cap`, in
    /// order.
    pub fn expected(
        world: &World,
        judge: &Judge,
        cap: u8,
        sometimes: &[&'static str],
    ) -> Vec<Mark> {
        let mut all = BTreeSet::new();
        all.extend(
            every_letter(world)
                .into_iter()
                .map(|(seat, name)| Mark::Letter(seat, name)),
        );
        all.extend(Seat::ALL.iter().map(|seat| Mark::Abort(*seat)));
        all.extend(judge.accepted());
        all.extend(ExitKind::ALL.iter().map(|exit| Mark::Exit(*exit)));
        all.extend((0..=cap).map(Mark::Round));
        all.extend(Cause::ALL.iter().map(|cause| Mark::Cause(*cause)));
        all.extend(NoticeWord::ALL.iter().map(|notice| Mark::Notice(*notice)));
        all.extend(ParkSite::ALL.iter().map(|site| Mark::Park(*site)));
        all.extend(sometimes.iter().map(|id| Mark::Sometimes(id)));
        all.into_iter().collect()
    }

    /// Those of the expected marks that were never seen, in words.
    pub fn missing(&self, expected: &[Mark]) -> Vec<String> {
        let missing = expected.iter().filter(|mark| self.times(mark) == 0);
        missing.map(ToString::to_string).collect()
    }

    /// Of each evaluated table: its name, the rows that passes come to, and the ids of those that
    /// were never hit.
    pub fn rows(&self, judge: &Judge) -> Vec<(&'static str, usize, Vec<String>)> {
        let tables = TABLES.iter().enumerate().map(|(place, (name, _))| {
            let rows = judge.reached(place);
            let unhit = judge
                .reached(place)
                .filter(|(row, _)| self.hits(place, *row) == 0);
            let unhit = unhit.map(|(_, id)| id.to_owned()).collect();
            (*name, rows.count(), unhit)
        });
        tables.collect()
    }
}
