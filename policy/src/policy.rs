//! A policy: the rules and settings of all documents, and the rules that came with a call.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use gatefold::gate::{Digest, Mode, Settings, Unstated};
use gatefold::limits::{ARGS_BYTES_MAX, DENIAL_LIMIT_DEFAULT, EDIT_CAP_DEFAULT};
use serde::Serialize;

use super::document::Trust;
use super::hosts::Domain;
use super::judge::RuleSet;
use super::paths::ProtectedPaths;
use super::rules::{Dialect, Effect, Layer, LayerSeat, Rule, RuleError, RulePlace};
use super::shell::LINE_BYTES_MAX;
use super::tools::{Platform, Tools};

/// Rules of one policy.
pub const RULES_MAX: usize = 100_000;

/// What is judged by: layers of rules, and what holds for all of them.
#[derive(Clone, Debug)]
pub struct Policy {
    pub(crate) platform: Platform,
    pub(crate) tools: Tools,
    pub(crate) limits: Limits,
    pub(crate) mode: Option<Mode>,
    pub(crate) unstated: Option<Unstated>,
    /// Each with its document.
    pub(crate) roots: Vec<(Arc<str>, String)>,
    pub(crate) protected: ProtectedPaths,
    /// The names of the documents.
    pub(crate) files: Vec<Arc<str>>,
    /// What decides beside them.
    pub(crate) beside: Vec<Arc<str>>,
    /// The hosts that each document names that names any, or none.
    pub(crate) egress: Vec<Vec<Domain>>,
    /// Modes that are decided as `default`, each with the document that forbids it.
    pub(crate) forbidden_modes: Vec<(Mode, Arc<str>)>,
    rules: Rules,
    /// Those of documents that were found. They are judged apart, so that no number of them keeps
    /// another rule from being compared.
    found_rules: Rules,
    /// The digest of each document, in the order of their names, and whose word it is.
    documents: Vec<(Digest, Trust)>,
    /// The digest of what decides, once it was asked for.
    digest: OnceLock<Option<Digest>>,
    /// Effect, layer and rule of each rule that came with the call.
    pub(crate) inline: Vec<[String; 3]>,
}

/// Rules for everybody and for single agents: those that lie in an image first.
#[derive(Clone, Debug, Default)]
struct Rules {
    /// Boxed, since a policy is moved more often than it is judged by.
    everybody: Box<[Layers; 2]>,
    agents: BTreeMap<Arc<str>, [Layers; 2]>,
    count: usize,
}

impl Rules {
    fn push(&mut self, rule: Rule) {
        self.count = self.count.saturating_add(1);
        let [_, grown] = match &rule.place.agent {
            None => &mut *self.everybody,
            Some(agent) => self.agents.entry(Arc::clone(agent)).or_default(),
        };
        grown.push(rule);
    }

    fn layers(&self, agent: Option<&str>) -> impl Iterator<Item = &Layers> {
        let own = agent.and_then(|agent| self.agents.get(agent));
        self.everybody.iter().chain(own.into_iter().flatten())
    }

    /// All of them, with the agent that they are for.
    fn all(&self) -> impl Iterator<Item = (Option<&Arc<str>>, &Layers)> {
        let everybody = self.everybody.iter().map(|layers| (None, layers));
        let agents = self.agents.iter().flat_map(|(agent, layers)| {
            let layers = layers.iter();
            layers.map(move |layers| (Some(agent), layers))
        });
        everybody.chain(agents)
    }
}

/// The rules of each seat.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layers {
    pub(crate) org: RuleSet,
    pub(crate) policy: RuleSet,
    pub(crate) stored: RuleSet,
}

impl Layers {
    /// Its sets, each at the place by which an image names it.
    pub(crate) const fn sets(&self) -> [&RuleSet; 3] {
        [&self.org, &self.policy, &self.stored]
    }

    fn push(&mut self, rule: Rule) {
        match rule.place.layer.seat() {
            LayerSeat::Org => self.org.push(rule),
            LayerSeat::Adjudicate => self.policy.push(rule),
            LayerSeat::Rules => self.stored.push(rule),
        }
    }
}

