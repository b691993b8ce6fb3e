//! What the answerers of an ask say.

use gatefold::gate::{
    Answerer, Args, AttestationId, Classification, ClassifierRound, ClassifierRuling, Digest,
    Grant, NewArgs, NoAnswer, Parking, Presented, Resolution, Resolved, Sandbox, Text,
};

use super::super::world::World;
use super::Named;

pub(super) fn classify(full: bool) -> Named<Classification> {
    let ruled = |ruling| Classification {
        ruling,
        round: None,
        reason: None,
    };
    let all = ClassifierRuling::ALL.iter();
    let mut all: Named<_> = all.map(|ruling| (ruling.word(), ruled(*ruling))).collect();
    if full {
        let round = || {
            Some(ClassifierRound {
                asked: "big".into(),
                answered: "small".into(),
            })
        };
        let named = |ruling| Classification {
            round: round(),
            ..ruled(ruling)
        };
        all.push(("allow, named", named(ClassifierRuling::Allow)));
        all.push(("block, named", named(ClassifierRuling::Block)));
    }
    all
}

pub(super) fn sandbox(full: bool) -> Named<Sandbox> {
    let mut all = vec![("admitted", Sandbox::Admitted(None)), ("not", Sandbox::Not)];
    if full {
        all.push((
            "admitted, note",
            Sandbox::Admitted(Some(Text::new("in the sandbox"))),
        ));
    }
    all
}

pub(super) fn present(args: &Args) -> Named<Presented> {
    vec![
        ("shown", Presented::Shown(args.digest())),
        ("another shown", Presented::Shown(Digest::of(b"another"))),
        ("cannot", Presented::Cannot),
    ]
}

pub(super) fn park() -> Named<Parking> {
    vec![
        ("parked", Parking::Parked),
        ("declined", Parking::Declined),
        ("failed", Parking::Failed(Text::new("disk full"))),
    ]
}

pub(super) fn resolve(args: &Args, world: &World, full: bool) -> Named<Resolution> {
    let yes = |edit: Option<NewArgs>| {
        let by = Answerer::Person;
        Resolution::from(Resolved::Yes {
            by,
            edit,
            remember: None,
        })
    };
    let mut all = vec![
        ("yes", yes(None)),
        ("edit", yes(Some(world.pool.edit.clone().into()))),
        ("no", Resolved::NO.into()),
        ("nobody", Resolved::Unanswered(NoAnswer::Nobody).into()),
    ];
    if full {
        all.extend(rarer(args, world));
    }
    all
}

fn rarer(args: &Args, world: &World) -> Named<Resolution> {
    let edited = |edit: NewArgs| Resolved::Yes {
        by: Answerer::Person,
        edit: Some(edit),
        remember: None,
    };
    let rule = Text::new("Bash(make *)");
    let remember = Some(Grant {
        scope: Text::new("project"),
        rule,
    });
    let by = Answerer::Delegate;
    let unanswered = |why| Resolved::Unanswered(why).into();
    let attested = |shown, id: AttestationId| Resolution {
        shown,
        attested: Some(id),
    };
    let ids = world.attested;
    vec![
        (
            "another edit",
            edited(world.pool.second_edit.clone().into()).into(),
        ),
        (
            "an edit that changes nothing",
            edited(args.clone().into()).into(),
        ),
        ("an unreadable edit", edited("{".into()).into()),
        (
            "delegate, remember",
            Resolved::Yes {
                by,
                edit: None,
                remember,
            }
            .into(),
        ),
        ("delegate no", Resolved::No { by, reason: None }.into()),
        ("timeout", unanswered(NoAnswer::Timeout)),
        ("no answer: failed", unanswered(NoAnswer::Failed)),
        ("no, attested yes", attested(Resolved::NO, ids.yes)),
        (
            "yes, attested refusal",
            attested(Resolved::YES, ids.refusal),
        ),
        (
            "yes, attested yes to another",
            attested(Resolved::YES, ids.yes_to_policy),
        ),
        (
            "edit, attested yes to it",
            attested(edited(world.pool.edit.clone().into()), ids.yes_to_edit),
        ),
    ]
}
