//! The files of a command line.

use std::cell::LazyCell;

use gatefold::gate::CopyProgram;

use super::folders::{Folders, UNKNOWN_FOLDER};
use super::{Files, NOT_KNOWN, Use};
use crate::paths::{Key, Place, World};
use crate::shell::{Access, CommandLine, FileUse, Line, Opened, Opens, Start, Vague};
use crate::trie::Trie;

/// Places that the files of one line are looked at in, each in every folder that it may begin in
/// (32 768).
const PLACES_MAX: usize = 32_768;
const TOO_MANY: &str = "the line names so many files in so many folders that not all are looked at";
const LINKED: &str = "a link that the line makes may lead there";
const MOVED: &str = "the line takes a folder there, and a link in it may lead anywhere";

impl Use {
    /// A file of which it is not known whether it is opened.
    const fn perhaps(place: Place, access: Access, tree: bool) -> Self {
        Self {
            place,
            access,
            tree,
            whole: false,
            sure: false,
            redirected: false,
            moved: false,
        }
    }

    /// Whether it may be another file than it seems, by its spelling.
    pub(super) fn is_doubted(&self) -> bool {
        self.place.doubt.is_some_and(|doubt| doubt != MOVED)
    }
}

/// What the commands of a line do together.
#[derive(Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is true or not of a line, whatever the others are"
)]
struct Together {
    commands: usize,
    /// Where paths lead is not what it was when the line began.
    leads_elsewhere: bool,
    links: bool,
    moves: bool,
    /// Any of them is a file command; all of them are; and it is known where all write.
    any: bool,
    all: bool,
    placed: bool,
}

impl Files {
    /// The files of a command line.
    pub(crate) fn of_line(line: &Line, world: &World) -> Self {
        let mut files = Self::default();
        let folders = Folders::of(line, world);
        if folders.is_lost {
            files.vague(UNKNOWN_FOLDER, "cd", Access::Any, false);
        }
        if let Start::At(folder) = &line.start {
            files.add(world, folder, Access::Read, false);
        }
        let mut together = Together {
            commands: 0,
            leads_elsewhere: false,
            links: false,
            moves: false,
            any: false,
            all: true,
            placed: line.unreadable.is_none(),
        };
        for command in &line.commands {
            let opens = Opens::of(command.shown(), command.platform());
            if command.perhaps {
                files.perhaps(opens, &folders, world);
            } else {
                together.add(command, &opens);
                files.command(command, opens, &folders, world);
            }
        }
        for file in &line.files {
            files.redirect(file, &folders, world);
        }
        for file in &line.perhaps_files {
            if let Some(path) = file.target.text()
                && files.affords(&folders, access(file), path)
            {
                let place = folders.place(path, world);
                files.uses.push(Use::perhaps(place, access(file), false));
            }
        }
        if together.links && together.commands > 1 {
            files.vague(LINKED, "ln", Access::Any, false);
        }
        if together.moves && together.commands > 1 {
            files.doubt_what_is_moved();
        }
        let Together {
            commands,
            leads_elsewhere,
            any,
            all,
            placed,
            ..
        } = together;
        files.is_command = any && all;
        files.is_placed = placed && any && all && (commands == 1 || !leads_elsewhere);
        files
    }

    /// Takes in what a command opens.
    fn command(&mut self, command: &CommandLine, opens: Opens, folders: &Folders, world: &World) {
        // Of a program that changes nothing, what it opens is read.
        let only_reads = LazyCell::new(|| command.only_reads());
        let access = |access| match access {
            Access::Any if *only_reads => Access::Read,
            Access::Read | Access::Write | Access::Any => access,
        };
        if opens.is_undecided && self.undecided.is_none() {
            self.undecided = match command.first() {
                "cp" => Some(CopyProgram::Cp),
                "mv" => Some(CopyProgram::Mv),
                _ => None,
            };
        }
        let is_moved = opens.is_placed && command.first() == "mv";
        for opened in opens.files {
            if !self.affords(folders, access(opened.access), &opened.path) {
                continue;
            }
            let mut place = place(&opened, folders, world);
            place.device &= opens.keeps_devices;
            let of = Use {
                place,
                access: access(opened.access),
                tree: opened.tree,
                whole: opened.whole,
                sure: opened.sure,
                redirected: false,
                moved: is_moved && opened.access == Access::Any,
            };
            self.push(of, folders);
        }
        let vague = opens.vague.into_iter();
        self.vague.extend(vague.map(|vague| Vague {
            access: access(vague.access),
            ..vague
        }));
    }

