//! Texts with stars: a star stands for any run of characters, newlines included.

/// What stands for a part of a text that is not known; no text that is known is matched with it.
pub(crate) const UNKNOWN: char = '\u{1}';

/// A text with stars in it, kept as what stands around them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Glob {
    /// A star stands between each two; there is at least one.
    pieces: Vec<String>,
}

impl Glob {
    /// A text in which every `*` is a star.
    pub(crate) fn read(text: &str) -> Self {
        Self {
            pieces: text.split('*').map(str::to_owned).collect(),
        }
    }

    /// A text with a star between each two pieces.
    pub(crate) const fn of(pieces: Vec<String>) -> Self {
        Self { pieces }
    }

    /// What stands around its stars.
    pub(crate) fn pieces(&self) -> &[String] {
        &self.pieces
    }

    /// Whether this is the text. The first place of a piece leaves most to the pieces behind it, so
    /// one pass over the text is enough.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let Some((first, rest)) = self.pieces.split_first() else {
            return false;
        };
        let Some(text) = text.strip_prefix(first.as_str()) else {
            return false;
        };
        let Some((last, middle)) = rest.split_last() else {
            return text.is_empty();
        };
        let Some(mut text) = text.strip_suffix(last.as_str()) else {
            return false;
        };
        for piece in middle {
            let Some((_, after)) = text.split_once(piece.as_str()) else {
                return false;
            };
            text = after;
        }
        true
    }

    /// Whether this may be the text, since a part of it is [`UNKNOWN`] and may be any text.
    pub(crate) fn may_match(&self, text: &str) -> bool {
        let (Some((head, _)), Some((_, tail))) =
            (text.split_once(UNKNOWN), text.rsplit_once(UNKNOWN))
        else {
            return false;
        };
        let (Some(first), Some(last)) = (self.pieces.first(), self.pieces.last()) else {
            return false;
        };
        let begins = head.starts_with(first.as_str()) || first.starts_with(head);
        begins && (tail.ends_with(last.as_str()) || last.ends_with(tail))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2_000, ..ProptestConfig::default() })]

        #[test]
        fn one_pass_finds_what_trying_everything_finds(glob in "[ab*]{0,7}", text in "[ab]{0,9}") {
            prop_assert_eq!(Glob::read(&glob).matches(&text), by_trying(glob.as_bytes(), text.as_bytes()));
        }

        #[test]
        fn what_a_known_text_matches_it_may_match_with_a_part_unknown(
            glob in "[ab*]{0,7}", head in "[ab]{0,4}", part in "[ab]{0,4}", tail in "[ab]{0,4}",
        ) {
            let glob = Glob::read(&glob);
            if glob.matches(&format!("{head}{part}{tail}")) {
                let may = glob.may_match(&format!("{head}{UNKNOWN}{tail}"));
                prop_assert!(may);
            }
        }
    }

    /// The meaning of a star, said in the plainest way.
    fn by_trying(glob: &[u8], text: &[u8]) -> bool {
        match (glob.split_first(), text.split_first()) {
            (None, None) => true,
            (Some((b'*', glob)), None) => by_trying(glob, text),
            (Some((b'*', after)), Some((_, rest))) => {
                by_trying(after, text) || by_trying(glob, rest)
            }
            (Some((wanted, glob)), Some((byte, text))) => wanted == byte && by_trying(glob, text),
            (None, Some(_)) | (Some(_), None) => false,
        }
    }
}
