//! What holds of every finished pass.

use gatefold::gate::{
    AllowedBy, DeniedBy, ExitKind, Question, Seat, SettledAnswer, Unanswered, Verdict,
};

use super::super::alphabet::REFUSED;
use super::super::edge::{Edge, End};
use super::super::world::LEG;

fn settled_yes(end: &End<'_>) -> bool {
    let settled = end.fields.settled.as_ref();
    settled.is_some_and(|settled| settled.answer == SettledAnswer::Yes)
}

fn resolved(edge: &Edge<'_>) -> bool {
    edge.exchange
        .is_some_and(|(question, _)| matches!(question, Question::Resolve(_)))
}

pub(super) fn there_is_one_outcome(_: &Edge<'_>, end: &End<'_>) -> bool {
    end.fields.denied_by.is_some() != end.fields.allowed_by.is_some()
}

/// What ran is what the last adjudication of the round answered for, its rewrite included.
pub(super) fn what_ran_was_judged(edge: &Edge<'_>, end: &End<'_>) -> bool {
    let ran = end.finished.args_to_run().map(gatefold::gate::Args::digest);
    let judged = !edge.world.input.wiring().has(Seat::Adjudicate);
    ran == end.fields.digests.runs && (ran.is_none() || judged || ran == edge.monitor.adjudicated)
}

pub(super) fn the_yes_was_given_for_what_ran(_: &Edge<'_>, end: &End<'_>) -> bool {
    match (&end.fields.settled, end.fields.digests.runs) {
        (Some(settled), Some(runs)) => {
            settled.answer == SettledAnswer::Yes && settled.given_for == runs
        }
        (Some(_) | None, None) | (None, Some(_)) => true,
    }
}

pub(super) fn settlement_and_origin_stand_together(_: &Edge<'_>, end: &End<'_>) -> bool {
    end.fields
        .settled
        .as_ref()
        .is_none_or(|settled| settled.origin.is_some())
}

pub(super) fn the_origin_is_that_of_the_ask_that_was_resolved(
    edge: &Edge<'_>,
    end: &End<'_>,
) -> bool {
    let answered = end.fields.allowed_by == Some(AllowedBy::AskResolution);
    let origin = end
        .fields
        .settled
        .as_ref()
        .and_then(|settled| settled.origin);
    !answered || edge.monitor.owed.is_none() || origin == edge.monitor.owed
}

/// The outcome is one that the table accepts; it is marked as seen.
pub(super) fn the_mint_accepts_what_is_on_record(edge: &Edge<'_>, end: &End<'_>) -> bool {
    let (mark, defect) = edge.bench.mint(end.fields);
    edge.bench.see(mark);
    defect == Some("accepted")
}

pub(super) fn a_cause_stands_beside_a_refuser(_: &Edge<'_>, end: &End<'_>) -> bool {
    end.fields.cause.is_none() || end.fields.denied_by.is_some()
}

pub(super) fn what_was_settled_is_on_record(_: &Edge<'_>, end: &End<'_>) -> bool {
    let outcome = end.finished.outcome().settled();
    let outcome = outcome.as_ref().map(|ask| {
        let settlement = &ask.settlement;
        (
            settlement.answer,
            settlement.by,
            settlement.edited,
            settlement.why,
            Some(ask.origin),
        )
    });
    let record = end.fields.settled.as_ref();
    let record = record.map(|settled| {
        (
            settled.answer,
            settled.by,
            settled.edited,
            settled.why,
            settled.origin,
        )
    });
    outcome == record
}

/// An edit round is there because somebody said yes; who refuses in it does not take the yes away.
pub(super) fn an_overridden_yes_is_on_record(_: &Edge<'_>, end: &End<'_>) -> bool {
    let overridden = end
        .fields
        .denied_by
        .is_some_and(|by| by != DeniedBy::AskResolution);
    end.finished.round() == 0 || !overridden || settled_yes(end)
}

pub(super) fn a_named_round_is_on_record(edge: &Edge<'_>, end: &End<'_>) -> bool {
    edge.monitor.named == end.fields.classifier.is_some()
}

pub(super) fn an_inherited_round_is_on_record(edge: &Edge<'_>, end: &End<'_>) -> bool {
    edge.monitor.inherited == end.fields.inherited_classifier.is_some()
}

pub(super) fn a_release_stands_beside_no_refuser(_: &Edge<'_>, end: &End<'_>) -> bool {
    let by_mode = end.fields.allowed_by == Some(AllowedBy::Mode);
    end.fields.released.is_some() == by_mode
}

