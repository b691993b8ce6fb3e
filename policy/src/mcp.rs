//! MCP names: a server and a tool, compared separately and raw.
//!
//! A joined name `mcp__server__tool` may split in more than one place, because servers and tools
//! may hold `__` themselves. Whoever refuses looks at every split; whoever allows, only at a name
//! that splits once.

use super::rules::{Effect, RuleError};

pub(crate) const PREFIX: &str = "mcp__";
const JOINT: &str = "__";
/// What people write for the joint.
const MARKS: [char; 5] = ['_', '-', ':', '.', '/'];
const ANY_TOOL: &str = "__*";

/// The server and the tool, as the host knows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct McpName {
    /// The server.
    pub server: String,
    /// The tool, as the server names it.
    pub tool: String,
}

/// The names of one call.
#[derive(Clone, Debug)]
pub(crate) struct CallName {
    pub(crate) tool: String,
    pub(crate) mcp: Option<McpName>,
}

/// A rule about MCP tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct McpPattern {
    /// What stands after `mcp__`.
    rest: String,
}

impl McpPattern {
    /// Reads what stands after `mcp__` in a rule.
    pub(crate) fn parse(rest: &str, effect: Effect) -> Result<Self, RuleError> {
        let any_tool = rest.strip_suffix(ANY_TOOL);
        if any_tool.unwrap_or(rest).contains('*') {
            let nearest = Self::nearest(rest);
            return Err(RuleError::StarInName { nearest });
        }
        let names_somebody = match any_tool {
            Some(server) => !server.is_empty(),
            None => !rest.is_empty() && (joints(rest) == 0 || splits(rest).next().is_some()),
        };
        if !names_somebody {
            return Err(RuleError::NoServer {
                nearest: format!("{PREFIX}{}", or_server(rest.trim_matches(['_', '*']))),
            });
        }
        match effect {
            Effect::Allow if joints(rest) > 1 => Err(RuleError::AmbiguousAllow),
            Effect::Allow | Effect::Ask | Effect::Deny => Ok(Self { rest: rest.into() }),
        }
    }

    /// What stands after `mcp__`.
    pub(crate) fn rest(&self) -> &str {
        &self.rest
    }

    /// The nearest pattern that is understood, to what stands after `mcp__`.
    pub(crate) fn nearest(rest: &str) -> String {
        let has_star = rest.strip_suffix(ANY_TOOL).unwrap_or(rest).contains('*');
        if !has_star && Self::parse(rest, Effect::Allow).is_ok() {
            return format!("{PREFIX}{rest}");
        }
        let head = rest.split('*').next().unwrap_or_default();
        let server = head.trim_matches('_').split(JOINT).next();
        format!("{PREFIX}{}", or_server(server.unwrap_or_default()))
    }

    /// Whether a deny or ask of this pattern covers the call, in any reading of either.
    pub(crate) fn may_cover(&self, call: &CallName) -> bool {
        let server = self.rest.strip_suffix(ANY_TOOL);
        let joined = call.tool.strip_prefix(PREFIX);
        let named = call.mcp.as_ref();
        let is_of = |server: &str| {
            let by_joined = joined.is_some_and(|joined| {
                joined == server || joined.strip_prefix(server).is_some_and(is_tool)
            });
            by_joined || named.is_some_and(|named| named.server == server)
        };
        match server {
            Some(server) => is_of(server),
            // Every split of the rule joins to its own text again, and so does every split of the
            // call: if one split of each is equal, the joined texts are.
            None => {
                is_of(&self.rest)
                    || joined == Some(&self.rest)
                    || named.is_some_and(|named| is_joined(&self.rest, named))
            }
        }
    }

    /// Whether an allow of this pattern covers the call: both names certain, and the same.
    pub(crate) fn surely_covers(&self, call: &CallName) -> bool {
        let Some((server, tool)) = certain(call) else {
            return false;
        };
        match self.rest.split_once(JOINT) {
            None => self.rest == server,
            Some((of, "*")) => of == server,
            Some((of, named)) => of == server && named == tool,
        }
    }
}

/// Whether a name looks like one of an MCP tool and is none: `MCP__a`, `mcp_a`, `mcp:a`.
pub(crate) fn is_nearly(name: &str) -> bool {
    let (Some(head), Some(rest)) = (name.get(..3), name.get(3..)) else {
        return false;
    };
    let is_parted = rest.is_empty() || rest.starts_with(MARKS) || rest.starts_with('*');
    head.eq_ignore_ascii_case("mcp") && is_parted && !name.starts_with(PREFIX)
}

/// The nearest rule to a name that is nearly one of an MCP tool.
pub(crate) fn nearest(name: &str) -> String {
    let rest = name.get(3..).unwrap_or_default().trim_start_matches(MARKS);
    McpPattern::nearest(rest.split(['/', ':']).next().unwrap_or_default())
}

/// What may stand after `mcp__` in the rules that bear on a call, alone or before `__*`.
pub(crate) fn servers(call: &CallName) -> impl Iterator<Item = &str> {
    let joined = call.tool.strip_prefix(PREFIX);
    let heads = joined.into_iter().flat_map(|joined| {
        let ends = 1..joined.len();
        let is_joint = |end: &usize| {
            joined
                .get(*end..)
                .is_some_and(|rest| rest.starts_with(JOINT))
        };
        ends.filter(is_joint).filter_map(|end| joined.get(..end))
    });
    let named = call.mcp.as_ref().map(|named| named.server.as_str());
    heads.chain(joined).chain(named)
}

