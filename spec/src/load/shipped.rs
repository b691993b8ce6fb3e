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
    "gate/bars.toml"
    "gate/causes.toml"
    "gate/ledger.toml"
    "gate/mint.toml"
}
