//! The decision oracle `gatefold`: a tool call in, allow, ask or deny out, with its record.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    gatefold_cli::main()
}
