//! Unified diffs: of `git diff`, of `diff -u`, and without numbers, as aider's models write them.
//!
//! Owns their grammar. Numbers only choose among places where the lines stand exactly; counts that are wrong are counted again.
//! Binary patches, symlinks and submodules are refused by name.

use super::lines::{Line, Lines, wrong};
use super::script::{bare, fenced};
use super::sections::{Sections, file};
use crate::answer::Envelope;
use crate::dialect::json::format::{Format, TextFormat};
use crate::dialect::json::wrapped;
use crate::dialect::json::{At, Cause, Checked, Fault, Shape, absolute_or_relative_bytes};
use crate::dialect::native::{NativeAnswer, NativeContext, ToolDefinition};
use crate::dialect::words::Words;
use crate::path::c_unquoted;
use crate::request::{Anchor, Dialect, Edit, FileChange, FileRequest, Last, PathArg, Request};
use crate::strategy::Level;
use bstr::{BString, ByteSlice};
use serde_json::json;

/// This dialect, for the table.
pub(crate) const FORMAT: Format = Format {
    level: Level::Exact,
    words: &WORDS,
    shape: &SHAPE,
    fits: Some(|json| wrapped::fits(json, &TEXT)),
    parse: |json| wrapped::parse(json, &TEXT),
    text: Some(&TEXT),
    answer,
    tools,
};

const SHAPE: Shape = Shape { keys: TEXT.keys, path: None, inner: &[] };

const TEXT: TextFormat = TextFormat { fits, parse, keys: &["diff", "patch", "input"] };

/// What its callers call things.
const WORDS: Words =
    Words { create: Some("a diff from /dev/null"), ..Words::of_pair("the hunk's old text", "the hunk's new text") };

const GIT: &[u8] = b"diff --git ";
const OLD: &[u8] = b"--- ";
const NEW: &[u8] = b"+++ ";
const NOWHERE: &[u8] = b"/dev/null";

fn fits(text: &[u8]) -> bool {
    let bare = bare(text, &[]);
    let mut lines = Lines::from(bare.text, bare.line);
    std::iter::from_fn(|| lines.next().map(|line| (line, lines.peek()))).any(|(line, next)| is_head(line, next))
}

/// Whether a part about a file begins here.
fn is_head(line: Line<'_>, next: Option<Line<'_>>) -> bool {
    line.text.starts_with(GIT) || (line.text.starts_with(OLD) && next.is_some_and(|next| next.text.starts_with(NEW)))
}

/// What the heads of a part say.
#[derive(Debug, Default)]
struct Heads {
    old: Option<BString>,
    new: Option<BString>,
    /// Both names on git's own line, where they are the same.
    git: Option<GitName>,
    /// What stands behind `diff --git `.
    git_line: Option<BString>,
    rename: Option<(BString, BString)>,
    is_new: bool,
    is_deleted: bool,
    old_mode: Option<u32>,
    mode: Option<u32>,
}

/// Reads a diff.
fn parse(text: &[u8], _path: Option<&str>) -> Checked<Request> {
    // White space at the end may be the last context line of a hunk.
    let (whole, number) = fenced(text).unwrap_or((text, 1));
    let mut lines = Lines::from(whole, number);
    let mut sections = Sections::default();
    let first = lines.peek();
    while let Some(line) = lines.next() {
        if line.text.starts_with(b"@@ -") && line.text[4..].first().is_some_and(u8::is_ascii_digit) {
            return Err(wrong(Some(line), "`--- OLD` and `+++ NEW` before a hunk, which name its file"));
        }
        if !is_head(line, lines.peek()) {
            continue;
        }
        let (heads, is_over) = heads(line, &mut lines)?;
        let hunks = if is_over { Vec::new() } else { hunks(&mut lines)? };
        if hunks.is_empty() && heads.new.is_some() {
            return Err(wrong(Some(line), "hunks with `-` or `+` lines behind the names of a file"));
        }
        sections.add(part(line, heads, hunks)?)?;
    }
    sections.request(Dialect::UnifiedDiff).ok_or_else(|| wrong(first, "`--- OLD` and `+++ NEW`, and hunks behind them"))
}

