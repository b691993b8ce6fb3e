//! The files of a call that has no command line, by its args.

use gatefold::gate::{Args, ToolKind};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::folders::{FOLDERS_MAX, UNKNOWN_FOLDER};
use super::patches::{
    DIFF_HEADS, PATCH_HEADS, PATCHES, WORDS_MAX, is_patch, lines, looks_like_diff, may_be_diff,
    may_be_patch,
};
use super::{Files, Use};
use crate::given::{self, BareName, Fields};
use crate::mcp::CallName;
use crate::paths::{Base, World};
use crate::shell::{Access, is_folder_field, is_folder_name};
use crate::tools::Tools;

/// Paths of one call that are compared (4 096).
const PATHS_MAX: usize = 4_096;

const NO_PATH: &str = "it names no path";
const NOT_TEXT: &str = "its path is no text";
const PATTERN: &str = "its pattern may lead anywhere";
const TOO_MANY: &str = "it names so many paths that they are not compared to the end";

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

/// Names of args that mostly hold a path, whatever the tool, in small letters and without signs.
const COMMON: &[&str] = &[
    "absolutepath",
    "dest",
    "destination",
    "dir",
    "directories",
    "directory",
    "dirs",
    "dst",
    "file",
    "filename",
    "filenames",
    "filepath",
    "filepaths",
    "files",
    "folder",
    "notebookpath",
    "path",
    "paths",
    "source",
    "src",
    "targetfile",
];
/// Ends of such names: `relative_path`, `file_uri`.
const ENDS: &[&str] = &["path", "paths", "uri", "uris"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    File,
    Tree,
    /// Without a path the working directory is meant.
    TreeOfCwd,
}

/// The arg in which a tool that reads or edits has its path; none if that is not known.
pub(crate) fn path_field<'a>(tool: &str, tools: &'a Tools) -> Option<&'a str> {
    let field = own_field(tool, tools).map(|(field, _)| field);
    field.filter(|_| tools.access(tool).is_some())
}

fn own_field<'a>(tool: &str, tools: &'a Tools) -> Option<(&'a str, Reach)> {
    let declared = tools.path_field(tool).map(|field| (field, Reach::File));
    let known = || FIELDS.iter().find(|(name, ..)| *name == tool);
    declared.or_else(|| known().map(|(_, field, reach)| (*field, *reach)))
}

fn is_path_field(name: &str) -> bool {
    is_path_name(&BareName::of(name))
}

fn is_path_name(name: &BareName) -> bool {
    name.is_any(COMMON) || name.ends_in_any(ENDS)
}

/// Whether an arg of this name may say anything of paths or folders.
fn is_of_paths(name: &str) -> bool {
    let name = BareName::of(name);
    is_path_name(&name) || is_folder_name(&name)
}

/// Whether a tool that is not known may be told of a path by these args.
fn may_name_paths(args: &Args) -> bool {
    let of_paths = |name: &str| is_of_paths(name) || may_be_diff(name);
    given::is_any(args, of_paths, may_be_patch)
}

/// Whether no arg but this one says anything of paths or folders, and none holds others in it.
fn is_plain(fields: &Fields<'_>, own: Option<&str>) -> bool {
    fields.iter().all(|(name, value)| {
        let (name, value) = (name.text(), value.get());
        let is_small = matches!(value, "true" | "false" | "null")
            || (value.len() < 16 && value.bytes().all(|byte| byte.is_ascii_digit()));
        let is_spelt_out = !(value.contains('\\') && value.contains("\\u"));
        let is_text = value.starts_with('"') && is_spelt_out;
        (is_small || is_text) && (Some(name) == own || !is_of_paths(name))
    })
}

