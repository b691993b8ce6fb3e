//! Endings through real passes: how an ask ends, edits, exits, parking.

use gatefold::gate::*;

use super::super::host::{
    ASKED, Host, OTHER, STATED, THIRD, adjudicates, causes, edits, reads, said, settled,
    settled_before, told,
};
use super::super::{At, Says, or_none, yes_no};

pub fn resolve(at: &At<'_>) -> Says {
    let shown = match at.is("shown") {
        "yes" => Some(Ok(Resolved::YES)),
        "yes_same_args" => Some(Ok(edits(ASKED))),
        "edit" => Some(Ok(edits(OTHER))),
        "unusable_edit" => Some(Ok(edits("[]"))),
        "no" => Some(Ok(Resolved::NO)),
        "threw" => Some(Err(SeatFailure::threw("gone"))),
        "timed_out" => Some(Err(SeatFailure::TimedOut)),
        "unwired" => None,
        why => Some(Ok(Resolved::Unanswered(NoAnswer::from_word(why).unwrap()))),
    };
    let would_run = if at.is("shown") == "edit" {
        OTHER
    } else {
        ASKED
    };
    let unanswered = Resolved::Unanswered(NoAnswer::Timeout);
    let mut book = AttestationBook::new();
    let attested = match at.is("attested") {
        "none" => None,
        "yes" => Some((would_run, Resolved::YES)),
        "yes_for_other_args" => Some((THIRD, Resolved::YES)),
        "no" => Some((THIRD, Resolved::NO)),
        _ => Some((would_run, unanswered)),
    }
    .map(|(asked, shown)| settled_before(&mut book, "c1", asked, shown));
    let host = Host::new().with(|input| input.attestations(book));
    let host = match shown {
        None => host,
        Some(Ok(shown)) => host.says(Answer::Resolve(Ok(Resolution { shown, attested }))),
        Some(Err(failure)) => host.says(Answer::Resolve(Err(failure))),
    };
    let finished = host.finish();
    let ends = match (finished.args_to_run(), finished.round()) {
        (None, _) => "deny",
        (Some(_), 0) => "runs",
        (Some(_), _) => "edit_round",
    };
    let ignored = told(&finished, NoticeWord::AttestationIgnored);
    vec![
        ("ends", ends.into()),
        ("settled", settled(&finished)),
        ("ignored", yes_no(ignored)),
    ]
}

/// A host before which this layer refuses, over the model's own call.
pub fn refused_first(by: DeniedBy, while_hooks_screen: bool) -> Host {
    let host = Host::new();
    match by {
        DeniedBy::Compliance => host.with(|input| input.lock(true)),
        DeniedBy::PlanMode => host.mode(Mode::Plan),
        DeniedBy::Hook => host.guard(said(HookDecision::Deny, None)),
        DeniedBy::Engine if while_hooks_screen => host.guard(HookOutcome::TimedOut),
        DeniedBy::Engine => host.says(Answer::Adjudicate(Err(SeatFailure::TimedOut))),
        DeniedBy::Policy => host.policy(PolicyRuling::Deny),
        DeniedBy::Org => host.org(OrgRuling::Deny),
        DeniedBy::Rule => host.rules(RuleRuling::Deny),
        DeniedBy::ShellRead => host.says(Answer::ShellRead(Ok(refuses()))),
        DeniedBy::Classifier => host
            .mode(Mode::Auto)
            .says(Answer::Classify(Ok(Classification {
                ruling: ClassifierRuling::Block,
                round: None,
                reason: None,
            }))),
        DeniedBy::Mode => host.mode(Mode::DontAsk),
        DeniedBy::AskResolution => host.resolves(Resolved::NO),
        DeniedBy::EditCap => host
            .settings(|settings| settings.edit_cap = 0)
            .resolves(edits(OTHER)),
        DeniedBy::WriteProtection => panic!("only an edit is refused so"),
    }
}

fn refuses() -> ShellRead {
    reads(ShellFinding::Refused(Card {
        finding: "secret".into(),
        text: "it reads a key".into(),
    }))
}

/// A host before which this layer refuses, over an edited call.
pub fn refused_edit(by: DeniedBy, while_hooks_screen: bool) -> Host {
    let finds = match by {
        DeniedBy::Hook => "hook_denies",
        DeniedBy::Engine if while_hooks_screen => "hook_fails",
        DeniedBy::Engine => "policy_fails",
        DeniedBy::PlanMode => "plan_mode",
        DeniedBy::Policy => "policy_denies",
        DeniedBy::Org => "org_denies",
        DeniedBy::Rule => "rule_denies",
        DeniedBy::ShellRead => "shell_refuses",
        DeniedBy::WriteProtection => "protected",
        DeniedBy::AskResolution => "attested_no",
        DeniedBy::EditCap => {
            return Host::new()
                .settings(|settings| settings.edit_cap = 1)
                .org(OrgRuling::Ask)
                .resolves(edits(OTHER))
                .resolves(edits(THIRD));
        }
        DeniedBy::Compliance | DeniedBy::Classifier | DeniedBy::Mode => {
            panic!("an edit round does not come to it")
        }
    };
    finding(finds)
}

