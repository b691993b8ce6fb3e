//! A deny or an ask is not evaded by how a line spells what it runs.

mod support;

use support::{decide, line, one_rule, parse, request, run, short};

const MODES: &[&str] = &[
    "default",
    "plan",
    "accept_edits",
    "auto",
    "dont_ask",
    "bypass",
];

#[test]
fn a_program_glued_into_a_later_word_is_that_layers_ask() {
    for command in [
        "env -Srm x",
        "env -iSrm x",
        "sh -crm",
        "tar xf a --to-command=rm",
        "tar xf a --to-command=/bin/rm",
        "ssh -oProxyCommand=rm h",
        "make x=rm",
        "do a:rm",
        "do /bin/rm,x",
        "do @rm",
        "do %rm",
        "do +rm",
    ] {
        for (from, by) in [
            ("org", "ask org"),
            ("policy", "ask policy"),
            ("user", "ask rule"),
        ] {
            for effect in ["deny", "ask"] {
                for mode in MODES {
                    let fields = format!(
                        r#""mode":"{mode}","hooks":[{{"id":"h","answer":{{"decision":"allow"}}}}],
                        "rules":[{{"effect":"allow","rule":"Bash","from":"user"}},
                        {{"effect":"{effect}","rule":"Bash(rm *)","from":"{from}"}}]"#
                    );
                    let decision = decide(line(command, &fields));
                    assert_ne!(decision["verdict"], "allow", "{command} in {mode}");
                    if *mode == "bypass" {
                        assert_eq!(short(&decision), by, "{command}");
                    }
                }
            }
        }
    }
}

#[test]
fn options_between_the_words_of_a_rule_do_not_evade_it() {
    for (text, command, want) in [
        ("Bash(git push *)", "git -C . push", "deny rule"),
        (
            "Bash(git push:*)",
            "git -c a=b --no-pager push o",
            "ask rule",
        ),
        ("Bash(git push *)", "git --no-pager push o", "deny rule"),
        ("Bash(git push *)", "sudo git -C . push", "deny rule"),
        ("Bash(git push *)", "env -Sgit push", "ask rule"),
        ("Bash(git push *)", "git push", "deny rule"),
        ("Bash(git push *)", "git stash push", "allow mode"),
        ("Bash(git push *)", "git commit -m push", "allow mode"),
        ("Bash(rm *)", "docker run --rm x", "allow mode"),
        ("Bash(rm *)", "ls /home/rm/x", "allow mode"),
    ] {
        let fields = format!(r#""mode":"bypass",{}"#, one_rule("deny", text, "user"));
        assert_eq!(short(&decide(line(command, &fields))), want, "{command}");
    }
    let allow = one_rule("allow", "Bash(git push *)", "user");
    for command in ["git -C . push", "sudo git push"] {
        assert_eq!(
            short(&decide(line(command, &allow))),
            "ask unstated",
            "{command}"
        );
    }
}

#[test]
fn a_shell_is_refused_in_any_case_and_allowed_as_written() {
    for tool in ["Bash", "bash", "BASH"] {
        let of = |effect, rule, line: &str| {
            let args = format!(r#"{{"command":"{line}"}}"#);
            short(&decide(request(
                tool,
                &args,
                &one_rule(effect, rule, "user"),
            )))
        };
        assert_eq!(of("deny", "Bash(rm *)", "rm x"), "deny rule", "{tool}");
        assert_eq!(of("deny", "bash", "ls"), "deny rule", "{tool}");
        assert_eq!(of("ask", "bAsh(rm *)", "sudo rm x"), "ask rule", "{tool}");
        let allowed = if tool == "Bash" {
            "allow stored_rule"
        } else {
            "ask unstated"
        };
        assert_eq!(of("allow", "Bash", "ls"), allowed, "{tool}");
        assert_eq!(of("allow", "Bash(ls)", "ls"), allowed, "{tool}");
    }
    // Other tools differ by case.
    let deny = one_rule("deny", "Edit", "user");
    assert_eq!(short(&decide(request("edit", "{}", &deny))), "ask unstated");
}

#[test]
fn a_program_is_refused_under_every_name_that_its_system_gives_it() {
    for (platform, command, want) in [
        ("windows", "RM.EXE x", "deny rule"),
        ("windows", "rm.cmd x", "deny rule"),
        ("windows", "rm.Bat x", "deny rule"),
        ("windows", "rm.com x", "deny rule"),
        ("windows", "rm. x", "deny rule"),
        ("windows", "C:/bin/rm.exe. x", "deny rule"),
        ("windows", "do --run=rm.exe x", "ask rule"),
        ("macos", "RM x", "deny rule"),
        ("macos", "env -SRM x", "ask rule"),
        ("linux", "RM x", "allow mode"),
    ] {
        let rules = one_rule("deny", "Bash(rm *)", "user");
        let fields = format!(r#""mode":"bypass","platform":"{platform}",{rules}"#);
        assert_eq!(short(&decide(line(command, &fields))), want, "{command}");
    }
}

#[test]
fn a_shell_of_a_server_has_its_line_read() {
    let of = |command: &str, fields: &str| {
        decide(format!(
            r#"{{"call":{{"id":"c","tool":"Bash","args":{{"command":"{command}"}},
                "mcp":{{"server":"a","tool":"b"}}}},"mode":"bypass"{fields}}}"#
        ))
    };
    let released = of("ls && $x", "");
    assert_eq!(short(&released), "allow mode");
    assert_eq!(released["record"]["released"]["past_read_deny"], true);
    assert!(of("ls", "")["record"]["released"]["past_read_deny"].is_null());
    let deny = format!(",{}", one_rule("deny", "Bash(rm *)", "user"));
    assert_eq!(short(&of("ls && $x", &deny)), "ask rule");
    assert_eq!(short(&of("rm x", &deny)), "deny rule");
    assert_eq!(short(&of("ls && rm x", &deny)), "deny rule");
}

#[test]
fn a_rule_that_can_never_match_is_not_loaded() {
    for (text, nearest) in [
        ("Edit, Write", "`Edit`"),
        ("Edit|Write", "`Edit`"),
        ("Web Fetch", "`Web`"),
        ("[Edit]", "`Edit`"),
        ("Edit\u{7}", "`Edit`"),
        ("MCP__github", "`mcp__github`"),
        ("mcp_github", "`mcp__github`"),
        ("mcp_", "`mcp__server`"),
        ("Bash(FOO=1 rm *)", "`Bash(rm *)`"),
        ("Bash(FOO=1)", "`Bash`"),
    ] {
        for effect in ["deny", "ask"] {
            let run = run(&["decide"], line("ls", &one_rule(effect, text, "user")));
            assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{text}");
            assert!(run.stderr.contains("rules[0].rule"), "{}", run.stderr);
            assert!(run.stderr.contains(nearest), "{}", run.stderr);
        }
        let run = run(&["decide"], line("ls", &one_rule("allow", text, "user")));
        assert_eq!(short(&parse(&run.stdout)), "ask unstated", "{text}");
        assert_eq!(run.stderr.lines().count(), 1, "{text}: {}", run.stderr);
        assert!(
            run.stderr.contains("this allow is left out"),
            "{}",
            run.stderr
        );
    }
}
