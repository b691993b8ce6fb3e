//! Any facts at all for the mint: the table says which are refused, and for what.

use std::sync::LazyLock;

use arbitrary::Unstructured;
use gatefold::gate::{
    AllowedBy, AskOrigin, ClassifierCause, ClassifierRound, CopyProgram, DeniedBy, ExitFacts,
    ExitVerdict, GateOutcome, Grant, ModeRefusal, ModeRelease, RefusingMode, ReleasingMode,
    SettledAnswer, SettledBy, Settlement, Text, Unanswered,
};

use super::{See, coin, maybe, pick};
use crate::{Grid, Tables};

static MINT: LazyLock<Grid> = LazyLock::new(|| {
    let tables = Tables::shipped().unwrap_or_else(|error| panic!("{error}"));
    let grid = tables.grid("gate/mint");
    grid.unwrap_or_else(|| panic!("there is no table of the mint"))
        .clone()
});

/// Mints any facts.
///
/// # Panics
/// If the mint refuses what its table accepts, accepts what it refuses, or names another defect; and
/// if an outcome is not the facts that it was minted from.
pub fn mint(data: &[u8], see: See<'_>) {
    let facts = facts(&mut Unstructured::new(data));
    let wanted = wanted(&facts);
    see(format_args!("{wanted}"));
    let minted = gatefold::gate::mint(facts.clone());
    let said = minted
        .as_ref()
        .map_or_else(|code| code.word(), |_| "accepted");
    assert_eq!(said, wanted, "{facts:?}");
    let json = serde_json::to_string(&facts).unwrap_or_default();
    let read: Option<ExitFacts> = serde_json::from_str(&json).ok();
    assert_eq!(
        read.as_ref(),
        Some(&facts),
        "facts are read as they are written"
    );
    let read: Option<GateOutcome> = serde_json::from_str(&json).ok();
    assert_eq!(
        read,
        minted.clone().ok(),
        "reading goes through the mint: {json}"
    );
    let Ok(outcome) = minted else { return };
    see(format_args!("verdict {}", outcome.verdict()));
    assert_eq!(outcome.verdict(), facts.verdict);
    assert_eq!(outcome.denied_by(), facts.denied_by);
    assert_eq!(outcome.allowed_by(), facts.allowed_by);
    let settled = outcome
        .settled()
        .map(|settled| (settled.settlement, settled.origin));
    assert_eq!(settled, facts.settlement.clone().zip(facts.origin));
    assert_eq!(
        ExitFacts::from(outcome),
        facts,
        "nothing is lost and nothing made up"
    );
}

/// What the table says of these facts: a defect, or `accepted`.
fn wanted(facts: &ExitFacts) -> &'static str {
    let none = || "none";
    let values = [
        ("verdict", facts.verdict.word()),
        (
            "denied_by",
            facts.denied_by.map_or_else(none, DeniedBy::word),
        ),
        (
            "allowed_by",
            facts.allowed_by.map_or_else(none, AllowedBy::word),
        ),
        (
            "cause",
            facts.cause.map_or_else(none, ClassifierCause::word),
        ),
        (
            "settlement",
            facts.settlement.as_ref().map_or_else(none, settlement_word),
        ),
        ("origin", facts.origin.map_or_else(none, |_| "given")),
        (
            "released",
            facts
                .released
                .map_or_else(none, |released| released.mode.word()),
        ),
        (
            "refused",
            facts
                .refused
                .map_or_else(none, |refused| refused.mode.word()),
        ),
    ];
    MINT.look(&values).want("defect")
}

/// Read here from what each answer may bring, and not by the engine's own word for it.
fn settlement_word(settlement: &Settlement) -> &'static str {
    let Settlement {
        answer,
        by,
        edited,
        why,
        grant,
    } = settlement;
    let brings = (
        *by == SettledBy::Engine,
        why.is_some(),
        *edited || grant.is_some(),
    );
    match (answer, brings) {
        (SettledAnswer::Yes, (false, false, _))
        | (SettledAnswer::No, (false, false, false))
        | (SettledAnswer::Unanswered, (true, true, false)) => answer.word(),
        (SettledAnswer::Yes | SettledAnswer::No | SettledAnswer::Unanswered, _) => "malformed",
    }
}

/// Any facts; none of them knows of the others.
fn facts(u: &mut Unstructured<'_>) -> ExitFacts {
    ExitFacts {
        verdict: pick(u, ExitVerdict::ALL),
        denied_by: maybe(u, |u| pick(u, DeniedBy::ALL)),
        allowed_by: maybe(u, |u| pick(u, AllowedBy::ALL)),
        cause: maybe(u, |u| pick(u, ClassifierCause::ALL)),
        settlement: maybe(u, settlement),
        origin: maybe(u, |u| pick(u, AskOrigin::ALL)),
        released: maybe(u, |u| ModeRelease {
            mode: pick(u, ReleasingMode::ALL),
            past_read_deny: coin(u),
        }),
        refused: maybe(u, |u| ModeRefusal {
            mode: pick(u, RefusingMode::ALL),
            unplaced_options: maybe(u, |u| pick(u, CopyProgram::ALL)),
        }),
        classifier: maybe(u, round),
        inherited_classifier: maybe(u, round),
    }
}

fn settlement(u: &mut Unstructured<'_>) -> Settlement {
    Settlement {
        answer: pick(u, SettledAnswer::ALL),
        by: pick(u, SettledBy::ALL),
        edited: coin(u),
        why: maybe(u, |u| pick(u, Unanswered::ALL)),
        grant: maybe(u, |u| Grant {
            scope: text(u),
            rule: text(u),
        }),
    }
}

fn round(u: &mut Unstructured<'_>) -> ClassifierRound {
    ClassifierRound {
        asked: text(u).as_str().into(),
        answered: text(u).as_str().into(),
    }
}

fn text(u: &mut Unstructured<'_>) -> Text {
    Text::new(pick(
        u,
        &["session", "", "Bash(make *)", "\u{0}\"\\\u{2028}"],
    ))
}
