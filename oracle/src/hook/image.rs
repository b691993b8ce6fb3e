//! The image of a policy on a disk: a cache of its documents, and nothing that decides. Where anything
//! about it is in doubt, the documents are loaded, and the image is written anew.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Mutex;

use gatefold::gate::{SealError, SealKey};
use gatefold_policy::{Image, ImageError, Policy, Stored};
use thiserror::Error;

use crate::documents::Documents;
use crate::files;

/// A key, in bytes (64 KiB): what is read of its file.
const KEY_BYTES_MAX: u64 = 64 << 10;

/// Where the image is, and the key that seals it.
#[derive(Clone, Debug)]
pub(crate) struct ImagePaths {
    pub(crate) image: PathBuf,
    pub(crate) key: PathBuf,
}

/// Why an image does not count, or is not written. No call hangs on it.
#[derive(Debug, Error)]
pub(super) enum ImageFault {
    /// Draw a key of at least 32 bytes, and keep it where no agent reads it.
    #[error("the key {} cannot be read: {error}", path.display())]
    UnreadableKey { path: PathBuf, error: io::Error },
    /// Draw another: who has read this one may seal an image of their own.
    #[error("the key {} may be read or written by others: draw another, for its owner alone (`chmod 600`)", path.display())]
    OpenKey { path: PathBuf },
    /// Draw another.
    #[error("the key {} is no key: {error}", path.display())]
    BadKey { path: PathBuf, error: SealError },
    /// Name a file that the hook may read and write.
    #[error("the image {} cannot be read: {error}", path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    /// It is written anew, unless it is no image.
    #[error("{0}")]
    NotTaken(ImageError),
    /// Name a file in a folder that the hook may write to, one for each set of documents.
    #[error("the image {} cannot be written: {error}", path.display())]
    NotWritten { path: PathBuf, error: io::Error },
}

/// What every image has behind the length of its head.
const BEGINS: &[u8] = b"gatefold/image/";
/// Where that stands.
const BEGINS_AT: u64 = 8;

impl ImagePaths {
    /// The key.
    pub(super) fn key(&self) -> Result<SealKey, ImageFault> {
        let path = || self.key.clone();
        let read = read_key(&self.key).map_err(|error| ImageFault::UnreadableKey {
            path: path(),
            error,
        })?;
        let bytes = read.ok_or_else(|| ImageFault::OpenKey { path: path() })?;
        SealKey::new(&bytes).map_err(|error| ImageFault::BadKey {
            path: path(),
            error,
        })
    }

    /// The image of these documents; none if there is none yet.
    pub(super) fn open(
        &self,
        documents: &Documents,
        key: &SealKey,
    ) -> Result<Option<Image>, ImageFault> {
        let stored = match files::open(&self.image) {
            Ok((file, length)) => OnDisk {
                file: Mutex::new(file),
                length,
            },
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                let path = self.image.clone();
                return Err(ImageFault::Unreadable { path, error });
            }
        };
        let image = Image::open(&documents.sources(), super::PLATFORM, key, stored);
        image.map(Some).map_err(ImageFault::NotTaken)
    }

    /// Writes an image in place of the one that is there, all of it or nothing.
    pub(super) fn write(
        &self,
        policy: &Policy,
        key: &SealKey,
        notes: &str,
    ) -> Result<(), ImageFault> {
        let bytes = Image::write(policy, key, notes).map_err(ImageFault::NotTaken)?;
        let written = self.may_be_replaced().and_then(|()| self.replace(&bytes));
        written.map_err(|error| ImageFault::NotWritten {
            path: self.image.clone(),
            error,
        })
    }

    /// Nothing is overwritten that is no image.
    fn may_be_replaced(&self) -> io::Result<()> {
        let is_file = match self.image.symlink_metadata() {
            Ok(metadata) => metadata.is_file(),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        let begins = || {
            let (file, length) = files::open(&self.image).ok()?;
            let file = Mutex::new(file);
            OnDisk { file, length }.bytes(BEGINS_AT, BEGINS.len())
        };
        if is_file && begins().is_some_and(|begins| begins == BEGINS) {
            Ok(())
        } else {
            let what = "what is there is no image; name another file, or take it away";
            Err(io::Error::other(what))
        }
    }

    fn replace(&self, bytes: &[u8]) -> io::Result<()> {
        if !files::may_write(bytes.len()) {
            return Err(io::Error::other("this process may write no file so large"));
        }
        let mut name = self.image.clone().into_os_string();
        name.push(format!(".{}", process::id()));
        let beside = PathBuf::from(name);
        let mut file = create(&beside)?;
        let written = file.write_all(bytes);
        drop(file);
        let written = written.and_then(|()| fs::rename(&beside, &self.image));
        if written.is_err() {
            // What is left of it is nobody's.
            let _ = fs::remove_file(&beside);
        }
        written
    }
}

/// The bytes of a key; none if it is not its owner's alone.
fn read_key(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let (file, _) = files::open(path)?;
    if !files::is_private(&file)? {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.take(KEY_BYTES_MAX).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// A new file that only its owner reads.
fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}

/// An image in a file, and how long that is.
#[derive(Debug)]
struct OnDisk {
    file: Mutex<File>,
    length: u64,
}

impl Stored for OnDisk {
    fn bytes(&self, from: u64, count: usize) -> Option<Vec<u8>> {
        let end = from.checked_add(u64::try_from(count).ok()?)?;
        // What is not there takes no room.
        if end > self.length {
            return None;
        }
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(count).ok()?;
        bytes.resize(count, 0);
        let mut file = self.file.lock().ok()?;
        file.seek(SeekFrom::Start(from)).ok()?;
        file.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }
}
