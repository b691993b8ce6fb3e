//! The example requests and what is decided of each.

mod support;

use support::{decide, examples, parse, rule, run, short};

/// Example, decision, the rule behind it, exit code.
const EXPECTED: &[(&str, &str, &str, i32)] = &[
    ("ask-rule", "ask rule", "Bash(git push *)", 10),
    ("assignment", "deny rule", "Bash(rm *)", 20),
    ("bypass-past-deny", "deny org", "Bash(curl:*)", 20),
    ("bypass-unread-line", "allow mode", "", 0),
    ("compound", "deny rule", "Bash(rm *)", 20),
    ("compound-line", "deny rule", "Bash(rm *)", 20),
    ("dont-ask", "deny mode", "", 20),
    ("edited-by-person", "allow ask_resolution", "", 0),
    ("git-options", "deny org", "Bash(git push:*)", 20),
    (
        "git-status-allowed",
        "allow stored_rule",
        "Bash(git status)",
        0,
    ),
    ("glued-program", "ask rule", "Bash(rm *)", 10),
    ("hook-asks", "ask hook", "cost-guard", 10),
    ("hook-crashed", "deny engine", "", 20),
    ("hook-denies", "deny hook", "branch-guard", 20),
    ("hook-rewrites", "allow stored_rule", "Bash(npm ci)", 0),
    ("hook-rewrites-ask", "ask unstated", "", 10),
    ("locked", "deny compliance", "", 20),
    ("mcp-ask", "ask unstated", "", 10),
    ("mcp-split", "deny ask_resolution", "", 20),
    ("mcp-tool", "allow stored_rule", "mcp__github", 0),
    ("person-says-no", "deny ask_resolution", "", 20),
    ("plan-mode", "deny plan_mode", "", 20),
    ("policy-allows", "allow policy", "Bash(cargo *)", 0),
    ("read-file", "ask unstated", "", 10),
    ("rm-by-path", "deny rule", "Bash(rm *)", 20),
    ("sub-agent", "deny ask_resolution", "", 20),
    ("sudo-rm", "deny rule", "Bash(rm *)", 20),
    ("unknown-tool", "deny policy", "known_tools", 20),
    ("unread-line", "ask shell_read", "", 10),
    ("unstated-ask", "ask unstated", "", 10),
];

#[test]
fn every_example_is_decided_as_its_row_says() {
    let examples = examples();
    let names: Vec<_> = examples.iter().map(|(name, _)| name.as_str()).collect();
    let rows: Vec<_> = EXPECTED.iter().map(|(name, ..)| *name).collect();
    assert_eq!(
        names, rows,
        "every example has a row, and every row an example"
    );
    for ((name, request), (_, decision, behind, code)) in examples.iter().zip(EXPECTED) {
        let said = decide(request);
        assert_eq!(
            (short(&said).as_str(), rule(&said)),
            (*decision, *behind),
            "{name}"
        );
        assert_eq!(
            run(&["decide", "--exit-code"], request).code,
            *code,
            "{name}"
        );
    }
}

#[test]
fn the_same_request_gives_the_same_bytes() {
    for (name, request) in examples() {
        let once = run(&["decide"], &request);
        assert_eq!(once, run(&["decide"], &request), "{name}");
    }
}

#[test]
fn both_forms_say_the_same() {
    for (name, request) in examples() {
        let wide = run(&["decide"], &request).stdout;
        let compact = run(&["decide", "--compact"], &request).stdout;
        assert_eq!(compact.lines().count(), 1, "{name}");
        assert!(wide.starts_with("{\n  \"verdict\": "), "{name}");
        assert!(wide.ends_with("}\n") && compact.ends_with("}\n"), "{name}");
        assert_eq!(parse(&wide), parse(&compact), "{name}");
    }
}

#[test]
fn the_keys_stand_in_their_order_and_args_stand_on_an_allow_alone() {
    const KEYS: &[&str] = &[
        "verdict", "reason", "args", "context", "details", "notices", "record",
    ];
    for (name, request) in examples() {
        let decision = decide(&request);
        let object = decision.as_object().expect("an object");
        assert!(
            object.keys().all(|key| KEYS.contains(&key.as_str())),
            "{name}"
        );
        let allows = decision["verdict"] == "allow";
        assert_eq!(object.contains_key("args"), allows, "{name}");
        assert_eq!(object.contains_key("reason"), !allows, "{name}");
        let text = run(&["decide"], &request).stdout;
        let places: Vec<_> = KEYS
            .iter()
            .filter_map(|key| text.find(&format!("\n  \"{key}\": ")))
            .collect();
        assert_eq!(places.len(), object.len(), "{name}");
        assert!(places.is_sorted(), "{name}");
    }
}

#[test]
fn the_call_in_the_help_is_decided_as_the_help_says() {
    for args in [&["--help"][..], &["decide", "--help"]] {
        let help = run(args, "").stdout;
        let request = help
            .split("echo '")
            .nth(1)
            .and_then(|rest| rest.split('\'').next());
        let decision = decide(request.expect("the help shows a request"));
        assert_eq!(short(&decision), "ask rule", "{help}");
        assert!(help.contains(r#"prints verdict "ask""#), "{help}");
        for code in ["0", "10", "20", "2", "70", "74"] {
            assert!(help.contains(&format!("\n{code:>4}  ")), "{code}: {help}");
        }
    }
}
