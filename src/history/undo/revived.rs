//! What taking an edit back would bring back of another record, which somebody took back since, or against another one.
//!
//! Owns that question, which only the log answers: lines that an edit deleted come back with it only while the record that
//! wrote them was not undone or discarded, and while no other record that is in force took them away.
//! Invariant: a record is named only where it wrote lines that would come back, and what was in force of it where they were deleted
//! is taken back in the file as it is, or was so by the log and nothing of it is in force; or where it took them away since, and
//! lines of its own stand in the file.

use super::as_read::text_as_read;
use super::cancelled::Around;
use super::changed_lines::ChangedLines;
use super::differing::more;
use super::known::known_before;
use super::likeness::has_own_line;
use super::log::{Known, Log};
use super::newest_word::is_inverted;
use super::undone_lines::{Places, are_undone};
use crate::history::error::{HistoryError, Obstacle};
use crate::id::RecordId;
use crate::patch::take_back::{Direction, Edit, Verdict, Wanted, answer};
use crate::path::RepoPath;
use crate::record::{Record, RecordClass};
use crate::text::{Encoding, has_word, split_lines};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// A record, as it met a file.
pub(super) struct Met<'a> {
    pub(super) of: &'a Record,
    /// What the file was called then.
    pub(super) name: &'a RepoPath,
    /// What the file is in today, where something tells.
    pub(super) encoding: Option<Encoding>,
}

/// What the log has of a file before a record, as far back as somebody may have written the lines that would come back;
/// oldest first.
///
/// # Errors
/// Where the log cannot be read.
pub(super) fn writers(
    log: &Log<'_>,
    met: &Met<'_>,
    (today, result): (&[u8], &[u8]),
) -> Result<Vec<Arc<Known>>, HistoryError> {
    let Met { of, name, encoding } = *met;
    let [today, result] = [today, result].map(|text| text_as_read(text, encoding));
    let mut open = more(&today, &result);
    if open.is_empty() {
        return Ok(Vec::new());
    }
    known_before(log, &of.id, name, |known| {
        let (Some(before), Some(after)) = (known.texts.before(), known.texts.after()) else { return false };
        let [before, after] = [before, after].map(|text| text_as_read(text, encoding));
        // What an undo or redo put back somebody had written before.
        let is_back = matches!(known.class, RecordClass::Undo | RecordClass::Redo);
        let written = if is_back { Vec::new() } else { more(&before, &after) };
        // A bracket may have been written by any of them.
        open.retain(|line| !has_word(line) || !written.contains(line));
        !open.is_empty()
    })
}

