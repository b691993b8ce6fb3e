//! Which rules of a set may bear on a call, found by its names and words: what is found is then
//! compared one by one, so that the cost of a call does not grow with the number of rules that it
//! has nothing in common with.

use indexmap::IndexMap;

use super::line::Searched;
use crate::given::Given;
use crate::hosts;
use crate::mcp::{self, CallName};
use crate::rules::{Effect, Pattern, Rule};
use crate::shell::{COMPARISONS_MAX, CommandLine, Places, ShellPattern, Tokens};
use crate::tools;
use crate::trie::{At, Trie};

/// The rules of one set, by what they are about. Each list is ascending.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// Rules for whole tools and for args of them, by what spellings of their names share.
    tools: IndexMap<String, Vec<usize>>,
    /// Rules for MCP tools and for args of them, by what stands after `mcp__`.
    served: IndexMap<String, Vec<usize>>,
    /// Those for any tool of a server (`mcp__server__*`), by the server.
    servers: IndexMap<String, Vec<usize>>,
    /// By tool and by the arg that holds the URL.
    hosts: IndexMap<String, IndexMap<String, Hosts>>,
    refuses: IndexMap<String, Refuses>,
    allows: IndexMap<String, Allows>,
    /// There is a rule about an arg, hosts apart.
    has_args: bool,
}

/// The first rules of a kind that only narrow: those are told of where all of it could apply.
#[derive(Clone, Copy, Debug, Default)]
struct Firsts {
    deny: Option<usize>,
    ask: Option<usize>,
}

/// Rules about hosts, for one tool.
#[derive(Clone, Debug, Default)]
struct Hosts {
    by_host: IndexMap<String, Vec<usize>>,
    firsts: Firsts,
}

/// Denies and asks for lines of one shell tool.
#[derive(Clone, Debug, Default)]
struct Refuses {
    /// By their programs, then by their other words.
    words: Trie<Vec<usize>>,
    /// With a star in a word, by their programs; those with a star in the program's name by none.
    starred: IndexMap<String, Vec<usize>>,
    firsts: Firsts,
}

/// Allows for lines of one shell tool.
#[derive(Clone, Debug, Default)]
struct Allows {
    words: Trie<Ends>,
    /// With a star in a word, by their first words; those with a star in the first by none.
    starred: IndexMap<String, Vec<usize>>,
}

/// The first rule of some words and nothing else, and of some words and anything.
#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    exact: Option<usize>,
    open: Option<usize>,
}

impl Firsts {
    const fn add(&mut self, effect: Effect, index: usize) {
        let first = match effect {
            Effect::Deny => &mut self.deny,
            Effect::Ask => &mut self.ask,
            Effect::Allow => return,
        };
        if first.is_none() {
            *first = Some(index);
        }
    }

    fn all(self) -> impl Iterator<Item = usize> {
        self.deny.into_iter().chain(self.ask)
    }
}

impl Index {
    /// Takes in the rule of this place in its set; places ascend.
    pub(super) fn add(&mut self, index: usize, rule: &Rule) {
        match &rule.pattern {
            Pattern::Tool(tool) => self.named(tool).push(index),
            Pattern::ToolArg { tool, .. } => {
                self.has_args = true;
                self.named(tool).push(index);
            }
            Pattern::Mcp(of) => self.served(of.rest()).push(index),
            Pattern::McpArg { of, .. } => {
                self.has_args = true;
                self.served(of.rest()).push(index);
            }
            Pattern::Host {
                tool,
                field,
                domain,
            } => {
                let of_tool = self.hosts.entry(tools::key(tool)).or_default();
                let hosts = of_tool.entry(field.clone()).or_default();
                let host = domain.host.clone();
                hosts.by_host.entry(host).or_default().push(index);
                hosts.firsts.add(rule.effect, index);
            }
            // They bear on calls of every tool.
            Pattern::Path { .. } => {}
            Pattern::Shell { tool, words } if rule.effect.refuses() => {
                let refuses = self.refuses.entry(tools::key(tool)).or_default();
                refuses.add(rule.effect, index, words);
            }
            Pattern::Shell { tool, words } => {
                let allows = self.allows.entry(tool.clone()).or_default();
                allows.add(index, words);
            }
        }
    }

    fn named(&mut self, tool: &str) -> &mut Vec<usize> {
        self.tools.entry(tools::key(tool)).or_default()
    }

    fn served(&mut self, rest: &str) -> &mut Vec<usize> {
        match mcp::any_tool_of(rest) {
            Some(server) => self.servers.entry(server.into()).or_default(),
            None => self.served.entry(rest.into()).or_default(),
        }
    }

    /// Whether any rule is about the args of calls.
    pub(super) fn has_args(&self) -> bool {
        self.has_args || !self.hosts.is_empty()
    }

    /// The args of this tool whose hosts rules are about.
    pub(super) fn url_fields(&self, tool: &str) -> impl Iterator<Item = &str> {
        let of_tool = self.hosts.get(&tools::key(tool));
        of_tool
            .into_iter()
            .flat_map(|of| of.keys().map(String::as_str))
    }

