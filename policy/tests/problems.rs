//! Every problem of a document by one example, which is also how `README.md` shows it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    missing_docs,
    reason = "a test says what went wrong by failing, and reads and writes its own list"
)]

use std::collections::BTreeSet;
use std::path::Path;

use gatefold_policy::{Code, DOCUMENT_BYTES_MAX, Platform, Policy, Problem, RuleError, Source};

/// A code of the list, and the documents that show it: the last is the one that is shown.
const EXAMPLES: &[(&str, &[&str])] = &[
    (
        "not_toml",
        &["schema = 'gatefold/policy/v1'\n[rules.user\n"],
    ),
    (
        "unknown_key",
        &["schema = 'gatefold/policy/v1'\n[rules.user]\ndenny = ['Bash(rm *)']\n"],
    ),
    ("missing_key", &["[rules.user]\ndeny = ['Bash(rm *)']\n"]),
    (
        "wrong_type",
        &["schema = 'gatefold/policy/v1'\n[rules.user]\ndeny = 'Bash(rm *)'\n"],
    ),
    ("wrong_schema", &["schema = 'gatefold/policy/v2'\n"]),
    (
        "unknown_word",
        &["schema = 'gatefold/policy/v1'\nmode = 'acceptEdits'\n"],
    ),
    (
        "bad_name",
        &["schema = 'gatefold/policy/v1'\n[agents.'']\nrules.user.deny = ['Bash']\n"],
    ),
    (
        "bad_host",
        &["schema = 'gatefold/policy/v1'\n[egress]\nhosts = ['https://example.com/']\n"],
    ),
    (
        "limit_raised",
        &["schema = 'gatefold/policy/v1'\n[limits]\nedit_cap = 4\n"],
    ),
    (
        "mode_not_looser",
        &["schema = 'gatefold/policy/v1'\n[limits]\nforbid_modes = ['plan']\n"],
    ),
    (
        "tool_redefined",
        &["schema = 'gatefold/policy/v1'\n[tools.Bash]\nkind = 'other'\n"],
    ),
    (
        "tool_twice",
        &[
            "schema = 'gatefold/policy/v1'\n[tools.RunIt]\nkind = 'shell'\n",
            "schema = 'gatefold/policy/v1'\n[tools.RunIt]\nkind = 'other'\n",
        ],
    ),
    (
        "bad_path",
        &[
            "schema = 'gatefold/policy/v1'\n[protected]\nadd = [{ path = '/', why = 'all of it' }]\n",
        ],
    ),
    (
        "modes_clash",
        &[
            "schema = 'gatefold/policy/v1'\nmode = 'plan'\n",
            "schema = 'gatefold/policy/v1'\nmode = 'dont_ask'\n",
        ],
    ),
    (
        "bad_test",
        &["schema = 'gatefold/policy/v1'\n[[test]]\ncall = 'WebFetch(notes)'\nwant = 'allow'\n"],
    ),
    (
        "test_failed",
        &[
            "schema = 'gatefold/policy/v1'\n[rules.user]\nask = ['Bash(git push *)']\n\n[[test]]\ncall = 'Bash(git push origin main)'\nwant = 'deny'\n",
        ],
    ),
    (
        "allow_left_out",
        &["schema = 'gatefold/policy/v1'\n[rules.user]\nallow = ['Bash(echo $HOME)']\n"],
    ),
    (
        "unknown_tool",
        &["schema = 'gatefold/policy/v1'\n[rules.user]\ndeny = ['WebFech']\n"],
    ),
    (
        "shadowed",
        &[
            "schema = 'gatefold/policy/v1'\n[org]\nask = ['Bash(git push *)']\n[rules.user]\nallow = ['Bash(git push origin *)']\n",
        ],
    ),
    (
        "says_less",
        &["schema = 'gatefold/policy/v1'\n[rules.user]\ndeny = ['Bash(rm -rf /:*)']\n"],
    ),
    (
        "glued_star",
        &["schema = 'gatefold/policy/v1'\n[rules.user]\nallow = ['Bash(npm run build*)']\n"],
    ),
    (
        "matches_nothing",
        &["schema = 'gatefold/policy/v1'\n[rules.user]\ndeny = ['Bash(while *)']\n"],
    ),
    (
        "runs_anything",
        &["schema = 'gatefold/policy/v1'\n[rules.user]\nallow = ['Bash(sudo *)']\n"],
    ),
    (
        "documents_differ",
        &[
            "schema = 'gatefold/policy/v1'\nmode = 'default'\n",
            "schema = 'gatefold/policy/v1'\nmode = 'bypass'\n",
        ],
    ),
    (
        "not_counted",
        &["schema = 'gatefold/policy/v1'\n[rules.project]\nallow = ['Bash(make *)']\n"],
    ),
    (
        "rule_no_tool",
        &["schema = 'gatefold/policy/v1'\n[org]\ndeny = ['(rm *)']\n"],
    ),
    (
        "rule_unbalanced",
        &["schema = 'gatefold/policy/v1'\n[org]\ndeny = ['Bash(rm *']\n"],
    ),
    (
        "rule_char_in_name",
        &["schema = 'gatefold/policy/v1'\n[org]\ndeny = ['Edit, Write']\n"],
    ),
    (
        "rule_nearly_mcp",
        &["schema = 'gatefold/policy/v1'\n[org]\ndeny = ['mcp_github']\n"],
    ),
    (
        "rule_star_in_name",
        &["schema = 'gatefold/policy/v1'\n[org]\ndeny = ['Web*']\n"],
    ),
    (
        "rule_no_server",
        &["schema = 'gatefold/policy/v1'\n[org]\ndeny = ['mcp__']\n"],
    ),
    (
        "rule_no_specifier",
        &["schema = 'gatefold/policy/v1'\n[org]\ndeny = ['WebSearch(x)']\n"],
    ),
    (
        "rule_bad_path",
        &["schema = 'gatefold/policy/v1'\n[org]\ndeny = ['Read($HOME/.ssh/**)']\n"],
    ),
    (
        "rule_not_plain_words",
        &["schema = 'gatefold/policy/v1'\n[org]\ndeny = ['Bash(curl \"$URL\")']\n"],
    ),
    (
        "rule_no_program",
        &["schema = 'gatefold/policy/v1'\n[org]\ndeny = ['Bash(FOO=1 rm *)']\n"],
    ),
    (
        "rule_no_domain",
        &["schema = 'gatefold/policy/v1'\n[org]\ndeny = ['WebFetch(https://example.com/*)']\n"],
    ),
    (
        "rule_no_field",
        &["schema = 'gatefold/policy/v1'\n[org]\ndeny = ['Task(Explore)']\n"],
    ),
];

