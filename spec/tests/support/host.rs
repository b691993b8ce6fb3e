//! A host that answers as told.
//!
//! Each seat has a queue of answers, taken in order; the last one is repeated. Queuing an answer
//! wires its seat; what nobody queued is not wired. A judgement queued alone stands for every form
//! and member.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

use gatefold::gate::*;

/// What the model asks.
pub const ASKED: &str = r#"{"command":"make install"}"#;
/// Other args.
pub const OTHER: &str = r#"{"command":"make -n install"}"#;
/// Still other args.
pub const THIRD: &str = r#"{"command":"make check"}"#;

pub const STATED: PolicyRuling = PolicyRuling::Allow { stated: true };
pub const UNSTATED: PolicyRuling = PolicyRuling::Allow { stated: false };

pub fn args(text: &str) -> Args {
    Args::parse(text).unwrap()
}

thread_local! {
    /// The traces of every pass that a host of this thread ran to its end, once asked for.
    static TRACES: RefCell<Option<Vec<Trace>>> = const { RefCell::new(None) };
}

/// Runs this, and gives the trace of every pass that ended meanwhile.
pub fn traced(run: impl FnOnce()) -> Vec<Trace> {
    TRACES.set(Some(Vec::new()));
    run();
    TRACES.take().unwrap()
}

/// Answers by seat.
type Queues = BTreeMap<Seat, VecDeque<Answer>>;

#[derive(Clone)]
pub struct Host {
    input: GateInputBuilder,
    queues: Queues,
}

/// What came of a pass.
pub struct Seen {
    pub result: GateResult,
    /// The questions, in order.
    pub asked: Vec<Question>,
}

impl Host {
    /// A call in mode `default` with nothing wired.
    pub fn new() -> Self {
        Self::of("c1", ASKED)
    }

    /// The same of another call.
    pub fn of(id: &str, asked: &str) -> Self {
        Self {
            input: GateInput::builder(Call {
                id: id.into(),
                tool: "Bash".into(),
                args: args(asked),
            }),
            queues: BTreeMap::new(),
        }
    }

    pub fn with(mut self, change: impl FnOnce(GateInputBuilder) -> GateInputBuilder) -> Self {
        self.input = change(self.input);
        self
    }

    pub fn mode(self, mode: Mode) -> Self {
        self.with(|input| input.mode(mode))
    }

    pub fn ancestor(self, mode: Option<Mode>) -> Self {
        self.with(|input| match mode {
            None => input,
            Some(mode) => input.ancestor(Member {
                mode,
                ..Member::default()
            }),
        })
    }

