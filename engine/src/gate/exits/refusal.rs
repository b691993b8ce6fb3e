//! The words of a refusal, for the model, and of an ask, for whoever answers.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::faults::fault;
use crate::gate::causes::{Asker, Cause};
use crate::gate::cells::Values;
use crate::gate::mint::GateOutcome;
use crate::gate::state::State;
use crate::gate::text::Text;
use crate::gate::words::{ClassifierCause, CopyProgram, DeniedBy, Mode, SettledAnswer, Unanswered};

/// Why the call does not run. The leg's mark is added here, once. Source: G079.
pub(in crate::gate) fn reason(state: &State, outcome: &GateOutcome) -> Option<String> {
    let by = outcome.denied_by()?;
    let values = state.cells.peek();
    let said = values
        .verdict
        .as_ref()
        .and_then(|standing| standing.reason.as_ref());
    let mut text = match by {
        DeniedBy::AskResolution => ask_ended(values, outcome, said),
        DeniedBy::Mode => refused_by_mode(state, values),
        DeniedBy::Classifier => classifier(outcome.cause(), said),
        DeniedBy::Compliance
        | DeniedBy::PlanMode
        | DeniedBy::Hook
        | DeniedBy::Engine
        | DeniedBy::ShellRead
        | DeniedBy::WriteProtection
        | DeniedBy::EditCap
        | DeniedBy::Policy
        | DeniedBy::Org
        | DeniedBy::Rule => layer(by, values, said),
    };
    if let Some(failed) = &values.park_failed {
        text.push_str(&format!("; parking the ask was tried and failed: {failed}"));
    }
    Some(with_mark(state, &text))
}

/// What is asked, and by whom.
pub(in crate::gate) fn pending(state: &State) -> String {
    let values = state.cells.peek();
    let asked = objections(values);
    let text = if asked.is_empty() {
        String::from("this call is still being judged")
    } else {
        format!("this call needs an answer: {asked}")
    };
    with_mark(state, &text)
}

/// Adds the leg's mark. Whatever others wrote into the text can steer neither a terminal nor the
/// reading order, and starts no line of its own.
fn with_mark(state: &State, text: &str) -> String {
    let text = harmless(text);
    match &state.input.leg {
        Some(mark) if fault!(MarkTwice) => format!("{mark} {mark} {text}"),
        Some(mark) => format!("{mark} {text}"),
        None => text,
    }
}

/// A layer's own deny: its name, its words, and the rule behind them.
fn layer(by: DeniedBy, values: &Values, said: Option<&Text>) -> String {
    let basis = values
        .verdict
        .as_ref()
        .and_then(|standing| standing.basis.as_ref());
    let whose = match by {
        DeniedBy::Policy => "the policy denied this call",
        DeniedBy::Org => "the organisation's rules denied this call",
        DeniedBy::Rule => "a rule denied this call",
        DeniedBy::ShellRead => "the shell reader refused this command",
        DeniedBy::Compliance
        | DeniedBy::PlanMode
        | DeniedBy::Hook
        | DeniedBy::Engine
        | DeniedBy::WriteProtection
        | DeniedBy::EditCap
        | DeniedBy::Classifier
        | DeniedBy::Mode
        | DeniedBy::AskResolution => {
            return said.map_or_else(|| format!("{by} denied this call"), ToString::to_string);
        }
    };
    let rule = basis.map(|basis| format!(" ({} in {})", named(&basis.rule), basis.layer));
    let said = said.map(|said| format!(": {said}"));
    format!(
        "{whose}{}{}",
        rule.unwrap_or_default(),
        said.unwrap_or_default()
    )
}

fn classifier(cause: Option<ClassifierCause>, said: Option<&Text>) -> String {
    let whose = match cause {
        None => "the classifier blocked this call",
        Some(ClassifierCause::Unavailable) => {
            "the classifier could not be reached, and nothing else may answer for it"
        }
        Some(ClassifierCause::ParseError) => {
            "the classifier's answer could not be read, and nothing else may answer for it"
        }
    };
    said.map_or_else(|| whose.into(), |said| format!("{whose}: {said}"))
}

fn refused_by_mode(state: &State, values: &Values) -> String {
    let whose = match state.input.caller() {
        Mode::DontAsk => "mode dont_ask",
        Mode::Default | Mode::Plan | Mode::AcceptEdits | Mode::Auto | Mode::Bypass => {
            "mode dont_ask of an ancestor"
        }
    };
    let mut text = format!("{whose} answers no ask: {}", objections(values));
    push_unplaced(&mut text, values);
    text
}

