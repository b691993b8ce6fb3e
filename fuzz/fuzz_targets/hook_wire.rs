//! Any bytes as a host's event.
#![cfg_attr(fuzzing, no_main)]

gatefold_fuzz::target!("hook_wire");
