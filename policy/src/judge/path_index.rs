//! Which rules about paths may bear on the files of a call, found by the names of its paths: what is
//! found is then compared rule by rule.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::files::Use;
use crate::path_rules::{Ground, PathRule};
use crate::paths::{ANY_NAME, Anchor, Behind, Name, World, ending};
use crate::rules::{Effect, Rule};
use crate::shell::Access;
use crate::trie::{At, Trie};

/// The rules about paths of one set.
#[derive(Clone, Debug, Default)]
pub(super) struct PathIndex {
    groups: Vec<Group>,
    /// Those that are about every path, also one of which nothing is known.
    everything: Vec<usize>,
    /// The first that refuses, of each effect and access: those are told of where any of them could
    /// apply.
    firsts: Vec<(Effect, Access, usize)>,
}

/// The rules whose patterns begin in the same folder.
#[derive(Clone, Debug)]
struct Group {
    anchor: Anchor,
    /// Of those that begin in the folder of their document.
    file: Option<Arc<str>>,
    /// How many folders above it they go.
    up: usize,
    /// By the names that they begin with.
    heads: Trie<Held>,
}

/// The rules that begin with the same names, by what stands behind these in every path that they are
/// about.
#[derive(Clone, Debug, Default)]
struct Held {
    any: Vec<usize>,
    names: BTreeMap<String, Vec<usize>>,
    endings: BTreeMap<String, Vec<usize>>,
}

impl PathIndex {
    /// Takes in the rule of this place in its set.
    pub(super) fn add(&mut self, index: usize, rule: &Rule, path: &PathRule) {
        let PathRule { access, pattern } = path;
        let mut firsts = self.firsts.iter();
        let is_first = !firsts.any(|(effect, of, _)| (effect, of) == (&rule.effect, access));
        if rule.effect.refuses() && is_first {
            self.firsts.push((rule.effect, *access, index));
        }
        if pattern.is_everything() {
            self.everything.push(index);
            return;
        }
        let file = rule.place.file.clone();
        let file = file.filter(|_| pattern.anchor == Anchor::Document);
        let lead = pattern.lead();
        let is_same = |group: &Group| {
            (group.anchor, group.up, &group.file) == (pattern.anchor, lead.up, &file)
        };
        let at = self.groups.iter().position(is_same).unwrap_or_else(|| {
            self.groups.push(Group {
                anchor: pattern.anchor,
                file,
                up: lead.up,
                heads: Trie::default(),
            });
            self.groups.len().saturating_sub(1)
        });
        let group = self.groups.get_mut(at);
        let Some(held) = group.and_then(|group| group.heads.hold(lead.head)) else {
            return;
        };
        match lead.behind {
            Behind::Anything => held.any.push(index),
            Behind::Name(name) => held.names.entry(name.into()).or_default().push(index),
            Behind::Ending(ending) => held.endings.entry(ending).or_default().push(index),
        }
    }

    /// The rules that may bear on the files of a call; `is_known`: its line, if there is one, was
    /// read whole.
    pub(super) fn about(&self, ground: Ground<'_>, is_known: bool, found: &mut Vec<usize>) {
        let Ground { files, world } = ground;
        self.of_files(&files.uses, world, found);
        let any = |of: &Use| {
            let is_vague =
                of.place.doubt.is_some() || of.place.ways.iter().any(|way| !way.is_known());
            (of.sure && is_vague) || (files.of_tool && of.place.leads.is_none())
        };
        if !is_known || !files.vague.is_empty() || files.uses.iter().any(any) {
            found.extend(self.firsts.iter().map(|(.., index)| index));
        }
    }

    /// The rules whose patterns may match any of these files, or what is below it.
    pub(super) fn of_files(&self, uses: &[Use], world: &World, found: &mut Vec<usize>) {
        if uses.is_empty() {
            return;
        }
        found.extend(&self.everything);
        for group in &self.groups {
            let bases = group.anchor.bases(group.file.as_deref(), world);
            let Some(bases) = bases else {
                group.all(Trie::<Held>::ROOT, found);
                continue;
            };
            for base in bases {
                let base = base.above(group.up, true);
                for of in uses {
                    group.find(of, base, found);
                }
            }
        }
    }
}

impl Group {
    fn find(&self, of: &Use, base: &[Name], found: &mut Vec<usize>) {
        let mut is_pattern = false;
        for way in &of.place.ways {
            let folded = way.folded();
            let mut names = folded.as_ref();
            let mut tree = of.tree;
            // What a pattern of the shell matches may be anything below.
            if let Some(at) = names.iter().position(|name| name.contains(ANY_NAME)) {
                names = names.get(..at).unwrap_or_default();
                tree = true;
                is_pattern = true;
            }
            self.find_names(names, tree, base, found);
        }
        for way in of.place.below.iter().filter(|_| of.tree || is_pattern) {
            self.find_names(&way.folded(), true, base, found);
        }
    }

    fn find_names(&self, names: &[Name], tree: bool, base: &[Name], found: &mut Vec<usize>) {
        match names.strip_prefix(base) {
            Some(names) => self.walk(names, tree, found),
            None if tree && base.starts_with(names) => self.all(Trie::<Held>::ROOT, found),
            None => {}
        }
    }

    /// Name by name down the tree; `tree`: all that is below the last of them is meant too.
    fn walk(&self, names: &[Name], tree: bool, found: &mut Vec<usize>) {
        let mut at = Trie::<Held>::ROOT;
        let mut rest = names;
        loop {
            if let Some(held) = self.heads.held(at) {
                held.find(rest, tree, found);
            }
            let Some((name, below)) = rest.split_first() else {
                if tree {
                    self.all(at, found);
                }
                return;
            };
            let Some(next) = self.heads.step(at, name) else {
                return;
            };
            (at, rest) = (next, below);
        }
    }

    /// All rules from a place on.
    fn all(&self, at: At, found: &mut Vec<usize>) {
        let mut left = vec![at];
        while let Some(at) = left.pop() {
            if let Some(held) = self.heads.held(at) {
                held.find(&[], true, found);
            }
            left.extend(self.heads.next(at).map(|(_, at)| at));
        }
    }
}

impl Held {
    fn find(&self, names: &[Name], tree: bool, found: &mut Vec<usize>) {
        found.extend(&self.any);
        if tree {
            let all = self.names.values().chain(self.endings.values());
            found.extend(all.flatten());
            return;
        }
        for name in names.iter().filter(|_| !self.names.is_empty()) {
            found.extend(self.names.get(name.as_str()).into_iter().flatten());
        }
        for name in names.iter().filter(|_| !self.endings.is_empty()) {
            let rules = ending(name).and_then(|ending| self.endings.get(ending));
            found.extend(rules.into_iter().flatten());
        }
    }
}
