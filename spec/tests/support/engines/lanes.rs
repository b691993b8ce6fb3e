//! The lanes through real passes: who clears, releases or refuses a standing ask.

use gatefold::gate::*;

use super::super::host::{
    ASKED, Host, OTHER, STATED, args, causes, edits, judged, listed, probes, reads, said,
};
use super::super::{At, Says, or_none, yes_no};

/// A host that leaves an ask whose widest bar class is this one. Nobody states anything, so if
/// nothing else objects, `unstated` does.
pub fn of_class(host: Host, class: BarClass) -> Host {
    match class {
        BarClass::Open => host,
        BarClass::Unread => host.says(probes(Reversibility::Reversible, true)),
        BarClass::Undoable => host.says(probes(Reversibility::Irreversible, false)),
        BarClass::Reach => host.says(Answer::Egress(Ok(Egress::Outside(None)))),
        BarClass::Mandated => host.says(probes(Reversibility::OutOfRoot, false)),
        BarClass::PersonOnly => host.org(OrgRuling::Ask),
    }
}

fn class(at: &At<'_>) -> BarClass {
    at.word("class", BarClass::from_word).unwrap()
}

pub fn allow_layer(at: &At<'_>) -> Says {
    let mut host = of_class(Host::new(), class(at)).resolves(Resolved::YES);
    if at.yes("stored") {
        host = host.rules(RuleRuling::Allow { grant: None });
    }
    if at.yes("hook") {
        host = host.guard(said(HookDecision::Allow, None));
    }
    let read_only = at.word("read_only", ReadOnly::from_word).unwrap();
    let finished = host.facts(|facts| facts.read_only = read_only).finish();
    let clears = match finished.outcome().allowed_by() {
        Some(AllowedBy::AskResolution) => "stands".into(),
        other => or_none(other),
    };
    vec![("clears", clears)]
}

pub fn classify(at: &At<'_>) -> Says {
    let mut host = of_class(Host::new(), class(at))
        .mode(at.word("caller", Mode::from_word).unwrap())
        .ancestor(at.word("ancestor", Mode::from_word))
        .settings(|settings| {
            settings.on_no_ruling = at.word("on_no_ruling", OnNoRuling::from_word).unwrap();
        })
        .resolves(Resolved::YES);
    if at.is("denials") == "at_limit" {
        host = host.with(|input| input.denials(Settings::default().denial_limit));
    }
    if let Some(ruling) = at.word("answer", ClassifierRuling::from_word) {
        host = host.says(Answer::Classify(Ok(Classification {
            ruling,
            round: None,
            reason: None,
        })));
    }
    let seen = host.run();
    let asked = seen.asks(Seat::Classify);
    let finished = seen.finished();
    let outcome = finished.outcome();
    let ends = match (outcome.allowed_by(), outcome.denied_by()) {
        (Some(AllowedBy::Classifier), _) => "allow",
        (_, Some(DeniedBy::Classifier)) => "deny",
        _ => "ask",
    };
    let mut added = causes(&finished);
    added.retain(|cause| matches!(cause, Cause::Classifier | Cause::DenialLimit));
    vec![
        ("asked", yes_no(asked)),
        ("ends", ends.into()),
        ("adds", listed(&added)),
        ("cause", or_none(outcome.cause())),
    ]
}

pub fn sandbox(at: &At<'_>) -> Says {
    let kind = at.word("kind", ToolKind::from_word).unwrap();
    let host = of_class(Host::new(), class(at)).resolves(Resolved::YES);
    let host = host.facts(|facts| facts.kind = kind);
    let seen = match at.is("answer") {
        "unwired" => host,
        "admitted" => host.says(Answer::Sandbox(Ok(Sandbox::Admitted(None)))),
        _ => host.says(Answer::Sandbox(Ok(Sandbox::Not))),
    }
    .run();
    let asked = seen.asks(Seat::Sandbox);
    let finished = seen.finished();
    let admitted = finished.outcome().allowed_by() == Some(AllowedBy::Sandbox);
    vec![
        ("asked", yes_no(asked)),
        ("ends", if admitted { "allow" } else { "ask" }.into()),
    ]
}

/// A call with the facts of the point, before a lineage in the modes of the point; nobody can be
/// asked. In plan mode only a known read comes as far as the modes.
pub fn arbitrated(at: &At<'_>, read: ShellRead) -> Finished {
    let caller = at.word("caller", Mode::from_word).unwrap();
    let ancestor = at.word("ancestor", Mode::from_word);
    let plans = caller == Mode::Plan || ancestor == Some(Mode::Plan);
    of_class(Host::new(), class(at))
        .mode(caller)
        .ancestor(ancestor)
        .facts(|facts| {
            facts.kind = match at.is("kind") {
                "edit" => ToolKind::Edit,
                _ => ToolKind::Other,
            };
            facts.edits_in_roots = at.yes("in_roots");
            facts.file_command = at.yes("file_command");
            facts.read_only = if plans { ReadOnly::Yes } else { ReadOnly::No };
        })
        .says(Answer::ShellRead(Ok(ShellRead {
            writes_placed: at.yes("writes_placed"),
            ..read
        })))
        .finish()
}

