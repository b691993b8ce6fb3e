//! §11: an ask taken durably away, and its single use. Source: G088, G099, G111.

use gatefold::gate::*;

use crate::case::*;
use crate::tell::{ends, runs, story};

/// A case that parks its ask.
fn parking() -> Case {
    Case::new().says(Answer::Park(Ok(Parking::Parked)))
}

/// It, parked, with a book in which its ticket is open.
fn parked(case: &Case) -> (Ticket, Parked, TicketBook) {
    let Suspended { ticket, parked } = case.run().suspended();
    let mut book = TicketBook::new();
    book.open(&ticket).unwrap();
    (ticket, parked, book)
}

/// Another copy, as it comes back from where it was saved.
fn copy(parked: &Parked) -> Parked {
    Parked::load(&parked.save(&key()).unwrap(), &key()).unwrap()
}

fn key() -> SealKey {
    SealKey::new(&[7; 32]).unwrap()
}

fn refused(result: Result<Step, ParkMisuse>) -> (ParkMisuseKind, Parked) {
    let misuse = result.unwrap_err();
    (misuse.kind(), misuse.into_parked())
}

#[test]
fn a_parked_pass_mints_nothing_and_stands_as_an_ask() {
    let ended = parking().run();
    assert_eq!(ended.seats(), [Seat::Park]);
    let Suspended { ticket, parked } = ended.suspended();
    let record = parked.record();
    assert_eq!(record.fields().verdict, Verdict::Ask);
    assert_eq!(record.fields().ticket, Some(ticket.id()));
    assert_eq!(ticket.call(), "c1");
    assert_eq!(ticket.args(), args(ASKED).digest());
    assert_eq!(ticket.park(), 1);
}

#[test]
fn a_parked_pass_tells_the_stations_it_passed_and_who_objects() {
    let case = parking().rules(RuleRuling::Ask);
    let (ticket, parked, mut book) = parked(&case);
    let causes: Vec<_> = parked.causes().iter().map(|asker| asker.cause).collect();
    assert_eq!(causes, [Cause::Unstated, Cause::Rule]);
    let so_far = parked.trace().expect("the case keeps a trace").clone();
    let last = so_far.steps().last().expect("stations were passed");
    assert_eq!(last.station, Station::Park);
    // The resumed pass goes on from there, and forgets nothing of it.
    let step = parked.resume(&ticket, &mut book, &case.input()).unwrap();
    let no = Answer::Resolve(Ok(Resolved::NO.into()));
    let ended = case.run_from(need(step).answer(no).unwrap()).finished();
    let whole = ended.trace().expect("the case keeps a trace").steps();
    assert!(whole.starts_with(so_far.steps()));
    let kept: Vec<_> = ended.causes().iter().map(|asker| asker.cause).collect();
    assert_eq!(kept, causes);
}

#[test]
fn a_parked_pass_without_a_trace_has_none() {
    let (_, parked, _) = parked(&parking().with(|input| input.trace(false)));
    assert!(parked.trace().is_none());
}

/// Content shown, an edited call, any other standing ask.
#[test]
fn an_ask_is_parked_at_one_of_three_sites() {
    let shows = Facts {
        shows_content: true,
        ..Facts::UNKNOWN
    };
    let shows_it = |text: &str| Answer::Present(Ok(Presented::Shown(args(text).digest())));
    let content = Case::new().facts(shows).says(shows_it(ASKED));
    let re_ask = Case::new()
        .policy(UNSTATED)
        .policy(PolicyRuling::Ask)
        .says(Answer::Park(Ok(Parking::Declined)))
        .resolves(edits(OTHER));
    // Content of an edited call is shown again, and that is what the site says.
    let edited_content = re_ask
        .clone()
        .facts(shows)
        .says(shows_it(ASKED))
        .says(shows_it(OTHER));
    // Nobody can show it: the ask goes on unshown, and stands like any other.
    let unwired = Case::new().facts(shows);
    for (name, case, site) in [
        ("standing", Case::new(), ParkSite::Standing),
        ("content", content, ParkSite::Content),
        ("re_ask", re_ask, ParkSite::ReAsk),
        ("content of an edit", edited_content, ParkSite::Content),
        ("content nobody shows", unwired, ParkSite::Standing),
    ] {
        let ended = case.says(Answer::Park(Ok(Parking::Parked))).run();
        let Some(Question::Park(question)) = ended.asked.last() else {
            panic!("{name}: it was parked last")
        };
        assert_eq!(question.site, site, "{name}");
        ended.suspended();
    }
}

