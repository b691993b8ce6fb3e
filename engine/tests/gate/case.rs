//! One case: an input, a host that answers as told, and what came of it.
//!
//! A case answers each question with the answers queued for its seat, in order; the last one is
//! repeated. Queuing an answer wires its seat. What nobody queued is not wired.

use std::collections::{BTreeMap, VecDeque};

use gatefold::gate::*;

/// What the model asks in most cases.
pub const ASKED: &str = r#"{"command":"make install"}"#;
/// Other args, as a hook, the policy or a person would have them.
pub const OTHER: &str = r#"{"command":"make -n install"}"#;
/// Still other args.
pub const THIRD: &str = r#"{"command":"make check"}"#;

pub fn args(text: &str) -> Args {
    Args::parse(text).unwrap()
}

pub fn call() -> Call {
    Call {
        id: "c1".into(),
        tool: "Bash".into(),
        args: args(ASKED),
    }
}

/// An answer, by edit round or once for all.
type Queue = VecDeque<Answer>;

#[derive(Clone)]
pub struct Case {
    input: GateInputBuilder,
    queues: BTreeMap<Seat, Queue>,
}

/// What came of a case.
pub struct Ended {
    pub result: GateResult,
    /// The questions, in order.
    pub asked: Vec<Question>,
}

impl Case {
    /// A call in mode `default` with nothing wired, which traces.
    pub fn new() -> Self {
        Self::of(call())
    }

    /// The same, of this call.
    pub fn of(call: Call) -> Self {
        Self {
            input: GateInput::builder(call).trace(true),
            queues: BTreeMap::new(),
        }
    }

    /// Changes the input.
    pub fn with(mut self, change: impl FnOnce(GateInputBuilder) -> GateInputBuilder) -> Self {
        self.input = change(self.input);
        self
    }

    pub fn mode(self, mode: Mode) -> Self {
        self.with(|input| input.mode(mode))
    }

    pub fn ancestor(self, mode: Mode) -> Self {
        self.with(|input| {
            input.ancestor(Member {
                mode,
                ..Member::default()
            })
        })
    }

    /// Queues an answer and wires its seat (the hook seat is wired by its hooks).
    pub fn says(mut self, answer: Answer) -> Self {
        let seat = answer.seat();
        if seat != Seat::Hook {
            self.input = self.input.wire(seat);
        }
        self.queues.entry(seat).or_default().push_back(answer);
        self
    }

    /// A guard hook `id`; what it says is queued with [`hooks`](Self::hooks).
    pub fn guard(self, id: &str) -> Self {
        self.with(|input| input.hook(id, HookKind::Guard))
    }

    pub fn observer(self, id: &str) -> Self {
        self.with(|input| input.hook(id, HookKind::Observer))
    }

    /// Queues the receipts of one screening.
    pub fn hooks(self, receipts: &[(&str, HookOutcome)]) -> Self {
        let receipts = receipts
            .iter()
            .map(|(hook, outcome)| HookReceipt {
                hook: (*hook).into(),
                outcome: outcome.clone(),
            })
            .collect();
        self.says(Answer::Hook(Ok(receipts)))
    }

    /// The policy says this of every form and member.
    pub fn policy(self, ruling: PolicyRuling) -> Self {
        self.says(policy(ruling, None))
    }

    /// The organisation says this of every form and member.
    pub fn org(self, ruling: OrgRuling) -> Self {
        self.says(Answer::Org(Ok(vec![judgement(ruling)])))
    }

    /// The persisted rules say this of every form and member.
    pub fn rules(self, ruling: RuleRuling) -> Self {
        self.says(Answer::Rules(Ok(vec![judgement(ruling)])))
    }

    /// What the call does.
    pub fn facts(self, facts: Facts) -> Self {
        self.says(Answer::Describe(Ok(facts)))
    }

    pub fn resolves(self, shown: Resolved) -> Self {
        self.says(Answer::Resolve(Ok(shown.into())))
    }

    pub fn input(&self) -> GateInput {
        self.input.clone().build().unwrap()
    }

    pub fn begin(&self) -> Step {
        begin(self.input())
    }

