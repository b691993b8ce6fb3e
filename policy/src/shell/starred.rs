//! Patterns with a star in a word: `git * main`, `npm run build*`, `* --version`.
//!
//! They are matched with the words of a command behind one another, each with a boundary after it.
//! For an allow the boundary is a character that no word holds, so that a blank inside a word is
//! none; for a deny or ask it is a blank, so that both are.

use smol_str::SmolStr;

use super::bearing::{Bearing, GLUED, LATER_WORD, NOT_KNOWN, OPTIONS, OTHER_PATH, TOO_LONG};
use super::pattern::ShellPattern;
use super::places::{CUTS, Places, begins};
use super::specifier::Pieces;
use super::tables::runs_no_argument;
use super::{CommandLine, UNKNOWN};
use crate::glob::{self, Glob};
use crate::rules::Effect;
use crate::tools::Platform;

/// The boundary after each word, for an allow.
const STRICT: char = '\0';
/// The boundary after each word, for a deny or ask.
const LOOSE: char = ' ';
/// What stands for words of which it is not known how many they are; they may be none, so that no
/// boundary is sure to follow.
const MANY: &str = "\u{2}";

/// What a pattern with stars is matched with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Starred {
    /// What stands in front of the first star of the first word, if there is one in it.
    pub(super) head: Option<String>,
    /// All that stands behind the first word, or behind the head.
    rest: Glob,
    /// For a deny or ask with a folder in front of the program: all of it without the folder.
    base: Option<Glob>,
    /// A word that is more than a star, with a star at its end or inside of it.
    glued: Option<String>,
}

impl Starred {
    /// The stars of these words; none if there is none.
    pub(super) fn of(
        words: &[Pieces],
        open: bool,
        effect: Effect,
        platform: Platform,
    ) -> Option<Self> {
        let is_starred = |word: &&Pieces| word.len() > 1;
        words.iter().find(is_starred)?;
        let boundary = if effect.refuses() { LOOSE } else { STRICT };
        let (first, others) = words.split_first()?;
        let head = first.first().filter(|_| first.len() > 1);
        let folds = effect.refuses() && head.is_some();
        let fold = |text: &str| match platform {
            Platform::MacOs | Platform::Windows if folds => text.to_ascii_lowercase(),
            Platform::Linux | Platform::MacOs | Platform::Windows => text.to_owned(),
        };
        let glob = |first: &[String]| {
            let mut pieces: Pieces = first.iter().map(|piece| fold(piece)).collect();
            for word in others {
                let (begin, more) = word.split_first()?;
                let last = pieces.last_mut()?;
                last.push(boundary);
                last.push_str(&fold(begin));
                pieces.extend(more.iter().map(|piece| fold(piece)));
            }
            // A star at the end covers the boundary too.
            let ends_in_star = pieces.len() > 1 && pieces.last()?.is_empty();
            if open || !ends_in_star {
                pieces.last_mut()?.push(boundary);
            }
            if open {
                pieces.push(String::new());
            }
            Some(Glob::of(pieces))
        };
        let mut behind = vec![String::new()];
        behind.extend(first.iter().skip(1).cloned());
        let base = without_folder(first).filter(|_| effect.refuses() && head.is_some());
        let is_glued = |word: &&Pieces| word.iter().any(|piece| !piece.is_empty());
        let glued = words.iter().filter(is_starred).find(is_glued);
        Some(Self {
            head: head.map(|head| fold(head)),
            rest: glob(&behind)?,
            base: base.and_then(|base| glob(&base)),
            glued: glued.map(|word| word.join("*")),
        })
    }

    /// A word that is more than a star, with a star in it.
    pub(crate) fn glued(&self) -> Option<&str> {
        self.glued.as_deref()
    }

    /// Whether a star stands in the name of the program.
    pub(crate) const fn is_of_any_program(&self) -> bool {
        self.head.is_some()
    }

    /// Whether an allow covers the command: its words as written, of which those that are not known
    /// are covered by a star alone.
    pub(super) fn allows(&self, words: &[SmolStr], line: &CommandLine) -> bool {
        let Some(first) = line.words.first().filter(|first| *first != UNKNOWN) else {
            return false;
        };
        let head = match &self.head {
            Some(head) if first.starts_with(head.as_str()) => head.as_str(),
            None if words.first() == Some(first) => first.as_str(),
            Some(_) | None => return false,
        };
        if line.shown.len() != line.words.len() {
            return false;
        }
        let mut text = String::new();
        for (word, shown) in line.words.iter().zip(&line.shown) {
            if shown.many {
                text.push_str(MANY);
                continue;
            }
            let known = word.chars();
            text.extend(known.map(|char| if char == STRICT { glob::UNKNOWN } else { char }));
            text.push(STRICT);
        }
        let rest = text.get(head.len()..);
        rest.is_some_and(|rest| self.rest.matches(rest))
    }

