//! Every well-formed answer of a seat that is no deny.

use gatefold::gate::{
    Adjudication, Answer, Args, Classification, ClassifierRuling, Egress, Facts, HookAnswer,
    HookDecision, HookOutcome, HookQuestion, HookReceipt, JudgeQuestion, OrgRuling, Parking,
    PolicyRuling, Presented, Probe, Question, ReadOnly, Resolved, Reversibility, RuleRuling,
    Sandbox, ShellFinding, ShellRead, ToolKind, WriteProtection,
};

/// The answers to a question that are neither a deny nor a failure. A seat whose refusal is no
/// deny (`cannot`, a no) is taken without it.
pub(crate) fn well_formed(question: &Question) -> Vec<Answer> {
    match question {
        Question::Hook(asked) => hooks(asked),
        Question::Describe(_) => facts()
            .into_iter()
            .map(|each| Answer::Describe(Ok(each)))
            .collect(),
        Question::Adjudicate(asked) => policy(asked),
        Question::Probe(_) => {
            let probes = Reversibility::ALL.iter().flat_map(|finding| {
                [true, false].map(|boundary_declined| Probe {
                    finding: *finding,
                    boundary_declined,
                })
            });
            probes.map(|probe| Answer::Probe(Ok(probe))).collect()
        }
        Question::Egress(_) => {
            let all = [
                Egress::Inside,
                Egress::Outside(None),
                Egress::Outside(Some("host".into())),
            ];
            all.map(|egress| Answer::Egress(Ok(egress))).into()
        }
        Question::ShellRead(_) => shell(),
        Question::WriteJudge(_) => WriteProtection::ALL
            .iter()
            .map(|judged| Answer::WriteJudge(Ok(*judged)))
            .collect(),
        Question::Org(asked) => [OrgRuling::None, OrgRuling::Ask]
            .map(|ruling| Answer::Org(Ok(asked.judge(|_: &Args, _| (ruling, None, None)))))
            .into(),
        Question::Rules(asked) => [
            RuleRuling::None,
            RuleRuling::Allow { grant: None },
            RuleRuling::Ask,
        ]
        .map(|ruling| Answer::Rules(Ok(asked.judge(|_: &Args, _| (ruling.clone(), None, None)))))
        .into(),
        Question::Classify(_) => [ClassifierRuling::Allow, ClassifierRuling::Ask]
            .map(|ruling| {
                Answer::Classify(Ok(Classification {
                    ruling,
                    round: None,
                    reason: None,
                }))
            })
            .into(),
        Question::Sandbox(_) => [Sandbox::Not, Sandbox::Admitted(None)]
            .map(|sandbox| Answer::Sandbox(Ok(sandbox)))
            .into(),
        Question::Present(subject) => {
            vec![Answer::Present(Ok(Presented::Shown(subject.args.digest())))]
        }
        Question::Park(_) => vec![Answer::Park(Ok(Parking::Declined))],
        Question::Resolve(_) => vec![Answer::Resolve(Ok(Resolved::YES.into()))],
    }
}

/// Every form and member is judged the same.
fn policy(asked: &JudgeQuestion) -> Vec<Answer> {
    let rulings = [
        PolicyRuling::Allow { stated: true },
        PolicyRuling::Allow { stated: false },
        PolicyRuling::Ask,
    ];
    let answer = |ruling: PolicyRuling| {
        let judgements = asked.judge(|_: &Args, _| (ruling, None, None));
        Answer::Adjudicate(Ok(Adjudication {
            judgements,
            ..Adjudication::default()
        }))
    };
    rulings.map(answer).into()
}

/// Every hook says the same; none rewrites.
fn hooks(asked: &HookQuestion) -> Vec<Answer> {
    let decisions = [HookDecision::None, HookDecision::Allow, HookDecision::Ask];
    let answer = |decision| {
        let receipts = asked.hooks.iter().map(|hook| HookReceipt {
            hook: hook.id.clone(),
            outcome: HookOutcome::Answered(HookAnswer::plain(decision)),
        });
        Answer::Hook(Ok(receipts.collect()))
    };
    decisions.map(answer).into()
}

fn facts() -> Vec<Facts> {
    let mut all = Vec::new();
    for kind in ToolKind::ALL {
        for read_only in ReadOnly::ALL {
            for flags in 0..8 {
                all.push(Facts {
                    kind: *kind,
                    read_only: *read_only,
                    file_command: flags & 1 != 0,
                    edits_in_roots: flags & 2 != 0,
                    shows_content: flags & 4 != 0,
                });
            }
        }
    }
    all
}

fn shell() -> Vec<Answer> {
    let findings = [
        ShellFinding::Clean,
        ShellFinding::Declined,
        ShellFinding::OutOfRoot(None),
        ShellFinding::Unestablishable(None),
    ];
    let mut all = Vec::new();
    for finding in findings {
        for write_protection in WriteProtection::ALL {
            for writes_placed in [true, false] {
                all.push(Answer::ShellRead(Ok(ShellRead {
                    finding: finding.clone(),
                    writes_placed,
                    write_protection: *write_protection,
                    ..ShellRead::UNWIRED
                })));
            }
        }
    }
    all
}
