//! §14: what earlier drafts of the design fell into, one sentence a trap, as it must not be.

use gatefold::gate::*;

use crate::case::*;
use crate::prior::{allows_with, attesting, classification, settled, settled_about, settling};
use crate::tell::{ends, runs, story, times};

/// An attested refusal riding on an allow ran.
#[test]
fn an_attested_refusal_riding_on_an_allow_does_not_run() {
    for shown in [Resolved::NO, Resolved::Unanswered(NoAnswer::Timeout)] {
        let (book, id) = settled(&settling(shown.clone()));
        let ended = allows_with(&book, id).mode(Mode::Bypass).finish();
        assert_eq!(
            ended.outcome().denied_by(),
            Some(DeniedBy::AskResolution),
            "{shown:?}"
        );
        assert_eq!(runs(&ended), None, "{shown:?}");
    }
}

/// A yes for old args covered a rewrite.
#[test]
fn a_yes_for_the_old_args_does_not_cover_a_rewrite() {
    let (book, id) = settled(&settling(Resolved::YES));
    let case = Case::new()
        .with(|input| input.attestations(book))
        .says(attesting(UNSTATED, Some(id), Some(OTHER)));
    let ended = case.finish();
    assert_eq!(
        story(&ended),
        "deny ask_resolution; unanswered: nobody, owed to unstated"
    );
    assert_eq!(times(&ended, NoticeWord::AttestationIgnored), 1);
}

/// … nor one that a hook made before the policy was asked.
#[test]
fn a_yes_for_the_old_args_does_not_cover_a_hooks_rewrite() {
    let (book, id) = settled(&settling(Resolved::YES));
    let rewrite = ("g", rewrites(HookDecision::None, OTHER));
    let case = Case::new()
        .with(|input| input.attestations(book))
        .guard("g")
        .hooks(&[rewrite])
        .says(attesting(UNSTATED, Some(id), None));
    assert_eq!(
        ends(&case),
        "deny ask_resolution; unanswered: nobody, owed to unstated"
    );
}

/// The ledger kept a yes through mode and classifier.
#[test]
fn the_ledger_keeps_no_yes_through_mode_and_classifier() {
    let (book, id) = settled(&settling(Resolved::YES));
    let outside = Answer::Egress(Ok(Egress::Outside(None)));
    let asks = || allows_with(&book, id).says(outside.clone());
    let classifies = |ruling| {
        let answer = Answer::Classify(Ok(classification(ruling)));
        asks().mode(Mode::Auto).says(answer)
    };
    for (name, case, expected) in [
        ("bypass", asks().mode(Mode::Bypass), "allow mode"),
        ("dont_ask", asks().mode(Mode::DontAsk), "deny mode"),
        (
            "allow",
            classifies(ClassifierRuling::Allow),
            "allow classifier",
        ),
        (
            "block",
            classifies(ClassifierRuling::Block),
            "deny classifier",
        ),
        (
            "unavailable",
            classifies(ClassifierRuling::Unavailable),
            "deny classifier",
        ),
    ] {
        let ended = case.finish();
        assert_eq!(story(&ended), expected, "{name}");
        assert_eq!(times(&ended, NoticeWord::SettlementSuperseded), 1, "{name}");
    }
}

/// A policy ask in an edit round threw the person's yes away.
#[test]
fn a_policy_ask_in_an_edit_round_leaves_the_yes_to_be_vetoed() {
    let asks = || {
        Case::new()
            .policy(UNSTATED)
            .policy(PolicyRuling::Ask)
            .resolves(edits(OTHER))
    };
    let org = asks().org(OrgRuling::None).org(OrgRuling::Deny);
    assert_eq!(
        ends(&org),
        "deny org; yes by person, edited, owed to unstated"
    );
    let rule = asks().rules(RuleRuling::None).rules(RuleRuling::Deny);
    assert_eq!(
        ends(&rule),
        "deny rule; yes by person, edited, owed to unstated"
    );
}

