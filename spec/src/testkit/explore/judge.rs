//! The judge: every verdict of the explorer's checks that a table can give, read off that table
//! through the interpreter. Each row that is hit is counted.

use std::cell::{Cell, RefCell};

use gatefold::gate::{
    AllowedBy, AskOrigin, Automatic, Cause, DeniedBy, Mode, RecordFields, Seat, SeatFailure,
    SettledAnswer, Station, Unanswered, Verdict,
};

use super::marks::{Mark, Marks};
use crate::{Decision, Grid, LoadError, Tables};

/// The tables that judge, each with its inputs in order.
pub(super) const TABLES: &[(&str, &[&str])] = &[
    ("gate/causes", &["cause"]),
    ("gate/bars", &["class", "answerer"]),
    ("gate/origin", ORIGINS),
    ("gate/mint", &MINT),
    ("gate/exits", &["denied_by", "at", "round"]),
    ("gate/refusers", &["denied_by", "station"]),
    ("gate/allowers", &["allowed_by", "station"]),
    ("gate/notices", &["notice"]),
    ("gate/park_site", &["shown", "round"]),
    ("gate/hooks", &HOOKS),
    ("gate/stations", &["station"]),
    ("gate/seats", &["seat", "state"]),
];

const MINT: [&str; 8] = [
    "verdict",
    "denied_by",
    "allowed_by",
    "cause",
    "settlement",
    "origin",
    "released",
    "refused",
];
const HOOKS: [&str; 9] = [
    "screening",
    "guards",
    "seat",
    "deny",
    "failure",
    "ask",
    "allow",
    "rewrite",
    "asked_before",
];
/// The origins have one input each, named by the word.
const ORIGINS: &[&str] = &[];

/// A table, by its place in [`TABLES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Table {
    Causes,
    Bars,
    Origin,
    Mint,
    Exits,
    Refusers,
    Allowers,
    Notices,
    ParkSite,
    Hooks,
    Stations,
    Seats,
}

/// The tables, and what they say of every cause, read once.
#[derive(Clone, Debug)]
pub struct Judge {
    grids: Vec<Grid>,
    causes: Vec<OfCause>,
}

/// What the tables say of a cause.
#[derive(Clone, Debug)]
struct OfCause {
    row: usize,
    station: Option<Station>,
    origin: Option<AskOrigin>,
    /// Of every automatic answerer, the row of the bars and whether it is barred.
    bars: Vec<(usize, bool)>,
}

impl Judge {
    /// The shipped tables.
    ///
    /// # Errors
    /// [`LoadError`]; none, as a test of this crate shows.
    ///
    /// # Panics
    /// If a table is gone or has other inputs than it is asked by.
    pub fn shipped() -> Result<Self, LoadError> {
        let tables = Tables::shipped()?;
        let grid = |(name, inputs): &(&str, &[&str])| {
            let grid = tables
                .grid(name)
                .unwrap_or_else(|| panic!("there is no table {name}"));
            let named = grid.inputs.iter().map(|axis| axis.name.as_str());
            let asked = inputs.iter().copied();
            assert!(
                inputs.is_empty() || named.eq(asked),
                "{name} has other inputs"
            );
            grid.clone()
        };
        let mut judge = Self {
            grids: TABLES.iter().map(grid).collect(),
            causes: Vec::new(),
        };
        let causes = Cause::ALL.iter().map(|cause| {
            let read = judge.read(*cause);
            read.unwrap_or_else(|| panic!("no row admits cause {cause}"))
        });
        judge.causes = causes.collect();
        Ok(judge)
    }

    /// The same judge with a row torn out of its tables, so that it can be seen to be missed.
    #[must_use]
    pub fn without(mut self, id: &str) -> Self {
        for grid in &mut self.grids {
            let rows = grid.rows().iter().filter(|row| row.id != id);
            *grid = grid.with_rows(rows.cloned().collect());
        }
        self
    }

    fn read(&self, cause: Cause) -> Option<OfCause> {
        let (row, decision) = self.at(Table::Causes, &[cause.word()])?;
        let class = decision.want("class");
        let bars = Automatic::ALL.iter().map(|answerer| {
            let (row, decision) = self.at(Table::Bars, &[class, answerer.word()])?;
            Some((row, decision.want("barred") == "yes"))
        });
        Some(OfCause {
            row,
            station: Station::from_word(decision.want("station")),
            origin: AskOrigin::from_word(decision.want("origin")),
            bars: bars.collect::<Option<_>>()?,
        })
    }

