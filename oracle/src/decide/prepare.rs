//! From a request to a gate input and the host that answers for it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use gatefold::gate::{Args, Call, Digest, GateInput, HookId, Member, Mode, Seat};
use gatefold::limits::NAME_BYTES_MAX;
use gatefold_policy::{
    Deciders, Effect, FileFacts, McpName, ModeInForce, Platform, Policy, RULES_MAX, RuleError,
    Surroundings,
};
use serde::Serialize;

use super::error::DecideError;
use super::host::Host;
use super::request::{ByPath, FactsRequest, HookRequest, McpRequest, Request, RuleRequest};
use super::script::{HookScript, Resolver};
use super::words::Word;
use crate::documents;
use crate::forbidden::{CALL, Forbidden};

/// A pass that can begin.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) input: GateInput,
    pub(super) host: Host,
    /// What of the request counts for nothing.
    pub(super) warnings: Vec<LeftOut>,
    /// Modes in whose place `default` holds.
    pub(super) forbidden_modes: Vec<Forbidden>,
}

/// An allow that cannot be understood: it allows nothing.
#[derive(Debug)]
pub(super) struct LeftOut {
    pub(super) index: usize,
    pub(super) error: RuleError,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { index, error } = self;
        write!(f, "rules[{index}].rule: this allow is left out: {error}")
    }
}

/// Checks everything that the request says, and wires the seats that it gives something to say.
///
/// `trace` keeps what explains the decision; `documents` gives the policy of the documents that the
/// rules of the request stand beside.
pub(super) fn prepare(
    request: Request,
    trace: bool,
    documents: impl FnOnce(Platform) -> Result<Policy, DecideError>,
) -> Result<Prepared, DecideError> {
    check_names(&request)?;
    let mut policy = documents(request.platform.0)?;
    let args = Args::parse(request.call.args.get()).map_err(DecideError::Args)?;
    let call = Call {
        id: request.call.id.as_str().into(),
        tool: request.call.tool.as_str().into(),
        args,
    };
    let mut forbidden_modes = Vec::new();
    let mut mode = |of: String, named: Option<Word<Mode>>| {
        let ModeInForce {
            mode, forbidden, ..
        } = policy.mode_in_force(named.map(|mode| mode.0));
        forbidden_modes.extend(forbidden.map(|forbidden| Forbidden::of(of, &forbidden)));
        mode
    };
    let mut input = GateInput::builder(call)
        .mode(mode(CALL.into(), request.mode))
        .lock(request.lock)
        .denials(request.denials)
        .trace(trace);
    if let Some(agent) = &request.agent {
        input = input.agent(agent);
    }
    for (index, ancestor) in request.ancestors.into_iter().enumerate() {
        input = input.ancestor(Member {
            agent: ancestor.agent.as_deref().map(Into::into),
            mode: mode(format!("ancestors[{index}]"), ancestor.mode),
            lock: ancestor.lock,
        });
    }
    if let Some(facts) = &request.facts {
        input = input.facts(facts_digest(facts)?);
    }
    let mut hooks = Vec::with_capacity(request.hooks.len());
    for HookRequest { id, kind, answer } in &request.hooks {
        input = input.hook(id, kind.0);
        let script = HookScript::read(answer.as_deref()).by(kind.0);
        hooks.push((HookId::from(id.as_str()), script));
    }
    let resolver = request.resolve.as_deref().map(Resolver::read).transpose()?;
    if resolver.is_some() {
        input = input.wire(Seat::Resolve);
    } else if request.interactive {
        // Nobody is here now, but somebody can be asked: the ask is handed back.
        input = input.wire(Seat::Park);
    }
    let warnings = add_rules(&mut policy, &request.rules)?;
    let facts = request.facts.unwrap_or_default();
    let surroundings = Surroundings {
        shell: request.shell,
        known_tools: facts.known_tools.map(|tools| tools.into_iter().collect()),
        files: FileFacts {
            cwd: request.cwd,
            home: request.home,
            roots: Some(request.roots).filter(|roots| !roots.is_empty()),
            realpaths: facts.realpaths.0,
            folds_case: facts.folds_case.0,
            documents: documents::folder(),
        },
    };
    let mcp = request.call.mcp.map(mcp_name).transpose()?;
    let deciders = Deciders::new(Arc::new(policy), &request.call.tool, mcp, surroundings);
    input = deciders.wire(input);
    Ok(Prepared {
        input: input
            .build()
            .map_err(|error| DecideError::Input { error })?,
        host: Host {
            deciders,
            hooks,
            resolver,
            described: None,
        },
        warnings,
        forbidden_modes,
    })
}

