//! Attestations through real passes: what an earlier pass settled or ran, shown to this one.

use gatefold::gate::*;

use super::super::host::{
    ASKED, Host, OTHER, STATED, THIRD, adjudicates, causes, settled, settled_before, told,
};
use super::super::{At, Says, or_none, yes_no};
use super::fold::ruling;

pub fn attested(at: &At<'_>) -> Says {
    let mut book = AttestationBook::new();
    let unanswered = Resolved::Unanswered(NoAnswer::Timeout);
    let id = match at.is("attested") {
        "none" => None,
        "yes" => Some(("c1", ASKED, Resolved::YES)),
        "yes_for_other_args" => Some(("c1", OTHER, Resolved::YES)),
        "no" => Some(("c1", OTHER, Resolved::NO)),
        "unanswered" => Some(("c1", ASKED, unanswered)),
        _ => Some(("c2", ASKED, Resolved::YES)),
    }
    .map(|(id, asked, shown)| settled_before(&mut book, id, asked, shown));
    let finished = Host::new()
        .with(|input| input.unstated(Unstated::Allow).attestations(book))
        .attests(ruling(at), id)
        .finish();
    let outcome = finished.outcome();
    let asks = causes(&finished).contains(&Cause::Policy);
    let ends = match (outcome.allowed_by(), outcome.denied_by()) {
        _ if asks => "ask".into(),
        (Some(by), _) => format!("allow {by}"),
        (None, by) => format!("deny {}", or_none(by)),
    };
    let settled = match settled(&finished).as_str() {
        // Nobody can be asked here: what is settled then is the ask itself.
        "nobody" if asks => "none".into(),
        "timeout" => "unanswered".into(),
        other => other.to_owned(),
    };
    let ignored = told(&finished, NoticeWord::AttestationIgnored);
    vec![
        ("ends", ends),
        ("settled", settled),
        ("ignored", yes_no(ignored)),
    ]
}

/// The policy's answer for every form and member, with what it bears beside it.
pub fn bearing(ruling: PolicyRuling, bear: impl FnOnce(&mut Adjudication)) -> Answer {
    let Answer::Adjudicate(Ok(mut answer)) = adjudicates(ruling, None) else {
        panic!("the policy answers")
    };
    bear(&mut answer);
    Answer::Adjudicate(Ok(answer))
}

/// Enters the classifier round of an earlier pass in the book.
pub fn round_before(
    book: &mut AttestationBook,
    id: &str,
    ruling: ClassifierRuling,
    named: bool,
) -> Option<AttestationId> {
    let round = named.then(|| ClassifierRound {
        asked: "m".into(),
        answered: "n".into(),
    });
    let finished = Host::of(id, ASKED)
        .mode(Mode::Auto)
        .says(Answer::Classify(Ok(Classification {
            ruling,
            round,
            reason: None,
        })))
        .finish();
    book.attest(&finished).unwrap().round
}

pub fn inherited(at: &At<'_>) -> Says {
    let ruling = match at.is("verdict") {
        "allow" => STATED,
        "ask" => PolicyRuling::Ask,
        _ => PolicyRuling::Deny,
    };
    let mut book = AttestationBook::new();
    let unavailable = ClassifierRuling::Unavailable;
    let round = match at.is("round") {
        "none" => None,
        "ruled" => round_before(&mut book, "c1", ClassifierRuling::Block, true),
        "unavailable" => round_before(&mut book, "c1", unavailable, true),
        "parse_error" => round_before(&mut book, "c1", ClassifierRuling::ParseError, true),
        "nameless" => round_before(&mut book, "c1", unavailable, false),
        "of_another_call" => round_before(&mut book, "c2", unavailable, true),
        _ => Some(settled_before(&mut book, "c1", ASKED, Resolved::YES)),
    };
    assert_eq!(round.is_some(), at.is("round") != "none");
    let finished = Host::new()
        .with(|input| input.attestations(book))
        .says(bearing(ruling, |answer| answer.round = round))
        .resolves(Resolved::YES)
        .finish();
    let outcome = finished.outcome();
    let on_record = outcome.inherited_classifier().is_some();
    vec![
        ("cause", or_none(outcome.cause())),
        ("on_record", yes_no(on_record)),
        (
            "ignored",
            yes_no(told(&finished, NoticeWord::AttestationIgnored)),
        ),
    ]
}

pub fn looked_up(at: &At<'_>) -> Says {
    let mut book = AttestationBook::new();
    // A yes that counted was for the model's args, to which the policy rewrites the edit later; one
    // that did not was for the edited args too early. So in the later round its args always fit.
    let counted = at.is("first") == "counted";
    let (over, rewrite) = if counted {
        (ASKED, Some(ASKED))
    } else {
        (OTHER, None)
    };
    let first = settled_before(&mut book, "c1", over, Resolved::YES);
    // The same answer twice is one attestation; another one is somebody else's.
    let by_another = Resolved::Yes {
        by: Answerer::Delegate,
        edit: None,
        remember: None,
    };
    let another = settled_before(&mut book, "c1", over, by_another);
    let then = if at.is("then") == "another" {
        another
    } else {
        first
    };
    let finished = Host::new()
        .with(|input| input.attestations(book))
        .says(bearing(STATED, |answer| answer.settlement = Some(first)))
        .says(bearing(STATED, |answer| {
            answer.settlement = Some(then);
            answer.rewrite = rewrite.map(NewArgs::from);
        }))
        .edited()
        .finish();
    let ignored = |round: u8| {
        let mut notices = finished.notices().iter();
        notices.any(|told| told.notice == NoticeWord::AttestationIgnored && told.round == round)
    };
    assert_eq!(ignored(0), !counted);
    vec![("counts", yes_no(!ignored(1)))]
}

/// The policy's yes covers the args with its own rewrite applied, and no others.
pub fn yes_over_a_rewrite(covers: bool) -> Finished {
    let mut book = AttestationBook::new();
    let asked = if covers { THIRD } else { ASKED };
    let id = settled_before(&mut book, "c1", asked, Resolved::YES);
    let Answer::Adjudicate(Ok(mut answer)) = adjudicates(STATED, Some(THIRD)) else {
        panic!("the policy answers")
    };
    answer.settlement = Some(id);
    Host::new()
        .with(|input| input.attestations(book))
        .says(Answer::Adjudicate(Ok(answer)))
        .finish()
}
