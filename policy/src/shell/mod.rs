//! Shell lines, read into plans, and the rules over them.

mod bearing;
mod files;
mod parts;
mod pattern;
mod places;
mod plan;
mod reader;
mod reads;
mod specifier;
mod starred;
mod tables;
mod unfold;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use serde_json::value::RawValue;
use smol_str::SmolStr;

use gatefold::gate::Args;

use super::given::{self, BareName};
use super::tools::Platform;
use unfold::Unfolded;

pub(crate) use bearing::Bearing;
pub(crate) use files::{Access, Opened, Opens, Vague, opens_files};
pub use parts::{Covered, Part};
pub(crate) use pattern::ShellPattern;
pub(crate) use places::{BYTES_OF_ONE, COMPARISONS_MAX, Places, Programs};
pub use plan::{
    COMMANDS_MAX, Carried, Command, Fault as PlanFault, FileUse, NESTING_MAX, Origin, Plan,
    WORDS_MAX, Word,
};
pub(crate) use specifier::quoted;
pub(crate) use starred::Starred;

/// A line, in bytes (64 KiB); a policy may lower it.
pub(crate) const LINE_BYTES_MAX: usize = 64 << 10;

fn is_plain_char(char: char) -> bool {
    char.is_ascii_alphanumeric() || "_./=:,@%+-".contains(char)
}

fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.chars().all(is_plain_char)
}

/// A command line: what it runs, as far as it can be read.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) commands: Vec<Arc<CommandLine>>,
    /// The same, where a variable may hold anything: what an allow rests on.
    pub(crate) certain: Vec<Arc<CommandLine>>,
    /// Files that it opens by redirection.
    pub(crate) files: Vec<FileUse>,
    /// The same of what it may run only.
    pub(crate) perhaps_files: Vec<FileUse>,
    /// Why it may run more than that.
    pub(crate) unreadable: Option<Unreadable>,
    /// What a shell at a later word may run, if that is not known.
    pub(crate) unread: Option<PlanFault>,
    /// Where its tool is told to run it.
    pub(crate) start: Start,
}

/// The folder that a tool is told to run its line in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Start {
    /// The one that the call stands in.
    #[default]
    Here,
    At(String),
    Unknown,
}

/// Names of args by which tools are told where to run a line, in small letters and without signs.
const FOLDER_FIELDS: &[&str] = &[
    "basedir",
    "cd",
    "chdir",
    "currentdir",
    "currentdirectory",
    "cwd",
    "dir",
    "directory",
    "dirpath",
    "folder",
    "location",
    "path",
    "projectroot",
    "pwd",
    "root",
    "workdir",
    "workingdir",
    "workingdirectory",
    "workspace",
];

/// Whether an arg of this name says where to run a line, or to work.
pub(crate) fn is_folder_field(name: &str) -> bool {
    is_folder_name(&BareName::of(name))
}

pub(crate) fn is_folder_name(name: &BareName) -> bool {
    name.is_any(FOLDER_FIELDS)
}

/// Why a line cannot be read, and the smallest part at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unreadable {
    pub(crate) why: &'static str,
    pub(crate) part: Option<String>,
    /// The line, if there is one of a length that is read.
    line: Option<Arc<str>>,
    platform: Platform,
}

impl Unreadable {
    /// The words that stand in the line, whatever they are in it. Nothing rests on them but which
    /// of several rules is told of.
    pub(crate) fn tokens(&self) -> Tokens {
        let line = self.line.as_deref().unwrap_or_default();
        let words: BTreeSet<String> = line
            .split(|char| !is_plain_char(char))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        let programs = words.iter().map(|word| self.platform.program(word));
        Tokens {
            programs: programs.map(Cow::into_owned).collect(),
            words,
        }
    }
}

/// The words that stand in a line that cannot be read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tokens {
    pub(crate) words: BTreeSet<String>,
    /// The same words as their system finds programs.
    pub(crate) programs: BTreeSet<String>,
}

/// What stands for a word that is not known; no word that is known holds it.
const UNKNOWN: &str = "\0";

/// A command of a line, for matching.
#[derive(Clone, Debug)]
pub(crate) struct CommandLine {
    /// Its words; what is not known is [`UNKNOWN`].
    words: Vec<SmolStr>,
    /// The same words as they are shown.
    shown: Vec<Word>,
    platform: Platform,
    pub(crate) carried: Option<Carried>,
    /// It needs no allow.
    pub(crate) silent: bool,
    /// Whether it is run at all is not known: a shell at a later word of another program may.
    pub(crate) perhaps: bool,
}

