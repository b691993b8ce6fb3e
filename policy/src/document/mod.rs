//! Policy documents `gatefold/policy/v1`: TOML, loaded strictly, losing nothing.
//!
//! A deny or ask that is not understood is an error; an allow that is not only narrows, so it is
//! left out with a warning. All that is wrong is told at once.

mod compile;
mod found;
mod lint;
mod problem;
#[cfg(feature = "schema")]
mod schema;
mod shadow;
mod trial;
mod wire;

use std::collections::BTreeSet;
use std::sync::Arc;

use gatefold::gate::Digest;
use serde::Deserialize;

use crate::policy::Policy;
use crate::tools::Platform;
use compile::Compiler;
use problem::Located;
use wire::DocumentFile;

pub use problem::{Code, Place, Problem, Severity};
#[cfg(feature = "schema")]
pub use schema::schema;
pub use trial::{Came, Trial};

/// A document, in bytes (16 MiB).
pub const DOCUMENT_BYTES_MAX: usize = 16 << 20;

/// A document to be loaded.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The name it goes by in problems and records, such as its path as it was given.
    pub name: &'a str,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Whose word it is.
    pub trust: Trust,
}

/// Whose word a document is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// The host's: all of it counts.
    #[default]
    Host,
    /// It was found in a repository, and whoever commits to that wrote it: only what tightens
    /// counts. The rest is told of as [`Code::NotCounted`].
    Found,
}

impl<'a> Source<'a> {
    /// A document that is the host's word.
    pub const fn host(name: &'a str, bytes: &'a [u8]) -> Self {
        Self {
            name,
            bytes,
            trust: Trust::Host,
        }
    }

    /// A document that was found in a repository.
    pub const fn found(name: &'a str, bytes: &'a [u8]) -> Self {
        Self {
            name,
            bytes,
            trust: Trust::Found,
        }
    }
}

/// What came of loading documents that are sound.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The policy.
    pub policy: Policy,
    /// What is worth a second look, in the order of the documents.
    pub warnings: Vec<Problem>,
}

/// What the loader finds in documents, sound or not.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// The policy; none if there is an error.
    pub policy: Option<Policy>,
    /// Everything that is wrong or worth a second look: errors first, each in the order of the
    /// documents.
    pub problems: Vec<Problem>,
    /// The documents' own tests, in their order; none if an error kept them from being run.
    pub tests: Option<Vec<Trial>>,
}

/// What came of loading documents of which one is not sound: nothing is loaded.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", first(.problems))]
pub struct Refused {
    /// Everything that is wrong or worth a second look, in the order of the documents.
    pub problems: Vec<Problem>,
}

impl Refused {
    /// The first error: why nothing is loaded.
    pub fn first(&self) -> Option<&Problem> {
        first_error(&self.problems)
    }

    /// How many errors there are.
    pub fn errors(&self) -> usize {
        let errors = self.problems.iter();
        errors
            .filter(|problem| problem.severity() == Severity::Error)
            .count()
    }
}

fn first_error(problems: &[Problem]) -> Option<&Problem> {
    let mut errors = problems.iter();
    errors.find(|problem| problem.severity() == Severity::Error)
}

fn first(problems: &[Problem]) -> String {
    first_error(problems).map_or_else(String::new, ToString::to_string)
}

