//! Folders that paths and patterns begin in.

use super::{Name, Names, fold_all};

/// A folder: as it is typed, and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Base {
    pub(super) typed: Names,
    pub(super) real: Option<Names>,
}

impl Base {
    pub(super) const ROOT: Self = Self {
        typed: Names::new(),
        real: None,
    };

    /// Both ways to it.
    pub(super) fn both(&self) -> impl Iterator<Item = &Names> {
        let real = self.real.iter().filter(|real| **real != self.typed);
        std::iter::once(&self.typed).chain(real)
    }

    /// The same, as folders that patterns begin in.
    pub(super) fn folders(&self) -> Vec<Folder> {
        self.both().cloned().map(Folder::new).collect()
    }
}

/// A folder that patterns begin in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Folder {
    names: Names,
    folded: Names,
}

impl Folder {
    pub(super) const ROOT: Self = Self {
        names: Names::new(),
        folded: Names::new(),
    };

    pub(super) fn new(names: Names) -> Self {
        Self {
            folded: fold_all(&names),
            names,
        }
    }

    /// The names of the folder that many above it.
    pub(crate) fn above(&self, up: usize, folded: bool) -> &[Name] {
        let names = if folded { &self.folded } else { &self.names };
        let kept = names.len().saturating_sub(up);
        names.get(..kept).unwrap_or_default()
    }
}