/// How far a call may go. A document may lower a limit and not raise it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Args of a call, in bytes. Default 1 MiB.
    pub args_bytes: usize,
    /// A shell line, in bytes. Default 64 KiB.
    pub line_bytes: usize,
    /// Edits of one call by the person who is asked. Default 3.
    pub edit_cap: u8,
    /// Denials by a classifier after which a person is asked. Default 3.
    pub denials: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            args_bytes: ARGS_BYTES_MAX,
            line_bytes: LINE_BYTES_MAX,
            edit_cap: EDIT_CAP_DEFAULT,
            denials: DENIAL_LIMIT_DEFAULT,
        }
    }
}

impl Policy {
    /// A policy without a rule.
    pub fn empty(platform: Platform) -> Self {
        Self {
            platform,
            tools: Tools::default(),
            limits: Limits::default(),
            mode: None,
            unstated: None,
            roots: Vec::new(),
            egress: Vec::new(),
            protected: ProtectedPaths::built_in(platform),
            files: Vec::new(),
            beside: Vec::new(),
            forbidden_modes: Vec::new(),
            rules: Rules::default(),
            found_rules: Rules::default(),
            documents: Vec::new(),
            digest: OnceLock::new(),
            inline: Vec::new(),
        }
    }

    /// Adds a rule that came with the call.
    ///
    /// # Errors
    /// [`RuleError`], if it is not understood; its sentence ends in what to write instead.
    pub fn add(&mut self, effect: Effect, layer: Layer, text: &str) -> Result<(), RuleError> {
        let place = RulePlace {
            layer,
            file: None,
            agent: None,
            index: u32::try_from(self.inline.len()).unwrap_or(u32::MAX),
        };
        // The digest is of what was given, understood or not.
        let words = [effect.word(), layer.word(), text].map(str::to_owned);
        self.inline.push(words);
        self.digest = OnceLock::new();
        let rule = Rule::parse(effect, place, text, self.dialect())?;
        self.push(rule, Trust::Host);
        Ok(())
    }

    /// Declares what a tool does, as a host knows of its own tools. What a document or the tool's
    /// name says stands.
    pub fn declare(&mut self, name: &str, tool: super::tools::Tool) {
        if self.tools.get(name).is_none() {
            let _ = self.tools.declare(name, tool);
        }
    }

    /// Protects a file, by its absolute path, as the policy's documents are: who writes it decides, as
    /// with an [image](crate::Image) or the key that seals one.
    pub fn protect(&mut self, file: &str) {
        self.beside.push(file.into());
    }

    /// The files that nobody may write to unasked: the documents, and what was said to decide too.
    pub(crate) fn deciding(&self) -> impl Iterator<Item = &Arc<str>> {
        self.files.iter().chain(&self.beside)
    }

    /// The permission mode where nobody names one, forbidden or not: ask
    /// [`mode_in_force`](Self::mode_in_force) for what a call is decided in.
    pub const fn mode(&self) -> Option<Mode> {
        self.mode
    }

    /// What becomes of a call about which nobody says anything.
    pub fn unstated(&self) -> Unstated {
        self.unstated.unwrap_or(Unstated::Ask)
    }

    /// The folders that the work is in, as the documents name them.
    pub fn roots(&self) -> impl Iterator<Item = &str> {
        self.roots.iter().map(|(_, root)| root.as_str())
    }

    /// How far a call may go.
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// The system that its rules are read for.
    pub const fn platform(&self) -> Platform {
        self.platform
    }

    /// How many rules there are.
    pub const fn rules(&self) -> usize {
        self.rules.count.saturating_add(self.found_rules.count)
    }

