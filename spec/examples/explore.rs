//! Explores the whole pass, and tells what it came to.
//!
//! `cargo run --release -p gatefold-spec --features testkit --example explore -- [--full] [SLICE]`

use std::collections::HashMap;
use std::error::Error;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use gatefold_spec::testkit::explore::{
    Bound, CHECKS, Explored, Judge, Marks, Progress, Walk, explore, slices, sometimes,
};

/// A wide world tells how far it is at most this often.
const OFTEN: Duration = Duration::from_secs(10);

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let is_full = words.iter().any(|word| word == "--full");
    let bound = if is_full { Bound::Full } else { Bound::Reduced };
    let named = words.iter().find(|word| !word.starts_with("--"));
    let mut chosen = slices(bound);
    chosen.retain(|slice| named.is_none_or(|name| slice.name == name));
    let judge = Judge::shipped()?;
    let threads = thread::available_parallelism()?.get();
    let walk = Walk {
        judge: &judge,
        checks: CHECKS,
        threads,
        saved_in: bound.saved_in(),
        replayed_in: bound.replayed_in(),
    };
    let began = Instant::now();
    let told = Mutex::new(HashMap::<String, Duration>::new());
    let explored = explore(&chosen, &walk, &|progress| tell(progress, &told));
    print(&explored, began.elapsed());
    if named.is_none() {
        occurred(&explored.all.marks, &judge, &chosen);
    }
    if explored.all.violations.is_empty() {
        Ok(())
    } else {
        Err("invariants are violated".into())
    }
}

fn tell(progress: &Progress<'_>, told: &Mutex<HashMap<String, Duration>>) {
    let Ok(mut told) = told.lock() else { return };
    let last = told.get(progress.world).copied().unwrap_or_default();
    if progress.done || progress.took.saturating_sub(last) >= OFTEN {
        told.insert(progress.world.into(), progress.took);
        println!(
            "{}",
            line(
                progress.world,
                progress.states,
                progress.edges,
                progress.took
            )
        );
    }
}

fn line(what: &str, states: u64, edges: u64, took: Duration) -> String {
    let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX).max(1);
    let rate = edges.saturating_mul(1_000) / millis;
    format!(
        "{what}: {states} states, {edges} edges, {:.1} s, {rate} edges/s",
        took.as_secs_f64()
    )
}

fn print(explored: &Explored, took: Duration) {
    for (slice, (worlds, tally)) in &explored.slices {
        println!(
            "{slice}: {worlds} worlds, {} states, {} edges",
            tally.states, tally.edges
        );
    }
    let all = &explored.all;
    println!("{}", line("all", all.states, all.edges, took));
    println!(
        "{} states saved and loaded, {} passes replayed",
        all.saved, all.replayed
    );
    for violation in all.told() {
        println!("violated: {violation}");
    }
}

/// What was seen of what must be seen.
fn occurred(marks: &Marks, judge: &Judge, chosen: &[gatefold_spec::testkit::explore::Slice]) {
    let Some(world) = chosen
        .first()
        .and_then(|slice| slice.worlds().into_iter().next())
    else {
        return;
    };
    let expected = Marks::expected(&world, judge, 2, &sometimes());
    let missing = marks.missing(&expected);
    println!(
        "{} of {} marks seen",
        expected.len() - missing.len(),
        expected.len()
    );
    for mark in missing {
        println!("never seen: {mark}");
    }
    for (table, rows, unhit) in marks.rows(judge) {
        println!(
            "{table}: {} rows hit = {rows} rows {unhit:?}",
            rows - unhit.len()
        );
    }
}
