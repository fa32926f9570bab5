//! The map of files: each as large as it was changed, in the colour of who changed most of it, beside those of its folder.
//!
//! Owns the picture. Its size does not grow with the number of files: the least changed ones of many are one field.

use super::cast::{Cast, named};
use super::html;
use super::squarify::{Rect, squarify};
use crate::path::RepoPath;
use crate::usecase::report::FileTotals;
use bstr::{BStr, ByteSlice};
use std::collections::BTreeMap;

/// So many files have a field of their own.
const MOST_FILES: usize = 160;
const WHOLE: Rect = Rect { x: 0.0, y: 0.0, width: 720.0, height: 400.0 };
/// The height of a folder's name.
const HEAD: f64 = 16.0;
/// About how wide a letter is.
const LETTER: f64 = 6.4;

/// A folder, with its files.
struct Folder<'r> {
    name: &'r BStr,
    files: Vec<&'r FileTotals>,
    size: f64,
}

/// The picture; nothing where no line was changed.
pub(super) fn file_map(cast: &Cast<'_>) -> String {
    let files: Vec<&FileTotals> = cast.report().files.iter().filter(|file| size(file) > 0.0).collect();
    if files.is_empty() {
        return String::new();
    }
    let (shown, rest) = files.split_at(files.len().min(MOST_FILES));
    let folders = folders(shown);
    let left: f64 = rest.iter().map(|file| size(file)).sum();
    let mut sizes: Vec<f64> = folders.iter().map(|folder| folder.size).collect();
    // Always the last, however large it is.
    sizes.extend(Some(left).filter(|left| *left > 0.0));
    let mut out = format!(
        "<svg class=\"map\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Map of {} by changed lines; the list of files has the same in \
         words\">",
        WHOLE.width,
        WHOLE.height,
        html::counted(files.len(), "file")
    );
    let places = squarify(&sizes, WHOLE);
    for (folder, place) in folders.iter().zip(&places) {
        out.push_str(&folder_drawn(cast, folder, *place));
    }
    if let Some(place) = places.get(folders.len()) {
        let title =
            format!("{} more, {} changed lines", html::counted(rest.len(), "file"), html::number(left as usize));
        out.push_str(&field("a8", place.inset(1.0, 0.0), (&title, "more"), None));
    }
    out + "</svg>"
}

/// The folder, empty at the top, and the name in it.
fn split(path: &RepoPath) -> (&BStr, &BStr) {
    let path = path.as_bstr();
    path.rsplit_once_str("/").map_or((BStr::new(""), path), |(folder, name)| (folder.as_bstr(), name.as_bstr()))
}

/// How much was changed.
fn size(file: &FileTotals) -> f64 {
    (file.lines_added + file.lines_removed) as f64
}

/// The largest first.
fn folders<'r>(files: &[&'r FileTotals]) -> Vec<Folder<'r>> {
    let mut by: BTreeMap<&BStr, Folder<'r>> = BTreeMap::new();
    for file in files {
        let name = split(&file.path).0;
        let folder = by.entry(name).or_insert_with(|| Folder { name, files: Vec::new(), size: 0.0 });
        folder.files.push(file);
        folder.size += size(file);
    }
    let mut folders: Vec<Folder<'r>> = by.into_values().collect();
    folders.sort_by(|a, b| b.size.total_cmp(&a.size).then_with(|| a.name.cmp(b.name)));
    folders
}

fn folder_drawn(cast: &Cast<'_>, folder: &Folder<'_>, place: Rect) -> String {
    let name = if folder.name.is_empty() { "(top)".into() } else { folder.name.to_str_lossy() };
    let has_head = place.height > 3.0 * HEAD && place.width > 50.0;
    let mut out = String::new();
    if has_head {
        let shown = html::quoted(&fitting(&name, place.width));
        out.push_str(&format!(
            "<text class=\"folder\" x=\"{:.1}\" y=\"{:.1}\">{shown}</text>",
            place.x + 5.0,
            place.y + 12.5
        ));
    }
    let inner = place.inset(1.5, if has_head { HEAD } else { 0.0 });
    let sizes: Vec<f64> = folder.files.iter().map(|file| size(file)).collect();
    for (file, place) in folder.files.iter().zip(squarify(&sizes, inner)) {
        let by = file.by.first().and_then(|of| of.agent.as_deref());
        let (path, name) = (html::path(&file.path), split(&file.path).1.to_str_lossy());
        let (added, removed) = (html::number(file.lines_added), html::number(file.lines_removed));
        let title = format!("{path}: +{added} −{removed}, most by {}", named(by));
        out.push_str(&field(&cast.class(by), place.inset(0.75, 0.0), (&title, &name), Some(&path)));
    }
    out
}

/// One field, with its title and, where there is room, its name; a click on that of a file searches for its path.
fn field(class: &str, place: Rect, (title, name): (&str, &str), path: Option<&str>) -> String {
    let Rect { x, y, width, height } = place;
    let wanted = path.map_or(String::new(), |path| format!(" data-q=\"{path}\""));
    let mut out = format!(
        "<rect class=\"{class}\"{wanted} x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"><title>{title}</title></rect>"
    );
    if height > 15.0 && width > 34.0 {
        let shown = html::quoted(&fitting(name, width));
        out.push_str(&format!("<text class=\"name\" x=\"{:.1}\" y=\"{:.1}\">{shown}</text>", x + 4.0, y + 12.5));
    }
    out
}

/// As much of a name as there is room for.
fn fitting(name: &str, width: f64) -> String {
    html::cut(name, ((width - 8.0) / LETTER).max(1.0) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_cut_where_there_is_no_room() {
        assert_eq!(fitting("main.rs", 80.0), "main.rs");
        assert_eq!(fitting("a_long_name.rs", 60.0), "a_long_…");
        assert_eq!(fitting("abc", 1.0), "…");
    }

    /// A click on the field of all that is not drawn searched for its title, and the page said that no record fits.
    #[test]
    fn only_the_field_of_a_file_is_searched_for() {
        assert!(!field("a8", WHOLE, ("2 files more", "more"), None).contains("data-q"));
        assert!(field("a0", WHOLE, ("a.rs: +1 −0", "a.rs"), Some("src/a.rs")).contains(" data-q=\"src/a.rs\" "));
    }
}
