//! How a pass ends: once, by the station that the record names, and with the args that were judged.

use gatefold::gate::{
    AllowedBy, Answer, Cell, DeniedBy, ExitKind, Finished, NewArgs, NoticeWord, Question, Seat,
    SeatFailure, SettledAnswer, Station, Unanswered, Verdict as Word,
};

use crate::args::pooled;
use crate::run::{
    Account, AsAnswered, Conduct, Run, UntilParked, Verdict, ensure, fields, run, station_of,
    steps, wrote,
};
use crate::runner::{Met, check};
use crate::world::{Stage, World, worlds};

/// GATE-001, without tickets: a pass mints at most one outcome, a suspended one mints none, and no
/// script makes the engine compose a defect.
#[test]
fn a_pass_ends_in_one_outcome_or_waits() {
    check("a_pass_ends_in_one_outcome_or_waits", worlds(), |world| {
        let stage = Stage::of(world);
        let run = run(&stage, &mut UntilParked)?;
        let Some(finished) = run.finished() else {
            let last = run
                .exchanges
                .last()
                .map(|exchange| exchange.question.seat());
            ensure!(last == Some(Seat::Park), "parked at {last:?}");
            return Ok(());
        };
        let exits = steps(finished)
            .iter()
            .filter(|step| step.station == Station::Exit)
            .count();
        ensure!(exits == 1, "{exits} exits");
        let outcome = finished.outcome();
        let (denied, allowed) = (outcome.denied_by(), outcome.allowed_by());
        ensure!(
            denied.is_some() != allowed.is_some(),
            "{denied:?} and {allowed:?}"
        );
        Ok(())
    });
}

/// GATE-002: after the step that wrote a refuser only the exit follows, and it stands at the end.
#[test]
fn deny_is_final() {
    check("deny_is_final", worlds(), |world| {
        finished_runs(world, |_, finished| {
            let steps = steps(finished);
            let wrote_deny = |step| wrote(step, Cell::DeniedBy).is_some_and(|by| by != "empty");
            let Some(place) = steps.iter().position(wrote_deny) else {
                ensure!(
                    finished.outcome().denied_by().is_none(),
                    "a deny that nobody wrote"
                );
                return Ok(());
            };
            let after: Vec<_> = steps
                .iter()
                .skip(place + 1)
                .map(|step| step.station)
                .collect();
            ensure!(after == [Station::Exit], "after the deny: {after:?}");
            let again = steps
                .iter()
                .skip(place + 1)
                .any(|step| !step.wrote.is_empty());
            ensure!(!again, "something was written after the deny");
            let refuser = finished.outcome().denied_by().map(DeniedBy::word);
            ensure!(
                refuser == wrote(&steps[place], Cell::DeniedBy),
                "the refuser changed"
            );
            Ok(())
        })
    });
}

/// GATE-005: what ran is what the last `adjudicate` answered for, its own rewrite included; and if
/// a yes stands beside it, the yes was given for exactly that.
#[test]
fn what_ran_was_judged_and_is_what_the_yes_was_for() {
    let judged = Met::default();
    let answered = Met::default();
    check(
        "what_ran_was_judged_and_is_what_the_yes_was_for",
        worlds(),
        |world| {
            finished_runs(world, |run, finished| {
                let Some(ran) = finished.args_to_run() else {
                    return Ok(());
                };
                let record = fields(finished);
                ensure!(
                    record.digests.runs == Some(ran.digest()),
                    "another digest is recorded"
                );
                if let Some(settled) = record.settled {
                    answered.once();
                    ensure!(settled.answer == SettledAnswer::Yes, "ran beside a refusal");
                    ensure!(
                        Some(settled.given_for) == record.digests.runs,
                        "a yes for other args"
                    );
                }
                let mut verdicts = run.exchanges.iter().rev().filter_map(|exchange| {
                    match (&exchange.question, &exchange.answer) {
                        (Question::Adjudicate(asked), Answer::Adjudicate(answer)) => {
                            Some((asked, answer.as_ref().ok()?))
                        }
                        _ => None,
                    }
                });
                match verdicts.next() {
                    Some((asked, answer)) => {
                        judged.once();
                        let rewrite = answer.rewrite.as_ref().map(NewArgs::read);
                        let rewrite = rewrite.transpose().map_err(|error| error.to_string())?;
                        let would_run = rewrite.as_ref().unwrap_or(&asked.current);
                        ensure!(ran == would_run, "{ran} ran, {would_run} was judged");
                        ensure!(
                            asked.round == finished.round(),
                            "an earlier round was judged"
                        );
                    }
                    None if world.hooks.is_empty() && finished.round() == 0 => {
                        ensure!(
                            *ran == pooled(world.call, false),
                            "args that nobody gave ran"
                        );
                    }
                    None => {}
                }
                Ok(())
            })
        },
    );
    judged.tell("runs that the policy judged");
    answered.tell("runs beside a yes");
}

