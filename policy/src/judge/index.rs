//! Which rules of a set may bear on a call, found by its names and words: what is found is then
//! compared one by one, so that the cost of a call does not grow with the number of rules that it
//! has nothing in common with.

use smol_str::SmolStr;

use super::line::Searched;
use crate::given::Given;
use crate::hosts;
use crate::mcp::{self, CallName};
use crate::postings::Postings;
use crate::rules::{Effect, Pattern, Rule};
use crate::shell::{COMPARISONS_MAX, CommandLine, Places, ShellPattern, Tokens};
use crate::tools;
use crate::trie::At;

/// The rules of one set, by what they are about.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// Rules for whole tools and for args of them, by what spellings of their names share.
    pub(crate) tools: Postings,
    /// Rules for MCP tools and for args of them, by what stands after `mcp__`.
    pub(crate) served: Postings,
    /// Those for any tool of a server (`mcp__server__*`), by the server.
    pub(crate) servers: Postings,
    /// Rules about hosts, by tool, by the arg that holds the URL, and by host.
    pub(crate) hosts: Postings,
    /// The first of them that refuse, by tool, arg and effect: those are told of where all of them
    /// could apply.
    pub(crate) host_firsts: Postings,
    pub(crate) refuses: Refuses,
    pub(crate) allows: Allows,
    /// There is a rule about an arg, hosts apart.
    pub(crate) has_args: bool,
}

/// Denies and asks for lines, each by its shell tool first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Refuses {
    /// By their programs, then by their other words.
    pub(crate) words: Postings,
    /// With a star in a word, by their programs; those with a star in the program's name by none.
    pub(crate) starred: Postings,
    /// The first of each effect: those are told of where all of them could apply.
    pub(crate) firsts: Postings,
}

/// Allows for lines, each by its shell tool first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Allows {
    /// The first of some words and nothing else, by these.
    pub(crate) exact: Postings,
    /// The first of some words and anything, by these.
    pub(crate) open: Postings,
    /// With a star in a word, by their first words; those with a star in the first by none.
    pub(crate) starred: Postings,
}

impl Index {
    /// Takes in the rule of this place in its set; places ascend.
    pub(super) fn add(&mut self, index: usize, rule: &Rule) {
        match &rule.pattern {
            Pattern::Tool(tool) => self.tools.add([tools::key(tool).as_str()], index),
            Pattern::ToolArg { tool, .. } => {
                self.has_args = true;
                self.tools.add([tools::key(tool).as_str()], index);
            }
            Pattern::Mcp(of) => self.add_served(of.rest(), index),
            Pattern::McpArg { of, .. } => {
                self.has_args = true;
                self.add_served(of.rest(), index);
            }
            Pattern::Host {
                tool,
                field,
                domain,
            } => {
                let tool = tools::key(tool);
                self.hosts.add([&tool, field, &*domain.host], index);
                if rule.effect.refuses() {
                    let effect = rule.effect.word();
                    self.host_firsts.add_first([&tool, field, effect], index);
                }
            }
            // They bear on calls of every tool.
            Pattern::Path { .. } => {}
            Pattern::Shell { tool, words } if rule.effect.refuses() => {
                let tool = tools::key(tool);
                self.refuses.add(&tool, rule.effect, index, words);
            }
            Pattern::Shell { tool, words } => self.allows.add(tool, index, words),
        }
    }

    fn add_served(&mut self, rest: &str, index: usize) {
        match mcp::any_tool_of(rest) {
            Some(server) => self.servers.add([server], index),
            None => self.served.add([rest], index),
        }
    }

    /// Whether any rule is about the args of calls.
    pub(super) fn has_args(&self) -> bool {
        self.has_args || !self.hosts.is_empty()
    }

