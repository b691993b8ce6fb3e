//! What the record, the notices and the reasons say of a pass, and what they never say.

use gatefold::gate::{
    AllowedBy, Answer, AskOrigin, DeniedBy, HookKind, HookOutcome, HookQuestion, HookReceipt,
    Notice, NoticeWord, Parking, Pass, Question, Resolved, Seat, SeatFailure, SettledAnswer,
    SettledBy, Step, Suspended, Verdict as Word,
};

use crate::ending::finished_runs;
use crate::run::{AsAnswered, Conduct, Exchange, Run, ensure, fields, resume, run};
use crate::runner::{Met, check};
use crate::world::{Stage, worlds};

/// The record of a pass that waits is an ask's: no refuser, no allower, no settlement, nothing
/// that runs.
#[test]
fn an_asks_record_decides_nothing() {
    check("an_asks_record_decides_nothing", worlds(), |world| {
        run(&Stage::of(world), &mut Watched).map(|_| ())
    });
}

struct Watched;

impl Conduct for Watched {
    fn before(&mut self, pass: Pass) -> Result<Pass, String> {
        undecided(&pass.pending())?;
        Ok(pass)
    }

    fn parked(&mut self, stage: &Stage<'_>, parked: Suspended) -> Result<Option<Step>, String> {
        undecided(&parked.parked.record())?;
        resume(stage, parked).map(Some)
    }
}

fn undecided(record: &gatefold::gate::Record) -> Result<(), String> {
    let fields = record.fields();
    let decided = fields.denied_by.is_some()
        || fields.allowed_by.is_some()
        || fields.settled.is_some()
        || fields.released.is_some()
        || fields.refused.is_some()
        || fields.cause.is_some()
        || fields.digests.runs.is_some();
    ensure!(
        fields.verdict == Word::Ask && !decided,
        "{}",
        record.to_json()
    );
    Ok(())
}

/// Every `threw` and `timed_out` of a seat or hook is a notice, at its seat; `aborted` never is.
#[test]
fn every_failure_is_a_notice_and_an_abort_is_none() {
    check(
        "every_failure_is_a_notice_and_an_abort_is_none",
        worlds(),
        |world| {
            finished_runs(world, |run, finished| {
                for seat in Seat::ALL {
                    let failures = run.exchanges.iter().filter(|exchange| {
                        let failed = exchange.answer.failure();
                        exchange.question.seat() == *seat
                            && failed.is_some_and(|failure| *failure != SeatFailure::Aborted)
                    });
                    let failures = failures.count();
                    let told = about(finished.notices(), NoticeWord::SeatFailed, seat.word());
                    match seat {
                        // These also count as failed when a judgement is missing or a rewrite unusable.
                        Seat::Adjudicate | Seat::Org | Seat::Rules => {
                            ensure!(told >= failures, "{seat} failed {failures}, told {told}");
                        }
                        _ => ensure!(told == failures, "{seat} failed {failures}, told {told}"),
                    }
                }
                for hook in (0..world.hooks.len()).map(|place| format!("h{place}")) {
                    let failures = hook_failures(run, &hook);
                    let told = about(finished.notices(), NoticeWord::HookFailed, &hook);
                    ensure!(told == failures, "{hook} failed {failures}, told {told}");
                }
                let said = |notice: &Notice| {
                    notice
                        .text
                        .as_ref()
                        .is_some_and(|text| text.as_str() == "aborted")
                };
                ensure!(!finished.notices().iter().any(said), "an abort was told");
                Ok(())
            })
        },
    );
}

fn about(notices: &[Notice], word: NoticeWord, whom: &str) -> usize {
    let told = |notice: &&Notice| notice.notice == word && notice.about.as_deref() == Some(whom);
    notices.iter().filter(told).count()
}

