//! What would cover a call: the narrowest rule that makes the same request an allow, or why there
//! is none.
//!
//! A rule is offered only after the same request was decided once more with it. What the rule says
//! is not reasoned about here; what comes of it counts.

use gatefold::gate::{AllowedBy, Automatic, Basis, Cause, Causes, DeniedBy, GateResult};
use gatefold_policy::{Covered, Effect, Layer, RuleError};
use serde::Serialize;

use super::{Decided, Made};

/// The layer into which a rule is offered.
pub(crate) const LAYER: Layer = Layer::User;

/// Decides the same request once more.
pub(crate) trait Again {
    /// What the request comes to with one more allow of [`LAYER`].
    fn with(&self, rule: &str) -> Result<GateResult, Untried>;
}

/// Why a rule could not be tried.
#[derive(Debug)]
pub(crate) enum Untried {
    /// It is none.
    NotARule(RuleError),
    /// With it the request comes to no decision.
    Undecided,
}

/// What would cover the call.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub(super) enum Cover {
    /// It runs as it is.
    NotNeeded,
    /// This rule would.
    Rule(Offer),
    /// No rule would, and all of this stands in the way.
    None { hindrances: Vec<Hindered> },
}

/// A rule that was tried and allows the call.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Offer {
    pub(super) rule: String,
    pub(super) list: &'static str,
    pub(super) layer: &'static str,
    pub(super) reach: Reach,
}

/// What else a rule covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reach {
    /// Calls of this very command, alone or beside others that are allowed too.
    Command,
    /// Whatever reads, or changes, this path and what is below it.
    Path,
    /// Calls that lead to this host.
    Host,
    /// Every call of the tool.
    Tool,
}

/// Something in the way of every rule, and the rule or hook that it is.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Hindered {
    pub(super) by: Hindrance,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) basis: Option<Basis>,
}

