//! Every name under which a call may be meant: a rule that refuses it under any of them holds, and
//! one that allows it under a certain one.

use gatefold::gate::{
    Adjudication, Args, Egress, Facts, GateInputBuilder, JudgeQuestion, Judgement, OrgRuling,
    ParkQuestion, Parking, PolicyRuling, Probe, Reply, RuleRuling, Seats, ShellRead, Subject,
    WriteProtection,
};
use gatefold_policy::{Deciders, FileFacts, McpName, Part, Policy, ProtectedPath, Surroundings};
use std::sync::Arc;

use super::event::Event;
use super::tools;
use crate::hook::disk;
use crate::hook::error::HookError;
use crate::input::ReadError;

/// What the host puts before the name of an MCP tool, and between it and that of its server.
const MCP: &str = "mcp__";
const JOINT: &str = "__";
/// How the server of a plugin begins in a tool's name.
const PLUGIN: &str = "plugin_";

/// The deciders of one call, one for each name under which it may be meant.
#[derive(Debug)]
pub(super) struct Readings {
    first: Deciders,
    others: Vec<Deciders>,
    mcp: Option<McpName>,
}

impl Readings {
    pub(super) fn new(policy: &Arc<Policy>, event: &Event) -> Result<Self, HookError> {
        let args = Args::parse(event.args.get()).map_err(HookError::Args)?;
        let names = mcp_names(event)?;
        let mut files = disk::facts(&event.cwd);
        let mut blind = Self::of(policy, event, &names, &files);
        let all = std::iter::once(&mut blind.first).chain(&mut blind.others);
        let paths = all.flat_map(|deciders| deciders.lookups(&args)).collect();
        files.realpaths = disk::realpaths(&paths);
        Ok(Self::of(policy, event, &names, &files))
    }

    /// The readings by these facts.
    fn of(policy: &Arc<Policy>, event: &Event, names: &[McpName], files: &FileFacts) -> Self {
        let surroundings = Surroundings {
            files: files.clone(),
            ..Surroundings::default()
        };
        let mut names = names.iter().cloned();
        let mcp = names.next();
        let first = Deciders::new(Arc::clone(policy), &event.tool, mcp.clone(), surroundings);
        let names = names.map(|name| first.another(&event.tool, Some(name)));
        let row = tools::find(&event.tool);
        let like = row.and_then(|row| row.rules_of);
        let like = like.map(|tool| first.another(tool, None));
        let others = names.chain(like).collect();
        Self { first, others, mcp }
    }

    /// The server and the tool of an MCP call, as the policy was first asked about them.
    pub(super) fn mcp(&self) -> Option<(&str, &str)> {
        let McpName { server, tool } = self.mcp.as_ref()?;
        Some((server, tool))
    }

    /// The commands of the line in these args, each with what covered it.
    pub(super) fn parts(&self, args: &Args) -> Vec<Part> {
        self.first.parts(args).unwrap_or_default()
    }

    /// What the call would write to that is protected, as anybody takes it.
    pub(super) fn protected(&self, args: &Args) -> Option<ProtectedPath> {
        let mut all = std::iter::once(&self.first).chain(&self.others);
        all.find_map(|deciders| deciders.protected(args))
    }

    /// The rule for the only path of the call, as the tool that the host names takes it.
    pub(super) fn path_rule(&self, args: &Args) -> Option<String> {
        self.first.path_rule(args)
    }

    /// The arg that holds the command line of the call, if anybody takes it for one.
    pub(super) fn line_field(&self) -> Option<&str> {
        let mut all = std::iter::once(&self.first).chain(&self.others);
        all.find_map(Deciders::line_field)
    }

    /// Where the call leads, as the tool that the host names does.
    pub(super) fn host(&self, args: &Args) -> Option<String> {
        self.first.host(args)
    }

    pub(super) fn wire(&self, input: GateInputBuilder) -> GateInputBuilder {
        let input = self.first.wire(input);
        self.others
            .iter()
            .fold(input, |input, other| other.wire(input))
    }

    /// What the readings say together: of each form and member, the strictest.
    fn together<R>(
        &mut self,
        ask: impl Fn(&mut Deciders) -> Reply<Vec<Judgement<R>>>,
        strictness: impl Fn(&R) -> u8,
    ) -> Reply<Vec<Judgement<R>>> {
        let mut judgements = ask(&mut self.first)?;
        for other in &mut self.others {
            for (judgement, other) in judgements.iter_mut().zip(ask(other)?) {
                if strictness(&other.ruling) > strictness(&judgement.ruling) {
                    *judgement = other;
                }
            }
        }
        Ok(judgements)
    }
}

impl Seats for Readings {
    fn describe(&mut self, subject: &Subject) -> Reply<Facts> {
        self.first.describe(subject)
    }

    fn adjudicate(&mut self, question: &JudgeQuestion) -> Reply<Adjudication> {
        let judgements = self.together(
            |deciders| Ok(deciders.adjudicate(question)?.judgements),
            |ruling| match ruling {
                PolicyRuling::Allow { stated: false } => 0,
                PolicyRuling::Allow { stated: true } => 1,
                PolicyRuling::Ask => 2,
                PolicyRuling::Deny => 3,
            },
        )?;
        Ok(Adjudication {
            judgements,
            ..Adjudication::default()
        })
    }

