//! Lines and their plans, a row a construct; and lines with rules, as hosts have got them wrong.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a test says what went wrong by failing"
)]

mod support;

use gatefold_policy::{Plan, Platform, Word};
use support::decide;

/// Line, and the commands of its plan: words apart by blanks, unknown ones as `?`, unknown ones
/// that may be several as `*`; `!` and the part at fault at the end.
const BASH: &[(&str, &[&str])] = &[
    // Words.
    ("a 'b c' \"d e\" f\\ g", &["a b_c d_e f_g"]),
    ("a ''", &["a "]),
    ("r\\\nm x", &["rm x"]),
    ("'r'\"m\" x", &["rm x"]),
    ("$'\\x72m' $'a\\'b'", &["rm a'b"]),
    ("a 'b\\' c", &["a b\\ c"]),
    ("a x#y # z; rm", &["a x#y"]),
    ("a *.rs {1,2} ~", &["a * 1 2 ?"]),
    ("a x{,.bak} -{n,'v w'}", &["a x x.bak -n -v_w"]),
    ("a {b,c}{d,e} {}", &["a bd be cd ce {}"]),
    ("a {b,{c,d}} {1..3} {,b}", &["a * 1 2 3 *"]),
    (
        "a {3..1} {a..b}x{1..2} {1..3,b}",
        &["a 3 2 1 ax1 ax2 bx1 bx2 1..3 b"],
    ),
    (
        "a {01..3} {1..3..1} {-1..1} {1..99} {a..3}",
        &["a * * * * *"],
    ),
    ("a {1\\..3} {'1'..3}", &["a * *"]),
    ("a '{b,c}' \\{b,c} {b\\,c}", &["a {b,c} {b,c} {b,c}"]),
    ("a ~{b,c} x={b,c} *.{b,c}", &["a * * * *"]),
    ("{a,b} c", &["* c", "! {a,b}"]),
    ("find . -name {}", &["find . -name {}"]),
    ("git show HEAD@{1}", &["git show HEAD@{1}"]),
    ("a $x \"$x\" ${x:-y} $?", &["a * ? * ?"]),
    ("a \"$@\"", &["a *"]),
    ("x=rm; $x -f", &["rm -f"]),
    ("x=rm; x=ls; $x", &["*", "! $x"]),
    // What stands between commands.
    ("a; b && c || d & e", &["a", "b", "c", "d", "e"]),
    ("a | b |& c\nd", &["a", "b", "c", "d"]),
    ("! a", &["a"]),
    ("time -p a", &["a"]),
    ("a &&\n\n b", &["a", "b"]),
    // Compound commands.
    ("(a; (b))", &["a", "b"]),
    ("{ a; b; }", &["a", "b"]),
    (
        "if a; then b; elif c; then d; else e; fi",
        &["a", "b", "c", "d", "e"],
    ),
    ("while a; do b; done", &["a", "b"]),
    ("until a; do b; done", &["a", "b"]),
    ("for i in 1 2; do a $i; done", &["a ?"]),
    ("for ((i=0; i<3; i++)); do a; done", &["a"]),
    ("case $x in a|b) c;; (*) d;; esac", &["c", "d"]),
    ("select i in a b; do c; done", &["c"]),
    ("[[ -f x && $y == a* ]] && b", &["b"]),
    ("[[ $x -eq 1 ]]", &["! x"]),
    ("f() { a; }; f x", &["a", "f x"]),
    ("function f { a; }", &["a"]),
    // Substitutions.
    ("a $(b $(c))", &["c", "b *", "a *"]),
    ("a \"`b \\`c\\``\"", &["a ?", "b *", "c"]),
    ("a <(b) >(c)", &["b", "c", "a ? ?"]),
    ("a ${x:-$(b)} ${y#'$(c)'}", &["b", "a * *"]),
    ("x=$(a) y=1", &["a"]),
    ("x=(a $(b))", &["b"]),
    // Here-documents.
    ("a <<E\n$(b)\nE", &["a", "b"]),
    ("a <<'E'\n$(b)\nE\nc", &["a", "c"]),
    ("a <<-E; b\n\tx\n\tE", &["a", "b"]),
    ("a <<< $(b)", &["b", "a"]),
    ("bash <<'E'\na; b\nE", &["bash", "a", "b"]),
    // What runs text.
    ("bash -c 'a; b' x", &["bash -c a;_b x", "a", "b"]),
    ("sh -c \"a $x\"", &["sh -c ?", "! \"a $x\""]),
    ("eval 'a; b'", &["eval a;_b", "a", "b"]),
    ("eval \"$x\"", &["eval ?", "! eval \"$x\""]),
    ("trap 'a' EXIT", &["trap a EXIT", "a"]),
    ("a | sh", &["a", "sh", "! sh"]),
    ("sh x.sh", &["sh x.sh"]),
    (". ./x", &[". ./x", "! ."]),
    ("alias a=b", &["alias a=b", "! alias a=b"]),
    ("a ${x@P}", &["! @P"]),
    ("a $((x))", &["a ?", "! x"]),
    ("x=1; a $((x + 1))", &["a ?"]),
    ("read 'a[0]'", &["read a[0]", "! read a[0]"]),
    ("coproc a b", &["a b"]),
    // Carriers.
    (
        "sudo -u x env LANG=C nice -n 5 a b",
        &[
            "sudo -u x env LANG=C nice -n 5 a b",
            "env LANG=C nice -n 5 a b",
            "nice -n 5 a b",
            "a b",
        ],
    ),
    ("env X=1 a", &["env X=1 a", "a", "! X=1"]),
    ("sudo -Z a", &["sudo -Z a", "! -Z"]),
    ("find . -exec a {} \\;", &["find . -exec a {} ;", "a ?"]),
    ("a | xargs -n1 b c", &["a", "xargs -n1 b c", "b c *"]),
    (
        "timeout 5 sh -c 'a'",
        &["timeout 5 sh -c a", "sh -c a", "a"],
    ),
    ("git -C x push", &["git -C x push", "git push"]),
    (
        "git -c alias.x=!a x",
        &["git -c alias.x=!a x", "! alias.x=!a"],
    ),
    ("ssh -p 1 host 'a; b'", &["ssh -p 1 host a;_b", "a", "b"]),
    // Assignments.
    ("LANG=C a", &["a"]),
    ("PATH=x a", &["a", "! PATH"]),
    ("X=1 a", &["a", "! X=1"]),
    // What is not read.
    ("$x a", &["* a", "! $x"]),
    ("a 'b", &["! '"]),
    ("a )", &["! )"]),
    ("a <<E\nb", &["a", "! <<"]),
    ("a \"$\\\n(b)\"", &["! $"]),
];

