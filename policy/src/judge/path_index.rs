//! Which rules about paths may bear on the files of a call, found by the names of its paths: what is
//! found is then compared rule by rule.

use std::sync::Arc;

use crate::files::Use;
use crate::path_rules::{Ground, PathRule};
use crate::paths::{ANY_NAME, Anchor, Behind, Name, World, ending};
use crate::postings::Postings;
use crate::rules::Rule;
use crate::trie::At;

/// What the rules stand under of which every path holds a name behind the first ones: no name holds a
/// slash.
const NAMES: &str = "/name";
/// The same for the ending of a name.
const ENDINGS: &str = "/ending";

/// The rules about paths of one set.
#[derive(Clone, Debug, Default)]
pub(crate) struct PathIndex {
    pub(crate) groups: Vec<Group>,
    /// Those that are about every path, also one of which nothing is known, by no word.
    pub(crate) everything: Postings,
    /// The first that refuses, by effect and access: those are told of where any of them could apply.
    pub(crate) firsts: Postings,
}

/// The rules whose patterns begin in the same folder.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) anchor: Anchor,
    /// Of those that begin in the folder of their document.
    pub(crate) file: Option<Arc<str>>,
    /// How many folders above it they go.
    pub(crate) up: usize,
    /// By the names that they begin with, then by what stands behind these in every path that they
    /// are about.
    pub(crate) heads: Postings,
}

impl PathIndex {
    /// Takes in the rule of this place in its set.
    pub(super) fn add(&mut self, index: usize, rule: &Rule, path: &PathRule) {
        let PathRule { access, pattern } = path;
        if rule.effect.refuses() {
            let first = [rule.effect.word(), access.word()];
            self.firsts.add_first(first, index);
        }
        if pattern.is_everything() {
            self.everything.add([], index);
            return;
        }
        let lead = pattern.lead();
        let file = rule.place.file.clone();
        let file = file.filter(|_| pattern.anchor == Anchor::Document);
        let is_same = |group: &Group| {
            (group.anchor, group.up, &group.file) == (pattern.anchor, lead.up, &file)
        };
        let at = self.groups.iter().position(is_same).unwrap_or_else(|| {
            self.groups.push(Group {
                anchor: pattern.anchor,
                file,
                up: lead.up,
                heads: Postings::default(),
            });
            self.groups.len().saturating_sub(1)
        });
        let (kind, behind) = match &lead.behind {
            Behind::Anything => (None, None),
            Behind::Name(name) => (Some(NAMES), Some(*name)),
            Behind::Ending(ending) => (Some(ENDINGS), Some(ending.as_str())),
        };
        if let Some(group) = self.groups.get_mut(at) {
            let words = lead.head.into_iter().chain(kind).chain(behind);
            group.heads.add(words, index);
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
            self.firsts.take_all(self.firsts.root(), found);
        }
    }

    /// The rules whose patterns may match any of these files, or what is below it.
    pub(super) fn of_files(&self, uses: &[Use], world: &World, found: &mut Vec<usize>) {
        if uses.is_empty() {
            return;
        }
        self.everything.take_at([], found);
        for group in &self.groups {
            let bases = group.anchor.bases(group.file.as_deref(), world);
            let Some(bases) = bases else {
                group.heads.take_all(group.heads.root(), found);
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
            None if tree && base.starts_with(names) => {
                self.heads.take_all(self.heads.root(), found);
            }
            None => {}
        }
    }

    /// Name by name down the tree; `tree`: all that is below the last of them is meant too.
    fn walk(&self, names: &[Name], tree: bool, found: &mut Vec<usize>) {
        let mut at = self.heads.root();
        let mut rest = names;
        loop {
            self.take(at, rest, tree, found);
            let Some((name, below)) = rest.split_first() else {
                if tree {
                    self.heads.take_all(at, found);
                }
                return;
            };
            let Some(next) = self.heads.step(at, name) else {
                return;
            };
            (at, rest) = (next, below);
        }
    }

    /// Takes in the rules that begin with the names up to here, by those behind them.
    fn take(&self, at: At, names: &[Name], tree: bool, found: &mut Vec<usize>) {
        self.heads.take(at, found);
        if let Some(by_name) = self.heads.step(at, NAMES) {
            self.take_of(by_name, tree, names.iter().map(Name::as_str), found);
        }
        if let Some(by_ending) = self.heads.step(at, ENDINGS) {
            let endings = names.iter().filter_map(|name| ending(name));
            self.take_of(by_ending, tree, endings, found);
        }
    }

    /// Takes in what stands under any of these words, or under every word.
    fn take_of<'w>(
        &self,
        at: At,
        every: bool,
        mut words: impl Iterator<Item = &'w str>,
        found: &mut Vec<usize>,
    ) {
        if every {
            self.heads.take_all(at, found);
            return;
        }
        let steps = words.by_ref().filter_map(|word| self.heads.step(at, word));
        for at in steps {
            self.heads.take(at, found);
        }
    }
}
