//! How a deny or ask bears on a line.

use smol_str::SmolStr;

use super::pattern::ShellPattern;
use super::places::{Place, Places};
use super::tables::runs_no_argument;
use super::{CommandLine, UNKNOWN};

pub(super) const OTHER_PATH: &str =
    "a program of the same name under another path may be the same program";
pub(super) const LATER_WORD: &str = "it stands at a later word, where another program may run it";
pub(super) const GLUED: &str = "it is a part of a later word, which another program may run";
pub(super) const OPTIONS: &str = "options stand between its words, where the program may take them";
pub(super) const NOT_KNOWN: &str =
    "a word is not known before the call is made, and may be of the rule";
pub(super) const TOO_LONG: &str = "so many rules over so long a line are not compared to the end";

/// How a deny or ask bears on a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Bearing {
    /// It is about what the line runs.
    Covers { part: String },
    /// It is about what the line may run, by way of another program or in other words.
    MayCover {
        part: Option<String>,
        why: &'static str,
    },
}

impl ShellPattern {
    /// How a deny or ask of this pattern bears on the line: at its first word, at a later one
    /// (which a carrier such as `sudo` may run), with options between its words, or not at all.
    pub(crate) fn bears_on(&self, places: &mut Places<'_>) -> Option<Bearing> {
        if let Some(starred) = &self.starred {
            return self.bears_starred(starred, places);
        }
        let line = places.line;
        let (first, rest) = self.words.split_first()?;
        let is_first = places.program == self.program;
        if is_first && self.follows(rest, 0, line) {
            let part = line.part(0, rest.len());
            let is_same = !first.contains('/') || line.words.first() == Some(first);
            return Some(if is_same {
                Bearing::Covers { part }
            } else {
                Bearing::MayCover {
                    part: Some(part),
                    why: OTHER_PATH,
                }
            });
        }
        if let Some(at) = Self::may_follow(rest, 0, places).filter(|_| is_first) {
            return Some(Bearing::MayCover {
                part: Some(line.part(0, at)),
                why: NOT_KNOWN,
            });
        }
        if runs_no_argument(&places.program) {
            return None;
        }
        let costs_too_much = Bearing::MayCover {
            part: None,
            why: TOO_LONG,
        };
        if !places.is_whole {
            return Some(costs_too_much);
        }
        let from = places.of(&self.program).first()?.at;
        // Words that do not follow in order anywhere follow at no place.
        let stand = self
            .in_order(rest, from.saturating_add(1), places)
            .is_some();
        for index in 0.. {
            let place = *places.of(&self.program).get(index)?;
            if !places.spend(rest.len().saturating_add(1)) {
                return Some(costs_too_much);
            }
            if let Some((last, why)) = self.may_stand_at(place, rest, stand, places) {
                let more = last.saturating_sub(place.at);
                if !places.spend(more) {
                    return Some(costs_too_much);
                }
                let part = line.part(place.at, more);
                return Some(Bearing::MayCover {
                    part: Some(part),
                    why,
                });
            }
        }
        None
    }

    /// Whether the line may run this pattern from this place on: the last word of it, and why.
    fn may_stand_at(
        &self,
        place: Place<'_>,
        rest: &[SmolStr],
        stand: bool,
        places: &Places<'_>,
    ) -> Option<(usize, &'static str)> {
        let Place { at, glued } = place;
        if glued.is_some_and(|tail| is_glued_on(tail, rest)) {
            return Some((at, GLUED));
        }
        if let Some(last) = Self::may_follow(rest, at, places) {
            return Some((last, NOT_KNOWN));
        }
        if !stand {
            return None;
        }
        if self.follows(rest, at, places.line) {
            let why = if glued.is_some() { GLUED } else { LATER_WORD };
            return Some((at.saturating_add(rest.len()), why));
        }
        let last = self.follows_options(rest, at, places)?;
        Some((last, OPTIONS))
    }

    /// Whether the words after the first stand after this place, and nothing else if exact.
    fn follows(&self, rest: &[SmolStr], at: usize, line: &CommandLine) -> bool {
        let after = line.words.get(at.saturating_add(1)..).unwrap_or_default();
        if self.open {
            after.starts_with(rest)
        } else {
            after == rest
        }
    }

    /// Whether the words after the first may stand after this place, since one that is there is
    /// not known: the place of that one.
    fn may_follow(rest: &[SmolStr], at: usize, places: &Places<'_>) -> Option<usize> {
        let words = places.line.words.iter().enumerate();
        let mut rest = rest.iter();
        for (at, word) in words.skip(at.saturating_add(1)) {
            if word == UNKNOWN {
                return Some(at);
            }
            if word.starts_with('-') {
                return places.next(UNKNOWN, at);
            }
            if rest.next() != Some(word) {
                return None;
            }
        }
        None
    }

