//! Here-documents.

use super::super::plan::{Fault, Origin};
use super::raw::RawWord;
use super::{Reader, Source, SourceKind, Step};

const UNCLOSED: &str = "a here-document is not closed";

/// A here-document whose body begins at the next line.
#[derive(Debug)]
pub(super) struct PendingDocument {
    number: usize,
    end: String,
    /// Nothing in its body is expanded.
    quoted: bool,
    /// Tabs at the beginning of lines are left out.
    tabs: bool,
    /// In which stream of tokens it began.
    stream: usize,
    at: usize,
}

impl Reader<'_> {
    /// Notes a here-document by the word that ends it; its number.
    pub(super) fn document_of(&mut self, word: &RawWord, tabs: bool) -> Result<usize, Fault> {
        let end = match word.pieces.as_slice() {
            [super::Piece::Text(text)] if !text.is_empty() && !text.contains('\n') => text.clone(),
            _ => {
                return Err(Fault::at(
                    "what ends a here-document is not read",
                    &word.source,
                ));
            }
        };
        if word.source.contains(['$', '`', '\n']) {
            return Err(Fault::at(
                "what ends a here-document is not read",
                &word.source,
            ));
        }
        let number = self.notes.documents.len();
        self.notes.documents.push(None);
        let (stream, at) = (self.stream(), self.place());
        self.pending.push(PendingDocument {
            number,
            end,
            quoted: word.quoted,
            tabs,
            stream,
            at,
        });
        Ok(number)
    }

    /// How many streams of tokens are open.
    fn stream(&self) -> usize {
        self.lists
            .iter()
            .filter(|list| list.block.is_stream())
            .count()
    }

    /// Whether a here-document of the innermost stream still waits for its body.
    pub(super) fn has_pending(&self) -> bool {
        let stream = self.stream();
        self.pending.iter().any(|pending| pending.stream >= stream)
    }

    /// Behind a line break: the bodies of the here-documents of the line.
    pub(super) fn documents_begin(&mut self) -> Step {
        let stream = self.stream();
        if self.pending.iter().any(|pending| pending.stream != stream) {
            return Err(Fault::at("a here-document waits for its body", "<<"));
        }
        for pending in std::mem::take(&mut self.pending) {
            self.body(pending)?;
        }
        Ok(())
    }

    fn body(&mut self, pending: PendingDocument) -> Step {
        let PendingDocument {
            number,
            end,
            quoted,
            tabs,
            at,
            ..
        } = pending;
        let mut body = String::new();
        // The line so far, where an unquoted document continues it.
        let mut joined = String::new();
        loop {
            self.notes.steps = self.notes.steps.saturating_add(1);
            let line = match self.cursor.take_until('\n') {
                Some(line) => line,
                None if self.cursor.rest().is_empty() => return Err(Fault::at(UNCLOSED, "<<")),
                None => {
                    let rest = self.cursor.rest().to_owned();
                    self.cursor.bump(rest.len());
                    rest
                }
            };
            let is_first = joined.is_empty();
            let line = if tabs && is_first {
                line.trim_start_matches('\t')
            } else {
                line.as_str()
            };
            if line.contains('\0') {
                return Err(Fault::at("a null character ends the line", "\\0"));
            }
            if is_first && line == end {
                break;
            }
            let slashes = line.bytes().rev().take_while(|byte| *byte == b'\\').count();
            if !quoted && slashes % 2 == 1 {
                joined.push_str(line.strip_suffix('\\').unwrap_or(line));
                if joined.is_empty() || end.starts_with(joined.as_str()) {
                    return Err(Fault::at("its end may be continued", "\\"));
                }
                continue;
            }
            body.push_str(&joined);
            joined.clear();
            body.push_str(line);
            body.push('\n');
        }
        let expands = !quoted && body.contains(['$', '`', '\\']);
        if expands {
            self.queue.push_back(Source {
                text: body,
                kind: SourceKind::Document,
                depth: self.depth,
                at: Some(self.base.unwrap_or(at)),
                origin: Origin::Substitution,
            });
        } else if let Some(document) = self.notes.documents.get_mut(number) {
            *document = Some(body);
        }
        Ok(())
    }
}
