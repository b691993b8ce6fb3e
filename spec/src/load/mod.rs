//! Loading: strict, every fault typed and pointed at by file and line.

mod compile;
mod links;
mod shipped;

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;

use crate::check::{Flaw, check};
use crate::error::{LoadError, Place};
use crate::format::{
    CellRow, DecisionsFile, ErrorRow, Head, Invariant, Kind, Limit, ListFile, ListRow, SeededFault,
    Trap, Vocabulary,
};
use crate::grid::Grid;
use links::Links;

/// A file of tables, read but not yet understood.
pub(crate) struct Text {
    /// Its path below the folder of tables, with `/`: `gate/mint.toml`.
    pub(crate) file: String,
    pub(crate) text: String,
}

impl Text {
    /// The place of a byte.
    fn at(&self, byte: usize) -> Place {
        let before = self.text.bytes().take(byte);
        Place {
            file: self.file.clone(),
            line: before.filter(|byte| *byte == b'\n').count() + 1,
        }
    }

    fn of<T>(&self, spanned: &Spanned<T>) -> Place {
        self.at(spanned.span().start)
    }

    /// The file as a value of the wanted shape.
    fn read<T: DeserializeOwned>(&self) -> Result<T, LoadError> {
        let parsed = toml::de::DeTable::parse(&self.text).map_err(|error| LoadError::NotToml {
            at: self.at(error.span().map_or(0, |span| span.start)),
            message: error.message().into(),
        })?;
        let read = T::deserialize(toml::de::Deserializer::from(parsed));
        read.map_err(|error| {
            let at = self.at(error.span().map_or(0, |span| span.start));
            let message: String = error.message().into();
            if message.starts_with("unknown field") {
                LoadError::UnknownField { at, message }
            } else {
                LoadError::WrongShape { at, message }
            }
        })
    }

    /// A sentence that says something.
    fn sentence(
        &self,
        field: &'static str,
        sentence: &Spanned<String>,
    ) -> Result<String, LoadError> {
        if sentence.get_ref().trim().is_empty() {
            let at = self.of(sentence);
            return Err(LoadError::EmptySentence { at, field });
        }
        Ok(sentence.get_ref().clone())
    }
}

/// The rows of all list tables of one kind, each with the machine it is of.
type Listed<R> = Vec<(String, R)>;

/// Every table, loaded.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    grids: Vec<Grid>,
    invariants: Listed<Invariant>,
    errors: Listed<ErrorRow>,
    limits: Listed<Limit>,
    cells: Listed<CellRow>,
    vocabularies: Listed<Vocabulary>,
    traps: Listed<Trap>,
    faults: Listed<SeededFault>,
    ids: Vec<String>,
}

impl Tables {
    /// The tables that this crate ships.
    ///
    /// ```
    /// use gatefold_spec::Tables;
    ///
    /// let tables = Tables::shipped()?;
    /// let bars = tables.grid("gate/bars").unwrap();
    /// let decision = bars.look(&[("class", "mandated"), ("answerer", "sandbox")]);
    /// assert_eq!(decision.want("barred"), "yes");
    /// # Ok::<(), gatefold_spec::LoadError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`load`](Self::load); none, as a test of this crate shows.
    pub fn shipped() -> Result<Self, LoadError> {
        let texts = shipped::TABLES.iter().map(|(file, text)| Text {
            file: (*file).into(),
            text: (*text).into(),
        });
        let sources = Text {
            file: SOURCES.into(),
            text: shipped::SOURCES.into(),
        };
        Self::read(&texts.collect::<Vec<_>>(), Some(&sources))
    }

