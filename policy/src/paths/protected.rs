//! Paths whose content decides what runs, or opens doors: a write to one is asked about, whatever
//! the rules say.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{LazyLock, OnceLock};

use super::pattern::PathPattern;
use super::place::Place;
use super::world::World;
use super::{Found, Key};
use crate::tools::Platform;

/// Patterns, each with its reason. No document takes one away.
const PROTECTED: &[(&str, &str)] = &[
    // What decides about the agent itself.
    ("//**/gatefold.toml", "a policy document"),
    (
        "//**/.claude/settings*.json",
        "settings of an agent's host, its hooks among them",
    ),
    ("//**/.claude/hooks", "hooks of an agent's host"),
    ("//**/.claude/agents", "what an agent below may do"),
    (
        "//**/.claude/commands",
        "commands that an agent's host runs",
    ),
    ("//**/.codex", "settings and rules of an agent's host"),
    ("//**/.gemini", "settings and policies of an agent's host"),
    ("//**/.cursor", "settings and hooks of an agent's host"),
    ("//**/.opencode", "settings and plugins of an agent's host"),
    ("//**/opencode.json", "settings of an agent's host"),
    ("//**/opencode.jsonc", "settings of an agent's host"),
    ("//**/.mcp.json", "servers that an agent's host starts"),
    ("~/.claude.json", "settings of an agent's host"),
    (
        "~/.config/opencode",
        "settings and plugins of an agent's host",
    ),
    // What git runs.
    ("//**/.git", "hooks, settings and history of a repository"),
    ("//**/.gitmodules", "repositories that git fetches"),
    ("//**/.husky", "hooks of a repository"),
    ("//**/.pre-commit-config.yaml", "hooks of a repository"),
    ("//**/lefthook.yml", "hooks of a repository"),
    ("//**/lefthook.yaml", "hooks of a repository"),
    ("~/.gitconfig", "programs that git runs"),
    ("~/.config/git", "programs that git runs"),
    // What a shell reads when it starts.
    ("~/.bashrc", "a shell runs it when it starts"),
    ("~/.bash_profile", "a shell runs it when it starts"),
    ("~/.bash_login", "a shell runs it when it starts"),
    ("~/.bash_logout", "a shell runs it when it ends"),
    ("~/.bash_aliases", "a shell runs it when it starts"),
    ("~/.profile", "a shell runs it when it starts"),
    ("~/.zshrc", "a shell runs it when it starts"),
    ("~/.zshenv", "a shell runs it when it starts"),
    ("~/.zprofile", "a shell runs it when it starts"),
    ("~/.zlogin", "a shell runs it when it starts"),
    ("~/.zlogout", "a shell runs it when it ends"),
    ("~/.kshrc", "a shell runs it when it starts"),
    ("~/.inputrc", "keys that run commands"),
    ("~/.config/fish", "a shell runs it when it starts"),
    ("~/.config/nushell", "a shell runs it when it starts"),
    ("~/.config/powershell", "a shell runs it when it starts"),
    ("~/Documents/PowerShell", "a shell runs it when it starts"),
    (
        "~/Documents/WindowsPowerShell",
        "a shell runs it when it starts",
    ),
    ("//**/.envrc", "a shell runs it in this folder"),
    // Tasks that editors run.
    ("//**/.vscode/tasks.json", "an editor runs its tasks"),
    ("//**/.vscode/launch.json", "an editor starts what it names"),
    (
        "//**/.vscode/settings.json",
        "an editor runs programs that it names",
    ),
    (
        "//**/*.code-workspace",
        "an editor runs programs that it names",
    ),
    ("//**/.idea", "an editor runs what it names"),
    ("//**/.devcontainer", "an editor runs what it names"),
    ("//**/.zed/tasks.json", "an editor runs its tasks"),
    ("//**/.exrc", "an editor runs it in this folder"),
    ("~/.vimrc", "an editor runs it when it starts"),
    ("~/.config/nvim", "an editor runs it when it starts"),
    ("~/.emacs", "an editor runs it when it starts"),
    ("~/.emacs.d", "an editor runs it when it starts"),
    // Credentials, and what leads to them.
    ("~/.ssh", "keys, and who may come in with one"),
    ("~/.gnupg", "keys"),
    ("~/.netrc", "credentials"),
    ("~/_netrc", "credentials"),
    ("~/.git-credentials", "credentials"),
    ("~/.aws", "credentials"),
    ("~/.azure", "credentials"),
    ("~/.config/gcloud", "credentials"),
    ("~/.config/gh", "credentials"),
    ("~/.docker", "credentials, and plugins that run"),
    ("~/.kube", "credentials, and programs that run"),
    ("~/.npmrc", "credentials, and where packages come from"),
    ("~/.pypirc", "credentials"),
    ("~/.config/pip", "where packages come from"),
    ("~/.cargo/config*", "programs that a build runs"),
    ("~/.cargo/credentials*", "credentials"),
    ("~/.cargo/bin", "programs that run by their name"),
    ("~/.local/bin", "programs that run by their name"),
    ("~/bin", "programs that run by their name"),
    // What the system runs by itself.
    ("~/.config/autostart", "it runs when a person comes in"),
    ("~/.config/systemd", "it runs when a person comes in"),
    ("~/.config/environment.d", "variables that change what runs"),
    ("~/.pam_environment", "variables that change what runs"),
    ("~/Library/LaunchAgents", "it runs when a person comes in"),
    (
        "~/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup",
        "it runs when a person comes in",
    ),
    ("//var/spool/cron", "it runs by the clock"),
    ("//etc", "settings of the system"),
    ("//private/etc", "settings of the system"),
    ("//bin", "programs of the system"),
    ("//sbin", "programs of the system"),
    ("//usr", "programs of the system"),
    ("//lib", "programs of the system"),
    ("//lib64", "programs of the system"),
    ("//boot", "what the system starts from"),
    ("//dev", "devices of the system"),
    ("//proc", "the running system"),
    ("//sys", "the running system"),
    ("//root/.ssh", "keys, and who may come in with one"),
    ("//System", "programs of the system"),
    ("//Library", "programs of the system"),
];

