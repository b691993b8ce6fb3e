//! Seeded faults: wrong engines that the suite must tell from the right one.
//!
//! They exist only under `--cfg gatefold_faults`, which no crate of a host can switch on as it
//! could a feature. In every other build [`fault!`] is `false`, and what distorts leaves all as it
//! is. Where a fault is one of hearing (a crash taken for a word, an ancestor not seen), the answer
//! or the input is distorted before a station reads it, and the stations are left alone.

/// Whether this fault is seeded.
macro_rules! fault {
    ($fault:ident) => {{
        #[cfg(gatefold_faults)]
        let seeded = $crate::faults::is_seeded($crate::faults::Fault::$fault);
        #[cfg(not(gatefold_faults))]
        let seeded = false;
        seeded
    }};
}
pub(crate) use fault;

#[cfg(gatefold_faults)]
mod distort;
#[cfg(gatefold_faults)]
mod seeded;

#[cfg(gatefold_faults)]
pub(crate) use distort::{
    after_load, after_misuse, answer, audience, cause, forged, input, lifts_bar, next,
};
#[cfg(gatefold_faults)]
pub(crate) use seeded::is_seeded;
#[cfg(gatefold_faults)]
pub use seeded::{Fault, seed};

#[cfg(not(gatefold_faults))]
pub(crate) use undistorted::{
    after_load, after_misuse, answer, audience, cause, forged, input, lifts_bar, next,
};

#[cfg(not(gatefold_faults))]
mod undistorted {
    use crate::gate::{
        Answer, Audience, Automatic, BarClass, Cause, GateInput, NoticeWord, Question, Station,
        Text,
    };

    pub(crate) const fn input(input: GateInput) -> GateInput {
        input
    }

    pub(crate) fn answer(_: &Question, answer: Answer) -> Answer {
        answer
    }

    pub(crate) const fn after_misuse<T>(state: T) -> T {
        state
    }

    pub(crate) const fn after_load<T>(state: T) -> T {
        state
    }

    pub(crate) const fn lifts_bar(_: BarClass, _: Automatic) -> bool {
        false
    }

    pub(crate) const fn audience(notice: NoticeWord) -> Audience {
        notice.audience()
    }

    pub(crate) const fn next(_: Station) -> Option<Station> {
        None
    }

    pub(crate) const fn cause(cause: Cause, _: Option<&Text>) -> Cause {
        cause
    }

    pub(crate) const fn forged<C, A>(_: &C) -> Option<A> {
        None
    }
}
