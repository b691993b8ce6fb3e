//! Rules that are understood and worth a second look.

use std::ops::Range;

use smol_str::SmolStr;

use super::problem::{Code, Located, Problem, did_you_mean, nearest};
use super::shadow::Shadows;
use crate::mcp;
use crate::paths::Anchor;
use crate::rules::{Pattern, Rule};
use crate::shell::{Starred, quoted};
use crate::tools::{self, Tools};

/// Programs that run whatever they are given: interpreters, shells and carriers.
const RUN_ANYTHING: &[&str] = &[
    "awk",
    "bash",
    "bun",
    "bunx",
    "busybox",
    "cmd",
    "command",
    "dash",
    "deno",
    "doas",
    "docker",
    "env",
    "eval",
    "exec",
    "expect",
    "find",
    "fish",
    "flock",
    "gawk",
    "ionice",
    "irb",
    "julia",
    "ksh",
    "lua",
    "make",
    "nice",
    "node",
    "nohup",
    "npx",
    "nsenter",
    "osascript",
    "parallel",
    "perl",
    "php",
    "pipx",
    "powershell",
    "pwsh",
    "python",
    "python2",
    "python3",
    "rscript",
    "ruby",
    "script",
    "setsid",
    "sh",
    "ssh",
    "stdbuf",
    "strace",
    "sudo",
    "time",
    "timeout",
    "tsx",
    "uvx",
    "watch",
    "xargs",
    "zsh",
];

/// Words of the shell's grammar, where they stand first.
const KEYWORDS: &[&str] = &[
    "!", "[[", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function",
    "if", "in", "select", "then", "until", "while", "{", "}",
];

/// Ends of a last word after which people expect a star to go on with the same word.
const HALVES: &[char] = &['/', '=', ':', ',', '@', '-'];

/// A rule with its place.
#[derive(Clone, Debug)]
struct Listed {
    rule: Rule,
    span: Range<usize>,
}

/// Looks at the rules of all documents, one by one and at the end all of them together.
#[derive(Default)]
pub(super) struct Lint {
    listed: Vec<Listed>,
    shadows: Shadows,
}

impl Lint {
    /// Looks at one rule.
    pub(super) fn rule(
        &mut self,
        located: &Located<'_>,
        rule: &Rule,
        span: &Range<usize>,
        tools: &Tools,
    ) -> Vec<Problem> {
        self.shadows.add(self.listed.len(), rule);
        self.listed.push(Listed {
            rule: rule.clone(),
            span: span.clone(),
        });
        [
            unknown_tool(rule, tools),
            matches_nothing(rule),
            says_less(rule),
            glued_star(rule),
            runs_anything(rule),
            begins_elsewhere(rule),
        ]
        .into_iter()
        .flatten()
        .map(|(code, sentence)| *located.problem(code, span.clone(), sentence))
        .collect()
    }

    /// What is to be said of all rules together; `located` finds a document by its name.
    pub(super) fn finish<'a>(
        self,
        located: impl Fn(&str) -> Option<&'a Located<'a>>,
    ) -> Vec<Problem> {
        let place = |listed: &Listed| {
            let file = listed.rule.place.file.as_deref()?;
            Some(located(file)?.place(listed.span.clone()))
        };
        let mut problems = Vec::new();
        for (index, listed) in self.listed.iter().enumerate() {
            let by = self.shadows.over(index, &listed.rule);
            let Some(by) = by.and_then(|by| self.listed.get(by)) else {
                continue;
            };
            let (Some(own), Some(other)) = (place(listed), place(by)) else {
                continue;
            };
            // One document given twice says everything twice.
            if own == other {
                continue;
            }
            problems.push(Problem {
                code: Code::Shadowed,
                place: own,
                sentence: format!(
                    "this {} never decides: the {} `{}` at {other} covers every call that it is \
                     about; leave one of them out",
                    listed.rule.effect.word(),
                    by.rule.effect.word(),
                    by.rule.text,
                ),
            });
        }
        problems
    }
}

fn unknown_tool(rule: &Rule, tools: &Tools) -> Option<(Code, String)> {
    let tool = match &rule.pattern {
        Pattern::Tool(tool)
        | Pattern::Shell { tool, .. }
        | Pattern::Path { tool, .. }
        | Pattern::Host { tool, .. }
        | Pattern::ToolArg { tool, .. } => tool,
        Pattern::Mcp(_) | Pattern::McpArg { .. } => return None,
    };
    if tools.knows(tool) || tool.starts_with(mcp::PREFIX) {
        return None;
    }
    let meant = did_you_mean(nearest(tool, tools.names()));
    let what = format!(
        "no host is known to have a tool `{tool}`{meant} Declare it under `[tools.{tool}]` if yours \
         has"
    );
    Some((Code::UnknownTool, what.replace("` Declare", "`; declare")))
}

