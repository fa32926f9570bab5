//! The tier of one line off: all lines but one agree, and the odd one differs in a way that cannot mean another place.
//!
//! Owns what such a way is: a slip of letters in one identifier, a line that was cut off, a comment in other words.
//! Invariant: whatever else may tell two siblings apart (another name, number, word or sign) is refused.

use super::fold;
use super::folded::window;
use super::found::{Found, Odd, Why};
use super::source::{Source, prefix_lengths};
use crate::strategy::Strategy;
use crate::text::is_of_word;

/// The fewest non-blank lines that this tier looks at.
pub const FEWEST_LINES: usize = 4;

/// The only window in which all lines but one agree with `old`.
///
/// # Errors
/// [`Why::Nowhere`], [`Why::OneLineOfSeveral`], or [`Why::OneLine`] where the odd line may tell two siblings apart.
pub fn find(file: &Source<'_>, old: &Source<'_>) -> Result<Found, Why> {
    let lines = old.solid().len();
    let windows = windows(old.keys(), file.keys());
    let (start, odd) = match windows[..] {
        [only] => only,
        [] => return Err(Why::Nowhere),
        _ => {
            let places = windows.iter().take(64).map(|&(s, _)| window(file, old, s, Strategy::OneLineOff).lines());
            return Err(Why::OneLineOfSeveral(places.collect()));
        }
    };
    let mut found = window(file, old, start, Strategy::OneLineOff);
    let refused = Why::OneLine(found.lines());
    let agrees = found.pairs.iter().enumerate().all(|(i, &(o, f))| i == odd || old.key(o) == file.key(f));
    if !agrees || !has_anchor(file, old, odd) {
        return Err(refused);
    }
    let (theirs, ours) = (old.key(found.pairs[odd].0), file.key(found.pairs[odd].1));
    // What is left of a line that was cut off speaks for the window, not against it: one line less will do.
    // Only the first and the last line of a text are ever cut off.
    if lines + 1 >= FEWEST_LINES && (odd == 0 || odd + 1 == lines) && is_cut(&theirs, &ours) {
        found.odd = Some((odd, Odd::Cut));
        return Ok(found);
    }
    if lines < FEWEST_LINES {
        return Err(refused);
    }
    let kind = slip(&theirs, &ours)
        .filter(|word| !has_word(file.bytes(), word))
        .map(|word| Odd::Typo(word.to_vec()))
        .or_else(|| is_comment_in_other_words(&theirs, &ours).then_some(Odd::Comment))
        .or_else(|| {
            let is_a_quote = lines > FEWEST_LINES && is_misquoted(&theirs, &ours);
            (is_a_quote && has_no_rival(file, old, start)).then_some(Odd::Misquoted)
        })
        .ok_or(refused)?;
    found.odd = Some((odd, kind));
    Ok(found)
}

/// Words that a line starts with which names something: what tells two siblings apart.
const NAMING: &[&[u8]] = &[
    b"abstract",
    b"async",
    b"case",
    b"class",
    b"const",
    b"def",
    b"enum",
    b"export",
    b"fn",
    b"final",
    b"fun",
    b"func",
    b"function",
    b"impl",
    b"import",
    b"interface",
    b"internal",
    b"let",
    b"mod",
    b"module",
    b"namespace",
    b"object",
    b"override",
    b"package",
    b"private",
    b"protected",
    b"pub",
    b"public",
    b"static",
    b"struct",
    b"test",
    b"trait",
    b"type",
    b"use",
    b"val",
    b"var",
    b"describe",
    b"it",
    b"from",
    b"include",
    b"macro",
    b"union",
];

