//! Whether the order of lines is right, by the texts alone: of an edit, and before and after it was undone.

use super::weave::changed_lines;
use std::collections::{BTreeSet, HashMap};

/// Whether two texts of the same lines are in the order that they have without an edit that turned some of these round: by its own
/// two texts, the one that was there, and the one that is there now. Two of which another edit moved one as well may stay as
/// that left them. Lines that stand there twice stay where they were among all that the edit did not move.
pub fn pairs_go_back([before, after, was, now]: [&str; 4], moved: &BTreeSet<String>) -> bool {
    let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
    let [before, after, was, now] = [before, after, was, now].map(lines);
    let places = [&before, &after, &was, &now].map(|text| {
        let mut places = HashMap::new();
        text.iter().enumerate().for_each(|(n, line)| places.entry(line).or_insert_with(Vec::new).push(n));
        places
    });
    let once: Vec<&String> =
        now.iter().filter(|line| places.iter().all(|text| text.get(line).is_some_and(|at| at.len() == 1))).collect();
    let goes_back = |one: &String, other: &String| {
        let [before, after, was, now] = places.each_ref().map(|text| text[one] < text[other]);
        let goes_back = before != after && was == after;
        now == if goes_back { before } else { was }
            || (now == was && [one, other].iter().any(|line| moved.contains(*line)))
    };
    let own = moved_lines(&before.join("\n"), &after.join("\n"));
    let rest = |text: &[String]| {
        let stays = |line: &&String| !(once.contains(line) && own.contains(line));
        text.iter().filter(stays).cloned().collect::<Vec<_>>()
    };
    was.len() == now.len()
        && rest(&was) == rest(&now)
        && once.iter().all(|one| once.iter().all(|other| one == other || goes_back(one, other)))
}

/// Whether a text is another one into which the lines that only the second of two texts has came right below the line that stands
/// above them there, or right above the one below them: that line must stand once in both, or be an end of both.
pub fn come_beside([without, with]: [&str; 2], was: &str, now: &str) -> bool {
    let (gone, lines) = changed_lines(without, with);
    let all: Vec<&str> = was.split_inclusive('\n').collect();
    let with: Vec<&str> = with.split_inclusive('\n').collect();
    let from = with.iter().zip(without.split_inclusive('\n')).take_while(|(one, other)| **one == *other).count();
    let to = from + lines.split_inclusive('\n').count();
    let place = |line: &str| {
        let is_once = [&with, &all].iter().all(|text| text.iter().filter(|other| **other == line).count() == 1);
        all.iter().position(|other| *other == line).filter(|_| is_once)
    };
    let below = from.checked_sub(1).map_or(Some(0), |above| place(with[above]).map(|at| at + 1));
    let above = with.get(to).map_or(Some(all.len()), |below| place(below));
    gone.is_empty()
        && [below, above].into_iter().flatten().any(|at| all[..at].concat() + &lines + &all[at..].concat() == now)
}

/// Whether a text is another one with the only line of its kind doubled where it stands, as the second of two texts has it.
pub fn doubles_in_place([without, with]: [&str; 2], was: &str, now: &str) -> bool {
    let (gone, line) = changed_lines(without, with);
    let is_one = gone.is_empty() && line.lines().count() == 1 && was.matches(line.as_str()).count() == 1;
    let doubled = line.repeat(2);
    is_one && with.contains(&doubled) && was.replacen(line.as_str(), &doubled, 1) == now
}

/// Whether a text is another one without an empty line beside a blank one: where the first of two texts has one of the two, and somebody put
/// white space into one of them since, that one stays.
pub fn leaves_the_filled_one([without, with]: [&str; 2], was: &str, now: &str) -> bool {
    let (gone, line) = changed_lines(without, with);
    let all: Vec<&str> = was.split_inclusive('\n').collect();
    let is_filled = |line: &str| line != "\n" && line.trim().is_empty();
    let goes = |at: usize, beside: usize| {
        all[at] == "\n" && is_filled(all[beside]) && all[..at].concat() + &all[at + 1..].concat() == now
    };
    gone.is_empty() && line == "\n" && (1..all.len()).any(|at| goes(at - 1, at) || goes(at, at - 1))
}

/// A text without edits of it, each by its text with it and the one without it, the first that is to go first: where the text is just as
/// an edit left it, it is as it was before, and else what stands once, and holds a word, goes where it stands. None where that says nothing.
pub fn each_in_place<'t>(was: &str, edits: impl Iterator<Item = [&'t str; 2]>) -> Option<String> {
    let mut text = was.to_owned();
    for [with, without] in edits {
        let (gone, back) = changed_lines(with, without);
        text = if text == with {
            without.to_owned()
        } else if gone.chars().any(char::is_alphanumeric) && text.matches(&gone).count() == 1 {
            text.replacen(&gone, &back, 1)
        } else {
            return None;
        };
    }
    Some(text)
}

/// Whether a text is another one without edits of it, each by its number and its texts with and without it, of which one moved lines: the
/// others are gone in their place, and the lines of that one are in the order that they have without it. `moved` has the lines that all
/// edits of the file moved.
pub fn each_in_order(was: &str, edits: &[(usize, [&str; 2])], now: &str, moved: &[(usize, Vec<String>)]) -> bool {
    if edits.is_empty() {
        return was == now;
    }
    let is_so = |(edit, [with, without]): &(usize, [&str; 2])| {
        let others = edits.iter().filter(|(other, _)| other != edit).map(|(_, texts)| *texts);
        let by_others = moved.iter().filter(|(other, _)| other != edit).flat_map(|(_, lines)| lines.iter().cloned());
        let by_others = by_others.collect();
        !moved_lines(without, with).is_empty()
            && each_in_place(was, others).is_some_and(|was| pairs_go_back([without, with, &was, now], &by_others))
    };
    edits.iter().any(is_so) || each_in_place(was, edits.iter().map(|(_, texts)| *texts)).is_some_and(|text| text == now)
}

/// The lines between two versions of a text that stand in both.
pub fn moved_lines(before: &str, after: &str) -> Vec<String> {
    let (old, new) = changed_lines(before, after);
    let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<BTreeSet<_>>();
    lines(&old).intersection(&lines(&new)).cloned().collect()
}
