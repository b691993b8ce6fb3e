//! That the generators make every kind of input, and that every kind of outcome comes of them: a body
//! in which nothing happens holds always.
#![allow(missing_docs, reason = "a test says what it is by its name")]

use std::collections::BTreeMap;
use std::fmt::Arguments;
use std::panic::{AssertUnwindSafe, catch_unwind};

use gatefold::gate::{AllowedBy, DeniedBy, ExitKind, ExitVerdict, Mode, Seat, Verdict};
use gatefold_fuzz::{GENERATED, find, seeds::Random};
use gatefold_policy::{Code, RuleError};
use gatefold_spec::Tables;
use gatefold_spec::testkit::explore::{Judge, Marks, Plan, sometimes};

#[test]
fn every_exit_cause_notice_and_seat_comes_of_generated_passes() {
    let seen = seen("gate_pass", 6_000, 160);
    let judge = Judge::shipped().expect("the shipped tables");
    let world = Plan::of(Mode::Default, &[]).world("expected");
    let all = Marks::expected(&world, &judge, 2, &sometimes());
    let all: Vec<_> = all.iter().map(ToString::to_string).collect();
    // Seats that are asked late, and outcomes with each reason for each, are what exploration is for:
    // of those it is enough that most of them come.
    let late = ["classify ", "sandbox ", "present ", "resolve "];
    let is_late = |kind: &&String| {
        let of_seat = kind.strip_prefix("abort() at ").unwrap_or(kind);
        let seat = late
            .iter()
            .any(|seat| format!("{of_seat} ").starts_with(seat));
        seat || kind.starts_with("outcome ")
    };
    missing(&seen, all.iter().filter(|kind| !is_late(kind)));
    let late: Vec<_> = all.iter().filter(is_late).collect();
    let came = late.iter().filter(|kind| seen.contains_key(**kind)).count();
    println!(
        "gate_pass: {came} of {} late answers and outcomes",
        late.len()
    );
    assert!(came * 2 > late.len(), "{came} of {}", late.len());
    for seat in Seat::ALL {
        let asked = seen
            .keys()
            .filter(|kind| kind.starts_with(&format!("{seat} answers: ")));
        assert!(asked.count() > 1, "{seat} is hardly asked");
    }
}

#[test]
fn every_defect_and_both_verdicts_come_of_generated_facts() {
    let seen = seen("mint", 100_000, 48);
    let tables = Tables::shipped().expect("the shipped tables");
    let grid = tables.grid("gate/mint").expect("the table of the mint");
    let defects = grid
        .points()
        .filter_map(|point| Some(grid.decide(&point)?.want("defect").to_owned()));
    let verdicts = ExitVerdict::ALL
        .iter()
        .map(|verdict| format!("verdict {verdict}"));
    let all: Vec<_> = defects.chain(verdicts).collect();
    missing(&seen, &all);
}

#[test]
fn every_way_to_leave_and_come_back_comes_of_generated_passes() {
    let seen = seen("snapshot_resume", 1_500, 160);
    let refused = ["bad_seal", "not_sealed", "wrong_kind", "wrong_schema"];
    let mut all: Vec<_> = refused
        .iter()
        .map(|code| format!("refused {code}"))
        .collect();
    all.extend(
        [
            "forged unreadable_body",
            "forged opened",
            "resumed",
            "cancelled",
        ]
        .map(str::to_owned),
    );
    all.extend(ExitKind::ALL.iter().map(|exit| format!("ended {exit}")));
    missing(&seen, &all);
}

/// Codes that no generated document is for, each with the reason.
const NOT_GENERATED: &[(&str, &str)] = &[
    ("document_too_large", "more than 16 MiB"),
    ("too_many_rules", "more than 100 000 rules"),
    ("not_utf8", "what is generated is text"),
    (
        "rule_ambiguous_allow",
        "only an allow, so it is told as `allow_left_out`",
    ),
    (
        "rule_org_allow",
        "only an allow, so it is told as `allow_left_out`",
    ),
    ("rule_no_document", "only an allow that came with a call"),
];

