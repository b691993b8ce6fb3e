//! Lines that change nothing are known as such, and no others: plan mode lets only them through.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a test says what went wrong by failing"
)]

mod support;

use gatefold::gate::Mode;
use support::{decide, decide_in};

fn changes_nothing(line: &str) -> bool {
    decide_in(Mode::Plan, line, &[("allow", "Bash")]) != "deny"
}

#[test]
fn lines_that_change_nothing_run_in_plan_mode() {
    for line in [
        "ls -la",
        "pwd",
        "git status",
        "git status --porcelain -uno",
        "git log --oneline -5",
        "git log -n 20 --format='%h %s' --since='2 days ago' -- src",
        "git diff --stat HEAD~1",
        "git diff --cached -w",
        "git show -s HEAD",
        "git show HEAD:src/a.rs | head -50",
        "git blame -L 1,20 a.rs",
        "git branch -a",
        "git branch --show-current",
        "git remote -v",
        "git rev-parse --abbrev-ref HEAD",
        "git ls-files | wc -l",
        "git --no-pager log -3",
        "git stash list",
        "git worktree list",
        "git config --get user.name",
        "git grep -n foo -- '*.rs'",
        "cat a b | grep -i \"x y\" | sort -u | uniq -c | sort -rn | head -20",
        "grep -rn 'a|b' src --include=*.rs",
        "rg -n --glob '*.rs' 'fn main' src",
        "find . -name '*.rs' -type f -not -path './target/*'",
        "find . -name '*.rs' -exec grep -l x {} +",
        "find . -name '*.rs' -print0 | xargs -0 grep -n x",
        "sed -n '1,20p' a.rs",
        "sed -n '$p;5q' a.rs",
        "awk '{print $1, $NF}' a",
        "awk -F: '{print $2}' a",
        "wc -l *.rs",
        "du -sh . && df -h",
        "[ -f a ] && cat a || echo none",
        "for f in a b; do head -3 \"$f\"; done",
        "echo $HOME; echo \"$(git rev-parse HEAD)\"",
        "ls 2>/dev/null; ls 2>&1",
        "diff -u a b",
        "date +%F; date -u",
        "jq '.a.b' < a.json",
        "timeout 5 ls",
        "command -v cargo",
        "python3 --version",
        "cd src && ls",
        "tree -a",
        "file a; stat a",
    ] {
        assert!(changes_nothing(line), "{line}");
    }
}

/// Lines that may change something.
const CHANGING: &[&str] = &[
    "rm x",
    "touch x",
    "ls > x",
    "ls >> x",
    "cat <<E > x\na\nE",
    "cargo test",
    "make",
    "git add .",
    "git branch x",
    "git branch -D x",
    "git branch --set-upstream-to=a",
    "git diff --output=x",
    "git diff --ext-diff",
    "git log --textconv",
    "git log \"$x\"",
    "git log $x",
    "git log --no-such",
    "git -c core.pager=x log",
    "git -c core.fsmonitor=x status",
    "git -C x status",
    "git --git-dir=x status",
    "git --exec-path=x status",
    "cd x && git status",
    "git stash",
    "git stash pop",
    "git remote add a b",
    "git tag x",
    "git worktree add x",
    "git config user.name x",
    "git config --get a b c",
    "git config --list x",
    "git grep -Oless x",
    "git grep --open-files-in-pager=x a",
    "git reflog expire --all",
    "git cat-file --filters x",
    "git push",
    "find . -delete",
    "find . -name x -delete",
    "find . -fprint x",
    "find . -fls x",
    "find . -exec rm {} +",
    "find . -ok ls {} \\;",
    "find \"$x\"",
    "sort -o x a",
    "sort -ro x a",
    "sort --output=x a",
    "sort --compress-program=x a",
    "sort \"$x\"",
    "sed -i s/a/b/ x",
    "sed -n -i 1p x",
    "sed -n 'w x' a",
    "sed -n '1w x' a",
    "sed -n 1e a",
    "sed s/a/b/e x",
    "sed -f x a",
    "sed",
    "awk '{system(\"x\")}' a",
    "awk '{print > \"x\"}' a",
    "awk '{print | \"x\"}' a",
    "awk -f x a",
    "awk 'BEGIN{x}' a",
    "uniq a b",
    "uniq a +b",
    "date -s x",
    "date 01010101",
    "diff -l a b",
    "tree -o x",
    "file -C",
    "jq -n env",
    "jq -n '$ENV'",
    "printenv",
    "ps aux",
    "git diff -U --output=x",
    "git log -pU --output=x",
    "git blame -- a --output=x",
    "git stash show -O x -S --output=x",
    "find -- . -delete",
    "find -- a -fprint x",
    "find . -name .git -execdir git status \\;",
    "tree -Io a x",
    "tree -Lo 2 x",
    "uniq -- *",
    "uniq -- $x",
    "ls | xargs uniq --",
    "pgrep -af x",
    "rg --pre x a",
    "rg --pre=x a",
    "rg -z a",
    "rg --hostname-bin=x a",
    "xargs rm",
    "ls | xargs touch",
    "sudo ls",
    "env ls",
    "bash -c ls",
    "cargo --version",
    "python3 --version x",
    "/tmp/ls",
    "./cat x",
    "ls; rm x",
    "echo $(rm x)",
    "eval ls",
    "ls $(touch x)",
    "PATH=. ls",
    "export X=1",
    "tee x",
    "ls | tee x",
    "hostname x",
    "",
];

#[test]
fn a_line_that_may_change_something_does_not_run_in_plan_mode() {
    for line in CHANGING {
        assert!(!changes_nothing(line), "{line}");
    }
}

/// Whether what is read lies where the work is, nobody has judged yet.
#[test]
fn a_line_that_changes_nothing_is_asked_about_all_the_same_where_nobody_allows_it() {
    assert_eq!(decide("cat /etc/passwd", &[("deny", "Edit")]), "ask");
    assert_eq!(decide("ls", &[("allow", "Bash(pwd)")]), "ask");
}
