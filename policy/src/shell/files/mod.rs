//! The files that a command opens, by its own arguments.

mod arguments;
mod script;
mod single;

use super::plan::Word;
use super::tables::{FileProgram, Role, TARGET, file_program};
use crate::paths::ANY_NAME;
use crate::tools::Platform;
use arguments::{Arguments, Path, begins_open, pieces};
use single::{is_letters, is_long, lists, may_walk, only_shows};

/// Names that are written in folders, one by one (256); more are anything below these.
const SOURCES_MAX: usize = 256;
const MANY_PIECES: &str = "it has so many parts that it may name any file";
const NOT_KNOWN: &str = "it is not known before the call is made";
const LIST: &str = "it names files by a list that is not known";

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

    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Any => "any",
        }
    }
}

/// A word, or a part of one, that names a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about one file"
)]
pub(crate) struct Opened {
    /// Its path; behind the home folder, if it is in that.
    pub(crate) path: String,
    pub(crate) access: Access,
    /// All that is below it too.
    pub(crate) tree: bool,
    /// All that is below it is changed or goes with it, whatever it is.
    pub(crate) whole: bool,
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
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about one command"
)]
pub(crate) struct Opens {
    pub(crate) files: Vec<Opened>,
    pub(crate) vague: Vec<Vague>,
    /// It is a file command of which it is known where it writes.
    pub(crate) is_placed: bool,
    /// Its options keep that from being known.
    pub(crate) is_undecided: bool,
    /// It makes links, or may.
    pub(crate) links: bool,
    /// It takes folders elsewhere, with the links in them.
    pub(crate) moves: bool,
    /// A device that it is given is opened, and stays what it is.
    pub(crate) keeps_devices: bool,
}

/// Whether it is known what this program opens.
pub(crate) fn opens_files(program: &str) -> bool {
    file_program(program).is_some()
}

impl Opens {
    /// What the command of these words opens.
    pub(crate) fn of(words: &[Word], platform: Platform) -> Self {
        let mut opens = Self {
            keeps_devices: true,
            ..Self::default()
        };
        let Some((program, rest)) = words.split_first() else {
            return opens;
        };
        let name = program.text().map(|word| platform.program(word));
        let Some(row) = name.as_deref().and_then(file_program) else {
            if name.as_deref() == Some("git") {
                opens.git(rest);
            }
            // A program that it runs may look below what it is given.
            let walks = may_walk(name.as_deref().unwrap_or_default(), rest, platform);
            if let Some(access) = walks {
                opens.push(".", access, true, false);
            }
            opens.any(rest, walks.is_some());
            return opens;
        };
        opens.keeps_devices = row.keeps_devices;
        match row.role {
            Role::Nothing => {}
            Role::Walks => {
                let lists_names = row.name == "rg" && single::lists_names(rest);
                if row.before > 0 {
                    opens.push(".", Access::Read, !lists_names, false);
                }
                let lists_only = lists_names || (row.unpacks && single::shows(rest));
                opens.any(rest, !lists_only);
                // A list of files, as `tar` has it.
                if let Some(word) = rest.iter().find(|word| lists(word)).filter(|_| row.unpacks) {
                    opens.vague(&word.text, LIST, Access::Any, false);
                }
                opens.unpacks(row, rest);
            }
            Role::Unpacks => {
                let shows = only_shows(row.name, rest);
                if !shows {
                    opens.push(".", Access::Any, true, false);
                }
                opens.any(rest, !shows);
            }
            Role::Dd => {
                opens.dd(rest);
                opens.is_placed = program.text() == Some(row.name) && opens.vague.is_empty();
            }
            Role::Finds => opens.find(rest),
            Role::Reads
            | Role::Compares
            | Role::Writes
            | Role::Copies
            | Role::Moves
            | Role::Links
            | Role::Edits => {
                let arguments = Arguments::of(row, rest);
                if arguments.is_undecided {
                    opens.undecided(row, rest);
                } else {
                    let tree = opens.of_row(row, &arguments);
                    // Links that stand below where a folder is copied to may lead anywhere.
                    opens.is_undecided = tree && row.role == Role::Copies;
                    // Where a link leads depends on the folder that it stands in.
                    opens.is_placed = row.is_command
                        && !opens.links
                        && program.text() == Some(row.name)
                        && !opens.is_undecided;
                }
            }
        }
        for of in &mut opens.files {
            of.whole |= of.tree && of.sure && row.role.takes_whole(of.access);
        }
        opens
    }

