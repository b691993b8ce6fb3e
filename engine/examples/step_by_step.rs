//! A host that answers question by question, and stops in between: the pass goes on from sealed
//! bytes, in this process or in another.
//!
//! ```text
//! cargo run -p gatefold --example step_by_step
//! ```

use gatefold::gate::{
    Answer, Answerer, Args, Call, GateInput, GateResult, Pass, Question, Resolved, RuleRuling,
    SealKey, Seat, Step, begin,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let key = SealKey::new(b"drawn at random, kept by the host")?;
    let args = Args::parse(r#"{"command": "rm -r build"}"#)?;
    let call = Call {
        id: "c1".into(),
        tool: "Bash".into(),
        args,
    };
    let input = GateInput::builder(call)
        .wire(Seat::Rules)
        .wire(Seat::Resolve)
        .build()?;

    let mut step = begin(input);
    let result = loop {
        let pass = match step {
            Step::Need(pass) => pass,
            Step::Done(result) => break result,
            Step::Defect(defect) => return Err(defect.into()),
        };
        // A pass can be saved wherever it waits, and loaded where the answer comes in.
        println!("saved at {}", pass.question().seat());
        let saved = pass.save(&key)?;
        let pass = Pass::load(&saved, &key)?;
        step = match answer(pass.question()) {
            Some(answer) => pass.answer(answer)?,
            None => pass.abort(),
        };

        // A changed byte is refused.
        let forged = saved.replacen("rm -r build", "rm -r /home", 1);
        let refused = Pass::load(&forged, &key).map_err(|error| error.code());
        assert_eq!(refused.err(), Some("bad_seal"));
    };

    let GateResult::Finished(finished) = *result else {
        unreachable!("nothing parks")
    };
    println!("{}", finished.record().to_json());
    let runs = finished.args_to_run().map(Args::as_str);
    assert_eq!(runs, Some(r#"{"command":"rm -r build/tmp"}"#));
    Ok(())
}

/// No rule speaks, and the person says yes to other args. Only what is wired is asked.
fn answer(question: &Question) -> Option<Answer> {
    if let Question::Rules(question) = question {
        let judgements = question.judge(|_, _| (RuleRuling::None, None, None));
        return Some(Answer::Rules(Ok(judgements)));
    }
    if let Question::Resolve(_) = question {
        let yes = Resolved::Yes {
            by: Answerer::Person,
            edit: Some(r#"{"command": "rm -r build/tmp"}"#.into()),
            remember: None,
        };
        return Some(Answer::Resolve(Ok(yes.into())));
    }
    None
}