    /// Whether the words after the first stand in order after this place, with a first gap that
    /// begins with an option: what follows an option may be its value, so from there on all that
    /// counts is their order. The place of the last.
    fn follows_options(&self, rest: &[SmolStr], at: usize, places: &Places<'_>) -> Option<usize> {
        let after = places
            .line
            .words
            .iter()
            .enumerate()
            .skip(at.saturating_add(1));
        let mut left = rest;
        for (at, word) in after {
            if word.starts_with('-') {
                return self.in_order(left, at, places);
            }
            let (next, others) = left.split_first()?;
            if word != next {
                return None;
            }
            left = others;
        }
        None
    }

    /// Whether these words stand in order from this place on, the last at the end if exact. The
    /// place of the last.
    fn in_order(&self, rest: &[SmolStr], from: usize, places: &Places<'_>) -> Option<usize> {
        let end = places.line.words.len().saturating_sub(1);
        let Some((last, others)) = rest.split_last() else {
            return (self.open || from > end).then_some(from.saturating_sub(1));
        };
        let mut from = from;
        for word in others {
            from = places.next(word, from)?.saturating_add(1);
        }
        if self.open {
            places.next(last, from)
        } else {
            (places.line.words.last() == Some(last) && from <= end).then_some(end)
        }
    }
}

