//! Where a commit can be looked at.
//!
//! Owns how the usual forges write their addresses. Invariant: a link is `https`, to a host that has the name of a forge, or a label of
//! its name, of letters that need no escaping; what is not certain is no link.

use crate::id::CommitId;

/// Hosts by a label of their names (`gitlab.example.org`), and what stands between the repository and the commit there.
const LABELS: [(&str, &str); 4] =
    [("gitlab", "/-/commit/"), ("github", "/commit/"), ("gitea", "/commit/"), ("forgejo", "/commit/")];

/// Hosts by their names. One's own Bitbucket has other addresses than the one of all.
const HOSTS: [(&str, &str); 3] =
    [("bitbucket.org", "/commits/"), ("codeberg.org", "/commit/"), ("git.sr.ht", "/commit/")];

/// Where ssh goes that finds its port shut, and the host of the pages.
const BY_SSH: [(&str, &str); 2] = [("ssh.github.com", "github.com"), ("altssh.gitlab.com", "gitlab.com")];

/// A repository on a forge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Forge {
    base: String,
}

impl Forge {
    /// That of a remote's address; none where it is none of a usual forge.
    pub(super) fn of(address: &str) -> Option<Self> {
        let (scheme, (host, path)) = match address.split_once("://") {
            Some((scheme @ ("https" | "http" | "ssh" | "git+ssh"), rest)) => (scheme, rest.split_once('/')?),
            Some(_) => return None,
            // As scp has it.
            None => ("ssh", address.split_once(':')?),
        };
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        let (host, port) = host.split_once(':').map_or((host, None), |(host, port)| (host, Some(port)));
        let port = match (scheme, port) {
            (_, None) | ("ssh" | "git+ssh", _) => String::new(),
            ("https", Some(port)) if port.parse::<u16>().is_ok() => format!(":{port}"),
            // Which port https has there is not known.
            _ => return None,
        };
        let host = host.to_lowercase();
        let host = BY_SSH.iter().find(|(ssh, _)| host == *ssh).map_or(&*host, |(_, host)| *host);
        let path = path.trim_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path);
        let is_plain =
            |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~/".contains(&b));
        let is_repository = path.contains('/') && !path.split('/').any(|part| matches!(part, "" | "." | ".."));
        let is_host = host.contains('.') && !host.contains('/');
        let between = between(host)?;
        (is_plain(host) && is_plain(path) && is_repository && is_host)
            .then(|| Self { base: format!("https://{host}{port}/{path}{between}") })
    }

    /// Where a commit of it is.
    pub(super) fn commit(&self, id: CommitId) -> String {
        format!("{}{id}", self.base)
    }
}

/// What stands between a repository and a commit at a host; none where it is none of a forge.
fn between(host: &str) -> Option<&'static str> {
    let named = HOSTS.iter().find(|(name, _)| host == *name);
    let labelled = || LABELS.iter().find(|(name, _)| host.split('.').any(|label| label == *name));
    named.or_else(labelled).map(|(_, between)| *between)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_forges_are_known_by_any_of_their_addresses() {
        let check = |address: &str, want: Option<&str>| {
            assert_eq!(Forge::of(address).map(|forge| forge.base).as_deref(), want, "{address}");
        };
        let github = Some("https://github.com/o/r/commit/");
        check("https://github.com/o/r.git", github);
        check("https://user:secret@github.com/o/r", github);
        check("git@github.com:o/r.git", github);
        check("ssh://git@github.com:22/o/r.git/", github);
        check("git@gitlab.example.org:g/s/r.git", Some("https://gitlab.example.org/g/s/r/-/commit/"));
        check("https://codeberg.org/o/r.js", Some("https://codeberg.org/o/r.js/commit/"));
        check("https://git.sr.ht/~o/r", Some("https://git.sr.ht/~o/r/commit/"));
        check("git@bitbucket.org:o/r.git", Some("https://bitbucket.org/o/r/commits/"));
        check("ssh://git@ssh.github.com:443/o/r.git", github);
        check("https://gitea.example.org:3000/o/r", Some("https://gitea.example.org:3000/o/r/commit/"));
        check("ssh://git@gitea.example.org:2222/o/r", Some("https://gitea.example.org/o/r/commit/"));
        for none in [
            "/srv/git/github/r",
            "../github.com/r",
            "file:///github.com/o/r",
            "javascript://github.com/%0aalert(1)",
            "https://github.com/o/r?x=<script>",
            "https://github.com/o/\"onclick=",
            "https://github.com/../x",
            "https://git.example.org/o/r",
            "https://github.com",
            "https://notgithub.example/o/r",
            "https://bitbucket.example.org/scm/p/r",
            "http://gitea.example.org:3000/o/r",
            "https://gitea.example.org:\"/o/r",
            "https://gitea.example.org:/o/r",
            "",
        ] {
            check(none, None);
        }
    }
}
