//! The loader refuses every fault with its code, file and line; the shipped tables have none.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a test says what went wrong by failing"
)]

mod wrong;

use std::fs;
use std::path::{Path, PathBuf};

use gatefold_spec::{Flaw, Grid, LoadError, Tables, check};
use wrong::FAULTS;

/// A small table that is right; every fault is one change of it.
const TABLE: &str = r#"table = "doors"
kind = "decisions"
does = "Says whether a door opens."
hit = "first"

[[input]]
name = "key"
is = "the key that is held"
values = ["iron", "brass", "none"]

[[input]]
name = "mode"
is = "the mode of whoever holds it"
words = "mode"
without = ["auto"]

[[output]]
name = "opens"
is = "whether the door opens"
values = ["no", "yes"]

[[impossible]]
id = "DOOR-901"
given = { key = "none", mode = "bypass" }
why = "Nobody bypasses empty-handed."
source = ["DOOR-001"]

[[row]]
id = "DOOR-001"
does = "The brass key opens."
given = { key = "brass" }
want = { opens = "yes" }
why = "It was cut for this door."
source = ["D001", "gate §9"]

[[row]]
id = "DOOR-002"
does = "Nothing else opens."
given = {}
want = { opens = "no" }
why = "There is one key."
source = ["D001", "DOOR-001"]
"#;

const SOURCES: &str = "[[statement]]\nid = \"D001\"\nsays = \"One key opens one door.\"\n";

