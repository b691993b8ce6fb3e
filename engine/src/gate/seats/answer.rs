//! Answers: what a host says, one variant a seat.

use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::Seat;
use super::failure::Reply;
use crate::gate::args::NewArgs;
use crate::gate::attest::AttestationId;
use crate::gate::digest::Digest;
use crate::gate::input::HookId;
use crate::gate::settlement::Grant;
use crate::gate::text::Text;
use crate::gate::words::{ClassifierRound, CopyProgram, words};

/// An answer to the open question. It must be of the question's seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// One receipt a hook.
    Hook(Reply<Vec<HookReceipt>>),
    /// What the call does.
    Describe(Reply<Facts>),
    /// The policy's verdict.
    Adjudicate(Reply<Adjudication>),
    /// Whether it can be undone.
    Probe(Reply<Probe>),
    /// Whether it leaves the allowed hosts.
    Egress(Reply<Egress>),
    /// What the command reads and writes.
    ShellRead(Reply<ShellRead>),
    /// Whether the target is protected.
    WriteJudge(Reply<WriteProtection>),
    /// The organisation's judgements.
    Org(Reply<Vec<Judgement<OrgRuling>>>),
    /// The persisted rules' judgements.
    Rules(Reply<Vec<Judgement<RuleRuling>>>),
    /// The classifier's ruling.
    Classify(Reply<Classification>),
    /// Whether the sandbox takes the call.
    Sandbox(Reply<Sandbox>),
    /// What was shown.
    Present(Reply<Presented>),
    /// Whether the ask was taken away.
    Park(Reply<Parking>),
    /// How the ask ended.
    Resolve(Reply<Resolution>),
}

impl Answer {
    /// The seat whose answer this is.
    pub const fn seat(&self) -> Seat {
        match self {
            Self::Hook(_) => Seat::Hook,
            Self::Describe(_) => Seat::Describe,
            Self::Adjudicate(_) => Seat::Adjudicate,
            Self::Probe(_) => Seat::Probe,
            Self::Egress(_) => Seat::Egress,
            Self::ShellRead(_) => Seat::ShellRead,
            Self::WriteJudge(_) => Seat::WriteJudge,
            Self::Org(_) => Seat::Org,
            Self::Rules(_) => Seat::Rules,
            Self::Classify(_) => Seat::Classify,
            Self::Sandbox(_) => Seat::Sandbox,
            Self::Present(_) => Seat::Present,
            Self::Park(_) => Seat::Park,
            Self::Resolve(_) => Seat::Resolve,
        }
    }
}

/// What one hook has to say, or how it failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookReceipt {
    /// The hook.
    pub hook: HookId,
    /// What came of asking it.
    pub outcome: HookOutcome,
}

/// What came of asking one hook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookOutcome {
    /// It answered.
    Answered(HookAnswer),
    /// Its answer could not be trusted to be its answer; the text says why. Source: G080.
    Malformed(Text),
    /// It crashed.
    Threw(Text),
    /// It did not answer in time.
    TimedOut,
}

/// A hook's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookAnswer {
    /// Its decision.
    pub decision: HookDecision,
    /// Its reason, for the model or for whoever is asked.
    pub reason: Option<Text>,
    /// Args to run instead.
    pub rewrite: Option<NewArgs>,
    /// Context for the model. All contexts of a pass together stay within 64 KiB.
    pub context: Option<Arc<str>>,
}

impl HookAnswer {
    /// A decision and nothing else.
    pub const fn plain(decision: HookDecision) -> Self {
        Self {
            decision,
            reason: None,
            rewrite: None,
            context: None,
        }
    }
}

words! {
    /// A hook's decision.
    pub enum HookDecision {
        /// No opinion.
        None = "none",
        /// It may run, as far as this hook goes.
        Allow = "allow",
        /// Somebody must be asked.
        Ask = "ask",
        /// It must not run.
        Deny = "deny",
        /// It said something that no hook may say. Source: G075.
        OutOfContract = "out_of_contract",
    }
}

words! {
    /// The kind of a tool.
    pub enum ToolKind {
        /// Runs a command line.
        Shell = "shell",
        /// Reads files.
        Read = "read",
        /// Changes files.
        Edit = "edit",
        /// Fetches from a host.
        Fetch = "fetch",
        /// A tool of an MCP server.
        Mcp = "mcp",
        /// Anything else.
        Other = "other",
    }
}

