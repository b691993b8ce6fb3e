//! Programs that run what they are given: shells, carriers, `find`.

use super::super::plan::{Carried, Fault, Origin, Word};
use super::super::tables::{
    Carrier, GIT, GIT_KEYS, Hands, Shell, carrier, is_harmless_assignment, is_silent, not_read,
    runs_no_argument, shell,
};
use super::{Pending, Stdin, Unfolding, known};

const NO_PROGRAM: &str = "which program it is cannot be known";
const OPTIONS: &str = "its options are not read here, so what it runs is not known";
const SHELL_INPUT: &str = "a shell runs what it reads";
const SHELL_TEXT: &str = "a shell runs a text that is not known";
const ENVIRONMENT: &str = "an assignment may change what runs";
const FROM_INPUT: &str = "it is read from the input";
const FOUND: &str = "it is the name of a file that is found";

/// How far a carrier's options go.
struct Options<'w> {
    /// The first word behind them.
    rest: usize,
    /// It runs nothing.
    shows: bool,
    /// What is replaced by input (`xargs -I`).
    replaces: Option<&'w str>,
    /// How many words of input it takes is said, which takes `-I` back.
    limits: bool,
    /// The values of `-c`.
    settings: Vec<&'w str>,
}

impl Unfolding {
    /// Finds out what else a command runs.
    pub(super) fn look_up(&mut self, pending: &Pending) {
        let Some(command) = self.plan.commands.get_mut(pending.at) else {
            return;
        };
        // What is looked up reads no words of the plan but these.
        let words = std::mem::take(&mut command.words);
        self.look_up_words(&words, pending);
        if let Some(command) = self.plan.commands.get_mut(pending.at) {
            command.words = words;
        }
    }

    fn look_up_words(&mut self, words: &[Word], pending: &Pending) {
        self.steps = self.steps.saturating_add(words.len());
        let Some(first) = words.first() else {
            return;
        };
        let program = match first.text() {
            Some(program) if !program.is_empty() => program,
            Some(_) | None => {
                let part = first.text.clone();
                return self.fault(NO_PROGRAM, &part);
            }
        };
        let name = self.platform.program(program);
        let is_silent = is_silent(&name) && program == name;
        if let Some(command) = self.plan.commands.get_mut(pending.at) {
            command.silent = is_silent;
        }
        self.builtin(&name, words, pending);
        let shell = shell(&name);
        if let Some(shell) = shell {
            let ran = self.shell(shell, words, pending);
            self.or_fault(ran);
        }
        let carrier = carrier(&name);
        if let Some(carrier) = carrier {
            let ran = self.carrier(carrier, words, pending);
            self.or_fault(ran);
        }
        if name == "find" {
            let ran = self.find(words, pending);
            self.or_fault(ran);
        }
        if name == "git" {
            let ran = self.git(words, pending);
            self.or_fault(ran);
        }
        if let Some(why) = not_read(&name) {
            self.fault(why, program);
        }
        let is_read = is_silent
            || shell.is_some()
            || carrier.is_some()
            || runs_no_argument(&name)
            || name == "find";
        if !is_read {
            self.shells_within(words, pending);
        }
        // A program of git's own, under the name by which git runs it.
        if let Some(command) = name
            .strip_prefix("git-")
            .filter(|command| !command.is_empty())
        {
            let rest = words.iter().skip(1).cloned();
            let words = [Word::known("git"), Word::known(command)];
            self.carry(words.into_iter().chain(rest).collect(), None, true, pending);
        }
    }

    fn or_fault(&mut self, ran: Result<(), Fault>) {
        if let Err(fault) = ran {
            self.note(fault);
        }
    }

