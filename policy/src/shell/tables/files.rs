//! Programs that open the files that they are given: how their arguments say which, as data.
//!
//! An option that does not stand in a row makes undecidable where the program writes. Source of
//! each row: the manual of GNU coreutils, findutils, grep and sed, and POSIX; options that write
//! elsewhere (`cp --parents`, `--backup`, `install -b`) are left out on purpose.

use super::super::files::Access;
use super::by_name::{ByName, by_name};

/// What a program does with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Role {
    /// It opens none of its arguments.
    Nothing,
    /// It reads them.
    Reads,
    /// It changes, makes or removes them.
    Writes,
    /// It reads them; each under its name in another, if that is a folder.
    Compares,
    /// It reads all and writes the last, or what stands in it.
    Copies,
    /// It takes all away and writes the last, or what stands in it.
    Moves,
    /// It makes the last, which leads to the others.
    Links,
    /// `if=` and `of=`.
    Dd,
    /// It reads them, or with `-i` changes them, by a script that may name others.
    Edits,
    /// It may write anything below where it stands.
    Unpacks,
    /// It looks below them, up to the first that is an expression.
    Finds,
    /// It may read and write all that is below them; below the working directory too, if a pattern
    /// stands before them.
    Walks,
}

impl Role {
    /// Whether options may say where it writes.
    pub(in super::super) const fn has_target(self) -> bool {
        matches!(self, Self::Copies | Self::Moves | Self::Links)
    }

    /// Whether all that is below what it opens so is changed or goes with it, as far as it walks.
    pub(in super::super) fn takes_whole(self, access: Access) -> bool {
        match self {
            Self::Writes => access.may_write(),
            // What it writes is the folder that it puts others in.
            Self::Moves => access == Access::Any,
            Self::Nothing
            | Self::Reads
            | Self::Compares
            | Self::Copies
            | Self::Links
            | Self::Dd
            | Self::Edits
            | Self::Unpacks
            | Self::Finds
            | Self::Walks => false,
        }
    }
}

/// A program's arguments.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct FileProgram {
    pub(in super::super) name: &'static str,
    pub(in super::super) role: Role,
    /// Operands before the files: a mode, a script, a pattern.
    pub(in super::super) before: usize,
    /// Options by letter that take no value, and those that take one.
    pub(in super::super) flags: &'static str,
    pub(in super::super) valued: &'static str,
    /// The same by name, without their dashes.
    pub(in super::super) long_flags: &'static [&'static str],
    pub(in super::super) long_valued: &'static [&'static str],
    /// Options that give what else would be an operand before the files.
    pub(in super::super) instead: &'static [&'static str],
    /// Options that make it walk into folders.
    pub(in super::super) walks: &'static [&'static str],
    /// Options that make it take the folders above too.
    pub(in super::super) parents: &'static [&'static str],
    /// Options that make it link in place of copying.
    pub(in super::super) links: &'static [&'static str],
    /// It writes below where it stands, unless its options say that it packs.
    pub(in super::super) unpacks: bool,
    /// A device that it is given is opened, and not taken away or changed itself.
    pub(in super::super) keeps_devices: bool,
    /// A file command, which mode `accept_edits` releases if all its writes are inside the roots.
    pub(in super::super) is_command: bool,
}

const fn row(
    name: &'static str,
    role: Role,
    flags: &'static str,
    valued: &'static str,
) -> FileProgram {
    FileProgram {
        name,
        role,
        before: 0,
        flags,
        valued,
        long_flags: &[],
        long_valued: &[],
        instead: &[],
        walks: &[],
        parents: &[],
        links: &[],
        unpacks: false,
        keeps_devices: !matches!(
            role,
            Role::Writes | Role::Copies | Role::Moves | Role::Links
        ),
        is_command: matches!(
            role,
            Role::Writes | Role::Copies | Role::Moves | Role::Links | Role::Dd
        ),
    }
}

/// A program that opens none of its arguments, whatever its options.
const fn no_files(name: &'static str) -> FileProgram {
    row(name, Role::Nothing, "", "")
}

/// An archiver in the ways of `tar`.
const fn unpacker(name: &'static str) -> FileProgram {
    FileProgram {
        unpacks: true,
        ..row(name, Role::Walks, "", "")
    }
}

/// `sed` under any of its names.
const fn sed(name: &'static str) -> FileProgram {
    FileProgram {
        before: 1,
        long_flags: &[
            "quiet",
            "silent",
            "regexp-extended",
            "in-place",
            "null-data",
            "separate",
            "unbuffered",
            "posix",
        ],
        long_valued: &["expression", "file"],
        instead: &["e", "f", "expression", "file"],
        ..row(name, Role::Edits, "nErisuz", "ef")
    }
}

