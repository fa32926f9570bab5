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

#[cfg(test)]
mod tests {
    use super::super::remade::tests::id;
    use super::super::step::tests::{edited, removed};
    use super::*;
    use crate::record::SpliceList;
    use crate::strategy::Strategy;
    use std::rc::Rc;

    const KEPT: (u32, u32) = (0o644, 0o644);

    fn target(n: u8, splices: Option<&[usize]>) -> Target {
        let splices = splices.map(<[usize]>::to_vec);
        Target { id: id(n), file: 0, splices, is_cancelled: false, was_gone: false }
    }

    /// A step of a record with three splices.
    fn of_three(n: u8, modes: (u32, u32)) -> Step {
        let mut step = edited(n, ["a\nb\nc\n", "A\nB\nC\n"], modes);
        if let What::Carry(carry) = &mut step.what {
            let rows = [0, 2, 4].map(|at| (at, 1, 1, 0, Strategy::Exact));
            Rc::make_mut(&mut carry.record).files[0].splices = SpliceList::new(6, &rows).expect("in order");
        }
        step
    }

    #[test]
    fn an_undo_leaves_out_the_splices_that_stay_between_markers_and_no_others() {
        // What is meant of record 1, which of its splices stay, and what is taken back of it.
        type Row = (Option<&'static [usize]>, &'static [usize], Option<Option<&'static [usize]>>);
        let rows: [Row; 6] = [
            (None, &[], Some(None)),
            (None, &[1], Some(Some(&[0, 2]))),
            (None, &[0, 1, 2], None),
            (Some(&[0, 2]), &[2], Some(Some(&[0]))),
            (Some(&[0, 2]), &[1], Some(Some(&[0, 2]))),
            (Some(&[2]), &[2], None),
        ];
        for (meant, stay, want) in rows {
            let steps = [of_three(1, KEPT), of_three(2, KEPT), removed(3, "x\n", 0o644)];
            let targets = [target(1, meant), target(2, None), target(3, None)];
            // Those of another record are not its own.
            let stays: Stays = stay.iter().map(|n| (id(1), *n)).chain([(id(9), 0)]).collect();
            let left = taken_back(&steps, &targets, &stays);
            let want: Vec<Target> =
                want.map(|splices| target(1, splices)).into_iter().chain([target(2, None), target(3, None)]).collect();
            assert_eq!(left, want, "{meant:?}: {stay:?}");
        }
        let targets = [target(1, None)];
        assert_eq!(taken_back(&[of_three(1, KEPT)], &targets, &Stays::new()), targets);
    }

    #[test]
    fn a_file_of_which_the_bits_go_back_is_taken_back_whatever_stays_of_its_lines() {
        let stays: Stays = (0..3).map(|n| (id(1), n)).collect();
        let targets = [target(1, None)];
        assert_eq!(taken_back(&[of_three(1, (0o644, 0o755))], &targets, &stays), targets);
        assert_eq!(taken_back(&[of_three(1, KEPT)], &targets, &stays), []);
    }
}
