//! What a walk came to.

use std::collections::BTreeMap;

use super::marks::Marks;
use super::script::Move;

/// What a walk came to.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Passes with an open question, each counted once.
    pub states: u64,
    /// Answers given, aborts and resumptions included.
    pub edges: u64,
    /// States that were saved and loaded.
    pub saved: u64,
    /// States and ends that were replayed.
    pub replayed: u64,
    /// What was seen.
    pub marks: Marks,
    /// Scripts of what was violated, by invariant and world; the shortest of each.
    violated: BTreeMap<(&'static str, String), Vec<Move>>,
    /// The same in words.
    pub violations: BTreeMap<(&'static str, String), String>,
}

impl Tally {
    /// Adds another tally to this one.
    pub fn add(&mut self, other: Self) {
        self.states += other.states;
        self.edges += other.edges;
        self.saved += other.saved;
        self.replayed += other.replayed;
        self.marks.add(other.marks);
        for (what, script) in other.violated {
            self.violate(what, script);
        }
        for (what, script) in other.violations {
            self.violations.entry(what).or_insert(script);
        }
    }

    /// Keeps the script if it is the shortest of this invariant and world.
    pub(super) fn violate(&mut self, what: (&'static str, String), script: Vec<Move>) {
        let kept = self.violated.entry(what).or_insert_with(|| script.clone());
        if (script.len(), &script) < (kept.len(), kept) {
            *kept = script;
        }
    }

    /// Puts the scripts in words.
    pub(super) fn put_in_words(&mut self, names: impl Fn(&[Move]) -> Vec<String>) {
        for (what, script) in std::mem::take(&mut self.violated) {
            self.violations.insert(what, names(&script).join(" · "));
        }
    }

    /// One line a violation: the invariant, the world, the script.
    pub fn told(&self) -> Vec<String> {
        let all = self.violations.iter();
        all.map(|((id, world), script)| format!("{id} in {world}: {script}"))
            .collect()
    }
}
