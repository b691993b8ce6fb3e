//! A deny survives every wrapping, an allow covers nothing that is added, and no text is too much.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a test says what went wrong by failing"
)]

mod support;

use gatefold_policy::{Plan, Platform};
use proptest::prelude::*;
use support::decide;

/// Wrappings that are read exactly; `@` is the command, `Q` the command in single quotes.
const EXACT: &[&str] = &[
    "@",
    "a; @",
    "a && @",
    "a | @",
    "a & @",
    "a\n@",
    "! @",
    "time @",
    "( @ )",
    "{ @; }",
    "if a; then @; fi",
    "while a; do @; done",
    "for i in x; do @; done",
    "case x in x) @;; esac",
    "f() { @; }",
    "a $(@)",
    "a \"$(@)\"",
    "x=$(@)",
    "a <(@)",
    "cat <<E\n$(@)\nE",
    "a ${x:-$(@)}",
    "sudo @",
    "sudo -n -u x @",
    "env @",
    "env -i LANG=C @",
    "nice -n 5 @",
    "nohup @",
    "timeout 5 @",
    "time -p @",
    "stdbuf -oL @",
    "setsid @",
    "command @",
    "exec @",
    "builtin @",
    "xargs @",
    "find . -exec @ \\;",
    "bash -c Q",
    "sh -c Q",
    "eval Q",
    "trap Q EXIT",
    "bash <<< Q",
    "LANG=C @",
    "sudo bash -c Q",
    "@ # x",
    "@ > f",
    "@ 2>&1",
    "coproc @",
    "watch Q",
    "ssh host Q",
    "busybox @",
    "FOO=1 @",
    "PATH=x @",
    "env X=1 @",
    "$x; @",
    "[[ a ]] && @",
    "a \\\n&& @",
    "bash <<'E'\n@\nE",
];

/// Wrappings that are not read exactly.
const VAGUE: &[&str] = &[
    "echo Q | sh",
    "sudo -Z @",
    "env -S Q",
    "foo @",
    "parallel @",
    "x=Q; $x",
    "eval \"$(echo Q)\"",
    ". <(echo Q)",
    "a ${x@P}; @ '",
    "bash -ic Q",
    "su -c Q",
    "pwsh -Command Q",
    "powershell -c Q",
    "cmd /c Q",
    "wsl -e @",
    "osascript -e Q",
    "echo Q > f; . f",
    "alias a=Q; a",
];

/// Ways of writing the program.
const SPELLINGS: &[&str] = &[
    "rm",
    "/bin/rm",
    "./rm",
    "\\rm",
    "'rm'",
    "\"rm\"",
    "r''m",
    "r\\\nm",
    "$'rm'",
    "$'\\x72m'",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn a_deny_survives_every_wrapping(
        outer in 0..EXACT.len(), inner in 0..EXACT.len(), spelling in 0..SPELLINGS.len(),
    ) {
        let command = format!("{} -f x", SPELLINGS[spelling]);
        let once = wrap(EXACT[inner], &command);
        let rules = [("allow", "Bash"), ("deny", "Bash(rm *)")];
        // Shells other than bash do not have this spelling.
        let want = if once.contains("$'") && decide(&once, &rules) == "ask" { "ask" } else { "deny" };
        prop_assert_eq!(decide(&once, &rules), want, "{}", once);
        let twice = wrap(EXACT[outer], &once);
        prop_assert_ne!(decide(&twice, &rules), "allow", "{}", twice);
        let rules = [("allow", "Bash"), ("ask", "Bash(rm *)")];
        prop_assert_eq!(decide(&once, &rules), "ask", "{}", once);
        prop_assert_eq!(decide(&twice, &rules), "ask", "{}", twice);
    }

    #[test]
    fn what_is_not_read_exactly_is_asked_about(outer in 0..VAGUE.len(), spelling in 0..SPELLINGS.len()) {
        let line = wrap(VAGUE[outer], &format!("{} -f x", SPELLINGS[spelling]));
        let rules = [("allow", "Bash"), ("deny", "Bash(rm *)")];
        prop_assert_ne!(decide(&line, &rules), "allow", "{}", line);
    }

    #[test]
    fn an_allow_covers_nothing_that_is_added(before in text(), after in text()) {
        let line = format!("{before}git status{after}");
        let rules = [("allow", "Bash(git status)")];
        if decide(&line, &rules) == "allow" {
            let plan = Plan::of(&line, "bash", Platform::Linux);
            prop_assert_eq!(&plan.fault, &None);
            prop_assert!(plan.files.is_empty());
            for command in plan.commands {
                let part = command.part();
                prop_assert!(part == "git status" || command.silent, "{} in {}", part, line);
            }
        }
    }

    #[test]
    fn no_text_makes_it_panic(line in "\\PC{0,60}", signs in text()) {
        for shell in ["bash", "sh", "zsh"] {
            let _ = Plan::of(&line, shell, Platform::Linux);
            let _ = Plan::of(&signs, shell, Platform::Linux);
        }
    }
}

