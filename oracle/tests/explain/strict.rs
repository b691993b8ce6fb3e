//! An account as a program would read it, every key known.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "that it can be read is all that is asked"
)]

use gatefold::gate::{BarClass, Basis, Cause, Digest, Seat, Station, Written};
use serde::Deserialize;

/// An account, read strictly.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Account {
    pub schema: String,
    pub summary: String,
    call: Call,
    mode: String,
    verdict: String,
    decided: Decided,
    parts: Vec<Part>,
    objections: Vec<Objection>,
    answerers: Vec<Answerer>,
    cover: Cover,
    stations: Vec<Passage>,
    digests: Digests,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    tool: String,
    #[serde(default)]
    agents: Vec<Option<String>>,
    line: Option<String>,
    changed: bool,
    becomes: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    #[serde(rename = "part")]
    text: String,
    covered: String,
    basis: Option<Basis>,
    with: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decided {
    denied_by: Option<String>,
    allowed_by: Option<String>,
    origin: Option<String>,
    station: Option<String>,
    basis: Option<Basis>,
    settled: Option<Settled>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settled {
    answer: String,
    by: String,
    why: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Objection {
    cause: Cause,
    objects: bool,
    class: BarClass,
    station: Station,
    round: u8,
    basis: Option<Basis>,
    part: Option<String>,
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answerer {
    who: String,
    barred: bool,
    by: Vec<Cause>,
}

#[derive(Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case", deny_unknown_fields)]
enum Cover {
    NotNeeded,
    Rule {
        rule: String,
        list: String,
        layer: String,
        reach: String,
    },
    None {
        hindrances: Vec<Hindered>,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hindered {
    by: String,
    basis: Option<Basis>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Passage {
    number: u8,
    station: Station,
    round: u8,
    asked: Option<Seat>,
    wrote: Vec<Written>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Digests {
    asked: Digest,
    runs: Option<Digest>,
    facts: Option<Digest>,
    policy: Option<Digest>,
    record: Digest,
}
