//! A path for comparing.

use std::borrow::Cow;

use super::{Name, Names, UNKNOWN_CWD, UNKNOWN_HOME, fold_all, is_pattern, matching};

/// A path for comparing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(super) names: Names,
    /// Its names are folded.
    pub(super) folded: bool,
    /// It is meant only if a pattern of the shell matches a link.
    pub(crate) by_names: bool,
    pub(super) bytes: usize,
}

/// Whether a path is absolute.
pub(super) fn is_known(names: &[Name]) -> bool {
    let first = names.first().map(Name::as_str);
    !matches!(first, Some(UNKNOWN_CWD | UNKNOWN_HOME))
}

impl Key {
    pub(super) fn new(names: &[Name], folded: bool) -> Self {
        let names = if folded {
            fold_all(names)
        } else {
            names.to_vec()
        };
        Self {
            bytes: names.iter().map(Name::len).sum(),
            names,
            folded,
            by_names: false,
        }
    }

    /// Its names, folded.
    pub(crate) fn folded(&self) -> Cow<'_, [Name]> {
        if self.folded {
            Cow::Borrowed(&self.names)
        } else {
            Cow::Owned(fold_all(&self.names))
        }
    }

    /// Whether it is absolute.
    pub(crate) fn is_known(&self) -> bool {
        is_known(&self.names)
    }

    /// Whether it may be that path, or with `tree` something above it, by names that are patterns.
    pub(crate) fn may_be(&self, other: &Self, tree: bool) -> bool {
        let is_long = if tree {
            self.names.len() <= other.names.len()
        } else {
            self.names.len() == other.names.len()
        };
        is_long && matching::may_begin(&self.names, &other.names)
    }

    /// How many names of it are somebody's home folder, by its looks.
    pub(crate) fn home(&self) -> Option<usize> {
        let names: Vec<_> = self.names.iter().map(Name::as_str).collect();
        match names.as_slice() {
            ["home" | "Users" | "users", _, ..] | ["var", "root", ..] => Some(2),
            [drive, "Users" | "users", _, ..] if drive.ends_with(':') => Some(3),
            ["root", ..] => Some(1),
            _ => None,
        }
    }

    /// Whether it is in that folder, or is it.
    pub(crate) fn is_within(&self, folder: &Self) -> bool {
        self.names.starts_with(&folder.names)
    }

    /// Its names, from the root down.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(Name::as_str)
    }

    /// Whether a name of it is a pattern of the shell.
    pub(crate) fn is_pattern(&self) -> bool {
        self.names.iter().any(|name| is_pattern(name))
    }
}
