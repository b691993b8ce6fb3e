//! A second reader of shell lines, written from XCU 2.2 and 2.3 of POSIX and knowing nothing of the
//! policy's: it reads lists and pipelines of commands of quoted and plain words, and of all else it
//! says that it is not for it.

use std::iter::Peekable;
use std::str::Chars;

/// What a line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lexed {
    /// Its commands, each with its words after quote removal.
    Commands(Vec<Vec<String>>),
    /// A quote that is not closed.
    Unclosed,
    /// Something that is not for this reader.
    Elsewhere,
}

/// Words that are none where a command begins.
const RESERVED: &[&str] = &[
    "if", "then", "else", "elif", "fi", "do", "done", "case", "esac", "while", "until", "for",
    "select", "function", "in", "time", "coproc",
];

struct Lexer<'a> {
    chars: Peekable<Chars<'a>>,
    commands: Vec<Vec<String>>,
    words: Vec<String>,
    /// The word that is read, and whether any of it was quoted.
    word: Option<(String, bool)>,
    /// A command has to follow.
    owed: bool,
}

/// Reads a line.
pub(super) fn lex(line: &str) -> Lexed {
    let mut lexer = Lexer {
        chars: line.chars().peekable(),
        commands: Vec::new(),
        words: Vec::new(),
        word: None,
        owed: false,
    };
    match lexer.read() {
        Ok(()) => Lexed::Commands(lexer.commands),
        Err(not) => not,
    }
}

impl Lexer<'_> {
    fn read(&mut self) -> Result<(), Lexed> {
        while let Some(char) = self.chars.next() {
            match char {
                ' ' | '\t' => self.end_word()?,
                '\n' => {
                    self.end_word()?;
                    if !self.words.is_empty() {
                        self.end_command(false);
                    }
                }
                ';' | '&' | '|' => self.operator(char)?,
                '#' if self.word.is_none() => {
                    while self.chars.next_if(|char| *char != '\n').is_some() {}
                }
                '\\' => match self.chars.next() {
                    Some('\n') => {}
                    Some(char) => self.push(char, true),
                    None => return Err(Lexed::Elsewhere),
                },
                '\'' => self.single()?,
                '"' => self.double()?,
                char if is_for_others(char) => return Err(Lexed::Elsewhere),
                char => self.push(char, false),
            }
        }
        self.end_word()?;
        if !self.words.is_empty() {
            self.end_command(false);
        }
        if self.owed {
            Err(Lexed::Elsewhere)
        } else {
            Ok(())
        }
    }

    fn push(&mut self, char: char, quoted: bool) {
        let (word, was_quoted) = self.word.get_or_insert_default();
        word.push(char);
        *was_quoted |= quoted;
    }

    fn quote(&mut self) {
        self.word.get_or_insert_default().1 = true;
    }

    fn single(&mut self) -> Result<(), Lexed> {
        self.quote();
        loop {
            match self.chars.next() {
                Some('\'') => return Ok(()),
                Some(char) => self.push(char, true),
                None => return Err(Lexed::Unclosed),
            }
        }
    }

    fn double(&mut self) -> Result<(), Lexed> {
        self.quote();
        loop {
            match self.chars.next() {
                Some('"') => return Ok(()),
                Some('$' | '`') => return Err(Lexed::Elsewhere),
                Some('\\') => match self.chars.next() {
                    Some('\n') => {}
                    Some(char @ ('$' | '`' | '"' | '\\')) => self.push(char, true),
                    Some(char) => {
                        self.push('\\', true);
                        self.push(char, true);
                    }
                    None => return Err(Lexed::Unclosed),
                },
                Some(char) => self.push(char, true),
                None => return Err(Lexed::Unclosed),
            }
        }
    }

    fn operator(&mut self, char: char) -> Result<(), Lexed> {
        self.end_word()?;
        let twice = self.chars.next_if_eq(&char).is_some();
        match (char, twice, self.chars.peek()) {
            (';', true, _) | (_, _, Some(';' | '&' | '|')) => Err(Lexed::Elsewhere),
            _ if self.words.is_empty() => Err(Lexed::Elsewhere),
            _ => {
                self.end_command(char == '|' || twice);
                Ok(())
            }
        }
    }

    fn end_word(&mut self) -> Result<(), Lexed> {
        let Some((word, quoted)) = self.word.take() else {
            return Ok(());
        };
        // An assignment, or a word of the shell's own, which only a command that begins may hold.
        let begins = self.words.is_empty();
        if begins && (word.contains('=') || !quoted && RESERVED.contains(&word.as_str())) {
            return Err(Lexed::Elsewhere);
        }
        self.words.push(word);
        Ok(())
    }

    fn end_command(&mut self, owed: bool) {
        self.commands.push(std::mem::take(&mut self.words));
        self.owed = owed;
    }
}

/// What begins a substitution, a pattern, a redirection, a compound command or an expansion.
fn is_for_others(char: char) -> bool {
    "$`(){}<>*?[]~!\0".contains(char)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_quoted_words_are_read_and_the_rest_is_left() {
        let commands = |line: &str| match lex(line) {
            Lexed::Commands(commands) => {
                let shown = commands.iter().map(|words| words.join("|"));
                shown.collect::<Vec<_>>().join(" ; ")
            }
            Lexed::Unclosed => "unclosed".into(),
            Lexed::Elsewhere => "elsewhere".into(),
        };
        for (line, want) in [
            ("", ""),
            ("a 'b c' \"d\\\"e\\f\" g\\ h", "a|b c|d\"e\\f|g h"),
            ("a;b && c||d | e &", "a ; b ; c ; d ; e"),
            ("a\n\nb # c ; d\ne#f", "a ; b ; e#f"),
            ("a \\\nb''", "a|b"),
            ("''", ""),
            ("a 'b", "unclosed"),
            ("a \"b\\", "unclosed"),
            ("a &&", "elsewhere"),
            ("a &&\nb", "a ; b"),
            ("; a", "elsewhere"),
            ("a ;; b", "elsewhere"),
            ("a |& b", "elsewhere"),
            ("x=1 a", "elsewhere"),
            ("a x=1", "a|x=1"),
            ("if a", "elsewhere"),
            ("'if' a", "if|a"),
            ("a $b", "elsewhere"),
            ("a > b", "elsewhere"),
            ("a \\", "elsewhere"),
        ] {
            assert_eq!(commands(line), want, "{line:?}");
        }
    }
}
