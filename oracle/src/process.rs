//! What every command shares as a process: exit codes, and the two streams that it writes to.

#[cfg(unix)]
use std::fs::{File, Metadata};
use std::io::{self, Write};

use gatefold::gate::Text;

use crate::terminal;

/// The input cannot be used. Hosts that run a command as a hook take it as a block.
pub(crate) const EXIT_BAD_INPUT: u8 = 2;
/// The engine or this program is at fault.
pub(crate) const EXIT_DEFECT: u8 = 70;
/// Standard input or output failed.
pub(crate) const EXIT_IO: u8 = 74;

/// Writes to the descriptor itself: the standard library's handle takes one that was opened for
/// reading only as written to, and the decision would be lost without a word.
///
/// A standard output that was closed at the start is `/dev/null` by the time this program runs, and
/// cannot be told from one. Nobody reads a decision there: with `refuse_null`, that is an error.
pub(crate) fn write(text: &str, refuse_null: Option<&'static str>) -> io::Result<()> {
    let mut stdout = stdout()?;
    if let Some(why) = refuse_null.filter(|_| is_null(&stdout)) {
        return Err(io::Error::other(why));
    }
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

#[cfg(unix)]
fn stdout() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

#[cfg(unix)]
fn is_null(file: &File) -> bool {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let is_same = |file: &Metadata| {
        let null = std::fs::metadata("/dev/null");
        null.is_ok_and(|null| file.rdev() == null.rdev())
    };
    let file = file.metadata();
    file.is_ok_and(|file| file.file_type().is_char_device() && is_same(&file))
}

#[cfg(not(unix))]
fn stdout() -> io::Result<io::Stdout> {
    Ok(io::stdout())
}

#[cfg(not(unix))]
const fn is_null(_: &io::Stdout) -> bool {
    false
}

/// Says one line on standard error. If that is gone too, the exit code still tells.
pub(crate) fn say(sentence: &str) {
    let line = format!("gatefold: {}\n", on_one_line(sentence));
    let _ = io::stderr().write_all(line.as_bytes());
}

/// A sentence that stays one line on any terminal, whatever the input put into it.
pub(crate) fn on_one_line(sentence: &str) -> String {
    terminal::harmless(Text::new(sentence).as_str())
}
