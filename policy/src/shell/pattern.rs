//! Patterns over the words of a line, as rules write them.

use smol_str::SmolStr;

use super::super::rules::{Effect, RuleError};
use super::super::tools::Platform;
use super::specifier::{self, Pieces, quoted};
use super::starred::Starred;
use super::{CommandLine, Tokens, is_plain};

/// Words that a line must hold, exactly or as its first ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShellPattern {
    /// Its words, up to the first with a star in it.
    pub(super) words: Vec<SmolStr>,
    /// Anything may follow, after a word boundary.
    pub(super) open: bool,
    /// The first word as its system finds it, for deny and ask.
    pub(super) program: String,
    /// All of it, if there is a star in a word.
    pub(super) starred: Option<Starred>,
}

impl ShellPattern {
    /// Reads the specifier of a rule for a shell tool.
    pub(crate) fn parse(
        tool: &str,
        specifier: &str,
        effect: Effect,
        platform: Platform,
    ) -> Result<Self, RuleError> {
        let prefix = prefix(specifier);
        let text = prefix.unwrap_or(specifier);
        let refused = |part: &str| RuleError::NotPlainWords {
            part: if part.is_empty() { specifier } else { part }.to_owned(),
            nearest: nearest(tool, specifier),
        };
        let words = specifier::words(text).map_err(refused)?;
        // Elsewhere than at the end it is most often meant as it is there.
        if let Some(part) = specifier::split(text)
            .into_iter()
            .find(|raw| raw.contains(":*") && !raw.contains(['\'', '"', '\\']))
        {
            return Err(refused(part));
        }
        let first = words.first().and_then(|word| word.first());
        let first = first.map_or("", String::as_str);
        let is_starred = words.first().is_some_and(|word| word.len() > 1);
        if let Some(why) = names_no_program(first, is_starred) {
            return Err(RuleError::NoProgram {
                part: first.to_owned(),
                why,
                nearest: nearest(tool, specifier),
            });
        }
        let open = prefix.is_some();
        Ok(Self {
            program: if is_starred {
                String::new()
            } else {
                platform.program(first).into_owned()
            },
            starred: Starred::of(&words, open, effect, platform),
            words: words
                .into_iter()
                .map_while(literal)
                .map(SmolStr::from)
                .collect(),
            open,
        })
    }

    /// Whether an allow of this pattern covers the command: the words as written, nothing stripped.
    pub(crate) fn allows(&self, line: &CommandLine) -> bool {
        match &self.starred {
            Some(starred) => starred.allows(&self.words, line),
            None if self.open => line.words.starts_with(&self.words),
            None => line.words == self.words,
        }
    }

    /// Its words, up to the first with a star in it.
    pub(crate) fn words(&self) -> &[SmolStr] {
        &self.words
    }

    /// Whether anything may follow its words.
    pub(crate) const fn is_open(&self) -> bool {
        self.open
    }

    /// What is to be said of its stars, if there are any in its words.
    pub(crate) const fn starred(&self) -> Option<&Starred> {
        self.starred.as_ref()
    }

    /// The program, as its system finds it; empty if there is a star in its name.
    pub(crate) fn program(&self) -> &str {
        &self.program
    }

    /// Whether all its words stand somewhere in a line that cannot be read.
    pub(crate) fn is_named_in(&self, tokens: &Tokens) -> bool {
        let mut rest = self.words.iter().skip(1);
        tokens.programs.contains(&self.program)
            && rest.all(|word| tokens.words.contains(word.as_str()))
    }

    /// Its words as they would be written, if these are those of every line that it covers.
    pub(crate) fn part(&self) -> Option<String> {
        self.starred.is_none().then(|| self.written())
    }

    /// Its words as they would be written, up to the first with a star in it.
    pub(crate) fn written(&self) -> String {
        let words: Vec<_> = self.words.iter().map(|word| quoted(word)).collect();
        words.join(" ")
    }
}

/// What stands in front of the end that lets anything follow.
fn prefix(specifier: &str) -> Option<&str> {
    let mut ends = [":*", " *"].iter();
    ends.find_map(|end| specifier.strip_suffix(end))
}

fn literal(mut word: Pieces) -> Option<String> {
    let text = word.pop()?;
    word.is_empty().then_some(text)
}

/// Why no line that can be read runs a program of this name.
fn names_no_program(first: &str, is_starred: bool) -> Option<&'static str> {
    if first.contains('=') {
        Some("is an assignment and no program")
    } else if is_starred {
        None
    } else if first.is_empty() {
        Some("is empty and no program")
    } else if first.ends_with('/') {
        Some("is a folder and no program")
    } else if first.len() > 1 && first.ends_with(':') {
        // What another grammar of rules names its kinds by, as in `regex: …`.
        Some("ends in a colon and is no program")
    } else {
        None
    }
}

/// The nearest rule that is understood: the words in front of what cannot be read, without what
/// names no program before them, and anything after them.
fn nearest(tool: &str, specifier: &str) -> String {
    let open = prefix(specifier);
    let raw = specifier::split(open.unwrap_or(specifier));
    let words: Vec<_> = raw.into_iter().filter(|word| !word.is_empty()).collect();
    let plain = words.iter().take_while(|word| is_plain(word));
    let plain = plain.copied().collect::<Vec<_>>();
    let is_whole = plain.len() == words.len();
    let kept: Vec<_> = plain
        .iter()
        .copied()
        .skip_while(|word| names_no_program(word, false).is_some())
        .collect();
    if kept.is_empty() {
        return tool.to_owned();
    }
    let any = if is_whole && open.is_none() { "" } else { " *" };
    format!("{tool}({}{any})", kept.join(" "))
}

/// A pattern for tests.
#[cfg(test)]
pub(super) fn pattern(specifier: &str, platform: Platform) -> ShellPattern {
    ShellPattern::parse("Bash", specifier, Effect::Deny, platform).expect(specifier)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_of_other_words_is_refused_with_the_nearest_one_that_says_no_less() {
        for (rule, nearest) in [
            ("echo $x", "Bash(echo *)"),
            ("echo \"$x\"", "Bash(echo *)"),
            ("a && b", "Bash(a *)"),
            ("git log > f", "Bash(git log *)"),
            ("git  status", "Bash(git status)"),
            (" git", "Bash(git)"),
            (":*", "Bash"),
            (" *", "Bash"),
            ("", "Bash"),
            ("''", "Bash"),
            ("git log:* x", "Bash(git *)"),
            ("git 'log", "Bash(git *)"),
            ("FOO=1", "Bash"),
            ("FOO=1 *", "Bash"),
            ("FOO=*", "Bash"),
            ("FOO=1 rm x", "Bash(rm x)"),
            ("FOO=1 B=2 rm:*", "Bash(rm *)"),
            ("FOO=1 rm \"x\"", "Bash(rm *)"),
            ("bin/ *", "Bash"),
        ] {
            let error =
                ShellPattern::parse("Bash", rule, Effect::Deny, Platform::Linux).expect_err(rule);
            assert!(
                error.to_string().ends_with(&format!("`{nearest}`")),
                "{rule}: {error}"
            );
        }
    }
}
