//! Whose the bytes are that would go: what a later step put is that one's, however like it is to what the edit put.
//!
//! Owns the way of such bytes through the steps since, by these alone. Does not judge the edit.
//! Invariant: where equal text beside it leaves the same, any of it may be meant.

use super::brought_back::{Taken, owned_again};
use super::counted::Told;
use super::differing_tokens::{Piece, differing_tokens, pieces};
use super::edit::Edit;
use super::put::{OWN, Put, left_of};
use super::shifts::{run_of, shifts};
use crate::patch::{FilePatch, Splice};
use crate::text::{line_start, next_line, split_lines, whole_lines};
use std::ops::Range;

/// What was done to a text after an edit, in order, up to today.
#[derive(Clone, Copy)]
pub struct Putters<'s> {
    /// Each step.
    pub steps: &'s [Edit<'s>],
    /// Whether what a step puts is its own.
    pub is_its_own: &'s dyn Fn(usize) -> bool,
    /// Whether a step is an undo or a redo.
    pub is_inverse: &'s dyn Fn(usize) -> bool,
    /// Whether a step did again what a record had done before the edit.
    pub redoes_earlier: &'s dyn Fn(usize) -> bool,
    /// The earlier steps that a step took back.
    pub inverts: &'s dyn Fn(usize) -> Vec<usize>,
    /// How it is known where a step was made.
    pub told: &'s dyn Fn(usize) -> Told,
}

/// The step that put what a patch of today's text would take away for an edit, a line or the words of one.
pub fn taken_from(edit: &Edit<'_>, putters: Putters<'_>, patch: &FilePatch, today: &[u8]) -> Option<usize> {
    if !(0..putters.steps.len()).any(|n| (putters.is_its_own)(n) || (putters.redoes_earlier)(n)) {
        return None;
    }
    let takes: Vec<Take> = patch.splices().iter().flat_map(|splice| Take::of(today, splice)).collect();
    if takes.is_empty() {
        return None;
    }
    let put = followed(edit, putters);
    takes.iter().find_map(|take| take.from(&put, today))
}

/// Where the bytes that an edit and the steps since put are today.
fn followed(edit: &Edit<'_>, putters: Putters<'_>) -> Vec<Put> {
    let Putters { steps, is_its_own, is_inverse, redoes_earlier, inverts, told } = putters;
    let own = |piece: Piece| (!piece.new.is_empty()).then_some(Put { range: piece.new, by: OWN });
    let at_first = || pieces_put(edit).into_iter().filter_map(own).collect::<Vec<Put>>();
    let mut put = at_first();
    let mut took: Vec<Vec<Taken<'_>>> = Vec::with_capacity(steps.len());
    for (n, step) in steps.iter().enumerate() {
        let mut pieces = pieces_put(step);
        // Of equal lines nobody knows which went where it was not written down: those that another one put may be meant. Who takes a step back
        // takes what that one put.
        let inverted = inverts(n);
        let may_be_meant = |put: &&Put| told(n) == Told::ByLines || inverted.contains(&put.by);
        let others: Vec<Put> = put.iter().filter(may_be_meant).cloned().collect();
        for at in 0..pieces.len() {
            onto(step.before(), &mut pieces, at, &others);
        }
        let mut next: Vec<Put> = put.iter().flat_map(|put| left_of(put, &pieces)).collect();
        if is_its_own(n) {
            next.extend(put_by(step, &pieces).into_iter().map(|range| Put { range, by: n }));
        } else {
            next.extend(pieces.iter().filter_map(|piece| hidden_in(piece, &put)));
            let brought_back: Vec<&Taken<'_>> = inverted.iter().filter_map(|by| took.get(*by)).flatten().collect();
            // What had some of the edit's own is not told apart from that to the byte.
            let has_own = || brought_back.iter().any(|taken| taken.has_own());
            let by = Some(n).filter(|n| redoes_earlier(*n) && !has_own());
            if by.is_some() && inverted.is_empty() {
                // What it took back was done before the edit, too.
                next.extend(put_by(step, &pieces).into_iter().map(|range| Put { range, by: n }));
            } else {
                next.extend(pieces.iter().flat_map(|piece| owned_again(step.after(), &piece.new, &brought_back, by)));
            }
        }
        for by in inverted.into_iter().filter(|by| is_its_own(*by)) {
            next.retain(|put| put.by != by || !is_only_moved(&steps[by], step.after(), &put.range));
        }
        took.push(pieces.iter().filter_map(|piece| Taken::of(step.before(), &piece.old, &put)).collect());
        next.sort_by_key(|put| put.range.start);
        // Who brings back all that the edit left does not keep what others did; an undo of them, where none of them is in force.
        let keeps_none = || told(n) == Told::ByLines || (is_inverse(n) && !(0..=n).any(is_its_own));
        put = if step.after() == edit.after() && keeps_none() { at_first() } else { next };
    }
    put
}

