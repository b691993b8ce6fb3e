//! The tables that are lists, held to the engine: words, errors, limits, cells, invariants.
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

use std::collections::{BTreeMap, BTreeSet};

use gatefold::gate::*;
use gatefold::limits;
use gatefold_spec::words::{VOCABULARIES, words};
use support::engines::{ENGINES, seats};
use support::host::{ASKED, Host, STATED, adjudicates, said, traced};
use support::{Domain, grid, tables};

#[test]
fn every_vocabulary_has_its_words_in_order() {
    let tables = tables();
    let listed: Vec<_> = tables.vocabularies("gate").collect();
    let names: Vec<_> = listed.iter().map(|row| &*row.vocabulary).collect();
    assert_eq!(names, VOCABULARIES);
    for row in listed {
        assert_eq!(
            words(&row.vocabulary).unwrap(),
            row.words,
            "{}",
            row.vocabulary
        );
        for (class, words) in &row.classes {
            let strange = words.iter().find(|word| !row.words.contains(word));
            assert_eq!(strange, None, "{} {class}", row.vocabulary);
        }
    }
}

#[test]
fn the_direct_refusers_and_the_vetoes_are_the_listed_ones() {
    let tables = tables();
    let row = tables
        .vocabularies("gate")
        .find(|row| row.vocabulary == "denied_by")
        .unwrap();
    let of = |test: fn(DeniedBy) -> bool| {
        let refusers = DeniedBy::ALL.iter().filter(|by| test(**by));
        refusers.map(|by| by.word()).collect::<Vec<_>>()
    };
    assert_eq!(row.classes["direct"], of(DeniedBy::is_direct));
    assert_eq!(row.classes["veto"], of(DeniedBy::is_veto));
}

#[test]
fn every_error_has_a_row_and_every_row_an_error() {
    let tables = tables();
    let mut listed: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in tables.errors("gate") {
        assert!(!row.then.trim().is_empty(), "{}", row.code);
        listed.entry(&row.kind).or_default().push(&row.code);
    }
    let engine: BTreeMap<_, _> = codes().into_iter().collect();
    assert_eq!(listed, engine);
}

/// Every code of every error type. A variant that is added to the engine without a row is found by
/// the compiler where the enum is exhaustive, and by review where it is not.
fn codes() -> Vec<(&'static str, Vec<&'static str>)> {
    let input = [
        InputError::EmptyCallId,
        InputError::EmptyTool,
        InputError::TooManyHooks { hooks: 33 },
        InputError::TooManyAncestors { ancestors: 17 },
        InputError::EditCapTooHigh { edit_cap: 17 },
        InputError::NoHookToAsk,
        InputError::EmptyHookId { index: 0 },
        InputError::DoubleHook { hook: "h".into() },
        InputError::NameTooLong {
            field: "agent",
            bytes: 1025,
        },
    ];
    let misuse = [
        MisuseKind::WrongSeat {
            asked: Seat::Hook,
            given: Seat::Org,
        },
        MisuseKind::UnknownHook { hook: "h".into() },
        MisuseKind::UnknownForm {
            form: Form::Original,
        },
        MisuseKind::UnknownMember { member: 1 },
        MisuseKind::TooManyJudgements { judgements: 257 },
        MisuseKind::TooManyReceipts { receipts: 257 },
    ];
    let mut codes = codes_of_texts();
    codes.extend([
        ("InputError", input.iter().map(InputError::code).collect()),
        ("MisuseKind", misuse.iter().map(MisuseKind::code).collect()),
        ("ParkMisuseKind", words("park_misuse").unwrap()),
        (
            "BookError",
            [BookError::Settled, BookError::Full]
                .map(BookError::code)
                .to_vec(),
        ),
        ("AttestError", vec![AttestError::BookFull.code()]),
        ("DefectCode", words("defect_code").unwrap()),
    ]);
    codes
}

