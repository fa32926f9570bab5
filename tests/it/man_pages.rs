//! Man pages: as their readers get them.

use crate::support::TestRepo;
use std::path::PathBuf;
use std::process::Command;

fn pages() -> (TestRepo, Vec<PathBuf>) {
    let repo = TestRepo::new();
    std::fs::create_dir(repo.outside().join("man")).expect("a folder");
    let answer = repo.redraft(&["man", "--out", "../man"], "");
    assert_eq!(answer.status, 0, "{}", answer.err);
    let listed = std::fs::read_dir(repo.outside().join("man")).expect("a folder");
    let mut pages: Vec<PathBuf> = listed.map(|entry| entry.expect("an entry").path()).collect();
    pages.sort();
    std::fs::write(repo.outside().join("man/of-one"), repo.redraft(&["man"], "").out).expect("writes");
    pages.push(repo.outside().join("man/of-one"));
    (repo, pages)
}

#[test]
fn mandoc_finds_nothing_in_any_page() {
    let (repo, pages) = pages();
    assert!(pages.len() > 30, "{pages:?}");
    let bad = repo.outside().join("bad");
    std::fs::write(&bad, ".TH x\nspace \n").expect("writes");
    let lint = |pages: &[PathBuf]| Command::new("mandoc").arg("-Tlint").args(pages).output();
    let Ok(found) = lint(&[bad]) else {
        eprintln!("left out: mandoc is not here");
        return;
    };
    assert!(!found.stdout.is_empty(), "it finds what is wrong");
    let found = lint(&pages).expect("mandoc runs");
    assert_eq!(String::from_utf8_lossy(&found.stdout), "", "{found:?}");
    assert!(found.status.success(), "{found:?}");
}

#[test]
fn a_page_has_its_command_its_examples_as_they_are_and_the_day_of_the_source() {
    let (repo, pages) = pages();
    let named = |name: &str| pages.iter().any(|page| page.ends_with(name));
    assert!(named("redraft.1") && named("redraft-undo.1") && named("redraft-backups-prune.1"), "{pages:?}");
    assert!(!named("redraft-git-hook.1") && !named("redraft-complete.1"), "what is hidden has no page");
    let page = std::fs::read_to_string(repo.outside().join("man/redraft-undo.1")).expect("a page");
    assert!(page.contains(".SH SYNOPSIS\n.nf\n\\fBredraft undo\\fR [OPTIONS] [ID]... [\\-\\- <PATH>...]\n"), "{page}");
    assert!(page.contains("\nredraft undo @\\-2                   # the one two before the newest record\n"), "{page}");
    assert!(page.lines().all(|line| line == line.trim_end()), "{page}");
    let ran = crate::support::run::finish(
        crate::support::run::command(&repo.root(), &["man"]).env("SOURCE_DATE_EPOCH", "86400"),
        b"",
    );
    assert!(ran.text().contains(".TH REDRAFT 1 1970-01-02 "), "{}", ran.text());
}
