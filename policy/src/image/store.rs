//! The pieces that an image is made of, each with its digest: only those that are asked for are read,
//! and none is taken whose digest is another.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use gatefold::gate::Digest;

/// How far a piece is filled (4 KiB): what is longer is a piece of its own.
const PIECE_BYTES: usize = 4 << 10;
/// Places within one piece.
const PLACES: u32 = 4 << 10;

/// Where an image lies.
pub trait Stored: fmt::Debug + Send + Sync {
    /// Its bytes from a place on, exactly that many; none if they cannot be had.
    fn bytes(&self, from: u64, count: usize) -> Option<Vec<u8>>;
}

impl Stored for Vec<u8> {
    fn bytes(&self, from: u64, count: usize) -> Option<Vec<u8>> {
        let rest = self.get(usize::try_from(from).ok()?..)?;
        rest.get(..count).map(<[u8]>::to_vec)
    }
}

/// Writes pieces.
#[derive(Debug, Default)]
pub(super) struct Writer {
    done: Vec<Vec<u8>>,
    open: Vec<u8>,
}

impl Writer {
    /// Puts bytes into one piece. Returns where they stand: the piece and the place in it, as one
    /// number; none if there are too many pieces for that.
    pub(super) fn put(&mut self, bytes: &[u8]) -> Option<u32> {
        let filled = self.open.len().saturating_add(bytes.len());
        if filled > PIECE_BYTES {
            self.close();
        }
        let piece = u32::try_from(self.done.len()).ok()?;
        let place = u32::try_from(self.open.len()).ok()?;
        let at = piece.checked_mul(PLACES)?.checked_add(place)?;
        self.open.extend(bytes);
        // So that every place in a piece is below `PLACES`.
        if self.open.len() >= PIECE_BYTES {
            self.close();
        }
        Some(at)
    }

    fn close(&mut self) {
        if !self.open.is_empty() {
            self.done.push(std::mem::take(&mut self.open));
        }
    }

    /// All pieces.
    pub(super) fn finish(mut self) -> Vec<Vec<u8>> {
        // What is empty stands there too.
        self.done.push(std::mem::take(&mut self.open));
        self.done
    }
}

/// The pieces of one image.
#[derive(Debug)]
pub(crate) struct Store {
    stored: Arc<dyn Stored>,
    pieces: Vec<Piece>,
    /// The digests of all pieces, in hexadecimal digits, one behind the other.
    digests: String,
    doubt: AtomicBool,
}

#[derive(Debug)]
struct Piece {
    from: u64,
    bytes: usize,
    read: OnceLock<Option<Vec<u8>>>,
}

/// Hexadecimal digits of a digest.
const DIGITS: usize = 64;

impl Store {
    /// Pieces of these lengths and digests, the first of which begins there. None if they end nowhere,
    /// or have no digest each.
    pub(super) fn new(
        stored: Arc<dyn Stored>,
        mut from: u64,
        lengths: &[u32],
        digests: String,
    ) -> Option<Self> {
        let pieces = lengths.iter().map(|bytes| {
            let piece = Piece {
                from,
                bytes: usize::try_from(*bytes).ok()?,
                read: OnceLock::new(),
            };
            from = from.checked_add((*bytes).into())?;
            Some(piece)
        });
        let pieces = pieces.collect::<Option<Vec<_>>>()?;
        let is_whole = pieces.len().checked_mul(DIGITS)? == digests.len();
        is_whole.then_some(Self {
            stored,
            pieces,
            digests,
            doubt: AtomicBool::new(false),
        })
    }

    /// The bytes from a place to the end of its piece, if they are those that were sealed.
    pub(super) fn from(&self, at: u32) -> Option<&[u8]> {
        let (number, place) = (at.checked_div(PLACES)?, at.checked_rem(PLACES)?);
        let number = usize::try_from(number).ok()?;
        let piece = self.pieces.get(number)?;
        let read = piece.read.get_or_init(|| {
            let bytes = self.stored.bytes(piece.from, piece.bytes)?;
            let (digests, _) = self.digests.as_bytes().as_chunks::<DIGITS>();
            let wanted = digests.get(number)?.as_slice();
            (digits(&bytes).as_bytes() == wanted).then_some(bytes)
        });
        read.as_ref()?.get(usize::try_from(place).ok()?..)
    }

    /// A text of that many bytes.
    pub(super) fn text(&self, at: u32, bytes: u32) -> Option<&str> {
        let text = self.from(at)?.get(..usize::try_from(bytes).ok()?)?;
        std::str::from_utf8(text).ok()
    }

    /// What was asked for; if it is not there, the image is in doubt from now on.
    pub(super) fn sure<T>(&self, found: Option<T>) -> Option<T> {
        if found.is_none() {
            self.doubt.store(true, Ordering::Relaxed);
        }
        found
    }

    /// Whether anything that was asked for was not there as it was sealed.
    pub(crate) fn is_in_doubt(&self) -> bool {
        self.doubt.load(Ordering::Relaxed)
    }
}

/// The digest of a piece in hexadecimal digits.
pub(super) fn digits(piece: &[u8]) -> String {
    let digest = Digest::of(piece).to_string();
    digest.split(':').next_back().unwrap_or_default().to_owned()
}

/// The first number of some bytes, and what is behind it.
pub(super) fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*number), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_stands_where_it_was_said_to_stand() {
        let sizes = [0, 1, 100, 4_000, 95, 96, 4_096, 0, 5_000, 1, 40_000, 3];
        let parts: Vec<Vec<u8>> = (0_u8..)
            .zip(sizes)
            .map(|(of, size)| vec![of; size])
            .collect();
        let mut writer = Writer::default();
        let places: Vec<_> = parts.iter().map(|part| writer.put(part)).collect();
        let pieces = writer.finish();
        let lengths = pieces
            .iter()
            .map(|piece| u32::try_from(piece.len()).unwrap());
        let lengths: Vec<_> = lengths.collect();
        let digests: String = pieces.iter().map(|piece| digits(piece)).collect();
        let stored: Arc<dyn Stored> = Arc::new(pieces.concat());
        let store = Store::new(stored, 0, &lengths, digests.clone()).unwrap();
        for (part, at) in parts.iter().zip(places) {
            let found = store.from(at.unwrap()).unwrap();
            assert!(found.starts_with(part), "{}", part.len());
        }
        assert!(!store.is_in_doubt());

        let mut changed = pieces.concat();
        changed[0] ^= 1;
        let store = Store::new(Arc::new(changed), 0, &lengths, digests).unwrap();
        assert_eq!(store.sure(store.from(0)), None);
        assert!(store.is_in_doubt());
    }
}