#[test]
fn every_problem_comes_of_generated_documents() {
    let seen = seen("policy_load", 6_000, 64);
    let codes = Code::DOCUMENT
        .iter()
        .map(Code::word)
        .chain(RuleError::CODES);
    let generated = codes.filter(|code| NOT_GENERATED.iter().all(|(not, _)| not != code));
    let all: Vec<_> = generated
        .chain(["loaded", "refused"])
        .map(str::to_owned)
        .collect();
    missing(&seen, &all);
    for (code, _) in NOT_GENERATED {
        assert!(!seen.contains_key(*code), "{code} comes of one after all");
    }
}

#[test]
fn every_place_of_a_command_and_every_verdict_comes_of_generated_lines() {
    let seen = seen("shell_plan", 6_000, 96);
    let places = [
        "List",
        "Pipeline",
        "Subshell",
        "Group",
        "Compound",
        "Function",
        "Substitution",
        "Process",
        "Text",
        "Carrier",
    ];
    let others = [
        "read",
        "lexed",
        "lexed unclosed",
        "denied deny",
        "allowed allow",
        "allowed ask",
    ];
    let all: Vec<_> = places
        .iter()
        .chain(&others)
        .map(|kind| (*kind).to_owned())
        .collect();
    missing(&seen, &all);
    let faults = seen
        .keys()
        .filter(|kind| kind.starts_with("fault "))
        .count();
    println!("shell_plan: {faults} reasons why a line is not read");
    assert!(faults > 20, "{faults}");
}

#[test]
fn every_verdict_and_who_gives_it_comes_of_generated_requests() {
    let seen = seen("gate_any_bytes", 8_000, 64);
    let verdicts = Verdict::ALL
        .iter()
        .map(|verdict| format!("verdict {verdict}"));
    // A request brings no classifier, no sandbox and no second reading of what was asked for.
    let never = [
        AllowedBy::Classifier,
        AllowedBy::Sandbox,
        AllowedBy::Default,
    ];
    let allowed = AllowedBy::ALL.iter().filter(|by| !never.contains(by));
    let allowed = allowed.map(|by| format!("allowed_by {by}"));
    let never = [
        DeniedBy::Classifier,
        DeniedBy::WriteProtection,
        DeniedBy::ShellRead,
        DeniedBy::EditCap,
    ];
    let denied = DeniedBy::ALL.iter().filter(|by| !never.contains(by));
    let denied = denied.map(|by| format!("denied_by {by}"));
    let all: Vec<_> = verdicts
        .chain(allowed)
        .chain(denied)
        .chain(["not_a_request".into()])
        .collect();
    missing(&seen, &all);
}

#[test]
fn every_decision_and_failure_comes_of_generated_events() {
    let seen = seen("hook_wire", 6_000, 48);
    let decisions = ["allow", "ask", "deny"].map(|word| format!("decision {word}"));
    let compared = ["Bash", "Read", "Edit"].map(|tool| format!("compared {tool}"));
    let all: Vec<_> = decisions
        .into_iter()
        .chain(compared)
        .chain(["not_an_event".into()])
        .collect();
    missing(&seen, &all);
}

/// How often each kind came of so many generated inputs.
fn seen(target: &str, inputs: usize, bytes: usize) -> BTreeMap<String, usize> {
    let body = find(target).expect("it is a target").body;
    let is_text = ["gate_any_bytes", "hook_wire", "policy_load", "shell_plan"].contains(&target);
    let mut random = Random::new(2);
    let mut seen = BTreeMap::new();
    for _ in 0..inputs {
        let mut input = random.bytes(bytes);
        if is_text {
            input.insert(0, GENERATED);
        }
        let mut see = |kind: Arguments<'_>| *seen.entry(kind.to_string()).or_default() += 1;
        let ran = catch_unwind(AssertUnwindSafe(|| body(&input, &mut see)));
        assert!(ran.is_ok(), "{}", gatefold_fuzz::shown(target, &input));
    }
    println!("{target}: {inputs} inputs, {} kinds", seen.len());
    seen
}

fn missing<'a>(seen: &BTreeMap<String, usize>, all: impl IntoIterator<Item = &'a String>) {
    let missing: Vec<_> = all
        .into_iter()
        .filter(|kind| !seen.contains_key(*kind))
        .collect();
    assert!(
        missing.is_empty(),
        "never seen: {missing:#?}\nseen: {seen:#?}"
    );
}