/// The record that speaks against what taking an edit back would bring back, and how: the newest one before the edit of which
/// something would come back, or one after it that took such lines away.
///
/// `left` is the text that the edit left; `is_meant` says whether a record is to be taken back as well.
pub(super) fn revived(
    around: Around<'_>,
    left: &[u8],
    (today, result): (&[u8], &[u8]),
    is_meant: impl Fn(&RecordId) -> bool,
) -> Option<(Obstacle, RecordId)> {
    let back = more(today, result);
    // Where the file is as the edit left it, and no later record left it so, somebody put it back as it was then: what those did is
    // gone with the rest.
    let left_so = |known: &Arc<Known>| known.texts.after() == Some(today);
    let is_put_back = today == left && !around.later.iter().any(left_so);
    if back.is_empty() || is_put_back {
        return None;
    }
    let wrote = |known: &Known, is_meant: fn(&[u8]) -> bool| match (known.texts.before(), known.texts.after()) {
        (Some(before), Some(after)) => more(before, after).iter().any(|line| is_meant(line) && back.contains(line)),
        _ => false,
    };
    let wrote_some = |known: &&Arc<Known>| wrote(known, |_| true);
    let is_all_known = has_every_step(around.later, left, today);
    let comes_back = |known: &&Arc<Known>| {
        // Where the log has every step, and none took it back, it is in force; and what is as the record met it has nothing of it.
        let is_in_force = is_all_known && !around.later.iter().any(|later| inverts(later, &known.id));
        if is_in_force || went_later(known, around.later, (left, &back)) || known.texts.before() == Some(result) {
            return false;
        }
        let Some(edit) = known.file.edit(&known.texts) else { return false };
        let [was, is, will_be] = [left, today, result].map(|text| standing(&edit, text));
        let went = |change: &usize| !was.back.contains(change) && !will_be.back.contains(change);
        let puts_some = |places: &Places<'_>| back.iter().any(|line| places.after.contains(line));
        let is_undone = || are_undone(known, around.later, puts_some);
        let is_discarded = || {
            !stood_all_along(around.later, today, result)
                && was_discarded(&edit, (around.later, &is_meant), left, today)
        };
        let is_gone = || is_undone() || is_discarded();
        // Where nothing of an edit is left, what cannot be told by the text went with the rest.
        let is_untold = || known.class == RecordClass::Edit && is.in_force.is_empty() && wrote(known, has_word);
        is.back.iter().any(went) || (is_untold() && !makes_whole(&edit, (&back, &will_be), today) && is_gone())
    };
    let before = || around.earlier.iter().rev().filter(|known| !is_meant(&known.id));
    // What comes in place of something has its place of that.
    let nothing_goes = || !more(result, today).into_iter().any(has_word);
    let of_other = before()
        .find(|known| wrote_some(known) && comes_back(known))
        .or_else(|| before().find(|known| nothing_goes() && are_in_its_order(known, around.later, &back, result)))
        .map(|known| (Obstacle::OfOther, known.id.clone()));
    let aside = || {
        let (put, of) = ((left, &back[..]), around.later);
        let aside = before().find(|known| nothing_goes() && would_change_sides(known, of, put, result));
        aside.map(|known| (Obstacle::OutOfOrder, known.id.clone()))
    };
    of_other.or_else(aside).or_else(|| {
        // The edit had taken all of them, so that a record met what was brought back before.
        let nowhere = more(left, result);
        let gone: Vec<&[u8]> = back.iter().copied().filter(|line| has_word(line) && nowhere.contains(line)).collect();
        let taken_away = taken_away(around.later, &gone, today, is_meant);
        taken_away.map(|known| (Obstacle::TakenAway, known.id.clone()))
    })
}

/// Whether lines with words would go, and all of these stood there whenever a record met the file: they went with nothing that somebody took back.
fn stood_all_along(later: &[Arc<Known>], today: &[u8], result: &[u8]) -> bool {
    let goes: Vec<&[u8]> = more(result, today).into_iter().filter(|line| has_word(line)).collect();
    let lack = |text: &[u8]| more(text, today).iter().any(|line| goes.contains(line));
    !goes.is_empty() && !later.iter().any(|known| known.texts.before().is_none_or(lack))
}

/// Whether what comes back makes a change whole, of which another line is there.
fn makes_whole(edit: &Edit<'_>, (back, will_be): (&[&[u8]], &Standing), today: &[u8]) -> bool {
    let has = |line: &[u8]| split_lines(today).any(|other| other.trim_ascii() == line);
    let is_whole = |which: &[usize]| which.iter().all(|change| will_be.in_force.contains(change));
    edit.changes().iter().filter(|(which, _)| is_whole(which)).any(|(_, change)| {
        let put = ChangedLines::of_change(edit, change).put;
        let (returns, stays): (Vec<&[u8]>, Vec<&[u8]>) = put.into_iter().partition(|line| back.contains(line));
        !returns.is_empty() && stays.into_iter().any(|line| has_word(line) && has(line))
    })
}

/// The newest record in force that took some lines away.
fn taken_away<'k>(
    later: &'k [Arc<Known>],
    gone: &[&[u8]],
    today: &[u8],
    is_meant: impl Fn(&RecordId) -> bool,
) -> Option<&'k Arc<Known>> {
    let took_some = |(n, known): &(usize, &Arc<Known>)| match (known.texts.before(), known.texts.after()) {
        (Some(before), Some(after)) => {
            // A record that met one again found that discarded.
            let met = || later.iter().skip(n + 1).filter_map(|later| later.texts.before());
            let is_met = |line: &&[u8]| met().any(|text| more(after, text).contains(line));
            let took = more(after, before);
            took.iter().any(|line| gone.contains(line) && !is_met(line)) && is_in_force(before, after, today)
        }
        _ => false,
    };
    let is_by_the_log = |(_, known): &(usize, &Arc<Known>)| {
        let takes_some = |places: &Places<'_>| gone.iter().any(|line| places.before.contains(line));
        known.class == RecordClass::Edit && !is_meant(&known.id) && !are_undone(known, later, takes_some)
    };
    later.iter().enumerate().rev().filter(is_by_the_log).find(took_some).map(|(_, known)| known)
}

