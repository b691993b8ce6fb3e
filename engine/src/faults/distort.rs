//! Faults of hearing: what comes in is distorted before a station reads it.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::seeded::{Fault, is_seeded};
use crate::gate::{
    Adjudication, Answer, AskOrigin, Audience, Automatic, BarClass, Call, Cause, Classification,
    ClassifierRuling, Egress, Facts, Form, GateInput, HookAnswer, HookDecision, HookKind,
    HookOutcome, HookReceipt, JudgeQuestion, Judgement, Mode, NoAnswer, NoticeWord, OrgRuling,
    PolicyRuling, Presented, Probe, Question, Reply, Resolved, RuleRuling, Sandbox, SeatFailure,
    SettledAsk, SettledBy, Settlement, ShellFinding, ShellRead, Station, Text, Unstated,
    WriteProtection,
};
use crate::gate::{Attestation, Attested, FaultyState as State, HookStanding};

/// The input, as a faulty engine reads it.
pub(crate) fn input(mut input: GateInput) -> GateInput {
    let fields = &mut input.0;
    let mut members = fields.members.to_vec();
    let caller = members.first().map_or(Mode::Default, |member| member.mode);
    for member in members.iter_mut().skip(1) {
        if is_seeded(Fault::AncestorLockIgnored) {
            member.lock = false;
        }
        let unseen = match member.mode {
            Mode::Plan => is_seeded(Fault::AncestorPlanIgnored),
            Mode::DontAsk => is_seeded(Fault::AncestorDontAskIgnored),
            Mode::Auto => is_seeded(Fault::AncestorClassifierUnasked),
            Mode::Default => is_seeded(Fault::CallerReleasesAlone),
            Mode::AcceptEdits | Mode::Bypass => false,
        };
        if unseen {
            member.mode = caller;
        }
    }
    fields.members = members.into();
    if is_seeded(Fault::UnstatedLetThrough) {
        fields.unstated = Unstated::Allow;
    }
    if is_seeded(Fault::DenialLimitIgnored) {
        fields.denials = 0;
    }
    if is_seeded(Fault::EditsUncapped) {
        fields.settings.edit_cap = u8::MAX;
    }
    if is_seeded(Fault::ObserverDenies) {
        let mut hooks = fields.hooks.to_vec();
        for hook in &mut hooks {
            hook.kind = HookKind::Guard;
        }
        fields.hooks = hooks.into();
    }
    input
}

/// An answer, as a faulty engine hears it.
pub(crate) fn answer(question: &Question, answer: Answer) -> Answer {
    match (question, answer) {
        (_, Answer::Hook(Ok(receipts))) => {
            Answer::Hook(Ok(receipts.into_iter().map(receipt).collect()))
        }
        (_, Answer::Describe(reply)) => {
            Answer::Describe(failed(Fault::DescribeFailureShowsNothing, reply, || {
                Facts::UNKNOWN
            }))
        }
        (Question::Adjudicate(asked), Answer::Adjudicate(reply)) => {
            Answer::Adjudicate(adjudication(asked, reply))
        }
        (_, Answer::Probe(reply)) => {
            Answer::Probe(failed(Fault::ProbeCrashIsReversible, reply, || {
                Probe::UNWIRED
            }))
        }
        (_, Answer::Egress(reply)) => {
            Answer::Egress(failed(Fault::EgressFailureIsInside, reply, || {
                Egress::Inside
            }))
        }
        (_, Answer::ShellRead(reply)) => Answer::ShellRead(shell_read(reply)),
        (_, Answer::WriteJudge(reply)) => {
            let none = || WriteProtection::None;
            Answer::WriteJudge(failed(Fault::WriteJudgeCrashIsNone, reply, none))
        }
        (Question::Org(asked), Answer::Org(reply)) => {
            let none = || asked.judge(|_, _| (OrgRuling::None, None, None));
            let reply = failed(Fault::OrgCrashIsNone, reply, none);
            Answer::Org(reply.map(current_alone))
        }
        (Question::Rules(asked), Answer::Rules(reply)) => Answer::Rules(rules(asked, reply)),
        (question, answer) => ending(question, answer),
    }
}

