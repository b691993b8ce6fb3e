//! Worlds: the inputs from which passes are explored.

use std::fmt::{self, Write as _};

use gatefold::gate::{
    Adjudication, Answer, Args, AttestationBook, AttestationId, AttestedIds, Call, Classification,
    ClassifierRound, ClassifierRuling, Digest, Finished, GateInput, GateInputBuilder, GateResult,
    HookKind, Member, Mode, OnNoRuling, PolicyRuling, Question, Resolved, Seat, Settings, Step,
    Unstated, begin,
};

use super::alphabet::Breadth;

/// The mark of the leg in every world; it stands once in every text that the model reads.
pub const LEG: &str = "[leg]";

/// The args that scripts use, each with one way into a pass.
#[derive(Clone, Debug)]
pub struct Pool {
    /// What the model asked for.
    pub asked: Args,
    /// What a hook rewrites it to.
    pub hook: Args,
    /// What another hook rewrites it to.
    pub second_hook: Args,
    /// What the policy rewrites it to.
    pub policy: Args,
    /// What a person edits it to.
    pub edit: Args,
    /// What a person edits it to the second time.
    pub second_edit: Args,
}

impl Pool {
    fn new() -> Self {
        let args = |by: &str| {
            let text = format!(r#"{{"by":"{by}"}}"#);
            Args::parse(&text).unwrap_or_else(|_| Args::empty())
        };
        Self {
            asked: args("model"),
            hook: args("hook"),
            second_hook: args("second hook"),
            policy: args("policy"),
            edit: args("person"),
            second_edit: args("person again"),
        }
    }
}

/// The attestations in every world's book. None of them is of another call.
#[derive(Clone, Copy, Debug)]
pub struct Attested {
    /// A yes to the args as asked.
    pub yes: AttestationId,
    /// A yes to the args as the policy rewrites them.
    pub yes_to_policy: AttestationId,
    /// A yes to the args as a person edits them.
    pub yes_to_edit: AttestationId,
    /// A no.
    pub refusal: AttestationId,
    /// A classifier's allow, with both names.
    pub round: AttestationId,
    /// A classifier that could not be reached.
    pub unavailable: AttestationId,
    /// A classifier that could not be understood.
    pub parse_error: AttestationId,
}

impl Attested {
    /// Every attestation of a settlement, so that a check can remember which were looked up.
    pub const fn settlements(&self) -> [AttestationId; 4] {
        [self.yes, self.yes_to_policy, self.yes_to_edit, self.refusal]
    }
}

/// One input to explore from.
#[derive(Clone, Debug)]
pub struct World {
    /// What was chosen, in words; a script begins with it.
    pub name: String,
    /// The input.
    pub input: GateInput,
    /// The same input, and the pass keeps a trace.
    pub traced: GateInput,
    /// The same input under another policy: under it a ticket is stale.
    pub stale: GateInput,
    /// The policy's digest.
    pub policy: Digest,
    /// The args that scripts use.
    pub pool: Pool,
    /// What its book attests.
    pub attested: Attested,
    /// Guards declared.
    pub guards: usize,
    /// How many answers of each seat are tried.
    pub breadth: Breadth,
}

/// Everything about a world that can be chosen.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The modes of the caller and its ancestors, nearest first.
    pub modes: Vec<Mode>,
    /// Whose compliance lock is set, by place in the lineage.
    pub locked: Option<usize>,
    /// How many guards are declared.
    pub guards: usize,
    /// Whether an observer hook is declared.
    pub observer: bool,
    /// The wired seats, the hook seat aside.
    pub wired: Vec<Seat>,
    /// What becomes of a call about which nobody stated anything.
    pub unstated: Unstated,
    /// Whether the classifier denied as often as the limit allows.
    pub denied_often: bool,
    /// What becomes of a classifier that did not rule.
    pub on_no_ruling: OnNoRuling,
    /// Edit rounds allowed.
    pub edit_cap: u8,
    /// How many answers of each seat are tried.
    pub breadth: Breadth,
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let modes: Vec<_> = self.modes.iter().map(|mode| mode.word()).collect();
        write!(f, "{}", modes.join(" under "))?;
        if let Some(place) = self.locked {
            write!(f, ", lock {place}")?;
        }
        let observer = if self.observer { "+observer" } else { "" };
        write!(f, ", guards {}{observer}", self.guards)?;
        let resolver = self.wired.contains(&Seat::Resolve);
        f.write_str(if resolver {
            ", interactive"
        } else {
            ", headless"
        })?;
        if self.unstated == Unstated::Allow {
            f.write_str(", unstated allow")?;
        }
        if self.denied_often {
            f.write_str(", denied often")?;
        }
        if self.on_no_ruling == OnNoRuling::Ask {
            f.write_str(", no ruling ask")?;
        }
        write!(f, ", cap {}", self.edit_cap)
    }
}

impl Plan {
    /// A caller in this mode with these seats wired and no hook.
    pub fn of(mode: Mode, wired: &[Seat]) -> Self {
        Self {
            modes: vec![mode],
            locked: None,
            guards: 0,
            observer: false,
            wired: wired.to_vec(),
            unstated: Unstated::Ask,
            denied_often: false,
            on_no_ruling: OnNoRuling::Deny,
            edit_cap: 0,
            breadth: Breadth::Reduced,
        }
    }

