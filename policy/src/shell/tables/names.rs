//! Variables: which may change what runs.

/// Variables that no program takes as something to run or to load, with what they are for. Only
/// these may stand before a command, or be exported, without a word.
const INERT: &[(&str, &str)] = &[
    ("APP_ENV", "which settings a program takes"),
    ("CARGO_INCREMENTAL", "how much is compiled anew"),
    ("CARGO_NET_OFFLINE", "nothing is fetched"),
    ("CARGO_TERM_COLOR", "colours"),
    ("CARGO_TERM_PROGRESS_WHEN", "progress bars"),
    ("CGO_ENABLED", "whether C is compiled too"),
    ("CI", "says that nobody is at the terminal"),
    ("CLICOLOR", "colours"),
    ("CLICOLOR_FORCE", "colours"),
    ("COLUMNS", "width of the terminal"),
    ("CUDA_VISIBLE_DEVICES", "which graphics cards are used"),
    ("DEBUG", "what is logged"),
    ("DOCKER_BUILDKIT", "which builder of docker builds"),
    ("FORCE_COLOR", "colours"),
    (
        "GIT_OPTIONAL_LOCKS",
        "whether git writes its index when it only looks",
    ),
    ("GIT_TERMINAL_PROMPT", "whether git asks for passwords"),
    ("GOARCH", "for which machine is compiled"),
    ("GOMAXPROCS", "how many threads run at once"),
    ("GOOS", "for which system is compiled"),
    ("INSTA_UPDATE", "whether tests write new snapshots"),
    ("LANG", "language of messages"),
    ("LANGUAGE", "language of messages"),
    ("LINES", "height of the terminal"),
    ("LOG_LEVEL", "what is logged"),
    ("MIX_ENV", "which settings a program takes"),
    ("NODE_ENV", "which settings a program takes"),
    ("NO_COLOR", "colours"),
    ("OMP_NUM_THREADS", "how many threads run at once"),
    ("OPENBLAS_NUM_THREADS", "how many threads run at once"),
    ("PORT", "the port that a program listens at"),
    ("PROPTEST_CASES", "how many cases tests try"),
    ("PYTHONDONTWRITEBYTECODE", "caches of compiled modules"),
    ("PYTHONHASHSEED", "the order of sets"),
    ("PYTHONUNBUFFERED", "buffering of output"),
    ("RACK_ENV", "which settings a program takes"),
    ("RAILS_ENV", "which settings a program takes"),
    ("RUST_BACKTRACE", "length of a backtrace"),
    ("RUST_LOG", "what is logged"),
    ("RUST_TEST_THREADS", "how many tests run at once"),
    ("SOURCE_DATE_EPOCH", "the time that builds take for now"),
    ("TERM", "what the terminal can do"),
    ("TZ", "time zone"),
    ("UPDATE_EXPECT", "whether tests write new snapshots"),
    ("UPDATE_SNAPSHOTS", "whether tests write new snapshots"),
    ("VERBOSE", "how much is told"),
];

/// Families of them.
const INERT_PREFIXES: &[(&str, &str)] = &[("LC_", "language and forms")];

