//! The gate's specification, executable.
//!
//! Every rule stands as a row in a table under `spec/tables/`. This crate loads the tables,
//! evaluates them, and holds the engine to them: engine and interpreter are two implementations,
//! and no table is printed from the engine.
//!
//! # The format of a table
//!
//! One folder a machine (`gate/`), one TOML file a table. Strict: an unknown field, an unknown
//! word, an id that stands twice, a link that leads nowhere and an empty sentence are all refused,
//! with file and line ([`LoadError`]). Every file begins
//!
//! ```toml
//! table = "bars"          # the file's own name, without its ending
//! kind = "decisions"      # decisions, transitions, seats, or a kind of list (below)
//! does = "Says which automatic answerers an ask of each bar class is closed to."
//! ```
//!
//! and goes on with rows. Every row of every kind has
//!
//! | field | is |
//! |---|---|
//! | `id` | permanent and never reused, unique across all tables: `MINT-007` |
//! | `does` | what the row says, in a sentence |
//! | `why` | why it is so, in a sentence |
//! | `source` | where it comes from: statements of `sources.toml` (`G040`), sections of the design (`gate §9`), or other rows (`BAR-003`) |
//!
//! ## `decisions`
//!
//! A function of finite facts. It says how many rows a point may hit (`hit = "unique"`: exactly
//! one; `hit = "first"`: any number, the first in the file counts), declares its inputs and outputs,
//! and gives rows:
//!
//! ```toml
//! hit = "first"
//!
//! [[input]]
//! name = "denied_by"
//! is = "who refused"
//! words = "denied_by"             # the words of this engine vocabulary …
//! without = ["edit_cap"]          # … but for these …
//! values = ["none"]               # … and then these; or only `values`, and no vocabulary
//!
//! [[output]]
//! name = "defect"
//! is = "the first defect of the screen"
//! words = "defect_code"
//! values = ["accepted"]
//!
//! [[row]]
//! id = "MINT-004"
//! does = "A deny names its refuser."
//! given = { verdict = "deny", denied_by = "none" }
//! want = { defect = "refusal_without_refuser" }
//! why = "A refusal that nobody stands for cannot be audited."
//! source = ["G016", "G029", "gate §11"]
//! ```
//!
//! A condition is a value, a list (any of these), or `{ not = [...] }` (none of these). An input
//! that `given` leaves out may be anything; `given = {}` admits every point. `want` has a value for
//! every output. A condition that nothing or everything meets is refused as a mistake.
//!
//! Points that cannot occur are taken out of the domain, each with its reason:
//!
//! ```toml
//! [[impossible]]
//! id = "HOOK-901"
//! given = { guards = "none", deny = "yes" }
//! why = "Only a guard can deny."
//! source = ["gate §3"]
//! ```
//!
//! ## `transitions`
//!
//! A decisions table whose first input and first output are the state. Every cell of state and
//! input has a row: a refusal is a value of an output, never a missing row.
//!
//! ```toml
//! states = { values = ["none", "yes", "no", "unanswered"], start = "none" }
//! ```
//!
//! ## `seats`
//!
//! A decisions table, always `unique`, whose two inputs are `seat` and `state`: the way in which the
//! seat did not answer (`unwired`, `threw`, `timed_out`, `aborted`).
//!
//! ## Lists
//!
//! | kind | a row has besides |
//! |---|---|
//! | `invariants` | `over`: what its checker looks at (`pass`, `passes`, `mint`, `ledger`, `types`); `sometimes = true` for what must be seen to occur |
//! | `errors` | `kind`: the engine's type; `code`; `then`: what to do next |
//! | `limits` | `name`, `value`, `unit`, `past`: the code of the refusal |
//! | `cells` | `cell`, `writes`, `reads`: stations; `emptied`: by an edit |
//! | `words` | `vocabulary`, `words` in order, `classes` |
//! | `traps` | nothing more: `does` is what a draft of the design let happen |
//! | `faults` | `fault`: the engine's word; `caught_by`: ids of rows that must turn red; `traps` |
//!
//! # What is checked
//!
//! [`check`] goes through the whole domain of a table: every point hits a row, no point hits two
//! that must not, every row is reached, every exclusion excludes something, every state is reached.
//! The tests of this crate compare every table with the engine at every point, and show with
//! [`flips`] that the comparison would notice if any one cell said something else.

#![forbid(unsafe_code)]

mod check;
mod error;
mod flip;
mod format;
mod grid;
mod load;
#[cfg(feature = "testkit")]
pub mod testkit;
pub mod words;

pub use check::{Coverage, Flaw, check, coverage};
pub use error::{LoadError, Place};
pub use flip::{Flip, flips};
pub use format::{
    CellRow, ErrorRow, HitPolicy, Invariant, Kind, Limit, Scope, SeededFault, Trap, Vocabulary,
    schemas,
};
pub use grid::{Axis, Decision, Grid, Impossible, Mask, Row};
pub use load::Tables;
