//! What is found, as data.

use gatefold_policy::{Checked, Problem, Severity, Trial};
use schemars::JsonSchema;
use serde::Serialize;

use super::Look;
use crate::documents::Documents;

/// The name of this format.
const SCHEMA: &str = "gatefold/lint/v1";

/// What `lint` and `test` find in policy documents.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "gatefold/lint/v1", deny_unknown_fields)]
pub(crate) struct Report {
    /// The name of this format.
    #[schemars(extend("const" = SCHEMA))]
    schema: &'static str,
    /// The documents, by the paths that were given.
    #[schemars(length(min = 1))]
    documents: Vec<String>,
    /// Whether the documents are loaded: there is no error, and no test of theirs fails.
    loads: bool,
    /// What is wrong or worth a second look, errors first; of `test`, the errors alone.
    problems: Vec<Found>,
    /// The documents' own tests, in their order; without it, an error kept them from being run.
    #[serde(skip_serializing_if = "Option::is_none")]
    tests: Option<Vec<Tested>>,
}

/// A problem of a document.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Problem", deny_unknown_fields)]
struct Found {
    /// How much it weighs: with an error nothing is loaded.
    #[schemars(extend("enum" = [Severity::Error.word(), Severity::Warning.word()]))]
    severity: &'static str,
    /// The stable word for what it is.
    code: &'static str,
    /// Where it is.
    place: Place,
    /// What is wrong, and what to write instead.
    sentence: String,
}

/// A place in a document.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Place {
    /// The document, by the path that was given.
    file: String,
    /// The line, from 1.
    line: usize,
    /// The column in characters, from 1.
    column: usize,
    /// The byte of the document at which it starts, from 0.
    start: usize,
    /// The byte before which it ends.
    end: usize,
}

/// A test of a document, and what came of it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Test", deny_unknown_fields)]
struct Tested {
    /// Where its call stands.
    place: Place,
    /// The call: the tool, with its line or its args in brackets.
    call: String,
    /// The permission mode that it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<String>,
    /// The agent that it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    /// The verdict that it wants, as written.
    want: String,
    /// The rule that it wants, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
    /// Whether it passes.
    passed: bool,
    /// What was decided; without it, the test cannot be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    came: Option<Came>,
    /// Why it does not pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<Found>,
}

/// What was decided of the call of a test.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Came {
    /// The verdict: `allow`, `ask` or `deny`.
    #[schemars(extend("enum" = ["allow", "ask", "deny"]))]
    verdict: &'static str,
    /// Who decided, or whom the ask is owed to, in the word of the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'static str>,
    /// The rule behind it, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
    /// The layer of that rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    layer: Option<String>,
    /// Why the call does not run, or what is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl Report {
    pub(super) fn of(look: Look, documents: &Documents, checked: &Checked) -> Self {
        let problems = checked.problems.iter();
        let tests = checked.tests.as_deref();
        Self {
            schema: SCHEMA,
            documents: documents.names().map(str::to_owned).collect(),
            loads: checked.policy.is_some(),
            problems: problems
                .filter(|problem| look == Look::Lint || problem.severity() == Severity::Error)
                .map(found)
                .collect(),
            tests: tests.map(|tests| tests.iter().map(tested).collect()),
        }
    }

    /// The report as it is printed, with its last newline.
    pub(super) fn json(&self) -> String {
        // Words, numbers and lists serialise always.
        let json = serde_json::to_string_pretty(self).unwrap_or_else(|error| error.to_string());
        format!("{json}\n")
    }
}

fn found(problem: &Problem) -> Found {
    Found {
        severity: problem.severity().word(),
        code: problem.code.word(),
        place: place(&problem.place),
        sentence: problem.sentence.clone(),
    }
}

fn place(place: &gatefold_policy::Place) -> Place {
    let gatefold_policy::Place {
        file,
        line,
        column,
        span,
    } = place;
    Place {
        file: file.to_string(),
        line: *line,
        column: *column,
        start: span.start,
        end: span.end,
    }
}

fn tested(test: &Trial) -> Tested {
    Tested {
        place: place(&test.place),
        call: test.call.clone(),
        mode: test.mode.clone(),
        agent: test.agent.clone(),
        want: test.want.clone(),
        rule: test.rule.clone(),
        passed: test.problem.is_none(),
        came: test.came.as_ref().map(came),
        problem: test.problem.as_ref().map(found),
    }
}

fn came(came: &gatefold_policy::Came) -> Came {
    let basis = came.basis.as_ref();
    Came {
        verdict: came.verdict.word(),
        by: came.by,
        rule: basis.map(|basis| basis.rule.to_string()),
        layer: basis.map(|basis| basis.layer.to_string()),
        reason: came.reason.clone(),
    }
}