    /// The ids of the rows of a table that passes come to, by place. The mint's other rows each
    /// name a defect, and no pass may ever come to one.
    pub(super) fn reached(&self, place: usize) -> impl Iterator<Item = (usize, &str)> {
        let grid = &self.grids[place];
        let rows = grid.rows().iter().enumerate();
        let defect = grid.outputs.iter().position(|axis| axis.name == "defect");
        let accepted = defect.and_then(|output| grid.outputs[output].place("accepted"));
        let rows = rows.filter(move |(_, row)| match defect {
            Some(output) => Some(row.want[output]) == accepted,
            None => true,
        });
        rows.map(|(row, of)| (row, of.id.as_str()))
    }

    /// The causes are read in their declared order.
    fn of(&self, cause: Cause) -> &OfCause {
        &self.causes[cause as usize]
    }

    /// The station that writes a cause.
    pub fn writes(&self, cause: Cause) -> Option<Station> {
        self.of(cause).station
    }

    /// Whose ask a cause makes it.
    pub fn origin(&self, cause: Cause) -> Option<AskOrigin> {
        self.of(cause).origin
    }

    /// The row and decision of a table at these values, in the order of its inputs; nothing if no
    /// row admits them.
    fn at(&self, table: Table, values: &[&str]) -> Option<(usize, Decision<'_>)> {
        let grid = &self.grids[table as usize];
        let point: Option<Vec<u8>> = grid
            .inputs
            .iter()
            .zip(values)
            .map(|(axis, value)| axis.place(value))
            .collect();
        let point = point?;
        grid.hit(&point).zip(grid.decide(&point))
    }

    /// Every outcome that the mint accepts, with every reason why an ask was not answered.
    pub(super) fn accepted(&self) -> Vec<Mark> {
        let grid = &self.grids[Table::Mint as usize];
        let accepted = grid.points().filter(|point| {
            grid.decide(point)
                .is_some_and(|decision| decision.want("defect") == "accepted")
        });
        let marks = accepted.flat_map(|point| {
            let unanswered = grid.value(&point, "settlement") == SettledAnswer::Unanswered.word();
            let why: Vec<_> = if unanswered {
                Unanswered::ALL.iter().copied().map(Some).collect()
            } else {
                vec![None]
            };
            let point = point.into_boxed_slice();
            why.into_iter()
                .map(move |why| Mark::Outcome(point.clone(), why))
                .collect::<Vec<_>>()
        });
        marks.collect()
    }
}

/// A judge at work: it counts what it sees.
#[derive(Debug)]
pub struct Bench<'a> {
    /// The tables.
    pub judge: &'a Judge,
    marks: RefCell<Marks>,
    /// The last table that was asked at a point which none of its rows admits.
    lost: Cell<Option<&'static str>>,
}

/// `none`, or the word.
fn or_none(word: Option<&'static str>) -> &'static str {
    word.unwrap_or("none")
}

const fn yes_no(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

const fn round_word(round: u8) -> &'static str {
    if round == 0 { "first" } else { "edit" }
}

/// What guards said in one screening, in the words of the table of hooks.
#[derive(Clone, Copy, Debug, Default)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "one for each input of the table"
)]
pub(super) struct Screened {
    pub(super) again: bool,
    pub(super) guards: usize,
    pub(super) failed: bool,
    pub(super) deny: bool,
    pub(super) failure: bool,
    pub(super) ask: bool,
    pub(super) allow: bool,
    pub(super) rewrites: usize,
    pub(super) asked_before: bool,
}

impl<'a> Bench<'a> {
    /// Sits down with nothing seen yet.
    pub fn new(judge: &'a Judge) -> Self {
        Self {
            judge,
            marks: RefCell::default(),
            lost: Cell::default(),
        }
    }

    /// What was seen.
    pub fn into_marks(self) -> Marks {
        self.marks.into_inner()
    }

    /// Counts a mark.
    pub fn see(&self, mark: Mark) {
        self.marks.borrow_mut().see(mark);
    }

