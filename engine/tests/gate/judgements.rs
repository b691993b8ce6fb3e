//! Folding judgements: deny and ask see everything, allow sees the end. Source: G036, G059, G103.

use super::answers::*;
use super::case::*;
use gatefold::gate::*;

const CURRENT: Form = Form::Current;
const ORIGINAL: Form = Form::Original;

/// A call whose args a hook rewrote, of an agent with one ancestor: two forms, two members. It is
/// an ask only if somebody says so, and nobody answers it.
fn four() -> Case {
    let case = Case::new().with(|input| input.unstated(Unstated::Allow));
    let case = case.ancestor(Mode::Default).guard("g");
    case.hooks(&[("g", rewrites(HookDecision::None, OTHER))])
}

/// All four judgements of [`four`], by form and then by member.
fn of_four<R>(rulings: [R; 4]) -> Vec<Judgement<R>> {
    let places = [(ORIGINAL, 0), (ORIGINAL, 1), (CURRENT, 0), (CURRENT, 1)];
    let judged = |((form, member), ruling)| judged(form, member, ruling);
    places.into_iter().zip(rulings).map(judged).collect()
}

fn adjudicated(judgements: Vec<Judgement<PolicyRuling>>) -> Answer {
    Answer::Adjudicate(Ok(Adjudication {
        judgements,
        ..Adjudication::default()
    }))
}

#[test]
fn the_question_names_both_forms_if_they_differ_and_every_member() {
    let case = four().policy(UNSTATED).org(OrgRuling::None);
    let ended = case.rules(RuleRuling::None).run();
    assert_eq!(ended.asked.len(), 4);
    for question in &ended.asked[1..] {
        let (Question::Adjudicate(question) | Question::Org(question) | Question::Rules(question)) =
            question
        else {
            panic!("the seats are layers")
        };
        assert_eq!(question.original, Some(args(ASKED)));
        assert_eq!(question.current, args(OTHER));
        assert_eq!(question.members.len(), 2);
    }
}

#[test]
fn a_call_that_nobody_rewrote_has_one_form() {
    let pass = Case::new().policy(UNSTATED).run_to(Seat::Adjudicate);
    let Question::Adjudicate(question) = pass.question() else {
        panic!("the seat is adjudicate")
    };
    assert_eq!(question.original, None);
    assert_eq!(question.forms().count(), 1);
}

/// Source: G103, G104.
#[test]
fn after_the_policys_rewrite_the_later_layers_judge_what_was_asked_beside_it() {
    let case = Case::new().says(policy(STATED, Some(OTHER)));
    let ended = case.org(OrgRuling::None).rules(RuleRuling::None).run();
    let (Question::Adjudicate(first), Question::Org(org), Question::Rules(rules)) =
        (&ended.asked[0], &ended.asked[1], &ended.asked[2])
    else {
        panic!("the seats are adjudicate, org and rules")
    };
    assert_eq!((&first.original, &first.current), (&None, &args(ASKED)));
    for question in [org, rules] {
        assert_eq!(question.original, Some(args(ASKED)));
        assert_eq!(question.current, args(OTHER));
    }
}

#[test]
fn in_an_edit_round_the_forms_are_the_edited_and_the_current_ones() {
    let silent = [("g", said(HookDecision::None))];
    let case = Case::new().guard("g").hooks(&silent);
    let case = case.hooks(&[("g", rewrites(HookDecision::None, THIRD))]);
    let case = case.resolves(edits(OTHER)).resolves(Resolved::YES);
    let ended = case.policy(UNSTATED).run();
    let Question::Adjudicate(question) = &ended.asked[4] else {
        panic!("the policy is asked in the edit round")
    };
    assert_eq!(question.round, 1);
    assert_eq!(question.original, Some(args(OTHER)));
    assert_eq!(question.current, args(THIRD));
}

/// One judgement denies, and everything else that could be said stands beside it.
#[test]
fn a_deny_of_any_form_and_member_counts_before_everything_else() {
    let deny = |form, member| Judgement {
        basis: Some(basis("no")),
        ..judged(form, member, PolicyRuling::Deny)
    };
    let ask = judged(CURRENT, 0, PolicyRuling::Ask);
    for form in [ORIGINAL, CURRENT] {
        for member in [0, 1] {
            let row = format!("{form} {member}");
            let mut all = of_four([STATED; 4]);
            all.retain(|judgement| (judgement.form, judgement.member) != (form, member));
            all.push(deny(form, member));
            // A deny beside a missing judgement is still that layer's deny.
            let alone = vec![deny(form, member)];
            let beside_ask = vec![ask.clone(), deny(form, member)];
            for judgements in [all, alone, beside_ask] {
                let finished = four().says(adjudicated(judgements)).finish();
                let expected = "deny policy; told permission_denied policy";
                assert_eq!(account(&finished), expected, "{row}");
                let rule = finished.record().fields().basis.clone().unwrap().rule;
                assert_eq!(rule, "no".into(), "{row}");
            }
        }
    }
}

