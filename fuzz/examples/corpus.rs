//! Corpora in and out of their archives:
//!
//! ```text
//! cargo run --manifest-path fuzz/Cargo.toml --example corpus -- unpack TARGET FOLDER
//! cargo run --manifest-path fuzz/Cargo.toml --example corpus -- seeds TARGET FOLDER
//! cargo run --manifest-path fuzz/Cargo.toml --example corpus -- pack TARGET FOLDER
//! ```
//!
//! `unpack` writes the kept inputs of a target into a folder, `seeds` those that it began with, and
//! `pack` keeps what is in the folder, no longer than the target takes.

use std::fs;
use std::io;
use std::path::Path;

use gatefold_fuzz::{corpus, find, seeds};

fn main() -> io::Result<()> {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let [deed, target, folder] = args.as_slice() else {
        return Err(io::Error::other("usage: unpack|seeds|pack TARGET FOLDER"));
    };
    let target = find(target).ok_or_else(|| io::Error::other("there is no such target"))?;
    let folder = Path::new(folder);
    let inputs = match deed.as_str() {
        "unpack" if corpus::archive(target.name).exists() => corpus::of(target.name)?,
        "unpack" => corpus::Inputs::new(),
        "seeds" => corpus::named(seeds::of(&target)),
        "pack" => {
            let files = corpus::files(folder)?.into_iter().map(|(_, bytes)| bytes);
            let kept = corpus::named(files.filter(|bytes| bytes.len() <= target.max_len));
            println!("{} inputs", kept.len());
            return fs::write(corpus::archive(target.name), corpus::pack(&kept)?);
        }
        _ => return Err(io::Error::other("usage: unpack|seeds|pack TARGET FOLDER")),
    };
    fs::create_dir_all(folder)?;
    for (name, input) in &inputs {
        fs::write(folder.join(name), input)?;
    }
    println!("{} inputs", inputs.len());
    Ok(())
}
