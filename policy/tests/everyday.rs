//! Asking too much is a fault too: lines as coding agents write them, each with the allows that a
//! sensible person would have stored for it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a test says what went wrong by failing"
)]

mod support;

use std::collections::{BTreeMap, BTreeSet};

use gatefold_policy::{Effect, Layer, Plan, Platform, Policy};
use serde::Deserialize;
use support::decide;

/// What is decided of the rows today.
const PINNED: Count = Count {
    rows: 1_520,
    allowed: 1_444,
    unestablishable: 50,
    uncovered: 26,
    refused_rules: 0,
};

/// The share of rows that must be allowed as they are written, in percent.
const ALLOWED_MIN: usize = 95;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    line: String,
    /// Allows.
    rules: Vec<String>,
}

/// What came of the rows.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    rows: usize,
    allowed: usize,
    /// Not allowed, and the plan says that it is not whole.
    unestablishable: usize,
    /// Not allowed, though the plan is whole.
    uncovered: usize,
    /// Allows that are not understood, and so left out.
    refused_rules: usize,
}

#[test]
fn what_comes_of_everyday_lines_is_counted() {
    let rows = rows();
    let lines: BTreeSet<_> = rows.iter().map(|row| &row.line).collect();
    assert!(rows.len() >= 1_000, "{} rows", rows.len());
    assert_eq!(lines.len(), rows.len(), "a line stands there twice");
    let (count, reasons) = count(&rows);
    for (reason, lines) in &reasons {
        println!("{} {reason}", lines.len());
        for line in lines {
            println!("    {line}");
        }
    }
    for (name, part) in [
        ("allowed as written", count.allowed),
        ("unestablishable", count.unestablishable),
        ("uncovered", count.uncovered),
    ] {
        let tenths = part * 1_000 / count.rows;
        println!("{name}: {part}, {}.{} %", tenths / 10, tenths % 10);
    }
    assert_eq!(count, PINNED, "what is decided of the rows has changed");
}

#[test]
fn nearly_all_everyday_lines_are_allowed_as_written() {
    let (count, _) = count(&rows());
    assert!(
        count.allowed * 100 >= count.rows * ALLOWED_MIN,
        "{count:?}, less than {ALLOWED_MIN} %"
    );
    assert_eq!(count.refused_rules, 0);
}

#[test]
fn no_everyday_line_is_allowed_without_its_rules() {
    for row in rows() {
        assert_eq!(decide(&row.line, &[]), "ask", "{}", row.line);
    }
}

fn rows() -> Vec<Row> {
    let text = include_str!("../corpus/everyday.jsonl");
    let rows = text.lines().map(serde_json::from_str);
    rows.collect::<Result<_, _>>().expect("rows")
}

/// What came of the rows, and those that are not allowed by the reason for it.
fn count(rows: &[Row]) -> (Count, BTreeMap<String, Vec<String>>) {
    let mut count = Count::default();
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for Row { line, rules } in rows {
        let understood = |rule: &&String| {
            let mut policy = Policy::empty(Platform::Linux);
            policy.add(Effect::Allow, Layer::User, rule).is_ok()
        };
        let kept: Vec<_> = rules.iter().filter(understood).collect();
        let allows: Vec<_> = kept.iter().map(|rule| ("allow", rule.as_str())).collect();
        count.rows += 1;
        count.refused_rules += rules.len() - kept.len();
        if decide(line, &allows) == "allow" {
            count.allowed += 1;
            continue;
        }
        let fault = Plan::of(line, "bash", Platform::Linux).fault;
        let part = fault.as_ref().and_then(|fault| fault.part.clone());
        count.unestablishable += usize::from(fault.is_some());
        count.uncovered += usize::from(fault.is_none());
        let whole = "its plan is whole, and not covered";
        let reason = fault.map_or(whole, |fault| fault.why);
        let shown = format!("{:<24} {line:?}", part.unwrap_or_default());
        reasons.entry(reason.to_owned()).or_default().push(shown);
    }
    (count, reasons)
}
