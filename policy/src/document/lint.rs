//! Rules that are understood and worth a second look.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::problem::{Code, Place, Problem, did_you_mean, nearest};
use crate::mcp;
use crate::rules::{Effect, Layer, Pattern, Rule};
use crate::tools::{self, Tools};

/// Programs that run whatever they are given: interpreters, shells and carriers.
const RUN_ANYTHING: &[&str] = &[
    "awk",
    "bash",
    "bun",
    "bunx",
    "busybox",
    "cmd",
    "command",
    "dash",
    "deno",
    "doas",
    "docker",
    "env",
    "eval",
    "exec",
    "expect",
    "find",
    "fish",
    "flock",
    "gawk",
    "ionice",
    "irb",
    "julia",
    "ksh",
    "lua",
    "make",
    "nice",
    "node",
    "nohup",
    "npx",
    "nsenter",
    "osascript",
    "parallel",
    "perl",
    "php",
    "pipx",
    "powershell",
    "pwsh",
    "python",
    "python2",
    "python3",
    "rscript",
    "ruby",
    "script",
    "setsid",
    "sh",
    "ssh",
    "stdbuf",
    "strace",
    "sudo",
    "time",
    "timeout",
    "tsx",
    "uvx",
    "watch",
    "xargs",
    "zsh",
];

/// Ends of a last word after which people expect a star to go on with the same word.
const HALVES: &[char] = &['/', '=', ':', ',', '@', '-'];

/// A rule with its place.
pub(super) struct Listed<'a> {
    pub(super) rule: &'a Rule,
    pub(super) place: Place,
}

/// What one rule covers, for finding those that cover all of another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Tool(String),
    Words(String, Vec<String>, bool),
    Mcp(String),
}

/// For whom and how a rule speaks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Voice {
    rank: u8,
    agent: Option<Arc<str>>,
}

impl Voice {
    const fn of_all(effect: Effect) -> Self {
        Self {
            rank: rank(effect),
            agent: None,
        }
    }
}

/// A rule to be compared with the others once all are known.
struct Kept {
    pattern: Pattern,
    effect: Effect,
    layer: Layer,
    agent: Option<Arc<str>>,
    text: String,
    place: Place,
}

/// Looks at rules one by one, and at the end at all of them together.
#[derive(Default)]
pub(super) struct Lint {
    kept: Vec<Kept>,
    problems: Vec<Problem>,
}

impl Lint {
    pub(super) fn rule(&mut self, listed: &Listed<'_>, tools: &Tools) {
        let Listed { rule, place } = listed;
        let found = [
            unknown_tool(rule, tools),
            says_less(rule),
            runs_anything(rule),
        ];
        for (code, sentence) in found.into_iter().flatten() {
            self.problems.push(Problem {
                code,
                place: place.clone(),
                sentence,
            });
        }
        self.kept.push(Kept {
            pattern: rule.pattern.clone(),
            effect: rule.effect,
            layer: rule.place.layer,
            agent: rule.place.agent.clone(),
            text: rule.text.clone(),
            place: place.clone(),
        });
    }

    pub(super) fn finish(mut self) -> Vec<Problem> {
        let mut first: BTreeMap<(Key, Voice), usize> = BTreeMap::new();
        let mut twins: BTreeMap<(Key, Voice, &str, Arc<str>), usize> = BTreeMap::new();
        for (index, kept) in self.kept.iter().enumerate() {
            let key = key(&kept.pattern);
            let voice = kept.voice(kept.effect);
            first.entry((key.clone(), voice.clone())).or_insert(index);
            let list = (key, voice, kept.layer.word(), Arc::clone(&kept.place.file));
            twins.entry(list).or_insert(index);
        }
        let mut problems = Vec::new();
        for (index, kept) in self.kept.iter().enumerate() {
            let covering = covering(&kept.pattern);
            let stricter = [Effect::Deny, Effect::Ask]
                .into_iter()
                .filter(|effect| rank(*effect) < rank(kept.effect))
                .flat_map(|effect| [kept.voice(effect), Voice::of_all(effect)])
                .find_map(|voice| {
                    let mut keys = covering.iter();
                    keys.find_map(|key| first.get(&(key.clone(), voice.clone())))
                });
            let twin = || {
                let voice = kept.voice(kept.effect);
                covering.iter().find_map(|key| {
                    let file = Arc::clone(&kept.place.file);
                    let list = (key.clone(), voice.clone(), kept.layer.word(), file);
                    twins.get(&list).filter(|other| **other != index)
                })
            };
            let Some(by) = stricter.copied().or_else(|| twin().copied()) else {
                continue;
            };
            let Some(by) = self.kept.get(by) else {
                continue;
            };
            problems.push(Problem {
                code: Code::Shadowed,
                place: kept.place.clone(),
                sentence: format!(
                    "this {} never decides: the {} `{}` at {} covers every call that it is about; \
                     leave one of them out",
                    kept.effect.word(),
                    by.effect.word(),
                    by.text,
                    by.place,
                ),
            });
        }
        self.problems.extend(problems);
        self.problems
    }
}

