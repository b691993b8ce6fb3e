//! How a path may be meant: every folder that it may begin in, and its names from there.

use smallvec::SmallVec;

use super::{Name, Names, PATH_BYTES_MAX};
use crate::tools::Platform;

const TILDE: &str = "its tilde is the home folder to some and a name to others";
const VARIABLE: &str = "it may hold a variable";
const STREAM: &str = "it names a stream of a file";
const TRAILING: &str = "a name ends in a dot or a blank, which the system leaves out";
const SHORT: &str = "a name may be the short form of another";
const VERBATIM: &str = "it is spelt for the system itself";
const DRIVE: &str = "it begins in the folder of a drive, which is not known";
const SHARE: &str = "it is a drive that a system shares, and may be its own";
const URL: &str = "it is a URL";
const NOT_A_PATH: &str = "it is no path";
const TOO_LONG: &str = "it is longer than a path may be";

/// Variables that hold the home folder, in any case.
const HOMES: [&str; 7] = [
    "$home",
    "${home}",
    "%userprofile%",
    "%home%",
    "$env:userprofile",
    "$env:home",
    "${env:userprofile}",
];

/// The folder in which a path begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    Root,
    /// The drive or share of the working directory.
    Volume,
    Cwd,
    Home,
}

/// One way to read a path. Its names may hold `..`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) start: Start,
    pub(super) names: Names,
}

/// All ways to read a path, and why there is not one alone that is certain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Spelling {
    pub(super) readings: SmallVec<[Reading; 1]>,
    pub(super) doubt: Option<&'static str>,
}

impl Spelling {
    pub(super) fn of(text: &str, platform: Platform) -> Self {
        let mut spelling = Self::default();
        if text.is_empty() || text.contains('\0') {
            spelling.doubt = Some(NOT_A_PATH);
        } else if text.len() > PATH_BYTES_MAX {
            spelling.doubt = Some(TOO_LONG);
        } else {
            match platform {
                Platform::Linux | Platform::MacOs => spelling.unix(text),
                Platform::Windows => spelling.windows(text),
            }
        }
        spelling
    }

