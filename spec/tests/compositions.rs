//! Tables that lean on each other, and domains that are wider than one table: every subset of
//! causes, every lineage over every finding, every sequence of ledger operations.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::wildcard_imports,
    clippy::wildcard_enum_match_arm,
    dead_code,
    missing_docs,
    unreachable_pub,
    reason = "a test says what went wrong by failing"
)]

mod support;

use gatefold::gate::*;
use gatefold_spec::Grid;
use support::engines::{attestations, fold, hooks, lanes, ledger, mint as facts, seats};
use support::host::{Host, OTHER, STATED, adjudicates};
use support::{At, grid, or_none, tables, yes_no};

#[test]
fn every_subset_of_up_to_three_causes_has_the_origin_and_the_bars_of_the_tables() {
    let tables = tables();
    let [causes, bars, origin] =
        ["gate/causes", "gate/bars", "gate/origin"].map(|name| grid(&tables, name));
    let mut subsets = vec![vec![]];
    for _ in 0..3 {
        let longer: Vec<Vec<Cause>> = subsets
            .iter()
            .flat_map(|subset| {
                let after = subset.last().copied();
                let more = Cause::ALL.iter().filter(move |cause| after < Some(**cause));
                more.map(|cause| [subset.as_slice(), &[*cause]].concat())
            })
            .collect();
        subsets.extend(longer);
        subsets.sort();
        subsets.dedup();
    }
    let mut checked = 0;
    for subset in &subsets {
        let mut engine = Causes::default();
        subset
            .iter()
            .rev()
            .for_each(|cause| engine.push(fold::asker(*cause)));
        let rows: Vec<_> = subset
            .iter()
            .map(|cause| causes.look(&[("cause", cause.word())]))
            .collect();
        let point: Vec<_> = AskOrigin::ALL
            .iter()
            .map(|word| {
                let present = rows.iter().any(|row| row.want("origin") == word.word());
                (word.word(), if present { "yes" } else { "no" })
            })
            .collect();
        assert_eq!(
            origin.look(&point).want("origin"),
            or_none(engine.origin()),
            "{subset:?}"
        );
        for answerer in Automatic::ALL {
            let barred = rows.iter().any(|row| {
                let of = [("class", row.want("class")), ("answerer", answerer.word())];
                bars.look(&of).want("barred") == "yes"
            });
            assert_eq!(barred, engine.bar(*answerer), "{subset:?} {answerer}");
            checked += 1;
        }
    }
    println!(
        "subsets of causes: {} checked, {checked} bars",
        subsets.len()
    );
    assert_eq!((subsets.len(), checked), (1_160, 8_120));
}

#[test]
fn every_contradictory_settlement_is_malformed_to_the_mint() {
    let tables = tables();
    let grid = grid(&tables, "gate/settlement");
    let mut malformed = 0;
    for point in grid.points() {
        let settlement = fold::settlement_at(&At::new(grid, &point));
        let well_formed = grid.decide(&point).unwrap().want("well_formed") == "yes";
        for by in DeniedBy::ALL {
            let facts = ExitFacts::deny(*by).settled(settlement.clone(), AskOrigin::Org);
            let code = mint(facts).err();
            assert_eq!(code == Some(DefectCode::MalformedSettlement), !well_formed);
        }
        malformed += usize::from(!well_formed);
    }
    println!("settlements: 216 checked, {malformed} malformed");
    assert_eq!(malformed, 201);
}

#[test]
fn thirty_eight_facts_are_accepted_and_every_defect_is_somewhere_the_only_one() {
    let tables = tables();
    let grid = grid(&tables, "gate/mint");
    let mut accepted = 0;
    let mut alone = Vec::new();
    for point in grid.points() {
        let facts = facts::facts(&At::new(grid, &point));
        let defects: Vec<_> = defects(&facts).collect();
        let first = defects.first().map_or("accepted", |code| code.word());
        assert_eq!(grid.decide(&point).unwrap().want("defect"), first);
        match defects.as_slice() {
            [] => {
                accepted += 1;
                let outcome = mint(facts.clone()).unwrap();
                assert_eq!(ExitFacts::from(outcome), facts, "nothing is lost");
            }
            [only] if !alone.contains(only) => alone.push(*only),
            _ => {}
        }
    }
    alone.sort_unstable();
    let of_the_pass = [
        DefectCode::AskAtExit,
        DefectCode::SecondRefuser,
        DefectCode::SecondAllower,
    ];
    let of_the_screen = DefectCode::ALL
        .iter()
        .filter(|code| !of_the_pass.contains(code));
    assert_eq!(alone, of_the_screen.copied().collect::<Vec<_>>());
    println!(
        "mint: {accepted} accepted, {} defects alone somewhere",
        alone.len()
    );
    assert_eq!(accepted, 38);
}

