//! A command line beside the allows of a layer: each of its commands needs one.

use super::RuleSet;
use crate::files::Use;
use crate::mcp::CallName;
use crate::path_rules::Ground;
use crate::paths::World;
use crate::rules::{Effect, Pattern, Rule};
use crate::shell::{COMPARISONS_MAX, CommandLine, Covered, Line};

/// Which commands of a line are allowed, and by which rule.
pub(super) struct Allowed<'a> {
    line: &'a Line,
    /// Whether each file that the shell itself opens is allowed.
    files: Vec<(&'a Use, bool)>,
    /// No file is opened by a word that is not known.
    is_known: bool,
    /// For each command the first rule that covers it, and how many words such rules name at most.
    rules: Vec<Option<(&'a Rule, usize)>>,
    spent: usize,
}

impl<'a> Allowed<'a> {
    pub(super) fn new(line: &'a Line, ground: Ground<'a>) -> Self {
        let files = ground.files.uses.iter();
        let files = files.filter(|of| of.redirected && !of.place.device);
        let is_known = ground.files.vague.iter().all(|vague| !vague.redirected);
        Self {
            line,
            files: files.map(|of| (of, false)).collect(),
            is_known,
            rules: vec![None; line.certain.len()],
            spent: 0,
        }
    }

    /// Looks up each command among the allows of a set.
    pub(super) fn add(&mut self, set: &'a RuleSet, call: &CallName) {
        for (command, kept) in self.line.certain.iter().zip(&mut self.rules) {
            for index in set.index.allows(&call.tool, command) {
                let Some(rule) = set.get(index) else {
                    continue;
                };
                let Pattern::Shell { tool, words } = &rule.pattern else {
                    continue;
                };
                let cost = if words.starred().is_some() {
                    command.weight()
                } else {
                    1
                };
                self.spent = self.spent.saturating_add(cost);
                if self.spent > COMPARISONS_MAX {
                    return;
                }
                if *tool == call.tool && words.allows(command) {
                    let named = words.words().len();
                    let (first, most) = kept.unwrap_or((rule, named));
                    *kept = Some((first, most.max(named)));
                }
            }
        }
    }

    /// Looks up each file that the shell opens among the allows of a set.
    pub(super) fn add_files(&mut self, set: &'a RuleSet, world: &World, spent: &mut usize) {
        for (of, is_allowed) in &mut self.files {
            *is_allowed = *is_allowed || set.allows_file(of, world, spent);
        }
    }

    /// For each command what covers it.
    pub(super) fn covers(&self) -> Vec<Option<Covered>> {
        let commands = self.line.certain.iter().zip(&self.rules);
        let covers = commands.map(|(command, rule)| match rule {
            Some((rule, _)) => {
                let basis = rule.says(Effect::Allow, None, None).basis;
                Some(Covered::Rule(Box::new(basis)))
            }
            None => self.carrier(command).map(Covered::With),
        });
        covers.collect()
    }

    /// The command whose allow names this one among its words.
    fn carrier(&self, command: &CommandLine) -> Option<usize> {
        let carried = command.carried?;
        let (_, named) = self.rules.get(carried.by).copied().flatten()?;
        let is_named = carried.same || carried.word.is_some_and(|word| named > word);
        is_named.then_some(carried.by)
    }

    /// What it has cost so far, in comparisons.
    pub(super) const fn spent(&self) -> usize {
        self.spent
    }

    /// The rule behind an allow of the whole line: every command of it is allowed, or changes
    /// nothing, or is named as a part of one that is allowed.
    pub(super) fn whole(&self) -> Option<&'a Rule> {
        let is_open = self.files.iter().all(|(_, is_allowed)| *is_allowed);
        if self.line.unreadable.is_some() || !self.is_known || !is_open {
            return None;
        }
        let mut first = None;
        for (command, rule) in self.line.certain.iter().zip(&self.rules) {
            match rule {
                Some((rule, _)) => {
                    first.get_or_insert(*rule);
                }
                None if command.silent || self.carrier(command).is_some() => {}
                None => return None,
            }
        }
        first
    }
}
