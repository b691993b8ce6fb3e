//! The tables that the crate ships; a test holds this list against the folder.

pub(super) const SOURCES: &str = include_str!("../../tables/sources.toml");

macro_rules! tables {
    ($($file:literal)+) => {
        /// Every table, by its path below the folder of tables.
        pub(super) const TABLES: &[(&str, &str)] =
            &[$(($file, include_str!(concat!("../../tables/", $file)))),+];
    };
}

tables! {
    "gate/abort.toml"
    "gate/allow_layer.toml"
    "gate/allowers.toml"
    "gate/arbitration.toml"
    "gate/attested.toml"
    "gate/bars.toml"
    "gate/causes.toml"
    "gate/cells.toml"
    "gate/chained.toml"
    "gate/classify.toml"
    "gate/edit_begin.toml"
    "gate/edit_close.toml"
    "gate/edit_round.toml"
    "gate/errors.toml"
    "gate/exits.toml"
    "gate/faults.toml"
    "gate/forms.toml"
    "gate/hooks.toml"
    "gate/inherited.toml"
    "gate/invariants.toml"
    "gate/judgements.toml"
    "gate/layers.toml"
    "gate/ledger.toml"
    "gate/limits.toml"
    "gate/locks.toml"
    "gate/looked_up.toml"
    "gate/mint.toml"
    "gate/mode_cards.toml"
    "gate/notices.toml"
    "gate/offer.toml"
    "gate/origin.toml"
    "gate/park.toml"
    "gate/park_site.toml"
    "gate/present.toml"
    "gate/refusers.toml"
    "gate/resolve.toml"
    "gate/resumed_book.toml"
    "gate/resumed_seats.toml"
    "gate/rewrite.toml"
    "gate/sandbox.toml"
    "gate/seats.toml"
    "gate/settlement.toml"
    "gate/shell_read.toml"
    "gate/stale.toml"
    "gate/stations.toml"
    "gate/ties.toml"
    "gate/traps.toml"
    "gate/unstated.toml"
    "gate/words.toml"
    "gate/write_protection.toml"
}
