//! `sed`: the files that it is run over, and those that its script names.

use super::super::plan::Word;
use super::arguments::{Arguments, Path};
use super::{Access, NOT_KNOWN, Opens};

const SCRIPT: &str = "its script is not understood, and may name any file";

impl Opens {
    /// `sed`: a script, and files that it is run over.
    pub(super) fn edit(&mut self, arguments: &Arguments<'_>, files: &[&Word]) {
        let mut suffix = None;
        let mut scripts = Vec::new();
        for (name, value) in &arguments.values {
            match name.as_str() {
                "i" | "in-place" => suffix = Some(*value),
                "e" | "expression" => scripts.push(*value),
                _ => self.push(value, Access::Read, false, true),
            }
        }
        if files.len() < arguments.operands.len()
            && let Some(word) = arguments.operands.first()
        {
            match word.text() {
                Some(script) => scripts.push(script),
                None => self.vague(&word.text, SCRIPT, Access::Any, false),
            }
        }
        for text in scripts {
            match named(text) {
                Some(files) => {
                    for file in files {
                        let access = if file.writes {
                            Access::Write
                        } else {
                            Access::Read
                        };
                        self.push(file.path, access, false, true);
                    }
                }
                None => self.vague(text, SCRIPT, Access::Any, false),
            }
        }
        let access = if suffix.is_some() {
            Access::Any
        } else {
            Access::Read
        };
        self.all(files, access, false);
        let Some(suffix) = suffix.filter(|suffix| !suffix.is_empty()) else {
            return;
        };
        // What it was is kept under another name: with the suffix, or by its pattern.
        for path in files.iter().filter_map(|word| Path::of_word(word)) {
            let folder = path.text.strip_suffix(path.base()).unwrap_or_default();
            let kept = if suffix.contains('*') {
                suffix.replace('*', path.base())
            } else {
                format!("{}{suffix}", path.base())
            };
            let text = if kept.contains('/') {
                kept
            } else {
                format!("{folder}{kept}")
            };
            let in_home = path.in_home && !text.starts_with(suffix);
            self.open(
                Path {
                    text: &text,
                    in_home,
                },
                Access::Write,
                false,
                true,
            );
        }
    }

    /// A word of `sed` that may be a script, or end in one.
    pub(super) fn perhaps_script(&mut self, word: &Word) {
        let Some(text) = word.text() else { return };
        let glued = text.strip_prefix("-").map(|letters| {
            letters.trim_start_matches(|char: char| char.is_ascii_alphabetic() && char != 'e')
        });
        let glued = glued.and_then(|text| text.strip_prefix('e'));
        let long = text
            .starts_with("--")
            .then(|| text.split_once('='))
            .flatten();
        let value = glued.or(long.map(|(_, value)| value)).unwrap_or(text);
        match named(value) {
            Some(files) => {
                for file in files {
                    self.push(file.path, Access::Any, false, false);
                }
            }
            None if text.starts_with('-') => {}
            None => self.vague(text, SCRIPT, Access::Any, false),
        }
        // A suffix with a pattern in it names any file.
        if text.starts_with('-') && text.contains('*') {
            self.vague(text, NOT_KNOWN, Access::Write, true);
        }
    }
}

/// A file that a script names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Named<'s> {
    path: &'s str,
    writes: bool,
}

/// The files that a script reads (`r`, `R`) and writes (`w`, `W`, and `s` with `w`), if all of it is
/// understood: commands as GNU sed has them, but for those that run programs.
fn named(script: &str) -> Option<Vec<Named<'_>>> {
    let mut rest = script;
    let mut files = Vec::new();
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\n', ';', '{', '}']);
        if rest.is_empty() {
            return Some(files);
        }
        rest = addresses(rest)?.trim_start_matches([' ', '\t', '!']);
        let mut chars = rest.chars();
        let command = chars.next()?;
        rest = chars.as_str();
        match command {
            '{' | '}' | '=' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x'
            | 'z' | 'F' => {}
            'q' | 'Q' | 'l' => {
                rest = rest.trim_start_matches(|char: char| char.is_ascii_digit() || char == ' ');
            }
            'b' | 't' | 'T' | ':' => {
                rest = rest.trim_start_matches([' ', '\t']);
                rest = rest.trim_start_matches(|char: char| {
                    !matches!(char, ';' | '\n' | '}' | ' ' | '\t')
                });
            }
            'a' | 'i' | 'c' => rest = behind_text(rest),
            '#' => rest = line(rest).1,
            'r' | 'R' | 'w' | 'W' => {
                let (name, after) = line(rest);
                files.push(Named {
                    path: name.trim_ascii_start(),
                    writes: matches!(command, 'w' | 'W'),
                });
                rest = after;
            }
            'y' => rest = behind_parts(rest)?,
            's' => {
                rest = behind_parts(rest)?;
                let flags = |char: char| char.is_ascii_digit() || "gpiImM".contains(char);
                rest = rest.trim_start_matches(flags);
                if let Some(name) = rest.strip_prefix('w') {
                    let (name, after) = line(name);
                    files.push(Named {
                        path: name.trim_ascii_start(),
                        writes: true,
                    });
                    rest = after;
                } else if !rest.is_empty() && !rest.starts_with([';', '\n', '}', ' ', '\t']) {
                    return None;
                }
            }
            _ => return None,
        }
    }
}