/// Whether a line is one that a step had only moved. Where some of that is taken back nobody knows which of two lines that changed sides it had put.
fn is_only_moved(step: &Edit<'_>, text: &[u8], range: &Range<usize>) -> bool {
    let count = |of: &[u8], line: &[u8]| split_lines(of).filter(|other| *other == line).count();
    let mut lines = split_lines(text.get(whole_lines(text, range)).unwrap_or_default());
    lines.all(|line| count(step.before(), line) >= count(step.after(), line))
}

/// What was put in place of much, as of who put some of that: it may be there still.
fn hidden_in(piece: &Piece, put: &[Put]) -> Option<Put> {
    let is_in = |put: &&Put| put.range.start < piece.old.end && piece.old.start < put.range.end;
    let newest = put.iter().filter(is_in).map(|put| put.by).max_by_key(|by| (*by != OWN, *by));
    newest.filter(|_| piece.is_large && !piece.new.is_empty()).map(|by| Put { range: piece.new.clone(), by })
}

/// What an edit put, of its pieces: none that both texts have where they are compared as a whole, which it took and put again.
fn put_by(edit: &Edit<'_>, pieces: &[Piece]) -> Vec<Range<usize>> {
    let new = pieces.iter().map(|piece| piece.new.clone()).filter(|new| new.start < new.end);
    let whole = match pieces {
        [_, _, ..] => Edit::by_lines(edit.before(), edit.after()).map(|whole| self::pieces(&whole)),
        _ => None,
    };
    let Some(whole) = whole else { return new.collect() };
    let shared = |new: Range<usize>| {
        let both = whole.iter().map(move |Piece { new: other, .. }| new.start.max(other.start)..new.end.min(other.end));
        both.filter(|both| both.start < both.end)
    };
    new.flat_map(shared).collect()
}

/// Moves a deletion to where it takes most of what others put, and leaves the same text.
fn onto(text: &[u8], pieces: &mut [Piece], at: usize, put: &[Put]) {
    let Piece { old, new, .. } = pieces[at].clone();
    if old.is_empty() || !new.is_empty() || put.is_empty() {
        return;
    }
    let from = at.checked_sub(1).map_or(0, |before| pieces[before].old.end);
    let to = pieces.get(at + 1).map_or(text.len(), |next| next.old.start);
    let overlap = |range: &Range<usize>| -> usize {
        let first = put.partition_point(|put| put.range.end <= range.start);
        let near = put[first..].iter().take_while(|put| put.range.start < range.end).filter(|put| put.by != OWN);
        near.map(|put| put.range.end.min(range.end) - put.range.start.max(range.start)).sum()
    };
    let places = shifts(text, &old).into_iter().filter(|place| from <= place.start && place.end <= to);
    if let Some(best) = places.max_by_key(overlap).filter(|best| overlap(best) > overlap(&old)) {
        // What lies between is the same in both texts, so it is only counted from another place.
        let start = new.start + best.start - old.start;
        pieces[at] = Piece { old: best, new: start..start, is_large: false };
    }
}

/// Bytes that would go.
struct Take {
    range: Range<usize>,
    /// Whether nothing comes in their place.
    is_bare: bool,
}

