//! The files of a call: what it reads and writes, by its args or by its command line.

mod folders;
mod line;

use gatefold::gate::{Args, CopyProgram, ToolKind, WriteProtection};
use serde_json::Value;
use serde_json::value::RawValue;

use super::given::{self, Fields};
use super::mcp::CallName;
use super::paths::{Key, Place, ProtectedPaths, World};
use super::shell::{Access, Vague};
use super::tools::Tools;

const NOT_KNOWN: &str = "it is not known before the call is made";
const NO_PATH: &str = "it names no path";
const NOT_TEXT: &str = "its path is no text";
const PATTERN: &str = "its pattern may lead anywhere";

/// Where tools that are known by their names have their path, and whether they look at all below it.
const FIELDS: &[(&str, &str, Reach)] = &[
    ("Read", "file_path", Reach::File),
    ("Edit", "file_path", Reach::File),
    ("Write", "file_path", Reach::File),
    ("MultiEdit", "file_path", Reach::File),
    ("NotebookEdit", "notebook_path", Reach::File),
    ("NotebookRead", "notebook_path", Reach::File),
    ("LS", "path", Reach::Tree),
    ("Glob", "path", Reach::TreeOfCwd),
    ("Grep", "path", Reach::TreeOfCwd),
];

/// Names of args that mostly hold a path, whatever the tool.
const COMMON: &[&str] = &[
    "absolute_path",
    "destination",
    "dir",
    "directory",
    "file",
    "filePath",
    "file_path",
    "filename",
    "filepath",
    "folder",
    "notebook_path",
    "path",
    "paths",
    "source",
    "target_file",
];

/// The tool that takes a patch, and what stands in front of each path in it.
const PATCHES: &str = "apply_patch";
const PATCH_HEADS: [&str; 4] = [
    "*** Add File: ",
    "*** Update File: ",
    "*** Delete File: ",
    "*** Move to: ",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    File,
    Tree,
    /// Without a path the working directory is meant.
    TreeOfCwd,
}

/// The arg in which a tool that reads or edits has its path; none if that is not known.
pub(crate) fn path_field<'a>(tool: &str, tools: &'a Tools) -> Option<&'a str> {
    let known = || FIELDS.iter().find(|(name, ..)| *name == tool);
    let declared = tools.path_field(tool);
    let field = declared.or_else(|| known().map(|(_, field, _)| *field));
    field.filter(|_| tools.access(tool).is_some())
}

/// Whether this tool takes a patch, which names the files that it changes.
pub(crate) fn is_patch(tool: &str) -> bool {
    tool == PATCHES
}

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
}

impl Files {
    /// The files of a call that has no command line.
    pub(crate) fn of_args(args: &Args, call: &CallName, tools: &Tools, world: &World) -> Self {
        let fields = given::fields(args);
        let mut files = Self {
            of_tool: true,
            ..Self::default()
        };
        let access = match tools.facts(call).kind {
            ToolKind::Read => Access::Read,
            ToolKind::Edit => Access::Write,
            ToolKind::Shell | ToolKind::Fetch | ToolKind::Mcp | ToolKind::Other => {
                files.of_tool = false;
                if call.mcp.is_none() && call.tool == PATCHES {
                    files.patch(&fields, world);
                } else {
                    for field in COMMON {
                        files.field(&fields, field, Access::Any, Reach::File, world);
                    }
                }
                return files;
            }
        };
        let known = FIELDS.iter().find(|(tool, ..)| *tool == call.tool);
        let declared = tools.path_field(&call.tool);
        let own = declared
            .map(|field| (field, Reach::File))
            .or(known.map(|(_, field, reach)| (*field, *reach)));
        let mut has_own = false;
        if let Some((field, reach)) = own {
            has_own = fields.contains_key(field);
            if has_own || reach != Reach::TreeOfCwd {
                files.own(&fields, field, access, reach, world);
            } else {
                files.add(world, ".", access, true);
            }
            if call.tool == "Glob" {
                files.pattern(&fields, world);
            }
        }
        // A host may take a path from another arg than its tool says.
        for field in COMMON {
            if own.is_none_or(|(own, _)| own != *field) {
                has_own |= files.field(&fields, field, access, Reach::Tree, world);
            }
        }
        if own.is_none() && !has_own {
            files.vague(NO_PATH, "", access, false);
        }
        files
    }

