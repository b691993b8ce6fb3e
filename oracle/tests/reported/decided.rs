//! Calls of reported faults, decided by the program.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Deserialize;
use serde_json::{Value, json};

use super::support::{hook, parse, rule, run};
use super::{Check, Row};

/// What is right about a call: it is refused as bad input, or decided so.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Right {
    #[serde(default)]
    refused: bool,
    /// The verdict, or those that are both right.
    #[serde(default)]
    verdict: Value,
    /// Who decides; a word of [`BY`].
    #[serde(default)]
    by: String,
    #[serde(default)]
    rule: Option<String>,
    #[serde(default)]
    layer: Option<String>,
    #[serde(default)]
    part: Option<String>,
    /// What runs.
    #[serde(default)]
    args: Option<Value>,
    /// What the reason says.
    #[serde(default)]
    reason: Option<String>,
    /// What the record says of how the ask was settled.
    #[serde(default)]
    settled: Option<Value>,
}

/// Who decides, in a word of the table, and the words of the record that say so.
struct By {
    word: &'static str,
    /// Who denied.
    denied: &'static [&'static str],
    /// Who allowed.
    allowed: &'static [&'static str],
    /// Whom the ask is owed to.
    asked: &'static [&'static str],
}

const fn by(
    word: &'static str,
    denied: &'static [&'static str],
    allowed: &'static [&'static str],
    asked: &'static [&'static str],
) -> By {
    By {
        word,
        denied,
        allowed,
        asked,
    }
}

const BY: &[By] = &[
    by(
        "rule",
        &["rule", "policy"],
        &["stored_rule", "policy"],
        &["rule", "policy"],
    ),
    by("org", &["org"], &[], &["org"]),
    by("hook", &["hook"], &["hook"], &["hook"]),
    by("mode", &["mode", "plan_mode"], &["mode"], &[]),
    // A hook that ended without a verdict, or gave one that there is not.
    by("failed", &["engine", "hook"], &[], &[]),
    by("unknown_tool", &["policy"], &[], &[]),
    by("nobody_answered", &["ask_resolution"], &[], &[]),
    by("person", &["ask_resolution"], &["ask_resolution"], &[]),
    by("delegate", &["ask_resolution"], &["ask_resolution"], &[]),
    by("unstated", &[], &[], &["unstated"]),
    // What runs is not known.
    by("unread", &[], &[], &["shell_read", "rule", "policy", "org"]),
    // A part of the line has no allow, or what it does is not known.
    by(
        "uncovered",
        &[],
        &[],
        &["unstated", "shell_read", "write_protection", "rule"],
    ),
];

/// What is wrong with how the program decides a row.
pub(super) fn faults(row: &Row) -> Vec<String> {
    let checks = row.checks.iter().filter_map(fault);
    checks.chain(of_document(row)).collect()
}

fn fault(check: &Check) -> Option<String> {
    let Check {
        request,
        documents,
        found,
        right,
    } = check;
    let file = |text: &String| File::new(text);
    let documents: Vec<_> = documents.iter().map(file).collect();
    let found: Vec<_> = found.iter().map(file).collect();
    let mut args = vec!["decide"];
    for File(path) in &documents {
        args.extend(["--policy", path.to_str().expect("it is text")]);
    }
    for File(path) in &found {
        args.extend(["--found-policy", path.to_str().expect("it is text")]);
    }
    let mut request = request.clone();
    request["call"]["id"] = "c1".into();
    let ran = run(&args, request.to_string());
    let said = match ran.code {
        0 => parse(&ran.stdout),
        2 if right.refused => return None,
        _ => return Some(format!("{request}: {}", ran.stderr.trim_end())),
    };
    let wrong = wrong(right, &said)?;
    Some(format!(
        "{wrong}; {request}: {} {}",
        said["verdict"], said["reason"]
    ))
}

