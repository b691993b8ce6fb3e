//! From bytes to a request, strictly: one JSON object in UTF-8, and nothing after it.

use std::io::Read;

use serde::de::DeserializeOwned;

use super::error::{DecideError, INPUT_BYTES_MAX};
use super::request::Request;
use super::sentence::Fault;

/// The whole input as text.
pub(super) fn text(input: impl Read) -> Result<String, DecideError> {
    let mut bytes = Vec::new();
    let one_more = u64::try_from(INPUT_BYTES_MAX)
        .unwrap_or(u64::MAX)
        .saturating_add(1);
    input
        .take(one_more)
        .read_to_end(&mut bytes)
        .map_err(DecideError::Unreadable)?;
    if bytes.len() > INPUT_BYTES_MAX {
        return Err(DecideError::TooLarge);
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let good = error.as_bytes().get(..at).unwrap_or_default();
        let lines = good.split(|byte| *byte == b'\n').count();
        let on_line = good
            .rsplit(|byte| *byte == b'\n')
            .next()
            .map_or(0, <[u8]>::len);
        DecideError::NotUtf8 {
            at,
            line: lines,
            column: on_line.saturating_add(1),
        }
    })
}

/// The request that a text holds.
pub(super) fn request(text: &str) -> Result<Request, DecideError> {
    if text.starts_with('\u{feff}') {
        return Err(DecideError::ByteOrderMark);
    }
    if text.trim_matches([' ', '\t', '\r', '\n']).is_empty() {
        return Err(DecideError::Empty);
    }
    value(text).map_err(DecideError::json)
}

/// A value of known type and nothing after it, or what is wrong with it.
pub(super) fn value<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    let mut json = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        Fault::new(&path, error.inner(), text)
    })?;
    json.end().map_err(|error| Fault::new("", &error, text))?;
    Ok(value)
}