/// An edited and approved call left as `default`.
#[test]
fn an_edited_and_approved_call_does_not_leave_as_default() {
    let case = Case::new().policy(UNSTATED).resolves(edits(OTHER));
    assert_eq!(
        ends(&case),
        "allow ask_resolution; yes by person, edited, owed to unstated"
    );
}

/// A shown snapshot was run unjudged.
#[test]
fn a_shown_snapshot_of_other_args_is_not_run() {
    let shows = Facts {
        shows_content: true,
        ..Facts::UNKNOWN
    };
    for snapshot in [args(OTHER).digest(), Digest::of(b"a file"), Digest::of(b"")] {
        let case = Case::new()
            .facts(shows)
            .says(Answer::Present(Ok(Presented::Shown(snapshot))))
            .resolves(Resolved::YES);
        assert_eq!(
            ends(&case),
            "deny ask_resolution; unanswered: unshown, owed to unstated"
        );
    }
}

/// A rewrite of an edit ran unseen.
#[test]
fn a_rewrite_of_an_edit_does_not_run_unseen() {
    let none = ("g", said(HookDecision::None));
    let rewrite = ("g", rewrites(HookDecision::None, THIRD));
    let by_hook = Case::new().guard("g").hooks(&[none]).hooks(&[rewrite]);
    let by_policy = Case::new()
        .policy(UNSTATED)
        .says(policy(STATED, Some(THIRD)));
    for (name, case) in [("hook", by_hook), ("policy", by_policy)] {
        let ended = case.resolves(edits(OTHER)).resolves(Resolved::NO).finish();
        assert_eq!(
            story(&ended),
            "deny ask_resolution; no by person, owed to edit",
            "{name}"
        );
    }
}

/// Facts of the old args cleared an ask about the new ones.
#[test]
fn facts_of_the_old_args_clear_no_ask_about_the_new_ones() {
    let reads = |read_only| Facts {
        read_only,
        ..Facts::UNKNOWN
    };
    let case = |second| {
        Case::new()
            .facts(reads(ReadOnly::Yes))
            .facts(reads(second))
            .says(policy(UNSTATED, Some(OTHER)))
    };
    let nobody = "deny ask_resolution; unanswered: nobody, owed to unstated";
    assert_eq!(ends(&case(ReadOnly::No)), nobody);
    assert_eq!(ends(&case(ReadOnly::Unknown)), nobody);
    assert_eq!(ends(&case(ReadOnly::Yes)), "allow read_only");
    assert_eq!(ends(&case(ReadOnly::No).mode(Mode::Plan)), "deny plan_mode");
}

/// A cancelled call ran through the allow layer.
#[test]
fn a_cancelled_call_does_not_run_through_the_allow_layer() {
    let reads_only = Facts {
        read_only: ReadOnly::Yes,
        ..Facts::UNKNOWN
    };
    let allow = [("g", said(HookDecision::Allow))];
    let clears = || Case::new().facts(reads_only).guard("g").hooks(&allow);
    let aborted = SeatFailure::Aborted;
    for case in [
        clears().says(Answer::Rules(Err(aborted.clone()))),
        clears().says(Answer::Org(Err(aborted.clone()))),
        clears().says(Answer::Probe(Err(aborted.clone()))),
        clears().says(Answer::Adjudicate(Err(aborted))),
    ] {
        assert_eq!(ends(&case), "deny engine");
    }
}

/// A classifier's "ask" was answered by the sandbox, and so was an ancestor's block.
#[test]
fn neither_a_classifiers_ask_nor_an_ancestors_block_is_answered_by_the_sandbox() {
    let shell = Facts {
        kind: ToolKind::Shell,
        ..Facts::UNKNOWN
    };
    let case = |ruling| {
        Case::new()
            .facts(shell)
            .says(Answer::Classify(Ok(classification(ruling))))
            .says(Answer::Sandbox(Ok(Sandbox::Admitted(None))))
    };
    let nobody = "deny ask_resolution; unanswered: nobody, owed to unstated";
    let asks = case(ClassifierRuling::Ask);
    assert_eq!(ends(&asks.clone().mode(Mode::Auto)), nobody);
    assert_eq!(ends(&asks.clone().ancestor(Mode::Auto)), nobody);
    assert_eq!(ends(&asks.mode(Mode::Bypass).ancestor(Mode::Auto)), nobody);
    let blocks = case(ClassifierRuling::Block);
    assert_eq!(
        ends(&blocks.clone().ancestor(Mode::Auto)),
        "deny classifier"
    );
    assert_eq!(
        ends(&blocks.mode(Mode::Bypass).ancestor(Mode::Auto)),
        "deny classifier"
    );
}

