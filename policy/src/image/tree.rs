//! A tree of words in an image.
//!
//! A place is what it holds and the words that go on from it: how many numbers and how many words, then
//! the numbers, then for each word, ascending, the hash of its text, where the text stands, its length, and
//! its place. A place stands behind all that it goes on to, so that no walk comes back to where it
//! was.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::store::{Store, Writer, number};
use crate::postings::Numbers;
use crate::trie::{At, Trie};

/// A word that goes on from a place, in bytes.
const EDGE_BYTES: usize = 16;

/// Words that were put already, so that each stands there once.
#[derive(Debug, Default)]
pub(super) struct Words(BTreeMap<String, u32>);

impl Words {
    /// Where a text stands.
    pub(super) fn put(&mut self, text: &str, writer: &mut Writer) -> Option<u32> {
        if let Some(at) = self.0.get(text) {
            return Some(*at);
        }
        let at = writer.put(text.as_bytes())?;
        self.0.insert(text.into(), at);
        Some(at)
    }
}

/// What stands for the root of a tree without words and numbers.
const EMPTY: u32 = u32::MAX;

/// Puts a tree. Returns where its root stands.
pub(super) fn put(tree: &Trie<Numbers>, words: &mut Words, writer: &mut Writer) -> Option<u32> {
    let mut put: BTreeMap<usize, u32> = BTreeMap::new();
    let mut root = None;
    let is_empty = |held: &Numbers| held.is_empty() && tree.places().len() == 1;
    if tree.held(Trie::<Numbers>::ROOT).is_none_or(is_empty) {
        return Some(EMPTY);
    }
    for place in tree.places().rev() {
        let mut edges = Vec::new();
        for (word, next) in tree.next(place) {
            let at = words.put(word, writer)?;
            let bytes = u32::try_from(word.len()).ok()?;
            edges.push([hash(word), at, bytes, *put.get(&next.0)?]);
        }
        edges.sort_unstable();
        let held = tree.held(place).map_or(&[][..], Numbers::as_slice);
        let counts = [held.len(), edges.len()].map(|count| u32::try_from(count).ok());
        let [Some(holds), Some(goes_on)] = counts else {
            return None;
        };
        let numbers = [holds, goes_on].into_iter().chain(held.iter().copied());
        let numbers = numbers.chain(edges.into_iter().flatten());
        let bytes: Vec<u8> = numbers.flat_map(u32::to_le_bytes).collect();
        root = writer.put(&bytes);
        put.insert(place.0, root?);
    }
    root
}

/// FNV-1a: what the words of a place are found by.
fn hash(word: &str) -> u32 {
    word.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// A tree in an image.
#[derive(Clone, Debug)]
pub(crate) struct SealedTree {
    store: Arc<Store>,
    root: At,
}

/// A place, as it lies in the image.
#[derive(Clone, Copy, Debug, Default)]
struct Place<'a> {
    held: &'a [[u8; 4]],
    edges: &'a [[u8; EDGE_BYTES]],
}

/// A word that goes on from a place.
#[derive(Clone, Copy, Debug)]
struct Edge {
    hash: u32,
    at: u32,
    bytes: u32,
    next: u32,
}

impl SealedTree {
    /// The tree whose root stands there.
    pub(super) fn new(store: Arc<Store>, root: u32) -> Option<Self> {
        let root = match root {
            EMPTY => usize::MAX,
            root => usize::try_from(root).ok()?,
        };
        let root = At(root);
        Some(Self { store, root })
    }

    pub(crate) const fn root(&self) -> At {
        self.root
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.root == At(usize::MAX)
    }

    /// The numbers that are held at a place.
    pub(crate) fn held(&self, at: At) -> impl Iterator<Item = usize> {
        let held = self.place(at).held.iter();
        held.filter_map(|held| {
            let held = usize::try_from(u32::from_le_bytes(*held));
            self.store.sure(held.ok())
        })
    }

    /// The place one word on.
    pub(crate) fn step(&self, at: At, word: &str) -> Option<At> {
        let edges = self.place(at).edges;
        let wanted = hash(word);
        let first = edges.partition_point(|edge| Edge::of(edge).hash < wanted);
        let same = edges.iter().skip(first).map(Edge::of);
        let mut same = same.take_while(|edge| edge.hash == wanted);
        let edge = same.find(|edge| self.word(*edge) == Some(word))?;
        self.behind(at, edge)
    }

    /// The words that go on from a place.
    pub(crate) fn next(&self, at: At) -> impl ExactSizeIterator<Item = (&str, At)> {
        let edges = self.place(at).edges.iter().map(Edge::of);
        // What cannot be read is in doubt, and is no word of any call.
        edges.map(move |edge| {
            let next = self.word(edge).zip(self.behind(at, edge));
            next.unwrap_or(("", At(usize::MAX)))
        })
    }

    fn place(&self, at: At) -> Place<'_> {
        if self.is_empty() {
            return Place::default();
        }
        let place = || {
            let bytes = self.store.from(u32::try_from(at.0).ok()?)?;
            let (held, rest) = number(bytes)?;
            let (edges, rest) = number(rest)?;
            let (held, rest) = of::<4>(rest, held)?;
            let (edges, _) = of::<EDGE_BYTES>(rest, edges)?;
            Some(Place { held, edges })
        };
        self.store.sure(place()).unwrap_or_default()
    }

    fn word(&self, edge: Edge) -> Option<&str> {
        self.store.sure(self.store.text(edge.at, edge.bytes))
    }

    /// The place that a word leads to, which stands before the one that it goes on from.
    fn behind(&self, at: At, edge: Edge) -> Option<At> {
        let next = usize::try_from(edge.next).ok();
        self.store.sure(next.filter(|next| *next < at.0)).map(At)
    }
}

impl Edge {
    fn of(bytes: &[u8; EDGE_BYTES]) -> Self {
        let (numbers, _) = bytes.as_chunks::<4>();
        let mut numbers = numbers.iter().map(|number| u32::from_le_bytes(*number));
        let mut next = || numbers.next().unwrap_or_default();
        Self {
            hash: next(),
            at: next(),
            bytes: next(),
            next: next(),
        }
    }
}

/// That many rows of some bytes, and what is behind them.
fn of<const BYTES: usize>(bytes: &[u8], rows: u32) -> Option<(&[[u8; BYTES]], &[u8])> {
    let count = usize::try_from(rows).ok()?.checked_mul(BYTES)?;
    let (rows, rest) = bytes.split_at_checked(count)?;
    let (rows, _) = rows.as_chunks();
    Some((rows, rest))
}