    fn carrier(
        &mut self,
        carrier: &Carrier,
        words: &[Word],
        pending: &Pending,
    ) -> Result<(), Fault> {
        let options = options(carrier, words)?;
        if options.shows {
            return Ok(());
        }
        let mut rest = options.rest;
        for _ in 0..carrier.operands {
            match words.get(rest) {
                Some(word) if word.many => return Err(Fault::at(OPTIONS, &word.text)),
                Some(_) => rest = rest.saturating_add(1),
                None => return Ok(()),
            }
        }
        if carrier.hands == Hands::Environment {
            while let Some(word) = words.get(rest).filter(|word| word.text.contains('=')) {
                if !is_harmless_assignment(&word.text) || word.many {
                    self.fault(ENVIRONMENT, &word.text);
                }
                rest = rest.saturating_add(1);
            }
        }
        let mut handed: Vec<Word> = words.get(rest..).unwrap_or_default().to_vec();
        match carrier.hands {
            Hands::Words | Hands::Environment => {}
            Hands::Input => {
                if handed.is_empty() {
                    handed.push(Word::known("echo"));
                }
                if let Some(replaced) = options.replaces {
                    if options.limits {
                        return Err(Fault::at(OPTIONS, replaced));
                    }
                    for word in handed
                        .iter_mut()
                        .filter(|word| word.text.contains(replaced))
                    {
                        word.unknown = Some(FROM_INPUT);
                    }
                } else {
                    handed.push(Word {
                        text: "…".into(),
                        unknown: Some(FROM_INPUT),
                        many: true,
                        names: None,
                    });
                }
            }
            Hands::Line => {
                if handed.is_empty() {
                    // A shell elsewhere.
                    return Err(Fault::at(SHELL_INPUT, carrier.name));
                }
                begins_a_command(&handed)?;
                let text = known(&handed).ok_or(Fault::at(SHELL_TEXT, &first_unknown(&handed)))?;
                self.line(text.join(" "), false, pending);
                return Ok(());
            }
        }
        if handed.is_empty() {
            return Ok(());
        }
        begins_a_command(&handed)?;
        // A word that may be none, or several, may be the program's options or its name.
        self.carry(handed, Some(rest), false, pending);
        Ok(())
    }

    fn carry(&mut self, words: Vec<Word>, word: Option<usize>, same: bool, pending: &Pending) {
        let carried = Carried {
            by: pending.at,
            word,
            same,
        };
        let depth = pending.depth.saturating_add(1);
        let stdin = pending.stdin.clone();
        self.push(
            words,
            Origin::Carrier,
            Some(carried),
            pending.bash,
            depth,
            stdin,
        );
    }

    /// A shell: the text behind `-c`, or what it reads.
    fn shell(&mut self, shell: Shell, words: &[Word], pending: &Pending) -> Result<(), Fault> {
        let program = words.first().map_or("", |word| word.text.as_str());
        let (mut has_text, mut reads) = (false, false);
        let mut at = 1_usize;
        while let Some(word) = words.get(at) {
            let Some(text) = word.text() else { break };
            let Some(letters) = text.strip_prefix(['-', '+']) else {
                break;
            };
            at = at.saturating_add(1);
            if letters.is_empty() || letters == "-" {
                break;
            }
            if letters.starts_with('-') {
                if !matches!(letters, "-norc" | "-noprofile" | "-noediting") {
                    return Err(Fault::at(OPTIONS, text));
                }
                continue;
            }
            for letter in letters.chars() {
                match letter {
                    'c' => has_text = true,
                    's' => reads = true,
                    'e' | 'u' | 'x' | 'v' | 'f' | 'h' | 'C' | 'p' | 'r' => {}
                    'o' => {
                        let name = words.get(at).and_then(Word::text);
                        if name != Some("pipefail")
                            && name != Some("errexit")
                            && name != Some("nounset")
                        {
                            return Err(Fault::at(OPTIONS, text));
                        }
                        at = at.saturating_add(1);
                    }
                    _ => return Err(Fault::at(OPTIONS, text)),
                }
            }
        }
        let operand = words.get(at);
        let bash = match shell {
            Shell::Bash => true,
            Shell::Other if has_text || reads || operand.is_none() => {
                return Err(Fault::at("it is a shell that is not read here", program));
            }
            Shell::Posix | Shell::Other => false,
        };
        match (operand, has_text) {
            (Some(word), true) => match word.text() {
                Some(text) => {
                    self.line(text.to_owned(), bash, pending);
                    Ok(())
                }
                None => Err(Fault::at(SHELL_TEXT, &word.text)),
            },
            (None, true) => Ok(()),
            (Some(word), false) if !reads => match word.text() {
                // A file: what a program does is nothing that its words say. Under another name it
                // may be the input.
                Some(file) if !is_input(file) => {
                    if let Stdin::Text(text) = &pending.stdin {
                        self.line(text.clone(), bash, pending);
                    }
                    Ok(())
                }
                Some(_) | None => Err(Fault::at(SHELL_INPUT, &word.text)),
            },
            (Some(_) | None, false) => match &pending.stdin {
                Stdin::Text(text) => {
                    self.line(text.clone(), bash, pending);
                    Ok(())
                }
                Stdin::Inherited | Stdin::Unknown => Err(Fault::at(SHELL_INPUT, program)),
            },
        }
    }

