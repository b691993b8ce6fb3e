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
mod tests {
    use alloc::boxed::Box;
    use alloc::collections::BTreeMap;
    use alloc::format;
    use alloc::string::ToString;
    use alloc::vec;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn canonical_text_is_the_one_spelling() {
        let rows = [
            ("{}", "{}"),
            (" \t\r\n{ \t\r\n} \t\r\n", "{}"),
            (
                r#"{ "a" : [ 1 , [ ] , { } , null , true , false ] }"#,
                r#"{"a":[1,[],{},null,true,false]}"#,
            ),
            (r#"{"b":1,"a":2}"#, r#"{"a":2,"b":1}"#),
            (
                r#"{"b":{"d":1,"c":2},"a":[{"f":1,"e":2}]}"#,
                r#"{"a":[{"e":2,"f":1}],"b":{"c":2,"d":1}}"#,
            ),
            (r#"{"ab":1,"a":2,"":3}"#, r#"{"":3,"a":2,"ab":1}"#),
            // The quote and the control sort by what they are, not by how they are written.
            (
                r#"{"!":1,"\"":2,"\u0001":3,"\u0041":4}"#,
                r#"{"\u0001":3,"!":1,"\"":2,"A":4}"#,
            ),
            (r#"{"k":"\u0061\/\u00e9\ud83d\ude00"}"#, r#"{"k":"a/é😀"}"#),
            (
                r#"{"k":"\u0008\u0009\u000A\u000C\u000D\u001F\u0000"}"#,
                r#"{"k":"\b\t\n\f\r\u001f\u0000"}"#,
            ),
            (r#"{"k":"\u0022\u005C"}"#, r#"{"k":"\"\\"}"#),
            (r#"{"k":"\\\"\\"}"#, r#"{"k":"\\\"\\"}"#),
            (
                r#"{"k":"\u007f\u0080\u2028\u2029\ufeff\uffff"}"#,
                "{\"k\":\"\u{7f}\u{80}\u{2028}\u{2029}\u{feff}\u{ffff}\"}",
            ),
            (r#"{"k":"}],:{["}"#, r#"{"k":"}],:{["}"#),
            (
                r#"{"{":1,"[":2,",":3,":":4}"#,
                r#"{",":3,":":4,"[":2,"{":1}"#,
            ),
            ("{\"k\":\" \u{a0} \"}", "{\"k\":\" \u{a0} \"}"),
        ];
        for (text, canonical) in rows {
            assert_eq!(
                Args::parse(text).as_ref().map(Args::as_str),
                Ok(canonical),
                "{text}"
            );
            assert_eq!(
                Args::parse(canonical).as_ref().map(Args::as_str),
                Ok(canonical)
            );
        }
    }

    #[test]
    fn a_number_keeps_its_text() {
        let numbers = [
            "0",
            "-0",
            "-0.0",
            "1",
            "1.0",
            "1.00",
            "1e5",
            "1E5",
            "1e+5",
            "1E-05",
            "100000",
            "1e999999999",
            "12345678901234567890123",
            "12345678901234567890124",
            "0.1",
            "0.10",
            "18446744073709551616",
            "-9223372036854775809",
            "1.7976931348623157e309",
        ];
        let mut digests = Vec::new();
        for number in numbers {
            let canonical = format!("{{\"n\":[{number},{number}]}}");
            let args = read(&format!("{{ \"n\" : [\n{number} ,{number}\t] }}"));
            assert_eq!(args.as_str(), canonical);
            digests.push(args.digest());
        }
        digests.sort();
        digests.dedup();
        assert_eq!(digests.len(), numbers.len());
    }

    #[test]
    fn keys_are_sorted_by_their_utf8_bytes() {
        // In UTF-16 the emoji (d83d) would come before the halfwidth katakana (ff71).
        let args = read("{\"😀\":1,\"ｱ\":2,\"é\":3,\"z\":4,\"Z\":5,\"\\ud83d\\ude01\":6}");
        assert_eq!(
            args.as_str(),
            "{\"Z\":5,\"z\":4,\"é\":3,\"ｱ\":2,\"😀\":1,\"😁\":6}"
        );
    }

    #[test]
    fn what_is_not_an_object_in_json_is_refused() {
        let rows = [
            ("", "not_json"),
            (" ", "not_json"),
            ("{", "not_json"),
            ("{}}", "not_json"),
            ("{}{}", "not_json"),
            ("{} x", "not_json"),
            ("{},", "not_json"),
            ("{}\0", "not_json"),
            ("\0{}", "not_json"),
            ("\u{feff}{}", "not_json"),
            ("{}\u{feff}", "not_json"),
            ("\u{a0}{}", "not_json"),
            ("\u{b}{}", "not_json"),
            ("{\u{2028}}", "not_json"),
            ("// a\n{}", "not_json"),
            ("{/**/}", "not_json"),
            (r"{'a':1}", "not_json"),
            (r"{a:1}", "not_json"),
            (r#"{"a":1,}"#, "not_json"),
            (r#"{,"a":1}"#, "not_json"),
            (r#"{"a":[1,]}"#, "not_json"),
            (r#"{"a":[1 2]}"#, "not_json"),
            (r#"{"a" 1}"#, "not_json"),
            (r#"{"a":}"#, "not_json"),
            (r#"{"a"}"#, "not_json"),
            (r"{1:1}", "not_json"),
            (r#"{"a":[}]"#, "not_json"),
            (r#"{"a":01}"#, "not_json"),
            (r#"{"a":-}"#, "not_json"),
            (r#"{"a":+1}"#, "not_json"),
            (r#"{"a":.5}"#, "not_json"),
            (r#"{"a":1.}"#, "not_json"),
            (r#"{"a":1e}"#, "not_json"),
            (r#"{"a":0x1}"#, "not_json"),
            (r#"{"a":NaN}"#, "not_json"),
            (r#"{"a":Infinity}"#, "not_json"),
            (r#"{"a":True}"#, "not_json"),
            (r#"{"a":truefalse}"#, "not_json"),
            (r#"{"a":nul}"#, "not_json"),
            ("{\"a\":\"\n\"}", "not_json"),
            ("{\"a\":\"\0\"}", "not_json"),
            ("{\"a\t\":1}", "not_json"),
            (r#"{"a":"\x41"}"#, "not_json"),
            (r#"{"a":"\u00g0"}"#, "not_json"),
            (r#"{"a":"\u00"}"#, "not_json"),
            (r#"{"a":"\U0041"}"#, "not_json"),
            (r#"{"a":"b}"#, "not_json"),
            (r#"{"a":"b\"}"#, "not_json"),
            ("null", "not_an_object"),
            ("[]", "not_an_object"),
            (r#" [{"a":1}]"#, "not_an_object"),
            (r#""{}""#, "not_an_object"),
            (r#""\ud800""#, "not_an_object"),
            ("7", "not_an_object"),
            ("true", "not_an_object"),
        ];
        for (text, code) in rows {
            assert_eq!(code_of(text), Err(code), "{text:?}");
        }
    }

    #[test]
    fn a_syntax_error_names_line_and_column() {
        assert_eq!(
            Args::parse("{\n  \"a\": x}"),
            Err(ArgsError::NotJson { line: 2, column: 8 })
        );
    }

    #[test]
    fn half_a_surrogate_pair_is_refused_wherever_it_stands() {
        let halves = [
            r"\ud800",
            r"\uD800",
            r"\udbff",
            r"\udc00",
            r"\udfff",
            r"a\ud800b",
            r"\ud800\ud800",
            r"\udc00\ud800",
            r"\ud800\u0041",
            r"\ud800\n",
            r"\ud83d\ude00\ud83d",
            r"\\\ud800",
        ];
        for half in halves {
            for (before, after) in [
                (r#"{"a":"#, "}"),
                (r#"{"a":[["#, "]]}"),
                (r#"{"a":{"b":[{"c":"#, "}]}}"),
                (r#"{"a":1,"b":[1,"x","#, "]}"),
                ("{", ":1}"),
                (r#"{"a":["#, "]}"),
                (r#"{"a":[{"#, ":{}}]}"),
                (r#"{"a":1,"#, ":1}"),
            ] {
                let text = format!("{before}\"{half}\"{after}");
                let error = ArgsError::LoneSurrogate { at: before.len() };
                assert_eq!(Args::parse(&text), Err(error), "{text}");
            }
        }
        // A backslash that is itself escaped makes no surrogate, and a whole pair is a character.
        assert_eq!(code_of(r#"{"a":"\\ud800","b":"\ud800\udc00"}"#), Ok(()));
    }

    #[test]
    fn a_key_stands_once_in_an_object() {
        let rows = [
            (r#"{"a":1,"a":1}"#, "a", 7),
            (r#"{"a":1,"\u0061":2}"#, "a", 7),
            (r#"{"\u0061":1,"a":2}"#, "a", 12),
            (r#"{"c":1,"a":1,"b":1,"a":2,"d":1}"#, "a", 19),
            (r#"{"":1,"":2}"#, "", 6),
            (r#"{"/":1,"\/":2}"#, "/", 7),
            (r#"{"😀":1,"\ud83d\ude00":2}"#, "😀", 10),
            (r#"{"x":[{"y":{"a":1,"a":1}}]}"#, "a", 18),
            (r#"{"\n":1,"\u000a":1}"#, "\n", 8),
        ];
        for (text, key, at) in rows {
            let error = ArgsError::DuplicateKey {
                key: Text::new(key),
                at,
            };
            assert_eq!(Args::parse(text), Err(error), "{text}");
        }
        // The same key in two objects, in another case, or in another normal form, is another key.
        for text in [
            r#"{"a":{"a":[{"a":1},{"a":1}]}}"#,
            r#"{"a":1,"A":1}"#,
            "{\"é\":1,\"e\u{301}\":1}",
            r#"{"a":1,"a\u0000":1}"#,
            r#"{"a":1,"a ":1}"#,
        ] {
            assert_eq!(code_of(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn sixty_four_levels_pass_and_sixty_five_do_not() {
        for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
            let nested = |levels: usize| {
                let inner = levels - 1;
                format!(r#"{{"k":{}1{}}}"#, open.repeat(inner), close.repeat(inner))
            };
            assert_eq!(code_of(&nested(ARGS_DEPTH_MAX)), Ok(()));
            let at = r#"{"k":"#.len() + open.len() * (ARGS_DEPTH_MAX - 1);
            assert_eq!(
                Args::parse(&nested(ARGS_DEPTH_MAX + 1)),
                Err(ArgsError::TooDeep { at })
            );
        }
        // Siblings do not add up, and brackets in strings are no brackets.
        let wide = format!(
            "{{\"k\":[{}[]],\"s\":\"{}\"}}",
            "[],".repeat(200),
            "[{".repeat(200)
        );
        assert_eq!(code_of(&wide), Ok(()));
        let open = "[".repeat(ARGS_BYTES_MAX / 4);
        assert_eq!(code_of(&format!("{{\"a\":{open}")), Err("not_json"));
        let close = "]".repeat(ARGS_BYTES_MAX / 4);
        assert_eq!(
            code_of(&format!("{{\"a\":{open}{close}}}")),
            Err("too_deep")
        );
    }

    #[test]
    fn one_mebibyte_passes_and_a_byte_more_does_not() {
        let frame = r#"{"a":""}"#.len();
        let fits = format!(r#"{{"a":"{}"}}"#, "x".repeat(ARGS_BYTES_MAX - frame));
        assert_eq!(fits.len(), ARGS_BYTES_MAX);
        assert_eq!(read(&fits).as_str(), fits);
        let error = ArgsError::TooLarge {
            bytes: ARGS_BYTES_MAX + 1,
        };
        assert_eq!(Args::parse(&format!("{fits} ")), Err(error.clone()));
        // Size is looked at first.
        assert_eq!(Args::parse(&"x".repeat(ARGS_BYTES_MAX + 1)), Err(error));
        let blanks = format!("{}{{}}", " ".repeat(ARGS_BYTES_MAX - 2));
        assert_eq!(read(&blanks), Args::empty());
    }

    #[test]
    fn hostile_shapes_of_a_mebibyte_are_read_whole() {
        let keys: Vec<String> = (0..90_000).rev().map(|n| format!("\"{n:05}\":0")).collect();
        let many = format!("{{{}}}", keys.join(","));
        assert!(read(&many).as_str().starts_with(r#"{"00000":0,"00001":0"#));

        let mut unsorted = String::from("0");
        let filler = "x".repeat(ARGS_BYTES_MAX / ARGS_DEPTH_MAX - 32);
        for _ in 0..ARGS_DEPTH_MAX {
            unsorted = format!("{{\"b\":{unsorted},\"a\":\"{filler}\"}}");
        }
        assert!(
            read(&unsorted)
                .as_str()
                .ends_with(&"}".repeat(ARGS_DEPTH_MAX))
        );

        let escapes = format!(r#"{{"a":"{}"}}"#, r"\u0000".repeat(170_000));
        assert_eq!(read(&escapes).as_str(), escapes);
    }

    #[test]
    fn json_holds_args_as_a_string() {
        let args = read(r#"{"b":"\"","a":1.0}"#);
        let json = serde_json::to_string(&args).expect("a string");
        assert_eq!(json, r#""{\"a\":1.0,\"b\":\"\\\"\"}""#);
        assert_eq!(serde_json::from_str(&json).ok(), Some(args));
        // Whoever changed a saved text is held to the same rules.
        let respelled = serde_json::from_str::<Args>(r#""{\"b\":1, \"a\":2}""#).ok();
        assert_eq!(respelled, Some(read(r#"{"a":2,"b":1}"#)));
        for json in [r#""[]""#, r#""{\"a\":1,\"a\":1}""#, "{}", "null"] {
            assert!(serde_json::from_str::<Args>(json).is_err(), "{json}");
        }
    }

    #[test]
    fn embedded_json_is_the_canonical_text() {
        let args = read(r#"{"n":12345678901234567890123,"k":[1.0,-0,1e5]}"#);
        assert_eq!(
            serde_json::to_string(&args.json()).ok().as_deref(),
            Some(args.as_str())
        );
    }

    #[test]
    fn proposed_args_keep_their_kind_in_json() {
        for (new, json) in [
            (NewArgs::from(Args::empty()), r#"{"canonical":"{}"}"#),
            (NewArgs::from("{ }"), r#"{"text":"{ }"}"#),
            (NewArgs::from("\0"), r#"{"text":"\u0000"}"#),
        ] {
            assert_eq!(serde_json::to_string(&new).ok().as_deref(), Some(json));
            assert_eq!(serde_json::from_str(json).ok(), Some(new));
        }
        assert!(serde_json::from_str::<NewArgs>(r#"{"canonical":"[]"}"#).is_err());
        assert_eq!(
            NewArgs::from("\0").read().map_err(|error| error.code()),
            Err("not_json")
        );
    }

    #[test]
    fn every_error_is_one_lower_case_sentence() {
        let key = Text::new("a\n\"b");
        for error in [
            ArgsError::NotJson { line: 1, column: 2 },
            ArgsError::NotAnObject,
            ArgsError::DuplicateKey { key, at: 3 },
            ArgsError::LoneSurrogate { at: 4 },
            ArgsError::TooDeep { at: 5 },
            ArgsError::TooLarge { bytes: 6 },
        ] {
            let sentence = error.to_string();
            assert!(
                sentence.starts_with(|first: char| first.is_ascii_lowercase()),
                "{sentence}"
            );
            assert!(
                !sentence.contains('\n') && !sentence.ends_with('.'),
                "{sentence}"
            );
        }
    }

    proptest! {
        #[test]
        fn the_walk_agrees_with_a_plain_reading(text in object(), noise in any::<u64>()) {
            let text = spread(&text, noise);
            let args = Args::parse(&text).expect("generated objects are in order");
            prop_assert_eq!(args.as_str(), plainly(&text));
            prop_assert!(args.as_str().len() <= text.len());
            prop_assert_eq!(Args::parse(args.as_str()), Ok(args));
        }

        #[test]
        fn no_text_makes_it_panic(text in "[{}\\[\\]\",:\\\\u0-9a-f \n\\.\\-+eE\u{2028}é]{0,60}") {
            let wrapped = format!("{{\"a\":{text}}}");
            for text in [text, wrapped] {
                if let Ok(args) = Args::parse(&text) {
                    prop_assert_eq!(args.as_str(), plainly(&text));
                }
            }
        }
    }

    fn read(text: &str) -> Args {
        Args::parse(text).expect("good args")
    }

    fn code_of(text: &str) -> Result<(), &'static str> {
        Args::parse(text).map(|_| ()).map_err(|error| error.code())
    }

    /// The reference: every level read again by `serde_json`, which is quadratic and plain.
    fn plainly(text: &str) -> String {
        let text = text.trim_matches(BLANKS);
        if text.starts_with('{') {
            let members: BTreeMap<String, Box<RawValue>> =
                serde_json::from_str(text).expect("object");
            let members: Vec<String> = members
                .iter()
                .map(|(key, value)| {
                    format!(
                        "{}:{}",
                        serde_json::to_string(key).expect("key"),
                        plainly(value.get())
                    )
                })
                .collect();
            format!("{{{}}}", members.join(","))
        } else if text.starts_with('[') {
            let items: Vec<Box<RawValue>> = serde_json::from_str(text).expect("array");
            let items: Vec<String> = items.iter().map(|item| plainly(item.get())).collect();
            format!("[{}]", items.join(","))
        } else if text.starts_with('"') {
            let meant: String = serde_json::from_str(text).expect("string");
            serde_json::to_string(&meant).expect("string")
        } else {
            text.into()
        }
    }

    /// Puts white space after some of the marks that stand outside strings.
    fn spread(text: &str, mut noise: u64) -> String {
        let (mut spread, mut inside, mut escaped) = (String::new(), false, false);
        for character in text.chars() {
            spread.push(character);
            if character == '"' && !escaped {
                inside = !inside;
            }
            escaped = character == '\\' && !escaped;
            if !inside && "{}[]:,\"".contains(character) {
                spread.push_str(["", " ", "\n", "\t\r"][usize::try_from(noise % 4).unwrap_or(0)]);
                noise = noise.rotate_right(2);
            }
        }
        spread
    }

    fn object() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            string(),
            "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{1,5})?([eE][+-]?[0-9]{1,3})?",
            prop::sample::select(vec!["null", "true", "false", "{}", "[]"]).prop_map(String::from),
        ];
        let value = leaf.prop_recursive(5, 60, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6)
                    .prop_map(|items| format!("[{}]", items.join(","))),
                members(inner),
            ]
        });
        members(value)
    }

    /// Objects in any order of keys, without duplicates.
    fn members(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
        prop::collection::vec((string(), value), 0..6).prop_map(|members| {
            let mut seen = BTreeMap::new();
            for (at, (key, value)) in members.into_iter().enumerate() {
                let meant: String = serde_json::from_str(&key).expect("string");
                seen.entry(meant).or_insert((at, format!("{key}:{value}")));
            }
            let mut members: Vec<(usize, String)> = seen.into_values().collect();
            members.sort();
            let members: Vec<String> = members.into_iter().map(|(_, member)| member).collect();
            format!("{{{}}}", members.join(","))
        })
    }

    /// A string in a spelling of its own: raw, short escapes, `\u` escapes in either case.
    fn string() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            "[a-c{}\\[\\]:, ]",
            "[\u{7f}\u{80}é\u{2028}\u{ff71}\u{ffff}😀]",
            "\\\\[\"\\\\/bfnrt]",
            "\\\\u00[0-7][0-9a-fA-F]",
            Just(String::from("\\ud83d\\uDE00")),
        ];
        prop::collection::vec(piece, 0..5).prop_map(|pieces| format!("\"{}\"", pieces.concat()))
    }
}
