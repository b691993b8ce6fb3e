//! `Plan::of`: a shell line read into a plan, beside `brush-parser`'s `parse_program`, which finds
//! commands but does not unfold them; growth with the length of the line; and a whole pass over one
//! with 1 000 rules. Group `line_hostile` has lines that are made to cost.

use std::fmt::Write;
use std::hint::black_box;
use std::time::Duration;

use brush_parser::{Parser, ParserOptions};
use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use gatefold::gate::{Args, Call, GateInput, begin, drive};
use gatefold_benches::is_timed;
use gatefold_benches::ours::{load, surroundings};
use gatefold_benches::workload::{document, rules};
use gatefold_policy::{Deciders, Plan, Platform, Policy};
use std::sync::Arc;

/// Sixty characters with most of what everyday lines have.
const LINE: &str = r#"cd /srv/app && git pull --rebase | tee out.log; rm -rf "$X"/"#;
/// The same without a variable, so that it can be allowed.
const PLAIN: &str = r#"cd /srv/app && git pull --rebase | tee out.log; rm -rf "tmp"/"#;

fn read(line: &str) -> Plan {
    Plan::of(line, "bash", Platform::Linux)
}

fn line(criterion: &mut Criterion) {
    assert_eq!(read(LINE).commands.len(), 4, "{:?}", read(LINE));
    assert_eq!(read(PLAIN).commands.len(), 4, "{:?}", read(PLAIN));
    let mut group = timed(criterion, "line");
    group.throughput(Throughput::Bytes(60));
    let options = ParserOptions::default();
    for (name, line) in [("variable", LINE), ("plain", PLAIN)] {
        group.bench_function(BenchmarkId::new("brush_parse_program", name), |bencher| {
            bencher.iter(|| {
                let mut parser = Parser::new(black_box(line).as_bytes(), &options);
                parser.parse_program().expect("a program")
            });
        });
        group.bench_function(BenchmarkId::new("gatefold_plan", name), |bencher| {
            bencher.iter(|| read(black_box(line)));
        });
        let judged = Judged::new(load(&document(&rules(1_000))), line);
        group.bench_function(
            BenchmarkId::new("gatefold_pass_1000_rules", name),
            |bencher| {
                bencher.iter(|| black_box(judged.pass()));
            },
        );
        let judged = Judged::new(load(&document(&rules(0))), line);
        group.bench_function(
            BenchmarkId::new("gatefold_pass_no_rules", name),
            |bencher| {
                bencher.iter(|| black_box(judged.pass()));
            },
        );
    }
    group.finish();
}

fn growth(criterion: &mut Criterion) {
    let kibs: &[usize] = if is_timed() { &[1, 4, 16, 64] } else { &[1] };
    let mut group = timed(criterion, "line_growth");
    let shapes: [(&str, &str); 4] = [
        (
            "commands",
            "cd /srv/app && git pull --rebase | tee out.log; ",
        ),
        ("words", "git add 'src/one file.rs' \"b\" "),
        ("quoted", "echo \"a $(cat 'b c') d\" 'e f'; "),
        ("assigned", "x=1; echo $x ${x}; "),
    ];
    for (name, part) in shapes {
        for &kib in kibs {
            let line = part.repeat((kib * 1_024) / part.len());
            group.throughput(Throughput::Bytes(u64::try_from(line.len()).expect("fits")));
            group.bench_function(BenchmarkId::new(name, kib), |bencher| {
                bencher.iter(|| read(black_box(&line)));
            });
        }
    }
    group.finish();
}

/// Many denies with stars over a line of many commands, and carriers before many words.
fn hostile(criterion: &mut Criterion) {
    let (many, words) = if is_timed() {
        (10_000, 30_000)
    } else {
        (100, 100)
    };
    let mut group = timed(criterion, "line_hostile");
    group.sample_size(10);
    let mut denies = String::from("schema = \"gatefold/policy/v1\"\n[rules.user]\ndeny = [\n");
    for at in 0..many {
        let _ = writeln!(denies, "\"Bash(a{at}*b*c)\",");
    }
    denies.push_str("]\n");
    let line = "aab b\n".repeat(many);
    let judged = Judged::new(load(&denies), &line);
    group.bench_function("star_denies", |bencher| {
        bencher.iter(|| black_box(judged.pass()));
    });
    let line = format!("{}{}", "sudo ".repeat(30), "w ".repeat(words));
    group.bench_function("carriers", |bencher| {
        bencher.iter(|| read(black_box(&line)));
    });
    group.finish();
}

/// A line under a policy.
struct Judged {
    policy: Arc<Policy>,
    call: Call,
}

impl Judged {
    fn new(policy: Policy, line: &str) -> Self {
        let args = serde_json::json!({ "command": line }).to_string();
        Self {
            policy: Arc::new(policy),
            call: Call {
                id: "c1".into(),
                tool: "Bash".into(),
                args: Args::parse(&args).expect("args"),
            },
        }
    }

    fn pass(&self) -> bool {
        let mut deciders = Deciders::new(self.policy.clone(), "Bash", None, surroundings());
        let input = deciders.wire(GateInput::builder(self.call.clone()));
        drive(begin(input.build().expect("an input")), &mut deciders).is_ok()
    }
}

fn timed<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_millis(1_500));
    group.sample_size(20);
    group
}

criterion_group!(benches, line, growth, hostile);
criterion_main!(benches);
