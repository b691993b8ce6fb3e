//! Shells at later words of a program of which it is not known what it runs.

use super::super::plan::{Fault, Origin, Word};
use super::super::tables::{SHELLS, Shell};
use super::{Pending, Stdin, Unfolding};

/// Texts of shells at later words, in one line (64).
const PERHAPS_MAX: usize = 64;
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
            let is_option = |word: &&Word| word.text().is_some_and(|text| text.starts_with('-'));
            let options = after.iter().take_while(is_option);
            let has_text = options.clone().any(|word| {
                let letters = word.text().unwrap_or_default();
                !letters.starts_with("--") && letters.contains('c')
            });
            let operand = after.get(options.count());
            let is_fed = operand.is_none() && !has_text;
            let text = match (operand, &pending.stdin) {
                (Some(operand), _) if has_text => operand.text().map(str::to_owned),
                (None, Stdin::Text(text)) if is_fed => Some(text.clone()),
                (None, Stdin::Unknown) if is_fed => None,
                (None, Stdin::Inherited) if is_fed && origin == Some(Origin::Pipeline) => None,
                _ => continue,
            };
            if let Some(text) = text.filter(|_| self.perhaps.len() < PERHAPS_MAX) {
                self.perhaps.push((text, bash));
            } else {
                let part = operand.unwrap_or(word).text.clone();
                self.unread.get_or_insert(Fault::at(SHELL_WITHIN, &part));
            }
        }
    }
}
