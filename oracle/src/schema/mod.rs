//! `gatefold schema`: the JSON Schemas of what this program reads and prints.

mod asked;
mod conditions;
mod decision;
mod minted;
mod record;
pub(crate) mod request;

use std::collections::BTreeMap;
use std::process::ExitCode;

use clap::ValueEnum;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::decide::Request;
use crate::lint::Report;
use crate::process;
use decision::Decision;
use record::Record;

/// What a schema is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// What `decide` reads from standard input.
    Request,
    /// What `decide` prints: verdict, reason, args, context, details, notices and the record.
    Decision,
    /// The record of a decision, gatefold/record/v1.
    Record,
    /// A policy document, gatefold/policy/v1: of its values, since it is written in TOML.
    Policy,
    /// What `lint` and `test` print with `--format json`, gatefold/lint/v1.
    Lint,
}

/// Prints the schema.
pub(crate) fn run(kind: Kind) -> ExitCode {
    // Nobody decides by a schema: one that was sent to `/dev/null` is not lost.
    match process::write(&text(of(kind)), None) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            process::say(&format!(
                "standard output cannot be written: {error} [unwritable_output]"
            ));
            ExitCode::from(process::EXIT_IO)
        }
    }
}

fn of(kind: Kind) -> Schema {
    let read = SchemaSettings::draft2020_12().for_deserialize();
    let printed = SchemaSettings::draft2020_12().for_serialize();
    let (id, mut schema) = match kind {
        Kind::Request => (
            "urn:gatefold:schema:request",
            read.into_generator().into_root_schema_for::<Request>(),
        ),
        Kind::Decision => (
            "urn:gatefold:schema:decision",
            printed.into_generator().into_root_schema_for::<Decision>(),
        ),
        Kind::Record => (
            "urn:gatefold:schema:record:v1",
            printed.into_generator().into_root_schema_for::<Record>(),
        ),
        Kind::Lint => (
            "urn:gatefold:schema:lint:v1",
            printed.into_generator().into_root_schema_for::<Report>(),
        ),
        Kind::Policy => ("urn:gatefold:schema:policy:v1", gatefold_policy::schema()),
    };
    // At the root alone: references inside a schema that stands in another's would start from it.
    schema.insert("$id".to_owned(), id.into());
    schema
}

/// A schema as it is printed, with its last newline.
fn text(schema: Schema) -> String {
    let schema = Schema::try_from(in_order(schema.to_value())).unwrap_or_default();
    // A schema is made of words, numbers and lists, which serialise always.
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_else(|error| error.to_string());
    text.push('\n');
    text
}

/// The same value, whose bytes hang on no feature of `serde_json` that another crate of the build may
/// switch on; each description is one line a paragraph, however the source breaks it.
fn in_order(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let sorted: BTreeMap<_, _> = object.into_iter().collect();
            let described = sorted.into_iter().map(|(key, value)| {
                let value = match (key.as_str(), value.as_str()) {
                    ("description", Some(text)) => unwrapped(text).into(),
                    (_, _) => in_order(value),
                };
                (key, value)
            });
            Value::Object(described.collect())
        }
        Value::Array(values) => values.into_iter().map(in_order).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value,
    }
}

fn unwrapped(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|lines| lines.replace('\n', " "));
    paragraphs.collect::<Vec<_>>().join("\n\n")
}
