//! §4: what the engine vouches for across passes, and what of it counts. Source: G037–G038,
//! G045–G048, G055–G059.

use gatefold::gate::*;

use crate::case::*;
use crate::prior::*;
use crate::tell::{ends, runs, story, times};

const YES: &str = "allow policy; yes by person, owed to unstated";

/// What a yes of another pass is worth, by what that pass was about.
#[test]
fn an_attested_yes_counts_only_for_the_same_call_tool_and_args() {
    let rows: [(&str, Call, bool); 4] = [
        ("the same", call(), true),
        (
            "another call",
            Call {
                id: "c2".into(),
                ..call()
            },
            false,
        ),
        (
            "another tool",
            Call {
                tool: "Write".into(),
                ..call()
            },
            false,
        ),
        (
            "other args",
            Call {
                args: args(OTHER),
                ..call()
            },
            false,
        ),
    ];
    for (name, of, counts) in rows {
        let (book, id) = settled_about(of, Resolved::YES);
        let ended = allows_with(&book, id).finish();
        let expected = if counts { YES } else { "allow policy" };
        assert_eq!(story(&ended), expected, "{name}");
        assert_eq!(ignored(&ended), usize::from(!counts), "{name}");
    }
}

/// A refusal counts whatever the args, but for this call and tool alone.
#[test]
fn an_attested_refusal_counts_whatever_its_args() {
    let rows: [(&str, Call, bool); 4] = [
        ("the same", call(), true),
        (
            "other args",
            Call {
                args: args(OTHER),
                ..call()
            },
            true,
        ),
        (
            "another call",
            Call {
                id: "c2".into(),
                ..call()
            },
            false,
        ),
        (
            "another tool",
            Call {
                tool: "Write".into(),
                ..call()
            },
            false,
        ),
    ];
    let refusals = [
        (Resolved::NO, "no by person"),
        (
            Resolved::Unanswered(NoAnswer::Timeout),
            "unanswered: timeout",
        ),
    ];
    for (name, of, counts) in rows {
        for (refusal, how) in refusals.clone() {
            let (book, id) = settled_about(of.clone(), refusal);
            for (ruling, otherwise) in [
                (STATED, "allow policy"),
                (PolicyRuling::Deny, "deny policy"),
            ] {
                let ended = rules_with(ruling, &book, id).finish();
                let expected = if counts {
                    format!("deny ask_resolution; {how}, owed to unstated")
                } else {
                    otherwise.into()
                };
                assert_eq!(story(&ended), expected, "{name}, {how}, {ruling:?}");
                assert_eq!(ignored(&ended), usize::from(!counts), "{name}, {how}");
            }
        }
    }
}

/// What a yes and a refusal mean beside each verdict of the policy that shows them.
#[test]
fn an_attestation_is_read_beside_the_verdict_that_shows_it() {
    let rows = [
        (Resolved::YES, STATED, YES),
        (Resolved::YES, UNSTATED, YES),
        (
            Resolved::YES,
            PolicyRuling::Deny,
            "deny policy; yes by person, owed to unstated",
        ),
        (
            Resolved::YES,
            PolicyRuling::Ask,
            "deny ask_resolution; unanswered: nobody, owed to policy",
        ),
        (
            Resolved::NO,
            STATED,
            "deny ask_resolution; no by person, owed to unstated",
        ),
        (
            Resolved::NO,
            UNSTATED,
            "deny ask_resolution; no by person, owed to unstated",
        ),
        (
            Resolved::NO,
            PolicyRuling::Deny,
            "deny ask_resolution; no by person, owed to unstated",
        ),
        (
            Resolved::NO,
            PolicyRuling::Ask,
            "deny ask_resolution; unanswered: nobody, owed to policy",
        ),
    ];
    for (shown, ruling, expected) in rows {
        let (book, id) = settled(&settling(shown.clone()));
        assert_eq!(
            ends(&rules_with(ruling, &book, id)),
            expected,
            "{shown:?} beside {ruling:?}"
        );
    }
}

/// An unstated allow becomes the policy's own when a yes stands behind it; so 12 finds it stated.
#[test]
fn an_attested_allow_is_allowed_by_policy_though_nothing_was_stated() {
    let (book, id) = settled(&settling(Resolved::YES));
    let ended = rules_with(UNSTATED, &book, id).finish();
    assert_eq!(story(&ended), YES);
    assert_eq!(causes(&ended.record()), []);
}

