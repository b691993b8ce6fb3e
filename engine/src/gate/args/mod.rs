//! The arguments of a tool call: one JSON object in one canonical spelling.
//!
//! Keys are sorted by their UTF-8 bytes; there is no white space; only `"`, `\` and the C0 controls
//! are escaped (`\b \t \n \f \r`, else `\u00xx`); a number keeps the text it had, because `1.0`,
//! `1` and a number of 23 digits may mean different things to a tool. Equal text is therefore an
//! equal call, and the digest of the text is what a yes is bound to.
//!
//! `serde_json` says whether a text is JSON and what its strings mean. What it does not say, or
//! says differently once another crate of the host switches on one of its features, is read here,
//! from the text: the order of keys, duplicates, and the spelling of numbers.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::{self, Write};
use core::ops::Range;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use serde_json::value::RawValue;

use super::digest::Digest;
use super::text::Text;
use crate::faults::fault;
use crate::limits::{ARGS_BYTES_MAX, ARGS_DEPTH_MAX};

/// What JSON takes as white space, and nothing else does.
const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

/// The arguments of a tool call: a JSON object in canonical text.
///
/// Cloning is free, equality is of bytes. At most 1 MiB ([`ARGS_BYTES_MAX`]), nested at most 64
/// deep ([`ARGS_DEPTH_MAX`]), the object itself included. In JSON it stands as a *string* that
/// holds the text, so that nobody on the way can respell it; [`Args::json`] embeds it as an object.
///
/// ```
/// use gatefold::gate::{Args, ArgsError};
///
/// let args = Args::parse(r#"{ "path": "\u0061.txt", "line": 1.0 }"#)?;
/// assert_eq!(args.as_str(), r#"{"line":1.0,"path":"a.txt"}"#);
/// assert_eq!(args, Args::parse(r#"{"line":1.0,"path":"a.txt"}"#)?);
///
/// let refused = Args::parse(r#"{"path": "a.txt", "p\u0061th": "b.txt"}"#);
/// assert_eq!(refused.unwrap_err().code(), "duplicate_key");
/// # Ok::<(), ArgsError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Args(Arc<str>);

impl Args {
    /// Reads an object and brings it to its canonical spelling.
    ///
    /// The limits are of the text as given; the canonical text is never longer. A text with several
    /// faults is refused for its size, else as no JSON, else as no object, else for the first that
    /// a reader from left to right is sure of: a duplicate key when its object closes.
    ///
    /// The cost is linear in the text but for the order of keys: each object whose keys are not
    /// sorted costs one sort and one copy of its own text. At worst, with unsorted objects nested
    /// all the way, the text is copied [`ARGS_DEPTH_MAX`] times. The stack holds one frame a level.
    ///
    /// # Errors
    ///
    /// `too_large`, `not_json`, `not_an_object`, `too_deep`, `duplicate_key`, `lone_surrogate`.
    pub fn parse(text: &str) -> Result<Self, ArgsError> {
        if text.len() > ARGS_BYTES_MAX {
            return Err(ArgsError::TooLarge { bytes: text.len() });
        }
        // Skipping takes no stack, however deep the text is nested, and converts no number.
        serde_json::from_str::<IgnoredAny>(text).map_err(|error| ArgsError::NotJson {
            line: error.line(),
            column: error.column(),
        })?;
        if !text.trim_start_matches(BLANKS).starts_with('{') {
            return Err(ArgsError::NotAnObject);
        }
        let mut walk = Walk {
            text,
            rest: text,
            written: String::with_capacity(text.len()),
        };
        walk.value(0)?;
        Ok(Self(walk.written.into()))
    }

    /// The object without members, `{}`.
    pub fn empty() -> Self {
        Self("{}".into())
    }

    /// The canonical text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The SHA-256 digest of the canonical text.
    ///
    /// ```
    /// use gatefold::gate::{Args, Digest};
    /// assert_eq!(Args::empty().digest(), Digest::of(b"{}"));
    /// ```
    pub fn digest(&self) -> Digest {
        Digest::of(self.0.as_bytes())
    }

    /// The args as JSON that `serde_json` embeds as an object, byte for byte.
    ///
    /// ```
    /// use gatefold::gate::Args;
    /// let args = Args::parse(r#"{"b": 1e5, "a": 0.10}"#)?;
    /// assert_eq!(serde_json::to_string(&args.json())?, r#"{"a":0.10,"b":1e5}"#);
    /// assert_eq!(serde_json::to_string(&args)?, r#""{\"a\":0.10,\"b\":1e5}""#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn json(&self) -> ArgsJson<'_> {
        ArgsJson(&self.0)
    }
}

impl fmt::Display for Args {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Args {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Args({})", self.0)
    }
}

