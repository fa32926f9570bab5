//! Characters that an encoding has in two parts: a letter and a mark behind it.
//!
//! Windows-1258 (Vietnamese) writes its tones behind the vowel, windows-1255 (Hebrew) its points.

use unicode_normalization::UnicodeNormalization;

/// The ways to write a character as a letter and marks behind it: as few marks as possible first.
pub(super) fn parts(c: char) -> Vec<Vec<char>> {
    let all: Vec<char> = std::iter::once(c).nfd().collect();
    if all.len() < 2 {
        return Vec::new();
    }
    // A mark that is written apart, behind what the others compose to.
    let mut ways: Vec<Vec<char>> = (1..all.len())
        .filter_map(|apart| {
            let others = all.iter().enumerate().filter(|(n, _)| *n != apart).map(|(_, &c)| c);
            let mut composed = others.nfc();
            match (composed.next(), composed.next()) {
                (Some(letter), None) => Some(vec![letter, all[apart]]),
                _ => None,
            }
        })
        .collect();
    ways.push(all);
    ways
}
