//! What the tests of the whole pass share with fuzzing: worlds, alphabets, and the explorer.
//!
//! Unlike the rest of this crate it drives the engine. The interpreter knows nothing of it.

pub mod explore;
