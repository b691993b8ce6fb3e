//! Nothing loosens: an objection, a failure and an ancestor can only narrow what a pass ends in.

use gatefold::gate::{Answer, DeniedBy, Finished, Mode, ReadOnly, Seat, SeatFailure, Station};

use crate::longest::longest;
use crate::objections::objecting;
use crate::replies::well_formed;
use crate::run::{Exchange, Replaced, Run, UntilParked, Verdict, ensure, run};
use crate::runner::{Met, check};
use crate::script::{Menu, PolicyLine};
use crate::world::{MemberLine, Stage, World, unaborted};

/// GATE-003: one more objection never lets a call run that would not have run without it, unless a
/// yes is settled; and a deny gives way to an ask only where the now barred classifier would have
/// blocked or not ruled.
///
/// One more case is let be: where an allow of the policy was denied for the refusal attested beside
/// it, and the policy asks instead, the attestation settles nothing and a person is asked anew.
#[test]
fn nothing_loosens() {
    let tried = Met::default();
    let barred = Met::default();
    let asked_anew = Met::default();
    check("nothing_loosens", unaborted(), |world| {
        let stage = Stage::of(world);
        let base = run(&stage, &mut UntilParked)?;
        for (nth, Exchange { question, answer }) in base.exchanges.iter().enumerate() {
            for with in objecting(question, answer, world.settings.on_no_ruling) {
                let replaced = Replaced { nth, with };
                let tightened = run(&stage, &mut replaced.clone())?;
                tried.once();
                let way = not_looser(&base, &tightened, nth).map_err(|why| {
                    let with = &replaced.with;
                    let (before, after) = (base.told(), tightened.told());
                    format!("{why}, when {nth} became {with:?}\nbefore:\n{before}after:\n{after}")
                })?;
                match way {
                    Way::Kept => {}
                    Way::BarredClassifier => barred.once(),
                    Way::AttestedRefusal => asked_anew.once(),
                }
            }
        }
        Ok(())
    });
    tried.tell("objections tried");
    barred.tell("denies that gave way to an ask, the classifier being barred");
    asked_anew.mention("denies for an attested refusal that gave way to the policy's ask");
}

/// Why a deny gave way to an ask, if it did.
enum Way {
    Kept,
    BarredClassifier,
    AttestedRefusal,
}

fn not_looser(base: &Run, tightened: &Run, nth: usize) -> Result<Way, String> {
    if base.allows() {
        return Ok(Way::Kept);
    }
    ensure!(
        !tightened.allows() || tightened.has_yes(),
        "a call runs that did not run"
    );
    if !is_deny(base) || is_deny(tightened) {
        return Ok(Way::Kept);
    }
    if is_attested_refusal(base) && nth + 1 == base.exchanges.len() {
        return Ok(Way::AttestedRefusal);
    }
    let refuser = refuser(base);
    ensure!(
        refuser == Some(DeniedBy::Classifier),
        "a deny by {refuser:?} gave way to an ask"
    );
    ensure!(
        !tightened.asked(Seat::Classify),
        "the classifier was not barred"
    );
    Ok(Way::BarredClassifier)
}

/// Whether an allow or a deny of the policy ended in the refusal that was attested beside it.
fn is_attested_refusal(run: &Run) -> bool {
    let at = run.finished().and_then(Finished::denied_at);
    at == Some(Station::Adjudicate) && refuser(run) == Some(DeniedBy::AskResolution)
}

fn refuser(run: &Run) -> Option<DeniedBy> {
    run.finished()
        .and_then(|finished| finished.outcome().denied_by())
}

fn is_deny(run: &Run) -> bool {
    run.finished().is_some() && !run.allows()
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
                if answer.failure().is_none() {
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

/// Why GATE-009 leaves `aborted` out: a description that fails keeps the sandbox from being asked,
/// an answer may bring it to be asked, and then it may be cancelled.
#[test]
fn an_answer_may_bring_a_seat_to_be_asked_that_is_cancelled() {
    let mut world = longest(0, 0);
    world.members[0].mode = Mode::Bypass;
    world.script.policy = Menu::of(Ok(PolicyLine::default()));
    world.script.sandbox = Menu::of(Err(SeatFailure::Aborted));
    let described = run(&Stage::of(&world), &mut UntilParked).expect("the pass ends");
    assert_eq!(refuser(&described), Some(DeniedBy::AskResolution));
    world.script.describe = Menu::of(Err(SeatFailure::TimedOut));
    let failed = run(&Stage::of(&world), &mut UntilParked).expect("the pass ends");
    assert!(failed.allows() && !failed.has_yes(), "{}", failed.told());
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
    let by_classifier = refuser(ancestor) == Some(DeniedBy::Classifier)
        && member.mode == Mode::Auto
        && !child.asked(Seat::Classify);
    ensure!(
        by_classifier || is_attested_refusal(ancestor),
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
                        Answer::Describe(Err(_)) => Some(ReadOnly::Unknown),
                        _ => None,
                    });
            if described == Some(ReadOnly::Yes) {
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
