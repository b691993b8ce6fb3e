//! What is known of names and programs, as data: each row with its reason.

mod carriers;
mod files;
mod later;
mod names;
mod reads;
mod trees;

pub(super) use carriers::{CARRIERS, Carrier, GIT, GIT_KEYS, Hands, NOT_READ, SHELLS, Shell};
pub(super) use files::{FILE_PROGRAMS, FileProgram, Role, TARGET};
pub(super) use later::{LATER, Later, MESSAGES, RUNS_NO_ARGUMENT, SILENT, is_harmless_set};
pub(super) use names::{
    changes_what_runs, is_harmless_assignment, is_inert, is_made_up, is_ordinary,
};
pub(super) use reads::{GIT_READS, Operands, READ_CARRIERS, READS, Reads, VERSIONED};
pub(super) use trees::{GIT_TREES, SUBCOMMANDED};