/// Parked, declined, failed, threw, timed out, aborted, unwired.
#[test]
fn what_the_seat_says_parks_goes_on_or_ends() {
    let nobody = "deny ask_resolution; unanswered: nobody, owed to unstated";
    let rows = [
        (Ok(Parking::Declined), nobody, None),
        (Ok(Parking::Failed("full".into())), nobody, Some("full")),
        (Err(SeatFailure::threw("x")), nobody, Some("threw: x")),
        (Err(SeatFailure::TimedOut), nobody, Some("timed out")),
        (
            Err(SeatFailure::Aborted),
            "deny ask_resolution; unanswered: aborted, owed to unstated",
            None,
        ),
    ];
    for (reply, expected, failed) in rows {
        let ended = Case::new().says(Answer::Park(reply.clone())).finish();
        assert_eq!(story(&ended), expected, "{reply:?}");
        let reason = ended.reason().unwrap();
        assert_eq!(
            reason
                .split_once("was tried and failed: ")
                .map(|(_, why)| why),
            failed,
            "{reply:?}"
        );
    }
}

/// There is no interactive flag: the seat is asked though nobody could answer otherwise.
#[test]
fn parking_is_asked_though_no_resolver_is_wired() {
    assert_eq!(parking().run().seats(), [Seat::Park]);
    let wired = parking().resolves(Resolved::YES).run();
    assert_eq!(wired.seats(), [Seat::Park]);
}

#[test]
fn a_resumed_pass_asks_the_resolver_wired_or_not() {
    for case in [parking(), parking().resolves(Resolved::NO)] {
        let (ticket, parked, mut book) = parked(&case);
        let pass = need(parked.resume(&ticket, &mut book, &case.input()).unwrap());
        let Question::Resolve(question) = pass.question() else {
            panic!("a resumed pass goes on at 21")
        };
        assert!(question.resumed);
        assert_eq!(question.ask.args, args(ASKED));
        assert_eq!(book.state(&ticket), Some(TicketState::Settled));
        let step = pass
            .answer(Answer::Resolve(Ok(Resolved::YES.into())))
            .unwrap();
        let ended = case.run_from(step).finished();
        assert_eq!(
            story(&ended),
            "allow ask_resolution; yes by person, owed to unstated"
        );
        assert_eq!(ended.record().fields().ticket, Some(ticket.id()));
    }
}

/// The second copy finds the ticket settled, whatever became of the first.
#[test]
fn of_two_copies_one_goes_on_and_nothing_of_the_other_runs() {
    let case = parking();
    for first in ["resume", "cancel"] {
        for second in ["resume", "cancel"] {
            let (ticket, parked, mut book) = parked(&case);
            let twin = copy(&parked);
            let go_on = |parked: Parked, how: &str, book: &mut TicketBook| match how {
                "resume" => parked.resume(&ticket, book, &case.input()),
                _ => parked.cancel(&ticket, book),
            };
            let _first = go_on(parked, first, &mut book).unwrap();
            let before = book.clone();
            let (kind, _) = refused(go_on(twin, second, &mut book));
            assert_eq!(kind, ParkMisuseKind::Settled, "{first}, {second}");
            assert_eq!(book, before, "{first}, {second}");
        }
    }
}

#[test]
fn a_ticket_that_was_not_opened_is_refused_and_can_be_opened_then() {
    let case = parking();
    let Suspended { ticket, parked } = case.run().suspended();
    let mut book = TicketBook::new();
    let (kind, parked) = refused(parked.resume(&ticket, &mut book, &case.input()));
    assert_eq!(kind, ParkMisuseKind::NotOpened);
    // A log tells which call waits, and not with what args.
    let logged = format!("{parked:?}");
    assert!(
        logged.contains("Parked") && logged.contains(&*call().id),
        "{logged}"
    );
    assert!(!logged.contains("make"), "{logged}");
    let (kind, parked) = refused(parked.cancel(&ticket, &mut book));
    assert_eq!(kind, ParkMisuseKind::NotOpened);
    assert_eq!(book.sequence(), 0);
    book.open(&ticket).unwrap();
    assert!(parked.resume(&ticket, &mut book, &case.input()).is_ok());
}

#[test]
fn a_foreign_ticket_is_refused() {
    let (ticket, parked, mut book) = parked(&parking());
    let other = Case::of(Call {
        id: "c2".into(),
        ..call()
    });
    let other = other.says(Answer::Park(Ok(Parking::Parked)));
    let foreign = other.run().suspended().ticket;
    book.open(&foreign).unwrap();
    assert_ne!(foreign.id(), ticket.id());
    let before = book.clone();
    let (kind, parked) = refused(parked.resume(&foreign, &mut book, &parking().input()));
    assert_eq!(kind, ParkMisuseKind::Foreign);
    let (kind, _) = refused(parked.cancel(&foreign, &mut book));
    assert_eq!(kind, ParkMisuseKind::Foreign);
    assert_eq!(book, before);
}

