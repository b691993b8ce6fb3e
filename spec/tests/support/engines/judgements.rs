//! The fold of judgements, through real passes: two forms, three members.

use gatefold::gate::*;

use super::super::host::{
    ASKED, Host, OTHER, STATED, THIRD, UNSTATED, adjudicates, args, causes, judged, listed, said,
};
use super::super::{At, Says, or_none};

const MEMBERS: u8 = 3;

/// A call whose form beside the current one differs from it, before three members.
fn two_forms() -> Host {
    let host = Host::new().guard(said(HookDecision::None, Some(OTHER)));
    host.ancestor(Some(Mode::Default))
        .ancestor(Some(Mode::Default))
}

/// What a layer can say.
struct Layer<R> {
    deny: R,
    ask: R,
    stated: R,
    /// What an ancestor says of the current form when it is allowed but not stated.
    unstated: Option<R>,
    /// What it says when it is not allowed; nothing if the layer has no word for that.
    silent: Option<R>,
}

fn judgements<R: Clone>(at: &At<'_>, layer: &Layer<R>) -> Vec<Judgement<R>> {
    let mut judgements = Vec::new();
    for member in 0..MEMBERS {
        let original = match member {
            0 if at.yes("deny") => Some(&layer.deny),
            1 if at.yes("missing") => None,
            2 if at.yes("ask") => Some(&layer.ask),
            _ => Some(&layer.stated),
        };
        let current = match (member, at.is("allow")) {
            (1, "unstated") => layer.unstated.as_ref(),
            (1, "no") => layer.silent.as_ref().or(match () {
                () if at.yes("ask") => Some(&layer.ask),
                () if at.yes("deny") => Some(&layer.deny),
                () => None,
            }),
            _ => Some(&layer.stated),
        };
        for (form, ruling) in [(Form::Original, original), (Form::Current, current)] {
            judgements.extend(ruling.map(|ruling| judged(form, member, ruling.clone())));
        }
    }
    judgements
}

/// What one layer's judgements did to the call.
struct Did {
    denied_by: String,
    adds: String,
    allowed_by: String,
}

/// Runs a pass in which one layer judges so.
fn judged_by(layer: &str, at: &At<'_>) -> Did {
    let host = two_forms().resolves(Resolved::YES);
    let host = match layer {
        "policy" => {
            let judgements = judgements(
                at,
                &Layer {
                    deny: PolicyRuling::Deny,
                    ask: PolicyRuling::Ask,
                    stated: STATED,
                    unstated: Some(UNSTATED),
                    silent: None,
                },
            );
            host.with(|input| input.unstated(Unstated::Allow))
                .says(Answer::Adjudicate(Ok(Adjudication {
                    judgements,
                    ..Adjudication::default()
                })))
        }
        "org" => host.says(Answer::Org(Ok(judgements(
            at,
            &Layer {
                deny: OrgRuling::Deny,
                ask: OrgRuling::Ask,
                stated: OrgRuling::None,
                unstated: None,
                silent: Some(OrgRuling::None),
            },
        )))),
        _ => host.says(Answer::Rules(Ok(judgements(
            at,
            &Layer {
                deny: RuleRuling::Deny,
                ask: RuleRuling::Ask,
                stated: RuleRuling::Allow { grant: None },
                unstated: None,
                silent: Some(RuleRuling::None),
            },
        )))),
    };
    let finished = host.finish();
    let outcome = finished.outcome();
    let allowed_by = match outcome.allowed_by() {
        Some(AllowedBy::AskResolution) => None,
        other => other,
    };
    Did {
        denied_by: or_none(outcome.denied_by()),
        adds: listed(&causes(&finished)),
        allowed_by: or_none(allowed_by),
    }
}

