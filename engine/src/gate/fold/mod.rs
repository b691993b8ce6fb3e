//! The fold: stations 4 to 12, from what the call does to what objects to it.

pub(super) mod adjudicate;
pub(super) mod describe;
pub(super) mod tightens;