impl Kept {
    fn voice(&self, effect: Effect) -> Voice {
        Voice {
            rank: rank(effect),
            agent: self.agent.clone(),
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

fn key(pattern: &Pattern) -> Key {
    match pattern {
        Pattern::Tool(tool) => Key::Tool(tool.clone()),
        Pattern::Shell { tool, words } => {
            Key::Words(tool.clone(), words.words().to_vec(), words.is_open())
        }
        Pattern::Mcp(pattern) => Key::Mcp(pattern.rest().into()),
    }
}

/// What would cover all that this pattern covers, itself included.
fn covering(pattern: &Pattern) -> Vec<Key> {
    match pattern {
        Pattern::Tool(tool) => vec![Key::Tool(tool.clone())],
        Pattern::Shell { tool, words } => {
            let all = words.words();
            let heads = (1..=all.len()).filter_map(|length| all.get(..length));
            let open = heads.map(|head| Key::Words(tool.clone(), head.to_vec(), true));
            let exact = Key::Words(tool.clone(), all.to_vec(), false);
            let exact = (!words.is_open()).then_some(exact);
            std::iter::once(Key::Tool(tool.clone()))
                .chain(open)
                .chain(exact)
                .collect()
        }
        Pattern::Mcp(pattern) => {
            let rest = pattern.rest();
            let server = rest.split_once("__").map_or(rest, |(server, _)| server);
            let whole = [server.to_owned(), format!("{server}__*")];
            let mut keys: Vec<_> = whole.into_iter().map(Key::Mcp).collect();
            keys.push(Key::Mcp(rest.into()));
            keys
        }
    }
}

fn unknown_tool(rule: &Rule, tools: &Tools) -> Option<(Code, String)> {
    let (Pattern::Tool(tool) | Pattern::Shell { tool, .. }) = &rule.pattern else {
        return None;
    };
    if tools.knows(tool) || tool.starts_with(mcp::PREFIX) {
        return None;
    }
    let meant = did_you_mean(nearest(tool, tools.names()));
    let what = format!(
        "no host is known to have a tool `{tool}`{meant} Declare it under `[tools.{tool}]` if yours \
         has"
    );
    Some((Code::UnknownTool, what.replace("` Declare", "`; declare")))
}

fn says_less(rule: &Rule) -> Option<(Code, String)> {
    let Pattern::Shell { tool, words } = &rule.pattern else {
        return None;
    };
    let line = words.part();
    if words.is_open() {
        let last = words.words().last()?;
        let half = last.ends_with(HALVES) && last.len() > 1 || last == "/";
        return half.then(|| {
            let what = format!(
                "a star begins a new word, so this covers `{line}` and `{line} x`, and not `{line}x`"
            );
            (Code::SaysLess, what)
        });
    }
    (rule.effect.refuses() && words.words().len() == 1).then(|| {
        let what = format!(
            "this covers `{line}` without arguments alone; `{tool}({line} *)` covers it with any"
        );
        (Code::SaysLess, what)
    })
}

fn runs_anything(rule: &Rule) -> Option<(Code, String)> {
    if rule.effect.refuses() {
        return None;
    }
    match &rule.pattern {
        Pattern::Tool(tool) if tools::is_shell(tool) => {
            let what = "this allows every command line that can be read";
            Some((Code::RunsAnything, what.into()))
        }
        Pattern::Shell { words, .. } if words.is_open() => {
            let program = words.program();
            let is_bare = match words.words() {
                [_] => true,
                [_, option] => option.starts_with('-'),
                _ => false,
            };
            let runs = RUN_ANYTHING.contains(&program);
            (is_bare && runs).then(|| {
                let what = format!(
                    "`{program}` runs whatever it is given, so this allows every program; allow the \
                     lines that are meant"
                );
                (Code::RunsAnything, what)
            })
        }
        Pattern::Tool(_) | Pattern::Shell { .. } | Pattern::Mcp(_) => None,
    }
}
