//! Whether a line changes nothing: every command of it is in the table of those that do not, with
//! options that are in its row, and it opens no file to write.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use super::tables::{GIT_READS, Operands, Reads, is_read_carrier, reads, shows_version};
use super::{CommandLine, Line, UNKNOWN};

/// Tests of `find` that run what follows.
/// `-execdir` runs it in a folder that another repository may be in.
const EXEC: [&str; 1] = ["-exec"];

impl Line {
    /// Whether it is known to change nothing. What it reads is another matter.
    pub(crate) fn only_reads(&self) -> bool {
        let said_otherwise: BTreeSet<usize> = self
            .certain
            .iter()
            .filter_map(|command| command.carried.filter(|carried| carried.same))
            .map(|carried| carried.by)
            .collect();
        let moves = self.certain.iter().any(|command| command.runs("cd"));
        let mut commands = self.certain.iter().enumerate();
        self.unreadable.is_none()
            && !self.certain.is_empty()
            && self.files.iter().all(|file| !file.writes)
            && commands.all(|(at, command)| {
                // Elsewhere another repository may say what git runs.
                let is_git = command.runs("git");
                (!is_git || !moves)
                    && if said_otherwise.contains(&at) {
                        // The same command without its options is judged in its place.
                        command.has_harmless_options()
                    } else {
                        command.only_reads()
                    }
            })
    }
}

impl Line {
    /// Whether every word of it is known.
    pub(crate) fn is_known(&self) -> bool {
        let mut words = self.certain.iter().flat_map(|command| &command.words);
        words.all(|word| word != UNKNOWN)
    }
}

impl CommandLine {
    /// Whether it is known to change nothing itself.
    pub(crate) fn only_reads(&self) -> bool {
        let Some((program, rest)) = self.words.split_first() else {
            return false;
        };
        if self.silent || (rest == ["--version"] && shows_version(program)) {
            return true;
        }
        // What it carries is a command of its own.
        if is_read_carrier(program) {
            return true;
        }
        let begins = |row: &&Reads| {
            let mut pairs = row.words.iter().zip(&self.words);
            row.words.len() <= self.words.len() && pairs.all(|(row, word)| row == word)
        };
        // The row with the most words is the one about this command.
        let row = reads(program)
            .filter(begins)
            .max_by_key(|row| row.words.len());
        row.is_some_and(|row| row.covers(self.words.get(row.words.len()..).unwrap_or_default()))
    }
}

impl CommandLine {
    fn runs(&self, program: &str) -> bool {
        self.words.first().is_some_and(|first| first == program)
    }

    /// Whether the options of git before its own command are harmless.
    fn has_harmless_options(&self) -> bool {
        let mut options = self.words.iter().skip(1).map(SmolStr::as_str);
        options
            .find(|word| !GIT_READS.contains(word))
            .is_some_and(|command| !command.starts_with('-'))
    }
}

impl Reads {
    /// Whether the program changes nothing with these arguments.
    fn covers(&self, args: &[SmolStr]) -> bool {
        if self.any {
            return true;
        }
        let mut operands = Vec::new();
        let mut args = args.iter().map(SmolStr::as_str);
        let mut only_operands = false;
        while let Some(arg) = args.next() {
            if arg == UNKNOWN {
                // It may be an option, or more words than one.
                return false;
            }
            if only_operands && arg.starts_with('-') {
                // Some programs sort what follows once more.
                return false;
            }
            if only_operands || !arg.starts_with('-') || arg == "-" {
                operands.push(arg);
            } else if arg == "--" {
                // `find` reads its tests behind it.
                if self.operands == Operands::Tests {
                    return false;
                }
                only_operands = true;
            } else if self.operands == Operands::Tests && EXEC.contains(&arg) {
                // What it runs is a command of its own, and ends where the plan ended it.
                let mut before = arg;
                while let Some(word) = args.next().filter(|word| *word != ";") {
                    if word == "+" && before == "{}" {
                        break;
                    }
                    before = word;
                }
            } else {
                match self.option(arg) {
                    None => return false,
                    Some(true) => match args.next() {
                        Some(value) if value != UNKNOWN && !value.starts_with('-') => {}
                        Some(_) | None => return false,
                    },
                    Some(false) => {}
                }
            }
        }
        self.allows(&operands)
    }

    /// Whether the next word is the value of this option; none if the option is not in the row.
    fn option(&self, arg: &str) -> Option<bool> {
        let (name, glued) = match arg.split_once('=') {
            Some((name, _)) => (name, true),
            None => (arg, false),
        };
        for option in self.long.split(' ') {
            if option == name {
                return Some(false);
            }
            if option.strip_suffix('=') == Some(name) {
                return Some(!glued);
            }
        }
        if arg.starts_with("--") {
            return None;
        }
        let mut letters = arg.strip_prefix('-')?.chars();
        while let Some(letter) = letters.next() {
            if self.values.contains(letter) {
                return Some(letters.as_str().is_empty());
            }
            if !self.flags.contains(letter) {
                return None;
            }
        }
        Some(false)
    }

    fn allows(&self, operands: &[&str]) -> bool {
        match self.operands {
            Operands::Any | Operands::Tests => true,
            Operands::AtMost(most) => operands.len() <= most,
            Operands::Formats => operands.iter().all(|operand| operand.starts_with('+')),
            Operands::Filter => {
                let mut filters = operands.iter().map(|text| text.to_ascii_lowercase());
                let opens = ["env", "import", "include", "modulemeta"];
                filters.all(|text| !opens.iter().any(|word| text.contains(word)))
            }
            Operands::Prints => operands.first().is_some_and(|script| prints_lines(script)),
            Operands::Fields => operands
                .first()
                .is_some_and(|program| prints_fields(program)),
        }
    }
}

/// A script of `sed` that prints lines by number: `1,20p`, `$p`, `5q`, several of them.
fn prints_lines(script: &str) -> bool {
    let is_address = |text: &str| text == "$" || text.bytes().all(|byte| byte.is_ascii_digit());
    script.split(';').map(str::trim_ascii).all(|command| {
        let Some(addresses) = command.strip_suffix(['p', 'q', 'd', '=']) else {
            return false;
        };
        let mut addresses = addresses.splitn(2, ',');
        addresses.all(is_address)
    })
}

/// A program of `awk` that prints fields: no more than `{print $1, $NF}` and patterns of it.
fn prints_fields(program: &str) -> bool {
    let Some(body) = program
        .trim_ascii()
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'))
    else {
        return false;
    };
    let Some(fields) = body.trim_ascii().strip_prefix("print") else {
        return false;
    };
    let is_field = |field: &str| {
        let field = field.trim_ascii();
        let name = field.strip_prefix('$').unwrap_or(field);
        name == "NF" || name == "NR" || name.bytes().all(|byte| byte.is_ascii_digit())
    };
    fields.split(',').all(is_field)
}
