//! Commands of git about whole trees of files, and programs whose words are commands of their own.

use super::super::files::Access;

/// A command of git that changes or searches the files where it stands.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct GitTree {
    pub(in super::super) command: &'static str,
    /// Words of which one must stand beside it, if there are any.
    pub(in super::super) with: &'static [&'static str],
    /// Words with which it does nothing of that.
    pub(in super::super) without: &'static [&'static str],
    pub(in super::super) access: Access,
    /// If it names paths it is about these alone.
    pub(in super::super) named: bool,
}

const fn tree(command: &'static str, access: Access, named: bool) -> GitTree {
    GitTree {
        command,
        with: &[],
        without: &[],
        access,
        named,
    }
}

/// Source: the manual of each. What git knows of files is not looked at otherwise (`diff`, `log`,
/// `add .`).
pub(in super::super) const GIT_TREES: &[GitTree] = &[
    tree("grep", Access::Read, false),
    tree("apply", Access::Write, false),
    tree("am", Access::Write, false),
    tree("checkout-index", Access::Write, false),
    GitTree {
        with: &["--", ".", "-f", "--force", "--pathspec-from-file"],
        ..tree("checkout", Access::Write, true)
    },
    GitTree {
        without: &["-n", "--dry-run"],
        ..tree("clean", Access::Write, true)
    },
    GitTree {
        with: &["--hard", "--merge", "--keep"],
        ..tree("reset", Access::Write, false)
    },
    GitTree {
        without: &["--staged", "-S"],
        ..tree("restore", Access::Write, true)
    },
    GitTree {
        without: &["--cached", "-n", "--dry-run"],
        ..tree("rm", Access::Write, true)
    },
    tree("mv", Access::Write, true),
    GitTree {
        without: &["list", "show", "drop", "clear"],
        ..tree("stash", Access::Write, false)
    },
];

/// Programs whose words are commands of their own, and run none of the programs of the same names.
pub(in super::super) const SUBCOMMANDED: &[&str] = &[
    "apk",
    "apt",
    "apt-get",
    "aws",
    "az",
    "brew",
    "bun",
    "bundle",
    "cargo",
    "composer",
    "deno",
    "dnf",
    "docker",
    "gcloud",
    "gem",
    "gh",
    "git",
    "go",
    "gsutil",
    "helm",
    "kubectl",
    "npm",
    "pip",
    "pip3",
    "pnpm",
    "podman",
    "poetry",
    "systemctl",
    "terraform",
    "uv",
    "yarn",
    "yum",
];
