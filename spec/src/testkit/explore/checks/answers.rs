//! What holds of every answer and what comes of it.

use gatefold::gate::{
    Adjudication, Answer, AttestationId, Cause, Classification, ClassifierCause, ClassifierRuling,
    DeniedBy, Egress, HookKind, NewArgs, NoticeWord, OrgRuling, PolicyRuling, Question,
    Reversibility, RuleRuling, Seat, SeatFailure, SettledAnswer, ShellFinding, Station,
};

use super::super::edge::{Edge, End};
use super::super::judge::Screened;
use super::super::monitor::{round_of, screened};

fn denied_by(edge: &Edge<'_>) -> Option<DeniedBy> {
    edge.end()?.fields.denied_by
}

fn answered(end: &End<'_>) -> Option<SettledAnswer> {
    end.fields.settled.as_ref().map(|settled| settled.answer)
}

/// The policy's answer, with the args it was asked about.
fn adjudication<'a>(
    edge: &Edge<'a>,
) -> Option<(&'a gatefold::gate::JudgeQuestion, &'a Adjudication)> {
    match edge.exchange? {
        (Question::Adjudicate(question), Answer::Adjudicate(Ok(answer))) => {
            Some((question, answer))
        }
        _ => None,
    }
}

/// Whether this attestation is shown for the first time.
fn is_fresh(edge: &Edge<'_>, shown: Option<AttestationId>, id: AttestationId) -> bool {
    shown == Some(id) && !edge.before.used(id, edge.world)
}

pub(super) fn an_aborted_pass_is_over_and_does_not_run(edge: &Edge<'_>) -> bool {
    !edge.monitor.aborted || (edge.end().is_some() && !edge.runs())
}

pub(super) fn a_cause_is_of_a_round_without_a_ruling(edge: &Edge<'_>) -> bool {
    let Some(cause) = edge.end().and_then(|end| end.fields.cause) else {
        return true;
    };
    match edge.exchange {
        Some((_, Answer::Classify(Ok(Classification { ruling, .. })))) => match ruling {
            ClassifierRuling::Unavailable => cause == ClassifierCause::Unavailable,
            ClassifierRuling::ParseError => cause == ClassifierCause::ParseError,
            ClassifierRuling::Allow | ClassifierRuling::Block | ClassifierRuling::Ask => false,
        },
        Some((_, Answer::Classify(Err(_)))) => cause == ClassifierCause::Unavailable,
        Some((_, Answer::Adjudicate(Ok(answer)))) => {
            let ids = edge.world.attested;
            answer.round
                == Some(match cause {
                    ClassifierCause::Unavailable => ids.unavailable,
                    ClassifierCause::ParseError => ids.parse_error,
                })
        }
        _ => false,
    }
}

pub(super) fn a_veto_over_an_attested_yes_keeps_it(edge: &Edge<'_>) -> bool {
    let Some((question, answer)) = adjudication(edge) else {
        return true;
    };
    let covers = question.current == edge.world.pool.asked
        && is_fresh(edge, answer.settlement, edge.world.attested.yes);
    match edge.end() {
        Some(end) if covers && end.fields.denied_by == Some(DeniedBy::Policy) => {
            answered(end) == Some(SettledAnswer::Yes)
        }
        Some(_) | None => true,
    }
}

pub(super) fn an_attested_refusal_outranks_what_is_shown(edge: &Edge<'_>) -> bool {
    let Some((_, Answer::Resolve(Ok(resolution)))) = edge.exchange else {
        return true;
    };
    let counts = is_fresh(edge, resolution.attested, edge.world.attested.refusal);
    !counts
        || edge.end().is_some_and(|end| {
            end.fields.denied_by == Some(DeniedBy::AskResolution)
                && answered(end) == Some(SettledAnswer::No)
        })
}

pub(super) fn a_resolved_ask_is_under_its_own_origin(edge: &Edge<'_>) -> bool {
    let Some((Question::Resolve(question), _)) = edge.exchange else {
        return true;
    };
    let settled = edge.end().and_then(|end| end.fields.settled.as_ref());
    settled.is_none_or(|settled| settled.origin == question.ask.origin)
}

