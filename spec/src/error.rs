//! Why tables were not loaded.

use std::path::PathBuf;

use thiserror::Error;

/// Where in the tables something is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, relative to the folder of tables.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Tables that were not loaded. Every one but [`Io`](Self::Io) points at a file and line.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// Look at the path: it could not be read.
    #[error("{}: {error}", .path.display())]
    Io {
        /// What was to be read.
        path: PathBuf,
        /// How it failed.
        error: std::io::Error,
    },
    /// Repair the TOML.
    #[error("{at}: not toml: {message}")]
    NotToml {
        /// Where.
        at: Place,
        /// What the parser says.
        message: String,
    },
    /// Take the field out, or spell it as the format reference does.
    #[error("{at}: {message}")]
    UnknownField {
        /// Where.
        at: Place,
        /// Which field, and which there are.
        message: String,
    },
    /// Give the field that is missing, or a value of the right shape.
    #[error("{at}: {message}")]
    WrongShape {
        /// Where.
        at: Place,
        /// What is missing or wrong.
        message: String,
    },
    /// Name one of the kinds of the format reference.
    #[error("{at}: there is no kind of table `{kind}`")]
    UnknownKind {
        /// Where.
        at: Place,
        /// The kind.
        kind: String,
    },
    /// Name the table as its file is named.
    #[error("{at}: the table `{table}` stands in a file of another name")]
    Misnamed {
        /// Where.
        at: Place,
        /// The table's name.
        table: String,
    },
    /// Give the new row a new id; an id is never reused.
    #[error("{at}: id `{id}` stands already at {first}")]
    DuplicateId {
        /// Where, the second time.
        at: Place,
        /// The id.
        id: String,
        /// Where, the first time.
        first: Place,
    },
    /// Write ids as `MINT-007`: capitals, a hyphen, three digits.
    #[error("{at}: `{id}` is not written as an id is")]
    BadId {
        /// Where.
        at: Place,
        /// The id.
        id: String,
    },
    /// Spell the word as its list does.
    #[error("{at}: `{word}` is not a word of `{list}`")]
    UnknownWord {
        /// Where.
        at: Place,
        /// The word.
        word: String,
        /// The list it should be of: an input, an output or a vocabulary.
        list: String,
    },
    /// Name one of the engine's vocabularies.
    #[error("{at}: there is no vocabulary `{list}`")]
    UnknownList {
        /// Where.
        at: Place,
        /// The name.
        list: String,
    },
    /// Declare the input or output, or take it out of the row.
    #[error("{at}: `{column}` is not declared")]
    UnknownColumn {
        /// Where.
        at: Place,
        /// Its name.
        column: String,
    },
    /// Give every output a value.
    #[error("{at}: row `{id}` says nothing of `{column}`")]
    MissingOutput {
        /// Where.
        at: Place,
        /// The row.
        id: String,
        /// The output.
        column: String,
    },
    /// Name every input, output and value once.
    #[error("{at}: `{name}` is declared twice")]
    DoubleName {
        /// Where.
        at: Place,
        /// The name.
        name: String,
    },
    /// Give an input between one and sixty-four values; a condition at least one.
    #[error("{at}: `{name}` has {values} values, not 1 to 64")]
    BadWidth {
        /// Where.
        at: Place,
        /// The input, output or condition.
        name: String,
        /// How many values it has.
        values: usize,
    },
    /// Cite a statement of `sources.toml`, a row that exists, or a section as `gate §9`.
    #[error("{at}: `{link}` leads nowhere")]
    DeadLink {
        /// Where.
        at: Place,
        /// The link.
        link: String,
    },
    /// Put `sources.toml` beside the folders of tables: a row cites a statement of it.
    #[error("{at}: `{link}` is cited, and there is no sources.toml")]
    NoSources {
        /// Where.
        at: Place,
        /// The first link that needs it.
        link: String,
    },
    /// Say it.
    #[error("{at}: `{field}` is empty")]
    EmptySentence {
        /// Where.
        at: Place,
        /// The field.
        field: &'static str,
    },
}

impl LoadError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Io { .. } => "io",
            Self::NotToml { .. } => "not_toml",
            Self::UnknownField { .. } => "unknown_field",
            Self::WrongShape { .. } => "wrong_shape",
            Self::UnknownKind { .. } => "unknown_kind",
            Self::Misnamed { .. } => "misnamed",
            Self::DuplicateId { .. } => "duplicate_id",
            Self::BadId { .. } => "bad_id",
            Self::UnknownWord { .. } => "unknown_word",
            Self::UnknownList { .. } => "unknown_list",
            Self::UnknownColumn { .. } => "unknown_column",
            Self::MissingOutput { .. } => "missing_output",
            Self::DoubleName { .. } => "double_name",
            Self::BadWidth { .. } => "bad_width",
            Self::DeadLink { .. } => "dead_link",
            Self::NoSources { .. } => "no_sources",
            Self::EmptySentence { .. } => "empty_sentence",
        }
    }

    /// Where it is; nothing for a file that could not be read at all.
    pub const fn place(&self) -> Option<&Place> {
        match self {
            Self::Io { .. } => None,
            Self::NotToml { at, .. }
            | Self::UnknownField { at, .. }
            | Self::WrongShape { at, .. }
            | Self::UnknownKind { at, .. }
            | Self::Misnamed { at, .. }
            | Self::DuplicateId { at, .. }
            | Self::BadId { at, .. }
            | Self::UnknownWord { at, .. }
            | Self::UnknownList { at, .. }
            | Self::UnknownColumn { at, .. }
            | Self::MissingOutput { at, .. }
            | Self::DoubleName { at, .. }
            | Self::BadWidth { at, .. }
            | Self::DeadLink { at, .. }
            | Self::NoSources { at, .. }
            | Self::EmptySentence { at, .. } => Some(at),
        }
    }
}
