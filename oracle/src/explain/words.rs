//! The account in plain words: a sentence for every word that a pass can use.

use gatefold::gate::{AllowedBy, Automatic, Cause, DeniedBy, SettledAnswer, Station, Unanswered};

use super::cover::Hindrance;

/// What is objected to a call, or only bars answerers.
pub(super) const fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::Unstated => "Nothing says that it may run.",
        Cause::Irreversible => "What it does cannot be undone.",
        Cause::Outside => "It reaches a host that is not among the allowed ones.",
        Cause::BoundaryDeclined => "No objection, but where it reads was not judged.",
        Cause::ReadDeclined => "What its command line reads was not judged.",
        Cause::ProbeOutOfRoot => "It reaches outside the folders that it may work in.",
        Cause::ReadOutOfRoot => "Its command line reads outside the folders that it may work in.",
        Cause::Unestablishable => "What its command line runs cannot be told for certain.",
        Cause::WriteProtected => "What it would write to is protected.",
        Cause::WriteUnresolved => "Whether what it would write to is protected is not known.",
        Cause::ProbeUnanswered => "Whether it can be undone was asked, and no answer came.",
        Cause::RulesUnreadable => "The stored rules could not be read.",
        Cause::Policy => "The host's own policy asks about it.",
        Cause::Hook => "A PreToolUse hook asks about it.",
        Cause::Org => "The organisation's rules ask about it.",
        Cause::Rule => "A stored rule asks about it.",
        Cause::Edit => "It was edited, and the edited call is not the one that was approved.",
        Cause::Classifier => "The classifier of mode auto does not clear it.",
        Cause::DenialLimit => "The classifier of mode auto has denied too often to decide alone.",
    }
}

/// Why a call does not run, after "because".
pub(super) const fn denied_by(by: DeniedBy) -> &'static str {
    match by {
        DeniedBy::Compliance => "the agent or one above it is locked",
        DeniedBy::PlanMode => "plan mode runs only what is known to read and nothing else",
        DeniedBy::Hook => "a PreToolUse hook denies it",
        DeniedBy::Engine => "a check failed, and a failure is never taken for a yes",
        DeniedBy::Policy => "the host's own policy denies it",
        DeniedBy::Org => "the organisation's rules deny it",
        DeniedBy::Rule => "a stored rule denies it",
        DeniedBy::ShellRead => "the reader of command lines refuses it",
        DeniedBy::WriteProtection => "it was edited, and what it would write to is protected",
        DeniedBy::Classifier => "the classifier of mode auto blocks it or did not rule",
        DeniedBy::Mode => "mode dont_ask refuses whatever would need an answer",
        DeniedBy::EditCap => "it was edited more often than is allowed",
        DeniedBy::AskResolution => "it needed an answer, and no yes came",
    }
}

/// Why a call runs, after "because".
pub(super) const fn allowed_by(by: AllowedBy) -> &'static str {
    match by {
        AllowedBy::Policy => "the host's own policy allows it",
        AllowedBy::StoredRule => "a stored rule allows it",
        AllowedBy::Hook => "a PreToolUse hook allows it",
        AllowedBy::ReadOnly => "it is known to read and nothing else",
        AllowedBy::Classifier => "the classifier of mode auto allows it",
        AllowedBy::Sandbox => "the sandbox took it in",
        AllowedBy::Mode => "the permission mode releases what would need an answer",
        AllowedBy::AskResolution => "it needed an answer, and the answer was yes",
        AllowedBy::Default => "nobody objects, and the host lets such calls run",
    }
}

