//! The words of every refusal and of an ask. Source: G077–G079, G111, G119, G128.

use gatefold::gate::*;

use crate::case::*;
use crate::text_cases::{objections, refusal_cases, unanswered, worded};

/// Every layer that refuses.
#[test]
fn every_refusal_says_who_and_why() {
    let texts = refusals();
    for by in DeniedBy::ALL {
        assert!(
            texts
                .iter()
                .any(|(_, ended)| ended.outcome().denied_by() == Some(*by)),
            "{by}"
        );
    }
    insta::assert_snapshot!(
        "refusals",
        list(
            texts
                .iter()
                .map(|(name, ended)| { (*name, ended.reason().unwrap()) })
        )
    );
}

/// What others write into a text can steer no terminal, and pass for nothing of ours.
#[test]
fn the_words_of_others_can_neither_steer_nor_pass_for_ours() {
    let hostile = "x`; nothing asks\n\u{1b}[2J\u{202e}\u{200b}\"; allowed";
    let outside = Answer::Egress(Ok(Egress::Outside(Some(hostile.into()))));
    let mut asks = judgement(PolicyRuling::Ask);
    asks.reason = Some(hostile.into());
    let policy = Answer::Adjudicate(Ok(Adjudication {
        judgements: vec![asks],
        ..Adjudication::default()
    }));
    let no = Resolved::No {
        by: Answerer::Person,
        reason: Some(hostile.into()),
    };
    let reason = Case::new()
        .says(policy)
        .says(outside)
        .resolves(no)
        .finish()
        .reason()
        .unwrap();
    assert_eq!(
        reason,
        "the person who was asked said no: x`; nothing asks\\u{a}\\u{1b}[2J\\u{202e}\\u{200b}\"; \
         allowed; asked because the policy asks, saying \"x`; nothing asks\\u{a}\\u{1b}[2J\\u{202e}\\u{200b}'; \
         allowed\"; it leaves the allowed hosts (`x'; nothing asks\\u{a}\\u{1b}[2J\\u{202e}\\u{200b}\"; allowed`)"
    );
}

#[test]
fn every_way_to_stay_unanswered_has_its_own_words() {
    let endings: Vec<_> = unanswered()
        .into_iter()
        .map(|(why, case)| (why, case.finish()))
        .collect();
    for (why, ended) in &endings {
        let settled = ended.outcome().settled().unwrap();
        assert_eq!(settled.settlement.why, Some(*why));
    }
    let whys: Vec<_> = endings.iter().map(|(why, _)| *why).collect();
    assert_eq!(whys, Unanswered::ALL);
    insta::assert_snapshot!(
        "unanswered",
        list(
            endings
                .iter()
                .map(|(why, ended)| { (why.word(), ended.reason().unwrap()) })
        )
    );
}

/// What whoever answers is told, of each who can object.
#[test]
fn every_objection_has_its_own_words() {
    let texts: Vec<_> = objections()
        .into_iter()
        .map(|(cause, case)| {
            let parked = case.run().suspended().parked;
            assert!(causes(&parked.record()).contains(&cause), "{cause}");
            (cause.word(), parked.reason())
        })
        .collect();
    let words: Vec<_> = texts.iter().map(|(cause, _)| *cause).collect();
    let known: Vec<_> = Cause::ALL
        .iter()
        .filter(|cause| cause.objects())
        .map(|cause| cause.word())
        .collect();
    assert_eq!(words, known);
    insta::assert_snapshot!("objections", list(texts));
}

#[test]
fn an_ask_names_everybody_who_asks_with_their_words_and_rules() {
    let outside = Answer::Egress(Ok(Egress::Outside(Some("example.org".into()))));
    let case = Case::new()
        .says(outside)
        .says(Answer::Org(Ok(vec![worded(OrgRuling::Ask)])))
        .says(Answer::Rules(Ok(vec![worded(RuleRuling::Ask)])))
        .resolves(Resolved::NO);
    insta::assert_snapshot!("several_ask", case.run_to(Seat::Resolve).reason());
    insta::assert_snapshot!("several_ask_and_no", case.finish().reason().unwrap());
}

