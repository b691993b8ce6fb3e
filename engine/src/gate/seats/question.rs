//! Questions: what a pass needs to know next.

use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::Seat;
use super::findings::Offer;
use super::judgement::{Basis, Form, Judgement};
use crate::gate::args::Args;
use crate::gate::causes::Asker;
use crate::gate::digest::Digest;
use crate::gate::input::{Hook, Member};
use crate::gate::text::Text;
use crate::gate::words::{AskOrigin, words};

/// The one question a pass has open. One variant a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// Screen these args (`PreToolUse`).
    Hook(HookQuestion),
    /// What does this call do?
    Describe(Subject),
    /// What does the policy say?
    Adjudicate(JudgeQuestion),
    /// Can it be undone, and where does it reach?
    Probe(Subject),
    /// Does it leave the allowed hosts?
    Egress(Subject),
    /// What does this command read and write?
    ShellRead(Subject),
    /// Is the target write-protected?
    WriteJudge(Subject),
    /// What does the organisation say?
    Org(JudgeQuestion),
    /// What do the persisted rules say?
    Rules(JudgeQuestion),
    /// What does the classifier say of this ask?
    Classify(AskQuestion),
    /// Will the sandbox take this call?
    Sandbox(Subject),
    /// Show exactly this content.
    Present(Subject),
    /// Will you take this ask durably away?
    Park(ParkQuestion),
    /// Ask whoever can be asked.
    Resolve(ResolveQuestion),
}

impl Question {
    /// The seat that has to answer.
    pub const fn seat(&self) -> Seat {
        match self {
            Self::Hook(_) => Seat::Hook,
            Self::Describe(_) => Seat::Describe,
            Self::Adjudicate(_) => Seat::Adjudicate,
            Self::Probe(_) => Seat::Probe,
            Self::Egress(_) => Seat::Egress,
            Self::ShellRead(_) => Seat::ShellRead,
            Self::WriteJudge(_) => Seat::WriteJudge,
            Self::Org(_) => Seat::Org,
            Self::Rules(_) => Seat::Rules,
            Self::Classify(_) => Seat::Classify,
            Self::Sandbox(_) => Seat::Sandbox,
            Self::Present(_) => Seat::Present,
            Self::Park(_) => Seat::Park,
            Self::Resolve(_) => Seat::Resolve,
        }
    }

    /// The args as they stand now.
    pub const fn args(&self) -> &Args {
        match self {
            Self::Hook(question) => &question.args,
            Self::Describe(subject)
            | Self::Probe(subject)
            | Self::Egress(subject)
            | Self::ShellRead(subject)
            | Self::WriteJudge(subject)
            | Self::Sandbox(subject)
            | Self::Present(subject) => &subject.args,
            Self::Adjudicate(question) | Self::Org(question) | Self::Rules(question) => {
                &question.current
            }
            Self::Classify(question) => &question.args,
            Self::Park(question) => &question.ask.args,
            Self::Resolve(question) => &question.ask.args,
        }
    }
}

/// Args to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// The args as they stand now.
    pub args: Args,
    /// The edit round; 0 is the model's own call.
    pub round: u8,
}

/// Args to be screened by hooks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookQuestion {
    /// The args as they stand now.
    pub args: Args,
    /// The edit round; 0 is the model's own call.
    pub round: u8,
    /// The hooks to ask, in declared order.
    pub hooks: Arc<[Hook]>,
    /// A hook rewrote the args, and the guards are asked once more over the rewritten ones.
    pub again: bool,
}

/// Args to be judged, in each form and for each member of the lineage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgeQuestion {
    /// The form beside the current one, when they differ: the model's args or, in an edit round,
    /// the edited ones.
    pub original: Option<Args>,
    /// The args as they stand now.
    pub current: Args,
    /// The caller, then its ancestors, nearest first.
    pub members: Arc<[Member]>,
    /// The edit round; 0 is the model's own call.
    pub round: u8,
}

impl JudgeQuestion {
    /// The forms to be judged, original before current.
    pub fn forms(&self) -> impl Iterator<Item = (Form, &Args)> {
        let original = self.original.iter().map(|args| (Form::Original, args));
        original.chain(core::iter::once((Form::Current, &self.current)))
    }

    /// One judgement for every form and member, as the host's function gives it.
    pub fn judge<R>(
        &self,
        mut judge: impl FnMut(&Args, &Member) -> (R, Option<Text>, Option<Basis>),
    ) -> Vec<Judgement<R>> {
        let forms = self.forms().count();
        let mut judgements = Vec::with_capacity(forms.saturating_mul(self.members.len()));
        for (form, args) in self.forms() {
            for (member, who) in (0_u8..).zip(self.members.iter()) {
                let (ruling, reason, basis) = judge(args, who);
                judgements.push(Judgement {
                    form,
                    member,
                    ruling,
                    reason,
                    basis,
                });
            }
        }
        judgements
    }
}

/// A standing ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskQuestion {
    /// The args that would run.
    pub args: Args,
    /// The edit round; 0 is the model's own call.
    pub round: u8,
    /// Who the ask is owed to; absent only if nothing objected, which is an engine defect.
    pub origin: Option<AskOrigin>,
    /// Everyone who objected, in the order in which they did.
    pub askers: Vec<Asker>,
}

words! {
    /// Where in the pass an ask is parked. Source: G088.
    pub enum ParkSite {
        /// The content to be approved has been shown.
        Content = "content",
        /// The ask is about an edited call.
        ReAsk = "re_ask",
        /// Any other standing ask.
        Standing = "standing",
    }
}

/// A standing ask that could be taken away and answered later, in another process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParkQuestion {
    /// The ask.
    pub ask: AskQuestion,
    /// Where in the pass it stands.
    pub site: ParkSite,
}

/// A standing ask for whoever can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResolveQuestion {
    /// The ask.
    pub ask: AskQuestion,
    /// A directory grant that would cure the only objection there is.
    pub offer: Option<Offer>,
    /// The digest of the content that was shown, if it was.
    pub shown: Option<Digest>,
    /// Why parking this ask failed, if it was tried.
    pub park_failed: Option<Text>,
    /// The pass was parked and is resumed.
    pub resumed: bool,
}
