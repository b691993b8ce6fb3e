//! Documents that are large, or that want to steer a terminal, and places that hold none.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use super::support::{Run, parse, run};

const HEAD: &str = "schema = 'gatefold/policy/v1'\n";

#[test]
fn nothing_in_a_document_steers_a_terminal() {
    let hostile = "\u{1b}[31m\u{9b}2J\u{7}\u{7f}\u{202e}\u{2066}\u{200b}\u{feff}\u{85}";
    let escapes = "\\u001b[31m\\u009b2J\\u0007\\u007f\\u202e\\u2066\\u200b\\ufeff\\u0085";
    for (what, text) in [
        ("in a comment", format!("{HEAD}# {hostile}\n")),
        (
            "in a word",
            format!("{HEAD}mode = '\u{202e}\u{9b}\u{85}'\n"),
        ),
        ("escaped in a word", format!("{HEAD}mode = \"{escapes}\"\n")),
        ("in a key", format!("{HEAD}\"{escapes}\" = 1\n")),
        (
            "in a rule",
            format!("{HEAD}[rules.user]\ndeny = [\"Bash({escapes}\"]\nallow = [\"{escapes}\"]\n"),
        ),
        (
            "in a test",
            format!(
                "{HEAD}[[test]]\ncall = \"Bash({escapes})\"\nwant = \"{escapes}\"\n\
                 [[test]]\ncall = \"Bash({escapes})\"\nwant = 'deny'\nrule = \"{escapes}\"\n\
                 [[test]]\ncall = {{ tool = \"{escapes}\" }}\nwant = 'deny'\nagent = \"{escapes}\"\n"
            ),
        ),
    ] {
        let file = File::new("hostile", text.as_bytes());
        for args in [
            &["lint"][..],
            &["test"],
            &["lint", "--format", "json"],
            &["test", "--format", "json"],
        ] {
            let ran = file.run(args);
            let steers = |char: char| {
                char.is_control() && char != '\n'
                    || matches!(char, '\u{202e}' | '\u{2066}' | '\u{200b}' | '\u{feff}')
            };
            assert!(!ran.stdout.contains(steers), "{what}: {:?}", ran.stdout);
            assert_eq!((ran.code, ran.stderr.as_str()), (2, ""), "{what}: {args:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn nor_does_its_name() {
    let name = "a\u{1b}[31m\u{202e}\nb.toml";
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("{}{name}", std::process::id()));
    fs::write(&path, "schema = 7").expect("the document can be written");
    for look in ["lint", "test"] {
        let ran = run(&[look, path.to_str().expect("it is text")], "");
        assert_eq!(ran.code, 2);
        assert!(
            ran.stdout.contains("a\\u{1b}[31m\\u{202e}\\nb.toml:1:10\n"),
            "{ran:?}"
        );
        assert!(!ran.stdout.contains(['\u{1b}', '\u{202e}']), "{ran:?}");
    }
    fs::remove_file(&path).expect("it can be removed");
    let ran = run(&["lint", path.to_str().expect("it is text")], "");
    assert_eq!((ran.code, ran.stderr.lines().count()), (2, 1), "{ran:?}");
    assert!(!ran.stderr.contains(['\u{1b}', '\u{202e}']), "{ran:?}");
}

#[test]
fn the_place_is_told_as_it_is_in_the_document_and_underlined_as_it_is_shown() {
    let tab = "schema = 'gatefold/policy/v1'\r\n\tmode\t=\t'x'\r\n";
    let marks = "\u{feff}schema = 'gatefold/policy/v1' \nmode = 'x' # e\u{301}\u{301} \u{202e}\n";
    let wide = "schema = 'gatefold/policy/v1'\nagents.'漢字'.rules.user.deny = ['Bash(x']\n";
    let combined =
        "schema = 'gatefold/policy/v1'\nagents.'e\u{301}'.rules.user.deny = ['Bash(x']\n";
    for (text, at, shown) in [
        (
            tab,
            ":2:9",
            "2 |     mode    =    'x'\n  |                  ^^^\n",
        ),
        (
            marks,
            ":2:8",
            "2 | mode = 'x' # e\u{301}\u{301} \\u{202e}\n  |        ^^^\n",
        ),
        (
            wide,
            ":2:32",
            "2 | agents.'漢字'.rules.user.deny = ['Bash(x']\n  |                                  ^^^^^^^^\n",
        ),
        (
            combined,
            ":2:32",
            "2 | agents.'e\u{301}'.rules.user.deny = ['Bash(x']\n  |                               ^^^^^^^^\n",
        ),
    ] {
        let file = File::new("places", text.as_bytes());
        let said = file.run(&["lint"]).stdout;
        assert!(said.contains(&format!("{}{at}\n", file.path())), "{said}");
        assert!(said.contains(shown), "{said}");
    }
}

#[test]
fn of_a_long_line_the_part_near_the_place_is_shown() {
    let long = "'Bash(ls)',".repeat(50_000);
    let text = format!("{HEAD}[rules.user]\ndeny = [{long}'Bash(rm',{long}]\n");
    let file = File::new("long", text.as_bytes());
    let said = file.run(&["lint"]).stdout;
    assert!(
        said.contains(&format!("{}:3:550009\n", file.path())),
        "{said:.2000}"
    );
    let lines: Vec<_> = said.lines().collect();
    let row = lines
        .iter()
        .position(|line| line.starts_with("3 | "))
        .expect("its line");
    let width = |line: &str| line.chars().count();
    assert!(width(lines[row]) < 200, "{}", lines[row]);
    let under = lines[row + 1];
    let start = width(&under[..under.find('^').expect("a mark")]);
    let marked: String = lines[row].chars().skip(start).take(9).collect();
    assert_eq!(marked, "'Bash(rm'", "{said:.2000}");
}

#[test]
fn a_word_of_megabytes_is_clipped_for_a_person() {
    let long = "x".repeat(4 << 20);
    for text in [
        format!("{HEAD}mode = '{long}'\n"),
        format!("{HEAD}{long} = 1\n"),
        format!("{HEAD}[[test]]\ncall = '{long}'\nwant = '{long}'\nmode = '{long}'\n"),
        format!("{HEAD}[[test]]\ncall = 'Bash({long})'\nwant = 'deny'\nrule = '{long}'\n"),
    ] {
        let file = File::new("word", text.as_bytes());
        for look in ["lint", "test"] {
            let ran = file.run(&[look]);
            assert_eq!(ran.code, 2);
            let bytes = ran.stdout.len();
            assert!(bytes < 64 << 10, "{look}: {bytes}: {}", &text[30..60]);
        }
    }
}

#[test]
fn a_hundred_thousand_problems_are_told_every_one() {
    const PROBLEMS: usize = 99_999;
    for (between, line) in [(",", 3), (",\n", 4)] {
        let rules = format!("'Bash(rm'{between}").repeat(PROBLEMS);
        let file = File::new(
            "many",
            format!("{HEAD}[rules.user]\ndeny = [{rules}]\n").as_bytes(),
        );
        let started = std::time::Instant::now();
        let said = file.run(&["lint"]).stdout;
        let told = said.matches("error[rule_unbalanced]: ").count();
        assert_eq!(told, PROBLEMS);
        assert!(said.ends_with("is not loaded: 99999 errors, no warnings, no test was run\n"));
        let data = parse(&file.run(&["lint", "--format", "json"]).stdout);
        let problems = data["problems"].as_array().expect("a list");
        assert_eq!(problems.len(), PROBLEMS);
        assert_eq!(problems[1]["place"]["line"], line);
        // It is linear: had each problem its line read anew, this would take minutes.
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "{:?}",
            started.elapsed()
        );
    }
}

#[test]
fn a_document_is_read_no_further_than_one_may_be_long() {
    let file = File::new("large", &vec![b'#'; (16 << 20) + 1]);
    let ran = file.run(&["lint"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stdout.starts_with("error[document_too_large]: "),
        "{ran:?}"
    );
    let file = File::new(
        "whole",
        format!("{HEAD}#{}", "#".repeat((16 << 20) - 31)).as_bytes(),
    );
    let ran = file.run(&["lint"]);
    assert!(
        ran.stdout.ends_with(": no errors, no warnings, no tests\n"),
        "{ran:.2000?}"
    );
    assert_eq!(ran.code, 0);
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_document_and_a_pipe_without_a_writer_are_refused() {
    let ran = run(&["lint", "/dev/zero"], "");
    assert_eq!((ran.code, ran.stderr.as_str()), (2, ""));
    assert!(
        ran.stdout.starts_with("error[document_too_large]: "),
        "{ran:?}"
    );
    let pipe = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("p{}", std::process::id()));
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    for look in ["lint", "test"] {
        let ran = run(&[look, pipe.to_str().expect("it is text")], "");
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
        assert!(ran.stderr.contains("it is a named pipe"), "{ran:?}");
    }
    fs::remove_file(&pipe).expect("it can be removed");
    // What a shell hands over is a pipe too, and has its writer.
    let ran = run(&["lint", "/dev/stdin"], HEAD);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_told() {
    let full = fs::File::options()
        .write(true)
        .open("/dev/full")
        .expect("it opens");
    let file = File::new("unwritten", HEAD.as_bytes());
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_gatefold"))
        .args(["lint", &file.path()])
        .stdout(full)
        .output()
        .expect("it ends");
    assert_eq!(ran.status.code(), Some(74));
    assert!(String::from_utf8_lossy(&ran.stderr).ends_with("[unwritable_output]\n"));
}

/// A document in a file of its own, gone with it.
struct File(PathBuf);

impl File {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let path = folder.join(format!("lint-{name}-{}.toml", std::process::id()));
        fs::write(&path, bytes).expect("the document can be written");
        Self(path)
    }

    fn path(&self) -> String {
        self.0.display().to_string()
    }

    fn run(&self, args: &[&str]) -> Run {
        run(&[args, &[&self.path()]].concat(), "")
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
