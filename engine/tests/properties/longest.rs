//! The longest pass there is: every round is rewritten, described twice, shown, parked in vain and
//! answered with an edit.

use gatefold::gate::{
    Answerer, Classification, ClassifierRuling, Egress, Facts, HookKind, Mode, OnNoRuling,
    OrgRuling, Parking, PolicyRuling, Probe, RuleRuling, Sandbox, Settings, ShellRead, ToolKind,
    Unstated, WriteProtection,
};

use crate::args::Proposal;
use crate::script::{AskEnding, HookLine, Menu, PolicyLine, PresentLine, ResolveLine, Script};
use crate::world::{MemberLine, World};

/// The world of it, with that many guards and edit rounds.
pub(crate) fn longest(guards: usize, edit_cap: u8) -> World {
    World {
        call: 0,
        members: vec![MemberLine {
            name: 0,
            mode: Mode::Default,
            lock: false,
        }],
        wiring: u16::MAX,
        hooks: vec![HookKind::Guard; guards],
        unstated: Unstated::Ask,
        denials: 0,
        settings: Settings {
            edit_cap,
            denial_limit: 3,
            on_no_ruling: OnNoRuling::Deny,
        },
        priors: Vec::new(),
        script: script(),
        leg: false,
        policy: 0,
        resumed: true,
        respelled: false,
    }
}

fn script() -> Script {
    let rewrite = Some(Proposal::Step(1));
    let edit = Some(Proposal::Step(1));
    let by = Answerer::Person;
    Script {
        salt: 0,
        hook: Menu::of(Ok(())),
        receipts: Menu::of(HookLine::Rewrites),
        describe: Menu::of(Ok(Facts {
            kind: ToolKind::Shell,
            shows_content: true,
            ..Facts::UNKNOWN
        })),
        policy: Menu::of(Ok(PolicyLine {
            rewrite,
            settlement: None,
            round: None,
        })),
        policy_rulings: Menu::of(Some(PolicyRuling::Allow { stated: false })),
        probe: Menu::of(Ok(Probe::UNWIRED)),
        egress: Menu::of(Ok(Egress::Inside)),
        shell_read: Menu::of(Ok(ShellRead::UNWIRED)),
        write_judge: Menu::of(Ok(WriteProtection::None)),
        org: Menu::of(Ok(())),
        org_rulings: Menu::of(Some(OrgRuling::None)),
        rules: Menu::of(Ok(())),
        rule_rulings: Menu::of(Some(RuleRuling::None)),
        classify: Menu::of(Ok(Classification {
            ruling: ClassifierRuling::Allow,
            round: None,
            reason: None,
        })),
        sandbox: Menu::of(Ok(Sandbox::Not)),
        present: Menu::of(Ok(PresentLine::Shown)),
        park: Menu::of(Ok(Parking::Declined)),
        resolve: Menu::of(Ok(ResolveLine {
            ending: AskEnding::Yes {
                by,
                edit,
                remember: false,
            },
            attested: None,
        })),
    }
}
