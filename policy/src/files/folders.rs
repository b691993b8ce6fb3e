//! The folders in which a line opens its files.

use crate::paths::{Base, Place, World};
use crate::shell::{Line, Word};
use crate::tools::Platform;

/// Folders that a line may stand in by the time it opens a file (16).
const FOLDERS_MAX: usize = 16;

/// The folders that a line may stand in: where it begins, and wherever it goes.
#[derive(Debug, Default)]
pub(super) struct Folders {
    all: Vec<Base>,
    /// It may be in any other.
    pub(super) is_lost: bool,
    /// Where it goes may not be where that seems to be.
    is_doubted: bool,
}

/// Whether a command runs another in a folder that it chooses.
fn moves_its_own(words: &[Word]) -> bool {
    let mut texts = words.iter().filter_map(Word::text);
    let carries = texts
        .next()
        .is_some_and(|program| program.ends_with("env") || program.ends_with("sudo"));
    texts.any(|text| {
        matches!(text, "-execdir" | "-okdir")
            || text.starts_with("--chdir")
            || (carries && (text.starts_with("-C") || text.starts_with("-D")))
    })
}

impl Folders {
    pub(super) fn of(line: &Line, world: &World) -> Self {
        let mut folders = Self {
            all: world.cwd().cloned().into_iter().collect(),
            ..Self::default()
        };
        for command in &line.commands {
            match command.first() {
                "cd" => folders.go(command.shown().get(1..).unwrap_or_default(), world),
                "pushd" | "popd" => folders.is_lost = true,
                _ if moves_its_own(command.shown()) => folders.is_lost = true,
                _ => {}
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

    /// Goes where a `cd` of these words does.
    fn go(&mut self, words: &[Word], world: &World) {
        let to = match words {
            [] => world.home_base().map(|home| vec![home]),
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
            return self.place(path, world);
        };
        let rest = path.trim_start_matches(['~', '/']);
        let rest = if rest.is_empty() { "." } else { rest };
        Place {
            text: path.into(),
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