/// The answers of those who end an ask.
fn ending(question: &Question, answer: Answer) -> Answer {
    match (question, answer) {
        (_, Answer::Classify(reply)) => {
            Answer::Classify(failed(Fault::ClassifierCrashAllows, reply, || {
                Classification {
                    ruling: ClassifierRuling::Allow,
                    round: None,
                    reason: None,
                }
            }))
        }
        (_, Answer::Sandbox(Err(SeatFailure::Aborted)))
            if is_seeded(Fault::AbortedSandboxAdmits) =>
        {
            Answer::Sandbox(Ok(Sandbox::Admitted(None)))
        }
        (_, Answer::Sandbox(reply)) => {
            Answer::Sandbox(failed(Fault::SandboxCrashAdmits, reply, || {
                Sandbox::Admitted(None)
            }))
        }
        (Question::Present(subject), Answer::Present(reply)) => {
            let shown = || Presented::Shown(subject.args.digest());
            match failed(Fault::PresentCrashIsShown, reply, shown) {
                Ok(Presented::Shown(_)) if is_seeded(Fault::AnyDigestIsShown) => {
                    Answer::Present(Ok(shown()))
                }
                reply => Answer::Present(reply),
            }
        }
        (_, Answer::Resolve(reply)) => {
            Answer::Resolve(failed(Fault::ResolverCrashIsNobody, reply, || {
                Resolved::Unanswered(NoAnswer::Nobody).into()
            }))
        }
        (_, answer) => answer,
    }
}

fn failed<T>(fault: Fault, reply: Reply<T>, instead: impl FnOnce() -> T) -> Reply<T> {
    match reply {
        Err(SeatFailure::Threw(_) | SeatFailure::TimedOut) if is_seeded(fault) => Ok(instead()),
        reply => reply,
    }
}

fn receipt(mut receipt: HookReceipt) -> HookReceipt {
    let silent = || HookOutcome::Answered(HookAnswer::plain(HookDecision::None));
    match &mut receipt.outcome {
        HookOutcome::Answered(answer) => {
            let unknown = answer.decision == HookDecision::OutOfContract;
            if unknown && is_seeded(Fault::OutOfContractIsNoOpinion) {
                receipt.outcome = silent();
            } else if is_heard_as_allow(answer.decision) {
                answer.decision = HookDecision::Allow;
            }
        }
        HookOutcome::Malformed(_) | HookOutcome::Threw(_) | HookOutcome::TimedOut => {
            if is_seeded(Fault::HookCrashIsNoOpinion) {
                receipt.outcome = silent();
            }
        }
    }
    receipt
}

fn is_heard_as_allow(decision: HookDecision) -> bool {
    match decision {
        HookDecision::None => is_seeded(Fault::SilenceAllows),
        HookDecision::Ask => is_seeded(Fault::HookAskIsAllow),
        HookDecision::Allow | HookDecision::Deny | HookDecision::OutOfContract => false,
    }
}

fn adjudication(asked: &JudgeQuestion, reply: Reply<Adjudication>) -> Reply<Adjudication> {
    let allow = || Adjudication {
        judgements: asked.judge(|_, _| (PolicyRuling::Allow { stated: false }, None, None)),
        ..Adjudication::default()
    };
    let mut reply = failed(Fault::PolicyCrashAllows, reply, allow);
    if let Ok(answer) = &mut reply {
        answer.judgements = current_alone(core::mem::take(&mut answer.judgements));
        for judgement in &mut answer.judgements {
            if let PolicyRuling::Allow { stated } = &mut judgement.ruling {
                *stated = *stated || is_seeded(Fault::UnstatedIsStated);
            }
        }
    }
    reply
}

fn shell_read(reply: Reply<ShellRead>) -> Reply<ShellRead> {
    let reply = failed(Fault::FailedReaderIsLooser, reply, || ShellRead {
        finding: ShellFinding::Unestablishable(None),
        ..ShellRead::UNWIRED
    });
    let mut read = reply?;
    if read.finding == ShellFinding::Declined && is_seeded(Fault::DeclinedReadIsClean) {
        read.finding = ShellFinding::Clean;
    }
    Ok(read)
}

