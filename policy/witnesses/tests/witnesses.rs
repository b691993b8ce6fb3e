//! Every simple command that a witness sees in a line that we read whole stands in our plan of it,
//! unless it is known why the witness is wrong; what our plans hold beyond that is counted.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "witnesses are asked outside of the deciders, in threads with large stacks"
)]

use std::fs;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use gatefold_policy::{Plan, Platform, Word};
use gatefold_witnesses::{Seen, brush, tree_sitter};

const CORPORA: [&str; 3] = ["hostile.jsonl", "generated.jsonl", "everyday.jsonl"];

/// How long `brush-parser` may take for a line, and the stack that it has, in bytes.
const TIME_MAX: Duration = Duration::from_secs(10);
const STACK_BYTES: usize = 256 << 20;

/// What a witness sees in a line, and our plan of the line does not hold.
struct Odd<'a> {
    line: &'a str,
    plan: &'a Plan,
    seen: &'a Seen,
}

/// What a witness takes for true, and the commands that it therefore invents: bash runs none such.
type Belief = (&'static str, fn(&Odd<'_>) -> bool);

const BRUSH: [Belief; 2] = [
    ("`--` behind `time` is a program", |odd| {
        odd.line == "time -- evil"
    }),
    ("a here-document ends behind a line that goes on", |odd| {
        odd.line == "cat <<EOF\nx\\\nEOF\nevil\nEOF"
    }),
];

const TREE_SITTER: [Belief; 8] = [
    ("`time` and `coproc` are programs", |odd| {
        let is_keyword = |word: &Option<String>| {
            let word = word.as_deref();
            word == Some("time") || word == Some("coproc")
        };
        odd.seen.0.iter().take(2).any(is_keyword)
    }),
    ("a word ends where its line goes on", |odd| {
        let joined = odd.line.replace("\\\n", "");
        let seen = tree_sitter::commands(&joined);
        joined != odd.line && seen.is_none_or(|seen| !seen.contains(odd.seen))
    }),
    ("words behind a redirection belong to no command", |odd| {
        let mut commands = odd.plan.commands.iter();
        odd.line.contains(['<', '>']) && commands.any(|command| is_part(odd.seen, &command.words))
    }),
    ("a line that begins with a backslash is no new one", |odd| {
        odd.line.contains("\n\\")
    }),
    ("between backquotes a backslash stays what it is", |odd| {
        odd.line.contains('`') && odd.line.contains("\\\\")
    }),
    ("a carriage return is a blank", |odd| {
        odd.line.contains('\r')
    }),
    ("`{` behind `!` is a program", |odd| {
        odd.line.contains("! {")
    }),
    ("a here-document ends elsewhere, or sums are run", |odd| {
        odd.line.starts_with("cat <<EOF\n")
    }),
];

/// What came of a corpus.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    /// Lines that we read whole.
    whole: usize,
    /// Of those, the ones that the witness reads, and the ones that it is not given.
    read: usize,
    kept_back: usize,
    /// Commands that the witness sees.
    seen: usize,
    /// Of those, the ones that it invents, by what it takes for true.
    invented: Vec<usize>,
    /// Commands of our plans that it does not see, since another command of the line runs them: it
    /// reads no text that a shell is given, and knows no carriers.
    run_by_others: usize,
    /// Other commands of our plans that it does not see: it misses them.
    missed: usize,
}

impl Count {
    /// The figures in the order of the fields.
    fn of(
        [whole, read, kept_back, seen]: [usize; 4],
        invented: &[usize],
        [run_by_others, missed]: [usize; 2],
    ) -> Self {
        Self {
            whole,
            read,
            kept_back,
            seen,
            invented: invented.to_vec(),
            run_by_others,
            missed,
        }
    }
}

#[test]
fn brush_sees_no_command_that_our_plans_do_not_hold() {
    let pinned = [
        Count::of([545, 539, 0, 859], &[1, 2], [185, 6]),
        Count::of([1_211, 1_142, 54, 6_005], &[0, 0], [1_894, 0]),
        Count::of([1_470, 1_469, 1, 2_540], &[0, 0], [54, 0]),
    ];
    compare(ask_brush, &BRUSH, &pinned);
}

#[test]
fn tree_sitter_sees_no_command_that_our_plans_do_not_hold() {
    let pinned = [
        Count::of([545, 537, 0, 845], &[14, 8, 3, 0, 0, 1, 0, 3], [185, 29]),
        Count::of(
            [1_211, 1_178, 0, 6_121],
            &[170, 187, 13, 5, 1, 0, 15, 0],
            [2_147, 150],
        ),
        Count::of(
            [1_470, 1_470, 0, 2_530],
            &[3, 0, 8, 0, 0, 0, 0, 0],
            [54, 10],
        ),
    ];
    compare(ask_tree_sitter, &TREE_SITTER, &pinned);
}

/// What a witness says of a line.
enum Said {
    /// It is too long or too deep to be given to the witness.
    KeptBack,
    NotRead,
    Read(Vec<Seen>),
}

