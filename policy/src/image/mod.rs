//! Images: a loaded policy in bytes, from which a call reads only what bears on it.
//!
//! An image is a cache of documents, and worth nothing without them: it is taken only beside the very
//! bytes that it was made of, on the same system, by the sources that wrote it (this crate's, and in a
//! checkout the engine's and the versions of all dependencies), and under the host's seal. Its head is
//! sealed and holds the digests of all pieces behind it; each piece is held to its own when it is read.
//! Rules lie in it as they are written and are read as documents' rules are.
//!
//! The length of the head in eight bytes, the lowest first; the head, a sealed value of kind `image`;
//! the pieces.

mod head;
mod rules;
mod store;
mod tree;

use std::sync::Arc;

use gatefold::gate::{Digest, SealError, SealKey};

use crate::document::{Source, Trust};
use crate::paths::{PathPattern, Protected};
use crate::policy::{Limits, Policy};
use crate::tools::{Platform, Tools};
use head::{DocumentHead, Head, Of, SetHead, SettingsHead, ToolHead};
use rules::Context;
use store::{Store, Writer, digits};
use tree::Words;

pub(crate) use rules::SealedRules;
pub use store::Stored;
pub(crate) use tree::SealedTree;

/// The form of images.
const SCHEMA: u32 = 1;
/// What a head takes beside its documents, in bytes (1 MiB).
const HEAD_BYTES_MAX: u64 = 1 << 20;
/// What it takes for each byte of them.
const HEAD_BYTES_OF_ONE: u64 = 8;
/// The length of the head stands in that many bytes.
const LENGTH_BYTES: usize = 8;

/// The sources that write and take images.
fn written_by() -> String {
    let (major, minor, update) = unicode_normalization::UNICODE_VERSION;
    format!(
        "{} {} unicode {major}.{minor}.{update}",
        env!("CARGO_PKG_VERSION"),
        env!("GATEFOLD_POLICY_SOURCES"),
    )
}

/// Why there is no image, or none that counts. Whatever it is, the documents decide: load them, and
/// write an image anew.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// There is none, or it was cut short.
    #[error("no image can be read")]
    Unreadable,
    /// It is no image, is of another form, was changed, or was sealed with another key.
    #[error("{0}")]
    Sealed(#[from] SealError),
    /// It was made by another version of this library, for another system, or of other documents than
    /// those that are there.
    #[error("the image is of {of}")]
    Stale {
        /// What it is of.
        of: &'static str,
    },
    /// Report a bug: the seal holds, and it cannot be read all the same.
    #[error("the seal holds, but the image is not one of a policy")]
    Malformed,
    /// Split the documents; if it lies in an image itself, use that; declare tools before the rules
    /// about them are read, as documents do.
    #[error(
        "this policy cannot be written as an image: it is too large, lies in one itself, or has rules \
         about tools that were declared after them"
    )]
    Unwritable,
}

impl ImageError {
    /// The stable word of this error.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unreadable => "image_unreadable",
            Self::Sealed(error) => error.code(),
            Self::Stale { .. } => "image_stale",
            Self::Malformed => "image_malformed",
            Self::Unwritable => "image_unwritable",
        }
    }
}

/// A policy that lies in an image.
#[derive(Clone, Debug)]
pub struct Image {
    /// The policy. It decides as the one that the image was made of.
    pub policy: Policy,
    /// What whoever made the image noted, such as what the documents are warned of.
    pub notes: String,
}

impl Image {
    /// The bytes of an image of this policy, sealed by the host's key, with a note for whoever opens
    /// it.
    ///
    /// # Errors
    /// [`ImageError::Unwritable`], and [`ImageError::Sealed`].
    pub fn write(policy: &Policy, key: &SealKey, notes: &str) -> Result<Vec<u8>, ImageError> {
        let mut writer = Writer::default();
        let sets = sets(policy, &mut writer).ok_or(ImageError::Unwritable)?;
        let pieces = writer.finish();
        let head = Head {
            sources: written_by(),
            platform: policy.platform.word().into(),
            documents: policy.documents().map(DocumentHead::of).collect(),
            settings: settings(policy),
            sets,
            notes: notes.into(),
            pieces: lengths(&pieces).ok_or(ImageError::Unwritable)?,
            digests: pieces.iter().map(|piece| digits(piece)).collect(),
        };
        let head = key.seal_image(SCHEMA, &head)?;
        let length = u64::try_from(head.len()).map_err(|_| ImageError::Unwritable)?;
        let mut image = length.to_le_bytes().to_vec();
        image.extend(head.as_bytes());
        image.extend(pieces.concat());
        Ok(image)
    }

