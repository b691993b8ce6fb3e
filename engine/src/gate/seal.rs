//! Seals: how a saved pass, a ticket, a book or a receipt leaves the process and comes back.
//!
//! A sealed value is one line `gatefold/<kind>/<schema> <mac>`, then its JSON. Whoever can write
//! where it lies is taken as hostile, so nothing of the JSON is read before the seal holds.
//!
//! A seal says who wrote a value, not when: an older value under the same key still opens. What
//! must not come back (a used ticket, an earlier book) is the book's and the host's to refuse.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

use hmac::{Hmac, KeyInit, Mac};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::Sha256;

use super::digest::{Hex, read_hex};
use super::text::Text;
use super::words::words;
use crate::limits::{SEAL_KEY_BYTES_MIN, SEALED_BYTES_MAX};

/// What every header starts with.
const FAMILY: &str = "gatefold";

words! {
    /// What a sealed value is; part of what the seal covers, so that none passes for another.
    pub enum SealedKind {
        /// A pass at an open question.
        Pass = "pass",
        /// A parked pass.
        Parked = "parked",
        /// The ticket of a parked pass.
        Ticket = "ticket",
        /// The tickets that are open and those that are used.
        TicketBook = "ticket_book",
        /// The attestations a host has opened.
        AttestationBook = "attestation_book",
        /// A record with what it stands on.
        Receipt = "receipt",
        /// What a policy was made into, for a host to open it faster.
        Image = "image",
    }
}

/// The host's key for sealing, of at least 32 bytes.
///
/// It is never shown and cannot be serialised. Draw it at random and keep it where the agent
/// cannot read it: whoever has it can write a pass that says yes.
///
/// ```
/// use gatefold::gate::{SealError, SealKey};
///
/// let drawn = [7; 32]; // by the host, from its source of randomness
/// let key = SealKey::new(&drawn)?;
/// assert_eq!(format!("{key:?}"), "SealKey(..)");
/// assert_eq!(SealKey::new(b"short").unwrap_err().code(), "key_too_short");
/// # Ok::<(), SealError>(())
/// ```
#[derive(Clone)]
pub struct SealKey(Hmac<Sha256>);

impl SealKey {
    /// A key of these bytes. As HMAC has it, zero bytes at the end of a key do not make another.
    ///
    /// # Errors
    ///
    /// `key_too_short`: fewer than [`SEAL_KEY_BYTES_MIN`] bytes.
    pub fn new(bytes: &[u8]) -> Result<Self, SealError> {
        let too_short = SealError::KeyTooShort { bytes: bytes.len() };
        if bytes.len() < SEAL_KEY_BYTES_MIN {
            return Err(too_short);
        }
        // HMAC takes a key of any length; its constructor can fail only for other MACs.
        Hmac::new_from_slice(bytes).map(Self).map_err(|_| too_short)
    }

    /// Seals a value as an image: what a policy was made into, which is another crate's to say.
    ///
    /// # Errors
    /// `unwritable`, `too_large`.
    pub fn seal_image<T: Serialize>(&self, schema: u32, value: &T) -> Result<String, SealError> {
        seal(SealedKind::Image, schema, value, self)
    }

    /// Opens what [`seal_image`](Self::seal_image) wrote.
    ///
    /// # Errors
    /// `too_large`, `not_sealed`, `wrong_kind`, `wrong_schema`, `bad_seal`, `unreadable_body`.
    pub fn open_image<T: DeserializeOwned>(&self, schema: u32, text: &str) -> Result<T, SealError> {
        open(SealedKind::Image, schema, text, self)
    }

    /// The MAC over header and body; no header holds a newline, so the two cannot run together.
    fn mac(&self, header: &str, body: &str) -> Hmac<Sha256> {
        self.0
            .clone()
            .chain_update(header)
            .chain_update("\n")
            .chain_update(body)
    }
}

impl fmt::Debug for SealKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealKey(..)")
    }
}

