//! Reading the part of the shell's language whose meaning is certain.
//!
//! One pass over the text, with an explicit stack in place of recursion. What is not read for
//! certain is a fault, and reading ends there.

mod arithmetic;
mod compound;
mod cursor;
mod expansion;
mod here;
mod list;
mod raw;
mod redirect;
mod word;

use std::collections::VecDeque;

pub(super) use raw::{
    Assigned, Notes, Piece, RawAssignment, RawCommand, RawRedirect, RawWord, Target, statics,
};

use super::plan::{COMMANDS_MAX, Fault, NESTING_MAX, Origin};
use super::unfold::Dialect;
pub(super) use word::{GLOB, TILDE, is_name};

use cursor::Cursor;
use here::PendingDocument;
use raw::WordDraft;

/// Nothing, or why reading ends.
type Step = Result<(), Fault>;

const TOO_DEEP: &str = "it nests too deep";
const TOO_MANY: &str = "it holds too many commands";
const SYNTAX: &str = "this is not the language that is read here";
const BASH_ONLY: &str = "shells other than bash read this in another way";

/// A text to be read.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) text: String,
    pub(super) kind: SourceKind,
    pub(super) depth: usize,
    /// Where in the outermost text it stands.
    pub(super) at: Option<usize>,
    pub(super) origin: Origin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SourceKind {
    /// Commands.
    Commands,
    /// The body of a here-document in which substitutions take place.
    Document,
}

/// What is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frame {
    List,
    Word,
    Double,
    Document,
    /// The word in `${x:-word}`.
    Parameter {
        quoted: bool,
    },
}

/// What opened a list, and how far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Text,
    Subshell,
    Group,
    Substitution,
    Process,
    If,
    Then,
    Else,
    While,
    Do,
    ForName,
    ForIn,
    ForWords,
    ForDo,
    CaseWord,
    CaseIn,
    CasePattern,
    CaseBody,
    Condition,
    Array,
}

impl Block {
    /// Whether its end ends a stream of tokens of its own.
    const fn is_stream(self) -> bool {
        matches!(self, Self::Text | Self::Substitution | Self::Process)
    }
}

/// What stands before the place in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    Start,
    Separator,
    /// `&&`, `||`, `|`: a command must follow.
    Operator,
    /// `!`, `time`, `coproc`: a command must follow on the same line.
    Prefix,
    /// The head of a function: its body must follow.
    Function,
    /// `function`: its name must follow.
    FunctionWord,
    Command,
    Compound,
}

/// What the next word of a list is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    Word,
    Redirect(redirect::Operator),
}

/// A list of commands that is being read.
#[derive(Debug)]
struct List {
    block: Block,
    origin: Origin,
    after: After,
    expect: Expect,
    draft: Option<Draft>,
    /// The command reads from a pipe.
    piped: bool,
    /// The command runs if the list runs: nothing stands before it but `;` and line breaks.
    certain: bool,
    /// From here on the assignments are those of the same and-or list.
    assigned: usize,
    /// The variable of `for`.
    name: String,
}

/// A simple command that is being read.
#[derive(Debug, Default)]
struct Draft {
    words: Vec<RawWord>,
    assignments: Vec<RawAssignment>,
    redirects: Vec<RawRedirect>,
}

/// Reads texts one after the other, all of one shell.
pub(super) struct Reader<'n> {
    cursor: Cursor,
    frames: Vec<Frame>,
    lists: Vec<List>,
    words: Vec<WordDraft>,
    pending: Vec<PendingDocument>,
    notes: &'n mut Notes,
    queue: VecDeque<Source>,
    /// The place of the text that is read, if it is not the outermost.
    base: Option<usize>,
    /// How deep the text itself is, and what is open in it.
    depth: usize,
    bash: bool,
    /// Only what is certain is read without a fault.
    certain: bool,
}