    /// What a pass is set to.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            edit_cap: self.limits.edit_cap,
            denial_limit: self.limits.denials,
            ..Settings::default()
        }
    }

    /// The digest of what decides: of the digests of the documents' bytes, in their order and those
    /// that were found apart, and of the rules that came with the call. None if there is neither.
    pub fn digest(&self) -> Option<Digest> {
        *self.digest.get_or_init(|| self.digest_now())
    }

    /// Takes in a document: its name, and the digest of its bytes.
    pub(crate) fn stands_on(&mut self, name: &str, digest: Digest, trust: Trust) {
        self.files.push(name.into());
        self.documents.push((digest, trust));
        self.digest = OnceLock::new();
    }

    /// The documents: name, digest, and whose word each is.
    pub(crate) fn documents(&self) -> impl Iterator<Item = (&str, Digest, Trust)> {
        let documents = self.files.iter().zip(&self.documents);
        documents.map(|(name, (digest, trust))| (&**name, *digest, *trust))
    }

    /// Whether it lies in an image of which a part is not as it was sealed. Whatever its rules would
    /// say is a deny from then on; load the documents.
    pub fn is_in_doubt(&self) -> bool {
        let mut all = self.all_layers();
        all.any(|(.., layers)| layers.sets().into_iter().any(RuleSet::is_in_doubt))
    }

    /// Every layer with whose word it is and the agent that it is for.
    pub(crate) fn all_layers(&self) -> impl Iterator<Item = (Trust, Option<&Arc<str>>, &Layers)> {
        let host = self.rules.all();
        let host = host.map(|(agent, layers)| (Trust::Host, agent, layers));
        let found = self.found_rules.all();
        host.chain(found.map(|(agent, layers)| (Trust::Found, agent, layers)))
    }

    /// Takes in a set that lies in an image, at the place of its seat. None if there is no such seat.
    pub(crate) fn lay(
        &mut self,
        trust: Trust,
        agent: Option<&Arc<str>>,
        place: usize,
        set: RuleSet,
    ) -> Option<()> {
        let rules = match trust {
            Trust::Host => &mut self.rules,
            Trust::Found => &mut self.found_rules,
        };
        rules.count = rules.count.saturating_add(set.len());
        let [sealed, _] = match agent {
            None => &mut *rules.everybody,
            Some(agent) => rules.agents.entry(Arc::clone(agent)).or_default(),
        };
        let sets = [&mut sealed.org, &mut sealed.policy, &mut sealed.stored];
        *sets.into_iter().nth(place)? = set;
        Some(())
    }

    fn digest_now(&self) -> Option<Digest> {
        #[derive(Serialize)]
        struct Canonical<'a> {
            documents: Vec<Digest>,
            #[serde(skip_serializing_if = "Vec::is_empty")]
            found: Vec<Digest>,
            inline: &'a [[String; 3]],
        }

        if self.documents.is_empty() && self.inline.is_empty() {
            return None;
        }
        let of = |trust| {
            let documents = self.documents.iter();
            documents.filter_map(move |(digest, of)| (*of == trust).then_some(*digest))
        };
        let canonical = Canonical {
            documents: of(Trust::Host).collect(),
            found: of(Trust::Found).collect(),
            inline: &self.inline,
        };
        // Strings and lists of them serialise always.
        let json = serde_json::to_vec(&canonical).unwrap_or_default();
        Some(Digest::of(&json))
    }

    pub(crate) const fn dialect(&self) -> Dialect<'_> {
        Dialect {
            platform: self.platform,
            tools: &self.tools,
        }
    }

    pub(crate) fn push(&mut self, rule: Rule, trust: Trust) {
        match trust {
            Trust::Host => self.rules.push(rule),
            Trust::Found => self.found_rules.push(rule),
        }
    }

    /// The layers that hold for an agent: those for everybody, then its own.
    pub(crate) fn layers(&self, agent: Option<&str>) -> impl Iterator<Item = &Layers> {
        self.rules.layers(agent)
    }

    /// The same of documents that were found.
    pub(crate) fn found_layers(&self, agent: Option<&str>) -> impl Iterator<Item = &Layers> {
        self.found_rules.layers(agent)
    }

    /// Whether any document that was found holds a rule.
    pub(crate) const fn has_found_rules(&self) -> bool {
        self.found_rules.count > 0
    }

    /// Whether an agent has rules of its own.
    pub(crate) fn has_agent(&self, agent: &str) -> bool {
        let mut all = [&self.rules, &self.found_rules].into_iter();
        all.any(|rules| rules.agents.contains_key(agent))
    }

    /// Whether any layer of this kind holds a rule, whoever it is for.
    pub(crate) fn has(&self, rules: impl Fn(&Layers) -> &RuleSet) -> bool {
        let mut all = self.all_layers();
        all.any(|(.., layers)| !rules(layers).is_empty())
    }
}
