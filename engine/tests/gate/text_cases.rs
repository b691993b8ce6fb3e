//! A case for each text that a refusal or an ask can have.

use gatefold::gate::*;

use crate::case::*;
use crate::prior::{self, classification};

/// A case for each text of a refusal, by name.
pub fn refusal_cases() -> Vec<(&'static str, Case)> {
    let mut cases = by_hooks();
    cases.extend(by_layers());
    cases.extend(of_asks());
    cases
}

/// What ends before the policy is asked.
fn by_hooks() -> Vec<(&'static str, Case)> {
    let hook = |outcome| {
        Case::new()
            .guard("guard-rm")
            .hooks(&[("guard-rm", outcome)])
    };
    let mut denies = HookAnswer::plain(HookDecision::Deny);
    denies.reason = Some("it deletes the build".into());
    let both = [
        ("a", rewrites(HookDecision::None, OTHER)),
        ("b", rewrites(HookDecision::None, THIRD)),
    ];
    let two = Case::new().guard("a").guard("b").hooks(&both);
    let threw = Answer::Hook(Err(SeatFailure::threw("no shell")));
    vec![
        ("compliance", Case::new().with(|input| input.lock(true))),
        ("plan_mode", Case::new().mode(Mode::Plan)),
        ("hook", hook(said(HookDecision::Deny))),
        ("hook, with words", hook(HookOutcome::Answered(denies))),
        (
            "hook, out of contract",
            hook(said(HookDecision::OutOfContract)),
        ),
        (
            "hook, rewrite that is no args",
            hook(rewrites(HookDecision::Allow, "[]")),
        ),
        ("hooks, two rewrites", two),
        (
            "engine, hook threw",
            hook(HookOutcome::Threw("exit 3".into())),
        ),
        ("engine, hook timed out", hook(HookOutcome::TimedOut)),
        (
            "engine, hook malformed",
            hook(HookOutcome::Malformed("no JSON".into())),
        ),
        (
            "engine, hook silent",
            Case::new().guard("guard-rm").hooks(&[]),
        ),
        (
            "engine, hooks threw",
            Case::new().guard("guard-rm").says(threw),
        ),
    ]
}

/// What the policy, the tightens, the organisation and the rules refuse.
fn by_layers() -> Vec<(&'static str, Case)> {
    let card = Card {
        finding: "reads_secret".into(),
        text: "it reads a private key".into(),
    };
    let refused = Answer::ShellRead(Ok(ShellRead {
        finding: ShellFinding::Refused(card),
        ..ShellRead::UNWIRED
    }));
    let says = |answer| Case::new().says(answer);
    let adjudicates = |reply| says(Answer::Adjudicate(reply));
    let worded_policy = Adjudication {
        judgements: vec![worded(PolicyRuling::Deny)],
        ..Adjudication::default()
    };
    let org = |reply| says(Answer::Org(reply));
    let rule = Answer::Rules(Ok(vec![worded(RuleRuling::Deny)]));
    let protected = |found| {
        let edited = Case::new().resolves(edits(OTHER));
        let none = Answer::WriteJudge(Ok(WriteProtection::None));
        edited.says(none).says(Answer::WriteJudge(Ok(found)))
    };
    vec![
        (
            "engine, policy threw",
            adjudicates(Err(SeatFailure::threw("bad file"))),
        ),
        (
            "engine, policy timed out",
            adjudicates(Err(SeatFailure::TimedOut)),
        ),
        (
            "engine, policy misses a judgement",
            adjudicates(Ok(Adjudication::default())),
        ),
        (
            "engine, policy's rewrite is no args",
            says(policy(STATED, Some("[]"))),
        ),
        ("engine, org timed out", org(Err(SeatFailure::TimedOut))),
        (
            "engine, aborted",
            says(Answer::Probe(Err(SeatFailure::Aborted))),
        ),
        ("policy", Case::new().policy(PolicyRuling::Deny)),
        ("policy, with words", adjudicates(Ok(worded_policy))),
        ("org", Case::new().org(OrgRuling::Deny)),
        ("org, with words", org(Ok(vec![worded(OrgRuling::Deny)]))),
        ("rule", Case::new().rules(RuleRuling::Deny)),
        ("rule, with words", says(rule)),
        ("shell_read", says(refused)),
        (
            "write_protection, matched",
            protected(WriteProtection::Matched),
        ),
        (
            "write_protection, unresolved",
            protected(WriteProtection::Unresolved),
        ),
    ]
}

/// How a standing ask ends in a refusal.
fn of_asks() -> Vec<(&'static str, Case)> {
    let classifies = |classification| {
        let auto = Case::new().mode(Mode::Auto);
        auto.says(Answer::Classify(Ok(classification)))
    };
    let auto = |ruling| classifies(classification(ruling));
    let mut blocks = classification(ClassifierRuling::Block);
    blocks.reason = Some("it installs software".into());
    let copies = || {
        Case::new().says(Answer::ShellRead(Ok(ShellRead {
            unplaced_options: Some(CopyProgram::Mv),
            ..ShellRead::UNWIRED
        })))
    };
    let no = |by, reason: Option<&str>| {
        let reason = reason.map(Text::from);
        Case::new().resolves(Resolved::No { by, reason })
    };
    let (book, id) = prior::settled(&prior::settling(Resolved::NO));
    let no_edits = Settings {
        edit_cap: 0,
        ..Settings::default()
    };
    let capped = Case::new().with(|input| input.settings(no_edits));
    vec![
        ("classifier", auto(ClassifierRuling::Block)),
        ("classifier, with words", classifies(blocks)),
        (
            "classifier, unavailable",
            auto(ClassifierRuling::Unavailable),
        ),
        (
            "classifier, parse_error",
            auto(ClassifierRuling::ParseError),
        ),
        ("mode", Case::new().mode(Mode::DontAsk)),
        ("mode, mv", copies().mode(Mode::DontAsk)),
        ("edit_cap", capped.resolves(edits(OTHER))),
        ("ask_resolution, no", no(Answerer::Person, None)),
        (
            "ask_resolution, no, with words",
            no(Answerer::Person, Some("not today")),
        ),
        (
            "ask_resolution, delegate's no",
            no(Answerer::Delegate, None),
        ),
        ("ask_resolution, nobody, mv", copies()),
        ("ask_resolution, attested no", prior::allows_with(&book, id)),
        (
            "ask_resolution, edit that is no args",
            Case::new().resolves(edits("[]")),
        ),
    ]
}