#[test]
fn each_bar_class_bars_all_that_the_one_before_it_does() {
    let tables = tables();
    let bars = grid(&tables, "gate/bars");
    let mut before: Vec<&str> = Vec::new();
    for class in BarClass::ALL {
        let barred = barred(bars, class.word());
        assert!(before.iter().all(|word| barred.contains(word)), "{class}");
        if barred.contains(&"classifier") {
            assert_eq!(barred.len(), Automatic::ALL.len(), "{class}");
        }
        before = barred;
    }
}

fn barred(bars: &Grid, class: &str) -> Vec<&'static str> {
    let answerers = Automatic::ALL.iter().map(|answerer| answerer.word());
    let barred = answerers.filter(|answerer| {
        bars.look(&[("class", class), ("answerer", answerer)])
            .want("barred")
            == "yes"
    });
    barred.collect()
}

/// Where an answerer appears in the tables of the lanes: table, output, its value.
const ANSWERS: [(&str, &str, &str, &str); 7] = [
    ("stored_rule", "gate/allow_layer", "clears", "stored_rule"),
    ("hook_allow", "gate/allow_layer", "clears", "hook"),
    ("read_only", "gate/allow_layer", "clears", "read_only"),
    ("sandbox", "gate/sandbox", "asked", "yes"),
    ("classifier", "gate/classify", "asked", "yes"),
    ("accept_edits", "gate/arbitration", "mode", "accept_edits"),
    ("bypass", "gate/arbitration", "mode", "bypass"),
];

#[test]
fn the_tables_of_the_lanes_let_answer_exactly_whom_the_bars_let() {
    let tables = tables();
    let bars = grid(&tables, "gate/bars");
    for (answerer, table, output, value) in ANSWERS {
        let table = grid(&tables, table);
        for class in BarClass::ALL {
            let answers = table.points().any(|point| {
                table.value(&point, "class") == class.word()
                    && table.decide(&point).unwrap().want(output) == value
            });
            let barred = barred(bars, class.word()).contains(&answerer);
            assert_eq!(answers, !barred, "{answerer} {class}");
        }
    }
}

#[test]
fn every_lineage_over_every_finding_ends_as_the_tables_say() {
    let tables = tables();
    let [arbitration, cards] =
        ["gate/arbitration", "gate/mode_cards"].map(|name| grid(&tables, name));
    let causes = grid(&tables, "gate/causes");
    let programs = CopyProgram::ALL.iter().copied().map(Some);
    let programs: Vec<_> = programs.chain([None]).collect();
    let mut checked = 0;
    for point in arbitration.points() {
        let at = At::new(arbitration, &point);
        let class = at.word("class", BarClass::from_word).unwrap();
        for reads in ShellReads::ALL {
            // A finding brings a class of its own, and the widest one counts.
            let brings = match reads {
                ShellReads::Clean => "unstated",
                ShellReads::Declined => "read_declined",
                ShellReads::OutOfRoot => "read_out_of_root",
                ShellReads::Unestablishable => "unestablishable",
            };
            let brings = causes.look(&[("cause", brings)]).want("class");
            if BarClass::from_word(brings).unwrap() > class {
                continue;
            }
            for program in &programs {
                let finished = lanes::arbitrated(
                    &at,
                    ShellRead {
                        unplaced_options: *program,
                        ..support::host::reads(lanes::finding(*reads))
                    },
                );
                let (ends, mode) = lanes::arbitration_of(&finished);
                let want = arbitration.decide(&point).unwrap();
                let shown = arbitration.show(&point);
                assert_eq!(
                    (want.want("ends"), want.want("mode")),
                    (ends, &*mode),
                    "{shown}"
                );
                let (past, names) = lanes::cards_of(&finished);
                // A reason for not placing writes says nothing of writes that were placed.
                let unplaced = program.filter(|_| !at.yes("writes_placed"));
                let card = cards.look(&[
                    ("ends", ends),
                    ("reads", reads.word()),
                    ("unplaced", &or_none(unplaced)),
                ]);
                let said = (yes_no(past), names);
                let want = (card.want("past_read_deny"), card.want("names"));
                assert_eq!(want, (&*said.0, &*said.1), "{shown}");
                checked += 1;
            }
        }
    }
    println!("lineages over findings: {checked} passes checked");
    assert_eq!(checked, 29_664);
}

#[test]
fn every_way_of_denying_and_of_failing_is_folded_alike() {
    let tables = tables();
    let grid = grid(&tables, "gate/hooks");
    let mut checked = 0;
    for point in grid.points() {
        let want: Vec<_> = grid.decide(&point).unwrap().wants().collect();
        for denial in 0..hooks::DENIALS {
            for failure in 0..hooks::FAILURES {
                let said = hooks::fold(&At::new(grid, &point), (denial, failure));
                let said: Vec<_> = said.iter().map(|(name, value)| (*name, &**value)).collect();
                assert_eq!(want, said, "{} {denial} {failure}", grid.show(&point));
                checked += 1;
            }
        }
    }
    println!("screenings: {checked} checked");
    assert_eq!(checked, 2_385);
}

