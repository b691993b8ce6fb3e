//! Judgements: what a layer says of one form of the args for one member of the lineage.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::gate::args::NewArgs;
use crate::gate::attest::AttestationId;
use crate::gate::text::Text;
use crate::gate::words::words;

words! {
    /// Which args a judgement is about.
    pub enum Form {
        /// The form beside the current one.
        Original = "original",
        /// The args as they stand now.
        Current = "current",
    }
}

/// What one layer says of one form of the args for one member of the lineage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judgement<R> {
    /// The args it is about.
    pub form: Form,
    /// The member it is about: 0 is the caller, then its ancestors, nearest first.
    pub member: u8,
    /// What is said.
    pub ruling: R,
    /// Why, for the model or for whoever is asked.
    pub reason: Option<Text>,
    /// The rule behind it.
    pub basis: Option<Basis>,
}

/// The rule behind a judgement, as its layer names it. The engine copies it and never reads it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Basis {
    /// The layer: `org`, `policy`, `user`, `project`, …
    pub layer: Text,
    /// The file the rule stands in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Text>,
    /// The list it stands in: `allow`, `ask`, `deny`.
    pub list: Text,
    /// Its place in the list, from 0.
    pub index: u32,
    /// The rule as written.
    pub rule: Text,
    /// The part of the call that it matched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Text>,
}

/// The policy's verdict, whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// One judgement a form and member.
    pub judgements: Vec<Judgement<PolicyRuling>>,
    /// Args to run instead. Judgements of the current form speak of the args with it applied.
    pub rewrite: Option<NewArgs>,
    /// An attested settlement of an ask of this call.
    pub settlement: Option<AttestationId>,
    /// An attested classifier round over this call.
    pub round: Option<AttestationId>,
}

/// What the policy says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum PolicyRuling {
    /// It may run.
    Allow {
        /// Somebody stated so; otherwise nothing was said against it.
        stated: bool,
    },
    /// Somebody must be asked.
    Ask,
    /// It must not run.
    Deny,
}

words! {
    /// What the organisation says.
    pub enum OrgRuling {
        /// Nothing.
        None = "none",
        /// Somebody must be asked.
        Ask = "ask",
        /// It must not run.
        Deny = "deny",
    }
}

/// What the persisted rules say.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum RuleRuling {
    /// Nothing.
    None,
    /// It may run, under this stored grant.
    Allow {
        /// The grant's id, in the host's words.
        grant: Option<Text>,
    },
    /// Somebody must be asked.
    Ask,
    /// It must not run.
    Deny,
}
