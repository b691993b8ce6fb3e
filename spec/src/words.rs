//! The engine's words, and nothing else of it.
//!
//! This is the only file of the crate that may name the engine; a test reads the imports of all
//! others. The tables use the words, so that a word can be neither misspelt nor forgotten; what
//! they mean stands in the tables.

use gatefold::gate::{
    AllowedBy, Answerer, AskOrigin, AttestedReading, Audience, Automatic, BarClass, Cause, Cell,
    ClassifierCause, ClassifierRuling, CopyProgram, DefectCode, DeniedBy, ExitKind, ExitVerdict,
    Form, HookDecision, HookKind, Mode, NoAnswer, NoticeWord, OnNoRuling, OrgRuling,
    ParkMisuseKind, ParkSite, ReadOnly, RefusingMode, ReleasingMode, Reversibility, Seat,
    SettledAnswer, SettledBy, ShellReads, Station, TicketState, ToolKind, Unanswered, Unstated,
    Verdict, WriteProtection,
};

/// Declares the vocabularies: their names and their words.
macro_rules! vocabularies {
    ($($name:literal => $words:ty,)+) => {
        /// The names of all vocabularies, in the order of the alphabet.
        pub const VOCABULARIES: &[&str] = &[$($name),+];

        /// The words of a vocabulary, in the engine's order; nothing if there is none of that name.
        ///
        /// ```
        /// use gatefold_spec::words::words;
        /// assert_eq!(words("verdict").unwrap(), ["allow", "ask", "deny"]);
        /// assert_eq!(words("virtue"), None);
        /// ```
        pub fn words(vocabulary: &str) -> Option<Vec<&'static str>> {
            match vocabulary {
                $($name => Some(<$words>::ALL.iter().map(|word| word.word()).collect()),)+
                _ => None,
            }
        }
    };
}

vocabularies! {
    "allowed_by" => AllowedBy,
    "answerer" => Answerer,
    "ask_origin" => AskOrigin,
    "attested_reading" => AttestedReading,
    "audience" => Audience,
    "automatic" => Automatic,
    "bar_class" => BarClass,
    "cause" => Cause,
    "cell" => Cell,
    "classifier_cause" => ClassifierCause,
    "classifier_ruling" => ClassifierRuling,
    "copy_program" => CopyProgram,
    "defect_code" => DefectCode,
    "denied_by" => DeniedBy,
    "exit_kind" => ExitKind,
    "exit_verdict" => ExitVerdict,
    "form" => Form,
    "hook_decision" => HookDecision,
    "hook_kind" => HookKind,
    "mode" => Mode,
    "no_answer" => NoAnswer,
    "notice" => NoticeWord,
    "on_no_ruling" => OnNoRuling,
    "org_ruling" => OrgRuling,
    "park_misuse" => ParkMisuseKind,
    "park_site" => ParkSite,
    "read_only" => ReadOnly,
    "refusing_mode" => RefusingMode,
    "releasing_mode" => ReleasingMode,
    "reversibility" => Reversibility,
    "seat" => Seat,
    "settled_answer" => SettledAnswer,
    "settled_by" => SettledBy,
    "shell_reads" => ShellReads,
    "station" => Station,
    "ticket_state" => TicketState,
    "tool_kind" => ToolKind,
    "unanswered" => Unanswered,
    "unstated" => Unstated,
    "verdict" => Verdict,
    "write_protection" => WriteProtection,
}