/// Reads the heads of a part; whether there are no hunks behind them.
fn heads(first: Line<'_>, lines: &mut Lines<'_>) -> Checked<(Heads, bool)> {
    let mut heads = Heads::default();
    let mut line = first;
    loop {
        let text = line.text;
        let mode = |text: &[u8]| text.to_str().ok().and_then(|text| u32::from_str_radix(text.trim(), 8).ok());
        let named = |text: &[u8]| name(line, text);
        if let Some(rest) = text.strip_prefix(GIT) {
            (heads.git, heads.git_line) = (GitName::read(rest), Some(rest.into()));
        } else if let Some(rest) = text.strip_prefix(b"new file mode ") {
            (heads.is_new, heads.mode) = (true, mode(rest));
        } else if let Some(rest) = text.strip_prefix(b"deleted file mode ") {
            (heads.is_deleted, heads.mode) = (true, mode(rest));
        } else if let Some(rest) = text.strip_prefix(b"old mode ") {
            heads.old_mode = mode(rest);
        } else if let Some(rest) = text.strip_prefix(b"new mode ") {
            heads.mode = mode(rest);
        } else if let Some(rest) = text.strip_prefix(b"rename from ") {
            heads.rename.get_or_insert_default().0 = named(rest)?;
        } else if let Some(rest) = text.strip_prefix(b"rename to ") {
            heads.rename.get_or_insert_default().1 = named(rest)?;
        } else if text.starts_with(b"copy from ") {
            return Err(unsupported(line, "a copy of a file", "send the copy as a new file, with all of its lines"));
        } else if text.starts_with(b"Binary files ") || text.starts_with(b"GIT binary patch") {
            return Err(unsupported(line, "a change of a binary file", "leave that file out"));
        } else if let Some(rest) = text.strip_prefix(OLD) {
            (heads.old, heads.is_new) = (Some(named(rest)?), heads.is_new || is_dated_epoch(rest));
        } else if let Some(rest) = text.strip_prefix(NEW) {
            (heads.new, heads.is_deleted) = (Some(named(rest)?), heads.is_deleted || is_dated_epoch(rest));
            return Ok((heads, false));
        }
        match lines.peek() {
            Some(next) if is_extended(next) => {
                lines.next();
                line = next;
            }
            _ => return Ok((heads, true)),
        }
    }
}

/// Whether a line behind git's own first one belongs to the heads.
fn is_extended(line: Line<'_>) -> bool {
    const HEADS: [&[u8]; 15] = [
        b"old mode ",
        b"new mode ",
        b"deleted file mode ",
        b"new file mode ",
        b"copy from ",
        b"copy to ",
        b"rename from ",
        b"rename to ",
        b"rename old ",
        b"rename new ",
        b"similarity index ",
        b"dissimilarity index ",
        b"index ",
        b"Binary files ",
        b"GIT binary patch",
    ];
    HEADS.iter().any(|head| line.text.starts_with(head)) || line.text.starts_with(OLD) || line.text.starts_with(NEW)
}

fn unsupported(line: Line<'_>, what: &'static str, instead: &'static str) -> Box<Fault> {
    Fault::new(Cause::Unsupported { line: line.number, what, instead })
}

/// A name: without what stands behind a tab, and without git's quotes.
fn name(line: Line<'_>, text: &[u8]) -> Checked<BString> {
    if text.starts_with(b"\"") {
        return c_unquoted(text).ok_or_else(|| wrong(Some(line), "a name in git's quotes"));
    }
    let end = memchr::memchr(b'\t', text).unwrap_or(text.len());
    let name = text[..end].trim_end();
    if name.is_empty() { Err(wrong(Some(line), "the name of a file")) } else { Ok(name.into()) }
}

/// Whether the time behind a name is the first of all.
fn is_dated_epoch(text: &[u8]) -> bool {
    memchr::memchr(b'\t', text).is_some_and(|tab| is_epoch(&text[tab + 1..]))
}

