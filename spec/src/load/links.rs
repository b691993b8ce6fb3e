//! Ids and links: every id stands once, and every link leads somewhere.

use std::collections::{BTreeMap, BTreeSet};

use toml::Spanned;

use super::Text;
use crate::error::{LoadError, Place};
use crate::format::SourcesFile;

/// The design documents that rows may cite, as `gate §9`, with the number of their sections.
const DOCUMENTS: [(&str, u32); 1] = [("gate", 14)];

/// What was named and cited so far.
pub(super) struct Links {
    /// The statements there are; nothing if there is no file of them.
    statements: Option<BTreeSet<String>>,
    ids: BTreeMap<String, Place>,
    cited: Vec<(String, Place)>,
}

impl Links {
    pub(super) fn new(sources: Option<&Text>) -> Result<Self, LoadError> {
        let mut statements = BTreeMap::new();
        if let Some(text) = sources {
            let file: SourcesFile = text.read()?;
            for statement in file.statement {
                let (id, at) = (statement.id.get_ref().clone(), text.of(&statement.id));
                if let Some(first) = statements.insert(id.clone(), at.clone()) {
                    return Err(LoadError::DuplicateId { at, id, first });
                }
            }
        }
        Ok(Self {
            statements: sources.map(|_| statements.into_keys().collect()),
            ids: BTreeMap::new(),
            cited: Vec::new(),
        })
    }

    /// Notes a row's id, which no row of any table may have had before.
    pub(super) fn id(&mut self, text: &Text, id: &Spanned<String>) -> Result<(), LoadError> {
        let at = text.of(id);
        let id = id.get_ref().clone();
        if !is_id(&id) {
            return Err(LoadError::BadId { at, id });
        }
        if let Some(first) = self.ids.get(&id) {
            let first = first.clone();
            return Err(LoadError::DuplicateId { at, id, first });
        }
        self.ids.insert(id, at);
        Ok(())
    }

    /// Notes what a row cites; a row that cites nothing comes from nowhere.
    pub(super) fn cite(
        &mut self,
        text: &Text,
        id: &Spanned<String>,
        links: &[Spanned<String>],
    ) -> Result<(), LoadError> {
        if links.is_empty() {
            let field = "source";
            return Err(LoadError::EmptySentence {
                at: text.of(id),
                field,
            });
        }
        self.follow(text, links);
        Ok(())
    }

    /// Notes what a row names.
    pub(super) fn follow<'a>(
        &mut self,
        text: &Text,
        links: impl IntoIterator<Item = &'a Spanned<String>>,
    ) {
        let links = links.into_iter();
        let named = links.map(|link| (link.get_ref().clone(), text.of(link)));
        self.cited.extend(named);
    }

    /// Follows every link, and gives the ids.
    pub(super) fn settle(self) -> Result<Vec<String>, LoadError> {
        for (link, at) in self.cited {
            if is_section(&link) || self.ids.contains_key(&link) {
                continue;
            }
            match &self.statements {
                None => return Err(LoadError::NoSources { at, link }),
                Some(statements) if statements.contains(&link) => {}
                Some(_) => return Err(LoadError::DeadLink { at, link }),
            }
        }
        Ok(self.ids.into_keys().collect())
    }
}

/// `MINT-007`: capitals, a hyphen, three digits.
fn is_id(id: &str) -> bool {
    id.rsplit_once('-').is_some_and(|(name, number)| {
        let capital = |byte: u8| byte.is_ascii_uppercase() || byte == b'-';
        !name.is_empty()
            && name.bytes().all(capital)
            && number.len() == 3
            && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// `gate §9`: a design document and one of its sections.
fn is_section(link: &str) -> bool {
    link.split_once(" §").is_some_and(|(document, section)| {
        let sections = DOCUMENTS.iter().find(|(name, _)| *name == document);
        let section = section.parse::<u32>().ok();
        sections
            .zip(section)
            .is_some_and(|((_, last), section)| (1..=*last).contains(&section))
    })
}