/// What follows up to two addresses.
fn addresses(text: &str) -> Option<&str> {
    let rest = address(text)?;
    match rest.trim_start_matches(' ').strip_prefix(',') {
        Some(rest) => address(rest.trim_start_matches([' ', '+', '~'])),
        None => Some(rest),
    }
}

/// What follows an address, or the text if it begins with none.
fn address(text: &str) -> Option<&str> {
    let mut chars = text.chars();
    let is_number = |char: char| char.is_ascii_digit() || char == '~';
    match chars.next() {
        Some('$') => Some(chars.as_str()),
        Some('/') => behind_part(chars.as_str(), '/').map(flags),
        Some('\\') => {
            let delimiter = chars.next()?;
            behind_part(chars.as_str(), delimiter).map(flags)
        }
        Some(char) if char.is_ascii_digit() => Some(text.trim_start_matches(is_number)),
        Some(_) | None => Some(text),
    }
}

fn flags(text: &str) -> &str {
    text.trim_start_matches(['I', 'M'])
}

/// What follows two parts with the delimiter that stands in front of them.
fn behind_parts(text: &str) -> Option<&str> {
    let mut chars = text.chars();
    let delimiter = chars.next().filter(|char| !matches!(char, '\n' | '\\'))?;
    behind_part(behind_part(chars.as_str(), delimiter)?, delimiter)
}

/// What follows a part that ends with this delimiter. Some take one in brackets for a character of
/// them.
fn behind_part(text: &str, delimiter: char) -> Option<&str> {
    let mut chars = text.char_indices();
    let (mut opened, mut closed) = (0_usize, 0_usize);
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => {
                chars.next()?;
            }
            _ if char == delimiter => {
                let after = at.saturating_add(char.len_utf8());
                return text.get(after..).filter(|_| opened <= closed);
            }
            '[' => opened = opened.saturating_add(1),
            ']' => closed = closed.saturating_add(1),
            _ => {}
        }
    }
    None
}

/// A text to the end of its line, and what follows.
fn line(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}

/// What follows the text of `a`, `i` or `c`, whose lines go on behind a backslash.
fn behind_text(text: &str) -> &str {
    let mut rest = text;
    loop {
        let (line, after) = line(rest);
        let escapes = line.bytes().rev().take_while(|byte| *byte == b'\\');
        if escapes.count() % 2 == 0 || after.is_empty() {
            return after;
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_names_the_files_that_it_reads_and_writes() {
        for (script, want) in [
            ("1,20p", Some(vec![])),
            ("s/a/b/g;s|c|d|", Some(vec![])),
            ("s/w x/r y/", Some(vec![])),
            ("/a/,/b/d", Some(vec![])),
            ("\\,a,!p", Some(vec![])),
            ("/^#/!s/^/# /", Some(vec![])),
            ("$!N;P;D", Some(vec![])),
            ("0~4p;2,+3d", Some(vec![])),
            (":a;N;$!ba;s/\\n/ /g", Some(vec![])),
            ("/x/{s/a/b/;p}", Some(vec![])),
            ("a w x", Some(vec![])),
            (":a r.env", Some(vec![("r", ".env")])),
            ("tz w.env\n:z", Some(vec![("w", ".env")])),
            ("i\\\nw x\\\nr y\np", Some(vec![])),
            ("a x\\\\\nw.env", Some(vec![("w", ".env")])),
            ("r.env", Some(vec![("r", ".env")])),
            ("1r .env\np", Some(vec![("r", ".env")])),
            ("/a/ R x y", Some(vec![("r", "x y")])),
            ("w.git/config", Some(vec![("w", ".git/config")])),
            ("s/a/b/w.env", Some(vec![("w", ".env")])),
            ("s/a/b/gpw x;p", Some(vec![("w", "x;p")])),
            ("1{r.env\n}", Some(vec![("r", ".env")])),
            ("s/a/b/\nw x\n", Some(vec![("w", "x")])),
            ("e", None),
            ("s/a/b/e", None),
            ("s/[/]w x/", None),
            ("s/a", None),
            ("vx", None),
        ] {
            let named = named(script);
            let shown = named.as_ref().map(|files| {
                let shown =
                    |file: &Named<'_>| (if file.writes { "w" } else { "r" }, file.path.to_owned());
                files.iter().map(shown).collect::<Vec<_>>()
            });
            let want = want.map(|files| {
                let owned = files
                    .into_iter()
                    .map(|(does, path)| (does, path.to_owned()));
                owned.collect::<Vec<_>>()
            });
            assert_eq!(shown, want, "{script}");
        }
    }
}
