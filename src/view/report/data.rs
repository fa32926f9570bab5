//! What the script puts in when a record is unfolded, as data inside of the page that no browser runs or shows.
//!
//! Owns its form. What is large is a zlib stream in base64: a browser unpacks it by itself.

use super::cast::{Cast, named};
use super::html;
use crate::id::{CommitId, RecordId};
use crate::text::{one_line, visible};
use crate::usecase::report::{Diff, FileTold, RecordTold};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use std::borrow::Cow;
use zlib_rs::{DeflateConfig, ReturnCode, compress_bound, compress_slice};

/// More is packed, in bytes.
const MOST_PLAIN: usize = 192 << 10;

#[derive(Serialize)]
struct Data<'r> {
    bases: Vec<Base>,
    records: Vec<Unfolded<'r>>,
}

/// A git commit on which records were made.
#[derive(Serialize)]
struct Base {
    id: CommitId,
    address: Option<String>,
}

/// What is seen of a record once it is unfolded.
#[derive(Serialize)]
struct Unfolded<'r> {
    id: &'r RecordId,
    who: String,
    when: String,
    /// 0-based, among the bases.
    base: Option<usize>,
    /// Of each of its files, from the first `@@` on.
    diffs: Vec<Option<Cow<'r, str>>>,
}

/// The element with the data.
pub(super) fn data(cast: &Cast<'_>) -> String {
    let mut bases: Vec<CommitId> = Vec::new();
    let records = &cast.report().records;
    let records = records.iter().map(|record| unfolded(cast, record, &mut bases)).collect();
    let bases = bases.into_iter().map(|id| Base { id, address: cast.address(id) }).collect();
    let plain = html::json(&Data { bases, records });
    let packed = if plain.len() > MOST_PLAIN { packed(plain.as_bytes()) } else { None };
    let (form, text) = match packed {
        Some(packed) => ("application/zlib", packed),
        None => ("application/json", plain),
    };
    format!("<script type=\"{form}\" id=\"data\">{text}</script>")
}

fn unfolded<'r>(cast: &Cast<'_>, record: &'r RecordTold, bases: &mut Vec<CommitId>) -> Unfolded<'r> {
    // As text: the script makes no markup of it.
    let said = |before: &str, text: &Option<String>, after: &str| {
        text.as_deref().map_or(String::new(), |text| format!("{before}{}{after}", one_line(text)))
    };
    let agent = record.agent.as_deref().map_or_else(|| named(None), |agent| one_line(agent).into_owned());
    let base = record.base.map(|base| {
        bases.iter().position(|known| *known == base).unwrap_or_else(|| {
            bases.push(base);
            bases.len() - 1
        })
    });
    let diff = |file: &'r FileTold| match &file.diff {
        Diff::Hunks { text, .. } => Some(visible(text)),
        _ => None,
    };
    Unfolded {
        id: &record.id,
        who: format!("{agent}{}{}", said(" (", &record.model, ")"), said(", subagent ", &record.subagent, "")),
        when: cast.time(record.time_ms, "%a %b %-d %H:%M:%S %Y %z"),
        base,
        diffs: record.files.iter().map(diff).collect(),
    }
}

/// A zlib stream in base64.
fn packed(bytes: &[u8]) -> Option<String> {
    let mut room = vec![0; compress_bound(bytes.len())];
    let (stream, done) = compress_slice(&mut room, bytes, DeflateConfig::new(9));
    (done == ReturnCode::Ok).then(|| STANDARD.encode(stream))
}

#[cfg(test)]
mod tests {
    use super::*;
    use zlib_rs::{InflateConfig, decompress_slice};

    #[test]
    fn what_is_packed_is_what_is_unpacked() {
        let text = "[[\"@@ -1 +1 @@\\n-a\\n+b\\n\"]]".repeat(1000);
        let packed = packed(text.as_bytes()).expect("packed");
        assert!(packed.len() < text.len() / 10, "{}", packed.len());
        let stream = STANDARD.decode(packed).expect("base64");
        let mut room = vec![0; text.len() + 1];
        let (found, _) = decompress_slice(&mut room, &stream, InflateConfig::default());
        assert_eq!(found, text.as_bytes());
    }
}
