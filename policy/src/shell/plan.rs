//! What a line may run: its simple commands, each with its words, and why it is not known whole.

use super::is_plain_char;
use super::reader::GLOB;
use super::unfold::{self, Dialect, Unfolded};
use crate::tools::Platform;

/// Simple commands of one line (4 096).
pub const COMMANDS_MAX: usize = 4_096;

/// Words of all commands of one line (131 072): each carrier's are those that it carries once more.
pub const WORDS_MAX: usize = 128 << 10;

/// How deep substitutions, compound commands, `-c` strings and carriers nest in one another (32).
pub const NESTING_MAX: usize = 32;

/// The shells whose lines are read.
const BASH: &str = "bash";
const POSIX: [&str; 3] = ["sh", "dash", "ash"];
/// A shell of which only lines of plain words are read.
const PLAIN: &str = "zsh";

/// What a line may run.
///
/// ```
/// use gatefold_policy::{Plan, Platform};
///
/// let plan = Plan::of("git log | sudo -n rm -rf $(pwd)", "bash", Platform::Linux);
/// let programs: Vec<_> = plan.commands.iter().filter_map(|command| command.program()).collect();
/// assert_eq!(programs, ["git", "pwd", "sudo", "rm"]);
/// assert_eq!(plan.fault, None);
///
/// let plan = Plan::of("git log | $PAGER", "bash", Platform::Linux);
/// assert_eq!(plan.fault.and_then(|fault| fault.part).as_deref(), Some("$PAGER"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Every simple command that could run, as far as the line was read.
    pub commands: Vec<Command>,
    /// The files that it opens by redirection.
    pub files: Vec<FileUse>,
    /// Why the plan may not be all that runs: the first reason that was found.
    pub fault: Option<Fault>,
}

impl Plan {
    /// The plan of a line of this shell: `bash`, `sh`, `dash`, `ash`, or `zsh` (plain words only).
    pub fn of(line: &str, shell: &str, platform: Platform) -> Self {
        Self::unfolded(line, shell, platform, false).plan
    }

    /// The plan by which a line may be allowed: only what is certain is read without a fault. No
    /// variable has a value here, and no function, positional parameter, evaluated variable or
    /// builtin that assigns at will is read.
    ///
    /// ```
    /// use gatefold_policy::{Plan, Platform};
    ///
    /// let line = "f=.env && cat \"$f\"";
    /// let cat = |plan: Plan| plan.commands.first().map(|cat| cat.words[1].text().is_some());
    /// assert_eq!(cat(Plan::of(line, "bash", Platform::Linux)), Some(true));
    /// assert_eq!(cat(Plan::certain(line, "bash", Platform::Linux)), Some(false));
    ///
    /// let line = "f() { ls; }; f";
    /// assert_eq!(Plan::of(line, "bash", Platform::Linux).fault, None);
    /// assert!(Plan::certain(line, "bash", Platform::Linux).fault.is_some());
    /// ```
    pub fn certain(line: &str, shell: &str, platform: Platform) -> Self {
        Self::unfolded(line, shell, platform, true).plan
    }

    pub(super) fn unfolded(line: &str, shell: &str, platform: Platform, certain: bool) -> Unfolded {
        let fault = |fault| Unfolded {
            plan: Self {
                fault: Some(fault),
                ..Self::default()
            },
            steps: 0,
            assigns: false,
            perhaps: Vec::new(),
            unread: None,
        };
        let is_zsh = shell == PLAIN;
        if shell != BASH && !is_zsh && !POSIX.contains(&shell) {
            return fault(Fault::at("its shell is none that is read here", shell));
        }
        if let Some(part) = not_plain(line).filter(|_| is_zsh) {
            return fault(Fault::at("zsh may read this in another way", &part));
        }
        let bash = shell == BASH;
        let dialect = Dialect {
            bash,
            certain,
            platform,
        };
        let mut unfolded = unfold::unfold(line, dialect);
        let plan = &mut unfolded.plan;
        if plan.commands.is_empty() && plan.files.is_empty() {
            plan.fault
                .get_or_insert(Fault::whole("it holds no command"));
        }
        unfolded
    }
}

/// What zsh may read in another way than other shells do.
fn not_plain(line: &str) -> Option<String> {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "_./=:,@%+- ".contains(char);
    let char = line.chars().find(|char| !is_plain(*char));
    let expanded = || {
        let mut words = line.split(' ');
        words.find(|word| word.starts_with('='))
    };
    char.map(String::from)
        .or_else(|| expanded().map(str::to_owned))
}

