//! The schema of policy documents against the documents that are loaded, and those that are not.

use std::fs;

use serde_json::Value;

use super::support::run;
use super::support::schemas::{POLICY, faults};

const HEAD: &str = "schema = 'gatefold/policy/v1'\n";

/// What is wrong in a document's shape: the schema says so, and so does the loader.
const WRONG: &[(&str, &str)] = &[
    ("", "missing_key"),
    ("schema = 'gatefold/policy/v2'", "wrong_schema"),
    ("schema = 7", "wrong_type"),
    (
        "schema = 'gatefold/policy/v1'\nmodes = 'plan'",
        "unknown_key",
    ),
    (
        "schema = 'gatefold/policy/v1'\nmode = 'yolo'",
        "unknown_word",
    ),
    (
        "schema = 'gatefold/policy/v1'\nunstated = 'deny'",
        "unknown_word",
    ),
    ("schema = 'gatefold/policy/v1'\nroots = 'src'", "wrong_type"),
    (
        "schema = 'gatefold/policy/v1'\n[org]\nforbid = []",
        "unknown_key",
    ),
    (
        "schema = 'gatefold/policy/v1'\n[org]\ndeny = 'Edit'",
        "wrong_type",
    ),
    (
        "schema = 'gatefold/policy/v1'\n[org]\ndeny = [7]",
        "wrong_type",
    ),
    (
        "schema = 'gatefold/policy/v1'\n[org]\ndeny = [{ why = 'no' }]",
        "missing_key",
    ),
    (
        "schema = 'gatefold/policy/v1'\n[org]\ndeny = [{ rule = 'Edit', because = 'no' }]",
        "unknown_key",
    ),
    (
        "schema = 'gatefold/policy/v1'\n[rules.stored]\ndeny = ['Edit']",
        "unknown_key",
    ),
    (
        "schema = 'gatefold/policy/v1'\n[tools.T]\nkind = 'tool'",
        "unknown_word",
    ),
    (
        "schema = 'gatefold/policy/v1'\n[tools.T]\nfield = 'x'",
        "missing_key",
    ),
    (
        "schema = 'gatefold/policy/v1'\n[limits]\nedit_cap = 4",
        "limit_raised",
    ),
    (
        "schema = 'gatefold/policy/v1'\n[limits]\nforbid_modes = ['plan']",
        "mode_not_looser",
    ),
    (
        "schema = 'gatefold/policy/v1'\n[limits]\nline_bytes = -1",
        "wrong_type",
    ),
    (
        "schema = 'gatefold/policy/v1'\n[limits]\nhooks = 1",
        "unknown_key",
    ),
    (
        "schema = 'gatefold/policy/v1'\n[agents.a]\nmode = 'plan'",
        "unknown_key",
    ),
    (
        "schema = 'gatefold/policy/v1'\n[[test]]\nwant = 'deny'",
        "missing_key",
    ),
    (
        "schema = 'gatefold/policy/v1'\n[[test]]\ncall = 'Edit'\nwant = 'no'",
        "unknown_word",
    ),
    (
        "schema = 'gatefold/policy/v1'\n[[test]]\ncall = { args = {} }\nwant = 'deny'",
        "missing_key",
    ),
    (
        "schema = 'gatefold/policy/v1'\n[protected]\nremove = []",
        "unknown_key",
    ),
    (
        "schema = 'gatefold/policy/v1'\n[protected]\nadd = [{ path = '/x' }]",
        "missing_key",
    ),
];

#[test]
fn documents_that_are_loaded_fit_their_schema() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let mut documents: Vec<String> = [
        "examples/gatefold.toml",
        "oracle/tests/hook/policy.toml",
        "oracle/tests/hook/warned.toml",
    ]
    .iter()
    .map(|path| fs::read_to_string(format!("{root}/{path}")).expect("it can be read"))
    .collect();
    for readme in ["README.md", "policy/README.md"] {
        let readme = fs::read_to_string(format!("{root}/{readme}")).expect("it can be read");
        let shown = readme.split("<!-- problems -->").next().unwrap_or_default();
        let blocks = shown.split("```toml\n").skip(1);
        let blocks = blocks.filter_map(|block| block.split("```").next());
        documents.extend(
            blocks
                .filter(|block| block.starts_with("schema"))
                .map(str::to_owned),
        );
    }
    assert_eq!(documents.len(), 5, "the documents that are shown and kept");
    for document in documents {
        assert_eq!(loaded(&document), "", "{document}");
        assert_eq!(faults(&POLICY, &values(&document)), [""; 0], "{document}");
    }
}

#[test]
fn what_is_wrong_in_a_documents_shape_is_refused_by_both() {
    for (document, code) in WRONG {
        assert_eq!(loaded(document), *code, "{document}");
        assert!(!POLICY.is_valid(&values(document)), "{document}");
    }
    let rows: Vec<_> = WRONG.iter().map(|(_, code)| *code).collect();
    for code in ["missing_key", "unknown_key", "wrong_type", "unknown_word"] {
        assert!(rows.contains(&code), "{code}");
    }
    assert_eq!(loaded(HEAD), "");
}

fn values(document: &str) -> Value {
    let table: toml::Table = toml::from_str(document).expect("it is TOML");
    serde_json::to_value(table).expect("it has a form in JSON")
}

/// The code of why a document is not loaded, or nothing.
fn loaded(document: &str) -> String {
    let name = format!(
        "shape-{}-{:?}.toml",
        std::process::id(),
        std::thread::current().id()
    );
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, document).expect("it can be written");
    let path_text = path.to_str().expect("a path is text");
    let request = r#"{"call":{"id":"c","tool":"Edit","args":{}}}"#;
    let ran = run(&["decide", "--policy", path_text], request);
    fs::remove_file(&path).expect("it can be removed");
    if ran.code == 0 {
        return String::new();
    }
    let code = ran.stderr.rsplit('[').next().unwrap_or_default();
    code.trim_end_matches(['\n', ']']).to_owned()
}
