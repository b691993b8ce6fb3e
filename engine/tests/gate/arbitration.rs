//! §9: the permission modes arbitrate a standing ask. Source: G025–G028, G118–G119, G128, G135.

use gatefold::gate::*;

use crate::case::*;
use crate::tell::{ends, rows};

/// mode of the caller, and what becomes of an ask of each bar class. `placed`: released if the
/// call is an edit inside the roots, or a file command all of whose writes were placed.
const MODES: &str = "
    mode          open      unread    undoable  reach     mandated  person_only
    default       stands    stands    stands    stands    stands    stands
    plan          plan      plan      plan      plan      plan      plan
    accept_edits  placed    placed    placed    stands    stands    stands
    auto          stands    stands    stands    stands    stands    stands
    dont_ask      refused   refused   refused   refused   refused   refused
    bypass        released  released  released  released  released  stands
";

/// mode of the caller, and what becomes of an open ask under a parent in each mode.
const LINEAGE: &str = "
    caller        default   plan      accept_edits  auto      dont_ask  bypass
    default       stands    plan      stands        stands    refused   stands
    plan          plan      plan      plan          plan      plan      plan
    accept_edits  stands    plan      placed        stands    refused   placed
    auto          stands    plan      stands        stands    refused   stands
    dont_ask      refused   plan      refused       refused   refused   refused
    bypass        stands    plan      placed        stands    refused   released
";

/// What the call does, and whether `accept_edits` takes it for placed.
const CALLS: &str = "
    kind   file_command  edits_in_roots  writes_placed  placed
    edit   -             x               -              x
    edit   -             x               x              x
    edit   -             -               -              -
    edit   -             -               x              -
    shell  x             -               x              x
    shell  x             -               -              -
    shell  -             -               x              -
    other  -             -               x              -
    other  -             x               -              -
    mcp    x             -               x              x
";

#[test]
fn each_mode_does_with_each_bar_what_its_row_says() {
    for (mode, class, verdict) in table(MODES) {
        let mode = Mode::from_word(mode).unwrap();
        for call in calls() {
            let case = objecting(call.case(), class).mode(mode);
            let expected = becomes(verdict, call.placed, owed_to(class));
            assert_eq!(ends(&case), expected, "{mode} × {class} × {call:?}");
        }
    }
}

#[test]
fn an_ask_is_released_only_if_every_member_releases_it_and_refused_if_any_refuses() {
    for (caller, parent, verdict) in table(LINEAGE) {
        let mode = Mode::from_word(caller).unwrap();
        let parent = Mode::from_word(parent).unwrap();
        for call in calls() {
            let case = call.case().mode(mode).ancestor(parent);
            let expected = becomes(verdict, call.placed, "unstated");
            assert_eq!(ends(&case), expected, "{mode} under {parent} × {call:?}");
        }
    }
}

#[test]
fn a_grandparent_counts_as_a_parent_does() {
    let case = || Case::new().mode(Mode::Bypass).ancestor(Mode::Bypass);
    assert_eq!(ends(&case()), "allow mode");
    assert_eq!(ends(&case().ancestor(Mode::DontAsk)), "deny mode");
    let stands = "deny ask_resolution; unanswered: nobody, owed to unstated";
    assert_eq!(ends(&case().ancestor(Mode::Default)), stands);
}

#[test]
fn a_release_names_the_callers_mode() {
    let placed = Facts {
        kind: ToolKind::Edit,
        edits_in_roots: true,
        ..Facts::UNKNOWN
    };
    for (caller, parent, named) in [
        (Mode::AcceptEdits, Mode::Bypass, ReleasingMode::AcceptEdits),
        (Mode::Bypass, Mode::AcceptEdits, ReleasingMode::Bypass),
        (Mode::Bypass, Mode::Bypass, ReleasingMode::Bypass),
    ] {
        let case = Case::new().facts(placed).mode(caller).ancestor(parent);
        let released = case.finish().outcome().released();
        let expected = ModeRelease {
            mode: named,
            past_read_deny: false,
        };
        assert_eq!(released, Some(expected), "{caller} under {parent}");
    }
}

