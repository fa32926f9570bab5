//! What of a record was taken back by somebody and done again by another record: that one's it is now, not this one's.
//!
//! Owns that question, which only the log answers: in the file both look the same.
//! Invariant: a part is called another record's only where that record is in force by the log, found the part taken back, and
//! left it in force.

use super::changed_lines::ChangedLines;
use super::log::Known;
use super::newest_word::{inverted, is_inverted, since_undone};
use super::untouched::{stands_in, untouched_in};
use crate::id::{BlobId, RecordId};
use crate::patch::take_back::{Direction, Edit, Outcome, Verdict, Wanted, answer};
use crate::record::RecordClass;
use crate::text::has_word;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Parts of a record that others did again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Remade {
    /// Oldest first, not empty.
    again: Vec<Again>,
}

/// Parts of a record that one did again.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Again {
    changes: BTreeSet<usize>,
    /// Which did it.
    done: RecordId,
    /// Whose it was first, where that is a redo.
    by: RecordId,
}

impl Remade {
    /// All of these parts.
    pub(super) fn changes(&self) -> BTreeSet<usize> {
        self.again.iter().flat_map(|again| &again.changes).copied().collect()
    }

    /// Whose the newest of them is.
    pub(super) fn by(&self) -> Option<&RecordId> {
        self.again.last().map(|again| &again.by)
    }

    /// Whether what those did who did it again, of these records of the file, is taken back in a text.
    pub(super) fn is_gone(&self, known: &[Arc<Known>], text: &[u8]) -> bool {
        let is_taken_back = |again: &Again| {
            let at = known.iter().position(|known| known.id == again.done);
            let Some((doer, later)) = at.and_then(|at| known[at..].split_first()) else { return false };
            let later: Vec<Edit<'_>> = later.iter().filter_map(|known| known.file.edit(&known.texts)).collect();
            doer.file.edit(&doer.texts).is_some_and(|edit| {
                let answer = answer(edit, Wanted::All, Direction::TakeBack, &later, text);
                matches!(answer.outcome(), Outcome::AlreadyDone)
            })
        };
        self.again.iter().all(is_taken_back)
    }

    /// What of it is still so where `later` has more than when it was found: what a run took back of the newest, say.
    pub(super) fn still(&self, later: &[Arc<Known>]) -> Option<Self> {
        let done = |again: &Again| later.iter().find(|known| known.id == again.done);
        let is_so = |again: &&Again| done(again).is_none_or(|known| !is_inverted(known, later));
        let again: Vec<Again> = self.again.iter().filter(is_so).cloned().collect();
        (!again.is_empty()).then_some(Self { again })
    }
}

/// Whether others did a record again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum DoneAgain {
    /// None did.
    #[default]
    Never,
    /// These parts of it, and they are in force.
    Since(Remade),
    /// Some did, and that is gone from the file.
    Gone,
}

impl DoneAgain {
    /// What others did of it, where they did.
    pub(super) fn by(remade: Option<Remade>) -> Self {
        remade.map_or(Self::Never, Self::Since)
    }

    /// What is in force of that.
    pub(super) fn since(&self) -> Option<&Remade> {
        match self {
            Self::Since(remade) => Some(remade),
            Self::Never | Self::Gone => None,
        }
    }

    /// Whether some of it is in force.
    pub(super) fn is_so(&self) -> bool {
        matches!(self, Self::Since(_))
    }

    /// Whether some did, also where that is gone.
    pub(super) fn was_so(&self) -> bool {
        !matches!(self, Self::Never)
    }

    /// Forgets what was in force of it.
    pub(super) fn forget(&mut self) -> Option<Remade> {
        match std::mem::replace(self, Self::Gone) {
            Self::Since(remade) => Some(remade),
            other @ (Self::Never | Self::Gone) => {
                *self = other;
                None
            }
        }
    }
}

/// Whether the log has one record after another.
pub(super) type IsNewer<'a> = &'a dyn Fn(&RecordId, &RecordId) -> bool;

