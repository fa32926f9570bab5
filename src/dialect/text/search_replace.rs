//! SEARCH/REPLACE blocks: aider's (with the file's name before the fence or inside it), Cline's, Roo's.
//!
//! Owns their marks, and where the name of a file may stand. A block's lines are whole lines; each must stand in the file once,
//! unless a line number chooses.

use super::lines::{Line, Lines, changes_nothing, wrong};
use super::sections::{Sections, file};
use crate::answer::Envelope;
use crate::dialect::json::format::{Format, TextFormat};
use crate::dialect::json::wrapped;
use crate::dialect::json::{At, Checked, Shape, absolute_or_relative_bytes};
use crate::dialect::native::{NativeAnswer, NativeContext, ToolDefinition};
use crate::dialect::words::Words;
use crate::request::{Anchor, Dialect, Edit, FileChange, Mode, Request};
use crate::strategy::Level;
use bstr::ByteSlice;
use serde_json::json;

/// This dialect, for the table.
pub(crate) const FORMAT: Format = Format {
    level: Level::Fuzzy,
    words: &WORDS,
    shape: &SHAPE,
    fits: Some(|json| wrapped::fits(json, &TEXT)),
    parse: |json| wrapped::parse(json, &TEXT),
    text: Some(&TEXT),
    answer,
    tools,
};

const SHAPE: Shape = Shape { keys: TEXT.keys, path: Some("path"), inner: &[] };

const TEXT: TextFormat = TextFormat { fits, parse, keys: &["path", "diff", "input", "content"] };

/// What its callers call things.
const WORDS: Words = Words {
    create: Some("a block with an empty SEARCH part"),
    ..Words::of_pair("the SEARCH part", "the REPLACE part")
};

/// A line of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Search,
    Divider,
    Replace,
}

/// What a line marks, in any of the families; escaped marks are text.
fn mark(line: &[u8]) -> Option<Mark> {
    let text = line.trim_end();
    let run = |byte: u8| text.iter().take_while(|&&found| found == byte).count();
    let is_run = |byte: u8| (5..=9).contains(&run(byte));
    let behind = |byte: u8| text[run(byte)..].trim();
    if (is_run(b'<') && matches!(behind(b'<'), b"SEARCH" | b"SEARCH>"))
        || (is_run(b'-') && matches!(behind(b'-'), b"SEARCH" | b"SEARCH>"))
    {
        return Some(Mark::Search);
    }
    if is_run(b'=') && behind(b'=').is_empty() {
        return Some(Mark::Divider);
    }
    let ends = (is_run(b'>') && behind(b'>') == b"REPLACE") || (is_run(b'+') && behind(b'+') == b"REPLACE");
    ends.then_some(Mark::Replace)
}

fn fits(text: &[u8]) -> bool {
    Lines::from(text, 1).any(|line| mark(line.text) == Some(Mark::Search))
}

/// Reads blocks; `path` is that of the file, where the wrapper names one.
fn parse(text: &[u8], path: Option<&str>) -> Checked<Request> {
    let mut lines = Lines::from(text, 1);
    let mut sections = Sections::default();
    let mut name: Option<Vec<u8>> = path.map(|path| path.as_bytes().to_vec());
    let first = lines.peek();
    // The last lines before a block, which may name its file.
    let mut before: Vec<Line<'_>> = Vec::new();
    let mut blocks = 0;
    while let Some(line) = lines.next() {
        match mark(line.text) {
            Some(Mark::Search) => {
                if path.is_none()
                    && let Some(found) = name_of(&before)
                {
                    name = Some(found);
                }
                let Some(name) = &name else {
                    return Err(wrong(
                        Some(line),
                        "the path of the file, alone on the line before the fence or before this line",
                    ));
                };
                let named = name.to_str_lossy().into_owned();
                let at = absolute_or_relative_bytes(At::Top.key("path"), name)?;
                let change = block(&mut lines, line).map_err(|fault| fault.in_edit(blocks).in_file(named))?;
                sections.add(file(at, change))?;
                blocks += 1;
                before.clear();
            }
            Some(Mark::Replace) => return Err(wrong(Some(line), "`<<<<<<< SEARCH` and `=======` before it")),
            _ => {
                before.push(line);
                if before.len() > 4 {
                    before.remove(0);
                }
            }
        }
    }
    let request = sections.request(Dialect::SearchReplace);
    let request = request.ok_or_else(|| wrong(first, "a block from `<<<<<<< SEARCH` to `>>>>>>> REPLACE`"))?;
    Ok(Request { mode: Mode::Sequence, ..request })
}

