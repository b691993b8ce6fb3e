//! What documents decide: layers, agents, modes, tools, limits, and what several say together.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a test says what went wrong by failing"
)]

use std::sync::Arc;

use gatefold::gate::{
    Args, Call, GateInput, GateResult, Member, Mode, RecordFields, Seat, Text, Verdict, begin,
    drive,
};
use gatefold_policy::{Deciders, Effect, Layer, Platform, Policy, Source, Surroundings};

const TEAM: &str = r#"
schema = "gatefold/policy/v1"

[org]
deny = [{ rule = "Bash(curl *)", why = "downloads go through the mirror" }]
ask = ["Bash(git push *)"]

[policy]
allow = ["Bash(git status)", "Bash(cargo *)"]

[rules.user]
allow = ["Bash(git push *)", "Bash(ls *)", "mcp__github"]
deny = ["Bash(rm *)", "WebFetch"]

[rules.project]
allow = ["Bash(curl *)", "Bash(rm *)"]

[agents.reviewer]
org.deny = ["Edit"]
rules.user.allow = ["Bash(npm test)"]
rules.session.deny = ["Bash(cargo publish *)"]
"#;

/// Line, mode, agent, decision and the rule behind it.
const DECIDED: &[(&str, Mode, Option<&str>, &str)] = &[
    ("git status", Mode::Default, None, "allow Bash(git status)"),
    ("cargo test", Mode::Default, None, "allow Bash(cargo *)"),
    ("ls -l", Mode::Default, None, "allow Bash(ls *)"),
    ("make", Mode::Default, None, "ask"),
    ("make", Mode::DontAsk, None, "deny"),
    ("make", Mode::Bypass, None, "allow"),
    // Deny beats ask beats allow, whoever says so and wherever it stands.
    ("curl x", Mode::Default, None, "deny Bash(curl *)"),
    ("curl x", Mode::Bypass, None, "deny Bash(curl *)"),
    ("rm x", Mode::Bypass, None, "deny Bash(rm *)"),
    ("git push", Mode::Default, None, "ask Bash(git push *)"),
    ("git push", Mode::Bypass, None, "ask Bash(git push *)"),
    ("git push", Mode::DontAsk, None, "deny"),
    // Plan mode refuses before any rule, except what changes nothing.
    ("cargo test", Mode::Plan, None, "deny"),
    ("git status", Mode::Plan, None, "allow Bash(git status)"),
    // An agent's own rules stand beside those for all.
    ("npm test", Mode::Default, None, "ask"),
    (
        "npm test",
        Mode::Default,
        Some("reviewer"),
        "allow Bash(npm test)",
    ),
    ("npm test", Mode::Default, Some("writer"), "ask"),
    (
        "cargo test",
        Mode::Default,
        Some("reviewer"),
        "allow Bash(cargo *)",
    ),
    (
        "cargo publish",
        Mode::Default,
        Some("reviewer"),
        "deny Bash(cargo publish *)",
    ),
    ("cargo publish", Mode::Default, None, "allow Bash(cargo *)"),
    ("rm x", Mode::Default, Some("reviewer"), "deny Bash(rm *)"),
];

#[test]
fn deny_beats_ask_beats_allow_beats_the_mode_beats_unstated() {
    let policy = load(&[TEAM]);
    for (line, mode, agent, want) in DECIDED {
        let fields = decide(&policy, &Asked::line(line).mode(*mode).agent(*agent));
        assert_eq!(said(&fields), *want, "{line} in {mode} of {agent:?}");
    }
}

#[test]
fn the_order_of_documents_and_of_their_rules_decides_nothing() {
    let deny = "schema = 'gatefold/policy/v1'\n[rules.user]\ndeny = ['Bash(rm *)']\n";
    let allow = "schema = 'gatefold/policy/v1'\n[policy]\nallow = ['Bash(rm *)', 'Bash']\n";
    for documents in [[deny, allow], [allow, deny]] {
        let fields = decide(&load(&documents), &Asked::line("rm x"));
        assert_eq!(said(&fields), "deny Bash(rm *)");
    }
}

