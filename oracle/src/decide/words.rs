//! Closed vocabularies: read from JSON strings, listed in sentences and in JSON Schemas.
//!
//! Derived enums would also read `{"plan": null}`, and would name the wrong word in a sentence that
//! serde composes; here a word is a string, and the sentence lists the words there are.

use std::borrow::Cow;

use gatefold::gate::{
    AllowedBy, Answerer, AskOrigin, Audience, Cause, ClassifierCause, CopyProgram, DeniedBy,
    HookDecision, HookKind, Mode, NoAnswer, NoticeWord, RefusingMode, ReleasingMode, SettledAnswer,
    SettledBy, Station, Unanswered, Verdict,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use gatefold_policy::{Effect, Layer, Platform};

/// A word of a closed vocabulary, read from a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word<T>(pub(crate) T);

/// A closed vocabulary.
pub(crate) trait Vocabulary: Sized {
    /// Every word that is read, with what it means.
    fn spellings() -> impl Iterator<Item = (&'static str, Self)>;

    /// What the word means, if it is one.
    fn from_word(word: &str) -> Option<Self> {
        Self::spellings().find_map(|(spelling, value)| (spelling == word).then_some(value))
    }

    /// The words there are, for a sentence.
    fn list() -> String {
        in_a_sentence(&words::<Self>())
    }
}

/// Every word of a vocabulary.
fn words<T: Vocabulary>() -> Vec<&'static str> {
    T::spellings().map(|(word, _)| word).collect()
}

fn in_a_sentence(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

impl<'de, T: Vocabulary> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        T::from_word(&word).map(Self).ok_or_else(|| {
            let list = T::list();
            D::Error::custom(format_args!("unknown word `{word}`, expected {list}"))
        })
    }
}

/// As the first of its spellings.
impl<T: Vocabulary + PartialEq> Serialize for Word<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut spellings = T::spellings();
        let word = spellings.find_map(|(word, value)| (value == self.0).then_some(word));
        word.serialize(serializer)
    }
}

impl<T: Vocabulary> JsonSchema for Word<T> {
    fn schema_name() -> Cow<'static, str> {
        "Word".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": words::<T>() })
    }
}

/// Why an ask stayed without an answer. That the task was cancelled is no answer of a resolver: it
/// is what became of asking it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoAnswerWord {
    Aborted,
    Given(NoAnswer),
}

impl Vocabulary for NoAnswerWord {
    fn spellings() -> impl Iterator<Item = (&'static str, Self)> {
        Unanswered::ALL.iter().filter_map(|why| {
            let meant = if *why == Unanswered::Aborted {
                Some(Self::Aborted)
            } else {
                NoAnswer::from_word(why.word()).map(Self::Given)
            };
            Some((why.word(), meant?))
        })
    }
}

/// What a hook may decide. That its answer is out of contract is not among it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HookSays(pub(crate) HookDecision);

impl Vocabulary for HookSays {
    fn spellings() -> impl Iterator<Item = (&'static str, Self)> {
        let decisions = HookDecision::ALL.iter();
        let sayable = decisions.filter(|decision| **decision != HookDecision::OutOfContract);
        sayable.map(|decision| (decision.word(), Self(*decision)))
    }
}

/// How asking a hook failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HookFailure {
    Threw,
    TimedOut,
    Aborted,
}

impl Vocabulary for HookFailure {
    fn spellings() -> impl Iterator<Item = (&'static str, Self)> {
        let words = ["threw", "timed_out", "aborted"];
        words
            .into_iter()
            .zip([Self::Threw, Self::TimedOut, Self::Aborted])
    }
}

/// A cause that objects, and so may stand among the askers of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Objection(pub(crate) Cause);

impl Vocabulary for Objection {
    fn spellings() -> impl Iterator<Item = (&'static str, Self)> {
        let causes = Cause::ALL.iter().filter(|cause| cause.objects());
        causes.map(|cause| (cause.word(), Self(*cause)))
    }
}

impl Vocabulary for Layer {
    fn spellings() -> impl Iterator<Item = (&'static str, Self)> {
        Self::SPELLINGS.iter().copied()
    }
}

impl Vocabulary for Platform {
    fn spellings() -> impl Iterator<Item = (&'static str, Self)> {
        Self::SPELLINGS.iter().copied()
    }

    /// Without the synonyms.
    fn list() -> String {
        Self::WORDS.to_owned()
    }
}

macro_rules! vocabularies {
    ($($name:ident),+ $(,)?) => {
        $(impl Vocabulary for $name {
            fn spellings() -> impl Iterator<Item = (&'static str, Self)> {
                Self::ALL.iter().map(|value| (value.word(), *value))
            }
        })+
    };
}

vocabularies! {
    AllowedBy, Answerer, AskOrigin, Audience, ClassifierCause, CopyProgram, DeniedBy, Effect, HookKind,
    Mode, NoticeWord, RefusingMode, ReleasingMode, SettledAnswer, SettledBy, Station, Unanswered,
    Verdict,
}
