//! What stands beside whom in a record. The mint is asked, so that the schema says what it says.

use gatefold::gate::{
    AllowedBy, AskOrigin, ClassifierCause, DeniedBy, ExitFacts, Mode, ModeRefusal, ModeRelease,
    RefusingMode, ReleasingMode, SettledAnswer, SettledBy, Settlement, Unanswered, Verdict, mint,
};
use schemars::Schema;
use serde_json::Value;

use super::conditions::{Fields, all_of, when};

/// The conditions of a whole record.
pub(super) fn record(schema: &mut Schema) {
    let mut conditions: Vec<_> = Verdict::ALL.iter().copied().map(verdict).collect();
    conditions.extend(grouped("denied_by", DeniedBy::ALL, DeniedBy::word, refuser));
    conditions.extend(grouped(
        "allowed_by",
        AllowedBy::ALL,
        AllowedBy::word,
        allower,
    ));
    conditions.push(when(
        Fields::is("allowed_by", &answerers_of_asks()),
        Fields::present(&["asked"]),
    ));
    conditions.extend(ReleasingMode::ALL.iter().map(|mode| {
        let released = Fields::is("mode", &[mode.word()]);
        let callers = Fields::is("mode", &[Mode::from(*mode).word()]);
        when(Fields::with("released", released), callers)
    }));
    all_of(schema, conditions);
}

/// An ask says nothing of how it is decided; args run exactly on an allow.
fn verdict(verdict: Verdict) -> Value {
    let fields = match verdict {
        Verdict::Allow => Fields::present(&["allowed_by"]).and_absent(&["denied_by", "refused"]),
        Verdict::Ask => Fields::absent(&[
            "denied_by",
            "allowed_by",
            "settled",
            "released",
            "refused",
            "cause",
        ]),
        Verdict::Deny => Fields::present(&["denied_by"]).and_absent(&["allowed_by", "released"]),
    };
    let runs = if verdict == Verdict::Allow {
        Fields::present(&["runs"])
    } else {
        Fields::absent(&["runs"])
    };
    when(
        Fields::is("verdict", &[verdict.word()]),
        fields.and_with("digests", runs),
    )
}

/// Those who allow only what somebody objected to.
fn answerers_of_asks() -> Vec<&'static str> {
    let answers = |by: &AllowedBy| match by {
        AllowedBy::Policy | AllowedBy::Default => false,
        AllowedBy::StoredRule
        | AllowedBy::Hook
        | AllowedBy::ReadOnly
        | AllowedBy::Classifier
        | AllowedBy::Sandbox
        | AllowedBy::Mode
        | AllowedBy::AskResolution => true,
    };
    let answerers = AllowedBy::ALL.iter().copied().filter(answers);
    answerers.map(AllowedBy::word).collect()
}

/// What may stand beside one who decided.
#[derive(PartialEq)]
struct Beside {
    unsettled: bool,
    answers: Vec<&'static str>,
    /// The field of the card of a mode.
    card: (&'static str, Stands),
    cause: Stands,
}

#[derive(Clone, Copy, PartialEq)]
enum Stands {
    Never,
    Maybe,
    Always,
}

/// What stands beside one decider in one record, in one way.
struct Way {
    settlement: Option<Settlement>,
    card: bool,
    cause: bool,
}

fn refuser(by: DeniedBy) -> Beside {
    beside("refused", |way| {
        let mut facts = ExitFacts::deny(by);
        facts.refused = way.card.then_some(ModeRefusal {
            mode: RefusingMode::DontAsk,
            unplaced_options: None,
        });
        facts
    })
}

fn allower(by: AllowedBy) -> Beside {
    beside("released", |way| {
        let mut facts = ExitFacts::allow(by);
        facts.released = way.card.then_some(ModeRelease {
            mode: ReleasingMode::Bypass,
            past_read_deny: false,
        });
        facts
    })
}

/// What the mint lets stand beside a decider. Which of the three stand there are three things that do
/// not hang on each other.
fn beside(card: &'static str, facts: impl Fn(&Way) -> ExitFacts) -> Beside {
    let mut ways = ways();
    ways.retain(|way| {
        let mut facts = facts(way);
        facts.cause = way.cause.then_some(ClassifierCause::Unavailable);
        facts.origin = way.settlement.as_ref().map(|_| AskOrigin::Unstated);
        facts.settlement.clone_from(&way.settlement);
        mint(facts).is_ok()
    });
    let settled = |answer: &&SettledAnswer| {
        let mut settlements = ways.iter().filter_map(|way| way.settlement.as_ref());
        settlements.any(|settlement| settlement.answer == **answer)
    };
    let answers = SettledAnswer::ALL.iter().filter(settled);
    Beside {
        unsettled: ways.iter().any(|way| way.settlement.is_none()),
        answers: answers.map(|answer| answer.word()).collect(),
        card: (card, Stands::of(ways.iter().map(|way| way.card))),
        cause: Stands::of(ways.iter().map(|way| way.cause)),
    }
}

fn ways() -> Vec<Way> {
    let settlements = [
        None,
        Some(Settlement::yes(SettledBy::Person)),
        Some(Settlement::no(SettledBy::Person)),
        Some(Settlement::unanswered(Unanswered::Nobody)),
    ];
    let mut ways = Vec::new();
    for settlement in settlements {
        for (card, cause) in [(false, false), (false, true), (true, false), (true, true)] {
            let settlement = settlement.clone();
            ways.push(Way {
                settlement,
                card,
                cause,
            });
        }
    }
    ways
}

impl Stands {
    fn of(seen: impl Iterator<Item = bool>) -> Self {
        let seen: Vec<_> = seen.collect();
        match (seen.contains(&true), seen.contains(&false)) {
            (true, true) => Self::Maybe,
            (true, false) => Self::Always,
            (false, _) => Self::Never,
        }
    }
}

/// One condition for all those beside whom the same may stand.
fn grouped<T: Copy>(
    field: &str,
    all: &[T],
    word: impl Fn(T) -> &'static str,
    beside: impl Fn(T) -> Beside,
) -> Vec<Value> {
    let mut groups: Vec<(Beside, Vec<&str>)> = Vec::new();
    for by in all {
        let beside = beside(*by);
        match groups.iter_mut().find(|(same, _)| *same == beside) {
            Some((_, words)) => words.push(word(*by)),
            None => groups.push((beside, vec![word(*by)])),
        }
    }
    let conditions = groups
        .iter()
        .map(|(beside, words)| when(Fields::is(field, words), beside.fields()));
    conditions.collect()
}

impl Beside {
    fn fields(&self) -> Fields {
        let mut fields = Fields::default();
        let (card, card_stands) = self.card;
        for (field, stands) in [(card, card_stands), ("cause", self.cause)] {
            fields = match stands {
                Stands::Never => fields.and_absent(&[field]),
                Stands::Maybe => fields,
                Stands::Always => fields.and_present(&[field]),
            };
        }
        let answer = Fields::is("answer", &self.answers);
        match (self.answers.is_empty(), self.unsettled) {
            (true, _) => fields.and_absent(&["settled"]),
            (false, true) => fields.and_fits("settled", answer),
            (false, false) => fields.and_with("settled", answer),
        }
    }
}