    /// `find`: the commands behind `-exec` and its like.
    fn find(&mut self, words: &[Word], pending: &Pending) -> Result<(), Fault> {
        const EXEC: [&str; 4] = ["-exec", "-execdir", "-ok", "-okdir"];
        let text_at = |at: usize| words.get(at).and_then(Word::text);
        let is_end = |at: usize, asks: bool| {
            let before = at.checked_sub(1).and_then(text_at);
            let many = text_at(at) == Some("+") && before == Some("{}");
            text_at(at) == Some(";") || (many && !asks)
        };
        let mut at = 1_usize;
        let mut loose = None;
        while let Some(word) = words.get(at) {
            if word.many {
                return Err(Fault::at(OPTIONS, &word.text));
            }
            if word.unknown.is_some() {
                loose = Some(word);
                // It may be `-exec`, or take what follows for its value.
                let next = words.get(at.saturating_add(1));
                if next.is_some_and(|next| !next.text().is_some_and(is_sign)) {
                    return Err(Fault::at(OPTIONS, &word.text));
                }
            }
            if is_end(at, false) {
                // The end of a command whose beginning may be behind a variable.
                let part = loose.map_or(word.text.as_str(), |word| &word.text);
                return Err(Fault::at(OPTIONS, part));
            }
            if !text_at(at).is_some_and(|text| EXEC.contains(&text)) {
                at = at.saturating_add(1);
                continue;
            }
            let from = at.saturating_add(1);
            let asks = word.text.starts_with("-ok");
            let Some(end) = (from..words.len()).find(|at| is_end(*at, asks)) else {
                return Err(Fault::at(OPTIONS, &word.text));
            };
            let mut carried = words.get(from..end).unwrap_or_default().to_vec();
            begins_a_command(&carried)?;
            // An unknown word may have ended it before.
            let inner = carried.iter().filter_map(Word::text);
            if let Some(inner) = inner.into_iter().find(|text| EXEC.contains(text)) {
                return Err(Fault::at(OPTIONS, inner));
            }
            let unknown = carried.iter().filter(|word| word.unknown.is_some()).count();
            if unknown > 1 || carried.iter().any(|word| word.many) {
                return Err(Fault::at(OPTIONS, &first_unknown(&carried)));
            }
            let is_many = words.get(end).and_then(Word::text) == Some("+");
            for word in carried.iter_mut().filter(|word| word.text.contains("{}")) {
                word.many = is_many && word.text == "{}";
                word.unknown = Some(FOUND);
            }
            self.carry(carried, Some(from), false, pending);
            at = end.saturating_add(1);
        }
        Ok(())
    }

    /// `git` with options before its own command: the same without them.
    fn git(&mut self, words: &[Word], pending: &Pending) -> Result<(), Fault> {
        match words.get(1) {
            Some(word) if word.unknown.is_some() => return Err(Fault::at(OPTIONS, &word.text)),
            Some(word) if word.text.starts_with('-') => {}
            Some(_) | None => return Ok(()),
        }
        let options = options(&GIT, words)?;
        for setting in &options.settings {
            if !GIT_KEYS.iter().any(|(key, _)| setting.starts_with(key)) {
                return Err(Fault::at("the setting may name a program", setting));
            }
        }
        let rest = words.get(options.rest..).unwrap_or_default();
        if options.shows || rest.is_empty() {
            return Ok(());
        }
        let git = words.iter().take(1);
        let bare = git.chain(rest).cloned().collect();
        self.carry(bare, None, true, pending);
        Ok(())
    }
}

