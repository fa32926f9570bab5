//! What is told of edits that are no patch, and of places that are not certain.
//!
//! Owns the sentences for [`CompileError`] and [`Uncertain`]. How near texts and places are shown is `near_texts.rs`'s.
//! Finds nothing.

use super::{Explanation, excerpt, hunk, near_texts, policy};
use crate::dialect::Words;
use crate::matcher::found::Why;
use crate::matcher::hint::{Nearest, PlaceHint, Region, Several};
use crate::patch::merge::{Near, Refusal, Uncertain, Written};
use crate::patch::{CompileError, EditLines, EditRefusal, Order};
use crate::strategy::Strategy;
use crate::text::named;
use serde_json::{Map, Value, json};
use std::ops::Range;

/// What to tell the caller.
pub fn explain(error: &CompileError, path: &str, words: &Words) -> Explanation {
    let refusal = &*error.refusal;
    let message = match error.order {
        Order::AfterEarlier => after_earlier(error.index, words),
        Order::TakenBy(edit) => taken(edit, words),
        Order::RepeatedBy(edit) => repeated(edit, refusal, words),
        Order::Unrelated => message(refusal, words),
    };
    let mut told = Explanation::new(refusal.reason(), message).at_path(path).at_edit(error.index);
    let also = also_failed(&error.also_failed);
    let room = told.room().saturating_sub(excerpt::json_len(&also));
    told = told.with_more((also + &more(error, words, room)).trim_end_matches('\n'));
    told.hint = hint(refusal);
    if error.also_failed.is_empty() { told } else { told.with_hint("also_failed", error.also_failed.clone()) }
}

/// What to tell of an edit whose place is not certain.
pub(super) fn uncertain(edit: usize, uncertain: &Uncertain, words: &Words) -> String {
    let (old, new) = (words.old, words.new);
    let Uncertain { strategy, lines: (first, last), written, overwritten, misquoted, .. } = uncertain;
    if let Some(sent) = misquoted {
        let sent = excerpt::visible(sent);
        return format!(
            "edit {edit}: line {first} reads otherwise than in {old} (`{sent}`), and stays as it is; look whether this is the \
             place that was meant, and undo the edit if it is not"
        );
    }
    let how = match written {
        Written::AsSent => format!("{new} was inserted as it was sent"),
        Written::Merged => "the lines that the edit does not change were kept".to_owned(),
        Written::Block => "every line between the anchors was replaced".to_owned(),
    };
    let gone = match overwritten {
        0 => String::new(),
        1 => "; one line there was neither in it nor in the new text, and is gone".to_owned(),
        n => format!("; {n} lines there were neither in it nor in the new text, and are gone"),
    };
    format!(
        "edit {edit}: {old} was not found as it was sent; {strategy} placed it at lines {first} to {last}, which is not \
         certain, and {how}{gone}: read these lines before going on"
    )
}