/// The same for Windows alone.
const WINDOWS: &[(&str, &str)] = &[
    ("C:/Windows", "programs of the system"),
    ("C:/Program Files", "programs of the system"),
    ("C:/Program Files (x86)", "programs of the system"),
    ("C:/ProgramData", "settings of the system"),
];

/// Why a write of a call is one to what is protected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtectedPath {
    /// The path of the call, as it is typed.
    pub path: String,
    /// The protected pattern that it falls under. None: it is a policy document, or a folder that the
    /// work is in.
    pub pattern: Option<String>,
    /// Why that is protected.
    pub why: String,
}

impl fmt::Display for ProtectedPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, pattern, why } = self;
        match pattern {
            Some(pattern) => write!(f, "`{path}` falls under the protected `{pattern}`: {why}"),
            None => write!(f, "`{path}` is protected: {why}"),
        }
    }
}

/// A path that is protected.
#[derive(Clone, Debug)]
pub(crate) struct Protected {
    pattern: PathPattern,
    /// As it is written, and why.
    text: Cow<'static, str>,
    why: Cow<'static, str>,
    /// The document that says so.
    file: Option<std::sync::Arc<str>>,
}

/// All paths that are protected.
#[derive(Clone, Debug)]
pub(crate) struct ProtectedPaths {
    platform: Platform,
    /// Those that documents name.
    rows: Vec<Protected>,
    /// By the name that a path must hold for them to match it, folded.
    by_name: BTreeMap<String, Vec<usize>>,
    /// Those that may match a path of any names.
    others: Vec<usize>,
}

