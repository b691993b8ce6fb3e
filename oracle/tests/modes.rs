//! Modes that a document forbids: whoever names one, the call is decided as in `default`.

mod support;

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use support::{hook, parse, request, run, schemas, short};

const HEAD: &str = "schema = 'gatefold/policy/v1'\n";

/// A mode, its word in the host's events, and what becomes of an edit inside the roots in it.
const MODES: &[(&str, &str, &str)] = &[
    ("bypass", "bypassPermissions", "allow mode"),
    ("accept_edits", "acceptEdits", "allow mode"),
    // There is no classifier here.
    ("auto", "auto", "ask unstated"),
];

/// Who names the mode: the documents beside the one that forbids, the fields of the request, and
/// whose mode is told of.
const SOURCES: &[(&str, &str, &str)] = &[
    ("", r#""mode":"MODE""#, "call"),
    ("mode = 'MODE'", "", "call"),
    (
        "",
        r#""mode":"MODE","agent":"a","ancestors":[{"agent":"b","mode":"MODE"}]"#,
        "call ancestors[0]",
    ),
    (
        "",
        r#""mode":"bypass","agent":"a","ancestors":[{"mode":"MODE"},{"mode":"bypass"}]"#,
        "ancestors[0]",
    ),
    (
        "mode = 'MODE'",
        r#""agent":"a","ancestors":[{"agent":"b"}]"#,
        "call ancestors[0]",
    ),
];

const FILES: &str = r#""cwd":"/srv/app","roots":["/srv/app"],"facts":{"realpaths":{"/":"/"}}"#;

#[test]
fn a_forbidden_mode_is_default_whoever_names_it() {
    for (mode, _, free) in MODES {
        for (settings, fields, told) in SOURCES {
            let fields = fields.replace("MODE", mode);
            let comma = if fields.is_empty() { "" } else { "," };
            let args = r#"{"file_path":"/srv/app/a"}"#;
            let request = request("Edit", args, &format!("{FILES}{comma}{fields}"));
            let decide = |forbids: &str| {
                let settings = settings.replace("MODE", mode);
                let text = format!("{HEAD}{settings}\n[limits]\nforbid_modes = [{forbids}]\n");
                let file = File::new("mode", &text);
                let ran = run(&["decide", "--policy", &file.path()], &request);
                assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{request}");
                let said = parse(&ran.stdout);
                schemas::hold(request.as_bytes(), &said);
                (said, file.path())
            };
            let (said, _) = decide("");
            // Where the caller is in `bypass`, an ancestor decides.
            let is_mixed = *told == "ancestors[0]";
            assert_eq!(short(&said), *free, "{request}");
            assert_eq!(said["forbidden_modes"], Value::Null, "{request}");

            let (said, path) = decide(&format!("'{mode}'"));
            assert_eq!(short(&said), "ask unstated", "{settings} {request}");
            let mut all: Vec<_> = told
                .split(' ')
                .map(|of| json!({ "of": of, "mode": mode, "documents": [path] }))
                .collect();
            if is_mixed && *mode == "bypass" {
                let bypass = |of: &str| json!({ "of": of, "mode": mode, "documents": [path] });
                all = vec![bypass("call"), all[0].clone(), bypass("ancestors[1]")];
            } else {
                let in_force = if is_mixed { "bypass" } else { "default" };
                assert_eq!(said["record"]["mode"], in_force, "{request}");
            }
            assert_eq!(said["forbidden_modes"], Value::from(all), "{request}");
        }
    }
}

#[test]
fn a_host_is_told_of_it_with_the_answer() {
    for (mode, word, _) in MODES {
        for agent in [
            json!({}),
            json!({ "agent_id": "1", "agent_type": "reviewer" }),
        ] {
            for named_by_event in [true, false] {
                let settings = if named_by_event {
                    String::new()
                } else {
                    format!("mode = '{mode}'\n")
                };
                let text = format!("{HEAD}{settings}[limits]\nforbid_modes = ['{mode}']\n");
                let file = File::new("hook", &text);
                let mut event = parse(&hook::bash("make all"));
                let fields = event.as_object_mut().expect("an object");
                fields.remove("permission_mode");
                if named_by_event {
                    fields.insert("permission_mode".into(), (*word).into());
                }
                fields.extend(agent.as_object().expect("an object").clone());
                let path = file.path();
                let args = ["hook", "claude-code", "--policy", &path, "--explain"];
                let ran = run(&args, event.to_string());
                assert_eq!(hook::decision(&ran), "ask", "{event}");
                let says = format!("(mode {mode} is forbidden by `{path}`, so default holds)");
                assert!(
                    hook::reason(&ran).ends_with(&says),
                    "{}",
                    hook::reason(&ran)
                );
                let explains = format!(
                    "The permission mode is default.\nMode {mode} is forbidden by `{path}`, so \
                     default holds in its place.\n"
                );
                assert!(ran.stderr.contains(&explains), "{}", ran.stderr);
            }
        }
    }
}

#[test]
fn the_account_names_each_document_and_whose_mode_it_is() {
    let text = format!("{HEAD}[limits]\nforbid_modes = ['bypass', 'bypass']\n");
    let (one, other) = (File::new("one", &text), File::new("other", &text));
    let fields = r#""mode":"bypass","agent":"a","ancestors":[{"mode":"bypass"}]"#;
    let (one, other) = (one.path(), other.path());
    let documents = ["decide", "--policy", &one, "--found-policy", &other];
    let request = support::line("make", fields);
    for form in ["--explain", "--format=text"] {
        let ran = run(&[&documents[..], &[form]].concat(), &request);
        for of in ["", " of ancestors[0]"] {
            let says = format!(
                "Mode bypass{of} is forbidden by `{one}` and `{other}`, so default holds in its \
                 place.\n"
            );
            assert!(ran.stdout.contains(&says), "{}", ran.stdout);
        }
    }
    let ran = run(
        &[&documents[..], &["--explain", "--format=json"]].concat(),
        &request,
    );
    let said = parse(&ran.stdout);
    schemas::hold(request.as_bytes(), &said);
    assert_eq!(said["forbidden_modes"][1]["documents"], json!([one, other]));
    assert_eq!(said["explain"]["mode"], "default");
}

#[test]
fn tests_of_a_document_are_run_in_the_mode_that_holds() {
    for (mode, _, _) in MODES {
        for (forbids, want) in [("", "allow"), (*mode, "ask")] {
            // In `auto` nobody answers for a person here.
            let want = if *mode == "auto" { "ask" } else { want };
            let forbids = match forbids {
                "" => String::new(),
                mode => format!("'{mode}'"),
            };
            let text = format!(
                "{HEAD}roots = ['.']\n[limits]\nforbid_modes = [{forbids}]\n[[test]]\ncall = \
                 'Edit(a)'\nmode = '{mode}'\nwant = '{want}'\n"
            );
            let file = File::new("tests", &text);
            let ran = run(&["test", &file.path()], "");
            assert_eq!(ran.code, 0, "{text}{}", ran.stdout);
        }
    }
}

/// A document in a file of its own, gone with it.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let path = folder.join(format!("modes-{name}-{}.toml", std::process::id()));
        fs::write(&path, text).expect("the document can be written");
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
