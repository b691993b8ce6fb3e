//! Patterns over paths in the syntax of gitignore, each beginning in one of four folders.
//!
//! A path is matched name by name against all places of a pattern at once, so that no `**` makes
//! anything be tried twice.

use super::glob::{Glob, GlobFault};
use super::matching::{Found, find, find_in};
use super::world::World;
use super::{Folder, Key, UNKNOWN_CWD, UNKNOWN_HOME, is_pattern};
use crate::tools::Platform;

/// Where a pattern begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// `//x`, or with a drive letter: the root.
    Root,
    /// `~/x`: the home folder.
    Home,
    /// `/x`: the folder of the rule's document.
    Document,
    /// `x`, `./x`: the working directory.
    Cwd,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// `**`: any number of names.
    Deep,
    Name(Glob),
}

/// Which paths a rule is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathPattern {
    pub(crate) anchor: Anchor,
    /// How many folders above its beginning it goes.
    up: usize,
    parts: Vec<Part>,
    folded: Vec<Part>,
    bytes: usize,
}

/// What every path has that a pattern is about, folded: by this its rule is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lead<'a> {
    /// How many folders above its beginning it goes.
    pub(crate) up: usize,
    /// The names that it begins with.
    pub(crate) head: Vec<&'a str>,
    pub(crate) behind: Behind<'a>,
}

/// What stands somewhere behind the first names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Behind<'a> {
    Anything,
    /// This name.
    Name(&'a str),
    /// A name that ends so, from its last dot on.
    Ending(String),
}

/// Why a text is no pattern, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathFault {
    pub(crate) why: &'static str,
    pub(crate) nearest: String,
}

impl PathPattern {
    /// Reads a pattern. A folder's pattern (`x/`) is about what is in it; who refuses means the
    /// folder too.
    pub(crate) fn parse(text: &str, refuses: bool, platform: Platform) -> Result<Self, PathFault> {
        let fault = |why, nearest: &str| {
            let nearest = nearest.to_owned();
            Err(PathFault { why, nearest })
        };
        if text.contains('\0') {
            return fault("no path holds a null character", "//**");
        }
        let is_windows = platform == Platform::Windows;
        let slashed = if is_windows {
            text.replace('\\', "/")
        } else {
            text.into()
        };
        let slashed = slashed.as_str();
        if slashed.starts_with('!') {
            return fault("a rule takes nothing back", slashed.trim_start_matches('!'));
        }
        let head = slashed.split('/').next().unwrap_or_default();
        if head.starts_with('~') && head != "~" {
            return fault("another user's home is not known", "//home/USER/**");
        }
        if head.starts_with('$') || head.starts_with('%') {
            return fault("a pattern holds no variable", "~/**");
        }
        if slashed.contains('{') && slashed.contains('}') && !slashed.contains("\\{") {
            let nearest = slashed.split('{').next().unwrap_or_default();
            return fault(
                "braces are no pattern; write one rule for each",
                &format!("{}*", nearest.trim_end_matches('*')),
            );
        }
        let (anchor, rest) = anchored(slashed, is_windows);
        let inner = rest.strip_suffix('/').unwrap_or(rest);
        if inner.is_empty() || inner == "." {
            let nearest = match anchor {
                Anchor::Root => "//**",
                Anchor::Home => "~/**",
                Anchor::Document => "/**",
                Anchor::Cwd => "./**",
            };
            return fault("it names no path", nearest);
        }
        let mut pattern = Self {
            anchor,
            up: 0,
            parts: Vec::new(),
            folded: Vec::new(),
            bytes: slashed.len(),
        };
        // A name alone stands at any depth.
        if anchor == Anchor::Cwd && !inner.contains('/') && inner != ".." {
            pattern.parts.push(Part::Deep);
        }
        for name in inner.split('/') {
            pattern.push(name, slashed, is_windows)?;
        }
        let inside_only = rest.ends_with('/') && !refuses;
        if inside_only || pattern.parts.last() == Some(&Part::Deep) {
            pattern.parts.push(Part::Name(Glob::any()));
        }
        pattern.folded = pattern.parts.iter().map(Part::folded).collect();
        Ok(pattern)
    }

