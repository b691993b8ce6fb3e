//! Policies in images: each decides as its documents do, and none that is in doubt allows a call.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    missing_docs,
    reason = "a test says what went wrong by failing"
)]

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gatefold::gate::{
    Args, Call, GateInput, GateResult, Mode, RecordFields, SealKey, Seat, ToolKind, Verdict, begin,
    drive,
};
use gatefold_policy::{
    Deciders, FileFacts, Image, ImageError, Platform, Policy, Source, Stored, Surroundings, Tool,
};
use proptest::prelude::*;

/// All that a document can hold.
const HOST: &str = r#"
schema = "gatefold/policy/v1"
mode = "default"
unstated = "ask"
roots = ["src"]

[org]
deny = ["Bash(curl *)", "Read(//etc/shadow)"]
ask = ["mcp__prod__*"]

[policy]
allow = ["Read(docs/**)", "Bash(git log:*)"]
deny = [{ rule = "Bash(git push --force *)", why = "history is shared" }]

[rules.user]
allow = ["Bash(git status)", "Bash(ls *)", "Edit(src/**)", "WebFetch(domain:*.example.com)", "Run(make *)"]
ask = ["Edit(**/*.lock)"]
deny = ["Read(~/.ssh/**)", "Bash(*kill *)"]

[rules.session]
allow = ["mcp__notes__get", "Task(kind:look*)"]

[agents.reviewer]
policy.deny = ["Edit"]
rules.user.allow = ["Bash(cargo test *)"]

[tools.Run]
kind = "shell"
field = "line"

[tools.Look]
kind = "read"

[[protected.add]]
path = "/keys/**"
why = "they sign releases"

[egress]
hosts = ["*.example.com", "docs.test"]

[limits]
args_bytes = 4000
edit_cap = 2
forbid_modes = ["bypass"]
"#;

const SECOND: &str = r#"
schema = "gatefold/policy/v1"
mode = "default"
unstated = "ask"
[rules.project]
ask = ["Bash(cargo *)"]
deny = ["Edit(/generated/**)"]
"#;

const FOUND: &str = r#"
schema = "gatefold/policy/v1"
[rules.project]
ask = ["Bash(ls *)"]
deny = ["Edit(src/vendor/**)"]
[agents.reviewer]
rules.project.deny = ["Bash(cargo test *)"]
"#;

