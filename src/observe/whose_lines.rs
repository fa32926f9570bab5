//! Whose the lines are that differ between two texts of a file: git's, which commits brought that were there before or came from elsewhere, or
//! those of the command that ran.
//!
//! Owns that decision, by lines and what stands beside them, and what the text was without the command's lines. Pure.
//! Invariant: every line of that text is in one of the two; where no line is git's it is the first, where all are the second.

use crate::patch::diff::differing_lines;
use crate::text::{has_conflicts, has_word, is_conflict_mark, split_lines, without_eol};
use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// The texts of a file that a commit stands between: those of its parents, and its own; nothing where there is no file.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) old: Vec<Vec<u8>>,
    pub(super) new: Vec<u8>,
}

/// The lines that some commits put into a file, and took out, in whatever form they end.
#[derive(Debug, Default)]
pub(super) struct Written {
    added: HashSet<Vec<u8>>,
    removed: HashSet<Vec<u8>>,
    /// Each of these lines with the one with a word that stands before it, or behind it, in some version.
    beside: HashSet<u64>,
}

/// Whose a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    Git,
    Command,
    /// It stands on both sides, with another end.
    Both,
}

/// What is known of a file.
pub(super) struct Known<'a> {
    /// What commits did that were there before, or came from elsewhere.
    pub(super) git: &'a Written,
    /// What commits did that were made meanwhile.
    pub(super) command: &'a Written,
    /// The text that HEAD had, and that it has; nothing where it has none.
    pub(super) heads: [&'a [u8]; 2],
    /// Whose a line is of which no commit tells.
    pub(super) rest: Whose,
}

impl Written {
    /// What these commits wrote.
    pub(super) fn by(steps: &[Step]) -> Self {
        let mut it = Self::default();
        for step in steps {
            let own: Vec<_> = step.old.iter().map(|old| changed(old, &step.new)).collect();
            let in_all = |side: usize| {
                let (first, others) = own.split_first()?;
                let is_in_all = |line: &&&[u8]| others.iter().all(|other| other[side].contains(**line));
                Some(first[side].iter().filter(is_in_all).map(|line| line.to_vec()).collect::<Vec<_>>())
            };
            it.removed.extend(in_all(0).unwrap_or_default());
            it.added.extend(in_all(1).unwrap_or_default());
        }
        for text in steps.iter().flat_map(|step| step.old.iter().chain([&step.new])) {
            let lines = Lines::of(text);
            for (n, line) in lines.all.iter().enumerate() {
                if it.added.contains(*line) || it.removed.contains(*line) {
                    it.beside.extend(lines.pairs(n));
                }
            }
        }
        it
    }

    /// Whether they wrote nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty()
    }

    fn is_beside(&self, lines: &Lines<'_>, n: usize) -> bool {
        lines.pairs(n).iter().any(|pair| self.beside.contains(pair))
    }
}

/// A text in lines without their ends.
struct Lines<'a> {
    all: Vec<&'a [u8]>,
    /// Where each of them stands.
    sides: Vec<Side>,
}

/// Where a line stands in what git leaves of a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Outside,
    /// With which git marks it, or of what both sides come from.
    Mark,
    /// Behind so many marks.
    Within(u8),
}

impl<'a> Lines<'a> {
    fn of(text: &'a [u8]) -> Self {
        let all: Vec<&[u8]> = split_lines(text).map(without_eol).collect();
        let has_conflicts = has_conflicts(text);
        let (mut at, mut is_base) = (Side::Outside, false);
        let sides = all.iter().map(|line| {
            let within = match at {
                Side::Within(marks) => marks,
                Side::Outside | Side::Mark => 0,
            };
            let begins = within == 0 && is_conflict_mark(line, "<<<<<<<");
            let goes_on = within > 0 && ["|||||||", "======="].iter().any(|mark| is_conflict_mark(line, mark));
            let ends = within > 0 && is_conflict_mark(line, ">>>>>>>");
            at = if begins || goes_on {
                Side::Within(within + 1)
            } else if ends {
                Side::Outside
            } else {
                at
            };
            is_base = goes_on && is_conflict_mark(line, "|||||||") || (is_base && !goes_on && !ends);
            if begins || goes_on || ends || is_base { Side::Mark } else { at }
        });
        let sides = if has_conflicts { sides.collect() } else { vec![Side::Outside; all.len()] };
        Self { all, sides }
    }

