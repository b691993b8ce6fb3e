//! What the disk says of a call's paths, at the time of the hook: a link that is laid afterwards is
//! not seen.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::io::ErrorKind;

use gatefold_policy::FileFacts;

use crate::documents;

/// Variables that name the home folder.
const HOMES: [&str; 2] = ["HOME", "USERPROFILE"];

/// What is known before the disk is looked at.
pub(super) fn facts(cwd: &str) -> FileFacts {
    FileFacts {
        cwd: Some(cwd.to_owned()),
        home: HOMES.iter().find_map(|name| env::var(name).ok()),
        documents: documents::folder(),
        ..FileFacts::default()
    }
}

/// For each path the longest part of it that exists, and where that leads. A path of which that
/// cannot be told has no entry.
pub(super) fn realpaths(paths: &BTreeSet<String>) -> BTreeMap<String, String> {
    paths.iter().filter_map(|path| realpath(path)).collect()
}

fn realpath(path: &str) -> Option<(String, String)> {
    let mut part = path;
    loop {
        match fs::symlink_metadata(part) {
            Ok(_) => {
                // A link that leads nowhere is there: what is written to it stands where it leads.
                let real = fs::canonicalize(part).ok()?;
                return Some((part.to_owned(), real.into_os_string().into_string().ok()?));
            }
            Err(error) => {
                let is_missing = [ErrorKind::NotFound, ErrorKind::NotADirectory];
                if !is_missing.contains(&error.kind()) {
                    return None;
                }
            }
        }
        part = match part.rsplit_once('/')? {
            ("", "") => return None,
            ("", _) => "/",
            (above, _) => above,
        };
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_where_the_longest_part_of_it_that_exists_does() {
        let folder = env::temp_dir().join(format!("gatefold-disk-{}", std::process::id()));
        fs::create_dir_all(folder.join("real")).expect("a folder");
        let link = |to: &str, name: &str| {
            let _ = fs::remove_file(folder.join(name));
            std::os::unix::fs::symlink(to, folder.join(name)).expect("a link");
        };
        link("real", "link");
        link("nowhere", "dangling");
        let real = fs::canonicalize(&folder).expect("it is there");
        let shown = |path: &str| format!("{}/{path}", real.display());
        for (path, want) in [
            ("real", Some(("real", "real"))),
            ("real/new/x", Some(("real", "real"))),
            ("link/new", Some(("link", "real"))),
            ("link/../new", Some(("link/..", ""))),
            ("dangling", None),
            ("dangling/x", None),
        ] {
            let got = realpath(&shown(path));
            let want = want
                .map(|(part, leads)| (shown(part), shown(leads).trim_end_matches('/').to_owned()));
            assert_eq!(got, want, "{path}");
        }
        fs::remove_dir_all(folder).expect("it can be removed");
    }
}
