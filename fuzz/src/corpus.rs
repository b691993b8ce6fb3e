//! Corpora as they are kept: one archive a target, the same bytes from the same inputs.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use flate2::{Compression, GzBuilder};
use gatefold::gate::Digest;

/// Inputs by their names.
pub type Inputs = BTreeMap<String, Vec<u8>>;

/// Characters of a name.
const NAME: usize = 16;

/// Where the corpus of a target is kept.
pub fn archive(target: &str) -> PathBuf {
    folder("corpora").join(format!("{target}.tar.gz"))
}

/// A folder of this workspace.
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The name of an input: the beginning of the digest of its bytes.
pub fn name(input: &[u8]) -> String {
    let digest = Digest::of(input).to_string();
    let digits = digest.rsplit(':').next().unwrap_or_default();
    digits.chars().take(NAME).collect()
}

/// Inputs, each under its name; one that stands twice is one.
pub fn named(inputs: impl IntoIterator<Item = Vec<u8>>) -> Inputs {
    inputs
        .into_iter()
        .map(|input| (name(&input), input))
        .collect()
}

/// The archive of these inputs: without owners, times and whatever else differs from machine to
/// machine.
///
/// # Errors
/// None: it is written to memory.
pub fn pack(inputs: &Inputs) -> io::Result<Vec<u8>> {
    let packed = GzBuilder::new()
        .mtime(0)
        .write(Vec::new(), Compression::best());
    let mut archive = tar::Builder::new(packed);
    for (name, input) in inputs {
        let mut header = tar::Header::new_ustar();
        header.set_size(input.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(0);
        archive.append_data(&mut header, name, input.as_slice())?;
    }
    archive.into_inner()?.finish()
}

/// The inputs of an archive.
///
/// # Errors
/// If it is no such archive.
pub fn unpack(packed: &[u8]) -> io::Result<Inputs> {
    let mut inputs = Inputs::new();
    for entry in tar::Archive::new(GzDecoder::new(packed)).entries()? {
        let mut entry = entry?;
        let name = entry.path()?.display().to_string();
        let mut input = Vec::new();
        entry.read_to_end(&mut input)?;
        inputs.insert(name, input);
    }
    Ok(inputs)
}

/// The inputs of a target's archive.
///
/// # Errors
/// If there is none, or it cannot be read.
pub fn of(target: &str) -> io::Result<Inputs> {
    let mut packed = Vec::new();
    File::open(archive(target))?.read_to_end(&mut packed)?;
    unpack(&packed)
}

/// The files of a folder, subfolders aside.
///
/// # Errors
/// If it cannot be read.
pub fn files(folder: &Path) -> io::Result<Vec<(PathBuf, Vec<u8>)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_file() {
            let bytes = fs::read(&path)?;
            files.push((path, bytes));
        }
    }
    files.sort();
    Ok(files)
}
