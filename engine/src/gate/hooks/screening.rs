//! Folding the receipts of one screening, in declared order, never in order of arrival.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::basis;
use crate::faults::fault;
use crate::gate::args::{Args, NewArgs};
use crate::gate::cells::Asking;
use crate::gate::input::{Hook, HookId, HookKind};
use crate::gate::notices::NoticeWord;
use crate::gate::seats::{Basis, HookAnswer, HookDecision, HookOutcome, HookQuestion, HookReceipt};
use crate::gate::text::Text;
use crate::limits::CONTEXT_BYTES_MAX;

/// Something about a hook that the deployment is told.
pub(super) struct Told {
    pub(super) notice: NoticeWord,
    pub(super) hook: HookId,
    pub(super) text: Option<Text>,
}

/// What all guards together said of one question.
#[derive(Default)]
pub(super) struct Screening {
    /// A guard's deny or out-of-contract answer, the first in declared order.
    pub(super) denied: Option<(Basis, Text)>,
    /// A guard's failure or malformed receipt, the first in declared order.
    pub(super) failed: Option<Text>,
    /// Two rewrites that differ, or a rewrite of a rewrite.
    pub(super) conflict: Option<(Basis, Text)>,
    /// The one rewrite that differs from the args.
    pub(super) rewrite: Option<Args>,
    rewriter: Option<HookId>,
    /// Every guard that asks, in declared order.
    pub(super) asked: Vec<Asking>,
    pub(super) allowed: Option<Basis>,
    pub(super) contexts: Vec<Arc<str>>,
    pub(super) told: Vec<Told>,
    context_bytes: usize,
}

/// A hook's receipt as it counts.
enum Receipt<'a> {
    Answer(&'a HookAnswer),
    Malformed(Text),
    Failed(Text),
}

impl Screening {
    /// Folds the receipts of the hooks that the question names; each is known by its place among
    /// all that are declared.
    pub(super) fn fold(
        declared: &[Hook],
        question: &HookQuestion,
        receipts: &[HookReceipt],
        standing: &[Arc<str>],
    ) -> Self {
        let mut screening = Self {
            context_bytes: standing
                .iter()
                .fold(0, |bytes, context| bytes.saturating_add(context.len())),
            ..Self::default()
        };
        for (index, hook) in declared.iter().enumerate() {
            if !question.hooks.contains(hook) {
                continue;
            }
            let receipt = receipt_of(hook, receipts);
            match hook.kind {
                HookKind::Observer => screening.observe(hook, receipt),
                HookKind::Guard => {
                    screening.guard(question, (index, hook), receipt, standing);
                }
            }
        }
        screening
    }

    /// All that an observer says is a notice: its decision, its rewrite, its context.
    fn observe(&mut self, hook: &Hook, receipt: Receipt<'_>) {
        let (notice, text) = match receipt {
            Receipt::Answer(answer) => (NoticeWord::ObserverAnswered, whole(answer)),
            Receipt::Malformed(text) | Receipt::Failed(text) => (NoticeWord::HookFailed, text),
        };
        self.told.push(Told {
            notice,
            hook: hook.id.clone(),
            text: Some(text),
        });
    }

    fn guard(
        &mut self,
        question: &HookQuestion,
        (index, hook): (usize, &Hook),
        receipt: Receipt<'_>,
        standing: &[Arc<str>],
    ) {
        match receipt {
            Receipt::Answer(answer) => match self.with_context(answer, standing) {
                Ok(()) => self.answer(question, index, hook, answer),
                Err(text) => self.failure(hook, text),
            },
            Receipt::Malformed(text) | Receipt::Failed(text) => self.failure(hook, text),
        }
    }

    fn failure(&mut self, hook: &Hook, text: Text) {
        let reason = format!(
            "the PreToolUse hook `{}` gave no usable answer: {text}",
            hook.id
        );
        self.failed.get_or_insert(reason.into());
        let notice = NoticeWord::HookFailed;
        self.told.push(Told {
            notice,
            hook: hook.id.clone(),
            text: Some(text),
        });
    }

    /// Takes the answer's context in, once; past the limit the receipt is malformed.
    fn with_context(&mut self, answer: &HookAnswer, standing: &[Arc<str>]) -> Result<(), Text> {
        let known =
            |context: &Arc<str>| standing.contains(context) || self.contexts.contains(context);
        let Some(context) = answer.context.as_ref() else {
            return Ok(());
        };
        if context.is_empty() || known(context) {
            return Ok(());
        }
        let bytes = self.context_bytes.saturating_add(context.len());
        if bytes > CONTEXT_BYTES_MAX {
            let text = format!("context of {bytes} bytes in all is more than {CONTEXT_BYTES_MAX}");
            return Err(text.into());
        }
        self.context_bytes = bytes;
        self.contexts.push(Arc::clone(context));
        Ok(())
    }