    /// The rules that may bear on a call, the allows of lines apart, in their order. None: any of
    /// them may.
    pub(super) fn about(
        &self,
        call: &CallName,
        given: &Given,
        line: Option<&mut Searched<'_>>,
    ) -> Option<Vec<usize>> {
        let key = tools::key(&call.tool);
        let mut found: Vec<usize> = Vec::new();
        found.extend(self.tools.get(&key).into_iter().flatten());
        if !(self.served.is_empty() && self.servers.is_empty()) {
            for name in mcp::servers(call) {
                found.extend(self.served.get(name).into_iter().flatten());
                found.extend(self.servers.get(name).into_iter().flatten());
            }
            if let Some(name) = mcp::joined(call) {
                found.extend(self.served.get(&name).into_iter().flatten());
            }
        }
        for (field, hosts) in self.hosts.get(&key).into_iter().flatten() {
            hosts.about(given.target(field), &mut found);
        }
        if let (Some(refuses), Some(line)) = (self.refuses.get(&key), line) {
            refuses.about(line, &mut found)?;
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    /// The allows that may cover a command of a line of this tool, in their order.
    pub(super) fn allows(&self, tool: &str, command: &CommandLine) -> Vec<usize> {
        let mut found = Vec::new();
        if let Some(allows) = self.allows.get(tool) {
            let (heads, whole) = allows.words.heads(command.words());
            found.extend(heads.iter().filter_map(|ends| ends.open));
            found.extend(whole.and_then(|ends| ends.exact));
            let first = command.words().next().unwrap_or_default();
            for name in [first, ""] {
                found.extend(allows.starred.get(name).into_iter().flatten());
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl Hosts {
    fn about(&self, target: &hosts::Target, found: &mut Vec<usize>) {
        for name in target.host.as_deref().into_iter().flat_map(hosts::names) {
            found.extend(self.by_host.get(name).into_iter().flatten());
        }
        if !target.is_certain {
            found.extend(self.firsts.all());
        }
    }
}

impl Refuses {
    fn add(&mut self, effect: Effect, index: usize, words: &ShellPattern) {
        self.firsts.add(effect, index);
        let program = words.program();
        if words.starred().is_some() {
            let starred = self.starred.entry(program.into()).or_default();
            starred.push(index);
            return;
        }
        let rest = words.words().iter().skip(1).map(String::as_str);
        if let Some(held) = self.words.hold(std::iter::once(program).chain(rest)) {
            held.push(index);
        }
    }

    /// The rules that may bear on a line. None: any of them may, since it is not searched whole.
    fn about(&self, line: &mut Searched<'_>, found: &mut Vec<usize>) -> Option<()> {
        if !line.is_whole() {
            return None;
        }
        found.extend(self.starred.get("").into_iter().flatten());
        if line.line.unread.is_some() {
            found.extend(self.firsts.all());
        }
        let mut spent = 0;
        for place in &line.places {
            for program in place.programs() {
                found.extend(self.starred.get(program).into_iter().flatten());
                let Some(at) = self.words.step(Trie::<Vec<usize>>::ROOT, program) else {
                    continue;
                };
                // These may be any words.
                let any = place.has_unknown() || place.is_glued(program);
                let shared = |at, from| {
                    if any {
                        let all = self.words.next(at);
                        (all.len(), all.map(|(_, at)| (at, from)).collect())
                    } else {
                        self.in_order(at, from, place)
                    }
                };
                self.walk(at, &mut spent, found, shared)?;
            }
        }
        if line.line.unreadable.is_some() {
            found.extend(self.firsts.all());
            for program in &line.tokens.programs {
                found.extend(self.starred.get(program).into_iter().flatten());
                if let Some(at) = self.words.step(Trie::<Vec<usize>>::ROOT, program) {
                    let named = |at, from| (1, self.named(at, from, &line.tokens));
                    self.walk(at, &mut spent, found, named)?;
                }
            }
        }
        line.spend(spent).then_some(())
    }

    /// The words that go on from here and stand in a command from that place on, each with the
    /// place behind it. With how many were looked up, which are the fewer of both.
    fn in_order(&self, at: At, from: usize, place: &Places<'_>) -> (usize, Vec<(At, usize)>) {
        let after = |word| Some(place.next(word, from)?.saturating_add(1));
        let (next, words) = (self.words.next(at), place.words());
        if next.len() < words.len() {
            let cost = next.len();
            let found = next.filter_map(|(word, at)| Some((at, after(word)?)));
            return (cost, found.collect());
        }
        let cost = words.len();
        let found = words.filter_map(|word| Some((self.words.step(at, word)?, after(word)?)));
        (cost, found.collect())
    }

    /// The words that go on from here and stand anywhere in a line that cannot be read.
    fn named(&self, at: At, from: usize, tokens: &Tokens) -> Vec<(At, usize)> {
        let next = self.words.next(at);
        if next.len() < tokens.words.len() {
            let found = next.filter(|(word, _)| tokens.words.contains(*word));
            return found.map(|(_, at)| (at, from)).collect();
        }
        let found = tokens.words.iter();
        let found = found.filter_map(|word| self.words.step(at, word));
        found.map(|at| (at, from)).collect()
    }

    /// Takes in what is held at a place and at all that is reached from there. None, if that costs
    /// too much.
    fn walk(
        &self,
        at: At,
        spent: &mut usize,
        found: &mut Vec<usize>,
        next: impl Fn(At, usize) -> (usize, Vec<(At, usize)>),
    ) -> Option<()> {
        let mut left = vec![(at, 0)];
        while let Some((at, from)) = left.pop() {
            found.extend(self.words.held(at).into_iter().flatten());
            let (cost, more) = next(at, from);
            *spent = spent.saturating_add(cost).saturating_add(1);
            if *spent > COMPARISONS_MAX {
                return None;
            }
            left.extend(more);
        }
        Some(())
    }
}

impl Allows {
    fn add(&mut self, index: usize, words: &ShellPattern) {
        if words.starred().is_some() {
            let first = words.words().first().cloned().unwrap_or_default();
            self.starred.entry(first).or_default().push(index);
            return;
        }
        if let Some(ends) = self.words.hold(words.words().iter().map(String::as_str)) {
            let end = if words.is_open() {
                &mut ends.open
            } else {
                &mut ends.exact
            };
            end.get_or_insert(index);
        }
    }
}
