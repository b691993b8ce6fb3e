//! From the values of documents to a policy.

use std::fmt;
use std::sync::Arc;

use gatefold::gate::{Digest, Mode, Text, ToolKind, Unstated};
use gatefold::limits::{ARGS_BYTES_MAX, DENIAL_LIMIT_DEFAULT, EDIT_CAP_DEFAULT, NAME_BYTES_MAX};
use toml::Spanned;

use super::lint::Lint;
use super::problem::{Code, Located, Place, Problem, did_you_mean, nearest};
use super::wire::{
    AgentFile, DocumentFile, EgressFile, LayerFile, LimitsFile, ProtectedPathFile, RuleFile,
    SCHEMA, StoredFile, ToolFile,
};
use super::{Trust, shared};
use crate::hosts::Domain;
use crate::modes::{looser, stricter};
use crate::paths::{PathFault, PathPattern, Protected};
use crate::policy::{Policy, RULES_MAX};
use crate::rules::{Effect, Layer, Rule, RulePlace};
use crate::shell::LINE_BYTES_MAX;
use crate::tools::{self, KINDS, Platform, Tool, kind_word};

/// What holds where each document says something, or nothing, which is `silent`. Nothing holds if
/// none says anything.
fn settle<T: Copy + PartialEq + fmt::Display>(
    said: &[(Option<T>, Place)],
    silent: T,
    stricter: impl Fn(T, T) -> Option<T>,
    problems: &mut Vec<Problem>,
) -> Option<T> {
    if said.iter().all(|(value, _)| value.is_none()) {
        return None;
    }
    let mut standing: Option<T> = None;
    for (value, place) in said {
        let value = value.unwrap_or(silent);
        let Some(other) = standing else {
            standing = Some(value);
            continue;
        };
        let Some(stricter) = stricter(other, value) else {
            problems.push(Problem {
                code: Code::ModesClash,
                place: place.clone(),
                sentence: format!(
                    "another document says `{other}`, and neither that nor `{value}` is the \
                     stricter; name one of them in all"
                ),
            });
            return None;
        };
        standing = Some(stricter);
    }
    let settled = standing?;
    let overruled = said.iter().filter_map(|(value, place)| {
        let value = (*value)?;
        (value != settled).then(|| Problem {
            code: Code::Differs,
            place: place.clone(),
            sentence: format!(
                "another document says `{settled}`, or says nothing, which is `{silent}`; the \
                 stricter counts: `{settled}`"
            ),
        })
    });
    problems.extend(overruled);
    Some(settled)
}

/// A policy in the making.
pub(super) struct Compiler {
    policy: Policy,
    problems: Vec<Problem>,
    /// None if nothing is looked for that is only worth a second look.
    lint: Option<Lint>,
    /// What each document says, and where.
    modes: Vec<(Option<Mode>, Place)>,
    unstated: Vec<(Option<Unstated>, Place)>,
    /// Of the document whose rules are read.
    trust: Trust,
}

impl Compiler {
    pub(super) fn new(platform: Platform, second_look: bool) -> Self {
        Self {
            policy: Policy::empty(platform),
            problems: Vec::new(),
            lint: second_look.then(Lint::default),
            modes: Vec::new(),
            unstated: Vec::new(),
            trust: Trust::Host,
        }
    }

