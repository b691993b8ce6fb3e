//! A tree of words: finding what stands at the heads of a text costs no more than its own words.

use indexmap::IndexMap;
use indexmap::map::Slice;

/// A tree of words; each word holds something.
#[derive(Clone, Debug)]
pub(crate) struct Trie<T> {
    /// The first is the root, which is no word.
    nodes: Vec<Node<T>>,
}

/// A place in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct At(pub(crate) usize);

#[derive(Clone, Debug, Default)]
struct Node<T> {
    held: T,
    next: IndexMap<String, usize>,
}

impl<T: Default> Default for Trie<T> {
    fn default() -> Self {
        Self {
            nodes: vec![Node::default()],
        }
    }
}

impl<T: Default> Trie<T> {
    /// The root.
    pub(crate) const ROOT: At = At(0);

    /// What is held at the end of these words; they are added where they are missing.
    pub(crate) fn hold<'w>(&mut self, words: impl IntoIterator<Item = &'w str>) -> Option<&mut T> {
        let mut at = 0;
        for word in words {
            let new = self.nodes.len();
            let next = &mut self.nodes.get_mut(at)?.next;
            if let Some(known) = next.get(word) {
                at = *known;
                continue;
            }
            next.insert(word.into(), new);
            self.nodes.push(Node::default());
            at = new;
        }
        self.nodes.get_mut(at).map(|node| &mut node.held)
    }

    /// The place one word on.
    pub(crate) fn step(&self, at: At, word: &str) -> Option<At> {
        self.nodes.get(at.0)?.next.get(word).copied().map(At)
    }

    /// What is held at a place.
    pub(crate) fn held(&self, at: At) -> Option<&T> {
        self.nodes.get(at.0).map(|node| &node.held)
    }

    /// The words that go on from a place.
    pub(crate) fn next(&self, at: At) -> impl ExactSizeIterator<Item = (&str, At)> {
        let next = self
            .nodes
            .get(at.0)
            .map_or(Slice::new(), |node| node.next.as_slice());
        next.iter().map(|(word, at)| (word.as_str(), At(*at)))
    }

    /// Every place, the root first and each behind the one that it goes on from.
    pub(crate) fn places(
        &self,
    ) -> impl DoubleEndedIterator<Item = At> + ExactSizeIterator + use<T> {
        (0..self.nodes.len()).map(At)
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
