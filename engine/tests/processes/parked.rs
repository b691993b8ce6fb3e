//! Parked passes: resumed elsewhere, once, and only if nothing they stand on has changed.

use gatefold::gate::*;

use crate::child;
use crate::folder::{Folder, Task, key};
use crate::host::{Host, Stop, undisturbed};
use crate::scripts;

#[test]
fn a_parked_pass_ends_elsewhere_as_if_undisturbed() {
    for (place, host, stop) in parks() {
        let folder = Folder::new(&format!("parked/{place}"));
        folder.leave(&host, &stop, Task::ToTheEnd);
        let expected = undisturbed(&host.script);
        assert_eq!(child::run(&folder), Some(expected), "{place}");
    }
}

#[test]
fn what_was_loaded_twice_is_resumed_once() {
    for (place, host, stop) in parks() {
        let folder = Folder::new(&format!("twice/{place}"));
        folder.leave(&host, &stop, Task::ToTheEnd);
        let (parked, ticket, job) = (
            folder.read("parked"),
            folder.read("ticket"),
            folder.read("job"),
        );
        let before = TicketBook::load(&folder.read("book"), &key()).unwrap();
        let first = child::run(&folder).unwrap();
        assert!(first.starts_with("finished\n"), "{place}: {first}");

        // The same files once more, beside the book as the first process left it.
        folder.write("parked", &parked);
        folder.write("ticket", &ticket);
        folder.write("job", &job);
        let book = folder.read("book");
        let second = child::run(&folder);
        assert_eq!(second.as_deref(), Some("refused ticket_settled"), "{place}");
        assert_eq!(
            folder.read("book"),
            book,
            "{place}: a refusal writes nothing"
        );

        // A book kept back from before is told by its sequence.
        let after = TicketBook::load(&book, &key()).unwrap();
        assert!(before.sequence() < after.sequence(), "{place}");
    }
}

#[test]
fn two_copies_in_one_process_and_one_book_are_resumed_once() {
    for (place, mut host, stop) in parks() {
        let Stop::Parked(ticket, parked) = stop else {
            unreachable!("parks are parked")
        };
        let (ticket, parked) = (ticket.save(&key()).unwrap(), parked.save(&key()).unwrap());
        let copy = || {
            let ticket = Ticket::load(&ticket, &key()).unwrap();
            (ticket, Parked::load(&parked, &key()).unwrap())
        };
        let now = host.script.input();
        let ((ticket_a, parked_a), (ticket_b, parked_b)) = (copy(), copy());
        assert!(parked_a.resume(&ticket_a, &mut host.book, &now).is_ok());
        let refused = parked_b.resume(&ticket_b, &mut host.book, &now);
        let refused = refused.expect_err(&place);
        assert_eq!(refused.code(), "ticket_settled");
        let cancelled = refused.into_parked().cancel(&ticket_b, &mut host.book);
        assert_eq!(cancelled.expect_err(&place).code(), "ticket_settled");
    }
}

#[test]
fn a_policy_changed_while_parked_makes_the_ticket_stale() {
    for (place, mut host, stop) in parks() {
        let folder = Folder::new(&format!("stale/{place}"));
        host.script.policy = Digest::of(b"another policy");
        folder.leave(&host, &stop, Task::ToTheEnd);
        let book = folder.read("book");
        let refused = child::run(&folder);
        assert_eq!(refused.as_deref(), Some("refused ticket_stale"), "{place}");
        assert_eq!(
            folder.read("book"),
            book,
            "{place}: a refusal writes nothing"
        );

        // What is left is to cancel it, which settles it.
        folder.leave(&host, &stop, Task::Cancel);
        let cancelled = child::run(&folder).unwrap();
        let unanswered = r#""denied_by":"ask_resolution""#;
        assert!(cancelled.contains(unanswered), "{place}: {cancelled}");
        assert!(
            cancelled.contains(r#""why":"aborted""#),
            "{place}: {cancelled}"
        );
        assert!(cancelled.contains("\nruns null\n"), "{place}: {cancelled}");
    }
}

#[test]
fn a_ticket_opens_no_other_pass() {
    let mut parks = parks();
    let (_, _, another) = parks.pop().unwrap();
    let Stop::Parked(foreign, _) = another else {
        unreachable!("parks are parked")
    };
    for (place, mut host, stop) in parks {
        let Stop::Parked(ticket, parked) = stop else {
            unreachable!("parks are parked")
        };
        let now = host.script.input();
        let refused = parked.resume(&foreign, &mut host.book, &now);
        let refused = refused.expect_err(&place);
        assert_eq!(refused.code(), "ticket_foreign", "{place}");
        let unopened = refused
            .into_parked()
            .resume(&ticket, &mut TicketBook::new(), &now);
        assert_eq!(unopened.expect_err(&place).code(), "ticket_not_opened");
    }
}

/// Every stop of every script at which the pass is parked.
fn parks() -> Vec<(String, Host, Stop)> {
    let mut parks = Vec::new();
    for script in scripts::all() {
        let mut host = Host::new(&script);
        let mut stop = host.begin();
        while !matches!(stop, Stop::Ended(_)) {
            if let Stop::Parked(ticket, parked) = &stop {
                let sealed = parked.save(&key()).unwrap();
                let copy = Parked::load(&sealed, &key()).unwrap();
                let place = format!("{}-{}", script.name, ticket.park());
                parks.push((place, host.clone(), Stop::Parked(ticket.clone(), copy)));
            }
            stop = host.go_on(stop);
        }
    }
    parks
}
