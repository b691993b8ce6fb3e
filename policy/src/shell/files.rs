//! The files that a command opens, by its own arguments.

use super::is_plain_char;
use super::plan::Word;
use super::tables::{FILE_PROGRAMS, FileProgram, Role, TARGET};
use crate::paths::ANY_NAME;
use crate::tools::Platform;

/// Parts of one word that may be paths (64); a word of more may be any path.
const PIECES_MAX: usize = 64;
/// Sources that are copied or moved one by one (256); more are anything below where they go.
const SOURCES_MAX: usize = 256;
/// Where a program may cut a word: `--file=x`, `host:x`, `@x`, `a,b`.
const CUTS: &[char] = &['=', ':', '@', ','];
const MANY_PIECES: &str = "it has so many parts that it may name any file";
const NOT_KNOWN: &str = "it is not known before the call is made";

/// What is done to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
    /// Either, or both.
    Any,
}

impl Access {
    pub(crate) const fn may_read(self) -> bool {
        matches!(self, Self::Read | Self::Any)
    }

    pub(crate) const fn may_write(self) -> bool {
        matches!(self, Self::Write | Self::Any)
    }
}

/// A word, or a part of one, that names a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Opened {
    pub(crate) path: String,
    pub(crate) access: Access,
    /// All that is below it too.
    pub(crate) tree: bool,
    /// It is known to be a path.
    pub(crate) sure: bool,
    /// The shell itself makes its tilde the home folder.
    pub(crate) in_home: bool,
}

/// A word that may name any file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Vague {
    pub(crate) part: String,
    pub(crate) access: Access,
    pub(crate) why: &'static str,
    /// It is known to be a path.
    pub(crate) sure: bool,
    /// The shell opens it, and no command.
    pub(crate) redirected: bool,
}

/// What a command opens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Opens {
    pub(crate) files: Vec<Opened>,
    pub(crate) vague: Vec<Vague>,
    /// It is a file command of which it is known where it writes.
    pub(crate) is_placed: bool,
    /// Its options keep that from being known.
    pub(crate) is_undecided: bool,
}

/// Operands and options, told apart.
#[derive(Debug, Default)]
struct Arguments<'w> {
    operands: Vec<&'w Word>,
    /// Options with a value: their name, and it.
    values: Vec<(String, &'w str)>,
    flags: Vec<String>,
    /// An option is not known, or may be one.
    is_undecided: bool,
}

impl Opens {
    /// What the command of these words opens.
    pub(crate) fn of(words: &[Word], platform: Platform) -> Self {
        let mut opens = Self::default();
        let Some((program, rest)) = words.split_first() else {
            return opens;
        };
        let name = program.text().map(|word| platform.program(word));
        let row = FILE_PROGRAMS
            .iter()
            .find(|row| Some(row.name) == name.as_deref());
        if name.as_deref() == Some("sed") {
            opens.script(rest);
        }
        let searches =
            name.as_deref() == Some("git") && rest.iter().any(|word| word.text() == Some("grep"));
        match row {
            None if searches => {
                opens.push(".", Access::Read, true, false);
                opens.any(rest, true);
            }
            Some(row) if row.role == Role::Nothing => {}
            Some(row) if row.role == Role::Walks => {
                if row.before > 0 {
                    opens.push(".", Access::Read, true, false);
                }
                opens.any(rest, true);
            }
            Some(row) if row.role == Role::Dd => {
                opens.dd(rest);
                opens.is_placed = program.text() == Some(row.name) && opens.vague.is_empty();
            }
            Some(row) if row.role == Role::Finds => opens.find(rest),
            Some(row) => {
                let arguments = Arguments::of(row, rest);
                if arguments.is_undecided {
                    opens.is_undecided = row.is_command;
                    opens.any(rest, !row.walks.is_empty());
                    // What is no option is a file all the same, and so may be what is not known.
                    let is_file = |word: &&Word| match word.text() {
                        Some(text) => !text.starts_with('-'),
                        None => row.is_command || word.names().is_some(),
                    };
                    let files: Vec<_> = rest.iter().filter(is_file).collect();
                    opens.all(&files, Access::Any, !row.walks.is_empty());
                } else {
                    let tree = opens.of_row(row, &arguments);
                    // Links that stand below where a folder is copied to may lead anywhere.
                    opens.is_undecided = tree && row.role == Role::Copies;
                    // Where a link leads depends on the folder that it stands in.
                    opens.is_placed = row.is_command
                        && row.role != Role::Links
                        && program.text() == Some(row.name)
                        && !opens.is_undecided;
                }
            }
            None => opens.any(rest, false),
        }
        opens
    }

