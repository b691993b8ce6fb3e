//! Seats that do not answer, notices, stations: through real passes.

use gatefold::gate::*;

use super::super::host::{
    ASKED, Host, OTHER, UNSTATED, adjudicates, args, causes, edits, listed, probes, said, settled,
    settled_before, told,
};
use super::super::{At, Says, or_none, yes_no};

/// Content of the call as the model made it, shown.
fn shows() -> Answer {
    Answer::Present(Ok(Presented::Shown(args(ASKED).digest())))
}

pub fn seats(at: &At<'_>) -> Says {
    let seat = at.word("seat", Seat::from_word).unwrap();
    let mut host = Host::new();
    if seat != Seat::Resolve {
        host = host.resolves(Resolved::YES);
    }
    if seat != Seat::Present {
        host = host.says(shows());
    }
    // What brings the pass to the seat.
    host = match seat {
        Seat::Classify => host.mode(Mode::Auto),
        Seat::Sandbox => host.facts(|facts| facts.kind = ToolKind::Shell),
        Seat::Present => host.facts(|facts| facts.shows_content = true),
        _ => host,
    };
    let failure = match at.is("state") {
        "unwired" => None,
        "threw" => Some(SeatFailure::threw("gone")),
        "timed_out" => Some(SeatFailure::TimedOut),
        _ => Some(SeatFailure::Aborted),
    };
    if let Some(failure) = failure.clone() {
        if seat == Seat::Hook {
            host = host.with(|input| input.hook("guard", HookKind::Guard));
        }
        host = host.says(Answer::failed(seat, failure));
    }
    let seen = host.run();
    assert_eq!(
        seen.asks(seat),
        failure.is_some(),
        "{seat} is asked when wired"
    );
    let park_failed = seen.asked.iter().any(|question| match question {
        Question::Resolve(question) => question.park_failed.is_some(),
        _ => false,
    });
    let finished = seen.finished();
    let notices = finished.notices().iter().map(|notice| notice.notice);
    let notices: Vec<_> = notices
        .filter(|word| *word != NoticeWord::PermissionDenied)
        .collect();
    let shown = finished.record().fields().digests.shown.is_some();
    vec![
        ("denied_by", or_none(finished.outcome().denied_by())),
        ("adds", listed(&causes(&finished))),
        ("settles", settled(&finished)),
        ("notices", listed(&notices)),
        ("shows", yes_no(shown)),
        ("park_failed", yes_no(park_failed)),
    ]
}

pub fn notices(at: &At<'_>) -> Says {
    let notice = at.word("notice", NoticeWord::from_word).unwrap();
    let finished = telling(notice).finish();
    let mut told = finished.notices().iter();
    let told = told.find(|told| told.notice == notice).unwrap();
    assert_eq!(told.audience, notice.audience(), "{notice}");
    vec![("audience", told.audience.to_string())]
}

/// A host before which a pass comes to tell this.
fn telling(notice: NoticeWord) -> Host {
    let host = Host::new();
    let gone = || SeatFailure::threw("gone");
    match notice {
        NoticeWord::PermissionDenied => host.policy(PolicyRuling::Deny),
        NoticeWord::SeatFailed => host.says(Answer::Probe(Err(gone()))),
        NoticeWord::HookFailed => host.guard(HookOutcome::TimedOut),
        NoticeWord::ObserverAnswered => host
            .with(|input| input.hook("observer", HookKind::Observer))
            .receipts(vec![("observer".into(), said(HookDecision::None, None))]),
        NoticeWord::AttestationIgnored => {
            host.attests(UNSTATED, Some(AttestationId::from(Digest::of(b"nothing"))))
        }
        NoticeWord::SettlementSuperseded => {
            let mut book = AttestationBook::new();
            let id = settled_before(&mut book, "c1", ASKED, Resolved::YES);
            host.with(|input| input.attestations(book))
                .attests(UNSTATED, Some(id))
                .says(Answer::Egress(Ok(Egress::Outside(None))))
        }
        NoticeWord::RulesUnreadable => host.says(Answer::Rules(Err(gone()))),
        NoticeWord::RewriteIgnored => host.says(adjudicates(PolicyRuling::Deny, Some(OTHER))),
    }
}

