//! What an image says before its pieces: who wrote it, of which documents, all that a policy holds
//! beside its rules, and where these lie. It is read whole.

use std::sync::Arc;

use gatefold::gate::{Digest, Mode, ReadOnly, ToolKind, Unstated};
use serde::{Deserialize, Serialize};

use super::rules::{Context, SealedRules};
use super::store::{Store, Writer};
use super::tree::{self, SealedTree, Words};
use crate::document::Trust;
use crate::hosts::Domain;
use crate::judge::{Group, Index, PathIndex, RuleSet};
use crate::paths::Anchor;
use crate::policy::Limits;
use crate::postings::Postings;
use crate::rules::Dialect;
use crate::shell::Programs;
use crate::tools::{Tool, Tools};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Head {
    /// The sources that wrote it.
    pub(super) sources: String,
    pub(super) platform: String,
    pub(super) documents: Vec<DocumentHead>,
    pub(super) settings: SettingsHead,
    pub(super) sets: Vec<SetHead>,
    /// What its writer noted.
    pub(super) notes: String,
    /// The length of each piece.
    pub(super) pieces: Vec<u32>,
    /// Their digests, in hexadecimal digits, one behind the other.
    pub(super) digests: String,
}

/// A document that the policy is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DocumentHead {
    pub(super) name: String,
    pub(super) digest: Digest,
    pub(super) found: bool,
}

impl DocumentHead {
    pub(super) fn of((name, digest, trust): (&str, Digest, Trust)) -> Self {
        Self {
            name: name.into(),
            digest,
            found: trust == Trust::Found,
        }
    }

    pub(super) const fn trust(&self) -> Trust {
        if self.found {
            Trust::Found
        } else {
            Trust::Host
        }
    }
}

/// All that a policy holds beside its rules.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SettingsHead {
    pub(super) tools: Vec<ToolHead>,
    pub(super) limits: LimitsHead,
    pub(super) mode: Option<Mode>,
    pub(super) unstated: Option<Unstated>,
    /// Each with its document.
    pub(super) roots: Vec<(String, String)>,
    /// Pattern, reason and document of each path that a document protects.
    pub(super) protected: Vec<[String; 3]>,
    pub(super) egress: Vec<Vec<Domain>>,
    /// Each with its document.
    pub(super) forbidden_modes: Vec<(Mode, String)>,
    /// Files that decide beside the documents.
    pub(super) beside: Vec<String>,
    /// Rules that came with the call.
    pub(super) inline: Vec<[String; 3]>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ToolHead {
    name: String,
    kind: ToolKind,
    read_only: ReadOnly,
    asks_a_person: bool,
    field: Option<String>,
}

impl ToolHead {
    pub(super) fn of((name, tool): (&str, &Tool)) -> Self {
        let Tool {
            kind,
            read_only,
            asks_a_person,
            field,
        } = tool;
        Self {
            name: name.into(),
            kind: *kind,
            read_only: *read_only,
            asks_a_person: *asks_a_person,
            field: field.clone(),
        }
    }

    /// Declares it. None if its name says otherwise, which no loaded document does.
    pub(super) fn declare(self, tools: &mut Tools) -> Option<()> {
        let Self {
            name,
            kind,
            read_only,
            asks_a_person,
            field,
        } = self;
        let tool = Tool {
            kind,
            read_only,
            asks_a_person,
            field,
        };
        tools.declare(&name, tool).ok()
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LimitsHead {
    args_bytes: usize,
    line_bytes: usize,
    edit_cap: u8,
    denials: u32,
}

impl From<Limits> for LimitsHead {
    fn from(limits: Limits) -> Self {
        let Limits {
            args_bytes,
            line_bytes,
            edit_cap,
            denials,
        } = limits;
        Self {
            args_bytes,
            line_bytes,
            edit_cap,
            denials,
        }
    }
}

impl LimitsHead {
    /// These limits, none of them above what there is.
    pub(super) fn within(self, most: Limits) -> Limits {
        let Self {
            args_bytes,
            line_bytes,
            edit_cap,
            denials,
        } = self;
        Limits {
            args_bytes: args_bytes.min(most.args_bytes),
            line_bytes: line_bytes.min(most.line_bytes),
            edit_cap: edit_cap.min(most.edit_cap),
            denials: denials.min(most.denials),
        }
    }
}

/// Whose rules a set holds.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Of {
    pub(super) found: bool,
    pub(super) agent: Option<String>,
    /// The place of its seat among those of [`Layers`](crate::policy::Layers).
    pub(super) seat: usize,
}

/// The rules of one set, and where its trees stand.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SetHead {
    pub(super) of: Of,
    count: usize,
    blocks: Vec<u32>,
    has_args: bool,
    /// In the order of [`trees`].
    index: [u32; TREES],
    programs: ProgramsHead,
    groups: Vec<GroupHead>,
    everything: u32,
    firsts: u32,
}

