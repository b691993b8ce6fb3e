//! The picture of a pass in the project's README, drawn from the list of stations.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a test says what went wrong by failing"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use gatefold_spec::words::words;
use gatefold_spec::{Grid, Tables};

/// Set to write the picture instead of comparing it.
const UPDATE: &str = "GATEFOLD_UPDATE_DIAGRAM";

const BEGIN: &str = "<!-- pass-diagram -->";
const END: &str = "<!-- /pass-diagram -->";

/// The parts of a pass: name, caption, first and last station by number.
const PARTS: [(&str, &str, u8, u8); 3] = [
    ("screening", "before anybody judges", 1, 5),
    ("fold", "fold: everybody who can object", 6, 12),
    ("lanes", "lanes: everybody who can answer", 13, 22),
];

/// Ways that are not from one station to the next: from, what leads there, to.
const WAYS: &[(&str, &str, &str)] = &[
    ("hook", "a hook failed", "A"),
    ("hook", "a hook denies", "B"),
    ("adjudicate", "args rewritten: once more", "describe"),
    ("rules", "allow", "allow"),
    ("classify", "allow", "allow"),
    ("sandbox", "admitted", "allow"),
    ("arbitrate", "released by mode", "allow"),
    ("park", "parked", "suspended"),
    ("suspended", "resumed, nothing changed", "resolve"),
    ("suspended", "cancelled", "C"),
    ("resolve", "yes", "allow"),
    ("edit", "edited args: 3 to 14 as a new call", "hook"),
    ("rules", "edited call asks: asked again", "present"),
];

#[test]
fn the_picture_of_a_pass_is_up_to_date() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once(BEGIN).expect("README.md has the marker");
    let (_, after) = rest.split_once(END).expect("README.md has the end marker");
    let drawn = format!("{before}{BEGIN}\n{}{END}{after}", picture());
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&path, &drawn).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap();
    assert!(
        written == drawn,
        "the picture is not up to date; run once with {UPDATE}=1"
    );
}

#[test]
fn every_way_leads_from_and_to_a_place_that_is_there() {
    let stations = words("station").unwrap();
    for (from, _, to) in WAYS {
        for place in [from, to] {
            let exit = ["A", "B", "C", "allow", "suspended"].contains(place);
            assert!(exit || stations.contains(place), "{place}");
        }
    }
}

fn picture() -> String {
    let tables = Tables::shipped().unwrap();
    let grid = tables.grid("gate/stations").unwrap();
    let stations = stations(grid);
    let mut text = String::from("```mermaid\nflowchart TB\n  asked([\"a tool call\"]) --> entry\n");
    for (part, caption, first, last) in PARTS {
        writeln!(text, "  subgraph {part} [\"{caption}\"]").unwrap();
        let within = |number: &u8| (first..=last).contains(number);
        for (number, station, seat) in stations.iter().filter(|(number, ..)| within(number)) {
            let asks = match *seat {
                "none" => String::new(),
                seat => format!("<br/><i>asks {seat}</i>"),
            };
            writeln!(text, "    {station}[\"{number} {station}{asks}\"]").unwrap();
        }
        let names = stations.iter().filter(|(number, ..)| within(number));
        let names: Vec<_> = names.map(|(_, station, _)| *station).collect();
        writeln!(text, "    {}\n  end", names.join(" --> ")).unwrap();
    }
    for (_, _, first, _) in PARTS.iter().skip(1) {
        let ends = stations.iter().zip(stations.iter().skip(1));
        let mut ends = ends.filter(|(_, (number, ..))| number == first);
        let ((_, from, _), (_, to, _)) = ends.next().unwrap();
        writeln!(text, "  {from} --> {to}").unwrap();
    }
    for (from, why, to) in WAYS {
        writeln!(text, "  {from} -- \"{why}\" --> {to}").unwrap();
    }
    let (_, exit, _) = stations.last().unwrap();
    write!(
        text,
        "  screening & fold & lanes -. \"any other deny\" .-> C\n\
         \x20 subgraph {exit} [\"23 {exit}: the outcome is minted\"]\n\
         \x20   allow([\"allow: these args run\"])\n\
         \x20   A([\"A: deny, engine fails closed\"])\n\
         \x20   B([\"B: deny by a hook, the observer is not told\"])\n\
         \x20   C([\"C: deny, the observer is told\"])\n  end\n\
         \x20 suspended([\"suspended: a ticket, no outcome\"])\n```\n"
    )
    .unwrap();
    text
}

/// Every station with its number and its seat, in order.
fn stations(grid: &Grid) -> Vec<(u8, &str, &str)> {
    let mut stations: Vec<_> = grid
        .points()
        .map(|point| {
            let decision = grid.decide(&point).unwrap();
            let number = decision.want("number").parse().unwrap();
            (number, grid.value(&point, "station"), decision.want("asks"))
        })
        .collect();
    stations.sort_unstable();
    stations
}
