//! Policy documents as files: reading them, and showing what is wrong where.

use std::env;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use gatefold_policy::{
    Checked, DOCUMENT_BYTES_MAX, Loaded, Platform, Policy, Problem, Refused, Source, Trust,
};
use thiserror::Error;

use crate::files;
use crate::snippet::Snippets;
use crate::terminal;

/// Problems that are shown with their places; what is left is counted.
const SHOWN_MAX: usize = 50;

/// Why no policy is loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub(crate) enum DocumentsError {
    /// Name a file that can be read.
    #[error("the policy document {} cannot be read: {error}", path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    /// Mend what the problems name.
    #[error("no policy is loaded: {first}{}", more(*.errors))]
    Refused {
        first: String,
        code: &'static str,
        errors: usize,
        /// All problems with their places, for a person.
        shown: String,
    },
}

impl DocumentsError {
    /// The stable code.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "unreadable_document",
            Self::Refused { code, .. } => code,
        }
    }

    /// Shows the problems with their places on standard error.
    pub(crate) fn show(&self) {
        match self {
            Self::Unreadable { .. } => {}
            Self::Refused { shown, .. } => write(shown),
        }
    }
}

fn more(errors: usize) -> String {
    match errors.saturating_sub(1) {
        0 => String::new(),
        1 => " (and one more error)".into(),
        more => format!(" (and {more} more errors)"),
    }
}

/// The folder that the names of documents are relative to, if it can be told.
pub(crate) fn folder() -> Option<String> {
    let folder = env::current_dir().ok()?;
    folder.into_os_string().into_string().ok()
}

/// The documents that the command line names.
#[derive(Clone, Debug)]
pub(crate) struct Paths {
    /// The host's word.
    pub(crate) policy: Vec<PathBuf>,
    /// Found in a repository.
    pub(crate) found: Vec<PathBuf>,
}

impl Paths {
    /// All of them, the host's first.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&PathBuf, Trust)> {
        let host = self.policy.iter().map(|path| (path, Trust::Host));
        host.chain(self.found.iter().map(|path| (path, Trust::Found)))
    }
}

/// Documents, read and not yet loaded.
#[derive(Debug)]
pub(crate) struct Documents(Vec<Document>);

#[derive(Debug)]
struct Document {
    name: String,
    bytes: Vec<u8>,
    trust: Trust,
}

impl Documents {
    /// Reads documents, each no further than a document may be long.
    pub(crate) fn read(paths: &Paths) -> Result<Self, DocumentsError> {
        let read = paths.all().map(|(path, trust)| {
            let bytes = read(path).map_err(|error| DocumentsError::Unreadable {
                path: path.clone(),
                error,
            })?;
            Ok(Document {
                name: path.display().to_string(),
                bytes,
                trust,
            })
        });
        read.collect::<Result<_, _>>().map(Self)
    }

    /// Documents that are not files, by name: the host's word.
    pub(crate) fn of(documents: &[(&str, &[u8])]) -> Self {
        let documents = documents.iter().map(|&(name, bytes)| Document {
            name: name.to_owned(),
            bytes: bytes.to_vec(),
            trust: Trust::Host,
        });
        Self(documents.collect())
    }

    /// The policy of all documents together.
    pub(crate) fn load(&self, platform: Platform) -> Result<Loaded, DocumentsError> {
        Policy::load(&self.sources(), platform).map_err(|refused| self.refused(&refused))
    }

    /// The same for one call, without a second look at its rules.
    pub(crate) fn load_for_a_call(&self, platform: Platform) -> Result<Loaded, DocumentsError> {
        let loaded = Policy::load_for_a_call(&self.sources(), platform);
        loaded.map_err(|refused| self.refused(&refused))
    }

    fn refused(&self, refused: &Refused) -> DocumentsError {
        let first = refused.first();
        DocumentsError::Refused {
            first: first.map_or_else(String::new, ToString::to_string),
            code: first.map_or("refused", |problem| problem.code.word()),
            errors: refused.errors(),
            shown: self.shown(&refused.problems),
        }
    }

    /// All that loading the documents together finds.
    pub(crate) fn check(&self, platform: Platform) -> Checked {
        Policy::check(&self.sources(), platform)
    }

    /// All of them, as they are loaded.
    pub(crate) fn sources(&self) -> Vec<Source<'_>> {
        let documents = self.0.iter();
        documents
            .map(|document| Source {
                name: &document.name,
                bytes: &document.bytes,
                trust: document.trust,
            })
            .collect()
    }

    /// The documents' names, in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|document| document.name.as_str())
    }

    /// For showing problems in the documents' own lines.
    pub(crate) fn snippets(&self, coloured: bool) -> Snippets<'_> {
        let documents = self.0.iter();
        Snippets::new(
            documents.map(|document| (document.name.as_str(), document.bytes.as_slice())),
            coloured,
        )
    }

    /// Shows problems with their places on standard error.
    pub(crate) fn show(&self, problems: &[Problem]) {
        write(&self.shown(problems));
    }

    /// The same in words that are kept for another time.
    pub(crate) fn noted(&self, problems: &[Problem]) -> String {
        shown(&self.snippets(false), problems)
    }

    /// Problems, each with the place in the document's own line.
    fn shown(&self, problems: &[Problem]) -> String {
        shown(
            &self.snippets(terminal::is_coloured(&io::stderr())),
            problems,
        )
    }
}

fn shown(snippets: &Snippets<'_>, problems: &[Problem]) -> String {
    let mut shown = String::new();
    for problem in problems.iter().take(SHOWN_MAX) {
        shown.push_str(&snippets.show(problem, &[]));
        shown.push_str("\n\n");
    }
    if let more @ 1.. = problems.len().saturating_sub(SHOWN_MAX) {
        shown.push_str(&format!("({more} more are not shown)\n\n"));
    }
    shown
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    // Opening a pipe that has a name waits for somebody to write to it, who may never come.
    if is_named_pipe(path) {
        return Err(io::Error::other("it is a named pipe; name a file"));
    }
    let one_more = u64::try_from(DOCUMENT_BYTES_MAX)
        .unwrap_or(u64::MAX)
        .saturating_add(1);
    let is_file = path.metadata().is_ok_and(|metadata| metadata.is_file());
    let (mut file, length) = if is_file {
        files::open(path)?
    } else {
        (File::open(path)?, 0)
    };
    let length = length.min(one_more);
    // All that there is at once, and whatever follows.
    let mut bytes = vec![0; usize::try_from(length).unwrap_or_default()];
    file.read_exact(&mut bytes)?;
    file.take(one_more.saturating_sub(length))
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether this is a pipe in a folder. What a shell hands over (`/dev/fd/63`) has its writer.
#[cfg(unix)]
fn is_named_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let is_pipe = path
        .metadata()
        .is_ok_and(|metadata| metadata.file_type().is_fifo());
    is_pipe && !path.starts_with("/dev") && !path.starts_with("/proc")
}

#[cfg(not(unix))]
const fn is_named_pipe(_: &Path) -> bool {
    false
}

fn write(shown: &str) {
    // If standard error is gone, the exit code still tells.
    let _ = io::stderr().write_all(shown.as_bytes());
}
