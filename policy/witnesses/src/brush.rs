//! `brush-parser`: a parser of bash for a shell of its own.

use std::collections::VecDeque;

use brush_parser::{Parser, ParserOptions, word};
use serde_json::Value;

use crate::{Seen, literal};

/// The longest line that it is given, in bytes: its time grows with the exponent of some.
pub const LINE_BYTES_MAX: usize = 400;

/// How many brackets a line may open: its stack grows with their depth.
pub const OPENED_MAX: usize = 24;

/// Pieces of words that are text and nothing else.
const DATA: [&str; 4] = [
    "AnsiCQuotedText",
    "EscapeSequence",
    "SingleQuotedText",
    "Text",
];

/// Whether it is given this line at all.
pub fn dares(line: &str) -> bool {
    line.len() <= LINE_BYTES_MAX && line.matches(['(', '{', '`']).count() <= OPENED_MAX
}

/// The simple commands of a line, if it reads the line and every text in it.
pub fn commands(line: &str) -> Option<Vec<Seen>> {
    let mut seen = Vec::new();
    let mut texts = VecDeque::from([line.to_owned()]);
    while let Some(text) = texts.pop_front() {
        let options = ParserOptions::default();
        let program = Parser::new(text.as_bytes(), &options).parse_program();
        let tree = serde_json::to_value(program.ok()?).ok()?;
        walk(&tree, &mut seen, &mut texts)?;
    }
    Some(seen)
}

/// Every simple command of a tree, and the texts of its substitutions.
fn walk(tree: &Value, seen: &mut Vec<Seen>, texts: &mut VecDeque<String>) -> Option<()> {
    let mut nodes = vec![tree.clone()];
    while let Some(node) = nodes.pop() {
        match node {
            Value::Object(fields) => {
                if let Some(simple) = fields.get("Simple") {
                    seen.extend(simple_command(simple));
                }
                let expands = fields.get("requires_expansion") == Some(&Value::Bool(true));
                for (key, value) in fields {
                    match (key.as_str(), value) {
                        ("CommandSubstitution", Value::String(text)) => texts.push_back(text),
                        ("BackquotedCommandSubstitution", Value::String(text)) => {
                            texts.push_back(unescaped(&text));
                        }
                        // The body of a here-document whose delimiter is quoted.
                        ("doc", _) if !expands => {}
                        (key, Value::String(_)) if DATA.contains(&key) => {}
                        // A word, in the line or in a piece of one.
                        (_, Value::String(text)) if text.contains(['$', '`']) => {
                            nodes.push(pieces(&text)?);
                        }
                        (_, value) => nodes.push(value),
                    }
                }
            }
            Value::Array(values) => nodes.extend(values),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    Some(())
}

/// The words of a simple command; none if it only assigns and redirects.
fn simple_command(simple: &Value) -> Option<Seen> {
    let source = |word: &Value| word["value"].as_str().and_then(literal);
    let mut words = vec![source(
        simple.get("word_or_name").filter(|word| !word.is_null())?,
    )];
    let suffix = simple["suffix"].as_array().map(Vec::as_slice);
    for item in suffix.unwrap_or_default() {
        if let Some(word) = item.get("Word") {
            words.push(source(word));
        } else if let Some(assignment) = item.get("AssignmentWord") {
            words.push(source(&assignment[1]));
        } else if item.get("ProcessSubstitution").is_some() {
            words.push(None);
        }
    }
    Some(Seen(words))
}

/// The pieces of a word.
fn pieces(word: &str) -> Option<Value> {
    let pieces = word::parse(word, &ParserOptions::default()).ok()?;
    let pieces = pieces.into_iter().map(|piece| piece.piece);
    serde_json::to_value(pieces.collect::<Vec<_>>()).ok()
}

/// The text between backquotes as it is run.
fn unescaped(text: &str) -> String {
    ["\\$", "\\`", "\\\\"]
        .iter()
        .fold(text.to_owned(), |text, escape| {
            text.replace(escape, &escape[1..])
        })
}