#[test]
fn a_missing_judgement_is_that_seats_throw_and_counts_before_an_ask() {
    let engine = |seat| format!("deny engine; told seat_failed {seat}, permission_denied engine");
    for missing in 0..4 {
        let mut asks = of_four([PolicyRuling::Ask; 4]);
        asks.remove(missing);
        let finished = four().says(adjudicated(asks)).finish();
        assert_eq!(account(&finished), engine("adjudicate"), "{missing}");
        let text = finished.notices()[0].text.clone();
        assert_eq!(text, Some("threw: a form or member was not judged".into()));

        let mut asks = of_four([OrgRuling::Ask; 4]);
        asks.remove(missing);
        let finished = four().says(Answer::Org(Ok(asks))).finish();
        assert_eq!(account(&finished), engine("org"), "{missing}");

        let grant = Some("g1".into());
        let allow = RuleRuling::Allow { grant };
        let mut allows = of_four([allow.clone(), allow.clone(), allow.clone(), allow]);
        allows.remove(missing);
        let finished = four().says(Answer::Rules(Ok(allows))).finish();
        assert_eq!(
            account(&finished),
            "deny ask_resolution; asked by rules_unreadable; settled unanswered nobody; \
             told seat_failed rules, rules_unreadable, permission_denied ask_resolution",
            "{missing}"
        );
        let origin = finished.record().fields().asked.clone().unwrap().origin;
        assert_eq!(origin, Some(AskOrigin::Rule));
    }
}

#[test]
fn an_answer_without_judgements_is_a_throw_of_each_layer() {
    let rows = [
        (adjudicated(Vec::new()), "deny engine"),
        (Answer::Org(Ok(Vec::new())), "deny engine"),
        (
            Answer::Rules(Ok(Vec::new())),
            "deny ask_resolution; asked by rules_unreadable",
        ),
    ];
    for (answer, expected) in rows {
        let row = answer.seat();
        let account = account(&four().says(answer).finish());
        assert!(account.starts_with(expected), "{row}: {account}");
    }
}

#[test]
fn an_ask_of_any_form_and_member_counts_before_an_allow() {
    for place in 0..4 {
        let mut policy = [STATED; 4];
        policy[place] = PolicyRuling::Ask;
        let mut org = [OrgRuling::None; 4];
        org[place] = OrgRuling::Ask;
        let allow = RuleRuling::Allow { grant: None };
        let mut rules = [allow.clone(), allow.clone(), allow.clone(), allow];
        rules[place] = RuleRuling::Ask;
        let rows = [
            (adjudicated(of_four(policy)), Cause::Policy),
            (Answer::Org(Ok(of_four(org))), Cause::Org),
            (Answer::Rules(Ok(of_four(rules))), Cause::Rule),
        ];
        for (answer, cause) in rows {
            let finished = four().says(answer).finish();
            assert_eq!(disposition(&finished), "deny ask_resolution", "{place}");
            assert_eq!(causes(&finished.record()), [cause], "{place}");
        }
    }
}

#[test]
fn a_stored_allow_holds_if_it_holds_for_the_current_form_of_every_member() {
    let allow = || RuleRuling::Allow { grant: None };
    let none = || RuleRuling::None;
    let stored = "allow stored_rule";
    let asked = "deny ask_resolution";
    let rows = [
        ([allow(), allow(), allow(), allow()], stored),
        ([none(), none(), allow(), allow()], stored),
        ([allow(), none(), allow(), allow()], stored),
        ([allow(), allow(), allow(), none()], asked),
        ([allow(), allow(), none(), allow()], asked),
        ([allow(), allow(), none(), none()], asked),
        ([none(), none(), none(), none()], asked),
    ];
    for (rulings, expected) in rows {
        let row = format!("{rulings:?}");
        let case = four().with(|input| input.unstated(Unstated::Ask));
        let case = case.says(Answer::Rules(Ok(of_four(rulings))));
        let finished = case.finish();
        assert_eq!(disposition(&finished), expected, "{row}");
        assert_eq!(causes(&finished.record()), [Cause::Unstated], "{row}");
    }
}