pub fn unanswered() -> Vec<(Unanswered, Case)> {
    let shows = Facts {
        shows_content: true,
        ..Facts::UNKNOWN
    };
    let unshown = Case::new()
        .facts(shows)
        .says(Answer::Present(Ok(Presented::Cannot)));
    vec![
        (
            Unanswered::Timeout,
            Case::new().says(Answer::Resolve(Err(SeatFailure::TimedOut))),
        ),
        (
            Unanswered::Aborted,
            Case::new().says(Answer::Resolve(Err(SeatFailure::Aborted))),
        ),
        (Unanswered::Nobody, Case::new()),
        (Unanswered::Unshown, unshown),
        (
            Unanswered::Failed,
            Case::new().says(Answer::Resolve(Err(SeatFailure::threw("no window")))),
        ),
    ]
}

/// A case that asks for each cause that objects, in declared order.
pub fn objections() -> Vec<(Cause, Case)> {
    let probe = |finding| {
        Answer::Probe(Ok(Probe {
            finding,
            boundary_declined: false,
        }))
    };
    let reads = |finding| {
        Answer::ShellRead(Ok(ShellRead {
            finding,
            part: Some("cat x".into()),
            ..ShellRead::UNWIRED
        }))
    };
    let auto = || Case::new().mode(Mode::Auto);
    let mut asks = HookAnswer::plain(HookDecision::Ask);
    asks.reason = Some("it installs".into());
    let worded_policy = Answer::Adjudicate(Ok(Adjudication {
        judgements: vec![worded(PolicyRuling::Ask)],
        ..Adjudication::default()
    }));
    let mut unsure = classification(ClassifierRuling::Ask);
    unsure.reason = Some("it might phone home".into());
    // The first ask is answered with an edit, and the policy rewrites the edited call.
    let edited_twice = Case::new()
        .says(policy(UNSTATED, None))
        .says(policy(UNSTATED, Some(THIRD)))
        .resolves(edits(OTHER))
        .says(Answer::Park(Ok(Parking::Declined)));
    let rows = vec![
        (Cause::Unstated, Case::new()),
        (
            Cause::Irreversible,
            Case::new().says(probe(Reversibility::Irreversible)),
        ),
        (
            Cause::Outside,
            Case::new().says(Answer::Egress(Ok(Egress::Outside(Some(
                "example.org".into(),
            ))))),
        ),
        (
            Cause::ReadDeclined,
            Case::new().says(reads(ShellFinding::Declined)),
        ),
        (
            Cause::ProbeOutOfRoot,
            Case::new().says(probe(Reversibility::OutOfRoot)),
        ),
        (
            Cause::ReadOutOfRoot,
            Case::new().says(reads(ShellFinding::OutOfRoot(None))),
        ),
        (
            Cause::Unestablishable,
            Case::new().says(reads(ShellFinding::Unestablishable(None))),
        ),
        (
            Cause::WriteProtected,
            Case::new().says(Answer::WriteJudge(Ok(WriteProtection::Matched))),
        ),
        (
            Cause::WriteUnresolved,
            Case::new().says(Answer::WriteJudge(Ok(WriteProtection::Unresolved))),
        ),
        (
            Cause::ProbeUnanswered,
            Case::new().says(Answer::Probe(Err(SeatFailure::TimedOut))),
        ),
        (
            Cause::RulesUnreadable,
            Case::new().says(Answer::Rules(Err(SeatFailure::threw("line 3")))),
        ),
        (Cause::Policy, Case::new().says(worded_policy)),
        (
            Cause::Hook,
            Case::new()
                .guard("g")
                .hooks(&[("g", HookOutcome::Answered(asks))]),
        ),
        (
            Cause::Org,
            Case::new().says(Answer::Org(Ok(vec![worded(OrgRuling::Ask)]))),
        ),
        (
            Cause::Rule,
            Case::new().says(Answer::Rules(Ok(vec![worded(RuleRuling::Ask)]))),
        ),
        (Cause::Edit, edited_twice),
        (Cause::Classifier, auto().says(Answer::Classify(Ok(unsure)))),
        (Cause::DenialLimit, auto().with(|input| input.denials(3))),
    ];
    let parks =
        |(cause, case): (Cause, Case)| (cause, case.says(Answer::Park(Ok(Parking::Parked))));
    rows.into_iter().map(parks).collect()
}

/// A judgement with a reason and the rule behind it.
pub fn worded<R>(ruling: R) -> Judgement<R> {
    Judgement {
        reason: Some("not on a Friday".into()),
        basis: Some(Basis {
            layer: "managed".into(),
            file: None,
            list: "deny".into(),
            index: 0,
            rule: "Bash(make:*)".into(),
            part: None,
        }),
        ..judgement(ruling)
    }
}
