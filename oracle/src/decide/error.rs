//! Why there is no decision, in one sentence with its place.

use std::io;

use gatefold::gate::{ArgsError, DriveError, InputError};
use thiserror::Error;

use gatefold_policy::{RULES_MAX, RuleError};

use crate::documents::DocumentsError;
use crate::input::ReadError;
use crate::process::{EXIT_BAD_INPUT, EXIT_DEFECT, EXIT_IO};

/// Why there is no decision.
#[derive(Debug, Error)]
#[non_exhaustive]
pub(crate) enum DecideError {
    /// Write the request as `gatefold decide --help` describes it.
    #[error(transparent)]
    Read(#[from] ReadError),
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
        Self::Read(ReadError::at(path, what))
    }

    /// The stable code.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Read(error) => error.code(),
            Self::Args(error) => error.code(),
            Self::Rule { error, .. } => error.code(),
            Self::Documents(error) => error.code(),
            Self::TooManyRules { .. } => "too_many_rules",
            Self::Input { error } => error.code(),
            Self::Defect(error) => error.code(),
            Self::Unwritable(_) => "unwritable_output",
        }
    }

    pub(crate) fn exit(&self) -> u8 {
        match self {
            Self::Read(ReadError::Unreadable(_)) | Self::Unwritable(_) => EXIT_IO,
            Self::Read(_)
            | Self::Args(_)
            | Self::Rule { .. }
            | Self::Documents(_)
            | Self::TooManyRules { .. }
            | Self::Input { .. } => EXIT_BAD_INPUT,
            Self::Defect(_) => EXIT_DEFECT,
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
            (ReadError::Empty.into(), 2, "empty_input"),
            (DecideError::at("resolve", "no"), 2, "not_a_request"),
            (DecideError::Defect(defect), 70, "ask_at_exit"),
            (
                DecideError::Unwritable(io::ErrorKind::BrokenPipe.into()),
                74,
                "unwritable_output",
            ),
            (
                ReadError::Unreadable(io::ErrorKind::NotConnected.into()).into(),
                74,
                "unreadable_input",
            ),
        ] {
            assert_eq!((error.exit(), error.code()), (exit, code), "{error}");
        }
    }
}