/// How an ask ended.
pub(super) const fn settled(answer: SettledAnswer, why: Option<Unanswered>) -> &'static str {
    match (answer, why) {
        (SettledAnswer::Yes, _) => "Whoever was asked said yes.",
        (SettledAnswer::No, _) => "Whoever was asked said no.",
        (SettledAnswer::Unanswered, Some(Unanswered::Timeout)) => "Nobody answered in time.",
        (SettledAnswer::Unanswered, Some(Unanswered::Aborted)) => {
            "The task was cancelled while the answer was awaited."
        }
        (SettledAnswer::Unanswered, Some(Unanswered::Nobody)) => "There was nobody to ask.",
        (SettledAnswer::Unanswered, Some(Unanswered::Unshown)) => {
            "What was to be approved could not be shown."
        }
        (SettledAnswer::Unanswered, Some(Unanswered::Failed) | None) => {
            "Asking failed, or the answer could not be used."
        }
    }
}

/// Who can answer without a person.
pub(super) const fn automatic(answerer: Automatic) -> &'static str {
    match answerer {
        Automatic::StoredRule => "a stored allow rule",
        Automatic::HookAllow => "a hook's allow",
        Automatic::ReadOnly => "the read-only check",
        Automatic::Sandbox => "the sandbox",
        Automatic::AcceptEdits => "mode accept_edits",
        Automatic::Classifier => "the classifier",
        Automatic::Bypass => "mode bypass",
    }
}

/// What it takes for one who is not barred to answer.
pub(super) const fn takes(answerer: Automatic) -> &'static str {
    match answerer {
        Automatic::StoredRule => "if a rule covers the call",
        Automatic::HookAllow => "if a guard hook says allow",
        Automatic::ReadOnly => "if the tool is known to read and nothing else",
        Automatic::Sandbox => "if the host has one that takes the command in",
        Automatic::AcceptEdits => "if every agent is in such a mode and all it edits is known",
        Automatic::Classifier => "if mode auto is on and the host has one",
        Automatic::Bypass => "if every agent above the call is in such a mode too",
    }
}

/// What a station looks at.
pub(super) const fn station(station: Station) -> &'static str {
    match station {
        Station::Entry => "takes the call in",
        Station::Lock => "looks for a lock",
        Station::Hook => "has hooks screen the call",
        Station::Describe => "finds what the call does",
        Station::Plan => "looks for plan mode",
        Station::Adjudicate => "hears the host's own policy",
        Station::Promote => "counts what hooks ask",
        Station::Reversibility => "finds if it can be undone",
        Station::Egress => "finds if it leaves the allowed hosts",
        Station::ShellRead => "reads the command line",
        Station::WriteProtection => "finds if it writes to what is protected",
        Station::Unstated => "asks if nobody has said anything",
        Station::Org => "hears the organisation's rules",
        Station::Rules => "hears the stored rules",
        Station::Stamp => "counts who may answer from here on",
        Station::Classify => "hears the classifier of mode auto",
        Station::Sandbox => "tries the sandbox",
        Station::Arbitrate => "hears the permission mode",
        Station::Present => "shows what is to be approved",
        Station::Park => "hands the ask back to wait",
        Station::Resolve => "asks whoever can be asked",
        Station::Edit => "takes an edited call through once more",
        Station::Exit => "makes the outcome final",
    }
}

/// Why no rule would cover the call.
pub(super) const fn hindrance(hindrance: Hindrance) -> &'static str {
    match hindrance {
        Hindrance::Lock => "No rule lifts a lock.",
        Hindrance::PlanMode => "No rule lets a call run in plan mode that may do more than read.",
        Hindrance::Hook => "No rule overrules a hook.",
        Hindrance::FailedCheck => "No rule stands in for a check that failed.",
        Hindrance::Deny => "A deny stands over every allow.",
        Hindrance::PossibleDeny => "A deny that may be about the call stands over every allow.",
        Hindrance::Ask => "An ask rule stands over every allow.",
        Hindrance::UnreadableLine => "No rule can cover a line that cannot be read.",
        Hindrance::RefusedLine => "No rule overrules the reader of command lines.",
        Hindrance::OutsideRoots => "No rule covers what reaches outside the folders.",
        Hindrance::Protected => "No rule covers a write to what is protected.",
        Hindrance::Edited => "No rule covers an edit that needs an answer of its own.",
        Hindrance::Classifier => "No rule answers in the classifier's place here.",
        Hindrance::AmbiguousName => "No rule can allow a name that splits in more than one way.",
        Hindrance::Unnameable => "No rule can name this call.",
        Hindrance::SeveralParts => "Several parts of the line are covered by no rule.",
        Hindrance::TooLong => "The line is longer than a rule may be.",
        Hindrance::Unproved => "The rule for exactly this call was tried, and does not allow it.",
    }
}

