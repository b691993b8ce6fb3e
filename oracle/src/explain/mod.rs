//! The account of one decision: why, who may answer, what would cover the call, and every station
//! that it passed.
//!
//! It is taken from what the pass itself wrote (its record, its causes and its trace) and never
//! recomputed. Its words are data; the sentences stand in [`words`] and are put together in
//! [`text`].

mod cover;
mod parts;
mod text;
mod words;

use std::collections::BTreeMap;

use gatefold::gate::{
    AllowedBy, Args, AskOrigin, Asker, Automatic, BarClass, Basis, Cause, Causes, Cell, DeniedBy,
    Digest, GateResult, Mode, Record, RecordSettled, Seat, SettledAnswer, SettledBy, Station, Text,
    Trace, TraceStep, Unanswered, Verdict, Written,
};
use gatefold_policy::Part;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::forbidden::Forbidden;
use crate::terminal::clipped;
use cover::Cover;
pub(crate) use cover::{Again, LAYER, Untried};
use parts::PartSaid;

pub(crate) const SCHEMA: &str = "gatefold/explain/v1";

/// What is quoted of a command line or of another's words, in characters.
const QUOTED_CHARS_MAX: usize = 400;
/// What the summary quotes of a command line, and the account of an agent's name, in characters.
const SUMMARY_CHARS_MAX: usize = 60;

/// A call, and what it was decided by.
pub(crate) struct Passed<'a> {
    pub(crate) tool: &'a str,
    /// Server and tool, as the host knows them.
    pub(crate) mcp: Option<(&'a str, &'a str)>,
    /// The agent that makes the call, then those above it, nearest first, as far as they are named.
    pub(crate) agents: &'a [Option<&'a str>],
    /// The args as the model gave them.
    pub(crate) asked: &'a Args,
    /// The args as the pass last described them.
    pub(crate) current: &'a Args,
    /// The arg that holds the command line, if the tool runs one.
    pub(crate) field: Option<&'a str>,
    /// Where the call as it would run leads, if that is certain.
    pub(crate) host: Option<String>,
    /// The commands of its line, each with what covered it when it was judged.
    pub(crate) parts: Vec<Part>,
    /// What it would write to that is protected.
    pub(crate) protected: Option<Text>,
    /// The rule for the only path that it needs an allow for.
    pub(crate) path_rule: Option<String>,
    /// The rules that came with the call, as written.
    pub(crate) rules: &'a [&'a str],
    /// Modes that were named and are forbidden.
    pub(crate) forbidden_modes: &'a [Forbidden],
    pub(crate) result: &'a GateResult,
}

impl Passed<'_> {
    /// The command line in the args of the call, if they hold one.
    fn line_of(&self, args: &Args) -> Option<String> {
        let mut fields: BTreeMap<String, Box<RawValue>> =
            serde_json::from_str(args.as_str()).ok()?;
        let line = fields.remove(self.field?)?;
        serde_json::from_str(line.get()).ok()
    }
}

/// The call as it would run now, and how to decide it again.
struct Made<'a> {
    tool: &'a str,
    mcp: Option<(&'a str, &'a str)>,
    current: &'a Args,
    current_line: Option<String>,
    host: Option<String>,
    path_rule: Option<String>,
    /// The pass had its command line read.
    has_line: bool,
    parts: &'a [Part],
    again: &'a dyn Again,
}

/// The account of a decision, its keys in the order in which they are printed.
#[derive(Debug, Serialize)]
pub(crate) struct Account {
    schema: &'static str,
    summary: String,
    #[serde(flatten)]
    brief: Brief,
    parts: Vec<PartSaid>,
    objections: Vec<Objection>,
    answerers: Vec<Answerer>,
    cover: Cover,
    stations: Vec<Passage>,
    digests: Digests,
}

/// What was decided of which call.
#[derive(Debug, Serialize)]
pub(crate) struct Brief {
    call: CallSaid,
    mode: Mode,
    verdict: Verdict,
    decided: Decided,
    /// The decision object says it too.
    #[serde(skip)]
    forbidden_modes: Vec<Forbidden>,
    /// The reason as the decision gives it.
    #[serde(skip)]
    reason: Option<String>,
    /// Where the rule behind the decision stands in the request.
    #[serde(skip)]
    place: Option<String>,
}

#[derive(Debug, Serialize)]
struct CallSaid {
    tool: String,
    /// The agent that makes it, then those above it, nearest first; left out if none is named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    agents: Vec<Option<String>>,
    /// The command line, if the call has one; its head, if it is long.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
    /// A hook, the policy or a person changed the args.
    changed: bool,
    /// The command line after that; not on a deny.
    #[serde(skip_serializing_if = "Option::is_none")]
    becomes: Option<String>,
}

/// Who decided, at which station, by which rule.
#[derive(Debug, Serialize)]
struct Decided {
    #[serde(skip_serializing_if = "Option::is_none")]
    denied_by: Option<DeniedBy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed_by: Option<AllowedBy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<AskOrigin>,
    #[serde(skip_serializing_if = "Option::is_none")]
    station: Option<Station>,
    #[serde(skip_serializing_if = "Option::is_none")]
    basis: Option<Basis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    settled: Option<Settled>,
}

