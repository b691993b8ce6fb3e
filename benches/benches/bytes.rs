//! From the bytes of a host's event to those of the record, beside reading the event with
//! `serde_json` into the same typed request, and no more.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gatefold_benches::ours::{Event, Ours, Ready};
use gatefold_benches::workload::{What, requests, rules};
use gatefold_benches::{Cycle, check};
use serde::Deserialize;

const RULES: usize = 1_000;

/// What a host reads that hands nothing on: the event with its args as values of their own types.
#[derive(Deserialize)]
#[allow(dead_code, reason = "reading it is what is timed")]
struct Typed<'a> {
    session_id: &'a str,
    cwd: &'a str,
    permission_mode: &'a str,
    tool_name: &'a str,
    #[serde(borrow)]
    tool_input: Input<'a>,
    tool_use_id: &'a str,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "reading it is what is timed")]
struct Input<'a> {
    #[serde(default)]
    query: &'a str,
    #[serde(default)]
    limit: u64,
    #[serde(default)]
    dry_run: bool,
    #[serde(default)]
    command: &'a str,
    #[serde(default)]
    description: &'a str,
    #[serde(default)]
    file_path: &'a str,
    #[serde(default)]
    old_string: &'a str,
    #[serde(default)]
    new_string: &'a str,
}

fn bytes(criterion: &mut Criterion) {
    let rules = rules(RULES);
    let all = requests(RULES, 1_000);
    let ours = Ours::new(&rules);
    check("gatefold", &rules, &all, |at| {
        ours.answer(&ours.pass(&Ready::new(&all[at])))
    });
    let total: usize = all.iter().map(|call| call.json.len()).sum();
    let mean = u64::try_from(total / all.len()).expect("fits");
    let no_line: Vec<_> = all
        .iter()
        .filter(|call| !matches!(call.what, What::Line(_)))
        .map(|call| call.json.as_str())
        .collect();
    let all: Vec<_> = all.iter().map(|call| call.json.as_str()).collect();
    for (name, calls) in [("bytes", &all), ("bytes_no_line", &no_line)] {
        let mut group = criterion.benchmark_group(name);
        group.warm_up_time(Duration::from_millis(300));
        group.measurement_time(Duration::from_millis(1_500));
        group.sample_size(30);
        group.throughput(Throughput::Bytes(mean));
        group.bench_function("serde_json_typed", |bencher| {
            let mut calls = Cycle::new(calls);
            bencher.iter(|| {
                let typed = serde_json::from_str::<Typed<'_>>(black_box(calls.next()));
                black_box(typed.expect("an event").tool_name.len())
            });
        });
        group.bench_function("serde_json_raw_args", |bencher| {
            let mut calls = Cycle::new(calls);
            bencher.iter(|| {
                let event = serde_json::from_str::<Event<'_>>(black_box(calls.next()));
                black_box(event.expect("an event").tool_name.len())
            });
        });
        group.bench_function("gatefold_to_record", |bencher| {
            let mut calls = Cycle::new(calls);
            bencher.iter(|| ours.bytes(black_box(calls.next())));
        });
        group.finish();
    }
}

criterion_group!(benches, bytes);
criterion_main!(benches);