/// Hook A's allow covered hook B's rewrite.
#[test]
fn one_hooks_allow_does_not_cover_another_hooks_rewrite() {
    let case = |second| {
        let allow = ("a", said(HookDecision::Allow));
        let rewrite = ("b", rewrites(HookDecision::None, OTHER));
        let none = ("b", said(HookDecision::None));
        Case::new()
            .guard("a")
            .guard("b")
            .hooks(&[allow, rewrite])
            .hooks(&[("a", said(second)), none])
    };
    let nobody = "deny ask_resolution; unanswered: nobody, owed to unstated";
    assert_eq!(ends(&case(HookDecision::None)), nobody);
    // Asked about the rewritten args, it may allow those.
    let ended = case(HookDecision::Allow).finish();
    assert_eq!(story(&ended), "allow hook");
    assert_eq!(runs(&ended), Some(OTHER));
}

/// A failed shell reader was looser than an honest "unresolved".
#[test]
fn a_failed_shell_reader_is_no_looser_than_one_that_could_not_tell() {
    let honest = Answer::ShellRead(Ok(ShellRead {
        finding: ShellFinding::Unestablishable(None),
        write_protection: WriteProtection::Unresolved,
        ..ShellRead::UNWIRED
    }));
    for mode in Mode::ALL {
        let case = || {
            Case::new()
                .mode(*mode)
                .policy(STATED)
                .says(Answer::Classify(Ok(classification(
                    ClassifierRuling::Allow,
                ))))
        };
        let expected = ends(&case().says(honest.clone()));
        for failure in [SeatFailure::threw("x"), SeatFailure::TimedOut] {
            let failed = ends(&case().says(Answer::ShellRead(Err(failure))));
            assert_eq!(failed, expected, "{mode}");
            assert!(failed.starts_with("deny "), "{mode}: {failed}");
        }
    }
}

/// A missing judgement hid a deny.
#[test]
fn a_missing_judgement_hides_no_deny() {
    let parent = || Case::new().ancestor(Mode::Default);
    let adjudicates = |judgements| {
        parent().says(Answer::Adjudicate(Ok(Adjudication {
            judgements,
            ..Adjudication::default()
        })))
    };
    let allow = || judged(Form::Current, 0, STATED);
    // A second judgement of the caller keeps the answer from being spread over the lineage.
    assert_eq!(ends(&adjudicates(vec![allow(), allow()])), "deny engine");
    let denies = judged(Form::Current, 0, PolicyRuling::Deny);
    assert_eq!(ends(&adjudicates(vec![allow(), denies])), "deny policy");
    let org = |ruling| {
        vec![
            judged(Form::Current, 1, OrgRuling::None),
            judged(Form::Current, 1, ruling),
        ]
    };
    let answers = |judgements| parent().says(Answer::Org(Ok(judgements)));
    assert_eq!(ends(&answers(org(OrgRuling::Deny))), "deny org");
    assert_eq!(ends(&answers(org(OrgRuling::None))), "deny engine");
    let rules = |ruling| {
        vec![
            judged(Form::Current, 1, RuleRuling::None),
            judged(Form::Current, 1, ruling),
        ]
    };
    let stored = |judgements| parent().says(Answer::Rules(Ok(judgements)));
    assert_eq!(ends(&stored(rules(RuleRuling::Deny))), "deny rule");
    let allows = stored(rules(RuleRuling::Allow { grant: None }));
    assert_eq!(
        ends(&allows),
        "deny ask_resolution; unanswered: nobody, owed to rule"
    );
}

