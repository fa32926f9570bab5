//! Fields that a dialect does not have: all of a request at once, each with what a caller of another format means by it.
//!
//! Owns the names that other formats have for the same things. What to send instead is told in `advice/`.
//! Invariant: linear in the members of the request; so many fields are named as [`MOST`] says, however many there are.

use super::document::Json;
use super::fault::{At, Cause, Fault, Meant, UnknownField};
use super::fields::Checked;
use rapidfuzz::distance::jaro_winkler;

/// So many fields are told apart.
const MOST: usize = 12;

/// The fields of an object, and of the objects in it.
#[derive(Debug)]
pub(crate) struct Shape {
    /// The fields.
    pub(crate) keys: &'static [&'static str],
    /// The field that names a file; none in an object that is part of a file.
    pub(crate) path: Option<&'static str>,
    /// Those of the fields that hold further objects, directly or in a list.
    pub(crate) inner: &'static [(&'static str, &'static Self)],
}

/// Names for the same thing, folded: without case and what stands between words.
const SAME: &[&[&str]] = &[
    &[
        "oldstring",
        "oldtext",
        "oldstr",
        "old",
        "search",
        "searchtext",
        "searchstring",
        "find",
        "findtext",
        "original",
        "originaltext",
        "target",
        "targetcontent",
        "before",
        "oldcontent",
        "oldcode",
        "oldvalue",
        "oldlines",
        "texttoreplace",
        "match",
        "from",
        "pattern",
        "source",
    ],
    &[
        "newstring",
        "newtext",
        "newstr",
        "new",
        "replace",
        "replacetext",
        "replacestring",
        "replacewith",
        "replacement",
        "replacementtext",
        "replacementcontent",
        "after",
        "newcontent",
        "newcode",
        "newvalue",
        "newlines",
        "with",
        "to",
        "updated",
        "insert",
        "substitute",
    ],
    &[
        "path",
        "filepath",
        "filename",
        "file",
        "name",
        "targetfile",
        "relativepath",
        "relativeworkspacepath",
        "workspacepath",
        "absolutepath",
        "abspath",
        "fullpath",
        "uri",
        "fileuri",
        "documentpath",
        "pathname",
    ],
    &["replaceall", "all", "global", "allowmultiple", "replaceallmatches", "multiple", "alloccurrences", "isglobal"],
    &[
        "expectedreplacements",
        "count",
        "occurrences",
        "expectedcount",
        "expectedoccurrences",
        "times",
        "numreplacements",
    ],
    &[
        "edits",
        "changes",
        "replacements",
        "operations",
        "replacementchunks",
        "multiedits",
        "blocks",
        "modifications",
        "patches",
    ],
    &[
        "content",
        "contents",
        "filetext",
        "filecontent",
        "filecontents",
        "codecontent",
        "fulltext",
        "body",
        "data",
        "text",
    ],
    &["line", "linenumber", "startline", "lineno", "atline", "linehint", "line1", "start"],
    &["dryrun", "preview", "simulate", "checkonly", "noop"],
    &[
        "message",
        "description",
        "instruction",
        "instructions",
        "explanation",
        "reason",
        "comment",
        "summary",
        "commitmessage",
    ],
    &["renameto", "newpath", "moveto", "destination", "newname", "newfilename", "renamedto", "dest", "movepath"],
    &["delete", "remove", "unlink", "isdelete", "deletefile"],
    &["overwrite", "force", "replaceexisting", "allowoverwrite"],
    &["files", "fileedits", "documents"],
    &["match", "matchmode", "matchlevel", "fuzzy", "strategy"],
];

/// Names of the last line of a range.
const ENDS: &[&str] = &["endline", "lineend", "lastline", "toline", "line2", "end"];

/// Names of the line beside which something is inserted.
const INSERTIONS: &[&str] = &["insertline", "insertat", "insertafter", "insertbefore", "afterline", "beforeline"];

/// Names under which tools that call tools put a whole request.
const WRAPPERS: &[&str] = &[
    "arguments",
    "args",
    "input",
    "parameters",
    "params",
    "toolinput",
    "toolargs",
    "function",
    "functioncall",
    "request",
    "payload",
    "body",
    "kwargs",
    "tooluse",
    "json",
];

/// Refuses a request that has fields which the shape does not have.
pub(crate) fn refuse(json: &Json<'_>, shape: &'static Shape) -> Checked<()> {
    let mut found = Found::default();
    found.look(&At::Top, Object { json, shape, outer: None, file: None, edit: None });
    if found.fields.is_empty() {
        return Ok(());
    }
    let mut fault = Fault::new(Cause::Unknown { fields: found.fields });
    (fault.edit, fault.path) = (found.edit, found.file);
    Err(fault)
}

/// An object of the request, and where it stands.
#[derive(Clone, Copy)]
struct Object<'j> {
    json: &'j Json<'j>,
    shape: &'static Shape,
    outer: Option<&'static Shape>,
    file: Option<&'j str>,
    edit: Option<usize>,
}

impl<'j> Object<'j> {
    /// One of this object's own.
    fn inner(self, json: &'j Json<'j>, shape: &'static Shape, edit: Option<usize>) -> Self {
        Self { json, shape, outer: Some(self.shape), edit, ..self }
    }

