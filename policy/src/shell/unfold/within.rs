//! Shells at later words of a program of which it is not known what it runs.

use super::super::plan::{Fault, Origin, Word};
use super::super::tables::{SHELLS, Shell};
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
        for (at, word) in words.iter().enumerate().skip(1) {
            let name = word.text().map(|text| self.platform.program(text));
            let shell = SHELLS
                .iter()
                .find(|(shell, _)| Some(*shell) == name.as_deref());
            let Some((_, shell)) = shell else { continue };
            let bash = *shell == Shell::Bash;
            let after = words.get(at.saturating_add(1)..).unwrap_or_default();
            let given = Given::of(after);
            let is_fed = !given.has_text && (given.reads || given.operand.is_none_or(is_input));
            let text = match (given.text, &pending.stdin) {
                (Some(text), _) => text.text().map(str::to_owned),
                (None, _) if given.has_text => continue,
                // It may be the name of a pipe.
                (None, _) if given.operand.is_some_and(|word| word.unknown.is_some()) => None,
                (None, Stdin::Text(text)) if is_fed => Some(text.clone()),
                (None, Stdin::Unknown) if is_fed => None,
                // What stands around it may feed it.
                (None, Stdin::Inherited) if is_fed && origin != Some(Origin::List) => None,
                _ => continue,
            };
            if let Some(text) = text.filter(|_| self.perhaps.len() < PERHAPS_MAX) {
                self.perhaps.push((text, bash));
            } else {
                let part = given.text.unwrap_or(word).text.clone();
                self.unread.get_or_insert(Fault::at(SHELL_WITHIN, &part));
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
    fn of(words: &'w [Word]) -> Self {
        let mut given = Self::default();
        let mut words = words.iter();
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
