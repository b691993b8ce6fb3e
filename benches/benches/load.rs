//! `Policy::load`: a document of N rules, read, compiled and looked over for what is worth a second
//! look, beside `toml` reading the same text into values.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gatefold_benches::ours::load;
use gatefold_benches::sizes;
use gatefold_benches::workload::{document, rules};

fn policies(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("load");
    group.warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_secs(2));
    group.sample_size(10);
    for &size in sizes() {
        let document = document(&rules(size));
        assert_eq!(load(&document).rules(), size);
        group.throughput(Throughput::Elements(u64::try_from(size).expect("fits")));
        group.bench_function(BenchmarkId::new("toml_values", size), |bencher| {
            bencher.iter(|| toml::from_str::<toml::Table>(black_box(&document)).expect("TOML"));
        });
        group.bench_function(BenchmarkId::new("gatefold", size), |bencher| {
            bencher.iter(|| load(black_box(&document)));
        });
    }
    group.finish();
}

criterion_group!(benches, policies);
criterion_main!(benches);
