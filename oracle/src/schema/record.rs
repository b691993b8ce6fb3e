//! The schema of a record.
//!
//! The engine knows nothing of schemas, so each of its structs has a mirror here, whose words are the
//! engine's own.

use std::borrow::Cow;

use gatefold::gate::{
    self, AllowedBy, AskOrigin, ClassifierCause, CopyProgram, DeniedBy, Mode, RECORD_SCHEMA,
    RefusingMode, ReleasingMode, SettledAnswer, SettledBy, Station, Unanswered, Verdict,
};
use gatefold::limits::{NAME_BYTES_MAX, TEXT_BYTES_MAX};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{asked, minted};
use crate::decide::{Objection, Word};

/// Declares structs whose schema is that of the engine's of the same fields: those that always stand
/// in a record, and those that stand there when they apply, and are never null.
macro_rules! mirrors {
    ($($(#[$meta:meta])* $name:ident of $engine:path {
        $($(#[$ameta:meta])* $always:ident: $atype:ty,)+
    } sometimes {
        $($(#[$smeta:meta])* $sometimes:ident: $stype:ty,)*
    })+) => {
        $(
            #[derive(JsonSchema)]
            #[schemars(deny_unknown_fields)]
            $(#[$meta])*
            #[allow(dead_code, reason = "its schema alone counts")]
            pub(super) struct $name {
                $($(#[$ameta])* $always: $atype,)+
                $($(#[$smeta])* #[schemars(skip_serializing_if = "Option::is_none")] $sometimes: $stype,)*
            }

            // A field that the engine adds, drops or renames stops this from compiling.
            const _: fn($engine) = |fields| {
                let $engine { $($always: _,)+ $($sometimes: _,)* } = fields;
            };
        )+
    };
}

mirrors! {
    /// The one account of how a decision came about. Each field stands there exactly when it applies.
    /// No args and no content stand here, only their digests.
    #[schemars(
        title = "gatefold/record/v1",
        transform = minted::record
    )]
    Record of gate::RecordFields {
        /// The name of this format.
        #[schemars(extend("const" = RECORD_SCHEMA))]
        schema: String,
        /// The call that was decided.
        call: RecordCall,
        /// The caller's permission mode.
        mode: Word<Mode>,
        /// What was decided: the call may run, waits for an answer, or does not run.
        verdict: Word<Verdict>,
        /// What the decision rests on.
        digests: RecordDigests,
    } sometimes {
        /// Who refused; on a deny.
        denied_by: Word<DeniedBy>,
        /// Who let it through; on an allow.
        allowed_by: Word<AllowedBy>,
        /// Who objected, whether or not somebody cleared it.
        asked: RecordAsked,
        /// The ask that was settled.
        settled: RecordSettled,
        /// The rule behind the verdict.
        basis: Basis,
        /// The permission mode let the standing ask through; beside `allowed_by` `mode`.
        released: ModeRelease,
        /// The permission mode refused the standing ask; beside `denied_by` `mode`.
        refused: ModeRefusal,
        /// The classifier round of this pass.
        classifier: ClassifierRound,
        /// The classifier round that an ancestor ran for this call.
        inherited_classifier: ClassifierRound,
        /// Why the refusing classifier round did not rule.
        cause: Word<ClassifierCause>,
        /// The digest of the policy in force, as the host gave it.
        policy: Digest,
        /// The ticket of the last park, by its id.
        ticket: Digest,
        /// The host that the decision was made for, if it could not express all of it.
        host: RecordHost,
    }

    /// The call that was decided.
    RecordCall of gate::RecordCall {
        /// Its id, 1 to 1024 bytes.
        #[schemars(length(min = 1, max = NAME_BYTES_MAX))]
        id: String,
        /// The tool as the model named it, 1 to 1024 bytes.
        #[schemars(length(min = 1, max = NAME_BYTES_MAX))]
        tool: String,
    } sometimes {}

    /// Who objected to the call.
    #[schemars(transform = asked::asked)]
    RecordAsked of gate::RecordAsked {
        /// Everyone who did, in order.
        #[schemars(length(min = 1))]
        askers: Vec<RecordAsker>,
    } sometimes {
        /// Who the ask is owed to: the first in precedence among the askers' origins. None, if the
        /// classifier alone objected.
        origin: Word<AskOrigin>,
    }

    /// One of those who objected.
    RecordAsker of gate::RecordAsker {
        /// What was objected.
        cause: Word<Objection>,
        /// The station at which it was.
        station: Word<Station>,
        /// The edit round in which it was; 0 is the model's own call.
        round: u8,
    } sometimes {
        /// The rule behind it.
        basis: Basis,
        /// The part of the call that it is about, at most 4096 bytes.
        #[schemars(length(max = TEXT_BYTES_MAX))]
        part: String,
    }

    /// The ask that was settled.
    #[schemars(transform = asked::settled)]
    RecordSettled of gate::RecordSettled {
        /// How the ask ended.
        answer: Word<SettledAnswer>,
        /// Who settled it. The engine settles what stayed unanswered, and never says yes or no.
        by: Word<SettledBy>,
        /// The edit round in which it was settled; 0 is the model's own call.
        round: u8,
        /// The digest of the args that the answer was given for. On an allow these args run.
        #[schemars(rename = "for")]
        given_for: Digest,
        /// Who the settled ask was owed to.
        origin: Word<AskOrigin>,
    } sometimes {
        /// The yes came with edited args.
        edited: Set,
        /// Why it stayed unanswered.
        why: Word<Unanswered>,
        /// What is to be remembered with the yes.
        grant: Grant,
    }

    /// What a person asked to be remembered with their yes.
    Grant of gate::Grant {
        /// How far it reaches, in the host's words, at most 4096 bytes: `session`, `project`, `user`.
        #[schemars(length(max = TEXT_BYTES_MAX))]
        scope: String,
        /// The rule to store, at most 4096 bytes.
        #[schemars(length(max = TEXT_BYTES_MAX))]
        rule: String,
    } sometimes {}

    /// A rule, as its layer names it.
    Basis of gate::Basis {
        /// The layer, at most 4096 bytes: `org`, `policy`, `user`, `project`, …
        #[schemars(length(max = TEXT_BYTES_MAX))]
        layer: String,
        /// The list it stands in, at most 4096 bytes: `allow`, `ask`, `deny`.
        #[schemars(length(max = TEXT_BYTES_MAX))]
        list: String,
        /// Its place in the list, from 0.
        #[schemars(range(max = u32::MAX))]
        index: u32,
        /// The rule as written, at most 4096 bytes.
        #[schemars(length(max = TEXT_BYTES_MAX))]
        rule: String,
    } sometimes {
        /// The file it stands in, at most 4096 bytes.
        #[schemars(length(max = TEXT_BYTES_MAX))]
        file: String,
        /// The part of the call that it matched, at most 4096 bytes.
        #[schemars(length(max = TEXT_BYTES_MAX))]
        part: String,
    }

    /// A permission mode let the standing ask through.
    ModeRelease of gate::ModeRelease {
        /// The caller's mode.
        mode: Word<ReleasingMode>,
    } sometimes {
        /// The release went past a read that nobody could establish.
        past_read_deny: Set,
    }

    /// A permission mode refused the standing ask.
    ModeRefusal of gate::ModeRefusal {
        /// The mode, of the caller or an ancestor.
        mode: Word<RefusingMode>,
    } sometimes {
        /// The program whose options kept the writes from being placed, when that is the reason.
        unplaced_options: Word<CopyProgram>,
    }

    /// The two models of a classifier round.
    ClassifierRound of gate::ClassifierRound {
        /// The model that was asked, at most 1024 bytes.
        #[schemars(length(max = NAME_BYTES_MAX))]
        asked: String,
        /// The model that answered, at most 1024 bytes.
        #[schemars(length(max = NAME_BYTES_MAX))]
        answered: String,
    } sometimes {}

    /// The digests that the decision rests on.
    RecordDigests of gate::RecordDigests {
        /// Of the args as the model gave them.
        asked: Digest,
    } sometimes {
        /// Of the args that run; on an allow.
        runs: Digest,
        /// Of the content that was shown.
        shown: Digest,
        /// Of the outside facts, which can be checked again before the call runs.
        facts: Digest,
    }

    /// A host, and what it could not express of the decision.
    RecordHost of gate::RecordHost {
        /// Its name, at most 4096 bytes.
        #[schemars(length(max = TEXT_BYTES_MAX))]
        name: String,
        /// What its wire form cannot say, at most 4096 bytes.
        #[schemars(length(max = TEXT_BYTES_MAX))]
        lost: String,
    } sometimes {}
}

/// A SHA-256 digest.
pub(super) struct Digest;

impl JsonSchema for Digest {
    fn schema_name() -> Cow<'static, str> {
        "Digest".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A SHA-256 digest: `sha256:` and 64 lower-case hexadecimal digits.",
            "type": "string",
            "pattern": "^sha256:[0-9a-f]{64}$",
        })
    }
}

/// A flag, which is set or absent.
struct Set;

impl JsonSchema for Set {
    fn schema_name() -> Cow<'static, str> {
        "Set".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "boolean", "const": true })
    }
}