/// Whether a line names something that others of its kind are told from by it: a definition, a key, a heading, the head of
/// a block.
fn names(line: &[u8]) -> bool {
    let first = line.split(|&byte| !is_of_word(byte)).next().unwrap_or_default();
    let is_key = {
        let line = line.strip_prefix(b"- ").unwrap_or(line);
        let end = line.iter().position(|&byte| !(is_of_word(byte) || b"-.\"'".contains(&byte)));
        end.is_some_and(|end| end > 0 && (line[end] == b':' || line[end..].trim_ascii_start().starts_with(b"=")))
    };
    is_key
        || NAMING.contains(&first)
        || line.first().is_some_and(|byte| b"#[@<".contains(byte))
        || line.ends_with(b":")
        || line.ends_with(b"{")
}

/// Whether `theirs` is `ours` in other words: half of the words or more are the same, and more than one is not. One word for
/// another is what tells two siblings apart; in code, where words were not only left out or added, so are several.
fn is_misquoted(theirs: &[u8], ours: &[u8]) -> bool {
    if names(theirs) || names(ours) {
        return false;
    }
    let (a, b) = (words_said(theirs), words_said(ours));
    let mut rest = b.clone();
    let same = a
        .iter()
        .filter(|&word| rest.iter().position(|other| other == word).map(|at| rest.swap_remove(at)).is_some())
        .count();
    let other = a.len().max(b.len()) - same;
    // In code another word is another thing; a comment is said in other words.
    let is_less_or_more = same == a.len().min(b.len());
    if !is_less_or_more && !are_comments(theirs, ours) {
        return false;
    }
    let denied = |words: &[String]| words.iter().filter(|word| denies(word)).count();
    other > 1 && same * 2 >= a.len().max(b.len()) && denied(&a) == denied(&b)
}

/// Whether both lines are comments of one kind.
fn are_comments(theirs: &[u8], ours: &[u8]) -> bool {
    let sign = |line| std::str::from_utf8(line).ok().and_then(comment).map(|(sign, _)| sign);
    sign(theirs).is_some() && sign(theirs) == sign(ours)
}

/// The words of a line as they are said: `won't` is one, and `Cache` is `cache`.
fn words_said(line: &[u8]) -> Vec<String> {
    let is_said = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '\u{2019}');
    let line = String::from_utf8_lossy(line).to_lowercase().replace('\u{2019}', "'");
    let words = line.split(|c| !is_said(c)).map(|word| word.trim_matches('\''));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Whether a word makes a sentence say the opposite.
fn denies(word: &str) -> bool {
    word.ends_with("n't") || matches!(word, "not" | "no" | "never" | "none" | "nor" | "neither" | "cannot" | "without")
}

/// Whether every other window agrees with at most half of the lines of `old`.
fn has_no_rival(file: &Source<'_>, old: &Source<'_>, start: usize) -> bool {
    /// So many agreements are counted.
    const MOST: usize = 200_000;
    let mut at: std::collections::HashMap<u64, Vec<usize>> = std::collections::HashMap::new();
    for (line, &key) in file.keys().iter().enumerate() {
        at.entry(key).or_default().push(line);
    }
    let mut votes: std::collections::HashMap<usize, usize> = std::collections::HashMap::new();
    let mut count = 0;
    for (n, key) in old.keys().iter().enumerate() {
        for line in at.get(key).into_iter().flatten().filter_map(|line| line.checked_sub(n)) {
            count += 1;
            *votes.entry(line).or_default() += 1;
        }
        if count > MOST {
            return false;
        }
    }
    votes.iter().all(|(&window, &votes)| window == start || votes * 2 <= old.keys().len())
}

/// The windows of `hay` that agree with `needle` in all elements but one: where each starts, and which one is odd.
pub fn windows(needle: &[u64], hay: &[u64]) -> Vec<(usize, usize)> {
    if needle.len() < 2 || hay.len() < needle.len() {
        return Vec::new();
    }
    let reversed = |keys: &[u64]| keys.iter().rev().copied().collect::<Vec<_>>();
    let heads = prefix_lengths(needle, hay);
    let tails = prefix_lengths(&reversed(needle), &reversed(hay));
    (0..=hay.len() - needle.len())
        .filter_map(|start| {
            let (head, tail) = (heads[start], tails[hay.len() - start - needle.len()]);
            (head + tail + 1 == needle.len()).then_some((start, head))
        })
        .collect()
}

