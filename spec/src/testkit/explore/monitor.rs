//! The monitor: what has to be remembered of a pass so that its end can be checked.
//!
//! It hears the questions and answers and nothing else. What it remembers belongs to the key of a
//! state, so that no check is missed because two ways to a pass were taken for one; nearly all of
//! it follows from the state of the pass, so that it seldom tells states apart.

use std::hash::{DefaultHasher, Hash, Hasher};

use gatefold::gate::{
    Adjudication, Answer, Args, AskOrigin, AttestationId, Digest, Facts, HookDecision, HookKind,
    HookOutcome, HookQuestion, HookReceipt, NewArgs, Parking, Presented, Question, Reply,
    Resolution, Resolved, SeatFailure, ShellFinding, ShellRead,
};

use super::judge::{Bench, Screened};
use super::world::World;

/// What is remembered of a pass.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a thing that was heard or was not"
)]
pub struct Monitor {
    /// A seat answered `aborted`, or the pass was aborted.
    pub aborted: bool,
    /// How far the pass has come: the round, and the place in the order of questions.
    pub rank: (u8, u8),
    /// The args that the last adjudication of this round answered for, its rewrite applied.
    pub adjudicated: Option<Digest>,
    /// The boundary declined to judge a read, in any round.
    pub declined: bool,
    /// What the call does, as it was last described.
    pub facts: Facts,
    /// Every write was placed.
    pub placed: bool,
    /// The reads were not established.
    pub unread: bool,
    /// The args that a hook's standing allow covers.
    pub covered: Option<Digest>,
    /// A guard allowed in the first screening, and the second is to come.
    pub allowed_first: bool,
    /// A guard asked in this round.
    pub hook_asked: bool,
    /// The content was shown.
    pub shown: bool,
    /// Parking was tried and failed.
    pub park_failed: bool,
    /// A classifier round of this pass was named.
    pub named: bool,
    /// A classifier round of an ancestor was attested.
    pub inherited: bool,
    /// The origin of the ask that the last resolver said yes to, unless the policy attested since.
    pub owed: Option<AskOrigin>,
    /// Which of the world's attested settlements were looked up, one bit each.
    pub looked_up: u8,
    /// The pass was parked and resumed.
    pub resumed: bool,
}

impl Default for Monitor {
    fn default() -> Self {
        Self {
            aborted: false,
            rank: (0, 0),
            adjudicated: None,
            declined: false,
            facts: Facts::UNKNOWN,
            placed: false,
            unread: false,
            covered: None,
            allowed_first: false,
            hook_asked: false,
            shown: false,
            park_failed: false,
            named: false,
            inherited: false,
            owed: None,
            looked_up: 0,
            resumed: false,
        }
    }
}

/// What tells two states apart.
pub(super) type Key = ([u8; 32], u64);

impl Monitor {
    /// The key of a pass with this digest.
    pub(super) fn key(&self, digest: Digest) -> Key {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        (*digest.as_bytes(), hasher.finish())
    }

    /// Hears an answer.
    pub(super) fn hear(&mut self, question: &Question, answer: &Answer, ear: &Ear<'_, '_>) {
        self.aborted = failure(answer) == Some(&SeatFailure::Aborted);
        match (question, answer) {
            (Question::Hook(question), Answer::Hook(reply)) => {
                self.hear_hooks(question, reply, ear.bench);
            }
            (Question::Describe(_), Answer::Describe(reply)) => self.hear_facts(reply),
            (Question::Adjudicate(question), Answer::Adjudicate(reply)) => {
                self.hear_policy(&question.current, reply, ear.world);
            }
            (_, Answer::Probe(Ok(probe))) => self.declined |= probe.boundary_declined,
            (_, Answer::ShellRead(reply)) => self.hear_reader(reply),
            (_, Answer::Classify(Ok(answer))) => self.named |= answer.round.is_some(),
            (Question::Present(subject), Answer::Present(Ok(Presented::Shown(digest)))) => {
                self.shown = *digest == subject.args.digest();
            }
            // A park that succeeds ends the story of one that failed before.
            (_, Answer::Park(Ok(Parking::Parked))) => self.park_failed = false,
            (_, Answer::Park(reply)) => {
                self.park_failed |= matches!(
                    reply,
                    Ok(Parking::Failed(_)) | Err(SeatFailure::Threw(_) | SeatFailure::TimedOut)
                );
            }
            (Question::Resolve(question), Answer::Resolve(Ok(resolution))) => {
                self.hear_resolver(question.ask.origin, resolution, ear.world);
            }
            _ => {}
        }
    }