/// Variables of scripts that no shell and no program is known to obey, with what they hold. A name
/// in small letters is a script's own by custom; these are the others that scripts use most.
const ORDINARY: &[(&str, &str)] = &[
    ("ARGS", "arguments"),
    ("BASE", "a branch, or the begin of a path"),
    ("BASE_URL", "the begin of an address"),
    ("BODY", "text"),
    ("BRANCH", "a branch"),
    ("COMMIT", "a commit"),
    ("COUNT", "a number"),
    ("DATE", "a date"),
    ("DEST", "a path"),
    ("DIR", "a folder"),
    ("DIRS", "folders"),
    ("DST", "a path"),
    ("END", "a place or a time"),
    ("ERR", "text"),
    ("FILE", "a file"),
    ("FILES", "files"),
    ("FOUND", "what was found"),
    ("HASH", "a digest"),
    ("ID", "a number"),
    ("INPUT", "text or a file"),
    ("ISSUE", "a number"),
    ("JOB_ID", "a number"),
    ("LINE", "text"),
    ("LOG", "a file"),
    ("LOGFILE", "a file"),
    ("MSG", "text"),
    ("NAME", "a name"),
    ("NUM", "a number"),
    ("OUT", "text or a file"),
    ("OUTPUT", "text or a file"),
    ("PID", "a number"),
    ("PORT", "a number"),
    ("PR", "a number"),
    ("PR_NUMBER", "a number"),
    ("RC", "a number"),
    ("REPO", "a repository"),
    ("REPO_ROOT", "a folder"),
    ("RESP", "text"),
    ("RESPONSE", "text"),
    ("RESULT", "text"),
    ("ROOT", "a folder"),
    ("RUN_ID", "a number"),
    ("SCRIPT_DIR", "a folder"),
    ("SERVER", "a number"),
    ("SERVER_PID", "a number"),
    ("SHA", "a commit"),
    ("SIZE", "a number"),
    ("SRC", "a path"),
    ("START", "a place or a time"),
    ("STATUS", "a number or text"),
    ("TAG", "a tag"),
    ("TARGET", "a path or a name"),
    ("TITLE", "text"),
    ("TODAY", "a date"),
    ("TOKEN", "text"),
    ("URL", "an address"),
    ("VERSION", "a version"),
    ("WORKTREE", "a folder"),
];

/// Variables in small letters that a shell obeys all the same.
const SMALL: &[(&str, &str)] = &[
    ("auto_resume", "changes what a command's name means"),
    ("histchars", "changes where comments begin"),
];

/// Variables that the shell itself obeys, with what they do.
const SHELL: &[(&str, &str)] = &[
    ("BASHOPTS", "switches on options of the shell"),
    ("BASH_ALIASES", "defines aliases"),
    ("BASH_CMDS", "says where programs are"),
    ("BASH_COMPAT", "changes the language"),
    ("BASH_ENV", "is run by the next shell"),
    ("BASH_LOADABLES_PATH", "says where builtins are loaded from"),
    ("BASH_XTRACEFD", "says where traces are written"),
    ("CDPATH", "changes where cd goes"),
    ("ENV", "is run by the next shell"),
    ("EXECIGNORE", "hides programs"),
    ("FIGNORE", "hides files"),
    ("FUNCNEST", "ends functions early"),
    ("GLOBIGNORE", "changes what patterns find"),
    ("GLOBSORT", "changes what patterns find"),
    ("HISTFILE", "says where lines are written"),
    ("HOME", "changes where cd and ~ lead"),
    ("IFS", "changes where words end"),
    ("INPUTRC", "binds keys to commands"),
    ("OPTIND", "is evaluated by getopts"),
    ("PATH", "says where programs are"),
    ("POSIXLY_CORRECT", "changes the language"),
    ("PROMPT_COMMAND", "is run before each prompt"),
    ("PS0", "is expanded before each command"),
    ("PS1", "is expanded before each prompt"),
    ("PS2", "is expanded before each prompt"),
    ("PS3", "is expanded by select"),
    ("PS4", "is expanded before each traced command"),
    ("PWD", "changes where paths lead"),
    ("SHELL", "says which shell others run"),
    ("SHELLOPTS", "switches on options of the shell"),
    ("TMPDIR", "says where here-documents are written"),
    ("TMOUT", "ends the shell"),
    ("ZDOTDIR", "says what the next shell runs"),
];

/// Variables whose value the shell makes up, or takes back.
const MADE_UP: &[&str] = &[
    "_",
    "BASH",
    "BASHPID",
    "BASH_ARGV0",
    "BASH_COMMAND",
    "BASH_SUBSHELL",
    "COMP_WORDBREAKS",
    "DIRSTACK",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "EUID",
    "FUNCNAME",
    "GROUPS",
    "HISTCMD",
    "LINENO",
    "OPTARG",
    "PIPESTATUS",
    "PPID",
    "RANDOM",
    "REPLY",
    "SECONDS",
    "SRANDOM",
    "UID",
];

