//! §1: what leaves the process is sealed, and books are used once and only ever grow.

use gatefold::gate::*;

use crate::case::*;
use crate::prior::{classifying, settled, settling};
use crate::tell::{runs, story};

fn key() -> SealKey {
    SealKey::new(&[7; 32]).unwrap()
}

fn other_key() -> SealKey {
    SealKey::new(&[8; 32]).unwrap()
}

/// A value of each kind, sealed.
fn sealed() -> Vec<(SealedKind, String)> {
    let suspended = parking().run().suspended();
    let mut book = TicketBook::new();
    book.open(&suspended.ticket).unwrap();
    let (attestations, _) = settled(&settling(Resolved::YES));
    let pass = Case::new().resolves(Resolved::YES).run_to(Seat::Resolve);
    let record = Case::new().finish().record();
    vec![
        (SealedKind::Pass, pass.save(&key()).unwrap()),
        (SealedKind::Parked, suspended.parked.save(&key()).unwrap()),
        (SealedKind::Ticket, suspended.ticket.save(&key()).unwrap()),
        (SealedKind::TicketBook, book.save(&key()).unwrap()),
        (
            SealedKind::AttestationBook,
            attestations.save(&key()).unwrap(),
        ),
        (SealedKind::Receipt, record.seal(&key()).unwrap()),
        (
            SealedKind::Image,
            key().seal_image(1, &vec!["allow".to_owned()]).unwrap(),
        ),
    ]
}

/// Opens sealed bytes as a kind; the code if they are refused, and else the value sealed again.
fn open(kind: SealedKind, text: &str, key: &SealKey) -> Result<String, &'static str> {
    let code = |error: SealError| error.code();
    match kind {
        SealedKind::Pass => Pass::load(text, key).and_then(|pass| pass.save(key)),
        SealedKind::Parked => Parked::load(text, key).and_then(|parked| parked.save(key)),
        SealedKind::Ticket => Ticket::load(text, key).and_then(|ticket| ticket.save(key)),
        SealedKind::TicketBook => TicketBook::load(text, key).and_then(|book| book.save(key)),
        SealedKind::AttestationBook => {
            AttestationBook::load(text, key).and_then(|book| book.save(key))
        }
        SealedKind::Receipt => Record::open(text, key).and_then(|record| record.seal(key)),
        SealedKind::Image => {
            let opened = key.open_image::<Vec<String>>(1, text);
            opened.and_then(|value| key.seal_image(1, &value))
        }
    }
    .map_err(code)
}

#[test]
fn each_kind_opens_as_itself_and_seals_to_the_same_bytes() {
    let sealed = sealed();
    let kinds: Vec<_> = sealed.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, SealedKind::ALL);
    for (kind, text) in sealed {
        assert!(text.starts_with(&format!("gatefold/{kind}/1 ")), "{text}");
        assert_eq!(open(kind, &text, &key()), Ok(text.clone()), "{kind}");
    }
}

#[test]
fn no_kind_opens_as_another() {
    for (kind, text) in sealed() {
        for wanted in SealedKind::ALL {
            if *wanted != kind {
                assert_eq!(
                    open(*wanted, &text, &key()),
                    Err("wrong_kind"),
                    "{kind} as {wanted}"
                );
            }
            // Relabelled, the seal does not hold.
            let relabelled = text.replacen(
                &format!("gatefold/{kind}/"),
                &format!("gatefold/{wanted}/"),
                1,
            );
            if *wanted != kind {
                assert_eq!(
                    open(*wanted, &relabelled, &key()),
                    Err("bad_seal"),
                    "{kind} as {wanted}"
                );
            }
        }
    }
}

#[test]
fn another_schema_another_key_and_another_body_are_refused() {
    for (kind, text) in sealed() {
        let schema = text.replacen(&format!("{kind}/1 "), &format!("{kind}/2 "), 1);
        assert_eq!(open(kind, &schema, &key()), Err("wrong_schema"), "{kind}");
        assert_eq!(open(kind, &text, &other_key()), Err("bad_seal"), "{kind}");
        let body = format!("{text} ");
        assert_eq!(open(kind, &body, &key()), Err("bad_seal"), "{kind}");
        let (line, body) = text.split_once('\n').unwrap();
        let (header, mac) = line.split_once(' ').unwrap();
        let flipped: String = mac
            .chars()
            .map(|c| if c == '0' { '1' } else { '0' })
            .collect();
        let forged = format!("{header} {flipped}\n{body}");
        assert_eq!(open(kind, &forged, &key()), Err("bad_seal"), "{kind}");
        assert_eq!(open(kind, body, &key()), Err("not_sealed"), "{kind}");
    }
}