/// The paths that no document names. A process that judges one call needs few of them: each is read
/// when it is first asked for, and once for all policies.
#[derive(Debug)]
struct BuiltIn {
    platform: Platform,
    rows: Vec<(&'static (&'static str, &'static str), OnceLock<Protected>)>,
    /// By the name that a path must hold for them to match it, folded; the shortest first, and then as
    /// they stand.
    by_name: Vec<(Cow<'static, str>, usize)>,
    others: Vec<usize>,
}

/// Of Linux and macOS.
static BUILT_IN: LazyLock<BuiltIn> = LazyLock::new(|| BuiltIn::new(Platform::Linux, &[]));
/// Of Windows.
static BUILT_IN_WINDOWS: LazyLock<BuiltIn> =
    LazyLock::new(|| BuiltIn::new(Platform::Windows, WINDOWS));

impl BuiltIn {
    fn of(platform: Platform) -> &'static Self {
        match platform {
            Platform::Linux | Platform::MacOs => &BUILT_IN,
            Platform::Windows => &BUILT_IN_WINDOWS,
        }
    }

    fn new(platform: Platform, more: &'static [(&'static str, &'static str)]) -> Self {
        let rows: Vec<_> = PROTECTED.iter().chain(more).collect();
        let (mut by_name, mut others) = (Vec::with_capacity(rows.len()), Vec::new());
        for (at, (text, _)) in rows.iter().enumerate() {
            match needed_name(text) {
                Some(name) => by_name.push((name, at)),
                None => others.push(at),
            }
        }
        by_name.sort_unstable_by(|(one, row), (other, next)| {
            (one.len(), one, row).cmp(&(other.len(), other, next))
        });
        Self {
            platform,
            rows: rows.into_iter().map(|row| (row, OnceLock::new())).collect(),
            by_name,
            others,
        }
    }

    fn all(&self) -> impl Iterator<Item = &Protected> {
        (0..self.rows.len()).filter_map(|at| self.row(at))
    }

    fn of_name(&self, name: &str) -> impl Iterator<Item = &Protected> {
        let key = (name.len(), name);
        let from = self
            .by_name
            .partition_point(|(of, _)| (of.len(), &**of) < key);
        let rows = self.by_name.get(from..).unwrap_or_default().iter();
        let rows = rows.take_while(move |(of, _)| of == name);
        rows.filter_map(|(_, at)| self.row(*at))
    }

    fn others(&self) -> impl Iterator<Item = &Protected> {
        self.others.iter().filter_map(|at| self.row(*at))
    }

    fn row(&self, at: usize) -> Option<&Protected> {
        let ((text, why), row) = self.rows.get(at)?;
        if let Some(row) = row.get() {
            return Some(row);
        }
        let pattern = PathPattern::parse(text, true, self.platform).ok()?;
        Some(row.get_or_init(|| Protected {
            pattern,
            text: (*text).into(),
            why: (*why).into(),
            file: None,
        }))
    }
}

/// What [`PathPattern::needs_name`] says of a row, before it is read and folded: its first name that
/// is no pattern.
fn needed_name(text: &str) -> Option<Cow<'_, str>> {
    let mut names = text.split('/');
    let is_pattern = |name: &str| name.bytes().any(|byte| byte == b'*');
    let name = names.find(|name| !matches!(*name, "" | "~") && !is_pattern(name))?;
    let is_folded = !name.bytes().any(|byte| byte.is_ascii_uppercase());
    Some(if is_folded {
        name.into()
    } else {
        name.to_ascii_lowercase().into()
    })
}

impl ProtectedPaths {
    /// Those that no document names.
    pub(crate) const fn built_in(platform: Platform) -> Self {
        Self {
            platform,
            rows: Vec::new(),
            by_name: BTreeMap::new(),
            others: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, row: Protected) {
        let at = self.rows.len();
        match row.pattern.needs_name() {
            Some(name) => self.by_name.entry(name.into()).or_default().push(at),
            None => self.others.push(at),
        }
        self.rows.push(row);
    }

    /// Pattern, reason and document of each that a document names.
    pub(crate) fn of_documents(&self) -> impl Iterator<Item = [String; 3]> {
        self.rows.iter().filter_map(|row| {
            let file = row.file.as_deref()?;
            Some([&row.text, &row.why, file].map(str::to_owned))
        })
    }

    /// The first of them that a write to this place may change; `tree` says that all below changes too,
    /// `sure` that it is known to be a path.
    pub(crate) fn over(
        &self,
        place: &Place,
        tree: bool,
        sure: bool,
        world: &World,
    ) -> Option<&Protected> {
        let Place { ways, below, .. } = place;
        let built_in = BuiltIn::of(self.platform);
        // What is below, or what the shell puts there, may have any names.
        if tree || ways.iter().any(Key::is_pattern) {
            return built_in.all().chain(&self.rows).find(|row| {
                row.covers(ways, tree, sure, world)
                    || (tree && row.covers(below, tree, sure, world))
            });
        }
        let covers = |row: &&Protected| row.covers(ways, tree, sure, world);
        for way in ways {
            for name in way.folded().iter() {
                let mut of_name = built_in.of_name(name).chain(self.of_name(name));
                if let Some(row) = of_name.find(covers) {
                    return Some(row);
                }
            }
        }
        let others = self.others.iter().filter_map(|at| self.rows.get(*at));
        built_in.others().chain(others).find(covers)
    }

    fn of_name(&self, name: &str) -> impl Iterator<Item = &Protected> {
        let rows = self.by_name.get(name).into_iter().flatten();
        rows.filter_map(|at| self.rows.get(*at))
    }
}

impl Protected {
    /// One that a document names.
    pub(crate) fn of(
        pattern: PathPattern,
        text: &str,
        why: &str,
        file: std::sync::Arc<str>,
    ) -> Self {
        Self {
            pattern,
            text: text.to_owned().into(),
            why: why.to_owned().into(),
            file: Some(file),
        }
    }

    /// What is said of a path that falls under it.
    pub(crate) fn says(&self, path: &str) -> ProtectedPath {
        ProtectedPath {
            path: path.into(),
            pattern: Some(self.text.clone().into_owned()),
            why: self.why.clone().into_owned(),
        }
    }

    fn is_dotted(&self) -> bool {
        let first = self.pattern.first_name();
        first.is_some_and(|name| name.starts_with('.'))
    }

