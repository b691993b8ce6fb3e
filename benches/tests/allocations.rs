//! What one call allocates: the pass with its deciders, the policy loaded before and the call read.
//! More is a change that somebody has to want; fewer lowers the number here.

use allocation_counter::measure;
use gatefold_benches::ours::{Ours, Ready};
use gatefold_benches::workload::{What, requests, rules};
use gatefold_policy::{Plan, Platform};

/// The most that any of 300 calls of a kind allocates, by the number of rules.
const MOST: &[(&str, usize, u64)] = &[
    ("tool", 10, 14),
    ("tool", 1_000, 14),
    ("path", 10, 19),
    ("path", 1_000, 21),
    ("line", 10, 71),
    ("line", 1_000, 88),
];

const LINE: &str = r#"cd /srv/app && git pull --rebase | tee out.log; rm -rf "$X"/"#;
const OF_LINE: u64 = 61;

#[test]
fn a_call_allocates_no_more_than_that() {
    let mut more = Vec::new();
    for &(kind, size, most) in MOST {
        let ours = Ours::new(&rules(size));
        let calls = requests(size, 900);
        let calls = calls.iter().filter(|call| kind_of(&call.what) == kind);
        // What a process makes once is there.
        for call in calls.clone() {
            drop(ours.pass(&Ready::new(call)));
        }
        let counts = calls.map(|call| {
            let ready = Ready::new(call);
            measure(|| drop(ours.pass(&ready))).count_total
        });
        let found = counts.max().expect("calls of every kind");
        println!("{kind}, {size} rules: {found}");
        more.extend((found > most).then_some((kind, size, found)));
    }
    assert_eq!(more, []);
}

#[test]
fn a_line_allocates_no_more_than_that() {
    let counted = measure(|| drop(Plan::of(LINE, "bash", Platform::Linux)));
    println!("a line of 60 characters: {}", counted.count_total);
    assert!(counted.count_total <= OF_LINE, "{}", counted.count_total);
}

const fn kind_of(what: &What) -> &'static str {
    match what {
        What::Tool { .. } => "tool",
        What::Line(_) => "line",
        What::Path(_) => "path",
    }
}
