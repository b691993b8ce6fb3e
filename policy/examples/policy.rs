//! A host that judges its calls by a policy document.
//!
//! ```text
//! cargo run -p gatefold-policy --example policy
//! ```

use std::sync::Arc;

use gatefold::gate::{Args, Call, GateInput, GateResult, Seat, begin, drive};
use gatefold_policy::{Deciders, Platform, Policy, Source, Surroundings};

const DOCUMENT: &str = include_str!("../../examples/gatefold.toml");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let source = Source::host("gatefold.toml", DOCUMENT.as_bytes());
    let policy = Arc::new(Policy::load(&[source], Platform::Linux)?.policy);
    for (command, decided) in [
        ("git status", "runs"),
        ("git push", "is asked"),
        ("rm -rf build", "is refused"),
    ] {
        let args = Args::parse(&format!(r#"{{"command": "{command}"}}"#))?;
        let call = Call {
            id: "c1".into(),
            tool: "Bash".into(),
            args,
        };
        let policy = Arc::clone(&policy);
        let mut deciders = Deciders::new(policy, "Bash", None, Surroundings::default());
        // With this seat an ask is handed back; without it, it ends as a deny.
        let input = GateInput::builder(call).wire(Seat::Park);

        let result = drive(begin(deciders.wire(input).build()?), &mut deciders)?;

        let (said, why) = match *result {
            GateResult::Finished(finished) => match finished.args_to_run() {
                Some(args) => ("runs", args.to_string()),
                None => ("is refused", finished.reason().unwrap_or_default()),
            },
            GateResult::Suspended(suspended) => ("is asked", suspended.parked.reason()),
        };
        println!("{command} {said}: {why}");
        assert_eq!(said, decided);
    }
    Ok(())
}
