//! Documents that were found in a repository: they only tighten.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a test says what went wrong by failing"
)]

use std::fmt::Write;
use std::sync::Arc;

use gatefold::gate::{
    Answerer, Args, Call, GateInput, GateResult, Member, Mode, ParkQuestion, Parking, Reply,
    Resolution, ResolveQuestion, Resolved, Seat, Seats, Verdict, begin, drive,
};
use gatefold_policy::{
    Checked, Deciders, FileFacts, Platform, Policy, Severity, Source, Surroundings, Trust,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRng, TestRunner};

const HEAD: &str = "schema = 'gatefold/policy/v1'\n";

/// Each key of a document that could let more run, and the line and column at which it is told of.
const NOT_COUNTED: &[(&str, &str)] = &[
    ("mode = 'bypass'", "2:8"),
    ("mode = 'plan'", "2:8"),
    ("unstated = 'allow'", "2:12"),
    ("roots = ['src']", "2:10"),
    ("[org]\nallow = ['Edit']", "3:10"),
    ("[policy]\nallow = ['Bash(rm *)']", "3:10"),
    ("[rules.user]\nallow = ['Bash(rm *)']", "3:10"),
    (
        "[rules.project]\nallow = [{ rule = 'Edit', why = 'x' }]",
        "3:19",
    ),
    ("[rules.local]\nallow = ['Bash(echo $HOME)']", "3:10"),
    ("[rules.session]\nallow = ['Edit']", "3:10"),
    ("[agents.a]\npolicy.allow = ['Edit']", "3:17"),
    ("[agents.a]\nrules.session.allow = ['Edit']", "3:24"),
    ("[tools.Look]\nkind = 'read'", "2:8"),
    ("[limits]\ndenials = 0", "3:11"),
    ("[limits]\nforbid_modes = ['auto']", "3:17"),
];

/// What of a found document counts: a call that would be allowed, and what becomes of it.
const COUNTED: &[(&str, Made, &str)] = &[
    ("[org]\ndeny = ['Bash(make *)']", MAKE, "deny"),
    ("[policy]\ndeny = ['Bash(make *)']", MAKE, "deny"),
    ("[rules.user]\nask = ['Bash(make *)']", MAKE, "ask"),
    ("[rules.project]\nask = ['Bash(make *)']", MAKE, "ask"),
    (
        "[agents.a]\nrules.local.deny = ['Bash(make *)']",
        MAKE,
        "deny",
    ),
    (
        "[agents.b]\nrules.local.deny = ['Bash(make *)']",
        MAKE,
        "allow",
    ),
    (
        "[protected]\nadd = [{ path = 'deploy/**', why = 'x' }]",
        EDIT,
        "ask",
    ),
    ("[egress]\nhosts = ['b.example']", FETCH, "ask"),
    (
        "[egress]\nhosts = ['a.example', 'b.example']",
        FETCH,
        "allow",
    ),
    ("[limits]\nline_bytes = 4", MAKE, "deny"),
    ("[limits]\nargs_bytes = 4", FETCH, "deny"),
    ("[limits]\nforbid_modes = ['bypass']", BYPASSED, "ask"),
    (
        "[limits]\nforbid_modes = ['accept_edits']",
        BYPASSED,
        "allow",
    ),
];

/// Tool, args, mode; the caller is the agent `a`.
type Made = (&'static str, &'static str, Mode);

