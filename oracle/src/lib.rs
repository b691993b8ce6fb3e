//! The decision oracle `gatefold`, as a library: what the program does, in the process of whoever tests
//! or measures it.
//!
//! A host that embeds decisions uses `gatefold` and `gatefold-policy` themselves; here stand only the
//! program's own entry and its two ways from bytes to bytes.
#![forbid(unsafe_code)]
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
    clippy::print_stderr
)]

mod cli;
mod decide;
mod documents;
mod explain;
mod files;
mod forbidden;
mod hook;
mod input;
mod lint;
mod process;
mod schema;
mod snippet;
mod terminal;

use std::process::ExitCode;

use documents::Documents;

/// Runs the program: its command line, standard input and standard output.
pub fn main() -> ExitCode {
    cli::main()
}

/// Why there is no decision: what the program says on standard error, and how it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoDecision {
    /// The stable code.
    pub code: &'static str,
    /// What is wrong and what to do, in a sentence.
    pub sentence: String,
    /// The exit code: 2 for an input that cannot be used, 70 for a defect.
    pub exit: u8,
}

/// What `gatefold decide --compact` prints for a request, with these documents (name, bytes) as its
/// policy.
///
/// # Errors
///
/// [`NoDecision`] where the program would print nothing: the call must not run.
pub fn decide(request: &[u8], documents: &[(&str, &[u8])]) -> Result<String, NoDecision> {
    decide::bytes(request, &Documents::of(documents)).map_err(|error| NoDecision {
        code: error.code(),
        sentence: error.to_string(),
        exit: error.exit(),
    })
}

/// What `gatefold hook claude-code` prints for an event, with these documents (name, bytes) as its
/// policy, and the code of what it failed with, if it did.
///
/// The disk is looked at for where the call's paths lead, as the program does.
pub fn hook_claude_code(
    event: &[u8],
    documents: &[(&str, &[u8])],
) -> (String, Option<&'static str>) {
    hook::bytes(event, &Documents::of(documents))
}
