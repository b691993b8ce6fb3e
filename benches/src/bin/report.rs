//! What the benches came to: a table of ratios, each of two measures of the same run, and the plot
//! of growth, from the estimates that criterion left behind.
//!
//! `report [FOLDER]`, the folder that criterion writes to; by default that of this build. What was
//! not measured is left out.

use std::error::Error;
use std::path::{Path, PathBuf};

use gatefold_benches::SIZES;
use plotters::prelude::*;

/// A row of the budget: what it is, the measure, what it is held against, and how many times that
/// it may cost.
const ROWS: &[(&str, &str, &str, f64)] = &[
    (
        "pass, no line, 10 rules",
        "pass_no_line/gatefold/10",
        "pass_no_line/hand_index/10",
        12.0,
    ),
    (
        "pass, no line, 1 000 rules",
        "pass_no_line/gatefold/1000",
        "pass_no_line/hand_index/1000",
        12.0,
    ),
    (
        "pass, no line, 100 000 rules",
        "pass_no_line/gatefold/100000",
        "pass_no_line/hand_index/100000",
        12.0,
    ),
    (
        "growth from 10 to 100 000 rules",
        "pass_no_line/gatefold/100000",
        "pass_no_line/gatefold/10",
        1.5,
    ),
    (
        "growth from 10 to 100 000 rules, lines too",
        "pass/gatefold/100000",
        "pass/gatefold/10",
        1.5,
    ),
    (
        "calls not seen before, 100 000 rules",
        "pass_cold/gatefold/100000",
        "pass_cold/hand_index/100000",
        12.0,
    ),
    (
        "with record bytes, 1 000 rules",
        "pass_no_line/gatefold_record/1000",
        "pass_no_line/gatefold/1000",
        2.0,
    ),
    (
        "bytes to record, all calls",
        "bytes/gatefold_to_record",
        "bytes/serde_json_typed",
        3.0,
    ),
    (
        "bytes to record, no line",
        "bytes_no_line/gatefold_to_record",
        "bytes_no_line/serde_json_typed",
        3.0,
    ),
    (
        "a line into a plan, with a variable",
        "line/gatefold_plan/variable",
        "line/brush_parse_program/variable",
        0.3,
    ),
    (
        "a line into a plan, plain",
        "line/gatefold_plan/plain",
        "line/brush_parse_program/plain",
        0.3,
    ),
    (
        "64 KiB of commands, for 16 times 4 KiB",
        "line_growth/commands/64",
        "line_growth/commands/4",
        16.0,
    ),
    (
        "64 KiB of words, for 16 times 4 KiB",
        "line_growth/words/64",
        "line_growth/words/4",
        16.0,
    ),
    (
        "64 KiB of quotes, for 16 times 4 KiB",
        "line_growth/quoted/64",
        "line_growth/quoted/4",
        16.0,
    ),
    (
        "64 KiB of variables, for 16 times 4 KiB",
        "line_growth/assigned/64",
        "line_growth/assigned/4",
        16.0,
    ),
    (
        "a line under 1 000 rules, whole pass",
        "line/gatefold_pass_1000_rules/plain",
        "line/gatefold_plan/plain",
        2.0,
    ),
    (
        "hook process, 100 rules",
        "hook/gatefold/100",
        "hook/empty",
        1.5,
    ),
    (
        "hook process, 100 rules in an image",
        "hook/gatefold_image/100",
        "hook/empty",
        1.5,
    ),
    (
        "hook process, 10 000 rules",
        "hook/gatefold/10000",
        "hook/empty",
        0.0,
    ),
    (
        "hook process, 10 000 rules in an image",
        "hook/gatefold_image/10000",
        "hook/empty",
        2.0,
    ),
    (
        "against `python3 -c ''`",
        "hook/python3",
        "hook/gatefold/100",
        0.0,
    ),
    (
        "against `node -e ''`",
        "hook/node",
        "hook/gatefold/100",
        0.0,
    ),
    (
        "save and load",
        "saved/gatefold",
        "saved/serde_json_value",
        2.0,
    ),
    (
        "cedar-policy, 10 rules",
        "peers/cedar/10",
        "peers/gatefold/10",
        -20.0,
    ),
    (
        "cedar-policy, 100 rules",
        "peers/cedar/100",
        "peers/gatefold/100",
        -200.0,
    ),
    (
        "cedar-policy, 1 000 rules",
        "peers/cedar/1000",
        "peers/gatefold/1000",
        -2_000.0,
    ),
    (
        "regorus as maps, 10 rules",
        "peers/regorus_maps/10",
        "peers/gatefold/10",
        -20.0,
    ),
    (
        "regorus as a list, 10 rules",
        "peers/regorus_list/10",
        "peers/gatefold/10",
        -20.0,
    ),
    (
        "regorus as maps, 1 000 rules",
        "peers/regorus_maps/1000",
        "peers/gatefold/1000",
        -20.0,
    ),
    (
        "casbin, 10 rules",
        "peers/casbin/10",
        "peers/gatefold/10",
        0.0,
    ),
    (
        "casbin, 1 000 rules",
        "peers/casbin/1000",
        "peers/gatefold/1000",
        0.0,
    ),
];

