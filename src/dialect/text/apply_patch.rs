//! codex's `apply_patch`, known as V4A.
//!
//! Owns its grammar, with the leniency of codex's own parser and a little more: stacked `@@`, a move without hunks, the head
//! of a unified diff's hunk. All of it or nothing; a chunk that fits several places is refused unless its `@@`, the order of
//! the chunks or `*** End of File` decides.

use super::lines::{Line, Lines, changes_nothing, wrong};
use super::script::bare;
use super::sections::{Sections, file};
use crate::answer::{Envelope, Status};
use crate::change::ChangeKind;
use crate::dialect::json::format::{Format, TextFormat};
use crate::dialect::json::wrapped;
use crate::dialect::json::{At, Checked, Shape, absolute_or_relative_bytes};
use crate::dialect::native::{NativeAnswer, NativeContext, ToolDefinition};
use crate::dialect::words::Words;
use crate::request::{Anchor, Dialect, Edit, FileChange, Last, PathArg, Request};
use crate::strategy::Level;
use bstr::{BString, ByteSlice};
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

const SHAPE: Shape = Shape { keys: TEXT.keys, path: None, inner: &[] };

const TEXT: TextFormat = TextFormat { fits, parse, keys: &["input", "patch", "patchText", "command"] };

/// What its callers call things.
const WORDS: Words = Words {
    create: Some("`*** Add File: ` with all of its lines"),
    overwrite: Some("`*** Delete File: `, then `*** Add File: ` with all of its lines"),
    ..Words::of_pair("the chunk's old text", "the chunk's new text")
};

const BEGIN: &[u8] = b"*** Begin Patch";
const END: &[u8] = b"*** End Patch";
const ADD: &[u8] = b"*** Add File: ";
const DELETE: &[u8] = b"*** Delete File: ";
const UPDATE: &[u8] = b"*** Update File: ";
const MOVE: &[u8] = b"*** Move to: ";
const END_OF_FILE: &[u8] = b"*** End of File";
const PROGRAMS: [&str; 2] = ["apply_patch", "applypatch"];

fn fits(text: &[u8]) -> bool {
    let bare = bare(text, &PROGRAMS);
    // Hashline's patches begin so, too, and name their files in brackets.
    let second = || Lines::from(bare.text, bare.line).skip(1).find(|line| !line.text.trim().is_empty());
    bare.text.starts_with(BEGIN) && second().is_none_or(|line| !line.text.starts_with(b"["))
}

/// Reads a patch.
fn parse(text: &[u8], _path: Option<&str>) -> Checked<Request> {
    let bare = bare(text, &PROGRAMS);
    let mut lines = Lines::from(bare.text, bare.line);
    let first = lines.next();
    if first.is_none_or(|line| line.text.trim() != BEGIN) {
        return Err(wrong(first, "`*** Begin Patch`, the first line of a patch"));
    }
    let mut sections = Sections::default();
    let dir = bare.dir;
    loop {
        let Some(line) = lines.next() else {
            return Err(wrong(None, "`*** End Patch`, the last line of a patch"));
        };
        let head = line.text.trim_end();
        if head.trim() == END {
            break;
        }
        if head.trim().is_empty() {
            continue;
        }
        let head = head.trim_start();
        if let Some(name) = head.strip_prefix(ADD) {
            let content = added(&mut lines);
            let change = FileChange::Create { content, overwrite: false, edits: Vec::new() };
            sections.add(file(path(line, name, dir.as_ref())?, change))?;
        } else if let Some(name) = head.strip_prefix(DELETE) {
            sections.add(file(path(line, name, dir.as_ref())?, FileChange::Delete))?;
        } else if let Some(name) = head.strip_prefix(UPDATE) {
            let at = path(line, name, dir.as_ref())?;
            let named = at.to_string_lossy();
            let change = updated(&mut lines, line, dir.as_ref()).map_err(|fault| fault.in_file(named))?;
            sections.add(file(at, change))?;
        } else {
            return Err(wrong(
                Some(line),
                "`*** Add File: PATH`, `*** Delete File: PATH`, `*** Update File: PATH` or `*** End Patch`",
            ));
        }
    }
    if let Some(line) = lines.find(|line| !line.text.trim().is_empty()) {
        return Err(wrong(Some(line), "nothing behind `*** End Patch`"));
    }
    sections
        .request(Dialect::ApplyPatch)
        .ok_or_else(|| wrong(first, "a patch that changes a file, between its first and its last line"))
}