/// What shells at later words may run.
#[derive(Debug, Default)]
struct Perhaps {
    commands: Vec<Arc<CommandLine>>,
    files: Vec<FileUse>,
    /// Why it may be more than that.
    unread: Option<PlanFault>,
}

impl Perhaps {
    /// By their best reading, and by that of what these hold in turn.
    fn of(texts: &[(String, bool)], unread: Option<&PlanFault>, platform: Platform) -> Self {
        let mut perhaps = Self {
            unread: unread.cloned(),
            ..Self::default()
        };
        let mut texts: VecDeque<(String, bool)> = texts.iter().cloned().collect();
        let mut left = PERHAPS_MAX;
        while let Some((text, bash)) = texts.pop_front() {
            let Some(less) = left.checked_sub(1) else {
                let fault = PlanFault::whole("it holds too many texts of shells");
                perhaps.unread.get_or_insert(fault);
                break;
            };
            left = less;
            let shell = if bash { "bash" } else { "sh" };
            let read = Plan::unfolded(&text, shell, platform, false);
            let commands = read.plan.commands.into_iter();
            perhaps.commands.extend(commands.map(|command| {
                Arc::new(CommandLine {
                    perhaps: true,
                    carried: None,
                    ..CommandLine::of(command, platform)
                })
            }));
            perhaps.files.extend(read.plan.files);
            let fault = read.plan.fault.or(read.unread);
            perhaps.unread = perhaps.unread.take().or(fault);
            texts.extend(read.perhaps);
        }
        perhaps
    }
}

/// Texts of shells at later words that are read (64).
const PERHAPS_MAX: usize = 64;

/// How a tool's args hold a line, and what runs it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shell<'a> {
    pub(crate) name: &'a str,
    pub(crate) platform: Platform,
    /// The arg that holds the line.
    pub(crate) field: &'a str,
    /// The longest line that is read, in bytes.
    pub(crate) line_bytes: usize,
}

impl Line {
    /// Reads the line that a shell tool's args hold.
    pub(crate) fn of_args(args: &Args, shell: &Shell<'_>) -> Self {
        let (line, start) = match Self::of_fields(args, shell.field) {
            Ok(found) => found,
            Err(fault) => return Self::unreadable(fault, None, shell),
        };
        if line.len() > shell.line_bytes {
            let fault = PlanFault::whole("its line is longer than the limit");
            return Self::unreadable(fault, None, shell);
        }
        Self {
            start,
            ..Self::read(&line, shell)
        }
    }

    /// How long the line is, in bytes, if the args hold one.
    pub(crate) fn length(args: &Args, field: &str) -> Option<usize> {
        let found = Self::of_fields(args, field);
        found.ok().map(|(line, _)| line.len())
    }

    /// The line, and where it is to be run.
    fn of_fields(args: &Args, field: &str) -> Result<(String, Start), PlanFault> {
        let missing = || PlanFault::whole("it has no command line");
        let fields = given::fields(args);
        let raw = fields.get(field).ok_or_else(missing)?;
        let line = serde_json::from_str(raw.get())
            .map_err(|_| PlanFault::whole("its command line is not a string"))?;
        // Of what stands within another arg it is not known what it is about.
        let is_within = |raw: &RawValue| {
            let inner: Result<BTreeMap<String, Box<RawValue>>, _> = serde_json::from_str(raw.get());
            inner.is_ok_and(|inner| inner.keys().any(|name| is_folder_field(name)))
        };
        let said = || fields.iter().filter(|(_, raw)| raw.get() != "null");
        let mut folders = said().filter(|(name, _)| is_folder_field(name.text()));
        let folder = folders
            .next()
            .map(|(_, raw)| serde_json::from_str(raw.get()));
        let start = match folder {
            _ if said().any(|(_, raw)| raw.get().starts_with('{') && is_within(raw)) => {
                Start::Unknown
            }
            None => Start::Here,
            Some(Ok(path)) if folders.next().is_none() => Start::At(path),
            Some(_) => Start::Unknown,
        };
        Ok((line, start))
    }

    fn unreadable(fault: PlanFault, line: Option<&str>, shell: &Shell<'_>) -> Self {
        Self {
            commands: Vec::new(),
            certain: Vec::new(),
            files: Vec::new(),
            perhaps_files: Vec::new(),
            unreadable: Some(Unreadable::new(fault, line, shell.platform)),
            unread: None,
            start: Start::Here,
        }
    }