    /// The policy and every problem; `located` finds a document by its name.
    pub(super) fn finish<'a>(
        mut self,
        located: impl Fn(&str) -> Option<&'a Located<'a>>,
    ) -> (Policy, Vec<Problem>) {
        let mode = settle(&self.modes, Mode::Default, stricter, &mut self.problems);
        let unstated = settle(
            &self.unstated,
            Unstated::Ask,
            |one, other| Some(if one == other { one } else { Unstated::Ask }),
            &mut self.problems,
        );
        self.policy.mode = mode;
        self.policy.unstated = unstated;
        if let Some(lint) = self.lint {
            self.problems.extend(lint.finish(located));
        }
        (self.policy, self.problems)
    }

    fn problem(
        &mut self,
        located: &Located<'_>,
        code: Code,
        span: std::ops::Range<usize>,
        sentence: impl Into<String>,
    ) {
        self.problems.push(*located.problem(code, span, sentence));
    }

    /// The tools that a document declares.
    pub(super) fn tools(&mut self, located: &Located<'_>, file: &DocumentFile) {
        for (name, ToolFile { kind, field }) in &file.tools {
            if !self.is_name(located, name, "a tool's name") {
                continue;
            }
            let words = || KINDS.iter().map(|(word, _)| *word);
            let Some((_, of)) = KINDS.iter().find(|(word, _)| word == kind.get_ref()) else {
                self.unknown_word(located, kind, words());
                continue;
            };
            let mut tool = Tool::of(*of);
            if let Some(field) = field {
                if !matches!(
                    of,
                    ToolKind::Shell | ToolKind::Fetch | ToolKind::Read | ToolKind::Edit
                ) {
                    let what = "only a tool of kind shell, fetch, read or edit has a `field`, the arg \
                                that holds its command line, its url or its path";
                    self.problem(located, Code::UnknownKey, field.span(), what);
                    continue;
                }
                if !self.is_name(located, field, "a field's name") {
                    continue;
                }
                if tools::kind_of_name(name.get_ref()).is_some() {
                    let what = format!(
                        "`{}` is known by its name, and so is where its line, url or path stands; \
                         leave `field` out",
                        name.get_ref()
                    );
                    self.problem(located, Code::ToolRedefined, field.span(), what);
                    continue;
                }
                tool.field = Some(field.get_ref().clone());
            }
            let name_text = name.get_ref();
            if self
                .policy
                .tools
                .get(name_text)
                .is_some_and(|other| *other != tool)
            {
                let what = format!("another document declares `{name_text}` in another way");
                self.problem(located, Code::ToolTwice, name.span(), what);
            } else if let Err(kind) = self.policy.tools.declare(name_text, tool) {
                let kind = kind_word(kind);
                let what = format!("`{name_text}` is known by its name as kind `{kind}`");
                self.problem(located, Code::ToolRedefined, name.span(), what);
            }
        }
    }

    /// All that a document says, its tools apart.
    pub(super) fn document(
        &mut self,
        located: &Located<'_>,
        file: &DocumentFile,
        trust: Trust,
        digest: Digest,
    ) {
        if file.schema.get_ref() != SCHEMA {
            let what = format!("this schema is not read here; write `{SCHEMA}`");
            self.problem(located, Code::WrongSchema, file.schema.span(), what);
        }
        self.policy.stands_on(&located.file, digest, trust);
        self.protected(located, file);
        // One that was found says nothing of what holds for all, and is not silent about it either.
        if trust == Trust::Host {
            self.says(located, file);
        }
        self.limits(located, &file.limits);
        self.egress(located, file.egress.as_ref());
        for root in &file.roots {
            if self.is_name(located, root, "a root") {
                self.policy
                    .roots
                    .push((shared(located), root.get_ref().clone()));
            }
        }
        self.trust = trust;
        self.layers(located, None, &file.org, &file.policy, &file.rules);
        for (name, AgentFile { org, policy, rules }) in &file.agents {
            if self.is_name(located, name, "an agent's name") {
                let agent: Arc<str> = name.get_ref().as_str().into();
                self.layers(located, Some(&agent), org, policy, rules);
            }
        }
    }

    /// The paths that a document protects, beside those that are.
    fn protected(&mut self, located: &Located<'_>, file: &DocumentFile) {
        for row in &file.protected.add {
            let ProtectedPathFile { path, why } = row;
            if !self.is_name(located, why, "a reason") {
                continue;
            }
            match PathPattern::parse(path.get_ref(), true, self.policy.platform()) {
                Ok(pattern) => {
                    let row =
                        Protected::of(pattern, path.get_ref(), why.get_ref(), shared(located));
                    self.policy.protected.add(row);
                }
                Err(PathFault { why, nearest }) => {
                    let path_text = path.get_ref();
                    let what = format!(
                        "`{path_text}` can match nothing as it is meant: {why}; the nearest valid \
                         form is `{nearest}`"
                    );
                    self.problem(located, Code::BadPath, path.span(), what);
                }
            }
        }
    }

    /// What a document says of what holds for all calls; a word that is none is told.
    fn says(&mut self, located: &Located<'_>, file: &DocumentFile) {
        let mode = self.word(
            located,
            file.mode.as_ref(),
            Mode::from_word,
            Mode::ALL,
            Mode::word,
        );
        let unstated = self.word(
            located,
            file.unstated.as_ref(),
            Unstated::from_word,
            Unstated::ALL,
            Unstated::word,
        );
        let place = |word: Option<&Spanned<String>>| {
            let span = word.map_or_else(|| file.schema.span(), Spanned::span);
            located.place(span)
        };
        self.modes.push((mode, place(file.mode.as_ref())));
        self.unstated
            .push((unstated, place(file.unstated.as_ref())));
    }

    fn word<T: Copy>(
        &mut self,
        located: &Located<'_>,
        word: Option<&Spanned<String>>,
        read: impl Fn(&str) -> Option<T>,
        all: &[T],
        show: impl Fn(T) -> &'static str,
    ) -> Option<T> {
        let word = word?;
        let value = read(word.get_ref());
        if value.is_none() {
            self.unknown_word(located, word, all.iter().map(|value| show(*value)));
        }
        value
    }

    fn limits(&mut self, located: &Located<'_>, file: &LimitsFile) {
        let LimitsFile {
            args_bytes,
            line_bytes,
            edit_cap,
            denials,
            forbid_modes,
        } = file;
        self.forbid(located, forbid_modes);
        let limits = &mut self.policy.limits;
        let raised = [
            lower(&mut limits.args_bytes, ARGS_BYTES_MAX, args_bytes.as_ref()),
            lower(&mut limits.line_bytes, LINE_BYTES_MAX, line_bytes.as_ref()),
            lower(&mut limits.edit_cap, EDIT_CAP_DEFAULT, edit_cap.as_ref()),
            lower(&mut limits.denials, DENIAL_LIMIT_DEFAULT, denials.as_ref()),
        ];
        for (most, given) in raised.into_iter().flatten() {
            let what = format!("a document may only lower this limit; write at most {most}");
            self.problem(located, Code::LimitRaised, given.span(), what);
        }
    }

    /// The modes that a document forbids.
    fn forbid(&mut self, located: &Located<'_>, modes: &[Spanned<String>]) {
        for named in modes {
            let Some(mode) = Mode::from_word(named.get_ref()) else {
                self.unknown_word(located, named, looser().map(Mode::word));
                continue;
            };
            if !looser().any(|looser| looser == mode) {
                let looser: Vec<_> = looser().map(Mode::word).collect();
                let what = format!(
                    "a call in a forbidden mode is decided as in `{}`, and that is not stricter than \
                     `{mode}`; only `{}` can be forbidden",
                    Mode::Default,
                    looser.join("`, `")
                );
                self.problem(located, Code::ModeNotLooser, named.span(), what);
                continue;
            }
            let forbids = (mode, shared(located));
            if !self.policy.forbidden_modes.contains(&forbids) {
                self.policy.forbidden_modes.push(forbids);
            }
        }
    }

    fn egress(&mut self, located: &Located<'_>, file: Option<&EgressFile>) {
        let Some(EgressFile { hosts }) = file else {
            return;
        };
        let mut named = Vec::new();
        for host in hosts {
            match Domain::parse(host.get_ref()) {
                Ok(domain) => named.push(domain),
                Err(nearest) => {
                    let nearest = nearest.as_deref().unwrap_or("example.com");
                    let what = format!("this is no host; the nearest valid form is `{nearest}`");
                    self.problem(located, Code::BadHost, host.span(), what);
                }
            }
        }
        self.policy.egress.push(named);
    }

    fn layers(
        &mut self,
        located: &Located<'_>,
        agent: Option<&Arc<str>>,
        org: &LayerFile,
        policy: &LayerFile,
        stored: &StoredFile,
    ) {
        let StoredFile {
            user,
            project,
            local,
            session,
        } = stored;
        for (layer, file) in [
            (Layer::Org, org),
            (Layer::Policy, policy),
            (Layer::User, user),
            (Layer::Project, project),
            (Layer::Local, local),
            (Layer::Session, session),
        ] {
            let LayerFile { allow, ask, deny } = file;
            for (effect, list) in [
                (Effect::Deny, deny),
                (Effect::Ask, ask),
                (Effect::Allow, allow),
            ] {
                for (index, rule) in (0_u32..).zip(list) {
                    let place = RulePlace {
                        layer,
                        file: Some(shared(located)),
                        agent: agent.map(Arc::clone),
                        index,
                    };
                    self.rule(located, effect, place, rule);
                }
            }
        }
    }

    fn rule(
        &mut self,
        located: &Located<'_>,
        effect: Effect,
        place: RulePlace,
        file: &Spanned<RuleFile>,
    ) {
        let (text, span, why) = match file.get_ref() {
            RuleFile::Alone(rule) => (rule, file.span(), None),
            RuleFile::With(with) => (with.rule.get_ref(), with.rule.span(), with.why.as_ref()),
        };
        if self.policy.rules() >= RULES_MAX {
            if self
                .problems
                .iter()
                .all(|problem| problem.code != Code::TooManyRules)
            {
                let what = format!("all documents together hold more than {RULES_MAX} rules");
                self.problem(located, Code::TooManyRules, span, what);
            }
            return;
        }
        match Rule::parse(effect, place, text, self.policy.dialect()) {
            Ok(mut rule) => {
                rule.why = why.map(|why| Text::new(why));
                let tools = &self.policy.tools;
                let lint = self.lint.as_mut();
                let found = lint.map(|lint| lint.rule(located, &rule, &span, tools));
                self.problems.extend(found.unwrap_or_default());
                self.policy.push(rule, self.trust);
            }
            Err(error) if effect.refuses() => {
                let sentence = error.to_string();
                self.problem(located, Code::Rule(error), span, sentence);
            }
            Err(error) => {
                let what = format!("this allow is left out: {error} [{}]", error.code());
                self.problem(located, Code::AllowLeftOut, span, what);
            }
        }
    }

    /// Whether a name may stand; if not, it is told.
    fn is_name(&mut self, located: &Located<'_>, name: &Spanned<String>, what: &str) -> bool {
        let bytes = name.get_ref().len();
        let bare = name.get_ref().trim_ascii();
        let sentence = if bare.is_empty() {
            format!("{what} is empty; write one or leave the entry out")
        } else if bare != name.get_ref() {
            format!("{what} begins or ends with a blank; write `{bare}`")
        } else if bytes > NAME_BYTES_MAX {
            format!("{what} has {bytes} bytes, more than {NAME_BYTES_MAX}")
        } else {
            return true;
        };
        self.problem(located, Code::BadName, name.span(), sentence);
        false
    }

    fn unknown_word<'w>(
        &mut self,
        located: &Located<'_>,
        word: &Spanned<String>,
        words: impl Iterator<Item = &'w str>,
    ) {
        let sentence = unknown_word(word.get_ref(), words);
        self.problem(located, Code::UnknownWord, word.span(), sentence);
    }
}

/// What is said of a word that is none of a closed list.
pub(super) fn unknown_word<'w>(word: &str, words: impl Iterator<Item = &'w str>) -> String {
    let words: Vec<_> = words.collect();
    let meant = did_you_mean(nearest(word, words.iter().copied()));
    let list = words.join("`, `");
    format!("unknown word `{word}`; there is `{list}`{meant}")
}

/// Lowers a limit; or what it may be at most, if it was to be raised.
fn lower<'a, T: Copy + Ord + ToString + TryFrom<u64>>(
    limit: &mut T,
    most: T,
    given: Option<&'a Spanned<u64>>,
) -> Option<(String, &'a Spanned<u64>)> {
    let given = given?;
    match T::try_from(*given.get_ref()) {
        Ok(wanted) if wanted <= most => {
            *limit = wanted.min(*limit);
            None
        }
        Ok(_) | Err(_) => Some((most.to_string(), given)),
    }
}
