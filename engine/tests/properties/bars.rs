//! Who may answer an ask: every objection stands, and nobody whom it bars ever answers.

use std::collections::{BTreeMap, BTreeSet};

use gatefold::gate::{
    Answer, Cause, Cell, ClassifierRuling, Egress, Finished, HookAnswer, HookDecision, HookId,
    HookKind, HookOutcome, HookQuestion, HookReceipt, JudgeQuestion, Judgement, Mode, OnNoRuling,
    OrgRuling, PolicyRuling, Question, Reversibility, RuleRuling, Seat, SeatFailure, ShellFinding,
    Station, WriteProtection,
};

use crate::ending::finished_runs;
use crate::run::{Exchange, Run, Verdict, causes, ensure, fields, steps, wrote};
use crate::runner::{Met, check};
use crate::world::{World, worlds};

/// Whom a cause bars, written out here a second time so that no mistake of the engine's own table
/// can hide: stored rule, hook allow, read only, sandbox, `accept_edits`, classifier, bypass.
fn bars(cause: Cause) -> &'static str {
    match cause {
        Cause::Unstated => "",
        Cause::BoundaryDeclined | Cause::ReadDeclined => "R",
        Cause::Irreversible => "RS",
        Cause::Outside => "RSE",
        Cause::ProbeOutOfRoot
        | Cause::ReadOutOfRoot
        | Cause::Unestablishable
        | Cause::WriteProtected => "GHRSE",
        Cause::WriteUnresolved
        | Cause::ProbeUnanswered
        | Cause::RulesUnreadable
        | Cause::Policy
        | Cause::Hook
        | Cause::Org
        | Cause::Rule
        | Cause::Edit
        | Cause::Classifier
        | Cause::DenialLimit => "GHRSECB",
    }
}

fn barred(causes: &[Cause], answerer: char) -> bool {
    causes.iter().any(|cause| bars(*cause).contains(answerer))
}

/// GATE-004: no automatic answerer that is barred ever answers, and none is even asked.
#[test]
fn nobody_who_is_barred_answers() {
    let met = Met::default();
    check("nobody_who_is_barred_answers", worlds(), |world| {
        finished_runs(world, |_, finished| {
            let mut standing = Vec::new();
            for step in steps(finished) {
                if let Some(value) = wrote(step, Cell::Causes) {
                    let now = causes(value);
                    ensure!(
                        now.starts_with(&standing),
                        "a cause was taken away: {now:?}"
                    );
                    standing = now;
                }
                match step.asked {
                    Some(Seat::Classify) => ensure!(!barred(&standing, 'C'), "asked: classifier"),
                    Some(Seat::Sandbox) => ensure!(!barred(&standing, 'S'), "asked: sandbox"),
                    Some(_) | None => {}
                }
                let allower = wrote(step, Cell::AllowedBy).unwrap_or("empty");
                for answerer in answerers(world, allower) {
                    met.once();
                    ensure!(
                        !barred(&standing, answerer),
                        "{allower} answered past {standing:?}"
                    );
                    ensure!(step.round == 0, "{allower} answered for an edited call");
                }
            }
            let record = fields(finished);
            let askers = record.asked.map_or_else(Vec::new, |asked| asked.askers);
            let recorded: Vec<_> = askers.iter().map(|asker| asker.cause).collect();
            let objections = standing
                .iter()
                .filter(|cause| **cause != Cause::BoundaryDeclined);
            let objections: Vec<_> = objections.copied().collect();
            ensure!(recorded == objections, "{recorded:?} is not {objections:?}");
            Ok(())
        })
    });
    met.tell("answers without a person");
}

