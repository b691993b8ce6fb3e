//! How many instructions what must not become slower takes, counted by callgrind: the same number
//! on every run of the same build. `.ci/slow/instructions` holds it to `instructions.json`.

use std::hint::black_box;

use gatefold::gate::Finished;
use gatefold_benches::ours::{Ours, Ready, load};
use gatefold_benches::workload::{Request, What, document, requests, rules};
use gatefold_policy::{Plan, Platform, Policy};
use gungraun::{library_benchmark, library_benchmark_group, main};

const LINE: &str = r#"cd /srv/app && git pull --rebase | tee out.log; rm -rf "$X"/"#;

/// A policy, and the first call of a kind.
fn ready(size: usize, is_kind: fn(&What) -> bool) -> (Ours, Request) {
    let mut calls = requests(size, 30).into_iter();
    let call = calls.find(|call| is_kind(&call.what)).expect("all kinds");
    (Ours::new(&rules(size)), call)
}

fn tool(size: usize) -> (Ours, Ready) {
    let (ours, call) = ready(size, |what| matches!(what, What::Tool { .. }));
    (ours, Ready::new(&call))
}

fn path(size: usize) -> (Ours, Ready) {
    let (ours, call) = ready(size, |what| matches!(what, What::Path(_)));
    (ours, Ready::new(&call))
}

fn line(size: usize) -> (Ours, Ready) {
    let (ours, call) = ready(size, |what| matches!(what, What::Line(_)));
    (ours, Ready::new(&call))
}

#[library_benchmark]
#[bench::tool_10(args = (10), setup = tool)]
#[bench::tool_10000(args = (10_000), setup = tool)]
#[bench::path_10(args = (10), setup = path)]
#[bench::path_10000(args = (10_000), setup = path)]
#[bench::line_10(args = (10), setup = line)]
#[bench::line_10000(args = (10_000), setup = line)]
fn pass((ours, ready): (Ours, Ready)) -> (Finished, Ours) {
    (black_box(ours.pass(black_box(&ready))), ours)
}

fn event(size: usize) -> (Ours, Request) {
    ready(size, |what| matches!(what, What::Path(_)))
}

#[library_benchmark]
#[bench::of_1000(args = (1_000), setup = event)]
fn bytes((ours, call): (Ours, Request)) -> (String, Ours) {
    (black_box(ours.bytes(black_box(&call.json))), ours)
}

#[library_benchmark]
#[bench::of_60(LINE)]
fn plan(line: &str) -> Plan {
    black_box(Plan::of(black_box(line), "bash", Platform::Linux))
}

fn text(size: usize) -> String {
    document(&rules(size))
}

#[library_benchmark]
#[bench::of_100(args = (100), setup = text)]
fn loaded(document: String) -> Policy {
    black_box(load(black_box(&document)))
}

library_benchmark_group!(name = counted, benchmarks = [pass, bytes, plan, loaded]);
main!(library_benchmark_groups = counted);