/// The path of a head, below the directory that the script changes to.
fn path(line: Line<'_>, name: &[u8], dir: Option<&BString>) -> Checked<PathArg> {
    let name = name.trim();
    if name.is_empty() {
        return Err(wrong(Some(line), "a path behind the colon"));
    }
    let whole = match dir {
        Some(dir) if !name.starts_with(b"/") => [dir.trim_end_with(|c| c == '/'), b"/", name].concat(),
        _ => name.to_vec(),
    };
    let whole = whole.strip_prefix(b"./").unwrap_or(&whole);
    absolute_or_relative_bytes(At::Top.key("path"), whole)
}

/// The lines of a new file.
fn added(lines: &mut Lines<'_>) -> Vec<u8> {
    let mut content = Vec::new();
    while let Some(text) = lines.peek().and_then(|line| line.text.strip_prefix(b"+")) {
        content.extend_from_slice(text);
        content.push(b'\n');
        lines.next();
    }
    content
}

/// What a file that exists becomes.
fn updated(lines: &mut Lines<'_>, head: Line<'_>, dir: Option<&BString>) -> Checked<FileChange> {
    let to = match lines.peek() {
        Some(line) if line.text.starts_with(MOVE) => {
            lines.next();
            Some(path(line, &line.text[MOVE.len()..], dir)?)
        }
        _ => None,
    };
    let mut edits = Vec::new();
    while let Some(line) = lines.peek() {
        if line.text.trim().is_empty() {
            lines.next();
            continue;
        }
        if line.text.starts_with(b"***") && line.text.trim() != END_OF_FILE {
            break;
        }
        let chunk = anchor(lines, edits.len()).and_then(|anchor| body(lines, anchor));
        let edit = chunk.map_err(|fault| fault.in_edit(edits.len()))?;
        edits.push(edit);
    }
    match to {
        Some(to) => Ok(FileChange::Rename { to, edits }),
        None if edits.is_empty() => {
            Err(wrong(Some(head), "chunks behind it: lines with ` `, `-` and `+`, each chunk behind `@@`"))
        }
        None if edits.iter().all(|edit| edit.old() == edit.new_text()) => {
            Err(changes_nothing("- lines", "+ lines").in_edit(0))
        }
        None => Ok(FileChange::Modify(edits)),
    }
}

/// What the chunk behind so many others stands behind.
fn anchor(lines: &mut Lines<'_>, before: usize) -> Checked<Anchor> {
    let mut anchor = Anchor { must_be_behind: true, ..Anchor::in_order() };
    let start = lines.peek();
    while let Some(line) = lines.peek()
        && let Some(context) = line.text.strip_prefix(b"@@")
    {
        lines.next();
        if !context.is_empty() && !context.starts_with(b" ") && !context.starts_with(b"\t") {
            return Err(wrong(Some(line), "`@@`, or `@@ ` and a line that stands before the chunk"));
        }
        anchor.behind.extend(context_of(context));
    }
    if before > 0 && lines.peek() == start {
        return Err(wrong(start, "`@@`, which begins a chunk behind another one"));
    }
    Ok(anchor)
}