/// Whether one of the lines that agree occurs nowhere else in the file.
fn has_anchor(file: &Source<'_>, old: &Source<'_>, odd: usize) -> bool {
    let mut counts: std::collections::HashMap<u64, usize> =
        old.keys().iter().enumerate().filter(|&(i, _)| i != odd).map(|(_, &key)| (key, 0)).collect();
    for key in file.keys() {
        if let Some(count) = counts.get_mut(key) {
            *count += 1;
        }
    }
    counts.values().any(|&count| count == 1)
}

/// The words and what stands between them, in turn; the first part may be empty.
fn words(line: &[u8]) -> Vec<&[u8]> {
    line.chunk_by(|&a, &b| is_of_word(a) == is_of_word(b)).collect()
}

/// The one word of `theirs` that is a slip of letters for the word of `ours` in its place, all else being equal.
fn slip<'a>(theirs: &'a [u8], ours: &[u8]) -> Option<&'a [u8]> {
    let (a, b) = (words(theirs), words(ours));
    if a.len() != b.len() {
        return None;
    }
    let mut different = a.iter().zip(&b).filter(|(x, y)| x != y);
    let (&wrong, &right) = different.next()?;
    (different.next().is_none() && is_slip(wrong, right)).then_some(wrong)
}

/// Whether `wrong` is `right` with two neighbouring letters exchanged, or one letter too many or too few; inside the word
/// (at its end it may be a plural or another form), in words of five characters or more (shorter ones are too near each
/// other). A letter for another one is not: that is how `min` and `max`, `lhs` and `rhs` differ.
fn is_slip(wrong: &[u8], right: &[u8]) -> bool {
    if right.len() < 5 || wrong.len() < 4 || wrong.first() != right.first() || wrong.last() != right.last() {
        return false;
    }
    let head = wrong.iter().zip(right).take_while(|(a, b)| a == b).count();
    let tail = wrong.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
    let letters = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_alphabetic);
    // A last letter that is doubled is one more at the end.
    if wrong.starts_with(right) || right.starts_with(wrong) {
        return false;
    }
    match wrong.len() as isize - right.len() as isize {
        0 => {
            let (w, r) = (&wrong[head..], &right[head..]);
            head + 2 + tail == wrong.len() && w[0] == r[1] && w[1] == r[0] && letters(&w[..2])
        }
        1 => head + tail >= right.len() && letters(&wrong[head..=head]),
        -1 => head + tail >= wrong.len() && letters(&right[head..=head]),
        _ => false,
    }
}

/// Whether `word` stands in `bytes` as a whole word.
fn has_word(bytes: &[u8], word: &[u8]) -> bool {
    memchr::memmem::find_iter(bytes, word).any(|at| {
        let before = at.checked_sub(1).map(|i| bytes[i]);
        let after = bytes.get(at + word.len()).copied();
        !before.is_some_and(is_of_word) && !after.is_some_and(is_of_word)
    })
}

/// Whether `theirs` is the beginning of `ours`, and enough of it to know it by; not where a number goes on.
fn is_cut(theirs: &[u8], ours: &[u8]) -> bool {
    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    // A few more letters, and no more than that, may make another word of the last one: `port`, `ports`, `ported`.
    let rest = ours.get(theirs.len()..).unwrap_or_default();
    let more = rest.iter().take_while(|&&byte| is_of_word(byte)).count();
    let is_inflected =
        theirs.last().is_some_and(|&byte| is_of_word(byte)) && (1..=3).contains(&more) && more == rest.len();
    !is_inflected
        && ours.len() > theirs.len()
        && ours.starts_with(theirs)
        && fold::word_chars(theirs) >= 4
        && !(digit(theirs.last()) && digit(ours.get(theirs.len())))
}

