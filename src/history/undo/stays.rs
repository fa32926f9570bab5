//! What an undo with conflict markers leaves in force: the splices for which both versions stand between markers.
//!
//! Owns how that is told by its targets. Decides nothing about what fits.

use super::step::{Step, What};
use crate::id::RecordId;
use crate::record::Target;
use std::collections::BTreeSet;

/// Splices of records that stay.
pub(super) type Stays = BTreeSet<(RecordId, usize)>;

/// What steps take back, each of its target, without what stays of it; a target is left out where all stays.
pub(super) fn taken_back(steps: &[Step], targets: &[Target], stays: &Stays) -> Vec<Target> {
    if stays.is_empty() {
        return targets.to_vec();
    }
    steps.iter().zip(targets).filter_map(|(step, target)| without(step, target, stays)).collect()
}

fn without(step: &Step, target: &Target, stays: &Stays) -> Option<Target> {
    let What::Carry(carry) = &step.what else { return Some(target.clone()) };
    // A name and a mode are no splices: where they go back, the file does.
    let is_more = step.old_name().is_some() || step.sets_mode();
    if is_more || !stays.iter().any(|(id, _)| *id == target.id) {
        return Some(target.clone());
    }
    let all = || (0..carry.record.files[carry.file].splices.count()).collect();
    let mut splices: Vec<usize> = target.splices.clone().unwrap_or_else(all);
    splices.retain(|n| !stays.contains(&(target.id.clone(), *n)));
    (!splices.is_empty()).then(|| Target { splices: Some(splices), ..target.clone() })
}
