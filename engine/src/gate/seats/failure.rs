//! How a seat fails instead of answering.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::gate::text::Text;

/// A seat that was asked and gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatFailure {
    /// It crashed; the text says how.
    Threw(Text),
    /// It did not answer within the host's time for it.
    TimedOut,
    /// The task was cancelled while it was asked. This ends the pass, whatever the seat.
    Aborted,
}

impl SeatFailure {
    /// A crash with its message.
    pub fn threw(text: &str) -> Self {
        Self::Threw(Text::new(text))
    }
}

impl fmt::Display for SeatFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Threw(text) => write!(f, "threw: {text}"),
            Self::TimedOut => f.write_str("timed out"),
            Self::Aborted => f.write_str("aborted"),
        }
    }
}

/// A seat's answer, or how it failed.
pub type Reply<T> = Result<T, SeatFailure>;