/// Reads a text and all texts in it. What is read before a fault counts.
pub(super) fn read(source: Source, dialect: Dialect, notes: &mut Notes) {
    let Dialect { bash, certain, .. } = dialect;
    let mut reader = Reader {
        cursor: Cursor::new(String::new()),
        frames: Vec::new(),
        lists: Vec::new(),
        words: Vec::new(),
        pending: Vec::new(),
        notes,
        queue: VecDeque::from([source]),
        base: None,
        depth: 0,
        bash,
        certain,
    };
    while let Some(source) = reader.queue.pop_front() {
        if let Err(fault) = reader.text(source) {
            reader.notes.fault(fault);
        }
    }
}

impl Reader<'_> {
    fn text(&mut self, source: Source) -> Step {
        let Source {
            text,
            kind,
            depth,
            at,
            origin,
        } = source;
        self.frames.clear();
        self.lists.clear();
        self.words.clear();
        self.pending.clear();
        self.cursor = Cursor::new(text);
        self.base = at;
        self.depth = depth;
        if depth > NESTING_MAX {
            return Err(Fault::whole(TOO_DEEP));
        }
        match kind {
            SourceKind::Commands => self.open(Block::Text, origin)?,
            SourceKind::Document => {
                self.words.push(WordDraft::new(0));
                self.frames.push(Frame::Document);
            }
        }
        while let Some(frame) = self.frames.last().copied() {
            self.notes.steps = self.notes.steps.saturating_add(1);
            match frame {
                Frame::List => self.list()?,
                Frame::Word => self.word()?,
                Frame::Double => self.double()?,
                Frame::Document => self.document()?,
                Frame::Parameter { quoted } => self.parameter_word(quoted)?,
            }
        }
        Ok(())
    }

    /// Begins a list.
    fn open(&mut self, block: Block, origin: Origin) -> Step {
        self.deepen()?;
        let assigned = self.notes.assigned.len();
        self.frames.push(Frame::List);
        self.lists.push(List {
            block,
            origin,
            after: After::Start,
            expect: Expect::Word,
            draft: None,
            piped: false,
            certain: true,
            assigned,
            name: String::new(),
        });
        Ok(())
    }

    /// Ends the innermost list.
    fn close(&mut self) {
        self.lists.pop();
        self.frames.pop();
        self.depth = self.depth.saturating_sub(1);
    }

    fn deepen(&mut self) -> Step {
        self.depth = self.depth.saturating_add(1);
        if self.depth > NESTING_MAX.saturating_add(1) {
            return Err(Fault::whole(TOO_DEEP));
        }
        Ok(())
    }

    /// The innermost list. There is one wherever a list is read.
    fn top(&mut self) -> Result<&mut List, Fault> {
        self.lists.last_mut().ok_or(Fault::whole(SYNTAX))
    }

    /// The innermost word. There is one wherever a word is read.
    fn draft(&mut self) -> Result<&mut WordDraft, Fault> {
        self.words.last_mut().ok_or(Fault::whole(SYNTAX))
    }

    /// The place in the outermost text.
    fn place(&self) -> usize {
        self.base.unwrap_or(self.cursor.at())
    }

    /// A fault at the sign that comes next.
    fn syntax(&self) -> Fault {
        match self.cursor.run() {
            "" => Fault::whole("it ends too early"),
            sign => Fault::at(SYNTAX, sign),
        }
    }

    /// That what comes next is read by bash alone.
    fn bash_only(&self) -> Step {
        if self.bash {
            Ok(())
        } else {
            Err(Fault::at(BASH_ONLY, self.cursor.run()))
        }
    }

    /// That what was read may mean more than it is taken for: a deny may rest on it, and no allow.
    fn doubt(&mut self, why: &'static str, part: &str) {
        if self.certain {
            self.notes.fault(Fault::at(why, part));
        }
    }

    /// A command that is whole.
    fn emit(&mut self, command: RawCommand) -> Step {
        if self.notes.commands.len() >= COMMANDS_MAX {
            return Err(Fault::whole(TOO_MANY));
        }
        self.notes.commands.push(command);
        Ok(())
    }
}
