//! Where the programs that rules name stand in a line: as a word of it, or glued into one.
//!
//! A line is walked once, whatever the number of rules: each word, and each piece of a word that
//! another program may cut out and run, is looked up among the programs that any rule names.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use smol_str::SmolStr;

use super::CommandLine;
use super::pattern::ShellPattern;
use super::reader::is_name;
use super::starred::Joined;
use super::tables::MESSAGES;
use crate::postings::Postings;

/// What one layer's search of one line may cost, in comparisons (2 million).
pub(crate) const COMPARISONS_MAX: usize = 2_000_000;

/// Bytes whose comparison counts as one.
pub(crate) const BYTES_OF_ONE: usize = 32;

/// By how much extensions may make a word longer than the program's name.
const EXTENSIONS_BYTES_MAX: usize = 64;

/// Behind these a program cuts a word: `--to-command=rm`, `a:rm`, `x,rm`.
pub(super) const CUTS: &[char] = &[
    '=', ':', ',', '@', '%', '+', '/', ';', '&', '|', '(', '`', '\n',
];
/// Options before a program's own command that take a value.
const VALUED: [&str; 3] = ["-C", "-c", "-R"];
/// Those behind which blanks are left out: a text of commands is parted by them.
const PARTS: &[char] = &[';', '&', '|', '(', '`', '\n'];

/// The programs that the rules of a layer search a line for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Programs {
    pub(crate) names: Postings,
    /// How many cuts there are in any of the names: `g++` has two.
    pub(crate) cuts: BTreeSet<usize>,
    pub(crate) longest: usize,
    /// There is a rule with a star in the program's name.
    pub(crate) any: bool,
}

impl Programs {
    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty() && !self.any
    }

    pub(crate) fn add(&mut self, pattern: &ShellPattern) {
        let name = &pattern.program;
        self.any |= name.is_empty();
        if name.is_empty() {
            return;
        }
        self.cuts.insert(name.matches(CUTS).count());
        self.longest = self.longest.max(name.len());
        self.names.add_words([name.as_str()]);
    }

    fn contains(&self, name: &str) -> bool {
        self.names.at([name]).is_some()
    }
}

/// Words before a program that are passed in a text of commands (8).
const PASSED_MAX: usize = 8;
const QUOTES: &[char] = &['"', '\'', '\\'];
/// Words of the shell's grammar, and programs that run the rest of their words.
const SAYS_HOW: &[&str] = &[
    "!", "(", "bash", "builtin", "command", "dash", "do", "doas", "elif", "else", "env", "exec",
    "if", "ksh", "nice", "nohup", "sh", "stdbuf", "sudo", "then", "time", "until", "while", "zsh",
    "{",
];

/// Where a program stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place<'a> {
    /// The word.
    pub(super) at: usize,
    /// If the word is more than the program's name and folder: what stands after the name.
    pub(super) glued: Option<&'a str>,
}

/// A line, searched for the programs of a layer's rules.
#[derive(Debug)]
pub(crate) struct Places<'a> {
    pub(super) line: &'a CommandLine,
    /// The program of the line itself.
    pub(super) program: Cow<'a, str>,
    /// Ascending by word.
    programs: BTreeMap<Cow<'a, str>, Vec<Place<'a>>>,
    /// Sorted, each with where it stands.
    words: Vec<(&'a str, usize)>,
    /// How many different ones these are.
    pub(crate) different: usize,
    /// The command as one text, as written and folded, once it was asked for.
    joined: [Option<Rc<Joined>>; 2],
    spent: usize,
    /// The line was searched to its end.
    pub(crate) is_whole: bool,
}