impl Policy {
    /// Loads documents, all of them together, for calls on this system. Each document's own tests
    /// are run on that document alone, and one that fails is an error.
    ///
    /// # Errors
    /// [`Refused`], with every problem: each has a [`Code`], a place and a sentence that says what
    /// to write instead.
    ///
    /// ```
    /// use gatefold_policy::{Platform, Policy, Source};
    ///
    /// let text = "schema = 'gatefold/policy/v1'\n[rules.user]\ndeny = ['Bash(rm *)']\n";
    /// let source = |text: &'static str| [Source::host("gatefold.toml", text.as_bytes())];
    /// let loaded = Policy::load(&source(text), Platform::Linux)?;
    /// assert_eq!(loaded.policy.rules(), 1);
    ///
    /// let wrong = "schema = 'gatefold/policy/v1'\n[rules.user]\ndeny = ['Bash(rm']\n";
    /// let refused = Policy::load(&source(wrong), Platform::Linux).unwrap_err();
    /// assert_eq!(
    ///     refused.to_string(),
    ///     "gatefold.toml:3:9: error[rule_unbalanced]: the rule's parentheses do not match; the \
    ///      nearest valid form is `Bash`"
    /// );
    /// # Ok::<(), gatefold_policy::Refused>(())
    /// ```
    pub fn load(sources: &[Source<'_>], platform: Platform) -> Result<Loaded, Refused> {
        Self::loaded(checked(sources, platform, true))
    }

    /// Loads documents as [`load`](Self::load) does, without a second look at their rules: the same
    /// policy, and the same errors. What is found by comparing rules with one another (one that never
    /// decides) and by looking at each alone (one that matches nothing) is not among the warnings. For
    /// who loads a document for each call, and leaves the rest to `gatefold lint`.
    ///
    /// # Errors
    /// [`Refused`], as [`load`](Self::load) does.
    ///
    /// ```
    /// use gatefold_policy::{Platform, Policy, Source};
    ///
    /// let text = "schema = 'gatefold/policy/v1'\n[rules.user]\ndeny = ['Bash(rm *)', 'Bash(rm -r *)']\n";
    /// let source = [Source::host("gatefold.toml", text.as_bytes())];
    /// assert!(!Policy::load(&source, Platform::Linux)?.warnings.is_empty());
    /// assert!(Policy::load_for_a_call(&source, Platform::Linux)?.warnings.is_empty());
    /// # Ok::<(), gatefold_policy::Refused>(())
    /// ```
    pub fn load_for_a_call(sources: &[Source<'_>], platform: Platform) -> Result<Loaded, Refused> {
        Self::loaded(checked(sources, platform, false))
    }

    fn loaded(checked: Checked) -> Result<Loaded, Refused> {
        let Checked {
            policy, problems, ..
        } = checked;
        match policy {
            None => Err(Refused { problems }),
            Some(policy) => Ok(Loaded {
                policy,
                warnings: problems,
            }),
        }
    }

    /// Loads documents as [`load`](Self::load) does, and tells all that was found on the way, with
    /// every test and what came of it.
    ///
    /// ```
    /// use gatefold_policy::{Platform, Policy, Source};
    ///
    /// let text = "schema = 'gatefold/policy/v1'\n[[test]]\ncall = 'Read'\nwant = 'deny'\n";
    /// let source = Source::host("gatefold.toml", text.as_bytes());
    /// let checked = Policy::check(&[source], Platform::Linux);
    /// assert!(checked.policy.is_none());
    /// assert_eq!(
    ///     checked.problems[0].to_string(),
    ///     "gatefold.toml:4:8: error[test_failed]: this call is `ask`, and not `deny`"
    /// );
    /// assert_eq!(checked.tests.map(|tests| tests.len()), Some(1));
    /// ```
    pub fn check(sources: &[Source<'_>], platform: Platform) -> Checked {
        checked(sources, platform, true)
    }
}

fn checked(sources: &[Source<'_>], platform: Platform, second_look: bool) -> Checked {
    let Compiled {
        policy,
        mut problems,
        tested,
    } = compile(sources, platform, second_look);
    // Tests of a document that is not sound would tell of its faults once more.
    let tests = first_error(&problems).is_none().then(|| {
        let of = |source| trial::of(source, platform);
        tested.into_iter().flat_map(of).collect::<Vec<_>>()
    });
    let failed = tests.iter().flatten();
    problems.extend(failed.filter_map(|test| test.problem.clone()));
    // Why nothing is loaded comes first, then what is worth a second look, each in the order of
    // the documents.
    problems.sort_by_key(|problem| {
        let mut names = sources.iter().map(|source| source.name);
        let document = names.position(|name| *name == *problem.place.file);
        (problem.severity(), document, problem.place.span.start)
    });
    Checked {
        policy: first_error(&problems).is_none().then_some(policy),
        problems,
        tests,
    }
}

/// The policy of documents as far as they are sound, and what is wrong with them.
struct Compiled<'s> {
    policy: Policy,
    problems: Vec<Problem>,
    /// The documents that have tests.
    tested: Vec<&'s Source<'s>>,
}

fn compile<'s>(sources: &'s [Source<'s>], platform: Platform, second_look: bool) -> Compiled<'s> {
    let mut compiler = Compiler::new(platform, second_look);
    let mut files = Vec::new();
    let mut problems = Vec::new();
    let mut tested = Vec::new();
    for source in sources {
        match read(source) {
            Ok((located, mut file)) => {
                if !file.test.is_empty() {
                    tested.push(source);
                }
                if source.trust == Trust::Found {
                    problems.extend(faults_as_host(source, platform));
                    problems.extend(found::narrow(&located, &mut file));
                }
                files.push((source, located, file));
            }
            Err(faults) => problems.extend(faults),
        }
    }
    // A rule of one document may be about a tool that another declares.
    for (_, located, file) in &files {
        compiler.tools(located, file);
    }
    for (source, located, file) in &files {
        compiler.document(located, file, source.trust, Digest::of(source.bytes));
    }
    let find = |name: &str| {
        let mut all = files.iter().map(|(_, located, _)| located);
        all.find(|located| *located.file == *name)
    };
    let (policy, more) = compiler.finish(find);
    // What is wrong with a document that was found was told of once already.
    let key = |problem: &Problem| {
        let Place { file, span, .. } = &problem.place;
        (Arc::clone(file), span.start, problem.code.word())
    };
    let told: BTreeSet<_> = problems.iter().map(key).collect();
    let more = more.into_iter();
    problems.extend(more.filter(|problem| !told.contains(&key(problem))));
    Compiled {
        policy,
        problems,
        tested,
    }
}

/// What of a document that was found would keep it from being loaded if it were the host's word: what
/// does not count is read as strictly as what does. Its rules are read beside the tools of the
/// others.
fn faults_as_host(source: &Source<'_>, platform: Platform) -> Vec<Problem> {
    let alone = Source::host(source.name, source.bytes);
    let sources = [alone];
    let Compiled { mut problems, .. } = compile(&sources, platform, false);
    problems.retain(|problem| {
        problem.severity() == Severity::Error && !matches!(problem.code, Code::Rule(_))
    });
    problems
}

/// A document's text and its values.
fn read<'a>(source: &Source<'a>) -> Result<(Located<'a>, DocumentFile), Vec<Problem>> {
    let whole = Located::new(source.name, "");
    if source.bytes.len() > DOCUMENT_BYTES_MAX {
        let bytes = source.bytes.len();
        let what =
            format!("the document has {bytes} bytes, more than {DOCUMENT_BYTES_MAX}; split it");
        return Err(vec![*whole.problem(Code::TooLarge, 0..0, what)]);
    }
    let text = std::str::from_utf8(source.bytes).map_err(|error| {
        let at = error.valid_up_to();
        let sound = source.bytes.get(..at).unwrap_or_default();
        let sound = std::str::from_utf8(sound).unwrap_or_default();
        let what = format!("byte {at} is not utf-8; write the document as utf-8");
        vec![*Located::new(source.name, sound).problem(Code::NotUtf8, at..at, what)]
    })?;
    let located = Located::new(source.name, text);
    let parsed = toml::de::DeTable::parse(text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        vec![*located.problem(Code::NotToml, span, on_one_line(error.message()))]
    })?;
    match DocumentFile::deserialize(toml::de::Deserializer::from(parsed)) {
        Ok(file) => Ok((located, file)),
        Err(error) => {
            let first = *wrong_shape(&located, &error);
            let mut faults = wrong_shapes(&located);
            if !faults.contains(&first) {
                faults.insert(0, first);
            }
            Err(faults)
        }
    }
}

/// What is wrong with each entry of a document, looked at alone: a reader stops at the first.
fn wrong_shapes(located: &Located<'_>) -> Vec<Problem> {
    let Ok(parsed) = toml::de::DeTable::parse(located.text) else {
        return Vec::new();
    };
    let span = parsed.span();
    let entries = parsed.into_inner().into_iter();
    let faults = entries.filter_map(|(key, value)| {
        let mut alone = toml::de::DeTable::new();
        alone.insert(key, value);
        let alone = toml::Spanned::new(span.clone(), alone);
        let file = DocumentFile::deserialize(toml::de::Deserializer::from(alone));
        // That nothing else is there is no fault of an entry.
        let error = file.err().filter(|error| !is_missing_schema(error))?;
        Some(*wrong_shape(located, &error))
    });
    faults.collect()
}

fn is_missing_schema(error: &toml::de::Error) -> bool {
    error.message() == "missing field `schema`"
}

/// What is wrong with a document that is TOML and has not the shape of a policy.
fn wrong_shape(located: &Located<'_>, error: &toml::de::Error) -> Box<Problem> {
    let said = on_one_line(error.message());
    let span = error.span().unwrap_or(0..0);
    let listed = |said: &str| {
        said.split('`')
            .skip(3)
            .step_by(2)
            .map(str::to_owned)
            .collect()
    };
    let (code, sentence) = if let Some(rest) = said.strip_prefix("unknown field ") {
        let key = rest.split('`').nth(1).unwrap_or_default();
        let keys: Vec<String> = listed(&said);
        let nearest = problem::nearest(key, keys.iter().map(String::as_str));
        let meant = problem::did_you_mean(nearest);
        let sentence = format!(
            "unknown key {}{meant}",
            rest.replace(", expected", "; there is")
        );
        (Code::UnknownKey, sentence)
    } else if let Some(rest) = said.strip_prefix("missing field ") {
        (Code::MissingKey, format!("the key {rest} is missing"))
    } else {
        // The words of TOML, not those of its reader.
        let said = said
            .replace("a sequence", "a list")
            .replace("a map", "a table")
            .replace("u64", "a whole number from 0 up");
        (Code::WrongType, said)
    };
    located.problem(code, span, sentence)
}

fn on_one_line(said: &str) -> String {
    said.lines().collect::<Vec<_>>().join("; ")
}

/// The document's name, shared.
fn shared(located: &Located<'_>) -> Arc<str> {
    Arc::clone(&located.file)
}
