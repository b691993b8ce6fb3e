//! Laws over two passes that differ in one thing.

use gatefold::gate::*;

use super::Checks;
use crate::support::host::{Host, STATED, UNSTATED, adjudicates, probes, reads, said};

pub const CHECKS: Checks = &[
    ("GATE-003", nothing_loosens),
    ("GATE-009", a_failure_is_no_looser_than_an_honest_answer),
    ("GATE-013", a_child_is_no_wider_than_its_ancestor),
];

fn runs(host: &Host) -> bool {
    host.finish().args_to_run().is_some()
}

/// One more answer that objects.
type Objects = fn(Host) -> Host;

const OBJECTIONS: [Objects; 10] = [
    |host| host.guard(said(HookDecision::Ask, None)),
    |host| host.policy(PolicyRuling::Ask),
    |host| host.says(probes(Reversibility::Irreversible, false)),
    |host| host.says(probes(Reversibility::Reversible, true)),
    |host| host.says(Answer::Egress(Ok(Egress::Outside(None)))),
    |host| host.says(Answer::ShellRead(Ok(reads(ShellFinding::Declined)))),
    |host| host.says(Answer::WriteJudge(Ok(WriteProtection::Matched))),
    |host| host.says(Answer::WriteJudge(Ok(WriteProtection::Unresolved))),
    |host| host.org(OrgRuling::Ask),
    |host| host.rules(RuleRuling::Ask),
];

/// A call that everybody would let through who may answer for it.
fn willing(mode: Mode) -> Host {
    Host::new()
        .mode(mode)
        .facts(|facts| {
            facts.kind = ToolKind::Shell;
            facts.file_command = true;
        })
        .says(Answer::Sandbox(Ok(Sandbox::Admitted(None))))
        .says(Answer::Classify(Ok(Classification {
            ruling: ClassifierRuling::Allow,
            round: None,
            reason: None,
        })))
}

fn nothing_loosens() {
    for mode in [Mode::Default, Mode::Auto, Mode::Bypass, Mode::DontAsk] {
        for (n, first) in OBJECTIONS.iter().enumerate() {
            let one = runs(&first(willing(mode)));
            assert!(!one || runs(&willing(mode)), "{mode} {n}");
            for (m, second) in OBJECTIONS.iter().enumerate().filter(|(m, _)| *m != n) {
                // Two answers of one seat are one after the other; the first one counts.
                let both = runs(&second(first(willing(mode))));
                assert!(!both || one, "{mode} {n} {m}");
            }
        }
    }
}

/// Every well-formed answer of a seat that is not a deny.
fn honest(seat: Seat) -> Vec<Answer> {
    let shell = |finding, write_protection| {
        Answer::ShellRead(Ok(ShellRead {
            write_protection,
            ..reads(finding)
        }))
    };
    match seat {
        Seat::Adjudicate => [STATED, UNSTATED, PolicyRuling::Ask]
            .map(|ruling| adjudicates(ruling, None))
            .to_vec(),
        Seat::Probe => Reversibility::ALL
            .iter()
            .flat_map(|finding| [probes(*finding, false), probes(*finding, true)])
            .collect(),
        Seat::Egress => vec![
            Answer::Egress(Ok(Egress::Inside)),
            Answer::Egress(Ok(Egress::Outside(None))),
        ],
        Seat::ShellRead => WriteProtection::ALL
            .iter()
            .flat_map(|found| {
                [
                    shell(ShellFinding::Clean, *found),
                    shell(ShellFinding::Declined, *found),
                    shell(ShellFinding::OutOfRoot(None), *found),
                    shell(ShellFinding::Unestablishable(None), *found),
                ]
            })
            .collect(),
        Seat::WriteJudge => WriteProtection::ALL
            .iter()
            .map(|found| Answer::WriteJudge(Ok(*found)))
            .collect(),
        Seat::Sandbox => vec![
            Answer::Sandbox(Ok(Sandbox::Not)),
            Answer::Sandbox(Ok(Sandbox::Admitted(None))),
        ],
        other => panic!("{other} is not tried"),
    }
}

fn a_failure_is_no_looser_than_an_honest_answer() {
    let seats = [
        Seat::Adjudicate,
        Seat::Probe,
        Seat::Egress,
        Seat::ShellRead,
        Seat::WriteJudge,
    ];
    for mode in [Mode::Default, Mode::AcceptEdits, Mode::Auto, Mode::Bypass] {
        for stored in [RuleRuling::None, RuleRuling::Allow { grant: None }] {
            for seat in seats {
                let host = || willing(mode).rules(stored.clone());
                for failure in [SeatFailure::threw("gone"), SeatFailure::TimedOut] {
                    if !runs(&host().says(Answer::failed(seat, failure))) {
                        continue;
                    }
                    for answer in honest(seat) {
                        assert!(runs(&host().says(answer)), "{mode} {seat}");
                    }
                }
            }
        }
    }
}

fn a_child_is_no_wider_than_its_ancestor() {
    let blocks = Answer::Classify(Ok(Classification {
        ruling: ClassifierRuling::Block,
        round: None,
        reason: None,
    }));
    for parent in Mode::ALL {
        for lock in [false, true] {
            let call = |caller: Mode| {
                Host::new()
                    .mode(caller)
                    .with(|input| input.lock(lock && caller == *parent))
                    .says(blocks.clone())
            };
            if runs(&call(*parent)) {
                continue;
            }
            for child in Mode::ALL {
                let ancestor = Member {
                    mode: *parent,
                    lock,
                    ..Member::default()
                };
                let host = Host::new()
                    .mode(*child)
                    .says(blocks.clone())
                    .with(|input| input.ancestor(ancestor));
                assert!(!runs(&host), "{child} under {parent}");
            }
        }
    }
    // What only an ancestor's lock, plan or classifier forbids.
    let stored = || Host::new().rules(RuleRuling::Allow { grant: None });
    let under = |host: Host, mode, lock| {
        let ancestor = Member {
            mode,
            lock,
            ..Member::default()
        };
        host.with(|input| input.ancestor(ancestor))
    };
    assert!(!runs(&under(stored(), Mode::Default, true)));
    assert!(!runs(&under(stored(), Mode::Plan, false)));
    let sandboxed = Host::new()
        .facts(|facts| facts.kind = ToolKind::Shell)
        .says(Answer::Sandbox(Ok(Sandbox::Admitted(None))))
        .says(blocks);
    assert!(!runs(&under(sandboxed, Mode::Auto, false)));
}
