//! Proof that the engine needs no std, and that nothing it links does.
//!
//! This static library brings its own panic handler. std brings one too, and a program can have
//! only one: if the engine or any crate it links pulls std in, the build stops with a duplicate
//! `panic_impl`. A build of the engine alone proves nothing, since its `no_std` attribute says
//! nothing of its dependencies.
//!
//! What is not referenced may not be linked. So [`gatefold_nostd_check`] runs each machine of the
//! engine from end to end: add a run when a machine is added.
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;

mod memory;

use alloc::string::String;
use core::hint::black_box;
use core::panic::PanicInfo;

use gatefold::gate::{
    Answer, Args, Call, Finished, GateInput, GateResult, Parking, Pass, Resolved, SealKey, Seat,
    Step, Suspended, TicketBook, begin,
};

#[panic_handler]
fn on_panic(_info: &PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}

/// Runs the engine's machines; 1 if each came to what it should.
#[allow(unsafe_code, reason = "an exported name cannot be had without")]
// SAFETY: no other symbol of this name is linked; the library stands alone.
#[unsafe(no_mangle)]
pub extern "C" fn gatefold_nostd_check() -> usize {
    usize::from(gate().is_some_and(|record| record.contains(black_box(r#""verdict":"allow""#))))
}

/// A pass that is parked, carried over in sealed bytes, resumed, and answered yes: its record.
fn gate() -> Option<String> {
    let args = Args::parse(black_box(r#"{"command":"make install"}"#)).ok()?;
    let call = Call {
        id: "c1".into(),
        tool: "Bash".into(),
        args,
    };
    let input = GateInput::builder(call).wire(Seat::Park).build().ok()?;
    let key = SealKey::new(&[7; 32]).ok()?;

    let pass = Pass::load(&asked(begin(input.clone()))?.save(&key).ok()?, &key).ok()?;
    let Suspended { ticket, parked } =
        suspended(pass.answer(Answer::Park(Ok(Parking::Parked))).ok()?)?;
    let mut book = TicketBook::new();
    book.open(&ticket).ok()?;
    let pass = asked(parked.resume(&ticket, &mut book, &input).ok()?)?;
    let finished = finished(
        pass.answer(Answer::Resolve(Ok(Resolved::YES.into())))
            .ok()?,
    )?;
    finished.args_to_run()?;
    Some(finished.record().to_json())
}

fn asked(step: Step) -> Option<Pass> {
    match step {
        Step::Need(pass) => Some(pass),
        Step::Done(_) | Step::Defect(_) => None,
    }
}

fn suspended(step: Step) -> Option<Suspended> {
    match step {
        Step::Done(result) => match *result {
            GateResult::Suspended(suspended) => Some(suspended),
            GateResult::Finished(_) => None,
        },
        Step::Need(_) | Step::Defect(_) => None,
    }
}

fn finished(step: Step) -> Option<Finished> {
    match step {
        Step::Done(result) => match *result {
            GateResult::Finished(finished) => Some(finished),
            GateResult::Suspended(_) => None,
        },
        Step::Need(_) | Step::Defect(_) => None,
    }
}
