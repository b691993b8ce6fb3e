//! Causes: what the engine says of each, and where a real pass writes it.

use gatefold::gate::*;

use super::super::host::{Host, OTHER, STATED, edits, probes, reads, said};
use super::super::{At, Says, or_none};

pub fn bars(at: &At<'_>) -> Says {
    let class = at.word("class", BarClass::from_word).unwrap();
    let answerer = at.word("answerer", Automatic::from_word).unwrap();
    let of_class = Cause::ALL.iter().find(|cause| cause.class() == class);
    let mut causes = Causes::default();
    causes.push(super::fold::asker(*of_class.unwrap()));
    let barred = match (class.bars(answerer), causes.bar(answerer)) {
        (true, true) => "yes",
        (false, false) => "no",
        (true, false) => "the class bars, and an ask with a cause of it is open",
        (false, true) => "the class is open, and an ask with a cause of it is barred",
    };
    vec![("barred", barred.into())]
}

/// A host whose answers, and nothing else, write this cause over what the host says otherwise.
pub fn causing(host: Host, cause: Cause) -> Host {
    let threw = || SeatFailure::threw("gone");
    match cause {
        Cause::Unstated => host,
        Cause::Irreversible => host.says(probes(Reversibility::Irreversible, false)),
        Cause::ProbeOutOfRoot => host.says(probes(Reversibility::OutOfRoot, false)),
        Cause::BoundaryDeclined => host.says(probes(Reversibility::Reversible, true)),
        Cause::ProbeUnanswered => host.says(Answer::Probe(Err(threw()))),
        Cause::Outside => host.says(Answer::Egress(Ok(Egress::Outside(None)))),
        Cause::ReadDeclined => host.says(Answer::ShellRead(Ok(reads(ShellFinding::Declined)))),
        Cause::ReadOutOfRoot => {
            host.says(Answer::ShellRead(Ok(reads(ShellFinding::OutOfRoot(None)))))
        }
        Cause::Unestablishable => host.says(Answer::ShellRead(Ok(reads(
            ShellFinding::Unestablishable(None),
        )))),
        Cause::WriteProtected => host.says(Answer::WriteJudge(Ok(WriteProtection::Matched))),
        Cause::WriteUnresolved => host.says(Answer::WriteJudge(Ok(WriteProtection::Unresolved))),
        Cause::RulesUnreadable => host.says(Answer::Rules(Err(threw()))),
        Cause::Policy => host.policy(PolicyRuling::Ask),
        Cause::Hook => host.guard(said(HookDecision::Ask, None)),
        Cause::Org => host.org(OrgRuling::Ask),
        Cause::Rule => host.rules(RuleRuling::Ask),
        // A person edits, the organisation asks about the edited call, and the person says yes.
        Cause::Edit => host.org(OrgRuling::Ask).resolves(edits(OTHER)),
        Cause::Classifier => host
            .mode(Mode::Auto)
            .says(Answer::Classify(Ok(Classification {
                ruling: ClassifierRuling::Ask,
                round: None,
                reason: None,
            }))),
        Cause::DenialLimit => host.mode(Mode::Auto).with(|input| input.denials(99)),
    }
}

/// Where a traced pass first wrote the cause.
fn written_at(finished: &Finished, cause: Cause) -> Option<Station> {
    let steps = finished.trace().unwrap().steps().iter();
    let writes = |step: &&TraceStep| {
        let mut causes = step
            .wrote
            .iter()
            .filter(|written| written.cell == Cell::Causes);
        causes.any(|written| written.value.split(", ").any(|word| word == cause.word()))
    };
    steps.clone().find(writes).map(|step| step.station)
}

pub fn causes(at: &At<'_>) -> Says {
    let cause = at.word("cause", Cause::from_word).unwrap();
    let traced = || Host::new().with(|input| input.trace(true));
    let over_an_ask = causing(traced(), cause).resolves(Resolved::YES).finish();
    // The same answers over an allow that the policy stated, if the cause leaves the policy a word.
    let stated = match cause {
        Cause::Policy | Cause::Unstated => traced(),
        _ => traced().policy(STATED),
    };
    let over_an_allow = causing(stated, cause).resolves(Resolved::YES).finish();
    let asked = over_an_allow.outcome().settled().is_some();
    let objects = match (cause.objects(), asked) {
        (true, true) => "allow_or_ask",
        (true, false) => "ask_only",
        (false, false) => "never",
        (false, true) => "it says that it only bars, and made an allow an ask",
    };
    vec![
        ("station", or_none(written_at(&over_an_ask, cause))),
        ("objects", objects.into()),
        ("origin", or_none(cause.origin())),
        ("class", cause.class().to_string()),
    ]
}
