//! §11: the mint, over its whole fact space. Source: G001–G034.

use gatefold::gate::*;

use crate::prior::round;

/// Every tuple that the mint accepts: verdict, who, classifier cause, settlement, release or card.
const ACCEPTED: [&str; 38] = [
    "allow policy",
    "allow policy, yes",
    "allow stored_rule",
    "allow hook",
    "allow read_only",
    "allow classifier",
    "allow sandbox",
    "allow mode, released accept_edits",
    "allow mode, released bypass",
    "allow ask_resolution, yes",
    "allow default",
    "deny compliance",
    "deny plan_mode",
    "deny plan_mode, yes",
    "deny hook",
    "deny hook, yes",
    "deny engine",
    "deny engine, yes",
    "deny policy",
    "deny policy, yes",
    "deny policy, unavailable",
    "deny policy, unavailable, yes",
    "deny policy, parse_error",
    "deny policy, parse_error, yes",
    "deny org",
    "deny org, yes",
    "deny rule",
    "deny rule, yes",
    "deny shell_read",
    "deny shell_read, yes",
    "deny write_protection, yes",
    "deny classifier",
    "deny classifier, unavailable",
    "deny classifier, parse_error",
    "deny mode, card",
    "deny edit_cap, yes",
    "deny ask_resolution, no",
    "deny ask_resolution, unanswered",
];

/// Makes facts.
type Composed = fn() -> ExitFacts;

/// The order in which defects are seen, with facts of which each is the only one.
const SCREEN: [(&str, Composed); 19] = [
    ("malformed_settlement", || {
        ExitFacts::allow(AllowedBy::AskResolution)
            .settled(Settlement::yes(SettledBy::Engine), AskOrigin::Org)
    }),
    ("settlement_without_origin", || ExitFacts {
        origin: None,
        ..ExitFacts::allow(AllowedBy::AskResolution).settled(yes(), AskOrigin::Org)
    }),
    ("origin_without_settlement", || ExitFacts {
        origin: Some(AskOrigin::Org),
        ..ExitFacts::allow(AllowedBy::StoredRule)
    }),
    ("refusal_without_refuser", || {
        ExitFacts::of(ExitVerdict::Deny)
    }),
    ("refuser_on_allow", || ExitFacts {
        denied_by: Some(DeniedBy::Org),
        ..ExitFacts::allow(AllowedBy::StoredRule)
    }),
    ("allow_without_allower", || {
        ExitFacts::of(ExitVerdict::Allow)
    }),
    ("allower_on_refusal", || ExitFacts {
        allowed_by: Some(AllowedBy::StoredRule),
        ..ExitFacts::deny(DeniedBy::Org)
    }),
    ("ask_resolution_without_refusal", || {
        ExitFacts::deny(DeniedBy::AskResolution)
    }),
    ("refusal_beside_other_layer", || {
        ExitFacts::deny(DeniedBy::Org).settled(no(), AskOrigin::Org)
    }),
    ("yes_beside_non_veto_layer", || {
        ExitFacts::deny(DeniedBy::Classifier).settled(yes(), AskOrigin::Org)
    }),
    ("edit_refuser_without_yes", || {
        ExitFacts::deny(DeniedBy::EditCap)
    }),
    ("answered_without_settlement", || {
        ExitFacts::allow(AllowedBy::AskResolution)
    }),
    ("yes_beside_automatic_allower", || {
        ExitFacts::allow(AllowedBy::Sandbox).settled(yes(), AskOrigin::Org)
    }),
    ("cause_without_classifier_refusal", || ExitFacts {
        cause: Some(ClassifierCause::Unavailable),
        ..ExitFacts::deny(DeniedBy::Org)
    }),
    ("release_without_mode", || ExitFacts {
        released: Some(release(ReleasingMode::Bypass)),
        ..ExitFacts::allow(AllowedBy::StoredRule)
    }),
    ("mode_without_release", || ExitFacts::allow(AllowedBy::Mode)),
    ("release_beside_settlement", || ExitFacts {
        released: Some(release(ReleasingMode::Bypass)),
        ..ExitFacts::allow(AllowedBy::Mode).settled(yes(), AskOrigin::Org)
    }),
    ("refusal_card_without_mode", || ExitFacts {
        refused: Some(CARD),
        ..ExitFacts::deny(DeniedBy::Org)
    }),
    ("mode_without_refusal_card", || {
        ExitFacts::deny(DeniedBy::Mode)
    }),
];