/// Why a key was not taken, or a value not sealed or not opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SealError {
    /// Draw a key of at least [`SEAL_KEY_BYTES_MIN`] random bytes.
    #[error("a seal key has at least {SEAL_KEY_BYTES_MIN} bytes, not {bytes}")]
    KeyTooShort {
        /// What was given, in bytes.
        bytes: usize,
    },
    /// Do not save or open it; a book this large has to be pruned first.
    #[error("a sealed value has at most {SEALED_BYTES_MAX} bytes, not {bytes}")]
    TooLarge {
        /// The whole text, in bytes.
        bytes: usize,
    },
    /// Look for the file that was meant: this one was not written by a seal of ours, was cut
    /// short, or was changed on the way (line endings count).
    #[error("not a sealed value: the first line is not `gatefold/<kind>/<schema> <mac>`")]
    NotSealed,
    /// Open it as what it is.
    #[error("wanted a sealed `{want}`, found a `{found}`")]
    WrongKind {
        /// What was to be opened.
        want: SealedKind,
        /// What the header says it is.
        found: SealedKind,
    },
    /// Open it with the version of the library that wrote it, or start the pass again.
    #[error("wanted schema {want}, found schema {found}")]
    WrongSchema {
        /// The schema that this version reads.
        want: u32,
        /// The schema that the header names.
        found: u32,
    },
    /// Treat the value as forged: it was changed after sealing, or sealed with another key.
    #[error("the seal does not hold: changed after sealing, or sealed with another key")]
    BadSeal,
    /// Report a bug: the seal holds, so a holder of the key wrote this, yet it is not such a value.
    #[error("the seal holds, but the value cannot be read: {0}")]
    UnreadableBody(Text),
    /// Report a bug: a value of ours could not be written as JSON.
    #[error("the value cannot be written: {0}")]
    Unwritable(Text),
}

impl SealError {
    /// The stable word of this error.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::KeyTooShort { .. } => "key_too_short",
            Self::TooLarge { .. } => "too_large",
            Self::NotSealed => "not_sealed",
            Self::WrongKind { .. } => "wrong_kind",
            Self::WrongSchema { .. } => "wrong_schema",
            Self::BadSeal => "bad_seal",
            Self::UnreadableBody(_) => "unreadable_body",
            Self::Unwritable(_) => "unwritable",
        }
    }
}

/// Writes a value and seals it; the text ends with the JSON, without a newline.
///
/// # Errors
///
/// `unwritable`, and `too_large` for what [`open`] would refuse.
pub(crate) fn seal<T: Serialize>(
    kind: SealedKind,
    schema: u32,
    value: &T,
    key: &SealKey,
) -> Result<String, SealError> {
    let body = serde_json::to_string(value)
        .map_err(|error| SealError::Unwritable(Text::from(error.to_string())))?;
    let header = header(kind, schema);
    let mac = key.mac(&header, &body).finalize().into_bytes().into();
    let text = format!("{header} {}\n{body}", Hex(&mac));
    within_limit(&text)?;
    Ok(text)
}

/// Opens what [`seal`] wrote: size, header, kind and schema first, then the seal, then the JSON.
///
/// Another kind or schema is refused before the seal is known to hold. The header is no secret and
/// nothing is done on its word but to refuse, so a forger gains only the choice of refusal; and a
/// host that was updated hears that the value is of another version, not that it was tampered
/// with. A kind that this version does not know is `not_sealed`.
///
/// # Errors
///
/// `too_large`, `not_sealed`, `wrong_kind`, `wrong_schema`, `bad_seal`, `unreadable_body`.
pub(crate) fn open<T: DeserializeOwned>(
    kind: SealedKind,
    schema: u32,
    text: &str,
    key: &SealKey,
) -> Result<T, SealError> {
    within_limit(text)?;
    let (line, body) = text.split_once('\n').ok_or(SealError::NotSealed)?;
    let (header, mac) = line.split_once(' ').ok_or(SealError::NotSealed)?;
    let mac = read_hex(mac).ok_or(SealError::NotSealed)?;
    let (found_kind, found_schema) = read_header(header).ok_or(SealError::NotSealed)?;
    if found_kind != kind {
        return Err(SealError::WrongKind {
            want: kind,
            found: found_kind,
        });
    }
    if found_schema != schema {
        return Err(SealError::WrongSchema {
            want: schema,
            found: found_schema,
        });
    }
    key.mac(header, body)
        .verify_slice(&mac)
        .map_err(|_| SealError::BadSeal)?;
    serde_json::from_str(body)
        .map_err(|error| SealError::UnreadableBody(Text::from(error.to_string())))
}

/// Refuses a text over the limit.
const fn within_limit(text: &str) -> Result<(), SealError> {
    if text.len() > SEALED_BYTES_MAX {
        return Err(SealError::TooLarge { bytes: text.len() });
    }
    Ok(())
}

/// The first line without its MAC.
fn header(kind: SealedKind, schema: u32) -> String {
    format!("{FAMILY}/{kind}/{schema}")
}

/// Kind and schema of a header, if it is written exactly as [`header`] writes it.
fn read_header(text: &str) -> Option<(SealedKind, u32)> {
    let mut parts = text.split('/');
    let (_family, kind, schema) = (parts.next()?, parts.next()?, parts.next()?);
    let (kind, schema) = (SealedKind::from_word(kind)?, schema.parse().ok()?);
    // Writing it again settles signs, leading zeros, the family and whatever follows at once.
    (header(kind, schema) == text).then_some((kind, schema))
}