    /// The world of this plan.
    ///
    /// # Panics
    /// If the engine refuses the input or ends the earlier passes otherwise than it always did.
    pub fn world(&self, slice: &str) -> World {
        let pool = Pool::new();
        let mut book = AttestationBook::new();
        let attested = attest(&pool, &mut book, self);
        let policy = Digest::of(b"the policy");
        let input = || self.input(&pool, &book);
        let build = |input: GateInputBuilder| {
            input
                .build()
                .unwrap_or_else(|error| panic!("{slice} {self}: {error}"))
        };
        World {
            name: format!("{slice} [{self}]"),
            input: build(input().policy(policy)),
            traced: build(input().policy(policy).trace(true)),
            stale: build(input().policy(Digest::of(b"another policy"))),
            policy,
            pool: pool.clone(),
            attested,
            guards: self.guards,
            breadth: self.breadth,
        }
    }

    fn input(&self, pool: &Pool, book: &AttestationBook) -> GateInputBuilder {
        let mut input = ask(&pool.asked).attestations(book.clone()).leg(LEG);
        for (place, mode) in self.modes.iter().enumerate() {
            let lock = self.locked == Some(place);
            input = match place {
                0 => input.mode(*mode).lock(lock),
                _ => input.ancestor(Member {
                    mode: *mode,
                    lock,
                    ..Member::default()
                }),
            };
        }
        if self.observer {
            input = input.hook("observer", HookKind::Observer);
        }
        for guard in 0..self.guards {
            let mut id = String::from("guard ");
            let _ = write!(id, "{guard}");
            input = input.hook(&id, HookKind::Guard);
        }
        for seat in &self.wired {
            input = input.wire(*seat);
        }
        let settings = Settings {
            edit_cap: self.edit_cap,
            on_no_ruling: self.on_no_ruling,
            ..Settings::default()
        };
        let denials = if self.denied_often {
            settings.denial_limit
        } else {
            0
        };
        input
            .unstated(self.unstated)
            .denials(denials)
            .settings(settings)
    }
}

fn ask(args: &Args) -> GateInputBuilder {
    GateInput::builder(Call {
        id: "c1".into(),
        tool: "Bash".into(),
        args: args.clone(),
    })
}

/// Fills the book from passes that really ended so. What no letter of the world shows is not in the
/// book, and its id is nobody's: a book is part of every state.
fn attest(pool: &Pool, book: &mut AttestationBook, plan: &Plan) -> Attested {
    let policy = plan.wired.contains(&Seat::Adjudicate);
    let full = plan.breadth == Breadth::Full;
    // Whoever resumes a parked pass resolves its ask.
    let resolver = [Seat::Resolve, Seat::Park]
        .iter()
        .any(|seat| plan.wired.contains(seat));
    let some = policy || (full && resolver);
    let (both, rounds) = (full && some, full && policy);
    let mut settled = |shown: bool, args: &Args, answer: Resolved| {
        if !shown {
            return nobodys();
        }
        let finished = end(ask(args).wire(Seat::Resolve), &|_| {
            Answer::Resolve(Ok(answer.clone().into()))
        });
        enter(book, &finished).settlement.unwrap_or_else(nobodys)
    };
    let yes = settled(some, &pool.asked, Resolved::YES);
    let yes_to_policy = settled(both, &pool.policy, Resolved::YES);
    let yes_to_edit = settled(both, &pool.edit, Resolved::YES);
    let refusal = settled(some, &pool.asked, Resolved::NO);
    let names = || {
        Some(ClassifierRound {
            asked: "big".into(),
            answered: "small".into(),
        })
    };
    let mut ruled = |ruling, round: Option<ClassifierRound>| {
        if !rounds {
            return nobodys();
        }
        let auto = ask(&pool.asked).mode(Mode::Auto).wire(Seat::Classify);
        let finished = end(auto, &|_| {
            Answer::Classify(Ok(Classification {
                ruling,
                round: round.clone(),
                reason: None,
            }))
        });
        enter(book, &finished).round.unwrap_or_else(nobodys)
    };
    Attested {
        yes,
        yes_to_policy,
        yes_to_edit,
        refusal,
        round: ruled(ClassifierRuling::Allow, names()),
        unavailable: ruled(ClassifierRuling::Unavailable, None),
        parse_error: ruled(ClassifierRuling::ParseError, None),
    }
}

fn nobodys() -> AttestationId {
    Digest::of(b"nobody's").into()
}

fn enter(book: &mut AttestationBook, finished: &Finished) -> AttestedIds {
    let entered = book.attest(finished);
    entered.unwrap_or_else(|error| panic!("an empty book takes it: {error}"))
}

fn end(input: GateInputBuilder, answer: &dyn Fn(&Question) -> Answer) -> Finished {
    let mut step = begin(
        input
            .build()
            .unwrap_or_else(|error| panic!("a plain call: {error}")),
    );
    loop {
        step = match step {
            Step::Need(pass) => {
                let answer = answer(pass.question());
                pass.answer(answer)
                    .unwrap_or_else(|misuse| panic!("{misuse}"))
            }
            Step::Done(result) => match *result {
                GateResult::Finished(finished) => return finished,
                GateResult::Suspended(_) => panic!("nobody parks"),
            },
            Step::Defect(defect) => panic!("{defect}"),
        };
    }
}

/// The policy says this of every form and member, and nothing else.
pub(super) fn ruled(judgements: Vec<gatefold::gate::Judgement<PolicyRuling>>) -> Adjudication {
    Adjudication {
        judgements,
        ..Adjudication::default()
    }
}
