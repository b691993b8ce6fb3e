//! Faults that were reported of permission gates, each with what is right: `reported.jsonl`.
//!
//! A row says what went wrong, where that was reported, and one of: `checks`, calls that are decided
//! here; `document`, a policy document, with what `lint` finds in it or how a host's `event` is
//! answered by it; `gate`, a test of [`gate`]; `waits`, the part that is to cover it. Where the design
//! decides otherwise than the report asks for, `design` says why.

mod decided;
mod gate;
#[path = "../support/mod.rs"]
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde::Deserialize;
use serde_json::Value;

/// Rows that are not decided right yet, each with what it waits for.
const PENDING: &[(&str, &str)] = &[];

/// Parts that cover what no call shows.
const PARTS: &[&str] = &[
    "delivery of rules",
    "redaction",
    "screening of results",
    "stored approvals: the folder as part of the key, and shown",
    "stored approvals: the kind of question as part of the key",
    "stored approvals: the session as part of the key",
    "the host: one queue of questions for each session",
    "the session: a policy that is loaded anew",
    "the session: how modes follow one another",
    "the session: one pass for each call id",
    "tool definitions: their digest in an allow",
];

/// A fault that was reported.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    theme: String,
    /// The public report, as `owner/repository#number`.
    source: String,
    /// What went wrong.
    what: String,
    /// Why something else is right here than the report asks for.
    #[serde(default)]
    design: Option<String>,
    #[serde(default)]
    checks: Vec<Check>,
    #[serde(default)]
    document: Option<String>,
    /// The code of what `lint` finds in the document.
    #[serde(default)]
    finds: Option<String>,
    /// A host's event, which is denied under the document.
    #[serde(default)]
    event: Option<Value>,
    #[serde(default)]
    gate: Option<String>,
    #[serde(default)]
    waits: Option<String>,
}

/// A call, and what is right about it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Check {
    request: Value,
    #[serde(default)]
    documents: Vec<String>,
    /// Documents that were found in a repository.
    #[serde(default)]
    found: Vec<String>,
    right: decided::Right,
}

#[test]
fn what_is_reported_is_decided_right_but_for_what_is_pending() {
    let mut wrong = BTreeMap::new();
    for row in rows() {
        let faults = decided::faults(&row);
        if !faults.is_empty() {
            wrong.insert(row.id, faults);
        }
    }
    let pending: BTreeMap<_, _> = PENDING.iter().copied().collect();
    let mut said = String::new();
    for (id, faults) in &wrong {
        if !pending.contains_key(id.as_str()) {
            let _ = writeln!(
                said,
                "{id} is wrong and not pending:\n  {}",
                faults.join("\n  ")
            );
        }
    }
    for (id, why) in &pending {
        if !wrong.contains_key(*id) {
            let _ = writeln!(said, "{id} is right now; take it off PENDING ({why})");
        }
    }
    assert!(said.is_empty(), "\n{said}");
}

#[test]
fn every_row_says_how_it_is_held() {
    let rows = rows();
    let ids: BTreeSet<_> = rows.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(ids.len(), rows.len(), "an id stands twice");
    let pending: BTreeSet<_> = PENDING.iter().map(|(id, _)| *id).collect();
    assert_eq!(pending.len(), PENDING.len(), "an id is pending twice");
    let mut gates = BTreeSet::new();
    let mut parts = BTreeSet::new();
    for row in &rows {
        let Row {
            id, source, what, ..
        } = row;
        let (repository, number) = source.split_once('#').expect(id);
        assert_eq!(repository.split('/').count(), 2, "{id}");
        assert!(number.parse::<u32>().is_ok(), "{id}");
        assert!(what.ends_with('.') && !row.theme.is_empty(), "{id}");
        let decided = !row.checks.is_empty() || row.document.is_some();
        let ways = [decided, row.gate.is_some(), row.waits.is_some()];
        assert_eq!(ways.iter().filter(|way| **way).count(), 1, "{id}");
        let looked_at = row.finds.is_some() || row.event.is_some();
        assert_eq!(row.document.is_some(), looked_at, "{id}");
        assert!(decided || !pending.contains(id.as_str()), "{id}");
        assert!(
            row.design.as_ref().is_none_or(|why| why.ends_with('.')),
            "{id}"
        );
        gates.extend(row.gate.as_deref());
        parts.extend(row.waits.as_deref());
    }
    assert!(pending.is_subset(&ids), "{pending:?}");
    assert_eq!(gates, gate::TESTS.iter().map(|(name, _)| *name).collect());
    assert_eq!(parts, PARTS.iter().copied().collect());
}

#[test]
fn what_no_single_call_shows_holds_for_the_pass() {
    for (name, test) in gate::TESTS {
        println!("{name}");
        test();
    }
}

#[test]
fn the_figures_are_these() {
    let mut themes: BTreeMap<String, [usize; 5]> = BTreeMap::new();
    for row in rows() {
        let column = if PENDING.iter().any(|(id, _)| *id == row.id) {
            3
        } else if row.waits.is_some() {
            4
        } else if row.gate.is_some() || row.checks.is_empty() {
            2
        } else {
            1
        };
        let figures = themes.entry(row.theme).or_default();
        figures[0] += 1;
        figures[column] += 1;
    }
    let mut sum = [0; 5];
    let mut table =
        "theme | reported | decided right | covered otherwise | pending | wait\n".to_owned();
    for (theme, figures) in &themes {
        let _ = writeln!(
            table,
            "{theme} | {}",
            figures.map(|figure| figure.to_string()).join(" | ")
        );
        for (sum, figure) in sum.iter_mut().zip(figures) {
            *sum += figure;
        }
    }
    let _ = writeln!(
        table,
        "all | {}",
        sum.map(|figure| figure.to_string()).join(" | ")
    );
    let mut waits: Vec<_> = rows()
        .into_iter()
        .filter_map(|row| Some((row.waits?, row.id)))
        .collect();
    waits.sort();
    let _ = writeln!(table);
    for (part, id) in waits {
        let _ = writeln!(table, "{id} waits for {part}");
    }
    for (id, why) in PENDING {
        let _ = writeln!(table, "{id} is pending: {why}");
    }
    println!("{table}");
    insta::assert_snapshot!("figures", table);
}

fn rows() -> Vec<Row> {
    let rows = include_str!("reported.jsonl").lines();
    let read =
        |row: &str| serde_json::from_str(row).unwrap_or_else(|error| panic!("{error}: {row}"));
    rows.map(read).collect()
}
