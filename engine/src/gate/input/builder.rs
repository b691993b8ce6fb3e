//! Collecting an input, and refusing what is over a limit.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use thiserror::Error;

use super::{Call, GateInput, Hook, HookKind, Input, Member, Settings, Unstated};
use crate::gate::attest::AttestationBook;
use crate::gate::digest::Digest;
use crate::gate::seats::{Seat, Wiring};
use crate::gate::words::Mode;
use crate::limits::{ANCESTORS_MAX, EDIT_CAP_MAX, HOOKS_MAX, NAME_BYTES_MAX};

impl GateInput {
    /// Starts an input for this call; everything else has a default.
    ///
    /// ```
    /// use gatefold::gate::{Args, Call, GateInput, InputError, Mode, Seat};
    ///
    /// let args = Args::parse(r#"{"command":"git status"}"#)?;
    /// let call = Call { id: "c1".into(), tool: "Bash".into(), args };
    /// let input = GateInput::builder(call.clone()).mode(Mode::Plan).wire(Seat::Rules).build()?;
    /// assert_eq!(input.call().tool.as_ref(), "Bash");
    ///
    /// let nameless = Call { id: "".into(), ..call };
    /// assert_eq!(GateInput::builder(nameless).build(), Err(InputError::EmptyCallId));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn builder(call: Call) -> GateInputBuilder {
        GateInputBuilder {
            call,
            caller: Member::default(),
            ancestors: Vec::new(),
            wiring: Wiring::NONE,
            hooks: Vec::new(),
            unstated: Unstated::Ask,
            denials: 0,
            settings: Settings::default(),
            attestations: AttestationBook::default(),
            policy: None,
            facts: None,
            leg: None,
            time: None,
            trace: false,
        }
    }
}

/// Collects an input; [`build`](Self::build) refuses what is over a limit.
#[derive(Clone, Debug)]
#[must_use = "an input exists only once it is built"]
pub struct GateInputBuilder {
    call: Call,
    caller: Member,
    ancestors: Vec<Member>,
    wiring: Wiring,
    hooks: Vec<Hook>,
    unstated: Unstated,
    denials: u32,
    settings: Settings,
    attestations: AttestationBook,
    policy: Option<Digest>,
    facts: Option<Digest>,
    leg: Option<Arc<str>>,
    time: Option<u64>,
    trace: bool,
}

impl GateInputBuilder {
    /// The caller's permission mode.
    pub fn mode(mut self, mode: Mode) -> Self {
        self.caller.mode = mode;
        self
    }

    /// The caller's compliance lock.
    pub fn lock(mut self, lock: bool) -> Self {
        self.caller.lock = lock;
        self
    }

    /// The caller's name.
    pub fn agent(mut self, name: &str) -> Self {
        self.caller.agent = Some(name.into());
        self
    }

    /// One more ancestor; the nearest first. At most 16.
    pub fn ancestor(mut self, member: Member) -> Self {
        self.ancestors.push(member);
        self
    }

    /// Wires a seat. The hook seat is wired by declaring a hook.
    pub fn wire(mut self, seat: Seat) -> Self {
        self.wiring = self.wiring.with(seat);
        self
    }

    /// Wires each of these seats.
    pub fn wire_all(mut self, seats: impl IntoIterator<Item = Seat>) -> Self {
        self.wiring = seats.into_iter().fold(self.wiring, Wiring::with);
        self
    }

    /// One more hook, asked and folded in the order in which they are declared. At most 32.
    pub fn hook(mut self, id: &str, kind: HookKind) -> Self {
        self.hooks.push(Hook {
            id: id.into(),
            kind,
        });
        self
    }

    /// What becomes of a call about which nobody stated anything. Default ask.
    pub fn unstated(mut self, unstated: Unstated) -> Self {
        self.unstated = unstated;
        self
    }

    /// Classifier denials so far.
    pub fn denials(mut self, denials: u32) -> Self {
        self.denials = denials;
        self
    }

    /// The host's settings.
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// The attestations that this pass may be shown.
    pub fn attestations(mut self, book: AttestationBook) -> Self {
        self.attestations = book;
        self
    }

    /// The digest of the policy in force, for the record and for parked passes.
    pub fn policy(mut self, digest: Digest) -> Self {
        self.policy = Some(digest);
        self
    }

    /// The digest of the outside facts that the answers rest on, for the record.
    pub fn facts(mut self, digest: Digest) -> Self {
        self.facts = Some(digest);
        self
    }

    /// The leg's mark: it stands before every refusal that the model reads.
    pub fn leg(mut self, mark: &str) -> Self {
        self.leg = Some(mark.into());
        self
    }

    /// The host's time, in milliseconds.
    pub fn time(mut self, millis: u64) -> Self {
        self.time = Some(millis);
        self
    }

    /// Whether the pass keeps a trace. Default off.
    pub fn trace(mut self, trace: bool) -> Self {
        self.trace = trace;
        self
    }

