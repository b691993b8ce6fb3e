//! For each answer, the answers of the same seat that object more.

use gatefold::gate::{
    Adjudication, Answer, Card, Classification, ClassifierRuling, Digest, Egress, Facts,
    HookDecision, HookKind, HookOutcome, HookQuestion, HookReceipt, Judgement, NewArgs, NoAnswer,
    OnNoRuling, OrgRuling, Parking, PolicyRuling, Presented, Probe, Question, ReadOnly, Resolution,
    Resolved, Reversibility, RuleRuling, Sandbox, Seat, SeatFailure, ShellFinding, ShellRead,
    WriteProtection,
};

/// Every answer of the seat that objects more than this one: asks and denies where it allows,
/// denies where it asks, and the seat's failures where the seat did not refuse outright.
pub(crate) fn objecting(
    question: &Question,
    answer: &Answer,
    no_ruling: OnNoRuling,
) -> Vec<Answer> {
    let mut worse = match (question, answer) {
        (Question::Hook(asked), Answer::Hook(Ok(receipts))) => hooks(asked, receipts),
        (_, Answer::Describe(Ok(facts))) => facts_known_less(*facts),
        (_, Answer::Adjudicate(Ok(verdict))) => match policy(verdict) {
            Some(worse) => worse,
            None => return Vec::new(),
        },
        (_, Answer::Probe(Ok(probe))) => probes(*probe),
        (_, Answer::Egress(Ok(Egress::Inside))) => vec![Answer::Egress(Ok(Egress::Outside(None)))],
        (_, Answer::ShellRead(Ok(read))) => match shell(read) {
            Some(worse) => worse,
            None => return Vec::new(),
        },
        (_, Answer::WriteJudge(Ok(judged))) => stricter(*judged)
            .map(|worse| Answer::WriteJudge(Ok(worse)))
            .collect(),
        (_, Answer::Org(Ok(judgements))) => {
            match layer(judgements, &OrgRuling::Ask, &OrgRuling::Deny) {
                Some(worse) => worse
                    .into_iter()
                    .map(|each| Answer::Org(Ok(each)))
                    .collect(),
                None => return Vec::new(),
            }
        }
        (_, Answer::Rules(Ok(judgements))) => {
            match layer(judgements, &RuleRuling::Ask, &RuleRuling::Deny) {
                Some(worse) => worse
                    .into_iter()
                    .map(|each| Answer::Rules(Ok(each)))
                    .collect(),
                None => return Vec::new(),
            }
        }
        (_, Answer::Classify(Ok(ruling))) => return rulings(ruling, no_ruling),
        (_, Answer::Sandbox(Ok(Sandbox::Admitted(_)))) => vec![Answer::Sandbox(Ok(Sandbox::Not))],
        (_, Answer::Present(Ok(Presented::Shown(_)))) => vec![
            Answer::Present(Ok(Presented::Cannot)),
            Answer::Present(Ok(Presented::Shown(Digest::of(b"something else")))),
        ],
        // Parked is no objection: it leaves the ask as it is, for later.
        (_, Answer::Park(Ok(_))) => {
            vec![Answer::Park(Ok(Parking::Failed("no store".into())))]
        }
        (_, Answer::Resolve(Ok(resolution))) => refusals(resolution),
        (_, answer) if answer.failure().is_some() => return Vec::new(),
        _ => Vec::new(),
    };
    let seat = question.seat();
    worse.push(Answer::failed(seat, SeatFailure::threw("it broke")));
    worse.push(Answer::failed(seat, SeatFailure::TimedOut));
    worse
}

fn hooks(asked: &HookQuestion, receipts: &[HookReceipt]) -> Vec<Answer> {
    let mut worse = Vec::new();
    for (place, receipt) in receipts.iter().enumerate() {
        let mut with = |outcome| {
            let mut receipts = receipts.to_vec();
            receipts[place].outcome = outcome;
            worse.push(Answer::Hook(Ok(receipts)));
        };
        let guards = |kind| {
            asked
                .hooks
                .iter()
                .any(|hook| hook.id == receipt.hook && hook.kind == kind)
        };
        // A torn receipt is that hook's failure already; to take one half away would mend it.
        if receipts
            .iter()
            .filter(|each| each.hook == receipt.hook)
            .count()
            > 1
        {
            continue;
        }
        let HookOutcome::Answered(said) = &receipt.outcome else {
            continue;
        };
        let decisions: &[HookDecision] = match said.decision {
            _ if guards(HookKind::Observer) => HookDecision::ALL,
            HookDecision::None | HookDecision::Allow => &[
                HookDecision::Ask,
                HookDecision::Deny,
                HookDecision::OutOfContract,
            ],
            HookDecision::Ask => &[HookDecision::Deny, HookDecision::OutOfContract],
            HookDecision::Deny | HookDecision::OutOfContract => continue,
        };
        for decision in decisions {
            let mut said = said.clone();
            said.decision = *decision;
            with(HookOutcome::Answered(said));
        }
        with(HookOutcome::Threw("it broke".into()));
        with(HookOutcome::TimedOut);
        with(HookOutcome::Malformed("not ours".into()));
        let mut without = receipts.to_vec();
        without.remove(place);
        worse.push(Answer::Hook(Ok(without)));
    }
    worse
}

fn facts_known_less(facts: Facts) -> Vec<Answer> {
    let mut worse = Vec::new();
    for read_only in [ReadOnly::No, ReadOnly::Unknown] {
        worse.push(Facts { read_only, ..facts });
    }
    worse.push(Facts {
        shows_content: true,
        ..facts
    });
    worse.push(Facts {
        edits_in_roots: false,
        file_command: false,
        ..facts
    });
    worse
        .into_iter()
        .map(|facts| Answer::Describe(Ok(facts)))
        .collect()
}

