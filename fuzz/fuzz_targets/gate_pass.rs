//! One pass of any world, every invariant and every table.
#![cfg_attr(fuzzing, no_main)]

gatefold_fuzz::target!("gate_pass");
