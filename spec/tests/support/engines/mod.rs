//! For every table, the engine at a point of it.

mod causes;
mod ledger;
mod mint;

use super::{At, Says};

/// The engine at a point of one table.
pub type Engine = fn(&At<'_>) -> Says;

/// Every decisions, transitions and seats table, with the number of points that can occur.
pub const ENGINES: &[(&str, usize, Engine)] = &[
    ("gate/bars", 42, causes::bars),
    ("gate/causes", 19, causes::causes),
    ("gate/ledger", 64, ledger::ledger),
    ("gate/mint", 50_400, mint::mint),
];
