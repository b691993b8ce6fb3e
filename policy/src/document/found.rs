//! A document that was found in a repository: what of it counts, which is all that only tightens.
//!
//! Whoever commits to a repository wrote it, so nothing of it may let more run than without it.

use std::ops::Range;

use gatefold::gate::Mode;
use toml::Spanned;

use super::problem::{Code, Located, Problem};
use super::wire::{AgentFile, DocumentFile, LayerFile, LimitsFile, RuleFile, StoredFile};

/// Takes out of a document what does not count if it was found, and tells of each.
///
/// Every key is named here: a new one has to be weighed before it counts.
pub(super) fn narrow(located: &Located<'_>, file: &mut DocumentFile) -> Vec<Problem> {
    let DocumentFile {
        // Names no rule.
        schema: _,
        mode,
        unstated,
        roots,
        org,
        policy,
        rules,
        tools,
        // Each list that there is has to name a host, so one more only narrows.
        egress: _,
        // It is added to what is built in, and asked about.
        protected: _,
        limits,
        agents,
        // They say what the document means where it is trusted, and run on it alone.
        test: _,
    } = file;
    let mut dropped = Dropped {
        located,
        problems: Vec::new(),
    };
    if let Some(mode) = mode.take() {
        dropped.tell(mode.span(), "the permission mode is the host's to say");
    }
    if let Some(unstated) = unstated.take() {
        let why = "what becomes of calls that no rule is about is the host's to say";
        dropped.tell(unstated.span(), why);
    }
    for root in roots.drain(..) {
        // Reads inside of the roots are cleared.
        dropped.tell(root.span(), "where the work is, is the host's to say");
    }
    for name in std::mem::take(tools).into_keys() {
        // A tool that only reads is cleared, and one of kind shell is read as bash.
        dropped.tell(name.span(), "what a tool does is the host's to say");
    }
    dropped.layers(org, policy, rules);
    dropped.limits(limits);
    for AgentFile { org, policy, rules } in agents.values_mut() {
        dropped.layers(org, policy, rules);
    }
    dropped.problems
}

/// What was taken out.
struct Dropped<'a> {
    located: &'a Located<'a>,
    problems: Vec<Problem>,
}

impl Dropped<'_> {
    fn tell(&mut self, span: Range<usize>, why: &str) {
        let what = format!(
            "this does not count: the document was found in a repository, so it only tightens, and {why}"
        );
        let problem = self.located.problem(Code::NotCounted, span, what);
        self.problems.push(*problem);
    }

    fn layers(&mut self, org: &mut LayerFile, policy: &mut LayerFile, stored: &mut StoredFile) {
        let StoredFile {
            user,
            project,
            local,
            session,
        } = stored;
        for layer in [org, policy, user, project, local, session] {
            let LayerFile {
                allow,
                ask: _,
                deny: _,
            } = layer;
            for rule in allow.drain(..) {
                let span = match rule.get_ref() {
                    RuleFile::Alone(_) => rule.span(),
                    RuleFile::With(with) => with.rule.span(),
                };
                self.tell(span, "an allow is the host's to give");
            }
        }
    }

    fn limits(&mut self, limits: &mut LimitsFile) {
        let LimitsFile {
            // Past these a call is denied.
            args_bytes: _,
            line_bytes: _,
            edit_cap: _,
            denials,
            forbid_modes,
        } = limits;
        // A classifier that is asked no more denies nothing either: a person is asked instead.
        let why = "it would take calls from the host's classifier";
        if let Some(denials) = denials.take() {
            self.tell(denials.span(), why);
        }
        let is_of_classifier = |mode: &Spanned<String>| mode.get_ref() == Mode::Auto.word();
        for mode in forbid_modes.extract_if(.., |mode| is_of_classifier(mode)) {
            self.tell(mode.span(), why);
        }
    }
}
