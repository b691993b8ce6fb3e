//! Loading documents anew while a policy is in force.

use std::sync::Arc;

use crate::document::{Code, Problem, Source, Trust};
use crate::policy::Policy;

/// A document, as a host finds it when it looks again.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The name it goes by in problems and records, such as its path as it was given.
    pub name: &'a str,
    /// What is there under it.
    pub content: Content<'a>,
    /// Whose word it is.
    pub trust: Trust,
}

/// What is there under a document's name. A document that is not there, or that cannot be read, is
/// not one without rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content<'a> {
    /// Its bytes; none at all are no document, since each names its schema.
    Bytes(&'a [u8]),
    /// There is no such document.
    Absent,
    /// It is there and cannot be read, for this reason.
    Unreadable(&'a str),
}

/// What came of loading documents anew.
#[derive(Clone, Debug)]
pub struct Reloaded {
    /// The policy in force from here on.
    pub policy: Arc<Policy>,
    /// Whether it is that of the documents; else it is the last good one, unchanged.
    pub is_new: bool,
    /// What to say: why the documents were not taken, or what in them is worth a second look.
    pub problems: Vec<Problem>,
}

/// Loads documents anew, all of them together and for the system of the last good policy. If one of
/// them is not there, cannot be read or is not sound, the last good policy stays in force as a whole:
/// a part of the new documents with a part of the old could allow what neither does.
///
/// Rules, tools and protected files that are added to a policy by its host are not in its documents:
/// add them to a copy for each call, or to the new policy again.
///
/// ```
/// use std::sync::Arc;
/// use gatefold_policy::{Content, Found, Platform, Policy, Source, Trust, reload};
///
/// let first = b"schema = 'gatefold/policy/v1'\n[rules.user]\ndeny = ['Bash(rm *)']\n";
/// let source = Source::host("gatefold.toml", first);
/// let trust = Trust::Host;
/// let good = Arc::new(Policy::load(&[source], Platform::Linux)?.policy);
///
/// // Somebody saves the document half-way.
/// let half = Content::Bytes(&first[..40]);
/// let kept = reload(&good, &[Found { name: "gatefold.toml", content: half, trust }]);
/// assert!(!kept.is_new && Arc::ptr_eq(&kept.policy, &good));
/// println!("still with the last good policy: {}", kept.problems[0]);
///
/// let next = Content::Bytes(b"schema = 'gatefold/policy/v1'\n[rules.user]\nask = ['Bash(rm *)']\n");
/// let taken = reload(&kept.policy, &[Found { name: "gatefold.toml", content: next, trust }]);
/// assert!(taken.is_new && taken.problems.is_empty());
/// assert_ne!(taken.policy.digest(), good.digest());
/// # Ok::<(), gatefold_policy::Refused>(())
/// ```
#[must_use = "the policy that is in force is in what is returned"]
pub fn reload(last_good: &Arc<Policy>, documents: &[Found<'_>]) -> Reloaded {
    let mut sources = Vec::new();
    let mut problems = Vec::new();
    for Found {
        name,
        content,
        trust,
    } in documents
    {
        match content {
            Content::Bytes(bytes) => sources.push(Source {
                name,
                bytes,
                trust: *trust,
            }),
            Content::Absent => {
                let what = "the document is not there, which is not one without rules; put it back, \
                            or name it no more";
                problems.push(Problem::of_document(Code::Absent, name, what.into()));
            }
            Content::Unreadable(why) => {
                let what = format!("the document cannot be read: {why}");
                problems.push(Problem::of_document(Code::Unreadable, name, what));
            }
        }
    }
    match Policy::load(&sources, last_good.platform()) {
        Ok(loaded) if problems.is_empty() => Reloaded {
            policy: Arc::new(loaded.policy),
            is_new: true,
            problems: loaded.warnings,
        },
        Ok(_) => Reloaded::kept(last_good, problems),
        Err(refused) => {
            problems.extend(refused.problems);
            Reloaded::kept(last_good, problems)
        }
    }
}

impl Reloaded {
    fn kept(last_good: &Arc<Policy>, problems: Vec<Problem>) -> Self {
        Self {
            policy: Arc::clone(last_good),
            is_new: false,
            problems,
        }
    }
}
