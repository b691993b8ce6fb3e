//! Any bytes as policy documents.
#![cfg_attr(fuzzing, no_main)]

gatefold_fuzz::target!("policy_load");
