//! The account as text for a terminal. What others wrote is quoted, cut, and made harmless.

use gatefold::gate::{Basis, DeniedBy, Text, Verdict};

use super::cover::{Cover, Hindered, Offer, Reach, is_deny};
use super::parts::PartSaid;
use super::{
    Account, Answerer, Brief, Objection, Passage, QUOTED_CHARS_MAX, SUMMARY_CHARS_MAX, words,
};
use crate::terminal::{clipped, harmless};

/// The width that a list of written cells is broken at.
const COLUMNS: usize = 100;
/// How many parts of a line are shown.
const PARTS_MAX: usize = 64;
/// Where the cells that a station wrote begin, if they need a line of their own.
const INDENT: usize = 20;

/// Lines of text. Nothing in a line can begin another one.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn push(&mut self, line: &str) {
        self.0.push_str(harmless(line).trim_end());
        self.0.push('\n');
    }

    fn section(&mut self, title: &str) {
        self.push("");
        self.push(title);
    }
}

/// The text of a decision: verdict, reason, rule.
pub(super) fn brief(brief: &Brief) -> String {
    let mut lines = Lines::default();
    head(&mut lines, brief);
    if let Some(reason) = &brief.reason {
        lines.push(&format!("Reason: {}", clipped(reason, QUOTED_CHARS_MAX)));
    }
    let place = brief.place.as_deref();
    let basis = brief.decided.basis.as_ref();
    let rule = basis.map(|basis| rule(basis, place));
    lines.push(&rule.unwrap_or_else(|| "No rule is behind it.".into()));
    lines.0
}

/// The text of an account.
pub(super) fn account(account: &Account) -> String {
    let mut lines = Lines::default();
    head(&mut lines, &account.brief);
    why(&mut lines, account);
    parts(&mut lines, &account.parts);
    who(&mut lines, account);
    cover(&mut lines, &account.cover);
    lines.section("Stations passed, and what each wrote");
    for passage in &account.stations {
        station(&mut lines, passage);
    }
    lines.section("Digests");
    let digests = &account.digests;
    for (of, digest) in [
        ("args asked", Some(digests.asked)),
        ("args that run", digests.runs),
        ("facts", digests.facts),
        ("policy", digests.policy),
        ("record", Some(digests.record)),
    ] {
        let digest = digest.map_or_else(|| "none".into(), |digest| digest.to_string());
        lines.push(&format!("  {of:<14} {digest}"));
    }
    lines.0
}

/// The decision in one line.
pub(super) fn summary(brief: &Brief) -> String {
    let line = brief.call.line.as_deref();
    let line = line.map(|line| format!(": {}", clipped(line, SUMMARY_CHARS_MAX)));
    harmless(&format!(
        "{} {}{} ({})",
        brief.verdict,
        clipped(&brief.call.tool, SUMMARY_CHARS_MAX),
        line.unwrap_or_default(),
        next(brief)
    ))
}

/// What happens to the call now.
pub(super) fn next(brief: &Brief) -> String {
    let decided = &brief.decided;
    match brief.verdict {
        Verdict::Ask => "it does not run yet: a person has to answer".into(),
        Verdict::Allow => format!(
            "it runs, because {}",
            decided.allowed_by.map_or("", words::allowed_by)
        ),
        Verdict::Deny => {
            let because = decided.denied_by.map_or("", words::denied_by);
            format!("it does not run, because {because}")
        }
    }
}

fn head(lines: &mut Lines, brief: &Brief) {
    let call = &brief.call;
    let tool = clipped(&call.tool, QUOTED_CHARS_MAX);
    let line = call.line.as_ref().map(|line| format!(": {line}"));
    lines.push(&format!(
        "{} {tool}{}",
        brief.verdict.word().to_uppercase(),
        line.unwrap_or_default()
    ));
    let next = next(brief);
    let mut chars = next.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    lines.push(&format!(
        "{}{}.",
        first.map(String::from).unwrap_or_default(),
        chars.as_str()
    ));
    if let Some((caller, above)) = call.agents.split_first() {
        let named = |name: &Option<String>| match name {
            Some(name) => format!("`{name}`"),
            None => "one without a name".to_owned(),
        };
        let above = above.iter().map(|name| format!(", below {}", named(name)));
        let above: String = above.collect();
        lines.push(&format!("The agent is {}{above}.", named(caller)));
    }
    lines.push(&format!("The permission mode is {}.", brief.mode));
    for forbidden in &brief.forbidden_modes {
        lines.push(&format!("{forbidden}."));
    }
    match &call.becomes {
        Some(line) => lines.push(&format!(
            "The call was changed on the way. Now it is: {line}"
        )),
        None if call.changed => lines.push("The call was changed on the way."),
        None => {}
    }
}

