//! §7: why a call is an ask, who asked, and who may answer. Source: G124–G132, G134.

use gatefold::gate::*;

use crate::case::*;
use crate::tell::rows;

/// cause, whether it objects, whose ask it is, how far it bars.
const CAUSES: &str = "
    unstated           objects    unstated          open
    irreversible       objects    reversibility     undoable
    outside            objects    egress            reach
    boundary_declined  bars_only  -                 unread
    read_declined      objects    shell_read        unread
    probe_out_of_root  objects    reversibility     mandated
    read_out_of_root   objects    shell_read        mandated
    unestablishable    objects    shell_read        mandated
    write_protected    objects    write_protection  mandated
    write_unresolved   objects    write_protection  person_only
    probe_unanswered   objects    reversibility     person_only
    rules_unreadable   objects    rule              person_only
    policy             objects    policy            person_only
    hook               objects    hook              person_only
    org                objects    org               person_only
    rule               objects    rule              person_only
    edit               objects    edit              person_only
    classifier         objects    -                 person_only
    denial_limit       objects    denial_limit      person_only
";

/// class, and whether it bars each automatic answerer.
const BARS: &str = "
    class        stored_rule hook_allow read_only sandbox accept_edits classifier bypass
    open         .           .          .         .       .            .          .
    unread       .           .          x         .       .            .          .
    undoable     .           .          x         x       .            .          .
    reach        .           .          x         x       x            .          .
    mandated     x           x          x         x       x            .          .
    person_only  x           x          x         x       x            x          x
";

/// From the first in precedence to the last.
const PRECEDENCE: [&str; 11] = [
    "edit",
    "denial_limit",
    "org",
    "rule",
    "hook",
    "policy",
    "write_protection",
    "shell_read",
    "egress",
    "reversibility",
    "unstated",
];

#[test]
fn each_cause_has_one_row() {
    let mut rows: Vec<_> = cause_rows().iter().map(|row| row.cause.word()).collect();
    let mut words: Vec<_> = Cause::ALL.iter().map(|cause| cause.word()).collect();
    rows.sort_unstable();
    words.sort_unstable();
    assert_eq!(rows, words);
    assert_eq!(rows.len(), 19);
}

#[test]
fn each_cause_objects_owes_and_bars_as_its_row_says() {
    for row in cause_rows() {
        let cause = row.cause;
        assert_eq!(cause.objects(), row.objects, "{cause} objects");
        assert_eq!(cause.origin(), row.origin, "{cause} origin");
        assert_eq!(cause.class(), row.class, "{cause} class");
    }
}

#[test]
fn each_class_bars_as_its_row_says() {
    let bars = bar_rows();
    assert_eq!(bars.len(), 42);
    for (class, answerer, barred) in bars {
        assert_eq!(class.bars(answerer), barred, "{class} × {answerer}");
    }
}

/// A live decider is the last one to be barred: where it may not answer, nobody may but a person.
#[test]
fn a_class_that_bars_the_classifier_bars_everybody() {
    for class in BarClass::ALL {
        if class.bars(Automatic::Classifier) {
            let open: Vec<_> = answerers().filter(|by| !class.bars(*by)).collect();
            assert_eq!(open, [], "{class}");
        }
    }
}

#[test]
fn only_boundary_declined_bars_without_objecting() {
    let silent: Vec<_> = cause_rows()
        .iter()
        .filter(|row| !row.cause.objects())
        .map(|row| row.cause)
        .collect();
    assert_eq!(silent, [Cause::BoundaryDeclined]);
}

/// Source: G127.
#[test]
fn boundary_declined_leaves_an_allow_standing_and_is_no_asker() {
    let ended = declining(Case::new().policy(STATED)).finish();
    assert_eq!(disposition(&ended), "allow policy");
    assert_eq!(ended.record().fields().asked, None);
}

