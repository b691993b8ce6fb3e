//! The decision as it is printed.

use std::sync::Arc;

use gatefold::gate::{
    ArgsJson, Audience, Card, ExitVerdict, Finished, GateResult, Notice, NoticeWord, Record,
    Station, Suspended, Text, Verdict,
};
use serde::Serialize;

use super::Passed;
use crate::explain::Account;
use crate::forbidden::Forbidden;

/// A decision, its keys in the order in which they are printed.
#[derive(Serialize)]
struct Decision<'a> {
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<ArgsJson<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    context: &'a [Arc<str>],
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<&'a Card>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<Told<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    forbidden_modes: &'a [Forbidden],
    record: Record,
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<&'a Account>,
}

/// A notice without its args: on a deny, no args leave this program.
#[derive(Serialize)]
struct Told<'a> {
    notice: NoticeWord,
    audience: Audience,
    station: Station,
    round: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a Text>,
}

impl<'a> From<&'a Notice> for Told<'a> {
    fn from(notice: &'a Notice) -> Self {
        Self {
            notice: notice.notice,
            audience: notice.audience,
            station: notice.station,
            round: notice.round,
            about: notice.about.as_deref(),
            text: notice.text.as_ref(),
        }
    }
}

impl<'a> Decision<'a> {
    fn finished(finished: &'a Finished) -> Self {
        let record = finished.record();
        Self {
            verdict: record.fields().verdict,
            reason: finished.reason(),
            args: finished.args_to_run().map(gatefold::gate::Args::json),
            context: finished.context(),
            details: finished.details(),
            notices: finished.notices().iter().map(Told::from).collect(),
            forbidden_modes: &[],
            record,
            explain: None,
        }
    }

    fn suspended(suspended: &'a Suspended) -> Self {
        let record = suspended.parked.record();
        Self {
            verdict: record.fields().verdict,
            reason: Some(suspended.parked.reason()),
            args: None,
            context: suspended.parked.context(),
            details: None,
            notices: suspended.parked.notices().iter().map(Told::from).collect(),
            forbidden_modes: &[],
            record,
            explain: None,
        }
    }
}

/// The decision as JSON with its last newline, the account of it last if there is one.
pub(super) fn json(
    passed: &Passed,
    compact: bool,
    account: Option<&Account>,
) -> serde_json::Result<String> {
    let mut decision = match &passed.result {
        GateResult::Finished(finished) => Decision::finished(finished),
        GateResult::Suspended(suspended) => Decision::suspended(suspended),
    };
    decision.forbidden_modes = &passed.forbidden_modes;
    decision.explain = account;
    let mut text = if compact {
        serde_json::to_string(&decision)?
    } else {
        serde_json::to_string_pretty(&decision)?
    };
    text.push('\n');
    Ok(text)
}

/// What the result says of the call.
pub(super) fn verdict(result: &GateResult) -> Verdict {
    match result {
        GateResult::Finished(finished) => match finished.outcome().verdict() {
            ExitVerdict::Allow => Verdict::Allow,
            ExitVerdict::Deny => Verdict::Deny,
        },
        GateResult::Suspended(_) => Verdict::Ask,
    }
}