/// How an ask ended that nobody said yes to; four endings, four sentences.
fn ask_ended(values: &Values, outcome: &GateOutcome, said: Option<&Text>) -> String {
    let settled = outcome.settled();
    let settlement = settled.as_ref().map(|ask| &ask.settlement);
    let why = settlement.and_then(|settlement| settlement.why);
    let mut text: String = match why {
        None => match settlement.map(|settlement| (settlement.answer, settlement.by)) {
            Some((SettledAnswer::No, by)) => format!("the {by} who was asked said no"),
            Some((SettledAnswer::Yes | SettledAnswer::Unanswered, _)) | None => {
                "the ask was refused".into()
            }
        },
        Some(Unanswered::Timeout) => "nobody answered the ask in time".into(),
        Some(Unanswered::Aborted) => "the task was cancelled while the ask stood".into(),
        Some(Unanswered::Nobody) => "this call needs an answer and there is nobody to ask".into(),
        Some(Unanswered::Unshown) => "the content to be approved was never shown".into(),
        Some(Unanswered::Failed) => "asking for an answer failed".into(),
    };
    if let Some(said) = said {
        text.push_str(&format!(": {said}"));
    }
    let asked = objections(values);
    if !asked.is_empty() {
        text.push_str(&format!("; asked because {asked}"));
    }
    if why == Some(Unanswered::Nobody) {
        push_unplaced(&mut text, values);
    }
    text
}

/// Names the one reason for unplaced writes that is worth telling. Source: G119.
fn push_unplaced(text: &mut String, values: &Values) {
    if let Some(program) = values.shell.and_then(|shell| shell.unplaced_options) {
        let program: CopyProgram = program;
        text.push_str(&format!(
            "; the options of `{program}` kept its writes from being placed"
        ));
    }
}

/// Everyone who objected, in the order in which they did.
fn objections(values: &Values) -> String {
    let all = || values.causes.objections();
    // That nobody stated the call is news only when nobody said anything else of it.
    let others = all().any(|asker| asker.cause != Cause::Unstated);
    let told = all().filter(|asker| !(others && asker.cause == Cause::Unstated));
    let sentences: Vec<_> = told.map(objection).collect();
    sentences.join("; ")
}

/// The words of another, so that they cannot pass for ours: no quote inside ends the quote.
fn quoted(text: &Text) -> String {
    format!("\"{}\"", text.as_str().replace('"', "'"))
}

/// A name of another, so that no quote inside ends the name.
fn named(text: &Text) -> String {
    format!("`{}`", text.as_str().replace('`', "'"))
}

/// The same text with each control, bidirectional and invisible character spelled out.
fn harmless(text: &str) -> String {
    let mut harmless = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\u{0}'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{feff}' => harmless.extend(character.escape_unicode()),
            _ => harmless.push(character),
        }
    }
    harmless
}

fn objection(asker: &Asker) -> String {
    let mut text = String::from(match asker.cause {
        Cause::Unstated => "nothing says that it may run",
        Cause::Irreversible => "it cannot be undone",
        Cause::Outside => "it leaves the allowed hosts",
        Cause::BoundaryDeclined => "where it reads was not judged",
        Cause::ReadDeclined => "what it reads was not judged",
        Cause::ProbeOutOfRoot => "it reaches outside the roots",
        Cause::ReadOutOfRoot => "it reads outside the roots",
        Cause::Unestablishable => "what it runs or reads cannot be established",
        Cause::WriteProtected => "its target is write-protected",
        Cause::WriteUnresolved => "whether its target is write-protected is not known",
        Cause::ProbeUnanswered => "whether it can be undone is not known",
        Cause::RulesUnreadable => "the rules could not be read",
        Cause::Policy => "the policy asks",
        Cause::Hook => "a PreToolUse hook asks",
        Cause::Org => "the organisation's rules ask",
        Cause::Rule => "a rule asks",
        Cause::Edit => "the edited call is not what was approved",
        Cause::Classifier => "the classifier does not clear it",
        Cause::DenialLimit => "the classifier denied too often",
    });
    if let Some(basis) = &asker.basis {
        // A hook's rule is its name, and there is no layer to look it up in.
        text.push_str(&if asker.cause == Cause::Hook {
            format!(" ({})", named(&basis.rule))
        } else {
            format!(" ({} in {})", named(&basis.rule), basis.layer)
        });
    }
    if let Some(part) = &asker.part {
        text.push_str(&format!(" ({})", named(part)));
    }
    if let Some(reason) = &asker.reason {
        match asker.cause {
            Cause::Policy | Cause::Hook | Cause::Org | Cause::Rule | Cause::Classifier => {
                text.push_str(&format!(", saying {}", quoted(reason)));
            }
            Cause::Unstated
            | Cause::Irreversible
            | Cause::Outside
            | Cause::BoundaryDeclined
            | Cause::ReadDeclined
            | Cause::ProbeOutOfRoot
            | Cause::ReadOutOfRoot
            | Cause::Unestablishable
            | Cause::WriteProtected
            | Cause::WriteUnresolved
            | Cause::ProbeUnanswered
            | Cause::RulesUnreadable
            | Cause::Edit
            | Cause::DenialLimit => {}
        }
    }
    text
}