/// Whether a time is the first of all, by which `diff -N` tells a file that is not there, in any time zone.
fn is_epoch(time: &[u8]) -> bool {
    let mut words = time.to_str().unwrap_or_default().split_whitespace();
    let (Some(day), Some(clock)) = (words.next(), words.next()) else { return false };
    let mut parts = clock.split(':').skip(1);
    let seconds = parts.nth(1).unwrap_or_default();
    let is_full = seconds.chars().all(|digit| matches!(digit, '0' | '.')) && seconds.starts_with("00");
    matches!(day, "1970-01-01" | "1969-12-31")
        && is_full
        && words.next().is_some_and(|zone| starts_at_zero(clock, zone))
}

/// Whether a time of the day is midnight in UTC.
fn starts_at_zero(clock: &str, zone: &str) -> bool {
    let minutes = |hours: &str, minutes: &str| Some(hours.parse::<i32>().ok()? * 60 + minutes.parse::<i32>().ok()?);
    let mut parts = clock.split(':');
    let local = parts.next().zip(parts.next()).and_then(|(hours, rest)| minutes(hours, rest));
    let offset =
        zone.get(1..3).zip(zone.get(zone.len().saturating_sub(2)..)).and_then(|(hours, rest)| minutes(hours, rest));
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    local.zip(offset).is_some_and(|(local, offset)| (local - sign * offset).rem_euclid(24 * 60) == 0)
}

/// The name of a file on git's own line.
#[derive(Debug)]
enum GitName {
    /// It stands there twice as it is: `NAME NAME`.
    Bare(BString),
    /// Without the folders that only diffs have: `a/NAME b/NAME`.
    Prefixed(BString),
}

impl GitName {
    /// None where the two names are not the same.
    fn read(text: &[u8]) -> Option<Self> {
        if text.starts_with(b"\"") {
            return c_unquoted(text).and_then(|name| without_first(&name)).map(Self::Prefixed);
        }
        memchr::memchr_iter(b' ', text).find_map(|at| {
            let (one, other) = (&text[..at], &text[at + 1..]);
            let bare = without_first(one).filter(|bare| without_first(other).as_ref() == Some(bare));
            if one == other { Some(Self::Bare(one.into())) } else { bare.map(Self::Prefixed) }
        })
    }

    fn name(&self) -> &BString {
        match self {
            Self::Bare(name) | Self::Prefixed(name) => name,
        }
    }
}

fn without_first(name: &[u8]) -> Option<BString> {
    let (_, rest) = name.split_once_str("/")?;
    (!rest.is_empty()).then(|| rest.into())
}

/// Both names without the folders that only diffs have.
fn names(old: &BString, new: &BString) -> (BString, BString) {
    let strips = |name: &BString| {
        let first = name.split_once_str("/").map(|(first, _)| first);
        matches!(first, Some(b"a" | b"b" | b"i" | b"w" | b"c" | b"o" | b"1" | b"2"))
    };
    let bare = |name: &BString| without_first(name).unwrap_or_else(|| name.clone());
    let is_nowhere = |name: &BString| name.as_slice() == NOWHERE;
    let differ = old != new && without_first(old).is_some() && without_first(old) == without_first(new);
    // Prefixes come as a pair, so that two equal names have none.
    let both = old != new && (is_nowhere(old) || strips(old)) && (is_nowhere(new) || strips(new));
    let of = |name: &BString| if is_nowhere(name) || !(both || differ) { name.clone() } else { bare(name) };
    (of(old), of(new))
}

/// Whether these are the two names of git's own line, each perhaps behind folders that only diffs have.
fn is_pair(names: &BString, from: &BString, to: &BString) -> bool {
    let is_named = |text: &[u8], name: &BString| {
        let before = text.strip_suffix(name.as_slice()).filter(|_| !name.is_empty());
        before.is_some_and(|before| before.is_empty() || before.ends_with(b"/"))
    };
    memchr::memchr_iter(b' ', names).any(|at| is_named(&names[..at], from) && is_named(&names[at + 1..], to))
}

