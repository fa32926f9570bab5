//! The name of a chain of records.
//!
//! Owns its forms: as a ref, and as the name of the chain's log index. Reads nothing.

/// In front of every chain's name.
pub(crate) const REFS: &str = "refs/redraft/";

/// The name of a chain: one per clone, worktree and month.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chain {
    /// 8 letters, made with history.git.
    pub clone: String,
    /// Of the worktree.
    pub worktree: String,
    /// `yyyy-mm`.
    pub month: String,
}

impl Chain {
    /// The full name of the ref.
    pub fn ref_name(&self) -> String {
        format!("{REFS}{}/{}/{}", self.clone, self.worktree, self.month)
    }

    /// The name of the chain's log index.
    pub(crate) fn index_name(&self) -> String {
        format!("{}.{}.{}", self.clone, self.worktree, self.month)
    }

    /// The chain whose log index has this name.
    pub(crate) fn of_index(name: &str) -> Option<Self> {
        let (clone, rest) = name.split_once('.')?;
        let (worktree, month) = rest.rsplit_once('.')?;
        Self::parse(&format!("{REFS}{clone}/{worktree}/{month}"))
    }

    pub(crate) fn parse(name: &str) -> Option<Self> {
        let mut parts = name.strip_prefix(REFS)?.splitn(3, '/');
        let (clone, worktree, month) = (parts.next()?, parts.next()?, parts.next()?);
        let is_name = |part: &str| !part.is_empty() && !part.contains('/') && !part.starts_with('.');
        (is_name(clone) && is_name(worktree) && is_month(month)).then(|| Self {
            clone: clone.to_owned(),
            worktree: worktree.to_owned(),
            month: month.to_owned(),
        })
    }
}

fn is_month(text: &str) -> bool {
    let digits = |part: &str, count| part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('-').is_some_and(|(year, month)| digits(year, 4) && digits(month, 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_known_by_its_ref_and_by_its_index() {
        for worktree in ["main", "a.b"] {
            let [clone, month] = ["kkkkkkkk", "2026-01"].map(str::to_owned);
            let chain = Chain { clone, worktree: worktree.to_owned(), month };
            assert_eq!(chain.ref_name(), format!("refs/redraft/kkkkkkkk/{worktree}/2026-01"));
            assert_eq!(chain.index_name(), format!("kkkkkkkk.{worktree}.2026-01"));
            assert_eq!(Chain::parse(&chain.ref_name()).as_ref(), Some(&chain));
            assert_eq!(Chain::of_index(&chain.index_name()), Some(chain));
        }
    }

    #[test]
    fn what_is_no_chain_is_none() {
        for name in [
            "refs/heads/main",
            "refs/redraft/k/main",
            "refs/redraft//main/2026-01",
            "refs/redraft/k//2026-01",
            "refs/redraft/.k/main/2026-01",
            "refs/redraft/k/.main/2026-01",
            "refs/redraft/k/../2026-01",
            "refs/redraft/k/a/b/2026-01",
            "refs/redraft/k/main/2026-1",
            "refs/redraft/k/main/202-01",
            "refs/redraft/k/main/2026-001",
            "refs/redraft/k/main/20x6-01",
            "refs/redraft/k/main/2026-0x",
            "refs/redraft/k/main/202601",
            "refs/redraft/k/main/2026-01/x",
            "refs/redraft/k/main/2026-01.lock",
        ] {
            assert_eq!(Chain::parse(name), None, "{name}");
        }
        for name in ["k.main", "k", "", "k.a/b.2026-01", "a/b.main.2026-01", "k.main.2026-01.lock"] {
            assert_eq!(Chain::of_index(name), None, "{name}");
        }
    }
}