/// At 6 the args that would run are those after the rewrite of the same answer.
#[test]
fn at_the_policy_a_yes_counts_only_for_the_args_after_its_rewrite() {
    let rows = [
        ("yes for the rewrite", OTHER, Some(OTHER), true, OTHER),
        (
            "yes for what was rewritten",
            ASKED,
            Some(OTHER),
            false,
            OTHER,
        ),
        ("yes for a third", THIRD, Some(OTHER), false, OTHER),
        ("no rewrite", ASKED, None, true, ASKED),
        (
            "a rewrite that changes nothing",
            ASKED,
            Some(ASKED),
            true,
            ASKED,
        ),
    ];
    for (name, given_for, rewrite, counts, ran) in rows {
        let of = Call {
            args: args(given_for),
            ..call()
        };
        let (book, id) = settled_about(of, Resolved::YES);
        let ended = Case::new()
            .with(|input| input.attestations(book))
            .says(attesting(STATED, Some(id), rewrite))
            .finish();
        let expected = if counts { YES } else { "allow policy" };
        assert_eq!(story(&ended), expected, "{name}");
        assert_eq!(runs(&ended), Some(ran), "{name}");
        let given = ended
            .record()
            .fields()
            .settled
            .as_ref()
            .map(|settled| settled.given_for);
        assert_eq!(given, counts.then(|| args(ran).digest()), "{name}");
    }
}

/// At 21 they are the edited args, if the answer edits.
#[test]
fn at_the_resolver_a_yes_counts_only_for_the_args_its_answer_would_run() {
    let rows = [
        ("plain yes", ASKED, Resolved::YES, true),
        ("plain yes, other args", OTHER, Resolved::YES, false),
        ("edit, yes for the edit", OTHER, edits(OTHER), true),
        ("edit, yes for what was edited", ASKED, edits(OTHER), false),
        ("edit to the same", ASKED, edits(ASKED), true),
        ("edit that is no args", ASKED, edits("not args"), false),
    ];
    for (name, given_for, shown, counts) in rows {
        let of = Call {
            args: args(given_for),
            ..call()
        };
        let (book, id) = delegated_about(of);
        let ended = resolving(&book, shown.clone(), id).finish();
        let by = ended.record().fields().settled.clone().unwrap().by;
        let expected = match (counts, &shown) {
            (true, _) => SettledBy::Delegate,
            (false, shown) if *shown == edits("not args") => SettledBy::Engine,
            (false, _) => SettledBy::Person,
        };
        assert_eq!(by, expected, "{name}");
        assert_eq!(ignored(&ended), usize::from(!counts), "{name}");
    }
}

/// Source: G045.
#[test]
fn what_is_attested_outranks_what_is_shown() {
    let delegate_no = Resolved::No {
        by: Answerer::Delegate,
        reason: None,
    };
    let rows = [
        (
            Resolved::YES,
            delegate_no.clone(),
            "deny ask_resolution; no by delegate, owed to unstated",
        ),
        (
            edits(OTHER),
            delegate_no,
            "deny ask_resolution; no by delegate, owed to unstated",
        ),
        (
            Resolved::NO,
            Resolved::YES,
            "allow ask_resolution; yes by person, owed to unstated",
        ),
        (
            Resolved::Unanswered(NoAnswer::Timeout),
            Resolved::YES,
            "allow ask_resolution; yes by person, owed to unstated",
        ),
        (
            Resolved::YES,
            Resolved::Unanswered(NoAnswer::Timeout),
            "deny ask_resolution; unanswered: timeout, owed to unstated",
        ),
    ];
    for (shown, attested, expected) in rows {
        let (book, id) = settled(&settling(attested.clone()));
        let case = resolving(&book, shown.clone(), id);
        assert_eq!(
            ends(&case),
            expected,
            "shows {shown:?}, attests {attested:?}"
        );
    }
}

/// The fallback of the source. Source: G046, G048.
#[test]
fn a_resolver_that_attests_nothing_is_believed_on_what_it_shows() {
    let yes = Case::new().resolves(Resolved::YES);
    assert_eq!(
        ends(&yes),
        "allow ask_resolution; yes by person, owed to unstated"
    );
    let no = Case::new().resolves(Resolved::NO);
    assert_eq!(
        ends(&no),
        "deny ask_resolution; no by person, owed to unstated"
    );
}

/// An attested yes to the edit is a yes to edited args, whatever it was in its own pass.
#[test]
fn an_attested_yes_to_the_edit_is_recorded_as_edited() {
    let (book, id) = delegated_about(Call {
        args: args(OTHER),
        ..call()
    });
    let ended = resolving(&book, edits(OTHER), id).finish();
    assert_eq!(
        story(&ended),
        "allow ask_resolution; yes by delegate, edited, owed to unstated"
    );
    assert_eq!(runs(&ended), Some(OTHER));
}

