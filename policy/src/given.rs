//! What a call's args say, as far as rules are about it: its strings.

use std::borrow::{Borrow, Cow};
use std::collections::BTreeMap;

use gatefold::gate::Args;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::glob::Glob;
use super::hosts::Target;
use super::rules::RuleError;
use super::shell::{BYTES_OF_ONE, COMPARISONS_MAX};

/// The args of a call, each as it stands.
pub(crate) type Fields<'a> = BTreeMap<Name<'a>, &'a RawValue>;

/// The name of an arg.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(crate) struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl Name<'_> {
    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Name<'_> {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// The args of a call.
pub(crate) fn fields(args: &Args) -> Fields<'_> {
    serde_json::from_str(args.as_str()).unwrap_or_default()
}

/// Whether a field's name is one of these, which are in small letters and without signs.
pub(crate) fn is_named(name: &str, names: &[&str]) -> bool {
    let bare = name.bytes().filter(|byte| !matches!(byte, b'_' | b'-'));
    let bare = bare.map(|byte| byte.to_ascii_lowercase());
    names.iter().any(|name| name.bytes().eq(bare.clone()))
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
        let strings = fields(args).into_iter().filter_map(|(field, raw)| {
            let string = serde_json::from_str(raw.get()).ok()?;
            Some((field.0.into_owned(), string))
        });
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
