//! The shape of a table file, as it is read and as its JSON Schema tells it.
//!
//! The meaning of each field stands in the crate's own documentation; here it is said once more in
//! a line, because these lines are what a reader of the schemas sees.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// What kind of table a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Conditions over finite facts, and what follows.
    Decisions,
    /// State and input, to state and outputs.
    Transitions,
    /// Every seat in every way of not answering, and what then holds.
    Seats,
    /// Statements that hold of every pass.
    Invariants,
    /// Typed errors and their codes.
    Errors,
    /// What input can grow, and how far.
    Limits,
    /// Which station reads and writes which cell.
    Cells,
    /// Closed vocabularies.
    Words,
    /// Mistakes that drafts of the design made.
    Traps,
    /// Wrong engines, and the rows that must turn red for each.
    Faults,
}

/// How many rows a point of a decisions table hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HitPolicy {
    /// Exactly one.
    Unique,
    /// Any number; the first in the file counts, and no row is unreachable.
    First,
}

/// Only the kind and the name, read first to know what the rest must look like.
#[derive(Debug, Deserialize)]
pub(crate) struct Head {
    pub(crate) table: Spanned<String>,
    pub(crate) kind: Spanned<String>,
}

/// A `decisions`, `transitions` or `seats` file. A `transitions` file has `states`; the two inputs
/// of a `seats` file are `seat` and `state`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "A table of decisions, transitions or seats")]
pub(crate) struct DecisionsFile {
    /// The table's name: the file's own, without its ending.
    #[allow(dead_code, reason = "read in the head")]
    pub(crate) table: String,
    /// Which kind of table this is.
    #[allow(dead_code, reason = "read in the head")]
    pub(crate) kind: Kind,
    /// What the table decides, in a sentence.
    #[schemars(with = "String")]
    pub(crate) does: Spanned<String>,
    /// How many rows a point hits. A `transitions` or `seats` table is `unique` and does not say.
    #[serde(default)]
    pub(crate) hit: Option<HitPolicy>,
    /// The states of a `transitions` table; the first input and the first output.
    #[serde(default)]
    pub(crate) states: Option<States>,
    /// The facts the decision rests on, each with its finite list of values.
    pub(crate) input: Vec<AxisFile>,
    /// What the decision consists of.
    #[serde(default)]
    pub(crate) output: Vec<AxisFile>,
    /// Points that cannot occur.
    #[serde(default)]
    pub(crate) impossible: Vec<ImpossibleFile>,
    /// The rows, in order.
    pub(crate) row: Vec<RowFile>,
}

/// The states of a machine.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct States {
    /// Every state.
    #[schemars(with = "Vec<String>")]
    pub(crate) values: Vec<Spanned<String>>,
    /// The one it begins in.
    #[schemars(with = "String")]
    pub(crate) start: Spanned<String>,
}

/// One input or output: its name and its values. The values of an engine vocabulary come first, but
/// for those left out, then the ones that are given.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AxisFile {
    /// Its name in `given` or `want`.
    #[schemars(with = "String")]
    pub(crate) name: Spanned<String>,
    /// What it is, in a sentence.
    #[schemars(with = "String")]
    pub(crate) is: Spanned<String>,
    /// An engine vocabulary whose words are its values.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(crate) words: Option<Spanned<String>>,
    /// Words of that vocabulary which it does not take.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(crate) without: Vec<Spanned<String>>,
    /// Values beside those words, or all there are.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(crate) values: Vec<Spanned<String>>,
}

/// What one input must be: this value, any of these, or none of these.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Condition {
    /// Exactly this value.
    Is(String),
    /// Any of these values.
    AnyOf(Vec<String>),
    /// Any value but these.
    NoneOf(NoneOf),
}

/// Any value but these.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoneOf {
    /// The values that are left out.
    pub(crate) not: Vec<String>,
}

pub(crate) type Given = BTreeMap<Spanned<String>, Spanned<Condition>>;

