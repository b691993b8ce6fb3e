//! The house plan: which of our crates may use which, and what the engine may use at all.

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Who may use whom, as (user, used). Arrows are transitive; nothing else is allowed, in
/// dev-dependencies and build-dependencies neither.
const ARROWS: &[(&str, &str)] = &[
    ("gatefold-policy", "gatefold"),
    ("gatefold-stores", "gatefold"),
    ("gatefold-spec", "gatefold"),
    ("gatefold-spec", "gatefold-policy"),
    ("gatefold-cli", "gatefold-policy"),
    ("gatefold-cli", "gatefold-stores"),
    ("gatefold-fuzz", "gatefold-spec"),
    ("gatefold-fuzz", "gatefold-cli"),
    ("gatefold-benches", "gatefold-spec"),
    ("gatefold-benches", "gatefold-cli"),
    ("gatefold-peers", "gatefold-benches"),
    ("gatefold-nostd-check", "gatefold"),
    ("gatefold-witnesses", "gatefold-policy"),
];

/// Manifests of ours outside the root workspace; one that does not exist yet is passed over.
const OUTSIDE: &[&str] = &[
    "engine/nostd-check",
    "policy/witnesses",
    "fuzz",
    "benches",
    "benches/peers",
];

/// Everything the engine is built from.
const ENGINE_DEPENDENCIES: &[&str] = &["hmac", "serde", "serde_json", "sha2", "thiserror"];

#[test]
fn our_crates_use_each_other_as_the_plan_says() {
    let packages = packages();
    let edges = edges(&packages);
    assert!(
        edges.contains(&edge("gatefold-cli", "gatefold")),
        "the metadata shows no edge from the program to the engine, so it shows nothing"
    );
    assert_eq!(forbidden(&edges), []);
}

#[test]
fn an_edge_outside_the_plan_is_refused() {
    for (from, to) in [
        ("gatefold", "gatefold-spec"),
        ("gatefold", "gatefold-policy"),
        ("gatefold-policy", "gatefold-cli"),
        ("gatefold-policy", "gatefold-stores"),
        ("gatefold-stores", "gatefold-policy"),
        ("gatefold-spec", "gatefold-stores"),
        ("gatefold-cli", "gatefold-spec"),
        ("gatefold-cli", "gatefold-conformance"),
        ("gatefold-conformance", "gatefold"),
        ("gatefold", "a-crate-nobody-planned"),
        ("a-crate-nobody-planned", "gatefold"),
    ] {
        let allowed = edge("gatefold-cli", "gatefold");
        assert_eq!(
            forbidden(&[allowed, edge(from, to)]),
            [edge(from, to)],
            "{from} -> {to}"
        );
    }
}

#[test]
fn arrows_are_transitive() {
    for (from, to) in [
        ("gatefold-cli", "gatefold"),
        ("gatefold-fuzz", "gatefold"),
        ("gatefold-fuzz", "gatefold-policy"),
        ("gatefold-benches", "gatefold-policy"),
    ] {
        assert_eq!(forbidden(&[edge(from, to)]), [], "{from} -> {to}");
    }
}

#[test]
fn the_engine_has_no_features() {
    assert_eq!(engine().features, BTreeMap::new());
}

#[test]
fn the_engine_is_built_from_the_chosen_crates_alone() {
    let engine = engine();
    let used: BTreeSet<_> = engine
        .dependencies
        .iter()
        .filter(|dependency| dependency.kind != DependencyKind::Development)
        .map(|dependency| dependency.name.as_str())
        .collect();
    assert_eq!(used, ENGINE_DEPENDENCIES.iter().copied().collect());
}

#[test]
fn the_engine_asks_no_dependency_for_std() {
    let engine = engine();
    let asking: Vec<_> = engine
        .dependencies
        .iter()
        .filter(|dependency| dependency.kind != DependencyKind::Development)
        .filter(|dependency| asks_for_std(dependency.uses_default_features, &dependency.features))
        .map(|dependency| dependency.name.as_str())
        .collect();
    assert_eq!(asking, [""; 0]);
}

#[test]
fn default_features_and_std_both_ask_for_std() {
    assert!(asks_for_std(true, &[]));
    assert!(asks_for_std(false, &["alloc".into(), "std".into()]));
    assert!(!asks_for_std(false, &["alloc".into()]));
}

/// Who uses whom, as (user, used).
type Edge = (String, String);

fn edge(from: &str, to: &str) -> Edge {
    (from.to_owned(), to.to_owned())
}

/// The edges that the plan does not allow.
fn forbidden(edges: &[Edge]) -> Vec<Edge> {
    edges
        .iter()
        .filter(|(from, to)| !may_use(from, to))
        .cloned()
        .collect()
}

fn may_use(from: &str, to: &str) -> bool {
    ARROWS
        .iter()
        .filter(|(user, _)| *user == from)
        .any(|(_, used)| *used == to || may_use(used, to))
}

fn asks_for_std(default_features: bool, features: &[String]) -> bool {
    default_features || features.iter().any(|feature| feature == "std")
}

/// The edges between our own crates: a path says that a crate is ours, and so does its name. A crate
/// whose tests switch on a feature of its own leads nowhere.
fn edges(packages: &[Package]) -> Vec<Edge> {
    packages
        .iter()
        .flat_map(|from| from.dependencies.iter().map(move |to| (from, to)))
        .filter(|(_, to)| to.path.is_some() || to.name.starts_with("gatefold"))
        .filter(|(from, to)| *from.name != to.name)
        .map(|(from, to)| edge(&from.name, &to.name))
        .collect()
}

fn engine() -> Package {
    packages()
        .into_iter()
        .find(|package| package.name.as_str() == "gatefold")
        .expect("the workspace has the engine")
}

/// Every package of ours, in the root workspace and outside it.
fn packages() -> Vec<Package> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut packages = metadata(&root).packages;
    for folder in OUTSIDE {
        let folder = root.join(folder);
        if folder.join("Cargo.toml").exists() {
            packages.extend(metadata(&folder).packages);
        }
    }
    packages
}

fn metadata(folder: &Path) -> Metadata {
    MetadataCommand::new()
        .cargo_path(env!("CARGO"))
        .manifest_path(folder.join("Cargo.toml"))
        .no_deps()
        .exec()
        .unwrap_or_else(|error| panic!("cargo metadata for {}: {error}", folder.display()))
}