impl Serialize for Args {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Args {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

/// Args that serialise as an object instead of as a string; see [`Args::json`].
///
/// Only `serde_json` knows how to embed raw JSON; another format writes what it makes of a
/// [`RawValue`].
#[derive(Clone, Copy, Debug)]
pub struct ArgsJson<'a>(&'a str);

impl Serialize for ArgsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(self.0).map_err(ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// Why a text is not args. Offsets are in bytes from the start of the text, from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArgsError {
    /// Give one JSON value and nothing after it; a byte order mark and comments are not JSON.
    #[error("args are not json at line {line} column {column}")]
    NotJson {
        /// The line of the fault, from 1.
        line: usize,
        /// Its column in bytes, from 1; 0 at the start of a line.
        column: usize,
    },
    /// Wrap the value in an object under the name the tool knows it by.
    #[error("args are not a json object")]
    NotAnObject,
    /// Leave one of the two out: tools disagree on which of them counts.
    #[error("key {:?} stands twice in one object of the args, again at byte {at}", .key.as_str())]
    DuplicateKey {
        /// The key, unescaped; clipped when it is over 4 KiB.
        key: Text,
        /// Where it stands for the second time.
        at: usize,
    },
    /// Write a character beyond U+FFFF as itself or as both halves of its pair; a half alone is
    /// no text.
    #[error("a string of the args holds half a surrogate pair, in the string at byte {at}")]
    LoneSurrogate {
        /// Where the string begins.
        at: usize,
    },
    /// Flatten the value, or hand it over in a file.
    #[error("args are nested deeper than {ARGS_DEPTH_MAX}, at byte {at}")]
    TooDeep {
        /// Where the first object or array too deep begins.
        at: usize,
    },
    /// Hand the content over in a file.
    #[error("args have at most {ARGS_BYTES_MAX} bytes, not {bytes}")]
    TooLarge {
        /// The text as given, in bytes.
        bytes: usize,
    },
}

impl ArgsError {
    /// The stable word of this error.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotJson { .. } => "not_json",
            Self::NotAnObject => "not_an_object",
            Self::DuplicateKey { .. } => "duplicate_key",
            Self::LoneSurrogate { .. } => "lone_surrogate",
            Self::TooDeep { .. } => "too_deep",
            Self::TooLarge { .. } => "too_large",
        }
    }
}

/// Args that somebody proposes: a hook's rewrite, a policy's rewrite, a person's edit.
///
/// They are read only where they are used, so that a bad proposal is that peer's fault there and
/// not a failure of the host that passed it on. Equality is of what was proposed: a text never
/// equals args.
///
/// ```
/// use gatefold::gate::{Args, NewArgs};
/// assert_eq!(NewArgs::from("{ }").read(), Ok(Args::empty()));
/// assert_eq!(NewArgs::from(Args::empty()).read(), Ok(Args::empty()));
/// assert_eq!(NewArgs::from("[]").read().unwrap_err().code(), "not_an_object");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NewArgs {
    /// Args already read.
    Canonical(Args),
    /// Text as it came, of any length.
    Text(Arc<str>),
}

impl NewArgs {
    /// The proposed args.
    ///
    /// # Errors
    ///
    /// For a text, those of [`Args::parse`]; never for canonical args.
    pub fn read(&self) -> Result<Args, ArgsError> {
        match self {
            Self::Canonical(args) => Ok(args.clone()),
            Self::Text(text) => Args::parse(text),
        }
    }
}

impl From<Args> for NewArgs {
    fn from(args: Args) -> Self {
        Self::Canonical(args)
    }
}

impl From<&str> for NewArgs {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

/// A walk over a text that is known to be JSON, writing it canonically.
///
/// Because the text is valid, a step only has to tell apart what JSON allows at its place.
struct Walk<'a> {
    text: &'a str,
    rest: &'a str,
    written: String,
}

/// A member of an open object.
struct Member<'a> {
    key: Cow<'a, str>,
    /// Where the key stands in the text.
    at: usize,
    /// Where key and value stand in what was written since the object was opened.
    written: Range<usize>,
}