/// The files of a part: before, and after; none where there is none.
fn paths(line: Line<'_>, heads: &Heads) -> Checked<(Option<BString>, Option<BString>)> {
    if let Some((from, to)) = &heads.rename {
        let names = heads.git_line.as_ref().filter(|names| !names.contains(&b'"'));
        let is_meant = names.is_none_or(|names| is_pair(names, from, to));
        let expected = "`rename from` and `rename to` with the names of `diff --git`";
        return if is_meant { Ok((Some(from.clone()), Some(to.clone()))) } else { Err(wrong(Some(line), expected)) };
    }
    let (old, new) = match (&heads.old, &heads.new, &heads.git) {
        // Where git has no prefixes, neither have the others.
        (Some(old), Some(new), Some(GitName::Bare(_))) => (old.clone(), new.clone()),
        (Some(old), Some(new), _) => names(old, new),
        (_, _, Some(git)) => (git.name().clone(), git.name().clone()),
        _ => return Err(wrong(Some(line), "`--- OLD` and `+++ NEW`, or one name twice")),
    };
    let known = |name: BString| if name.as_slice() == NOWHERE { None } else { Some(name) };
    let (old, new) = (known(old).filter(|_| !heads.is_new), known(new).filter(|_| !heads.is_deleted));
    Ok(match (old, new) {
        // `diff -u` names a copy of the old text: the file is the one whose name is the other's beginning, else the new one.
        (Some(old), Some(new)) if old != new && old.starts_with(&new) => (Some(new.clone()), Some(new)),
        (Some(old), Some(new)) if old != new && new.starts_with(&old) => (Some(old.clone()), Some(old)),
        (Some(_), Some(new)) => (Some(new.clone()), Some(new)),
        (old, new) => (old, new),
    })
}

fn path(name: &[u8]) -> Checked<PathArg> {
    absolute_or_relative_bytes(At::Top.key("path"), name)
}

/// What a part asks for.
fn part(line: Line<'_>, heads: Heads, hunks: Vec<Edit>) -> Checked<FileRequest> {
    if heads.mode.is_some_and(|mode| mode & 0o170_000 != 0o100_000)
        || heads.old_mode.is_some_and(|mode| mode & 0o170_000 != 0o100_000)
    {
        return Err(unsupported(line, "a change of a symbolic link or a submodule", "leave it out"));
    }
    let says_mode = heads.is_new || heads.old_mode.is_some();
    let executable = heads.mode.filter(|_| says_mode).map(|mode| mode & 0o111 != 0);
    let named = paths(line, &heads)?;
    let changes_mode = heads.old_mode.is_some();
    let part = part_of(line, named, hunks, changes_mode.into())?;
    let is_new_and_plain = heads.is_new && executable == Some(false);
    Ok(FileRequest { executable: executable.filter(|_| !is_new_and_plain), ..part })
}

/// Whether a part changes a file's mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ModeOf {
    Changed,
    Kept,
}

impl From<bool> for ModeOf {
    fn from(is_changed: bool) -> Self {
        if is_changed { Self::Changed } else { Self::Kept }
    }
}

/// The same, but for the mode.
fn part_of(
    line: Line<'_>,
    (old, new): (Option<BString>, Option<BString>),
    hunks: Vec<Edit>,
    mode: ModeOf,
) -> Checked<FileRequest> {
    match (old, new) {
        (None, Some(new)) => {
            if hunks.iter().any(|hunk| !hunk.old().is_empty()) {
                return Err(wrong(Some(line), "only lines with `+` in a file that is new"));
            }
            let content = hunks.iter().flat_map(|hunk| hunk.new_text().to_vec()).collect();
            Ok(file(path(&new)?, FileChange::Create { content, overwrite: false, edits: Vec::new() }))
        }
        (Some(old), None) => {
            if hunks.iter().any(|hunk| !hunk.new_text().is_empty()) {
                return Err(wrong(Some(line), "only lines with `-` in a file that goes"));
            }
            let mut gone = file(path(&old)?, FileChange::Delete);
            let text = hunks.iter().flat_map(|hunk| hunk.old().to_vec()).collect();
            gone.expected.text = Some(text);
            Ok(gone)
        }
        (Some(from), Some(to)) if from != to => {
            Ok(file(path(&from)?, FileChange::Rename { to: path(&to)?, edits: hunks }))
        }
        (Some(name), Some(_)) if mode == ModeOf::Kept && hunks.iter().all(|hunk| hunk.old() == hunk.new_text()) => {
            let named = name.to_string();
            Err(wrong(Some(line), "hunks with `-` or `+` lines behind the names of a file").in_file(named))
        }
        (Some(name), Some(_)) => Ok(file(path(&name)?, FileChange::Modify(hunks))),
        (None, None) => Err(wrong(Some(line), "the name of a file on one side")),
    }
}

