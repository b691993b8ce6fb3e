//! Hooks, tightens and layers in one round.

use gatefold::gate::*;

use super::Script;
use super::answers::*;

/// Two guards and an observer: a rewrite, a second screening, a rewrite by the policy over it; then
/// everybody objects, the content is shown, and the ask is parked.
pub fn guards_and_content() -> Script {
    let input = wired()
        .leg("[leg 2]")
        .agent("builder")
        .ancestor(Member {
            agent: Some("lead".into()),
            ..Member::default()
        })
        .hook("lint", HookKind::Guard)
        .hook("log", HookKind::Observer)
        .hook("audit", HookKind::Guard)
        .facts(Digest::of(b"facts"))
        .time(17);
    let mut answers = screenings();
    answers.extend([
        describe(ToolKind::Shell, false),
        policy(STATED, Some(THIRD)),
        describe(ToolKind::Shell, true),
        Answer::Probe(Ok(Probe {
            finding: Reversibility::Irreversible,
            boundary_declined: true,
        })),
        Answer::Egress(Ok(Egress::Outside(Some("mirror.example".into())))),
        Answer::ShellRead(Ok(reads_outside())),
        Answer::WriteJudge(Ok(WriteProtection::Matched)),
        Answer::Org(Ok(vec![judgement(OrgRuling::Ask, Some("Bash(make *)"))])),
        Answer::Rules(Err(SeatFailure::threw("the rules file is cut short"))),
        shown(THIRD),
        PARKED,
        resolved(Resolved::Yes {
            by: Answerer::Delegate,
            edit: None,
            remember: Some(Grant {
                scope: "session".into(),
                rule: "Bash(make check)".into(),
            }),
        }),
    ]);
    Script::new("guards_and_content", input, answers)
}

fn screenings() -> Vec<Answer> {
    let rewrites = HookAnswer {
        rewrite: Some(SECOND.into()),
        context: Some("linted: installs nothing".into()),
        ..says(HookDecision::None)
    };
    let observes = HookAnswer {
        reason: Some("seen".into()),
        ..says(HookDecision::Deny)
    };
    let allows = HookAnswer {
        context: Some("audited twice".into()),
        ..says(HookDecision::Allow)
    };
    vec![
        // Out of order, and one of them delivered twice.
        hooks(vec![
            receipt("audit", says(HookDecision::Allow)),
            receipt("lint", rewrites.clone()),
            receipt("log", observes),
            receipt("lint", rewrites),
        ]),
        hooks(vec![
            receipt("lint", says(HookDecision::None)),
            receipt("audit", allows),
        ]),
    ]
}

fn reads_outside() -> ShellRead {
    ShellRead {
        finding: ShellFinding::OutOfRoot(Some(Card {
            finding: "out_of_root".into(),
            text: "reads /usr/local".into(),
        })),
        unplaced_options: Some(CopyProgram::Cp),
        offer: Some(Offer {
            directory: "/usr/local".into(),
        }),
        part: Some("install".into()),
        ..ShellRead::UNWIRED
    }
}

/// Every wired hook is an observer and fails; nothing bars the sandbox, which takes the call.
pub fn observers_and_sandbox() -> Script {
    let input = wired().hook("log", HookKind::Observer);
    let mut answers = vec![
        Answer::Hook(Err(SeatFailure::TimedOut)),
        describe(ToolKind::Shell, false),
        policy(UNSTATED, None),
    ];
    answers.extend(no_tighten());
    answers.extend(no_layer());
    answers.push(Answer::Sandbox(Ok(Sandbox::Admitted(Some(
        "runs without network".into(),
    )))));
    Script::new("observers_and_sandbox", input, answers)
}