/// Whether what stands after a program in its own word is the rest of a pattern, cut as the word
/// is (`git,push`). A pattern of the program alone is there, whatever follows.
fn is_glued_on(mut tail: &str, rest: &[SmolStr]) -> bool {
    if rest.is_empty() {
        return !tail.is_empty();
    }
    for word in rest {
        let mut chars = tail.chars();
        if chars.next().is_none() {
            return false;
        }
        match chars.as_str().strip_prefix(word.as_str()) {
            Some(after) => tail = after,
            None => return false,
        }
    }
    !tail.starts_with(|char: char| char.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::super::super::tools::Platform;
    use super::super::pattern::pattern;
    use super::super::places::{COMPARISONS_MAX, Programs};
    use super::*;

    fn line(text: &str, platform: Platform) -> CommandLine {
        CommandLine::new(text.split(' ').map(str::to_owned).collect(), platform)
    }

    fn bearing(rule: &ShellPattern, line: &CommandLine) -> &'static str {
        let mut programs = Programs::default();
        programs.add(rule);
        match rule.bears_on(&mut Places::find(line, &programs, 0)) {
            None => "",
            Some(Bearing::Covers { .. }) => "covers",
            Some(Bearing::MayCover { .. }) => "may",
        }
    }

    #[test]
    fn refusing_strips_what_hides_a_call_and_allowing_strips_nothing() {
        // rule, line, how a deny bears on it (at its first word, or in another way), whether an
        // allow covers it
        for (rule, text, bears, allows) in [
            ("git status", "git status", "covers", true),
            ("git status", "git status -s", "", false),
            ("git status", "git", "", false),
            ("git log:*", "git log", "covers", true),
            ("git log *", "git log", "covers", true),
            ("git log *", "git log -3 a", "covers", true),
            ("git log *", "git logs", "", false),
            ("git:*", "git", "covers", true),
            ("rm *", "/bin/rm x", "covers", false),
            ("rm *", "./rm x", "covers", false),
            ("rm *", "RM x", "", false),
            ("rm *", "sudo rm x", "may", false),
            ("rm *", "sudo /bin/rm x", "may", false),
            ("rm *", "rm rm", "covers", true),
            ("rm x", "rm rm x", "may", false),
            ("rm x", "sudo rm x y", "", false),
            ("/bin/rm *", "/bin/rm x", "covers", true),
            ("/bin/rm *", "rm x", "may", false),
            ("/bin/rm *", "/usr/bin/rm x", "may", false),
            ("/bin/rm *", "sudo /bin/rm x", "may", false),
            ("rm -rf /:*", "rm -rf /", "covers", true),
            ("rm -rf /:*", "rm -rf /etc", "", false),
        ] {
            assert_bears(rule, text, bears, allows);
        }
    }

    #[test]
    fn a_program_glued_into_a_later_word_may_be_run_from_there() {
        for (rule, text, bears, allows) in [
            ("rm *", "env -Srm x", "may", false),
            ("rm *", "env -iSrm x", "may", false),
            ("rm *", "sh -crm", "may", false),
            ("rm *", "tar xf a --to-command=rm", "may", false),
            ("rm *", "ssh -oProxyCommand=rm h", "may", false),
            ("rm *", "make x=rm", "may", false),
            ("rm *", "do a:rm", "may", false),
            ("rm *", "do /bin/rm,x", "may", false),
            ("rm *", "do @rm %rm", "may", false),
            ("rm", "env -Srm", "may", false),
            ("rm x", "env -Srm x", "may", false),
            ("rm x", "env -Srm y", "", false),
            ("git push *", "env -Sgit push", "may", false),
            ("git push *", "env -Sgit -C . push", "may", false),
            ("git push *", "gcc -wrapper git,push", "may", false),
            ("git push *", "gcc -wrapper git,pushes", "", false),
            ("git push *", "cat /home/git/push", "", false),
            ("rm *", "docker run --rm x", "", false),
            ("rm *", "cat form", "", false),
            ("rm *", "ls /home/rm/x", "", false),
        ] {
            assert_bears(rule, text, bears, allows);
        }
    }

    #[test]
    fn options_between_the_words_of_a_rule_do_not_hide_them() {
        for (rule, text, bears, allows) in [
            ("git push *", "git -C . push", "may", false),
            ("git push *", "git -c a=b -C . push origin", "may", false),
            ("git push *", "git --no-pager push", "may", false),
            ("git push *", "sudo git -C . push", "may", false),
            ("git push *", "/usr/bin/git -C . push", "may", false),
            ("git push", "git -C . push", "may", false),
            ("git push", "git -C . push x", "", false),
            ("git push *", "git stash push", "", false),
            ("git push *", "git commit -m push", "", false),
            ("git push *", "git -C . pull", "", false),
            (
                "docker compose up *",
                "docker compose -f x up",
                "may",
                false,
            ),
            (
                "docker compose up *",
                "docker -H x compose -f x up",
                "may",
                false,
            ),
            ("rm -rf *", "rm -v -rf x", "may", false),
            ("rm -f x y *", "rm -f x z -f x y", "may", false),
        ] {
            assert_bears(rule, text, bears, allows);
        }
    }

    /// How a deny of this rule bears on a line, and whether an allow of it covers it.
    fn assert_bears(rule: &str, text: &str, bears: &str, allows: bool) {
        let pattern = pattern(rule, Platform::Linux);
        let line = line(text, Platform::Linux);
        assert_eq!(bearing(&pattern, &line), bears, "{rule} on {text}");
        assert_eq!(pattern.allows(&line), allows, "{rule} on {text}");
    }

    #[test]
    fn a_program_is_found_under_the_names_that_its_system_gives_it() {
        for (platform, rule, text, bears) in [
            (Platform::Windows, "rm *", "RM.EXE x", "covers"),
            (Platform::Windows, "rm *", "rm.cmd x", "covers"),
            (Platform::Windows, "rm *", "C:rm.bat x", "covers"),
            (Platform::Windows, "rm.com *", "rm. x", "covers"),
            (Platform::Windows, "rm *", "cmd -crm.exe", "may"),
            (Platform::Windows, "rm *", "do x=Rm.Exe,y", "may"),
            (Platform::MacOs, "rm *", "/bin/RM x", "covers"),
            (Platform::MacOs, "rm *", "env -SRM x", "may"),
            (Platform::Linux, "rm *", "rm.exe x", ""),
        ] {
            let pattern = pattern(rule, platform);
            let line = line(text, platform);
            assert_eq!(bearing(&pattern, &line), bears, "{rule} on {text}");
        }
    }

    /// What a layer of such rules spends on such a line, and how many of them bear on it.
    fn cost(rules: impl Iterator<Item = String>, text: &str) -> (usize, usize) {
        let line = line(text, Platform::Linux);
        let rules: Vec<_> = rules.map(|rule| pattern(&rule, Platform::Linux)).collect();
        let mut programs = Programs::default();
        for rule in &rules {
            programs.add(rule);
        }
        let mut places = Places::find(&line, &programs, 0);
        let bear = rules.iter().filter_map(|rule| rule.bears_on(&mut places));
        let bear = bear.count();
        (places.spent(), bear)
    }

    #[test]
    fn comparing_many_rules_with_a_long_line_is_bounded() {
        const RULES: usize = 100_000;
        let long = "p ".repeat(20_999) + "q";
        let rules = |rule: fn(usize) -> String| (0..RULES).map(rule);
        // A rule whose program is nowhere, or whose other words are nowhere, costs next to nothing.
        let (spent, bear) = cost(rules(|rule| format!("p{rule} *")), &long);
        assert!(spent <= 2 * long.len() && bear == 0, "{spent}, {bear}");
        let (spent, bear) = cost(rules(|rule| format!("q p{rule} *")), &long);
        assert!(
            spent <= 2 * long.len() + 4 * RULES && bear == 0,
            "{spent}, {bear}"
        );
        // What would cost too much is not compared to the end: those rules may bear on the line.
        let (spent, bear) = cost(rules(|_| "p p q p *".into()), &long);
        assert!(spent <= COMPARISONS_MAX, "{spent}");
        assert!(bear <= RULES, "{bear}");
        let (spent, bear) = cost(
            rules(|rule| format!("p q {rule} *")),
            "p q ".repeat(10_500).trim_ascii_end(),
        );
        assert!(spent <= COMPARISONS_MAX, "{spent}");
        assert!(bear <= RULES, "{bear}");
        let apart = format!("p -x {}q", "p ".repeat(20_999));
        let (spent, bear) = cost(rules(|_| "p q *".into()), &apart);
        assert!(spent <= COMPARISONS_MAX && bear == RULES, "{spent}, {bear}");
        let many = "p,z ".repeat(16_000) + "q";
        let (spent, bear) = cost(rules(|_| "p q p *".into()), &many);
        assert!(spent <= COMPARISONS_MAX && bear > 0, "{spent}, {bear}");
        let letters = format!("x -{}", "a".repeat(60_000));
        let (spent, bear) = cost((1..1_000).map(|length| "a".repeat(4 * length)), &letters);
        assert!(spent <= COMPARISONS_MAX && bear > 0, "{spent}, {bear}");
    }
}