/// GATE-010: the refuser in the record is the station that wrote deny, the allower the one that
/// wrote allow.
#[test]
fn the_record_names_the_station_that_decided() {
    check(
        "the_record_names_the_station_that_decided",
        worlds(),
        |world| {
            finished_runs(world, |_, finished| {
                let by = |cell| {
                    let mut writers = steps(finished).iter().rev();
                    writers.find_map(|step| {
                        let value = wrote(step, cell).filter(|value| *value != "empty")?;
                        Some((step.station, value.to_owned()))
                    })
                };
                let record = fields(finished);
                if let Some(refuser) = record.denied_by {
                    let (station, word) = by(Cell::DeniedBy).ok_or("nobody wrote the deny")?;
                    ensure!(
                        word == refuser.word(),
                        "{word} refused, {refuser} is recorded"
                    );
                    ensure!(
                        can_refuse(station).contains(&refuser),
                        "{refuser} at {station}"
                    );
                    ensure!(
                        finished.denied_at() == Some(station),
                        "denied at another station"
                    );
                }
                if let Some(allower) = record.allowed_by {
                    let (station, word) = by(Cell::AllowedBy).ok_or("nobody wrote the allow")?;
                    ensure!(
                        word == allower.word(),
                        "{word} allowed, {allower} is recorded"
                    );
                    ensure!(
                        can_allow(station).contains(&allower),
                        "{allower} at {station}"
                    );
                }
                Ok(())
            })
        },
    );
}

/// The refusers of a station. An abort is the engine's deny up to the rules, the ask's after them.
fn can_refuse(station: Station) -> &'static [DeniedBy] {
    use DeniedBy as By;
    match station {
        Station::Lock => &[By::Compliance],
        Station::Hook => &[By::Hook, By::Engine],
        Station::Plan => &[By::PlanMode],
        Station::Adjudicate => &[By::Policy, By::Engine, By::AskResolution],
        Station::Describe | Station::Reversibility | Station::Egress => &[By::Engine],
        Station::ShellRead => &[By::ShellRead, By::Engine],
        Station::WriteProtection => &[By::WriteProtection, By::Engine],
        Station::Org => &[By::Org, By::Engine],
        Station::Rules => &[By::Rule, By::Engine],
        Station::Classify => &[By::Classifier, By::AskResolution],
        Station::Arbitrate => &[By::Mode],
        Station::Sandbox | Station::Present | Station::Park | Station::Resolve => {
            &[By::AskResolution]
        }
        Station::Edit => &[By::EditCap],
        Station::Entry | Station::Promote | Station::Unstated | Station::Stamp | Station::Exit => {
            &[]
        }
    }
}

fn can_allow(station: Station) -> &'static [AllowedBy] {
    use AllowedBy as By;
    match station {
        Station::Adjudicate => &[By::Policy, By::Default],
        Station::Rules => &[By::StoredRule, By::Hook, By::ReadOnly],
        Station::Classify => &[By::Classifier],
        Station::Sandbox => &[By::Sandbox],
        Station::Arbitrate => &[By::Mode],
        Station::Resolve | Station::Edit => &[By::AskResolution],
        Station::Entry
        | Station::Lock
        | Station::Hook
        | Station::Describe
        | Station::Plan
        | Station::Promote
        | Station::Reversibility
        | Station::Egress
        | Station::ShellRead
        | Station::WriteProtection
        | Station::Unstated
        | Station::Org
        | Station::Stamp
        | Station::Present
        | Station::Park
        | Station::Exit => &[],
    }
}

