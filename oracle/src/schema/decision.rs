//! The schema of a decision as it is printed.

use gatefold::gate::{Audience, Mode, NoticeWord, Station, Verdict};
use gatefold::limits::TEXT_BYTES_MAX;
use schemars::{JsonSchema, Schema};

use super::conditions::{Fields, all_of, when};
use super::record::Record;
use super::request::Object;
use crate::decide::Word;
use crate::explain::SCHEMA as EXPLAIN_SCHEMA;

/// A decision, with the record of how it came about.
#[derive(JsonSchema)]
#[schemars(
    title = "gatefold/decision",
    deny_unknown_fields,
    transform = conditions
)]
#[allow(dead_code, reason = "its schema alone counts")]
pub(super) struct Decision {
    /// What is decided: the call may run, waits for an answer, or does not run.
    verdict: Word<Verdict>,
    /// Why the call does not run, or what is asked; unless it is allowed.
    #[schemars(skip_serializing_if = "Option::is_none")]
    reason: String,
    /// Exactly what may run; on an allow and never otherwise.
    #[schemars(skip_serializing_if = "Option::is_none")]
    args: Object,
    /// What hooks add for the model, at most 64 KiB in all.
    #[schemars(skip_serializing_if = "Option::is_none", length(min = 1))]
    context: Vec<String>,
    /// What could not be read.
    #[schemars(skip_serializing_if = "Option::is_none")]
    details: Card,
    /// What others are to be told.
    #[schemars(skip_serializing_if = "Option::is_none", length(min = 1))]
    notices: Vec<Told>,
    /// Modes that were named for the call or for an agent above it and that a document forbids: in
    /// their place `default` holds.
    #[schemars(skip_serializing_if = "Option::is_none", length(min = 1))]
    forbidden_modes: Vec<ForbiddenMode>,
    /// The account of the decision.
    record: Record,
    /// The account of how it came about, in facts; with `--explain`.
    #[schemars(skip_serializing_if = "Option::is_none")]
    explain: Account,
}

/// The account of a decision. What else it holds stands in the README.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "its schema alone counts")]
struct Account {
    /// The name of this format.
    #[schemars(extend("const" = EXPLAIN_SCHEMA))]
    schema: String,
}

/// What the shell reader found.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code, reason = "its schema alone counts")]
struct Card {
    /// The finding in one word, at most 4096 bytes.
    #[schemars(length(max = TEXT_BYTES_MAX))]
    finding: String,
    /// What it is about, in a sentence, at most 4096 bytes.
    #[schemars(length(max = TEXT_BYTES_MAX))]
    text: String,
}

/// A mode that was named and is forbidden.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code, reason = "its schema alone counts")]
struct ForbiddenMode {
    /// Whose mode it is, as the place of the request: `call` or `ancestors[0]`.
    of: String,
    /// The mode.
    mode: Word<Mode>,
    /// The documents that forbid it, by the paths that were given.
    #[schemars(length(min = 1))]
    documents: Vec<String>,
}

/// One thing to tell.
#[derive(JsonSchema)]
#[schemars(rename = "Notice", deny_unknown_fields)]
#[allow(dead_code, reason = "its schema alone counts")]
struct Told {
    /// What is told.
    notice: Word<NoticeWord>,
    /// Who is told.
    audience: Word<Audience>,
    /// The station at which it arose.
    station: Word<Station>,
    /// The edit round in which it arose; 0 is the model's own call.
    round: u8,
    /// The seat, hook, refuser or attestation that it is about.
    #[schemars(skip_serializing_if = "Option::is_none")]
    about: String,
    /// More, in a sentence, at most 4096 bytes.
    #[schemars(skip_serializing_if = "Option::is_none", length(max = TEXT_BYTES_MAX))]
    text: String,
}

/// The record has the same verdict; an allow says what runs, anything else why not.
fn conditions(schema: &mut Schema) {
    let of = |verdict: Verdict| {
        let (stands, stands_not) = match verdict {
            Verdict::Allow => ("args", "reason"),
            Verdict::Ask | Verdict::Deny => ("reason", "args"),
        };
        let same = Fields::is("verdict", &[verdict.word()]);
        let beside = Fields::present(&[stands]).and_absent(&[stands_not]);
        when(same.clone(), beside.and_with("record", same))
    };
    all_of(schema, Verdict::ALL.iter().copied().map(of).collect());
}