/// What the ticket is bound to, and what it is not.
#[test]
fn a_ticket_is_stale_once_what_the_pass_was_begun_with_has_changed() {
    type Change = fn(GateInputBuilder) -> GateInputBuilder;
    let stale: [(&str, Change); 9] = [
        ("mode", |input| input.mode(Mode::Bypass)),
        ("lock", |input| input.lock(true)),
        ("agent", |input| input.agent("a")),
        ("lineage", |input| input.ancestor(Member::default())),
        ("unstated", |input| input.unstated(Unstated::Allow)),
        ("denials", |input| input.denials(1)),
        ("settings", |input| {
            input.settings(Settings {
                edit_cap: 1,
                ..Settings::default()
            })
        }),
        ("policy", |input| input.policy(Digest::of(b"new"))),
        ("facts", |input| input.facts(Digest::of(b"new"))),
    ];
    for (name, change) in stale {
        let (ticket, parked, mut book) = parked(&parking());
        let now = parking().with(change).input();
        let before = book.clone();
        let (kind, parked) = refused(parked.resume(&ticket, &mut book, &now));
        assert_eq!(kind, ParkMisuseKind::Stale, "{name}");
        assert_eq!(book, before, "{name}");
        // It can only be cancelled, which settles it.
        let step = parked.cancel(&ticket, &mut book).unwrap();
        let ended = parking().run_from(step).finished();
        let cancelled = "deny ask_resolution; unanswered: aborted, owed to unstated";
        assert_eq!(story(&ended), cancelled, "{name}");
        assert_eq!(book.state(&ticket), Some(TicketState::Settled), "{name}");
    }
    let fresh: [(&str, Change); 4] = [
        ("time", |input| input.time(77)),
        ("wiring", |input| input.wire(Seat::Resolve).wire(Seat::Org)),
        ("attestations", |input| {
            input.attestations(AttestationBook::new())
        }),
        ("trace", |input| input.trace(false)),
    ];
    for (name, change) in fresh {
        let (ticket, parked, mut book) = parked(&parking());
        let now = parking().with(change).input();
        assert!(parked.resume(&ticket, &mut book, &now).is_ok(), "{name}");
    }
}

#[test]
fn a_call_with_other_args_makes_a_ticket_stale() {
    let (ticket, parked, mut book) = parked(&parking());
    let now = Case::of(Call {
        args: args(OTHER),
        ..call()
    });
    let (kind, _) = refused(parked.resume(&ticket, &mut book, &now.input()));
    assert_eq!(kind, ParkMisuseKind::Stale);
}

/// Parked, resumed, edited, asked anew, parked again: a new ticket, and the old one is over.
#[test]
fn a_second_park_makes_a_new_ticket_and_ends_the_old_one() {
    let case = parking().policy(UNSTATED).policy(PolicyRuling::Ask);
    let (first, parked, mut book) = parked(&case);
    let pass = need(parked.resume(&first, &mut book, &case.input()).unwrap());
    let step = pass
        .answer(Answer::Resolve(Ok(edits(OTHER).into())))
        .unwrap();
    let again = Case::new()
        .policy(PolicyRuling::Ask)
        .says(Answer::Park(Ok(Parking::Parked)));
    let Suspended {
        ticket: second,
        parked,
    } = again.run_from(step).suspended();
    assert_ne!(first.id(), second.id());
    // An id is shown as it stands on the wire: a host keeps it as text.
    let wire = serde_json::to_string(&first.id()).unwrap();
    assert_eq!(format!("\"{}\"", first.id()), wire);
    assert_eq!((second.park(), second.args()), (2, args(OTHER).digest()));
    assert_eq!(parked.record().fields().ticket, Some(second.id()));
    book.open(&second).unwrap();
    let (kind, parked) = refused(parked.resume(&first, &mut book, &case.input()));
    assert_eq!(kind, ParkMisuseKind::Foreign);
    let pass = need(parked.resume(&second, &mut book, &case.input()).unwrap());
    let step = pass
        .answer(Answer::Resolve(Ok(Resolved::YES.into())))
        .unwrap();
    let ended = Case::new().run_from(step).finished();
    assert_eq!(
        story(&ended),
        "allow ask_resolution; yes by person, owed to edit"
    );
    assert_eq!(runs(&ended), Some(OTHER));
}

#[test]
fn cancelling_ends_the_ask_as_an_abort_does_and_tells_the_observer() {
    let (ticket, parked, mut book) = parked(&parking().resolves(Resolved::YES));
    let step = parked.cancel(&ticket, &mut book).unwrap();
    let ended = Case::new().run_from(step).finished();
    assert_eq!(
        story(&ended),
        "deny ask_resolution; unanswered: aborted, owed to unstated"
    );
    assert_eq!(notices(&ended), [NoticeWord::PermissionDenied]);
    assert_eq!(ended.exit(), ExitKind::Deny);
    assert_eq!(book.state(&ticket), Some(TicketState::Settled));
}