#[cfg(test)]
#[allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that panics has failed, which is what it is for"
)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;

    const KEY_BYTES: [u8; 32] = [7; 32];

    #[test]
    fn what_was_sealed_opens_as_it_was() {
        let value = vec![String::from("a\nb"), String::from("é")];
        let text = sealed(SealedKind::Pass, 3, &value);
        let (line, body) = text.split_once('\n').unwrap_or_default();
        assert!(line.starts_with("gatefold/pass/3 "), "{line}");
        assert_eq!(line.len(), "gatefold/pass/3 ".len() + 64);
        assert_eq!(body, r#"["a\nb","é"]"#);
        assert_eq!(
            open::<Vec<String>>(SealedKind::Pass, 3, &text, &key()),
            Ok(value)
        );
    }

    #[test]
    fn the_bytes_of_a_seal_stay_the_same_forever() {
        // Computed with Python's `hmac` over `gatefold/ticket/1`, a newline and `{"n":1}`.
        let text = "gatefold/ticket/1 8712aa6dfe3e591fb7baf947920f520126d7a92e79c0a6691ea4a10e7021f950\n{\"n\":1}";
        let value: alloc::collections::BTreeMap<&str, u8> = [("n", 1)].into();
        assert_eq!(sealed(SealedKind::Ticket, 1, &value), text);
    }

    #[test]
    fn every_changed_byte_is_refused() {
        let text = sealed(SealedKind::Receipt, 1, &"yes");
        for at in 0..text.len() {
            for flip in [1, 2, 0x20] {
                let mut bytes = text.clone().into_bytes();
                bytes[at] ^= flip;
                let Ok(changed) = String::from_utf8(bytes) else {
                    continue;
                };
                let opened = open::<String>(SealedKind::Receipt, 1, &changed, &key());
                assert!(opened.is_err(), "{changed:?}");
            }
        }
    }

    #[test]
    fn every_cut_and_every_suffix_is_refused() {
        let text = sealed(SealedKind::Receipt, 1, &"yes");
        for end in 0..text.len() {
            assert!(
                open::<String>(SealedKind::Receipt, 1, &text[..end], &key()).is_err(),
                "{end}"
            );
        }
        for suffix in ["\n", " ", "\0", "x"] {
            let longer = format!("{text}{suffix}");
            assert_eq!(open_code(&longer), Err("bad_seal"), "{suffix:?}");
        }
    }

    #[test]
    fn another_key_does_not_open_it() {
        let text = sealed(SealedKind::Receipt, 1, &"yes");
        for bytes in [vec![8; 32], vec![7; 33], vec![7; 64], vec![7; 200]] {
            let other = SealKey::new(&bytes).expect("long enough");
            let opened = open::<String>(SealedKind::Receipt, 1, &text, &other);
            assert_eq!(opened, Err(SealError::BadSeal));
        }
    }

    #[test]
    fn kind_and_schema_are_refused_before_the_seal_is_looked_at() {
        let forged = format!("gatefold/parked/2 {}\n{{", "0".repeat(64));
        assert_eq!(
            open::<u8>(SealedKind::Pass, 2, &forged, &key()),
            Err(SealError::WrongKind {
                want: SealedKind::Pass,
                found: SealedKind::Parked
            })
        );
        assert_eq!(
            open::<u8>(SealedKind::Parked, 1, &forged, &key()),
            Err(SealError::WrongSchema { want: 1, found: 2 })
        );
        // The body is not JSON, and nobody has looked.
        assert_eq!(
            open::<u8>(SealedKind::Parked, 2, &forged, &key()),
            Err(SealError::BadSeal)
        );
    }

    #[test]
    fn the_seal_covers_kind_and_schema() {
        let text = sealed(SealedKind::Receipt, 10, &"yes");
        let relabelled = text.replacen("receipt/10", "receipt/1", 1);
        assert_eq!(open_code(&relabelled), Err("bad_seal"));
        let relabelled = text.replacen("receipt/10", "pass/10", 1);
        assert_eq!(
            open::<String>(SealedKind::Pass, 10, &relabelled, &key()),
            Err(SealError::BadSeal)
        );
    }

    #[test]
    fn only_one_spelling_of_the_header_is_read() {
        let text = sealed(SealedKind::Receipt, 1, &"yes");
        assert_eq!(open_code(&text), Ok(()));
        let (line, body) = text.split_once('\n').unwrap_or_default();
        let (_, mac) = line.split_once(' ').unwrap_or_default();
        for line in [
            String::new(),
            String::from(mac),
            String::from("gatefold/receipt/1"),
            String::from("gatefold/receipt/1 "),
            format!("gatefold/receipt/01 {mac}"),
            format!("gatefold/receipt/+1 {mac}"),
            format!("gatefold/receipt/-1 {mac}"),
            format!("gatefold/receipt/ {mac}"),
            format!("gatefold/receipt/4294967296 {mac}"),
            format!("gatefold/receipt/1/ {mac}"),
            format!("gatefold/receipt {mac}"),
            format!("gatefold/Receipt/1 {mac}"),
            format!("gatefold/memo/1 {mac}"),
            format!("Gatefold/receipt/1 {mac}"),
            format!("/receipt/1 {mac}"),
            format!(" gatefold/receipt/1 {mac}"),
            format!("\u{feff}gatefold/receipt/1 {mac}"),
            format!("gatefold/receipt/1  {mac}"),
            format!("gatefold/receipt/1\t{mac}"),
            format!("gatefold/receipt/1 {mac} "),
            format!("gatefold/receipt/1 {mac}\r"),
            format!("gatefold/receipt/1 {mac}0"),
            format!("gatefold/receipt/1 {}", mac.to_ascii_uppercase()),
            format!("gatefold/receipt/1 0x{mac}"),
            format!("gatefold/receipt/1 {}", "é".repeat(32)),
            format!("gatefold/receipt/1 \n{mac}"),
        ] {
            assert_eq!(
                open_code(&format!("{line}\n{body}")),
                Err("not_sealed"),
                "{line:?}"
            );
        }
        assert_eq!(open_code(line), Err("not_sealed"));
    }

    #[test]
    fn schemas_at_the_ends_are_read() {
        for schema in [0, u32::MAX] {
            let text = sealed(SealedKind::Pass, schema, &1);
            assert_eq!(open::<u8>(SealedKind::Pass, schema, &text, &key()), Ok(1));
        }
    }

    #[test]
    fn a_body_of_another_shape_is_named_so() {
        let text = sealed(SealedKind::Receipt, 1, &7);
        assert_eq!(open_code(&text), Err("unreadable_body"));
    }

    #[test]
    fn a_value_that_is_no_json_is_unwritable() {
        let value: alloc::collections::BTreeMap<Vec<u8>, u8> = [(vec![1], 1)].into();
        let sealed = seal(SealedKind::Pass, 1, &value, &key()).map_err(|error| error.code());
        assert_eq!(sealed, Err("unwritable"));
    }

    #[test]
    fn the_limit_counts_the_whole_text_both_ways() {
        let overhead = sealed(SealedKind::Receipt, 1, &"").len();
        let fits = "a".repeat(SEALED_BYTES_MAX - overhead);
        let mut text = sealed(SealedKind::Receipt, 1, &fits);
        assert_eq!(text.len(), SEALED_BYTES_MAX);
        assert_eq!(open_code(&text), Ok(()));
        text.push(' ');
        let error = SealError::TooLarge {
            bytes: SEALED_BYTES_MAX + 1,
        };
        assert_eq!(
            open::<String>(SealedKind::Receipt, 1, &text, &key()),
            Err(error.clone())
        );
        assert_eq!(
            seal(SealedKind::Receipt, 1, &(fits + "a"), &key()),
            Err(error)
        );
    }

    #[test]
    fn a_short_key_is_refused_and_no_key_is_shown() {
        for bytes in [0, 1, 31] {
            let refused = SealKey::new(&[7; 32][..bytes]).map_err(|error| error.code());
            assert_eq!(refused.map(|_| ()), Err("key_too_short"));
        }
        assert_eq!(format!("{:?}", key()), "SealKey(..)");
    }

    #[test]
    fn every_error_is_one_lower_case_sentence() {
        let text = Text::new("why");
        for error in [
            SealError::KeyTooShort { bytes: 1 },
            SealError::TooLarge { bytes: 1 },
            SealError::NotSealed,
            SealError::WrongKind {
                want: SealedKind::Pass,
                found: SealedKind::Ticket,
            },
            SealError::WrongSchema { want: 1, found: 2 },
            SealError::BadSeal,
            SealError::UnreadableBody(text.clone()),
            SealError::Unwritable(text),
        ] {
            let sentence = error.to_string();
            assert!(
                sentence.starts_with(|first: char| first.is_ascii_lowercase()),
                "{sentence}"
            );
            assert!(!sentence.ends_with('.'), "{sentence}");
        }
    }

    fn key() -> SealKey {
        SealKey::new(&KEY_BYTES).expect("long enough")
    }

    fn sealed<T: Serialize>(kind: SealedKind, schema: u32, value: &T) -> String {
        seal(kind, schema, value, &key()).expect("small and writable")
    }

    fn open_code(text: &str) -> Result<(), &'static str> {
        open::<String>(SealedKind::Receipt, 1, text, &key())
            .map(|_| ())
            .map_err(|error| error.code())
    }
}