/// Two copies of a parked pass both ran.
#[test]
fn of_two_copies_of_a_parked_pass_one_runs() {
    let key = SealKey::new(&[7; 32]).unwrap();
    let case = Case::new().says(Answer::Park(Ok(Parking::Parked)));
    let Suspended { ticket, parked } = case.run().suspended();
    let text = parked.save(&key).unwrap();
    let mut book = TicketBook::new();
    book.open(&ticket).unwrap();
    let mut ran = 0;
    for copy in [
        parked,
        Parked::load(&text, &key).unwrap(),
        Parked::load(&text, &key).unwrap(),
    ] {
        match copy.resume(&ticket, &mut book, &case.input()) {
            Ok(step) => {
                let ended = Case::new()
                    .resolves(Resolved::YES)
                    .run_from(step)
                    .finished();
                assert_eq!(runs(&ended), Some(ASKED));
                ran += 1;
            }
            Err(misuse) => assert_eq!(misuse.code(), "ticket_settled"),
        }
    }
    assert_eq!(ran, 1);
}

/// A policy changed while parked was never seen.
#[test]
fn a_policy_that_changed_while_the_pass_was_parked_is_seen() {
    let case = Case::new()
        .with(|input| input.policy(Digest::of(b"old")))
        .says(Answer::Park(Ok(Parking::Parked)));
    let Suspended { ticket, parked } = case.run().suspended();
    let mut book = TicketBook::new();
    book.open(&ticket).unwrap();
    let now = case.with(|input| input.policy(Digest::of(b"new"))).input();
    let misuse = parked.resume(&ticket, &mut book, &now).unwrap_err();
    assert_eq!(misuse.code(), "ticket_stale");
    assert_eq!(book.state(&ticket), Some(TicketState::Open));
}

/// A child in bypass under a parent in default.
#[test]
fn a_child_in_bypass_under_a_parent_in_default_is_asked_about() {
    let nobody = "deny ask_resolution; unanswered: nobody, owed to unstated";
    for parent in [Mode::Default, Mode::AcceptEdits, Mode::Auto] {
        let case = Case::new().mode(Mode::Bypass).ancestor(parent);
        assert_eq!(ends(&case), nobody, "{parent}");
        let between = Case::new()
            .mode(Mode::Bypass)
            .ancestor(Mode::Bypass)
            .ancestor(parent);
        assert_eq!(ends(&between), nobody, "{parent}, two above");
    }
}

/// A line that could not be read ran in bypass past a deny that would have matched it: a layer with
/// such a deny answers ask, and no mode releases that.
#[test]
fn a_line_that_could_not_be_read_does_not_run_in_bypass_past_a_deny_that_could_match_it() {
    let unread = Answer::ShellRead(Ok(ShellRead {
        finding: ShellFinding::Unestablishable(None),
        ..ShellRead::UNWIRED
    }));
    let case = || Case::new().mode(Mode::Bypass).says(unread.clone());
    let nobody = |origin| format!("deny ask_resolution; unanswered: nobody, owed to {origin}");
    assert_eq!(ends(&case().policy(PolicyRuling::Ask)), nobody("policy"));
    assert_eq!(ends(&case().org(OrgRuling::Ask)), nobody("org"));
    assert_eq!(ends(&case().rules(RuleRuling::Ask)), nobody("rule"));
    // With no such deny it is released, and the release says what it went past.
    let released = case().finish().outcome().released().unwrap();
    assert!(released.past_read_deny);
}

/// A yes for a rewrite is a yes for what runs: the other half of the first trap.
#[test]
fn a_yes_for_the_rewritten_args_covers_the_rewrite() {
    let of = Call {
        args: args(OTHER),
        ..call()
    };
    let (book, id) = settled_about(of, Resolved::YES);
    let case = Case::new()
        .with(|input| input.attestations(book))
        .says(attesting(UNSTATED, Some(id), Some(OTHER)));
    assert_eq!(ends(&case), "allow policy; yes by person, owed to unstated");
}