    /// Opens the image of these documents, which [`Policy::load`] would load for this system. Of its
    /// rules nothing is read yet; where a part of it turns out to be other than it was sealed,
    /// [`Policy::is_in_doubt`] says so, and whatever its rules would say is a deny from then on.
    ///
    /// # Errors
    /// [`ImageError`]: load the documents.
    ///
    /// ```
    /// use gatefold::gate::SealKey;
    /// use gatefold_policy::{Image, Platform, Policy, Source};
    ///
    /// let key = SealKey::new(&[7; 32])?; // drawn by the host, and kept where no agent reads it
    /// let text = "schema = 'gatefold/policy/v1'\n[rules.user]\ndeny = ['Bash(rm *)']\n";
    /// let sources = [Source::host("gatefold.toml", text.as_bytes())];
    /// let loaded = Policy::load(&sources, Platform::Linux)?;
    /// let image = Image::write(&loaded.policy, &key, "")?;
    ///
    /// let opened = Image::open(&sources, Platform::Linux, &key, image.clone())?;
    /// assert_eq!(opened.policy.digest(), loaded.policy.digest());
    ///
    /// let other = [Source::host("gatefold.toml", b"schema = 'gatefold/policy/v1'")];
    /// let stale = Image::open(&other, Platform::Linux, &key, image).unwrap_err();
    /// assert_eq!(stale.code(), "image_stale");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(
        sources: &[Source<'_>],
        platform: Platform,
        key: &SealKey,
        stored: impl Stored + 'static,
    ) -> Result<Self, ImageError> {
        let bytes = sources.iter().map(|source| source.bytes.len());
        let bytes = u64::try_from(bytes.sum::<usize>()).unwrap_or(u64::MAX);
        let (head, begin) = read_head(&stored, key, bytes)?;
        let of = |of| Err(ImageError::Stale { of });
        if head.sources != written_by() {
            return of("another version of this library");
        }
        if head.platform != platform.word() {
            return of("another system");
        }
        let documents = sources.iter().map(|source| {
            let digest = Digest::of(source.bytes);
            DocumentHead::of((source.name, digest, source.trust))
        });
        if !documents.eq(head.documents.iter().cloned()) {
            return of("other documents");
        }
        let notes = head.notes.clone();
        let policy = opened(head, begin, platform, Arc::new(stored));
        let policy = policy.ok_or(ImageError::Malformed)?;
        Ok(Self { policy, notes })
    }
}

/// The head of an image of documents of so many bytes, and where its pieces begin.
fn read_head(
    stored: &impl Stored,
    key: &SealKey,
    documents: u64,
) -> Result<(Head, u64), ImageError> {
    let length = stored.bytes(0, LENGTH_BYTES);
    let length = length.and_then(|bytes| <[u8; LENGTH_BYTES]>::try_from(bytes).ok());
    let length = u64::from_le_bytes(length.ok_or(ImageError::Unreadable)?);
    let begins = u64::try_from(LENGTH_BYTES).unwrap_or_default();
    // Nobody has vouched for it yet.
    let most = documents.saturating_mul(HEAD_BYTES_OF_ONE);
    let is_bounded = length <= most.saturating_add(HEAD_BYTES_MAX);
    let count = usize::try_from(length).ok().filter(|_| is_bounded);
    let text = count.and_then(|count| stored.bytes(begins, count));
    let text = String::from_utf8(text.ok_or(ImageError::Unreadable)?);
    let head = key.open_image(SCHEMA, &text.map_err(|_| SealError::NotSealed)?)?;
    Ok((head, begins.saturating_add(length)))
}

fn lengths(pieces: &[Vec<u8>]) -> Option<Vec<u32>> {
    let lengths = pieces.iter().map(|piece| u32::try_from(piece.len()).ok());
    lengths.collect()
}

