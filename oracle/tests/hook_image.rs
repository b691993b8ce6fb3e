//! `--image` and `--image-key`: the policy is kept ready, and decides as its documents do, whatever
//! becomes of the file.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use support::Run;
use support::hook::{bash, decision, finished, start, with};

const POLICY: &str = "schema = 'gatefold/policy/v1'\n[rules.user]\nallow = ['Bash(ls *)', 'Bash(echo $HOME)']\ndeny = ['Bash(rm *)']\n";
const KEY: [u8; 32] = [7; 32];

/// A folder for one test.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    fn new(name: &str) -> Self {
        let folder = format!("gatefold-image-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        fs::create_dir_all(&folder).expect("it is made");
        let folder = Self(folder.canonicalize().expect("it is there"));
        fs::write(folder.file("g.toml"), POLICY).expect("it is written");
        folder.key("key", 0o600);
        folder
    }

    /// A key, with that mode where files have one.
    fn key(&self, name: &str, mode: u32) {
        self.private(name, &KEY, mode);
    }

    fn private(&self, name: &str, bytes: &[u8], mode: u32) {
        fs::write(self.file(name), bytes).expect("it is written");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::Permissions::from_mode(mode);
            fs::set_permissions(self.file(name), mode).expect("it is set");
        }
        #[cfg(not(unix))]
        let _ = mode;
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn path(&self, name: &str) -> String {
        self.file(name).to_str().expect("text").to_owned()
    }

    /// What the hook says of a line, with an image under this name.
    fn hook(&self, line: &str, image: &str, key: &str) -> Run {
        self.event(&bash(line), image, key)
    }

    fn event(&self, event: &str, image: &str, key: &str) -> Run {
        let (policy, image, key) = (self.path("g.toml"), self.path(image), self.path(key));
        let args = [
            "hook",
            "claude-code",
            "--policy",
            &policy,
            "--image",
            &image,
        ];
        let args = [&args[..], &["--image-key", &key]].concat();
        finished(start(&args, event))
    }

    fn says(&self, line: &str) -> (String, String) {
        let ran = self.hook(line, "image", "key");
        (decision(&ran), ran.stderr)
    }
}

/// What stands in a folder beside the policy and the key.
fn beside(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).expect("it is there");
    let names = names.map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.into_string().expect("text"));
    let mut names: Vec<_> = names
        .filter(|name| name != "g.toml" && name != "key")
        .collect();
    names.sort();
    names
}

#[test]
fn the_first_call_writes_an_image_and_the_next_is_decided_by_it() {
    let folder = Folder::new("first");
    let mut told = Vec::new();
    for line in ["ls a", "ls a", "rm a", "make"] {
        let (by_image, stderr) = folder.says(line);
        let policy = folder.path("g.toml");
        let plain = ["hook", "claude-code", "--policy", &policy];
        let plain = finished(start(&plain, bash(line)));
        assert_eq!(by_image, decision(&plain), "{line}");
        // What the document is warned of is told each time.
        assert_eq!(stderr, plain.stderr, "{line}");
        told.push(stderr);
        assert_eq!(beside(&folder.0), ["image"], "{line}");
    }
    assert!(told[0].contains("allow_left_out"), "{told:?}");
    let image = fs::read(folder.file("image")).expect("it is there");
    // Nothing is written that is there already.
    folder.says("ls a");
    assert_eq!(fs::read(folder.file("image")).ok(), Some(image));
}

#[test]
fn a_policy_that_changed_decides_at_once() {
    let folder = Folder::new("changed");
    assert_eq!(folder.says("ls a").0, "allow");
    assert_eq!(folder.says("ls a").0, "allow");
    let changed = POLICY.replace("'Bash(rm *)'", "'Bash(rm *)', 'Bash(ls *)'");
    fs::write(folder.file("g.toml"), &changed).expect("it is written");
    let (said, stderr) = folder.says("ls a");
    assert_eq!(said, "deny");
    assert!(
        stderr.contains("the image is of other documents"),
        "{stderr}"
    );
    let (said, stderr) = folder.says("ls a");
    assert_eq!(said, "deny");
    assert!(!stderr.contains("not of its image"), "{stderr}");
    // A policy that is not sound is no policy, whatever images there are.
    fs::write(folder.file("g.toml"), "schema = 1").expect("it is written");
    let ran = folder.hook("ls a", "image", "key");
    assert_eq!(decision(&ran), "deny");
    assert!(ran.stderr.contains("wrong_type"), "{}", ran.stderr);
}

#[test]
fn an_image_that_was_changed_is_written_anew_and_decides_nothing() {
    let folder = Folder::new("forged");
    folder.says("ls a");
    let image = fs::read(folder.file("image")).expect("it is there");
    for at in (0..image.len()).step_by(image.len() / 40) {
        let mut changed = image.clone();
        changed[at] ^= 1;
        fs::write(folder.file("image"), &changed).expect("it is written");
        assert_eq!(folder.says("rm a").0, "deny", "{at}");
        assert_eq!(folder.says("ls a").0, "allow", "{at}");
    }
    for bytes in [&image[..40], &image[..image.len() - 1], &image[..24]] {
        fs::write(folder.file("image"), bytes).expect("it is written");
        let (said, stderr) = folder.says("ls a");
        assert_eq!(said, "allow");
        assert!(stderr.contains("not of its image"), "{stderr}");
        assert_eq!(fs::read(folder.file("image")).ok().as_ref(), Some(&image));
    }
    // What is none may be somebody's.
    for bytes in [&b""[..], b"no image", &image[..20], &[255; 64]] {
        fs::write(folder.file("image"), bytes).expect("it is written");
        let (said, stderr) = folder.says("ls a");
        assert_eq!(said, "allow");
        assert!(stderr.contains("what is there is no image"), "{stderr}");
        assert_eq!(fs::read(folder.file("image")).ok().as_deref(), Some(bytes));
    }
}

