//! Permission modes: which is the stricter, and which a policy forbids.

use std::fmt;
use std::sync::Arc;

use gatefold::gate::Mode;

use crate::policy::Policy;

/// Modes, from the one in which least runs to the one in which most does. Of two of them each may
/// let something run that the other does not.
const MODES: [Mode; 6] = [
    Mode::Plan,
    Mode::DontAsk,
    Mode::Default,
    Mode::AcceptEdits,
    Mode::Auto,
    Mode::Bypass,
];

/// The stricter of two modes, if one of them is.
pub(crate) fn stricter(one: Mode, other: Mode) -> Option<Mode> {
    let clash = matches!(
        (one, other),
        (Mode::Plan, Mode::DontAsk)
            | (Mode::DontAsk, Mode::Plan)
            | (Mode::AcceptEdits, Mode::Auto)
            | (Mode::Auto, Mode::AcceptEdits)
    );
    let both = |mode: &&Mode| **mode == one || **mode == other;
    MODES.iter().find(both).copied().filter(|_| !clash)
}

/// The modes in which more runs than in `default`: those that a policy may forbid.
pub(crate) fn looser() -> impl Iterator<Item = Mode> {
    let modes = MODES.iter().copied();
    modes.filter(|mode| {
        *mode != Mode::Default && stricter(*mode, Mode::Default) == Some(Mode::Default)
    })
}

/// The permission mode that a call is decided in.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModeInForce {
    /// The mode.
    pub mode: Mode,
    /// The mode that was named, if it is another because a document forbids it.
    pub forbidden: Option<ForbiddenMode>,
}

/// A mode that was named and is forbidden, so that `default` holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ForbiddenMode {
    /// The mode that was named.
    pub mode: Mode,
    /// The documents that forbid it, in their order; at least one.
    pub documents: Vec<Arc<str>>,
}

impl fmt::Display for ForbiddenMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mode, documents } = self;
        let documents = documents.join("` and `");
        let default = Mode::Default;
        write!(
            f,
            "mode {mode} is forbidden by `{documents}`, so {default} holds"
        )
    }
}

impl Policy {
    /// The mode that a call is decided in, for its caller and for each agent above it: the one that
    /// is named for it, or else the policy's, or else `default`; and `default` in place of one that a
    /// document forbids, whoever names it.
    ///
    /// A host that builds its own input asks this for every mode that it gives to it.
    ///
    /// ```
    /// use gatefold::gate::Mode;
    /// use gatefold_policy::{Platform, Policy, Source};
    ///
    /// let text = "schema = 'gatefold/policy/v1'\n[limits]\nforbid_modes = ['bypass']\n";
    /// let source = Source::host("org.toml", text.as_bytes());
    /// let policy = Policy::load(&[source], Platform::Linux)?.policy;
    ///
    /// let allowed = policy.mode_in_force(Some(Mode::Plan));
    /// assert_eq!((allowed.mode, allowed.forbidden), (Mode::Plan, None));
    ///
    /// let refused = policy.mode_in_force(Some(Mode::Bypass));
    /// assert_eq!(refused.mode, Mode::Default);
    /// let why = refused.forbidden.map(|forbidden| forbidden.to_string());
    /// let sentence = "mode bypass is forbidden by `org.toml`, so default holds";
    /// assert_eq!(why.as_deref(), Some(sentence));
    /// # Ok::<(), gatefold_policy::Refused>(())
    /// ```
    pub fn mode_in_force(&self, named: Option<Mode>) -> ModeInForce {
        let mode = named.or(self.mode()).unwrap_or(Mode::Default);
        let forbids = self.forbidden_modes.iter();
        let documents: Vec<_> = forbids
            .filter(|(forbidden, _)| *forbidden == mode)
            .map(|(_, document)| Arc::clone(document))
            .collect();
        if documents.is_empty() {
            return ModeInForce {
                mode,
                forbidden: None,
            };
        }
        ModeInForce {
            mode: Mode::Default,
            forbidden: Some(ForbiddenMode { mode, documents }),
        }
    }
}
