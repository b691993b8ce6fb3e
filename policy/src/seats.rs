//! The seats that rules and names answer: `describe`, `adjudicate`, `probe`, `shell_read`, `org`
//! and `rules`. A seat is wired only if there is something for it to say.

use std::collections::BTreeSet;

use gatefold::gate::{
    Adjudication, Args, Basis, Card, Facts, JudgeQuestion, Judgement, OrgRuling, PolicyRuling,
    Probe, Reversibility, RuleRuling, Seat, ShellFinding, ShellRead, Text, ToolKind,
};

use super::judge::{RuleSet, Said, judge};
use super::mcp::{CallName, McpName};
use super::rules::{Effect, LayerSeat, Rule};
use super::shell::Line;
use super::tools::{self, Platform};

/// The name under which a tool that nobody knows is refused.
const KNOWN_TOOLS: &str = "known_tools";

/// What a call runs in.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The system.
    pub platform: Platform,
    /// The shell that runs lines.
    pub shell: String,
    /// Every tool there is, if the host says.
    pub known_tools: Option<BTreeSet<String>>,
}

/// The rules and what they are held against.
#[derive(Clone, Debug)]
pub struct Deciders {
    call: CallName,
    facts: Facts,
    surroundings: Surroundings,
    org: RuleSet,
    policy: RuleSet,
    stored: RuleSet,
}

impl Deciders {
    /// The deciders of one call.
    pub fn new(
        tool: String,
        mcp: Option<McpName>,
        surroundings: Surroundings,
        rules: Vec<Rule>,
    ) -> Self {
        let facts = tools::facts(&tool, mcp.as_ref());
        let mut org = RuleSet::default();
        let (mut policy, mut stored) = (RuleSet::default(), RuleSet::default());
        for rule in rules {
            match rule.layer.seat() {
                LayerSeat::Org => org.push(rule),
                LayerSeat::Adjudicate => policy.push(rule),
                LayerSeat::Rules => stored.push(rule),
            }
        }
        Self {
            call: CallName { tool, mcp },
            facts,
            surroundings,
            org,
            policy,
            stored,
        }
    }

    /// The seats that have something to say.
    pub fn wired(&self) -> impl Iterator<Item = Seat> {
        let policy = !self.policy.is_empty() || self.surroundings.known_tools.is_some();
        [
            (Seat::Describe, true),
            (Seat::Adjudicate, policy),
            (Seat::Probe, self.facts.kind == ToolKind::Read),
            // By its name, whoever serves it: a server's shell runs lines too.
            (Seat::ShellRead, tools::is_shell(&self.call.tool)),
            (Seat::Org, !self.org.is_empty()),
            (Seat::Rules, !self.stored.is_empty()),
        ]
        .into_iter()
        .filter_map(|(seat, wired)| wired.then_some(seat))
    }

    /// What the call does.
    pub const fn describe(&self) -> Facts {
        self.facts
    }

    /// Paths are not judged yet: the reader that knows a call only reads must not clear it.
    pub const fn probe() -> Probe {
        Probe {
            finding: Reversibility::Reversible,
            boundary_declined: true,
        }
    }

    /// What its line runs, as far as that can be established.
    pub fn shell_read(&self, args: &Args) -> ShellRead {
        match self.line(args) {
            None | Some(Line::Plain(_)) => ShellRead::UNWIRED,
            Some(Line::Unreadable(unreadable)) => {
                let at = unreadable
                    .part
                    .as_ref()
                    .map(|part| format!(" (at `{part}`)"));
                let text = format!(
                    "what this command runs cannot be established: {}{}",
                    unreadable.why,
                    at.unwrap_or_default()
                );
                ShellRead {
                    finding: ShellFinding::Unestablishable(Some(Card {
                        finding: Text::new("unestablishable"),
                        text: text.into(),
                    })),
                    part: unreadable.part.map(Text::from),
                    ..ShellRead::UNWIRED
                }
            }
        }
    }

    /// What the host's own policy says.
    pub fn adjudicate(&self, question: &JudgeQuestion) -> Adjudication {
        let judgements = match self.unknown_tool() {
            Some(basis) => question.judge(|_, _| {
                let reason = Text::new("no tool of this name is known");
                (PolicyRuling::Deny, Some(reason), Some(basis.clone()))
            }),
            None => self.judgements(question, &self.policy, |effect| match effect {
                None => PolicyRuling::Allow { stated: false },
                Some(Effect::Allow) => PolicyRuling::Allow { stated: true },
                Some(Effect::Ask) => PolicyRuling::Ask,
                Some(Effect::Deny) => PolicyRuling::Deny,
            }),
        };
        Adjudication {
            judgements,
            ..Adjudication::default()
        }
    }

    /// What the organisation says.
    pub fn org(&self, question: &JudgeQuestion) -> Vec<Judgement<OrgRuling>> {
        self.judgements(question, &self.org, |effect| match effect {
            None | Some(Effect::Allow) => OrgRuling::None,
            Some(Effect::Ask) => OrgRuling::Ask,
            Some(Effect::Deny) => OrgRuling::Deny,
        })
    }

    /// What people stored.
    pub fn rules(&self, question: &JudgeQuestion) -> Vec<Judgement<RuleRuling>> {
        self.judgements(question, &self.stored, |effect| match effect {
            None => RuleRuling::None,
            Some(Effect::Allow) => RuleRuling::Allow { grant: None },
            Some(Effect::Ask) => RuleRuling::Ask,
            Some(Effect::Deny) => RuleRuling::Deny,
        })
    }

    /// One judgement for every form and member; the rules are the same for all members, so a form
    /// is judged once.
    fn judgements<R>(
        &self,
        question: &JudgeQuestion,
        rules: &RuleSet,
        ruling: impl Fn(Option<Effect>) -> R,
    ) -> Vec<Judgement<R>> {
        let mut judged: Option<(Args, Option<Said>)> = None;
        question.judge(|args, _| {
            let said = match &judged {
                Some((of, said)) if of == args => said.clone(),
                Some(_) | None => {
                    let said = judge(rules, &self.call, self.line(args).as_ref());
                    judged = Some((args.clone(), said.clone()));
                    said
                }
            };
            let effect = said.as_ref().map(|said| said.effect);
            let (reason, basis) = said.map_or((None, None), |said| (said.reason, Some(said.basis)));
            (ruling(effect), reason, basis)
        })
    }

    /// The command line of a tool that has one, whoever serves it.
    fn line(&self, args: &Args) -> Option<Line> {
        let tool = &self.call.tool;
        let Surroundings {
            shell, platform, ..
        } = &self.surroundings;
        let shell = if tools::is_other_shell(tool) {
            tool
        } else {
            shell
        };
        tools::is_shell(tool).then(|| Line::of_args(args, shell, *platform))
    }

    fn unknown_tool(&self) -> Option<Basis> {
        let known = self.surroundings.known_tools.as_ref()?;
        (!known.contains(&self.call.tool)).then(|| Basis {
            layer: Text::new("policy"),
            file: None,
            list: Text::new(Effect::Deny.word()),
            index: 0,
            rule: Text::new(KNOWN_TOOLS),
            part: Some(Text::new(&self.call.tool)),
        })
    }
}
