//! `spec/COVERAGE.md`: which rows and tests each statement of the sources has, or why it has none.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a test says what went wrong by failing"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use gatefold_spec::{Tables, coverage};
use serde::Deserialize;

/// Set to write the file instead of comparing it.
const UPDATE: &str = "GATEFOLD_UPDATE_COVERAGE";

#[derive(Deserialize)]
struct Sources {
    statement: Vec<Statement>,
}

#[derive(Deserialize)]
struct Statement {
    id: String,
    says: String,
    observable: bool,
    settled: Option<String>,
    not_applicable: Option<String>,
}

/// Ids of statements, each with who names it.
type Named = BTreeMap<String, BTreeSet<String>>;

#[test]
fn the_coverage_is_up_to_date() {
    let path = root().join("COVERAGE.md");
    let text = report();
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&path, &text).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == text,
        "COVERAGE.md is not up to date; run once with {UPDATE}=1"
    );
}

#[test]
fn no_statement_is_without_a_row_or_a_reason() {
    let (rows, tests) = (rows(), tests());
    let bare = statements().into_iter().filter(|statement| {
        let id = &statement.id;
        let has = rows.contains_key(id) || tests.contains_key(id);
        !has && statement.not_applicable.is_none() && statement.observable
    });
    let bare: Vec<_> = bare.map(|statement| statement.id).collect();
    assert_eq!(bare, [""; 0], "observable, with no row, test or reason");
}

#[test]
fn a_statement_that_is_not_observable_says_how_it_is_settled() {
    for statement in statements() {
        let told = statement.settled.is_some() || statement.not_applicable.is_some();
        assert!(told, "{} is settled by nothing", statement.id);
    }
}

#[test]
fn a_range_of_sources_names_all_between() {
    assert_eq!(
        cited("Source: G108–G110, gate §9."),
        ["G108", "G109", "G110"]
    );
    assert_eq!(cited("Source: G001. See G002."), ["G001"]);
    assert_eq!(cited("No source, but G003."), [""; 0]);
}

fn report() -> String {
    let tables = Tables::shipped().unwrap();
    let hits = hits(&tables);
    let (rows, tests) = (rows(), tests());
    let statements = statements();
    let not_applicable = statements.iter().filter(|of| of.not_applicable.is_some());
    let not_applicable = not_applicable.count();
    let with_row = statements.iter().filter(|of| rows.contains_key(&of.id));
    let mut text = format!(
        "# What covers what\n\n\
         Generated from the tables and from the tests of the engine; a test holds it up to date, and\n\
         `{UPDATE}=1 cargo test -p gatefold-spec --test coverage` writes it anew.\n\n\
         {} statements: {} with a row, {not_applicable} not applicable; {} rows in {} tables that decide,\n\
         over {} points. Behind a row of such a table stands the number of points that come to it.\n\n\
         ## Statements\n\n\
         | statement | rows | tests of the engine |\n|---|---|---|\n",
        statements.len(),
        with_row.count(),
        hits.len(),
        tables.grids().len(),
        hits.values().sum::<usize>(),
    );
    for statement in &statements {
        let named = |of: &Named, show: &dyn Fn(&String) -> String| {
            let names = of.get(&statement.id).into_iter().flatten();
            names.map(show).collect::<Vec<_>>().join(", ")
        };
        let rows = named(&rows, &|row| match hits.get(row) {
            Some(points) => format!("{row} ({points})"),
            None => row.clone(),
        });
        let tests = named(&tests, &|test| format!("`{test}`"));
        let says = statement.says.replace('|', "\\|");
        let rows = match (&statement.not_applicable, rows.is_empty()) {
            (Some(reason), _) => format!("not applicable: {reason}"),
            (None, true) if !statement.observable => {
                let settled = statement.settled.as_deref().unwrap_or_default();
                format!("not observable: {settled}")
            }
            _ => rows,
        };
        let rows = rows.replace('|', "\\|");
        writeln!(text, "| **{}** {says} | {rows} | {tests} |", statement.id).unwrap();
    }
    text.push_str(&faults(&tables));
    text
}