words! {
    /// Whether a call only reads.
    pub enum ReadOnly {
        /// It is known to.
        Yes = "yes",
        /// It is known not to.
        No = "no",
        /// Nobody knows.
        Unknown = "unknown",
    }
}

/// What a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    /// The kind of its tool.
    pub kind: ToolKind,
    /// Whether it only reads.
    pub read_only: ReadOnly,
    /// It is a common file command (`mkdir`, `cp`, `mv`, …).
    pub file_command: bool,
    /// It is an edit whose every target lies inside the roots.
    pub edits_in_roots: bool,
    /// Its content is to be shown before anybody approves it.
    pub shows_content: bool,
}

impl Facts {
    /// What holds of a call that nobody described.
    pub const UNKNOWN: Self = Self {
        kind: ToolKind::Other,
        read_only: ReadOnly::Unknown,
        file_command: false,
        edits_in_roots: false,
        shows_content: false,
    };
}

words! {
    /// Which args a judgement is about.
    pub enum Form {
        /// The form beside the current one.
        Original = "original",
        /// The args as they stand now.
        Current = "current",
    }
}

/// What one layer says of one form of the args for one member of the lineage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement<R> {
    /// The args it is about.
    pub form: Form,
    /// The member it is about: 0 is the caller, then its ancestors, nearest first.
    pub member: u8,
    /// What is said.
    pub ruling: R,
    /// Why, for the model or for whoever is asked.
    pub reason: Option<Text>,
    /// The rule behind it.
    pub basis: Option<Basis>,
}

/// The rule behind a judgement, as its layer names it. The engine copies it and never reads it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Basis {
    /// The layer: `org`, `policy`, `user`, `project`, …
    pub layer: Text,
    /// The file the rule stands in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Text>,
    /// The list it stands in: `allow`, `ask`, `deny`.
    pub list: Text,
    /// Its place in the list, from 0.
    pub index: u32,
    /// The rule as written.
    pub rule: Text,
    /// The part of the call that it matched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Text>,
}

/// The policy's verdict, whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// One judgement a form and member.
    pub judgements: Vec<Judgement<PolicyRuling>>,
    /// Args to run instead. Judgements of the current form speak of the args with it applied.
    pub rewrite: Option<NewArgs>,
    /// An attested settlement of an ask of this call.
    pub settlement: Option<AttestationId>,
    /// An attested classifier round over this call.
    pub round: Option<AttestationId>,
}

/// What the policy says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PolicyRuling {
    /// It may run.
    Allow {
        /// Somebody stated so; otherwise nothing was said against it.
        stated: bool,
    },
    /// Somebody must be asked.
    Ask,
    /// It must not run.
    Deny,
}

words! {
    /// What the organisation says.
    pub enum OrgRuling {
        /// Nothing.
        None = "none",
        /// Somebody must be asked.
        Ask = "ask",
        /// It must not run.
        Deny = "deny",
    }
}

/// What the persisted rules say.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleRuling {
    /// Nothing.
    None,
    /// It may run, under this stored grant.
    Allow {
        /// The grant's id, in the host's words.
        grant: Option<Text>,
    },
    /// Somebody must be asked.
    Ask,
    /// It must not run.
    Deny,
}

words! {
    /// Whether a call can be undone.
    pub enum Reversibility {
        /// It can.
        Reversible = "reversible",
        /// It cannot.
        Irreversible = "irreversible",
        /// It reaches out of the roots.
        OutOfRoot = "out_of_root",
    }
}

/// What the reversibility probe found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// Whether it can be undone.
    pub finding: Reversibility,
    /// The read boundary declined to judge where this call reads. Source: G127.
    pub boundary_declined: bool,
}

impl Probe {
    /// What holds when nobody probes.
    pub const UNWIRED: Self = Self {
        finding: Reversibility::Reversible,
        boundary_declined: false,
    };
}

/// Where a call connects to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Egress {
    /// Nowhere, or only to allowed hosts.
    Inside,
    /// To this host, or to one that is not known.
    Outside(Option<Text>),
}

/// A containment card: what the shell reader found, for the refusal's details. Source: G114, G116.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// The finding in one word.
    pub finding: Text,
    /// What it is about, in a sentence.
    pub text: Text,
}

/// A directory grant that would cure an out-of-root read. Source: G129.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Offer {
    /// The directory to be granted.
    pub directory: Text,
}

