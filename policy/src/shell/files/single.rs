//! Programs that have a way of their own to say what they open.

use super::super::plan::Word;
use super::super::tables::{FILE_PROGRAMS, FileProgram, GIT_TREES, GitTree, Role, SUBCOMMANDED};
use super::{Access, Opens};
use crate::tools::Platform;

/// Options of `tar` and `sed` by letter that take a value.
const VALUED: &[char] = &[
    'f', 'C', 'b', 'e', 'T', 'X', 'K', 'N', 'g', 'H', 'F', 'L', 'V', 'I',
];
const URL: &str = "it may be a URL of a file, which is not read here";

impl Opens {
    /// What git changes in the folder that it stands in, or searches, by its own command.
    pub(super) fn git(&mut self, words: &[Word]) {
        let has = |text: &str| words.iter().any(|word| word.text() == Some(text));
        for row in GIT_TREES {
            let GitTree {
                command,
                with,
                without,
                access,
                named,
            } = row;
            if !has(command) || !(with.is_empty() || with.iter().any(|word| has(word))) {
                continue;
            }
            let behind = words
                .iter()
                .skip_while(|word| word.text() != Some(command))
                .skip(1);
            // A word of its own, or an option; behind `--` it would be a path.
            let mut said = behind
                .clone()
                .map_while(|word| word.text().filter(|text| *text != "--"));
            let is_off = |text: &str| without.contains(&text);
            let off = match said.next() {
                Some(first) => {
                    is_off(first) || said.any(|text| text.starts_with('-') && is_off(text))
                }
                None => false,
            };
            if off {
                continue;
            }
            // What it names, or all that is below where it stands.
            let is_operand = |word: &Word| !word.text().is_some_and(|text| text.starts_with('-'));
            if !named || !behind.into_iter().any(is_operand) {
                self.push(".", *access, true, false);
            }
            self.any(words, true);
        }
    }

    /// An archive may be unpacked where the command stands, or where it is told to.
    pub(super) fn unpacks(&mut self, row: &FileProgram, words: &[Word]) {
        let packs = |word: &&Word| {
            let is_first = words
                .first()
                .is_some_and(|first| std::ptr::eq(first, *word));
            let is_letter =
                |letter| is_letters(word, letter) || (is_first && old_letters(word, letter));
            let long = ["--create", "--list", "--append", "--update", "--diff"];
            ['c', 't', 'r', 'u'].into_iter().any(is_letter)
                || word.text().is_some_and(|text| long.contains(&text))
        };
        if row.unpacks && !words.iter().any(|word| packs(&word)) {
            self.push(".", Access::Write, true, false);
        }
    }

    pub(super) fn dd(&mut self, words: &[Word]) {
        for word in words {
            match word.text().and_then(|text| text.split_once('=')) {
                Some(("if", path)) => self.push(path, Access::Read, false, true),
                Some(("of", path)) => self.push(path, Access::Write, false, true),
                Some(_) => {}
                None => self.unknown(word, Access::Any, false, true),
            }
        }
    }

    /// `find` looks below its first operands; what it prints are names.
    pub(super) fn find(&mut self, words: &[Word]) {
        let texts: Vec<_> = words.iter().map(Word::text).collect();
        let deletes = texts.contains(&Some("-delete"));
        let is_expression = |word: &&Word| {
            word.text()
                .is_some_and(|text| text.starts_with('-') || matches!(text, "(" | "!" | ","))
        };
        let is_leading = |word: &&Word| {
            let leading =
                |text: &str| matches!(text, "-H" | "-L" | "-P" | "--") || text.starts_with("-O");
            word.text().is_some_and(leading)
        };
        let options = words.iter().take_while(is_leading).count();
        let words = words.get(options..).unwrap_or_default();
        let starts: Vec<_> = words
            .iter()
            .take_while(|word| !is_expression(word))
            .collect();
        let access = if deletes { Access::Any } else { Access::Read };
        if starts.is_empty() {
            self.push(".", access, deletes, true);
        }
        self.all(&starts, access, deletes);
        let rest = words.get(starts.len()..).unwrap_or_default();
        self.any(rest, false);
    }