/// Source: G127.
#[test]
fn boundary_declined_stands_the_read_only_reader_down_and_nobody_else() {
    let ask = declining(Case::new());
    let reads = ask.clone().facts(reads_only());
    let ended = reads.finish();
    assert_eq!(disposition(&ended), "deny ask_resolution");
    assert_eq!(causes(&ended.record()), [Cause::Unstated]);

    let stored = reads.rules(RuleRuling::Allow { grant: None });
    assert_eq!(disposition(&stored.finish()), "allow stored_rule");
    let hook = ask
        .facts(reads_only())
        .guard("g")
        .hooks(&[("g", said(HookDecision::Allow))]);
    assert_eq!(disposition(&hook.finish()), "allow hook");
}

#[test]
fn a_bar_of_any_cause_is_a_bar_of_the_ask() {
    for first in cause_rows() {
        for second in cause_rows() {
            let both = list(&[first.cause, second.cause]);
            for answerer in answerers() {
                let expected = barred(first.class, answerer) || barred(second.class, answerer);
                let (one, other) = (first.cause, second.cause);
                assert_eq!(both.bar(answerer), expected, "{one} + {other} × {answerer}");
            }
        }
    }
    assert!(answerers().all(|answerer| !list(&[]).bar(answerer)));
}

#[test]
fn the_origin_is_the_first_in_precedence_in_whatever_order_they_objected() {
    let rank = |origin: Option<AskOrigin>| {
        let word = origin?.word();
        PRECEDENCE.iter().position(|known| *known == word)
    };
    for first in cause_rows() {
        for second in cause_rows() {
            let origins = [rank(first.origin), rank(second.origin)];
            let expected = origins.into_iter().flatten().min();
            let origin = list(&[first.cause, second.cause]).origin();
            let (one, other) = (first.cause, second.cause);
            assert_eq!(rank(origin), expected, "{one} + {other}");
        }
    }
    assert_eq!(list(&[]).origin(), None);
    let words: Vec<_> = AskOrigin::ALL.iter().map(|origin| origin.word()).collect();
    assert_eq!(words, PRECEDENCE);
}

/// Source: G125.
#[test]
fn a_policy_that_writes_safety_on_its_ask_reads_as_policy() {
    let mut judgement = judgement(PolicyRuling::Ask);
    judgement.reason = Some("safety".into());
    let ended = Case::new()
        .says(Answer::Adjudicate(Ok(Adjudication {
            judgements: vec![judgement],
            ..Adjudication::default()
        })))
        .finish();
    let asked = ended.record().fields().asked.clone().unwrap();
    assert_eq!(asked.origin, Some(AskOrigin::Policy));
}

/// Where each cause is written, and in which round.
#[test]
fn each_cause_is_written_at_its_station() {
    let stations = [
        (Cause::Unstated, Station::Unstated, 0),
        (Cause::Irreversible, Station::Reversibility, 0),
        (Cause::Outside, Station::Egress, 0),
        (Cause::ReadDeclined, Station::ShellRead, 0),
        (Cause::ProbeOutOfRoot, Station::Reversibility, 0),
        (Cause::ReadOutOfRoot, Station::ShellRead, 0),
        (Cause::Unestablishable, Station::ShellRead, 0),
        (Cause::WriteProtected, Station::WriteProtection, 0),
        (Cause::WriteUnresolved, Station::WriteProtection, 0),
        (Cause::ProbeUnanswered, Station::Reversibility, 0),
        (Cause::RulesUnreadable, Station::Rules, 0),
        (Cause::Policy, Station::Adjudicate, 0),
        (Cause::Hook, Station::Promote, 0),
        (Cause::Org, Station::Org, 0),
        (Cause::Rule, Station::Rules, 0),
        (Cause::Edit, Station::Edit, 1),
        (Cause::Classifier, Station::Classify, 0),
        (Cause::DenialLimit, Station::Classify, 0),
    ];
    for (cause, station, round) in stations {
        let record = raising(cause).finish().record();
        let asked = record.fields().asked.clone().unwrap();
        let found = asked.askers.iter().find(|asker| asker.cause == cause);
        let written = found.map(|asker| (asker.station, asker.round));
        assert_eq!(written, Some((station, round)), "{cause}");
        let origin = cause.origin().or(Some(AskOrigin::Unstated));
        assert_eq!(asked.origin, origin, "{cause}");
    }
}

