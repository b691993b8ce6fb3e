//! Loads and checks a folder of tables, or the shipped ones, and prints what each covers.
//!
//! `cargo run -p gatefold-spec --example check [FOLDER]`

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use gatefold_spec::{Tables, check};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let tables = folder.map_or_else(Tables::shipped, |folder| Tables::load(&folder))?;
    let mut points = 0;
    let began = Instant::now();
    for grid in tables.grids() {
        let covered = check(grid)?;
        points += covered.points;
        let rows = grid.rows().len();
        println!("{}: {} points, {rows} rows", grid.name, covered.points);
    }
    let took = began.elapsed();
    println!(
        "{} ids, {points} points checked in {took:?}",
        tables.ids().len()
    );
    Ok(())
}
