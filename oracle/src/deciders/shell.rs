//! Shell lines of plain words, and the rules over them.
//!
//! A plain line is words of letters, digits and `_ . / = : , @ % + -` with single blanks between
//! them. In it nothing is quoted, expanded, redirected or chained, so its words are what runs.
//! Every other line cannot be established here.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use gatefold::gate::Args;

use super::rules::RuleError;
use super::tools::Platform;

/// A line, in bytes (64 KiB).
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
}

impl Unreadable {
    fn whole(why: &'static str) -> Self {
        Self { why, part: None }
    }

    fn at(why: &'static str, part: &str) -> Self {
        let part = Some(part.into());
        Self { why, part }
    }
}

/// The words of a plain line.
#[derive(Clone, Debug)]
pub(crate) struct PlainLine {
    words: Vec<String>,
    /// Where each program name stands, if each word were one. A rule looks only there, so that a
    /// long line does not cost every rule its whole length.
    programs: BTreeMap<String, Vec<usize>>,
    platform: Platform,
}

#[derive(Deserialize)]
struct CommandField {
    command: Option<Box<RawValue>>,
}

impl Line {
    /// Reads the field `command` of a shell tool's args.
    pub(crate) fn of_args(args: &Args, shell: &str, platform: Platform) -> Self {
        Self::read_args(args, shell, platform).unwrap_or_else(Self::Unreadable)
    }

    fn read_args(args: &Args, shell: &str, platform: Platform) -> Result<Self, Unreadable> {
        if !READ_SHELLS.contains(&shell) {
            let why = "its shell is none that is read here";
            return Err(Unreadable::at(why, shell));
        }
        let missing = || Unreadable::whole("it has no command line");
        let field: CommandField = serde_json::from_str(args.as_str()).map_err(|_| missing())?;
        let raw = field.command.ok_or_else(missing)?;
        let line: String = serde_json::from_str(raw.get())
            .map_err(|_| Unreadable::whole("its command line is not a string"))?;
        Self::read(&line, shell, platform)
    }

    fn read(line: &str, shell: &str, platform: Platform) -> Result<Self, Unreadable> {
        if line.len() > LINE_BYTES_MAX {
            return Err(Unreadable::whole("its line is longer than 64 KiB"));
        }
        if line.is_empty() {
            return Err(Unreadable::whole("its line is empty"));
        }
        if let Some(char) = line
            .chars()
            .find(|char| !is_plain_char(*char) && *char != ' ')
        {
            let why = "this character may mean more than itself";
            return Err(Unreadable::at(why, char.encode_utf8(&mut [0; 4])));
        }
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        if words.iter().any(String::is_empty) {
            return Err(Unreadable::at(
                "its words are not parted by single blanks",
                " ",
            ));
        }
        if let Some(first) = words.first().filter(|word| word.contains('=')) {
            let why = "an assignment may change what runs";
            return Err(Unreadable::at(why, first));
        }
        // zsh puts the path of the program in place of such a word.
        let expanded = |word: &&String| shell == "zsh" && word.starts_with('=');
        if let Some(word) = words.iter().find(expanded) {
            return Err(Unreadable::at("zsh expands this word", word));
        }
        Ok(Self::Plain(PlainLine::new(words, platform)))
    }
}

impl PlainLine {
    fn new(words: Vec<String>, platform: Platform) -> Self {
        let mut programs: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, word) in words.iter().enumerate() {
            programs.entry(platform.program(word)).or_default().push(at);
        }
        Self {
            words,
            programs,
            platform,
        }
    }
}

/// How a deny or ask bears on a plain line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Bearing {
    /// It is about what the line runs.
    Covers { part: String },
    /// It is about what the line may run, by way of another program or under another path.
    MayCover { part: String, why: &'static str },
}

/// Words that a line must hold, exactly or as its first ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShellPattern {
    words: Vec<String>,
    /// Anything may follow, after a word boundary.
    open: bool,
}

impl ShellPattern {
    /// Reads the specifier of a rule for a shell tool.
    pub(crate) fn parse(tool: &str, specifier: &str) -> Result<Self, RuleError> {
        let prefix = specifier
            .strip_suffix(":*")
            .or_else(|| specifier.strip_suffix(" *"));
        let text = prefix.unwrap_or(specifier);
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        match words.iter().find(|word| !is_plain(word)) {
            None => Ok(Self {
                words,
                open: prefix.is_some(),
            }),
            Some(part) => Err(RuleError::NotPlainWords {
                part: if part.is_empty() { specifier } else { part }.to_owned(),
                nearest: nearest(tool, specifier),
            }),
        }
    }

    /// Whether an allow of this pattern covers the line: the words as written, nothing stripped.
    pub(crate) fn allows(&self, line: &PlainLine) -> bool {
        if self.open {
            line.words.starts_with(&self.words)
        } else {
            line.words == self.words
        }
    }

    /// Its words, which are those of the line that it covers.
    pub(crate) fn part(&self) -> String {
        self.words.join(" ")
    }

