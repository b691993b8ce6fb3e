//! `gatefold hook claude-code` from spawn to exit, with a policy of 100 and of 10 000 rules, beside
//! a program that does nothing and what hooks are often written in.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use gatefold_benches::is_timed;
use gatefold_benches::workload::{document, requests, rules};

const GATEFOLD: &str = env!("CARGO_BIN_EXE_gatefold");
const EMPTY: &str = env!("CARGO_BIN_EXE_empty");

/// What a process printed that was given this.
fn run(program: &str, args: &[&str], input: &str) -> Vec<u8> {
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    // Who reads nothing may be gone already.
    let _ = child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{program}: {}", output.status);
    output.stdout
}

fn hook(criterion: &mut Criterion) {
    let sizes: &[usize] = if is_timed() { &[100, 10_000] } else { &[100] };
    let mut group = criterion.benchmark_group("hook");
    group.warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_secs(3));
    group.sample_size(50);
    let event = &requests(100, 30)[0].json;
    let others: [(&str, &str, &[&str]); 4] = [
        ("empty", EMPTY, &[]),
        ("true", "true", &[]),
        ("python3", "python3", &["-c", ""]),
        ("node", "node", &["-e", ""]),
    ];
    for (name, program, args) in others {
        if is_there(program) {
            group.bench_function(name, |bencher| bencher.iter(|| run(program, args, event)));
        } else {
            println!("hook/{name}: left out, there is no {program}");
        }
    }
    for &size in sizes {
        let policy = written(size);
        let args = [
            "hook",
            "claude-code",
            "--policy",
            policy.to_str().expect("UTF-8"),
        ];
        let said = String::from_utf8(run(GATEFOLD, &args, event)).expect("UTF-8");
        assert!(said.contains("permissionDecision"), "{said}");
        assert!(!said.contains("gatefold could not"), "{said}");
        group.bench_function(BenchmarkId::new("gatefold", size), |bencher| {
            bencher.iter(|| run(GATEFOLD, &args, event));
        });
        let beside = |ending: &str| {
            let path = policy.with_extension(ending);
            path.to_str().expect("UTF-8").to_owned()
        };
        let (image, key) = (beside("image"), beside("key"));
        std::fs::write(&key, [7; 32]).expect("it is written");
        let owner = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        std::fs::set_permissions(&key, owner).expect("it is set");
        // The first call writes the image.
        let args = [&args[..], &["--image", &image, "--image-key", &key]].concat();
        for _ in 0..2 {
            let by_image = run(GATEFOLD, &args, event);
            assert_eq!(String::from_utf8(by_image).expect("UTF-8"), said);
            assert!(Path::new(&image).exists());
        }
        group.bench_function(BenchmarkId::new("gatefold_image", size), |bencher| {
            bencher.iter(|| run(GATEFOLD, &args, event));
        });
    }
    group.finish();
}

fn is_there(program: &str) -> bool {
    let ran = Command::new(program).arg("--version").output();
    Path::new(program).exists() || ran.is_ok()
}

/// A policy of that many rules, as a file.
fn written(size: usize) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{size}.toml"));
    std::fs::write(&path, document(&rules(size))).expect("it is written");
    path
}

criterion_group!(benches, hook);
criterion_main!(benches);