/// What to do where no rule would cover the call.
pub(super) const fn instead(hindrance: Hindrance) -> &'static str {
    match hindrance {
        Hindrance::Lock => "Have the lock taken away.",
        Hindrance::PlanMode => "Leave plan mode, or only read.",
        Hindrance::Hook => "Do what the hook asks for, or change the hook.",
        Hindrance::FailedCheck => "Repair what failed, and make the call again.",
        Hindrance::Deny => "Change that deny, or make a call that it is not about.",
        Hindrance::PossibleDeny => "Write the call so that it is plainly not what is denied.",
        Hindrance::Ask => "Let a person answer each time, or change that rule.",
        Hindrance::UnreadableLine => {
            "Write the command so that what it runs stands in it, and is not computed."
        }
        Hindrance::RefusedLine => "Write the command so that the reader takes it.",
        Hindrance::OutsideRoots => "Stay inside the folders, or let a person answer.",
        Hindrance::Protected => "Write elsewhere, or let a person answer.",
        Hindrance::Edited => "Approve the call as it was edited.",
        Hindrance::Classifier => "Let a person answer.",
        Hindrance::AmbiguousName => "Have the host name server and tool apart (`call.mcp`).",
        Hindrance::Unnameable => "Let a person answer each time.",
        Hindrance::SeveralParts => "Write a rule for each of them, or run them one by one.",
        Hindrance::TooLong => "Put the command into a script, and call that.",
        Hindrance::Unproved => "Let a person answer this once.",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_word_has_a_sentence_of_its_own() {
        distinct("causes", Cause::ALL.iter().map(|word| cause(*word)));
        distinct(
            "refusers",
            DeniedBy::ALL.iter().map(|word| denied_by(*word)),
        );
        distinct(
            "allowers",
            AllowedBy::ALL.iter().map(|word| allowed_by(*word)),
        );
        distinct("stations", Station::ALL.iter().map(|word| station(*word)));
        distinct(
            "answerers",
            Automatic::ALL.iter().map(|word| automatic(*word)),
        );
        distinct("conditions", Automatic::ALL.iter().map(|word| takes(*word)));
        distinct(
            "hindrances",
            Hindrance::ALL.iter().map(|word| hindrance(*word)),
        );
        let ends = Unanswered::ALL
            .iter()
            .map(|why| settled(SettledAnswer::Unanswered, Some(*why)));
        let ends =
            ends.chain([SettledAnswer::Yes, SettledAnswer::No].map(|end| settled(end, None)));
        distinct("endings", ends);
    }

    #[test]
    fn a_sentence_fits_its_line() {
        for word in Cause::ALL {
            assert!(
                cause(*word).ends_with('.') && cause(*word).len() <= 72,
                "{word}"
            );
        }
        for word in Station::ALL {
            assert!(station(*word).len() <= 40, "{word}");
        }
        for word in Hindrance::ALL {
            assert!(hindrance(*word).ends_with('.'), "{word:?}");
            assert!(instead(*word).ends_with('.'), "{word:?}");
        }
    }

    fn distinct(of: &str, sentences: impl Iterator<Item = &'static str>) {
        let sentences: Vec<_> = sentences.collect();
        let once: BTreeSet<_> = sentences.iter().collect();
        assert_eq!(once.len(), sentences.len(), "{of}: {sentences:?}");
        assert!(!once.contains(&""), "{of}");
    }
}
