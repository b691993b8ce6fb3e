//! What rules say of a call, found in the plainest way: every rule is compared, in order. The index
//! is held to it.

use proptest::prelude::*;

use super::*;
use crate::files::{Files, Use};
use crate::image;
use crate::mcp::McpName;
use crate::paths::{FileFacts, World};
use crate::rules::{Dialect, Layer};
use crate::shell::Shell;
use crate::tools::{Platform, Tool, Tools};
use gatefold::gate::ToolKind;

/// What these sets say of a call, without an index.
fn plain(sets: &[RuleSet], asked: &Asked<'_>) -> Option<Said> {
    let mut found: Vec<(&Rule, Match)> = Vec::new();
    for set in sets {
        let mut given = set.read(asked);
        let mut line = asked.line.map(|line| Searched::new(line, &set.programs));
        for rule in set.held().unwrap() {
            let bears = rule
                .bears_on(asked.call, &mut given, line.as_mut())
                .or_else(|| rule.bears_on_files(asked, &mut 0));
            found.extend(bears.map(|bears| (rule, bears)));
        }
    }
    let rank = |(rule, bears): &(&Rule, Match)| match (rule.effect, bears) {
        (Effect::Deny, Match::Sure { .. }) => 0,
        (Effect::Ask, Match::Sure { .. }) => 1,
        (Effect::Deny, Match::Possible { named: true, .. }) => 2,
        (Effect::Ask, Match::Possible { named: true, .. }) => 3,
        (Effect::Deny, Match::Possible { .. }) => 4,
        (Effect::Ask, Match::Possible { .. }) => 5,
        (Effect::Allow, Match::Sure { .. }) => 6,
        (Effect::Allow, Match::Possible { .. }) => 7,
    };
    found.sort_by_key(rank);
    if let Some((rule, bears)) = found.into_iter().next().filter(|first| rank(first) < 7) {
        return Some(match (rule.effect, bears) {
            (effect, Match::Sure { part }) => rule.says(effect, Some(part), None),
            (_, Match::Possible { part, why, named }) => {
                rule.says(Effect::Ask, part.map(Text::from), Some((why, named)))
            }
        });
    }
    let rule = plain_allow(sets, asked)?;
    Some(rule.says(Effect::Allow, rule.part().map(Text::from), None))
}

/// The first rule of those that together allow the line.
fn plain_allow<'a>(sets: &'a [RuleSet], asked: &Asked<'_>) -> Option<&'a Rule> {
    let line = asked.line.filter(|line| line.unreadable.is_none())?;
    if asked.call.mcp.is_some() {
        return None;
    }
    let Ground { files, world } = asked.ground;
    let mut opened = files
        .uses
        .iter()
        .filter(|of| of.redirected && !of.place.device);
    let is_allowed = |of: &Use| {
        let mut rules = sets.iter().flat_map(|set| set.held().unwrap());
        rules.any(|rule| match &rule.pattern {
            Pattern::Path { path, .. } if rule.effect == Effect::Allow => {
                path.covers(None, of, world, &mut 0)
            }
            Pattern::Path { .. }
            | Pattern::Shell { .. }
            | Pattern::Tool(_)
            | Pattern::Mcp(_)
            | Pattern::Host { .. }
            | Pattern::ToolArg { .. }
            | Pattern::McpArg { .. } => false,
        })
    };
    if files.vague.iter().any(|vague| vague.redirected) || !opened.all(is_allowed) {
        return None;
    }
    // For each command, the rules that cover it, each with how many words it names.
    let covering = |command: &crate::shell::CommandLine| -> Vec<(&'a Rule, usize)> {
        let rules = sets.iter().flat_map(|set| set.held().unwrap());
        let covers = rules.filter_map(|rule| match &rule.pattern {
            Pattern::Shell { tool, words }
                if rule.effect == Effect::Allow
                    && *tool == asked.call.tool
                    && words.allows(command) =>
            {
                Some((rule, words.words().len()))
            }
            Pattern::Shell { .. }
            | Pattern::Tool(_)
            | Pattern::Mcp(_)
            | Pattern::Path { .. }
            | Pattern::Host { .. }
            | Pattern::ToolArg { .. }
            | Pattern::McpArg { .. } => None,
        });
        covers.collect()
    };
    let covered: Vec<_> = line
        .certain
        .iter()
        .map(|command| covering(command))
        .collect();
    for (command, rules) in line.certain.iter().zip(&covered) {
        let is_part = command.carried.is_some_and(|carried| {
            let most = covered[carried.by].iter().map(|(_, named)| *named).max();
            most.is_some_and(|most| carried.same || carried.word.is_some_and(|word| most > word))
        });
        if rules.is_empty() && !command.silent && !is_part {
            return None;
        }
    }
    let first = covered.iter().find_map(|rules| rules.first());
    first.map(|(rule, _)| *rule)
}

