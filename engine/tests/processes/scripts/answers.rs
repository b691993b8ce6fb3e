//! Calls and answers that the scripts are put together from.

use gatefold::gate::*;

/// What the model asks.
pub const ASKED: &str = r#"{"command":"make install","note":"é\n\u0001"}"#;
/// Other args, as a hook, the policy or a person would have them.
pub const SECOND: &str = r#"{"command":"make -n install"}"#;
pub const THIRD: &str = r#"{"command":"make check"}"#;
pub const FOURTH: &str = r#"{"command":"make check","jobs":1.0}"#;
pub const FIFTH: &str = r#"{"command":"make check","jobs":2}"#;

pub fn args(text: &str) -> Args {
    Args::parse(text).unwrap()
}

pub fn call() -> Call {
    Call {
        id: "c1".into(),
        tool: "Bash".into(),
        args: args(ASKED),
    }
}

/// An input with every seat wired but that of the hooks.
pub fn wired() -> GateInputBuilder {
    let seats = Seat::ALL.iter().filter(|seat| **seat != Seat::Hook);
    seats.fold(GateInput::builder(call()), |input, seat| input.wire(*seat))
}

pub fn receipt(hook: &str, answer: HookAnswer) -> HookReceipt {
    HookReceipt {
        hook: hook.into(),
        outcome: HookOutcome::Answered(answer),
    }
}

pub fn says(decision: HookDecision) -> HookAnswer {
    HookAnswer::plain(decision)
}

pub fn hooks(receipts: Vec<HookReceipt>) -> Answer {
    Answer::Hook(Ok(receipts))
}

pub fn describe(kind: ToolKind, shows_content: bool) -> Answer {
    Answer::Describe(Ok(Facts {
        kind,
        shows_content,
        ..Facts::UNKNOWN
    }))
}

pub const STATED: PolicyRuling = PolicyRuling::Allow { stated: true };
pub const UNSTATED: PolicyRuling = PolicyRuling::Allow { stated: false };

pub fn policy(ruling: PolicyRuling, rewrite: Option<&str>) -> Answer {
    Answer::Adjudicate(Ok(Adjudication {
        judgements: vec![judgement(ruling, None)],
        rewrite: rewrite.map(NewArgs::from),
        ..Adjudication::default()
    }))
}

pub fn judgement<R>(ruling: R, rule: Option<&str>) -> Judgement<R> {
    Judgement {
        form: Form::Current,
        member: 0,
        ruling,
        reason: rule.map(|rule| format!("because of `{rule}`").into()),
        basis: rule.map(|rule| Basis {
            layer: "org".into(),
            file: Some("/etc/agent/org.json".into()),
            list: "ask".into(),
            index: 3,
            rule: rule.into(),
            part: Some("install".into()),
        }),
    }
}

/// Nothing to object at any of the tightens.
pub fn no_tighten() -> Vec<Answer> {
    vec![
        Answer::Probe(Ok(Probe::UNWIRED)),
        Answer::Egress(Ok(Egress::Inside)),
        Answer::ShellRead(Ok(ShellRead::UNWIRED)),
        Answer::WriteJudge(Ok(WriteProtection::None)),
    ]
}

/// Nothing from the organisation, nothing from the persisted rules.
pub fn no_layer() -> Vec<Answer> {
    vec![
        Answer::Org(Ok(vec![judgement(OrgRuling::None, None)])),
        Answer::Rules(Ok(vec![judgement(RuleRuling::None, None)])),
    ]
}

pub fn shown(text: &str) -> Answer {
    Answer::Present(Ok(Presented::Shown(args(text).digest())))
}

pub const PARKED: Answer = Answer::Park(Ok(Parking::Parked));

pub fn resolved(shown: Resolved) -> Answer {
    Answer::Resolve(Ok(shown.into()))
}

/// A yes to other args.
pub fn edited(by: Answerer, edit: &str) -> Answer {
    resolved(Resolved::Yes {
        by,
        edit: Some(edit.into()),
        remember: None,
    })
}