#[test]
fn no_mode_runs_past_a_deny_however_the_call_is_wrapped() {
    let deny = "schema = 'gatefold/policy/v1'\n[LAYER]\ndeny = ['Bash(rm *)']\n[policy]\nallow = ['Bash']\n";
    for layer in [
        "org",
        "rules.user",
        "rules.project",
        "rules.local",
        "rules.session",
    ] {
        let policy = load(&[&deny.replace("LAYER", layer)]);
        for mode in Mode::ALL {
            for line in [
                "rm x",
                "/bin/rm x",
                "sudo rm x",
                "FOO=1 rm x",
                "git status && rm -rf build",
                "env -S'rm x'",
                "xargs rm",
                "sh -c 'rm x'",
                "$(echo rm) x",
                "r''m x",
            ] {
                let fields = decide(&policy, &Asked::line(line).mode(*mode));
                assert_ne!(
                    fields.verdict,
                    Verdict::Allow,
                    "{line} in {mode}, denied by {layer}"
                );
            }
        }
    }
}

#[test]
fn a_child_is_never_wider_than_its_parent() {
    let policy = load(&[TEAM]);
    // Only the reviewer may run it: one below somebody else may not.
    let below = Asked::line("npm test").agent(Some("reviewer")).below(None);
    assert_eq!(said(&decide(&policy, &below)), "ask");
    let below_itself = Asked::line("npm test")
        .agent(Some("reviewer"))
        .below(Some("reviewer"));
    assert_eq!(
        said(&decide(&policy, &below_itself)),
        "allow Bash(npm test)"
    );
    // What the parent is denied, the child is.
    let denied = Asked::line("cargo publish")
        .agent(Some("writer"))
        .below(Some("reviewer"));
    assert_eq!(
        said(&decide(&policy, &denied)),
        "deny Bash(cargo publish *)"
    );
}

#[test]
fn a_basis_names_layer_file_list_and_place() {
    let policy = load(&[TEAM]);
    for (asked, layer, list, index) in [
        (Asked::line("curl x"), "org", "deny", 0),
        (Asked::line("cargo test"), "policy", "allow", 1),
        (Asked::tool("WebFetch"), "user", "deny", 1),
        (
            Asked::tool("Edit").agent(Some("reviewer")),
            "org",
            "agents.reviewer.deny",
            0,
        ),
    ] {
        let basis = decide(&policy, &asked).basis.expect("a rule decides");
        let named = (basis.layer.as_str(), basis.list.as_str(), basis.index);
        assert_eq!(named, (layer, list, index), "{asked:?}");
        assert_eq!(basis.file.as_ref().map(Text::as_str), Some("0.toml"));
    }
}

#[test]
fn why_reaches_the_model_on_a_deny() {
    let policy = load(&[TEAM]);
    let reason = reason(&policy, &Asked::line("curl x"));
    assert!(
        reason.contains("downloads go through the mirror"),
        "{reason}"
    );
    // With what makes the rule possible only, if it is.
    let reason = self::reason(&policy, &Asked::line("foo curl x"));
    assert!(
        reason.contains("downloads go through the mirror"),
        "{reason}"
    );
    assert!(reason.contains("later word"), "{reason}");
}

#[test]
fn unstated_is_ask_unless_every_document_that_speaks_of_it_says_allow() {
    let says = |word: &str| format!("schema = 'gatefold/policy/v1'\nunstated = '{word}'\n");
    let (ask, allow) = (says("ask"), says("allow"));
    let silent = "schema = 'gatefold/policy/v1'\n".to_owned();
    for (documents, want) in [
        (vec![&silent], "ask"),
        (vec![&ask], "ask"),
        (vec![&allow], "allow"),
        // What a document leaves out is `ask`: another one does not loosen it.
        (vec![&allow, &silent], "ask"),
        (vec![&allow, &allow], "allow"),
        (vec![&allow, &ask], "ask"),
        (vec![&ask, &allow], "ask"),
    ] {
        let documents: Vec<_> = documents.into_iter().map(String::as_str).collect();
        let fields = decide(&load(&documents), &Asked::tool("Task"));
        assert_eq!(said(&fields), want, "{documents:?}");
    }
}

