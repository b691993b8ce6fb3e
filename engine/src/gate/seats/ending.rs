//! How the answerers of an ask rule, show, park and resolve it.

use serde::{Deserialize, Serialize};

use crate::gate::args::NewArgs;
use crate::gate::attest::AttestationId;
use crate::gate::digest::Digest;
use crate::gate::settlement::Grant;
use crate::gate::text::Text;
use crate::gate::words::{ClassifierRound, words};

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
#[serde(deny_unknown_fields)]
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
    /// Why a resolver has no answer. A cancelled task is none of these: it is the reply
    /// [`SeatFailure::Aborted`](super::SeatFailure), of every seat alike.
    pub enum NoAnswer {
        /// The time for an answer ran out.
        Timeout = "timeout",
        /// There was nobody to ask.
        Nobody = "nobody",
        /// Asking failed.
        Failed = "failed",
    }
}

/// How an ask ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[serde(rename_all = "snake_case", deny_unknown_fields)]
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
