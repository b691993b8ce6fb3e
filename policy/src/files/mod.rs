//! The files of a call: what it reads and writes, by its args or by its command line.

mod args;
mod folders;
mod line;
mod patches;

use gatefold::gate::{CopyProgram, WriteProtection};

use super::paths::{Key, Place, ProtectedPath, ProtectedPaths, World};
use super::shell::{Access, Vague};

pub(crate) use args::path_field;
pub(crate) use patches::is_patch;

const DOCUMENT: &str = "it is a policy document or what else decides, or a folder with one";
const WORK: &str = "it is a folder that the work is in, or one above it";
const NOT_KNOWN: &str = "it is not known before the call is made";

/// One file of a call.
#[derive(Clone, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about one file"
)]
pub(crate) struct Use {
    pub(crate) place: Place,
    pub(crate) access: Access,
    /// All that is below it too.
    pub(crate) tree: bool,
    /// All that is below it is changed or goes with it, whatever it is.
    pub(crate) whole: bool,
    /// It is known to be a path.
    pub(crate) sure: bool,
    /// The shell opens it, and no command.
    pub(crate) redirected: bool,
    /// It is taken elsewhere, with all that is below it, and not read.
    pub(crate) moved: bool,
}

/// All files of a call, as far as they are known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    pub(crate) uses: Vec<Use>,
    /// What may name any file.
    pub(crate) vague: Vec<Vague>,
    /// They are what the tool itself opens, and not words of a line: then where a path leads must
    /// be known before no rule that refuses is about it.
    pub(crate) of_tool: bool,
    /// The whole line is file commands.
    pub(crate) is_command: bool,
    /// All of them are known to write nowhere else.
    is_placed: bool,
    /// The command whose options hide where it writes.
    undecided: Option<CopyProgram>,
    /// How many places were looked at for them.
    places: usize,
}

impl Files {
    fn add(&mut self, world: &World, path: &str, access: Access, tree: bool) {
        self.uses.push(Use {
            place: world.place(path, &[]),
            access,
            tree,
            whole: false,
            sure: true,
            redirected: false,
            moved: false,
        });
    }

    fn vague(&mut self, why: &'static str, part: &str, access: Access, sure: bool) {
        self.vague.push(Vague {
            part: part.into(),
            access,
            why,
            sure,
            redirected: false,
        });
    }

    /// Whether every file that is written is known to be inside the roots.
    fn writes_inside(&self, world: &World) -> bool {
        let inside = |file: &&Use| !file.place.outside && file.place.leads.is_some();
        let mut writes = self
            .uses
            .iter()
            .filter(|file| file.sure && file.access.may_write());
        let vague = self
            .vague
            .iter()
            .any(|vague| vague.sure && vague.access.may_write());
        world.has_roots() && !vague && writes.all(|file| inside(&file) || file.place.device)
    }

    /// Whether an edit is known to stay inside the roots.
    pub(crate) fn edits_in_roots(&self, world: &World) -> bool {
        let has_write = self.uses.iter().any(|file| file.access == Access::Write);
        has_write && self.vague.is_empty() && self.writes_inside(world)
    }

    /// Whether a read is known to stay inside the roots.
    pub(crate) fn reads_in_roots(&self, world: &World) -> bool {
        let inside = |place: &Place| !place.outside && place.leads.is_some();
        let is_known = world.has_roots() && self.vague.is_empty();
        // What names no file may read where it stands.
        let stands_inside = || {
            let cwd = world.cwd().map(std::slice::from_ref);
            cwd.is_some_and(|cwd| inside(&world.place(".", cwd)))
        };
        // Of a line only words that are known to be files count, and no folders with what links may
        // stand below them.
        let is_sure = |file: &Use| self.of_tool || (file.sure && !file.tree);
        let mut uses = self.uses.iter();
        is_known
            && uses.all(|file| inside(&file.place) && is_sure(file))
            && (!self.uses.is_empty() || stands_inside())
    }

    /// Whether the line is file commands all of whose writes are inside the roots.
    pub(crate) fn writes_placed(&self, world: &World) -> bool {
        let mut writes = self.uses.iter().filter(|file| file.access.may_write());
        self.is_placed
            && writes.clone().next().is_some()
            && writes.all(|file| {
                !file.tree
                    || !(holds_hidden(&file.place.text) || world.holds_work(&file.place.ways))
            })
            && self.writes_inside(world)
    }

    /// The command whose options keep its writes from being placed.
    pub(crate) fn undecided(&self) -> Option<CopyProgram> {
        self.undecided.filter(|_| self.is_command)
    }

    /// Whether anything may be written.
    pub(crate) fn may_write(&self) -> bool {
        let mut uses = self.uses.iter().map(|file| file.access);
        let mut vague = self.vague.iter().map(|vague| vague.access);
        uses.any(Access::may_write) || vague.any(Access::may_write)
    }

    /// How what it writes stands to the paths that are protected.
    pub(crate) fn protection(
        &self,
        protected: &ProtectedPaths,
        documents: &[Key],
        world: &World,
    ) -> WriteProtection {
        let mut writes = self.uses.iter().filter(|file| file.access.may_write());
        let mut vague = self.vague.iter().filter(|vague| vague.access.may_write());
        // What is not known may be worse than what is.
        if writes.any(|file| file.sure && file.is_doubted()) || vague.any(|vague| vague.sure) {
            WriteProtection::Unresolved
        } else if self.protected(protected, documents, world).is_some() {
            WriteProtection::Matched
        } else {
            WriteProtection::None
        }
    }

    /// The first write to what is protected.
    pub(crate) fn protected(
        &self,
        protected: &ProtectedPaths,
        documents: &[Key],
        world: &World,
    ) -> Option<ProtectedPath> {
        let writes = self.uses.iter().filter(|file| file.access.may_write());
        let mut writes = writes.filter(|file| !file.place.device);
        writes.find_map(|file| {
            let path = &file.place.text;
            let own = |why: &str| ProtectedPath {
                path: path.clone(),
                pattern: None,
                why: why.into(),
            };
            if file.is_any_of(documents) {
                return Some(own(DOCUMENT));
            }
            if file.whole && world.holds_work(&file.place.ways) {
                return Some(own(WORK));
            }
            let row = protected.over(&file.place, file.tree, file.sure, world);
            row.map(|row| row.says(path))
        })
    }
}

impl Use {
    /// Whether it may be one of these documents, or a folder that holds one.
    fn is_any_of(&self, documents: &[Key]) -> bool {
        let Place { ways, below, .. } = &self.place;
        documents.iter().any(|document| {
            let is_above = |way: &Key| document.is_within(way);
            ways.iter().any(|way| {
                way == document || (self.tree && is_above(way)) || way.may_be(document, self.tree)
            }) || (self.tree && below.iter().any(is_above))
        })
    }
}

/// Whether a folder of this name may hold what is protected in it, such as `.git`.
fn holds_hidden(path: &str) -> bool {
    let mut names = path.split('/').filter(|name| !matches!(*name, "" | "."));
    names.clone().next().is_none() || names.any(|name| name.starts_with('.'))
}
