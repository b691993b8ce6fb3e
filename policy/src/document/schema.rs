//! The JSON Schema of a document.

use gatefold::gate::{Mode, Unstated};
use gatefold::limits::{ARGS_BYTES_MAX, DENIAL_LIMIT_DEFAULT, EDIT_CAP_DEFAULT};
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::wire::DocumentFile;
use crate::modes;
use crate::shell::LINE_BYTES_MAX;
use crate::tools::KINDS;

/// The JSON Schema of a policy document.
pub fn schema() -> Schema {
    let mut schema = schemars::schema_for!(DocumentFile);
    // A key that may be left out has no value then, and null is none that it takes.
    let mut no_null = RecursiveTransform(|schema: &mut Schema| {
        if schema
            .get("default")
            .is_some_and(serde_json::Value::is_null)
        {
            schema.remove("default");
        }
    });
    no_null.transform(&mut schema);
    schema
}

/// A word; which, the field says.
pub(super) type Word = String;

/// Any value.
pub(super) type Anything = serde_json::Value;

pub(super) fn modes() -> Vec<&'static str> {
    Mode::ALL.iter().map(|mode| mode.word()).collect()
}

/// A mode in which more runs than in `default`.
pub(super) struct LooserMode;

impl JsonSchema for LooserMode {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        stringify!(LooserMode).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let modes: Vec<_> = modes::looser().map(Mode::word).collect();
        json_schema!({ "type": "string", "enum": modes })
    }
}

pub(super) fn unstated() -> Vec<&'static str> {
    Unstated::ALL.iter().map(|word| word.word()).collect()
}

pub(super) fn kinds() -> Vec<&'static str> {
    KINDS.iter().map(|(word, _)| *word).collect()
}

macro_rules! limits {
    ($($name:ident: $most:expr;)+) => {
        $(
            /// A limit that may only be lowered.
            pub(super) struct $name;

            impl JsonSchema for $name {
                fn schema_name() -> std::borrow::Cow<'static, str> {
                    stringify!($name).into()
                }

                fn inline_schema() -> bool {
                    true
                }

                fn json_schema(_: &mut SchemaGenerator) -> Schema {
                    json_schema!({ "type": "integer", "minimum": 0, "maximum": $most })
                }
            }
        )+
    };
}

limits! {
    ArgsBytes: ARGS_BYTES_MAX;
    LineBytes: LINE_BYTES_MAX;
    EditCap: EDIT_CAP_DEFAULT;
    Denials: DENIAL_LIMIT_DEFAULT;
}
