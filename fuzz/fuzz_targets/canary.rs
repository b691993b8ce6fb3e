//! Must crash, or nothing that does not crash means anything.
#![cfg_attr(fuzzing, no_main)]

gatefold_fuzz::target!("canary");
