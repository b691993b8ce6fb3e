//! What reading notes: commands whose words are still in pieces, and what is done to variables.

use std::collections::BTreeMap;

use smallvec::SmallVec;
use smol_str::SmolStr;

use super::super::plan::{Fault, Origin};

/// Everything noted while the texts of one shell are read.
#[derive(Debug, Default)]
pub(in super::super) struct Notes {
    pub(in super::super) commands: Vec<RawCommand>,
    /// Assignments, in the order of their ends.
    pub(in super::super) assigned: Vec<Assigned>,
    /// Variables whose text is evaluated once more as a number, with their place.
    pub(in super::super) evaluated: Vec<(String, usize)>,
    /// Bodies of here-documents, by number.
    pub(in super::super) documents: Vec<Option<String>>,
    /// Redirections of compound commands.
    pub(in super::super) redirects: Vec<RawRedirect>,
    pub(in super::super) fault: Option<Fault>,
    /// Steps of the reader.
    pub(in super::super) steps: usize,
}

impl Notes {
    /// Notes why the plan is not whole, unless that is known already.
    pub(in super::super) fn fault(&mut self, fault: Fault) {
        self.fault.get_or_insert(fault);
    }
}

/// A simple command as it stands.
#[derive(Debug)]
pub(in super::super) struct RawCommand {
    pub(in super::super) words: Vec<RawWord>,
    pub(in super::super) assignments: Vec<RawAssignment>,
    pub(in super::super) redirects: Vec<RawRedirect>,
    pub(in super::super) origin: Origin,
}

/// A word in pieces.
#[derive(Clone, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each says whether a sign was seen; they combine freely"
)]
pub(in super::super) struct RawWord {
    pub(in super::super) pieces: Pieces,
    /// As it stands in the line.
    pub(in super::super) source: SmolStr,
    /// Nothing in it is quoted or expanded.
    pub(in super::super) bare: bool,
    /// A part of it is quoted.
    pub(in super::super) quoted: bool,
    /// Why it is not what its pieces say: a pattern, a brace, a tilde.
    pub(in super::super) unknown: Option<&'static str>,
    /// It is a process substitution and nothing else.
    pub(in super::super) process: bool,
    /// Unquoted characters that make it more than its text: pieces of it, and bytes of these.
    pub(in super::super) signs: Vec<(usize, usize)>,
    /// Its braces make several words of it.
    pub(in super::super) braced: bool,
}

impl RawWord {
    /// Its text, if it is bare.
    pub(in super::super) fn bare(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] if self.bare => Some(""),
            [Piece::Text(text)] if self.bare => Some(text),
            _ => None,
        }
    }

    /// Its text, if nothing in it is expanded.
    pub(in super::super) fn literal(&self) -> Option<&str> {
        match (self.unknown, self.pieces.as_slice()) {
            (None, []) => Some(""),
            (None, [Piece::Text(text)]) => Some(text),
            _ => None,
        }
    }

    /// Whether it is a number, whatever it is expanded to.
    pub(in super::super) fn is_number(&self) -> bool {
        match self.pieces.as_slice() {
            [Piece::Number] => true,
            [Piece::Text(text)] => is_number(text) || is_range(text),
            _ => false,
        }
    }
}

/// Digits with a sign.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// `{1..9}`.
fn is_range(text: &str) -> bool {
    let inner = text
        .strip_prefix('{')
        .and_then(|text| text.strip_suffix('}'));
    inner.is_some_and(|inner| inner.split("..").all(is_number))
}

/// Most words have one.
pub(in super::super) type Pieces = SmallVec<[Piece; 1]>;

/// A piece of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Piece {
    Text(String),
    /// A variable, by name and place.
    Variable {
        name: String,
        quoted: bool,
        at: usize,
    },
    /// The value of an arithmetic expansion.
    Number,
    /// What is not known, and whether it may be several words.
    Unknown {
        why: &'static str,
        many: bool,
    },
}

/// `name=value` before a command or alone.
#[derive(Debug)]
pub(in super::super) struct RawAssignment {
    pub(in super::super) name: String,
    pub(in super::super) source: SmolStr,
    /// A part of its value is expanded.
    pub(in super::super) expands: bool,
    /// Its place among all that is assigned.
    pub(super) number: usize,
}

