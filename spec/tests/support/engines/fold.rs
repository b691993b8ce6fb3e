//! The fold through real passes: locks, the policy and what it attests, and the tightens.

use gatefold::gate::*;

use super::super::host::{
    ASKED, Host, OTHER, STATED, UNSTATED, adjudicates, args, causes, causes_of, listed, reads,
    said, told,
};
use super::super::{At, Says, or_none, yes_no};

fn is_edit(at: &At<'_>) -> bool {
    at.is("round") == "edit"
}

/// What the policy says at the point.
pub fn ruling(at: &At<'_>) -> PolicyRuling {
    match at.is("verdict") {
        "stated" => STATED,
        "unstated" => UNSTATED,
        "ask" => PolicyRuling::Ask,
        _ => PolicyRuling::Deny,
    }
}

pub fn locks(at: &At<'_>) -> Says {
    let mode = |plans| if plans { Mode::Plan } else { Mode::Default };
    let ancestor = Member {
        mode: mode(at.yes("ancestor_plans")),
        lock: at.yes("ancestor_locked"),
        ..Member::default()
    };
    let read_only = at.word("read_only", ReadOnly::from_word).unwrap();
    let finished = Host::new()
        .with(|input| input.lock(at.yes("caller_locked")).ancestor(ancestor))
        .mode(mode(at.yes("caller_plans")))
        .facts(|facts| facts.read_only = read_only)
        .resolves(Resolved::YES)
        .finish();
    vec![("denied_by", or_none(finished.outcome().denied_by()))]
}

pub fn rewrite(at: &At<'_>) -> Says {
    let rewrite = match at.is("rewrite") {
        "none" => None,
        "same_args" => Some(ASKED),
        "other_args" => Some(OTHER),
        _ => Some("[]"),
    };
    let host = Host::new()
        .with(|input| input.trace(true))
        .facts(|facts| facts.kind = ToolKind::Other)
        .says(adjudicates(ruling(at), rewrite))
        .resolves(Resolved::YES);
    let seen = match at.word("hook", HookDecision::from_word) {
        None => host,
        Some(decision) => host.guard(said(decision, None)),
    }
    .run();
    let times = seen
        .asked
        .iter()
        .filter(|question| question.seat() == Seat::Describe);
    let described = if times.count() == 1 { "once" } else { "twice" };
    let finished = seen.finished();
    let steps = finished.trace().unwrap().steps().iter();
    let dropped = steps
        .filter(|step| step.station == Station::Adjudicate)
        .any(|step| step.wrote.iter().any(|written| written.cell == Cell::Hook));
    let runs = finished.args_to_run().map(Args::digest);
    let rewritten = runs == Some(args(OTHER).digest());
    vec![
        ("denied_by", or_none(finished.outcome().denied_by())),
        ("args", if rewritten { "rewritten" } else { "kept" }.into()),
        (
            "hook_allow",
            if dropped { "dropped" } else { "kept" }.into(),
        ),
        ("described", described.into()),
        (
            "ignored",
            yes_no(told(&finished, NoticeWord::RewriteIgnored)),
        ),
    ]
}

pub fn unstated(at: &At<'_>) -> Says {
    let says = at.word("host", Unstated::from_word).unwrap();
    let host = Host::new().with(|input| input.unstated(says));
    let host = if is_edit(at) {
        host.policy(STATED).policy(ruling(at)).edited()
    } else {
        host.policy(ruling(at)).resolves(Resolved::YES)
    };
    let finished = host.finish();
    let added = causes_of(&finished, u8::from(is_edit(at)));
    vec![("adds", yes_no(added.contains(&Cause::Unstated)))]
}

