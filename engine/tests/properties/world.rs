//! A random world: an input, the passes that went before it, and the host that answers.

use gatefold::gate::{
    Answerer, AttestationBook, AttestationId, Call, ClassifierRuling, Digest, GateInput, HookKind,
    Member, Mode, NoAnswer, OnNoRuling, Seat, Settings, Unstated,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::strategy::Union;

use crate::args::{POOL_LEN, pooled};
use crate::priors;
use crate::script::{Script, Temper};

/// A member of the lineage. Its name is its place, so that it can be known again in another pass.
#[derive(Clone, Debug)]
pub(crate) struct MemberLine {
    pub(crate) name: u8,
    pub(crate) mode: Mode,
    pub(crate) lock: bool,
}

/// A pass that went before and was attested.
#[derive(Clone, Debug)]
pub(crate) struct Prior {
    pub(crate) other_call: bool,
    pub(crate) other_tool: bool,
    /// How many steps on in the pool its args were.
    pub(crate) step: usize,
    pub(crate) ending: PriorEnding,
    /// A second pass looked its attestation up already.
    pub(crate) consumed: bool,
}

/// How it ended.
#[derive(Clone, Debug)]
pub(crate) enum PriorEnding {
    Yes { by: Answerer, edit: Option<usize> },
    No { by: Answerer },
    Unanswered(NoAnswer),
    Round(ClassifierRuling),
}

/// Everything that a pass depends on.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) call: usize,
    pub(crate) members: Vec<MemberLine>,
    /// One bit a seat, in the order of [`Seat::ALL`]; the hook seat's is not read.
    pub(crate) wiring: u16,
    pub(crate) hooks: Vec<HookKind>,
    pub(crate) unstated: Unstated,
    pub(crate) denials: u32,
    pub(crate) settings: Settings,
    pub(crate) priors: Vec<Prior>,
    pub(crate) script: Script,
    pub(crate) leg: bool,
    /// The policy's digest, so that an input can go stale.
    pub(crate) policy: u8,
    /// Whether a parked ask is answered (or cancelled).
    pub(crate) resumed: bool,
    /// All args texts are spelled another way; nothing may depend on it.
    pub(crate) respelled: bool,
}

/// The id and tool of the call.
pub(crate) fn call(world: &World) -> Call {
    Call {
        id: "c1".into(),
        tool: "Bash".into(),
        args: pooled(world.call, world.respelled),
    }
}

/// The input of a world, built once, with the ids that the earlier passes left.
pub(crate) struct Stage<'a> {
    pub(crate) world: &'a World,
    pub(crate) input: GateInput,
    pub(crate) ids: Vec<AttestationId>,
}

impl<'a> Stage<'a> {
    pub(crate) fn of(world: &'a World) -> Self {
        let (book, ids) = priors::attested(world);
        let input = world.input(book);
        Self { world, input, ids }
    }
}

impl World {
    /// Whether the host has wired a seat.
    pub(crate) fn wires(&self, seat: Seat) -> bool {
        if seat == Seat::Hook {
            return !self.hooks.is_empty();
        }
        let place = Seat::ALL.iter().position(|each| *each == seat);
        place.is_some_and(|place| self.wiring & (1 << place) != 0)
    }

    fn input(&self, book: AttestationBook) -> GateInput {
        let mut builder = GateInput::builder(call(self))
            .unstated(self.unstated)
            .denials(self.denials)
            .settings(self.settings)
            .attestations(book)
            .policy(Digest::of(&[self.policy]))
            .time(7)
            .trace(true);
        let (caller, ancestors) = self.members.split_first().expect("there is a caller");
        builder = builder
            .agent(&name(caller))
            .mode(caller.mode)
            .lock(caller.lock);
        for member in ancestors {
            builder = builder.ancestor(Member {
                agent: Some(name(member).into()),
                mode: member.mode,
                lock: member.lock,
            });
        }
        for seat in Seat::ALL.iter().filter(|seat| **seat != Seat::Hook) {
            if self.wires(*seat) {
                builder = builder.wire(*seat);
            }
        }
        for (place, kind) in self.hooks.iter().enumerate() {
            builder = builder.hook(&format!("h{place}"), *kind);
        }
        if self.leg {
            builder = builder.leg("[leg]");
        }
        builder.build().expect("the input is within its limits")
    }

    /// How many guards screen the args.
    pub(crate) fn guards(&self) -> usize {
        self.hooks
            .iter()
            .filter(|kind| **kind == HookKind::Guard)
            .count()
    }
}

fn name(member: &MemberLine) -> String {
    format!("m{}", member.name)
}

/// The seats in the order of [`Seat::ALL`], as [`World::wiring`] has them.
const DESCRIBE: u16 = 1 << 1;
const ADJUDICATE: u16 = 1 << 2;
const CLASSIFY: u16 = 1 << 9;
const SANDBOX: u16 = 1 << 10;
pub(crate) const PARK: u16 = 1 << 12;
const RESOLVE: u16 = 1 << 13;