/// Codes of a document that was found in a repository.
const FOUND: &[&str] = &["not_counted"];

/// Codes whose examples are no text that can be shown here, each with the reason.
const UNSHOWN: &[(&str, &str)] = &[
    ("document_too_large", "more than 16 MiB"),
    ("not_utf8", "bytes that are no UTF-8"),
    (
        "document_absent",
        "only when documents are loaded anew: one of them is not there",
    ),
    (
        "document_unreadable",
        "only when documents are loaded anew: one of them cannot be read",
    ),
    ("too_many_rules", "more than 100 000 rules"),
    ("rule_too_long", "a rule of more than 4 KiB"),
    (
        "rule_ambiguous_allow",
        "only an allow, so it is told as `allow_left_out`: `mcp__a__b__c` splits in two ways",
    ),
    (
        "rule_org_allow",
        "only an allow, so it is told as `allow_left_out`: an organisation allows nothing",
    ),
    (
        "rule_no_document",
        "only an allow that came with a call: a path with one slash begins in no document's folder",
    ),
];

#[test]
fn every_code_has_an_example_or_a_reason_why_not() {
    let document = Code::DOCUMENT.iter().map(Code::word);
    let all: BTreeSet<_> = document.chain(RuleError::CODES).collect();
    let shown = EXAMPLES.iter().map(|(code, _)| *code);
    let listed: Vec<_> = shown.chain(UNSHOWN.iter().map(|(code, _)| *code)).collect();
    let distinct: BTreeSet<_> = listed.iter().copied().collect();
    assert_eq!(distinct.len(), listed.len(), "a code stands twice");
    assert_eq!(distinct, all);
}

#[test]
fn the_list_of_rule_codes_is_whole() {
    let arms = include_str!("../src/rule_error.rs")
        .matches("=> \"rule_")
        .count();
    assert_eq!(arms, RuleError::CODES.len());
}

#[test]
fn every_example_shows_its_code_alone() {
    for (code, documents) in EXAMPLES {
        let problems = problems(code, documents);
        let codes: Vec<_> = problems.iter().map(|problem| problem.code.word()).collect();
        assert_eq!(codes, [*code], "{problems:?}");
    }
}