/// GATE-011: a pass asks at most 14 questions and 13 more an edit round; with two or more guards,
/// one more each, for the second screening.
#[test]
fn questions_are_bounded() {
    check("questions_are_bounded", worlds(), |world| {
        let run = run(&Stage::of(world), &mut AsAnswered)?;
        let rounds = usize::from(world.settings.edit_cap);
        let again = usize::from(world.guards() >= 2);
        let bound = 14 + again + (13 + again) * rounds;
        let asked = run.exchanges.len();
        ensure!(
            asked <= bound,
            "{asked} questions, more than {bound}:\n{}",
            run.told()
        );
        Ok(())
    });
}

/// The bound of GATE-011 is reached: every seat that can be asked is, in every round.
#[test]
fn the_bound_on_questions_is_reached() {
    for (guards, again) in [(1, 0), (2, 1)] {
        for cap in 0..=4 {
            let world = crate::longest::longest(guards, cap);
            let run = run(&Stage::of(&world), &mut AsAnswered).expect("the pass ends");
            let bound = 14 + again + (13 + again) * usize::from(cap);
            assert_eq!(run.exchanges.len(), bound, "cap {cap}:\n{}", run.told());
        }
    }
    println!("the_bound_on_questions_is_reached: 10 worlds");
}

/// GATE-015: no pass with an aborted answer of a seat ends in allow.
#[test]
fn an_aborted_answer_never_ends_in_allow() {
    let met = Met::default();
    check("an_aborted_answer_never_ends_in_allow", worlds(), |world| {
        let stage = Stage::of(world);
        let run_of = |aborted_at| {
            run(
                &stage,
                &mut Aborting {
                    at: aborted_at,
                    by_answer: true,
                },
            )
        };
        let base = run(&stage, &mut AsAnswered)?;
        for nth in 0..base.exchanges.len() {
            let aborted = run_of(nth)?;
            met.once();
            ensure!(!aborted.allows(), "ran after an abort:\n{}", aborted.told());
        }
        let last = base.exchanges.last().map(|exchange| &exchange.answer);
        let was_aborted = last.is_some_and(|answer| *answer == aborted_answer(answer.seat()));
        ensure!(
            !was_aborted || !base.allows(),
            "ran after an abort:\n{}",
            base.told()
        );
        Ok(())
    });
    met.tell("aborted answers");
}

/// An aborted answer ends the pass where it stands: up to the rules the engine fails closed and a
/// settled yes stays, after them the ask ends unanswered; and [`Pass::abort`] is the same.
///
/// [`Pass::abort`]: gatefold::gate::Pass::abort
#[test]
fn an_abort_ends_the_pass_where_it_stands() {
    check(
        "an_abort_ends_the_pass_where_it_stands",
        worlds(),
        |world| {
            let stage = Stage::of(world);
            let base = run(&stage, &mut AsAnswered)?;
            let Some(at) = usize::from(world.script.salt).checked_rem(base.exchanges.len()) else {
                return Ok(());
            };
            let station = station_of(base.exchanges[at].question.seat());
            let answered = run(
                &stage,
                &mut Aborting {
                    at,
                    by_answer: true,
                },
            )?;
            let cancelled = run(
                &stage,
                &mut Aborting {
                    at,
                    by_answer: false,
                },
            )?;
            let account = |run: &Run| {
                let account = Account::of(run).ok_or("an aborted pass is finished")?;
                Ok::<_, String>(Account {
                    questions: Vec::new(),
                    ..account
                })
            };
            ensure!(
                account(&answered)? == account(&cancelled)?,
                "abort() is not the same"
            );
            aborted_at(&answered, station).map_err(|why| format!("{why}\n{}", answered.told()))
        },
    );
}

