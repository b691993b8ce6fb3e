//! Bash is the judge: whatever it runs of a line stands in the plan of that line, unless the plan
//! says that it is not whole.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    missing_docs,
    reason = "a test says what went wrong by failing, and bash is run outside of the deciders"
)]
#![cfg(unix)]

#[path = "bash/generate.rs"]
mod generate;
#[path = "bash/run.rs"]
mod run;
mod support;

use std::fs;
use std::path::{Path, PathBuf};

use gatefold_policy::{Plan, Platform, Word};
use run::{Call, Yard};

/// Lines that are written by hand, to hide what they run.
const HOSTILE: &str = "hostile.jsonl";
/// Lines of the generator.
const GENERATED: &str = "generated.jsonl";
/// Lines, how many of them cannot be established, the commands of their plans, and how many lines
/// are certain.
const HOSTILE_PINNED: (usize, usize, usize, usize) = (825, 280, 1312, 471);
const GENERATED_PINNED: (usize, usize, usize, usize) = (3_000, 1_789, 37_251, 757);
/// What variables of the surroundings may hold to have more run than a line says.
const VALUES: &[&str] = &[
    "a[$(evil)]",
    "-v a[$(evil)]",
    "; evil",
    "$(evil)",
    "-exec evil ;",
    "-va[$(evil)]",
    "evil",
    "-C evil",
    "= x -o -v a[$(evil)]",
    ";",
    "+",
    "{}",
    "-exec",
    "-v",
    "%n",
    "!",
    "-c alias.z=!evil z",
];
/// How many lines are generated.
const GENERATED_LINES: usize = 3_000;
/// How many lines that are allowed are disturbed.
const DISTURBED_LINES: usize = 12_000;

#[test]
fn whatever_bash_runs_is_in_the_plan() {
    let Some(yard) = Yard::new("lines") else {
        println!("skipped: there is no bash on this machine");
        return;
    };
    let mut missed = Vec::new();
    for (file, pinned) in [(HOSTILE, HOSTILE_PINNED), (GENERATED, GENERATED_PINNED)] {
        let lines = corpus(file);
        let ran = yard.run(&lines, &[]);
        let mut count = Count::default();
        for (line, calls) in lines.iter().zip(&ran) {
            let plan = Plan::of(line, "bash", Platform::Linux);
            let certain = Plan::certain(line, "bash", Platform::Linux);
            count.add(&plan, certain.fault.is_none(), calls);
            if plan.fault.is_none() {
                let unplanned = calls.iter().filter(|call| !is_planned(call, &plan));
                missed.extend(unplanned.map(|call| (line.clone(), call.clone())));
            }
            if certain.fault.is_none() {
                let unplanned = calls.iter().filter(|call| !is_planned(call, &certain));
                missed.extend(unplanned.map(|call| (line.clone(), call.clone())));
            }
        }
        println!("{file}: {count:?}");
        let counted = (
            count.lines,
            count.unestablishable,
            count.planned,
            count.certain,
        );
        assert_eq!(counted, pinned, "{file}: what is read has changed");
    }
    assert!(missed.is_empty(), "{} missed: {missed:#?}", missed.len());
}

/// What an allow rests on holds whatever the variables of the surroundings hold.
#[test]
fn no_variable_makes_bash_run_more_of_a_line_that_is_certain() {
    let Some(yard) = Yard::new("variables") else {
        println!("skipped: there is no bash on this machine");
        return;
    };
    let certain = |line: &String| Plan::certain(line, "bash", Platform::Linux).fault.is_none();
    let lines = [HOSTILE, GENERATED].into_iter().flat_map(corpus);
    let lines: Vec<_> = lines.filter(certain).collect();
    let mut missed = Vec::new();
    let mut calls = 0;
    for turn in 0..3 {
        let names = ('a'..='z').map(String::from);
        let names = names.chain(["n0", "n1", "n2", "line", "file", "FILE"].map(String::from));
        let values = VALUES.iter().cycle().skip(turn * 6);
        let variables: Vec<_> = names.zip(values.copied()).collect();
        for (line, ran) in lines.iter().zip(&yard.run(&lines, &variables)) {
            let plan = Plan::certain(line, "bash", Platform::Linux);
            calls += ran.len();
            let unplanned = ran.iter().filter(|call| !is_planned(call, &plan));
            missed.extend(unplanned.map(|call| (line.clone(), call.clone())));
        }
    }
    println!(
        "{} certain lines, {calls} calls, {} missed",
        lines.len(),
        missed.len()
    );
    assert!(lines.len() > 1_000 && calls > 2_000, "too few to tell");
    assert!(missed.is_empty(), "{missed:#?}");
}

