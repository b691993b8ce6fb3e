//! The whole pass, explored within the reduced bound; and that the explorer can say no.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a test says what went wrong by failing"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use gatefold::gate::{AllowedBy, Mode, Question, Seat};
use gatefold_spec::Tables;
use gatefold_spec::testkit::explore::{
    Bound, CHECKS, Check, Explored, How, Judge, Marks, Plan, Walk, alphabet, explore, slices,
    sometimes,
};

/// Of each slice of the reduced bound: its worlds, its states, its edges.
const PINNED: &[(&str, usize, u64, u64)] = &[
    ("answerers", 168, 31_208, 258_024),
    ("clearers", 8, 296, 4_520),
    ("edits", 1, 9_240, 74_450),
    ("judges", 4, 22_564, 181_262),
    ("layers", 4, 500, 7_844),
    ("locks", 72, 0, 0),
    ("one guard", 3, 234, 2_896),
    ("plan mode", 2, 4_758, 37_688),
    ("policy", 16, 572, 12_000),
    ("rounds", 1, 31, 424),
    ("sandboxed", 12, 374, 5_130),
    ("surface", 6, 6_590, 57_444),
    ("tightens", 12, 21_332, 162_084),
    ("two guards", 2, 112, 9_208),
];

/// All together: states and edges.
const ALL: (u64, u64) = (97_811, 812_974);

/// Edit rounds that some world allows.
const CAP: u8 = 2;

