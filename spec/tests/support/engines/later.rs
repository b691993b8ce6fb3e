//! What comes of a pass later: in the passes that inherit from it, and once it was parked.

use gatefold::gate::*;

use super::super::host::{
    ASKED, Host, OTHER, STATED, UNSTATED, edits, probes, reads, settled_before,
};
use super::super::{At, Says, or_none, yes_no};
use super::attestations::bearing;

/// A classifier that rules so, under this name if it has one.
fn classifies(ruling: ClassifierRuling, name: Option<&str>) -> Answer {
    Answer::Classify(Ok(Classification {
        ruling,
        round: name.map(|name| ClassifierRound {
            asked: name.into(),
            answered: name.into(),
        }),
        reason: None,
    }))
}

/// A pass before which the policy says this and bears that round, if any.
fn inherits(book: AttestationBook, round: Option<AttestationId>, says: PolicyRuling) -> Host {
    Host::new()
        .with(|input| input.attestations(book))
        .says(bearing(says, |answer| answer.round = round))
}

pub fn chained(at: &At<'_>) -> Says {
    let mut book = AttestationBook::new();
    let first = match at.is("first") {
        "none" => Host::new(),
        word => Host::new().mode(Mode::Auto).says(classifies(
            ClassifierRuling::from_word(word).unwrap_or(ClassifierRuling::Block),
            Some("first"),
        )),
    };
    let of_first = book.attest(&first.finish()).unwrap().round;
    let own = |ruling, name| {
        let host = inherits(book.clone(), of_first, UNSTATED);
        host.mode(Mode::Auto).says(classifies(ruling, name))
    };
    let second = match at.is("second") {
        "allows" => inherits(book.clone(), of_first, STATED),
        "denies" => inherits(book.clone(), of_first, PolicyRuling::Deny),
        "ruled" => own(ClassifierRuling::Allow, Some("second")),
        "unavailable" => own(ClassifierRuling::Unavailable, Some("second")),
        _ => own(ClassifierRuling::Unavailable, None),
    };
    let of_second = book.attest(&second.finish()).unwrap().round;
    let third = inherits(book, of_second, PolicyRuling::Deny).finish();
    let round = third.outcome().inherited_classifier();
    vec![
        (
            "round",
            or_none(round.map(|round| round.answered.to_string())),
        ),
        ("cause", or_none(third.outcome().cause())),
    ]
}

/// Parks the pass of one host, and resumes it with the input of another.
fn resumed(begun: &Host, now: &Host) -> Step {
    let Suspended { ticket, parked } = begun.run().suspended();
    let mut tickets = TicketBook::new();
    tickets.open(&ticket).unwrap();
    parked.resume(&ticket, &mut tickets, &now.input()).unwrap()
}

fn parks() -> Host {
    Host::new().says(Answer::Park(Ok(Parking::Parked)))
}

pub fn resumed_book(at: &At<'_>) -> Says {
    let mut full = AttestationBook::new();
    let id = settled_before(&mut full, "c1", ASKED, Resolved::YES);
    let book = |holds| {
        if holds {
            full.clone()
        } else {
            AttestationBook::new()
        }
    };
    let shown = at.yes("shown_before").then_some(id);
    let host = |holds| {
        parks()
            .with(|input| input.attestations(book(holds)))
            .attests(PolicyRuling::Ask, shown)
            .says(Answer::Resolve(Ok(Resolution {
                shown: Resolved::NO,
                attested: Some(id),
            })))
    };
    let now = host(at.yes("now"));
    let step = resumed(&host(at.yes("begun")), &now);
    let finished = now.run_from(step).finished();
    vec![("counts", yes_no(finished.args_to_run().is_some()))]
}

pub fn resumed_seats(at: &At<'_>) -> Says {
    let seat = at.word("seat", Seat::from_word).unwrap();
    let bare = || parks().resolves(edits(OTHER));
    let host = |wired| if wired { answers(bare(), seat) } else { bare() };
    let step = resumed(&host(at.yes("begun")), &host(at.yes("now")));
    // Whoever is asked answers, wired now or not.
    let seen = answers(bare(), seat).run_from(step);
    vec![("asked", yes_no(seen.asks(seat)))]
}

/// The same host with an answer of this seat that objects to nothing.
fn answers(host: Host, seat: Seat) -> Host {
    match seat {
        Seat::Describe => host.facts(|facts| facts.kind = ToolKind::Other),
        Seat::Adjudicate => host.policy(UNSTATED),
        Seat::Probe => host.says(probes(Reversibility::Reversible, false)),
        Seat::Egress => host.says(Answer::Egress(Ok(Egress::Inside))),
        Seat::ShellRead => host.says(Answer::ShellRead(Ok(reads(ShellFinding::Clean)))),
        Seat::WriteJudge => host.says(Answer::WriteJudge(Ok(WriteProtection::None))),
        Seat::Org => host.org(OrgRuling::None),
        Seat::Rules => host.rules(RuleRuling::None),
        other => panic!("{other} is not asked about an edited call by itself"),
    }
}
