//! Reported faults that no single call shows: asks that wait, go on, or are answered elsewhere.

use std::sync::Arc;

use gatefold::gate::{
    Adjudication, Answerer, Args, Call, DeniedBy, Facts, Finished, GateInput, GateResult,
    JudgeQuestion, Judgement, Mode, OrgRuling, ParkQuestion, Parked, Parking, Probe, Reply,
    Resolution, ResolveQuestion, Resolved, RuleRuling, SealKey, Seat, SeatFailure, Seats,
    ShellRead, Step, Subject, Suspended, TicketBook, begin, drive,
};
use gatefold_policy::{Deciders, Platform, Policy, Source, Surroundings};

const ASKS: &str = "schema = 'gatefold/policy/v1'\n[rules.user]\nask = ['refund', 'Bash']\n";

/// Every test, by the name that rows know it by.
pub(super) const TESTS: &[(&str, fn())] = &[
    (
        "a_policy_that_cannot_be_asked_refuses",
        a_policy_that_cannot_be_asked_refuses,
    ),
    (
        "a_question_outlives_its_process",
        a_question_outlives_its_process,
    ),
    (
        "a_saved_question_that_was_changed_is_refused",
        a_saved_question_that_was_changed_is_refused,
    ),
    (
        "a_stale_question_ends_at_once",
        a_stale_question_ends_at_once,
    ),
    (
        "an_answer_settles_the_call_whose_ticket_it_carries",
        an_answer_settles_the_call_whose_ticket_it_carries,
    ),
    (
        "an_approval_lets_its_call_run_once",
        an_approval_lets_its_call_run_once,
    ),
    (
        "an_ask_does_not_go_on_under_another_policy",
        an_ask_does_not_go_on_under_another_policy,
    ),
    (
        "what_is_wrong_with_a_saved_question_is_told_apart",
        what_is_wrong_with_a_saved_question_is_told_apart,
    ),
];

/// Whether the host's own policy fails or the organisation's, what nobody judged does not run.
fn a_policy_that_cannot_be_asked_refuses() {
    for failing in [Seat::Adjudicate, Seat::Org] {
        for mode in [Mode::Default, Mode::Bypass] {
            let mut host = Host::new(
                "schema = 'gatefold/policy/v1'\n[org]\ndeny = ['mcp__x__z']\n",
                "mcp__x__y",
            );
            host.failing = Some(failing);
            let input = host.input("c1", "{}", mode);
            let result = drive(begin(input), &mut host).expect("no defect");
            let GateResult::Finished(finished) = *result else {
                panic!("nobody is asked: {failing}")
            };
            assert_eq!(finished.args_to_run(), None, "{failing}");
            assert_eq!(
                finished.outcome().denied_by(),
                Some(DeniedBy::Engine),
                "{failing}"
            );
            let reason = finished.reason().expect("a reason");
            assert!(reason.contains("no route to host"), "{reason}");
        }
    }
}

/// The saved question is answered in another process, and the answer counts.
fn a_question_outlives_its_process() {
    let key = key();
    let (host, suspended) = parked(ASKS, "c1");
    let ticket = suspended.ticket.save(&key).expect("it is saved");
    let parked = suspended.parked.save(&key).expect("it is saved");
    drop((host, suspended));

    let (mut host, _) = self::parked(ASKS, "c2");
    let parked = Parked::load(&parked, &key).expect("it is the same");
    let ticket = gatefold::gate::Ticket::load(&ticket, &key).expect("it is the same");
    let mut book = TicketBook::new();
    book.open(&ticket).expect("it is new");
    let now = host.input("c1", REFUND, Mode::Default);
    let step = parked
        .resume(&ticket, &mut book, &now)
        .expect("nothing has changed");
    assert_eq!(
        host.finish(step).args_to_run().map(Args::as_str),
        Some(REFUND)
    );
}

