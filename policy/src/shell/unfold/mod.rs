//! From a line to its plan: variables with one value put in, and whatever a command runs in its
//! turn read as a command of its own.

mod braces;
mod builtins;
mod carriers;
mod certain;
mod condition;
mod within;
mod words;

use std::collections::{BTreeMap, VecDeque};

pub(super) use condition::check as condition;

use super::plan::{
    COMMANDS_MAX, Carried, Command, Fault, FileUse, NESTING_MAX, Origin, Plan, WORDS_MAX, Word,
};
use super::reader::{
    self, Notes, RawAssignment, RawCommand, RawRedirect, RawWord, Source, SourceKind, Target,
};
use super::tables::{changes_what_runs, is_harmless_assignment, is_ordinary};
use crate::tools::Platform;
use words::Values;

/// How a line is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dialect {
    /// Whether bash reads it; else a shell of which only what POSIX says is known.
    pub(super) bash: bool,
    /// Only what is certain is read without a fault, and no variable has a value.
    pub(super) certain: bool,
    pub(super) platform: Platform,
}

/// What is made of a line.
pub(super) struct Unfolded {
    pub(super) plan: Plan,
    /// For a test of how they grow.
    #[cfg_attr(not(test), allow(dead_code, reason = "a test counts them"))]
    pub(super) steps: usize,
    /// Variables are assigned.
    pub(super) assigns: bool,
    /// Texts that a shell may run which stands at a later word of another program, and whether bash
    /// reads them.
    pub(super) perhaps: Vec<(String, bool)>,
    /// Such a text that is not known.
    pub(super) unread: Option<Fault>,
}

/// A line of its own.
struct Text {
    line: String,
    bash: bool,
    depth: usize,
    /// The command that runs it.
    by: Option<usize>,
}

/// What a command reads.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stdin {
    Inherited,
    Text(String),
    Unknown,
}

/// A command whose program is to be looked up.
struct Pending {
    at: usize,
    bash: bool,
    depth: usize,
    stdin: Stdin,
}

/// A plan in the making.
struct Unfolding {
    platform: Platform,
    certain: bool,
    plan: Plan,
    assigns: bool,
    texts: VecDeque<Text>,
    pending: VecDeque<Pending>,
    perhaps: Vec<(String, bool)>,
    unread: Option<Fault>,
    /// Words of the plan so far.
    words: usize,
    steps: usize,
}

/// The plan of a line.
pub(super) fn unfold(line: &str, dialect: Dialect) -> Unfolded {
    let mut unfolding = Unfolding {
        platform: dialect.platform,
        certain: dialect.certain,
        plan: Plan::default(),
        assigns: false,
        texts: VecDeque::from([Text {
            line: line.to_owned(),
            bash: dialect.bash,
            depth: 0,
            by: None,
        }]),
        pending: VecDeque::new(),
        perhaps: Vec::new(),
        unread: None,
        words: 0,
        steps: 0,
    };
    while let Some(text) = unfolding.texts.pop_front() {
        unfolding.text(text);
    }
    Unfolded {
        plan: unfolding.plan,
        steps: unfolding.steps,
        assigns: unfolding.assigns,
        perhaps: unfolding.perhaps,
        unread: unfolding.unread,
    }
}

impl Unfolding {
    fn fault(&mut self, why: &'static str, part: &str) {
        self.note(Fault::at(why, part));
    }

    fn note(&mut self, fault: Fault) {
        self.plan.fault.get_or_insert(fault);
    }

    fn text(&mut self, text: Text) {
        let Text {
            line: text,
            bash,
            depth,
            by,
        } = text;
        if depth > NESTING_MAX {
            return self.note(Fault::whole("it nests too deep"));
        }
        let mut notes = Notes::default();
        let source = Source {
            text: text.clone(),
            kind: SourceKind::Commands,
            depth,
            at: None,
            origin: if by.is_some() {
                Origin::Text
            } else {
                Origin::List
            },
        };
        let dialect = Dialect {
            bash,
            certain: self.certain,
            platform: self.platform,
        };
        reader::read(source, dialect, &mut notes);
        self.steps = self.steps.saturating_add(notes.steps);
        if !self.certain {
            words::note_builtins(&mut notes);
        }
        if let Some(fault) = notes.fault.take() {
            self.note(fault);
        }
        if self.certain
            && let Some(part) = letter_of_two_bytes(&text)
        {
            self.fault("another locale may take this for one character", part);
        }
        let harmless = harmless_assignments(&notes);
        let mut all: BTreeMap<&str, usize> = BTreeMap::new();
        for assigned in &notes.assigned {
            let count = all.entry(&assigned.name).or_default();
            *count = count.saturating_add(1);
        }
        for (name, count) in all {
            let is_harmless = harmless.get(name) == Some(&count);
            let changes = changes_what_runs(name) || (self.certain && !is_ordinary(name));
            if changes && !is_harmless {
                self.fault("an assignment may change what runs", name);
            }
        }
        let values = if self.certain {
            Values::default()
        } else {
            Values::of(&notes)
        };
        self.assigns |= !notes.assigned.is_empty();
        for (name, at) in &notes.evaluated {
            if !values.is_number(name, *at) {
                self.fault("what it holds is evaluated", name);
            }
        }
        for redirect in &notes.redirects {
            self.redirect(redirect, &values);
        }
        for command in &notes.commands {
            self.raw(command, &values, &notes, bash, depth, by);
        }
        while let Some(pending) = self.pending.pop_front() {
            self.look_up(&pending);
        }
    }

