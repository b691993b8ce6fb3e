//! Records, attestations and the ledger: what is written down of a pass, and what of it counts.

use gatefold::gate::*;

use super::Checks;
use crate::support::engines::attestations::{bearing, round_before};
use crate::support::host::{
    ASKED, Host, OTHER, STATED, UNSTATED, args, said, settled, settled_before, told,
};

pub const CHECKS: Checks = &[
    ("GATE-020", a_block_leaves_no_cause),
    ("GATE-021", a_settled_ask_is_one_that_was_consumed),
    ("GATE-023", a_round_is_on_record_whatever_comes_of_it),
    ("GATE-028", an_attested_decision_reads_the_same_everywhere),
    ("GATE-029", an_id_that_nobody_gave_counts_for_nothing),
    ("GATE-031", a_later_resolution_overrides),
    ("GATE-032", a_surviving_ask_drops_what_was_settled),
    ("GATE-033", an_attestation_outranks_what_is_shown),
    (
        "GATE-035",
        an_inherited_round_is_on_record_whatever_comes_of_it,
    ),
    ("GATE-036", an_attestation_of_another_call_never_counts),
    ("GATE-078", all_accounts_are_of_one_outcome),
    ("GATE-079", an_allow_that_nobody_was_asked_about_has_no_ask),
    ("GATE-082", a_record_can_be_asked_for_at_any_question),
    ("TRAP-001", an_attested_refusal_does_not_ride_on_an_allow),
];

fn classified(ruling: ClassifierRuling) -> Finished {
    Host::new()
        .mode(Mode::Auto)
        .says(Answer::Classify(Ok(Classification {
            ruling,
            round: Some(ClassifierRound {
                asked: "m".into(),
                answered: "n".into(),
            }),
            reason: None,
        })))
        .finish()
}

fn a_block_leaves_no_cause() {
    for ruling in ClassifierRuling::ALL {
        let outcome = classified(*ruling).outcome().cause();
        let none = matches!(
            ruling,
            ClassifierRuling::Allow | ClassifierRuling::Block | ClassifierRuling::Ask
        );
        assert_eq!(outcome.is_none(), none, "{ruling}");
    }
}

fn a_round_is_on_record_whatever_comes_of_it() {
    for ruling in ClassifierRuling::ALL {
        let record = classified(*ruling).record();
        assert!(record.fields().classifier.is_some(), "{ruling}");
    }
}

fn an_inherited_round_is_on_record_whatever_comes_of_it() {
    for ruling in [STATED, UNSTATED, PolicyRuling::Ask, PolicyRuling::Deny] {
        let mut book = AttestationBook::new();
        let round = round_before(&mut book, "c1", ClassifierRuling::Allow, true);
        let finished = Host::new()
            .with(|input| input.attestations(book))
            .says(bearing(ruling.clone(), |answer| answer.round = round))
            .finish();
        let record = finished.record();
        let on_record = record.fields().inherited_classifier.is_some();
        assert!(on_record, "{ruling:?}");
    }
}

/// A policy that allows or not, and shows an attestation of an earlier pass.
fn attested(ruling: PolicyRuling, call: &str, asked: &str, shown: Resolved) -> Host {
    let mut book = AttestationBook::new();
    let id = settled_before(&mut book, call, asked, shown);
    Host::new()
        .with(|input| input.attestations(book))
        .attests(ruling, Some(id))
}

fn outside() -> Answer {
    Answer::Egress(Ok(Egress::Outside(None)))
}

fn a_settled_ask_is_one_that_was_consumed() {
    let consumed = attested(UNSTATED, "c1", ASKED, Resolved::YES).finish();
    assert_eq!(settled(&consumed), "yes");
    let dropped = attested(UNSTATED, "c1", ASKED, Resolved::YES)
        .mode(Mode::Bypass)
        .says(outside())
        .finish();
    assert_eq!(settled(&dropped), "none");
}

/// At station 6, there again in an edit round, and at station 21.
fn an_attested_decision_reads_the_same_everywhere() {
    let endings = [
        (Resolved::NO, "no"),
        (Resolved::Unanswered(NoAnswer::Timeout), "timeout"),
    ];
    for (shown, word) in endings {
        let mut book = AttestationBook::new();
        let id = settled_before(&mut book, "c1", ASKED, shown);
        let host = || Host::new().with(|input| input.attestations(book.clone()));
        let resolver = Answer::Resolve(Ok(Resolution {
            shown: Resolved::YES,
            attested: Some(id),
        }));
        let mut hosts = vec![host().says(resolver)];
        for ruling in [STATED, UNSTATED, PolicyRuling::Deny] {
            hosts.push(host().attests(ruling.clone(), Some(id)));
            let edited = host().edited().policy(STATED);
            hosts.push(edited.attests(ruling, Some(id)));
        }
        for host in hosts {
            let finished = host.finish();
            let by = finished.outcome().denied_by();
            assert_eq!(by, Some(DeniedBy::AskResolution));
            assert_eq!(settled(&finished), word);
        }
    }
}