#[test]
fn of_several_modes_the_strictest_counts() {
    const NO_ORDER: [[&str; 2]; 2] = [["plan", "dont_ask"], ["accept_edits", "auto"]];
    let order = [
        "plan",
        "dont_ask",
        "default",
        "accept_edits",
        "auto",
        "bypass",
    ];
    let says = |word: &str| format!("schema = 'gatefold/policy/v1'\nmode = '{word}'\n");
    for (rank, strict) in order.iter().enumerate() {
        for lax in &order[rank..] {
            for documents in [[says(strict), says(lax)], [says(lax), says(strict)]] {
                let sources = [source("0", &documents[0]), source("1", &documents[1])];
                let loaded = Policy::load(&sources, Platform::Linux);
                if NO_ORDER.contains(&[strict, lax]) {
                    let refused =
                        loaded.expect_err("each lets something run that the other does not");
                    assert_eq!(refused.first().unwrap().code.word(), "modes_clash");
                    continue;
                }
                let policy = loaded.unwrap().policy;
                assert_eq!(
                    policy.mode().map(Mode::word),
                    Some(*strict),
                    "{strict}, {lax}"
                );
            }
        }
    }
    // What a document leaves out is `default`: another one does not loosen it.
    let silent = "schema = 'gatefold/policy/v1'\n";
    for (mode, want) in [("bypass", "default"), ("dont_ask", "dont_ask")] {
        let policy = load(&[silent, &says(mode)]);
        assert_eq!(policy.mode().map(Mode::word), Some(want));
    }
    assert_eq!(load(&[silent, silent]).mode(), None);
}

