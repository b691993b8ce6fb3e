//! That every list of the targets is the same list, and that what is kept is in order.
#![allow(missing_docs, reason = "a test says what it is by its name")]

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use gatefold_fuzz::{CANARY, TARGETS, corpus};

/// All corpora together, in bytes.
const CORPORA_BYTES_MAX: usize = 1 << 20;

/// A target's file, in lines.
const LINES_MAX: usize = 10;

type Names = BTreeSet<String>;

#[test]
fn files_manifest_corpora_and_readme_list_the_same_targets() {
    let tested: Names = TARGETS
        .iter()
        .map(|target| target.name.to_owned())
        .collect();
    let mut all = tested.clone();
    all.insert(CANARY.name.to_owned());
    assert_eq!(stems("fuzz_targets", ".rs"), all, "files");
    assert_eq!(bins(), all, "manifest");
    assert_eq!(stems("corpora", ".tar.gz"), tested, "corpora");
    assert_eq!(rows(), all, "table of README.md");
    let dictionaries = stems("dictionaries", ".dict");
    assert!(
        dictionaries.is_subset(&all),
        "dictionaries: {dictionaries:?}"
    );
}

#[test]
fn cargo_fuzz_lists_the_same_targets() {
    let fuzz_dir = corpus::folder("");
    let listed = Command::new(env!("CARGO"))
        .args(["fuzz", "list", "--fuzz-dir"])
        .arg(fuzz_dir)
        .output();
    let Some(listed) = listed.ok().filter(|listed| listed.status.success()) else {
        println!("cargo-fuzz is not installed");
        return;
    };
    let listed = String::from_utf8(listed.stdout).expect("names are text");
    assert_eq!(listed.lines().map(str::to_owned).collect::<Names>(), bins());
}

#[test]
fn a_target_is_glue_and_names_itself() {
    for name in bins() {
        let text = read(&format!("fuzz_targets/{name}.rs"));
        assert!(text.lines().count() <= LINES_MAX, "{name}");
        assert!(
            text.contains(&format!("gatefold_fuzz::target!(\"{name}\");")),
            "{name}"
        );
    }
}

#[test]
fn corpora_are_small_and_packed_as_they_are_packed_here() {
    let mut bytes = 0;
    for target in TARGETS {
        let packed = fs::read(corpus::archive(target.name)).expect("it has a corpus");
        bytes += packed.len();
        let inputs = corpus::unpack(&packed).expect("it can be unpacked");
        assert_eq!(
            inputs,
            corpus::named(inputs.values().cloned()),
            "{}: names",
            target.name
        );
        assert_eq!(
            corpus::pack(&inputs).expect("it can be packed"),
            packed,
            "{}",
            target.name
        );
        let long = inputs.values().filter(|input| input.len() > target.max_len);
        assert_eq!(long.count(), 0, "{}", target.name);
    }
    println!("{bytes} bytes of corpora");
    assert!(bytes <= CORPORA_BYTES_MAX, "{bytes}");
}

#[test]
fn every_regression_has_a_sentence() {
    let sentences = read("regressions/README.md");
    let mut kept = Names::new();
    for target in TARGETS {
        let folder = corpus::folder("regressions").join(target.name);
        for (path, _) in corpus::files(&folder).unwrap_or_default() {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            kept.insert(format!("{}/{name}", target.name));
        }
    }
    let listed: Names = sentences.lines().filter_map(cell).collect();
    assert_eq!(listed, kept);
}

/// The names of a folder's files that end so, without their ending.
fn stems(folder: &str, ending: &str) -> Names {
    let files = corpus::files(&corpus::folder(folder)).expect("it can be read");
    let names = files.iter().map(|(path, _)| {
        path.file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    });
    names
        .map(|name| {
            let stem = name.strip_suffix(ending);
            stem.unwrap_or_else(|| panic!("{folder}/{name} does not end in {ending}"))
                .to_owned()
        })
        .collect()
}

fn bins() -> Names {
    let manifest: toml::Table = read("Cargo.toml").parse().expect("it is TOML");
    let bins = manifest["bin"].as_array().expect("a list");
    let names = bins.iter().map(|bin| {
        let name = bin["name"].as_str().expect("a name");
        let path = format!("fuzz_targets/{name}.rs");
        assert_eq!(bin["path"].as_str(), Some(path.as_str()));
        name.to_owned()
    });
    names.collect()
}

/// The targets of the first table of the README.
fn rows() -> Names {
    let readme = read("README.md");
    let rows = readme
        .lines()
        .skip_while(|line| !line.starts_with("| target |"))
        .skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .filter_map(cell)
        .collect()
}

/// What stands in backticks in the first cell of a row.
fn cell(line: &str) -> Option<String> {
    let cell = line.strip_prefix("| `")?;
    Some(cell.split_once('`')?.0.to_owned())
}

fn read(file: &str) -> String {
    fs::read_to_string(corpus::folder(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}
