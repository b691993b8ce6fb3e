//! Judging a call by the rules of one seat: deny before ask before allow, whatever their order.

use gatefold::gate::{Basis, Text};

use super::mcp::CallName;
use super::rules::{Effect, Pattern, Rule, RulePlace};
use super::shell::{Bearing, Line, Places, PlainLine, Programs, Tokens, Unreadable};
use super::tools;

/// What a layer says of a call, and the rule that says it.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) effect: Effect,
    pub(crate) reason: Option<Text>,
    pub(crate) basis: Basis,
}

/// How one rule bears on a call.
enum Match {
    /// Its effect holds.
    Sure { part: String },
    /// It is a deny or ask that may be about this call: an ask.
    Possible {
        part: Option<String>,
        why: String,
        /// Its words stand in the call, so it is told of before others.
        named: bool,
    },
}

/// The command line of a call, searched for what the rules of a layer name.
enum Searched<'a> {
    /// The tool has none.
    None,
    Plain(&'a PlainLine, Places<'a>),
    Unreadable(&'a Unreadable, Tokens),
}

impl<'a> Searched<'a> {
    fn new(line: Option<&'a Line>, programs: &Programs) -> Self {
        match line {
            None => Self::None,
            Some(Line::Plain(line)) => Self::Plain(line, Places::find(line, programs)),
            Some(Line::Unreadable(unreadable)) => {
                let tokens = if programs.is_empty() {
                    Tokens::default()
                } else {
                    unreadable.tokens()
                };
                Self::Unreadable(unreadable, tokens)
            }
        }
    }
}

/// The rules of one seat: those for all, or those of one agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct RuleSet {
    rules: Vec<Rule>,
    programs: Programs,
}

impl RuleSet {
    pub(crate) fn push(&mut self, rule: Rule) {
        if let (true, Pattern::Shell { words, .. }) = (rule.effect.refuses(), &rule.pattern) {
            self.programs.add(words);
        }
        self.rules.push(rule);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}

/// What these rules say of the call: all of them together, the first set first.
pub(crate) fn judge<'a>(
    sets: impl IntoIterator<Item = &'a RuleSet>,
    call: &CallName,
    line: Option<&Line>,
) -> Option<Said> {
    let mut ask: Option<(u8, Said)> = None;
    let mut allow = None;
    for set in sets {
        let mut line = Searched::new(line, &set.programs);
        for rule in &set.rules {
            match (rule.effect, rule.bears_on(call, &mut line)) {
                (Effect::Deny, Some(Match::Sure { part })) => {
                    return Some(rule.says(Effect::Deny, Some(part), None));
                }
                (Effect::Allow, Some(Match::Sure { part })) => {
                    allow.get_or_insert_with(|| rule.says(Effect::Allow, Some(part), None));
                }
                // No rule may cover a call possibly and allow it.
                (_, None) | (Effect::Allow, Some(Match::Possible { .. })) => {}
                (Effect::Ask, Some(Match::Sure { part })) => {
                    keep(&mut ask, 0, || rule.says(Effect::Ask, Some(part), None));
                }
                (
                    effect @ (Effect::Deny | Effect::Ask),
                    Some(Match::Possible { part, why, named }),
                ) => {
                    let rank = match (named, effect) {
                        (true, Effect::Deny) => 1,
                        (true, Effect::Ask | Effect::Allow) => 2,
                        (false, Effect::Deny) => 3,
                        (false, Effect::Ask | Effect::Allow) => 4,
                    };
                    keep(&mut ask, rank, || {
                        rule.says(Effect::Ask, part, Some((why, named)))
                    });
                }
            }
        }
    }
    ask.map(|(_, said)| said).or(allow)
}

/// Keeps the ask of the lowest rank, and the first of these: an ask rule itself is surer than a
/// deny that may apply, and that weighs more than an ask that may.
fn keep(ask: &mut Option<(u8, Said)>, rank: u8, said: impl FnOnce() -> Said) {
    if ask.as_ref().is_none_or(|(kept, _)| rank < *kept) {
        *ask = Some((rank, said()));
    }
}

impl Rule {
    fn bears_on(&self, call: &CallName, line: &mut Searched<'_>) -> Option<Match> {
        let refuses = self.effect.refuses();
        let is_named = |tool| tools::is_named(tool, &call.tool, refuses);
        match &self.pattern {
            // A server may give its tool the name of another: no allow of that name covers it.
            Pattern::Tool(tool) if is_named(tool) && (refuses || call.mcp.is_none()) => {
                let part = call.tool.clone();
                Some(Match::Sure { part })
            }
            Pattern::Mcp(pattern) if refuses => pattern.may_cover(call).then(|| sure_of(call)),
            Pattern::Mcp(pattern) => pattern.surely_covers(call).then(|| sure_of(call)),
            Pattern::Shell { tool, words } if is_named(tool) => match line {
                Searched::None => None,
                Searched::Plain(_, places) if refuses => Some(match words.bears_on(places)? {
                    Bearing::Covers { part } => Match::Sure { part },
                    Bearing::MayCover { part, why } => Match::Possible {
                        part,
                        why: why.into(),
                        named: true,
                    },
                }),
                Searched::Plain(line, _) => (call.mcp.is_none() && words.allows(line)).then(|| {
                    let part = words.part();
                    Match::Sure { part }
                }),
                // A line that cannot be read meets a rule that could apply.
                Searched::Unreadable(unreadable, tokens) => refuses.then(|| Match::Possible {
                    part: unreadable.part.clone(),
                    why: format!("the line cannot be read: {}", unreadable.why),
                    named: words.is_named_in(tokens),
                }),
            },
            Pattern::Tool(_) | Pattern::Shell { .. } => None,
        }
    }

    /// What this rule says; what makes it possible only, and whether the call names its words.
    fn says(&self, effect: Effect, part: Option<String>, why: Option<(String, bool)>) -> Said {
        let RulePlace {
            layer,
            file,
            agent,
            index,
        } = &self.place;
        let list = match agent {
            None => Text::new(self.effect.word()),
            Some(agent) => Text::from(format!("agents.{agent}.{}", self.effect.word())),
        };
        let reason = match (why, &self.why) {
            (None, why) => why.clone(),
            (Some((why, true)), Some(author)) => Some(Text::from(format!("{why} ({author})"))),
            // What its author says of calls like this is not known to be about this one.
            (Some((why, _)), _) => Some(Text::from(why)),
        };
        Said {
            effect,
            reason,
            basis: Basis {
                layer: Text::new(layer.word()),
                file: file.as_deref().map(Text::new),
                list,
                index: *index,
                rule: Text::new(&self.text),
                part: part.map(Text::from),
            },
        }
    }
}

fn sure_of(call: &CallName) -> Match {
    let part = call.tool.clone();
    Match::Sure { part }
}
