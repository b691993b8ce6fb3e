//! Why a call could not be judged. Each is a deny in the host's own form, which says what to do.

use std::path::PathBuf;

use gatefold::gate::{ArgsError, DriveError, InputError};
use thiserror::Error;

use crate::documents::DocumentsError;
use crate::input::ReadError;

/// Why a call could not be judged.
#[derive(Debug, Error)]
#[non_exhaustive]
pub(super) enum HookError {
    /// Run the command from the host's own hook, in a version that knows the host.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Give args that can be told apart from every other args.
    #[error("bad input at tool_input: {0}")]
    Args(ArgsError),
    /// Stay within the limit that the sentence names.
    #[error("bad input: {0}")]
    Input(InputError),
    /// Name the document by its absolute path.
    #[error(
        "the policy document {} has a relative path, which leads wherever the agent stands; name it by its absolute path",
        path.display()
    )]
    RelativePolicy { path: PathBuf },
    /// Name a file.
    #[error("the policy document {} is not a file", path.display())]
    NoFile { path: PathBuf },
    /// Name different files.
    #[error("{} is named for two things, of a policy document, an image and its key", path.display())]
    OneFile { path: PathBuf },
    /// Mend the documents as their problems say.
    #[error(transparent)]
    Documents(#[from] DocumentsError),
    /// Report the defect.
    #[error("a defect of the engine, no decision exists: {0}")]
    Defect(DriveError),
    /// Report the defect.
    #[error("a defect of this program, no decision exists")]
    Panic,
    /// Add the row that says how the verdict is said to the host.
    #[error("a defect of this program: the host has no word for the verdict")]
    NoWord,
}

impl HookError {
    /// The stable code.
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::Read(ReadError::Malformed { .. }) => "not_an_event",
            Self::Read(error) => error.code(),
            Self::Args(error) => error.code(),
            Self::Input(error) => error.code(),
            Self::RelativePolicy { .. } => "relative_policy",
            Self::NoFile { .. } => "not_a_file",
            Self::OneFile { .. } => "one_file",
            Self::Documents(error) => error.code(),
            Self::Defect(error) => error.code(),
            Self::Panic => "panic",
            Self::NoWord => "no_word",
        }
    }

    /// What to do about it.
    pub(super) const fn remedy(&self) -> &'static str {
        match self {
            Self::Read(ReadError::Malformed { .. }) | Self::Input(_) => {
                "Do not try again: tell the person that this version of gatefold and the host do not know each other, and that updating gatefold is what mends it"
            }
            Self::Read(ReadError::TooLarge) | Self::Args(_) => {
                "Make the call again as the sentence says"
            }
            Self::Read(_) => {
                "Do not try again: tell the person that the host's hook gives gatefold no event"
            }
            Self::RelativePolicy { .. } | Self::NoFile { .. } => {
                "Do not try again: tell the person that the host's settings have to name the policy by its absolute path before anything runs"
            }
            Self::OneFile { .. } => {
                "Do not try again: tell the person that the host's settings have to name a file each for the policy, its image and the image's key before anything runs"
            }
            Self::Documents(_) => {
                "Do not try again: tell the person that the policy has to be mended before anything runs; standard error shows each place"
            }
            Self::Defect(_) | Self::Panic | Self::NoWord => {
                "Do not try again: tell the person, who may report it"
            }
        }
    }
}