impl Take {
    /// What of a place goes, without what comes back there; where only white space comes into a line, that line.
    fn of(today: &[u8], splice: &Splice) -> Vec<Self> {
        let (Range { start, end }, new) = (splice.range.clone(), &splice.replacement);
        let taken = differing_tokens(&today[start..end], new).into_iter();
        let taken = taken.map(|piece| of_blanks(&today[start..end], new, piece)).filter_map(|piece| {
            let range = piece.old.start + start..piece.old.end + start;
            let is_blank = new[piece.new.clone()].iter().all(|byte| matches!(byte, b' ' | b'\t'));
            let is_line = range.is_empty() && is_blank;
            let range = if is_line { line_start(today, range.start)..next_line(today, range.end) } else { range };
            (!range.is_empty()).then_some(Self { range, is_bare: piece.new.is_empty() })
        });
        taken.collect()
    }

    /// The step that put it, wherever it may be meant.
    fn from(&self, put: &[Put], today: &[u8]) -> Option<usize> {
        let owners = Owners { put, today };
        let first = owners.of(&self.range)?;
        let others = if self.is_bare { shifts(today, &self.range) } else { Vec::new() };
        let is_free = |range: &Range<usize>| owners.of(range).is_none();
        (!others.iter().any(is_free)).then_some(first)
    }
}

/// What an edit took and put; of white space only how much more or less of it there is.
fn pieces_put(edit: &Edit<'_>) -> Vec<Piece> {
    pieces(edit).into_iter().map(|piece| of_blanks(edit.before(), edit.after(), piece)).collect()
}

/// A piece of white space without what it has in both texts: that stays, be it more or less of it.
fn of_blanks(before: &[u8], after: &[u8], piece: Piece) -> Piece {
    let [old, new] = [&before[piece.old.clone()], &after[piece.new.clone()]];
    if !old.iter().chain(new).all(u8::is_ascii_whitespace) {
        return piece;
    }
    let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    Piece { old: piece.old.start + same..piece.old.end, new: piece.new.start + same..piece.new.end, ..piece }
}

/// Of which bytes of a line it is asked whose they are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meant {
    /// Its words; where it has none, all that is no white space.
    Words,
    /// All, where white space alone goes.
    Blanks,
}

/// Whose which bytes of today's text are.
struct Owners<'p> {
    put: &'p [Put],
    today: &'p [u8],
}

impl Owners<'_> {
    /// The step that put all of these lines, or one with a word, for which no equal one beside it may be meant.
    fn of(&self, range: &Range<usize>) -> Option<usize> {
        let meant = self.meant_in(range);
        let lines = lines_in(self.today, range);
        let whole: Option<Vec<usize>> = lines.iter().map(|line| self.of_line(line, self.meant_in(line))).collect();
        if let Some(first) = whole.and_then(|all| all.first().copied()) {
            return Some(first);
        }
        lines.into_iter().filter_map(|line| Some((self.of_line(&line, meant)?, line))).find_map(|(by, line)| {
            // Of equal lines, one below the other, any may be meant.
            let is_other = |one: &Range<usize>| one.end <= range.start || range.end <= one.start;
            let is_free = |one: &Range<usize>| is_other(one) && self.of_line(one, meant).is_none();
            (!run_of(self.today, &line).iter().any(is_free)).then_some(by)
        })
    }

    fn meant_in(&self, range: &Range<usize>) -> Meant {
        let is_blank = self.today[range.clone()].iter().all(u8::is_ascii_whitespace);
        if is_blank { Meant::Blanks } else { Meant::Words }
    }

    fn of_line(&self, line: &Range<usize>, meant: Meant) -> Option<usize> {
        // A mark may be left of what stood there before; a word tells.
        let is_word = |at: &usize| self.today[*at].is_ascii_alphanumeric() || !self.today[*at].is_ascii();
        let has_word = line.clone().any(|at| is_word(&at));
        let is_meant = |at: &usize| match meant {
            Meant::Words if has_word => is_word(at),
            Meant::Words => !self.today[*at].is_ascii_whitespace(),
            Meant::Blanks => true,
        };
        let mut bytes = line.clone().filter(is_meant).map(|at| self.by(at)).peekable();
        let first = (*bytes.peek()?)?;
        bytes.all(|by| by.is_some()).then_some(first)
    }

    fn by(&self, at: usize) -> Option<usize> {
        let next = self.put.partition_point(|put| put.range.end <= at);
        self.put.get(next).filter(|put| put.by != OWN && put.range.contains(&at)).map(|put| put.by)
    }
}

