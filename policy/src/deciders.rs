//! What answers for one call: what its args open, where it leads, and which rules speak of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use gatefold::gate::{
    Args, Basis, Facts, GateInputBuilder, JudgeQuestion, Judgement, Seat, Text, ToolKind,
    WriteProtection,
};
use gatefold::limits::ARGS_BYTES_MAX;

use super::files::{self, Files, Use};
use super::given::Given;
use super::hosts::Target;
use super::judge::{Asked, Judged, RuleSet, judge};
use super::mcp::{CallName, McpName};
use super::path_rules::Ground;
use super::paths::{Key, ProtectedPath, World};
use super::policy::{Layers, Limits, Policy};
use super::rules::Effect;
use super::shell::{Access, Covered, LINE_BYTES_MAX, Line, Part, Shell};
use super::surroundings::Surroundings;
use super::tools;

/// The name under which a tool that nobody knows is refused.
const KNOWN_TOOLS: &str = "known_tools";
/// The name under which args past a document's limit are refused.
const ARGS_BYTES: &str = "limits.args_bytes";
/// The name under which a line past a document's limit is refused.
const LINE_BYTES: &str = "limits.line_bytes";

/// What answers for one call: a policy, and what the call runs in.
///
/// It answers the seats that it wires, and takes an ask away
/// ([`Parking::Parked`](gatefold::gate::Parking::Parked)) if its host wires [`Seat::Park`]; a host that
/// has hooks or people to ask answers those itself.
///
/// ```
/// use std::sync::Arc;
/// use gatefold::gate::{Args, Call, GateInput, GateResult, begin, drive};
/// use gatefold_policy::{Deciders, Effect, Layer, Platform, Policy, Surroundings};
///
/// let mut policy = Policy::empty(Platform::Linux);
/// policy.add(Effect::Allow, Layer::User, "Bash(git status)")?;
/// let args = Args::parse(r#"{ "command": "git status" }"#)?;
/// let call = Call { id: "c1".into(), tool: "Bash".into(), args };
/// let mut deciders = Deciders::new(Arc::new(policy), "Bash", None, Surroundings::default());
/// let input = deciders.wire(GateInput::builder(call)).build()?;
/// let result = drive(begin(input), &mut deciders)?;
/// assert!(matches!(*result, GateResult::Finished(finished) if finished.args_to_run().is_some()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Deciders {
    pub(super) policy: Arc<Policy>,
    pub(super) call: CallName,
    pub(super) facts: Facts,
    pub(super) asks_a_person: bool,
    pub(super) here: Arc<Here>,
    /// What the last args that were looked at open.
    pub(super) read: Option<(Args, Arc<CallRead>)>,
    /// By which rules the commands of the last line that was judged were covered.
    covers: Option<(Args, Vec<Option<Covered>>)>,
}

/// What stays the same from call to call.
#[derive(Debug)]
pub(super) struct Here {
    surroundings: Surroundings,
    pub(super) world: World,
    /// Every way to the documents themselves.
    documents: Vec<Key>,
}

/// What the args of a call open.
#[derive(Clone, Debug)]
pub(super) struct CallRead {
    pub(super) line: Option<Line>,
    pub(super) files: Files,
    /// It is a command line that changes nothing. Of a server's shell nobody knows what it makes of a
    /// line.
    pub(super) only_reads: bool,
}

impl CallRead {
    /// Whether every word of its line is known: a variable may hold what is nobody's to read.
    pub(super) fn is_known(&self) -> bool {
        self.line.as_ref().is_none_or(Line::is_known)
    }
}

impl Deciders {
    /// The deciders of one call.
    pub fn new(
        policy: Arc<Policy>,
        tool: &str,
        mcp: Option<McpName>,
        surroundings: Surroundings,
    ) -> Self {
        let world = World::new(
            &surroundings.files,
            &policy.files,
            &policy.roots,
            policy.platform(),
        );
        let documents = policy.deciding();
        let documents = documents.flat_map(|file| world.document(file)).collect();
        let here = Here {
            surroundings,
            world,
            documents,
        };
        Self::of(policy, tool, mcp, Arc::new(here))
    }

    /// The deciders of another call by the same policy and in the same surroundings, which are not
    /// read once more.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use gatefold_policy::{Deciders, Platform, Policy, Surroundings};
    /// let policy = Arc::new(Policy::empty(Platform::Linux));
    /// let first = Deciders::new(policy, "Bash", None, Surroundings::default());
    /// assert_eq!(first.line_field(), Some("command"));
    /// assert_eq!(first.another("Read", None).line_field(), None);
    /// ```
    #[must_use]
    pub fn another(&self, tool: &str, mcp: Option<McpName>) -> Self {
        Self::of(Arc::clone(&self.policy), tool, mcp, Arc::clone(&self.here))
    }