const CARD: ModeRefusal = ModeRefusal {
    mode: RefusingMode::DontAsk,
    unplaced_options: Some(CopyProgram::Cp),
};

#[test]
fn the_fact_space_has_50_400_tuples_and_the_mint_accepts_exactly_38() {
    let space = space();
    assert_eq!(space.len(), 50_400);
    let accepted: Vec<_> = space
        .iter()
        .filter(|facts| mint((*facts).clone()).is_ok())
        .map(name)
        .collect();
    let mut expected = ACCEPTED.to_vec();
    expected.sort_unstable();
    let mut found: Vec<_> = accepted.iter().map(String::as_str).collect();
    found.sort_unstable();
    assert_eq!(found, expected);
}

/// The mint is `Ok` exactly if the screen is silent, and refuses with its first defect: so the sum
/// type has a place for whatever the screen lets by.
#[test]
fn the_screen_and_the_sum_type_agree_on_every_tuple() {
    for facts in space() {
        let first = defects(&facts).next();
        assert_eq!(mint(facts.clone()).err(), first, "{}", name(&facts));
    }
}

#[test]
fn defects_are_seen_in_the_order_of_the_table_on_every_tuple() {
    let order: Vec<_> = SCREEN.iter().map(|(code, _)| *code).collect();
    let place = |code: DefectCode| {
        order
            .iter()
            .position(|known| *known == code.word())
            .unwrap()
    };
    let mut seen = vec![false; order.len()];
    for facts in space() {
        let places: Vec<_> = defects(&facts).map(place).collect();
        assert!(
            places.is_sorted_by(|one, other| one < other),
            "{}",
            name(&facts)
        );
        for place in places {
            seen[place] = true;
        }
    }
    assert!(seen.iter().all(|seen| *seen), "{seen:?}");
}

/// What may stand with no settled ask is what the mint takes with none.
#[test]
fn the_direct_refusers_are_those_that_stand_with_no_settled_ask() {
    for by in DeniedBy::ALL {
        let mut facts = ExitFacts::deny(*by);
        facts.refused = (*by == DeniedBy::Mode).then_some(CARD);
        assert_eq!(by.is_direct(), mint(facts).is_ok(), "{by}");
    }
}

/// Source: G014, G016–G018, G025–G029.
#[test]
fn every_defect_can_stand_alone() {
    for (code, facts) in SCREEN {
        let found: Vec<_> = defects(&facts()).map(DefectCode::word).collect();
        assert_eq!(found, [code]);
        assert_eq!(mint(facts()).unwrap_err().word(), code);
    }
}

/// Each of the three that belong to the pass has a sentence and a code, and is no row of the screen.
#[test]
fn three_defects_are_the_passes_own() {
    let screened: Vec<_> = SCREEN.iter().map(|(code, _)| *code).collect();
    let others: Vec<_> = DefectCode::ALL
        .iter()
        .map(|code| code.word())
        .filter(|code| !screened.contains(code))
        .collect();
    assert_eq!(others, ["ask_at_exit", "second_refuser", "second_allower"]);
}

#[test]
fn facts_come_back_from_an_outcome_as_they_went_in() {
    let mut minted = 0;
    for mut facts in space() {
        for rounds in [
            (None, None),
            (Some(round()), None),
            (Some(round()), Some(round())),
        ] {
            (facts.classifier, facts.inherited_classifier) = rounds;
            if let Ok(outcome) = mint(facts.clone()) {
                minted += 1;
                assert_eq!(ExitFacts::from(outcome), facts, "{}", name(&facts));
            }
        }
    }
    assert_eq!(minted, 38 * 3);
}

#[test]
fn an_outcome_says_what_its_facts_said() {
    for facts in space() {
        let Ok(outcome) = mint(facts.clone()) else {
            continue;
        };
        let name = name(&facts);
        assert_eq!(outcome.verdict(), facts.verdict, "{name}");
        assert_eq!(outcome.denied_by(), facts.denied_by, "{name}");
        assert_eq!(outcome.allowed_by(), facts.allowed_by, "{name}");
        assert_eq!(outcome.cause(), facts.cause, "{name}");
        assert_eq!(outcome.released(), facts.released, "{name}");
        assert_eq!(outcome.refused(), facts.refused, "{name}");
        let settled = facts.settlement.zip(facts.origin);
        let settled = settled.map(|(settlement, origin)| SettledAsk { settlement, origin });
        assert_eq!(outcome.settled(), settled, "{name}");
    }
}

