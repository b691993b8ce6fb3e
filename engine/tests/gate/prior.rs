//! Earlier passes of the same call, attested: what a policy check or an inherited lane hands back.

use gatefold::gate::*;

use crate::case::{Case, STATED};
use crate::tell::times;

/// A pass that asks, and settles its ask as this says.
pub fn settling(shown: Resolved) -> Case {
    Case::new().resolves(shown)
}

/// A pass in auto mode whose classifier says this, under names that are vouched for.
pub fn classifying(ruling: ClassifierRuling) -> Case {
    Case::new()
        .mode(Mode::Auto)
        .says(Answer::Classify(Ok(classification(ruling))))
}

pub fn classification(ruling: ClassifierRuling) -> Classification {
    Classification {
        ruling,
        round: Some(round()),
        reason: None,
    }
}

pub fn round() -> ClassifierRound {
    ClassifierRound {
        asked: "small-1".into(),
        answered: "large-2".into(),
    }
}

/// A book that attests these passes, with the ids of each, in order.
pub fn book<const N: usize>(cases: [&Case; N]) -> (AttestationBook, [AttestedIds; N]) {
    let mut book = AttestationBook::new();
    let ids = cases.map(|case| book.attest(&case.finish()).unwrap());
    (book, ids)
}

/// A book that attests one settlement, and its id.
pub fn settled(case: &Case) -> (AttestationBook, AttestationId) {
    let (book, [ids]) = book([case]);
    (book, ids.settlement.unwrap())
}

/// The policy's answer with an attested settlement and a rewrite.
pub fn attesting(
    ruling: PolicyRuling,
    settlement: Option<AttestationId>,
    rewrite: Option<&str>,
) -> Answer {
    let Answer::Adjudicate(Ok(answer)) = crate::case::policy(ruling, rewrite) else {
        unreachable!("that is what it builds")
    };
    Answer::Adjudicate(Ok(Adjudication {
        settlement,
        ..answer
    }))
}

/// A case whose policy allows and shows this attested settlement.
pub fn allows_with(book: &AttestationBook, settlement: AttestationId) -> Case {
    rules_with(STATED, book, settlement)
}

/// A case whose policy says this and shows this attested settlement.
pub fn rules_with(ruling: PolicyRuling, book: &AttestationBook, settlement: AttestationId) -> Case {
    Case::new()
        .with(|input| input.attestations(book.clone()))
        .says(attesting(ruling, Some(settlement), None))
}

pub fn delegate_yes() -> Resolved {
    Resolved::Yes {
        by: Answerer::Delegate,
        edit: None,
        remember: None,
    }
}

/// A book with what a pass of this call settled.
pub fn settled_about(call: Call, shown: Resolved) -> (AttestationBook, AttestationId) {
    settled(&Case::of(call).resolves(shown))
}

pub fn delegated_about(call: Call) -> (AttestationBook, AttestationId) {
    settled_about(call, delegate_yes())
}

pub fn answered(shown: Resolved, attested: Option<AttestationId>) -> Answer {
    Answer::Resolve(Ok(Resolution { shown, attested }))
}

/// A case whose resolver shows this and attests that.
pub fn resolving(book: &AttestationBook, shown: Resolved, attested: AttestationId) -> Case {
    Case::new()
        .with(|input| input.attestations(book.clone()))
        .says(answered(shown, Some(attested)))
}

pub fn ignored(ended: &Finished) -> usize {
    times(ended, NoticeWord::AttestationIgnored)
}

/// Why attestations were ignored, in order.
pub fn whys(ended: &Finished) -> Vec<&str> {
    let notices = ended.notices().iter();
    let ignored = notices.filter(|notice| notice.notice == NoticeWord::AttestationIgnored);
    ignored
        .map(|notice| notice.text.as_ref().unwrap().as_str())
        .collect()
}
