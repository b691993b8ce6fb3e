//! Any text as a shell line: what its plan holds, held against a second reader, against the plan by
//! which it may be allowed, and against what becomes of it under a deny and an allow.

use std::sync::{Arc, LazyLock};

use gatefold::gate::{Mode, Verdict};
use gatefold_policy::{
    COMMANDS_MAX, Command, Effect, Layer, Origin, Plan, Platform, Policy, WORDS_MAX, Word,
};

use super::lexer::{Lexed, lex};
use super::{See, judged};

/// What a line is put into that runs it whole: `@` is the line, `Q` the line in single quotes.
const WRAPPINGS: &[&str] = &[
    "( @\n)",
    "{ @\n}",
    "if a; then @\nfi",
    "a && {\n@\n}",
    "a <(@\n)",
    "x=$(@\n)",
    "bash -c Q",
    "eval Q",
    "sudo bash -c Q",
];

/// A policy without a rule; the paths that it protects are read once.
static EMPTY: LazyLock<Policy> = LazyLock::new(|| Policy::empty(Platform::Linux));

/// Why a line is not read that seems to assign to what the shell goes by.
const ASSIGNS: &str = "an assignment may change what runs";

/// Reads a line in every shell, and judges it.
///
/// # Panics
/// If the plan loses a command that a second reader or a wrapping sees, if an allow could rest on
/// more than is certain, if a deny of a command of it is not heard, or an allow covers what is added.
pub fn shell_plan(line: &str, see: See<'_>) {
    let plan = Plan::of(line, "bash", Platform::Linux);
    assert_eq!(
        plan,
        Plan::of(line, "bash", Platform::Linux),
        "read twice, it is another plan"
    );
    bounded(&plan, see);
    let certain = Plan::certain(line, "bash", Platform::Linux);
    less_is_certain(&certain, &plan);
    lexed(line, &plan, see);
    plain(line, see);
    let posix = Plan::of(line, "sh", Platform::Linux);
    bounded(&posix, see);
    wrapped(line, &plan);
    denied(line, &plan, see);
    allowed(line, &plan, &certain, see);
}

fn bounded(plan: &Plan, see: See<'_>) {
    assert!(plan.commands.len() <= COMMANDS_MAX);
    let words: usize = plan
        .commands
        .iter()
        .map(|command| command.words.len())
        .sum();
    assert!(words <= WORDS_MAX);
    for (place, command) in plan.commands.iter().enumerate() {
        see(format_args!("{:?}", command.origin));
        assert!(!command.words.is_empty(), "a command has a word");
        if let Some(carried) = command.carried {
            let by = plan.commands.get(carried.by);
            assert!(
                by.is_some() && carried.by != place,
                "another command carries it"
            );
        }
    }
    match &plan.fault {
        None => see(format_args!("read")),
        Some(fault) => see(format_args!("fault {}", fault.why)),
    }
}

/// Whatever an allow may rest on is known to a deny as well.
fn less_is_certain(certain: &Plan, plan: &Plan) {
    if certain.fault.is_some() {
        return;
    }
    // Who denies takes a word of any command for a builtin that assigns; who allows need not.
    let fault = plan.fault.as_ref().map(|fault| fault.why);
    assert!(
        fault.is_none_or(|why| why == ASSIGNS),
        "what is certain is read: {fault:?}"
    );
    assert_eq!(
        certain.commands.len(),
        plan.commands.len(),
        "{certain:?}\n{plan:?}"
    );
    for (certain, command) in certain.commands.iter().zip(&plan.commands) {
        if certain.words.len() == command.words.len() {
            for (certain, word) in certain.words.iter().zip(&command.words) {
                assert!(certain.text().is_none() || certain.text() == word.text());
            }
        }
        assert!(!certain.silent || command.silent, "{certain:?}");
    }
}

/// The commands that a second reader sees are those of the line itself, word for word.
fn lexed(line: &str, plan: &Plan, see: See<'_>) {
    let lexed = match lex(line) {
        Lexed::Commands(commands) => commands,
        Lexed::Unclosed => {
            see(format_args!("lexed unclosed"));
            return assert!(plan.fault.is_some(), "a quote is not closed");
        }
        Lexed::Elsewhere => return,
    };
    see(format_args!("lexed"));
    let own = plan.commands.iter().filter(|command| {
        matches!(command.origin, Origin::List | Origin::Pipeline) && command.carried.is_none()
    });
    let own: Vec<Vec<_>> = own
        .map(|command| command.words.iter().map(|word| word.text()).collect())
        .collect();
    let lexed: Vec<Vec<_>> = lexed
        .iter()
        .map(|words| words.iter().map(|word| Some(word.as_str())).collect())
        .collect();
    // Behind a fault nothing more has to be known.
    let until = if plan.fault.is_some() {
        own.len()
    } else {
        lexed.len()
    };
    assert_eq!(Some(own.as_slice()), lexed.get(..until), "{:?}", plan.fault);
}