    fn of(policy: Arc<Policy>, tool: &str, mcp: Option<McpName>, here: Arc<Here>) -> Self {
        let call = CallName {
            tool: tool.into(),
            mcp,
        };
        let facts = policy.tools.facts(&call);
        let declared = policy.tools.get(tool);
        Self {
            here,
            read: None,
            covers: None,
            asks_a_person: declared.is_some_and(|tool| tool.asks_a_person),
            policy,
            call,
            facts,
        }
    }

    /// The input of a pass with all that the policy says beforehand: its digest, its settings, what
    /// becomes of calls that nobody says anything about, and the seats that have something to say.
    pub fn wire(&self, mut input: GateInputBuilder) -> GateInputBuilder {
        if let Some(digest) = self.policy.digest() {
            input = input.policy(digest);
        }
        input
            .settings(self.policy.settings())
            .unstated(self.policy.unstated())
            .wire_all(self.wired())
    }

    /// The seats that have something to say.
    pub(super) fn wired(&self) -> impl Iterator<Item = Seat> {
        let may_refuse = self.here.surroundings.known_tools.is_some()
            || self.policy.limits().args_bytes < ARGS_BYTES_MAX
            || self.policy.limits().line_bytes < LINE_BYTES_MAX;
        let policy = self.policy.has(|layers| &layers.policy) || may_refuse;
        let opens = matches!(self.facts.kind, ToolKind::Read | ToolKind::Edit);
        // Only if a document says where calls may lead.
        let egress = self.url_field().is_some() && !self.policy.egress.is_empty();
        [
            (Seat::Describe, true),
            (Seat::Adjudicate, policy),
            (Seat::Probe, opens || self.is_shell() || self.asks_a_person),
            (Seat::Egress, egress),
            // By its name, whoever serves it: a server's shell runs lines too.
            (Seat::ShellRead, self.is_shell()),
            (Seat::WriteJudge, self.edits() || self.may_write()),
            (Seat::Org, self.policy.has(|layers| &layers.org)),
            (Seat::Rules, self.policy.has(|layers| &layers.stored)),
        ]
        .into_iter()
        .filter_map(|(seat, wired)| wired.then_some(seat))
    }

    /// The arg that holds the command line, if the call's tool runs one.
    pub fn line_field(&self) -> Option<&str> {
        let tool = &self.call.tool;
        self.is_shell().then(|| self.policy.tools.line_field(tool))
    }

    /// Where a call of these args leads: the host of its URL, if its tool fetches one and the host
    /// is certain.
    pub fn host(&self, args: &Args) -> Option<String> {
        let Target { host, is_certain } = self.target(args)?;
        host.filter(|_| is_certain)
    }

    /// Where a call of these args leads, if its tool fetches a URL.
    pub(super) fn target(&self, args: &Args) -> Option<Target> {
        let field = self.url_field()?;
        let mut given = Given::of(args);
        given.read_url(field);
        Some(given.target(field).clone())
    }

    /// The arg that says where the call leads, if its tool fetches a URL.
    pub(super) fn url_field(&self) -> Option<&str> {
        let fetches = self.facts.kind == ToolKind::Fetch;
        let tool = fetches.then_some(&self.call.tool)?;
        self.policy.tools.url_field(tool)
    }

    /// The absolute paths whose real paths would tell where this call leads, each once: all of them,
    /// since one that is left out would be taken to lead where it says. A line that names more than
    /// 32 768, or another call that names more than 4 096, is asked about. A host that can look gives
    /// them as [`FileFacts::realpaths`](crate::FileFacts::realpaths).
    pub fn lookups(&mut self, args: &Args) -> BTreeSet<String> {
        let read = self.read(args);
        let uses = read.files.uses.iter();
        let of_call = uses.flat_map(|of| self.world().lookups_of(&of.place));
        let documents = self.policy.deciding();
        let documents = documents.filter_map(|file| self.world().document_path(file));
        self.world()
            .lookups()
            .chain(documents)
            .chain(of_call)
            .collect()
    }

    /// How what a call writes stands to the paths that are protected, the documents among them.
    pub(super) fn protection(&self, files: &Files) -> WriteProtection {
        if !files.may_write() {
            return WriteProtection::None;
        }
        files.protection(&self.policy.protected, &self.here.documents, self.world())
    }