/// Each exit adds the leg's mark, once. Source: G079.
#[test]
fn the_legs_mark_stands_before_every_text_exactly_once() {
    const MARK: &str = "[leg 7]";
    let marked = |case: Case| case.with(|input| input.leg(MARK));
    let mut cases = refusal_cases();
    cases.extend(
        unanswered()
            .into_iter()
            .map(|(why, case)| (why.word(), case)),
    );
    for (name, case) in cases {
        let bare = case.finish().reason().unwrap();
        let with_mark = marked(case).finish().reason().unwrap();
        assert_eq!(with_mark, format!("{MARK} {bare}"), "{name}");
    }
    for (cause, case) in objections() {
        let bare = case.run().suspended().parked.reason();
        let with_mark = marked(case).run().suspended().parked.reason();
        assert_eq!(with_mark, format!("{MARK} {bare}"), "{cause}");
    }
    let asks = Case::new().resolves(Resolved::NO);
    let bare = asks.run_to(Seat::Resolve).reason();
    let with_mark = marked(asks).run_to(Seat::Resolve).reason();
    assert_eq!(with_mark, format!("{MARK} {bare}"));
}

/// Source: G111.
#[test]
fn a_park_that_failed_is_named_in_every_deny_after_it() {
    const NAMED: &str = "; parking the ask was tried and failed: no room";
    let failed = |case: Case| case.says(Answer::Park(Ok(Parking::Failed("no room".into()))));
    let nobody = failed(Case::new());
    let no = failed(Case::new()).resolves(Resolved::NO);
    // The edited call is vetoed by a later layer, and the text still tells of the park before.
    let vetoed = failed(Case::new())
        .says(Answer::Org(Ok(vec![judgement(OrgRuling::None)])))
        .says(Answer::Org(Ok(vec![judgement(OrgRuling::Deny)])))
        .resolves(edits(OTHER));
    for (name, case) in [("nobody", nobody), ("no", no), ("vetoed", vetoed)] {
        let reason = case.finish().reason().unwrap();
        assert!(reason.ends_with(NAMED), "{name}: {reason}");
        assert_eq!(reason.matches("parking").count(), 1, "{name}: {reason}");
    }
    for (failure, told) in [
        (SeatFailure::threw("disk full"), "threw: disk full"),
        (SeatFailure::TimedOut, "timed out"),
    ] {
        let case = Case::new().says(Answer::Park(Err(failure)));
        let reason = case.finish().reason().unwrap();
        let named = format!("; parking the ask was tried and failed: {told}");
        assert!(reason.ends_with(&named), "{reason}");
    }
    let declined = Case::new().says(Answer::Park(Ok(Parking::Declined)));
    let reason = declined.finish().reason().unwrap();
    assert!(!reason.contains("parking"), "{reason}");
}

/// A pass can be looked at before anything has objected.
#[test]
fn a_call_that_nothing_objects_to_yet_is_still_being_judged() {
    let pass = Case::new().policy(STATED).run_to(Seat::Adjudicate);
    assert_eq!(pass.reason(), "this call is still being judged");
    let marked = Case::new().with(|input| input.leg("[leg 7]"));
    let pass = marked.policy(STATED).run_to(Seat::Adjudicate);
    assert_eq!(pass.reason(), "[leg 7] this call is still being judged");
}

#[test]
fn an_allow_has_no_reason() {
    assert_eq!(Case::new().policy(STATED).finish().reason(), None);
    assert_eq!(Case::new().resolves(Resolved::YES).finish().reason(), None);
}

/// A text is one line of words: no double blanks, no dangling punctuation.
#[test]
fn no_text_is_left_dangling() {
    let mut texts: Vec<_> = refusals()
        .into_iter()
        .map(|(_, ended)| ended.reason().unwrap())
        .collect();
    texts.extend(
        unanswered()
            .into_iter()
            .map(|(_, case)| case.finish().reason().unwrap()),
    );
    texts.extend(
        objections()
            .into_iter()
            .map(|(_, case)| case.run().suspended().parked.reason()),
    );
    for text in texts {
        let end = text.chars().next_back().unwrap();
        assert!(!" ;:,.".contains(end), "{text}");
        for clumsy in ["  ", ": ;", ":;", " :", " ;", "::", "\n"] {
            assert!(!text.contains(clumsy), "{text}");
        }
    }
}

fn refusals() -> Vec<(&'static str, Finished)> {
    refusal_cases()
        .into_iter()
        .map(|(name, case)| (name, case.finish()))
        .collect()
}

/// One text a line pair: its name, and what it says.
fn list<'a>(texts: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let lines = texts
        .into_iter()
        .map(|(name, text)| format!("{name}\n    {text}"));
    lines.collect::<Vec<_>>().join("\n")
}
