//! What a host answers: a menu a seat, and how menus are drawn.

use gatefold::gate::{
    Answerer, Card, Classification, ClassifierRound, ClassifierRuling, CopyProgram, Egress, Facts,
    HookDecision, NoAnswer, Offer, OrgRuling, Parking, PolicyRuling, Probe, ReadOnly, Reply,
    Reversibility, RuleRuling, Sandbox, SeatFailure, ShellFinding, ShellRead, Text, ToolKind,
    WriteProtection,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::args::{Proposal, proposal};

/// The answers of a seat, of which each question draws one by what it asks.
#[derive(Clone, Debug)]
pub(crate) struct Menu<T>(Vec<T>);

impl<T> Menu<T> {
    /// The same answer to every question.
    pub(crate) fn of(answer: T) -> Self {
        Self(vec![answer])
    }

    /// The answer to the question with this key.
    pub(crate) fn pick(&self, key: u64) -> &T {
        let index = usize::try_from(key % 1024).unwrap_or(0) % self.0.len();
        &self.0[index]
    }
}

/// What one hook says.
#[derive(Clone, Debug)]
pub(crate) enum HookLine {
    Answered {
        decision: HookDecision,
        rewrite: Option<Proposal>,
        context: bool,
        reason: bool,
    },
    Malformed,
    Threw,
    TimedOut,
    /// No receipt of it comes.
    Missing,
    /// Two receipts of it come, and they differ.
    Torn,
    /// It rewrites what it is first asked about, and lets the rewritten args be.
    Rewrites,
}

/// What stands beside the policy's judgements. An attested id is told by its place in the list of
/// ids that the earlier passes left; past its end it is nobody's.
#[derive(Clone, Debug, Default)]
pub(crate) struct PolicyLine {
    pub(crate) rewrite: Option<Proposal>,
    pub(crate) settlement: Option<usize>,
    pub(crate) round: Option<usize>,
}

/// Whether content was shown.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PresentLine {
    Shown,
    ShownOther,
    Cannot,
}

/// How an ask ends.
#[derive(Clone, Debug)]
pub(crate) struct ResolveLine {
    pub(crate) ending: AskEnding,
    pub(crate) attested: Option<usize>,
}

/// What the resolver shows.
#[derive(Clone, Debug)]
pub(crate) enum AskEnding {
    Yes {
        by: Answerer,
        edit: Option<Proposal>,
        remember: bool,
    },
    No {
        by: Answerer,
        reason: bool,
    },
    Unanswered(NoAnswer),
}

/// Everything a host says. `None` among the rulings is a judgement that is missing.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    pub(crate) salt: u8,
    pub(crate) hook: Menu<Reply<()>>,
    pub(crate) receipts: Menu<HookLine>,
    pub(crate) describe: Menu<Reply<Facts>>,
    pub(crate) policy: Menu<Reply<PolicyLine>>,
    pub(crate) policy_rulings: Menu<Option<PolicyRuling>>,
    pub(crate) probe: Menu<Reply<Probe>>,
    pub(crate) egress: Menu<Reply<Egress>>,
    pub(crate) shell_read: Menu<Reply<ShellRead>>,
    pub(crate) write_judge: Menu<Reply<WriteProtection>>,
    pub(crate) org: Menu<Reply<()>>,
    pub(crate) org_rulings: Menu<Option<OrgRuling>>,
    pub(crate) rules: Menu<Reply<()>>,
    pub(crate) rule_rulings: Menu<Option<RuleRuling>>,
    pub(crate) classify: Menu<Reply<Classification>>,
    pub(crate) sandbox: Menu<Reply<Sandbox>>,
    pub(crate) present: Menu<Reply<PresentLine>>,
    pub(crate) park: Menu<Reply<Parking>>,
    pub(crate) resolve: Menu<Reply<ResolveLine>>,
}