/// Every path leads where it says.
fn world(home: bool) -> World {
    let facts = FileFacts {
        cwd: Some("/work".into()),
        home: home.then(|| "/home/u".into()),
        realpaths: std::iter::once(("/".into(), "/".into())).collect(),
        ..FileFacts::default()
    };
    World::new(&facts, &[], &[], Platform::Linux)
}

fn files(call: &CallName, args: &Args, line: Option<&Line>, world: &World) -> Files {
    match line {
        Some(line) => Files::of_line(line, world),
        None => Files::of_args(args, call, &Tools::default(), world),
    }
}

const RULES: &[&str] = &[
    "Read(.env)",
    "Edit(//work/a/**)",
    "Edit(x)",
    "Edit(src/**)",
    "Read(src/*/x)",
    "Edit(**/*.rs)",
    "Read(*.tar.gz)",
    "Edit(src/[ab]/**/y.rs)",
    "Read(~/.ssh/**)",
    "Edit(/conf/x)",
    "Read(../up/**)",
    "Edit(//**)",
    "Edit(deep/a/b/c)",
    "Bash",
    "bash",
    "Edit",
    "Task",
    "WebFetch",
    "mcp__a",
    "mcp__a__*",
    "mcp__a__b",
    "mcp__a__b__c",
    "mcp__a___b",
    "Bash(git status)",
    "Bash(git push *)",
    "Bash(git push origin *)",
    "Bash(git push origin main)",
    "Bash(git *)",
    "Bash(git)",
    "Bash(rm *)",
    "bash(rm *)",
    "Bash(rm -rf x)",
    "Bash(/bin/rm *)",
    "Bash(sudo *)",
    "Bash(sudo rm x *)",
    "Bash(git * main)",
    "Bash(git pus*)",
    "Bash(r*)",
    "Bash(* main)",
    "Bash(main *)",
    "Bash(echo 'a b')",
    "Bash(push)",
    "RunIt(rm *)",
    "RunIt(git * main)",
    "WebFetch(domain:example.com)",
    "WebFetch(domain:*.example.com)",
    "WebFetch(domain:b.example.com)",
    "WebFetch(domain:other.test)",
    "Task(kind:a)",
    "Task(kind:a*)",
    "Task(other:b)",
    "mcp__a__b(path:x*)",
    "mcp__a(path:*y)",
    "mcp__a__c(path:x)",
];

const WORDS: &[&str] = &[
    "git",
    "push",
    "origin",
    "main",
    "status",
    "rm",
    "-rf",
    "x",
    "/bin/rm",
    "sudo",
    "env",
    "-Srm",
    "echo",
    "'a b'",
    "&&",
    "|",
    ";",
    "$x",
    "-C",
    ".",
    "git,push",
    "$(rm x)",
    "bash",
    "-c",
    "'git push'",
    "cat",
    "grep",
    "-r",
    "src",
    "src/a.rs",
    "SRC/A/X",
    "~/.ssh/id",
    "deep/a",
    "*.rs",
    "s*",
    "../*",
    "*/.e?v",
    "{src,deep}/a",
    "~/.s*/id",
    ">",
    "/",
];

fn tools() -> Tools {
    let mut tools = Tools::default();
    tools.declare("RunIt", Tool::of(ToolKind::Shell)).unwrap();
    tools
}

