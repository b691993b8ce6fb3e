//! `gate::begin` and `gate::drive` with the policy's `Deciders`: a whole pass over a call that was
//! read, beside the hand index and the plain scan.
//!
//! Groups: `pass` all kinds of calls, `pass_no_line` all but shell lines, `pass_cold` with a call
//! that was not seen before at each turn.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use gatefold_benches::hand::HandIndex;
use gatefold_benches::ours::{Ours, Ready};
use gatefold_benches::workload::{Request, Rule, reference, requests, rules};
use gatefold_benches::{Cycle, check, checked, is_timed, sizes};
use sha2::{Digest, Sha256};

/// Different calls of a hot run.
const HOT: usize = 1_000;
/// And of a cold one: more than caches hold.
const COLD: usize = 200_000;

fn pass(criterion: &mut Criterion) {
    for &size in sizes() {
        let rules = rules(size);
        let all = requests(size, HOT);
        let engines = Engines::new(&rules, &all);
        let mut group = timed(criterion, "pass");
        engines.floor(&mut group, size, &all);
        group.bench_function(BenchmarkId::new("linear", size), |bencher| {
            let mut calls = Cycle::new(&all);
            bencher.iter(|| reference(&rules, black_box(calls.next())));
        });
        engines.ours(&mut group, size, &all);
        group.finish();

        let all: Vec<_> = all.into_iter().filter(|call| !call.is_line()).collect();
        let mut group = timed(criterion, "pass_no_line");
        engines.floor(&mut group, size, &all);
        engines.ours(&mut group, size, &all);
        engines.recorded(&mut group, size, &all);
        group.finish();
    }
}

fn cold(criterion: &mut Criterion) {
    let (sizes, count): (&[usize], _) = if is_timed() {
        (&[1_000, 100_000], COLD)
    } else {
        (&[100], 100)
    };
    for &size in sizes {
        let rules = rules(size);
        let all = requests(size, count);
        let engines = Engines::new(&rules, &all[..checked(size).min(count)]);
        let mut group = timed(criterion, "pass_cold");
        engines.floor(&mut group, size, &all);
        engines.ours(&mut group, size, &all);
        group.finish();
    }
}

/// What one digest costs: a record of these calls has about 300 bytes.
fn digest(criterion: &mut Criterion) {
    let bytes = [b'x'; 300];
    let mut group = timed(criterion, "digest");
    group.throughput(Throughput::Bytes(300));
    group.bench_function("sha256/300", |bencher| {
        bencher.iter(|| Sha256::digest(black_box(bytes)));
    });
    group.finish();
}

struct Engines {
    hand: HandIndex,
    ours: Ours,
}

impl Engines {
    /// Both, with answers that are right for these calls.
    fn new(rules: &[Rule], calls: &[Request]) -> Self {
        let (hand, ours) = (HandIndex::new(rules), Ours::new(rules));
        let calls = &calls[..checked(rules.len()).min(calls.len())];
        check("hand index", rules, calls, |at| hand.decide(&calls[at]));
        check("gatefold", rules, calls, |at| {
            ours.answer(&ours.pass(&Ready::new(&calls[at])))
        });
        Self { hand, ours }
    }

    fn floor(&self, group: &mut BenchmarkGroup<'_, WallTime>, size: usize, calls: &[Request]) {
        group.bench_function(BenchmarkId::new("hand_index", size), |bencher| {
            let mut calls = Cycle::new(calls);
            bencher.iter(|| self.hand.decide(black_box(calls.next())));
        });
    }

    fn ours(&self, group: &mut BenchmarkGroup<'_, WallTime>, size: usize, calls: &[Request]) {
        let ready: Vec<_> = calls.iter().map(Ready::new).collect();
        group.bench_function(BenchmarkId::new("gatefold", size), |bencher| {
            let mut calls = Cycle::new(&ready);
            bencher.iter(|| self.ours.pass(black_box(calls.next())));
        });
    }

    fn recorded(&self, group: &mut BenchmarkGroup<'_, WallTime>, size: usize, calls: &[Request]) {
        let ready: Vec<_> = calls.iter().map(Ready::new).collect();
        group.bench_function(BenchmarkId::new("gatefold_record", size), |bencher| {
            let mut calls = Cycle::new(&ready);
            bencher.iter(|| self.ours.pass(black_box(calls.next())).record().to_json());
        });
    }
}

fn timed<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_millis(1_500));
    group.sample_size(30);
    group
}

criterion_group!(benches, pass, cold, digest);
criterion_main!(benches);