    /// The path that this spells for certain, from its root and without `..`.
    pub(super) fn absolute(text: &str, platform: Platform) -> Option<Names> {
        let plain = match platform {
            Platform::Linux | Platform::MacOs => text.into(),
            // What the system itself calls a path that it has looked up.
            Platform::Windows => text
                .strip_prefix(r"\\?\UNC\")
                .map(|rest| format!(r"\\{rest}"))
                .or_else(|| text.strip_prefix(r"\\?\").map(str::to_owned))
                .unwrap_or_else(|| text.to_owned()),
        };
        let mut spelling = Self::of(&plain, platform);
        let reading = spelling.readings.pop()?;
        let is_certain = spelling.doubt.is_none() && reading.start == Start::Root;
        let is_straight = reading.names.iter().all(|name| name != "..");
        (is_certain && is_straight).then_some(reading.names)
    }

    fn unix(&mut self, text: &str) {
        if let Some(rest) = text.strip_prefix('/') {
            self.add(Start::Root, rest);
        } else if !self.expands(text) {
            self.add(Start::Cwd, text);
        }
    }

    /// `/c/x`, as programs of Unix write the drives of Windows.
    fn drive_of_unix(&mut self, text: &str) {
        let heads = ["/cygdrive/", "/mnt/", "//", "/"];
        let mut rests = heads.iter().filter_map(|head| text.strip_prefix(head));
        let drive = rests.find_map(|rest| {
            let (drive, rest) = rest.split_once('/').unwrap_or((rest, ""));
            let is_drive = drive.len() == 1 && drive.bytes().all(|byte| byte.is_ascii_alphabetic());
            is_drive.then(|| format!("{}:/{rest}", drive.to_ascii_lowercase()))
        });
        if let Some(path) = drive {
            self.add(Start::Root, &path);
        }
    }

    /// A path on a share, and on the drive of this system, which may share it under its letter and
    /// under a name of its own.
    fn share(&mut self, text: &str) {
        self.add(Start::Root, text);
        let names = text.split('/').filter(|name| !matches!(*name, "" | "."));
        let mut names = names.skip(1);
        let share = names.next().unwrap_or_default().to_ascii_lowercase();
        let drive = match share.strip_suffix('$') {
            Some("admin") => "c:/windows".to_owned(),
            Some(letter) if letter.len() == 1 => format!("{letter}:"),
            Some(_) | None => return,
        };
        self.doubt = Some(SHARE);
        let path = names.fold(drive, |path, name| path + "/" + name);
        self.add(Start::Root, &path);
    }

    fn windows(&mut self, text: &str) {
        let text = text.replace('\\', "/");
        let mut text = text.as_str();
        let verbatim = text.strip_prefix("//?/").or(text.strip_prefix("//./"));
        if let Some(rest) = verbatim {
            self.doubt = Some(VERBATIM);
            let share = rest
                .get(..4)
                .filter(|head| head.eq_ignore_ascii_case("unc/"));
            text = rest;
            if share.is_some() {
                self.share(rest.get(4..).unwrap_or_default());
                return self.clean();
            }
        }
        let mut chars = text.chars();
        let drive = chars
            .next()
            .filter(|char| char.is_ascii_alphabetic() && chars.next() == Some(':'));
        match (drive, chars.as_str().strip_prefix('/')) {
            (Some(drive), Some(rest)) => {
                let drive = drive.to_ascii_lowercase();
                self.add(Start::Root, &format!("{drive}:/{rest}"));
            }
            (Some(drive), None) if chars.as_str().is_empty() => {
                self.doubt = Some(DRIVE);
                self.add(Start::Root, &format!("{}:", drive.to_ascii_lowercase()));
            }
            (Some(drive), None) => {
                self.doubt = Some(DRIVE);
                self.add(Start::Cwd, chars.as_str());
                let drive = drive.to_ascii_lowercase();
                self.add(Start::Root, &format!("{drive}:/{}", chars.as_str()));
            }
            (None, _) => {
                self.drive_of_unix(text);
                if let Some(share) = text.strip_prefix("//") {
                    self.share(share);
                } else if let Some(rest) = text.strip_prefix('/') {
                    self.add(Start::Volume, rest);
                } else if !self.expands(text) {
                    self.add(Start::Cwd, text);
                }
            }
        }
        if text.matches('%').count() > 1 {
            self.doubt = Some(VARIABLE);
        }
        self.clean();
    }

    /// Takes in a text that a host may expand before it opens the path.
    fn expands(&mut self, text: &str) -> bool {
        let (head, rest) = text.split_once('/').unwrap_or((text, ""));
        if head == "file:" {
            self.doubt = Some(URL);
            self.add(Start::Root, rest.trim_start_matches('/'));
        } else if HOMES.iter().any(|home| head.eq_ignore_ascii_case(home)) {
            self.doubt = Some(VARIABLE);
            self.add(Start::Home, rest);
        } else if head == "~" {
            self.doubt = Some(TILDE);
            self.add(Start::Home, rest);
        } else if let Some(user) = head.strip_prefix('~') {
            self.doubt = Some(TILDE);
            // Homes mostly stand side by side.
            self.add(Start::Home, &format!("../{user}/{rest}"));
            if user == "root" {
                self.add(Start::Root, &format!("root/{rest}"));
            }
        } else if head.starts_with(['$', '%']) {
            self.doubt = Some(VARIABLE);
        } else {
            return false;
        }
        self.add(Start::Cwd, text);
        true
    }

    fn add(&mut self, start: Start, rest: &str) {
        let parts = rest.split('/').filter(|name| !matches!(*name, "" | "."));
        let most = rest.bytes().filter(|byte| *byte == b'/').count();
        let mut names = Names::with_capacity(most.saturating_add(1));
        names.extend(parts.map(Name::from));
        self.readings.push(Reading { start, names });
    }

    /// Takes off each name what Windows does not look at.
    fn clean(&mut self) {
        for Reading { start, names } in &mut self.readings {
            let has_drive = *start == Start::Root;
            for (at, name) in names.iter_mut().enumerate() {
                if name == ".." || (at == 0 && has_drive && name.ends_with(':')) {
                    continue;
                }
                if let Some((file, _)) = name.split_once(':') {
                    self.doubt = Some(STREAM);
                    *name = file.into();
                }
                let bare = name.trim_end_matches(['.', ' ']);
                if bare.len() < name.len() {
                    self.doubt = Some(TRAILING);
                    *name = bare.into();
                }
                if is_short(name) {
                    self.doubt = Some(SHORT);
                }
            }
            names.retain(|name| !name.is_empty());
        }
    }
}

/// Whether a name is of the form that Windows gives to long ones: `PROGRA~1`.
fn is_short(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let number = stem.rsplit_once('~').map(|(_, number)| number);
    stem.len() <= 8
        && number.is_some_and(|number| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The readings of a path as text, and whether it is doubted.
    fn spelt(text: &str, platform: Platform) -> (Vec<String>, bool) {
        let Spelling { readings, doubt } = Spelling::of(text, platform);
        let shown = readings.into_iter().map(|Reading { start, names }| {
            let start = match start {
                Start::Root => "/",
                Start::Volume => "volume ",
                Start::Cwd => "",
                Start::Home => "home ",
            };
            format!("{start}{}", names.join("/"))
        });
        (shown.collect(), doubt.is_some())
    }

    #[test]
    fn a_path_has_one_certain_reading_or_is_doubted() {
        use Platform::{Linux, Windows};
        for (platform, text, readings, doubted) in [
            (Linux, "/a//b/./c/", &["/a/b/c"][..], false),
            (Linux, "a/../b", &["a/../b"], false),
            (Linux, "./a", &["a"], false),
            (Linux, "a/$id.tsx", &["a/$id.tsx"], false),
            (Linux, r"a\b", &[r"a\b"], false),
            // A tilde, a variable and a URL are what a host makes of them.
            (Linux, "~/a", &["home a", "~/a"], true),
            (Linux, "~", &["home ", "~"], true),
            (Linux, "~u/a", &["home ../u/a", "~u/a"], true),
            (
                Linux,
                "~root/a",
                &["home ../root/a", "/root/a", "~root/a"],
                true,
            ),
            (Linux, "$HOME/a", &["home a", "$HOME/a"], true),
            (Linux, "${HOME}/a", &["home a", "${HOME}/a"], true),
            (Linux, "$X/a", &["$X/a"], true),
            (Linux, "file:///a", &["/a", "file:/a"], true),
            (Linux, "", &[], true),
            (Linux, "a\0b", &[], true),
            // Drive letters.
            (Windows, r"C:\a\b", &["/c:/a/b"], false),
            (Windows, "c:/a", &["/c:/a"], false),
            (Windows, "C:a", &["a", "/c:/a"], true),
            (Windows, "C:", &["/c:"], true),
            (Windows, r"\ab", &["volume ab"], false),
            (Windows, "/a/b", &["/a:/b", "volume a/b"], false),
            (Windows, "/mnt/a/b", &["/a:/b", "volume mnt/a/b"], false),
            (Windows, r"a\..\b", &["a/../b"], false),
            // Shares, and paths for the system itself.
            (Windows, r"\\srv\share\a", &["/srv/share/a"], false),
            (Windows, r"\\?\C:\a", &["/c:/a"], true),
            (Windows, r"\\.\C:\a", &["/c:/a"], true),
            (Windows, r"\\?\UNC\srv\share", &["/srv/share"], true),
            (
                Windows,
                r"\\localhost\C$\a",
                &["/localhost/C$/a", "/c:/a"],
                true,
            ),
            (
                Windows,
                r"\\?\UNC\127.0.0.1\d$\a",
                &["/127.0.0.1/d$/a", "/d:/a"],
                true,
            ),
            (
                Windows,
                "//pc//admin$/x",
                &["/pc/admin$/x", "/c:/windows/x"],
                true,
            ),
            // Short names.
            (Windows, r"C:\PROGRA~1\a", &["/c:/PROGRA~1/a"], true),
            (Windows, r"C:\a~b", &["/c:/a~b"], false),
            // Trailing dots and blanks.
            (Windows, r"C:\a. .\b", &["/c:/a/b"], true),
            (Windows, r"C:\a \..\b", &["/c:/a/../b"], true),
            (Linux, "/a. /b", &["/a. /b"], false),
            // Streams.
            (Windows, r"C:\a.txt::$DATA", &["/c:/a.txt"], true),
            (Windows, "a.txt:x", &["a.txt"], true),
            (
                Windows,
                r"%USERPROFILE%\.NETRC",
                &["home .NETRC", "%USERPROFILE%/.NETRC"],
                true,
            ),
            (Windows, r"C:\%X%\a", &["/c:/%X%/a"], true),
        ] {
            let (got, doubt) = spelt(text, platform);
            assert_eq!(got, readings, "{text:?}");
            assert_eq!(doubt, doubted, "{text:?}");
        }
        let long = "a".repeat(PATH_BYTES_MAX);
        assert!(!spelt(&long, Linux).1);
        assert!(spelt(&format!("{long}a"), Linux).1);
    }

    #[test]
    fn a_real_path_is_absolute_and_straight_or_none() {
        for (platform, text, want) in [
            (Platform::Linux, "/a/b", Some("a/b")),
            (Platform::Linux, "/", Some("")),
            (Platform::Linux, "a", None),
            (Platform::Linux, "/a/../b", None),
            (Platform::Windows, r"\\?\C:\a", Some("c:/a")),
            (Platform::Windows, r"\\?\UNC\srv\a", Some("srv/a")),
            (Platform::Windows, r"\a", None),
        ] {
            let names = Spelling::absolute(text, platform).map(|names| names.join("/"));
            assert_eq!(names.as_deref(), want, "{text}");
        }
    }
}
