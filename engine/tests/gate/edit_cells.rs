//! §5: what an edit empties, and what it keeps.

use gatefold::gate::*;

use crate::case::*;
use crate::prior::{attesting, classification, round, settled, settling};
use crate::tell::{ends, parks, resolutions, story};

/// The first ask is answered with an edit, the second with a no.
fn edited() -> Case {
    Case::new().resolves(edits(OTHER)).resolves(Resolved::NO)
}

/// What the hook allowed it allowed of other args.
#[test]
fn an_edit_empties_the_hooks_standing() {
    let asks = ("g", said(HookDecision::Ask));
    let none = ("g", said(HookDecision::None));
    let case = edited().guard("g").hooks(&[asks]).hooks(&[none]);
    assert_eq!(
        ends(&case),
        "allow ask_resolution; yes by person, edited, owed to hook"
    );
}

/// Written in round 0, not found again in round 1: neither protection nor reads nor probe.
#[test]
fn an_edit_empties_what_the_tightens_found() {
    let shell = |finding, write_protection, unplaced_options| {
        Answer::ShellRead(Ok(ShellRead {
            finding,
            write_protection,
            unplaced_options,
            ..ShellRead::UNWIRED
        }))
    };
    let found = shell(
        ShellFinding::Unestablishable(None),
        WriteProtection::Unresolved,
        Some(CopyProgram::Cp),
    );
    let clean = shell(ShellFinding::Clean, WriteProtection::None, None);
    let case = edited().says(found.clone()).says(clean.clone());
    assert_eq!(
        ends(&case),
        "allow ask_resolution; yes by person, edited, owed to write_protection"
    );
    // Asked anew for another reason, the refusal names no program: the new args have none.
    let again = case.policy(STATED).policy(PolicyRuling::Ask).finish();
    assert_eq!(
        story(&again),
        "deny ask_resolution; no by person, owed to edit"
    );
    assert!(!again.reason().unwrap().contains("`cp`"));
}

#[test]
fn an_edit_empties_the_facts_and_what_was_shown() {
    let shows = Facts {
        shows_content: true,
        ..Facts::UNKNOWN
    };
    let digest = args(ASKED).digest();
    let ended = edited()
        .facts(shows)
        .facts(Facts::UNKNOWN)
        .says(Answer::Present(Ok(Presented::Shown(digest))))
        .policy(STATED)
        .policy(PolicyRuling::Ask)
        .says(Answer::Egress(Ok(Egress::Outside(None))))
        .says(Answer::Park(Ok(Parking::Declined)))
        .run();
    let sites: Vec<_> = parks(&ended.asked).map(|question| question.site).collect();
    assert_eq!(sites, [ParkSite::Content, ParkSite::ReAsk]);
    assert_eq!(ended.finished().record().fields().digests.shown, None);
}

#[test]
fn an_edit_empties_the_offer() {
    let far = Answer::ShellRead(Ok(ShellRead {
        finding: ShellFinding::OutOfRoot(None),
        offer: Some(Offer {
            directory: "/srv".into(),
        }),
        ..ShellRead::UNWIRED
    }));
    let clean = Answer::ShellRead(Ok(ShellRead::UNWIRED));
    let ended = edited()
        .says(far)
        .says(clean)
        .policy(STATED)
        .policy(PolicyRuling::Ask)
        .run();
    let offers = resolutions(&ended.asked).map(|question| question.offer.is_some());
    let offers: Vec<_> = offers.collect();
    assert_eq!(offers, [true, false]);
}

