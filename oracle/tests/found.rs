//! `--found-policy`: documents that were found in a repository.

mod support;

use std::fs;
use std::path::PathBuf;

use support::{Run, hook, line, parse, rule, run, short};

const HEAD: &str = "schema = 'gatefold/policy/v1'\n";
const HOST: &str = "[policy]\nallow = ['Bash(git *)']\n";
const FOUND: &str =
    "mode = 'bypass'\n[rules.project]\nallow = ['Bash(cargo *)']\ndeny = ['Bash(git push *)']\n";

/// A command, and what is decided of it without the found document, with it, and if it is trusted.
const ROWS: &[(&str, &str, &str, &str)] = &[
    ("git status", "allow policy", "allow policy", "allow policy"),
    ("git push origin", "allow policy", "deny rule", "deny rule"),
    (
        "cargo build",
        "ask unstated",
        "ask unstated",
        "allow stored_rule",
    ),
    ("ls", "ask unstated", "ask unstated", "ask unstated"),
];

#[test]
fn what_is_found_tightens_and_is_warned_of_where_it_would_loosen() {
    let (host, found) = (File::new("host", HOST), File::new("found", FOUND));
    let (host, found) = (host.path(), found.path());
    for (command, without, with, trusted) in ROWS {
        let decide = |more: &[&str]| {
            let args = [&["decide", "--policy", &host], more].concat();
            run(&args, line(command, ""))
        };
        let said = |ran: &Run| short(&parse(&ran.stdout));
        assert_eq!(said(&decide(&[])), *without, "{command}");
        assert_eq!(said(&decide(&["--policy", &found])), *trusted, "{command}");
        let ran = decide(&["--found-policy", &found]);
        assert_eq!(said(&ran), *with, "{command}");
        let warnings = ran.stderr.matches("warning[not_counted]").count();
        assert_eq!(warnings, 2, "{}", ran.stderr);
        if *with == "deny rule" {
            let decision = parse(&ran.stdout);
            assert_eq!(rule(&decision), "Bash(git push *)");
            assert_eq!(decision["record"]["basis"]["file"], *found);
        }
    }
}

#[test]
fn the_record_tells_whose_word_a_document_was() {
    let found = File::new("digest", "[rules.user]\ndeny = ['Edit']\n");
    let path = found.path();
    let digest = |option: &str| {
        let ran = run(&["decide", option, &path], line("ls", ""));
        parse(&ran.stdout)["record"]["policy"].clone()
    };
    assert_ne!(digest("--policy"), digest("--found-policy"));
}

#[test]
fn a_found_document_that_is_not_sound_or_not_there_decides_nothing() {
    let host = File::new("sound", HOST);
    let broken = File::new("broken", "[rules.user]\ndeny = ['Bash(rm']\n");
    let missing = broken.path().replace("broken", "missing");
    for (found, code) in [
        (broken.path(), "rule_unbalanced"),
        (missing, "unreadable_document"),
    ] {
        let host = host.path();
        let documents = ["--policy", &host, "--found-policy", &found];
        let args = [&["decide"], &documents[..]].concat();
        let ran = run(&args, line("git status", ""));
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{found}");
        assert!(ran.stderr.contains(code), "{}", ran.stderr);

        let args = [&["hook", "claude-code"], &documents[..]].concat();
        let ran = run(&args, hook::bash("git status"));
        assert_eq!(hook::decision(&ran), "deny", "{found}");
        assert!(hook::reason(&ran).contains(code), "{}", hook::reason(&ran));
    }
}

#[test]
fn a_hook_takes_a_found_document_by_its_absolute_path_alone() {
    let (host, found) = (File::new("hook", HOST), File::new("hook-found", FOUND));
    let (host, found) = (host.path(), found.path());
    let answer = |found: &str, command: &str| {
        let args = [
            "hook",
            "claude-code",
            "--policy",
            &host,
            "--found-policy",
            found,
        ];
        let ran = run(&args, hook::bash(command));
        (hook::decision(&ran), hook::reason(&ran))
    };
    assert_eq!(answer(&found, "git status").0, "allow");
    assert_eq!(answer(&found, "git push origin").0, "deny");
    assert_eq!(answer(&found, "cargo build").0, "ask");
    let (decision, reason) = answer("examples/gatefold.toml", "git status");
    assert_eq!(decision, "deny");
    assert!(reason.contains("[relative_policy]"), "{reason}");
    let (decision, reason) = answer(env!("CARGO_TARGET_TMPDIR"), "git status");
    assert_eq!(decision, "deny");
    assert!(reason.contains("[not_a_file]"), "{reason}");
    // It stands beside the host's own, and not in its place.
    let ran = run(
        &["hook", "claude-code", "--found-policy", &found],
        hook::bash("git status"),
    );
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
}

#[test]
fn lint_and_test_look_at_found_documents_as_they_are_loaded() {
    let host = File::new("lint", HOST);
    let tested = format!(
        "{FOUND}[[test]]\ncall = 'Bash(cargo build)'\nwant = 'allow'\nrule = 'Bash(cargo *)'\n"
    );
    let found = File::new("lint-found", &tested);
    let (host, found) = (host.path(), found.path());
    for documents in [
        vec![host.as_str(), "--found-policy", &found],
        vec!["--found-policy", &found],
    ] {
        let args = [&["lint", "--format=json"], &documents[..]].concat();
        let ran = run(&args, "");
        assert_eq!(ran.code, 0, "{}", ran.stdout);
        let report = parse(&ran.stdout);
        let problems = report["problems"].as_array().expect("a list");
        let codes: Vec<_> = problems.iter().map(|problem| &problem["code"]).collect();
        let counted = codes.iter().filter(|code| **code == "not_counted").count();
        assert_eq!(counted, 2, "{report}");
        let names = report["documents"].as_array().expect("a list");
        assert_eq!(
            names.last().and_then(|name| name.as_str()),
            Some(found.as_str())
        );

        let strict = run(&[&["lint", "--strict"], &documents[..]].concat(), "");
        assert_eq!(strict.code, 2);
        let ran = run(&[&["test"], &documents[..]].concat(), "");
        assert_eq!(ran.code, 0, "{}", ran.stdout);
        assert!(ran.stdout.contains("1 test passed"), "{}", ran.stdout);
    }
    let nothing = run(&["lint"], "");
    assert_eq!((nothing.code, nothing.stdout.as_str()), (2, ""));
}

/// A document in a file of its own, gone with it.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let path = folder.join(format!("found-{name}-{}.toml", std::process::id()));
        fs::write(&path, format!("{HEAD}{text}")).expect("the document can be written");
        Self(path)
    }

    fn path(&self) -> String {
        self.0.to_str().expect("it is text").to_owned()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
