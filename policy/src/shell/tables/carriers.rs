//! Programs that run what they are given.

use super::by_name::{ByName, by_name};

/// How a carrier hands on what it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Hands {
    /// The words behind its options and operands are a command.
    Words,
    /// As above, behind assignments.
    Environment,
    /// As above, with more words from its input.
    Input,
    /// The words behind its options and operands are a line of a shell, joined by blanks.
    Line,
}

/// A program that runs what it is given, and its options.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Carrier {
    pub(in super::super) name: &'static str,
    /// Letters of options without a value.
    pub(in super::super) flags: &'static str,
    /// Letters of options with a value.
    pub(in super::super) values: &'static str,
    /// Long options; those that end in `=` take a value.
    pub(in super::super) long: &'static [&'static str],
    /// Options with which it runs nothing.
    pub(in super::super) shows: &'static [&'static str],
    /// Words before the command.
    pub(in super::super) operands: usize,
    pub(in super::super) hands: Hands,
    /// Where its options are described.
    #[allow(
        dead_code,
        reason = "it is the row's source, for whoever reads the table"
    )]
    pub(in super::super) source: &'static str,
}

const PLAIN: Carrier = Carrier {
    name: "",
    flags: "",
    values: "",
    long: &[],
    shows: &["--help", "--version"],
    operands: 0,
    hands: Hands::Words,
    source: "",
};

/// Carriers; an option that is not in its row leaves what is run unknown.
const CARRIERS: &[Carrier] = &[
    Carrier {
        name: "builtin",
        source: "bash(1)",
        shows: &[],
        ..PLAIN
    },
    Carrier {
        name: "busybox",
        source: "busybox(1)",
        shows: &["--help", "--list", "--list-full"],
        ..PLAIN
    },
    Carrier {
        name: "chrt",
        flags: "abfiomRrv",
        values: "DPT",
        operands: 1,
        source: "util-linux chrt(1)",
        ..PLAIN
    },
    Carrier {
        name: "command",
        flags: "p",
        shows: &["-v", "-V", "-pv", "-pV"],
        source: "POSIX command",
        ..PLAIN
    },
    Carrier {
        name: "doas",
        flags: "nL",
        values: "uC",
        source: "OpenDoas doas(1)",
        ..PLAIN
    },
    Carrier {
        name: "env",
        flags: "i0v",
        values: "uC",
        long: &["ignore-environment", "null", "unset=", "chdir=", "debug"],
        hands: Hands::Environment,
        source: "coreutils env(1)",
        ..PLAIN
    },
    Carrier {
        name: "exec",
        flags: "c",
        shows: &[],
        source: "bash(1); -a and -l make a program take itself for another one",
        ..PLAIN
    },
    Carrier {
        name: "flock",
        flags: "enosuxF",
        values: "wE",
        long: &[
            "nonblock",
            "nb",
            "exclusive",
            "shared",
            "wait=",
            "timeout=",
            "close",
            "no-fork",
            "verbose",
        ],
        operands: 1,
        source: "util-linux flock(1)",
        ..PLAIN
    },
    Carrier {
        name: "ionice",
        flags: "t",
        values: "cn",
        long: &["class=", "classdata=", "ignore"],
        source: "util-linux ionice(1)",
        ..PLAIN
    },
    Carrier {
        name: "nice",
        flags: "0123456789",
        values: "n",
        long: &["adjustment="],
        source: "coreutils nice(1)",
        ..PLAIN
    },
    Carrier {
        name: "nohup",
        source: "coreutils nohup(1)",
        ..PLAIN
    },
    Carrier {
        name: "setsid",
        flags: "cfw",
        long: &["ctty", "fork", "wait"],
        source: "util-linux setsid(1)",
        ..PLAIN
    },
    Carrier {
        name: "ssh",
        flags: "46AaCfGgKkMNnqTtVvXxYy",
        values: "BbcDeiJLlmOpQRWw",
        operands: 1,
        hands: Hands::Line,
        shows: &[],
        source: "OpenSSH ssh(1); -F, -I, -o and -S may name programs",
        ..PLAIN
    },
    Carrier {
        name: "stdbuf",
        values: "ioe",
        long: &["input=", "output=", "error="],
        source: "coreutils stdbuf(1)",
        ..PLAIN
    },
    Carrier {
        name: "sudo",
        flags: "ABbEHKkNnPS",
        values: "CDghpTtUu",
        long: &[
            "askpass",
            "bell",
            "background",
            "preserve-env",
            "set-home",
            "non-interactive",
            "preserve-groups",
            "stdin",
            "reset-timestamp",
            "user=",
            "group=",
            "host=",
            "prompt=",
            "chdir=",
            "close-from=",
            "command-timeout=",
        ],
        shows: &[
            "-l",
            "-V",
            "-v",
            "--list",
            "--version",
            "--validate",
            "--help",
        ],
        hands: Hands::Environment,
        source: "sudo(8)",
        ..PLAIN
    },
    Carrier {
        name: "time",
        flags: "apqv",
        values: "fo",
        long: &[
            "append",
            "portability",
            "quiet",
            "verbose",
            "format=",
            "output=",
        ],
        source: "GNU time(1)",
        ..PLAIN
    },
    Carrier {
        name: "timeout",
        flags: "v",
        values: "ks",
        long: &[
            "foreground",
            "preserve-status",
            "verbose",
            "kill-after=",
            "signal=",
        ],
        operands: 1,
        source: "coreutils timeout(1)",
        ..PLAIN
    },
    Carrier {
        name: "watch",
        flags: "bcCdegtpw",
        values: "nq",
        long: &[
            "beep",
            "color",
            "no-color",
            "differences",
            "errexit",
            "chgexit",
            "interval=",
            "equexit=",
            "precise",
            "no-title",
            "no-wrap",
        ],
        hands: Hands::Line,
        source: "procps watch(1)",
        ..PLAIN
    },
    Carrier {
        name: "xargs",
        flags: "0optrx",
        values: "adEILnPs",
        long: &[
            "null",
            "no-run-if-empty",
            "verbose",
            "interactive",
            "exit",
            "open-tty",
            "arg-file=",
            "delimiter=",
            "max-args=",
            "max-procs=",
            "max-chars=",
        ],
        hands: Hands::Input,
        source: "findutils xargs(1); what is behind --eof and --max-lines may be a command",
        ..PLAIN
    },
];