fn message(refusal: &EditRefusal, words: &Words) -> String {
    let (old, new) = (words.old, words.new);
    match refusal {
        EditRefusal::NoMatch(nearest) => no_match(nearest, words),
        EditRefusal::Unplaced(refusal) => unplaced(refusal, words),
        EditRefusal::Hunk(unplaced) => hunk::message(unplaced),
        EditRefusal::Ambiguous { count, places } => ambiguous(*count, places, words),
        EditRefusal::CountMismatch { expected, found } => count_mismatch(*expected, *found, words),
        EditRefusal::TooLarge { size, limit } => format!(
            "the file would have {size} bytes, and the limit is {limit} (git config redraft.maxFileSize, and 64 MiB \
             more than the file and the request have); send a smaller {new}, or replace fewer places"
        ),
        EditRefusal::TooManyPlaces { count, limit } => format!(
            "{count} places would be replaced, and the limit is {limit} for all edits of a file; name fewer places by a longer \
             {old}"
        ),
        EditRefusal::SameText => {
            "the file already reads so at this place; send the text that it should become, or leave this edit out"
                .to_owned()
        }
        EditRefusal::AlreadyApplied { lines: (start, end) } => {
            format!(
                "{old} is gone and {new} stands at {}: this edit is already applied; leave it out",
                excerpt::lines(*start, *end)
            )
        }
        EditRefusal::OmissionPlaceholder(line) => format!(
            "{new} has a line that stands for omitted code ({:?}), which would be written as it is; send the code in full, \
             or a smaller {old} and {new}",
            excerpt::ends(line, 120)
        ),
        EditRefusal::UnknownEncoding { possible } => unknown_encoding(possible, words),
        EditRefusal::OtherCharacters { line, possible } => other_characters(*line, possible, words),
        EditRefusal::NotInEncoding { character, encoding } => format!(
            "{new} has {}, which {encoding}, the encoding of the file, does not have; send {new} without it (as an \
             escape sequence of the language, perhaps)",
            named(*character)
        ),
        EditRefusal::NulByte => format!(
            "{new} holds a NUL byte, which would make the file binary; send it without (as an escape sequence of the \
             language, perhaps)"
        ),
        EditRefusal::Overlap([first, second]) => format!(
            "it changes lines {} that edit {} (lines {}) changes, too; make one edit of both",
            second.shown(),
            first.index,
            first.shown()
        ),
        EditRefusal::NestedConflict([first, second]) => format!(
            "the {new} of one of edits {} (lines {}) and {} (lines {}) holds the other's {old}; make one edit of both, or \
             send them one after the other",
            first.index,
            first.shown(),
            second.index,
            second.shown()
        ),
    }
}

/// Which other edits fail, as a line of its own.
fn also_failed(others: &[usize]) -> String {
    match others {
        [] => String::new(),
        [one] => format!("edit {one} fails, too\n"),
        several => {
            let shown: Vec<String> = several.iter().map(ToString::to_string).collect();
            format!("edits {} fail, too\n", shown.join(", "))
        }
    }
}

/// The edit has its place only in what those before it make of the file.
fn after_earlier(index: usize, words: &Words) -> String {
    let old = words.old;
    let before = if index == 1 { "edit 0".to_owned() } else { format!("edits 0 to {}", index - 1) };
    let next = match words.sequence {
        Some(sequence) => format!("send the request with {sequence}"),
        None => format!("send {before} in a request before this one"),
    };
    format!(
        "{old} does not occur in the file as it is, but does after {before}; {next}, or send {old} as the file has it now"
    )
}

/// An edit before it took its place away.
fn taken(edit: usize, words: &Words) -> String {
    let old = words.old;
    format!(
        "{old} does not occur any more: edit {edit} of this request changed that text, and each edit sees what those before \
         it wrote; send {old} as edit {edit} leaves it, or make one edit of both"
    )
}

/// An edit before it wrote its old text once more.
fn repeated(edit: usize, refusal: &EditRefusal, words: &Words) -> String {
    format!(
        "{} (edit {edit} of this request wrote it once more, and each edit sees what those before it wrote)",
        message(refusal, words)
    )
}

/// Which encodings the bytes of a file could be.
fn could_be(possible: &[&str]) -> String {
    match possible {
        [] => String::new(),
        names => format!(" (its bytes could be {}, and nothing tells which)", names.join(", ")),
    }
}

fn other_characters(line: usize, possible: &[&str], words: &Words) -> String {
    let (old, may_be, name) = (words.old, could_be(possible), policy::naming(words));
    format!(
        "the bytes of {old} stand at line {line}, but there they may be other characters, or begin in the middle of one: the file \
         is not UTF-8, and its encoding is unknown{may_be}; {name}, or send an {old} of ASCII characters that begins at the \
         start of a line or with a blank"
    )
}

fn unknown_encoding(possible: &[&str], words: &Words) -> String {
    let new = words.new;
    let may_be = could_be(possible);
    let name = policy::naming(words);
    format!(
        "{new} is not ASCII, but the file is not UTF-8 and its encoding is unknown{may_be}; {name}, or send a {new} of \
         ASCII characters"
    )
}

