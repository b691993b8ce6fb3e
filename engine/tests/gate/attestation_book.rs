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

/// The id under which the first entry of a book stands: it depends on what is attested alone.
fn first_id(ended: &Finished) -> AttestationId {
    AttestationBook::new()
        .attest(ended)
        .unwrap()
        .settlement
        .unwrap()
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
