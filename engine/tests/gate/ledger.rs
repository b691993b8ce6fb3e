//! §10: which ask a pass consumed; four operations and nothing else. Source: G035–G059.

use gatefold::gate::*;

use crate::case::*;
use crate::prior::{allows_with, rules_with, settled, settling};
use crate::tell::{ends, rows, story, times};

/// verdict of the decision, what is attested, how it reads, and what the ledger then holds.
const FROM_DECISION: &str = "
    allow  yes         stands   attested
    allow  no          refused  attested
    allow  unanswered  refused  attested
    deny   yes         veto     attested
    deny   no          refused  attested
    deny   unanswered  refused  attested
    ask    yes         nothing  before
    ask    no          nothing  before
    ask    unanswered  nothing  before
";

/// Source: G039, G040, G052–G054.
#[test]
fn from_decision_reads_an_attestation_as_its_row_says_whatever_was_settled_before() {
    for row in rows(FROM_DECISION) {
        let verdict = Verdict::from_word(row[0]).unwrap();
        let attested = SettledAsk {
            settlement: settlement(row[1]),
            origin: AskOrigin::Org,
        };
        for before in ["none", "yes", "no", "unanswered"] {
            let mut ledger = holding(before);
            let untouched = ledger.settled().cloned();
            let digest = args(OTHER).digest();
            let reading = ledger.from_decision(verdict, &attested, digest, 2);
            assert_eq!(reading.word(), row[2], "{row:?} after {before}");
            let expected = match row[3] {
                "before" => untouched,
                _ => Some(LedgerEntry {
                    settlement: settlement(row[1]),
                    origin: Some(AskOrigin::Org),
                    round: 2,
                    given_for: SettledFor::Digest(digest),
                }),
            };
            assert_eq!(
                ledger.settled().cloned(),
                expected,
                "{row:?} after {before}"
            );
        }
    }
}

/// The latest wins: a refusal replaces an approval, an approval renews one. Source: G041–G043.
#[test]
fn from_resolved_and_set_write_what_they_are_given_whatever_was_settled_before() {
    type Write = fn(&mut Ledger, Settlement, Option<AskOrigin>, SettledFor, u8);
    let operations: [(&str, Write); 2] = [
        ("from_resolved", Ledger::from_resolved),
        ("set", Ledger::set),
    ];
    for (name, write) in operations {
        for before in ["none", "yes", "no", "unanswered"] {
            for now in ["yes", "no", "unanswered"] {
                let mut ledger = holding(before);
                let entry = entry(now, AskOrigin::Edit, 3);
                write(
                    &mut ledger,
                    entry.settlement.clone(),
                    entry.origin,
                    entry.given_for.clone(),
                    entry.round,
                );
                assert_eq!(
                    ledger.settled(),
                    Some(&entry),
                    "{name}: {now} after {before}"
                );
                assert_eq!(
                    has_yes(&ledger),
                    now == "yes",
                    "{name}: {now} after {before}"
                );
            }
        }
    }
}

/// Source: G044, G058.
#[test]
fn supersede_empties_the_ledger_and_says_whether_it_held_anything() {
    for (before, held) in [
        ("none", false),
        ("yes", true),
        ("no", true),
        ("unanswered", true),
    ] {
        let mut ledger = holding(before);
        assert_eq!(ledger.supersede(), held, "{before}");
        assert_eq!(ledger.settled(), None, "{before}");
        assert!(!has_yes(&ledger), "{before}");
        assert!(!ledger.supersede(), "{before}, again");
    }
}

/// Source: G051.
#[test]
fn what_a_resolver_settles_is_owed_to_the_standing_ask() {
    let rows = [
        (Case::new(), "unstated"),
        (Case::new().policy(PolicyRuling::Ask), "policy"),
        (
            Case::new().policy(PolicyRuling::Ask).org(OrgRuling::Ask),
            "org",
        ),
    ];
    for (case, origin) in rows {
        let yes = format!("allow ask_resolution; yes by person, owed to {origin}");
        assert_eq!(ends(&case.clone().resolves(Resolved::YES)), yes);
        let no = format!("deny ask_resolution; no by person, owed to {origin}");
        assert_eq!(ends(&case.resolves(Resolved::NO)), no);
    }
}

