//! Any bytes as a request to the program.
#![cfg_attr(fuzzing, no_main)]

gatefold_fuzz::target!("gate_any_bytes");