fn compare(ask: fn(&str) -> Said, beliefs: &[Belief], pinned: &[Count]) {
    let mut unexplained = Vec::new();
    let mut counts = Vec::new();
    for file in CORPORA {
        let mut count = Count {
            invented: vec![0; beliefs.len()],
            ..Count::default()
        };
        for line in corpus(file) {
            let plan = Plan::of(&line, "bash", Platform::Linux);
            if plan.fault.is_some() {
                continue;
            }
            count.whole += 1;
            let all = match ask(&line) {
                Said::KeptBack => {
                    count.kept_back += 1;
                    continue;
                }
                Said::NotRead => continue,
                Said::Read(all) => all,
            };
            count.read += 1;
            count.seen += all.len();
            let is_planned = |seen: &Seen| {
                let mut commands = plan.commands.iter();
                commands.any(|command| may_be(seen, &command.words))
            };
            for seen in all.iter().filter(|seen| !is_planned(seen)) {
                let odd = Odd {
                    line: &line,
                    plan: &plan,
                    seen,
                };
                match beliefs.iter().position(|(_, invents)| invents(&odd)) {
                    Some(belief) => count.invented[belief] += 1,
                    None => unexplained.push((line.clone(), seen.clone())),
                }
            }
            for command in &plan.commands {
                if !all.iter().any(|seen| may_be(seen, &command.words)) {
                    let is_run = command.carried.is_some();
                    count.run_by_others += usize::from(is_run);
                    count.missed += usize::from(!is_run);
                }
            }
        }
        println!("{file}: {count:?}");
        counts.push(count);
    }
    for (at, (belief, _)) in beliefs.iter().enumerate() {
        let invented: usize = counts.iter().map(|count| count.invented[at]).sum();
        println!("{invented} invented: {belief}");
    }
    assert!(unexplained.is_empty(), "{unexplained:#?}");
    assert_eq!(counts, pinned, "what the witnesses see has changed");
}

fn ask_brush(line: &str) -> Said {
    if !brush::dares(line) {
        return Said::KeptBack;
    }
    let (sender, receiver) = mpsc::channel();
    let owned = line.to_owned();
    let run = move || sender.send(brush::commands(&owned));
    let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn(run);
    thread.expect("a thread");
    let seen = receiver.recv_timeout(TIME_MAX).expect("an answer in time");
    seen.map_or(Said::NotRead, Said::Read)
}

fn ask_tree_sitter(line: &str) -> Said {
    tree_sitter::commands(line).map_or(Said::NotRead, Said::Read)
}

fn corpus(file: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus");
    let text = fs::read_to_string(folder.join(file)).expect("a corpus");
    let rows = text.lines().map(|row| {
        let row: serde_json::Value = serde_json::from_str(row).expect("a row");
        let line = row.as_str().or_else(|| row["line"].as_str());
        line.expect("a line").to_owned()
    });
    rows.collect()
}

/// Whether what a witness saw may be these words of a plan.
fn may_be(seen: &Seen, words: &[Word]) -> bool {
    // For every number of words of the plan, whether the words seen so far may be those.
    let mut reached = vec![false; words.len() + 1];
    reached[0] = true;
    skip_many(&mut reached, words);
    for seen in &seen.0 {
        let mut next = vec![false; words.len() + 1];
        for at in (0..=words.len()).filter(|at| reached[*at]) {
            let Some(text) = seen else {
                next[at..].fill(true);
                continue;
            };
            let Some(word) = words.get(at) else { continue };
            next[at] |= word.many;
            next[at + 1] |= word.text().is_none_or(|word| word == text);
        }
        skip_many(&mut next, words);
        reached = next;
    }
    reached[words.len()]
}

/// Words of a plan that may be none at all.
fn skip_many(reached: &mut [bool], words: &[Word]) {
    for (at, word) in words.iter().enumerate() {
        reached[at + 1] |= reached[at] && word.many;
    }
}

/// Whether what a witness saw are words of these in their order, the first as the first.
fn is_part(seen: &Seen, words: &[Word]) -> bool {
    let mut rest = words.iter();
    let known = seen.0.iter().flatten();
    let first = seen.0.first().and_then(Option::as_deref);
    let program = words.first().and_then(Word::text);
    first.is_some()
        && first == program
        && known
            .into_iter()
            .all(|text| rest.any(|word| word.text().is_none_or(|word| word == text)))
}

#[test]
fn words_that_are_not_known_may_be_others_and_known_ones_may_not() {
    for (seen, line, may) in [
        (vec![Some("a"), Some("b")], "a b", true),
        (vec![Some("a"), Some("c")], "a b", false),
        (vec![Some("a")], "a b", false),
        (vec![Some("a"), None], "a b c", true),
        (vec![Some("a"), Some("b")], "a \"$x\"", true),
        (vec![Some("a"), Some("b"), Some("c")], "a \"$x\"", false),
        (vec![Some("a"), Some("b"), Some("c")], "a $x", true),
        (vec![Some("a")], "a $x", true),
        (vec![None, Some("b")], "a b", true),
        (vec![Some("b")], "a b", false),
    ] {
        let seen = Seen(seen.iter().map(|word| word.map(str::to_owned)).collect());
        let plan = Plan::of(line, "bash", Platform::Linux);
        assert_eq!(
            may_be(&seen, &plan.commands[0].words),
            may,
            "{seen:?} {line}"
        );
    }
}
