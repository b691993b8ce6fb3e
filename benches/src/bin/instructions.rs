//! Holds counts of instructions to those that were written down.
//!
//! Reads what `--output-format=json` of the bench `instructions` prints, on standard input. With
//! `--write` it writes the counts down; else it fails for one that is more than the tolerance above
//! its own, or that is missing.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

/// How much more a count may be, in hundredths: what another version of a compiler or of the C
/// library does.
const TOLERANCE: u64 = 3;

#[derive(Deserialize)]
struct Summary {
    function_name: String,
    id: Option<String>,
    profiles: Vec<Profile>,
}

#[derive(Deserialize)]
struct Profile {
    data: Data,
}

#[derive(Deserialize)]
struct Data {
    total: Total,
}

#[derive(Deserialize)]
struct Total {
    metrics: BTreeMap<String, Value>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("instructions.json");
    let counted = counted(&std::io::read_to_string(std::io::stdin())?)?;
    if std::env::args().any(|arg| arg == "--write") {
        std::fs::write(&path, serde_json::to_string_pretty(&counted)? + "\n")?;
        println!("written: {}", path.display());
        return Ok(());
    }
    let written: BTreeMap<String, u64> = serde_json::from_slice(&std::fs::read(&path)?)?;
    let mut failed = 0;
    for (name, before) in &written {
        let now = counted.get(name).copied();
        let holds = now.is_some_and(|now| is_within(now, *before));
        failed += usize::from(!holds);
        let now = now.map_or("missing".into(), |now| now.to_string());
        let verdict = if holds { "" } else { "  TOO MANY" };
        println!("{name:<24} {before:>12} {now:>12}{verdict}");
    }
    if failed > 0 {
        return Err(format!(
            "{failed} of {} counts are more than {TOLERANCE} % above those in {}",
            written.len(),
            path.display()
        )
        .into());
    }
    Ok(())
}

const fn is_within(now: u64, before: u64) -> bool {
    now.saturating_mul(100) <= before.saturating_mul(100 + TOLERANCE)
}

fn counted(lines: &str) -> Result<BTreeMap<String, u64>, Box<dyn Error>> {
    let mut counted = BTreeMap::new();
    for line in lines.lines().filter(|line| line.starts_with('{')) {
        let Summary {
            function_name,
            id,
            profiles,
        } = serde_json::from_str(line)?;
        let name = [function_name, id.unwrap_or_default()].join("/");
        let count = instructions(&profiles).ok_or_else(|| format!("{name}: no instructions"))?;
        counted.insert(name, count);
    }
    Ok(counted)
}

/// The count of the event `Ir` of this run.
fn instructions(profiles: &[Profile]) -> Option<u64> {
    let mut metrics = profiles.iter().map(|profile| &profile.data.total.metrics);
    metrics.find_map(|metrics| metrics.get("Ir")?["values"]["new"].as_u64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_the_tolerance_is_too_many_and_less_is_not() {
        for (now, before, holds) in [
            (100, 100, true),
            (103, 100, true),
            (104, 100, false),
            (1, 100, true),
        ] {
            assert_eq!(is_within(now, before), holds, "{now} {before}");
        }
    }

    #[test]
    fn the_count_of_this_run_is_read() {
        let line = r#"{"function_name":"plan","id":"of_60","profiles":[{"data":{"parts":[],"total":{"metrics":{"Ir":{"change":null,"values":{"new":7,"old":9}}}}}}]}"#;
        assert_eq!(
            counted(line).unwrap(),
            BTreeMap::from([("plan/of_60".into(), 7)])
        );
    }
}
