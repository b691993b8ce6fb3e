//! A host that embeds the gate: one rules seat, and a person who is asked when no rule speaks.
//!
//! ```text
//! cargo run -p gatefold --example embed
//! ```

use gatefold::gate::{
    Args, AskOrigin, Call, GateInput, GateResult, JudgeQuestion, Judgement, Reply, Resolution,
    ResolveQuestion, Resolved, RuleRuling, Seat, Seats, begin, drive,
};

struct Host;

impl Seats for Host {
    fn rules(&mut self, question: &JudgeQuestion) -> Reply<Vec<Judgement<RuleRuling>>> {
        Ok(question.judge(|args, _| match args.as_str() {
            r#"{"command":"git status"}"# => (RuleRuling::Allow { grant: None }, None, None),
            _ => (RuleRuling::None, None, None),
        }))
    }

    fn resolve(&mut self, question: &ResolveQuestion) -> Reply<Resolution> {
        println!("somebody is asked about {}", question.ask.args);
        assert_eq!(question.ask.origin, Some(AskOrigin::Unstated));
        Ok(Resolved::NO.into())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (command, runs) in [("git status", true), ("git push", false)] {
        let args = Args::parse(&format!(r#"{{"command": "{command}"}}"#))?;
        let call = Call {
            id: "c1".into(),
            tool: "Bash".into(),
            args,
        };
        let input = GateInput::builder(call)
            .wire(Seat::Rules)
            .wire(Seat::Resolve)
            .build()?;

        let result = drive(begin(input), &mut Host)?;

        let GateResult::Finished(finished) = *result else {
            unreachable!("nothing parks")
        };
        match finished.args_to_run() {
            Some(args) => println!("run it with {args}"),
            None => println!("tell the model: {}", finished.reason().unwrap_or_default()),
        }
        println!("{}\n", finished.record().to_json());
        assert_eq!(finished.args_to_run().is_some(), runs);
    }
    Ok(())
}
