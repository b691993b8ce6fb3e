//! Text of others on a terminal: it starts no line of its own, and can steer neither the terminal
//! nor the order of reading.

/// The same text on one line, each control, bidirectional and invisible character spelled out.
pub(crate) fn harmless(text: &str) -> String {
    let mut harmless = String::with_capacity(text.len());
    for char in text.chars() {
        if char.is_control() || is_unseen(char) {
            harmless.extend(char.escape_default());
        } else {
            harmless.push(char);
        }
    }
    harmless
}

/// Characters that reorder the text around them, or that nobody sees.
const fn is_unseen(char: char) -> bool {
    matches!(
        char,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// The head of a text, of at most that many characters. One that is cut says how long it is.
pub(crate) fn clipped(text: &str, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        None => text.to_owned(),
        Some((end, _)) => {
            let head = text.get(..end).unwrap_or_default();
            format!("{head}… ({} bytes in all)", text.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_spelled_out() {
        for (text, plain) in [
            ("git status", "git status"),
            ("a\nb\r\tc", "a\\nb\\r\\tc"),
            ("\u{1b}[31mred\u{7}", "\\u{1b}[31mred\\u{7}"),
            ("\u{9b}2J", "\\u{9b}2J"),
            ("\u{202e}evil\u{2069}", "\\u{202e}evil\\u{2069}"),
            ("a\u{200b}\u{feff}b", "a\\u{200b}\\u{feff}b"),
            ("\u{e0041}", "\\u{e0041}"),
            ("grüße", "grüße"),
        ] {
            assert_eq!(harmless(text), plain);
        }
    }

    #[test]
    fn a_long_text_is_cut_between_characters_and_says_how_long_it_is() {
        assert_eq!(clipped("äöü", 3), "äöü");
        assert_eq!(clipped("äöü", 2), "äö… (6 bytes in all)");
    }
}
