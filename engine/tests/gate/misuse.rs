//! Misuse: an answer that a pass cannot take gives the pass back as it was.

use super::answers::*;
use super::case::*;
use gatefold::gate::*;
use gatefold::limits::{JUDGEMENTS_MAX, RECEIPTS_MAX};

/// A pass that comes by every seat but the classifier, and by most of them in an edit round too.
fn long() -> Case {
    let shows = |text| Answer::Present(Ok(Presented::Shown(args(text).digest())));
    Case::new()
        .guard("g")
        .guard("h")
        .observer("o")
        .hooks(&[
            ("g", rewrites(HookDecision::None, OTHER)),
            ("h", said(HookDecision::None)),
            ("o", said(HookDecision::None)),
        ])
        .hooks(&[
            ("g", said(HookDecision::None)),
            ("h", said(HookDecision::None)),
        ])
        .hooks(&[
            ("g", said(HookDecision::Ask)),
            ("h", said(HookDecision::None)),
            ("o", said(HookDecision::None)),
        ])
        .ancestor(Mode::Default)
        .facts(Facts {
            shows_content: true,
            ..SHELL
        })
        .policy(UNSTATED)
        .says(probed(Reversibility::Reversible, false))
        .says(Answer::Egress(Ok(Egress::Inside)))
        .says(reads(ShellFinding::Clean))
        .says(Answer::WriteJudge(Ok(WriteProtection::None)))
        .org(OrgRuling::None)
        .rules(RuleRuling::None)
        .says(Answer::Sandbox(Ok(Sandbox::Not)))
        .says(shows(OTHER))
        .says(shows(THIRD))
        .says(Answer::Park(Ok(Parking::Declined)))
        .resolves(edits(THIRD))
        .resolves(Resolved::YES)
}

/// A pass in auto mode, for the one seat that [`long`] does not come by.
fn auto() -> Case {
    let ask = rules_that(ClassifierRuling::Ask);
    Case::new()
        .mode(Mode::Auto)
        .says(ask)
        .resolves(Resolved::YES)
}

/// Gives the answer, which is misuse, and gives the pass back if it is as it was.
fn misused(pass: Pass, answer: Answer, kind: &MisuseKind, code: &str) -> Pass {
    let before = pass.save(&key()).unwrap();
    let misuse = pass.answer(answer).unwrap_err();
    assert_eq!(misuse.kind(), kind);
    assert_eq!((misuse.code(), misuse.kind().code()), (code, code));
    assert_eq!(misuse.to_string(), kind.to_string());
    let pass = misuse.into_pass();
    assert_eq!(pass.save(&key()).unwrap(), before, "{code}");
    pass
}

/// An answer of a layer: one judgement of this form and member, so many times.
type Layer = fn(Form, u8, usize) -> Answer;

const LAYERS: [(Seat, Layer); 3] = [
    (Seat::Adjudicate, |form, member, n| {
        Answer::Adjudicate(Ok(Adjudication {
            judgements: vec![judged(form, member, STATED); n],
            ..Adjudication::default()
        }))
    }),
    (Seat::Org, |form, member, n| {
        Answer::Org(Ok(vec![judged(form, member, OrgRuling::None); n]))
    }),
    (Seat::Rules, |form, member, n| {
        Answer::Rules(Ok(vec![judged(form, member, RuleRuling::None); n]))
    }),
];

#[test]
fn the_two_passes_come_by_every_seat() {
    let mut seats = long().run().seats();
    seats.extend(auto().run().seats());
    seats.sort_unstable();
    seats.dedup();
    assert_eq!(seats, Seat::ALL);
    assert_eq!(long().finish().round(), 1);
}

#[test]
fn an_answer_of_another_seat_changes_nothing_at_any_question() {
    for case in [long(), auto()] {
        let expected = case.finish();
        let ended = case.watch(|mut pass, _| {
            let asked = pass.question().seat();
            for given in Seat::ALL.iter().copied().filter(|seat| *seat != asked) {
                let failures = [SeatFailure::Aborted, SeatFailure::TimedOut];
                for failure in failures {
                    let kind = MisuseKind::WrongSeat { asked, given };
                    pass = misused(pass, Answer::failed(given, failure), &kind, "wrong_seat");
                }
            }
            pass
        });
        let finished = ended.finished();
        assert_eq!(finished.record().to_json(), expected.record().to_json());
        assert_eq!(finished.notices(), expected.notices());
        assert_eq!(finished.trace(), expected.trace());
    }
}