    fn push(&mut self, name: &str, text: &str, is_windows: bool) -> Result<(), PathFault> {
        let fault = |why, nearest: String| Err(PathFault { why, nearest });
        match name {
            "" => fault("a name is empty", text.replace("//", "/")),
            "." => Ok(()),
            ".." => match self.parts.pop() {
                None if self.anchor != Anchor::Root => {
                    self.up = self.up.saturating_add(1);
                    Ok(())
                }
                Some(Part::Name(glob)) if glob.literal().is_some() => Ok(()),
                None | Some(Part::Name(_) | Part::Deep) => {
                    fault("no folder is above this one", "//**".into())
                }
            },
            "**" => {
                if self.parts.last() != Some(&Part::Deep) {
                    self.parts.push(Part::Deep);
                }
                Ok(())
            }
            _ => match Glob::parse(name, !is_windows) {
                Ok(glob) => {
                    self.parts.push(Part::Name(glob));
                    Ok(())
                }
                Err(GlobFault::OpenClass) => {
                    let nearest = text.split('[').next().unwrap_or_default();
                    fault("a bracket is not closed", format!("{nearest}*"))
                }
                Err(GlobFault::OpenEscape) => {
                    fault("a backslash ends it", text.trim_end_matches('\\').into())
                }
            },
        }
    }

    /// Whether it matches every path there is.
    pub(crate) fn is_everything(&self) -> bool {
        self.anchor == Anchor::Root
            && matches!(self.parts.as_slice(), [Part::Deep, Part::Name(glob)] if glob.is_any())
    }

    /// Whether it may match at any depth below what it names first.
    pub(crate) fn is_deep(&self) -> bool {
        let inner = self.parts.split_last().map_or(&[][..], |(_, inner)| inner);
        inner.contains(&Part::Deep)
    }

    /// Whether it may match in any folder below the one that it begins in.
    pub(crate) fn begins_deep(&self) -> bool {
        self.is_deep() && self.parts.first() == Some(&Part::Deep)
    }

    /// Whether a name of it has a dot in front.
    pub(crate) fn has_dotted_name(&self) -> bool {
        self.parts.iter().any(|part| match part {
            Part::Deep => false,
            Part::Name(glob) => glob.literal().is_some_and(|name| name.starts_with('.')),
        })
    }

    /// Whether it is a name at any depth, and nothing else.
    pub(crate) fn is_name_anywhere(&self) -> bool {
        self.up == 0 && matches!(self.parts.as_slice(), [Part::Deep, Part::Name(_)])
    }

    /// The name that it begins with, if that is one.
    pub(crate) fn first_name(&self) -> Option<&str> {
        match self.parts.first()? {
            Part::Deep => None,
            Part::Name(glob) => glob.literal(),
        }
    }

