//! Policy documents as files: reading them, and showing what is wrong where.

use std::env;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use gatefold_policy::{DOCUMENT_BYTES_MAX, Loaded, Platform, Policy, Problem, Severity, Source};
use thiserror::Error;

use crate::terminal;

/// Problems that are shown with their places; what is left is counted.
const SHOWN_MAX: usize = 50;
/// A line of a document that is shown, in bytes.
const LINE_BYTES_MAX: usize = 4096;

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

/// Documents, read and not yet loaded.
#[derive(Debug)]
pub(crate) struct Documents(Vec<(String, Vec<u8>)>);

impl Documents {
    /// Reads documents, each no further than a document may be long.
    pub(crate) fn read(paths: &[PathBuf]) -> Result<Self, DocumentsError> {
        let read = paths.iter().map(|path| {
            let bytes = read(path).map_err(|error| DocumentsError::Unreadable {
                path: path.clone(),
                error,
            })?;
            Ok((path.display().to_string(), bytes))
        });
        read.collect::<Result<_, _>>().map(Self)
    }

    /// The policy of all documents together.
    pub(crate) fn load(&self, platform: Platform) -> Result<Loaded, DocumentsError> {
        let sources: Vec<_> = self
            .0
            .iter()
            .map(|(name, bytes)| Source { name, bytes })
            .collect();
        Policy::load(&sources, platform).map_err(|refused| {
            let first = refused.first();
            DocumentsError::Refused {
                first: first.map_or_else(String::new, ToString::to_string),
                code: first.map_or("refused", |problem| problem.code.word()),
                errors: refused.errors(),
                shown: self.shown(&refused.problems),
            }
        })
    }

    /// Shows problems with their places on standard error.
    pub(crate) fn show(&self, problems: &[Problem]) {
        write(&self.shown(problems));
    }

    /// Problems, each with the place in the document's own line.
    fn shown(&self, problems: &[Problem]) -> String {
        let renderer = if io::stderr().is_terminal() {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        let mut shown = String::new();
        for problem in problems.iter().take(SHOWN_MAX) {
            shown.push_str(&self.render(problem, &renderer));
            shown.push_str("\n\n");
        }
        if let more @ 1.. = problems.len().saturating_sub(SHOWN_MAX) {
            shown.push_str(&format!("({more} more are not shown)\n\n"));
        }
        shown
    }

    fn render(&self, problem: &Problem, renderer: &Renderer) -> String {
        let level = match problem.severity() {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let place = &problem.place;
        let text = self
            .0
            .iter()
            .find(|(name, _)| **name == *place.file)
            .and_then(|(_, bytes)| std::str::from_utf8(bytes).ok());
        let title = level
            .primary_title(&*problem.sentence)
            .id(problem.code.word());
        let Some((line, span)) = text.and_then(|text| line_of(text, &place.span)) else {
            return terminal::harmless(&problem.to_string());
        };
        let annotation = AnnotationKind::Primary.span(span);
        let snippet = Snippet::source(line)
            .line_start(place.line)
            .path(&*place.file)
            .annotation(annotation);
        renderer.render(&[title.element(snippet)])
    }
}

/// The line in which a place begins, and the place in it; none if that is no line to show.
fn line_of<'a>(text: &'a str, span: &Range<usize>) -> Option<(&'a str, Range<usize>)> {
    let before = text.get(..span.start)?;
    let begin = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
    let line = text.get(begin..)?.lines().next().unwrap_or_default();
    let start = span.start.checked_sub(begin)?.min(line.len());
    let end = span.end.saturating_sub(begin).clamp(start, line.len());
    (line.len() <= LINE_BYTES_MAX).then_some((line, start..end))
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let one_more = u64::try_from(DOCUMENT_BYTES_MAX)
        .unwrap_or(u64::MAX)
        .saturating_add(1);
    let mut bytes = Vec::new();
    File::open(path)?.take(one_more).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn write(shown: &str) {
    // If standard error is gone, the exit code still tells.
    let _ = io::stderr().write_all(shown.as_bytes());
}
