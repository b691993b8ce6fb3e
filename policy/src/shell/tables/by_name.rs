//! Rows found by their names, in whatever order a table has them.

/// Where the rows of a table are: by their names, the shortest first, and then as they stand.
#[derive(Debug)]
pub(super) struct ByName<const ROWS: usize> {
    places: [(&'static str, usize); ROWS],
}

impl<const ROWS: usize> ByName<ROWS> {
    /// Of these names, each that of the row at its place. It is the compiler that sorts them.
    #[allow(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "it makes constants, where a fault is one of the build"
    )]
    pub(super) const fn of(names: [&'static str; ROWS]) -> Self {
        let mut places = [("", 0); ROWS];
        let mut at = 0;
        while at < ROWS {
            let mut to = at;
            while to > 0 && is_before(names[at], places[to - 1].0) {
                places[to] = places[to - 1];
                to -= 1;
            }
            places[to] = (names[at], at);
            at += 1;
        }
        Self { places }
    }

    /// The places of all rows of this name, in the order of the table.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = usize> {
        let key = |of: &'static str| (of.len(), of);
        let from = self
            .places
            .partition_point(|(of, _)| key(of) < (name.len(), name));
        let rows = self.places.get(from..).unwrap_or_default().iter();
        let rows = rows.take_while(move |(of, _)| *of == name);
        rows.map(|(_, at)| *at)
    }

    /// The first row of this name.
    pub(super) fn find<T>(&self, rows: &'static [T], name: &str) -> Option<&'static T> {
        rows.get(self.all(name).next()?)
    }

    /// Whether there is a row of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }
}

/// Whether a name comes before another: it is shorter, or as long and earlier by its bytes.
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "it makes constants, where a fault is one of the build"
)]
const fn is_before(name: &str, other: &str) -> bool {
    let (name, other) = (name.as_bytes(), other.as_bytes());
    if name.len() != other.len() {
        return name.len() < other.len();
    }
    let mut at = 0;
    while at < name.len() {
        if name[at] != other[at] {
            return name[at] < other[at];
        }
        at += 1;
    }
    false
}

/// The rows of a table by the name that each has.
macro_rules! by_name {
    ($rows:ident, $row:ident => $name:expr) => {{
        #[allow(
            clippy::indexing_slicing,
            clippy::arithmetic_side_effects,
            reason = "it is a constant, where a fault is one of the build"
        )]
        const NAMES: [&str; $rows.len()] = {
            let mut names = [""; $rows.len()];
            let mut at = 0;
            while at < names.len() {
                let $row = &$rows[at];
                names[at] = $name;
                at += 1;
            }
            names
        };
        $crate::shell::tables::by_name::ByName::of(NAMES)
    }};
}

pub(super) use by_name;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_name_in_the_order_of_the_table() {
        const ROWS: [(&str, u8); 7] = [
            ("tar", 0),
            ("rm", 1),
            ("git", 2),
            ("", 3),
            ("git", 4),
            ("rmdir", 5),
            ("git", 6),
        ];
        static NAMES: ByName<{ ROWS.len() }> = by_name!(ROWS, row => row.0);
        for name in [
            "tar", "rm", "git", "", "rmdir", "r", "gi", "gitk", "zzzzzz", "é",
        ] {
            let want = ROWS.iter().enumerate().filter(|(_, (of, _))| *of == name);
            let want: Vec<_> = want.map(|(at, _)| at).collect();
            assert_eq!(NAMES.all(name).collect::<Vec<_>>(), want, "{name:?}");
            assert_eq!(NAMES.has(name), !want.is_empty(), "{name:?}");
        }
    }
}
