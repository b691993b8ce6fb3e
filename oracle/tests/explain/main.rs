//! `decide --explain`: the account of a decision, as text and as data.

mod cover;
mod forms;
mod strict;
#[path = "../support/mod.rs"]
mod support;

use serde_json::{Value, json};
use strict::Account;
use support::{examples, line, one_rule, parse, request, run};

/// The examples whose account is kept as text.
const TOLD: &[&str] = &[
    "ask-rule",
    "bypass-past-deny",
    "bypass-unread-line",
    "compound",
    "dont-ask",
    "edited-by-person",
    "hook-asks",
    "hook-crashed",
    "hook-rewrites-ask",
    "locked",
    "mcp-split",
    "read-file",
    "rm-by-path",
    "sub-agent",
    "sudo-rm",
    "unknown-tool",
    "unread-line",
    "unstated-ask",
];

/// The columns of a terminal that our own words stay within.
const COLUMNS: usize = 100;

#[test]
fn the_accounts_of_the_examples_read_so() {
    let examples = examples();
    for told in TOLD {
        let (name, request) = examples.iter().find(|(name, _)| name == told).expect(told);
        insta::assert_snapshot!(name.as_str(), text(request));
    }
}

#[test]
fn the_account_as_data_reads_so() {
    let examples = examples();
    for told in ["compound", "dont-ask"] {
        let (name, request) = examples.iter().find(|(name, _)| name == told).expect(told);
        let printed = run(&["decide", "--explain", "--format", "json"], request).stdout;
        let begin = printed.find("\n  \"explain\": ").expect("an account");
        insta::assert_snapshot!(format!("{name}.json"), &printed[begin + 1..]);
    }
}

#[test]
fn the_short_texts_of_the_examples_read_so() {
    let texts = examples()
        .iter()
        .map(|(name, request)| {
            let said = told(&["decide", "--format", "text"], request);
            format!("# {name}\n{said}")
        })
        .collect::<Vec<_>>();
    insta::assert_snapshot!("short", texts.join("\n"));
}

#[test]
fn with_an_account_the_decision_is_the_same_with_one_more_key_at_its_end() {
    for (name, request) in examples() {
        for (form, end, key) in [
            (&["decide"][..], "\n}\n", ",\n  \"explain\": {"),
            (&["decide", "--compact"], "}\n", ",\"explain\":{"),
        ] {
            let plain = run(form, &request).stdout;
            let explained = run(
                &[form, &["--explain", "--format", "json"]].concat(),
                &request,
            );
            let head = plain.strip_suffix(end).expect("an object");
            let rest = explained.stdout.strip_prefix(head).expect(&name);
            assert!(rest.starts_with(key), "{name}: {rest}");
            let mut explained = parse(&explained.stdout);
            let object = explained.as_object_mut().expect("an object");
            assert!(object.remove("explain").is_some(), "{name}");
            assert_eq!(explained, parse(&plain), "{name}");
        }
    }
}

#[test]
fn an_account_has_the_keys_that_are_documented_and_no_other() {
    for (name, request) in examples().into_iter().chain(table()) {
        let account = account(&request);
        let read = serde_json::from_value::<Account>(account.clone());
        let read = read.unwrap_or_else(|error| panic!("{name}: {error}: {account}"));
        assert_eq!(read.schema, "gatefold/explain/v1");
        assert_eq!(read.summary.lines().count(), 1, "{name}");
        let document =
            std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md"))
                .expect("the document can be read");
        for key in account.as_object().expect("an object").keys() {
            assert!(
                document.contains(&format!("| `{key}` |")),
                "{key} is not documented"
            );
        }
    }
}

#[test]
fn every_station_and_every_cause_is_in_the_text_and_nothing_is_wider_than_a_terminal() {
    for (name, request) in examples().into_iter().chain(table()) {
        let (said, account) = (text(&request), account(&request));
        let stations: Vec<_> = said
            .lines()
            .skip_while(|line| !line.starts_with("Stations passed"))
            .filter_map(|line| line.strip_prefix("  ")?.get(..20))
            .filter(|line| line[..2].trim().parse::<u8>().is_ok())
            .map(|line| line[3..].trim().to_owned())
            .collect();
        let passed: Vec<_> = account["stations"]
            .as_array()
            .expect("stations")
            .iter()
            .map(|station| station["station"].as_str().expect("a name"))
            .collect();
        assert_eq!(stations, passed, "{name}: {said}");
        for objection in account["objections"].as_array().expect("objections") {
            let cause = objection["cause"].as_str().expect("a cause");
            assert!(said.contains(&format!(" ({cause})\n")), "{name}: {cause}");
        }
        for station in account["stations"].as_array().expect("stations") {
            for written in station["wrote"].as_array().expect("cells") {
                let cell = written["cell"].as_str().expect("a cell");
                assert!(said.contains(&format!("{cell} = ")), "{name}: {cell}");
            }
        }
        for line in said.lines().skip(1) {
            let is_quoted =
                line.starts_with("     \"") || line.starts_with("  The reason given is: ");
            assert!(
                is_quoted || line.chars().count() <= COLUMNS,
                "{name}: {line}"
            );
        }
    }
}

