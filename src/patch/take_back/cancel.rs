//! Edits that were taken back again, left out of a chain: what is between is as if they had never been made. And an edit led past those after it.
//!
//! Owns both. Which edit took back which, the caller knows. Invariant: what is left leads from the same text to the same text, and
//! an edit counts as taken back only where the text without it is just what is there.

use super::commute::commuted;
use super::edit::Edit;
use super::settled::found_in;

/// The edits of a chain, each made on the result of the one before it (somebody else may have changed the text between them),
/// without those with the indexes `gone` and the one with the index `by`, which took them back.
///
/// None where one of them does not commute with what was done between, or is not wholly taken back.
pub fn without(chain: &[Edit<'static>], gone: &[usize], by: usize) -> Option<Vec<Edit<'static>>> {
    let mut left = chain.to_vec();
    let mut text = left.get(by)?.before().to_vec();
    for &n in gone.iter().rev() {
        let mut near = left.get(n)?.clone();
        for step in
            left.get_mut(n + 1..by)?.iter_mut().enumerate().filter(|(after, _)| !gone.contains(&(n + 1 + after)))
        {
            let (_, step) = step;
            let both = commuted(&found_in(near, step.before())?, step)?;
            (near, *step) = (both.first, both.later);
        }
        text = found_in(near, &text)?.before().to_vec();
    }
    let is_left = |n: &usize| *n != by && !gone.contains(n);
    let left = left.into_iter().enumerate().filter(|(n, _)| is_left(n)).map(|(_, edit)| edit).collect();
    (text == chain.get(by)?.after()).then_some(left)
}

/// An edit where it is behind later ones, each made on the result of the one before it; none where one of them meets it.
pub fn led_past(edit: Edit<'static>, later: &[Edit<'_>]) -> Option<Edit<'static>> {
    later.iter().try_fold(edit, |near, step| Some(commuted(&near, step)?.first))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit([before, after]: [&str; 2]) -> Edit<'static> {
        Edit::by_lines(before.as_bytes(), after.as_bytes()).expect("an edit").into_owned()
    }

    #[test]
    fn an_edit_is_led_past_those_that_do_not_meet_it() {
        let own = edit(["a\nb\nc\nd\n", "a\nB\nc\nd\n"]);
        let later = [edit(["a\nB\nc\nd\n", "x\na\nB\nc\nd\n"]), edit(["x\na\nB\nc\nd\n", "x\na\nB\nc\n"])];
        let here = led_past(own.clone(), &later).expect("they do not meet it");
        assert_eq!([here.before(), here.after()], ["x\na\nb\nc\n".as_bytes(), b"x\na\nB\nc\n"]);
        assert!(led_past(own, &[edit(["a\nB\nc\nd\n", "a\nother\nc\nd\n"])]).is_none());
    }
}