#[test]
fn the_reduced_bound_is_explored_whole() {
    let judge = Judge::shipped().unwrap();
    let began = Instant::now();
    let explored = explored(&judge, CHECKS);
    print(&explored, began);
    let mut wrong = explored.all.told();
    wrong.extend(never_seen(&judge, &explored.all.marks));
    for (table, rows, unhit) in explored.all.marks.rows(&judge) {
        println!("{table}: {} rows hit = {rows} rows", rows - unhit.len());
        wrong.extend(unhit.iter().map(|row| format!("{row} is never hit")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let counted = explored.slices.iter();
    let counted = counted.map(|(slice, (worlds, of))| (*slice, *worlds, of.states, of.edges));
    assert_eq!(counted.collect::<Vec<_>>(), PINNED);
    assert_eq!((explored.all.states, explored.all.edges), ALL);
}

#[test]
fn every_invariant_has_a_checker_or_a_test_of_that_name() {
    let tables = Tables::shipped().unwrap();
    let listed: BTreeSet<_> = CHECKS.iter().map(|check| check.id).collect();
    let invariants: Vec<_> = tables.invariants("gate").collect();
    let known: BTreeSet<_> = invariants
        .iter()
        .map(|row| row.id.get_ref().as_str())
        .collect();
    assert_eq!(listed, known);
    let mut tests = BTreeSet::new();
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    named_tests(&root.join("tests"), &mut tests);
    named_tests(&root.join("../engine"), &mut tests);
    for check in CHECKS {
        if let How::Elsewhere(test) = check.how {
            assert!(
                tests.contains(test),
                "{}: there is no test {test}",
                check.id
            );
        }
    }
    for row in invariants.iter().filter(|row| row.sometimes) {
        let id = row.id.get_ref().as_str();
        let sometimes = sometimes().contains(&id) || id == "GATE-014";
        assert!(sometimes, "{id} must be seen to occur, and nobody looks");
    }
    let elsewhere = CHECKS
        .iter()
        .filter(|check| matches!(check.how, How::Elsewhere(_)));
    println!(
        "{} invariants, {} checkers of which {} are tests elsewhere",
        known.len(),
        CHECKS.len(),
        elsewhere.count()
    );
}

/// One checker of each kind that is false on purpose.
const FALSE: &[Check] = &[
    Check {
        id: "FALSE-001",
        how: How::Stop(|stop| !matches!(stop.question(), Question::Resolve(_))),
    },
    Check {
        id: "FALSE-002",
        how: How::Answer(|edge| edge.failure().is_none()),
    },
    Check {
        id: "FALSE-003",
        how: How::End(|_, end| end.fields.allowed_by != Some(AllowedBy::AskResolution)),
    },
    Check {
        id: "FALSE-004",
        how: How::Trace(|traced| traced.trace.steps().is_empty()),
    },
];

#[test]
fn what_is_violated_is_reported_with_its_script_and_the_walk_goes_on() {
    let judge = Judge::shipped().unwrap();
    let plan = Plan::of(Mode::Default, &[Seat::Egress, Seat::Resolve]);
    let world = plan.world("false");
    let walk = |checks| {
        let walk = Walk {
            judge: &judge,
            checks,
            threads: 2,
            saved_in: 1,
            replayed_in: 1,
        };
        walk.world(&world, &|_| {})
    };
    let (false_one, true_one) = (walk(FALSE), walk(CHECKS));
    assert_eq!(true_one.told(), [""; 0]);
    assert_eq!(
        (false_one.states, false_one.edges),
        (true_one.states, true_one.edges)
    );
    let scripts: BTreeMap<_, _> = false_one
        .violations
        .iter()
        .map(|((id, of), script)| {
            assert_eq!(*of, world.name);
            (*id, script.as_str())
        })
        .collect();
    let expected = [
        ("FALSE-001", "egress: inside"),
        ("FALSE-002", "egress: threw"),
        ("FALSE-003", "egress: inside · resolve: yes"),
        ("FALSE-004", "egress: aborted"),
    ];
    assert_eq!(scripts, expected.into());
}

#[test]
fn a_point_that_no_row_admits_is_told_and_the_walk_goes_on() {
    let judge = Judge::shipped().unwrap().without("EXIT-004");
    let world = Plan::of(Mode::Default, &[Seat::Egress]).world("torn");
    let walk = Walk {
        judge: &judge,
        checks: CHECKS,
        threads: 1,
        saved_in: 1,
        replayed_in: 1,
    };
    let told = walk.world(&world, &|_| {}).told();
    let exits = format!("gate/exits in {}: egress: inside", world.name);
    assert!(told.contains(&exits), "{told:?}");
}

#[test]
fn what_never_occurs_is_missed() {
    let judge = Judge::shipped().unwrap();
    let world = Plan::of(Mode::Default, &[Seat::Egress]).world("small");
    let walk = Walk {
        judge: &judge,
        checks: CHECKS,
        threads: 1,
        saved_in: 1,
        replayed_in: 1,
    };
    let tally = walk.world(&world, &|_| {});
    let missing = never_seen(&judge, &tally.marks);
    assert!(missing.contains(&"never seen: resolve answers: edit".to_owned()));
    assert!(!missing.contains(&"never seen: egress answers: outside".to_owned()));
    let unhit = tally
        .marks
        .rows(&judge)
        .into_iter()
        .flat_map(|(.., unhit)| unhit);
    assert!(unhit.collect::<Vec<_>>().contains(&"EXIT-003".to_owned()));
}

#[test]
fn an_alphabet_is_always_in_the_same_order_and_names_no_letter_twice() {
    for slice in slices(Bound::Reduced) {
        for world in slice.worlds() {
            let gatefold::gate::Step::Need(pass) = gatefold::gate::begin(world.input.clone())
            else {
                continue;
            };
            let names = || {
                let letters = alphabet(pass.question(), &world).into_iter();
                letters.map(|letter| letter.name()).collect::<Vec<_>>()
            };
            assert_eq!(names(), names());
            let once: BTreeSet<_> = names().into_iter().collect();
            assert_eq!(once.len(), names().len(), "{}", world.name);
        }
    }
}

fn explored(judge: &Judge, checks: &[Check]) -> Explored {
    let threads = thread::available_parallelism().unwrap().get();
    let bound = Bound::Reduced;
    let walk = Walk {
        judge,
        checks,
        threads,
        saved_in: bound.saved_in(),
        replayed_in: bound.replayed_in(),
    };
    explore(&slices(bound), &walk, &|_| {})
}

fn never_seen(judge: &Judge, marks: &Marks) -> Vec<String> {
    let world = Plan::of(Mode::Default, &[]).world("expected");
    let expected = Marks::expected(&world, judge, CAP, &sometimes());
    let missing = marks.missing(&expected);
    println!(
        "{} of {} marks seen",
        expected.len() - missing.len(),
        expected.len()
    );
    missing
        .into_iter()
        .map(|mark| format!("never seen: {mark}"))
        .collect()
}

fn print(explored: &Explored, began: Instant) {
    for (slice, (worlds, tally)) in &explored.slices {
        println!(
            "{slice}: {worlds} worlds, {} states, {} edges",
            tally.states, tally.edges
        );
    }
    let all = &explored.all;
    println!(
        "all: {} states, {} edges, {} saved and loaded, {} replayed, in {:.1} s",
        all.states,
        all.edges,
        all.saved,
        all.replayed,
        began.elapsed().as_secs_f64()
    );
}

/// The names of all functions below a folder that are tests.
fn named_tests(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            named_tests(&path, names);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let after = text.split("#[test]").skip(1);
            let found = after.filter_map(|after| {
                let (_, name) = after.split_once("fn ")?;
                Some(name.split_once('(')?.0.to_owned())
            });
            names.extend(found);
        }
    }
}
