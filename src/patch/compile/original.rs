//! Edits that all see the text that was given.

use super::clash::{ALSO_FAILED, refuse_nested, refuse_overlap};
use super::hunks;
use super::locate::{Failure, Sight, Size};
use super::nearest::Failed;
use super::others::Others;
use super::outcome::{CompileOptions, Compiled};
use super::plan::{Plan, splices};
use super::refusal::CompileError;
use super::rewrite::Rewrite;
use crate::matcher::exact::{self, Needle};
use crate::patch::FilePatch;
use crate::request::Edit;
use crate::text::{LfText, Text, to_lf};
use std::borrow::Cow;
use std::ops::Range;

/// Locates every edit in the text, and makes the patch.
pub(super) fn compile(text: &Text, edits: &[Edit], options: &CompileOptions) -> Result<Compiled, CompileError> {
    let plans = locate_all(text, edits, options, &Size::new(text, edits, options))?;
    compiled(text, edits, options, plans)
}

/// The patch of plans that are all against the base.
pub(super) fn compiled(
    text: &Text,
    edits: &[Edit],
    options: &CompileOptions,
    plans: Vec<Plan>,
) -> Result<Compiled, CompileError> {
    refuse_overlap(text, &plans)?;
    let outcomes: Vec<_> = plans.iter().enumerate().map(|(index, plan)| plan.outcome(index)).collect();
    if options.refuse_nested {
        refuse_nested(text, edits, &outcomes)?;
    }
    let uncertain =
        plans.iter().enumerate().filter_map(|(index, plan)| Some((index, plan.uncertain.clone()?))).collect();
    let (plans, len): (Vec<_>, _) = (plans.into_iter().enumerate().collect(), text.bytes().len());
    let patch = FilePatch::from_sorted(len, splices(&plans, len, || Cow::Borrowed(text.bytes())));
    Ok(Compiled { patch, edits: outcomes, uncertain })
}

/// Locates every edit in the base.
pub(super) fn locate_all(
    text: &Text,
    edits: &[Edit],
    options: &CompileOptions,
    size: &Size,
) -> Result<Vec<Plan>, CompileError> {
    let (lf, untouched) = (LfText::new(text.bytes()), FilePatch::unchanged(text.bytes().len()));
    let is_utf8 = is_utf8_if_it_matters(text, edits);
    let rewrite = Rewrite::new(text, &lf);
    let seen = Sight { base: text, patch: &untouched, lf: &lf, rewrite, is_utf8, options, size };
    let olds: Vec<Cow<'_, [u8]>> = edits.iter().map(|edit| to_lf(edit.old())).collect();
    let plain = edits.iter().zip(&olds).filter(|(edit, _)| edit.anchor().is_none());
    let needles: Vec<Needle<'_>> = plain.map(|(edit, old)| seen.needle(edit, old)).collect();

    let mut plans = Vec::with_capacity(edits.len());
    let mut located: Vec<(usize, Range<usize>)> = Vec::new();
    let mut failed: Option<(usize, Failure)> = None;
    let mut also_failed = Vec::new();
    let mut spots = hunks::spots(&seen, edits, &olds);
    let mut found_places = exact::find(&lf, &needles).into_iter();
    for (index, edit) in edits.iter().enumerate() {
        let found = match spots.next_of(edit) {
            Some(spots) => seen.locate_hunk(edit, spots),
            None => seen.locate(edit, found_places.next().unwrap_or_default()),
        };
        match found {
            Ok(plan) => {
                located.push((index, plan.places[0].range()));
                plans.push(plan);
            }
            Err(failure) if failed.is_none() => failed = Some((index, failure)),
            Err(_) => also_failed.push(index),
        }
        if also_failed.len() == ALSO_FAILED {
            break;
        }
    }
    if let Some((index, failure)) = failed {
        let failed = Failed { index, edit: &edits[index], old: &olds[index], failure };
        let error = seen.refusal(failed, &Others::of(index, text, &located));
        return Err(CompileError { also_failed, ..error });
    }
    Ok(plans)
}

/// A long file is looked through only where a new text is not ASCII.
pub(super) fn is_utf8_if_it_matters(text: &Text, edits: &[Edit]) -> bool {
    edits.iter().all(|edit| edit.new_text().is_ascii()) || text.is_utf8()
}
