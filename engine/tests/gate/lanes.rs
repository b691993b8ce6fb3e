//! Stations 13 to 20: who else objects, and who answers an ask before a person does. Source: G018,
//! G020–G024, G050, G088, G107, G111, G120, G121.

use super::answers::*;
use super::case::*;
use gatefold::gate::*;

fn shows(digest_of: &str) -> Answer {
    Answer::Present(Ok(Presented::Shown(args(digest_of).digest())))
}

fn admitted() -> Answer {
    Answer::Sandbox(Ok(Sandbox::Admitted(Some("boxed".into()))))
}

/// A call in auto mode that nobody states, about which a person says no.
fn auto() -> Case {
    Case::new().mode(Mode::Auto).resolves(Resolved::NO)
}

#[test]
fn the_organisation_and_the_rules_deny_or_ask_over_any_allow() {
    let stated = || Case::new().policy(STATED);
    let asks = |cause| {
        format!(
            "deny ask_resolution; asked by {cause}; settled unanswered nobody; \
             told permission_denied ask_resolution"
        )
    };
    let denies = |by| format!("deny {by}; told permission_denied {by}");
    let allow = RuleRuling::Allow { grant: None };
    let rows = [
        (stated().org(OrgRuling::None), "allow policy".into()),
        (stated().org(OrgRuling::Ask), asks("org")),
        (stated().org(OrgRuling::Deny), denies("org")),
        (stated().rules(RuleRuling::None), "allow policy".into()),
        (stated().rules(allow), "allow policy".into()),
        (stated().rules(RuleRuling::Ask), asks("rule")),
        (stated().rules(RuleRuling::Deny), denies("rule")),
        (
            stated().org(OrgRuling::Ask).rules(RuleRuling::Ask),
            asks("org, rule"),
        ),
        (
            stated().org(OrgRuling::Ask).rules(RuleRuling::Deny),
            "deny rule; asked by org; told permission_denied rule".into(),
        ),
    ];
    for (case, expected) in rows {
        assert_eq!(account(&case.finish()), expected);
    }
}

/// Source: G040, G044, G058.
#[test]
fn an_ask_that_survives_the_rules_drops_what_was_settled_and_a_deny_before_it_does_not() {
    let mut book = AttestationBook::new();
    let answered = Case::new().resolves(Resolved::YES).finish();
    let settlement = book.attest(&answered).unwrap().settlement;
    let attested = || {
        let answer = Adjudication {
            judgements: vec![judgement(UNSTATED)],
            settlement,
            ..Adjudication::default()
        };
        let case = Case::new().with(|input| input.attestations(book.clone()));
        case.says(Answer::Adjudicate(Ok(answer)))
    };
    let superseded = "told settlement_superseded, permission_denied ask_resolution";
    let unanswered = "settled unanswered nobody";
    let rows = [
        (attested(), "allow policy; settled yes person".to_owned()),
        (
            attested().org(OrgRuling::Ask),
            format!("deny ask_resolution; asked by org; {unanswered}; {superseded}"),
        ),
        (
            attested().rules(RuleRuling::Ask),
            format!("deny ask_resolution; asked by rule; {unanswered}; {superseded}"),
        ),
        (
            attested().org(OrgRuling::Deny),
            "deny org; settled yes person; told permission_denied org".to_owned(),
        ),
        (
            attested().org(OrgRuling::Ask).rules(RuleRuling::Deny),
            "deny rule; asked by org; settled yes person; told permission_denied rule".to_owned(),
        ),
    ];
    for (case, expected) in rows {
        assert_eq!(account(&case.finish()), expected);
    }
}

