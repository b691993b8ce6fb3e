//! Lines, run in a real bash whose programs only write down how they were called.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Programs that write down how they were called and do nothing.
const STUBS: &[&str] = &[
    "a", "agent", "b", "c", "cargo", "cat", "curl", "cp", "date", "evil", "evil2", "f", "gh",
    "git", "grep", "head", "id", "ls", "make", "mkdir", "mv", "npm", "python3", "rm", "sed",
    "sleep", "sort", "sudo", "tee", "touch", "tr", "uniq", "wc", "which", "doas", "ssh", "busybox",
    "watch", "axevil", "evil;a", "evil a", "a;evil", "tail", "node", "pip", "docker", "time", "x",
    "in", "if", "}", "done",
];

/// Programs that run what they are given, as they are.
const REAL: &[&str] = &[
    "bash", "sh", "env", "nice", "nohup", "timeout", "xargs", "find", "setsid", "stdbuf",
];

/// One line after the other, each in a shell of its own, whose programs write to a pipe that is
/// read to its end: what runs in the background counts too.
const DRIVER: &str = r#"
ulimit -f 64 -c 0
number=0
FUNCNEST=20
while IFS= read -r -d '' __line; do
    __log=$(
        (
            ulimit -t 1
            IFS=$' \t\n'
            eval "$__line"
        ) 9>&1 < /dev/null > /dev/null 2> /dev/null
    )
    printf '%s\035%s\0' "$number" "$__log" >&8
    number=$((number + 1))
done 8>&1
"#;

/// A call of a program: its name, and what it was given.
pub(crate) type Call = Vec<String>;

/// The folder in which lines run.
pub(crate) struct Yard {
    folder: PathBuf,
}

impl Yard {
    /// None if there is no bash.
    pub(crate) fn new(name: &str) -> Option<Self> {
        let bash = find("bash")?;
        let folder = std::env::temp_dir().join(format!("gatefold-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let bin = folder.join("bin");
        fs::create_dir_all(&bin).expect("a folder");
        fs::create_dir_all(folder.join("work")).expect("a folder");
        let stub = "#!/bin/sh\nlog=${0##*/}\nfor arg; do log=$log$(printf '\\037')$arg; done\n\
                    printf '%s\\036' \"$log\" >&9\n";
        // Without a program in the stub: it would count as called.
        let stub = stub.replace("$(printf '\\037')", "\u{1f}");
        for name in STUBS {
            let path = bin.join(name);
            fs::write(&path, &stub).expect("a stub");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a mode");
        }
        for name in REAL {
            if let Some(path) = find(name) {
                std::os::unix::fs::symlink(path, bin.join(name)).expect("a link");
            }
        }
        let _ = bash;
        Some(Self { folder })
    }

    /// The calls of each line, in the order of the lines, where these variables have values.
    pub(crate) fn run(&self, lines: &[String], variables: &[(String, &str)]) -> Vec<Vec<Call>> {
        let chunks: Vec<_> = lines.chunks(50).collect();
        let (first, second) = chunks.split_at(chunks.len() / 2);
        let batches = |chunks: &[&[String]]| -> Vec<Vec<Call>> {
            let batch = |chunk: &&[String]| self.batch(chunk, variables);
            chunks.iter().flat_map(batch).collect()
        };
        std::thread::scope(|scope| {
            let rest = scope.spawn(|| batches(second));
            let mut calls = batches(first);
            calls.extend(rest.join().expect("bash runs"));
            calls
        })
    }

    fn batch(&self, lines: &[String], variables: &[(String, &str)]) -> Vec<Vec<Call>> {
        let bash = find("bash").expect("bash");
        let mut child = Command::new(find("timeout").unwrap_or_else(|| bash.clone()))
            .args(["-k", "1", "300"])
            .arg(&bash)
            .args(["--norc", "--noprofile", "-c", DRIVER])
            .env_clear()
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .env("PATH", self.folder.join("bin"))
            .current_dir(self.folder.join("work"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("bash runs");
        let mut input = child.stdin.take().expect("an input");
        let bytes: Vec<u8> = lines
            .iter()
            .flat_map(|line| line.bytes().chain([0]))
            .collect();
        let writer = std::thread::spawn(move || input.write_all(&bytes));
        let output = child.wait_with_output().expect("an output");
        let _ = writer.join();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut calls = vec![Vec::new(); lines.len()];
        let mut seen = 0;
        for record in text.split_terminator('\0') {
            let (number, log) = record.split_once('\u{1d}').expect("a record");
            let number: usize = number.parse().expect("a number");
            calls[number] = log
                .split_terminator('\u{1e}')
                .map(|call| call.split('\u{1f}').map(str::to_owned).collect())
                .collect();
            seen += 1;
        }
        assert_eq!(
            seen,
            lines.len(),
            "bash ended early, after {:?}",
            lines.get(seen)
        );
        calls
    }
}

impl Drop for Yard {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A program of this machine.
fn find(name: &str) -> Option<PathBuf> {
    ["/bin", "/usr/bin", "/usr/local/bin"]
        .iter()
        .map(|folder| Path::new(folder).join(name))
        .find(|path| path.exists())
}