macro_rules! hindrances {
    ($($(#[$meta:meta])* $name:ident),+ $(,)?) => {
        /// What stands in the way of every rule.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub(super) enum Hindrance {
            $($(#[$meta])* $name,)+
        }

        #[cfg(test)]
        impl Hindrance {
            pub(super) const ALL: &[Self] = &[$(Self::$name),+];
        }
    };
}

hindrances! {
    Lock,
    PlanMode,
    Hook,
    FailedCheck,
    Deny,
    /// A deny of which it is not certain that it is about the call.
    PossibleDeny,
    Ask,
    UnreadableLine,
    RefusedLine,
    OutsideRoots,
    Protected,
    Edited,
    Classifier,
    AmbiguousName,
    Unnameable,
    SeveralParts,
    TooLong,
    /// Nothing known; the rule just does not allow the call.
    Unproved,
}

/// What would cover the call that was decided so.
pub(super) fn cover(made: &Made<'_>, decided: &Decided, causes: &Causes) -> Cover {
    if decided.allowed_by.is_some() {
        return Cover::NotNeeded;
    }
    let mut by = if open(made).len() > 1 {
        Hindrance::SeveralParts
    } else {
        Hindrance::Unnameable
    };
    let path = made.path_rule.clone().map(|rule| (rule, Reach::Path));
    for (rule, reach) in path.into_iter().chain(candidate(made)) {
        match tried(made, &rule, reach) {
            None => {
                return Cover::Rule(Offer {
                    rule,
                    list: Effect::Allow.word(),
                    layer: LAYER.word(),
                    reach,
                });
            }
            Some(hindrance) => by = hindrance,
        }
    }
    let mut hindrances = hindrances(decided, causes);
    if hindrances.is_empty() {
        hindrances.push(Hindered { by, basis: None });
    }
    Cover::None { hindrances }
}

/// The narrowest rule that may be about exactly this call.
fn candidate(made: &Made<'_>) -> Option<(String, Reach)> {
    let tool = made.tool;
    if let Some((server, name)) = made.mcp {
        return Some((format!("mcp__{server}__{name}"), Reach::Tool));
    }
    if let Some(host) = &made.host {
        return Some((format!("{tool}(domain:{host})"), Reach::Host));
    }
    if !made.has_line {
        return Some((tool.to_owned(), Reach::Tool));
    }
    // A rule for every line of the tool would be no rule for exactly this one.
    let line = made.current_line.as_ref()?;
    let open = open(made);
    let specifier = match open.as_slice() {
        [] => line,
        [specifier] => specifier.as_ref()?,
        _ => return None,
    };
    Some((format!("{tool}({specifier})"), Reach::Command))
}

/// The different commands of the line that no rule covers, each as a rule would name it.
fn open(made: &Made<'_>) -> Vec<Option<String>> {
    let parts = made.parts.iter();
    let open = parts.filter(|part| part.covered == Covered::Not);
    let mut open: Vec<_> = open.map(|part| part.specifier.clone()).collect();
    open.sort_unstable();
    open.dedup();
    open
}

/// Why this rule cannot be offered. It can be if the same request with it is an allow by this very
/// rule, of what would run now, and if the rule reaches no further than said.
fn tried(made: &Made<'_>, rule: &str, reach: Reach) -> Option<Hindrance> {
    let result = match made.again.with(rule) {
        Ok(result) => result,
        Err(Untried::NotARule(RuleError::AmbiguousAllow)) => return Some(Hindrance::AmbiguousName),
        Err(Untried::NotARule(RuleError::TooLong { .. })) => return Some(Hindrance::TooLong),
        Err(Untried::NotARule(_)) => return Some(Hindrance::Unnameable),
        Err(Untried::Undecided) => return Some(Hindrance::Unproved),
    };
    let GateResult::Finished(finished) = &result else {
        return Some(Hindrance::Unproved);
    };
    let record = finished.record();
    let basis = record.fields().basis.as_ref();
    let is_by_it = match reach {
        // The record names the rule of the first part; this one made the difference.
        Reach::Command => basis.is_some(),
        Reach::Path if made.has_line => basis.is_some(),
        Reach::Path | Reach::Host | Reach::Tool => basis.is_some_and(|basis| {
            basis.rule.as_str() == rule && basis.layer.as_str() == LAYER.word()
        }),
    };
    let allows = is_by_it
        && finished.args_to_run() == Some(made.current)
        && finished.outcome().allowed_by() == Some(AllowedBy::StoredRule);
    (!allows).then_some(Hindrance::Unproved)
}

fn hindrances(decided: &Decided, causes: &Causes) -> Vec<Hindered> {
    let own = |by: Hindrance| {
        let basis = decided.basis.clone();
        vec![Hindered { by, basis }]
    };
    match decided.denied_by {
        Some(DeniedBy::Compliance) => own(Hindrance::Lock),
        Some(DeniedBy::PlanMode) => own(Hindrance::PlanMode),
        Some(DeniedBy::Hook) => own(Hindrance::Hook),
        Some(DeniedBy::Engine) => own(Hindrance::FailedCheck),
        Some(DeniedBy::Policy | DeniedBy::Org | DeniedBy::Rule) => own(Hindrance::Deny),
        Some(DeniedBy::ShellRead) => own(Hindrance::RefusedLine),
        Some(DeniedBy::WriteProtection) => own(Hindrance::Protected),
        Some(DeniedBy::Classifier) => own(Hindrance::Classifier),
        Some(DeniedBy::EditCap) => own(Hindrance::Edited),
        Some(DeniedBy::Mode | DeniedBy::AskResolution) | None => {
            let mut hindrances: Vec<Hindered> = Vec::new();
            for asker in causes.iter() {
                let Some(by) = hindrance(asker.cause, asker.basis.as_ref()) else {
                    continue;
                };
                let basis = asker.basis.clone();
                let hindered = Hindered { by, basis };
                if !hindrances.contains(&hindered) {
                    hindrances.push(hindered);
                }
            }
            hindrances
        }
    }
}

/// What a cause that is closed to stored rules is in the way of one.
fn hindrance(cause: Cause, basis: Option<&Basis>) -> Option<Hindrance> {
    if !cause.class().bars(Automatic::StoredRule) {
        return None;
    }
    let is_deny = basis.is_some_and(is_deny);
    match cause {
        Cause::Policy | Cause::Org | Cause::Rule if is_deny => Some(Hindrance::PossibleDeny),
        Cause::Policy | Cause::Org | Cause::Rule => Some(Hindrance::Ask),
        Cause::Hook => Some(Hindrance::Hook),
        Cause::Unestablishable => Some(Hindrance::UnreadableLine),
        Cause::ProbeOutOfRoot | Cause::ReadOutOfRoot => Some(Hindrance::OutsideRoots),
        Cause::WriteProtected => Some(Hindrance::Protected),
        Cause::WriteUnresolved | Cause::ProbeUnanswered | Cause::RulesUnreadable => {
            Some(Hindrance::FailedCheck)
        }
        Cause::Edit => Some(Hindrance::Edited),
        Cause::Classifier | Cause::DenialLimit => Some(Hindrance::Classifier),
        Cause::Unstated
        | Cause::Irreversible
        | Cause::Outside
        | Cause::BoundaryDeclined
        | Cause::ReadDeclined => None,
    }
}

/// Whether a rule stands in a list of denies, for all or for one agent.
pub(super) fn is_deny(basis: &Basis) -> bool {
    basis.list.as_str().rsplit('.').next() == Some(Effect::Deny.word())
}
