//! What is known of the disk, and where a path leads by it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use super::facts::FileFacts;
use super::key;
use super::links::Links;
use super::place::{Keys, Place};
use super::realpaths::{Real, RealPaths};
use super::spelling::{Reading, Spelling, Start};
use super::{
    ANY_NAME, Base, Folder, Key, Name, Names, UNKNOWN_CWD, UNKNOWN_HOME, fold_all, is_pattern,
};
use crate::tools::Platform;

/// Names that the working directory and a path have together at most (1 024).
const NAMES_MAX: usize = 1_024;
const ABOVE: &str = "it goes above a folder that is not known";
const TOO_DEEP: &str = "it has more names than a path may have";

/// Devices that hold nothing, or what the host gives the call anyway.
const DEVICES: [&[&str]; 5] = [
    &["dev", "null"],
    &["dev", "zero"],
    &["dev", "stdin"],
    &["dev", "stdout"],
    &["dev", "stderr"],
];

/// What is known of the disk.
#[derive(Clone, Debug)]
pub(crate) struct World {
    platform: Platform,
    cwd: Option<Base>,
    home: Option<Base>,
    /// Both ways to the working directory and to the home folder, if they are known.
    both: [Option<Vec<Folder>>; 2],
    /// Both ways to the folder of each document that stands in one that is known.
    of_documents: BTreeMap<Arc<str>, Vec<Folder>>,
    /// Where a rule is meant from that came with the call, and so stands in no folder: the root, and
    /// the working directory if that is known.
    of_calls: Option<Vec<Folder>>,
    roots: Vec<Base>,
    links: RealPaths,
    /// Those that lead elsewhere.
    away: Links,
    volumes: BTreeMap<Names, bool>,
    documents: Option<Base>,
    /// Every way to the folders that the work is in, once that was asked for.
    work: OnceLock<Vec<Key>>,
}

impl World {
    /// The world by these facts; `files` are the documents, and `roots` those that they name, each
    /// with its document.
    pub(crate) fn new(
        facts: &FileFacts,
        files: &[Arc<str>],
        roots: &[(Arc<str>, String)],
        platform: Platform,
    ) -> Self {
        let absolute = |text: &String| Spelling::absolute(text, platform);
        let links = facts.realpaths.iter().filter_map(|(path, real)| {
            let mut spelling = Spelling::of(path, platform);
            spelling.readings.truncate(1);
            let reading = spelling.readings.pop()?;
            let is_rooted = reading.start == Start::Root;
            is_rooted.then(|| (reading.names, Spelling::absolute(real, platform)))
        });
        let links: BTreeMap<Names, Option<Names>> = links.collect();
        let volumes = facts.folds_case.iter();
        let mut world = Self {
            platform,
            cwd: None,
            home: None,
            both: [None, None],
            of_documents: BTreeMap::new(),
            of_calls: None,
            roots: Vec::new(),
            away: Links::of(&links),
            links: RealPaths::of(links),
            volumes: volumes
                .filter_map(|(folder, folds)| Some((absolute(folder)?, *folds)))
                .collect(),
            documents: None,
            work: OnceLock::new(),
        };
        let base = |text: &Option<String>| text.as_ref().and_then(&absolute);
        world.cwd = base(&facts.cwd).map(|names| world.base(&names));
        world.home = base(&facts.home).map(|names| world.base(&names));
        world.both = [&world.cwd, &world.home].map(|base| base.as_ref().map(Base::folders));
        let cwds = world.cwds();
        world.of_calls = cwds.map(|cwds| [&[Folder::ROOT], cwds].concat());
        world.documents = base(&facts.documents).map(|names| world.base(&names));
        let folders = files.iter().filter_map(|file| {
            let folder = world.folder_of(file)?;
            Some((Arc::clone(file), folder.folders()))
        });
        world.of_documents = folders.collect();
        world.roots = if let Some(own) = &facts.roots {
            let own = own.iter();
            own.filter_map(|root| world.folder(root, world.cwd.as_ref()))
                .collect()
        } else {
            let roots = roots.iter();
            roots
                .filter_map(|(file, root)| world.folder(root, world.folder_of(file).as_ref()))
                .collect()
        };
        world
    }

