//! The words of every refusal and of an ask. Source: G077–G079, G111, G119, G128.

use gatefold::gate::*;

use crate::case::*;
use crate::prior::{self, classification};

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

/// A case for each text of a refusal, by name.
fn refusal_cases() -> Vec<(&'static str, Case)> {
    let card = Card {
        finding: "reads_secret".into(),
        text: "it reads a private key".into(),
    };
    let refused = ShellRead {
        finding: ShellFinding::Refused(card),
        ..ShellRead::UNWIRED
    };
    let copies = ShellRead {
        unplaced_options: Some(CopyProgram::Mv),
        ..ShellRead::UNWIRED
    };
    let hook = |outcome| {
        Case::new()
            .guard("guard-rm")
            .hooks(&[("guard-rm", outcome)])
    };
    let mut denies = HookAnswer::plain(HookDecision::Deny);
    denies.reason = Some("it deletes the build".into());
    let two = |one, other| {
        let receipts = [
            ("a", rewrites(HookDecision::None, one)),
            ("b", rewrites(HookDecision::None, other)),
        ];
        Case::new().guard("a").guard("b").hooks(&receipts)
    };
    let auto = |ruling| {
        Case::new()
            .mode(Mode::Auto)
            .says(Answer::Classify(Ok(classification(ruling))))
    };
    let mut blocks = classification(ClassifierRuling::Block);
    blocks.reason = Some("it installs software".into());
    let no = Resolved::No {
        by: Answerer::Person,
        reason: Some("not today".into()),
    };
    let (book, id) = prior::settled(&prior::settling(Resolved::NO));
    let worded_policy = Answer::Adjudicate(Ok(Adjudication {
        judgements: vec![worded(PolicyRuling::Deny)],
        ..Adjudication::default()
    }));
    let protected = Case::new()
        .says(Answer::WriteJudge(Ok(WriteProtection::None)))
        .resolves(edits(OTHER));
    let capped = Case::new()
        .with(|input| {
            input.settings(Settings {
                edit_cap: 0,
                ..Settings::default()
            })
        })
        .resolves(edits(OTHER));
    vec![
        ("compliance", Case::new().with(|input| input.lock(true))),
        ("plan_mode", Case::new().mode(Mode::Plan)),
        ("hook", hook(said(HookDecision::Deny))),
        ("hook, with words", hook(HookOutcome::Answered(denies))),
        (
            "hook, out of contract",
            hook(said(HookDecision::OutOfContract)),
        ),
        (
            "hook, rewrite that is no args",
            hook(rewrites(HookDecision::Allow, "[]")),
        ),
        ("hooks, two rewrites", two(OTHER, THIRD)),
        (
            "engine, hook threw",
            hook(HookOutcome::Threw("exit 3".into())),
        ),
        ("engine, hook timed out", hook(HookOutcome::TimedOut)),
        (
            "engine, hook malformed",
            hook(HookOutcome::Malformed("no JSON".into())),
        ),
        (
            "engine, hook silent",
            Case::new().guard("guard-rm").hooks(&[]),
        ),
        (
            "engine, hooks threw",
            Case::new()
                .guard("guard-rm")
                .says(Answer::Hook(Err(SeatFailure::threw("no shell")))),
        ),
        (
            "engine, policy threw",
            Case::new().says(Answer::Adjudicate(Err(SeatFailure::threw("bad file")))),
        ),
        (
            "engine, policy timed out",
            Case::new().says(Answer::Adjudicate(Err(SeatFailure::TimedOut))),
        ),
        (
            "engine, policy misses a judgement",
            Case::new().says(Answer::Adjudicate(Ok(Adjudication::default()))),
        ),
        (
            "engine, policy's rewrite is no args",
            Case::new().says(policy(STATED, Some("[]"))),
        ),
        (
            "engine, org timed out",
            Case::new().says(Answer::Org(Err(SeatFailure::TimedOut))),
        ),
        (
            "engine, aborted",
            Case::new().says(Answer::Probe(Err(SeatFailure::Aborted))),
        ),
        ("policy", Case::new().policy(PolicyRuling::Deny)),
        ("policy, with words", Case::new().says(worded_policy)),
        ("org", Case::new().org(OrgRuling::Deny)),
        (
            "org, with words",
            Case::new().says(Answer::Org(Ok(vec![worded(OrgRuling::Deny)]))),
        ),
        ("rule", Case::new().rules(RuleRuling::Deny)),
        (
            "rule, with words",
            Case::new().says(Answer::Rules(Ok(vec![worded(RuleRuling::Deny)]))),
        ),
        (
            "shell_read",
            Case::new().says(Answer::ShellRead(Ok(refused))),
        ),
        (
            "write_protection, matched",
            protected
                .clone()
                .says(Answer::WriteJudge(Ok(WriteProtection::Matched))),
        ),
        (
            "write_protection, unresolved",
            protected.says(Answer::WriteJudge(Ok(WriteProtection::Unresolved))),
        ),
        ("classifier", auto(ClassifierRuling::Block)),
        (
            "classifier, with words",
            Case::new()
                .mode(Mode::Auto)
                .says(Answer::Classify(Ok(blocks))),
        ),
        (
            "classifier, unavailable",
            auto(ClassifierRuling::Unavailable),
        ),
        (
            "classifier, parse_error",
            auto(ClassifierRuling::ParseError),
        ),
        ("mode", Case::new().mode(Mode::DontAsk)),
        (
            "mode, mv",
            Case::new()
                .mode(Mode::DontAsk)
                .says(Answer::ShellRead(Ok(copies.clone()))),
        ),
        ("edit_cap", capped),
        ("ask_resolution, no", Case::new().resolves(Resolved::NO)),
        ("ask_resolution, no, with words", Case::new().resolves(no)),
        (
            "ask_resolution, delegate's no",
            Case::new().resolves(Resolved::No {
                by: Answerer::Delegate,
                reason: None,
            }),
        ),
        (
            "ask_resolution, nobody, mv",
            Case::new().says(Answer::ShellRead(Ok(copies))),
        ),
        ("ask_resolution, attested no", prior::allows_with(&book, id)),
        (
            "ask_resolution, edit that is no args",
            Case::new().resolves(edits("[]")),
        ),
    ]
}

