//! Properties of the gate, checked on random worlds.
//!
//! A world is an input, the earlier passes that fill its attestation book, and a host whose answers
//! are a function of what it is asked. Each property is one of the invariants `GATE-001`… of the
//! gate, or a statement about its record. `GATEFOLD_CASES` and `GATEFOLD_SEED` set how many worlds
//! and which ones.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "these bans keep the engine pure and total; a test reads its seed and may panic"
)]
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a property looks at the few answers that it is about"
)]

mod args;
mod bars;
mod coverage;
mod ending;
mod host;
mod longest;
mod objections;
mod priors;
mod record;
mod replies;
mod run;
mod runner;
mod saved;
mod script;
mod tickets;
mod tightening;
mod world;
