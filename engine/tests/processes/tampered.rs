//! What was sealed opens only as it was, as what it is, and under its own key.

use gatefold::gate::*;

use crate::child;
use crate::folder::{Folder, Task, key};
use crate::host::{Host, Stop};
use crate::scripts;

/// A changed byte in every part of the text: at every place of the header and the seal, and from
/// end to end of the body.
#[test]
fn a_byte_changed_anywhere_is_refused() {
    for (kind, sealed) in sealed_values() {
        let header = sealed.find('\n').unwrap();
        let stride = (sealed.len() / 500).max(1);
        let places = (0..=header).chain((header..sealed.len()).step_by(stride));
        for place in places.chain([sealed.len() - 1]) {
            let mut bytes = sealed.clone().into_bytes();
            bytes[place] ^= 1;
            let Ok(changed) = String::from_utf8(bytes) else {
                continue;
            };
            let code = load(kind, &changed, &key());
            if place > header {
                assert_eq!(code, Err("bad_seal"), "{kind} at {place}");
            }
            assert!(code.is_err(), "{kind} at {place}");
        }
    }
}

#[test]
fn a_cut_or_longer_text_is_refused() {
    for (kind, sealed) in sealed_values() {
        for longer in [
            format!("{sealed}\n"),
            format!("{sealed} "),
            format!(" {sealed}"),
        ] {
            assert!(load(kind, &longer, &key()).is_err(), "{kind}");
        }
        for end in [0, 1, sealed.len() / 2, sealed.len() - 1] {
            let cut = sealed.get(..end).unwrap_or_default();
            assert!(load(kind, cut, &key()).is_err(), "{kind} to {end}");
        }
    }
}

#[test]
fn another_key_opens_nothing() {
    let another = SealKey::new(b"thirty-two bytes, and others too").unwrap();
    for (kind, sealed) in sealed_values() {
        assert_eq!(load(kind, &sealed, &key()), Ok(()), "{kind}");
        assert_eq!(load(kind, &sealed, &another), Err("bad_seal"), "{kind}");
    }
}

#[test]
fn no_kind_opens_as_another_and_no_header_makes_it_one() {
    let values = sealed_values();
    for (kind, sealed) in &values {
        for (other, _) in &values {
            if kind == other {
                continue;
            }
            assert_eq!(
                load(*other, sealed, &key()),
                Err("wrong_kind"),
                "{kind} as {other}"
            );
            let (from, to) = (format!("gatefold/{kind}/"), format!("gatefold/{other}/"));
            let relabelled = sealed.replacen(&from, &to, 1);
            assert_eq!(
                load(*other, &relabelled, &key()),
                Err("bad_seal"),
                "{kind} as {other}"
            );
        }
    }
}

#[test]
fn another_schema_is_refused_by_name() {
    for (kind, sealed) in sealed_values() {
        let newer = sealed.replacen(&format!("/{kind}/1 "), &format!("/{kind}/2 "), 1);
        assert_eq!(load(kind, &newer, &key()), Err("wrong_schema"), "{kind}");
    }
}

#[test]
fn another_process_refuses_what_was_changed_on_the_way() {
    for (file, park) in [
        ("pass", false),
        ("parked", true),
        ("ticket", true),
        ("book", true),
    ] {
        let (host, stop) = stop_at(park);
        let folder = Folder::new(&format!("tampered/{file}"));
        folder.leave(&host, &stop, Task::ToTheEnd);
        let sealed = folder.read(file);
        let changed =
            sealed
                .replacen("c1", "c2", 1)
                .replacen("\"sequence\":1", "\"sequence\":0", 1);
        assert_ne!(changed, sealed, "{file}");
        folder.write(file, &changed);
        assert_eq!(
            child::run(&folder).as_deref(),
            Some("refused bad_seal"),
            "{file}"
        );
    }
}

/// One sealed value of every kind.
fn sealed_values() -> Vec<(SealedKind, String)> {
    let (_, asked) = stop_at(false);
    let Stop::Asked(pass) = asked else {
        unreachable!("stopped at a question")
    };
    let (mut host, parked) = stop_at(true);
    let Stop::Parked(ticket, parked) = parked else {
        unreachable!("stopped parked")
    };
    let key = &key();
    let mut values = vec![
        (SealedKind::Pass, pass.save(key).unwrap()),
        (SealedKind::Parked, parked.save(key).unwrap()),
        (SealedKind::Ticket, ticket.save(key).unwrap()),
        (SealedKind::TicketBook, host.book.save(key).unwrap()),
    ];
    let finished = host.finish(Stop::Parked(ticket, parked));
    let mut attested = AttestationBook::new();
    attested.attest(&finished).unwrap();
    values.push((SealedKind::AttestationBook, attested.save(key).unwrap()));
    values.push((SealedKind::Receipt, finished.record().seal(key).unwrap()));
    values.push((SealedKind::Image, key.seal_image(1, &vec!["a"; 9]).unwrap()));
    let kinds: Vec<_> = values.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, SealedKind::ALL);
    values
}

/// The richest script, at a late question or where it is parked.
fn stop_at(park: bool) -> (Host, Stop) {
    let mut host = Host::new(&scripts::named("guards_and_content"));
    let mut stop = host.begin();
    loop {
        let there = match &stop {
            Stop::Asked(pass) => !park && pass.question().seat() == Seat::Resolve,
            Stop::Parked(..) => park,
            Stop::Ended(_) => panic!("the script does not come by"),
        };
        if there {
            return (host, stop);
        }
        stop = host.go_on(stop);
    }
}

/// Opens a sealed text as this kind: nothing, or the code of the refusal.
fn load(kind: SealedKind, sealed: &str, key: &SealKey) -> Result<(), &'static str> {
    let opened = match kind {
        SealedKind::Pass => Pass::load(sealed, key).map(|_| ()),
        SealedKind::Parked => Parked::load(sealed, key).map(|_| ()),
        SealedKind::Ticket => Ticket::load(sealed, key).map(|_| ()),
        SealedKind::TicketBook => TicketBook::load(sealed, key).map(|_| ()),
        SealedKind::AttestationBook => AttestationBook::load(sealed, key).map(|_| ()),
        SealedKind::Receipt => Record::open(sealed, key).map(|_| ()),
        SealedKind::Image => key.open_image::<Vec<String>>(1, sealed).map(|_| ()),
    };
    opened.map_err(|error| error.code())
}
