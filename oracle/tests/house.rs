//! The house rules a machine can check: files stay short, and the repository speaks of itself
//! alone.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// Lines of a source file, without its trailing test module.
const LINES_MAX: usize = 499;

#[test]
fn source_files_are_short() {
    let files = files();
    let sources: Vec<_> = files
        .iter()
        .filter(|file| file.iter().nth(1).is_some_and(|folder| folder == "src"))
        .filter(|file| file.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    assert!(!sources.is_empty(), "no source file was found");
    let long: Vec<_> = sources
        .into_iter()
        .map(|file| (file, lines_without_tests(&read(file))))
        .filter(|(_, lines)| *lines > LINES_MAX)
        .collect();
    assert!(long.is_empty(), "more than {LINES_MAX} lines: {long:?}");
}

#[test]
fn a_trailing_test_module_does_not_count() {
    let tests = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn holds() {}\n}\n";
    for (source, lines) in [
        ("fn a() {}\nfn b() {}\n".to_owned(), 2),
        (format!("fn a() {{}}\n\n{tests}"), 1),
        (format!("fn a() {{}}\n{tests}\n\n"), 1),
        (format!("{tests}fn a() {{}}\n"), 6),
        (format!("{tests}fn a() {{}}\n{tests}"), 6),
        ("fn a() {}\n#[cfg(test)]\nmod tests;\n".to_owned(), 3),
        ("#[cfg(test)]\nfn a() {\n}\n".to_owned(), 3),
    ] {
        assert_eq!(lines_without_tests(&source), lines, "{source}");
    }
}

#[test]
fn documents_link_to_files_of_this_repository() {
    let files = files();
    let mut dangling = Vec::new();
    for document in &files {
        if document
            .extension()
            .is_some_and(|extension| extension == "md")
        {
            for link in relative_links(&read(document)) {
                if !leads_to_a_file(document, &link, &files) {
                    dangling.push((document, link));
                }
            }
        }
    }
    assert!(dangling.is_empty(), "links that lead nowhere: {dangling:?}");
}

#[test]
fn only_relative_links_outside_code_are_followed() {
    let document = "[a](b.md#c) [d](https://e.example) ![f](g/h.png) [i](#j) `[k](l.md)`\n\
                    ```text\n[m](n.md)\n```\n[o](p.md \"q\")\n";
    assert_eq!(relative_links(document), ["b.md", "g/h.png", "p.md"]);
}

#[test]
fn a_link_out_of_the_repository_leads_nowhere() {
    let files = [PathBuf::from("a/b.md"), PathBuf::from("c.md")].into();
    let document = Path::new("a/b.md");
    for (link, leads) in [
        ("b.md", true),
        ("../c.md", true),
        ("../a", true),
        ("../a/", true),
        ("../../c.md", false),
        ("/c.md", false),
        ("d.md", false),
    ] {
        assert_eq!(leads_to_a_file(document, link, &files), leads, "{link}");
    }
}

fn lines_without_tests(source: &str) -> usize {
    let lines: Vec<_> = source.lines().collect();
    let is_module = |start: usize| {
        lines[start] == "#[cfg(test)]"
            && lines[start + 1..]
                .iter()
                .find(|line| !line.starts_with("#["))
                .is_some_and(|line| line.starts_with("mod ") && line.ends_with('{'))
    };
    let is_last = |start: usize| {
        lines[start..]
            .iter()
            .position(|line| *line == "}")
            .is_some_and(|end| lines[start + end + 1..].iter().all(|line| line.is_empty()))
    };
    let kept = (0..lines.len())
        .find(|start| is_module(*start) && is_last(*start))
        .unwrap_or(lines.len());
    lines[..kept]
        .iter()
        .rposition(|line| !line.is_empty())
        .map_or(0, |last| last + 1)
}

/// Targets of a document's links and images, without fragments, other sites and code.
fn relative_links(document: &str) -> Vec<String> {
    let mut links = Vec::new();
    let mut fenced = false;
    for line in document.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            let prose: String = line.split('`').step_by(2).collect();
            links.extend(prose.split("](").skip(1).filter_map(target));
        }
    }
    links
}

/// The target at the start of what follows `](`.
fn target(text: &str) -> Option<String> {
    let inside = text.split(')').next()?;
    let path = inside.split([' ', '#']).next()?;
    let elsewhere = path.contains("://") || path.starts_with("mailto:");
    (!path.is_empty() && !elsewhere).then(|| path.to_owned())
}

fn leads_to_a_file(document: &Path, link: &str, files: &BTreeSet<PathBuf>) -> bool {
    let mut path = document.parent().map(Path::to_path_buf).unwrap_or_default();
    for part in Path::new(link).components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::ParentDir if path.pop() => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return false,
        }
    }
    files.iter().any(|file| file.starts_with(&path))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &Path) -> String {
    let text =
        fs::read(root().join(file)).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    String::from_utf8_lossy(&text).into_owned()
}

/// The repository's files, relative to its root: what git tracks or would track; without git, all
/// but git's own and target folders.
fn files() -> BTreeSet<PathBuf> {
    let tracked = tracked().unwrap_or_default();
    if tracked.contains(Path::new("Cargo.toml")) {
        return tracked;
    }
    let mut files = BTreeSet::new();
    walk(Path::new(""), &mut files);
    files
}

fn tracked() -> Option<BTreeSet<PathBuf>> {
    let output = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(root())
        .output()
        .ok()?;
    let names = String::from_utf8(output.stdout).ok()?;
    let files = names.split_terminator('\0').map(PathBuf::from);
    Some(files.filter(|file| root().join(file).is_file()).collect())
}

fn walk(folder: &Path, files: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(root().join(folder)).expect("folder can be read") {
        let entry = entry.expect("entry can be read");
        let path = folder.join(entry.file_name());
        if !entry.path().is_dir() {
            files.insert(path);
        } else if entry.file_name() != "target" && entry.file_name() != ".git" {
            walk(&path, files);
        }
    }
}
