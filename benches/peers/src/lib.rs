//! Other policy engines on the benches' workload, each in the form that serves it best.
//!
//! Each is given its calls as values of its own, made before anything is timed, and tells the
//! strongest effect and the first rule that has it.
#![forbid(unsafe_code)]

mod casbin;
mod cedar;
mod rego;

pub use self::casbin::Casbin;
pub use self::cedar::Cedar;
pub use self::rego::{Form, Rego};

const ENGINES: [&str; 3] = ["cedar-policy", "regorus", "casbin"];

/// Which versions these are, as the lock has them.
pub fn versions() -> Vec<(&'static str, &'static str)> {
    let lock = include_str!("../Cargo.lock");
    let packages = lock.split("[[package]]").filter_map(|package| {
        let value = |key: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(key))?;
            line.strip_prefix(" = \"")?.strip_suffix('"')
        };
        Some((value("name")?, value("version")?))
    });
    packages
        .filter(|(name, _)| ENGINES.contains(name))
        .collect()
}