#[derive(Debug, Serialize, Deserialize)]
struct ProgramsHead {
    names: u32,
    cuts: Vec<usize>,
    longest: usize,
    any: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct GroupHead {
    anchor: u8,
    file: Option<String>,
    up: usize,
    heads: u32,
}

const ANCHORS: [Anchor; 4] = [Anchor::Root, Anchor::Home, Anchor::Document, Anchor::Cwd];

/// Trees of an index of rules.
const TREES: usize = 11;

fn trees(index: &Index) -> [&Postings; TREES] {
    let Index {
        tools,
        served,
        servers,
        hosts,
        host_firsts,
        refuses,
        allows,
        has_args: _,
    } = index;
    [
        tools,
        served,
        servers,
        hosts,
        host_firsts,
        &refuses.words,
        &refuses.starred,
        &refuses.firsts,
        &allows.exact,
        &allows.open,
        &allows.starred,
    ]
}

fn index_of(trees: [Postings; TREES], has_args: bool) -> Index {
    let [
        tools,
        served,
        servers,
        hosts,
        host_firsts,
        words,
        starred,
        firsts,
        exact,
        open,
        starred_allows,
    ] = trees;
    Index {
        tools,
        served,
        servers,
        hosts,
        host_firsts,
        refuses: crate::judge::Refuses {
            words,
            starred,
            firsts,
        },
        allows: crate::judge::Allows {
            exact,
            open,
            starred: starred_allows,
        },
        has_args,
    }
}

/// Puts a tree that was grown.
fn put(tree: &Postings, words: &mut Words, writer: &mut Writer) -> Option<u32> {
    match tree {
        Postings::Grown(tree) => tree::put(tree, words, writer),
        Postings::Sealed(_) => None,
    }
}

impl SetHead {
    /// Puts the rules and trees of a set.
    pub(super) fn put(
        of: Of,
        set: &RuleSet,
        dialect: Dialect<'_>,
        files: &[Arc<str>],
        words: &mut Words,
        writer: &mut Writer,
    ) -> Option<Self> {
        let rules = set.held()?;
        let (index, paths, programs) = set.parts();
        let mut roots = [0; TREES];
        for (root, tree) in roots.iter_mut().zip(trees(index)) {
            *root = put(tree, words, writer)?;
        }
        let mut groups = Vec::new();
        for group in &paths.groups {
            let Group {
                anchor,
                file,
                up,
                heads,
            } = group;
            let anchor = ANCHORS.iter().position(|known| known == anchor)?;
            groups.push(GroupHead {
                anchor: u8::try_from(anchor).ok()?,
                file: file.as_deref().map(str::to_owned),
                up: *up,
                heads: put(heads, words, writer)?,
            });
        }
        let programs = ProgramsHead {
            names: put(&programs.names, words, writer)?,
            cuts: programs.cuts.iter().copied().collect(),
            longest: programs.longest,
            any: programs.any,
        };
        Some(Self {
            of,
            count: rules.len(),
            blocks: super::rules::put(rules, dialect, files, words, writer)?,
            has_args: index.has_args,
            index: roots,
            programs,
            groups,
            everything: put(&paths.everything, words, writer)?,
            firsts: put(&paths.firsts, words, writer)?,
        })
    }

    /// The set, as it lies in the image.
    pub(super) fn open(
        self,
        store: &Arc<Store>,
        context: &Arc<Context>,
        agent: Option<Arc<str>>,
    ) -> Option<RuleSet> {
        let tree = |root| {
            let tree = SealedTree::new(Arc::clone(store), root);
            tree.map(Postings::Sealed)
        };
        let mut index = [const { None }; TREES];
        for (opened, root) in index.iter_mut().zip(self.index) {
            *opened = tree(root);
        }
        let mut groups = Vec::new();
        for GroupHead {
            anchor,
            file,
            up,
            heads,
        } in self.groups
        {
            groups.push(Group {
                anchor: *ANCHORS.get(usize::from(anchor))?,
                file: file.map(Into::into),
                up,
                heads: tree(heads)?,
            });
        }
        let programs = Programs {
            names: tree(self.programs.names)?,
            cuts: self.programs.cuts.into_iter().collect(),
            longest: self.programs.longest,
            any: self.programs.any,
        };
        let paths = PathIndex {
            groups,
            everything: tree(self.everything)?,
            firsts: tree(self.firsts)?,
        };
        let index = index.map(Option::unwrap_or_default);
        let rules = SealedRules::new(Arc::clone(context), agent, self.count, self.blocks);
        Some(RuleSet::sealed(
            rules,
            index_of(index, self.has_args),
            paths,
            programs,
        ))
    }
}
