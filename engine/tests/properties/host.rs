//! The host: each answer is a function of the script and of what is asked, and of nothing else.

use gatefold::gate::{
    Adjudication, Answer, Args, AttestationId, Basis, Digest, Form, Grant, HookAnswer,
    HookDecision, HookId, HookOutcome, HookQuestion, HookReceipt, JudgeQuestion, Judgement,
    Presented, Question, Reply, Resolution, Resolved, Text,
};

use crate::args::Proposal;
use crate::script::{AskEnding, HookLine, Menu, PresentLine, Script};
use crate::world::Stage;

impl Stage<'_> {
    /// The answer to a question.
    pub(crate) fn answer(&self, question: &Question) -> Answer {
        let script = &self.world.script;
        let key = key(script, question);
        match question {
            Question::Hook(asked) => {
                Answer::Hook(script.hook.pick(key).clone().map(|()| self.receipts(asked)))
            }
            Question::Describe(_) => Answer::Describe(script.describe.pick(key).clone()),
            Question::Adjudicate(asked) => Answer::Adjudicate(self.adjudication(asked, key)),
            Question::Probe(_) => Answer::Probe(script.probe.pick(key).clone()),
            Question::Egress(_) => Answer::Egress(script.egress.pick(key).clone()),
            Question::ShellRead(_) => Answer::ShellRead(script.shell_read.pick(key).clone()),
            Question::WriteJudge(_) => Answer::WriteJudge(script.write_judge.pick(key).clone()),
            Question::Org(asked) => {
                let judge =
                    || judgements(script, "org", &script.org_rulings, asked, &asked.current);
                Answer::Org(script.org.pick(key).clone().map(|()| judge()))
            }
            Question::Rules(asked) => {
                let judge =
                    || judgements(script, "rules", &script.rule_rulings, asked, &asked.current);
                Answer::Rules(script.rules.pick(key).clone().map(|()| judge()))
            }
            Question::Classify(_) => Answer::Classify(script.classify.pick(key).clone()),
            Question::Sandbox(_) => Answer::Sandbox(script.sandbox.pick(key).clone()),
            Question::Present(subject) => {
                Answer::Present(script.present.pick(key).clone().map(|line| match line {
                    PresentLine::Shown => Presented::Shown(subject.args.digest()),
                    PresentLine::ShownOther => Presented::Shown(Digest::of(b"other content")),
                    PresentLine::Cannot => Presented::Cannot,
                }))
            }
            Question::Park(_) => Answer::Park(script.park.pick(key).clone()),
            Question::Resolve(asked) => Answer::Resolve(self.resolution(&asked.ask.args, key)),
        }
    }

    /// The id at this place of the earlier passes' ids; past their end it is nobody's.
    fn id(&self, place: usize) -> AttestationId {
        let nobodys = || AttestationId::from(Digest::of(b"nobody attested this"));
        self.ids.get(place).copied().unwrap_or_else(nobodys)
    }

    fn receipts(&self, asked: &HookQuestion) -> Vec<HookReceipt> {
        let script = &self.world.script;
        let mut receipts = Vec::new();
        for hook in asked.hooks.iter() {
            let again = if asked.again { "again" } else { "first" };
            let key = mix(
                script,
                &[
                    hook.id.as_str(),
                    again,
                    &asked.round.to_string(),
                    asked.args.as_str(),
                ],
            );
            let mut add = |outcome| {
                receipts.push(HookReceipt {
                    hook: hook.id.clone(),
                    outcome,
                });
            };
            match script.receipts.pick(key) {
                HookLine::Answered {
                    decision,
                    rewrite,
                    context,
                    reason,
                } => {
                    let rewrite = rewrite.as_ref();
                    add(HookOutcome::Answered(HookAnswer {
                        decision: *decision,
                        reason: reason.then(|| Text::new("the hook says so")),
                        rewrite: rewrite.map(|to| to.over(&asked.args, self.world.respelled)),
                        context: context.then(|| told_by(&hook.id).into()),
                    }));
                }
                HookLine::Rewrites => {
                    let step = Proposal::Step(usize::from(!asked.again));
                    add(HookOutcome::Answered(HookAnswer {
                        rewrite: Some(step.over(&asked.args, self.world.respelled)),
                        ..HookAnswer::plain(HookDecision::None)
                    }));
                }
                HookLine::Malformed => add(HookOutcome::Malformed("no receipt of ours".into())),
                HookLine::Threw => add(HookOutcome::Threw("it broke".into())),
                HookLine::TimedOut => add(HookOutcome::TimedOut),
                HookLine::Missing => {}
                HookLine::Torn => {
                    add(HookOutcome::Answered(HookAnswer::plain(HookDecision::None)));
                    add(HookOutcome::Answered(HookAnswer::plain(
                        HookDecision::Allow,
                    )));
                }
            }
        }
        receipts
    }

    fn adjudication(&self, asked: &JudgeQuestion, key: u64) -> Reply<Adjudication> {
        let script = &self.world.script;
        let line = script.policy.pick(key).clone()?;
        let over = |to: &Proposal| to.over(&asked.current, self.world.respelled);
        let rewrite = line.rewrite.as_ref().map(over);
        // Judgements of the current form speak of the args with the rewrite applied.
        let would_run = rewrite.as_ref().and_then(|new| new.read().ok());
        let would_run = would_run.as_ref().unwrap_or(&asked.current);
        Ok(Adjudication {
            judgements: judgements(script, "policy", &script.policy_rulings, asked, would_run),
            rewrite,
            settlement: line.settlement.map(|place| self.id(place)),
            round: line.round.map(|place| self.id(place)),
        })
    }

    fn resolution(&self, current: &Args, key: u64) -> Reply<Resolution> {
        let line = self.world.script.resolve.pick(key).clone()?;
        let shown = match line.ending {
            AskEnding::Yes { by, edit, remember } => Resolved::Yes {
                by,
                edit: edit.map(|to| to.over(current, self.world.respelled)),
                remember: remember.then(|| Grant {
                    scope: "session".into(),
                    rule: "ls".into(),
                }),
            },
            AskEnding::No { by, reason } => Resolved::No {
                by,
                reason: reason.then(|| Text::new("not today")),
            },
            AskEnding::Unanswered(why) => Resolved::Unanswered(why),
        };
        Ok(Resolution {
            shown,
            attested: line.attested.map(|place| self.id(place)),
        })
    }
}