    /// Whether a line is one with which git marks a conflict.
    fn marks(&self, n: usize) -> bool {
        self.sides[n] == Side::Mark
    }

    /// A line with the nearest one with a word before it, and with that behind it, on its side of a conflict.
    fn pairs(&self, n: usize) -> [u64; 2] {
        let is_word = |&m: &usize| {
            let side = self.sides[m];
            let is_its = side == Side::Outside || side == self.sides[n] || self.sides[n] == Side::Outside;
            has_word(self.all[m]) && side != Side::Mark && is_its
        };
        let (before, behind) = ((0..n).rev().find(is_word), (n + 1..self.all.len()).find(is_word));
        let hash = |side: u8, other: Option<usize>| {
            let mut hasher = DefaultHasher::new();
            (side, other.map(|m| self.all[m]), self.all[n]).hash(&mut hasher);
            hasher.finish()
        };
        [hash(0, before), hash(1, behind)]
    }
}

/// The lines that stand in one of two texts alone, or elsewhere than in the other: of the first, and of the second. One that ends otherwise
/// neither went nor came.
fn changed<'a>(old: &'a [u8], new: &'a [u8]) -> [HashSet<&'a [u8]>; 2] {
    let (mut gone, mut come) = (HashSet::new(), HashSet::new());
    for (was, is) in differing_lines(old, new) {
        let [was, is]: [HashSet<&[u8]>; 2] =
            [&old[was], &new[is]].map(|text| split_lines(text).map(without_eol).collect());
        gone.extend(was.difference(&is));
        come.extend(is.difference(&was));
    }
    [gone, come]
}

/// What a text was before the command edited it: the first of two with all that git made of it.
pub(super) fn without_edits(before: &[u8], after: &[u8], known: &Known<'_>) -> Vec<u8> {
    let [head_then, head_now] = known.heads;
    let [went, came] = changed(head_then, head_now);
    let (old, new) = (Lines::of(before), Lines::of(after));
    // What HEAD has otherwise, and no commit that was made meanwhile did, git brought.
    let told =
        |by_command: &HashSet<Vec<u8>>, has_moved: bool, line: &[u8]| match (by_command.contains(line), has_moved) {
            (true, _) => Whose::Command,
            (false, true) => Whose::Git,
            (false, false) => known.rest,
        };
    let of_new = |n: usize| {
        let line = new.all[n];
        let is_git = new.marks(n) || (known.git.added.contains(line) && known.git.is_beside(&new, n));
        if is_git { Whose::Git } else { told(&known.command.added, came.contains(line), line) }
    };
    let of_old = |n: usize| {
        let line = old.all[n];
        let is_git = known.git.removed.contains(line) && known.git.is_beside(&old, n);
        if is_git { Whose::Git } else { told(&known.command.removed, went.contains(line), line) }
    };
    let mut out = Vec::new();
    let (mut at, mut lines) = (0, [0, 0]);
    for (was, is) in differing_lines(before, after) {
        let same = &before[at..was.start];
        out.extend_from_slice(same);
        let skipped = split_lines(same).count();
        lines = lines.map(|line| line + skipped);
        let (gone, come): (Vec<&[u8]>, Vec<&[u8]>) =
            (split_lines(&before[was.clone()]).collect(), split_lines(&after[is]).collect());
        let gone_of = gone.iter().enumerate().map(|(n, line)| (*line, of_old(lines[0] + n))).collect();
        let come_of = come.iter().enumerate().map(|(n, line)| (*line, of_new(lines[1] + n))).collect();
        put(&mut out, &mixed(gone_of, come_of));
        lines = [lines[0] + gone.len(), lines[1] + come.len()];
        at = was.end;
    }
    put(&mut out, &[&before[at..]]);
    out
}

