//! `gatefold decide`: one request in, one decision out.

mod account;
mod error;
mod host;
mod output;
mod prepare;
mod request;
mod script;
mod words;

use std::io;
use std::process::ExitCode;

use gatefold::gate::{GateResult, Verdict, begin, drive};

use gatefold_policy::{Loaded, Problem};

use crate::documents::{Documents, Paths};
use crate::forbidden::Forbidden;
use crate::input;
use crate::process::{say, write};
use error::DecideError;
use host::Host;
use prepare::{LeftOut, Prepared};
pub(crate) use request::Request;
pub(crate) use words::{Objection, Vocabulary, Word};

const EXIT_ASK: u8 = 10;
const EXIT_DENY: u8 = 20;
/// Why a decision is not written to `/dev/null`.
const NOBODY_LEARNS: &str =
    "it is closed or /dev/null, and without --exit-code nobody learns the decision";

/// How a decision is printed.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// The exit code says the verdict.
    pub(crate) exit_code: bool,
    pub(crate) form: Form,
    /// Policy documents to judge by.
    pub(crate) documents: Paths,
}

/// What is printed of a decision, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The decision object, with the account of it if explained.
    Json { compact: bool, explain: bool },
    /// Words for a person: verdict, reason and rule, or the whole account if explained.
    Text { explain: bool },
}

impl Form {
    /// Whether it tells of the pass what only a trace holds.
    const fn needs_trace(self) -> bool {
        match self {
            Self::Json { explain, .. } => explain,
            Self::Text { .. } => true,
        }
    }
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
    let text = input::text(io::stdin().lock())?;
    let documents = Documents::read(&options.documents)?;
    let trace = options.form.needs_trace();
    let passed = pass(input::object(&text)?, &documents, trace)?;
    let verdict = output::verdict(&passed.result);
    let printed = match options.form {
        Form::Json { compact, explain } => {
            let account = explain
                .then(|| account::explain(&text, &documents, &passed))
                .transpose()?;
            output::json(&passed, compact, account.as_ref())
                .map_err(|error| DecideError::Unwritable(error.into()))?
        }
        Form::Text { explain: true } => account::explain(&text, &documents, &passed)?.text(),
        Form::Text { explain: false } => account::brief(&text, &passed)?.text(),
    };
    documents.show(&passed.problems);
    for warning in &passed.warnings {
        say(&format!("warning: {warning}"));
    }
    // An exit code that says the verdict tells it without a reader.
    let refuse_null = (!options.exit_code).then_some(NOBODY_LEARNS);
    write(&printed, refuse_null).map_err(DecideError::Unwritable)?;
    Ok(verdict)
}

/// The decision of a request, on one line, as the program would print it.
pub(crate) fn bytes(request: &[u8], documents: &Documents) -> Result<String, DecideError> {
    let text = input::text(request)?;
    let passed = pass(input::object(&text)?, documents, false)?;
    output::json(&passed, true, None).map_err(|error| DecideError::Unwritable(error.into()))
}

/// A request that was decided.
struct Passed {
    result: GateResult,
    host: Host,
    warnings: Vec<LeftOut>,
    forbidden_modes: Vec<Forbidden>,
    /// What in the documents is worth a second look.
    problems: Vec<Problem>,
}

fn pass(request: Request, documents: &Documents, trace: bool) -> Result<Passed, DecideError> {
    let mut problems = Vec::new();
    let Prepared {
        input,
        mut host,
        warnings,
        forbidden_modes,
    } = prepare::prepare(request, trace, |platform| {
        let Loaded { policy, warnings } = documents.load(platform)?;
        problems = warnings;
        Ok(policy)
    })?;
    let result = drive(begin(input), &mut host).map_err(DecideError::Defect)?;
    Ok(Passed {
        result: *result,
        host,
        warnings,
        forbidden_modes,
        problems,
    })
}