pub(super) fn an_edit_is_screened_as_the_call_was(edge: &Edge<'_>) -> bool {
    let (Some((Question::Resolve(_), _)), Some(next)) = (edge.exchange, edge.next()) else {
        return true;
    };
    let declared = edge.world.input.hooks();
    if let Question::Hook(question) = next {
        return !question.again && *question.hooks == *declared;
    }
    declared.is_empty() || round_of(next) == edge.before.rank.0
}

/// What the guards said at this screening.
fn screening(edge: &Edge<'_>) -> Option<Screened> {
    let Some((Question::Hook(question), Answer::Hook(reply))) = edge.exchange else {
        return None;
    };
    let aborted = edge.failure() == Some(&SeatFailure::Aborted);
    (!aborted).then(|| screened(question, reply, edge.before.hook_asked).0)
}

pub(super) fn a_screening_ends_as_its_row_says(edge: &Edge<'_>) -> bool {
    let row = screening(edge).and_then(|said| edge.bench.screening(&said));
    let Some((ends, _)) = row else { return true };
    let denied_here = edge.end().and_then(|end| end.finished.denied_at()) == Some(Station::Hook);
    let again = matches!(edge.next(), Some(Question::Hook(question)) if question.again);
    match ends {
        "exit_a" => denied_here && denied_by(edge) == Some(DeniedBy::Engine),
        "exit_b" => denied_here && denied_by(edge) == Some(DeniedBy::Hook),
        "asks_again" => again,
        _ => !denied_here && !again,
    }
}

pub(super) fn silent_hooks_refuse_nothing(edge: &Edge<'_>) -> bool {
    let spoke = |said: &Screened| said.failed || said.deny || said.failure || said.rewrites > 0;
    let Some(said) = screening(edge) else {
        return true;
    };
    spoke(&said)
        || edge
            .end()
            .is_none_or(|end| end.finished.denied_at() != Some(Station::Hook))
}

/// A failure is told to the deployment in the round in which it was, and an abort is not.
pub(super) fn a_timeout_is_told_and_an_abort_is_not(edge: &Edge<'_>) -> bool {
    let (Some((question, _)), Some(failure), Some(end)) =
        (edge.exchange, edge.failure(), edge.end())
    else {
        return true;
    };
    let seat = question.seat();
    let told = end.finished.notices().iter().any(|notice| {
        notice.notice == NoticeWord::SeatFailed
            && notice.about.as_deref() == Some(seat.word())
            && notice.round == edge.before.rank.0
    });
    match failure {
        SeatFailure::Threw(_) | SeatFailure::TimedOut => told,
        // These two are asked twice in a round, and may have failed the first time.
        SeatFailure::Aborted => !told || matches!(seat, Seat::Hook | Seat::Describe),
    }
}

pub(super) fn the_organisation_follows_the_last_tighten(edge: &Edge<'_>) -> bool {
    let tightened = matches!(edge.exchange, Some((Question::WriteJudge(_), _)));
    let wired = edge.world.input.wiring().has(Seat::Org);
    let follows = edge
        .next()
        .is_none_or(|next| matches!(next, Question::Org(_)));
    !tightened || !wired || follows
}

pub(super) fn whoever_follows_a_rewrite_is_asked_about_it(edge: &Edge<'_>) -> bool {
    let Some(next) = edge.next() else { return true };
    match edge.exchange {
        Some((Question::Hook(question), Answer::Hook(reply))) => {
            let (_, rewrites) = screened(question, reply, false);
            rewrites.first().unwrap_or(&question.args) == next.args()
        }
        Some((Question::Adjudicate(question), Answer::Adjudicate(Ok(answer)))) => {
            let rewrite = answer.rewrite.as_ref().map(NewArgs::read);
            match rewrite {
                Some(Ok(args)) => {
                    let described = edge.world.input.wiring().has(Seat::Describe);
                    let changed = described && args != question.current;
                    args == *next.args() && (!changed || next.seat() == Seat::Describe)
                }
                Some(Err(_)) => false,
                None => question.current == *next.args(),
            }
        }
        _ => true,
    }
}

