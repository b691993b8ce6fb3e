//! Corpora in and out of their archives:
//!
//! ```text
//! cargo run --manifest-path fuzz/Cargo.toml --example corpus -- unpack TARGET FOLDER
//! cargo run --manifest-path fuzz/Cargo.toml --example corpus -- seeds TARGET FOLDER
//! cargo run --manifest-path fuzz/Cargo.toml --example corpus -- pack TARGET FOLDER
//! cargo run --manifest-path fuzz/Cargo.toml --example corpus -- longest TARGET
//! ```
//!
//! `unpack` writes the kept inputs of a target into a folder, `seeds` those that it began with, and
//! `pack` keeps what is in the folder, no longer than the target takes. `longest` says how long that is.

use std::fs;
use std::io;
use std::path::Path;

use gatefold_fuzz::corpus::{self, Inputs};
use gatefold_fuzz::{find, seeds};

const USAGE: &str = "usage: unpack|seeds|pack TARGET FOLDER, or longest TARGET";

fn main() -> io::Result<()> {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let args: Vec<_> = args.iter().map(String::as_str).collect();
    let [deed, name, rest @ ..] = args.as_slice() else {
        return Err(io::Error::other(USAGE));
    };
    let target = find(name).ok_or_else(|| io::Error::other("there is no such target"))?;
    match (*deed, rest) {
        ("longest", []) => println!("{}", target.max_len),
        ("unpack", [folder]) => {
            let kept = corpus::archive(target.name).exists();
            let inputs = if kept {
                corpus::of(target.name)?
            } else {
                Inputs::new()
            };
            write(&inputs, Path::new(folder))?;
        }
        ("seeds", [folder]) => write(&corpus::named(seeds::of(&target)), Path::new(folder))?,
        ("pack", [folder]) => {
            let files = corpus::files(Path::new(folder))?.into_iter();
            let inputs = files.map(|(_, bytes)| bytes);
            let kept = corpus::named(inputs.filter(|input| input.len() <= target.max_len));
            fs::write(corpus::archive(target.name), corpus::pack(&kept)?)?;
            println!("{} inputs", kept.len());
        }
        _ => return Err(io::Error::other(USAGE)),
    }
    Ok(())
}

fn write(inputs: &Inputs, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (name, input) in inputs {
        fs::write(folder.join(name), input)?;
    }
    println!("{} inputs", inputs.len());
    Ok(())
}
