//! The shapes of conditions: what may stand beside what.

use schemars::Schema;
use serde_json::{Map, Value, json};

/// What holds of the fields of an object; of those that are not named, anything.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Fields {
    fits: Map<String, Value>,
    required: Vec<String>,
}

impl Fields {
    /// The field stands there and is one of these words.
    pub(super) fn is(field: &str, words: &[&str]) -> Self {
        Self::default().and_is(field, words)
    }

    /// The field stands there and fits this.
    pub(super) fn with(field: &str, fits: impl Into<Value>) -> Self {
        Self::default().and_with(field, fits)
    }

    /// All of these fields stand there.
    pub(super) fn present(fields: &[&str]) -> Self {
        Self::default().and_present(fields)
    }

    /// None of these fields stands there.
    pub(super) fn absent(fields: &[&str]) -> Self {
        Self::default().and_absent(fields)
    }

    /// None of these fields stands there but as a null.
    pub(super) fn null(fields: &[&str]) -> Self {
        Self::default().and_null(fields)
    }

    pub(super) fn and_is(self, field: &str, words: &[&str]) -> Self {
        self.and_with(field, one_of(words))
    }

    pub(super) fn and_with(self, field: &str, fits: impl Into<Value>) -> Self {
        self.and_fits(field, fits).and_present(&[field])
    }

    /// If the field stands there, it fits this.
    pub(super) fn and_fits(mut self, field: &str, fits: impl Into<Value>) -> Self {
        self.fits.insert(field.to_owned(), fits.into());
        self
    }

    pub(super) fn and_present(mut self, fields: &[&str]) -> Self {
        self.required
            .extend(fields.iter().map(|field| (*field).to_owned()));
        self
    }

    pub(super) fn and_absent(self, fields: &[&str]) -> Self {
        fields
            .iter()
            .fold(self, |all, field| all.and_fits(field, false))
    }

    pub(super) fn and_null(self, fields: &[&str]) -> Self {
        let null = json!({ "type": "null" });
        fields
            .iter()
            .fold(self, |all, field| all.and_fits(field, null.clone()))
    }
}

impl From<Fields> for Value {
    fn from(Fields { fits, required }: Fields) -> Self {
        let mut shape = Map::new();
        if !fits.is_empty() {
            shape.insert("properties".to_owned(), fits.into());
        }
        if !required.is_empty() {
            shape.insert("required".to_owned(), required.into());
        }
        shape.into()
    }
}

/// One of these words.
pub(super) fn one_of(words: &[&str]) -> Value {
    match words {
        [word] => json!({ "const": word }),
        words => json!({ "enum": words }),
    }
}

/// Adds conditions that all hold.
pub(super) fn all_of(schema: &mut Schema, conditions: Vec<Value>) {
    schema.insert("allOf".to_owned(), conditions.into());
}

/// Where the first holds, the second does too.
pub(super) fn when(holds: Fields, then: Fields) -> Value {
    json!({ "if": Value::from(holds), "then": Value::from(then) })
}

/// Where the first does not hold, the second does.
pub(super) fn unless(holds: Fields, then: Fields) -> Value {
    json!({ "if": Value::from(holds), "else": Value::from(then) })
}

/// Where the first holds, the second does too; where it does not, the third does.
pub(super) fn when_else(holds: Fields, then: Fields, otherwise: Fields) -> Value {
    json!({ "if": Value::from(holds), "then": Value::from(then), "else": Value::from(otherwise) })
}
