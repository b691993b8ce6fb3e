//! Reading closed vocabularies from JSON strings.
//!
//! Derived enums would also read `{"plan": null}`, and would name the wrong word in a sentence that
//! serde composes; here a word is a string, and the sentence lists the words there are.

use gatefold::gate::{Answerer, HookKind, Mode, NoAnswer, SettledAnswer};
use serde::de::{Deserialize, Deserializer, Error};

use gatefold_policy::{Effect, Layer, Platform};

/// A word of a closed vocabulary, read from a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word<T>(pub(super) T);

/// A closed vocabulary.
pub(super) trait Vocabulary: Sized {
    /// The words there are, for a sentence.
    const LIST: &'static str;

    fn from_word(word: &str) -> Option<Self>;
}

impl<'de, T: Vocabulary> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        T::from_word(&word).map(Self).ok_or_else(|| {
            let list = T::LIST;
            D::Error::custom(format_args!("unknown word `{word}`, expected {list}"))
        })
    }
}

/// Why an ask stayed without an answer. That the task was cancelled is no answer of a resolver: it
/// is what became of asking it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoAnswerWord {
    Aborted,
    Given(NoAnswer),
}

impl NoAnswerWord {
    fn from_word(word: &str) -> Option<Self> {
        match word {
            "aborted" => Some(Self::Aborted),
            _ => NoAnswer::from_word(word).map(Self::Given),
        }
    }
}

macro_rules! vocabularies {
    ($($name:ty: $list:expr),+ $(,)?) => {
        $(impl Vocabulary for $name {
            const LIST: &'static str = $list;

            fn from_word(word: &str) -> Option<Self> {
                <$name>::from_word(word)
            }
        })+
    };
}

vocabularies! {
    Answerer: "person or delegate",
    Effect: Effect::WORDS,
    HookKind: "guard or observer",
    Layer: Layer::WORDS,
    Mode: "default, plan, accept_edits, auto, dont_ask or bypass",
    NoAnswerWord: "timeout, aborted, nobody or failed",
    Platform: Platform::WORDS,
    SettledAnswer: "yes, no or unanswered",
}