pub fn exits(at: &At<'_>) -> Says {
    let hooks = at.is("at") == "hook";
    let edit = at.is("round") == "edit";
    let denied_by = at.word("denied_by", DeniedBy::from_word);
    let host = match denied_by {
        None if edit => finding("nothing"),
        None => Host::new().policy(STATED),
        Some(by) if edit => refused_edit(by, hooks),
        Some(by) => refused_first(by, hooks),
    };
    let finished = host.finish();
    assert_eq!(finished.outcome().denied_by(), denied_by);
    assert_eq!(finished.round(), u8::from(edit));
    vec![
        ("exit", finished.exit().to_string()),
        (
            "told",
            yes_no(told(&finished, NoticeWord::PermissionDenied)),
        ),
    ]
}

/// A host before which a call is edited, and the round over the edited call finds this.
fn finding(finds: &str) -> Host {
    let host = match finds {
        "irreversible" => Host::new().edited_and(Reversibility::Irreversible),
        _ => Host::new().edited(),
    };
    let quiet = || said(HookDecision::None, None);
    match finds {
        "nothing" | "irreversible" => host,
        "hook_denies" => host.guard_then(quiet(), said(HookDecision::Deny, None)),
        "hook_fails" => host.guard_then(quiet(), HookOutcome::TimedOut),
        "hook_asks" => host.guard_then(quiet(), said(HookDecision::Ask, None)),
        "plan_mode" => host
            .mode(Mode::Plan)
            .facts(|facts| facts.read_only = ReadOnly::Yes)
            .facts(|facts| facts.read_only = ReadOnly::No),
        "policy_denies" => host.policy(STATED).policy(PolicyRuling::Deny),
        "policy_asks" => host.policy(STATED).policy(PolicyRuling::Ask),
        "policy_fails" => host
            .policy(STATED)
            .says(Answer::Adjudicate(Err(SeatFailure::TimedOut))),
        "attested_no" => {
            let mut book = AttestationBook::new();
            let id = settled_before(&mut book, "c1", OTHER, Resolved::NO);
            host.with(|input| input.attestations(book))
                .policy(STATED)
                .attests(STATED, Some(id))
        }
        "shell_refuses" => host
            .says(Answer::ShellRead(Ok(ShellRead::UNWIRED)))
            .says(Answer::ShellRead(Ok(refuses()))),
        "protected" => host
            .says(Answer::WriteJudge(Ok(WriteProtection::None)))
            .says(Answer::WriteJudge(Ok(WriteProtection::Matched))),
        "org_denies" => host.org(OrgRuling::None).org(OrgRuling::Deny),
        "org_asks" => host.org(OrgRuling::None).org(OrgRuling::Ask),
        "rule_denies" => host.rules(RuleRuling::None).rules(RuleRuling::Deny),
        "rule_allows_an_ask" => host
            .policy(STATED)
            .policy(STATED)
            .says(Answer::Egress(Ok(Egress::Inside)))
            .says(Answer::Egress(Ok(Egress::Outside(None))))
            .rules(RuleRuling::None)
            .rules(RuleRuling::Allow { grant: None }),
        "rules_fail" => host
            .rules(RuleRuling::None)
            .says(Answer::Rules(Err(SeatFailure::TimedOut))),
        other => panic!("nothing finds {other}"),
    }
}

/// How often the person was asked.
fn times_asked(asked: &[Question]) -> usize {
    let to_person = asked
        .iter()
        .filter(|question| question.seat() == Seat::Resolve);
    to_person.count()
}

pub fn edit_round(at: &At<'_>) -> Says {
    let seen = finding(at.is("finds")).run();
    let times = times_asked(&seen.asked);
    let finished = seen.finished();
    let ends = match (finished.args_to_run(), times) {
        (None, _) => "stops",
        (Some(_), 1) => "runs",
        (Some(_), _) => "asked_again",
    };
    vec![
        ("denied_by", or_none(finished.outcome().denied_by())),
        ("ends", ends.into()),
        ("settled", settled(&finished)),
    ]
}

pub fn edit_begin(at: &At<'_>) -> Says {
    let made = u8::from(at.is("round") == "edit");
    let cap = made + u8::from(at.is("edits") == "fewer_than_cap");
    let mut host = Host::new()
        .settings(|settings| settings.edit_cap = cap)
        .org(OrgRuling::Ask)
        .resolves(edits(OTHER));
    if made == 1 {
        host = host.resolves(edits(THIRD));
    }
    let finished = host.resolves(Resolved::YES).finish();
    let ends = match finished.outcome().denied_by() {
        None if finished.round() == made + 1 => "screened_again".into(),
        by => or_none(by),
    };
    vec![("ends", ends)]
}