fn told_by(hook: &HookId) -> String {
    format!("context of {hook}")
}

/// One judgement a form and member, by the args and the member's name, never by its place.
fn judgements<R: Clone>(
    script: &Script,
    layer: &str,
    menu: &Menu<Option<R>>,
    asked: &JudgeQuestion,
    current: &Args,
) -> Vec<Judgement<R>> {
    let mut judgements = Vec::new();
    for (form, args) in asked.forms() {
        let args = if form == Form::Current { current } else { args };
        for (member, who) in (0_u8..).zip(asked.members.iter()) {
            let name = who.agent.as_deref().unwrap_or("");
            let key = mix(
                script,
                &[layer, &asked.round.to_string(), name, args.as_str()],
            );
            if let Some(ruling) = menu.pick(key).clone() {
                judgements.push(Judgement {
                    form,
                    member,
                    ruling,
                    reason: key.is_multiple_of(3).then(|| Text::new("so it is written")),
                    basis: key.is_multiple_of(2).then(|| basis(layer, name)),
                });
            }
        }
    }
    judgements
}

fn basis(layer: &str, rule: &str) -> Basis {
    Basis {
        layer: layer.into(),
        file: None,
        list: "list".into(),
        index: 1,
        rule: rule.into(),
        part: None,
    }
}

/// The key of a question: its seat, its round and its args.
fn key(script: &Script, question: &Question) -> u64 {
    let round = match question {
        Question::Hook(asked) => asked.round,
        Question::Adjudicate(asked) | Question::Org(asked) | Question::Rules(asked) => asked.round,
        Question::Describe(subject)
        | Question::Probe(subject)
        | Question::Egress(subject)
        | Question::ShellRead(subject)
        | Question::WriteJudge(subject)
        | Question::Sandbox(subject)
        | Question::Present(subject) => subject.round,
        Question::Classify(asked) => asked.round,
        Question::Park(asked) => asked.ask.round,
        Question::Resolve(asked) => asked.ask.round,
    };
    let words = [
        question.seat().word(),
        &round.to_string(),
        question.args().as_str(),
    ];
    mix(script, &words)
}

/// FNV-1a over the words, with a last stir because menus look at the low bits.
fn mix(script: &Script, words: &[&str]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ u64::from(script.salt);
    for word in words {
        for byte in word.bytes().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 17
}