/// Whether the log has all that was done to a file, from one text to another.
fn has_every_step(later: &[Arc<Known>], left: &[u8], today: &[u8]) -> bool {
    let mut last = Some(left);
    for known in later {
        if known.texts.before() != last {
            return false;
        }
        last = known.texts.after();
    }
    last == Some(today)
}

/// Whether lines would come back where a record had moved them, or others past them, that was undone while they were missing: nothing put
/// them in order again then.
fn are_in_its_order(record: &Known, later: &[Arc<Known>], lines: &[&[u8]], result: &[u8]) -> bool {
    let undo = later.iter().rfind(|known| inverts(known, &record.id)).filter(|_| is_inverted(record, later));
    let had = undo.and_then(|undo| undo.texts.before());
    let (Some(had), Some((met, left))) = (had, record.texts.both(&record.file)) else { return false };
    let there: HashSet<&[u8]> = split_lines(had).map(<[u8]>::trim_ascii).collect();
    let mut lines = lines.iter().filter(|line| has_word(line) && !there.contains(**line)).peekable();
    if lines.peek().is_none() {
        return false;
    }
    let [met, left, result] = [met, left, result].map(places_of_words);
    lines.any(|line| {
        let behind = |places: &HashMap<&[u8], usize>, other: &[u8]| Some(places.get(line)? < places.get(other)?);
        result.keys().any(|other| {
            let orders = [&met, &left, &result].map(|places| behind(places, other));
            matches!(orders, [Some(was), Some(is), Some(will_be)] if was != is && will_be == is)
        })
    })
}

/// Whether lines would come back on the other side of one than a record met both, which had taken that one away, and was undone since:
/// nothing that this edit knew of told their order.
fn would_change_sides(record: &Known, later: &[Arc<Known>], (left, lines): (&[u8], &[&[u8]]), result: &[u8]) -> bool {
    if !is_inverted(record, later) {
        return false;
    }
    let Some((met, without)) = record.texts.both(&record.file) else { return false };
    let [taken, new] = [more(without, met), more(left, result)];
    let others: Vec<&[u8]> = new.into_iter().filter(|line| taken.contains(line) && !lines.contains(line)).collect();
    if others.is_empty() {
        return false;
    }
    let [met, result] = [met, result].map(places_of_words);
    let behind =
        |places: &HashMap<&[u8], usize>, line: &[u8], other: &[u8]| Some(places.get(line)? < places.get(other)?);
    lines.iter().any(|line| {
        others.iter().any(|other| {
            let orders = [&met, &result].map(|places| behind(places, line, other));
            matches!(orders, [Some(was), Some(will_be)] if was != will_be)
        })
    })
}

/// Where the lines with words stand that a text has just once.
fn places_of_words(text: &[u8]) -> HashMap<&[u8], usize> {
    let mut places: HashMap<&[u8], Option<usize>> = HashMap::new();
    for (at, line) in split_lines(text).map(<[u8]>::trim_ascii).enumerate().filter(|(_, line)| has_word(line)) {
        places.entry(line).and_modify(|place| *place = None).or_insert(Some(at));
    }
    places.into_iter().filter_map(|(line, at)| Some((line, at?))).collect()
}

/// Whether the undo of a record took out all lines of some that the record had put: then none of them had gone before. Where more of them
/// stood there than an edit since had left, those that this took had come back.
fn went_later(record: &Known, later: &[Arc<Known>], (since, lines): (&[u8], &[&[u8]])) -> bool {
    let mut by = later.iter().filter(|known| inverts(known, &record.id));
    let (Some(undo), None) = (by.next(), by.next()) else { return false };
    let is_its = undo.elsewhere.is_empty() && undo.inverts().all(|id| *id == record.id);
    if !is_its || later.iter().any(|known| inverts(known, &undo.id)) {
        return false;
    }
    let (Some((met, left)), Some((had, has))) = (record.texts.both(&record.file), undo.texts.both(&undo.file)) else {
        return false;
    };
    let count = |text: &[u8], line: &[u8]| split_lines(text).filter(|other| other.trim_ascii() == line).count();
    let put: Vec<&[u8]> = more(met, left).into_iter().filter(|line| lines.contains(line)).collect();
    !put.is_empty()
        && put.iter().all(|line| count(had, line) >= count(has, line) + count(left, line) - count(met, line))
        && put.iter().all(|line| count(had, line) <= count(since, line))
}

