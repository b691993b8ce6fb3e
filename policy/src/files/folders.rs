//! The folders in which a line opens its files.

use crate::paths::{Base, Place, World};
use crate::shell::{Line, Start, Word, opens_files};
use crate::tools::Platform;

/// Folders that a line may stand in by the time it opens a file (16).
pub(super) const FOLDERS_MAX: usize = 16;

pub(super) const UNKNOWN_FOLDER: &str = "the folder that it goes to is not known";

/// The folders that a line may stand in: where it begins, and wherever it goes.
#[derive(Debug, Default)]
pub(super) struct Folders {
    all: Vec<Base>,
    /// It may be in any other.
    pub(super) is_lost: bool,
    /// Where it goes may not be where that seems to be.
    is_doubted: bool,
}

/// Programs that go to a folder before they open files, and their options for it by letter and by
/// name. Source: the manual of each.
const GOES: &[(&str, &str, &[&str])] = &[
    ("bsdtar", "C", &["--cd", "--directory"]),
    ("cargo", "C", &[]),
    ("env", "C", &["--chdir"]),
    ("git", "C", &["--git-dir", "--work-tree"]),
    ("gmake", "C", &["--directory"]),
    ("gtar", "C", &["--directory"]),
    ("make", "C", &["--directory"]),
    ("ninja", "C", &[]),
    ("npm", "C", &["--prefix"]),
    ("pnpm", "C", &["--dir"]),
    ("sudo", "D", &["--chdir"]),
    ("tar", "C", &["--directory", "--cd"]),
    ("yarn", "", &["--cwd"]),
];

/// Carriers that run a command under a root of its own, by any of these options; `chroot` always.
const ROOTS: &[(&str, &str)] = &[
    ("chroot", ""),
    ("nsenter", "rw"),
    ("sudo", "R"),
    ("unshare", "R"),
];

/// Whether a command runs another in a folder that it chooses.
fn moves_its_own(program: &str, words: &[Word]) -> bool {
    let lead = ROOTS.iter().find(|(name, _)| *name == program);
    let mut texts = words.iter().skip(1).filter_map(Word::text);
    lead.is_some_and(|(_, letters)| letters.is_empty())
        || texts.any(|text| {
            let cluster = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
            let goes = |letters: &str| {
                cluster.is_some_and(|rest| rest.contains(|char| letters.contains(char)))
            };
            matches!(text, "-execdir" | "-okdir")
                || text.starts_with("--chroot")
                || lead.is_some_and(|(_, letters)| goes(letters))
        })
}

/// What programs that are not listed call the folder that they go to.
const COMMON: &[&str] = &[
    "--chdir",
    "--cwd",
    "--directory",
    "--project-dir",
    "--working-directory",
    "--workdir",
    "-chdir",
];

/// Whether a `pushd` is given a folder, and nothing else.
fn is_folder(words: &[Word]) -> bool {
    let is_option = |text: &str| text.is_empty() || text.starts_with(['-', '+']);
    match words {
        [_, word] => word.in_home().is_some() || word.text().is_some_and(|text| !is_option(text)),
        _ => false,
    }
}

/// Whether a word is this option, or the beginning of its name.
fn is_named(word: &str, option: &str) -> bool {
    word == option || (word.len() > 4 && word.starts_with("--") && option.starts_with(word))
}

/// The folders that a command goes to by its own options; none if one of them is not known.
fn gone_to<'w>(program: &str, words: &'w [Word]) -> Option<Vec<&'w str>> {
    let known = GOES.iter().find(|(name, ..)| *name == program);
    // Of a program that is not known, or runs another, by the names that most have for it.
    let letters = match known {
        Some((_, letters, _)) => letters,
        None if opens_files(program) => "",
        None => "C",
    };
    let names = known.map_or(&[][..], |(.., names)| names);
    let mut to = Vec::new();
    let mut may_be_value = false;
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        let Some(text) = word.text() else { continue };
        // What follows is an option of git's own command.
        let is_option = text.starts_with('-');
        if program == "git" && !is_option && !may_be_value {
            break;
        }
        may_be_value = is_option && !text.contains('=');
        // Several options take their values in turn.
        let is_tar = program.ends_with("tar");
        let turns = is_tar && !text.starts_with("--") && !text.starts_with("-C");
        if turns && text.contains('C') && text.len() < 8 {
            return None;
        }
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let cluster = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        let glued = cluster.and_then(|rest| rest.split_once(|char| letters.contains(char)));
        if let Some((_, glued)) = glued {
            to.push(if glued.is_empty() {
                words.next().map_or(Some("."), Word::text)?
            } else {
                glued
            });
        } else if names.iter().chain(COMMON).any(|full| is_named(name, full)) {
            to.push(match value {
                Some(value) => value,
                None => words.next().map_or(Some("."), Word::text)?,
            });
        }
    }
    Some(to)
}