pub fn edit_close(at: &At<'_>) -> Says {
    let policy_rewrites = (at.is("args") == "policy_rewrote").then_some(THIRD);
    let hook_rewrites = (at.is("args") == "hook_rewrote").then_some(THIRD);
    let quiet = said(HookDecision::None, None);
    let seen = Host::new()
        .edited()
        .guard_then(quiet, said(HookDecision::None, hook_rewrites))
        .policy(STATED)
        .says(adjudicates(super::fold::ruling(at), policy_rewrites))
        .run();
    let times = times_asked(&seen.asked);
    let finished = seen.finished();
    let by = finished.outcome().allowed_by();
    assert_eq!(
        by,
        Some(AllowedBy::AskResolution),
        "the yes is who allows it"
    );
    let superseded = told(&finished, NoticeWord::SettlementSuperseded);
    let ends = if times == 1 { "runs" } else { "asked_again" };
    vec![
        ("ends", ends.into()),
        ("adds", yes_no(causes(&finished).contains(&Cause::Edit))),
        ("superseded", yes_no(superseded)),
    ]
}

pub fn park(at: &At<'_>) -> Says {
    let key = SealKey::new(&[7; 32]).unwrap();
    let host = Host::new()
        .says(Answer::Park(Ok(Parking::Parked)))
        .resolves(Resolved::YES);
    let Suspended { ticket, parked } = host.run().suspended();
    let other = Host::of("c2", ASKED).says(Answer::Park(Ok(Parking::Parked)));
    let foreign = other.run().suspended();
    let own = at.is("ticket") == "own";
    let (shown, of_shown) = if own {
        let copy = Parked::load(&parked.save(&key).unwrap(), &key).unwrap();
        (ticket, copy)
    } else {
        (foreign.ticket, foreign.parked)
    };
    let mut book = TicketBook::new();
    if at.is("book") != "not_opened" {
        book.open(&shown).unwrap();
    }
    if at.is("book") == "settled" {
        let _ = of_shown.cancel(&shown, &mut book).unwrap();
    }
    let before = book.clone();
    let now = if at.is("input") == "same" {
        host.input()
    } else {
        host.clone().mode(Mode::Bypass).input()
    };
    let tried = match at.is("does") {
        "resume" => parked.resume(&shown, &mut book, &now),
        _ => parked.cancel(&shown, &mut book),
    };
    let ends = match tried {
        Err(misuse) => misuse.kind().to_string(),
        Ok(step @ Step::Need(_)) => {
            let finished = host.run_from(step).finished();
            assert_eq!(settled(&finished), "yes");
            "goes_on".into()
        }
        Ok(step) => settled(&host.run_from(step).finished()),
    };
    vec![("ends", ends), ("settles", yes_no(book != before))]
}

pub fn stale(at: &At<'_>) -> Says {
    let host = Host::new()
        .says(Answer::Park(Ok(Parking::Parked)))
        .resolves(Resolved::YES);
    let Suspended { ticket, parked } = host.run().suspended();
    let call = |id: &str, tool: &str, asked: &str| {
        GateInput::builder(Call {
            id: id.into(),
            tool: tool.into(),
            args: super::super::host::args(asked),
        })
    };
    let same = || call("c1", "Bash", ASKED);
    let mut book = AttestationBook::new();
    settled_before(&mut book, "c1", ASKED, Resolved::YES);
    let digest = Digest::of(b"other");
    let changed = match at.is("changed") {
        "nothing" => same(),
        "time" => same().time(1),
        "wiring" => same().wire(Seat::Org),
        "attestations" => same().attestations(book),
        "trace" => same().trace(true),
        "call_id" => call("c2", "Bash", ASKED),
        "tool" => call("c1", "Read", ASKED),
        "args" => call("c1", "Bash", OTHER),
        "mode" => same().mode(Mode::Bypass),
        "lock" => same().lock(true),
        "ancestor" => same().ancestor(Member::default()),
        "guards" => same().hook("guard", HookKind::Guard),
        "observers" => same().hook("observer", HookKind::Observer),
        "unstated" => same().unstated(Unstated::Allow),
        "denials" => same().denials(1),
        "settings" => same().settings(Settings {
            edit_cap: 0,
            ..Settings::default()
        }),
        "policy" => same().policy(digest),
        "facts" => same().facts(digest),
        "leg" => same().leg("[leg]"),
        other => panic!("nobody changes {other}"),
    };
    let mut tickets = TicketBook::new();
    tickets.open(&ticket).unwrap();
    let resumed = parked.resume(&ticket, &mut tickets, &changed.build().unwrap());
    let misuse = resumed.err().map(|misuse| misuse.kind());
    assert!(matches!(misuse, None | Some(ParkMisuseKind::Stale)));
    vec![("stale", yes_no(misuse.is_some()))]
}
