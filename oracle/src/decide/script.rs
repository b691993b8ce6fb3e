//! What the request has hooks and resolvers say, checked before the pass begins.

use gatefold::gate::{
    Answerer, Grant, HookAnswer, HookDecision, HookKind, HookOutcome, NewArgs, NoAnswer, Reply,
    Resolved, SeatFailure, SettledAnswer, Text,
};
use serde_json::value::RawValue;

use super::error::DecideError;
use super::request::{HookAnswerRequest, ResolveRequest};
use super::words::NoAnswerWord;
use crate::input::{self, sentence::Fault};

/// What one hook does when it is asked.
#[derive(Clone, Debug)]
pub(super) enum HookScript {
    /// It sends no receipt.
    Nothing,
    /// The task is cancelled while it is asked.
    Aborted,
    /// This comes of it.
    Outcome(HookOutcome),
}

impl HookScript {
    /// Reads a hook's answer. Whatever is wrong with it is the hook's own fault: an out-of-contract
    /// answer that says what was wrong.
    pub(super) fn read(answer: Option<&RawValue>) -> Self {
        let Some(answer) = answer else {
            return Self::Nothing;
        };
        input::value(answer.get())
            .map_err(|Fault { path, what, .. }| match path {
                Some(path) => format!("{path}: {what}"),
                None => what,
            })
            .and_then(Self::of)
            .unwrap_or_else(|wrong| {
                let mut answer = HookAnswer::plain(HookDecision::OutOfContract);
                answer.reason = Some(wrong.into());
                Self::Outcome(HookOutcome::Answered(answer))
            })
    }

    /// The script of a hook of this kind. An observer counts for nothing, so its own cancellation is
    /// a failure of its own and no end of the pass.
    pub(super) fn by(self, kind: HookKind) -> Self {
        match (kind, self) {
            (HookKind::Observer, Self::Aborted) => {
                Self::Outcome(HookOutcome::Threw("aborted".into()))
            }
            (HookKind::Guard | HookKind::Observer, script) => script,
        }
    }

    fn of(answer: HookAnswerRequest) -> Result<Self, String> {
        let HookAnswerRequest {
            decision,
            reason,
            rewrite,
            context,
            failed,
            text,
        } = answer;
        let Some(failed) = failed else {
            if text.is_some() {
                return Err("`text` stands only beside `failed`".into());
            }
            let decision = decision.ok_or("neither `decision` nor `failed` is given")?;
            let decision = decision_of(&decision)
                .ok_or_else(|| format!("unknown decision word `{decision}`"))?;
            return Ok(Self::Outcome(HookOutcome::Answered(HookAnswer {
                decision,
                reason: reason.map(Text::from),
                rewrite: rewrite.map(|rewrite| NewArgs::from(rewrite.get())),
                context: context.map(Into::into),
            })));
        };
        if decision.is_some() || reason.is_some() || rewrite.is_some() || context.is_some() {
            return Err("beside `failed` only `text` may stand".into());
        }
        match failed.as_str() {
            "threw" => {
                let text = text.as_deref().unwrap_or("it crashed");
                Ok(Self::Outcome(HookOutcome::Threw(text.into())))
            }
            "timed_out" => Ok(Self::Outcome(HookOutcome::TimedOut)),
            "aborted" => Ok(Self::Aborted),
            unknown => Err(format!("unknown failure word `{unknown}`")),
        }
    }
}

/// What a hook may say. That its answer is out of contract is not among it.
fn decision_of(word: &str) -> Option<HookDecision> {
    HookDecision::from_word(word).filter(|decision| *decision != HookDecision::OutOfContract)
}

/// Who answers a standing ask.
#[derive(Debug)]
pub(super) enum Resolver {
    /// The same answer each time.
    Same(Reply<Resolved>),
    /// One answer after the other, then nobody.
    InOrder(std::vec::IntoIter<Reply<Resolved>>),
}

impl Resolver {
    /// Reads the request's `resolve`.
    pub(super) fn read(raw: &RawValue) -> Result<Self, DecideError> {
        let text = raw.get();
        let fault = |Fault { path, what, .. }: Fault| {
            let inner = match path {
                Some(path) if path.starts_with('[') => path,
                Some(path) => format!(".{path}"),
                None => String::new(),
            };
            DecideError::at(format!("resolve{inner}"), what)
        };
        match text.trim_start().chars().next() {
            Some('{') => {
                let answer = input::value(text).map_err(fault)?;
                Ok(Self::Same(resolved("resolve", answer)?))
            }
            Some('[') => {
                let answers: Vec<ResolveRequest> = input::value(text).map_err(fault)?;
                let answers = answers
                    .into_iter()
                    .enumerate()
                    .map(|(index, answer)| resolved(&format!("resolve[{index}]"), answer));
                let answers: Vec<_> = answers.collect::<Result<_, _>>()?;
                Ok(Self::InOrder(answers.into_iter()))
            }
            Some(_) | None => {
                let what = "expected null, an object or an array of objects";
                Err(DecideError::at("resolve", what))
            }
        }
    }

    pub(super) fn next(&mut self) -> Reply<Resolved> {
        match self {
            Self::Same(answer) => answer.clone(),
            Self::InOrder(answers) => answers
                .next()
                .unwrap_or(Ok(Resolved::Unanswered(NoAnswer::Nobody))),
        }
    }
}

fn resolved(path: &str, answer: ResolveRequest) -> Result<Reply<Resolved>, DecideError> {
    let ResolveRequest {
        answer,
        edit,
        why,
        by,
        remember,
    } = answer;
    let answer = answer.0;
    let misplaced = |field: &str, of: SettledAnswer| {
        let what = format!("`{field}` stands only beside the answer `{of}`");
        DecideError::at(format!("{path}.{field}"), what)
    };
    if why.is_some() && answer != SettledAnswer::Unanswered {
        return Err(misplaced("why", SettledAnswer::Unanswered));
    }
    if edit.is_some() && answer != SettledAnswer::Yes {
        return Err(misplaced("edit", SettledAnswer::Yes));
    }
    if remember.is_some() && answer != SettledAnswer::Yes {
        return Err(misplaced("remember", SettledAnswer::Yes));
    }
    let by = by.map_or(Answerer::Person, |by| by.0);
    let why = why.map_or(NoAnswerWord::Given(NoAnswer::Nobody), |why| why.0);
    Ok(Ok(match answer {
        SettledAnswer::Yes => Resolved::Yes {
            by,
            // Its text as it came: an edit that is no object is an ask that failed, and that is
            // the engine's to say.
            edit: edit.map(|edit| NewArgs::from(edit.get())),
            remember: remember.map(Grant::from),
        },
        SettledAnswer::No => Resolved::No { by, reason: None },
        SettledAnswer::Unanswered => match why {
            NoAnswerWord::Aborted => return Ok(Err(SeatFailure::Aborted)),
            NoAnswerWord::Given(why) => Resolved::Unanswered(why),
        },
    }))
}