fn aborted_at(run: &Run, station: Station) -> Verdict {
    let finished = run.finished().ok_or("an aborted pass is finished")?;
    let denied_at = finished.denied_at();
    ensure!(
        denied_at == Some(station),
        "denied at {denied_at:?}, not {station}"
    );
    let word = NoticeWord::PermissionDenied;
    let told = finished.notices().iter().any(|each| each.notice == word);
    ensure!(told, "the deny observer was not told");
    let record = fields(finished);
    let (refuser, settled) = (record.denied_by, record.settled);
    if station < Station::Stamp {
        ensure!(refuser == Some(DeniedBy::Engine), "denied by {refuser:?}");
        let yes = settled.as_ref().map(|ask| ask.answer == SettledAnswer::Yes);
        ensure!(
            yes != Some(false),
            "a refusal was settled before any ask stood"
        );
        // An edit round is there because somebody said yes.
        ensure!(
            finished.round() == 0 || yes == Some(true),
            "the yes was lost"
        );
    } else {
        ensure!(
            refuser == Some(DeniedBy::AskResolution),
            "denied by {refuser:?}"
        );
        let why = settled.and_then(|settled| settled.why);
        ensure!(why == Some(Unanswered::Aborted), "settled {why:?}");
    }
    Ok(())
}

/// Ends the pass at one question, by an answer or by the call.
struct Aborting {
    at: usize,
    by_answer: bool,
}

impl Conduct for Aborting {
    fn answer(&mut self, nth: usize, question: &Question, answer: Answer) -> Answer {
        if nth == self.at {
            aborted_answer(question.seat())
        } else {
            answer
        }
    }

    fn aborts(&self, nth: usize) -> bool {
        !self.by_answer && nth == self.at
    }
}

fn aborted_answer(seat: Seat) -> Answer {
    Answer::failed(seat, SeatFailure::Aborted)
}

/// Args run exactly on an allow, and the record, the outcome and the exit say the same.
#[test]
fn an_allow_runs_args_and_a_deny_runs_none() {
    check(
        "an_allow_runs_args_and_a_deny_runs_none",
        worlds(),
        |world| {
            finished_runs(world, |_, finished| {
                let record = fields(finished);
                let allows = finished.exit() == ExitKind::Allow;
                let expected = if allows { Word::Allow } else { Word::Deny };
                ensure!(
                    record.verdict == expected,
                    "{} at exit {}",
                    record.verdict,
                    finished.exit()
                );
                ensure!(finished.args_to_run().is_some() == allows, "args to run");
                ensure!(
                    record.digests.runs.is_some() == allows,
                    "a digest of what runs"
                );
                ensure!(record.allowed_by.is_some() == allows, "an allower");
                ensure!(record.denied_by.is_none() == allows, "a refuser");
                ensure!(
                    finished.reason().is_none() == allows,
                    "a reason for the model"
                );
                Ok(())
            })
        },
    );
}

/// Exit A is the engine's deny of the first screening, B a hook's own; every deny but B tells the
/// deny observer once, and an allow tells nobody.
#[test]
fn the_deny_observer_is_told_of_every_deny_but_a_hooks_own() {
    check(
        "the_deny_observer_is_told_of_every_deny_but_a_hooks_own",
        worlds(),
        |world| {
            finished_runs(world, |_, finished| {
                let first = finished.denied_at() == Some(Station::Hook) && finished.round() == 0;
                let expected = match finished.outcome().denied_by() {
                    None => ExitKind::Allow,
                    Some(DeniedBy::Engine) if first => ExitKind::EngineFailClosed,
                    Some(DeniedBy::Hook) if first => ExitKind::HookDeny,
                    Some(_) => ExitKind::Deny,
                };
                ensure!(
                    finished.exit() == expected,
                    "{} is not {expected}",
                    finished.exit()
                );
                let denied = |notice: &&gatefold::gate::Notice| {
                    notice.notice == NoticeWord::PermissionDenied
                };
                let told = finished.notices().iter().filter(denied).count();
                let silent = matches!(expected, ExitKind::Allow | ExitKind::HookDeny);
                ensure!(
                    told == usize::from(!silent),
                    "told {told} times at exit {expected}"
                );
                Ok(())
            })
        },
    );
}

/// Holds a world's run, which always ends when parked asks are answered, to a check.
pub(crate) fn finished_runs(
    world: &World,
    check: impl FnOnce(&Run, &Finished) -> Verdict,
) -> Verdict {
    let run = run(&Stage::of(world), &mut AsAnswered)?;
    let finished = run.finished().ok_or("the pass did not end")?;
    check(&run, finished).map_err(|why| format!("{why}\n{}", run.told()))
}
