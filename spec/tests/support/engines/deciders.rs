//! Where each refuser and each allower is written, over real passes that between them come to every
//! station and end in every way.

use std::cell::{Cell as Counter, RefCell};
use std::collections::BTreeSet;

use gatefold::gate::*;

use super::super::host::{Host, OTHER, STATED, UNSTATED, edits, said};
use super::super::{At, Says, yes_no};
use super::{endings, seats};

/// Who decided, and at which station.
type Deciders = BTreeSet<(&'static str, &'static str)>;

thread_local! {
    static REFUSERS: RefCell<Option<Deciders>> = const { RefCell::new(None) };
    static ALLOWERS: RefCell<Option<Deciders>> = const { RefCell::new(None) };
}

/// Forgets what passes came to: the engine is another one from now on.
pub fn forget() {
    REFUSERS.take();
    ALLOWERS.take();
}

pub fn refusers(at: &At<'_>) -> Says {
    REFUSERS.with_borrow_mut(|seen| {
        let seen = seen.get_or_insert_with(all_refusers);
        may(seen, word(at, "denied_by"), word(at, "station"))
    })
}

pub fn allowers(at: &At<'_>) -> Says {
    ALLOWERS.with_borrow_mut(|seen| {
        let seen = seen.get_or_insert_with(all_allowers);
        may(seen, word(at, "allowed_by"), word(at, "station"))
    })
}

fn may(seen: &Deciders, decider: &'static str, station: &'static str) -> Says {
    vec![("may", yes_no(seen.contains(&(decider, station))))]
}

/// The engine's own copy of a word, which lives as long as the engine does.
fn word(at: &At<'_>, input: &str) -> &'static str {
    let of = gatefold_spec::words::words(input).unwrap();
    of.into_iter().find(|word| *word == at.is(input)).unwrap()
}

fn all_refusers() -> Deciders {
    let mut seen = Deciders::new();
    let mut keep = |finished: &Finished| {
        let by = finished.outcome().denied_by().map(DeniedBy::word);
        seen.extend(by.zip(finished.denied_at().map(Station::word)));
    };
    for by in DeniedBy::ALL.iter().copied() {
        for hooks in [false, true] {
            if by != DeniedBy::WriteProtection {
                keep(&endings::refused_first(by, hooks).finish());
            }
            if !matches!(
                by,
                DeniedBy::Compliance | DeniedBy::Classifier | DeniedBy::Mode
            ) {
                keep(&endings::refused_edit(by, hooks).finish());
            }
        }
    }
    for host in seats::everywhere().into_iter().chain(judged()) {
        for nth in 0..host.run().asked.len() {
            let passed = Counter::new(0);
            let pass = host.run_to(|_| passed.replace(passed.get() + 1) == nth);
            let Step::Done(result) = pass.abort() else {
                panic!("an aborted pass is done")
            };
            let GateResult::Finished(finished) = *result else {
                panic!("it was parked")
            };
            keep(&finished);
        }
        let last = host.run();
        if let GateResult::Finished(finished) = last.result {
            keep(&finished);
        }
    }
    seen
}

/// The judges that fail, and an attested refusal.
fn judged() -> Vec<Host> {
    let threw = || SeatFailure::threw("gone");
    let mut book = AttestationBook::new();
    let shown = Resolved::NO;
    let refusal =
        super::super::host::settled_before(&mut book, "c1", super::super::host::ASKED, shown);
    vec![
        Host::new().says(Answer::Org(Err(threw()))),
        Host::new().says(Answer::Adjudicate(Err(threw()))),
        Host::new()
            .with(|input| input.attestations(book))
            .attests(STATED, Some(refusal)),
        Host::new()
            .facts(|facts| facts.shows_content = true)
            .says(Answer::Present(Ok(Presented::Cannot))),
    ]
}

fn all_allowers() -> Deciders {
    let fact = |read_only| Facts {
        read_only,
        ..Facts::UNKNOWN
    };
    let shell = Facts {
        kind: ToolKind::Shell,
        ..Facts::UNKNOWN
    };
    let allows = Classification {
        ruling: ClassifierRuling::Allow,
        round: None,
        reason: None,
    };
    let hosts = [
        Host::new().policy(STATED),
        Host::new()
            .policy(UNSTATED)
            .with(|input| input.unstated(Unstated::Allow)),
        Host::new().with(|input| input.unstated(Unstated::Allow)),
        Host::new().rules(RuleRuling::Allow { grant: None }),
        Host::new().guard(said(HookDecision::Allow, None)),
        Host::new().says(Answer::Describe(Ok(fact(ReadOnly::Yes)))),
        Host::new()
            .mode(Mode::Auto)
            .says(Answer::Classify(Ok(allows))),
        Host::new()
            .says(Answer::Describe(Ok(shell)))
            .says(Answer::Sandbox(Ok(Sandbox::Admitted(None)))),
        Host::new().mode(Mode::Bypass),
        Host::new().resolves(Resolved::YES),
        Host::new().resolves(edits(OTHER)).resolves(Resolved::YES),
    ];
    let mut seen = Deciders::new();
    for host in hosts {
        let finished = host.with(|input| input.trace(true)).finish();
        let by = finished.outcome().allowed_by().unwrap().word();
        let wrote = finished.trace().unwrap().steps().iter().rev().find(|step| {
            let mut wrote = step.wrote.iter();
            wrote.any(|written| written.cell == Cell::AllowedBy && written.value == by)
        });
        seen.insert((by, wrote.unwrap().station.word()));
    }
    seen
}
