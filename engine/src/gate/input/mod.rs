//! What a pass is given at entry, by value and once. Source: G084–G091.

mod builder;

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use serde::{Deserialize, Serialize};

use super::args::Args;
use super::attest::Entries;
use super::digest::Digest;
use super::seats::Wiring;
use super::words::{Mode, words};
use crate::limits::{DENIAL_LIMIT_DEFAULT, EDIT_CAP_DEFAULT};

pub use builder::{GateInputBuilder, InputError};

/// One tool call, as the model made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The call's id, unique within the host's session.
    pub id: Arc<str>,
    /// The tool's name, as the model wrote it.
    pub tool: Arc<str>,
    /// The args.
    pub args: Args,
}

/// A member of the lineage: the calling agent, or one of its ancestors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// The agent's name, if it has one.
    pub agent: Option<Arc<str>>,
    /// Its permission mode.
    pub mode: Mode,
    /// Its compliance lock: nothing runs.
    pub lock: bool,
}

#[allow(
    clippy::derivable_impls,
    reason = "the word list declares no default of its own"
)]
impl Default for Mode {
    fn default() -> Self {
        Self::Default
    }
}

/// A hook's id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HookId(Arc<str>);

impl HookId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn shared(&self) -> Arc<str> {
        Arc::clone(&self.0)
    }
}

impl From<&str> for HookId {
    fn from(id: &str) -> Self {
        Self(id.into())
    }
}

impl fmt::Display for HookId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

words! {
    /// What a hook's answer counts for.
    pub enum HookKind {
        /// Its answer counts.
        Guard = "guard",
        /// Its answer, its rewrite and its failure are notices and count for nothing.
        Observer = "observer",
    }
}

/// A wired hook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hook {
    /// Its id, unique within the pass.
    pub id: HookId,
    /// What its answer counts for.
    pub kind: HookKind,
}

words! {
    /// What becomes of a call about which nobody stated anything.
    pub enum Unstated {
        /// It is an ask. This is the default.
        Ask = "ask",
        /// It is allowed.
        Allow = "allow",
    }
}

words! {
    /// What becomes of a classifier that did not rule.
    pub enum OnNoRuling {
        /// The call is denied. This is the default.
        Deny = "deny",
        /// A person is asked.
        Ask = "ask",
    }
}

/// What the host set for all its passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Edit rounds before a further edit is refused; at most 16. Default 3.
    pub edit_cap: u8,
    /// Classifier denials after which a person is asked instead. Default 3.
    pub denial_limit: u32,
    /// What becomes of a classifier that did not rule. Default deny.
    pub on_no_ruling: OnNoRuling,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            edit_cap: EDIT_CAP_DEFAULT,
            denial_limit: DENIAL_LIMIT_DEFAULT,
            on_no_ruling: OnNoRuling::Deny,
        }
    }
}

/// Everything a pass needs at entry. Nothing is read again later. Only its builder makes one.
///
/// ```compile_fail,E0277
/// let unchecked: gatefold::gate::GateInput = serde_json::from_str("{}").unwrap();
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateInput(pub(crate) Input);

/// The input as a pass keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Input {
    pub(crate) call: Call,
    pub(crate) members: Arc<[Member]>,
    pub(crate) wiring: Wiring,
    pub(crate) hooks: Arc<[Hook]>,
    pub(crate) unstated: Unstated,
    pub(crate) denials: u32,
    pub(crate) settings: Settings,
    pub(crate) attestations: Entries,
    pub(crate) policy: Option<Digest>,
    pub(crate) facts: Option<Digest>,
    pub(crate) leg: Option<Arc<str>>,
    pub(crate) time: Option<u64>,
    pub(crate) trace: bool,
}

/// What of an input a ticket is bound to: all of it but time, wired seats, observers,
/// attestations and tracing.
#[derive(Serialize)]
struct Bound<'a> {
    call: &'a Call,
    members: &'a [Member],
    guards: Vec<&'a HookId>,
    unstated: Unstated,
    denials: u32,
    settings: Settings,
    policy: Option<Digest>,
    facts: Option<Digest>,
    leg: Option<&'a str>,
}

impl GateInput {
    /// The call.
    pub const fn call(&self) -> &Call {
        &self.0.call
    }

    /// The caller, then its ancestors, nearest first.
    pub fn members(&self) -> &[Member] {
        &self.0.members
    }

    /// The wired hooks, in declared order.
    pub fn hooks(&self) -> &[Hook] {
        &self.0.hooks
    }

    /// The wired seats.
    pub const fn wiring(&self) -> Wiring {
        self.0.wiring
    }

    /// The host's settings.
    pub const fn settings(&self) -> Settings {
        self.0.settings
    }

    /// The host's time at entry, in milliseconds, if it gave one. The engine reads no meaning into
    /// it; it is there for whoever answers the seats.
    pub const fn time(&self) -> Option<u64> {
        self.0.time
    }

    /// The digest a ticket is bound to: of everything but time, wired seats, observers,
    /// attestations and tracing.
    pub fn digest(&self) -> Digest {
        self.0.digest()
    }
}

impl Input {
    pub(crate) fn digest(&self) -> Digest {
        let bound = Bound {
            call: &self.call,
            members: &self.members,
            guards: self.guards().map(|hook| &hook.id).collect(),
            unstated: self.unstated,
            denials: self.denials,
            settings: self.settings,
            policy: self.policy,
            facts: self.facts,
            leg: self.leg.as_deref(),
        };
        Digest::of_json(&bound)
    }

    pub(crate) fn guards(&self) -> impl Iterator<Item = &Hook> {
        self.hooks
            .iter()
            .filter(|hook| hook.kind == HookKind::Guard)
    }

    pub(crate) fn caller(&self) -> Mode {
        self.members
            .first()
            .map_or(Mode::Default, |member| member.mode)
    }
}
