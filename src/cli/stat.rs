//! How many lines of each file changed, as `git log --stat` draws it.

use super::page::Page;
use crate::text::quoted_path;
use anstyle::AnsiColor;

/// A file, and how many lines came and went; none where its texts are not kept.
pub(super) type Row = (String, Option<(usize, usize)>);

/// The longest graph, in characters.
const LONGEST: usize = 40;

/// A line for each file, and one for all.
pub(super) fn stat(page: &Page, rows: &[Row]) -> String {
    let names: Vec<String> = rows.iter().map(|(name, _)| quoted_path(name).into_owned()).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let most = rows.iter().filter_map(|(_, lines)| lines.map(|(added, removed)| added + removed)).max().unwrap_or(0);
    let digits = most.to_string().len().max(3);
    let mut out = String::new();
    for (name, (_, lines)) in names.iter().zip(rows) {
        let counted = match lines {
            None => "not kept".to_owned(),
            Some((added, removed)) => {
                let graph = |count: &usize, letter: &str| letter.repeat(scaled(*count, most));
                let (plus, minus) = (graph(added, "+"), graph(removed, "-"));
                let gap = if plus.is_empty() && minus.is_empty() { "" } else { " " };
                format!(
                    "{:>digits$}{gap}{}{}",
                    added + removed,
                    page.paint.colour(&plus, AnsiColor::Green),
                    page.paint.colour(&minus, AnsiColor::Red)
                )
            }
        };
        let pad = " ".repeat(width - name.chars().count());
        out.push_str(&format!(" {name}{pad} | {counted}\n"));
    }
    out.push_str(&total(rows));
    out
}

/// Never nothing for something.
fn scaled(count: usize, most: usize) -> usize {
    if most <= LONGEST { count } else { (count * LONGEST).div_ceil(most) }
}

fn total(rows: &[Row]) -> String {
    let several = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let sum = |of: fn((usize, usize)) -> usize| rows.iter().filter_map(|(_, lines)| lines.map(of)).sum::<usize>();
    let (added, removed) = (sum(|lines| lines.0), sum(|lines| lines.1));
    let mut parts = vec![format!(" {} changed", several(rows.len(), "file"))];
    if added > 0 || removed == 0 {
        parts.push(format!("{}(+)", several(added, "insertion")));
    }
    if removed > 0 || added == 0 {
        parts.push(format!("{}(-)", several(removed, "deletion")));
    }
    parts.join(", ") + "\n"
}