/// What hosts are like.
const TEMPERS: [(u32, Temper); 7] = {
    // Mostly agrees.
    let calm = Temper {
        good: 200,
        ask: 4,
        deny: 2,
        fail: 2,
        abort: 1,
        rewrite: 5,
        edit: 20,
        policy_ask: 4,
        wired: 0,
        auto: 4,
    };
    // Objects to much.
    let busy = Temper {
        good: 40,
        ask: 8,
        rewrite: 20,
        edit: 30,
        policy_ask: 8,
        ..calm
    };
    // Has an ask answered by whoever is not a person.
    let automatic = Temper {
        deny: 1,
        wired: DESCRIBE | CLASSIFY | SANDBOX,
        auto: 13,
        ..calm
    };
    // Its people edit whatever the policy asks about.
    let editing = Temper {
        deny: 1,
        fail: 1,
        edit: 90,
        policy_ask: 800,
        wired: ADJUDICATE | RESOLVE,
        ..calm
    };
    // Its people answer, with and without edits, and others rewrite what they said yes to.
    let settling = Temper {
        deny: 1,
        fail: 1,
        rewrite: 25,
        edit: 60,
        policy_ask: 100,
        wired: ADJUDICATE | RESOLVE,
        ..calm
    };
    // Its layers veto what was edited.
    let vetoing = Temper {
        deny: 24,
        edit: 95,
        policy_ask: 400,
        wired: ADJUDICATE | RESOLVE,
        ..calm
    };
    // It breaks.
    let breaking = Temper {
        fail: 12,
        abort: 3,
        ..calm
    };
    [
        (3, calm),
        (3, busy),
        (3, automatic),
        (3, editing),
        (3, settling),
        (3, vetoing),
        (3, breaking),
    ]
};

/// Every world.
pub(crate) fn worlds() -> BoxedStrategy<World> {
    of_tempers(TEMPERS.into())
}

/// Worlds in which no seat answers `aborted`.
pub(crate) fn unaborted() -> BoxedStrategy<World> {
    let tempers = TEMPERS.iter();
    of_tempers(
        tempers
            .map(|(weight, temper)| {
                (
                    *weight,
                    Temper {
                        abort: 0,
                        ..*temper
                    },
                )
            })
            .collect(),
    )
}

fn of_tempers(tempers: Vec<(u32, Temper)>) -> BoxedStrategy<World> {
    let worlds = tempers
        .into_iter()
        .map(|(weight, temper)| (weight, world(&temper).boxed()));
    Union::new_weighted(worlds.collect()).boxed()
}

fn members(auto: u32) -> impl Strategy<Value = Vec<MemberLine>> {
    let mode = prop_oneof![
        4 => Just(Mode::Default),
        auto => Just(Mode::Auto),
        4 => Just(Mode::Bypass),
        3 => Just(Mode::AcceptEdits),
        1 => Just(Mode::DontAsk),
        1 => Just(Mode::Plan),
    ];
    // A lineage is mostly of one mode, or nothing that every member must agree to would happen.
    let member = (
        option::weighted(0.3, mode.clone()),
        option::weighted(0.01, Just(())),
    );
    let size = prop_oneof![4 => Just(1_usize), 2 => Just(2), 1 => 3_usize..=4];
    let members = size.prop_flat_map(move |size| vec(member.clone(), size));
    (mode, members).prop_map(|(common, members)| {
        let members = (0_u8..).zip(members);
        let line = |(name, (own, lock)): (u8, (Option<Mode>, Option<()>))| MemberLine {
            name,
            mode: own.unwrap_or(common),
            lock: lock.is_some(),
        };
        members.map(line).collect()
    })
}

fn prior() -> impl Strategy<Value = Prior> {
    let by = proptest::sample::select(Answerer::ALL);
    let ending = prop_oneof![
        3 => (by.clone(), option::weighted(0.3, 1..POOL_LEN))
            .prop_map(|(by, edit)| PriorEnding::Yes { by, edit }),
        1 => by.prop_map(|by| PriorEnding::No { by }),
        1 => proptest::sample::select(NoAnswer::ALL).prop_map(PriorEnding::Unanswered),
        2 => proptest::sample::select(ClassifierRuling::ALL).prop_map(PriorEnding::Round),
    ];
    let seldom = || option::weighted(0.15, Just(())).prop_map(|some| some.is_some());
    let step = prop_oneof![3 => Just(0), 1 => 1..POOL_LEN];
    (ending, seldom(), seldom(), seldom(), step).prop_map(
        |(ending, other_call, other_tool, consumed, step)| Prior {
            other_call,
            other_tool,
            step,
            ending,
            consumed,
        },
    )
}

fn settings() -> impl Strategy<Value = Settings> {
    let cap = prop_oneof![2 => 0_u8..=4, 1 => Just(4)];
    let no_ruling = proptest::sample::select(OnNoRuling::ALL);
    (cap, 1_u32..=4, no_ruling).prop_map(|(edit_cap, denial_limit, on_no_ruling)| Settings {
        edit_cap,
        denial_limit,
        on_no_ruling,
    })
}

fn world(temper: &Temper) -> impl Strategy<Value = World> + use<> {
    let wired = temper.wired;
    let kind = prop_oneof![3 => Just(HookKind::Guard), 1 => Just(HookKind::Observer)];
    let host = (
        prop_oneof![1 => vec(kind.clone(), 0..=1), 1 => vec(kind, 2..=4)],
        // Three seats in four are wired.
        (any::<u16>(), any::<u16>()).prop_map(move |(one, other)| one | other | wired),
        prop_oneof![2 => Just(Unstated::Ask), 1 => Just(Unstated::Allow)],
        prop_oneof![3 => Just(0_u32), 1 => 0_u32..=4],
        settings(),
        vec(prior(), 0..=3),
    );
    let flags = (any::<bool>(), option::weighted(0.8, Just(())));
    (
        0..POOL_LEN,
        members(temper.auto),
        host,
        temper.script(),
        flags,
    )
        .prop_map(|(call, members, host, script, (leg, resumed))| {
            let (hooks, wiring, unstated, denials, settings, priors) = host;
            World {
                call,
                members,
                wiring,
                hooks,
                unstated,
                denials,
                settings,
                priors,
                script,
                leg,
                policy: 0,
                resumed: resumed.is_some(),
                respelled: false,
            }
        })
}
