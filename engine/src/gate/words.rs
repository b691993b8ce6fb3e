//! The gate's closed vocabularies.
//!
//! On the wire each word is its `snake_case` name. A new word is a breaking change.

use alloc::sync::Arc;
use serde::{Deserialize, Serialize};

/// Declares a closed vocabulary: an enum, its wire words, and the list of them all.
macro_rules! words {
    ($(#[$meta:meta])* pub enum $name:ident {
        $($(#[$vmeta:meta])* $variant:ident = $word:literal),+ $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$vmeta])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// Every word, in declared order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word as it stands on the wire.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// The value of a wire word, if it is one.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.word() == word)
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}
pub(crate) use words;

words! {
    /// What a pass says of a call.
    pub enum Verdict {
        /// The call may run.
        Allow = "allow",
        /// The call waits for an answer.
        Ask = "ask",
        /// The call does not run.
        Deny = "deny",
    }
}

words! {
    /// Who refused. Source: G029, G040, G112.
    pub enum DeniedBy {
        /// The compliance lock of the caller or an ancestor.
        Compliance = "compliance",
        /// Plan mode of the caller or an ancestor.
        PlanMode = "plan_mode",
        /// A guard hook's own deny, or its out-of-contract answer.
        Hook = "hook",
        /// The engine, failing closed: a face that crashed, timed out, or answered nothing usable.
        Engine = "engine",
        /// The host's policy.
        Policy = "policy",
        /// The organisation's layer.
        Org = "org",
        /// A persisted rule.
        Rule = "rule",
        /// The shell reader refused outright.
        ShellRead = "shell_read",
        /// An edited call whose target is write-protected.
        WriteProtection = "write_protection",
        /// The auto mode's classifier.
        Classifier = "classifier",
        /// A permission mode that answers no ask.
        Mode = "mode",
        /// More edits than the cap allows.
        EditCap = "edit_cap",
        /// The ask itself ended as a refusal.
        AskResolution = "ask_resolution",
    }
}

impl DeniedBy {
    /// May stand with no settled ask.
    pub const fn is_direct(self) -> bool {
        match self {
            Self::Compliance
            | Self::PlanMode
            | Self::Hook
            | Self::Engine
            | Self::Policy
            | Self::Org
            | Self::Rule
            | Self::ShellRead
            | Self::Classifier
            | Self::Mode => true,
            Self::WriteProtection | Self::EditCap | Self::AskResolution => false,
        }
    }

    /// May stand beside a settled yes.
    pub const fn is_veto(self) -> bool {
        match self {
            Self::PlanMode
            | Self::Hook
            | Self::Engine
            | Self::Policy
            | Self::Org
            | Self::Rule
            | Self::ShellRead
            | Self::WriteProtection
            | Self::EditCap => true,
            Self::Compliance | Self::Classifier | Self::Mode | Self::AskResolution => false,
        }
    }
}

words! {
    /// Who let the call through.
    pub enum AllowedBy {
        /// The host's policy, in a stated or attested allow.
        Policy = "policy",
        /// A stored rule of the person.
        StoredRule = "stored_rule",
        /// A guard hook's allow.
        Hook = "hook",
        /// The reader that knows the call only reads.
        ReadOnly = "read_only",
        /// The auto mode's classifier.
        Classifier = "classifier",
        /// The sandbox that took the call in.
        Sandbox = "sandbox",
        /// A permission mode that released the ask.
        Mode = "mode",
        /// Whoever answered the ask.
        AskResolution = "ask_resolution",
        /// Nobody stated anything, and the host lets such calls run.
        Default = "default",
    }
}

words! {
    /// Who an ask is owed to, in order of precedence: the first among those present names the ask.
    pub enum AskOrigin {
        /// The approved call was edited, and the edit needs an answer of its own.
        Edit = "edit",
        /// The classifier denied too often; a person is asked.
        DenialLimit = "denial_limit",
        /// The organisation's layer.
        Org = "org",
        /// A persisted rule, or rules that could not be read.
        Rule = "rule",
        /// A guard hook.
        Hook = "hook",
        /// The host's policy.
        Policy = "policy",
        /// A write-protected or unresolvable target.
        WriteProtection = "write_protection",
        /// What a shell line reads or writes.
        ShellRead = "shell_read",
        /// A destination outside the allowed hosts.
        Egress = "egress",
        /// A call that cannot be undone or reaches out of the roots.
        Reversibility = "reversibility",
        /// Nobody stated anything.
        Unstated = "unstated",
    }
}

words! {
    /// How an ask ended.
    pub enum SettledAnswer {
        /// Whoever was asked said yes.
        Yes = "yes",
        /// Whoever was asked said no.
        No = "no",
        /// Nobody answered; [`Unanswered`] says why.
        Unanswered = "unanswered",
    }
}

words! {
    /// Who settled an ask.
    pub enum SettledBy {
        /// A person.
        Person = "person",
        /// Whoever a person named to answer in their place.
        Delegate = "delegate",
        /// The engine, which never says yes or no.
        Engine = "engine",
    }
}

words! {
    /// Why an ask stayed unanswered. Four endings that people confuse have four words.
    pub enum Unanswered {
        /// The time for an answer ran out.
        Timeout = "timeout",
        /// The task was cancelled.
        Aborted = "aborted",
        /// There was nobody to ask.
        Nobody = "nobody",
        /// The content to be approved was never shown. The engine's own word.
        Unshown = "unshown",
        /// Asking failed, or the answer could not be used.
        Failed = "failed",
    }
}

words! {
    /// Why a classifier did not rule.
    pub enum ClassifierCause {
        /// It could not be reached.
        Unavailable = "unavailable",
        /// Its answer could not be read.
        ParseError = "parse_error",
    }
}

words! {
    /// A permission mode of an agent.
    pub enum Mode {
        /// Ask for what no rule allows.
        Default = "default",
        /// Only read.
        Plan = "plan",
        /// Edits inside the roots need no ask.
        AcceptEdits = "accept_edits",
        /// A classifier answers asks.
        Auto = "auto",
        /// Every ask is refused.
        DontAsk = "dont_ask",
        /// Asks that nobody must answer in person are released.
        Bypass = "bypass",
    }
}

words! {
    /// A mode that can release an ask.
    pub enum ReleasingMode {
        /// [`Mode::AcceptEdits`].
        AcceptEdits = "accept_edits",
        /// [`Mode::Bypass`].
        Bypass = "bypass",
    }
}

words! {
    /// A mode that can refuse an ask.
    pub enum RefusingMode {
        /// [`Mode::DontAsk`].
        DontAsk = "dont_ask",
    }
}

words! {
    /// A copying program whose option words kept its writes from being placed. Source: G119.
    pub enum CopyProgram {
        /// `cp`.
        Cp = "cp",
        /// `mv`.
        Mv = "mv",
    }
}

impl From<ReleasingMode> for Mode {
    fn from(mode: ReleasingMode) -> Self {
        match mode {
            ReleasingMode::AcceptEdits => Self::AcceptEdits,
            ReleasingMode::Bypass => Self::Bypass,
        }
    }
}

/// A permission mode let the standing ask through. Source: G026, G128.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModeRelease {
    /// The caller's mode.
    pub mode: ReleasingMode,
    /// The release went past a read that nobody could establish.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub past_read_deny: bool,
}

/// A permission mode refused the standing ask. Source: G027, G119.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModeRefusal {
    /// The mode, of the caller or an ancestor.
    pub mode: RefusingMode,
    /// The program whose options kept the writes from being placed, when that is the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unplaced_options: Option<CopyProgram>,
}

/// The two model names of a classifier round; it exists only when both are vouched for.
/// Source: G022, G057.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassifierRound {
    /// The model that was asked.
    pub asked: Arc<str>,
    /// The model that answered.
    pub answered: Arc<str>,
}

/// A flag is set or absent, never written as false.
#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "the shape serde asks for"
)]
pub(crate) const fn is_unset(flag: &bool) -> bool {
    !*flag
}