#[derive(Debug, Serialize)]
struct Settled {
    answer: SettledAnswer,
    by: SettledBy,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Unanswered>,
}

/// One objection, or one thing that only bars answerers.
#[derive(Debug, Serialize)]
struct Objection {
    cause: Cause,
    objects: bool,
    class: BarClass,
    station: Station,
    round: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    basis: Option<Basis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Text>,
    #[serde(skip)]
    place: Option<String>,
}

/// Who may answer the ask, or what keeps them from it.
#[derive(Debug, Serialize)]
struct Answerer {
    who: &'static str,
    barred: bool,
    by: Vec<Cause>,
    /// None: a person.
    #[serde(skip)]
    automatic: Option<Automatic>,
    /// The places of the barring causes among the objections, from 1.
    #[serde(skip)]
    numbers: Vec<usize>,
}

/// A station that was passed.
#[derive(Debug, Serialize)]
struct Passage {
    number: u8,
    station: Station,
    round: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<Seat>,
    wrote: Vec<Written>,
}

#[derive(Debug, Serialize)]
struct Digests {
    asked: Digest,
    #[serde(skip_serializing_if = "Option::is_none")]
    runs: Option<Digest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    facts: Option<Digest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<Digest>,
    record: Digest,
}

/// What the pass itself says of how it went.
struct Told<'a> {
    record: Record,
    causes: &'a Causes,
    steps: &'a [TraceStep],
    reason: Option<String>,
}

impl<'a> Told<'a> {
    fn by(result: &'a GateResult) -> Self {
        let (record, causes, trace, reason) = match result {
            GateResult::Finished(finished) => (
                finished.record(),
                finished.causes(),
                finished.trace(),
                finished.reason(),
            ),
            GateResult::Suspended(suspended) => {
                let parked = &suspended.parked;
                let reason = Some(parked.reason());
                (parked.record(), parked.causes(), parked.trace(), reason)
            }
        };
        Self {
            record,
            causes,
            steps: trace.map_or(&[], Trace::steps),
            reason,
        }
    }
}

impl Brief {
    /// What was decided, without the account of it.
    pub(crate) fn of(passed: &Passed<'_>) -> Self {
        Self::told(passed, Told::by(passed.result))
    }

    fn told(passed: &Passed<'_>, told: Told<'_>) -> Self {
        let fields = told.record.fields();
        let changed = passed.asked != passed.current;
        let is_hidden = fields.verdict == Verdict::Deny;
        let decided = decided(&told);
        Self {
            call: CallSaid {
                tool: passed.tool.to_owned(),
                agents: agents(passed.agents),
                line: passed
                    .line_of(passed.asked)
                    .map(|line| clipped(&line, QUOTED_CHARS_MAX)),
                changed,
                becomes: passed
                    .line_of(passed.current)
                    .filter(|_| changed && !is_hidden)
                    .map(|line| clipped(&line, QUOTED_CHARS_MAX)),
            },
            mode: fields.mode,
            forbidden_modes: passed.forbidden_modes.to_vec(),
            verdict: fields.verdict,
            place: place(decided.basis.as_ref(), passed.rules),
            decided,
            reason: told.reason,
        }
    }

    /// The text of the decision: verdict, reason, rule.
    pub(crate) fn text(&self) -> String {
        text::brief(self)
    }
}

/// The names of a lineage, if any of it is named.
fn agents(lineage: &[Option<&str>]) -> Vec<Option<String>> {
    if lineage.iter().all(Option::is_none) {
        return Vec::new();
    }
    let names = lineage.iter();
    names
        .map(|name| name.map(|name| clipped(name, SUMMARY_CHARS_MAX)))
        .collect()
}

impl Account {
    /// The account of this decision. `again` is asked at most once.
    pub(crate) fn of(passed: &Passed<'_>, again: &dyn Again) -> Self {
        let told = Told::by(passed.result);
        let made = Made {
            tool: passed.tool,
            mcp: passed.mcp,
            current: passed.current,
            current_line: passed.line_of(passed.current),
            host: passed.host.clone(),
            path_rule: passed.path_rule.clone(),
            has_line: told
                .steps
                .iter()
                .any(|step| step.asked == Some(Seat::ShellRead)),
            parts: &passed.parts,
            again,
        };
        let objections: Vec<_> = told
            .causes
            .iter()
            .map(|asker| Objection::of(asker, passed))
            .collect();
        let answerers = answerers(told.record.fields().denied_by, &objections);
        let stations = passages(told.steps);
        let digests = Digests::of(&told.record);
        let causes = told.causes;
        let parts = passed.parts.iter().map(PartSaid::of).collect();
        let brief = Brief::told(passed, told);
        let cover = cover::cover(&made, &brief.decided, causes);
        Self {
            schema: SCHEMA,
            summary: text::summary(&brief),
            brief,
            parts,
            objections,
            answerers,
            cover,
            stations,
            digests,
        }
    }

