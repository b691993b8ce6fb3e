//! Programs that change nothing, by their options: an option that is not in its row may change
//! something. What a program is configured to run (git's textconv, a pager on a terminal) is its
//! owner's word and not the line's.

use super::by_name::{ByName, by_name};

/// What the words that are no options may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Operands {
    /// Anything, known or not.
    Any,
    /// So many at most; one more would be written to.
    AtMost(usize),
    /// None but formats, which begin with `+`.
    Formats,
    /// `sed`: first a script that prints lines by number.
    Prints,
    /// `awk`: first a program that prints fields.
    Fields,
    /// `jq`: none that speaks of the environment.
    Filter,
    /// `find`: tests and actions, all of which have to be among the long options.
    Tests,
}

/// A program that changes nothing with these options.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Reads {
    /// Its words up to the first option: the program, and its own command if it has one.
    pub(in super::super) words: &'static [&'static str],
    /// None of its options changes anything.
    pub(in super::super) any: bool,
    /// Letters of options without a value.
    pub(in super::super) flags: &'static str,
    /// Letters of options with a value.
    pub(in super::super) values: &'static str,
    /// Long options, parted by blanks, without the value that may be glued to them; those that end
    /// in `=` take the next word if none is glued.
    pub(in super::super) long: &'static str,
    pub(in super::super) operands: Operands,
    /// Where its options are described.
    #[allow(
        dead_code,
        reason = "it is the row's source, for whoever reads the table"
    )]
    pub(in super::super) source: &'static str,
}

const ANY: Reads = Reads {
    words: &[],
    any: true,
    flags: "",
    values: "",
    long: "",
    operands: Operands::Any,
    source: "",
};

const LISTED: Reads = Reads { any: false, ..ANY };

const fn any(words: &'static [&'static str], source: &'static str) -> Reads {
    Reads {
        words,
        source,
        ..ANY
    }
}

/// Options of `git log`, `diff` and `show` that only choose and show. `--output` writes, and
/// `--ext-diff` and `--textconv` run programs.
const GIT_SHOWS: Reads = Reads {
    flags: "0123456789abcdiMpqrRstuwzCDB",
    values: "nLSGO",
    long: "--abbrev --abbrev-commit --after --all --author --before --branches --cached --color \
               --color-words --committer --compact-summary --date --date-order --decorate \
               --diff-filter --dirstat --exit-code --find-copies --find-renames --first-parent \
               --follow --format --full-diff --full-history --function-context --graph --grep \
               --histogram --ignore-all-space --ignore-blank-lines --ignore-space-change \
               --left-right --max-count --merge-base --merges --minimal --name-only --name-status \
               --no-color --no-ext-diff --no-merges --no-patch --no-renames --no-textconv --numstat \
               --oneline --patch --patience --pretty --quiet --raw --relative --remotes --reverse \
               --shortstat --since --skip --staged --stat --submodule --summary --tags --topo-order \
               --unified --until --word-diff",
    source: "git-log(1), git-diff(1), git-show(1)",
    ..LISTED
};

const fn git(words: &'static [&'static str], flags: &'static str, long: &'static str) -> Reads {
    Reads {
        words,
        flags,
        long,
        source: "the git manual page of this command",
        ..LISTED
    }
}

const fn git_with(
    words: &'static [&'static str],
    flags: &'static str,
    values: &'static str,
    long: &'static str,
) -> Reads {
    Reads {
        values,
        ..git(words, flags, long)
    }
}

/// As above, with nothing but options: a word would be made, or moved.
const fn git_list(
    words: &'static [&'static str],
    flags: &'static str,
    long: &'static str,
) -> Reads {
    Reads {
        operands: Operands::AtMost(0),
        ..git(words, flags, long)
    }
}

