//! Real paths, as the host gives them.

use std::collections::BTreeMap;

use super::{Name, Names};
use crate::trie::{At, Trie};

/// Real paths by the names of the path as it is looked up.
#[derive(Clone, Debug, Default)]
pub(super) struct RealPaths(Trie<Link>);

/// What the host says of a path.
#[derive(Clone, Debug, Default)]
pub(super) enum Link {
    #[default]
    Nothing,
    /// Its real path.
    Real(Names),
    /// A text that is no real path.
    Unsound,
}

impl RealPaths {
    pub(super) fn of(links: BTreeMap<Names, Option<Names>>) -> Self {
        let mut paths = Self::default();
        for (path, real) in links {
            if let Some(held) = paths.0.hold(path.iter().map(Name::as_str)) {
                *held = real.map_or(Link::Unsound, Link::Real);
            }
        }
        paths
    }

    /// Where these names are looked up, if any path begins with them.
    pub(super) fn at(&self, names: &[Name]) -> Option<At> {
        let mut names = names.iter();
        let root = Trie::<Link>::ROOT;
        names.try_fold(root, |at, name| self.0.step(at, name))
    }

    /// One name on.
    pub(super) fn step(&self, at: Option<At>, name: &str) -> Option<At> {
        self.0.step(at?, name)
    }

    /// What is said of the path that ends there.
    pub(super) fn held(&self, at: Option<At>) -> Option<&Link> {
        let link = self.0.held(at?)?;
        (!matches!(link, Link::Nothing)).then_some(link)
    }
}

/// Where a path leads by the facts.
#[derive(Clone, Debug)]
pub(super) enum Real {
    Unknown,
    /// Where it says.
    Typed,
    Other(Names),
}

impl Real {
    /// The real path of what is typed so.
    pub(super) fn names<'n>(&'n self, typed: &'n Names) -> Option<&'n Names> {
        match self {
            Self::Unknown => None,
            Self::Typed => Some(typed),
            Self::Other(names) => Some(names),
        }
    }
}