fn an_id_that_nobody_gave_counts_for_nothing() {
    let mut book = AttestationBook::new();
    let id = settled_before(&mut book, "c1", ASKED, Resolved::YES);
    let finished = Host::new().attests(UNSTATED, Some(id)).finish();
    assert_eq!(
        settled(&finished),
        "nobody",
        "it is in no book of this pass"
    );
    assert!(told(&finished, NoticeWord::AttestationIgnored));
}

fn a_later_resolution_overrides() {
    let finished = Host::new().edited_and(Reversibility::Irreversible).finish();
    assert_eq!(
        finished.record().fields().settled.as_ref().unwrap().round,
        1
    );
    let mut ledger = Ledger::default();
    let given_for = || SettledFor::Digest(args(ASKED).digest());
    let yes = Settlement::yes(SettledBy::Person);
    let no = Settlement::no(SettledBy::Person);
    ledger.from_resolved(yes, Some(AskOrigin::Org), given_for(), 0);
    ledger.from_resolved(no, Some(AskOrigin::Org), given_for(), 1);
    let held = ledger.settled().unwrap();
    assert_eq!(held.settlement.answer, SettledAnswer::No);
}

fn a_surviving_ask_drops_what_was_settled() {
    let finished = attested(UNSTATED, "c1", ASKED, Resolved::YES)
        .says(outside())
        .finish();
    assert_eq!(settled(&finished), "nobody");
    assert!(told(&finished, NoticeWord::SettlementSuperseded));
}

fn an_attestation_outranks_what_is_shown() {
    let mut book = AttestationBook::new();
    let no = settled_before(&mut book, "c1", ASKED, Resolved::NO);
    let finished = Host::new()
        .with(|input| input.attestations(book))
        .says(Answer::Resolve(Ok(Resolution {
            shown: Resolved::YES,
            attested: Some(no),
        })))
        .finish();
    assert_eq!(settled(&finished), "no");
}

fn an_attestation_of_another_call_never_counts() {
    for shown in [Resolved::YES, Resolved::NO] {
        let finished = attested(UNSTATED, "c2", ASKED, shown).finish();
        assert_eq!(settled(&finished), "nobody");
        assert!(told(&finished, NoticeWord::AttestationIgnored));
    }
}

fn an_attested_refusal_does_not_ride_on_an_allow() {
    for shown in [Resolved::NO, Resolved::Unanswered(NoAnswer::Timeout)] {
        let finished = attested(STATED, "c1", ASKED, shown)
            .mode(Mode::Bypass)
            .finish();
        let by = finished.outcome().denied_by();
        assert_eq!(by, Some(DeniedBy::AskResolution));
    }
}

fn all_accounts_are_of_one_outcome() {
    let hosts = [
        Host::new().policy(STATED),
        Host::new()
            .guard(said(HookDecision::None, Some(OTHER)))
            .policy(STATED),
        Host::new().edited(),
        Host::new().org(OrgRuling::Deny),
    ];
    for host in hosts {
        let finished = host.finish();
        let record = finished.record();
        let fields = record.fields();
        let outcome = finished.outcome();
        assert_eq!(fields.denied_by, outcome.denied_by());
        assert_eq!(fields.allowed_by, outcome.allowed_by());
        assert_eq!(fields.digests.asked, args(ASKED).digest());
        assert_eq!(
            fields.digests.runs,
            finished.args_to_run().map(Args::digest)
        );
        assert_eq!(finished.reason().is_some(), outcome.denied_by().is_some());
    }
}

fn an_allow_that_nobody_was_asked_about_has_no_ask() {
    let allowed = Host::new().policy(STATED).finish();
    assert_eq!(settled(&allowed), "none");
    assert!(allowed.record().fields().asked.is_none());
}

fn a_record_can_be_asked_for_at_any_question() {
    for host in crate::support::engines::seats::everywhere() {
        for asked in host.run().asked {
            let pass = host.run_to(|question| *question == asked);
            let record = pass.pending();
            assert_eq!(record.fields().verdict, Verdict::Ask);
            assert_eq!(record.fields().denied_by, None);
        }
    }
}
