//! Nothing loosens: an objection, a failure and an ancestor can only narrow what a pass ends in.

use gatefold::gate::{Answer, DeniedBy, Mode, Seat, Station};

use crate::objections::{failure_of, objecting};
use crate::replies::well_formed;
use crate::run::{Exchange, Replaced, Run, UntilParked, Verdict, ensure, run};
use crate::runner::{Met, check};
use crate::world::{MemberLine, Stage, World, unaborted};

/// GATE-003: one more objection never lets a call run that would not have run without it, unless a
/// yes is settled; and a deny gives way to an ask only where the now barred classifier would have
/// blocked or not ruled.
#[test]
fn nothing_loosens() {
    let tried = Met::default();
    let gave_way = Met::default();
    check("nothing_loosens", unaborted(), |world| {
        let stage = Stage::of(world);
        let base = run(&stage, &mut UntilParked)?;
        for (nth, Exchange { question, answer }) in base.exchanges.iter().enumerate() {
            if is_attested_refusal(&base, nth) {
                continue;
            }
            for with in objecting(question, answer, world.settings.on_no_ruling) {
                let tightened = run(
                    &stage,
                    &mut Replaced {
                        nth,
                        with: with.clone(),
                    },
                )?;
                tried.once();
                if is_deny(&base) && !is_deny(&tightened) {
                    gave_way.once();
                }
                not_looser(&base, &tightened).map_err(|why| {
                    format!(
                        "{why}, when answer {nth} became {with:?}\nbefore:\n{}after:\n{}",
                        base.told(),
                        tightened.told()
                    )
                })?;
            }
        }
        Ok(())
    });
    tried.tell("objections tried");
    gave_way.tell("denies that gave way to an ask");
}

/// An allow beside an attested refusal that counts is a deny already: an ask in its place is no
/// further objection. (An ask settles nothing, so it would bring the question back to a person.)
fn is_attested_refusal(base: &Run, nth: usize) -> bool {
    let at = base
        .finished()
        .and_then(gatefold::gate::Finished::denied_at);
    nth + 1 == base.exchanges.len()
        && at == Some(Station::Adjudicate)
        && base
            .finished()
            .and_then(|finished| finished.outcome().denied_by())
            == Some(DeniedBy::AskResolution)
}

fn is_deny(run: &Run) -> bool {
    run.finished().is_some() && !run.allows()
}

fn not_looser(base: &Run, tightened: &Run) -> Verdict {
    if base.allows() {
        return Ok(());
    }
    ensure!(
        !tightened.allows() || tightened.has_yes(),
        "a call runs that did not run"
    );
    if is_deny(base) && !is_deny(tightened) {
        let refuser = base
            .finished()
            .and_then(|finished| finished.outcome().denied_by());
        ensure!(
            refuser == Some(DeniedBy::Classifier),
            "a deny by {refuser:?} gave way to an ask"
        );
        ensure!(
            !tightened.asked(Seat::Classify),
            "the classifier was not barred"
        );
    }
    Ok(())
}

/// GATE-009: a pass that runs with a failed seat and without a settled yes also runs with every
/// well-formed answer of that seat that is no deny.
///
/// Over scripts without `aborted`: an answer may bring a seat to be asked that was not, and that
/// seat may be cancelled.
#[test]
fn a_failed_seat_is_never_looser_than_an_answer() {
    let tried = Met::default();
    check(
        "a_failed_seat_is_never_looser_than_an_answer",
        unaborted(),
        |world| {
            let stage = Stage::of(world);
            let base = run(&stage, &mut UntilParked)?;
            if !base.allows() || base.has_yes() {
                return Ok(());
            }
            for (nth, Exchange { question, answer }) in base.exchanges.iter().enumerate() {
                if failure_of(answer).is_none() {
                    continue;
                }
                for with in well_formed(question) {
                    tried.once();
                    let answered = run(
                        &stage,
                        &mut Replaced {
                            nth,
                            with: with.clone(),
                        },
                    )?;
                    ensure!(
                        answered.allows(),
                        "does not run when answer {nth} is {with:?}\nfailed:\n{}answered:\n{}",
                        base.told(),
                        answered.told()
                    );
                }
            }
            Ok(())
        },
    );
    tried.tell("answers in place of a failure");
}

