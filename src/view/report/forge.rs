//! Where a commit can be looked at.
//!
//! Owns how the usual forges write their addresses. Invariant: a link is `https`, to a forge's host, of letters that need no
//! escaping; what is not certain is no link.

use crate::id::CommitId;

/// Hosts by a part of their names, and what stands between the repository and the commit there.
const FORGES: [(&str, &str); 7] = [
    ("gitlab", "/-/commit/"),
    ("github", "/commit/"),
    ("bitbucket", "/commits/"),
    ("codeberg", "/commit/"),
    ("gitea", "/commit/"),
    ("forgejo", "/commit/"),
    ("git.sr.ht", "/commit/"),
];

/// A repository on a forge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Forge {
    base: String,
}

impl Forge {
    /// That of a remote's address; none where it is none of a usual forge.
    pub(super) fn of(address: &str) -> Option<Self> {
        let (host, path) = match address.split_once("://") {
            Some(("https" | "http" | "ssh" | "git+ssh", rest)) => rest.split_once('/')?,
            Some(_) => return None,
            // As scp has it.
            None => address.split_once(':')?,
        };
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        let host = host.split_once(':').map_or(host, |(host, _)| host).to_lowercase();
        let path = path.trim_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path);
        let is_plain =
            |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~/".contains(&b));
        let is_repository = path.contains('/') && !path.split('/').any(|part| matches!(part, "" | "." | ".."));
        let is_host = host.contains('.') && !host.contains('/');
        let (_, between) = FORGES.iter().find(|(name, _)| host.contains(name))?;
        (is_plain(&host) && is_plain(path) && is_repository && is_host)
            .then(|| Self { base: format!("https://{host}/{path}{between}") })
    }

    /// Where a commit of it is.
    pub(super) fn commit(&self, id: CommitId) -> String {
        format!("{}{id}", self.base)
    }
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
            "",
        ] {
            check(none, None);
        }
    }
}
