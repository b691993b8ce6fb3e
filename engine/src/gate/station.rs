//! The names of the stations. What each does, and its number, stands in the list in [`super`].

use super::words::words;

words! {
    /// A station of the pass, in order. Source: G123.
    pub enum Station {
        /// 1: the input is captured.
        Entry = "entry",
        /// 2: the compliance lock.
        Lock = "lock",
        /// 3: `PreToolUse` hooks screen the args.
        Hook = "hook",
        /// 4: what the call does.
        Describe = "describe",
        /// 5: plan mode.
        Plan = "plan",
        /// 6: the policy's verdict.
        Adjudicate = "adjudicate",
        /// 7: a hook's ask becomes the call's.
        Promote = "promote",
        /// 8: can it be undone.
        Reversibility = "reversibility",
        /// 9: does it leave the allowed hosts.
        Egress = "egress",
        /// 10: what a command reads and writes.
        ShellRead = "shell_read",
        /// 11: is the target protected.
        WriteProtection = "write_protection",
        /// 12: did anybody state anything.
        Unstated = "unstated",
        /// 13: the organisation's layer.
        Org = "org",
        /// 14: persisted rules, then the allow layer.
        Rules = "rules",
        /// 15: origin and bars are read off the causes from here on.
        Stamp = "stamp",
        /// 16: auto mode's classifier.
        Classify = "classify",
        /// 17: the sandbox.
        Sandbox = "sandbox",
        /// 18: the permission mode.
        Arbitrate = "arbitrate",
        /// 19: content is shown before it is approved.
        Present = "present",
        /// 20: the ask is taken durably away.
        Park = "park",
        /// 21: whoever can be asked is asked.
        Resolve = "resolve",
        /// 22: an edited call goes through the gate once more.
        Edit = "edit",
        /// 23: the outcome is minted.
        Exit = "exit",
    }
}

impl Station {
    /// The fold and the lanes up to the rules: an abort here is the engine failing closed.
    /// After them an ask stands, and an abort is that ask's ending.
    pub(crate) fn is_before_the_ask_stands(self) -> bool {
        self < Self::Stamp
    }
}