/// How often a host objects, refuses and fails; weights beside `good`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Temper {
    pub(crate) good: u32,
    pub(crate) ask: u32,
    pub(crate) deny: u32,
    pub(crate) fail: u32,
    pub(crate) abort: u32,
    /// Of 100: rewrites by hooks and the policy.
    pub(crate) rewrite: u32,
    /// Of 100: edits among the answers of an ask.
    pub(crate) edit: u32,
    /// Weight of asks by the policy, which bring an edited call back.
    pub(crate) policy_ask: u32,
    /// Seats that are always wired, one bit each.
    pub(crate) wired: u16,
    /// Weight of auto mode among the modes; the other modes together weigh 13.
    pub(crate) auto: u32,
}

fn menu<T: Clone + std::fmt::Debug>(
    line: impl Strategy<Value = T> + Clone,
) -> impl Strategy<Value = Menu<T>> {
    vec(line, 1..=3).prop_map(Menu)
}

fn often(percent: u32) -> f64 {
    f64::from(percent) / 100.0
}

/// The answers of a seat, or its failures.
fn replies<T: Clone + std::fmt::Debug + 'static>(
    temper: Temper,
    answers: impl Strategy<Value = T> + 'static,
) -> BoxedStrategy<Menu<Reply<T>>> {
    let reply = prop_oneof![
        temper.good + temper.ask => answers.prop_map(Ok),
        temper.fail => Just(Err(SeatFailure::threw("it broke"))),
        temper.fail => Just(Err(SeatFailure::TimedOut)),
        temper.abort => Just(Err(SeatFailure::Aborted)),
    ];
    menu(reply.boxed()).boxed()
}

