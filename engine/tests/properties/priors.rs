//! Earlier passes, really run, whose settlements and classifier rounds fill the attestation book.

use gatefold::gate::{
    Adjudication, Answer, Args, AttestationBook, AttestationId, Call, Classification,
    ClassifierRound, GateInput, GateInputBuilder, GateResult, Mode, PolicyRuling, Question,
    Resolution, Resolved, Seat, Step, begin,
};

use crate::args::pooled;
use crate::world::{Prior, PriorEnding, World, call};

/// The book that a world's earlier passes filled, and the ids under which they can be shown.
pub(crate) fn attested(world: &World) -> (AttestationBook, Vec<AttestationId>) {
    let mut book = AttestationBook::new();
    let mut ids = Vec::new();
    for prior in &world.priors {
        if let Some(id) = attest(world, prior, &mut book) {
            ids.push(id);
        }
    }
    (book, ids)
}

fn attest(world: &World, prior: &Prior, book: &mut AttestationBook) -> Option<AttestationId> {
    let this = call(world);
    let before = Call {
        id: if prior.other_call {
            "c0".into()
        } else {
            this.id
        },
        tool: if prior.other_tool {
            "Sh".into()
        } else {
            this.tool
        },
        args: pooled(world.call + prior.step, false),
    };
    let builder = GateInput::builder(before.clone());
    let (builder, answer) = match &prior.ending {
        PriorEnding::Yes { by, edit } => {
            let edit = edit.map(|step| pooled(world.call + prior.step + step, false).into());
            let yes = Resolved::Yes {
                by: *by,
                edit,
                remember: None,
            };
            (builder.wire(Seat::Resolve), resolved(yes))
        }
        PriorEnding::No { by } => {
            let no = Resolved::No {
                by: *by,
                reason: None,
            };
            (builder.wire(Seat::Resolve), resolved(no))
        }
        PriorEnding::Unanswered(why) => (
            builder.wire(Seat::Resolve),
            resolved(Resolved::Unanswered(*why)),
        ),
        PriorEnding::Round(ruling) => {
            let round = ClassifierRound {
                asked: "p1".into(),
                answered: "p2".into(),
            };
            let ruling = Classification {
                ruling: *ruling,
                round: Some(round),
                reason: None,
            };
            (
                builder.mode(Mode::Auto).wire(Seat::Classify),
                Answer::Classify(Ok(ruling)),
            )
        }
    };
    let finished = finish(builder, |_| answer.clone());
    let GateResult::Finished(finished) = finished else {
        return None;
    };
    let shown = book.attest(&finished).expect("the book has room");
    let id = match prior.ending {
        PriorEnding::Round(_) => shown.round,
        PriorEnding::Yes { .. } | PriorEnding::No { .. } | PriorEnding::Unanswered(_) => {
            shown.settlement
        }
    }?;
    if prior.consumed {
        consume(before, id, book);
    }
    Some(id)
}

/// A pass whose policy shows the attestation, which uses it up.
fn consume(call: Call, id: AttestationId, book: &mut AttestationBook) {
    let builder = GateInput::builder(call)
        .wire(Seat::Adjudicate)
        .attestations(book.clone());
    let finished = finish(builder, |question| match question {
        Question::Adjudicate(question) => Answer::Adjudicate(Ok(Adjudication {
            judgements: question.judge(|_: &Args, _| (PolicyRuling::Deny, None, None)),
            settlement: Some(id),
            ..Adjudication::default()
        })),
        other => panic!("only the policy is wired, and {:?} is asked", other.seat()),
    });
    if let GateResult::Finished(finished) = finished {
        book.attest(&finished).expect("the book has room");
    }
}

fn resolved(shown: Resolved) -> Answer {
    Answer::Resolve(Ok(Resolution::from(shown)))
}

fn finish(builder: GateInputBuilder, answer: impl Fn(&Question) -> Answer) -> GateResult {
    let mut step = begin(builder.build().expect("the input is within its limits"));
    loop {
        match step {
            Step::Need(pass) => {
                let answer = answer(pass.question());
                step = pass.answer(answer).expect("the answer is of its question");
            }
            Step::Done(result) => return *result,
            Step::Defect(defect) => panic!("{defect}"),
        }
    }
}
