//! What a pass allocates, as exact numbers: one more is a change that somebody has to want.
//!
//! The host's input and answers are built beforehand and count for nothing. Text that others wrote
//! is shared and never copied. A reallocation counts as an allocation.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test says what went wrong by failing"
)]

use allocation_counter::measure;
use gatefold::gate::*;

/// From a ready input to an allow, with nothing wired: the state, and the result's box.
const NOTHING_WIRED_ALLOWED: u64 = 2;

/// From a ready input to the deny of an ask that nobody can be asked about: the state, the list of
/// causes, the list of notices, the name of the refuser in the one notice, and the result's box.
const NOTHING_WIRED_REFUSED: u64 = 5;

/// A pass that asks all seats it can, by the step that allocates. (It cannot ask all fourteen: a
/// classifier that leaves the ask standing bars the sandbox.)
const FULL_PASS: [(&str, u64); 14] = [
    // The state.
    ("begin", 1),
    // The contexts of the screening, and the list of contexts that they go to.
    ("hook", 2),
    ("describe", 0),
    ("adjudicate", 0),
    // The list of causes, with room for four.
    ("probe", 1),
    ("egress", 0),
    ("shell_read", 0),
    ("write_judge", 0),
    ("org", 0),
    // Who asks, for the classifier's question.
    ("rules", 1),
    ("classify", 0),
    // Who asks, for the question whether to park.
    ("present", 1),
    // Who asks, for the resolver's question.
    ("park", 1),
    // The result's box.
    ("resolve", 1),
];

/// All of them together.
const FULL_PASS_IN_ALL: u64 = 8;

/// Its record, asked for afterwards: the list of askers and the name of the schema.
const RECORD: u64 = 2;

/// The record's bytes: the text, begun at 128 bytes and doubled until it holds them.
const RECORD_BYTES: u64 = 4;

/// The digest of those bytes: the bytes, once more.
const RECORD_DIGEST: u64 = RECORD_BYTES;

#[test]
fn a_pass_with_nothing_wired_allocates_its_state_and_its_result() {
    let input = GateInput::builder(call()).unstated(Unstated::Allow);
    let input = input.build().unwrap();
    let (step, allocations) = counted(|| begin(input));
    assert!(finished(step).args_to_run().is_some());
    assert_eq!(allocations, NOTHING_WIRED_ALLOWED);
}

#[test]
fn a_refusal_allocates_its_cause_and_its_notice_beside() {
    let input = GateInput::builder(call()).build().unwrap();
    let (step, allocations) = counted(|| begin(input));
    assert!(finished(step).args_to_run().is_none());
    assert_eq!(allocations, NOTHING_WIRED_REFUSED);
}

#[test]
fn a_pass_that_asks_every_seat_allocates_what_its_questions_list() {
    let mut steps = Vec::new();
    let finished = full_pass(|step, allocations| steps.push((step, allocations)));
    assert!(finished.args_to_run().is_some());
    assert_eq!(steps, FULL_PASS);
    let in_all: u64 = steps.iter().map(|(_, allocations)| allocations).sum();
    assert_eq!(in_all, FULL_PASS_IN_ALL);
}

#[test]
fn a_record_allocates_its_lists_and_its_text() {
    let finished = full_pass(|_, _| ());
    let (record, allocations) = counted(|| finished.record());
    assert_eq!(allocations, RECORD);
    let (json, allocations) = counted(|| record.to_json());
    assert_eq!(allocations, RECORD_BYTES, "{} bytes", json.len());
    let (_, allocations) = counted(|| record.digest());
    assert_eq!(allocations, RECORD_DIGEST);
}

#[test]
fn reading_a_result_allocates_nothing() {
    let finished = full_pass(|_, _| ());
    let ((), allocations) = counted(|| {
        let read = (finished.outcome(), finished.exit(), finished.args_to_run());
        let told = (finished.context(), finished.notices(), finished.details());
        let _ = (read, told);
    });
    assert_eq!(allocations, 0);
}

/// What came of it, and how many allocations it made.
fn counted<T>(run: impl FnOnce() -> T) -> (T, u64) {
    let mut came = None;
    let counted = measure(|| came = Some(run()));
    (came.unwrap(), counted.count_total)
}

fn call() -> Call {
    Call {
        id: "c1".into(),
        tool: "Bash".into(),
        args: Args::parse(r#"{"command":"make install"}"#).unwrap(),
    }
}

fn finished(step: Step) -> Finished {
    match step {
        Step::Done(result) => match *result {
            GateResult::Finished(finished) => finished,
            GateResult::Suspended(_) => panic!("the pass was parked"),
        },
        Step::Need(pass) => panic!("{} was asked", pass.question().seat()),
        Step::Defect(defect) => panic!("{defect}"),
    }
}

/// Runs the full pass, and tells for each step how many allocations it made.
fn full_pass(mut tell: impl FnMut(&'static str, u64)) -> Finished {
    let mut input = GateInput::builder(call()).mode(Mode::Auto);
    input = input.hook("lint", HookKind::Guard);
    for seat in Seat::ALL.iter().filter(|seat| **seat != Seat::Hook) {
        input = input.wire(*seat);
    }
    let input = input.build().unwrap();
    let (mut step, allocations) = counted(|| begin(input));
    tell("begin", allocations);
    for answer in answers() {
        let Step::Need(pass) = step else {
            panic!("{} was not asked", answer.seat())
        };
        let seat = answer.seat().word();
        let (next, allocations) = counted(|| pass.answer(answer).unwrap());
        tell(seat, allocations);
        step = next;
    }
    finished(step)
}

/// The host's answers: the policy says nothing, two tightens object, the classifier leaves the ask
/// to a person, and the person says yes to what was shown.
fn answers() -> Vec<Answer> {
    let facts = Facts {
        kind: ToolKind::Shell,
        shows_content: true,
        ..Facts::UNKNOWN
    };
    let context = HookAnswer {
        context: Some("make has no dry run here".into()),
        ..HookAnswer::plain(HookDecision::None)
    };
    let receipt = HookReceipt {
        hook: "lint".into(),
        outcome: HookOutcome::Answered(context),
    };
    let adjudication = Adjudication {
        judgements: vec![judgement(PolicyRuling::Allow { stated: false })],
        ..Adjudication::default()
    };
    let probe = Probe {
        finding: Reversibility::Irreversible,
        boundary_declined: false,
    };
    let classification = Classification {
        ruling: ClassifierRuling::Ask,
        round: Some(ClassifierRound {
            asked: "small".into(),
            answered: "small".into(),
        }),
        reason: Some("it installs".into()),
    };
    vec![
        Answer::Hook(Ok(vec![receipt])),
        Answer::Describe(Ok(facts)),
        Answer::Adjudicate(Ok(adjudication)),
        Answer::Probe(Ok(probe)),
        Answer::Egress(Ok(Egress::Outside(Some("mirror.example".into())))),
        Answer::ShellRead(Ok(ShellRead::UNWIRED)),
        Answer::WriteJudge(Ok(WriteProtection::None)),
        Answer::Org(Ok(vec![judgement(OrgRuling::None)])),
        Answer::Rules(Ok(vec![judgement(RuleRuling::None)])),
        Answer::Classify(Ok(classification)),
        Answer::Present(Ok(Presented::Shown(call().args.digest()))),
        Answer::Park(Ok(Parking::Declined)),
        Answer::Resolve(Ok(Resolved::YES.into())),
    ]
}

fn judgement<R>(ruling: R) -> Judgement<R> {
    Judgement {
        form: Form::Current,
        member: 0,
        ruling,
        reason: None,
        basis: None,
    }
}
