//! Words: quotes, escapes, and what makes a word more than its text.

use smol_str::SmolStr;

use super::super::plan::Fault;
use super::list::is_assigning;
use super::raw::{Piece, RawWord, WordDraft};
use super::{Block, Expect, Frame, Origin, Reader, Step};

pub(in super::super) const GLOB: &str = "it is a pattern for names of files";
const BRACES: &str = "its braces make several words";
/// A home folder is one word, whatever is in its name.
pub(in super::super) const TILDE: &str = "its tilde is a folder";
const UNCLOSED: &str = "a quote is not closed";
const JOINED: &str = "a line is continued within an expansion";
const SUBSCRIPT: &str = "a subscript is evaluated";
const BLANK: &str = "some shells take it for a blank, and people may not see it";
const BREAK_IN_WORD: &str = "a line break in a word stands before a here-document";

impl Reader<'_> {
    pub(super) fn start_word(&mut self) {
        self.words.push(WordDraft::new(self.cursor.at()));
        self.frames.push(Frame::Word);
    }

    /// One step in the unquoted part of a word.
    pub(super) fn word(&mut self) -> Step {
        let Some(byte) = self.cursor.peek() else {
            return self.end_word();
        };
        match byte {
            b'(' => self.parenthesis_in_word(),
            b'<' | b'>' if self.cursor.ahead(1) == Some(b'(') => self.process(),
            b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b')' | b'<' | b'>' => self.end_word(),
            b'\'' => self.single(),
            b'"' => {
                self.cursor.bump(1);
                self.draft()?.quote();
                self.draft()?.push_str("");
                self.frames.push(Frame::Double);
                Ok(())
            }
            b'$' => self.dollar(false),
            b'`' => self.backtick(false),
            b'\\' => self.escape(),
            _ => self.plain(byte),
        }
    }

    /// A character that stands for itself, though a word with it may stand for more.
    fn plain(&mut self, byte: u8) -> Step {
        if is_mere(byte) {
            return self.mere(is_mere);
        }
        if byte == b'[' {
            self.subscript()?;
        }
        let at = self.cursor.at().saturating_add(1);
        let draft = self.words.last_mut().ok_or(Fault::whole(UNCLOSED))?;
        match byte {
            b'*' | b'?' => draft.unknown = Some(GLOB),
            b'[' => draft.bracket = true,
            b']' if draft.bracket => draft.unknown = Some(GLOB),
            b'{' => draft.brace = true,
            b',' if draft.brace => draft.comma = true,
            // A line may be continued between them.
            b'.' if draft.brace && draft.last() == Some('.') => draft.comma = true,
            b'}' if draft.comma => draft.unknown = Some(BRACES),
            b'~' if draft.pieces.is_empty() || matches!(draft.last(), Some('=' | ':')) => {
                draft.unknown.get_or_insert(TILDE);
            }
            b'=' if draft.bare && draft.assigns.is_none() => {
                if let [Piece::Text(head)] = draft.pieces.as_slice() {
                    draft.assigns = assigned_name(head).map(|name| (name.to_owned(), at));
                    if draft.assigns.is_some() && head.ends_with('+') {
                        self.bash_only()?;
                    }
                }
            }
            _ => {}
        }
        match self.cursor.take() {
            Some('\0') => Err(Fault::at("a null character ends the line", "\\0")),
            Some(char) => {
                if !char.is_ascii() || char.is_ascii_control() {
                    self.doubt(BLANK, &char.escape_unicode().to_string());
                }
                let draft = self.draft()?;
                if matches!(char, '*' | '?' | '[' | '{' | ',' | '}') {
                    draft.push_sign(char);
                } else {
                    draft.push(char);
                }
                Ok(())
            }
            None => Err(Fault::whole(UNCLOSED)),
        }
    }

    /// `name[` where an assignment may stand: bash reads the subscript as it reads no word.
    fn subscript(&mut self) -> Step {
        let list = self.lists.last();
        let may_assign = list.is_some_and(|list| match (&list.draft, list.block) {
            (_, Block::Array) | (None, _) => true,
            (Some(draft), _) => draft.words.first().is_none_or(is_assigning),
        });
        let in_array = list.is_some_and(|list| list.block == Block::Array);
        let draft = self.words.last().ok_or(Fault::whole(UNCLOSED))?;
        let is_subscript = match draft.pieces.as_slice() {
            [Piece::Text(name)] => draft.bare && is_name(name),
            [] => in_array,
            _ => false,
        };
        if !may_assign || !is_subscript {
            return Ok(());
        }
        let rest = self.cursor.rest().get(1..).unwrap_or_default();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && rest.as_bytes().get(digits) == Some(&b']') {
            return Ok(());
        }
        let part = self
            .cursor
            .from(self.words.last().map_or(0, |word| word.from));
        Err(Fault::at(SUBSCRIPT, &format!("{part}[")))
    }

    fn single(&mut self) -> Step {
        self.cursor.bump(1);
        let Some(text) = self.cursor.take_until('\'') else {
            return Err(Fault::at(UNCLOSED, "'"));
        };
        self.break_in_word(&text)?;
        let draft = self.draft()?;
        draft.quote();
        draft.push_str(&text);
        Ok(())
    }

    fn escape(&mut self) -> Step {
        self.cursor.bump(1);
        match self.cursor.take() {
            Some('\n') => Ok(()),
            Some('\0') | None => Err(Fault::at("nothing follows it", "\\")),
            Some(char) => {
                let draft = self.draft()?;
                draft.quote();
                draft.push(char);
                Ok(())
            }
        }
    }

    /// One step between `"` and `"`.
    pub(super) fn double(&mut self) -> Step {
        match self.cursor.peek() {
            None => Err(Fault::at(UNCLOSED, "\"")),
            Some(b'"') => {
                self.cursor.bump(1);
                self.frames.pop();
                Ok(())
            }
            Some(b'$') => self.dollar(true),
            Some(b'`') => self.backtick(true),
            Some(b'\\') => self.escape_in_quotes(true),
            Some(_) => self.quoted_char(),
        }
    }

    /// One step in the body of a here-document.
    pub(super) fn document(&mut self) -> Step {
        match self.cursor.peek() {
            None => {
                self.frames.pop();
                self.words.pop();
                Ok(())
            }
            Some(b'$') => self.dollar(true),
            Some(b'`') => self.backtick(true),
            Some(b'\\') => self.escape_in_quotes(false),
            Some(_) => self.quoted_char(),
        }
    }

    /// Characters that stand for themselves, all that follow one another.
    fn mere(&mut self, is_mere: impl Fn(u8) -> bool) -> Step {
        let draft = self.words.last_mut().ok_or(Fault::whole(UNCLOSED))?;
        draft.push_str(self.cursor.take_while(is_mere));
        Ok(())
    }

    fn quoted_char(&mut self) -> Step {
        if self.cursor.peek().is_some_and(is_mere) {
            return self.mere(|byte| is_mere(byte) || byte == b' ');
        }
        let Some(char) = self.cursor.take() else {
            return Err(Fault::at(UNCLOSED, "\""));
        };
        if char == '\n' || char == '\0' {
            self.break_in_word(char.encode_utf8(&mut [0; 4]))?;
        }
        self.draft()?.push(char);
        Ok(())
    }

    /// A backslash where it escapes a few characters and stands for itself before all others.
    fn escape_in_quotes(&mut self, in_word: bool) -> Step {
        self.cursor.bump(1);
        let next = self.cursor.peek();
        match next {
            Some(b'\n') => {
                self.cursor.bump(1);
                Ok(())
            }
            Some(b'$' | b'`' | b'\\') => self.quoted_char(),
            Some(b'"') if in_word => self.quoted_char(),
            Some(_) | None => {
                self.draft()?.push('\\');
                Ok(())
            }
        }
    }

    /// One step in the word of `${x:-word}`.
    pub(super) fn parameter_word(&mut self, quoted: bool) -> Step {
        let Some(byte) = self.cursor.peek() else {
            return Err(Fault::at("an expansion is not closed", "${"));
        };
        match byte {
            b'}' => {
                self.cursor.bump(1);
                self.frames.pop();
                self.depth = self.depth.saturating_sub(1);
                Ok(())
            }
            b'$' => self.dollar(quoted),
            b'`' => self.backtick(quoted),
            b'\\' => {
                self.cursor.bump(1);
                match self.cursor.take() {
                    Some('\n' | '\0') | None => Err(Fault::at(JOINED, "\\")),
                    Some(_) => Ok(()),
                }
            }
            // Quotes within quotes are read in more than one way, and a brace may nest or not.
            b'\'' | b'"' if quoted => Err(self.syntax()),
            b'{' | b'\n' | b'\0' => Err(self.syntax()),
            b'<' | b'>' if self.cursor.ahead(1) == Some(b'(') => Err(self.syntax()),
            b'\'' => {
                self.cursor.bump(1);
                match self.cursor.take_until('\'') {
                    Some(text) if !text.contains('\0') => Ok(()),
                    Some(_) | None => Err(Fault::at(UNCLOSED, "'")),
                }
            }
            b'"' => {
                self.cursor.bump(1);
                self.frames.push(Frame::Double);
                Ok(())
            }
            _ => {
                self.cursor.take();
                Ok(())
            }
        }
    }

    /// `(` directly behind a word: an array, the head of a function, or a fault of the list.
    fn parenthesis_in_word(&mut self) -> Step {
        let at = self.cursor.at();
        let draft = self.draft()?;
        let is_array = draft.bare && draft.assigns.as_ref().is_some_and(|(_, from)| *from == at);
        if !is_array {
            return self.end_word();
        }
        self.bash_only()?;
        let may_assign = self.lists.last().is_some_and(|list| {
            list.expect == Expect::Word
                && match &list.draft {
                    None => true,
                    Some(draft) => draft.words.first().is_none_or(is_assigning),
                }
        });
        if !may_assign {
            return Err(self.syntax());
        }
        self.cursor.bump(1);
        self.draft()?.expand(Piece::Unknown {
            why: "it is an array",
            many: true,
        });
        let origin = self.origin();
        self.open(Block::Array, origin)
    }

    /// `<(` and `>(`, which stand at the beginning of a word.
    fn process(&mut self) -> Step {
        let draft = self.draft()?;
        if !draft.pieces.is_empty() || !draft.bare {
            return Err(self.syntax());
        }
        self.bash_only()?;
        self.cursor.bump(2);
        let draft = self.draft()?;
        draft.process = true;
        draft.expand(Piece::Unknown {
            why: "it is the name of a pipe",
            many: false,
        });
        self.open(Block::Process, Origin::Process)
    }

    /// A line break within a word, while the body of a here-document is to come.
    pub(super) fn break_in_word(&self, text: &str) -> Step {
        if text.contains('\0') {
            return Err(Fault::at("a null character ends the line", "\\0"));
        }
        if !self.pending.is_empty() && text.contains('\n') {
            return Err(Fault::whole(BREAK_IN_WORD));
        }
        Ok(())
    }

    fn end_word(&mut self) -> Step {
        self.frames.pop();
        let Some(draft) = self.words.pop() else {
            return Err(self.syntax());
        };
        let WordDraft {
            from,
            pieces,
            bare,
            quoted,
            unknown,
            process,
            assigns,
            brace,
            comma,
            dollar,
            signs,
            ..
        } = draft;
        let source = SmolStr::from(self.cursor.from(from));
        // What braces make is expanded once more: `{$,x}HOME`.
        if dollar && brace && comma {
            return Err(Fault::at(BRACES, &source));
        }
        if process && pieces.len() > 1 {
            return Err(Fault::at("a pipe's name is a part of a word", &source));
        }
        let word = RawWord {
            pieces,
            source,
            bare,
            quoted,
            unknown,
            process,
            signs,
            braced: brace && comma,
        };
        self.finish_word(word, assigns)
    }
}

/// Whether a byte stands for itself in a word, quoted or not, whatever stands around it.
const fn is_mere(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'%' | b'@')
}

/// The variable of an assignment whose `=` comes next.
fn assigned_name(head: &str) -> Option<&str> {
    let head = head.strip_suffix('+').unwrap_or(head);
    let name = match head.strip_suffix(']') {
        None => head,
        Some(subscript) => {
            let (name, key) = subscript.split_once('[')?;
            if !key.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            name
        }
    };
    is_name(name).then_some(name)
}

/// Whether a variable may have this name.
pub(in super::super) fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes
        .next()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
