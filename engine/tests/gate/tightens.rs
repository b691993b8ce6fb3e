//! Stations 8 to 12: what makes an allow an ask. Source: G114–G119, G124–G132.

use super::answers::*;
use super::case::*;
use gatefold::gate::*;

/// A call that the policy states, about which a person says no.
fn stated() -> Case {
    Case::new().policy(STATED).resolves(Resolved::NO)
}

fn irreversible() -> Answer {
    probed(Reversibility::Irreversible, false)
}

fn outside() -> Answer {
    Answer::Egress(Ok(Egress::Outside(Some("evil.example".into()))))
}

fn writes(protection: WriteProtection) -> Answer {
    Answer::ShellRead(Ok(ShellRead {
        write_protection: protection,
        ..ShellRead::UNWIRED
    }))
}

/// Source: G124.
#[test]
fn each_finding_adds_its_cause_at_its_station_and_makes_an_allow_an_ask() {
    let judged = |protection| Answer::WriteJudge(Ok(protection));
    let (at8, at9) = (Station::Reversibility, Station::Egress);
    let (at10, at11) = (Station::ShellRead, Station::WriteProtection);
    let reach = Some(AskOrigin::Reversibility);
    let read = Some(AskOrigin::ShellRead);
    let write = Some(AskOrigin::WriteProtection);
    let unestablishable = ShellFinding::Unestablishable(None);
    #[rustfmt::skip]
    let rows = [
        (probed(Reversibility::Reversible, false), None, at8, None),
        (irreversible(), Some(Cause::Irreversible), at8, reach),
        (probed(Reversibility::OutOfRoot, false), Some(Cause::ProbeOutOfRoot), at8, reach),
        (Answer::Egress(Ok(Egress::Inside)), None, at9, None),
        (outside(), Some(Cause::Outside), at9, Some(AskOrigin::Egress)),
        (reads(ShellFinding::Clean), None, at10, None),
        (reads(ShellFinding::Declined), Some(Cause::ReadDeclined), at10, read),
        (reads(ShellFinding::OutOfRoot(None)), Some(Cause::ReadOutOfRoot), at10, read),
        (reads(unestablishable), Some(Cause::Unestablishable), at10, read),
        (judged(WriteProtection::None), None, at11, None),
        (judged(WriteProtection::Matched), Some(Cause::WriteProtected), at11, write),
        (judged(WriteProtection::Unresolved), Some(Cause::WriteUnresolved), at11, write),
    ];
    for (answer, expected, station, origin) in rows {
        let row = format!("{answer:?}");
        let finished = stated().says(answer).finish();
        let record = finished.record();
        assert_eq!(causes(&record), Vec::from_iter(expected), "{row}");
        let verdict = if expected.is_none() {
            "allow policy"
        } else {
            "deny ask_resolution"
        };
        assert_eq!(disposition(&finished), verdict, "{row}");
        let asked = record.fields().asked.as_ref();
        assert_eq!(asked.and_then(|asked| asked.origin), origin, "{row}");
        for asker in asked.iter().flat_map(|asked| &asked.askers) {
            assert_eq!((asker.station, asker.round), (station, 0), "{row}");
        }
    }
}

/// Source: G127.
#[test]
fn a_declined_boundary_bars_and_objects_to_nothing() {
    let finished = stated()
        .says(probed(Reversibility::Reversible, true))
        .finish();
    assert_eq!(account(&finished), "allow policy");
    let asks = Case::new().policy(PolicyRuling::Ask).resolves(Resolved::NO);
    let finished = asks
        .says(probed(Reversibility::Irreversible, true))
        .finish();
    let expected = [Cause::Policy, Cause::Irreversible];
    assert_eq!(
        causes(&finished.record()),
        expected,
        "the record names objections"
    );
}

