//! Any text as a shell line.
#![cfg_attr(fuzzing, no_main)]

gatefold_fuzz::target!("shell_plan");
