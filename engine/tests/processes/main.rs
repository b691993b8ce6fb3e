//! A pass that is saved here and goes on in another process, a real one.
//!
//! The other process is this same test binary, started with a folder in its environment; its one
//! test, [`child`], goes on with what lies in the folder and leaves there what came of it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    unreachable_pub,
    missing_docs,
    reason = "a test that starts processes and passes them files; it says what went wrong by failing"
)]

mod child;
mod folder;
mod host;
mod scripts;

mod parked;
mod saved;
mod tampered;
