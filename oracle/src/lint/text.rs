//! What is found, in words for a person.

use anstyle::{AnsiColor, Effects, Style};
use gatefold_policy::{Came, Checked, Problem, Severity, Trial};

use super::Look;
use crate::documents::Documents;
use crate::process::on_one_line;
use crate::snippet::Snippets;
use crate::terminal::{clipped, harmless};

/// What is shown of a call, in characters.
const CALL_CHARS_MAX: usize = 200;

/// What is found, problem by problem or test by test, and a line that sums it up.
pub(super) fn of(look: Look, documents: &Documents, checked: &Checked, coloured: bool) -> String {
    let snippets = documents.snippets(coloured);
    let mut text = String::new();
    match (&checked.tests, look) {
        // All errors are those of tests then.
        (Some(tests), Look::Lint) => {
            failures(&mut text, &snippets, tests);
            let warnings = of_severity(checked, Severity::Warning);
            problems(&mut text, &snippets, warnings);
        }
        (Some(tests), Look::Test) => {
            rows(&mut text, tests, coloured);
            failures(&mut text, &snippets, tests);
        }
        (None, Look::Lint) => problems(&mut text, &snippets, checked.problems.iter()),
        (None, Look::Test) => {
            let errors = of_severity(checked, Severity::Error);
            problems(&mut text, &snippets, errors);
        }
    }
    text.push_str(&harmless(&summary(look, documents, checked)));
    text.push('\n');
    text
}

fn of_severity(checked: &Checked, severity: Severity) -> impl Iterator<Item = &Problem> {
    let problems = checked.problems.iter();
    problems.filter(move |problem| problem.severity() == severity)
}

fn problems<'a>(
    text: &mut String,
    snippets: &Snippets<'_>,
    problems: impl Iterator<Item = &'a Problem>,
) {
    for problem in problems {
        text.push_str(&snippets.show(problem, &[]));
        text.push_str("\n\n");
    }
}

/// Each test that does not pass, with what it wants and what came.
fn failures(text: &mut String, snippets: &Snippets<'_>, tests: &[Trial]) {
    for test in tests {
        let Some(problem) = &test.problem else {
            continue;
        };
        let mut notes = vec![("call", call(test)), ("wanted", wanted(test))];
        if let Some(came) = &test.came {
            notes.push(("came", decided(came)));
            notes.extend(came.reason.iter().map(|reason| ("why", reason.clone())));
        }
        text.push_str(&snippets.show(problem, &notes));
        text.push_str("\n\n");
    }
}

/// A line for each test.
fn rows(text: &mut String, tests: &[Trial], coloured: bool) {
    let style = |color: AnsiColor| {
        if coloured {
            color.on_default().effects(Effects::BOLD)
        } else {
            Style::new()
        }
    };
    for test in tests {
        let (word, style) = match test.problem {
            None => ("ok    ", style(AnsiColor::Green)),
            Some(_) => ("FAILED", style(AnsiColor::Red)),
        };
        let place = &test.place;
        let came = match &test.came {
            Some(came) => format!("is {}", decided(came)),
            None => "cannot be run".to_owned(),
        };
        let row = format!("{}:{}: {} {came}", place.file, place.line, call(test));
        let row = on_one_line(&row);
        text.push_str(&format!("{style}{word}{style:#} {row}\n"));
    }
    if !tests.is_empty() {
        text.push('\n');
    }
}

/// The call, and where and by whom it is made.
fn call(test: &Trial) -> String {
    let mut call = clipped(&test.call, CALL_CHARS_MAX);
    if let Some(agent) = &test.agent {
        call.push_str(&format!(" by agent {agent}"));
    }
    if let Some(mode) = &test.mode {
        call.push_str(&format!(" in mode {mode}"));
    }
    call
}

fn wanted(test: &Trial) -> String {
    let rule = test.rule.as_ref();
    let rule = rule.map_or_else(String::new, |rule| format!(", by `{rule}`"));
    format!("{}{rule}", test.want)
}

fn decided(came: &Came) -> String {
    let verdict = came.verdict;
    match (&came.basis, came.by) {
        (Some(basis), _) => format!("{verdict}, by `{}` of {}", basis.rule, basis.layer),
        (None, Some(by)) => format!("{verdict} ({by})"),
        (None, None) => verdict.to_string(),
    }
}

/// One line that says how it stands.
fn summary(look: Look, documents: &Documents, checked: &Checked) -> String {
    let mut names = documents.names();
    let (what, are) = match (names.next(), names.count()) {
        (Some(name), 0) => (name.to_owned(), "is"),
        (_, more) => (format!("{} documents", more.saturating_add(1)), "are"),
    };
    let stands = match checked.policy {
        Some(_) => what,
        None => format!("{what} {are} not loaded"),
    };
    let count = |severity| of_severity(checked, severity).count();
    let found = match look {
        Look::Lint => format!(
            "{}, {}, ",
            counted(count(Severity::Error), "error"),
            counted(count(Severity::Warning), "warning")
        ),
        Look::Test => String::new(),
    };
    format!("{stands}: {found}{}", passed(checked.tests.as_deref()))
}

fn passed(tests: Option<&[Trial]>) -> String {
    let Some(tests) = tests else {
        return "no test was run".into();
    };
    let all = counted(tests.len(), "test");
    let passed = tests.iter().filter(|test| test.problem.is_none()).count();
    match tests.len() {
        0 => all,
        length if length == passed => format!("{all} passed"),
        _ => format!("{passed} of {all} passed"),
    }
}

fn counted(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