    /// What a program of this row opens. Whether it walks into folders.
    fn of_row(&mut self, row: &FileProgram, arguments: &Arguments<'_>) -> bool {
        // Names that a pattern matches may be options that make it walk. Of what only reads they are
        // taken for files.
        let may_walk = row.is_command && !row.walks.is_empty();
        let mut operands = arguments.operands.iter();
        let tree = arguments.has(row.walks) || (may_walk && operands.any(|word| begins_open(word)));
        let has_script = arguments.has(row.instead);
        let before = if has_script { 0 } else { row.before };
        let files: Vec<_> = arguments.operands.iter().skip(before).copied().collect();
        let mut target = None;
        for (name, value) in &arguments.values {
            if row.role.has_target() && TARGET.contains(&name.as_str()) {
                target = Some(*value);
            } else if row.role != Role::Edits {
                // What an option names is a file or is not.
                self.pieces(value, Access::Any, false, false);
            }
        }
        match row.role {
            Role::Reads => {
                if tree && files.is_empty() {
                    self.push(".", Access::Read, true, true);
                }
                self.all(&files, Access::Read, tree);
            }
            Role::Compares => {
                self.all(&files, Access::Read, tree);
                self.each_in_each(&files, &[], Access::Read, tree);
            }
            Role::Writes => {
                self.all(&files, Access::Write, tree);
                if arguments.has(row.parents) {
                    self.parents(&files);
                }
            }
            Role::Edits => self.edit(arguments, &files),
            Role::Copies if arguments.has(row.links) => {
                self.links = true;
                self.onto(&files, target, Access::Any, tree);
            }
            Role::Copies => {
                self.moves = tree;
                // Forced, it takes away what it cannot open.
                self.keeps_devices &= !arguments.has(&["f", "force"]);
                self.onto(&files, target, Access::Read, tree);
            }
            // A folder goes with all that is in it.
            Role::Moves => {
                self.moves = true;
                self.onto(&files, target, Access::Any, true);
            }
            Role::Links => {
                self.links = true;
                self.onto(&files, target, Access::Any, false);
            }
            Role::Nothing | Role::Walks | Role::Unpacks | Role::Dd | Role::Finds => {}
        }
        tree
    }

    /// What a program of this row may open whose options are not known.
    fn undecided(&mut self, row: &FileProgram, rest: &[Word]) {
        let may_walk = !row.walks.is_empty() || row.role == Role::Moves;
        self.is_undecided = row.is_command;
        self.keeps_devices = false;
        self.links = matches!(row.role, Role::Links | Role::Copies);
        self.moves = matches!(row.role, Role::Moves | Role::Copies);
        self.any(rest, may_walk);
        // Without a file it may look where it stands.
        if may_walk && row.before > 0 && !row.is_command {
            self.push(".", Access::Read, true, false);
        }
        let edits = row.role == Role::Edits
            && rest
                .iter()
                .any(|word| is_letters(word, 'i') || is_long(word, "--in-place"));
        // What is no option is a file all the same, and so may be what is not known.
        let is_file = |word: &&Word| match word.text() {
            Some(text) => !text.starts_with('-'),
            None => row.is_command || edits || Path::of_word(word).is_some(),
        };
        let files: Vec<_> = rest.iter().filter(is_file).collect();
        self.all(&files, Access::Any, may_walk);
        let options: Vec<_> = rest.iter().filter(|word| !is_file(word)).collect();
        match row.role {
            Role::Compares => self.each_in_each(&files, &options, Access::Read, may_walk),
            Role::Copies | Role::Moves | Role::Links => {
                self.each_in_each(&files, &options, Access::Write, true);
            }
            Role::Writes => self.parents(&files),
            Role::Edits => {
                for word in rest {
                    self.perhaps_script(word);
                }
            }
            Role::Reads | Role::Nothing | Role::Walks | Role::Unpacks | Role::Dd | Role::Finds => {}
        }
    }