#[test]
fn a_yes_over_a_rewrite_covers_the_rewritten_args_alone() {
    for (covers, settled) in [(true, "yes"), (false, "none")] {
        let finished = attestations::yes_over_a_rewrite(covers);
        assert_eq!(support::host::settled(&finished), settled);
    }
}

#[test]
fn a_rewritten_call_is_described_and_held_to_plan_mode_again() {
    let reads = |read_only| Facts {
        read_only,
        ..Facts::UNKNOWN
    };
    for (then, denied_by) in [
        (ReadOnly::Yes, None),
        (ReadOnly::No, Some(DeniedBy::PlanMode)),
        (ReadOnly::Unknown, Some(DeniedBy::PlanMode)),
    ] {
        let finished = Host::new()
            .mode(Mode::Plan)
            .says(Answer::Describe(Ok(reads(ReadOnly::Yes))))
            .says(Answer::Describe(Ok(reads(then))))
            .says(adjudicates(STATED, Some(OTHER)))
            .finish();
        assert_eq!(finished.outcome().denied_by(), denied_by, "{then}");
    }
}

#[test]
fn the_sandbox_answers_no_ask_that_a_classifier_left() {
    for ruling in [ClassifierRuling::Ask, ClassifierRuling::Unavailable] {
        let seen = Host::new()
            .mode(Mode::Auto)
            .settings(|settings| settings.on_no_ruling = OnNoRuling::Ask)
            .facts(|facts| facts.kind = ToolKind::Shell)
            .says(Answer::Classify(Ok(Classification {
                ruling,
                round: None,
                reason: None,
            })))
            .says(Answer::Sandbox(Ok(Sandbox::Admitted(None))))
            .run();
        assert!(!seen.asks(Seat::Sandbox), "{ruling}");
        let by = seen.finished().outcome().denied_by();
        assert_eq!(by, Some(DeniedBy::AskResolution));
    }
}

#[test]
fn the_stations_are_passed_in_the_order_of_the_table() {
    let tables = tables();
    let grid = grid(&tables, "gate/stations");
    let number = |station: Station| -> u8 {
        let row = grid.look(&[("station", station.word())]);
        row.want("number").parse().unwrap()
    };
    for host in seats::everywhere() {
        let finished = host.finish();
        let steps = finished.trace().unwrap().steps();
        for pair in steps.windows(2) {
            let [before, after] = pair else { continue };
            let (from, to) = (number(before.station), number(after.station));
            let onwards = to == from || to == from + 1 || to == 23;
            let edited = from == 22 || (from, to) == (14, 22) && before.round > 0;
            let ok = onwards || edited;
            assert!(ok, "{} to {}", before.station, after.station);
        }
    }
}

/// The operations of the ledger, each with the settlement it brings.
fn operations(ledger: &Grid) -> Vec<(String, String)> {
    let mut operations = Vec::new();
    for point in ledger.points() {
        let of = |input| ledger.value(&point, input).to_owned();
        let operation = (of("operation"), of("settlement"));
        if !operations.contains(&operation) {
            operations.push(operation);
        }
    }
    operations
}

/// The longest sequence of operations.
const LONGEST: usize = 6;

#[test]
fn every_sequence_of_ledger_operations_ends_where_the_table_leads() {
    let tables = tables();
    let grid = grid(&tables, "gate/ledger");
    let operations = operations(grid);
    let states = &grid.inputs[0].values;
    // What the table says of every state and operation, looked up once.
    let table: Vec<Vec<_>> = states
        .iter()
        .map(|state| {
            let row = |(operation, settlement): &(String, String)| {
                grid.look(&[
                    ("state", state),
                    ("operation", operation),
                    ("settlement", settlement),
                ])
            };
            operations.iter().map(row).collect()
        })
        .collect();
    let digest = Digest::of(b"{}");
    let mut stack = vec![(Ledger::default(), 0_usize, 0_usize)];
    let mut checked = 0_usize;
    while let Some((ledger, state, length)) = stack.pop() {
        if length == LONGEST {
            continue;
        }
        for ((operation, settlement), want) in operations.iter().zip(&table[state]) {
            let mut after = ledger.clone();
            let answer = SettledAnswer::from_word(settlement);
            let did = ledger::operate(&mut after, operation, answer, digest);
            checked += 1;
            let next = want.want("state");
            assert_eq!(ledger::state(&after), next);
            assert_eq!(did.dropped, want.want("dropped") == "yes");
            let reading = did.reading.map_or("no_reading", AttestedReading::word);
            assert_eq!(reading, want.want("reading"));
            if want.want("origin") == "kept" {
                assert_eq!(after, ledger);
            } else {
                assert_eq!(ledger::origin(&after), want.want("origin"));
            }
            let next = states.iter().position(|state| state == next).unwrap();
            stack.push((after, next, length + 1));
        }
    }
    println!("ledger: {checked} operations in sequences of up to {LONGEST}");
    assert_eq!((operations.len(), checked), (16, 17_895_696));
}
