//! What the benches share: the workload, the plainest way to decide it, the cheapest, and ours.
//!
//! Nothing is timed before its answers were compared with those of [`workload::reference`].
#![forbid(unsafe_code)]

pub mod hand;
pub mod ours;
pub mod workload;

use workload::{Answer, Request, Rule, reference};

/// Sizes of policies that growth is measured over.
pub const SIZES: [usize; 5] = [10, 100, 1_000, 10_000, 100_000];

/// Whether this is a run that times, rather than one that only sees that all benches still run.
pub fn is_timed() -> bool {
    std::env::args().any(|arg| arg == "--bench")
}

/// The sizes of this run.
pub fn sizes() -> &'static [usize] {
    if is_timed() { &SIZES } else { &[10, 100] }
}

/// Holds an engine to the reference on these requests.
pub fn check(
    engine: &str,
    rules: &[Rule],
    requests: &[Request],
    mut decide: impl FnMut(usize) -> Answer,
) {
    for (at, request) in requests.iter().enumerate() {
        let (found, wanted) = (decide(at), reference(rules, request));
        assert_eq!(
            found,
            wanted,
            "{engine}, {} rules: {request:?}",
            rules.len()
        );
    }
}

/// How many requests are compared with the reference, which looks at every rule for each.
pub const fn checked(rules: usize) -> usize {
    if rules < 100_000 { 1_000 } else { 200 }
}

/// One after the other, and from the first again.
#[derive(Debug)]
pub struct Cycle<'a, T> {
    items: &'a [T],
    next: usize,
}

impl<'a, T> Cycle<'a, T> {
    pub const fn new(items: &'a [T]) -> Self {
        Self { items, next: 0 }
    }

    #[allow(
        clippy::should_implement_trait,
        reason = "it never ends, and hands out no option"
    )]
    pub fn next(&mut self) -> &'a T {
        let item = &self.items[self.next];
        self.next += 1;
        if self.next == self.items.len() {
            self.next = 0;
        }
        item
    }
}