/// The numbers in the head of a hunk: where it begins before, how many lines it has, and the same after.
type Numbers = Option<[usize; 4]>;

/// Reads hunks as long as there are any.
fn hunks(lines: &mut Lines<'_>) -> Checked<Vec<Edit>> {
    let mut found = Vec::new();
    while let Some(line) = lines.peek() {
        if !line.text.starts_with(b"@@") {
            break;
        }
        lines.next();
        let numbers = numbers(line).map_err(|fault| fault.in_edit(found.len()))?;
        let hunk = hunk(line, lines, numbers).map_err(|fault| fault.in_edit(found.len()))?;
        // A hunk of context alone says nothing.
        if hunk.old() != hunk.new_text() || numbers.is_some() {
            found.push(hunk);
        }
    }
    Ok(found)
}

fn numbers(line: Line<'_>) -> Checked<Numbers> {
    let Some(rest) = line.text.strip_prefix(b"@@ -") else { return Ok(None) };
    let side = |text: &[u8]| -> Option<(usize, usize)> {
        let text = text.to_str().ok()?;
        match text.split_once(',') {
            Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
            None => Some((text.parse().ok()?, 1)),
        }
    };
    let read = || {
        let (old, rest) = rest.split_once_str(" +")?;
        let (new, _) = rest.split_once_str(" @@")?;
        let ((a, b), (c, d)) = (side(old)?, side(new)?);
        Some([a, b, c, d])
    };
    match read() {
        Some(numbers) => Ok(Some(numbers)),
        None if rest.first().is_some_and(u8::is_ascii_digit) => {
            Err(wrong(Some(line), "`@@ -START,COUNT +START,COUNT @@`"))
        }
        None => Ok(None),
    }
}

/// The lines of a hunk.
#[derive(Default)]
struct Body {
    old: Vec<u8>,
    new: Vec<u8>,
    counts: (usize, usize),
    /// Context lines at its end.
    trailing: usize,
    /// The signs of its first line and of its last; 0 where it has none.
    first: u8,
    last: u8,
}

impl Body {
    fn add(&mut self, line: Line<'_>, sign: u8) {
        let text = line.text.get(1..).unwrap_or_default();
        let end: &[u8] = if line.has_cr { b"\r\n" } else { b"\n" };
        for (is_meant, side, count) in
            [(sign != b'+', &mut self.old, &mut self.counts.0), (sign != b'-', &mut self.new, &mut self.counts.1)]
        {
            if is_meant {
                side.extend_from_slice(text);
                side.extend_from_slice(end);
                *count += 1;
            }
        }
        self.trailing = if sign == b' ' { self.trailing + 1 } else { 0 };
        self.first = if self.first == 0 { sign } else { self.first };
        self.last = sign;
    }

    /// That the line before has no newline, which this line says.
    fn lacks_newline(&mut self, line: Line<'_>) {
        for (is_meant, side) in [(self.last != b'+', &mut self.old), (self.last != b'-', &mut self.new)] {
            if is_meant && side.last() == Some(&b'\n') {
                side.pop();
                // One that ends with CRLF itself came on a way that made every line end so.
                if line.has_cr && side.last() == Some(&b'\r') {
                    side.pop();
                }
            }
        }
    }
}

fn hunk(head: Line<'_>, lines: &mut Lines<'_>, numbers: Numbers) -> Checked<Edit> {
    let body = match numbers {
        Some([_, old, _, new]) => match counted(lines, (old, new)) {
            Some(body) => body,
            None => {
                let body = open_ended(lines);
                // Half a line, and fewer than were told of.
                if lines.ends_cut() && (body.counts.0 < old || body.counts.1 < new) {
                    return Err(wrong(
                        None,
                        format!("{old} old and {new} new lines in the hunk of line {}", head.number),
                    ));
                }
                body
            }
        },
        None => open_ended(lines),
    };
    if body.last == 0 {
        return Err(wrong(lines.peek(), "a line of the hunk, which starts with ` `, `-`, `+` or `\\`"));
    }
    let anchor = match numbers {
        Some([old_start, _, new_start, _]) => Anchor {
            line: Some(new_start.max(1)),
            is_first: old_start <= 1,
            last: match (body.trailing, body.first) {
                (1.., _) => Last::Anywhere,
                (0, b' ') => Last::UnlessNumberedAlone,
                // Without any context the number is all there is.
                (0, _) => Last::UnlessNumbered,
            },
            ends_exactly: true,
            ..Anchor::default()
        },
        None => Anchor { behind: section(head), ..Anchor::in_order() },
    };
    Ok(Edit::hunk(body.old, body.new, anchor))
}