/// The attested ask stood under its own origin, and settles under it. Source: G015.
#[test]
fn what_a_decision_attests_keeps_the_origin_of_the_attested_ask() {
    let asked = Case::new().org(OrgRuling::Ask).resolves(Resolved::YES);
    let (book, id) = settled(&asked);
    let story = ends(&allows_with(&book, id));
    assert_eq!(story, "allow policy; yes by person, owed to org");
}

/// An ask that nobody resolved is settled by the engine. Source: G050.
#[test]
fn what_the_engine_composes_is_settled_by_the_engine() {
    let shows = Facts {
        shows_content: true,
        ..Facts::UNKNOWN
    };
    let unshown = Case::new()
        .facts(shows)
        .says(Answer::Present(Ok(Presented::Cannot)))
        .finish();
    assert_eq!(
        story(&unshown),
        "deny ask_resolution; unanswered: unshown, owed to unstated"
    );
    let settled = unshown.record().fields().settled.clone().unwrap();
    assert_eq!(settled.by, SettledBy::Engine);
    assert_eq!(settled.given_for, args(ASKED).digest());
}

/// Each way in which an ask survives the rules' answer over an attested yes. Source: G044.
#[test]
fn an_ask_that_survives_the_rules_supersedes_what_the_policy_attested() {
    let (book, id) = settled(&settling(Resolved::YES));
    let irreversible = Answer::Probe(Ok(Probe {
        finding: Reversibility::Irreversible,
        boundary_declined: false,
    }));
    let attested = || allows_with(&book, id);
    let tightened = attested().says(irreversible);
    let hook = attested()
        .guard("g")
        .hooks(&[("g", said(HookDecision::Ask))]);
    let rows = [
        (
            "tightened, no",
            tightened.clone().resolves(Resolved::NO),
            "deny ask_resolution; no by person, owed to reversibility",
        ),
        (
            "tightened, nobody",
            tightened.clone(),
            "deny ask_resolution; unanswered: nobody, owed to reversibility",
        ),
        (
            "tightened, yes",
            tightened.clone().resolves(Resolved::YES),
            "allow ask_resolution; yes by person, owed to reversibility",
        ),
        (
            "tightened, stored rule",
            tightened.clone().rules(RuleRuling::Allow { grant: None }),
            "allow stored_rule",
        ),
        (
            "tightened, bypass",
            tightened.clone().mode(Mode::Bypass),
            "allow mode",
        ),
        (
            "tightened, dont_ask",
            tightened.mode(Mode::DontAsk),
            "deny mode",
        ),
        (
            "hook",
            hook,
            "deny ask_resolution; unanswered: nobody, owed to hook",
        ),
        (
            "org",
            attested().org(OrgRuling::Ask),
            "deny ask_resolution; unanswered: nobody, owed to org",
        ),
        (
            "rule",
            attested().rules(RuleRuling::Ask),
            "deny ask_resolution; unanswered: nobody, owed to rule",
        ),
    ];
    for (name, case, expected) in rows {
        let ended = case.finish();
        assert_eq!(story(&ended), expected, "{name}");
        assert_eq!(times(&ended, NoticeWord::SettlementSuperseded), 1, "{name}");
    }
}

/// Until the rules have answered, a deny is a veto over whatever is settled. Source: G040.
#[test]
fn a_deny_before_the_ask_survives_is_a_veto_over_the_attested_yes() {
    let (book, id) = settled(&settling(Resolved::YES));
    let attested = || allows_with(&book, id);
    let asks = || attested().says(Answer::Egress(Ok(Egress::Outside(None))));
    let card = Card {
        finding: "secret".into(),
        text: "it reads a key".into(),
    };
    let refuses = ShellRead {
        finding: ShellFinding::Refused(card),
        ..ShellRead::UNWIRED
    };
    let rows = [
        ("org", attested().org(OrgRuling::Deny)),
        ("rule", attested().rules(RuleRuling::Deny)),
        ("org", asks().org(OrgRuling::Deny)),
        ("rule", asks().rules(RuleRuling::Deny)),
        (
            "shell_read",
            attested().says(Answer::ShellRead(Ok(refuses))),
        ),
        (
            "engine",
            attested().says(Answer::Org(Err(SeatFailure::TimedOut))),
        ),
        (
            "engine",
            attested().says(Answer::Org(Err(SeatFailure::Aborted))),
        ),
        ("policy", rules_with(PolicyRuling::Deny, &book, id)),
    ];
    for (by, case) in rows {
        let ended = case.finish();
        let veto = format!("deny {by}; yes by person, owed to unstated");
        assert_eq!(story(&ended), veto);
        assert_eq!(times(&ended, NoticeWord::SettlementSuperseded), 0, "{by}");
    }
}