/// Puts every set of a policy.
fn sets(policy: &Policy, writer: &mut Writer) -> Option<Vec<SetHead>> {
    let mut words = Words::default();
    let mut sets = Vec::new();
    for (trust, agent, layers) in policy.all_layers() {
        for (seat, set) in layers.sets().into_iter().enumerate() {
            if set.is_empty() {
                continue;
            }
            let of = Of {
                found: trust == Trust::Found,
                agent: agent.map(|agent| agent.as_ref().to_owned()),
                seat,
            };
            let (dialect, files) = (policy.dialect(), &policy.files);
            sets.push(SetHead::put(of, set, dialect, files, &mut words, writer)?);
        }
    }
    Some(sets)
}

fn settings(policy: &Policy) -> SettingsHead {
    let text = |file: &Arc<str>| file.as_ref().to_owned();
    let roots = policy.roots.iter();
    let forbidden = policy.forbidden_modes.iter();
    SettingsHead {
        tools: policy.tools.iter().map(ToolHead::of).collect(),
        limits: policy.limits.into(),
        mode: policy.mode,
        unstated: policy.unstated,
        roots: roots
            .map(|(file, root)| (text(file), root.clone()))
            .collect(),
        protected: policy.protected.of_documents().collect(),
        egress: policy.egress.clone(),
        forbidden_modes: forbidden.map(|(mode, file)| (*mode, text(file))).collect(),
        beside: policy.beside.iter().map(text).collect(),
        inline: policy.inline.clone(),
    }
}

/// The policy of a head that was sealed.
fn opened(head: Head, begin: u64, platform: Platform, stored: Arc<dyn Stored>) -> Option<Policy> {
    let Head {
        documents,
        settings,
        sets,
        pieces,
        digests,
        ..
    } = head;
    let mut policy = Policy::empty(platform);
    for document in &documents {
        policy.stands_on(&document.name, document.digest, document.trust());
    }
    settle(&mut policy, settings)?;
    let store = Store::new(stored, begin, &pieces, digests)?;
    let store = Arc::new(store);
    let context = Arc::new(Context {
        store: Arc::clone(&store),
        files: policy.files.clone(),
        platform,
        tools: policy.tools.clone(),
    });
    for set in sets {
        let agent: Option<Arc<str>> = set.of.agent.as_deref().map(Into::into);
        let trust = if set.of.found {
            Trust::Found
        } else {
            Trust::Host
        };
        let place = set.of.seat;
        let set = set.open(&store, &context, agent.clone())?;
        policy.lay(trust, agent.as_ref(), place, set)?;
    }
    Some(policy)
}

/// Takes in all that a policy holds beside its rules.
fn settle(policy: &mut Policy, settings: SettingsHead) -> Option<()> {
    let SettingsHead {
        tools,
        limits,
        mode,
        unstated,
        roots,
        protected,
        egress,
        forbidden_modes,
        beside,
        inline,
    } = settings;
    let mut declared = Tools::default();
    for tool in tools {
        tool.declare(&mut declared)?;
    }
    policy.tools = declared;
    policy.limits = limits.within(Limits::default());
    policy.mode = mode;
    policy.unstated = unstated;
    let with_file = |(file, root): (String, String)| (Arc::from(file), root);
    policy.roots = roots.into_iter().map(with_file).collect();
    for [text, why, file] in protected {
        let pattern = PathPattern::parse(&text, true, policy.platform).ok()?;
        let row = Protected::of(pattern, &text, &why, file.into());
        policy.protected.add(row);
    }
    policy.egress = egress;
    let with_file = |(mode, file): (_, String)| (mode, Arc::from(file));
    policy.forbidden_modes = forbidden_modes.into_iter().map(with_file).collect();
    for file in &beside {
        policy.protect(file);
    }
    policy.inline = inline;
    Some(())
}

