//! Numbers of rules under the words that find them: a tree of words, grown rule by rule or lying in an
//! image.

use smallvec::SmallVec;

use crate::image::SealedTree;
use crate::trie::{At, Trie};

/// What is held at a place: most often a few numbers, which stand there itself.
pub(crate) type Numbers = SmallVec<[u32; 4]>;

/// A tree of words; each place in it holds numbers, ascending.
#[derive(Clone, Debug)]
pub(crate) enum Postings {
    Grown(Trie<Numbers>),
    Sealed(SealedTree),
}

impl Default for Postings {
    fn default() -> Self {
        Self::Grown(Trie::default())
    }
}

impl Postings {
    pub(crate) fn root(&self) -> At {
        match self {
            Self::Grown(_) => Trie::<Numbers>::ROOT,
            Self::Sealed(tree) => tree.root(),
        }
    }

    /// Whether it holds no word and no number.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Grown(tree) => {
                let root = self.root();
                tree.width(root) == 0 && tree.held(root).is_none_or(SmallVec::is_empty)
            }
            Self::Sealed(tree) => tree.is_empty(),
        }
    }

    /// Adds a number at the end of these words. One that lies in an image takes none: its rules are
    /// all there.
    pub(crate) fn add<'w>(&mut self, words: impl IntoIterator<Item = &'w str>, number: usize) {
        if let Some((held, number)) = self.hold(words).zip(u32::try_from(number).ok()) {
            held.push(number);
        }
    }

    /// Adds a number at the end of these words, if there is none yet.
    pub(crate) fn add_first<'w>(
        &mut self,
        words: impl IntoIterator<Item = &'w str>,
        number: usize,
    ) {
        let held = self.hold(words).filter(|held| held.is_empty());
        if let Some((held, number)) = held.zip(u32::try_from(number).ok()) {
            held.push(number);
        }
    }

    /// Adds words that hold no number.
    pub(crate) fn add_words<'w>(&mut self, words: impl IntoIterator<Item = &'w str>) {
        let _ = self.hold(words);
    }

    fn hold<'w>(&mut self, words: impl IntoIterator<Item = &'w str>) -> Option<&mut Numbers> {
        match self {
            Self::Grown(tree) => tree.hold(words),
            Self::Sealed(_) => None,
        }
    }

    /// The place one word on.
    pub(crate) fn step(&self, at: At, word: &str) -> Option<At> {
        match self {
            Self::Grown(tree) => tree.step(at, word),
            Self::Sealed(tree) => tree.step(at, word),
        }
    }

    /// The place at the end of these words.
    pub(crate) fn at<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> Option<At> {
        let mut words = words.into_iter();
        words.try_fold(self.root(), |at, word| self.step(at, word))
    }

    /// Takes in what is held at a place.
    pub(crate) fn take(&self, at: At, found: &mut Vec<usize>) {
        match self {
            Self::Grown(tree) => {
                let held = tree.held(at).into_iter().flatten();
                found.extend(held.filter_map(|number| usize::try_from(*number).ok()));
            }
            Self::Sealed(tree) => found.extend(tree.held(at)),
        }
    }

    /// Takes in what is held at the end of these words.
    pub(crate) fn take_at<'w>(
        &self,
        words: impl IntoIterator<Item = &'w str>,
        found: &mut Vec<usize>,
    ) {
        if let Some(at) = self.at(words) {
            self.take(at, found);
        }
    }

    /// Takes in what is held at a place and at all behind it.
    pub(crate) fn take_all(&self, at: At, found: &mut Vec<usize>) {
        let mut left = vec![at];
        while let Some(at) = left.pop() {
            self.take(at, found);
            left.extend(self.next(at).map(|(_, at)| at));
        }
    }

    /// How many words go on from a place.
    pub(crate) fn width(&self, at: At) -> usize {
        match self {
            Self::Grown(tree) => tree.width(at),
            Self::Sealed(tree) => tree.next(at).len(),
        }
    }

    /// The words that go on from a place.
    pub(crate) fn next(&self, at: At) -> impl Iterator<Item = (&str, At)> {
        let (grown, sealed) = match self {
            Self::Grown(tree) => (Some(tree.next(at)), None),
            Self::Sealed(tree) => (None, Some(tree.next(at))),
        };
        let grown = grown.into_iter().flatten();
        grown.chain(sealed.into_iter().flatten())
    }
}
