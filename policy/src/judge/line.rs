//! A command line beside the denies and asks of a layer.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::Match;
use crate::shell::{Bearing, Line, Places, Programs, ShellPattern, Tokens, Unreadable};

const PERHAPS: &str = "a shell at a later word of another program may run it";

/// The command line of a call, searched for what the rules of a layer name.
pub(super) struct Searched<'a> {
    pub(super) line: &'a Line,
    /// Each command of it.
    pub(super) places: Vec<Places<'a>>,
    /// The programs of rules that stand in any of them.
    programs: BTreeSet<Cow<'a, str>>,
    /// The words of a line that cannot be read.
    pub(super) tokens: Tokens,
    spent: usize,
}

impl<'a> Searched<'a> {
    pub(super) fn new(line: &'a Line, programs: &Programs) -> Self {
        let mut spent = 0;
        let mut places = Vec::new();
        let mut found = BTreeSet::new();
        if !programs.is_empty() {
            for command in &line.commands {
                let place = Places::find(command, programs, spent);
                spent = place.spent();
                found.extend(place.programs().cloned());
                places.push(place);
            }
        }
        let unreadable = line.unreadable.as_ref().filter(|_| !programs.is_empty());
        Self {
            line,
            places,
            programs: found,
            tokens: unreadable.map_or_else(Tokens::default, Unreadable::tokens),
            spent,
        }
    }

    /// Whether every command was searched to its end.
    pub(super) fn is_whole(&self) -> bool {
        self.places.iter().all(|place| place.is_whole)
    }

    /// Whether that many comparisons more may be made.
    pub(super) fn spend(&mut self, comparisons: usize) -> bool {
        let Some(place) = self.places.first_mut() else {
            return true;
        };
        place.resume(self.spent);
        let may = place.spend(comparisons);
        self.spent = place.spent();
        may
    }

    /// What it has cost so far, in comparisons.
    pub(super) const fn spent(&self) -> usize {
        self.spent
    }

    /// How a deny or ask bears on the line: surely, if on any of its commands.
    pub(super) fn bearing(&mut self, pattern: &ShellPattern) -> Option<Match> {
        let mut possible = None;
        let program = pattern.program();
        let may_stand = program.is_empty() || self.programs.contains(program);
        if may_stand || !self.is_whole() {
            for place in &mut self.places {
                place.resume(self.spent.saturating_add(1));
                let bearing = pattern.bears_on(place);
                self.spent = place.spent();
                match bearing {
                    Some(Bearing::Covers { part }) if place.is_perhaps() => {
                        possible.get_or_insert(Match::Possible {
                            part: Some(part),
                            why: PERHAPS.into(),
                            named: true,
                        });
                    }
                    Some(Bearing::Covers { part }) => {
                        return Some(Match::Sure { part: part.into() });
                    }
                    Some(Bearing::MayCover { part, why }) => {
                        possible.get_or_insert(Match::Possible {
                            part,
                            why: why.into(),
                            named: true,
                        });
                    }
                    None => {}
                }
            }
        }
        let unread = self.line.unread.as_ref();
        let possible = possible.or_else(|| {
            unread.map(|fault| Match::Possible {
                part: fault.part.clone(),
                why: fault.why.into(),
                named: false,
            })
        });
        // A line that cannot be read meets a rule that could apply.
        let unreadable = self.line.unreadable.as_ref();
        possible.or_else(|| {
            unreadable.map(|unreadable| Match::Possible {
                part: unreadable.part.clone(),
                why: format!("the line cannot be read: {}", unreadable.why),
                named: pattern.is_named_in(&self.tokens),
            })
        })
    }
}
