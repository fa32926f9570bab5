//! The uncut preview, judged by git: `git apply` takes it on the files before and makes the files after of them.

use crate::change::ChangeKind;
use crate::patch::diff::{DiffFile, DiffLimits, preview};
use crate::patch::{FilePatch, Origin, Splice};
use crate::path::RepoPath;
use crate::strategy::Strategy as Way;
use proptest::collection::vec;
use proptest::prelude::*;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const ALL: DiffLimits = DiffLimits { lines: 0, bytes: 0 };

struct Case {
    path: &'static str,
    from: Option<&'static str>,
    change: ChangeKind,
    base: Vec<u8>,
    patch: FilePatch,
}

fn git(root: &Path, args: &[&str], input: &str) -> Result<(), String> {
    let mut child = Command::new("git")
        .args(args)
        .current_dir(root)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("git runs");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("git reads its input");
    let output = child.wait_with_output().expect("git ends");
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// Applies the preview of all cases at once, and looks at every file.
fn check(cases: &[Case]) {
    let root = tempfile::tempdir().expect("a folder");
    git(root.path(), &["init", "-q"], "").expect("a repository");
    let paths: Vec<_> = cases
        .iter()
        .map(|case| {
            let path = |name: &str| RepoPath::new(name.as_bytes()).expect("a path");
            (path(case.path), case.from.map(path))
        })
        .collect();
    for case in cases.iter().filter(|case| case.change != ChangeKind::Create) {
        let file = root.path().join(case.from.unwrap_or(case.path));
        std::fs::create_dir_all(file.parent().expect("below the root")).expect("folders");
        std::fs::write(file, &case.base).expect("the file before");
    }
    let files: Vec<DiffFile<'_>> = cases
        .iter()
        .zip(&paths)
        .map(|(case, (path, from))| DiffFile {
            path,
            from: from.as_ref(),
            change: case.change,
            mode: 0o100_644,
            mode_before: None,
            before_id: None,
            after_id: None,
            base: &case.base,
            patch: &case.patch,
        })
        .collect();
    let shown = preview(&files, ALL);
    assert!(!shown.truncated && !shown.lossy);
    if !shown.text.is_empty() {
        git(root.path(), &["apply", "--whitespace=nowarn"], &shown.text)
            .unwrap_or_else(|told| panic!("{told}\n{}", shown.text));
    }
    for case in cases {
        let after = std::fs::read(root.path().join(case.path)).ok();
        let want = (case.change != ChangeKind::Delete).then(|| case.patch.apply(&case.base));
        assert_eq!(after, want, "{}\n{}", case.path, shown.text);
        assert!(case.from.is_none_or(|from| !root.path().join(from).exists()));
    }
}

fn patch(base: &[u8], parts: &[(usize, usize, String)]) -> FilePatch {
    let mut splices: Vec<Splice> = Vec::new();
    let mut at = 0;
    for (gap, removed, new) in parts {
        let (start, end) = (at + gap, at + gap + removed);
        if end > base.len() || splices.last().is_some_and(|last| last.range == (start..end)) {
            break;
        }
        let origin = vec![Origin { edit: 0, strategy: Way::Exact }];
        splices.push(Splice { range: start..end, replacement: new.clone().into_bytes(), origin });
        at = end;
    }
    FilePatch::new(base.len(), splices).expect("made in order, without clash")
}

fn whole(len: usize, new: &str) -> FilePatch {
    let origin = vec![Origin { edit: 0, strategy: Way::Exact }];
    let splice = Splice { range: 0..len, replacement: new.into(), origin };
    FilePatch::new(len, vec![splice]).expect("one splice")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_patches_are_taken_by_git(
        files in vec(("([a-c]{0,2}\r?\n){0,40}[ab]{0,2}", vec((0..30usize, 0..6usize, "[a-c\n]{0,4}"), 0..8)), 4..12),
    ) {
        const NAMES: [&str; 12] =
            ["a", "b b", "d/c", "ä", "q\"", "t\tab", "back\\slash", "n\nl", "sp /x y", "-dash", "e e/ä", "z"];
        let cases: Vec<Case> = files
            .iter()
            .zip(NAMES)
            .map(|((base, parts), path)| {
                let base = base.clone().into_bytes();
                let patch = patch(&base, parts);
                Case { path, from: None, change: ChangeKind::Modify, base, patch }
            })
            .collect();
        check(&cases);
    }
}

#[test]
fn files_are_made_removed_and_moved() {
    let made =
        |path, text: &str| Case { path, from: None, change: ChangeKind::Create, base: vec![], patch: whole(0, text) };
    let removed = |path, text: &str| {
        let patch = if text.is_empty() { FilePatch::new(0, vec![]).expect("nothing") } else { whole(text.len(), "") };
        Case { path, from: None, change: ChangeKind::Delete, base: text.into(), patch }
    };
    let moved = |from, path, base: &str, parts: &[(usize, usize, String)]| {
        let patch = patch(base.as_bytes(), parts);
        Case { path, from: Some(from), change: ChangeKind::Rename, base: base.into(), patch }
    };
    let long: String = (0..40).map(|n| format!("line {n}\n")).collect();
    check(&[
        made("new", "a\nb\n"),
        made("new dir/no newline", "a"),
        made("leer é", ""),
        Case { patch: FilePatch::new(0, vec![]).expect("nothing"), ..made("empty", "") },
        removed("old", "a\nb\n"),
        removed("old no newline", "a\nb"),
        removed("old empty", ""),
        moved("from here", "to there/x", &long, &[]),
        moved("from ä", "to \"b\"", &long, &[(30, 4, "LINE".to_owned())]),
        moved("f", "g", "a", &[(0, 1, "b\n".to_owned())]),
    ]);
}
