//! What to do about a hunk that has no place though its lines may stand in the file.

use super::excerpt;
use crate::patch::UnplacedHunk;
use serde_json::{Value, json};

/// The sentence.
pub fn message(unplaced: &UnplacedHunk) -> String {
    match unplaced {
        UnplacedHunk::NoLines { total } => format!(
            "there is no one place for these lines in the file, which has {total} lines; read the file, and send the lines around \
             the change as they stand there, or line numbers that it has"
        ),
        UnplacedHunk::NoHead { head, like } => {
            let like = like.as_ref().map_or(String::new(), |(line, text)| {
                format!(" (line {line} is like it: {:?})", excerpt::ends(text, 120))
            });
            format!(
                "no line of the file reads {:?}, behind which the chunk is to stand{like}; copy that line as it stands in the file, \
                 or leave it out and send more of the lines around the change",
                excerpt::ends(head, 120)
            )
        }
        UnplacedHunk::Heads { head, lines } => format!(
            "several lines read {:?} ({}), and the chunk has no other line of the file; send the lines around the place that is meant",
            excerpt::ends(head, 120),
            shown(lines)
        ),
        UnplacedHunk::BeforeHead { head, line, found } => format!(
            "the chunk's lines stand at line {found}, and it is to stand behind {:?}, which is line {line}; name a line before \
             line {found}, or send the lines as they stand behind line {line}",
            excerpt::ends(head, 120)
        ),
        UnplacedHunk::Elsewhere { found, wanted } => {
            let number = wanted.map_or(String::new(), |wanted| format!(", nor line {wanted}, its number"));
            format!(
                "the hunk's lines stand at {}, where it cannot go: another hunk is there, or it begins at line 1 and that is not the \
                 beginning of the file, or no lines stand behind its change and that is not the end of the file{number}; send the \
                 right number, or lines behind the change, too",
                shown(found)
            )
        }
    }
}

fn shown(lines: &[usize]) -> String {
    let all: Vec<String> = lines.iter().map(ToString::to_string).collect();
    format!("line{} {}", if all.len() == 1 { "" } else { "s" }, all.join(", "))
}

/// `data.hint`.
pub fn hint(unplaced: &UnplacedHunk) -> Value {
    match unplaced {
        UnplacedHunk::NoLines { total } => json!({"total_lines": total}),
        UnplacedHunk::NoHead { head, like } => {
            let like = like.as_ref().map(|(line, text)| json!({"start_line": line, "end_line": line, "text": text}));
            json!({"head": head, "nearest": like.into_iter().collect::<Vec<_>>()})
        }
        UnplacedHunk::Heads { head, lines } => json!({"head": head, "lines": lines}),
        UnplacedHunk::BeforeHead { head, line, found } => json!({"head": head, "head_line": line, "line": found}),
        UnplacedHunk::Elsewhere { found, .. } => json!({"lines": found}),
    }
}
