//! What `$` and backticks begin.

use super::super::plan::Fault;
use super::raw::{Assigned, Piece};
use super::word::is_name;
use super::{Block, Frame, Origin, Reader, Source, SourceKind, Step};

const VARIABLE: &str = "it is the value of a variable";
const OUTPUT: &str = "it is what a command prints";
const JOINED: &str = "a line is continued within an expansion";
const INDIRECT: &str = "it is a variable that another one names";
const PROMPT: &str = "its value is expanded once more";
const SUBSCRIPT: &str = "a subscript is evaluated";
const POSITIONAL: &str = "it is what a function or a script was given";
const ESCAPED: &str = "escapes within backticks are read twice";
const ESCAPE: &str = "an escape is not read here";

impl Reader<'_> {
    /// `$` and what it begins.
    pub(super) fn dollar(&mut self, quoted: bool) -> Step {
        match self.cursor.ahead(1) {
            Some(b'(') if self.cursor.ahead(2) == Some(b'(') => {
                self.cursor.bump(3);
                self.arithmetic("))")?;
                self.draft()?.expand(Piece::Number);
                Ok(())
            }
            Some(b'(') => {
                self.cursor.bump(2);
                self.expanded(OUTPUT, quoted)?;
                self.open(Block::Substitution, Origin::Substitution)
            }
            Some(b'{') => self.parameter(quoted),
            Some(b'\'') if !quoted => self.ansi(),
            Some(b'"') if !quoted => Err(Fault::at("it may be translated", "$\"")),
            Some(b'[') => Err(Fault::at("it is evaluated", "$[")),
            Some(b'\\') if self.cursor.ahead(2) == Some(b'\n') => Err(Fault::at(JOINED, "$")),
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
                self.cursor.bump(1);
                let name = self.name();
                self.variable(name, quoted)
            }
            Some(b'#' | b'?' | b'$') => {
                self.cursor.bump(2);
                self.draft()?.expand(Piece::Number);
                Ok(())
            }
            Some(byte) if byte.is_ascii_digit() || b"@*-!".contains(&byte) => {
                self.cursor.bump(2);
                self.special(byte, quoted)
            }
            Some(_) | None => {
                self.cursor.bump(1);
                let draft = self.draft()?;
                draft.dollar = true;
                draft.bare = false;
                draft.push('$');
                Ok(())
            }
        }
    }

    pub(super) fn name(&mut self) -> String {
        let of_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        self.cursor.take_while(of_name).to_owned()
    }

    /// What is not known, and several words where it is not quoted.
    fn expanded(&mut self, why: &'static str, quoted: bool) -> Step {
        let many = !quoted;
        self.draft()?.expand(Piece::Unknown { why, many });
        Ok(())
    }

    /// A parameter that has no name. `$@` is several words even in quotes.
    fn special(&mut self, byte: u8, quoted: bool) -> Step {
        if byte.is_ascii_digit() || byte == b'@' || byte == b'*' {
            self.doubt(POSITIONAL, &format!("${}", char::from(byte)));
        }
        self.expanded(VARIABLE, quoted && byte != b'@')
    }

    fn variable(&mut self, name: String, quoted: bool) -> Step {
        let at = self.place();
        self.draft()?.expand(Piece::Variable { name, quoted, at });
        Ok(())
    }

    /// `${…}`.
    fn parameter(&mut self, quoted: bool) -> Step {
        let from = self.cursor.at();
        self.cursor.bump(2);
        if self.cursor.peek() == Some(b'!') {
            return Err(Fault::at(INDIRECT, "${!"));
        }
        let is_length = self.cursor.peek() == Some(b'#') && self.cursor.ahead(1) != Some(b'}');
        if is_length {
            self.cursor.bump(1);
        }
        // `${@}` is several words even in quotes.
        let mut one = quoted;
        let name = match self.cursor.peek() {
            Some(byte) if byte.is_ascii_digit() => {
                self.cursor.take_while(|byte| byte.is_ascii_digit());
                self.doubt(POSITIONAL, "${");
                String::new()
            }
            Some(byte) if b"@*#?-$".contains(&byte) => {
                self.cursor.bump(1);
                one = quoted && byte != b'@';
                if byte == b'@' || byte == b'*' {
                    self.doubt(POSITIONAL, "${");
                }
                String::new()
            }
            Some(_) | None => {
                let name = self.name();
                if !is_name(&name) {
                    return Err(Fault::at("this expansion is not read here", "${"));
                }
                name
            }
        };
        if self.cursor.peek() == Some(b'[') {
            self.bash_only()?;
            self.cursor.bump(1);
            let key = self
                .cursor
                .take_while(|byte| byte.is_ascii_digit() || byte == b'@' || byte == b'*')
                .to_owned();
            let is_plain =
                key == "@" || key == "*" || key.bytes().all(|byte| byte.is_ascii_digit());
            if key.is_empty() || !is_plain || !self.cursor.eat("]") {
                return Err(Fault::at(SUBSCRIPT, self.cursor.from(from)));
            }
            // All elements are several words, even in quotes.
            let many = !quoted || key == "@";
            self.draft()?.expand(Piece::Unknown {
                why: VARIABLE,
                many,
            });
        }
        if self.cursor.eat("}") {
            let is_whole = !is_length
                && !name.is_empty()
                && self.cursor.from(from).len() == name.len().saturating_add(3);
            if is_whole {
                return self.variable(name, quoted);
            }
            if is_length {
                self.draft()?.expand(Piece::Number);
                return Ok(());
            }
            return self.expanded(VARIABLE, one);
        }
        if is_length {
            return Err(Fault::at("this expansion is not read here", "${#"));
        }
        self.expanded(VARIABLE, one)?;
        self.operator(&name, quoted)
    }

    /// What is done to the value in `${…}`.
    fn operator(&mut self, name: &str, quoted: bool) -> Step {
        match (self.cursor.peek(), self.cursor.ahead(1)) {
            (Some(b':'), Some(operator @ (b'-' | b'=' | b'?' | b'+'))) => {
                self.cursor.bump(2);
                self.assign_by_default(name, operator);
                self.in_parameter(quoted)
            }
            (Some(operator @ (b'-' | b'=' | b'?' | b'+')), _) => {
                self.cursor.bump(1);
                self.assign_by_default(name, operator);
                self.in_parameter(quoted)
            }
            (Some(b'#' | b'%'), _) => {
                self.cursor.bump(1);
                self.in_parameter(quoted)
            }
            (Some(b'/' | b'^' | b','), _) => {
                self.bash_only()?;
                self.cursor.bump(1);
                self.in_parameter(quoted)
            }
            (Some(b'@'), Some(b'P')) => Err(Fault::at(PROMPT, "@P")),
            (Some(b'@'), Some(letter)) if letter.is_ascii_alphabetic() => {
                self.bash_only()?;
                self.cursor.bump(2);
                if self.cursor.eat("}") {
                    return Ok(());
                }
                Err(Fault::at("this expansion is not read here", "@"))
            }
            (Some(b':'), _) => {
                self.bash_only()?;
                self.cursor.bump(1);
                self.arithmetic("}")
            }
            (Some(_), _) => Err(Fault::at("this expansion is not read here", "${")),
            (None, _) => Err(Fault::at("an expansion is not closed", "${")),
        }
    }

    fn in_parameter(&mut self, quoted: bool) -> Step {
        self.deepen()?;
        self.frames.push(Frame::Parameter { quoted });
        Ok(())
    }

    /// `${x:=word}` assigns.
    fn assign_by_default(&mut self, name: &str, operator: u8) {
        if operator == b'=' {
            let at = self.place();
            self.notes.assigned.push(Assigned {
                name: name.into(),
                at,
                text: None,
                number: false,
            });
        }
    }

    /// `` `…` ``: its text with an escape less is read on its own.
    pub(super) fn backtick(&mut self, quoted: bool) -> Step {
        let (at, from) = (self.place(), self.cursor.at());
        self.cursor.bump(1);
        let mut text = String::new();
        loop {
            match self.cursor.take() {
                None => return Err(Fault::at("a substitution is not closed", "`")),
                Some('`') => break,
                Some('\\') => match self.cursor.peek() {
                    Some(b'"') if quoted => return Err(Fault::at(ESCAPE, "\\\"")),
                    Some(b'$' | b'`' | b'\\') => text.extend(self.cursor.take()),
                    Some(_) | None => text.push('\\'),
                },
                Some(char) => text.push(char),
            }
        }
        self.break_in_word(&text)?;
        if self.cursor.from(from).contains('\\') {
            self.doubt(ESCAPED, "`");
        }
        self.expanded(OUTPUT, quoted)?;
        self.queue.push_back(Source {
            text,
            kind: SourceKind::Commands,
            depth: self.depth.saturating_add(1),
            at: Some(at),
            origin: Origin::Substitution,
        });
        Ok(())
    }

    /// `$'…'`.
    fn ansi(&mut self) -> Step {
        self.bash_only()?;
        self.cursor.bump(2);
        self.draft()?.quote();
        loop {
            match self.cursor.take() {
                None | Some('\0') => return Err(Fault::at("a quote is not closed", "$'")),
                Some('\'') => {
                    self.draft()?.push_str("");
                    return Ok(());
                }
                Some('\\') => self.ansi_escape()?,
                Some(char) => {
                    if char == '\n' {
                        self.break_in_word("\n")?;
                    }
                    self.draft()?.push(char);
                }
            }
        }
    }

    fn ansi_escape(&mut self) -> Step {
        let Some(char) = self.cursor.take() else {
            return Err(Fault::at("a quote is not closed", "$'"));
        };
        let decoded = match char {
            'a' => Some('\u{7}'),
            'b' => Some('\u{8}'),
            'e' | 'E' => Some('\u{1b}'),
            'f' => Some('\u{c}'),
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            'v' => Some('\u{b}'),
            '\\' | '\'' | '"' | '?' => Some(char),
            'x' if self.cursor.peek() == Some(b'{') => None,
            'x' => self.ansi_number(16, 2, 0),
            'u' => self.ansi_number(16, 4, 0),
            'U' => self.ansi_number(16, 8, 0),
            '0'..='7' => self.ansi_number(8, 2, char.to_digit(8).unwrap_or_default()),
            'c' => None,
            _ => {
                let draft = self.draft()?;
                draft.push('\\');
                draft.push(char);
                return Ok(());
            }
        };
        match decoded {
            Some(char) => self.draft()?.push(char),
            None => return Err(Fault::at(ESCAPE, &format!("\\{}", char.escape_default()))),
        }
        Ok(())
    }

    /// A character by its number, if it is in ASCII and not the null character.
    fn ansi_number(&mut self, radix: u32, most: usize, first: u32) -> Option<char> {
        let mut number = first;
        for _ in 0..most {
            let digit = self.cursor.peek().map(char::from);
            let Some(digit) = digit.and_then(|char| char.to_digit(radix)) else {
                break;
            };
            self.cursor.bump(1);
            number = number.checked_mul(radix)?.checked_add(digit)?;
        }
        let char = char::from_u32(number)?;
        (char.is_ascii() && char != '\0').then_some(char)
    }
}
