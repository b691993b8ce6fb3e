//! Representative records, by name.

use gatefold::gate::*;

use crate::case::*;
use crate::prior::{self, classifying, settled, settling};

pub fn record(name: &str) -> Record {
    let found = records().into_iter().find(|(known, _)| *known == name);
    found.unwrap().1
}

/// A representative record each, by name.
pub fn records() -> Vec<(&'static str, Record)> {
    let mut records = standing();
    for (name, case) in allowed().into_iter().chain(refused()) {
        records.push((name, case.finish().record()));
    }
    let lost = "an ask in headless mode";
    let record = Case::new().finish().record();
    records.push((
        "host_that_cannot_ask",
        record.with_host("claude-code", lost),
    ));
    records.push(("cancelled", cancelled()));
    records.sort_by_key(|(name, _)| *name);
    records
}

fn standing() -> Vec<(&'static str, Record)> {
    let asks = Case::new()
        .says(org(OrgRuling::Ask))
        .resolves(Resolved::YES);
    let parks = asks.clone().says(Answer::Park(Ok(Parking::Parked)));
    vec![
        ("parked", parks.run().suspended().parked.record()),
        ("pending", asks.run_to(Seat::Resolve).pending()),
    ]
}

fn allowed() -> Vec<(&'static str, Case)> {
    let mut stored = judgement(RuleRuling::Allow {
        grant: Some("g7".into()),
    });
    stored.basis = Some(ruled("allow"));
    let stored = Answer::Rules(Ok(vec![stored]));
    let grant = Grant {
        scope: "session".into(),
        rule: "Bash(make install)".into(),
    };
    let keeps = Resolved::Yes {
        by: Answerer::Delegate,
        edit: None,
        remember: Some(grant),
    };
    let (book, yes) = settled(&settling(Resolved::YES));
    let unread = Answer::ShellRead(Ok(ShellRead {
        finding: ShellFinding::Unestablishable(None),
        part: Some("$(cat list)".into()),
        ..ShellRead::UNWIRED
    }));
    let unstated = Case::new().with(|input| input.unstated(Unstated::Allow));
    vec![
        ("allowed_as_nobody_stated", unstated),
        ("allowed_by_a_stored_rule", Case::new().says(stored)),
        (
            "allowed_by_the_classifier",
            classifying(ClassifierRuling::Allow),
        ),
        ("answered_yes_to_keep", Case::new().resolves(keeps)),
        ("attested_yes", prior::allows_with(&book, yes)),
        ("edited", Case::new().resolves(edits(OTHER))),
        ("released", Case::new().mode(Mode::Bypass).says(unread)),
    ]
}

fn refused() -> Vec<(&'static str, Case)> {
    let policy = Digest::of(b"policy");
    let vetoed = Case::new()
        .says(Answer::Org(Ok(vec![judgement(OrgRuling::None)])))
        .says(org(OrgRuling::Deny))
        .resolves(edits(OTHER));
    let copies = Answer::ShellRead(Ok(ShellRead {
        unplaced_options: Some(CopyProgram::Cp),
        ..ShellRead::UNWIRED
    }));
    let shows = Facts {
        shows_content: true,
        ..Facts::UNKNOWN
    };
    let seen = Case::new()
        .facts(shows)
        .says(Answer::Present(Ok(Presented::Shown(args(ASKED).digest()))))
        .resolves(Resolved::NO);
    let hook = denied_by_hook().with(|input| input.policy(policy));
    let locked = Case::new().with(|input| input.lock(true));
    vec![
        (
            "classifier_did_not_rule",
            classifying(ClassifierRuling::ParseError),
        ),
        ("denied_by_a_hook", hook),
        ("denied_under_lock", locked),
        ("inherited_round", inheriting()),
        ("nobody_to_ask", Case::new()),
        (
            "refused_by_mode",
            Case::new().mode(Mode::DontAsk).says(copies),
        ),
        ("shown_and_refused", seen),
        ("vetoed_yes", vetoed),
    ]
}

fn ruled(list: &str) -> Basis {
    Basis {
        layer: "org".into(),
        file: Some("managed.toml".into()),
        list: list.into(),
        index: 2,
        rule: "Bash(make:*)".into(),
        part: Some("make install".into()),
    }
}

fn org(ruling: OrgRuling) -> Answer {
    let mut judgement = judgement(ruling);
    judgement.basis = Some(ruled(ruling.word()));
    judgement.reason = Some("not on a Friday".into());
    Answer::Org(Ok(vec![judgement]))
}

fn denied_by_hook() -> Case {
    let denies = ("guard-rm", said(HookDecision::Deny));
    Case::new().guard("guard-rm").hooks(&[denies])
}

fn inheriting() -> Case {
    let (book, [ids]) = prior::book([&classifying(ClassifierRuling::Unavailable)]);
    let answer = Adjudication {
        judgements: vec![judgement(PolicyRuling::Deny)],
        round: ids.round,
        ..Adjudication::default()
    };
    Case::new()
        .with(|input| input.attestations(book))
        .says(Answer::Adjudicate(Ok(answer)))
}

fn cancelled() -> Record {
    let suspended = Case::new()
        .says(Answer::Park(Ok(Parking::Parked)))
        .run()
        .suspended();
    let mut book = TicketBook::new();
    book.open(&suspended.ticket).unwrap();
    let step = suspended
        .parked
        .cancel(&suspended.ticket, &mut book)
        .unwrap();
    Case::new().run_from(step).finished().record()
}
