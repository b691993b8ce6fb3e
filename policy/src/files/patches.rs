//! Patches: where they name the files that they change.

/// The tool that takes a patch, and what stands in front of each path in it, all with the same mark.
pub(super) const PATCHES: &str = "apply_patch";
const PATCH_MARK: &str = "*** ";
/// Words behind the head of a line of a diff that may be paths (16).
pub(super) const WORDS_MAX: usize = 16;
pub(super) const PATCH_HEADS: [&str; 4] = [
    "*** Add File: ",
    "*** Update File: ",
    "*** Delete File: ",
    "*** Move to: ",
];
/// The same of `diff` and git.
pub(super) const DIFF_HEADS: [&str; 9] = [
    "--- ",
    "*** ",
    "Index: ",
    "+++ ",
    "diff --git ",
    "rename from ",
    "rename to ",
    "copy from ",
    "copy to ",
];

/// Whether this tool takes a patch, which names the files that it changes.
pub(crate) fn is_patch(tool: &str) -> bool {
    tool == PATCHES
}

/// Whether a text may hold a patch. A search for one sign costs a part of one for several.
pub(super) fn may_be_patch(text: &str) -> bool {
    (text.contains('*') && text.contains(PATCH_MARK)) || looks_like_diff(text)
}

/// Whether a text begins as a diff does, whatever its arg is called.
pub(super) fn looks_like_diff(text: &str) -> bool {
    let has_line = |head| text.contains(head);
    text.starts_with("diff --git ")
        || (text.contains('\n') && (has_line("\n+++ ") || has_line("\ndiff --git ")))
}

/// Whether an arg of this name may be a diff.
pub(super) fn may_be_diff(name: &str) -> bool {
    let name = name.as_bytes();
    let holds = |word: &str| {
        let mut parts = name.windows(word.len());
        parts.any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    };
    holds("patch") || holds("diff")
}

/// The lines of a text, by any sign that some reader of patches ends one with, without what some take
/// for blanks in front.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let ends = [
        '\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}',
        '\u{2029}',
    ];
    let is_blank = |char: char| {
        char <= ' '
            || matches!(
                char,
                '\u{a0}' | '\u{1680}' | '\u{2000}'
                    ..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}'
            )
    };
    text.split(ends)
        .map(move |line| line.trim_matches(is_blank))
}