    fn raw(
        &mut self,
        command: &RawCommand,
        values: &Values<'_>,
        notes: &Notes,
        bash: bool,
        depth: usize,
        by: Option<usize>,
    ) {
        let RawCommand {
            words,
            assignments,
            redirects,
            origin,
        } = command;
        let mut stdin = Stdin::Inherited;
        for redirect in redirects {
            self.redirect(redirect, values);
            if redirect.input {
                stdin = match (&stdin, &redirect.target) {
                    (Stdin::Inherited, Target::Document(number)) => {
                        let body = notes.documents.get(*number).cloned().flatten();
                        body.map_or(Stdin::Unknown, Stdin::Text)
                    }
                    (Stdin::Inherited, Target::Text(word)) => match word.literal() {
                        Some(text) => Stdin::Text(text.to_owned()),
                        None => Stdin::Unknown,
                    },
                    _ => Stdin::Unknown,
                };
            }
        }
        if words.is_empty() {
            return;
        }
        for assignment in assignments {
            if !is_harmless(command, assignment) {
                self.fault("an assignment may change what runs", &assignment.source);
            }
        }
        // Which program runs is not told from braces.
        let (first, rest) = words.split_at_checked(1).unwrap_or((words, &[]));
        let mut resolved = Vec::with_capacity(words.len());
        resolved.extend(first.iter().map(|word| values.resolve(word)));
        for word in rest {
            match bash.then(|| braces::expanded(word)).flatten() {
                Some(words) => resolved.extend(words.iter().map(|word| values.resolve(word))),
                None => resolved.push(values.resolve(word)),
            }
        }
        let carried = by.map(|by| Carried {
            by,
            word: None,
            same: false,
        });
        self.push(resolved, *origin, carried, bash, depth, stdin);
    }

    /// A command of the plan, to be looked up.
    fn push(
        &mut self,
        words: Vec<Word>,
        origin: Origin,
        carried: Option<Carried>,
        bash: bool,
        depth: usize,
        stdin: Stdin,
    ) {
        let at = self.plan.commands.len();
        if at >= COMMANDS_MAX {
            return self.note(Fault::whole("it holds too many commands"));
        }
        if depth > NESTING_MAX {
            return self.note(Fault::whole("it nests too deep"));
        }
        self.words = self.words.saturating_add(words.len());
        if self.words > WORDS_MAX {
            return self.note(Fault::whole("it holds too many words"));
        }
        self.steps = self.steps.saturating_add(words.len());
        self.plan.commands.push(Command {
            words,
            origin,
            carried,
            silent: false,
        });
        self.pending.push_back(Pending {
            at,
            bash,
            depth,
            stdin,
        });
    }

    fn redirect(&mut self, redirect: &RawRedirect, values: &Values<'_>) {
        let Target::File { word, writes } = &redirect.target else {
            return;
        };
        let target = values.resolve(word);
        if let Some(text) = target.text().filter(|text| is_connection(text)) {
            self.fault("it opens a connection", text);
        }
        if !word.process && target.text() != Some("/dev/null") {
            self.plan.files.push(FileUse {
                target,
                writes: *writes,
            });
        }
    }
}

/// How often each variable is assigned in a way that changes nothing of what is run.
fn harmless_assignments(notes: &Notes) -> BTreeMap<&str, usize> {
    let mut harmless = BTreeMap::new();
    for command in &notes.commands {
        for assignment in &command.assignments {
            if is_harmless(command, assignment) {
                let count: &mut usize = harmless.entry(assignment.name.as_str()).or_default();
                *count = count.saturating_add(1);
            }
        }
    }
    harmless
}

/// Whether an assignment changes nothing of what is run: by its name and value, or since it only
/// says where `read` parts its input, and is taken back when that is done.
fn is_harmless(command: &RawCommand, assignment: &RawAssignment) -> bool {
    let RawAssignment {
        name,
        source,
        expands,
        ..
    } = assignment;
    let is_read = command.words.first().and_then(RawWord::literal) == Some("read");
    !expands && ((is_read && name == "IFS") || is_harmless_assignment(source))
}

/// A letter beyond ASCII and the sign behind it, which some locales read as one letter, so that the
/// sign means nothing.
fn letter_of_two_bytes(text: &str) -> Option<&str> {
    let mut before: Option<(usize, char)> = None;
    for (at, char) in text.char_indices() {
        if let Some((from, letter)) = before
            && !letter.is_ascii()
            && "\\`{|}[]~^@".contains(char)
        {
            return text.get(from..at.saturating_add(1));
        }
        before = Some((at, char));
    }
    None
}

/// Whether bash takes this name of a file for a host and a port.
fn is_connection(target: &str) -> bool {
    target.starts_with("/dev/tcp/") || target.starts_with("/dev/udp/")
}

/// The words of a command, unless one of them is not known.
fn known(words: &[Word]) -> Option<Vec<&str>> {
    words.iter().map(Word::text).collect()
}