/// Points that cannot occur, and why.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImpossibleFile {
    /// Permanent, never reused.
    #[schemars(with = "String")]
    pub(crate) id: Spanned<String>,
    /// The conditions of the points; an input left out may be anything.
    #[schemars(with = "BTreeMap<String, Condition>")]
    pub(crate) given: Given,
    /// Why they cannot occur.
    #[schemars(with = "String")]
    pub(crate) why: Spanned<String>,
    /// Where that comes from.
    #[schemars(with = "Vec<String>")]
    pub(crate) source: Vec<Spanned<String>>,
}

/// One row of a decisions, transitions or seats table.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RowFile {
    /// Permanent, never reused: `MINT-007`.
    #[schemars(with = "String")]
    pub(crate) id: Spanned<String>,
    /// What the row says, in a sentence.
    #[schemars(with = "String")]
    pub(crate) does: Spanned<String>,
    /// The conditions; an input left out may be anything.
    #[schemars(with = "BTreeMap<String, Condition>")]
    pub(crate) given: Given,
    /// One value for every output.
    #[schemars(with = "BTreeMap<String, String>")]
    pub(crate) want: BTreeMap<Spanned<String>, Spanned<String>>,
    /// Why it is so.
    #[schemars(with = "String")]
    pub(crate) why: Spanned<String>,
    /// Where it comes from.
    #[schemars(with = "Vec<String>")]
    pub(crate) source: Vec<Spanned<String>>,
}

/// A file of rows without conditions.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "A table that is a list")]
pub(crate) struct ListFile<R> {
    /// The table's name: the file's own, without its ending.
    #[allow(dead_code, reason = "read in the head")]
    pub(crate) table: String,
    /// Which kind of table this is.
    #[allow(dead_code, reason = "read in the head")]
    pub(crate) kind: Kind,
    /// What the table holds, in a sentence.
    #[schemars(with = "String")]
    pub(crate) does: Spanned<String>,
    /// The rows, in order.
    pub(crate) row: Vec<R>,
}

/// The statements that rows come from. Only the ids are read here.
#[derive(Debug, Deserialize)]
pub(crate) struct SourcesFile {
    #[serde(default)]
    pub(crate) statement: Vec<StatementFile>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct StatementFile {
    pub(crate) id: Spanned<String>,
}

/// What a checker of an invariant looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// One finished pass: its result, record, notices and trace.
    Pass,
    /// Two or more passes that differ in one thing.
    Passes,
    /// The facts handed to the mint, and the outcome.
    Mint,
    /// The ledger alone.
    Ledger,
    /// The public types: what cannot be written down.
    Types,
}