/// Variables and families of them that other programs run or load, if they are exported.
const OTHERS: &[(&str, &str)] = &[
    ("BROWSER", "is run to open pages"),
    ("CARGO_", "names wrappers, runners and registries"),
    ("CC", "is run as the compiler"),
    ("CXX", "is run as the compiler"),
    ("DOCKER_", "names hosts and plugins"),
    ("DYLD_", "loads libraries into programs"),
    ("EDITOR", "is run to edit"),
    ("GCONV_PATH", "loads libraries into programs"),
    ("GIT_", "names programs, folders and configuration"),
    ("GOFLAGS", "names programs to run"),
    ("JAVA_TOOL_OPTIONS", "loads code into java"),
    ("LD_", "loads libraries into programs"),
    ("LESS", "names filters to run"),
    ("LUA_", "loads code into lua"),
    ("MAKE", "adds to what make runs"),
    ("MANPAGER", "is run to show pages"),
    ("NODE_", "loads code into node"),
    ("NPM_CONFIG_", "names scripts, shells and registries"),
    ("PAGER", "is run to show pages"),
    ("PERL", "loads code into perl"),
    ("PIP_", "names sources of packages"),
    ("PYTHON", "loads code into python"),
    ("RUBY", "loads code into ruby"),
    ("RUSTC", "is run as the compiler"),
    ("RUSTFLAGS", "names linkers to run"),
    ("RUSTUP_", "names toolchains"),
    ("SSH_", "names programs to ask with"),
    ("SUDO_", "names programs to ask with"),
    ("VISUAL", "is run to edit"),
    ("npm_", "names scripts, shells and registries"),
    ("http_proxy", "says through whom is spoken"),
    ("https_proxy", "says through whom is spoken"),
    ("all_proxy", "says through whom is spoken"),
];

fn has(rows: &[(&str, &str)], name: &str) -> bool {
    rows.iter().any(|(row, _)| *row == name)
}

/// Whether an exported variable of this name is taken for nothing to run.
pub(in super::super) fn is_inert(name: &str) -> bool {
    let family = INERT_PREFIXES
        .iter()
        .any(|(prefix, _)| name.starts_with(prefix));
    family || has(INERT, name)
}

/// Whether a script may assign this variable without changing what is run: its name is one of
/// small letters, or is listed as ordinary.
pub(in super::super) fn is_ordinary(name: &str) -> bool {
    let is_small = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    let is_named = name.starts_with(|char: char| char.is_ascii_lowercase() || char == '_');
    let own = is_named && name.bytes().all(is_small) && !has(SMALL, name);
    (own && !changes_what_runs(name)) || has(ORDINARY, name)
}

/// Whether `NAME=value`, exported or before a command, changes nothing of what is run. A locale may
/// change where characters end, and quotes with them, so only the usual ones are harmless.
pub(in super::super) fn is_harmless_assignment(text: &str) -> bool {
    let Some((name, value)) = text.split_once('=') else {
        return false;
    };
    let is_usual = || {
        let value = value.trim_matches(['\'', '"']);
        let charset = value.rsplit_once('.').map(|(_, charset)| charset);
        let is_utf8 = |charset: &str| {
            charset.eq_ignore_ascii_case("utf-8") || charset.eq_ignore_ascii_case("utf8")
        };
        matches!(value, "C" | "POSIX") || charset.is_some_and(is_utf8)
    };
    let is_locale = name == "LANG" || name.starts_with("LC_");
    is_inert(name) && (!is_locale || is_usual())
}

/// Whether the shell makes its value up, or takes it from elsewhere.
pub(in super::super) fn is_made_up(name: &str) -> bool {
    has(SHELL, name) || MADE_UP.contains(&name)
}

/// Whether assigning it may change what the shell runs, or others do, should it be exported.
pub(in super::super) fn changes_what_runs(name: &str) -> bool {
    let family = OTHERS.iter().any(|(prefix, _)| name.starts_with(prefix));
    (family || has(SHELL, name)) && !is_inert(name)
}