#[test]
fn an_image_takes_the_place_of_no_other_file() {
    let folder = Folder::new("places");
    let files = || ["g.toml", "key"].map(|name| fs::read(folder.file(name)).ok());
    let before = files();
    for (image, key) in [("g.toml", "key"), ("key", "key"), ("image", "g.toml")] {
        for line in ["ls a", "rm a"] {
            let ran = folder.hook(line, image, key);
            assert_eq!(decision(&ran), "deny", "{image} {key}");
            assert!(ran.stderr.contains("[one_file]"), "{}", ran.stderr);
        }
    }
    assert_eq!(files(), before);
    assert!(beside(&folder.0).is_empty());
}

#[test]
fn who_writes_an_image_or_its_key_asks_as_who_writes_a_document() {
    let folder = Folder::new("protected");
    let allows = POLICY.replace(
        "'Bash(ls *)'",
        "'Edit', 'Write', 'Bash(cp *)', 'Edit(//**)'",
    );
    fs::write(folder.file("g.toml"), allows).expect("it is written");
    let said = |tool: &str, args_of: serde_json::Value| {
        let mut event = support::parse(&with("/tool_name", json!(tool)));
        event["tool_input"] = args_of;
        event["permission_mode"] = json!("acceptEdits");
        decision(&folder.event(&event.to_string(), "image", "key"))
    };
    for name in ["g.toml", "key", "image"] {
        let path = folder.path(name);
        // By the documents first, and then by the image.
        for _ in 0..2 {
            let write = json!({ "file_path": path, "content": "x" });
            assert_eq!(said("Write", write), "ask", "{name}");
            let copy = format!("cp x {path}");
            assert_eq!(said("Bash", json!({ "command": copy })), "ask", "{name}");
        }
    }
    let other = json!({ "file_path": folder.path("other"), "content": "x" });
    assert_eq!(said("Write", other), "allow");
}

#[cfg(unix)]
#[test]
fn nothing_at_the_place_of_an_image_makes_a_call_wait() {
    let folder = Folder::new("pipe");
    for name in ["image", "pipe"] {
        let made = std::process::Command::new("mkfifo")
            .arg(folder.file(name))
            .status();
        assert!(made.expect("mkfifo is there").success());
    }
    for (image, key) in [("image", "key"), ("other", "pipe")] {
        for (line, want) in [("ls a", "allow"), ("rm a", "deny")] {
            let ran = folder.hook(line, image, key);
            assert_eq!(decision(&ran), want);
            assert!(ran.stderr.contains("it is not a file"), "{}", ran.stderr);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_key_that_others_may_read_or_write_opens_no_image_and_seals_none() {
    let folder = Folder::new("private");
    for mode in [0o644, 0o640, 0o604, 0o620, 0o602, 0o677] {
        folder.key("key", mode);
        for _ in 0..2 {
            let (said, told) = folder.says("ls a");
            assert_eq!(said, "allow", "{mode:o}");
            assert!(told.contains("by others"), "{mode:o}: {told}");
        }
        assert!(beside(&folder.0).is_empty(), "{mode:o}");
    }
    for mode in [0o600, 0o400] {
        folder.key("key", 0o600);
        folder.key("key", mode);
        let (said, told) = folder.says("ls a");
        assert_eq!(said, "allow", "{mode:o}");
        assert!(!told.contains("key"), "{mode:o}: {told}");
        assert_eq!(beside(&folder.0), ["image"], "{mode:o}");
    }
}

#[test]
fn whatever_keeps_an_image_from_being_kept_keeps_no_call_from_being_decided() {
    let folder = Folder::new("kept");
    folder.private("short", b"short", 0o600);
    fs::create_dir(folder.file("folder")).expect("it is made");
    for (image, key, said) in [
        ("image", "none", "cannot be read"),
        ("image", "short", "at least 32 bytes"),
        ("image", "folder", "cannot be read: it is not a file"),
        ("none/image", "key", "cannot be written"),
        ("folder", "key", "it is not a file"),
    ] {
        for (line, want) in [("ls a", "allow"), ("rm a", "deny")] {
            let ran = folder.hook(line, image, key);
            assert_eq!(decision(&ran), want, "{image} {key}");
            assert!(ran.stderr.contains(said), "{image} {key}: {}", ran.stderr);
        }
        assert_eq!(beside(&folder.0), ["folder", "short"], "{image} {key}");
    }
}

#[test]
fn an_image_is_named_by_its_absolute_path_and_with_its_key() {
    let folder = Folder::new("named");
    let (policy, key) = (folder.path("g.toml"), folder.path("key"));
    let image = folder.path("image");
    for more in [
        &["--image", &image][..],
        &["--image-key", &key],
        &["--image", "image", "--image-key", &key],
        &["--image", &image, "--image-key", "key"],
    ] {
        let args = [&["hook", "claude-code", "--policy", &policy][..], more].concat();
        let ran = finished(start(&args, bash("ls a")));
        // The host takes it as a block.
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{more:?}");
        assert!(ran.stderr.contains("--image"), "{}", ran.stderr);
    }
}

#[cfg(unix)]
#[test]
fn only_its_owner_reads_an_image() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("owner");
    folder.says("ls a");
    let mode = fs::metadata(folder.file("image")).expect("it is there");
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);
}
