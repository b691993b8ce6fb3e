//! Patterns over the words of a line, as rules write them.

use super::super::rules::RuleError;
use super::super::tools::Platform;
use super::{CommandLine, Tokens, is_plain};

/// Words that a line must hold, exactly or as its first ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShellPattern {
    pub(super) words: Vec<String>,
    /// Anything may follow, after a word boundary.
    pub(super) open: bool,
    /// The first word as its system finds it, for deny and ask.
    pub(super) program: String,
}

impl ShellPattern {
    /// Reads the specifier of a rule for a shell tool.
    pub(crate) fn parse(
        tool: &str,
        specifier: &str,
        platform: Platform,
    ) -> Result<Self, RuleError> {
        let prefix = specifier
            .strip_suffix(":*")
            .or_else(|| specifier.strip_suffix(" *"));
        let text = prefix.unwrap_or(specifier);
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        if let Some(part) = words.iter().find(|word| !is_plain(word)) {
            return Err(RuleError::NotPlainWords {
                part: if part.is_empty() { specifier } else { part }.to_owned(),
                nearest: nearest(tool, specifier),
            });
        }
        let first = words.first().map_or("", String::as_str);
        if let Some(why) = names_no_program(first) {
            return Err(RuleError::NoProgram {
                part: first.to_owned(),
                why,
                nearest: nearest(tool, specifier),
            });
        }
        Ok(Self {
            program: platform.program(first),
            words,
            open: prefix.is_some(),
        })
    }

    /// Whether an allow of this pattern covers the command: the words as written, nothing stripped.
    pub(crate) fn allows(&self, line: &CommandLine) -> bool {
        if self.open {
            line.words.starts_with(&self.words)
        } else {
            line.words == self.words
        }
    }

    pub(crate) fn words(&self) -> &[String] {
        &self.words
    }

    /// Whether anything may follow its words.
    pub(crate) const fn is_open(&self) -> bool {
        self.open
    }

    /// The program, as its system finds it.
    pub(crate) fn program(&self) -> &str {
        &self.program
    }

    /// Whether all its words stand somewhere in a line that cannot be read.
    pub(crate) fn is_named_in(&self, tokens: &Tokens) -> bool {
        let mut rest = self.words.iter().skip(1);
        tokens.programs.contains(&self.program) && rest.all(|word| tokens.words.contains(word))
    }

    /// Its words, which are those of the line that it covers.
    pub(crate) fn part(&self) -> String {
        self.words.join(" ")
    }
}

/// Why no line that can be read runs a program of this name.
fn names_no_program(first: &str) -> Option<&'static str> {
    if first.contains('=') {
        Some("is an assignment and no program")
    } else if first.ends_with('/') {
        Some("is a folder and no program")
    } else if first.len() > 1 && first.ends_with(':') {
        // What another grammar of rules names its kinds by, as in `regex: …`.
        Some("ends in a colon and is no program")
    } else {
        None
    }
}

/// The nearest rule that is understood: the plain words in front of what is not plain, without
/// what names no program before them, and anything after them.
fn nearest(tool: &str, specifier: &str) -> String {
    let open = [":*", " *"]
        .iter()
        .find_map(|end| specifier.strip_suffix(end));
    let words: Vec<_> = open.unwrap_or(specifier).split_ascii_whitespace().collect();
    let plain = words.iter().take_while(|word| is_plain(word));
    let plain = plain.copied().collect::<Vec<_>>();
    let is_whole = plain.len() == words.len();
    let kept: Vec<_> = plain
        .iter()
        .copied()
        .skip_while(|word| names_no_program(word).is_some())
        .collect();
    if kept.is_empty() {
        // A star glued to the program most often means the program with anything after it.
        let glued = words.first().and_then(|word| word.strip_suffix('*'));
        let names_program = |word: &&str| {
            is_plain(word) && !word.ends_with(':') && names_no_program(word).is_none()
        };
        return match glued.filter(names_program) {
            Some(program) => format!("{tool}({program} *)"),
            None => tool.to_owned(),
        };
    }
    let any = if is_whole && open.is_none() { "" } else { " *" };
    format!("{tool}({}{any})", kept.join(" "))
}

/// A pattern for tests.
#[cfg(test)]
pub(super) fn pattern(specifier: &str, platform: Platform) -> ShellPattern {
    ShellPattern::parse("Bash", specifier, platform).expect(specifier)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_of_other_words_is_refused_with_the_nearest_one_that_says_no_less() {
        for (rule, nearest) in [
            ("build*", "Bash(build *)"),
            ("rm -rf*", "Bash(rm *)"),
            ("ls /tmp/*", "Bash(ls *)"),
            ("git * main", "Bash(git *)"),
            ("* --version", "Bash"),
            ("echo \"hi\"", "Bash(echo *)"),
            ("a && b", "Bash(a *)"),
            ("git  status", "Bash(git status)"),
            (" git", "Bash(git)"),
            (":*", "Bash"),
            (" *", "Bash"),
            ("", "Bash"),
            ("git log:* x", "Bash(git *)"),
            ("FOO=1", "Bash"),
            ("FOO=1 *", "Bash"),
            ("FOO=*", "Bash"),
            ("FOO=1 rm x", "Bash(rm x)"),
            ("FOO=1 B=2 rm:*", "Bash(rm *)"),
            ("FOO=1 rm \"x\"", "Bash(rm *)"),
            ("bin/ *", "Bash"),
        ] {
            let error = ShellPattern::parse("Bash", rule, Platform::Linux).expect_err(rule);
            assert!(
                error.to_string().ends_with(&format!("`{nearest}`")),
                "{rule}: {error}"
            );
        }
    }
}
