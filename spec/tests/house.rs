//! What the crate promises of itself: who knows the engine, and schemas that are up to date.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a test says what went wrong by failing"
)]

use std::fs;
use std::path::{Path, PathBuf};

/// Set to write the schemas instead of comparing them.
const UPDATE: &str = "GATEFOLD_UPDATE_SCHEMAS";

#[test]
fn only_the_words_are_imported_from_the_engine() {
    let sources = sources(&root().join("src"));
    assert!(sources.len() > 5, "the sources were found");
    // The kit runs the engine for its living; the interpreter, which is all the rest, must not.
    let kit = root().join("src/testkit");
    for path in sources.into_iter().filter(|path| !path.starts_with(&kit)) {
        let text = fs::read_to_string(&path).unwrap();
        let code = text.lines().map(str::trim_start);
        let code = code.filter(|line| !line.starts_with("//"));
        let code: Vec<_> = code.collect();
        let names_engine = engine_paths(&code.join("\n"));
        if path.ends_with("words.rs") {
            assert_eq!(names_engine, ["gatefold::gate"], "{}", path.display());
            continue;
        }
        assert_eq!(names_engine, [""; 0], "{}", path.display());
    }
}

#[test]
fn the_interpreter_does_not_use_the_kit() {
    for path in sources(&root().join("src")) {
        if path.starts_with(root().join("src/testkit")) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let uses = text.lines().filter(|line| line.contains("testkit"));
        let expected: &[&str] = if path.ends_with("src/lib.rs") {
            &["#[cfg(feature = \"testkit\")]", "pub mod testkit;"]
        } else {
            &[]
        };
        assert!(uses.eq(expected.iter().copied()), "{}", path.display());
    }
}

#[test]
fn an_import_of_the_engine_is_seen() {
    assert_eq!(
        engine_paths("use gatefold::gate::Mode;"),
        ["gatefold::gate"]
    );
    assert_eq!(engine_paths("use gatefold_spec::words;"), [""; 0]);
    assert_eq!(engine_paths("use gatefold as engine;"), ["gatefold "]);
    assert_eq!(
        engine_paths("fn a(m: ::gatefold::limits::X)"),
        ["gatefold::limits"]
    );
}

#[test]
fn the_words_are_enums_and_nothing_else() {
    let text = fs::read_to_string(root().join("src/words.rs")).unwrap();
    let imported = text.split_once("use gatefold::gate::{").unwrap().1;
    let imported = imported.split_once("};").unwrap().0;
    let listed = text.split_once("vocabularies! {").unwrap().1;
    for name in imported
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
    {
        let used = format!("=> {name},");
        assert!(
            listed.contains(&used),
            "{name} is imported and is no vocabulary"
        );
    }
}

#[test]
fn the_schemas_are_up_to_date() {
    let folder = root().join("schemas");
    for (file, schema) in gatefold_spec::schemas() {
        let path = folder.join(file);
        if std::env::var_os(UPDATE).is_some() {
            fs::write(&path, &schema).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            written == schema,
            "{file} is not up to date; run once with {UPDATE}=1"
        );
    }
    let files = fs::read_dir(folder).unwrap().count();
    assert_eq!(
        files,
        gatefold_spec::schemas().len(),
        "no schema is left over"
    );
}

/// Every path into the engine: its first two parts, or its name alone and what follows.
fn engine_paths(code: &str) -> Vec<String> {
    let starts = code.match_indices("gatefold").map(|(at, _)| &code[at..]);
    let engine = starts.filter(|path| !path.starts_with("gatefold_"));
    let parts = engine.map(|path| {
        let rest = &path["gatefold".len()..];
        match rest.strip_prefix("::") {
            Some(rest) => {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                format!("gatefold::{}", &rest[..end.unwrap_or(rest.len())])
            }
            None => format!("gatefold{}", rest.chars().next().unwrap_or(' ')),
        }
    });
    parts.collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut sources = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources.extend(self::sources(&path));
        } else {
            sources.push(path);
        }
    }
    sources
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
