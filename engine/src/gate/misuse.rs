//! Misuse: what an answer can get wrong, checked before anything of it is read.

use thiserror::Error;

use super::input::HookId;
use super::seats::{
    Adjudication, Answer, Form, HookQuestion, HookReceipt, JudgeQuestion, Judgement, Question, Seat,
};
use crate::limits::{JUDGEMENTS_MAX, RECEIPTS_MAX};

/// What was wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MisuseKind {
    /// Answer the open question; [`Pass::question`](super::Pass::question) tells which it is.
    #[error("the question is for seat {asked} and the answer is of seat {given}")]
    WrongSeat {
        /// The seat that was asked.
        asked: Seat,
        /// The seat whose answer was given.
        given: Seat,
    },
    /// Send receipts of the hooks that the question names.
    #[error("hook `{hook}` was not asked")]
    UnknownHook {
        /// The id.
        hook: HookId,
    },
    /// Judge the forms that the question names.
    #[error("form {form} was not asked about")]
    UnknownForm {
        /// The form.
        form: Form,
    },
    /// Judge the members that the question names.
    #[error("member {member} is not of the lineage")]
    UnknownMember {
        /// Its place in the lineage.
        member: u8,
    },
    /// Send one judgement for each form and member.
    #[error("{judgements} judgements are more than {JUDGEMENTS_MAX}")]
    TooManyJudgements {
        /// How many were given.
        judgements: usize,
    },
    /// Send one receipt for each hook.
    #[error("{receipts} receipts are more than {RECEIPTS_MAX}")]
    TooManyReceipts {
        /// How many were given.
        receipts: usize,
    },
}

impl MisuseKind {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::WrongSeat { .. } => "wrong_seat",
            Self::UnknownHook { .. } => "unknown_hook",
            Self::UnknownForm { .. } => "unknown_form",
            Self::UnknownMember { .. } => "unknown_member",
            Self::TooManyJudgements { .. } => "too_many_judgements",
            Self::TooManyReceipts { .. } => "too_many_receipts",
        }
    }
}

/// Checks everything about an answer that is the host's to get right, before a cell is written.
pub(super) fn check(question: &Question, answer: &Answer) -> Result<(), MisuseKind> {
    match (question, answer) {
        (Question::Hook(question), Answer::Hook(Ok(receipts))) => hooks(question, receipts),
        (Question::Adjudicate(question), Answer::Adjudicate(Ok(answer))) => {
            let Adjudication { judgements, .. } = answer;
            lineage(question, judgements)
        }
        (Question::Org(question), Answer::Org(Ok(judgements))) => lineage(question, judgements),
        (Question::Rules(question), Answer::Rules(Ok(judgements))) => lineage(question, judgements),
        (question, answer) if question.seat() == answer.seat() => Ok(()),
        (question, answer) => Err(MisuseKind::WrongSeat {
            asked: question.seat(),
            given: answer.seat(),
        }),
    }
}

fn hooks(question: &HookQuestion, receipts: &[HookReceipt]) -> Result<(), MisuseKind> {
    if receipts.len() > RECEIPTS_MAX {
        return Err(MisuseKind::TooManyReceipts {
            receipts: receipts.len(),
        });
    }
    let asked = |id: &HookId| question.hooks.iter().any(|hook| hook.id == *id);
    match receipts.iter().find(|receipt| !asked(&receipt.hook)) {
        Some(receipt) => Err(MisuseKind::UnknownHook {
            hook: receipt.hook.clone(),
        }),
        None => Ok(()),
    }
}

fn lineage<R>(question: &JudgeQuestion, judgements: &[Judgement<R>]) -> Result<(), MisuseKind> {
    if judgements.len() > JUDGEMENTS_MAX {
        return Err(MisuseKind::TooManyJudgements {
            judgements: judgements.len(),
        });
    }
    for judgement in judgements {
        if judgement.form == Form::Original && question.original.is_none() {
            return Err(MisuseKind::UnknownForm {
                form: judgement.form,
            });
        }
        if usize::from(judgement.member) >= question.members.len() {
            return Err(MisuseKind::UnknownMember {
                member: judgement.member,
            });
        }
    }
    Ok(())
}