/// Consumed by its first look-up: the second time, in the same pass, there is no such attestation.
#[test]
fn an_attestation_that_counted_is_not_there_a_second_time() {
    let (book, id) = settled(&settling(Resolved::NO));
    // Shown beside an ask it counts and writes nothing; shown again at the resolver it is gone.
    let ended = Case::new()
        .with(|input| input.attestations(book.clone()))
        .says(attesting(PolicyRuling::Ask, Some(id), None))
        .says(answered(Resolved::YES, Some(id)))
        .finish();
    assert_eq!(
        story(&ended),
        "allow ask_resolution; yes by person, owed to policy"
    );
    assert_eq!(ignored(&ended), 2);
    assert_eq!(
        whys(&ended),
        [
            "the policy asks, and an ask settles nothing",
            "no such attestation, or it was looked up before",
        ]
    );
}

#[test]
fn an_attestation_that_did_not_count_is_not_there_a_second_time_either() {
    // A yes for other args does not count at 6; the edit at 21 would make it count, if it were
    // still there.
    let (book, id) = settled_about(
        Call {
            args: args(OTHER),
            ..call()
        },
        delegate_yes(),
    );
    let ended = Case::new()
        .with(|input| input.attestations(book))
        .says(attesting(UNSTATED, Some(id), None))
        .says(policy(UNSTATED, None))
        .says(answered(edits(OTHER), Some(id)))
        .finish();
    assert_eq!(
        story(&ended),
        "allow ask_resolution; yes by person, edited, owed to unstated"
    );
    assert_eq!(
        whys(&ended),
        [
            "the yes was given for other args",
            "no such attestation, or it was looked up before",
        ]
    );
}

#[test]
fn an_id_that_is_in_no_book_counts_for_nothing() {
    let unknown = AttestationId::from(Digest::of(b"made up"));
    for ruling in [STATED, PolicyRuling::Deny] {
        let ended = rules_with(ruling, &AttestationBook::new(), unknown).finish();
        assert_eq!(ended.record().fields().settled, None);
        assert_eq!(
            whys(&ended),
            ["no such attestation, or it was looked up before"]
        );
    }
}

/// Source: G059.
#[test]
fn each_kind_of_attestation_counts_only_in_its_own_place() {
    let (book, [settlement, round]) = book([
        &settling(Resolved::YES),
        &classifying(ClassifierRuling::Unavailable),
    ]);
    let swapped = Adjudication {
        judgements: vec![judgement(PolicyRuling::Deny)],
        settlement: round.round,
        round: settlement.settlement,
        ..Adjudication::default()
    };
    let ended = Case::new()
        .with(|input| input.attestations(book))
        .says(Answer::Adjudicate(Ok(swapped)))
        .finish();
    assert_eq!(story(&ended), "deny policy");
    assert_eq!(ended.outcome().cause(), None);
    assert_eq!(ended.outcome().inherited_classifier(), None);
    assert_eq!(
        whys(&ended),
        [
            "it attests a classifier round, not a settlement",
            "it attests a settlement, not a classifier round",
        ]
    );
}

/// Source: G055–G057.
#[test]
fn a_rounds_cause_is_written_only_when_the_policy_refuses() {
    let causes = [
        (
            ClassifierRuling::Unavailable,
            Some(ClassifierCause::Unavailable),
        ),
        (
            ClassifierRuling::ParseError,
            Some(ClassifierCause::ParseError),
        ),
        (ClassifierRuling::Block, None),
    ];
    for (ruling, cause) in causes {
        for (verdict, by, expected) in [
            (PolicyRuling::Deny, "deny policy", cause),
            (STATED, "allow policy", None),
            (
                PolicyRuling::Ask,
                "deny ask_resolution; unanswered: nobody, owed to policy",
                None,
            ),
        ] {
            let ended = inheriting(verdict, ruling).finish();
            assert_eq!(story(&ended), by, "{ruling} beside {verdict:?}");
            assert_eq!(
                ended.outcome().cause(),
                expected,
                "{ruling} beside {verdict:?}"
            );
            let inherited = ended.outcome().inherited_classifier();
            assert_eq!(inherited, Some(&round()), "{ruling} beside {verdict:?}");
            assert_eq!(ended.outcome().classifier(), None);
        }
    }
    // Refused by a later layer, the call has no cause either.
    let ended = inheriting(STATED, ClassifierRuling::Unavailable)
        .org(OrgRuling::Deny)
        .finish();
    assert_eq!(story(&ended), "deny org");
    assert_eq!(ended.outcome().cause(), None);
}