    /// Whether one file more is looked at. If not it may be any, which no allow covers.
    fn affords(&mut self, folders: &Folders, access: Access, path: &str) -> bool {
        self.places = self.places.saturating_add(folders.count());
        let is_enough = self.places > PLACES_MAX;
        let is_told = |vague: &Vague| vague.why == TOO_MANY && vague.access == access;
        if is_enough && !self.vague.iter().any(is_told) {
            self.vague.push(Vague {
                part: path.into(),
                access,
                why: TOO_MANY,
                sure: true,
                // What leads out of the roots would not be seen.
                redirected: true,
            });
        }
        !is_enough
    }

    /// Takes in a file that the shell opens.
    fn redirect(&mut self, file: &FileUse, folders: &Folders, world: &World) {
        match file.target.text() {
            Some(path) => {
                if !self.affords(folders, access(file), path) {
                    return;
                }
                let of = Use {
                    place: folders.place(path, world),
                    access: access(file),
                    tree: false,
                    whole: false,
                    sure: true,
                    redirected: true,
                    moved: false,
                };
                self.push(of, folders);
            }
            None => self.vague.push(Vague {
                part: file.target.text.clone(),
                access: access(file),
                why: NOT_KNOWN,
                sure: true,
                redirected: true,
            }),
        }
    }

    /// Takes in what a command opens of which it is not known whether it runs.
    fn perhaps(&mut self, opens: Opens, folders: &Folders, world: &World) {
        for opened in opens.files {
            if !self.affords(folders, opened.access, &opened.path) {
                continue;
            }
            let place = place(&opened, folders, world);
            let of = Use::perhaps(place, opened.access, opened.tree);
            self.uses.push(of);
        }
        let vague = opens.vague.into_iter();
        self.vague.extend(vague.map(|vague| Vague {
            sure: false,
            ..vague
        }));
    }

    /// Where a path leads is not known that goes through what a line has written before.
    fn doubt_what_is_moved(&mut self) {
        let mut written: Trie<bool> = Trie::default();
        let mut is_pattern = false;
        for way in self.uses.iter().filter(|of| of.access == Access::Write) {
            for way in &way.place.ways {
                is_pattern |= way.is_pattern();
                if let Some(held) = written.hold(way.names()) {
                    *held = true;
                }
            }
        }
        for of in self.uses.iter_mut().filter(|of| of.access.may_read()) {
            let is_below = |way: &Key| {
                let (heads, whole) = written.heads(way.names());
                let itself = usize::from(whole.is_some());
                is_pattern
                    || way.is_pattern()
                    || heads
                        .iter()
                        .rev()
                        .skip(itself)
                        .any(|is_written| **is_written)
            };
            if of.place.ways.iter().any(is_below) {
                of.place.doubt.get_or_insert(MOVED);
            }
        }
    }

    /// Takes in a file of a line.
    fn push(&mut self, of: Use, folders: &Folders) {
        if folders.is_lost && of.sure && of.access.may_write() && !of.place.text.starts_with('/') {
            self.vague(UNKNOWN_FOLDER, &of.place.text, of.access, true);
        }
        self.uses.push(of);
    }
}

impl Together {
    fn add(&mut self, command: &CommandLine, opens: &Opens) {
        let is_file_command = opens.is_placed || opens.is_undecided;
        self.commands = self.commands.saturating_add(1);
        let program = command.platform().program(command.first());
        self.leads_elsewhere |= matches!(&*program, "ln" | "mv" | "cp");
        self.links |= opens.links;
        self.moves |= opens.moves;
        self.any |= is_file_command;
        let is_neutral = command.silent || command.first() == "cd";
        self.all &= (is_file_command || is_neutral) && command.carried.is_none();
        self.placed &= opens.is_placed || is_neutral;
    }
}

const fn access(file: &FileUse) -> Access {
    if file.writes {
        Access::Write
    } else {
        Access::Read
    }
}

fn place(opened: &Opened, folders: &Folders, world: &World) -> Place {
    if opened.in_home {
        folders.home(&opened.path, world)
    } else {
        folders.place(&opened.path, world)
    }
}
