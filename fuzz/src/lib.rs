//! The fuzz targets: each name with its body, which any toolchain can run.
//!
//! A body takes bytes and panics if something does not hold. What needs no program stands in
//! `gatefold_spec::testkit::fuzz`; here stands what goes through the program's two ways from bytes to
//! bytes.
#![forbid(unsafe_code)]

pub mod corpus;
mod decided;
mod event;
#[allow(dead_code, reason = "a test of the policy uses the rest of it")]
#[path = "../../policy/tests/bash/generate.rs"]
mod generate;
mod hooked;
mod request;
pub mod seeds;

use std::fs;
use std::path::PathBuf;

use arbitrary::Unstructured;
use gatefold_spec::testkit::fuzz::{self as kit, See};
use generate::Random;

/// One target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, which is also that of its file and of its corpus.
    pub name: &'static str,
    /// What is run with each input.
    pub body: fn(&[u8], See<'_>),
    /// The longest input worth trying, in bytes.
    pub max_len: usize,
}

/// Every target but the canary, which must crash.
pub const TARGETS: &[Target] = &[
    target("gate_any_bytes", decided::gate_any_bytes, 8_192),
    target("gate_pass", kit::gate_pass, 256),
    target("hook_wire", hooked::hook_wire, 8_192),
    target("mint", kit::mint, 64),
    target("policy_load", policy_load, 4_096),
    target("shell_plan", shell_plan, 1_024),
    target("snapshot_resume", kit::snapshot_resume, 256),
];

/// The target that must crash, so that a fuzzer that sees nothing is seen.
pub const CANARY: Target = target("canary", canary, 64);

/// Bytes that begin so are not the text itself: a generator makes the text from those that follow.
pub const GENERATED: u8 = 0;

const fn target(name: &'static str, body: fn(&[u8], See<'_>), max_len: usize) -> Target {
    Target {
        name,
        body,
        max_len,
    }
}

/// The target of this name.
pub fn find(name: &str) -> Option<Target> {
    let mut all = TARGETS.iter().chain([&CANARY]);
    all.find(|target| target.name == name).copied()
}

/// Runs a target's body once, as the fuzzer does.
///
/// # Panics
/// If something does not hold, or there is no such target.
pub fn run(name: &str, data: &[u8]) {
    let target = find(name).unwrap_or_else(|| panic!("there is no target {name}"));
    (target.body)(data, &mut |_| {});
}

/// Runs a target's body with each file that is named on the command line: a crash on any toolchain.
///
/// # Panics
/// As [`run`], and if a file cannot be read.
pub fn replay_arguments(name: &str) {
    for path in std::env::args_os().skip(1).map(PathBuf::from) {
        let data = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        println!("{name}: {}: {}", path.display(), shown(name, &data));
        run(name, &data);
    }
}

/// What a target makes of an input, for a person.
pub fn shown(name: &str, data: &[u8]) -> String {
    let text = match name {
        "shell_plan" => Some(line(data)),
        "policy_load" => Some(String::from_utf8_lossy(&documents(data)).into_owned()),
        "gate_any_bytes" => Some(String::from_utf8_lossy(&decided::request(data)).into_owned()),
        "hook_wire" => Some(String::from_utf8_lossy(&hooked::event(data)).into_owned()),
        _ => None,
    };
    text.map_or_else(|| format!("{data:?}"), |text| format!("{text:?}"))
}

/// The main function of a target: the fuzzer's, or on a stable toolchain a replay of files.
#[macro_export]
macro_rules! target {
    ($name:literal) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::run($name, data));
        #[cfg(not(fuzzing))]
        fn main() {
            $crate::replay_arguments($name);
        }
    };
}

/// The bytes after the mark of generated ones, if it is there.
fn generated(data: &[u8]) -> Option<&[u8]> {
    data.split_first()
        .and_then(|(first, rest)| (*first == GENERATED).then_some(rest))
}

fn shell_plan(data: &[u8], see: See<'_>) {
    kit::shell_plan(&line(data), see);
}

/// The line: the text itself, or one from the grammar by which bash judges the reader.
fn line(data: &[u8]) -> String {
    match generated(data).and_then(<[u8]>::split_first) {
        None => String::from_utf8_lossy(data).replace('\0', ""),
        Some((first, rest)) if first % 2 == 0 => generate::line(&mut Random::Bytes(rest)),
        Some((_, rest)) => generate::disturb(&mut Random::Bytes(rest)),
    }
}

fn policy_load(data: &[u8], see: See<'_>) {
    kit::policy_load(&documents(data), see);
}

fn documents(data: &[u8]) -> Vec<u8> {
    generated(data).map_or_else(
        || data.to_vec(),
        |rest| kit::document(&mut Unstructured::new(rest)).into_bytes(),
    )
}

/// Crashes four branches deep: who sees no branches does not come there.
fn canary(data: &[u8], _: See<'_>) {
    if let Some((b'g', rest)) = data.split_first().map(|(first, rest)| (*first, rest))
        && let Some((b'a', rest)) = rest.split_first().map(|(first, rest)| (*first, rest))
        && let Some((b't', rest)) = rest.split_first().map(|(first, rest)| (*first, rest))
    {
        assert_ne!(
            rest.first(),
            Some(&b'e'),
            "the canary has crashed, as it must"
        );
    }
}
