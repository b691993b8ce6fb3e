//! `gatefold lint` and `gatefold test`: what loading finds in policy documents, and what their own
//! tests come to.

mod report;
mod text;

use std::io;
use std::process::ExitCode;

use gatefold_policy::Platform;

use crate::documents::{Documents, DocumentsError, Paths};
use crate::process::{EXIT_BAD_INPUT, EXIT_IO, say, write};
use crate::terminal::{harmless_json, is_coloured};
pub(crate) use report::Report;

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Everything.
    Lint,
    /// The documents' own tests, and the errors that keep them from being run.
    Test,
}

/// What to look at, and how to say it.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) look: Look,
    /// Print an object for programs.
    pub(crate) json: bool,
    /// A warning is as bad as an error.
    pub(crate) strict: bool,
    pub(crate) platform: Platform,
    pub(crate) documents: Paths,
}

/// Reads documents and prints what is found in them.
pub(crate) fn run(options: &Options) -> ExitCode {
    let (printed, is_sound) = match checked(options) {
        Ok(checked) => checked,
        Err(error) => {
            say(&format!("{error} [{}]", error.code()));
            return ExitCode::from(EXIT_BAD_INPUT);
        }
    };
    // The exit code tells it without a reader.
    match write(&printed, None) {
        Ok(()) if is_sound => ExitCode::SUCCESS,
        Ok(()) => ExitCode::from(EXIT_BAD_INPUT),
        Err(error) => {
            say(&format!(
                "standard output cannot be written: {error} [unwritable_output]"
            ));
            ExitCode::from(EXIT_IO)
        }
    }
}

/// What to print, and whether the documents are sound.
fn checked(options: &Options) -> Result<(String, bool), DocumentsError> {
    let documents = Documents::read(&options.documents)?;
    let checked = documents.check(options.platform);
    let warned = checked.policy.is_some() && !checked.problems.is_empty();
    let is_sound = checked.policy.is_some() && !(options.strict && warned);
    let printed = if options.json {
        let report = Report::of(options.look, &documents, &checked);
        harmless_json(&report.json())
    } else {
        let coloured = is_coloured(&io::stdout());
        text::of(options.look, &documents, &checked, coloured)
    };
    Ok((printed, is_sound))
}
