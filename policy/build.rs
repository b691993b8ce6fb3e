//! Names the sources that this crate is built from: an image of a policy is taken by the very ones
//! that wrote it, and by no other.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src");
    let mut files = Vec::new();
    below(Path::new("src"), &mut files)?;
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        fs::read(&file)?.hash(&mut hasher);
        file.to_string_lossy().hash(&mut hasher);
    }
    println!(
        "cargo::rustc-env=GATEFOLD_POLICY_SOURCES={:016x}",
        hasher.finish()
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