    fn answer(&mut self, question: &HookQuestion, index: usize, hook: &Hook, answer: &HookAnswer) {
        let rewrite = match answer.rewrite.as_ref().map(NewArgs::read) {
            None => None,
            Some(Ok(args)) => Some(args).filter(|args| *args != question.args),
            Some(Err(_)) if answer.decision == HookDecision::Deny => None,
            Some(Err(_)) if fault!(UnreadableRewriteIsNone) => None,
            Some(Err(error)) => {
                return self.out_of_contract(index, hook, &format!("its rewrite: {error}"));
            }
        };
        match answer.decision {
            HookDecision::Deny => {
                let reason = answer.reason.as_ref().map_or("", Text::as_str);
                let colon = if reason.is_empty() { "" } else { ": " };
                let text = format!(
                    "the PreToolUse hook `{}` denied this call{colon}{reason}",
                    hook.id
                );
                self.denied
                    .get_or_insert((basis(index, hook, "deny"), text.into()));
                if answer.rewrite.is_some() {
                    let notice = NoticeWord::RewriteIgnored;
                    self.told.push(Told {
                        notice,
                        hook: hook.id.clone(),
                        text: None,
                    });
                }
                return;
            }
            HookDecision::OutOfContract => {
                let said = answer
                    .reason
                    .as_ref()
                    .map_or("its decision is not one that a hook may make", Text::as_str);
                return self.out_of_contract(index, hook, said);
            }
            HookDecision::Ask => self.asked.push(Asking {
                basis: basis(index, hook, "ask"),
                reason: answer.reason.clone(),
            }),
            HookDecision::Allow => {
                self.allowed.get_or_insert(basis(index, hook, "allow"));
            }
            HookDecision::None => {}
        }
        if let Some(args) = rewrite {
            self.rewrite(question, index, hook, args);
        }
    }

    fn out_of_contract(&mut self, index: usize, hook: &Hook, what: &str) {
        let text = format!(
            "the PreToolUse hook `{}` gave an out-of-contract answer: {what}",
            hook.id
        );
        self.denied
            .get_or_insert((basis(index, hook, "out_of_contract"), text.into()));
    }

    fn rewrite(&mut self, question: &HookQuestion, index: usize, hook: &Hook, args: Args) {
        let conflict = if question.again {
            Some(format!(
                "the PreToolUse hook `{}` rewrote args that were rewritten",
                hook.id
            ))
        } else {
            match (&self.rewrite, &self.rewriter) {
                (Some(first), Some(rewriter)) if *first != args => Some(format!(
                    "the PreToolUse hooks `{rewriter}` and `{}` rewrote the args differently",
                    hook.id
                )),
                (Some(_) | None, Some(_) | None) => None,
            }
        };
        if let Some(text) = conflict {
            self.conflict
                .get_or_insert((basis(index, hook, "rewrite"), text.into()));
            return;
        }
        self.rewrite.get_or_insert(args);
        self.rewriter.get_or_insert_with(|| hook.id.clone());
    }
}

/// The one receipt of a hook that counts: equal copies are one, different ones are none.
fn receipt_of<'a>(hook: &Hook, receipts: &'a [HookReceipt]) -> Receipt<'a> {
    let mut of_hook = receipts.iter().filter(|receipt| receipt.hook == hook.id);
    let Some(first) = of_hook.next() else {
        return Receipt::Failed(Text::new("threw: there is no receipt of it"));
    };
    let differs = |receipt: &HookReceipt| !is_same(&receipt.outcome, &first.outcome);
    if of_hook.any(|receipt| differs(receipt) || fault!(CopyIsMalformed))
        && !fault!(FirstReceiptWins)
    {
        return Receipt::Malformed(Text::new("malformed: two receipts differ"));
    }
    match &first.outcome {
        HookOutcome::Answered(answer) => Receipt::Answer(answer),
        HookOutcome::Malformed(text) => Receipt::Malformed(format!("malformed: {text}").into()),
        HookOutcome::Threw(text) => Receipt::Failed(format!("threw: {text}").into()),
        HookOutcome::TimedOut => Receipt::Failed(Text::new("timed out")),
    }
}

/// Whether two outcomes say the same, however their rewrites are spelled.
fn is_same(one: &HookOutcome, other: &HookOutcome) -> bool {
    let (HookOutcome::Answered(one), HookOutcome::Answered(other)) = (one, other) else {
        return one == other;
    };
    let rewrite = |answer: &HookAnswer| answer.rewrite.as_ref().map(NewArgs::read);
    (one.decision, &one.reason, &one.context) == (other.decision, &other.reason, &other.context)
        && rewrite(one) == rewrite(other)
}

/// An answer in words, nothing of it left out but what is past the limit of a text.
fn whole(answer: &HookAnswer) -> Text {
    let mut text = String::from(answer.decision.word());
    if let Some(reason) = &answer.reason {
        text.push_str(&format!(": {reason}"));
    }
    if let Some(rewrite) = &answer.rewrite {
        text.push_str(&match rewrite.read() {
            Ok(args) => format!("; rewrite {args}"),
            Err(error) => format!("; a rewrite that cannot be read: {error}"),
        });
    }
    if let Some(context) = &answer.context {
        text.push_str(&format!("; context {context}"));
    }
    text.into()
}