/// Which parts of a list row are sentences and links, so that one check serves every kind.
pub(crate) trait ListRow {
    fn id(&self) -> &Spanned<String>;
    fn sentences(&self) -> [&Spanned<String>; 2];
    fn source(&self) -> &[Spanned<String>];
    /// Ids of other rows that the row names beside its sources.
    fn named(&self) -> Vec<&Spanned<String>> {
        Vec::new()
    }
    /// Words of the row, each with its vocabulary.
    fn words(&self) -> Vec<(&'static str, &Spanned<String>)>;
}

/// Declares a row of a list table: the fields that all rows have, and its own.
macro_rules! list_row {
    ($(#[$meta:meta])* $name:ident {
        $($(#[$fmeta:meta])* $field:ident: $type:ty,)*
    } words { $($list:literal => $get:expr),* $(,)? } $(ids { $($ids:ident),* })?) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// Permanent, never reused.
            #[schemars(with = "String")]
            pub id: Spanned<String>,
            /// What the row says, in a sentence.
            #[schemars(with = "String")]
            pub does: Spanned<String>,
            $($(#[$fmeta])* pub $field: $type,)*
            /// Why it is so.
            #[schemars(with = "String")]
            pub why: Spanned<String>,
            /// Where it comes from.
            #[schemars(with = "Vec<String>")]
            pub source: Vec<Spanned<String>>,
        }

        impl ListRow for $name {
            fn id(&self) -> &Spanned<String> {
                &self.id
            }

            fn sentences(&self) -> [&Spanned<String>; 2] {
                [&self.does, &self.why]
            }

            fn source(&self) -> &[Spanned<String>] {
                &self.source
            }

            $(fn named(&self) -> Vec<&Spanned<String>> {
                let ids = [$(&self.$ids),*];
                ids.into_iter().flatten().collect()
            })?

            fn words(&self) -> Vec<(&'static str, &Spanned<String>)> {
                #[allow(unused_mut, reason = "not every kind of row has words")]
                let mut words = Vec::new();
                $({
                    let get: for<'a> fn(&'a Self) -> &'a [Spanned<String>] = $get;
                    words.extend(get(self).iter().map(|word| ($list, word)));
                })*
                words
            }
        }
    };
}

list_row! {
    /// An invariant: `does` is the statement.
    Invariant {
        /// What its checker looks at.
        over: Scope,
        /// It is something that must be seen to occur, not something that always holds.
        #[serde(default)]
        sometimes: bool,
    } words {}
}

list_row! {
    /// A typed error: `does` says when it arises.
    ErrorRow {
        /// The engine's type: `InputError`.
        kind: String,
        /// Its stable code.
        code: String,
        /// What whoever gets it does next.
        then: String,
    } words {}
}

list_row! {
    /// A limit: `does` says what happens past it.
    Limit {
        /// The constant's name: `ARGS_BYTES_MAX`.
        name: String,
        /// Its value.
        value: u64,
        /// What is counted.
        unit: String,
        /// The code of the refusal, or `clipped`, `malformed`, `dropped`, `default`.
        past: String,
    } words {}
}

list_row! {
    /// A cell: `does` says what it holds.
    CellRow {
        /// The cell.
        #[schemars(with = "String")]
        cell: Spanned<String>,
        /// The stations that write it.
        #[schemars(with = "Vec<String>")]
        writes: Vec<Spanned<String>>,
        /// The stations that read it.
        #[schemars(with = "Vec<String>")]
        reads: Vec<Spanned<String>>,
        /// An edit empties it.
        emptied: bool,
    } words {
        "cell" => |row| std::slice::from_ref(&row.cell),
        "station" => |row| &row.writes,
        "station" => |row| &row.reads,
    }
}

list_row! {
    /// A closed vocabulary: `does` says what its words name.
    Vocabulary {
        /// The vocabulary.
        vocabulary: String,
        /// Every word, in order.
        words: Vec<String>,
        /// Words that have something in common, by what that is.
        #[serde(default)]
        classes: BTreeMap<String, Vec<String>>,
    } words {}
}

list_row! {
    /// A trap: `does` says what a draft of the design let happen.
    Trap {
    } words {}
}

list_row! {
    /// A seeded fault: `does` says what the wrong engine does, `why` which promise that breaks.
    SeededFault {
        /// The fault's word in the engine: `veto_loses_yes`.
        fault: String,
        /// The rows and invariants that must turn red while it is seeded.
        #[schemars(with = "Vec<String>")]
        caught_by: Vec<Spanned<String>>,
        /// The traps that it falls into.
        #[serde(default)]
        #[schemars(with = "Vec<String>")]
        traps: Vec<Spanned<String>>,
    } words {} ids { caught_by, traps }
}

/// The JSON Schema of every kind of table file, by file name; pretty-printed, with a last newline.
pub fn schemas() -> Vec<(&'static str, String)> {
    fn written<T: JsonSchema>() -> String {
        let schema = schemars::schema_for!(T);
        let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
        text.push('\n');
        text
    }
    vec![
        ("cells.json", written::<ListFile<CellRow>>()),
        ("decisions.json", written::<DecisionsFile>()),
        ("errors.json", written::<ListFile<ErrorRow>>()),
        ("faults.json", written::<ListFile<SeededFault>>()),
        ("invariants.json", written::<ListFile<Invariant>>()),
        ("limits.json", written::<ListFile<Limit>>()),
        ("traps.json", written::<ListFile<Trap>>()),
        ("words.json", written::<ListFile<Vocabulary>>()),
    ]
}