fn unanswered() -> Vec<(Unanswered, Case)> {
    let shows = Facts {
        shows_content: true,
        ..Facts::UNKNOWN
    };
    let unshown = Case::new()
        .facts(shows)
        .says(Answer::Present(Ok(Presented::Cannot)));
    vec![
        (
            Unanswered::Timeout,
            Case::new().says(Answer::Resolve(Err(SeatFailure::TimedOut))),
        ),
        (
            Unanswered::Aborted,
            Case::new().says(Answer::Resolve(Err(SeatFailure::Aborted))),
        ),
        (Unanswered::Nobody, Case::new()),
        (Unanswered::Unshown, unshown),
        (
            Unanswered::Failed,
            Case::new().says(Answer::Resolve(Err(SeatFailure::threw("no window")))),
        ),
    ]
}

/// A case that asks for each cause that objects, in declared order.
fn objections() -> Vec<(Cause, Case)> {
    let probe = |finding| {
        Answer::Probe(Ok(Probe {
            finding,
            boundary_declined: false,
        }))
    };
    let reads = |finding| {
        Answer::ShellRead(Ok(ShellRead {
            finding,
            part: Some("cat x".into()),
            ..ShellRead::UNWIRED
        }))
    };
    let auto = || Case::new().mode(Mode::Auto);
    let mut asks = HookAnswer::plain(HookDecision::Ask);
    asks.reason = Some("it installs".into());
    let worded_policy = Answer::Adjudicate(Ok(Adjudication {
        judgements: vec![worded(PolicyRuling::Ask)],
        ..Adjudication::default()
    }));
    let mut unsure = classification(ClassifierRuling::Ask);
    unsure.reason = Some("it might phone home".into());
    // The first ask is answered with an edit, and the policy rewrites the edited call.
    let edited_twice = Case::new()
        .says(policy(UNSTATED, None))
        .says(policy(UNSTATED, Some(THIRD)))
        .resolves(edits(OTHER))
        .says(Answer::Park(Ok(Parking::Declined)));
    let rows = vec![
        (Cause::Unstated, Case::new()),
        (
            Cause::Irreversible,
            Case::new().says(probe(Reversibility::Irreversible)),
        ),
        (
            Cause::Outside,
            Case::new().says(Answer::Egress(Ok(Egress::Outside(Some(
                "example.org".into(),
            ))))),
        ),
        (
            Cause::ReadDeclined,
            Case::new().says(reads(ShellFinding::Declined)),
        ),
        (
            Cause::ProbeOutOfRoot,
            Case::new().says(probe(Reversibility::OutOfRoot)),
        ),
        (
            Cause::ReadOutOfRoot,
            Case::new().says(reads(ShellFinding::OutOfRoot(None))),
        ),
        (
            Cause::Unestablishable,
            Case::new().says(reads(ShellFinding::Unestablishable(None))),
        ),
        (
            Cause::WriteProtected,
            Case::new().says(Answer::WriteJudge(Ok(WriteProtection::Matched))),
        ),
        (
            Cause::WriteUnresolved,
            Case::new().says(Answer::WriteJudge(Ok(WriteProtection::Unresolved))),
        ),
        (
            Cause::ProbeUnanswered,
            Case::new().says(Answer::Probe(Err(SeatFailure::TimedOut))),
        ),
        (
            Cause::RulesUnreadable,
            Case::new().says(Answer::Rules(Err(SeatFailure::threw("line 3")))),
        ),
        (Cause::Policy, Case::new().says(worded_policy)),
        (
            Cause::Hook,
            Case::new()
                .guard("g")
                .hooks(&[("g", HookOutcome::Answered(asks))]),
        ),
        (
            Cause::Org,
            Case::new().says(Answer::Org(Ok(vec![worded(OrgRuling::Ask)]))),
        ),
        (
            Cause::Rule,
            Case::new().says(Answer::Rules(Ok(vec![worded(RuleRuling::Ask)]))),
        ),
        (Cause::Edit, edited_twice),
        (Cause::Classifier, auto().says(Answer::Classify(Ok(unsure)))),
        (Cause::DenialLimit, auto().with(|input| input.denials(3))),
    ];
    let parks =
        |(cause, case): (Cause, Case)| (cause, case.says(Answer::Park(Ok(Parking::Parked))));
    rows.into_iter().map(parks).collect()
}

/// A judgement with a reason and the rule behind it.
fn worded<R>(ruling: R) -> Judgement<R> {
    Judgement {
        reason: Some("not on a Friday".into()),
        basis: Some(Basis {
            layer: "managed".into(),
            file: None,
            list: "deny".into(),
            index: 0,
            rule: "Bash(make:*)".into(),
            part: None,
        }),
        ..judgement(ruling)
    }
}

/// One text a line pair: its name, and what it says.
fn list<'a>(texts: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let lines = texts
        .into_iter()
        .map(|(name, text)| format!("{name}\n    {text}"));
    lines.collect::<Vec<_>>().join("\n")
}
