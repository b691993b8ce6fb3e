//! Any bytes as policy documents: they are loaded, or refused with places that are in them.

use std::sync::{Arc, LazyLock};

use gatefold::gate::{Mode, SealKey, Verdict};
use gatefold_policy::{
    Checked, Code, Content, Found, Image, Platform, Policy, Problem, Severity, Source, Trust,
    reload,
};

use super::document::BETWEEN;
use super::{See, judged};

/// The most documents that bytes are taken for.
pub const DOCUMENTS: usize = 3;

const NAMES: [&str; DOCUMENTS] = ["a.toml", "b.toml", "c.toml"];

/// Beside any other document, this one's deny is heard.
const DENY: &[u8] = b"schema = 'gatefold/policy/v1'\n[org]\ndeny = ['Bash']\n";

const PLATFORM: Platform = Platform::Linux;

/// The policy that is in force before documents are loaded.
static GOOD: LazyLock<Arc<Policy>> = LazyLock::new(|| Arc::new(Policy::empty(PLATFORM)));

/// Loads documents, split at byte 0x1e, in every way that there is.
///
/// # Panics
/// If loading twice differs, a place is outside of its text or not where its span is, an unsound
/// document takes a policy out of force, a deny beside a document is not heard, or an image of
/// documents decides otherwise.
pub fn policy_load(data: &[u8], see: See<'_>) {
    let documents = data.splitn(DOCUMENTS, |byte| u32::from(*byte) == u32::from(BETWEEN));
    let sources: Vec<_> = NAMES
        .iter()
        .zip(documents)
        .map(|(name, bytes)| Source::host(name, bytes))
        .collect();
    let checked = Policy::check(&sources, PLATFORM);
    sound(&checked, &sources, see);
    let again = Policy::load(&sources, PLATFORM);
    match (&checked.policy, &again) {
        (Some(policy), Ok(loaded)) => {
            see(format_args!("loaded"));
            assert_eq!(policy.digest(), loaded.policy.digest());
            assert_eq!(policy.rules(), loaded.policy.rules());
            assert_eq!(checked.problems, loaded.warnings);
            imaged(&loaded.policy, &sources);
        }
        (None, Err(refused)) => {
            see(format_args!("refused"));
            assert_eq!(checked.problems, refused.problems);
            let first = refused.first().map(Problem::severity);
            assert!(first == Some(Severity::Error) && refused.errors() > 0);
        }
        (policy, _) => panic!("checked: {}, loaded otherwise", policy.is_some()),
    }
    moved(&checked, &sources);
    reloaded(&checked, &sources, see);
    if checked.policy.is_some() {
        denied(&sources);
    }
    // The same documents, if nobody vouches for them.
    let found: Vec<_> = sources
        .iter()
        .map(|source| Source {
            trust: Trust::Found,
            ..*source
        })
        .collect();
    let checked = Policy::check(&found, PLATFORM);
    sound(&checked, &found, see);
    if let Some(policy) = &checked.policy {
        imaged(policy, &found);
    }
}

