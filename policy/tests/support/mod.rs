//! Deciding a line by rules.

use std::sync::Arc;

use gatefold::gate::{Args, Call, GateInput, GateResult, Mode, Seat, Verdict, begin, drive};
use gatefold_policy::{Deciders, Effect, FileFacts, Layer, Platform, Policy, Surroundings};

/// What is decided of a line of bash by these rules of a person, where a person can be asked.
pub(crate) fn decide(line: &str, rules: &[(&str, &str)]) -> &'static str {
    decide_in(Mode::Default, line, rules)
}

/// The same in another mode.
pub(crate) fn decide_in(mode: Mode, line: &str, rules: &[(&str, &str)]) -> &'static str {
    let mut policy = Policy::empty(Platform::Linux);
    for (effect, rule) in rules {
        let effect = Effect::from_word(effect).expect("an effect");
        policy.add(effect, Layer::User, rule).expect("a rule");
    }
    let args = serde_json::json!({ "command": line }).to_string();
    let call = Call {
        id: "c".into(),
        tool: "Bash".into(),
        args: Args::parse(&args).expect("args"),
    };
    // A folder in which every path leads where it says.
    let files = FileFacts {
        cwd: Some("/srv/app".into()),
        home: Some("/home/u".into()),
        realpaths: std::iter::once(("/".into(), "/".into())).collect(),
        ..FileFacts::default()
    };
    let surroundings = Surroundings {
        files,
        ..Surroundings::default()
    };
    let mut deciders = Deciders::new(Arc::new(policy), "Bash", None, surroundings);
    let input = deciders.wire(GateInput::builder(call).mode(mode).wire(Seat::Park));
    let result = drive(begin(input.build().expect("an input")), &mut deciders).expect("a result");
    match *result {
        GateResult::Suspended(_) => "ask",
        GateResult::Finished(finished) if finished.args_to_run().is_some() => Verdict::Allow.word(),
        GateResult::Finished(_) => Verdict::Deny.word(),
    }
}
