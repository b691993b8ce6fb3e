//! From a decided request to the account of it.

use gatefold::gate::{Args, GateResult};
use gatefold_policy::Effect;

use super::error::DecideError;
use super::request::{McpRequest, Request, RuleRequest};
use super::words::Word;
use super::{Passed, pass};
use crate::documents::Documents;
use crate::explain::{self, Account, Again, Brief, LAYER, Untried};
use crate::input;

/// The account of what the request in this text came to.
pub(super) fn explain(
    text: &str,
    documents: &Documents,
    passed: &Passed,
) -> Result<Account, DecideError> {
    let once = Once { text, documents };
    told(text, passed, |told| Account::of(told, &once))
}

/// What the request in this text came to, in short.
pub(super) fn brief(text: &str, passed: &Passed) -> Result<Brief, DecideError> {
    told(text, passed, Brief::of)
}

/// Tells of the request, which is read once more: the pass has used up the first reading.
fn told<T>(
    text: &str,
    passed: &Passed,
    tell: impl FnOnce(&explain::Passed<'_>) -> T,
) -> Result<T, DecideError> {
    let request: Request = input::object(text)?;
    let asked = Args::parse(request.call.args.get()).map_err(DecideError::Args)?;
    let rules: Vec<_> = request
        .rules
        .iter()
        .map(|rule| rule.rule.as_str())
        .collect();
    let mcp = request.call.mcp.as_ref();
    let above = request.ancestors.iter();
    let above = above.map(|ancestor| ancestor.agent.as_deref());
    let agents: Vec<_> = std::iter::once(request.agent.as_deref())
        .chain(above)
        .collect();
    let deciders = &passed.host.deciders;
    let current = passed.host.described.as_ref().unwrap_or(&asked);
    Ok(tell(&explain::Passed {
        tool: &request.call.tool,
        mcp: mcp.map(|McpRequest { server, tool }| (server.as_str(), tool.as_str())),
        agents: &agents,
        current,
        asked: &asked,
        field: deciders.line_field(),
        host: deciders.host(current),
        parts: deciders.parts(current).unwrap_or_default(),
        protected: deciders
            .protected(current)
            .map(|path| path.to_string().into()),
        path_rule: deciders.path_rule(current),
        rules: &rules,
        forbidden_modes: &passed.forbidden_modes,
        result: &passed.result,
    }))
}

/// The request in a text, to be decided once more.
struct Once<'a> {
    text: &'a str,
    documents: &'a Documents,
}

impl Again for Once<'_> {
    fn with(&self, rule: &str) -> Result<GateResult, Untried> {
        let mut request: Request = input::object(self.text).map_err(|_| Untried::Undecided)?;
        let added = request.rules.len();
        request.rules.push(RuleRequest {
            effect: Word(Effect::Allow),
            rule: rule.to_owned(),
            from: Word(LAYER),
        });
        let passed = pass(request, self.documents, true).map_err(|_| Untried::Undecided)?;
        let mut left_out = passed.warnings.into_iter();
        match left_out.find(|left_out| left_out.index == added) {
            Some(left_out) => Err(Untried::NotARule(left_out.error)),
            None => Ok(passed.result),
        }
    }
}
