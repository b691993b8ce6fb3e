//! Builtins that run text, and those that change what is run.

use super::super::plan::Word;
use super::super::reader::is_name;
use super::super::tables::{Later, changes_what_runs, is_harmless_set, is_inert, later};
use super::{Pending, Text, Unfolding, certain, known};

/// Letters of `declare` and its like that only say where, and what is shown.
const DECLARE_LETTERS: &str = "rgaAfFpx";

impl Unfolding {
    /// What is known of a builtin that runs text, or changes what other commands are.
    pub(super) fn builtin(&mut self, name: &str, words: &[Word], pending: &Pending) {
        let Some((later, why)) = later(name) else {
            return;
        };
        let program = words.first().map_or(name, |word| word.text.as_str());
        let args = words.get(1..).unwrap_or_default();
        let doubted = self.certain.then(|| certain::doubted(later, name, words));
        if let Some(word) = doubted.flatten() {
            return self.fault(why, &part(program, word));
        }
        let wrong = match later {
            Later::Eval => match known(args) {
                Some(args) => {
                    let skip = usize::from(args.first() == Some(&"--"));
                    let text = args.into_iter().skip(skip).collect::<Vec<_>>().join(" ");
                    self.line(text, pending.bash, pending);
                    None
                }
                None => args.iter().find(|word| word.unknown.is_some()),
            },
            Later::Trap => self.trap(args, pending),
            Later::Never => words.first(),
            Later::WithArguments => args.first(),
            Later::WithOption(letter) => args.iter().find(|word| match word.text() {
                Some(text) => text.starts_with('-') && text.contains(letter),
                None => true,
            }),
            Later::Names => args.iter().find(|word| match word.text() {
                Some(text) => {
                    let is_callback = text.starts_with('-') && text.contains(['C', 'n']);
                    let calls = is_callback && (name == "mapfile" || name == "readarray");
                    text.contains('[') || changes_what_runs(text) || calls
                }
                None => true,
            }),
            Later::Declares { exports } => declared(args, exports, pending.bash),
            Later::PrintsInto => prints_into(args),
            Later::Tests => tests(args),
            Later::Set => {
                let is_harmless = is_harmless_set(args.iter().map(Word::text));
                args.first().filter(|_| !is_harmless)
            }
        };
        if let Some(word) = wrong {
            self.fault(why, &part(program, word));
        }
    }

    fn trap<'w>(&mut self, args: &'w [Word], pending: &Pending) -> Option<&'w Word> {
        let skip = usize::from(args.first().and_then(Word::text) == Some("--"));
        let first = args.get(skip)?;
        match first.text() {
            None => Some(first),
            Some("" | "-" | "-l" | "-p") => None,
            Some(text) => {
                self.line(text.to_owned(), pending.bash, pending);
                None
            }
        }
    }

    /// A line that the command runs.
    pub(super) fn line(&mut self, text: String, bash: bool, pending: &Pending) {
        self.texts.push_back(Text {
            line: text,
            bash,
            depth: pending.depth.saturating_add(1),
            by: Some(pending.at),
        });
    }
}

/// The builtin, and the word of it that is at fault.
fn part(program: &str, word: &Word) -> String {
    if word.text == program {
        program.to_owned()
    } else {
        format!("{program} {}", word.text)
    }
}

fn declared(args: &[Word], exports: bool, bash: bool) -> Option<&Word> {
    let mut exports = exports;
    args.iter().find(|word| {
        let text = word.text.as_str();
        if let Some(letters) = text.strip_prefix(['-', '+']) {
            exports |= letters.contains('x');
            let is_read = letters == "-"
                || letters
                    .chars()
                    .all(|letter| DECLARE_LETTERS.contains(letter));
            return word.unknown.is_some() || !is_read;
        }
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name.strip_suffix('+').unwrap_or(name), Some(value)),
            None => (text, None),
        };
        let splits = word.many && !bash;
        let is_unknown = word.unknown.is_some() && (value.is_none() || splits);
        let changes = changes_what_runs(name) || (exports && !is_inert(name) && value.is_some());
        is_unknown || !is_name(name) || changes
    })
}

fn prints_into(args: &[Word]) -> Option<&Word> {
    let first = args.first()?;
    if let Some(word) = args.iter().take(3).find(|word| counts(word)) {
        return Some(word);
    }
    match first.text() {
        Some(option) if option.starts_with("-v") => {
            let name = match option.strip_prefix("-v") {
                Some("") | None => args.get(1).and_then(Word::text),
                name => name,
            };
            let is_plain = name.is_some_and(|name| is_name(name) && !changes_what_runs(name));
            (!is_plain).then_some(first)
        }
        Some(_) => None,
        None => {
            let may_be_name = args.get(1).is_some_and(may_hold_a_subscript);
            (first.many || may_be_name).then_some(first)
        }
    }
}

/// Whether a format assigns (`%n`) to the variable that it is given.
fn counts(format: &Word) -> bool {
    let is_between = |char: char| char.is_ascii_digit() || "#-+ '.*hlLqjzt".contains(char);
    let text = format.text().unwrap_or_default().replace("%%", "");
    let mut conversions = text.split('%').skip(1);
    conversions.any(|rest| rest.trim_start_matches(is_between).starts_with('n'))
}

fn may_hold_a_subscript(word: &Word) -> bool {
    word.unknown.is_some() || word.text.contains('[')
}

/// `-v` and what follows it may be known, or behind variables.
fn tests(args: &[Word]) -> Option<&Word> {
    args.iter().enumerate().find_map(|(at, word)| {
        let next = args.get(at.saturating_add(1));
        let wrong = if let Some(text) = word.text() {
            text == "-v" || text == "-R"
        } else {
            let is_end = next.is_none_or(|next| next.text() == Some("]"));
            word.many || (!is_end && next.is_some_and(may_hold_a_subscript))
        };
        wrong.then_some(word)
    })
}