    pub(crate) const fn cwd(&self) -> Option<&Base> {
        self.cwd.as_ref()
    }

    /// Both ways to the working directory.
    pub(super) fn cwds(&self) -> Option<&[Folder]> {
        let [cwd, _] = &self.both;
        cwd.as_deref()
    }

    /// Both ways to the home folder.
    pub(super) fn homes(&self) -> Option<&[Folder]> {
        let [_, home] = &self.both;
        home.as_deref()
    }

    /// Both ways to the folder of a rule's document, or of a rule without one.
    pub(super) fn of_document(&self, file: Option<&str>) -> Option<&[Folder]> {
        match file {
            Some(file) => self.of_documents.get(file).map(Vec::as_slice),
            None => self.of_calls.as_deref(),
        }
    }

    pub(crate) const fn platform(&self) -> Platform {
        self.platform
    }

    /// Whether the host says in which folders the work is.
    pub(crate) const fn has_roots(&self) -> bool {
        !self.roots.is_empty()
    }

    fn base(&self, names: &[Name]) -> Base {
        self.base_in(&Base::ROOT, names)
    }

    fn base_in(&self, from: &Base, names: &[Name]) -> Base {
        let (typed, real) = self.links.walk(from, names);
        Base {
            real: real.names(&typed).cloned(),
            typed,
        }
    }

    /// A folder, begun in another.
    pub(crate) fn folder(&self, text: &str, from: Option<&Base>) -> Option<Base> {
        let spelling = Spelling::of(text, self.platform);
        let [reading] = spelling.readings.as_slice() else {
            return None;
        };
        if spelling.doubt.is_some() {
            return None;
        }
        let start = match reading.start {
            Start::Root => &Base::ROOT,
            Start::Cwd => from?,
            Start::Volume | Start::Home => return None,
        };
        Some(self.base_in(start, &reading.names))
    }

    /// The home folder, as a folder to begin in.
    pub(crate) fn home_base(&self) -> Option<Base> {
        self.home.clone()
    }

    /// The folder of a document, by the document's name.
    pub(super) fn folder_of(&self, file: &str) -> Option<Base> {
        self.folder(&format!("{file}/.."), self.documents.as_ref())
    }

    /// The path of a document, absolute.
    pub(crate) fn document_path(&self, file: &str) -> Option<String> {
        let base = self.folder(file, self.documents.as_ref())?;
        self.spelt(&base.typed)
    }

    /// Every way to a document, folded and not.
    pub(crate) fn document(&self, file: &str) -> Vec<Key> {
        let base = self.folder(file, self.documents.as_ref());
        let both = base.iter().flat_map(Base::both);
        both.flat_map(|names| [true, false].map(|folded| Key::new(names, folded)))
            .collect()
    }

    /// Where a path leads, begun in each of these folders.
    pub(crate) fn place(&self, text: &str, from: &[Base]) -> Place {
        let Spelling { readings, doubt } = Spelling::of(text, self.platform);
        let mut place = Place {
            text: if is_pattern(text) {
                text.replace(ANY_NAME, "*")
            } else {
                text.to_owned()
            },
            ways: Keys::new(),
            leads: doubt.is_none().then(Keys::new),
            doubt,
            outside: false,
            device: false,
            below: Vec::new(),
            lookups: SmallVec::new(),
        };
        for reading in &readings {
            match reading.start {
                Start::Cwd if !from.is_empty() => {
                    for base in from {
                        self.add(&mut place, base, &reading.names);
                    }
                }
                Start::Root | Start::Volume | Start::Cwd | Start::Home => {
                    self.add(&mut place, &self.start(reading), &reading.names);
                }
            }
        }
        // Where the files lead that a pattern matches is not known.
        if place.ways.is_empty() || is_pattern(text) {
            place.leads = None;
        }
        place.device = place.doubt.is_none()
            && place
                .ways
                .iter()
                .all(|way| DEVICES.iter().any(|device| way.names == *device));
        self.away.lead(&mut place);
        place
    }

