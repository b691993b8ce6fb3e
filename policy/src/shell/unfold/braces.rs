//! Words of braces: the words that bash makes of one.

use smallvec::smallvec;

use super::super::reader::{GLOB, Piece, RawWord, is_name};

/// Words that the braces of one word make at most (64).
const WORDS_MAX: usize = 64;

/// A text, and the bytes of it that are signs.
#[derive(Clone, Debug, Default)]
struct Made {
    text: String,
    signs: Vec<usize>,
}

impl Made {
    fn push(&mut self, char: char, is_sign: bool) {
        if is_sign {
            self.signs.push(self.text.len());
        }
        self.text.push(char);
    }

    fn push_all(&mut self, other: &Self) {
        let at = self.text.len();
        let signs = other.signs.iter().map(|sign| sign.saturating_add(at));
        self.signs.extend(signs);
        self.text.push_str(&other.text);
    }
}

/// What bash makes of `1..5` and `a..e` in braces; none of what is padded, signed or has a step.
fn sequence(text: &str) -> Option<Vec<Made>> {
    let (from, to) = text.split_once("..")?;
    let number = |text: &str| {
        let is_plain = text == "0" || !text.starts_with('0');
        let is_number = is_plain && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse::<u32>().ok()).flatten()
    };
    let letter = |text: &str| match text.as_bytes() {
        [letter] if letter.is_ascii_lowercase() => Some(u32::from(*letter)),
        _ => None,
    };
    let is_number = number(from).is_some();
    let (from, to) = if is_number {
        (number(from)?, number(to)?)
    } else {
        (letter(from)?, letter(to)?)
    };
    let (low, high) = (from.min(to), from.max(to));
    let count = high.checked_sub(low)?.checked_add(1)?;
    if usize::try_from(count).ok()? > WORDS_MAX {
        return None;
    }
    let made = (low..=high).filter_map(|at| {
        let text = if is_number {
            at.to_string()
        } else {
            char::from_u32(at)?.to_string()
        };
        let signs = Vec::new();
        Some(Made { text, signs })
    });
    let mut made: Vec<Made> = made.collect();
    if from > to {
        made.reverse();
    }
    Some(made)
}

/// The words that bash makes of a word of braces, if that is certain: braces with commas or with a
/// sequence, none within another, in a word of nothing but text. What stands beside them is not expanded by it.
pub(super) fn expanded(word: &RawWord) -> Option<Vec<RawWord>> {
    let [Piece::Text(text)] = word.pieces.as_slice() else {
        return None;
    };
    // A tilde means something at the beginning of a word alone, and a name with `=` may be an
    // assignment, of which bash expands nothing.
    let is_assignment = text.split_once('=').is_some_and(|(name, _)| is_name(name));
    if !word.braced || text.contains('~') || is_assignment {
        return None;
    }
    let mut made = vec![Made::default()];
    let mut group: Option<Vec<Made>> = None;
    let mut signs = word.signs.iter().map(|(_, at)| *at).peekable();
    for (at, char) in text.char_indices() {
        let is_sign = signs.next_if_eq(&at).is_some();
        match (char, &mut group) {
            ('{', None) if is_sign => group = Some(vec![Made::default()]),
            ('{', Some(_)) if is_sign => return None,
            (',', Some(choices)) if is_sign => choices.push(Made::default()),
            ('}', Some(choices)) if is_sign => {
                if let [only] = choices.as_slice() {
                    // What is quoted makes no sequence.
                    let is_plain = !word.quoted && only.signs.is_empty();
                    *choices = sequence(&only.text).filter(|_| is_plain)?;
                }
                let pairs = made.iter().flat_map(|head| {
                    choices.iter().map(move |tail| {
                        let mut head = head.clone();
                        head.push_all(tail);
                        head
                    })
                });
                made = pairs.take(WORDS_MAX.saturating_add(1)).collect();
                if made.len() > WORDS_MAX {
                    return None;
                }
                group = None;
            }
            (_, Some(choices)) => choices.last_mut()?.push(char, is_sign),
            (_, None) => {
                for made in &mut made {
                    made.push(char, is_sign);
                }
            }
        }
    }
    // A word of nothing is left out unless it is quoted.
    if group.is_some() || made.iter().any(|made| made.text.is_empty()) {
        return None;
    }
    Some(made.into_iter().map(|made| of(word, made)).collect())
}

fn of(word: &RawWord, made: Made) -> RawWord {
    let Made { text, signs } = made;
    let is_glob = signs.iter().any(|at| {
        text.get(*at..)
            .is_some_and(|rest| rest.starts_with(['*', '?', '[']))
    });
    RawWord {
        source: text.as_str().into(),
        pieces: smallvec![Piece::Text(text)],
        bare: false,
        quoted: word.quoted,
        unknown: is_glob.then_some(GLOB),
        process: false,
        signs: signs.into_iter().map(|at| (0, at)).collect(),
        braced: false,
    }
}
