//! The tests that a document brings: calls, each with the verdict that it wants.

use std::sync::Arc;

use gatefold::gate::{
    AllowedBy, Args, AskOrigin, Basis, Call, DeniedBy, GateInput, GateResult, Mode, RecordFields,
    Seat, Verdict, begin, drive,
};
use toml::Spanned;

use super::compile::unknown_word;
use super::problem::{Code, Located, Place, Problem, did_you_mean, nearest};
use super::wire::{CallFile, DocumentFile, FullCallFile, TestFile};
use super::{Source, compile, read};
use crate::deciders::Deciders;
use crate::files::path_field;
use crate::mcp;
use crate::paths::FileFacts;
use crate::policy::Policy;
use crate::shell::Line;
use crate::surroundings::Surroundings;
use crate::tools::Platform;

/// What the document is called in its tests, and where it stands.
const DOCUMENT: &str = "gatefold.toml";

/// What tests are run in: the document's folder, in which every path leads where it says.
fn surroundings(platform: Platform) -> Surroundings {
    let root = match platform {
        Platform::Linux | Platform::MacOs => "/",
        Platform::Windows => "C:/",
    };
    Surroundings {
        files: FileFacts {
            cwd: Some(format!("{root}work")),
            home: Some(format!("{root}home/user")),
            realpaths: std::iter::once((root.to_owned(), root.to_owned())).collect(),
            documents: Some(format!("{root}work")),
            ..FileFacts::default()
        },
        ..Surroundings::default()
    }
}

/// A test of a document, and what came of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Trial {
    /// Where its call stands.
    pub place: Place,
    /// The call: the tool, with its line or its args in brackets.
    pub call: String,
    /// The permission mode that it names.
    pub mode: Option<String>,
    /// The agent that it names.
    pub agent: Option<String>,
    /// The verdict that it wants, as written.
    pub want: String,
    /// The rule that it wants, as written.
    pub rule: Option<String>,
    /// What was decided; none if it cannot be run.
    pub came: Option<Came>,
    /// Why it fails, or cannot be run; none if it passes.
    pub problem: Option<Problem>,
}

/// What was decided of the call of a test.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Came {
    /// The verdict.
    pub verdict: Verdict,
    /// Who decided, or whom the ask is owed to, in the word of the record.
    pub by: Option<&'static str>,
    /// The rule behind it.
    pub basis: Option<Basis>,
    /// Why it does not run, or what is asked.
    pub reason: Option<String>,
}

/// Runs the tests of a document that is sound, on it alone.
pub(super) fn of(source: &Source<'_>, platform: Platform) -> Vec<Trial> {
    let Ok((located, file)) = read(source) else {
        return Vec::new();
    };
    if file.test.is_empty() {
        return Vec::new();
    }
    // As the host's word, also if it was found: a test says what its author means, and decides nothing
    // but whether the document is loaded.
    let alone = Source::host(DOCUMENT, source.bytes);
    let sources = [alone];
    let policy = Arc::new(compile(&sources, platform, false).policy);
    let tests = file.test.iter().map(Spanned::get_ref);
    let trial = |test| trial(&policy, &located, &file, test);
    tests.map(trial).collect()
}

fn trial(
    policy: &Arc<Policy>,
    located: &Located<'_>,
    file: &DocumentFile,
    test: &TestFile,
) -> Trial {
    let known = known(policy, located, file, test);
    let came = known.and_then(|()| run(policy, located, test));
    let held = match &came {
        Ok(came) => holds(located, test, came),
        Err(problem) => Err(problem.clone()),
    };
    Trial {
        place: located.place(test.call.span()),
        call: as_written(test.call.get_ref()),
        mode: test.mode.as_ref().map(|mode| mode.get_ref().clone()),
        agent: test.agent.clone(),
        want: test.want.get_ref().clone(),
        rule: test.rule.clone(),
        came: came.ok(),
        problem: held.err().map(|problem| *problem),
    }
}