    fn add(&mut self, world: &World, path: &str, access: Access, tree: bool) {
        self.uses.push(Use {
            place: world.place(path, &[]),
            access,
            tree,
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

    /// The arg that the tool has its path in.
    fn own(
        &mut self,
        fields: &Fields<'_>,
        field: &str,
        access: Access,
        reach: Reach,
        world: &World,
    ) {
        let Some(value) = fields.get(field) else {
            // Where there is no path nothing is written that could be protected.
            return self.vague(NO_PATH, field, access, false);
        };
        match serde_json::from_str::<String>(value.get()) {
            Ok(path) => self.add(world, &path, access, reach != Reach::File),
            Err(_) => self.vague(NOT_TEXT, field, access, true),
        }
    }

    /// An arg that may hold a path, or several. Whether it is there.
    fn field(
        &mut self,
        fields: &Fields<'_>,
        field: &str,
        access: Access,
        reach: Reach,
        world: &World,
    ) -> bool {
        let Some(value) = fields.get(field) else {
            return false;
        };
        let one = serde_json::from_str::<String>(value.get()).map(|path| vec![path]);
        let several = one.or_else(|_| serde_json::from_str::<Vec<String>>(value.get()));
        let paths = match several {
            // Of a tool of any other kind, whatever is in it.
            Err(_) if access == Access::Any => Ok(texts(value)),
            paths => paths,
        };
        match paths {
            Ok(paths) => {
                for path in paths {
                    self.uses.push(Use {
                        place: world.place(&path, &[]),
                        access,
                        tree: reach != Reach::File,
                        // Of a tool of any other kind it may be anything.
                        sure: access != Access::Any,
                        redirected: false,
                        moved: false,
                    });
                }
            }
            Err(_) => self.vague(NOT_TEXT, field, access, true),
        }
        true
    }

    /// Where a pattern of names begins to look: its names up to the first that is none.
    fn pattern(&mut self, fields: &Fields<'_>, world: &World) {
        let text = |field| {
            let value: Option<&&RawValue> = fields.get(field);
            value.and_then(|value| serde_json::from_str::<String>(value.get()).ok())
        };
        let Some(pattern) = text("pattern") else {
            return self.vague(PATTERN, "pattern", Access::Read, true);
        };
        let from = pattern.find(['*', '?', '[', '{']).unwrap_or(pattern.len());
        let (head, tail) = pattern.split_at_checked(from).unwrap_or((&pattern, ""));
        // What goes up, in any of the ways that patterns have for it.
        let braces = tail.split('{').skip(1);
        let mut braces = braces.map(|rest| rest.split('}').next().unwrap_or_default());
        let goes_up = tail.contains("..")
            || pattern.contains(['\\', '('])
            || braces.any(|inner| inner.contains(['.', '/', '~']))
            || tail
                .split('[')
                .skip(1)
                .any(|rest| rest.starts_with(['.', '!', '^']))
            || (head == "~" || (head.starts_with('~') && !head.contains('/')));
        if goes_up {
            return self.vague(PATTERN, "pattern", Access::Read, true);
        }
        let folder = head.rsplit_once('/').map(|(folder, _)| folder);
        match folder {
            None => {}
            Some("") => self.add(world, "/", Access::Read, true),
            Some(folder) => {
                let path = match text("path") {
                    Some(path) if !folder.starts_with(['/', '~', '\\']) => {
                        format!("{path}/{folder}")
                    }
                    Some(_) | None => folder.to_owned(),
                };
                self.add(world, &path, Access::Read, true);
            }
        }
    }

    /// The files that a patch names. A patch is one call on several files.
    fn patch(&mut self, fields: &Fields<'_>, world: &World) {
        for value in fields.values() {
            let texts = texts(value);
            for line in texts.iter().flat_map(|text| text.lines()) {
                let line = line.trim_ascii();
                let path = PATCH_HEADS.iter().find_map(|head| line.strip_prefix(head));
                if let Some(path) = path {
                    self.add(world, path.trim_ascii(), Access::Any, false);
                }
            }
        }
        if self.uses.is_empty() {
            self.vague(NO_PATH, PATCHES, Access::Any, true);
        }
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
        let is_document = |file: &Use| {
            let ways = &file.place.ways;
            documents.iter().any(|document| {
                let within = |way: &Key| {
                    (file.tree && document.is_within(way)) || way.may_be(document, file.tree)
                };
                ways.contains(document) || ways.iter().any(within)
            })
        };
        let covers = |file: &Use| {
            !file.place.device
                && (is_document(file)
                    || protected.cover(&file.place.ways, file.tree, file.sure, world))
        };
        let unresolved = || {
            let doubted = self
                .uses
                .iter()
                .any(|file| file.sure && file.access.may_write() && file.is_doubted());
            doubted
                || self
                    .vague
                    .iter()
                    .any(|vague| vague.sure && vague.access.may_write())
        };
        // What is not known may be worse than what is.
        if unresolved() {
            WriteProtection::Unresolved
        } else if writes.any(covers) {
            WriteProtection::Matched
        } else {
            WriteProtection::None
        }
    }
}

/// Every text in a value.
fn texts(value: &RawValue) -> Vec<String> {
    let mut texts = Vec::new();
    let mut left = vec![serde_json::from_str(value.get()).unwrap_or(Value::Null)];
    while let Some(value) = left.pop() {
        match value {
            Value::String(text) => texts.push(text),
            Value::Array(values) => left.extend(values),
            Value::Object(fields) => left.extend(fields.into_iter().map(|(_, value)| value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    texts
}

/// Whether a folder of this name may hold what is protected in it, such as `.git`.
fn holds_hidden(path: &str) -> bool {
    let mut names = path.split('/').filter(|name| !matches!(*name, "" | "."));
    names.clone().next().is_none() || names.any(|name| name.starts_with('.'))
}