    /// What its paths have in common.
    pub(crate) fn lead(&self) -> Lead<'_> {
        let head = self.folded.iter().map_while(Part::literal);
        let head: Vec<_> = head.collect();
        let rest = self.folded.get(head.len()..).unwrap_or_default();
        let name = rest.iter().find_map(Part::literal).map(Behind::Name);
        let ending = || match rest.last()? {
            Part::Deep => None,
            Part::Name(glob) => glob.ending().map(Behind::Ending),
        };
        Lead {
            up: self.up,
            behind: name.or_else(ending).unwrap_or(Behind::Anything),
            head,
        }
    }

    /// The name that a path must hold for this to match it or all below it, folded.
    pub(crate) fn needs_name(&self) -> Option<&str> {
        let name = self.folded.iter().find_map(Part::literal);
        name.filter(|_| self.up == 0)
    }

    /// Whether a path holds a name without which this matches neither it nor all below it: the first
    /// that the pattern gives, or else one that ends as its last does.
    pub(crate) fn may_match(&self, key: &Key) -> bool {
        if self.up > 0 {
            return true;
        }
        let parts = self.parts(key);
        let mut names = key.names.iter();
        if let Some(literal) = parts.iter().find_map(Part::literal) {
            return names.any(|name| name == literal || is_pattern(name));
        }
        match parts.last() {
            Some(Part::Name(glob)) if !glob.tail().is_empty() => {
                names.any(|name| name.ends_with(glob.tail()) || is_pattern(name))
            }
            // All below the root may be meant.
            Some(_) | None => true,
        }
    }

    /// What a match with a path costs at most, in steps.
    pub(crate) fn cost(&self, key: &Key) -> usize {
        let names = key.names.len().saturating_add(1);
        let bytes = self.bytes.saturating_mul(key.bytes);
        names
            .saturating_mul(self.parts.len())
            .saturating_add(bytes.checked_div(64).unwrap_or_default())
    }

    /// What it matches of a path, begun in any of these folders.
    pub(crate) fn find(&self, key: &Key, bases: &[Folder]) -> Found {
        let parts = self.parts(key);
        if self.anchor == Anchor::Root {
            return find(parts, &key.names);
        }
        bases.iter().fold(Found::default(), |found, base| {
            let base = base.above(self.up, key.folded);
            found.or(find_in(parts, key, base))
        })
    }

    /// Its parts, folded as the path is.
    fn parts(&self, key: &Key) -> &[Part] {
        if key.folded {
            &self.folded
        } else {
            &self.parts
        }
    }

    /// What it matches of a path that begins in the same folder as it, though that is not known, or
    /// in somebody's home.
    pub(crate) fn find_unknown(&self, key: &Key) -> Option<Found> {
        let marker = match self.anchor {
            Anchor::Cwd => UNKNOWN_CWD,
            Anchor::Home => UNKNOWN_HOME,
            Anchor::Root | Anchor::Document => return None,
        };
        let is_same = key.names.first().is_some_and(|name| name == marker);
        let home = (self.anchor == Anchor::Home).then(|| key.home()).flatten();
        let names = if is_same { Some(1) } else { home };
        let below = key.names.get(names?.saturating_sub(self.up)..);
        Some(find(self.parts(key), below.unwrap_or_default()))
    }

    /// What it may match of a path if it begins in a folder that is not known.
    pub(crate) fn find_anywhere(&self, key: &Key) -> Found {
        let parts = self.parts(key);
        let deep: Vec<_> = [Part::Deep]
            .into_iter()
            .chain(parts.iter().cloned())
            .collect();
        let found = find(&deep, &key.names);
        Found {
            perhaps: found.itself || self.up > 0,
            by_names: found.by_names,
            ..Found::default()
        }
    }

    /// The folders that it begins in; none if that is not known.
    pub(crate) fn bases<'w>(&self, file: Option<&str>, world: &'w World) -> Option<&'w [Folder]> {
        self.anchor.bases(file, world)
    }
}

impl Anchor {
    /// The folders that patterns begin in; none if that is not known.
    pub(crate) fn bases<'w>(self, file: Option<&str>, world: &'w World) -> Option<&'w [Folder]> {
        match self {
            Self::Root => Some(const { &[Folder::ROOT] }),
            Self::Home => world.homes(),
            Self::Cwd => world.cwds(),
            Self::Document => world.of_document(file),
        }
    }
}

impl Part {
    /// The one name that it stands for.
    fn literal(&self) -> Option<&str> {
        match self {
            Self::Deep => None,
            Self::Name(glob) => glob.literal(),
        }
    }

    fn folded(&self) -> Self {
        match self {
            Self::Deep => Self::Deep,
            Self::Name(glob) => Self::Name(glob.folded()),
        }
    }
}

