//! How many lines of each file changed, as `git log --stat` draws it.

use super::page::Page;
use crate::history::{FileDiff, History, Item, line_counts};
use crate::path::RepoPath;
use crate::record::Record;
use crate::text::quoted_path;
use anstyle::AnsiColor;

/// A file as it is written, and how many lines came and went; none where its texts are not kept.
pub(super) type Row = (String, Option<(usize, usize)>);

/// The longest graph, in characters.
const LONGEST: usize = 40;

/// Which of the two is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::Args)]
pub(super) struct StatArgs {
    /// With the files, and how many lines of them changed
    #[arg(long)]
    stat: bool,
    /// The same for programs: lines added, a tab, lines removed, a tab, the path; - where the texts are not kept
    #[arg(long, conflicts_with = "stat")]
    numstat: bool,
}

impl StatArgs {
    /// Whether one is.
    pub(super) fn is_wanted(self) -> bool {
        self.stat || self.numstat
    }

    /// As it is wanted; nothing where it is not.
    pub(super) fn told(self, page: &Page, rows: &[Row]) -> String {
        match (self.stat, self.numstat) {
            (true, _) => stat(page, rows),
            (false, true) => numstat(rows),
            (false, false) => String::new(),
        }
    }
}

/// A file by its names.
fn name(path: &RepoPath, from: Option<&RepoPath>) -> String {
    match from {
        Some(from) => format!("{} => {}", quoted_path(from), quoted_path(path)),
        None => quoted_path(path).into_owned(),
    }
}

/// The files of a record.
pub(super) fn of_record(history: &History<'_>, item: &Item, record: &Record) -> Vec<Row> {
    let files = record.files.iter().enumerate();
    files.map(|(n, file)| (name(&file.path, file.from.as_ref()), line_counts(history, item, record, n))).collect()
}

/// The files of a diff.
pub(super) fn of_diff(files: &[FileDiff]) -> Vec<Row> {
    files.iter().map(|file| (name(&file.path, file.from.as_ref()), file.lines)).collect()
}

fn numstat(rows: &[Row]) -> String {
    let line = |(name, lines): &Row| {
        let (added, removed) = lines.map_or(("-".to_owned(), "-".to_owned()), |(a, b)| (a.to_string(), b.to_string()));
        format!("{added}\t{removed}\t{name}\n")
    };
    rows.iter().map(line).collect()
}

/// A line for each file, and one for all.
fn stat(page: &Page, rows: &[Row]) -> String {
    let names: Vec<&str> = rows.iter().map(|(name, _)| name.as_str()).collect();
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