impl<'a> Places<'a> {
    /// Searches a command; `spent` is what the search of the line has cost so far.
    pub(crate) fn find(line: &'a CommandLine, programs: &Programs, spent: usize) -> Self {
        let first = line.words.first().map_or("", SmolStr::as_str);
        let mut places = Self {
            line,
            program: line.platform.program(first),
            programs: BTreeMap::new(),
            words: Vec::new(),
            different: 0,
            joined: [None, None],
            spent,
            is_whole: true,
        };
        if programs.names.is_empty() {
            return places;
        }
        places.words.reserve_exact(line.words.len());
        for (at, word) in line.words.iter().enumerate() {
            places.words.push((word, at));
            let program = line.platform.program(word);
            if programs.contains(&program) {
                places.add(program, Place { at, glued: None });
            }
            // The first word is what the line runs, all of it.
            if at > 0 && !is_message(line, at) && !places.find_glued(at, word, programs) {
                places.is_whole = false;
                break;
            }
        }
        places.words.sort_unstable();
        places.different = places.words().count();
        places
    }

    fn add(&mut self, program: Cow<'a, str>, place: Place<'a>) {
        self.programs.entry(program).or_default().push(place);
    }

    /// Looks up the program that a word runs from there on if that is a command of its own, with what
    /// it is given: behind words that only say how. False if that costs too much.
    fn find_run(
        &mut self,
        at: usize,
        word: &'a str,
        mut start: usize,
        programs: &Programs,
    ) -> bool {
        for passed in 0..PASSED_MAX {
            let rest = word.get(start..).unwrap_or_default();
            let bare = rest.trim_ascii_start();
            start = word.len().saturating_sub(bare.len());
            let most = programs.longest.saturating_add(EXTENSIONS_BYTES_MAX);
            let head = bare.as_bytes().get(..most.min(bare.len()));
            let blank = head.and_then(|head| head.iter().position(u8::is_ascii_whitespace));
            // The last word alone is looked up as a piece.
            let Some(blank) =
                blank.or_else(|| (passed > 0 && bare.len() <= most).then_some(bare.len()))
            else {
                return true;
            };
            let name = bare.get(..blank).unwrap_or_default();
            start = start.saturating_add(blank);
            if name.is_empty() {
                return true;
            }
            if !self.spend(1) {
                return false;
            }
            let plain: String = name.chars().filter(|char| !QUOTES.contains(char)).collect();
            let program = self.line.platform.program(&plain);
            if programs.contains(&program) {
                let glued = word.get(start..);
                let program = program.into_owned().into();
                self.add(program, Place { at, glued });
                return true;
            }
            let is_assignment = plain.split_once('=').is_some_and(|(name, _)| is_name(name));
            let is_option = passed > 0 && plain.starts_with('-');
            if !(is_assignment || is_option || SAYS_HOW.contains(&&*program)) {
                return true;
            }
        }
        true
    }

    /// Looks up every piece of a word. False if that costs too much.
    fn find_glued(&mut self, at: usize, word: &'a str, programs: &Programs) -> bool {
        let cuts: Vec<usize> = word.match_indices(CUTS).map(|(cut, _)| cut).collect();
        let base = word.rfind('/').map_or(0, |cut| cut.saturating_add(1));
        let mut next = 0;
        for begin in begins(word, &cuts) {
            while cuts.get(next).is_some_and(|cut| *cut < begin) {
                next = next.saturating_add(1);
            }
            let ends = cuts.iter().skip(next).copied().chain([word.len()]);
            for (within, end) in ends.enumerate() {
                let cut = word.get(end..).and_then(|rest| rest.chars().next());
                let is_wanted = programs.cuts.contains(&within);
                let piece = word.get(begin..end).unwrap_or_default();
                if within == 0 && !self.find_run(at, word, begin, programs) {
                    return false;
                }
                let is_whole = begin == base && end == word.len();
                let longest = programs.longest.saturating_add(EXTENSIONS_BYTES_MAX);
                if !self.spend(1) {
                    return false;
                }
                // What a slash follows is a folder, and no name holds a slash.
                if cut == Some('/') || piece.len() > longest || programs.cuts.last() < Some(&within)
                {
                    break;
                }
                if !is_wanted || is_whole || piece.is_empty() {
                    continue;
                }
                if !self.spend(piece.len().div_ceil(BYTES_OF_ONE)) {
                    return false;
                }
                let program = self.line.platform.fold(piece);
                if programs.contains(&program) {
                    let glued = word.get(end..);
                    self.add(program, Place { at, glued });
                }
            }
        }
        true
    }