/// A saved question under another agent's name, or with other args, is none that was asked.
fn a_saved_question_that_was_changed_is_refused() {
    let (_, suspended) = parked(ASKS, "c1");
    let saved = suspended.parked.save(&key()).expect("it is saved");
    for (from, to) in [
        ("\"c1\"", "\"c2\""),
        ("amount", "count"),
        ("refund", "charge"),
    ] {
        let changed = saved.replacen(from, to, 1);
        assert_ne!(changed, saved, "{from}");
        let refused = Parked::load(&changed, &key()).expect_err("it was changed");
        assert_eq!(refused.code(), "bad_seal", "{from}");
    }
}

/// After a change of what it was judged by, the question does not go on: it is cancelled and ends as
/// a deny, without waiting for anybody.
fn a_stale_question_ends_at_once() {
    let (mut host, Suspended { ticket, parked }) = parked(ASKS, "c1");
    let mut book = TicketBook::new();
    book.open(&ticket).expect("it is new");
    let now = host.input("c1", REFUND, Mode::Plan);
    let misuse = parked
        .resume(&ticket, &mut book, &now)
        .expect_err("it is stale");
    assert_eq!(misuse.code(), "ticket_stale");
    let step = misuse
        .into_parked()
        .cancel(&ticket, &mut book)
        .expect("it can be ended");
    let finished = host.finish(step);
    assert_eq!(
        finished.outcome().denied_by(),
        Some(DeniedBy::AskResolution)
    );
    let record = finished.record();
    let settled = record.fields().settled.as_ref().expect("it was settled");
    assert_eq!(settled.by.word(), "engine");
}

/// The answer to the question about one call lets no other go on.
fn an_answer_settles_the_call_whose_ticket_it_carries() {
    let (_, first) = parked(ASKS, "c1");
    let (host, second) = parked(ASKS, "c2");
    assert_ne!(
        first.ticket.save(&key()).ok(),
        second.ticket.save(&key()).ok()
    );
    let mut book = TicketBook::new();
    book.open(&first.ticket).expect("it is new");
    book.open(&second.ticket).expect("it is new");
    let now = host.input("c2", REFUND, Mode::Default);
    let misuse = second
        .parked
        .resume(&first.ticket, &mut book, &now)
        .expect_err("it is another's");
    assert_eq!(misuse.code(), "ticket_foreign");
}

/// The yes counts where the question went on, once; the same ticket opens nothing more.
fn an_approval_lets_its_call_run_once() {
    let (mut host, Suspended { ticket, parked }) = parked(ASKS, "c1");
    let again = parked.save(&key()).expect("it is saved");
    let mut book = TicketBook::new();
    book.open(&ticket).expect("it is new");
    let now = host.input("c1", REFUND, Mode::Default);
    let step = parked
        .resume(&ticket, &mut book, &now)
        .expect("nothing has changed");
    let finished = host.finish(step);
    assert_eq!(finished.args_to_run().map(Args::as_str), Some(REFUND));
    let again = Parked::load(&again, &key()).expect("it is the same");
    let misuse = again
        .resume(&ticket, &mut book, &now)
        .expect_err("it was answered");
    assert_eq!(misuse.code(), "ticket_settled");
}

/// What was asked under one policy is judged anew under the next.
fn an_ask_does_not_go_on_under_another_policy() {
    let (_, Suspended { ticket, parked }) = parked(ASKS, "c1");
    let mut book = TicketBook::new();
    book.open(&ticket).expect("it is new");
    let other = Host::new(&ASKS.replace("'Bash'", "'Bash(rm *)'"), "refund");
    let now = other.input("c1", REFUND, Mode::Default);
    let misuse = parked
        .resume(&ticket, &mut book, &now)
        .expect_err("the policy is another");
    assert_eq!(misuse.code(), "ticket_stale");
}

