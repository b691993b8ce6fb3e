//! Tools: what kind of thing a tool does, judged by its name or as declared, and where it runs.

use std::borrow::Cow;
use std::collections::BTreeMap;

use gatefold::gate::{Facts, ReadOnly, ToolKind};

use super::mcp::{self, CallName};
use super::shell::Access;

/// Tools that run a command line, in any spelling of case: too many is the careful side.
const SHELLS: [&str; 7] = ["bash", "sh", "zsh", "shell", "powershell", "pwsh", "cmd"];
/// Those of them whose line is never in a POSIX shell's language.
const OTHER_SHELLS: [&str; 3] = ["powershell", "pwsh", "cmd"];
/// Tools that read and do nothing else, exactly as written: too many would be the careless side.
const READERS: [&str; 5] = ["Read", "Glob", "Grep", "LS", "NotebookRead"];
const EDITORS: [&str; 4] = ["Edit", "Write", "MultiEdit", "NotebookEdit"];
const FETCHERS: [&str; 2] = ["WebFetch", "WebSearch"];
/// Other tools of the hosts that are known; what they do is not known by their names.
const OTHERS: [&str; 46] = [
    "Agent",
    "Artifact",
    "AskUserQuestion",
    "BashOutput",
    "CronCreate",
    "CronDelete",
    "CronList",
    "EndConversation",
    "EnterPlanMode",
    "EnterWorktree",
    "ExitPlanMode",
    "ExitWorktree",
    "KillBash",
    "KillShell",
    "LSP",
    "ListAgents",
    "ListMcpResourcesTool",
    "Monitor",
    "PushNotification",
    "ReadMcpResourceTool",
    "RemoteTrigger",
    "ReportFindings",
    "ScheduleWakeup",
    "SendFeedback",
    "SendMessage",
    "SendUserFile",
    "ShareOnboardingGuide",
    "Skill",
    "SlashCommand",
    "SubagentHandback",
    "Task",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "TaskUpdate",
    "TodoRead",
    "TodoWrite",
    "ToolSearch",
    "WaitForMcpServers",
    "Workflow",
    "apply_patch",
    "exit_plan_mode",
    "run_shell_command",
    "write_stdin",
];

/// Names of tools that rules are most often about.
const KNOWN: [&[&str]; 5] = [
    &["Bash", "PowerShell"],
    &READERS,
    &EDITORS,
    &FETCHERS,
    &OTHERS,
];

/// What a tool may do, by the words of a document.
pub(crate) const KINDS: [(&str, ToolKind); 6] = [
    ("shell", ToolKind::Shell),
    ("read", ToolKind::Read),
    ("edit", ToolKind::Edit),
    ("fetch", ToolKind::Fetch),
    ("mcp", ToolKind::Mcp),
    ("other", ToolKind::Other),
];

/// The arg that holds a shell tool's line, unless it is declared otherwise.
const LINE_FIELD: &str = "command";
/// The arg that holds a fetch tool's URL, unless it is declared otherwise.
const URL_FIELD: &str = "url";
/// Tools of kind fetch that are given no URL.
const WITHOUT_URL: [&str; 1] = ["WebSearch"];

/// What Windows takes off a program's name, or adds to it: a dot at the end is not looked at.
const EXTENSIONS: [&str; 5] = [".exe", ".com", ".bat", ".cmd", "."];

/// The system that a call runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// Linux and its like.
    Linux,
    /// `macOS`.
    MacOs,
    /// Windows.
    Windows,
}

impl Platform {
    /// The words there are, for a sentence.
    pub const WORDS: &'static str = "linux, macos or windows";

    /// Every system under every word that is read for it; `darwin` and `win32` are synonyms.
    pub const SPELLINGS: &'static [(&'static str, Self)] = &[
        ("linux", Self::Linux),
        ("macos", Self::MacOs),
        ("darwin", Self::MacOs),
        ("windows", Self::Windows),
        ("win32", Self::Windows),
    ];

    /// The system of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        let mut spellings = Self::SPELLINGS.iter();
        spellings.find_map(|(spelling, platform)| (*spelling == word).then_some(*platform))
    }

    /// Its word.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Linux => "linux",
            Self::MacOs => "macos",
            Self::Windows => "windows",
        }
    }

    /// The name under which this system would find a program, for deny and ask: without its
    /// folder, and folded.
    pub(crate) fn program(self, word: &str) -> Cow<'_, str> {
        // A drive may stand in front without a slash.
        let has_drives = self == Self::Windows;
        let ends_folder = |byte: &u8| *byte == b'/' || (has_drives && *byte == b':');
        let end = word.as_bytes().iter().rposition(ends_folder);
        let base = end.and_then(|end| word.get(end.saturating_add(1)..));
        self.fold(base.unwrap_or(word))
    }

    /// A name without what the system does not look at: case where the volume most often folds
    /// it, and extensions where it adds them.
    pub(crate) fn fold(self, name: &str) -> Cow<'_, str> {
        match self {
            Self::Linux => name.into(),
            Self::MacOs => name.to_ascii_lowercase().into(),
            Self::Windows => {
                let folded = name.to_ascii_lowercase();
                let mut stem = folded.as_str();
                loop {
                    let bare = EXTENSIONS.iter().find_map(|end| stem.strip_suffix(end));
                    match bare {
                        Some(bare) if !bare.is_empty() => stem = bare,
                        Some(_) | None => return stem.to_owned().into(),
                    }
                }
            }
        }
    }
}