/// Nothing objects more than a deny or a missing judgement.
fn policy(verdict: &Adjudication) -> Option<Vec<Answer>> {
    let worse = layer(&verdict.judgements, &PolicyRuling::Ask, &PolicyRuling::Deny)?;
    let mut worse: Vec<_> = worse
        .into_iter()
        .map(|judgements| Adjudication {
            judgements,
            ..verdict.clone()
        })
        .collect();
    let rewrite = Some(NewArgs::from("no args at all"));
    worse.push(Adjudication {
        rewrite,
        ..verdict.clone()
    });
    Some(
        worse
            .into_iter()
            .map(|verdict| Answer::Adjudicate(Ok(verdict)))
            .collect(),
    )
}

/// Each judgement made an ask, made a deny and taken away. A layer that denies already is left.
fn layer<R: Clone + PartialEq>(
    judgements: &[Judgement<R>],
    ask: &R,
    deny: &R,
) -> Option<Vec<Vec<Judgement<R>>>> {
    if judgements.iter().any(|judgement| judgement.ruling == *deny) {
        return None;
    }
    let mut worse = Vec::new();
    for place in 0..judgements.len() {
        for ruling in [ask, deny] {
            let mut judgements = judgements.to_vec();
            judgements[place].ruling = ruling.clone();
            worse.push(judgements);
        }
        let mut missing = judgements.to_vec();
        missing.remove(place);
        worse.push(missing);
    }
    Some(worse)
}

fn probes(probe: Probe) -> Vec<Answer> {
    let findings: &[Reversibility] = match probe.finding {
        Reversibility::Reversible => &[Reversibility::Irreversible, Reversibility::OutOfRoot],
        Reversibility::Irreversible => &[Reversibility::OutOfRoot],
        Reversibility::OutOfRoot => &[],
    };
    let worse = findings.iter().map(|finding| Probe {
        finding: *finding,
        ..probe
    });
    let declined = Probe {
        boundary_declined: true,
        ..probe
    };
    worse
        .chain([declined])
        .map(|probe| Answer::Probe(Ok(probe)))
        .collect()
}

fn stricter(judged: WriteProtection) -> impl Iterator<Item = WriteProtection> {
    WriteProtection::ALL
        .iter()
        .copied()
        .filter(move |other| *other > judged)
}

/// In the order clean, declined, out of root or unestablishable, refused.
fn shell(read: &ShellRead) -> Option<Vec<Answer>> {
    let refused = Card {
        finding: "refused".into(),
        text: "never".into(),
    };
    let refused = ShellFinding::Refused(refused);
    let reaching = [
        ShellFinding::OutOfRoot(None),
        ShellFinding::Unestablishable(None),
    ];
    let findings = match &read.finding {
        ShellFinding::Refused(_) => return None,
        ShellFinding::Clean => {
            let mut findings = reaching.to_vec();
            findings.extend([ShellFinding::Declined, refused]);
            findings
        }
        ShellFinding::Declined => reaching.into_iter().chain([refused]).collect(),
        ShellFinding::OutOfRoot(_) | ShellFinding::Unestablishable(_) => vec![refused],
    };
    let worse = findings.into_iter().map(|finding| ShellRead {
        finding,
        ..read.clone()
    });
    let stricter = stricter(read.write_protection).map(|write_protection| ShellRead {
        write_protection,
        ..read.clone()
    });
    let unplaced = ShellRead {
        writes_placed: false,
        ..read.clone()
    };
    let worse = worse.chain(stricter).chain([unplaced]);
    Some(worse.map(|read| Answer::ShellRead(Ok(read))).collect())
}

/// In the order allow, ask, block; no ruling stands where the host has put it.
fn rulings(said: &Classification, no_ruling: OnNoRuling) -> Vec<Answer> {
    let rank = |ruling| match (ruling, no_ruling) {
        (ClassifierRuling::Allow, _) => 0,
        (ClassifierRuling::Ask, _)
        | (ClassifierRuling::Unavailable | ClassifierRuling::ParseError, OnNoRuling::Ask) => 1,
        (ClassifierRuling::Unavailable | ClassifierRuling::ParseError, OnNoRuling::Deny)
        | (ClassifierRuling::Block, _) => 2,
    };
    let worse = ClassifierRuling::ALL.iter().copied();
    let worse = worse.filter(|ruling| rank(*ruling) > rank(said.ruling));
    let mut worse: Vec<_> = worse
        .map(|ruling| {
            Answer::Classify(Ok(Classification {
                ruling,
                ..said.clone()
            }))
        })
        .collect();
    if rank(said.ruling) < rank(ClassifierRuling::Unavailable) {
        worse.push(Answer::failed(
            Seat::Classify,
            SeatFailure::threw("it broke"),
        ));
        worse.push(Answer::failed(Seat::Classify, SeatFailure::TimedOut));
    }
    worse
}

fn refusals(resolution: &Resolution) -> Vec<Answer> {
    let unanswered = NoAnswer::ALL.iter().copied().map(Resolved::Unanswered);
    let refusals = unanswered.chain([Resolved::NO]);
    match resolution.shown {
        Resolved::Yes { .. } => refusals
            .map(|shown| Answer::Resolve(Ok(shown.into())))
            .collect(),
        Resolved::No { .. } | Resolved::Unanswered(_) => Vec::new(),
    }
}