fn matches_nothing(rule: &Rule) -> Option<(Code, String)> {
    let Pattern::Shell { tool, words } = &rule.pattern else {
        return None;
    };
    let first = words.words().first()?;
    let what = if tools::is_other_shell(tool) && !rule.effect.refuses() {
        format!("lines of `{tool}` are not read, so this allows none; `{tool}` allows them all")
    } else if KEYWORDS.contains(&first.as_str()) {
        format!(
            "`{first}` is a word of the shell's own grammar and runs nothing, so this covers no \
             command; name the programs that run inside of it"
        )
    } else if first.contains([' ', '\n', '\t']) && !first.contains('/') {
        format!(
            "the quotes make one word of `{first}`, and no program is called so; write \
             `{tool}({first})` without them"
        )
    } else {
        return None;
    };
    Some((Code::MatchesNothing, what))
}

fn says_less(rule: &Rule) -> Option<(Code, String)> {
    let Pattern::Shell { tool, words } = &rule.pattern else {
        return None;
    };
    if let Some(word) = words.words().iter().find(|word| word.contains('*')) {
        let what =
            format!("a star in quotes is a star, so this covers `{word}` as it stands alone");
        return Some((Code::SaysLess, what));
    }
    if words.starred().is_some() {
        return None;
    }
    let line = words.written();
    if words.is_open() {
        let last = words.words().last()?;
        let half = last.ends_with(HALVES) && last.len() > 1 || last == "/";
        let mut options = words.words().iter().skip(1);
        let option = options.find(|word| word.starts_with('-'));
        if let (false, true, Some(option)) = (half, rule.effect.refuses(), option) {
            let what = format!(
                "options may be written in other ways and places, so `{option}` does not cover them \
                 all; `{tool}({} *)` does",
                quoted(words.program())
            );
            return Some((Code::SaysLess, what));
        }
        return half.then(|| {
            let what = format!(
                "a star begins a new word, so this covers `{line}` and `{line} x`, and not `{line}x`"
            );
            (Code::SaysLess, what)
        });
    }
    let is_bare = words.words().len() == 1;
    (rule.effect.refuses() && is_bare).then(|| {
        let what = format!(
            "this covers `{line}` without arguments alone; `{tool}({line} *)` covers it with any"
        );
        (Code::SaysLess, what)
    })
}

fn glued_star(rule: &Rule) -> Option<(Code, String)> {
    let Pattern::Shell { words, .. } = &rule.pattern else {
        return None;
    };
    let glued = words.starred()?.glued()?;
    let what = format!(
        "the star in `{glued}` is any run of characters, blanks too: it goes on with the word, and \
         covers other words after it; parted by a blank, a star begins a new word"
    );
    Some((Code::GluedStar, what))
}

/// Folders that stand at the root of a system.
const AT_THE_ROOT: &[&str] = &[
    "Library", "System", "Users", "Volumes", "bin", "boot", "dev", "etc", "home", "lib", "mnt",
    "opt", "private", "proc", "root", "sbin", "srv", "sys", "tmp", "usr", "var",
];

/// A path with one slash that looks as if it began at the root.
fn begins_elsewhere(rule: &Rule) -> Option<(Code, String)> {
    let Pattern::Path { tool, path } = &rule.pattern else {
        return None;
    };
    let first = path.pattern.first_name()?;
    let looks_so = path.pattern.anchor == Anchor::Document && AT_THE_ROOT.contains(&first);
    looks_so.then(|| {
        let what = format!(
            "a path with one slash begins in the folder of this document, so this is about its own \
             `{first}`; `{tool}(//{first}/**)` is about the one at the root"
        );
        (Code::SaysLess, what)
    })
}

fn runs_anything(rule: &Rule) -> Option<(Code, String)> {
    if rule.effect.refuses() {
        return None;
    }
    match &rule.pattern {
        Pattern::Tool(tool) if tools::is_shell(tool) => {
            let what = "this allows every command line that can be read";
            Some((Code::RunsAnything, what.into()))
        }
        Pattern::Shell { words, .. } if words.starred().is_some_and(Starred::is_of_any_program) => {
            let what = "a star stands in the program's name, so this allows any program of such a \
                        name; name the programs that are meant";
            Some((Code::RunsAnything, what.into()))
        }
        Pattern::Shell { words, .. } if words.is_open() || words.starred().is_some() => {
            let program = words.program();
            let mut rest = words.words().iter().skip(1);
            let is_setting = |word: &SmolStr| {
                let is_number = word.starts_with(|char: char| char.is_ascii_digit());
                word.starts_with('-') || word.contains('=') || is_number
            };
            let is_bare = rest.all(is_setting);
            let runs = RUN_ANYTHING.contains(&program);
            (is_bare && runs).then(|| {
                let what = format!(
                    "`{program}` runs whatever it is given, so this allows every program; allow the \
                     lines that are meant"
                );
                (Code::RunsAnything, what)
            })
        }
        Pattern::Tool(_)
        | Pattern::Shell { .. }
        | Pattern::Mcp(_)
        | Pattern::Path { .. }
        | Pattern::Host { .. }
        | Pattern::ToolArg { .. }
        | Pattern::McpArg { .. } => None,
    }
}
