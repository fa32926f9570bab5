//! How the texts and places are shown that a refused edit may mean.
//!
//! Owns what is shown in the room that there is. Finds nothing, and does not say what is wrong: that is `patch.rs`'s.
//! Invariant: a text that is offered to be sent stands there in full; of whatever is cut, that is said.

use super::excerpt::{self, lines};
use crate::dialect::Words;
use crate::matcher::hint::{Differing, Nearest, PlaceHint, Region};
use crate::patch::Part;

/// The most that is shown of a text that is too long to be sent back, in bytes: what differs needs room, too.
const BEGINNING: usize = 500;
/// The least room that lines which differ are worth showing in, in bytes.
const SOME_LINES: usize = 150;
/// So many characters are shown of a line that is no more than looked at, before the place and in all.
const AROUND: (usize, usize) = (40, 120);

/// The nearest text as it can be sent back, or as much of it as the edit needs, and what differs.
pub(super) fn nearest_lines(nearest: &Nearest, parts: &[Part], words: &Words, room: usize) -> String {
    let old = words.old;
    if nearest.why.is_of_several()
        && let Some(texts) = several(nearest, words, room)
    {
        return texts;
    }
    let whole =
        nearest.regions.first().map(|region| (region, format!("{}:\n", lines(region.start_line, region.end_line))));
    let parts = parts.iter().map(|part| match part {
        Part::Lines(part) => {
            let of = lines(part.start_line, part.end_line);
            (part, format!("{of} hold all that the edit changes; send only these as {old}, with what they become:\n"))
        }
        Part::AsSent(part) => {
            let of = lines(part.start_line, part.end_line);
            (
                part,
                format!("this part of {old} occurs once as it was sent ({of}); send only it, with what it becomes:\n"),
            )
        }
    });
    let fits = |(region, head): &(&Region, String)| excerpt::json_len(head) + excerpt::json_len(shown(region)) <= room;
    let Some((offered, head)) = whole.into_iter().chain(parts).find(fits) else {
        return nearest.regions.first().map_or(String::new(), |region| too_long(nearest, region, words, room));
    };
    let mut out = match excerpt::escapes(shown(offered)) {
        Some(escapes) => format!("in the following, {escapes}\n{head}{}", shown(offered)),
        None => head + shown(offered),
    };
    let left = room.saturating_sub(excerpt::json_len(&out));
    let differing = differing_lines(nearest);
    if !differing.is_empty() && left >= SOME_LINES {
        let legend = legend(old);
        out.push_str(&format!("\n{}", excerpt::first_lines(&format!("{legend}\n{differing}"), left - 2)));
    }
    out
}

/// The texts that are as near as each other, each as it can be sent; none where there is no room for two of them.
fn several(nearest: &Nearest, words: &Words, room: usize) -> Option<String> {
    let text = |region: &Region| {
        let at = lines(region.start_line, region.end_line);
        let text = shown(region);
        let escapes = excerpt::escapes(text).map_or(String::new(), |escapes| format!(" ({escapes})"));
        format!("for {at}, send this as {}{escapes}:\n{text}", words.old)
    };
    let mut left = room;
    let fits = nearest.regions.iter().map(text).take_while(|text| {
        let needed = excerpt::json_len(text) + 2;
        let is_room = needed <= left;
        left = left.saturating_sub(needed);
        is_room
    });
    let texts: Vec<String> = fits.collect();
    // Of equal ones none can be sent.
    let is_told_apart =
        |n: usize| nearest.regions.iter().take(n).all(|region| shown(region) != shown(&nearest.regions[n]));
    (texts.len() > 1 && (1..texts.len()).all(is_told_apart)).then(|| texts.join("\n"))
}

/// What to do where the nearest text is too long to be shown, and no smaller edit does the same.
fn too_long(nearest: &Nearest, region: &Region, words: &Words, room: usize) -> String {
    let (old, differing) = (words.old, differing_lines(nearest));
    let at = lines(region.start_line, region.end_line);
    let correct =
        format!("correct these lines of {old}, all others of it stand so at {at}; {}\n{differing}", legend(old));
    let is_whole = !nearest.is_cut && !differing.is_empty() && !differing.contains(excerpt::LEFT_OUT);
    if is_whole && excerpt::json_len(&correct) <= room {
        return correct;
    }
    let beginning = excerpt::first_lines(shown(region), BEGINNING);
    let (less, its) = if shown(region).contains('\n') { ("fewer of them", "their") } else { ("a part of it", "its") };
    let head = format!("read {at}, and send {less} as {old}: only {its} beginning is shown here\n{beginning}\n");
    let left = room.saturating_sub(excerpt::json_len(&head));
    format!("{head}{}", excerpt::first_lines(&format!("{}\n{differing}", legend(old)), left))
}

/// A region's text, as it can be sent.
fn shown(region: &Region) -> &str {
    region.text.strip_suffix('\n').unwrap_or(&region.text)
}

/// How lines that differ are to be read.
fn legend(old: &str) -> String {
    format!(
        "what differs (- {old}, + the file, with its line numbers; \u{b7} is a blank, \u{2192} a tab, \u{240d} a carriage \
         return):"
    )
}

/// Line by line: `-` as it was sent, `+` as it is in the file, white space made visible.
pub(super) fn differing_lines(nearest: &Nearest) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut rest = &nearest.difference[..];
    while let [first, more @ ..] = rest {
        rest = more;
        match (first, more) {
            (Differing::Sent(sent), [Differing::InFile(number, line), after @ ..]) => {
                let [sent, line] = excerpt::visible_pair(sent, line);
                out.extend([format!("-{sent}"), format!("+{number:<4} {line}")]);
                rest = after;
            }
            (Differing::Sent(line), _) => out.push(format!("-{}", excerpt::visible(line))),
            (Differing::InFile(number, line), _) => out.push(format!("+{number:<4} {}", excerpt::visible(line))),
        }
    }
    out.extend(nearest.is_cut.then(|| excerpt::LEFT_OUT.to_owned()));
    out.join("\n")
}

/// Each place with the text that is unique to it, as far as there is room; else the line itself.
pub(super) fn place_lines(places: &[PlaceHint], words: &Words, room: usize) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut left = room;
    for (at, place) in places.iter().enumerate() {
        // The places that are still to come need room, too.
        let share = left / (places.len() - at);
        let send = |text: &String| {
            format!("for line {}, send this as {}:\n{}", place.line, words.old, text.strip_suffix('\n').unwrap_or(text))
        };
        let line = place
            .text
            .as_ref()
            .map(|text| format!("line {}:\n{}", place.line, excerpt::around(text, place.at, AROUND)));
        let fits = |one: &String| excerpt::json_len(one) + 2 <= share;
        let offered = [&place.extension, &place.part].into_iter().filter_map(|text| text.as_ref().map(send));
        let Some(one) = offered.chain(line).find(fits) else { continue };
        left -= excerpt::json_len(&one) + 2;
        out.push(one);
    }
    out.join("\n")
}
