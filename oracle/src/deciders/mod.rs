//! Deciders: what answers the gate's questions from rules and the call itself.
//!
//! Pure: text and facts in, answers out. Nothing here knows of a request, of standard input or of
//! JSON output.

mod judge;
mod mcp;
mod rules;
mod seats;
mod shell;
mod tools;

pub(crate) use mcp::McpName;
pub(crate) use rules::{Effect, Layer, Rule, RuleError};
pub(crate) use seats::{Deciders, Surroundings};
pub(crate) use tools::Platform;