/// Why a line is not known whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong with it.
    pub why: &'static str,
    /// The smallest part at fault, if it is a part.
    pub part: Option<String>,
}

impl Fault {
    pub(crate) fn whole(why: &'static str) -> Self {
        Self { why, part: None }
    }

    pub(crate) fn at(why: &'static str, part: &str) -> Self {
        let part = Some(part.into());
        Self { why, part }
    }
}

/// One simple command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The program and what it is given; at least one word.
    pub words: Vec<Word>,
    /// Where in the line it stands.
    pub origin: Origin,
    /// The command that runs it, if that is another one of the plan.
    pub carried: Option<Carried>,
    /// It changes nothing and runs nothing, so that it needs no allow.
    pub silent: bool,
}

impl Command {
    /// The program as written, if it is known.
    pub fn program(&self) -> Option<&str> {
        self.words.first().and_then(Word::text)
    }

    /// Its words as they are known, or as they stand in the line.
    pub fn part(&self) -> String {
        let words = self.words.iter().map(|word| word.text.as_str());
        words.collect::<Vec<_>>().join(" ")
    }
}

/// By which command another is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carried {
    /// The place of that command in the plan.
    pub by: usize,
    /// The word of that command at which this one begins, if it is some of its words.
    pub word: Option<usize>,
    /// It is that command itself, said without its options: whoever allows that allows this.
    pub same: bool,
}

/// A word of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// What the program is given; where that is not known, the word as it stands in the line.
    pub text: String,
    /// Why it is not known: then it may be any text.
    pub unknown: Option<&'static str>,
    /// It may be any number of words.
    pub many: bool,
    /// The names that it matches, if it is a pattern for names of files: each part of it that may be
    /// any text is one sign.
    pub(crate) names: Option<String>,
}

impl Word {
    pub(crate) fn known(text: &str) -> Self {
        Self {
            text: text.into(),
            unknown: None,
            many: false,
            names: None,
        }
    }

    /// The names that it matches, if it is a pattern for names of files and nothing else.
    pub(crate) fn names(&self) -> Option<&str> {
        self.names.as_deref().filter(|_| self.unknown == Some(GLOB))
    }

    /// What it says behind the home folder, if the shell makes it a path there.
    pub(crate) fn in_home(&self) -> Option<&str> {
        let bare = self.text.trim_matches('"');
        let heads = ["~", "$HOME", "${HOME}"];
        let rest = heads.iter().find_map(|head| bare.strip_prefix(head))?;
        let is_path = rest.is_empty() || rest.starts_with('/');
        (self.unknown.is_some() && is_path && rest.chars().all(is_plain_char)).then_some(rest)
    }

    /// The text, if it is known.
    pub fn text(&self) -> Option<&str> {
        self.unknown.is_none().then_some(self.text.as_str())
    }
}

/// Where in a line a command stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In the line itself.
    List,
    /// In a pipeline of the line itself.
    Pipeline,
    /// In `( )`.
    Subshell,
    /// In `{ }`.
    Group,
    /// In the test or body of `if`, a loop or `case`.
    Compound,
    /// In the body of a function.
    Function,
    /// In `$( )` or backticks, in a word or in a here-document.
    Substitution,
    /// In `<( )` or `>( )`.
    Process,
    /// In a text that a shell is given: `-c`, `eval`, `trap`, a here-document.
    Text,
    /// Behind a program that runs what it is given.
    Carrier,
}

/// A file that a line opens by redirection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileUse {
    /// Its path.
    pub target: Word,
    /// Whether it is written; else it is read.
    pub writes: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_grow_no_faster_than_lines() {
        for part in [
            "a b c; ",
            "a 'b' \"$c\" ",
            "a $(b) ",
            "a `b` ",
            "a | ",
            "{ a; } ",
            "$((1+2)) ",
            "${x:-y} ",
            "\\\n",
            "# a",
            "<(a) ",
            "x=1 ",
            "case x in x) a;; esac; ",
            "a <<E\nb\nE\n",
            "bash -c 'a'; ",
            "sudo ",
            "env ",
            "xargs ",
            "find . -exec a {} \\; ",
            "a\\",
            "(",
            "$(",
            "\"",
            "'",
            "`",
            "<<E ",
            "[[ a ]] && ",
            "f() { a; }; ",
            "a[1]=2 ",
            "{a,b} ",
        ] {
            let steps =
                |times| Plan::unfolded(&part.repeat(times), "bash", Platform::Linux, false).steps;
            let (few, many) = (steps(200), steps(1_600));
            assert!(many <= few * 9 + 2_000, "{part:?}: {few}, {many}");
        }
    }
}
