//! Another crate of the same build may switch on features of `serde_json`. No byte may change.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use support::{Run, examples, line, parse, request, run, run_at};

#[test]
fn features_that_another_crate_switches_on_change_no_byte() {
    let featured = featured();
    assert_ne!(
        std::fs::read(featured).expect("the other build is there"),
        std::fs::read(env!("CARGO_BIN_EXE_gatefold")).expect("the plain build is there"),
        "both builds are the same file, so this compares nothing"
    );
    let mut inputs = examples();
    inputs.extend(hostile().into_iter().map(|input| (input.clone(), input)));
    for (name, input) in inputs {
        for args in [
            &["decide", "--exit-code"][..],
            &["decide", "--compact"],
            &["decide", "--explain", "--format", "json"],
        ] {
            assert_eq!(run(args, &input), run_at(featured, args, &input), "{name}");
        }
    }
    for kind in ["request", "decision", "record", "policy", "lint"] {
        let args = ["schema", kind];
        assert_eq!(run(&args, ""), run_at(featured, &args, ""), "{kind}");
    }
}

#[test]
fn two_calls_that_differ_in_the_last_of_23_digits_are_two_calls() {
    let featured = featured();
    let of = |number: &str| {
        let input = request("X", &format!(r#"{{"n":{number}}}"#), r#""mode":"bypass""#);
        let plain: Run = run(&["decide"], &input);
        assert_eq!(plain, run_at(featured, &["decide"], &input), "{number}");
        assert!(plain.stdout.contains(number), "{}", plain.stdout);
        let digests = parse(&plain.stdout)["record"]["digests"].clone();
        assert_eq!(digests["asked"], digests["runs"]);
        digests["asked"].as_str().expect("a digest").to_owned()
    };
    assert_ne!(of("12345678901234567890123"), of("12345678901234567890124"));
}

/// Inputs at the places where those features show: numbers, and what is said of them.
fn hostile() -> Vec<String> {
    let fields = [
        r#""resolve":5"#,
        r#""resolve":{"answer":1.5}"#,
        r#""cwd":12345678901234567890123"#,
        r#""denials":1.5"#,
        r#""denials":-1"#,
        r#""denials":99999999999999999999"#,
        r#""lock":1e400"#,
        r#""facts":{"realpaths":{"/b":"1","/a":"2"},"known_tools":["X"]}"#,
        r#""facts":{"realpaths":{"/b":7}}"#,
        r#""hooks":[{"id":"h","answer":{"decision":12345678901234567890123}}]"#,
        r#""hooks":[{"id":"h","answer":7.0}]"#,
        r#""mode":"bypass","hooks":[{"id":"h","answer":
            {"decision":"none","rewrite":{"z":1.0,"a":12345678901234567890123}}}]"#,
        r#""resolve":{"answer":"yes","edit":{"z":1.0,"a":12345678901234567890123}}"#,
        r#""resolve":{"answer":"yes","edit":{"$serde_json::private::Number":"1"}}"#,
    ];
    let mut inputs: Vec<_> = fields.iter().map(|fields| line("ls", fields)).collect();
    for args in [
        "7",
        r#"{"z":1.0,"a":{"c":-0,"b":1E+2}}"#,
        r#"{"$serde_json::private::Number":"1"}"#,
        r#"{"$serde_json::private::RawValue":"1"}"#,
        r#"{"command":12345678901234567890123}"#,
    ] {
        inputs.push(request("Bash", args, r#""mode":"bypass""#));
    }
    inputs.extend(["7".into(), "1e400".into(), "{\"call\":1}".into()]);
    inputs
}

/// The program built with those features, beside the plain one; built once for all tests here.
fn featured() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(build)
}

fn build() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("features");
    let built = Command::new(env!("CARGO"))
        .args([
            "build",
            "--quiet",
            "--package",
            "gatefold-cli",
            "--bin",
            "gatefold",
        ])
        .args([
            "--features",
            "serde_json/preserve_order,serde_json/arbitrary_precision",
        ])
        .arg("--target-dir")
        .arg(&target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let stderr = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{stderr}");
    let name = format!("gatefold{}", std::env::consts::EXE_SUFFIX);
    target.join("debug").join(name)
}
