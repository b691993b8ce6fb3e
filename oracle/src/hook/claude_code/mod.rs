//! `gatefold hook claude-code`: a `PreToolUse` event in, that host's answer out.

mod answer;
mod event;
mod readings;
mod tools;

use std::sync::Arc;

use gatefold::gate::{Args, Call, GateInput, Member, Mode, Seat, begin, drive};
use gatefold_policy::Policy;

use super::error::HookError;
use event::{Agent, Event};
use readings::Readings;

pub(in crate::hook) use answer::failed;

/// The name under which documents give rules to the main session, if it has no other.
const MAIN: &str = "main";

/// The answer to an event, judged by the policy that `load` gives.
pub(super) fn answer(
    text: &str,
    load: impl FnOnce() -> Result<Policy, HookError>,
) -> Result<String, HookError> {
    let event = event::read(text)?;
    let mut policy = load()?;
    tools::declare(&mut policy);
    let mode = event.mode.or(policy.mode()).unwrap_or(Mode::Default);
    let mut readings = Readings::new(&Arc::new(policy), &event)?;
    let input = input(&event, mode, &readings)?;
    let result = drive(begin(input), &mut readings).map_err(HookError::Defect)?;
    answer::of(&result)
}

fn input(event: &Event, mode: Mode, readings: &Readings) -> Result<GateInput, HookError> {
    let call = Call {
        id: event.call_id.as_str().into(),
        tool: event.tool.as_str().into(),
        args: Args::parse(event.args.get()).map_err(HookError::Args)?,
    };
    let mut input = GateInput::builder(call).mode(mode).wire(Seat::Park);
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
