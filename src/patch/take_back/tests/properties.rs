//! What holds of taking back for any bytes, and for random lines.

use super::*;
use proptest::prelude::*;

/// Lines of few kinds, so that they meet.
fn lines() -> impl Strategy2 {
    "([a-c]{1,2}( [0-9])?(\r)?\n|\n|\\}\n|foo\\([a-c], [0-9]\\)\n){0,8}[a-c]{0,2}"
}

/// The strategies of proptest, which share a name with those of the matcher.
trait Strategy2: proptest::strategy::Strategy<Value = String> {}
impl<T: proptest::strategy::Strategy<Value = String>> Strategy2 for T {}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn no_bytes_and_ranges_make_it_panic(
        texts in proptest::collection::vec(proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'a'), Just(b' '), Just(b'\r'), any::<u8>()], 0..30), 3),
        ranges in proptest::collection::vec((0usize..32, 0usize..32, 0usize..32, 0usize..32), 0..4),
        which in proptest::collection::vec(0usize..4, 0..3),
    ) {
        let changes: Vec<Change> = ranges.iter().map(|&(a, b, c, d)| Change { before: a..b, after: c..d, origin: ORIGIN }).collect();
        let wide = vec![Change { before: 0..texts[0].len(), after: 0..texts[1].len(), origin: ORIGIN }];
        for edit in [changes, wide].into_iter().filter_map(|changes| Edit::new(&texts[0], &texts[1], changes).ok()) {
            for direction in [Direction::TakeBack, Direction::PutAgain, Direction::CarryTo] {
                for wanted in [Wanted::All, Wanted::Only(&which)] {
                    let later = [Edit::new(&texts[1], &texts[2], vec![Change { before: 0..texts[1].len(), after: 0..texts[2].len(), origin: ORIGIN }]).expect("an edit")];
                    for later in [&later[..], &[]] {
                        let answer = answer(edit.clone(), wanted, direction, later, &texts[2]);
                        answer.patch_of_what_fits().apply(&texts[2]);
                        let own = if direction == Direction::TakeBack { &texts[1] } else { &texts[0] };
                        for (_, refusal) in answer.refusals() {
                            prop_assert!(refusal.own.end <= own.len(), "{refusal:?}");
                            let today = std::iter::once(&refusal.place).chain(&refusal.candidates);
                            prop_assert!(today.into_iter().all(|range| range.end <= texts[2].len()), "{refusal:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn undo_and_redo_of_an_untouched_text_is_the_identity(before in lines(), after in lines()) {
        for (answer, back) in judge(before.as_bytes(), after.as_bytes(), Direction::TakeBack, after.as_bytes())
            .iter()
            .zip(judge(before.as_bytes(), after.as_bytes(), Direction::PutAgain, before.as_bytes()))
        {
            let same = if before == after { Seen::Done } else { text(&before) };
            prop_assert_eq!(seen(answer, after.as_bytes()), same);
            let same = if before == after { Seen::Done } else { text(&after) };
            prop_assert_eq!(seen(&back, before.as_bytes()), same);
        }
    }

    #[test]
    fn a_second_undo_of_the_same_writes_nothing(before in lines(), after in lines(), head in lines(), tail in lines()) {
        let today = format!("{head}{after}{tail}");
        for answer in judge(before.as_bytes(), after.as_bytes(), Direction::TakeBack, today.as_bytes()) {
            if let Outcome::Write(patch) = answer.outcome() {
                let once = patch.apply(today.as_bytes());
                for again in judge(before.as_bytes(), after.as_bytes(), Direction::TakeBack, &once) {
                    prop_assert!(!matches!(again.outcome(), Outcome::Write(_)), "{:?}", (&once, again));
                }
            }
        }
    }

    #[test]
    fn bytes_outside_of_the_written_ranges_stay(before in lines(), after in lines(), today in lines()) {
        for answer in judge(before.as_bytes(), after.as_bytes(), Direction::TakeBack, today.as_bytes()) {
            let patch = answer.patch_of_what_fits();
            let (result, mut at) = (patch.apply(today.as_bytes()), 0);
            for (splice, range) in patch.splices().iter().zip(patch.result_ranges()) {
                let kept = splice.range.start - at;
                prop_assert_eq!(&result[range.start - kept..range.start], &today.as_bytes()[at..splice.range.start]);
                prop_assert_eq!(&result[range], &splice.replacement[..]);
                at = splice.range.end;
            }
            prop_assert!(result.ends_with(&today.as_bytes()[at..]));
        }
    }

    #[test]
    fn without_what_was_taken_back_the_rest_leads_from_the_same_text_to_the_same(
        base in lines(),
        made in proptest::collection::vec((0usize..9, 0usize..3, "([a-c]{1,2}\n|\\}\n|\n){0,2}"), 3),
    ) {
        let mut texts = vec![base];
        for (at, gone, new) in &made {
            let last: Vec<&str> = texts[texts.len() - 1].split_inclusive('\n').collect();
            let at = (*at).min(last.len());
            let behind = (at + gone).min(last.len());
            texts.push(format!("{}{new}{}", last[..at].concat(), last[behind..].concat()));
        }
        let edit = |n: usize| {
            let (before, after) = (texts[n].as_bytes(), texts[n + 1].as_bytes());
            let [least, ..] = changes(before, after);
            Edit::new(before, after, least).expect("an edit").into_owned()
        };
        let mut chain: Vec<Edit<'static>> = (0..3).map(edit).collect();
        let today = texts[3].as_bytes();
        let answer = answer(chain[0].clone(), Wanted::All, Direction::TakeBack, &chain[1..], today);
        if let Outcome::Write(patch) = answer.outcome() {
            let then = patch.apply(today);
            let [least, ..] = changes(today, &then);
            chain.push(Edit::new(today, &then, least).expect("an edit").into_owned());
            if let Some(left) = without(&chain, &[0], 3) {
                prop_assert_eq!(left.len(), 2);
                prop_assert_eq!(left[0].before(), texts[0].as_bytes());
                prop_assert_eq!(left[1].before(), left[0].after());
                prop_assert_eq!(left[1].after(), &then[..]);
                for edit in &left {
                    let changes = edit.changes().iter().map(|(_, change)| change.clone()).collect();
                    prop_assert!(Edit::new(edit.before(), edit.after(), changes).is_ok(), "{:?}", edit);
                }
            }
        }
    }
}
