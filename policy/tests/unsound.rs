//! Lines that bash was seen to run `rm` for, though a plan that knows variables does not hold it: no
//! allow may rest on such a plan.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a test says what went wrong by failing"
)]

mod support;

use gatefold_policy::{Plan, Platform};
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
    ("allow", "Bash(find *)"),
    ("allow", "Bash(xargs *)"),
    ("allow", "Bash(git *)"),
    ("allow", "Bash(bash *)"),
    ("allow", "Bash(flock *)"),
    ("allow", "Bash(ssh *)"),
    ("allow", "Bash(sudo *)"),
    ("allow", "Bash(export *)"),
    ("allow", "Bash(cd *)"),
    ("allow", "Bash"),
    ("deny", "Bash(rm *)"),
];

#[test]
fn no_line_whose_plan_is_known_to_be_wrong_is_allowed() {
    let lines: Vec<_> = include_str!("../corpus/unsound.txt").lines().collect();
    assert!(lines.len() >= 118, "{} lines", lines.len());
    for line in lines {
        let plan = Plan::certain(line, "bash", Platform::Linux);
        let mut programs = plan.commands.iter().map(|command| command.program());
        let says_so = programs.any(|program| program == Some("rm"));
        assert!(plan.fault.is_some() || says_so, "{line}: {plan:?}");
        for mode in Mode::ALL {
            assert_ne!(decide_in(*mode, line, RULES), "allow", "{line} in {mode}");
        }
    }
}

/// What dash makes of lines that bash reads in another way.
#[test]
fn no_line_is_certain_for_other_shells_that_bash_reads_in_another_way() {
    for line in [
        "12>/dev/null ls",
        "ls 00<f",
        "ls 10</dev/null",
        "LANG+=C ls",
        "ls; x+=1",
    ] {
        let plan = Plan::certain(line, "sh", Platform::Linux);
        assert!(plan.fault.is_some(), "{line}: {plan:?}");
    }
    // Two dots make a range, though a line is continued between them.
    let plan = Plan::certain("ls {1.\\\n.3}", "bash", Platform::Linux);
    let words = plan.commands.first().map(|ls| &ls.words);
    let words = words.into_iter().flatten().map(|word| word.text.as_str());
    assert_eq!(words.collect::<Vec<_>>(), ["ls", "1", "2", "3"]);
}

/// The same rules do allow what they say, so that the lines above are not refused for want of one.
#[test]
fn lines_whose_parts_are_all_allowed_are_allowed() {
    for line in [
        "ls -l",
        "ls -l; ls",
        "x=echo; ls \"$x\"",
        "for x in a b; do cat \"$x\"; done",
        "while IFS= read -r line; do echo \"$line\"; done",
        "[ -f a ] && cat a || true",
        "test \"$x\" = y && printf '%s\\n' \"$x\"",
        "cat <<'E'\n$(rm z)\nE",
        "LANG=C ls 2>&1 | cat > /dev/null",
        "export LANG=C; ls \"${x:-$(cat a)}\" & wait",
    ] {
        // With a person's allow of each part alone, not of the whole tool.
        let rules: Vec<_> = RULES
            .iter()
            .filter(|rule| rule.1 != "Bash")
            .copied()
            .collect();
        let rules = [rules, vec![("allow", "Bash(export LANG=C)")]].concat();
        assert_eq!(decide(line, &rules), "allow", "{line}");
    }
}
