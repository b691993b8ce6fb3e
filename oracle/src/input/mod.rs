//! From bytes to one JSON object, strictly: in UTF-8, of known fields, and nothing after it.

pub(crate) mod object;
pub(crate) mod sentence;

use std::io::{self, Read};

use serde::de::DeserializeOwned;
use thiserror::Error;

use sentence::Fault;

/// The input, in bytes (16 MiB).
pub(crate) const INPUT_BYTES_MAX: usize = 16 << 20;

/// What a sentence quotes of the input, in characters.
const QUOTED_CHARS_MAX: usize = 400;

/// Why an input is not the object that is expected.
#[derive(Debug, Error)]
#[non_exhaustive]
pub(crate) enum ReadError {
    /// Give the object on standard input.
    #[error("standard input cannot be read: {0}")]
    Unreadable(io::Error),
    /// Give a JSON object.
    #[error(
        "the input is empty, or standard input is closed; give one json object on standard input"
    )]
    Empty,
    /// Hand big content to the tool in a file.
    #[error(
        "the input has more than {INPUT_BYTES_MAX} bytes; hand big content to the tool in a file"
    )]
    TooLarge,
    /// Write the input as UTF-8.
    #[error(
        "the input is not utf-8 at byte {at} (line {line}, column {column}); write it as utf-8"
    )]
    NotUtf8 {
        at: usize,
        line: usize,
        column: usize,
    },
    /// Write the input without one.
    #[error(
        "the input begins with a byte order mark (line 1, column 1), which is not json; leave it out"
    )]
    ByteOrderMark,
    /// Write the object as the command's `--help` describes it.
    #[error("bad input{place}: {}", clipped(.what))]
    Malformed { place: Place, what: String },
}

impl ReadError {
    /// Something wrong with the value at this place.
    pub(crate) fn at(path: impl Into<String>, what: impl Into<String>) -> Self {
        let place = Place {
            path: Some(path.into()),
            at: None,
        };
        Self::Malformed {
            place,
            what: what.into(),
        }
    }

    /// The stable code.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "unreadable_input",
            Self::Empty => "empty_input",
            Self::TooLarge => "too_large",
            Self::NotUtf8 { .. } => "not_utf8",
            Self::ByteOrderMark => "byte_order_mark",
            Self::Malformed { .. } => "not_a_request",
        }
    }

    /// What is wrong with the JSON of the input.
    pub(crate) fn json(fault: Fault) -> Self {
        let Fault { path, at, what } = fault;
        let at = Some(at);
        Self::Malformed {
            place: Place { path, at },
            what,
        }
    }
}

/// Where in the input something is wrong: by path, by line and column, or both.
#[derive(Debug, Default)]
pub(crate) struct Place {
    path: Option<String>,
    /// Line and column, from 1.
    at: Option<(usize, usize)>,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(path) = &self.path {
            write!(f, " at {}", clipped(path))?;
        }
        match (self.at, &self.path) {
            (Some((line, column)), Some(_)) => write!(f, " (line {line}, column {column})"),
            (Some((line, column)), None) => write!(f, " at line {line}, column {column}"),
            (None, _) => Ok(()),
        }
    }
}

/// The head of a text that the input may have made as long as itself.
fn clipped(text: &str) -> String {
    let mut chars = text.chars();
    let mut head: String = chars.by_ref().take(QUOTED_CHARS_MAX).collect();
    if chars.next().is_some() {
        head.push('…');
    }
    head
}

/// The whole input as text.
pub(crate) fn text(input: impl Read) -> Result<String, ReadError> {
    let mut bytes = Vec::new();
    let one_more = u64::try_from(INPUT_BYTES_MAX)
        .unwrap_or(u64::MAX)
        .saturating_add(1);
    input
        .take(one_more)
        .read_to_end(&mut bytes)
        .map_err(ReadError::Unreadable)?;
    if bytes.len() > INPUT_BYTES_MAX {
        return Err(ReadError::TooLarge);
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let good = error.as_bytes().get(..at).unwrap_or_default();
        let lines = good.split(|byte| *byte == b'\n').count();
        let on_line = good
            .rsplit(|byte| *byte == b'\n')
            .next()
            .map_or(0, <[u8]>::len);
        ReadError::NotUtf8 {
            at,
            line: lines,
            column: on_line.saturating_add(1),
        }
    })
}

/// The object that a text holds.
pub(crate) fn object<T: DeserializeOwned>(text: &str) -> Result<T, ReadError> {
    if text.starts_with('\u{feff}') {
        return Err(ReadError::ByteOrderMark);
    }
    if text.trim_matches([' ', '\t', '\r', '\n']).is_empty() {
        return Err(ReadError::Empty);
    }
    value(text).map_err(ReadError::json)
}

/// A value of known type and nothing after it, or what is wrong with it.
pub(crate) fn value<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    let mut json = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        Fault::new(&path, error.inner(), text)
    })?;
    json.end().map_err(|error| Fault::new("", &error, text))?;
    Ok(value)
}