#[test]
fn a_round_attests_no_allow() {
    let ended = inheriting(UNSTATED, ClassifierRuling::Allow).finish();
    assert_eq!(
        story(&ended),
        "deny ask_resolution; unanswered: nobody, owed to unstated"
    );
    assert_eq!(ended.outcome().inherited_classifier(), Some(&round()));
}

/// A round without names is still a round: its cause counts. Source: G057.
#[test]
fn a_round_whose_names_nobody_vouches_for_still_has_its_cause() {
    let nameless = Case::new()
        .mode(Mode::Auto)
        .says(Answer::Classify(Ok(Classification {
            ruling: ClassifierRuling::Unavailable,
            round: None,
            reason: None,
        })));
    let (book, [ids]) = book([&nameless]);
    let ended = showing_round(PolicyRuling::Deny, book, ids.round).finish();
    assert_eq!(ended.outcome().cause(), Some(ClassifierCause::Unavailable));
    assert_eq!(ended.outcome().inherited_classifier(), None);
}

#[test]
fn a_pass_that_settled_and_classified_nothing_attests_nothing() {
    for case in [
        Case::new().policy(STATED),
        Case::new().policy(PolicyRuling::Deny),
    ] {
        let (book, [ids]) = book([&case]);
        assert_eq!(ids, AttestedIds::default());
        assert_eq!((book.len(), book.sequence()), (0, 0));
    }
}

/// A vetoed yes was consumed, and can be shown. Source: G021.
#[test]
fn a_vetoed_yes_is_attested_as_a_yes() {
    let vetoed = Case::new()
        .says(Answer::Org(Ok(vec![judgement(OrgRuling::None)])))
        .says(Answer::Org(Ok(vec![judgement(OrgRuling::Deny)])))
        .resolves(edits(OTHER));
    assert_eq!(
        ends(&vetoed),
        "deny org; yes by person, edited, owed to unstated"
    );
    let (book, id) = settled(&vetoed);
    // It was given for the edited args, not for those the model asked about.
    assert_eq!(ends(&allows_with(&book, id)), "allow policy");
    let edited = Case::new()
        .with(|input| input.attestations(book))
        .says(attesting(STATED, Some(id), Some(OTHER)));
    assert_eq!(
        ends(&edited),
        "allow policy; yes by person, edited, owed to unstated"
    );
}

#[test]
fn attesting_strikes_out_what_the_pass_looked_up() {
    let (mut book, [used, kept]) = book([&settling(Resolved::YES), &settling(Resolved::NO)]);
    let (used, kept) = (used.settlement.unwrap(), kept.settlement.unwrap());
    assert_ne!(used, kept);
    let ended = allows_with(&book, used).finish();
    assert_eq!((book.len(), book.sequence()), (2, 2));
    let ids = book.attest(&ended).unwrap();
    assert_eq!((book.len(), book.sequence()), (2, 3));
    // The used one is gone; the other is there, and so is what the pass settled itself.
    assert_eq!(ends(&allows_with(&book, used)), "allow policy");
    let no = "deny ask_resolution; no by person, owed to unstated";
    assert_eq!(ends(&allows_with(&book, kept)), no);
    assert_eq!(ends(&allows_with(&book, ids.settlement.unwrap())), YES);
}

#[test]
fn the_same_pass_attested_twice_has_two_ids() {
    let ended = settling(Resolved::YES).finish();
    let mut book = AttestationBook::new();
    let first = book.attest(&ended).unwrap();
    let second = book.attest(&ended).unwrap();
    assert_ne!(first.settlement, second.settlement);
    assert_eq!(book.len(), 2);
}

#[test]
fn a_full_book_takes_no_more_and_is_unchanged() {
    let ended = settling(Resolved::YES).finish();
    let mut book = AttestationBook::new();
    for _ in 0..gatefold::limits::BOOK_ENTRIES_MAX {
        book.attest(&ended).unwrap();
    }
    let before = book.clone();
    let error = book.attest(&ended).unwrap_err();
    assert_eq!((error, error.code()), (AttestError::BookFull, "book_full"));
    assert_eq!(book, before);
    // A pass that looked one up makes room for its own.
    let id = first_id(&ended);
    let using = allows_with(&before, id).finish();
    assert_eq!(story(&using), YES);
    book.attest(&using).unwrap();
    assert_eq!(book.len(), gatefold::limits::BOOK_ENTRIES_MAX);
}

