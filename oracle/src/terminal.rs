//! Text of others on a terminal: it starts no line of its own, and can steer neither the terminal
//! nor the order of reading. And whether a terminal takes colours.

use std::env;
use std::ffi::OsStr;
use std::io::IsTerminal;

/// Whether a stream takes colours: it is a terminal that has some, and nobody said no.
pub(crate) fn is_coloured(stream: &impl IsTerminal) -> bool {
    let (no_color, term) = (env::var_os("NO_COLOR"), env::var_os("TERM"));
    takes_colours(stream.is_terminal(), no_color.as_deref(), term.as_deref())
}

fn takes_colours(is_terminal: bool, no_color: Option<&OsStr>, term: Option<&OsStr>) -> bool {
    let said_no = no_color.is_some_and(|word| !word.is_empty());
    let has_none = term.is_some_and(|term| term == "dumb");
    is_terminal && !said_no && !has_none
}

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

/// JSON that says the same, each bidirectional and invisible character escaped. The breaks between its
/// lines stay; no string of JSON holds one.
pub(crate) fn harmless_json(json: &str) -> String {
    let mut harmless = String::with_capacity(json.len());
    for char in json.chars() {
        if char != '\n' && (char.is_control() || is_unseen(char)) {
            for unit in char.encode_utf16(&mut [0; 2]) {
                harmless.push_str(&format!("\\u{unit:04x}"));
            }
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
    fn colours_are_for_a_terminal_that_has_some_where_nobody_said_no() {
        for (is_terminal, no_color, term, coloured) in [
            (true, None, Some("xterm"), true),
            (true, None, None, true),
            (true, Some(""), Some("xterm"), true),
            (true, Some("1"), Some("xterm"), false),
            (true, Some("0"), None, false),
            (true, None, Some("dumb"), false),
            (false, None, Some("xterm"), false),
        ] {
            let [no, term] = [no_color, term].map(|word| word.map(OsStr::new));
            let takes = takes_colours(is_terminal, no, term);
            assert_eq!(takes, coloured, "{is_terminal} {no:?} {term:?}");
        }
    }

    #[test]
    fn json_says_the_same_without_what_steers_a_terminal() {
        let json = "[\n  \"\u{202e}\u{9b}\u{7f}\u{e0041} grüße\"\n]";
        let harmless = harmless_json(json);
        assert_eq!(
            harmless,
            "[\n  \"\\u202e\\u009b\\u007f\\udb40\\udc41 grüße\"\n]"
        );
        let read = |json: &str| serde_json::from_str::<Vec<String>>(json).expect("it is JSON");
        assert_eq!(read(&harmless), read(json));
    }

    #[test]
    fn a_long_text_is_cut_between_characters_and_says_how_long_it_is() {
        assert_eq!(clipped("äöü", 3), "äöü");
        assert_eq!(clipped("äöü", 2), "äö… (6 bytes in all)");
    }
}
