//! Reserved words and the compound commands that they make.

use super::super::plan::Fault;
use super::raw::{Assigned, RawWord};
use super::word::is_name;
use super::{After, Block, Draft, Expect, Origin, Reader, Step};

const RESERVED: [&str; 21] = [
    "if", "then", "elif", "else", "fi", "while", "until", "for", "select", "do", "done", "case",
    "esac", "{", "}", "!", "[[", "function", "time", "coproc", "in",
];

const SELECT: &str = "what it assigns comes from the input";
const COPROC: &str = "it assigns variables of its own";
const FUNCTION: &str = "a function may stand for a program";

/// Whether this word is none of a command where a command begins.
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

impl Reader<'_> {
    /// A bare word where a command may begin: whether it was a reserved one.
    pub(super) fn reserved(&mut self, word: &str) -> Result<bool, Fault> {
        let list = self.top()?;
        let (block, after) = (list.block, list.after);
        let has_command = matches!(after, After::Separator | After::Command | After::Compound);
        // Only what ends a compound command, or goes on with one, follows another.
        let may_begin = match after {
            After::Start | After::Separator | After::Operator | After::Prefix => true,
            After::Function => !matches!(word, "!" | "time" | "coproc" | "function"),
            After::Command | After::Compound | After::FunctionWord => false,
        };
        match (word, block) {
            ("then", Block::If) if has_command => self.go_on(Block::Then)?,
            ("elif", Block::Then) if has_command => self.go_on(Block::If)?,
            ("else", Block::Then) if has_command => self.go_on(Block::Else)?,
            ("do", Block::While) if has_command => self.go_on(Block::Do)?,
            ("fi", Block::Then | Block::Else) | ("done", Block::Do) | ("}", Block::Group)
                if has_command =>
            {
                self.end_compound()?;
            }
            ("esac", Block::CaseBody) if has_command || after == After::Start => {
                self.end_compound()?;
            }
            ("then" | "elif" | "else" | "fi" | "do" | "done" | "}" | "esac", _) => {
                return Err(Fault::at(super::SYNTAX, word));
            }
            _ if !may_begin => return Ok(false),
            ("if", _) => self.begin(Block::If)?,
            ("while" | "until", _) => self.begin(Block::While)?,
            ("for", _) => self.begin_for()?,
            ("select", _) => {
                self.bash_word(word)?;
                self.doubt(SELECT, word);
                self.begin(Block::ForName)?;
            }
            ("case", _) => self.begin(Block::CaseWord)?,
            ("{", _) => {
                let origin = if self.origin() == Origin::List {
                    Origin::Group
                } else {
                    self.origin()
                };
                self.begin_in(Block::Group, origin)?;
            }
            ("[[", _) => {
                self.bash_word(word)?;
                self.begin(Block::Condition)?;
                self.top()?.draft = Some(Draft::default());
            }
            ("!", _) => self.top()?.after = After::Prefix,
            ("time", _) => return self.time(after),
            ("coproc", _) => {
                self.bash_word(word)?;
                self.doubt(COPROC, word);
                self.top()?.after = After::Prefix;
                self.top()?.certain = false;
            }
            ("function", _) => {
                self.bash_word(word)?;
                self.top()?.after = After::FunctionWord;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A reserved word that bash alone has.
    fn bash_word(&self, word: &str) -> Step {
        if self.bash {
            Ok(())
        } else {
            Err(Fault::at(super::BASH_ONLY, word))
        }
    }

    /// `time` is reserved in bash at the beginning of a pipeline, and a program elsewhere.
    fn time(&mut self, after: After) -> Result<bool, Fault> {
        if !self.bash {
            return Ok(false);
        }
        let list = self.top()?;
        if list.piped || after == After::Prefix {
            return Err(Fault::at(super::SYNTAX, "time"));
        }
        list.after = After::Prefix;
        self.cursor.take_while(|byte| byte == b' ' || byte == b'\t');
        for option in ["-p", "--"] {
            let ends = |byte: Option<u8>| matches!(byte, Some(b' ' | b'\t'));
            if self.cursor.starts(option) && ends(self.cursor.ahead(2)) {
                self.cursor.bump(3);
                self.cursor.take_while(|byte| byte == b' ' || byte == b'\t');
            }
        }
        if self.cursor.peek() == Some(b'-') {
            return Err(Fault::at(super::SYNTAX, "time"));
        }
        Ok(true)
    }

    fn begin(&mut self, block: Block) -> Step {
        let origin = match self.origin() {
            Origin::List | Origin::Pipeline | Origin::Group => Origin::Compound,
            origin @ (Origin::Subshell
            | Origin::Compound
            | Origin::Function
            | Origin::Substitution
            | Origin::Process
            | Origin::Text
            | Origin::Carrier) => origin,
        };
        self.begin_in(block, origin)
    }

    fn begin_in(&mut self, block: Block, origin: Origin) -> Step {
        let is_body = self.top()?.after == After::Function;
        let origin = if is_body { Origin::Function } else { origin };
        self.top()?.after = After::Compound;
        self.open(block, origin)
    }

    /// The next part of a compound command.
    fn go_on(&mut self, block: Block) -> Step {
        let list = self.top()?;
        list.block = block;
        list.after = After::Start;
        list.piped = false;
        Ok(())
    }

    fn end_compound(&mut self) -> Step {
        self.close();
        self.top()?.after = After::Compound;
        Ok(())
    }

    /// `for name`, or `for ((…))`.
    fn begin_for(&mut self) -> Step {
        self.begin(Block::ForName)?;
        self.cursor.take_while(|byte| byte == b' ' || byte == b'\t');
        if self.cursor.starts("((") {
            self.bash_only()?;
            self.cursor.bump(2);
            self.arithmetic("))")?;
            self.cursor.take_while(|byte| byte == b' ' || byte == b'\t');
            self.cursor.eat(";");
            self.top()?.block = Block::ForDo;
        }
        Ok(())
    }

    /// A word of the head of `for`, `case` or `[[`.
    pub(super) fn word_of_head(&mut self, word: RawWord) -> Step {
        let bare = word.bare().map(str::to_owned);
        let bare = bare.as_deref();
        let list = self.top()?;
        let wrong = Err(Fault::at(super::SYNTAX, &word.source));
        match (list.block, bare) {
            (Block::ForName, Some(name)) if is_name(name) => {
                name.clone_into(&mut list.name);
                list.block = Block::ForIn;
            }
            (Block::ForIn, Some("in")) => {
                list.block = Block::ForWords;
                list.draft = Some(Draft::default());
            }
            (Block::ForIn | Block::ForDo, Some("do")) => {
                let is_bare = list.block == Block::ForIn;
                self.go_on(Block::Do)?;
                if is_bare {
                    self.assign_loop(false)?;
                }
            }
            (Block::CaseWord, _) => list.block = Block::CaseIn,
            (Block::CaseIn, Some("in")) => list.block = Block::CasePattern,
            (Block::CasePattern, Some("esac")) if list.draft.is_none() => self.end_compound()?,
            (Block::CasePattern, _) => {
                let draft = list.draft.get_or_insert_with(Draft::default);
                if !draft.words.is_empty() {
                    return wrong;
                }
                draft.words.push(word);
            }
            (Block::Condition, Some("]]")) => {
                let draft = list.draft.take().unwrap_or_default();
                super::super::unfold::condition(&draft.words, self.notes)?;
                self.end_compound()?;
            }
            (Block::Condition | Block::ForWords, _) => list
                .draft
                .get_or_insert_with(Draft::default)
                .words
                .push(word),
            _ => return wrong,
        }
        Ok(())
    }

    /// The end of the words of `for`.
    pub(super) fn end_for_words(&mut self) -> Step {
        let list = self.top()?;
        let words = list.draft.take().map(|draft| draft.words);
        list.block = Block::ForDo;
        let is_number = words.is_some_and(|words| words.iter().all(RawWord::is_number));
        self.assign_loop(is_number)
    }

    /// `for` and `select` assign their variable.
    fn assign_loop(&mut self, number: bool) -> Step {
        let at = self.place();
        let name = std::mem::take(&mut self.top()?.name);
        self.notes.assigned.push(Assigned {
            name,
            at,
            text: None,
            number,
        });
        Ok(())
    }

    /// `|` between patterns of `case`.
    pub(super) fn next_pattern(&mut self) -> Step {
        let list = self.top()?;
        if list.draft.take().is_none() || self.cursor.starts("||") || self.cursor.starts("|&") {
            return Err(self.syntax());
        }
        // After it `esac` is a pattern, which is rare enough not to be read.
        self.cursor.bump(1);
        Ok(())
    }

    /// `;;` and its like.
    pub(super) fn end_case_body(&mut self, bytes: usize) -> Step {
        if self.top()?.block != Block::CaseBody {
            return Err(self.syntax());
        }
        self.end_command()?;
        let list = self.top()?;
        if matches!(
            list.after,
            After::Operator | After::Prefix | After::Function | After::FunctionWord
        ) {
            return Err(self.syntax());
        }
        self.go_on(Block::CasePattern)?;
        self.cursor.bump(bytes);
        Ok(())
    }

    /// `(` where a word may begin.
    pub(super) fn parenthesis(&mut self) -> Step {
        let list = self.top()?;
        if list.expect != Expect::Word {
            return Err(self.syntax());
        }
        match list.block {
            Block::CasePattern if list.draft.is_none() && list.after == After::Start => {
                list.after = After::Separator;
                self.cursor.bump(1);
                return Ok(());
            }
            // Behind an operator it may begin a pattern, which ends where no word does.
            Block::Condition
            | Block::Array
            | Block::ForName
            | Block::ForIn
            | Block::ForWords
            | Block::ForDo
            | Block::CaseWord
            | Block::CaseIn
            | Block::CasePattern => return Err(self.syntax()),
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
            | Block::CaseBody => {}
        }
        if list.draft.is_some() {
            return self.function_head();
        }
        match list.after {
            After::Start | After::Separator | After::Operator | After::Prefix | After::Function => {
            }
            After::Command | After::Compound | After::FunctionWord => return Err(self.syntax()),
        }
        if self.cursor.starts("((") {
            self.bash_only()?;
            self.cursor.bump(2);
            self.top()?.after = After::Compound;
            return self.arithmetic("))");
        }
        self.cursor.bump(1);
        let origin = match self.origin() {
            Origin::List | Origin::Pipeline | Origin::Group | Origin::Compound => Origin::Subshell,
            origin @ (Origin::Subshell
            | Origin::Function
            | Origin::Substitution
            | Origin::Process
            | Origin::Text
            | Origin::Carrier) => origin,
        };
        self.begin_in(Block::Subshell, origin)
    }

    /// `)`.
    pub(super) fn end_parenthesis(&mut self) -> Step {
        let list = self.top()?;
        if list.expect != Expect::Word {
            return Err(self.syntax());
        }
        match list.block {
            Block::CasePattern => {
                if list.draft.take().is_none() {
                    return Err(self.syntax());
                }
                self.go_on(Block::CaseBody)?;
                self.cursor.bump(1);
            }
            Block::Array => {
                self.cursor.bump(1);
                self.close();
            }
            Block::Subshell | Block::Substitution | Block::Process => {
                self.end_command()?;
                let list = self.top()?;
                let is_subshell = list.block == Block::Subshell;
                let is_whole = match list.after {
                    After::Start => !is_subshell,
                    After::Separator | After::Command | After::Compound => true,
                    After::Operator | After::Prefix | After::Function | After::FunctionWord => {
                        false
                    }
                };
                if !is_whole || (!is_subshell && self.has_pending()) {
                    return Err(self.syntax());
                }
                self.cursor.bump(1);
                self.close();
            }
            Block::Text
            | Block::Group
            | Block::If
            | Block::Then
            | Block::Else
            | Block::While
            | Block::Do
            | Block::ForName
            | Block::ForIn
            | Block::ForWords
            | Block::ForDo
            | Block::CaseWord
            | Block::CaseIn
            | Block::CaseBody
            | Block::Condition => return Err(self.syntax()),
        }
        Ok(())
    }

    /// `name ( )`.
    fn function_head(&mut self) -> Step {
        let list = self.top()?;
        let draft = list.draft.take().unwrap_or_default();
        let [name] = draft.words.as_slice() else {
            return Err(self.syntax());
        };
        let is_alone = draft.assignments.is_empty() && draft.redirects.is_empty();
        if !is_alone || list.after == After::Function {
            return Err(self.syntax());
        }
        let name = name.clone();
        self.function_name(&name)
    }

    /// The name of a function, and `( )` behind it.
    pub(super) fn function_name(&mut self, name: &RawWord) -> Step {
        let is_plain = |name: &str| {
            !name.is_empty()
                && !is_reserved(name)
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"_-.:".contains(&byte))
        };
        if !name.bare().is_some_and(is_plain) {
            return Err(Fault::at(super::SYNTAX, &name.source));
        }
        let is_blank = |byte| byte == b' ' || byte == b'\t';
        self.cursor.take_while(is_blank);
        let with_word = self.top()?.after == After::FunctionWord;
        if self.cursor.eat("(") {
            self.cursor.take_while(is_blank);
            if !self.cursor.eat(")") {
                return Err(self.syntax());
            }
        } else if !with_word {
            return Err(self.syntax());
        }
        self.doubt(FUNCTION, &name.source);
        self.top()?.after = After::Function;
        Ok(())
    }

    /// A word of an array that is assigned.
    pub(super) fn element(word: &RawWord) -> Step {
        // `[key]=value` evaluates the key; with digits it was read.
        if word.source.starts_with('[') && !word.bare {
            return Err(Fault::at("a subscript is evaluated", &word.source));
        }
        Ok(())
    }
}
