//! Where one path of a call may lead.

use smallvec::SmallVec;

use super::{Key, Names, is_pattern};
use crate::tools::Platform;

/// Where a path may lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// As it is typed.
    pub(crate) text: String,
    /// Every way to it, for who refuses it: typed and real.
    pub(crate) ways: Keys,
    /// Where it leads, if that is certain: real paths alone.
    pub(crate) leads: Option<Keys>,
    /// Why it may lead elsewhere.
    pub(crate) doubt: Option<&'static str>,
    /// Whether it leads out of the roots.
    pub(crate) outside: bool,
    /// It is a device that holds nothing.
    pub(crate) device: bool,
    /// Links elsewhere that lead below it.
    pub(crate) below: Vec<Key>,
    /// The paths whose real paths would tell more, absolute.
    pub(crate) lookups: SmallVec<[Names; 1]>,
}

/// Ways to one place: most often there is one alone.
pub(crate) type Keys = SmallVec<[Key; 1]>;

impl Place {
    /// Takes in a path that may be looked up, to the first name that is a pattern.
    pub(super) fn look_up(&mut self, mut path: Names) {
        let known = path.iter().take_while(|name| !is_pattern(name)).count();
        path.truncate(known);
        self.lookups.push(path);
    }

    /// The pattern of exactly the path that it leads to, if that is one alone.
    pub(crate) fn pattern(&self, platform: Platform) -> Option<String> {
        let [key] = self.leads.as_deref()? else {
            return None;
        };
        let is_sign = |char: char| "*?[]{}\\!".contains(char);
        let is_plain =
            platform != Platform::Windows || !key.names().any(|name| name.contains(is_sign));
        let mut pattern = String::from("/");
        for name in key.names() {
            pattern.push('/');
            for char in name.chars() {
                if is_sign(char) {
                    pattern.push('\\');
                }
                pattern.push(char);
            }
        }
        (is_plain && !key.folded && !key.names.is_empty()).then_some(pattern)
    }
}