/// Source: G025, G027.
#[test]
fn a_release_never_stands_beside_a_refusal_nor_the_other_way_round() {
    let released = Case::new().mode(Mode::Bypass).finish();
    assert_eq!(released.outcome().refused(), None);
    let refused = Case::new().mode(Mode::DontAsk).finish();
    assert_eq!(refused.outcome().released(), None);
    let card = ModeRefusal {
        mode: RefusingMode::DontAsk,
        unplaced_options: None,
    };
    assert_eq!(refused.outcome().refused(), Some(card));
}

#[test]
fn no_mode_has_a_say_in_what_is_already_allowed() {
    for mode in Mode::ALL {
        let reads_only = Facts {
            read_only: ReadOnly::Yes,
            ..Facts::UNKNOWN
        };
        let case = Case::new().facts(reads_only).policy(STATED).mode(*mode);
        assert_eq!(ends(&case), "allow policy", "{mode}");
    }
}

#[test]
fn a_plan_that_only_reads_is_not_released_by_plan_mode() {
    let reads_only = Facts {
        read_only: ReadOnly::Yes,
        ..Facts::UNKNOWN
    };
    let case = Case::new().facts(reads_only).policy(PolicyRuling::Ask);
    let stands = "deny ask_resolution; unanswered: nobody, owed to policy";
    assert_eq!(ends(&case.mode(Mode::Plan)), stands);
}

/// Source: G128.
#[test]
fn a_release_says_that_it_went_past_a_read_nobody_could_establish() {
    let placed_command = Facts {
        kind: ToolKind::Shell,
        file_command: true,
        ..Facts::UNKNOWN
    };
    let rows = [
        (Mode::Bypass, ShellFinding::Clean, Some(false)),
        (Mode::Bypass, ShellFinding::OutOfRoot(None), Some(false)),
        (
            Mode::Bypass,
            ShellFinding::Unestablishable(None),
            Some(true),
        ),
        (Mode::Bypass, ShellFinding::Declined, Some(true)),
        (Mode::AcceptEdits, ShellFinding::Clean, Some(false)),
        (Mode::AcceptEdits, ShellFinding::OutOfRoot(None), None),
        (Mode::AcceptEdits, ShellFinding::Unestablishable(None), None),
        (Mode::AcceptEdits, ShellFinding::Declined, Some(true)),
    ];
    for (mode, finding, expected) in rows {
        let case = Case::new().mode(mode).facts(placed_command);
        let read = ShellRead {
            finding: finding.clone(),
            writes_placed: true,
            ..ShellRead::UNWIRED
        };
        let ended = case.says(Answer::ShellRead(Ok(read))).finish();
        let released = ended.outcome().released();
        let past = released.map(|release| release.past_read_deny);
        assert_eq!(past, expected, "{mode} × {finding:?}");
    }
}

#[test]
fn what_the_probe_declined_is_no_read_that_a_release_went_past() {
    let probe = Probe {
        boundary_declined: true,
        ..Probe::UNWIRED
    };
    let case = Case::new().mode(Mode::Bypass);
    let released = case.says(Answer::Probe(Ok(probe))).finish();
    let released = released.outcome().released().unwrap();
    assert!(!released.past_read_deny);
}

/// Source: G119.
#[test]
fn the_program_whose_options_kept_writes_unplaced_is_named_where_nobody_answers() {
    for (program, named) in [
        (
            Some(CopyProgram::Cp),
            Some("; the options of `cp` kept its writes from being placed"),
        ),
        (
            Some(CopyProgram::Mv),
            Some("; the options of `mv` kept its writes from being placed"),
        ),
        (None, None),
    ] {
        let read = ShellRead {
            unplaced_options: program,
            ..ShellRead::UNWIRED
        };
        let case = Case::new().says(Answer::ShellRead(Ok(read)));

        let refused = case.clone().mode(Mode::DontAsk).finish();
        let card = refused.outcome().refused().unwrap();
        assert_eq!(card.unplaced_options, program);
        let suffix = named.unwrap_or("");
        assert_eq!(
            refused.reason().unwrap(),
            format!("mode dont_ask answers no ask: nothing says that it may run{suffix}")
        );
        let nobody = "this call needs an answer and there is nobody to ask";
        assert_eq!(
            case.finish().reason().unwrap(),
            format!("{nobody}; asked because nothing says that it may run{suffix}")
        );
        let asked = case.resolves(Resolved::YES);
        assert_eq!(
            asked.run_to(Seat::Resolve).reason(),
            "this call needs an answer: nothing says that it may run",
            "somebody is asked, and can see the call"
        );
    }
}

