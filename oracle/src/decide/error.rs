//! Why there is no decision, in one sentence with its place.

use std::io;

use gatefold::gate::{ArgsError, DriveError, InputError, Text};
use thiserror::Error;

use gatefold_policy::{RULES_MAX, RuleError};

use super::sentence::Fault;
use super::{EXIT_BAD_INPUT, EXIT_DEFECT, EXIT_IO};
use crate::documents::DocumentsError;
use crate::terminal;

/// The request, in bytes (16 MiB).
pub(super) const INPUT_BYTES_MAX: usize = 16 << 20;

/// What a sentence quotes of the input, in characters.
const QUOTED_CHARS_MAX: usize = 400;

/// Why there is no decision.
#[derive(Debug, Error)]
#[non_exhaustive]
pub(super) enum DecideError {
    /// Give the request on standard input.
    #[error("standard input cannot be read: {0}")]
    Unreadable(io::Error),
    /// Give a JSON object.
    #[error(
        "the input is empty, or standard input is closed; give one json object on standard input"
    )]
    Empty,
    /// Hand big content to the tool in a file.
    #[error(
        "the input has more than {INPUT_BYTES_MAX} bytes; hand big content to the tool in a file"
    )]
    TooLarge,
    /// Write the input as UTF-8.
    #[error(
        "the input is not utf-8 at byte {at} (line {line}, column {column}); write it as utf-8"
    )]
    NotUtf8 {
        at: usize,
        line: usize,
        column: usize,
    },
    /// Write the input without one.
    #[error(
        "the input begins with a byte order mark (line 1, column 1), which is not json; leave it out"
    )]
    ByteOrderMark,
    /// Write the request as `gatefold decide --help` describes it.
    #[error("bad input{place}: {}", clipped(.what))]
    NotARequest { place: Place, what: String },
    /// Give args that can be told apart from every other args.
    #[error("bad input at call.args: {0}{remedy}", remedy = remedy(.0))]
    Args(ArgsError),
    /// Write the rule as the sentence says.
    #[error("bad input at rules[{index}].rule: {error}")]
    Rule { index: usize, error: RuleError },
    /// Mend the documents as their problems say.
    #[error("{0}")]
    Documents(#[from] DocumentsError),
    /// Give fewer.
    #[error("bad input at rules: {rules} rules are more than {RULES_MAX}; give fewer")]
    TooManyRules { rules: usize },
    /// Stay within the limit that the sentence names.
    #[error("bad input at {}: {error}", place_of(.error))]
    Input { error: InputError },
    /// Do not run the call, and report the defect.
    #[error("a defect, no decision exists: {0}")]
    Defect(DriveError),
    /// Do not run the call: the decision did not arrive.
    #[error("standard output cannot be written: {0}")]
    Unwritable(io::Error),
}

impl DecideError {
    /// Something wrong with the value at this place.
    pub(super) fn at(path: impl Into<String>, what: impl Into<String>) -> Self {
        Self::NotARequest {
            place: Place::path(path),
            what: what.into(),
        }
    }

    /// The stable code.
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "unreadable_input",
            Self::Empty => "empty_input",
            Self::TooLarge => "too_large",
            Self::NotUtf8 { .. } => "not_utf8",
            Self::ByteOrderMark => "byte_order_mark",
            Self::NotARequest { .. } => "not_a_request",
            Self::Args(error) => error.code(),
            Self::Rule { error, .. } => error.code(),
            Self::Documents(error) => error.code(),
            Self::TooManyRules { .. } => "too_many_rules",
            Self::Input { error } => error.code(),
            Self::Defect(error) => error.code(),
            Self::Unwritable(_) => "unwritable_output",
        }
    }

    pub(super) fn exit(&self) -> u8 {
        match self {
            Self::Empty
            | Self::TooLarge
            | Self::NotUtf8 { .. }
            | Self::ByteOrderMark
            | Self::NotARequest { .. }
            | Self::Args(_)
            | Self::Rule { .. }
            | Self::Documents(_)
            | Self::TooManyRules { .. }
            | Self::Input { .. } => EXIT_BAD_INPUT,
            Self::Defect(_) => EXIT_DEFECT,
            Self::Unreadable(_) | Self::Unwritable(_) => EXIT_IO,
        }
    }
}

/// Which field of the request the engine's refusal is about.
fn place_of(error: &InputError) -> String {
    match error {
        InputError::EmptyCallId => "call.id".into(),
        InputError::EmptyTool => "call.tool".into(),
        InputError::TooManyHooks { .. }
        | InputError::NoHookToAsk
        | InputError::DoubleHook { .. } => "hooks".into(),
        InputError::TooManyAncestors { .. } => "ancestors".into(),
        InputError::EditCapTooHigh { .. } => "settings".into(),
        InputError::EmptyHookId { index } => format!("hooks[{index}].id"),
        InputError::NameTooLong { field, .. } => (*field).into(),
    }
}

/// What to write instead, where the engine's sentence does not tell.
fn remedy(error: &ArgsError) -> &'static str {
    if matches!(error, ArgsError::LoneSurrogate { .. }) {
        "; write the character itself, or both halves of its pair"
    } else {
        ""
    }
}

/// The head of a text that the input may have made as long as itself.
fn clipped(text: &str) -> String {
    let mut chars = text.chars();
    let mut head: String = chars.by_ref().take(QUOTED_CHARS_MAX).collect();
    if chars.next().is_some() {
        head.push('…');
    }
    head
}

/// Where in the input something is wrong: by path, by line and column, or both.
#[derive(Debug, Default)]
pub(super) struct Place {
    path: Option<String>,
    /// Line and column, from 1.
    at: Option<(usize, usize)>,
}

impl Place {
    pub(super) fn path(path: impl Into<String>) -> Self {
        let path = Some(path.into());
        Self { path, at: None }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(path) = &self.path {
            write!(f, " at {}", clipped(path))?;
        }
        match (self.at, &self.path) {
            (Some((line, column)), Some(_)) => write!(f, " (line {line}, column {column})"),
            (Some((line, column)), None) => write!(f, " at line {line}, column {column}"),
            (None, _) => Ok(()),
        }
    }
}

impl DecideError {
    /// What is wrong with the JSON of the input.
    pub(super) fn json(fault: Fault) -> Self {
        let Fault { path, at, what } = fault;
        let at = Some(at);
        Self::NotARequest {
            place: Place { path, at },
            what,
        }
    }
}

/// A sentence that stays one line on any terminal, whatever the input put into it.
pub(super) fn on_one_line(sentence: &str) -> String {
    terminal::harmless(Text::new(sentence).as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use gatefold::gate::{Defect, DefectCode, Station};

    #[test]
    fn every_ending_without_a_decision_has_its_own_exit() {
        let defect = DriveError::Defect(Defect {
            code: DefectCode::AskAtExit,
            station: Station::Exit,
        });
        for (error, exit, code) in [
            (DecideError::Empty, 2, "empty_input"),
            (DecideError::at("resolve", "no"), 2, "not_a_request"),
            (DecideError::Defect(defect), 70, "ask_at_exit"),
            (
                DecideError::Unwritable(io::ErrorKind::BrokenPipe.into()),
                74,
                "unwritable_output",
            ),
            (
                DecideError::Unreadable(io::ErrorKind::NotConnected.into()),
                74,
                "unreadable_input",
            ),
        ] {
            assert_eq!((error.exit(), error.code()), (exit, code), "{error}");
        }
    }
}