    /// The words that it holds, cut at stars and boundaries, with the boundaries that are theirs.
    fn fragments(&self) -> impl Iterator<Item = &str> {
        let pieces = self.rest.pieces().iter();
        let words = pieces.flat_map(|piece| piece.split_inclusive(LOOSE));
        words.filter(|word| !word.trim_ascii().is_empty())
    }

    /// Whether its words stand in order in a text, with whatever between them.
    fn stands_in(&self, text: &str) -> bool {
        if text.contains(glob::UNKNOWN) {
            return true;
        }
        let mut text = text;
        for fragment in self.fragments() {
            let Some((_, after)) = text.split_once(fragment) else {
                return false;
            };
            text = after;
        }
        true
    }
}

/// A program's name without the folder in front of it, if there is one.
fn without_folder(first: &[String]) -> Option<Pieces> {
    let at = first.iter().rposition(|piece| piece.contains('/'))?;
    let (_, name) = first.get(at)?.rsplit_once('/')?;
    let after = first.iter().skip(at.saturating_add(1)).cloned();
    Some(std::iter::once(name.to_owned()).chain(after).collect())
}

/// A command's words behind one another, for deny and ask: made once for all rules.
#[derive(Debug)]
pub(super) struct Joined {
    text: String,
    /// The same, with its program as its system finds it.
    found: String,
    /// Where each word begins.
    begins: Vec<usize>,
    has_option: bool,
}

impl Joined {
    pub(super) fn of(line: &CommandLine, program: &str, folds: bool) -> Self {
        let mut text = String::new();
        let mut begins = Vec::new();
        for (word, shown) in line.words.iter().zip(&line.shown) {
            begins.push(text.len());
            if word == UNKNOWN {
                text.push(glob::UNKNOWN);
                if shown.many {
                    continue;
                }
            } else if folds {
                text.push_str(&word.to_ascii_lowercase());
            } else {
                text.push_str(word);
            }
            text.push(LOOSE);
        }
        let mut later = line.words.iter().skip(1);
        let first = line.words.first().map_or(0, SmolStr::len);
        Self {
            has_option: later.any(|word| word.starts_with('-')),
            found: format!("{program}{}", text.get(first..).unwrap_or_default()),
            text,
            begins,
        }
    }

    /// The text from that many bytes into a word.
    fn from(&self, at: usize, within: usize) -> &str {
        let begin = self.begins.get(at).copied().unwrap_or(self.text.len());
        let begin = begin.saturating_add(within);
        self.text.get(begin..).unwrap_or_default()
    }
}

impl ShellPattern {
    /// How a deny or ask of this pattern with stars bears on a command.
    pub(super) fn bears_starred(
        &self,
        starred: &Starred,
        places: &mut Places<'_>,
    ) -> Option<Bearing> {
        let line = places.line;
        let folds = starred.head.is_some() && line.platform != Platform::Linux;
        let cost = line.weight();
        let may = |at: usize, why| {
            let part = Some(line.part(at, line.words.len()));
            Some(Bearing::MayCover { part, why })
        };
        let costs_too_much = Some(Bearing::MayCover {
            part: None,
            why: TOO_LONG,
        });
        if !places.is_whole || !places.spend(cost) {
            return costs_too_much;
        }
        let joined = places.joined(folds);
        let first = line.words.first()?;
        for (rest, is_same) in self.firsts(starred, first, &joined, places) {
            if starred.rest.matches(rest) {
                let part = line.part(0, line.words.len());
                return if is_same {
                    Some(Bearing::Covers { part })
                } else {
                    may(0, OTHER_PATH)
                };
            }
            if starred.rest.may_match(rest) {
                return may(0, NOT_KNOWN);
            }
            if joined.has_option && starred.stands_in(rest) {
                return may(0, OPTIONS);
            }
        }
        if let Some(base) = &starred.base
            && (base.matches(&joined.found) || base.may_match(&joined.found))
        {
            return may(0, OTHER_PATH);
        }
        // It may be any program.
        if first == UNKNOWN && starred.head.is_some() {
            return may(0, NOT_KNOWN);
        }
        if runs_no_argument(&places.program) {
            return None;
        }
        for (at, rest, is_glued) in self.laters(starred, &joined, places) {
            if !places.spend(cost) {
                return costs_too_much;
            }
            if starred.rest.matches(rest) {
                return may(at, LATER_WORD);
            }
            if starred.rest.may_match(rest) {
                return may(at, NOT_KNOWN);
            }
            let may_be_cut = || starred.stands_in(&rest.replace(CUTS, " "));
            if is_glued && (may_be_cut() || starred.stands_in(rest)) {
                return may(at, GLUED);
            }
            if joined.has_option && starred.stands_in(rest) {
                return may(at, OPTIONS);
            }
        }
        None
    }