fn hook_failures(run: &Run, hook: &str) -> usize {
    let failed = |asked: &HookQuestion, receipts: &[HookReceipt]| {
        if !asked.hooks.iter().any(|each| each.id.as_str() == hook) {
            return false;
        }
        let mut of_hook = receipts
            .iter()
            .filter(|receipt| receipt.hook.as_str() == hook);
        match (of_hook.next(), of_hook.next()) {
            (None, _) | (Some(_), Some(_)) => true,
            (Some(receipt), None) => !matches!(receipt.outcome, HookOutcome::Answered(_)),
        }
    };
    let failures =
        run.exchanges
            .iter()
            .filter(|exchange| match (&exchange.question, &exchange.answer) {
                (Question::Hook(asked), Answer::Hook(Ok(receipts))) => failed(asked, receipts),
                _ => false,
            });
    failures.count()
}

/// Every wired observer's answer is a notice, and counts for nothing: without observers the pass
/// ends the same.
#[test]
fn an_observer_counts_for_nothing() {
    let met = Met::default();
    check("an_observer_counts_for_nothing", worlds(), |world| {
        // Hooks answer by their id, which is their place: only trailing observers can be taken off.
        let mut without = world.clone();
        while without.hooks.last() == Some(&HookKind::Observer) {
            without.hooks.pop();
        }
        let seat_fails = |run: &Run| {
            run.exchanges
                .iter()
                .any(|each| matches!(&each.answer, Answer::Hook(Err(SeatFailure::Aborted))))
        };
        let with = run(&Stage::of(world), &mut AsAnswered)?;
        if without.hooks.len() == world.hooks.len() || seat_fails(&with) {
            return Ok(());
        }
        met.once();
        let without = run(&Stage::of(&without), &mut AsAnswered)?;
        let record = |run: &Run| {
            run.finished().map(|finished| {
                // A ticket is bound to the guards and to no observer, so even it stays the same.
                (
                    finished.record().to_json(),
                    finished.reason(),
                    finished.context().to_vec(),
                )
            })
        };
        ensure!(
            record(&with) == record(&without),
            "with:\n{}without:\n{}",
            with.told(),
            without.told()
        );
        Ok(())
    });
    met.tell("worlds with observers to take off");
}

/// A yes or a no that is settled was said by somebody: in an answer of `resolve`, or in an earlier
/// pass whose id was shown. Nothing else that a host composes settles anything.
#[test]
fn a_settlement_was_said_by_somebody() {
    check("a_settlement_was_said_by_somebody", worlds(), |world| {
        finished_runs(world, |run, finished| {
            let Some(settled) = fields(finished).settled else {
                return Ok(());
            };
            if settled.by == SettledBy::Engine {
                ensure!(
                    settled.answer == SettledAnswer::Unanswered,
                    "the engine said {}",
                    settled.answer
                );
                return Ok(());
            }
            let said = run.exchanges.iter().any(|exchange| match &exchange.answer {
                Answer::Resolve(Ok(resolution)) => match (&resolution.shown, settled.answer) {
                    (Resolved::Yes { .. }, SettledAnswer::Yes)
                    | (Resolved::No { .. }, SettledAnswer::No) => true,
                    _ => resolution.attested.is_some() && !world.priors.is_empty(),
                },
                Answer::Adjudicate(Ok(verdict)) => {
                    verdict.settlement.is_some() && !world.priors.is_empty()
                }
                _ => false,
            });
            ensure!(said, "nobody said {}", settled.answer);
            Ok(())
        })
    });
}

/// The reason carries the leg's mark once, at its beginning, and a deny names a park that failed.
#[test]
fn a_reason_carries_the_mark_once_and_names_a_failed_park() {
    check(
        "a_reason_carries_the_mark_once_and_names_a_failed_park",
        worlds(),
        |world| {
            finished_runs(world, |run, finished| {
                let Some(reason) = finished.reason() else {
                    return Ok(());
                };
                let marks = reason.matches("[leg]").count();
                ensure!(
                    marks == usize::from(world.leg),
                    "{marks} marks in: {reason}"
                );
                ensure!(
                    reason.starts_with("[leg] ") == world.leg,
                    "the mark is inside: {reason}"
                );
                let failed = |Exchange { answer, .. }: &Exchange| match answer {
                    Answer::Park(Ok(Parking::Failed(_))) => true,
                    Answer::Park(Err(failure)) => *failure != SeatFailure::Aborted,
                    _ => false,
                };
                // One that succeeded since ends the story of one that failed.
                let parked = |Exchange { answer, .. }: &Exchange| {
                    matches!(answer, Answer::Park(Ok(Parking::Parked)))
                };
                let since = run.exchanges.iter().rev().take_while(|each| !parked(each));
                let named = reason.contains("parking the ask was tried and failed");
                ensure!(
                    named == since.into_iter().any(failed),
                    "a failed park: {reason}"
                );
                Ok(())
            })
        },
    );
}

