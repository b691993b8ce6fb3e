//! `testkit::explore`: edges a second of one thread, every invariant on every edge, in the slice
//! `plan mode` of the reduced bound.

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gatefold_spec::testkit::explore::{Bound, CHECKS, Judge, Walk, explore, slices};

const SLICE: &str = "plan mode";

fn edges(criterion: &mut Criterion) {
    let bound = Bound::Reduced;
    let mut chosen = slices(bound);
    chosen.retain(|slice| slice.name == SLICE);
    let judge = Judge::shipped().expect("the shipped tables");
    let walk = Walk {
        judge: &judge,
        checks: CHECKS,
        threads: 1,
        saved_in: bound.saved_in(),
        replayed_in: bound.replayed_in(),
    };
    let walked = || explore(&chosen, &walk, &|_| ());
    let explored = walked();
    assert_eq!(explored.all.told().len(), 0);
    println!(
        "{SLICE}: {} states, {} edges",
        explored.all.states, explored.all.edges
    );
    let mut group = criterion.benchmark_group("explore");
    group.warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_secs(3));
    group.sample_size(10);
    group.throughput(Throughput::Elements(explored.all.edges));
    group.bench_function("edges", |bencher| bencher.iter(walked));
    group.finish();
}

criterion_group!(benches, edges);
criterion_main!(benches);
