//! Redirections.

use super::super::plan::Fault;
use super::raw::{RawRedirect, RawWord, Target};
use super::{After, Block, Draft, Expect, Reader, Step};

/// What a redirection does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operator {
    kind: Kind,
    /// It is about standard input.
    input: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Read,
    Write,
    /// `>&`, `<&`.
    Duplicate,
    Document {
        tabs: bool,
    },
    Text,
}

/// The operators, the longest first; whether they read, and whether bash alone has them.
const OPERATORS: &[(&str, Kind, bool, bool)] = &[
    ("&>>", Kind::Write, false, true),
    ("<<-", Kind::Document { tabs: true }, true, false),
    ("<<<", Kind::Text, true, true),
    ("&>", Kind::Write, false, true),
    ("<<", Kind::Document { tabs: false }, true, false),
    (">>", Kind::Write, false, false),
    (">|", Kind::Write, false, false),
    ("<>", Kind::Write, true, false),
    (">&", Kind::Duplicate, false, false),
    ("<&", Kind::Duplicate, true, false),
    (">", Kind::Write, false, false),
    ("<", Kind::Read, true, false),
];

impl Reader<'_> {
    /// A redirection of a descriptor by number.
    pub(super) fn redirect_numbered(&mut self, input: bool, next: Option<u8>) -> Step {
        if self.cursor.ahead(1) == Some(b'(') || next.is_none() {
            return Err(self.syntax());
        }
        self.redirect_of(Some(input))
    }

    /// A redirection; its target is the next word.
    pub(super) fn redirect(&mut self) -> Step {
        self.redirect_of(None)
    }

    fn redirect_of(&mut self, input: Option<bool>) -> Step {
        let rest = OPERATORS.iter().find(|(text, ..)| self.cursor.starts(text));
        let Some((text, kind, reads, bash)) = rest else {
            return Err(self.syntax());
        };
        let list = self.top()?;
        let may_stand = match list.block {
            Block::Condition => {
                // They compare there.
                self.cursor.bump(1);
                return Ok(());
            }
            Block::Array
            | Block::ForName
            | Block::ForIn
            | Block::ForWords
            | Block::ForDo
            | Block::CaseWord
            | Block::CaseIn
            | Block::CasePattern => false,
            Block::Text
            | Block::Subshell
            | Block::Group
            | Block::Substitution
            | Block::Process
            | Block::If
            | Block::Then
            | Block::Else
            | Block::While
            | Block::Do
            | Block::CaseBody => {
                !matches!(list.after, After::Function | After::FunctionWord) || list.draft.is_some()
            }
        };
        if !may_stand || list.expect != Expect::Word {
            return Err(self.syntax());
        }
        // A command of a redirection alone opens the file all the same.
        if list.draft.is_none() && list.after != After::Compound {
            if list.after == After::Command {
                return Err(self.syntax());
            }
            list.draft = Some(Draft::default());
        }
        list.expect = Expect::Redirect(Operator {
            kind: *kind,
            input: input.unwrap_or(*reads),
        });
        if *bash {
            self.bash_only()?;
        }
        self.cursor.bump(text.len());
        Ok(())
    }

    /// The target of a redirection.
    pub(super) fn redirect_to(&mut self, operator: Operator, word: RawWord) -> Step {
        let Operator { kind, input } = operator;
        let target = match kind {
            Kind::Read => Target::File {
                word,
                writes: false,
            },
            Kind::Write => Target::File { word, writes: true },
            Kind::Text => Target::Text(word),
            Kind::Duplicate => duplicate(word, input)?,
            Kind::Document { tabs } => Target::Document(self.document_of(&word, tabs)?),
        };
        let redirect = RawRedirect { target, input };
        match &mut self.top()?.draft {
            Some(draft) => draft.redirects.push(redirect),
            None => self.notes.redirects.push(redirect),
        }
        Ok(())
    }
}

/// `2>&1`, `>&-`, and `>&file`, which opens a file.
fn duplicate(word: RawWord, input: bool) -> Result<Target, Fault> {
    let is_descriptor = |text: &str| {
        let digits = text.strip_suffix('-').unwrap_or(text);
        !text.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    match word.literal() {
        Some(text) if is_descriptor(text) => Ok(Target::Descriptor),
        // The sign ends there, and the rest is a word.
        Some(text) if text.starts_with('-') => Err(Fault::at(super::SYNTAX, text)),
        Some(_) if !input => Ok(Target::File { word, writes: true }),
        Some(_) | None => {
            let why = "which descriptor it is cannot be known";
            Err(Fault::at(why, &word.source))
        }
    }
}