#[test]
fn the_grant_of_a_stored_allow_is_the_callers() {
    let grant = |id: &str| RuleRuling::Allow {
        grant: Some(id.into()),
    };
    let rulings = [grant("c0"), grant("a0"), grant("c1"), grant("a1")];
    let mut judgements = of_four(rulings);
    for judgement in &mut judgements {
        let rule = format!("{} {}", judgement.form, judgement.member);
        judgement.basis = Some(basis(&rule));
    }
    judgements.reverse();
    let case = four().with(|input| input.unstated(Unstated::Ask));
    let finished = case.says(Answer::Rules(Ok(judgements))).finish();
    assert_eq!(disposition(&finished), "allow stored_rule");
    assert_eq!(finished.grant(), Some(&"c1".into()));
    let rule = finished.record().fields().basis.clone().unwrap().rule;
    assert_eq!(rule, "current 0".into());
}

#[test]
fn an_allow_is_stated_only_if_it_is_for_the_current_form_of_every_member() {
    let rows = [
        ([STATED; 4], "allow policy"),
        ([UNSTATED, UNSTATED, STATED, STATED], "allow policy"),
        ([STATED, STATED, STATED, UNSTATED], "allow default"),
        ([STATED, STATED, UNSTATED, STATED], "allow default"),
        ([UNSTATED; 4], "allow default"),
    ];
    for (rulings, expected) in rows {
        let finished = four().says(adjudicated(of_four(rulings))).finish();
        assert_eq!(account(&finished), expected, "{rulings:?}");
    }
}

/// Of the judgements that say the same, in any order of arrival.
#[test]
fn the_caller_goes_before_ancestors_and_the_original_before_the_current_form() {
    let order = [(ORIGINAL, 0), (CURRENT, 0), (ORIGINAL, 1), (CURRENT, 1)];
    for first in 0..order.len() {
        for ruling in [PolicyRuling::Deny, PolicyRuling::Ask] {
            // Those before the first say nothing of the kind, those from it on all do.
            let judge = |(place, (form, member)): (usize, &(Form, u8))| {
                let ruling = if place < first { STATED } else { ruling };
                Judgement {
                    basis: Some(basis(&format!("{form} {member}"))),
                    ..judged(*form, *member, ruling)
                }
            };
            let judgements: Vec<_> = order.iter().enumerate().map(judge).collect();
            let mut reversed = judgements.clone();
            reversed.reverse();
            let (form, member) = order[first];
            for judgements in [judgements, reversed] {
                let finished = four().says(adjudicated(judgements)).finish();
                let record = finished.record();
                let asked = record.fields().asked.as_ref();
                let of_ask = asked.and_then(|asked| asked.askers[0].basis.clone());
                let basis = of_ask.or(record.fields().basis.clone()).unwrap();
                assert_eq!(basis.rule, format!("{form} {member}").into(), "{ruling:?}");
            }
        }
    }
}

/// Nothing says which of the two was meant, so neither loosens the other.
#[test]
fn of_two_judgements_of_one_place_the_stricter_counts() {
    let allow = RuleRuling::Allow { grant: None };
    let rows = [
        (vec![allow.clone(), RuleRuling::Deny], "deny rule"),
        (vec![allow.clone(), RuleRuling::Ask], "deny ask_resolution"),
        (vec![allow.clone(), RuleRuling::None], "deny ask_resolution"),
        (vec![allow.clone(), allow], "allow stored_rule"),
    ];
    for (mut rulings, expected) in rows {
        for _ in 0..2 {
            rulings.reverse();
            let judgements = rulings.iter().cloned().map(judgement).collect();
            let finished = Case::new().says(Answer::Rules(Ok(judgements))).finish();
            assert_eq!(disposition(&finished), expected, "{rulings:?}");
        }
    }
    let judgements = [STATED, UNSTATED].map(judgement).to_vec();
    let finished = Case::new().says(adjudicated(judgements)).finish();
    assert_eq!(disposition(&finished), "deny ask_resolution");
}

