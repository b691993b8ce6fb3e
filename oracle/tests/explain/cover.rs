//! The rule that is offered, and why there is none.

use serde_json::{Value, json};

use crate::support::{decide, examples, line, one_rule, parse, request, short};
use crate::{account, table, text};

#[test]
fn the_rule_that_is_offered_allows_the_call_and_an_allowed_call_is_offered_none() {
    let (mut offered, mut refused) = (0, 0);
    for (name, request) in examples().into_iter().chain(table()) {
        let decision = decide(&request);
        let cover = account(&request)["cover"].clone();
        let said = text(&request);
        match cover["outcome"].as_str().expect("an outcome") {
            "not_needed" => assert_eq!(decision["verdict"], "allow", "{name}"),
            "rule" => {
                offered += 1;
                assert_ne!(decision["verdict"], "allow", "{name}");
                let rule = cover["rule"].as_str().expect("a rule");
                assert!(
                    said.contains(&format!("The rule `{rule}`")),
                    "{name}: {said}"
                );
                let with = decide(with_rule(&request, &cover));
                assert_eq!(short(&with), "allow stored_rule", "{name}: {rule}");
                assert_eq!(with["record"]["basis"]["rule"], rule, "{name}");
            }
            "none" => {
                refused += 1;
                assert_ne!(decision["verdict"], "allow", "{name}");
                assert!(cover.get("rule").is_none(), "{name}");
                let hindrances = cover["hindrances"].as_array().expect("hindrances");
                assert!(!hindrances.is_empty(), "{name}");
                assert!(said.contains("What would cover it: no rule"), "{name}");
                assert!(said.contains("  Instead: "), "{name}");
            }
            other => panic!("{name}: {other}"),
        }
    }
    assert!(
        offered > 20 && refused > 20,
        "{offered} offered, {refused} refused"
    );
}

/// Where every path leads where it says, but for one link.
const PLACED: &str = r#""cwd":"/srv/app","facts":{"realpaths":{"/":"/","/srv/link":"/data"}}"#;

#[test]
fn the_rule_of_the_very_path_is_offered_where_that_is_all_it_needs() {
    let git = one_rule("allow", "Bash(git *)", "user");
    for (request, want) in [
        (
            request("Read", r#"{"file_path":"src/a[1]*"}"#, PLACED),
            r"Read(//srv/app/src/a\[1\]\*)",
        ),
        (request("Read", r#"{"file_path":"src/a"}"#, ""), "Read"),
        (
            request("Write", r#"{"file_path":"/srv/link/a"}"#, PLACED),
            "Write(//data/a)",
        ),
        (
            line("git status > out/a", &format!("{PLACED},{git}")),
            "Edit(//srv/app/out/a)",
        ),
    ] {
        assert_eq!(account(&request)["cover"]["rule"], want, "{request}");
    }
    // What is protected is covered by no rule, and the account says which path that is.
    let request = line("git status > .git/x", &format!("{PLACED},{git}"));
    assert_eq!(account(&request)["cover"]["outcome"], "none");
    assert!(text(&request).contains("`.git/x` falls under the protected `//**/.git`"));
}

#[test]
fn a_rule_is_offered_for_exactly_this_call_and_where_there_is_none_the_account_says_why() {
    let user = |effect: &str, rule: &str| one_rule(effect, rule, "user");
    let mcp = |tool: &str| {
        format!(
            r#"{{"call":{{"id":"c","tool":"{tool}","args":{{}},"mcp":{{"server":"a","tool":"b"}}}}}}"#
        )
    };
    let other = |tool: &str| request(tool, r#"{"command":"rm -rf $(x"}"#, "");
    let long = format!("echo {}", "a".repeat(5000));
    // request, what would cover it
    for (request, want) in [
        (line("git status", ""), "Bash(git status)"),
        (
            line("git status", r#""mode":"dont_ask""#),
            "Bash(git status)",
        ),
        (
            line("git status", r#""resolve":{"answer":"no"}"#),
            "Bash(git status)",
        ),
        (
            line("git status", &user("allow", "Bash(git log)")),
            "Bash(git status)",
        ),
        (
            request("WebFetch", r#"{"url":"https://a.example"}"#, ""),
            "WebFetch(domain:a.example)",
        ),
        (other("Deploy"), "Deploy"),
        (mcp("run"), "mcp__a__b"),
        (mcp("mcp__a__b"), "mcp__a__b"),
        (request("mcp__a__b", "{}", ""), "mcp__a__b"),
        (request("mcp__a__b__c", "{}", ""), "ambiguous_name"),
        // What is no tool's name, and a name that a rule would read as something else.
        (request("Ba sh", "{}", ""), "unnameable"),
        (request("Tool(x)", "{}", ""), "unnameable"),
        (request("\u{1b}[2J", "{}", ""), "unnameable"),
        (request("*", "{}", ""), "unnameable"),
        (request("MCP__a__b", "{}", ""), "unnameable"),
        (request("mcp__a", "{}", ""), "unproved"),
        // Of a line the part that no rule covers is named, in the words that bash would read.
        (
            line("git status && make all", &user("allow", "Bash(git status)")),
            "Bash(make all)",
        ),
        (
            line(r#"git commit -m "it's done""#, ""),
            r"Bash(git commit -m 'it'\''s done')",
        ),
        (line("make; make", ""), "Bash(make)"),
        (line("a; b", ""), "several_parts"),
        (line("for x in a; do b $x; done", ""), "unnameable"),
        // No rule for every line stands in for one for this line.
        (other("Bash"), "unreadable_line"),
        (line("git log:*", ""), "unreadable_line"),
        (request("Bash", r#"{"script":"x"}"#, ""), "unreadable_line"),
        (line("bin/ x", ""), "unnameable"),
        (line(&long, ""), "too_long"),
        (line("rm x", &user("deny", "Bash(rm *)")), "deny"),
        (line("rm x", &user("ask", "Bash(rm *)")), "ask"),
        (
            line("foo rm x", &user("deny", "Bash(rm *)")),
            "possible_deny",
        ),
        (line("rm x", r#""mode":"plan""#), "plan_mode"),
        (line("rm x", r#""lock":true"#), "lock"),
        (line("rm x", r#""hooks":[{"id":"h"}]"#), "failed_check"),
        (
            line(
                "rm x",
                r#""hooks":[{"id":"h","answer":{"decision":"deny"}}]"#,
            ),
            "hook",
        ),
        (
            line(
                "rm x",
                r#""hooks":[{"id":"h","answer":{"decision":"ask"}}]"#,
            ),
            "hook",
        ),
        (line("rm x", r#""mode":"bypass""#), "not_needed"),
        (line("rm x", r#""mode":"auto","denials":9"#), "Bash(rm x)"),
    ] {
        let cover = account(&request)["cover"].clone();
        let said = cover["rule"]
            .as_str()
            .or_else(|| cover["hindrances"][0]["by"].as_str())
            .or_else(|| cover["outcome"].as_str());
        assert_eq!(said, Some(want), "{request}");
    }
}

/// The request with the rule that is offered.
fn with_rule(request: &str, cover: &Value) -> String {
    let mut request = parse(request);
    let rule = json!({"effect": cover["list"], "rule": cover["rule"], "from": cover["layer"]});
    match request["rules"].as_array_mut() {
        Some(rules) => rules.push(rule),
        None => request["rules"] = json!([rule]),
    }
    request.to_string()
}