/// What a host or a document says of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// What kind of thing it does.
    pub kind: ToolKind,
    /// Whether it changes nothing.
    pub read_only: ReadOnly,
    /// It is itself a question to a person: that it only reads must not answer for them.
    pub asks_a_person: bool,
    /// The arg that holds the command line of a shell tool (none: `command`), the URL of a fetch tool
    /// (none: `url`), or the path of a tool that reads or edits (none: those that mostly hold one).
    pub field: Option<String>,
}

impl Tool {
    /// A tool of this kind; one that reads changes nothing, of any other that is not said.
    pub const fn of(kind: ToolKind) -> Self {
        Self {
            kind,
            read_only: match kind {
                ToolKind::Read => ReadOnly::Yes,
                ToolKind::Edit => ReadOnly::No,
                ToolKind::Shell | ToolKind::Fetch | ToolKind::Mcp | ToolKind::Other => {
                    ReadOnly::Unknown
                }
            },
            asks_a_person: false,
            field: None,
        }
    }

    /// The tools of the hosts that are known, each with the kind that its name alone tells.
    pub fn known() -> impl Iterator<Item = (&'static str, Option<ToolKind>)> {
        let known = KNOWN.into_iter().flatten().copied();
        known.map(|name| (name, kind_of_name(name)))
    }
}

/// The tools that are declared, beside those known by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tools(BTreeMap<String, Tool>);

impl Tools {
    /// Declares a tool. What a name alone tells of the kind cannot be taken back: such a
    /// declaration is refused with that kind.
    ///
    /// # Errors
    /// The kind that the name tells.
    pub(crate) fn declare(&mut self, name: &str, tool: Tool) -> Result<(), ToolKind> {
        match kind_of_name(name) {
            Some(kind) if kind != tool.kind => Err(kind),
            Some(_) | None => {
                self.0.insert(name.into(), tool);
                Ok(())
            }
        }
    }

    /// Every tool that is declared.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Tool)> {
        self.0.iter().map(|(name, tool)| (name.as_str(), tool))
    }

    /// What is declared of a tool.
    pub(crate) fn get(&self, name: &str) -> Option<&Tool> {
        self.0.get(name)
    }

    /// Whether a tool of this name runs a command line.
    pub(crate) fn is_shell(&self, name: &str) -> bool {
        is_shell(name)
            || self
                .get(name)
                .is_some_and(|tool| tool.kind == ToolKind::Shell)
    }

    /// The arg that holds the command line of this shell tool.
    pub(crate) fn line_field(&self, name: &str) -> &str {
        let declared = self.get(name).and_then(|tool| tool.field.as_deref());
        declared.unwrap_or(LINE_FIELD)
    }

    /// The arg that holds the URL of this fetch tool, if it is given one.
    pub(crate) fn url_field(&self, name: &str) -> Option<&str> {
        let declared = self.get(name).and_then(|tool| tool.field.as_deref());
        declared.or_else(|| (!WITHOUT_URL.contains(&name)).then_some(URL_FIELD))
    }

    /// What a tool of this name does.
    pub(crate) fn kind(&self, name: &str) -> ToolKind {
        let declared = self.get(name).map(|tool| tool.kind);
        let named = || kind_of_name(name).unwrap_or(ToolKind::Other);
        declared.unwrap_or_else(named)
    }

    /// The arg that is declared to hold the path of this tool.
    pub(crate) fn path_field(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(|tool| tool.field.as_deref())
    }

    /// What a tool of this name does to files, if that is what it is for.
    pub(crate) fn access(&self, name: &str) -> Option<Access> {
        let declared = self.get(name).map(|tool| tool.kind);
        match kind_of_name(name).or(declared)? {
            ToolKind::Read => Some(Access::Read),
            ToolKind::Edit => Some(Access::Write),
            ToolKind::Shell | ToolKind::Fetch | ToolKind::Mcp | ToolKind::Other => None,
        }
    }

    /// What a call does, as far as it is declared or its names tell. A server may call its tool
    /// `Read`: that it is an MCP tool comes first.
    pub(crate) fn facts(&self, call: &CallName) -> Facts {
        let CallName { tool, mcp } = call;
        let (kind, read_only) = if mcp.is_some() || tool.starts_with(mcp::PREFIX) {
            (ToolKind::Mcp, ReadOnly::Unknown)
        } else if let Some(Tool {
            kind, read_only, ..
        }) = self.get(tool)
        {
            (*kind, *read_only)
        } else {
            let kind = kind_of_name(tool).unwrap_or(ToolKind::Other);
            (kind, Tool::of(kind).read_only)
        };
        Facts {
            kind,
            read_only,
            ..Facts::UNKNOWN
        }
    }

    /// The names of tools that rules are most often about, declared or of a known host.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let known = KNOWN.into_iter().flatten().copied();
        self.0.keys().map(String::as_str).chain(known)
    }

    /// Whether some host is known to have a tool of this name, or it is declared.
    pub(crate) fn knows(&self, name: &str) -> bool {
        is_shell(name) || self.names().any(|known| known == name)
    }
}