/// The tables hold in a pass: whoever is wired to answer is kept from exactly what they bar.
#[test]
fn in_a_pass_each_cause_stops_exactly_the_answerers_of_its_class() {
    let mut tried = 0;
    for row in cause_rows() {
        for answerer in answerers() {
            if !meets(row.cause, answerer) {
                continue;
            }
            tried += 1;
            let ended = answered_by(row.cause, answerer).finish();
            let expected = if barred(row.class, answerer) {
                "deny ask_resolution"
            } else {
                lets_through(answerer)
            };
            assert_eq!(disposition(&ended), expected, "{} × {answerer}", row.cause);
        }
    }
    assert_eq!(tried, 19 * 7 - 2 - 7 - 12);
}

struct CauseRow {
    cause: Cause,
    objects: bool,
    origin: Option<AskOrigin>,
    class: BarClass,
}

fn cause_rows() -> Vec<CauseRow> {
    let rows = rows(CAUSES).map(|row| CauseRow {
        cause: Cause::from_word(row[0]).unwrap(),
        objects: row[1] == "objects",
        origin: AskOrigin::from_word(row[2]),
        class: BarClass::from_word(row[3]).unwrap(),
    });
    rows.collect()
}

fn bar_rows() -> Vec<(BarClass, Automatic, bool)> {
    let mut lines = rows(BARS);
    let header = lines.next().unwrap();
    let mut bars = Vec::new();
    for line in lines {
        let class = BarClass::from_word(line[0]).unwrap();
        for (name, mark) in header.iter().zip(line).skip(1) {
            bars.push((class, Automatic::from_word(name).unwrap(), mark == "x"));
        }
    }
    bars
}

fn barred(class: BarClass, answerer: Automatic) -> bool {
    let row = |row: &(BarClass, Automatic, bool)| row.0 == class && row.1 == answerer;
    bar_rows().iter().any(|entry| row(entry) && entry.2)
}

fn answerers() -> impl Iterator<Item = Automatic> {
    Automatic::ALL.iter().copied()
}

fn list(causes: &[Cause]) -> Causes {
    let mut list = Causes::default();
    for cause in causes {
        list.push(Asker {
            cause: *cause,
            station: Station::Entry,
            round: 0,
            reason: None,
            basis: None,
            part: None,
        });
    }
    list
}

fn reads_only() -> Facts {
    Facts {
        read_only: ReadOnly::Yes,
        ..Facts::UNKNOWN
    }
}

fn declining(case: Case) -> Case {
    case.says(Answer::Probe(Ok(Probe {
        boundary_declined: true,
        ..Probe::UNWIRED
    })))
}