/// Whether one record takes back some of another one.
fn inverts(known: &Known, id: &RecordId) -> bool {
    known.inverts().chain(known.elsewhere.iter().map(|(id, _)| id)).any(|one| one == id)
}

/// Whether a line that only an edit put stands in a text; of one that put none, whether all lines that it took are missing.
fn is_in_force(before: &[u8], after: &[u8], text: &[u8]) -> bool {
    let puts_words = more(before, after).into_iter().any(has_word);
    let missing = more(text, before);
    let mut took = more(after, before).into_iter().filter(|line| has_word(line));
    if puts_words { has_own_line(before, after, text) } else { took.all(|line| missing.contains(&line)) }
}

/// Whether something of an edit that was in force in `left` went by no record, at any time since. The newest that are to be taken back
/// as well are taken out of today's text already, or still in it.
fn was_discarded(
    edit: &Edit<'_>,
    (later, is_meant): (&[Arc<Known>], impl Fn(&RecordId) -> bool),
    left: &[u8],
    today: &[u8],
) -> bool {
    let newest_meant = later.iter().rev().take_while(|known| is_meant(&known.id)).last();
    let without = newest_meant.and_then(|known| known.texts.before());
    let mut last = left;
    let mut went = false;
    for (met, after) in later.iter().filter_map(|known| known.texts.both(&known.file)) {
        went |= went_between(edit, last, met);
        last = after;
    }
    went || (went_between(edit, last, today) && without.is_none_or(|without| went_between(edit, without, today)))
}

fn went_between(edit: &Edit<'_>, last: &[u8], met: &[u8]) -> bool {
    last != met && {
        let [was, is] = [last, met].map(|text| standing(edit, text));
        is.in_force.is_empty() && is.back.iter().any(|change| !was.back.contains(change))
    }
}

/// The changes of a record that a text tells of.
struct Standing {
    in_force: BTreeSet<usize>,
    back: BTreeSet<usize>,
}