/// Whoever said it, edited or not, with a grant or without. Source: G015.
#[test]
fn a_settlement_comes_back_from_an_outcome_whole() {
    let grant = Grant {
        scope: "session".into(),
        rule: "Bash(make:*)".into(),
    };
    for settlement in settlements().filter(Settlement::is_well_formed) {
        let facts = if settlement.is_refusal() {
            ExitFacts::deny(DeniedBy::AskResolution)
        } else {
            ExitFacts::allow(AllowedBy::AskResolution)
        };
        for origin in AskOrigin::ALL {
            let facts = facts.clone().settled(settlement.clone(), *origin);
            let settled = mint(facts).unwrap().settled().unwrap();
            assert_eq!(settled.settlement, settlement);
            assert_eq!(settled.origin, *origin);
        }
    }
    let remembered = Settlement {
        grant: Some(grant.clone()),
        ..yes()
    };
    let facts = ExitFacts::allow(AllowedBy::Policy).settled(remembered, AskOrigin::Rule);
    let settled = mint(facts).unwrap().settled().unwrap();
    assert_eq!(settled.settlement.grant, Some(grant));
}

/// §2, written out: why exactly when unanswered, and then by the engine; edited and grant only on
/// a yes; the engine never says yes or no.
#[test]
fn a_settlement_is_well_formed_as_its_words_say_and_else_no_exit_takes_it() {
    let mut well_formed = 0;
    let mut all = 0;
    for settlement in settlements() {
        all += 1;
        let yes = settlement.answer == SettledAnswer::Yes;
        let unanswered = settlement.answer == SettledAnswer::Unanswered;
        let expected = settlement.why.is_some() == unanswered
            && (settlement.by == SettledBy::Engine) == unanswered
            && (yes || !settlement.edited)
            && (yes || settlement.grant.is_none());
        assert_eq!(settlement.is_well_formed(), expected, "{settlement:?}");
        well_formed += usize::from(expected);
        if expected {
            continue;
        }
        for facts in [
            ExitFacts::allow(AllowedBy::AskResolution),
            ExitFacts::allow(AllowedBy::Policy),
            ExitFacts::deny(DeniedBy::AskResolution),
            ExitFacts::deny(DeniedBy::Org),
        ] {
            let facts = facts.settled(settlement.clone(), AskOrigin::Org);
            let refused = mint(facts).unwrap_err();
            assert_eq!(refused, DefectCode::MalformedSettlement, "{settlement:?}");
        }
    }
    // Yes: two answerers, edited or not, with a grant or not; no: two; unanswered: five reasons.
    assert_eq!((all, well_formed), (3 * 3 * 2 * 6 * 2, 8 + 2 + 5));
}

/// Source: G022–G024.
#[test]
fn a_classifier_round_is_legal_on_every_disposition() {
    for facts in space() {
        if mint(facts.clone()).is_ok() {
            let with_round = ExitFacts {
                classifier: Some(round()),
                ..facts.clone()
            };
            let outcome = mint(with_round).unwrap();
            assert_eq!(outcome.classifier(), Some(&round()), "{}", name(&facts));
        }
    }
}

/// Source: G004, G038.
#[test]
fn an_outcome_read_back_goes_through_the_mint() {
    for facts in space() {
        let json = serde_json::to_string(&facts).unwrap();
        let read = serde_json::from_str::<GateOutcome>(&json);
        match mint(facts.clone()) {
            Ok(outcome) => {
                assert_eq!(serde_json::to_string(&outcome).unwrap(), json);
                assert_eq!(read.unwrap(), outcome);
            }
            Err(code) => {
                let error = read.unwrap_err().to_string();
                assert!(
                    error.starts_with(&format!("{code}: {}", sentence(code))),
                    "{}: {error}",
                    name(&facts)
                );
            }
        }
    }
}

#[test]
fn an_outcome_with_a_field_nobody_knows_is_not_read() {
    let json = r#"{"verdict":"allow","allowed_by":"stored_rule","trust_me":true}"#;
    let error = serde_json::from_str::<GateOutcome>(json).unwrap_err();
    assert!(
        error.to_string().contains("unknown field `trust_me`"),
        "{error}"
    );
}