    pub(crate) fn read(line: &str, shell: &Shell<'_>) -> Self {
        let Shell { name, platform, .. } = *shell;
        let certain = Plan::unfolded(line, name, platform, true);
        // Without variables both are the same.
        let is_same = certain.plan.fault.is_none() && !certain.assigns;
        let best = (!is_same).then(|| Plan::unfolded(line, name, platform, false));
        let Unfolded {
            perhaps, unread, ..
        } = best.as_ref().unwrap_or(&certain);
        let perhaps = Perhaps::of(perhaps, unread.as_ref(), platform);
        let plan = best.map(|best| best.plan);
        let fault = plan.as_ref().and_then(|plan| plan.fault.clone());
        let fault = fault.or(certain.plan.fault);
        let lines = |commands: Vec<Command>| -> Vec<Arc<CommandLine>> {
            let commands = commands.into_iter();
            commands
                .map(|command| Arc::new(CommandLine::of(command, platform)))
                .collect()
        };
        let Plan {
            commands, files, ..
        } = certain.plan;
        // What is known better is known beside.
        let better = plan.iter().flat_map(|plan| &plan.files);
        let files = files.into_iter().chain(better.cloned()).collect();
        let certain = lines(commands);
        let mut commands = plan.map_or_else(|| certain.clone(), |plan| lines(plan.commands));
        commands.extend(perhaps.commands);
        Self {
            commands,
            certain,
            files,
            perhaps_files: perhaps.files,
            unread: perhaps.unread,
            unreadable: fault.map(|fault| Unreadable::new(fault, Some(line), platform)),
            start: Start::Here,
        }
    }
}

impl Unreadable {
    fn new(fault: PlanFault, line: Option<&str>, platform: Platform) -> Self {
        let PlanFault { why, part } = fault;
        Self {
            why,
            part,
            line: line.map(Arc::from),
            platform,
        }
    }
}

impl CommandLine {
    fn of(command: Command, platform: Platform) -> Self {
        let Command {
            words,
            carried,
            silent,
            origin: _,
        } = command;
        let texts = words.iter().map(|word| word.text().unwrap_or(UNKNOWN));
        Self {
            words: texts.map(SmolStr::from).collect(),
            shown: words,
            platform,
            carried,
            silent,
            perhaps: false,
        }
    }

    /// A command of words that are known, for tests.
    #[cfg(test)]
    fn new(words: Vec<String>, platform: Platform) -> Self {
        Self {
            shown: words.iter().map(|word| Word::known(word)).collect(),
            words: words.into_iter().map(SmolStr::from).collect(),
            platform,
            carried: None,
            silent: false,
            perhaps: false,
        }
    }

    /// What it costs to compare all of it, in comparisons.
    pub(crate) fn weight(&self) -> usize {
        let bytes: usize = self.words.iter().map(SmolStr::len).sum();
        bytes.div_ceil(BYTES_OF_ONE).saturating_add(1)
    }

    /// Its words; what is not known is a word that no rule holds.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(SmolStr::as_str)
    }

    /// Its words as they are shown.
    pub(crate) fn shown(&self) -> &[Word] {
        &self.shown
    }

    pub(crate) const fn platform(&self) -> Platform {
        self.platform
    }

    /// Its first word.
    pub(crate) fn first(&self) -> &str {
        self.words.first().map_or("", SmolStr::as_str)
    }

    /// The words from this one on, and that many more, as they are shown.
    fn part(&self, at: usize, more: usize) -> String {
        let words = self.shown.iter().skip(at).take(more.saturating_add(1));
        let words = words.map(|word| word.text.as_str());
        words.collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn read(line: &str, shell: &str) -> Line {
        let shell = Shell {
            name: shell,
            platform: Platform::Linux,
            field: "command",
            line_bytes: LINE_BYTES_MAX,
        };
        let args = serde_json::to_string(&BTreeMap::from([("command", line)])).unwrap();
        Line::of_args(&Args::parse(&args).unwrap(), &shell)
    }

    #[test]
    fn what_cannot_be_read_is_named_by_its_smallest_part() {
        for (line, shell, part) in [
            ("git status && $x", "bash", Some("$x")),
            ("", "bash", None),
            ("FOO=1 rm x", "bash", Some("FOO=1")),
            ("ls", "fish", Some("fish")),
            ("sudo =rm x", "zsh", Some("=rm")),
            ("a | b", "zsh", Some("|")),
            ("a |& b", "sh", Some("|")),
        ] {
            let unreadable = read(line, shell).unreadable.expect(line);
            assert_eq!(unreadable.part.as_deref(), part, "{line:?}");
        }
        let fits = read(&"a".repeat(LINE_BYTES_MAX), "bash");
        assert!(fits.unreadable.is_none());
        let longer = read(&"a".repeat(LINE_BYTES_MAX + 1), "bash");
        assert!(longer.unreadable.is_some() && longer.commands.is_empty());
    }
}
