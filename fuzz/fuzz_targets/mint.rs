//! Any facts for the mint, against its table.
#![cfg_attr(fuzzing, no_main)]

gatefold_fuzz::target!("mint");
