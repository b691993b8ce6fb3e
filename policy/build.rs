//! Names the sources that this crate is built from: an image of a policy is taken by the very ones
//! that wrote it, and by no other.
#![allow(
    clippy::disallowed_methods,
    reason = "what builds the crate reads its sources; the crate itself reads nothing"
)]

use std::path::{Path, PathBuf};
use std::{fs, io};

use sha2::{Digest, Sha256};

fn main() -> io::Result<()> {
    // In a checkout what they build on is there too.
    let all = ["src", "../engine/src", "../Cargo.lock"].map(Path::new);
    let mut files = Vec::new();
    for path in all.into_iter().filter(|path| path.exists()) {
        println!("cargo::rerun-if-changed={}", path.display());
        below(path, &mut files)?;
    }
    files.sort();
    let mut all = Sha256::new();
    for file in files {
        all.update(Sha256::digest(file.to_string_lossy().as_bytes()));
        all.update(Sha256::digest(fs::read(&file)?));
    }
    let digits: Vec<_> = all
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    println!(
        "cargo::rustc-env=GATEFOLD_POLICY_SOURCES={}",
        digits.concat()
    );
    Ok(())
}

/// Takes in a file, or all that are below a folder.
fn below(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        below(&entry?.path(), files)?;
    }
    Ok(())
}