    /// What a program of this row opens. Whether it walks into folders.
    fn of_row(&mut self, row: &FileProgram, arguments: &Arguments<'_>) -> bool {
        let has = |names: &[&str]| {
            let flags = arguments.flags.iter();
            let values = arguments.values.iter().map(|(name, _)| name);
            flags
                .chain(values)
                .any(|flag| names.contains(&flag.as_str()))
        };
        // Names that a pattern matches may be options that make it walk. Of what only reads they are
        // taken for files.
        let begins_open = |word: &&Word| word.names().is_some_and(|names| names.starts_with(ANY_NAME));
        let tree = has(row.walks)
            || (row.is_command && !row.walks.is_empty() && arguments.operands.iter().any(begins_open));
        let before = if has(row.instead) { 0 } else { row.before };
        let files: Vec<_> = arguments.operands.iter().skip(before).copied().collect();
        let takes_target = matches!(row.role, Role::Copies | Role::Moves | Role::Links);
        let mut target = None;
        for (name, value) in &arguments.values {
            if takes_target && TARGET.contains(&name.as_str()) {
                target = Some(*value);
            } else {
                // What an option names is a file or is not.
                self.pieces(value, Access::Any, false, false);
            }
        }
        match row.role {
            Role::Reads => {
                if tree && files.is_empty() {
                    self.add(".", Access::Read, true);
                }
                self.all(&files, Access::Read, tree);
            }
            Role::Writes => self.all(&files, Access::Write, tree),
            Role::Edits => {
                let access = if has(&["i", "in-place"]) {
                    Access::Any
                } else {
                    Access::Read
                };
                self.all(&files, access, false);
            }
            Role::Copies => self.onto(&files, target, Access::Read, tree),
            // A folder goes with all that is in it.
            Role::Moves => self.onto(&files, target, Access::Any, true),
            Role::Links => self.onto(&files, target, Access::Any, false),
            Role::Nothing | Role::Walks | Role::Dd | Role::Finds => {}
        }
        tree
    }

    /// Sources and where they go: into a folder, or onto the last operand.
    fn onto(&mut self, files: &[&Word], target: Option<&str>, access: Access, tree: bool) {
        let (sources, last) = match (target, files.split_last()) {
            (Some(target), _) => (files, Some(target)),
            // A link alone is made where the command stands.
            (None, Some((_, []))) => (files, Some(".")),
            (None, Some((last, sources))) => (sources, last.path()),
            (None, None) => return,
        };
        self.all(sources, access, tree);
        // The last of the names that a pattern matches is where the others go.
        if let (None, Some(last)) = (target, files.last()) && last.names().is_some() {
            self.unknown(last, access, tree, true);
        }
        let Some(last) = last else {
            if let Some(word) = files.last() {
                self.unknown(word, Access::Write, tree, true);
            }
            return;
        };
        // So many are anything below it.
        if sources.len() > SOURCES_MAX {
            return self.push(last, Access::Write, true, true);
        }
        self.add(last, Access::Write, tree);
        // If it is a folder, what is written stands in it.
        for source in sources.iter().filter_map(|word| word.path()) {
            let name = source
                .trim_end_matches('/')
                .rsplit('/')
                .next()
                .unwrap_or_default();
            self.add(&format!("{last}/{name}"), Access::Write, tree);
        }
    }

    /// A pattern for names of files, as far as it says which.
    fn names(&mut self, names: &str, access: Access, tree: bool, sure: bool) {
        if sure {
            self.add(names, access, tree);
        } else {
            self.pieces(names, access, tree, true);
        }
    }

    /// What a script of `sed` may name behind its commands: `w x`, `s/a/b/w x`, `r x`.
    fn script(&mut self, words: &[Word]) {
        let texts = words.iter().filter_map(Word::text);
        let named = texts.flat_map(|text| text.split_ascii_whitespace().skip(1));
        for name in named {
            self.pieces(name, Access::Any, false, true);
        }
    }