#[test]
fn a_judgement_of_a_form_or_member_that_was_not_asked_about_is_misuse() {
    let case = Case::new().policy(UNSTATED).org(OrgRuling::None);
    let pass = case.run_to(Seat::Adjudicate);
    let judgements = vec![judged(CURRENT, 0, STATED), judged(ORIGINAL, 0, STATED)];
    let misuse = pass.answer(adjudicated(judgements)).unwrap_err();
    let form = ORIGINAL;
    assert_eq!(*misuse.kind(), MisuseKind::UnknownForm { form });
    let judgements = vec![judged(CURRENT, 0, STATED), judged(CURRENT, 1, STATED)];
    let misuse = misuse.into_pass().answer(adjudicated(judgements));
    let kind = MisuseKind::UnknownMember { member: 1 };
    assert_eq!(*misuse.unwrap_err().kind(), kind);
}

#[test]
fn a_rewrite_beside_a_deny_is_ignored_with_a_notice() {
    for rewrite in [OTHER, "not args"] {
        let finished = Case::new()
            .says(policy(PolicyRuling::Deny, Some(rewrite)))
            .finish();
        assert_eq!(
            account(&finished),
            "deny policy; told rewrite_ignored adjudicate, permission_denied policy"
        );
        let notice = &finished.notices()[1];
        assert_eq!(notice.args, args(ASKED), "the rewrite was not applied");
    }
}

#[test]
fn a_rewrite_that_cannot_be_read_is_the_policys_throw() {
    for ruling in [STATED, UNSTATED, PolicyRuling::Ask] {
        for rewrite in ["", "[]", r#"{"a":1,"a":2}"#, r#"{"a":"\udc00"}"#] {
            let case = Case::new().says(policy(ruling, Some(rewrite)));
            let finished = case.finish();
            let expected = "deny engine; told seat_failed adjudicate, permission_denied engine";
            assert_eq!(account(&finished), expected, "{rewrite}");
            let reason = finished.reason().unwrap();
            assert!(reason.contains("its rewrite: "), "{reason}");
        }
    }
}

#[test]
fn a_rewrite_equal_to_the_args_is_none() {
    let spelled = r#"{ "command" : "make \u0069nstall" }"#;
    let case = Case::new().facts(Facts::UNKNOWN);
    let ended = case.says(policy(STATED, Some(spelled))).run();
    assert_eq!(ended.seats(), [Seat::Describe, Seat::Adjudicate]);
    let finished = ended.finished();
    assert_eq!(account(&finished), "allow policy");
    assert_eq!(finished.args_to_run(), Some(&args(ASKED)));
}

/// Source: G101, G133.
#[test]
fn a_rewrite_beside_an_ask_survives_the_yes() {
    let case = Case::new().says(policy(PolicyRuling::Ask, Some(OTHER)));
    let ended = case.resolves(Resolved::YES).run();
    let Some(Question::Resolve(question)) = ended.asked.last() else {
        panic!("the last seat is resolve")
    };
    assert_eq!(
        question.ask.args,
        args(OTHER),
        "the person sees what would run"
    );
    let finished = ended.finished();
    assert_eq!(
        account(&finished),
        "allow ask_resolution; asked by policy; settled yes person"
    );
    assert_eq!(finished.args_to_run(), Some(&args(OTHER)));
    let settled = finished.record().fields().settled.clone().unwrap();
    assert_eq!(settled.given_for, args(OTHER).digest());
}

#[test]
fn the_engine_copies_the_basis_of_whoever_decided_and_never_reads_it() {
    let odd = Basis {
        layer: "deny".into(),
        file: Some("a.json".into()),
        list: "allow".into(),
        index: u32::MAX,
        rule: "Bash(*)".into(),
        part: Some("make".into()),
    };
    let with = |ruling| Judgement {
        basis: Some(odd.clone()),
        ..judgement(ruling)
    };
    let finished = Case::new().says(adjudicated(vec![with(STATED)])).finish();
    assert_eq!(disposition(&finished), "allow policy");
    assert_eq!(finished.record().fields().basis, Some(odd.clone()));
    let finished = Case::new()
        .says(adjudicated(vec![with(PolicyRuling::Ask)]))
        .finish();
    let asked = finished.record().fields().asked.clone().unwrap();
    assert_eq!(asked.askers[0].basis, Some(odd));
}

/// A layer that judges the caller twice has its first grant kept.
#[test]
fn of_two_grants_to_the_caller_the_first_is_kept() {
    let grants = |id: &str| {
        let grant = Some(id.into());
        judged(Form::Current, 0, RuleRuling::Allow { grant })
    };
    let twice = Answer::Rules(Ok(vec![grants("first"), grants("second")]));
    let finished = Case::new().says(twice).finish();
    assert_eq!(disposition(&finished), "allow stored_rule");
    assert_eq!(finished.grant(), Some(&"first".into()));
}