fn no_match(nearest: &Nearest, words: &Words) -> String {
    let old = words.old;
    match nearest.regions.first() {
        Some(_) if nearest.why.is_of_several() && nearest.regions.len() > 1 => {
            let at = nearest.regions.iter().map(|region| excerpt::lines(region.start_line, region.end_line));
            let at: Vec<String> = at.collect();
            format!(
                "{old} does not occur in the file; texts as near to it as each other stand at {}: send {old} as the file has \
                 it at the one that is meant, or read the file again",
                at.join(" and at ")
            )
        }
        Some(region) => format!(
            "{old} does not occur in the file ({}); the nearest text stands at {}: send {old} as the file has it, with \
             its indentation, or read the file again",
            nearest.why.words(),
            excerpt::lines(region.start_line, region.end_line)
        ),
        None => format!(
            "{old} does not occur in the file; read the file again and send the text as it stands there, with its \
             indentation"
        ),
    }
}

fn ambiguous(count: usize, places: &[PlaceHint], words: &Words) -> String {
    let old = words.old;
    let shown: Vec<usize> = places.iter().map(|place| place.line).collect();
    let first = if shown.is_sorted() { "" } else { "the likeliest first: " };
    let line = words.line.map_or(String::new(), |key| format!(", or its number as {key}"));
    let all = words.replace_all.map_or(String::new(), |key| format!(", or set {key} to change them all"));
    format!(
        "{old} occurs {count} times ({first}{}); give more of the lines around the place that is \
         meant{line}{all}",
        numbers(shown.into_iter(), count)
    )
}

fn count_mismatch(expected: usize, found: usize, words: &Words) -> String {
    let old = words.old;
    let key = words.expected_replacements.unwrap_or("the expected number");
    let all = words.replace_all.map_or(String::new(), |key| format!(", or set {key}"));
    format!(
        "{expected} replacements were expected, but {old} is replaced {found} times; look at the places again, then \
         correct {key} or {old}{all}"
    )
}

/// What a looser level refused.
fn unplaced(refusal: &Refusal, words: &Words) -> String {
    let (old, new) = (words.old, words.new);
    match &refusal.why {
        Why::Several(places) if places.len() == 1 => format!(
            "{old} leaves lines out, and a piece of it stands in several places, so that line {} is not certain; send the lines \
             that are meant in full",
            places[0].start + 1
        ),
        Why::Several(places) | Why::Readings(places) => format!(
            "{old} fits several places alike ({}); send more lines around the one that is meant",
            numbers(near_lines(&refusal.near, places).into_iter(), places.len())
        ),
        Why::Applied(place) => format!(
            "{new} stands already at line {} and {old} does not: there is nothing to do; leave this edit out",
            place.start + 1
        ),
        Why::Same(place) => format!(
            "the edit would leave the file as it is: line {} reads as {new} wants it; leave this edit out",
            place.start + 1
        ),
        Why::Placeholder(_) => {
            format!("{new} would write or remove lines that an omission mark stands for; send the lines themselves")
        }
        why => format!(
            "{old} was not found for certain ({}); send it as the file has it, with its indentation, or read the file \
             again",
            why.words()
        ),
    }
}

/// Where the first of several places start.
fn near_lines(near: &Near, places: &[Range<usize>]) -> Vec<usize> {
    match near {
        Near::Several(several) => several.places.iter().map(|place| place.line).collect(),
        Near::Nearest(_) => places.iter().take(5).map(|place| place.start + 1).collect(),
    }
}

/// The numbers of lines, the first of `count`.
fn numbers(shown: impl Iterator<Item = usize>, count: usize) -> String {
    let shown: Vec<String> = shown.map(|line| line.to_string()).collect();
    let more = if count > shown.len() { ", ..." } else { "" };
    format!("lines {}{more}", shown.join(", "))
}