    fn dd(&mut self, words: &[Word]) {
        for word in words {
            match word.text().and_then(|text| text.split_once('=')) {
                Some(("if", path)) => self.add(path, Access::Read, false),
                Some(("of", path)) => self.add(path, Access::Write, false),
                Some(_) => {}
                None => self.unknown(word, Access::Any, false, true),
            }
        }
    }

    /// `find` looks below its first operands; what it prints are names.
    fn find(&mut self, words: &[Word]) {
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
            self.add(".", access, deletes);
        }
        self.all(&starts, access, deletes);
        let rest = words.get(starts.len()..).unwrap_or_default();
        self.any(rest, false);
    }

    /// A program of which it is not known what it does with its arguments.
    fn any(&mut self, words: &[Word], tree: bool) {
        for word in words {
            match word.text() {
                Some(text) => self.pieces(text, Access::Any, tree, true),
                None => self.unknown(word, Access::Any, tree, false),
            }
        }
    }

    fn all(&mut self, words: &[&Word], access: Access, tree: bool) {
        for word in words {
            match word.text() {
                Some(text) => self.add(text, access, tree),
                None => self.unknown(word, access, tree, true),
            }
        }
    }

    fn add(&mut self, path: &str, access: Access, tree: bool) {
        // Standard input, to most programs that read.
        if path != "-" || access != Access::Read {
            self.push(path, access, tree, true);
        }
    }

    fn push(&mut self, path: &str, access: Access, tree: bool, sure: bool) {
        self.files.push(Opened {
            path: path.into(),
            access,
            tree,
            sure,
            in_home: false,
        });
    }

    fn unknown(&mut self, word: &Word, access: Access, tree: bool, sure: bool) {
        if let Some(names) = word.names() {
            return self.names(names, access, tree, sure);
        }
        if let Some(path) = in_home(word) {
            self.files.push(Opened {
                path,
                access,
                tree,
                sure,
                in_home: true,
            });
            if !sure || !word.many {
                return;
            }
        }
        self.vague.push(Vague {
            part: word.text.clone(),
            access,
            why: NOT_KNOWN,
            sure,
            redirected: false,
        });
    }

    /// Every part of a word that may be a path.
    fn pieces(&mut self, word: &str, access: Access, tree: bool, is_operand: bool) {
        let Some(pieces) = pieces(word) else {
            self.vague.push(Vague {
                part: word.into(),
                access,
                why: MANY_PIECES,
                sure: false,
                redirected: false,
            });
            return;
        };
        let is_option = word.starts_with('-');
        for piece in pieces {
            // Of a word that is no option the whole is walked, and a part of it is not.
            let is_whole = is_operand && piece.len() == word.len() && !is_option;
            self.push(piece, access, tree && is_whole, false);
        }
    }
}

impl<'w> Arguments<'w> {
    fn of(row: &FileProgram, words: &'w [Word]) -> Self {
        let mut arguments = Self::default();
        let mut words = words.iter();
        let mut only_operands = false;
        while let Some(word) = words.next() {
            let Some(text) = word.text() else {
                let has_names = word.names().is_some();
                let is_path = has_names || (in_home(word).is_some() && !word.many);
                // It may be an option, or any number of words.
                arguments.is_undecided |= !is_path && (!only_operands || word.many);
                // Its names may be options that say where the others go, or stand where none of a
                // file does.
                let takes_target = row.long_valued.contains(&"target-directory");
                let begins_open = word.names().is_some_and(|names| names.starts_with(ANY_NAME));
                let is_first = arguments.operands.len() < row.before;
                let may_be_option = begins_open && !only_operands;
                arguments.is_undecided |= has_names && (is_first || (takes_target && may_be_option));
                arguments.operands.push(word);
                continue;
            };
            if only_operands || !text.starts_with('-') || text == "-" {
                arguments.operands.push(word);
            } else if text == "--" {
                only_operands = true;
            } else if let Some(long) = text.strip_prefix("--") {
                arguments.long(row, long, &mut words);
            } else {
                arguments.letters(row, text.get(1..).unwrap_or_default(), &mut words);
            }
        }
        arguments
    }

