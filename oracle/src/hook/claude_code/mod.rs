//! `gatefold hook claude-code`: a `PreToolUse` event in, that host's answer out.

mod answer;
mod event;
mod readings;
mod tools;

use std::sync::Arc;

use gatefold::gate::{Args, Call, GateInput, GateResult, Member, Mode, Seat, begin, drive};
use gatefold_policy::{Effect, ForbiddenMode, ModeInForce, Policy};

use super::error::HookError;
use super::policies::From;
use crate::explain::{self, Account, Again, LAYER, Untried};
use crate::forbidden::{CALL, Forbidden};
use event::{Agent, Event};
use readings::Readings;

pub(in crate::hook) use answer::failed;

/// The name under which documents give rules to the main session, if it has no other.
const MAIN: &str = "main";

/// What an event was answered with.
pub(super) struct Answered {
    /// The host's own object, with its line end.
    pub(super) line: String,
    /// How it came about, in words, if that was asked for.
    pub(super) account: Option<String>,
    /// What was judged by.
    pub(super) policy: Arc<Policy>,
}

/// The answer to an event, judged by the policy that `load` gives. If an image turns out not to
/// count, it is judged once more, by the documents.
pub(super) fn answer(
    text: &str,
    load: impl Fn(From) -> Result<Policy, HookError>,
    explain: bool,
) -> Result<Answered, HookError> {
    let event = event::read(text)?;
    let policy = |from, tool: &str| {
        let mut policy = load(from)?;
        if explain {
            // What would cover the call is tried as rules, which may be about other tools.
            tools::declare_all(&mut policy);
        } else {
            tools::declare_for(&mut policy, tool);
        }
        Ok::<_, HookError>(Arc::new(policy))
    };
    let mut once = Once {
        policy: policy(From::Image, &event.tool)?,
        event,
        explain,
    };
    let mut passed = once.pass(&once.policy)?;
    if once.policy.is_in_doubt() {
        once.policy = policy(From::Documents, &once.event.tool)?;
        passed = once.pass(&once.policy)?;
    }
    let account = explain.then(|| once.account(&passed)).transpose()?;
    let args = Args::parse(once.event.args.get()).map_err(HookError::Args)?;
    let protected = passed.readings.protected(&args);
    let forbidden = passed.forbidden_mode.as_ref();
    let line = answer::of(&passed.result, forbidden, protected.as_ref())?;
    Ok(Answered {
        line,
        account,
        policy: once.policy,
    })
}

/// A call that was judged.
struct Passed {
    readings: Readings,
    result: GateResult,
    /// The mode that was named, if it is forbidden.
    forbidden_mode: Option<ForbiddenMode>,
}

/// An event and the policy that it is judged by.
struct Once {
    event: Event,
    policy: Arc<Policy>,
    /// An account is wanted, which is printed from the trace.
    explain: bool,
}

impl Once {
    fn pass(&self, policy: &Arc<Policy>) -> Result<Passed, HookError> {
        let ModeInForce {
            mode, forbidden, ..
        } = policy.mode_in_force(self.event.mode);
        let mut readings = Readings::new(policy, &self.event)?;
        let input = self.input(mode, &readings)?;
        let result = drive(begin(input), &mut readings).map_err(HookError::Defect)?;
        Ok(Passed {
            readings,
            result: *result,
            forbidden_mode: forbidden,
        })
    }

    fn input(&self, mode: Mode, readings: &Readings) -> Result<GateInput, HookError> {
        let event = &self.event;
        let call = Call {
            id: event.call_id.as_str().into(),
            tool: event.tool.as_str().into(),
            args: Args::parse(event.args.get()).map_err(HookError::Args)?,
        };
        let mut input = GateInput::builder(call)
            .mode(mode)
            .trace(self.explain)
            .wire(Seat::Park);
        input = match &event.agent {
            Agent::Main(name) => input.agent(name.as_deref().unwrap_or(MAIN)),
            // The event names no agents in between, and one mode for all.
            Agent::Below(name) => input.agent(name).ancestor(Member {
                agent: Some(MAIN.into()),
                mode,
                lock: false,
            }),
        };
        readings.wire(input).build().map_err(HookError::Input)
    }

    fn account(&self, passed: &Passed) -> Result<String, HookError> {
        let args = Args::parse(self.event.args.get()).map_err(HookError::Args)?;
        let agents = match &self.event.agent {
            Agent::Main(name) => vec![Some(name.as_deref().unwrap_or(MAIN))],
            Agent::Below(name) => vec![Some(name.as_str()), Some(MAIN)],
        };
        let forbidden = passed.forbidden_mode.iter();
        let forbidden: Vec<_> = forbidden
            .map(|forbidden| Forbidden::of(CALL.into(), forbidden))
            .collect();
        let told = explain::Passed {
            tool: &self.event.tool,
            agents: &agents,
            mcp: passed.readings.mcp(),
            asked: &args,
            current: &args,
            field: passed.readings.line_field(),
            host: passed.readings.host(&args),
            parts: passed.readings.parts(&args),
            protected: passed
                .readings
                .protected(&args)
                .map(|path| path.to_string().into()),
            path_rule: passed.readings.path_rule(&args),
            rules: &[],
            forbidden_modes: &forbidden,
            result: &passed.result,
        };
        Ok(Account::of(&told, self).text())
    }
}

impl Again for Once {
    fn with(&self, rule: &str) -> Result<GateResult, Untried> {
        let mut policy = Policy::clone(&self.policy);
        policy
            .add(Effect::Allow, LAYER, rule)
            .map_err(Untried::NotARule)?;
        let passed = self
            .pass(&Arc::new(policy))
            .map_err(|_| Untried::Undecided)?;
        Ok(passed.result)
    }
}
