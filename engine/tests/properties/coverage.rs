//! What random runs come to: every word of every vocabulary, every station, seat and failure.

use std::cell::RefCell;
use std::collections::BTreeMap;

use gatefold::gate::{
    AllowedBy, Answer, AskOrigin, Cause, ClassifierRuling, DeniedBy, Egress, ExitKind, Finished,
    HookDecision, HookOutcome, Mode, NoAnswer, NoticeWord, ParkSite, Parking, PolicyRuling,
    Presented, Question, ReadOnly, Resolved, Reversibility, RuleRuling, Sandbox, Seat, SeatFailure,
    SettledAnswer, ShellFinding, Station, ToolKind, Unanswered, WriteProtection,
};

use crate::run::{AsAnswered, Run, fields, run, steps};
use crate::runner::{cases, check_cases};
use crate::world::{Stage, worlds};

/// The rarest of it comes up about once in two thousand runs; with fewer, luck would decide.
const CASES_MIN: u32 = 40_000;

/// How often each thing was met, by group and word.
#[derive(Default)]
struct Counts(BTreeMap<(&'static str, String), u64>);

#[allow(
    clippy::needless_pass_by_value,
    reason = "words are small, and a count reads better without a borrow"
)]
impl Counts {
    fn add(&mut self, group: &'static str, word: impl ToString) {
        *self.0.entry((group, word.to_string())).or_insert(0) += 1;
    }

    fn require(&mut self, group: &'static str, word: impl ToString) {
        self.0.entry((group, word.to_string())).or_insert(0);
    }

    fn require_all<W: ToString>(&mut self, group: &'static str, words: &[W]) {
        for word in words {
            self.require(group, word.to_string());
        }
    }

    fn print(&self) {
        for ((group, word), count) in &self.0 {
            println!("  {group:<18} {word:<28} {count:>8}");
        }
    }
}

/// GATE-014: random runs reach every station, seat, failure, exit, refuser, allower, origin, cause,
/// notice, edit round and park site, and exhaust the alphabet of every seat.
#[test]
fn random_runs_reach_everything() {
    let counts = RefCell::new(required());
    let cases = cases().max(CASES_MIN);
    check_cases("random_runs_reach_everything", cases, worlds(), |world| {
        let run = run(&Stage::of(world), &mut AsAnswered)?;
        let mut counts = counts.borrow_mut();
        for member in &world.members {
            counts.add("mode", member.mode);
        }
        for _ in 0..run.parks {
            counts.add(
                "parked",
                if run.cancelled {
                    "cancelled"
                } else {
                    "resumed"
                },
            );
        }
        answers(&mut counts, &run);
        ended(&mut counts, run.finished().ok_or("the pass ended")?);
        Ok(())
    });
    let counts = counts.into_inner();
    counts.print();
    let missed: Vec<_> = counts.0.iter().filter(|(_, count)| **count == 0).collect();
    assert!(missed.is_empty(), "never reached: {missed:?}");
}

fn required() -> Counts {
    let mut counts = Counts::default();
    counts.require_all("station", Station::ALL);
    counts.require_all("seat", Seat::ALL);
    for seat in Seat::ALL {
        for failure in ["threw", "timed_out", "aborted"] {
            counts.require("seat failure", format!("{seat} {failure}"));
        }
    }
    counts.require_all("exit", ExitKind::ALL);
    counts.require_all("denied_by", DeniedBy::ALL);
    counts.require_all("allowed_by", AllowedBy::ALL);
    counts.require_all("origin", AskOrigin::ALL);
    counts.require_all("cause", Cause::ALL);
    counts.require_all("notice", NoticeWord::ALL);
    counts.require_all("edit round", &[0, 1, 2, 3, 4]);
    counts.require_all("park site", ParkSite::ALL);
    counts.require_all("parked", &["resumed", "cancelled"]);
    counts.require_all("settled", SettledAnswer::ALL);
    counts.require_all("unanswered", Unanswered::ALL);
    counts.require_all("mode", Mode::ALL);
    for by in DeniedBy::ALL.iter().filter(|by| by.is_veto()) {
        counts.require("veto over a yes", by);
    }
    counts.require_all("attested", &["yes at adjudicate", "refusal at adjudicate"]);
    counts.require_all("hook", HookDecision::ALL);
    counts.require_all(
        "hook",
        &["malformed", "threw", "timed_out", "rewrite", "again"],
    );
    counts.require_all("describe", ToolKind::ALL);
    counts.require_all("read_only", ReadOnly::ALL);
    counts.require_all(
        "policy",
        &["stated", "not stated", "ask", "deny", "missing", "rewrite"],
    );
    counts.require_all("probe", Reversibility::ALL);
    counts.require_all("egress", &["inside", "outside", "outside (unknown)"]);
    let findings = [
        "clean",
        "out_of_root",
        "unestablishable",
        "declined",
        "refused",
    ];
    counts.require_all("shell_read", &findings);
    counts.require_all("write_judge", WriteProtection::ALL);
    counts.require_all("org", &["none", "ask", "deny", "missing"]);
    counts.require_all("rules", &["none", "allow", "ask", "deny", "missing"]);
    counts.require_all("classify", ClassifierRuling::ALL);
    counts.require_all("sandbox", &["admitted", "not"]);
    counts.require_all("present", &["shown", "other", "cannot"]);
    counts.require_all("park", &["parked", "declined", "failed"]);
    counts.require_all("resolve", &["yes", "yes, edited", "no"]);
    counts.require_all("resolve", NoAnswer::ALL);
    counts
}

