//! §11: how a parked pass goes on: with what is wired now, to the ask that was parked.

use gatefold::gate::*;

use crate::case::*;
use crate::tell::{ends, story};

fn parking() -> Case {
    Case::new().says(Answer::Park(Ok(Parking::Parked)))
}

fn parked(case: &Case) -> (Ticket, Parked, TicketBook) {
    let Suspended { ticket, parked } = case.run().suspended();
    let mut book = TicketBook::new();
    book.open(&ticket).unwrap();
    (ticket, parked, book)
}

/// A layer that was wired while the ask was parked is asked of what comes after.
#[test]
fn a_seat_that_was_wired_meanwhile_is_asked_in_the_edit_round() {
    let (ticket, parked, mut book) = parked(&parking());
    let now = Case::new()
        .org(OrgRuling::Deny)
        .says(Answer::Park(Ok(Parking::Declined)))
        .resolves(edits(OTHER));
    let step = parked.resume(&ticket, &mut book, &now.input()).unwrap();
    let ended = now.run_from(step);
    assert_eq!(ended.seats(), [Seat::Resolve, Seat::Org]);
    assert_eq!(
        story(&ended.finished()),
        "deny org; yes by person, edited, owed to unstated"
    );
}

/// A layer that is no longer wired is asked all the same, and fails closed if nobody answers it.
#[test]
fn a_seat_that_is_no_longer_wired_is_still_asked() {
    let (ticket, parked, mut book) = parked(&parking().org(OrgRuling::None));
    let step = parked
        .resume(&ticket, &mut book, &Case::new().input())
        .unwrap();
    let now = Case::new().org(OrgRuling::Deny).resolves(edits(OTHER));
    assert_eq!(
        story(&now.run_from(step).finished()),
        "deny org; yes by person, edited, owed to unstated"
    );
}

/// Two passes of one call that ask different things park under different tickets.
#[test]
fn a_ticket_is_of_the_ask_that_was_parked() {
    let unstated = parking();
    let policy = parking().policy(PolicyRuling::Ask);
    let (first, ..) = parked(&unstated);
    let (_, second, mut book) = parked(&policy);
    book.open(&first).unwrap();
    let misuse = second
        .resume(&first, &mut book, &policy.input())
        .unwrap_err();
    assert_eq!(misuse.kind(), ParkMisuseKind::Foreign);
}

/// What failed before is not said of an ask that was parked since.
#[test]
fn a_park_that_succeeds_ends_the_story_of_one_that_failed() {
    let failing = Case::new()
        .policy(UNSTATED)
        .policy(PolicyRuling::Ask)
        .says(Answer::Park(Ok(Parking::Failed("disk full".into()))))
        .says(Answer::Park(Ok(Parking::Parked)))
        .resolves(edits(OTHER));
    let (ticket, parked, mut book) = parked(&failing);
    let step = parked.resume(&ticket, &mut book, &failing.input()).unwrap();
    let Step::Need(pass) = step else {
        panic!("a resumed pass asks")
    };
    let Question::Resolve(question) = pass.question() else {
        panic!("it asks whoever can be asked")
    };
    assert_eq!(question.park_failed, None);
    let finished = Case::new()
        .resolves(Resolved::NO)
        .run_from(Step::Need(pass))
        .finished();
    let reason = finished.reason().unwrap();
    assert!(!reason.contains("disk full"), "{reason}");
}

/// A resolver that was cancelled is not one that the book can answer for.
#[test]
fn a_cancelled_resolver_ends_the_ask_whatever_was_attested() {
    let aborted = Case::new().says(Answer::Resolve(Err(SeatFailure::Aborted)));
    assert_eq!(
        ends(&aborted),
        "deny ask_resolution; unanswered: aborted, owed to unstated"
    );
}