/// What changes who may do what with files.
const fn changer(name: &'static str, flags: &'static str) -> FileProgram {
    FileProgram {
        before: 1,
        long_flags: &[
            "changes",
            "quiet",
            "silent",
            VERBOSE,
            "recursive",
            "no-dereference",
            "preserve-root",
        ],
        walks: &["R", "recursive"],
        ..row(name, Role::Writes, flags, "")
    }
}

/// `grep` under any of its names.
const fn grep(name: &'static str) -> FileProgram {
    FileProgram {
        before: 1,
        long_flags: &[
            "extended-regexp",
            "fixed-strings",
            "basic-regexp",
            "perl-regexp",
            "ignore-case",
            "no-ignore-case",
            "word-regexp",
            "line-regexp",
            "count",
            "color",
            "colour",
            "files-with-matches",
            "files-without-match",
            "only-matching",
            "quiet",
            "silent",
            "no-messages",
            "with-filename",
            "no-filename",
            "line-number",
            "invert-match",
            "text",
            "recursive",
            "dereference-recursive",
        ],
        long_valued: &[
            "regexp",
            "file",
            "max-count",
            "after-context",
            "before-context",
            "context",
            "include",
            "exclude",
            "exclude-dir",
            "exclude-from",
            "binary-files",
        ],
        instead: &["e", "f", "regexp", "file"],
        // `-d recurse` too.
        walks: &["r", "R", "d", "recursive", "dereference-recursive"],
        ..row(
            name,
            Role::Reads,
            "EFGPiywxcLloqsHhnvaIrRbTUzZ0123456789",
            "efmABCdD",
        )
    }
}

const VERBOSE: &str = "verbose";