impl Temper {
    /// Rulings of one layer, in the order: good ones, ask, deny, missing.
    fn rulings<R: Clone + std::fmt::Debug + 'static>(
        self,
        good: Vec<R>,
        ask: R,
        ask_weight: u32,
        deny: R,
    ) -> BoxedStrategy<Menu<Option<R>>> {
        let ruling = prop_oneof![
            self.good => proptest::sample::select(good).prop_map(Some),
            ask_weight => Just(Some(ask)),
            self.deny => Just(Some(deny)),
            self.fail => Just(None),
        ];
        menu(ruling.boxed()).boxed()
    }

    fn hook_line(self) -> impl Strategy<Value = HookLine> + Clone {
        let decision = prop_oneof![
            self.good => prop_oneof![2 => Just(HookDecision::None), 1 => Just(HookDecision::Allow)],
            self.ask => Just(HookDecision::Ask),
            self.deny => Just(HookDecision::Deny),
            self.deny => Just(HookDecision::OutOfContract),
        ];
        let rewrite = option::weighted(often(self.rewrite), proposal());
        let answered = (
            decision,
            rewrite,
            option::weighted(0.2, Just(())),
            any::<bool>(),
        );
        let answered =
            answered.prop_map(|(decision, rewrite, context, reason)| HookLine::Answered {
                decision,
                rewrite,
                context: context.is_some(),
                reason,
            });
        prop_oneof![
            4 * (self.good + self.ask) => answered,
            self.fail => Just(HookLine::Malformed),
            self.fail => Just(HookLine::Threw),
            self.fail => Just(HookLine::TimedOut),
            self.fail => Just(HookLine::Missing),
            self.fail => Just(HookLine::Torn),
        ]
        .boxed()
    }

    fn facts() -> impl Strategy<Value = Facts> {
        let flags = (
            option::weighted(0.3, Just(())),
            any::<bool>(),
            option::weighted(0.3, Just(())),
        );
        let kind = prop_oneof![
            2 => proptest::sample::select(ToolKind::ALL),
            1 => Just(ToolKind::Shell),
        ];
        (kind, proptest::sample::select(ReadOnly::ALL), flags).prop_map(
            |(kind, read_only, (command, edits_in_roots, shows))| Facts {
                kind,
                read_only,
                file_command: command.is_some(),
                edits_in_roots,
                shows_content: shows.is_some(),
            },
        )
    }

    fn policy_line(self) -> impl Strategy<Value = PolicyLine> {
        let rewrite = option::weighted(often(self.rewrite), proposal());
        let id = option::weighted(0.3, 0_usize..4);
        (rewrite, id, option::weighted(0.3, 0_usize..4)).prop_map(|(rewrite, settlement, round)| {
            PolicyLine {
                rewrite,
                settlement,
                round,
            }
        })
    }

    fn probe(self) -> impl Strategy<Value = Probe> {
        let finding = prop_oneof![
            self.good => Just(Reversibility::Reversible),
            self.ask => Just(Reversibility::Irreversible),
            self.ask => Just(Reversibility::OutOfRoot),
        ];
        (finding, option::weighted(0.15, Just(()))).prop_map(|(finding, declined)| Probe {
            finding,
            boundary_declined: declined.is_some(),
        })
    }

    fn egress(self) -> impl Strategy<Value = Egress> {
        prop_oneof![
            self.good => Just(Egress::Inside),
            self.ask => Just(Egress::Outside(Some(Text::new("evil.example")))),
            self.ask => Just(Egress::Outside(None)),
        ]
    }

    fn write_protection(self) -> impl Strategy<Value = WriteProtection> {
        prop_oneof![
            2 * self.good => Just(WriteProtection::None),
            self.ask => Just(WriteProtection::Matched),
            self.deny => Just(WriteProtection::Unresolved),
        ]
    }

    fn shell_read(self) -> impl Strategy<Value = ShellRead> {
        let card = |finding: &str| Card {
            finding: finding.into(),
            text: "see the line".into(),
        };
        let finding = prop_oneof![
            2 * self.good => Just(ShellFinding::Clean),
            self.ask => Just(ShellFinding::Declined),
            self.ask => Just(ShellFinding::OutOfRoot(Some(card("out_of_root")))),
            self.ask => Just(ShellFinding::Unestablishable(None)),
            2 * self.deny => Just(ShellFinding::Refused(card("refused"))),
        ];
        let options = option::weighted(0.2, proptest::sample::select(CopyProgram::ALL));
        let offer = option::weighted(
            0.2,
            Just(Offer {
                directory: "/srv".into(),
            }),
        );
        let protection = self.write_protection();
        (finding, any::<bool>(), options, protection, offer).prop_map(
            |(finding, writes_placed, unplaced_options, write_protection, offer)| ShellRead {
                finding,
                writes_placed,
                unplaced_options,
                write_protection,
                offer,
                part: Some("ls".into()),
            },
        )
    }

    fn classification() -> impl Strategy<Value = Classification> {
        let ruling = prop_oneof![
            2 => Just(ClassifierRuling::Allow),
            3 => proptest::sample::select(ClassifierRuling::ALL),
        ];
        let round = ClassifierRound {
            asked: "m1".into(),
            answered: "m2".into(),
        };
        (
            ruling,
            option::of(Just(round)),
            option::of(Just(Text::new("so it says"))),
        )
            .prop_map(|(ruling, round, reason)| Classification {
                ruling,
                round,
                reason,
            })
    }

    fn resolve_line(self) -> impl Strategy<Value = ResolveLine> {
        let by = proptest::sample::select(Answerer::ALL);
        let edit = option::weighted(often(self.edit), proposal());
        let yes = (by.clone(), edit, any::<bool>());
        let ending = prop_oneof![
            8 => yes.prop_map(|(by, edit, remember)| AskEnding::Yes { by, edit, remember }),
            1 => (by, any::<bool>()).prop_map(|(by, reason)| AskEnding::No { by, reason }),
            1 => proptest::sample::select(NoAnswer::ALL).prop_map(AskEnding::Unanswered),
        ];
        (ending, option::weighted(0.2, 0_usize..4))
            .prop_map(|(ending, attested)| ResolveLine { ending, attested })
    }

    fn park() -> impl Strategy<Value = Parking> {
        prop_oneof![
            3 => Just(Parking::Declined),
            2 => Just(Parking::Parked),
            1 => Just(Parking::Failed("no store".into())),
        ]
    }

    /// The seats that few passes come to fail more often, or their failures would be too rare.
    fn late(self) -> Self {
        Self {
            fail: self.fail.max(self.good / 25),
            abort: if self.abort == 0 {
                0
            } else {
                self.abort.max(self.good / 40)
            },
            ..self
        }
    }

    fn thrice(self) -> Self {
        Self {
            fail: 3 * self.fail,
            abort: 3 * self.abort,
            ..self
        }
    }

    /// Scripts of this temper.
    pub(crate) fn script(self) -> impl Strategy<Value = Script> {
        let layers = self.layers();
        let findings = (
            replies(self, Self::facts()),
            replies(self, self.probe()),
            replies(self, self.egress()),
            replies(self, self.shell_read()),
            replies(self, self.write_protection()),
        );
        let shown = prop_oneof![
            8 => Just(PresentLine::Shown),
            1 => Just(PresentLine::ShownOther),
            1 => Just(PresentLine::Cannot),
        ];
        let admitted = prop_oneof![
            1 => Just(Sandbox::Not),
            1 => option::of(Just(Text::new("sandboxed"))).prop_map(Sandbox::Admitted),
        ];
        let late = self.late();
        let endings = (
            replies(late.thrice(), Self::classification()),
            replies(late.thrice(), admitted),
            replies(late.thrice(), shown),
            replies(late, Self::park()),
            replies(late, self.resolve_line()),
        );
        (any::<u8>(), layers, findings, endings).prop_map(|(salt, layers, findings, endings)| {
            let (hook, receipts, policy, policy_rulings, org, org_rulings, rules, rule_rulings) =
                layers;
            let (describe, probe, egress, shell_read, write_judge) = findings;
            let (classify, sandbox, present, park, resolve) = endings;
            Script {
                salt,
                hook,
                receipts,
                describe,
                policy,
                policy_rulings,
                probe,
                egress,
                shell_read,
                write_judge,
                org,
                org_rulings,
                rules,
                rule_rulings,
                classify,
                sandbox,
                present,
                park,
                resolve,
            }
        })
    }

    /// Hooks, the policy, the organisation and the rules.
    #[allow(
        clippy::type_complexity,
        reason = "a tuple of strategies, named where it is taken apart"
    )]
    fn layers(
        self,
    ) -> impl Strategy<
        Value = (
            Menu<Reply<()>>,
            Menu<HookLine>,
            Menu<Reply<PolicyLine>>,
            Menu<Option<PolicyRuling>>,
            Menu<Reply<()>>,
            Menu<Option<OrgRuling>>,
            Menu<Reply<()>>,
            Menu<Option<RuleRuling>>,
        ),
    > {
        let allows = vec![
            PolicyRuling::Allow { stated: true },
            PolicyRuling::Allow { stated: false },
            PolicyRuling::Allow { stated: false },
        ];
        let grant = Some(Text::new("g1"));
        let stored = vec![RuleRuling::None, RuleRuling::Allow { grant }];
        (
            replies(self, Just(())),
            menu(self.hook_line()),
            replies(self, self.policy_line()),
            self.rulings(
                allows,
                PolicyRuling::Ask,
                self.policy_ask,
                PolicyRuling::Deny,
            ),
            replies(self, Just(())),
            self.rulings(
                vec![OrgRuling::None],
                OrgRuling::Ask,
                self.ask,
                OrgRuling::Deny,
            ),
            replies(self, Just(())),
            self.rulings(stored, RuleRuling::Ask, self.ask, RuleRuling::Deny),
        )
    }
}