const MAKE: Made = ("Bash", r#"{"command":"make all"}"#, Mode::Default);
const EDIT: Made = ("Edit", r#"{"file_path":"deploy/x"}"#, Mode::Default);
const FETCH: Made = ("WebFetch", r#"{"url":"https://a.example/"}"#, Mode::Default);
const BYPASSED: Made = ("Bash", r#"{"command":"rm -r x"}"#, Mode::Bypass);

const HOST: &str = "[policy]\nallow = ['Bash(make *)', 'Edit', 'WebFetch']\n";

#[test]
fn what_could_let_more_run_is_told_of_and_does_not_count() {
    for (text, place) in NOT_COUNTED {
        let text = format!("{HEAD}{text}\n");
        let checked = check(&[Source::found("repo.toml", text.as_bytes())]);
        let told: Vec<_> = checked
            .problems
            .iter()
            .map(|problem| {
                (
                    problem.code.word(),
                    problem.severity(),
                    problem.place.to_string(),
                )
            })
            .collect();
        let place = format!("repo.toml:{place}");
        assert_eq!(told, [("not_counted", Severity::Warning, place)], "{text}");
        let policy = checked.policy.expect("it is loaded");
        assert_eq!((policy.mode(), policy.rules()), (None, 0), "{text}");
        assert_eq!(policy.roots().count(), 0, "{text}");
        assert_eq!(policy.limits(), gatefold_policy::Limits::default());
    }
}

#[test]
fn what_tightens_counts_as_in_any_document() {
    for (text, (tool, args, mode), want) in COUNTED {
        let (host, found) = (format!("{HEAD}{HOST}"), format!("{HEAD}{text}\n"));
        let trusted = Source::host("gatefold.toml", host.as_bytes());
        let call = Asked {
            tool,
            args: (*args).to_owned(),
            mode: *mode,
            agent: Some("a"),
            above: Vec::new(),
            answer: None,
        };
        let without = load(&[trusted]);
        assert_eq!(decide(&without, &call), Verdict::Allow, "{text}");
        for name in ["gatefold.toml", "repo/gatefold.toml"] {
            let with = [trusted, Source::found(name, found.as_bytes())];
            let checked = check(&with);
            let mut problems = checked.problems.iter();
            let dropped = problems.any(|problem| problem.code.word() == "not_counted");
            assert!(!dropped, "{text}");
            let said = decide(&checked.policy.expect("it is loaded"), &call);
            assert_eq!(said.word(), *want, "{text}");
        }
    }
}

#[test]
fn a_found_document_that_is_not_sound_keeps_all_of_them_from_being_loaded() {
    for (text, code) in [
        ("mode = 'yolo'", "unknown_word"),
        ("unstated = 'deny'", "unknown_word"),
        ("roots = ['']", "bad_name"),
        ("[tools.Bash]\nkind = 'read'", "tool_redefined"),
        ("[tools.T]\nkind = 'tool'", "unknown_word"),
        ("[limits]\ndenials = 4", "limit_raised"),
        ("[limits]\nforbid_modes = ['plan']", "mode_not_looser"),
        ("[limits]\nforbid_modes = ['yolo']", "unknown_word"),
        ("[rules.user]\nalow = []", "unknown_key"),
        ("[rules.user]\ndeny = ['Bash(rm']", "rule_unbalanced"),
        ("[agents.'']\nrules.user.allow = ['Edit']", "bad_name"),
        ("[[test]]\ncall = 'Edit'\nwant = 'allow'", "test_failed"),
    ] {
        let found = format!("{HEAD}{text}\n");
        let host = format!("{HEAD}{HOST}");
        let checked = check(&[
            Source::host("gatefold.toml", host.as_bytes()),
            Source::found("repo.toml", found.as_bytes()),
        ]);
        assert!(checked.policy.is_none(), "{text}");
        let errors = checked.problems.iter();
        let errors: Vec<_> = errors
            .filter(|problem| problem.severity() == Severity::Error)
            .map(|problem| problem.code.word())
            .collect();
        assert_eq!(errors, [code], "{text}");
    }
}

#[test]
fn its_own_tests_say_what_it_means_where_it_is_trusted() {
    let text = format!(
        "{HEAD}mode = 'bypass'\n[tools.RunIt]\nkind = 'shell'\n[rules.user]\nallow = ['Bash(make *)']\n\
         [[test]]\ncall = 'Bash(make all)'\nwant = 'allow'\nrule = 'Bash(make *)'\n\
         [[test]]\ncall = 'RunIt(make all)'\nwant = 'allow'\n"
    );
    let source = Source::found("repo.toml", text.as_bytes());
    let checked = check(&[source]);
    let tests = checked.tests.expect("they are run");
    assert!(tests.len() == 2 && tests.iter().all(|test| test.problem.is_none()));
    // And they allow nothing.
    let (tool, args, mode) = MAKE;
    let call = Asked {
        tool,
        args: args.into(),
        mode,
        agent: None,
        above: Vec::new(),
        answer: None,
    };
    let policy = checked.policy.expect("it is loaded");
    assert_eq!(decide(&policy, &call), Verdict::Ask);
}

#[test]
fn it_stands_in_no_ones_way_who_names_a_mode() {
    let found = format!("{HEAD}mode = 'plan'\n");
    for mode in ["plan", "dont_ask", "bypass"] {
        let host = format!("{HEAD}mode = '{mode}'\nunstated = 'allow'\n");
        let policy = load(&[
            Source::host("gatefold.toml", host.as_bytes()),
            Source::found("repo.toml", found.as_bytes()),
        ]);
        assert_eq!(policy.mode().map(Mode::word), Some(mode));
    }
}

#[test]
fn the_digest_tells_whose_word_a_document_is() {
    let text = format!("{HEAD}[rules.user]\ndeny = ['Edit']\n");
    let other = format!("{HEAD}[rules.user]\ndeny = ['Write']\n");
    let of = |one: Trust, two: Trust| {
        let source = |text: &'static str, trust| Source {
            name: "gatefold.toml",
            bytes: text.as_bytes(),
            trust,
        };
        let (text, other) = (text.clone().leak(), other.clone().leak());
        load(&[source(text, one), source(other, two)]).digest()
    };
    let mut digests = Vec::new();
    for one in [Trust::Host, Trust::Found] {
        for two in [Trust::Host, Trust::Found] {
            digests.push(of(one, two).expect("it has one").to_string());
        }
    }
    digests.sort();
    digests.dedup();
    assert_eq!(digests.len(), 4);
}

/// A layer stops comparing after so many steps and asks: a flood of rules from a repository must not
/// use up the steps of the host's deny.
#[test]
fn no_number_of_found_rules_keeps_a_deny_of_the_host_from_being_seen() {
    let rules: String = (0..9000).fold(String::new(), |mut text, index| {
        let _ = write!(text, "'Bash(echo *{index}*x*y)',");
        text
    });
    let found = format!("{HEAD}[rules.user]\nask = [{rules}]\n");
    let host = format!("{HEAD}[rules.user]\ndeny = ['Bash(echo * --force *)']\n");
    let line = format!("echo {} --force now", "1x2 ".repeat(12_000));
    let call = Asked {
        tool: "Bash",
        args: serde_json::json!({ "command": line }).to_string(),
        mode: Mode::Default,
        agent: None,
        above: Vec::new(),
        answer: None,
    };
    let trusted = Source::host("gatefold.toml", host.as_bytes());
    for sources in [
        [Source::found("repo.toml", found.as_bytes()), trusted],
        [trusted, Source::found("repo.toml", found.as_bytes())],
    ] {
        assert_eq!(decide(&load(&sources), &call), Verdict::Deny);
    }
    // The same rules, of a document that is trusted and comes first, use them up.
    let flood = [Source::host("team.toml", found.as_bytes()), trusted];
    assert_eq!(decide(&load(&flood), &call), Verdict::Ask);
}

#[test]
fn no_decision_is_looser_with_a_found_document_than_without() {
    runner(2000)
        .run(&case(), |case| case.holds(Trust::Found))
        .unwrap_or_else(|error| panic!("{error}"));
}

/// The same property does not hold of documents that are trusted, so the test above can fail.
#[test]
fn a_trusted_document_is_found_to_loosen() {
    let error = runner(3000).run(&case(), |case| case.holds(Trust::Host));
    assert!(matches!(error, Err(TestError::Fail(..))), "{error:?}");
}

fn runner(cases: u32) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 500,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(config.rng_algorithm);
    TestRunner::new_with_rng(config, rng)
}

/// Documents of the host, documents that are found, and a call.
#[derive(Clone, Debug)]
struct Case {
    host: Vec<String>,
    found: Vec<String>,
    call: Asked,
}

impl Case {
    fn holds(&self, trust: Trust) -> Result<(), TestCaseError> {
        let name = |of: &str, index: usize| format!("{of}{index}/gatefold.toml");
        let named = |of: &str, texts: &[String]| -> Vec<_> {
            let texts = texts.iter().enumerate();
            texts
                .map(|(index, text)| (name(of, index), text.clone()))
                .collect()
        };
        let (host, found) = (named("host", &self.host), named("repo", &self.found));
        let sources = |named: &[(String, String)], trust| -> Vec<_> {
            let named = named.iter();
            named
                .map(|(name, text)| (name.clone(), text.clone(), trust))
                .collect()
        };
        let without = sources(&host, Trust::Host);
        let mut with = without.clone();
        with.extend(sources(&found, trust));
        let Some(without) = loaded(&without) else {
            return Err(TestCaseError::reject("the host's own documents clash"));
        };
        // Nothing is decided then, and nothing runs.
        let Some(with) = loaded(&with) else {
            return Ok(());
        };
        let (before, after) = (decide(&without, &self.call), decide(&with, &self.call));
        prop_assert!(
            strictness(after) >= strictness(before),
            "{} became {}",
            before.word(),
            after.word()
        );
        Ok(())
    }
}

fn loaded(documents: &[(String, String, Trust)]) -> Option<Policy> {
    let sources: Vec<_> = documents
        .iter()
        .map(|(name, text, trust)| Source {
            name,
            bytes: text.as_bytes(),
            trust: *trust,
        })
        .collect();
    check(&sources).policy
}

fn strictness(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Allow => 0,
        Verdict::Ask => 1,
        Verdict::Deny => 2,
    }
}

const RULES: &[&str] = &[
    "Bash",
    "Bash(git *)",
    "Bash(git push *)",
    "Bash(git status)",
    "Bash(rm *)",
    "Bash(make *)",
    "Bash(* all)",
    "Edit",
    "Write",
    "Edit(src/**)",
    "Edit(//**)",
    "Read",
    "Read(.env)",
    "Read(/conf/**)",
    "WebFetch",
    "WebFetch(domain:a.example)",
    "mcp__s",
    "mcp__s__t",
    "mcp__s__t(field:x*)",
    "Look",
    "RunIt",
];

/// Keys of a document that stand before its tables.
const SETTINGS: &[&str] = &[
    "mode = 'plan'",
    "mode = 'dont_ask'",
    "mode = 'accept_edits'",
    "mode = 'auto'",
    "mode = 'bypass'",
    "unstated = 'allow'",
    "roots = ['/srv/app']",
    "roots = ['/']",
];

/// Tables of a document without rules; each stands at most once.
const TABLES: &[&str] = &[
    "[tools.Look]\nkind = 'read'",
    "[tools.RunIt]\nkind = 'shell'\nfield = 'line'",
    "[tools.mcp__s__t]\nkind = 'read'",
    "[protected]\nadd = [{ path = 'src/**', why = 'x' }]",
    "[egress]\nhosts = ['a.example']",
    "[egress]\nhosts = ['b.example', '*.a.example']",
    "[limits]\nline_bytes = 12\ndenials = 0\nedit_cap = 0",
    "[limits]\nargs_bytes = 30\nforbid_modes = ['bypass', 'accept_edits']",
    "[limits]\nforbid_modes = ['bypass', 'auto']",
];

const LAYERS: &[&str] = &[
    "org",
    "policy",
    "rules.user",
    "rules.project",
    "rules.local",
    "rules.session",
];

const CALLS: &[(&str, &str)] = &[
    ("Bash", r#"{"command":"git status"}"#),
    ("Bash", r#"{"command":"git push origin"}"#),
    ("Bash", r#"{"command":"git -C x push"}"#),
    ("Bash", r#"{"command":"make all"}"#),
    ("Bash", r#"{"command":"rm src/a && git status"}"#),
    ("Bash", r#"{"command":"cat .env"}"#),
    ("Bash", r#"{"command":"echo x > src/a"}"#),
    ("Bash", r#"{"command":"eval $X"}"#),
    ("Edit", r#"{"file_path":"src/a"}"#),
    ("Write", r#"{"file_path":"/etc/passwd"}"#),
    ("Read", r#"{"file_path":".env"}"#),
    ("Read", r#"{"file_path":"/srv/app/repo0/conf/a"}"#),
    ("WebFetch", r#"{"url":"https://a.example/"}"#),
    ("WebFetch", r#"{"url":"https://x.a.example/"}"#),
    ("mcp__s__t", r#"{"field":"xy"}"#),
    ("mcp__s__u", "{}"),
    ("Look", r#"{"path":"src/a"}"#),
    ("RunIt", r#"{"line":"git push origin"}"#),
];

fn case() -> impl Strategy<Value = Case> {
    let host = proptest::collection::vec(document(), 1..3);
    let found = proptest::collection::vec(document(), 1..3);
    (host, found, call()).prop_map(|(host, found, call)| Case { host, found, call })
}

fn document() -> impl Strategy<Value = String> {
    let some =
        |from: &'static [&'static str], most: usize| proptest::sample::subsequence(from, 0..=most);
    let agent = prop_oneof![
        2 => Just(None),
        1 => Just(Some("a")),
        1 => Just(Some("b")),
    ];
    let rule = (
        agent,
        proptest::sample::select(LAYERS),
        proptest::sample::select(&["allow", "ask", "deny"][..]),
        proptest::sample::select(RULES),
    );
    let rules = proptest::collection::vec(rule, 0..8);
    (some(SETTINGS, 2), some(TABLES, 3), rules).prop_map(|(settings, tables, rules)| {
        let mut text = HEAD.to_owned();
        once(&mut text, &settings, '=');
        let mut lists: Vec<(String, Vec<&str>)> = Vec::new();
        for (agent, layer, effect, rule) in rules {
            let list = match agent {
                None => format!("{layer}.{effect}"),
                Some(agent) => format!("agents.{agent}.{layer}.{effect}"),
            };
            match lists.iter_mut().find(|(of, _)| *of == list) {
                Some((_, rules)) => rules.push(rule),
                None => lists.push((list, vec![rule])),
            }
        }
        for (list, rules) in lists {
            let _ = writeln!(text, "{list} = ['{}']", rules.join("', '"));
        }
        once(&mut text, &tables, '\n');
        text
    })
}

/// Writes those that do not begin as one before does.
fn once(text: &mut String, entries: &[&str], end: char) {
    let key = |entry: &str| entry.split(end).next().unwrap_or_default().to_owned();
    let mut keys = Vec::new();
    for entry in entries {
        if !keys.contains(&key(entry)) {
            keys.push(key(entry));
            let _ = writeln!(text, "{entry}");
        }
    }
}

fn call() -> impl Strategy<Value = Asked> {
    let agent = || proptest::sample::select(&[None, Some("a"), Some("b")][..]);
    let mode = || proptest::sample::select(Mode::ALL);
    let above = proptest::collection::vec((agent(), mode()), 0..2);
    let answer = proptest::option::of(any::<bool>());
    (
        proptest::sample::select(CALLS),
        mode(),
        agent(),
        above,
        answer,
    )
        .prop_map(|((tool, args), mode, agent, above, answer)| Asked {
            tool,
            args: args.into(),
            mode,
            agent,
            above,
            answer,
        })
}

/// A call to be decided.
#[derive(Clone, Debug)]
struct Asked {
    tool: &'static str,
    args: String,
    mode: Mode,
    agent: Option<&'static str>,
    /// The agents above it, nearest first.
    above: Vec<(Option<&'static str>, Mode)>,
    /// What a person says, if one is there.
    answer: Option<bool>,
}

/// Deciders beside a person.
struct Host {
    deciders: Deciders,
    answer: Option<bool>,
}

macro_rules! by_deciders {
    ($($seat:ident($question:ident) -> $answer:ty;)+) => {
        $(fn $seat(&mut self, question: &gatefold::gate::$question) -> Reply<$answer> {
            self.deciders.$seat(question)
        })+
    };
}

impl Seats for Host {
    by_deciders! {
        describe(Subject) -> gatefold::gate::Facts;
        adjudicate(JudgeQuestion) -> gatefold::gate::Adjudication;
        probe(Subject) -> gatefold::gate::Probe;
        egress(Subject) -> gatefold::gate::Egress;
        shell_read(Subject) -> gatefold::gate::ShellRead;
        write_judge(Subject) -> gatefold::gate::WriteProtection;
        org(JudgeQuestion) -> Vec<gatefold::gate::Judgement<gatefold::gate::OrgRuling>>;
        rules(JudgeQuestion) -> Vec<gatefold::gate::Judgement<gatefold::gate::RuleRuling>>;
    }

    fn park(&mut self, question: &ParkQuestion) -> Reply<Parking> {
        self.deciders.park(question)
    }

    fn resolve(&mut self, _: &ResolveQuestion) -> Reply<Resolution> {
        let by = Answerer::Person;
        Ok(Resolution::from(match self.answer {
            Some(true) => Resolved::Yes {
                by,
                edit: None,
                remember: None,
            },
            Some(false) | None => Resolved::No { by, reason: None },
        }))
    }
}

fn decide(policy: &Policy, asked: &Asked) -> Verdict {
    let call = Call {
        id: "c1".into(),
        tool: asked.tool.into(),
        args: Args::parse(&asked.args).unwrap(),
    };
    let files = FileFacts {
        cwd: Some("/srv/app".into()),
        home: Some("/home/u".into()),
        realpaths: std::iter::once(("/".into(), "/".into())).collect(),
        documents: Some("/srv/app".into()),
        ..FileFacts::default()
    };
    let surroundings = Surroundings {
        files,
        ..Surroundings::default()
    };
    let deciders = Deciders::new(Arc::new(policy.clone()), asked.tool, None, surroundings);
    let in_force = |mode| policy.mode_in_force(Some(mode)).mode;
    let seat = match asked.answer {
        None => Seat::Park,
        Some(_) => Seat::Resolve,
    };
    let mut input = deciders.wire(
        GateInput::builder(call)
            .mode(in_force(asked.mode))
            .wire(seat),
    );
    if let Some(agent) = asked.agent {
        input = input.agent(agent);
    }
    for (agent, mode) in &asked.above {
        input = input.ancestor(Member {
            agent: agent.map(Into::into),
            mode: in_force(*mode),
            lock: false,
        });
    }
    let mut host = Host {
        deciders,
        answer: asked.answer,
    };
    match *drive(begin(input.build().unwrap()), &mut host).unwrap() {
        GateResult::Suspended(_) => Verdict::Ask,
        GateResult::Finished(finished) if finished.args_to_run().is_some() => Verdict::Allow,
        GateResult::Finished(_) => Verdict::Deny,
    }
}

fn check(sources: &[Source<'_>]) -> Checked {
    Policy::check(sources, Platform::Linux)
}

fn load(sources: &[Source<'_>]) -> Policy {
    let checked = check(sources);
    let problems = checked.problems;
    checked.policy.unwrap_or_else(|| panic!("{problems:?}"))
}