/// The kind that a name alone tells.
pub(crate) fn kind_of_name(name: &str) -> Option<ToolKind> {
    if name.starts_with(mcp::PREFIX) {
        Some(ToolKind::Mcp)
    } else if is_shell(name) {
        Some(ToolKind::Shell)
    } else if READERS.contains(&name) {
        Some(ToolKind::Read)
    } else if EDITORS.contains(&name) {
        Some(ToolKind::Edit)
    } else if FETCHERS.contains(&name) {
        Some(ToolKind::Fetch)
    } else {
        None
    }
}

/// The word of a kind.
pub(crate) fn kind_word(kind: ToolKind) -> &'static str {
    let row = KINDS.iter().find(|(_, of)| *of == kind);
    row.map_or("other", |(word, _)| word)
}

/// Whether a tool of this name runs a command line, whatever is declared.
pub(crate) fn is_shell(tool: &str) -> bool {
    is_among(tool, &SHELLS)
}

/// Whether its line is in a language that nobody here reads.
pub(crate) fn is_other_shell(tool: &str) -> bool {
    is_among(tool, &OTHER_SHELLS)
}

/// Whether a rule about this tool is about a call of that one. Whoever refuses a shell means it in
/// any case, since hosts differ in how they spell it; every other name is compared raw.
pub(crate) fn is_named(rule: &str, tool: &str, refuses: bool) -> bool {
    rule == tool || (refuses && is_shell(tool) && rule.eq_ignore_ascii_case(tool))
}

/// What names that [`is_named`] takes for the same have in common.
pub(crate) fn key(tool: &str) -> String {
    if is_shell(tool) {
        tool.to_ascii_lowercase()
    } else {
        tool.to_owned()
    }
}

fn is_among(tool: &str, names: &[&str]) -> bool {
    names.iter().any(|name| tool.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::McpName;

    #[test]
    fn the_kind_follows_the_name() {
        let named = McpName {
            server: "files".into(),
            tool: "Read".into(),
        };
        for (tool, mcp, kind, read_only) in [
            ("Bash", None, ToolKind::Shell, ReadOnly::Unknown),
            ("bash", None, ToolKind::Shell, ReadOnly::Unknown),
            ("PowerShell", None, ToolKind::Shell, ReadOnly::Unknown),
            ("Read", None, ToolKind::Read, ReadOnly::Yes),
            ("read", None, ToolKind::Other, ReadOnly::Unknown),
            ("LS", None, ToolKind::Read, ReadOnly::Yes),
            ("NotebookEdit", None, ToolKind::Edit, ReadOnly::No),
            ("WebSearch", None, ToolKind::Fetch, ReadOnly::Unknown),
            ("mcp__files__Read", None, ToolKind::Mcp, ReadOnly::Unknown),
            ("Read", Some(&named), ToolKind::Mcp, ReadOnly::Unknown),
            ("Task", None, ToolKind::Other, ReadOnly::Unknown),
        ] {
            let call = CallName {
                tool: tool.into(),
                mcp: mcp.cloned(),
            };
            let facts = Tools::default().facts(&call);
            assert_eq!((facts.kind, facts.read_only), (kind, read_only), "{tool}");
        }
    }

    #[test]
    fn a_program_is_named_as_its_system_finds_it() {
        for (platform, word, program) in [
            (Platform::Linux, "/bin/rm", "rm"),
            (Platform::Linux, "./RM", "RM"),
            (Platform::MacOs, "/bin/RM", "rm"),
            (Platform::Windows, "C:/tools/Rm.EXE", "rm"),
            (Platform::Windows, ".exe", ".exe"),
            (Platform::Windows, "rm.cmd", "rm"),
            (Platform::Windows, "rm.BAT.", "rm"),
            (Platform::Windows, "rm.com..", "rm"),
            (Platform::Windows, "c:rm", "rm"),
            (Platform::Windows, "...", "."),
            (Platform::Windows, "rm.txt", "rm.txt"),
            (Platform::Linux, "rm.exe", "rm.exe"),
        ] {
            assert_eq!(platform.program(word), program, "{word}");
        }
    }
}
