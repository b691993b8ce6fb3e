//! What a call's args say, as far as rules are about it: its strings.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use gatefold::gate::Args;
use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use smallvec::SmallVec;

use super::glob::Glob;
use super::hosts::Target;
use super::rules::RuleError;
use super::shell::{BYTES_OF_ONE, COMPARISONS_MAX};

/// The args of a call, each as it stands, by their names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields<'a>(SmallVec<[(Name<'a>, &'a RawValue); 4]>);

impl<'a> Fields<'a> {
    pub(crate) fn get(&self, field: &str) -> Option<&'a RawValue> {
        let mut fields = self.iter();
        let found = fields.find(|(name, _)| name.text() == field);
        found.map(|(_, value)| value)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Name<'a>, &'a RawValue)> {
        self.0.iter().map(|(name, value)| (name, *value))
    }
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut args: A) -> Result<Self::Value, A::Error> {
        let mut fields = Fields::default();
        // No name of args that were read stands there twice.
        while let Some(field) = args.next_entry()? {
            fields.0.push(field);
        }
        Ok(fields)
    }
}

/// The name of an arg.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl Name<'_> {
    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

/// The args of a call.
pub(crate) fn fields(args: &Args) -> Fields<'_> {
    serde_json::from_str(args.as_str()).unwrap_or_default()
}

/// An arg that is a string.
pub(crate) fn string(value: &RawValue) -> Option<Cow<'_, str>> {
    let text: Name<'_> = serde_json::from_str(value.get()).ok()?;
    Some(text.0)
}

/// A field's name in small letters and without signs.
#[derive(Clone, Debug)]
pub(crate) struct BareName(SmallVec<[u8; 32]>);

impl BareName {
    pub(crate) fn of(name: &str) -> Self {
        let mut bare = SmallVec::from_slice(name.as_bytes());
        bare.make_ascii_lowercase();
        bare.retain(|byte| !matches!(byte, b'_' | b'-'));
        Self(bare)
    }

    pub(crate) fn is_any(&self, names: &[&str]) -> bool {
        let bare = self.0.as_slice();
        names.iter().any(|name| bare == name.as_bytes())
    }

    pub(crate) fn ends_in_any(&self, ends: &[&str]) -> bool {
        let bare = self.0.as_slice();
        ends.iter().any(|end| bare.ends_with(end.as_bytes()))
    }
}

/// Whether any name of an arg or any text is of interest, at any depth. Args that cannot be looked
/// through are.
pub(crate) fn is_any(
    args: &Args,
    name: impl Fn(&str) -> bool,
    text: impl Fn(&str) -> bool,
) -> bool {
    let look = Look {
        name: &name,
        text: &text,
    };
    let mut json = serde_json::Deserializer::from_str(args.as_str());
    look.deserialize(&mut json).unwrap_or(true)
}

/// Looks through a value without keeping any of it.
struct Look<'f, N, T> {
    name: &'f N,
    text: &'f T,
}

impl<N, T> Clone for Look<'_, N, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<N, T> Copy for Look<'_, N, T> {}

impl<'de, N: Fn(&str) -> bool, T: Fn(&str) -> bool> DeserializeSeed<'de> for Look<'_, N, T> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<bool, D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de, N: Fn(&str) -> bool, T: Fn(&str) -> bool> Visitor<'de> for Look<'_, N, T> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_bool<E>(self, _: bool) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_i64<E>(self, _: i64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_u64<E>(self, _: u64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_f64<E>(self, _: f64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_str<E>(self, text: &str) -> Result<bool, E> {
        Ok((self.text)(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<bool, A::Error> {
        let mut found = false;
        while let Some(item) = items.next_element_seed(self)? {
            found |= item;
        }
        Ok(found)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut args: A) -> Result<bool, A::Error> {
        let mut found = false;
        while let Some(name) = args.next_key::<Name<'_>>()? {
            found |= (self.name)(name.text());
            found |= args.next_value_seed(self)?;
        }
        Ok(found)
    }
}

/// The strings among the args of a call; those inside lists and objects are none of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    strings: BTreeMap<String, String>,
    targets: BTreeMap<String, Target>,
    spent: usize,
}

/// How an arg stands to a rule about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    Fits,
    Differs,
    /// It is not there or no string, or there is too much to compare.
    NotKnown,
}

impl Given {
    pub(crate) fn of(args: &Args) -> Self {
        let fields = fields(args);
        let strings = fields
            .iter()
            .filter_map(|(field, raw)| Some((field.text().into(), string(raw)?.into_owned())));
        Self {
            strings: strings.collect(),
            ..Self::default()
        }
    }

    /// Reads the URL under this name.
    pub(crate) fn read_url(&mut self, field: &str) {
        if let Some(url) = self.strings.get(field) {
            self.targets.insert(field.into(), Target::of(url));
        }
    }

    /// Where the URL under this name leads, if it was read.
    pub(crate) fn target(&self, field: &str) -> &Target {
        self.targets.get(field).unwrap_or(&Target::NONE)
    }

    /// The string under this name.
    pub(crate) fn string(&self, field: &str) -> Option<&str> {
        self.strings.get(field).map(String::as_str)
    }

    /// How the arg that a rule is about stands to it.
    pub(crate) fn fit(&mut self, pattern: &ArgPattern) -> Fit {
        let Some(text) = self.strings.get(&pattern.field) else {
            return Fit::NotKnown;
        };
        let cost = text.len().div_ceil(BYTES_OF_ONE).saturating_add(1);
        self.spent = self.spent.saturating_add(cost);
        if self.spent > COMPARISONS_MAX {
            Fit::NotKnown
        } else if pattern.text.matches(text) {
            Fit::Fits
        } else {
            Fit::Differs
        }
    }
}

/// What a rule says of one arg: its name and its text, in which `*` is any run of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArgPattern {
    pub(crate) field: String,
    pub(crate) text: Glob,
}

impl ArgPattern {
    /// Reads `field:pattern`, the specifier of a rule for this tool.
    pub(crate) fn parse(tool: &str, specifier: &str) -> Result<Self, RuleError> {
        match specifier.split_once(':') {
            Some((field, text)) if !field.is_empty() && field.trim_ascii() == field => Ok(Self {
                field: field.into(),
                text: Glob::read(text),
            }),
            Some(_) | None => Err(RuleError::NoField {
                part: specifier.into(),
                nearest: tool.into(),
            }),
        }
    }
}