/// What a head without numbers names: the line of a function or class.
fn section(head: Line<'_>) -> Vec<Vec<u8>> {
    let text = head.text.trim_start_with(|c| c == '@').trim_end_with(|c| c == '@').trim();
    let is_name = !text.is_empty() && text.iter().any(u8::is_ascii_alphanumeric) && !text.starts_with(b"-");
    if is_name { vec![text.to_vec()] } else { Vec::new() }
}

/// The lines that the counts tell; none where they do not fit, and then no line is taken.
fn counted(lines: &mut Lines<'_>, counts: (usize, usize)) -> Option<Body> {
    let mut body = Body::default();
    let mut ahead = lines.clone();
    while body.counts.0 < counts.0 || body.counts.1 < counts.1 {
        let line = ahead.next()?;
        match line.text.first() {
            Some(sign @ (b' ' | b'-' | b'+')) => body.add(line, *sign),
            None => body.add(line, b' '),
            Some(b'\\') if body.last != 0 => body.lacks_newline(line),
            _ => return None,
        }
    }
    if let Some(line) = ahead.peek().filter(|line| line.text.starts_with(b"\\")) {
        ahead.next();
        body.lacks_newline(line);
    }
    if body.counts != counts {
        return None;
    }
    // More lines of the kind mean that they were counted wrongly.
    if let Some(line) = ahead.peek() {
        let next = ahead.clone().nth(1);
        let goes_on = matches!(line.text.first(), Some(b' ' | b'+' | b'-'));
        if goes_on && !is_head(line, next) && line.text.as_bytes() != b"-- " {
            return None;
        }
    }
    *lines = ahead;
    Some(body)
}

/// The lines up to what cannot be one.
fn open_ended(lines: &mut Lines<'_>) -> Body {
    let mut body = Body::default();
    let mut empty = Vec::new();
    while let Some(line) = lines.peek() {
        let next = lines.clone().nth(1);
        let sign = match line.text.first() {
            _ if is_head(line, next) || line.text.as_bytes() == b"-- " => break,
            Some(sign @ (b' ' | b'-' | b'+')) => *sign,
            Some(b'\\') if body.last != 0 => b'\\',
            None => {
                lines.next();
                empty.push(line);
                continue;
            }
            _ => break,
        };
        lines.next();
        empty.drain(..).for_each(|line| body.add(line, b' '));
        if sign == b'\\' { body.lacks_newline(line) } else { body.add(line, sign) }
    }
    body
}

/// What was done, or what was found.
fn answer(envelope: &Envelope, _context: &NativeContext) -> NativeAnswer {
    NativeAnswer::Text(envelope.text.clone())
}

const DESCRIPTION: &str = "\
Edit files by a unified diff, as `git diff` writes it: all of it, or nothing.

--- a/path and +++ b/path name the file (/dev/null on one side creates or deletes it); hunks begin with @@, their lines with
a blank (context), - or +. Give three lines of context around each change, exactly as they stand in the file. Line numbers may
be left out.";

const EXAMPLE: &str = "--- a/src/a.py\n+++ b/src/a.py\n@@ -1,2 +1,2 @@\n def f():\n-    return 1\n+    return 2\n";

/// The one tool.
fn tools() -> Vec<ToolDefinition> {
    let schema = json!({
        "type": "object",
        "properties": {"diff": {"type": "string", "description": "The diff", "examples": [EXAMPLE]}},
        "required": ["diff"],
        "additionalProperties": false
    });
    vec![ToolDefinition::new(Dialect::UnifiedDiff, "apply_diff", DESCRIPTION, schema)]
}
