//! Where corpora begin: what the repository's own tables, vectors and examples hold, and bytes from a
//! fixed seed for what is generated from bytes.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{GENERATED, Target, corpus};

/// Generated inputs of each target, and the bytes of each.
const RANDOM: usize = 64;

/// Of a list of lines, one in so many.
const LINES_IN: usize = 24;

/// A generator of bytes (xorshift64) from a fixed seed.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// The same bytes for the same number.
    pub const fn new(number: u64) -> Self {
        Self(0x9e37_79b9_7f4a_7c15 ^ number.wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    /// So many bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.byte()).collect()
    }

    fn byte(&mut self) -> u8 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.to_be_bytes()[0]
    }
}

/// The seeds of a target.
///
/// # Panics
/// If a file of the repository that they come from cannot be read.
pub fn of(target: &Target) -> Vec<Vec<u8>> {
    let (mut seeds, is_text) = match target.name {
        "gate_any_bytes" => (
            [texts("examples/requests"), texts("examples/calls")].concat(),
            true,
        ),
        "hook_wire" => ([texts("examples/hooks"), events()].concat(), true),
        "policy_load" => (documents(), true),
        "shell_plan" => (lines(), true),
        _ => (Vec::new(), false),
    };
    let mut random = Random::new(1);
    for _ in 0..RANDOM {
        let mut seed = random.bytes(target.max_len.min(96));
        if is_text {
            seed.insert(0, GENERATED);
        }
        seeds.push(seed);
    }
    seeds
}

fn texts(folder: &str) -> Vec<Vec<u8>> {
    let files =
        corpus::files(&root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    files.into_iter().map(|(_, bytes)| bytes).collect()
}

fn events() -> Vec<Vec<u8>> {
    let vectors = read("oracle/tests/hook/claude-code.jsonl");
    let vectors = vectors
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let events = vectors.filter_map(|vector| vector["event"].as_str().map(str::to_owned));
    events.map(String::into_bytes).collect()
}

/// The documents of the tests, and every one that the list of problems shows.
fn documents() -> Vec<Vec<u8>> {
    let mut documents = vec![read("examples/gatefold.toml").into_bytes()];
    for folder in ["oracle/tests/hook", "oracle/tests/lint"] {
        let files = corpus::files(&root().join(folder)).unwrap_or_else(|error| panic!("{error}"));
        let files = files.into_iter();
        let toml =
            files.filter(|(path, _)| path.extension().is_some_and(|ending| ending == "toml"));
        documents.extend(toml.map(|(_, bytes)| bytes));
    }
    let shown = read("policy/README.md");
    let fences = shown.split("```toml\n").skip(1);
    let fences = fences.filter_map(|rest| rest.split("```").next());
    documents.extend(fences.map(|text| text.as_bytes().to_vec()));
    documents
}

fn lines() -> Vec<Vec<u8>> {
    let mut lines = Vec::new();
    for (file, one_in) in [
        ("everyday", LINES_IN),
        ("generated", 10 * LINES_IN),
        ("hostile", 1),
        ("rules", 1),
    ] {
        let text = read(&format!("policy/corpus/{file}.jsonl"));
        let rows = text.lines().step_by(one_in);
        let rows = rows.filter_map(|row| serde_json::from_str::<Value>(row).ok());
        let found = rows.filter_map(|row| {
            let line = row.as_str().or_else(|| row["line"].as_str());
            line.or_else(|| row["command"].as_str()).map(str::to_owned)
        });
        lines.extend(found.map(String::into_bytes));
    }
    lines
}

fn read(file: &str) -> String {
    let path = root().join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
