//! What runs text later or elsewhere, and what runs nothing at all.

use super::by_name::{ByName, by_name};

/// What is known of a builtin that runs text, or changes what other commands are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Later {
    /// Its arguments are a line of this shell.
    Eval,
    /// Its first argument is a line of this shell.
    Trap,
    /// It is not read at all.
    Never,
    /// It is not read if it has an argument.
    WithArguments,
    /// It is not read with this option, alone or among others.
    WithOption(char),
    /// It assigns to the variables that it is given.
    Names,
    /// It assigns to the variables that it is given, and exports them if it says so.
    Declares { exports: bool },
    /// It assigns to the variable behind `-v`.
    PrintsInto,
    /// `[` and `test`: `-v` evaluates a subscript.
    Tests,
    /// `set`: options change the language.
    Set,
}

/// Builtin, what is known of it, and why.
const LATER: &[(&str, Later, &str)] = &[
    (".", Later::Never, "it runs the lines of a file"),
    ("[", Later::Tests, "a subscript that it tests is evaluated"),
    (
        "alias",
        Later::WithArguments,
        "it changes what later words run",
    ),
    ("bind", Later::Never, "it binds keys to commands"),
    ("compgen", Later::Never, "it runs what makes completions"),
    ("complete", Later::Never, "it runs what makes completions"),
    ("compopt", Later::Never, "it changes what makes completions"),
    (
        "declare",
        Later::Declares { exports: false },
        "what it assigns may be evaluated",
    ),
    (
        "enable",
        Later::WithArguments,
        "it loads builtins, or takes them away",
    ),
    ("eval", Later::Eval, "it runs its arguments as a line"),
    (
        "export",
        Later::Declares { exports: true },
        "what it exports may change what runs",
    ),
    ("fc", Later::Never, "it runs earlier lines once more"),
    (
        "getopts",
        Later::Names,
        "a subscript in a name is evaluated",
    ),
    ("hash", Later::WithOption('p'), "it says where a program is"),
    (
        "history",
        Later::WithArguments,
        "it changes what earlier lines were",
    ),
    ("jobs", Later::WithOption('x'), "it runs its arguments"),
    ("let", Later::Never, "it evaluates its arguments"),
    (
        "local",
        Later::Declares { exports: false },
        "what it assigns may be evaluated",
    ),
    (
        "mapfile",
        Later::Names,
        "its callback is run, and a subscript is evaluated",
    ),
    (
        "printf",
        Later::PrintsInto,
        "a subscript behind -v is evaluated",
    ),
    ("read", Later::Names, "a subscript in a name is evaluated"),
    (
        "readarray",
        Later::Names,
        "its callback is run, and a subscript is evaluated",
    ),
    (
        "readonly",
        Later::Declares { exports: false },
        "what it assigns may be evaluated",
    ),
    ("set", Later::Set, "an option may change the language"),
    (
        "shopt",
        Later::WithArguments,
        "an option may change the language",
    ),
    ("source", Later::Never, "it runs the lines of a file"),
    (
        "test",
        Later::Tests,
        "a subscript that it tests is evaluated",
    ),
    ("trap", Later::Trap, "it runs its argument later"),
    (
        "typeset",
        Later::Declares { exports: false },
        "what it assigns may be evaluated",
    ),
    ("unset", Later::Names, "a subscript in a name is evaluated"),
    (
        "wait",
        Later::WithOption('p'),
        "a subscript in a name is evaluated",
    ),
];

/// Builtins that change nothing outside the line and run nothing, with what they do.
const SILENT: &[(&str, &str)] = &[
    (":", "nothing"),
    ("[", "tests"),
    ("break", "ends a loop"),
    ("continue", "goes on with a loop"),
    ("exit", "ends the line"),
    ("false", "fails"),
    ("local", "makes a variable"),
    ("return", "ends a function"),
    ("set", "sets an option of the line"),
    ("shift", "takes an argument away"),
    ("test", "tests"),
    ("true", "succeeds"),
    ("wait", "waits"),
];

/// Programs that run none of their arguments, whatever those are, with what they do.
const RUNS_NO_ARGUMENT: &[(&str, &str)] = &[
    ("cat", "prints files"),
    ("cd", "goes to a folder"),
    ("echo", "prints its arguments"),
    ("grep", "searches files"),
    ("head", "prints files"),
    ("ls", "lists files"),
    ("mkdir", "makes folders"),
    ("printf", "prints its arguments"),
    ("pwd", "prints the folder"),
    ("tail", "prints files"),
    ("touch", "makes files"),
    ("wc", "counts"),
];

/// Words that are texts for people, which nothing runs: the program, its commands, and the options
/// with the text behind them. Source: the manual of each.
pub(in super::super) const MESSAGES: &[(&str, &[&str], &[&str])] = &[
    (
        "git",
        &["commit", "merge", "notes", "stash", "tag"],
        &["--message"],
    ),
    ("hg", &["ci", "commit"], &["--message"]),
    ("jj", &["commit", "describe"], &["--message"]),
    ("svn", &["ci", "commit"], &["--message"]),
    (
        "gh",
        &["issue", "pr", "release"],
        &[
            "-b",
            "-n",
            "-t",
            "--body",
            "--comment",
            "--notes",
            "--subject",
            "--title",
        ],
    ),
];

/// Options of `set` that stop the line earlier or show more of it, by name.
const SET_NAMES: [&str; 8] = [
    "errexit",
    "errtrace",
    "nounset",
    "pipefail",
    "xtrace",
    "verbose",
    "noclobber",
    "noglob",
];
/// The same by letter; the last one takes a name.
const SET_LETTERS: &str = "eEuxvCfo";

/// Whether `set` with these arguments leaves the language as it is.
pub(in super::super) fn is_harmless_set<'a>(
    words: impl IntoIterator<Item = Option<&'a str>>,
) -> bool {
    let mut wants_name = false;
    for word in words {
        let Some(word) = word else { return false };
        if wants_name {
            if !SET_NAMES.contains(&word) {
                return false;
            }
            wants_name = false;
            continue;
        }
        if word == "--" {
            return true;
        }
        let Some(letters) = word.strip_prefix(['-', '+']) else {
            return false;
        };
        if letters.is_empty() || !letters.chars().all(|letter| SET_LETTERS.contains(letter)) {
            return false;
        }
        wants_name = letters.ends_with('o');
        if letters.matches('o').count() > usize::from(wants_name) {
            return false;
        }
    }
    !wants_name
}

static LATER_BY_NAME: ByName<{ LATER.len() }> = by_name!(LATER, row => row.0);
static SILENT_BY_NAME: ByName<{ SILENT.len() }> = by_name!(SILENT, row => row.0);
static RUNS_NO_ARGUMENT_BY_NAME: ByName<{ RUNS_NO_ARGUMENT.len() }> =
    by_name!(RUNS_NO_ARGUMENT, row => row.0);

/// What is known of a builtin that runs text, or changes what other commands are, and why.
pub(in super::super) fn later(name: &str) -> Option<(Later, &'static str)> {
    let row = LATER_BY_NAME.find(LATER, name);
    row.map(|(_, later, why)| (*later, *why))
}

/// Whether a builtin changes nothing outside the line and runs nothing.
pub(in super::super) fn is_silent(name: &str) -> bool {
    SILENT_BY_NAME.has(name)
}

/// Whether a program runs nothing that it is given.
pub(in super::super) fn runs_no_argument(name: &str) -> bool {
    RUNS_NO_ARGUMENT_BY_NAME.has(name)
}