/// The same rules as they lie in an image.
#[cfg(test)]
pub(crate) fn through(
    set: &crate::judge::RuleSet,
    platform: Platform,
    tools: &Tools,
) -> crate::judge::RuleSet {
    let mut writer = Writer::default();
    let of = Of {
        found: false,
        agent: None,
        seat: 0,
    };
    let dialect = crate::rules::Dialect { platform, tools };
    let head = SetHead::put(of, set, dialect, &[], &mut Words::default(), &mut writer);
    let pieces = writer.finish();
    let digests = pieces.iter().map(|piece| digits(piece)).collect();
    let lengths = lengths(&pieces).unwrap();
    let store = Store::new(Arc::new(pieces.concat()), 0, &lengths, digests);
    let store = Arc::new(store.unwrap());
    let context = Arc::new(Context {
        store: Arc::clone(&store),
        files: Vec::new(),
        platform,
        tools: tools.clone(),
    });
    head.unwrap().open(&store, &context, None).unwrap()
}

#[cfg(test)]
mod tests {
    use gatefold::gate::{Args, Call, GateInput, Seat, begin, drive};
    use proptest::prelude::*;

    use super::*;
    use crate::{Deciders, Effect, FileFacts, Layer, Surroundings};

    fn key() -> SealKey {
        SealKey::new(&[7; 32]).unwrap()
    }

    fn image() -> Vec<u8> {
        let mut policy = Policy::empty(Platform::Linux);
        for (effect, rule) in [
            (Effect::Deny, "Bash(git push *)"),
            (Effect::Deny, "Bash(* x)"),
            (Effect::Ask, "Edit(src/**/*.rs)"),
            (Effect::Ask, "Read(docs/a)"),
            (Effect::Allow, "Bash(git *)"),
            (Effect::Allow, "mcp__a"),
            (Effect::Ask, "WebFetch(domain:example.com)"),
        ] {
            policy.add(effect, Layer::User, rule).unwrap();
        }
        Image::write(&policy, &key(), "").unwrap()
    }

    /// The image with a byte of its pieces changed, sealed as if that were right.
    fn resealed(image: &[u8], at: usize, to: u8) -> Vec<u8> {
        let stored = image.to_vec();
        let (mut head, begin) = read_head(&stored, &key(), 0).unwrap();
        let mut rest = image[usize::try_from(begin).unwrap()..].to_vec();
        let at = at.checked_rem(rest.len()).unwrap();
        rest[at] = to;
        let mut pieces = rest.as_slice();
        head.digests.clear();
        for bytes in &head.pieces {
            let (piece, more) = pieces.split_at(usize::try_from(*bytes).unwrap());
            head.digests.push_str(&digits(piece));
            pieces = more;
        }
        let head = key().seal_image(SCHEMA, &head).unwrap();
        let length = u64::try_from(head.len()).unwrap().to_le_bytes();
        [&length, head.as_bytes(), &rest].concat()
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 3_000, ..ProptestConfig::default() })]

        #[test]
        fn whatever_is_sealed_every_call_comes_to_an_end(
            changes in proptest::collection::vec((any::<usize>(), prop_oneof![Just(0), Just(255), any::<u8>()]), 1..4),
            call in proptest::sample::select(&[
                ("Bash", r#"{"command":"git push x"}"#),
                ("Bash", r#"{"command":"echo 'open git"}"#),
                ("Edit", r#"{"file_path":"src/a.rs"}"#),
                ("Grep", "{}"),
                ("mcp__a__b", "{}"),
                ("WebFetch", r#"{"url":"none"}"#),
            ][..]),
        ) {
            let changed = changes.iter().fold(image(), |image, (at, to)| resealed(&image, *at, *to));
            let policy = Image::open(&[], Platform::Linux, &key(), changed).unwrap().policy;
            let (tool, args) = call;
            let call = Call {
                id: "c".into(),
                tool: tool.into(),
                args: Args::parse(args).unwrap(),
            };
            let files = FileFacts {
                cwd: Some("/srv".into()),
                realpaths: std::iter::once(("/".into(), "/".into())).collect(),
                ..FileFacts::default()
            };
            let surroundings = Surroundings { files, ..Surroundings::default() };
            let policy = Arc::new(policy);
            let mut deciders = Deciders::new(Arc::clone(&policy), tool, None, surroundings);
            let input = deciders.wire(GateInput::builder(call).wire(Seat::Park)).build().unwrap();
            let result = drive(begin(input), &mut deciders).unwrap();
            if policy.is_in_doubt() {
                let is_allowed = matches!(
                    *result,
                    gatefold::gate::GateResult::Finished(finished) if finished.args_to_run().is_some()
                );
                prop_assert!(!is_allowed);
            }
        }
    }
}
