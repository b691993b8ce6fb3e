//! The hooks' fold, through real passes.

use gatefold::gate::*;

use super::super::host::{Host, OTHER, THIRD, causes, said, told};
use super::super::{At, Says};

/// One of the ways in which a guard denies.
pub const DENIALS: usize = 3;
/// One of the ways in which a guard fails.
pub const FAILURES: usize = 5;

type Receipts = Vec<(String, HookOutcome)>;

fn silent() -> HookOutcome {
    said(HookDecision::None, None)
}

/// The receipts of one guard that denies, in this way.
fn denies(id: &str, way: usize) -> Receipts {
    let outcome = match way {
        0 => said(HookDecision::Deny, None),
        1 => said(HookDecision::OutOfContract, None),
        _ => said(HookDecision::Allow, Some("[]")),
    };
    vec![(id.into(), outcome)]
}

/// The receipts of one guard that fails, in this way.
fn fails(id: &str, way: usize) -> Receipts {
    let outcome = match way {
        0 => HookOutcome::Threw("gone".into()),
        1 => HookOutcome::TimedOut,
        2 => HookOutcome::Malformed("no receipt".into()),
        3 => return Vec::new(),
        _ => {
            return vec![
                (id.into(), said(HookDecision::Allow, None)),
                (id.into(), said(HookDecision::Deny, None)),
            ];
        }
    };
    vec![(id.into(), outcome)]
}

/// The rewrites of the point: none, one, or two that differ from each other and from `standing`.
fn rewrites(at: &At<'_>, standing: &str) -> [Option<&'static str>; 2] {
    let fresh = if standing == OTHER { THIRD } else { OTHER };
    match at.is("rewrite") {
        "none" => [None, None],
        "one" => [Some(fresh), None],
        _ => [Some(fresh), Some(r#"{"command":"true"}"#)],
    }
}

/// What one guard says that is all the guards there are.
fn of_one(at: &At<'_>, ways: (usize, usize)) -> Receipts {
    let [rewrite, _] = rewrites(at, "");
    let decision = match () {
        () if at.yes("deny") && rewrite.is_none() => return denies("only", ways.0),
        () if at.yes("deny") => HookDecision::Deny,
        () if at.yes("failure") => return fails("only", ways.1),
        () if at.yes("ask") => HookDecision::Ask,
        () if at.yes("allow") => HookDecision::Allow,
        () => HookDecision::None,
    };
    vec![("only".into(), said(decision, rewrite))]
}

/// What several guards say, one for each fact.
fn of_several(at: &At<'_>, ways: (usize, usize), standing: &str) -> Receipts {
    let decided = |fact: &str, decision| {
        if at.yes(fact) {
            decision
        } else {
            HookDecision::None
        }
    };
    let [one, two] = rewrites(at, standing);
    let mut receipts: Receipts = vec![
        ("asks".into(), said(decided("ask", HookDecision::Ask), None)),
        (
            "allows".into(),
            said(decided("allow", HookDecision::Allow), None),
        ),
        ("one".into(), said(HookDecision::None, one)),
        ("two".into(), said(HookDecision::None, two)),
    ];
    receipts.extend(if at.yes("deny") {
        denies("denies", ways.0)
    } else {
        vec![("denies".into(), silent())]
    });
    receipts.extend(if at.yes("failure") {
        fails("fails", ways.1)
    } else {
        vec![("fails".into(), silent())]
    });
    receipts
}

const SEVERAL: [&str; 6] = ["fails", "denies", "asks", "allows", "one", "two"];

/// The fold with guards that deny and fail in these ways.
pub fn fold(at: &At<'_>, ways: (usize, usize)) -> Says {
    let again = at.is("screening") == "again";
    let guards: &[&str] = match at.is("guards") {
        "none" => &[],
        "one" => &["only"],
        _ => &SEVERAL,
    };
    // An observer says what a guard may not, and it counts for nothing.
    let mut host = Host::new().with(|input| input.hook("observer", HookKind::Observer));
    for guard in guards {
        host = host.with(|input| input.hook(guard, HookKind::Guard));
    }
    if again {
        let asked = if at.yes("asked_before") {
            HookDecision::Ask
        } else {
            HookDecision::None
        };
        let first = SEVERAL.iter().map(|guard| match *guard {
            "one" => ("one".into(), said(HookDecision::None, Some(OTHER))),
            "asks" => ("asks".into(), said(asked, None)),
            guard => (guard.into(), silent()),
        });
        let observes = ("observer".into(), silent());
        host = host.receipts(first.chain([observes]).collect());
    }
    let mut receipts = match at.is("guards") {
        "none" => Vec::new(),
        "one" => of_one(at, ways),
        _ => of_several(at, ways, if again { OTHER } else { "" }),
    };
    if !again {
        receipts.push(("observer".into(), said(HookDecision::Deny, Some(THIRD))));
    }
    host = if at.is("seat") == "failed" {
        host.says(Answer::Hook(Err(SeatFailure::TimedOut)))
    } else {
        host.receipts(receipts)
    };
    // What a further screening says, if there is one.
    host = host.receipts(
        guards
            .iter()
            .map(|guard| ((*guard).into(), silent()))
            .collect(),
    );
    let finished = host.clone().resolves(Resolved::YES).finish();
    let failed = at.is("guards") != "none" && at.yes("failure");
    assert_eq!(
        told(&finished, NoticeWord::HookFailed),
        failed,
        "a failure is told"
    );
    conclude(&host, again)
}

fn conclude(host: &Host, again: bool) -> Says {
    let seen = host.clone().resolves(Resolved::YES).run();
    let screenings = seen
        .asked
        .iter()
        .filter(|question| question.seat() == Seat::Hook);
    let further = screenings.count() > 1 + usize::from(again);
    let finished = seen.finished();
    let ends = match finished.exit() {
        ExitKind::EngineFailClosed => "exit_a",
        ExitKind::HookDeny => "exit_b",
        ExitKind::Deny | ExitKind::Allow if further => "asks_again",
        ExitKind::Deny | ExitKind::Allow => "goes_on",
    };
    let hook = match ends {
        "asks_again" => "open",
        "exit_a" | "exit_b" => "nothing",
        _ if causes(&finished).contains(&Cause::Hook) => "ask",
        _ if finished.outcome().allowed_by() == Some(AllowedBy::Hook) => "allow",
        _ => "nothing",
    };
    vec![("ends", ends.into()), ("hook", hook.into())]
}

pub fn hooks(at: &At<'_>) -> Says {
    fold(at, (0, 0))
}
