//! What a hook judges by: the policy of its documents, or an image of that.

use std::cell::RefCell;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

use gatefold::gate::SealKey;
use gatefold_policy::{Loaded, Policy};

use super::PLATFORM;
use super::error::HookError;
use super::image::ImagePaths;
use crate::documents::{Documents, Paths};
use crate::files;
use crate::process::say;

/// What a policy is had from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    /// An image of the documents, if there is one and it counts.
    Image,
    /// The documents, whatever images there are.
    Documents,
}

/// The documents, and where an image of them is kept.
#[derive(Debug)]
pub(super) struct Policies<'a> {
    documents: &'a Paths,
    image: Option<&'a ImagePaths>,
    /// What is to be kept for the next call, with what it was warned of.
    new: RefCell<Option<(Policy, SealKey, String)>>,
}

impl<'a> Policies<'a> {
    pub(super) const fn new(documents: &'a Paths, image: Option<&'a ImagePaths>) -> Self {
        Self {
            documents,
            image,
            new: RefCell::new(None),
        }
    }

    /// The policy of these documents. What they are warned of goes to standard error alone; what is
    /// only worth a second look, `lint` tells.
    ///
    /// The host runs its hooks where the agent stands, and an agent may go where it has written a
    /// document of its own: so a relative path is refused.
    pub(super) fn load(&self, from: From) -> Result<Policy, HookError> {
        let mut all = self.documents.all().map(|(path, _)| path);
        if let Some(path) = all.find(|path| path.is_relative()) {
            let path = path.clone();
            return Err(HookError::RelativePolicy { path });
        }
        // A pipe that nobody writes to would let the host's time run out.
        let mut all = self.documents.all().map(|(path, _)| path);
        if let Some(path) = all.find(|path| !is_file(path)) {
            let path = path.clone();
            return Err(HookError::NoFile { path });
        }
        let Some(image) = self.image else {
            return loaded(&Documents::read(self.documents)?).map(|loaded| loaded.policy);
        };
        self.are_apart(image)?;
        let documents = Documents::read(self.documents)?;
        let mut policy = self.by_image(image, &documents, from)?;
        // Who writes these decides as who writes the documents.
        for path in [&image.image, &image.key] {
            if let Some(path) = path.to_str() {
                policy.protect(path);
            }
        }
        Ok(policy)
    }

    /// An image takes the place of no document and of no key, and no document is a key.
    fn are_apart(&self, image: &ImagePaths) -> Result<(), HookError> {
        let documents = self.documents.all().map(|(path, _)| path);
        let mut others = documents.flat_map(|path| [(path, &image.image), (path, &image.key)]);
        let own = (&image.image, &image.key);
        let both = others.find(|(one, other)| files::are_one(one, other));
        let both = both.or_else(|| files::are_one(own.0, own.1).then_some(own));
        both.map_or(Ok(()), |(path, _)| {
            let path = path.clone();
            Err(HookError::OneFile { path })
        })
    }

    fn by_image(
        &self,
        image: &ImagePaths,
        documents: &Documents,
        from: From,
    ) -> Result<Policy, HookError> {
        let key = image.key();
        match (&key, from) {
            (Ok(key), From::Image) => match image.open(documents, key) {
                Ok(Some(opened)) => {
                    let _ = io::stderr().write_all(opened.notes.as_bytes());
                    return Ok(opened.policy);
                }
                Ok(None) => {}
                Err(fault) => say_of_image(&fault),
            },
            (Ok(_), From::Documents) => say_of_image(&"a part of it is not as it was sealed"),
            (Err(fault), _) => say_of_image(fault),
        }
        let Loaded { policy, warnings } = loaded(documents)?;
        if let Ok(key) = key {
            let notes = documents.noted(&warnings);
            self.new.replace(Some((policy.clone(), key, notes)));
        }
        Ok(policy)
    }

    /// Keeps an image for the next call, if there was none that counts.
    pub(super) fn keep(&self) {
        let new = self.new.take();
        if let (Some(image), Some((policy, key, notes))) = (self.image, new)
            && let Err(fault) = image.write(&policy, &key, &notes)
        {
            say(&format!("no image is kept for the next call: {fault}"));
        }
    }
}

/// The policy of documents; what they are warned of is shown.
fn loaded(documents: &Documents) -> Result<Loaded, HookError> {
    let loaded = documents.load_for_a_call(PLATFORM)?;
    documents.show(&loaded.warnings);
    Ok(loaded)
}

/// Says that the documents decide, and why not their image.
fn say_of_image(fault: &dyn Display) {
    say(&format!(
        "the policy is that of its documents, not of its image: {fault}"
    ));
}

/// Whether this is a file, or nothing: of that, reading it tells.
fn is_file(path: &Path) -> bool {
    path.metadata().map_or(true, |metadata| metadata.is_file())
}