/// The texts and places themselves, in about as many bytes as there is room for.
fn more(error: &CompileError, words: &Words, room: usize) -> String {
    if error.order == Order::AfterEarlier {
        return String::new();
    }
    let note = match error.order {
        Order::TakenBy(edit) | Order::RepeatedBy(edit) => format!("as the edits up to {edit} leave the file:\n"),
        _ => String::new(),
    };
    let room = room.saturating_sub(note.len() + 1);
    let texts = texts(error, words, room);
    if texts.is_empty() { texts } else { note + &texts }
}

fn texts(error: &CompileError, words: &Words, room: usize) -> String {
    let nearest = |nearest| near_texts::nearest_lines(nearest, &error.parts, words, room);
    match &*error.refusal {
        EditRefusal::NoMatch(near) => nearest(near),
        EditRefusal::Unplaced(Refusal { near: Near::Nearest(near), why }) => match why {
            Why::Applied(_) | Why::Same(_) => String::new(),
            _ => nearest(near),
        },
        EditRefusal::Unplaced(Refusal { near: Near::Several(several), .. }) => {
            near_texts::place_lines(&several.places, words, room)
        }
        EditRefusal::Ambiguous { places, .. } => near_texts::place_lines(places, words, room),
        _ => String::new(),
    }
}

// -- for programs -------------------------------------------------------------------------------------------------

/// `data.hint` of a refusal.
fn hint(refusal: &EditRefusal) -> Map<String, Value> {
    let hint = match refusal {
        EditRefusal::NoMatch(nearest) => nearest_json(nearest, nearest.why.words()),
        EditRefusal::Unplaced(Refusal { why, near: Near::Nearest(nearest) }) => nearest_json(nearest, why.words()),
        EditRefusal::Unplaced(Refusal { why, near: Near::Several(several) }) => several_json(several, why.words()),
        EditRefusal::Ambiguous { count, places } => json!({"count": count, "places": places_json(places)}),
        EditRefusal::CountMismatch { expected, found } => json!({"expected": expected, "found": found}),
        EditRefusal::AlreadyApplied { lines: (start, end) } => json!({"start_line": start, "end_line": end}),
        EditRefusal::OmissionPlaceholder(line) => json!({"line": line}),
        EditRefusal::Overlap(edits) | EditRefusal::NestedConflict(edits) => {
            let lines = |edit: EditLines| json!({"index": edit.index, "start_line": edit.start_line, "end_line": edit.end_line});
            json!({"edits": edits.map(lines)})
        }
        EditRefusal::TooLarge { size, limit } => json!({"size_bytes": size, "limit_bytes": limit}),
        EditRefusal::TooManyPlaces { count, limit } => json!({"count": count, "limit": limit}),
        EditRefusal::UnknownEncoding { possible } => json!({"possible": possible}),
        EditRefusal::OtherCharacters { line, possible } => json!({"line": line, "possible": possible}),
        EditRefusal::NotInEncoding { character, encoding } => {
            json!({"character": character, "encoding": encoding})
        }
        EditRefusal::Hunk(unplaced) => hunk::hint(unplaced),
        EditRefusal::SameText | EditRefusal::NulByte => json!({}),
    };
    match hint {
        Value::Object(hint) => hint,
        _ => Map::new(),
    }
}

fn nearest_json(nearest: &Nearest, why: &str) -> Value {
    let mut hint = json!({"why": why});
    if !nearest.regions.is_empty() {
        hint["nearest"] = nearest.regions.iter().map(region_json).collect();
        hint["difference"] = near_texts::differing_lines(nearest).into();
    }
    hint
}

fn several_json(several: &Several, why: &str) -> Value {
    let nearest: Value = several.regions.iter().map(region_json).collect();
    json!({"why": why, "count": several.count, "places": places_json(&several.places), "nearest": nearest})
}

fn region_json(region: &Region) -> Value {
    json!({
        "text": region.text,
        "start_line": region.start_line,
        "end_line": region.end_line,
        "similarity": region.similarity,
        "strategy": region.strategy.map_or("similar-lines", Strategy::as_str),
    })
}

fn places_json(places: &[PlaceHint]) -> Value {
    places.iter().map(|place| json!({"line": place.line, "text": place.text, "extension": place.extension})).collect()
}
