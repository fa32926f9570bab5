//! Random edits of real text in every encoding: what no edit touches stays, and what comes out is what iconv makes of the text.
//!
//! A few for each by default; `REDRAFT_ENCODING_EDITS` says how many.

use super::texts::{SAMPLES, Sample};
use super::{done, edit, named};
use crate::support::TestRepo;
use crate::support::dice::Dice;
use serde_json::Value;
use std::ops::Range;

fn count() -> usize {
    std::env::var("REDRAFT_ENCODING_EDITS").ok().and_then(|count| count.parse().ok()).unwrap_or(3)
}

/// The sample's lines, between lines of a document that are ASCII.
fn text(sample: &Sample) -> String {
    let document = include_str!("../../../docs/transaction.md");
    let lines: Vec<&str> = document.lines().filter(|line| line.is_ascii() && !line.contains(['\\', '~'])).collect();
    let own: Vec<&str> = sample.text.lines().collect();
    let mut out = String::new();
    for (n, line) in lines.iter().take(120).enumerate() {
        out.push_str(&format!("{n} {line}\n"));
        if n % 2 == 0 {
            out.push_str(&format!("{n}: {}\n", own[n / 2 % own.len()]));
        }
    }
    out
}

/// A part of the text, in whole characters, at most so long.
fn part(text: &str, dice: &mut Dice, most: usize) -> Range<usize> {
    let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let first = dice.roll(bounds.len() - 1);
    let last = (first + 1 + dice.roll(most)).min(bounds.len() - 1);
    bounds[first]..bounds[last]
}

#[test]
fn random_edits_come_out_as_iconv_has_them() {
    let count = count();
    for (seed, sample) in SAMPLES.iter().enumerate() {
        let mut dice = Dice(seed as u64 + 1);
        let repo = TestRepo::new();
        let mut now = text(sample);
        repo.write("a.txt", sample.bytes(&now));
        repo.commit_all("first");
        let mut befores: Vec<Vec<u8>> = Vec::new();
        let mut made = 0;
        while made < count {
            let place = part(&now, &mut dice, 60);
            let new = part(&now, &mut dice, 60);
            let (old, new) = (&now[place.clone()], &now[new]);
            let is_one = places(&now, old) == 1;
            if old == new || !is_one || is_combining(&now[place.end..]) {
                continue;
            }
            let after = [&now[..place.start], new, &now[place.end..]].concat();
            befores.push(repo.read("a.txt"));
            let answer = done(&repo, &["apply"], &named(edit("a.txt", old, new), sample.name));
            let got = repo.read("a.txt");
            let want = sample.bytes(&after);
            assert!(got == want, "{} {made}: {old:?} -> {new:?}\n{}", sample.iconv, answer["data"]["diff_preview"]);
            let (head, tail) = (sample.bytes(&now[..place.start]), sample.bytes(&now[place.end..]));
            assert!(got.starts_with(&head) && got.ends_with(&tail[sample.mark.len()..]), "{}", sample.iconv);
            now = after;
            made += 1;
        }
        // The last ones, step by step: each looks through what came later.
        for before in befores.iter().rev().take(3) {
            done(&repo, &["undo"], &Value::Null);
            assert!(repo.read("a.txt") == *before, "{}: taken back", sample.iconv);
        }
    }
}

/// A mark that belongs to the letter before it: iconv writes both together.
fn is_combining(rest: &str) -> bool {
    rest.chars().next().is_some_and(|c| matches!(u32::from(c), 0x300..=0x36f | 0x591..=0x5c7))
}

/// How often a text stands in another, places that overlap too.
fn places(text: &str, old: &str) -> usize {
    text.char_indices().filter(|(at, _)| text[*at..].starts_with(old)).count()
}
