//! Station 18: the permission modes arbitrate a standing ask. Source: G025–G028, G118–G119, G128,
//! G135.

use crate::faults::fault;
use crate::gate::causes::Automatic;
use crate::gate::cells::ShellReads;
use crate::gate::seats::{Facts, ToolKind};
use crate::gate::state::{Flow, State};
use crate::gate::words::{
    AllowedBy, DeniedBy, Mode, ModeRefusal, ModeRelease, RefusingMode, ReleasingMode,
};

/// Any member refuses; every member must release; else the ask stands.
pub(in crate::gate) fn arbitrate(state: &mut State) -> Flow {
    if !state.is_ask() {
        return Flow::Next;
    }
    let shell = *state.cells.shell();
    if state.any_mode(Mode::DontAsk) {
        let unplaced_options = shell.and_then(|shell| shell.unplaced_options);
        let mode = RefusingMode::DontAsk;
        state.cells.set_refused(Some(ModeRefusal {
            mode,
            unplaced_options,
        }));
        return state.deny(DeniedBy::Mode, None, None);
    }
    let accepts_edits = !state.bars(Automatic::AcceptEdits) && is_placed_edit(state);
    let bypasses = !state.bars(Automatic::Bypass);
    let releases = |mode| match mode {
        Mode::AcceptEdits => accepts_edits,
        Mode::Bypass => bypasses,
        Mode::Default | Mode::Plan | Mode::Auto | Mode::DontAsk => false,
    };
    if !state.every_member(|member| releases(member.mode)) {
        return Flow::Next;
    }
    let mode = match state.input.caller() {
        Mode::AcceptEdits => ReleasingMode::AcceptEdits,
        Mode::Bypass => ReleasingMode::Bypass,
        Mode::Default | Mode::Plan | Mode::Auto | Mode::DontAsk => return Flow::Next,
    };
    let past_read_deny = shell.is_some_and(|shell| match shell.reads {
        ShellReads::Unestablishable | ShellReads::Declined => !fault!(ReleaseHidesUnread),
        ShellReads::Clean | ShellReads::OutOfRoot => false,
    });
    state.cells.set_released(Some(ModeRelease {
        mode,
        past_read_deny,
    }));
    state.allow(AllowedBy::Mode, None, None)
}

/// An edit inside the roots, or a file command all of whose writes were placed there.
fn is_placed_edit(state: &mut State) -> bool {
    let facts = state.cells.facts().unwrap_or(Facts::UNKNOWN);
    let writes_placed = state.cells.shell().is_some_and(|shell| shell.writes_placed);
    let placed = writes_placed || fault!(UnplacedWriteIsAccepted);
    (facts.kind == ToolKind::Edit && facts.edits_in_roots) || (facts.file_command && placed)
}
