//! Claude Code's own tools: what each does, as far as its name and its published description tell.
//!
//! Source: `code.claude.com/docs/en/tools-reference`, and older names that hosts in use still
//! have. A tool that is not among them is of kind `other`, and nobody knows whether it only reads:
//! what no rule is about is asked.

use gatefold::gate::{ReadOnly, ToolKind};
use gatefold_policy::{Policy, Tool};

/// One tool of the host.
#[derive(Clone, Copy, Debug)]
pub(super) struct HostTool {
    pub(super) name: &'static str,
    pub(super) kind: ToolKind,
    pub(super) read_only: ReadOnly,
    /// Its own answer comes from a person, so it is never cleared because it only reads.
    pub(super) asks_a_person: bool,
    /// The arg that holds its command line.
    pub(super) field: Option<&'static str>,
    /// The tool whose rules hold for it too.
    pub(super) rules_of: Option<&'static str>,
    pub(super) why: &'static str,
}

/// A tool that does what is told of it, and of which nothing further is said.
const fn tool(name: &'static str, kind: ToolKind, why: &'static str) -> HostTool {
    HostTool {
        name,
        kind,
        read_only: match kind {
            ToolKind::Read => ReadOnly::Yes,
            ToolKind::Edit => ReadOnly::No,
            ToolKind::Shell | ToolKind::Fetch | ToolKind::Mcp | ToolKind::Other => {
                ReadOnly::Unknown
            }
        },
        asks_a_person: false,
        field: match kind {
            ToolKind::Shell => Some("command"),
            ToolKind::Read | ToolKind::Edit | ToolKind::Fetch | ToolKind::Mcp | ToolKind::Other => {
                None
            }
        },
        rules_of: None,
        why,
    }
}

/// A tool that changes nothing but what the host keeps for itself.
const fn own(name: &'static str, why: &'static str) -> HostTool {
    HostTool {
        read_only: ReadOnly::Yes,
        ..tool(name, ToolKind::Other, why)
    }
}

/// A tool that is itself a question to a person.
const fn question(name: &'static str, why: &'static str) -> HostTool {
    HostTool {
        asks_a_person: true,
        ..own(name, why)
    }
}

/// A tool for which the rules of another hold too.
const fn like(rules_of: &'static str, tool: HostTool) -> HostTool {
    HostTool {
        rules_of: Some(rules_of),
        ..tool
    }
}

/// Every tool that is known of the host.
pub(super) const TOOLS: &[HostTool] = &[
    tool("Bash", ToolKind::Shell, "runs a command line"),
    tool("PowerShell", ToolKind::Shell, "runs a command line"),
    like(
        "Bash",
        tool(
            "Monitor",
            ToolKind::Shell,
            "runs a command line in the background; the host judges it by the rules of Bash",
        ),
    ),
    tool("Read", ToolKind::Read, "reads a file"),
    tool("Glob", ToolKind::Read, "finds files by their names"),
    tool("Grep", ToolKind::Read, "searches files"),
    tool("LS", ToolKind::Read, "lists a folder (older hosts)"),
    tool(
        "NotebookRead",
        ToolKind::Read,
        "reads a notebook (older hosts)",
    ),
    tool("Edit", ToolKind::Edit, "changes a file"),
    tool("Write", ToolKind::Edit, "writes a file"),
    tool("MultiEdit", ToolKind::Edit, "changes a file (older hosts)"),
    tool("NotebookEdit", ToolKind::Edit, "changes a notebook"),
    tool("WebFetch", ToolKind::Fetch, "fetches what a URL names"),
    tool("WebSearch", ToolKind::Fetch, "sends a query out"),
    question(
        "AskUserQuestion",
        "asks the person, and waits for the answer",
    ),
    question(
        "ExitPlanMode",
        "asks the person to approve the plan; plan mode is left by it alone",
    ),
    own("EnterPlanMode", "takes on a stricter mode"),
    own("TodoWrite", "changes the session's own list"),
    own("TodoRead", "reads the session's own list (older hosts)"),
    own("TaskCreate", "changes the session's own list"),
    own("TaskGet", "reads the session's own list"),
    own("TaskList", "reads the session's own list"),
    own("TaskUpdate", "changes the session's own list"),
    own("TaskOutput", "reads what a task of the session has printed"),
    own(
        "BashOutput",
        "reads what a command of the session has printed (older hosts)",
    ),
    own("CronList", "lists the session's own schedule"),
    own("ListAgents", "lists whom a message could be sent to"),
    own("ListMcpResourcesTool", "lists what connected servers offer"),
    own(
        "ToolSearch",
        "finds tools and makes them known; their calls are judged",
    ),
    own("WaitForMcpServers", "waits for servers that are connecting"),
    own("ReportFindings", "shows findings to the person"),
    like(
        "Task",
        tool(
            "Agent",
            ToolKind::Other,
            "starts an agent; the tool was named Task before",
        ),
    ),
    like(
        "Agent",
        tool("Task", ToolKind::Other, "starts an agent (older hosts)"),
    ),
    tool(
        "Workflow",
        ToolKind::Other,
        "runs a script that starts agents",
    ),
    tool(
        "Skill",
        ToolKind::Other,
        "follows instructions that others wrote",
    ),
    tool(
        "SlashCommand",
        ToolKind::Other,
        "follows instructions that others wrote (older hosts)",
    ),
    tool(
        "SubagentHandback",
        ToolKind::Other,
        "hands an agent's report over to another",
    ),
    tool(
        "SendMessage",
        ToolKind::Other,
        "steers another agent, on this machine or beyond it",
    ),
    tool(
        "SendUserFile",
        ToolKind::Other,
        "sends files off this machine",
    ),
    tool(
        "SendFeedback",
        ToolKind::Other,
        "drafts a report that may leave this machine",
    ),
    tool(
        "PushNotification",
        ToolKind::Other,
        "sends a text off this machine",
    ),
    tool("Artifact", ToolKind::Other, "publishes a page"),
    tool("ShareOnboardingGuide", ToolKind::Other, "publishes a file"),
    tool(
        "RemoteTrigger",
        ToolKind::Other,
        "changes what runs on other machines",
    ),
    tool("CronCreate", ToolKind::Other, "has a prompt run later"),
    tool(
        "CronDelete",
        ToolKind::Other,
        "takes a scheduled prompt away",
    ),
    tool(
        "ScheduleWakeup",
        ToolKind::Other,
        "has the session go on later",
    ),
    tool("EndConversation", ToolKind::Other, "ends the session"),
    tool("TaskStop", ToolKind::Other, "stops a running task"),
    tool(
        "KillShell",
        ToolKind::Other,
        "stops a running command (older hosts)",
    ),
    tool(
        "KillBash",
        ToolKind::Other,
        "stops a running command (older hosts)",
    ),
    tool(
        "EnterWorktree",
        ToolKind::Other,
        "makes a worktree and moves into it",
    ),
    tool(
        "ExitWorktree",
        ToolKind::Other,
        "leaves a worktree, and may remove it",
    ),
    tool(
        "LSP",
        ToolKind::Other,
        "has a language server look at files, wherever they are",
    ),
    tool(
        "ReadMcpResourceTool",
        ToolKind::Other,
        "has a server give what it names",
    ),
];