/// The codes of what is read: args, sealed values, digests.
fn codes_of_texts() -> Vec<(&'static str, Vec<&'static str>)> {
    let args = [
        ArgsError::NotJson { line: 1, column: 1 },
        ArgsError::NotAnObject,
        ArgsError::DuplicateKey {
            key: "k".into(),
            at: 1,
        },
        ArgsError::LoneSurrogate { at: 1 },
        ArgsError::TooDeep { at: 1 },
        ArgsError::TooLarge { bytes: 1 },
    ];
    let seal = [
        SealError::KeyTooShort { bytes: 1 },
        SealError::TooLarge { bytes: 1 },
        SealError::NotSealed,
        SealError::WrongKind {
            want: SealedKind::Pass,
            found: SealedKind::Ticket,
        },
        SealError::WrongSchema { want: 1, found: 2 },
        SealError::BadSeal,
        SealError::UnreadableBody("x".into()),
        SealError::Unwritable("x".into()),
    ];
    let digest = [
        DigestError::WrongAlgorithm,
        DigestError::WrongLength { bytes: 1 },
        DigestError::NotLowerHex,
    ];
    vec![
        ("ArgsError", args.iter().map(ArgsError::code).collect()),
        ("SealError", seal.iter().map(SealError::code).collect()),
        (
            "DigestError",
            digest.iter().map(DigestError::code).collect(),
        ),
    ]
}

#[test]
fn every_limit_has_its_value_and_its_refusal() {
    let tables = tables();
    let listed: Vec<_> = tables
        .limits("gate")
        .map(|row| (&*row.name, row.value, &*row.past))
        .collect();
    let measured: Vec<_> = LIMITS
        .iter()
        .map(|(name, value, past)| (*name, u64::try_from(*value).unwrap(), past(*value)))
        .collect();
    let measured: Vec<_> = measured
        .iter()
        .map(|(name, value, past)| (*name, *value, &**past))
        .collect();
    assert_eq!(listed, measured);
}