/// Every wired seat is asked whatever the kind, and whatever stands already. Source: G124.
#[test]
fn every_tighten_is_asked_whatever_the_kind_of_the_call_and_every_cause_is_kept() {
    use Seat::{Adjudicate, Describe, Probe, ShellRead, WriteJudge};
    let all = [
        Cause::Irreversible,
        Cause::Outside,
        Cause::Unestablishable,
        Cause::WriteProtected,
    ];
    for kind in ToolKind::ALL {
        for (ruling, first) in [(STATED, None), (PolicyRuling::Ask, Some(Cause::Policy))] {
            let facts = Facts {
                kind: *kind,
                ..Facts::UNKNOWN
            };
            let case = Case::new().facts(facts).policy(ruling);
            let case = case.says(irreversible()).says(outside());
            let case = case.says(reads(ShellFinding::Unestablishable(None)));
            let case = case.says(Answer::WriteJudge(Ok(WriteProtection::Matched)));
            let ended = case.run();
            let seats = [
                Describe,
                Adjudicate,
                Probe,
                Seat::Egress,
                ShellRead,
                WriteJudge,
            ];
            assert_eq!(ended.seats(), seats, "{kind}");
            let expected: Vec<_> = first.into_iter().chain(all).collect();
            assert_eq!(causes(&ended.finished().record()), expected, "{kind}");
        }
    }
}

#[test]
fn the_host_and_the_part_of_the_line_stand_in_the_record() {
    let part = Answer::ShellRead(Ok(ShellRead {
        finding: ShellFinding::Declined,
        part: Some("cat /etc/passwd".into()),
        ..ShellRead::UNWIRED
    }));
    let finished = stated().says(outside()).says(part).finish();
    let asked = finished.record().fields().asked.clone().unwrap();
    let parts: Vec<_> = asked
        .askers
        .iter()
        .map(|asker| asker.part.clone())
        .collect();
    assert_eq!(
        parts,
        [Some("evil.example".into()), Some("cat /etc/passwd".into())]
    );
}

/// Source: G114.
#[test]
fn a_shell_reader_that_refuses_denies_with_its_card() {
    let refused = card("readonly_out_of_root");
    let case = stated().says(reads(ShellFinding::Refused(refused.clone())));
    let ended = case.org(OrgRuling::None).run();
    assert_eq!(ended.seats(), [Seat::Adjudicate, Seat::ShellRead]);
    let finished = ended.finished();
    let expected = "deny shell_read; told permission_denied shell_read";
    assert_eq!(account(&finished), expected);
    assert_eq!(finished.details(), Some(&refused));
    assert_eq!(
        finished.reason().unwrap(),
        "the shell reader refused this command: what it is about"
    );
}

/// Source: G116.
#[test]
fn an_out_of_root_or_unestablishable_read_leaves_its_card_on_a_refusal() {
    let given = card("given");
    let bare = |finding: &str, text: &str| Card {
        finding: finding.into(),
        text: text.into(),
    };
    let rows = [
        (
            ShellFinding::OutOfRoot(Some(given.clone())),
            Some(given.clone()),
        ),
        (
            ShellFinding::Unestablishable(Some(given.clone())),
            Some(given),
        ),
        (
            ShellFinding::OutOfRoot(None),
            Some(bare("out_of_root", "the command reads outside the roots")),
        ),
        (
            ShellFinding::Unestablishable(None),
            Some(bare(
                "unestablishable",
                "what the command reads cannot be established",
            )),
        ),
        (ShellFinding::Declined, None),
        (ShellFinding::Clean, None),
    ];
    for (finding, expected) in rows {
        let row = format!("{finding:?}");
        // The hook asks, so that each of them ends as the ask does.
        let asks = |resolved| {
            let case = Case::new().policy(PolicyRuling::Ask).resolves(resolved);
            case.says(reads(finding.clone())).finish()
        };
        assert_eq!(asks(Resolved::NO).details(), expected.as_ref(), "{row}");
        assert_eq!(asks(Resolved::YES).details(), None, "{row}");
    }
}