/// What is done to a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Assigned {
    pub(in super::super) name: String,
    pub(in super::super) at: usize,
    /// Its text, if that is known and it is certain to be assigned.
    pub(in super::super) text: Option<String>,
    pub(in super::super) number: bool,
}

/// What a redirection opens.
#[derive(Debug)]
pub(in super::super) struct RawRedirect {
    pub(in super::super) target: Target,
    /// It is about standard input.
    pub(in super::super) input: bool,
}

#[derive(Debug)]
pub(in super::super) enum Target {
    /// A file.
    File { word: RawWord, writes: bool },
    /// A descriptor that is open already, or none.
    Descriptor,
    /// A here-document, by number.
    Document(usize),
    /// A here-string.
    Text(RawWord),
}

/// The value of every variable that has one value wherever it is used, with the place from which.
pub(in super::super) fn statics(notes: &Notes) -> BTreeMap<&str, (usize, &str)> {
    let mut values: BTreeMap<&str, Option<(usize, &str)>> = BTreeMap::new();
    for Assigned { name, at, text, .. } in &notes.assigned {
        let value = text.as_deref().map(|text| (*at, text));
        let seen = values.contains_key(name.as_str());
        values.insert(name, if seen { None } else { value });
    }
    let known = values.into_iter();
    known
        .filter_map(|(name, value)| Some((name, value?)))
        .collect()
}

/// A word that is being read.
#[derive(Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each says whether a sign was seen; they combine freely"
)]
pub(super) struct WordDraft {
    pub(super) from: usize,
    pub(super) pieces: Pieces,
    pub(super) bare: bool,
    pub(super) quoted: bool,
    pub(super) unknown: Option<&'static str>,
    pub(super) process: bool,
    /// Where the value of an assignment begins: the name, and the first byte of the value.
    pub(super) assigns: Option<(String, usize)>,
    /// Where `*`, `?`, `[`, `{`, `,` and `}` stand in it unquoted: pieces, and bytes of these.
    pub(super) signs: Vec<(usize, usize)>,
    /// `[` stands in it unquoted.
    pub(super) bracket: bool,
    /// `{` stands in it unquoted.
    pub(super) brace: bool,
    /// `,` or `..` stands in it unquoted behind a `{`.
    pub(super) comma: bool,
    /// `$` stands in it for itself.
    pub(super) dollar: bool,
}

impl WordDraft {
    pub(super) fn new(from: usize) -> Self {
        Self {
            from,
            pieces: Pieces::new(),
            bare: true,
            quoted: false,
            unknown: None,
            process: false,
            assigns: None,
            signs: Vec::new(),
            bracket: false,
            brace: false,
            comma: false,
            dollar: false,
        }
    }

    pub(super) fn push(&mut self, char: char) {
        if let Some(Piece::Text(text)) = self.pieces.last_mut() {
            text.push(char);
        } else {
            self.pieces.push(Piece::Text(char.into()));
        }
    }

    /// Adds a character that makes the word more than its text.
    pub(super) fn push_sign(&mut self, char: char) {
        let at = match self.pieces.last() {
            Some(Piece::Text(text)) => (self.pieces.len().saturating_sub(1), text.len()),
            Some(Piece::Variable { .. } | Piece::Number | Piece::Unknown { .. }) | None => {
                (self.pieces.len(), 0)
            }
        };
        self.signs.push(at);
        self.push(char);
    }

    pub(super) fn push_str(&mut self, more: &str) {
        if let Some(Piece::Text(text)) = self.pieces.last_mut() {
            text.push_str(more);
        } else {
            self.pieces.push(Piece::Text(more.into()));
        }
    }

    /// Adds what is not text.
    pub(super) fn expand(&mut self, piece: Piece) {
        self.bare = false;
        self.pieces.push(piece);
    }

    pub(super) fn quote(&mut self) {
        self.bare = false;
        self.quoted = true;
    }

    /// The last character, if it is text.
    pub(super) fn last(&self) -> Option<char> {
        match self.pieces.last() {
            Some(Piece::Text(text)) => text.chars().next_back(),
            Some(Piece::Variable { .. } | Piece::Number | Piece::Unknown { .. }) | None => None,
        }
    }
}