/// A folder of tables that goes when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("house")).unwrap();
        for (file, text) in files {
            fs::write(folder.join(file), text).unwrap();
        }
        Self(folder)
    }

    fn load(&self) -> Result<Tables, LoadError> {
        Tables::load(&self.0)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_small_table_that_is_right_is_loaded() {
    let folder = Folder::new(
        "right",
        &[("house/doors.toml", TABLE), ("sources.toml", SOURCES)],
    );
    let tables = folder.load().unwrap();
    assert_eq!(tables.ids(), ["DOOR-001", "DOOR-002", "DOOR-901"]);
    let doors = tables.grid("house/doors").unwrap();
    let covered = check(doors).unwrap();
    assert_eq!((covered.points, covered.hits), (14, vec![5, 9]));
    let decision = doors.look(&[("key", "brass"), ("mode", "plan")]);
    assert_eq!(
        (&*decision.row.id, decision.want("opens")),
        ("DOOR-001", "yes")
    );
}

#[test]
fn every_fault_is_refused_with_its_code_file_and_line() {
    let mut wrong = Vec::new();
    for (number, (fault, from, to, code, line)) in FAULTS.iter().enumerate() {
        assert_eq!(
            TABLE.matches(from).count(),
            1,
            "{fault}: `{from}` stands once"
        );
        let broken = TABLE.replace(from, to);
        let files = [("house/doors.toml", &*broken), ("sources.toml", SOURCES)];
        let folder = Folder::new(&format!("fault-{number}"), &files);
        let error = folder.load().expect_err(fault);
        let place = error.place().map(|at| (&*at.file, at.line));
        if (error.code(), place) != (code, Some(("house/doors.toml", *line))) {
            wrong.push(format!("{fault}: {} at {place:?}: {error}", error.code()));
        }
        let said = error.to_string();
        assert!(said.starts_with(&format!(
            "house/doors.toml:{}:",
            error.place().unwrap().line
        )));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn without_sources_a_statement_cannot_be_cited() {
    let folder = Folder::new("no-sources", &[("house/doors.toml", TABLE)]);
    let error = folder.load().unwrap_err();
    assert_eq!(
        (error.code(), error.place().unwrap().line),
        ("no_sources", 34)
    );

    let unlinked = TABLE.replace("\"D001\", ", "");
    let folder = Folder::new("no-links", &[("house/doors.toml", &unlinked)]);
    assert!(folder.load().is_ok(), "sections and rows need no sources");
}

#[test]
fn an_id_is_unique_across_all_tables_and_statements() {
    let other = TABLE.replace("doors", "gates").replace("DOOR-9", "GATE-9");
    let files = [
        ("house/doors.toml", TABLE),
        ("house/gates.toml", &*other),
        ("sources.toml", SOURCES),
    ];
    let error = Folder::new("two-tables", &files).load().unwrap_err();
    let LoadError::DuplicateId { at, id, first } = error else {
        panic!("{error}")
    };
    assert_eq!(
        (&*at.file, at.line, &*id),
        ("house/gates.toml", 28 + 1, "DOOR-001")
    );
    assert_eq!((&*first.file, first.line), ("house/doors.toml", 29));

    let twice = format!("{SOURCES}{SOURCES}");
    let files = [("house/doors.toml", TABLE), ("sources.toml", &*twice)];
    let error = Folder::new("two-statements", &files).load().unwrap_err();
    assert_eq!(
        (error.code(), error.place().unwrap().line),
        ("duplicate_id", 5)
    );
}

#[test]
fn a_folder_that_is_not_there_cannot_be_read() {
    let error = Tables::load(Path::new("no/such/folder")).unwrap_err();
    assert_eq!((error.code(), error.place()), ("io", None));
}

#[test]
fn words_of_list_rows_are_known_words() {
    let cells = "table = \"cells\"\nkind = \"cells\"\ndoes = \"Lists cells.\"\n\n[[row]]\n\
                 id = \"CELL-001\"\ncell = \"args\"\ndoes = \"What runs.\"\n\
                 writes = [\"hook\", \"attic\"]\nreads = []\nemptied = false\n\
                 why = \"It is so.\"\nsource = [\"gate §5\"]\n";
    let error = Folder::new("cells", &[("house/cells.toml", cells)])
        .load()
        .unwrap_err();
    assert_eq!(
        (error.code(), error.place().unwrap().line),
        ("unknown_word", 9)
    );
}

fn doors(name: &str, text: &str) -> Grid {
    let files = [("house/doors.toml", text), ("sources.toml", SOURCES)];
    let tables = Folder::new(name, &files).load().unwrap();
    tables.grids()[0].clone()
}

#[test]
fn a_gap_is_found_and_its_witness_shown() {
    let gap = TABLE.replace("given = {}", "given = { key = \"iron\" }");
    let flaw = check(&doors("gap", &gap)).unwrap_err();
    assert_eq!(
        flaw.to_string(),
        "house/doors: no row admits key = none, mode = default"
    );
    assert_eq!(flaw.code(), "gap");
}

#[test]
fn an_overlap_of_a_unique_table_is_found_and_its_witness_shown() {
    let overlap = TABLE.replace("\"first\"", "\"unique\"");
    let flaw = check(&doors("overlap", &overlap)).unwrap_err();
    let said = "house/doors: DOOR-001 and DOOR-002 both admit key = brass, mode = default";
    assert_eq!((flaw.code(), &*flaw.to_string()), ("overlap", said));
}

#[test]
fn a_row_that_an_earlier_one_hides_is_found() {
    let hidden = TABLE
        .replace("given = { key = \"brass\" }", "given = { }")
        .replace("given = {}", "given = { key = \"iron\" }");
    let flaw = check(&doors("hidden", &hidden)).unwrap_err();
    assert!(matches!(flaw, Flaw::Unreachable { row, .. } if row == "DOOR-002"));
}

#[test]
fn an_exclusion_that_excludes_nothing_of_its_own_is_found() {
    let twice = TABLE.replace(
        "[[row]]\nid = \"DOOR-001\"",
        "[[impossible]]\nid = \"DOOR-902\"\ngiven = { key = \"none\", mode = \"bypass\" }\n\
         why = \"As before.\"\nsource = [\"DOOR-901\"]\n\n[[row]]\nid = \"DOOR-001\"",
    );
    let flaw = check(&doors("idle", &twice)).unwrap_err();
    assert_eq!(flaw.code(), "idle_exclusion");
}

#[test]
fn a_state_that_is_never_reached_is_found() {
    let states = TABLE
        .replace("\"decisions\"", "\"transitions\"")
        .replace(
            "hit = \"first\"",
            "states = { values = [\"shut\", \"open\"], start = \"shut\" }",
        )
        .replace(
            "{ opens = \"yes\" }",
            "{ state = \"shut\", opens = \"yes\" }",
        )
        .replace("{ opens = \"no\" }", "{ state = \"shut\", opens = \"no\" }")
        .replace("given = {}", "given = { key = { not = [\"brass\"] } }");
    let flaw = check(&doors("states", &states)).unwrap_err();
    assert!(matches!(flaw, Flaw::UnreachedState { state, .. } if state == "open"));
}

#[test]
fn the_shipped_tables_are_the_ones_in_the_folder() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables");
    let (shipped, loaded) = (Tables::shipped().unwrap(), Tables::load(&folder).unwrap());
    assert_eq!(shipped.ids(), loaded.ids());
    let names = |tables: &Tables| {
        let names = tables.grids().iter().map(|grid| grid.name.clone());
        names.collect::<Vec<_>>()
    };
    assert_eq!(names(&shipped), names(&loaded));
}