/// Those who answer together when this allower is written: a release is every member's.
fn answerers(world: &World, allower: &str) -> Vec<char> {
    match allower {
        "stored_rule" => vec!['G'],
        "hook" => vec!['H'],
        "read_only" => vec!['R'],
        "classifier" => vec!['C'],
        "sandbox" => vec!['S'],
        "mode" => {
            let members = world.members.iter();
            members
                .map(|member| {
                    if member.mode == Mode::Bypass {
                        'B'
                    } else {
                        'E'
                    }
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Every objection that was answered stands in the trace and the record, once, whatever came of
/// the call; and nothing stands there that nobody said.
#[test]
fn every_objection_stands() {
    check("every_objection_stands", worlds(), |world| {
        finished_runs(world, |run, finished| {
            let mut expected = BTreeMap::new();
            for cause in said(world, run, finished) {
                *expected.entry(cause).or_insert(0) += 1;
            }
            let written = steps(finished)
                .iter()
                .rev()
                .find_map(|step| wrote(step, Cell::Causes));
            let mut standing = BTreeMap::new();
            for cause in causes(written.unwrap_or("")) {
                // What the engine itself objects is held to account below.
                if !matches!(cause, Cause::Edit | Cause::Unstated | Cause::DenialLimit) {
                    *standing.entry(cause).or_insert(0) += 1;
                }
            }
            ensure!(
                standing == expected,
                "{standing:?} stands, {expected:?} was said"
            );
            engines_own(world, finished)
        })
    });
}

/// The engine's own causes stand only where the input calls for them.
fn engines_own(world: &World, finished: &Finished) -> Verdict {
    for asker in fields(finished)
        .asked
        .map_or_else(Vec::new, |asked| asked.askers)
    {
        match asker.cause {
            Cause::Unstated => {
                let asks = world.unstated == gatefold::gate::Unstated::Ask;
                ensure!(
                    asks && asker.round == 0,
                    "unstated in round {}",
                    asker.round
                );
            }
            Cause::DenialLimit => {
                let reached = world.denials >= world.settings.denial_limit;
                ensure!(
                    reached && asker.round == 0,
                    "a denial limit that was not reached"
                );
            }
            Cause::Edit => ensure!(asker.round > 0, "an edit cause in round 0"),
            _ => {}
        }
    }
    Ok(())
}

/// What the host's answers object, by the table of causes.
fn said(world: &World, run: &Run, finished: &Finished) -> Vec<Cause> {
    let mut said = Vec::new();
    for Exchange { question, answer } in &run.exchanges {
        match (question, answer) {
            (_, Answer::Probe(Ok(probe))) => {
                match probe.finding {
                    Reversibility::Reversible => {}
                    Reversibility::Irreversible => said.push(Cause::Irreversible),
                    Reversibility::OutOfRoot => said.push(Cause::ProbeOutOfRoot),
                }
                said.extend(probe.boundary_declined.then_some(Cause::BoundaryDeclined));
            }
            (_, Answer::Probe(Err(failure))) => {
                said.extend(unless_aborted(failure, Cause::ProbeUnanswered));
            }
            (_, Answer::Egress(Ok(Egress::Outside(_)))) => said.push(Cause::Outside),
            (_, Answer::Egress(Err(failure))) => {
                said.extend(unless_aborted(failure, Cause::Outside));
            }
            (_, Answer::ShellRead(Ok(read))) => said.extend(match read.finding {
                ShellFinding::Clean | ShellFinding::Refused(_) => None,
                ShellFinding::OutOfRoot(_) => Some(Cause::ReadOutOfRoot),
                ShellFinding::Unestablishable(_) => Some(Cause::Unestablishable),
                ShellFinding::Declined => Some(Cause::ReadDeclined),
            }),
            (_, Answer::ShellRead(Err(failure))) => {
                said.extend(unless_aborted(failure, Cause::Unestablishable));
            }
            (Question::Adjudicate(asked), Answer::Adjudicate(Ok(verdict))) => {
                let readable = verdict
                    .rewrite
                    .as_ref()
                    .is_none_or(|new| new.read().is_ok());
                let asks = Layer::of(
                    asked,
                    &verdict.judgements,
                    &PolicyRuling::Ask,
                    &PolicyRuling::Deny,
                );
                said.extend((readable && asks == Layer::Asks).then_some(Cause::Policy));
            }
            (Question::Org(asked), Answer::Org(Ok(judgements))) => {
                let asks = Layer::of(asked, judgements, &OrgRuling::Ask, &OrgRuling::Deny);
                said.extend((asks == Layer::Asks).then_some(Cause::Org));
            }
            (Question::Rules(asked), Answer::Rules(Ok(judgements))) => {
                match Layer::of(asked, judgements, &RuleRuling::Ask, &RuleRuling::Deny) {
                    Layer::Asks => said.push(Cause::Rule),
                    Layer::Missing => said.push(Cause::RulesUnreadable),
                    Layer::Denies | Layer::Other => {}
                }
            }
            (_, Answer::Rules(Err(failure))) => {
                said.extend(unless_aborted(failure, Cause::RulesUnreadable));
            }
            (_, Answer::Classify(answer)) => said.extend(classifier(world, answer.as_ref())),
            _ => {}
        }
    }
    for step in steps(finished) {
        if step.station == Station::Promote {
            let asking = guards_that_ask(run, step.round).len();
            said.extend(std::iter::repeat_n(Cause::Hook, asking));
        }
    }
    said.extend(protections(world, run, finished));
    said
}

fn unless_aborted(failure: &SeatFailure, cause: Cause) -> Option<Cause> {
    (*failure != SeatFailure::Aborted).then_some(cause)
}

/// What one layer's judgements come to.
#[derive(PartialEq)]
enum Layer {
    Denies,
    Missing,
    Asks,
    Other,
}

impl Layer {
    fn of<R: PartialEq>(
        asked: &JudgeQuestion,
        judgements: &[Judgement<R>],
        ask: &R,
        deny: &R,
    ) -> Self {
        let says = |ruling: &R| {
            judgements
                .iter()
                .any(|judgement| judgement.ruling == *ruling)
        };
        if says(deny) {
            Self::Denies
        } else if judgements.len() < asked.members.len() * asked.forms().count() {
            // The host gives no judgement twice.
            Self::Missing
        } else if says(ask) {
            Self::Asks
        } else {
            Self::Other
        }
    }
}

fn classifier(
    world: &World,
    answer: Result<&gatefold::gate::Classification, &SeatFailure>,
) -> Option<Cause> {
    let objects = match answer.map(|said| said.ruling) {
        Ok(ClassifierRuling::Ask) => true,
        Ok(ClassifierRuling::Allow) => {
            let clears = |mode| matches!(mode, Mode::Auto | Mode::Bypass);
            !world.members.iter().all(|member| clears(member.mode))
        }
        Ok(ClassifierRuling::Block) | Err(SeatFailure::Aborted) => false,
        Ok(ClassifierRuling::Unavailable | ClassifierRuling::ParseError)
        | Err(SeatFailure::Threw(_) | SeatFailure::TimedOut) => {
            world.settings.on_no_ruling == OnNoRuling::Ask
        }
    };
    objects.then_some(Cause::Classifier)
}

/// The guards that ask in a round, in either screening, each once.
fn guards_that_ask(run: &Run, round: u8) -> BTreeSet<&HookId> {
    let asks = |asked: &HookQuestion, receipt: &HookReceipt| {
        let mut hooks = asked.hooks.iter();
        let guard = hooks.any(|hook| hook.id == receipt.hook && hook.kind == HookKind::Guard);
        let ask = |said: &HookAnswer| said.decision == HookDecision::Ask;
        guard && matches!(&receipt.outcome, HookOutcome::Answered(said) if ask(said))
    };
    let mut asking = BTreeSet::new();
    for Exchange { question, answer } in &run.exchanges {
        if let (Question::Hook(asked), Answer::Hook(Ok(receipts))) = (question, answer)
            && asked.round == round
        {
            let receipts = receipts.iter().filter(|receipt| asks(asked, receipt));
            asking.extend(receipts.map(|receipt| &receipt.hook));
        }
    }
    asking
}

/// The write-protection cause of each round that came past station 11: the stricter of its judges.
fn protections(world: &World, run: &Run, finished: &Finished) -> Vec<Cause> {
    let mut said = Vec::new();
    for step in steps(finished) {
        if step.station != Station::WriteProtection || step.asked.is_some() {
            continue;
        }
        let mut stricter = WriteProtection::None;
        let mut aborted = false;
        for Exchange { question, answer } in &run.exchanges {
            let (Question::ShellRead(subject) | Question::WriteJudge(subject)) = question else {
                continue;
            };
            if subject.round == step.round {
                let judged = match answer {
                    Answer::ShellRead(Ok(read)) => read.write_protection,
                    Answer::WriteJudge(Ok(judged)) => *judged,
                    _ => WriteProtection::Unresolved,
                };
                aborted |= *answer == Answer::WriteJudge(Err(SeatFailure::Aborted));
                stricter = stricter.max(judged);
            }
        }
        debug_assert!(
            world.wires(Seat::ShellRead)
                || world.wires(Seat::WriteJudge)
                || stricter == WriteProtection::None
        );
        match stricter {
            _ if aborted => {}
            WriteProtection::None => {}
            WriteProtection::Matched => said.push(Cause::WriteProtected),
            WriteProtection::Unresolved => said.push(Cause::WriteUnresolved),
        }
    }
    said
}