    /// The folder that a reading begins in.
    fn start(&self, reading: &Reading) -> Cow<'_, Base> {
        let unknown = |marker: &str| {
            let typed = vec![marker.into()];
            Cow::Owned(Base { typed, real: None })
        };
        let cwd = || {
            let cwd = self.cwd.as_ref();
            cwd.map_or_else(|| unknown(UNKNOWN_CWD), Cow::Borrowed)
        };
        match reading.start {
            Start::Root => Cow::Borrowed(const { &Base::ROOT }),
            Start::Cwd => cwd(),
            Start::Home => {
                let home = self.home.as_ref();
                home.map_or_else(|| unknown(UNKNOWN_HOME), Cow::Borrowed)
            }
            Start::Volume => {
                let cwd = cwd();
                let typed = &cwd.typed;
                let is_drive = typed.first().is_some_and(|name| name.ends_with(':'));
                let kept = if is_drive { 1 } else { 2 };
                Cow::Owned(self.base(typed.get(..kept).unwrap_or(typed)))
            }
        }
    }

    fn add(&self, place: &mut Place, base: &Base, names: &[Name]) {
        let many = base.typed.len().saturating_add(names.len()) > NAMES_MAX;
        let is_known = key::is_known(&base.typed);
        let (typed, real) = if many {
            place.doubt.get_or_insert(TOO_DEEP);
            (base.typed.clone(), Real::Unknown)
        } else {
            self.links.walk(base, names)
        };
        if !is_known && !typed.starts_with(&base.typed) {
            place.doubt.get_or_insert(ABOVE);
        }
        // Some tools fold `..` before they open a path, whatever links stand before it.
        let goes_up = names.iter().any(|name| name == "..");
        let folded = goes_up.then(|| self.base(&typed).real);
        let real = real.names(&typed);
        place.outside |= self.is_outside(real.unwrap_or(&typed));
        let reals = || real.into_iter().chain(folded.iter().flatten());
        place.outside |= reals().any(|names| self.is_outside(names));
        let led = self.away.led_by_names(&typed);
        place.outside |= led.iter().any(|names| self.is_outside(names));
        let elsewhere = reals().filter(|real| **real != typed);
        let typed_and_real = std::iter::once(&typed).chain(elsewhere);
        let ways = typed_and_real.map(|names| (names, false));
        for (names, by_names) in ways.chain(led.iter().map(|names| (names, true))) {
            // Who refuses takes names for the same that any volume may.
            let key = Key {
                by_names,
                ..Key::new(names, self.folds(names).unwrap_or(true))
            };
            if !place.ways.contains(&key) {
                place.ways.push(key);
            }
        }
        let mut leads = place.leads.take().filter(|_| place.doubt.is_none());
        let certain = folded.iter().map(Option::as_ref);
        for real in std::iter::once(real).chain(certain) {
            leads = match (leads, real) {
                (Some(mut leads), Some(real)) => {
                    leads.push(Key::new(real, self.folds(real) == Some(true)));
                    Some(leads)
                }
                (Some(_) | None, _) => None,
            };
        }
        place.leads = leads;
        if is_known {
            if goes_up || many {
                place.look_up(base.typed.iter().chain(names).cloned().collect());
            }
            place.look_up(typed);
        }
    }

    /// A path from its root as it is written. None on Windows without a drive or share.
    fn spelt(&self, names: &[Name]) -> Option<String> {
        let joined = names.join("/");
        match self.platform {
            Platform::Linux | Platform::MacOs => Some(format!("/{joined}")),
            Platform::Windows if names.first()?.ends_with(':') => Some(joined),
            Platform::Windows => Some(format!("//{joined}")),
        }
    }

    /// The paths whose real paths would tell more of a place, absolute.
    pub(crate) fn lookups_of(&self, place: &Place) -> impl Iterator<Item = String> {
        place.lookups.iter().filter_map(|names| self.spelt(names))
    }

    /// The paths of the folders that others begin in, absolute.
    pub(crate) fn lookups(&self) -> impl Iterator<Item = String> {
        let bases = [&self.cwd, &self.home, &self.documents]
            .into_iter()
            .flatten();
        let bases = bases.chain(&self.roots);
        bases.filter_map(|base| self.spelt(&base.typed))
    }

    /// Whether the volume of a path takes names of different case for the same, if that is known.
    fn folds(&self, names: &[Name]) -> Option<bool> {
        let volumes = self.volumes.iter();
        let over = volumes.filter(|(folder, _)| names.starts_with(folder));
        over.max_by_key(|(folder, _)| folder.len())
            .map(|(_, folds)| *folds)
    }

    /// Whether any of these is the working directory, a root, the home folder, or above one of them.
    pub(crate) fn holds_work(&self, ways: &[Key]) -> bool {
        let folders = self.work.get_or_init(|| {
            let bases = self.roots.iter().chain(&self.cwd).chain(&self.home);
            let names = bases.flat_map(Base::both);
            let keys = names.flat_map(|names| [true, false].map(|folded| Key::new(names, folded)));
            keys.collect()
        });
        let mut ways = ways.iter();
        ways.any(|way| {
            let holds = |folder: &Key| folder.is_within(way) || way.may_be(folder, true);
            folders.iter().any(holds)
        })
    }

    fn is_outside(&self, names: &[Name]) -> bool {
        let folds = self.folds(names) == Some(true);
        let within = |root: &Base| {
            root.both().any(|root| {
                if folds {
                    fold_all(names).starts_with(&fold_all(root))
                } else {
                    names.starts_with(root)
                }
            })
        };
        // What begins in a folder that is not known is not known to be outside.
        self.has_roots() && key::is_known(names) && !self.roots.iter().any(within)
    }
}

