//! Named limits: what input can grow, how far, and what is said when it goes past.
//!
//! Each limit has its unit last in its name. A host may not raise one; going past it is a typed
//! refusal that names the limit.

/// Canonical args text, in bytes (1 MiB).
pub const ARGS_BYTES_MAX: usize = 1 << 20;
/// Nesting of objects and arrays in args.
pub const ARGS_DEPTH_MAX: usize = 64;
/// `PreToolUse` hooks of one pass.
pub const HOOKS_MAX: usize = 32;
/// Ancestors of the calling agent.
pub const ANCESTORS_MAX: usize = 16;
/// All context added during one pass, in bytes (64 KiB).
pub const CONTEXT_BYTES_MAX: usize = 64 << 10;
/// One reason, note or failure text, in bytes (4 KiB); a longer one is clipped with a mark.
pub const TEXT_BYTES_MAX: usize = 4 << 10;
/// A name: call id, tool, hook id, agent, model, leg mark; in bytes (1 KiB).
pub const NAME_BYTES_MAX: usize = 1 << 10;
/// Edit rounds a host may set as its cap.
pub const EDIT_CAP_MAX: u8 = 16;
/// Edit rounds granted when the host says nothing.
pub const EDIT_CAP_DEFAULT: u8 = 3;
/// Classifier denials after which a person is asked, when the host says nothing.
pub const DENIAL_LIMIT_DEFAULT: u32 = 3;
/// Judgements in one answer. Two forms times seventeen members need thirty-four.
pub const JUDGEMENTS_MAX: usize = 256;
/// Receipts in one answer of the hook seat. Thirty-two hooks need thirty-two.
pub const RECEIPTS_MAX: usize = 256;
/// Tickets or attestations in one book.
pub const BOOK_ENTRIES_MAX: usize = 32_768;
/// A sealed value offered for opening, in bytes (256 MiB).
pub const SEALED_BYTES_MAX: usize = 256 << 20;
/// A seal key, in bytes, at least.
pub const SEAL_KEY_BYTES_MIN: usize = 32;