fn rules(
    asked: &JudgeQuestion,
    reply: Reply<Vec<Judgement<RuleRuling>>>,
) -> Reply<Vec<Judgement<RuleRuling>>> {
    let none = || asked.judge(|_, _| (RuleRuling::None, None, None));
    if matches!(reply, Err(SeatFailure::Aborted)) && is_seeded(Fault::AbortedRulesSayNothing) {
        return Ok(none());
    }
    let mut judgements = current_alone(failed(Fault::RulesCrashIsNone, reply, none)?);
    for judgement in &mut judgements {
        let silent = judgement.member > 0 && judgement.ruling == RuleRuling::None;
        if silent && is_seeded(Fault::CallerAllowsForAll) {
            judgement.ruling = RuleRuling::Allow { grant: None };
        }
    }
    Ok(judgements)
}

/// What is said of the original form is taken to be what is said of the current one.
fn current_alone<R: Clone>(judgements: Vec<Judgement<R>>) -> Vec<Judgement<R>> {
    if !is_seeded(Fault::OriginalFormUnseen) {
        return judgements;
    }
    let of_current = |member: u8| {
        let mut current = judgements
            .iter()
            .filter(|other| other.form == Form::Current);
        current.find(|other| other.member == member)
    };
    let mut heard = judgements.clone();
    for judgement in &mut heard {
        if let Some(current) = of_current(judgement.member) {
            judgement.ruling = current.ruling.clone();
        }
    }
    heard
}

/// Misuse leaves a mark.
pub(crate) fn after_misuse(mut state: Box<State>) -> Box<State> {
    if is_seeded(Fault::MisuseLeavesAMark) {
        state.cells.set_resumed(true);
    }
    state
}

/// Loading forgets what the hooks left standing.
pub(crate) fn after_load(mut state: Box<State>) -> Box<State> {
    if is_seeded(Fault::LoadForgetsHook) {
        state.cells.set_hook(HookStanding::Nothing);
    }
    state
}

/// Whether the bar of this class is lifted from this answerer.
pub(crate) fn lifts_bar(class: BarClass, answerer: Automatic) -> bool {
    let undoable = (class, answerer) == (BarClass::Undoable, Automatic::Sandbox);
    if undoable && is_seeded(Fault::UndoableIsSandboxed) {
        return true;
    }
    is_seeded(match answerer {
        Automatic::StoredRule => Fault::StoredRuleUnbarred,
        Automatic::HookAllow => Fault::HookAllowUnbarred,
        Automatic::ReadOnly => Fault::ReadOnlyUnbarred,
        Automatic::Sandbox => Fault::SandboxUnbarred,
        Automatic::AcceptEdits => Fault::AcceptEditsUnbarred,
        Automatic::Classifier => Fault::ClassifierUnbarred,
        Automatic::Bypass => Fault::BypassUnbarred,
    })
}

/// Who is told.
pub(crate) fn audience(notice: NoticeWord) -> Audience {
    if notice == NoticeWord::SeatFailed && is_seeded(Fault::SeatFailureToldToObserver) {
        return Audience::Observer;
    }
    notice.audience()
}

/// The station after this one, where it is another than the list says.
pub(crate) fn next(station: Station) -> Option<Station> {
    let order: &[Station] = if is_seeded(Fault::EgressBeforeProbe) {
        &[
            Station::Promote,
            Station::Egress,
            Station::Reversibility,
            Station::ShellRead,
        ]
    } else if is_seeded(Fault::RulesBeforeOrg) {
        &[
            Station::Unstated,
            Station::Rules,
            Station::Org,
            Station::Stamp,
        ]
    } else {
        &[]
    };
    let mut pairs = order.windows(2);
    pairs.find_map(|pair| match pair {
        [this, next] if *this == station => Some(*next),
        _ => None,
    })
}

/// The cause of an ask: the one that its words name, if they name one.
pub(crate) fn cause(cause: Cause, reason: Option<&Text>) -> Cause {
    let named = reason.and_then(|reason| Cause::from_word(reason.as_str()));
    named
        .filter(|_| is_seeded(Fault::OriginReadFromText))
        .unwrap_or(cause)
}

/// What an id attests that is in no book.
pub(crate) fn forged(call: &Call) -> Option<Attestation> {
    is_seeded(Fault::UnknownIdCounts).then(|| Attestation {
        call: call.id.clone(),
        tool: call.tool.clone(),
        asked: call.args.digest(),
        what: Attested::Settlement(SettledAsk {
            settlement: Settlement::yes(SettledBy::Person),
            origin: AskOrigin::Policy,
        }),
    })
}