/// A limit's name and value, and what is said one past it.
type Measured = (&'static str, usize, fn(usize) -> String);

const LIMITS: &[Measured] = &[
    ("ARGS_BYTES_MAX", limits::ARGS_BYTES_MAX, |bytes| {
        let of = |bytes: usize| Args::parse(&format!(r#"{{"a":"{}"}}"#, "x".repeat(bytes - 8)));
        assert!(of(bytes).is_ok());
        of(bytes + 1).unwrap_err().code().into()
    }),
    ("ARGS_DEPTH_MAX", limits::ARGS_DEPTH_MAX, |depth| {
        let of = |depth: usize| {
            let (open, close) = (r#"{"a":"#.repeat(depth), "}".repeat(depth));
            Args::parse(&format!("{open}0{close}"))
        };
        assert!(of(depth).is_ok());
        of(depth + 1).unwrap_err().code().into()
    }),
    ("HOOKS_MAX", limits::HOOKS_MAX, |most| {
        built(most, |input, n| input.hook(&n.to_string(), HookKind::Guard))
    }),
    ("ANCESTORS_MAX", limits::ANCESTORS_MAX, |most| {
        built(most, |input, _| input.ancestor(Member::default()))
    }),
    ("CONTEXT_BYTES_MAX", limits::CONTEXT_BYTES_MAX, |bytes| {
        let of = |bytes: usize| {
            let HookOutcome::Answered(mut answer) = said(HookDecision::None, None) else {
                panic!("it answers")
            };
            answer.context = Some("x".repeat(bytes).as_str().into());
            let host = Host::new().guard(HookOutcome::Answered(answer));
            host.policy(STATED).finish()
        };
        assert!(of(bytes).args_to_run().is_some());
        of(bytes + 1).outcome().denied_by().unwrap().to_string()
    }),
    ("TEXT_BYTES_MAX", limits::TEXT_BYTES_MAX, |bytes| {
        let whole = "x".repeat(bytes);
        assert_eq!(Text::new(&whole).as_str(), whole);
        let longer = Text::new(&format!("{whole}x"));
        assert!(longer.as_str().len() <= bytes);
        let clipped = longer.as_str().ends_with("[clipped]");
        if clipped { "clipped" } else { "kept" }.into()
    }),
    ("NAME_BYTES_MAX", limits::NAME_BYTES_MAX, |bytes| {
        let of = |bytes: usize| {
            let call = Call {
                id: "c1".into(),
                tool: "x".repeat(bytes).as_str().into(),
                args: Args::empty(),
            };
            GateInput::builder(call).build()
        };
        assert!(of(bytes).is_ok());
        of(bytes + 1).unwrap_err().code().into()
    }),
    ("EDIT_CAP_MAX", 16, |cap| {
        assert_eq!(usize::from(limits::EDIT_CAP_MAX), cap);
        let of = |cap: usize| {
            let settings = Settings {
                edit_cap: u8::try_from(cap).unwrap(),
                ..Settings::default()
            };
            input().settings(settings).build()
        };
        assert!(of(cap).is_ok());
        of(cap + 1).unwrap_err().code().into()
    }),
    ("EDIT_CAP_DEFAULT", 3, |cap| {
        let edit = |n: usize| format!(r#"{{"edit":{n}}}"#);
        let of = |edits: usize| {
            let host = Host::new().org(OrgRuling::Ask);
            let host = (0..edits).fold(host, |host, n| {
                host.resolves(support::host::edits(&edit(n)))
            });
            host.resolves(Resolved::YES).finish()
        };
        assert!(of(cap).args_to_run().is_some());
        of(cap + 1).outcome().denied_by().unwrap().to_string()
    }),
    ("DENIAL_LIMIT_DEFAULT", 3, |most| {
        let of = |denials: usize| {
            let denials = u32::try_from(denials).unwrap();
            let host = Host::new().mode(Mode::Auto).resolves(Resolved::YES);
            host.with(|input| input.denials(denials)).finish()
        };
        assert_eq!(support::host::causes(&of(most - 1)), []);
        support::host::listed(&support::host::causes(&of(most)))
    }),
    ("JUDGEMENTS_MAX", limits::JUDGEMENTS_MAX, |most| {
        let of = |judgements: usize| {
            let Answer::Adjudicate(Ok(mut answer)) = adjudicates(STATED, None) else {
                panic!("the policy answers")
            };
            let one = answer.judgements[0].clone();
            answer.judgements = vec![one; judgements];
            let pass = open(input().wire(Seat::Adjudicate));
            pass.answer(Answer::Adjudicate(Ok(answer)))
        };
        assert!(of(most).is_ok());
        of(most + 1).unwrap_err().code().into()
    }),
    ("RECEIPTS_MAX", limits::RECEIPTS_MAX, |most| {
        let of = |receipts: usize| {
            let receipt = HookReceipt {
                hook: "h".into(),
                outcome: said(HookDecision::None, None),
            };
            let pass = open(input().hook("h", HookKind::Guard));
            pass.answer(Answer::Hook(Ok(vec![receipt; receipts])))
        };
        assert!(of(most).is_ok());
        of(most + 1).unwrap_err().code().into()
    }),
    ("BOOK_ENTRIES_MAX", limits::BOOK_ENTRIES_MAX, |most| {
        let mut tickets = TicketBook::new();
        let mut attestations = AttestationBook::new();
        let mut last = (None, None);
        for n in 0..=most {
            let call = n.to_string();
            let parking = Host::of(&call, ASKED).says(Answer::Park(Ok(Parking::Parked)));
            let opened = tickets.open(&parking.run().suspended().ticket);
            let attested = attestations.attest(&Host::of(&call, ASKED).finish());
            assert_eq!(opened.is_ok() && attested.is_ok(), n < most, "{n}");
            last = (opened.err(), attested.err());
        }
        let (ticket, attestation) = (last.0.unwrap().code(), last.1.unwrap().code());
        assert_eq!(ticket, attestation);
        ticket.into()
    }),
    ("SEALED_BYTES_MAX", limits::SEALED_BYTES_MAX, |bytes| {
        let key = SealKey::new(&[7; 32]).unwrap();
        let of = |bytes: usize| TicketBook::load(&"x".repeat(bytes), &key);
        assert_eq!(of(bytes).unwrap_err().code(), "not_sealed");
        of(bytes + 1).unwrap_err().code().into()
    }),
    ("SEAL_KEY_BYTES_MIN", limits::SEAL_KEY_BYTES_MIN, |bytes| {
        assert!(SealKey::new(&vec![7; bytes]).is_ok());
        let short = SealKey::new(&vec![7; bytes - 1]);
        short.err().unwrap().code().into()
    }),
];

fn input() -> GateInputBuilder {
    GateInput::builder(Call {
        id: "c1".into(),
        tool: "Bash".into(),
        args: Args::empty(),
    })
}

/// The code with which an input of one too many is refused.
fn built(most: usize, add: fn(GateInputBuilder, usize) -> GateInputBuilder) -> String {
    let of = |number: usize| (0..number).fold(input(), add).build();
    assert!(of(most).is_ok());
    of(most + 1).unwrap_err().code().into()
}

fn open(input: GateInputBuilder) -> Pass {
    match begin(input.build().unwrap()) {
        Step::Need(pass) => pass,
        step => panic!("{step:?}"),
    }
}

/// A cell, `read` or `written`, and a station.
type Touch = (&'static str, &'static str, &'static str);

#[test]
fn the_cells_are_touched_at_exactly_the_listed_stations() {
    let tables = tables();
    let mut listed = BTreeSet::<Touch>::new();
    let mut cells = Vec::new();
    for row in tables.cells("gate") {
        let cell = Cell::from_word(row.cell.get_ref()).unwrap();
        cells.push(cell);
        for (how, stations) in [("written", &row.writes), ("read", &row.reads)] {
            for station in stations {
                let station = Station::from_word(station.get_ref()).unwrap();
                listed.insert((cell.word(), how, station.word()));
            }
        }
        let at_edit = row.writes.iter().any(|station| station.get_ref() == "edit");
        assert!(at_edit || !row.emptied, "{cell} is emptied by an edit");
    }
    assert_eq!(cells, Cell::ALL);

    let passes = traced(|| {
        for (name, _, engine) in ENGINES {
            Domain::of(grid(&tables, name), *engine);
        }
        for host in rare() {
            host.run();
        }
    });
    println!(
        "{} passes traced, {} touches listed",
        passes.len(),
        listed.len()
    );
    let steps = passes.iter().flat_map(Trace::steps);
    let touched: BTreeSet<Touch> = steps
        .flat_map(|step| {
            let written = step.wrote.iter().map(|written| ("written", written.cell));
            let read = step.read.iter().map(|cell| ("read", *cell));
            let touches = read.chain(written);
            touches.map(|(how, cell)| (cell.word(), how, step.station.word()))
        })
        .collect();
    let unlisted: Vec<_> = touched.difference(&listed).collect();
    let idle: Vec<_> = listed.difference(&touched).collect();
    assert_eq!((unlisted, idle), (vec![], vec![]), "unlisted, never seen");
}

/// Passes that touch what no table is about: contexts and classifier rounds.
fn rare() -> Vec<Host> {
    let round = || ClassifierRound {
        asked: "m".into(),
        answered: "n".into(),
    };
    let classified = |ruling| {
        Host::of("c1", ASKED)
            .mode(Mode::Auto)
            .resolves(Resolved::YES)
            .says(Answer::Classify(Ok(Classification {
                ruling,
                round: Some(round()),
                reason: None,
            })))
    };
    let HookOutcome::Answered(mut answer) = said(HookDecision::None, None) else {
        panic!("it answers")
    };
    answer.context = Some("it is Monday".into());
    let told = Host::new().guard(HookOutcome::Answered(answer));
    let admitted = Host::new()
        .facts(|facts| facts.kind = ToolKind::Shell)
        .says(Answer::Sandbox(Ok(Sandbox::Admitted(Some("boxed".into())))));

    let mut book = AttestationBook::new();
    let ancestor = classified(ClassifierRuling::Unavailable).finish();
    let id = book.attest(&ancestor).unwrap().round;
    let Answer::Adjudicate(Ok(mut answer)) = adjudicates(PolicyRuling::Deny, None) else {
        panic!("the policy answers")
    };
    answer.round = id;
    let inherited = Host::new()
        .with(|input| input.attestations(book))
        .says(Answer::Adjudicate(Ok(answer)));
    vec![
        classified(ClassifierRuling::Allow),
        told,
        admitted,
        inherited,
    ]
}

#[test]
fn an_edit_empties_exactly_the_listed_cells() {
    let tables = tables();
    let emptied: BTreeSet<_> = tables
        .cells("gate")
        .filter(|row| row.emptied)
        .map(|row| row.cell.get_ref().as_str())
        .collect();
    let [pass, _] = seats::everywhere();
    let finished = pass.finish();
    let steps = finished.trace().unwrap().steps();
    let begun = steps
        .iter()
        .find(|step| step.station == Station::Edit)
        .unwrap();
    let written: BTreeSet<_> = begun
        .wrote
        .iter()
        .map(|written| written.cell.word())
        .filter(|cell| !["args", "base", "edit_round"].contains(cell))
        .collect();
    assert_eq!(written, emptied);
}

#[test]
fn the_invariants_are_numbered_and_the_first_fifteen_are_the_designs() {
    let tables = tables();
    let invariants: Vec<_> = tables.invariants("gate").collect();
    for (number, row) in (1..).zip(&invariants) {
        assert_eq!(*row.id.get_ref(), format!("GATE-{number:03}"));
    }
    let designs = invariants
        .iter()
        .take_while(|row| row.source.iter().any(|link| link.get_ref() == "gate §13"));
    assert_eq!(designs.count(), 15);
    assert_eq!(invariants.len(), 85);
}
