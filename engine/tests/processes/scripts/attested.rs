//! What other passes attest, a classifier, and resolvers that come late.

use gatefold::gate::*;

use super::Script;
use super::answers::*;

/// The policy's yes and an ancestor's round are attested; a tighten asks all the same, the
/// classifier gives no ruling, parking fails, and the resolver attests what it does not show.
pub fn classifier_and_attestations() -> Script {
    let mut book = AttestationBook::new();
    let policy_yes = book.attest(&answered(Resolved::YES)).unwrap().settlement;
    let round = book.attest(&blocked()).unwrap().round;
    let resolver_yes = book.attest(&answered(delegated())).unwrap().settlement;
    let input = wired()
        .mode(Mode::Auto)
        .ancestor(Member {
            mode: Mode::Auto,
            ..Member::default()
        })
        .settings(Settings {
            on_no_ruling: OnNoRuling::Ask,
            ..Settings::default()
        })
        .denials(1)
        .attestations(book);
    let mut answers = vec![
        Answer::Describe(Err(SeatFailure::TimedOut)),
        Answer::Adjudicate(Ok(Adjudication {
            judgements: vec![judgement(STATED, None)],
            settlement: policy_yes,
            round,
            rewrite: None,
        })),
        Answer::Probe(Ok(Probe {
            finding: Reversibility::Irreversible,
            boundary_declined: false,
        })),
    ];
    answers.extend(no_tighten().split_off(1));
    answers.extend(no_layer());
    answers.extend([
        Answer::Classify(Ok(ruling(ClassifierRuling::ParseError))),
        shown(ASKED),
        Answer::Park(Err(SeatFailure::threw("the store is away"))),
        Answer::Resolve(Ok(Resolution {
            shown: Resolved::NO,
            attested: resolver_yes,
        })),
    ]);
    Script::new("classifier_and_attestations", input, answers)
}

/// An attestation shown beside the policy's ask is spent there, also for a pass that was parked
/// since and is resumed with the whole book.
pub fn an_attestation_used_up() -> Script {
    let mut book = AttestationBook::new();
    let yes = book.attest(&answered(Resolved::YES)).unwrap().settlement;
    let input = [Seat::Adjudicate, Seat::Park, Seat::Resolve]
        .iter()
        .fold(GateInput::builder(call()), |input, seat| input.wire(*seat))
        .attestations(book);
    let answers = vec![
        Answer::Adjudicate(Ok(Adjudication {
            judgements: vec![judgement(PolicyRuling::Ask, Some("Bash(*)"))],
            settlement: yes,
            ..Adjudication::default()
        })),
        PARKED,
        Answer::Resolve(Ok(Resolution {
            shown: Resolved::Unanswered(NoAnswer::Timeout),
            attested: yes,
        })),
    ];
    Script::new("an_attestation_used_up", input, answers)
}

/// Only parking is wired; whoever resumes the pass is asked all the same.
pub fn nobody_at_first() -> Script {
    let input = GateInput::builder(call()).wire(Seat::Park).leg("[night]");
    let no = Resolved::No {
        by: Answerer::Delegate,
        reason: Some("not at night".into()),
    };
    Script::new("nobody_at_first", input, vec![PARKED, resolved(no)])
}

fn delegated() -> Resolved {
    Resolved::Yes {
        by: Answerer::Delegate,
        edit: None,
        remember: None,
    }
}

fn ruling(ruling: ClassifierRuling) -> Classification {
    Classification {
        ruling,
        round: Some(ClassifierRound {
            asked: "small".into(),
            answered: "small-2".into(),
        }),
        reason: Some("it installs".into()),
    }
}

/// Another pass of the same call, in which the ask was answered.
fn answered(shown: Resolved) -> Finished {
    let input = GateInput::builder(call()).wire(Seat::Resolve);
    finish(input, resolved(shown))
}

/// Another pass of the same call, in which the classifier blocked it.
fn blocked() -> Finished {
    let input = GateInput::builder(call()).mode(Mode::Auto);
    let blocks = Answer::Classify(Ok(ruling(ClassifierRuling::Block)));
    finish(input.wire(Seat::Classify), blocks)
}

fn finish(input: GateInputBuilder, answer: Answer) -> Finished {
    let Step::Need(pass) = begin(input.build().unwrap()) else {
        panic!("one question is asked")
    };
    let Ok(Step::Done(result)) = pass.answer(answer) else {
        panic!("one answer ends it")
    };
    match *result {
        GateResult::Finished(finished) => finished,
        GateResult::Suspended(_) => panic!("nothing is parked"),
    }
}