impl Files {
    /// The files of a call that has no command line.
    pub(crate) fn of_args(args: &Args, call: &CallName, tools: &Tools, world: &World) -> Self {
        let access = match tools.facts(call).kind {
            ToolKind::Read => Access::Read,
            ToolKind::Edit => Access::Write,
            ToolKind::Shell | ToolKind::Fetch | ToolKind::Mcp | ToolKind::Other => Access::Any,
        };
        let is_patch = access == Access::Any && call.mcp.is_none() && is_patch(&call.tool);
        let of_tool = access != Access::Any;
        // Most calls of other tools name no path at all.
        if !of_tool && !is_patch && !may_name_paths(args) {
            return Self::default();
        }
        let mut reading = Reading {
            files: Self {
                of_tool,
                ..Self::default()
            },
            access,
            world,
            is_lost: false,
        };
        let from = world.cwd().map_or(&[][..], std::slice::from_ref);
        let fields = given::fields(args);
        let own = own_field(&call.tool, tools).filter(|_| of_tool);
        if of_tool && is_plain(&fields, own.map(|(field, _)| field)) {
            // No other arg says anything of paths.
            match own {
                Some(own) => reading.of_own(&fields, own, call, from),
                None => reading.vague(NO_PATH, "", false),
            }
            return reading.files;
        }
        let mut args = Map::new();
        for (name, value) in fields.iter() {
            match serde_json::from_str(value.get()) {
                Ok(value) => {
                    args.insert(name.text().into(), value);
                }
                // A number past all that are read, alone or with what is not seen beside it.
                Err(_) if is_number(value) && !is_path_field(name.text()) => {}
                Err(_) => reading.vague(NOT_TEXT, name.text(), true),
            }
        }
        let from = reading.scope(from.to_vec(), &told(&args));
        if is_patch {
            reading.patch(&args, &from);
        }
        if !is_patch || args.len() > 1 {
            reading.texts(&args, &from, own.map(|(field, _)| field));
        }
        if of_tool {
            let folders = beside(&args, own.map(|(field, _)| field));
            let from = reading.scope(from, &folders);
            reading.of_tool(&fields, own, call, &from);
        }
        if reading.is_lost {
            reading.files.vague(UNKNOWN_FOLDER, "", access, false);
        }
        reading.files
    }
}

/// The folders that args name, at any depth, in which it is to work.
fn told(args: &Map<String, Value>) -> Vec<&str> {
    let mut folders = Vec::new();
    let mut left: Vec<&Map<String, Value>> = vec![args];
    while let Some(map) = left.pop() {
        for (name, value) in map {
            let told = is_folder_field(name) && !is_path_field(name);
            each_text(
                value,
                |inner| left.push(inner),
                |text| {
                    if told {
                        folders.push(text);
                    }
                },
            );
        }
    }
    folders
}

/// The folders that fields name in which the other paths beside them may begin, but for this field.
fn beside<'v>(args: &'v Map<String, Value>, but: Option<&str>) -> Vec<&'v str> {
    let fields = args.iter().filter(|(name, _)| Some(name.as_str()) != but);
    let folders = fields.filter(|(name, _)| is_folder_field(name) && is_path_field(name));
    folders.filter_map(|(_, value)| value.as_str()).collect()
}

