//! Builtins in a line that is to be allowed: what each may do is listed here, and all else is a
//! fault. What a deny makes of the same builtins is more, since it rests on their best reading.

use super::super::plan::Word;
use super::super::tables::{Later, is_harmless_assignment, is_ordinary};

/// Options of `read` that only say how it reads, and those of them that take a value.
const READ_FLAGS: &str = "rs";
const READ_VALUES: &str = "dnNptu";

/// The word for which a line with this builtin is not allowed.
pub(super) fn doubted<'w>(later: Later, name: &str, words: &'w [Word]) -> Option<&'w Word> {
    let builtin = words.first();
    let args = words.get(1..).unwrap_or_default();
    match later {
        Later::Declares { exports: true } => args.iter().find(|word| !is_harmless_export(word)),
        Later::Names if name == "read" => read(args),
        Later::Names if name == "unset" => args.iter().find(|word| !is_ordinary_name(word)),
        Later::Eval
        | Later::Trap
        | Later::Never
        | Later::Names
        | Later::Declares { exports: false } => builtin,
        Later::PrintsInto => prints_into(args),
        // Judged as they are for a deny.
        Later::WithArguments | Later::WithOption(_) | Later::Tests | Later::Set => None,
    }
}

/// `-v` may be glued to a name, and an unknown format may be that, or assign by `%n`.
fn prints_into(args: &[Word]) -> Option<&Word> {
    let is_marked = args.first().and_then(Word::text) == Some("--");
    let format = args.get(usize::from(is_marked))?;
    let is_option = !is_marked && format.text.starts_with('-');
    (is_option || format.unknown.is_some()).then_some(format)
}

/// `NAME=value` for a variable that no program takes as something to run.
fn is_harmless_export(word: &Word) -> bool {
    !word.many && is_harmless_assignment(&word.text)
}

fn is_ordinary_name(word: &Word) -> bool {
    word.text().is_some_and(is_ordinary)
}

/// `read` into ordinary variables.
fn read(args: &[Word]) -> Option<&Word> {
    let mut args = args.iter();
    while let Some(word) = args.next() {
        let Some(letters) = word.text().and_then(|text| text.strip_prefix('-')) else {
            if is_ordinary_name(word) {
                continue;
            }
            return Some(word);
        };
        let mut rest = letters.chars();
        let valued = rest.find(|letter| !READ_FLAGS.contains(*letter));
        match valued {
            None if letters.is_empty() => return Some(word),
            Some(letter) if !READ_VALUES.contains(letter) => return Some(word),
            // The value is glued to its letter, or is the next word.
            Some(_) if rest.as_str().is_empty() => match args.next() {
                Some(value) if !value.many => {}
                Some(_) | None => return Some(word),
            },
            None | Some(_) => {}
        }
    }
    None
}