/// Options before git's own command: those that only say where and how. `--exec-path` and
/// `--config-env` say what, and so does `-c`, for keys other than these.
pub(in super::super) const GIT: Carrier = Carrier {
    name: "git",
    flags: "pP",
    values: "Cc",
    long: &[
        "git-dir=",
        "work-tree=",
        "namespace=",
        "paginate",
        "no-pager",
        "no-replace-objects",
        "bare",
        "literal-pathspecs",
        "glob-pathspecs",
        "noglob-pathspecs",
        "icase-pathspecs",
        "no-optional-locks",
        "no-lazy-fetch",
    ],
    shows: &[
        "--version",
        "--help",
        "-h",
        "-v",
        "--exec-path",
        "--html-path",
        "--man-path",
        "--info-path",
    ],
    source: "git(1)",
    ..PLAIN
};

/// Keys of git's configuration that name no program, with what they are for.
pub(in super::super) const GIT_KEYS: &[(&str, &str)] = &[
    ("advice.", "hints"),
    ("color.", "colours"),
    ("column.", "layout"),
    ("commit.gpgsign=false", "no signature"),
    ("core.abbrev=", "length of digests"),
    ("core.autocrlf=", "line ends"),
    ("core.quotepath=", "escapes in paths"),
    ("init.defaultBranch=", "a branch's name"),
    ("log.date=", "form of dates"),
    ("user.email=", "who commits"),
    ("user.name=", "who commits"),
];

/// How a shell reads its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Shell {
    Bash,
    Posix,
    /// In a language that nobody here reads.
    Other,
}

/// Shells by name.
const SHELLS: &[(&str, Shell)] = &[
    ("ash", Shell::Posix),
    ("bash", Shell::Bash),
    ("csh", Shell::Other),
    ("dash", Shell::Posix),
    ("fish", Shell::Other),
    ("ksh", Shell::Other),
    ("mksh", Shell::Other),
    ("nu", Shell::Other),
    ("rbash", Shell::Bash),
    ("sh", Shell::Posix),
    ("tcsh", Shell::Other),
    ("zsh", Shell::Other),
];

/// Programs that run what they are given in a way that is not read here, with the reason.
const NOT_READ: &[(&str, &str)] = &[
    ("at", "it runs its input later"),
    ("batch", "it runs its input later"),
    ("chroot", "the program is another one there"),
    ("cmd", "its lines are in a language that is not read here"),
    ("expect", "it types into programs"),
    ("nsenter", "the program is another one there"),
    ("osascript", "its scripts may run lines"),
    ("parallel", "it makes lines of its arguments and its input"),
    ("pkexec", "it runs its arguments as another user"),
    (
        "powershell",
        "its lines are in a language that is not read here",
    ),
    ("pwsh", "its lines are in a language that is not read here"),
    ("runuser", "it runs a line as another user"),
    ("script", "it runs a line and writes a file"),
    ("strace", "it runs its arguments"),
    ("su", "it runs a line as another user"),
    ("systemd-run", "it runs its arguments elsewhere"),
    ("unshare", "it runs its arguments elsewhere"),
    ("wsl", "it runs its arguments elsewhere"),
];

static CARRIERS_BY_NAME: ByName<{ CARRIERS.len() }> = by_name!(CARRIERS, row => row.name);
static SHELLS_BY_NAME: ByName<{ SHELLS.len() }> = by_name!(SHELLS, row => row.0);
static NOT_READ_BY_NAME: ByName<{ NOT_READ.len() }> = by_name!(NOT_READ, row => row.0);

/// The carrier of this name.
pub(in super::super) fn carrier(name: &str) -> Option<&'static Carrier> {
    CARRIERS_BY_NAME.find(CARRIERS, name)
}

/// The shell of this name.
pub(in super::super) fn shell(name: &str) -> Option<Shell> {
    SHELLS_BY_NAME.find(SHELLS, name).map(|(_, shell)| *shell)
}

/// Why it is not read what a program runs.
pub(in super::super) fn not_read(name: &str) -> Option<&'static str> {
    NOT_READ_BY_NAME.find(NOT_READ, name).map(|(_, why)| *why)
}
