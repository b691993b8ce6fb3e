//! Slices: the subsets of seats in which everything that is wired interacts, each over all that
//! matters to it.

use gatefold::gate::{Mode, OnNoRuling, Seat, Unstated};

use super::alphabet::Breadth;
use super::world::{Plan, World};

/// How much is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Under two minutes on two cores.
    Reduced,
    /// About half an hour on two cores.
    Full,
}

impl Bound {
    /// Of how many states one is saved and loaded.
    pub const fn saved_in(self) -> u8 {
        match self {
            Self::Reduced => 16,
            Self::Full => 1,
        }
    }

    /// Of how many states one is replayed, with the ends of its answers.
    pub const fn replayed_in(self) -> u8 {
        match self {
            Self::Reduced => 16,
            Self::Full => 64,
        }
    }
}

/// Seats that interact, and what is chosen beside them: every combination is a world.
#[derive(Clone, Debug)]
pub struct Slice {
    /// Its name.
    pub name: &'static str,
    /// Each world is walked on all threads, because it is large.
    pub wide: bool,
    seats: Vec<Seat>,
    breadth: Breadth,
    lineages: Vec<Vec<Mode>>,
    locks: Vec<Option<usize>>,
    hooks: Vec<(usize, bool)>,
    interactive: Vec<bool>,
    unstated: Vec<Unstated>,
    denied_often: Vec<bool>,
    on_no_ruling: Vec<OnNoRuling>,
    caps: Vec<u8>,
}

impl Slice {
    /// These seats wired, one caller in mode default, nobody to ask, no hook, no edits.
    fn of(name: &'static str, seats: &[Seat]) -> Self {
        Self {
            name,
            wide: false,
            seats: seats.to_vec(),
            breadth: Breadth::Reduced,
            lineages: vec![vec![Mode::Default]],
            locks: vec![None],
            hooks: vec![(0, false)],
            interactive: vec![false],
            unstated: vec![Unstated::Ask],
            denied_often: vec![false],
            on_no_ruling: vec![OnNoRuling::Deny],
            caps: vec![0],
        }
    }

    fn full(self) -> Self {
        Self {
            breadth: Breadth::Full,
            ..self
        }
    }

    fn wide(self) -> Self {
        Self { wide: true, ..self }
    }

    fn lineages(self, lineages: Vec<Vec<Mode>>) -> Self {
        Self { lineages, ..self }
    }

    fn hooks(self, hooks: &[(usize, bool)]) -> Self {
        Self {
            hooks: hooks.to_vec(),
            ..self
        }
    }

    fn interactive(self, interactive: &[bool]) -> Self {
        Self {
            interactive: interactive.to_vec(),
            ..self
        }
    }

    fn either_unstated(self) -> Self {
        Self {
            unstated: Unstated::ALL.to_vec(),
            ..self
        }
    }

    fn any_classifier(self) -> Self {
        let on_no_ruling = OnNoRuling::ALL.to_vec();
        Self {
            denied_often: vec![false, true],
            on_no_ruling,
            ..self
        }
    }

    fn caps(self, caps: &[u8]) -> Self {
        Self {
            caps: caps.to_vec(),
            ..self
        }
    }

    /// Every world of the slice, in order.
    pub fn worlds(&self) -> Vec<World> {
        let mut plans = vec![Plan {
            breadth: self.breadth,
            ..Plan::of(Mode::Default, &self.seats)
        }];
        spread(&mut plans, &self.lineages, |plan, modes| {
            plan.modes.clone_from(modes);
        });
        spread(&mut plans, &self.locks, |plan, lock| plan.locked = *lock);
        spread(&mut plans, &self.hooks, |plan, hooks| {
            (plan.guards, plan.observer) = *hooks;
        });
        spread(&mut plans, &self.interactive, |plan, interactive| {
            if *interactive {
                plan.wired.push(Seat::Resolve);
            }
        });
        spread(&mut plans, &self.unstated, |plan, unstated| {
            plan.unstated = *unstated;
        });
        spread(&mut plans, &self.denied_often, |plan, often| {
            plan.denied_often = *often;
        });
        spread(&mut plans, &self.on_no_ruling, |plan, then| {
            plan.on_no_ruling = *then;
        });
        spread(&mut plans, &self.caps, |plan, cap| plan.edit_cap = *cap);
        plans.iter().map(|plan| plan.world(self.name)).collect()
    }
}

/// Every plan with every choice.
fn spread<T>(plans: &mut Vec<Plan>, choices: &[T], choose: impl Fn(&mut Plan, &T)) {
    let each = plans.iter().flat_map(|plan| {
        choices.iter().map(|choice| {
            let mut plan = plan.clone();
            choose(&mut plan, choice);
            plan
        })
    });
    *plans = each.collect();
}

/// A caller in each mode, alone.
fn callers() -> Vec<Vec<Mode>> {
    Mode::ALL.iter().map(|mode| vec![*mode]).collect()
}

/// A caller in each mode under an ancestor in each mode.
fn pairs() -> Vec<Vec<Mode>> {
    let all = Mode::ALL.iter();
    all.flat_map(|caller| Mode::ALL.iter().map(|ancestor| vec![*caller, *ancestor]))
        .collect()
}

fn alone_and_under(mode: Mode) -> Vec<Vec<Mode>> {
    vec![vec![mode], vec![mode, Mode::Default]]
}