impl Folders {
    pub(super) fn of(line: &Line, world: &World) -> Self {
        let mut folders = Self {
            all: world.cwd().cloned().into_iter().collect(),
            ..Self::default()
        };
        // Whether a tool heeds what it is told is not known.
        match &line.start {
            Start::Here => {}
            Start::At(path) => folders.go_to(path, world),
            Start::Unknown => folders.is_lost = true,
        }
        for command in &line.commands {
            let program = command.platform().program(command.first());
            match &*program {
                "cd" => folders.go(command.shown().get(1..).unwrap_or_default(), world),
                // Where it comes back to, the shell may know from before.
                "pushd" if is_folder(command.shown()) => {
                    folders.go(command.shown().get(1..).unwrap_or_default(), world);
                }
                "pushd" | "popd" => folders.is_lost = true,
                program if moves_its_own(program, command.shown()) => folders.is_lost = true,
                program => match gone_to(program, command.shown()) {
                    Some(to) => to.into_iter().for_each(|to| folders.go_to(to, world)),
                    None => folders.is_lost = true,
                },
            }
            if folders.all.len() > FOLDERS_MAX {
                folders.is_lost = true;
            }
            if folders.is_lost {
                break;
            }
        }
        folders
    }

    /// How many there are, at least one.
    pub(super) fn count(&self) -> usize {
        self.all.len().max(1)
    }

    /// Goes to a folder as a program does.
    fn go_to(&mut self, path: &str, world: &World) {
        // Each may double them.
        if self.all.len() > FOLDERS_MAX {
            self.is_lost = true;
            return;
        }
        let to: Option<Vec<Base>> = if self.all.is_empty() {
            world.folder(path, None).map(|folder| vec![folder])
        } else {
            let all = self.all.iter();
            all.map(|from| world.folder(path, Some(from))).collect()
        };
        match to {
            Some(to) => {
                for folder in to {
                    if !self.all.contains(&folder) {
                        self.all.push(folder);
                    }
                }
            }
            None => self.is_lost = true,
        }
    }

    /// Goes where a `cd` of these words does.
    fn go(&mut self, words: &[Word], world: &World) {
        let to = match words {
            [] => world.home_base().map(|home| vec![home]),
            [path] if path.in_home().is_some() && !path.many => {
                let rest = path.in_home().unwrap_or_default().trim_start_matches('/');
                let rest = if rest.is_empty() { "." } else { rest };
                let home = world.home_base();
                home.and_then(|home| world.folder(rest, Some(&home)))
                    .map(|folder| vec![folder])
            }
            [path] => path
                .text()
                .filter(|path| !path.starts_with('-'))
                .and_then(|path| {
                    // `CDPATH` may lead a name that begins with no dot anywhere.
                    self.is_doubted |= !path.starts_with(['.', '/']);
                    if self.all.is_empty() {
                        return world.folder(path, None).map(|folder| vec![folder]);
                    }
                    let all = self.all.iter();
                    all.map(|from| world.folder(path, Some(from))).collect()
                }),
            _ => None,
        };
        match to {
            Some(to) => self.all.extend(to),
            None => self.is_lost = true,
        }
    }

    /// A path that the shell begins in the home folder, by its tilde.
    pub(super) fn home(&self, path: &str, world: &World) -> Place {
        let Some(home) = world.home_base() else {
            return self.place(&format!("~{path}"), world);
        };
        let rest = path.trim_start_matches('/');
        let rest = if rest.is_empty() { "." } else { rest };
        Place {
            text: format!("~{path}"),
            ..world.place(rest, &[home])
        }
    }

    pub(super) fn place(&self, path: &str, world: &World) -> Place {
        let mut place = world.place(path, &self.all);
        // A path from the root leads there from anywhere, if there is one root.
        let from_root = path.starts_with('/') && world.platform() != Platform::Windows;
        if (self.is_lost || self.is_doubted) && !from_root {
            place.leads = None;
        }
        place
    }
}
