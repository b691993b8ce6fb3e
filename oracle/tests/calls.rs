//! The calls of `examples/calls`, judged by `examples/gatefold.toml`, and the table of them in the
//! README.

mod support;

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use support::{files, parse, rule, run, short};

const POLICY: &str = "examples/gatefold.toml";

/// Call, decision, the rule behind it, exit code, what is to be seen in it.
const CALLS: &[(&str, &str, &str, i32, &str)] = &[
    (
        "assignment",
        "ask org",
        "Bash(curl *)",
        10,
        "an assignment may change what runs, so the line is not known whole, and every deny could be about it",
    ),
    (
        "cargo-test",
        "allow policy",
        "Bash(cargo test *)",
        0,
        "what the host runs without asking",
    ),
    (
        "compound",
        "ask org",
        "Bash(curl *)",
        10,
        "what `eval` runs cannot be known, so every deny could be about it, and no mode runs past that",
    ),
    (
        "compound-denied",
        "deny rule",
        "Bash(rm *)",
        20,
        "every command of a line is judged, and one that is denied denies the line",
    ),
    (
        "download",
        "deny org",
        "Bash(curl *)",
        20,
        "the organisation's deny, with its reason",
    ),
    (
        "edit",
        "ask rule",
        "Edit",
        10,
        "a stated ask stands in `accept_edits` too",
    ),
    (
        "edit-by-reviewer",
        "deny rule",
        "Edit",
        20,
        "a deny for one agent, under a parent that has none",
    ),
    (
        "edit-workflow",
        "deny rule",
        "Edit(.github/workflows/**)",
        20,
        "a deny of a path, whichever tool would change it",
    ),
    (
        "fetch",
        "allow policy",
        "WebFetch(domain:docs.rs)",
        0,
        "the host of the URL, as fetchers read it",
    ),
    (
        "force-push",
        "ask org",
        "Bash(git push *)",
        10,
        "options between the words of a rule do not hide them, nor does `bypass` run past an ask",
    ),
    (
        "git-push",
        "ask org",
        "Bash(git push *)",
        10,
        "the organisation's ask, with its reason",
    ),
    (
        "git-status",
        "allow policy",
        "Bash(git status)",
        0,
        "exactly these words",
    ),
    (
        "github-delete",
        "deny org",
        "mcp__github__delete_repository",
        20,
        "server and tool are compared separately, as the host names them",
    ),
    (
        "github-issue",
        "allow stored_rule",
        "mcp__github__get_issue",
        0,
        "a rule that a person stored",
    ),
    (
        "if-else",
        "allow policy",
        "Bash(cargo test *)",
        0,
        "every command of the line has an allow of its own",
    ),
    (
        "read",
        "allow policy",
        "Read",
        0,
        "plan mode refuses what may change something, and no reading",
    ),
    (
        "rm-by-path",
        "deny rule",
        "Bash(rm *)",
        20,
        "a deny looks at the program, not at its path",
    ),
    (
        "sed-workflow",
        "deny rule",
        "Edit(.github/workflows/**)",
        20,
        "a deny of a path holds for what commands write, in `bypass` too",
    ),
    (
        "sudo-rm",
        "deny org",
        "Bash(sudo *)",
        20,
        "`bypass` runs past no deny",
    ),
    ("unstated", "ask unstated", "", 10, "no rule is about it"),
    (
        "unstated-nobody",
        "deny mode",
        "",
        20,
        "mode `dont_ask`: what nobody allowed does not run",
    ),
];

#[test]
fn every_call_is_decided_as_its_row_says() {
    let calls = files("examples/calls");
    let names: Vec<_> = calls.iter().map(|(name, _)| name.as_str()).collect();
    let rows: Vec<_> = CALLS.iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, rows, "every call has a row, and every row a call");
    for ((name, request), (_, decision, behind, code, _)) in calls.iter().zip(CALLS) {
        let ran = run(&["decide", "--exit-code", "--policy", POLICY], request);
        let said = parse(&ran.stdout);
        assert_eq!(
            (short(&said).as_str(), rule(&said)),
            (*decision, *behind),
            "{name}"
        );
        assert_eq!((ran.code, ran.stderr.as_str()), (*code, ""), "{name}");
    }
}

#[test]
fn the_example_policy_has_nothing_that_is_worth_a_second_look() {
    let ran = run(
        &["decide", "--policy", POLICY],
        &files("examples/calls")[0].1,
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

#[test]
fn the_table_in_the_readme_is_what_is_decided() {
    const BEGIN: &str = "<!-- calls -->\n";
    const END: &str = "<!-- /calls -->";
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = fs::read_to_string(&path).expect("README.md is there");
    let begin = readme.find(BEGIN).expect("the table begins") + BEGIN.len();
    let end = readme.find(END).expect("the table ends");
    let table = table();
    if std::env::var_os("GATEFOLD_UPDATE_README").is_some() {
        let updated = format!("{}{table}{}", &readme[..begin], &readme[end..]);
        fs::write(&path, updated).expect("README.md can be written");
    } else {
        let stale = "stale: run the tests once with GATEFOLD_UPDATE_README=1";
        assert!(readme[begin..end] == table, "{stale}");
    }
}

fn table() -> String {
    let mut table =
        "| call | mode | decision | by | to be seen in it |\n|---|---|---|---|---|\n".to_owned();
    for ((name, request), (_, decision, behind, _, seen)) in
        files("examples/calls").iter().zip(CALLS)
    {
        let request = parse(request);
        let call = &request["call"];
        let line = call["args"]["command"].as_str().or(call["tool"].as_str());
        let line = line.expect("a line or a tool");
        let mode = request["mode"]
            .as_str()
            .map_or_else(String::new, |mode| format!("`{mode}`"));
        let (verdict, by) = decision.split_once(' ').expect("a verdict and who");
        let by = if behind.is_empty() {
            by.to_owned()
        } else {
            format!("`{behind}`")
        };
        let agent = request.get("agent").and_then(Value::as_str);
        let agent = agent.map_or_else(String::new, |agent| format!(" by `{agent}`"));
        table.push_str(&format!(
            "| [`{line}`](examples/calls/{name}.json){agent} | {mode} | **{verdict}** | {by} | {seen} |\n"
        ));
    }
    table
}
