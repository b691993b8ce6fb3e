//! One decision of each engine over policies of growing size. Groups `peers` for engines, beside
//! the floor and the gate in the same run.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, criterion_group, criterion_main};
use gatefold_benches::hand::HandIndex;
use gatefold_benches::ours::{Ours, Ready};
use gatefold_benches::workload::{Answer, Request, Rule, reference, requests, rules};
use gatefold_benches::{Cycle, check, is_timed, sizes};
use gatefold_peers::{Casbin, Cedar, Form, Rego, versions};

/// Different calls of a run.
const CALLS: usize = 1_000;
/// Rules looked at, by engines that look at all, to compare answers: at most about that many.
const LOOKED_AT: usize = 2_000_000;

fn peers(criterion: &mut Criterion) {
    for (name, version) in versions() {
        println!("{name} {version}");
    }
    let mut group = criterion.benchmark_group("peers");
    group.warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_millis(1_500));
    group.sample_size(if is_timed() { 20 } else { 10 });
    for &size in sizes() {
        let run = Run {
            size,
            rules: rules(size),
            calls: requests(size, CALLS),
        };
        let hand = HandIndex::new(&run.rules);
        run.time(&mut group, "hand_index", Request::clone, |call| {
            hand.decide(call)
        });
        run.time(&mut group, "linear", Request::clone, |call| {
            reference(&run.rules, call)
        });
        let ours = Ours::new(&run.rules);
        run.check("gatefold", Ready::new, |call| ours.answer(&ours.pass(call)));
        let ready: Vec<_> = run.calls.iter().map(Ready::new).collect();
        group.bench_function(BenchmarkId::new("gatefold", size), |bencher| {
            let mut calls = Cycle::new(&ready);
            bencher.iter(|| ours.pass(black_box(calls.next())));
        });
        let cedar = Cedar::new(&run.rules);
        run.time(&mut group, "cedar", Cedar::request, |call| {
            cedar.decide(call)
        });
        drop(cedar);
        let mut rego = Rego::new(Form::List, &run.rules);
        run.time(&mut group, "regorus_list", Rego::request, |call| {
            rego.decide(call)
        });
        let mut rego = Rego::new(Form::Maps, &run.rules);
        run.time(&mut group, "regorus_maps", Rego::request, |call| {
            rego.decide(call)
        });
        let casbin = Casbin::new(&run.rules);
        run.time(&mut group, "casbin", Casbin::request, |call| {
            casbin.decide(call)
        });
    }
    group.finish();
}

struct Run {
    size: usize,
    rules: Vec<Rule>,
    calls: Vec<Request>,
}

impl Run {
    fn check<T>(
        &self,
        engine: &str,
        request: impl Fn(&Request) -> T,
        mut decide: impl FnMut(&T) -> Answer,
    ) {
        let checked = (LOOKED_AT / self.size).clamp(20, self.calls.len());
        let calls = &self.calls[..checked];
        check(engine, &self.rules, calls, |at| {
            decide(&request(&calls[at]))
        });
    }

    fn time<T>(
        &self,
        group: &mut BenchmarkGroup<'_, WallTime>,
        engine: &str,
        request: impl Fn(&Request) -> T,
        mut decide: impl FnMut(&T) -> Answer,
    ) {
        self.check(engine, &request, &mut decide);
        let requests: Vec<_> = self.calls.iter().map(request).collect();
        group.bench_function(BenchmarkId::new(engine, self.size), |bencher| {
            let mut calls = Cycle::new(&requests);
            bencher.iter(|| decide(black_box(calls.next())));
        });
    }
}

criterion_group!(benches, peers);
criterion_main!(benches);
