//! What holds of every pass with an open question.

use gatefold::gate::{AskOrigin, Automatic, Cause, Question, RECORD_SCHEMA, Seat, Verdict};

use super::super::edge::{Stop, askers};
use super::super::world::LEG;

pub(super) fn nobody_who_is_barred_is_asked(stop: &Stop<'_>) -> bool {
    let answerer = match stop.question().seat() {
        Seat::Classify => Automatic::Classifier,
        Seat::Sandbox => Automatic::Sandbox,
        Seat::Hook
        | Seat::Describe
        | Seat::Adjudicate
        | Seat::Probe
        | Seat::Egress
        | Seat::ShellRead
        | Seat::WriteJudge
        | Seat::Org
        | Seat::Rules
        | Seat::Present
        | Seat::Park
        | Seat::Resolve => return true,
    };
    !stop.bench.bars(stop.causes(), answerer)
}

pub(super) fn the_legs_mark_stands_once(stop: &Stop<'_>) -> bool {
    stop.pass.reason().matches(LEG).count() == 1
}

pub(super) fn no_hook_is_asked_that_is_not_declared(stop: &Stop<'_>) -> bool {
    let Question::Hook(question) = stop.question() else {
        return true;
    };
    let declared = stop.world.input.hooks();
    !question.hooks.is_empty() && question.hooks.iter().all(|hook| declared.contains(hook))
}

/// From the tightens on a guard's ask is on record among the causes.
pub(super) fn a_guards_ask_is_a_cause(stop: &Stop<'_>) -> bool {
    let (round, place) = stop.monitor.rank;
    let promoted = place >= 6;
    let asks =
        |asker: &gatefold::gate::RecordAsker| asker.cause == Cause::Hook && asker.round == round;
    !stop.monitor.hook_asked || !promoted || askers(stop.fields).iter().any(asks)
}

pub(super) fn an_offer_rides_alone(stop: &Stop<'_>) -> bool {
    let Question::Resolve(question) = stop.question() else {
        return true;
    };
    let origins = question.ask.askers.iter();
    let mut origins = origins.map(|asker| stop.bench.judge.origin(asker.cause));
    question.offer.is_none() || origins.all(|origin| origin == Some(AskOrigin::ShellRead))
}

pub(super) fn a_target_is_judged_once(stop: &Stop<'_>) -> bool {
    let round = stop.monitor.rank.0;
    let judged = askers(stop.fields).iter().filter(|asker| {
        asker.round == round
            && matches!(asker.cause, Cause::WriteProtected | Cause::WriteUnresolved)
    });
    judged.count() <= 1
}

pub(super) fn a_record_stands_at_every_question(stop: &Stop<'_>) -> bool {
    let fields = stop.fields;
    fields.schema.as_str() == RECORD_SCHEMA
        && fields.verdict == Verdict::Ask
        && fields.denied_by.is_none()
        && fields.allowed_by.is_none()
        && fields.digests.asked == stop.world.pool.asked.digest()
}

pub(super) fn the_policy_is_the_one_of_the_input(stop: &Stop<'_>) -> bool {
    stop.fields.policy == Some(stop.world.policy)
}

/// Every ask is parked at the site that the table names.
pub(super) fn an_ask_is_parked_at_its_site(stop: &Stop<'_>) -> bool {
    let Question::Park(question) = stop.question() else {
        return true;
    };
    let (shown, round) = (stop.monitor.shown, stop.monitor.rank.0);
    stop.bench.park_site(shown, round) == Some(question.site.word())
}

/// A seat that is not wired is not asked, but for the resolver of a resumed pass.
pub(super) fn an_unwired_seat_is_not_asked(stop: &Stop<'_>) -> bool {
    let wired = |seat: Seat| stop.world.input.wiring().has(seat);
    let asked = stop.question().seat();
    let resumed = asked == Seat::Resolve && stop.monitor.resumed;
    let mut unwired = Seat::ALL.iter().filter(|seat| !wired(**seat));
    (wired(asked) || resumed) && unwired.all(|seat| stop.bench.unwired(*seat))
}
