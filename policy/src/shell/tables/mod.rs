//! What is known of names and programs, as data: each row with its reason.

mod by_name;
mod carriers;
mod files;
mod later;
mod names;
mod reads;
mod trees;

pub(super) use carriers::{Carrier, GIT, GIT_KEYS, Hands, Shell, carrier, not_read, shell};
pub(super) use files::{FileProgram, Role, TARGET, file_program};
pub(super) use later::{Later, MESSAGES, is_harmless_set, is_silent, later, runs_no_argument};
pub(super) use names::{
    changes_what_runs, is_harmless_assignment, is_inert, is_made_up, is_ordinary,
};
pub(super) use reads::{GIT_READS, Operands, Reads, is_read_carrier, reads, shows_version};
pub(super) use trees::{GIT_TREES, SUBCOMMANDED};
