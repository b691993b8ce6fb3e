//! What rules say of a call, whatever the mode.

mod support;

use support::{decide, line, one_rule, parse, request, rule, run, short};

const LAYERS: &[(&str, &str)] = &[
    ("managed", "org"),
    ("org", "org"),
    ("policy", "policy"),
    ("user", "rule"),
    ("project", "rule"),
    ("local", "rule"),
    ("session", "rule"),
    ("stored", "rule"),
];
const MODES: &[&str] = &[
    "default",
    "plan",
    "accept_edits",
    "auto",
    "dont_ask",
    "bypass",
];

#[test]
fn no_mode_runs_past_a_deny_that_may_apply() {
    for command in [
        "git status && rm -rf build",
        "sudo rm x",
        "/bin/rm x",
        "FOO=1 rm x",
        "rm\tx",
        "'rm' x",
        "echo $(rm x)",
        "find . -exec rm x",
        "xargs -a list rm",
        "bash -c rm",
        "env FOO=1 ./rm x",
    ] {
        for mode in MODES {
            for (from, _) in LAYERS {
                let rules = format!(
                    r#""mode":"{mode}","rules":[
                        {{"effect":"allow","rule":"Bash","from":"user"}},
                        {{"effect":"allow","rule":"Bash","from":"policy"}},
                        {{"effect":"deny","rule":"Bash(rm *)","from":"{from}"}}]"#
                );
                let hooks = r#""hooks":[{"id":"h","answer":{"decision":"allow"}}]"#;
                let decision = decide(line(command, &format!("{rules},{hooks}")));
                assert_ne!(
                    decision["verdict"], "allow",
                    "{command} from {from} in {mode}"
                );
            }
        }
    }
}

#[test]
fn each_layer_denies_and_asks_in_its_own_name() {
    for (from, by) in LAYERS {
        let layer = if *from == "managed" { "org" } else { from };
        let deny = decide(line("rm x", &one_rule("deny", "Bash(rm *)", from)));
        assert_eq!(short(&deny), format!("deny {by}"), "{from}");
        assert_eq!(deny["record"]["basis"]["layer"], layer);
        let ask = decide(line("rm x", &one_rule("ask", "Bash(rm *)", from)));
        assert_eq!(short(&ask), format!("ask {by}"), "{from}");
    }
}