    /// Whether a pattern of the shell counts if it may match. `*.json` would match a name at any
    /// depth in every folder.
    fn counts_by_names(&self) -> bool {
        !self.pattern.is_deep() || self.pattern.has_dotted_name()
    }

    /// Whether a write by any of these ways may change it; `tree` says that all below changes too,
    /// `sure` that it is known to be a path.
    fn covers(&self, ways: &[Key], tree: bool, sure: bool, world: &World) -> bool {
        // What may stand at any depth is not looked for below.
        let below = tree && !self.pattern.begins_deep();
        let mut ways = ways
            .iter()
            .filter(|way| below || self.pattern.may_match(way))
            .peekable();
        if ways.peek().is_none() {
            return false;
        }
        let bases = self.pattern.bases(self.file.as_deref(), world);
        ways.any(|way| {
            let unknown = || match self.pattern.find_unknown(way) {
                Some(found) => found,
                // A folder that is not known to be nobody's home; most names with a dot stand there.
                None if self.is_dotted() => self.pattern.find_anywhere(way),
                None => Found::default(),
            };
            let found = bases.map_or_else(unknown, |bases| self.pattern.find(way, bases));
            // What may stand at any depth would be in every folder.
            let by_names = found.by_names && sure && self.counts_by_names();
            let below = found.all_below || (found.some_below && !self.pattern.begins_deep());
            found.itself || found.perhaps || by_names || (tree && below)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::FileFacts;
    use super::*;

    #[test]
    fn every_row_is_a_pattern_and_has_a_reason() {
        for platform in [Platform::Linux, Platform::MacOs, Platform::Windows] {
            let built_in = BuiltIn::of(platform);
            assert_eq!(built_in.all().count(), built_in.rows.len());
            for row in built_in.all() {
                assert!(!row.why.is_empty(), "{}", row.text);
            }
        }
        let built_in = |platform| BuiltIn::of(platform).rows.len();
        assert_eq!(built_in(Platform::Linux), PROTECTED.len());
        assert_eq!(built_in(Platform::MacOs), PROTECTED.len());
        let all = PROTECTED.len() + WINDOWS.len();
        assert_eq!(built_in(Platform::Windows), all);
    }

    #[test]
    fn a_row_is_read_by_every_system_as_it_is_kept() {
        let unix = PROTECTED.iter().map(|row| (row, Platform::MacOs));
        let windows = PROTECTED.iter().chain(WINDOWS);
        let all = unix.chain(windows.map(|row| (row, Platform::Windows)));
        for ((text, _), platform) in all {
            let mut rows = BuiltIn::of(platform).all();
            let kept = rows.find(|row| row.text == *text).expect("it is kept");
            let read = PathPattern::parse(text, true, platform);
            assert_eq!(read.as_ref(), Ok(&kept.pattern), "{text}");
        }
    }

    #[test]
    fn a_row_is_found_by_the_name_that_its_pattern_needs() {
        for platform in [Platform::Linux, Platform::Windows] {
            let built_in = BuiltIn::of(platform);
            for row in built_in.all() {
                let named = row.pattern.needs_name();
                let mut found: Vec<_> = match named {
                    Some(name) => built_in.of_name(name).collect(),
                    None => built_in.others().collect(),
                };
                found.retain(|found| found.text == row.text);
                assert_eq!(found.len(), 1, "{}: {named:?}", row.text);
            }
            let kept = built_in.by_name.len() + built_in.others.len();
            assert_eq!(kept, built_in.rows.len());
        }
    }

    #[test]
    fn a_folder_that_changes_with_all_below_it_is_compared_with_what_lies_there() {
        let facts = FileFacts {
            cwd: Some("/srv/app".into()),
            home: Some("/home/u".into()),
            ..FileFacts::default()
        };
        let world = World::new(&facts, &[], &[], Platform::Linux);
        let rows = ProtectedPaths::built_in(Platform::Linux);
        for (path, tree, row) in [
            ("/", true, Some("~/.claude.json")),
            ("/home", true, Some("~/.claude.json")),
            ("/home/u", true, Some("~/.claude.json")),
            ("/home/u/.config", true, Some("~/.config/opencode")),
            ("/var/spool", true, Some("//var/spool/cron")),
            ("/home/u", false, None),
            ("/var/spool", false, None),
            // What may stand in any folder is not looked for in every one.
            ("/srv/app/src", true, None),
            (
                "/srv/app/x.code-workspace",
                true,
                Some("//**/*.code-workspace"),
            ),
            ("/srv/app/.git/hooks", true, Some("//**/.git")),
        ] {
            let place = world.place(path, &[]);
            let found = rows.over(&place, tree, true, &world);
            let found = found.map(|row| &*row.text);
            assert_eq!(found, row, "{path} {tree}");
        }
    }
}