    /// Runs the case to its end.
    pub fn run(&self) -> Ended {
        self.run_from(self.begin())
    }

    /// Runs the case from a step on.
    pub fn run_from(&self, step: Step) -> Ended {
        self.go(step, |pass| pass)
    }

    /// Runs the case to its end; what this makes of each pass is what goes on.
    pub fn run_through(&self, through: impl FnMut(Pass) -> Pass) -> Ended {
        self.go(self.begin(), through)
    }

    fn go(&self, mut step: Step, mut through: impl FnMut(Pass) -> Pass) -> Ended {
        let mut queues = self.queues.clone();
        let mut asked = Vec::new();
        loop {
            let pass = match step {
                Step::Done(result) => {
                    return Ended {
                        result: *result,
                        asked,
                    };
                }
                Step::Defect(defect) => panic!("{defect}"),
                Step::Need(pass) => through(pass),
            };
            let question = pass.question().clone();
            let answer = next(&mut queues, &question);
            asked.push(question);
            step = pass.answer(answer).unwrap();
        }
    }

    /// Runs the case up to the first question of this seat, and gives the pass.
    pub fn run_to(&self, seat: Seat) -> Pass {
        let mut queues = self.queues.clone();
        let mut step = self.begin();
        loop {
            let Step::Need(pass) = step else {
                panic!("{seat} was never asked")
            };
            if pass.question().seat() == seat {
                return pass;
            }
            let answer = next(&mut queues, pass.question());
            step = pass.answer(answer).unwrap();
        }
    }

    /// Runs the case to its end, and takes each pass with an open question through `look` on the
    /// way, with the answer it is to be given.
    pub fn watch(&self, mut look: impl FnMut(Pass, &Answer) -> Pass) -> Ended {
        let mut queues = self.queues.clone();
        let mut asked = Vec::new();
        let mut step = self.begin();
        loop {
            let pass = match step {
                Step::Done(result) => {
                    return Ended {
                        result: *result,
                        asked,
                    };
                }
                Step::Defect(defect) => panic!("{defect}"),
                Step::Need(pass) => pass,
            };
            let answer = next(&mut queues, pass.question());
            asked.push(pass.question().clone());
            step = look(pass, &answer).answer(answer).unwrap();
        }
    }

    /// Runs the case to an outcome.
    pub fn finish(&self) -> Finished {
        self.run().finished()
    }
}

impl Ended {
    pub fn finished(self) -> Finished {
        match self.result {
            GateResult::Finished(finished) => finished,
            GateResult::Suspended(_) => panic!("the pass was parked"),
        }
    }

    pub fn suspended(self) -> Suspended {
        match self.result {
            GateResult::Finished(finished) => {
                panic!("the pass ended: {}", finished.record().to_json())
            }
            GateResult::Suspended(suspended) => suspended,
        }
    }

    pub fn seats(&self) -> Vec<Seat> {
        self.asked.iter().map(Question::seat).collect()
    }
}

/// The next answer of a queue; a judgement queued once stands for every form and member asked.
fn next(queues: &mut BTreeMap<Seat, Queue>, question: &Question) -> Answer {
    let queue = queues
        .get_mut(&question.seat())
        .expect("a wired seat has an answer");
    let answer = if queue.len() > 1 {
        queue.pop_front()
    } else {
        queue.front().cloned()
    };
    spread(question, answer.expect("a queue is never empty"))
}

fn spread(question: &Question, answer: Answer) -> Answer {
    match (question, answer) {
        (Question::Adjudicate(question), Answer::Adjudicate(Ok(mut answer))) => {
            answer.judgements = each(question, answer.judgements);
            Answer::Adjudicate(Ok(answer))
        }
        (Question::Org(question), Answer::Org(Ok(judgements))) => {
            Answer::Org(Ok(each(question, judgements)))
        }
        (Question::Rules(question), Answer::Rules(Ok(judgements))) => {
            Answer::Rules(Ok(each(question, judgements)))
        }
        (_, answer) => answer,
    }
}