#[test]
fn an_edit_keeps_context_causes_rounds_and_the_failed_park() {
    let with_context = |context: &str| {
        let mut answer = HookAnswer::plain(HookDecision::None);
        answer.context = Some(context.into());
        HookOutcome::Answered(answer)
    };
    let ended = edited()
        .mode(Mode::Auto)
        .guard("g")
        .hooks(&[("g", with_context("one"))])
        .hooks(&[("g", with_context("two"))])
        .says(Answer::Classify(Ok(classification(ClassifierRuling::Ask))))
        .policy(UNSTATED)
        .policy(PolicyRuling::Ask)
        .says(Answer::Park(Ok(Parking::Failed("no room".into()))))
        .says(Answer::Park(Ok(Parking::Declined)))
        .finish();
    let context: Vec<_> = ended.context().iter().map(AsRef::as_ref).collect();
    assert_eq!(context, ["one", "two"]);
    assert_eq!(ended.outcome().classifier(), Some(&round()));
    let asked = ended.record().fields().asked.clone().unwrap();
    let askers: Vec<_> = asked
        .askers
        .iter()
        .map(|asker| (asker.cause, asker.round))
        .collect();
    assert_eq!(
        askers,
        [
            (Cause::Unstated, 0),
            (Cause::Classifier, 0),
            (Cause::Policy, 1),
            (Cause::Edit, 1),
        ]
    );
    assert!(
        ended
            .reason()
            .unwrap()
            .ends_with("; parking the ask was tried and failed: no room")
    );
}

/// Aborted in an edit round: while it is judged the yes stays, once it is asked it does not.
#[test]
fn an_abort_in_an_edit_round_ends_it_by_where_it_stands() {
    let twice = |answer: Answer, aborted: Answer| {
        edited()
            .policy(UNSTATED)
            .policy(PolicyRuling::Ask)
            .says(answer)
            .says(aborted)
    };
    let aborted = SeatFailure::Aborted;
    let at_rules = twice(
        Answer::Rules(Ok(vec![judgement(RuleRuling::None)])),
        Answer::Rules(Err(aborted.clone())),
    );
    assert_eq!(
        ends(&at_rules),
        "deny engine; yes by person, edited, owed to unstated"
    );
    let at_park = twice(
        Answer::Park(Ok(Parking::Declined)),
        Answer::Park(Err(aborted)),
    );
    assert_eq!(
        ends(&at_park),
        "deny ask_resolution; unanswered: aborted, owed to edit"
    );
}

/// The shell reader is not asked again before the policy shows an attested refusal: nothing of what
/// it found about the old args stands on the result.
#[test]
fn what_was_found_about_the_old_args_is_not_told_of_the_edited_ones() {
    let (book, id) = settled(&settling(Resolved::NO));
    let card = Card {
        finding: "far".into(),
        text: "it reads /srv".into(),
    };
    let found = ShellRead {
        finding: ShellFinding::OutOfRoot(Some(card)),
        unplaced_options: Some(CopyProgram::Cp),
        ..ShellRead::UNWIRED
    };
    let ended = edited()
        .with(|input| input.attestations(book))
        .says(Answer::ShellRead(Ok(found)))
        .policy(UNSTATED)
        .says(attesting(STATED, Some(id), None))
        .finish();
    assert_eq!(
        story(&ended),
        "deny ask_resolution; no by person, owed to unstated"
    );
    assert_eq!(ended.details(), None);
    assert!(!ended.reason().unwrap().contains("`cp`"));
}

#[test]
fn the_trace_shows_what_an_edit_empties_and_nothing_else() {
    let ended = Case::new().resolves(edits(OTHER)).finish();
    let steps = ended.trace().unwrap().steps();
    let edit = steps
        .iter()
        .find(|step| step.station == Station::Edit)
        .unwrap();
    let digest = args(OTHER).digest().to_string();
    let written: Vec<_> = edit
        .wrote
        .iter()
        .map(|written| (written.cell.word(), written.value.as_str()))
        .collect();
    assert_eq!(
        written,
        [
            ("args", digest.as_str()),
            ("base", digest.as_str()),
            ("hook", "nothing"),
            ("facts", "empty"),
            ("verdict", "empty"),
            ("probe", "empty"),
            ("shell", "empty"),
            ("write_protection", "none"),
            ("allowed_by", "empty"),
            ("deny_card", "empty"),
            ("ask_card", "empty"),
            ("offer", "empty"),
            ("shown", "empty"),
            ("edit_round", "1"),
        ]
    );
}