    /// The account as text.
    pub(crate) fn text(&self) -> String {
        text::account(self)
    }
}

impl Objection {
    fn of(asker: &Asker, passed: &Passed<'_>) -> Self {
        let basis = asker.basis.clone();
        let of_rule = || basis.as_ref().and_then(|basis| basis.part.clone());
        let is_protected = asker.cause == Cause::WriteProtected;
        let reason = passed.protected.clone().filter(|_| is_protected);
        Self {
            cause: asker.cause,
            objects: asker.cause.objects(),
            class: asker.cause.class(),
            station: asker.station,
            round: asker.round,
            part: asker.part.clone().or_else(of_rule),
            reason: reason.or_else(|| asker.reason.clone()),
            place: place(basis.as_ref(), passed.rules),
            basis,
        }
    }
}

impl Digests {
    fn of(record: &Record) -> Self {
        let fields = record.fields();
        Self {
            asked: fields.digests.asked,
            runs: fields.digests.runs,
            facts: fields.digests.facts,
            policy: fields.policy,
            record: record.digest(),
        }
    }
}

/// Where a rule stands in the request, if it came with it.
fn place(basis: Option<&Basis>, rules: &[&str]) -> Option<String> {
    let basis = basis.filter(|basis| basis.file.is_none())?;
    let index = usize::try_from(basis.index).ok()?;
    let written = rules.get(index)?;
    (*written == basis.rule.as_str()).then(|| format!("rules[{index}]"))
}

fn decided(told: &Told<'_>) -> Decided {
    let fields = told.record.fields();
    // The station that wrote it last.
    let wrote = |cell: Cell| {
        let mut steps = told.steps.iter().rev();
        let step = steps.find(|step| step.wrote.iter().any(|written| written.cell == cell));
        step.map(|step| step.station)
    };
    let asked = fields.asked.as_ref();
    let origin = asked.and_then(|asked| asked.origin);
    let station = match fields.verdict {
        Verdict::Deny => wrote(Cell::DeniedBy),
        Verdict::Allow => wrote(Cell::AllowedBy),
        Verdict::Ask => asked.and_then(|asked| {
            let mut askers = asked.askers.iter();
            let leading = askers.find(|asker| asker.cause.origin() == origin)?;
            Some(leading.station)
        }),
    };
    Decided {
        denied_by: fields.denied_by,
        allowed_by: fields.allowed_by,
        origin: origin.filter(|_| fields.verdict == Verdict::Ask),
        station,
        basis: fields.basis.clone(),
        settled: fields.settled.as_ref().map(Settled::of),
    }
}

impl Settled {
    const fn of(settled: &RecordSettled) -> Self {
        Self {
            answer: settled.answer,
            by: settled.by,
            why: settled.why,
        }
    }
}

/// A person first, who is never barred; nobody, if there was no ask to answer.
fn answerers(denied_by: Option<DeniedBy>, objections: &[Objection]) -> Vec<Answerer> {
    let is_final = denied_by.is_some_and(|by| match by {
        DeniedBy::Compliance
        | DeniedBy::PlanMode
        | DeniedBy::Hook
        | DeniedBy::Engine
        | DeniedBy::Policy
        | DeniedBy::Org
        | DeniedBy::Rule
        | DeniedBy::ShellRead
        | DeniedBy::WriteProtection
        | DeniedBy::EditCap => true,
        // These are endings of an ask.
        DeniedBy::Classifier | DeniedBy::Mode | DeniedBy::AskResolution => false,
    });
    if is_final || !objections.iter().any(|objection| objection.objects) {
        return Vec::new();
    }
    let person = Answerer {
        who: "person",
        barred: false,
        by: Vec::new(),
        automatic: None,
        numbers: Vec::new(),
    };
    let automatic = Automatic::ALL.iter().map(|automatic| {
        let barring = || {
            let numbered = (1_usize..).zip(objections);
            numbered.filter(|(_, objection)| objection.class.bars(*automatic))
        };
        let mut by: Vec<Cause> = Vec::new();
        for (_, objection) in barring() {
            if !by.contains(&objection.cause) {
                by.push(objection.cause);
            }
        }
        Answerer {
            who: automatic.word(),
            barred: !by.is_empty(),
            by,
            automatic: Some(*automatic),
            numbers: barring().map(|(number, _)| number).collect(),
        }
    });
    std::iter::once(person).chain(automatic).collect()
}

/// The stations in order. One that asked its seat is noted before and after the answer; here it is
/// one.
fn passages(steps: &[TraceStep]) -> Vec<Passage> {
    let mut passages: Vec<Passage> = Vec::new();
    let mut waits = false;
    for step in steps {
        let answered = passages
            .last_mut()
            .filter(|last| waits && step.asked.is_none() && last.station == step.station);
        match answered {
            Some(last) => last.wrote.extend(step.wrote.iter().cloned()),
            None => passages.push(Passage {
                number: step.station.number(),
                station: step.station,
                round: step.round,
                asked: step.asked,
                wrote: step.wrote.clone(),
            }),
        }
        waits = step.asked.is_some();
    }
    passages
}