    pub fn settings(self, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = Settings::default();
        change(&mut settings);
        self.with(|input| input.settings(settings))
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

    /// The policy says this of every form and member.
    pub fn policy(self, ruling: PolicyRuling) -> Self {
        self.says(adjudicates(ruling, None))
    }

    /// The policy says this of every form and member, and shows an attested settlement.
    pub fn attests(self, ruling: PolicyRuling, settlement: Option<AttestationId>) -> Self {
        let Answer::Adjudicate(Ok(mut answer)) = adjudicates(ruling, None) else {
            panic!("the policy answers")
        };
        answer.settlement = settlement;
        self.says(Answer::Adjudicate(Ok(answer)))
    }

    /// An ask of the model's own call, about an objection that an edit of it no longer raises; the
    /// person edits it, and says yes if asked again.
    pub fn edited(self) -> Self {
        self.edited_and(Reversibility::Reversible)
    }

    /// The same, with what the probe finds about the edited call.
    pub fn edited_and(self, finding: Reversibility) -> Self {
        self.says(probes(Reversibility::Irreversible, false))
            .says(probes(finding, false))
            .resolves(edits(OTHER))
            .resolves(Resolved::YES)
    }

    /// A guard hook with an answer for each of two screenings.
    pub fn guard_then(self, first: HookOutcome, then: HookOutcome) -> Self {
        self.guard(first).receipts(vec![("guard".into(), then)])
    }

    /// The organisation says this of every form and member.
    pub fn org(self, ruling: OrgRuling) -> Self {
        self.says(Answer::Org(Ok(vec![judged(Form::Current, 0, ruling)])))
    }

    /// The persisted rules say this of every form and member.
    pub fn rules(self, ruling: RuleRuling) -> Self {
        self.says(Answer::Rules(Ok(vec![judged(Form::Current, 0, ruling)])))
    }

    /// Whoever is asked says this.
    pub fn resolves(self, shown: Resolved) -> Self {
        self.says(Answer::Resolve(Ok(shown.into())))
    }

    /// The call is described as unknown but for this.
    pub fn facts(self, change: impl FnOnce(&mut Facts)) -> Self {
        let mut facts = Facts::UNKNOWN;
        change(&mut facts);
        self.says(Answer::Describe(Ok(facts)))
    }

    /// A guard hook that answers this in every screening.
    pub fn guard(self, outcome: HookOutcome) -> Self {
        self.with(|input| input.hook("guard", HookKind::Guard))
            .receipts(vec![("guard".into(), outcome)])
    }

    /// Queues the receipts of one screening.
    pub fn receipts(self, receipts: Vec<(String, HookOutcome)>) -> Self {
        let receipts = receipts.into_iter().map(|(hook, outcome)| HookReceipt {
            hook: hook.as_str().into(),
            outcome,
        });
        self.says(Answer::Hook(Ok(receipts.collect())))
    }

    pub fn input(&self) -> GateInput {
        let mut input = self.input.clone();
        if TRACES.with_borrow(Option::is_some) {
            input = input.trace(true);
        }
        input.build().unwrap()
    }

    /// Runs to the end.
    pub fn run(&self) -> Seen {
        self.run_from(begin(self.input()))
    }

    /// Runs to the first question of this sort, and gives the pass.
    pub fn run_to(&self, wanted: impl Fn(&Question) -> bool) -> Pass {
        let mut queues = self.queues.clone();
        let mut step = begin(self.input());
        loop {
            let Step::Need(pass) = step else {
                panic!("it was never asked")
            };
            if wanted(pass.question()) {
                return pass;
            }
            let answer = next(&mut queues, pass.question());
            step = pass.answer(answer).unwrap();
        }
    }

    /// Goes on from a step, every queue from its start.
    pub fn run_from(&self, step: Step) -> Seen {
        go_on(step, &mut self.queues.clone(), |pass| pass)
    }

    /// Runs to the end, with something done to the pass at every question.
    pub fn run_with(&self, at_question: impl FnMut(Pass) -> Pass) -> Seen {
        go_on(begin(self.input()), &mut self.queues.clone(), at_question)
    }

    /// Runs to an outcome.
    pub fn finish(&self) -> Finished {
        self.run().finished()
    }
}

/// Answers every question to the end.
fn go_on(mut step: Step, queues: &mut Queues, mut at_question: impl FnMut(Pass) -> Pass) -> Seen {
    let mut asked = Vec::new();
    loop {
        let pass = match step {
            Step::Done(result) => {
                if let GateResult::Finished(finished) = &*result {
                    keep_trace(finished);
                }
                return Seen {
                    result: *result,
                    asked,
                };
            }
            Step::Defect(defect) => panic!("{defect}"),
            Step::Need(pass) => pass,
        };
        let pass = at_question(pass);
        let question = pass.question().clone();
        let answer = next(queues, &question);
        asked.push(question);
        step = pass.answer(answer).unwrap();
    }
}

fn keep_trace(finished: &Finished) {
    TRACES.with_borrow_mut(|traces| {
        if let (Some(traces), Some(trace)) = (traces, finished.trace()) {
            traces.push(trace.clone());
        }
    });
}

impl Seen {
    pub fn finished(self) -> Finished {
        match self.result {
            GateResult::Finished(finished) => finished,
            GateResult::Suspended(_) => panic!("the pass was parked"),
        }
    }

