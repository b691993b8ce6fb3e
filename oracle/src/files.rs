//! Opening files of others: nothing that makes its reader wait.

use std::fs::File;
use std::io;
use std::path::Path;

/// A file, opened, and how long it is. What is none is refused, such as a pipe that nobody writes to; so
/// is one that its owner keeps from others for now.
pub(crate) fn open(path: &Path) -> io::Result<(File, u64)> {
    let file = opened(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() {
        Ok((file, metadata.len()))
    } else {
        Err(io::Error::other("it is not a file"))
    }
}

/// At once, or not: opening waits for the other end of a pipe, and for the owner of a lease.
#[cfg(unix)]
fn opened(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}

#[cfg(not(unix))]
fn opened(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Whether nobody but its owner may read or write a file. Where a system says that in other ways, it is
/// not looked at.
#[cfg(unix)]
pub(crate) fn is_private(file: &File) -> io::Result<bool> {
    use rustix::fs::Mode;
    let mode = Mode::from_raw_mode(rustix::fs::fstat(file)?.st_mode);
    Ok(!mode.intersects(Mode::RWXG | Mode::RWXO))
}

#[cfg(not(unix))]
#[allow(
    clippy::unnecessary_wraps,
    reason = "it is asked in the same way as elsewhere"
)]
pub(crate) fn is_private(_: &File) -> io::Result<bool> {
    Ok(true)
}

/// Whether both are the same file, under whatever names.
#[cfg(unix)]
pub(crate) fn are_one(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let of = |path: &Path| path.metadata().map(|file| (file.dev(), file.ino())).ok();
    one == other || of(one).is_some_and(|file| Some(file) == of(other))
}

#[cfg(not(unix))]
pub(crate) fn are_one(one: &Path, other: &Path) -> bool {
    let of = |path: &Path| path.canonicalize().ok();
    one == other || of(one).is_some_and(|file| Some(file) == of(other))
}

/// Whether this process may write a file of that many bytes; one that writes more is ended.
#[cfg(unix)]
pub(crate) fn may_write(bytes: usize) -> bool {
    use rustix::process::{Resource, getrlimit};
    let most = getrlimit(Resource::Fsize).current;
    most.is_none_or(|most| u64::try_from(bytes).is_ok_and(|bytes| bytes <= most))
}

#[cfg(not(unix))]
pub(crate) const fn may_write(_: usize) -> bool {
    true
}
