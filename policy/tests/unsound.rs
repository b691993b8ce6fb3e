//! Lines that bash was seen to run `rm` for, though their plans do not hold it: no allow may rest on
//! a plan.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a test says what went wrong by failing"
)]

mod support;

use support::{decide, decide_in};

use gatefold::gate::Mode;

/// What a person allows without a second thought, and what each line also needs to come through.
const RULES: &[(&str, &str)] = &[
    ("allow", "Bash(echo *)"),
    ("allow", "Bash(ls *)"),
    ("allow", "Bash(cat *)"),
    ("allow", "Bash(test *)"),
    ("allow", "Bash(printf *)"),
    ("allow", "Bash(read *)"),
    ("allow", "Bash(declare *)"),
    ("allow", "Bash(typeset *)"),
    ("allow", "Bash(readonly *)"),
    ("allow", "Bash(command *)"),
    ("allow", "Bash(exec *)"),
    ("allow", "Bash(env *)"),
    ("allow", "Bash(mapfile *)"),
    ("allow", "Bash(set *)"),
    ("allow", "Bash(unset *)"),
    ("allow", "Bash(eval *)"),
    ("allow", "Bash(trap *)"),
    ("allow", "Bash"),
    ("deny", "Bash(rm *)"),
];

#[test]
fn no_line_whose_plan_is_known_to_be_wrong_is_allowed() {
    let lines: Vec<_> = include_str!("../corpus/unsound.txt").lines().collect();
    assert!(lines.len() >= 60, "{} lines", lines.len());
    for line in lines {
        for mode in Mode::ALL {
            assert_ne!(decide_in(*mode, line, RULES), "allow", "{line} in {mode}");
        }
    }
}

#[test]
fn a_line_of_plain_words_is_allowed_by_a_rule_about_it() {
    assert_eq!(decide("ls -l", RULES), "allow");
    assert_eq!(decide("ls -l; ls", RULES), "ask");
}
