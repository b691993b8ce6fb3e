//! What the describing and tightening seats find.

use gatefold::gate::{
    Card, CopyProgram, Egress, Facts, Offer, Probe, ReadOnly, Reversibility, ShellFinding,
    ShellRead, Text, ToolKind, WriteProtection,
};

use super::Named;

/// The finding of an outright refusal's card, so that it can be told from the card of an ask.
pub(in super::super) const REFUSED: &str = "refused";

pub(super) fn describe(full: bool) -> Named<Facts> {
    let facts = |kind, read_only| Facts {
        kind,
        read_only,
        ..Facts::UNKNOWN
    };
    let edit = Facts {
        edits_in_roots: true,
        ..facts(ToolKind::Edit, ReadOnly::No)
    };
    let shell = facts(ToolKind::Shell, ReadOnly::Unknown);
    let file_command = Facts {
        file_command: true,
        ..facts(ToolKind::Shell, ReadOnly::No)
    };
    let mut all = vec![
        ("other", Facts::UNKNOWN),
        ("shell", shell),
        ("reads", facts(ToolKind::Read, ReadOnly::Yes)),
        ("file command", file_command),
        (
            "edit shown",
            Facts {
                shows_content: true,
                ..edit
            },
        ),
    ];
    if full {
        all.extend([
            ("edit", edit),
            ("edit outside", facts(ToolKind::Edit, ReadOnly::No)),
            ("shell reads", facts(ToolKind::Shell, ReadOnly::Yes)),
            (
                "shell shown",
                Facts {
                    shows_content: true,
                    ..shell
                },
            ),
        ]);
    }
    all
}

pub(super) fn probe(full: bool) -> Named<Probe> {
    let probe = |finding, boundary_declined| Probe {
        finding,
        boundary_declined,
    };
    let mut all = vec![
        ("reversible", probe(Reversibility::Reversible, false)),
        ("irreversible", probe(Reversibility::Irreversible, false)),
        ("out of root", probe(Reversibility::OutOfRoot, false)),
        ("boundary declined", probe(Reversibility::Reversible, true)),
    ];
    if full {
        all.push((
            "irreversible, declined",
            probe(Reversibility::Irreversible, true),
        ));
    }
    all
}

pub(super) fn egress() -> Named<Egress> {
    vec![
        ("inside", Egress::Inside),
        ("outside", Egress::Outside(Some(Text::new("evil.test")))),
    ]
}

pub(super) fn shell_read(full: bool) -> Named<ShellRead> {
    let found = |finding| ShellRead {
        finding,
        ..ShellRead::UNWIRED
    };
    let card = |finding: &str| Card {
        finding: Text::new(finding),
        text: Text::new("it reads"),
    };
    let mut all = vec![
        ("clean", ShellRead::UNWIRED),
        (
            "placed",
            ShellRead {
                writes_placed: true,
                ..ShellRead::UNWIRED
            },
        ),
        ("out of root", found(ShellFinding::OutOfRoot(None))),
        (
            "unestablishable",
            found(ShellFinding::Unestablishable(None)),
        ),
        ("declined", found(ShellFinding::Declined)),
        ("refused", found(ShellFinding::Refused(card(REFUSED)))),
    ];
    if full {
        let offer = Some(Offer {
            directory: Text::new("/srv"),
        });
        let out_of_root = || found(ShellFinding::OutOfRoot(Some(card("out_of_root"))));
        let protected = |write_protection| ShellRead {
            write_protection,
            ..ShellRead::UNWIRED
        };
        let options = Some(CopyProgram::Cp);
        let unplaced = ShellRead {
            unplaced_options: options,
            ..ShellRead::UNWIRED
        };
        all.extend([
            (
                "out of root, offer",
                ShellRead {
                    offer,
                    ..out_of_root()
                },
            ),
            ("matched", protected(WriteProtection::Matched)),
            ("unresolved", protected(WriteProtection::Unresolved)),
            ("unplaced by options", unplaced),
        ]);
    }
    all
}

pub(super) fn write_judge() -> Named<WriteProtection> {
    WriteProtection::ALL
        .iter()
        .map(|judged| (judged.word(), *judged))
        .collect()
}
