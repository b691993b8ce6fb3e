//! Where the paths of a call lead is looked up by the hook itself.
#![cfg(unix)]

mod support;

use std::env;
use std::fs;
use std::os::unix::fs::symlink;

use serde_json::json;
use support::hook::{decision, hook, reason, with};
use support::parse;

#[test]
fn a_link_hides_nothing_from_the_hook() {
    let folder = env::temp_dir().join(format!("gatefold-hook-paths-{}", std::process::id()));
    let work = folder.join("work");
    fs::create_dir_all(work.join("src")).expect("a folder");
    fs::create_dir_all(folder.join("secret")).expect("a folder");
    fs::write(work.join("src/a"), "").expect("a file");
    fs::write(folder.join("secret/key"), "").expect("a file");
    symlink(folder.join("secret"), work.join("src/link")).expect("a link");
    let policy = work.join("rules.toml");
    let text = "schema = 'gatefold/policy/v1'\nroots = ['.']\n[rules.user]\n\
                allow = ['Read(src/**)', 'Edit(src/**)', 'Edit(rules.toml)']\n\
                deny = ['Read(/../secret/**)']\n";
    fs::write(&policy, text).expect("a policy");
    let policy = policy.to_str().expect("a path is text");
    let mut said = Vec::new();
    for (tool, path) in [
        ("Read", "src/a"),
        ("Read", "src/new"),
        ("Read", "src/link/key"),
        ("Read", "src/link/../x"),
        ("Edit", "src/a"),
        ("Edit", "src/link/key"),
        ("Edit", "rules.toml"),
    ] {
        let mut event = parse(&with("/cwd", json!(work)));
        event["tool_name"] = json!(tool);
        event["tool_input"] = json!({ "file_path": path });
        let run = hook(&[policy], event.to_string());
        said.push(format!("{tool} {path}: {}", decision(&run)));
    }
    fs::remove_dir_all(&folder).expect("it can be removed");
    assert_eq!(
        said,
        [
            "Read src/a: allow",
            "Read src/new: allow",
            "Read src/link/key: deny",
            // Whether `..` goes up from the link or from where it leads differs from tool to tool.
            "Read src/link/../x: ask",
            "Edit src/a: allow",
            "Edit src/link/key: ask",
            "Edit rules.toml: ask",
        ]
    );
}

#[test]
fn an_ask_for_what_is_protected_says_which_path_and_by_what() {
    let folder = env::temp_dir().join(format!("gatefold-hook-protected-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let policy = folder.join("rules.toml");
    let text = "schema = 'gatefold/policy/v1'\n[rules.user]\nallow = ['Bash', 'Edit(//**)']\n\
                [protected]\nadd = [{ path = '/deploy/**/key', why = 'it runs in production' }]\n";
    fs::write(&policy, text).expect("a policy");
    let policy = policy.to_str().expect("a path is text");
    let mut said = Vec::new();
    for (tool, field, text) in [
        ("Bash", "command", "echo x > .git/config"),
        ("Bash", "command", "rm -rf deploy"),
        ("Bash", "command", "rm -rf ."),
        ("Bash", "command", "rm -rf build"),
        ("Edit", "file_path", "deploy/a/key"),
        ("Edit", "file_path", "rules.toml"),
        ("Edit", "file_path", "src/a"),
    ] {
        let mut event = parse(&with("/cwd", json!(folder)));
        event["tool_name"] = json!(tool);
        event["tool_input"] = json!({ field: text });
        let run = hook(&[policy], event.to_string());
        let why = reason(&run);
        let why = why.split("; ").find(|part| part.starts_with('`'));
        let verdict = decision(&run);
        said.push(format!("{text}: {verdict} {}", why.unwrap_or_default()));
    }
    fs::remove_dir_all(&folder).expect("it can be removed");
    assert_eq!(
        said,
        [
            "echo x > .git/config: ask `.git/config` falls under the protected `//**/.git`: \
             hooks, settings and history of a repository",
            "rm -rf deploy: ask `deploy` falls under the protected `/deploy/**/key`: \
             it runs in production",
            "rm -rf .: ask `.` is protected: it is a policy document or what else decides, or a folder with one",
            "rm -rf build: allow ",
            "deploy/a/key: ask `deploy/a/key` falls under the protected `/deploy/**/key`: \
             it runs in production",
            "rules.toml: ask `rules.toml` is protected: \
             it is a policy document or what else decides, or a folder with one",
            "src/a: allow ",
        ]
    );
}