/// What is drawn, and as what.
const ENGINES: &[(&str, &str, RGBColor)] = &[
    (
        "hand_index",
        "index by hand (floor)",
        RGBColor(120, 120, 120),
    ),
    ("gatefold", "gatefold", RGBColor(200, 30, 30)),
    (
        "linear",
        "scan of all rules in Rust",
        RGBColor(190, 150, 60),
    ),
    ("regorus_maps", "regorus, maps", RGBColor(40, 140, 90)),
    ("regorus_list", "regorus, list", RGBColor(110, 190, 140)),
    ("cedar", "cedar-policy", RGBColor(40, 90, 180)),
    ("casbin", "casbin", RGBColor(130, 70, 160)),
];

fn main() -> Result<(), Box<dyn Error>> {
    let given = std::env::args().nth(1).map(PathBuf::from);
    let folder = given.map_or_else(beside, Ok)?;
    println!(
        "{:<44} {:>12} {:>12} {:>9}  budget",
        "", "measured", "against", "ratio"
    );
    for (what, measure, against, most) in ROWS {
        let (Some(measured), Some(floor)) = (mean(&folder, measure), mean(&folder, against)) else {
            continue;
        };
        let ratio = measured / floor;
        let budget = if *most > 0.0 {
            format!("at most {most}{}", missed(ratio > *most))
        } else if *most < 0.0 {
            format!("at least {}{}", -most, missed(ratio < -most))
        } else {
            "shown".into()
        };
        println!(
            "{what:<44} {:>12} {:>12} {ratio:>9.2}  {budget}",
            time(measured),
            time(floor)
        );
    }
    let drawn = Path::new(env!("CARGO_MANIFEST_DIR")).join("growth.svg");
    if draw(&folder, &drawn)? {
        println!("drawn: {}", drawn.display());
    }
    Ok(())
}

const fn missed(is: bool) -> &'static str {
    if is { ": MISSED" } else { "" }
}

/// `criterion` in the target folder that this program stands in.
fn beside() -> Result<PathBuf, Box<dyn Error>> {
    let program = std::env::current_exe()?;
    let mut folders = program.ancestors();
    let found = folders.find_map(|folder| Some(folder.join("criterion")).filter(|of| of.is_dir()));
    found.ok_or_else(|| "nothing was measured".into())
}

/// Nanoseconds of one turn.
fn mean(folder: &Path, measure: &str) -> Option<f64> {
    let path = folder.join(measure).join("new/estimates.json");
    let estimates: serde_json::Value = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
    let of = |kind: &str| estimates[kind]["point_estimate"].as_f64();
    of("slope").or_else(|| of("median"))
}

fn time(nanos: f64) -> String {
    match nanos {
        _ if nanos < 1e3 => format!("{nanos:.1} ns"),
        _ if nanos < 1e6 => format!("{:.2} us", nanos / 1e3),
        _ if nanos < 1e9 => format!("{:.2} ms", nanos / 1e6),
        _ => format!("{:.2} s", nanos / 1e9),
    }
}

/// The cost of a decision over the number of rules, both logarithmic. Whether there was anything
/// to draw.
fn draw(folder: &Path, to: &Path) -> Result<bool, Box<dyn Error>> {
    let points = |engine: &str| -> Vec<(f64, f64)> {
        let at = |size: &usize| {
            Some((
                *size as f64,
                mean(folder, &format!("peers/{engine}/{size}"))?,
            ))
        };
        SIZES.iter().filter_map(at).collect()
    };
    if points("gatefold").is_empty() {
        return Ok(false);
    }
    let area = SVGBackend::new(to, (900, 560)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption("One decision, over the number of rules", ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(76)
        .build_cartesian_2d((8.0..140_000.0).log_scale(), (10.0..3e8).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("rules")
        .y_desc("time of one decision")
        .y_label_formatter(&|nanos| time(*nanos))
        .light_line_style(WHITE)
        .draw()?;
    for (engine, name, color) in ENGINES {
        let points = points(engine);
        let width = if *engine == "gatefold" { 4 } else { 2 };
        chart
            .draw_series(LineSeries::new(points.clone(), color.stroke_width(width)))?
            .label(*name)
            .legend(move |(x, y)| {
                PathElement::new([(x, y), (x + 18, y)], color.stroke_width(width))
            });
        chart.draw_series(
            points
                .into_iter()
                .map(|at| Circle::new(at, 3, color.filled())),
        )?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    area.present()?;
    Ok(true)
}