/// A yes for a no, under a seal that does not hold.
#[test]
fn a_receipt_whose_verdict_was_changed_does_not_open() {
    let receipt = Case::new().finish().record().seal(&key()).unwrap();
    let changed = receipt.replacen(r#""verdict":"deny""#, r#""verdict":"allow""#, 1);
    assert_ne!(receipt, changed);
    assert_eq!(open(SealedKind::Receipt, &changed, &key()), Err("bad_seal"));
}

/// Saving and loading at every question changes nothing.
#[test]
fn a_pass_saved_and_loaded_at_every_question_ends_as_it_would_have() {
    let (book, id) = settled(&settling(Resolved::NO));
    let shows = Facts {
        shows_content: true,
        ..Facts::UNKNOWN
    };
    let case = Case::new()
        .with(|input| input.attestations(book).leg("[leg]"))
        .mode(Mode::Auto)
        .guard("g")
        .hooks(&[("g", rewrites(HookDecision::Ask, OTHER))])
        .facts(shows)
        .policy(UNSTATED)
        .says(Answer::Rules(Err(SeatFailure::threw("x"))))
        .says(Answer::Present(Ok(Presented::Shown(args(OTHER).digest()))))
        .says(Answer::Park(Ok(Parking::Failed("y".into()))))
        .says(Answer::Resolve(Ok(Resolution {
            shown: Resolved::YES,
            attested: Some(id),
        })));
    let plain = case.run();
    let questions = plain.asked.clone();
    let plain = plain.finished();
    let mut asked = 0;
    let ended = case.run_through(|pass| {
        assert_eq!(*pass.question(), questions[asked]);
        asked += 1;
        let loaded = Pass::load(&pass.save(&key()).unwrap(), &key()).unwrap();
        assert_eq!(
            loaded.pending(),
            pass.pending(),
            "{}",
            pass.question().seat()
        );
        loaded
    });
    let ended = ended.finished();
    assert_eq!(asked, questions.len());
    assert_eq!(
        story(&ended),
        "deny ask_resolution; no by person, owed to rule"
    );
    assert_eq!(story(&ended), story(&plain));
    assert_eq!(ended.record(), plain.record());
    assert_eq!(ended.notices(), plain.notices());
    assert_eq!(ended.reason(), plain.reason());
    assert_eq!(ended.trace(), plain.trace());
}

/// Notices share their args where they are the same, and keep them apart where they are not.
#[test]
fn saved_notices_keep_each_its_own_args() {
    let threw = || SeatFailure::threw("no answer");
    let case = Case::new().guard("a").observer("o");
    let case = case.hooks(&[
        ("a", rewrites(HookDecision::None, OTHER)),
        ("o", said(HookDecision::Deny)),
    ]);
    let case = case
        .says(Answer::Probe(Err(threw())))
        .says(Answer::Egress(Err(threw())))
        .says(Answer::Park(Ok(Parking::Declined)));
    let plain = case.finish();
    let saved = case
        .run_through(|pass| Pass::load(&pass.save(&key()).unwrap(), &key()).unwrap())
        .finished();
    assert_eq!(saved.notices(), plain.notices());
    let about: Vec<_> = plain
        .notices()
        .iter()
        .map(|notice| notice.args.as_str())
        .collect();
    assert!(
        about.contains(&ASKED) && about.contains(&OTHER),
        "{about:?}"
    );
}

#[test]
fn a_parked_pass_with_its_ticket_and_book_goes_on_in_another_process() {
    let case = parking();
    let Suspended { ticket, parked } = case.run().suspended();
    let mut book = TicketBook::new();
    book.open(&ticket).unwrap();
    let ticket = Ticket::load(&ticket.save(&key()).unwrap(), &key()).unwrap();
    let parked = Parked::load(&parked.save(&key()).unwrap(), &key()).unwrap();
    let mut book = TicketBook::load(&book.save(&key()).unwrap(), &key()).unwrap();
    let step = parked.resume(&ticket, &mut book, &case.input()).unwrap();
    let ended = Case::new()
        .resolves(Resolved::YES)
        .run_from(step)
        .finished();
    assert_eq!(
        story(&ended),
        "allow ask_resolution; yes by person, owed to unstated"
    );
    assert_eq!(runs(&ended), Some(ASKED));
}

#[test]
fn an_attestation_book_counts_after_it_was_saved_and_loaded() {
    let (book, id) = settled(&settling(Resolved::NO));
    let loaded = AttestationBook::load(&book.save(&key()).unwrap(), &key()).unwrap();
    assert_eq!(loaded, book);
    let ended = crate::prior::allows_with(&loaded, id).finish();
    assert_eq!(
        story(&ended),
        "deny ask_resolution; no by person, owed to unstated"
    );
}

/// Grows by one with every change, and with nothing else: a lower one is an older one.
#[test]
fn a_ticket_books_sequence_counts_its_changes() {
    let case = parking();
    let Suspended { ticket, parked } = case.run().suspended();
    let mut book = TicketBook::new();
    assert_eq!((book.sequence(), book.state(&ticket)), (0, None));
    book.open(&ticket).unwrap();
    assert_eq!(
        (book.sequence(), book.state(&ticket)),
        (1, Some(TicketState::Open))
    );
    book.open(&ticket).unwrap();
    assert_eq!(book.sequence(), 1);
    let _cancelled = parked.cancel(&ticket, &mut book).unwrap();
    assert_eq!(
        (book.sequence(), book.state(&ticket)),
        (2, Some(TicketState::Settled))
    );
    let error = book.open(&ticket).unwrap_err();
    assert_eq!(
        (error, error.code()),
        (BookError::Settled, "ticket_settled")
    );
    assert_eq!(book.sequence(), 2);
}

#[test]
fn an_attestation_books_sequence_counts_its_entries() {
    let mut book = AttestationBook::new();
    assert_eq!(book.sequence(), 0);
    book.attest(&settling(Resolved::YES).finish()).unwrap();
    assert_eq!(book.sequence(), 1);
    // A round and a settlement: two entries of one pass.
    let both = classifying(ClassifierRuling::Ask).finish();
    let ids = book.attest(&both).unwrap();
    assert!(ids.settlement.is_some() && ids.round.is_some());
    assert_eq!((book.sequence(), book.len()), (3, 3));
}

fn parking() -> Case {
    Case::new().says(Answer::Park(Ok(Parking::Parked)))
}