/// Source: G018, G120.
#[test]
fn each_ruling_of_the_classifier_ends_or_leaves_the_ask_as_its_row_says() {
    let denied = |by: &str| format!("deny {by}; asked by unstated; told permission_denied {by}");
    let no = |causes: &str| {
        format!(
            "deny ask_resolution; asked by {causes}; settled no person; \
             told permission_denied ask_resolution"
        )
    };
    let allowed = || "allow classifier; asked by unstated".to_owned();
    let unavailable = Some(ClassifierCause::Unavailable);
    let parse_error = Some(ClassifierCause::ParseError);
    let deny = OnNoRuling::Deny;
    let ask = OnNoRuling::Ask;
    let both = "unstated, classifier";
    let rows = [
        (ClassifierRuling::Allow, deny, allowed(), None),
        (ClassifierRuling::Allow, ask, allowed(), None),
        (ClassifierRuling::Block, deny, denied("classifier"), None),
        (ClassifierRuling::Block, ask, denied("classifier"), None),
        (ClassifierRuling::Ask, deny, no(both), None),
        (ClassifierRuling::Ask, ask, no(both), None),
        (
            ClassifierRuling::Unavailable,
            deny,
            denied("classifier"),
            unavailable,
        ),
        (ClassifierRuling::Unavailable, ask, no(both), None),
        (
            ClassifierRuling::ParseError,
            deny,
            denied("classifier"),
            parse_error,
        ),
        (ClassifierRuling::ParseError, ask, no(both), None),
    ];
    for (ruling, on_no_ruling, expected, cause) in rows {
        let row = format!("{ruling}, on no ruling {on_no_ruling}");
        let settings = Settings {
            on_no_ruling,
            ..Settings::default()
        };
        let case = auto().with(|input| input.settings(settings));
        let finished = case.says(rules_that(ruling)).finish();
        assert_eq!(account(&finished), expected, "{row}");
        assert_eq!(finished.outcome().cause(), cause, "{row}");
    }
}

/// Source: G022–G024, G121.
#[test]
fn the_round_of_a_classifier_stands_on_every_disposition_if_its_models_are_named() {
    let round = ClassifierRound {
        asked: "large".into(),
        answered: "stand-in".into(),
    };
    for ruling in ClassifierRuling::ALL {
        for named in [Some(round.clone()), None] {
            let answer = Answer::Classify(Ok(Classification {
                ruling: *ruling,
                round: named.clone(),
                reason: None,
            }));
            let finished = auto().says(answer).finish();
            assert_eq!(finished.outcome().classifier(), named.as_ref(), "{ruling}");
            assert_eq!(finished.record().fields().classifier, named, "{ruling}");
        }
    }
}

#[test]
fn the_classifier_is_asked_only_in_auto_mode_about_an_ask_that_it_is_not_barred_from() {
    let allow = rules_that(ClassifierRuling::Allow);
    let matched = Answer::WriteJudge(Ok(WriteProtection::Matched));
    let unresolved = Answer::WriteJudge(Ok(WriteProtection::Unresolved));
    let rows = [
        (auto(), true),
        (auto().policy(STATED), false),
        (auto().policy(STATED).says(matched), true),
        (auto().policy(STATED).says(unresolved), false),
        (auto().policy(PolicyRuling::Ask), false),
        (auto().org(OrgRuling::Ask), false),
        (auto().rules(RuleRuling::Ask), false),
        (
            auto().says(reads(ShellFinding::Unestablishable(None))),
            true,
        ),
    ];
    for (case, expected) in rows {
        let ended = case.says(allow.clone()).run();
        let asked = ended.seats().contains(&Seat::Classify);
        let account = account(&ended.finished());
        assert_eq!(asked, expected, "{account}");
        assert_eq!(asked, account.starts_with("allow classifier"), "{account}");
    }
    for mode in Mode::ALL.iter().filter(|mode| **mode != Mode::Auto) {
        let ended = Case::new().mode(*mode).says(allow.clone()).run();
        assert!(!ended.seats().contains(&Seat::Classify), "{mode}");
    }
}

