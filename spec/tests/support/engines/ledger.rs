//! The ledger, through [`gatefold::gate::Ledger`].

use gatefold::gate::{
    AskOrigin, AttestedReading, Digest, Ledger, SettledAnswer, SettledAsk, SettledBy, SettledFor,
    Settlement, Unanswered, Verdict,
};

use super::super::{At, Says, yes_no};

/// Three origins, so that it can be told whose the ledger holds.
const ATTESTED: AskOrigin = AskOrigin::Org;
const STANDING: AskOrigin = AskOrigin::Hook;
const COMPOSED: AskOrigin = AskOrigin::Rule;
/// The one that stood before.
const BEFORE: AskOrigin = AskOrigin::Edit;

/// What one operation said.
#[derive(Debug, PartialEq, Eq)]
pub struct Did {
    pub reading: Option<AttestedReading>,
    pub dropped: bool,
}

pub fn settlement(answer: SettledAnswer) -> Settlement {
    match answer {
        SettledAnswer::Yes => Settlement::yes(SettledBy::Person),
        SettledAnswer::No => Settlement::no(SettledBy::Person),
        SettledAnswer::Unanswered => Settlement::unanswered(Unanswered::Timeout),
    }
}

pub fn operate(
    ledger: &mut Ledger,
    operation: &str,
    answer: Option<SettledAnswer>,
    digest: Digest,
) -> Did {
    let mut did = Did {
        reading: None,
        dropped: false,
    };
    let brought = || settlement(answer.unwrap());
    let given_for = SettledFor::Digest(digest);
    let verdict = match operation {
        "from_allow" => Verdict::Allow,
        "from_ask" => Verdict::Ask,
        "from_deny" => Verdict::Deny,
        "from_resolved" => {
            ledger.from_resolved(brought(), Some(STANDING), given_for, 0);
            return did;
        }
        "set" => {
            ledger.set(brought(), Some(COMPOSED), given_for, 0);
            return did;
        }
        _ => {
            did.dropped = ledger.supersede();
            return did;
        }
    };
    let attested = SettledAsk {
        settlement: brought(),
        origin: ATTESTED,
    };
    did.reading = Some(ledger.from_decision(verdict, &attested, digest, 0));
    did
}

/// The state of a ledger as the table names it.
pub fn state(ledger: &Ledger) -> &'static str {
    ledger
        .settled()
        .map_or("none", |entry| entry.settlement.answer.word())
}

/// Whose origin a ledger holds, as the table names it.
pub fn origin(ledger: &Ledger) -> &'static str {
    let Some(entry) = ledger.settled() else {
        return "empty";
    };
    match entry.origin {
        Some(ATTESTED) => "attested",
        Some(STANDING) => "standing",
        Some(COMPOSED) => "composed",
        Some(BEFORE) => "kept",
        other => panic!("nobody wrote {other:?}"),
    }
}

pub fn ledger(at: &At<'_>) -> Says {
    let digest = Digest::of(b"{}");
    let mut ledger = Ledger::default();
    if let Some(before) = at.word("state", SettledAnswer::from_word) {
        ledger.from_resolved(
            settlement(before),
            Some(BEFORE),
            SettledFor::Digest(digest),
            0,
        );
    }
    let answer = at.word("settlement", SettledAnswer::from_word);
    let did = operate(&mut ledger, at.is("operation"), answer, digest);
    let reading = did.reading.map_or("no_reading", AttestedReading::word);
    vec![
        ("state", state(&ledger).into()),
        ("reading", reading.into()),
        ("origin", origin(&ledger).into()),
        ("dropped", yes_no(did.dropped)),
    ]
}
