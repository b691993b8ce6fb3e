//! The answer to a `PreToolUse` event: one line of JSON in the host's own form.

use gatefold::gate::{
    AllowedBy, Args, ArgsJson, Basis, Cause, DeniedBy, ExitVerdict, Finished, GateResult,
    Suspended, Verdict,
};
use gatefold_policy::{ForbiddenMode, ProtectedPath};
use serde::Serialize;

use super::tools;
use crate::hook::capability::{self, HookEvent};
use crate::hook::error::HookError;
use crate::process::on_one_line;

const EVENT: HookEvent = HookEvent::ClaudeCodePreToolUse;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    hook_specific_output: Output<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Output<'a> {
    hook_event_name: &'static str,
    permission_decision: &'static str,
    permission_decision_reason: String,
    /// Only where what may run is not what was asked for: the host would run the latter.
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_input: Option<ArgsJson<'a>>,
}

/// The answer that a result is, with its line end; it says if the mode that was named is forbidden,
/// and what the call would write to that is protected.
pub(super) fn of(
    result: &GateResult,
    forbidden: Option<&ForbiddenMode>,
    protected: Option<&ProtectedPath>,
) -> Result<String, HookError> {
    let said = |reason: String| match forbidden {
        None => reason,
        Some(forbidden) => format!("{} ({forbidden})", reason.trim_end_matches('.')),
    };
    match result {
        GateResult::Finished(finished) => {
            let (verdict, reason) = match finished.outcome().verdict() {
                ExitVerdict::Allow => (Verdict::Allow, allowed(finished)),
                ExitVerdict::Deny => (Verdict::Deny, denied(finished)),
            };
            let runs = finished.args_to_run();
            let differs = runs.filter(|args| **args != finished.call().args);
            line(verdict, &said(reason), differs.map(Args::json))
        }
        GateResult::Suspended(suspended) => {
            line(Verdict::Ask, &said(asked(suspended, protected)), None)
        }
    }
}

/// The deny of a call that could not be judged.
pub(in crate::hook) fn failed(error: &HookError) -> String {
    let sentence = format!(
        "gatefold could not judge this call, so it does not run: {error} [{}]. {}.",
        error.code(),
        error.remedy()
    );
    line(Verdict::Deny, &sentence, None).unwrap_or_else(|_| LAST_RESORT.into())
}

/// What is answered if not even a reason can be written.
const LAST_RESORT: &str = "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\
    \"permissionDecision\":\"deny\",\
    \"permissionDecisionReason\":\"gatefold could not answer, so this call does not run\"}}\n";

fn line(
    verdict: Verdict,
    reason: &str,
    updated_input: Option<ArgsJson<'_>>,
) -> Result<String, HookError> {
    let said = capability::said(EVENT, verdict).ok_or(HookError::NoWord)?;
    let reason = match said.lost {
        None => on_one_line(reason),
        Some(lost) => on_one_line(&format!("{reason} ({lost})")),
    };
    let answer = Answer {
        hook_specific_output: Output {
            hook_event_name: EVENT.word(),
            permission_decision: said.word,
            permission_decision_reason: reason,
            updated_input: updated_input.filter(|_| said.means == Verdict::Allow),
        },
    };
    let mut json = serde_json::to_string(&answer).map_err(|_| HookError::NoWord)?;
    json.push('\n');
    Ok(json)
}

/// For the person: what is asked, by which rule of which file.
fn asked(suspended: &Suspended, protected: Option<&ProtectedPath>) -> String {
    let record = suspended.parked.record();
    let askers = record.fields().asked.iter().flat_map(|asked| &asked.askers);
    let mut causes = askers.clone().map(|asker| asker.cause);
    let is_protected = causes.any(|cause| cause == Cause::WriteProtected);
    let bases = askers.filter_map(|asker| asker.basis.as_ref());
    let mut places: Vec<String> = Vec::new();
    for place in bases.filter_map(place) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let mut reason = format!("gatefold: {}", suspended.parked.reason());
    if let Some(protected) = protected.filter(|_| is_protected) {
        reason.push_str(&format!("; {protected}"));
    }
    if !places.is_empty() {
        reason.push_str(&format!("; see {}", places.join(" and ")));
    }
    reason
}

