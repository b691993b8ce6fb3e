//! A place in a text.

/// A text and a place in it, always at the border of a character.
#[derive(Debug)]
pub(super) struct Cursor {
    text: String,
    at: usize,
}

impl Cursor {
    pub(super) const fn new(text: String) -> Self {
        Self { text, at: 0 }
    }

    pub(super) const fn at(&self) -> usize {
        self.at
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.ahead(0)
    }

    /// The byte that many bytes further on.
    pub(super) fn ahead(&self, bytes: usize) -> Option<u8> {
        let at = self.at.saturating_add(bytes);
        self.text.as_bytes().get(at).copied()
    }

    pub(super) fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn starts(&self, with: &str) -> bool {
        self.rest().starts_with(with)
    }

    pub(super) fn bump(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes).min(self.text.len());
    }

    /// Takes the next character.
    pub(super) fn take(&mut self) -> Option<char> {
        let char = self.rest().chars().next()?;
        self.bump(char.len_utf8());
        Some(char)
    }

    /// Takes this text, if it comes next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let comes = self.starts(text);
        if comes {
            self.bump(text.len());
        }
        comes
    }

    /// Takes all bytes from here on of which this holds. They must be ASCII.
    pub(super) fn take_while(&mut self, holds: impl Fn(u8) -> bool) -> &str {
        let from = self.at;
        let rest = self.rest().bytes();
        let held = rest.take_while(|byte| byte.is_ascii() && holds(*byte));
        self.bump(held.count());
        self.from(from)
    }

    /// What stands between that place and this one.
    pub(super) fn from(&self, from: usize) -> &str {
        self.text.get(from..self.at).unwrap_or_default()
    }

    /// The text up to that byte, and past it.
    pub(super) fn take_until(&mut self, byte: char) -> Option<String> {
        let rest = self.rest();
        let end = rest.find(byte)?;
        let taken = rest.get(..end)?.to_owned();
        self.bump(end.saturating_add(1));
        Some(taken)
    }

    /// The next character and all that follow and are the same, up to four.
    pub(super) fn run(&self) -> &str {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return "";
        };
        let same = rest.chars().take(4).take_while(|char| *char == first);
        let bytes = same.map(char::len_utf8).sum();
        rest.get(..bytes).unwrap_or_default()
    }
}