    fn long(&mut self, row: &FileProgram, long: &'w str, words: &mut std::slice::Iter<'w, Word>) {
        let (name, value) = match long.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (long, None),
        };
        if row.long_flags.contains(&name) {
            self.flags.push(name.into());
        } else if row.long_valued.contains(&name) {
            match value.or_else(|| words.next().and_then(Word::text)) {
                Some(value) => self.values.push((name.into(), value)),
                None => self.is_undecided = true,
            }
        } else {
            self.is_undecided = true;
        }
    }

    fn letters(
        &mut self,
        row: &FileProgram,
        letters: &'w str,
        words: &mut std::slice::Iter<'w, Word>,
    ) {
        let mut rest = letters.chars();
        while let Some(letter) = rest.next() {
            if row.flags.contains(letter) {
                self.flags.push(letter.into());
            } else if row.valued.contains(letter) {
                let glued = Some(rest.as_str()).filter(|value| !value.is_empty());
                match glued.or_else(|| words.next().and_then(Word::text)) {
                    Some(value) => self.values.push((letter.into(), value)),
                    None => self.is_undecided = true,
                }
                return;
            } else {
                self.is_undecided = true;
                return;
            }
        }
    }
}

/// A word that the shell makes a path in the home folder, spelt with a tilde.
fn in_home(word: &Word) -> Option<String> {
    let bare = word.text.trim_matches('"');
    let heads = ["~", "$HOME", "${HOME}"];
    let rest = heads.iter().find_map(|head| bare.strip_prefix(head))?;
    let is_path = rest.is_empty() || rest.starts_with('/');
    (is_path && rest.chars().all(is_plain_char)).then(|| format!("~{rest}"))
}