    /// What stands behind the program of the command, if the pattern may be about it, and whether
    /// it is surely the same program.
    fn firsts<'j>(
        &self,
        starred: &Starred,
        first: &str,
        joined: &'j Joined,
        places: &Places<'_>,
    ) -> Vec<(&'j str, bool)> {
        let Some(head) = &starred.head else {
            if places.program != self.program {
                return Vec::new();
            }
            let named = self.words.first().map_or("", SmolStr::as_str);
            let is_same = !named.contains('/') || named == first;
            return vec![(joined.from(0, first.len()), is_same)];
        };
        // As written, and as its system finds it.
        let both = [&joined.text, &joined.found].into_iter();
        let rests = both.filter_map(|text| text.strip_prefix(head.as_str()));
        rests.map(|rest| (rest, true)).collect()
    }

    /// What stands behind each later place where the pattern's program may stand, and whether it is
    /// glued into a word there.
    fn laters<'j>(
        &self,
        starred: &Starred,
        joined: &'j Joined,
        places: &Places<'_>,
    ) -> Vec<(usize, &'j str, bool)> {
        let words = &places.line.words;
        let mut found = Vec::new();
        let Some(head) = starred.head.as_ref() else {
            for place in places.of(&self.program) {
                let length = words.get(place.at).map_or(0, SmolStr::len);
                let tail = place.glued.map_or(0, str::len);
                let rest = joined.from(place.at, length.saturating_sub(tail));
                if place.at > 0 {
                    found.push((place.at, rest, place.glued.is_some()));
                }
            }
            return found;
        };
        // A star in front of all covers what stands before its words too.
        if head.is_empty() || !joined.text.contains(head.as_str()) {
            return found;
        }
        let line = places.line;
        for (at, word) in line.words.iter().enumerate().skip(1) {
            let cuts: Vec<usize> = word.match_indices(CUTS).map(|(cut, _)| cut).collect();
            for begin in begins(word, &cuts) {
                let rest = joined.from(at, begin).strip_prefix(head.as_str());
                found.extend(rest.map(|rest| (at, rest, begin > 0)));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::places::Programs;
    use super::super::plan::Word;
    use super::*;

    fn pattern(rule: &str, effect: Effect, platform: Platform) -> ShellPattern {
        ShellPattern::parse("Bash", rule, effect, platform).expect(rule)
    }

    /// A command of these words: `?` is one that is not known, `?*` any number of such.
    fn command(words: &[&str], platform: Platform) -> CommandLine {
        let shown = words.iter().map(|word| Word {
            names: None,
            text: (*word).to_owned(),
            unknown: word.starts_with('?').then_some("it is not known"),
            many: *word == "?*",
        });
        let shown: Vec<Word> = shown.collect();
        let texts = shown.iter().map(|word| word.text().unwrap_or(UNKNOWN));
        CommandLine {
            words: texts.map(SmolStr::from).collect(),
            ..CommandLine::new(Vec::new(), platform)
        }
        .shown_as(shown)
    }

    impl CommandLine {
        fn shown_as(self, shown: Vec<Word>) -> Self {
            Self { shown, ..self }
        }
    }

    fn bearing(rule: &str, words: &[&str], platform: Platform) -> &'static str {
        let rule = pattern(rule, Effect::Deny, platform);
        let line = command(words, platform);
        let mut programs = Programs::default();
        programs.add(&rule);
        match rule.bears_on(&mut Places::find(&line, &programs, 0)) {
            None => "",
            Some(Bearing::Covers { .. }) => "covers",
            Some(Bearing::MayCover { .. }) => "may",
        }
    }

    #[test]
    fn a_star_covers_any_run_and_refusing_strips_what_hides_a_call() {
        // rule, words parted by `|`, how a deny bears on them, whether an allow covers them
        for (rule, words, bears, allows) in [
            ("git * main", "git|push|main", "covers", true),
            ("git * main", "git|push|-f|origin|main", "covers", true),
            ("git * main", "git|-c|core.pager=x|log|main", "covers", true),
            ("git * main", "git|a\nb|main", "covers", true),
            ("git * main", "git|main", "", false),
            ("git * main", "git|push|main|x", "", false),
            ("git * main", "git|push|domain", "", false),
            ("git * main *", "git|push|main", "covers", true),
            ("git * main *", "git|push|main|x", "covers", true),
            ("git * main:*", "git|push|mains", "", false),
            ("npm run build*", "npm|run|build", "covers", true),
            ("npm run build*", "npm|run|builder|x", "covers", true),
            ("npm run build*", "npm|run|rebuild", "", false),
            ("npm run build*", "npm|runs|build", "", false),
            ("* --version", "rm|-rf|--version", "covers", true),
            ("* --version", "rm|-rf", "", false),
            ("git*", "git", "covers", true),
            ("git*", "gitk|x", "covers", true),
            ("git*", "legit", "", false),
            ("echo 'a b' *c", "echo|a b|xc", "covers", true),
            // A blank inside a word is no boundary to an allow, and is one to a deny.
            ("git * main", "git|push main", "covers", false),
            ("npm run build*", "npm run|build", "", false),
            ("npm run build*", "npm|run build", "covers", false),
            // The program under another path, behind another program, glued into a word.
            ("git * main", "/usr/bin/git|push|main", "covers", false),
            ("git * main", "sudo|git|push|main", "may", false),
            ("git * main", "env|-Sgit|push|main", "may", false),
            ("git push *x", "gcc|-wrapper|git,push,x", "may", false),
            ("/bin/rm *x", "rm|ax", "may", false),
            ("/bin/r* x", "/bin/rm|x", "covers", true),
            ("/bin/r* x", "rm|x", "may", false),
            ("/bin/r* x", "/usr/bin/rm|x", "may", false),
            ("/*/rm x", "rm|x", "may", false),
            ("/bin/r* x", "cp|x", "", false),
            ("rm*", "sudo|rm|x", "may", false),
            ("rm*", "sudo|/bin/rmdir|x", "may", false),
            ("rm*", "env|-Srm|x", "may", false),
            ("rm*", "/bin/rmdir", "covers", false),
            ("rm*", "ls|form", "", false),
            ("* --version", "sudo|rm|--version", "covers", true),
            // Options between its words.
            ("git push *main", "git|-C|.|push|main", "may", false),
            ("git push *main", "sudo|git|-C|.|push|main", "may", false),
            ("git push *main", "git|stash|push|main", "", false),
            ("git push *main", "git|-C|.|pull|main", "", false),
            ("* push x", "git|push|-f|x", "may", false),
            // Programs that run nothing they are given.
            ("rm *x", "echo|rm|x", "", false),
            // Words that are not known: a star alone covers them, whatever they are.
            ("git * main", "git|?|main", "covers", true),
            ("git * main", "git|?*|main", "may", false),
            ("git * main", "git|push|?", "may", false),
            ("git * main", "git|?", "may", false),
            ("git * main", "git|log|?|x", "", false),
            ("git log*", "git|?", "may", false),
            ("git log*", "git|log|?*", "covers", true),
            ("git log*", "git|push|?", "", false),
            ("* x", "?|x", "covers", false),
            ("git*", "?|x", "may", false),
        ] {
            let words: Vec<_> = words.split('|').collect();
            let found = bearing(rule, &words, Platform::Linux);
            assert_eq!(found, bears, "{rule} on {words:?}");
            let allow = pattern(rule, Effect::Allow, Platform::Linux);
            let line = command(&words, Platform::Linux);
            assert_eq!(allow.allows(&line), allows, "{rule} on {words:?}");
        }
    }

    #[test]
    fn a_name_with_a_star_is_found_as_its_system_finds_programs() {
        for (platform, rule, words, bears) in [
            (Platform::Windows, "r*m *x", "RM.EXE|ax", "covers"),
            (Platform::MacOs, "r*", "/bin/RM|x", "covers"),
            (Platform::MacOs, "r*m x", "sudo|RM|x", "may"),
            (Platform::Windows, "rm *x", "RM.EXE|ax", "covers"),
            (Platform::Linux, "r*", "RM|x", ""),
        ] {
            let words: Vec<_> = words.split('|').collect();
            assert_eq!(bearing(rule, &words, platform), bears, "{rule} {words:?}");
        }
    }
}
