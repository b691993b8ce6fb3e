//! SHA-256 digests: what a record says of args, facts and policies without holding them.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest as _, Sha256};

/// What stands before the hexadecimal digits, so that a digest names its algorithm.
const PREFIX: &str = "sha256:";

/// A SHA-256 digest; on the wire `sha256:` and 64 lower-case hexadecimal digits.
///
/// Two spellings of one digest do not exist: upper case, blanks and a missing prefix are refused.
///
/// ```
/// use gatefold::gate::{Digest, DigestError};
///
/// let digest = Digest::of(b"{}");
/// let text = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
/// assert_eq!(digest.to_string(), text);
/// assert_eq!(text.parse(), Ok(digest));
/// assert_eq!("sha256:44136f".parse::<Digest>(), Err(DigestError::WrongLength { bytes: 6 }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest of a value's JSON, its fields in declared order. The engine's own values are
    /// made of words, numbers and lists, which serialise always; if one ever did not, the text of
    /// the failure would stand for it and match nothing.
    pub(crate) fn of_json<T: Serialize>(value: &T) -> Self {
        match serde_json::to_vec(value) {
            Ok(json) => Self::of(&json),
            Err(error) => Self::of(alloc::format!("unwritable: {error}").as_bytes()),
        }
    }

    /// A digest that somebody else computed.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Why a text is not a digest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DigestError {
    /// Put `sha256:` first; no other algorithm is known.
    #[error("a digest starts with `sha256:`")]
    WrongAlgorithm,
    /// Give all 64 hexadecimal digits, and nothing after them.
    #[error("a digest has 64 hexadecimal digits after its prefix, not {bytes} bytes")]
    WrongLength {
        /// What stands after the prefix, in bytes.
        bytes: usize,
    },
    /// Write the digits as `0` to `9` and `a` to `f`, in lower case.
    #[error("a digest is written in lower-case hexadecimal digits")]
    NotLowerHex,
}

impl DigestError {
    /// The stable word of this error.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::WrongAlgorithm => "wrong_algorithm",
            Self::WrongLength { .. } => "wrong_length",
            Self::NotLowerHex => "not_lower_hex",
        }
    }
}

impl FromStr for Digest {
    type Err = DigestError;

    /// Reads the one spelling that [`Digest`] writes.
    ///
    /// # Errors
    ///
    /// `wrong_algorithm`, `wrong_length`, `not_lower_hex`.
    fn from_str(text: &str) -> Result<Self, DigestError> {
        let digits = text
            .strip_prefix(PREFIX)
            .ok_or(DigestError::WrongAlgorithm)?;
        if digits.len() != 64 {
            return Err(DigestError::WrongLength {
                bytes: digits.len(),
            });
        }
        read_hex(digits).map(Self).ok_or(DigestError::NotLowerHex)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PREFIX)?;
        Hex(&self.0).fmt(f)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}

/// Shows bytes as lower-case hexadecimal digits, all of them at once.
pub(crate) struct Hex<'a>(pub(crate) &'a [u8; 32]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pairs = [[0; 2]; 32];
        for (pair, byte) in pairs.iter_mut().zip(self.0) {
            *pair = [digit(byte >> 4), digit(byte & 0xf)];
        }
        f.write_str(str::from_utf8(pairs.as_flattened()).unwrap_or_default())
    }
}

/// The lower-case hexadecimal digit of a value below 16.
const fn digit(nibble: u8) -> u8 {
    let first = if nibble < 10 {
        b'0'
    } else {
        b'a'.wrapping_sub(10)
    };
    first.wrapping_add(nibble)
}

/// Reads exactly 64 lower-case hexadecimal digits.
pub(crate) fn read_hex(digits: &str) -> Option<[u8; 32]> {
    let (pairs, []) = digits.as_bytes().as_chunks::<2>() else {
        return None;
    };
    let mut bytes = [0; 32];
    if pairs.len() != bytes.len() {
        return None;
    }
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = (nibble(*high)? << 4) | nibble(*low)?;
    }
    Some(bytes)
}

/// The value of one lower-case hexadecimal digit.
const fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit.saturating_sub(b'0')),
        b'a'..=b'f' => Some(digit.saturating_sub(b'a').saturating_add(10)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use super::*;

    const ABC: &str = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn the_digest_of_abc_is_the_published_one() {
        assert_eq!(Digest::of(b"abc").to_string(), ABC);
        assert_eq!(format!("{:?}", Digest::of(b"abc")), ABC);
    }

    #[test]
    fn every_byte_survives_writing_and_reading() {
        for byte in 0..=u8::MAX {
            let digest = Digest::from_bytes([byte; 32]);
            assert_eq!(digest.to_string().parse(), Ok(digest));
            assert_eq!(digest.as_bytes(), &[byte; 32]);
        }
    }

    #[test]
    fn only_one_spelling_is_read() {
        let digits = ABC.strip_prefix(PREFIX).unwrap_or_default();
        let rows = [
            (String::new(), "wrong_algorithm"),
            (String::from(digits), "wrong_algorithm"),
            (format!("SHA256:{digits}"), "wrong_algorithm"),
            (format!(" {ABC}"), "wrong_algorithm"),
            (format!("sha512:{digits}"), "wrong_algorithm"),
            (format!("{ABC}\n"), "wrong_length"),
            (format!("{ABC}0"), "wrong_length"),
            (String::from("sha256:"), "wrong_length"),
            (
                format!("sha256:{}", digits.to_ascii_uppercase()),
                "not_lower_hex",
            ),
            (ABC.replace("ba", "b+"), "not_lower_hex"),
            (ABC.replace("ba", "bg"), "not_lower_hex"),
            (ABC.replace("ba", "b`"), "not_lower_hex"),
            (ABC.replace("ba", "é"), "not_lower_hex"),
        ];
        for (text, code) in rows {
            assert_eq!(
                text.parse::<Digest>().map_err(|error| error.code()),
                Err(code),
                "{text}"
            );
        }
    }

    #[test]
    fn json_holds_it_as_a_string() {
        let digest = Digest::of(b"abc");
        let json = format!("\"{ABC}\"");
        assert_eq!(serde_json::to_string(&digest).ok(), Some(json.clone()));
        assert_eq!(serde_json::from_str(&json).ok(), Some(digest));
        assert!(serde_json::from_str::<Digest>("\"sha256:00\"").is_err());
        assert!(serde_json::from_str::<Digest>("7").is_err());
    }
}
