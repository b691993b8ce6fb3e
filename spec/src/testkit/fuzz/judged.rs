//! A call that is judged by a policy alone, where a person can be asked.

use std::sync::Arc;

use gatefold::gate::{Args, Call, GateInput, GateResult, Mode, Seat, Verdict, begin, drive};
use gatefold_policy::{Deciders, FileFacts, Policy, Surroundings};

/// What becomes of a line of bash.
pub(super) fn line(policy: &Arc<Policy>, mode: Mode, line: &str) -> Verdict {
    let args = serde_json::json!({ "command": line }).to_string();
    let call = Call {
        id: "c".into(),
        tool: "Bash".into(),
        args: Args::parse(&args).unwrap_or_else(|error| panic!("{error}")),
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
    let mut deciders = Deciders::new(Arc::clone(policy), "Bash", None, surroundings);
    let input = deciders.wire(GateInput::builder(call).mode(mode).wire(Seat::Park));
    let input = input.build().unwrap_or_else(|error| panic!("{error}"));
    let result = drive(begin(input), &mut deciders).unwrap_or_else(|error| panic!("{error}"));
    match *result {
        GateResult::Suspended(_) => Verdict::Ask,
        GateResult::Finished(finished) if finished.args_to_run().is_some() => Verdict::Allow,
        GateResult::Finished(_) => Verdict::Deny,
    }
}
