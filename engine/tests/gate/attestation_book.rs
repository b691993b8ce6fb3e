//! §4: the book that only the engine fills, and the classifier rounds in it. Source: G055–G057.

use gatefold::gate::*;

use crate::case::*;
use crate::prior::*;
use crate::tell::{ends, story};

const YES: &str = "allow policy; yes by person, owed to unstated";

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
    // One was struck and one entered, and each moves the sequence.
    assert_eq!((book.len(), book.sequence()), (2, 4));
    // What the pass settled itself is the yes it was shown, so that is what it attests.
    assert_eq!(ids.settlement, Some(used));
    let no = "deny ask_resolution; no by person, owed to unstated";
    assert_eq!(ends(&allows_with(&book, kept)), no);
    assert_eq!(ends(&allows_with(&book, ids.settlement.unwrap())), YES);
}

#[test]
fn the_same_pass_attested_twice_is_in_the_book_once() {
    let ended = settling(Resolved::YES).finish();
    let mut book = AttestationBook::new();
    let first = book.attest(&ended).unwrap();
    let second = book.attest(&ended).unwrap();
    assert_eq!(first, second);
    assert_eq!((book.len(), book.sequence()), (1, 1));
}

/// An id is shown as it stands on the wire: a host keeps it as text.
#[test]
fn a_book_says_whether_it_is_empty_and_an_id_shows_its_digest() {
    let (book, id) = settled(&settling(Resolved::YES));
    assert!(AttestationBook::new().is_empty());
    assert!(!book.is_empty());
    let wire = serde_json::to_string(&id).unwrap();
    assert_eq!(format!("\"{id}\""), wire);
}

/// A book without what was used is another book: an older one is told by its sequence.
#[test]
fn striking_out_moves_the_sequence_of_a_book() {
    let (mut book, id) = settled(&settling(Resolved::YES));
    assert_eq!((book.len(), book.sequence()), (1, 1));
    book.strike(&[id]);
    assert_eq!((book.len(), book.sequence()), (0, 2));
    book.strike(&[id]);
    assert_eq!(
        (book.len(), book.sequence()),
        (0, 2),
        "it was struck before"
    );
    assert_eq!(ends(&allows_with(&book, id)), "allow policy");
}

/// What counts when a parked pass goes on is the book as it is then: a yes that was struck out
/// while the pass was parked counts no more.
#[test]
fn resuming_takes_the_book_as_it_is_now() {
    let (early, id) = settled(&settling(delegate_yes()));
    let parked = |book: &AttestationBook| {
        Case::new()
            .with(|input| input.attestations(book.clone()))
            .says(Answer::Park(Ok(Parking::Parked)))
    };
    let empty = AttestationBook::new();
    let no = "deny ask_resolution; no by person, owed to unstated";
    let yes = "allow ask_resolution; yes by delegate, owed to unstated";
    for (name, begun, resumed, expected) in [
        ("struck while parked", &early, &empty, no),
        ("known when resumed", &empty, &early, yes),
        ("known both times", &early, &early, yes),
    ] {
        let ended = resume(
            &parked(begun),
            &parked(resumed),
            answered(Resolved::NO, Some(id)),
        );
        assert_eq!(story(&ended), expected, "{name}");
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

/// The id under which the first entry of a book stands: it depends on what is attested alone.
/// A cause belongs to the round it is the cause of: an ancestor's, where the policy refused.
#[test]
fn an_own_round_is_never_attested_with_an_inherited_cause() {
    let own = ClassifierRound {
        asked: "own".into(),
        answered: "own".into(),
    };
    let unavailable = book([&classifying(ClassifierRuling::Unavailable)]);
    let (inherited, [ids]) = unavailable;
    let denies = Answer::Adjudicate(Ok(Adjudication {
        judgements: vec![judgement(PolicyRuling::Deny)],
        round: ids.round,
        ..Adjudication::default()
    }));
    let both = Case::new()
        .mode(Mode::Auto)
        .with(|input| input.attestations(inherited))
        .policy(UNSTATED)
        .says(denies)
        .says(Answer::Classify(Ok(Classification {
            round: Some(own.clone()),
            ..classification(ClassifierRuling::Ask)
        })))
        .resolves(edits(OTHER))
        .finish();
    assert_eq!(both.outcome().cause(), Some(ClassifierCause::Unavailable));
    assert_eq!(both.outcome().classifier(), Some(&own));
    let mut after = AttestationBook::new();
    let shown = after.attest(&both).unwrap().round;
    let child = Case::new()
        .with(|input| input.attestations(after))
        .says(Answer::Adjudicate(Ok(Adjudication {
            judgements: vec![judgement(PolicyRuling::Deny)],
            round: shown,
            ..Adjudication::default()
        })))
        .finish();
    assert_eq!(child.outcome().cause(), Some(ClassifierCause::Unavailable));
    assert_eq!(child.outcome().inherited_classifier(), Some(&round()));
}

/// Its own classifier refused and nobody vouches for its name: the name of an ancestor's would be
/// that of a classifier which ruled.
#[test]
fn a_cause_without_a_name_is_not_handed_on_under_an_inherited_one() {
    let nameless = Answer::Classify(Ok(Classification {
        round: None,
        ..classification(ClassifierRuling::Unavailable)
    }));
    let both = inheriting(UNSTATED, ClassifierRuling::Allow)
        .mode(Mode::Auto)
        .says(nameless)
        .finish();
    assert_eq!(both.outcome().denied_by(), Some(DeniedBy::Classifier));
    assert_eq!(both.outcome().inherited_classifier(), Some(&round()));
    let mut after = AttestationBook::new();
    let shown = after.attest(&both).unwrap().round;
    let child = showing_round(PolicyRuling::Deny, after, shown).finish();
    assert_eq!(child.outcome().cause(), Some(ClassifierCause::Unavailable));
    assert_eq!(child.outcome().inherited_classifier(), None);
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
