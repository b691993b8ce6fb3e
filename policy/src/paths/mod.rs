//! Paths: how they are spelt, where they lead, and the patterns of rules over them.
//!
//! Nothing here looks at a disk. What only a disk knows comes in as [`FileFacts`]; without them a
//! path that refuses is compared as it is typed, and one that is to allow allows nothing.

mod facts;
mod folder;
mod glob;
mod key;
mod links;
mod matching;
mod pattern;
mod place;
mod protected;
mod realpaths;
mod spelling;
mod world;

pub use facts::FileFacts;
pub(crate) use folder::{Base, Folder};
pub(crate) use glob::ending;
pub(crate) use key::Key;
pub(crate) use matching::Found;
pub(crate) use pattern::{Anchor, Behind, PathFault, PathPattern};
pub(crate) use place::Place;
pub use protected::ProtectedPath;
pub(crate) use protected::{Protected, ProtectedPaths};
pub(crate) use world::World;

/// A path, in bytes (4 KiB): what systems take at most. A longer one leads nowhere that is known.
const PATH_BYTES_MAX: usize = 4 << 10;

/// What stands in a path for any characters of a name, where a shell puts the names of files in place
/// of a pattern. No text holds it, being no character; a name that holds it all the same is a
/// pattern, which no rule allows.
pub(crate) const ANY_NAME: char = '\u{10FFFF}';

/// Whether a name is a pattern of the shell. Most names are plain, which is seen at once.
fn is_pattern(name: &str) -> bool {
    !name.is_ascii() && name.contains(ANY_NAME)
}

/// One name of a path. Most are short, and are copied without an allocation.
pub(crate) type Name = smol_str::SmolStr;

/// The names of a path from its root down.
pub(crate) type Names = Vec<Name>;

/// What stands for a folder that is not known; no path holds a null character.
const UNKNOWN_CWD: &str = "\0cwd";
const UNKNOWN_HOME: &str = "\0home";

/// A name as no volume tells it apart from others: composed, and in one case. Full case folding, so
/// that what a volume may take for the same is the same here too.
fn fold(name: &str) -> Name {
    use unicode_normalization::UnicodeNormalization;

    if name.is_ascii() {
        return name.chars().map(|char| char.to_ascii_lowercase()).collect();
    }
    let composed: String = name.nfc().collect();
    let folded = unicase::UniCase::new(composed.as_str()).to_folded_case();
    folded.nfc().collect()
}

pub(crate) fn fold_all(names: &[Name]) -> Names {
    // Most names are in small letters, and a copy of them is the cheapest.
    let is_folded = |name: &Name| {
        let mut bytes = name.bytes();
        bytes.all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase())
    };
    let names = names.iter();
    names
        .map(|name| {
            if is_folded(name) {
                name.clone()
            } else {
                fold(name)
            }
        })
        .collect()
}
