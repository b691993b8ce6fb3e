//! Runs a property over random worlds from one seed, which is printed so that a failure can be
//! seen again: `GATEFOLD_SEED=<seed> cargo test -p gatefold --test properties <name>`.

use std::cell::Cell;
use std::fmt::Debug;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::OnceLock;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use crate::run::Verdict;

const CASES_DEFAULT: u32 = 1000;

/// How many random cases a property gets: `GATEFOLD_CASES`, or 1000.
pub(crate) fn cases() -> u32 {
    let told = std::env::var("GATEFOLD_CASES").ok();
    told.and_then(|cases| cases.parse().ok())
        .unwrap_or(CASES_DEFAULT)
}

/// One seed for the whole run: `GATEFOLD_SEED`, or a random one.
fn seed() -> u64 {
    static SEED: OnceLock<u64> = OnceLock::new();
    *SEED.get_or_init(|| {
        let told = std::env::var("GATEFOLD_SEED").ok();
        let told = told.map(|seed| seed.parse().expect("GATEFOLD_SEED is a number"));
        told.unwrap_or_else(|| RandomState::new().build_hasher().finish())
    })
}

/// Checks a property on [`cases`] random values.
pub(crate) fn check<S>(name: &str, worlds: S, property: impl Fn(&S::Value) -> Verdict)
where
    S: Strategy,
    S::Value: Debug,
{
    check_cases(name, cases(), worlds, property);
}

/// How often a property met what it is about; a property that never does says nothing.
#[derive(Default)]
pub(crate) struct Met(Cell<u64>);

impl Met {
    pub(crate) fn once(&self) {
        self.0.set(self.0.get() + 1);
    }

    /// Prints the count, and fails if there is none though there were enough cases to meet it.
    pub(crate) fn tell(&self, what: &str) {
        self.mention(what);
        assert!(
            self.0.get() > 0 || cases() < CASES_DEFAULT,
            "no world came to: {what}"
        );
    }

    /// Prints the count of something rare.
    pub(crate) fn mention(&self, what: &str) {
        println!("  {what}: {}", self.0.get());
    }
}

/// Checks a property on that many random values; panics with the smallest counterexample.
pub(crate) fn check_cases<S>(
    name: &str,
    cases: u32,
    worlds: S,
    property: impl Fn(&S::Value) -> Verdict,
) where
    S: Strategy,
    S::Value: Debug,
{
    let seed = seed();
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..Config::default()
    };
    let mut bytes = [0_u8; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let outcome = runner.run(&worlds, |world| {
        property(&world).map_err(TestCaseError::fail)
    });
    match outcome {
        Ok(()) => println!("property {name}: {cases} cases, GATEFOLD_SEED={seed}"),
        Err(TestError::Fail(why, world)) => {
            panic!("property {name}, GATEFOLD_SEED={seed}:\n{why}\nin the world {world:#?}")
        }
        Err(TestError::Abort(why)) => panic!("property {name} was not checked: {why}"),
    }
}
