//! Edits that each see what those before it wrote.

use super::at_once;
use super::clash::refuse_nested;
use super::locate::{Sight, Size};
use super::nearest::Failed;
use super::original::{compiled, is_utf8_if_it_matters};
use super::others::Others;
use super::outcome::{CompileOptions, Compiled, EditOutcome};
use super::plan::splices;
use super::refusal::CompileError;
use super::rewrite::Rewrite;
use crate::matcher::exact;
use crate::patch::{FilePatch, algebra};
use crate::request::Edit;
use crate::strategy::Strategy;
use crate::text::{LfText, Text, to_lf};
use std::borrow::Cow;

/// Up to so many edits in sequence, each is as well located by itself.
const FEW: usize = 16;

/// Locates one edit after the other, and makes one patch of all.
pub(super) fn compile(text: &Text, edits: &[Edit], options: &CompileOptions) -> Result<Compiled, CompileError> {
    if edits.len() > FEW
        && let Some(plans) = at_once::plans(text, edits, options)
    {
        return compiled(text, edits, options, plans);
    }
    let (is_utf8, size) = (is_utf8_if_it_matters(text, edits), Size::new(text, edits, options));
    let mut lf = LfText::new(text.bytes());
    let mut patch = FilePatch::unchanged(text.bytes().len());
    let (mut outcomes, mut uncertain) = (Vec::<EditOutcome>::with_capacity(edits.len()), Vec::new());
    for (index, edit) in edits.iter().enumerate() {
        let old = to_lf(edit.old());
        let rewrite = Rewrite::new(text, &lf);
        let seen = Sight { base: text, patch: &patch, lf: &lf, rewrite, is_utf8, options, size: &size };
        let found = match edit.anchor() {
            Some(anchor) => seen.locate_hunk_in_sequence(edit, anchor, &old),
            None => seen.locate(edit, exact::find(&lf, &[seen.needle(edit, &old)]).remove(0)),
        };
        let plan = found.map_err(|failure| {
            let before: Vec<_> = outcomes.iter().map(|outcome| (outcome.index, outcome.range.clone())).collect();
            let others = Others::in_sequence(index, text, &before);
            seen.refusal(Failed { index, edit, old: &old, failure }, &others)
        })?;
        let outcome = plan.outcome(index);
        outcomes.push(EditOutcome { range: algebra::base_range(&patch, &outcome.range), ..outcome });
        uncertain.extend(plan.uncertain.clone().map(|one| (index, one)));
        let is_exact = plan.strategy == Strategy::Exact;
        let len = patch.result_len();
        let splices = splices(&[(index, plan)], len, || Cow::Owned(patch.apply(text.bytes())));
        let step = FilePatch::from_sorted(len, splices);
        // Every splice moves all that is behind it.
        if is_exact && step.splices().len() <= FEW {
            // From the last to the first, so that the offsets of the others stay true.
            for splice in step.splices().iter().rev() {
                lf.splice(lf.offset_of(splice.range.start)..lf.offset_of(splice.range.end), &splice.replacement);
            }
            patch = algebra::then(patch, step);
        } else {
            // Only exact places are sure not to cut a CRLF in two; and many are read anew in less time.
            patch = algebra::then(patch, step);
            lf = LfText::new(&patch.apply(text.bytes())).into_owned();
        }
        debug_assert_eq!(lf.original(lf.bytes().len()), patch.result_len(), "the LF reading is that of the patch");
    }
    if options.refuse_nested {
        refuse_nested(text, edits, &outcomes)?;
    }
    Ok(Compiled { patch, edits: outcomes, uncertain })
}