    /// How a deny or ask of this pattern bears on the line: at its first word, at a later one
    /// (which a carrier such as `sudo` may run), or not at all.
    pub(crate) fn bears_on(&self, line: &PlainLine) -> Option<Bearing> {
        let (first, rest) = self.words.split_first()?;
        let places = line.programs.get(&line.platform.program(first))?;
        let at = places
            .iter()
            .copied()
            .find(|at| self.stands_at(*at, rest, line))?;
        let matched = line.words.iter().skip(at).take(self.words.len());
        let part = matched.map(String::as_str).collect::<Vec<_>>().join(" ");
        // Places ascend, so a match at the first word is found before any later one.
        let is_same = !first.contains('/') || line.words.first() == Some(first);
        Some(match (at, is_same) {
            (0, true) => Bearing::Covers { part },
            (0, false) => Bearing::MayCover {
                part,
                why: "a program of the same name under another path may be the same program",
            },
            (_, _) => Bearing::MayCover {
                part,
                why: "it stands at a later word, where another program may run it",
            },
        })
    }

    /// Whether the words after the first stand after this place, and nothing else if exact.
    fn stands_at(&self, at: usize, rest: &[String], line: &PlainLine) -> bool {
        let after = line.words.get(at.saturating_add(1)..).unwrap_or_default();
        if self.open {
            after.starts_with(rest)
        } else {
            after == rest
        }
    }
}

/// The nearest rule that is understood: the plain words in front of what is not plain, and anything
/// after them.
fn nearest(tool: &str, specifier: &str) -> String {
    let words: Vec<_> = specifier.split_whitespace().collect();
    let plain: Vec<_> = words
        .iter()
        .copied()
        .take_while(|word| is_plain(word))
        .collect();
    if plain.len() == words.len() && !plain.is_empty() {
        return format!("{tool}({})", plain.join(" "));
    }
    // A star glued to the program most often means the program with anything after it.
    let glued = words.first().and_then(|word| word.strip_suffix('*'));
    let names_program = |word: &&str| is_plain(word) && !word.ends_with(':');
    match (plain.is_empty(), glued.filter(names_program)) {
        (true, Some(program)) => format!("{tool}({program} *)"),
        (true, None) => tool.to_owned(),
        (false, _) => format!("{tool}({} *)", plain.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str, shell: &str) -> Result<PlainLine, Unreadable> {
        match Line::read(line, shell, Platform::Linux) {
            Ok(Line::Plain(line)) => Ok(line),
            Ok(Line::Unreadable(unreadable)) | Err(unreadable) => Err(unreadable),
        }
    }

    #[test]
    fn only_plain_words_are_read_and_the_smallest_part_at_fault_is_named() {
        for (line, shell, part) in [
            ("git status && rm x", "bash", Some("&")),
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

    #[test]
    fn refusing_strips_what_hides_a_call_and_allowing_strips_nothing() {
        // rule, line, how a deny bears on it (at its first word, at a later one or another path),
        // whether an allow covers it
        for (rule, line, bears, allows) in [
            ("git status", "git status", "covers", true),
            ("git status", "git status -s", "", false),
            ("git status", "git", "", false),
            ("git log:*", "git log", "covers", true),
            ("git log *", "git log", "covers", true),
            ("git log *", "git log -3 a", "covers", true),
            ("git log *", "git logs", "", false),
            ("git:*", "git", "covers", true),
            ("rm *", "/bin/rm x", "covers", false),
            ("rm *", "./rm x", "covers", false),
            ("rm *", "RM x", "", false),
            ("rm *", "sudo rm x", "may", false),
            ("rm *", "sudo /bin/rm x", "may", false),
            ("rm *", "rm rm", "covers", true),
            ("rm x", "rm rm x", "may", false),
            ("rm x", "sudo rm x y", "", false),
            ("/bin/rm *", "/bin/rm x", "covers", true),
            ("/bin/rm *", "rm x", "may", false),
            ("/bin/rm *", "/usr/bin/rm x", "may", false),
            ("/bin/rm *", "sudo /bin/rm x", "may", false),
            ("rm -rf /:*", "rm -rf /", "covers", true),
            ("rm -rf /:*", "rm -rf /etc", "", false),
        ] {
            let pattern = ShellPattern::parse("Bash", rule).expect(rule);
            let line = read(line, "bash").expect(line);
            let bearing = match pattern.bears_on(&line) {
                None => "",
                Some(Bearing::Covers { .. }) => "covers",
                Some(Bearing::MayCover { .. }) => "may",
            };
            assert_eq!(bearing, bears, "{rule} on {:?}", line.words);
            assert_eq!(pattern.allows(&line), allows, "{rule} on {:?}", line.words);
        }
    }

    #[test]
    fn a_pattern_of_other_words_is_refused_with_the_nearest_one_that_says_no_less() {
        for (rule, nearest) in [
            ("build*", "Bash(build *)"),
            ("rm -rf*", "Bash(rm *)"),
            ("ls /tmp/*", "Bash(ls *)"),
            ("git * main", "Bash(git *)"),
            ("* --version", "Bash"),
            ("echo \"hi\"", "Bash(echo *)"),
            ("a && b", "Bash(a *)"),
            ("git  status", "Bash(git status)"),
            (" git", "Bash(git)"),
            (":*", "Bash"),
            (" *", "Bash"),
            ("", "Bash"),
            ("git log:* x", "Bash(git *)"),
        ] {
            let error = ShellPattern::parse("Bash", rule).expect_err(rule);
            assert!(
                error.to_string().ends_with(&format!("`{nearest}`")),
                "{rule}: {error}"
            );
        }
    }
}