    fn probe(&mut self, subject: &Subject) -> Reply<Probe> {
        self.first.probe(subject)
    }

    /// Outside, if any reading says so.
    fn egress(&mut self, subject: &Subject) -> Reply<Egress> {
        for deciders in std::iter::once(&mut self.first).chain(&mut self.others) {
            let egress = deciders.egress(subject)?;
            if egress != Egress::Inside {
                return Ok(egress);
            }
        }
        Ok(Egress::Inside)
    }

    /// Whoever takes the call for a command line says what it finds in it.
    fn shell_read(&mut self, subject: &Subject) -> Reply<ShellRead> {
        for deciders in std::iter::once(&mut self.first).chain(&mut self.others) {
            let read = deciders.shell_read(subject)?;
            if read != ShellRead::UNWIRED {
                return Ok(read);
            }
        }
        Ok(ShellRead::UNWIRED)
    }

    fn write_judge(&mut self, subject: &Subject) -> Reply<WriteProtection> {
        let mut strictest = self.first.write_judge(subject)?;
        for other in &mut self.others {
            strictest = strictest.max(other.write_judge(subject)?);
        }
        Ok(strictest)
    }

    fn org(&mut self, question: &JudgeQuestion) -> Reply<Vec<Judgement<OrgRuling>>> {
        self.together(
            |deciders| deciders.org(question),
            |ruling| match ruling {
                OrgRuling::None => 0,
                OrgRuling::Ask => 1,
                OrgRuling::Deny => 2,
            },
        )
    }

    fn rules(&mut self, question: &JudgeQuestion) -> Reply<Vec<Judgement<RuleRuling>>> {
        self.together(
            |deciders| deciders.rules(question),
            |ruling| match ruling {
                RuleRuling::None => 0,
                RuleRuling::Allow { .. } => 1,
                RuleRuling::Ask => 2,
                RuleRuling::Deny => 3,
            },
        )
    }

    fn park(&mut self, _: &ParkQuestion) -> Reply<Parking> {
        Ok(Parking::Parked)
    }
}

/// The server and the tool of an MCP call, as the tool's name has them, and as the server calls
/// itself where that differs: the host spells what is no letter, digit, `_` or `-` as `_`, and puts
/// the plugin before the server that it brings.
///
/// Where the two do not fit together, the server's own name stands alone; the policy then finds a
/// deny under either, and no allow.
fn mcp_names(event: &Event) -> Result<Vec<McpName>, HookError> {
    let Some(server) = &event.mcp_server else {
        return Ok(Vec::new());
    };
    if server.is_empty() {
        return Err(ReadError::at("mcp_server.name", "the name is empty").into());
    }
    let named = |server: &str, tool: &str| McpName {
        server: server.into(),
        tool: tool.into(),
    };
    let Some(joined) = event.tool.strip_prefix(MCP) else {
        let what = format!(
            "`{}` is no name of an mcp tool, which begin with `{MCP}`",
            event.tool
        );
        return Err(ReadError::at("tool_name", what).into());
    };
    Ok(match split(joined, server) {
        Some((of_joined, tool)) if of_joined == server => vec![named(server, tool)],
        Some((of_joined, tool)) => vec![named(of_joined, tool), named(server, tool)],
        None => {
            let tool = joined.split_once(JOINT).map_or(joined, |(_, tool)| tool);
            vec![named(server, tool)]
        }
    })
}

/// The server and the tool in a joined name that this server can have.
fn split<'a>(joined: &'a str, server: &str) -> Option<(&'a str, &'a str)> {
    let spelled: String = server
        .chars()
        .map(|char| match char {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => char,
            _ => '_',
        })
        .collect();
    let after = |rest: &'a str| rest.strip_prefix(JOINT).filter(|tool| !tool.is_empty());
    let of_server = joined.strip_prefix(&*spelled).and_then(after);
    let tool = of_server.or_else(|| {
        let plugin = joined.strip_prefix(PLUGIN)?;
        let (_, tool) = plugin.split_once(&format!("_{spelled}{JOINT}"))?;
        (!tool.is_empty()).then_some(tool)
    })?;
    let end = joined
        .len()
        .checked_sub(tool.len())?
        .checked_sub(JOINT.len())?;
    Some((joined.get(..end)?, tool))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_joined_name_is_split_where_its_server_ends() {
        for (joined, server, halves) in [
            ("github__get_issue", "github", Some(("github", "get_issue"))),
            ("a__b__c", "a", Some(("a", "b__c"))),
            ("a__b__c", "a__b", Some(("a__b", "c"))),
            (
                "claude_ai_Notion__search",
                "claude.ai Notion",
                Some(("claude_ai_Notion", "search")),
            ),
            (
                "plugin_Notion_notion__fetch",
                "notion",
                Some(("plugin_Notion_notion", "fetch")),
            ),
            ("github__get_issue", "gitlab", None),
            ("github__", "github", None),
            ("github", "github", None),
            ("x_notion__fetch", "notion", None),
            ("plugin_notion__fetch", "notion", None),
        ] {
            assert_eq!(split(joined, server), halves, "{joined} of {server}");
        }
    }
}
