//! The words of a rule for a shell tool, as their author quotes them.
//!
//! Read as bash reads them, as far as nothing is expanded: `'…'` is what stands between, `"…"` too
//! with `\` before `"`, `\`, `$` and a backtick, and outside of both `\` before a character that is
//! not plain is that character. A star that is not quoted is a star.

use super::is_plain_char;

/// A word, in pieces with a star between each two.
pub(super) type Pieces = Vec<String>;

/// The words of a text, or the one that cannot be read.
pub(super) fn words(text: &str) -> Result<Vec<Pieces>, &str> {
    split(text)
        .into_iter()
        .map(|raw| word(raw).ok_or(raw))
        .collect()
}

/// The text in words, at blanks that are not quoted.
pub(super) fn split(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut begin = 0;
    let mut quote = None;
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        match (quote, char) {
            (None, ' ') => {
                words.push(text.get(begin..at).unwrap_or_default());
                begin = at.saturating_add(1);
            }
            (None, '\'' | '"') => quote = Some(char),
            (Some(open), _) if open == char => quote = None,
            (None | Some('"'), '\\') => {
                chars.next();
            }
            (None | Some(_), _) => {}
        }
    }
    words.push(text.get(begin..).unwrap_or_default());
    words
}

/// One word, if nothing in it is expanded or of another meaning to a shell.
fn word(raw: &str) -> Option<Pieces> {
    if raw.is_empty() {
        return None;
    }
    let mut pieces = vec![String::new()];
    let mut quote = None;
    let mut chars = raw.chars();
    while let Some(char) = chars.next() {
        let piece = pieces.last_mut()?;
        match (quote, char) {
            (None, '*') => pieces.push(String::new()),
            (None, '\'' | '"') => quote = Some(char),
            (Some(open), _) if open == char => quote = None,
            // In front of what means itself it is most often the mark of a folder.
            (None, '\\') => {
                let is_odd =
                    |char: &char| is_shown(*char) && *char != '\n' && !is_plain_char(*char);
                piece.push(chars.next().filter(is_odd)?);
            }
            (Some('"'), '\\') => match chars.next()? {
                escaped @ ('"' | '\\' | '$' | '`') => piece.push(escaped),
                other if !is_shown(other) || other == '\n' => return None,
                other => {
                    piece.push('\\');
                    piece.push(other);
                }
            },
            (Some('"'), '$' | '`') => return None,
            (Some(_), _) if is_shown(char) => piece.push(char),
            (None, _) if is_plain_char(char) => piece.push(char),
            (None | Some(_), _) => return None,
        }
    }
    quote.is_none().then_some(pieces)
}

/// What may stand in quotes: no character that nothing shows, but lines and tabs.
fn is_shown(char: char) -> bool {
    !char.is_control() || matches!(char, '\n' | '\t')
}

/// A word as it is written in a rule.
pub(crate) fn quoted(word: &str) -> String {
    if super::is_plain(word) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_read_as_bash_reads_them() {
        for (text, want) in [
            ("a b", Ok(vec![vec!["a"], vec!["b"]])),
            ("a 'b c'", Ok(vec![vec!["a"], vec!["b c"]])),
            ("a \"b c\"d", Ok(vec![vec!["a"], vec!["b cd"]])),
            ("a ''", Ok(vec![vec!["a"], vec![""]])),
            (r"a\ b", Ok(vec![vec!["a b"]])),
            (r"a\*", Ok(vec![vec!["a*"]])),
            ("'*'*", Ok(vec![vec!["*", ""]])),
            ("\"*\"", Ok(vec![vec!["*"]])),
            (r"'\'", Ok(vec![vec!["\\"]])),
            (r#""\"\$\a""#, Ok(vec![vec!["\"$\\a"]])),
            ("'a\nb'", Ok(vec![vec!["a\nb"]])),
            ("'$x'", Ok(vec![vec!["$x"]])),
            ("a*b*", Ok(vec![vec!["a", "b", ""]])),
            ("*", Ok(vec![vec!["", ""]])),
            // What a shell gives another meaning, or nobody sees.
            ("a \"$x\"", Err("\"$x\"")),
            ("a \"`x`\"", Err("\"`x`\"")),
            ("a $x", Err("$x")),
            (r"C:\bin\rm", Err(r"C:\bin\rm")),
            ("a 'b", Err("'b")),
            ("a \"b c", Err("\"b c")),
            ("a \\", Err("\\")),
            ("a  b", Err("")),
            ("a & b", Err("&")),
            ("'\u{0}'", Err("'\u{0}'")),
            ("\\\u{7}", Err("\\\u{7}")),
        ] {
            let words = words(text);
            let want = want.map(|words: Vec<Vec<&str>>| {
                let words = words.into_iter();
                let owned = words.map(|word| word.into_iter().map(str::to_owned).collect());
                owned.collect::<Vec<Pieces>>()
            });
            assert_eq!(words, want, "{text}");
        }
    }

    #[test]
    fn a_word_that_is_written_is_read_again() {
        for word in ["a", "a b", "it's", "*", "\"", "\\", "", "a\nb", "$x"] {
            assert_eq!(words(&quoted(word)), Ok(vec![vec![word.to_owned()]]));
        }
    }
}
