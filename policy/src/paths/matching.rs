//! All places of a pattern at once, name by name down a path.

use smallvec::{SmallVec, smallvec};

use super::glob::Glob;
use super::pattern::Part;
use super::{Key, Name, is_pattern};

/// What a pattern matches of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is found or not, whatever the others are"
)]
pub(crate) struct Found {
    /// The path itself, or a folder that it is in.
    pub(crate) itself: bool,
    /// All that is or may be below it.
    pub(crate) all_below: bool,
    /// Something that may be below it.
    pub(crate) some_below: bool,
    /// It may match, but where the pattern begins is not known.
    pub(crate) perhaps: bool,
    /// A name that the shell puts in place of a pattern may match.
    pub(crate) by_names: bool,
}

impl Found {
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            itself: self.itself || other.itself,
            all_below: self.all_below || other.all_below,
            some_below: self.some_below || other.some_below,
            perhaps: self.perhaps || other.perhaps,
            by_names: self.by_names || other.by_names,
        }
    }
}

impl Found {
    /// The same, of names that are not known.
    pub(crate) fn by_names(self) -> Self {
        Self {
            by_names: self.by_names || self.itself || self.all_below || self.perhaps,
            some_below: self.some_below,
            ..Self::default()
        }
    }
}

impl Found {
    /// The same, of what is below a path.
    pub(crate) fn below(self) -> Self {
        Self {
            some_below: self.some_below || self.itself || self.perhaps || self.by_names,
            ..Self::default()
        }
    }
}

/// What a pattern that begins in this folder matches of a path.
pub(super) fn find_in(parts: &[Part], key: &Key, base: &[Name]) -> Found {
    if let Some(rest) = key.names.strip_prefix(base) {
        return find(parts, rest);
    }
    let is_above = base.starts_with(&key.names);
    match key.names.get(base.len()..) {
        Some(rest) if may_begin(&key.names, base) => find(parts, rest).by_names(),
        // It ends above the folder, by its names or by what they may be.
        None if is_above || may_begin(&key.names, base) => Found {
            some_below: true,
            ..Found::default()
        },
        Some(_) | None => Found {
            some_below: is_above,
            ..Found::default()
        },
    }
}

/// What a pattern matches of these names, and what it may match of those that are patterns of the
/// shell.
pub(super) fn find(parts: &[Part], names: &[Name]) -> Found {
    // Most begin with another name, and match nothing of the path and nothing below it.
    if let (Some(Part::Name(glob)), Some(name)) = (parts.first(), names.first())
        && let Some(literal) = glob.literal()
        && literal != name
        && !is_pattern(name)
    {
        return Found::default();
    }
    let matches = |glob: &Glob, name: &str| glob.matches(name);
    if !names.iter().any(|name| is_pattern(name)) {
        return walk(parts, names, matches);
    }
    let surely =
        |glob: &Glob, name: &str| glob.is_any() || (!is_pattern(name) && glob.matches(name));
    let perhaps = |glob: &Glob, name: &str| {
        if is_pattern(name) {
            glob.meets(name)
        } else {
            glob.matches(name)
        }
    };
    let found = walk(parts, names, perhaps);
    let by_names = found.all_below;
    Found {
        by_names,
        ..walk(parts, names, surely)
    }
    .or(Found {
        some_below: found.some_below,
        ..Found::default()
    })
}

/// Whether a path of patterns may begin with these names, or end within them.
pub(super) fn may_begin(names: &[Name], base: &[Name]) -> bool {
    let pairs = names.iter().zip(base);
    let mut has_any = false;
    let mut pairs = pairs.map(|(name, base)| {
        let is_any = is_pattern(name);
        has_any |= is_any;
        name == base || (is_any && Glob::of_name(base).meets(name))
    });
    let fits = pairs.all(|fits| fits);
    fits && has_any
}

/// All places of a pattern at once, name by name.
fn walk(parts: &[Part], names: &[Name], matches: impl Fn(&Glob, &str) -> bool) -> Found {
    // Few patterns have more parts than this has room for.
    let mut places: SmallVec<[bool; 16]> = smallvec![false; parts.len().saturating_add(1)];
    if let Some(first) = places.first_mut() {
        *first = true;
    }
    skip_deep(parts, &mut places);
    let mut next = places.clone();
    for name in names {
        // It matched, or it can no more.
        if places.last() == Some(&true) || !places.contains(&true) {
            break;
        }
        next.fill(false);
        for (at, part) in parts.iter().enumerate() {
            if places.get(at) != Some(&true) {
                continue;
            }
            let to = match part {
                Part::Deep => at,
                Part::Name(glob) if matches(glob, name) => at.saturating_add(1),
                Part::Name(_) => continue,
            };
            if let Some(place) = next.get_mut(to) {
                *place = true;
            }
        }
        skip_deep(parts, &mut next);
        std::mem::swap(&mut places, &mut next);
    }
    let itself = places.last() == Some(&true);
    let rest_is_any = parts.iter().enumerate().any(|(at, part)| {
        let is_last = at.saturating_add(1) == parts.len();
        let is_any = matches!(part, Part::Name(glob) if glob.is_any());
        is_last && is_any && places.get(at) == Some(&true)
    });
    Found {
        itself,
        all_below: itself || rest_is_any,
        some_below: places.contains(&true),
        ..Found::default()
    }
}

/// `**` may stand for no name.
fn skip_deep(parts: &[Part], places: &mut [bool]) {
    for (at, part) in parts.iter().enumerate() {
        if *part == Part::Deep
            && places.get(at) == Some(&true)
            && let Some(next) = places.get_mut(at.saturating_add(1))
        {
            *next = true;
        }
    }
}
