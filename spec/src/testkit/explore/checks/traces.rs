//! What holds of the trace of a finished pass.

use gatefold::gate::{AllowedBy, Cell, Station, TraceStep};

use super::Traced;

fn wrote(step: &TraceStep, cell: Cell) -> Option<&str> {
    let written = step.wrote.iter().find(|written| written.cell == cell)?;
    Some(&written.value)
}

fn decides(step: &TraceStep, cell: Cell) -> bool {
    wrote(step, cell).is_some_and(|value| value != "empty")
}

pub(super) fn after_a_deny_comes_the_exit(traced: &Traced<'_>) -> bool {
    let steps = traced.trace.steps();
    let denied = traced.finished.outcome().denied_by().is_some();
    let Some(place) = steps.iter().position(|step| decides(step, Cell::DeniedBy)) else {
        return !denied;
    };
    match steps.get(place + 1..) {
        Some([exit]) => denied && exit.station == Station::Exit && exit.wrote.is_empty(),
        _ => false,
    }
}

pub(super) fn a_refuser_is_written_once(traced: &Traced<'_>) -> bool {
    let steps = traced.trace.steps().iter();
    steps.filter(|step| decides(step, Cell::DeniedBy)).count() <= 1
}

/// The last station that wrote an allower wrote the one on record, and may have; and every
/// station asked the seat that the list of stations gives it.
pub(super) fn the_allower_may_allow_there(traced: &Traced<'_>) -> bool {
    let steps = traced.trace.steps();
    let seats = steps.iter().all(|step| {
        let asks = traced.bench.station(step.station);
        step.asked.is_none() || step.asked == asks
    });
    let Some(by) = traced.finished.outcome().allowed_by() else {
        return seats;
    };
    let last = steps
        .iter()
        .rev()
        .find(|step| decides(step, Cell::AllowedBy));
    seats
        && last.is_some_and(|step| {
            wrote(step, Cell::AllowedBy).and_then(AllowedBy::from_word) == Some(by)
                && traced.bench.allows(by, step.station)
        })
}
