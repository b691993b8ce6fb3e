//! One name of a pattern: characters, `?`, `*` and `[…]`, matched without backtracking further than
//! to the last star.

use std::str::Chars;

use super::{ANY_NAME, Name, fold};

/// What a name must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Char(char),
    /// `?`
    One,
    /// `*`
    Any,
    /// `[…]`
    Class {
        ranges: Vec<(char, char)>,
        negated: bool,
    },
}

/// A pattern for one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Glob {
    /// None where one name alone matches.
    tokens: Vec<Token>,
    /// That name.
    literal: Option<Name>,
    /// What every name that matches ends in.
    tail: Name,
    /// All others match too: it is a star with that behind it.
    is_tail: bool,
    folded: bool,
}

/// What a name ends in, from its last dot on.
pub(crate) fn ending(name: &str) -> Option<&str> {
    name.get(name.rfind('.')?..)
}

/// Why a text is no pattern for a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GlobFault {
    /// `[` has no `]`.
    OpenClass,
    /// A backslash ends it.
    OpenEscape,
}

impl Glob {
    /// Reads a pattern; `escapes` says whether a backslash quotes the next character.
    pub(super) fn parse(text: &str, escapes: bool) -> Result<Self, GlobFault> {
        // Most names are no patterns.
        if !text.contains(['\\', '?', '*', '[']) {
            return Ok(Self::of_name(text));
        }
        let mut tokens = Vec::new();
        let mut chars = text.chars();
        while let Some(char) = chars.next() {
            let token = match char {
                '\\' if escapes => Token::Char(chars.next().ok_or(GlobFault::OpenEscape)?),
                '?' => Token::One,
                '*' => Token::Any,
                '[' => {
                    let (class, rest) = class(chars.as_str(), escapes)?;
                    chars = rest.chars();
                    class
                }
                _ => Token::Char(char),
            };
            // Stars beside one another are one.
            if token != Token::Any || tokens.last() != Some(&Token::Any) {
                tokens.push(token);
            }
        }
        Ok(Self::of(tokens, false))
    }

    fn of(tokens: Vec<Token>, folded: bool) -> Self {
        let literal = tokens.iter().map(|token| match token {
            Token::Char(char) => Some(*char),
            Token::One | Token::Any | Token::Class { .. } => None,
        });
        let literal: Option<Name> = literal.collect();
        let tail = tokens.iter().rev().map_while(|token| match token {
            Token::Char(char) => Some(*char),
            Token::One | Token::Any | Token::Class { .. } => None,
        });
        let tail: Vec<char> = tail.collect();
        let before = tokens.len().saturating_sub(tail.len());
        Self {
            is_tail: tokens.get(..before) == Some(&[Token::Any]),
            tail: tail.into_iter().rev().collect(),
            tokens: if literal.is_some() {
                Vec::new()
            } else {
                tokens
            },
            literal,
            folded,
        }
    }

    /// This name alone.
    pub(super) fn of_name(name: &str) -> Self {
        Self {
            tokens: Vec::new(),
            literal: Some(name.into()),
            tail: Name::default(),
            is_tail: false,
            folded: false,
        }
    }

    /// Any name at all.
    pub(super) fn any() -> Self {
        Self::of(vec![Token::Any], false)
    }

    pub(super) fn is_any(&self) -> bool {
        self.tokens == [Token::Any]
    }

    /// The one name that matches.
    pub(super) fn literal(&self) -> Option<&str> {
        self.literal.as_deref()
    }

    /// What every name that matches ends in; nothing, of one name alone.
    pub(super) fn tail(&self) -> &str {
        &self.tail
    }

    /// What every name that matches ends in, from its last dot on.
    pub(super) fn ending(&self) -> Option<String> {
        if let Some(name) = &self.literal {
            return ending(name).map(str::to_owned);
        }
        ending(&self.tail).map(str::to_owned)
    }

    /// The same pattern for names that are folded.
    pub(super) fn folded(&self) -> Self {
        if let Some(name) = &self.literal {
            return Self {
                folded: true,
                ..Self::of_name(&fold(name))
            };
        }
        let mut tokens = Vec::new();
        let mut run = String::new();
        for token in &self.tokens {
            match token {
                Token::Char(char) => run.push(*char),
                Token::One | Token::Any | Token::Class { .. } => {
                    tokens.extend(fold(&run).chars().map(Token::Char));
                    run.clear();
                    tokens.push(widened(token));
                }
            }
        }
        tokens.extend(fold(&run).chars().map(Token::Char));
        Self::of(tokens, true)
    }