    /// The first path that a call of these args may write to and that is protected. None if these
    /// args were not the last that were looked at.
    pub fn protected(&self, args: &Args) -> Option<ProtectedPath> {
        let (_, read) = self.read.as_ref().filter(|(of, _)| of == args)?;
        let documents = &self.here.documents;
        let files = &read.files;
        files.protected(&self.policy.protected, documents, self.world())
    }

    /// The rule for exactly the path for which these args need an allow of a path, if that is one
    /// alone and where it leads is known: that of the tool itself, or of what its line opens by
    /// redirection. None if these args were not the last that were looked at.
    pub fn path_rule(&self, args: &Args) -> Option<String> {
        let (_, read) = self.read.as_ref().filter(|(of, _)| of == args)?;
        let mut spent = 0;
        let is_line = read.line.is_some();
        let mut needs = read.files.uses.iter().filter(|of| {
            !is_line || (of.redirected && !of.place.device && !self.is_granted(of, &mut spent))
        });
        let of = needs.next().filter(|_| needs.next().is_none())?;
        let tool = match of.access {
            _ if !is_line => self.call.tool.as_str(),
            Access::Write => "Edit",
            Access::Read => "Read",
            Access::Any => return None,
        };
        let is_about = self.call.mcp.is_none() && self.policy.tools.access(tool).is_some();
        let path = of.place.pattern(self.policy.platform())?;
        is_about.then(|| format!("{tool}({path})"))
    }

    pub(super) fn world(&self) -> &World {
        &self.here.world
    }

    pub(super) fn is_shell(&self) -> bool {
        self.policy.tools.is_shell(&self.call.tool)
    }

    /// Whether it changes the files that its args name.
    pub(super) fn edits(&self) -> bool {
        let CallName { tool, mcp } = &self.call;
        self.facts.kind == ToolKind::Edit || (mcp.is_none() && files::is_patch(tool))
    }

    /// Whether it may change the files that its args name, for all that is known of it.
    fn may_write(&self) -> bool {
        matches!(self.facts.kind, ToolKind::Mcp | ToolKind::Other)
    }

    /// What these args open.
    pub(super) fn read(&mut self, args: &Args) -> Arc<CallRead> {
        if let Some((of, read)) = &self.read
            && of == args
        {
            return Arc::clone(read);
        }
        let line = self.line(args);
        let files = match &line {
            Some(line) => Files::of_line(line, self.world()),
            None => Files::of_args(args, &self.call, &self.policy.tools, self.world()),
        };
        let only_reads =
            self.facts.kind == ToolKind::Shell && line.as_ref().is_some_and(Line::only_reads);
        let read = Arc::new(CallRead {
            line,
            files,
            only_reads,
        });
        self.read = Some((args.clone(), Arc::clone(&read)));
        read
    }