    /// The input.
    ///
    /// # Errors
    /// [`InputError`], if a name is empty, double or too long, or a list is past its limit.
    pub fn build(mut self) -> Result<GateInput, InputError> {
        self.check()?;
        if !self.hooks.is_empty() {
            self.wiring = self.wiring.with(Seat::Hook);
        }
        // Most passes have no hook, and an empty list of the default costs no allocation.
        let hooks = if self.hooks.is_empty() {
            Arc::default()
        } else {
            self.hooks.into()
        };
        let members = core::iter::once(self.caller).chain(self.ancestors);
        Ok(GateInput(Input {
            call: self.call,
            members: members.collect(),
            wiring: self.wiring,
            hooks,
            unstated: self.unstated,
            denials: self.denials,
            settings: self.settings,
            attestations: self.attestations.0,
            policy: self.policy,
            facts: self.facts,
            leg: self.leg,
            time: self.time,
            trace: self.trace,
        }))
    }

    fn check(&self) -> Result<(), InputError> {
        if self.call.id.is_empty() {
            return Err(InputError::EmptyCallId);
        }
        if self.call.tool.is_empty() {
            return Err(InputError::EmptyTool);
        }
        if self.hooks.len() > HOOKS_MAX {
            return Err(InputError::TooManyHooks {
                hooks: self.hooks.len(),
            });
        }
        if self.ancestors.len() > ANCESTORS_MAX {
            return Err(InputError::TooManyAncestors {
                ancestors: self.ancestors.len(),
            });
        }
        if self.settings.edit_cap > EDIT_CAP_MAX {
            return Err(InputError::EditCapTooHigh {
                edit_cap: self.settings.edit_cap,
            });
        }
        if self.wiring.has(Seat::Hook) && self.hooks.is_empty() {
            return Err(InputError::NoHookToAsk);
        }
        for (index, hook) in self.hooks.iter().enumerate() {
            if hook.id.as_str().is_empty() {
                return Err(InputError::EmptyHookId { index });
            }
            if self
                .hooks
                .iter()
                .take(index)
                .any(|earlier| earlier.id == hook.id)
            {
                return Err(InputError::DoubleHook {
                    hook: hook.id.as_str().into(),
                });
            }
        }
        self.names().try_for_each(|(field, name)| {
            if name.len() > NAME_BYTES_MAX {
                return Err(InputError::NameTooLong {
                    field,
                    bytes: name.len(),
                });
            }
            Ok(())
        })
    }

    fn names(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let call = [("call.id", &*self.call.id), ("call.tool", &*self.call.tool)];
        let agents = core::iter::once(&self.caller).chain(&self.ancestors);
        let agents = agents.filter_map(|member| Some(("agent", member.agent.as_deref()?)));
        let hooks = self.hooks.iter().map(|hook| ("hook", hook.id.as_str()));
        let leg = self.leg.as_deref().map(|mark| ("leg", mark));
        call.into_iter().chain(agents).chain(hooks).chain(leg)
    }
}

/// An input that no pass begins with.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InputError {
    /// Give the call the id that its result will be matched by.
    #[error("the call has no id")]
    EmptyCallId,
    /// Give the name of the tool.
    #[error("the call names no tool")]
    EmptyTool,
    /// Join hooks that always speak together.
    #[error("{hooks} hooks are more than {HOOKS_MAX}")]
    TooManyHooks {
        /// How many were declared.
        hooks: usize,
    },
    /// Do not nest agents that deep.
    #[error("{ancestors} ancestors are more than {ANCESTORS_MAX}")]
    TooManyAncestors {
        /// How many were given.
        ancestors: usize,
    },
    /// Set a lower cap.
    #[error("an edit cap of {edit_cap} is more than {EDIT_CAP_MAX}")]
    EditCapTooHigh {
        /// The cap that was set.
        edit_cap: u8,
    },
    /// Declare a hook instead of wiring the seat.
    #[error("the hook seat is wired and no hook is declared")]
    NoHookToAsk,
    /// Name every hook.
    #[error("hook {index} has no id")]
    EmptyHookId {
        /// Its place in the list, from 0.
        index: usize,
    },
    /// Name every hook differently.
    #[error("hook `{hook}` is declared twice")]
    DoubleHook {
        /// The id.
        hook: Box<str>,
    },
    /// Use a shorter name.
    #[error("{field} has {bytes} bytes, more than {NAME_BYTES_MAX}")]
    NameTooLong {
        /// Which name.
        field: &'static str,
        /// Its length in bytes.
        bytes: usize,
    },
}

impl InputError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::EmptyCallId => "empty_call_id",
            Self::EmptyTool => "empty_tool",
            Self::TooManyHooks { .. } => "too_many_hooks",
            Self::TooManyAncestors { .. } => "too_many_ancestors",
            Self::EditCapTooHigh { .. } => "edit_cap_too_high",
            Self::NoHookToAsk => "no_hook_to_ask",
            Self::EmptyHookId { .. } => "empty_hook_id",
            Self::DoubleHook { .. } => "double_hook",
            Self::NameTooLong { .. } => "name_too_long",
        }
    }
}