#[test]
fn an_answerer_is_barred_by_the_causes_that_the_account_names() {
    let of = |request: &str| account(request)["answerers"].clone();
    // Nothing objected: there is no ask to answer.
    let allows = one_rule("allow", "Bash(ls)", "policy");
    assert_eq!(of(&line("ls", &allows)), json!([]));
    // Nor is there where a deny stands.
    let denies = one_rule("deny", "Bash(ls)", "user");
    assert_eq!(of(&line("ls", &denies)), json!([]));
    let open = of(&line("make", ""));
    let barred = |answerers: &Value| -> Vec<String> {
        let answerers = answerers.as_array().expect("answerers");
        let barred = answerers
            .iter()
            .filter(|answerer| answerer["barred"] == true);
        barred
            .map(|answerer| answerer["who"].as_str().expect("a name").to_owned())
            .collect()
    };
    assert_eq!(barred(&open), [""; 0]);
    assert_eq!(open[0], json!({"who": "person", "barred": false, "by": []}));
    // Where a file is was not judged: the read-only check may not clear it, all others may.
    let read = of(&request("Read", r#"{"file_path":"a"}"#, ""));
    assert_eq!(barred(&read), ["read_only"]);
    let unread = of(&line("a | $b", ""));
    assert_eq!(
        barred(&unread),
        [
            "stored_rule",
            "hook_allow",
            "read_only",
            "sandbox",
            "accept_edits"
        ]
    );
    let ruled = of(&line("rm x", &one_rule("ask", "Bash(rm *)", "org")));
    assert_eq!(barred(&ruled).len(), 7);
    assert_eq!(
        ruled[7],
        json!({"who": "bypass", "barred": true, "by": ["org"]})
    );
}

#[test]
fn where_a_rule_stands_is_said_only_if_it_stands_there() {
    let at = "at rules[0] of the request";
    assert!(text(&line("ls", &one_rule("deny", "Bash(ls)", "user"))).contains(at));
    let unknown = format!(
        r#""facts":{{"known_tools":[]}},{}"#,
        one_rule("allow", "Bash", "user")
    );
    let unknown = text(&line("ls", &unknown));
    assert!(
        unknown.contains("`known_tools`") && !unknown.contains(at),
        "{unknown}"
    );
}

#[test]
fn the_account_in_the_readme_is_the_one_that_is_printed() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md"))
        .expect("the document can be read");
    let after = readme.split("<!-- account -->").nth(1).expect("the place");
    let block = after.split("```").nth(1).expect("a block");
    let shown: Vec<_> = block
        .trim_start_matches("text\n")
        .trim_end()
        .lines()
        .collect();
    let (command, shown) = shown.split_first().expect("a command");
    let (args, path) = command
        .strip_prefix("$ gatefold ")
        .and_then(|command| command.split_once(" < "))
        .expect("the command");
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let request =
        std::fs::read_to_string(format!("{root}/{path}")).expect("the example can be read");
    let args: Vec<_> = args.split(' ').collect();
    let printed = run(&args, &request).stdout;
    let mut printed = printed.lines();
    let mut skips = false;
    for line in shown {
        if line.trim() == "…" {
            skips = true;
            continue;
        }
        let found = if skips {
            printed.find(|next| next == line)
        } else {
            printed.next()
        };
        assert_eq!(found, Some(*line));
        skips = false;
    }
    assert!(printed.next().is_none(), "the account goes on");
}

fn told(args: &[&str], request: &str) -> String {
    let told = run(args, request);
    assert_eq!(
        (told.code, told.stderr.as_str()),
        (0, ""),
        "{}",
        told.stdout
    );
    told.stdout
}

fn text(request: &str) -> String {
    told(&["decide", "--explain"], request)
}

fn account(request: &str) -> Value {
    let args = ["decide", "--explain", "--format", "json", "--compact"];
    parse(&told(&args, request))["explain"].clone()
}

/// Calls under each mode and each kind of objection.
fn table() -> Vec<(String, String)> {
    let calls = [
        ("Bash", json!({"command": "git status"})),
        ("Bash", json!({"command": "sudo rm -rf x"})),
        ("Bash", json!({"command": "a | b"})),
        ("Edit", json!({"file_path": "a"})),
        ("mcp__a__b", json!({})),
    ];
    let rules = [
        json!([]),
        json!([{"effect": "deny", "rule": "Bash(rm *)", "from": "user"}]),
        json!([{"effect": "ask", "rule": "Bash", "from": "policy"},
               {"effect": "deny", "rule": "mcp__a", "from": "org"}]),
        json!([{"effect": "allow", "rule": "Bash", "from": "policy"}]),
    ];
    let mut table = Vec::new();
    for mode in [
        "default",
        "plan",
        "accept_edits",
        "auto",
        "dont_ask",
        "bypass",
    ] {
        for (tool, args) in &calls {
            for rules in &rules {
                let request = json!({
                    "call": {"id": "c", "tool": tool, "args": args}, "mode": mode, "rules": rules,
                    "interactive": mode != "auto",
                });
                let request = request.to_string();
                table.push((request.clone(), request));
            }
        }
    }
    table
}
