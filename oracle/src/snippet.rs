//! A problem shown in the document's own line.

use std::collections::BTreeMap;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use gatefold_policy::{Problem, Severity};

use crate::process::on_one_line;
use crate::terminal::harmless;

/// What is shown of a line before a place, of the place, and after it, each in bytes at most.
const SHOWN_BYTES_MAX: usize = 256;

/// Documents whose lines can be shown.
pub(crate) struct Snippets<'a> {
    texts: BTreeMap<&'a str, &'a str>,
    renderer: Renderer,
}

impl<'a> Snippets<'a> {
    /// Of documents, each by its name; of one that is not UTF-8, what is before the fault.
    pub(crate) fn new(
        documents: impl IntoIterator<Item = (&'a str, &'a [u8])>,
        coloured: bool,
    ) -> Self {
        let texts = documents
            .into_iter()
            .map(|(name, bytes)| (name, sound(bytes)))
            .collect();
        let renderer = if coloured {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        Self { texts, renderer }
    }

    /// The problem, its line with the place underlined, and notes below it, each with its name.
    pub(crate) fn show(&self, problem: &Problem, notes: &[(&str, String)]) -> String {
        let level = match problem.severity() {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let place = &problem.place;
        let origin = Origin::path(harmless(&place.file))
            .line(place.line)
            .char_column(place.column);
        let text = self.texts.get(&*place.file).copied();
        let (line, span) = shown(text.unwrap_or_default(), &place.span);
        let snippet = Snippet::source(line)
            .line_start(place.line)
            .annotation(AnnotationKind::Primary.span(span));
        let notes = notes
            .iter()
            .map(|(name, note)| Level::NOTE.with_name(*name).message(on_one_line(note)));
        let group = level
            .primary_title(on_one_line(&problem.sentence))
            .id(problem.code.word())
            .element(origin)
            .element(snippet)
            .elements(notes);
        let shown = self.renderer.render(&[group]);
        // The place stands above already, by its column in the document; for a line that is shown
        // without it, the library draws an empty place of its own, as the fourth line.
        let lines = shown.lines().enumerate();
        let lines = lines.filter(|(index, _)| *index != 3);
        lines.map(|(_, line)| line).collect::<Vec<_>>().join("\n")
    }
}

fn sound(bytes: &[u8]) -> &str {
    let end = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    let head = bytes.get(..end).unwrap_or_default();
    std::str::from_utf8(head).unwrap_or_default()
}

/// The line in which a place begins, as far as it is near, made harmless; and the place in it.
fn shown(text: &str, place: &Range<usize>) -> (String, Range<usize>) {
    let start = place.start.min(text.len());
    let (before, rest) = text.split_at_checked(start).unwrap_or((text, ""));
    let length = place.end.saturating_sub(start);
    let (at, after) = rest
        .split_at_checked(length.min(rest.len()))
        .unwrap_or((rest, ""));
    let head = near_end(before);
    let (at, whole) = near_start(at);
    let (tail, _) = if whole {
        near_start(after)
    } else {
        (String::new(), false)
    };
    let end = head.len().saturating_add(at.len());
    let span = head.len()..end;
    (format!("{head}{at}{tail}"), span)
}

/// The end of a text, from its last line break or from where it gets too long.
fn near_end(text: &str) -> String {
    let from = text.len().saturating_sub(SHOWN_BYTES_MAX);
    let from = (from..=text.len()).find(|at| text.is_char_boundary(*at));
    let near = text.get(from.unwrap_or_default()..).unwrap_or_default();
    match near.rsplit_once('\n') {
        Some((_, line)) => plain(line),
        None if near.len() < text.len() => format!("…{}", plain(near)),
        None => plain(near),
    }
}

/// The start of a text, up to its first line break or to where it gets too long; and whether that
/// is all of it.
fn near_start(text: &str) -> (String, bool) {
    let to = text.len().min(SHOWN_BYTES_MAX);
    let to = (0..=to).rev().find(|at| text.is_char_boundary(*at));
    let near = text.get(..to.unwrap_or_default()).unwrap_or_default();
    match near.split_once('\n') {
        Some((line, _)) => (plain(line.strip_suffix('\r').unwrap_or(line)), false),
        None if near.len() < text.len() => (format!("{}…", plain(near)), false),
        None => (plain(near), true),
    }
}

/// Part of a line without what steers a terminal, its tabs as blanks.
fn plain(text: &str) -> String {
    harmless(&text.replace('\t', "    "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_shown_with_what_is_near_it_in_its_line() {
        let long = "x".repeat(300);
        let cut = "x".repeat(SHOWN_BYTES_MAX);
        for (text, place, line, marked) in [
            ("a = 1\nbad = 2\nc", 6..9, "bad = 2".to_owned(), "bad"),
            ("a\r\n\tbad\r\nc", 4..7, "    bad".into(), "bad"),
            ("a\u{202e}b\u{1b}c", 4..5, "a\\u{202e}b\\u{1b}c".into(), "b"),
            ("a\nb\n", 4..4, String::new(), ""),
            ("a\nb", 0..3, "a".into(), "a"),
            ("bad", 7..9, "bad".into(), ""),
            (&format!("{long}y"), 300..301, format!("…{cut}y"), "y"),
            (&format!("y{long}"), 0..1, format!("y{cut}…"), "y"),
            (&long, 0..300, format!("{cut}…"), &format!("{cut}…")),
            ("ää", 1..2, "ää".into(), ""),
        ] {
            let (shown, span) = shown(text, &place);
            assert_eq!(shown, line, "{text:?}");
            assert_eq!(shown.get(span), Some(marked), "{text:?}");
        }
    }

    #[test]
    fn a_document_that_is_not_utf8_is_shown_up_to_the_fault() {
        assert_eq!(sound(b"ab\xffc"), "ab");
        assert_eq!(sound(b"abc"), "abc");
    }
}