/// Where a pattern begins, and the rest of it.
fn anchored(text: &str, is_windows: bool) -> (Anchor, &str) {
    if let Some(rest) = text.strip_prefix("//") {
        return (Anchor::Root, rest);
    }
    if let Some(rest) = text.strip_prefix('/') {
        return (Anchor::Document, rest);
    }
    if text == "~" {
        return (Anchor::Home, "");
    }
    if let Some(rest) = text.strip_prefix("~/") {
        return (Anchor::Home, rest);
    }
    let mut bytes = text.bytes();
    let letter = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic());
    if is_windows && letter && bytes.next() == Some(b':') {
        return (Anchor::Root, text);
    }
    (Anchor::Cwd, text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::FileFacts;
    use super::*;

    fn world(platform: Platform) -> World {
        let root = if platform == Platform::Windows {
            "C:/"
        } else {
            "/"
        };
        let facts = FileFacts {
            cwd: Some(format!("{root}srv/app")),
            home: Some(format!("{root}home/u")),
            documents: Some(format!("{root}srv/app/conf")),
            realpaths: BTreeMap::from([(root.to_owned(), root.to_owned())]),
            ..FileFacts::default()
        };
        World::new(&facts, &["gatefold.toml".into()], &[], platform)
    }

    /// What a pattern matches of a path: `itself`, `all` or `some` below it, or nothing.
    fn matched(pattern: &str, path: &str, refuses: bool, platform: Platform) -> &'static str {
        let world = world(platform);
        let pattern = PathPattern::parse(pattern, refuses, platform).expect(pattern);
        let place = world.place(path, &[]);
        let keys = if refuses {
            Some(place.ways)
        } else {
            place.leads
        };
        let bases = pattern
            .bases(Some("gatefold.toml"), &world)
            .expect("all is known");
        let found = keys
            .unwrap_or_default()
            .iter()
            .fold(Found::default(), |found, key| {
                let by_key = pattern.find(key, bases);
                let matches = by_key.itself || by_key.all_below;
                assert!(pattern.may_match(key) || !matches, "{key:?}");
                found.or(by_key)
            });
        match found {
            Found { itself: true, .. } => "itself",
            Found {
                all_below: true, ..
            } => "all",
            Found {
                some_below: true, ..
            } => "some",
            Found { .. } => "",
        }
    }

    #[test]
    fn a_pattern_matches_as_gitignore_says_from_one_of_four_folders() {
        for (pattern, path, want) in [
            // The root.
            ("//etc/**", "/etc/passwd", "itself"),
            ("//etc/**", "/etc", "all"),
            ("//etc/**", "/", "some"),
            ("//etc/**", "/srv", ""),
            ("//etc", "/etc/passwd", "itself"),
            ("//**", "/x", "itself"),
            ("//**", "/", "all"),
            ("//**/.git", "/a/b/.git/config", "itself"),
            ("//**/a/**/b", "/x/a/b", "itself"),
            ("//**/a/**/b", "/x/a/y/z/b", "itself"),
            ("//*.txt", "/a/b.txt", ""),
            ("//*", "/", "all"),
            ("//*", "/a/b", "itself"),
            ("//a*/*", "/ab", "all"),
            // The home folder.
            ("~/**", "/home/u/x.txt", "itself"),
            ("~/.ssh", "/home/u/.ssh/id", "itself"),
            ("~/.ssh", "/home/v/.ssh/id", ""),
            ("~/.ssh", "/home", "some"),
            ("~/../v/x", "/home/v/x", "itself"),
            // The document's folder.
            ("/src/**", "/srv/app/conf/src/a", "itself"),
            ("/src/**", "/srv/app/src/a", ""),
            ("/../src/**", "/srv/app/src/a", "itself"),
            // The working directory.
            (".env", ".env", "itself"),
            (".env", "a/b/.env", "itself"),
            (".env", "/.env", ""),
            ("./.env", ".env", "itself"),
            ("./.env", "a/.env", ""),
            ("a/b", "a/b", "itself"),
            ("a/b", "x/a/b", ""),
            ("src/", "src/x", "itself"),
            ("src/", "src", "itself"),
            ("*.rs", "a/b.rs", "itself"),
            ("../x/*", "/srv/x/y", "itself"),
            ("a/../b", "b", "itself"),
            // However the path is spelt.
            ("//etc/**", "../../etc/x", "itself"),
            ("//etc/**", "/srv/../etc//./x", "itself"),
            ("secret", "SECRET", "itself"),
            ("caf\u{e9}", "cafe\u{301}", "itself"),
        ] {
            assert_eq!(
                matched(pattern, path, true, Platform::Linux),
                want,
                "{pattern} on {path}"
            );
        }
    }

    #[test]
    fn who_allows_folds_nothing_that_no_volume_is_known_to() {
        for (pattern, path, want) in [
            ("src/**", "src/a", "itself"),
            ("src/**", "SRC/a", ""),
            ("src/", "src", "all"),
            ("src/", "src/x", "itself"),
            ("./caf\u{e9}", "cafe\u{301}", ""),
            ("~/x", "~/x", ""),
            ("$HOME", "x", "refused"),
        ] {
            if want == "refused" {
                assert!(PathPattern::parse(pattern, false, Platform::Linux).is_err());
                continue;
            }
            assert_eq!(
                matched(pattern, path, false, Platform::Linux),
                want,
                "{pattern} on {path}"
            );
        }
    }

    #[test]
    fn on_windows_drives_shares_and_backslashes_are_read() {
        for (pattern, path, want) in [
            ("C:/Work/Secret.txt", r"c:\work\SECRET.txt", "itself"),
            (r"C:\Work\**", "C:/Work/a", "itself"),
            ("//c:/Work/**", "c:/work/a", "itself"),
            ("//srv/share/**", r"\\SRV\share\a", "itself"),
            ("~/.netrc", r"%USERPROFILE%\.NETRC", "itself"),
            ("~/.netrc", r"C:\home\u\.netrc::$DATA", "itself"),
            ("~/.netrc", r"C:\home\u\.netrc. .", "itself"),
            ("~/.netrc", r"\home\u\.netrc", "itself"),
            ("~/.netrc", r"\\?\C:\home\u\.netrc", "itself"),
            ("~/.netrc", r"\\localhost\C$\home\u\.netrc", "itself"),
            ("C:/Work/**", r"\\?\UNC\127.0.0.1\c$\work\a", "itself"),
            ("//srv/c$/**", r"\\srv\c$\a", "itself"),
            ("D:/**", r"\\localhost\c$\x", ""),
            ("D:/**", r"c:\x", ""),
        ] {
            assert_eq!(
                matched(pattern, path, true, Platform::Windows),
                want,
                "{pattern} on {path}"
            );
        }
    }

    #[test]
    fn a_pattern_that_can_match_nothing_is_refused_with_the_nearest_that_can() {
        for (text, nearest) in [
            ("", "./**"),
            (".", "./**"),
            ("/", "/**"),
            ("//", "//**"),
            ("~", "~/**"),
            ("~/", "~/**"),
            ("!x", "x"),
            ("~u/x", "//home/USER/**"),
            ("$HOME/x", "~/**"),
            ("a//b", "a/b"),
            ("[a", "*"),
            ("src/[a", "src/*"),
            (r"a\", "a"),
            ("*.{ts,js}", "*.*"),
            ("//../x", "//**"),
            ("*/../x", "//**"),
        ] {
            let fault = PathPattern::parse(text, true, Platform::Linux).expect_err(text);
            assert_eq!(fault.nearest, nearest, "{text}");
            assert!(
                PathPattern::parse(&fault.nearest, true, Platform::Linux).is_ok(),
                "{text}"
            );
        }
    }

    #[test]
    fn what_matching_costs_does_not_grow_with_the_number_of_stars() {
        let pattern = format!("//{}b", "**/a*a*/".repeat(200));
        let pattern = PathPattern::parse(&pattern, true, Platform::Linux).expect("a pattern");
        let place = world(Platform::Linux).place(&"/aaaa".repeat(800), &[]);
        let found = pattern.find(place.ways.first().expect("a way"), &[]);
        assert!(!found.itself && found.some_below);
    }
}
