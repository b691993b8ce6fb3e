//! Passes that leave the process and come back.
#![cfg_attr(fuzzing, no_main)]

gatefold_fuzz::target!("snapshot_resume");