/// Source: G134.
#[test]
fn past_the_denial_limit_a_person_is_asked_instead_of_the_classifier() {
    let case = |denials, denial_limit| {
        let settings = Settings {
            denial_limit,
            ..Settings::default()
        };
        let case = auto().with(|input| input.denials(denials).settings(settings));
        case.says(rules_that(ClassifierRuling::Allow))
    };
    let allowed = "allow classifier; asked by unstated";
    let limited = "deny ask_resolution; asked by unstated, denial_limit; settled no person; \
                   told permission_denied ask_resolution";
    let rows = [
        (0, 0, limited),
        (0, 1, allowed),
        (1, 1, limited),
        (2, 1, limited),
        (u32::MAX, u32::MAX, limited),
    ];
    for (denials, limit, expected) in rows {
        let ended = case(denials, limit).run();
        let asked = ended.seats().contains(&Seat::Classify);
        assert_eq!(asked, expected == allowed, "{denials} of {limit}");
        let finished = ended.finished();
        assert_eq!(account(&finished), expected, "{denials} of {limit}");
    }
    let finished = case(1, 1).finish();
    let origin = finished.record().fields().asked.clone().unwrap().origin;
    assert_eq!(origin, Some(AskOrigin::DenialLimit));
    // The bar is tested first: what the classifier may not answer is not limited.
    let barred = case(1, 1).policy(PolicyRuling::Ask).finish();
    assert_eq!(causes(&barred.record()), [Cause::Policy]);
    // And the wiring last: nobody wired is limited all the same.
    let unwired = auto().with(|input| input.denials(3)).finish();
    let expected = [Cause::Unstated, Cause::DenialLimit];
    assert_eq!(causes(&unwired.record()), expected);
}

/// Source: G107.
#[test]
fn the_sandbox_takes_a_shell_call_that_is_an_ask_which_nothing_bars_from_it() {
    let case = || Case::new().says(admitted());
    let stated = || case().facts(SHELL).policy(STATED);
    let asks_hook = [("g", said(HookDecision::Ask))];
    let rows = [
        (case().facts(SHELL), true),
        (stated(), false),
        (stated().says(reads(ShellFinding::Declined)), true),
        (
            stated().says(probed(Reversibility::Irreversible, false)),
            false,
        ),
        (
            stated().says(Answer::Egress(Ok(Egress::Outside(None)))),
            false,
        ),
        (stated().says(reads(ShellFinding::OutOfRoot(None))), false),
        (case().facts(SHELL).policy(PolicyRuling::Ask), false),
        (case().facts(SHELL).guard("g").hooks(&asks_hook), false),
    ];
    for (case, expected) in rows {
        let ended = case.run();
        let asked = ended.seats().contains(&Seat::Sandbox);
        let finished = ended.finished();
        let account = account(&finished);
        assert_eq!(asked, expected, "{account}");
        assert_eq!(asked, account.starts_with("allow sandbox"), "{account}");
        let context = Vec::from_iter(expected.then(|| "boxed".into()));
        assert_eq!(finished.context(), context, "{account}");
    }
    for kind in ToolKind::ALL
        .iter()
        .filter(|kind| **kind != ToolKind::Shell)
    {
        let facts = Facts {
            kind: *kind,
            ..Facts::UNKNOWN
        };
        let ended = case().facts(facts).run();
        assert!(!ended.seats().contains(&Seat::Sandbox), "{kind}");
    }
}

/// Source: G050, G101, G104.
#[test]
fn only_the_digest_of_exactly_what_would_run_says_that_it_was_shown() {
    let unshown = "deny ask_resolution; asked by unstated; settled unanswered unshown; \
                   told permission_denied ask_resolution";
    let yes = "allow ask_resolution; asked by unstated; settled yes person";
    let rows = [
        (shows(OTHER), yes, Some(args(OTHER).digest())),
        (shows(ASKED), unshown, None),
        (shows(THIRD), unshown, None),
        (Answer::Present(Ok(Presented::Cannot)), unshown, None),
    ];
    for (answer, expected, digest) in rows {
        let row = format!("{answer:?}");
        let case = Case::new().facts(SHOWS).resolves(Resolved::YES);
        let case = case.says(policy(UNSTATED, Some(OTHER))).says(answer);
        let finished = case.finish();
        assert_eq!(account(&finished), expected, "{row}");
        let digests = finished.record().fields().digests.clone();
        assert_eq!(digests.shown, digest, "{row}");
    }
}

