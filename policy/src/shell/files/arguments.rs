//! Operands and options of a command, told apart, and the parts of a word that may be paths.

use super::super::plan::Word;
use super::super::tables::{FileProgram, Role};
use crate::paths::ANY_NAME;

/// Parts of one word that may be paths (64); a word of more may be any path.
const PIECES_MAX: usize = 64;
/// Where a program may cut a word: `--file=x`, `host:x`, `@x`, `a,b`, `x;type=y`, `x=<y`.
const CUTS: &[char] = &['=', ':', '@', ',', ';', '<'];

/// A path that a word names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Path<'w> {
    pub(super) text: &'w str,
    /// The shell itself makes its tilde, or its variable, the home folder.
    pub(super) in_home: bool,
}

impl<'w> Path<'w> {
    pub(super) const fn of(text: &'w str) -> Self {
        Self {
            text,
            in_home: false,
        }
    }

    /// The path that a word names, or the paths that it matches.
    pub(super) fn of_word(word: &'w Word) -> Option<Self> {
        let path = word.text().or_else(|| word.names()).map(Self::of);
        path.or_else(|| {
            let text = word.in_home()?;
            Some(Self {
                text,
                in_home: true,
            })
        })
    }

    /// The last name of it.
    pub(super) fn base(&self) -> &'w str {
        let mut names = self.text.trim_end_matches('/').rsplit('/');
        names.next().unwrap_or_default()
    }
}

/// Operands and options, told apart.
#[derive(Debug, Default)]
pub(super) struct Arguments<'w> {
    pub(super) operands: Vec<&'w Word>,
    /// Options with a value: their name, and it.
    pub(super) values: Vec<(String, &'w str)>,
    pub(super) flags: Vec<String>,
    /// An option is not known, or may be one.
    pub(super) is_undecided: bool,
}

impl<'w> Arguments<'w> {
    pub(super) fn of(row: &FileProgram, words: &'w [Word]) -> Self {
        let mut arguments = Self::default();
        let mut words = words.iter();
        let mut only_operands = false;
        while let Some(word) = words.next() {
            let Some(text) = word.text() else {
                let has_names = word.names().is_some();
                let is_path = has_names || (word.in_home().is_some() && !word.many);
                // It may be an option, or any number of words.
                arguments.is_undecided |= !is_path && (!only_operands || word.many);
                // Its names may be options that say where the others go, or stand where none of a
                // file does.
                let is_first = arguments.operands.len() < row.before;
                let may_be_option = row.role.has_target() && begins_open(word) && !only_operands;
                arguments.is_undecided |= has_names && (is_first || may_be_option);
                arguments.operands.push(word);
                continue;
            };
            if only_operands || !text.starts_with('-') || text == "-" {
                arguments.operands.push(word);
            } else if text == "--" {
                only_operands = true;
            } else if let Some(long) = text.strip_prefix("--") {
                arguments.long(row, long, &mut words);
            } else {
                arguments.letters(row, text.get(1..).unwrap_or_default(), &mut words);
            }
        }
        arguments
    }

    fn long(&mut self, row: &FileProgram, long: &'w str, words: &mut std::slice::Iter<'w, Word>) {
        let (name, value) = match long.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (long, None),
        };
        if row.role == Role::Edits && name == "in-place" {
            self.values.push((name.into(), value.unwrap_or_default()));
        } else if row.long_flags.contains(&name) {
            self.flags.push(name.into());
        } else if row.long_valued.contains(&name) {
            match value.or_else(|| words.next().and_then(Word::text)) {
                Some(value) => self.values.push((name.into(), value)),
                None => self.is_undecided = true,
            }
        } else {
            self.is_undecided = true;
        }
    }

    fn letters(
        &mut self,
        row: &FileProgram,
        letters: &'w str,
        words: &mut std::slice::Iter<'w, Word>,
    ) {
        let mut rest = letters.chars();
        while let Some(letter) = rest.next() {
            // What is glued to it says how copies are named.
            if row.role == Role::Edits && letter == 'i' {
                return self.values.push((letter.into(), rest.as_str()));
            }
            if row.flags.contains(letter) {
                self.flags.push(letter.into());
            } else if row.valued.contains(letter) {
                let glued = Some(rest.as_str()).filter(|value| !value.is_empty());
                match glued.or_else(|| words.next().and_then(Word::text)) {
                    Some(value) => self.values.push((letter.into(), value)),
                    None => self.is_undecided = true,
                }
                return;
            } else {
                self.is_undecided = true;
                return;
            }
        }
    }
}

impl Arguments<'_> {
    /// Whether any of these options stands there.
    pub(super) fn has(&self, names: &[&str]) -> bool {
        let values = self.values.iter().map(|(name, _)| name);
        let mut flags = self.flags.iter().chain(values);
        flags.any(|flag| names.contains(&flag.as_str()))
    }
}

/// Whether a word may begin with anything, and so be an option. No option has a dot in it.
pub(super) fn begins_open(word: &Word) -> bool {
    let open = word.names().filter(|names| names.starts_with(ANY_NAME));
    let end = open.map(|names| names.rsplit(ANY_NAME).next().unwrap_or_default());
    end.is_some_and(|end| !end.contains('.'))
}

/// Every part of a word that may be a path: the word, what stands behind each cut and up to any
/// later one, and behind each letter of an option. None if there are too many.
pub(super) fn pieces(word: &str) -> Option<Vec<&str>> {
    let cuts: Vec<usize> = word.match_indices(CUTS).map(|(at, _)| at).collect();
    let option = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    let letters = option.map_or(0, |rest| {
        rest.bytes().take_while(u8::is_ascii_alphanumeric).count()
    });
    let begins = std::iter::once(0)
        .chain(cuts.iter().map(|cut| cut.saturating_add(1)))
        .chain((0..letters).map(|letter| letter.saturating_add(2)));
    let mut pieces = Vec::new();
    for begin in begins {
        let ends = cuts.iter().copied().filter(|cut| *cut > begin);
        for end in ends.chain([word.len()]) {
            let Some(piece) = word.get(begin..end).filter(|piece| !piece.is_empty()) else {
                continue;
            };
            if pieces.len() >= PIECES_MAX {
                return None;
            }
            pieces.push(piece);
        }
    }
    // An option is a path by what is glued to it alone.
    pieces.retain(|piece| !piece.starts_with('-'));
    Some(pieces)
}
