//! Reading an index that is large, and writing one without a copy.

use super::{open, path};
use crate::git::{IndexLock, IndexLookup, Repo, is_index};
use crate::id::BlobId;
use crate::testing::TestRepo;
use std::path::Path;
use std::time::Duration;

/// Enough entries that an index is gone through by two threads.
const MANY: usize = 14_000;

/// A repository with a large index.
fn large() -> TestRepo {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    let opened = open(&repo);
    let id: BlobId = repo.git(&["rev-parse", "HEAD:a.txt"]).trim().parse().expect("an id");
    let entry = |n| (path(&format!("a-folder/of-many-files/{n:06}.txt")), Some((id, 0o100_644)));
    let entries: Vec<_> = (0..MANY).map(entry).collect();
    opened.update_index(&opened.index_path(), &entries).expect("a large index");
    assert!(repo.read(".git/index").len() > 1 << 20);
    repo
}

fn lookup(repo: &Repo) -> IndexLookup {
    repo.read_index(&repo.index_path()).expect("an index").lookup(&path("a-folder/of-many-files/007777.txt"))
}

fn flip(repo: &TestRepo, name: &str, at: impl Fn(usize) -> usize) {
    let mut bytes = repo.read(name);
    let at = at(bytes.len());
    bytes[at] ^= 1;
    repo.write(name, bytes);
}

/// In the id of an entry, so that nothing else can be wrong with it.
fn in_an_id(_: usize) -> usize {
    12 + 45
}

#[test]
fn a_large_index_is_read_and_one_that_does_not_add_up_is_refused() {
    let repo = large();
    assert!(matches!(lookup(&open(&repo)), IndexLookup::Entry(_)));
    let whole = repo.read(".git/index");
    for at in [in_an_id, |len| len - 1] {
        flip(&repo, ".git/index", at);
        let opened = open(&repo);
        assert!(opened.read_index(&opened.index_path()).is_err());
        repo.write(".git/index", &whole);
    }
    repo.git(&["-c", "index.skipHash=true", "update-index", "--force-write-index"]);
    assert!(repo.read(".git/index").ends_with(&[0; 20]));
    assert!(matches!(lookup(&open(&repo)), IndexLookup::Entry(_)));
}

#[test]
fn of_a_split_index_the_shared_file_must_add_up_too() {
    let repo = large();
    repo.git(&["update-index", "--split-index"]);
    let names = std::fs::read_dir(repo.root().join(".git")).expect("a folder");
    let mut names = names.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"));
    let shared = names.find(|name| name.starts_with("sharedindex.")).expect("a shared index");
    assert!(matches!(lookup(&open(&repo)), IndexLookup::Entry(_)));
    flip(&repo, &format!(".git/{shared}"), in_an_id);
    let opened = open(&repo);
    assert!(opened.read_index(&opened.index_path()).is_err());
}

fn locked<'r>(repo: &'r Repo, scratch: &Path) -> IndexLock<'r> {
    IndexLock::take(repo, &repo.index_path(), Duration::ZERO, scratch).expect("the lock")
}

#[test]
fn an_index_stays_as_it_is_until_the_new_one_takes_its_place() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    let opened = open(&repo);
    let scratch = repo.outside().join("scratch");
    // What a killed run left: a name of the index itself.
    std::fs::hard_link(repo.root().join(".git/index"), &scratch).expect("a link");
    let id: BlobId = repo.git(&["rev-parse", "HEAD:a.txt"]).trim().parse().expect("an id");
    for changes in [vec![(path("b.txt"), Some((id, 0o100_644)))], vec![(path("b.txt"), None)], vec![]] {
        let lock = locked(&opened, &scratch);
        let before = repo.read(".git/index");
        let new = lock.write(&lock.read().expect("an index"), &changes).expect("a new index");
        assert_eq!(repo.read(".git/index"), before);
        assert!(is_index(&repo.read(".git/index.lock"), new));
        lock.commit().expect("its place");
        assert!(!repo.root().join(".git/index.lock").exists() && !scratch.exists(), "{changes:?}");
    }
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert_eq!(repo.git(&["ls-files"]), "a.txt\n");
}

#[test]
fn a_copy_of_the_index_is_its_own_file_though_a_name_of_the_index_is_there() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    let opened = open(&repo);
    let copy = repo.outside().join("copy");
    let old = repo.read(".git/index");
    std::fs::hard_link(repo.root().join(".git/index"), &copy).expect("a link");
    locked(&opened, &repo.outside().join("scratch")).copy_to(&copy).expect("a copy");
    assert_eq!([std::fs::read(&copy).expect("a copy"), repo.read(".git/index")], [old.clone(), old]);
    std::fs::write(&copy, b"").expect("a write");
    assert!(!repo.read(".git/index").is_empty());
}
