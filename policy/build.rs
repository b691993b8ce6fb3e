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
    println!("cargo::rerun-if-changed=src");
    let mut files = Vec::new();
    below(Path::new("src"), &mut files)?;
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

fn below(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            below(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
