//! Rules that never decide, since another rule covers every call that they are about.
//!
//! Shell rules stand in a tree of words, so that finding those that cover one costs no more than
//! its own words.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::paths::Anchor;
use crate::rules::{Effect, Layer, Pattern, Rule};

/// For whom and how a rule speaks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Voice {
    effect: u8,
    agent: Option<Arc<str>>,
}

/// One list of one document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct List {
    voice: Voice,
    layer: &'static str,
    file: Option<Arc<str>>,
}

/// The first rules that are about the same calls.
#[derive(Debug, Default)]
struct First {
    by_voice: BTreeMap<Voice, usize>,
    by_list: BTreeMap<List, usize>,
}

/// A word of shell rules, and what stands up to it.
#[derive(Debug, Default)]
struct Word {
    /// These words and anything after them.
    open: First,
    /// These words and nothing else.
    exact: First,
    next: BTreeMap<String, usize>,
}

/// Every rule by what it is about.
#[derive(Debug, Default)]
pub(super) struct Shadows {
    tools: BTreeMap<String, First>,
    /// The first word of each tool's tree is no word.
    trees: BTreeMap<String, usize>,
    words: Vec<Word>,
    servers: BTreeMap<String, First>,
    /// Rules over paths, as they are written: which of two patterns covers more is not worked out.
    paths: BTreeMap<(String, Option<Arc<str>>), First>,
}

impl Shadows {
    /// Takes in a rule under its place among all rules.
    pub(super) fn add(&mut self, index: usize, rule: &Rule) {
        let first = match &rule.pattern {
            Pattern::Tool(tool) => self.tools.entry(tool.clone()).or_default(),
            Pattern::Mcp(pattern) => self.servers.entry(pattern.rest().into()).or_default(),
            Pattern::Path { .. } => self.paths.entry(path_of(rule)).or_default(),
            Pattern::Shell { tool, words } => {
                let mut at = self.root(tool);
                for word in words.words() {
                    at = self.child(at, word);
                }
                let Some(word) = self.words.get_mut(at) else {
                    return;
                };
                if words.is_open() {
                    &mut word.open
                } else {
                    &mut word.exact
                }
            }
        };
        let voice = Voice::of(rule.effect, rule.place.agent.as_ref());
        first.by_voice.entry(voice).or_insert(index);
        first.by_list.entry(List::of(rule)).or_insert(index);
    }

    /// The rule that decides every call that this one is about, if there is one: one that is
    /// stricter and as wide, or one before it in the same list that is as wide.
    pub(super) fn over(&self, index: usize, rule: &Rule) -> Option<usize> {
        let covering = self.covering(rule);
        let stricter = [Effect::Deny, Effect::Ask]
            .into_iter()
            .filter(|effect| rank(*effect) < rank(rule.effect))
            .flat_map(|effect| {
                let agent = rule.place.agent.as_ref();
                [Voice::of(effect, agent), Voice::of(effect, None)]
            })
            .find_map(|voice| {
                let mut covering = covering.iter();
                covering.find_map(|first| first.by_voice.get(&voice))
            });
        let list = List::of(rule);
        let twin = || {
            let mut covering = covering.iter();
            covering.find_map(|first| {
                let twin = first.by_list.get(&list)?;
                (*twin < index).then_some(twin)
            })
        };
        stricter.or_else(twin).copied()
    }

    /// What covers all that this pattern covers, the widest first.
    fn covering(&self, rule: &Rule) -> Vec<&First> {
        match &rule.pattern {
            Pattern::Tool(tool) => self.tools.get(tool).into_iter().collect(),
            Pattern::Path { .. } => self.paths.get(&path_of(rule)).into_iter().collect(),
            Pattern::Mcp(pattern) => {
                let rest = pattern.rest();
                let server = rest.split_once("__").map_or(rest, |(server, _)| server);
                let whole = [server.to_owned(), format!("{server}__*"), rest.to_owned()];
                let found = whole.iter().filter_map(|name| self.servers.get(name));
                found.collect()
            }
            Pattern::Shell { tool, words } => {
                let mut covering: Vec<_> = self.tools.get(tool).into_iter().collect();
                let mut at = self.trees.get(tool).and_then(|root| self.words.get(*root));
                for word in words.words() {
                    at = at
                        .and_then(|at| at.next.get(word))
                        .and_then(|next| self.words.get(*next));
                    covering.extend(at.map(|at| &at.open));
                }
                if !words.is_open() {
                    covering.extend(at.map(|at| &at.exact));
                }
                covering
            }
        }
    }

    fn root(&mut self, tool: &str) -> usize {
        if let Some(root) = self.trees.get(tool) {
            return *root;
        }
        let root = self.words.len();
        self.words.push(Word::default());
        self.trees.insert(tool.into(), root);
        root
    }

    fn child(&mut self, at: usize, word: &str) -> usize {
        let new = self.words.len();
        let Some(parent) = self.words.get_mut(at) else {
            return at;
        };
        let next = *parent.next.entry(word.into()).or_insert(new);
        if next == new {
            self.words.push(Word::default());
        }
        next
    }
}

/// A rule over paths as it is written, and its document if that is where its path begins.
fn path_of(rule: &Rule) -> (String, Option<Arc<str>>) {
    let begins_there = matches!(&rule.pattern, Pattern::Path { path, .. }
        if path.pattern.anchor == Anchor::Document);
    let file = rule.place.file.as_ref().filter(|_| begins_there);
    (rule.text.clone(), file.map(Arc::clone))
}

impl Voice {
    fn of(effect: Effect, agent: Option<&Arc<str>>) -> Self {
        Self {
            effect: rank(effect),
            agent: agent.map(Arc::clone),
        }
    }
}

impl List {
    fn of(rule: &Rule) -> Self {
        let layer: Layer = rule.place.layer;
        Self {
            voice: Voice::of(rule.effect, rule.place.agent.as_ref()),
            layer: layer.word(),
            file: rule.place.file.clone(),
        }
    }
}

const fn rank(effect: Effect) -> u8 {
    match effect {
        Effect::Deny => 0,
        Effect::Ask => 1,
        Effect::Allow => 2,
    }
}
