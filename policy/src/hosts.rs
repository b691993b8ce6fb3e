//! Hosts: which one a URL is about, and which ones a rule names.
//!
//! A URL is read as the URL Standard says, which is what fetchers do; where readers of URLs are
//! known to differ, the host is not certain, and nobody allows it.

use url::{Host, Url};

/// A URL that is read, in bytes (64 KiB).
const URL_BYTES_MAX: usize = 64 << 10;

/// Characters that one standard of names folds away and the other keeps.
const READ_IN_TWO_WAYS: &[char] = &['ß', 'ẞ', 'ς', '\u{200c}', '\u{200d}'];

/// A host, and how certain it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// The host, if there is one.
    pub(crate) host: Option<String>,
    /// Every reader of URLs finds this host.
    pub(crate) is_certain: bool,
}

impl Target {
    /// What is known of a URL that is not there.
    pub(crate) const NONE: Self = Self {
        host: None,
        is_certain: false,
    };

    /// The host of a URL.
    pub(crate) fn of(text: &str) -> Self {
        if text.len() > URL_BYTES_MAX {
            return Self::NONE;
        }
        let Ok(url) = Url::parse(text) else {
            return Self::NONE;
        };
        if !matches!(url.scheme(), "http" | "https") {
            return Self::NONE;
        }
        let host = url.host().map(|host| canonical(&host));
        let is_certain = host
            .as_deref()
            .is_some_and(|host| is_said_plainly(text, host));
        Self { host, is_certain }
    }
}

/// Whether a URL names this host in plain sight: no user, no escapes, and nothing that some readers
/// take out or turn into something else.
fn is_said_plainly(text: &str, host: &str) -> bool {
    let is_odd = |char: char| char.is_control() || char.is_ascii_whitespace() || char == '\\';
    let Some((_, rest)) = text.split_once("://").filter(|_| !text.contains(is_odd)) else {
        return false;
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let port = authority.rfind(':').filter(|_| !authority.ends_with(']'));
    let said = authority.get(..port.unwrap_or(authority.len()));
    let said = said.unwrap_or_default();
    let said = said.strip_suffix('.').unwrap_or(said);
    if said.is_ascii() {
        return said.eq_ignore_ascii_case(host);
    }
    let dots = |text: &str| text.matches('.').count();
    !said.contains(['@', '%']) && !said.contains(READ_IN_TWO_WAYS) && dots(said) == dots(host)
}

/// A host in the one form in which hosts are compared: an address of IPv4 that is written as one of
/// IPv6 is that address.
fn canonical<S: AsRef<str>>(host: &Host<S>) -> String {
    match host {
        Host::Domain(name) => {
            let name = name.as_ref();
            name.strip_suffix('.').unwrap_or(name).to_owned()
        }
        Host::Ipv4(address) => address.to_string(),
        Host::Ipv6(address) => match address.to_ipv4_mapped() {
            Some(address) => address.to_string(),
            None => format!("[{address}]"),
        },
    }
}

/// The hosts that a rule or a document names.
#[derive(serde::Serialize, serde::Deserialize, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Domain {
    pub(crate) host: String,
    /// Those below it, at any depth, and not itself.
    pub(crate) below: bool,
}

impl Domain {
    /// Reads `example.com` or `*.example.com`.
    ///
    /// # Errors
    /// The nearest one that is understood, if any is near.
    pub(crate) fn parse(text: &str) -> Result<Self, Option<String>> {
        let (name, below) = match text.strip_prefix("*.") {
            Some(name) => (name, true),
            None => (text, false),
        };
        let is_bare = !name.contains(['*', '/', '@', '?', '#', '%', '\\', ' ']);
        let has_port = name.contains(':') && !name.starts_with('[');
        if !is_bare || has_port {
            return Err(nearest(text));
        }
        let host = Host::parse(name).map_err(|_| nearest(text))?;
        let is_name = matches!(host, Host::Domain(_));
        let host = canonical(&host);
        if host.is_empty() || (below && !is_name) {
            return Err(nearest(text));
        }
        Ok(Self { host, below })
    }

    /// Whether it names this host. Whoever refuses a host refuses those below it too.
    pub(crate) fn covers(&self, host: &str, refuses: bool) -> bool {
        let is_below = || {
            let above = host.strip_suffix(self.host.as_str());
            above.is_some_and(|above| above.ends_with('.'))
        };
        (!self.below && host == self.host) || ((self.below || refuses) && is_below())
    }
}