fn rule_set(platform: Platform) -> impl Strategy<Value = RuleSet> {
    let effects =
        prop_oneof![1 => Just(Effect::Deny), 1 => Just(Effect::Ask), 2 => Just(Effect::Allow)];
    let rules = proptest::collection::vec((0..RULES.len(), effects), 0..10);
    rules.prop_map(move |rules| {
        let tools = tools();
        let dialect = Dialect {
            platform,
            tools: &tools,
        };
        let mut set = RuleSet::default();
        for (index, (rule, effect)) in (0_u32..).zip(rules) {
            let place = RulePlace {
                layer: Layer::User,
                file: None,
                agent: None,
                index,
            };
            // An allow of a name that splits in two ways is none.
            if let Ok(rule) = Rule::parse(effect, place, RULES[rule], dialect) {
                set.push(rule);
            }
        }
        set
    })
}

fn call() -> impl Strategy<Value = (CallName, String)> {
    let line = proptest::collection::vec(0..WORDS.len(), 1..7).prop_map(|words| {
        let words: Vec<_> = words.into_iter().map(|word| WORDS[word]).collect();
        words.join(" ")
    });
    let tools = prop::sample::select(vec!["Bash", "bash", "RunIt"]);
    let lines = (tools, line).prop_map(|(tool, line)| (tool, "command", line));
    let urls = prop::sample::select(vec![
        "https://example.com/",
        "https://b.example.com",
        "https://a.b.example.com/x",
        "https://badexample.com",
        "https://x@example.com",
        "https://other.test",
        "no url",
        "",
    ]);
    let fetches = urls.prop_map(|url| ("WebFetch", "url", url.to_owned()));
    let others = (
        prop::sample::select(vec![
            "Task",
            "Edit",
            "mcp__a__b",
            "mcp__a__b__c",
            "mcp__a__c",
            "mcp__a",
            "mcp__a___b",
            "Read",
        ]),
        prop::sample::select(vec!["kind", "path", "other", "url"]),
        prop::sample::select(vec!["a", "ab", "b", "x", "xy", "y", ""]),
    );
    let others = others.prop_map(|(tool, field, text)| (tool, field, text.to_owned()));
    let files = (
        prop::sample::select(vec!["Edit", "Read", "Grep", "Glob", "Task"]),
        prop::sample::select(vec!["file_path", "path", "pattern"]),
        prop::sample::select(vec![
            "src",
            "src/a.rs",
            "SRC/A.RS",
            "src/a/x",
            "src/b/c/y.rs",
            "y.rs/z",
            "a.tar.gz",
            ".gz",
            "../up/z",
            "..",
            "/",
            "/work",
            "/home",
            "/home/u",
            "~/.ssh/id",
            "$HOME/.ssh",
            "conf/x",
            "/conf/x",
            "deep",
            "deep/a/b",
            "deep/a/b/c/d",
            ".env",
            "a\0b",
            "",
        ]),
    );
    let files = files.prop_map(|(tool, field, text)| (tool, field, text.to_owned()));
    let named = prop::option::weighted(0.1, Just(("a", "b")));
    let call = (
        prop_oneof![4 => lines, 1 => fetches, 1 => others, 3 => files],
        named,
    );
    call.prop_map(|((tool, field, text), named)| {
        let mcp = named.map(|(server, tool)| McpName {
            server: server.into(),
            tool: tool.into(),
        });
        let args = serde_json::json!({ field: text }).to_string();
        (
            CallName {
                tool: tool.into(),
                mcp,
            },
            args,
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 6_000, ..ProptestConfig::default() })]

    #[test]
    fn the_index_says_what_comparing_every_rule_says(
        first in rule_set(Platform::Linux), second in rule_set(Platform::Linux), called in call(),
        home in any::<bool>(),
    ) {
        let (call, args) = called;
        let args = Args::parse(&args).unwrap();
        let is_shell = ["Bash", "bash", "RunIt"].contains(&call.tool.as_str());
        let shell = Shell { name: "bash", platform: Platform::Linux, field: "command", line_bytes: 1_000 };
        let line = is_shell.then(|| Line::of_args(&args, &shell));
        let world = world(home);
        let files = files(&call, &args, line.as_ref(), &world);
        let ground = Ground { files: &files, world: &world };
        let asked = Asked { call: &call, args: &args, line: line.as_ref(), ground };
        let sets = [first, second];
        let by_index = judge(&sets, &asked).said;
        let in_order = plain(&sets, &asked);
        prop_assert_eq!(
            by_index.as_ref().map(|said| (said.effect, &said.basis, &said.reason)),
            in_order.as_ref().map(|said| (said.effect, &said.basis, &said.reason)),
            "{:?} {:?}", call, args
        );
        let sealed = sets.map(|set| image::through(&set, Platform::Linux, &tools()));
        let by_image = judge(&sealed, &asked).said;
        prop_assert_eq!(
            by_image.map(|said| (said.effect, said.basis, said.reason)),
            by_index.map(|said| (said.effect, said.basis, said.reason)),
            "{:?} {:?}, in an image", call, args
        );
    }
}

