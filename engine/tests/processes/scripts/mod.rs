//! Scripts: an input, and the host's answers to every question in order. Both processes know them
//! by name.

mod answers;
mod attested;
mod edited;
mod guarded;

use gatefold::gate::*;

#[derive(Clone)]
pub struct Script {
    pub name: &'static str,
    input: GateInputBuilder,
    pub policy: Digest,
    pub answers: Vec<Answer>,
}

pub fn all() -> Vec<Script> {
    vec![
        guarded::guards_and_content(),
        guarded::observers_and_sandbox(),
        edited::two_edits(),
        edited::veto_over_a_yes(),
        attested::classifier_and_attestations(),
        attested::an_attestation_used_up(),
        attested::nobody_at_first(),
    ]
}

pub fn named(name: &str) -> Script {
    let mut scripts = all().into_iter();
    scripts.find(|script| script.name == name).unwrap()
}

impl Script {
    fn new(name: &'static str, input: GateInputBuilder, answers: Vec<Answer>) -> Self {
        Self {
            name,
            input: input.trace(true),
            policy: Digest::of(b"the policy in force"),
            answers,
        }
    }

    /// The input, as the host would build it now.
    pub fn input(&self) -> GateInput {
        self.input.clone().policy(self.policy).build().unwrap()
    }

    /// The answer that comes next; a judgement stands for every form and member asked about.
    pub fn answer(&self, place: usize, question: &Question) -> Answer {
        let asked = question.seat();
        let Some(answer) = self.answers.get(place) else {
            panic!("{}: {asked} is asked past the end", self.name)
        };
        assert_eq!(answer.seat(), asked, "{}, answer {place}", self.name);
        match (question, answer.clone()) {
            (Question::Adjudicate(question), Answer::Adjudicate(Ok(mut answer))) => {
                answer.judgements = each(question, &answer.judgements);
                Answer::Adjudicate(Ok(answer))
            }
            (Question::Org(question), Answer::Org(Ok(said))) => {
                Answer::Org(Ok(each(question, &said)))
            }
            (Question::Rules(question), Answer::Rules(Ok(said))) => {
                Answer::Rules(Ok(each(question, &said)))
            }
            (_, answer) => answer,
        }
    }
}

fn each<R: Clone>(question: &JudgeQuestion, said: &[Judgement<R>]) -> Vec<Judgement<R>> {
    let [one] = said else {
        return said.to_vec();
    };
    question.judge(|_, _| (one.ruling.clone(), one.reason.clone(), one.basis.clone()))
}