    /// The file of a URL of one.
    pub(super) fn url(&mut self, word: &str, access: Access) {
        let Some((_, rest)) = word
            .to_ascii_lowercase()
            .split_once("file:")
            .and_then(|(head, _)| word.split_at_checked(head.len().saturating_add("file:".len())))
        else {
            return;
        };
        // What is escaped, and what `curl` makes of braces and brackets.
        if rest.contains(['%', '{', '[']) {
            return self.vague(word, URL, access, false);
        }
        let path = rest.trim_start_matches('/');
        let path = match rest.strip_prefix("//") {
            Some(rest) if !rest.starts_with('/') => {
                path.split_once('/').map_or("", |(_, path)| path)
            }
            Some(_) | None => path,
        };
        self.push(&format!("/{path}"), access, false, false);
    }
}

/// Whether a word of `tar` says that it shows what an archive holds.
pub(super) fn shows(word: &Word) -> bool {
    let bare = word
        .text()
        .is_some_and(|text| matches!(text, "t" | "tf" | "tvf" | "tzf" | "tvzf" | "tjf"));
    bare || is_letters(word, 't') || is_long(word, "--list")
}

/// Whether a program that unpacks only shows what is packed, or tries: by options that do so whatever
/// else stands there.
pub(super) fn only_shows(program: &str, words: &[Word]) -> bool {
    let options = words
        .iter()
        .map_while(|word| word.text().filter(|text| *text != "--"));
    let mut options = options.filter(|text| text.starts_with('-'));
    match program {
        "unzip" => options.any(|text| matches!(text, "-l" | "-t" | "-v" | "-Z")),
        "patch" => options.any(|text| text == "--dry-run"),
        "7z" | "7za" | "7zz" => matches!(words.first().and_then(Word::text), Some("l" | "t")),
        _ => false,
    }
}

/// Whether a word of `tar` says that a list names the files.
pub(super) fn lists(word: &Word) -> bool {
    is_letters(word, 'T')
}

/// Whether a program that looks below folders stands among these words, with words behind it.
pub(super) fn may_walk(program: &str, words: &[Word], platform: Platform) -> bool {
    let runs = |word: &Word| matches!(word.text(), Some("run" | "exec" | "dlx"));
    if SUBCOMMANDED.contains(&program) && !words.iter().any(runs) {
        return false;
    }
    let before = words.split_last().map_or(&[][..], |(_, before)| before);
    let texts = before.iter().filter_map(Word::text);
    let mut names = texts.map(|text| platform.program(text));
    names.any(|name| {
        let mut rows = FILE_PROGRAMS.iter();
        let row = rows.find(|row| row.name == name);
        row.is_some_and(|row| {
            !row.walks.is_empty() || matches!(row.role, Role::Walks | Role::Finds | Role::Unpacks)
        })
    })
}

/// Whether a word is options of one letter, with this one among them. What follows one of these is
/// its value.
pub(super) fn is_letters(word: &Word, letter: char) -> bool {
    let letters = word.text().and_then(|text| text.strip_prefix('-'));
    let letters = letters.filter(|letters| !letters.starts_with('-'));
    letters.is_some_and(|letters| {
        let valued = letters
            .find(VALUED)
            .map_or(letters.len(), |at| at.saturating_add(1));
        letters
            .get(..valued)
            .is_some_and(|letters| letters.contains(letter))
    })
}

/// Whether a word is this option, or the beginning of its name.
pub(super) fn is_long(word: &Word, option: &str) -> bool {
    let name = word.text().and_then(|text| text.split('=').next());
    name.is_some_and(|name| name.len() > 3 && option.starts_with(name))
}

/// The same without a dash, as `tar` takes its first word.
fn old_letters(word: &Word, letter: char) -> bool {
    let is_letters = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphabetic());
    let text = word
        .text()
        .filter(|text| text.len() < 8 && is_letters(text));
    text.is_some_and(|text| text.contains(letter))
}
