//! Every limit of the crate that the gate uses: at it all is well, one past it is refused.

use super::answers::*;
use super::case::*;
use gatefold::gate::*;
use gatefold::limits::*;

/// An object of exactly so many bytes, canonical.
fn args_of(bytes: usize) -> String {
    let around = r#"{"a":""}"#.len();
    format!(r#"{{"a":"{}"}}"#, "x".repeat(bytes - around))
}

/// An object nested so deep, itself included.
fn nested(depth: usize) -> String {
    let arrays = depth - 1;
    format!(r#"{{"a":{}1{}}}"#, "[".repeat(arrays), "]".repeat(arrays))
}

fn settings(edit_cap: u8) -> Settings {
    Settings {
        edit_cap,
        ..Settings::default()
    }
}

fn hooks(n: usize) -> GateInputBuilder {
    let input = GateInput::builder(call());
    (0..n).fold(input, |input, n| {
        input.hook(&format!("h{n}"), HookKind::Guard)
    })
}

fn ancestors(n: usize) -> GateInputBuilder {
    let input = GateInput::builder(call());
    (0..n).fold(input, |input, _| input.ancestor(Member::default()))
}

fn of_call(id: &str, tool: &str) -> GateInputBuilder {
    let (id, tool) = (id.into(), tool.into());
    GateInput::builder(Call { id, tool, ..call() })
}

#[test]
fn every_input_error_has_its_code_and_its_cause() {
    let input = || GateInput::builder(call());
    let guard = HookKind::Guard;
    let hook = "h".into();
    let rows = [
        (
            of_call("", "Bash"),
            InputError::EmptyCallId,
            "empty_call_id",
        ),
        (of_call("c1", ""), InputError::EmptyTool, "empty_tool"),
        (
            hooks(HOOKS_MAX + 1),
            InputError::TooManyHooks { hooks: 33 },
            "too_many_hooks",
        ),
        (
            ancestors(ANCESTORS_MAX + 1),
            InputError::TooManyAncestors { ancestors: 17 },
            "too_many_ancestors",
        ),
        (
            input().settings(settings(EDIT_CAP_MAX + 1)),
            InputError::EditCapTooHigh { edit_cap: 17 },
            "edit_cap_too_high",
        ),
        (
            input().wire(Seat::Hook),
            InputError::NoHookToAsk,
            "no_hook_to_ask",
        ),
        (
            input().hook("h", guard).hook("", guard),
            InputError::EmptyHookId { index: 1 },
            "empty_hook_id",
        ),
        (
            input().hook("h", guard).hook("h", HookKind::Observer),
            InputError::DoubleHook { hook },
            "double_hook",
        ),
        (
            of_call(&"c".repeat(NAME_BYTES_MAX + 1), "Bash"),
            InputError::NameTooLong {
                field: "call.id",
                bytes: 1025,
            },
            "name_too_long",
        ),
    ];
    for (input, error, code) in rows {
        assert_eq!(input.build(), Err(error.clone()), "{code}");
        assert_eq!(error.code(), code);
    }
}

#[test]
fn an_input_at_its_limits_is_taken() {
    let rows = [
        ("hooks", hooks(HOOKS_MAX)),
        ("ancestors", ancestors(ANCESTORS_MAX)),
        (
            "edit cap",
            GateInput::builder(call()).settings(settings(EDIT_CAP_MAX)),
        ),
    ];
    for (limit, input) in rows {
        assert!(input.build().is_ok(), "{limit}");
    }
}

/// Gives one of the names of an input.
type Naming = fn(&str) -> GateInputBuilder;

/// In bytes, whatever the characters.
#[test]
fn each_name_is_taken_at_the_limit_and_refused_one_byte_past_it() {
    let builders: [(&str, Naming); 6] = [
        ("call.id", |name| of_call(name, "Bash")),
        ("call.tool", |name| of_call("c1", name)),
        ("agent", |name| GateInput::builder(call()).agent(name)),
        ("agent", |name| {
            GateInput::builder(call()).ancestor(Member {
                agent: Some(name.into()),
                ..Member::default()
            })
        }),
        ("hook", |name| {
            GateInput::builder(call()).hook(name, HookKind::Observer)
        }),
        ("leg", |name| GateInput::builder(call()).leg(name)),
    ];
    for (field, with) in builders {
        for name in ["x".repeat(NAME_BYTES_MAX), "é".repeat(NAME_BYTES_MAX / 2)] {
            assert!(with(&name).build().is_ok(), "{field}");
            let bytes = NAME_BYTES_MAX + 1;
            let refused = with(&format!("{name}x")).build();
            assert_eq!(refused, Err(InputError::NameTooLong { field, bytes }));
        }
    }
}

#[test]
fn args_are_taken_at_the_limit_of_bytes_and_depth_and_refused_one_past_it() {
    assert!(Args::parse(&args_of(ARGS_BYTES_MAX)).is_ok());
    let past = Args::parse(&args_of(ARGS_BYTES_MAX + 1)).unwrap_err();
    assert_eq!(past.code(), "too_large");
    assert!(Args::parse(&nested(ARGS_DEPTH_MAX)).is_ok());
    let past = Args::parse(&nested(ARGS_DEPTH_MAX + 1)).unwrap_err();
    assert_eq!(past.code(), "too_deep");
}

/// What args text over a limit means depends on whose it is.
#[test]
fn proposed_args_over_a_limit_are_refused_as_each_seats_unusable_answer() {
    let hook = |text: &str| {
        let receipts = [("g", rewrites(HookDecision::Allow, text))];
        Case::new().guard("g").hooks(&receipts)
    };
    let by_policy = |text: &str| Case::new().says(policy(STATED, Some(text)));
    let edited = |text: &str| Case::new().resolves(edits(text));
    let sizes = [
        (args_of(ARGS_BYTES_MAX), args_of(ARGS_BYTES_MAX + 1)),
        (nested(ARGS_DEPTH_MAX), nested(ARGS_DEPTH_MAX + 1)),
    ];
    for (at, past) in sizes {
        let bytes = at.len();
        for case in [hook(&at), by_policy(&at), edited(&at)] {
            let finished = case.finish();
            assert_eq!(finished.args_to_run(), Some(&args(&at)), "{bytes}");
        }
        let rows = [
            (hook(&past), "deny hook"),
            (
                by_policy(&past),
                "deny engine; told seat_failed adjudicate, permission_denied engine",
            ),
            (
                edited(&past),
                "deny ask_resolution; asked by unstated; settled unanswered failed; \
                 told permission_denied ask_resolution",
            ),
        ];
        for (case, expected) in rows {
            assert_eq!(account(&case.finish()), expected, "{bytes}");
        }
    }
}

#[test]
fn a_text_is_kept_at_the_limit_and_clipped_one_byte_past_it() {
    let reason = |bytes| {
        let reason = Text::new(&"x".repeat(bytes));
        let by = Answerer::Person;
        let shown = Resolved::No {
            by,
            reason: Some(reason.clone()),
        };
        let refusal = Case::new().resolves(shown).finish().reason().unwrap();
        assert!(refusal.contains(reason.as_str()));
        reason
    };
    let mark = " …[clipped]";
    assert_eq!(reason(TEXT_BYTES_MAX).as_str(), "x".repeat(TEXT_BYTES_MAX));
    let clipped = reason(TEXT_BYTES_MAX + 1);
    assert_eq!(clipped.as_str().len(), TEXT_BYTES_MAX);
    assert!(clipped.as_str().ends_with(mark));
    // Never in the middle of a character.
    let clipped = Text::new(&"é".repeat(TEXT_BYTES_MAX));
    let kept = clipped.as_str().strip_suffix(mark).unwrap();
    assert!(kept.chars().all(|char| char == 'é'));
    assert!(
        kept.len() + mark.len() + 2 > TEXT_BYTES_MAX,
        "no more than needed"
    );
}

#[test]
fn context_is_taken_at_the_limit_and_a_malformed_receipt_one_byte_past_it() {
    for (bytes, expected) in [
        (CONTEXT_BYTES_MAX, "allow hook; asked by unstated"),
        (
            CONTEXT_BYTES_MAX + 1,
            "deny engine; told hook_failed g, permission_denied engine",
        ),
    ] {
        let plain = HookAnswer::plain(HookDecision::Allow);
        let answer = HookOutcome::Answered(HookAnswer {
            context: Some("x".repeat(bytes).into()),
            ..plain
        });
        let case = Case::new().guard("g").hooks(&[("g", answer)]);
        assert_eq!(account(&case.finish()), expected, "{bytes}");
    }
}

/// Names that are too long to be names are vouched for by nobody.
#[test]
fn a_classifier_round_is_kept_at_the_limit_of_names_and_dropped_past_it() {
    let named = |asked: usize, answered: usize| {
        let round = ClassifierRound {
            asked: "m".repeat(asked).into(),
            answered: "m".repeat(answered).into(),
        };
        let answer = Answer::Classify(Ok(Classification {
            ruling: ClassifierRuling::Allow,
            round: Some(round),
            reason: None,
        }));
        let finished = Case::new().mode(Mode::Auto).says(answer).finish();
        assert_eq!(disposition(&finished), "allow classifier");
        finished.outcome().classifier().is_some()
    };
    let (at, past) = (NAME_BYTES_MAX, NAME_BYTES_MAX + 1);
    let kept = [(at, at), (past, at), (at, past)].map(|(a, b)| named(a, b));
    assert_eq!(kept, [true, false, false]);
}

/// So many edits, each of which is asked about again.
fn edited(times: usize, case: Case) -> Ended {
    let case = case.policy(PolicyRuling::Ask);
    let texts = (1..=times).map(|n| format!(r#"{{"command":"{n}"}}"#));
    let case = texts.fold(case, |case, text| case.resolves(edits(&text)));
    case.resolves(Resolved::YES).run()
}

/// Source: G112.
#[test]
fn an_edit_at_the_cap_is_judged_and_one_past_it_is_refused() {
    for cap in [0, 1, EDIT_CAP_DEFAULT, EDIT_CAP_MAX] {
        let case = || Case::new().with(|input| input.settings(settings(cap)));
        let at = edited(usize::from(cap), case()).finished();
        assert_eq!(disposition(&at), "allow ask_resolution", "{cap}");
        assert_eq!(at.round(), cap);
        let past = edited(usize::from(cap) + 1, case()).finished();
        assert_eq!(disposition(&past), "deny edit_cap", "{cap}");
        let yes = past.outcome().settled().map(|ask| ask.settlement.answer);
        assert_eq!(yes, Some(SettledAnswer::Yes), "{cap}");
        assert_eq!(past.denied_at(), Some(Station::Edit), "{cap}");
    }
    let defaulted = edited(usize::from(EDIT_CAP_DEFAULT) + 1, Case::new());
    assert_eq!(disposition(&defaulted.finished()), "deny edit_cap");
}

#[test]
fn the_default_denial_limit_asks_a_person_from_its_number_on() {
    for (denials, asked) in [
        (DENIAL_LIMIT_DEFAULT - 1, true),
        (DENIAL_LIMIT_DEFAULT, false),
        (DENIAL_LIMIT_DEFAULT + 1, false),
    ] {
        let case = Case::new().mode(Mode::Auto);
        let case = case.with(|input| input.denials(denials));
        let ended = case.says(rules_that(ClassifierRuling::Allow)).run();
        assert_eq!(ended.seats().contains(&Seat::Classify), asked, "{denials}");
    }
}

#[test]
fn as_many_judgements_as_the_limit_are_taken_and_one_more_is_misuse() {
    let answers: [fn(usize) -> Answer; 3] = [
        |n| {
            Answer::Adjudicate(Ok(Adjudication {
                judgements: vec![judgement(STATED); n],
                ..Adjudication::default()
            }))
        },
        |n| Answer::Org(Ok(vec![judgement(OrgRuling::None); n])),
        |n| Answer::Rules(Ok(vec![judgement(RuleRuling::None); n])),
    ];
    for of in answers {
        let seat = of(1).seat();
        let pass = || Case::new().says(of(1)).run_to(seat);
        let at = pass().answer(of(JUDGEMENTS_MAX)).unwrap();
        assert!(matches!(at, Step::Done(_)), "{seat}");
        let judgements = JUDGEMENTS_MAX + 1;
        let misuse = pass().answer(of(judgements)).unwrap_err();
        let kind = MisuseKind::TooManyJudgements { judgements };
        assert_eq!(*misuse.kind(), kind, "{seat}");
    }
}

#[test]
fn as_many_receipts_as_the_limit_are_taken_and_one_more_is_misuse() {
    let pass = || Case::new().guard("g").run_to(Seat::Hook);
    let of = |n| receipts(&vec![("g", said(HookDecision::Allow)); n]);
    assert!(matches!(pass().answer(of(RECEIPTS_MAX)), Ok(Step::Done(_))));
    let misuse = pass().answer(of(RECEIPTS_MAX + 1)).unwrap_err();
    let receipts = RECEIPTS_MAX + 1;
    assert_eq!(*misuse.kind(), MisuseKind::TooManyReceipts { receipts });
}

#[test]
fn the_answers_of_the_widest_lineage_and_of_all_hooks_are_within_the_limits() {
    let input = ancestors(ANCESTORS_MAX).build().unwrap();
    assert!(input.members().len() * 2 <= JUDGEMENTS_MAX);
    const { assert!(HOOKS_MAX <= RECEIPTS_MAX) };
    let case = (0..ANCESTORS_MAX).fold(Case::new(), |case, _| case.ancestor(Mode::Default));
    let names: Vec<_> = (0..HOOKS_MAX).map(|n| format!("h{n}")).collect();
    let case = names.iter().fold(case, |case, name| case.guard(name));
    let silent: Vec<_> = names
        .iter()
        .map(|name| (name.as_str(), said(HookDecision::None)))
        .collect();
    let finished = case.hooks(&silent).policy(STATED).finish();
    assert_eq!(account(&finished), "allow policy");
}

/// The ticket of a parked call of its own.
fn ticket(n: usize) -> Ticket {
    let id = format!("call {n}").as_str().into();
    let input = GateInput::builder(Call { id, ..call() }).wire(Seat::Park);
    let Step::Need(pass) = begin(input.build().unwrap()) else {
        panic!("the park seat is wired")
    };
    let Step::Done(result) = pass.answer(Answer::Park(Ok(Parking::Parked))).unwrap() else {
        panic!("the ask was taken away")
    };
    let GateResult::Suspended(suspended) = *result else {
        panic!("the ask was taken away")
    };
    suspended.ticket
}

/// Source: G088.
#[test]
fn a_ticket_book_takes_as_many_tickets_as_the_limit_and_refuses_one_more() {
    let mut book = TicketBook::new();
    for n in 0..BOOK_ENTRIES_MAX {
        assert_eq!(book.open(&ticket(n)), Ok(()), "{n}");
    }
    let before = book.clone();
    assert_eq!(book.open(&ticket(0)), Ok(()), "it is in the book");
    assert_eq!(book.open(&ticket(BOOK_ENTRIES_MAX)), Err(BookError::Full));
    assert_eq!(BookError::Full.code(), "book_full");
    assert_eq!(book, before, "a refused ticket changes nothing");
}

/// Source: G037.
#[test]
fn an_attestation_book_takes_as_many_as_the_limit_and_refuses_one_more() {
    let settled = |n: usize| {
        let id = format!("call {n}").as_str().into();
        let input = GateInput::builder(Call { id, ..call() });
        let Step::Done(result) = begin(input.build().unwrap()) else {
            panic!("nothing is wired")
        };
        let GateResult::Finished(finished) = *result else {
            panic!("nothing was parked")
        };
        finished
    };
    let mut book = AttestationBook::new();
    for n in 0..BOOK_ENTRIES_MAX {
        assert!(
            book.attest(&settled(n)).unwrap().settlement.is_some(),
            "{n}"
        );
    }
    assert_eq!(book.len(), BOOK_ENTRIES_MAX);
    let before = book.clone();
    assert!(book.attest(&settled(0)).is_ok(), "it is in the book");
    let one_more = book.attest(&settled(BOOK_ENTRIES_MAX));
    assert_eq!(one_more, Err(AttestError::BookFull));
    assert_eq!(AttestError::BookFull.code(), "book_full");
    assert_eq!(book, before, "a refused entry changes nothing");
}

#[test]
fn a_seal_key_has_at_least_its_limit_of_bytes() {
    assert!(SealKey::new(&[7; SEAL_KEY_BYTES_MIN]).is_ok());
    let bytes = SEAL_KEY_BYTES_MIN - 1;
    let short = SealKey::new(&vec![7; bytes]).unwrap_err();
    assert_eq!(short, SealError::KeyTooShort { bytes });
}

#[test]
fn a_sealed_value_past_its_limit_is_refused_unread() {
    let text = |bytes| "x".repeat(bytes);
    let at = Pass::load(&text(SEALED_BYTES_MAX), &key()).unwrap_err();
    assert_eq!(at.code(), "not_sealed");
    let bytes = SEALED_BYTES_MAX + 1;
    let past = Pass::load(&text(bytes), &key()).unwrap_err();
    assert_eq!(past, SealError::TooLarge { bytes });
}
