//! The host of one pass: rules and names answer what they can, the request answers for people and
//! hooks.

use gatefold::gate::{
    Adjudication, Args, Egress, Facts, HookId, HookQuestion, HookReceipt, JudgeQuestion, Judgement,
    OrgRuling, ParkQuestion, Parking, Probe, Reply, Resolution, ResolveQuestion, RuleRuling,
    SeatFailure, Seats, ShellRead, Subject, WriteProtection,
};
use gatefold_policy::Deciders;

use super::script::{HookScript, Resolver};

/// Everything that answers.
#[derive(Debug)]
pub(super) struct Host {
    pub(super) deciders: Deciders,
    pub(super) hooks: Vec<(HookId, HookScript)>,
    pub(super) resolver: Option<Resolver>,
    /// The args as they were last described: no hook changes them after that.
    pub(super) described: Option<Args>,
}

impl Seats for Host {
    fn hook(&mut self, question: &HookQuestion) -> Reply<Vec<HookReceipt>> {
        let asked = |id: &HookId| question.hooks.iter().any(|hook| hook.id == *id);
        let mut receipts = Vec::new();
        for (hook, script) in self.hooks.iter().filter(|(id, _)| asked(id)) {
            match script {
                HookScript::Nothing => {}
                HookScript::Aborted => return Err(SeatFailure::Aborted),
                HookScript::Outcome(outcome) => receipts.push(HookReceipt {
                    hook: hook.clone(),
                    outcome: outcome.clone(),
                }),
            }
        }
        Ok(receipts)
    }

    fn describe(&mut self, subject: &Subject) -> Reply<Facts> {
        self.described = Some(subject.args.clone());
        self.deciders.describe(subject)
    }

    fn adjudicate(&mut self, question: &JudgeQuestion) -> Reply<Adjudication> {
        self.deciders.adjudicate(question)
    }

    fn probe(&mut self, subject: &Subject) -> Reply<Probe> {
        self.deciders.probe(subject)
    }

    fn egress(&mut self, subject: &Subject) -> Reply<Egress> {
        self.deciders.egress(subject)
    }

    fn shell_read(&mut self, subject: &Subject) -> Reply<ShellRead> {
        self.deciders.shell_read(subject)
    }

    fn write_judge(&mut self, subject: &Subject) -> Reply<WriteProtection> {
        self.deciders.write_judge(subject)
    }

    fn org(&mut self, question: &JudgeQuestion) -> Reply<Vec<Judgement<OrgRuling>>> {
        self.deciders.org(question)
    }

    fn rules(&mut self, question: &JudgeQuestion) -> Reply<Vec<Judgement<RuleRuling>>> {
        self.deciders.rules(question)
    }

    fn park(&mut self, question: &ParkQuestion) -> Reply<Parking> {
        self.deciders.park(question)
    }

    fn resolve(&mut self, _: &ResolveQuestion) -> Reply<Resolution> {
        let unwired = || SeatFailure::threw("nobody was wired to answer");
        let resolver = self.resolver.as_mut().ok_or_else(unwired)?;
        resolver.next().map(Resolution::from)
    }
}