/// What is known of a tool of this name.
pub(super) fn find(name: &str) -> Option<&'static HostTool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

/// Tells a policy of the tools. What a document says of one stands.
pub(super) fn declare_all(policy: &mut Policy) {
    declare(policy, TOOLS);
}

/// Tells a policy of those under which a call of this tool is judged, and of no other: nobody asks it
/// about them.
pub(super) fn declare_for(policy: &mut Policy, tool: &str) {
    let row = find(tool);
    let like = row.and_then(|row| find(row.rules_of?));
    declare(policy, row.into_iter().chain(like));
}

fn declare<'r>(policy: &mut Policy, rows: impl IntoIterator<Item = &'r HostTool>) {
    for row in rows {
        let tool = Tool {
            kind: row.kind,
            read_only: row.read_only,
            asks_a_person: row.asks_a_person,
            field: row.field.map(str::to_owned),
        };
        policy.declare(row.name, tool);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Tools of other hosts.
    const NOT_HERE: [&str; 4] = [
        "apply_patch",
        "exit_plan_mode",
        "run_shell_command",
        "write_stdin",
    ];

    #[test]
    fn the_table_and_the_policy_know_the_same_tools() {
        let known: BTreeSet<_> = Tool::known().map(|(name, _)| name).collect();
        let here: BTreeSet<_> = TOOLS.iter().map(|row| row.name).collect();
        assert_eq!(here.len(), TOOLS.len(), "a tool stands twice");
        let missing: Vec<_> = known.difference(&here).copied().collect();
        assert_eq!(missing, NOT_HERE);
        assert_eq!(here.difference(&known).count(), 0);
    }

    #[test]
    fn where_a_name_tells_the_kind_the_table_says_no_other() {
        for (name, kind) in Tool::known() {
            let (Some(row), Some(kind)) = (find(name), kind) else {
                continue;
            };
            assert_eq!(row.kind, kind, "{name}");
            assert_eq!(row.read_only, Tool::of(kind).read_only, "{name}");
        }
    }

    #[test]
    fn every_row_says_why_and_leans_on_a_row() {
        for row in TOOLS {
            assert!(!row.why.is_empty(), "{}", row.name);
            assert_eq!(
                row.field.is_some(),
                row.kind == ToolKind::Shell,
                "{}",
                row.name
            );
            if let Some(other) = row.rules_of {
                assert_eq!(
                    find(other).map(|row| row.kind),
                    Some(row.kind),
                    "{}",
                    row.name
                );
            }
        }
    }
}