#[test]
fn what_cannot_be_shown_is_told_all_the_same() {
    let long = format!(
        "schema = 'gatefold/policy/v1'\n[org]\ndeny = ['{}']\n",
        "a".repeat(5000)
    );
    let many = format!(
        "schema = 'gatefold/policy/v1'\n[org]\ndeny = [{}]\n",
        "'Edit',".repeat(100_001)
    );
    let ambiguous =
        "schema = 'gatefold/policy/v1'\n[rules.user]\nallow = ['mcp__a__b__c']\n".to_owned();
    let org = "schema = 'gatefold/policy/v1'\n[org]\nallow = ['Edit']\n".to_owned();
    let huge = " ".repeat(DOCUMENT_BYTES_MAX + 1);
    for (bytes, code, says) in [
        (huge.into_bytes(), "document_too_large", "split it"),
        (b"schema = '\xff'".to_vec(), "not_utf8", "byte 10"),
        (long.into_bytes(), "rule_too_long", "5000 bytes"),
        (many.into_bytes(), "too_many_rules", "100000"),
        (
            ambiguous.into_bytes(),
            "allow_left_out",
            "rule_ambiguous_allow",
        ),
        (org.into_bytes(), "allow_left_out", "rule_org_allow"),
    ] {
        let problems = load(&[("gatefold.toml", &bytes)]);
        let told = problems
            .iter()
            .filter(|problem| problem.code.word() == code && problem.sentence.contains(says));
        assert_eq!(told.count(), 1, "{code}");
    }
}

#[test]
fn the_list_in_the_readme_is_what_the_loader_says() {
    const BEGIN: &str = "<!-- problems -->\n";
    const END: &str = "<!-- /problems -->";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let (readme, update) = (
        std::fs::read_to_string(&path).expect("README.md is there"),
        std::env::var_os("GATEFOLD_UPDATE_PROBLEMS").is_some(),
    );
    let begin = readme.find(BEGIN).expect("the list begins") + BEGIN.len();
    let end = readme.find(END).expect("the list ends");
    let list = list();
    if update {
        let updated = format!("{}{list}{}", &readme[..begin], &readme[end..]);
        std::fs::write(&path, updated).expect("README.md can be written");
    } else {
        let stale = "stale: run the tests once with GATEFOLD_UPDATE_PROBLEMS=1";
        assert!(readme[begin..end] == list, "{stale}");
    }
}

fn list() -> String {
    let mut list = String::new();
    for (code, documents) in EXAMPLES {
        list.push_str(&format!("\n#### `{code}`\n"));
        let problems = problems(code, documents);
        if FOUND.contains(code) {
            list.push_str("\nFound in a repository (`--found-policy`):\n");
        }
        for (index, document) in documents.iter().enumerate() {
            if let Some(name) = (documents.len() > 1).then(|| name(index, documents)) {
                list.push_str(&format!("\n`{name}`:\n"));
            }
            list.push_str(&format!("\n```toml\n{document}```\n"));
        }
        for problem in problems {
            list.push_str(&format!("\n```text\n{problem}\n```\n"));
        }
    }
    list.push_str("\n#### Not shown\n\n| code | when |\n|---|---|\n");
    for (code, why) in UNSHOWN {
        list.push_str(&format!("| `{code}` | {why} |\n"));
    }
    list.push('\n');
    list
}

fn problems(code: &str, documents: &[&str]) -> Vec<Problem> {
    let named: Vec<_> = documents
        .iter()
        .enumerate()
        .map(|(index, document)| (name(index, documents), document.as_bytes()))
        .collect();
    if FOUND.contains(&code) {
        load_as(Source::found, &named)
    } else {
        load(&named)
    }
}

fn name(index: usize, documents: &[&str]) -> &'static str {
    match (index, documents.len()) {
        (0, 2) => "team.toml",
        _ => "gatefold.toml",
    }
}

fn load(documents: &[(&str, &[u8])]) -> Vec<Problem> {
    load_as(Source::host, documents)
}

fn load_as<'a>(
    source: fn(&'a str, &'a [u8]) -> Source<'a>,
    documents: &[(&'a str, &'a [u8])],
) -> Vec<Problem> {
    let documents = documents.iter();
    let sources: Vec<_> = documents.map(|(name, bytes)| source(name, bytes)).collect();
    match Policy::load(&sources, Platform::Linux) {
        Ok(loaded) => loaded.warnings,
        Err(refused) => refused.problems,
    }
}
