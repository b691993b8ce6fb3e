//! The decision oracle `gatefold`: a tool call in, allow, ask or deny out, with its record.
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
mod hook;
mod input;
mod lint;
mod process;
mod schema;
mod snippet;
mod terminal;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
