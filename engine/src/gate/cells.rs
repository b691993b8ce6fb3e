//! The cells of a pass: what its stations know, one field a cell.
//!
//! A cell is read and written only through its methods, which note it, so that a trace shows what
//! each station really touched and a table can hold it to that.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::args::Args;
use super::causes::Causes;
use super::digest::Digest;
use super::ledger::Ledger;
use super::seats::{Basis, Card, Facts, Offer, Probe, WriteProtection};
use super::text::Text;
use super::words::{
    AllowedBy, ClassifierCause, ClassifierRound, CopyProgram, DeniedBy, ModeRefusal, ModeRelease,
    Verdict, words,
};
use crate::faults::fault;

/// What the hooks left standing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HookStanding {
    /// No opinion.
    #[default]
    Nothing,
    /// A guard said exactly allow, of the args that now stand. Source: G108, G109.
    Allow(Basis),
    /// These guards ask. Source: G106.
    Ask(Vec<Asking>),
}

/// A guard that asks, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Asking {
    pub(crate) basis: Basis,
    pub(crate) reason: Option<Text>,
}

/// The standing verdict, with what is behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Standing {
    pub(crate) verdict: Verdict,
    pub(crate) reason: Option<Text>,
    pub(crate) basis: Option<Basis>,
    /// The stored grant behind an allow.
    pub(crate) grant: Option<Text>,
}

words! {
    /// What the shell reader left standing about the reads.
    pub enum ShellReads {
        /// Nothing to object.
        Clean = "clean",
        /// They reach outside the roots.
        OutOfRoot = "out_of_root",
        /// They cannot be established.
        Unestablishable = "unestablishable",
        /// They were not judged.
        Declined = "declined",
    }
}

/// What the shell reader left standing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Shell {
    pub(crate) reads: ShellReads,
    pub(crate) writes_placed: bool,
    pub(crate) unplaced_options: Option<CopyProgram>,
}

/// The cells that a station touched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct CellSet(u32);

impl CellSet {
    const fn add(&mut self, cell: Cell) {
        self.0 |= cell.bit();
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Cell> {
        Cell::ALL
            .iter()
            .copied()
            .filter(move |cell| self.0 & cell.bit() != 0)
    }
}

/// What was touched since the last station ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Touched {
    pub(crate) read: CellSet,
    pub(crate) written: CellSet,
}