/// Source: G030, G113.
#[test]
fn a_defect_names_its_code_and_station_and_says_what_is_wrong() {
    let mut sentences = Vec::new();
    for code in DefectCode::ALL {
        let defect = Defect {
            code: *code,
            station: Station::Exit,
        };
        assert_eq!(defect.code(), code.word());
        let sentence = sentence(*code);
        assert!(!sentences.contains(&sentence), "{sentence}");
        sentences.push(sentence);
    }
}

fn yes() -> Settlement {
    Settlement::yes(SettledBy::Person)
}

fn no() -> Settlement {
    Settlement::no(SettledBy::Delegate)
}

fn release(mode: ReleasingMode) -> ModeRelease {
    ModeRelease {
        mode,
        past_read_deny: mode == ReleasingMode::Bypass,
    }
}

/// What is wrong, as a defect at the exit says it after its code and station.
fn sentence(code: DefectCode) -> String {
    let station = Station::Exit;
    let text = Defect { code, station }.to_string();
    let start = format!("engine defect {code} at station exit: ");
    text.strip_prefix(&start).unwrap().to_owned()
}

fn optional<T: Copy>(all: &[T]) -> impl Iterator<Item = Option<T>> + Clone {
    core::iter::once(None).chain(all.iter().copied().map(Some))
}

/// Every tuple of the fact space.
fn space() -> Vec<ExitFacts> {
    let settlements = [
        None,
        Some(yes()),
        Some(no()),
        Some(Settlement::unanswered(Unanswered::Timeout)),
        Some(Settlement::yes(SettledBy::Engine)),
    ];
    let releases = optional(ReleasingMode::ALL).map(|mode| mode.map(release));
    let mut space = Vec::new();
    for verdict in ExitVerdict::ALL {
        for denied_by in optional(DeniedBy::ALL) {
            for allowed_by in optional(AllowedBy::ALL) {
                for cause in optional(ClassifierCause::ALL) {
                    for settlement in &settlements {
                        for origin in [None, Some(AskOrigin::Org)] {
                            for released in releases.clone() {
                                for refused in [None, Some(CARD)] {
                                    space.push(ExitFacts {
                                        denied_by,
                                        allowed_by,
                                        cause,
                                        settlement: settlement.clone(),
                                        origin,
                                        released,
                                        refused,
                                        ..ExitFacts::of(*verdict)
                                    });
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    space
}

/// Every way to fill a settlement's fields.
fn settlements() -> impl Iterator<Item = Settlement> {
    let grants = [None, Some(("session", "Bash(make:*)"))];
    let why = || optional(Unanswered::ALL);
    let by = || SettledBy::ALL.iter().copied();
    SettledAnswer::ALL.iter().flat_map(move |answer| {
        by().flat_map(move |by| {
            [false, true].into_iter().flat_map(move |edited| {
                why().flat_map(move |why| {
                    grants.into_iter().map(move |grant| Settlement {
                        answer: *answer,
                        by,
                        edited,
                        why,
                        grant: grant.map(|(scope, rule)| Grant {
                            scope: scope.into(),
                            rule: rule.into(),
                        }),
                    })
                })
            })
        })
    })
}

/// A tuple as [`ACCEPTED`] lists it.
fn name(facts: &ExitFacts) -> String {
    let mut name = facts.verdict.to_string();
    let who = facts.denied_by.map(DeniedBy::word);
    if let Some(who) = who.or(facts.allowed_by.map(AllowedBy::word)) {
        name.push_str(&format!(" {who}"));
    }
    if facts.denied_by.is_some() && facts.allowed_by.is_some() {
        name.push_str(", both");
    }
    if let Some(cause) = facts.cause {
        name.push_str(&format!(", {cause}"));
    }
    if let Some(settlement) = &facts.settlement {
        name.push_str(&format!(", {}", settlement.answer));
        name.push_str(if settlement.is_well_formed() {
            ""
        } else {
            ", malformed"
        });
    }
    if facts.origin.is_some() != facts.settlement.is_some() {
        name.push_str(", half a settled ask");
    }
    if let Some(release) = facts.released {
        name.push_str(&format!(", released {}", release.mode));
    }
    name.push_str(if facts.refused.is_some() {
        ", card"
    } else {
        ""
    });
    name
}