/// The name of a file in the lines before a block: the nearest that can be one.
fn name_of(before: &[Line<'_>]) -> Option<Vec<u8>> {
    let near = before.iter().rev().take_while(|line| !line.text.trim().is_empty() || before.len() < 3).take(3);
    near.filter_map(|line| cleaned(line.text)).next()
}

/// A line without what models put around a name; none where that is no name.
fn cleaned(line: &[u8]) -> Option<Vec<u8>> {
    let mut text = line.trim();
    if let Some(fenced) = text.strip_prefix(b"```") {
        // A fence may have the name behind it; a language has neither a dot nor a slash.
        text = fenced.trim();
        if !text.iter().any(|byte| matches!(byte, b'.' | b'/')) {
            return None;
        }
    }
    let text = text.trim_start_with(|c| c == '#').trim();
    let text = text.trim_with(|c| matches!(c, '`' | '*' | '"' | '\'')).trim();
    let text = text.strip_suffix(b":").unwrap_or(text);
    let text = text.trim_with(|c| matches!(c, '`' | '*')).trim();
    let text = text.strip_prefix(b"./").unwrap_or(text);
    let is_tag = text.starts_with(b"<") && text.ends_with(b">");
    let is_name = !text.is_empty()
        && text.len() <= 4_096
        && text != b"..."
        && !is_tag
        && (text.iter().any(|byte| matches!(byte, b'.' | b'/')) || !text.contains(&b' '))
        && !text.ends_with(b".")
        && !text.contains_str("  ");
    is_name.then(|| text.to_vec())
}

/// What Roo's blocks may have on their first lines.
fn number(line: &[u8], key: &str) -> Option<usize> {
    line.trim().strip_prefix(key.as_bytes())?.trim().to_str().ok()?.parse().ok()
}

/// One block, from behind its first line to its last.
fn block(lines: &mut Lines<'_>, first: Line<'_>) -> Checked<FileChange> {
    let mut start = None;
    while let Some(line) = lines.peek() {
        match (number(line.text, ":start_line:"), number(line.text, ":end_line:")) {
            (Some(number), _) => start = Some(number),
            (None, Some(_)) => {}
            (None, None) if start.is_some() && is_rule(line.text) => {
                lines.next();
                break;
            }
            (None, None) => break,
        }
        lines.next();
    }
    let (old, new) = parts(lines, first)?;
    let (old, new) = without_numbers(old, new);
    let joined =
        |lines: &[Vec<u8>]| lines.iter().flat_map(|line| [&line[..], b"\n"]).flatten().copied().collect::<Vec<u8>>();
    let (old, new) = (joined(&old), joined(&new));
    if old.trim().is_empty() {
        return Ok(FileChange::Create { content: new, overwrite: false, edits: Vec::new() });
    }
    if old == new {
        return Err(changes_nothing("SEARCH", "REPLACE"));
    }
    let anchor = Anchor { line: start, ..Anchor::default() };
    Ok(FileChange::Modify(vec![Edit::hunk(old, new, anchor)]))
}

/// The line between Roo's numbers and the text.
fn is_rule(line: &[u8]) -> bool {
    let text = line.trim();
    text.len() >= 5 && text.iter().all(|&byte| byte == b'-')
}

/// The lines of one part of a block.
type Part = Vec<Vec<u8>>;

/// The lines of both parts, without the backslash of escaped ones.
fn parts(lines: &mut Lines<'_>, first: Line<'_>) -> Checked<(Part, Part)> {
    let mut ahead = lines.clone();
    let mut body: Vec<Line<'_>> = Vec::new();
    let mut end = None;
    for line in ahead.by_ref() {
        match mark(line.text) {
            Some(Mark::Search | Mark::Replace) => {
                end = Some(line);
                break;
            }
            Some(Mark::Divider) | None => body.push(line),
        }
    }
    let is_ended = end.is_some_and(|line| mark(line.text) == Some(Mark::Replace));
    let dividers: Vec<usize> = (0..body.len()).filter(|&n| mark(body[n].text) == Some(Mark::Divider)).collect();
    let (divider, last) = match (is_ended, &sure(&body, &dividers, first)[..]) {
        (true, &[divider]) => (divider, body.len()),
        // A block without its last line ends at a second divider.
        (false, &[divider, last]) => (divider, last),
        (false, [] | [_]) if !dividers.is_empty() => return Err(wrong(end, "`>>>>>>> REPLACE`, behind the new lines")),
        (_, []) => return Err(wrong(end, "`=======`, behind the lines that are sought")),
        (_, several) => {
            let second = several.get(1).map(|&n| body[n]);
            return Err(wrong(
                second,
                "`\\=======`, where such a line is text: one alone parts the old lines from the new",
            ));
        }
    };
    // What stands behind the last line is the next block's.
    for _ in 0..last + 1 {
        lines.next();
    }
    let text = |lines: &[Line<'_>]| lines.iter().map(|line| unescaped(line.text)).collect();
    Ok((text(&body[..divider]), text(&body[divider + 1..last])))
}

/// The dividers that may be the block's: the only one, else those that are as long as its first line's mark.
fn sure(body: &[Line<'_>], dividers: &[usize], first: Line<'_>) -> Vec<usize> {
    let run = |text: &[u8]| text.iter().take_while(|byte| text.first() == Some(byte)).count();
    match dividers {
        [only] => vec![*only],
        all => all.iter().copied().filter(|&n| run(body[n].text) == run(first.text)).collect(),
    }
}

fn unescaped(line: &[u8]) -> Vec<u8> {
    let escaped = line.strip_prefix(b"\\").filter(|rest| {
        mark(rest).is_some()
            || is_rule(rest)
            || rest.starts_with(b":start_line:")
            || rest.starts_with(b":end_line:")
            || [&b"<<<<<<<"[..], b"=======", b">>>>>>>", b"-------"].iter().any(|mark| rest.starts_with(mark))
    });
    escaped.unwrap_or(line).to_vec()
}

/// Both parts without the line numbers that a model copied along, where every line has one.
fn without_numbers(old: Part, new: Part) -> (Part, Part) {
    fn bare(line: &[u8]) -> Option<Vec<u8>> {
        let text = line.trim_start();
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let rest = text[digits..]
            .strip_prefix(b" | ")
            .or_else(|| text[digits..].strip_prefix(b" |").filter(|rest| rest.is_empty()))?;
        (digits > 0).then(|| rest.to_vec())
    }
    let all = |lines: &[Vec<u8>]| lines.iter().map(|line| bare(line)).collect::<Option<Vec<_>>>();
    match (all(&old), all(&new)) {
        (Some(old), Some(new)) if !old.is_empty() => (old, new),
        (Some(old), None) if old.len() > 1 => (old, new),
        _ => (old, new),
    }
}

/// What was done, or what was found.
fn answer(envelope: &Envelope, _context: &NativeContext) -> NativeAnswer {
    NativeAnswer::Text(envelope.text.clone())
}

const DESCRIPTION: &str = "\
Edit files by SEARCH/REPLACE blocks: all of them, or none.

path/of/file
<<<<<<< SEARCH
lines as they stand in the file, which must be there once
=======
the lines that take their place
>>>>>>> REPLACE

An empty SEARCH part creates the file. Several blocks may follow each other; the path stands before each, or before the first
of a file.";

const EXAMPLE: &str = "src/a.py\n<<<<<<< SEARCH\n    return 1\n=======\n    return 2\n>>>>>>> REPLACE\n";

/// The one tool.
fn tools() -> Vec<ToolDefinition> {
    let schema = json!({
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "The file, where the blocks do not name it"},
            "diff": {"type": "string", "description": "The blocks", "examples": [EXAMPLE]}
        },
        "required": ["diff"],
        "additionalProperties": false
    });
    vec![ToolDefinition::new(Dialect::SearchReplace, "replace_in_file", DESCRIPTION, schema)]
}
