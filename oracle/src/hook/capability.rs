//! What each host can be told, as data: how a verdict is said there, and what is lost by it.
//!
//! No row may say anything looser than its verdict: where a host has no word for an ask, it is told
//! to deny. A host is added by its rows.

use gatefold::gate::Verdict;

/// Where a host asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HookEvent {
    /// Claude Code, before a tool call.
    ClaudeCodePreToolUse,
}

impl HookEvent {
    /// The event, in the host's word.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::ClaudeCodePreToolUse => "PreToolUse",
        }
    }
}

/// How one verdict is said to one host.
#[derive(Clone, Copy, Debug)]
pub(super) struct Capability {
    pub(super) event: HookEvent,
    pub(super) verdict: Verdict,
    /// What the host makes of the word.
    pub(super) means: Verdict,
    /// The host's word.
    pub(super) word: &'static str,
    /// What of the verdict is lost on the way. None: nothing.
    pub(super) lost: Option<&'static str>,
}

/// Source: the hosts' own hook references, `code.claude.com/docs/en/hooks` for the first.
pub(super) const CAPABILITIES: &[Capability] = &[
    Capability {
        event: HookEvent::ClaudeCodePreToolUse,
        verdict: Verdict::Allow,
        means: Verdict::Allow,
        word: "allow",
        lost: None,
    },
    Capability {
        event: HookEvent::ClaudeCodePreToolUse,
        verdict: Verdict::Ask,
        means: Verdict::Ask,
        word: "ask",
        lost: None,
    },
    Capability {
        event: HookEvent::ClaudeCodePreToolUse,
        verdict: Verdict::Deny,
        means: Verdict::Deny,
        word: "deny",
        lost: None,
    },
];

/// How a verdict is said at this event. A verdict without a row cannot be said.
pub(super) fn said(event: HookEvent, verdict: Verdict) -> Option<&'static Capability> {
    let mut rows = CAPABILITIES.iter();
    rows.find(|row| row.event == event && row.verdict == verdict)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENTS: [HookEvent; 1] = [HookEvent::ClaudeCodePreToolUse];

    #[test]
    fn every_event_has_one_row_for_every_verdict() {
        assert_eq!(CAPABILITIES.len(), EVENTS.len() * 3);
        for event in EVENTS {
            for verdict in [Verdict::Allow, Verdict::Ask, Verdict::Deny] {
                assert!(said(event, verdict).is_some(), "{event:?} {verdict:?}");
            }
        }
    }

    #[test]
    fn no_word_is_looser_than_its_verdict() {
        let strictness = |verdict| match verdict {
            Verdict::Allow => 0,
            Verdict::Ask => 1,
            Verdict::Deny => 2,
        };
        for row in CAPABILITIES {
            assert!(strictness(row.means) >= strictness(row.verdict), "{row:?}");
            // A word that means something else loses something, and the row says what.
            assert_eq!(row.lost.is_none(), row.means == row.verdict, "{row:?}");
        }
    }

    #[test]
    fn claude_code_is_told_every_verdict_in_its_own_word_and_nothing_is_lost() {
        for (verdict, word) in [
            (Verdict::Allow, "allow"),
            (Verdict::Ask, "ask"),
            (Verdict::Deny, "deny"),
        ] {
            let row = said(HookEvent::ClaudeCodePreToolUse, verdict).expect("a row");
            assert_eq!((row.word, row.lost), (word, None));
        }
    }
}
