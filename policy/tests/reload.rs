//! Loading documents anew: what is not sound leaves the last good policy in force.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a test says what went wrong by failing"
)]

use std::sync::Arc;

use gatefold_policy::{Content, Found, Platform, Policy, Source, Trust, reload};
use proptest::prelude::*;

/// What may be found under a document's name, and the problem of it.
const CONTENTS: &[(Content<'_>, Option<&str>)] = &[
    (Content::Bytes(b"schema = 'gatefold/policy/v1'\n"), None),
    (
        Content::Bytes(b"schema = 'gatefold/policy/v1'\n[rules.user]\ndeny = ['Bash(rm *)']\n"),
        None,
    ),
    (
        Content::Bytes(b"schema = 'gatefold/policy/v1'\n[rules.user]\nallow = ['Bash(rm *)']\n"),
        None,
    ),
    (Content::Bytes(b""), Some("missing_key")),
    (Content::Bytes(b"schema = 'gatefold/pol"), Some("not_toml")),
    (Content::Bytes(b"\xff"), Some("not_utf8")),
    (
        Content::Bytes(b"schema = 'gatefold/policy/v1'\n[org]\ndeny = ['Bash(rm']\n"),
        Some("rule_unbalanced"),
    ),
    (
        Content::Bytes(b"schema = 'gatefold/policy/v1'\n[[test]]\ncall = 'Edit'\nwant = 'deny'\n"),
        Some("test_failed"),
    ),
    (Content::Absent, Some("document_absent")),
    (
        Content::Unreadable("permission denied"),
        Some("document_unreadable"),
    ),
];

const NAMES: [&str; 2] = ["team.toml", "gatefold.toml"];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn the_policy_in_force_is_the_last_whose_documents_were_all_sound(
        rounds in proptest::collection::vec((0..CONTENTS.len(), 0..CONTENTS.len(), any::<bool>()), 1..8),
    ) {
        let mut policy = Arc::new(Policy::empty(Platform::Linux));
        let mut last_good = None;
        for (one, other, is_found) in rounds {
            let rows = [CONTENTS[one], CONTENTS[other]];
            let trust = if is_found { Trust::Found } else { Trust::Host };
            let found = found_as(trust, rows.map(|(content, _)| content));
            let was = Arc::clone(&policy);
            let reloaded = reload(&policy, &found);
            let expected: Vec<_> = rows.iter().filter_map(|(_, code)| *code).collect();
            prop_assert_eq!(reloaded.is_new, expected.is_empty());
            if expected.is_empty() {
                last_good = loaded(&found);
            } else {
                prop_assert!(Arc::ptr_eq(&reloaded.policy, &was));
            }
            // Each document that keeps it from being taken is told of, by its own name.
            for (name, (_, code)) in NAMES.iter().zip(rows) {
                let told = |code| reloaded.problems.iter().any(|problem| {
                    &*problem.place.file == *name && problem.code.word() == code
                });
                // Tests of documents are run once all of them are read.
                let is_told = code.is_none_or(|code| told(code) || code == "test_failed");
                prop_assert!(is_told, "{}: {:?}", name, reloaded.problems);
            }
            policy = reloaded.policy;
            prop_assert_eq!(policy.digest(), last_good.as_ref().and_then(Policy::digest));
        }
    }
}

#[test]
fn a_document_without_rules_is_taken_and_one_that_is_gone_is_not() {
    let rules = CONTENTS[1].0;
    let first = reload(
        &Arc::new(Policy::empty(Platform::Linux)),
        &found([rules, rules]),
    );
    assert_eq!(first.policy.rules(), 2);
    for (content, rules) in [
        (CONTENTS[0].0, 1),
        (Content::Absent, 2),
        (Content::Unreadable("it is a folder"), 2),
        (Content::Bytes(b""), 2),
    ] {
        let next = reload(&first.policy, &found([CONTENTS[1].0, content]));
        assert_eq!(next.policy.rules(), rules, "{content:?}");
        assert_eq!(next.is_new, rules == 1, "{content:?}");
    }
    let gone = reload(&first.policy, &found([rules, Content::Unreadable("no")]));
    let said = gone.problems[0].to_string();
    assert!(
        said.contains("gatefold.toml") && said.contains("cannot be read: no"),
        "{said}"
    );
}

fn found(contents: [Content<'_>; 2]) -> [Found<'_>; 2] {
    let [one, other] = contents;
    found_as(Trust::Host, [one, other])
}

/// The first is the host's word.
fn found_as(trust: Trust, [one, other]: [Content<'_>; 2]) -> [Found<'_>; 2] {
    let of = |name, content, trust| Found {
        name,
        content,
        trust,
    };
    [of(NAMES[0], one, Trust::Host), of(NAMES[1], other, trust)]
}

/// The policy of documents that are all sound.
fn loaded(found: &[Found<'_>]) -> Option<Policy> {
    let sources: Vec<_> = found
        .iter()
        .filter_map(
            |Found {
                 name,
                 content,
                 trust,
             }| match content {
                Content::Bytes(bytes) => Some(Source {
                    name,
                    bytes,
                    trust: *trust,
                }),
                Content::Absent | Content::Unreadable(_) => None,
            },
        )
        .collect();
    Policy::load(&sources, Platform::Linux)
        .ok()
        .map(|loaded| loaded.policy)
}