const READS: &[Reads] = &[
    any(&["basename"], "coreutils basename(1)"),
    any(&["cat"], "coreutils cat(1)"),
    any(&["cd"], "POSIX cd"),
    any(&["cksum"], "coreutils cksum(1)"),
    any(&["cmp"], "diffutils cmp(1)"),
    any(&["comm"], "coreutils comm(1)"),
    any(&["cut"], "coreutils cut(1)"),
    any(&["df"], "coreutils df(1)"),
    any(&["dirname"], "coreutils dirname(1)"),
    any(&["du"], "coreutils du(1)"),
    any(&["echo"], "POSIX echo"),
    any(&["egrep"], "grep(1)"),
    any(&["expr"], "coreutils expr(1)"),
    any(&["fgrep"], "grep(1)"),
    any(&["fold"], "coreutils fold(1)"),
    any(&["getconf"], "POSIX getconf"),
    any(&["grep"], "grep(1)"),
    any(&["groups"], "coreutils groups(1)"),
    any(&["head"], "coreutils head(1)"),
    any(&["id"], "coreutils id(1)"),
    any(&["ls"], "coreutils ls(1)"),
    any(&["md5sum"], "coreutils md5sum(1)"),
    any(&["nl"], "coreutils nl(1)"),
    any(&["nproc"], "coreutils nproc(1)"),
    any(&["od"], "coreutils od(1)"),
    any(&["paste"], "coreutils paste(1)"),
    any(
        &["printf"],
        "POSIX printf; `-v` of bash is no part of a line that is read",
    ),
    any(&["pwd"], "POSIX pwd"),
    any(&["readlink"], "coreutils readlink(1)"),
    any(&["realpath"], "coreutils realpath(1)"),
    any(&["rev"], "util-linux rev(1)"),
    any(&["seq"], "coreutils seq(1)"),
    any(&["sha1sum"], "coreutils sha1sum(1)"),
    any(&["sha256sum"], "coreutils sha256sum(1)"),
    any(&["sleep"], "coreutils sleep(1)"),
    any(&["stat"], "coreutils stat(1)"),
    any(&["strings"], "binutils strings(1)"),
    any(&["tac"], "coreutils tac(1)"),
    any(&["tail"], "coreutils tail(1)"),
    any(&["tr"], "coreutils tr(1)"),
    any(&["type"], "POSIX type"),
    any(&["uname"], "coreutils uname(1)"),
    any(&["wc"], "coreutils wc(1)"),
    any(&["which"], "which(1)"),
    any(&["whoami"], "coreutils whoami(1)"),
    Reads {
        words: &["awk"],
        flags: "",
        values: "F",
        operands: Operands::Fields,
        source: "POSIX awk: a program may run and write, so only one that prints fields is read",
        ..LISTED
    },
    Reads {
        words: &["date"],
        flags: "uRI",
        values: "dr",
        long: "--date= --iso-8601 --reference= --rfc-3339 --utc",
        operands: Operands::Formats,
        source: "coreutils date(1): -s and an operand set the clock",
        ..LISTED
    },
    Reads {
        words: &["diff"],
        flags: "0123456789abBcdeEHinNpqrsTtuvwyZ",
        values: "CFIULSWx",
        long: "--brief --color --exclude= --ignore-all-space --ignore-blank-lines --ignore-case \
               --ignore-space-change --label= --new-file --recursive --report-identical-files \
               --side-by-side --suppress-common-lines --text --unified --width=",
        source: "diffutils diff(1): -l runs pr",
        ..LISTED
    },
    Reads {
        words: &["file"],
        flags: "bhikLNnrs0",
        values: "",
        long: "--brief --dereference --mime --mime-encoding --mime-type",
        source: "file(1): -C writes, -f and -m take files that say more",
        ..LISTED
    },
    Reads {
        words: &["find"],
        flags: "HLP",
        values: "",
        long: "-a -amin= -and -atime= -cmin= -ctime= -daystart -depth -empty -executable -false \
               -follow -fstype= -gid= -group= -iname= -inum= -ipath= -iregex= -iwholename= -links= \
               -lname= -ls -maxdepth= -mindepth= -mmin= -mount -mtime= -name= -newer= -nogroup -not \
               -nouser -o -or -path= -perm= -print -print0 -printf= -prune -quit -readable -regex= \
               -regextype= -samefile= -size= -true -type= -uid= -user= -wholename= -writable -xdev \
               -xtype=",
        operands: Operands::Tests,
        source: "findutils find(1): -delete, -fprint, -fls and -ok change or ask; what -exec runs is judged on its own",
        ..LISTED
    },
    Reads {
        words: &["jq"],
        flags: "acCeMnrRsS",
        values: "",
        long: "--arg= --compact-output --exit-status --null-input --raw-input --raw-output --slurp --sort-keys --tab",
        operands: Operands::Filter,
        source: "jq(1): a filter may tell of the environment, and read modules",
        ..LISTED
    },
    Reads {
        words: &["rg"],
        flags: "0aFiIlLnNoPpqsSUuvwxcH.",
        values: "ABCEefgjmMrtTd",
        long: "--after-context= --before-context= --case-sensitive --color= --column --context= \
               --count --count-matches --files --files-with-matches --files-without-match \
               --fixed-strings --glob= --heading --hidden --iglob= --ignore-case --invert-match \
               --json --line-number --max-columns= --max-count= --max-depth= --max-filesize= \
               --multiline --multiline-dotall --no-filename --no-heading --no-ignore \
               --no-ignore-vcs --no-line-number --no-messages --null --only-matching --pcre2 \
               --quiet --regexp= --replace= --smart-case --sort= --sortr= --stats --text --trim \
               --type-list --type-not= --type= --unrestricted --version --vimgrep --with-filename \
               --word-regexp",
        source: "rg(1): --pre and --hostname-bin run programs, -z runs decompressors",
        ..LISTED
    },
    Reads {
        words: &["sed"],
        flags: "nErsuz",
        values: "",
        long: "--quiet --silent --regexp-extended",
        operands: Operands::Prints,
        source: "GNU sed(1): -i writes, and the commands e, r, w and s///e read, write and run",
        ..LISTED
    },
    Reads {
        words: &["sort"],
        flags: "bcCdfghiMmnRrsuVz",
        values: "kSt",
        long: "--check --dictionary-order --general-numeric-sort --human-numeric-sort --ignore-case \
               --key= --numeric-sort --reverse --stable --unique --version-sort --zero-terminated",
        source: "coreutils sort(1): -o writes, --compress-program runs, -T says where",
        ..LISTED
    },
    Reads {
        words: &["tree"],
        flags: "aACDdfFghilnNpqrsStuUvx",
        values: "",
        long: "--dirsfirst --du --filelimit= --gitignore --noreport --prune --version",
        source: "tree(1): -o writes",
        ..LISTED
    },
    Reads {
        words: &["uniq"],
        flags: "cdDiuz",
        values: "fsw",
        long: "--count --repeated --unique --ignore-case",
        operands: Operands::AtMost(1),
        source: "coreutils uniq(1): a second operand is written to",
        ..LISTED
    },
    git_list(
        &["git", "branch"],
        "arvq",
        "--all --color --column --format --ignore-case --no-color --no-column --remotes \
               --show-current --sort --verbose",
    ),
    git_with(
        &["git", "blame"],
        "bcefklnpstw",
        "L",
        "--date --line-porcelain --porcelain --root --show-email",
    ),
    git(&["git", "cat-file"], "epst", ""),
    git(
        &["git", "check-ignore"],
        "nqvz",
        "--no-index --non-matching --quiet --verbose",
    ),
    git_list(
        &["git", "config", "--list"],
        "",
        "--global --local --name-only --show-origin --show-scope --system",
    ),
    Reads {
        operands: Operands::AtMost(2),
        ..git(
            &["git", "config", "--get"],
            "",
            "--global --local --show-origin --system",
        )
    },
    git_list(&["git", "count-objects"], "Hv", ""),
    git(
        &["git", "describe"],
        "",
        "--abbrev --all --always --contains --dirty --exact-match --long --tags",
    ),
    Reads {
        words: &["git", "diff"],
        ..GIT_SHOWS
    },
    git(&["git", "for-each-ref"], "", "--count --format --sort"),
    git_with(
        &["git", "grep"],
        "0123456789acEFGhHiIlLnopPqrvwWz",
        "ABCefm",
        "--cached --color --count --files-with-matches --fixed-strings --ignore-case \
               --line-number --name-only --untracked --word-regexp",
    ),
    Reads {
        words: &["git", "log"],
        ..GIT_SHOWS
    },
    git(
        &["git", "ls-files"],
        "cdikmostuvz",
        "--cached --deleted --exclude-standard --full-name --ignored --modified --others \
               --stage --unmerged",
    ),
    git(
        &["git", "ls-tree"],
        "dlrtz",
        "--abbrev --full-name --full-tree --long --name-only --name-status",
    ),
    git(
        &["git", "merge-base"],
        "a",
        "--all --fork-point --independent --is-ancestor --octopus",
    ),
    git(
        &["git", "name-rev"],
        "",
        "--all --always --name-only --tags",
    ),
    Reads {
        words: &["git", "reflog"],
        operands: Operands::AtMost(0),
        ..GIT_SHOWS
    },
    git_list(&["git", "remote"], "v", "--verbose"),
    git(&["git", "remote", "get-url"], "", "--all --push"),
    git(
        &["git", "rev-list"],
        "n",
        "--abbrev-commit --after --all --before --count --first-parent --left-right \
               --max-count --merges --no-merges --objects --reverse --since --until",
    ),
    git(
        &["git", "rev-parse"],
        "q",
        "--abbrev-ref --absolute-git-dir --git-common-dir --git-dir --is-bare-repository \
               --is-inside-git-dir --is-inside-work-tree --quiet --short --show-cdup --show-prefix \
               --show-toplevel --symbolic-full-name --verify",
    ),
    git(
        &["git", "shortlog"],
        "cens",
        "--email --no-merges --numbered --summary",
    ),
    Reads {
        words: &["git", "show"],
        ..GIT_SHOWS
    },
    git(
        &["git", "show-ref"],
        "qs",
        "--abbrev --branches --hash --heads --quiet --tags --verify",
    ),
    git_list(&["git", "stash", "list"], "", "--format --oneline --stat"),
    git(
        &["git", "status"],
        "abdilmnorsuvz",
        "--ahead-behind --branch --column --ignored --long --no-ahead-behind --no-renames \
               --porcelain --renames --short --show-stash --untracked-files --verbose",
    ),
    git_list(&["git", "submodule", "status"], "", "--cached --recursive"),
    git_list(&["git", "tag"], "l", "--column --list --no-column --sort"),
    git_list(&["git", "worktree", "list"], "vz", "--porcelain --verbose"),
];