/// For the model: who refused, by which rule of which file, why, and what to do instead.
fn denied(finished: &Finished) -> String {
    let record = finished.record();
    let basis = record.fields().basis.as_ref();
    let reason = finished.reason().unwrap_or_default();
    let mut said = format!("gatefold: {reason}");
    if let Some(place) = basis.and_then(place) {
        said.push_str(&format!("; see {place}"));
    }
    if let Some(instead) = finished.outcome().denied_by().map(instead) {
        said.push_str(&format!(". {instead}."));
    }
    said
}

const fn instead(by: DeniedBy) -> &'static str {
    match by {
        DeniedBy::Org | DeniedBy::Policy | DeniedBy::Rule => {
            "Do not reach the same end by another way: do what the rule leaves, or ask the person"
        }
        DeniedBy::PlanMode => {
            "Read and plan only; what changes something runs after the person has approved the plan"
        }
        DeniedBy::Mode => {
            "Nobody is asked in this mode: make calls that a rule allows, or tell the person which one is missing"
        }
        DeniedBy::ShellRead => {
            "Write the command so that what it runs stands in it, or ask the person"
        }
        DeniedBy::Compliance
        | DeniedBy::Hook
        | DeniedBy::Engine
        | DeniedBy::WriteProtection
        | DeniedBy::Classifier
        | DeniedBy::EditCap
        | DeniedBy::AskResolution => "Ask the person before going on",
    }
}

fn allowed(finished: &Finished) -> String {
    let record = finished.record();
    let fields = record.fields();
    let by = match finished.outcome().allowed_by() {
        Some(AllowedBy::Policy) => "the policy allows it".into(),
        Some(AllowedBy::StoredRule) => "a stored rule allows it".into(),
        Some(AllowedBy::ReadOnly) => {
            let row = tools::find(&finished.call().tool);
            format!("it only {}", row.map_or("reads", |row| row.why))
        }
        Some(AllowedBy::Mode) => format!("mode {} releases it", fields.mode),
        Some(AllowedBy::Default) => {
            "no rule is about it, and the policy lets such calls run".into()
        }
        Some(
            by @ (AllowedBy::Hook
            | AllowedBy::Classifier
            | AllowedBy::Sandbox
            | AllowedBy::AskResolution),
        ) => format!("{by} allows it"),
        None => String::from("it may run"),
    };
    let rule = fields.basis.as_ref().map(|basis| {
        let rule = basis.rule.as_str().replace('`', "'");
        format!(" (`{rule}` in {})", basis.layer)
    });
    let place = fields.basis.as_ref().and_then(place);
    let place = place.map(|place| format!("; see {place}"));
    format!(
        "gatefold: {by}{}{}",
        rule.unwrap_or_default(),
        place.unwrap_or_default()
    )
}

/// Where a rule stands, as the path of its key, if it is in a file.
fn place(basis: &Basis) -> Option<String> {
    let file = basis.file.as_ref()?;
    let list = basis.list.as_str();
    let (whose, list) = list
        .rsplit_once('.')
        .map_or((None, list), |(whose, list)| (Some(whose), list));
    let whose = whose.map(|agent| format!("{agent}."));
    let table = match basis.layer.as_str() {
        layer @ ("org" | "policy") => layer.to_owned(),
        layer => format!("rules.{layer}"),
    };
    Some(format!(
        "{}{table}.{list}[{}] in {file}",
        whose.unwrap_or_default(),
        basis.index
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_resort_is_a_deny_in_the_form_of_every_other() {
        let deny = line(
            Verdict::Deny,
            "gatefold could not answer, so this call does not run",
            None,
        );
        assert_eq!(deny.expect("a line"), LAST_RESORT);
    }

    #[test]
    fn a_failure_is_a_deny_with_its_code_on_one_line() {
        for error in [HookError::Panic, HookError::NoWord] {
            let line = failed(&error);
            assert!(line.contains(r#""permissionDecision":"deny""#), "{line}");
            assert!(
                line.contains(error.code()) && line.ends_with("}\n"),
                "{line}"
            );
            assert_eq!(line.lines().count(), 1);
        }
    }

    #[test]
    fn args_that_were_changed_are_what_the_host_runs() {
        let args = Args::parse(r#"{"command":"npm ci"}"#).expect("args");
        let line = line(Verdict::Allow, "", Some(args.json())).expect("a line");
        assert!(
            line.contains(r#""updatedInput":{"command":"npm ci"}"#),
            "{line}"
        );
    }
}
