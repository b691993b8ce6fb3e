//! A line part by part, for whoever explains what was decided of it.

use gatefold::gate::Basis;

use super::{CommandLine, Line, UNKNOWN, quoted};

/// One command of a line, and what covered it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its words as they are known, or as they stand in the line.
    pub text: String,
    /// What covered it.
    pub covered: Covered,
    /// The specifier of the rule about this very command, if all its words are known.
    pub specifier: Option<String>,
}

/// What covers a command of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Covered {
    /// An allow of a rule.
    Rule(Box<Basis>),
    /// It needs none: it changes nothing and runs nothing.
    Needless,
    /// The allow of the command of this number (from 0), which names this one among its words.
    With(usize),
    /// Nothing.
    Not,
}

impl Line {
    /// Its commands, each with what covers the one of that number.
    pub(crate) fn parts(&self, mut cover: impl FnMut(usize) -> Option<Covered>) -> Vec<Part> {
        let commands = self.certain.iter().enumerate();
        let parts = commands.map(|(at, command)| {
            let otherwise = if command.silent {
                Covered::Needless
            } else {
                Covered::Not
            };
            let last = command.shown.len().saturating_sub(1);
            Part {
                text: command.part(0, last),
                covered: cover(at).unwrap_or(otherwise),
                specifier: command.specifier(),
            }
        });
        parts.collect()
    }
}

impl CommandLine {
    fn specifier(&self) -> Option<String> {
        let words = self.words.iter();
        let words: Option<Vec<_>> = words
            .map(|word| (word != UNKNOWN).then(|| quoted(word)))
            .collect();
        Some(words?.join(" "))
    }
}
