//! Words, with the variables put in that have one value wherever they are used.

use std::collections::{BTreeMap, BTreeSet};

use super::super::plan::Word;
use super::super::reader::{
    Assigned, GLOB, Notes, Piece, RawCommand, RawWord, TILDE, is_name, statics,
};
use super::super::tables::is_made_up;
use crate::paths::ANY_NAME;

const VARIABLE: &str = "it is the value of a variable";
const NUMBER: &str = "it is a number that is worked out";

/// Builtins that assign to the variables that they name.
const NAMING: &[&str] = &[
    "read",
    "unset",
    "export",
    "declare",
    "local",
    "readonly",
    "typeset",
    "printf",
    "mapfile",
    "readarray",
    "getopts",
    "let",
    "wait",
];
/// Builtins after which no variable is certain.
const ANYTHING: &[&str] = &["eval", "trap", "source", "."];

/// What variables hold.
#[derive(Default)]
pub(super) struct Values<'n> {
    texts: BTreeMap<&'n str, (usize, &'n str)>,
    /// From where on a variable holds a number, if it never holds anything else.
    numbers: BTreeMap<&'n str, usize>,
    splits_as_usual: bool,
}

impl<'n> Values<'n> {
    pub(super) fn of(notes: &'n Notes) -> Self {
        let mut texts = statics(notes);
        texts.retain(|name, _| !is_made_up(name));
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let mut others = BTreeSet::new();
        for Assigned {
            name, at, number, ..
        } in &notes.assigned
        {
            if *number {
                let from = numbers.entry(name).or_insert(*at);
                *from = (*from).min(*at);
            } else {
                others.insert(name.as_str());
            }
        }
        numbers.retain(|name, _| !others.contains(name) && !is_made_up(name));
        if others.contains("") {
            texts.clear();
            numbers.clear();
        }
        Self {
            splits_as_usual: !others.contains("IFS"),
            texts,
            numbers,
        }
    }

    /// Whether a variable holds a number at that place.
    pub(super) fn is_number(&self, name: &str, at: usize) -> bool {
        self.numbers.get(name).is_some_and(|from| *from <= at)
    }

    pub(super) fn resolve(&self, word: &RawWord) -> Word {
        let mut text = String::new();
        let mut unknown = word.unknown;
        let mut many = word.unknown.is_some_and(|why| why != TILDE);
        let mut names = String::new();
        let mut is_shaped = word.unknown == Some(GLOB) && !word.braced;
        for (at, piece) in word.pieces.iter().enumerate() {
            match piece {
                Piece::Text(more) => {
                    text.push_str(more);
                    if is_shaped {
                        shape(more, at, &word.signs, &mut names);
                    }
                }
                Piece::Variable { name, quoted, at } => {
                    let value = self.texts.get(name.as_str()).filter(|(from, _)| from < at);
                    let value = value.map(|(_, value)| *value);
                    if let Some(value) = value.filter(|value| *quoted || self.is_one_word(value)) {
                        text.push_str(value);
                        names.push_str(value);
                    } else {
                        is_shaped = false;
                        unknown.get_or_insert(VARIABLE);
                        many |= !quoted && !self.is_number(name, *at);
                    }
                }
                Piece::Number => {
                    is_shaped = false;
                    unknown.get_or_insert(NUMBER);
                }
                Piece::Unknown { why, many: several } => {
                    is_shaped = false;
                    unknown.get_or_insert(why);
                    many |= several;
                }
            }
        }
        Word {
            text: if unknown.is_some() {
                word.source.to_string()
            } else {
                text
            },
            unknown,
            many,
            names: Some(names).filter(|names| is_shaped && !goes_up(names)),
        }
    }

    /// Whether an unquoted value is one word, and that word.
    fn is_one_word(&self, value: &str) -> bool {
        self.splits_as_usual
            && !value.is_empty()
            && value
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_./:,@%+=-".contains(&byte))
    }
}

/// Whether a pattern may match the folder itself or the one above, as some shells take it.
fn goes_up(names: &str) -> bool {
    let mut parts = names.split('/').filter(|name| name.contains(ANY_NAME));
    parts.any(|name| {
        name.starts_with('.') && name.chars().all(|char| matches!(char, '.' | ANY_NAME))
    })
}

/// Adds a text with a sign for any characters in place of each pattern in it. Behind a bracket that
/// is the rest of its name.
fn shape(text: &str, piece: usize, signs: &[(usize, usize)], names: &mut String) {
    let from = signs.partition_point(|(of, _)| *of < piece);
    let signs = signs.get(from..).unwrap_or_default().iter();
    let signs = signs.map_while(|(of, at)| (*of == piece).then_some(*at));
    let mut signs = signs.peekable();
    let mut in_class = false;
    for (at, char) in text.char_indices() {
        let is_sign = signs.next_if_eq(&at).is_some();
        in_class &= char != '/';
        if in_class {
            continue;
        }
        in_class = is_sign && char == '[';
        names.push(if is_sign && matches!(char, '*' | '?' | '[') {
            ANY_NAME
        } else {
            char
        });
    }
}

/// Notes what builtins do to variables. The empty name stands for any.
pub(super) fn note_builtins(notes: &mut Notes) {
    let mut assigned = Vec::new();
    for RawCommand { words, .. } in &notes.commands {
        let literal = |word: &RawWord| word.literal().map(str::to_owned);
        let all: Vec<_> = words.iter().map(literal).collect();
        let is_any = |among: &[&str]| {
            let mut names = all.iter().flatten();
            names.any(|word| among.contains(&word.as_str()))
        };
        if is_any(ANYTHING) {
            assigned.push(any());
        }
        if !is_any(NAMING) {
            continue;
        }
        // An option may give a variable an attribute, or another's name.
        let declares = is_any(&["declare", "typeset", "local", "export", "readonly"]);
        for word in words.iter().skip(1) {
            let is_option = word.source.starts_with(['-', '+']);
            if declares
                && is_option
                && !matches!(
                    word.source.as_str(),
                    "-r" | "-x" | "-g" | "-rx" | "-gx" | "--"
                )
            {
                assigned.push(any());
            }
            let named = |name: &str, number| Assigned {
                name: name.to_owned(),
                at: 0,
                text: None,
                number,
            };
            match (word.source.split_once('='), word.literal()) {
                (Some((name, value)), _) if is_name(name) => {
                    assigned.push(named(name, is_number(value)));
                }
                (_, Some(name)) => {
                    let name = name.split('[').next().unwrap_or_default();
                    assigned.extend((!name.is_empty()).then(|| named(name, false)));
                }
                (_, None) if is_any(&["printf"]) => {}
                (_, None) => assigned.push(any()),
            }
        }
    }
    notes.assigned.extend(assigned);
}

fn any() -> Assigned {
    Assigned {
        name: String::new(),
        at: 0,
        text: None,
        number: false,
    }
}

fn is_number(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit())
}
