//! `gatefold lint` and `gatefold test`: what they print, and how they end.

mod hostile;
#[path = "../support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};

use serde_json::Value;
use support::schemas::{LINT, faults};
use support::{Run, line, parse, run};

/// Documents, options, exit code of `lint`, exit code of `test`.
const EXITS: &[(&[&str], &[&str], i32, i32)] = &[
    (&["sound.toml"], &[], 0, 0),
    (&["warned.toml"], &[], 0, 0),
    (&["failing.toml"], &[], 2, 2),
    (&["broken.toml"], &[], 2, 2),
    (&["sound.toml", "warned.toml"], &[], 0, 0),
    (&["sound.toml", "broken.toml"], &[], 2, 2),
    (&["warned.toml", "failing.toml"], &[], 2, 2),
    (&["sound.toml", "nowhere.toml"], &[], 2, 2),
    (&["."], &[], 2, 2),
    (&[""], &[], 2, 2),
    (&[], &[], 2, 2),
    (&["sound.toml"], &["--platform", "win32"], 0, 0),
    (&["sound.toml"], &["--platform", "beos"], 2, 2),
    (&["sound.toml"], &["--format", "yaml"], 2, 2),
];

#[test]
fn what_lint_says_reads_so() {
    for (name, documents) in [
        ("sound", &["sound.toml"][..]),
        ("warned", &["warned.toml"]),
        ("broken", &["broken.toml"]),
        ("failing", &["failing.toml"]),
        ("together", &["warned.toml", "sound.toml"]),
    ] {
        insta::assert_snapshot!(format!("lint-{name}"), look("lint", documents, &[]).stdout);
    }
}

#[test]
fn what_test_says_reads_so() {
    for (name, documents) in [
        ("sound", &["sound.toml"][..]),
        ("warned", &["warned.toml"]),
        ("broken", &["broken.toml"]),
        ("failing", &["failing.toml"]),
        ("together", &["warned.toml", "sound.toml"]),
    ] {
        insta::assert_snapshot!(format!("test-{name}"), look("test", documents, &[]).stdout);
    }
}

#[test]
fn what_they_say_as_data_reads_so() {
    let json = &["--format", "json"];
    for (look_at, documents) in [("lint", "broken.toml"), ("test", "failing.toml")] {
        let ran = look(look_at, &[documents], json);
        insta::assert_snapshot!(format!("{look_at}.json"), ran.stdout);
    }
}

#[test]
fn the_exit_code_says_whether_the_documents_are_loaded() {
    for (documents, options, lint, test) in EXITS {
        for (look_at, code) in [("lint", lint), ("test", test)] {
            for format in [&[][..], &["--format", "json"]] {
                let ran = look(look_at, documents, &[*options, format].concat());
                assert_eq!(ran.code, *code, "{look_at} {documents:?} {options:?}");
                assert_eq!(ran.stdout.is_empty(), !ran.stderr.is_empty(), "{ran:?}");
            }
        }
    }
}

#[test]
fn what_decide_loads_is_what_lint_finds_sound() {
    for (documents, options, lint, _) in EXITS {
        if documents.is_empty() || !options.is_empty() {
            continue;
        }
        let mut args = vec!["decide".to_owned()];
        for document in *documents {
            args.extend(["--policy".to_owned(), path(document)]);
        }
        let args: Vec<_> = args.iter().map(String::as_str).collect();
        assert_eq!(run(&args, line("ls", "")).code, *lint, "{documents:?}");
    }
}

#[test]
fn a_warning_is_as_bad_as_an_error_if_that_is_asked_for() {
    for (document, code) in [("warned.toml", 2), ("sound.toml", 0), ("broken.toml", 2)] {
        let strict = look("lint", &[document], &["--strict"]);
        assert_eq!(strict.code, code, "{document}");
        assert_eq!(strict.stdout, look("lint", &[document], &[]).stdout);
    }
    let data = look("lint", &["warned.toml"], &["--strict", "--format", "json"]);
    assert_eq!(parse(&data.stdout)["loads"], true);
}

#[test]
fn the_examples_of_the_project_are_sound() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/gatefold.toml");
    let ran = run(&["lint", "--strict", example], "");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let tests = parse(&run(&["test", "--format", "json", example], "").stdout);
    let tests = tests["tests"].as_array().expect("they were run");
    assert!(tests.len() >= 4, "{tests:?}");
}

#[test]
fn the_data_fits_its_schema_and_says_what_the_text_says() {
    for (documents, options, ..) in EXITS {
        for look_at in ["lint", "test"] {
            let text = look(look_at, documents, options);
            let data = look(
                look_at,
                documents,
                &[*options, &["--format", "json"]].concat(),
            );
            if data.stdout.is_empty() {
                assert_eq!((data.code, text.code), (2, 2), "{documents:?}");
                continue;
            }
            let data = parse(&data.stdout);
            assert_eq!(faults(&LINT, &data), [""; 0], "{data}");
            for problem in list(&data, "problems") {
                let code = problem["code"].as_str().expect("a code");
                let place = &problem["place"];
                let shown = format!("[{code}]: {}\n", problem["sentence"].as_str().expect("one"));
                assert!(text.stdout.contains(&shown), "{shown}{}", text.stdout);
                let at = format!(
                    "--> {}:{}:{}\n",
                    place["file"]
                        .as_str()
                        .expect("a file")
                        .replace(&folder(), ""),
                    place["line"],
                    place["column"]
                );
                assert!(text.stdout.contains(&at), "{at}{}", text.stdout);
            }
            let passed = list(&data, "tests").filter(|test| test["passed"] == true);
            let rows = text.stdout.lines().filter(|line| line.starts_with("ok "));
            let expected = if look_at == "test" { passed.count() } else { 0 };
            assert_eq!(rows.count(), expected, "{}", text.stdout);
        }
    }
}

#[test]
fn what_is_documented_of_the_data_is_what_there_is() {
    let help = run(&["lint", "--help"], "").stdout;
    let test_help = run(&["test", "--help"], "").stdout;
    let data = parse(&look("test", &["failing.toml"], &["--format", "json"]).stdout);
    let mut keys: Vec<_> = data.as_object().expect("one").keys().cloned().collect();
    for key in ["problems", "tests"] {
        for part in list(&data, key) {
            keys.extend(part.as_object().expect("an object").keys().cloned());
        }
    }
    keys.extend(["start", "end", "file", "line", "column"].map(str::to_owned));
    for key in keys {
        assert!(help.contains(&key) && test_help.contains(&key), "{key}");
    }
    for code in ["   0  ", "   2  ", "  70  ", "  74  "] {
        assert!(help.contains(code) && test_help.contains(code), "{code}");
    }
}

/// Runs `lint` or `test` on documents of this folder, whose name is left out of what it says.
fn look(look: &str, documents: &[&str], options: &[&str]) -> Run {
    let paths: Vec<_> = documents.iter().map(|document| path(document)).collect();
    let paths: Vec<_> = paths.iter().map(String::as_str).collect();
    let mut ran = run(&[&[look], options, &paths].concat(), "");
    ran.stdout = ran.stdout.replace(&folder(), "");
    ran
}

fn path(document: &str) -> String {
    format!("{}{document}", folder())
}

fn folder() -> String {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lint");
    format!("{}/", folder.display())
}

fn list<'a>(data: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    data[key].as_array().into_iter().flatten()
}