fn as_written(call: &CallFile) -> String {
    match call {
        CallFile::Short(call) => call.clone(),
        CallFile::Full(FullCallFile { tool, args }) => match serde_json::to_string(args) {
            Ok(args) => format!("{tool}({args})"),
            Err(_) => tool.clone(),
        },
    }
}

/// Whether a test is about an agent that the document has rules for, and about a tool that is
/// known: a name that is misspelt would be judged by no rule, and prove nothing.
fn known(
    policy: &Policy,
    located: &Located<'_>,
    file: &DocumentFile,
    test: &TestFile,
) -> Result<(), Box<Problem>> {
    let bad = |what| Err(bad(located, test, what));
    let agents = || file.agents.keys().map(|name| name.get_ref().as_str());
    if let Some(agent) = &test.agent
        && !agents().any(|name| name == agent)
    {
        let meant = did_you_mean(nearest(agent, agents()));
        return bad(format!(
            "the document has no rules for an agent `{agent}`{meant}"
        ));
    }
    let tool = match test.call.get_ref() {
        CallFile::Short(call) => call.split('(').next().unwrap_or_default(),
        CallFile::Full(call) => &call.tool,
    };
    if policy.tools.knows(tool) || tool.starts_with(mcp::PREFIX) {
        return Ok(());
    }
    let meant = did_you_mean(nearest(tool, policy.tools.names()));
    bad(format!("no host is known to have a tool `{tool}`{meant}"))
}

fn run(policy: &Arc<Policy>, located: &Located<'_>, test: &TestFile) -> Result<Came, Box<Problem>> {
    let word = |mode| word(located, mode, Mode::from_word, Mode::ALL, Mode::word);
    let mode = test.mode.as_ref().map(word).transpose()?;
    let mode = policy.mode_in_force(mode).mode;
    let (tool, args) =
        read_call(policy, test.call.get_ref()).map_err(|what| bad(located, test, what))?;
    decide(policy, &tool, args, mode, test.agent.as_deref())
        .map_err(|what| bad(located, test, what))
}

fn bad(located: &Located<'_>, test: &TestFile, what: String) -> Box<Problem> {
    located.problem(Code::BadTest, test.call.span(), what)
}

/// Whether what came is what the test wants.
fn holds(located: &Located<'_>, test: &TestFile, came: &Came) -> Result<(), Box<Problem>> {
    let want = word(
        located,
        &test.want,
        Verdict::from_word,
        Verdict::ALL,
        Verdict::word,
    )?;
    let failed = |span, sentence| Err(located.problem(Code::TestFailed, span, sentence));
    if came.verdict != want {
        let by = came.basis.as_ref();
        let by = by.map_or_else(String::new, |basis| format!(", by {}", named(basis)));
        let sentence = format!("this call is `{}`{by}, and not `{want}`", came.verdict);
        return failed(test.want.span(), sentence);
    }
    match (&test.rule, &came.basis) {
        (Some(rule), Some(basis)) if basis.rule.as_str() != rule => {
            let sentence = format!(
                "this call is decided by {}, and not by `{rule}`",
                named(basis)
            );
            failed(test.call.span(), sentence)
        }
        (Some(rule), None) => {
            let sentence = format!("no rule decides this call, so `{rule}` does not");
            failed(test.call.span(), sentence)
        }
        (Some(_) | None, _) => Ok(()),
    }
}

fn named(basis: &Basis) -> String {
    format!("`{}` of {}", basis.rule, basis.layer)
}

fn word<T: Copy>(
    located: &Located<'_>,
    word: &Spanned<String>,
    read: impl Fn(&str) -> Option<T>,
    all: &[T],
    show: impl Fn(T) -> &'static str,
) -> Result<T, Box<Problem>> {
    read(word.get_ref()).ok_or_else(|| {
        let words = all.iter().map(|value| show(*value));
        let sentence = unknown_word(word.get_ref(), words);
        located.problem(Code::UnknownWord, word.span(), sentence)
    })
}

