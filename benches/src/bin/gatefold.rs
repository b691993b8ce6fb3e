//! The program `gatefold`, built as the benches are.

use std::process::ExitCode;

fn main() -> ExitCode {
    gatefold_cli::main()
}
