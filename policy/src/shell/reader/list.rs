//! Lists: commands, and what stands between them.

use super::super::plan::Fault;
use super::raw::{Assigned, Piece, RawAssignment, RawCommand, RawWord};
use super::{After, Block, Draft, Expect, Origin, Reader, Step};

/// Builtins whose arguments are read as assignments are.
const ASSIGNING: [&str; 5] = ["declare", "typeset", "local", "export", "readonly"];

/// Whether words after this one may be assignments.
pub(super) fn is_assigning(word: &RawWord) -> bool {
    word.literal().is_some_and(|word| ASSIGNING.contains(&word))
}

impl Reader<'_> {
    /// One step between words.
    pub(super) fn list(&mut self) -> Step {
        let Some(byte) = self.cursor.peek() else {
            return self.end_of_text();
        };
        match byte {
            b' ' | b'\t' => self.cursor.bump(1),
            b'\\' if self.cursor.ahead(1) == Some(b'\n') => self.cursor.bump(2),
            b'\n' => return self.line_break(),
            b'#' => return self.comment(),
            b';' => return self.semicolon(),
            b'&' => return self.ampersand(),
            b'|' => return self.bar(),
            b'(' => return self.parenthesis(),
            b')' => return self.end_parenthesis(),
            b'<' | b'>' if self.cursor.ahead(1) != Some(b'(') => return self.redirect(),
            _ => self.start_word(),
        }
        Ok(())
    }

    /// `#` at the start of a word.
    fn comment(&mut self) -> Step {
        let list = self.top()?;
        if list.expect != Expect::Word || list.block == Block::Condition {
            return Err(self.syntax());
        }
        while self.cursor.peek().is_some_and(|byte| byte != b'\n') {
            self.cursor.take();
            self.notes.steps = self.notes.steps.saturating_add(1);
        }
        Ok(())
    }

    fn end_of_text(&mut self) -> Step {
        self.end_command()?;
        let list = self.top()?;
        let is_open = match list.after {
            After::Start | After::Separator | After::Command | After::Compound => false,
            After::Operator | After::Prefix | After::Function | After::FunctionWord => true,
        };
        if list.block != Block::Text || is_open {
            return Err(self.syntax());
        }
        if !self.pending.is_empty() {
            return Err(Fault::at("a here-document is not closed", "<<"));
        }
        self.close();
        Ok(())
    }

    fn line_break(&mut self) -> Step {
        let list = self.top()?;
        let waits = list.after == After::Prefix && list.draft.is_none();
        if list.expect != Expect::Word || waits {
            return Err(self.syntax());
        }
        let block = list.block;
        match block {
            Block::Condition | Block::Array | Block::CaseWord | Block::CaseIn | Block::ForDo => {}
            Block::CasePattern if list.draft.is_none() => {}
            Block::ForName | Block::CasePattern => return Err(self.syntax()),
            Block::ForIn | Block::ForWords => self.end_for_words()?,
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
                self.end_command()?;
                self.after_break()?;
            }
        }
        self.cursor.bump(1);
        self.documents_begin()
    }

    /// After a line break an operator still waits for its command.
    fn after_break(&mut self) -> Step {
        let assigned = self.notes.assigned.len();
        let list = self.top()?;
        match list.after {
            After::Start | After::Operator | After::Function => {}
            After::FunctionWord | After::Prefix => return Err(self.syntax()),
            After::Separator | After::Command | After::Compound => {
                list.after = After::Separator;
                list.certain = true;
                list.piped = false;
                list.assigned = assigned;
            }
        }
        Ok(())
    }

    /// `;`, `;;`, `;&`, `;;&`.
    fn semicolon(&mut self) -> Step {
        let list = self.top()?;
        if list.expect != Expect::Word {
            return Err(self.syntax());
        }
        let (block, has_word) = (list.block, list.draft.is_some());
        for end in [";;&", ";;", ";&"] {
            if self.cursor.starts(end) {
                if end != ";;" {
                    self.bash_only()?;
                }
                return self.end_case_body(end.len());
            }
        }
        if matches!(block, Block::ForIn | Block::ForWords) {
            self.end_for_words()?;
            self.cursor.bump(1);
            return Ok(());
        }
        if !self.may_end() || (!has_word && !self.has_command()) {
            return Err(self.syntax());
        }
        self.separate(1)
    }

    /// Whether a command has just ended, or is being read.
    fn has_command(&self) -> bool {
        self.lists.last().is_some_and(|list| {
            list.draft.is_some() || matches!(list.after, After::Command | After::Compound)
        })
    }

    /// Whether a command may end here.
    fn may_end(&self) -> bool {
        self.has_command()
            && self.lists.last().is_some_and(|list| {
                list.expect == Expect::Word
                    && !matches!(
                        list.block,
                        Block::Condition
                            | Block::Array
                            | Block::ForName
                            | Block::ForIn
                            | Block::ForWords
                            | Block::ForDo
                            | Block::CaseWord
                            | Block::CaseIn
                            | Block::CasePattern
                    )
            })
    }

    /// Ends a command and an and-or list.
    fn separate(&mut self, bytes: usize) -> Step {
        self.end_command()?;
        self.cursor.bump(bytes);
        let assigned = self.notes.assigned.len();
        let list = self.top()?;
        list.after = After::Separator;
        list.certain = true;
        list.piped = false;
        list.assigned = assigned;
        Ok(())
    }

    /// Ends a command; another must follow.
    fn chain(&mut self, bytes: usize, piped: bool) -> Step {
        if !self.may_end() {
            return Err(self.syntax());
        }
        if piped {
            self.forget_assigned()?;
            self.top()?.piped = true;
        }
        self.end_command()?;
        if piped {
            self.forget_assigned()?;
        }
        self.cursor.bump(bytes);
        let list = self.top()?;
        list.after = After::Operator;
        list.certain = false;
        list.piped = piped;
        Ok(())
    }

    /// `&&`, `&>`, `&`.
    fn ampersand(&mut self) -> Step {
        if self.top()?.block == Block::Condition {
            return self.in_condition("&&");
        }
        if self.cursor.starts("&&") {
            return self.chain(2, false);
        }
        if self.cursor.starts("&>") {
            self.bash_only()?;
            return self.redirect();
        }
        if !self.may_end() {
            return Err(self.syntax());
        }
        self.end_command()?;
        self.forget_assigned()?;
        self.separate(1)
    }

    /// `||`, `|&`, `|`.
    fn bar(&mut self) -> Step {
        let block = self.top()?.block;
        if block == Block::Condition {
            return self.in_condition("||");
        }
        if block == Block::CasePattern {
            return self.next_pattern();
        }
        if self.cursor.starts("||") {
            return self.chain(2, false);
        }
        if self.cursor.starts("|&") {
            self.bash_only()?;
            return self.chain(2, true);
        }
        self.chain(1, true)
    }

    fn in_condition(&mut self, operator: &'static str) -> Step {
        if self.cursor.eat(operator) {
            return Ok(());
        }
        Err(self.syntax())
    }

    /// What this and-or list assigned is not certain: it runs in a shell of its own.
    fn forget_assigned(&mut self) -> Step {
        let from = self.top()?.assigned;
        for assigned in self.notes.assigned.iter_mut().skip(from) {
            assigned.text = None;
        }
        // Those are forgotten for good.
        let assigned = self.notes.assigned.len();
        self.top()?.assigned = assigned;
        Ok(())
    }

    /// Where commands of the innermost list stand.
    pub(super) fn origin(&self) -> Origin {
        match self.lists.last() {
            Some(list) if list.piped && list.origin == Origin::List => Origin::Pipeline,
            Some(list) => list.origin,
            None => Origin::List,
        }
    }

    /// A word of the innermost list, whole.
    pub(super) fn finish_word(&mut self, word: RawWord, assigns: Option<(String, usize)>) -> Step {
        let list = self.top()?;
        if let Expect::Redirect(operator) = list.expect {
            list.expect = Expect::Word;
            return self.redirect_to(operator, word);
        }
        let next = self.cursor.peek();
        if matches!(next, Some(b'<' | b'>')) {
            let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            if word.bare().is_some_and(is_number) {
                // Which shell takes how many digits for a descriptor differs.
                if word.source.len() > 1 {
                    return Err(Fault::at(super::SYNTAX, &word.source));
                }
                let input = word
                    .bare()
                    .is_some_and(|text| text.bytes().all(|byte| byte == b'0'));
                return self.redirect_numbered(input, next);
            }
            // `{name}>`, and `{name[subscript]}>`, which is evaluated whatever is quoted in it.
            if word.source.starts_with('{') && word.source.ends_with('}') {
                return Err(self.syntax());
            }
        }
        let list = self.top()?;
        match list.block {
            Block::ForName
            | Block::ForIn
            | Block::ForWords
            | Block::ForDo
            | Block::CaseWord
            | Block::CaseIn
            | Block::CasePattern
            | Block::Condition => self.word_of_head(word),
            Block::Array => Self::element(&word),
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
            | Block::CaseBody => self.word_of_command(word, assigns),
        }
    }

    fn word_of_command(&mut self, word: RawWord, assigns: Option<(String, usize)>) -> Step {
        let list = self.top()?;
        if list.draft.is_none() {
            let bare = word.bare().map(str::to_owned);
            if list.after == After::FunctionWord {
                return self.function_name(&word);
            }
            let is_reserved = match bare {
                Some(bare) => self.reserved(&bare)?,
                None => false,
            };
            if is_reserved {
                return Ok(());
            }
            let list = self.top()?;
            match list.after {
                After::Start | After::Separator | After::Operator | After::Prefix => {}
                // No word follows a compound command, and a body is one.
                After::Compound | After::Command | After::Function | After::FunctionWord => {
                    return Err(Fault::at(super::SYNTAX, &word.source));
                }
            }
            list.draft = Some(Draft::default());
        }
        let at = self.place();
        let is_outermost = self.base.is_none();
        let number = self.notes.assigned.len();
        let list = self.top()?;
        let certain = list.certain && list.block == Block::Text && is_outermost;
        let draft = list.draft.get_or_insert_with(Draft::default);
        match assigns {
            Some((name, _)) if draft.words.is_empty() => {
                let value = value(&word);
                let is_whole = word.source.strip_prefix(name.as_str());
                let is_plain = is_whole.is_some_and(|rest| rest.starts_with(['=', '+']));
                let is_whole = is_whole.is_some_and(|rest| rest.starts_with('='));
                let source = word.source.clone();
                let assigned = Assigned {
                    name: name.clone(),
                    at,
                    text: value.clone().filter(|_| certain && is_whole),
                    number: is_number_behind(&word),
                };
                draft.assignments.push(RawAssignment {
                    name,
                    expands: value.is_none(),
                    number,
                    source: word.source,
                });
                self.notes.assigned.push(assigned);
                if !is_plain {
                    self.doubt("a subscript may be evaluated", &source);
                }
            }
            Some(_) | None => {
                let is_late = !draft.assignments.is_empty() || !draft.redirects.is_empty();
                if draft.words.is_empty()
                    && is_late
                    && word.bare().is_some_and(super::compound::is_reserved)
                {
                    return Err(Fault::at(super::SYNTAX, &word.source));
                }
                draft.words.push(word);
            }
        }
        Ok(())
    }

    /// Ends the command that is being read, if there is one.
    pub(super) fn end_command(&mut self) -> Step {
        let origin = self.origin();
        let list = self.top()?;
        if list.expect != Expect::Word {
            return Err(self.syntax());
        }
        if let Some(draft) = list.draft.take() {
            list.after = After::Command;
            let Draft {
                words,
                assignments,
                redirects,
            } = draft;
            // What stands before a command is its own, and never seen by the shell's variables.
            if !words.is_empty() {
                for RawAssignment { number, .. } in &assignments {
                    if let Some(assigned) = self.notes.assigned.get_mut(*number) {
                        assigned.text = None;
                    }
                }
            }
            self.emit(RawCommand {
                words,
                assignments,
                redirects,
                origin,
            })?;
        }
        Ok(())
    }
}

/// What an assignment assigns, if that is its text and no tilde.
fn value(word: &RawWord) -> Option<String> {
    match word.pieces.as_slice() {
        [Piece::Text(text)] => {
            let (_, value) = text.split_once('=')?;
            let has_tilde = word.source.contains('~');
            (!has_tilde).then(|| value.to_owned())
        }
        _ => None,
    }
}

/// Whether an assignment assigns a number.
fn is_number_behind(word: &RawWord) -> bool {
    match word.pieces.as_slice() {
        [Piece::Text(text)] => text.split_once('=').is_some_and(|(name, value)| {
            !name.ends_with('+') && {
                let digits = value.strip_prefix('-').unwrap_or(value);
                !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
            }
        }),
        [Piece::Text(text), Piece::Number] => text.ends_with('=') && !text.ends_with("+="),
        _ => false,
    }
}