/// A case that raises this cause, alone where it can stand alone.
fn raising(cause: Cause) -> Case {
    let new = Case::new();
    let probe = |finding| {
        Answer::Probe(Ok(Probe {
            finding,
            boundary_declined: false,
        }))
    };
    let reads = |finding| {
        Answer::ShellRead(Ok(ShellRead {
            finding,
            ..ShellRead::UNWIRED
        }))
    };
    match cause {
        Cause::Unstated => new,
        Cause::Irreversible => new.says(probe(Reversibility::Irreversible)),
        Cause::Outside => new.says(Answer::Egress(Ok(Egress::Outside(None)))),
        Cause::BoundaryDeclined => declining(new),
        Cause::ReadDeclined => new.says(reads(ShellFinding::Declined)),
        Cause::ProbeOutOfRoot => new.says(probe(Reversibility::OutOfRoot)),
        Cause::ReadOutOfRoot => new.says(reads(ShellFinding::OutOfRoot(None))),
        Cause::Unestablishable => new.says(reads(ShellFinding::Unestablishable(None))),
        Cause::WriteProtected => new.says(Answer::WriteJudge(Ok(WriteProtection::Matched))),
        Cause::WriteUnresolved => new.says(Answer::WriteJudge(Ok(WriteProtection::Unresolved))),
        Cause::ProbeUnanswered => new.says(Answer::Probe(Err(SeatFailure::TimedOut))),
        Cause::RulesUnreadable => new.says(Answer::Rules(Err(SeatFailure::TimedOut))),
        Cause::Policy => new.policy(PolicyRuling::Ask),
        Cause::Hook => new
            .guard("asks")
            .hooks(&[("asks", said(HookDecision::Ask))]),
        Cause::Org => new.org(OrgRuling::Ask),
        Cause::Rule => new.rules(RuleRuling::Ask),
        Cause::Edit => new
            .says(policy(UNSTATED, None))
            .says(policy(UNSTATED, Some(THIRD)))
            .resolves(edits(OTHER))
            .resolves(Resolved::NO),
        Cause::Classifier => new
            .mode(Mode::Auto)
            .says(Answer::Classify(Ok(Classification {
                ruling: ClassifierRuling::Ask,
                round: None,
                reason: None,
            }))),
        Cause::DenialLimit => new.mode(Mode::Auto).with(|input| input.denials(3)),
    }
}

/// Whether cause and answerer can meet in a pass: the rules' seat cannot both fail or ask and
/// allow, an edit round has no automatic answerer, and what the classifier's station objects comes
/// after the allow layer, in a mode that neither accepts edits nor bypasses.
fn meets(cause: Cause, answerer: Automatic) -> bool {
    if cause == Cause::Edit {
        return false;
    }
    if matches!(cause, Cause::Rule | Cause::RulesUnreadable) {
        return answerer != Automatic::StoredRule;
    }
    let late = matches!(cause, Cause::Classifier | Cause::DenialLimit);
    !late || answerer == Automatic::Sandbox
}

fn answered_by(cause: Cause, answerer: Automatic) -> Case {
    let raised = raising(cause);
    let unknown = Facts::UNKNOWN;
    match answerer {
        Automatic::StoredRule => raised.rules(RuleRuling::Allow { grant: None }),
        Automatic::HookAllow if cause == Cause::Hook => {
            let asks = ("asks", said(HookDecision::Ask));
            let both = [("allows", said(HookDecision::Allow)), asks];
            Case::new().guard("allows").guard("asks").hooks(&both)
        }
        Automatic::HookAllow => raised
            .guard("allows")
            .hooks(&[("allows", said(HookDecision::Allow))]),
        Automatic::ReadOnly => raised.facts(reads_only()),
        Automatic::Sandbox => raised
            .facts(Facts {
                kind: ToolKind::Shell,
                ..unknown
            })
            .says(Answer::Sandbox(Ok(Sandbox::Admitted(None)))),
        Automatic::AcceptEdits => raised.mode(Mode::AcceptEdits).facts(Facts {
            kind: ToolKind::Edit,
            edits_in_roots: true,
            ..unknown
        }),
        Automatic::Classifier => {
            raised
                .mode(Mode::Auto)
                .says(Answer::Classify(Ok(Classification {
                    ruling: ClassifierRuling::Allow,
                    round: None,
                    reason: None,
                })))
        }
        Automatic::Bypass => raised.mode(Mode::Bypass),
    }
}

fn lets_through(answerer: Automatic) -> &'static str {
    match answerer {
        Automatic::StoredRule => "allow stored_rule",
        Automatic::HookAllow => "allow hook",
        Automatic::ReadOnly => "allow read_only",
        Automatic::Sandbox => "allow sandbox",
        Automatic::AcceptEdits | Automatic::Bypass => "allow mode",
        Automatic::Classifier => "allow classifier",
    }
}