/// Every part of a word that may be a path: the word, what stands behind each cut and up to any
/// later one, and behind each letter of an option. None if there are too many.
fn pieces(word: &str) -> Option<Vec<&str>> {
    let cuts: Vec<usize> = word.match_indices(CUTS).map(|(at, _)| at).collect();
    let option = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    let letters = option.map_or(0, |rest| {
        rest.bytes().take_while(u8::is_ascii_alphanumeric).count()
    });
    let begins = std::iter::once(0)
        .chain(cuts.iter().map(|cut| cut.saturating_add(1)))
        .chain((0..letters).map(|letter| letter.saturating_add(2)));
    let mut pieces = Vec::new();
    for begin in begins {
        let ends = cuts.iter().copied().filter(|cut| *cut > begin);
        for end in ends.chain([word.len()]) {
            let Some(piece) = word.get(begin..end).filter(|piece| !piece.is_empty()) else {
                continue;
            };
            if pieces.len() >= PIECES_MAX {
                return None;
            }
            pieces.push(piece);
        }
    }
    // An option is a path by what is glued to it alone.
    pieces.retain(|piece| !piece.starts_with('-'));
    Some(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::Plan;

    /// What the only command of a line opens: `r`, `w` or `a`, `*` if walked, `?` if unsure.
    fn opens(line: &str) -> String {
        let plan = Plan::of(line, "bash", Platform::Linux);
        let opens = Opens::of(&plan.commands[0].words, Platform::Linux);
        let letter = |access| match access {
            Access::Read => "r",
            Access::Write => "w",
            Access::Any => "a",
        };
        let files = opens.files.iter().map(|file| {
            let tree = if file.tree { "*" } else { "" };
            let sure = if file.sure { "" } else { "?" };
            format!("{}{tree}{sure}:{}", letter(file.access), file.path)
        });
        let vague = opens
            .vague
            .iter()
            .map(|vague| format!("{}!{}", letter(vague.access), vague.part));
        let mut shown: Vec<String> = files.chain(vague).collect();
        if opens.is_placed {
            shown.push("placed".into());
        }
        if opens.is_undecided {
            shown.push("undecided".into());
        }
        shown.join(" ")
    }

    #[test]
    fn a_file_command_tells_where_it_writes() {
        for (line, want) in [
            ("mkdir -p a/b c", "w:a/b w:c placed"),
            ("mkdir -m 755 a", "a?:755 w:a placed"),
            ("mkdir -Z a", "a?:a a:a undecided"),
            ("touch -- -a", "w:-a placed"),
            ("rm -f a", "w:a placed"),
            ("rm -rf a", "w*:a placed"),
            ("rm --recursive --force /", "w*:/ placed"),
            ("cp a b", "r:a w:b w:b/a placed"),
            ("cp x/a y/b d/", "r:x/a r:y/b w:d/ w:d//a w:d//b placed"),
            ("cp -r a b", "r*:a w*:b w*:b/a undecided"),
            ("cp -t d a", "r:a w:d w:d/a placed"),
            ("cp --target-directory=d a", "r:a w:d w:d/a placed"),
            ("cp --backup a b", "a*?:a a*?:b a*:a a*:b undecided"),
            ("mv -n a b", "a*:a w*:b w*:b/a placed"),
            ("mv -S x a b", "a?:x a?:a a?:b a:x a:a a:b undecided"),
            ("ln -s a b", "a:a w:b w:b/a"),
            ("ln -s ../a", "a:../a w:. w:./a"),
            ("chmod -R +x a", "w*:a placed"),
            ("chmod 600 a b", "w:a w:b placed"),
            ("chown u:g a", "w:a placed"),
            ("chown -RL u a", "a?:L a*?:u a*?:a a*:u a*:a undecided"),
            ("tee -a a b", "w:a w:b placed"),
            ("tee", "placed"),
            ("install -m 755 a b", "a?:755 r:a w:b w:b/a placed"),
            ("truncate -s 0 a", "a?:0 w:a placed"),
            ("rmdir a", "w:a placed"),
            ("dd if=a of=b bs=1", "r:a w:b placed"),
            ("./cp a b", "r:a w:b w:b/a"),
            ("rm $x", "a!$x a!$x undecided"),
            ("rm -- \"$x\"", "w!\"$x\" placed"),
        ] {
            assert_eq!(opens(line), want, "{line}");
        }
    }

    #[test]
    fn what_reads_and_what_opens_nothing_is_known() {
        for (line, want) in [
            ("cat a -", "r:a"),
            ("head -n 5 a", "a?:5 r:a"),
            ("head -5 a", "r:a"),
            ("grep -n x a", "r:a"),
            ("grep -e x a", "a?:x r:a"),
            ("grep -r x", "r*:."),
            ("grep -rn x a", "r*:a"),
            ("sed -n 1p a", "r:a"),
            ("sed -i s/x/y/ a", "a:a"),
            ("find a b -name x", "r:a r:b a?:ame a?:me a?:e a?:x"),
            ("find -delete", "a*:. a?:elete a?:lete a?:ete a?:te a?:e"),
            ("echo a", ""),
            ("test -f a", ""),
            ("cd a", ""),
        ] {
            assert_eq!(opens(line), want, "{line}");
        }
    }

    #[test]
    fn any_other_program_may_open_every_part_of_its_words() {
        for (line, want) in [
            ("git add .env", "a?:add a?:.env"),
            ("x --file=.env", "a?:.env"),
            ("x -f.env", "a?:.env"),
            ("x -xf.env", "a?:f.env a?:.env"),
            ("x @.env", "a?:@.env a?:.env"),
            ("x .env:/y", "a?:.env a?:.env:/y a?:/y"),
            ("rg x", "r*?:. a*?:x"),
            ("x ~/a", "a?:~/a"),
            ("x $HOME/a", "a?:~/a"),
            ("x $y", "a!$y"),
        ] {
            assert_eq!(opens(line), want, "{line}");
        }
        let long = format!("x {}", "a:".repeat(40));
        assert!(opens(&long).contains('!'), "{}", opens(&long));
    }

    /// One name for each source would be walked in every folder that the line may stand in.
    #[test]
    fn many_sources_name_their_target_once_with_all_that_is_below_it() {
        for program in ["mv", "cp", "ln -s"] {
            let line = format!("{program} {}c", "a ".repeat(SOURCES_MAX + 1));
            let plan = Plan::of(&line, "bash", Platform::Linux);
            let opens = Opens::of(&plan.commands[0].words, Platform::Linux);
            let onto: Vec<_> = opens
                .files
                .iter()
                .filter(|file| file.path.starts_with('c'))
                .collect();
            assert!(
                matches!(onto.as_slice(), [file] if file.tree && file.access == Access::Write),
                "{program}: {onto:?}"
            );
        }
    }
}
