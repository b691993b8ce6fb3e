//! Shell lines of plain words, and the rules over them.
//!
//! A plain line is words of letters, digits and `_ . / = : , @ % + -` with single blanks between
//! them. In it nothing is quoted, expanded, redirected or chained, so its words are what runs.
//! Every other line cannot be established here.

mod bearing;
mod pattern;
mod places;
mod plan;
mod reader;
mod tables;
mod unfold;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::value::RawValue;

use gatefold::gate::Args;

use super::tools::Platform;

pub(crate) use bearing::Bearing;
pub(crate) use pattern::ShellPattern;
pub(crate) use places::{Places, Programs};
pub use plan::{
    COMMANDS_MAX, Carried, Command, Fault as PlanFault, FileUse, NESTING_MAX, Origin, Plan, Word,
};

/// A line, in bytes (64 KiB); a policy may lower it.
pub(crate) const LINE_BYTES_MAX: usize = 64 << 10;

/// The shells whose plain lines mean what they say.
const READ_SHELLS: [&str; 3] = ["bash", "sh", "zsh"];

fn is_plain_char(char: char) -> bool {
    char.is_ascii_alphanumeric() || "_./=:,@%+-".contains(char)
}

fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.chars().all(is_plain_char)
}

/// A command line, as far as it can be read.
#[derive(Clone, Debug)]
pub(crate) enum Line {
    Plain(PlainLine),
    Unreadable(Unreadable),
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
            programs: programs.collect(),
            words,
        }
    }
}

/// Why a part of a line, or all of it, cannot be read.
struct Fault {
    why: &'static str,
    part: Option<String>,
}

impl Fault {
    fn whole(why: &'static str) -> Self {
        Self { why, part: None }
    }

    fn at(why: &'static str, part: &str) -> Self {
        let part = Some(part.into());
        Self { why, part }
    }
}

/// The words that stand in a line that cannot be read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tokens {
    words: BTreeSet<String>,
    /// The same words as their system finds programs.
    programs: BTreeSet<String>,
}

/// The words of a plain line.
#[derive(Clone, Debug)]
pub(crate) struct PlainLine {
    words: Vec<String>,
    platform: Platform,
}

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
        let platform = shell.platform;
        let unreadable = |Fault { why, part }, line: Option<&str>| {
            Self::Unreadable(Unreadable {
                why,
                part,
                line: line.map(Arc::from),
                platform,
            })
        };
        let line = match Self::of_field(args, shell.field) {
            Ok(line) => line,
            Err(fault) => return unreadable(fault, None),
        };
        if line.len() > shell.line_bytes {
            return unreadable(Fault::whole("its line is longer than the limit"), None);
        }
        Self::read(&line, shell).unwrap_or_else(|fault| unreadable(fault, Some(&line)))
    }

    fn of_field(args: &Args, field: &str) -> Result<String, Fault> {
        let missing = || Fault::whole("it has no command line");
        let mut fields: BTreeMap<String, Box<RawValue>> =
            serde_json::from_str(args.as_str()).map_err(|_| missing())?;
        let raw = fields.remove(field).ok_or_else(missing)?;
        serde_json::from_str(raw.get())
            .map_err(|_| Fault::whole("its command line is not a string"))
    }

    fn read(line: &str, shell: &Shell<'_>) -> Result<Self, Fault> {
        if !READ_SHELLS.contains(&shell.name) {
            let why = "its shell is none that is read here";
            return Err(Fault::at(why, shell.name));
        }
        if line.is_empty() {
            return Err(Fault::whole("its line is empty"));
        }
        let is_special = |char: char| !is_plain_char(char) && char != ' ';
        if let Some(special) = line.find(is_special).and_then(|at| line.get(at..)) {
            let first = special.chars().next();
            let run = special.chars().take_while(|char| Some(*char) == first);
            let why = "this character may mean more than itself";
            return Err(Fault::at(why, &run.collect::<String>()));
        }
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        if words.iter().any(String::is_empty) {
            return Err(Fault::at("its words are not parted by single blanks", " "));
        }
        if let Some(first) = words.first().filter(|word| word.contains('=')) {
            let why = "an assignment may change what runs";
            return Err(Fault::at(why, first));
        }
        // zsh puts the path of the program in place of such a word.
        let expanded = |word: &&String| shell.name == "zsh" && word.starts_with('=');
        if let Some(word) = words.iter().find(expanded) {
            return Err(Fault::at("zsh expands this word", word));
        }
        Ok(Self::Plain(PlainLine::new(words, shell.platform)))
    }
}

impl PlainLine {
    const fn new(words: Vec<String>, platform: Platform) -> Self {
        Self { words, platform }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str, shell: &str) -> Result<PlainLine, Unreadable> {
        let shell = Shell {
            name: shell,
            platform: Platform::Linux,
            field: "command",
            line_bytes: LINE_BYTES_MAX,
        };
        let args = serde_json::to_string(&BTreeMap::from([("command", line)])).unwrap();
        match Line::of_args(&Args::parse(&args).unwrap(), &shell) {
            Line::Plain(line) => Ok(line),
            Line::Unreadable(unreadable) => Err(unreadable),
        }
    }

    #[test]
    fn only_plain_words_are_read_and_the_smallest_part_at_fault_is_named() {
        for (line, shell, part) in [
            ("git status && rm x", "bash", Some("&&")),
            ("cat <<< x", "bash", Some("<<<")),
            ("echo 'a b'", "bash", Some("'")),
            ("rm *", "bash", Some("*")),
            ("rm ~", "bash", Some("~")),
            ("a\nb", "bash", Some("\n")),
            ("a\tb", "bash", Some("\t")),
            ("rm \u{e9}", "bash", Some("\u{e9}")),
            ("rm \u{a0}x", "bash", Some("\u{a0}")),
            ("git  status", "bash", Some(" ")),
            (" git", "bash", Some(" ")),
            ("git ", "bash", Some(" ")),
            ("", "bash", None),
            ("FOO=1 rm x", "bash", Some("FOO=1")),
            ("FOO+=1 rm x", "bash", Some("FOO+=1")),
            ("sudo =rm x", "zsh", Some("=rm")),
        ] {
            let unreadable = read(line, shell).expect_err(line);
            assert_eq!(unreadable.part.as_deref(), part, "{line:?}");
        }
        for (line, shell) in [
            ("git log --since=2.days a/b:c,d@e%f+g", "bash"),
            ("env FOO=1 rm x", "sh"),
            ("sudo =rm x", "bash"),
        ] {
            assert!(read(line, shell).is_ok(), "{line}");
        }
        assert!(read(&"a".repeat(LINE_BYTES_MAX), "bash").is_ok());
        assert!(read(&"a".repeat(LINE_BYTES_MAX + 1), "bash").is_err());
    }
}