/// The slices of a bound.
pub fn slices(bound: Bound) -> Vec<Slice> {
    match bound {
        Bound::Reduced => reduced(),
        Bound::Full => full(),
    }
}

const TIGHTENS: [Seat; 5] = [
    Seat::Describe,
    Seat::Probe,
    Seat::Egress,
    Seat::ShellRead,
    Seat::WriteJudge,
];
const ANSWERERS: [Seat; 6] = [
    Seat::Describe,
    Seat::Probe,
    Seat::ShellRead,
    Seat::Rules,
    Seat::Classify,
    Seat::Sandbox,
];
const SURFACE: [Seat; 4] = [Seat::Describe, Seat::Adjudicate, Seat::Present, Seat::Park];
const JUDGES: [Seat; 3] = [Seat::Adjudicate, Seat::Org, Seat::Rules];
const EDITS: [Seat; 3] = [Seat::Adjudicate, Seat::WriteJudge, Seat::Rules];

fn reduced() -> Vec<Slice> {
    let either = [false, true];
    vec![
        Slice::of("policy", &[Seat::Adjudicate])
            .full()
            .lineages(alone_and_under(Mode::Default))
            .interactive(&either)
            .either_unstated()
            .caps(&[0, 1]),
        Slice::of("one guard", &[Seat::Adjudicate, Seat::Rules])
            .full()
            .hooks(&[(0, true), (1, false), (1, true)]),
        Slice::of("two guards", &[Seat::Rules])
            .full()
            .hooks(&[(2, false), (2, true)]),
        Slice::of("layers", &JUDGES)
            .full()
            .lineages(alone_and_under(Mode::Default))
            .interactive(&either),
        Slice::of("tightens", &TIGHTENS)
            .full()
            .lineages(callers())
            .either_unstated(),
        Slice::of("answerers", &ANSWERERS)
            .lineages([callers(), pairs()].concat())
            .any_classifier(),
        Slice::of(
            "clearers",
            &[Seat::Describe, Seat::Classify, Seat::Sandbox, Seat::Org],
        )
        .full()
        .lineages(alone_and_under(Mode::Auto))
        .interactive(&[true])
        .any_classifier(),
        Slice::of("sandboxed", &[Seat::Describe, Seat::Probe, Seat::Sandbox])
            .full()
            .lineages(callers())
            .interactive(&either),
        Slice::of("surface", &SURFACE)
            .interactive(&either)
            .caps(&[0, 1, 2]),
        Slice::of("rounds", &[Seat::Org])
            .full()
            .interactive(&[true])
            .caps(&[2]),
        Slice::of("edits", &EDITS)
            .hooks(&[(1, false)])
            .interactive(&[true])
            .caps(&[1]),
        planned().interactive(&[true]).caps(&[1]),
        Slice::of("judges", &JUDGES)
            .hooks(&[(1, false)])
            .interactive(&[true])
            .either_unstated()
            .caps(&[0, 1]),
        locked(),
    ]
}

fn planned() -> Slice {
    let seats = [Seat::Describe, Seat::Adjudicate, Seat::ShellRead, Seat::Org];
    Slice::of("plan mode", &seats).lineages(vec![vec![Mode::Plan], vec![Mode::Default, Mode::Plan]])
}

/// Every seat is wired and none is asked.
fn locked() -> Slice {
    let everybody: Vec<_> = Seat::ALL
        .iter()
        .copied()
        .filter(|seat| *seat != Seat::Hook)
        .collect();
    let slice = Slice::of("locks", &everybody)
        .hooks(&[(1, true)])
        .lineages(pairs());
    Slice {
        locks: vec![Some(0), Some(1)],
        ..slice
    }
}

fn full() -> Vec<Slice> {
    let mut all = reduced();
    all.extend(whole());
    all
}

/// Every seat at once, and the slices that are too large for the reduced bound.
fn whole() -> Vec<Slice> {
    let either = [false, true];
    let everybody: Vec<_> = Seat::ALL
        .iter()
        .copied()
        .filter(|seat| !matches!(seat, Seat::Hook | Seat::Resolve))
        .collect();
    vec![
        Slice::of("policy, two edits", &[Seat::Adjudicate])
            .full()
            .interactive(&[true])
            .caps(&[2])
            .wide(),
        Slice::of("two guards, all", &[Seat::Adjudicate, Seat::Org])
            .full()
            .hooks(&[(2, true)])
            .interactive(&[true])
            .wide(),
        Slice::of("tightens, pairs", &TIGHTENS)
            .full()
            .lineages(pairs()),
        Slice::of("answerers, all", &ANSWERERS)
            .full()
            .lineages(callers())
            .any_classifier(),
        Slice::of("surface, all", &SURFACE)
            .full()
            .interactive(&either)
            .caps(&[1, 2])
            .wide(),
        Slice::of("edits, two", &EDITS)
            .hooks(&[(1, false)])
            .interactive(&[true])
            .caps(&[2])
            .wide(),
        Slice::of("judges, all", &JUDGES)
            .full()
            .hooks(&[(1, false)])
            .interactive(&[true])
            .caps(&[1])
            .wide(),
        Slice::of("everybody", &everybody)
            .hooks(&[(1, false)])
            .lineages(vec![
                vec![Mode::Default],
                vec![Mode::Auto],
                vec![Mode::Bypass],
            ])
            .interactive(&[true])
            .wide(),
    ]
}