/// The lines of some bytes, and what is there of the first and the last one.
fn lines_in(text: &[u8], range: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = range.start;
    while start < range.end {
        let end = memchr::memchr(b'\n', &text[start..range.end]).map_or(range.end, |n| start + n + 1);
        found.push(start..end);
        start = end;
    }
    found
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::patch::{Origin, Replacement};
    use crate::strategy::Strategy;

    /// An edit that left a text, and of which nothing is known.
    fn nothing(left: &str) -> Edit<'_> {
        Edit::by_lines(left.as_bytes(), left.as_bytes()).expect("few lines")
    }

    /// What is told where `range` of the last text is replaced; steps with an even number are records, the others nobody wrote down, and the
    /// first text is what the edit left.
    pub(in super::super) fn asked<T>(
        texts: &[&str],
        range: Range<usize>,
        new: &str,
        ask: impl FnOnce(&Edit<'_>, Putters<'_>, &FilePatch, &[u8]) -> T,
    ) -> T {
        let edit = |pair: &[&'static str]| Edit::by_lines(pair[0].as_bytes(), pair[1].as_bytes()).expect("few lines");
        let texts: Vec<&'static str> = texts.iter().map(|text| &*String::leak((*text).to_owned())).collect();
        let steps: Vec<Edit<'static>> = texts.windows(2).map(edit).collect();
        let told = |n: usize| if n.is_multiple_of(2) { Told::Exactly } else { Told::ByLines };
        let putters = Putters {
            steps: &steps,
            is_its_own: &|n: usize| n.is_multiple_of(2),
            is_inverse: &|_| false,
            redoes_earlier: &|_| false,
            inverts: &|_| Vec::new(),
            told: &told,
        };
        let today = texts.last().expect("a text").as_bytes();
        let splice = Replacement { range, bytes: new.into() }.by(Origin { edit: 0, strategy: Strategy::Exact });
        let patch = FilePatch::new(today.len(), vec![splice]).expect("in the text");
        ask(&nothing(texts[0]), putters, &patch, today)
    }

    /// The step that put what goes there.
    fn taken(texts: &[&str], range: Range<usize>, new: &str) -> Option<usize> {
        asked(texts, range, new, taken_from)
    }

    #[test]
    fn what_a_step_put_is_its_own_wherever_it_went() {
        assert_eq!(taken(&["a\nb\n", "a\nx\nb\n"], 2..4, ""), Some(0));
        assert_eq!(taken(&["a\nb\n", "a\nx\nb\n"], 0..2, ""), None);
        assert_eq!(taken(&["a\nb\n", "a\nx\nb\n", "p\nq\na\nx\nb\n"], 6..8, ""), Some(0));
        assert_eq!(taken(&["a\nb\n", "a\nx\nb\n", "a\nb\n", "a\nx\nb\n"], 2..4, ""), Some(2));
        assert_eq!(taken(&["a\nb\n", "a\nb\n", "a\nx\nb\n"], 2..4, ""), None, "nobody knows who put it");
        assert_eq!(taken(&["a\nb\n", "a\nx\nb\n"], 2..2, "new\n"), None, "nothing goes");
    }

    #[test]
    fn of_white_space_only_that_goes_which_there_is_less_of() {
        let indented = ["a\nx\n", "a\n  x\n"];
        assert_eq!(taken(&indented, 2..4, ""), Some(0));
        assert_eq!(taken(&indented, 2..4, " "), Some(0));
        assert_eq!(taken(&indented, 2..4, "    "), None, "it is more");
        assert_eq!(taken(&indented, 2..4, "\t"), Some(0), "it is another one");
    }

    #[test]
    fn of_white_space_only_that_is_a_step_s_of_which_it_put_more() {
        let texts = ["  x\n", "  \tx\n"];
        assert_eq!([taken(&texts, 2..3, ""), taken(&texts, 0..2, "")], [Some(0), None]);
        assert_eq!(taken(&["  x\n", "    x\n"], 2..4, ""), None, "it may be any of it");
        let first = Edit::by_lines(b"x\n", b"  x\n").expect("few lines");
        let steps = [["  x\n", "    x\n"], ["    x\n", "  x\n"]]
            .map(|[before, after]| Edit::by_lines(before.as_bytes(), after.as_bytes()).expect("few lines"));
        let putters = Putters {
            steps: &steps,
            is_its_own: &|n| n == 0,
            is_inverse: &|n| n == 1,
            redoes_earlier: &|_| false,
            inverts: &|n| if n == 1 { vec![0] } else { Vec::new() },
            told: &|_| Told::Exactly,
        };
        let splice = Replacement { range: 0..2, bytes: Vec::new() }.by(Origin { edit: 0, strategy: Strategy::Exact });
        let patch = FilePatch::new(4, vec![splice]).expect("in the text");
        assert_eq!(taken_from(&first, putters, &patch, b"  x\n"), None, "who took it back left the edit's own");
    }

    #[test]
    fn white_space_that_comes_into_a_line_is_asked_of_who_put_the_line() {
        let texts = ["a\nb\n", "a\nlet z;\nb\n"];
        assert_eq!(
            [taken(&texts, 2..2, "  "), taken(&texts, 5..5, " "), taken(&texts, 2..2, "\n")],
            [Some(0), Some(0), None]
        );
        assert_eq!(taken(&["a\nlet y;\n", "a\nlet z;\n"], 2..2, "  "), None, "a word of it was there");
    }

    #[test]
    fn what_a_step_had_only_moved_is_nobody_s_once_a_part_of_that_was_taken_back() {
        let origin = Origin { edit: 0, strategy: Strategy::Exact };
        let change = |before: Range<usize>, after| crate::patch::take_back::Change { before, after, origin };
        let (before, met) = ("m\na\nb\nc\n", "a\nb\nc\nm\nx\n");
        let moved = Edit::new(before.as_bytes(), met.as_bytes(), vec![change(0..2, 0..0), change(8..8, 6..10)]);
        let moved = moved.expect("it leads there");
        // What is left where the line that was moved, or the new one, was taken back.
        let by = |today: &str, gone: Range<usize>, inverts: &dyn Fn(usize) -> Vec<usize>| {
            let undo = Edit::new(met.as_bytes(), today.as_bytes(), vec![change(gone.clone(), gone.start..gone.start)]);
            let steps = [moved.clone(), undo.expect("it leads there")];
            let putters = Putters {
                steps: &steps,
                is_its_own: &|n| n == 0,
                is_inverse: &|n| n == 1,
                redoes_earlier: &|_| false,
                inverts,
                told: &|_| Told::Exactly,
            };
            let splice = Replacement { range: 6..8, bytes: Vec::new() }.by(origin);
            let patch = FilePatch::new(today.len(), vec![splice]).expect("in the text");
            taken_from(&nothing(before), putters, &patch, today.as_bytes())
        };
        let (of_it, of_nothing) = (|n: usize| if n == 1 { vec![0] } else { Vec::new() }, |_: usize| Vec::new());
        let moved_left = "a\nb\nc\nm\n";
        assert_eq!([by(moved_left, 8..10, &of_it), by(moved_left, 8..10, &of_nothing)], [None, Some(0)]);
        assert_eq!(by("a\nb\nc\nx\n", 6..8, &of_it), Some(0), "it was new");
    }

    #[test]
    fn what_a_redo_of_an_older_record_puts_is_the_redo_s_though_its_undo_was_before_the_edit() {
        let step = Edit::by_lines(b"a\nb\n", b"a\nx\nb\n").expect("few lines");
        let taken = |redoes_earlier: &dyn Fn(usize) -> bool| {
            let putters = Putters {
                steps: std::slice::from_ref(&step),
                is_its_own: &|_| false,
                is_inverse: &|_| true,
                redoes_earlier,
                inverts: &|_| Vec::new(),
                told: &|_| Told::Exactly,
            };
            let splice =
                Replacement { range: 2..4, bytes: Vec::new() }.by(Origin { edit: 0, strategy: Strategy::Exact });
            let patch = FilePatch::new(6, vec![splice]).expect("in the text");
            taken_from(&nothing("a\nb\n"), putters, &patch, step.after())
        };
        assert_eq!([taken(&|_| true), taken(&|_| false)], [Some(0), None]);
    }

    #[test]
    fn words_of_a_line_are_of_who_put_them_and_the_line_of_who_put_all_of_it() {
        let texts = ["let one = 1;\n", "let one = 2;\n"];
        assert_eq!(taken(&texts, 10..11, "1"), Some(0));
        assert_eq!(taken(&texts, 0..13, "let one = 1;\n"), Some(0));
        assert_eq!(taken(&texts, 0..13, "let two = 2;\n"), None);
        assert_eq!(taken(&texts, 0..13, ""), None, "only a word of the line is its own");
        assert_eq!(taken(&["a\nb\n", "a\nx\ny\nb\n"], 0..6, ""), Some(0), "one of several lines is");
        assert_eq!(taken(&["let k = 2;\n", "K;\n"], 0..3, ""), Some(0), "but for a mark that stood there");
        // White space is asked for where nothing else goes.
        assert_eq!(taken(&["one\n", "  one\n"], 0..2, ""), Some(0));
        assert_eq!(taken(&["one\n", "  one\n"], 0..6, ""), None);
    }

    #[test]
    fn of_equal_lines_beside_each_other_any_may_go() {
        assert_eq!(taken(&["a\nx\nb\n", "a\nx\nx\nb\n"], 2..4, ""), None);
        assert_eq!(taken(&["a\nx\nb\n", "a\nx\nx\nb\n"], 4..6, ""), None);
        assert_eq!(taken(&["a\nx\ny\nb\n", "a\nx\ny\nx\ny\nb\n"], 6..10, ""), None, "a block of them");
        assert_eq!(taken(&["a\nb\n", "a\nx\nx\nb\n"], 2..4, ""), Some(0), "both are its own");
        assert_eq!(taken(&["x\nb\n", "x\nb\nx\n"], 4..6, ""), Some(0), "another one stands between");
        // Both lines are its own, though one of them stands there a second time.
        assert_eq!(taken(&["a\nend\n", "a\n\nend\nend\n"], 2..7, ""), Some(0));
        // One of three goes with a line below.
        assert_eq!(taken(&["a\nx\ny\nb\n", "a\nx\nx\ny\nb\n"], 4..8, ""), None);
    }

    #[test]
    fn who_takes_one_of_equal_lines_by_hand_may_have_meant_another_one_s() {
        let texts = ["a\nx\nb\n", "a\nx\nx\nb\n", "a\nx\nb\n"];
        assert_eq!(taken(&texts, 2..4, ""), None);
        let texts = ["a\nx\ny\nb\n", "a\nx\ny\nx\ny\nb\n", "a\nx\ny\nb\nc\n"];
        assert_eq!(taken(&texts, 2..6, ""), None);
    }

    #[test]
    fn who_puts_all_back_by_hand_keeps_nothing_of_what_others_did() {
        let left = "a\nx\nb\n";
        assert_eq!(taken(&[left, "a\nx\ny\nb\n", "a\nb\n", "a\nx\nb\n"], 2..4, ""), Some(2));
        assert_eq!(taken(&[left, "b\nx\n", left], 2..4, ""), None);
        assert_eq!(taken(&[left, "b\nx\n", "b\nx\nc\n"], 2..4, ""), Some(0));
    }

    #[test]
    fn what_a_step_took_and_put_again_is_not_its_own() {
        let (before, after) = ("b\n}\nb\nend\n", "r\nb\n}\nb\nend\n");
        let change = |before: Range<usize>, after: Range<usize>| crate::patch::take_back::Change {
            before,
            after,
            origin: Origin { edit: 0, strategy: Strategy::Exact },
        };
        let changes = vec![change(0..4, 0..2), change(6..6, 4..8)];
        let step = Edit::new(before.as_bytes(), after.as_bytes(), changes).expect("it leads there");
        let pieces = pieces(&step);
        let bytes = |pieces| put_by(&step, pieces).into_iter().flatten().collect::<Vec<usize>>();
        assert_eq!(bytes(&pieces), [0], "a bracket and a line are in both");
        assert_eq!(bytes(&pieces[..1]), [0], "of one piece nothing else is asked");
    }

    fn piece((old, new): (Range<usize>, Range<usize>)) -> Piece {
        Piece { old, new, is_large: false }
    }

    fn ends(ranges: Vec<Range<usize>>) -> Vec<(usize, usize)> {
        ranges.into_iter().map(|range| (range.start, range.end)).collect()
    }

    #[test]
    fn bytes_are_followed_through_what_is_put_before_them_in_them_and_taken_from_them() {
        let left = |ranges: &[(Range<usize>, Range<usize>)]| {
            let pieces = &ranges.iter().cloned().map(piece).collect::<Vec<_>>();
            ends(left_of(&Put { range: 4..8, by: 0 }, pieces).into_iter().map(|put| put.range).collect())
        };
        assert_eq!(left(&[]), [(4, 8)]);
        assert_eq!(left(&[(2..2, 2..5)]), [(7, 11)]);
        assert_eq!(left(&[(0..3, 0..0)]), [(1, 5)]);
        assert_eq!(left(&[(4..4, 4..6)]), [(6, 10)]);
        assert_eq!(left(&[(8..8, 8..9)]), [(4, 8)]);
        assert_eq!(left(&[(6..6, 6..7)]), [(4, 6), (7, 9)]);
        assert_eq!(left(&[(3..5, 3..4)]), [(4, 7)]);
        assert_eq!(left(&[(7..9, 7..7)]), [(4, 7)]);
        assert_eq!(left(&[(5..6, 5..5), (7..7, 6..8)]), [(4, 5), (5, 6), (8, 9)]);
        assert_eq!(left(&[(2..9, 2..2)]), [(0, 0); 0]);
    }

    #[test]
    fn a_deletion_by_hand_is_moved_onto_what_others_put_and_no_further_than_the_next_change() {
        let text = b"x\nx\nx\nb\n";
        let moved = |ranges: &[(Range<usize>, Range<usize>)], at: usize, put: Range<usize>| {
            let mut pieces: Vec<Piece> = ranges.iter().cloned().map(piece).collect();
            onto(text, &mut pieces, at, &[Put { range: put, by: 0 }]);
            let Piece { old, new, .. } = pieces.swap_remove(at);
            (old, new)
        };
        assert_eq!(moved(&[(4..6, 4..4)], 0, 0..2), (0..2, 0..0));
        assert_eq!(moved(&[(0..2, 0..0)], 0, 4..6), (4..6, 4..4));
        assert_eq!(moved(&[(4..6, 4..4)], 0, 6..8), (4..6, 4..4), "another line");
        assert_eq!(moved(&[(4..6, 4..6)], 0, 0..2), (4..6, 4..6), "something is put there");
        // It may not go past another change, but up to it.
        let two = [(2..2, 2..4), (4..6, 6..6)];
        assert_eq!(moved(&two, 1, 0..2), (4..6, 6..6));
        assert_eq!(moved(&two, 1, 2..4), (2..4, 4..4));
        let two = [(0..2, 0..0), (4..4, 2..3)];
        assert_eq!(moved(&two, 0, 4..6), (0..2, 0..0));
        assert_eq!(moved(&two, 0, 2..4), (2..4, 2..2));
    }

    #[test]
    fn what_an_undo_brings_back_is_of_who_had_put_it() {
        let texts = ["a\nb\n", "a\nx y\nb\n", "a\nz y\nb\n", "a\nx y\nb\n"];
        let edit = |n: usize| Edit::by_lines(texts[n].as_bytes(), texts[n + 1].as_bytes()).expect("few lines");
        let steps = [edit(0), edit(1), edit(2)];
        let by = |inverts: &dyn Fn(usize) -> Vec<usize>, range: Range<usize>| {
            let putters = Putters {
                steps: &steps,
                is_its_own: &|n| n == 0,
                is_inverse: &|_| false,
                redoes_earlier: &|_| false,
                inverts,
                told: &|_| Told::Exactly,
            };
            let splice = Replacement { range, bytes: Vec::new() }.by(Origin { edit: 0, strategy: Strategy::Exact });
            let patch = FilePatch::new(texts[3].len(), vec![splice]).expect("in the text");
            taken_from(&nothing(texts[0]), putters, &patch, texts[3].as_bytes())
        };
        let undone = |n: usize| if n == 2 { vec![1] } else { Vec::new() };
        assert_eq!([by(&undone, 2..6), by(&undone, 2..3)], [Some(0), Some(0)]);
        assert_eq!(
            [by(&|_| Vec::new(), 2..6), by(&|_| Vec::new(), 4..5)],
            [None, Some(0)],
            "another one put the word again"
        );
    }

    #[test]
    fn what_is_too_large_to_be_looked_into_may_hold_what_others_put() {
        let words = |word: &str| format!("{word} ").repeat(9_000);
        let (old, other) = (format!("x {}", words("a")), format!("{} x", words("b")));
        let texts =
            |first: &str| [format!("{first}\n"), format!("{old}\n"), format!("{other}\n"), format!("{other}\nend\n")];
        let taken = |texts: &[String], range: Range<usize>| {
            taken(&texts.iter().map(String::as_str).collect::<Vec<_>>(), range, "")
        };
        let at = other.len() - 1..other.len();
        assert_eq!(taken(&texts(&words("a")), at.clone()), Some(0), "the x may be there");
        assert_eq!(taken(&texts("")[..3], 0..other.len() + 1), Some(0), "and so may all of it");
        assert_eq!(taken(&texts(&old)[..3], at), None, "nobody put anything");
    }

    #[test]
    fn a_line_that_is_left_of_two_equal_ones_is_nobody_s_where_one_was_taken_by_hand() {
        let (before, met, today) = ("a\nx\nb\n", "a\nx\nx\nb\n", "a\nx\nb\nc\n");
        let origin = Origin { edit: 0, strategy: Strategy::Exact };
        let change = crate::patch::take_back::Change { before: 2..2, after: 2..4, origin };
        let by = Edit::new(before.as_bytes(), met.as_bytes(), vec![change]).expect("it leads there");
        let steps = [by, Edit::by_lines(met.as_bytes(), today.as_bytes()).expect("few lines")];
        let told = |n: usize| if n == 0 { Told::Exactly } else { Told::ByLines };
        let putters = Putters {
            steps: &steps,
            is_its_own: &|n| n == 0,
            is_inverse: &|_| false,
            redoes_earlier: &|_| false,
            inverts: &|_| Vec::new(),
            told: &told,
        };
        let splice = Replacement { range: 2..4, bytes: Vec::new() }.by(origin);
        let patch = FilePatch::new(today.len(), vec![splice]).expect("in the text");
        assert_eq!(taken_from(&nothing(before), putters, &patch, today.as_bytes()), None);
        // Nobody took one: it stands there twice.
        let putters = Putters { steps: &steps[..1], ..putters };
        let splice = Replacement { range: 2..6, bytes: Vec::new() }.by(origin);
        let patch = FilePatch::new(met.len(), vec![splice]).expect("in the text");
        assert_eq!(taken_from(&nothing(before), putters, &patch, met.as_bytes()), Some(0), "both would go");
    }

    #[test]
    fn of_a_block_a_line_that_another_one_put_may_stay_for_an_equal_one_below_it() {
        let (before, today) = ("a\ny\nx\nb\n", "a\ny\nx\nx\nb\n");
        let origin = Origin { edit: 0, strategy: Strategy::Exact };
        let change = crate::patch::take_back::Change { before: 4..4, after: 4..6, origin };
        let steps = [Edit::new(before.as_bytes(), today.as_bytes(), vec![change]).expect("it leads there")];
        let putters = Putters {
            steps: &steps,
            is_its_own: &|_| true,
            is_inverse: &|_| false,
            redoes_earlier: &|_| false,
            inverts: &|_| Vec::new(),
            told: &|_| Told::Exactly,
        };
        let by = |range: Range<usize>| {
            let splice = Replacement { range, bytes: Vec::new() }.by(origin);
            let patch = FilePatch::new(today.len(), vec![splice]).expect("in the text");
            taken_from(&nothing(before), putters, &patch, today.as_bytes())
        };
        assert_eq!([by(2..6), by(2..4), by(2..8)], [None, None, Some(0)]);
    }
}
