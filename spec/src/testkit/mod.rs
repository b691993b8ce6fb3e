//! What the tests of the whole pass share with fuzzing: worlds, alphabets, the explorer, and the
//! bodies of the fuzz targets.
//!
//! Unlike the rest of this crate it drives the engine. The interpreter knows nothing of it.

pub mod explore;
pub mod fuzz;
