//! The print of a diff: headers, hunks, lines.
//!
//! Owns the order of what is shown of a file. Does not cut: that is `out.rs`. The lines of files that are new as a whole are
//! counted also where they are not shown.
//! Invariant: uncut and not lossy, `git apply` takes the text on the files before and makes the files after of them.

use super::file::DiffFile;
use super::header;
use super::hunks::{Hunk, Hunks};
use super::out::{DiffLimits, Out, Preview};
use crate::change::ChangeKind;
use memchr::memchr_iter;
use std::ops::Range;

/// Shows what patches change. What lies beyond the limits costs nothing, but for the rest of the hunk that was cut.
pub fn preview(files: &[DiffFile<'_>], limits: DiffLimits) -> Preview {
    let mut out = Out::new(limits);
    for file in files {
        let added = out.lines_added();
        if !out.is_cut() {
            show_file(file, &mut out);
        }
        if out.is_cut() && file.change == ChangeKind::Create {
            // A file that is new as a whole needs no preview to be counted.
            out.count_added(added + lines_of(file));
        }
    }
    out.into_preview()
}

/// The lines of a file that was not there before.
fn lines_of(file: &DiffFile<'_>) -> usize {
    let lines =
        |text: &[u8]| memchr_iter(b'\n', text).count() + usize::from(!text.is_empty() && !text.ends_with(b"\n"));
    file.patch.splices().iter().map(|splice| lines(&splice.replacement)).sum()
}

fn show_file(file: &DiffFile<'_>, out: &mut Out) {
    let mut hunks = Hunks::new(file.base, file.patch).peekable();
    if file.change == ChangeKind::Modify && hunks.peek().is_none() && file.other_mode().is_none() {
        return;
    }
    for line in header::lines(file, hunks.peek()) {
        out.header(&line);
    }
    for hunk in hunks {
        if out.is_cut() {
            return;
        }
        show_hunk(&hunk, out);
    }
}

fn show_hunk(hunk: &Hunk<'_>, out: &mut Out) {
    let span = |lines: &Range<usize>| match lines.len() {
        1 => lines.start.to_string(),
        count => format!("{},{count}", lines.start),
    };
    out.header(&format!("@@ -{} +{} @@", span(&hunk.before), span(&hunk.after)));
    for line in hunk.lines() {
        if out.is_cut() {
            return;
        }
        out.line(&line);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::single_range_in_vec_init, reason = "the one place is the answer")]
    use super::*;
    use crate::patch::FilePatch;
    use crate::patch::{Origin, Splice};
    use crate::path::RepoPath;
    use crate::strategy::Strategy;

    const ALL: DiffLimits = DiffLimits { lines: 0, bytes: 0 };

    fn patch(base: &[u8], splices: &[(Range<usize>, &str)]) -> FilePatch {
        let splices = splices.iter().map(|(range, new)| Splice {
            range: range.clone(),
            replacement: new.as_bytes().to_vec(),
            origin: vec![Origin { edit: 0, strategy: Strategy::Exact }],
        });
        FilePatch::new(base.len(), splices.collect()).expect("disjoint")
    }

    fn show(change: ChangeKind, base: &[u8], splices: &[(Range<usize>, &str)], limits: DiffLimits) -> Preview {
        let (path, from) = (RepoPath::new(b"b.txt").expect("a path"), RepoPath::new(b"a.txt").expect("a path"));
        let from = (change == ChangeKind::Rename).then_some(&from);
        let patch = patch(base, splices);
        let file = DiffFile {
            path: &path,
            from,
            change,
            mode: 0o100_644,
            mode_before: None,
            before_id: None,
            after_id: None,
            base,
            patch: &patch,
        };
        preview(&[file], limits)
    }

    /// The hunks of a modification.
    fn check(base: &str, splices: &[(Range<usize>, &str)], want: &str) {
        let shown = show(ChangeKind::Modify, base.as_bytes(), splices, ALL);
        let headers = "diff --git a/b.txt b/b.txt\n--- a/b.txt\n+++ b/b.txt\n";
        assert_eq!(shown.text.strip_prefix(headers), Some(want));
        let lines = |mark| want.lines().filter(|line| line.starts_with(mark)).count();
        assert_eq!((shown.lines_added, shown.lines_removed), (lines('+'), lines('-')));
        assert!(!shown.truncated && !shown.lossy);
    }

    #[test]
    fn a_change_within_a_line_shows_the_line_and_three_around_it() {
        let base = "1\n2\n3\n4\n5 x\n6\n7\n8\n9\n";
        check(base, &[(10..11, "y")], "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5 x\n+5 y\n 6\n 7\n 8\n");
    }

    #[test]
    fn changes_whose_context_meets_share_a_hunk() {
        let base: String = (10..30).map(|n| format!("{n}\n")).collect();
        check(
            &base,
            &[(0..3, ""), (21..23, "x"), (51..51, "new\n")],
            "@@ -1,11 +1,10 @@\n-10\n 11\n 12\n 13\n 14\n 15\n 16\n-17\n+x\n 18\n 19\n 20\n@@ -15,6 +14,7 @@\n 24\n 25\n 26\n+new\n 27\n 28\n 29\n",
        );
    }

    #[test]
    fn only_the_lines_of_a_splice_that_differ_are_shown() {
        check("a\nb\nc\nd\n", &[(0..8, "a\nX\nc\nY\n")], "@@ -1,4 +1,4 @@\n a\n-b\n+X\n c\n-d\n+Y\n");
    }

    #[test]
    fn a_line_that_several_splices_touch_is_shown_once() {
        check(
            "a b c\nd\n",
            &[(0..1, "A"), (4..5, "C"), (6..6, "new\n")],
            "@@ -1,2 +1,3 @@\n-a b c\n+A b C\n+new\n d\n",
        );
        check("a\nb\n", &[(1..2, " ")], "@@ -1,2 +1 @@\n-a\n-b\n+a b\n");
    }

    /// As every place of a replace_all does; a line that is searched at each takes minutes.
    #[test]
    fn a_line_that_a_hundred_thousand_splices_touch_is_searched_once() {
        let base = "a ".repeat(100_000) + "\n";
        let splices: Vec<_> = (0..100_000).map(|n| (2 * n..2 * n + 1, "b")).collect();
        let after = base.replace('a', "b");
        check(&base, &splices, &format!("@@ -1 +1 @@\n-{base}+{after}"));
    }

    #[test]
    fn a_missing_final_newline_is_told() {
        let mark = "\\ No newline at end of file\n";
        check("a\nb", &[(2..3, "c\n")], &format!("@@ -1,2 +1,2 @@\n a\n-b\n{mark}+c\n"));
        check("a\nb", &[(0..1, "A")], &format!("@@ -1,2 +1,2 @@\n-a\n+A\n b\n{mark}"));
        check("a", &[(0..1, "b"), (1..1, "\nc")], &format!("@@ -1 +1,2 @@\n-a\n{mark}+b\n+c\n{mark}"));
    }

    #[test]
    fn carriage_returns_are_kept() {
        check("a\r\nb\r\n", &[(0..1, "A")], "@@ -1,2 +1,2 @@\n-a\r\n+A\r\n b\r\n");
    }

    #[test]
    fn creation_deletion_and_rename_have_gits_headers() {
        let text = |change, base: &str, splices: &[_]| show(change, base.as_bytes(), splices, ALL).text;
        assert_eq!(
            text(ChangeKind::Create, "", &[(0..0, "a\n")]),
            "diff --git a/b.txt b/b.txt\nnew file mode 100644\n--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+a\n"
        );
        assert_eq!(text(ChangeKind::Create, "", &[]), "diff --git a/b.txt b/b.txt\nnew file mode 100644\n");
        assert_eq!(
            text(ChangeKind::Delete, "a\n", &[(0..2, "")]),
            "diff --git a/b.txt b/b.txt\ndeleted file mode 100644\n--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
        );
        let renamed = "diff --git a/a.txt b/b.txt\nsimilarity index 100%\nrename from a.txt\nrename to b.txt\n";
        assert_eq!(text(ChangeKind::Rename, "a\n", &[]), renamed);
        assert_eq!(text(ChangeKind::Modify, "a\n", &[(0..1, "a")]), "");
    }

    #[test]
    fn a_preview_is_cut_at_a_line_and_counts_what_it_shows() {
        let base: String = (0..200).map(|n| format!("{n}\n")).collect();
        let splices = [(0..base.len(), "x\n")];
        let shown = show(ChangeKind::Modify, base.as_bytes(), &splices, DiffLimits::default());
        assert_eq!((shown.text.lines().count(), shown.truncated), (100, true));
        assert_eq!((shown.lines_added, shown.lines_removed), (0, 96));
        let shown = show(ChangeKind::Modify, base.as_bytes(), &splices, DiffLimits { lines: 0, bytes: 70 });
        assert!(shown.text.ends_with("@@\n-0\n") && shown.text.len() <= 70 && shown.truncated, "{}", shown.text);
        let shown = show(ChangeKind::Modify, b"a\n", &[(0..1, "b")], DiffLimits { lines: 6, bytes: 0 });
        assert!(!shown.truncated);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_shown_as_replacement_characters() {
        let shown = show(ChangeKind::Modify, b"caf\xe9 x\n", &[(5..6, "y")], ALL);
        assert!(shown.lossy && shown.text.ends_with("-caf\u{fffd} x\n+caf\u{fffd} y\n"), "{}", shown.text);
    }
}