    /// What a table says at these values. If none of its rows admits them, that is kept for
    /// whoever asks what was lost.
    fn look(&self, table: Table, values: &[&str]) -> Option<Decision<'a>> {
        let at = self.judge.at(table, values);
        match &at {
            Some((row, _)) => self.marks.borrow_mut().hit(table as usize, *row),
            None => self.lost.set(Some(TABLES[table as usize].0)),
        }
        at.map(|(_, decision)| decision)
    }

    /// The same of one output.
    fn want(&self, table: Table, values: &[&str], output: &str) -> Option<&'a str> {
        Some(self.look(table, values)?.want(output))
    }

    /// A table without a row for a point that was asked about since this was asked last.
    pub(super) fn take_lost(&self) -> Option<&'static str> {
        self.lost.take()
    }

    /// Counts the row of a cause.
    pub(super) fn count_cause(&self, cause: Cause) {
        let row = self.judge.of(cause).row;
        self.marks.borrow_mut().hit(Table::Causes as usize, row);
    }

    /// Whether any of the causes bars the answerer.
    pub(super) fn bars(&self, causes: impl Iterator<Item = Cause>, answerer: Automatic) -> bool {
        let mut marks = self.marks.borrow_mut();
        let barred = causes.filter(|cause| {
            let bars = &self.judge.of(*cause).bars;
            let (row, barred) = bars[answerer as usize];
            marks.hit(Table::Bars as usize, row);
            barred
        });
        barred.count() > 0
    }

    /// The origin of an ask about these causes.
    pub(super) fn origin(&self, causes: impl Iterator<Item = Cause>) -> Option<AskOrigin> {
        let origins: Vec<_> = causes
            .filter_map(|cause| self.judge.origin(cause))
            .collect();
        let grid = &self.judge.grids[Table::Origin as usize];
        let present = grid.inputs.iter().map(|axis| {
            let present = origins.iter().any(|origin| origin.word() == axis.name);
            yes_no(present)
        });
        let present: Vec<_> = present.collect();
        AskOrigin::from_word(self.want(Table::Origin, &present, "origin")?)
    }

    /// What the mint says of a finished record's facts: its point, and the defect or `accepted`.
    pub(super) fn mint(&self, fields: &RecordFields) -> (Mark, Option<&'a str>) {
        let settled = fields.settled.as_ref();
        let verdict = match fields.verdict {
            Verdict::Allow => "allow",
            Verdict::Deny | Verdict::Ask => "deny",
        };
        let settlement = settled.map(|settled| settled.answer.word());
        let origin = settled.and_then(|settled| settled.origin).map(|_| "given");
        let values = [
            verdict,
            or_none(fields.denied_by.map(DeniedBy::word)),
            or_none(fields.allowed_by.map(AllowedBy::word)),
            or_none(fields.cause.map(gatefold::gate::ClassifierCause::word)),
            or_none(settlement),
            or_none(origin),
            or_none(fields.released.map(|released| released.mode.word())),
            or_none(fields.refused.map(|refused| refused.mode.word())),
        ];
        let grid = &self.judge.grids[Table::Mint as usize];
        let point = grid
            .inputs
            .iter()
            .zip(values)
            .filter_map(|(axis, value)| axis.place(value));
        let why = settled.and_then(|settled| settled.why);
        let mark = Mark::Outcome(point.collect(), why);
        (mark, self.want(Table::Mint, &values, "defect"))
    }

    /// The exit of a refusal or an allow, and whether the deny observer is told.
    pub(super) fn exit(
        &self,
        by: Option<DeniedBy>,
        at: Option<Station>,
        round: u8,
    ) -> Option<(&'a str, bool)> {
        let at = if at == Some(Station::Hook) {
            "hook"
        } else {
            "elsewhere"
        };
        let values = [or_none(by.map(DeniedBy::word)), at, round_word(round)];
        let decision = self.look(Table::Exits, &values)?;
        Some((decision.want("exit"), decision.want("told") == "yes"))
    }

    /// Whether this refuser may have written deny at this station, and nobody who may not did.
    pub(super) fn refuses(&self, by: DeniedBy, at: Station) -> bool {
        let may = |by: DeniedBy| {
            self.want(Table::Refusers, &[by.word(), at.word()], "may") == Some("yes")
        };
        DeniedBy::ALL
            .iter()
            .filter(|each| may(**each))
            .any(|each| *each == by)
    }

    /// Whether this allower may have written allow at this station, and nobody who may not did.
    pub(super) fn allows(&self, by: AllowedBy, at: Station) -> bool {
        let may = |by: AllowedBy| {
            self.want(Table::Allowers, &[by.word(), at.word()], "may") == Some("yes")
        };
        AllowedBy::ALL
            .iter()
            .filter(|each| may(**each))
            .any(|each| *each == by)
    }

    /// Who a notice is for.
    pub(super) fn audience(&self, notice: gatefold::gate::NoticeWord) -> Option<&'a str> {
        self.want(Table::Notices, &[notice.word()], "audience")
    }

    /// Where an ask is parked.
    pub(super) fn park_site(&self, shown: bool, round: u8) -> Option<&'a str> {
        self.want(Table::ParkSite, &[yes_no(shown), round_word(round)], "site")
    }

    /// How a screening ends, and what it leaves standing; nothing if it cannot occur.
    pub(super) fn screening(&self, said: &Screened) -> Option<(&'a str, &'a str)> {
        let values = [
            if said.again { "again" } else { "first" },
            ["none", "one", "several"][said.guards.min(2)],
            if said.failed { "failed" } else { "answered" },
            yes_no(said.deny),
            yes_no(said.failure),
            yes_no(said.ask),
            yes_no(said.allow),
            ["none", "one", "two"][said.rewrites.min(2)],
            yes_no(said.asked_before),
        ];
        let grid = &self.judge.grids[Table::Hooks as usize];
        let places = grid
            .inputs
            .iter()
            .zip(values)
            .filter_map(|(axis, value)| axis.place(value));
        if grid.is_impossible(&places.collect::<Vec<_>>()) {
            return None;
        }
        let decision = self.look(Table::Hooks, &values)?;
        Some((decision.want("ends"), decision.want("hook")))
    }

    /// The seat that a station may ask.
    pub(super) fn station(&self, station: Station) -> Option<Seat> {
        Seat::from_word(self.want(Table::Stations, &[station.word()], "asks")?)
    }

    /// Whether a seat that is not wired refuses nothing and tells nobody. Whoever would be asked is
    /// not there to say yes, and that alone may end an ask.
    pub(super) fn unwired(&self, seat: Seat) -> bool {
        let Some(decision) = self.look(Table::Seats, &[seat.word(), "unwired"]) else {
            return false;
        };
        let refuser = decision.want("denied_by");
        let ends_the_ask = seat == Seat::Resolve && refuser == "ask_resolution";
        (refuser == "none" || ends_the_ask) && decision.want("notices") == "none"
    }

    /// Who refuses because a seat failed, whatever anybody else says; and what its own station
    /// adds to the causes.
    pub(super) fn failed(
        &self,
        seat: Seat,
        failure: &SeatFailure,
    ) -> (Option<DeniedBy>, Vec<Cause>) {
        let (state, aborted) = match failure {
            SeatFailure::Threw(_) => ("threw", false),
            SeatFailure::TimedOut => ("timed_out", false),
            SeatFailure::Aborted => ("aborted", true),
        };
        let Some(decision) = self.look(Table::Seats, &[seat.word(), state]) else {
            return (None, Vec::new());
        };
        let refuser = DeniedBy::from_word(decision.want("denied_by"));
        // The classifier's failure may be a person's to answer, if the host says so.
        let refuser = refuser.filter(|by| aborted || *by != DeniedBy::Classifier);
        let adds = decision
            .want("adds")
            .split(", ")
            .filter_map(Cause::from_word);
        let here = |cause: &Cause| {
            let station = self.judge.writes(*cause);
            station.is_some_and(|station| self.station(station) == Some(seat))
        };
        (refuser, adds.filter(here).collect())
    }
}

/// The automatic answerer behind an allow; none behind a person's, the policy's or the default's.
pub(super) const fn answerer(by: AllowedBy) -> Option<Automatic> {
    match by {
        AllowedBy::StoredRule => Some(Automatic::StoredRule),
        AllowedBy::Hook => Some(Automatic::HookAllow),
        AllowedBy::ReadOnly => Some(Automatic::ReadOnly),
        AllowedBy::Sandbox => Some(Automatic::Sandbox),
        AllowedBy::Classifier => Some(Automatic::Classifier),
        AllowedBy::Policy | AllowedBy::Mode | AllowedBy::AskResolution | AllowedBy::Default => None,
    }
}

/// The automatic answerer that a mode is; none for a mode that releases nothing.
pub(super) fn releases(mode: Mode) -> Option<Automatic> {
    Automatic::from_word(mode.word())
}