fn standing(edit: &Edit<'_>, text: &[u8]) -> Standing {
    let answer = answer(edit.clone(), Wanted::All, Direction::TakeBack, &[], text);
    let of = |is_so: fn(&Verdict) -> bool| -> BTreeSet<usize> {
        let so = answer.hunks().iter().filter(|hunk| is_so(&hunk.verdict));
        so.flat_map(|hunk| hunk.changes.iter().copied()).collect()
    };
    // Of a change that is several hunks nothing is in force where it is back.
    let in_force = of(|verdict| matches!(verdict, Verdict::Write(_)));
    Standing { back: &of(|verdict| *verdict == Verdict::AlreadyDone) - &in_force, in_force }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::undo::remade::tests::{edit_of, id, known};
    use crate::record::SpliceList;
    use crate::strategy::Strategy;

    const OUT: [&str; 2] = ["a\nmine\n", "a\n"];

    #[test]
    fn what_goes_stood_all_along_only_where_each_later_record_is_known_to_have_met_it() {
        let is_so = |later: &[Arc<Known>], result: &str| stood_all_along(later, b"a\ntheirs\n", result.as_bytes());
        let met = |text: &'static str| known(5, RecordClass::Edit, &[], [text, "a\ntheirs\n"]);
        assert!(is_so(&[], "a\nmine\n") && is_so(&[met("theirs\n")], "a\nmine\n"));
        assert!(!is_so(&[met("a\n")], "a\nmine\n"), "it was gone");
        assert!(!is_so(&[], "a\ntheirs\nmine\n"), "nothing goes");
        let not_kept = Known {
            texts: crate::record::RecordedTexts::default(),
            ..Arc::into_inner(met("theirs\n")).expect("one owner")
        };
        assert!(!is_so(&[Arc::new(not_kept)], "a\nmine\n"));
    }

    /// Whether the undo of record 1 took out all of some lines, that this had put between two texts.
    fn went(put: [&str; 2], later: &[Arc<Known>], lines: &[&str]) -> bool {
        let lines: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
        went_later(&known(1, RecordClass::Edit, &[], put), later, (put[1].as_bytes(), &lines))
    }

    #[test]
    fn lines_went_by_the_one_undo_of_their_record_alone() {
        let put = ["a\n", "a\nmine\n"];
        let undo = || known(2, RecordClass::Undo, &[1], OUT);
        let other = || known(5, RecordClass::Edit, &[], ["a\nmine\n", "a\nmine\n"]);
        assert!(went(put, &[undo()], &["mine"]));
        assert!(went(put, &[other(), undo()], &["mine"]));
        assert!(!went(put, &[other()], &["mine"]));
        assert!(!went(put, &[undo()], &["a"]), "a line that it did not put");
        assert!(!went(put, &[undo(), known(3, RecordClass::Undo, &[1], OUT)], &["mine"]), "two undos");
        assert!(!went(put, &[undo(), known(3, RecordClass::Redo, &[2], put)], &["mine"]), "redone");
        assert!(!went(put, &[known(2, RecordClass::Undo, &[1, 4], OUT)], &["mine"]), "an undo of others as well");
        let mut of_another_file = Arc::into_inner(undo()).expect("one owner");
        of_another_file.elsewhere.push((id(4), 0));
        assert!(!went(put, &[Arc::new(of_another_file)], &["mine"]));
    }

    #[test]
    fn a_line_has_its_place_of_a_record_that_was_undone_while_it_was_missing() {
        let moved = || known(1, RecordClass::Edit, &[], ["a\nmine\nb\nc\n", "a\nb\nmine\nc\n"]);
        let undo = |met: &str| known(3, RecordClass::Undo, &[1], [met, met]);
        let is = |later: &[Arc<Known>], result: &str| are_in_its_order(&moved(), later, &[b"mine"], result.as_bytes());
        let back = "a\nb\nmine\nc\n";
        assert!(is(&[undo("a\nb\nc\n")], back));
        assert!(!is(&[undo("a\nb\nc\n")], "a\nmine\nb\nc\n"), "where it was before the record");
        assert!(!is(&[undo("a\nb\nmine\nc\n")], back), "the undo met it");
        assert!(!is(&[], back), "nobody undid the record");
        let redone = known(4, RecordClass::Redo, &[3], [back, back]);
        assert!(!is(&[undo("a\nb\nc\n"), redone], back));
        assert!(!is(&[undo("a\nb\nc\n")], "a\nb\nmine\nb\nc\n"), "equal lines are in no order");
        assert!(!is(&[undo("a\nc\n")], "a\nmine\nc\n"), "what it moved past is gone");
        let is_bracket = are_in_its_order(
            &known(1, RecordClass::Edit, &[], ["}\nb\n", "b\n}\n"]),
            &[undo("b\n")],
            &[b"}"],
            b"b\n}\n",
        );
        assert!(!is_bracket);
    }

    #[test]
    fn a_line_changes_sides_with_one_that_an_undone_record_had_taken() {
        let took = || known(1, RecordClass::Edit, &[], ["a\nmine\nb\n", "mine\nx\nb\n"]);
        let undo = || known(3, RecordClass::Undo, &[1], ["x\nb\n", "a\nb\n"]);
        let is = |later: &[Arc<Known>], left: &str, result: &str| {
            would_change_sides(&took(), later, (left.as_bytes(), &[b"mine"]), result.as_bytes())
        };
        assert!(is(&[undo()], "x\nb\n", "mine\na\nb\n"));
        assert!(!is(&[undo()], "x\nb\n", "a\nmine\nb\n"), "as it was");
        assert!(!is(&[], "x\nb\n", "mine\na\nb\n"), "the record is in force");
        assert!(!is(&[undo()], "a\nx\nb\n", "mine\na\nb\n"), "the edit had left the other one");
        assert!(!is(&[undo()], "x\nb\n", "mine\na\nmine\nb\n"), "equal lines are in no order");
    }

    #[test]
    fn lines_that_were_gone_before_did_not_go_by_the_undo() {
        let undo = || known(2, RecordClass::Undo, &[1], OUT);
        assert!(!went(["a\n", "a\nmine\nmine\n"], &[undo()], &["mine"]));
        assert!(went(["a\n", "a\nmine\nother\n"], &[undo()], &["mine"]));
        assert!(!went(["a\n", "a\nmine\nother\n"], &[undo()], &["mine", "other"]));
    }

    #[test]
    fn an_edit_is_in_force_where_a_line_of_it_stands_or_all_that_it_took_are_missing() {
        let is =
            |before: &str, after: &str, text: &str| is_in_force(before.as_bytes(), after.as_bytes(), text.as_bytes());
        assert!(is("a\n", "a\nmine\n", "a\nmine\n") && !is("a\n", "a\nmine\n", "a\n"));
        assert!(!is("a\n", "a\nmine\n}\n", "a\n"));
        assert!(is("a\nb\n", "a\n", "a\n") && !is("a\nb\n", "a\n", "a\nb\n"));
        assert!(is("a\nb\n}\n", "a\n", "a\n}\n"), "a bracket tells nothing");
        assert!(!is("a\nb\nc\n", "a\n", "a\nc\n"));
    }

    #[test]
    fn an_edit_goes_where_it_was_in_force_and_not_where_it_was_gone_before() {
        let record = edit_of(["a\nb\n", "a\nmine\nb\n"]);
        let edit = record.file.edit(&record.texts).expect("its texts are kept");
        let goes = |last: &str, met: &str| went_between(&edit, last.as_bytes(), met.as_bytes());
        assert!(goes("a\nmine\nb\n", "a\nb\n"));
        assert!(!goes("a\nb\n", "a\nb\nmore\n"));
        assert!(!goes("a\nmine\nb\n", "a\nmine\nb\nmore\n"));
    }

    /// Record `n`, of the lines that differ, that inverts some others.
    fn done(n: u8, class: RecordClass, inverts: &[u8], texts: [&str; 2]) -> Arc<Known> {
        let mut done = Arc::into_inner(edit_of(texts)).expect("one owner");
        let like = known(n, class, inverts, texts);
        (done.id, done.class, done.targets) = (like.id.clone(), class, like.targets.clone());
        Arc::new(done)
    }

    fn edited(n: u8, texts: [&str; 2]) -> Arc<Known> {
        done(n, RecordClass::Edit, &[], texts)
    }

    /// Where neither text differs, nothing stood of what is undone.
    fn undone(n: u8, inverted: u8, texts: [&str; 2]) -> Arc<Known> {
        done(n, RecordClass::Undo, &[inverted], texts)
    }

    /// What speaks against bringing back what an edit took that left the first of three texts; the second is today's, the third what would be.
    fn against(
        earlier: &[Arc<Known>],
        later: &[Arc<Known>],
        [left, today, result]: [&str; 3],
        meant: &[u8],
    ) -> Option<(Obstacle, RecordId)> {
        let is_meant = |of: &RecordId| meant.iter().any(|n| id(*n) == *of);
        revived(Around { earlier, later }, left.as_bytes(), (today.as_bytes(), result.as_bytes()), is_meant)
    }

    const WROTE: [&str; 2] = ["a\nb\n", "a\nmine\nb\n"];
    const AB: [&str; 2] = ["a\nb\n", "a\nb\n"];

    #[test]
    fn lines_do_not_come_back_of_a_record_that_was_undone_since() {
        let of_first = Some((Obstacle::OfOther, id(1)));
        let first = || edited(1, WROTE);
        assert_eq!(against(&[first()], &[undone(3, 1, AB)], [AB[0], AB[0], WROTE[1]], &[]), of_first);
        // What another one did since is beside that.
        let more = edited(4, ["a\nb\n", "a\nb\nmore\n"]);
        let texts = [AB[0], "a\nb\nmore\n", "a\nmine\nb\nmore\n"];
        assert_eq!(against(&[first()], &[undone(3, 1, AB), more], texts, &[]), of_first);
        // Somebody put the file back as the edit left it; not where a record left it so.
        let (more, back) = (["a\nb\n", "a\nb\nmore\n"], ["a\nb\nmore\n", "a\nb\nmore\n"]);
        let texts = [AB[0], AB[0], WROTE[1]];
        assert_eq!(against(&[first()], &[edited(4, more), undone(3, 1, back)], texts, &[]), None);
        assert_eq!(against(&[first()], &[undone(3, 1, AB), edited(4, more)], texts, &[]), of_first);
        // It is in force, or to be taken back as well, or the file is as it met it.
        assert_eq!(against(&[first()], &[edited(4, AB)], texts, &[]), None);
        assert_eq!(against(&[first()], &[undone(3, 1, AB)], texts, &[1]), None);
        let second = edited(1, ["mine\n", "mine\nmine\n"]);
        assert_eq!(against(&[second], &[undone(3, 1, ["", ""])], ["", "", "mine\n"], &[]), None);
        // What comes back makes it whole, of which a line is there: somebody brought that back.
        let two = ["a\nb\n", "a\nmine\nmore\nb\n"];
        let around = |today: &'static str| {
            let texts = ["a\nown\nmore\nb\n", today, "a\nmine\nmore\nb\nc\n"];
            against(&[edited(1, two)], &[undone(3, 1, ["a\nown\nmore\nb\n", "a\nb\n"])], texts, &[])
        };
        assert_eq!([around("a\nown\nmore\nb\nc\n"), around("a\nown\nb\nc\n")], [None, of_first]);
        // An undo that brought it back is no edit of somebody's.
        let again = done(1, RecordClass::Undo, &[9], WROTE);
        assert_eq!(against(&[again], &[undone(3, 1, AB)], texts, &[]), None);
        // One that wrote none of the lines says nothing of them.
        let removed = edited(1, ["a\nx\nb\n", "a\nb\n"]);
        let texts = ["a\nb\n", "a\nx\nb\n", "a\nk\nb\n"];
        assert_eq!(against(&[removed], &[undone(3, 1, ["a\nb\n", "a\nx\nb\n"])], texts, &[]), None);
    }

    #[test]
    fn lines_do_not_come_back_that_a_later_edit_took_away_again() {
        let taken = Some((Obstacle::TakenAway, id(3)));
        let took = || edited(3, ["a\nmine\nb\n", "a\nnew\nb\n"]);
        let texts = ["a\nb\n", "a\nnew\nb\n", "a\nmine\nnew\nb\n"];
        assert_eq!(against(&[], &[took()], texts, &[]), taken);
        assert_eq!(against(&[], &[took()], texts, &[3]), None);
        let undo = undone(5, 3, ["a\nnew\nb\n", "a\nnew\nb\n"]);
        assert_eq!(against(&[], &[took(), undo], texts, &[]), None);
        // Another one behind it met the line, or did not.
        let behind = |met: &str| edited(4, [met, &format!("{met}z\n")]);
        assert_eq!(against(&[], &[took(), behind("a\nnew\nb\n")], texts, &[]), taken);
        assert_eq!(against(&[], &[took(), behind("a\nmine\nnew\nb\n")], texts, &[]), None);
        // The edit had left the line, and a bracket is nobody's.
        let texts = ["a\nmine\nb\n", "a\nnew\nb\n", "a\nmine\nx\nb\n"];
        assert_eq!(against(&[], &[took()], texts, &[]), None);
        let bracket = edited(3, ["a\n}\nb\n", "a\nnew\nb\n"]);
        assert_eq!(against(&[], &[bracket], ["a\nb\n", "a\nnew\nb\n", "a\n}\nnew\nb\n"], &[]), None);
    }

    #[test]
    fn an_edit_was_discarded_that_went_by_no_record_whichever_are_to_be_taken_back_as_well() {
        let record = edited(1, WROTE);
        let edit = record.file.edit(&record.texts).expect("its texts are kept");
        let was = |later: &[Arc<Known>], left: &str, today: &str, meant: &[u8]| {
            let is_meant = |of: &RecordId| meant.iter().any(|n| id(*n) == *of);
            was_discarded(&edit, (later, is_meant), left.as_bytes(), today.as_bytes())
        };
        let [out, put] = WROTE;
        assert!(was(&[], put, out, &[]) && !was(&[], out, out, &[]) && !was(&[], put, put, &[]));
        // The newest that is meant wrote it again, and is taken out of today's text already.
        let again = || edited(3, WROTE);
        assert!(was(&[again()], out, out, &[]) && !was(&[again()], out, out, &[3]));
        // It met it.
        let beside = edited(3, ["a\nmine\nb\nk\n", put]);
        assert!(was(&[beside], "a\nmine\nb\nk\n", out, &[3]));
    }

    #[test]
    fn an_edit_of_which_one_change_is_in_force_went_nowhere() {
        let mut record = Arc::into_inner(edited(1, ["a\nb\nc\n", "a\nmine\nb\nother\nc\n"])).expect("one owner");
        let rows = [(2, 0, 5, 0, Strategy::Exact), (4, 0, 6, 0, Strategy::Exact)];
        record.file.splices = SpliceList::new(6, &rows).expect("in order");
        let edit = record.file.edit(&record.texts).expect("its texts are kept");
        let goes = |met: &str| went_between(&edit, b"a\nmine\nb\nother\nc\n", met.as_bytes());
        assert!(goes("a\nb\nc\n") && !goes("a\nmine\nb\nc\n"));
    }
}
