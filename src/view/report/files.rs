//! The list of files: how much was changed, and who wrote the lines that are there today.
//!
//! Owns the list. Of very many files the least changed ones are not listed; `redraft report --json` has them.

use super::cast::{Cast, named};
use super::html::{counted, number, path};
use crate::usecase::report::{FileTotals, Share};

/// So many are listed.
const MOST: usize = 250;
/// So many are seen at once; the others are folded.
const FIRST: usize = 12;

/// The list; nothing where there is no file.
pub(super) fn files(cast: &Cast<'_>) -> String {
    let files = &cast.report().files;
    if files.is_empty() {
        return String::new();
    }
    let most = files.iter().map(|file| file.lines_added + file.lines_removed).max().unwrap_or(0).max(1);
    let rows = |files: &[FileTotals]| files.iter().map(|file| row(cast, file, most)).collect::<String>();
    let (first, rest) = files.split_at(files.len().min(FIRST));
    let rest = &rest[..rest.len().min(MOST - FIRST)];
    let folded = match rest.len() {
        0 => String::new(),
        more => format!(
            "<details class=\"rest\"><summary>{}</summary>{}</details>",
            counted(more, "more file"),
            table("More files", &rows(rest))
        ),
    };
    let left = files.len().saturating_sub(MOST);
    let left = if left == 0 {
        String::new()
    } else {
        format!("<p class=\"note\">{} with fewer changed lines are not listed here.</p>", counted(left, "more file"))
    };
    format!("{}{folded}{left}", table("Files", &rows(first)))
}

fn table(name: &str, rows: &str) -> String {
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{name}\"><table class=\"list files\"><thead><tr><th \
         scope=\"col\">File</th><th scope=\"col\">Records</th><th scope=\"col\">Changed lines</th><th scope=\"col\">Whose today’s lines \
         are</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )
}

fn row(cast: &Cast<'_>, file: &FileTotals, most: usize) -> String {
    let shown = path(&file.path);
    let (added, removed) = (file.lines_added, file.lines_removed);
    let width = |lines: usize| (lines * 100).div_ceil(most);
    let (plus, minus) = (width(added), width(removed).min(100 - width(added).min(100)));
    let share = file.share.as_ref().map_or("<span class=\"none\">–</span>".to_owned(), |share| shared(cast, share));
    format!(
        "<tr><th scope=\"row\"><button type=\"button\" class=\"q\" data-q>{shown}</button></th><td>{}</td><td \
         class=\"num\"><b class=\"add\">+{}</b> <b class=\"del\">−{}</b><svg class=\"bar\" viewBox=\"0 0 100 5\" \
         preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"plus\" width=\"{plus}\"/><rect class=\"minus\" x=\"{plus}\" \
         width=\"{minus}\"/></svg></td><td>{share}</td></tr>",
        number(file.records),
        number(added),
        number(removed),
    )
}

/// A bar, and the same in words.
fn shared(cast: &Cast<'_>, share: &Share) -> String {
    if share.lines == 0 {
        return "<span class=\"none\">no lines</span>".to_owned();
    }
    let (mut bars, mut words, mut at) = (String::new(), Vec::new(), 0.0);
    let mut put = |class: &str, name: &str, lines: usize| {
        let width = lines as f64 * 100.0 / share.lines as f64;
        bars.push_str(&format!("<rect class=\"{class}\" x=\"{at:.1}\" width=\"{width:.1}\"/>"));
        words.push(format!("<span><i class=\"dot {class}\"></i>{name} {}</span>", percent(lines, share.lines)));
        at += width;
    };
    for of in &share.by {
        put(&cast.class(of.agent.as_deref()), &named(of.agent.as_deref()), of.lines);
    }
    let others = share.lines - share.by.iter().map(|of| of.lines).sum::<usize>();
    if others > 0 {
        put("a9", "people, or before", others);
    }
    format!(
        "<svg class=\"bar\" viewBox=\"0 0 100 5\" preserveAspectRatio=\"none\" aria-hidden=\"true\">{bars}</svg><span \
         class=\"words\">{}</span>",
        words.join(" ")
    )
}

/// Never 0 % of something, never 100 % of a part.
fn percent(part: usize, whole: usize) -> String {
    match (part * 100 + whole / 2) / whole {
        0 if part > 0 => "&lt;1 %".to_owned(),
        100 if part < whole => "&gt;99 %".to_owned(),
        share => format!("{share} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_neither_nothing_nor_all() {
        assert_eq!(percent(1, 1000), "&lt;1 %");
        assert_eq!(percent(999, 1000), "&gt;99 %");
        assert_eq!(
            (percent(1, 3), percent(3, 3), percent(0, 3)),
            ("33 %".to_owned(), "100 %".to_owned(), "0 %".to_owned())
        );
    }
}