/// Whether both lines are comments of the same kind that say the same in other words: the words with a meaning of their
/// own agree, in order; only little words (articles, pronouns, auxiliaries) differ.
fn is_comment_in_other_words(theirs: &[u8], ours: &[u8]) -> bool {
    let (Ok(theirs), Ok(ours)) = (std::str::from_utf8(theirs), std::str::from_utf8(ours)) else {
        return false;
    };
    let (Some((a, theirs)), Some((b, ours))) = (comment(theirs), comment(ours)) else {
        return false;
    };
    let (theirs, ours) = (telling(theirs), telling(ours));
    a == b && theirs.len() >= 2 && theirs == ours
}

/// The sign that starts a comment line (or a line of prose), and what follows.
fn comment(line: &str) -> Option<(&str, &str)> {
    let sign = line.len() - line.trim_start_matches(['/', '#', '*', '-', ';', '%', '!', '<']).len();
    let (sign, rest) = line.split_at(sign);
    let known = matches!(sign, "//" | "///" | "//!" | "/*" | "/**" | "*" | "--" | "<!--" | "%" | "%%")
        || (!sign.is_empty() && (sign.bytes().all(|b| b == b'#') || sign.bytes().all(|b| b == b';')));
    (known && rest.starts_with([' ', '\t'])).then_some((sign, rest))
}

/// The words of a comment that carry its meaning, in lower case, without the punctuation around them.
fn telling(text: &str) -> Vec<String> {
    let plain = |word: &str| word.trim_matches([',', '.', ';', '!', '?', '(', ')']).to_lowercase();
    let mut words: Vec<String> = text.split_whitespace().map(plain).filter(|word| !word.is_empty()).collect();
    for (phrase, same) in PHRASES {
        while let Some(at) = words.windows(phrase.len()).position(|window| window == *phrase) {
            words.splice(at..at + phrase.len(), [(*same).to_owned()]);
        }
    }
    words.retain(|word| !LITTLE.contains(&word.as_str()));
    words
}

/// Phrases that say the same as a word.
const PHRASES: &[(&[&str], &str)] = &[
    (&["out", "of"], "from"),
    (&["give", "back"], "return"),
    (&["gives", "back"], "returns"),
    (&["make", "use", "of"], "use"),
    (&["makes", "use", "of"], "uses"),
    (&["as", "well", "as"], "and"),
    (&["in", "order", "to"], "to"),
    (&["never"], "not"),
];

