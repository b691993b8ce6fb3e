//! The same pass once more: saved and loaded, after misuse, in another order, parked and resumed.

use gatefold::gate::*;

use super::Checks;
use crate::support::engines::seats::everywhere;
use crate::support::host::{ASKED, Host, STATED, args, said};

pub const CHECKS: Checks = &[
    ("GATE-001", a_ticket_is_settled_once),
    ("GATE-006", saving_and_loading_changes_nothing),
    ("GATE-007", misuse_changes_nothing),
    ("GATE-008", the_order_of_keys_does_not_matter),
    ("GATE-012", the_order_of_receipts_does_not_matter),
    ("GATE-083", a_policy_that_changed_is_noticed),
];

fn key() -> SealKey {
    SealKey::new(&[7; 32]).unwrap()
}

/// All that a host can see of a finished pass.
fn account(finished: &Finished) -> String {
    format!(
        "{} {:?} {:?} {:?} {:?}",
        finished.record().to_json(),
        finished.args_to_run(),
        finished.reason(),
        finished.context(),
        finished.notices(),
    )
}

/// Passes that leave something in every cell.
fn hosts() -> Vec<Host> {
    let hooked = |decision| {
        Host::new()
            .guard(said(decision, None))
            .rules(RuleRuling::None)
    };
    let mut hosts = everywhere().to_vec();
    hosts.extend([hooked(HookDecision::Allow), hooked(HookDecision::Ask)]);
    hosts.push(Host::new().edited().org(OrgRuling::None));
    hosts.push(Host::new().policy(STATED).org(OrgRuling::Deny));
    hosts
}

/// Every pass of a host, interrupted once at one of its questions.
fn interrupted(by: impl Fn(Pass) -> Pass) {
    for host in hosts() {
        let whole = host.run();
        let (asked, whole) = (whole.asked.clone(), account(&whole.finished()));
        for (at, question) in asked.iter().enumerate() {
            let told = account(&replayed(&host, at, &by));
            assert_eq!(whole, told, "{}", question.seat());
        }
    }
}

/// A pass of this host, interrupted at its question of this number.
fn replayed(host: &Host, at: usize, by: &impl Fn(Pass) -> Pass) -> Finished {
    let mut asked = 0;
    host.run_with(|pass| {
        asked += 1;
        if asked == at + 1 { by(pass) } else { pass }
    })
    .finished()
}

fn saving_and_loading_changes_nothing() {
    interrupted(|pass| Pass::load(&pass.save(&key()).unwrap(), &key()).unwrap());
}

fn misuse_changes_nothing() {
    interrupted(|pass| {
        let before = pass.digest();
        let other = match pass.question().seat() {
            Seat::Org => Answer::Rules(Ok(Vec::new())),
            _ => Answer::Org(Ok(Vec::new())),
        };
        let pass = pass.answer(other).unwrap_err().into_pass();
        assert_eq!(before, pass.digest());
        pass
    });
}

fn the_order_of_keys_does_not_matter() {
    let ordered = r#"{"a":1,"b":{"c":2,"d":3}}"#;
    let shuffled = "{ \"b\": { \"d\": 3, \"c\": 2 }, \"a\": 1 }";
    let told = |asked: &str| account(&Host::of("c1", asked).policy(STATED).finish());
    assert_eq!(told(ordered), told(shuffled));
    assert_eq!(told(ordered), told(ordered));
    assert_eq!(args(ordered).digest(), args(shuffled).digest());
    for host in hosts() {
        assert_eq!(account(&host.finish()), account(&host.finish()));
    }
}

fn the_order_of_receipts_does_not_matter() {
    let receipts = [
        ("a", said(HookDecision::Ask, None)),
        ("b", said(HookDecision::Allow, None)),
        (
            "c",
            HookOutcome::Answered(HookAnswer {
                context: Some("it is Monday".into()),
                reason: Some("so it is".into()),
                ..HookAnswer::plain(HookDecision::Ask)
            }),
        ),
    ];
    let told = |order: &[usize]| {
        let receipts = order.iter().map(|n| {
            let (id, outcome) = &receipts[*n];
            ((*id).to_owned(), outcome.clone())
        });
        let host = ["a", "b", "c"].iter().fold(Host::new(), |host, id| {
            host.with(|input| input.hook(id, HookKind::Guard))
        });
        account(&host.receipts(receipts.collect()).finish())
    };
    let declared = told(&[0, 1, 2]);
    for order in [&[2, 1, 0][..], &[1, 2, 0], &[0, 0, 1, 2], &[2, 1, 0, 1, 2]] {
        assert_eq!(declared, told(order), "{order:?}");
    }
}

fn parking() -> Host {
    Host::new()
        .says(Answer::Park(Ok(Parking::Parked)))
        .resolves(Resolved::YES)
}

fn a_ticket_is_settled_once() {
    let host = parking();
    let Suspended { ticket, parked } = host.run().suspended();
    let copy = Parked::load(&parked.save(&key()).unwrap(), &key()).unwrap();
    let mut book = TicketBook::new();
    book.open(&ticket).unwrap();
    let first = parked.resume(&ticket, &mut book, &host.input()).unwrap();
    let second = copy.resume(&ticket, &mut book, &host.input());
    assert!(second.is_err(), "both copies run");
    assert!(host.run_from(first).finished().args_to_run().is_some());
}

fn a_policy_that_changed_is_noticed() {
    let of = |policy: &[u8]| parking().with(|input| input.policy(Digest::of(policy)));
    let Suspended { ticket, parked } = of(b"then").run().suspended();
    let mut book = TicketBook::new();
    book.open(&ticket).unwrap();
    let resumed = parked.resume(&ticket, &mut book, &of(b"now").input());
    let kind = resumed.err().unwrap().kind();
    assert_eq!(kind, ParkMisuseKind::Stale, "{ASKED}");
}