    /// The first file that leads out of the roots and that no rule for all names.
    pub(super) fn outside<'f>(&self, files: &'f Files) -> Option<&'f Use> {
        let mut spent = 0;
        let mut uses = files.uses.iter();
        uses.find(|of| {
            let is_outside = of.place.outside && !of.place.device;
            (of.sure || files.of_tool) && is_outside && !self.is_granted(of, &mut spent)
        })
    }

    /// Whether an allow for all names this file.
    pub(super) fn is_granted(&self, of: &Use, spent: &mut usize) -> bool {
        let mut layers = self.policy.layers(None);
        layers.any(|layers| {
            let mut sets = [&layers.policy, &layers.stored].into_iter();
            sets.any(|set| set.allows_file(of, self.world(), spent))
        })
    }

    /// One judgement for every form and member. A form is judged once for all members that have no
    /// rules of their own.
    pub(super) fn judgements<R>(
        &mut self,
        question: &JudgeQuestion,
        rules: impl Fn(&Layers) -> &RuleSet,
        ruling: impl Fn(Option<Effect>) -> R,
    ) -> Vec<Judgement<R>> {
        let mut judged: Option<(Args, Judged)> = None;
        let has_more = question.members.len() > 1;
        question.judge(|args, member| {
            let read = self.read(args);
            let of_all = match &judged {
                Some((of, judged)) if of == args => judged.clone(),
                Some(_) | None => {
                    let of_all = self.judged(None, &rules, &self.asked(args, &read));
                    judged = has_more.then(|| (args.clone(), of_all.clone()));
                    of_all
                }
            };
            let agent = member.agent.as_deref();
            let has_own = agent.is_some_and(|agent| self.policy.has_agent(agent));
            let Judged { said, covers, .. } = if has_own {
                self.judged(agent, &rules, &self.asked(args, &read))
            } else {
                of_all
            };
            self.cover(args, covers);
            let effect = said.as_ref().map(|said| said.effect);
            let (reason, basis) = said.map_or((None, None), |said| (said.reason, Some(said.basis)));
            (ruling(effect), reason, basis)
        })
    }

    /// What the rules for an agent say. Those of documents that were found are judged apart, and count
    /// where they are stricter.
    fn judged(
        &self,
        agent: Option<&str>,
        rules: &impl Fn(&Layers) -> &RuleSet,
        asked: &Asked<'_>,
    ) -> Judged {
        let mut judged = judge(self.policy.layers(agent).map(rules), asked);
        if self.policy.has_found_rules() {
            let found = judge(self.policy.found_layers(agent).map(rules), asked);
            judged.tighten(found);
        }
        judged
    }

    /// Notes by which rules the commands of a line were covered, the first that did so.
    fn cover(&mut self, args: &Args, covers: Vec<Option<Covered>>) {
        // No line, or none with a command.
        if covers.is_empty() {
            return;
        }
        match &mut self.covers {
            Some((of, known)) if of == args && known.len() == covers.len() => {
                for (known, cover) in known.iter_mut().zip(covers) {
                    if known.is_none() {
                        *known = cover;
                    }
                }
            }
            _ => self.covers = Some((args.clone(), covers)),
        }
    }

    /// The commands of the line in these args, each with what covered it when it was judged. None if
    /// these args were not the last that were looked at, or hold no line.
    pub fn parts(&self, args: &Args) -> Option<Vec<Part>> {
        let (_, read) = self.read.as_ref().filter(|(of, _)| of == args)?;
        let line = read.line.as_ref()?;
        let covers = self.covers.as_ref().filter(|(of, _)| of == args);
        let cover = |at: usize| covers.and_then(|(_, covers)| covers.get(at).cloned().flatten());
        Some(line.parts(cover))
    }

    pub(super) fn asked<'a>(&'a self, args: &'a Args, read: &'a CallRead) -> Asked<'a> {
        Asked {
            call: &self.call,
            args,
            line: read.line.as_ref(),
            ground: Ground {
                files: &read.files,
                world: self.world(),
            },
        }
    }

    /// The command line of a tool that has one, whoever serves it.
    pub(super) fn line(&self, args: &Args) -> Option<Line> {
        let tool = &self.call.tool;
        let name = if tools::is_other_shell(tool) {
            tool
        } else {
            &self.here.surroundings.shell
        };
        self.is_shell().then(|| {
            let shell = Shell {
                name,
                platform: self.policy.platform(),
                field: self.policy.tools.line_field(tool),
                line_bytes: self.policy.limits().line_bytes,
            };
            Line::of_args(args, &shell)
        })
    }

    /// Why these args do not run, whatever the rules say.
    pub(super) fn refusal(&self, args: &Args) -> Option<(Text, Basis)> {
        let basis = |rule: &str, part: String| Basis {
            layer: Text::new("policy"),
            file: None,
            list: Text::new(Effect::Deny.word()),
            index: 0,
            rule: Text::new(rule),
            part: Some(part.into()),
        };
        let Surroundings { known_tools, .. } = &self.here.surroundings;
        let tool = &self.call.tool;
        if known_tools
            .as_ref()
            .is_some_and(|known| !known.contains(tool))
        {
            let reason = Text::new("no tool of this name is known");
            return Some((reason, basis(KNOWN_TOOLS, tool.clone())));
        }
        let Limits {
            args_bytes,
            line_bytes,
            ..
        } = self.policy.limits();
        let over = |bytes: usize, most: usize, what: &str, rule: &str| {
            let reason = Text::from(format!("{what} of {bytes} bytes, more than {most}"));
            (bytes > most).then(|| (reason, basis(rule, format!("{bytes} bytes"))))
        };
        over(args.as_str().len(), args_bytes, "it has args", ARGS_BYTES).or_else(|| {
            // A line past the built-in limit is one that is not read, which is another matter.
            let field = self.line_field().filter(|_| line_bytes < LINE_BYTES_MAX)?;
            let bytes = Line::length(args, field)?;
            over(bytes, line_bytes, "it has a line", LINE_BYTES)
        })
    }
}