/// Rows and invariants, each with the seeded faults that turn it red.
fn faults(tables: &Tables) -> String {
    let mut caught: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in tables.faults("gate") {
        for id in &row.caught_by {
            caught.entry(id.get_ref()).or_default().push(&row.fault);
        }
    }
    let mut text = String::from(
        "\n## Rows and invariants, and the wrong engines that they catch\n\n\
         | row | seeded faults |\n|---|---|\n",
    );
    for (id, faults) in caught {
        let faults: Vec<_> = faults.iter().map(|fault| format!("`{fault}`")).collect();
        writeln!(text, "| {id} | {} |", faults.join(", ")).unwrap();
    }
    text
}

/// How many points come to each row of each table that decides.
fn hits(tables: &Tables) -> BTreeMap<String, usize> {
    let mut hits = BTreeMap::new();
    for grid in tables.grids() {
        let covered = coverage(grid).unwrap();
        let rows = grid.rows().iter().map(|row| row.id.clone());
        hits.extend(rows.zip(covered.hits));
    }
    hits
}

fn statements() -> Vec<Statement> {
    let text = fs::read_to_string(root().join("tables/sources.toml")).unwrap();
    toml::from_str::<Sources>(&text).unwrap().statement
}

/// Statements, each with the rows that cite it.
fn rows() -> Named {
    let mut named = Named::new();
    for path in files(&root().join("tables/gate"), "toml") {
        let text = fs::read_to_string(&path).unwrap();
        let table: toml::Table = toml::from_str(&text).unwrap();
        for list in ["impossible", "row"] {
            let rows = table.get(list).and_then(toml::Value::as_array);
            for row in rows.into_iter().flatten() {
                let id = row["id"].as_str().unwrap();
                for source in row["source"].as_array().unwrap() {
                    let source = source.as_str().unwrap().to_owned();
                    named.entry(source).or_default().insert(id.to_owned());
                }
            }
        }
    }
    named
}

/// Statements, each with the tests of the engine that name it: a file, or a test of a file.
fn tests() -> Named {
    let folder = root().join("../engine/tests");
    let mut named = Named::new();
    for path in files(&folder, "rs") {
        let file = path.strip_prefix(&folder).unwrap().to_string_lossy();
        let text = fs::read_to_string(&path).unwrap();
        let (mut of_file, mut of_test) = (String::new(), String::new());
        for line in text.lines().map(str::trim_start) {
            if let Some(said) = line.strip_prefix("//!") {
                of_file.push_str(said);
            } else if let Some(said) = line.strip_prefix("///") {
                of_test.push_str(said);
            } else if let Some(rest) = line.strip_prefix("fn ") {
                let name = rest.split_once('(').map_or(rest, |(name, _)| name);
                for id in cited(&of_test) {
                    let whole = format!("{file}: {name}");
                    named.entry(id).or_default().insert(whole);
                }
                of_test.clear();
            } else if !line.starts_with('#') {
                of_test.clear();
            }
        }
        for id in cited(&of_file) {
            named.entry(id).or_default().insert(file.clone().into());
        }
    }
    named
}

/// The statements that a comment names as its source, ranges with all between.
fn cited(comment: &str) -> Vec<String> {
    let mut ids = Vec::new();
    for list in comment.split("Source:").skip(1) {
        let list = list.split_once('.').map_or(list, |(list, _)| list);
        for part in list.split([',', ';']) {
            let mut ends = part.trim().split('–').map(number);
            let Some(Some(from)) = ends.next() else {
                continue;
            };
            let upto = ends.next().flatten().unwrap_or(from);
            ids.extend((from..=upto).map(|number| format!("G{number:03}")));
        }
    }
    ids
}

fn number(id: &str) -> Option<u32> {
    id.trim().strip_prefix('G')?.parse().ok()
}

/// The files below a folder that end so, in the order of the alphabet.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path, ending));
        } else if path.extension().is_some_and(|found| found == ending) {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
