//! What a call runs in, as the host knows it.

use std::collections::BTreeSet;

use super::paths::FileFacts;

/// What a call runs in.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The shell that runs lines.
    pub shell: String,
    /// Every tool there is, if the host says.
    pub known_tools: Option<BTreeSet<String>>,
    /// What only the host knows of files.
    pub files: FileFacts,
}

impl Default for Surroundings {
    /// Bash, and any tool.
    fn default() -> Self {
        Self {
            shell: "bash".into(),
            known_tools: None,
            files: FileFacts::default(),
        }
    }
}