pub fn write_protection(at: &At<'_>) -> Says {
    let judged = |seat: &str| WriteProtection::from_word(at.is(seat));
    let gone = || SeatFailure::threw("gone");
    let mut host = Host::new();
    if at.is("shell") != "unwired" {
        if is_edit(at) {
            host = host.says(Answer::ShellRead(Ok(ShellRead::UNWIRED)));
        }
        let read = judged("shell").map(|write_protection| ShellRead {
            write_protection,
            ..ShellRead::UNWIRED
        });
        host = host.says(Answer::ShellRead(read.ok_or_else(gone)));
    }
    if at.is("judge") != "unwired" {
        if is_edit(at) {
            host = host.says(Answer::WriteJudge(Ok(WriteProtection::None)));
        }
        host = host.says(Answer::WriteJudge(judged("judge").ok_or_else(gone)));
    }
    host = if is_edit(at) {
        host.edited()
    } else {
        host.resolves(Resolved::YES)
    };
    let finished = host.finish();
    let mut added = causes_of(&finished, u8::from(is_edit(at)));
    added.retain(|cause| matches!(cause, Cause::WriteProtected | Cause::WriteUnresolved));
    vec![
        ("adds", listed(&added)),
        ("denied_by", or_none(finished.outcome().denied_by())),
    ]
}

pub fn shell_read(at: &At<'_>) -> Says {
    let card = || Card {
        finding: "secret".into(),
        text: "it reads a key".into(),
    };
    let host = Host::new().resolves(Resolved::NO);
    let answer = match at.is("finding") {
        "unwired" => None,
        "clean" => Some(Ok(ShellFinding::Clean)),
        "declined" => Some(Ok(ShellFinding::Declined)),
        "out_of_root" => Some(Ok(ShellFinding::OutOfRoot(Some(card())))),
        "unestablishable" => Some(Ok(ShellFinding::Unestablishable(None))),
        "refused" => Some(Ok(ShellFinding::Refused(card()))),
        _ => Some(Err(SeatFailure::TimedOut)),
    };
    let host = match answer {
        None => host,
        Some(found) => host.says(Answer::ShellRead(found.map(reads))),
    };
    let finished = host.finish();
    let refuser = finished.outcome().denied_by();
    let card = match (finished.details(), refuser) {
        (None, _) => "none",
        (Some(_), Some(DeniedBy::ShellRead)) => "deny",
        (Some(_), _) => "ask",
    };
    let mut added = causes(&finished);
    added.retain(|cause| *cause != Cause::WriteUnresolved);
    vec![
        (
            "denied_by",
            or_none(refuser.filter(|by| *by != DeniedBy::AskResolution)),
        ),
        ("adds", listed(&added)),
        ("card", card.into()),
    ]
}

pub fn settlement(at: &At<'_>) -> Says {
    let settlement = settlement_at(at);
    let facts = if settlement.is_refusal() {
        ExitFacts::deny(DeniedBy::AskResolution)
    } else {
        ExitFacts::allow(AllowedBy::AskResolution)
    };
    let minted = mint(facts.settled(settlement.clone(), AskOrigin::Hook));
    let well_formed = match (settlement.is_well_formed(), minted) {
        (true, Ok(_)) => "yes",
        (false, Err(DefectCode::MalformedSettlement)) => "no",
        _ => "the settlement says one thing, and the mint another",
    };
    vec![("well_formed", well_formed.into())]
}

/// The settlement of a point, contradictions and all.
pub fn settlement_at(at: &At<'_>) -> Settlement {
    Settlement {
        answer: at.word("answer", SettledAnswer::from_word).unwrap(),
        by: at.word("by", SettledBy::from_word).unwrap(),
        edited: at.yes("edited"),
        why: at.word("why", Unanswered::from_word),
        grant: at.yes("grant").then(|| Grant {
            scope: "session".into(),
            rule: "Bash(make:*)".into(),
        }),
    }
}

pub fn origin(at: &At<'_>) -> Says {
    let mut causes = Causes::default();
    // In the order least like the one that counts.
    for origin in AskOrigin::ALL.iter().rev() {
        if at.yes(origin.word()) {
            let of_origin = |cause: &&Cause| cause.origin() == Some(*origin);
            let cause = *Cause::ALL.iter().find(of_origin).unwrap();
            causes.push(asker(cause));
        }
    }
    vec![("origin", or_none(causes.origin()))]
}

/// A cause, with nothing beside it.
pub fn asker(cause: Cause) -> Asker {
    Asker {
        cause,
        station: Station::Entry,
        round: 0,
        reason: None,
        basis: None,
        part: None,
    }
}
