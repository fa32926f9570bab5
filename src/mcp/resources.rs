//! What can be read by its address: the log, and records.
//!
//! Owns the addresses. Invariant: the list is always the same; records are found by the template.

use super::tools::{Opened, log};
use crate::history::{Detail, History, Logged, commits_of, file_diff, record_form};
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};

const LOG: &str = "redraft://log";
const RECORD: &str = "redraft://record/";
const DIFF: &str = "/diff";

/// What is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// The newest records.
    Log,
    /// A record, as JSON.
    Record(String),
    /// What a record changed.
    Diff(String),
}

/// Those that are always there.
pub fn list() -> Vec<Resource> {
    vec![Resource::new(LOG, "log").with_description("The newest records, one a line").with_mime_type("text/plain")]
}

/// The addresses of the others.
pub fn templates() -> Vec<ResourceTemplate> {
    let of = |end: &str, name: &str, what: &str, mime: &str| {
        ResourceTemplate::new(format!("{RECORD}{{id}}{end}"), name).with_description(what).with_mime_type(mime)
    };
    vec![
        of("", "record", "A record: who, when, why, and what", "application/json"),
        of(DIFF, "diff", "What a record changed, as a unified diff", "text/x-diff"),
    ]
}

/// Reads an address; none where it is none of these.
pub fn parse(uri: &str) -> Option<Wanted> {
    if uri == LOG {
        return Some(Wanted::Log);
    }
    let rest = uri.strip_prefix(RECORD)?;
    let (id, is_diff) = rest.strip_suffix(DIFF).map_or((rest, false), |id| (id, true));
    let is_id = !id.is_empty() && id.bytes().all(|b| matches!(b, b'k'..=b'z'));
    let id = is_id.then(|| id.to_owned())?;
    Some(if is_diff { Wanted::Diff(id) } else { Wanted::Record(id) })
}

/// What stands there; none where this repository has no such record.
pub fn read(opened: &Opened<'_>, wanted: &Wanted, uri: &str) -> Option<ResourceContents> {
    let history = History::open(opened.workspace.repo()).ok()?;
    let (text, mime) = match wanted {
        Wanted::Log => (log::newest(opened, &history, log::MOST).ok()?, "text/plain"),
        Wanted::Record(id) => {
            opened.served_record(&history, id).ok()?;
            let (item, effect) = history.find_with_effect(id).ok()?;
            let record = history.full(&item).ok()?;
            let commits = commits_of(&history, [&item]).pop().unwrap_or_default();
            let mark = history.mark_of(&record.id);
            let logged = Logged { item, effect, commits, mark };
            let form = record_form(&history, &logged, &record, Detail::Full);
            (serde_json::to_string(&form).ok()?, "application/json")
        }
        Wanted::Diff(id) => {
            let item = opened.served_record(&history, id).ok()?;
            let record = history.full(&item).ok()?;
            let diffs = record.files.iter().enumerate().map(|(n, file)| {
                let texts = history.texts(&item, &record, n).ok()?;
                Some(file_diff(file, &texts).text)
            });
            (diffs.collect::<Option<String>>()?, "text/x-diff")
        }
    };
    Some(ResourceContents::text(text, uri).with_mime_type(mime))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_nothing_else_is() {
        assert_eq!(parse("redraft://log"), Some(Wanted::Log));
        assert_eq!(parse("redraft://record/kzl"), Some(Wanted::Record("kzl".into())));
        assert_eq!(parse("redraft://record/kzl/diff"), Some(Wanted::Diff("kzl".into())));
        for other in ["", "redraft://record/", "redraft://record//diff", "redraft://record/../x", "file:///etc/passwd"]
        {
            assert_eq!(parse(other), None, "{other}");
        }
    }
}