    /// Any of these files under its name in any of the others, if that is a folder; and in any that
    /// an option may name.
    fn each_in_each(&mut self, files: &[&Word], options: &[&Word], access: Access, tree: bool) {
        let paths: Vec<Path<'_>> = files
            .iter()
            .filter_map(|word| Path::of_word(word))
            .collect();
        let glued = options.iter().filter_map(|word| word.text());
        let glued = glued.flat_map(|text| pieces(text).unwrap_or_default());
        let mut folders: Vec<(Path<'_>, bool)> = paths.iter().map(|path| (*path, true)).collect();
        folders.extend(glued.map(|text| (Path::of(text), false)));
        let are_many = folders.len().saturating_mul(paths.len()) > SOURCES_MAX;
        for (folder, sure) in folders {
            if are_many {
                self.open(folder, access, true, sure);
                continue;
            }
            for path in &paths {
                self.inside(folder, *path, access, tree, sure);
            }
        }
    }

    /// Sources and where they go: into a folder, or onto the last operand.
    fn onto(&mut self, files: &[&Word], target: Option<&str>, access: Access, tree: bool) {
        let (sources, last) = match (target, files.split_last()) {
            (Some(target), _) => (files, Some(Path::of(target))),
            // A link alone is made where the command stands.
            (None, Some((_, []))) => (files, Some(Path::of("."))),
            (None, Some((last, sources))) => (sources, Path::of_word(last)),
            (None, None) => return,
        };
        self.all(sources, access, tree);
        // The last of the names that a pattern matches is where the others go, and a word that is
        // not known may be several.
        if let (None, Some(word)) = (target, files.last())
            && (word.names().is_some() || word.many || last.is_none())
        {
            self.unknown(word, access, tree, true);
            self.unknown(word, Access::Write, tree, true);
        }
        let Some(last) = last else { return };
        // So many are anything below it.
        if sources.len() > SOURCES_MAX {
            return self.open(last, Access::Write, true, true);
        }
        self.open(last, Access::Write, tree, true);
        // If it is a folder, what is written stands in it.
        for source in sources.iter().filter_map(|word| Path::of_word(word)) {
            self.inside(last, source, Access::Write, tree, true);
        }
    }

    /// A file under its name in a folder.
    fn inside(&mut self, folder: Path<'_>, file: Path<'_>, access: Access, tree: bool, sure: bool) {
        let base = file.base();
        // What the home folder is called is not known.
        let any = ANY_NAME.to_string();
        let base = if base.is_empty() { any.as_str() } else { base };
        self.files.push(Opened {
            path: format!("{}/{base}", folder.text),
            access,
            tree,
            whole: false,
            sure,
            in_home: folder.in_home,
        });
    }

    /// The folders above each of these, as they are written.
    fn parents(&mut self, files: &[&Word]) {
        let mut left = SOURCES_MAX;
        for path in files.iter().filter_map(|word| Path::of_word(word)) {
            let ends = path.text.match_indices('/').filter(|(at, _)| *at > 0);
            for (at, _) in ends {
                // So many are anything.
                let Some(less) = left.checked_sub(1) else {
                    return self.vague(path.text, MANY_PIECES, Access::Write, true);
                };
                left = less;
                let text = path.text.get(..at).unwrap_or_default();
                self.open(Path { text, ..path }, Access::Write, false, true);
            }
        }
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
                // Standard input, to most programs that read.
                Some("-") if access == Access::Read => {}
                Some(text) => self.push(text, access, tree, true),
                None => self.unknown(word, access, tree, true),
            }
        }
    }

    fn open(&mut self, path: Path<'_>, access: Access, tree: bool, sure: bool) {
        self.files.push(Opened {
            path: path.text.into(),
            access,
            tree,
            whole: false,
            sure,
            in_home: path.in_home,
        });
    }

    fn push(&mut self, path: &str, access: Access, tree: bool, sure: bool) {
        self.open(Path::of(path), access, tree, sure);
    }

    fn unknown(&mut self, word: &Word, access: Access, tree: bool, sure: bool) {
        if let Some(names) = word.names().filter(|_| !sure) {
            return self.pieces(names, access, tree, true);
        }
        if let Some(path) = Path::of_word(word) {
            self.open(path, access, tree, sure);
            if !sure || !word.many || word.names().is_some() {
                return;
            }
        }
        self.vague(&word.text, NOT_KNOWN, access, sure);
    }

    fn vague(&mut self, part: &str, why: &'static str, access: Access, sure: bool) {
        self.vague.push(Vague {
            part: part.into(),
            access,
            why,
            sure,
            redirected: false,
        });
    }

    /// Every part of a word that may be a path.
    fn pieces(&mut self, word: &str, access: Access, tree: bool, is_operand: bool) {
        let Some(pieces) = pieces(word) else {
            return self.vague(word, MANY_PIECES, access, false);
        };
        if word.starts_with("--files0") || word.starts_with("--files-f") {
            self.vague(word, LIST, access, false);
        }
        self.url(word, access);
        let is_option = word.starts_with('-');
        for piece in pieces {
            // Of a word that is no option the whole is walked, and a part of it is not.
            let is_whole = is_operand && piece.len() == word.len() && !is_option;
            self.push(piece, access, tree && is_whole, false);
            let bare = piece.trim_matches(['"', '\'']);
            if bare.len() < piece.len() && !bare.is_empty() {
                self.push(bare, access, false, false);
            }
        }
    }
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
            let home = if file.in_home { "~" } else { "" };
            format!("{}{tree}{sure}:{home}{}", letter(file.access), file.path)
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
            (
                "cp --backup a b",
                "a*?:a a*?:b a*:a a*:b w*:a/a w*:a/b w*:b/a w*:b/b undecided",
            ),
            ("mv -n a b", "a*:a w*:b w*:b/a placed"),
            (
                "mv -bt. a",
                "a?:t. a?:. a*?:a a*:a w*:a/a w*?:t./a w*?:./a undecided",
            ),
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
            ("rm ~/a", "w:~/a placed"),
            ("cp a ~", "r:a w:~ w:~/a placed"),
            ("rmdir -p a/b/c", "w:a/b/c w:a w:a/b placed"),
            ("cp -s a b", "a:a w:b w:b/a"),
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
            ("sed -i.bak s/x/y/ d/a", "a:d/a w:d/a.bak"),
            ("sed -i'.k/*' s/x/y/ d/a", "a:d/a w:.k/a"),
            ("sed -n 'r b' a", "r:b r:a"),
            ("diff a b", "r:a r:b r:a/a r:a/b r:b/a r:b/b"),
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