/// The lines of a place that stood there before the command edited it.
fn mixed<'a>(mut old: Vec<(&'a [u8], Whose)>, mut new: Vec<(&'a [u8], Whose)>) -> Vec<&'a [u8]> {
    let is_on =
        |other: &[(&[u8], Whose)], line: &[u8]| other.iter().any(|(other, _)| without_eol(other) == without_eol(line));
    let both = |lines: &[(&'a [u8], Whose)], other: &[(&'a [u8], Whose)]| -> Vec<(&'a [u8], Whose)> {
        let of = |&(line, whose): &(&'a [u8], Whose)| (line, if is_on(other, line) { Whose::Both } else { whose });
        lines.iter().map(of).collect()
    };
    (old, new) = (both(&old, &new), both(&new, &old));
    let has = |lines: &[(&[u8], Whose)], whose: Whose| lines.iter().any(|(_, of)| *of == whose);
    // The end of a line is whose the lines beside it are.
    let of_both = if has(&old, Whose::Git) || has(&new, Whose::Git) { Whose::Git } else { Whose::Command };
    let lines = old.iter_mut().chain(&mut new);
    lines.filter(|(_, whose)| *whose == Whose::Both).for_each(|(_, whose)| *whose = of_both);
    let (git, command) = (Whose::Git, Whose::Command);
    if !has(&new, git) && (!has(&old, git) || has(&new, command)) {
        return old.into_iter().map(|(line, _)| line).collect();
    }
    let is_gits = |(_, whose): &&(&'a [u8], Whose)| *whose == git;
    // What the command took out stood where it put something in; else behind as many of git's lines as went before it.
    let mut gone: Vec<(usize, &'a [u8])> = Vec::new();
    for (n, (line, _)) in old.iter().enumerate().filter(|(_, (_, whose))| *whose == command) {
        gone.push((old[..n].iter().filter(is_gits).count(), line));
    }
    let (mut gone, mut out, mut come) = (gone.into_iter().peekable(), Vec::new(), 0);
    let has_own = has(&new, command);
    for (line, whose) in &new {
        if *whose == command {
            out.extend(gone.next().map(|(_, line)| line));
            continue;
        }
        while let Some((_, line)) = gone.next_if(|(before, _)| !has_own && *before <= come) {
            out.push(line);
        }
        out.push(*line);
        come += 1;
    }
    out.extend(gone.map(|(_, line)| line));
    out
}

/// Puts lines behind others, none into another.
fn put(out: &mut Vec<u8>, lines: &[&[u8]]) {
    for line in lines.iter().filter(|line| !line.is_empty()) {
        if !out.is_empty() && !out.ends_with(b"\n") {
            out.extend_from_slice(if line.ends_with(b"\r\n") { b"\r\n" } else { b"\n" });
        }
        out.extend_from_slice(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn step(old: &[&str], new: &str) -> Step {
        Step { old: old.iter().map(|old| old.as_bytes().to_vec()).collect(), new: new.as_bytes().to_vec() }
    }

    /// What stood before the command's edits, where git's commits, and the command's, did this, and HEAD went from one text to another.
    fn was(texts: [&str; 2], git: &[Step], command: &[Step], heads: [&str; 2]) -> String {
        let (git, command) = (Written::by(git), Written::by(command));
        let heads = heads.map(str::as_bytes);
        let known = Known { git: &git, command: &command, heads, rest: Whose::Command };
        String::from_utf8(without_edits(texts[0].as_bytes(), texts[1].as_bytes(), &known)).expect("text")
    }

    #[test]
    fn what_a_merge_brought_stood_there_before_the_edit() {
        let (base, bob, now) = ("1\n2\n3\n4\n5\n", "1\n2\n3 bob\n4\n5\n", "1\n2\n3 bob\n4\n5 bot\n");
        let git = [step(&[base], bob)];
        assert_eq!(was([base, now], &git, &[step(&[base], "1\n2\n3\n4\n5 bot\n")], [base, now]), bob);
        // Nothing tells of the commit, and HEAD has it now.
        assert_eq!(was([base, now], &[], &[step(&[base], "1\n2\n3\n4\n5 bot\n")], [base, now]), bob);
        // Nobody committed anything.
        assert_eq!(was([base, now], &git, &[], [base, base]), bob);
        assert_eq!(was([base, now], &[], &[], [base, base]), base);
        assert_eq!(was([base, bob], &git, &[], [base, base]), bob);
    }

    #[test]
    fn lines_side_by_side_are_told_apart() {
        let (base, now) = ("a\nb\nc\nd\n", "a\nb bob\nc bot\nd\n");
        assert_eq!(was([base, now], &[step(&[base], "a\nb bob\nc\nd\n")], &[], [base, base]), "a\nb bob\nc\nd\n");
        assert_eq!(was([base, now], &[step(&[base], "a\nb\nc bot\nd\n")], &[], [base, base]), "a\nb\nc bot\nd\n");
        assert_eq!(
            was([base, "a\nb bot\nc bob\nd\n"], &[step(&[base], "a\nb\nc bob\nd\n")], &[], [base, base]),
            "a\nb\nc bob\nd\n"
        );
        // The command took out the one above what git brought, or that below.
        assert_eq!(
            was([base, "a\nc bob\nd\n"], &[step(&[base], "a\nb\nc bob\nd\n")], &[], [base, base]),
            "a\nb\nc bob\nd\n"
        );
        assert_eq!(
            was([base, "a\nb bob\nd\n"], &[step(&[base], "a\nb bob\nc\nd\n")], &[], [base, base]),
            "a\nb bob\nc\nd\n"
        );
        // Git took one out, and the command the next.
        assert_eq!(was([base, "a\nd\n"], &[step(&[base], "a\nc\nd\n")], &[], [base, base]), "a\nc\nd\n");
        // What the command made of a line that git took away stands for that.
        assert_eq!(was([base, "a\nb bot\nc\nd\n"], &[step(&[base], "a\nb bob\nc\nd\n")], &[], [base, base]), base);
    }

    #[test]
    fn the_same_line_in_another_place_is_the_commands() {
        let base = "def a():\n    x = 1\n\ndef b():\n    y = 2\n";
        let bob = "def a():\n    x = 1\n    return None\n\ndef b():\n    y = 2\n";
        let bot = "def a():\n    x = 1\n\ndef b():\n    y = 2\n\ndef c():\n    z = 3\n    return None\n";
        assert_eq!(was([base, bot], &[step(&[base], bob)], &[], [base, base]), base);
    }

    #[test]
    fn lines_end_as_git_has_them_checked_out() {
        let (base, bob) = ("a\nb\nc", "a\nb\nc\nd bob\n");
        assert_eq!(was([base, bob], &[step(&[base], bob)], &[], [base, base]), bob);
        let crlf = |text: &str| text.replace('\n', "\r\n");
        let (bob, now) = ("a\nb bob\nc\n", crlf("a\nb bob\nc bot\n"));
        let git = [step(&["a\nb\nc\n"], bob)];
        assert_eq!(was([&crlf("a\nb\nc\n"), &now], &git, &[], ["a\nb\nc\n"; 2]), crlf(bob));
        // The end of the file alone, by the command.
        assert_eq!(was(["a\nb", "a\nb\n"], &git, &[], ["a\nb"; 2]), "a\nb");
    }

    #[test]
    fn a_conflict_is_gits_with_its_marks_and_what_stands_beside_these() {
        let (base, mine, bob) = ("a\nb\nc\n", "a\nmine\nc\n", "a\nbob\nc\n");
        let conflict = "a\n<<<<<<< HEAD\nmine\n=======\nbob\n>>>>>>> bob\nc\n";
        assert_eq!(was([mine, conflict], &[step(&[base], bob)], &[], [mine, mine]), conflict);
        let edited = conflict.replace("c\n", "c bot\n");
        assert_eq!(was([mine, &edited], &[step(&[base], bob)], &[], [mine, mine]), conflict);
        let with_base = "a\n<<<<<<< HEAD\nmine\n||||||| 123\nb\n=======\nbob\n>>>>>>> bob\nc\n";
        assert_eq!(was([mine, with_base], &[step(&[base], bob)], &[], [mine, mine]), with_base);
        // A line that is underlined is no conflict.
        assert_eq!(was([mine, "a\nmine\n=======\nc\n"], &[step(&[base], bob)], &[], [mine, mine]), mine);
    }

    #[test]
    fn a_merge_wrote_what_is_in_none_of_its_parents() {
        let merge = step(&["a\nours\n", "a\ntheirs\n"], "a\nboth\n");
        let written = Written::by(&[merge]);
        assert_eq!(written.added, HashSet::from([b"both".to_vec()]));
        assert!(written.removed.is_empty() && !written.is_empty() && Written::by(&[]).is_empty());
    }

    #[test]
    fn a_line_is_gits_only_where_it_did_that_to_it_and_in_that_place() {
        let (base, bob) = ("a\nb\n", "a\nx\nb\n");
        // The command took out what git had put in, and put in again what it had taken out.
        assert_eq!(was([bob, base], &[step(&[base], bob)], &[], [bob, bob]), bob);
        assert_eq!(was([base, bob], &[step(&[bob], base)], &[], [base, base]), base);
        // Git took the same line out of another place.
        let git = [step(&["p\nr\nq\n"], "p\nq\n")];
        assert_eq!(was(["x\nr\ny\n", "x\ny\n"], &git, &[], ["p\nq\n"; 2]), "x\nr\ny\n");
    }

    #[test]
    fn blank_lines_do_not_stand_between_a_line_and_those_beside_it() {
        let (base, now) = ("a\n\nb\n", "a\nbob\nb bot\n");
        assert_eq!(was([base, now], &[step(&[base], "a\n\nbob\n\nb\n")], &[], [base, base]), "a\nbob\n\nb\n");
    }

    #[test]
    fn what_the_command_took_out_stands_where_it_stood_among_lines_that_git_changed() {
        let base = "x\n1\n2\n3\ny\n";
        let of = |bob: &str, now: &str| was([base, now], &[step(&[base], bob)], &[], [base, base]);
        assert_eq!(of("x\n1\n2\n3 bob\ny\n", "x\n3 bob\ny\n"), "x\n1\n2\n3 bob\ny\n");
        assert_eq!(of("x\n1 bob\n2 bob\n3\ny\n", "x\n1 bob\n2 bob\ny\n"), "x\n1 bob\n2 bob\n3\ny\n");
    }

    #[test]
    fn a_line_without_an_end_gets_one_where_another_follows() {
        let git = [step(&["a\nb\n"], "a\nb\nd bob\n")];
        assert_eq!(was(["a\nb", "a\nd bob\n"], &git, &[], ["a\nb"; 2]), "a\nb\nd bob\n");
        assert_eq!(was(["a\r\nb", "a\r\nd bob\r\n"], &git, &[], ["a\nb"; 2]), "a\r\nb\r\nd bob\r\n");
    }

    #[test]
    fn the_ends_of_lines_are_whose_the_lines_beside_them_are() {
        let base = "a\nb\nc\n";
        let of = |bob: &str, now: &str| was([base, now], &[step(&[base], bob)], &[], [base, base]);
        assert_eq!(of(base, "a\r\nb\r\nc\r\n"), base, "of the command, where git did nothing");
        let [changed, put_in, taken_out] = ["a\r\nb bob\r\nc\r\n", "a\r\nb\r\nbob\r\nc\r\n", "a\r\nc\r\n"];
        for now in [changed, put_in, taken_out] {
            assert_eq!(of(&now.replace('\r', ""), now), now);
        }
        assert_eq!(of("a\nc\n", "a\r\nc\r\nbot\r\n"), taken_out);
    }

    /// Where each line of a text stands: outside of conflicts, as a mark (or what both sides come from), or in a side.
    fn sides(text: &str) -> String {
        let side = |side: &Side| match side {
            Side::Outside => '-',
            Side::Mark => '#',
            Side::Within(marks) => char::from(b'0' + marks),
        };
        Lines::of(text.as_bytes()).sides.iter().map(side).collect()
    }

    #[test]
    fn the_marks_of_a_conflict_are_those_that_git_writes_in_their_order() {
        let conflict = "<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n";
        for (text, want) in [
            (format!("x\n{conflict}y\n"), "-#1#2#-"),
            ("<<<<<<< a\n1\n||||||| c\n0\n=======\n2\n>>>>>>> b\n".to_owned(), "#1###3#"),
            // A side that has marks itself.
            ("<<<<<<< a\n1\n<<<<<<< x\n=======\n2\n>>>>>>> b\n".to_owned(), "#11#2#"),
            // A heading that is underlined, and what looks like the end of one.
            (format!("x\n=======\n||||||| y\n>>>>>>> z\n{conflict}"), "----#1#2#"),
            // Of two sides nothing was left.
            (format!("<<<<<<< a\n||||||| c\n0\n>>>>>>> b\ny\n{conflict}"), "####-#1#2#"),
            (format!("<<<<<<<<<< x\n=======y\n{conflict}"), "--#1#2#"),
            ("<<<<<<< a\n1\n=======\n2\n".to_owned(), "----"),
            ("1\n=======\n2\n>>>>>>> b\n".to_owned(), "----"),
        ] {
            assert_eq!(sides(&text), want, "{text}");
        }
    }

    #[test]
    fn a_line_of_a_conflict_stands_beside_those_of_its_side_and_one_behind_it_beside_its_last_one() {
        let (base, mine) = ("a\nb\nc\n", "a\nmine\nc\n");
        let conflict = "a\n<<<<<<< HEAD\nmine\n=======\n1\n2\n3\n>>>>>>> bob\nc\n";
        assert_eq!(was([mine, conflict], &[step(&[base], "a\n1\n2\n3\nc\n")], &[], [mine, mine]), conflict);
        let conflict = "a\n<<<<<<< HEAD\nmine\n=======\nbob\n>>>>>>> bob\nnew\nc\n";
        let (edited, bob) = (conflict.replace("c\n", "c bot\n"), "a\nbob\nnew\nc\n");
        assert_eq!(was([mine, &edited], &[step(&[base], bob)], &[], [mine, mine]), conflict);
    }

    #[test]
    fn who_only_took_lines_out_wrote_something() {
        assert!(!Written::by(&[step(&["a\nb\n"], "a\n")]).is_empty());
        assert!(Written::by(&[step(&["a\n"], "a\n")]).is_empty());
    }

    fn text() -> impl Strategy<Value = String> {
        prop::collection::vec("[a-d]", 0..9).prop_map(|lines| lines.iter().map(|line| format!("{line}\n")).collect())
    }

    proptest! {
        #[test]
        fn without_commits_all_is_the_commands_and_by_git_alone_nothing(before in text(), after in text()) {
            prop_assert_eq!(was([&before, &after], &[], &[], ["", ""]), before.clone());
            prop_assert_eq!(was([&before, &after], &[step(&[&before], &after)], &[], ["", ""]), after.clone());
            prop_assert_eq!(was([&before, &after], &[], &[], [&before, &after]), after);
        }

        #[test]
        fn each_line_is_in_one_of_the_texts(before in text(), after in text(), one in text(), other in text()) {
            let found = was([&before, &after], &[step(&[&one], &other)], &[step(&[&other], &one)], [&one, &other]);
            for line in found.lines() {
                prop_assert!(before.lines().chain(after.lines()).any(|known| known == line), "{}", found);
            }
        }
    }
}