fn ended(counts: &mut Counts, finished: &Finished) {
    for step in steps(finished) {
        counts.add("station", step.station);
    }
    let record = fields(finished);
    counts.add("exit", finished.exit());
    counts.add("edit round", finished.round());
    if let Some(by) = record.denied_by {
        counts.add("denied_by", by);
    }
    if let Some(by) = record.allowed_by {
        counts.add("allowed_by", by);
    }
    if let Some(asked) = &record.asked {
        for asker in &asked.askers {
            counts.add("cause", asker.cause);
        }
        if let Some(origin) = asked.origin {
            counts.add("origin", origin);
        }
    }
    let causes = steps(finished).iter().rev();
    let causes = causes.filter_map(|step| crate::run::wrote(step, gatefold::gate::Cell::Causes));
    let declined = |value: &&str| crate::run::causes(value).contains(&Cause::BoundaryDeclined);
    if causes.into_iter().next().as_ref().is_some_and(declined) {
        counts.add("cause", Cause::BoundaryDeclined);
    }
    for notice in finished.notices() {
        counts.add("notice", notice.notice);
    }
    let Some(settled) = record.settled else {
        return;
    };
    counts.add("settled", settled.answer);
    if let Some(why) = settled.why {
        counts.add("unanswered", why);
    }
    match (record.denied_by, record.allowed_by, settled.answer) {
        (Some(by), _, SettledAnswer::Yes) => counts.add("veto over a yes", by),
        (_, Some(AllowedBy::Policy), _) => counts.add("attested", "yes at adjudicate"),
        (Some(DeniedBy::AskResolution), ..)
            if finished.denied_at() == Some(Station::Adjudicate) =>
        {
            counts.add("attested", "refusal at adjudicate");
        }
        _ => {}
    }
}

fn answers(counts: &mut Counts, run: &Run) {
    for exchange in &run.exchanges {
        let (question, answer) = (&exchange.question, &exchange.answer);
        let seat = question.seat();
        counts.add("seat", seat);
        if let Question::Park(asked) = question {
            counts.add("park site", asked.site);
        }
        match answer.failure() {
            Some(SeatFailure::Threw(_)) => counts.add("seat failure", format!("{seat} threw")),
            Some(SeatFailure::TimedOut) => counts.add("seat failure", format!("{seat} timed_out")),
            Some(SeatFailure::Aborted) => counts.add("seat failure", format!("{seat} aborted")),
            None => alphabet(counts, question, answer),
        }
    }
}