#[test]
fn a_line_of_bash_has_the_plan_of_its_row() {
    let wrong: Vec<_> = BASH
        .iter()
        .map(|(line, want)| (line, shown(&Plan::of(line, "bash", Platform::Linux)), want))
        .filter(|(_, plan, want)| plan != *want)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_bash_alone_has_is_not_read_for_sh() {
    for line in [
        "a <(b)",
        "a |& b",
        "a &> f",
        "a <<< b",
        "[[ a ]]",
        "x=(a)",
        "$'a'",
        "function f { a; }",
        "coproc a",
        "a ${x/b/c}",
        "((1))",
        "select x in a; do b; done",
    ] {
        assert!(
            Plan::of(line, "sh", Platform::Linux).fault.is_some(),
            "{line}"
        );
    }
    for line in [
        "a | b && c",
        "for i in a; do b; done",
        "a <<E\n$(b)\nE",
        "a $((1))",
    ] {
        assert_eq!(Plan::of(line, "sh", Platform::Linux).fault, None, "{line}");
    }
}

#[test]
fn files_that_are_opened_are_noted() {
    for (line, files) in [
        ("a > x 2>&1", &["> x"][..]),
        ("a >> x < y", &["> x", "< y"]),
        ("a &> x", &["> x"]),
        ("a >& x", &["> x"]),
        ("a > /dev/null 2> /dev/null < /dev/null", &[]),
        ("a > >(b) < <(c)", &[]),
        ("> x", &["> x"]),
        ("{ a; } > $x", &["> $x"]),
        ("if a; then b; fi < x", &["< x"]),
        ("a 2>&- 3<&0", &[]),
    ] {
        let plan = Plan::of(line, "bash", Platform::Linux);
        let shown = plan.files.iter().map(|file| {
            let sign = if file.writes { ">" } else { "<" };
            format!("{sign} {}", file.target.text)
        });
        assert_eq!(shown.collect::<Vec<_>>(), files, "{line}");
        assert_eq!(plan.fault, None, "{line}");
    }
}

#[test]
fn what_nests_too_deep_or_is_too_much_is_not_read() {
    let nested = |depth: usize| "(".repeat(depth).replace('(', "( ") + "a" + &" )".repeat(depth);
    let fault = |line: &str| Plan::of(line, "bash", Platform::Linux).fault;
    assert_eq!(fault(&nested(20)), None);
    for line in [
        nested(40),
        nested(20_000),
        "$(".repeat(20_000),
        "\"${x:-".repeat(10_000),
        "`".repeat(20_000),
        "sudo ".repeat(10_000),
        "if ".repeat(20_000),
        "bash -c ".repeat(8_000),
        "a;".repeat(5_000),
    ] {
        assert!(fault(&line).is_some(), "{}", &line[..20]);
    }
}

/// Lines with rules; what is decided in the mode `default`, and in `bypass`.
#[test]
fn lines_that_hosts_have_got_wrong_are_decided_as_their_rows_say() {
    let rows = include_str!("../corpus/rules.jsonl");
    let mut wrong = Vec::new();
    for row in rows.lines() {
        let row: serde_json::Value = serde_json::from_str(row).expect("a row");
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let rules: Vec<_> = row["rules"]
            .as_array()
            .expect("rules")
            .iter()
            .map(|rule| {
                rule.as_str()
                    .expect("a rule")
                    .split_once(' ')
                    .expect("an effect")
            })
            .collect();
        let decided = decide(&text("line"), &rules);
        if decided != text("want") {
            wrong.push((text("line"), decided, text("want")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn shown(plan: &Plan) -> Vec<String> {
    let word = |word: &Word| match word.text() {
        Some(text) => text.replace(' ', "_"),
        None if word.many => "*".to_owned(),
        None => "?".to_owned(),
    };
    let commands = plan.commands.iter().map(|command| {
        let words: Vec<_> = command.words.iter().map(word).collect();
        words.join(" ")
    });
    let fault = plan
        .fault
        .iter()
        .map(|fault| format!("! {}", fault.part.as_deref().unwrap_or_default()));
    commands.chain(fault).collect()
}
