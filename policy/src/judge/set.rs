//! The rules of one seat, where they are, and what they are found by.

use super::Asked;
use super::index::Index;
use super::line::Searched;
use super::path_index::PathIndex;
use crate::files::Use;
use crate::given::Given;
use crate::image::SealedRules;
use crate::paths::World;
use crate::rules::{Pattern, Rule};
use crate::shell::Programs;

/// The rules of one seat: those for all, or those of one agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct RuleSet {
    rules: Rules,
    pub(super) programs: Programs,
    pub(super) index: Index,
    /// Those about paths, which bear on calls of every tool.
    paths: PathIndex,
}

/// Where the rules of a set are.
#[derive(Clone, Debug)]
enum Rules {
    Held(Vec<Rule>),
    /// In an image, with the trees that they are found by.
    Sealed(SealedRules),
}

impl Default for Rules {
    fn default() -> Self {
        Self::Held(Vec::new())
    }
}

impl RuleSet {
    /// Adds a rule to a set that is held.
    pub(crate) fn push(&mut self, rule: Rule) {
        let Rules::Held(rules) = &mut self.rules else {
            return;
        };
        let index = rules.len();
        if let Pattern::Shell { words, .. } = &rule.pattern
            && rule.effect.refuses()
        {
            self.programs.add(words);
        }
        if let Pattern::Path { path, .. } = &rule.pattern {
            self.paths.add(index, &rule, path);
        }
        self.index.add(index, &rule);
        rules.push(rule);
    }

    /// A set that lies in an image.
    pub(crate) const fn sealed(
        rules: SealedRules,
        index: Index,
        paths: PathIndex,
        programs: Programs,
    ) -> Self {
        Self {
            rules: Rules::Sealed(rules),
            programs,
            index,
            paths,
        }
    }

    /// The rules of a set that does not lie in an image.
    pub(crate) const fn held(&self) -> Option<&[Rule]> {
        match &self.rules {
            Rules::Held(rules) => Some(rules.as_slice()),
            Rules::Sealed(_) => None,
        }
    }

    /// What its rules are found by.
    pub(crate) const fn parts(&self) -> (&Index, &PathIndex, &Programs) {
        (&self.index, &self.paths, &self.programs)
    }

    pub(crate) fn len(&self) -> usize {
        match &self.rules {
            Rules::Held(rules) => rules.len(),
            Rules::Sealed(rules) => rules.count(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rule of this place; of one that lies in an image none too, which is in doubt then.
    pub(super) fn get(&self, index: usize) -> Option<&Rule> {
        match &self.rules {
            Rules::Held(rules) => rules.get(index),
            Rules::Sealed(rules) => rules.get(index),
        }
    }

    /// Whether it lies in an image that is not as it was sealed.
    pub(crate) fn is_in_doubt(&self) -> bool {
        match &self.rules {
            Rules::Held(_) => false,
            Rules::Sealed(rules) => rules.is_in_doubt(),
        }
    }

    /// Whether an allow of a path covers a file.
    pub(crate) fn allows_file(&self, of: &Use, world: &World, spent: &mut usize) -> bool {
        let mut found = Vec::new();
        let uses = std::slice::from_ref(of);
        self.paths.of_files(uses, world, &mut found);
        found.sort_unstable();
        found.dedup();
        let rules = found.iter().filter_map(|index| self.get(*index));
        let mut allows = rules.filter(|rule| !rule.effect.refuses());
        allows.any(|rule| match &rule.pattern {
            Pattern::Path { path, .. } => path.covers(rule.place.file.as_deref(), of, world, spent),
            Pattern::Tool(_)
            | Pattern::Shell { .. }
            | Pattern::Mcp(_)
            | Pattern::Host { .. }
            | Pattern::ToolArg { .. }
            | Pattern::McpArg { .. } => false,
        })
    }

    /// The rules that may bear on a call, the allows of lines apart, in their order.
    pub(super) fn about<'s>(
        &'s self,
        asked: &Asked<'_>,
        given: &Given,
        line: Option<&mut Searched<'_>>,
    ) -> Vec<&'s Rule> {
        match self.index.about(asked.call, given, line) {
            None => (0..self.len())
                .filter_map(|index| self.get(index))
                .collect(),
            Some(mut found) => {
                let line = asked.line;
                let is_known = line.is_none_or(|line| line.unreadable.is_none());
                self.paths.about(asked.ground, is_known, &mut found);
                found.sort_unstable();
                found.dedup();
                let found = found.into_iter();
                found.filter_map(|index| self.get(index)).collect()
            }
        }
    }

    /// What the rules of this set need to know of the args.
    pub(super) fn read(&self, asked: &Asked<'_>) -> Given {
        if !self.index.has_args() {
            return Given::default();
        }
        let mut given = Given::of(asked.args);
        for field in self.index.url_fields(&asked.call.tool) {
            given.read_url(field);
        }
        given
    }
}