fn why(lines: &mut Lines, account: &Account) {
    let Account {
        brief, objections, ..
    } = account;
    let decided = &brief.decided;
    lines.section("Why");
    if brief.verdict == Verdict::Ask {
        for (number, objection) in (1_usize..).zip(objections) {
            objected(lines, number, objection);
        }
        return;
    }
    if let Some(station) = decided.station {
        let number = station.number();
        lines.push(&format!(
            "  This was decided at station {number}, which {}.",
            words::station(station)
        ));
    }
    if let Some(settled) = &decided.settled {
        lines.push(&format!(
            "  {}",
            words::settled(settled.answer, settled.why)
        ));
    }
    if let Some(basis) = &decided.basis {
        lines.push(&format!("  {}", rule(basis, brief.place.as_deref())));
        about(lines, "  ", basis.part.as_ref());
    }
    if let Some(reason) = &brief.reason {
        lines.push(&format!(
            "  The reason given is: {}",
            clipped(reason, QUOTED_CHARS_MAX)
        ));
    }
    if objections.is_empty() {
        lines.push("  Nobody asked about it on the way.");
        return;
    }
    lines.push("  On the way this was noted:");
    for (number, objection) in (1_usize..).zip(objections) {
        objected(lines, number, objection);
    }
}

fn objected(lines: &mut Lines, number: usize, objection: &Objection) {
    let indent = "     ";
    lines.push(&format!(
        "  {number}. {} ({})",
        words::cause(objection.cause),
        objection.cause
    ));
    if objection.round > 0 {
        let round = objection.round;
        lines.push(&format!(
            "{indent}That was of the call as it was edited, round {round}."
        ));
    }
    if let Some(basis) = &objection.basis {
        lines.push(&format!(
            "{indent}{}",
            rule(basis, objection.place.as_deref())
        ));
        if is_deny(basis) {
            lines.push(&format!(
                "{indent}It is not certain that this deny is about the call: so a person decides."
            ));
        }
    }
    about(lines, indent, objection.part.as_ref());
    if let Some(reason) = &objection.reason {
        let reason = clipped(reason.as_str(), QUOTED_CHARS_MAX).replace('"', "'");
        lines.push(&format!("{indent}\"{reason}\""));
    }
}

/// Each command of the line, and what covers it.
fn parts(lines: &mut Lines, parts: &[PartSaid]) {
    if parts.is_empty() {
        return;
    }
    lines.section("Parts of the line, and the rule that allows each");
    for (number, part) in (1_usize..).zip(parts).take(PARTS_MAX) {
        let PartSaid {
            part,
            covered,
            basis,
            with,
        } = part;
        let said = match (basis, with) {
            (Some(basis), _) => {
                let layer = clipped(basis.layer.as_str(), QUOTED_CHARS_MAX);
                format!("the rule {} of layer {layer}", quoted(basis.rule.as_str()))
            }
            (None, Some(with)) => format!("the rule of part {with}, which names it"),
            (None, None) if *covered == "needless" => {
                "it needs no rule, for it changes nothing".into()
            }
            (None, None) => "no rule".into(),
        };
        lines.push(&format!("  {number}. {}: {said}", quoted(part)));
    }
    let left = parts.len().saturating_sub(PARTS_MAX);
    if left > 0 {
        lines.push(&format!("  … and {left} more"));
    }
}

/// The part of the call that it is about.
fn about(lines: &mut Lines, indent: &str, part: Option<&Text>) {
    if let Some(part) = part {
        lines.push(&format!(
            "{indent}The part of the call in question is {}.",
            quoted(part.as_str())
        ));
    }
}

/// The rule, its layer, its list, and where it stands.
fn rule(basis: &Basis, place: Option<&str>) -> String {
    let named = quoted(basis.rule.as_str());
    if basis.layer.as_str() == "hook" {
        return format!("It is the hook {named}.");
    }
    let Basis {
        layer,
        list,
        file,
        index,
        ..
    } = basis;
    let at = match (file, place) {
        (Some(file), _) => format!(", place {index} (from 0) in {}", quoted(file.as_str())),
        (None, Some(place)) => format!(", at {place} of the request"),
        (None, None) => String::new(),
    };
    let list = clipped(list.as_str(), QUOTED_CHARS_MAX);
    format!("It is the rule {named}: list {list} of layer {layer}{at}.")
}

