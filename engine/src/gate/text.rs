//! Bounded text: reasons, notes and failure messages that others wrote.

use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;

use serde::{Deserialize, Deserializer, Serialize};

use crate::limits::TEXT_BYTES_MAX;

/// What stands at the end of a text that was too long.
const CLIPPED: &str = " …[clipped]";

/// A reason, note or failure text of at most 4 KiB.
///
/// A longer one is clipped at a character boundary and ends in a mark that says so; it is never
/// refused, because a decision must not depend on how much somebody wrote. Cloning is free.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Text(Arc<str>);

impl Text {
    /// The text, clipped to the limit.
    ///
    /// ```
    /// use gatefold::gate::Text;
    /// assert_eq!(Text::new("too wide").as_str(), "too wide");
    /// let long = Text::new(&"a".repeat(10_000));
    /// assert!(long.as_str().len() <= gatefold::limits::TEXT_BYTES_MAX);
    /// assert!(long.as_str().ends_with("[clipped]"));
    /// ```
    pub fn new(text: &str) -> Self {
        if text.len() <= TEXT_BYTES_MAX {
            return Self(text.into());
        }
        let mut clipped = String::from(head(text, TEXT_BYTES_MAX.saturating_sub(CLIPPED.len())));
        clipped.push_str(CLIPPED);
        Self(clipped.into())
    }

    /// The text itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The longest head of at most `bytes` bytes that ends at a character boundary.
pub(crate) fn head(text: &str, bytes: usize) -> &str {
    (0..=bytes.min(text.len()))
        .rev()
        .find_map(|end| text.get(..end))
        .unwrap_or("")
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

/// Without a copy, where it is not too long.
impl From<Arc<str>> for Text {
    fn from(text: Arc<str>) -> Self {
        if text.len() <= TEXT_BYTES_MAX {
            return Self(text);
        }
        Self::new(&text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::new(&text)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::new(&String::deserialize(deserializer)?))
    }
}