    /// The tables of a folder: one folder a machine, one file a table, and `sources.toml` beside
    /// the folders.
    ///
    /// ```
    /// use gatefold_spec::Tables;
    /// let error = Tables::load("no/such/folder".as_ref()).unwrap_err();
    /// assert_eq!(error.code(), "io");
    /// ```
    ///
    /// # Errors
    /// [`LoadError`], with its code and, but for `io`, its file and line.
    pub fn load(folder: &Path) -> Result<Self, LoadError> {
        let mut texts = Vec::new();
        for machine in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
            for path in entries(&machine)? {
                if path.extension().is_some_and(|ending| ending == "toml") {
                    texts.push(text(folder, &path)?);
                }
            }
        }
        let sources = folder.join(SOURCES);
        let sources = sources.exists().then(|| text(folder, &sources));
        Self::read(&texts, sources.transpose()?.as_ref())
    }

    pub(crate) fn read(texts: &[Text], sources: Option<&Text>) -> Result<Self, LoadError> {
        let mut links = Links::new(sources)?;
        let mut tables = Self::default();
        for text in texts {
            tables.add(text, &mut links)?;
        }
        tables.ids = links.settle()?;
        Ok(tables)
    }

    fn add(&mut self, text: &Text, links: &mut Links) -> Result<(), LoadError> {
        let head: Head = text.read()?;
        let (machine, file) = text.file.split_once('/').unwrap_or(("", &text.file));
        let name = head.table.get_ref();
        if file.strip_suffix(".toml") != Some(name) {
            let at = text.of(&head.table);
            let table = name.clone();
            return Err(LoadError::Misnamed { at, table });
        }
        let kind = head.kind.get_ref();
        let kind = Kind::deserialize(toml::Value::String(kind.clone())).map_err(|_| {
            LoadError::UnknownKind {
                at: text.of(&head.kind),
                kind: kind.clone(),
            }
        })?;
        match kind {
            Kind::Decisions | Kind::Transitions | Kind::Seats => {
                let file: DecisionsFile = text.read()?;
                let name = format!("{machine}/{name}");
                self.grids
                    .push(compile::grid(text, name, kind, &file, links)?);
            }
            Kind::Invariants => list(text, machine, links, &mut self.invariants)?,
            Kind::Errors => list(text, machine, links, &mut self.errors)?,
            Kind::Limits => list(text, machine, links, &mut self.limits)?,
            Kind::Cells => list(text, machine, links, &mut self.cells)?,
            Kind::Words => list(text, machine, links, &mut self.vocabularies)?,
            Kind::Traps => list(text, machine, links, &mut self.traps)?,
            Kind::Faults => list(text, machine, links, &mut self.faults)?,
        }
        Ok(())
    }

    /// Every decisions, transitions and seats table.
    pub fn grids(&self) -> &[Grid] {
        &self.grids
    }

    /// The one of this name: `gate/mint`.
    pub fn grid(&self, name: &str) -> Option<&Grid> {
        self.grids.iter().find(|grid| grid.name == name)
    }

    /// A machine's invariants.
    pub fn invariants(&self, machine: &str) -> impl Iterator<Item = &Invariant> {
        of(&self.invariants, machine)
    }

    /// A machine's typed errors.
    pub fn errors(&self, machine: &str) -> impl Iterator<Item = &ErrorRow> {
        of(&self.errors, machine)
    }

    /// A machine's limits.
    pub fn limits(&self, machine: &str) -> impl Iterator<Item = &Limit> {
        of(&self.limits, machine)
    }

    /// A machine's cells.
    pub fn cells(&self, machine: &str) -> impl Iterator<Item = &CellRow> {
        of(&self.cells, machine)
    }

    /// A machine's closed vocabularies.
    pub fn vocabularies(&self, machine: &str) -> impl Iterator<Item = &Vocabulary> {
        of(&self.vocabularies, machine)
    }

    /// The traps that drafts of a machine fell into.
    pub fn traps(&self, machine: &str) -> impl Iterator<Item = &Trap> {
        of(&self.traps, machine)
    }

    /// A machine's seeded faults.
    pub fn faults(&self, machine: &str) -> impl Iterator<Item = &SeededFault> {
        of(&self.faults, machine)
    }

    /// Every id of every table, in the order of the alphabet.
    pub fn ids(&self) -> &[String] {
        &self.ids
    }

    /// What is wrong with the decisions, transitions and seats tables by themselves.
    pub fn flaws(&self) -> Vec<Flaw> {
        let checked = self.grids.iter().map(check);
        checked.filter_map(Result::err).collect()
    }
}

const SOURCES: &str = "sources.toml";

fn of<'a, R>(listed: &'a Listed<R>, machine: &str) -> impl Iterator<Item = &'a R> {
    let rows = listed.iter().filter(move |(of, _)| of == machine);
    rows.map(|(_, row)| row)
}

/// Reads a list table, checks what all rows have, and keeps the rows.
fn list<R: ListRow + DeserializeOwned>(
    text: &Text,
    machine: &str,
    links: &mut Links,
    kept: &mut Listed<R>,
) -> Result<(), LoadError> {
    let file: ListFile<R> = text.read()?;
    text.sentence("does", &file.does)?;
    for row in file.row {
        links.id(text, row.id())?;
        let [does, why] = row.sentences();
        text.sentence("does", does)?;
        text.sentence("why", why)?;
        links.cite(text, row.id(), row.source())?;
        links.follow(text, row.named());
        for (list, word) in row.words() {
            compile::known(text, list, word)?;
        }
        kept.push((machine.into(), row));
    }
    Ok(())
}

/// What a folder holds, sorted, so that a load does not depend on the disk.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, LoadError> {
    let failed = |error| LoadError::Io {
        path: folder.into(),
        error,
    };
    let entries = fs::read_dir(folder).map_err(failed)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    paths.sort();
    Ok(paths)
}

fn text(folder: &Path, path: &Path) -> Result<Text, LoadError> {
    let below = path.strip_prefix(folder).unwrap_or(path);
    let parts = below.iter().map(|part| part.to_string_lossy());
    Ok(Text {
        file: parts.collect::<Vec<_>>().join("/"),
        text: fs::read_to_string(path).map_err(|error| LoadError::Io {
            path: path.into(),
            error,
        })?,
    })
}