/// Words that tell no two things apart. Without those that do: `not`, `or`, `any`, `to`/`from`, `before`/`after`, numbers.
const LITTLE: &[&str] = &[
    "a", "all", "also", "an", "and", "are", "be", "because", "been", "being", "can", "could", "did", "do", "does",
    "every", "for", "had", "has", "have", "here", "how", "i", "if", "in", "inside", "is", "it", "its", "just", "may",
    "might", "must", "of", "one", "only", "order", "our", "shall", "should", "since", "so", "some", "that", "the",
    "their", "then", "there", "these", "they", "this", "those", "to", "using", "was", "we", "were", "when", "whenever",
    "which", "who", "will", "with", "would", "you", "your",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(wrong: &str, right: &str, want: bool) {
        assert_eq!(slip(wrong.as_bytes(), right.as_bytes()).is_some(), want, "{wrong:?} for {right:?}");
    }

    #[test]
    fn one_slip_of_letters_inside_one_word_is_a_slip() {
        check("let words = elemets + 63;", "let words = elements + 63;", true);
        check("wifle(a)", "wfile(a)", true);
        check("versiion = 1", "version = 1", true);
    }

    #[test]
    fn what_may_be_another_name_is_no_slip() {
        check("rows(a)", "row(a)", false);
        check("values", "value", false);
        check("lhs_value", "rhs_value", false);
        check("read_u16(a)", "read_u32(a)", false);
        check("first_key", "firstkey", false);
        check("elemets + elemets", "elements + elements", false);
        check("a + elemets", "b + elements", false);
        check("index1", "index", false);
        check("nested", "ested", false);
        check("constants", "constantss", false);
    }

    fn reworded(theirs: &str, ours: &str, want: bool) {
        assert_eq!(is_comment_in_other_words(theirs.as_bytes(), ours.as_bytes()), want, "{theirs:?} for {ours:?}");
    }

    #[test]
    fn a_comment_may_differ_in_its_little_words() {
        reworded(
            "// falling back in order to repair durable state",
            "// falling back to repair the durable state",
            true,
        );
        reworded(
            "/// The match holds information of its origin.",
            "/// A match holds information about its origin.",
            false,
        );
        reworded("/// Returns the minimum", "/// Returns the maximum", false);
        reworded("// reads from a file", "// reads a file", false);
        reworded("/// Returns if any value is set", "/// Returns if all values are set", false);
        reworded("#include the file name", "#include a file name", false);
        reworded("# the file name", "// the file name", false);
        reworded("let a = the file", "let a = a file", false);
    }

    fn search(file: &str, old: &str, want: Result<Odd, &str>) {
        let (file, old) = (Source::new(file.as_bytes(), 0), Source::new(old.as_bytes(), 0));
        let got = find(&file, &old).map(|f| f.odd.expect("this tier names the odd line").1).map_err(|why| why.words());
        assert_eq!(got, want);
    }

    #[test]
    fn a_misquoted_line_says_the_same_in_several_other_words() {
        let check = |theirs: &str, ours: &str, want: bool| {
            assert_eq!(is_misquoted(theirs.as_bytes(), ours.as_bytes()), want, "{theirs:?} for {ours:?}");
        };
        check("// Keep the old value around", "// Keep the previous value here", true);
        check("call(alpha, beta, gamma)", "call(alpha, beta, gamma, delta, epsilon)", true);
        check("// This won't panic on input", "// This will panic on input", false);
        check("// This won\u{2019}t panic on input here", "// This will panic on input", false);
        check("// Never cache the answers of it", "// Cache the answers of it now", false);
        check("// Don't perform it for Hangul twice", "// Perform it for Hangul", false);
        check("call(alpha, beta)", "call(alpha, gamma)", false);
        check("let keep = the old value", "let keep = the previous one", false);
        check("self.check(self.path.isdir(name), False)", "self.check(self.path.isfile(name), True)", false);
        check("// the check of a folder by its old name", "# the check of a file by its full name", false);
    }

    #[test]
    fn the_other_lines_must_agree_in_one_window() {
        search("a\nlet b = value;\nc\nd\n", "a\nlet b = vlaue;\nc\nd", Ok(Odd::Typo(b"vlaue".to_vec())));
        search("fn abcdefgh(x) {\nb\nc\nd\n", "fn abcd\nb\nc\nd", Ok(Odd::Cut));
        search("# Teleported\nb\nc\nd\n", "# Teleport\nb\nc\nd", Err("one line differs"));
        search("a\nvalue1\nc\nd\na\nvalue2\nc\nd\n", "a\nvalue3\nc\nd", Err("two places"));
        search("a\nx\nc\nd\ny\nd\n", "a\nb\nx\nd", Err("no place is near enough"));
    }

    #[test]
    fn three_lines_or_no_line_of_its_own_are_not_enough() {
        search("a\nvalue\nc\n", "a\nvlaue\nc", Err("one line differs"));
        search("a\nvalue\na\na\nb", "a\nvlaue\na\na", Err("one line differs"));
    }

    #[test]
    fn a_spelling_that_the_file_knows_is_another_name() {
        search("a\nlet b = value;\nc\nd\nlet vlaue = 1;\n", "a\nlet b = vlaue;\nc\nd", Err("one line differs"));
    }

    #[test]
    fn windows_with_one_odd_element_are_all_found() {
        assert_eq!(windows(&[1, 2, 3], &[1, 9, 3, 1, 2, 3, 1, 2]), [(0, 1)]);
        assert_eq!(windows(&[1, 1, 1], &[1, 1, 2, 1, 1]), [(0, 2), (1, 1), (2, 0)]);
    }
}