/// What the modes did with the ask, and the mode on record.
pub fn arbitration_of(finished: &Finished) -> (&'static str, String) {
    let outcome = finished.outcome();
    match (outcome.allowed_by(), outcome.denied_by()) {
        (Some(AllowedBy::Mode), _) => (
            "released",
            or_none(outcome.released().map(|card| card.mode)),
        ),
        (_, Some(DeniedBy::Mode)) => ("refused", or_none(outcome.refused().map(|card| card.mode))),
        (_, Some(DeniedBy::AskResolution)) => ("stands", "none".into()),
        (allowed, denied) => panic!("{allowed:?} {denied:?}"),
    }
}

pub fn arbitration(at: &At<'_>) -> Says {
    let finished = arbitrated(at, reads(ShellFinding::Clean));
    let (ends, mode) = arbitration_of(&finished);
    vec![("ends", ends.into()), ("mode", mode)]
}

/// A finding that leaves these reads standing.
pub fn finding(reads: ShellReads) -> ShellFinding {
    match reads {
        ShellReads::Clean => ShellFinding::Clean,
        ShellReads::OutOfRoot => ShellFinding::OutOfRoot(None),
        ShellReads::Unestablishable => ShellFinding::Unestablishable(None),
        ShellReads::Declined => ShellFinding::Declined,
    }
}

/// What a release, refusal or unanswered ask tells of the shell reader's findings.
pub fn cards_of(finished: &Finished) -> (bool, String) {
    let outcome = finished.outcome();
    let past = outcome.released().is_some_and(|card| card.past_read_deny);
    let text = finished.reason().unwrap_or_default();
    let told = CopyProgram::ALL.iter().find(|program| {
        let named = format!("the options of `{program}` kept its writes from being placed");
        text.contains(&named)
    });
    let names = or_none(told);
    if let Some(card) = outcome.refused() {
        assert_eq!(or_none(card.unplaced_options), names, "card and text agree");
    }
    (past, names)
}

pub fn mode_cards(at: &At<'_>) -> Says {
    let mode = match at.is("ends") {
        "released" => Mode::Bypass,
        "refused" => Mode::DontAsk,
        _ => Mode::Default,
    };
    let shell_reads = at.word("reads", ShellReads::from_word).unwrap();
    let finished = Host::new()
        .mode(mode)
        .says(Answer::ShellRead(Ok(ShellRead {
            unplaced_options: at.word("unplaced", CopyProgram::from_word),
            ..reads(finding(shell_reads))
        })))
        .finish();
    assert_eq!(arbitration_of(&finished).0, at.is("ends"));
    let (past, names) = cards_of(&finished);
    vec![("past_read_deny", yes_no(past)), ("names", names)]
}

pub fn park_site(at: &At<'_>) -> Says {
    let edit = at.is("round") == "edit";
    let parked = if edit { OTHER } else { ASKED };
    let digest = args(parked).digest();
    let mut host = Host::new()
        .org(OrgRuling::Ask)
        .says(Answer::Present(Ok(Presented::Shown(digest))))
        .says(Answer::Park(Ok(Parking::Declined)));
    if edit {
        host = host
            .facts(|facts| facts.shows_content = false)
            .resolves(edits(parked));
    }
    let seen = host
        .facts(|facts| facts.shows_content = at.yes("shown"))
        .resolves(Resolved::YES)
        .run();
    let mut sites = seen.asked.iter().filter_map(|question| match question {
        Question::Park(question) => Some(question.site),
        _ => None,
    });
    vec![("site", or_none(sites.next_back()))]
}

pub fn offer(at: &At<'_>) -> Says {
    let offer = at.yes("offered").then(|| Offer {
        directory: "/data".into(),
    });
    let host = Host::new()
        .policy(STATED)
        .says(Answer::ShellRead(Ok(ShellRead {
            offer,
            ..reads(ShellFinding::OutOfRoot(None))
        })));
    let host = match at.is("others") {
        "one_that_only_bars" => host.says(probes(Reversibility::Reversible, true)),
        "irreversible" => host.says(probes(Reversibility::Irreversible, false)),
        "write_protected" => host.says(Answer::WriteJudge(Ok(WriteProtection::Matched))),
        "org" => host.says(Answer::Org(Ok(vec![judged(
            Form::Current,
            0,
            OrgRuling::Ask,
        )]))),
        _ => host,
    };
    let seen = host.resolves(Resolved::YES).run();
    let rides = seen.asked.iter().any(|question| match question {
        Question::Resolve(question) => question.offer.is_some(),
        _ => false,
    });
    vec![("rides", yes_no(rides))]
}

pub fn present(at: &At<'_>) -> Says {
    let shows_content = at.yes("shows_content");
    let host = Host::new()
        .facts(|facts| facts.shows_content = shows_content)
        .resolves(Resolved::YES);
    let seen = match at.is("answer") {
        "unwired" => host,
        "cannot" => host.says(Answer::Present(Ok(Presented::Cannot))),
        shown => {
            let content = if shown == "shown" { ASKED } else { OTHER };
            let digest = args(content).digest();
            host.says(Answer::Present(Ok(Presented::Shown(digest))))
        }
    }
    .run();
    let asked = seen.asks(Seat::Present);
    let finished = seen.finished();
    let unshown = super::super::host::settled(&finished) == "unshown";
    let shown = finished.record().fields().digests.shown;
    vec![
        ("asked", yes_no(asked)),
        ("ends", if unshown { "unshown" } else { "goes_on" }.into()),
        ("shown", yes_no(shown == Some(args(ASKED).digest()))),
    ]
}
