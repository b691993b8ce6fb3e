//! `gatefold hook HOST`: a host's own hook event in, that host's own answer out.
//!
//! A host goes on with the call if its hook fails: so every failure here is an answer, and an answer
//! that cannot be written is the exit code that the host takes as a block.

mod capability;
mod claude_code;
mod disk;
mod error;
mod image;
mod policies;

use std::io::{self, Read, Write};
use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

use gatefold_policy::Platform;

use crate::documents::{Documents, Paths};
use crate::input;
use crate::process::{EXIT_BAD_INPUT, say, write};
use claude_code::Answered;
use error::HookError;
pub(crate) use image::ImagePaths;
use policies::Policies;

/// What the host takes as a block: the call does not run.
pub(crate) const EXIT_BLOCK: u8 = EXIT_BAD_INPUT;

/// What is read of an input that is too large, in bytes (1 GiB): a host whose pipe closes before
/// it has written all may take that for a hook that failed, and go on.
const DRAINED_BYTES_MAX: u64 = 1 << 30;

/// The system that this program runs on, and the host with it.
const PLATFORM: Platform = if cfg!(windows) {
    Platform::Windows
} else if cfg!(target_os = "macos") {
    Platform::MacOs
} else {
    Platform::Linux
};

/// Answers a `PreToolUse` event of Claude Code.
///
/// The account of it goes to standard error, after the answer has been written: the host reads
/// nothing there.
pub(crate) fn claude_code(
    documents: &Paths,
    image: Option<&ImagePaths>,
    explain: bool,
) -> ExitCode {
    let policies = Policies::new(documents, image);
    let (answer, account) = answered(
        || {
            let text = input::text(io::stdin().lock()).inspect_err(|_| {
                // What is left of it decides nothing.
                let _ = io::copy(
                    &mut io::stdin().lock().take(DRAINED_BYTES_MAX),
                    &mut io::sink(),
                );
            })?;
            let load = |from| policies.load(from);
            let Answered {
                line,
                account,
                policy,
            } = claude_code::answer(&text, load, explain)?;
            // The process ends here: to take a policy apart, rule by rule, would make the host wait.
            mem::forget(policy);
            Ok((line, account))
        },
        claude_code::failed,
    );
    match write(
        &answer,
        Some("it is closed or /dev/null, and nobody learns the decision"),
    ) {
        Ok(()) => {
            let account = account.unwrap_or_default();
            let _ = io::stderr().write_all(account.as_bytes());
            // The host has its answer, whatever becomes of this.
            let _ = panic::catch_unwind(AssertUnwindSafe(|| policies.keep()));
            ExitCode::SUCCESS
        }
        Err(error) => {
            say(&format!(
                "the call does not run: the decision cannot be written to standard output: {error}"
            ));
            ExitCode::from(EXIT_BLOCK)
        }
    }
}

/// The answer to an event of Claude Code, and the code of what it failed with.
pub(crate) fn bytes(event: &[u8], documents: &Documents) -> (String, Option<&'static str>) {
    let answer = || {
        let text = input::text(event)?;
        claude_code::answer(
            &text,
            |_| Ok(documents.load_for_a_call(PLATFORM)?.policy),
            false,
        )
    };
    match answer() {
        Ok(answered) => (answered.line, None),
        Err(error) => (claude_code::failed(&error), Some(error.code())),
    }
}

/// The answer, or the host's deny if there is none, whatever the reason.
fn answered(
    answer: impl FnOnce() -> Result<(String, Option<String>), HookError>,
    failed: impl Fn(&HookError) -> String,
) -> (String, Option<String>) {
    let answered = panic::catch_unwind(AssertUnwindSafe(answer));
    answered
        .unwrap_or(Err(HookError::Panic))
        .unwrap_or_else(|error| {
            if let HookError::Documents(error) = &error {
                error.show();
            }
            say(&format!("{error} [{}]", error.code()));
            (failed(&error), None)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gatefold::gate::{Defect, DefectCode, DriveError, Station};

    #[test]
    fn a_panic_and_a_defect_are_denies() {
        let defect = HookError::Defect(DriveError::Defect(Defect {
            code: DefectCode::AskAtExit,
            station: Station::Exit,
        }));
        let denies = [
            answered(|| panic!("at the disco"), claude_code::failed),
            answered(|| Err(defect), claude_code::failed),
        ];
        for (deny, _) in denies {
            assert!(deny.contains(r#""permissionDecision":"deny""#), "{deny}");
            assert!(deny.contains("a defect of"), "{deny}");
        }
    }
}