fn each<R: Clone>(question: &JudgeQuestion, judgements: Vec<Judgement<R>>) -> Vec<Judgement<R>> {
    let [one] = judgements.as_slice() else {
        return judgements;
    };
    question.judge(|_, _| (one.ruling.clone(), one.reason.clone(), one.basis.clone()))
}

/// One judgement, to be spread over every form and member. An answer of several is sent as it is.
pub fn judgement<R>(ruling: R) -> Judgement<R> {
    judged(Form::Current, 0, ruling)
}

/// A judgement of one form and member.
pub fn judged<R>(form: Form, member: u8, ruling: R) -> Judgement<R> {
    Judgement {
        form,
        member,
        ruling,
        reason: None,
        basis: None,
    }
}

pub const STATED: PolicyRuling = PolicyRuling::Allow { stated: true };
pub const UNSTATED: PolicyRuling = PolicyRuling::Allow { stated: false };

/// The policy's answer, with a rewrite.
pub fn policy(ruling: PolicyRuling, rewrite: Option<&str>) -> Answer {
    Answer::Adjudicate(Ok(Adjudication {
        judgements: vec![judgement(ruling)],
        rewrite: rewrite.map(NewArgs::from),
        ..Adjudication::default()
    }))
}

/// A hook's plain answer.
pub fn said(decision: HookDecision) -> HookOutcome {
    HookOutcome::Answered(HookAnswer::plain(decision))
}

/// A hook's answer with a rewrite.
pub fn rewrites(decision: HookDecision, rewrite: &str) -> HookOutcome {
    let plain = HookAnswer::plain(decision);
    HookOutcome::Answered(HookAnswer {
        rewrite: Some(rewrite.into()),
        ..plain
    })
}

/// A person's yes to edited args.
pub fn edits(edit: &str) -> Resolved {
    Resolved::Yes {
        by: Answerer::Person,
        edit: Some(edit.into()),
        remember: None,
    }
}

/// Who decided, in a word: `allow policy`, `deny hook`.
pub fn disposition(finished: &Finished) -> String {
    let outcome = finished.outcome();
    let by = outcome.allowed_by().map(AllowedBy::word);
    let by = by.or(outcome.denied_by().map(DeniedBy::word));
    format!("{} {}", outcome.verdict(), by.unwrap())
}

/// The notices of a result, by word.
pub fn notices(finished: &Finished) -> Vec<NoticeWord> {
    finished
        .notices()
        .iter()
        .map(|notice| notice.notice)
        .collect()
}

/// The causes of a result, in order, bars left out.
pub fn causes(record: &Record) -> Vec<Cause> {
    let asked = record.fields().asked.as_ref();
    asked
        .map(|asked| asked.askers.iter().map(|asker| asker.cause).collect())
        .unwrap_or_default()
}

/// The whole account in one line, each part only if there is something to say:
/// `deny org; asked by policy; settled yes person; told seat_failed describe, permission_denied org`.
pub fn account(finished: &Finished) -> String {
    let mut account = disposition(finished);
    let record = finished.record();
    let mut part = |name: &str, words: Vec<String>| {
        if !words.is_empty() {
            account.push_str(&format!("; {name} {}", words.join(", ")));
        }
    };
    let causes = causes(&record);
    part("asked by", causes.iter().map(Cause::to_string).collect());
    let settled = record.fields().settled.iter().map(|settled| {
        let why = settled.why.map(Unanswered::word);
        format!("{} {}", settled.answer, why.unwrap_or(settled.by.word()))
    });
    part("settled", settled.collect());
    let told = finished.notices().iter().map(|notice| {
        let about = notice.about.as_deref().map(|about| format!(" {about}"));
        format!("{}{}", notice.notice, about.unwrap_or_default())
    });
    part("told", told.collect());
    account
}

/// The pass to which a step has come.
pub fn need(step: Step) -> Pass {
    match step {
        Step::Need(pass) => pass,
        Step::Done(_) => panic!("the pass is over"),
        Step::Defect(defect) => panic!("{defect}"),
    }
}

/// A key to seal with.
pub fn key() -> SealKey {
    SealKey::new(&[7; 32]).unwrap()
}