#[cfg(test)]
mod tests {
    use super::super::links::{LINKS_MAX, MANY_LINKS};
    use super::*;

    fn world(links: &[(&str, &str)], roots: &[&str]) -> World {
        let facts = FileFacts {
            cwd: Some("/srv/app".into()),
            home: Some("/home/u".into()),
            roots: Some(roots.iter().map(|root| (*root).to_owned()).collect()),
            realpaths: links
                .iter()
                .map(|(path, real)| ((*path).to_owned(), (*real).to_owned()))
                .collect(),
            ..FileFacts::default()
        };
        World::new(&facts, &[], &[], Platform::Linux)
    }

    #[test]
    fn a_path_leads_where_the_facts_say() {
        for (links, path, typed, real) in [
            // Nothing is known.
            (&[][..], "a", "/srv/app/a", None),
            // The longest part that exists, whatever follows.
            (
                &[("/srv/app", "/srv/app")],
                "new/x",
                "/srv/app/new/x",
                Some("/srv/app/new/x"),
            ),
            (&[("/", "/")], "../x", "/srv/x", Some("/srv/x")),
            (
                &[("/srv/app/link", "/etc")],
                "link/passwd",
                "/srv/app/link/passwd",
                Some("/etc/passwd"),
            ),
            (
                &[("/srv/app/f", "/etc/passwd")],
                "f",
                "/srv/app/f",
                Some("/etc/passwd"),
            ),
            // `..` goes up from where the link leads, not from the link.
            (
                &[("/", "/"), ("/srv/app/link", "/etc/deep")],
                "link/../x",
                "/srv/app/x",
                Some("/etc/x"),
            ),
            (
                &[("/", "/"), ("/srv/app/link/..", "/etc")],
                "link/../x",
                "/srv/app/x",
                Some("/etc/x"),
            ),
            // `..` on what does not exist is folded as it is typed.
            (
                &[("/srv/app", "/data/app")],
                "no/../x",
                "/srv/app/x",
                Some("/data/app/x"),
            ),
            // A link in what another leads to.
            (
                &[("/srv/app/l", "/m"), ("/m/n", "/o")],
                "l/n/x",
                "/srv/app/l/n/x",
                Some("/o/x"),
            ),
            // What is no real path is not believed.
            (
                &[("/srv/app/link", "etc")],
                "link/x",
                "/srv/app/link/x",
                None,
            ),
            (
                &[("/srv/app/link", "/a/../b")],
                "link/x",
                "/srv/app/link/x",
                None,
            ),
            (&[("srv/app", "/srv/app")], "x", "/srv/app/x", None),
        ] {
            let place = world(links, &[]).place(path, &[]);
            let shown = |key: &Key| {
                key.names()
                    .map(|name| ["/", name].concat())
                    .collect::<String>()
            };
            assert_eq!(
                place.ways.first().map(shown).as_deref(),
                Some(typed),
                "{path}"
            );
            let leads = place
                .leads
                .as_ref()
                .and_then(|leads| leads.first())
                .map(shown);
            assert_eq!(leads.as_deref(), real, "{path} by {links:?}");
        }
    }

