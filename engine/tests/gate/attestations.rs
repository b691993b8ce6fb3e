//! §4: what the engine vouches for across passes, and what of it counts. Source: G037–G038,
//! G045–G048, G055–G059.

use gatefold::gate::*;

use crate::case::*;
use crate::prior::*;
use crate::tell::{ends, runs, story};

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

/// Words that came with one ending do not explain another.
#[test]
fn the_words_of_what_is_shown_go_only_with_the_same_ending() {
    let no = |by| Resolved::No {
        by,
        reason: Some("not today".into()),
    };
    let timeout = Resolved::Unanswered(NoAnswer::Timeout);
    let asked = "; asked because nothing says that it may run";
    let rows = [
        (
            no(Answerer::Person),
            timeout.clone(),
            "nobody answered the ask in time",
        ),
        (
            no(Answerer::Delegate),
            Resolved::NO,
            "the person who was asked said no",
        ),
        (
            no(Answerer::Person),
            Resolved::NO,
            "the person who was asked said no: not today",
        ),
        (
            edits("not args"),
            timeout,
            "nobody answered the ask in time",
        ),
    ];
    for (shown, attested, expected) in rows {
        let (book, id) = settled(&settling(attested.clone()));
        let ended = resolving(&book, shown.clone(), id).finish();
        let reason = ended.reason().unwrap();
        assert_eq!(
            reason,
            format!("{expected}{asked}"),
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