/// Another's words, so that they end where the quote does.
fn quoted(text: &str) -> String {
    let text = clipped(text, QUOTED_CHARS_MAX);
    if text.contains('`') {
        format!("\"{}\"", text.replace('"', "'"))
    } else {
        format!("`{text}`")
    }
}

fn who(lines: &mut Lines, account: &Account) {
    if account.answerers.is_empty() {
        if account.brief.verdict == Verdict::Deny {
            lines.section("Who could answer");
            lines.push("  Nobody: this was no ask, and no answer lifts a deny.");
        }
        return;
    }
    lines.section(match account.brief.verdict {
        Verdict::Ask => "Who may answer",
        Verdict::Allow | Verdict::Deny => "Who could answer",
    });
    for answerer in &account.answerers {
        let Some(automatic) = answerer.automatic else {
            let but = match account.brief.decided.denied_by {
                Some(DeniedBy::Mode) => "may always, but mode dont_ask asks nobody",
                Some(_) | None => "may always",
            };
            lines.push(&format!("  {:<21} {but}", "a person"));
            continue;
        };
        let may = if answerer.barred {
            format!("may not, because of {}", barring(answerer))
        } else {
            format!("may, {}", words::takes(automatic))
        };
        lines.push(&format!("  {:<21} {may}", words::automatic(automatic)));
    }
}

fn barring(answerer: &Answerer) -> String {
    let numbers: Vec<_> = answerer.numbers.iter().map(ToString::to_string).collect();
    let causes: Vec<_> = answerer.by.iter().map(|cause| cause.word()).collect();
    format!("{} ({})", numbers.join(", "), causes.join(", "))
}

fn cover(lines: &mut Lines, cover: &Cover) {
    match cover {
        Cover::NotNeeded => {}
        Cover::Rule(offer) => {
            lines.section("What would cover it");
            offered(lines, offer);
        }
        Cover::None { hindrances } => {
            lines.section("What would cover it: no rule");
            for hindered in hindrances {
                hindrance(lines, hindered);
            }
        }
    }
}

fn offered(lines: &mut Lines, offer: &Offer) {
    let Offer {
        rule,
        list,
        layer,
        reach,
    } = offer;
    lines.push(&format!(
        "  The rule {} in the list {list} of layer {layer}.",
        quoted(rule)
    ));
    lines.push(match reach {
        Reach::Command => {
            "  It covers this very command, alone or beside others that are allowed too."
        }
        Reach::Path => "  It covers every such call for this path, and for what is below it.",
        Reach::Host => "  It covers every call of the tool that leads to this host.",
        Reach::Tool => "  It covers every call of the tool, whatever the args.",
    });
    lines.push("  This was tried: with it the same call is allowed.");
}

fn hindrance(lines: &mut Lines, hindered: &Hindered) {
    let by = words::hindrance(hindered.by);
    let named = hindered.basis.as_ref().map(|basis| {
        format!(
            " ({} of layer {})",
            quoted(basis.rule.as_str()),
            basis.layer
        )
    });
    let by = match named {
        None => by.to_owned(),
        Some(named) => format!("{}{named}.", by.trim_end_matches('.')),
    };
    lines.push(&format!("  {by}"));
    lines.push(&format!("  Instead: {}", words::instead(hindered.by)));
}

/// A station, what it looks at, the seat that it asked, and what it wrote.
fn station(lines: &mut Lines, passage: &Passage) {
    let round = match passage.round {
        0 => String::new(),
        round => format!(" (round {round})"),
    };
    let mut line = format!(
        "  {:>2} {:<17} {}{round}",
        passage.number,
        passage.station.word(),
        words::station(passage.station)
    );
    let asked = passage.asked.map(|seat| format!("asks {seat}"));
    let wrote = passage.wrote.iter().map(|written| {
        let value = clipped(&written.value, QUOTED_CHARS_MAX);
        format!("{} = {value}", written.cell)
    });
    let mut joint = ": ";
    for said in asked.into_iter().chain(wrote) {
        let columns = line.chars().count().saturating_add(joint.len());
        // The next joint may end the line.
        if columns.saturating_add(said.chars().count()) >= COLUMNS {
            line.push_str(joint.trim_end());
            lines.push(&line);
            line = " ".repeat(INDENT);
            line.push_str(&said);
        } else {
            line.push_str(joint);
            line.push_str(&said);
        }
        joint = "; ";
    }
    lines.push(&line);
}