/// What the log has of a file after a record.
#[derive(Clone, Copy)]
pub(super) struct Later<'k> {
    /// The records that changed it, oldest first.
    pub(super) known: &'k [Arc<Known>],
    pub(super) is_newer: IsNewer<'k>,
}

/// An edit, and the blob that it left.
#[derive(Clone, Copy)]
pub(super) struct Done<'e, 't> {
    pub(super) edit: &'e Edit<'t>,
    pub(super) left: Option<BlobId>,
}

/// What of an edit the records after it did again; `own` is the record with the file.
pub(super) fn remade(
    Done { edit, left }: Done<'_, '_>,
    wanted: Wanted<'_>,
    own: (&RecordId, usize),
    later: Later<'_>,
) -> Option<Remade> {
    let mut again = Vec::new();
    // Where it stood untouched nobody did it again: of hundreds of edits of one file each would be proven in each other's texts.
    let untouched = untouched_in(edit, left, later.known);
    for (n, known) in later.known.iter().enumerate().skip(untouched) {
        let is_own = is_redo_of(own.0, known, later.known);
        if !is_own && !does_again(own, later, known) {
            continue;
        }
        let Some((before, after)) = known.texts.both(&known.file).filter(|(before, _)| !stands_in(edit, before)) else {
            continue;
        };
        let judged = |text: &[u8]| {
            let answer = answer(edit.clone(), wanted, Direction::TakeBack, &[], text);
            // A change that is several hunks is as all of them are.
            let of = |is_so: fn(&Verdict) -> bool| {
                let (mut so, mut not): (BTreeSet<usize>, BTreeSet<usize>) = (BTreeSet::new(), BTreeSet::new());
                for hunk in answer.hunks() {
                    if is_so(&hunk.verdict) { so.extend(&hunk.changes) } else { not.extend(&hunk.changes) }
                }
                &so - &not
            };
            (of(|verdict| *verdict == Verdict::AlreadyDone), of(|verdict| matches!(verdict, Verdict::Write(_))))
        };
        let (mut taken_back, was_in_force) = judged(before);
        let since = since_undone(own.0, &later.known[..n]).and_then(|since| unlogged(since, before));
        let alike = made_alike(edit, known, before, since.as_deref());
        taken_back.extend(alike.difference(&was_in_force));
        if taken_back.is_empty() {
            continue;
        }
        let (_, in_force) = judged(after);
        let mut changes: BTreeSet<usize> = taken_back.intersection(&in_force).copied().collect();
        if is_own {
            // What others had done of it was gone again, and this is the record's own.
            again.iter_mut().for_each(|again: &mut Again| again.changes.retain(|change| !changes.contains(change)));
            continue;
        }
        // A redo brings back what was there before the undo: that is nobody's anew.
        for undo in later
            .known
            .iter()
            .filter(|undo| known.class == RecordClass::Redo && known.inverts().any(|id| *id == undo.id))
        {
            let had = undo.texts.before().map(|before| judged(before).1).unwrap_or_default();
            changes.retain(|change| !had.contains(change));
        }
        if !changes.is_empty() {
            again.push(Again { changes, done: known.id.clone(), by: maker(known, later.known).clone() });
        }
    }
    again.retain(|again| !again.changes.is_empty());
    (!again.is_empty()).then_some(Remade { again })
}

/// Whether a record brings back another one that was undone.
pub(super) fn is_redo_of(own: &RecordId, known: &Known, later: &[Arc<Known>]) -> bool {
    let later: Vec<&Known> = later.iter().map(Arc::as_ref).collect();
    known.class == RecordClass::Redo && inverted(known.inverts().collect(), &later).contains(&own)
}

