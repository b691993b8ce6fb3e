//! What other parsers of shell lines see in a line, to be held against our plans of it.
//!
//! They are witnesses and not judges: each misses commands that bash runs, or sees some that it
//! does not run. Bash itself is the judge (`policy/tests/bash.rs`).

pub mod brush;
pub mod tree_sitter;

/// A simple command that a witness sees: its words. Those whose text is not plain are `None`, which
/// stands for any words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen(pub Vec<Option<String>>);

/// What a word in its source is, if that is beyond doubt.
fn literal(source: &str) -> Option<String> {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "_./=:,@%+-".contains(char);
    if !source.is_empty() && source.chars().all(is_plain) {
        return Some(source.to_owned());
    }
    let quoted = source.strip_prefix('\'')?.strip_suffix('\'')?;
    (!quoted.contains('\'')).then(|| quoted.to_owned())
}