    /// The args of this tool whose hosts rules are about.
    pub(super) fn url_fields(&self, tool: &str) -> impl Iterator<Item = &str> {
        let of_tool = self.hosts.at([tools::key(tool).as_str()]);
        let fields = of_tool.into_iter().flat_map(|at| self.hosts.next(at));
        fields.map(|(field, _)| field)
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
        self.tools.take_at([key.as_str()], &mut found);
        if !(self.served.is_empty() && self.servers.is_empty()) {
            for name in mcp::servers(call) {
                self.served.take_at([name], &mut found);
                self.servers.take_at([name], &mut found);
            }
            if let Some(name) = mcp::joined(call) {
                self.served.take_at([name.as_str()], &mut found);
            }
        }
        self.about_hosts(&key, given, &mut found);
        if let Some(line) = line {
            self.refuses.about(&key, line, &mut found)?;
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    fn about_hosts(&self, tool: &str, given: &Given, found: &mut Vec<usize>) {
        let of_tool = self.hosts.at([tool]);
        for (field, at) in of_tool.into_iter().flat_map(|at| self.hosts.next(at)) {
            let target = given.target(field);
            for name in target.host.as_deref().into_iter().flat_map(hosts::names) {
                if let Some(at) = self.hosts.step(at, name) {
                    self.hosts.take(at, found);
                }
            }
            if !target.is_certain
                && let Some(at) = self.host_firsts.at([tool, field])
            {
                self.host_firsts.take_all(at, found);
            }
        }
    }

    /// The allows that may cover a command of a line of this tool, in their order.
    pub(super) fn allows(&self, tool: &str, command: &CommandLine) -> Vec<usize> {
        let mut found = Vec::new();
        let Allows {
            exact,
            open,
            starred,
        } = &self.allows;
        let mut at = open.at([tool]);
        let mut words = command.words();
        while let Some(head) = at {
            open.take(head, &mut found);
            at = words.next().and_then(|word| open.step(head, word));
        }
        exact.take_at(std::iter::once(tool).chain(command.words()), &mut found);
        if let Some(at) = starred.at([tool]) {
            let first = command.words().next().unwrap_or_default();
            for name in [first, ""] {
                if let Some(at) = starred.step(at, name) {
                    starred.take(at, &mut found);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl Refuses {
    fn add(&mut self, tool: &str, effect: Effect, index: usize, words: &ShellPattern) {
        self.firsts.add_first([tool, effect.word()], index);
        let program = words.program();
        if words.starred().is_some() {
            self.starred.add([tool, program], index);
            return;
        }
        let rest = words.words().iter().skip(1).map(SmolStr::as_str);
        self.words
            .add([tool, program].into_iter().chain(rest), index);
    }

    /// The rules that may bear on a line of this tool. None: any of them may, since it is not searched
    /// whole.
    fn about(&self, tool: &str, line: &mut Searched<'_>, found: &mut Vec<usize>) -> Option<()> {
        let Some(firsts) = self.firsts.at([tool]) else {
            return Some(());
        };
        if !line.is_whole() {
            return None;
        }
        let (words, starred) = (self.words.at([tool]), self.starred.at([tool]));
        let take_starred = |program: &str, found: &mut Vec<usize>| {
            if let Some(at) = starred.and_then(|at| self.starred.step(at, program)) {
                self.starred.take(at, found);
            }
        };
        let of_program = |program: &str| words.and_then(|at| self.words.step(at, program));
        take_starred("", found);
        if line.line.unread.is_some() {
            self.firsts.take_all(firsts, found);
        }
        let mut spent = 0;
        for place in &line.places {
            for program in place.programs() {
                take_starred(program, found);
                let Some(at) = of_program(program) else {
                    continue;
                };
                // These may be any words.
                let any = place.has_unknown() || place.is_glued(program);
                let shared = |at, from| {
                    if any {
                        let all = self.words.next(at).map(|(_, at)| (at, from));
                        (self.words.width(at), all.collect())
                    } else {
                        self.in_order(at, from, place)
                    }
                };
                self.walk(at, &mut spent, found, shared)?;
            }
        }
        if line.line.unreadable.is_some() {
            self.firsts.take_all(firsts, found);
            for program in &line.tokens.programs {
                take_starred(program, found);
                if let Some(at) = of_program(program) {
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
        let (width, count) = (self.words.width(at), place.different);
        if width < count {
            let next = self.words.next(at);
            let found = next.filter_map(|(word, at)| Some((at, after(word)?)));
            return (width, found.collect());
        }
        let words = place.words();
        let found = words.filter_map(|word| Some((self.words.step(at, word)?, after(word)?)));
        (count, found.collect())
    }

    /// The words that go on from here and stand anywhere in a line that cannot be read.
    fn named(&self, at: At, from: usize, tokens: &Tokens) -> Vec<(At, usize)> {
        if self.words.width(at) < tokens.words.len() {
            let next = self.words.next(at);
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
            self.words.take(at, found);
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
    fn add(&mut self, tool: &str, index: usize, words: &ShellPattern) {
        if words.starred().is_some() {
            let first = words.words().first().map_or("", SmolStr::as_str);
            self.starred.add([tool, first], index);
            return;
        }
        let all = words.words().iter().map(SmolStr::as_str);
        let all = std::iter::once(tool).chain(all);
        if words.is_open() {
            self.open.add_first(all, index);
        } else {
            self.exact.add_first(all, index);
        }
    }
}
