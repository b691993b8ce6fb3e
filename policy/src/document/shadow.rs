//! Rules that never decide, since another rule covers every call that they are about.
//!
//! Shell rules stand in a tree of words, so that finding those that cover one costs no more than
//! its own words. A rule with a star in a word, or about an arg, covers no other but its copies.

use std::collections::BTreeMap;
use std::sync::Arc;

use smol_str::SmolStr;

use crate::hosts;
use crate::paths::Anchor;
use crate::rules::{Effect, Layer, Pattern, Rule};
use crate::trie::Trie;

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

/// The rules of some words.
#[derive(Debug, Default)]
struct Ends {
    /// These words and anything after them.
    open: First,
    /// These words and nothing else.
    exact: First,
}

/// Every rule by what it is about.
#[derive(Debug, Default)]
pub(super) struct Shadows {
    tools: BTreeMap<String, First>,
    lines: BTreeMap<String, Trie<Ends>>,
    servers: BTreeMap<String, First>,
    /// By tool, host, and whether it is those below that host.
    hosts: BTreeMap<(String, String, bool), First>,
    /// What covers its copies alone, as written.
    texts: BTreeMap<String, First>,
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
            Pattern::Shell { tool, words } if words.starred().is_none() => {
                let lines = self.lines.entry(tool.clone()).or_default();
                let Some(ends) = lines.hold(words.words().iter().map(SmolStr::as_str)) else {
                    return;
                };
                if words.is_open() {
                    &mut ends.open
                } else {
                    &mut ends.exact
                }
            }
            Pattern::Host { tool, domain, .. } => {
                let key = (tool.clone(), domain.host.clone(), domain.below);
                self.hosts.entry(key).or_default()
            }
            Pattern::Shell { .. } | Pattern::ToolArg { .. } | Pattern::McpArg { .. } => {
                self.texts.entry(rule.text.to_string()).or_default()
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

    /// What covers all that this rule covers, the widest first.
    fn covering(&self, rule: &Rule) -> Vec<&First> {
        let whole = |tool: &String| self.tools.get(tool).into_iter();
        let copies = || self.texts.get(rule.text.as_str());
        match &rule.pattern {
            Pattern::Tool(tool) => whole(tool).collect(),
            Pattern::Mcp(pattern) => self.serving(pattern.rest()),
            Pattern::Path { .. } => self.paths.get(&path_of(rule)).into_iter().collect(),
            Pattern::McpArg { of, .. } => {
                let mut covering = self.serving(of.rest());
                covering.extend(copies());
                covering
            }
            Pattern::ToolArg { tool, .. } => whole(tool).chain(copies()).collect(),
            Pattern::Host { tool, domain, .. } => {
                let below = hosts::names(&domain.host).skip(usize::from(!domain.below));
                let below = below.map(|host| (host, true));
                let itself = (!domain.below).then_some((domain.host.as_str(), false));
                let named = below.chain(itself).filter_map(|(host, below)| {
                    let key = (tool.clone(), host.to_owned(), below);
                    self.hosts.get(&key)
                });
                whole(tool).chain(named).collect()
            }
            Pattern::Shell { tool, words } => {
                let mut covering: Vec<_> = whole(tool).collect();
                let Some(lines) = self.lines.get(tool) else {
                    covering.extend(copies());
                    return covering;
                };
                let (heads, ends) = lines.heads(words.words().iter().map(SmolStr::as_str));
                covering.extend(heads.into_iter().map(|ends| &ends.open));
                if words.starred().is_some() {
                    covering.extend(copies());
                } else if !words.is_open() {
                    covering.extend(ends.map(|ends| &ends.exact));
                }
                covering
            }
        }
    }

    /// What covers all of these MCP tools.
    fn serving(&self, rest: &str) -> Vec<&First> {
        let server = rest.split_once("__").map_or(rest, |(server, _)| server);
        let whole = [server.to_owned(), format!("{server}__*"), rest.to_owned()];
        let found = whole.iter().filter_map(|name| self.servers.get(name));
        found.collect()
    }
}

/// A rule over paths as it is written, and its document if that is where its path begins.
fn path_of(rule: &Rule) -> (String, Option<Arc<str>>) {
    let begins_there = matches!(&rule.pattern, Pattern::Path { path, .. }
        if path.pattern.anchor == Anchor::Document);
    let file = rule.place.file.as_ref().filter(|_| begins_there);
    (rule.text.to_string(), file.map(Arc::clone))
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