    fn hear_hooks(
        &mut self,
        question: &HookQuestion,
        reply: &Reply<Vec<HookReceipt>>,
        bench: &Bench<'_>,
    ) {
        let (said, rewrites) = screened(question, reply, self.hook_asked);
        self.covered = None;
        self.allowed_first = false;
        let Some((ends, standing)) = bench.screening(&said) else {
            return;
        };
        self.hook_asked |= said.ask && (ends == "goes_on" || ends == "asks_again");
        self.allowed_first = said.allow && ends == "asks_again";
        if standing == "allow" {
            let stands = rewrites.first().unwrap_or(&question.args);
            self.covered = Some(stands.digest());
        }
    }

    fn hear_facts(&mut self, reply: &Reply<Facts>) {
        self.facts = match reply {
            Ok(facts) => *facts,
            Err(_) => Facts {
                shows_content: true,
                ..Facts::UNKNOWN
            },
        };
    }

    fn hear_policy(&mut self, current: &Args, reply: &Reply<Adjudication>, world: &World) {
        self.adjudicated = None;
        let Ok(answer) = reply else { return };
        if let Some(id) = answer.settlement {
            self.owed = None;
            self.look_up(id, world);
        }
        if let Some(id) = answer.round {
            let fresh = self.look_up(id, world);
            self.inherited |= fresh && id == world.attested.round;
        }
        let rewrite = answer.rewrite.as_ref().and_then(|args| args.read().ok());
        let judged = rewrite.as_ref().unwrap_or(current);
        if judged != current {
            self.covered = None;
        }
        self.adjudicated = Some(judged.digest());
    }

    fn hear_reader(&mut self, reply: &Reply<ShellRead>) {
        self.placed = reply.as_ref().is_ok_and(|read| read.writes_placed);
        self.unread = reply.as_ref().map_or(true, |read| match read.finding {
            ShellFinding::Unestablishable(_) | ShellFinding::Declined => true,
            ShellFinding::Clean | ShellFinding::OutOfRoot(_) | ShellFinding::Refused(_) => false,
        });
    }

    fn hear_resolver(&mut self, origin: Option<AskOrigin>, resolution: &Resolution, world: &World) {
        if let Some(id) = resolution.attested {
            self.look_up(id, world);
        }
        self.owed = match resolution.shown {
            Resolved::Yes { .. } => origin,
            Resolved::No { .. } | Resolved::Unanswered(_) => None,
        };
    }

    /// Remembers that an attestation was looked up; says whether it was the first time.
    fn look_up(&mut self, id: AttestationId, world: &World) -> bool {
        let bit = bit(id, world);
        let fresh = self.looked_up & bit == 0;
        self.looked_up |= bit;
        fresh
    }

    /// Whether this attestation was looked up before.
    pub(super) fn used(&self, id: AttestationId, world: &World) -> bool {
        self.looked_up & bit(id, world) != 0
    }

    /// Follows the pass to its next question; says whether it is further on than the last.
    pub(super) fn advance(&mut self, question: &Question) -> bool {
        let round = round_of(question);
        if round != self.rank.0 {
            self.adjudicated = None;
            self.facts = Facts::UNKNOWN;
            (self.placed, self.unread, self.shown) = (false, false, false);
            (self.covered, self.hook_asked) = (None, false);
        }
        let rank = (round, self.place(question));
        let on = rank > self.rank || self.rank == (0, 0);
        self.rank = rank;
        on
    }

    /// The place of a question in the order of a round's questions.
    fn place(&self, question: &Question) -> u8 {
        let adjudicated = round_of(question) == self.rank.0 && self.rank.1 >= 4;
        match question {
            Question::Hook(question) if question.again => 2,
            Question::Hook(_) => 1,
            Question::Describe(_) if adjudicated => 5,
            Question::Describe(_) => 3,
            Question::Adjudicate(_) => 4,
            Question::Probe(_) => 6,
            Question::Egress(_) => 7,
            Question::ShellRead(_) => 8,
            Question::WriteJudge(_) => 9,
            Question::Org(_) => 10,
            Question::Rules(_) => 11,
            Question::Classify(_) => 12,
            Question::Sandbox(_) => 13,
            Question::Present(_) => 14,
            Question::Park(_) => 15,
            Question::Resolve(_) => 16,
        }
    }
}

