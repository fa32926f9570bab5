//! Edits by line numbers of a file as it was read: hashline's text form.
//!
//! Owns its grammar, without its registers and blocks: `[PATH#TAG]`, then `PUT 5.=9:`, `PUT <5:`, `PUT >5:`, `PUT >$:` with `+` rows,
//! `CUT 5.=9`, `REM`, `MV PATH`. The tag says which text the numbers are of; another one is refused.

use super::lines::{Line, Lines, wrong};
use super::sections::{Sections, file};
use crate::dialect::json::format::{Format, TextFormat};
use crate::dialect::json::{At, Checked, absolute_or_relative_bytes};
use crate::dialect::json::{Json, lines, wrapped};
use crate::request::{Dialect, Edit, FileChange, FileRequest, Request};
use crate::strategy::Level;
use bstr::ByteSlice;

/// This dialect, for the table.
pub(crate) const FORMAT: Format = Format {
    level: Level::Exact,
    words: &lines::WORDS,
    shape: &lines::SHAPE,
    fits: Some(|json| lines::has_operations(json) || wrapped::fits(json, &TEXT)),
    parse: |json| if is_wrapped(&json) { wrapped::parse(json, &TEXT) } else { lines::parse(json) },
    text: Some(&TEXT),
    answer: lines::answer,
    tools: lines::tools,
};

/// Its form that is no JSON.
const TEXT: TextFormat = TextFormat { fits, parse, keys: &["input", "patch"] };

/// Whether a request has the text form in it.
fn is_wrapped(json: &Json<'_>) -> bool {
    let has_text = ["input", "patch"].iter().any(|key| json.get(key).is_some());
    !matches!(json, Json::Object(_)) || has_text && !lines::has_operations(json)
}

fn inner(text: &[u8]) -> Lines<'_> {
    let mut lines = Lines::from(text, 1);
    while lines.peek().is_some_and(|line| line.text.trim().is_empty() || line.text.trim() == b"*** Begin Patch") {
        lines.next();
    }
    lines
}

fn fits(text: &[u8]) -> bool {
    inner(text).next().is_some_and(|line| header(line).is_some())
}

/// `[PATH#TAG]`.
fn header<'t>(line: Line<'t>) -> Option<(&'t [u8], &'t str)> {
    let inside = line.text.trim().strip_prefix(b"[")?.strip_suffix(b"]")?;
    let (path, tag) = inside.rsplit_once_str("#")?;
    let tag = tag.to_str().ok()?;
    let is_tag = tag.len() == 4 && tag.bytes().all(|byte| byte.is_ascii_digit() || (b'A'..=b'F').contains(&byte));
    (is_tag && !path.is_empty()).then_some((path, tag))
}

/// Reads a patch.
fn parse(text: &[u8], _path: Option<&str>) -> Checked<Request> {
    let mut lines = inner(text);
    let mut sections = Sections::default();
    let first = lines.peek();
    while let Some(line) = lines.next() {
        if line.text.trim().is_empty() {
            continue;
        }
        if line.text.trim() == b"*** End Patch" {
            break;
        }
        let Some((path, tag)) = header(line) else {
            return Err(wrong(Some(line), "`[PATH#TAG]`, with the tag of four digits that `read` gave"));
        };
        let named = path.to_str_lossy().into_owned();
        let at = absolute_or_relative_bytes(At::Top.key("path"), path)?;
        let change = hunks(&mut lines).map_err(|fault| fault.in_file(named))?;
        let mut part: FileRequest = file(at, change);
        part.expected.tag = Some(tag.to_owned());
        sections.add(part)?;
    }
    sections.request(Dialect::Lines).ok_or_else(|| wrong(first, "`[PATH#TAG]` and what is to be done"))
}

/// What is to be done with one file.
fn hunks(lines: &mut Lines<'_>) -> Checked<FileChange> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut to = None;
    let mut is_gone = false;
    let start = lines.peek();
    while let Some(line) = lines.peek() {
        let text = line.text.trim();
        if header(line).is_some() || text == b"*** End Patch" {
            break;
        }
        lines.next();
        if text.is_empty() {
            continue;
        }
        if text == b"REM" {
            is_gone = true;
        } else if let Some(path) = text.strip_prefix(b"MV ") {
            to = Some(absolute_or_relative_bytes(At::Top.key("path"), path.trim())?);
        } else if let Some(locator) = text.strip_prefix(b"CUT ") {
            let (from, end) =
                range(locator).ok_or_else(|| wrong(Some(line), "`CUT A.=B`, the first and the last line that go"))?;
            edits.push(Edit::at_lines(from, end, Vec::new()));
        } else if let Some(locator) = text.strip_prefix(b"PUT ") {
            let place = locator.strip_suffix(b":").and_then(|locator| gap(locator).or_else(|| range(locator)));
            let (from, end) = place.ok_or_else(|| {
                wrong(
                    Some(line),
                    "`PUT A.=B:`, `PUT <A:`, `PUT >A:` or `PUT >$:`, with rows behind it that begin with `+`",
                )
            })?;
            let mut rows = Vec::new();
            while let Some(row) = lines.peek().and_then(|line| line.text.strip_prefix(b"+")) {
                rows.extend_from_slice(row);
                rows.push(b'\n');
                lines.next();
            }
            if rows.is_empty() {
                return Err(wrong(lines.peek(), "a row that begins with `+`"));
            }
            edits.push(Edit::at_lines(from, end, rows));
        } else {
            return Err(wrong(Some(line), "`PUT`, `CUT`, `REM` or `MV`"));
        }
    }
    match (is_gone, to, edits.is_empty()) {
        (true, None, true) => Ok(FileChange::Delete),
        (false, Some(to), _) => Ok(FileChange::Rename { to, edits }),
        (false, None, false) => Ok(FileChange::Modify(edits)),
        _ => Err(wrong(start, "`PUT`, `CUT` or `MV`, or `REM` alone")),
    }
}

fn whole(text: &[u8]) -> Option<usize> {
    text.to_str().ok()?.parse().ok().filter(|number| *number > 0)
}

/// `A.=B`, or `A` alone: first and last line.
fn range(text: &[u8]) -> Option<(usize, usize)> {
    match text.split_once_str(".=") {
        Some((first, last)) => Some((whole(first)?, whole(last)?)).filter(|(first, last)| first <= last),
        None => whole(text).map(|line| (line, line)),
    }
}

/// `<A`, `>A`, `>$`: an empty range, whose end is before its start.
fn gap(text: &[u8]) -> Option<(usize, usize)> {
    if let Some(line) = text.strip_prefix(b"<") {
        return whole(line).map(|line| (line, line - 1));
    }
    match text.strip_prefix(b">")? {
        b"$" => Some((usize::MAX, usize::MAX - 1)),
        line => whole(line).map(|line| (line + 1, line)),
    }
}
