//! Properties of compiling edits, against the naive way to make them.

use crate::code::Reason;
use crate::patch::compile::Compiled;
use crate::patch::{CompileOptions, compile};
use crate::request::{Edit, Mode};
use crate::text::{Text, to_lf};
use proptest::collection::vec;
use proptest::prelude::*;

/// 1,000 cases unless `PROPTEST_CASES` says otherwise.
fn config() -> ProptestConfig {
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { ProptestConfig::default().cases } else { 1000 };
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn run(base: &str, edits: &[Edit], mode: Mode) -> Result<(Compiled, Vec<u8>), Reason> {
    let text = Text::new(base.as_bytes().to_vec()).expect("no NUL");
    let options = CompileOptions { mode, ..CompileOptions::default() };
    let compiled = compile(&text, edits, &options).map_err(|error| error.reason())?;
    let after = compiled.patch.apply(text.bytes());
    Ok((compiled, after))
}

fn edits_of(pairs: &[(String, String, bool)]) -> Vec<Edit> {
    let made = pairs.iter().filter_map(|(old, new, all)| {
        let mut edit = Edit::new(old.as_str(), new.as_str()).ok()?;
        edit.replace_all = *all;
        Some(edit)
    });
    made.collect()
}

fn pairs() -> impl Strategy<Value = Vec<(String, String, bool)>> {
    vec(("[ab\n]{1,3}", "[abx\n]{0,3}", any::<bool>()), 1..5)
}

fn places(text: &[u8], old: &[u8]) -> Vec<usize> {
    (0..text.len()).filter(|&at| text[at..].starts_with(old)).collect()
}

/// Python's way, on a text with LF only: each edit in turn, `replace` of all or of the only one.
fn naive_sequence(base: &str, edits: &[Edit]) -> Option<Vec<u8>> {
    let mut text = base.as_bytes().to_vec();
    for edit in edits {
        let mut starts = places(&text, edit.old());
        if starts.is_empty() || (starts.len() > 1 && !edit.replace_all) {
            return None;
        }
        let mut end = 0;
        starts.retain(|&at| {
            at >= end && {
                end = at + edit.old().len();
                true
            }
        });
        for &at in starts.iter().rev() {
            text.splice(at..at + edit.old().len(), edit.new_text().iter().copied());
        }
    }
    Some(text)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn sequence_mode_is_one_replacement_after_the_other(base in "[ab\n]{0,12}", pairs in pairs()) {
        let edits = edits_of(&pairs);
        let got = run(&base, &edits, Mode::Sequence);
        match naive_sequence(&base, &edits) {
            Some(want) => prop_assert_eq!(got.map(|(_, after)| after), Ok(want)),
            None => prop_assert!(matches!(got, Err(Reason::NoMatch | Reason::Ambiguous | Reason::AlreadyApplied))),
        }
    }

    #[test]
    fn both_modes_agree_on_edits_that_do_not_touch_each_other(
        lines in vec(0..4usize, 1..12),
        crlf in vec(any::<bool>(), 12),
        news in vec("[xyz\n]{0,4}", 12),
        order in any::<u64>(),
    ) {
        // Each line has a name of its own, so each edit has one place.
        let ends = |n: usize| if crlf[n] { "\r\n" } else { "\n" };
        let base: String = lines.iter().enumerate().map(|(n, pad)| format!("<{n}>{}{}", "-".repeat(*pad), ends(n))).collect();
        let mut edits: Vec<Edit> = (0..lines.len())
            .filter_map(|n| Edit::new(format!("<{n}>"), format!("({n})\n{}", news[n])).ok())
            .collect();
        let len = edits.len();
        edits.rotate_left(order as usize % len);
        let (original, after) = run(&base, &edits, Mode::Original).expect("independent edits");
        let (sequence, after_sequence) = run(&base, &edits, Mode::Sequence).expect("independent edits");
        prop_assert_eq!(after, after_sequence);
        prop_assert_eq!(original.edits, sequence.edits);
    }

    #[test]
    fn whatever_the_endings_the_text_changes_as_with_lf(
        base in vec(("[ab]{0,2}", any::<bool>()), 0..8),
        pairs in pairs(),
    ) {
        let edits = edits_of(&pairs);
        let mixed: String = base.iter().map(|(line, crlf)| format!("{line}{}", if *crlf { "\r\n" } else { "\n" })).collect();
        let plain = mixed.replace("\r\n", "\n");
        for mode in [Mode::Original, Mode::Sequence] {
            let with_lf = run(&plain, &edits, mode).map(|(_, after)| after);
            let with_both = run(&mixed, &edits, mode);
            prop_assert_eq!(with_both.clone().map(|(_, after)| to_lf(&after).into_owned()), with_lf);
            let all_crlf = run(&plain.replace('\n', "\r\n"), &edits, mode);
            if let (Ok((_, after)), true) = (all_crlf, plain.contains('\n')) {
                prop_assert_eq!(after.iter().filter(|&&b| b == b'\n').count(), memchr::memmem::find_iter(&after, b"\r\n").count());
            }
        }
    }

    #[test]
    fn original_mode_changes_nothing_outside_the_places(base in "[ab\r\n]{0,16}", pairs in pairs()) {
        let edits = edits_of(&pairs);
        if let Ok((compiled, _)) = run(&base, &edits, Mode::Original) {
            for splice in compiled.patch.splices() {
                let within = |range: &std::ops::Range<usize>| range.start <= splice.range.start && splice.range.end <= range.end;
                prop_assert!(splice.origin.iter().all(|origin| within(&compiled.edits[origin.edit].range)));
            }
        }
    }
}