/// The bit of an attestation among those that are remembered.
fn bit(id: AttestationId, world: &World) -> u8 {
    let settlements = world.attested.settlements();
    let place = settlements.iter().position(|known| *known == id);
    match place {
        Some(place) => 1 << place,
        None if id == world.attested.round => 1 << settlements.len(),
        None => 0,
    }
}

/// What the monitor hears with.
pub(super) struct Ear<'a, 'b> {
    pub(super) world: &'a World,
    pub(super) bench: &'a Bench<'b>,
}

/// What the guards said, in the words of the table, and the rewrites that change the args.
pub(super) fn screened(
    question: &HookQuestion,
    reply: &Reply<Vec<HookReceipt>>,
    asked_before: bool,
) -> (Screened, Vec<Args>) {
    let guards = question
        .hooks
        .iter()
        .filter(|hook| hook.kind == HookKind::Guard);
    let mut said = Screened {
        again: question.again,
        guards: guards.clone().count(),
        failed: reply.is_err(),
        asked_before: asked_before && question.again,
        ..Screened::default()
    };
    let mut rewrites = Vec::new();
    let Ok(receipts) = reply else {
        return (said, rewrites);
    };
    for hook in guards {
        let mut own = receipts.iter().filter(|receipt| receipt.hook == hook.id);
        let first = own.next();
        let agree = first.is_some_and(|first| own.all(|copy| copy.outcome == first.outcome));
        let answer = match first.map(|receipt| &receipt.outcome) {
            Some(HookOutcome::Answered(answer)) if agree => answer,
            _ => {
                said.failure = true;
                continue;
            }
        };
        let rewrite = answer.rewrite.as_ref().map(NewArgs::read);
        let unreadable = matches!(rewrite, Some(Err(_)));
        match answer.decision {
            HookDecision::Deny | HookDecision::OutOfContract => said.deny = true,
            _ if unreadable => said.deny = true,
            HookDecision::Ask => said.ask = true,
            HookDecision::Allow => said.allow = true,
            HookDecision::None => {}
        }
        let rewrite = rewrite
            .and_then(Result::ok)
            .filter(|args| *args != question.args);
        let counts = answer.decision != HookDecision::Deny;
        rewrites.extend(rewrite.filter(|args| counts && !rewrites.contains(args)));
    }
    said.rewrites = rewrites.len();
    (said, rewrites)
}

/// The edit round of a question.
pub(super) fn round_of(question: &Question) -> u8 {
    match question {
        Question::Hook(question) => question.round,
        Question::Describe(subject)
        | Question::Probe(subject)
        | Question::Egress(subject)
        | Question::ShellRead(subject)
        | Question::WriteJudge(subject)
        | Question::Sandbox(subject)
        | Question::Present(subject) => subject.round,
        Question::Adjudicate(question) | Question::Org(question) | Question::Rules(question) => {
            question.round
        }
        Question::Classify(question) => question.round,
        Question::Park(question) => question.ask.round,
        Question::Resolve(question) => question.ask.round,
    }
}

/// How the seat failed, if it did.
pub(super) fn failure(answer: &Answer) -> Option<&SeatFailure> {
    match answer {
        Answer::Hook(reply) => reply.as_ref().err(),
        Answer::Describe(reply) => reply.as_ref().err(),
        Answer::Adjudicate(reply) => reply.as_ref().err(),
        Answer::Probe(reply) => reply.as_ref().err(),
        Answer::Egress(reply) => reply.as_ref().err(),
        Answer::ShellRead(reply) => reply.as_ref().err(),
        Answer::WriteJudge(reply) => reply.as_ref().err(),
        Answer::Org(reply) => reply.as_ref().err(),
        Answer::Rules(reply) => reply.as_ref().err(),
        Answer::Classify(reply) => reply.as_ref().err(),
        Answer::Sandbox(reply) => reply.as_ref().err(),
        Answer::Present(reply) => reply.as_ref().err(),
        Answer::Park(reply) => reply.as_ref().err(),
        Answer::Resolve(reply) => reply.as_ref().err(),
    }
}