/// Carriers that change nothing themselves; what they carry is judged on its own.
const READ_CARRIERS: &[(&str, &str)] = &[
    ("command", "finds the program"),
    ("nice", "lowers its priority"),
    ("stdbuf", "changes how its output is buffered"),
    ("timeout", "ends it in time"),
    ("xargs", "gives it words from the input"),
];

/// Programs that show their version with `--version` alone. Not those that may fetch themselves
/// first (`cargo` by way of rustup, `yarn` and `pnpm` by way of corepack).
const VERSIONED: &[&str] = &[
    "bash", "clang", "cmake", "curl", "docker", "gcc", "gh", "git", "jq", "make", "node", "pip",
    "pip3", "python", "python3", "rg", "ruby", "tar",
];

static READS_BY_NAME: ByName<{ READS.len() }> = by_name!(READS, row => row.words[0]);

/// The rows of a program that changes nothing with some options.
pub(in super::super) fn reads(program: &str) -> impl Iterator<Item = &'static Reads> {
    READS_BY_NAME.all(program).filter_map(|at| READS.get(at))
}

/// Whether a program changes nothing itself, whatever it carries.
pub(in super::super) fn is_read_carrier(program: &str) -> bool {
    READ_CARRIERS.iter().any(|(name, _)| *name == program)
}

/// Whether a program shows its version with `--version` alone.
pub(in super::super) fn shows_version(program: &str) -> bool {
    VERSIONED.contains(&program)
}

/// Options before git's own command that change nothing. Those that name another repository are
/// not among them: its configuration may name programs to run.
pub(in super::super) const GIT_READS: &[&str] = &[
    "--no-pager",
    "-P",
    "--no-optional-locks",
    "--literal-pathspecs",
];