/// An image of these documents decides as they do.
fn imaged(policy: &Policy, sources: &[Source<'_>]) {
    let key = SealKey::new(&[7; 32]).unwrap_or_else(|error| panic!("{error}"));
    let image = Image::write(policy, &key, "").unwrap_or_else(|error| panic!("{error}"));
    let opened = Image::open(sources, PLATFORM, &key, image);
    let opened = opened.unwrap_or_else(|error| panic!("{error}")).policy;
    assert_eq!(
        (opened.digest(), opened.rules(), opened.mode()),
        (policy.digest(), policy.rules(), policy.mode())
    );
    let (policy, opened) = (Arc::new(policy.clone()), Arc::new(opened));
    for line in ["git push origin main", "rm -rf x > src/a", "$x && ls /etc"] {
        let said = judged::line(&opened, Mode::Default, line);
        assert_eq!(said, judged::line(&policy, Mode::Default, line), "{line}");
    }
    assert!(!opened.is_in_doubt());
}

/// What is found is in the documents, and errors come first.
fn sound(checked: &Checked, sources: &[Source<'_>], see: See<'_>) {
    let problems = &checked.problems;
    let weights: Vec<_> = problems.iter().map(Problem::severity).collect();
    assert!(weights.is_sorted(), "errors come first");
    assert_eq!(
        checked.policy.is_some(),
        !weights.contains(&Severity::Error)
    );
    for problem in problems {
        let Problem {
            code,
            place,
            sentence,
        } = problem;
        see(format_args!("{}", code.word()));
        assert!(
            !sentence.is_empty() && !sentence.contains('\n'),
            "{sentence:?}"
        );
        let source = sources.iter().find(|source| *source.name == *place.file);
        let bytes = source.map_or(&[][..], |source| source.bytes);
        let span = place.span.clone();
        assert!(
            span.start <= span.end && span.end <= bytes.len(),
            "{problem}"
        );
        let before = std::str::from_utf8(&bytes[..span.start]);
        let before = before.unwrap_or_else(|_| panic!("{problem}: it is inside of a character"));
        let line = before.matches('\n').count() + 1;
        let column = before
            .rsplit('\n')
            .next()
            .unwrap_or_default()
            .chars()
            .count()
            + 1;
        assert_eq!((place.line, place.column), (line, column), "{problem}");
    }
    let texts = sources
        .iter()
        .map(|source| std::str::from_utf8(source.bytes));
    let broken = texts.filter(Result::is_err).count();
    let told = problems
        .iter()
        .filter(|problem| problem.code == Code::NotUtf8);
    assert_eq!(told.count(), broken);
}

/// A line before the first document moves what is found in it by a line, and changes nothing else.
fn moved(checked: &Checked, sources: &[Source<'_>]) {
    let Some((first, rest)) = sources.split_first() else {
        return;
    };
    if !first.bytes.starts_with(b"[") && !first.bytes.starts_with(b"schema") {
        return;
    }
    let longer = [b"#\n", first.bytes].concat();
    let mut sources = vec![Source {
        bytes: &longer,
        ..*first
    }];
    sources.extend_from_slice(rest);
    let moved = Policy::check(&sources, PLATFORM);
    let told = |checked: &Checked, by: usize| -> Vec<_> {
        let problems = checked.problems.iter();
        problems
            .filter(|problem| problem.place.span.end > 0)
            .map(|problem| {
                let Problem { code, place, .. } = problem;
                let by = if *place.file == *first.name { by } else { 0 };
                (code.word(), place.line + by, place.column)
            })
            .collect()
    };
    if !checked
        .problems
        .iter()
        .any(|problem| problem.place.span.end == 0)
    {
        assert_eq!(told(checked, 1), told(&moved, 0));
    }
}

/// A policy in force gives way to sound documents alone.
fn reloaded(checked: &Checked, sources: &[Source<'_>], see: See<'_>) {
    let good = Arc::clone(&GOOD);
    let found = sources.iter().map(|source| Found {
        name: source.name,
        content: Content::Bytes(source.bytes),
        trust: source.trust,
    });
    let mut found: Vec<_> = found.collect();
    let taken = reload(&good, &found);
    assert_eq!(taken.is_new, checked.policy.is_some());
    assert_eq!(taken.problems, checked.problems);
    assert_eq!(Arc::ptr_eq(&taken.policy, &good), !taken.is_new);
    for content in [Content::Absent, Content::Unreadable("it is locked")] {
        found.push(Found {
            name: "d.toml",
            content,
            trust: Trust::Host,
        });
        let kept = reload(&taken.policy, &found);
        assert!(!kept.is_new && Arc::ptr_eq(&kept.policy, &taken.policy));
        for problem in &kept.problems {
            see(format_args!("{}", problem.code.word()));
        }
        found.pop();
    }
}

/// Nothing in the documents lifts a deny that stands beside them.
fn denied(sources: &[Source<'_>]) {
    let mut sources = sources.to_vec();
    sources.push(Source::host("deny.toml", DENY));
    let Ok(loaded) = Policy::load(&sources, PLATFORM) else {
        return;
    };
    let policy = Arc::new(loaded.policy);
    assert_eq!(
        judged::line(&policy, Mode::Bypass, "git status"),
        Verdict::Deny
    );
}
