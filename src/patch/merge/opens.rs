//! Whether a line may stand deeper than the one above it, or less deep than those around it.
//!
//! Owns a rough look at the ends of lines, in any language: what opens a block, goes on with an expression, or closes.
//! Invariant: says yes only where a sign of it is there; whoever asks refuses the rest.

use crate::matcher::fold;
use crate::text::is_of_word;

/// Words that open a block where they end a line.
const LAST: [&[u8]; 12] =
    [b"do", b"then", b"else", b"begin", b"try", b"finally", b"in", b"of", b"where", b"repeat", b"with", b"is"];

/// Words that open a block where they start a line.
const FIRST: [&[u8]; 20] = [
    b"def",
    b"class",
    b"module",
    b"if",
    b"unless",
    b"while",
    b"until",
    b"for",
    b"case",
    b"when",
    b"elif",
    b"elsif",
    b"else",
    b"ensure",
    b"rescue",
    b"function",
    b"sub",
    b"switch",
    b"default",
    b"struct",
];

/// Whether `line` may stand deeper than `above`: that one opens a block or has not come to its end, or `line` goes on with
/// it.
pub(super) fn leads_on(above: &[u8], line: &[u8]) -> bool {
    let (above, line) = (fold::trim(above), fold::trim(line));
    let last = above.rsplit(|&byte| !is_of_word(byte)).next().unwrap_or_default();
    let first = above.split(|&byte| !is_of_word(byte)).next().unwrap_or_default();
    above.last().is_some_and(|byte| b"{([<:=\\|&+-*/?>".contains(byte))
        || (above.ends_with(b",") && has_open_bracket(above))
        || LAST.contains(&last)
        || FIRST.contains(&first)
        || line.first().is_some_and(|byte| b".?:&|+-*/=,<>".contains(byte))
}

/// How many brackets of each kind lines have: those that open, and those that close.
fn brackets(lines: &[&[u8]]) -> (usize, usize) {
    let count = |of: &[u8]| lines.iter().flat_map(|line| line.iter()).filter(|byte| of.contains(byte)).count();
    (count(b"{(["), count(b"})]"))
}

/// Whether a line opens a bracket that it does not close.
fn has_open_bracket(line: &[u8]) -> bool {
    let (open, close) = brackets(&[line]);
    open > close
}

/// Whether lines close as many brackets as they open.
pub(super) fn is_balanced(lines: &[&[u8]]) -> bool {
    let (open, close) = brackets(lines);
    open == close
}

/// Whether a line starts by closing something.
pub(super) fn closes(line: &[u8]) -> bool {
    let line = fold::trim(line);
    let first = line.split(|&byte| !is_of_word(byte)).next().unwrap_or_default();
    line.first().is_some_and(|byte| b"})]".contains(byte))
        || line.starts_with(b"</")
        || (first == b"end" && line.get(3) != Some(&b'('))
}

/// Whether the next line belongs deeper: the line ends with a bracket that it opens, or with a colon.
pub(super) fn opens(line: &[u8]) -> bool {
    fold::trim(line).last().is_some_and(|byte| b"{([:".contains(byte))
}

/// Whether a line stands further out than others: a label, a branch, an item of a list, an instruction to a preprocessor.
pub(super) fn hangs_out(line: &[u8]) -> bool {
    let line = fold::trim(line);
    let first = line.split(|&byte| !is_of_word(byte)).next().unwrap_or_default();
    let words: [&[u8]; 9] = [b"else", b"elif", b"elsif", b"except", b"finally", b"case", b"default", b"fi", b"done"];
    line.first().is_some_and(|byte| b"#-".contains(byte)) || line.ends_with(b":") || words.contains(&first)
}

/// A line that is not blank.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'s> {
    pub(super) text: &'s [u8],
    /// How far in it stands, in characters.
    pub(super) depth: usize,
    /// Whether it was not there before.
    pub(super) is_added: bool,
}

/// Whether a line stands below another just as the signs of both want it.
pub(super) fn follows(above: &Line<'_>, line: &Line<'_>) -> bool {
    match (opens(above.text), closes(line.text)) {
        (true, true) | (false, false) => above.depth == line.depth,
        (true, false) => above.depth < line.depth,
        (false, true) => above.depth > line.depth,
    }
}

/// Whether a line stands outside the block that a line below it closes.
pub(super) fn leaves(line: &Line<'_>, below: &Line<'_>) -> bool {
    closes(below.text) && !closes(line.text) && !hangs_out(line.text) && line.depth <= below.depth
}

/// Whether every added line is where the signs around it want it: deeper only behind what leads on, beside its bracket
/// where it closes one, deeper than what encloses it.
pub(super) fn are_in_line(lines: &[Line<'_>]) -> bool {
    let mut open: Vec<usize> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let above = at.checked_sub(1).map(|above| &lines[above]);
        let below = lines.get(at + 1);
        let opened = if closes(line.text) { open.pop() } else { None };
        let is_odd = match (closes(line.text), opened, above) {
            (true, Some(opened), _) => opened != line.depth,
            (true, None, Some(above)) => line.depth >= above.depth && !closes(above.text) && !opens(above.text),
            (true, None, None) => false,
            (false, _, Some(above)) if line.depth > above.depth => !leads_on(above.text, line.text),
            (false, _, Some(above)) => opens(above.text) && !hangs_out(line.text),
            (false, _, None) => below.is_some_and(|below| line.depth > below.depth),
        };
        if line.is_added && (is_odd || below.is_some_and(|below| leaves(line, below))) {
            return false;
        }
        if fold::trim(line.text).last().is_some_and(|byte| b"{([".contains(byte)) {
            open.push(line.depth);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_opens_a_block_or_goes_on_leads_on() {
        for above in ["if (a) {", "call(", "x = {", "for x in y:", "a +", "items.each do", "if a", "let a ="] {
            assert!(leads_on(above.as_bytes(), b"next();"), "{above}");
        }
        assert!(leads_on(b"value", b".map()") && leads_on(b"a", b"&& b"));
        for above in ["call();", "}", "return x", "value", "dodo"] {
            assert!(!leads_on(above.as_bytes(), b"next();"), "{above}");
        }
    }

    fn check(text: &str, want: bool) {
        let lines = text.lines().map(|line| {
            let (text, is_added) = line.strip_prefix('+').map_or((&line[1..], false), |line| (line, true));
            Line { text: text.as_bytes(), depth: fold::indent(text.as_bytes()).len(), is_added }
        });
        assert_eq!(are_in_line(&lines.collect::<Vec<_>>()), want, "{text}");
    }

    #[test]
    fn an_added_line_stands_where_the_lines_around_it_let_it() {
        check(" a();\n+b();\n c();", true);
        check(" if a {\n+    b();\n }", true);
        check(" a();\n+    b();\n c();", false);
        check("+    b();\n a();", false);
        check("     a: 1,\n+    b: 2,\n }", true);
        check("     a: 1,\n+b: 2,\n }", false);
        check(" f(\n+    a\n+  )\n", false);
        check("     a,\n+    }\n", false);
        check(" if a {\n+b();\n }", false);
    }
}
