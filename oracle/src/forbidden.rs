//! Modes that were named for a call and that a document forbids: what a decision says of them.

use std::fmt;

use gatefold::gate::Mode;
use gatefold_policy::ForbiddenMode;
use serde::Serialize;

/// Whose mode it is, if it is that of the call itself.
pub(crate) const CALL: &str = "call";

/// A mode in whose place `default` holds.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Forbidden {
    /// Whose mode it is, as the place of the request: `call` or `ancestors[0]`.
    of: String,
    mode: Mode,
    /// The documents that forbid it.
    documents: Vec<String>,
}

impl Forbidden {
    pub(crate) fn of(of: String, forbidden: &ForbiddenMode) -> Self {
        let documents = forbidden.documents.iter();
        Self {
            of,
            mode: forbidden.mode,
            documents: documents.map(ToString::to_string).collect(),
        }
    }
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            of,
            mode,
            documents,
        } = self;
        let documents = documents.join("` and `");
        let of = match of.as_str() {
            CALL => String::new(),
            above => format!(" of {above}"),
        };
        let default = Mode::Default;
        write!(
            f,
            "Mode {mode}{of} is forbidden by `{documents}`, so {default} holds in its place"
        )
    }
}