/// Lines of two wrappings of a denied command, and how many of them are denied: of the others it is
/// not certain what they run.
const PAIRS: (usize, usize) = (4_275, 2_893);

#[test]
fn no_two_wrappings_let_a_denied_or_an_asked_command_through() {
    let (mut lines, mut denied, mut asked) = (0, 0, 0);
    for (outer, first) in EXACT.iter().enumerate() {
        for (inner, second) in EXACT.iter().chain(VAGUE).enumerate() {
            let spelling = SPELLINGS[(outer + inner) % SPELLINGS.len()];
            let line = wrap(first, &wrap(second, &format!("{spelling} -f x")));
            lines += 1;
            match decide(&line, &[("allow", "Bash"), ("deny", "Bash(rm *)")]) {
                "deny" => denied += 1,
                "ask" => asked += 1,
                verdict => panic!("{verdict}: {line}"),
            }
            let verdict = decide(&line, &[("allow", "Bash"), ("ask", "Bash(rm *)")]);
            assert_eq!(verdict, "ask", "{line}");
        }
    }
    println!("{lines} lines of a denied command: {denied} denied, {asked} asked about, 0 allowed");
    assert_eq!((lines, denied), PAIRS);
}

#[test]
fn every_wrapping_is_tried_once() {
    for wrapping in EXACT {
        let line = wrap(wrapping, "rm -f x");
        let rules = [("allow", "Bash"), ("deny", "Bash(rm *)")];
        assert_eq!(decide(&line, &rules), "deny", "{line}");
    }
    for wrapping in VAGUE {
        let line = wrap(wrapping, "rm -f x");
        let rules = [("allow", "Bash"), ("deny", "Bash(rm *)")];
        assert_eq!(decide(&line, &rules), "ask", "{line}");
    }
}

/// Texts of what shells give a meaning.
fn text() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        " ",
        "\n",
        ";",
        "&",
        "|",
        "(",
        ")",
        "{",
        "}",
        "<",
        ">",
        "'",
        "\"",
        "`",
        "$",
        "\\",
        "#",
        "!",
        "*",
        "~",
        "=",
        "[",
        "]",
        "a",
        "git status",
        "if",
        "then",
        "fi",
        "do",
        "done",
        "x=",
        "$(",
        "${",
        "<<",
        "E",
        "-c",
        "bash",
        "eval",
        "true",
        "&&",
        "||",
        ";;",
        "case",
        "in",
        "esac",
        "1",
        "@P",
        ":",
    ];
    proptest::collection::vec(0..PIECES.len(), 0..8)
        .prop_map(|pieces| pieces.into_iter().map(|piece| PIECES[piece]).collect())
}

fn wrap(wrapping: &str, command: &str) -> String {
    let quoted = format!("'{}'", command.replace('\'', "'\\''"));
    wrapping.replace('Q', &quoted).replace('@', command)
}
