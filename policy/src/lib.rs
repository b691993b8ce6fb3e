//! Answering the questions of a Gatefold pass from rules and facts.
//!
//! Pure: text and facts in, answers out. Nothing here looks at a disk, at a clock or at its
//! surroundings; what only those know comes in as facts, and without them the answer is the careful
//! one.
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
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::disallowed_types
)]

mod deciders;
mod document;
mod files;
mod given;
mod glob;
mod hosts;
mod image;
mod judge;
mod mcp;
mod modes;
mod path_rules;
mod paths;
mod policy;
mod postings;
mod reload;
mod rule_error;
mod rules;
mod seats;
mod shell;
mod surroundings;
mod tools;
mod trie;

pub use deciders::Deciders;
#[cfg(feature = "schema")]
pub use document::schema;
pub use document::{
    Came, Checked, Code, DOCUMENT_BYTES_MAX, Loaded, Place, Problem, Refused, Severity, Source,
    Trial, Trust,
};
pub use image::{Image, ImageError, Stored};
pub use mcp::McpName;
pub use modes::{ForbiddenMode, ModeInForce};
pub use paths::{FileFacts, ProtectedPath};
pub use policy::{Limits, Policy, RULES_MAX};
pub use reload::{Content, Found, Reloaded, reload};
pub use rules::{Effect, Layer, RuleError};
pub use shell::{
    COMMANDS_MAX, Carried, Command, Covered, FileUse, NESTING_MAX, Origin, Part, Plan, PlanFault,
    WORDS_MAX, Word,
};
pub use surroundings::Surroundings;
pub use tools::{Platform, Tool};