const CALLS: &[(&str, &str)] = &[
    ("Bash", r#"{"command":"git status"}"#),
    ("Bash", r#"{"command":"git log --oneline && ls src"}"#),
    ("Bash", r#"{"command":"git push --force origin main"}"#),
    ("Bash", r#"{"command":"cargo test -q"}"#),
    ("Bash", r#"{"command":"pkill -9 x"}"#),
    ("Bash", r#"{"command":"curl x | sh"}"#),
    ("Bash", r#"{"command":"echo \"$(curl x)\""}"#),
    ("Bash", r#"{"command":"rm -rf src"}"#),
    ("Bash", r#"{"command":"echo 'open"}"#),
    ("Bash", r#"{"command":"cat ~/.ssh/id > src/x"}"#),
    ("Bash", r#"{"command":"ls $X"}"#),
    ("bash", r#"{"command":"curl x"}"#),
    ("Run", r#"{"line":"make all"}"#),
    ("Run", r#"{"line":"curl x"}"#),
    ("Read", r#"{"file_path":"docs/a/b.md"}"#),
    ("Read", r#"{"file_path":"/etc/shadow"}"#),
    ("Read", r#"{"file_path":"/home/u/.SSH/id"}"#),
    ("Grep", r#"{"path":"/home/u"}"#),
    ("Grep", "{}"),
    ("Look", r#"{"path":"/etc"}"#),
    ("Edit", r#"{"file_path":"src/a.rs"}"#),
    ("Edit", r#"{"file_path":"src/Cargo.lock"}"#),
    ("Edit", r#"{"file_path":"src/vendor/a.rs"}"#),
    ("Edit", r#"{"file_path":"conf/keys/a"}"#),
    ("Edit", r#"{"file_path":"conf/generated/a"}"#),
    ("Edit", r#"{"file_path":"conf/first.toml"}"#),
    ("WebFetch", r#"{"url":"https://a.example.com/x"}"#),
    ("WebFetch", r#"{"url":"https://example.com/x"}"#),
    ("WebFetch", r#"{"url":"no url"}"#),
    ("Task", r#"{"kind":"look here"}"#),
    ("Task", r#"{"kind":7}"#),
    ("mcp__prod__drop", "{}"),
    ("mcp__notes__get", "{}"),
    ("mcp__other__get", r#"{"path":"conf/keys/a"}"#),
    ("Unknown", "{}"),
];

fn sources(texts: [&str; 3]) -> [Source<'_>; 3] {
    let [host, second, found] = texts.map(str::as_bytes);
    [
        Source::host("conf/first.toml", host),
        Source::found("repo/gatefold.toml", found),
        Source::host("conf/second.toml", second),
    ]
}

fn all() -> [Source<'static>; 3] {
    sources([HOST, SECOND, FOUND])
}

fn key() -> SealKey {
    SealKey::new(&[7; 32]).unwrap()
}

fn load(sources: &[Source<'_>]) -> Policy {
    let loaded = Policy::load(sources, Platform::Linux);
    loaded.unwrap_or_else(|refused| panic!("{refused}")).policy
}

fn open(sources: &[Source<'_>], image: Vec<u8>) -> Result<Policy, ImageError> {
    let opened = Image::open(sources, Platform::Linux, &key(), image);
    opened.map(|image| image.policy)
}

fn decide(
    policy: &Arc<Policy>,
    tool: &str,
    args: &str,
    mode: Mode,
    agent: Option<&str>,
) -> RecordFields {
    let call = Call {
        id: "c1".into(),
        tool: tool.into(),
        args: Args::parse(args).unwrap(),
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
    let mut deciders = Deciders::new(Arc::clone(policy), tool, None, surroundings);
    let mode = policy.mode_in_force(Some(mode)).mode;
    let mut input = deciders.wire(GateInput::builder(call).mode(mode).wire(Seat::Park));
    if let Some(agent) = agent {
        input = input.agent(agent);
    }
    match *drive(begin(input.build().unwrap()), &mut deciders).unwrap() {
        GateResult::Finished(finished) => finished.record().into(),
        GateResult::Suspended(suspended) => suspended.parked.record().into(),
    }
}

#[test]
fn an_image_decides_as_its_documents() {
    let loaded = Arc::new(load(&all()));
    let image = Image::write(&loaded, &key(), "").unwrap();
    let opened = Arc::new(open(&all(), image).unwrap());
    assert_eq!(opened.digest(), loaded.digest());
    assert_eq!(opened.rules(), loaded.rules());
    assert_eq!(opened.limits(), loaded.limits());
    assert!(opened.roots().eq(loaded.roots()));
    assert_eq!(opened.mode(), loaded.mode());
    let mut verdicts = Vec::new();
    for (tool, args) in CALLS {
        for mode in Mode::ALL {
            for agent in [None, Some("reviewer"), Some("other")] {
                let want = decide(&loaded, tool, args, *mode, agent);
                let came = decide(&opened, tool, args, *mode, agent);
                assert_eq!(came, want, "{tool} {args} {mode} {agent:?}");
                verdicts.push(want.verdict);
            }
        }
    }
    assert!(!opened.is_in_doubt());
    for verdict in [Verdict::Allow, Verdict::Ask, Verdict::Deny] {
        let count = verdicts.iter().filter(|came| **came == verdict).count();
        assert!(count > 30, "{verdict}: {count} of {}", verdicts.len());
    }
}

#[test]
fn rules_that_came_with_the_call_count_beside_those_in_an_image() {
    let mut loaded = load(&all());
    let image = Image::write(&loaded, &key(), "").unwrap();
    let mut opened = open(&all(), image).unwrap();
    for policy in [&mut loaded, &mut opened] {
        for (effect, rule) in [("deny", "Bash(git status)"), ("allow", "Bash(echo *)")] {
            let effect = gatefold_policy::Effect::from_word(effect).unwrap();
            let layer = gatefold_policy::Layer::User;
            policy.add(effect, layer, rule).unwrap();
        }
    }
    let (loaded, opened) = (Arc::new(loaded), Arc::new(opened));
    for line in ["git status", "echo a", "git log", "echo a && git log"] {
        let args = serde_json::json!({ "command": line }).to_string();
        let want = decide(&loaded, "Bash", &args, Mode::Default, None);
        let came = decide(&opened, "Bash", &args, Mode::Default, None);
        assert_eq!(came, want, "{line}");
    }
    let again = Image::write(&opened, &key(), "");
    assert_eq!(again, Err(ImageError::Unwritable));
}

#[test]
fn what_its_host_said_of_a_policy_is_in_its_image_or_there_is_none() {
    let args = r#"{"file_path":"/srv/app/src/key"}"#;
    let mut policy = load(&all());
    let before = decide(&Arc::new(policy.clone()), "Edit", args, Mode::Default, None);
    policy.protect("/srv/app/src/key");
    let image = Image::write(&policy, &key(), "").unwrap();
    let opened = Arc::new(open(&all(), image).unwrap());
    let want = decide(&Arc::new(policy), "Edit", args, Mode::Default, None);
    let came = decide(&opened, "Edit", args, Mode::Default, None);
    assert_eq!(
        (before.verdict, want.verdict),
        (Verdict::Allow, Verdict::Ask)
    );
    assert_eq!(came, want);

    // The rule `Task(kind:look*)` was about an arg, and would be about a line.
    let mut policy = load(&all());
    policy.declare("Task", Tool::of(ToolKind::Shell));
    let image = Image::write(&policy, &key(), "");
    assert_eq!(image, Err(ImageError::Unwritable));
}

#[test]
fn an_image_of_anything_else_is_not_taken() {
    let image = Image::write(&load(&all()), &key(), "told").unwrap();
    let opened = |sources: &[Source<'_>], platform, key: &SealKey, image: Vec<u8>| {
        let opened = Image::open(sources, platform, key, image);
        opened.map_or_else(
            |error| error.code(),
            |image| {
                assert_eq!(image.notes, "told");
                ""
            },
        )
    };
    let [first, found, second] = all();
    let longer = format!("{SECOND}\n");
    let changed = Source::host(second.name, longer.as_bytes());
    let renamed = Source::host("conf/third.toml", SECOND.as_bytes());
    let trusted = Source::host(found.name, FOUND.as_bytes());
    for (sources, want) in [
        (&[first, found, second][..], ""),
        (&[first, found, changed], "image_stale"),
        (&[first, found, renamed], "image_stale"),
        (&[first, trusted, second], "image_stale"),
        (&[found, first, second], "image_stale"),
        (&[first, found], "image_stale"),
        (&[first, found, second, renamed], "image_stale"),
        (&[], "image_stale"),
    ] {
        let code = opened(sources, Platform::Linux, &key(), image.clone());
        assert_eq!(code, want, "{sources:?}");
    }
    let code = opened(&all(), Platform::MacOs, &key(), image.clone());
    assert_eq!(code, "image_stale");
    let other = SealKey::new(&[8; 32]).unwrap();
    let code = opened(&all(), Platform::Linux, &other, image.clone());
    assert_eq!(code, "bad_seal");
    for length in (0..image.len()).step_by(7) {
        let cut = image[..length].to_vec();
        // Pieces are read when they are asked for.
        if let Ok(policy) = open(&all(), cut) {
            let record = decide(&Arc::new(policy), "Bash", CALLS[0].1, Mode::Default, None);
            assert_eq!(record.verdict, Verdict::Deny, "{length}");
        }
    }
}

#[test]
fn what_is_not_as_it_was_sealed_allows_nothing() {
    let loaded = Arc::new(load(&all()));
    let image = Image::write(&loaded, &key(), "").unwrap();
    let (mut refused, mut doubted) = (0, 0);
    for at in (0..image.len()).step_by(3) {
        let mut changed = image.clone();
        changed[at] ^= 1 << (at % 8);
        let Ok(policy) = open(&all(), changed) else {
            refused += 1;
            continue;
        };
        let policy = Arc::new(policy);
        for (tool, args) in CALLS.iter().skip(at % 5).step_by(5) {
            let want = decide(&loaded, tool, args, Mode::Default, None);
            let came = decide(&policy, tool, args, Mode::Default, None);
            if policy.is_in_doubt() {
                assert_eq!(came.verdict, Verdict::Deny, "byte {at}: {tool} {args}");
                doubted += 1;
            } else {
                assert_eq!(came, want, "byte {at}: {tool} {args}");
            }
        }
    }
    assert!(refused > 100 && doubted > 100, "{refused} {doubted}");
}

/// An image that counts the bytes that are read of it.
#[derive(Clone, Debug)]
struct Counted {
    image: Arc<Vec<u8>>,
    bytes: Arc<AtomicU64>,
}

impl Stored for Counted {
    fn bytes(&self, from: u64, count: usize) -> Option<Vec<u8>> {
        let read = u64::try_from(count).ok()?;
        self.bytes.fetch_add(read, Ordering::Relaxed);
        self.image.bytes(from, count)
    }
}

#[test]
fn a_call_reads_a_small_part_of_a_large_image() {
    let mut text = "schema = 'gatefold/policy/v1'\n[rules.user]\nallow = [\n".to_owned();
    for of in 0..3_000 {
        let _ = writeln!(
            text,
            "'Bash(p{of} run *)', 'Edit(src/m{of}/**)', 'mcp__s{of}__t',"
        );
    }
    text.push(']');
    let sources = [Source::host("g.toml", text.as_bytes())];
    let loaded = load(&sources);
    assert_eq!(loaded.rules(), 9_000);
    let image = Arc::new(Image::write(&loaded, &key(), "").unwrap());
    for (tool, args) in [
        ("Bash", r#"{"command":"p7 run x"}"#),
        ("Edit", r#"{"file_path":"src/m7/a"}"#),
        ("mcp__s7__t", "{}"),
        ("mcp__s7__other", "{}"),
    ] {
        let bytes = Arc::new(AtomicU64::new(0));
        let counted = Counted {
            image: Arc::clone(&image),
            bytes: Arc::clone(&bytes),
        };
        let opened = Image::open(&sources, Platform::Linux, &key(), counted).unwrap();
        let opened = Arc::new(opened.policy);
        let came = decide(&opened, tool, args, Mode::Default, None);
        let want = decide(&Arc::new(loaded.clone()), tool, args, Mode::Default, None);
        assert_eq!(came, want);
        let read = bytes.load(Ordering::Relaxed);
        let all = u64::try_from(image.len()).unwrap();
        assert!(read * 4 < all, "{tool}: {read} of {all} bytes");
        println!("{tool}: {read} of {all} bytes");
    }
}

const RULES: &[&str] = &[
    "Bash",
    "Bash(git *)",
    "Bash(git push *)",
    "Bash(r* x)",
    "Edit(src/**)",
    "Edit(*.rs)",
    "Read",
    "Edit(/a/**)",
    "Read(~/.ssh/**)",
    "Read(//**)",
    "mcp__a",
    "mcp__a__b",
    "Task(kind:x*)",
    "WebFetch(domain:*.example.com)",
    "Edit(../up/x)",
];
const LINES: &[&str] = &[
    "git push",
    "git status",
    "rm x",
    "cat src/a.rs",
    "echo a > src/b.rs",
    "rm -r src",
    "env git push x",
    "cat ~/.ssh/id",
    "ls ..",
    "echo 'open",
    "$x y",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 1_500, ..ProptestConfig::default() })]

    #[test]
    fn any_image_decides_as_its_document(
        rules in proptest::collection::vec((0..4_usize, 0..3_usize, 0..RULES.len()), 0..12),
        line in proptest::sample::select(LINES),
        agent in proptest::option::of(Just("a")),
        mode in proptest::sample::select(Mode::ALL),
    ) {
        let mut text = "schema = 'gatefold/policy/v1'\n".to_owned();
        for (of, layer) in ["policy", "rules.user", "rules.local", "agents.a.rules.user"].iter().enumerate() {
            let _ = writeln!(text, "[{layer}]");
            for (effect, word) in ["deny", "ask", "allow"].iter().enumerate() {
                let rules = rules.iter().filter(|(layer, other, _)| (*layer, *other) == (of, effect));
                let rules: Vec<_> = rules.map(|(.., rule)| format!("'{}'", RULES[*rule])).collect();
                let _ = writeln!(text, "{word} = [{}]", rules.join(", "));
            }
        }
        let sources = [Source::host("g.toml", text.as_bytes())];
        let loaded = Arc::new(load(&sources));
        let image = Image::write(&loaded, &key(), "").unwrap();
        let opened = Arc::new(open(&sources, image).unwrap());
        let args = serde_json::json!({ "command": line }).to_string();
        let want = decide(&loaded, "Bash", &args, mode, agent);
        prop_assert_eq!(decide(&opened, "Bash", &args, mode, agent), want);
        for (tool, args) in CALLS.iter().skip(14) {
            let want = decide(&loaded, tool, args, mode, agent);
            prop_assert_eq!(decide(&opened, tool, args, mode, agent), want, "{} {}", tool, args);
        }
    }
}
