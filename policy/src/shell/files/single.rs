//! Programs that have a way of their own to say what they open.

use super::super::plan::Word;
use super::super::tables::{FileProgram, GIT_TREES, Role, SUBCOMMANDED, file_program};
use super::{Access, Opens};
use crate::tools::Platform;

/// Options of `tar` and `sed` by letter that take a value.
const VALUED: &[char] = &[
    'f', 'C', 'b', 'e', 'T', 'X', 'K', 'N', 'g', 'H', 'F', 'L', 'V', 'I',
];
/// Options of git before its own command that take a value.
const GIT_VALUED: &[&str] = &[
    "-C",
    "-c",
    "--config-env",
    "--exec-path",
    "--git-dir",
    "--namespace",
    "--super-prefix",
    "--work-tree",
];
/// Tests of `find` by which it chooses among names.
const FIND_NAMES: &[&str] = &[
    "-iname",
    "-ipath",
    "-iregex",
    "-iwholename",
    "-name",
    "-path",
    "-regex",
    "-wholename",
];
const URL: &str = "it may be a URL of a file, which is not read here";

impl Opens {
    /// What git changes in the folder that it stands in, or searches, by its own command.
    pub(super) fn git(&mut self, words: &[Word]) {
        let Some((command, behind)) = git_command(words) else {
            return;
        };
        let has = |names: &[&str]| {
            behind.iter().any(|word| {
                names
                    .iter()
                    .any(|name| word.text() == Some(*name) || is_long(word, name))
            })
        };
        let is_operand = |word: &&Word| !word.text().is_some_and(|text| text.starts_with('-'));
        let operands = behind.iter().filter(is_operand).count();
        let rows = GIT_TREES.iter().filter(|row| row.command == command);
        for row in rows {
            let is_about_files = row.with.is_empty()
                || has(row.with)
                || (row.named && operands > 1 && !has(&["-b", "-B", "-t", "--track", "--orphan"]));
            // A word of its own, or an option; behind `--` it would be a path, and behind another
            // option its value.
            let mut said = behind
                .iter()
                .map_while(|word| word.text().filter(|text| *text != "--"));
            let is_off = |text: &str| row.without.contains(&text);
            let off = match said.next() {
                Some(first) => {
                    is_off(first) || said.any(|text| text.starts_with('-') && is_off(text))
                }
                None => false,
            };
            if !is_about_files || (off && !has(&["-e", "--exclude", "-W", "--worktree"])) {
                continue;
            }
            // What it names, or all that is below where it stands.
            if !row.named || operands == 0 {
                self.push(".", row.access, true, false);
            }
            for word in behind.iter().filter(is_operand) {
                match word.text() {
                    Some(text) => self.pieces(text, row.access, true, true),
                    None => self.unknown(word, row.access, true, false),
                }
            }
        }
    }

    /// An archive may be unpacked where the command stands, or where it is told to.
    pub(super) fn unpacks(&mut self, row: &FileProgram, words: &[Word]) {
        let modes = [
            ('c', "--create"),
            ('t', "--list"),
            ('r', "--append"),
            ('u', "--update"),
            ('d', "--diff"),
        ];
        if row.unpacks
            && !modes
                .iter()
                .any(|(letter, long)| is_mode(words, *letter, long))
        {
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
        // Without a name that is asked for it deletes whatever is there.
        let names = |text: &&str| FIND_NAMES.contains(text);
        if deletes && !texts.iter().flatten().any(names) {
            self.files.iter_mut().for_each(|of| of.whole = of.sure);
        }
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

/// Whether `tar` is told so what to do, by letter or by name.
fn is_mode(words: &[Word], letter: char, long: &str) -> bool {
    let first = words.first().is_some_and(|word| old_letters(word, letter));
    let options = words.iter().take_while(|word| word.text() != Some("--"));
    let mut options = options.filter(|word| word.text().is_some_and(|text| text.starts_with('-')));
    first || options.any(|word| is_letters(word, letter) || word.text() == Some(long))
}

/// Options of `rg` beside which `--files` lists names and reads no file. Source: rg(1).
const LISTS: &[&str] = &[
    "--files",
    "--glob",
    "--hidden",
    "--iglob",
    "--max-depth",
    "--no-ignore",
    "--null",
    "--sort",
    "--type",
    "--type-not",
    "-.",
    "-0",
    "-T",
    "-d",
    "-g",
    "-t",
    "-u",
    "-uu",
    "-uuu",
];

/// Whether `rg` only lists names, as `find` does.
pub(super) fn lists_names(words: &[Word]) -> bool {
    let lists = |text: &str| {
        let name = text.split_once('=').map_or(text, |(name, _)| name);
        !text.starts_with('-') || LISTS.contains(&name)
    };
    // Behind an option it may be the value of that.
    words.first().and_then(Word::text) == Some("--files")
        && words.iter().all(|word| word.text().is_some_and(lists))
}

/// Whether `tar` only shows what an archive holds.
pub(super) fn shows(words: &[Word]) -> bool {
    let makes = [
        ('c', "--create"),
        ('x', "--extract"),
        ('x', "--get"),
        ('r', "--append"),
        ('u', "--update"),
    ];
    is_mode(words, 't', "--list")
        && !makes
            .iter()
            .any(|(letter, long)| is_mode(words, *letter, long))
}

/// The command of git itself, and what stands behind it.
fn git_command(words: &[Word]) -> Option<(&str, &[Word])> {
    let mut at = 0_usize;
    loop {
        let text = words.get(at)?.text()?;
        at = at.saturating_add(1);
        if !text.starts_with('-') {
            return Some((text, words.get(at..).unwrap_or_default()));
        }
        if GIT_VALUED.contains(&text) {
            at = at.saturating_add(1);
        }
    }
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

/// What a program that looks below folders may do there, if one stands among these words with words
/// behind it.
pub(super) fn may_walk(program: &str, words: &[Word], platform: Platform) -> Option<Access> {
    let runs = |word: &Word| matches!(word.text(), Some("run" | "exec" | "dlx" | "foreach"));
    let is_x = words.first().and_then(Word::text) == Some("x");
    if SUBCOMMANDED.contains(&program) && !is_x && !words.iter().any(runs) {
        return None;
    }
    let before = words.split_last().map_or(&[][..], |(_, before)| before);
    let texts = before.iter().filter_map(Word::text);
    let names = texts.map(|text| platform.program(text));
    let rows = names.filter_map(|name| file_program(&name));
    let found = rows.filter_map(|row| match row.role {
        Role::Unpacks => Some(Access::Any),
        Role::Walks if row.unpacks => Some(Access::Any),
        Role::Walks | Role::Finds | Role::Moves => Some(Access::Read),
        _ if !row.walks.is_empty() => Some(Access::Read),
        Role::Nothing
        | Role::Reads
        | Role::Compares
        | Role::Writes
        | Role::Copies
        | Role::Links
        | Role::Dd
        | Role::Edits => None,
    });
    found.max_by_key(|access| *access == Access::Any)
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