/// The origin of an ask is the first in precedence among its askers' origins, and a settlement of
/// this pass carries the origin of the ask that stood.
#[test]
fn the_origin_is_the_first_in_precedence() {
    check("the_origin_is_the_first_in_precedence", worlds(), |world| {
        finished_runs(world, |_, finished| {
            let record = fields(finished);
            let Some(asked) = record.asked else {
                return Ok(());
            };
            let words = asked
                .askers
                .iter()
                .filter_map(|asker| origin_of(asker.cause.word()));
            let first = words.min_by_key(|word| precedence(word));
            let origin = asked.origin.map(AskOrigin::word);
            ensure!(origin == first, "{origin:?} is not {first:?}");
            Ok(())
        })
    });
}

fn origin_of(cause: &str) -> Option<&'static str> {
    Some(match cause {
        "unstated" => "unstated",
        "irreversible" | "probe_out_of_root" | "probe_unanswered" => "reversibility",
        "outside" => "egress",
        "read_declined" | "read_out_of_root" | "unestablishable" => "shell_read",
        "write_protected" | "write_unresolved" => "write_protection",
        "rules_unreadable" | "rule" => "rule",
        "policy" => "policy",
        "hook" => "hook",
        "org" => "org",
        "edit" => "edit",
        "denial_limit" => "denial_limit",
        _ => return None,
    })
}

fn precedence(origin: &str) -> Option<usize> {
    let order = [
        "edit",
        "denial_limit",
        "org",
        "rule",
        "hook",
        "policy",
        "write_protection",
        "shell_read",
        "egress",
        "reversibility",
        "unstated",
    ];
    order.iter().position(|each| *each == origin)
}

/// The refusers that may stand beside a settled yes, written out here a second time.
const VETOES: [DeniedBy; 9] = [
    DeniedBy::PlanMode,
    DeniedBy::Hook,
    DeniedBy::Engine,
    DeniedBy::Policy,
    DeniedBy::Org,
    DeniedBy::Rule,
    DeniedBy::ShellRead,
    DeniedBy::WriteProtection,
    DeniedBy::EditCap,
];

/// Those that never stand without a settled ask.
const UNDIRECT: [DeniedBy; 3] = [
    DeniedBy::AskResolution,
    DeniedBy::WriteProtection,
    DeniedBy::EditCap,
];

/// Who settled what stands beside whom: the record's combinations are those of the mint's table.
#[test]
fn a_settlement_stands_only_beside_its_dispositions() {
    check(
        "a_settlement_stands_only_beside_its_dispositions",
        worlds(),
        |world| {
            finished_runs(world, |_, finished| {
                let record = fields(finished);
                let yes = record
                    .settled
                    .as_ref()
                    .map(|settled| settled.answer == SettledAnswer::Yes);
                if let Some(by) = record.denied_by {
                    let veto = VETOES.contains(&by);
                    match yes {
                        None => ensure!(!UNDIRECT.contains(&by), "{by} with nothing settled"),
                        Some(true) => ensure!(veto, "{by} beside a yes"),
                        Some(false) => {
                            ensure!(by == DeniedBy::AskResolution, "{by} beside a refusal");
                        }
                    }
                }
                if let Some(by) = record.allowed_by {
                    let answered = matches!(by, AllowedBy::AskResolution | AllowedBy::Policy);
                    match yes {
                        None => ensure!(by != AllowedBy::AskResolution, "answered by nobody"),
                        Some(true) => ensure!(answered, "{by} beside a yes"),
                        Some(false) => ensure!(false, "{by} beside a refusal"),
                    }
                }
                Ok(())
            })
        },
    );
}