#[test]
fn what_a_call_costs_does_not_grow_with_the_number_of_rules() {
    const MANY: usize = 20_000;
    for (rule, tool, args) in [
        (
            "Bash(git push origin b@)",
            "Bash",
            r#"{"command":"git push origin b7"}"#,
        ),
        (
            "Bash(git push b@ *)",
            "Bash",
            r#"{"command":"sudo git -C . push b7 main"}"#,
        ),
        (
            "Bash(p@ *)",
            "Bash",
            r#"{"command":"p7 x && p8 y | git log"}"#,
        ),
        ("Bash(p@ *)", "Bash", r#"{"command":"p7 $x"}"#),
        ("Bash(p@ x*)", "Bash", r#"{"command":"p7 xy"}"#),
        (
            "WebFetch(domain:h@.example)",
            "WebFetch",
            r#"{"url":"https://h7.example/"}"#,
        ),
        (
            "WebFetch(domain:h@.example)",
            "WebFetch",
            r#"{"url":"none"}"#,
        ),
        ("mcp__s@__t", "mcp__s7__t", "{}"),
        (
            "Edit(src/m@/**/*.rs)",
            "Edit",
            r#"{"file_path":"src/m7/a/b.rs"}"#,
        ),
        ("Edit(**/*.e@)", "Edit", r#"{"file_path":"a/b.e7"}"#),
        ("Edit(docs/d@/**)", "Edit", r#"{"file_path":"docs/d7/x"}"#),
        ("Edit(docs/d@/**)", "Edit", r#"{"file_path":"$X"}"#),
        ("Edit(docs/d@/**)", "Edit", "{}"),
        ("Edit(docs/d@/**)", "Bash", r#"{"command":"tee docs/d7/x"}"#),
        ("T@", "T7", "{}"),
        ("T@(kind:x)", "T7", r#"{"kind":"x"}"#),
    ] {
        for effect in Effect::ALL {
            let cost = |rules: usize| cost(rule, rules, *effect, tool, args);
            let (few, many) = (cost(20), cost(MANY));
            assert!(
                many <= few + 8,
                "{rule} for {args}: {few} of 20, {many} of {MANY}"
            );
        }
    }
}

/// What judging a call by so many rules costs; `@` is the number of a rule.
fn cost(rule: &str, rules: usize, effect: Effect, tool: &str, args: &str) -> usize {
    let tools = Tools::default();
    let platform = Platform::Linux;
    let dialect = Dialect {
        platform,
        tools: &tools,
    };
    let mut set = RuleSet::default();
    for number in 0..rules {
        let place = RulePlace {
            layer: Layer::User,
            file: None,
            agent: None,
            index: 0,
        };
        let text = rule.replace('@', &number.to_string());
        set.push(Rule::parse(effect, place, &text, dialect).unwrap());
    }
    let args = Args::parse(args).unwrap();
    let shell = Shell {
        name: "bash",
        platform,
        field: "command",
        line_bytes: 1_000,
    };
    let line = (tool == "Bash").then(|| Line::of_args(&args, &shell));
    let call = CallName {
        tool: tool.into(),
        mcp: None,
    };
    let world = world(true);
    let files = files(&call, &args, line.as_ref(), &world);
    let asked = Asked {
        call: &call,
        args: &args,
        line: line.as_ref(),
        ground: Ground {
            files: &files,
            world: &world,
        },
    };
    let Judged { said, spent, .. } = judge([&set], &asked);
    assert!(said.is_some() || !effect.refuses(), "{rule} for {args:?}");
    spent
}
