//! The diffs inside of the page, as data that no browser runs or shows until the script puts it in as text.
//!
//! Owns their form: for each record, for each of its files, the hunks or null. Large ones are a zlib stream in base64: a browser unpacks
//! it by itself.

use super::html;
use crate::text::visible;
use crate::usecase::report::{Diff, Report};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::borrow::Cow;
use zlib_rs::{DeflateConfig, ReturnCode, compress_bound, compress_slice};

/// More is packed, in bytes.
const MOST_PLAIN: usize = 192 << 10;

/// The element with the diffs.
pub(super) fn diffs(report: &Report) -> String {
    let of_file = |diff: &'_ Diff| match diff {
        Diff::Hunks { text, .. } => Some(visible(text).into_owned()),
        _ => None,
    };
    let diffs: Vec<Vec<Option<String>>> =
        report.records.iter().map(|record| record.files.iter().map(|file| of_file(&file.diff)).collect()).collect();
    let plain = html::json(&diffs);
    let packed = if plain.len() > MOST_PLAIN { packed(plain.as_bytes()) } else { None };
    let (form, text) = match &packed {
        Some(packed) => ("application/zlib", Cow::Borrowed(packed)),
        None => ("application/json", Cow::Owned(plain)),
    };
    format!("<script type=\"{form}\" id=\"diffs\">{text}</script>")
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
