//! What is wrong with a JSON text, in the words of JSON: what is expected where, and the remedy.
//!
//! What `serde_json` says of a number depends on features that another crate of the same build may
//! switch on. Here every number of the wrong type is told in the same words.

/// Where in a text something is wrong, and what.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The path of the value, if it is not the whole.
    pub(crate) path: Option<String>,
    /// Line and column, from 1.
    pub(crate) at: (usize, usize),
    pub(crate) what: String,
}

impl Fault {
    pub(crate) fn new(path: &str, error: &serde_json::Error, text: &str) -> Self {
        // An unreadable key has no name.
        let path = path.trim_end_matches(['?', '.']);
        Self {
            path: (!path.is_empty()).then(|| path.to_owned()),
            at: (error.line().max(1), error.column().max(1)),
            what: sentence(error, text),
        }
    }
}

const NUMBER_TOO_LARGE: &str = "this number is out of every range";
const HALF_A_PAIR: &str = "a `\\u` escape is half of a surrogate pair; write the character itself, or both halves of its pair";

/// Errors of syntax, and what is said of them.
const SYNTAX: &[(&str, &str)] = &[
    (
        "EOF while parsing a list",
        "the input ends inside an array; close it with `]`",
    ),
    (
        "EOF while parsing an object",
        "the input ends inside an object; close it with `}`",
    ),
    (
        "EOF while parsing a string",
        "the input ends inside a string; close it with `\"`",
    ),
    (
        "EOF while parsing a value",
        "the input ends where a value is expected",
    ),
    ("expected `:`", "`:` is expected after a key"),
    ("expected `,` or `]`", "`,` or `]` is expected here"),
    ("expected `,` or `}`", "`,` or `}` is expected here"),
    (
        "expected ident",
        "this is no json value; `true`, `false` and `null` are spelled so, and a string stands in double quotes",
    ),
    ("expected value", "a json value is expected here"),
    (
        "key must be a string",
        "a key is expected here, in double quotes",
    ),
    (
        "invalid escape",
        "this is no escape of json; write a backslash as `\\\\`",
    ),
    ("invalid number", "this is no number of json"),
    ("number out of range", NUMBER_TOO_LARGE),
    ("invalid unicode code point", "this is no character"),
    (
        "control character (\\u0000-\\u001F) found while parsing a string",
        "a string holds a control character as it is; write it as an escape, such as `\\n`",
    ),
    ("lone leading surrogate in hex escape", HALF_A_PAIR),
    ("unexpected end of hex escape", HALF_A_PAIR),
    (
        "trailing comma",
        "a comma stands before the closing bracket; leave it out",
    ),
    (
        "trailing characters",
        "something stands after the value; give one json object and nothing after it",
    ),
    (
        "recursion limit exceeded",
        "objects and arrays are nested more than 128 deep; nest them less",
    ),
];

/// What a reader expects, in the words of serde and of JSON.
const EXPECTED: &[(&str, &str)] = &[
    ("a boolean", "true or false"),
    ("u32", "a whole number from 0 to 4294967295"),
    ("a sequence", "an array"),
    ("a map", "an object"),
    ("any valid JSON value", "a value"),
];

/// What was found instead, by the first words of what serde says.
const FOUND: &[(&str, &str)] = &[
    ("integer `", "a number"),
    ("floating point `", "a number"),
    ("number", "a number"),
    ("string \"", "a string"),
    ("character `", "a string"),
    ("boolean `", "a boolean"),
    ("sequence", "an array"),
    ("map", "an object"),
    ("null", "null"),
];

fn sentence(error: &serde_json::Error, text: &str) -> String {
    let whole = error.to_string();
    let suffix = format!(" at line {} column {}", error.line(), error.column());
    let words = whole.strip_suffix(&suffix).unwrap_or(&whole);
    if error.is_data() {
        let mismatch = ["invalid type: ", "invalid value: "]
            .iter()
            .find_map(|said| words.strip_prefix(said))
            // What the input holds may hold these words too; what is expected never does.
            .and_then(|said| said.rsplit_once(", expected "));
        return match mismatch {
            Some((found, expected)) => mistyped(found, expected, error, text),
            None => words.to_owned(),
        };
    }
    let said = SYNTAX.iter().find(|(of_serde, _)| *of_serde == words);
    said.map_or(words, |(_, said)| said).to_owned()
}

fn mistyped(found: &str, expected: &str, error: &serde_json::Error, text: &str) -> String {
    let of_json = EXPECTED.iter().find(|(of_serde, _)| *of_serde == expected);
    let expected = of_json.map_or(expected, |(_, of_json)| of_json);
    let of_json = FOUND.iter().find(|(begin, _)| found.starts_with(begin));
    match of_json.map(|(_, of_json)| *of_json) {
        Some("a number") if is_too_large(error, text) => NUMBER_TOO_LARGE.to_owned(),
        // That a number was found where only some numbers may stand tells nothing.
        Some("a number") if expected.contains("number") => format!("expected {expected}"),
        Some(found) => format!("expected {expected}, found {found}"),
        None => format!("expected {expected}"),
    }
}

/// Whether the number that ends at the error is beyond what `f64` holds: some features refuse it
/// for that alone, others for its type.
fn is_too_large(error: &serde_json::Error, text: &str) -> bool {
    let line = text.split('\n').nth(error.line().saturating_sub(1));
    let ends = line.and_then(|line| line.as_bytes().get(..error.column()));
    let is_of_number = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    let digits = ends.map(|ends| {
        let length = ends.iter().rev().take_while(|byte| is_of_number(byte));
        ends.len().saturating_sub(length.count())
    });
    digits
        .and_then(|begin| ends?.get(begin..))
        .and_then(|number| std::str::from_utf8(number).ok()?.parse::<f64>().ok())
        .is_some_and(f64::is_infinite)
}
