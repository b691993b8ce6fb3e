//! The parts of a command line, each with what covers it.

use gatefold::gate::Basis;
use gatefold_policy::{Covered, Part};
use serde::Serialize;

use super::QUOTED_CHARS_MAX;
use crate::terminal::clipped;

/// A command of the line, and what covers it.
#[derive(Debug, Serialize)]
pub(super) struct PartSaid {
    pub(super) part: String,
    pub(super) covered: &'static str,
    /// The rule that covers it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) basis: Option<Basis>,
    /// The number of the part whose rule covers it, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) with: Option<usize>,
}

impl PartSaid {
    pub(super) fn of(part: &Part) -> Self {
        let (covered, basis, with) = match &part.covered {
            Covered::Rule(basis) => ("by_rule", Some(basis.as_ref().clone()), None),
            Covered::With(at) => ("with", None, Some(at.saturating_add(1))),
            Covered::Needless => ("needless", None, None),
            Covered::Not => ("not", None, None),
        };
        Self {
            part: clipped(&part.text, QUOTED_CHARS_MAX),
            covered,
            basis,
            with,
        }
    }
}