/// What of a decision is not right.
fn wrong(right: &Right, said: &Value) -> Option<String> {
    if right.refused {
        return Some("it is decided".into());
    }
    let record = &said["record"];
    let verdict = said["verdict"].as_str().expect("a verdict");
    let is_right = match right.verdict.as_array() {
        Some(verdicts) => verdicts.iter().any(|right| right == verdict),
        None => right.verdict == verdict,
    };
    if !is_right {
        return Some(format!("not {}", right.verdict));
    }
    if !decides(&right.by, verdict, record) {
        return Some(format!("not by {}", right.by));
    }
    let basis = &record["basis"];
    let texts = [
        ("rule", &right.rule, rule(said)),
        (
            "layer",
            &right.layer,
            basis["layer"].as_str().unwrap_or_default(),
        ),
        (
            "part",
            &right.part,
            basis["part"].as_str().unwrap_or_default(),
        ),
    ];
    for (what, right, is) in texts {
        if right.as_ref().is_some_and(|right| right != is) {
            return Some(format!("the {what} is {is:?}, not {right:?}"));
        }
    }
    if right
        .args
        .as_ref()
        .is_some_and(|args| *args != said["args"])
    {
        return Some(format!("these args run: {}", said["args"]));
    }
    let reason = said["reason"].as_str().unwrap_or_default();
    if right
        .reason
        .as_ref()
        .is_some_and(|part| !reason.contains(part))
    {
        return Some("the reason does not say it".into());
    }
    let settled = right.settled.iter().filter_map(Value::as_object).flatten();
    for (key, value) in settled {
        if record["settled"][key] != *value {
            return Some(format!("it was settled so: {}", record["settled"]));
        }
    }
    None
}

fn decides(word: &str, verdict: &str, record: &Value) -> bool {
    if word == "any" {
        return true;
    }
    let by = BY.iter().find(|by| by.word == word).expect(word);
    let (is, right) = match verdict {
        "deny" => (&record["denied_by"], by.denied),
        "allow" => (&record["allowed_by"], by.allowed),
        _ => (&record["asked"]["origin"], by.asked),
    };
    let answers = matches!(word, "person" | "delegate");
    let settled = !answers || record["settled"]["by"] == word;
    settled && right.iter().any(|right| is == right)
}

/// What is wrong with what `lint` finds in the row's document, and how an event is answered by it.
fn of_document(row: &Row) -> Vec<String> {
    let Some(document) = &row.document else {
        return Vec::new();
    };
    let mut faults = Vec::new();
    let file = File::new(document);
    let path = file.0.to_str().expect("it is text");
    if let Some(code) = &row.finds {
        let found = parse(&run(&["lint", "--format", "json", path], "").stdout);
        let problems = found["problems"].as_array().expect("a list");
        if !problems.iter().any(|problem| problem["code"] == *code) {
            faults.push(format!("lint finds no {code}: {found}"));
        }
    }
    if let Some(given) = &row.event {
        let mut event = parse(hook::example());
        for (key, value) in given.as_object().expect("an object") {
            event[key] = value.clone();
        }
        let ran = run(
            &["hook", "claude-code", "--policy", path],
            event.to_string(),
        );
        // What refuses it is said to whoever looks for it.
        if hook::decision(&ran) != "deny" || ran.stderr.is_empty() {
            faults.push(format!("the host is told {}", ran.stdout));
        }
    }
    faults
}

/// A document in a file of its own, gone with it.
struct File(PathBuf);

impl File {
    fn new(text: &str) -> Self {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let made = MADE.fetch_add(1, Ordering::Relaxed);
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let path = folder.join(format!("reported-{}-{made}.toml", std::process::id()));
        fs::write(&path, text).expect("the document can be written");
        Self(path)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn a_decision_that_is_not_right_is_found() {
    let right = json!({ "verdict": "deny", "by": "rule", "rule": "Bash(rm *)", "part": "rm x" });
    let record = json!({ "denied_by": "rule", "basis": { "rule": "Bash(rm *)", "part": "rm x" } });
    let said = json!({ "verdict": "deny", "record": record });
    let of =
        |right: &Value, said: &Value| wrong(&Right::deserialize(right).expect("it is one"), said);
    assert_eq!(of(&right, &said), None);
    for (place, other) in [
        ("/verdict", "allow"),
        ("/record/denied_by", "hook"),
        ("/record/basis/rule", "Bash(rm)"),
        ("/record/basis/part", "rm y"),
    ] {
        let mut said = said.clone();
        *said.pointer_mut(place).expect("a place") = other.into();
        assert!(of(&right, &said).is_some(), "{place}");
    }
    assert!(of(&json!({ "refused": true }), &said).is_some());
    let args = json!({ "verdict": "allow", "by": "person", "args": { "a": 1 } });
    let settled = json!({ "by": "person" });
    let record = json!({ "allowed_by": "ask_resolution", "settled": settled });
    let said = json!({ "verdict": "allow", "args": { "a": 1 }, "record": record });
    assert_eq!(of(&args, &said), None);
    for (place, other) in [("/args/a", "2"), ("/record/settled/by", "delegate")] {
        let mut said = said.clone();
        *said.pointer_mut(place).expect("a place") = other.into();
        assert!(of(&args, &said).is_some(), "{place}");
    }
}