/// The texts of a value and of lists in it, and the objects in these.
fn each_text<'v>(
    value: &'v Value,
    mut object: impl FnMut(&'v Map<String, Value>),
    mut text: impl FnMut(&'v str),
) {
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        match value {
            Value::String(of) => text(of),
            Value::Array(values) => left.extend(values.iter().rev()),
            Value::Object(map) => object(map),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// The files of a call, as they are found.
struct Reading<'w> {
    files: Files,
    access: Access,
    world: &'w World,
    /// A folder that paths may begin in is not known.
    is_lost: bool,
}

impl Reading<'_> {
    /// The folders that paths may begin in, where they may begin in these too.
    fn scope(&mut self, from: Vec<Base>, folders: &[&str]) -> Vec<Base> {
        let mut all = from;
        for folder in folders.iter().filter(|folder| !folder.is_empty()) {
            let begun = all.iter();
            let begun = begun.map(|from| self.world.folder(folder, Some(from)));
            let begun: Option<Vec<_>> = begun.collect();
            self.is_lost |= all.is_empty() || begun.is_none();
            for base in begun.unwrap_or_default() {
                if all.len() >= FOLDERS_MAX {
                    self.is_lost = true;
                } else if !all.contains(&base) {
                    all.push(base);
                }
            }
        }
        all
    }

    fn add(&mut self, path: &str, from: &[Base], tree: bool, sure: bool) {
        if self.files.uses.len() >= PATHS_MAX {
            // What is not looked at may be anything, also what is protected.
            if self.files.vague.iter().all(|vague| vague.why != TOO_MANY) {
                self.vague(TOO_MANY, "", true);
            }
            return;
        }
        self.files.uses.push(Use {
            place: self.world.place(path, from),
            access: self.access,
            tree,
            whole: false,
            sure,
            redirected: false,
            moved: false,
        });
    }

    fn vague(&mut self, why: &'static str, part: &str, sure: bool) {
        self.files.vague(why, part, self.access, sure);
    }

    /// The paths at any depth, by the names that they stand under, each begun in the folders that are
    /// named beside it or above it. Those of a tool that is known are its own business at the top.
    fn texts(&mut self, args: &Map<String, Value>, from: &[Base], own: Option<&str>) {
        let of_tool = self.files.of_tool;
        // With whether all that is in them is named for a path.
        let mut left = vec![(args, from.to_vec(), false, true)];
        while let Some((map, from, is_within, is_top)) = left.pop() {
            let mut inner = Vec::new();
            for (name, value) in map {
                let is_path = is_path_field(name) || (is_within && !of_tool);
                let mut here = None;
                each_text(
                    value,
                    |map| inner.push((map, is_path)),
                    |text| {
                        if is_path && !(is_top && of_tool) {
                            let scope = || {
                                let folders = beside(map, Some(name));
                                self.scope(from.clone(), &folders)
                            };
                            let here: &Vec<Base> = here.get_or_insert_with(scope);
                            self.add(text, here, of_tool, of_tool);
                        }
                        if !of_tool {
                            self.heads(text, name, &from);
                        }
                    },
                );
            }
            if !inner.is_empty() {
                let from = self.scope(from, &beside(map, own.filter(|_| is_top)));
                let inner = inner.into_iter().rev();
                left.extend(inner.map(|(map, is_path)| (map, from.clone(), is_path, false)));
            }
        }
    }

    /// The paths in a text that may be a patch.
    fn heads(&mut self, text: &str, name: &str, from: &[Base]) {
        let is_diff = may_be_diff(name) || looks_like_diff(text);
        for line in lines(text) {
            let head = |heads: &[&str]| heads.iter().find_map(|head| line.strip_prefix(head));
            if let Some(path) = head(&PATCH_HEADS) {
                self.add(path.trim_ascii(), from, false, false);
            } else if let Some(path) = head(&DIFF_HEADS).filter(|_| is_diff) {
                // Behind it a time may stand, or the path that it becomes; and what it is stripped of
                // is said elsewhere.
                let words = path.split([' ', '\t']).filter(|word| !word.is_empty());
                let whole = path.split('\t').next().into_iter();
                for path in whole.chain(words.take(WORDS_MAX)) {
                    let path = path.trim_ascii().trim_matches('"');
                    if path.contains('\\') {
                        self.vague(NOT_TEXT, path, false);
                    }
                    self.add(path, from, false, false);
                    if let Some((_, path)) = path.split_once('/') {
                        self.add(path, from, false, false);
                    }
                }
            }
        }
    }

    /// The files that a patch names. A patch is one call on several files.
    fn patch(&mut self, args: &Map<String, Value>, from: &[Base]) {
        let mut left = vec![args];
        while let Some(map) = left.pop() {
            let folders = beside(map, None);
            let from = self.scope(from.to_vec(), &folders);
            for value in map.values() {
                let mut texts = Vec::new();
                each_text(value, |map| left.push(map), |text| texts.push(text));
                for line in texts.iter().flat_map(|text| lines(text)) {
                    let path = PATCH_HEADS.iter().find_map(|head| line.strip_prefix(head));
                    if let Some(path) = path {
                        self.add(path.trim_ascii(), &from, false, true);
                    }
                }
            }
        }
        if self.files.uses.is_empty() {
            self.vague(NO_PATH, PATCHES, true);
        }
    }

    /// What a tool opens that is known to read or to edit.
    fn of_tool(
        &mut self,
        fields: &Fields<'_>,
        own: Option<(&str, Reach)>,
        call: &CallName,
        from: &[Base],
    ) {
        let mut has_own = false;
        if let Some((field, reach)) = own {
            has_own = fields.get(field).is_some();
            self.of_own(fields, (field, reach), call, from);
        }
        // A host may take a path from another arg than its tool says.
        for (name, value) in fields.iter() {
            let name = name.text();
            if own.is_none_or(|(own, _)| own != name) && is_path_field(name) {
                has_own = true;
                self.field(value, name, from);
            }
        }
        if own.is_none() && !has_own {
            self.vague(NO_PATH, "", false);
        }
    }

    /// What it opens by the arg that it has its path in.
    fn of_own(
        &mut self,
        fields: &Fields<'_>,
        (field, reach): (&str, Reach),
        call: &CallName,
        from: &[Base],
    ) {
        if fields.get(field).is_some() || reach != Reach::TreeOfCwd {
            self.own(fields, field, reach, from);
        } else {
            self.add(".", from, true, true);
        }
        if call.tool == "Glob" {
            self.pattern(fields, from);
        }
    }

    /// The arg that the tool has its path in.
    fn own(&mut self, fields: &Fields<'_>, field: &str, reach: Reach, from: &[Base]) {
        let Some(value) = fields.get(field) else {
            // Where there is no path nothing is written that could be protected.
            return self.vague(NO_PATH, field, false);
        };
        match given::string(value) {
            Some(path) => self.add(&path, from, reach != Reach::File, true),
            None => self.vague(NOT_TEXT, field, true),
        }
    }

    /// An arg that may hold a path, or several.
    fn field(&mut self, value: &RawValue, field: &str, from: &[Base]) {
        let one = serde_json::from_str::<String>(value.get()).map(|path| vec![path]);
        match one.or_else(|_| serde_json::from_str::<Vec<String>>(value.get())) {
            Ok(paths) => {
                for path in paths {
                    self.add(&path, from, true, true);
                }
            }
            Err(_) => self.vague(NOT_TEXT, field, true),
        }
    }

    /// Where a pattern of names begins to look: its names up to the first that is none.
    fn pattern(&mut self, fields: &Fields<'_>, from: &[Base]) {
        let text = |field| fields.get(field).and_then(given::string);
        let Some(pattern) = text("pattern") else {
            return self.vague(PATTERN, "pattern", true);
        };
        let end = pattern.find(['*', '?', '[', '{']).unwrap_or(pattern.len());
        let (head, tail) = pattern.split_at_checked(end).unwrap_or((&pattern, ""));
        // What goes up, in any of the ways that patterns have for it.
        let goes_up = tail.contains("..")
            || pattern.contains(['\\', '('])
            || leads_by_braces(tail)
            || tail
                .split('[')
                .skip(1)
                .any(|rest| rest.starts_with(['.', '!', '^']))
            || (head == "~" || (head.starts_with('~') && !head.contains('/')));
        if goes_up {
            return self.vague(PATTERN, "pattern", true);
        }
        let folder = head.rsplit_once('/').map(|(folder, _)| folder);
        match folder {
            None => {}
            Some("") => self.add("/", from, true, true),
            Some(folder) => {
                let path = match text("path") {
                    Some(path) if !folder.starts_with(['/', '~', '\\']) => {
                        format!("{path}/{folder}")
                    }
                    Some(_) | None => folder.to_owned(),
                };
                self.add(&path, from, true, true);
            }
        }
    }
}

/// Whether braces of a pattern, or others within them, hold what a path goes elsewhere by.
fn leads_by_braces(pattern: &str) -> bool {
    let mut depth = 0_usize;
    pattern.chars().any(|char| {
        match char {
            '{' => depth = depth.saturating_add(1),
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > 0 && matches!(char, '.' | '/' | '~')
    })
}

fn is_number(value: &RawValue) -> bool {
    value
        .get()
        .starts_with(|char: char| char == '-' || char.is_ascii_digit())
}