    #[test]
    fn a_doubted_path_leads_nowhere_that_is_certain() {
        let links = [("/", "/")];
        for path in ["~/x", "$HOME/x", "file:///x", "~v/x", "", "a\0b"] {
            let place = world(&links, &[]).place(path, &[]);
            assert!(place.leads.is_none() && place.doubt.is_some(), "{path:?}");
        }
    }

    #[test]
    fn what_leads_out_of_the_roots_is_outside() {
        let links = [
            ("/", "/"),
            ("/srv/app/link", "/etc"),
            ("/srv/linked", "/srv/app"),
        ];
        for (roots, path, outside) in [
            (&["/srv/app"][..], "x", false),
            (&["/srv/app"], "../app/x", false),
            (&["/srv/app"], "../apple", true),
            (&["/srv/app"], "link/passwd", true),
            (&["/srv/app"], "/etc", true),
            (&["."], "x", false),
            (&["/srv/linked"], "x", false),
            (&["/a", "/srv"], "x", false),
            (&[], "/etc", false),
        ] {
            let place = world(&links, roots).place(path, &[]);
            assert_eq!(place.outside, outside, "{path} of {roots:?}");
        }
    }

    #[test]
    fn a_volume_that_is_known_folds_as_it_does() {
        let facts = |folds: bool| FileFacts {
            realpaths: BTreeMap::from([("/".into(), "/".into())]),
            folds_case: BTreeMap::from([("/".into(), !folds), ("/m".into(), folds)]),
            ..FileFacts::default()
        };
        for folds in [true, false] {
            let world = World::new(&facts(folds), &[], &[], Platform::MacOs);
            let place = world.place("/m/X", &[]);
            assert!(place.ways.iter().all(|way| way.folded == folds));
            assert_eq!(place.leads.expect("it leads there")[0].folded, folds);
        }
        let unknown = World::new(&FileFacts::default(), &[], &[], Platform::Linux);
        assert!(unknown.place("/m/X", &[]).ways[0].folded);
    }

    #[test]
    fn more_links_than_are_looked_at_leave_a_pattern_in_doubt() {
        for (count, doubted) in [(2, false), (LINKS_MAX, true), (LINKS_MAX + 9, true)] {
            let links: Vec<_> = (0..count)
                .map(|at| (format!("/w/a/l{at}"), format!("/elsewhere/{at}")))
                .collect();
            let links: Vec<_> = links
                .iter()
                .map(|(link, real)| (link.as_str(), real.as_str()))
                .collect();
            let place = world(&links, &[]).place(&format!("/w/a{ANY_NAME}/{ANY_NAME}"), &[]);
            assert_eq!(place.doubt == Some(MANY_LINKS), doubted, "{count}");
        }
    }
}
