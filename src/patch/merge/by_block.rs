//! A block of the file between two anchors, replaced by the new text: line for line where that is possible.
//!
//! Owns how the lines are indented that come. Proves nothing: it is for `block-anchor`, whose results come with a warning.
//! Invariants: a line that is in all three texts keeps the file's bytes; what no one rule indents goes with the line of the
//! block above it.

use super::by_neighbours::moved;
use super::change::{Hunk, changes};
use super::indent::Rule;
use crate::matcher::fold;
use crate::matcher::source::Source;
use std::ops::Range;

/// The lines of `new` as they take the place of the block, without what follows its last line ending.
pub(super) fn lines(file: &Source<'_>, old: &Source<'_>, new: &[u8], block: Range<usize>) -> Vec<Vec<u8>> {
    let body = if old.is_terminated() { new.strip_suffix(b"\n").unwrap_or(new) } else { new };
    let new: Vec<&[u8]> = body.split(|&byte| byte == b'\n').collect();
    let sent: Vec<&[u8]> = (0..old.lines().len()).map(|line| old.text(line)).collect();
    let ours: Vec<&[u8]> = block.map(|line| file.text(line)).collect();
    let kept = Kept { of_old: pairs(&sent, &ours, fold::trim), of_new: pairs(&new, &sent, |line| line), sent, ours };
    (0..new.len()).map(|n| kept.line(&new, n)).collect()
}

/// The lines that two lists have in common, in order: where each stands in both. Of blank lines nothing is told.
fn pairs<'l>(a: &[&'l [u8]], b: &[&'l [u8]], key: impl Fn(&'l [u8]) -> &'l [u8]) -> Vec<(usize, usize)> {
    let [left, right] = [a, b].map(|lines| lines.iter().map(|line| key(line)).collect::<Vec<&[u8]>>());
    let Some(hunks) = changes(&left, &right) else { return Vec::new() };
    let end = Hunk { old: left.len()..left.len(), new: right.len()..right.len() };
    let (mut pairs, mut at) = (Vec::new(), (0, 0));
    for hunk in hunks.into_iter().chain([end]) {
        pairs.extend((at.0..hunk.old.start).zip(at.1..hunk.new.start));
        at = (hunk.old.end, hunk.new.end);
    }
    pairs.retain(|&(n, _)| !fold::trim(left[n]).is_empty());
    pairs
}

/// What the three texts have in common.
struct Kept<'l> {
    /// Lines of old, and of the block.
    of_old: Vec<(usize, usize)>,
    /// Lines of new, and of old.
    of_new: Vec<(usize, usize)>,
    sent: Vec<&'l [u8]>,
    ours: Vec<&'l [u8]>,
}

impl Kept<'_> {
    fn line(&self, new: &[&[u8]], n: usize) -> Vec<u8> {
        let (line, indent) = (new[n], fold::indent(new[n]));
        if indent.len() == line.len() {
            return line.to_vec();
        }
        let old = self.of_new.iter().find(|pair| pair.0 == n).map(|pair| pair.1);
        let stays = old.and_then(|old| self.of_old.iter().find(|pair| pair.0 == old));
        if let Some(&(_, at)) = stays {
            return self.ours[at].to_vec();
        }
        let indents: Vec<(&[u8], &[u8])> =
            self.of_old.iter().map(|&(old, at)| (fold::indent(self.sent[old]), fold::indent(self.ours[at]))).collect();
        let turned = Rule::of(&indents).and_then(|rule| rule.turn(indent)).unwrap_or_else(|| {
            // The anchors at least stand in both.
            let above = |pair: &&(usize, usize)| self.of_new.iter().any(|&(new, old)| old == pair.0 && new < n);
            let near = self.of_old.iter().rev().find(above).or_else(|| self.of_old.first());
            near.map_or_else(
                || indent.to_vec(),
                |&(old, at)| moved(indent, fold::indent(self.sent[old]), fold::indent(self.ours[at])),
            )
        });
        [&turned, &line[indent.len()..]].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{apply, edit, text};
    use super::super::{Level, locate};
    use crate::matcher::likely::Evidence;
    use crate::strategy::Strategy;

    fn check([file, old, new]: [&str; 3], want: &str) {
        let level = Level::Only(Strategy::BlockAnchor);
        let located = locate(&text(file), &edit(old, new), level, Evidence::default()).expect("it is taken");
        assert_eq!(apply(file, &located), want);
    }

    #[test]
    fn lines_of_a_block_that_stay_keep_their_own_indentation() {
        let file = "\ttry:\n\t  first = alpha(1)\n\t  gone = 1\n\t  second = beta(2)\n\tfinally:\n";
        let old = "  try:\n    first = alpha(1)\n    secnd = beta(2)\n  finally:";
        check(
            [file, old, "  try:\n    first = alpha(1)\n    new = 3\n    second = beta(2)\n  finally:"],
            "\ttry:\n\t  first = alpha(1)\n\t  new = 3\n\t  second = beta(2)\n\tfinally:\n",
        );
        // All at one depth, as a text is sent that lost its indentation.
        check(
            [file, "try:\nfirst = alpha(1)\nsecnd = beta(2)\nfinally:", "try:\nfirst = alpha(1)\nnew = 3\nfinally:"],
            "\ttry:\n\t  first = alpha(1)\n\t  new = 3\n\tfinally:\n",
        );
    }

    #[test]
    fn one_rule_indents_all_lines_of_a_block_that_come() {
        check(
            [
                "if a {\n\tone(1);\n\textra();\n\ttwo(2);\n}\n",
                "if a {\n    one(1);\n    twoo(2);\n}",
                "if a {\n    if b {\n        two(2);\n    }\n}",
            ],
            "if a {\n\tif b {\n\t\ttwo(2);\n\t}\n}\n",
        );
    }
}