/// The names of a call's server and tool joined, if its own name does not say the same.
pub(crate) fn joined(call: &CallName) -> Option<String> {
    let named = call.mcp.as_ref()?;
    let says_it = call
        .tool
        .strip_prefix(PREFIX)
        .is_some_and(|joined| is_joined(joined, named));
    let McpName { server, tool } = named;
    (!says_it).then(|| format!("{server}{JOINT}{tool}"))
}

/// What stands before `__*` in what stands after `mcp__`.
pub(crate) fn any_tool_of(rest: &str) -> Option<&str> {
    rest.strip_suffix(ANY_TOOL)
}

fn or_server(name: &str) -> &str {
    if name.is_empty() { "server" } else { name }
}

/// What follows a server's name when a tool's name does: the joint, and something after it.
fn is_tool(after: &str) -> bool {
    after
        .strip_prefix(JOINT)
        .is_some_and(|tool| !tool.is_empty())
}

fn is_joined(joined: &str, named: &McpName) -> bool {
    let tool = joined
        .strip_prefix(named.server.as_str())
        .and_then(|after| after.strip_prefix(JOINT));
    tool == Some(&named.tool)
}

/// How often `__` stands in a text; `___` holds it twice.
fn joints(text: &str) -> usize {
    text.as_bytes()
        .windows(2)
        .filter(|pair| *pair == b"__")
        .count()
}

/// Every split into two names.
fn splits(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let places = 1..text.len();
    places.filter_map(|at| {
        let (server, after) = text.split_at_checked(at)?;
        let tool = after.strip_prefix(JOINT)?;
        (!tool.is_empty()).then_some((server, tool))
    })
}

/// Server and tool, if the call leaves no doubt about them. What the host names and what the
/// joined name says must agree.
fn certain(call: &CallName) -> Option<(&str, &str)> {
    let joined = call.tool.strip_prefix(PREFIX);
    match (&call.mcp, joined) {
        (Some(named), Some(joined)) if !is_joined(joined, named) => None,
        (Some(named), _) => Some((&named.server, &named.tool)),
        (None, Some(joined)) if joints(joined) == 1 => splits(joined).next(),
        (None, Some(_) | None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(tool: &str, mcp: Option<(&str, &str)>) -> CallName {
        CallName {
            tool: tool.into(),
            mcp: mcp.map(|(server, tool)| McpName {
                server: server.into(),
                tool: tool.into(),
            }),
        }
    }

    #[test]
    fn refusing_looks_at_every_split_and_allowing_at_a_certain_one() {
        // rule, tool, mcp, denied, allowed (none: the allow itself is refused)
        for (rule, tool, mcp, denies, allows) in [
            ("a", "mcp__a__b", None, true, Some(true)),
            ("a__*", "mcp__a__b", None, true, Some(true)),
            ("a__b", "mcp__a__b", None, true, Some(true)),
            ("a__b", "mcp__a__c", None, false, Some(false)),
            ("a__b", "mcp__A__b", None, false, Some(false)),
            ("a", "mcp__ab__c", None, false, Some(false)),
            ("a", "mcp__a", None, true, Some(false)),
            ("a", "a__b", None, false, Some(false)),
            // More than one split of the call.
            ("a", "mcp__a__b__c", None, true, Some(false)),
            ("a__b", "mcp__a__b__c", None, true, Some(false)),
            ("a__b__c", "mcp__a__b__c", None, true, None),
            ("a", "mcp__a___b", None, true, Some(false)),
            ("a_", "mcp__a___b", None, true, Some(false)),
            ("a___b", "mcp__a___b", None, true, None),
            ("a___*", "mcp__a___b", None, true, None),
            // The host names them.
            ("a", "run", Some(("a", "b")), true, Some(true)),
            ("a__b", "run", Some(("a", "b")), true, Some(true)),
            ("a__b", "run", Some(("a", "c")), false, Some(false)),
            ("a__b", "run", Some(("a__b", "c")), true, Some(false)),
            ("a__b__c", "run", Some(("a__b", "c")), true, None),
            ("a__b__c", "run", Some(("a", "b__c")), true, None),
            ("a", "mcp__a__b__c", Some(("a", "b__c")), true, Some(true)),
            // The host and the joined name disagree.
            ("a__b", "mcp__a__b", Some(("x", "y")), true, Some(false)),
            ("x__y", "mcp__a__b", Some(("x", "y")), true, Some(false)),
        ] {
            let call = call(tool, mcp);
            let deny = McpPattern::parse(rule, Effect::Deny).expect("a deny is read");
            assert_eq!(deny.may_cover(&call), denies, "deny {rule} of {call:?}");
            let allow = McpPattern::parse(rule, Effect::Allow).ok();
            let allowed = allow.map(|allow| allow.surely_covers(&call));
            assert_eq!(allowed, allows, "allow {rule} of {call:?}");
        }
    }

    #[test]
    fn a_rule_that_names_no_server_or_holds_a_star_is_refused() {
        for (rest, nearest) in [
            ("", "mcp__server"),
            ("*", "mcp__server"),
            ("__*", "mcp__server"),
            ("__", "mcp__server"),
            ("a__", "mcp__a"),
            ("__a", "mcp__a"),
            ("a__get*", "mcp__a"),
            ("a*", "mcp__a"),
        ] {
            let error = McpPattern::parse(rest, Effect::Deny).expect_err(rest);
            assert!(
                error.to_string().ends_with(&format!("`{nearest}`")),
                "{rest}: {error}"
            );
        }
    }
}