    pub(super) fn matches(&self, name: &str) -> bool {
        if let Some(literal) = &self.literal {
            return literal == name;
        }
        if self.is_tail || !name.ends_with(self.tail.as_str()) {
            return name.ends_with(self.tail.as_str());
        }
        let mut token = 0_usize;
        let mut rest = name.chars();
        // Behind the last star, and from the first character that it does not take yet.
        let mut star: Option<(usize, Chars<'_>)> = None;
        loop {
            let mut after = rest.clone();
            let fits = match (self.tokens.get(token), after.next()) {
                (Some(Token::Any), _) => {
                    token = token.saturating_add(1);
                    star = Some((token, rest.clone()));
                    continue;
                }
                (None, None) => return true,
                (Some(token), Some(char)) => self.fits(token, char),
                (Some(_), None) => return false,
                (None, Some(_)) => false,
            };
            if fits {
                token = token.saturating_add(1);
                rest = after;
            } else if let Some((behind, from)) = &mut star {
                from.next();
                token = *behind;
                rest = from.clone();
            } else {
                return false;
            }
        }
    }

    /// Whether it matches any name that the shell may put in place of a pattern: a name with
    /// [`ANY_NAME`] in it. A pattern that begins so matches no name with a dot in front.
    pub(super) fn meets(&self, pattern: &str) -> bool {
        if let Some(name) = &self.literal {
            let tokens = name.chars().map(Token::Char).collect();
            let spelt = Self {
                tokens,
                literal: None,
                tail: Name::default(),
                is_tail: false,
                folded: self.folded,
            };
            return spelt.meets(pattern);
        }
        let rest = pattern.trim_start_matches(ANY_NAME);
        self.meets_chars(rest, rest.len() < pattern.len())
    }

    /// All places of both at once. `open` says that any characters but a dot come first.
    fn meets_chars(&self, pattern: &str, open: bool) -> bool {
        // Who composes letters, and who does not, is not known of a pattern.
        let is_ascii = |token: &Token| !matches!(token, Token::Char(char) if !char.is_ascii());
        let others = |char: char| !char.is_ascii() && char != ANY_NAME;
        if !self.tokens.iter().all(is_ascii) || pattern.contains(others) {
            return true;
        }
        let tokens = self.tokens.len();
        let mut places = vec![false; tokens.saturating_add(1)];
        if let Some(first) = places.first_mut() {
            *first = true;
        }
        self.skip_stars(&mut places);
        if open {
            // Nothing, if no dot follows, or a character that is no dot and then anything.
            let mut from = self.step(&places, |token| *token != Token::Char('.'));
            self.reach_all(&mut from);
            let may_be_nothing = !pattern.starts_with('.');
            for (place, from) in places.iter_mut().zip(from) {
                *place = (*place && may_be_nothing) || from;
            }
        }
        for char in pattern.chars() {
            if char == ANY_NAME {
                self.reach_all(&mut places);
            } else {
                places = self.step(&places, |token| self.fits(token, char));
            }
        }
        places.last() == Some(&true)
    }

    /// The places behind one character more, of those that fit it.
    fn step(&self, places: &[bool], fits: impl Fn(&Token) -> bool) -> Vec<bool> {
        let mut next = vec![false; places.len()];
        for (at, token) in self.tokens.iter().enumerate() {
            if places.get(at) != Some(&true) || !fits(token) {
                continue;
            }
            let to = if *token == Token::Any {
                at
            } else {
                at.saturating_add(1)
            };
            if let Some(place) = next.get_mut(to) {
                *place = true;
            }
        }
        self.skip_stars(&mut next);
        next
    }

    /// A star may stand for nothing.
    fn skip_stars(&self, places: &mut [bool]) {
        for (at, token) in self.tokens.iter().enumerate() {
            if *token == Token::Any
                && places.get(at) == Some(&true)
                && let Some(next) = places.get_mut(at.saturating_add(1))
            {
                *next = true;
            }
        }
    }

    /// Whatever comes, all behind the first place may be reached.
    fn reach_all(&self, places: &mut [bool]) {
        let first = places.iter().position(|place| *place);
        for place in places.iter_mut().skip(first.unwrap_or(self.tokens.len())) {
            *place = first.is_some();
        }
    }

    fn fits(&self, token: &Token, char: char) -> bool {
        match token {
            Token::Char(own) => *own == char,
            Token::One | Token::Any => true,
            Token::Class { ranges, negated } => {
                let holds = |char: char| {
                    let within = ranges.iter().any(|(from, to)| *from <= char && char <= *to);
                    within != *negated
                };
                holds(char)
                    || self.folded
                        && (holds(char.to_ascii_uppercase()) || holds(char.to_ascii_lowercase()))
            }
        }
    }
}

/// A class for folded names: one that names more than ASCII letters may hold any character, since
/// what folds to what is not a range.
fn widened(token: &Token) -> Token {
    match token {
        Token::Class { ranges, .. } if ranges.iter().any(|(_, to)| !to.is_ascii()) => Token::One,
        Token::Class { .. } | Token::Char(_) | Token::One | Token::Any => token.clone(),
    }
}

/// The class behind a `[`, and what follows it.
fn class(text: &str, escapes: bool) -> Result<(Token, &str), GlobFault> {
    let rest = text.strip_prefix(['!', '^']);
    let negated = rest.is_some();
    let mut chars = rest.unwrap_or(text).chars();
    let mut ranges = Vec::new();
    let mut is_first = true;
    let next = |chars: &mut Chars<'_>| match chars.next() {
        Some('\\') if escapes => chars.next(),
        char => char,
    };
    loop {
        if !is_first && let Some(rest) = chars.as_str().strip_prefix(']') {
            return Ok((Token::Class { ranges, negated }, rest));
        }
        is_first = false;
        let from = next(&mut chars).ok_or(GlobFault::OpenClass)?;
        let range = chars.as_str().strip_prefix('-');
        let range = range.filter(|rest| !rest.is_empty() && !rest.starts_with(']'));
        let to = if let Some(rest) = range {
            chars = rest.chars();
            next(&mut chars).ok_or(GlobFault::OpenClass)?
        } else {
            from
        };
        ranges.push((from, to));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_for_a_name_matches_as_gitignore_says() {
        for (pattern, name, want) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("*", "", true),
            ("*", ".env", true),
            ("*.rs", "a.rs", true),
            ("*.rs", "a.rsx", false),
            ("*.rs", ".rs", true),
            ("*é", "aé", true),
            ("a*.rs", "b.rs", false),
            ("*?.rs", ".rs", false),
            ("*?.rs", "a.rs", true),
            ("*a?", "ba", false),
            ("*a?", "bac", true),
            ("ab*b", "ab", false),
            ("[.]rs", ".rs", true),
            ("a*b*c", "axxbxxbc", true),
            ("a*b*c", "axxbxx", false),
            ("a**b", "axb", true),
            ("?", "é", true),
            ("?", "", false),
            ("[ab]x", "bx", true),
            ("[!ab]x", "bx", false),
            ("[^ab]x", "cx", true),
            ("[a-c]", "b", true),
            ("[]]", "]", true),
            ("[a-]", "-", true),
            (r"\*", "*", true),
            (r"\*", "x", false),
            (r"[\]]", "]", true),
        ] {
            let glob = Glob::parse(pattern, true).expect(pattern);
            assert_eq!(glob.matches(name), want, "{pattern} on {name}");
        }
        assert_eq!(Glob::parse("[a", true), Err(GlobFault::OpenClass));
        assert_eq!(Glob::parse(r"a\", true), Err(GlobFault::OpenEscape));
    }

    #[test]
    fn a_folded_pattern_matches_whatever_a_volume_may_take_for_the_same() {
        for (pattern, name) in [
            ("SECRET", "secret"),
            ("straße*", "STRASSE.txt"),
            ("e\u{301}x", "\u{e9}X"),
            ("[A-C]x", "bX"),
            ("[!a]x", "bX"),
            ("[é]x", "Éx"),
            ("\u{212a}ey", "key"),
            ("\u{17f}ecret", "SECRET"),
        ] {
            let glob = Glob::parse(pattern, true).expect(pattern).folded();
            assert!(glob.matches(&fold(name)), "{pattern} on {name}");
        }
    }

    #[test]
    fn many_stars_cost_no_more_than_their_number_times_the_name() {
        let pattern = "*a".repeat(2_000) + "b";
        let glob = Glob::parse(&pattern, true).expect("a pattern");
        assert!(!glob.matches(&"a".repeat(4_000)));
    }
}
