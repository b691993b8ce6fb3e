//! Gatefold as a host embeds it: a policy loaded once, a pass for each call.

use std::collections::BTreeMap;
use std::sync::Arc;

use gatefold::gate::{Args, Basis, Call, DeniedBy, Finished, GateInput, GateResult, begin, drive};
use gatefold_policy::{Deciders, FileFacts, McpName, Platform, Policy, Source, Surroundings};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::workload::{Answer, CWD, Effect, Request, Rule, What, document};

/// A policy, and which of the workload's rules each of its rules is.
#[derive(Debug)]
pub struct Ours {
    /// Of the session: what holds for every call was read once.
    deciders: Deciders,
    /// Of each effect the rules, in the order of its list.
    lists: [Vec<usize>; 3],
}

/// A call that was read.
#[derive(Clone, Debug)]
pub struct Ready {
    call: Call,
    mcp: Option<McpName>,
}

/// What a host reads of an event: enough to make a call of it.
#[derive(Debug, Deserialize)]
pub struct Event<'a> {
    pub session_id: &'a str,
    pub cwd: &'a str,
    pub permission_mode: &'a str,
    pub tool_name: &'a str,
    #[serde(borrow)]
    pub tool_input: &'a RawValue,
    pub tool_use_id: &'a str,
}

impl Ours {
    /// Loads these rules as a document.
    pub fn new(rules: &[Rule]) -> Self {
        let lists = Effect::ALL.map(|effect| {
            let of = rules
                .iter()
                .enumerate()
                .filter(|(_, rule)| rule.effect == effect);
            of.map(|(at, _)| at).collect()
        });
        let ours = Self {
            deciders: Deciders::new(Arc::new(load(&document(rules))), "", None, surroundings()),
            lists,
        };
        ours.pass(&Ready::of_a_tree());
        ours
    }

    /// Decides a call.
    pub fn pass(&self, ready: &Ready) -> Finished {
        let Ready { call, mcp } = ready.clone();
        self.decide(call, mcp)
    }

    /// From the bytes of an event to those of its record.
    pub fn bytes(&self, json: &str) -> String {
        let event: Event<'_> = serde_json::from_str(json).expect("an event");
        let mcp = mcp(event.tool_name);
        let call = Call {
            id: event.tool_use_id.into(),
            tool: event.tool_name.into(),
            args: Args::parse(event.tool_input.get()).expect("args"),
        };
        self.decide(call, mcp).record().to_json()
    }

    fn decide(&self, call: Call, mcp: Option<McpName>) -> Finished {
        let mut deciders = self.deciders.another(&call.tool, mcp);
        let input = deciders
            .wire(GateInput::builder(call))
            .build()
            .expect("an input");
        match *drive(begin(input), &mut deciders).expect("no defect") {
            GateResult::Finished(finished) => finished,
            GateResult::Suspended(_) => unreachable!("nothing parks"),
        }
    }

    /// What the rules said, from the record: the effect and the rule.
    pub fn answer(&self, finished: &Finished) -> Answer {
        let record = finished.record();
        let fields = record.fields();
        if finished.args_to_run().is_some() {
            return self.rule(Effect::Allow, fields.basis.as_ref());
        }
        if fields.denied_by == Some(DeniedBy::AskResolution) {
            let mut objections = finished.causes().objections();
            let basis = objections.find_map(|asker| asker.basis.as_ref());
            return self.rule(Effect::Ask, basis);
        }
        self.rule(Effect::Deny, fields.basis.as_ref())
    }

    fn rule(&self, effect: Effect, basis: Option<&Basis>) -> Answer {
        let basis = basis?;
        assert_eq!(basis.list.as_str(), effect.word(), "{basis:?}");
        let at = usize::try_from(basis.index).expect("fits");
        let list = Effect::ALL
            .iter()
            .position(|of| *of == effect)
            .expect("listed");
        Some((effect, self.lists[list][at]))
    }
}

/// The policy of a document that is sound.
pub fn load(document: &str) -> Policy {
    let source = Source::host("gatefold.toml", document.as_bytes());
    Policy::load(&[source], Platform::Linux)
        .expect("a sound document")
        .policy
}

/// Where every call stands: in its project, with paths that lead where they say.
pub fn surroundings() -> Surroundings {
    let files = FileFacts {
        cwd: Some(CWD.into()),
        home: Some("/home/dev".into()),
        realpaths: BTreeMap::from([("/".into(), "/".into())]),
        ..FileFacts::default()
    };
    Surroundings {
        files,
        ..Surroundings::default()
    }
}

impl Ready {
    /// A call for which the whole table of protected paths is read: that a process does once, and not
    /// for every pass.
    fn of_a_tree() -> Self {
        Self {
            call: Call {
                id: "toolu_0".into(),
                tool: "Bash".into(),
                args: Args::parse(r#"{ "command": "rm -r /srv/x" }"#).expect("args"),
            },
            mcp: None,
        }
    }

    pub fn new(request: &Request) -> Self {
        Self {
            call: Call {
                id: "toolu_1".into(),
                tool: request.tool.as_str().into(),
                args: Args::parse(&request.args).expect("args"),
            },
            mcp: match request.what {
                What::Tool { .. } => mcp(&request.tool),
                What::Line(_) | What::Path(_) => None,
            },
        }
    }
}

fn mcp(tool: &str) -> Option<McpName> {
    let (server, tool) = tool.strip_prefix("mcp__")?.split_once("__")?;
    Some(McpName {
        server: server.into(),
        tool: tool.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{check, workload};

    #[test]
    fn gatefold_answers_as_the_reference_does() {
        for count in [10, 100, 1_000] {
            let rules = workload::rules(count);
            let requests = workload::requests(count, 300);
            let ours = Ours::new(&rules);
            check("gatefold", &rules, &requests, |at| {
                ours.answer(&ours.pass(&Ready::new(&requests[at])))
            });
        }
    }
}