/// The ticket is spent by then: what was aborted does not come back.
#[test]
fn aborted_after_resuming_it_is_denied_and_over() {
    let case = parking();
    let (ticket, parked, mut book) = parked(&case);
    let twin = copy(&parked);
    let pass = need(parked.resume(&ticket, &mut book, &case.input()).unwrap());
    let ended = case.run_from(pass.abort()).finished();
    assert_eq!(
        story(&ended),
        "deny ask_resolution; unanswered: aborted, owed to unstated"
    );
    let (kind, _) = refused(twin.resume(&ticket, &mut book, &case.input()));
    assert_eq!(kind, ParkMisuseKind::Settled);
}

#[test]
fn a_call_without_an_ask_is_not_parked() {
    assert_eq!(ends(&parking().policy(STATED)), "allow policy");
    assert_eq!(ends(&parking().org(OrgRuling::Deny)), "deny org");
    assert_eq!(ends(&parking().mode(Mode::DontAsk)), "deny mode");
}

/// Each call of a parallel batch parks on its own.
#[test]
fn two_calls_park_under_two_tickets_in_one_book() {
    let batch = ["c1", "c2"].map(|id| {
        let of = Call {
            id: id.into(),
            ..call()
        };
        Case::of(of).says(Answer::Park(Ok(Parking::Parked)))
    });
    let mut book = TicketBook::new();
    let parked = batch.each_ref().map(|case| case.run().suspended());
    for suspended in &parked {
        book.open(&suspended.ticket).unwrap();
    }
    let [one, other] = parked;
    let step = one.parked.cancel(&one.ticket, &mut book).unwrap();
    assert_eq!(
        story(&batch[0].run_from(step).finished()),
        "deny ask_resolution; unanswered: aborted, owed to unstated"
    );
    assert_eq!(book.state(&other.ticket), Some(TicketState::Open));
    let now = batch[1].input();
    assert!(other.parked.resume(&other.ticket, &mut book, &now).is_ok());
}

fn need(step: Step) -> Pass {
    match step {
        Step::Need(pass) => pass,
        Step::Done(_) | Step::Defect(_) => panic!("no question is open"),
    }
}

/// It was resumed, so it is answered somewhere: the second ask goes there too.
#[test]
fn a_resumed_pass_asks_anew_about_an_edit_though_no_resolver_is_wired() {
    let case = parking().policy(UNSTATED).policy(PolicyRuling::Ask);
    let (ticket, parked, mut book) = parked(&case);
    let step = parked.resume(&ticket, &mut book, &case.input()).unwrap();
    let again = Case::new()
        .policy(PolicyRuling::Ask)
        .says(Answer::Park(Ok(Parking::Declined)))
        .resolves(edits(OTHER))
        .resolves(Resolved::YES);
    let ended = again.run_from(step);
    assert_eq!(
        ended.seats(),
        [Seat::Resolve, Seat::Adjudicate, Seat::Park, Seat::Resolve]
    );
    assert_eq!(
        story(&ended.finished()),
        "allow ask_resolution; yes by person, owed to edit"
    );
}

#[test]
fn every_misuse_of_a_ticket_says_what_is_wrong() {
    let mut said = Vec::new();
    for kind in ParkMisuseKind::ALL {
        let case = Case::new().says(Answer::Park(Ok(Parking::Parked)));
        let Suspended { ticket, parked } = case.run().suspended();
        let mut book = TicketBook::new();
        let refused = match kind {
            ParkMisuseKind::NotOpened => parked.cancel(&ticket, &mut book),
            ParkMisuseKind::Foreign => {
                let other = Case::new().mode(Mode::Auto);
                let other = other.says(Answer::Park(Ok(Parking::Parked)));
                let Suspended {
                    ticket: foreign, ..
                } = other.run().suspended();
                book.open(&foreign).unwrap();
                parked.cancel(&foreign, &mut book)
            }
            ParkMisuseKind::Settled => {
                book.open(&ticket).unwrap();
                let twin = case.run().suspended().parked;
                assert!(twin.cancel(&ticket, &mut book).is_ok());
                parked.cancel(&ticket, &mut book)
            }
            ParkMisuseKind::Stale => {
                book.open(&ticket).unwrap();
                let now = Case::new().mode(Mode::Auto).input();
                parked.resume(&ticket, &mut book, &now)
            }
        };
        let Err(error) = refused else {
            panic!("{kind}: it went on")
        };
        assert_eq!(error.kind(), *kind);
        said.push(error.to_string());
    }
    let words = [
        "another parked pass",
        "open it first",
        "settled before",
        "cancel it",
    ];
    for word in words {
        let saying = said.iter().filter(|sentence| sentence.contains(word));
        assert_eq!(saying.count(), 1, "{word}: {said:?}");
    }
}
