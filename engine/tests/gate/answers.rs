//! Answers, facts and the like, each by a short name.

use gatefold::gate::*;

/// A classifier's ruling without a round.
pub fn rules_that(ruling: ClassifierRuling) -> Answer {
    Answer::Classify(Ok(Classification {
        ruling,
        round: None,
        reason: None,
    }))
}

/// The facts of a shell command about which nothing else is known.
pub const SHELL: Facts = Facts {
    kind: ToolKind::Shell,
    ..Facts::UNKNOWN
};

/// The facts of a call whose content is to be shown.
pub const SHOWS: Facts = Facts {
    shows_content: true,
    ..Facts::UNKNOWN
};

/// The receipts of one screening.
pub fn receipts(of: &[(&str, HookOutcome)]) -> Answer {
    let receipts = of.iter().map(|(hook, outcome)| HookReceipt {
        hook: (*hook).into(),
        outcome: outcome.clone(),
    });
    Answer::Hook(Ok(receipts.collect()))
}

/// The rule behind a judgement, with this text.
pub fn basis(rule: &str) -> Basis {
    Basis {
        layer: "project".into(),
        file: None,
        list: "list".into(),
        index: 0,
        rule: rule.into(),
        part: None,
    }
}

/// An ancestor in this mode, with no lock.
pub fn member(mode: Mode) -> Member {
    Member {
        mode,
        ..Member::default()
    }
}

/// What the shell reader says of a command whose reads are so.
pub fn reads(finding: ShellFinding) -> Answer {
    Answer::ShellRead(Ok(ShellRead {
        finding,
        ..ShellRead::UNWIRED
    }))
}

/// What the reversibility probe finds.
pub fn probed(finding: Reversibility, boundary_declined: bool) -> Answer {
    Answer::Probe(Ok(Probe {
        finding,
        boundary_declined,
    }))
}

/// A card of the shell reader.
pub fn card(finding: &str) -> Card {
    Card {
        finding: finding.into(),
        text: "what it is about".into(),
    }
}
