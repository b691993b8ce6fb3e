//! The mint, through [`gatefold::gate::mint`].

use gatefold::gate::{
    AllowedBy, AskOrigin, ClassifierCause, DeniedBy, ExitFacts, ExitVerdict, Mode, ModeRefusal,
    ModeRelease, RefusingMode, ReleasingMode, SettledAnswer, SettledBy, Settlement, Unanswered,
};

use super::super::{At, Says};

pub fn facts(at: &At<'_>) -> ExitFacts {
    let mut facts = ExitFacts::of(at.word("verdict", ExitVerdict::from_word).unwrap());
    facts.denied_by = at.word("denied_by", DeniedBy::from_word);
    facts.allowed_by = at.word("allowed_by", AllowedBy::from_word);
    facts.cause = at.word("cause", ClassifierCause::from_word);
    facts.settlement = settlement(at.is("settlement"));
    facts.origin = (at.is("origin") == "given").then_some(AskOrigin::Hook);
    let released = at.word("released", ReleasingMode::from_word);
    facts.released = released.map(|mode| ModeRelease {
        mode,
        past_read_deny: mode.word() == Mode::Bypass.word(),
    });
    let refused = at.word("refused", RefusingMode::from_word);
    facts.refused = refused.map(|mode| ModeRefusal {
        mode,
        unplaced_options: None,
    });
    facts
}

/// One settlement that stands for all of its kind.
fn settlement(kind: &str) -> Option<Settlement> {
    match kind {
        "none" => None,
        "malformed" => Some(Settlement {
            why: Some(Unanswered::Timeout),
            ..Settlement::yes(SettledBy::Person)
        }),
        kind => Some(match SettledAnswer::from_word(kind).unwrap() {
            SettledAnswer::Yes => Settlement::yes(SettledBy::Person),
            SettledAnswer::No => Settlement::no(SettledBy::Delegate),
            SettledAnswer::Unanswered => Settlement::unanswered(Unanswered::Timeout),
        }),
    }
}

pub fn mint(at: &At<'_>) -> Says {
    let defect = match gatefold::gate::mint(facts(at)) {
        Ok(_) => "accepted".into(),
        Err(code) => code.to_string(),
    };
    vec![("defect", defect)]
}
