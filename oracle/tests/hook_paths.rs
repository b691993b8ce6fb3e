//! Where the paths of a call lead is looked up by the hook itself.
#![cfg(unix)]

mod support;

use std::env;
use std::fs;
use std::os::unix::fs::symlink;

use serde_json::json;
use support::hook::{decision, hook, with};
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