/// Every program of which that is known.
const FILE_PROGRAMS: &[FileProgram] = &[
    FileProgram {
        long_flags: &["parents", VERBOSE],
        long_valued: &["mode"],
        ..row("mkdir", Role::Writes, "pv", "m")
    },
    FileProgram {
        long_flags: &["no-create", "no-dereference"],
        long_valued: &["date", "time"],
        ..row("touch", Role::Writes, "acfmh", "dt")
    },
    FileProgram {
        long_flags: &[
            "force",
            "recursive",
            "dir",
            "interactive",
            VERBOSE,
            "one-file-system",
            "preserve-root",
        ],
        walks: &["r", "R", "recursive"],
        ..row("rm", Role::Writes, "fiIrRdv", "")
    },
    FileProgram {
        long_flags: &["ignore-fail-on-non-empty", "parents", VERBOSE],
        parents: &["p", "parents"],
        ..row("rmdir", Role::Writes, "pv", "")
    },
    FileProgram {
        long_flags: &["append", "ignore-interrupts"],
        keeps_devices: true,
        ..row("tee", Role::Writes, "aip", "")
    },
    FileProgram {
        long_flags: &["no-create", "io-blocks"],
        long_valued: &["size"],
        ..row("truncate", Role::Writes, "co", "s")
    },
    changer("chmod", "cfvR"),
    changer("chown", "cfvRhP"),
    changer("chgrp", "cfvRhP"),
    FileProgram {
        long_flags: &[
            "archive",
            "force",
            "interactive",
            "link",
            "dereference",
            "no-clobber",
            "no-dereference",
            "recursive",
            "symbolic-link",
            "no-target-directory",
            "update",
            VERBOSE,
            "one-file-system",
            "preserve",
            "reflink",
        ],
        long_valued: &["target-directory", "no-preserve", "sparse"],
        walks: &["a", "r", "R", "archive", "recursive"],
        links: &["l", "s", "link", "symbolic-link"],
        keeps_devices: true,
        ..row("cp", Role::Copies, "adfiHlLnPpRrsTuvx", "t")
    },
    FileProgram {
        long_flags: &[
            "force",
            "interactive",
            "no-clobber",
            "no-target-directory",
            "update",
            VERBOSE,
        ],
        long_valued: &["target-directory"],
        ..row("mv", Role::Moves, "finTuv", "t")
    },
    FileProgram {
        long_flags: &[
            "symbolic",
            "force",
            "interactive",
            "no-dereference",
            "no-target-directory",
            "relative",
            "logical",
            "physical",
            VERBOSE,
        ],
        long_valued: &["target-directory"],
        ..row("ln", Role::Links, "sfinLPrTv", "t")
    },
    FileProgram {
        long_flags: &[
            "compare",
            "preserve-timestamps",
            "strip",
            "no-target-directory",
            VERBOSE,
        ],
        long_valued: &["group", "mode", "owner", "target-directory"],
        ..row("install", Role::Copies, "cCpsTv", "gmot")
    },
    row("dd", Role::Dd, "", ""),
    sed("sed"),
    sed("gsed"),
    // What reads.
    FileProgram {
        long_flags: &[
            "show-all",
            "number-nonblank",
            "show-ends",
            "number",
            "squeeze-blank",
            "show-tabs",
            "show-nonprinting",
        ],
        ..row("cat", Role::Reads, "AbeEnstTuv", "")
    },
    FileProgram {
        long_flags: &["quiet", "silent", VERBOSE],
        long_valued: &["bytes", "lines"],
        ..row("head", Role::Reads, "qvz0123456789", "cn")
    },
    FileProgram {
        long_flags: &["quiet", "silent", VERBOSE, "retry", "follow"],
        long_valued: &["bytes", "lines", "pid", "sleep-interval"],
        ..row("tail", Role::Reads, "fFqrvz0123456789", "cns")
    },
    FileProgram {
        long_flags: &["bytes", "chars", "lines", "max-line-length", "words"],
        ..row("wc", Role::Reads, "cmlLw", "")
    },
    FileProgram {
        long_flags: &[
            "brief",
            "recursive",
            "unified",
            "side-by-side",
            "ignore-all-space",
            "color",
        ],
        walks: &["r", "recursive"],
        ..row(
            "diff",
            Role::Compares,
            "abBcdeilNpqrstTuwyE0123456789",
            "CUxW",
        )
    },
    row("sdiff", Role::Compares, "", ""),
    row("cmp", Role::Reads, "bls", "in"),
    row("nl", Role::Reads, "p", "bdfhilnsvw"),
    row("md5sum", Role::Reads, "bctwz", ""),
    row("sha1sum", Role::Reads, "bctwz", ""),
    row("sha256sum", Role::Reads, "bctwz", ""),
    FileProgram {
        long_flags: &["all", "almost-all", "recursive", "human-readable", "color"],
        long_valued: &["sort", "time", "ignore", "hide"],
        ..row(
            "ls",
            Role::Reads,
            "aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1@",
            "ITw",
        )
    },
    FileProgram {
        long_flags: &["dereference", "file-system", "terse"],
        long_valued: &["format", "printf"],
        ..row("stat", Role::Reads, "LftxnFqrs", "c")
    },
    row("file", Role::Reads, "bhiLkprsvz", ""),
    row("readlink", Role::Reads, "femnqsvz", ""),
    row("realpath", Role::Reads, "eLmPqsz", ""),
    grep("grep"),
    grep("egrep"),
    grep("fgrep"),
    row("find", Role::Finds, "", ""),
    // What walks through folders, in a grammar that is not read here.
    FileProgram {
        before: 1,
        ..row("rg", Role::Walks, "", "")
    },
    FileProgram {
        before: 1,
        ..row("rgrep", Role::Walks, "", "")
    },
    FileProgram {
        before: 1,
        ..row("fd", Role::Walks, "", "")
    },
    FileProgram {
        before: 1,
        ..row("fdfind", Role::Walks, "", "")
    },
    FileProgram {
        before: 1,
        ..row("ag", Role::Walks, "", "")
    },
    FileProgram {
        before: 1,
        ..row("ack", Role::Walks, "", "")
    },
    unpacker("tar"),
    unpacker("bsdtar"),
    unpacker("gtar"),
    row("unzip", Role::Unpacks, "", ""),
    row("patch", Role::Unpacks, "", ""),
    row("apply_patch", Role::Unpacks, "", ""),
    row("cpio", Role::Unpacks, "", ""),
    row("pax", Role::Unpacks, "", ""),
    row("7z", Role::Unpacks, "", ""),
    row("7za", Role::Unpacks, "", ""),
    row("7zz", Role::Unpacks, "", ""),
    row("zip", Role::Walks, "", ""),
    row("rsync", Role::Walks, "", ""),
    row("scp", Role::Walks, "", ""),
    row("ditto", Role::Walks, "", ""),
    // What opens none of its arguments.
    no_files(":"),
    no_files("["),
    no_files("basename"),
    no_files("break"),
    no_files("cd"),
    no_files("continue"),
    no_files("dirname"),
    no_files("echo"),
    no_files("exit"),
    no_files("export"),
    no_files("expr"),
    no_files("false"),
    no_files("kill"),
    no_files("local"),
    no_files("printf"),
    no_files("pwd"),
    no_files("return"),
    no_files("seq"),
    no_files("set"),
    no_files("shift"),
    no_files("sleep"),
    no_files("test"),
    no_files("true"),
    no_files("type"),
    no_files("uname"),
    no_files("unset"),
    no_files("wait"),
    no_files("which"),
    no_files("whoami"),
];

static FILE_PROGRAMS_BY_NAME: ByName<{ FILE_PROGRAMS.len() }> =
    by_name!(FILE_PROGRAMS, row => row.name);

/// What is known of the files that a program opens.
pub(in super::super) fn file_program(name: &str) -> Option<&'static FileProgram> {
    FILE_PROGRAMS_BY_NAME.find(FILE_PROGRAMS, name)
}

/// How the names of options that say where to write begin.
pub(in super::super) const TARGET: [&str; 2] = ["t", "target-directory"];
