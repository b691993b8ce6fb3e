//! What the describing and tightening seats find.

use serde::{Deserialize, Serialize};

use crate::gate::text::Text;
use crate::gate::words::{CopyProgram, words};

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