impl<'a> Walk<'a> {
    /// Writes the value that comes next, inside `depth` open objects and arrays.
    fn value(&mut self, depth: usize) -> Result<(), ArgsError> {
        self.skip_blanks();
        match self.rest.bytes().next() {
            Some(b'{' | b'[') if depth >= ARGS_DEPTH_MAX => {
                Err(ArgsError::TooDeep { at: self.at() })
            }
            Some(b'{') => self.object(depth.saturating_add(1)),
            Some(b'[') => self.array(depth.saturating_add(1)),
            Some(b'"') => self.string().map(|_| ()),
            _ => {
                let end = self.rest.find([',', ']', '}', ' ', '\t', '\n', '\r']);
                let scalar = self.take(end.unwrap_or(self.rest.len()));
                self.written.push_str(scalar);
                Ok(())
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<(), ArgsError> {
        self.eat('[');
        self.written.push('[');
        if !self.eat(']') {
            self.value(depth)?;
            while self.eat(',') {
                self.written.push(',');
                self.value(depth)?;
            }
            self.eat(']');
        }
        self.written.push(']');
        Ok(())
    }

    fn object(&mut self, depth: usize) -> Result<(), ArgsError> {
        self.eat('{');
        self.written.push('{');
        if !self.eat('}') {
            let start = self.written.len();
            let mut members = Vec::new();
            members.push(self.member(start, depth)?);
            while self.eat(',') {
                self.written.push(',');
                members.push(self.member(start, depth)?);
            }
            self.eat('}');
            self.sort(start, members)?;
        }
        self.written.push('}');
        Ok(())
    }

    /// Writes the key and value that come next.
    fn member(&mut self, start: usize, depth: usize) -> Result<Member<'a>, ArgsError> {
        self.skip_blanks();
        let at = self.at();
        let from = self.written.len().saturating_sub(start);
        let key = self.string()?;
        self.eat(':');
        self.written.push(':');
        self.value(depth)?;
        let to = self.written.len().saturating_sub(start);
        Ok(Member {
            key,
            at,
            written: from..to,
        })
    }

    /// Brings the members written since `start` into the order of their keys.
    fn sort(&mut self, start: usize, mut members: Vec<Member<'a>>) -> Result<(), ArgsError> {
        if members.is_sorted_by(|one, next| one.key < next.key) {
            return Ok(());
        }
        // Stable, so that of two equal keys the later one is named.
        members.sort_by(|one, other| one.key.cmp(&other.key));
        for (one, next) in members.iter().zip(members.iter().skip(1)) {
            if one.key == next.key {
                return Err(ArgsError::DuplicateKey {
                    key: Text::new(&next.key),
                    at: next.at,
                });
            }
        }
        if fault!(KeysKeepTheirOrder) {
            return Ok(());
        }
        let unsorted = self.written.split_off(start);
        for (index, member) in members.into_iter().enumerate() {
            if index > 0 {
                self.written.push(',');
            }
            self.written
                .push_str(unsorted.get(member.written).unwrap_or_default());
        }
        Ok(())
    }

    /// Writes the string that comes next and says what it means.
    fn string(&mut self) -> Result<Cow<'a, str>, ArgsError> {
        let at = self.at();
        let (mut quotes, mut escaped, mut has_escapes) = (0_u8, false, false);
        let last = self.rest.bytes().position(|byte| {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => (escaped, has_escapes) = (true, true),
                b'"' => quotes = quotes.saturating_add(1),
                _ => {}
            }
            quotes == 2
        });
        let token = self.take(last.map_or(self.rest.len(), |last| last.saturating_add(1)));
        if !has_escapes {
            // What needs escaping cannot stand unescaped, so the text is canonical as it is.
            self.written.push_str(token);
            return Ok(Cow::Borrowed(token.trim_matches('"')));
        }
        // Skipping a string does not look at its surrogates; reading it does, and of all that can
        // be wrong with a string only they are left.
        let meant: String =
            serde_json::from_str(token).map_err(|_| ArgsError::LoneSurrogate { at })?;
        self.write_string(&meant);
        Ok(Cow::Owned(meant))
    }

    fn write_string(&mut self, meant: &str) {
        self.written.push('"');
        for character in meant.chars() {
            match character {
                '"' => self.written.push_str("\\\""),
                '\\' => self.written.push_str("\\\\"),
                '\u{8}' => self.written.push_str("\\b"),
                '\t' => self.written.push_str("\\t"),
                '\n' => self.written.push_str("\\n"),
                '\u{c}' => self.written.push_str("\\f"),
                '\r' => self.written.push_str("\\r"),
                '\0'..='\u{1f}' => {
                    // Writing to a string cannot fail.
                    let _ = write!(self.written, "\\u{:04x}", u32::from(character));
                }
                _ => self.written.push(character),
            }
        }
        self.written.push('"');
    }

    /// Where the walk stands in the text.
    const fn at(&self) -> usize {
        self.text.len().saturating_sub(self.rest.len())
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches(BLANKS);
    }

    /// Steps over blanks and then over `mark`, if it comes next.
    fn eat(&mut self, mark: char) -> bool {
        self.skip_blanks();
        self.rest
            .strip_prefix(mark)
            .inspect(|rest| self.rest = rest)
            .is_some()
    }

    /// Steps over the next `bytes` bytes.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }
}

#[cfg(test)]
#[allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that panics has failed, which is what it is for"
)]
mod tests;
