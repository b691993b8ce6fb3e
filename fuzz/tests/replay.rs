//! Every kept input once more, on any toolchain.
#![allow(missing_docs, reason = "a test says what it is by its name")]

use std::collections::BTreeSet;
use std::fmt::Arguments;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use gatefold_fuzz::{CANARY, TARGETS, Target, corpus, find, seeds, shown};

#[test]
fn every_input_of_every_corpus_holds() {
    let mut failed = Vec::new();
    for target in TARGETS {
        let began = Instant::now();
        let inputs = corpus::of(target.name).expect("it has a corpus");
        let kinds = run(target, inputs.values(), &mut failed);
        let (inputs, kinds) = (inputs.len(), kinds.len());
        println!(
            "{}: {inputs} inputs, {kinds} kinds, {:.1?}",
            target.name,
            began.elapsed()
        );
        assert!(
            inputs > 0,
            "{}: a corpus without inputs shows nothing",
            target.name
        );
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn every_seed_holds() {
    let mut failed = Vec::new();
    for target in TARGETS {
        let seeds = seeds::of(target);
        assert!(seeds.len() > 50, "{}: {} seeds", target.name, seeds.len());
        run(target, &seeds, &mut failed);
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn what_was_found_once_holds() {
    let mut failed = Vec::new();
    let mut count = 0;
    for entry in fs::read_dir(corpus::folder("regressions")).expect("there is a folder of them") {
        let folder = entry.expect("an entry").path();
        let Some(name) = folder.file_name().filter(|_| folder.is_dir()) else {
            continue;
        };
        let target = find(&name.to_string_lossy()).expect("a folder is named after a target");
        let files = corpus::files(&folder).expect("it can be read");
        let inputs: Vec<_> = files.into_iter().map(|(_, bytes)| bytes).collect();
        count += inputs.len();
        run(&target, &inputs, &mut failed);
    }
    println!("{count} inputs that once failed");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn the_canary_crashes_and_only_where_it_must() {
    let crashes = |data: &[u8]| catch_unwind(|| (CANARY.body)(data, &mut |_| {})).is_err();
    assert!(crashes(b"gatefold"));
    assert!(!crashes(b"") && !crashes(b"fold"));
}

#[test]
fn an_archive_holds_what_was_packed_and_is_always_the_same() {
    let inputs = corpus::named([b"a".to_vec(), Vec::new(), b"a".to_vec(), vec![0; 2_000]]);
    assert_eq!(inputs.len(), 3);
    let packed = corpus::pack(&inputs).expect("it can be packed");
    assert_eq!(corpus::unpack(&packed).expect("it can be unpacked"), inputs);
    assert_eq!(corpus::pack(&inputs).expect("it can be packed"), packed);
}

/// Runs a target on inputs: the kinds that it came across. What fails is kept, in words.
fn run<'a>(
    target: &Target,
    inputs: impl IntoIterator<Item = &'a Vec<u8>>,
    failed: &mut Vec<String>,
) -> BTreeSet<String> {
    let mut kinds = BTreeSet::new();
    for input in inputs {
        let mut see = |kind: Arguments<'_>| {
            kinds.insert(kind.to_string());
        };
        let ran = catch_unwind(AssertUnwindSafe(|| (target.body)(input, &mut see)));
        if let Err(panic) = ran {
            let said = panic.downcast_ref::<String>().cloned().unwrap_or_default();
            failed.push(format!(
                "{}: {}: {said}",
                target.name,
                shown(target.name, input)
            ));
        }
    }
    kinds
}