pub(super) fn a_refusal_card_is_the_modes(_: &Edge<'_>, end: &End<'_>) -> bool {
    end.fields.refused.is_some() == (end.fields.denied_by == Some(DeniedBy::Mode))
}

/// Without an edit, an attestation or an answer of the ask nothing was settled.
pub(super) fn nobody_asked_and_nothing_settled(edge: &Edge<'_>, end: &End<'_>) -> bool {
    let asked = end.fields.denied_by == Some(DeniedBy::AskResolution)
        || end.fields.allowed_by == Some(AllowedBy::AskResolution)
        || end.finished.round() > 0
        || edge.monitor.looked_up != 0
        || resolved(edge);
    asked || end.fields.settled.is_none()
}

/// Whoever answers after the rules leaves nothing that was settled before them, and what a
/// resolver settles is of its own round.
pub(super) fn what_was_settled_is_of_the_last_ask(edge: &Edge<'_>, end: &End<'_>) -> bool {
    let settled = end.fields.settled.as_ref();
    let after_the_rules = matches!(
        end.fields.denied_by,
        Some(DeniedBy::Classifier | DeniedBy::Mode)
    ) || end.fields.allowed_by.is_some_and(|by| match by {
        AllowedBy::StoredRule
        | AllowedBy::Hook
        | AllowedBy::ReadOnly
        | AllowedBy::Classifier
        | AllowedBy::Sandbox
        | AllowedBy::Mode => true,
        AllowedBy::Policy | AllowedBy::AskResolution | AllowedBy::Default => false,
    });
    match settled {
        Some(_) if after_the_rules => false,
        Some(settled) if resolved(edge) => settled.round == edge.before.rank.0,
        Some(_) | None => true,
    }
}

pub(super) fn the_legs_mark_stands_once(_: &Edge<'_>, end: &End<'_>) -> bool {
    end.reason
        .as_ref()
        .is_none_or(|reason| reason.matches(LEG).count() == 1)
}

pub(super) fn a_failed_park_is_named(edge: &Edge<'_>, end: &End<'_>) -> bool {
    let named = |reason: &String| reason.contains("parking the ask was tried and failed");
    end.reason
        .as_ref()
        .is_none_or(|reason| edge.monitor.park_failed == named(reason))
}

pub(super) fn the_card_of_a_refusal_is_the_readers(_: &Edge<'_>, end: &End<'_>) -> bool {
    let refused = end
        .finished
        .details()
        .is_some_and(|card| card.finding.as_str() == REFUSED);
    refused == (end.fields.denied_by == Some(DeniedBy::ShellRead))
}

pub(super) fn no_card_stands_on_an_allow(_: &Edge<'_>, end: &End<'_>) -> bool {
    end.fields.allowed_by.is_none() || end.finished.details().is_none()
}

pub(super) fn no_ask_stands_at_the_exit(_: &Edge<'_>, end: &End<'_>) -> bool {
    end.fields.verdict != Verdict::Ask
}

pub(super) fn all_accounts_are_of_one_outcome(_: &Edge<'_>, end: &End<'_>) -> bool {
    let (finished, fields) = (end.finished, end.fields);
    let outcome = finished.outcome();
    let runs = fields.verdict == Verdict::Allow;
    outcome.denied_by() == fields.denied_by
        && outcome.allowed_by() == fields.allowed_by
        && outcome.cause() == fields.cause
        && runs == (finished.exit() == ExitKind::Allow)
        && runs == finished.args_to_run().is_some()
        && runs == end.reason.is_none()
        && runs == fields.allowed_by.is_some()
}

pub(super) fn nobody_to_ask_only_if_nobody_is_wired(edge: &Edge<'_>, end: &End<'_>) -> bool {
    let why = end.fields.settled.as_ref().and_then(|settled| settled.why);
    let wired = edge.world.input.wiring().has(Seat::Resolve);
    why != Some(Unanswered::Nobody) || !wired || resolved(edge)
}

pub(super) fn a_yes_is_vetoed(edge: &Edge<'_>) -> bool {
    edge.end()
        .is_some_and(|end| end.fields.denied_by.is_some() && settled_yes(end))
}

pub(super) fn a_resumed_pass_runs(edge: &Edge<'_>) -> bool {
    edge.monitor.resumed && edge.runs()
}
