//! Tools: what kind of thing a tool does, judged by its name alone, and where it runs.

use std::borrow::Cow;

use gatefold::gate::{Facts, ReadOnly, ToolKind};

use super::mcp::{self, McpName};

/// Tools that run a command line, in any spelling of case: too many is the careful side.
const SHELLS: [&str; 7] = ["bash", "sh", "zsh", "shell", "powershell", "pwsh", "cmd"];
/// Those of them whose line is never in a POSIX shell's language.
const OTHER_SHELLS: [&str; 3] = ["powershell", "pwsh", "cmd"];
/// Tools that read and do nothing else, exactly as written: too many would be the careless side.
const READERS: [&str; 5] = ["Read", "Glob", "Grep", "LS", "NotebookRead"];
const EDITORS: [&str; 4] = ["Edit", "Write", "MultiEdit", "NotebookEdit"];
const FETCHERS: [&str; 2] = ["WebFetch", "WebSearch"];

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

    /// The system of a word; `darwin` and `win32` are synonyms.
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "linux" => Some(Self::Linux),
            "macos" | "darwin" => Some(Self::MacOs),
            "windows" | "win32" => Some(Self::Windows),
            _ => None,
        }
    }

    /// The name under which this system would find a program, for deny and ask: without its
    /// folder, and folded.
    pub(crate) fn program(self, word: &str) -> String {
        let base = match self {
            Self::Linux | Self::MacOs => word.rsplit('/').next(),
            // A drive may stand in front without a slash.
            Self::Windows => word.rsplit(['/', ':']).next(),
        };
        self.fold(base.unwrap_or(word)).into_owned()
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

/// Whether a tool of this name runs a command line.
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

fn is_among(tool: &str, names: &[&str]) -> bool {
    names.iter().any(|name| tool.eq_ignore_ascii_case(name))
}

/// What a call does, as far as its names tell. A server may call its tool `Read`: that it is an
/// MCP tool comes first.
pub(crate) fn facts(tool: &str, mcp: Option<&McpName>) -> Facts {
    let (kind, read_only) = if mcp.is_some() || tool.starts_with(mcp::PREFIX) {
        (ToolKind::Mcp, ReadOnly::Unknown)
    } else if is_shell(tool) {
        (ToolKind::Shell, ReadOnly::Unknown)
    } else if READERS.contains(&tool) {
        (ToolKind::Read, ReadOnly::Yes)
    } else if EDITORS.contains(&tool) {
        (ToolKind::Edit, ReadOnly::No)
    } else if FETCHERS.contains(&tool) {
        (ToolKind::Fetch, ReadOnly::Unknown)
    } else {
        (ToolKind::Other, ReadOnly::Unknown)
    };
    Facts {
        kind,
        read_only,
        ..Facts::UNKNOWN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let facts = facts(tool, mcp);
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