    /// The command as one text.
    pub(super) fn joined(&mut self, folds: bool) -> Rc<Joined> {
        let [written, folded] = &mut self.joined;
        let joined = if folds { folded } else { written };
        let joined = joined.get_or_insert_with(|| {
            let joined = Joined::of(self.line, &self.program, folds);
            Rc::new(joined)
        });
        Rc::clone(joined)
    }

    /// Where this program stands.
    pub(super) fn of(&self, program: &str) -> &[Place<'a>] {
        self.programs.get(program).map_or(&[], Vec::as_slice)
    }

    /// The first place of a word from this one on.
    pub(crate) fn next(&self, word: &str, from: usize) -> Option<usize> {
        let next = self.words.partition_point(|of| *of < (word, from));
        let (of, at) = self.words.get(next)?;
        (*of == word).then_some(*at)
    }

    /// Whether that many comparisons more may be made.
    pub(crate) fn spend(&mut self, comparisons: usize) -> bool {
        let spent = self.spent.saturating_add(comparisons);
        if spent > COMPARISONS_MAX {
            return false;
        }
        self.spent = spent;
        true
    }

    /// Goes on from what the search of the line has cost so far.
    pub(crate) const fn resume(&mut self, spent: usize) {
        self.spent = spent;
    }

    /// Its words, each once: a search for each, however often it stands there.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        let mut rest = self.words.as_slice();
        std::iter::from_fn(move || {
            let (word, _) = *rest.first()?;
            let same = rest.partition_point(|(of, _)| *of <= word);
            rest = rest.get(same..).unwrap_or_default();
            Some(word)
        })
    }

    /// Whether it is not known that the line runs it.
    pub(crate) const fn is_perhaps(&self) -> bool {
        self.line.perhaps
    }

    /// Whether it holds a word that is not known.
    pub(crate) fn has_unknown(&self) -> bool {
        self.next(super::UNKNOWN, 0).is_some()
    }

    /// Whether this program stands in it as a part of a word.
    pub(crate) fn is_glued(&self, program: &str) -> bool {
        self.of(program).iter().any(|place| place.glued.is_some())
    }

    /// The programs of the rules that stand in it.
    pub(crate) fn programs(&self) -> impl Iterator<Item = &Cow<'a, str>> {
        std::iter::once(&self.program).chain(self.programs.keys())
    }

    /// What the search of the line has cost so far.
    pub(crate) const fn spent(&self) -> usize {
        self.spent
    }
}