/// What a tighten found or failed to find is on record, whatever stood; and a judge that failed is
/// the engine failing closed.
pub(super) fn a_tighten_objects_whatever_stands(edge: &Edge<'_>) -> bool {
    let Some((question, answer)) = edge.exchange else {
        return true;
    };
    let round = round_of(question);
    let objected = |cause: Cause| {
        let mut askers = edge.askers().iter();
        askers.any(|asker| asker.cause == cause && asker.round == round)
    };
    if let Some(failure) = edge.failure() {
        let guarded = edge.world.guards > 0 || question.seat() != Seat::Hook;
        let (refuser, adds) = edge.bench.failed(question.seat(), failure);
        let ended = refuser.is_none() || denied_by(edge) == refuser || !guarded;
        return ended && adds.into_iter().all(objected);
    }
    found(answer).is_none_or(objected)
}

/// What the answer of a tighten finds that objects by itself.
fn found(answer: &Answer) -> Option<Cause> {
    if let Answer::Probe(Ok(probe)) = answer {
        return match probe.finding {
            Reversibility::Reversible => None,
            Reversibility::Irreversible => Some(Cause::Irreversible),
            Reversibility::OutOfRoot => Some(Cause::ProbeOutOfRoot),
        };
    }
    if let Answer::ShellRead(Ok(read)) = answer {
        return match read.finding {
            ShellFinding::Clean | ShellFinding::Refused(_) => None,
            ShellFinding::Declined => Some(Cause::ReadDeclined),
            ShellFinding::OutOfRoot(_) => Some(Cause::ReadOutOfRoot),
            ShellFinding::Unestablishable(_) => Some(Cause::Unestablishable),
        };
    }
    matches!(answer, Answer::Egress(Ok(Egress::Outside(_)))).then_some(Cause::Outside)
}

/// Whoever denies any form for any member refuses, however much was not judged; a refusal that was
/// attested beside it goes before.
pub(super) fn a_deny_of_any_form_and_member_counts(edge: &Edge<'_>) -> bool {
    let Some((_, answer)) = edge.exchange else {
        return true;
    };
    let by = denied_by(edge);
    if let Answer::Adjudicate(Ok(answer)) = answer {
        let rulings = &answer.judgements;
        let denies = rulings.iter().any(|each| each.ruling == PolicyRuling::Deny);
        return !denies || matches!(by, Some(DeniedBy::Policy | DeniedBy::AskResolution));
    }
    if let Answer::Org(Ok(rulings)) = answer {
        let denies = rulings.iter().any(|each| each.ruling == OrgRuling::Deny);
        return !denies || by == Some(DeniedBy::Org);
    }
    if let Answer::Rules(Ok(rulings)) = answer {
        let denies = rulings.iter().any(|each| each.ruling == RuleRuling::Deny);
        return !denies || by == Some(DeniedBy::Rule);
    }
    true
}

pub(super) fn a_failed_hook_is_named(edge: &Edge<'_>) -> bool {
    let (Some(said), Some((Question::Hook(question), _))) = (screening(edge), edge.exchange) else {
        return true;
    };
    let failed = said.failure && denied_by(edge) == Some(DeniedBy::Engine);
    let reason = edge
        .end()
        .and_then(|end| end.reason.as_deref())
        .unwrap_or_default();
    let guards = question
        .hooks
        .iter()
        .filter(|hook| hook.kind == HookKind::Guard);
    let mut named = guards.map(|hook| format!("`{}`", hook.id));
    !failed || named.any(|name| reason.contains(&name))
}

pub(super) fn an_attested_refusal_refuses_an_allow(edge: &Edge<'_>) -> bool {
    let Some((_, answer)) = adjudication(edge) else {
        return false;
    };
    let allows = answer
        .judgements
        .iter()
        .all(|judgement| match judgement.ruling {
            PolicyRuling::Allow { .. } => true,
            PolicyRuling::Ask | PolicyRuling::Deny => false,
        });
    let refused = is_fresh(edge, answer.settlement, edge.world.attested.refusal);
    allows && refused && denied_by(edge) == Some(DeniedBy::AskResolution)
}

pub(super) fn a_second_screening_drops_an_allow(edge: &Edge<'_>) -> bool {
    let again = matches!(edge.exchange, Some((Question::Hook(question), _)) if question.again);
    again && edge.before.allowed_first && edge.monitor.covered.is_none() && edge.next().is_some()
}

pub(super) fn an_edit_is_asked_about_again(edge: &Edge<'_>) -> bool {
    let asks = matches!(edge.next(), Some(Question::Resolve(_)));
    asks && edge.askers().iter().any(|asker| asker.cause == Cause::Edit)
}