#[test]
fn a_declared_tool_is_judged_as_what_it_is() {
    let text = "schema = 'gatefold/policy/v1'\n\
        [tools.RunIt]\nkind = 'shell'\nfield = 'line'\n\
        [tools.Peek]\nkind = 'read'\n\
        [rules.user]\nallow = ['RunIt(git status)']\ndeny = ['RunIt(rm *)']\n";
    let policy = load(&[text]);
    for (args, want) in [
        (r#"{"line":"git status"}"#, "allow RunIt(git status)"),
        (r#"{"line":"rm x"}"#, "deny RunIt(rm *)"),
        (r#"{"line":"sudo rm x"}"#, "deny RunIt(rm *)"),
        (r#"{"line":"foo rm x"}"#, "ask RunIt(rm *)"),
        (r#"{"line":"a && $b"}"#, "ask RunIt(rm *)"),
        // The line is where the document says, and nowhere else.
        (r#"{"command":"git status"}"#, "ask RunIt(rm *)"),
    ] {
        let asked = Asked::tool("RunIt").args(args);
        assert_eq!(said(&decide(&policy, &asked)), want, "{args}");
    }
    // Where the line of a known shell stands is no document's to say: another arg would be judged.
    for tool in ["Bash", "bash", "PowerShell"] {
        let text = format!(
            "schema = 'gatefold/policy/v1'\n[tools.{tool}]\nkind = 'shell'\nfield = 'description'\n"
        );
        let refused = Policy::load(&[source("g", &text)], Platform::Linux).unwrap_err();
        assert_eq!(refused.first().unwrap().code.word(), "tool_redefined");
    }
    // A tool that reads runs in plan mode, if something allows it.
    let peek =
        "schema = 'gatefold/policy/v1'\n[tools.Peek]\nkind = 'read'\n[policy]\nallow = ['Peek']\n";
    let fields = decide(&load(&[peek]), &Asked::tool("Peek").mode(Mode::Plan));
    assert_eq!(said(&fields), "allow Peek");
}

#[test]
fn rules_of_hosts_and_args_are_about_what_the_args_say() {
    let text = "schema = 'gatefold/policy/v1'\n\
        [tools.Get]\nkind = 'fetch'\nfield = 'address'\n\
        [rules.user]\n\
        allow = ['WebFetch(domain:docs.example)', 'WebFetch(domain:*.docs.example)', 'Get(domain:docs.example)',\
        'Task(kind:read*)', 'mcp__files__open(path:/work/*)']\n\
        ask = ['mcp__files(path:*.env)']\n\
        deny = ['WebFetch(domain:evil.example)', 'Task(kind:readwrite)']\n";
    let policy = load(&[text]);
    let allowed = "allow WebFetch(domain:docs.example)";
    let denied = "deny WebFetch(domain:evil.example)";
    // A url or an arg that is not known meets a deny or ask that could apply.
    let could = "ask WebFetch(domain:evil.example)";
    for (tool, args, want) in [
        ("WebFetch", r#"{"url":"https://docs.example/a"}"#, allowed),
        (
            "WebFetch",
            r#"{"url":"HTTPS://DOCS.example.:443/a"}"#,
            allowed,
        ),
        (
            "WebFetch",
            r#"{"url":"https://a.b.docs.example"}"#,
            "allow WebFetch(domain:*.docs.example)",
        ),
        ("WebFetch", r#"{"url":"https://baddocs.example"}"#, "ask"),
        (
            "WebFetch",
            r#"{"url":"https://docs.example@evil.example/"}"#,
            denied,
        ),
        ("WebFetch", r#"{"url":"https://www.evil.example/"}"#, denied),
        (
            "WebFetch",
            r#"{"url":"https://docs.example@other.example/"}"#,
            could,
        ),
        ("WebFetch", r#"{"url":"docs.example"}"#, could),
        ("WebFetch", r#"{"url":["https://docs.example"]}"#, could),
        ("WebFetch", r#"{"address":"https://docs.example"}"#, could),
        (
            "Get",
            r#"{"address":"https://docs.example"}"#,
            "allow Get(domain:docs.example)",
        ),
        ("Get", r#"{"url":"https://docs.example"}"#, "ask"),
        ("Task", r#"{"kind":"reader"}"#, "allow Task(kind:read*)"),
        (
            "Task",
            r#"{"kind":"readwrite"}"#,
            "deny Task(kind:readwrite)",
        ),
        ("Task", r#"{"kind":"Reader"}"#, "ask"),
        ("Task", r#"{"kind":7}"#, "ask Task(kind:readwrite)"),
        ("Task", "{}", "ask Task(kind:readwrite)"),
        (
            "mcp__files__open",
            r#"{"path":"/work/x\ny"}"#,
            "allow mcp__files__open(path:/work/*)",
        ),
        (
            "mcp__files__open",
            r#"{"path":"/work/.env"}"#,
            "ask mcp__files(path:*.env)",
        ),
        ("mcp__files__open", r#"{"path":"/etc/x"}"#, "ask"),
        (
            "mcp__files__open",
            r#"{"path":null}"#,
            "ask mcp__files(path:*.env)",
        ),
        ("mcp__files__shut", r#"{"path":"/work/x"}"#, "ask"),
    ] {
        let asked = Asked::tool(tool).args(args);
        assert_eq!(said(&decide(&policy, &asked)), want, "{tool} {args}");
    }
}

#[test]
fn a_call_that_leaves_the_named_hosts_is_asked_about() {
    let says = |hosts: &str| {
        format!(
            "schema = 'gatefold/policy/v1'\n[egress]\nhosts = [{hosts}]\n[policy]\nallow = ['WebFetch', 'Task']\n"
        )
    };
    let (wide, narrow, none) = (
        says("'a.example', '*.b.example'"),
        says("'a.example'"),
        says(""),
    );
    for (documents, url, want) in [
        (vec![&wide], "https://a.example", "allow WebFetch"),
        (vec![&wide], "https://x.b.example", "allow WebFetch"),
        (vec![&wide], "https://b.example", "ask"),
        (vec![&wide], "https://x.a.example", "ask"),
        (vec![&wide], "a.example", "ask"),
        (vec![&wide], "https://u@a.example", "ask"),
        // Each document that says so must name the host.
        (vec![&wide, &narrow], "https://a.example", "allow WebFetch"),
        (vec![&wide, &narrow], "https://x.b.example", "ask"),
        (vec![&wide, &none], "https://a.example", "ask"),
    ] {
        let documents: Vec<_> = documents.into_iter().map(String::as_str).collect();
        let policy = load(&documents);
        let args = format!(r#"{{"url":"{url}"}}"#);
        let fields = decide(&policy, &Asked::tool("WebFetch").args(&args));
        let found = if fields.verdict == Verdict::Ask {
            "ask".into()
        } else {
            said(&fields)
        };
        assert_eq!(found, want, "{url} by {documents:?}");
        // Whoever goes nowhere is not held to it.
        assert_eq!(said(&decide(&policy, &Asked::tool("Task"))), "allow Task");
    }
}

#[test]
fn rules_with_stars_and_quotes_are_held_to_the_words_of_a_line() {
    let text = "schema = 'gatefold/policy/v1'\n[rules.user]\n\
        allow = ['Bash(git * main)', 'Bash(npm run build*)', 'Bash(make *x y*)']\n\
        deny = ['Bash(git * --force*)', 'Bash(git commit -m \"no such\")', 'Bash(* --drop *)']\n";
    let policy = load(&[text]);
    for (line, want) in [
        ("git push origin main", "allow Bash(git * main)"),
        ("git main", "ask"),
        ("git push origin mainz", "ask"),
        ("/usr/bin/git push main", "ask"),
        ("sudo git push main", "ask"),
        ("npm run builder", "allow Bash(npm run build*)"),
        (
            "git push --force-with-lease main",
            "deny Bash(git * --force*)",
        ),
        (
            "/usr/bin/git push --force main",
            "deny Bash(git * --force*)",
        ),
        (
            "git status && sudo git push --force",
            "deny Bash(git * --force*)",
        ),
        ("foo git push --force", "ask Bash(git * --force*)"),
        ("git $x", "ask Bash(git * --force*)"),
        (
            "git commit -m 'no such'",
            "deny Bash(git commit -m \"no such\")",
        ),
        ("git commit -m no such", "ask"),
        ("psql --drop all", "deny Bash(* --drop *)"),
        ("a; env x --drop", "deny Bash(* --drop *)"),
    ] {
        let fields = decide(&policy, &Asked::line(line));
        let found = match (fields.verdict, fields.basis.is_none()) {
            (Verdict::Ask, true) => "ask".into(),
            (Verdict::Ask | Verdict::Allow | Verdict::Deny, _) => said(&fields),
        };
        assert_eq!(found, want, "{line}");
    }
}

#[test]
fn allows_of_one_seat_add_up_and_those_of_two_do_not() {
    let text = |one: &str, other: &str| {
        format!(
            "schema = 'gatefold/policy/v1'\n[{one}]\nallow = ['Bash(sudo *)']\n[{other}]\nallow = ['Bash(ls *)']\n"
        )
    };
    // The line runs `sudo` and `ls`, and each needs an allow.
    for (one, other, want) in [
        ("rules.user", "rules.project", "allow Bash(sudo *)"),
        ("rules.session", "rules.local", "allow Bash(sudo *)"),
        ("rules.user", "agents.a.rules.user", "allow Bash(sudo *)"),
        // A judgement is of one seat, and what a person stored allows nothing for the host's own
        // policy, nor the other way round.
        ("policy", "rules.user", "ask"),
        ("rules.user", "policy", "ask"),
    ] {
        let policy = load(&[&text(one, other)]);
        let fields = decide(&policy, &Asked::line("sudo ls x").agent(Some("a")));
        assert_eq!(said(&fields), want, "{one} and {other}");
    }
}

#[test]
fn what_is_wrong_with_the_shape_is_told_of_every_entry() {
    let text =
        "schema = 7\nmode = true\n[limits]\nedit_cap = -1\n[rules.user]\ndenny = []\n[tools.A]\n";
    let refused = Policy::load(&[source("g", text)], Platform::Linux).unwrap_err();
    let problems = refused.problems.iter();
    let told: Vec<_> = problems
        .map(|problem| (problem.place.line, problem.code.word()))
        .collect();
    assert_eq!(
        told,
        [
            (1, "wrong_type"),
            (2, "wrong_type"),
            (4, "wrong_type"),
            (6, "unknown_key"),
            (7, "missing_key"),
        ]
    );
    let number = refused
        .problems
        .iter()
        .find(|problem| problem.place.line == 4);
    let number = &number.unwrap().sentence;
    assert!(number.contains("a whole number from 0 up"), "{number}");
}

#[test]
fn limits_are_lowered_and_the_lowest_counts() {
    let text = |limit: &str| format!("schema = 'gatefold/policy/v1'\n[limits]\n{limit}\n");
    let policy = load(&[
        &text("args_bytes = 40\nline_bytes = 8"),
        &text("args_bytes = 60"),
    ]);
    assert_eq!(policy.limits().args_bytes, 40);
    let long = Asked::line("echo this line is longer than forty bytes");
    assert_eq!(said(&decide(&policy, &long)), "deny limits.args_bytes");
    let line = Asked::line("echo 0123");
    assert_eq!(said(&decide(&policy, &line)), "deny limits.line_bytes");
    // A limit that is lowered turns no deny into an ask.
    let denied = "schema = 'gatefold/policy/v1'\n[org]\ndeny = ['Bash(echo *)']\n";
    for limit in ["line_bytes = 0", "line_bytes = 8", "args_bytes = 0"] {
        let policy = load(&[denied, &text(limit)]);
        assert_eq!(decide(&policy, &line).verdict, Verdict::Deny, "{limit}");
    }
}

#[test]
fn rules_of_the_call_stand_beside_those_of_the_documents() {
    let document = "schema = 'gatefold/policy/v1'\n[rules.user]\nallow = ['Bash(ls *)']\n";
    let mut policy = load(&[document]);
    let before = policy.digest();
    policy
        .add(Effect::Deny, Layer::Org, "Bash(ls -R *)")
        .unwrap();
    assert_ne!(policy.digest(), before);
    let fields = decide(&policy, &Asked::line("ls -R x"));
    assert_eq!(said(&fields), "deny Bash(ls -R *)");
    assert_eq!(fields.basis.and_then(|basis| basis.file), None);
    assert_eq!(
        said(&decide(&policy, &Asked::line("ls x"))),
        "allow Bash(ls *)"
    );
}

#[test]
fn the_digest_is_of_the_documents_bytes_in_their_order() {
    let a = "schema = 'gatefold/policy/v1'\n";
    let b = "schema = 'gatefold/policy/v1' # another\n";
    let digest = |documents: &[&str]| load(documents).digest();
    assert_eq!(digest(&[]), None);
    assert_eq!(digest(&[a]), digest(&[a]));
    assert_ne!(digest(&[a]), digest(&[b]));
    assert_ne!(digest(&[a, b]), digest(&[b, a]));
    assert_ne!(digest(&[a]), digest(&[a, a]));
    let fields = decide(&load(&[a]), &Asked::tool("Task"));
    assert_eq!(fields.policy, digest(&[a]));
}

#[test]
fn a_test_that_fails_keeps_the_whole_policy_from_being_loaded() {
    let document = |test: &str| {
        format!(
            "schema = 'gatefold/policy/v1'\nmode = 'bypass'\n[rules.user]\nask = ['Bash(git push *)']\n\
             deny = ['Edit']\n[agents.a]\nrules.user.deny = ['Bash(ls *)']\n[[test]]\n{test}\n"
        )
    };
    for (test, code) in [
        ("call = 'Bash(git push x)'\nwant = 'ask'", None),
        (
            "call = 'Bash(git push x)'\nwant = 'ask'\nrule = 'Bash(git push *)'",
            None,
        ),
        (
            "call = 'Bash(git push x)'\nwant = 'ask'\nrule = 'Bash'",
            Some("test_failed"),
        ),
        (
            "call = 'Bash(git push x)'\nwant = 'deny'",
            Some("test_failed"),
        ),
        (
            "call = 'Bash(git push x)'\nwant = 'deny'\nmode = 'dont_ask'",
            None,
        ),
        ("call = 'Bash(ls x)'\nwant = 'allow'", None),
        (
            "call = 'Bash(ls x)'\nwant = 'allow'\nrule = 'Bash'",
            Some("test_failed"),
        ),
        ("call = 'Bash(ls x)'\nwant = 'ask'\nmode = 'default'", None),
        ("call = 'Bash(ls x)'\nwant = 'deny'\nagent = 'a'", None),
        ("call = 'Edit'\nwant = 'deny'", None),
        (
            "call = { tool = 'Edit', args = { file_path = 'x' } }\nwant = 'deny'",
            None,
        ),
        (
            "call = { tool = 'Edit', arg = {} }\nwant = 'deny'",
            Some("unknown_key"),
        ),
        ("call = 'Bash(ls x'\nwant = 'deny'", Some("bad_test")),
        ("call = ''\nwant = 'ask'", Some("bad_test")),
        // What is misspelt is judged by no rule, and would prove nothing.
        ("call = 'Edti'\nwant = 'ask'", Some("bad_test")),
        (
            "call = 'Edit'\nwant = 'deny'\nagent = 'b'",
            Some("bad_test"),
        ),
        ("call = 'Bash'\nwant = 'ask'", Some("bad_test")),
        ("call = 'Bash()'\nwant = 'ask'", Some("bad_test")),
        (
            "call = { tool = 'Bash', args = { cmd = 'ls' } }\nwant = 'ask'",
            Some("bad_test"),
        ),
        (
            "call = { tool = 'Edit', args = { at = 1979-05-27 } }\nwant = 'ask'",
            Some("bad_test"),
        ),
        (
            "call = { tool = 'Edit', args = { a = [{ b = nan }] } }\nwant = 'ask'",
            Some("bad_test"),
        ),
        ("call = 'Edit'\nwant = 'no'", Some("unknown_word")),
        (
            "call = 'Edit'\nwant = 'deny'\nmode = 'yolo'",
            Some("unknown_word"),
        ),
    ] {
        let text = document(test);
        let loaded = Policy::load(&[source("gatefold.toml", &text)], Platform::Linux);
        let found = loaded.err().map(|refused| {
            let first = refused.first().map(|problem| problem.code.word());
            (first, refused.problems)
        });
        let found_code = found.as_ref().and_then(|(code, _)| *code);
        assert_eq!(found_code, code, "{test}: {found:?}");
    }
}

#[test]
fn tests_speak_of_their_own_document_alone() {
    let tested = "schema = 'gatefold/policy/v1'\n[rules.user]\nallow = ['Edit']\n\
        [[test]]\ncall = 'Edit'\nwant = 'allow'\n";
    let other = "schema = 'gatefold/policy/v1'\n[org]\ndeny = ['Edit']\n";
    let policy = load(&[tested, other]);
    assert_eq!(said(&decide(&policy, &Asked::tool("Edit"))), "deny Edit");
}

#[test]
fn all_errors_are_told_at_once_before_all_warnings() {
    let text = "schema = 'gatefold/policy/v1'\nmode = 'no'\n[rules.user]\nallow = ['Bash(sudo *)']\n\
        deny = ['Bash(rm', 'mcp_a']\n[limits]\nedit_cap = 9\n";
    let refused = Policy::load(&[source("g.toml", text)], Platform::Linux).unwrap_err();
    let codes: Vec<_> = refused
        .problems
        .iter()
        .map(|problem| (problem.place.line, problem.code.word()))
        .collect();
    assert_eq!(
        codes,
        [
            (2, "unknown_word"),
            (5, "rule_unbalanced"),
            (5, "rule_nearly_mcp"),
            (7, "limit_raised"),
            (4, "runs_anything"),
        ]
    );
    assert_eq!(refused.errors(), 4);
}

#[test]
fn a_rule_is_shadowed_only_if_another_is_named_for_every_call_of_it() {
    for (rules, want) in [
        // The first that covers a call is the one that is named.
        ("deny = ['Bash(rm x *)', 'Bash(rm *)']", None),
        ("deny = ['Bash(rm *)', 'Bash(rm x *)']", Some(3)),
        ("deny = ['Bash(rm *)']\nallow = ['Bash(rm x)']", Some(4)),
        ("deny = ['Bash(rm x)']\nallow = ['Bash(rm *)']", None),
        ("deny = ['mcp__a']\nask = ['mcp__a__b']", Some(4)),
    ] {
        let text = format!("schema = 'gatefold/policy/v1'\n[rules.user]\n{rules}\n");
        let loaded = Policy::load(&[source("g", &text)], Platform::Linux).unwrap();
        let mut shadowed = loaded.warnings.iter();
        let shadowed = shadowed.find(|problem| problem.code.word() == "shadowed");
        assert_eq!(shadowed.map(|problem| problem.place.line), want, "{rules}");
        // A document that is given twice says everything twice.
        let twice = Policy::load(&[source("g", &text), source("g", &text)], Platform::Linux);
        let itself = twice.unwrap().warnings.into_iter().filter(|problem| {
            let place = problem.place.to_string();
            problem.code.word() == "shadowed" && problem.sentence.contains(&place)
        });
        assert_eq!(itself.count(), 0, "{rules}");
    }
}

#[test]
fn loading_anything_ends_and_never_panics() {
    // Every head of a document, and every document with one byte changed.
    for end in 0..TEAM.len() {
        let _ = Policy::load(&[source("g", &TEAM[..end])], Platform::Linux);
    }
    let mut bytes = TEAM.as_bytes().to_vec();
    for at in 0..bytes.len() {
        for byte in *b"\x00\"'[]{}=,\xff(" {
            let was = std::mem::replace(&mut bytes[at], byte);
            let whole = Source::host("g", &bytes);
            let _ = Policy::load(&[whole], Platform::Linux);
            bytes[at] = was;
        }
    }
}

/// A call to be decided.
#[derive(Clone, Debug)]
struct Asked<'a> {
    tool: &'a str,
    args: String,
    mode: Mode,
    agent: Option<&'a str>,
    /// The agents above it, nearest first.
    above: Vec<Option<&'a str>>,
}

impl<'a> Asked<'a> {
    fn tool(tool: &'a str) -> Self {
        Self {
            tool,
            args: "{}".into(),
            mode: Mode::Default,
            agent: None,
            above: Vec::new(),
        }
    }

    fn line(line: &str) -> Self {
        let line = serde_json::to_string(line).unwrap();
        Self {
            args: format!("{{\"command\":{line}}}"),
            ..Self::tool("Bash")
        }
    }

    fn args(mut self, args: &str) -> Self {
        self.args = args.into();
        self
    }

    fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    fn agent(mut self, agent: Option<&'a str>) -> Self {
        self.agent = agent;
        self
    }

    fn below(mut self, agent: Option<&'a str>) -> Self {
        self.above.push(agent);
        self
    }
}

fn source<'a>(name: &'a str, text: &'a str) -> Source<'a> {
    Source::host(name, text.as_bytes())
}

fn load(documents: &[&str]) -> Policy {
    let names: Vec<_> = (0..documents.len())
        .map(|index| format!("{index}.toml"))
        .collect();
    let sources: Vec<_> = names
        .iter()
        .zip(documents)
        .map(|(name, text)| source(name, text))
        .collect();
    let loaded = Policy::load(&sources, Platform::Linux);
    loaded.unwrap_or_else(|refused| panic!("{refused}")).policy
}

fn result(policy: &Policy, asked: &Asked<'_>) -> GateResult {
    let call = Call {
        id: "c1".into(),
        tool: asked.tool.into(),
        args: Args::parse(&asked.args).unwrap(),
    };
    let policy = Arc::new(policy.clone());
    let mut deciders = Deciders::new(policy, asked.tool, None, Surroundings::default());
    let mut input = deciders.wire(GateInput::builder(call).mode(asked.mode).wire(Seat::Park));
    if let Some(agent) = asked.agent {
        input = input.agent(agent);
    }
    for agent in &asked.above {
        input = input.ancestor(Member {
            agent: agent.map(Into::into),
            mode: asked.mode,
            lock: false,
        });
    }
    *drive(begin(input.build().unwrap()), &mut deciders).unwrap()
}

fn decide(policy: &Policy, asked: &Asked<'_>) -> RecordFields {
    match result(policy, asked) {
        GateResult::Finished(finished) => finished.record().into(),
        GateResult::Suspended(suspended) => suspended.parked.record().into(),
    }
}

fn reason(policy: &Policy, asked: &Asked<'_>) -> String {
    match result(policy, asked) {
        GateResult::Finished(finished) => finished.reason().unwrap_or_default(),
        GateResult::Suspended(suspended) => suspended.parked.reason(),
    }
}

/// The verdict and the rule behind it.
fn said(fields: &RecordFields) -> String {
    match &fields.basis {
        None => fields.verdict.to_string(),
        Some(basis) => format!("{} {}", fields.verdict, basis.rule),
    }
}