/// What the shell reader found about a command's reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShellFinding {
    /// Nothing to object.
    Clean,
    /// It reads outside the roots.
    OutOfRoot(Option<Card>),
    /// What it reads cannot be established.
    Unestablishable(Option<Card>),
    /// The reader declined to judge it.
    Declined,
    /// The reader refuses it outright.
    Refused(Card),
}

words! {
    /// How a target stands to the write-protection table, in order of strictness.
    pub enum WriteProtection {
        /// Not protected.
        None = "none",
        /// Protected.
        Matched = "matched",
        /// The target could not be worked out.
        Unresolved = "unresolved",
    }
}

/// What the shell reader says of a command.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShellRead {
    /// What it found about the reads.
    pub finding: ShellFinding,
    /// Every write of the command was placed inside the roots. Source: G118.
    pub writes_placed: bool,
    /// The program whose options kept the writes from being placed. Source: G119.
    pub unplaced_options: Option<CopyProgram>,
    /// How the written targets stand to the write-protection table.
    pub write_protection: WriteProtection,
    /// A directory grant that would cure the finding.
    pub offer: Option<Offer>,
    /// The part of the line that the finding is about.
    pub part: Option<Text>,
}

impl ShellRead {
    /// What holds when nobody reads the command.
    pub const UNWIRED: Self = Self {
        finding: ShellFinding::Clean,
        writes_placed: false,
        unplaced_options: None,
        write_protection: WriteProtection::None,
        offer: None,
        part: None,
    };
}

words! {
    /// A classifier's ruling.
    pub enum ClassifierRuling {
        /// It may run.
        Allow = "allow",
        /// It must not run.
        Block = "block",
        /// A person must be asked.
        Ask = "ask",
        /// It could not be reached.
        Unavailable = "unavailable",
        /// Its answer could not be read.
        ParseError = "parse_error",
    }
}

/// What the classifier says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Classification {
    /// Its ruling.
    pub ruling: ClassifierRuling,
    /// The models asked and answering, when both are vouched for.
    pub round: Option<ClassifierRound>,
    /// Why, for the model or for whoever is asked.
    pub reason: Option<Text>,
}

/// Whether the sandbox takes the call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sandbox {
    /// It does, with a note for the model.
    Admitted(Option<Text>),
    /// It does not.
    Not,
}

/// Whether the content was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Presented {
    /// Content with this digest was.
    Shown(Digest),
    /// It could not be.
    Cannot,
}

/// Whether the ask was taken away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Parking {
    /// It was; the pass ends here until it is resumed.
    Parked,
    /// The host would rather go on.
    Declined,
    /// It was tried and failed.
    Failed(Text),
}

words! {
    /// Who can answer an ask.
    pub enum Answerer {
        /// A person.
        Person = "person",
        /// Whoever a person named to answer in their place.
        Delegate = "delegate",
    }
}

words! {
    /// Why a resolver has no answer.
    pub enum NoAnswer {
        /// The time for an answer ran out.
        Timeout = "timeout",
        /// The task was cancelled.
        Aborted = "aborted",
        /// There was nobody to ask.
        Nobody = "nobody",
        /// Asking failed.
        Failed = "failed",
    }
}

/// How an ask ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolution {
    /// What the resolver shows.
    pub shown: Resolved,
    /// An attested settlement of this ask; it outranks what is shown. Source: G045.
    pub attested: Option<AttestationId>,
}

impl From<Resolved> for Resolution {
    fn from(shown: Resolved) -> Self {
        Self {
            shown,
            attested: None,
        }
    }
}

/// What a resolver shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolved {
    /// Yes.
    Yes {
        /// Who said so.
        by: Answerer,
        /// Args to run instead. An edit equal to the args is a plain yes.
        edit: Option<NewArgs>,
        /// What to remember.
        remember: Option<Grant>,
    },
    /// No.
    No {
        /// Who said so.
        by: Answerer,
        /// Why, for the model.
        reason: Option<Text>,
    },
    /// No answer came.
    Unanswered(NoAnswer),
}

impl Resolved {
    /// A person's plain yes.
    pub const YES: Self = Self::Yes {
        by: Answerer::Person,
        edit: None,
        remember: None,
    };
    /// A person's plain no.
    pub const NO: Self = Self::No {
        by: Answerer::Person,
        reason: None,
    };
}