/// The allows of a person.
const RULES: &[(&str, &str)] = &[
    ("allow", "Bash(git status)"),
    ("allow", "Bash(git log *)"),
    ("allow", "Bash(ls *)"),
    ("allow", "Bash(head *)"),
    ("allow", "Bash(cat *)"),
    ("allow", "Bash(echo *)"),
    ("allow", "Bash(read *)"),
    ("allow", "Bash(grep *)"),
    ("allow", "Bash(find *)"),
    ("allow", "Bash(xargs *)"),
    ("allow", "Bash(timeout *)"),
    ("allow", "Bash(bash -c *)"),
    ("allow", "Bash(diff *)"),
    ("allow", "Bash(cd *)"),
    ("allow", "Bash(export *)"),
    ("allow", "Bash(printf *)"),
    ("allow", "Bash(unset *)"),
];

/// Adding text to a line that is allowed keeps it allowed only if what bash then runs is allowed.
#[test]
fn whatever_bash_runs_of_an_allowed_line_is_allowed() {
    let Some(yard) = Yard::new("disturbed") else {
        println!("skipped: there is no bash on this machine");
        return;
    };
    let is_allowed = |line: &String| support::decide(line, RULES) == "allow";
    for line in generate::ALLOWED {
        assert!(
            is_allowed(&(*line).to_owned()),
            "{line} {:?}",
            Plan::certain(line, "bash", Platform::Linux).fault
        );
    }
    let lines = generate::disturbed(DISTURBED_LINES);
    let lines: Vec<_> = lines.into_iter().filter(is_allowed).collect();
    let names = ["x", "y", "f", "line"].map(String::from);
    let variables: Vec<_> = names.into_iter().zip(VALUES.iter().copied()).collect();
    let mut calls = 0;
    let mut wrong = Vec::new();
    for (line, ran) in lines.iter().zip(&yard.run(&lines, &variables)) {
        calls += ran.len();
        let covered = |call: &Call| RULES.iter().any(|(_, rule)| covers(rule, call));
        wrong.extend(
            ran.iter()
                .filter(|call| !covered(call))
                .map(|call| (line.clone(), call))
                .map(|(line, call)| (line, call.clone())),
        );
    }
    println!(
        "{DISTURBED_LINES} lines, {} allowed, {calls} calls, {} wrong",
        lines.len(),
        wrong.len()
    );
    assert!(
        lines.len() * 10 > DISTURBED_LINES && calls > lines.len(),
        "too few to tell"
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Whether a rule of plain words covers what was run, said once more without the product.
fn covers(rule: &str, call: &Call) -> bool {
    let words = rule
        .strip_prefix("Bash(")
        .and_then(|rule| rule.strip_suffix(')'))
        .unwrap();
    match words.strip_suffix(" *") {
        Some(prefix) => (call.join(" ") + " ").starts_with(&format!("{prefix} ")),
        None => call.join(" ") == words,
    }
}

#[test]
fn the_generated_lines_are_those_of_the_generator() {
    let lines = generate::lines(GENERATED_LINES);
    let json: String = lines
        .iter()
        .map(|line| serde_json::to_string(line).unwrap() + "\n")
        .collect();
    let path = folder().join(GENERATED);
    if std::env::var_os("GATEFOLD_UPDATE_CORPUS").is_some() {
        fs::write(&path, &json).expect("the corpus can be written");
    }
    let stale = "stale: run the tests once with GATEFOLD_UPDATE_CORPUS=1";
    assert!(
        fs::read_to_string(&path).unwrap_or_default() == json,
        "{stale}"
    );
}

/// What came of the lines of a file.
#[derive(Debug, Default)]
struct Count {
    lines: usize,
    unestablishable: usize,
    ran: usize,
    planned: usize,
    certain: usize,
}

impl Count {
    fn add(&mut self, plan: &Plan, certain: bool, calls: &[Call]) {
        self.lines += 1;
        self.unestablishable += usize::from(plan.fault.is_some());
        self.ran += calls.len();
        self.planned += plan.commands.len();
        self.certain += usize::from(certain);
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

fn corpus(file: &str) -> Vec<String> {
    let text = fs::read_to_string(folder().join(file)).unwrap_or_default();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("a JSON string"))
        .collect()
}

/// Whether a command of the plan could be this call.
fn is_planned(call: &Call, plan: &Plan) -> bool {
    plan.commands.iter().any(|command| {
        let program = command.program().unwrap_or_default();
        let name = program.rsplit('/').next().unwrap_or_default();
        name == call[0] && matches(&command.words[1..], &call[1..])
    })
}

/// Whether these words may be these arguments.
fn matches(words: &[Word], args: &[String]) -> bool {
    // Of every prefix of the arguments, whether the words so far may be it.
    let mut reached = vec![false; args.len() + 1];
    reached[0] = true;
    for word in words {
        let mut next = vec![false; args.len() + 1];
        for at in (0..=args.len()).filter(|at| reached[*at]) {
            match word.text() {
                Some(text) => {
                    if args.get(at).is_some_and(|arg| arg == text) {
                        next[at + 1] = true;
                    }
                }
                None if word.many => next[at..].fill(true),
                None => {
                    if at < args.len() {
                        next[at + 1] = true;
                    }
                }
            }
        }
        reached = next;
    }
    reached[args.len()]
}
