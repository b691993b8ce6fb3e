//! The lanes: stations 13 to 21, from who else objects to who answers.

pub(super) mod classify;
pub(super) mod layers;
pub(super) mod mode;
pub(super) mod resolve;
pub(super) mod surface;
