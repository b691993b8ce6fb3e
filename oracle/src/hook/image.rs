//! The image of a policy on a disk: a cache of its documents, and nothing that decides. Where anything
//! about it is in doubt, the documents are loaded, and the image is written anew.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Mutex;

use gatefold::gate::{SealError, SealKey};
use gatefold_policy::{Image, ImageError, Policy, Stored};
use thiserror::Error;

use crate::documents::Documents;

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
    /// Draw another.
    #[error("the key {} is no key: {error}", path.display())]
    BadKey { path: PathBuf, error: SealError },
    /// It is written anew.
    #[error("{0}")]
    NotTaken(ImageError),
    /// Name a file in a folder that the hook may write to.
    #[error("{} cannot be written: {error}", path.display())]
    NotWritten { path: PathBuf, error: io::Error },
}

impl ImagePaths {
    /// The key.
    pub(super) fn key(&self) -> Result<SealKey, ImageFault> {
        let path = || self.key.clone();
        let bytes = read_key(&self.key).map_err(|error| ImageFault::UnreadableKey {
            path: path(),
            error,
        })?;
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
        let Some(stored) = on_disk(&self.image) else {
            return Ok(None);
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
        let mut name = self.image.clone().into_os_string();
        name.push(format!(".{}", process::id()));
        let beside = PathBuf::from(name);
        let written = create(&beside).and_then(|mut file| {
            let written = file.write_all(&bytes);
            drop(file);
            let written = written.and_then(|()| fs::rename(&beside, &self.image));
            if written.is_err() {
                // What is left of it is nobody's.
                let _ = fs::remove_file(&beside);
            }
            written
        });
        written.map_err(|error| ImageFault::NotWritten {
            path: self.image.clone(),
            error,
        })
    }
}

/// The file of an image; none if there is none. What is no file, such as a pipe that nobody writes
/// to, is none.
fn on_disk(path: &Path) -> Option<OnDisk> {
    let metadata = path.metadata().ok().filter(Metadata::is_file)?;
    let file = Mutex::new(File::open(path).ok()?);
    let length = metadata.len();
    Some(OnDisk { file, length })
}

fn read_key(path: &Path) -> io::Result<Vec<u8>> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?
        .take(KEY_BYTES_MAX)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
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
        let mut bytes = vec![0; count];
        let mut file = self.file.lock().ok()?;
        file.seek(SeekFrom::Start(from)).ok()?;
        file.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }
}
