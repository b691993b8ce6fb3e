//! `gatefold decide`: one request in, one decision out.

mod account;
mod error;
mod host;
mod object;
mod output;
mod prepare;
mod read;
mod request;
mod script;
mod sentence;
mod words;

#[cfg(unix)]
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use gatefold::gate::{GateResult, Verdict, begin, drive};

use gatefold_policy::{Loaded, Problem};

use crate::documents::Documents;
use error::DecideError;
use host::Host;
use prepare::{LeftOut, Prepared};
use request::Request;

/// The input is not a request.
const EXIT_BAD_INPUT: u8 = 2;
/// The engine or this program is at fault.
pub(crate) const EXIT_DEFECT: u8 = 70;
/// Standard input or output failed.
const EXIT_IO: u8 = 74;
const EXIT_ASK: u8 = 10;
const EXIT_DENY: u8 = 20;

/// How a decision is printed.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// The exit code says the verdict.
    pub(crate) exit_code: bool,
    pub(crate) form: Form,
    /// Policy documents to judge by.
    pub(crate) policy: Vec<PathBuf>,
}

/// What is printed of a decision, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The decision object, with the account of it if explained.
    Json { compact: bool, explain: bool },
    /// Words for a person: verdict, reason and rule, or the whole account if explained.
    Text { explain: bool },
}

/// Reads a request, decides it, prints the decision. Nothing is printed unless all of it is known.
pub(crate) fn run(options: &Options) -> ExitCode {
    match decide(options) {
        Ok(verdict) if options.exit_code => ExitCode::from(match verdict {
            Verdict::Allow => 0,
            Verdict::Ask => EXIT_ASK,
            Verdict::Deny => EXIT_DENY,
        }),
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            if let DecideError::Documents(error) = &error {
                error.show();
            }
            say(&format!("{error} [{}]", error.code()));
            ExitCode::from(error.exit())
        }
    }
}

fn decide(options: &Options) -> Result<Verdict, DecideError> {
    let text = read::text(io::stdin().lock())?;
    let documents = Documents::read(&options.policy)?;
    let passed = pass(read::request(&text)?, &documents)?;
    let verdict = output::verdict(&passed.result);
    let printed = match options.form {
        Form::Json { compact, explain } => {
            let account = explain
                .then(|| account::explain(&text, &documents, &passed))
                .transpose()?;
            output::json(&passed.result, compact, account.as_ref())
                .map_err(|error| DecideError::Unwritable(error.into()))?
        }
        Form::Text { explain: true } => account::explain(&text, &documents, &passed)?.text(),
        Form::Text { explain: false } => account::brief(&text, &passed)?.text(),
    };
    documents.show(&passed.problems);
    for warning in &passed.warnings {
        say(&format!("warning: {warning}"));
    }
    write(&printed, options.exit_code).map_err(DecideError::Unwritable)?;
    Ok(verdict)
}

/// A request that was decided.
struct Passed {
    result: GateResult,
    host: Host,
    warnings: Vec<LeftOut>,
    /// What in the documents is worth a second look.
    problems: Vec<Problem>,
}

fn pass(request: Request, documents: &Documents) -> Result<Passed, DecideError> {
    let mut problems = Vec::new();
    let Prepared {
        input,
        mut host,
        warnings,
    } = prepare::prepare(request, |platform| {
        let Loaded { policy, warnings } = documents.load(platform)?;
        problems = warnings;
        Ok(policy)
    })?;
    let result = drive(begin(input), &mut host).map_err(DecideError::Defect)?;
    Ok(Passed {
        result: *result,
        host,
        warnings,
        problems,
    })
}

/// Writes to the descriptor itself: the standard library's handle takes one that was opened for
/// reading only as written to, and the decision would be lost without a word.
///
/// A standard output that was closed at the start is `/dev/null` by the time this program runs, and
/// cannot be told from one. Nobody reads a decision there: it is one only if the exit code says it.
fn write(text: &str, exit_code_tells: bool) -> io::Result<()> {
    let mut stdout = stdout()?;
    if !exit_code_tells && is_null(&stdout) {
        let why = "it is closed or /dev/null, and without --exit-code nobody learns the decision";
        return Err(io::Error::other(why));
    }
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

#[cfg(unix)]
fn stdout() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

#[cfg(unix)]
fn is_null(file: &File) -> bool {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let (Ok(file), Ok(null)) = (file.metadata(), std::fs::metadata("/dev/null")) else {
        return false;
    };
    file.file_type().is_char_device() && file.rdev() == null.rdev()
}

#[cfg(not(unix))]
fn stdout() -> io::Result<io::Stdout> {
    Ok(io::stdout())
}

#[cfg(not(unix))]
const fn is_null(_: &io::Stdout) -> bool {
    false
}

/// Says one line on standard error. If that is gone too, the exit code still tells.
pub(crate) fn say(sentence: &str) {
    let line = format!("gatefold: {}\n", error::on_one_line(sentence));
    let _ = io::stderr().write_all(line.as_bytes());
}