/// The stricter of both judges counts, whichever of them is wired. Source: G130–G132.
#[test]
fn the_write_protection_cause_is_added_once_from_the_stricter_of_both_judges() {
    let cause_of = |protection| match protection {
        WriteProtection::None => None,
        WriteProtection::Matched => Some(Cause::WriteProtected),
        WriteProtection::Unresolved => Some(Cause::WriteUnresolved),
    };
    for shell in WriteProtection::ALL {
        let finished = stated().says(writes(*shell)).finish();
        let expected = Vec::from_iter(cause_of(*shell));
        assert_eq!(causes(&finished.record()), expected, "{shell} alone");
        for judge in WriteProtection::ALL {
            let case = stated().says(writes(*shell));
            let finished = case.says(Answer::WriteJudge(Ok(*judge))).finish();
            let expected = Vec::from_iter(cause_of(*shell.max(judge)));
            let row = format!("{shell} and {judge}");
            assert_eq!(causes(&finished.record()), expected, "{row}");
            let asked = finished.record().fields().asked.clone();
            for asker in asked.iter().flat_map(|asked| &asked.askers) {
                assert_eq!(asker.station, Station::WriteProtection, "{row}");
            }
        }
    }
}

#[test]
fn an_allow_that_nobody_stated_is_an_ask_if_the_host_says_so() {
    let rows = [
        (None, Unstated::Ask, "deny ask_resolution"),
        (Some(UNSTATED), Unstated::Ask, "deny ask_resolution"),
        (Some(STATED), Unstated::Ask, "allow policy"),
        (None, Unstated::Allow, "allow default"),
        (Some(UNSTATED), Unstated::Allow, "allow default"),
        (Some(STATED), Unstated::Allow, "allow policy"),
    ];
    for (ruling, unstated, expected) in rows {
        let case = Case::new().with(|input| input.unstated(unstated));
        let case = ruling.into_iter().fold(case, Case::policy);
        let finished = case.finish();
        let row = format!("{ruling:?} {unstated}");
        assert_eq!(disposition(&finished), expected, "{row}");
        let unstated = expected == "deny ask_resolution";
        let expected = Vec::from_iter(unstated.then_some(Cause::Unstated));
        assert_eq!(causes(&finished.record()), expected, "{row}");
    }
}

/// Station 12 acts over an allow, as every tighten does.
#[test]
fn what_is_an_ask_already_is_not_asked_for_being_unstated_too() {
    let finished = Case::new().says(irreversible()).finish();
    assert_eq!(causes(&finished.record()), [Cause::Irreversible]);
}

/// The yes states the call.
#[test]
fn an_edited_call_is_not_asked_for_being_unstated() {
    let finished = Case::new().resolves(edits(OTHER)).finish();
    assert_eq!(
        account(&finished),
        "allow ask_resolution; asked by unstated; settled yes person"
    );
}

/// Source: G129.
#[test]
fn the_offer_of_a_directory_rides_the_ask_only_if_the_shell_reader_alone_objects() {
    let offer = Offer {
        directory: "/srv/data".into(),
    };
    let case = || {
        let read = Answer::ShellRead(Ok(ShellRead {
            finding: ShellFinding::OutOfRoot(None),
            offer: Some(offer.clone()),
            ..ShellRead::UNWIRED
        }));
        stated().says(read)
    };
    let matched = Answer::WriteJudge(Ok(WriteProtection::Matched));
    let rows = [
        (case(), true),
        (case().says(probed(Reversibility::Reversible, true)), true),
        (case().says(irreversible()), false),
        (case().says(outside()), false),
        (case().says(matched), false),
        (case().org(OrgRuling::Ask), false),
    ];
    for (case, rides) in rows {
        let ended = case.run();
        let Some(Question::Resolve(question)) = ended.asked.last() else {
            panic!("the last seat is resolve")
        };
        let row = format!("{:?}", question.ask.askers);
        assert_eq!(question.offer.is_some(), rides, "{row}");
    }
}

#[test]
fn a_protected_write_says_why_it_asks_and_what_was_not_found_out() {
    for (judged, reason) in [
        (WriteProtection::Matched, "the target is write-protected"),
        (
            WriteProtection::Unresolved,
            "whether the target is write-protected is not known",
        ),
    ] {
        let ended = stated().says(Answer::WriteJudge(Ok(judged))).run();
        let Some(Question::Resolve(question)) = ended.asked.last() else {
            panic!("the last seat is resolve")
        };
        let [asker] = question.ask.askers.as_slice() else {
            panic!("{:?}", question.ask.askers)
        };
        assert_eq!(asker.reason.as_ref().unwrap().as_str(), reason);
    }
}