/// Of zsh only lines of plain words are read, and they are its words.
fn plain(line: &str, see: See<'_>) {
    let zsh = Plan::of(line, "zsh", Platform::Linux);
    if zsh.fault.is_none() {
        see(format_args!("plain"));
        let words: Vec<_> = line.split_ascii_whitespace().collect();
        let first = zsh.commands.first().map(Command::part).unwrap_or_default();
        assert!(words.join(" ").ends_with(&first), "{first:?}");
    }
}

/// A line that is run whole by another one runs what it runs.
fn wrapped(line: &str, plan: &Plan) {
    if plan.fault.is_some() {
        return;
    }
    let wrapping = WRAPPINGS[line.len() % WRAPPINGS.len()];
    let quoted = || format!("'{}'", line.replace('\'', "'\\''"));
    let whole = match wrapping.split_once('@') {
        Some((before, after)) => format!("{before}{line}{after}"),
        None => wrapping.replace('Q', &quoted()),
    };
    let wrapped = Plan::of(&whole, "bash", Platform::Linux);
    if wrapped.fault.is_some() {
        return;
    }
    for command in &plan.commands {
        let is_there = wrapped
            .commands
            .iter()
            .any(|other| may_be(&other.words, &command.words));
        assert!(is_there, "{whole:?} does not run {:?}", command.part());
    }
}

/// Whether words of which some are not known may be these.
fn may_be(words: &[Word], these: &[Word]) -> bool {
    let known = words
        .iter()
        .position(|word| word.many)
        .unwrap_or(words.len());
    let is_long_enough = words.len() == these.len() || known < words.len();
    let mut pairs = words.iter().take(known).zip(these);
    is_long_enough && pairs.all(|(word, this)| word.unknown.is_some() || word.text == this.text)
}

/// A deny of the program of any command of a line is heard.
fn denied(line: &str, plan: &Plan, see: See<'_>) {
    let programs = plan.commands.iter().filter_map(Command::program);
    let programs: Vec<_> = programs.filter(|program| is_plain(program)).collect();
    let Some(program) = programs.get(line.len() % programs.len().max(1)) else {
        return;
    };
    let mut policy = EMPTY.clone();
    let rule = format!("Bash({program}:*)");
    let added = policy
        .add(Effect::Allow, Layer::User, "Bash")
        .and_then(|()| policy.add(Effect::Deny, Layer::User, &rule));
    if added.is_err() {
        return;
    }
    let verdict = judged::line(&Arc::new(policy), Mode::Bypass, line);
    see(format_args!("denied {verdict}"));
    let wanted = if plan.fault.is_none() {
        Verdict::Deny
    } else {
        verdict
    };
    assert!(
        verdict != Verdict::Allow && verdict == wanted,
        "{rule}: {verdict}"
    );
}

/// An allow of a line's first command covers no other.
fn allowed(line: &str, plan: &Plan, certain: &Plan, see: See<'_>) {
    let Some(first) = plan.commands.first() else {
        return;
    };
    if !first
        .words
        .iter()
        .all(|word| word.text().is_some_and(is_plain))
    {
        return;
    }
    let mut policy = EMPTY.clone();
    let rule = format!("Bash({})", first.part());
    if policy.add(Effect::Allow, Layer::User, &rule).is_err() {
        return;
    }
    let verdict = judged::line(&Arc::new(policy), Mode::Default, line);
    see(format_args!("allowed {verdict}"));
    if verdict != Verdict::Allow {
        return;
    }
    assert!(
        plan.fault.is_none() && certain.fault.is_none(),
        "{:?}",
        plan.fault
    );
    let mut covered = Vec::new();
    for command in &plan.commands {
        // What a command that is allowed by its very words runs stands in those words.
        let carried = command
            .carried
            .and_then(|carried| covered.get(carried.by).copied());
        let is_covered = command.words == first.words || command.silent || carried == Some(true);
        assert!(is_covered, "{rule} covers {:?}", command.part());
        covered.push(is_covered);
    }
}

fn is_plain(word: &str) -> bool {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "_./-".contains(char);
    !word.is_empty() && word.chars().all(is_plain)
}
