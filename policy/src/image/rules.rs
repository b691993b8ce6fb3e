//! The rules of one set in an image, as they are written: each is read when it is asked for.
//!
//! Of each rule a row says where its text stands. Rows lie in blocks of 128.

use std::sync::{Arc, OnceLock};

use gatefold::gate::Text;

use super::store::{Store, Writer, number};
use super::tree::Words;
use crate::rules::{Dialect, Effect, Layer, Rule, RulePlace};
use crate::tools::{Platform, Tools};

/// Rows of one block.
const BLOCK: usize = 128;
/// Numbers of one row: effect, layer, document, place in its list, where its text stands and how long
/// that is, where its reason stands and how long that is.
const NUMBERS: usize = 8;
/// What stands for a document or reason where there is none.
const NONE: u32 = u32::MAX;

const EFFECTS: [Effect; 3] = [Effect::Deny, Effect::Ask, Effect::Allow];
const LAYERS: [Layer; 7] = [
    Layer::Org,
    Layer::Policy,
    Layer::User,
    Layer::Project,
    Layer::Local,
    Layer::Session,
    Layer::Stored,
];

/// Puts rules. Returns where each block stands; none if one of them would be read as another, which it
/// is if its tool was declared after it had been read.
pub(super) fn put(
    rules: &[Rule],
    dialect: Dialect<'_>,
    files: &[Arc<str>],
    words: &mut Words,
    writer: &mut Writer,
) -> Option<Vec<u32>> {
    let mut blocks = Vec::new();
    for block in rules.chunks(BLOCK) {
        let mut bytes = Vec::new();
        for rule in block {
            let again = Rule::parse(rule.effect, rule.place.clone(), rule.text.as_str(), dialect);
            if again.ok()?.pattern != rule.pattern {
                return None;
            }
            let row = row(rule, files, words, writer)?;
            bytes.extend(row.into_iter().flat_map(u32::to_le_bytes));
        }
        blocks.push(writer.put(&bytes)?);
    }
    Some(blocks)
}

fn row(
    rule: &Rule,
    files: &[Arc<str>],
    words: &mut Words,
    writer: &mut Writer,
) -> Option<[u32; NUMBERS]> {
    let number = |number: usize| u32::try_from(number).ok();
    let RulePlace {
        layer, file, index, ..
    } = &rule.place;
    let effect = EFFECTS.iter().position(|effect| *effect == rule.effect)?;
    let layer = LAYERS.iter().position(|known| known == layer)?;
    let file = match file {
        None => NONE,
        Some(file) => number(files.iter().position(|known| known == file)?)?,
    };
    let (why, why_bytes) = match &rule.why {
        None => (NONE, 0),
        Some(why) => (
            words.put(why.as_str(), writer)?,
            number(why.as_str().len())?,
        ),
    };
    Some([
        number(effect)?,
        number(layer)?,
        file,
        *index,
        words.put(rule.text.as_str(), writer)?,
        number(rule.text.as_str().len())?,
        why,
        why_bytes,
    ])
}

/// What the rules of an image are read against.
#[derive(Debug)]
pub(super) struct Context {
    pub(super) store: Arc<Store>,
    pub(super) files: Vec<Arc<str>>,
    pub(super) platform: Platform,
    pub(super) tools: Tools,
}

/// The rules of one set.
#[derive(Clone, Debug)]
pub(crate) struct SealedRules(Arc<Set>);

#[derive(Debug)]
struct Set {
    context: Arc<Context>,
    agent: Option<Arc<str>>,
    count: usize,
    blocks: Vec<Block>,
}

#[derive(Debug)]
struct Block {
    at: u32,
    /// Made when one of them is asked for.
    rules: OnceLock<Vec<OnceLock<Option<Box<Rule>>>>>,
}

impl SealedRules {
    pub(super) fn new(
        context: Arc<Context>,
        agent: Option<Arc<str>>,
        count: usize,
        blocks: Vec<u32>,
    ) -> Self {
        let blocks = blocks.into_iter().map(|at| Block {
            at,
            rules: OnceLock::new(),
        });
        let blocks = blocks.collect();
        Self(Arc::new(Set {
            context,
            agent,
            count,
            blocks,
        }))
    }

    pub(crate) fn count(&self) -> usize {
        self.0.count
    }

    pub(crate) fn is_in_doubt(&self) -> bool {
        self.0.context.store.is_in_doubt()
    }

    /// The rule of this place in its set. None: the image is in doubt.
    pub(crate) fn get(&self, index: usize) -> Option<&Rule> {
        self.0.context.store.sure(self.0.rule(index))
    }
}

impl Set {
    fn rule(&self, index: usize) -> Option<&Rule> {
        let (block, row) = (index.checked_div(BLOCK)?, index.checked_rem(BLOCK)?);
        let block = self.blocks.get(block)?;
        let rules = block
            .rules
            .get_or_init(|| (0..BLOCK).map(|_| OnceLock::new()).collect());
        let rule = rules.get(row)?;
        let rule = rule.get_or_init(|| self.read(block.at, row).map(Box::new));
        rule.as_deref()
    }

    fn read(&self, block: u32, row: usize) -> Option<Rule> {
        let Context {
            store,
            files,
            platform,
            tools,
        } = &*self.context;
        let skipped = row.checked_mul(NUMBERS)?.checked_mul(size_of::<u32>())?;
        let mut rest = store.from(block)?.get(skipped..)?;
        let mut next = || {
            let (number, after) = number(rest)?;
            rest = after;
            Some(number)
        };
        let index = |number: u32| usize::try_from(number).ok();
        let effect = *EFFECTS.get(index(next()?)?)?;
        let layer = *LAYERS.get(index(next()?)?)?;
        let file = match next()? {
            NONE => None,
            file => Some(Arc::clone(files.get(index(file)?)?)),
        };
        let place = RulePlace {
            layer,
            file,
            agent: self.agent.clone(),
            index: next()?,
        };
        let text = store.text(next()?, next()?)?;
        let why = match (next()?, next()?) {
            (NONE, _) => None,
            (at, bytes) => Some(Text::new(store.text(at, bytes)?)),
        };
        let dialect = Dialect {
            platform: *platform,
            tools,
        };
        let mut rule = Rule::parse(effect, place, text, dialect).ok()?;
        rule.why = why;
        Some(rule)
    }
}