/// The tool and the args of a call, as a test writes it.
fn read_call(policy: &Policy, call: &CallFile) -> Result<(String, Args), String> {
    let (tool, json) = match call {
        CallFile::Full(FullCallFile { tool, args }) => {
            if let Some(what) = args.values().find_map(not_json) {
                return Err(format!(
                    "{what} has no form in json; write what the tool is given"
                ));
            }
            let json = serde_json::to_string(args).map_err(|error| error.to_string())?;
            (tool.clone(), json)
        }
        CallFile::Short(call) => match call.split_once('(') {
            None => (call.clone(), "{}".to_owned()),
            Some((tool, rest)) => {
                let line = rest
                    .strip_suffix(')')
                    .ok_or("the call ends without `)`; write `Tool(line)`")?;
                let field = if policy.tools.is_shell(tool) {
                    policy.tools.line_field(tool)
                } else {
                    path_field(tool, &policy.tools).ok_or_else(|| {
                        format!(
                            "`{tool}` is known to take neither a line nor a path; write `{{ tool, \
                             args }}`"
                        )
                    })?
                };
                let args = std::collections::BTreeMap::from([(field, line)]);
                let json = serde_json::to_string(&args).map_err(|error| error.to_string())?;
                (tool.to_owned(), json)
            }
        },
    };
    let args = Args::parse(&json).map_err(|error| error.to_string())?;
    if policy.tools.is_shell(&tool) {
        let field = policy.tools.line_field(&tool);
        if Line::length(&args, field).is_none_or(|length| length == 0) {
            return Err(format!(
                "the call has no line; write `{tool}(line)`, or its arg `{field}`"
            ));
        }
    }
    Ok((tool, args))
}

/// What in a value no JSON can say.
fn not_json(value: &toml::Value) -> Option<&'static str> {
    match value {
        toml::Value::Datetime(_) => Some("a date"),
        toml::Value::Float(float) if !float.is_finite() => Some("a number that is not finite"),
        toml::Value::Array(values) => values.iter().find_map(not_json),
        toml::Value::Table(values) => values.values().find_map(not_json),
        toml::Value::String(_)
        | toml::Value::Integer(_)
        | toml::Value::Float(_)
        | toml::Value::Boolean(_) => None,
    }
}

/// What is decided of a call where a person can be asked.
fn decide(
    policy: &Arc<Policy>,
    tool: &str,
    args: Args,
    mode: Mode,
    agent: Option<&str>,
) -> Result<Came, String> {
    let call = Call {
        id: "test".into(),
        tool: tool.into(),
        args,
    };
    let surroundings = surroundings(policy.platform());
    let mut deciders = Deciders::new(Arc::clone(policy), tool, None, surroundings);
    let mut input = deciders.wire(GateInput::builder(call).mode(mode).wire(Seat::Park));
    if let Some(agent) = agent {
        input = input.agent(agent);
    }
    let input = input.build().map_err(|error| error.to_string())?;
    let result = drive(begin(input), &mut deciders).map_err(|error| error.to_string())?;
    Ok(match *result {
        GateResult::Finished(finished) => came(finished.record().into(), finished.reason()),
        GateResult::Suspended(suspended) => {
            let parked = &suspended.parked;
            came(parked.record().into(), Some(parked.reason()))
        }
    })
}

fn came(fields: RecordFields, reason: Option<String>) -> Came {
    let asked = fields.asked.and_then(|asked| asked.origin);
    Came {
        verdict: fields.verdict,
        by: match fields.verdict {
            Verdict::Allow => fields.allowed_by.map(AllowedBy::word),
            Verdict::Deny => fields.denied_by.map(DeniedBy::word),
            Verdict::Ask => asked.map(AskOrigin::word),
        },
        basis: fields.basis,
        reason,
    }
}
