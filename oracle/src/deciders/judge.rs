//! Judging a call by the rules of one layer: deny before ask before allow, whatever their order.

use gatefold::gate::{Basis, Text};

use super::mcp::CallName;
use super::rules::{Effect, Pattern, Rule};
use super::shell::{Bearing, Line};

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
    Possible { part: Option<String>, why: String },
}

/// What these rules, all of one layer's seat, say of the call.
pub(crate) fn judge(rules: &[Rule], call: &CallName, line: Option<&Line>) -> Option<Said> {
    let mut ask: Option<(u8, Said)> = None;
    let mut allow = None;
    for rule in rules {
        match (rule.effect, rule.bears_on(call, line)) {
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
            (effect @ (Effect::Deny | Effect::Ask), Some(Match::Possible { part, why })) => {
                let rank = if effect == Effect::Deny { 1 } else { 2 };
                keep(&mut ask, rank, || rule.says(Effect::Ask, part, Some(why)));
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
    fn bears_on(&self, call: &CallName, line: Option<&Line>) -> Option<Match> {
        let refuses = match self.effect {
            Effect::Deny | Effect::Ask => true,
            Effect::Allow => false,
        };
        match &self.pattern {
            // A server may give its tool the name of another: no allow of that name covers it.
            Pattern::Tool(tool) if *tool == call.tool && (refuses || call.mcp.is_none()) => {
                let part = call.tool.clone();
                Some(Match::Sure { part })
            }
            Pattern::Mcp(pattern) if refuses => pattern.may_cover(call).then(|| sure_of(call)),
            Pattern::Mcp(pattern) => pattern.surely_covers(call).then(|| sure_of(call)),
            Pattern::Shell { tool, words } if *tool == call.tool => match line? {
                Line::Plain(line) if refuses => Some(match words.bears_on(line)? {
                    Bearing::Covers { part } => Match::Sure { part },
                    Bearing::MayCover { part, why } => Match::Possible {
                        part: Some(part),
                        why: why.into(),
                    },
                }),
                Line::Plain(line) => (call.mcp.is_none() && words.allows(line)).then(|| {
                    let part = words.part();
                    Match::Sure { part }
                }),
                // A line that cannot be read meets a rule that could apply.
                Line::Unreadable(unreadable) => refuses.then(|| Match::Possible {
                    part: unreadable.part.clone(),
                    why: format!("the line cannot be read: {}", unreadable.why),
                }),
            },
            Pattern::Tool(_) | Pattern::Shell { .. } => None,
        }
    }

    fn says(&self, effect: Effect, part: Option<String>, why: Option<String>) -> Said {
        Said {
            effect,
            reason: why.map(Text::from),
            basis: Basis {
                layer: Text::new(self.layer.word()),
                file: None,
                list: Text::new(self.effect.word()),
                index: self.index,
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
