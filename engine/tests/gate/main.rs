//! The tables of the tool gate, row by row: one sentence a test.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub,
    reason = "a test says what went wrong by failing"
)]

mod answers;
mod case;
mod prior;
mod tell;

mod allow_layer;
mod arbitration;
mod attestation_book;
mod attestations;
mod causes;
mod context;
mod edit;
mod edit_cells;
mod entry;
mod exits;
mod hooks;
mod hooks_again;
mod judgements;
mod lanes;
mod ledger;
mod limits;
mod lineage;
mod mint;
mod misuse;
mod park;
mod receipts;
mod record;
mod record_cases;
mod resolve;
mod resume;
mod sealed;
mod seats;
mod stations;
mod text_cases;
mod texts;
mod tightens;
mod traps;
mod wire;
