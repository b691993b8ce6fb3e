//! Real paths: where a path leads by those that the host gives.

use std::collections::BTreeMap;

use super::{Base, Name, Names};
use crate::trie::{At, Trie};

/// Real paths by the names of the path as it is looked up.
#[derive(Clone, Debug, Default)]
pub(super) struct RealPaths(Trie<Link>);

/// What the host says of a path.
#[derive(Clone, Debug, Default)]
enum Link {
    #[default]
    Nothing,
    /// Its real path.
    Real(Names),
    /// A text that is no real path.
    Unsound,
}

/// Where a path leads.
#[derive(Clone, Debug)]
pub(super) enum Real {
    Unknown,
    /// Where it says.
    Typed,
    Other(Names),
}

/// How far a path goes among those that are looked up.
#[derive(Clone, Copy, Debug)]
struct Spot {
    /// The last place that it has in common with any of them.
    at: At,
    /// How many names it goes on from there.
    beyond: usize,
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

impl RealPaths {
    /// Those of these paths; none where the host's word is no real path.
    pub(super) fn of(links: BTreeMap<Names, Option<Names>>) -> Self {
        let mut paths = Self::default();
        for (path, real) in links {
            if let Some(held) = paths.0.hold(path.iter().map(Name::as_str)) {
                *held = real.map_or(Link::Unsound, Link::Real);
            }
        }
        paths
    }

    /// The path as it is typed, and where it leads: links on the part that exists, and `..` after
    /// them; the rest as it is typed.
    pub(super) fn walk(&self, base: &Base, names: &[Name]) -> (Names, Real) {
        let mut typed = with_room(&base.typed, names);
        // The real path so far, while it is another than the typed one.
        let other = base.real.as_ref().filter(|real| **real != base.typed);
        let mut other = other.map(|real| with_room(real, names));
        let mut is_known = base.real.is_some();
        let mut is_sound = true;
        // The path as it is typed, `..` and all, and the real one so far.
        let mut raw = self.find(&base.typed);
        let mut resolved = other.as_ref().map_or(raw, |other| self.find(other));
        let mut follow = |link: &Link, typed: &Names, other: &mut Option<Names>| {
            is_known = true;
            if let Link::Real(real) = link {
                *other = (real != typed).then(|| real.clone());
            } else {
                is_sound = false;
            }
            self.find(other.as_ref().unwrap_or(typed))
        };
        if base.typed.is_empty()
            && let Some(link) = self.held(raw)
        {
            resolved = follow(link, &typed, &mut other);
        }
        for name in names {
            raw = self.step(raw, name);
            if name == ".." {
                typed.pop();
                if let Some(other) = &mut other {
                    other.pop();
                }
                resolved = self.up(resolved);
            } else {
                typed.push(name.clone());
                if let Some(other) = &mut other {
                    other.push(name.clone());
                }
                resolved = self.step(resolved, name);
            }
            if let Some(link) = self.held(raw).or(self.held(resolved)) {
                resolved = follow(link, &typed, &mut other);
            }
        }
        let real = match other.filter(|other| *other != typed) {
            _ if !(is_known && is_sound) => Real::Unknown,
            None => Real::Typed,
            Some(other) => Real::Other(other),
        };
        (typed, real)
    }

    fn find(&self, names: &[Name]) -> Spot {
        let root = Spot {
            at: Trie::<Link>::ROOT,
            beyond: 0,
        };
        names.iter().fold(root, |spot, name| self.step(spot, name))
    }

    /// One name on.
    fn step(&self, Spot { at, beyond }: Spot, name: &str) -> Spot {
        let next = (beyond == 0).then(|| self.0.step(at, name)).flatten();
        let on = Spot {
            at,
            beyond: beyond.saturating_add(1),
        };
        next.map_or(on, |at| Spot { at, beyond: 0 })
    }

    /// One name back; nothing is above the root.
    fn up(&self, Spot { at, beyond }: Spot) -> Spot {
        match beyond.checked_sub(1) {
            Some(beyond) => Spot { at, beyond },
            None => Spot {
                at: self.0.back(at),
                beyond: 0,
            },
        }
    }

    /// What is said of the path that ends there.
    fn held(&self, Spot { at, beyond }: Spot) -> Option<&Link> {
        let held = self.0.held(at).filter(|_| beyond == 0);
        held.filter(|link| !matches!(link, Link::Nothing))
    }
}

/// Names, with room for those that follow.
fn with_room(names: &[Name], more: &[Name]) -> Names {
    let mut all = Names::with_capacity(names.len().saturating_add(more.len()));
    all.extend_from_slice(names);
    all
}