/// The lines of a chunk.
fn body(lines: &mut Lines<'_>, mut anchor: Anchor) -> Checked<Edit> {
    let (mut old, mut new): (Vec<&[u8]>, Vec<&[u8]>) = (Vec::new(), Vec::new());
    // Lines without even a blank, which count as empty ones where others follow.
    let mut empty = 0;
    let mut count = 0;
    while let Some(line) = lines.peek() {
        let (sign, text) = match line.text.split_first() {
            Some((sign @ (b' ' | b'-' | b'+'), text)) => (*sign, text),
            None => {
                lines.next();
                empty += 1;
                continue;
            }
            _ => break,
        };
        lines.next();
        for side in [&mut old, &mut new] {
            side.extend(std::iter::repeat_n(&b""[..], empty));
        }
        empty = 0;
        count += 1;
        if sign != b'+' {
            old.push(text);
        }
        if sign != b'-' {
            new.push(text);
        }
    }
    // Behind a chunk they may only part it from the next one. Of one that would otherwise have no line that stays, they are that.
    if old.is_empty() && anchor.behind.is_empty() {
        for side in [&mut old, &mut new] {
            side.extend(std::iter::repeat_n(&b""[..], empty));
        }
    }
    if count == 0 {
        return Err(wrong(
            lines.peek(),
            "a line of the chunk, which starts with ` ` (it stays), `-` (it goes) or `+` (it comes)",
        ));
    }
    if lines.peek().is_some_and(|line| line.text.trim() == END_OF_FILE) {
        lines.next();
        anchor.last = Last::Preferred;
    }
    let joined =
        |lines: Vec<&[u8]>| lines.into_iter().flat_map(|line| [line, b"\n"]).flatten().copied().collect::<Vec<u8>>();
    Ok(Edit::hunk(joined(old), joined(new), anchor))
}

/// The line that a chunk stands behind; none where the head has only numbers.
fn context_of(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.strip_prefix(b" ").unwrap_or(text);
    let is_numbers = text.starts_with(b"-")
        && text.split_str(" ").nth(1).is_some_and(|word| word.starts_with(b"+"))
        && text.contains_str("@@");
    let text = text.strip_suffix(b" @@").unwrap_or(text);
    (!is_numbers && !text.trim().is_empty()).then(|| text.to_vec())
}

/// The harness's own words for success; what was found, where it was not.
fn answer(envelope: &Envelope, _context: &NativeContext) -> NativeAnswer {
    let data = &envelope.data;
    if envelope.status == Status::Error || !data.applied {
        return NativeAnswer::Text(envelope.text.clone());
    }
    let mut text = "Success. Updated the following files:\n".to_owned();
    let of = |wanted: &[ChangeKind], letter: &str| -> String {
        let files = data.files.iter().filter(|file| wanted.contains(&file.change));
        files.map(|file| format!("{letter} {}\n", file.path)).collect()
    };
    text.push_str(&of(&[ChangeKind::Create], "A"));
    text.push_str(&of(&[ChangeKind::Modify, ChangeKind::Rename], "M"));
    text.push_str(&of(&[ChangeKind::Delete], "D"));
    for warning in &data.warnings {
        text.push_str(&format!("warning: {warning}\n"));
    }
    NativeAnswer::Text(text.trim_end().to_owned())
}

const DESCRIPTION: &str = r#"Edit files by a patch: all of it, or nothing.

start: begin_patch hunk+ end_patch
begin_patch: "*** Begin Patch" LF
end_patch: "*** End Patch" LF?

hunk: add_hunk | delete_hunk | update_hunk
add_hunk: "*** Add File: " filename LF add_line+
delete_hunk: "*** Delete File: " filename LF
update_hunk: "*** Update File: " filename LF change_move? change?

filename: /(.+)/
add_line: "+" /(.*)/ LF -> line

change_move: "*** Move to: " filename LF
change: (change_context | change_line)+ eof_line?
change_context: ("@@" | "@@ " /(.+)/) LF
change_line: ("+" | "-" | " ") /(.*)/ LF
eof_line: "*** End of File" LF

Give three lines of context around each change. Where the same lines stand in several places, name the class or function that
they stand in behind @@ (one @@ line each, the outer one first)."#;

const EXAMPLE: &str =
    "*** Begin Patch\n*** Update File: src/a.py\n@@ def f():\n-    return 1\n+    return 2\n*** End Patch";

/// The one tool.
fn tools() -> Vec<ToolDefinition> {
    let schema = json!({
        "type": "object",
        "properties": {"input": {"type": "string", "description": "The patch", "examples": [EXAMPLE]}},
        "required": ["input"],
        "additionalProperties": false
    });
    vec![ToolDefinition::new(Dialect::ApplyPatch, "apply_patch", DESCRIPTION, schema)]
}