#[test]
fn receipts_that_were_not_asked_for_change_nothing_in_any_screening() {
    let mut screenings = 0;
    let expected = long().finish();
    let ended = long().watch(|mut pass, answer| {
        let Answer::Hook(Ok(good)) = answer else {
            return pass;
        };
        screenings += 1;
        let mut unknown = good.clone();
        unknown.push(HookReceipt {
            hook: "x".into(),
            outcome: said(HookDecision::Deny),
        });
        let hook = "x".into();
        let kind = MisuseKind::UnknownHook { hook };
        pass = misused(pass, Answer::Hook(Ok(unknown)), &kind, "unknown_hook");
        let many = vec![good[0].clone(); RECEIPTS_MAX + 1];
        let receipts = many.len();
        let kind = MisuseKind::TooManyReceipts { receipts };
        misused(pass, Answer::Hook(Ok(many)), &kind, "too_many_receipts")
    });
    assert_eq!(screenings, 3);
    let record = ended.finished().record();
    assert_eq!(record.to_json(), expected.record().to_json());
}

#[test]
fn judgements_that_were_not_asked_for_change_nothing_in_any_round() {
    let mut asked = 0;
    let expected = long().finish();
    let ended = long().watch(|mut pass, _| {
        let seat = pass.question().seat();
        let Some((_, layer)) = LAYERS.iter().find(|(layer, _)| *layer == seat) else {
            return pass;
        };
        asked += 1;
        for member in [2, 3, u8::MAX] {
            let answer = layer(Form::Current, member, 1);
            let kind = MisuseKind::UnknownMember { member };
            pass = misused(pass, answer, &kind, "unknown_member");
        }
        let judgements = JUDGEMENTS_MAX + 1;
        let answer = layer(Form::Current, 0, judgements);
        let kind = MisuseKind::TooManyJudgements { judgements };
        misused(pass, answer, &kind, "too_many_judgements")
    });
    assert_eq!(asked, 2 * LAYERS.len());
    let record = ended.finished().record();
    assert_eq!(record.to_json(), expected.record().to_json());
}

/// The first round has two forms, for a hook rewrote the args; the edit round has one.
#[test]
fn the_original_form_is_unknown_where_the_args_are_as_they_came() {
    for (seat, layer) in LAYERS {
        let mut rounds = Vec::new();
        long().watch(|pass, _| {
            if pass.question().seat() != seat {
                return pass;
            }
            let answer = layer(Form::Original, 0, 1);
            let (Question::Adjudicate(question)
            | Question::Org(question)
            | Question::Rules(question)) = pass.question()
            else {
                panic!("{seat} is a layer")
            };
            rounds.push((question.round, question.original.is_some()));
            if question.original.is_some() {
                return pass;
            }
            let form = Form::Original;
            misused(
                pass,
                answer,
                &MisuseKind::UnknownForm { form },
                "unknown_form",
            )
        });
        assert_eq!(rounds, [(0, true), (1, false)], "{seat}");
    }
}

/// Not everything odd is misuse: what a host can only get wrong by a bug is; what a seat can get
/// wrong is that seat's failure.
#[test]
fn a_missing_judgement_or_receipt_is_no_misuse() {
    for (seat, layer) in LAYERS {
        let answer = layer(Form::Current, 0, 0);
        let pass = Case::new().says(answer.clone()).run_to(seat);
        assert!(pass.answer(answer).is_ok(), "{seat}");
    }
    let pass = Case::new().guard("g").run_to(Seat::Hook);
    assert!(pass.answer(receipts(&[])).is_ok());
}

/// A host that drives the pass hears of its misuse by the same code.
#[test]
fn a_driven_pass_ends_in_the_misuse_and_gives_itself_back() {
    struct Stranger;
    impl Seats for Stranger {
        fn org(&mut self, _: &JudgeQuestion) -> Reply<Vec<Judgement<OrgRuling>>> {
            Ok(vec![judged(Form::Current, 9, OrgRuling::None)])
        }
    }
    let error = drive(Case::new().org(OrgRuling::None).begin(), &mut Stranger).unwrap_err();
    assert_eq!(error.code(), "unknown_member");
    let DriveError::Misuse(misuse) = error else {
        panic!("it is misuse")
    };
    assert_eq!(misuse.into_pass().question().seat(), Seat::Org);
}