/// A seal that is missing, one of another key and one that does not fit are refused, each by its own
/// name as far as the bytes tell.
fn what_is_wrong_with_a_saved_question_is_told_apart() {
    let (_, suspended) = parked(ASKS, "c1");
    let saved = suspended.parked.save(&key()).expect("it is saved");
    let code = |bytes: &str, key: &SealKey| {
        let refused = Parked::load(bytes, key).expect_err("it is refused");
        refused.code()
    };
    let unsealed = saved.lines().last().expect("a body");
    assert_eq!(code(unsealed, &key()), "not_sealed");
    assert_eq!(
        code(&saved.replacen("amount", "count", 1), &key()),
        "bad_seal"
    );
    let ticket = suspended.ticket.save(&key()).expect("it is saved");
    assert_eq!(code(&ticket, &key()), "wrong_kind");
}

const REFUND: &str = r#"{"amount":10}"#;

fn key() -> SealKey {
    SealKey::new(&[7; 32]).expect("it is long enough")
}

/// A call of `refund` that is asked about, and waits.
fn parked(document: &str, id: &str) -> (Host, Suspended) {
    let mut host = Host::new(document, "refund");
    let input = host.input(id, REFUND, Mode::Default);
    match *drive(begin(input), &mut host).expect("no defect") {
        GateResult::Suspended(suspended) => (host, suspended),
        GateResult::Finished(finished) => panic!("it is asked about: {:?}", finished.reason()),
    }
}

/// A host that judges by a document, and says yes.
struct Host {
    deciders: Deciders,
    tool: String,
    /// A seat that cannot be reached.
    failing: Option<Seat>,
}

impl Host {
    fn new(document: &str, tool: &str) -> Self {
        let source = Source::host("gatefold.toml", document.as_bytes());
        let loaded = Policy::load(&[source], Platform::Linux).expect("it is sound");
        let policy = Arc::new(loaded.policy);
        Self {
            deciders: Deciders::new(policy, tool, None, Surroundings::default()),
            tool: tool.into(),
            failing: None,
        }
    }

    fn input(&self, id: &str, args: &str, mode: Mode) -> GateInput {
        let call = Call {
            id: id.into(),
            tool: self.tool.as_str().into(),
            args: Args::parse(args).expect("they are args"),
        };
        let input = GateInput::builder(call).mode(mode);
        let input = input
            .wire(Seat::Park)
            .wire(Seat::Resolve)
            .wire(Seat::Org)
            .wire(Seat::Adjudicate);
        self.deciders
            .wire(input)
            .build()
            .expect("it is within limits")
    }

    fn finish(&mut self, step: Step) -> Box<Finished> {
        match *drive(step, self).expect("no defect") {
            GateResult::Finished(finished) => Box::new(finished),
            GateResult::Suspended(_) => panic!("it was answered"),
        }
    }

    fn reached(&self, seat: Seat) -> Reply<()> {
        if self.failing == Some(seat) {
            return Err(SeatFailure::threw("no route to host"));
        }
        Ok(())
    }
}

impl Seats for Host {
    fn describe(&mut self, subject: &Subject) -> Reply<Facts> {
        self.deciders.describe(subject)
    }

    fn adjudicate(&mut self, question: &JudgeQuestion) -> Reply<Adjudication> {
        self.reached(Seat::Adjudicate)?;
        self.deciders.adjudicate(question)
    }

    fn probe(&mut self, subject: &Subject) -> Reply<Probe> {
        self.deciders.probe(subject)
    }

    fn shell_read(&mut self, subject: &Subject) -> Reply<ShellRead> {
        self.deciders.shell_read(subject)
    }

    fn org(&mut self, question: &JudgeQuestion) -> Reply<Vec<Judgement<OrgRuling>>> {
        self.reached(Seat::Org)?;
        self.deciders.org(question)
    }

    fn rules(&mut self, question: &JudgeQuestion) -> Reply<Vec<Judgement<RuleRuling>>> {
        self.deciders.rules(question)
    }

    fn park(&mut self, _: &ParkQuestion) -> Reply<Parking> {
        Ok(Parking::Parked)
    }

    fn resolve(&mut self, _: &ResolveQuestion) -> Reply<Resolution> {
        let yes = Resolved::Yes {
            by: Answerer::Person,
            edit: None,
            remember: None,
        };
        Ok(yes.into())
    }
}
