//! The seats that rules, names and paths answer: `describe`, `adjudicate`, `probe`, `egress`,
//! `shell_read`, `write_judge`, `org` and `rules`. A seat is wired only if there is something for it to
//! say.

use gatefold::gate::{
    Adjudication, Card, Egress, Facts, JudgeQuestion, Judgement, OrgRuling, ParkQuestion, Parking,
    PolicyRuling, Probe, ReadOnly, Reply, Reversibility, RuleRuling, Seats, ShellFinding,
    ShellRead, Subject, Text, ToolKind, WriteProtection,
};

use super::deciders::{CallRead, Deciders};
use super::files::Use;
use super::hosts::Target;
use super::rules::Effect;

/// A finding with its card, and the part that it is about.
fn found(
    finding: fn(Option<Card>) -> ShellFinding,
    word: &str,
    what: &str,
    part: Option<String>,
) -> (ShellFinding, Option<String>) {
    let at = part.as_ref().map(|part| format!(" (at `{part}`)"));
    let text = format!("{what}{}", at.unwrap_or_default());
    let card = Card {
        finding: Text::new(word),
        text: text.into(),
    };
    (finding(Some(card)), part)
}

fn unestablishable(what: &str, part: Option<String>) -> (ShellFinding, Option<String>) {
    found(ShellFinding::Unestablishable, "unestablishable", what, part)
}

impl Seats for Deciders {
    fn describe(&mut self, subject: &Subject) -> Reply<Facts> {
        let read = self.read(&subject.args);
        let edits = self.facts.kind == ToolKind::Edit;
        let mut facts = Facts {
            edits_in_roots: edits && read.files.edits_in_roots(self.world()),
            file_command: read.files.is_command,
            ..self.facts
        };
        if read.only_reads {
            facts.read_only = ReadOnly::Yes;
        }
        Ok(facts)
    }

    fn adjudicate(&mut self, question: &JudgeQuestion) -> Reply<Adjudication> {
        let refusals = question.forms().map(|(_, args)| self.refusal(args));
        let refusal = refusals.flatten().next();
        let judgements = match refusal {
            Some((reason, basis)) => question.judge(|_, _| {
                (
                    PolicyRuling::Deny,
                    Some(reason.clone()),
                    Some(basis.clone()),
                )
            }),
            None => self.judgements(
                question,
                |layers| &layers.policy,
                |effect| match effect {
                    None => PolicyRuling::Allow { stated: false },
                    Some(Effect::Allow) => PolicyRuling::Allow { stated: true },
                    Some(Effect::Ask) => PolicyRuling::Ask,
                    Some(Effect::Deny) => PolicyRuling::Deny,
                },
            ),
        };
        Ok(Adjudication {
            judgements,
            ..Adjudication::default()
        })
    }

    /// Where a fetch tool is sent. A host that is not certain is outside.
    fn egress(&mut self, subject: &Subject) -> Reply<Egress> {
        let Some(Target { host, is_certain }) = self.target(&subject.args) else {
            return Ok(Egress::Inside);
        };
        let named = |host: &String| {
            let mut lists = self.policy.egress.iter();
            lists.all(|hosts| hosts.iter().any(|domain| domain.covers(host, false)))
        };
        Ok(if is_certain && host.as_ref().is_some_and(named) {
            Egress::Inside
        } else {
            Egress::Outside(host.as_deref().map(Text::new))
        })
    }

    /// The reader that knows a call only reads must not clear what may lead out of the roots, nor a
    /// tool that asks a person.
    fn probe(&mut self, subject: &Subject) -> Reply<Probe> {
        let read = self.read(&subject.args);
        let reads = self.facts.kind == ToolKind::Read || read.only_reads;
        let is_outside = read.files.of_tool && self.outside(&read.files).is_some();
        Ok(Probe {
            finding: if is_outside {
                Reversibility::OutOfRoot
            } else {
                Reversibility::Reversible
            },
            boundary_declined: self.asks_a_person
                || (reads && !(read.is_known() && read.files.reads_in_roots(self.world()))),
        })
    }

    fn shell_read(&mut self, subject: &Subject) -> Reply<ShellRead> {
        let read = self.read(&subject.args);
        let CallRead {
            line: Some(line),
            files,
            ..
        } = read.as_ref()
        else {
            return Ok(ShellRead::UNWIRED);
        };
        let protection = self.protection(files);
        // Of a line that is not known whole all that is known is that.
        let is_whole = line.unreadable.is_none();
        let known = protection == WriteProtection::Matched || is_whole;
        let mut spent = 0;
        let is_open =
            |of: &&Use| of.redirected && !of.place.device && !self.is_granted(of, &mut spent);
        let found = if let Some(unreadable) = &line.unreadable {
            let what = format!(
                "what this command runs cannot be established: {}",
                unreadable.why
            );
            Some(unestablishable(&what, unreadable.part.clone()))
        } else if let Some(of) = self.outside(files) {
            let what = "this file is outside of the folders that the work is in";
            Some(found(
                ShellFinding::OutOfRoot,
                "out_of_root",
                what,
                Some(of.place.text.clone()),
            ))
        } else if let Some(vague) = files
            .vague
            .iter()
            .find(|vague| vague.sure && vague.redirected)
        {
            let what = "the file that this command opens is not known".to_owned();
            Some(unestablishable(&what, Some(vague.part.clone())))
        } else {
            files.uses.iter().find(is_open).map(|of| {
                let does = if of.access.may_write() {
                    "writes"
                } else {
                    "reads"
                };
                let what = format!("no rule says that this command may open a file: it {does} one");
                unestablishable(&what, Some(of.place.text.clone()))
            })
        };
        let (finding, part) = found.unwrap_or((ShellFinding::Clean, None));
        Ok(ShellRead {
            finding,
            part: part.map(Text::from),
            writes_placed: files.writes_placed(self.world()),
            unplaced_options: files.undecided(),
            write_protection: if known {
                protection
            } else {
                WriteProtection::None
            },
            ..ShellRead::UNWIRED
        })
    }

    fn write_judge(&mut self, subject: &Subject) -> Reply<WriteProtection> {
        let read = self.read(&subject.args);
        Ok(self.protection(&read.files))
    }

    fn org(&mut self, question: &JudgeQuestion) -> Reply<Vec<Judgement<OrgRuling>>> {
        Ok(self.judgements(
            question,
            |layers| &layers.org,
            |effect| match effect {
                None | Some(Effect::Allow) => OrgRuling::None,
                Some(Effect::Ask) => OrgRuling::Ask,
                Some(Effect::Deny) => OrgRuling::Deny,
            },
        ))
    }

    fn rules(&mut self, question: &JudgeQuestion) -> Reply<Vec<Judgement<RuleRuling>>> {
        Ok(self.judgements(
            question,
            |layers| &layers.stored,
            |effect| match effect {
                None => RuleRuling::None,
                Some(Effect::Allow) => RuleRuling::Allow { grant: None },
                Some(Effect::Ask) => RuleRuling::Ask,
                Some(Effect::Deny) => RuleRuling::Deny,
            },
        ))
    }

    fn park(&mut self, _: &ParkQuestion) -> Reply<Parking> {
        Ok(Parking::Parked)
    }
}