#[test]
fn an_ask_that_superseded_nothing_tells_nobody() {
    let ended = Case::new().resolves(Resolved::YES).finish();
    assert_eq!(times(&ended, NoticeWord::SettlementSuperseded), 0);
    let edited = Case::new().resolves(edits(OTHER)).finish();
    assert_eq!(
        story(&edited),
        "allow ask_resolution; yes by person, edited, owed to unstated"
    );
    assert_eq!(times(&edited, NoticeWord::SettlementSuperseded), 0);
}

/// In an edit round it is superseded where the round closes, and the new ask settles afresh.
/// Source: G042, G043.
#[test]
fn an_ask_that_survives_an_edit_round_supersedes_the_yes_to_the_edit() {
    for (second, expected) in [
        (
            Resolved::YES,
            "allow ask_resolution; yes by person, owed to edit",
        ),
        (
            Resolved::NO,
            "deny ask_resolution; no by person, owed to edit",
        ),
    ] {
        let ended = Case::new()
            .says(policy(UNSTATED, None))
            .says(policy(PolicyRuling::Ask, None))
            .resolves(edits(OTHER))
            .resolves(second)
            .finish();
        assert_eq!(story(&ended), expected);
        let told: Vec<_> = ended.notices().iter().collect();
        let superseded = told
            .iter()
            .find(|told| told.notice == NoticeWord::SettlementSuperseded)
            .unwrap();
        assert_eq!(superseded.station, Station::Edit);
        assert_eq!(superseded.round, 1);
        assert_eq!(times(&ended, NoticeWord::SettlementSuperseded), 1);
        let settled = ended.record().fields().settled.clone().unwrap();
        assert_eq!(settled.round, 1);
        assert_eq!(settled.given_for, args(OTHER).digest());
    }
}

/// A refusal at re-check replaces the approval. Source: G042.
#[test]
fn an_attested_refusal_in_an_edit_round_replaces_the_yes_to_the_edit() {
    let (book, id) = settled(&settling(Resolved::NO));
    for ruling in [STATED, UNSTATED, PolicyRuling::Deny] {
        let ended = Case::new()
            .with(|input| input.attestations(book.clone()))
            .says(policy(UNSTATED, None))
            .says(crate::prior::attesting(ruling, Some(id), None))
            .resolves(edits(OTHER))
            .finish();
        assert_eq!(
            story(&ended),
            "deny ask_resolution; no by person, owed to unstated",
            "{ruling:?}"
        );
        assert_eq!(ended.round(), 1);
    }
}

fn settlement(word: &str) -> Settlement {
    match word {
        "yes" => Settlement::yes(SettledBy::Person),
        "no" => Settlement::no(SettledBy::Delegate),
        "unanswered" => Settlement::unanswered(Unanswered::Timeout),
        word => panic!("{word} is no settlement"),
    }
}

fn entry(word: &str, origin: AskOrigin, round: u8) -> LedgerEntry {
    LedgerEntry {
        settlement: settlement(word),
        origin: Some(origin),
        round,
        given_for: SettledFor::Args(args(THIRD)),
    }
}

/// A ledger that holds this already.
fn holding(before: &str) -> Ledger {
    let mut ledger = Ledger::default();
    if before != "none" {
        let LedgerEntry {
            settlement,
            origin,
            round,
            given_for,
        } = entry(before, AskOrigin::Policy, 0);
        ledger.from_resolved(settlement, origin, given_for, round);
    }
    ledger
}

fn has_yes(ledger: &Ledger) -> bool {
    let settled = ledger.settled();
    settled.is_some_and(|entry| !entry.settlement.is_refusal())
}
