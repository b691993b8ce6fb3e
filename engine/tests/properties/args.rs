//! The few args that calls, rewrites and edits are drawn from, so that equal args, other args and
//! a rewrite back to the first ones all happen often.

use gatefold::gate::{Args, NewArgs};
use proptest::prelude::*;

/// Each of the args, in canonical spelling and in another one.
const POOL: [(&str, &str); POOL_LEN] = [
    (
        r#"{"command":"ls","cwd":"/a"}"#,
        r#"{ "cwd": "/a", "command": "ls" }"#,
    ),
    (
        r#"{"command":"rm","cwd":"/a"}"#,
        "{\"cwd\":\"\\/a\",\n\"command\":\"rm\"}",
    ),
    (
        r#"{"a":{"x":1.0,"y":[]},"b":null}"#,
        r#"{"b":null,"a":{"y":[ ],"x":1.0}}"#,
    ),
    (r#"{"a":1,"é":"\n"}"#, r#"{"\u00e9":"\u000a","\u0061":1}"#),
];

/// How many there are.
pub(crate) const POOL_LEN: usize = 4;

/// What no args are.
const BROKEN: [&str; 3] = ["[1]", r#"{"a":1,"a":2}"#, "{"];

/// The args at this place of the pool, read from one spelling or the other.
pub(crate) fn pooled(index: usize, respelled: bool) -> Args {
    let (canonical, other) = POOL[index % POOL_LEN];
    Args::parse(if respelled { other } else { canonical }).expect("the pool holds args")
}

/// The place of these args in the pool.
pub(crate) fn place(args: &Args) -> usize {
    POOL.iter()
        .position(|(canonical, _)| *canonical == args.as_str())
        .expect("all args come from the pool")
}

/// Args that somebody proposes, told from those that stand: 0 steps on are the same args.
#[derive(Clone, Debug)]
pub(crate) enum Proposal {
    Step(usize),
    Respelled(usize),
    Broken(usize),
}

impl Proposal {
    /// The proposal as the seat sends it. `respelled` spells all of it another way.
    pub(crate) fn over(&self, args: &Args, respelled: bool) -> NewArgs {
        let text = |step: usize, other: bool| {
            let (canonical, respelling) = POOL[(place(args) + step) % POOL_LEN];
            NewArgs::from(if other { respelling } else { canonical })
        };
        match self {
            Self::Step(step) if respelled => text(*step, true),
            Self::Step(step) => pooled(place(args) + step, false).into(),
            Self::Respelled(step) => text(*step, !respelled),
            Self::Broken(index) => NewArgs::from(BROKEN[index % BROKEN.len()]),
        }
    }
}

/// Mostly other args, sometimes the same, seldom something that no args are.
pub(crate) fn proposal() -> impl Strategy<Value = Proposal> {
    prop_oneof![
        32 => (1..POOL_LEN).prop_map(Proposal::Step),
        4 => Just(Proposal::Step(0)),
        4 => (0..POOL_LEN).prop_map(Proposal::Respelled),
        1 => (0..BROKEN.len()).prop_map(Proposal::Broken),
    ]
}