#[test]
fn a_shell_rule_bears_on_a_line_as_its_row_says() {
    // effect, rule, line, decision (in bypass for deny and ask, in default for allow)
    for (effect, text, command, want) in [
        (
            "allow",
            "Bash(git status)",
            "git status",
            "allow stored_rule",
        ),
        ("allow", "Bash(git status)", "git status -s", "ask unstated"),
        ("allow", "Bash(git log:*)", "git log", "allow stored_rule"),
        (
            "allow",
            "Bash(git log *)",
            "git log -3",
            "allow stored_rule",
        ),
        ("allow", "Bash(git log *)", "git logs", "ask unstated"),
        (
            "allow",
            "Bash(git status)",
            "/usr/bin/git status",
            "ask unstated",
        ),
        (
            "allow",
            "Bash(git status)",
            "sudo git status",
            "ask unstated",
        ),
        ("allow", "Bash(git log:*)", "git log; rm x", "ask unstated"),
        (
            "allow",
            "Bash(git status)",
            "git  'status'",
            "allow stored_rule",
        ),
        (
            "allow",
            "Bash(git log:*)",
            "git log; git log -3 | $PAGER",
            "ask shell_read",
        ),
        (
            "allow",
            "Bash(git log:*)",
            "git log; git log $(git log -1)",
            "allow stored_rule",
        ),
        ("allow", "Bash(git log:*)", "git log > f", "ask shell_read"),
        (
            "allow",
            "Bash(git status)",
            "git status\n",
            "allow stored_rule",
        ),
        ("allow", "Bash", "git status", "allow stored_rule"),
        ("allow", "Bash(*)", "git status", "allow stored_rule"),
        ("allow", "Bash", "a | b", "allow stored_rule"),
        ("allow", "Bash", "a | $b", "ask shell_read"),
        ("allow", "bash", "git status", "ask unstated"),
        ("deny", "Bash(rm x)", "rm x", "deny rule"),
        ("deny", "Bash(rm x)", "rm x y", "allow mode"),
        ("deny", "Bash(rm *)", "rm", "deny rule"),
        ("deny", "Bash(rm:*)", "/bin/rm x", "deny rule"),
        ("deny", "Bash(rm:*)", "rmdir x", "allow mode"),
        ("deny", "Bash(rm:*)", "sudo rm x", "deny rule"),
        ("deny", "Bash(rm:*)", "foo rm x", "ask rule"),
        ("deny", "Bash(rm:*)", "sudo -n /bin/rm x", "deny rule"),
        ("deny", "Bash(/bin/rm *)", "/bin/rm x", "deny rule"),
        ("deny", "Bash(/bin/rm *)", "rm x", "ask rule"),
        ("deny", "Bash(/bin/rm *)", "/usr/bin/rm x", "ask rule"),
        ("deny", "Bash(rm:*)", "FOO=1 rm x", "deny rule"),
        ("deny", "Bash(rm:*)", "ls | wc", "allow mode"),
        ("deny", "Bash(rm:*)", "ls | $x", "ask rule"),
        ("deny", "Bash(rm:*)", "", "ask rule"),
        ("deny", "Bash", "ls | wc", "deny rule"),
        ("deny", "Bash(*)", "ls", "deny rule"),
        ("deny", "Read", "ls | wc", "allow mode"),
        ("deny", "PowerShell(rm *)", "ls | wc", "allow mode"),
        ("ask", "Bash(git push:*)", "git push", "ask rule"),
        ("ask", "Bash(git push:*)", "sudo git push", "ask rule"),
        ("ask", "Bash(git push:*)", "ls | $x", "ask rule"),
        ("ask", "Bash(git push:*)", "ls | wc", "allow mode"),
        ("ask", "Bash(git push:*)", "git pull", "allow mode"),
    ] {
        let mode = if effect == "allow" {
            "default"
        } else {
            "bypass"
        };
        let fields = format!(r#""mode":"{mode}",{}"#, one_rule(effect, text, "user"));
        let decision = decide(line(command, &fields));
        assert_eq!(short(&decision), want, "{effect} {text} of {command:?}");
    }
}

#[test]
fn a_line_that_is_not_there_or_in_no_shell_we_read_cannot_be_established() {
    let deny = one_rule("deny", "Bash(rm *)", "user");
    let missing = r#"{"script":"ls"}"#;
    for (tool, args, fields, want) in [
        ("Bash", missing, deny.as_str(), "ask rule"),
        ("Bash", r#"{"command":["rm","x"]}"#, &deny, "ask rule"),
        ("Bash", r#"{"command":null}"#, &deny, "ask rule"),
        ("Bash", missing, r#""mode":"bypass""#, "allow mode"),
        (
            "Bash",
            r#"{"command":"ls"}"#,
            r#""shell":"fish""#,
            "ask shell_read",
        ),
        (
            "Bash",
            r#"{"command":"ls"}"#,
            r#""shell":"zsh""#,
            "ask unstated",
        ),
        (
            "Bash",
            r#"{"command":"sudo =rm"}"#,
            r#""shell":"zsh""#,
            "ask shell_read",
        ),
        ("PowerShell", r#"{"command":"ls"}"#, "", "ask shell_read"),
    ] {
        assert_eq!(
            short(&decide(request(tool, args, fields))),
            want,
            "{tool} {args} {fields}"
        );
    }
    for (bytes, want) in [(65_536, "ask unstated"), (65_537, "ask shell_read")] {
        assert_eq!(
            short(&decide(line(&"a".repeat(bytes), ""))),
            want,
            "{bytes} bytes"
        );
    }
}

#[test]
fn what_could_not_be_read_is_named_by_its_smallest_part() {
    let denied = decide(line("ls && $x", r#""interactive":false"#));
    assert_eq!(short(&denied), "deny ask_resolution");
    assert_eq!(denied["details"]["finding"], "unestablishable");
    let details = denied["details"]["text"].as_str().expect("a text");
    assert!(details.ends_with("(at `$x`)"), "{details}");
    assert_eq!(denied["record"]["asked"]["askers"][0]["part"], "$x");
    let bypassed = decide(line("ls && $x", r#""mode":"bypass""#));
    assert_eq!(bypassed["record"]["released"]["past_read_deny"], true);
}

#[test]
fn the_basis_names_layer_list_place_rule_and_part() {
    let rules = r#""rules":[
        {"effect":"allow","rule":"Bash(git *)","from":"project"},
        {"effect":"deny","rule":"Bash(git push:*)","from":"managed"}]"#;
    let decision = decide(line("/usr/bin/git push origin main", rules));
    let want = r#"{"layer":"org","list":"deny","index":1,"rule":"Bash(git push:*)",
        "part":"/usr/bin/git push"}"#;
    assert_eq!(decision["record"]["basis"], parse(want));
}

#[test]
fn deny_wins_over_ask_and_ask_over_allow_whatever_their_order() {
    let all = [("allow", "ls"), ("ask", "ls *"), ("deny", "ls:*")];
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1]] {
        for (kept, want) in [(3, "deny rule"), (2, "ask rule"), (1, "allow stored_rule")] {
            let rules: Vec<_> = order
                .iter()
                .filter(|index| **index < kept)
                .map(|index| {
                    let (effect, words) = all[*index];
                    format!(r#"{{"effect":"{effect}","rule":"Bash({words})","from":"user"}}"#)
                })
                .collect();
            let fields = format!(r#""rules":[{}]"#, rules.join(","));
            assert_eq!(short(&decide(line("ls", &fields))), want, "{fields}");
        }
    }
}

#[test]
fn an_ask_of_any_layer_stands_against_a_stored_allow_and_an_allow_of_a_hook() {
    for (from, by) in LAYERS {
        let fields = format!(
            r#""rules":[{{"effect":"allow","rule":"Bash(ls)","from":"user"}},
                {{"effect":"ask","rule":"Bash(ls)","from":"{from}"}}],
            "hooks":[{{"id":"h","answer":{{"decision":"allow"}}}}]"#
        );
        assert_eq!(
            short(&decide(line("ls", &fields))),
            format!("ask {by}"),
            "{from}"
        );
    }
}

#[test]
fn other_tools_are_matched_by_their_exact_name() {
    for (tool, effect, text, want) in [
        ("Edit", "allow", "Edit", "allow stored_rule"),
        ("Edit", "allow", "edit", "ask unstated"),
        ("Edit", "allow", "Edi", "ask unstated"),
        ("Edit", "deny", "Edit", "deny rule"),
        ("MultiEdit", "deny", "Edit", "ask unstated"),
        ("Read", "allow", "Read", "allow stored_rule"),
        // Where it reads is not judged, so that it only reads is not enough.
        ("Read", "deny", "Edit", "ask unstated"),
    ] {
        let decision = decide(request(tool, "{}", &one_rule(effect, text, "user")));
        assert_eq!(short(&decision), want, "{effect} {text} of {tool}");
    }
}

#[test]
fn plan_mode_lets_readers_on_and_nothing_else() {
    for (tool, want) in [
        ("Read", "allow stored_rule"),
        ("Grep", "allow stored_rule"),
        ("Edit", "deny plan_mode"),
        ("Bash", "deny plan_mode"),
        ("WebFetch", "deny plan_mode"),
        ("mcp__a__Read", "deny plan_mode"),
    ] {
        let fields = format!(r#""mode":"plan",{}"#, one_rule("allow", tool, "user"));
        assert_eq!(short(&decide(request(tool, "{}", &fields))), want, "{tool}");
    }
}

#[test]
fn mcp_rules_compare_server_and_tool_apart() {
    let ab = r#""mcp":{"server":"a","tool":"b"}"#;
    let a_bc = r#""mcp":{"server":"a","tool":"b__c"}"#;
    // tool, mcp, effect, rule, decision (in bypass for a deny)
    for (tool, mcp, effect, text, want) in [
        ("mcp__a__b", "", "allow", "mcp__a", "allow stored_rule"),
        ("mcp__a__b", "", "allow", "mcp__a__*", "allow stored_rule"),
        ("mcp__a__b", "", "allow", "mcp__a__b", "allow stored_rule"),
        ("mcp__a__b", "", "allow", "mcp__a__c", "ask unstated"),
        ("mcp__a__b", "", "allow", "mcp__A__b", "ask unstated"),
        ("mcp__ab__c", "", "allow", "mcp__a", "ask unstated"),
        ("mcp__a__b__c", "", "allow", "mcp__a", "ask unstated"),
        ("mcp__a__b__c", "", "deny", "mcp__a", "deny rule"),
        ("mcp__a__b__c", "", "deny", "mcp__a__b", "deny rule"),
        ("mcp__a__b__c", "", "deny", "mcp__a__b__c", "deny rule"),
        ("mcp__a___b", "", "deny", "mcp__a_", "deny rule"),
        ("mcp__a___b", "", "allow", "mcp__a_", "ask unstated"),
        ("mcp__a__b__c", a_bc, "allow", "mcp__a", "allow stored_rule"),
        ("run", ab, "allow", "mcp__a__b", "allow stored_rule"),
        ("run", ab, "deny", "mcp__a__*", "deny rule"),
        ("mcp__x__y", ab, "allow", "mcp__a__b", "ask unstated"),
        ("mcp__x__y", ab, "deny", "mcp__a__b", "deny rule"),
        ("mcp__x__y", ab, "deny", "mcp__x__y", "deny rule"),
        // A server's tool does not become another by its name.
        ("Bash", ab, "allow", "Bash", "ask shell_read"),
        ("Bash", ab, "deny", "Bash", "deny rule"),
    ] {
        let comma = if mcp.is_empty() { "" } else { "," };
        let mode = if effect == "allow" {
            "default"
        } else {
            "bypass"
        };
        let rules = one_rule(effect, text, "user");
        let decision = decide(format!(
            r#"{{"call":{{"id":"c","tool":"{tool}","args":{{}}{comma}{mcp}}},"mode":"{mode}",{rules}}}"#
        ));
        assert_eq!(short(&decision), want, "{effect} {text} of {tool} {mcp}");
    }
}

#[test]
fn an_allow_that_is_not_understood_is_left_out_with_one_warning() {
    for (text, from) in [
        ("Bash(build $x)", "user"),
        ("Bash(echo \"$a\")", "policy"),
        ("Bash(git", "user"),
        ("Read($HOME/x)", "project"),
        ("Read(/src/**)", "project"),
        ("Task(x)", "user"),
        ("mcp__a__b__c", "user"),
        ("mcp__a__get*", "user"),
        ("Web*", "user"),
        ("", "user"),
        ("Bash(ls)", "org"),
    ] {
        let fields = one_rule("allow", text, from);
        let run = run(&["decide"], line("ls", &fields));
        assert_eq!(run.code, 0, "{text}");
        assert_eq!(short(&parse(&run.stdout)), "ask unstated", "{text}");
        assert_eq!(run.stderr.lines().count(), 1, "{text}: {}", run.stderr);
        assert!(run.stderr.contains("rules[0].rule"), "{}", run.stderr);
    }
}

#[test]
fn a_deny_or_ask_that_is_not_understood_is_bad_input_with_the_nearest_form() {
    for (text, nearest) in [
        ("Bash(build $x)", "`Bash(build *)`"),
        ("Bash(ls ~/tmp)", "`Bash(ls *)`"),
        ("Bash(echo \"$a\")", "`Bash(echo *)`"),
        ("Bash(git  log)", "`Bash(git log)`"),
        ("Bash(git", "`Bash`"),
        ("Read()", "`Read(./**)`"),
        ("Edit($HOME/x)", "`Edit(~/**)`"),
        ("WebFetch(example.com)", "`WebFetch(domain:example.com)`"),
        ("Task(Explore)", "`Task`"),
        ("mcp__a__get*", "`mcp__a`"),
        ("mcp__", "`mcp__server`"),
        ("", "`Bash`"),
    ] {
        for effect in ["deny", "ask"] {
            let run = run(&["decide"], line("ls", &one_rule(effect, text, "user")));
            assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{text}");
            assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
            assert!(run.stderr.contains("rules[0].rule"), "{}", run.stderr);
            assert!(run.stderr.contains(nearest), "{}", run.stderr);
        }
    }
}

#[test]
fn a_tool_that_nobody_knows_is_denied_before_any_rule() {
    let rules = one_rule("deny", "Bash", "org");
    let known = |tools: &str| format!(r#""facts":{{"known_tools":{tools}}},{rules}"#);
    for (tools, want) in [
        (r#"["Read"]"#, "deny policy"),
        ("[]", "deny policy"),
        (r#"["bash"]"#, "deny policy"),
        (r#"["Bash"]"#, "deny org"),
        ("null", "deny org"),
    ] {
        assert_eq!(short(&decide(line("ls", &known(tools)))), want, "{tools}");
    }
    assert_eq!(rule(&decide(line("ls", &known("[]")))), "known_tools");
}

#[test]
fn the_digests_follow_rules_and_facts_and_nothing_else() {
    let digests = |fields: &str| {
        let record = decide(line("ls", fields))["record"].clone();
        (record["policy"].clone(), record["digests"]["facts"].clone())
    };
    let (none, no_facts) = digests(r#""rules":[],"facts":null"#);
    assert!(none.is_null() && no_facts.is_null());
    let managed = digests(&one_rule("deny", "Edit", "managed")).0;
    assert!(managed.is_string());
    assert_eq!(managed, digests(&one_rule("deny", "Edit", "org")).0);
    assert_ne!(managed, digests(&one_rule("ask", "Edit", "org")).0);
    assert_ne!(managed, digests(&one_rule("deny", "Edit", "policy")).0);
    let facts = |paths: &str| digests(&format!(r#""facts":{{"realpaths":{paths}}}"#)).1;
    assert_eq!(
        facts(r#"{"/a":"/b","/c":"/d"}"#),
        facts(r#"{"/c":"/d","/a":"/b"}"#)
    );
    assert_ne!(facts(r#"{"/a":"/b"}"#), facts(r#"{"/a":"/c"}"#));
    assert_eq!(facts("{}"), digests(r#""facts":{}"#).1);
}

#[test]
fn many_rules_over_a_long_line_end_soon() {
    let rules: Vec<_> = (0..20_000)
        .map(|index| format!(r#"{{"effect":"deny","rule":"Bash(p{index} q *)","from":"user"}}"#))
        .collect();
    let command = "p1 ".repeat(20_000) + "p2";
    let decision = decide(line(&command, &format!(r#""rules":[{}]"#, rules.join(","))));
    assert_eq!(short(&decision), "ask unstated");
}