/// GATE-013: a child's pass never ends wider than the same pass of any ancestor alone.
///
/// The host judges a member by its name, so a judgement is the same whoever calls. A yes that is
/// settled in the child's pass is a person's own; then the ancestor's pass may have been denied by
/// the classifier, which the child's causes bar, or by a refusal that was attested beside an allow.
#[test]
fn a_child_is_never_wider_than_its_ancestor() {
    let compared = Met::default();
    check(
        "a_child_is_never_wider_than_its_ancestor",
        unaborted(),
        |world| {
            let child = run(&Stage::of(world), &mut UntilParked)?;
            for member in world.members.iter().skip(1) {
                let alone = World {
                    members: vec![member.clone()],
                    ..world.clone()
                };
                let stage = Stage::of(&alone);
                let ancestor = run(&stage, &mut UntilParked)?;
                compared.once();
                not_wider(&child, &ancestor, member).map_err(|why| {
                    format!(
                        "{why}\nchild:\n{}ancestor m{} alone:\n{}",
                        child.told(),
                        member.name,
                        ancestor.told()
                    )
                })?;
            }
            Ok(())
        },
    );
    compared.tell("ancestors compared");
}

fn not_wider(child: &Run, ancestor: &Run, member: &MemberLine) -> Verdict {
    if child.allows() && !child.has_yes() {
        ensure!(
            ancestor.allows(),
            "the child runs and its ancestor does not"
        );
        return Ok(());
    }
    if is_deny(child) || !is_deny(ancestor) {
        return Ok(());
    }
    // The child's ask stands, or a person said yes to it, and the ancestor is denied.
    let finished = ancestor.finished().ok_or("a deny is finished")?;
    let refuser = finished.outcome().denied_by();
    let by_classifier = refuser == Some(DeniedBy::Classifier)
        && member.mode == Mode::Auto
        && !child.asked(Seat::Classify);
    let by_attested_refusal = refuser == Some(DeniedBy::AskResolution)
        && finished.denied_at() == Some(Station::Adjudicate);
    ensure!(
        by_classifier || by_attested_refusal,
        "the child asks, its ancestor is denied"
    );
    Ok(())
}

/// A lock of any member denies before any face is asked.
#[test]
fn a_lock_denies_before_anybody_is_asked() {
    check(
        "a_lock_denies_before_anybody_is_asked",
        unaborted(),
        |world| {
            let mut locked = world.clone();
            let place = usize::from(world.script.salt) % world.members.len();
            locked.members[place].lock = true;
            let run = run(&Stage::of(&locked), &mut UntilParked)?;
            ensure!(
                run.exchanges.is_empty(),
                "somebody was asked:\n{}",
                run.told()
            );
            let finished = run.finished().ok_or("a locked call is denied")?;
            let refuser = finished.outcome().denied_by();
            ensure!(
                refuser == Some(DeniedBy::Compliance),
                "denied by {refuser:?}"
            );
            Ok(())
        },
    );
}

/// Plan mode of any member runs nothing that is not known to only read.
#[test]
fn plan_mode_runs_only_what_only_reads() {
    let met = Met::default();
    check(
        "plan_mode_runs_only_what_only_reads",
        unaborted(),
        |world| {
            let mut planning = world.clone();
            let place = usize::from(world.script.salt) % world.members.len();
            planning.members[place].mode = Mode::Plan;
            let run = run(&Stage::of(&planning), &mut UntilParked)?;
            let described =
                run.exchanges
                    .iter()
                    .rev()
                    .find_map(|exchange| match &exchange.answer {
                        Answer::Describe(Ok(facts)) => Some(facts.read_only),
                        Answer::Describe(Err(_)) => Some(gatefold::gate::ReadOnly::Unknown),
                        _ => None,
                    });
            if described == Some(gatefold::gate::ReadOnly::Yes) {
                met.once();
                return Ok(());
            }
            ensure!(
                is_deny(&run),
                "a call that may write was not denied:\n{}",
                run.told()
            );
            Ok(())
        },
    );
    met.tell("calls that only read");
}