/// Counts the letters of one answer.
fn alphabet(counts: &mut Counts, question: &Question, answer: &Answer) {
    match answer {
        Answer::Hook(Ok(receipts)) => {
            if matches!(question, Question::Hook(asked) if asked.again) {
                counts.add("hook", "again");
            }
            for receipt in receipts {
                hook(counts, &receipt.outcome);
            }
        }
        Answer::Describe(Ok(facts)) => {
            counts.add("describe", facts.kind);
            counts.add("read_only", facts.read_only);
        }
        Answer::Probe(Ok(probe)) => counts.add("probe", probe.finding),
        Answer::Egress(Ok(egress)) => counts.add(
            "egress",
            match egress {
                Egress::Inside => "inside",
                Egress::Outside(Some(_)) => "outside",
                Egress::Outside(None) => "outside (unknown)",
            },
        ),
        Answer::ShellRead(Ok(read)) => counts.add(
            "shell_read",
            match read.finding {
                ShellFinding::Clean => "clean",
                ShellFinding::OutOfRoot(_) => "out_of_root",
                ShellFinding::Unestablishable(_) => "unestablishable",
                ShellFinding::Declined => "declined",
                ShellFinding::Refused(_) => "refused",
            },
        ),
        Answer::WriteJudge(Ok(judged)) => counts.add("write_judge", judged),
        Answer::Adjudicate(Ok(_)) | Answer::Org(Ok(_)) | Answer::Rules(Ok(_)) => {
            layer(counts, question, answer);
        }
        Answer::Classify(Ok(said)) => counts.add("classify", said.ruling),
        Answer::Sandbox(Ok(Sandbox::Admitted(_))) => counts.add("sandbox", "admitted"),
        Answer::Sandbox(Ok(Sandbox::Not)) => counts.add("sandbox", "not"),
        Answer::Present(Ok(Presented::Shown(digest))) => {
            let exactly = *digest == question.args().digest();
            counts.add("present", if exactly { "shown" } else { "other" });
        }
        Answer::Present(Ok(Presented::Cannot)) => counts.add("present", "cannot"),
        Answer::Park(Ok(parking)) => counts.add(
            "park",
            match parking {
                Parking::Parked => "parked",
                Parking::Declined => "declined",
                Parking::Failed(_) => "failed",
            },
        ),
        Answer::Resolve(Ok(resolution)) => match &resolution.shown {
            Resolved::Yes { edit: None, .. } => counts.add("resolve", "yes"),
            Resolved::Yes { edit: Some(_), .. } => counts.add("resolve", "yes, edited"),
            Resolved::No { .. } => counts.add("resolve", "no"),
            Resolved::Unanswered(why) => counts.add("resolve", why),
        },
        _ => {}
    }
}

fn hook(counts: &mut Counts, outcome: &HookOutcome) {
    match outcome {
        HookOutcome::Answered(said) => {
            counts.add("hook", said.decision);
            if said.rewrite.is_some() {
                counts.add("hook", "rewrite");
            }
        }
        HookOutcome::Malformed(_) => counts.add("hook", "malformed"),
        HookOutcome::Threw(_) => counts.add("hook", "threw"),
        HookOutcome::TimedOut => counts.add("hook", "timed_out"),
    }
}

fn layer(counts: &mut Counts, question: &Question, answer: &Answer) {
    let (Question::Adjudicate(asked) | Question::Org(asked) | Question::Rules(asked)) = question
    else {
        return;
    };
    let whole = asked.members.len() * asked.forms().count();
    let judged = match answer {
        Answer::Adjudicate(Ok(verdict)) => {
            if verdict.rewrite.is_some() {
                counts.add("policy", "rewrite");
            }
            for judgement in &verdict.judgements {
                let word = match judgement.ruling {
                    PolicyRuling::Allow { stated: true } => "stated",
                    PolicyRuling::Allow { stated: false } => "not stated",
                    PolicyRuling::Ask => "ask",
                    PolicyRuling::Deny => "deny",
                };
                counts.add("policy", word);
            }
            ("policy", verdict.judgements.len())
        }
        Answer::Org(Ok(judgements)) => {
            for judgement in judgements {
                counts.add("org", judgement.ruling);
            }
            ("org", judgements.len())
        }
        Answer::Rules(Ok(judgements)) => {
            for judgement in judgements {
                let word = match judgement.ruling {
                    RuleRuling::None => "none",
                    RuleRuling::Allow { .. } => "allow",
                    RuleRuling::Ask => "ask",
                    RuleRuling::Deny => "deny",
                };
                counts.add("rules", word);
            }
            ("rules", judgements.len())
        }
        _ => return,
    };
    let (group, judgements) = judged;
    if judgements < whole {
        counts.add(group, "missing");
    }
}