/// What became of a file without a record from what the first of some left up to a text: each from one text to the next one; none where what
/// that one left is not kept.
fn unlogged<'t>(since: &'t [Arc<Known>], met: &'t [u8]) -> Option<Vec<[&'t [u8]; 2]>> {
    let first = since.first()?;
    first.texts.both(&first.file)?;
    let logged = since.iter().filter(|known| known.class != RecordClass::External);
    let texts: Vec<_> = logged.filter_map(|known| known.texts.both(&known.file)).collect();
    let next = texts.iter().skip(1).map(|(before, _)| *before).chain([met]);
    Some(texts.iter().zip(next).map(|((_, after), next)| [*after, next]).collect())
}

/// The changes of an edit that a record made alike, in a text that had no more of them by its lines than the one before the edit, or to which
/// none came without a record since the log has it undone: where the text around their place is another one, nothing else tells whether they were
/// still there. Of a line that the edit moved no record did the half of it again that took or put one like it, nor is it told who did what a
/// change does to white space as well.
fn made_alike(edit: &Edit<'_>, known: &Known, met: &[u8], since_undone: Option<&[[&[u8]; 2]]>) -> BTreeSet<usize> {
    let Some(by) = known.file.edit(&known.texts) else { return BTreeSet::new() };
    let made: Vec<ChangedLines<'_>> =
        by.changes().iter().map(|(_, change)| ChangedLines::of_change(&by, change)).collect();
    let all = ChangedLines::of(edit);
    let is_moved = |line: &&[u8]| has_word(line) && all.put.contains(line) && all.took.contains(line);
    let (mut alike, mut others) = (BTreeSet::new(), BTreeSet::new());
    for (which, change) in edit.changes() {
        let own = ChangedLines::of_change(edit, change);
        let has_lines = !(own.put.is_empty() && own.took.is_empty());
        let is_alike = has_lines
            && !ChangedLines::change_blanks_too(edit, change)
            && !own.put.iter().chain(&own.took).any(is_moved)
            && made.iter().any(|made| own.are_in(made))
            && (own.are_as_before(edit.before(), met)
                || since_undone.is_some_and(|since| since.iter().all(|[from, to]| own.are_as_before(from, to))));
        if is_alike { alike.extend(which) } else { others.extend(which) }
    }
    &alike - &others
}

/// The records after one that may have done again what it did to a file, and are not undone themselves, oldest first.
pub(super) fn may_have_done_again<'k>(own: (&'k RecordId, usize), later: Later<'k>) -> impl Iterator<Item = &'k Known> {
    let may = move |known: &&Known| does_again(own, later, known);
    later.known.iter().map(Arc::as_ref).filter(may)
}

fn does_again(own: (&RecordId, usize), later: Later<'_>, known: &Known) -> bool {
    // None inverts one that is newer.
    may_do_again(own, later, known) && !is_inverted(known, later.known)
}

/// A redo of it, and the undo of what came later, bring a record's own effect back; so does a restored file. An edit does it
/// anew, and so does the undo of what came before, and the redo of another record.
fn may_do_again((own, file): (&RecordId, usize), later: Later<'_>, known: &Known) -> bool {
    let Later { known: later, is_newer } = later;
    match known.class {
        RecordClass::Edit => true,
        RecordClass::Undo => {
            // One that removed the file, or made it, is not among those that changed it.
            let is_later = |id: &RecordId| id == own || later.iter().any(|known| known.id == *id) || is_newer(id, own);
            !known.targets.is_empty() && !known.inverts().any(is_later)
        }
        RecordClass::Redo => {
            let later: Vec<&Known> = later.iter().map(Arc::as_ref).collect();
            let inverted = inverted(known.inverts().collect(), &later);
            let is_own = |(id, n): &(RecordId, usize)| id == own && *n == file;
            let of_inverted = later.iter().filter(|known| inverted.contains(&&known.id));
            !inverted.contains(&own) && !of_inverted.flat_map(|known| &known.elsewhere).any(is_own)
        }
        RecordClass::External => false,
    }
}