/// Reads the options of a carrier.
fn options<'w>(carrier: &Carrier, words: &'w [Word]) -> Result<Options<'w>, Fault> {
    let mut read = Options {
        rest: 1,
        shows: false,
        replaces: None,
        limits: false,
        settings: Vec::new(),
    };
    while let Some(word) = words.get(read.rest) {
        let Some(text) = word.text() else {
            return Err(Fault::at(OPTIONS, &word.text));
        };
        if carrier.shows.contains(&text) {
            read.shows = true;
            return Ok(read);
        }
        if !text.starts_with('-') || (text == "-" && carrier.name != "env") {
            break;
        }
        read.rest = read.rest.saturating_add(1);
        // A sign alone ends the options of `env`.
        if text == "--" || text == "-" {
            break;
        }
        if let Some(long) = text.strip_prefix("--") {
            let (name, value) = match long.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (long, None),
            };
            read.limits |= name == "max-args";
            let takes = |option: &&&str| option.strip_suffix('=') == Some(name);
            let with_value = carrier.long.iter().any(|option| takes(&option));
            match (carrier.long.contains(&name), with_value, value) {
                (true, _, _) | (_, true, Some(_)) => {}
                (_, true, None) => read.rest = read.rest.saturating_add(1),
                (false, false, _) => return Err(Fault::at(OPTIONS, text)),
            }
            continue;
        }
        letters(carrier, text, words, &mut read)?;
    }
    let skipped = words.get(..read.rest).unwrap_or_default();
    match skipped.iter().find(|word| word.many) {
        Some(word) => Err(Fault::at(OPTIONS, &word.text)),
        None => Ok(read),
    }
}

/// Options by letter.
fn letters<'w>(
    carrier: &Carrier,
    text: &'w str,
    words: &'w [Word],
    read: &mut Options<'w>,
) -> Result<(), Fault> {
    let mut rest = text.strip_prefix('-').unwrap_or_default().chars();
    while let Some(letter) = rest.next() {
        if carrier.flags.contains(letter) {
            continue;
        }
        if !carrier.values.contains(letter) {
            return Err(Fault::at(OPTIONS, text));
        }
        let value = match rest.as_str() {
            "" => {
                let value = words.get(read.rest).and_then(Word::text);
                read.rest = read.rest.saturating_add(1);
                value
            }
            glued => Some(glued),
        };
        match (carrier.hands, letter, carrier.name) {
            (Hands::Input, 'I', _) => match value {
                Some(value) if !value.is_empty() => read.replaces = Some(value),
                Some(_) | None => return Err(Fault::at(OPTIONS, text)),
            },
            (Hands::Input, 'n' | 'L', _) => read.limits = true,
            (_, 'c', "git") => match value {
                Some(value) => read.settings.push(value),
                None => return Err(Fault::at(OPTIONS, text)),
            },
            _ => {}
        }
        return Ok(());
    }
    Ok(())
}

fn first_unknown(words: &[Word]) -> String {
    let unknown = words.iter().find(|word| word.unknown.is_some());
    unknown.map_or_else(String::new, |word| word.text.clone())
}

/// Whether no program has this name, though `find` may read it.
fn is_sign(text: &str) -> bool {
    text.starts_with('-') || matches!(text, "(" | ")" | "!" | ",")
}

/// Whether a file may be what a shell reads as its input, under another name.
fn is_input(file: &str) -> bool {
    let mut parts = file.split('/').skip(usize::from(file.starts_with('/')));
    parts.any(|part| matches!(part, "" | ".." | "stdin" | "fd" | "proc" | "dev"))
}

/// What a carrier hands on begins with a program, not with an option or a sign that it reads itself.
fn begins_a_command(words: &[Word]) -> Result<(), Fault> {
    match words.first() {
        Some(word) if word.text.starts_with(['-', '!', '(', ',']) => {
            Err(Fault::at(OPTIONS, &word.text))
        }
        Some(_) | None => Ok(()),
    }
}