/// The id under which the first entry of a book stands: it depends on what is attested alone.
fn first_id(ended: &Finished) -> AttestationId {
    AttestationBook::new()
        .attest(ended)
        .unwrap()
        .settlement
        .unwrap()
}

/// What counts when a parked pass goes on: the newer book, beside what was not looked up yet.
#[test]
fn resuming_joins_the_books() {
    let (early, id) = settled(&settling(delegate_yes()));
    let parked = |book: &AttestationBook| {
        Case::new()
            .with(|input| input.attestations(book.clone()))
            .says(Answer::Park(Ok(Parking::Parked)))
    };
    let empty = AttestationBook::new();
    for (name, begun, resumed) in [
        ("known at entry", &early, &empty),
        ("known when resumed", &empty, &early),
        ("known both times", &early, &early),
    ] {
        let ended = resume(
            &parked(begun),
            &parked(resumed),
            answered(Resolved::NO, Some(id)),
        );
        assert_eq!(
            story(&ended),
            "allow ask_resolution; yes by delegate, owed to unstated",
            "{name}"
        );
    }
}

#[test]
fn resuming_does_not_bring_back_what_was_looked_up() {
    let (book, id) = settled(&settling(Resolved::NO));
    let parked = Case::new()
        .with(|input| input.attestations(book))
        .says(attesting(PolicyRuling::Ask, Some(id), None))
        .says(Answer::Park(Ok(Parking::Parked)));
    let ended = resume(&parked, &parked, answered(Resolved::YES, Some(id)));
    assert_eq!(
        story(&ended),
        "allow ask_resolution; yes by person, owed to policy"
    );
    assert_eq!(
        whys(&ended)[1],
        "no such attestation, or it was looked up before"
    );
}

fn delegate_yes() -> Resolved {
    Resolved::Yes {
        by: Answerer::Delegate,
        edit: None,
        remember: None,
    }
}

/// A book with what this call's own pass settled.
fn settled_about(call: Call, shown: Resolved) -> (AttestationBook, AttestationId) {
    let input = GateInput::builder(call)
        .wire(Seat::Resolve)
        .build()
        .unwrap();
    let ended = settling(shown).run_from(begin(input)).finished();
    let mut book = AttestationBook::new();
    let id = book.attest(&ended).unwrap().settlement.unwrap();
    (book, id)
}

fn delegated_about(call: Call) -> (AttestationBook, AttestationId) {
    settled_about(call, delegate_yes())
}

fn answered(shown: Resolved, attested: Option<AttestationId>) -> Answer {
    Answer::Resolve(Ok(Resolution { shown, attested }))
}

/// A case whose resolver shows this and attests that.
fn resolving(book: &AttestationBook, shown: Resolved, attested: AttestationId) -> Case {
    Case::new()
        .with(|input| input.attestations(book.clone()))
        .says(answered(shown, Some(attested)))
}

/// A case whose policy says this and shows an ancestor's round that ruled so.
fn inheriting(verdict: PolicyRuling, ruling: ClassifierRuling) -> Case {
    let (book, [ids]) = book([&classifying(ruling)]);
    showing_round(verdict, book, ids.round)
}

fn showing_round(
    verdict: PolicyRuling,
    book: AttestationBook,
    round: Option<AttestationId>,
) -> Case {
    let answer = Adjudication {
        judgements: vec![judgement(verdict)],
        round: Some(round.unwrap()),
        ..Adjudication::default()
    };
    Case::new()
        .with(|input| input.attestations(book))
        .says(Answer::Adjudicate(Ok(answer)))
}

/// Parks the one case and resumes it with the input of the other.
fn resume(parked: &Case, now: &Case, answer: Answer) -> Finished {
    let suspended = parked.run().suspended();
    let mut tickets = TicketBook::new();
    tickets.open(&suspended.ticket).unwrap();
    let step = suspended
        .parked
        .resume(&suspended.ticket, &mut tickets, &now.input())
        .unwrap();
    Case::new().says(answer).run_from(step).finished()
}

fn ignored(ended: &Finished) -> usize {
    times(ended, NoticeWord::AttestationIgnored)
}

/// Why attestations were ignored, in order.
fn whys(ended: &Finished) -> Vec<&str> {
    let notices = ended.notices().iter();
    let ignored = notices.filter(|notice| notice.notice == NoticeWord::AttestationIgnored);
    ignored
        .map(|notice| notice.text.as_ref().unwrap().as_str())
        .collect()
}