/// Two traced passes that each come to every station and together ask every seat.
pub fn everywhere() -> [Host; 2] {
    let everybody = Host::new()
        .with(|input| input.trace(true))
        .guard(said(HookDecision::None, None))
        .facts(|facts| {
            facts.kind = ToolKind::Shell;
            facts.shows_content = true;
        })
        .says(probes(Reversibility::Reversible, true))
        .says(Answer::Egress(Ok(Egress::Inside)))
        .says(Answer::ShellRead(Ok(ShellRead::UNWIRED)))
        .says(Answer::WriteJudge(Ok(WriteProtection::None)))
        .org(OrgRuling::None)
        .rules(RuleRuling::None)
        .says(shows())
        .says(Answer::Present(Ok(Presented::Shown(args(OTHER).digest()))))
        .says(Answer::Park(Ok(Parking::Declined)))
        .resolves(edits(OTHER))
        .resolves(Resolved::YES);
    let classified = everybody
        .clone()
        .mode(Mode::Auto)
        .policy(UNSTATED)
        .policy(PolicyRuling::Ask)
        .says(Answer::Classify(Ok(Classification {
            ruling: ClassifierRuling::Ask,
            round: None,
            reason: None,
        })));
    let sandboxed = everybody
        .policy(UNSTATED)
        .says(Answer::Sandbox(Ok(Sandbox::Not)));
    [classified, sandboxed]
}

pub fn stations(at: &At<'_>) -> Says {
    let station = at.word("station", Station::from_word).unwrap();
    let mut asked = None;
    let mut places = Vec::new();
    for host in everywhere() {
        let finished = host.finish();
        let steps = finished.trace().unwrap().steps();
        let mut there = steps.iter().filter(|step| step.station == station);
        asked = asked.or(there.find_map(|step| step.asked));
        places.push(place_of(station, steps));
    }
    let number = match places.as_slice() {
        [one, other] if one == other && *one == usize::from(station.number()) => one.to_string(),
        _ => format!(
            "the list says {}, and passes came to it as {places:?}",
            station.number()
        ),
    };
    vec![("number", number), ("asks", or_none(asked))]
}

/// Which of the stations that a pass came to this one was, from 1, each counted where the pass
/// first came to it; 0 for none.
fn place_of(station: Station, steps: &[TraceStep]) -> usize {
    let mut passed: Vec<Station> = Vec::new();
    for step in steps {
        if !passed.contains(&step.station) {
            passed.push(step.station);
        }
    }
    let place = passed.iter().position(|passed| *passed == station);
    place.map_or(0, |place| place + 1)
}

pub fn abort(at: &At<'_>) -> Says {
    let seat = at.word("seat", Seat::from_word).unwrap();
    let round = u8::from(at.is("round") == "edit");
    let [classified, sandboxed] = everywhere();
    let host = if seat == Seat::Sandbox {
        sandboxed
    } else {
        classified
    };
    let pass = host.run_to(|question| question.seat() == seat && round_of(question) == round);
    let step = match at.is("by") {
        "seat" => pass
            .answer(Answer::failed(seat, SeatFailure::Aborted))
            .unwrap(),
        _ => pass.abort(),
    };
    let finished = host.run_from(step).finished();
    let failures = [NoticeWord::SeatFailed, NoticeWord::HookFailed];
    let failed = failures.iter().any(|word| told(&finished, *word));
    let observer = told(&finished, NoticeWord::PermissionDenied);
    vec![
        ("denied_by", or_none(finished.outcome().denied_by())),
        ("settled", settled(&finished)),
        ("told", yes_no(observer)),
        ("failed", yes_no(failed)),
    ]
}

const fn round_of(question: &Question) -> u8 {
    match question {
        Question::Hook(question) => question.round,
        Question::Describe(subject)
        | Question::Probe(subject)
        | Question::Egress(subject)
        | Question::ShellRead(subject)
        | Question::WriteJudge(subject)
        | Question::Sandbox(subject)
        | Question::Present(subject) => subject.round,
        Question::Adjudicate(question) | Question::Org(question) | Question::Rules(question) => {
            question.round
        }
        Question::Classify(question) => question.round,
        Question::Park(question) => question.ask.round,
        Question::Resolve(question) => question.ask.round,
    }
}
