//! The engine links and runs without std, and the check that says so can fail.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a test of the build runs cargo and copies files; the engine does neither"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[test]
fn the_engine_links_without_std() {
    let output = build(&engine());
    assert!(
        output.status.success(),
        "nostd-check does not build:\n{}",
        stderr(&output)
    );
}

/// Only where rustc's own linker is `cc`, so that no other tool is needed.
#[cfg(target_os = "linux")]
#[test]
fn a_whole_pass_runs_without_std() {
    assert!(
        build(&engine()).status.success(),
        "nostd-check does not build"
    );
    let program = temporary().join("check");
    let linked = Command::new("cc")
        .arg(engine().join("nostd-check/main.c"))
        .arg(temporary().join("target/debug/libgatefold_nostd_check.a"))
        .arg("-o")
        .arg(&program)
        .output()
        .expect("cc runs");
    assert!(linked.status.success(), "{}", stderr(&linked));
    let ran = Command::new(&program).status().expect("the check runs");
    assert!(ran.success(), "a pass came to something else: {ran}");
}

#[test]
fn a_dependency_that_pulls_std_in_is_refused() {
    let copy = copy_of_the_engine();
    switch_std_on(&copy.join("Cargo.toml"), "serde_json");

    let output = build(&copy.join("engine"));

    let said = stderr(&output);
    assert!(
        !output.status.success(),
        "nostd-check builds with std in serde_json"
    );
    assert!(
        said.contains("duplicate lang item") && said.contains("panic_impl"),
        "nostd-check fails, but not because std was pulled in:\n{said}"
    );
}

/// Also what lets the two builds above go without a network once the workspace is built.
#[test]
fn the_check_is_built_from_the_same_versions_as_the_workspace() {
    let ours = locked(&root().join("Cargo.lock"));
    let theirs = locked(&engine().join("nostd-check/Cargo.lock"));
    let only_theirs: Vec<_> = theirs.difference(&ours).collect();
    assert!(
        only_theirs.is_empty(),
        "engine/nostd-check/Cargo.lock has what the root's Cargo.lock has not: {only_theirs:?}"
    );
}

fn engine() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn root() -> PathBuf {
    engine().join("..")
}

fn temporary() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("nostd")
}

/// `--locked` rather than `--offline`: the lock file already names everything, and a machine that
/// has not fetched a crate yet may still do so.
fn build(engine: &Path) -> Output {
    Command::new(env!("CARGO"))
        .args(["build", "--locked", "--manifest-path"])
        .arg(engine.join("nostd-check/Cargo.toml"))
        .arg("--target-dir")
        .arg(temporary().join("target"))
        .env("CARGO_TERM_COLOR", "never")
        .output()
        .expect("cargo runs")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A workspace of the engine alone, with the root manifest that the engine's own inherits from.
fn copy_of_the_engine() -> PathBuf {
    let copy = temporary().join("with-std");
    if copy.exists() {
        fs::remove_dir_all(&copy).expect("an older copy can be removed");
    }
    copy_folder(&engine(), &copy.join("engine"));
    fs::copy(root().join("Cargo.toml"), copy.join("Cargo.toml")).expect("root manifest");
    copy
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("folder can be made");
    for entry in fs::read_dir(from).expect("folder can be read") {
        let entry = entry.expect("entry can be read");
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if !source.is_dir() {
            fs::copy(&source, &target).expect("file can be copied");
        } else if entry.file_name() != "target" {
            copy_folder(&source, &target);
        }
    }
}

/// Asks for the `std` feature where the workspace declares `dependency`, on one line.
fn switch_std_on(manifest: &Path, dependency: &str) {
    let before = fs::read_to_string(manifest).expect("root manifest can be read");
    let declaration = format!("{dependency} = {{");
    let after: String = before
        .lines()
        .map(|line| {
            if line.starts_with(&declaration) {
                line.replace("features = [", "features = [\"std\", ") + "\n"
            } else {
                format!("{line}\n")
            }
        })
        .collect();
    assert_eq!(
        after.matches("\"std\", ").count(),
        before.matches("\"std\", ").count() + 1,
        "the workspace declares {dependency} in a form this test cannot edit"
    );
    fs::write(manifest, after).expect("manifest can be written");
}

/// Each registry package of a lock file: its name, version and checksum lines.
fn locked(lock: &Path) -> BTreeSet<Vec<String>> {
    let text = fs::read_to_string(lock)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", lock.display()));
    text.split("[[package]]")
        .filter(|package| package.contains("\nchecksum = "))
        .map(|package| {
            let keys = ["name = ", "version = ", "checksum = "];
            let kept = |line: &&str| keys.iter().any(|key| line.starts_with(key));
            package.lines().filter(kept).map(str::to_owned).collect()
        })
        .collect()
}
