//! What a host tells of its disk.

use std::collections::BTreeMap;

/// What only the host knows of files. All of it may be left out: then the answers are the careful
/// ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileFacts {
    /// The working directory of the call, absolute. Without it a relative path is not known.
    pub cwd: Option<String>,
    /// The home folder, absolute.
    pub home: Option<String>,
    /// The folders that the work is in: absolute, or relative to `cwd`. Beside them the roots of the
    /// documents do not count; where there are none at all, nothing is outside.
    pub roots: Option<Vec<String>>,
    /// For each path of the call the longest part of it that exists, and the real path of that.
    /// What follows is taken as it is typed: the host says that nothing stands there. A real path is
    /// absolute, without `..`.
    pub realpaths: BTreeMap<String, String>,
    /// Whether the volume below a folder takes names of different case for the same. The longest
    /// folder counts.
    pub folds_case: BTreeMap<String, bool>,
    /// The folder that the names of policy documents are relative to: rules that begin in the
    /// folder of their document begin there, and the documents are protected.
    pub documents: Option<String>,
}