    pub fn suspended(self) -> Suspended {
        match self.result {
            GateResult::Suspended(suspended) => suspended,
            GateResult::Finished(finished) => panic!("it ended: {}", finished.record().to_json()),
        }
    }

    /// Whether a seat was asked.
    pub fn asks(&self, seat: Seat) -> bool {
        self.asked.iter().any(|question| question.seat() == seat)
    }
}

/// The next answer of the seat that is asked; the last one is repeated.
fn next(queues: &mut Queues, question: &Question) -> Answer {
    let queue = queues.get_mut(&question.seat());
    let queue = queue.unwrap_or_else(|| panic!("{} has no answer", question.seat()));
    let answer = if queue.len() > 1 {
        queue.pop_front()
    } else {
        queue.front().cloned()
    };
    spread(question, answer.unwrap())
}

/// A judgement queued alone, for every form and member that the question names.
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

/// The policy's answer for every form and member, with a rewrite.
pub fn adjudicates(ruling: PolicyRuling, rewrite: Option<&str>) -> Answer {
    Answer::Adjudicate(Ok(Adjudication {
        judgements: vec![judged(Form::Current, 0, ruling)],
        rewrite: rewrite.map(NewArgs::from),
        ..Adjudication::default()
    }))
}

/// A hook's answer.
pub fn said(decision: HookDecision, rewrite: Option<&str>) -> HookOutcome {
    HookOutcome::Answered(HookAnswer {
        rewrite: rewrite.map(NewArgs::from),
        ..HookAnswer::plain(decision)
    })
}

/// What the shell reader finds.
pub fn reads(finding: ShellFinding) -> ShellRead {
    ShellRead {
        finding,
        ..ShellRead::UNWIRED
    }
}

/// What the probe finds.
pub fn probes(finding: Reversibility, boundary_declined: bool) -> Answer {
    Answer::Probe(Ok(Probe {
        finding,
        boundary_declined,
    }))
}

/// A yes by a person, to other args.
pub fn edits(edit: &str) -> Resolved {
    Resolved::Yes {
        by: Answerer::Person,
        edit: Some(edit.into()),
        remember: None,
    }
}

/// The causes that objected, in order, but for `unstated`.
pub fn causes(finished: &Finished) -> Vec<Cause> {
    let record = finished.record();
    let asked = record.fields().asked.as_ref();
    let askers = asked.map_or(&[][..], |asked| &asked.askers);
    let causes = askers.iter().map(|asker| asker.cause);
    causes.filter(|cause| *cause != Cause::Unstated).collect()
}

/// Whether this was told.
pub fn told(finished: &Finished, word: NoticeWord) -> bool {
    let mut notices = finished.notices().iter();
    notices.any(|notice| notice.notice == word)
}

/// Enters a settlement of this call in the book: an earlier pass over these args that ended so.
pub fn settled_before(
    book: &mut AttestationBook,
    id: &str,
    asked: &str,
    shown: Resolved,
) -> AttestationId {
    let finished = Host::of(id, asked).resolves(shown).finish();
    book.attest(&finished).unwrap().settlement.unwrap()
}

/// How the ask on record was settled: `none`, `yes`, `no`, or why nobody answered.
pub fn settled(finished: &Finished) -> String {
    let Some(ask) = finished.outcome().settled() else {
        return "none".into();
    };
    let Settlement { answer, why, .. } = ask.settlement;
    why.map_or_else(|| answer.to_string(), |why| why.to_string())
}

/// The causes that were written in this round.
pub fn causes_of(finished: &Finished, round: u8) -> Vec<Cause> {
    let record = finished.record();
    let asked = record.fields().asked.as_ref();
    let askers = asked.map_or(&[][..], |asked| &asked.askers);
    let of_round = askers.iter().filter(|asker| asker.round == round);
    of_round.map(|asker| asker.cause).collect()
}

/// Words, one after the other; `none` for none.
pub fn listed<T: ToString>(words: &[T]) -> String {
    if words.is_empty() {
        return "none".into();
    }
    let words: Vec<_> = words.iter().map(ToString::to_string).collect();
    words.join(", ")
}
