//! For every table, the engine at a point of it.

pub mod attestations;
pub mod causes;
pub mod deciders;
pub mod endings;
pub mod fold;
pub mod hooks;
pub mod judgements;
pub mod lanes;
pub mod later;
pub mod ledger;
pub mod mint;
pub mod seats;

use super::{At, Says};

/// The engine at a point of one table.
pub type Engine = fn(&At<'_>) -> Says;

/// Rows that the engine does not keep to yet, each with what it does. The comparing test fails if a
/// row differs that is not listed here, and also if one that is listed no longer differs.
pub const DEVIATIONS: &[(&str, &str)] = &[];

/// Every decisions, transitions and seats table, with the number of points that can occur.
pub const ENGINES: &[(&str, usize, Engine)] = &[
    ("gate/abort", 52, seats::abort),
    ("gate/allow_layer", 72, lanes::allow_layer),
    ("gate/allowers", 207, deciders::allowers),
    ("gate/arbitration", 3_840, lanes::arbitration),
    ("gate/attested", 24, attestations::attested),
    ("gate/bars", 42, causes::bars),
    ("gate/causes", 19, causes::causes),
    ("gate/chained", 15, later::chained),
    ("gate/classify", 4_320, lanes::classify),
    ("gate/edit_begin", 4, endings::edit_begin),
    ("gate/edit_close", 9, endings::edit_close),
    ("gate/edit_round", 17, endings::edit_round),
    ("gate/exits", 26, endings::exits),
    ("gate/forms", 12, judgements::forms),
    ("gate/hooks", 159, hooks::hooks),
    ("gate/inherited", 21, attestations::inherited),
    ("gate/judgements", 47, judgements::judgements_fold),
    ("gate/layers", 14, judgements::layers),
    ("gate/ledger", 64, ledger::ledger),
    ("gate/locks", 48, fold::locks),
    ("gate/looked_up", 4, attestations::looked_up),
    ("gate/mint", 50_400, mint::mint),
    ("gate/mode_cards", 36, lanes::mode_cards),
    ("gate/notices", 8, seats::notices),
    ("gate/offer", 10, lanes::offer),
    ("gate/origin", 2_048, fold::origin),
    ("gate/park", 24, endings::park),
    ("gate/park_site", 4, lanes::park_site),
    ("gate/present", 8, lanes::present),
    ("gate/refusers", 299, deciders::refusers),
    ("gate/resolve", 43, endings::resolve),
    ("gate/resumed_book", 8, later::resumed_book),
    ("gate/resumed_seats", 32, later::resumed_seats),
    ("gate/rewrite", 48, fold::rewrite),
    ("gate/sandbox", 108, lanes::sandbox),
    ("gate/seats", 56, seats::seats),
    ("gate/settlement", 216, fold::settlement),
    ("gate/shell_read", 7, fold::shell_read),
    ("gate/stale", 19, endings::stale),
    ("gate/stations", 23, seats::stations),
    ("gate/ties", 16, judgements::ties),
    ("gate/unstated", 12, fold::unstated),
    ("gate/write_protection", 50, fold::write_protection),
];