/// The host in what people write instead of one: a URL, a host with a port, a star glued to a name.
fn nearest(text: &str) -> Option<String> {
    let after = text
        .split_once("://")
        .map_or(text, |(_, authority)| authority);
    let authority = after.split(['/', '?', '#', '\\']).next()?;
    let host = authority.rsplit('@').next()?;
    let (host, _) = host.rsplit_once(':').unwrap_or((host, ""));
    let (star, name) = match host.rsplit_once('*') {
        Some((_, name)) => ("*.", name.trim_start_matches('.')),
        None => ("", host),
    };
    let found = format!("{star}{name}");
    let is_other = found != text;
    (is_other && Domain::parse(&found).is_ok()).then_some(found)
}

/// The names under which a rule may name a host: its own, then each above it.
pub(crate) fn names(host: &str) -> impl Iterator<Item = &str> {
    let above = host.match_indices('.');
    let above = above.filter_map(|(at, _)| host.get(at.saturating_add(1)..));
    std::iter::once(host).chain(above)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_found_as_a_fetcher_finds_it_and_certain_only_in_plain_sight() {
        // url, host, certain
        for (url, host, certain) in [
            ("https://example.com", "example.com", true),
            ("https://example.com/a?b#c", "example.com", true),
            ("HTTPS://EXAMPLE.Com./", "example.com", true),
            ("http://example.com:8080/", "example.com", true),
            ("https://bücher.example/", "xn--bcher-kva.example", true),
            (
                "https://xn--bcher-kva.example/",
                "xn--bcher-kva.example",
                true,
            ),
            ("http://127.0.0.1/", "127.0.0.1", true),
            ("http://[::1]:80/", "[::1]", true),
            ("https://example.com?@evil.test", "example.com", true),
            // Read in other ways by others.
            ("https://example.com@evil.test/", "evil.test", false),
            ("https://evil.test\\@example.com/", "evil.test", false),
            ("https://user:word@example.com/", "example.com", false),
            ("https:example.com", "example.com", false),
            ("https:///example.com", "example.com", false),
            ("https://exa\tmple.com", "example.com", false),
            (" https://example.com", "example.com", false),
            ("https://ex%61mple.com/", "example.com", false),
            ("https://example。com/", "example.com", false),
            ("https://faß.de/", "xn--fa-hia.de", false),
            ("http://0x7f.1/", "127.0.0.1", false),
            ("http://2130706433/", "127.0.0.1", false),
            ("http://[::ffff:127.0.0.1]/", "127.0.0.1", false),
            // No host at all.
            ("example.com", "", false),
            ("ftp://example.com/", "", false),
            ("file:///etc/passwd", "", false),
            ("https://", "", false),
            ("https://a b/", "", false),
            ("", "", false),
        ] {
            let target = Target::of(url);
            let found = target.host.as_deref().unwrap_or_default();
            assert_eq!((found, target.is_certain), (host, certain), "{url:?}");
        }
    }

    #[test]
    fn a_domain_is_itself_and_a_star_is_what_stands_below_it() {
        // domain, host, allowed, refused
        for (domain, host, allows, refuses) in [
            ("example.com", "example.com", true, true),
            ("EXAMPLE.com.", "example.com", true, true),
            ("example.com", "www.example.com", false, true),
            ("example.com", "badexample.com", false, false),
            ("example.com", "example.com.evil.test", false, false),
            ("*.example.com", "example.com", false, false),
            ("*.example.com", "www.example.com", true, true),
            ("*.example.com", "a.b.example.com", true, true),
            ("*.example.com", "badexample.com", false, false),
            ("bücher.example", "xn--bcher-kva.example", true, true),
            ("127.0.0.1", "127.0.0.1", true, true),
            ("[::1]", "[::1]", true, true),
            ("[0:0:0::1]", "[::1]", true, true),
        ] {
            let domain = Domain::parse(domain).expect(domain);
            assert_eq!(domain.covers(host, false), allows, "{domain:?} {host}");
            assert_eq!(domain.covers(host, true), refuses, "{domain:?} {host}");
        }
    }

    #[test]
    fn what_is_no_host_is_refused_with_the_nearest_one() {
        for (text, nearest) in [
            ("https://example.com/a", Some("example.com")),
            ("example.com/", Some("example.com")),
            ("example.com:443", Some("example.com")),
            ("*example.com", Some("*.example.com")),
            ("api.*.com", Some("*.com")),
            ("user@example.com", Some("example.com")),
            ("*", None),
            ("", None),
            ("a b", None),
            ("ex%61mple.com", None),
            ("*.127.0.0.1", None),
            ("::1", None),
        ] {
            let found = Domain::parse(text).expect_err(text);
            assert_eq!(found.as_deref(), nearest, "{text}");
        }
    }
}