#[test]
fn content_is_shown_only_of_an_ask_whose_facts_say_so() {
    let shows = || Case::new().says(shows(ASKED));
    let rows = [
        (shows().facts(SHOWS), true),
        (shows().facts(Facts::UNKNOWN), false),
        (shows(), false),
        (shows().facts(SHOWS).policy(STATED), false),
        (shows().facts(SHOWS).mode(Mode::Bypass), false),
    ];
    for (case, expected) in rows {
        let ended = case.run();
        let asked = ended.seats().contains(&Seat::Present);
        assert_eq!(asked, expected, "{}", account(&ended.finished()));
    }
}

fn sites(ended: &Ended) -> Vec<(ParkSite, u8)> {
    let park = |question: &Question| {
        let Question::Park(park) = question else {
            return None;
        };
        Some((park.site, park.ask.round))
    };
    ended.asked.iter().filter_map(park).collect()
}

/// Source: G088.
#[test]
fn the_park_site_is_content_if_it_was_shown_else_the_re_ask_of_an_edit_else_the_standing_ask() {
    let case = || {
        let case = Case::new().says(Answer::Park(Ok(Parking::Declined)));
        let case = case.policy(UNSTATED).policy(PolicyRuling::Ask);
        case.resolves(edits(OTHER)).resolves(Resolved::YES)
    };
    let ended = case().run();
    assert_eq!(
        sites(&ended),
        [(ParkSite::Standing, 0), (ParkSite::ReAsk, 1)]
    );
    let ended = case()
        .facts(SHOWS)
        .says(shows(ASKED))
        .says(shows(OTHER))
        .run();
    assert_eq!(
        sites(&ended),
        [(ParkSite::Content, 0), (ParkSite::Content, 1)]
    );
    // What was shown before an edit is not what stands after it.
    let ended = case()
        .facts(SHOWS)
        .facts(Facts::UNKNOWN)
        .says(shows(ASKED))
        .run();
    assert_eq!(
        sites(&ended),
        [(ParkSite::Content, 0), (ParkSite::ReAsk, 1)]
    );
}

/// There is no interactive flag: headless is `resolve` unwired.
#[test]
fn an_ask_is_parked_whether_or_not_anybody_is_there_to_answer_it() {
    let parked = || Case::new().says(Answer::Park(Ok(Parking::Parked)));
    for case in [parked(), parked().resolves(Resolved::YES)] {
        let ended = case.run();
        assert_eq!(ended.seats(), [Seat::Park]);
        let Suspended { parked, .. } = ended.suspended();
        let record = parked.record();
        assert_eq!(record.fields().verdict, Verdict::Ask);
        assert_eq!(causes(&record), [Cause::Unstated]);
    }
    let ended = parked().policy(STATED).run();
    assert_eq!(ended.seats(), [Seat::Adjudicate], "an allow is not parked");
}

/// Source: G111.
#[test]
fn a_park_that_failed_is_named_in_the_refusal_and_one_that_was_declined_is_not() {
    let rows = [
        (Ok(Parking::Declined), None),
        (Ok(Parking::Failed("full".into())), Some("full")),
        (Err(SeatFailure::TimedOut), Some("timed out")),
    ];
    for (reply, named) in rows {
        let finished = Case::new().says(Answer::Park(reply)).finish();
        let reason = finished.reason().unwrap();
        let tail = named.map(|text| format!("; parking the ask was tried and failed: {text}"));
        match tail {
            Some(tail) => assert!(reason.ends_with(&tail), "{reason}"),
            None => assert!(!reason.contains("parking"), "{reason}"),
        }
    }
}