/// The record that a redo brought back, or the record itself. Of an undo between them that is older nothing is known, and what it took
/// back is not what it is called by.
pub(super) fn maker<'k>(known: &'k Known, later: &'k [Arc<Known>]) -> &'k RecordId {
    let inverted_by = |known: &'k Known| known.targets.last().map(|target| &target.id);
    let of = |id: &RecordId| later.iter().map(Arc::as_ref).find(|known| known.id == *id);
    let (mut maker, mut redo) = (&known.id, Some(known).filter(|known| known.class == RecordClass::Redo));
    while let Some(made) = redo.and_then(inverted_by).and_then(of).and_then(inverted_by) {
        (maker, redo) = (made, of(made).filter(|known| known.class == RecordClass::Redo));
    }
    maker
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::git::blob_id;
    use crate::history::undo::newest_word::is_undone_in_part;
    use crate::record::file_of_record::tests::record;
    use crate::record::{RecordFile, RecordedTexts, SpliceList, Target};
    use crate::strategy::Strategy;

    pub(in super::super) fn id(n: u8) -> RecordId {
        RecordId::from_random([n; 8])
    }

    /// Record `n`, that inverts some others and leads from one text to another.
    pub(in super::super) fn known(n: u8, class: RecordClass, inverts: &[u8], [before, after]: [&str; 2]) -> Arc<Known> {
        let rows = [(0, before.len(), after.len(), 0, Strategy::Exact)];
        let file = RecordFile {
            before: Some(blob_id(before.as_bytes())),
            after: Some(blob_id(after.as_bytes())),
            encoding: None,
            splices: SpliceList::new(before.len(), &rows).expect("in order"),
            ..record(n, "f").files.remove(0)
        };
        let texts = RecordedTexts::new(&file, Some(before.into()), Some(after.into())).expect("its texts");
        let target = |n: &u8| Target { id: id(*n), file: 0, splices: None, is_cancelled: false, was_gone: false };
        let targets = inverts.iter().map(target).collect();
        Arc::new(Known { id: id(n), class, targets, elsewhere: Vec::new(), written_at: None, file, texts })
    }

    /// An edit that leads from one text to the other, of the lines that differ as a whole.
    pub(in super::super) fn edit_of([before, after]: [&str; 2]) -> Arc<Known> {
        let mut known = Arc::into_inner(known(7, RecordClass::Edit, &[], [before, after])).expect("one owner");
        let (old, new): (Vec<&str>, Vec<&str>) =
            (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
        let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        let rest = old[same..].iter().rev().zip(new[same..].iter().rev()).take_while(|(old, new)| old == new).count();
        let len = |lines: &[&str]| lines.concat().len();
        let changed = |lines: &[&str]| len(&lines[same..lines.len() - rest]);
        let rows = [(len(&old[..same]), changed(&old), changed(&new), 0, Strategy::Exact)];
        known.file.splices = SpliceList::new(before.len(), &rows).expect("in order");
        Arc::new(known)
    }

    const OUT: [&str; 2] = ["a\nmine\nb\n", "a\nb\n"];
    const IN: [&str; 2] = ["a\nb\n", "a\nmine\nb\n"];

    #[test]
    fn an_undo_does_a_record_anew_only_where_all_that_it_inverts_is_older() {
        let own = id(1);
        let later = [known(3, RecordClass::Edit, &[], OUT), known(8, RecordClass::Edit, &[], OUT)];
        let is_newer = |one: &RecordId, _: &RecordId| *one == id(4);
        let does = |inverts: &[u8]| {
            let undo = known(9, RecordClass::Undo, inverts, IN);
            may_do_again((&own, 0), Later { known: &later, is_newer: &is_newer }, &undo)
        };
        assert!(does(&[2]));
        assert!(!does(&[]), "it inverts nothing of this file");
        for (n, why) in [(1, "the record itself"), (3, "one that changed the file"), (4, "one that removed it, say")] {
            assert!(!does(&[n]) && !does(&[2, n]), "{why}");
        }
    }

    #[test]
    fn a_redo_does_anew_what_the_file_had_not_before_the_undo_that_it_inverts() {
        let by = |undone: [&str; 2]| {
            let later = [
                known(3, RecordClass::Edit, &[], OUT),
                known(4, RecordClass::Undo, &[2], undone),
                known(5, RecordClass::Redo, &[4], IN),
            ];
            let own = known(1, RecordClass::Edit, &[], IN);
            let edit = own.file.edit(&own.texts).expect("its texts are kept");
            let later = Later { known: &later, is_newer: &|_, _| false };
            remade(Done { edit: &edit, left: own.file.after }, Wanted::All, (&id(1), 0), later)
                .map(|remade| remade.changes())
        };
        // Who took it out, the edit before, says nothing of it.
        assert_eq!(by(["a\nb\n", "a\nb\nc\n"]), Some(BTreeSet::from([0])));
        assert_eq!(by(OUT), None);
    }

    #[test]
    fn a_redo_of_an_undo_that_took_the_record_back_in_another_file_does_not_do_it_anew() {
        let own = id(1);
        let does = |elsewhere: (RecordId, usize)| {
            let mut undo = Arc::into_inner(known(4, RecordClass::Undo, &[2], OUT)).expect("one owner");
            undo.elsewhere.push(elsewhere);
            let later = [Arc::new(undo)];
            let redo = known(5, RecordClass::Redo, &[4], IN);
            may_do_again((&own, 0), Later { known: &later, is_newer: &|_, _| false }, &redo)
        };
        assert!(!does((id(1), 0)));
        assert!(does((id(1), 1)), "of another file of it");
        assert!(does((id(3), 0)), "of another record");
    }

    #[test]
    fn what_did_a_record_again_and_is_undone_since_did_it_not() {
        let own = known(1, RecordClass::Edit, &[], IN);
        let edit = own.file.edit(&own.texts).expect("its texts are kept");
        let mut later = vec![
            known(3, RecordClass::Edit, &[], OUT),
            known(4, RecordClass::Edit, &[], IN),
            known(5, RecordClass::Edit, &[], OUT),
            known(6, RecordClass::Edit, &[], IN),
        ];
        let found = remade(
            Done { edit: &edit, left: own.file.after },
            Wanted::All,
            (&id(1), 0),
            Later { known: &later, is_newer: &|_, _| false },
        );
        let found = found.expect("it was done again twice");
        assert_eq!(found.still(&[]).and_then(|remade| remade.by().cloned()), Some(id(6)), "nothing speaks against it");
        let mut by = |undo: u8, of: u8| {
            later.push(known(undo, RecordClass::Undo, &[of], OUT));
            found.still(&later).and_then(|remade| remade.by().cloned())
        };
        assert_eq!(by(7, 3), Some(id(6)), "another one");
        assert_eq!(by(8, 6), Some(id(4)));
        assert_eq!(by(9, 4), None);
    }

    #[test]
    fn what_was_redone_again_and_again_is_of_who_did_it_first() {
        let later = [
            known(1, RecordClass::Edit, &[], IN),
            known(2, RecordClass::Undo, &[1], OUT),
            known(3, RecordClass::Redo, &[2], IN),
            known(4, RecordClass::Undo, &[3], OUT),
            known(5, RecordClass::Redo, &[4], IN),
        ];
        let makers: Vec<&RecordId> = later.iter().map(|known| maker(known, &later)).collect();
        assert_eq!(makers, [&id(1), &id(2), &id(1), &id(4), &id(1)]);
        // Of the undo between them nothing is known.
        assert_eq!(maker(&later[4], &later[..3]), &id(5));
        assert_eq!(maker(&later[4], &later[1..]), &id(1));
    }

    /// Whether the records after an edit did it again.
    fn is_remade(later: &[Arc<Known>]) -> bool {
        let own = known(1, RecordClass::Edit, &[], IN);
        let edit = own.file.edit(&own.texts).expect("its texts are kept");
        let done = Done { edit: &edit, left: own.file.after };
        remade(done, Wanted::All, (&id(1), 0), Later { known: later, is_newer: &|_, _| false }).is_some()
    }

    /// Seen: what a later record had put went for the first one's, where somebody had taken that out and changed what stands around it.
    #[test]
    fn who_did_the_like_where_no_more_of_it_was_did_it_again_also_where_the_text_around_is_another_one() {
        let own = edit_of(["a\nmine\n}\n\nold\n", "a\nmine\nmine\n}\n\nold\n"]);
        let edit = own.file.edit(&own.texts).expect("its texts are kept");
        let is_remade = |texts: [&str; 2]| {
            let done = Done { edit: &edit, left: own.file.after };
            let later = [edit_of(texts)];
            remade(done, Wanted::All, (&id(1), 0), Later { known: &later, is_newer: &|_, _| false }).is_some()
        };
        assert!(is_remade(["a\nmine\n}\n\n\nnew\n", "a\nmine\nmine\n}\n\n\nnew\n"]));
        assert!(!is_remade(["a\nmine\nmine\n}\n\n\nnew\n", "a\nmine\nmine\nmine\n}\n\n\nnew\n"]), "it stood there");
        assert!(!is_remade(["a\nmine\n}\n\n\nnew\n", "a\nmine\n}\n\n\nnewer\n"]), "it did something else");
    }

    #[test]
    fn what_came_without_a_record_is_told_only_where_what_was_left_first_is_kept() {
        let undo = known(2, RecordClass::Undo, &[1], OUT);
        let seen = known(3, RecordClass::External, &[], ["a\nb\n", "a\nb\nc\n"]);
        let next = known(4, RecordClass::Edit, &[], ["a\nb\nc\n", "a\n"]);
        let lost = |known: &Arc<Known>| {
            let Known { id, class, targets, file, .. } = &**known;
            let (id, class, targets, file) = (id.clone(), *class, targets.clone(), file.clone());
            Arc::new(Known {
                id,
                class,
                targets,
                file,
                elsewhere: Vec::new(),
                written_at: None,
                texts: RecordedTexts::default(),
            })
        };
        let told = |since: &[Arc<Known>]| {
            unlogged(since, b"a\nd\n").map(|gaps| gaps.iter().map(|pair| pair.map(<[u8]>::len)).collect::<Vec<_>>())
        };
        // What others did and redraft only saw has no record of its own.
        assert_eq!(told(&[undo.clone(), seen, next.clone()]), Some(vec![[4, 6], [2, 4]]));
        assert_eq!(told(&[undo.clone(), lost(&next)]), Some(vec![[4, 4]]), "it is as if nobody had recorded it");
        assert_eq!(told(&[lost(&undo), next]), None);
        assert_eq!(told(&[]), None);
    }

    #[test]
    fn alike_are_the_changes_that_put_and_took_the_same_lines() {
        let (before, after) = ("a\nb\nc\nd\ne\n", "a\nb\nmine\nc\n  d\ne\n");
        let mut own = Arc::into_inner(edit_of([before, after])).expect("one owner");
        let rows = [(4, 0, 5, 0, Strategy::Exact), (6, 1, 3, 0, Strategy::Exact)];
        own.file.splices = SpliceList::new(before.len(), &rows).expect("in order");
        let edit = own.file.edit(&own.texts).expect("its texts are kept");
        let alike = |texts: [&str; 2]| {
            let found: Vec<usize> = made_alike(&edit, &edit_of(texts), texts[0].as_bytes(), None).into_iter().collect();
            found
        };
        assert_eq!(alike(["x\n", "x\nmine\n"]), [0]);
        assert_eq!(alike(["x\n", "x\nmine\nmore\n"]), [0], "and more of it");
        assert_eq!(alike(["x\n", "x\nother\n"]), [0; 0], "another line");
        assert_eq!(alike(["mine\n", "mine\nmine\n"]), [0; 0], "there was one more than before");
        // White space alone is no line.
        assert_eq!(alike(["x\n", "  x\n"]), [0; 0]);
        let unknown = Arc::new(Known {
            texts: RecordedTexts::default(),
            ..Arc::into_inner(edit_of(["x\n", "x\nmine\n"])).expect("one owner")
        });
        assert!(made_alike(&edit, &unknown, b"x\n", None).is_empty());
    }

    #[test]
    fn nothing_does_a_record_again_that_was_undone_itself_or_that_brings_its_own_effect_back() {
        let (edit, undo, redo) = (RecordClass::Edit, RecordClass::Undo, RecordClass::Redo);
        let [taken_out, again] = [known(3, edit, &[], OUT), known(4, edit, &[], IN)];
        assert!(is_remade(&[taken_out.clone(), again.clone()]));
        assert!(!is_remade(&[taken_out.clone(), again, known(5, undo, &[4], OUT)]));
        let older_undone = known(4, undo, &[2], IN);
        assert!(!is_remade(&[taken_out.clone(), known(4, undo, &[3], IN)]), "what came later is taken back");
        assert!(is_remade(&[taken_out.clone(), older_undone.clone()]));
        assert!(!is_remade(&[taken_out, older_undone, known(5, redo, &[4], OUT)]));
        let [undone, redone] = [known(2, undo, &[1], OUT), known(3, redo, &[2], IN)];
        assert!(!is_remade(&[undone.clone(), redone.clone()]));
        // What was redone once more is its own effect as well.
        assert!(!is_remade(&[undone, redone, known(4, undo, &[3], OUT), known(5, redo, &[4], IN)]));
    }

    #[test]
    fn a_redo_of_what_took_a_record_back_does_not_do_it_anew_whatever_was_between() {
        let (undo, redo) = (RecordClass::Undo, RecordClass::Redo);
        let log = [
            known(2, undo, &[1], OUT),
            known(3, redo, &[2], IN),
            known(4, undo, &[3], OUT),
            known(5, redo, &[4], IN),
            known(6, undo, &[8], OUT),
            known(7, redo, &[6], IN),
        ];
        let own = id(1);
        let later = Later { known: &log, is_newer: &|_, _| false };
        let does = [1, 3, 5].map(|n| may_do_again((&own, 0), later, &log[n]));
        assert_eq!(does, [false, false, true], "the last one is of another record");
    }

    #[test]
    fn a_redo_of_several_undos_does_nothing_anew_that_the_file_had_before_one_of_them() {
        let (undo, redo) = (RecordClass::Undo, RecordClass::Redo);
        let elsewhere = known(9, undo, &[8], ["c\n", "d\n"]);
        assert!(!is_remade(&[elsewhere, known(4, undo, &[2], OUT), known(5, redo, &[4, 9], IN)]));
    }

    #[test]
    fn only_the_undo_that_a_redo_inverts_tells_whether_it_is_of_the_record() {
        let own = id(1);
        let mut other = Arc::into_inner(known(6, RecordClass::Undo, &[1], OUT)).expect("one owner");
        other.elsewhere.push((id(1), 0));
        let later = [known(4, RecordClass::Undo, &[2], OUT), Arc::new(other)];
        let redo = known(7, RecordClass::Redo, &[4], IN);
        assert!(may_do_again((&own, 0), Later { known: &later, is_newer: &|_, _| false }, &redo));
    }

    #[test]
    fn an_undo_of_some_changes_says_nothing_of_others() {
        let of = |class, n: u8, target: u8, splices: &[usize]| {
            let mut known = Arc::into_inner(known(n, class, &[target], OUT)).expect("one owner");
            known.targets[0].splices = Some(splices.to_vec());
            Arc::new(known)
        };
        let undo = of(RecordClass::Undo, 2, 1, &[0, 1]);
        let log = [undo.clone()];
        assert_eq!([0, 1, 2].map(|n| is_undone_in_part(&id(1), &log, |meant| meant == n)), [true, true, false]);
        // What is taken back of the undo is counted by its own changes.
        let log = [undo, of(RecordClass::Redo, 3, 2, &[5])];
        assert!(!is_undone_in_part(&id(1), &log, |meant| meant == 0));
    }
}