/// The fold, told by what it did.
pub fn judgements_fold(at: &At<'_>) -> Says {
    let did = judged_by(at.is("layer"), at);
    let folds = match (&*did.denied_by, &*did.adds, &*did.allowed_by) {
        ("engine", ..) | (_, "rules_unreadable", _) => "missing",
        ("policy" | "org" | "rule", ..) => "deny",
        (_, "policy" | "org" | "rule", _) => "ask",
        (_, _, "policy" | "stored_rule") => "stated",
        (_, _, "default") => "unstated",
        ("none", "none", "none") => "nothing",
        other => panic!("{other:?}"),
    };
    vec![("folds", folds.into())]
}

/// What each result of the fold does, by judgements that fold to it and say nothing more.
pub fn layers(at: &At<'_>) -> Says {
    let tables = super::super::tables();
    let judgements = super::super::grid(&tables, "gate/judgements");
    let folds = at.is("folds");
    let is = |fold| if folds == fold { "yes" } else { "no" };
    let allow = match (folds, at.is("layer")) {
        ("stated", _) => "stated",
        ("unstated", _) => "unstated",
        _ => "no",
    };
    let point = judgements.point(&[
        ("layer", at.is("layer")),
        ("deny", is("deny")),
        ("missing", is("missing")),
        ("ask", is("ask")),
        ("allow", allow),
    ]);
    let did = judged_by(at.is("layer"), &At::new(judgements, &point));
    vec![
        ("denied_by", did.denied_by),
        ("adds", did.adds),
        ("allowed_by", did.allowed_by),
    ]
}

/// The places a judgement can stand at, in the order of the table.
const PLACES: [(&str, u8, Form); 4] = [
    ("caller_original", 0, Form::Original),
    ("caller_current", 0, Form::Current),
    ("ancestor_original", 1, Form::Original),
    ("ancestor_current", 1, Form::Current),
];

pub fn ties(at: &At<'_>) -> Says {
    let mut judgements = Vec::new();
    // In the order least like the one that counts.
    for (index, (name, member, form)) in (0_u32..4).zip(PLACES).rev() {
        let ruling = if at.yes(name) {
            OrgRuling::Deny
        } else {
            OrgRuling::None
        };
        let mut judgement = judged(form, member, ruling);
        judgement.basis = Some(Basis {
            layer: "org".into(),
            file: None,
            list: "deny".into(),
            index,
            rule: name.into(),
            part: None,
        });
        judgements.push(judgement);
    }
    let host = Host::new().guard(said(HookDecision::None, Some(OTHER)));
    let host = host.ancestor(Some(Mode::Default)).resolves(Resolved::YES);
    let finished = host.says(Answer::Org(Ok(judgements))).finish();
    let record = finished.record();
    let denied = finished.outcome().denied_by().is_some();
    let basis = record.fields().basis.as_ref().filter(|_| denied);
    let named = basis.map_or("nobody", |basis| basis.rule.as_str());
    vec![("named", named.into())]
}

pub fn forms(at: &At<'_>) -> Says {
    let edit = at.is("round") == "edit";
    let seat = match at.is("layer") {
        "policy" => Seat::Adjudicate,
        _ => Seat::Org,
    };
    let rewrites = |who: &str| (at.is("rewrote") == who).then_some(THIRD);
    let quiet = || said(HookDecision::None, None);
    let hook = said(HookDecision::None, rewrites("hook"));
    let policy = adjudicates(STATED, rewrites("policy"));
    let mut host = Host::new().edited().org(OrgRuling::None);
    host = if edit {
        host.guard_then(quiet(), hook).policy(STATED).says(policy)
    } else {
        host.guard_then(hook, quiet()).says(policy).policy(STATED)
    };
    let pass = host.run_to(|question| match question {
        Question::Adjudicate(asked) | Question::Org(asked) => {
            question.seat() == seat && asked.round == u8::from(edit)
        }
        _ => false,
    });
    let original = match pass.question() {
        Question::Adjudicate(asked) | Question::Org(asked) => asked.original.clone(),
        _ => None,
    };
    let beside = match original {
        None => "none",
        Some(form) if form == args(ASKED) => "models",
        Some(form) if form == args(OTHER) => "edited",
        Some(form) => panic!("nobody made {form:?}"),
    };
    vec![("beside", beside.into())]
}