/// Declares the cells: the names, the values, and the noted access to each.
macro_rules! cells {
    ($($(#[$meta:meta])* $cell:ident = $bit:literal, $word:literal, $name:ident $(, $set:ident)?: $type:ty;)+) => {
        words! {
            /// A cell of the pass record.
            pub enum Cell {
                $($(#[$meta])* $cell = $word,)+
            }
        }

        impl Cell {
            const fn bit(self) -> u32 {
                match self {
                    $(Self::$cell => 1 << $bit,)+
                }
            }
        }

        /// The value of every cell.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub(crate) struct Values {
            $(pub(crate) $name: $type,)+
        }

        impl Cells {
            $(
                #[allow(dead_code, reason = "a few cells are read only by accounts of the pass")]
                pub(crate) const fn $name(&mut self) -> &$type {
                    self.touched.read.add(Cell::$cell);
                    &self.values.$name
                }

                $(
                    pub(crate) fn $set(&mut self, value: $type) {
                        self.touched.written.add(Cell::$cell);
                        self.values.$name = value;
                    }
                )?
            )+
        }
    };
}

cells! {
    /// What would run. Written by: hook, adjudicate, edit. Read by: hook, describe, adjudicate,
    /// reversibility, egress, `shell_read`, `write_protection`, org, rules, classify, sandbox,
    /// present, park, resolve, edit.
    Args = 0, "args", args, set_args: Args;
    /// The form beside it: the model's args, or the edited ones. Written by: edit. Read by:
    /// adjudicate, org, rules, edit.
    Base = 1, "base", base, set_base: Args;
    /// What the model is told beside the result; append-only. Written by: hook, sandbox. Read by:
    /// hook, sandbox.
    Context = 2, "context", context: Vec<Arc<str>>;
    /// What the hooks left standing. Written by: hook, adjudicate, edit. Read by: hook, adjudicate,
    /// promote, rules.
    Hook = 3, "hook", hook, set_hook: HookStanding;
    /// What the call does. Written by: describe, edit. Read by: plan, rules, sandbox, arbitrate,
    /// present.
    Facts = 4, "facts", facts, set_facts: Option<Facts>;
    /// The standing verdict. Written by: lock, hook, describe, plan, adjudicate, promote,
    /// reversibility, egress, `shell_read`, `write_protection`, unstated, org, rules, classify,
    /// sandbox, arbitrate, present, park, resolve, edit. Read by: adjudicate, promote,
    /// reversibility, egress, `shell_read`, `write_protection`, unstated, org, rules, classify,
    /// sandbox, arbitrate, present, park, resolve, edit, exit.
    Verdict = 5, "verdict", verdict, set_verdict: Option<Standing>;
    /// Who objected; append-only. Written by: adjudicate, promote, reversibility, egress,
    /// `shell_read`, `write_protection`, unstated, org, rules, classify, edit. Read by: rules,
    /// stamp, classify, sandbox, arbitrate, present, park, resolve.
    Causes = 6, "causes", causes: Causes;
    /// What the probe found. Written by: reversibility, edit. Read by: none.
    Probe = 7, "probe", probe, set_probe: Option<Probe>;
    /// What the shell reader found. Written by: `shell_read`, edit. Read by: arbitrate.
    Shell = 8, "shell", shell, set_shell: Option<Shell>;
    /// The stricter of two judgements. Written by: `shell_read`, `write_protection`, edit. Read by:
    /// `shell_read`, `write_protection`.
    WriteProtection = 9, "write_protection", write_protection, set_write_protection: WriteProtection;
    /// Who refused; written once, by the refusing station. Written by: lock, hook, describe, plan,
    /// adjudicate, reversibility, egress, `shell_read`, `write_protection`, org, rules, classify,
    /// sandbox, arbitrate, present, park, resolve, edit. Read by: lock, hook, describe, plan,
    /// adjudicate, reversibility, egress, `shell_read`, `write_protection`, org, rules, classify,
    /// sandbox, arbitrate, present, park, resolve, edit, exit. Source: G112.
    DeniedBy = 10, "denied_by", denied_by, set_denied_by: Option<DeniedBy>;
    /// Who allows; written by the station that writes allow, emptied when the allow ends. Written
    /// by: lock, hook, describe, plan, adjudicate, promote, reversibility, egress, `shell_read`,
    /// `write_protection`, unstated, org, rules, classify, sandbox, arbitrate, present, park,
    /// resolve, edit. Read by: adjudicate, unstated, rules, classify, sandbox, arbitrate, resolve,
    /// edit, exit.
    AllowedBy = 11, "allowed_by", allowed_by, set_allowed_by: Option<AllowedBy>;
    /// Why the refusing classifier round did not rule. Written by: adjudicate, classify. Read by:
    /// exit.
    Cause = 12, "cause", cause, set_cause: Option<ClassifierCause>;
    /// The classifier round of this pass, on whatever arm. Written by: classify. Read by: exit.
    /// Source: G121.
    Round = 13, "round", round, set_round: Option<ClassifierRound>;
    /// The classifier round of an ancestor. Written by: adjudicate. Read by: exit. Source: G122.
    InheritedRound = 14, "inherited_round", inherited_round, set_inherited_round: Option<ClassifierRound>;
    /// The mode's release. Written by: arbitrate. Read by: exit.
    Released = 15, "released", released, set_released: Option<ModeRelease>;
    /// The mode's refusal. Written by: arbitrate. Read by: exit.
    Refused = 16, "refused", refused, set_refused: Option<ModeRefusal>;
    /// The card of an outright refusal. Written by: `shell_read`, edit. Read by: none. Source:
    /// G114.
    DenyCard = 17, "deny_card", deny_card, set_deny_card: Option<Box<Card>>;
    /// The card behind a mandated ask. Written by: `shell_read`, edit. Read by: none. Source: G116.
    AskCard = 18, "ask_card", ask_card, set_ask_card: Option<Box<Card>>;
    /// A directory grant on offer. Written by: `shell_read`, edit. Read by: resolve.
    Offer = 19, "offer", offer, set_offer: Option<Offer>;
    /// The digest of what was shown. Written by: present, edit. Read by: park, resolve.
    Shown = 20, "shown", shown, set_shown: Option<Digest>;
    /// Why parking failed. Written by: park. Read by: resolve. Source: G111.
    ParkFailed = 21, "park_failed", park_failed, set_park_failed: Option<Text>;
    /// The pass was parked and resumed. Written by: resolve. Read by: resolve.
    Resumed = 22, "resumed", resumed, set_resumed: bool;
    /// The edit round; 0 is the model's own call. Written by: edit. Read by: hook, describe,
    /// adjudicate, promote, reversibility, egress, `shell_read`, `write_protection`, unstated, org,
    /// rules, classify, sandbox, present, park, resolve, edit.
    EditRound = 23, "edit_round", edit_round, set_edit_round: u8;
    /// The ask this pass consumed. Written by: adjudicate, rules, classify, sandbox, present, park,
    /// resolve, edit. Read by: rules, edit, exit.
    Ledger = 24, "ledger", ledger: Ledger;
}

/// The values, and what was touched of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Cells {
    values: Values,
    touched: Touched,
}

impl Cells {
    pub(crate) fn new(args: &Args) -> Self {
        Self {
            values: Values {
                args: args.clone(),
                base: args.clone(),
                context: Vec::new(),
                hook: HookStanding::Nothing,
                facts: None,
                verdict: None,
                causes: Causes::default(),
                probe: None,
                shell: None,
                write_protection: WriteProtection::None,
                denied_by: None,
                allowed_by: None,
                cause: None,
                round: None,
                inherited_round: None,
                released: None,
                refused: None,
                deny_card: None,
                ask_card: None,
                offer: None,
                shown: None,
                park_failed: None,
                resumed: false,
                edit_round: 0,
                ledger: Ledger::default(),
            },
            touched: Touched::default(),
        }
    }

    /// The values as they stand, for whoever reports on the pass and changes nothing in it.
    pub(crate) const fn peek(&self) -> &Values {
        &self.values
    }

    /// What was touched since the last time this was asked.
    pub(crate) fn take_touched(&mut self) -> Touched {
        core::mem::take(&mut self.touched)
    }

    pub(crate) fn append_context(&mut self, context: Arc<str>) {
        self.touched.written.add(Cell::Context);
        self.values.context.push(context);
    }

    pub(crate) fn append_cause(&mut self, asker: super::causes::Asker) {
        self.touched.written.add(Cell::Causes);
        self.values.causes.push(asker);
    }

    pub(crate) const fn ledger_mut(&mut self) -> &mut Ledger {
        self.touched.written.add(Cell::Ledger);
        &mut self.values.ledger
    }

    /// Begins an edit round over these args: what was found about the old ones is emptied.
    pub(crate) fn begin_edit_round(&mut self, args: &Args) {
        let round = self.edit_round().saturating_add(1);
        self.set_edit_round(round);
        self.set_args(args.clone());
        self.set_base(args.clone());
        self.set_hook(HookStanding::Nothing);
        self.set_facts(None);
        self.set_verdict(None);
        self.set_probe(None);
        self.set_shell(None);
        self.set_write_protection(WriteProtection::None);
        self.set_allowed_by(None);
        self.set_deny_card(None);
        if !fault!(AskCardWins) {
            self.set_ask_card(None);
        }
        self.set_offer(None);
        self.set_shown(None);
    }
}

impl Values {
    /// The value of a cell as a trace shows it: words and digests, never the args themselves.
    pub(crate) fn show(&self, cell: Cell) -> String {
        match cell {
            Cell::Args => self.args.digest().to_string(),
            Cell::Base => self.base.digest().to_string(),
            Cell::Context => format!("{} in all", self.context.len()),
            Cell::Hook => match &self.hook {
                HookStanding::Nothing => "nothing".into(),
                HookStanding::Allow(basis) => format!("allow by {}", basis.rule),
                HookStanding::Ask(asking) => {
                    let names: Vec<_> = asking
                        .iter()
                        .map(|guard| guard.basis.rule.as_str())
                        .collect();
                    format!("ask by {}", names.join(", "))
                }
            },
            Cell::Facts => shown(self.facts.map(|facts| {
                let mut text = format!("{}, read only: {}", facts.kind, facts.read_only);
                for (set, word) in [
                    (facts.file_command, ", file command"),
                    (facts.edits_in_roots, ", edits in roots"),
                    (facts.shows_content, ", shows content"),
                ] {
                    text.push_str(if set { word } else { "" });
                }
                text
            })),
            Cell::Verdict => shown(self.verdict.as_ref().map(|standing| standing.verdict)),
            Cell::Causes => {
                let words: Vec<_> = self.causes.iter().map(|asker| asker.cause.word()).collect();
                words.join(", ")
            }
            Cell::Probe => shown(self.probe.map(|probe| {
                let declined = if probe.boundary_declined {
                    ", boundary declined"
                } else {
                    ""
                };
                format!("{}{declined}", probe.finding)
            })),
            Cell::Shell => shown(self.shell.map(|shell| {
                let placed = if shell.writes_placed {
                    ", writes placed"
                } else {
                    ""
                };
                format!("{}{placed}", shell.reads)
            })),
            Cell::WriteProtection => self.write_protection.to_string(),
            Cell::DeniedBy => shown(self.denied_by),
            Cell::AllowedBy => shown(self.allowed_by),
            Cell::Cause => shown(self.cause),
            Cell::Round => shown(self.round.as_ref().map(|round| &round.answered)),
            Cell::InheritedRound => {
                shown(self.inherited_round.as_ref().map(|round| &round.answered))
            }
            Cell::Released => shown(self.released.map(|release| release.mode)),
            Cell::Refused => shown(self.refused.map(|refusal| refusal.mode)),
            Cell::DenyCard => shown(self.deny_card.as_ref().map(|card| &card.finding)),
            Cell::AskCard => shown(self.ask_card.as_ref().map(|card| &card.finding)),
            Cell::Offer => shown(self.offer.as_ref().map(|offer| &offer.directory)),
            Cell::Shown => shown(self.shown),
            Cell::ParkFailed => shown(self.park_failed.as_ref()),
            Cell::Resumed => self.resumed.to_string(),
            Cell::EditRound => self.edit_round.to_string(),
            Cell::Ledger => shown(self.ledger.settled().map(|entry| {
                let answer = entry.settlement.answer;
                entry.settlement.why.map_or_else(
                    || format!("{answer} by {}", entry.settlement.by),
                    |why| format!("{answer}: {why}"),
                )
            })),
        }
    }
}

fn shown(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "empty".into(), |value| value.to_string())
}
