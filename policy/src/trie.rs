//! A tree of words: finding what stands at the heads of a text costs no more than its own words.

use foldhash::fast::RandomState;
use indexmap::{Equivalent, IndexSet};

/// A tree of words; each place in it holds something.
#[derive(Clone, Debug)]
pub(crate) struct Trie<T> {
    /// The first is the root, which is no word.
    places: Vec<Place<T>>,
    /// How each of the others is reached, in their order: all in one table, so that a place costs no
    /// table of its own.
    steps: IndexSet<Step, RandomState>,
}

/// A place in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct At(pub(crate) usize);

#[derive(Clone, Debug, Default)]
struct Place<T> {
    held: T,
    /// How many words go on from it.
    width: usize,
    /// The first and the last of the places that they lead to; the root is none.
    first: usize,
    last: usize,
    /// The one behind it, of those that are reached from the same place.
    after: usize,
}

/// A word that goes on from a place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Step {
    from: usize,
    word: Box<str>,
}

/// The same, as it is looked for.
#[derive(Hash)]
struct Seek<'w> {
    from: usize,
    word: &'w str,
}

impl Equivalent<Step> for Seek<'_> {
    fn equivalent(&self, step: &Step) -> bool {
        self.from == step.from && *self.word == *step.word
    }
}

impl<T: Default> Default for Trie<T> {
    fn default() -> Self {
        Self {
            places: vec![Place::default()],
            steps: IndexSet::default(),
        }
    }
}

impl<T: Default> Trie<T> {
    /// The root.
    pub(crate) const ROOT: At = At(0);

    /// What is held at the end of these words; they are added where they are missing.
    pub(crate) fn hold<'w>(&mut self, words: impl IntoIterator<Item = &'w str>) -> Option<&mut T> {
        let mut at = Self::ROOT;
        for word in words {
            at = match self.step(at, word) {
                Some(at) => at,
                None => self.grow(at, word)?,
            };
        }
        self.places.get_mut(at.0).map(|place| &mut place.held)
    }

    /// Adds a word that does not go on from a place yet.
    fn grow(&mut self, at: At, word: &str) -> Option<At> {
        let new = self.places.len();
        let from = self.places.get_mut(at.0)?;
        let last = from.last;
        from.width = from.width.saturating_add(1);
        from.last = new;
        if from.first == 0 {
            from.first = new;
        } else if let Some(last) = self.places.get_mut(last) {
            last.after = new;
        }
        self.places.push(Place::default());
        let word = word.into();
        self.steps.insert(Step { from: at.0, word });
        Some(At(new))
    }

    /// The place one word on.
    pub(crate) fn step(&self, at: At, word: &str) -> Option<At> {
        // From most places no word goes on.
        if self.width(at) == 0 {
            return None;
        }
        let step = self.steps.get_index_of(&Seek { from: at.0, word })?;
        Some(At(step.saturating_add(1)))
    }

    /// The place that one is reached from; the root is reached from itself.
    pub(crate) fn back(&self, at: At) -> At {
        let step = at.0.checked_sub(1).and_then(|at| self.steps.get_index(at));
        step.map_or(Self::ROOT, |step| At(step.from))
    }

    /// What is held at a place.
    pub(crate) fn held(&self, at: At) -> Option<&T> {
        self.places.get(at.0).map(|place| &place.held)
    }

    /// How many words go on from a place.
    pub(crate) fn width(&self, at: At) -> usize {
        self.places.get(at.0).map_or(0, |place| place.width)
    }

    /// The words that go on from a place, in the order in which they came.
    pub(crate) fn next(&self, at: At) -> impl Iterator<Item = (&str, At)> {
        let place = |at: usize| self.places.get(at);
        let reached = |at: usize| (at > 0).then_some(at);
        let first = place(at.0).and_then(|place| reached(place.first));
        let all = std::iter::successors(first, move |at| reached(place(*at)?.after));
        all.filter_map(|at| {
            let step = self.steps.get_index(at.checked_sub(1)?)?;
            Some((&*step.word, At(at)))
        })
    }

    /// Every place, the root first and each behind the one that it goes on from.
    pub(crate) fn places(
        &self,
    ) -> impl DoubleEndedIterator<Item = At> + ExactSizeIterator + use<T> {
        (0..self.places.len()).map(At)
    }

    /// What is held at each head of these words, the shortest first; the last with whether it is
    /// all of them.
    pub(crate) fn heads<'w>(
        &self,
        words: impl IntoIterator<Item = &'w str>,
    ) -> (Vec<&T>, Option<&T>) {
        let mut heads: Vec<&T> = self.held(Self::ROOT).into_iter().collect();
        let mut at = Self::ROOT;
        for word in words {
            let Some(next) = self.step(at, word) else {
                return (heads, None);
            };
            at = next;
            heads.extend(self.held(at));
        }
        (heads, self.held(at))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_tree_holds_what_was_put_at_each_of_its_places() {
        let lines = [
            "git push",
            "git",
            "git push origin main",
            "rm",
            "git pull",
            "",
            "push git",
            "git push",
        ];
        let mut tree = Trie::<Vec<usize>>::default();
        let mut want: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, line) in lines.iter().enumerate() {
            tree.hold(line.split_ascii_whitespace())
                .expect("held")
                .push(at);
            want.entry(line).or_default().push(at);
        }
        for (line, want) in &want {
            let (_, held) = tree.heads(line.split_ascii_whitespace());
            assert_eq!(held, Some(want), "{line}");
        }
        let (heads, whole) = tree.heads(["git", "push", "origin", "x"]);
        assert_eq!(heads, [&vec![5], &vec![1], &vec![0, 7], &vec![]]);
        assert_eq!(whole, None);
        let next = |at| tree.next(at).map(|(word, _)| word).collect::<Vec<_>>();
        assert_eq!(next(Trie::<Vec<usize>>::ROOT), ["git", "rm", "push"]);
        let git = tree.step(Trie::<Vec<usize>>::ROOT, "git").expect("git");
        assert_eq!(next(git), ["push", "pull"]);
        for at in tree.places() {
            assert_eq!(tree.width(at), tree.next(at).count());
            for (word, next) in tree.next(at) {
                assert_eq!(tree.step(at, word), Some(next), "{word}");
                assert_eq!(tree.back(next), at, "{word}");
                assert!(next.0 > at.0);
            }
        }
        assert_eq!(tree.step(git, "rm"), None);
        assert_eq!(
            tree.back(Trie::<Vec<usize>>::ROOT),
            Trie::<Vec<usize>>::ROOT
        );
        // Words join to no other's.
        assert_eq!(tree.step(Trie::<Vec<usize>>::ROOT, "git push"), None);
    }
}