/// A released ask settles nothing, and no question is asked after the release. Source: G026.
#[test]
fn a_release_asks_nobody() {
    let case = Case::new().mode(Mode::Bypass).resolves(Resolved::NO);
    let ended = case.run();
    assert_eq!(ended.seats(), []);
    let record = ended.finished().record();
    assert_eq!(record.fields().settled, None);
}

/// `(row, column, cell)` of a table with a header.
fn table(text: &'static str) -> Vec<(&'static str, &'static str, &'static str)> {
    let mut rows = rows(text);
    let header = rows.next().unwrap();
    let cells = rows.flat_map(|row| {
        let name = row[0];
        let cells: Vec<_> = header.iter().zip(row).skip(1).collect();
        cells
            .into_iter()
            .map(move |(column, cell)| (name, *column, cell))
            .collect::<Vec<_>>()
    });
    cells.collect()
}

#[derive(Debug)]
struct CallRow {
    facts: Facts,
    writes_placed: bool,
    placed: bool,
}

impl CallRow {
    fn case(&self) -> Case {
        let read = ShellRead {
            writes_placed: self.writes_placed,
            ..ShellRead::UNWIRED
        };
        Case::new()
            .facts(self.facts)
            .says(Answer::ShellRead(Ok(read)))
    }
}

fn calls() -> Vec<CallRow> {
    let rows = rows(CALLS).skip(1).map(|row| {
        let set = |column: usize| row[column] == "x";
        CallRow {
            facts: Facts {
                kind: ToolKind::from_word(row[0]).unwrap(),
                read_only: ReadOnly::No,
                file_command: set(1),
                edits_in_roots: set(2),
                shows_content: false,
            },
            writes_placed: set(3),
            placed: set(4),
        }
    });
    rows.collect()
}

/// The case with an objection of this bar class, beside whatever else objects.
fn objecting(case: Case, class: &str) -> Case {
    let probe = |finding, boundary_declined| {
        Answer::Probe(Ok(Probe {
            finding,
            boundary_declined,
        }))
    };
    match class {
        "open" => case,
        "unread" => case.says(probe(Reversibility::Reversible, true)),
        "undoable" => case.says(probe(Reversibility::Irreversible, false)),
        "reach" => case.says(Answer::Egress(Ok(Egress::Outside(None)))),
        "mandated" => case.says(Answer::WriteJudge(Ok(WriteProtection::Matched))),
        "person_only" => case.policy(PolicyRuling::Ask),
        class => panic!("{class} is no class"),
    }
}

fn owed_to(class: &str) -> &'static str {
    match class {
        "open" | "unread" => "unstated",
        "undoable" => "reversibility",
        "reach" => "egress",
        "mandated" => "write_protection",
        "person_only" => "policy",
        class => panic!("{class} is no class"),
    }
}

/// The story of a case that becomes this; an ask that stands is owed to this origin.
fn becomes(verdict: &str, placed: bool, origin: &str) -> String {
    match (verdict, placed) {
        ("plan", _) => "deny plan_mode".into(),
        ("refused", _) => "deny mode".into(),
        ("released", _) | ("placed", true) => "allow mode".into(),
        ("stands", _) | ("placed", false) => {
            format!("deny ask_resolution; unanswered: nobody, owed to {origin}")
        }
        (verdict, _) => panic!("{verdict} is no verdict"),
    }
}
