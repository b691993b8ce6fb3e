//! Shells at later words of a program of which it is not known what it runs.

use super::super::plan::{Fault, Origin, Word};
use super::super::tables::{Shell, shell};
use super::{Pending, Stdin, Unfolding};

/// Texts of shells at later words, in one line (64).
const PERHAPS_MAX: usize = 64;
/// Options of bash by name that take a value.
const VALUED: [&str; 2] = ["--rcfile", "--init-file"];
const SHELL_WITHIN: &str = "a shell at a later word may run a text that is not known";

impl Unfolding {
    /// Notes what shells run that stand at later words of a program of which it is not known what it
    /// runs: the text behind `-c`, or what they are fed.
    pub(super) fn shells_within(&mut self, words: &[Word], pending: &Pending) {
        let origin = self
            .plan
            .commands
            .get(pending.at)
            .map(|command| command.origin);
        let mut options = false;
        for (at, word) in words.iter().enumerate().skip(1) {
            let Some(text) = word.text() else { continue };
            let (by, name) = match text.rsplit_once('=') {
                Some((_, value)) => (true, value),
                None => (false, text),
            };
            let name = self.platform.program(name);
            let Some(shell) = shell(&name) else {
                continue;
            };
            let bash = shell == Shell::Bash;
            let before = words.get(at.saturating_sub(1)).and_then(Word::text);
            let is_option = |text: &str| text.starts_with('-') && text != "--";
            // It is run with what stands behind the other options and operands.
            let by_option = by || (at > 1 && before.is_some_and(is_option));
            let mut after = words.get(at.saturating_add(1)..).unwrap_or_default().iter();
            let given = Given::of(&mut after);
            let is_input = given.reads || given.operand.is_none_or(is_input) || by_option;
            let is_fed = !given.has_text && is_input;
            match (given.text, &pending.stdin) {
                (Some(text), _) => self.perhaps(text.text(), bash, text),
                (None, _) if given.has_text => {}
                // It may be the name of a pipe.
                (None, _) if given.operand.is_some_and(|word| word.unknown.is_some()) => {
                    self.perhaps(None, bash, word);
                }
                (None, Stdin::Text(text)) if is_fed => self.perhaps(Some(text), bash, word),
                (None, Stdin::Unknown) if is_fed => self.perhaps(None, bash, word),
                // What stands around it may feed it.
                (None, Stdin::Inherited) if is_fed && origin != Some(Origin::List) => {
                    self.perhaps(None, bash, word);
                }
                (None, Stdin::Text(_) | Stdin::Unknown | Stdin::Inherited) => {}
            }
            // Once finds them for all that follow.
            if by_option && !options {
                options = true;
                while !after.as_slice().is_empty() {
                    if let Some(text) = Given::of(&mut after).text {
                        self.perhaps(text.text(), bash, text);
                    }
                }
            }
        }
    }

    /// Notes a text that a shell may run; none: one that is not known, for that word.
    fn perhaps(&mut self, text: Option<&str>, bash: bool, word: &Word) {
        match text.filter(|_| self.perhaps.len() < PERHAPS_MAX) {
            Some(text) => self.perhaps.push((text.to_owned(), bash)),
            None => {
                self.unread
                    .get_or_insert_with(|| Fault::at(SHELL_WITHIN, &word.text));
            }
        }
    }
}

/// What a shell is given.
#[derive(Clone, Copy, Debug, Default)]
struct Given<'w> {
    /// `-c`, and the text behind it, if there is one.
    has_text: bool,
    text: Option<&'w Word>,
    /// `-s`.
    reads: bool,
    operand: Option<&'w Word>,
}

impl<'w> Given<'w> {
    /// Takes the options that come next, and the operand behind them.
    fn of(words: &mut std::slice::Iter<'w, Word>) -> Self {
        let mut given = Self::default();
        while let Some(word) = words.next() {
            let Some(text) = word.text() else {
                given.operand = Some(word);
                break;
            };
            let Some(letters) = text
                .strip_prefix(['-', '+'])
                .filter(|rest| !rest.is_empty())
            else {
                given.operand = Some(word);
                break;
            };
            if letters == "-" {
                given.operand = words.next();
                break;
            }
            if letters.starts_with('-') {
                if VALUED.contains(&text) {
                    words.next();
                }
                continue;
            }
            given.has_text |= letters.contains('c');
            given.reads |= letters.contains('s');
            if letters.contains(['o', 'O']) {
                words.next();
            }
        }
        if given.has_text {
            given.text = given.operand.take();
        }
        given
    }
}

/// Whether a file that a shell is given may be its input, or what the line writes.
fn is_input(word: &Word) -> bool {
    word.text()
        .is_none_or(|text| text == "-" || text.contains("dev/") || text.contains("proc/"))
}
