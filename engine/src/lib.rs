//! Gatefold: the decision core that an AI-agent host embeds instead of writing its own permission
//! gate. A tool call goes in; allow, ask or deny comes out, with the one record of how it came
//! about.
//!
//! Everything here is pure: no I/O, no clock, no environment, no randomness. A machine never calls
//! the host; it returns the question it needs answered and is given the answer. The same inputs
//! and answers give the same bytes on every machine.
//!
//! Start at [`gate`]: one tool call, one pass, one outcome.
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::unreachable,
    clippy::todo,
    clippy::unimplemented,
    clippy::as_conversions,
    clippy::disallowed_methods,
    clippy::disallowed_types
)]

extern crate alloc;

#[cfg(not(gatefold_faults))]
mod faults;
#[cfg(gatefold_faults)]
pub mod faults;
pub mod gate;
pub mod limits;
