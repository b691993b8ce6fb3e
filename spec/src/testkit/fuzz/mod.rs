//! The bodies of the fuzz targets: a generator turns bytes into a case, an oracle says what must hold
//! of it and reports by panicking. They know no fuzzer, so a stable toolchain can replay them.
//!
//! What needs the program as well stands in the workspace `fuzz/`.

mod document;
mod gate_pass;
mod judged;
mod lexer;
mod mint;
mod policy_load;
mod shell_plan;
mod snapshot_resume;
mod world;

use std::fmt;

use arbitrary::Unstructured;

pub use document::document;
pub use gate_pass::gate_pass;
pub use mint::mint;
pub use policy_load::{DOCUMENTS, policy_load};
pub use shell_plan::shell_plan;
pub use snapshot_resume::snapshot_resume;

/// Hears what a body came across: kinds of inputs, and kinds of what came of them. Who fuzzes does
/// not listen; a test does, so that no body holds because nothing ever happens in it.
pub type See<'a> = &'a mut dyn FnMut(fmt::Arguments<'_>);

/// One of these; the first when the bytes have run out.
///
/// # Panics
/// If there is nothing to choose from.
pub fn pick<T: Copy>(u: &mut Unstructured<'_>, from: &[T]) -> T {
    from[up_to(u, from.len() - 1)]
}

/// A number from 0 to this; 0 when the bytes have run out.
pub fn up_to(u: &mut Unstructured<'_>, most: usize) -> usize {
    u.int_in_range(0..=most).unwrap_or(0)
}

/// Whether a coin says so; it does not when the bytes have run out.
pub fn coin(u: &mut Unstructured<'_>) -> bool {
    up_to(u, 1) == 1
}

/// Something, or nothing; nothing when the bytes have run out.
fn maybe<T>(u: &mut Unstructured<'_>, some: impl FnOnce(&mut Unstructured<'_>) -> T) -> Option<T> {
    coin(u).then(|| some(u))
}