/// The engine knows its own names for what is too long or stands twice; here they are told by their
/// places in the request.
fn check_names(request: &Request) -> Result<(), DecideError> {
    let call = &request.call;
    let mut names = vec![
        ("call.id".to_owned(), &call.id),
        ("call.tool".to_owned(), &call.tool),
    ];
    if let Some(McpRequest { server, tool }) = &call.mcp {
        names.push(("call.mcp.server".to_owned(), server));
        names.push(("call.mcp.tool".to_owned(), tool));
    }
    names.extend(
        request
            .agent
            .iter()
            .map(|agent| ("agent".to_owned(), agent)),
    );
    let ancestors = request.ancestors.iter().enumerate();
    names.extend(ancestors.filter_map(|(index, ancestor)| {
        let place = format!("ancestors[{index}].agent");
        Some((place, ancestor.agent.as_ref()?))
    }));
    let mut seen = BTreeMap::new();
    for (index, HookRequest { id, .. }) in request.hooks.iter().enumerate() {
        let place = format!("hooks[{index}].id");
        if let Some(first) = seen.insert(id, index) {
            let what = format!("the hook `{id}` is declared twice, first at hooks[{first}]");
            return Err(DecideError::at(place, what));
        }
        names.push((place, id));
    }
    match names
        .into_iter()
        .find(|(_, name)| name.len() > NAME_BYTES_MAX)
    {
        None => Ok(()),
        Some((place, name)) => {
            let bytes = name.len();
            let what = format!("the name has {bytes} bytes, more than {NAME_BYTES_MAX}");
            Err(DecideError::at(place, what))
        }
    }
}

fn mcp_name(named: McpRequest) -> Result<McpName, DecideError> {
    let McpRequest { server, tool } = named;
    for (place, name) in [("call.mcp.server", &server), ("call.mcp.tool", &tool)] {
        if name.is_empty() {
            return Err(DecideError::at(place, "the name is empty"));
        }
    }
    Ok(McpName { server, tool })
}

/// Adds the rules of the request. A deny or an ask that cannot be understood is bad input; an allow
/// that cannot be is left out and named, since that only narrows.
fn add_rules(policy: &mut Policy, given: &[RuleRequest]) -> Result<Vec<LeftOut>, DecideError> {
    let rules = policy.rules().saturating_add(given.len());
    if rules > RULES_MAX {
        return Err(DecideError::TooManyRules { rules });
    }
    let mut warnings = Vec::new();
    for (index, RuleRequest { effect, rule, from }) in given.iter().enumerate() {
        match (effect.0, policy.add(effect.0, from.0, rule)) {
            (_, Ok(())) => {}
            (Effect::Allow, Err(error)) => {
                warnings.push(LeftOut { index, error });
            }
            (Effect::Ask | Effect::Deny, Err(error)) => {
                return Err(DecideError::Rule { index, error });
            }
        }
    }
    Ok(warnings)
}

/// The digest of the facts as given: keys in order, no blanks.
fn facts_digest(facts: &FactsRequest) -> Result<Digest, DecideError> {
    #[derive(Serialize)]
    struct Canonical<'a> {
        known_tools: &'a Option<Vec<String>>,
        realpaths: &'a ByPath<String>,
        #[serde(skip_serializing_if = "ByPath::is_empty")]
        folds_case: &'a ByPath<bool>,
    }

    let canonical = Canonical {
        known_tools: &facts.known_tools,
        realpaths: &facts.realpaths,
        folds_case: &facts.folds_case,
    };
    digest("facts", &canonical)
}

fn digest(place: &str, value: &impl Serialize) -> Result<Digest, DecideError> {
    let json = serde_json::to_vec(value);
    let json = json.map_err(|error| DecideError::at(place, error.to_string()))?;
    Ok(Digest::of(&json))
}