/// Whether a word is a text for people.
fn is_message(line: &CommandLine, at: usize) -> bool {
    let Some((program, words)) = line.words.split_first() else {
        return false;
    };
    let mut rest = words.iter().map(SmolStr::as_str);
    let command = loop {
        match rest.next() {
            Some(option) if VALUED.contains(&option) => {
                rest.next();
            }
            Some(option) if option.starts_with('-') => {}
            command => break command,
        }
    };
    let before = at.checked_sub(1).and_then(|at| line.words.get(at));
    let word = line.words.get(at).map_or("", SmolStr::as_str);
    let long = word.split_once('=').map(|(name, _)| name);
    let is_short = |text: &str| {
        let letters = text.strip_prefix('-').unwrap_or_default();
        letters.ends_with('m') && letters.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    MESSAGES.iter().any(|(name, commands, options)| {
        let is_option = |text: &str| options.contains(&text) || is_short(text);
        name == program
            && command.is_some_and(|command| commands.contains(&command))
            && (before.is_some_and(|before| is_option(before)) || long.is_some_and(is_option))
    })
}

/// Where a piece of a word may begin: at the word, behind each cut, and behind each letter of
/// options with one dash, since the last of them may take the rest as its value (`-Srm`, `-iSrm`).
pub(super) fn begins<'a>(word: &'a str, cuts: &'a [usize]) -> impl Iterator<Item = usize> + 'a {
    let heads = std::iter::once(0).chain(cuts.iter().map(|cut| cut.saturating_add(1)));
    heads.enumerate().flat_map(|(piece, head)| {
        let end = cuts.get(piece).copied().unwrap_or(word.len());
        let before = head.checked_sub(1).and_then(|at| word.get(at..));
        let parts = head == 0 || before.is_some_and(|before| before.starts_with(PARTS));
        let blanks = word.get(head..end).map_or(0, |piece| {
            let bare = piece.trim_start_matches([' ', '\t']);
            piece.len().saturating_sub(bare.len())
        });
        let head = if parts {
            head.saturating_add(blanks)
        } else {
            head
        };
        let is_options = word
            .get(head..end)
            .and_then(|piece| piece.strip_prefix('-'))
            .is_some_and(|letters| !letters.starts_with('-'));
        let letters = if is_options {
            head.saturating_add(2)..end
        } else {
            end..end
        };
        std::iter::once(head).chain(letters)
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::tools::Platform;
    use super::super::pattern::pattern;
    use super::*;

    #[test]
    fn pieces_begin_where_a_program_may_cut() {
        for (word, want) in [
            ("rm", &["rm"][..]),
            ("-Srm", &["-Srm", "rm", "m"]),
            ("--rm", &["--rm"]),
            ("-", &["-"]),
            ("x=-ab", &["x=-ab", "-ab", "b"]),
            ("a:b,c", &["a:b,c", "b,c", "c"]),
            ("a/", &["a/", ""]),
        ] {
            let cuts: Vec<_> = word.match_indices(CUTS).map(|(cut, _)| cut).collect();
            let pieces = begins(word, &cuts).filter_map(|begin| word.get(begin..));
            let pieces: Vec<_> = pieces.collect();
            assert_eq!(pieces, want, "{word}");
        }
    }

    #[test]
    fn a_program_is_found_as_a_word_and_glued_into_one() {
        for (rule, word, want) in [
            ("rm", "rm", Some(None)),
            ("rm", "/bin/rm", Some(None)),
            ("rm", "-Srm", Some(Some(""))),
            ("rm", "-iSrm", Some(Some(""))),
            ("rm", "--to-command=rm", Some(Some(""))),
            ("rm", "--to-command=/bin/rm", Some(None)),
            ("rm", "/bin/rm,x", Some(Some(",x"))),
            ("rm", "rm:x", Some(Some(":x"))),
            ("rm", "x=-crm", Some(Some(""))),
            ("rm", "--rm", None),
            ("rm", "form", None),
            ("rm", "rmdir", None),
            ("rm", "/home/rm/x", None),
            ("g++", "CXX=g++", Some(Some(""))),
            ("g++", "CXX=g++,x", Some(Some(",x"))),
            ("g++", "CXX=/bin/g++", Some(None)),
            ("g++", "CXX=g+", None),
            ("/bin/rm", "x=rm", Some(Some(""))),
        ] {
            let pattern = pattern(rule, Platform::Linux);
            let mut programs = Programs::default();
            programs.add(&pattern);
            let words = vec!["x".to_owned(), word.to_owned()];
            let line = CommandLine::new(words, Platform::Linux);
            let places = Places::find(&line, &programs, 0);
            let found = places.of(&pattern.program).first().copied();
            let want = want.map(|glued| Place { at: 1, glued });
            assert_eq!(found, want, "{rule} in {word}");
        }
    }

    #[test]
    fn each_word_of_a_command_is_told_once_and_found_from_any_place_on() {
        let words: Vec<String> = "p b a b a ab b".split(' ').map(str::to_owned).collect();
        let line = CommandLine::new(words, Platform::Linux);
        let mut programs = Programs::default();
        programs.add(&pattern("p", Platform::Linux));
        let places = Places::find(&line, &programs, 0);
        assert_eq!(places.words().collect::<Vec<_>>(), ["a", "ab", "b", "p"]);
        assert_eq!(places.different, 4);
        for (word, from, want) in [
            ("b", 0, Some(1)),
            ("b", 2, Some(3)),
            ("b", 4, Some(6)),
            ("b", 7, None),
            ("a", 5, None),
            ("c", 0, None),
        ] {
            assert_eq!(places.next(word, from), want, "{word} from {from}");
        }
    }
}
