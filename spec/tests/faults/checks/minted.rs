//! The mint: facts that contradict each other are no outcome, made here or read back.

use std::sync::OnceLock;

use gatefold::gate::*;

use super::Checks;
use crate::support::At;
use crate::support::engines::mint::facts;
use crate::support::{grid, tables};

pub const CHECKS: Checks = &[
    ("GATE-016", an_origin_and_a_settlement_stand_together),
    ("GATE-018", a_deny_names_its_refuser_and_an_allow_none),
    ("GATE-019", a_cause_stands_beside_a_refuser_alone),
    ("GATE-024", a_release_stands_beside_no_refuser),
    ("GATE-025", a_refusal_card_is_the_modes),
    ("GATE-026", a_defect_is_never_a_deny),
    ("GATE-054", a_deny_without_a_refuser_is_nobodys),
    ("GATE-077", what_is_read_back_is_minted),
];

/// The facts of every point of the mint. They are written down and not asked of the engine.
fn all_facts() -> &'static [ExitFacts] {
    static FACTS: OnceLock<Vec<ExitFacts>> = OnceLock::new();
    FACTS.get_or_init(|| {
        let tables = tables();
        let grid = grid(&tables, "gate/mint");
        let points = grid.points();
        points.map(|point| facts(&At::new(grid, &point))).collect()
    })
}

/// Whether this holds of all that the mint takes.
fn taken(holds: impl Fn(&ExitFacts) -> bool) -> bool {
    let mut wrong = all_facts().iter().filter(|facts| !holds(facts));
    wrong.all(|facts| mint(facts.clone()).is_err())
}

fn an_origin_and_a_settlement_stand_together() {
    assert!(taken(|facts| {
        facts.origin.is_some() == facts.settlement.is_some()
    }));
}

fn a_deny_names_its_refuser_and_an_allow_none() {
    assert!(taken(|facts| {
        facts.denied_by.is_some() == (facts.verdict == ExitVerdict::Deny)
    }));
}

fn a_cause_stands_beside_a_refuser_alone() {
    assert!(taken(|facts| {
        facts.cause.is_none() || facts.denied_by.is_some()
    }));
}

fn a_release_stands_beside_no_refuser() {
    assert!(taken(|facts| {
        facts.released.is_none() || facts.denied_by.is_none()
    }));
}

fn a_refusal_card_is_the_modes() {
    assert!(taken(|facts| {
        facts.refused.is_none() || facts.denied_by == Some(DeniedBy::Mode)
    }));
}

/// What is made says what the facts say, and facts with a defect make nothing.
fn a_defect_is_never_a_deny() {
    for facts in all_facts() {
        match mint(facts.clone()) {
            Ok(outcome) => assert_eq!(ExitFacts::from(outcome), *facts),
            Err(code) => assert_eq!(defects(facts).next(), Some(code)),
        }
    }
}

fn a_deny_without_a_refuser_is_nobodys() {
    let nobodys = mint(ExitFacts::of(ExitVerdict::Deny));
    assert_eq!(nobodys, Err(DefectCode::RefusalWithoutRefuser));
}

fn what_is_read_back_is_minted() {
    for facts in all_facts() {
        let read = GateOutcome::try_from(facts.clone());
        assert_eq!(read.ok(), mint(facts.clone()).ok());
    }
}