    /// With the file that it names.
    fn named(self) -> Self {
        match self.shape.path.and_then(|key| self.json.get(key)) {
            Some(Json::String(path)) => Self { file: Some(path), ..self },
            _ => self,
        }
    }
}

/// What was found so far, and where the first of it stands.
#[derive(Default)]
struct Found {
    fields: Vec<UnknownField>,
    file: Option<String>,
    edit: Option<usize>,
}

impl Found {
    fn look(&mut self, at: &At<'_>, object: Object<'_>) {
        let Json::Object(members) = object.json else { return };
        let object = object.named();
        for (key, value) in members {
            let inner = object.shape.inner.iter().find(|(name, _)| name == key);
            match (inner, value) {
                (Some((_, inner)), Json::Array(items)) => {
                    for (i, item) in items.iter().enumerate() {
                        let edit = if inner.path.is_none() { Some(i) } else { None };
                        self.look(&at.key(key).item(i), object.inner(item, inner, edit));
                    }
                }
                (Some((_, inner)), value) => self.look(&at.key(key), object.inner(value, inner, object.edit)),
                (None, _) if object.shape.keys.contains(&key.as_ref()) => {}
                (None, _) => self.add(key, value, at, &object),
            }
        }
    }

    fn add(&mut self, key: &str, value: &Json<'_>, at: &At<'_>, object: &Object<'_>) {
        let known = object.shape.keys;
        if let Some(field) = self.fields.iter_mut().find(|field| field.key == key && field.known == known) {
            field.count += 1;
            return;
        }
        if self.fields.is_empty() {
            (self.file, self.edit) = (object.file.map(str::to_owned), object.edit);
        }
        if self.fields.len() < MOST {
            let is_taken = |name| {
                object.json.get(name).is_some()
                    || self.fields.iter().any(|field| field.meant == Some(Meant::Field(name)) && field.known == known)
            };
            let meant = meant(key, value, object);
            let meant = meant.filter(|meant| !matches!(meant, Meant::Field(name) if is_taken(name)));
            self.fields.push(UnknownField {
                field: at.key(key).to_string(),
                key: key.to_owned(),
                count: 1,
                meant,
                known,
            });
        }
    }
}

/// What is meant by a field that an object should not have.
fn meant(key: &str, value: &Json<'_>, object: &Object<'_>) -> Option<Meant> {
    let (folded, known) = (fold(key), object.shape.keys);
    let holds_request = match value {
        Json::Object(_) => true,
        Json::String(text) => text.trim_start().starts_with('{'),
        _ => false,
    };
    if object.outer.is_none() && holds_request && WRAPPERS.contains(&folded.as_str()) {
        // What calls functions has the name of one, and its arguments.
        let inner = WRAPPERS.iter().find(|name| value.get(name).is_some_and(|inner| !matches!(inner, Json::Null)));
        return Some(inner.map_or(Meant::Request, |name| Meant::RequestIn(name)));
    }
    if INSERTIONS.contains(&folded.as_str()) && known.contains(&"old_string") {
        return Some(Meant::Insertion);
    }
    let outer = || same(&folded, object.outer?.keys).map(Meant::Outer);
    // A name that says another thing is no misspelled one.
    let is_known = SAME.iter().any(|group| group.contains(&folded.as_str())) || ENDS.contains(&folded.as_str());
    let near = || nearest(&folded, known).filter(|_| !is_known).map(Meant::Field);
    same(&folded, known).map(Meant::Field).or_else(outer).or_else(near)
}

/// The field that another format has under this name.
fn same(folded: &str, known: &[&'static str]) -> Option<&'static str> {
    let groups = SAME.iter().filter(|group| group.contains(&folded));
    groups.flat_map(|group| known.iter().find(|name| group.contains(&fold(name).as_str()))).next().copied()
}

fn fold(name: &str) -> String {
    name.replace(['_', '-', ' '], "").to_lowercase()
}

/// The known name that is spelled most alike, if any is near.
fn nearest(folded: &str, known: &[&'static str]) -> Option<&'static str> {
    const NEAR: f64 = 0.8;
    if folded.len() > 64 {
        return None;
    }
    known
        .iter()
        .map(|&name| (jaro_winkler::similarity(folded.chars(), fold(name).chars()), name))
        .filter(|(score, _)| *score >= NEAR)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDIT: &[&str] = &["old_string", "new_string", "replace_all", "line"];

    #[test]
    fn a_misspelled_key_is_recognised_and_so_is_one_of_another_format() {
        for (key, want) in [
            ("oldString", Some("old_string")),
            ("new_str", Some("new_string")),
            ("replaceAll", Some("replace_all")),
            ("search", Some("old_string")),
            ("replace", Some("new_string")),
            ("TargetContent", Some("old_string")),
            ("ReplacementContent", Some("new_string")),
            ("AllowMultiple", Some("replace_all")),
            ("start_line", Some("line")),
            ("old_strnig", Some("old_string")),
            ("zzz", None),
        ] {
            let folded = fold(key);
            assert_eq!(same(&folded, EDIT).or_else(|| nearest(&folded, EDIT)), want, "{key}");
        }
    }
}
